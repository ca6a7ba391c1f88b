//! Animation stacks: converts each to a clip. FBX interpolates Euler angles; curves are sampled at the frames of the file, and
//! keys that the neighbours reproduce are left out.

use glam::{Quat, Vec4};
use ufbx::{AnimStack, BakeOpts, BakeStepHandling, BakedAnim, BakedNode, BakedQuat, BakedVec3, ElementType, Scene};

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::import::assembly::budget::{BYTES_PER_KEY, Budget};
use crate::import::assembly::clip_names::{ClipName, clip_names};
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::jumps::jump;
use crate::import::assembly::keyframes::{Column, assemble, use_stated_rate};
use crate::import::assembly::names::Names;
use crate::import::error::Fault;
use crate::import::fbx::extrapolation::Extrapolation;
use crate::import::fbx::morphs::{Shapes, WeightKey, keys_of};
use crate::import::fbx::{convert, layers, scene};
use crate::import::report::{Findings, Report};

/// A sample may differ by this much from the line between its neighbours.
const REDUCTION: f64 = 1e-6;
/// Keys as long as the range of their stack, and at most this much beside it, in seconds, are what it means: old files of Blender have
/// ranges that are a frame early.
const ONE_FRAME: f64 = 0.05;
/// Times less than this apart are the same, in seconds.
const SAME: f64 = 0.001;
/// Maximum number of samples between two keys.
const MAX_SEGMENTS: usize = 100_000;

/// Converts every animation stack, in order, with a tag each. `stem` names a clip whose stack has a generic name. One that can't be
/// read is left out.
pub fn clips(
    scene: &Scene,
    stem: &str,
    (bones, shapes): (&Bones, &Shapes),
    report: &mut Report,
    input: usize,
) -> Vec<(Clip, Option<String>)> {
    let mut names = Names::of("clip");
    let mut budget = Budget::of(input);
    let mut clips = Vec::with_capacity(scene.anim_stacks.count);
    let is_object = |name: &str| scene.nodes.iter().any(|node| &*node.element.name == name);
    let raw: Vec<Option<&str>> = scene.anim_stacks.iter().map(|stack| Some(&*stack.element.name)).collect();
    for (stack, ClipName { name, tag }) in scene.anim_stacks.iter().zip(clip_names(&raw, is_object, stem)) {
        let findings = &mut report.at(format_args!("animation {}", &*stack.element.name));
        let name = names.take(name.as_deref(), findings);
        match clip(scene, (stack, name), (bones, shapes), (&mut budget, input), findings) {
            Ok(clip) => clips.push((clip, tag)),
            Err(fault) => findings.report.left_out(&fault),
        }
    }
    clips
}

fn clip(
    scene: &Scene,
    (stack, name): (&AnimStack, String),
    targets: (&Bones, &Shapes),
    (budget, input): (&mut Budget, usize),
    findings: &mut Findings<'_>,
) -> Result<Clip, Fault> {
    let some = layers::playing(scene, stack, findings)?;
    let anim = some.as_deref().unwrap_or(&stack.anim);
    // Baking would never end.
    let curves =
        anim.layers.iter().flat_map(|layer| layer.anim_values.iter()).flat_map(|value| value.curves.iter().flatten());
    if curves.flat_map(|curve| curve.keyframes.iter()).any(|key| !key.time.is_finite()) {
        return Err(findings.fault("the time of a key is not a number"));
    }
    let options = options(scene, input);
    let rest = Extrapolation::of(scene, stack, (anim, options.resample_rate), findings);
    let baked = ufbx::bake_anim(scene, anim, options).map_err(|error| findings.fault(scene::reason(&error)))?;
    let columns = columns((scene, &baked, rest), targets, budget, findings)?;
    if columns.is_empty() {
        findings.add("moves no bone and no blend shape; the clip is empty");
    }
    let mut clip = assemble(name, columns, None).map_err(|reason| findings.fault(reason))?;
    use_stated_rate(&mut clip, scene.settings.frames_per_second);
    Ok(clip)
}

fn options(scene: &Scene, input: usize) -> BakeOpts {
    let rate = scene.settings.frames_per_second;
    let rate = if (1.0..=1000.0).contains(&rate) { rate } else { 30.0 };
    BakeOpts {
        temp_allocator: scene::limits(input),
        result_allocator: scene::limits(input),
        resample_rate: rate,
        // Between keys in neighbouring frames nothing is sampled, between those of every second frame something is.
        minimum_sample_rate: 0.75 * rate,
        max_keyframe_segments: MAX_SEGMENTS,
        step_handling: BakeStepHandling::IdenticalTime,
        key_reduction_enabled: true,
        key_reduction_rotation: true,
        key_reduction_threshold: REDUCTION,
        ..BakeOpts::default()
    }
}

/// A key before it has a bone and a channel. A value that jumps has two at the time of the jump: before and after it.
#[derive(Clone, Copy)]
pub struct Sample {
    pub secs: f64,
    pub value: Vec4,
}

/// The channels that move bones and blend shapes. Times start at 0 with the range of the stack, or if it has none, with keys
/// before 0.
fn columns(
    (scene, baked, rest): (&Scene, &BakedAnim, Extrapolation<'_>),
    (bones, shapes): (&Bones, &Shapes),
    budget: &mut Budget,
    findings: &mut Findings<'_>,
) -> Result<Vec<Column>, Fault> {
    let mut columns = Vec::new();
    let ends = baked.nodes.iter().flat_map(ends).chain(baked.elements.iter().filter_map(|it| shapes.ends(it)));
    let ends = ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or_default();
    let extrapolated =
        baked.nodes.iter().map(|node| node.element_id).chain(baked.elements.iter().map(|it| it.element_id));
    let extrapolated = extrapolated.filter_map(|element| rest.range_of(element));
    let ends = extrapolated.fold(ends, |a, b| [a[0].min(b[0]), a[1].max(b[1])]);
    let range = shown(rest.range, ends, findings);
    for node in baked.nodes.iter() {
        let Some(bone) = bones.of(node.typed_id as usize) else { continue };
        let Some(own) = scene.nodes.get(node.typed_id as usize) else { continue };
        let channels = [
            (Channel::Translation, node.constant_translation, samples_of_vec3(&node.translation_keys)),
            (Channel::Rotation, node.constant_rotation, samples_of_quat(&node.rotation_keys)),
            (Channel::Scale, node.constant_scale, samples_of_vec3(&node.scale_keys)),
        ];
        for (channel, is_constant, samples) in channels {
            let samples = if is_constant { samples } else { rest.samples(own, channel, samples) };
            budget.take_keys(samples.len(), BYTES_PER_KEY).map_err(|reason| findings.fault(reason))?;
            let kept = if is_constant { 1 } else { samples.len() };
            let keys = keys_in((bone, channel), samples.get(..kept).unwrap_or_default(), range, findings)?;
            let is_rest = is_constant && keys.iter().all(|(_, key)| is_rest(&bones.skeleton, key));
            if !keys.is_empty() && !is_rest {
                columns.push(Column { bone, channel, keys });
            }
        }
    }
    let hidden = baked.elements.iter().flat_map(|element| element.props.iter());
    let hidden = hidden.filter(|prop| &*prop.name == "Visibility" && !prop.constant_value).count();
    findings.report.not_imported_many("keyed visibilities", hidden);
    columns.extend(weights((scene, baked, &rest), (bones, shapes), range, budget, findings)?);
    let last = columns.iter().filter_map(|column: &Column| Some(column.keys.last()?.0.secs())).fold(0.0, f64::max);
    if last > 0.0 && range[1] - range[0] - last > 2.0 * ONE_FRAME {
        findings.add(format_args!("stands still after its last key, at {last:.3} s; the clip ends there"));
    }
    Ok(columns)
}

/// The channels that move blend shapes.
fn weights(
    (scene, baked, rest): (&Scene, &BakedAnim, &Extrapolation<'_>),
    (bones, shapes): (&Bones, &Shapes),
    range: [f64; 2],
    budget: &mut Budget,
    findings: &mut Findings<'_>,
) -> Result<Vec<Column>, Fault> {
    let mut columns = Vec::new();
    for element in baked.elements.iter() {
        let keys = keys_of(element);
        let channel = scene.elements.get(element.element_id as usize);
        let channel = channel.filter(|element| element.type_ == ElementType::BlendChannel);
        let channel = channel.and_then(|element| scene.blend_channels.get(element.typed_id as usize));
        let keys = match channel {
            Some(channel) if keys.len() > 1 => rest.weights(channel, keys),
            _ => keys,
        };
        for (scalar, weights) in shapes.keys(element, &keys, budget).map_err(|reason| findings.fault(reason))? {
            let sample = |key: &WeightKey| Sample { secs: key.secs, value: Vec4::new(key.value, 0.0, 0.0, 0.0) };
            let samples: Vec<Sample> = weights.iter().map(sample).collect();
            let (bone, default) =
                bones.skeleton.scalar(scalar).map_or((0, 0.0), |scalar| (scalar.bone, scalar.default));
            let channel = Channel::Scalar(scalar);
            let keys = keys_in((bone, channel), &samples, range, findings)?;
            if !keys.is_empty() && keys.iter().any(|(_, key)| key.value.x != default) {
                columns.push(Column { bone, channel, keys });
            }
        }
    }
    Ok(columns)
}

/// The times of a clip in those of the file: the range of its stack. Without a range, from 0 or the first key to the last. A clip ends with
/// its last key at the latest: programs write the range of their timeline, whether anything moves in all of it or not.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn shown([start, end]: [f64; 2], [first, last]: [f64; 2], findings: &mut Findings<'_>) -> [f64; 2] {
    let is_near = |a: f64, b: f64, by: f64| (a - b).abs() <= by;
    if start < end && first < end && last > start {
        let by = if is_near(end - start, last - first, SAME) { ONE_FRAME } else { SAME };
        let start = if is_near(start, first, by) { first } else { start };
        let end = if is_near(end, last, by) { last } else { end };
        if first < start || last > end {
            findings.add(format_args!("keys outside of its range, {start:.3} to {end:.3} s, are left out"));
        }
        return [start, end];
    }
    if first < 0.0 {
        findings.add(format_args!("starts at {first:.3} s; moved to 0"));
    }
    [first.min(0.0), last]
}

/// The times of the first and last keys of the channels of a node.
fn ends(node: &BakedNode) -> impl Iterator<Item = [f64; 2]> {
    let of = |keys: &[BakedVec3]| Some([keys.first()?.time, keys.last()?.time]);
    let [translation, scale] = [of(&node.translation_keys), of(&node.scale_keys)];
    let rotation = node.rotation_keys.first().zip(node.rotation_keys.last()).map(|(a, b)| [a.time, b.time]);
    [translation, rotation, scale].into_iter().flatten()
}

/// The samples from a time to another one, which have samples, too.
#[allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)] // Floating point only.
fn within(samples: &[Sample], channel: Channel, [start, end]: [f64; 2]) -> Vec<Sample> {
    let from = samples.partition_point(|sample| sample.secs < start);
    let to = samples.partition_point(|sample| sample.secs <= end);
    let at = |after: usize, secs: f64| {
        let (before, after) = (samples.get(after.checked_sub(1)?)?, samples.get(after)?);
        let part = ((secs - before.secs) / (after.secs - before.secs)) as f32;
        let value = match channel {
            Channel::Rotation => Quat::from_vec4(before.value).slerp(Quat::from_vec4(after.value), part).into(),
            _ => before.value.lerp(after.value, part),
        };
        Some(Sample { secs, value })
    };
    let starts_between = samples.get(from).is_none_or(|sample| sample.secs > start);
    let ends_between = to.checked_sub(1).and_then(|last| samples.get(last)).is_none_or(|sample| sample.secs < end);
    let first = at(from, start).filter(|_| starts_between);
    let last = at(to, end).filter(|_| ends_between);
    let inside: Vec<Sample> =
        first.into_iter().chain(samples.get(from..to).unwrap_or_default().iter().copied()).chain(last).collect();
    match (inside.is_empty(), samples.first(), samples.last()) {
        // All are before or after: the nearest holds.
        (true, Some(first), Some(last)) => {
            vec![Sample { secs: start, value: if first.secs > end { first.value } else { last.value } }]
        }
        _ => inside,
    }
}

fn samples_of_vec3(keys: &[BakedVec3]) -> Vec<Sample> {
    let sample = |key: &BakedVec3| Sample { secs: key.time, value: convert::vec3(key.value).extend(0.0) };
    keys.iter().map(sample).collect()
}

fn samples_of_quat(keys: &[BakedQuat]) -> Vec<Sample> {
    let sample = |key: &BakedQuat| Sample { secs: key.time, value: Vec4::from(convert::quat(key.value)) };
    keys.iter().map(sample).collect()
}

/// The keys of a channel, with strictly ascending times. Of samples at one time, the value jumps from the first to
/// the last.
#[allow(clippy::arithmetic_side_effects)] // Floating point, and times, which saturate.
fn keys_in(
    (bone, channel): (BoneIndex, Channel),
    samples: &[Sample],
    range: [f64; 2],
    findings: &mut Findings<'_>,
) -> Result<Vec<(Time, Key)>, Fault> {
    let mut keys: Vec<(Time, Key)> = Vec::with_capacity(samples.len());
    let samples = within(samples, channel, range);
    let time = |sample: &Sample| Time::from_secs((sample.secs - range[0]).max(0.0));
    let is_bad =
        |sample: &&Sample| !sample.secs.is_finite() || time(sample) > Time::LONGEST || !sample.value.is_finite();
    if let Some(bad) = samples.iter().find(is_bad) {
        return Err(findings.fault(format!("a key at {} s is outside of the supported range", bad.secs)));
    }
    for at_once in samples.chunk_by(|a, b| time(a) == time(b)) {
        let [first, .., last] = at_once else {
            let of = |sample: &Sample| (time(sample), Key::new(bone, channel, sample.value));
            keys.extend(at_once.iter().map(of));
            continue;
        };
        jump(&mut keys, (time(first), Key::new(bone, channel, last.value)), first.value);
    }
    // Samples are in order, if ufbx keeps its word.
    keys.dedup_by(|next, before| next.0 <= before.0);
    Ok(keys)
}

fn is_rest(skeleton: &Skeleton, key: &Key) -> bool {
    skeleton.get(key.bone).is_some_and(|bone| key.channel.of(&bone.rest) == key.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_is_the_range_of_its_stack() {
        let report = &mut Report::default();
        let mut shown = |range, ends| shown(range, ends, &mut report.at("animation"));
        assert_eq!(shown([3.0, 4.0], [3.0, 4.0]), [3.0, 4.0]);
        assert_eq!(shown([-0.04, 0.75], [0.0, 0.79]), [0.0, 0.79], "a frame too early");
        assert_eq!(shown([0.0, 0.0], [0.5, 2.0]), [0.0, 2.0], "no range");
        assert_eq!(shown([8.0, 9.0], [-1.0, 2.0]), [-1.0, 2.0], "no key in it");
        assert_eq!(shown([0.25, 0.75], [0.0, 1.0]), [0.25, 0.75]);
        assert_eq!(shown([0.0, 1.02], [0.02, 1.0]), [0.0, 1.02], "held in its first and last frame");
        assert_eq!(shown([0.04, 1.0], [0.0, 1.04]), [0.04, 1.0], "rest poses before and behind it");
        let lines = std::mem::take(report).into_lines();
        assert!(
            lines.iter().any(|line| line.contains("0.250 to 0.750 s, are left out")) && lines.len() == 3,
            "{lines:?}"
        );
    }

    #[test]
    fn samples_are_cut_at_the_ends_of_a_range() {
        let at = |secs: f64, x: f32| Sample { secs, value: Vec4::X * x };
        let samples = [at(0.0, 0.0), at(1.0, 10.0), at(1.0, 20.0), at(2.0, 0.0)];
        let cut = |range| {
            let samples = within(&samples, Channel::Translation, range);
            samples.iter().map(|sample| (sample.secs, sample.value.x)).collect::<Vec<_>>()
        };
        assert_eq!(cut([0.5, 1.5]), [(0.5, 5.0), (1.0, 10.0), (1.0, 20.0), (1.5, 10.0)]);
        assert_eq!(cut([0.25, 0.75]), [(0.25, 2.5), (0.75, 7.5)]);
        assert_eq!(cut([0.0, 2.0]).len(), 4);
        assert_eq!((cut([3.0, 4.0]), cut([-2.0, -1.0])), (vec![(3.0, 0.0)], vec![(-2.0, 0.0)]));
    }
}
