//! The overlay of the crowd view: its buttons, and what it shows.

use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::panels::window::status_bar::thousands;
use crate::editor::session::command::Command;
use crate::editor::session::crowd::{CrowdAction, CrowdClips, CrowdView};
use crate::render::frame::crowd::Animation;

/// Draws the overlay. Returns whether the mouse is over it.
pub fn crowd_ui(ui: &Ui<'_>, crowd: &CrowdView, area: Rect) -> bool {
    let mut row = Row { ui, x: area.min[0] + 10.0, y: area.min[1] + 10.0, right: area.max[0] - 110.0, is_over: false };
    let mut command = |text: &str, command: Command, tone: Tone| {
        if row.button(text, &format!("{command:?}"), tone) {
            ui.run(command);
        }
    };
    command("Leave crowd", Command::Crowd, Tone::On);
    let clips = if crowd.clips == CrowdClips::This { "This clip" } else { "All looping clips" };
    command(clips, Command::CrowdClips, Tone::Clear);
    let poses = if crowd.animation == Animation::Textures { "Poses from textures" } else { "Poses from the processor" };
    command(poses, Command::CrowdPoses, Tone::Clear);
    for count in CrowdView::COUNTS {
        let tone = if count == crowd.count { Tone::On } else { Tone::Clear };
        if row.button(&thousands(count), &format!("crowd-{count}"), tone) {
            ui.send(CrowdAction::Count(count));
        }
    }
    hint(ui, &text(ui, crowd), area);
    row.is_over
}

/// Buttons from left to right while there is room.
struct Row<'a> {
    ui: &'a Ui<'a>,
    x: f32,
    y: f32,
    right: f32,
    is_over: bool,
}

impl Row<'_> {
    fn button(&mut self, text: &str, id: &str, tone: Tone) -> bool {
        let rect = Rect::at([self.x, self.y], [self.ui.calc_text_size(text)[0] + 26.0, 24.0]);
        if rect.max[0] > self.right {
            return false;
        }
        self.x = rect.max[0] + 4.0;
        self.is_over |= rect.contains(self.ui.io().mouse_pos);
        self.ui.fill(rect, faded(self.ui.theme.bar, 0.92), 5.0);
        widgets::button_at(self.ui, rect, &format!("{text}##{id}"), tone)
    }
}

/// What is shown.
fn text(ui: &Ui<'_>, crowd: &CrowdView) -> String {
    let Some(clip) = ui.clip() else { return "Open a clip to see a crowd that plays it     Esc  leave".to_owned() };
    let vertices: usize = ui.model().map_or(0, |model| model.meshes.iter().map(|slot| slot.mesh.positions.len()).sum());
    let count = thousands(crowd.count);
    let clips = if crowd.clips == CrowdClips::This { clip.name.as_str() } else { "all looping clips" };
    let moving = if ui.session.focus.playhead.is_playing { "" } else { "     Space  play" };
    format!("{count} × {clips}     {} vertices{moving}     Esc  leave", thousands(vertices * crowd.count))
}

/// Draws a line of text at the lower edge.
fn hint(ui: &Ui<'_>, text: &str, area: Rect) {
    let width = (ui.calc_text_size(text)[0] + 28.0).min(area.size()[0] - 16.0);
    let rect = Rect::at([area.center()[0] - width / 2.0, area.max[1] - 36.0], [width, 26.0]);
    ui.fill(rect, faded(ui.theme.ground, 0.75), 13.0);
    ui.text_in(rect.inset(10.0, 0.0), Align::Center, ui.theme.text, text);
}
