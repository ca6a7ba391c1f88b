//! The overlay of the crowd view: its buttons, and what it shows.

use crate::editor::panels::ui::figures::thousands;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::mode_bar::{ButtonRow, hint};
use crate::editor::session::crowd::{CrowdAction, CrowdClips, CrowdView};

/// Draws the overlay. Returns whether the mouse is over it.
pub fn crowd_ui(ui: &Ui<'_>, crowd: &CrowdView, area: Rect) -> bool {
    let mut row = ButtonRow::new(ui, area, 10.0);
    row.command("Leave crowd", Command::Crowd, Tone::On);
    let clips = if crowd.clips == CrowdClips::This { "This clip" } else { "All looping clips" };
    row.command(clips, Command::CrowdClips, Tone::Clear);
    for count in CrowdView::COUNTS {
        let tone = if count == crowd.count { Tone::On } else { Tone::Clear };
        if row.button(&thousands(count), &format!("crowd-{count}"), tone) {
            ui.send(CrowdAction::Count(count));
        }
    }
    hint(ui, &text(ui, crowd), area);
    row.is_over
}

fn text(ui: &Ui<'_>, crowd: &CrowdView) -> String {
    let Some(clip) = ui.clip() else { return "Open a clip to see a crowd that plays it     Esc  leave".to_owned() };
    let vertices = ui.model().map_or(0, |model| model.shown_vertices());
    let count = thousands(crowd.count);
    let clips = if crowd.clips == CrowdClips::This { clip.name.as_str() } else { "all looping clips" };
    let moving = if ui.session.focus.playhead.is_playing { "" } else { "     Space  play" };
    format!("{count} × {clips}     {} vertices{moving}     Esc  leave", thousands(vertices * crowd.count))
}
