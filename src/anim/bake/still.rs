//! What does not move in a baked clip, kept without room for what does.

use crate::anim::bake::columns::{self, Moving, parts_of};
use crate::anim::pose::{Lanes, LocalPose, TransformLanes};

/// The channels that stand still of each eight bones.
#[derive(Clone, Debug, PartialEq)]
pub struct Still {
    bones: usize,
    /// Group after group, in the order of the ten components.
    lanes: Vec<Lanes>,
}

impl Still {
    /// Of a pose, what `moving` leaves out.
    pub fn new(pose: &LocalPose, moving: &[Moving]) -> Still {
        let of_group = |(group, &moving): (&TransformLanes, &Moving)| {
            let parts = columns::parts(group);
            parts_of(!moving).map(move |part| parts[part])
        };
        Still { bones: pose.len(), lanes: pose.lanes().iter().zip(moving).flat_map(of_group).collect() }
    }

    /// How many bones there are, those that move as well.
    pub fn bones(&self) -> usize {
        self.bones
    }

    /// Group after group, in the order of the ten components.
    pub fn lanes(&self) -> &[Lanes] {
        &self.lanes
    }

    /// As a pose, identity where something moves.
    pub fn pose(&self, moving: &[Moving]) -> LocalPose {
        let mut pose = LocalPose::identity(self.bones);
        let mut still = &self.lanes[..];
        for (group, &moving) in pose.lanes_mut().iter_mut().zip(moving) {
            keep(group, moving, &mut still);
        }
        pose
    }
}

/// Writes what does not move of a group; `still` goes on to the next.
pub fn keep(group: &mut TransformLanes, moving: Moving, still: &mut &[Lanes]) {
    let channels: [(Moving, &mut [Lanes]); 3] =
        [(1, &mut group.translation), (2, &mut group.rotation), (4, &mut group.scale)];
    for (_, channel) in channels.into_iter().filter(|(bit, _)| moving & bit == 0) {
        let (own, rest) = still.split_at(channel.len().min(still.len()));
        channel.iter_mut().zip(own).for_each(|(out, still)| *out = *still);
        *still = rest;
    }
}
