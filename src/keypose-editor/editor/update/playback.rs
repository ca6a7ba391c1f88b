//! The playhead: seeking, stepping and playing.

use crate::editor::session::playhead::SPEEDS;
use crate::editor::session::selection::{ItemKind, Pick};
use crate::editor::state::Editor;
use crate::editor::state::action::PlaybackAction;
use crate::editor::update::{select, transaction};
use keypose::anim::time::Time;

/// Handles a playback action.
pub fn act(editor: &mut Editor, action: PlaybackAction) {
    match action {
        PlaybackAction::Seek(time) => seek(editor, time),
        PlaybackAction::StepFrames(frames) => step_frames(editor, frames),
        PlaybackAction::StepKeyframes(direction) => step_keyframes(editor, direction),
        PlaybackAction::SetPlaying(is_playing) => set_playing(editor, is_playing),
        PlaybackAction::ToggleReverse => {
            editor.session.focus.playhead.is_reverse = !editor.session.focus.playhead.is_reverse;
            set_playing(editor, true);
        }
        PlaybackAction::SetSpeed(speed) if speed.is_finite() => {
            editor.session.focus.playhead.speed = speed.clamp(*SPEEDS.start(), *SPEEDS.end());
        }
        PlaybackAction::SetSpeed(_) => {}
        PlaybackAction::SetReverse(is_reverse) => editor.session.focus.playhead.is_reverse = is_reverse,
        PlaybackAction::SetLoopSection(section) => {
            editor.session.focus.playhead.loop_section = section.filter(|(from, to)| from < to);
        }
    }
}

/// Goes to a time; an open gesture is committed, unless it is a reduction to poses.
pub fn seek(editor: &mut Editor, time: Time) {
    transaction::commit_for_playhead(editor);
    editor.session.focus.playhead.seek(time);
}

/// Starts or stops playback.
pub fn set_playing(editor: &mut Editor, is_playing: bool) {
    transaction::commit_for_playhead(editor);
    let clip = editor.clip().map(|slot| slot.clip.clone());
    match (clip, is_playing) {
        (Some(clip), true) => editor.session.focus.playhead.play(&clip),
        (clip, _) => editor.session.focus.playhead.pause(clip.as_deref()),
    }
}

/// Stops playback, if it runs.
pub fn stop(editor: &mut Editor) {
    if editor.session.focus.playhead.is_playing {
        set_playing(editor, false);
    }
}

/// Goes to an earlier or later frame of the clip.
fn step_frames(editor: &mut Editor, frames: i64) {
    let rate = editor.clip().map(|slot| slot.clip.frame_rate).unwrap_or_default();
    let time = editor.session.focus.playhead.time;
    let nearest = rate.nearest_frame(time);
    let at_frame = rate.time_of(nearest);
    // Between two frames the first step only goes to the next frame in that direction.
    let target =
        if frames < 0 && at_frame < time || frames > 0 && at_frame > time { nearest } else { nearest + frames };
    stop(editor);
    seek(editor, rate.time_of(target));
}

/// Goes to the previous or next keyframe; after the last one to the end of the clip. A single selected keyframe is
/// deselected and the new one selected.
fn step_keyframes(editor: &mut Editor, direction: i64) {
    let Some(clip) = editor.clip().map(|slot| slot.clip.clone()) else { return };
    let time = editor.session.focus.playhead.time;
    let stops: Vec<Time> = clip.starts().chain([clip.length()]).collect();
    let target = if direction < 0 {
        stops.iter().rev().find(|&&stop| stop < time)
    } else {
        stops.iter().find(|&&stop| stop > time)
    };
    stop(editor);
    let Some(&target) = target else { return };
    seek(editor, target);
    let selection = &editor.session.focus.selection;
    let has_one = selection.kind == ItemKind::Keyframes && selection.keyframes.len() == 1;
    if has_one && let Some(keyframe) = clip.keyframe_at(target) {
        select::keyframe(editor, keyframe, Pick::Only);
    }
}

/// Advances playback.
pub fn tick(editor: &mut Editor, passed: Time) {
    let Some(clip) = editor.clip().map(|slot| slot.clip.clone()) else { return };
    let session = &mut editor.session;
    session.focus.playhead.tick(passed, &clip, &session.workspace.switches);
}
