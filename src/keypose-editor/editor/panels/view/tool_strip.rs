//! The tools for bones at the left edge of the viewport, each with its key.

use crate::editor::panels::ui::prelude::*;
use crate::editor::session::tool::Tool;

/// A tool: its sign, whether it is chosen, what a click does, and the command with its name and key.
type Entry = (Icon, bool, Action, Command);

/// Draws the tools for bones. Returns their rectangle.
pub fn bone_tools(ui: &Ui<'_>, area: Rect) -> Rect {
    let tools = [
        (Icon::MousePointer2, Tool::Select, Command::ToolSelect),
        // These keys start the transform immediately; the tool shows its handles.
        (Icon::Move, Tool::Move, Command::Move),
        (Icon::RotateCw, Tool::Rotate, Command::Rotate),
        (Icon::Scaling, Tool::Scale, Command::Scale),
        (Icon::Spline, Tool::Reach, Command::Reach),
    ];
    let chosen = ui.session.workspace.tool;
    strip(ui, area, tools.map(|(sign, tool, command)| (sign, tool == chosen, ToolAction::Set(tool).into(), command)))
}

fn strip<const N: usize>(ui: &Ui<'_>, area: Rect, tools: [Entry; N]) -> Rect {
    // Without room for the keys, only the tooltips show them.
    let is_high = area.size()[1] >= 40.0 * N as f32 + 20.0;
    let room = (area.height() - 14.0) / N as f32;
    let (side, high) = (34.0, if is_high { 40.0 } else { room.clamp(16.0, 30.0) });
    let strip = Rect::at([area.min[0] + 10.0, area.min[1] + if is_high { 10.0 } else { 7.0 }], [side, high * N as f32]);
    ui.fill(strip, faded(ui.theme.bar, 0.92), 6.0);
    let mut rest = strip;
    for (at, (sign, is_on, action, command)) in tools.into_iter().enumerate() {
        let rect = rest.cut_top(high, 0.0).shrunk(2.0);
        if ui.button_in(&format!("tool{at}"), rect) {
            ui.send(action);
        }
        let ink = tool_ground(ui, rect, is_on);
        let key = ui.key_of(command);
        ui.text_in(rect.trim_bottom(if is_high { 11.0 } else { 0.0 }), Align::Center, ink, &icon(sign));
        if is_high {
            let ink = if is_on { ink } else { ui.theme.quiet };
            ui.text_in_font(ui.fonts.small, rect.bottom(16.0), Align::Center, ink, &key);
        }
        ui.tip(command.label(), &key);
    }
    ui.mark(|| "tools".into(), strip);
    strip
}

fn tool_ground(ui: &Ui<'_>, rect: Rect, is_on: bool) -> [f32; 4] {
    if is_on {
        ui.fill(rect, ui.theme.accent, 5.0);
        return ui.theme.on_accent;
    }
    if ui.is_item_hovered() {
        ui.fill(rect, ui.theme.field_hovered, 5.0);
    }
    ui.theme.text
}
