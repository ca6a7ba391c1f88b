//! The question about a re-import: a table of what was renamed, is new or gone.

use crate::assets::reimport::{Change, Row, SameClips, summary};
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::widgets::{self, Tone};
use crate::editor::panels::window::prompts::modal;
use crate::editor::session::reimport::PendingReimport;
use crate::editor::state::action::{FileAction, ReimportAnswer};

const WIDTH: f32 = 620.0;
const ROW: f32 = 20.0;
/// Rows that are shown at once; more scroll.
const MAX_SHOWN: usize = 14;

/// Draws the question.
pub fn reimport_ui(ui: &Ui<'_>, pending: &PendingReimport) {
    let (mut answer, width) = (None, WIDTH - 32.0);
    modal(ui, "Re-import model?", WIDTH, || {
        let name = pending.file.file_name().unwrap_or_default().to_string_lossy();
        let text = format!("{name}: {}", summary(&pending.table));
        ui.text_colored(ui.theme.quiet, ui.fitted(&text, width));
        table_ui(ui, &pending.table, width);
        let has_same = pending.table.iter().any(|row| matches!(row.change, Change::Differs | Change::Replaced));
        if has_same {
            answer = answer.or(clips_ui(ui, pending.same_clips, width));
        }
        let size = [(width - 8.0) / 2.0, 28.0];
        let is_confirmed = widgets::button(ui, "Re-import##reimport-apply", size, Tone::On);
        if is_confirmed || ui.is_key_pressed(imgui::Key::Enter) {
            answer = Some(ReimportAnswer::Apply);
        }
        ui.same_line();
        let is_cancelled = widgets::button(ui, "Cancel##reimport-cancel", size, Tone::Plain);
        if is_cancelled || ui.is_key_pressed(imgui::Key::Escape) {
            answer = Some(ReimportAnswer::Cancel);
        }
        if matches!(answer, Some(ReimportAnswer::Apply | ReimportAnswer::Cancel)) {
            ui.close_current_popup();
        }
    });
    answer.into_iter().for_each(|answer| ui.send(FileAction::AnswerReimport(answer)));
}

fn table_ui(ui: &Ui<'_>, table: &[Row], width: f32) {
    let height = ROW * table.len().clamp(1, MAX_SHOWN) as f32 + 8.0;
    ui.child_window("##reimport-table").size([width, height]).build(|| {
        for row in table {
            let rect = Rect::at(ui.cursor_screen_pos(), [ui.content_region_avail()[0], ROW]);
            let color = match row.change {
                Change::Gone(_) | Change::Differs => ui.theme.hurt,
                Change::Renamed(..) | Change::Resized(_) | Change::New | Change::Replaced => ui.theme.text,
            };
            ui.text_in(rect, Align::Left, color, &row.to_string());
            ui.dummy([rect.width(), ROW - 8.0]);
        }
    });
}

/// The choice of clips of the same name.
fn clips_ui(ui: &Ui<'_>, chosen: SameClips, width: f32) -> Option<ReimportAnswer> {
    let mut answer = None;
    let choices = [(SameClips::Keep, "Keep my clips"), (SameClips::Replace, "Take the file's clips")];
    for (at, (choice, label)) in choices.into_iter().enumerate() {
        if at > 0 {
            ui.same_line();
        }
        let tone = if choice == chosen { Tone::On } else { Tone::Plain };
        if widgets::button(ui, &format!("{label}##reimport-clips{at}"), [(width - 8.0) / 2.0, 24.0], tone) {
            answer = Some(ReimportAnswer::SameClips(choice));
        }
    }
    answer
}
