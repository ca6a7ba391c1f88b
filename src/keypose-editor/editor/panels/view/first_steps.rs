//! The card of the first steps, low in the viewport.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::free_place::{GAP, free_place};
use crate::editor::session::first_steps::STEPS;

/// Minimum height of the viewport for the whole card; with less it would cover the model.
const MIN_FOR_CARD: f32 = 280.0;
/// Half the width of a standing figure, as a share of the viewport's height.
const FIGURE: f32 = 0.15;
/// Width of a button of the card, and of the line that replaces it.
const BUTTON: f32 = 84.0;
const LINE_BUTTON: f32 = 56.0;

/// Draws the card if it is open, where it covers none of `taken`: in one line if there is little room. Returns its
/// rectangle.
pub fn first_steps_ui(ui: &Ui<'_>, area: Rect, taken: &[Rect]) -> Option<Rect> {
    let at = ui.session.workspace.first_steps?.step;
    let width = (area.width() - 20.0).clamp(120.0, 330.0);
    let text_height = ui.calc_text_size_with_opts(STEPS[at].text, false, width - 28.0)[1];
    let size = [width, 36.0 + text_height + 8.0 + 24.0 + 8.0 + 30.0 + 10.0];
    let beside = taken.iter().map(|other| other.max[0] + GAP);
    let lefts: Vec<f32> = [area.min[0] + 10.0].into_iter().chain(beside).collect();
    // Right of a figure in the middle if the card would cover its legs at the left.
    let right = area.max[0] - 10.0 - width;
    let card = if area.height() > MIN_FOR_CARD {
        let at_left = free_place(area, size, &lefts, taken);
        let is_clear = |card: &Rect| card.max[0] < area.center()[0] - FIGURE * area.height();
        at_left.filter(is_clear).or_else(|| free_place(area, size, &[right], taken)).or(at_left)
    } else {
        None
    };
    let rect = card.unwrap_or_else(|| {
        let size = [line_width(ui, at), 34.0];
        free_place(area, size, &lefts, taken).unwrap_or(Rect::at(area.min, size))
    });
    ui.mark(|| "first-steps".into(), rect);
    ui.card(rect, faded(ui.theme.accent, 0.55));
    if card.is_some() {
        card_ui(ui, rect, at, text_height)
    } else {
        line_ui(ui, rect, at)
    }
    Some(rect)
}

/// Draws a step with its text, keys and buttons.
fn card_ui(ui: &Ui<'_>, rect: Rect, at: usize, text_height: f32) {
    let step = &STEPS[at];
    let mut inner = rect.inset(14.0, 10.0);
    let title = inner.cut_top(22.0, 4.0);
    ui.text_in_font(ui.fonts.bold, title.trim_right(40.0), Align::Left, ui.theme.text, step.title);
    dots(ui, [title.max[0], title.center()[1]], at);
    ui.set_cursor_screen_pos(inner.cut_top(text_height, 8.0).min);
    {
        let _wrap = ui.push_text_wrap_pos_with_pos(ui.cursor_pos()[0] + inner.width() + 1.0);
        ui.text_colored(ui.theme.quiet, step.text);
    }
    keys(ui, inner.top(22.0), at);
    buttons(ui, inner.bottom(26.0).trim_left(-8.0), at, BUTTON);
}

fn line_width(ui: &Ui<'_>, at: usize) -> f32 {
    let _font = ui.with_font(ui.fonts.bold);
    ui.calc_text_size(STEPS[at].title)[0] + 30.0 + 2.0 * (LINE_BUTTON + GAP)
}

/// Draws a step in one line: its title, whose tooltip has the rest, and buttons.
fn line_ui(ui: &Ui<'_>, rect: Rect, at: usize) {
    let mut title = rect.inset(4.0, 5.0);
    buttons(ui, title.cut_right(2.0 * LINE_BUTTON + GAP, GAP), at, LINE_BUTTON);
    let title = title.trim_left(10.0);
    ui.button_in("steps-title", title);
    ui.tip(STEPS[at].text, "");
    ui.text_in_font(ui.fonts.bold, title, Align::Left, ui.theme.text, STEPS[at].title);
}

/// Draws a dot for each step, the current one in the accent.
fn dots(ui: &Ui<'_>, [right, y]: [f32; 2], at: usize) {
    for number in 0..STEPS.len() {
        let x = right - (STEPS.len() - number) as f32 * 11.0 + 6.0;
        let color = if number == at { ui.theme.accent } else { faded(ui.theme.dim, 0.7) };
        ui.dot([x, y], 3.0, color);
    }
}

/// Draws the keys of a step and what they do, as far as there is room.
fn keys(ui: &Ui<'_>, mut row: Rect, at: usize) {
    for (command, what) in STEPS[at].keys {
        let key = ui.key_of(*command);
        let name = if key.is_empty() { "+".to_owned() } else { key };
        let (key_width, what_width) = (ui.calc_text_size(&name)[0] + 14.0, ui.calc_text_size(what)[0] + 1.0);
        if key_width + 6.0 + what_width > row.width() + 1.0 {
            return;
        }
        let cap = row.cut_left(key_width, 6.0);
        ui.fill(cap, ui.theme.field, 4.0);
        ui.text_in(cap, Align::Center, ui.theme.text, &name);
        ui.text_in(row.cut_left(what_width, 13.0), Align::Left, ui.theme.quiet, what);
    }
}

/// Draws the buttons that go through the steps at the right of a row, and the one that ends them at its left.
fn buttons(ui: &Ui<'_>, mut row: Rect, at: usize, width: f32) {
    let is_last = at + 1 == STEPS.len();
    let next = if is_last { "Done##steps-next" } else { "Next##steps-next" };
    if widgets::button_at(ui, row.cut_right(width, GAP), next, Tone::On) {
        ui.send(if is_last { ProgramAction::ShowFirstSteps(false) } else { ProgramAction::GoToFirstStep(at + 1) });
    }
    let has_room = row.width() >= 2.0 * width;
    if at > 0 && has_room && widgets::button_at(ui, row.cut_right(width, GAP), "Back##steps-back", Tone::Plain) {
        ui.send(ProgramAction::GoToFirstStep(at - 1));
    }
    if !is_last {
        if widgets::button_at(ui, row.left(width.min(row.width())), "Skip##steps-end", Tone::Bare) {
            ui.send(ProgramAction::ShowFirstSteps(false));
        }
        ui.tip("Hide the first steps. They are in the Help menu", "");
    }
}
