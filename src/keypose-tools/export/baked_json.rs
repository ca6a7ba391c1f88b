//! Baked clips as JSON, for programs that read neither glTF nor archives. docs/export.md describes the members.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::anim::bake::BakedClip;
use crate::anim::clip::Clip;
use crate::anim::key::Channel;
use crate::anim::pose::LocalPose;
use crate::anim::scalar::Scalar;
use crate::anim::time::Time;
use crate::anim::transform::Transform;
use crate::assets::combat::Lanes;
use crate::assets::model::Model;
use crate::export::gltf::{combat, morphs};
use crate::export::machine_json;

/// The version of the format. It changes if a reader of the one before would read something wrong.
const VERSION: u32 = 1;
/// Maximum number of transforms of all clips together: their frames times the bones. About 300 MB of text.
const MAX_TRANSFORMS: f64 = 4e6;

/// The rate at which clips are sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rate {
    /// The frame rate of each clip.
    #[default]
    OfClip,
    /// Frames per second.
    Fps(f64),
}

/// Encodes bones, sockets and clips of a model. `clips` are its baked clips, in order. Numbers are the shortest that are the same
/// `f32` when they are read.
///
/// # Errors
/// If the clips have more than four million transforms, frames times bones, at this rate, or lead beyond the largest number.
pub fn encode(model: &Model, clips: &[impl AsRef<BakedClip>], rate: Rate) -> Result<String, String> {
    let mut text = format!(
        "{{\n\"format\": \"keypose-clips\",\n\"version\": {VERSION},\n\"generator\": {},\n\"model\": {},\n",
        Value::from(concat!("Keypose ", env!("CARGO_PKG_VERSION"))),
        Value::from(model.name.as_str()),
    );
    let bones = model.skeleton.bones().iter().map(|bone| {
        let about = json!({ "name": bone.name, "parent": bone.parent.map_or(-1, i64::from) });
        with_transform(&about, &bone.rest)
    });
    list(&mut text, "bones", bones);
    let sockets = model.sockets.iter().map(|socket| {
        let about = json!({ "name": socket.name, "bone": socket.bone, "attached": socket.attached });
        with_transform(&about, &socket.transform)
    });
    text.push_str(",\n");
    list(&mut text, "sockets", sockets);
    let clips: Vec<(&Clip, &BakedClip)> =
        model.clips.iter().zip(clips).map(|(slot, baked)| (&*slot.clip, baked.as_ref())).collect();
    let frames: f64 = clips.iter().map(|&(clip, baked)| steps(clip, baked, rate) + 1.0).sum();
    let transforms = frames * (model.skeleton.len() + model.skeleton.scalars().len()) as f64;
    if transforms > MAX_TRANSFORMS {
        let (bones, longest) = (model.skeleton.len(), clips.iter().max_by_key(|(clip, _)| clip.length()));
        let longest = longest.map_or("", |(clip, _)| clip.name.as_str());
        let advice = format!("use fewer frames per second, or shorten the longest clip, {longest}");
        return Err(format!(
            "{frames:.0} frames of {bones} bones are too many: the maximum is {MAX_TRANSFORMS:.0} transforms; {advice}"
        ));
    }
    let scalar = |scalar: &Scalar| morphs::scalar_json(scalar, json!(scalar.bone)).to_string();
    let scalars = model.skeleton.scalars().iter().map(scalar);
    if scalars.len() > 0 {
        text.push_str(",\n");
        list(&mut text, "scalars", scalars);
    }
    if !model.combat.hurt.is_empty() {
        let _ = write!(text, ",\n\"hurt\": {}", combat::volumes(&model.combat.hurt));
    }
    if let Some(machine) = machine_json::of_model(model) {
        let _ = write!(text, ",\n\"machine\": {machine}");
    }
    text.push_str(",\n\"clips\": [\n");
    for (at, (clip, baked)) in clips.into_iter().enumerate() {
        text.push_str(if at == 0 { "" } else { ",\n" });
        let lanes = model.combat.lanes.get(&model.clips[at].id);
        push_clip(&mut text, model, (clip, baked, lanes), steps(clip, baked, rate) as usize)?;
    }
    text.push_str("\n]\n}\n");
    Ok(text)
}

/// The number of steps between the frames of a clip.
fn steps(clip: &Clip, baked: &BakedClip, rate: Rate) -> f64 {
    let fps = match rate {
        Rate::OfClip => clip.frame_rate.fps(),
        Rate::Fps(fps) => fps,
    };
    (baked.length.secs() * fps).round().max(if baked.length > Time::ZERO { 1.0 } else { 0.0 })
}

/// A member that is a list, one item per line.
fn list(text: &mut String, name: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.collect();
    let _ = write!(text, "\"{name}\": [\n{}\n]", items.join(",\n"));
}

/// The object with the members of a transform.
fn with_transform(about: &Value, transform: &Transform) -> String {
    let about = about.to_string();
    let about = about.trim_end_matches('}');
    let [translation, rotation, scale] = Channel::ALL.map(|channel| row(transform, channel));
    format!("{about},\"translation\":{translation},\"rotation\":{rotation},\"scale\":{scale}}}")
}

fn row(transform: &Transform, channel: Channel) -> String {
    let value = channel.of(transform).to_array();
    let numbers: Vec<String> = value[..channel.width()].iter().map(f32::to_string).collect();
    format!("[{}]", numbers.join(","))
}

fn push_clip(
    text: &mut String,
    model: &Model,
    (clip, baked, lanes): (&Clip, &BakedClip, Option<&Lanes>),
    steps: usize,
) -> Result<(), String> {
    let poses = poses(baked, steps);
    let far = poses.iter().find_map(|pose| pose.iter().position(|transform| !transform.is_finite()));
    if let Some(bone) = far.and_then(|bone| model.skeleton.bones().get(bone)) {
        return Err(format!("clip {}: bone {} moves beyond the largest number", clip.name, bone.name));
    }
    let events = clip.events.iter().map(|event| json!({ "name": event.name, "time": event.time.secs() }));
    let mut about = json!({
        "name": clip.name,
        "loop": clip.loop_mode.name(),
        "rootMotion": clip.root_motion.name(),
        "length": baked.length.secs(),
        "frames": poses.len(),
        "events": events.collect::<Vec<_>>(),
    });
    if let Some(lanes) = lanes {
        about["lanes"] = combat::lanes(lanes);
    }
    let about = about.to_string();
    let _ = writeln!(text, "{},\"tracks\":[", about.trim_end_matches('}'));
    let mut is_first = true;
    for (bone, rest) in model.skeleton.bones().iter().map(|bone| &bone.rest).enumerate() {
        for track in Channel::ALL.into_iter().filter_map(|channel| track(&poses, (bone, channel), rest)) {
            text.push_str(if is_first { "" } else { ",\n" });
            text.push_str(&track);
            is_first = false;
        }
    }
    let scalars = scalar_tracks(model, baked, steps);
    text.push_str("\n]");
    if !scalars.is_empty() {
        let _ = write!(text, ",\"scalars\":[\n{}\n]", scalars.join(",\n"));
    }
    text.push('}');
    Ok(())
}

/// The poses from the start to the end of a clip.
fn poses(baked: &BakedClip, steps: usize) -> Vec<Vec<Transform>> {
    let mut local = LocalPose::default();
    let mut poses: Vec<Vec<Transform>> = Vec::with_capacity(steps + 1);
    for step in 0..=steps {
        baked.sample(time_of(baked, step, steps), &mut local);
        let before = poses.last();
        let pose = (0..local.len()).map(|bone| {
            let transform = local.get(bone);
            let last = before.map(|before: &Vec<Transform>| before[bone].rotation);
            near(transform, last)
        });
        poses.push(pose.collect());
    }
    poses
}

fn time_of(baked: &BakedClip, step: usize, steps: usize) -> Time {
    baked.length.part(step, steps)
}

/// The values of each scalar, one for each frame, or a single one. Those that keep their default are left out.
fn scalar_tracks(model: &Model, baked: &BakedClip, steps: usize) -> Vec<String> {
    let (mut values, mut frames) = (Vec::new(), Vec::with_capacity(steps + 1));
    for step in 0..=steps {
        baked.scalars().sample(time_of(baked, step, steps), &mut values);
        frames.push(values.clone());
    }
    let track = |(at, scalar): (usize, &Scalar)| {
        let first = frames[0][at];
        let is_still = frames.iter().all(|frame| frame[at] == first);
        let shown = if is_still { 1 } else { frames.len() };
        let numbers: Vec<String> = frames[..shown].iter().map(|frame| frame[at].to_string()).collect();
        let is_default = is_still && first == scalar.default;
        (!is_default).then(|| format!("{{\"scalar\":{at},\"values\":[{}]}}", numbers.join(",")))
    };
    model.skeleton.scalars().iter().enumerate().filter_map(track).collect()
}

/// With the sign of the rotation that is nearer to the one before, so that readers may interpolate numbers.
fn near(transform: Transform, before: Option<glam::Quat>) -> Transform {
    match before {
        Some(before) if before.dot(transform.rotation) < 0.0 => {
            Transform { rotation: -transform.rotation, ..transform }
        }
        _ => transform,
    }
}

/// A channel with a row for each pose, or with one row if it doesn't change. None if it is at rest.
fn track(poses: &[Vec<Transform>], (bone, channel): (usize, Channel), rest: &Transform) -> Option<String> {
    let is_same = |a: &Transform, b: &Transform| channel.of(a) == channel.of(b);
    let first = poses.first()?.get(bone)?;
    let is_still = poses.iter().all(|pose| is_same(&pose[bone], first));
    if is_still && is_same(first, rest) {
        return None;
    }
    let shown = if is_still { 1 } else { poses.len() };
    let rows: Vec<String> = poses[..shown].iter().map(|pose| row(&pose[bone], channel)).collect();
    let name = match channel {
        Channel::Translation => "translation",
        Channel::Rotation => "rotation",
        Channel::Scale => "scale",
        Channel::Scalar(_) => "value",
    };
    Some(format!("{{\"bone\":{bone},\"channel\":\"{name}\",\"values\":[{}]}}", rows.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::bake::bake;
    use crate::anim::clip::Keyframe;
    use crate::anim::key::{Ease, Key};
    use crate::anim::skeleton::{Bone, Skeleton};
    use crate::assets::id::ClipId;
    use crate::assets::model::ClipSlot;
    use glam::Vec3;
    use std::sync::Arc;

    #[test]
    fn the_transforms_are_limited_whatever_a_clip_says() {
        let bone = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
        let skeleton = Arc::new(Skeleton::new(vec![bone]).unwrap());
        let day = Keyframe { duration: Time::LONGEST, ..Keyframe::default() };
        let clip = Arc::new(Clip { keyframes: [day].into(), ..Clip::new("long") });
        let baked = vec![Arc::new(bake(&clip, &skeleton))];
        let clips = vec![ClipSlot { id: ClipId(1), clip }];
        let model = Model { skeleton, clips, ..Model::default() };
        let refused = encode(&model, &baked, Rate::Fps(1000.0)).unwrap_err();
        assert!(refused.contains("use fewer frames per second"), "{refused}");
        assert!(encode(&model, &baked, Rate::Fps(0.001)).is_ok());
    }

    #[test]
    fn a_clip_whose_values_are_no_numbers_between_its_keys_is_refused() {
        let bone = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
        let skeleton = Arc::new(Skeleton::new(vec![bone]).unwrap());
        let keyframe = |x: f32| Keyframe {
            duration: Time::SECOND,
            keys: [Key { ease: Ease::Linear, ..Key::translation(0, Vec3::new(x, 0.0, 0.0)) }].into(),
            ..Keyframe::default()
        };
        let clip = Arc::new(Clip { keyframes: [keyframe(3e38), keyframe(-3e38)].into(), ..Clip::new("far") });
        let baked = vec![Arc::new(bake(&clip, &skeleton))];
        let model = Model { skeleton, clips: vec![ClipSlot { id: ClipId(1), clip }], ..Model::default() };
        let refused = encode(&model, &baked, Rate::Fps(30.0)).unwrap_err();
        assert_eq!(refused, "clip far: bone root moves beyond the largest number");
    }
}
