//! The question about a re-import: a table of what was renamed, is new or gone.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::prompts::{answers, content_width, modal};
use crate::editor::session::reimport::PendingReimport;
use crate::editor::state::action::ReimportAnswer;
use keypose_tools::reimport::{Change as Difference, Row, SameClips, summary};

const WIDTH: f32 = 620.0;
/// Rows that are shown at once; more scroll.
const MAX_SHOWN: usize = 14;

/// Draws the question.
pub fn reimport_ui(ui: &Ui<'_>, pending: &PendingReimport) {
    let width = content_width(WIDTH);
    let answer = modal(ui, "Re-import model?", WIDTH, |form| {
        let name = pending.file.file_name().unwrap_or_default().to_string_lossy();
        let text = format!("{name}: {}", summary(&pending.table));
        ui.text_colored(ui.theme.quiet, ui.fitted(&text, width));
        table_ui(ui, &pending.table, width);
        let is_same = |row: &Row| matches!(row.change, Difference::Differs | Difference::Replaced);
        let mut same_clips = pending.same_clips;
        if pending.table.iter().any(is_same) {
            let choices = [(SameClips::Keep, "Keep my clips", ""), (SameClips::Replace, "Use the file's clips", "")];
            if form.choice("Same clips", &choices, &mut same_clips).is_changed {
                return Some(ReimportAnswer::SameClips(same_clips));
            }
        }
        let buttons = [Button::new("Re-import", "reimport-apply", ""), Button::new("Cancel", "reimport-cancel", "")];
        answers(form, &[&buttons]).map(|at| if at == 0 { ReimportAnswer::Apply } else { ReimportAnswer::Cancel })
    });
    if let Some(answer) = answer.flatten() {
        ui.send(FileAction::AnswerReimport(answer));
    }
}

fn table_ui(ui: &Ui<'_>, table: &[Row], width: f32) {
    let height = ROW * table.len().clamp(1, MAX_SHOWN) as f32 + 8.0;
    ui.child_window("##reimport-table").size([width, height]).build(|| {
        for row in table {
            let rect = ui.take_line(ROW - 8.0);
            let color = match row.change {
                Difference::Gone(_) | Difference::Differs | Difference::Turned(_) => ui.theme.hurt,
                Difference::Renamed(..)
                | Difference::Resized(_)
                | Difference::Reparented(_)
                | Difference::Respaced
                | Difference::New
                | Difference::Replaced => ui.theme.text,
            };
            ui.text_in(rect, Align::Left, color, &row.to_string());
        }
    });
}
