//! The ghosts to draw: other poses of the model, in model space, with their colours. Nothing is sampled for ghosts that
//! are off.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::editor::ops::pose::{apply_draft, model_pose, sample};
use crate::editor::session::ghosts::{GhostStep, Ghosts, Side};
use crate::editor::session::switch::Switch;
use crate::editor::view::{Source, View};
use crate::render::frame::color::Color;
use keypose::anim::clip::{Clip, KeyframeKind, LoopMode};
use keypose::anim::pose::ModelPose;
use keypose::anim::time::Time;
use keypose::assets::draft::Draft;
use keypose::assets::model::Model;

/// The colour of the ghost of another clip.
pub const OTHER_CLIP: Color = Color::hex(0x5fc9c4);
/// The colour of the mirrored pose.
pub const MIRRORED: Color = Color::hex(0xb58cff);
/// The colour of the last saved version.
pub const SAVED: Color = Color::hex(0xcfd5df);

/// The pose that a ghost shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Of {
    /// The active clip at a time before or after the playhead.
    Neighbour(Time),
    /// The active clip at a pinned keyframe.
    Pinned(Time),
    /// Another clip, by name, at a time.
    Clip(String, Time),
    /// The mirror image of the pose on screen.
    Mirror,
    /// The last saved version of the clip, at the playhead.
    Saved,
}

/// One ghost.
#[derive(Clone, Debug)]
pub struct Ghost {
    /// The pose that it shows.
    pub of: Of,
    /// The model whose meshes are drawn.
    pub model: Arc<Model>,
    /// The pose in model space.
    pub pose: Arc<ModelPose>,
    /// Colour and opacity.
    pub color: Color,
}

/// All ghosts to draw; none while they are off or the viewport shows another pose than the clip's. While the clip plays,
/// neighbours would only flicker, so they are hidden; the other ghosts remain.
pub fn ghosts(source: Source<'_>, view: &View) -> Vec<Ghost> {
    let session = source.session;
    let is_on = session.is_on(Switch::Ghosts) && session.is_on(Switch::Overlays);
    let (Some(model), true) = (&view.model, is_on && session.shows_clip()) else { return Vec::new() };
    let asked = &session.workspace.ghosts;
    let mut all = Vec::new();
    if let Some(clip) = &view.clip {
        let ghost = |of: Of, time: Time, color| {
            let pose = source.caches.poses.at(clip, &model.skeleton, time);
            Ghost { of, model: model.clone(), pose, color }
        };
        let times = if session.is_posable() { times_of(source, view, clip) } else { Vec::new() };
        all.extend(times.into_iter().map(|(of, time, color)| ghost(of, time, color)));
    }
    let fixed = |of, model: &Arc<Model>, pose: ModelPose, color: Color| Ghost {
        of,
        model: model.clone(),
        pose: Arc::new(pose),
        color: color.with_alpha(opacity(asked, 0)),
    };
    if let Some(other) = asked.clip.filter(|&id| Some(id) != view.clip_id).and_then(|id| model.clip(id)) {
        let length = view.clip.as_ref().map_or(Time::ZERO, |clip| clip.length());
        let time = at_same_part(view.time, length, other.length());
        let pose = model_pose(&model.skeleton, &sample(other, &model.skeleton, time));
        all.push(fixed(Of::Clip(other.name.clone(), time), model, pose, OTHER_CLIP));
    }
    if session.is_on(Switch::GhostMirror) {
        let mirrored = source.caches.poses.pairs(model).mirrored_pose(&model.skeleton, &view.local);
        all.push(fixed(Of::Mirror, model, model_pose(&model.skeleton, &mirrored), MIRRORED));
    }
    if session.is_on(Switch::GhostSaved)
        && let Some((model, pose)) = saved(source, view)
    {
        all.push(fixed(Of::Saved, &model, pose, SAVED));
    }
    all
}

/// The opacity of a ghost, given the number of ghosts that are nearer to the playhead.
fn opacity(asked: &Ghosts, nearer: usize) -> f32 {
    let left = 1.0 - f32::from(asked.fade) / 100.0;
    f32::from(asked.opacity) / 100.0 * left.powi(nearer as i32)
}

/// Neighbours and pinned keyframes of the active clip. A time that is both is a neighbour.
fn times_of(source: Source<'_>, view: &View, clip: &Clip) -> Vec<(Of, Time, Color)> {
    let (session, asked) = (source.session, &source.session.workspace.ghosts);
    let tint = |side: Side, nearer: usize| asked.tints[side as usize].with_alpha(opacity(asked, nearer));
    let [before, after] = if session.is_on(Switch::GhostNeighbours) {
        neighbours(clip, view.time, asked.step, asked.neighbours)
    } else {
        [Vec::new(), Vec::new()]
    };
    let pinned = session.workspace.pinned_ghosts.iter().filter(|pinned| Some(pinned.clip) == view.clip_id);
    let pinned: Vec<Time> = pinned
        .flat_map(|pinned| &pinned.keyframes)
        .filter(|&&at| at < clip.keyframes.len())
        .map(|&at| clip.start_of(at))
        .filter(|time| *time != view.time && !before.contains(time) && !after.contains(time))
        .collect();
    let side = |times: Vec<Time>, side: Side| {
        times.into_iter().enumerate().map(move |(nearer, time)| (Of::Neighbour(time), time, tint(side, nearer)))
    };
    let pinned = pinned.into_iter().map(|time| {
        let side = if time < view.time { Side::Before } else { Side::After };
        (Of::Pinned(time), time, tint(side, 0))
    });
    side(before, Side::Before).chain(side(after, Side::After)).chain(pinned).collect()
}

/// The times of `count` neighbours before and after the playhead, nearest first. A looping clip has neighbours across its
/// seam; none is on both sides.
pub fn neighbours(clip: &Clip, time: Time, step: GhostStep, counts: [u8; 2]) -> [Vec<Time>; 2] {
    let [most_before, most_after] = counts.map(usize::from);
    let (length, is_loop) = (clip.length(), clip.loop_mode == LoopMode::Loop);
    let starts_of = |is_meant: fn(KeyframeKind) -> bool| {
        let meant = clip.starts().zip(&clip.keyframes).filter(move |(_, keyframe)| is_meant(keyframe.kind));
        meant.map(|(start, _)| start).filter(|&start| start != time).collect()
    };
    let times: Vec<Time> = match step {
        GhostStep::Keyframes => starts_of(|_| true),
        GhostStep::Extremes => starts_of(|kind| kind == KeyframeKind::Extreme),
        GhostStep::Marked => starts_of(|kind| kind != KeyframeKind::Plain),
        GhostStep::Frames => {
            let here = clip.frame_rate.frames_in(time).round() as i64;
            let near = -(most_before as i64)..=most_after as i64;
            let frames = near.filter(|&step| step != 0).map(|step| clip.frame_rate.time_of(here + step));
            let wrapped = frames.map(|at| if is_loop { at % length } else { at });
            let mut times: Vec<Time> = wrapped.filter(|at| (Time::ZERO..=length).contains(at) && *at != time).collect();
            times.sort();
            times.dedup();
            times
        }
    };
    let (earlier, later) = times.split_at(times.partition_point(|&at| at < time));
    if !is_loop {
        let before = earlier.iter().rev().take(most_before).copied().collect();
        return [before, later.iter().take(most_after).copied().collect()];
    }
    let mut round: VecDeque<Time> = later.iter().chain(earlier).copied().collect();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for near in 0..most_before.max(most_after) {
        after.extend((near < most_after).then(|| round.pop_front()).flatten());
        before.extend((near < most_before).then(|| round.pop_back()).flatten());
    }
    [before, after]
}

/// The time at the same fraction of another clip's length.
fn at_same_part(time: Time, length: Time, other: Time) -> Time {
    Time((time.fraction_of(length).clamp(0.0, 1.0) * other.0 as f64).round() as i64)
}

/// The pose of the last saved version at the playhead, with its draft; `None` if it equals the pose on screen or wasn't
/// saved.
fn saved(source: Source<'_>, view: &View) -> Option<(Arc<Model>, ModelPose)> {
    let name = &view.model.as_ref()?.name;
    let model = source.saved.models.iter().find(|model| model.name == *name)?;
    let mut local = match view.clip_id {
        Some(id) => sample(model.clip(id)?, &model.skeleton, view.time),
        None => model.skeleton.rest_pose(),
    };
    let is_here = |draft: &&Draft| (draft.clip, draft.time) == (view.clip_id, view.time);
    if let Some(draft) = model.drafts.iter().find(is_here) {
        apply_draft(draft, &mut local);
    }
    let pose = model_pose(&model.skeleton, &local);
    (pose != view.pose).then(|| (model.clone(), pose))
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::anim::clip::Keyframe;

    /// ```text
    /// keyframes  0    4    6         10   end
    /// starts     0    4    6    (10)      at 10 frames
    /// ```
    fn clip(loop_mode: LoopMode) -> Clip {
        let mut clip = Clip { loop_mode, ..Clip::new("test") };
        let frames = |count| clip.frame_rate.time_of(count);
        let keyframes = [4, 2, 4].map(|count| Keyframe { duration: frames(count), ..Keyframe::default() });
        clip.keyframes = keyframes.into();
        clip
    }

    #[test]
    fn neighbours_are_the_nearest_on_either_side() {
        use GhostStep::{Frames, Keyframes};
        use LoopMode::{Loop, Once};
        type Case = (LoopMode, GhostStep, i64, [u8; 2], &'static [i64], &'static [i64]);
        let cases: &[Case] = &[
            (Once, Keyframes, 4, [2, 2], &[0], &[6]),
            (Once, Keyframes, 5, [1, 1], &[4], &[6]),
            (Once, Keyframes, 0, [2, 2], &[], &[4, 6]),
            (Once, Keyframes, 0, [2, 0], &[], &[]),
            (Loop, Keyframes, 0, [1, 1], &[6], &[4]),
            (Loop, Keyframes, 0, [2, 1], &[6], &[4]),
            (Loop, Keyframes, 6, [8, 8], &[4], &[0]),
            (Loop, Keyframes, 5, [0, 3], &[], &[6, 0, 4]),
            (Once, Frames, 5, [2, 3], &[4, 3], &[6, 7, 8]),
            (Once, Frames, 1, [3, 1], &[0], &[2]),
            (Loop, Frames, 1, [3, 1], &[0, 9, 8], &[2]),
        ];
        for &(mode, step, at, counts, before, after) in cases {
            let clip = clip(mode);
            let found = neighbours(&clip, clip.frame_rate.time_of(at), step, counts);
            let found: [Vec<i64>; 2] =
                found.map(|times| times.iter().map(|&time| clip.frame_rate.frames_in(time) as i64).collect());
            let expected: [Vec<i64>; 2] = [before.to_vec(), after.to_vec()];
            assert_eq!(found, expected, "{mode:?} {step:?} at {at}: {counts:?}");
        }
    }

    #[test]
    fn another_clip_stands_at_the_same_part_of_its_length() {
        assert_eq!(at_same_part(Time(5), Time(10), Time(40)), Time(20));
        assert_eq!(at_same_part(Time(30), Time(10), Time(40)), Time(40), "past the end");
        assert_eq!(at_same_part(Time(5), Time::ZERO, Time(40)), Time::ZERO, "no clip");
    }
}
