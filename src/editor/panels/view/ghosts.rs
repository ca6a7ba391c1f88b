//! The button of the ghosts over the picture, and its popover: which poses stand behind the model, and how they look.

use lucide_icons::Icon;

use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::color_field::color_field;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::popover::{LINE, Line, SplitButton, title};
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{FIELD, Number, Tone};
use crate::editor::session::command::Command;
use crate::editor::session::ghosts::{Apart, GhostEdit, Ghosts, Side};
use crate::editor::session::switch::Switch;
use crate::editor::state::action::ViewAction;
use crate::editor::view::ghosts;
use crate::render::frame::color::Color;

/// Width of the popover's lines.
const WIDE: f32 = 410.0;
/// Width of the words before fields.
const WORD: f32 = 62.0;

/// What the button says: how many neighbours there are on either side.
fn text(seen: &Seen<'_>) -> String {
    let session = seen.session;
    let [before, after] = session.workspace.ghosts.neighbours;
    let numbers = if session.is_on(Switch::GhostNeighbours) { format!("  {before} · {after}") } else { String::new() };
    format!("{}  Ghosts{numbers}", icon(Icon::Ghost))
}

/// How wide the button is.
pub fn button_width(kit: &Kit<'_>, seen: &Seen<'_>) -> f32 {
    SplitButton::width(kit, &text(seen))
}

/// The button and its popover.
pub fn ghosts_button(kit: &Kit<'_>, seen: &Seen<'_>, rect: Rect, out: &mut Out) {
    let button = SplitButton {
        id: "ghosts",
        text: &text(seen),
        is_on: seen.session.is_on(Switch::OnionSkin) && seen.session.is_on(Switch::Overlays),
        tip: "Ghosts: other poses behind the model",
        key: seen.key_of(Command::ToggleOnionSkin),
    };
    if button.draw(kit, rect, || popover(kit, seen, out)) {
        out.run(Command::ToggleOnionSkin);
    }
}

fn popover(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    let asked = &seen.session.workspace.ghosts;
    title(kit, "Before and after the playhead");
    switch(kit, seen, Icon::ArrowLeftRight, "Neighbours", Command::GhostNeighbours, None, out);
    let y = next_line(kit);
    for (side, name, x) in [(Side::Before, "Before", 0.0), (Side::After, "After", 1.0)] {
        let x = x * (WORD + 52.0);
        word(kit, [x, y], name);
        kit.set_cursor_screen_pos([left(kit) + x + WORD, y]);
        let mut count = f32::from(asked.neighbours[side as usize]);
        let how = Number { range: [0.0, f32::from(Ghosts::MAX)], ..Number::new("%.0f", 0.05) };
        let touch = widgets::number(kit, &format!("ghosts-{name}"), 44.0, &mut count, how);
        if touch.is_changed {
            out.push(ViewAction::Ghosts(GhostEdit::Neighbours(side, count.round() as u8)));
        } else if touch.is_reset {
            out.push(ViewAction::Ghosts(GhostEdit::Neighbours(side, Ghosts::default().neighbours[side as usize])));
        }
    }
    kit.set_cursor_screen_pos([left(kit) + 2.0 * WORD + 104.0, y]);
    let width = WIDE - 2.0 * WORD - 104.0;
    if let Some(_list) = widgets::dropdown(kit, "ghosts-apart", asked.apart.name(), kit.theme.text, width) {
        for apart in Apart::ALL {
            if menu::choice(kit, apart.name(), asked.apart == apart) {
                out.push(ViewAction::Ghosts(GhostEdit::Apart(apart)));
            }
        }
    }
    chosen(kit, seen, out);
    kit.dummy([0.0, 4.0]);
    title(kit, "Beside the pose");
    other_clip(kit, seen, out);
    let mirrored = Some(ghosts::MIRRORED);
    switch(kit, seen, Icon::FlipHorizontal2, "Mirrored pose", Command::GhostMirror, mirrored, out);
    switch(kit, seen, Icon::Save, "Last saved version", Command::GhostSaved, Some(ghosts::SAVED), out);
    kit.dummy([0.0, 4.0]);
    title(kit, "Look");
    look(kit, seen, out);
}

/// A kind of ghosts that is on or off, with its colour.
fn switch(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    sign: Icon,
    name: &str,
    command: Command,
    color: Option<Color>,
    out: &mut Out,
) {
    let (is_on, counts) = (command.is_on(seen.editor).unwrap_or(false), seen.session.is_on(Switch::OnionSkin));
    // Switching one on switches ghosts on as well.
    let line = Line { sign, name, key: seen.key_of(command), is_on: is_on && counts, counts: true };
    if line.draw(kit, "ghosts", WIDE) {
        match is_on && !counts {
            true => out.run(Command::ToggleOnionSkin),
            false => out.run(command),
        }
    }
    if let Some(color) = color {
        let rect = Rect { min: kit.item_rect_min(), max: kit.item_rect_max() };
        swatch(kit, [rect.max[0] - 14.0, rect.center()[1]], color);
    }
}

/// Keyframes that are kept as ghosts: how many, one more, none.
fn chosen(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    let kept = seen.session.workspace.ghosts.chosen.as_ref();
    let (count, selected) = (kept.map_or(0, |kept| kept.keyframes.len()), seen.session.focus.selection.keyframes.len());
    let y = next_line(kit);
    let text = match count {
        0 => "No keyframe is kept".to_owned(),
        1 => "1 keyframe is kept".to_owned(),
        count => format!("{count} keyframes are kept"),
    };
    word(kit, [0.0, y], &text);
    let is_kept = kept.is_some_and(|kept| seen.session.focus.selection.keyframes.is_subset(&kept.keyframes));
    let label = if is_kept && selected > 0 { "Let go" } else { "Keep selected" };
    kit.set_cursor_screen_pos([left(kit) + WIDE - 144.0, y]);
    let tone = if selected > 0 { Tone::Plain } else { Tone::Off };
    if widgets::button(kit, &format!("{label}##ghosts-keep"), [116.0, FIELD], tone) {
        out.run(Command::GhostSelected);
    }
    kit.tip(
        "Keyframes selected in the strip stay as ghosts wherever the playhead is",
        &seen.key_of(Command::GhostSelected),
    );
    kit.set_cursor_screen_pos([left(kit) + WIDE - 24.0, y]);
    let tone = if count > 0 { Tone::Bare } else { Tone::Off };
    if widgets::icon_button(kit, "ghosts-drop", Icon::X, [24.0, FIELD], tone) {
        out.run(Command::DropGhosts);
    }
    kit.tip("Drop them all", &seen.key_of(Command::DropGhosts));
}

/// The clip that stands beside the open one.
fn other_clip(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    let Some(model) = seen.model() else { return };
    let y = next_line(kit);
    let clip = seen.session.workspace.ghosts.clip.and_then(|id| model.clip(id));
    let sign = Rect::at([left(kit) + 6.0, y], [18.0, LINE]);
    kit.text_in(
        sign,
        Align::Center,
        if clip.is_some() { kit.theme.accent } else { kit.theme.text },
        &icon(Icon::Layers),
    );
    word(kit, [32.0, y], "Another clip");
    kit.set_cursor_screen_pos([left(kit) + 124.0, y]);
    let name = clip.map_or("none", |clip| clip.name.as_str());
    let ink = if clip.is_some() { kit.theme.text } else { kit.theme.quiet };
    if let Some(_list) = widgets::dropdown(kit, "ghosts-clip", name, ink, WIDE - 124.0 - 28.0) {
        if menu::choice(kit, "none", clip.is_none()) {
            out.push(ViewAction::Ghosts(GhostEdit::Clip(None)));
        }
        for slot in model.clips.iter().filter(|slot| Some(slot.id) != seen.session.focus.clip) {
            if menu::choice(kit, &slot.clip.name, seen.session.workspace.ghosts.clip == Some(slot.id)) {
                out.push(ViewAction::Ghosts(GhostEdit::Clip(Some(slot.id))));
            }
            kit.item(&format!("ghosts-clip-{}", slot.clip.name));
        }
    }
    swatch(kit, [left(kit) + WIDE - 14.0, y + LINE / 2.0], ghosts::OTHER_CLIP);
}

/// Colours, strength and fade.
fn look(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    let asked = &seen.session.workspace.ghosts;
    let half = WIDE / 2.0;
    let y = next_line(kit);
    for (side, name) in [(Side::Before, "Before"), (Side::After, "After")] {
        let x = if side == Side::Before { 0.0 } else { half };
        word(kit, [x, y], name);
        let mut color = asked.tints[side as usize];
        let field = Rect::at([left(kit) + x + WORD, y], [half - WORD - 6.0, FIELD]);
        if color_field(kit, &format!("ghosts-tint-{name}"), field, &mut color).is_changed {
            out.push(ViewAction::Ghosts(GhostEdit::Tint(side, color)));
        }
    }
    let y = y + FIELD + 4.0;
    let numbers = [("Strength", asked.strength), ("Fade", asked.fade)];
    for (at, (name, value)) in numbers.into_iter().enumerate() {
        let x = at as f32 * half;
        word(kit, [x, y], name);
        kit.set_cursor_screen_pos([left(kit) + x + WORD, y]);
        let mut percent = f32::from(value);
        let how = Number { range: [0.0, 100.0], unit: "%", ..Number::new("%.0f", 0.4) };
        let width = half - WORD - 6.0;
        let touch = widgets::number(kit, &format!("ghosts-{name}"), width, &mut percent, how);
        if touch.is_changed {
            let percent = percent.round() as u8;
            let edit = if at == 0 { GhostEdit::Strength(percent) } else { GhostEdit::Fade(percent) };
            out.push(ViewAction::Ghosts(edit));
        } else if touch.is_reset {
            out.push(ViewAction::Ghosts(GhostEdit::UsualLook));
        }
    }
    kit.tip("How much fainter each is than the one before it", "");
    kit.set_cursor_screen_pos([left(kit), y + FIELD]);
    kit.dummy([WIDE, 0.0]);
}

/// The left edge of the popover's contents.
fn left(kit: &Kit<'_>) -> f32 {
    kit.window_pos()[0] + 8.0
}

/// The upper edge of the next line.
fn next_line(kit: &Kit<'_>) -> f32 {
    kit.cursor_screen_pos()[1]
}

fn word(kit: &Kit<'_>, [x, y]: [f32; 2], text: &str) {
    let rect = Rect::at([left(kit) + x, y], [WIDE - x, LINE]);
    kit.text_in(rect, Align::Left, kit.theme.text, text);
}

fn swatch(kit: &Kit<'_>, center: [f32; 2], color: Color) {
    kit.draw().add_circle(center, 5.0, color.to_array()).filled(true).build();
}
