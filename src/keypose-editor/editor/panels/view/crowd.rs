//! The overlay of the crowd view: its buttons, and what it shows.

use crate::editor::panels::ui::figures::thousands;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::mode_bar::{ButtonRow, hint};
use crate::editor::session::crowd::{CrowdAction, CrowdClips, CrowdView};
use crate::render::frame::crowd::Meshes;
use keypose_tools::lod::Lods;

/// Draws the overlay. Returns whether the mouse is over it.
pub fn crowd_ui(ui: &Ui<'_>, crowd: &CrowdView, area: Rect) -> bool {
    let mut row = ButtonRow::new(ui, area, 10.0);
    row.command("Leave crowd", Command::Crowd, Tone::On);
    let clips = if crowd.clips == CrowdClips::This { "This clip" } else { "All looping clips" };
    row.command(clips, Command::CrowdClips, Tone::Clear);
    if has_coarser(ui) {
        let meshes = if crowd.meshes == Meshes::BySize { "Meshes by size" } else { "Finest meshes" };
        row.command(meshes, Command::CrowdMeshes, Tone::Clear);
    }
    for count in CrowdView::COUNTS {
        let tone = if count == crowd.count { Tone::On } else { Tone::Clear };
        if row.button(&thousands(count), &format!("crowd-{count}"), tone) {
            ui.send(CrowdAction::Count(count));
        }
    }
    hint(ui, &text(ui, crowd), area);
    row.is_over
}

fn has_coarser(ui: &Ui<'_>) -> bool {
    ui.model().is_some_and(|model| !Lods::of(model).is_empty())
}

fn text(ui: &Ui<'_>, crowd: &CrowdView) -> String {
    let Some(clip) = ui.clip() else { return "Open a clip to see a crowd that plays it     Esc  leave".to_owned() };
    let vertices = ui.model().map_or(0, |model| model.shown_vertices());
    let at_most = if has_coarser(ui) && crowd.meshes == Meshes::BySize { "up to " } else { "" };
    let count = thousands(crowd.count);
    let clips = if crowd.clips == CrowdClips::This { clip.name.as_str() } else { "all looping clips" };
    let moving = if ui.session.focus.playhead.is_playing { "" } else { "     Space  play" };
    format!("{count} × {clips}     {at_most}{} vertices{moving}     Esc  leave", thousands(vertices * crowd.count))
}
