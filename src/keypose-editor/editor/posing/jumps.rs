//! Jumps of a height: the duration of a flight that fits it, and the arc.

use crate::editor::document::Document;
use crate::editor::document::edit::{ClipEdit, Edit, KeyEdit};
use crate::editor::ops::arcs::followed;
use keypose::anim::time::Time;
use keypose::assets::combat::Range;
use keypose::assets::id::ClipId;
use keypose_tools::balance::{Balance, BallisticArc, secs_of_jump};
use keypose_tools::exact_poses::ExactPoses;

/// The edits that give a flight of a clip the duration of a jump of a height, in metres of the game, and move the body onto its arc. What
/// follows moves along. `None` if the clip doesn't exist, or no bone carries the body.
pub fn of_height(
    document: &Document,
    clip: ClipId,
    balance: &Balance,
    arc: &BallisticArc,
    height: f32,
) -> Option<Vec<Edit>> {
    let Range { start, end } = arc.range;
    let (drop, gravity) = (arc.drop(), balance.gravity);
    let secs = secs_of_jump((height / balance.scale).max(-drop).max(0.0), drop, gravity);
    let length = Time::from_secs(f64::from(secs)).max(Time::TICK);
    let before = &document.clip(clip)?.clip;
    let ends = [start, end].into_iter().filter(|time| *time < before.length() && before.keyframe_at(*time).is_none());
    let split = |time| KeyEdit::Split { clip, time }.into();
    let mut edits: Vec<Edit> = ends.map(split).collect();
    // Where they are refused, applying them says why.
    let Ok(split) = document.with(&edits) else { return Some(edits) };
    let starts: Vec<Time> = split.clip(clip)?.clip.starts().chain([split.clip(clip)?.clip.length()]).collect();
    let moved = |time: Time| {
        let since = i128::from((time - start).0) * i128::from(length.0) / i128::from((end - start).0.max(1));
        Time(since as i64)
    };
    let inside = (0..starts.len() - 1).filter(|&at| starts[at] >= start && starts[at + 1] <= end && starts[at] < end);
    let durations = inside.map(|keyframe| (keyframe, moved(starts[keyframe + 1]) - moved(starts[keyframe]))).collect();
    edits.push(KeyEdit::SetDurations { clip, durations }.into());
    let Ok(retimed) = document.with(&edits) else { return Some(edits) };
    let (model, _) = retimed.find_clip(clip)?;
    let (clip_now, skeleton) = (&retimed.clip(clip)?.clip, &retimed.models.get(model)?.skeleton);
    let poses = ExactPoses::new(skeleton, clip_now);
    let arc = balance.arc(Range { start, end: start + length }, |time| poses.model(time));
    let with = followed(clip_now, skeleton, balance, &arc)?;
    edits.push(ClipEdit::ReplaceClip { clip, with: Box::new(with) }.into());
    Some(edits)
}
