//! Curves that are extrapolated before their first and after their last key, in a cycle or in a line. Baked animations have samples at keys
//! alone, so the frames beyond the keys of each curve are sampled here.

use std::collections::BTreeMap;

use ufbx::{
    Anim, AnimCurve, AnimStack, BlendChannel, Extrapolation as Mode, ExtrapolationMode, InheritMode, Interpolation,
    Node, Scene,
};

use crate::anim::key::Channel;
use crate::import::fbx::clips::Sample;
use crate::import::fbx::convert;
use crate::import::fbx::morphs::ChannelKey;
use crate::import::report::Findings;

/// Maximum number of samples beyond the keys of a stack: a character of 60 bones for a minute and a half.
const MAX_SAMPLES: f64 = 500_000.0;
/// The channels of a node.
const CHANNELS: f64 = 3.0;
/// Maximum number of keys in the repetitions of a curve, and the keys of another one.
const MAX_REPEATED: usize = 10_000;
/// Times that are nearer are the same, in seconds. A key belongs to what is behind it.
const NEAR: f64 = 1e-7;

/// The animation of a stack beyond its keys.
pub struct Extrapolation<'a> {
    anim: &'a Anim,
    /// For each element with curves that are extrapolated, the times of that, and of jumps in it.
    elements: BTreeMap<u32, Beyond>,
    /// The times of the stack, in seconds.
    pub range: [f64; 2],
    /// Samples per second.
    rate: f64,
}

/// The times beyond the keys of the curves of an element.
#[derive(Clone, Default)]
struct Beyond {
    spans: Vec<[f64; 2]>,
    jumps: Vec<f64>,
    /// Keys that are repeated.
    keys: Vec<f64>,
}

impl<'a> Extrapolation<'a> {
    /// Finds the extrapolated curves of a stack, or of some of its layers.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    pub fn of(
        scene: &Scene,
        stack: &AnimStack,
        (anim, rate): (&'a Anim, f64),
        findings: &mut Findings<'_>,
    ) -> Extrapolation<'a> {
        let range = [stack.time_begin, stack.time_end];
        let mut elements = BTreeMap::<u32, Beyond>::new();
        for prop in anim.layers.iter().flat_map(|layer| layer.anim_props.iter()) {
            for curve in prop.anim_value.curves.iter().flatten() {
                let spans = spans(curve, range);
                if !spans.is_empty() {
                    elements.entry(prop.element.element_id).or_default().add(curve, spans);
                }
            }
        }
        // The scale of a parent moves a child that doesn't inherit it.
        for node in scene.nodes.iter().filter(|node| node.original_inherit_mode != InheritMode::Normal) {
            let parent = node.parent.as_deref().into_iter().flat_map(|parent| {
                [Some(parent), parent.scale_helper.as_deref()].into_iter().flatten().map(|node| node.element.element_id)
            });
            let parent = parent.filter_map(|element| elements.get(&element)).next().cloned();
            if let Some(parent) = parent {
                let own = elements.entry(node.element.element_id).or_default();
                own.spans.extend(parent.spans);
                own.jumps.extend(parent.jumps);
                own.keys.extend(parent.keys);
                own.jumps.sort_by(f64::total_cmp);
            }
        }
        let mut rest = Extrapolation { anim, elements, range, rate };
        let ranges = rest.elements.keys().filter_map(|element| rest.range_of(*element));
        if ranges.map(|[start, end]| (end - start) * rate * CHANNELS).sum::<f64>() > MAX_SAMPLES {
            findings.add("curves that repeat beyond their keys are held, because the range of the stack is too long");
            rest.elements.clear();
        }
        rest
    }

    /// The times in which an element moves beyond its keys.
    pub fn range_of(&self, element: u32) -> Option<[f64; 2]> {
        let spans = self.elements.get(&element)?.spans.iter().copied();
        spans.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
    }

    /// Adds samples of a node beyond the keys of its curves.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    pub fn samples(&self, node: &Node, channel: Channel, samples: Vec<Sample>) -> Vec<Sample> {
        let at = |secs: f64, evaluated: f64| {
            let transform = ufbx::evaluate_transform(self.anim, node, evaluated);
            let value = match channel {
                Channel::Rotation => convert::quat(transform.rotation).into(),
                Channel::Scale => convert::vec3(transform.scale).extend(0.0),
                _ => convert::vec3(transform.translation).extend(0.0),
            };
            Sample { secs, value }
        };
        let mut all = self.with_rest(node.element.element_id, samples, |sample| sample.secs, at);
        if channel == Channel::Rotation {
            let mut before = all.first().map(|sample| sample.value).unwrap_or_default();
            for sample in &mut all {
                sample.value = if sample.value.dot(before) < 0.0 { -sample.value } else { sample.value };
                before = sample.value;
            }
        }
        all
    }

    /// Adds weights of a blend shape beyond the keys of its curve.
    pub fn weights(&self, channel: &BlendChannel, keys: Vec<ChannelKey>) -> Vec<ChannelKey> {
        let at = |secs: f64, evaluated: f64| (secs, ufbx::evaluate_blend_weight(self.anim, channel, evaluated));
        self.with_rest(channel.element.element_id, keys, |key| key.0, at)
    }

    /// Samples with those at the frames of the spans. At a jump there are two.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn with_rest<S>(
        &self,
        element: u32,
        samples: Vec<S>,
        secs: impl Fn(&S) -> f64,
        at: impl Fn(f64, f64) -> S,
    ) -> Vec<S> {
        let Some(beyond) = self.elements.get(&element).filter(|_| !samples.is_empty()) else { return samples };
        let taken: Vec<f64> = samples.iter().map(&secs).collect();
        let is_free = |time: &f64| {
            let after = taken.partition_point(|taken| *taken < time - NEAR);
            taken.get(after).is_none_or(|taken| *taken > time + NEAR)
        };
        let frames = beyond.spans.iter().flat_map(|span| self.frames(*span));
        let keys = beyond.jumps.iter().chain(&beyond.keys).copied();
        let mut times: Vec<f64> = frames.chain(keys).filter(is_free).collect();
        times.sort_by(f64::total_cmp);
        times.dedup_by(|next, time| *next - *time <= NEAR);
        let is_jump = |time: f64| {
            let after = beyond.jumps.partition_point(|jump| *jump < time - NEAR);
            beyond.jumps.get(after).is_some_and(|jump| *jump <= time + NEAR)
        };
        let added = times.into_iter().flat_map(|time| {
            let before = is_jump(time).then(|| at(time, time - NEAR));
            before.into_iter().chain([at(time, time + NEAR)])
        });
        // Where the last key jumps to the first.
        let again = beyond.spans.iter().map(|[start, _]| *start).filter(|start| is_jump(*start) && !is_free(start));
        let again = again.map(|start| at(start + NEAR, start + NEAR));
        let mut all: Vec<S> = samples.into_iter().chain(added).chain(again).collect();
        all.sort_by(|a, b| secs(a).total_cmp(&secs(b)));
        all
    }

    /// The frames from a time to another, and both.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn frames(&self, [from, to]: [f64; 2]) -> impl Iterator<Item = f64> {
        let (rate, first) = (self.rate, (from * self.rate).ceil());
        let frames = std::iter::successors(Some(first), |frame| Some(frame + 1.0)).map(move |frame| frame / rate);
        [from].into_iter().chain(frames.take_while(move |secs| *secs < to)).chain([to])
    }
}

impl Beyond {
    /// Adds the times of a curve. Jumps are where it repeats, and where keys of it step.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn add(&mut self, curve: &AnimCurve, spans: Vec<[f64; 2]>) {
        let (first, length) = (curve.min_time, curve.max_time - curve.min_time);
        let steps = |key: &ufbx::Keyframe| {
            matches!(key.interpolation, Interpolation::ConstantPrev | Interpolation::ConstantNext)
        };
        let repeats = |mode: &Mode| !matches!(mode.mode, ExtrapolationMode::Constant | ExtrapolationMode::Slope);
        let modes = [&curve.pre_extrapolation, &curve.post_extrapolation];
        let jumps_at_ends = modes.into_iter().any(|mode| mode.mode == ExtrapolationMode::Repeat);
        for [start, end] in spans.iter().copied().filter(|_| length > NEAR && modes.into_iter().any(repeats)) {
            let cycles = std::iter::successors(Some(((start - first) / length).floor()), |cycle| Some(cycle + 1.0));
            for cycle in cycles.take_while(|cycle| first + cycle * length <= end) {
                if self.jumps.len().saturating_add(self.keys.len()) > MAX_REPEATED {
                    break;
                }
                let begin = first + cycle * length;
                let is_inside = |time: &f64| *time >= start - NEAR && *time < end - NEAR;
                let mirrored = curve.post_extrapolation.mode == ExtrapolationMode::Mirror && cycle % 2.0 != 0.0;
                for key in curve.keyframes.iter() {
                    let own = key.time - first;
                    let time = begin + if mirrored { length - own } else { own };
                    let list = if steps(key) { &mut self.jumps } else { &mut self.keys };
                    list.extend(Some(time).filter(is_inside));
                }
                self.jumps.extend(Some(begin).filter(|time| jumps_at_ends && is_inside(time)));
            }
        }
        self.jumps.sort_by(f64::total_cmp);
        self.spans.extend(spans);
    }
}

/// The times in which a curve is extrapolated: as often as it repeats, within the range of the stack.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn spans(curve: &AnimCurve, [start, end]: [f64; 2]) -> Vec<[f64; 2]> {
    let [first, last] = [curve.min_time, curve.max_time];
    let length = |mode: &Mode| match mode.mode {
        ExtrapolationMode::Constant => 0.0,
        ExtrapolationMode::Slope => f64::INFINITY,
        _ if mode.repeat_count < 0 => f64::INFINITY,
        _ => (last - first) * f64::from(mode.repeat_count),
    };
    let before = [start.max(first - length(&curve.pre_extrapolation)), first.min(end)];
    let behind = [last.max(start), end.min(last + length(&curve.post_extrapolation))];
    let is_span = |span: &[f64; 2]| curve.keyframes.count > 1 && span[0] < span[1] - NEAR;
    [before, behind].into_iter().filter(is_span).collect()
}
