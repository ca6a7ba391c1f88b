//! The overlay of the side-scroller bench: its buttons and the speed of the ground.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::mode_bar::{ButtonRow, hint};
use crate::editor::session::bench::{Bench, BenchAction, Facing, Fill};
use crate::editor::view::bench::speed;

/// Draws the overlay, and sends the height of the window, which the game would fill.
pub fn bench_ui(ui: &Ui<'_>, bench: &Bench, area: Rect, scale: f32) {
    let window = ui.io().display_size[1] * scale;
    if window != bench.window_height {
        ui.send(BenchAction::Window(window));
    }
    let facing = if bench.facing == Facing::Right { "Faces right" } else { "Faces left" };
    let fill = if bench.fill == Fill::Silhouette { "Silhouette" } else { "Surface" };
    let mut row = ButtonRow::new(ui, area, 10.0);
    row.command("Leave bench", Command::Bench, Tone::On);
    row.command(facing, Command::FlipBench, Tone::Clear);
    row.command(fill, Command::BenchSilhouette, Tone::Clear);
    if ui.session.transient.pose.blend().is_none() && ui.session.transient.pose.retargeting().is_none() {
        hint(ui, &text(ui), area);
    }
}

/// The text about the clip and its speed.
fn text(ui: &Ui<'_>) -> String {
    let speed = speed(ui.editor.source(), ui.view);
    let moves = if ui.clip().is_none() {
        "rest pose".to_owned()
    } else if speed == 0.0 {
        "in place".to_owned()
    } else {
        format!("{:.2} m/s {}", speed.abs(), if speed > 0.0 { "forwards" } else { "backwards" })
    };
    let name = ui.clip().map(|clip| format!("{}: ", clip.name)).unwrap_or_default();
    format!("{name}{moves}     at its size in the game     Esc  leave")
}
