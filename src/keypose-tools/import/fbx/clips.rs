//! Animation stacks: converts each to a clip. FBX interpolates Euler angles; curves are sampled at the frames of the file, and
//! keys that the neighbours reproduce are left out.

use std::mem::size_of;

use glam::Vec4;
use ufbx::{AnimStack, BakeOpts, BakeStepHandling, BakedAnim, BakedNode, BakedQuat, BakedVec3, Scene};

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::import::assembly::budget::Budget;
use crate::import::assembly::clip_names::{ClipName, clip_names};
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::jumps::jump;
use crate::import::assembly::keyframes::{Column, assemble};
use crate::import::assembly::names::Names;
use crate::import::error::Fault;
use crate::import::fbx::morphs::{Shapes, WeightKey};
use crate::import::fbx::{convert, scene};
use crate::import::report::{Findings, Report};

/// A sample may differ by this much from the line between its neighbours.
const REDUCTION: f64 = 1e-6;
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
    let baked = ufbx::bake_anim(scene, &stack.anim, options(scene, input));
    let baked = baked.map_err(|error| findings.fault(scene::reason(&error)))?;
    let columns = columns(&baked, targets, budget, findings)?;
    if columns.is_empty() {
        findings.add("moves no bone and no blend shape; the clip is empty");
    }
    assemble(name, columns, None).map_err(|reason| findings.fault(reason))
}

fn options(scene: &Scene, input: usize) -> BakeOpts {
    let rate = scene.settings.frames_per_second;
    BakeOpts {
        temp_allocator: scene::limits(input),
        result_allocator: scene::limits(input),
        resample_rate: if (1.0..=1000.0).contains(&rate) { rate } else { 30.0 },
        max_keyframe_segments: MAX_SEGMENTS,
        step_handling: BakeStepHandling::IdenticalTime,
        key_reduction_enabled: true,
        key_reduction_rotation: true,
        key_reduction_threshold: REDUCTION,
        ..BakeOpts::default()
    }
}

/// A key before it has a bone and a channel. A value that jumps has two at the time of the jump: before and after it.
struct Sample {
    secs: f64,
    value: Vec4,
}

/// The channels that move bones and blend shapes, sorted by bone and channel. Times start at 0 if keys are before it.
fn columns(
    baked: &BakedAnim,
    (bones, shapes): (&Bones, &Shapes),
    budget: &mut Budget,
    findings: &mut Findings<'_>,
) -> Result<Vec<Column>, Fault> {
    let mut columns = Vec::new();
    let of_shapes = baked.elements.iter().filter_map(|element| shapes.first_secs(element));
    let first = baked.nodes.iter().flat_map(starts).chain(of_shapes).fold(0.0_f64, f64::min);
    if first < 0.0 {
        findings.add(format_args!("starts at {first:.3} s; moved to 0"));
    }
    let reason = "the animations have far more keys than the file holds";
    for node in baked.nodes.iter() {
        let Some(bone) = bones.of(node.typed_id as usize) else { continue };
        let channels = [
            (Channel::Translation, node.constant_translation, samples_of_vec3(&node.translation_keys)),
            (Channel::Rotation, node.constant_rotation, samples_of_quat(&node.rotation_keys)),
            (Channel::Scale, node.constant_scale, samples_of_vec3(&node.scale_keys)),
        ];
        for (channel, is_constant, samples) in channels {
            let cost = samples.len().saturating_mul(size_of::<(Time, Key)>());
            if !budget.take(cost) {
                return Err(findings.fault(reason));
            }
            let kept = if is_constant { 1 } else { samples.len() };
            let keys = keys((bone, channel), samples.get(..kept).unwrap_or_default(), first, findings)?;
            let is_rest = is_constant && keys.iter().all(|(_, key)| is_rest(&bones.skeleton, key));
            if !keys.is_empty() && !is_rest {
                columns.push(Column { bone, channel, keys });
            }
        }
    }
    for element in baked.elements.iter() {
        for (scalar, weights) in shapes.keys(element, budget).ok_or_else(|| findings.fault(reason))? {
            let sample = |key: &WeightKey| Sample { secs: key.secs, value: Vec4::new(key.value, 0.0, 0.0, 0.0) };
            let samples: Vec<Sample> = weights.iter().map(sample).collect();
            let (bone, default) =
                bones.skeleton.scalar(scalar).map_or((0, 0.0), |scalar| (scalar.bone, scalar.default));
            let channel = Channel::Scalar(scalar);
            let keys = keys((bone, channel), &samples, first, findings)?;
            if !keys.is_empty() && keys.iter().any(|(_, key)| key.value.x != default) {
                columns.push(Column { bone, channel, keys });
            }
        }
    }
    columns.sort_by_key(|column: &Column| (column.bone, column.channel));
    columns.dedup_by_key(|column| (column.bone, column.channel));
    Ok(columns)
}

/// The times of the first keys of a node.
fn starts(node: &BakedNode) -> impl Iterator<Item = f64> {
    let [translation, scale] = [&node.translation_keys, &node.scale_keys].map(|keys| keys.first().map(|key| key.time));
    let rotation = node.rotation_keys.first().map(|key| key.time);
    [translation, rotation, scale].into_iter().flatten()
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
fn keys(
    (bone, channel): (BoneIndex, Channel),
    samples: &[Sample],
    first_secs: f64,
    findings: &mut Findings<'_>,
) -> Result<Vec<(Time, Key)>, Fault> {
    let mut keys: Vec<(Time, Key)> = Vec::with_capacity(samples.len());
    let time = |sample: &Sample| Time::from_secs(sample.secs - first_secs);
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
