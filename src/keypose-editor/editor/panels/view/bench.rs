//! The overlay of the side-scroller bench: its buttons and the speed of the ground.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::mode_bar::hint;
use crate::editor::session::bench::{Bench, BenchAction, Facing, Fill};
use crate::editor::view::bench::speed;

/// Draws the overlay, and sends the height of the window, which the game would fill.
pub fn bench_ui(ui: &Ui<'_>, bench: &Bench, area: Rect, scale: f32) {
    let window = ui.io().display_size[1] * scale;
    if window != bench.window_height {
        ui.send(BenchAction::Window(window));
    }
    let mut x = area.min[0] + 10.0;
    let facing = if bench.facing == Facing::Right { "Faces right" } else { "Faces left" };
    let fill = if bench.fill == Fill::Silhouette { "Silhouette" } else { "Surface" };
    let buttons = [
        ("Leave bench", Command::Bench, Tone::On),
        (facing, Command::FlipBench, Tone::Clear),
        (fill, Command::BenchSilhouette, Tone::Clear),
    ];
    for (text, command, tone) in buttons {
        let rect = Rect::at([x, area.min[1] + 10.0], [ui.calc_text_size(text)[0] + 26.0, 24.0]);
        x = rect.max[0] + 4.0;
        ui.fill(rect, faded(ui.theme.bar, 0.92), 5.0);
        if widgets::button_at(ui, rect, &format!("{text}##{command:?}"), tone) {
            ui.run(command);
        }
        ui.tip_command(command);
    }
    if ui.session.transient.pose.blend().is_none() && ui.session.transient.pose.retargeting().is_none() {
        hint(ui, &text(ui, bench), area);
    }
}

/// The text about the clip and its speed.
fn text(ui: &Ui<'_>, bench: &Bench) -> String {
    let speed = speed(ui.editor.source(), ui.view);
    let moves = match () {
        _ if ui.clip().is_none() => "rest pose".to_owned(),
        _ if speed == 0.0 => "in place".to_owned(),
        _ => format!("{:.2} m/s {}", speed.abs(), if speed > 0.0 { "forwards" } else { "backwards" }),
    };
    let name = ui.clip().map(|clip| format!("{}: ", clip.name)).unwrap_or_default();
    let share = match bench.window_height > 0.0 {
        true => "in the size of the game",
        false => "in the size of the game",
    };
    format!("{name}{moves}     {share}     Esc  leave")
}
