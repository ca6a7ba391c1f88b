//! The ghosts button over the viewport, and its popover: which ghosts are shown, and how.

use crate::editor::panels::ui::popover::{LINE, SplitButton, Toggle, title};
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::ghosts::{GhostStep, Ghosts, Side};
use crate::editor::view::ghosts;
use crate::render::frame::color;

/// Width of the popover's lines.
const WIDE: f32 = 410.0;
/// Both sides of the playhead.
const SIDES: [(Side, &str); 2] = [(Side::Before, "Before"), (Side::After, "After")];

/// The button's text, with the number of ghosts on both sides.
fn text(ui: &Ui<'_>) -> String {
    let session = ui.session;
    let [before, after] = session.workspace.ghosts.neighbours;
    let numbers = if session.is_on(Switch::GhostNeighbours) { format!("  {before} · {after}") } else { String::new() };
    format!("{}  Ghosts{numbers}", icon(Icon::Ghost))
}

pub fn button_width(ui: &Ui<'_>) -> f32 {
    SplitButton::width(ui, &text(ui))
}

/// Draws the button and its popover.
pub fn ghosts_button(ui: &Ui<'_>, rect: Rect) {
    let button = SplitButton {
        id: "ghosts",
        text: &text(ui),
        is_on: ui.session.is_on(Switch::Ghosts) && ui.session.is_on(Switch::Overlays),
        tip: "Show ghosts",
        key: ui.key_of(Command::ToggleGhosts),
    };
    if button.draw(ui, rect, || popover(ui)) {
        ui.run(Command::ToggleGhosts);
    }
}

fn popover(ui: &Ui<'_>) {
    let (asked, usual) = (&ui.session.workspace.ghosts, Ghosts::default());
    let apply = |_: Touch, _: &'static str, ghosts: Ghosts| ui.send(ViewAction::SetGhosts(ghosts));
    let form = Form::of_width(ui, "ghosts-", WIDE);
    let pairs = form.in_columns(2);
    let (of, two) = (form.of(asked, "", &apply), pairs.of(asked, "", &apply));
    title(ui, "Before and after the playhead");
    switch(ui, Icon::ArrowLeftRight, "Neighbours", Command::GhostNeighbours, None);
    for (side, name) in SIDES {
        let usual = f32::from(usual.neighbours[side as usize]);
        let how = Number::new("%.0f", 0.05).within(0.0, f32::from(Ghosts::MAX)).or(usual);
        two.number(name, "Number of ghosts on this side", how, |it| &mut it.neighbours[side as usize]);
    }
    of.menu("Step", &GhostStep::ALL.map(|step| (step, step.name())), |it| &mut it.step);
    pinned(&form);
    ui.dummy([0.0, GAP]);
    title(ui, "Other poses");
    other_clip(&of);
    switch(ui, Icon::FlipHorizontal2, "Mirrored pose", Command::GhostMirror, Some(ghosts::MIRRORED));
    switch(ui, Icon::Save, "Last saved version", Command::GhostSaved, Some(ghosts::SAVED));
    ui.dummy([0.0, GAP]);
    title(ui, "Look");
    let tints = Form::of_width(ui, "ghosts-tint-", WIDE).in_columns(2);
    for (side, name) in SIDES {
        tints.of(asked, "", &apply).color(name, |it| &mut it.tints[side as usize]);
    }
    let percent = |default: u8| Number::percent().per(1.0).or(f32::from(default));
    two.number("Opacity", "Opacity of ghosts", percent(usual.opacity), |it| &mut it.opacity);
    two.number("Fade", "How much each further ghost fades", percent(usual.fade), |it| &mut it.fade);
}

/// Draws the toggle of a kind of ghosts, with its colour.
fn switch(ui: &Ui<'_>, sign: Icon, name: &str, command: Command, color: Option<color::Color>) {
    let (is_on, counts) = (ui.is_on(command), ui.session.is_on(Switch::Ghosts));
    // Switching one on also switches ghosts on.
    let toggle = Toggle { is_on: is_on && counts, ..Toggle::of(ui, sign, name, command) };
    if toggle.draw(ui, "ghosts", WIDE) {
        ui.run(if is_on && !counts { Command::ToggleGhosts } else { command });
    }
    if let Some(color) = color {
        let rect = ui.item_rect();
        ui.dot([rect.max[0] - 14.0, rect.center()[1]], 5.0, color.to_array());
    }
}

/// Draws the number of pinned keyframes, with buttons that pin and unpin them.
fn pinned(form: &Form<'_>) {
    let (ui, selected) = (form.ui, &form.ui.session.focus.selection.keyframes);
    let pinned = ui.session.workspace.pinned_ghosts.as_ref();
    let of_clip = pinned.filter(|pinned| Some(pinned.clip) == ui.session.focus.clip);
    let text = match of_clip.map_or(0, |pinned| pinned.keyframes.len()) {
        0 => "no keyframes".to_owned(),
        count => counted(count, "keyframe"),
    };
    form.value("Pinned", &text, "Keyframes that are shown as ghosts at any time");
    let is_pinned = !selected.is_empty() && of_clip.is_some_and(|pinned| selected.is_subset(&pinned.keyframes));
    let label = if is_pinned { "Unpin selected" } else { "Pin selected" };
    let tip = "Show the selected keyframes as ghosts at any time";
    let buttons = [
        Button::new(label, "keep", tip).enabled(!selected.is_empty()),
        Button::new("Unpin all", "drop", "Unpin all keyframes").enabled(pinned.is_some()),
    ];
    match form.buttons(&buttons) {
        Some(0) => ui.run(Command::PinGhosts),
        Some(_) => ui.run(Command::UnpinGhosts),
        None => {}
    }
}

/// Draws the choice of another clip.
fn other_clip(of: &FormOf<'_, Ghosts>) {
    let form = of.form();
    let ui = form.ui;
    let Some(model) = ui.model() else { return };
    let others = model.clips.iter().filter(|slot| Some(slot.id) != ui.session.focus.clip);
    let others = others.map(|slot| (Some(slot.id), slot.clip.name.as_str()));
    let all: Vec<_> = std::iter::once((None, "none")).chain(others).collect();
    of.menu("Other clip", &all, |it| &mut it.clip);
    let rect = ui.item_rect();
    let dot = [rect.min[0] + form.label_width() - 3.0 * GAP, rect.min[1] - GAP - LINE / 2.0];
    ui.dot(dot, 5.0, ghosts::OTHER_CLIP.to_array());
}
