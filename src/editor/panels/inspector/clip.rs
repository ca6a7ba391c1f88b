//! The open clip: duration, frame rate, end, root speed, and the baked form that the game plays.

use std::sync::Arc;

use crate::anim::bake::measure::Reach;
use crate::anim::clip::{Clip, LoopMode};
use crate::assets::id::ClipId;
use crate::assets::lengths::length_text;
use crate::assets::model::Model;
use crate::editor::document::edit::ClipEdit;
use crate::editor::panels::inspector::{GAP, labelled_row};
use crate::editor::panels::timeline::transport;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::figures::bytes_text;
use crate::editor::panels::ui::fold::Folds;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::session::command::Command;

/// Width of the labels.
const LABEL: f32 = 92.0;
/// Width of the label before three buttons.
const END_LABEL: f32 = 40.0;

/// Draws the properties of the open clip.
pub(super) fn clip_ui(ui: &Ui<'_>, model: &Arc<Model>, folds: &mut Folds) {
    let (Some(clip), Some(id)) = (ui.clip(), ui.session.focus.clip) else { return };
    if !folds.section(ui, "clip", "Clip") {
        return;
    }
    let frames = clip.frame_rate.frames_in(clip.length());
    let whole = if (frames - frames.round()).abs() < 0.01 { format!("{frames:.0}") } else { format!("{frames:.1}") };
    let duration = format!("{:.2} s, {whole} frames", clip.length().secs());
    value_row(ui, "Duration", &duration, "The sum of the durations of all keyframes");
    labelled_row(ui, "Frame rate", LABEL, |field| rate_ui(ui, clip, id, field));
    labelled_row(ui, "End", END_LABEL, |fields| end_ui(ui, clip, id, fields));
    // During a drag the last result stays, so that nothing is baked at each move of the mouse.
    let base = ui.editor.gesture.as_ref().and_then(|gesture| gesture.base.clip(id));
    let clip = base.map_or(clip, |slot| &slot.clip);
    if !clip.keyframes.is_empty() {
        game_ui(ui, model, clip);
    }
}

fn rate_ui(ui: &Ui<'_>, clip: &Clip, id: ClipId, field: Rect) {
    ui.set_cursor_screen_pos(field.min);
    let text = transport::rate_text(clip.frame_rate);
    if let Some(_list) = widgets::dropdown(ui, "clip-rate", &text, ui.theme.text, field.width()) {
        transport::rates(ui, clip, id);
    }
    ui.tip("The grid for snapping and display. Keyframes keep their times", "");
}

/// Draws a button for each loop mode.
fn end_ui(ui: &Ui<'_>, clip: &Clip, id: ClipId, fields: Rect) {
    let shares = [0.28, 0.28, 0.44];
    let mut rest = fields;
    for (mode, share) in LoopMode::ALL.into_iter().zip(shares) {
        let tone = if clip.loop_mode == mode { Tone::On } else { Tone::Plain };
        let place = rest.cut_left((fields.width() - 2.0 * GAP) * share, GAP);
        let name = transport::end_name(mode);
        if widgets::button_at(ui, place, &format!("{name}##clip-end-{name}"), tone) && clip.loop_mode != mode {
            ui.edit("Set loop mode", vec![ClipEdit::SetLoopMode { clip: id, loop_mode: mode }.into()]);
        }
        ui.tip("How the clip ends, also in the game", "");
    }
}

/// Draws what the game makes of the clip: its root speed and its baked form.
fn game_ui(ui: &Ui<'_>, model: &Arc<Model>, clip: &Arc<Clip>) {
    let caches = &ui.editor.caches;
    let scale = caches.root_speeds.fit(model).scale;
    let text = match caches.root_speeds.speed(model, clip, &caches.bakes) {
        None => "…".to_owned(),
        Some(speed) if speed.abs() < 0.005 => "none, in place".to_owned(),
        Some(speed) => format!("{speed:.2} m/s"),
    };
    let tip = format!(
        "The speed at which the clip's feet move the character, at its size in the game. {} shows it on the game's floor",
        ui.key_of(Command::Bench)
    );
    value_row(ui, "Root speed", &text, &tip);
    let Some(baked) = caches.bakes.ready(clip, model) else {
        return value_row(ui, "Baked form", "…", "The game plays this form. It is being made");
    };
    let report = *baked.report();
    let form = format!("{} samples or keys. The game plays this form", report.samples);
    value_row(ui, "Baked form", report.form.name(), &form);
    let size = format!("{} of {} in its keys", bytes_text(report.bytes), bytes_text(report.source_bytes));
    value_row(ui, "Baked size", &bytes_text(report.bytes), &size);
    let error = report.max_error * Reach::of(&model.skeleton).model_size * scale;
    let tip = "How far any point is from the exact pose, at most, at the character's size in the game";
    value_row(ui, "Largest error", &length_text(error), tip);
}

/// Draws a labelled value, which tests find as "value: " and both.
fn value_row(ui: &Ui<'_>, label: &str, value: &str, tip: &str) {
    labelled_row(ui, label, LABEL, |field| {
        ui.set_cursor_screen_pos(field.min);
        ui.invisible_button(format!("##value-{label}"), field.size());
        ui.tip(tip, "");
        ui.mark(|| format!("value: {label}: {value}"), field);
        ui.text_in(field, Align::Left, ui.theme.text, value);
    });
}
