//! The card with the first steps, over the picture's lower left corner.

use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect};
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::theme::faded;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::session::first_steps::STEPS;
use crate::editor::state::action::{Action, ProgramAction};

/// Draws the card where the steps are shown. True where the mouse is over it.
pub fn first_steps_ui(kit: &Kit<'_>, seen: &Seen<'_>, area: Rect, out: &mut Out) -> bool {
    let Some(at) = seen.session.workspace.first_steps.map(|steps| steps.step) else { return false };
    let step = &STEPS[at];
    let width = (area.size()[0] - 20.0).clamp(120.0, 330.0);
    let text = kit.calc_text_size_with_opts(step.text, false, width - 28.0);
    let height = 36.0 + text[1] + 8.0 + 24.0 + 8.0 + 30.0 + 10.0;
    let rect = Rect::at([area.min[0] + 10.0, area.max[1] - height - 10.0], [width, height]);
    kit.fill(rect, faded(kit.theme.bar, 0.96), 8.0);
    kit.outline(rect, faded(kit.theme.accent, 0.55), 8.0, 1.0);
    let inner = Rect { min: [rect.min[0] + 14.0, rect.min[1] + 10.0], max: [rect.max[0] - 14.0, rect.max[1] - 10.0] };
    {
        let _font = kit.with_font(kit.fonts.bold);
        let title = Rect { max: [inner.max[0] - 40.0, inner.min[1] + 22.0], ..inner };
        kit.text_in(title, Align::Left, kit.theme.text, step.title);
    }
    dots(kit, [inner.max[0], inner.min[1] + 11.0], at);
    kit.set_cursor_screen_pos([inner.min[0], inner.min[1] + 26.0]);
    {
        let _wrap = kit.push_text_wrap_pos_with_pos(kit.cursor_pos()[0] + width - 28.0 + 1.0);
        kit.text_colored(kit.theme.quiet, step.text);
    }
    keys(kit, seen, [inner.min[0], inner.min[1] + 26.0 + text[1] + 8.0], inner.max[0], at);
    buttons(kit, inner, at, out);
    rect.contains(kit.io().mouse_pos)
}

/// One for each step, the current one in the accent.
fn dots(kit: &Kit<'_>, right: [f32; 2], at: usize) {
    for number in 0..STEPS.len() {
        let x = right[0] - (STEPS.len() - number) as f32 * 11.0 + 6.0;
        let color = if number == at { kit.theme.accent } else { faded(kit.theme.dim, 0.7) };
        kit.draw().add_circle([x, right[1]], 3.0, color).filled(true).build();
    }
}

fn keys(kit: &Kit<'_>, seen: &Seen<'_>, from: [f32; 2], end: f32, at: usize) {
    let mut x = from[0];
    for (command, what) in STEPS[at].keys {
        let key = seen.key_of(*command);
        let name = if key.is_empty() { "+".to_owned() } else { key };
        let (key_width, what_width) = (kit.calc_text_size(&name)[0] + 14.0, kit.calc_text_size(what)[0]);
        if x + key_width + 6.0 + what_width > end {
            break;
        }
        let cap = Rect::at([x, from[1]], [key_width, 22.0]);
        kit.fill(cap, kit.theme.field, 4.0);
        kit.text_in(cap, Align::Center, kit.theme.text, &name);
        let word = Rect::at([cap.max[0] + 6.0, from[1]], [what_width + 1.0, 22.0]);
        kit.text_in(word, Align::Left, kit.theme.quiet, what);
        x = word.max[0] + 14.0;
    }
}

fn buttons(kit: &Kit<'_>, inner: Rect, at: usize, out: &mut Out) {
    let y = inner.max[1] - 26.0;
    let is_last = at + 1 == STEPS.len();
    let button = |x: f32, width: f32, label: &str, tone: Tone| {
        kit.set_cursor_screen_pos([x, y]);
        widgets::button(kit, label, [width, 26.0], tone)
    };
    if button(inner.max[0] - 84.0, 84.0, if is_last { "Done##steps-next" } else { "Next##steps-next" }, Tone::On) {
        out.push(if is_last {
            Action::Program(ProgramAction::ShowFirstSteps(false))
        } else {
            Action::Program(ProgramAction::GoToFirstStep(at + 1))
        });
    }
    if at > 0 && button(inner.max[0] - 84.0 - 70.0, 64.0, "Back##steps-back", Tone::Plain) {
        out.push(ProgramAction::GoToFirstStep(at - 1));
    }
    if !is_last && button(inner.min[0] - 8.0, 110.0, "No more hints##steps-end", Tone::Bare) {
        out.push(ProgramAction::ShowFirstSteps(false));
    }
    kit.tip("They can be had again from the Help menu", "");
}
