//! The steps of the document, oldest first: what was done, and what was undone and can be done again. A click goes there.

use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect};
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::ROW;
use crate::editor::panels::window::layout;
use crate::editor::session::command::Command;
use crate::editor::state::action::DocumentAction;

/// Height of a line of the hint.
const HINT: f32 = 17.0;

/// What the panel keeps for itself.
#[derive(Debug, Default)]
pub struct HistoryLocal {
    /// Steps done and steps in all when it was drawn last: it scrolls to the current one where they change.
    counts: (usize, usize),
}

/// The panel's contents.
pub fn history_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut HistoryLocal, out: &mut Out) {
    let history = &seen.editor.history;
    let (done, all) = (history.undo_count(), history.undo_count() + history.redo_count());
    let steps = if all == 1 { "1 step".to_owned() } else { format!("{all} steps") };
    layout::title(kit, "History", &steps);
    if all == 0 {
        return widgets::empty(kit, "Nothing was changed yet.", "Each change is a line here. A click goes back to it.");
    }
    layout::scrolled(kit, "##history", 2.0 * HINT + 4.0, || {
        let has_moved = std::mem::replace(&mut local.counts, (done, all)) != (done, all);
        let labels: Vec<&str> = std::iter::once("As it was opened").chain(history.labels()).collect();
        let mut clipper = imgui::ListClipper::new(labels.len() as i32).items_height(ROW).begin(kit.ui);
        while clipper.step() {
            for at in clipper.display_start()..clipper.display_end() {
                let at = at as usize;
                if row(kit, labels[at], at, done) {
                    out.push(DocumentAction::GoToStep(at));
                }
            }
        }
        if has_moved {
            let middle = kit.window_size()[1] / 2.0;
            kit.set_scroll_y((done as f32 * ROW - middle).max(0.0));
        }
    });
    let _font = kit.with_font(kit.fonts.small);
    let [x, y] = kit.cursor_screen_pos();
    for (line, (command, what)) in [(Command::Undo, "undoes"), (Command::Redo, "redoes")].into_iter().enumerate() {
        let rect = Rect::at([x, y + line as f32 * HINT], [kit.content_region_avail()[0], HINT]);
        kit.text_in(rect, Align::Left, kit.theme.quiet, &format!("{} {what}", seen.key_of(command)));
    }
}

/// A step; what is undone is dim. True where it was clicked.
fn row(kit: &Kit<'_>, label: &str, at: usize, done: usize) -> bool {
    let touch = widgets::row(kit, &format!("step{at}"), at == done);
    let ink = if at <= done { kit.theme.text } else { kit.theme.dim };
    let inner =
        Rect { min: [touch.rect.min[0] + 8.0, touch.rect.min[1]], max: [touch.rect.max[0] - 8.0, touch.rect.max[1]] };
    if at > 0 {
        let _font = kit.with_font(kit.fonts.small);
        kit.text_in(inner, Align::Right, kit.theme.dim, &at.to_string());
    }
    let room = Rect { max: [inner.max[0] - 36.0, inner.max[1]], ..inner };
    kit.text_in(room, Align::Left, ink, &capitalised(label));
    touch.is_clicked
}

/// With a capital letter at its start.
fn capitalised(label: &str) -> String {
    let mut letters = label.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}
