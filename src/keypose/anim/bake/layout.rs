//! The common part of quantized and packed samples: sample times, animated channels, and the values of constant
//! channels.

use crate::anim::bake::channels::Channels;
use crate::anim::bake::form::{FormError, expect_count};
use crate::anim::bake::timeline::Timeline;
use crate::anim::pose::{Lanes, LocalPose, TransformLanes};

/// Sample times, animated channels and constant channels of a baked clip.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleLayout {
    /// The time of each sample.
    pub timeline: Timeline,
    /// One set for each eight bones.
    pub animated: Vec<Channels>,
    /// All channels that are not in `animated`.
    pub constant: ConstantChannels,
}

impl SampleLayout {
    /// Takes the constant channels from `pose`.
    ///
    /// # Errors
    /// If there isn't one set of channels for each eight bones of the pose.
    pub fn new(timeline: Timeline, animated: Vec<Channels>, pose: &LocalPose) -> Result<SampleLayout, FormError> {
        expect_count("groups of bones", animated.len(), pose.lanes().len())?;
        let constant = ConstantChannels::new(pose, &animated);
        Ok(SampleLayout { timeline, animated, constant })
    }

    /// The constant channels as a pose; animated channels are identity.
    pub fn constant_pose(&self) -> LocalPose {
        let mut pose = LocalPose::identity(self.constant.bones);
        let mut constant = self.constant.lanes();
        for (group, &animated) in pose.lanes_mut().iter_mut().zip(&self.animated) {
            self.constant.write(group, animated, &mut constant);
        }
        pose
    }

    /// Size in memory.
    pub fn bytes(&self) -> usize {
        self.timeline.bytes() + size_of_val(&self.animated[..]) + size_of_val(self.constant.lanes())
    }
}

/// The values of constant channels, without room for animated ones, nor for scales if all constant ones are 1.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantChannels {
    bones: usize,
    /// The channels of which constant values are stored.
    stored: Channels,
    lanes: Vec<Lanes>,
}

impl ConstantChannels {
    fn new(pose: &LocalPose, animated: &[Channels]) -> ConstantChannels {
        let groups = || pose.lanes().iter().zip(animated);
        let is_unscaled = |(group, animated): (&TransformLanes, &Channels)| {
            animated.has(Channels::SCALE) || group.scale == TransformLanes::IDENTITY.scale
        };
        let stored = if groups().all(is_unscaled) { Channels::ALL.without(Channels::SCALE) } else { Channels::ALL };
        let of_group = |(group, &animated): (&TransformLanes, &Channels)| {
            let components = group.components().map(|lanes| *lanes);
            stored.without(animated).components().map(move |component| components[component])
        };
        ConstantChannels { bones: pose.len(), stored, lanes: groups().flat_map(of_group).collect() }
    }

    /// The number of bones, animated ones included.
    pub fn bones(&self) -> usize {
        self.bones
    }

    /// Whether scales are stored; else all constant ones are 1.
    #[inline(always)]
    pub fn has_scales(&self) -> bool {
        self.stored.has(Channels::SCALE)
    }

    /// Group by group, in the order of [`TransformLanes::components`].
    pub fn lanes(&self) -> &[Lanes] {
        &self.lanes
    }

    /// Writes the constant channels of a group and advances `lanes` past them.
    pub fn write(&self, group: &mut TransformLanes, animated: Channels, lanes: &mut &[Lanes]) {
        let channels: [(Channels, &mut [Lanes]); 3] = [
            (Channels::TRANSLATION, &mut group.translation),
            (Channels::ROTATION, &mut group.rotation),
            (Channels::SCALE, &mut group.scale),
        ];
        for (of, channel) in channels.into_iter().filter(|(of, _)| !animated.has(*of)) {
            if self.stored.has(of) {
                let (own, rest) = lanes.split_at(channel.len().min(lanes.len()));
                channel.iter_mut().zip(own).for_each(|(out, value)| *out = *value);
                *lanes = rest;
            } else {
                channel.copy_from_slice(&TransformLanes::IDENTITY.scale);
            }
        }
    }
}
