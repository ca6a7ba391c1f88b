//! Entries of menus and context menus, with their keys.

use imgui::{PopupToken, StyleStackToken, StyleVar};

use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::mixed;
use crate::editor::panels::ui::widgets::{self, Tone};
use crate::editor::session::command::Command;
use keypose::assets::printable::printable;

/// The style of menus; push it before the popup begins.
pub fn padding<'a>(ui: &Ui<'a>) -> [StyleStackToken<'a>; 2] {
    [
        ui.imgui.push_style_var(StyleVar::WindowPadding([8.0, 8.0])),
        ui.imgui.push_style_var(StyleVar::ItemSpacing([8.0, 6.0])),
    ]
}

/// An open popup and its style.
pub type Popup<'a> = (PopupToken<'a>, [StyleStackToken<'a>; 2]);

/// Begins an open popup in the style of menus.
pub fn popup<'a>(ui: &Ui<'a>, id: impl AsRef<str>) -> Option<Popup<'a>> {
    let style = padding(ui);
    ui.imgui.begin_popup(id).map(|popup| (popup, style))
}

/// A context menu, and what it is about.
#[derive(Debug)]
pub struct ContextMenu<K> {
    of: Option<K>,
    is_wanted: bool,
}

impl<K> Default for ContextMenu<K> {
    fn default() -> ContextMenu<K> {
        ContextMenu { of: None, is_wanted: false }
    }
}

impl<K: Clone> ContextMenu<K> {
    /// Opens the menu when it is next drawn.
    pub fn open(&mut self, of: K) {
        (self.of, self.is_wanted) = (Some(of), true);
    }

    /// Begins the menu if it is open. Returns what it is about.
    pub fn begin<'a>(&mut self, ui: &Ui<'a>, id: &str) -> Option<(K, Popup<'a>)> {
        if std::mem::take(&mut self.is_wanted) {
            ui.open_popup(id);
        }
        let of = self.of.clone()?;
        popup(ui, id).map(|popup| (of, popup))
    }
}

/// Draws a button that opens a menu.
pub fn button(ui: &Ui<'_>, place: Rect, label: &str, tone: Tone, tip: &str, key: &str, entries: impl FnOnce()) {
    let popup_id = format!("##menu-of-{}", label.rsplit_once("##").map_or(label, |(_, id)| id));
    if widgets::button_at(ui, place, label, tone) {
        ui.open_popup(&popup_id);
    }
    ui.tip(tip, key);
    if let Some(_popup) = popup(ui, &popup_id) {
        entries();
    }
}

/// Draws a line between groups.
pub fn separator(ui: &Ui<'_>) {
    let _line = ui.push_style_color(imgui::StyleColor::Separator, mixed(ui.theme.line, ui.theme.dim, 0.35));
    ui.separator();
}

/// Draws an entry. `label` may have "##id" behind the text.
pub fn item(ui: &Ui<'_>, label: &str, key: &str) -> bool {
    ui.menu_item_config(shown(label)).shortcut(printable(key)).build()
}

/// Draws an entry without a key, which tests find by its label.
pub fn entry(ui: &Ui<'_>, label: &str) -> bool {
    let is_chosen = item(ui, label, "");
    ui.item(label);
    is_chosen
}

/// Draws an entry with a check mark.
pub fn choice(ui: &Ui<'_>, label: &str, is_chosen: bool) -> bool {
    ui.menu_item_config(shown(label)).selected(is_chosen).build()
}

/// Draws the entries of commands, with a line between groups.
pub fn commands(ui: &Ui<'_>, groups: &[&[Command]]) {
    for (at, group) in groups.iter().enumerate() {
        if at > 0 {
            separator(ui);
        }
        for &command in *group {
            self::command(ui, command);
        }
    }
}

/// Draws the entry of a command, disabled if it can't run now.
pub fn command(ui: &Ui<'_>, command: Command) {
    let (can_run, is_on) = (ui.can_run(command), ui.is_on(command));
    let key = ui.key_of(command);
    let is_chosen = ui.menu_item_config(command.label()).shortcut(key).selected(is_on).enabled(can_run).build();
    ui.item(command.label());
    if is_chosen {
        ui.run(command);
    }
}

/// A label whose text is printable. Dear ImGui hides what follows "##": in the text, which may be a name, there is a space in it.
pub fn shown(label: &str) -> String {
    match label.rsplit_once("##") {
        Some((text, id)) => format!("{}##{}", printable(text).replace("##", "# #"), printable(id)),
        None => printable(label).into_owned(),
    }
}
