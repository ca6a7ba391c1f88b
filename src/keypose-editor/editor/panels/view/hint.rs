//! The line at the lower edge of the viewport: the readout of a gesture, a draft, or what to do next.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::free_place::{GAP, free_place};
use crate::editor::panels::view::mode_bar::hint_in;
use crate::editor::session::display::ShownPose;

/// Whether to show what to do next if nothing else is to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tips {
    /// Something else says it.
    Hidden,
    Shown,
}

/// Draws the hint at the lower edge, in orange for a draft, where it covers none of `taken`.
pub fn hint_line(ui: &Ui<'_>, area: Rect, taken: &[Rect], tips: Tips) {
    let readout = readout(ui);
    let tip = || if tips == Tips::Shown { tip(ui).map(|text| (text, false)) } else { None };
    let Some((text, is_draft)) = readout.or_else(tip) else { return };
    let color = if is_draft { ui.theme.draft } else { ui.theme.text };
    let room = area.width() - 2.0 * GAP;
    let size = [(ui.calc_text_size(&text)[0] + 28.0).min(room), 26.0];
    let centred = area.center()[0] - size[0] / 2.0;
    let beside = taken.iter().map(|other| other.max[0] + GAP);
    let lefts: Vec<f32> = [centred].into_iter().chain(beside).chain([area.min[0] + GAP]).collect();
    let lower = Rect::at([centred, area.max[1] - GAP - size[1]], size);
    let rect = free_place(area, size, &lefts, taken).unwrap_or(lower);
    ui.mark(|| "hint".into(), rect);
    hint_in(ui, rect, color, &text);
}

/// The text about the displayed pose or the running gesture, and whether it is about a draft.
fn readout(ui: &Ui<'_>) -> Option<(String, bool)> {
    let session = ui.session;
    if let Some(preview) = session.transient.pose.machine() {
        return Some((format!("Machine: {}     Esc  show the clip", preview.machine.state_name()), false));
    }
    if session.focus.playhead.is_playing {
        return None;
    }
    if session.transient.pose.shown() != ShownPose::Clip {
        return Some((format!("{}     Esc  show the clip", session.transient.pose.shown().name()), false));
    }
    if let Some(text) = ui.editor.gesture.as_ref().and_then(|gesture| gesture.status()) {
        return Some((text, false));
    }
    if session.transient.pointer.is_boxing {
        return Some(("Drag to select bones".to_owned(), false));
    }
    if ui.draft().is_some() {
        let (key, drop) = (ui.key_of(Command::KeyPose), ui.key_of(Command::DiscardDraft));
        let place = ui.clip().map(|clip| format!(" at frame {:.0}", clip.frame_rate.frames_in(ui.view.time)));
        return Some((format!("Draft pose{}     {key}  key     {drop}  discard", place.unwrap_or_default()), true));
    }
    None
}

/// The suggested next step.
fn tip(ui: &Ui<'_>) -> Option<String> {
    if ui.session.focus.playhead.is_playing {
        return None;
    }
    if ui.clip().is_some_and(|clip| clip.keyframes.is_empty()) {
        let key = ui.key_of(Command::KeyPose);
        return Some(format!("No keyframes. Pose the model, then press {key} to key it"));
    }
    let selection = &ui.session.focus.selection;
    (selection.bones.is_empty() && !selection.has_part()).then(|| "Click a bone to pose it".to_owned())
}
