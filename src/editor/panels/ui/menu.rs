//! Entries of menus and context menus, with the key that does the same.

use imgui::{StyleStackToken, StyleVar};

use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::Kit;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::theme::mixed;
use crate::editor::session::command::Command;

/// Room around the entries; call before the popup begins.
pub fn padding<'a>(kit: &Kit<'a>) -> [StyleStackToken<'a>; 2] {
    [
        kit.ui.push_style_var(StyleVar::WindowPadding([8.0, 8.0])),
        kit.ui.push_style_var(StyleVar::ItemSpacing([8.0, 6.0])),
    ]
}

/// A line between groups.
pub fn separator(kit: &Kit<'_>) {
    let _line = kit.push_style_color(imgui::StyleColor::Separator, mixed(kit.theme.line, kit.theme.dim, 0.35));
    kit.separator();
}

/// An entry.
pub fn item(kit: &Kit<'_>, label: &str, key: &str) -> bool {
    kit.menu_item_config(label).shortcut(key).build()
}

/// An entry with a tick.
pub fn choice(kit: &Kit<'_>, label: &str, is_chosen: bool) -> bool {
    kit.menu_item_config(label).selected(is_chosen).build()
}

/// A command of the catalogue, grey where it cannot run now.
pub fn command(kit: &Kit<'_>, seen: &Seen<'_>, command: Command, out: &mut Out) {
    let (can_run, is_on) = (seen.can_run(command), command.is_on(seen.editor).unwrap_or(false));
    let key = seen.key_of(command);
    let is_chosen = kit.menu_item_config(command.label()).shortcut(key).selected(is_on).enabled(can_run).build();
    kit.item(command.label());
    if is_chosen {
        out.run(command);
    }
}
