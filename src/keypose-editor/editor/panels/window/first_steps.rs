//! The card of the first steps, low in the viewport.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::free_place::{GAP, free_place};
use crate::editor::session::first_steps::STEPS;
use crate::editor::state::action::{Action, ProgramAction};

/// Minimum height of the viewport for the whole card; with less it would cover the model.
const MIN_FOR_CARD: f32 = 280.0;

/// Draws the card if it is open, where it covers none of `taken`: in one line if there is little room. Returns its
/// rectangle.
pub fn first_steps_ui(ui: &Ui<'_>, area: Rect, taken: &[Rect]) -> Option<Rect> {
    let at = ui.session.workspace.first_steps?.step;
    let step = &STEPS[at];
    let width = (area.width() - 20.0).clamp(120.0, 330.0);
    let text = ui.calc_text_size_with_opts(step.text, false, width - 28.0);
    let height = 36.0 + text[1] + 8.0 + 24.0 + 8.0 + 30.0 + 10.0;
    let beside = taken.iter().map(|other| other.max[0] + GAP);
    let lefts: Vec<f32> = [area.min[0] + 10.0].into_iter().chain(beside).collect();
    let full = free_place(area, [width, height], &lefts, taken).filter(|_| area.height() > MIN_FOR_CARD);
    match full {
        Some(rect) => {
            card(ui, rect, at, text[1]);
            Some(rect)
        }
        None => {
            let size = [line_width(ui, at), 34.0];
            let rect = free_place(area, size, &lefts, taken).unwrap_or(Rect::at(area.min, size));
            line(ui, rect, at);
            Some(rect)
        }
    }
}

fn ground(ui: &Ui<'_>, rect: Rect) {
    ui.mark(|| "first-steps".into(), rect);
    ui.fill(rect, faded(ui.theme.bar, 0.96), 8.0);
    ui.outline(rect, faded(ui.theme.accent, 0.55), 8.0, 1.0);
}

/// Draws a step with its text, keys and buttons.
fn card(ui: &Ui<'_>, rect: Rect, at: usize, text_height: f32) {
    let step = &STEPS[at];
    ground(ui, rect);
    let inner = rect.inset(14.0, 10.0);
    {
        let _font = ui.with_font(ui.fonts.bold);
        let title = Rect { max: [inner.max[0] - 40.0, inner.min[1] + 22.0], ..inner };
        ui.text_in(title, Align::Left, ui.theme.text, step.title);
    }
    dots(ui, [inner.max[0], inner.min[1] + 11.0], at);
    ui.set_cursor_screen_pos([inner.min[0], inner.min[1] + 26.0]);
    {
        let _wrap = ui.push_text_wrap_pos_with_pos(ui.cursor_pos()[0] + inner.width() + 1.0);
        ui.text_colored(ui.theme.quiet, step.text);
    }
    keys(ui, [inner.min[0], inner.min[1] + 26.0 + text_height + 8.0], inner.max[0], at);
    buttons(ui, inner, at);
}

/// Width of a button of the line.
const LINE_BUTTON: f32 = 56.0;

fn line_width(ui: &Ui<'_>, at: usize) -> f32 {
    let _font = ui.with_font(ui.fonts.bold);
    ui.calc_text_size(STEPS[at].title)[0] + 30.0 + 2.0 * (LINE_BUTTON + 4.0)
}

/// Draws a step in one line: its title, whose tooltip has the rest, and buttons.
fn line(ui: &Ui<'_>, rect: Rect, at: usize) {
    ground(ui, rect);
    let mut rest = rect.inset(4.0, 5.0);
    let (next, skip) = (rest.cut_right(LINE_BUTTON, 4.0), rest.cut_right(LINE_BUTTON, 4.0));
    let title = rest.trim_left(10.0);
    ui.set_cursor_screen_pos(title.min);
    ui.invisible_button("##steps-title", title.size());
    ui.tip(STEPS[at].text, "");
    {
        let _font = ui.with_font(ui.fonts.bold);
        ui.text_in(title, Align::Left, ui.theme.text, STEPS[at].title);
    }
    let is_last = at + 1 == STEPS.len();
    if widgets::button_at(ui, next, if is_last { "Done##steps-next" } else { "Next##steps-next" }, Tone::On) {
        next_step(ui, at);
    }
    if widgets::button_at(ui, skip, "Skip##steps-end", Tone::Bare) {
        ui.send(ProgramAction::ShowFirstSteps(false));
    }
    ui.tip("Hide the first steps. They are in the Help menu", "");
}

/// Goes to the step after this one, or ends them.
fn next_step(ui: &Ui<'_>, at: usize) {
    ui.send(if at + 1 == STEPS.len() {
        Action::Program(ProgramAction::ShowFirstSteps(false))
    } else {
        Action::Program(ProgramAction::GoToFirstStep(at + 1))
    });
}

/// Draws a dot for each step, the current one in the accent.
fn dots(ui: &Ui<'_>, right: [f32; 2], at: usize) {
    for number in 0..STEPS.len() {
        let x = right[0] - (STEPS.len() - number) as f32 * 11.0 + 6.0;
        let color = if number == at { ui.theme.accent } else { faded(ui.theme.dim, 0.7) };
        ui.dot([x, right[1]], 3.0, color);
    }
}

fn keys(ui: &Ui<'_>, from: [f32; 2], end: f32, at: usize) {
    let mut x = from[0];
    for (command, what) in STEPS[at].keys {
        let key = ui.key_of(*command);
        let name = if key.is_empty() { "+".to_owned() } else { key };
        let (key_width, what_width) = (ui.calc_text_size(&name)[0] + 14.0, ui.calc_text_size(what)[0]);
        if x + key_width + 6.0 + what_width > end {
            break;
        }
        let cap = Rect::at([x, from[1]], [key_width, 22.0]);
        ui.fill(cap, ui.theme.field, 4.0);
        ui.text_in(cap, Align::Center, ui.theme.text, &name);
        let word = Rect::at([cap.max[0] + 6.0, from[1]], [what_width + 1.0, 22.0]);
        ui.text_in(word, Align::Left, ui.theme.quiet, what);
        x = word.max[0] + 14.0;
    }
}

fn buttons(ui: &Ui<'_>, inner: Rect, at: usize) {
    let y = inner.max[1] - 26.0;
    let is_last = at + 1 == STEPS.len();
    let button = |x: f32, width: f32, label: &str, tone: Tone| {
        ui.set_cursor_screen_pos([x, y]);
        widgets::button(ui, label, [width, 26.0], tone)
    };
    if button(inner.max[0] - 84.0, 84.0, if is_last { "Done##steps-next" } else { "Next##steps-next" }, Tone::On) {
        next_step(ui, at);
    }
    if at > 0 && button(inner.max[0] - 84.0 - 70.0, 64.0, "Back##steps-back", Tone::Plain) {
        ui.send(ProgramAction::GoToFirstStep(at - 1));
    }
    if !is_last && button(inner.min[0] - 8.0, 110.0, "Skip##steps-end", Tone::Bare) {
        ui.send(ProgramAction::ShowFirstSteps(false));
    }
    ui.tip("Hide the first steps. They are in the Help menu", "");
}
