//! The selected keyframe: its duration and interpolation.

use crate::anim::clip::Clip;
use crate::anim::key::Ease;
use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::document::edit::{KeyEdit, KeyRef};
use crate::editor::panels::inspector::LABEL;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{Number, Tone};
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;

/// Draws the selected keyframe, or else the one under the playhead.
pub(super) fn keyframe_ui(ui: &Ui<'_>) {
    let (Some(clip), Some(id)) = (ui.clip(), ui.session.focus.clip) else { return };
    let selected = ui.session.focus.selection.keyframes.last().copied();
    let Some(at) = selected.or(ui.view.containing).filter(|at| *at < clip.keyframes.len()) else {
        ui.section("Keyframe");
        return widgets::empty(ui, "No keyframes in this clip.", "Pose the model, then press I to key it.");
    };
    let several = ui.session.focus.selection.keyframes.len();
    let title = if several > 1 { format!("{several} keyframes") } else { format!("Keyframe {}", at + 1) };
    ui.section(&title);
    duration_ui(ui, clip, id, at);
    ease_ui(ui, clip, id, at);
}

fn duration_ui(ui: &Ui<'_>, clip: &Clip, id: ClipId, at: usize) {
    let top = ui.cursor_screen_pos();
    ui.text_in(Rect::at(top, [LABEL, widgets::FIELD]), Align::Left, ui.theme.quiet, "Duration");
    let duration = clip.keyframes[at].duration;
    let rate = clip.frame_rate;
    let width = ((ui.content_region_avail()[0] - LABEL - 8.0) / 2.0).floor();
    let shortest = if at + 1 == clip.keyframes.len() { 0.0 } else { 0.001 };
    let edit = |duration: Time| Change::Edits(vec![KeyEdit::SetDuration { clip: id, keyframe: at, duration }.into()]);

    ui.set_cursor_screen_pos([top[0] + LABEL, top[1]]);
    let mut frames = rate.frames_in(duration) as f32;
    let format = if (frames - frames.round()).abs() < 0.01 { "%.0f" } else { "%.2f" };
    let how = Number { range: [shortest, 100_000.0], unit: "frames", ..Number::new(format, 0.1) };
    let touch = widgets::number(ui, "frames", width, &mut frames, how);
    ui.tip("Duration in frames", "drag, double-click to type");
    let whole = Time::from_secs(f64::from(frames.round().max(shortest.ceil())) / rate.fps());
    let exact = Time::from_secs(f64::from(frames) / rate.fps());
    let typed = (frames - frames.round()).abs() > 0.01 && ui.io().key_ctrl;
    ui.gesture(touch, "Set duration", || edit(if typed { exact } else { rate.snap(whole) }));

    ui.set_cursor_screen_pos([top[0] + LABEL + width + 4.0, top[1]]);
    let mut millis = duration.millis() as f32;
    let how = Number { range: [shortest, 3_600_000.0], unit: "ms", ..Number::new("%.0f", 2.0) };
    let touch = widgets::number(ui, "millis", width, &mut millis, how);
    ui.tip("Duration in milliseconds", "drag, double-click to type");
    ui.gesture(touch, "Set duration", || edit(Time::from_millis(f64::from(millis))));
    ui.end_at([top[0], top[1] + widgets::FIELD + 4.0]);
}

/// The width of the label before the buttons.
const EASE_LABEL: f32 = 88.0;

fn ease_ui(ui: &Ui<'_>, clip: &Clip, id: ClipId, at: usize) {
    let top = ui.cursor_screen_pos();
    ui.text_in(Rect::at(top, [EASE_LABEL, widgets::FIELD]), Align::Left, ui.theme.quiet, "Interpolation");
    let selected = &ui.session.focus.selection.keyframes;
    let meant = |keyframe: &usize| if selected.is_empty() { *keyframe == at } else { selected.contains(keyframe) };
    let columns = || (0..clip.keyframes.len()).filter(meant);
    let all = |ease: Ease| {
        let mut keys = columns().flat_map(|column| &clip.keyframes[column].keys).peekable();
        keys.peek().is_some() && keys.all(|key| key.ease == ease)
    };
    let width = ((ui.content_region_avail()[0] - EASE_LABEL - 8.0) / 3.0).floor();
    for (place, ease) in Ease::ALL.into_iter().enumerate() {
        ui.set_cursor_screen_pos([top[0] + EASE_LABEL + place as f32 * (width + 4.0), top[1]]);
        let tone = if all(ease) { Tone::On } else { Tone::Plain };
        if widgets::button(ui, &format!("{}##ease{place}", ease_name(ease)), [width, widgets::FIELD], tone) {
            let refs = columns().flat_map(|keyframe| {
                let keys = clip.keyframes[keyframe].keys.iter();
                keys.map(move |key| KeyRef { keyframe, bone: key.bone, channel: key.channel })
            });
            ui.edit("Set interpolation", vec![KeyEdit::SetEase { clip: id, keys: refs.collect(), ease }.into()]);
        }
        ui.tip(ease_hint(ease), &ui.key_of(Command::EaseMenu));
    }
    ui.end_at([top[0], top[1] + widgets::FIELD + 4.0]);
}

/// The label of an interpolation.
pub fn ease_name(ease: Ease) -> &'static str {
    match ease {
        Ease::Step => "Step",
        Ease::Linear => "Linear",
        Ease::Cubic => "Cubic",
    }
}

fn ease_hint(ease: Ease) -> &'static str {
    match ease {
        Ease::Step => "Hold each key until the next one",
        Ease::Linear => "Interpolate linearly to the next key",
        Ease::Cubic => "Interpolate smoothly to the next key",
    }
}
