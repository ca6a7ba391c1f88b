//! The selected keyframe: its duration and interpolation.

use crate::editor::ops::time_text::is_whole;
use crate::editor::panels::ui::number_field::{number_tip, numbers};
use crate::editor::panels::ui::prelude::*;
use keypose::anim::clip::KeyframeKind;
use keypose::anim::key::Ease;

/// Draws the selected keyframes, or else the one under the playhead.
pub(super) fn keyframe_ui(ui: &Ui<'_>, folds: &mut Folds) {
    let (Some(clip), Some(id)) = (ui.clip(), ui.session.focus.clip) else { return };
    let selected = &ui.session.focus.selection.keyframes;
    let shown: Vec<usize> = if selected.is_empty() {
        under_playhead(ui, clip, id).into_iter().collect()
    } else {
        selected.iter().copied().filter(|at| *at < clip.keyframes.len()).collect()
    };
    let Some(&at) = shown.last() else {
        if folds.section(ui, "keyframe", "Keyframe") {
            widgets::empty(ui, "No keyframes in this clip.", "Pose the model, then press I to key it.");
        }
        return;
    };
    let elsewhere = under_playhead(ui, clip, id).filter(|at| !shown.contains(at));
    let mark = if elsewhere.is_some() { " · selected" } else { "" };
    let title = match shown.len() {
        1 => format!("Keyframe {}{mark}", at + 1),
        several => format!("{several} keyframes{mark}"),
    };
    let is_open = folds.section(ui, "keyframe", &title);
    if let Some(here) = elsewhere {
        elsewhere_ui(ui, here);
    }
    if is_open {
        duration_ui(ui, clip, id, &shown);
        ease_ui(ui, clip, id, &shown);
        kind_ui(ui, clip, id, &shown);
    }
}

/// The keyframe under the playhead; during a drag of a field the one at its start, so that a drag doesn't change its target.
fn under_playhead(ui: &Ui<'_>, clip: &Clip, id: ClipId) -> Option<usize> {
    let gesture = ui.editor.gesture.as_ref().filter(|gesture| !gesture.takes_keys());
    let shown = gesture.and_then(|gesture| gesture.base.clip(id)).map_or(clip, |slot| &slot.clip);
    let under = shown.keyframe_containing(ui.session.focus.playhead.time);
    under.filter(|&at| at < clip.keyframes.len())
}

/// Says beside the title that the playhead is in a keyframe that isn't selected; a click shows that one.
fn elsewhere_ui(ui: &Ui<'_>, here: usize) {
    let text = format!("playhead in {}", here + 1);
    let line = ui.item_rect();
    let right = ui.cursor_screen_pos()[0] + ui.content_region_avail()[0];
    let width = ui.calc_text_size(&text)[0] + 12.0;
    let button = Rect::around(line.center(), [0.0, 20.0]).with_x(right - width, right);
    let below = ui.cursor_screen_pos();
    if widgets::button_at(ui, button, &format!("{text}##show-keyframe"), Tone::Bare) {
        ui.send(TimeAction::SelectNone);
    }
    ui.tip("Show the keyframe under the playhead instead of the selected ones", "");
    ui.end_at(below);
}

fn duration_ui(ui: &Ui<'_>, clip: &Clip, id: ClipId, shown: &[usize]) {
    let rate = clip.frame_rate;
    let durations = || shown.iter().map(|&at| clip.keyframes[at].duration);
    let is_last_alone = shown == [clip.keyframes.len() - 1];
    let min = if is_last_alone { 0.0 } else { 0.001 };
    let retime = |touch: Touch, durations: &dyn Fn(usize) -> Time| {
        let durations = || shown.iter().enumerate().map(|(nth, &keyframe)| (keyframe, durations(nth))).collect();
        let edit = || KeyEdit::SetDurations { clip: id, durations: durations() }.into();
        ui.gesture(touch, "Set duration", || Change::Edits(vec![edit()]));
    };
    Form::new(ui, "").row("Duration", |fields| {
        let mut frames: Vec<f32> = durations().map(|duration| rate.frames_in(duration) as f32).collect();
        let format = if frames.iter().all(|&frames| is_whole(frames)) { "%.0f" } else { "%.2f" };
        let measure = Measure::Frames(rate);
        let how = Number { measure, ..Number::new(format, 0.1).within(min, 100_000.0).unit("frames") };
        let touch = numbers(ui, fields.column(0, 2, GAP), "frames", &mut frames, how);
        number_tip(ui, "Duration in frames");
        // Typed text is exact.
        let is_snapped = ui.is_mouse_down(MouseButton::Left) && ui.session.is_on(Switch::SnapTime) != ui.io().key_ctrl;
        retime(touch, &|nth| {
            if is_snapped || is_whole(frames[nth]) {
                rate.time_of(frames[nth].round().max(min.ceil()) as i64)
            } else {
                rate.time_of_frames((f64::from(frames[nth]) * 1e4).round() / 1e4)
            }
        });

        let mut millis: Vec<f32> = durations().map(|duration| duration.millis() as f32).collect();
        let measure = Measure::Millis(rate);
        let how = Number { measure, ..Number::new("%.0f", 2.0).within(min, 3_600_000.0).unit("ms") };
        let touch = numbers(ui, fields.column(1, 2, GAP), "millis", &mut millis, how);
        number_tip(ui, "Duration in milliseconds");
        retime(touch, &|nth| Time::from_millis(f64::from(millis[nth])));
    });
}

fn ease_ui(ui: &Ui<'_>, clip: &Clip, id: ClipId, keyframes: &[usize]) {
    let is_ease_of_all = |ease: Ease| {
        let mut keys = keyframes.iter().filter_map(|&at| clip.keyframes.get(at)).flat_map(|one| &one.keys).peekable();
        keys.peek().is_some() && keys.all(|key| key.ease == ease)
    };
    let all = Ease::ALL.map(|ease| (ease, ease_name(ease), ease_hint(ease)));
    if let Some(ease) = Form::new(ui, "").switches("Interpolation", &all, is_ease_of_all) {
        set_ease(ui, clip, id, ease, keyframes);
    }
}

fn kind_ui(ui: &Ui<'_>, clip: &Clip, id: ClipId, keyframes: &[usize]) {
    let all = [
        (KeyframeKind::Plain, "Plain", "No mark"),
        (KeyframeKind::Extreme, "Extreme", "A pose at which the motion turns"),
        (KeyframeKind::Breakdown, "Breakdown", "The pose on the way between two extremes"),
    ];
    let is_kind_of_all =
        |kind| keyframes.iter().all(|&at| clip.keyframes.get(at).is_some_and(|keyframe| keyframe.kind == kind));
    if let Some(kind) = Form::new(ui, "").switches("Mark", &all, is_kind_of_all) {
        let times = keyframes.iter().map(|&at| clip.start_of(at)).collect();
        ui.edit("Mark keyframes", vec![KeyEdit::SetKind { clip: id, times, kind }.into()]);
    }
}

/// Sets the interpolation of all keys of keyframes.
pub fn set_ease(ui: &Ui<'_>, clip: &Clip, id: ClipId, ease: Ease, keyframes: &[usize]) {
    let keys = keyframes.iter().filter_map(|&at| Some((at, clip.keyframes.get(at)?))).flat_map(|(keyframe, one)| {
        one.keys.iter().map(move |key| KeyRef { keyframe, bone: key.bone, channel: key.channel })
    });
    ui.edit("Set interpolation", vec![KeyEdit::SetEase { clip: id, keys: keys.collect(), ease }.into()]);
}

/// The label of an interpolation.
pub fn ease_name(ease: Ease) -> &'static str {
    match ease {
        Ease::Step => "Step",
        Ease::Linear => "Linear",
        Ease::Cubic => "Bézier",
    }
}

fn ease_hint(ease: Ease) -> &'static str {
    match ease {
        Ease::Step => "Hold each key until the next one",
        Ease::Linear => "Interpolate linearly to the next key",
        Ease::Cubic => "Curve to the next key, shaped by a handle at each",
    }
}
