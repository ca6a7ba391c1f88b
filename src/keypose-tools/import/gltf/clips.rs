//! Animations: converts them to clips with keyframes at the exact key times. Keys are not resampled.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use glam::Vec4;
use gltf::json::accessor::Accessor;
use gltf::json::animation::{Animation, Channel as JsonChannel, Interpolation, Property, Sampler};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Ease, HandleKind, Key};
use crate::anim::scalar::ScalarIndex;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::import::assembly::clip_names::{ClipName, clip_names};
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::jumps::restore;
use crate::import::assembly::keyframes::{Column, assemble};
use crate::import::assembly::names::Names;
use crate::import::assembly::weights::is_one;
use crate::import::error::Fault;
use crate::import::gltf::accessor::Reader;
use crate::import::gltf::morphs::Weights;
use crate::import::gltf::nodes::divided;
use crate::import::gltf::own::{self, ClipNotes};
use crate::import::gltf::own_clips;
use crate::import::report::{Findings, Report};

/// Converts every animation of the file, in order, to its index, the clip and a tag. `stem` names the only one if it has no name. One
/// that moves no bone becomes an empty clip; one that can't be read is left out.
pub fn clips(
    root: &Root,
    reader: &Reader<'_>,
    targets: (&Bones, &Weights),
    stem: &str,
    report: &mut Report,
) -> Vec<(usize, (Clip, Option<String>))> {
    let mut times = Times { reader, read: HashMap::new() };
    let mut taken = Names::of("clip");
    let mut clips = Vec::with_capacity(root.animations.len());
    for (index, (json, ClipName { name, tag })) in root.animations.iter().zip(names(root, stem)).enumerate() {
        let findings = &mut report.at(format_args!("animation {index}"));
        let name = taken.take(name.as_deref(), findings);
        match clip(json, name, &mut times, targets, findings) {
            Ok(clip) => clips.push((index, (clip, tag))),
            Err(fault) => findings.report.left_out(&fault),
        }
    }
    clips
}

/// The names of all animations. Those of our own export are kept.
fn names(root: &Root, stem: &str) -> Vec<ClipName> {
    let raw: Vec<Option<String>> = root.animations.iter().map(own::clip_name).collect();
    let objects: HashSet<&str> = root.nodes.iter().filter_map(|node| node.name.as_deref()).collect();
    let is_own = root.animations.iter().any(|json| own::notes(&json.extras).is_some());
    if is_own {
        return raw.into_iter().map(|name| ClipName { name, tag: None }).collect();
    }
    let raw: Vec<Option<&str>> = raw.iter().map(Option::as_deref).collect();
    clip_names(&raw, |name| objects.contains(name), stem)
}

fn clip(
    json: &Animation,
    name: String,
    times: &mut Times<'_, '_>,
    targets: (&Bones, &Weights),
    findings: &mut Findings<'_>,
) -> Result<Clip, Fault> {
    let columns = columns(json, times, targets, findings)?;
    if columns.is_empty() {
        findings.add("moves no bone and no morph target; the clip is empty");
    }
    let known = ClipNotes::of(&json.extras).map(|notes| (notes.loop_mode, notes.frame_rate));
    let long: usize = columns.iter().map(Column::long_ways).sum();
    if long > 0 {
        findings.add(format_args!(
            "{long} of its cubic segments turn the long way around; an edit of the clip will turn them the short way"
        ));
    }
    let clip = assemble(name, columns, known).map_err(|reason| findings.fault(reason))?;
    Ok(own_clips::add_notes(clip, json))
}

/// The channels that move bones and weights.
fn columns(
    json: &Animation,
    times: &mut Times<'_, '_>,
    (bones, weights): (&Bones, &Weights),
    findings: &mut Findings<'_>,
) -> Result<Vec<Column>, Fault> {
    let (mut columns, mut moved) = (Vec::with_capacity(json.channels.len()), HashSet::new());
    for (index, channel) in json.channels.iter().enumerate() {
        let findings = &mut findings.within(format_args!("channel {index}"));
        let node = channel.target.node.value();
        if node >= bones.of_node.len() {
            return Err(findings.fault(format!("node {node} doesn't exist")));
        }
        let target = match channel.target.path {
            Checked::Valid(Property::Translation) => Channel::Translation,
            Checked::Valid(Property::Rotation) => Channel::Rotation,
            Checked::Valid(Property::Scale) => Channel::Scale,
            Checked::Valid(Property::MorphTargetWeights) => {
                let Some(scalars) = weights.of_node(channel.target.node.value()) else {
                    findings.add("its node has no morph targets; ignored");
                    continue;
                };
                let mut found = weight_columns(json, channel, scalars, (times, weights), findings)?;
                let count = found.len();
                found.retain(|column| moved.insert((column.bone, column.channel)));
                if found.is_empty() && count > 0 {
                    findings.add("an earlier channel has the same target; ignored");
                }
                columns.extend(found);
                continue;
            }
            Checked::Invalid => {
                findings.add("unknown target path; ignored");
                continue;
            }
        };
        let Some(bone) = bones.of(channel.target.node.value()) else { continue };
        if !moved.insert((bone, target)) {
            findings.add("an earlier channel has the same target; ignored");
            continue;
        }
        let keys = keys(json, channel, (bone, target), times, findings)?;
        if !keys.is_empty() {
            columns.push(Column { bone, channel: target, keys });
        }
    }
    let values = own_clips::values(json, weights).into_iter();
    columns.extend(values.filter(|column| moved.insert((column.bone, column.channel))));
    Ok(columns)
}

fn keys(
    json: &Animation,
    channel: &JsonChannel,
    (bone, target): (BoneIndex, Channel),
    times: &mut Times<'_, '_>,
    findings: &mut Findings<'_>,
) -> Result<Vec<(Time, Key)>, Fault> {
    let Sampled { sampler, ease, input } = sampled(json, channel, times, findings)?;
    let values = values(times.reader, sampler, target, &findings.place)?;
    let per_key = if ease.has_tangents() { 3 } else { 1 };
    let (expected, found) = (input.count.saturating_mul(per_key), values.len());
    if found != expected {
        return Err(findings.fault(format!("{} key times need {expected} values, but there are {found}", input.count)));
    }
    times.reader.charge_keys(input.kept.len(), &findings.place)?;
    let mut maker = KeyMaker { bone, channel: target, ease, longest: 1.0, shortest: 1.0 };
    let mut keys = Vec::with_capacity(input.kept.len());
    let mut kept = input.kept.iter().peekable();
    for (at, rows) in values.chunks_exact(per_key).enumerate() {
        let key = maker.key(rows).ok_or_else(|| findings.fault(format!("key {at} is not finite")))?;
        keys.extend(kept.next_if(|(kept, _)| *kept == at).map(|(_, time)| (*time, key)));
    }
    maker.report(findings);
    if ease.has_tangents() && keys.len() == 1 {
        findings.add("a cubic spline needs two keys; its only key is held");
    }
    Ok(restore(keys))
}

/// A sampler with its interpolation and key times.
struct Sampled<'a> {
    sampler: &'a Sampler,
    ease: Ease,
    input: Rc<KeyTimes>,
}

fn sampled<'a>(
    json: &'a Animation,
    channel: &JsonChannel,
    times: &mut Times<'_, '_>,
    findings: &mut Findings<'_>,
) -> Result<Sampled<'a>, Fault> {
    let index = channel.sampler.value();
    let missing = || findings.fault(format!("sampler {index} doesn't exist"));
    let sampler = json.samplers.get(index).ok_or_else(missing)?;
    let ease = match sampler.interpolation {
        Checked::Valid(Interpolation::Linear) => Ease::Linear,
        Checked::Valid(Interpolation::Step) => Ease::Step,
        Checked::Valid(Interpolation::CubicSpline) => Ease::Cubic,
        Checked::Invalid => return Err(findings.fault("unknown interpolation")),
    };
    let input = times.of(sampler.input, findings)?;
    Ok(Sampled { sampler, ease, input })
}

/// The columns of a node's weights. At each key time the sampler has one number for each of them; cubic samplers have all
/// in-tangents, all values and all out-tangents.
fn weight_columns(
    json: &Animation,
    channel: &JsonChannel,
    scalars: &[ScalarIndex],
    (times, weights): (&mut Times<'_, '_>, &Weights),
    findings: &mut Findings<'_>,
) -> Result<Vec<Column>, Fault> {
    let Sampled { sampler, ease, input } = sampled(json, channel, times, findings)?;
    let values = times.reader.floats::<1>(sampler.output, &findings.place)?;
    let (per_key, count) = (if ease.has_tangents() { 3 } else { 1 }, scalars.len());
    let row = count.saturating_mul(per_key);
    let expected = input.count.saturating_mul(row);
    if values.len() != expected {
        let (keys, found) = (input.count, values.len());
        let reason = format!("{keys} key times of {count} weights need {expected} values, but there are {found}");
        return Err(findings.fault(reason));
    }
    times.reader.charge_keys(input.kept.len().saturating_mul(count), &findings.place)?;
    let mut columns = Vec::with_capacity(count);
    for (at, &scalar) in scalars.iter().enumerate() {
        let (bone, channel) = (weights.bone(scalar), Channel::Scalar(scalar));
        let mut maker = KeyMaker { bone, channel, ease, longest: 1.0, shortest: 1.0 };
        let mut keys = Vec::with_capacity(input.kept.len());
        for &(kept, time) in &input.kept {
            let row = values.chunks_exact(row.max(1)).nth(kept).unwrap_or_default();
            let parts: Vec<Vec4> =
                row.iter().skip(at).step_by(count).map(|[value]| Vec4::new(*value, 0.0, 0.0, 0.0)).collect();
            keys.push((time, maker.key(&parts).ok_or_else(|| findings.fault(format!("key {kept} is not finite")))?));
        }
        if !keys.is_empty() {
            columns.push(Column { bone, channel, keys: restore(keys) });
        }
    }
    Ok(columns)
}

/// Reads the values of a channel, one row of four numbers each. Cubic samplers have in-tangent, value and out-tangent
/// in turn.
fn values(reader: &Reader<'_>, sampler: &Sampler, channel: Channel, place: &str) -> Result<Vec<Vec4>, Fault> {
    if channel == Channel::Rotation {
        let rows = reader.floats::<4>(sampler.output, &place)?;
        return Ok(rows.into_iter().map(Vec4::from_array).collect());
    }
    let rows = reader.floats::<3>(sampler.output, &place)?;
    Ok(rows.into_iter().map(|[x, y, z]| Vec4::new(x, y, z, 0.0)).collect())
}

/// Makes the keys of one channel and measures how far rotations are from unit length.
struct KeyMaker {
    bone: BoneIndex,
    channel: Channel,
    ease: Ease,
    longest: f64,
    shortest: f64,
}

impl KeyMaker {
    /// Makes a key from one row, or from three of a cubic spline. Returns `None` if a number is not finite.
    fn key(&mut self, rows: &[Vec4]) -> Option<Key> {
        let (in_tangent, value, out_tangent) = match rows {
            [value] => (Vec4::ZERO, *value, Vec4::ZERO),
            [in_tangent, value, out_tangent] => (*in_tangent, *value, *out_tangent),
            _ => return None,
        };
        let handles = match self.ease {
            Ease::Cubic if in_tangent == out_tangent => HandleKind::Aligned,
            Ease::Cubic => HandleKind::Free,
            Ease::Linear | Ease::Step => HandleKind::Auto,
        };
        let mut key = Key { ease: self.ease, handles, ..Key::new(self.bone, self.channel, value) };
        (key.in_tangent, key.out_tangent) = (in_tangent, out_tangent);
        if !(value.is_finite() && in_tangent.is_finite() && out_tangent.is_finite()) {
            return None;
        }
        if self.channel == Channel::Rotation {
            self.normalize(&mut key);
        }
        Some(key)
    }

    /// Normalises a rotation. Its tangents are scaled with it, so that a spline keeps its direction.
    fn normalize(&mut self, key: &mut Key) {
        let length = key.value.as_dvec4().length();
        (self.longest, self.shortest) = (self.longest.max(length), self.shortest.min(length));
        if is_one(length) {
            return;
        }
        if !(1e-6..1e30).contains(&length) {
            key.value = Channel::Rotation.neutral();
            (key.in_tangent, key.out_tangent) = (Vec4::ZERO, Vec4::ZERO);
            return;
        }
        let shrunk = |vector: Vec4| divided(vector, length);
        key.value = shrunk(key.value);
        (key.in_tangent, key.out_tangent) = (shrunk(key.in_tangent), shrunk(key.out_tangent));
    }

    fn report(&self, findings: &mut Findings<'_>) {
        if self.shortest < 1e-6 {
            findings.add("a rotation has length 0; replaced by the identity");
        } else if self.shortest < 0.99 || self.longest > 1.01 {
            let (shortest, longest) = (self.shortest, self.longest);
            let finding =
                format!("rotations of length {shortest:.3} to {longest:.3} are not of unit length; normalised");
            findings.add(finding);
        }
    }
}

/// The key times of one accessor.
struct KeyTimes {
    /// Count of key times in the accessor.
    count: usize,
    /// Index in the accessor and time of the valid ones, strictly ascending.
    kept: Vec<(usize, Time)>,
}

/// Key times by accessor, because hundreds of channels can share one.
struct Times<'a, 'b> {
    reader: &'a Reader<'b>,
    read: HashMap<usize, Rc<KeyTimes>>,
}

impl Times<'_, '_> {
    fn of(&mut self, input: Index<Accessor>, findings: &mut Findings<'_>) -> Result<Rc<KeyTimes>, Fault> {
        if let Some(times) = self.read.get(&input.value()) {
            return Ok(times.clone());
        }
        let secs = self.reader.floats::<1>(input, &findings.place)?;
        let mut times = KeyTimes { count: secs.len(), kept: Vec::with_capacity(secs.len()) };
        let mut before = Time(-1);
        for (at, [secs]) in secs.into_iter().enumerate() {
            let time = Time::from_secs(f64::from(secs));
            if !secs.is_finite() || time > Time::LONGEST {
                return Err(findings.fault(format!("key {at} is at {secs} s, outside of the supported range")));
            }
            if time > before {
                times.kept.push((at, time));
                before = time;
            }
        }
        let dropped = times.count.saturating_sub(times.kept.len());
        if dropped > 0 {
            let finding = format!("{dropped} key times are negative or not ascending; their keys are ignored");
            findings.add(finding);
        }
        Ok(self.read.entry(input.value()).or_insert(Rc::new(times)).clone())
    }
}
