//! Poses between and beside others: breakdown, push, relax, towards a neighbour. Poses in, channels out.

use glam::{Quat, Vec4};

use crate::anim::curve::slerp;
use crate::anim::key::Channel;
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::editor::ops::posed::Posed;
use crate::editor::session::Session;
use crate::editor::view::View;

/// What is done to the pose in hand with respect to the keyframes before and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// Between the two: 0 is the one before, 1 the one after.
    Breakdown,
    /// Further away from the way between the two, by this part.
    Push,
    /// Back to the way between the two: 1 lies on it.
    Relax,
    /// Towards the one after, or with a negative amount towards the one before: ±1 is that pose.
    Neighbour,
}

impl Mix {
    /// The label of the step.
    pub fn name(self) -> &'static str {
        match self {
            Mix::Breakdown => "Breakdown",
            Mix::Push => "Push pose",
            Mix::Relax => "Relax pose",
            Mix::Neighbour => "Blend to neighbour",
        }
    }

    /// How far the mouse takes it: a little beyond the neighbours, and no further than makes sense.
    pub fn range(self) -> std::ops::RangeInclusive<f32> {
        match self {
            Mix::Breakdown => -0.5..=1.5,
            Mix::Push => 0.0..=2.0,
            Mix::Relax => 0.0..=1.0,
            Mix::Neighbour => -1.0..=1.0,
        }
    }

    /// What one stroke of its key begins with.
    pub fn default_amount(self) -> f32 {
        match self {
            Mix::Breakdown => 0.5,
            Mix::Push | Mix::Relax => 0.25,
            Mix::Neighbour => 0.25,
        }
    }
}

/// The channels of the selected bones (of all where none is selected) after a mix, by the key mask.
pub fn mixed(view: &View, session: &Session, mix: Mix, amount: f32) -> Vec<Posed> {
    let Some((before, after, fraction)) = neighbours(view) else { return Vec::new() };
    let bones: Vec<BoneIndex> = match session.focus.selection.bones.as_slice() {
        [] => (0..view.local.len() as BoneIndex).collect(),
        selected => selected.iter().copied().filter(|&bone| usize::from(bone) < view.local.len()).collect(),
    };
    let amount = if amount.is_finite() { amount } else { 0.0 };
    let mut posed = Vec::with_capacity(bones.len() * 3);
    for bone in bones {
        for channel in session.workspace.key_mask.channels() {
            let of = |pose: &LocalPose| channel.of(&pose.get(usize::from(bone)));
            let (from, to, here) = (of(&before), of(&after), of(&view.local));
            let between = blend(channel, from, to, fraction);
            let value = match mix {
                Mix::Breakdown => blend(channel, from, to, amount),
                Mix::Push => blend(channel, between, here, 1.0 + amount),
                Mix::Relax => blend(channel, here, between, amount),
                Mix::Neighbour if amount < 0.0 => blend(channel, here, from, -amount),
                Mix::Neighbour => blend(channel, here, to, amount),
            };
            posed.push(Posed { bone, channel, value });
        }
    }
    posed
}

/// The poses of the keyframes before and after the playhead, and where between them it stands.
fn neighbours(view: &View) -> Option<(LocalPose, LocalPose, f32)> {
    let clip = view.clip.as_ref()?;
    let starts: Vec<Time> = clip.starts().collect();
    let before = starts.iter().rev().find(|&&start| start < view.time).or(starts.first())?;
    let after = starts.iter().find(|&&start| start > view.time).or(starts.last())?;
    let fraction = (view.time - *before).fraction_of(*after - *before) as f32;
    Some((view.pose_at(*before), view.pose_at(*after), fraction.clamp(0.0, 1.0)))
}

/// A value on the way from one to another, or beyond it; rotations go the short way round.
pub fn blend(channel: Channel, from: Vec4, to: Vec4, fraction: f32) -> Vec4 {
    match channel {
        Channel::Rotation => {
            let (from, to) = (Quat::from_vec4(from), Quat::from_vec4(to));
            let whole = fraction.clamp(0.0, 1.0);
            let reached = slerp(from, to, whole);
            // Beyond the end the turn goes on about the same axis.
            let beyond = fraction - whole;
            let step = to * from.inverse();
            let step = if step.w < 0.0 { -step } else { step };
            Vec4::from((Quat::from_scaled_axis(step.to_scaled_axis() * beyond) * reached).normalize())
        }
        _ => from + (to - from) * fraction,
    }
}
