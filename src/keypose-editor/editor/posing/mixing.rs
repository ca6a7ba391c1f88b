//! Mixing the current pose with its neighbouring keyframes: breakdown, push, relax, blend to neighbour. Three mixes make a
//! keyframe: anticipation, overshoot and moving hold (Williams, *The Animator's Survival Kit*, chapters "Anticipation" and
//! "Flexibility").

use glam::{Quat, Vec4};

use crate::editor::ops::choice::choice;
use crate::editor::ops::posed::Posed;
use crate::editor::session::Session;
use crate::editor::view::View;
use keypose::anim::clip::{Clip, KeyframeKind, LoopMode};
use keypose::anim::curve::slerp;
use keypose::anim::key::Channel;
use keypose::anim::pose::LocalPose;
use keypose::anim::seam::Seam;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;

choice! {
    /// A mix of the current pose with the keyframes before and after it.
    pub enum Mix {
        /// The pose between the two: 0 is the previous keyframe, 1 the next.
        Breakdown = "Breakdown pose",
        /// Away from the interpolated pose between the two, by this fraction of the difference.
        Push = "Push pose",
        /// Towards the interpolated pose between the two: 1 reaches it.
        Relax = "Relax pose",
        /// Towards the next keyframe, or with a negative amount towards the previous one: ±1 reaches it.
        Neighbour = "Blend to neighbour",
        /// A keyframe soon after one, which moves away from the next one, by this fraction of the difference.
        Anticipation = "Anticipation",
        /// A keyframe shortly before one, which goes past it, by this fraction of the difference to the previous one.
        Overshoot = "Overshoot",
        /// A keyframe shortly before one, until which the pose before it hardly moves: by this fraction of the difference.
        MovingHold = "Moving hold",
    }
}

impl Mix {
    /// Where between two keyframes it makes one, if the playhead is on a keyframe; `None` if it poses what is at the playhead.
    fn usual_place(self) -> Option<f64> {
        match self {
            Mix::Breakdown | Mix::Push | Mix::Relax | Mix::Neighbour => None,
            Mix::Anticipation => Some(0.3),
            Mix::Overshoot | Mix::MovingHold => Some(0.75),
        }
    }

    /// The kind of the keyframes that it makes or poses.
    pub fn kind(self) -> KeyframeKind {
        match self {
            Mix::Breakdown => KeyframeKind::Breakdown,
            Mix::Anticipation | Mix::Overshoot => KeyframeKind::Extreme,
            Mix::Push | Mix::Relax | Mix::Neighbour | Mix::MovingHold => KeyframeKind::Plain,
        }
    }

    /// The range of amounts that the mouse can reach.
    pub fn range(self) -> std::ops::RangeInclusive<f32> {
        match self {
            Mix::Breakdown => -0.5..=1.5,
            Mix::Push => 0.0..=2.0,
            Mix::Relax => 0.0..=1.0,
            Mix::Neighbour => -1.0..=1.0,
            Mix::Anticipation | Mix::Overshoot => 0.0..=1.0,
            Mix::MovingHold => 0.0..=0.5,
        }
    }

    /// The amount with which it starts.
    pub fn default_amount(self) -> f32 {
        match self {
            Mix::Breakdown => 0.5,
            Mix::Push | Mix::Relax => 0.25,
            Mix::Neighbour => 0.25,
            Mix::Anticipation | Mix::Overshoot => 0.2,
            Mix::MovingHold => 0.1,
        }
    }
}

/// The mixed channels, limited to the key mask: all channels of the selected bones. If no bone is selected, those of all
/// bones that have something to mix: a breakdown leaves channels alone that are equal in both keyframes, and the other
/// mixes those that are also equal here, so that they make no keys that change nothing.
pub fn mixed(view: &View, session: &Session, mix: Mix, amount: f32) -> Vec<Posed> {
    let Some(((before, after, fraction), model)) = neighbours(view, mix).zip(view.model.as_deref()) else {
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
            let is_posed = matches!(mix, Mix::Push | Mix::Relax | Mix::Neighbour);
            let differs = !is_equal(channel, from, to) || is_posed && !is_equal(channel, from, here);
            if !differs && session.focus.selection.bones.is_empty() {
                continue;
            }
            let between = blend(channel, from, to, fraction);
            let value = match mix {
                Mix::Breakdown | Mix::MovingHold => blend(channel, from, to, amount),
                Mix::Anticipation => blend(channel, from, to, -amount),
                Mix::Overshoot => blend(channel, from, to, 1.0 + amount),
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
    channel.difference(a, b) <= TOLERANCE * a.abs().max_element().max(1.0)
}

/// The poses of the keyframes between which a mix is, and the fraction of the playhead between them.
fn neighbours(view: &View, mix: Mix) -> Option<(LocalPose, LocalPose, f32)> {
    let (before, after) = match mix.usual_place() {
        Some(_) => segment(view, mix)?,
        None => around(view.clip.as_ref()?, view.time)?,
    };
    let fraction = (view.time - before).fraction_of(after - before) as f32;
    Some((pose_around(view, before)?, pose_around(view, after)?, fraction.clamp(0.0, 1.0)))
}

/// The pose of a time that is before the start of a loop or from its end on: of the round before or after. Where a bone travels, it is
/// carried over the seam.
fn pose_around(view: &View, time: Time) -> Option<LocalPose> {
    let clip = view.clip.as_ref()?;
    let Some(seam) = Seam::of(clip) else { return Some(view.pose_at(time)) };
    let rounds = i64::from(time >= seam.length) - i64::from(time < Time::ZERO);
    let mut pose = view.pose_at(time - seam.length * rounds);
    for bone in 0..pose.len() as BoneIndex {
        for channel in [Channel::Translation, Channel::Rotation] {
            if let Some(ends) = Seam::ends(clip, (bone, channel)) {
                let value = seam.carry((bone, channel), ends, pose.value(bone, channel), rounds);
                pose.put(bone, channel, value);
            }
        }
    }
    Some(pose)
}

fn is_loop(view: &View) -> bool {
    view.clip.as_ref().is_some_and(|clip| clip.loop_mode == LoopMode::Loop)
}

/// The starts of the keyframes before and after a time. In a loop, the last one is before the first one; a closing keyframe is the first
/// one again.
fn around(clip: &Clip, time: Time) -> Option<(Time, Time)> {
    let (length, last) = (clip.length(), clip.start_of(clip.keyframes.len().checked_sub(1)?));
    let is_loop = clip.loop_mode == LoopMode::Loop;
    let again = |by: Time| clip.starts().filter(move |start| is_loop && *start < length).map(move |start| start + by);
    let before = again(Time::ZERO - length).chain(clip.starts()).filter(|start| *start < time).max();
    let after = clip.starts().chain(again(length)).find(|start| *start > time);
    Some((before.unwrap_or(Time::ZERO), after.unwrap_or(last)))
}

/// The starts of the two keyframes between which a mix makes one: those around the playhead. If the playhead is on a keyframe, an
/// overshoot is before it and the others after it, if there is one there.
fn segment(view: &View, mix: Mix) -> Option<(Time, Time)> {
    let clip = view.clip.as_ref()?;
    let end = if is_loop(view) { Some(clip.length()) } else { None };
    let starts: Vec<Time> = clip.starts().chain(end).collect();
    let segments = || starts.windows(2).map(|two| (two[0], two[1])).filter(|(start, end)| start < end);
    let on = segments().find(|(start, end)| match mix {
        Mix::Overshoot => *end == view.time || is_loop(view) && view.time == Time::ZERO && *end == clip.length(),
        _ => *start == view.time,
    });
    let inside = segments().find(|(start, end)| *start < view.time && view.time < *end);
    inside.or(on).or_else(|| segments().rfind(|(start, end)| *start <= view.time && view.time <= *end))
}

/// The time at which a mix makes a keyframe: the playhead, or the nearest frame to its usual place if the playhead is on a
/// keyframe. `None` if it makes none.
pub fn place(view: &View, mix: Mix) -> Option<Time> {
    let (fraction, (start, end)) = (mix.usual_place()?, segment(view, mix)?);
    let is_inside = |time: &Time| start < *time && *time < end;
    if is_inside(&view.time) {
        return Some(view.time);
    }
    let usual = start + Time(((end - start).0 as f64 * fraction) as i64);
    let frame = view.clip.as_ref()?.frame_rate.snap(usual);
    [frame, usual].into_iter().find(is_inside)
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
