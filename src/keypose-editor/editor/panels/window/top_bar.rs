//! The top bar: menus, document name, command search, edit and play mode.

use crate::editor::commands::{CATALOGUE, Menu};
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::layout::{Panel, TOP_BAR};
use crate::editor::state::LockedFile;

/// Minimum room for the command search; with less it is an icon.
const ROOM_FOR_FIND: f32 = 330.0;
/// Minimum width for the name of the program and the key of the game.
const ROOM_FOR_ALL: f32 = 780.0;
/// Minimum room for the document's name.
const ROOM_FOR_NAME: f32 = 90.0;

/// Draws the bar. Returns the panel that the user wants to see.
pub fn top_bar_ui(ui: &Ui<'_>) -> Option<Panel> {
    let mut show = None;
    let width = ui.content_region_avail()[0];
    let top = ui.cursor_screen_pos();
    let menus_end = menus(ui, top, &mut show);
    let modes_width = if width < ROOM_FOR_ALL { 108.0 } else { 160.0 };
    let modes = Rect::at([top[0] + width - modes_width - 8.0, top[1] + 5.0], [modes_width, TOP_BAR - 10.0]);
    mode_switch(ui, modes);
    let find_width = if modes.min[0] - menus_end < ROOM_FOR_FIND { 36.0 } else { 156.0 };
    let finder = Rect::at([modes.min[0] - find_width - 10.0, modes.min[1]], [find_width, modes.size()[1]]);
    find_field(ui, finder);
    document_name(ui, Rect { min: [menus_end, top[1]], max: [finder.min[0] - 8.0, top[1] + TOP_BAR] }, width);
    show
}

/// Draws "Keypose" and the menus. Returns their right edge.
fn menus(ui: &Ui<'_>, top: [f32; 2], show: &mut Option<Panel>) -> f32 {
    let (mut x, mut padding) = (top[0] + 8.0, 14.0);
    if ui.content_region_avail()[0] >= ROOM_FOR_ALL {
        padding = 20.0;
        let rect = Rect::at([top[0] + 12.0, top[1]], [80.0, TOP_BAR]);
        ui.text_in_font(ui.fonts.bold, rect, Align::Left, ui.theme.accent, "Keypose");
        x = top[0] + 88.0;
    }
    for wanted in Menu::ALL {
        let width = ui.calc_text_size(wanted.name())[0] + padding;
        let popup = format!("##menu-{}", wanted.name());
        if menu_title(ui, wanted, Rect::at([x, top[1] + 5.0], [width, TOP_BAR - 10.0])) {
            ui.open_popup(&popup);
        }
        sys::place_next(ui.imgui, [x, top[1] + TOP_BAR], [0.0; 2]);
        if let Some(_popup) = menu::popup(ui, &popup) {
            entries(ui, wanted, show);
        }
        x += width + 2.0;
    }
    x
}

/// Draws the title of a menu. It opens on a click, or on hover while another menu is open.
fn menu_title(ui: &Ui<'_>, menu: Menu, rect: Rect) -> bool {
    let is_open = |menu: Menu| sys::is_popup_open(ui.imgui, &format!("##menu-{}", menu.name()));
    let is_pressed = ui.button_in(menu.name(), rect);
    if is_open(menu) || ui.is_item_hovered() {
        ui.fill(rect, ui.theme.field, 5.0);
    }
    ui.text_in(rect, Align::Center, ui.theme.text, menu.name());
    let other_is_open = Menu::ALL.into_iter().any(|other| other != menu && is_open(other));
    is_pressed || (rect.contains(ui.io().mouse_pos) && other_is_open)
}

/// Draws the commands of a menu, its submenus below the others.
fn entries(ui: &Ui<'_>, wanted: Menu, show: &mut Option<Panel>) {
    let rows = || CATALOGUE.iter().filter(move |def| def.menu == wanted);
    let submenus = wanted.submenus();
    let mut group = None;
    for def in rows().filter(|def| submenus.iter().all(|(submenu, _)| *submenu != def.group)) {
        if group.is_some_and(|group| group != def.group) {
            menu::separator(ui);
        }
        group = Some(def.group);
        menu::command(ui, def.command);
        if def.command == Command::OpenDemo {
            recent_entries(ui);
        }
    }
    if !submenus.is_empty() {
        menu::separator(ui);
    }
    for &(group, name) in submenus {
        if let Some(_menu) = ui.begin_menu(name) {
            rows().filter(|def| def.group == group).for_each(|def| menu::command(ui, def.command));
        }
    }
    if wanted == Menu::View {
        panel_entries(ui, show);
    }
}

/// Draws the recent files; missing ones are disabled.
fn recent_entries(ui: &Ui<'_>) {
    let recent = &ui.session.workspace.preferences.recent;
    let Some(_menu) = ui.begin_menu_with_enabled("Open recent", !recent.is_empty()) else { return };
    for (at, file) in recent.iter().enumerate() {
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        let folder = file.parent().map(|folder| folder.to_string_lossy()).unwrap_or_default();
        let is_there = !ui.session.workspace.is_missing(file);
        let folder = ui.fitted(&folder, 320.0);
        let entry = ui.menu_item_config(menu::shown(&format!("{name}##recent{at}"))).shortcut(folder).enabled(is_there);
        if entry.build() {
            ui.send(FileAction::Open(Some(file.clone())));
        }
    }
}

fn panel_entries(ui: &Ui<'_>, show: &mut Option<Panel>) {
    if let Some(_menu) = ui.begin_menu("Panels") {
        for panel in Panel::ALL {
            if menu::item(ui, panel.name(), "") {
                *show = Some(panel);
            }
        }
    }
}

/// Draws the document's name in the middle if there is room, with an orange dot if it has unsaved changes.
fn document_name(ui: &Ui<'_>, room: Rect, width: f32) {
    if room.width() < ROOM_FOR_NAME {
        if ui.editor.is_dirty() && room.width() > 8.0 {
            ui.dot(room.center(), 4.0, ui.theme.draft);
        }
        return;
    }
    let _font = ui.with_font(ui.fonts.bold);
    let name = if ui.editor.title.is_empty() { "untitled" } else { &ui.editor.title };
    let locked = ui.editor.locked.as_ref();
    let name = if locked.is_some() { &format!("{name} (read-only)") } else { name };
    let text = ui.fitted(name, (room.size()[0] - 34.0).max(20.0));
    let size = ui.calc_text_size(&text)[0];
    let x = (width / 2.0 - size / 2.0).clamp(room.min[0] + 8.0, (room.max[0] - size - 24.0).max(room.min[0] + 8.0));
    let rect = room.with_x(x, x + size + 1.0);
    ui.text_in(rect, Align::Left, if locked.is_some() { ui.theme.draft } else { ui.theme.text }, &text);
    if let Some(LockedFile { path, holder }) = locked {
        ui.set_cursor_screen_pos(rect.min);
        ui.dummy(rect.size());
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let text = format!(
            "{file} is open in another Keypose ({holder}), so it is read-only here:\nyou can edit, and save to another file \
             with Save as"
        );
        ui.tip(&text, "");
    }
    if ui.editor.is_dirty() {
        ui.dot([rect.max[0] + 11.0, rect.center()[1]], 4.0, ui.theme.draft);
    }
}

fn find_field(ui: &Ui<'_>, rect: Rect) {
    if ui.button_in("find", rect) {
        ui.run(Command::FindCommand);
    }
    ui.field_ground(rect);
    let inner = rect.trim_left(10.0).trim_right(8.0);
    let key = ui.key_of(Command::FindCommand);
    if rect.size()[0] < 100.0 {
        ui.text_in(rect, Align::Center, ui.theme.quiet, &icon(Icon::Search));
    } else {
        ui.text_in(inner, Align::Left, ui.theme.quiet, "Find command");
        ui.text_in(inner, Align::Right, ui.theme.dim, &key);
    }
    ui.tip("Search all commands", &key);
}

fn mode_switch(ui: &Ui<'_>, rect: Rect) {
    ui.fill(rect, ui.theme.field, 5.0);
    let [edit, play] = [0, 1].map(|at| rect.column(at, 2, 0.0));
    widgets::button_at(ui, edit, "Edit##mode-edit", Tone::On);
    let (key, command) = (ui.key_of(Command::PlayTest), Command::PlayTest);
    let text = if rect.width() < 140.0 { "Play".to_owned() } else { format!("Play  {key}") };
    let tip = "Play the current document in the game";
    widgets::command_button_about(ui, play, &format!("{text}##mode-play"), Tone::Bare, command, tip);
}
