//! Mixing the current pose with its neighbouring keyframes: breakdown, push, relax, blend to neighbour.

use glam::{Quat, Vec4};

use crate::editor::ops::posed::Posed;
use crate::editor::session::Session;
use crate::editor::view::View;
use keypose::anim::curve::slerp;
use keypose::anim::key::Channel;
use keypose::anim::pose::LocalPose;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;

/// A mix of the current pose with the keyframes before and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// The pose between the two: 0 is the previous keyframe, 1 the next.
    Breakdown,
    /// Away from the interpolated pose between the two, by this fraction of the difference.
    Push,
    /// Towards the interpolated pose between the two: 1 reaches it.
    Relax,
    /// Towards the next keyframe, or with a negative amount towards the previous one: ±1 reaches it.
    Neighbour,
}

impl Mix {
    /// The name of the command and of its undo step.
    pub fn name(self) -> &'static str {
        match self {
            Mix::Breakdown => "Breakdown pose",
            Mix::Push => "Push pose",
            Mix::Relax => "Relax pose",
            Mix::Neighbour => "Blend to neighbour",
        }
    }

    /// The range of amounts that the mouse can reach.
    pub fn range(self) -> std::ops::RangeInclusive<f32> {
        match self {
            Mix::Breakdown => -0.5..=1.5,
            Mix::Push => 0.0..=2.0,
            Mix::Relax => 0.0..=1.0,
            Mix::Neighbour => -1.0..=1.0,
        }
    }

    /// The amount with which it starts.
    pub fn default_amount(self) -> f32 {
        match self {
            Mix::Breakdown => 0.5,
            Mix::Push | Mix::Relax => 0.25,
            Mix::Neighbour => 0.25,
        }
    }
}

/// The mixed channels, limited to the key mask: all channels of the selected bones. If no bone is selected, those of all
/// bones that have something to mix: a breakdown leaves channels alone that are equal in both keyframes, and the other
/// mixes those that are also equal here, so that they make no keys that change nothing.
pub fn mixed(view: &View, session: &Session, mix: Mix, amount: f32) -> Vec<Posed> {
    let Some(((before, after, fraction), model)) = neighbours(view).zip(view.model.as_deref()) else {
        return Vec::new();
    };
    let bones: Vec<BoneIndex> = match session.focus.selection.bones.as_slice() {
        [] => (0..view.local.len() as BoneIndex).collect(),
        selected => selected.iter().copied().filter(|&bone| usize::from(bone) < view.local.len()).collect(),
    };
    let amount = if amount.is_finite() { amount } else { 0.0 };
    let mut posed = Vec::with_capacity(bones.len() * 3);
    for bone in bones {
        for channel in session.workspace.key_mask.channels(&model.skeleton, bone) {
            let of = |pose: &LocalPose| pose.value(bone, channel);
            let (from, to, here) = (of(&before), of(&after), of(&view.local));
            let differs = !is_equal(channel, from, to) || mix != Mix::Breakdown && !is_equal(channel, from, here);
            if !differs && session.focus.selection.bones.is_empty() {
                continue;
            }
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

/// Whether two values of a channel are equal but for rounding. A quaternion and its negative are the same rotation.
fn is_equal(channel: Channel, a: Vec4, b: Vec4) -> bool {
    const TOLERANCE: f32 = 1e-5;
    match channel {
        Channel::Rotation => (a - b).abs().max_element().min((a + b).abs().max_element()) <= TOLERANCE,
        _ => (a - b).abs().max_element() <= TOLERANCE * a.abs().max_element().max(1.0),
    }
}

/// The poses of the keyframes before and after the playhead, and the fraction of the playhead between them.
fn neighbours(view: &View) -> Option<(LocalPose, LocalPose, f32)> {
    let clip = view.clip.as_ref()?;
    let starts: Vec<Time> = clip.starts().collect();
    let before = starts.iter().rev().find(|&&start| start < view.time).or(starts.first())?;
    let after = starts.iter().find(|&&start| start > view.time).or(starts.last())?;
    let fraction = (view.time - *before).fraction_of(*after - *before) as f32;
    Some((view.pose_at(*before), view.pose_at(*after), fraction.clamp(0.0, 1.0)))
}

/// Interpolates two values, or extrapolates them. Rotations take the shortest arc.
pub fn blend(channel: Channel, from: Vec4, to: Vec4, fraction: f32) -> Vec4 {
    match channel {
        Channel::Rotation => {
            let (from, to) = (Quat::from_vec4(from), Quat::from_vec4(to));
            let whole = fraction.clamp(0.0, 1.0);
            let reached = slerp(from, to, whole);
            // Beyond the end the rotation continues about the same axis.
            let beyond = fraction - whole;
            let step = to * from.inverse();
            let step = if step.w < 0.0 { -step } else { step };
            Vec4::from((Quat::from_scaled_axis(step.to_scaled_axis() * beyond) * reached).normalize())
        }
        _ => from + (to - from) * fraction,
    }
}
