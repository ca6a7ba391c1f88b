//! Clips as animations (glTF 2.0, section 3.11): a channel for each keyed channel of a bone, with its own keys. Loop mode, frame
//! rate and events are in `extras`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::anim::bezier::to_hermite;
use crate::anim::clip::{Clip, KeyframeKind, LoopMode};
use crate::anim::key::{Channel, Ease};
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::assets::model::Model;
use crate::export::ExportError;
use crate::export::gltf::binary::{Binary, Elements, bounded, floats};
use crate::export::gltf::curves::{Curve, Row};
use crate::export::gltf::list::List;
use crate::export::gltf::{File, LoopNames, combat, extras, frames, morphs};

/// The maximum error of a Bézier segment that is written as cubic splines, as a fraction of its change.
const HANDLES_ERROR: f32 = 1e-5;
/// Suffix by which Godot recognizes loops.
const GODOT_LOOP: &str = "-loop";

/// Writes all clips, in order.
/// A clip that keys few weights of many at each of its times, so that the file would be very large, is an error.
pub fn write(model: &Model, loop_names: LoopNames, file: &mut File) -> Result<List, ExportError> {
    morphs::check(model, &file.weights)?;
    // One view has the numbers of all clips. It comes last, when all are known.
    let start = file.binary.start();
    let mut numbers = Numbers { view: file.binary.views.len(), start, ..Numbers::default() };
    let animations = model.clips.iter().map(|slot| {
        let tracks = hermite_tracks(&slot.clip, &mut file.findings);
        let (of_scalars, of_bones): (Vec<Track>, Vec<Track>) =
            tracks.into_iter().partition(|track| track.channel.scalar().is_some());
        let mut curves = curves(&slot.clip.name, &of_bones, &model.skeleton, file);
        let weights = weight_curves(&of_scalars, &model.skeleton, file);
        close(&mut curves, &weights, &model.skeleton, slot.clip.length());
        let name = name(&slot.clip, loop_names, (model, &mut file.findings));
        let mut json = animation(&slot.clip, (&curves, &weights), &name, &mut numbers, &mut file.binary);
        for (rows, targets) in frames::curves(model, &slot.clip, &of_scalars) {
            file.extensions.insert(frames::POINTER);
            let output = numbers.add(floats(rows.iter().map(|row| [row.value.x, row.value.y])), &mut file.binary);
            let input = numbers.times(&rows, &mut file.binary);
            let list = |json: &mut Value, name: &str, item: Value| {
                let items = json[name].as_array_mut().expect("an animation has both lists");
                items.push(item);
                items.len() - 1
            };
            let sampler = json!({ "input": input, "output": output, "interpolation": "STEP" });
            let sampler = list(&mut json, "samplers", sampler);
            for target in targets {
                list(&mut json, "channels", json!({ "sampler": sampler, "target": target }));
            }
        }
        let is_weight = |scalar| file.weights.iter().any(|(_, weights)| weights.contains(&scalar));
        if let Some(values) = morphs::values(&slot.clip, &model.skeleton, is_weight) {
            json["extras"]["keypose"]["values"] = values;
        }
        if let Some(lanes) = model.combat.lanes.get(&slot.id) {
            json["extras"]["keypose"]["lanes"] = combat::lanes(lanes);
        }
        json
    });
    let animations = animations.collect();
    if file.extensions.contains(frames::POINTER) {
        file.findings.push("keyed texture frames play only in programs that support KHR_animation_pointer".into());
    }
    if file.binary.bytes.len() > start {
        file.binary.view_from(start, None);
    }
    Ok(animations)
}

/// The tracks of a clip with cubic splines as glTF has them.
fn hermite_tracks(clip: &Clip, findings: &mut Vec<String>) -> Vec<Track> {
    let mut tracks = Track::all_of(clip);
    let (mut segments, mut error) = (0, 0.0_f32);
    for track in &mut tracks {
        if let Some(converted) = to_hermite(track, HANDLES_ERROR) {
            (segments, error) = (segments + converted.segments, error.max(converted.error));
            *track = converted.track;
        }
    }
    if segments > 0 {
        let (name, percent) = (&clip.name, error * 100.0);
        findings.push(format!(
            "{name}: glTF has no lengths of handles, so {segments} Bézier segments get keys: within {percent:.4} % of their change"
        ));
    }
    tracks
}

/// The weights of each node in a clip with these tracks.
fn weight_curves(tracks: &[Track], skeleton: &Skeleton, file: &File) -> Vec<(usize, Vec<Curve>)> {
    let of = |(node, weights): &(usize, Vec<_>)| Some((*node, morphs::curves(tracks, skeleton, weights)?));
    file.weights.iter().filter_map(of).collect()
}

/// The curves of a clip's bones.
fn curves(clip: &str, tracks: &[Track], skeleton: &Skeleton, file: &mut File) -> Vec<Curve> {
    let (own, foreign): (Vec<_>, Vec<_>) = tracks.iter().partition(|track| usize::from(track.bone) < skeleton.len());
    if !foreign.is_empty() {
        let finding = format!("{clip}: keys of {} bones that don't exist are left out", foreign.len());
        file.findings.push(finding);
    }
    own.into_iter().map(Curve::of).collect()
}

/// Adds what the curves need to be at least one, and together as long as the clip.
fn close(curves: &mut Vec<Curve>, weights: &[(usize, Vec<Curve>)], skeleton: &Skeleton, length: Time) {
    let all = curves.iter().chain(weights.iter().flat_map(|(_, curves)| curves));
    let end = all.filter_map(|curve| curve.rows.last()).fold(0.0, |end: f32, row| end.max(row.time));
    let length = length.secs() as f32;
    if curves.is_empty() && (weights.is_empty() || end < length) {
        curves.push(still(skeleton));
    }
    if end < length {
        let plain = curves.iter().position(|curve| !curve.interpolation.has_tangents()).unwrap_or(0);
        curves[plain].hold_until(length);
    }
}

/// The first bone at rest: an animation must have a channel.
fn still(skeleton: &Skeleton) -> Curve {
    let rest = skeleton.bones().first().map(|bone| bone.rest).unwrap_or_default();
    let (channel, zero) = (Channel::Translation, glam::Vec4::ZERO);
    let row = Row { time: 0.0, in_tangent: zero, value: channel.of(&rest), out_tangent: zero };
    Curve { bone: 0, channel, interpolation: Ease::Step, rows: vec![row] }
}

/// The numbers of all animations, in one view.
#[derive(Default)]
struct Numbers {
    view: usize,
    /// Where the view starts in the buffer.
    start: usize,
    /// The accessor of each list of times, by its bytes: many channels have the same.
    times: BTreeMap<Vec<u8>, usize>,
}

impl Numbers {
    fn add(&self, packed: (Elements, Vec<u8>), binary: &mut Binary) -> usize {
        let accessor = self.append(packed, binary);
        binary.accessors.push(&accessor)
    }

    fn append(&self, (elements, bytes): (Elements, Vec<u8>), binary: &mut Binary) -> Value {
        let offset = binary.bytes.len() - self.start;
        binary.bytes.extend(bytes);
        elements.accessor(self.view, offset)
    }

    /// Key times. Their first and last have to be stated.
    fn times(&mut self, rows: &[Row], binary: &mut Binary) -> usize {
        let (elements, bytes) = floats(rows.iter().map(|row| [row.time]));
        if let Some(known) = self.times.get(&bytes) {
            return *known;
        }
        let mut accessor = self.append((elements, bytes.clone()), binary);
        if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
            accessor = bounded(accessor, (&[first.time], &[last.time]));
        }
        let accessor = binary.accessors.push(&accessor);
        self.times.insert(bytes, accessor);
        accessor
    }

    fn values(&self, curve: &Curve, binary: &mut Binary) -> usize {
        let rows = curve.rows.iter();
        // Between huge values, a slope is beyond the largest number.
        let slope = |slope: glam::Vec4| slope.clamp(glam::Vec4::MIN, glam::Vec4::MAX);
        let values: Vec<glam::Vec4> = match curve.interpolation {
            Ease::Cubic => rows.flat_map(|row| [slope(row.in_tangent), row.value, slope(row.out_tangent)]).collect(),
            Ease::Linear | Ease::Step => rows.map(|row| row.value).collect(),
        };
        let packed = match curve.channel {
            Channel::Rotation => floats(values.iter().map(|value| value.to_array())),
            Channel::Translation | Channel::Scale => floats(values.iter().map(|value| value.truncate().to_array())),
            Channel::Scalar(_) => floats(values.iter().map(|value| [value.x])),
        };
        self.add(packed, binary)
    }
}

fn animation(
    clip: &Clip,
    (curves, weights): (&[Curve], &[(usize, Vec<Curve>)]),
    name: &str,
    numbers: &mut Numbers,
    binary: &mut Binary,
) -> Value {
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for curve in curves {
        let mut sampler =
            json!({ "input": numbers.times(&curve.rows, binary), "output": numbers.values(curve, binary) });
        sampler["interpolation"] = interpolation_name(curve.interpolation).into();
        let path = match curve.channel {
            Channel::Translation => "translation",
            Channel::Rotation => "rotation",
            Channel::Scale => "scale",
            Channel::Scalar(_) => "weights",
        };
        channels.push(json!({ "sampler": samplers.len(), "target": { "node": curve.bone, "path": path } }));
        samplers.push(sampler);
    }
    for (node, curves) in weights {
        let rows = curves.first().map_or(&[][..], |curve| &curve.rows);
        let output = numbers.add(floats(morphs::numbers(curves).into_iter().map(|number| [number])), binary);
        let interpolation = curves.first().map_or("LINEAR", |curve| interpolation_name(curve.interpolation));
        channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": "weights" } }));
        samplers.push(json!({
            "input": numbers.times(rows, binary), "output": output, "interpolation": interpolation,
        }));
    }
    json!({ "name": name, "channels": channels, "samplers": samplers, "extras": extras(notes(clip)) })
}

fn interpolation_name(ease: Ease) -> &'static str {
    match ease {
        Ease::Step => "STEP",
        Ease::Linear => "LINEAR",
        Ease::Cubic => "CUBICSPLINE",
    }
}

/// The name of a clip in the file. A loop whose name there is that of another clip keeps its own.
fn name(clip: &Clip, loop_names: LoopNames, (model, findings): (&Model, &mut Vec<String>)) -> String {
    let is_loop = clip.loop_mode == LoopMode::Loop && loop_names == LoopNames::Godot;
    if !is_loop || clip.name.ends_with(GODOT_LOOP) {
        return clip.name.clone();
    }
    let name = format!("{}{GODOT_LOOP}", clip.name);
    if model.clips.iter().any(|slot| slot.clip.name == name) {
        findings.push(format!("{}: not named as a loop, because there is a clip {name}", clip.name));
        return clip.name.clone();
    }
    name
}

/// Members of `extras` for values that glTF lacks.
fn notes(clip: &Clip) -> Value {
    let events = clip.events.iter().map(|event| json!({ "name": event.name, "time": event.time.secs() }));
    let marked = clip.starts().zip(&clip.keyframes).filter(|(_, keyframe)| keyframe.kind != KeyframeKind::Plain);
    let kinds = marked.map(|(start, keyframe)| json!({ "kind": keyframe.kind.name(), "time": start.secs() }));
    json!({
        "name": clip.name,
        "loop": clip.loop_mode.name(),
        "length": clip.length().secs(),
        "rootMotion": clip.root_motion.name(),
        "frameRate": [clip.frame_rate.frames(), clip.frame_rate.per_secs()],
        "events": events.collect::<Vec<_>>(),
        "keyframes": kinds.collect::<Vec<_>>(),
    })
}
