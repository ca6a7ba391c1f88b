//! One layer of a machine as it plays.

use crate::anim::additive::AdditivePose;
use crate::anim::blend::{Mask, blend_masked};
use crate::anim::clip::{Event, LoopMode};
use crate::anim::events::crossed;
use crate::anim::machine::bound::MachineClip;
use crate::anim::machine::def::LayerLink;
use crate::anim::machine::layer::Stepped;
use crate::anim::machine::layer_def::{LayerDef, LayerKind};
use crate::anim::machine::parameters::Parameters;
use crate::anim::playback::clip_time;
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;

/// A layer with its clip and its mask.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoundLayer {
    clip: Option<MachineClip>,
    mask: Mask,
    /// The first pose of the clip, from which an additive clip differs.
    first: LocalPose,
    /// Bones without parent.
    roots: Vec<usize>,
    mode: LoopMode,
}

impl BoundLayer {
    /// Returns whether the bone of its mask exists, too.
    pub fn new(def: &LayerDef, link: &LayerLink, skeleton: &Skeleton, clip: Option<MachineClip>) -> (BoundLayer, bool) {
        let root = skeleton.find(&def.bone);
        let mask = match root {
            Some(root) => Mask::below(skeleton, root),
            None => Mask::uniform(skeleton.len(), if def.bone.is_empty() { 1.0 } else { 0.0 }),
        };
        let mut first = skeleton.rest_pose();
        if let Some(clip) = &clip {
            clip.clip.sample(Time::ZERO, &mut first);
        }
        let own = clip.as_ref().map_or(LoopMode::Once, |clip| clip.clip.loop_mode);
        let mode = if link.starts.is_empty() { own } else { LoopMode::Once };
        (BoundLayer { clip, mask, first, roots: skeleton.roots(), mode }, root.is_some() || def.bone.is_empty())
    }

    fn length_secs(&self) -> f64 {
        self.clip.as_ref().map_or(0.0, |clip| clip.clip.length.secs())
    }
}

/// Buffers for sampling layers.
#[derive(Clone, Debug, Default)]
pub(super) struct OverlayScratch {
    clip: LocalPose,
    difference: AdditivePose,
}

/// The playback state of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Overlay {
    is_on: bool,
    /// Whether it was on when the last update began: it plays until it ends.
    was_on: bool,
    loops: Stepped<f64>,
    /// 0..=1, without the layer's own weight.
    weight: Stepped<f64>,
}

impl Overlay {
    /// Advances by `secs` seconds, then begins or ends by the parameters.
    pub fn advance(
        &mut self,
        def: &LayerDef,
        link: &LayerLink,
        bound: &BoundLayer,
        secs: f64,
        parameters: &Parameters,
    ) {
        self.was_on = self.is_on;
        let length = bound.length_secs();
        let rate = if length > 0.0 { f64::from(def.speed) / length } else { 0.0 };
        self.loops.step = if self.is_on || self.weight.now > 0.0 { rate * secs } else { 0.0 };
        self.loops.now += self.loops.step;
        let holds = parameters.passes(&link.holds);
        let has_starts = !link.starts.is_empty();
        let begins = holds && if has_starts { parameters.passes(&link.starts) } else { !self.is_on };
        if begins {
            *self = Overlay { is_on: true, loops: Stepped::default(), ..*self };
        } else if !holds || (has_starts && (self.loops.now >= 1.0 || rate <= 0.0)) {
            self.is_on = false;
        }
        let before = self.weight.now;
        let rise = if def.fade_secs > 0.0 { secs / f64::from(def.fade_secs) } else { 1.0 };
        self.weight.now = if self.is_on { (before + rise).min(1.0) } else { (before - rise).max(0.0) };
        self.weight.step = self.weight.now - before;
    }

    /// Combines it with the pose below, at a fraction `back` of an update ago.
    pub fn apply(
        &self,
        def: &LayerDef,
        bound: &BoundLayer,
        back: f64,
        scratch: &mut OverlayScratch,
        pose: &mut LocalPose,
    ) {
        let Some(clip) = &bound.clip else { return };
        let weight = self.weight.back(back).clamp(0.0, 1.0) as f32 * def.weight;
        if weight <= 0.0 {
            return;
        }
        let time = clip_time(elapsed(clip, self.loops.back(back)), clip.clip.length, bound.mode);
        scratch.clip.copy_from(&bound.first);
        clip.clip.sample(time, &mut scratch.clip);
        clip.hold(time, &bound.roots, &mut scratch.clip);
        match def.kind {
            LayerKind::Replace => blend_masked(pose, &scratch.clip, weight, &bound.mask),
            LayerKind::Add => {
                scratch.difference.set_between(&bound.first, &scratch.clip);
                scratch.difference.add_masked(pose, weight, &bound.mask);
            }
        }
    }

    /// Calls `meet` with every event of its clip that the last update passed.
    pub fn for_each_event(&self, bound: &BoundLayer, mut meet: impl FnMut(&Event)) {
        let Some(clip) = &bound.clip else { return };
        if !self.is_on && !self.was_on {
            return;
        }
        let [from, to] = [1.0, 0.0].map(|back| elapsed(clip, self.loops.back(back)));
        crossed(&clip.clip.events, clip.clip.length, bound.mode, from, to, |event, _| meet(event));
    }
}

fn elapsed(clip: &MachineClip, loops: f64) -> Time {
    Time((loops.max(0.0) * clip.clip.length.0 as f64) as i64)
}
