//! The button of the motion trails over the picture, and its popover: whose trails show.

use lucide_icons::Icon;

use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Kit, Rect, icon};
use crate::editor::panels::ui::popover::{Line, SplitButton, title};
use crate::editor::panels::ui::seen::{Seen, bone_name};
use crate::editor::session::command::Command;
use crate::editor::session::switch::Switch;

/// Width of the popover's lines.
const WIDE: f32 = 270.0;
/// Bones that are listed; the rest is counted.
const MOST_LISTED: usize = 8;

fn text(seen: &Seen<'_>) -> String {
    let kept = seen.session.focus.trails.len();
    let count = if kept > 0 { format!("  {kept}") } else { String::new() };
    format!("{}  Trails{count}", icon(Icon::Route))
}

/// How wide the button is.
pub fn button_width(kit: &Kit<'_>, seen: &Seen<'_>) -> f32 {
    SplitButton::width(kit, &text(seen))
}

/// The button and its popover.
pub fn trails_button(kit: &Kit<'_>, seen: &Seen<'_>, rect: Rect, out: &mut Out) {
    let button = SplitButton {
        id: "trails",
        text: &text(seen),
        is_on: seen.session.is_on(Switch::Trails) && seen.session.is_on(Switch::Overlays),
        tip: "Motion trails: the ways of the selected bones through the clip",
        key: seen.key_of(Command::ToggleTrails),
    };
    if button.draw(kit, rect, || popover(kit, seen, out)) {
        out.run(Command::ToggleTrails);
    }
}

fn popover(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    let (session, trails) = (seen.session, &seen.session.focus.trails);
    title(kit, "Motion trails");
    let is_on = session.is_on(Switch::Trails);
    let key = seen.key_of(Command::ToggleTrails);
    let line = Line { sign: Icon::Route, name: "Of the selected bones", key, is_on, counts: true };
    if line.draw(kit, "trails", WIDE) {
        out.run(Command::ToggleTrails);
    }
    let has_selected = !session.focus.selection.bones.is_empty();
    let is_kept = has_selected && session.focus.selection.bones.iter().all(|bone| trails.contains(bone));
    let key = seen.key_of(Command::KeepTrail);
    let line = Line { sign: Icon::Pin, name: "Keep those of the selected", key, is_on: is_kept, counts: has_selected };
    if line.draw(kit, "trails", WIDE) && has_selected {
        out.run(Command::KeepTrail);
    }
    let Some(model) = seen.model().filter(|_| !trails.is_empty()) else { return };
    title(kit, "Kept");
    for &bone in trails.iter().take(MOST_LISTED) {
        kit.text(bone_name(&model.skeleton, bone));
    }
    if trails.len() > MOST_LISTED {
        kit.text_colored(kit.theme.quiet, format!("and {} more", trails.len() - MOST_LISTED));
    }
    let key = seen.key_of(Command::DropTrails);
    if (Line { sign: Icon::X, name: "Drop all of them", key, is_on: false, counts: true }).draw(kit, "trails", WIDE) {
        out.run(Command::DropTrails);
    }
}
