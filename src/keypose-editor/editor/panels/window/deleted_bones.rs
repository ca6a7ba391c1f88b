//! The question whether bones are deleted although clips lose keys.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::prompts::{answers, content_width, modal};
use crate::editor::session::rig::{PendingDelete, RigAction};

const WIDTH: f32 = 460.0;
/// Clips that are shown at once; more scroll.
const MAX_SHOWN: usize = 10;

/// Draws the question.
pub fn deleted_bones_ui(ui: &Ui<'_>, pending: &PendingDelete) {
    let width = content_width(WIDTH);
    let answer = modal(ui, "Delete bones?", WIDTH, |form| {
        let _wrap = ui.push_text_wrap_pos();
        ui.text_colored(ui.theme.quiet, format!("These clips lose the keys of {}:", pending.named));
        let height = ROW * pending.clips.len().clamp(1, MAX_SHOWN) as f32 + 8.0;
        ui.child_window("##deleted-bones").size([width, height]).build(|| {
            for (clip, keys) in &pending.clips {
                let rect = ui.take_line(ROW - 8.0);
                ui.text_in(rect, Align::Left, ui.theme.text, clip);
                ui.text_in(rect, Align::Right, ui.theme.quiet, &counted(*keys, "key"));
            }
        });
        let buttons = [Button::new("Delete", "bones-delete", ""), Button::new("Cancel", "bones-keep", "")];
        answers(form, &[&buttons]).map(|at| at == 0)
    });
    if let Some(is_confirmed) = answer.flatten() {
        ui.send(RigAction::AnswerDelete { is_confirmed });
    }
}
