//! Layers: a clip whose keys change another one where they are, by a weight. The result has all keys of the source that the layer doesn't
//! reach, so nothing is added when it is sampled. A mask limits it to some bones, and the keys of its weight are keys of the layer.
//!
//! The keys of an adding layer are the rest pose and the difference, so that the layer looks like itself when it is opened; those of a
//! replacing one are poses.

use std::collections::BTreeSet;
use std::f32::consts::PI;

use glam::{Quat, Vec4, Vec4Swizzles};

use crate::editor::ops::posed::Posed;
use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::fit::{Tolerance, reduce_clip_by};
use keypose::anim::key::{BoneIndex, Channel, Ease, Key};
use keypose::anim::scalar::{Scalar, ScalarIndex, ScalarKind};
use keypose::anim::skeleton::Skeleton;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::clip_notes::{ClipLayer, LayerBlend};
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;
use keypose_tools::even_times;

/// The minimum weight at which a bone can be posed: below it, the keys would be too large.
const MIN_WEIGHT: f32 = 0.01;

/// A layer over its source.
pub struct Layer<'a> {
    pub how: ClipLayer,
    pub source: &'a Clip,
    /// The layer's own clip.
    pub over: &'a Clip,
    skeleton: &'a Skeleton,
    /// The bones that it changes; `None` for all.
    mask: Option<BTreeSet<BoneIndex>>,
    /// The keys of its weight.
    weight: Option<Track>,
}

impl<'a> Layer<'a> {
    /// `None` if the model lacks the clip of the layer.
    pub fn new(model: &'a Model, source: &'a Clip, how: ClipLayer) -> Option<Layer<'a>> {
        let (over, skeleton) = (model.clip(how.clip)?, &*model.skeleton);
        let names = model.mask(how.clip);
        let mask = (!names.is_empty()).then(|| names.iter().filter_map(|name| skeleton.find(name)).collect());
        let mut layer = Layer { how, source, over, skeleton, mask, weight: None };
        layer.weight = layer_weight(skeleton)
            .and_then(|(scalar, at)| layer.fitted(Track::of(over, scalar.bone, Channel::Scalar(at))?));
        Some(layer)
    }

    /// The layer that gets the keys when a clip is posed; `None` if the clip has none, or if it is muted: what is keyed there would
    /// not be seen.
    pub fn posed(model: &'a Model, clip: ClipId) -> Option<Layer<'a>> {
        let derived = model.derived(clip)?;
        let how = derived.how.layer().filter(|layer| !layer.is_muted)?;
        Layer::new(model, model.clip(derived.source)?, how)
    }

    /// The source with the layer over it: with keys at all frames for the channels that the layer keys.
    pub fn result(&self) -> Clip {
        let mut tracks = Track::keyed(self.source, |_| true);
        // The weight of a layer under this one.
        tracks.retain(|track| !self.is_weight(track.channel));
        if !self.how.is_muted {
            for over in self.tracks() {
                let at = tracks.iter().position(|track| (track.bone, track.channel) == (over.bone, over.channel));
                let under = at.map(|at| tracks.swap_remove(at));
                tracks.push(self.mixed(under.as_ref(), &over));
            }
            tracks.extend(self.weight.clone());
        }
        Clip { delays: self.source.delays.clone(), ..self.source.with_tracks(tracks) }
    }

    /// Why a channel can't be posed at a time, if it can't: what is keyed there would not be seen.
    pub fn require_seen(&self, (bone, channel): (BoneIndex, Channel), time: Time) -> Result<(), &'static str> {
        match self.weight(self.source.keyed_time(bone, time)) {
            _ if self.is_weight(channel) => Ok(()),
            _ if !self.has(bone) => Err("it is limited to other bones"),
            weight if weight < MIN_WEIGHT => Err("its weight is keyed to 0 here"),
            _ => Ok(()),
        }
    }

    /// The value of the layer with which its result is posed so at a time.
    pub fn value_of(&self, time: Time, posed: &Posed) -> Vec4 {
        let Posed { bone, channel, value } = *posed;
        if self.is_weight(channel) {
            return value;
        }
        let rest = self.skeleton.rest_pose().value(bone, channel);
        let under = Track::of_keys(self.source, bone, channel);
        let base = under.map_or(rest, |track| track.sample(time.min(self.source.length())));
        let weight = if self.switches(channel) { 1.0 } else { self.weight(time).max(MIN_WEIGHT) };
        layer_value(channel, base, rest, value, (self.how.blend, weight))
    }

    /// The weight at a time of its source, 0 to 2.
    fn weight(&self, time: Time) -> f32 {
        self.how.weight() * self.weight.as_ref().map_or(1.0, |track| track.sample(time).x.clamp(0.0, 1.0))
    }

    fn has(&self, bone: BoneIndex) -> bool {
        self.mask.as_ref().is_none_or(|mask| mask.contains(&bone))
    }

    fn is_weight(&self, channel: Channel) -> bool {
        self.kind(channel) == Some(ScalarKind::LayerWeight)
    }

    /// Whether a channel shows the source or the layer, and nothing in between.
    fn switches(&self, channel: Channel) -> bool {
        self.kind(channel).is_some_and(ScalarKind::is_stepped)
    }

    fn kind(&self, channel: Channel) -> Option<ScalarKind> {
        Some(self.skeleton.scalar(channel.scalar()?)?.kind)
    }

    /// The tracks of the layer's clip that change the source.
    fn tracks(&self) -> impl Iterator<Item = Track> + '_ {
        let is_here = |track: &Track| match track.channel.scalar() {
            Some(scalar) => self.skeleton.scalar(scalar).is_some(),
            None => usize::from(track.bone) < self.skeleton.len(),
        };
        let changes = move |track: &Track| is_here(track) && self.has(track.bone) && !self.is_weight(track.channel);
        Track::all_of(self.over).into_iter().filter(changes).filter_map(|track| self.fitted(track))
    }

    /// A track of the layer's clip, as long as the source; `None` if no key is left.
    fn fitted(&self, mut track: Track) -> Option<Track> {
        let length = self.source.length();
        track.keys.retain(|(time, _)| *time <= length);
        track.seam = (self.source.loop_mode == LoopMode::Loop).then_some(length);
        (!track.keys.is_empty()).then_some(track)
    }

    fn mixed(&self, under: Option<&Track>, over: &Track) -> Track {
        let (bone, channel) = (over.bone, over.channel);
        let (rest, switches) = (self.skeleton.rest_pose().value(bone, channel), self.switches(channel));
        let mut before: Option<Vec4> = None;
        let key = |time: Time| {
            let base = under.map_or(rest, |track| track.sample(time));
            let weight = self.weight(time);
            let weight = if switches { f32::from(u8::from(weight > 0.5)) } else { weight };
            let mut value = with_layer(channel, base, rest, over.sample(time), (self.how.blend, weight));
            if channel == Channel::Rotation && before.is_some_and(|before| before.dot(value) < 0.0) {
                value = -value;
            }
            before = Some(value);
            let mut tracks = under.into_iter().chain([over]).chain(&self.weight);
            let ease = if switches || tracks.all(|track| holds(track, time)) { Ease::Step } else { Ease::Linear };
            (time, Key { ease, ..Key::new(bone, channel, value) })
        };
        let keys = self.times(under.into_iter().chain([over]).chain(&self.weight)).into_iter().map(key).collect();
        Track { bone, channel, keys, seam: over.seam }
    }

    /// The frames of the source, and the times of the keys of some tracks.
    fn times<'t>(&self, tracks: impl Iterator<Item = &'t Track>) -> BTreeSet<Time> {
        let (length, rate) = (self.source.length(), self.source.frame_rate);
        let is_open = self.source.loop_mode == LoopMode::Loop && length > Time::ZERO;
        let frames = even_times::frames(rate, [Time::ZERO, length]);
        let frames = frames.filter(|time| if is_open { *time < length } else { *time <= length });
        frames.chain(tracks.flat_map(|track| track.keys.iter().map(|(time, _)| *time))).collect()
    }
}

/// The scalar that is the weight of layers, if the skeleton has it.
pub fn layer_weight(skeleton: &Skeleton) -> Option<(&Scalar, ScalarIndex)> {
    skeleton.scalars().iter().zip(0..).find(|(scalar, _)| scalar.kind == ScalarKind::LayerWeight)
}

/// A clip with its layers as one without, reduced within a tolerance: without the keys of a weight.
pub fn flattened(clip: &Clip, skeleton: &Skeleton, tolerance: &Tolerance) -> Clip {
    let weight = layer_weight(skeleton).map(|(_, at)| Channel::Scalar(at));
    let is_weight = |channel: Channel| Some(channel) == weight;
    let scales = skeleton.parent_scales();
    // One key is left of the weight.
    let max_error = |track: &Track| if is_weight(track.channel) { f32::INFINITY } else { tolerance.of(track, &scales) };
    let mut flat = reduce_clip_by(clip, max_error);
    for keyframe in flat.keyframes.iter_mut().filter(|it| it.keys.iter().any(|key| is_weight(key.channel))) {
        keyframe.keys = keyframe.keys.iter().filter(|key| !is_weight(key.channel)).copied().collect();
    }
    flat
}

/// The layers of a clip, the last one first, each with the clip that it is a layer of; and the clip under all of them.
pub fn layers_of(model: &Model, clip: ClipId) -> (Vec<(ClipId, ClipLayer)>, ClipId) {
    let mut layers = Vec::new();
    let mut under = clip;
    // Malformed files may contain cycles.
    while let Some(derived) = model.derived(under).filter(|_| layers.len() < model.clips.len()) {
        let Some(layer) = derived.how.layer() else { break };
        layers.push((under, layer));
        under = derived.source;
    }
    (layers, under)
}

/// Whether a track has one value until its next key, or until the end.
fn holds(track: &Track, time: Time) -> bool {
    let at = track.keys.partition_point(|(start, _)| *start <= time);
    let is_outside = track.seam.is_none() && (at == 0 || at == track.keys.len());
    is_outside || track.keys.len() < 2 || track.keys.get(at.saturating_sub(1)).is_some_and(|(_, key)| key.ease.jumps())
}

/// The value with a layer over it.
fn with_layer(channel: Channel, base: Vec4, rest: Vec4, over: Vec4, (blend, weight): (LayerBlend, f32)) -> Vec4 {
    match (channel, blend) {
        (Channel::Rotation, LayerBlend::Add) => turned(base, turn(rest, over, weight)),
        (Channel::Rotation, LayerBlend::Replace) => turned(base, turn(base, over, weight)),
        (Channel::Scale, LayerBlend::Add) => base * (Vec4::ONE + (ratio(over, rest) - 1.0) * weight),
        (Channel::Translation | Channel::Scalar(_), LayerBlend::Add) => base + (over - rest) * weight,
        (_, LayerBlend::Replace) => base + (over - base) * weight,
    }
}

/// The value of the layer with which `base` becomes `wanted`.
fn layer_value(channel: Channel, base: Vec4, rest: Vec4, wanted: Vec4, (blend, weight): (LayerBlend, f32)) -> Vec4 {
    let part = weight.recip();
    match (channel, blend) {
        (Channel::Rotation, LayerBlend::Add) => turned(rest, turn(base, wanted, part)),
        (Channel::Rotation, LayerBlend::Replace) => turned(base, turn(base, wanted, part)),
        (Channel::Scale, LayerBlend::Add) => rest * (Vec4::ONE + (ratio(wanted, base) - 1.0) * part),
        (Channel::Translation | Channel::Scalar(_), LayerBlend::Add) => rest + (wanted - base) * part,
        (_, LayerBlend::Replace) => base + (wanted - base) * part,
    }
}

/// A rotation farther than half a turn would be shown as one in the other direction.
const FARTHEST: f32 = 0.999 * PI;

/// The part of the rotation from one to another, in the space of the first; of a large multiple, half a turn.
fn turn(from: Vec4, to: Vec4, part: f32) -> Quat {
    let turn = (Quat::from_vec4(from).inverse() * Quat::from_vec4(to)).normalize();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = Vec4::from(turn).xyz();
    let angle = 2.0 * f32::atan2(axis.length(), turn.w);
    axis.try_normalize().map_or(Quat::IDENTITY, |axis| Quat::from_axis_angle(axis, (angle * part).min(FARTHEST)))
}

fn turned(base: Vec4, by: Quat) -> Vec4 {
    (Quat::from_vec4(base) * by).normalize().into()
}

/// 1 for an axis without extent.
fn ratio(of: Vec4, to: Vec4) -> Vec4 {
    let ratio = of / to;
    Vec4::select(ratio.is_finite_mask(), ratio, Vec4::ONE)
}
