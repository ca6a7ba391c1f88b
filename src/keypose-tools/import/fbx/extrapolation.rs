//! Curves that are extrapolated before their first and after their last key, in a cycle or in a line. Baked animations end with their
//! keys, so the rest of the range of the stack is sampled.

use std::collections::BTreeSet;

use ufbx::{Anim, AnimCurve, AnimStack, BlendChannel, ExtrapolationMode, Node};

use crate::anim::key::Channel;
use crate::import::fbx::clips::Sample;
use crate::import::fbx::convert;
use crate::import::fbx::morphs::{ChannelKey, PERCENT};

/// Maximum number of samples beyond the keys of a channel.
const MAX_SAMPLES: f64 = 100_000.0;

/// The animation of a stack beyond its keys.
pub struct Extrapolation<'a> {
    anim: &'a Anim,
    /// The elements with curves that are extrapolated.
    elements: BTreeSet<u32>,
    /// The times of the stack, in seconds.
    pub range: [f64; 2],
    /// Samples per second.
    rate: f64,
}

impl<'a> Extrapolation<'a> {
    /// Finds the extrapolated curves of a stack, or of some of its layers.
    pub fn of(stack: &AnimStack, anim: &'a Anim, rate: f64) -> Extrapolation<'a> {
        let is_extrapolated = |curve: &AnimCurve| {
            let modes = [curve.pre_extrapolation.mode, curve.post_extrapolation.mode];
            curve.keyframes.count > 1 && modes.iter().any(|mode| *mode != ExtrapolationMode::Constant)
        };
        let props = anim.layers.iter().flat_map(|layer| layer.anim_props.iter());
        let extrapolated =
            props.filter(|prop| prop.anim_value.curves.iter().flatten().any(|curve| is_extrapolated(curve)));
        let elements = extrapolated.map(|prop| prop.element.element_id).collect();
        Extrapolation { anim, elements, range: [stack.time_begin, stack.time_end], rate }
    }

    /// The range of the stack if an element moves in all of it.
    pub fn range_of(&self, element: u32) -> Option<[f64; 2]> {
        let [start, end] = self.range;
        (start < end && self.elements.contains(&element)).then_some(self.range)
    }

    /// Adds samples of a node before its first and behind its last.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    pub fn samples(&self, node: &Node, channel: Channel, samples: Vec<Sample>) -> Vec<Sample> {
        let times = [samples.first(), samples.last()].map(|sample| sample.map(|sample| sample.secs));
        let at = |secs: f64| {
            let transform = ufbx::evaluate_transform(self.anim, node, secs);
            let value = match channel {
                Channel::Rotation => convert::quat(transform.rotation).into(),
                Channel::Scale => convert::vec3(transform.scale).extend(0.0),
                _ => convert::vec3(transform.translation).extend(0.0),
            };
            Sample { secs, value }
        };
        let mut all = self.with_rest(node.element.element_id, times, samples, at);
        if channel == Channel::Rotation {
            let mut before = all.first().map(|sample| sample.value).unwrap_or_default();
            for sample in &mut all {
                sample.value = if sample.value.dot(before) < 0.0 { -sample.value } else { sample.value };
                before = sample.value;
            }
        }
        all
    }

    /// Adds weights of a blend shape before its first key and behind its last.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    pub fn weights(&self, channel: &BlendChannel, keys: Vec<ChannelKey>) -> Vec<ChannelKey> {
        let times = [keys.first(), keys.last()].map(|key| key.map(|key| key.0));
        let at = |secs: f64| (secs, ufbx::evaluate_blend_weight(self.anim, channel, secs) / PERCENT);
        self.with_rest(channel.element.element_id, times, keys, at)
    }

    fn with_rest<S>(&self, element: u32, times: [Option<f64>; 2], samples: Vec<S>, at: impl Fn(f64) -> S) -> Vec<S> {
        let ([Some(first), Some(last)], Some([start, end])) = (times, self.range_of(element)) else { return samples };
        let mut all: Vec<S> = self.frames([start, first]).into_iter().map(&at).collect();
        all.extend(samples);
        let mut behind = self.frames([last, end]);
        behind.extend((last < end).then_some(end));
        all.extend(behind.into_iter().filter(|secs| *secs > last).map(&at));
        all
    }

    /// The frames from a time to another, which isn't one of them.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn frames(&self, [from, to]: [f64; 2]) -> Vec<f64> {
        let count = ((to - from) * self.rate).ceil().clamp(0.0, MAX_SAMPLES);
        let first = (from * self.rate).floor();
        let nth = |nth: f64| (first + nth) / self.rate;
        let frames = std::iter::successors(Some(1.0), |at| Some(at + 1.0)).take_while(|at| *at <= count).map(nth);
        let inside = frames.filter(|secs| *secs > from && *secs < to);
        (from < to).then_some(from).into_iter().chain(inside).collect()
    }
}
