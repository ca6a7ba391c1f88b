//! The ghosts button over the viewport, and its popover: which ghosts are shown, and how.

use crate::editor::ops::amount::Measure;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::number_field;
use crate::editor::panels::ui::number_field::Number;
use lucide_icons::Icon;

use crate::editor::panels::ui::color_field::color_field;
use crate::editor::panels::ui::frame::{Align, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::popover::{LINE, Line, SplitButton, title};
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, Tone};
use crate::editor::session::command::Command;
use crate::editor::session::ghosts::{GhostAction, GhostStep, Ghosts, Side};
use crate::editor::session::switch::Switch;
use crate::editor::state::action::ViewAction;
use crate::editor::view::ghosts;
use crate::render::frame::color::Color;

/// Width of the popover's lines.
const WIDE: f32 = 410.0;
/// Width of the labels before fields.
const WORD: f32 = 62.0;

/// The button's text, with the number of ghosts on both sides.
fn text(ui: &Ui<'_>) -> String {
    let session = ui.session;
    let [before, after] = session.workspace.ghosts.neighbours;
    let numbers = if session.is_on(Switch::GhostNeighbours) { format!("  {before} · {after}") } else { String::new() };
    format!("{}  Ghosts{numbers}", icon(Icon::Ghost))
}

/// The width of the button.
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
    let asked = &ui.session.workspace.ghosts;
    title(ui, "Before and after the playhead");
    switch(ui, Icon::ArrowLeftRight, "Neighbours", Command::GhostNeighbours, None);
    let y = next_line(ui);
    for (side, name, x) in [(Side::Before, "Before", 0.0), (Side::After, "After", 1.0)] {
        let x = x * (WORD + 52.0);
        word(ui, [x, y], name);
        ui.set_cursor_screen_pos([left(ui) + x + WORD, y]);
        let mut count = f32::from(asked.neighbours[side as usize]);
        let how = Number { range: [0.0, f32::from(Ghosts::MAX)], ..Number::new("%.0f", 0.05).with_reset() };
        let touch = number_field::number(ui, &format!("ghosts-{name}"), 44.0, &mut count, how);
        if touch.is_changed {
            ui.send(ViewAction::Ghosts(GhostAction::Neighbours(side, count.round() as u8)));
        } else if touch.is_reset {
            ui.send(ViewAction::Ghosts(GhostAction::Neighbours(side, Ghosts::default().neighbours[side as usize])));
        }
    }
    ui.set_cursor_screen_pos([left(ui) + 2.0 * WORD + 104.0, y]);
    let width = WIDE - 2.0 * WORD - 104.0;
    if let Some(_list) = widgets::dropdown(ui, "ghosts-step", asked.step.name(), ui.theme.text, width) {
        for step in GhostStep::ALL {
            if menu::choice(ui, step.name(), asked.step == step) {
                ui.send(ViewAction::Ghosts(GhostAction::Step(step)));
            }
        }
    }
    pinned(ui);
    ui.dummy([0.0, 4.0]);
    title(ui, "Other poses");
    other_clip(ui);
    let mirrored = Some(ghosts::MIRRORED);
    switch(ui, Icon::FlipHorizontal2, "Mirrored pose", Command::GhostMirror, mirrored);
    switch(ui, Icon::Save, "Last saved version", Command::GhostSaved, Some(ghosts::SAVED));
    ui.dummy([0.0, 4.0]);
    title(ui, "Look");
    look(ui);
}

/// Draws the toggle of a kind of ghosts, with its colour.
fn switch(ui: &Ui<'_>, sign: Icon, name: &str, command: Command, color: Option<Color>) {
    let (is_on, counts) = (command.is_on(ui.editor).unwrap_or(false), ui.session.is_on(Switch::Ghosts));
    // Switching one on also switches ghosts on.
    let line = Line { sign, name, key: ui.key_of(command), is_on: is_on && counts, counts: true };
    if line.draw(ui, "ghosts", WIDE) {
        match is_on && !counts {
            true => ui.run(Command::ToggleGhosts),
            false => ui.run(command),
        }
    }
    if let Some(color) = color {
        let rect = ui.item_rect();
        swatch(ui, [rect.max[0] - 14.0, rect.center()[1]], color);
    }
}

/// Draws the number of pinned keyframes, with buttons that pin and unpin them.
fn pinned(ui: &Ui<'_>) {
    let pinned = ui.session.workspace.ghosts.pinned.as_ref();
    let (count, selected) =
        (pinned.map_or(0, |pinned| pinned.keyframes.len()), ui.session.focus.selection.keyframes.len());
    let y = next_line(ui);
    let text = match count {
        0 => "No pinned keyframes".to_owned(),
        1 => "1 pinned keyframe".to_owned(),
        count => format!("{count} pinned keyframes"),
    };
    word(ui, [0.0, y], &text);
    let is_pinned = pinned.is_some_and(|pinned| ui.session.focus.selection.keyframes.is_subset(&pinned.keyframes));
    let label = if is_pinned && selected > 0 { "Unpin selected" } else { "Pin selected" };
    ui.set_cursor_screen_pos([left(ui) + WIDE - 144.0, y]);
    let tone = if selected > 0 { Tone::Plain } else { Tone::Off };
    if widgets::button(ui, &format!("{label}##ghosts-keep"), [116.0, FIELD], tone) {
        ui.run(Command::PinGhosts);
    }
    ui.tip("Show the selected keyframes as ghosts at any time", &ui.key_of(Command::PinGhosts));
    ui.set_cursor_screen_pos([left(ui) + WIDE - 24.0, y]);
    let tone = if count > 0 { Tone::Bare } else { Tone::Off };
    if widgets::icon_button(ui, "ghosts-drop", Icon::X, [24.0, FIELD], tone) {
        ui.run(Command::UnpinGhosts);
    }
    ui.tip("Unpin all keyframes", &ui.key_of(Command::UnpinGhosts));
}

/// Draws the choice of another clip.
fn other_clip(ui: &Ui<'_>) {
    let Some(model) = ui.model() else { return };
    let y = next_line(ui);
    let clip = ui.session.workspace.ghosts.clip.and_then(|id| model.clip(id));
    let sign = Rect::at([left(ui) + 6.0, y], [18.0, LINE]);
    ui.text_in(sign, Align::Center, if clip.is_some() { ui.theme.accent } else { ui.theme.text }, &icon(Icon::Layers));
    word(ui, [32.0, y], "Other clip");
    ui.set_cursor_screen_pos([left(ui) + 124.0, y]);
    let name = clip.map_or("none", |clip| clip.name.as_str());
    let ink = if clip.is_some() { ui.theme.text } else { ui.theme.quiet };
    if let Some(_list) = widgets::dropdown(ui, "ghosts-clip", name, ink, WIDE - 124.0 - 28.0) {
        if menu::choice(ui, "none", clip.is_none()) {
            ui.send(ViewAction::Ghosts(GhostAction::Clip(None)));
        }
        for slot in model.clips.iter().filter(|slot| Some(slot.id) != ui.session.focus.clip) {
            if menu::choice(ui, &slot.clip.name, ui.session.workspace.ghosts.clip == Some(slot.id)) {
                ui.send(ViewAction::Ghosts(GhostAction::Clip(Some(slot.id))));
            }
            ui.item(&format!("ghosts-clip-{}", slot.clip.name));
        }
    }
    swatch(ui, [left(ui) + WIDE - 14.0, y + LINE / 2.0], ghosts::OTHER_CLIP);
}

/// Draws the colours, opacity and fade.
fn look(ui: &Ui<'_>) {
    let asked = &ui.session.workspace.ghosts;
    let half = WIDE / 2.0;
    let y = next_line(ui);
    for (side, name) in [(Side::Before, "Before"), (Side::After, "After")] {
        let x = if side == Side::Before { 0.0 } else { half };
        word(ui, [x, y], name);
        let mut color = asked.tints[side as usize];
        let field = Rect::at([left(ui) + x + WORD, y], [half - WORD - 6.0, FIELD]);
        if color_field(ui, &format!("ghosts-tint-{name}"), field, &mut color).is_changed {
            ui.send(ViewAction::Ghosts(GhostAction::Tint(side, color)));
        }
    }
    let y = y + FIELD + 4.0;
    let numbers = [("Opacity", asked.opacity), ("Fade", asked.fade)];
    for (at, (name, value)) in numbers.into_iter().enumerate() {
        let x = at as f32 * half;
        word(ui, [x, y], name);
        ui.set_cursor_screen_pos([left(ui) + x + WORD, y]);
        let mut percent = f32::from(value);
        let how = Number {
            range: [0.0, 100.0],
            unit: "%",
            measure: Measure::Percent,
            ..Number::new("%.0f", 0.4).with_reset()
        };
        let width = half - WORD - 6.0;
        let touch = number_field::number(ui, &format!("ghosts-{name}"), width, &mut percent, how);
        if touch.is_changed {
            let percent = percent.round() as u8;
            let edit = if at == 0 { GhostAction::Opacity(percent) } else { GhostAction::Fade(percent) };
            ui.send(ViewAction::Ghosts(edit));
        } else if touch.is_reset {
            ui.send(ViewAction::Ghosts(GhostAction::ResetAppearance));
        }
    }
    number_field::number_tip(ui, "Fade of each further ghost");
    ui.set_cursor_screen_pos([left(ui), y + FIELD]);
    ui.dummy([WIDE, 0.0]);
}

/// The left edge of the popover's contents.
fn left(ui: &Ui<'_>) -> f32 {
    ui.window_pos()[0] + 8.0
}

/// The top of the next line.
fn next_line(ui: &Ui<'_>) -> f32 {
    ui.cursor_screen_pos()[1]
}

fn word(ui: &Ui<'_>, [x, y]: [f32; 2], text: &str) {
    let rect = Rect::at([left(ui) + x, y], [WIDE - x, LINE]);
    ui.text_in(rect, Align::Left, ui.theme.text, text);
}

fn swatch(ui: &Ui<'_>, center: [f32; 2], color: Color) {
    ui.dot(center, 5.0, color.to_array());
}
