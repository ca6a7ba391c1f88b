//! The open clip: duration, frame rate, end, root speed, and the baked form that the game plays.

use std::sync::Arc;

use crate::editor::ops::time_text;
use crate::editor::panels::timeline::curves::samples;
use crate::editor::panels::timeline::transport;
use crate::editor::panels::ui::figures::bytes_text;
use crate::editor::panels::ui::prelude::*;
use keypose::anim::clip::LoopMode;
use keypose::anim::root_motion::RootMotion;
use keypose::anim::skin::cache::PaletteCache;
use keypose::anim::skin::method::Method;

/// Draws the properties of the open clip.
pub(super) fn clip_ui(ui: &Ui<'_>, model: &Arc<Model>, folds: &mut Folds) {
    let (Some(clip), Some(id)) = (ui.clip(), ui.session.focus.clip) else { return };
    if !folds.section(ui, "clip", "Clip") {
        return;
    }
    let frames = time_text::frames(clip.length(), clip.frame_rate);
    let form = Form::new(ui, "clip-");
    let duration = format!("{:.2} s, {frames} frames", clip.length().secs());
    form.value("Duration", &duration, "Sum of the durations of all keyframes");
    form.row("Frame rate", |field| rate_ui(ui, clip, id, field));
    let tip = "How the clip ends, here and in the game";
    let ends = LoopMode::ALL.map(|mode| (mode, transport::end_name(mode), tip));
    let mut loop_mode = clip.loop_mode;
    if form.choice("End", &ends, &mut loop_mode).is_changed {
        ui.edit("Set loop mode", vec![ClipEdit::SetLoopMode { clip: id, loop_mode }.into()]);
    }
    root_motion_ui(&form, model, (clip, id));
    // During a drag the last result stays, so that nothing is baked at each move of the mouse.
    let base = ui.editor.gesture.as_ref().and_then(|gesture| gesture.base.clip(id));
    let clip = base.map_or(clip, |slot| &slot.clip);
    if !clip.keyframes.is_empty() {
        game_ui(&form, model, clip);
    }
}

fn root_motion_ui(form: &Form<'_>, model: &Model, (clip, id): (&Arc<Clip>, ClipId)) {
    let ui = form.ui;
    let choices = [
        (RootMotion::None, "Off", "The clip plays in place: its root moves nothing but the pose"),
        (RootMotion::Ground, "Ground", "The root moves the character along the ground. The floor shows its path"),
        (RootMotion::Height, "Height", "The root moves the character along the ground, up and down"),
        (RootMotion::Turn, "Turn", "The root moves the character along the ground and turns it"),
    ];
    let mut root_motion = clip.root_motion;
    if form.choice("Root motion", &choices, &mut root_motion).is_changed {
        ui.edit("Set root motion", vec![ClipEdit::SetRootMotion { clip: id, root_motion }.into()]);
    }
    if root_motion != RootMotion::None && ui.editor.caches.mover(clip, &model.skeleton).is_some_and(|bone| bone != 0) {
        widgets::command_buttons(ui, &[Command::ExtractRootMotion]);
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

/// Draws what the game makes of the clip: its root speed and its baked form.
fn game_ui(form: &Form<'_>, model: &Arc<Model>, clip: &Arc<Clip>) {
    let ui = form.ui;
    let caches = &ui.editor.caches;
    let text = match caches.root_speeds.speed(model, clip, &caches.bakes) {
        None => "…".to_owned(),
        Some(speed) if speed.abs() < 0.005 => "none, in place".to_owned(),
        Some(speed) => format!("{speed:.2} m/s"),
    };
    let tip = format!(
        "The speed at which the clip's feet move the character, at its size in the game. {} shows it on the game's floor",
        ui.key_of(Command::Bench)
    );
    form.value("Root speed", &text, &tip);
    let Some(baked) = caches.bakes.ready(clip, model) else {
        return form.value("Baked form", "…", "Baking…");
    };
    let report = *baked.report();
    let tip = format!("{} samples or keys. The game plays this form", report.samples);
    form.value("Baked form", report.form.name(), &tip);
    let size = format!("{} of {} in its keys", bytes_text(report.bytes), bytes_text(report.source_bytes));
    form.value("Baked size", &bytes_text(report.bytes), &size);
    if model.skinning == Method::Interpolated {
        let (count, bytes) = PaletteCache::size_of_keyframes(clip, &model.skeleton);
        let tip = format!("The game interpolates {count} precomputed poses of {} bones", model.skeleton.len());
        form.value("Matrices", &bytes_text(bytes), &tip);
    }
    let tip = "Maximum distance of any point from the exact pose, at the character's size in the game";
    form.value("Largest error", &samples::largest_error(ui, model, &baked), tip);
}
