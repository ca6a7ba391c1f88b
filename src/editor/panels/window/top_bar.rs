//! The bar at the top: menus, the document's name with its unsaved dot, command search, edit and play.

use imgui::StyleVar;
use lucide_icons::Icon;

use crate::editor::commands::{CATALOGUE, Menu};
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::panels::window::layout::{Panel, TOP_BAR};
use crate::editor::session::command::Command;
use crate::editor::state::action::FileAction;

/// What the bar asks of the panels themselves.
#[derive(Debug, Default)]
pub struct TopBarTouch {
    /// A panel is to come to the front.
    pub show: Option<Panel>,
}

/// With less room between menus and modes, the command search is only its icon.
const ROOM_FOR_FIND: f32 = 330.0;

/// The bar's contents.
pub fn top_bar_ui(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) -> TopBarTouch {
    let mut touch = TopBarTouch::default();
    let width = kit.content_region_avail()[0];
    let top = kit.cursor_screen_pos();
    let menus_end = menus(kit, seen, top, &mut touch, out);
    let modes = Rect::at([top[0] + width - 168.0, top[1] + 5.0], [160.0, TOP_BAR - 10.0]);
    mode_switch(kit, seen, modes, out);
    let find_width = if modes.min[0] - menus_end < ROOM_FOR_FIND { 36.0 } else { 156.0 };
    let finder = Rect::at([modes.min[0] - find_width - 10.0, modes.min[1]], [find_width, modes.size()[1]]);
    find_field(kit, seen, finder, out);
    document_name(kit, seen, Rect { min: [menus_end, top[1]], max: [finder.min[0] - 8.0, top[1] + TOP_BAR] }, width);
    touch
}

/// "Keypose" and the menus; where they end.
fn menus(kit: &Kit<'_>, seen: &Seen<'_>, top: [f32; 2], touch: &mut TopBarTouch, out: &mut Out) -> f32 {
    {
        let _font = kit.with_font(kit.fonts.bold);
        let rect = Rect::at([top[0] + 12.0, top[1]], [80.0, TOP_BAR]);
        kit.text_in(rect, Align::Left, kit.theme.accent, "Keypose");
    }
    let mut x = top[0] + 88.0;
    for wanted in Menu::ALL {
        let width = kit.calc_text_size(wanted.name())[0] + 20.0;
        kit.set_cursor_screen_pos([x, top[1] + 5.0]);
        if menu_title(kit, wanted.name(), width) {
            kit.open_popup(format!("##menu-{}", wanted.name()));
        }
        let below = [x, top[1] + TOP_BAR];
        crate::editor::panels::ui::sys::place_next_popup(kit.ui, below);
        let _padding = menu::padding(kit);
        if let Some(_popup) = kit.begin_popup(format!("##menu-{}", wanted.name())) {
            entries(kit, seen, wanted, touch, out);
        }
        x += width + 2.0;
    }
    x
}

/// A title opens its menu by a click; while one is open, hovering another is enough.
fn menu_title(kit: &Kit<'_>, name: &str, width: f32) -> bool {
    let is_open = crate::editor::panels::ui::sys::is_popup_open(kit.ui, &format!("##menu-{name}"));
    let is_pressed = kit.invisible_button(format!("##title-{name}"), [width, TOP_BAR - 10.0]);
    let rect = kit.item(name);
    let is_over = rect.contains(kit.io().mouse_pos);
    if is_open || kit.is_item_hovered() {
        kit.fill(rect, kit.theme.field, 5.0);
    }
    kit.text_in(rect, Align::Center, kit.theme.text, name);
    let other_is_open = Menu::ALL.iter().any(|menu| {
        menu.name() != name && crate::editor::panels::ui::sys::is_popup_open(kit.ui, &format!("##menu-{}", menu.name()))
    });
    is_pressed || (is_over && other_is_open)
}

fn entries(kit: &Kit<'_>, seen: &Seen<'_>, wanted: Menu, touch: &mut TopBarTouch, out: &mut Out) {
    let mut group = None;
    for def in CATALOGUE.iter().filter(|def| def.menu == wanted) {
        if submenu(def.command).is_some() {
            continue;
        }
        if group.is_some_and(|group| group != def.group) {
            menu::separator(kit);
        }
        group = Some(def.group);
        menu::command(kit, seen, def.command, out);
        if def.command == Command::OpenDemo {
            recent_entries(kit, seen, out);
        }
    }
    if wanted == Menu::View {
        menu::separator(kit);
        for name in
            ["Shading", "Overlays", "Ghosts", "Motion trails", "Tool", "Axes", "Look from", "Theme", "Size", "Layout"]
        {
            submenu_entries(kit, seen, name, out);
        }
        panel_entries(kit, touch);
    }
}

/// Long rows of alternatives stand in a menu of their own.
fn submenu(command: Command) -> Option<&'static str> {
    use Command as C;
    match command {
        C::ToolSelect | C::ToolMove | C::ToolRotate | C::ToolScale | C::ToolReach => Some("Tool"),
        C::SpaceLocal | C::SpaceParent | C::SpaceModel | C::SpaceView => Some("Axes"),
        C::LookFront | C::LookBack | C::LookRight | C::LookLeft | C::LookTop | C::LookBottom | C::LookGame => {
            Some("Look from")
        }
        C::ShadeLit | C::ShadeFlat | C::ToggleWireframe | C::ToggleXRay | C::ShadeWeights | C::ShadeBoneColors => {
            Some("Shading")
        }
        C::ShadeNormals | C::ShowRestPose | C::ShowBindPose => Some("Shading"),
        C::ToggleOverlays | C::ToggleSkeleton | C::ToggleBoneNames | C::ToggleBoneAxes | C::ToggleGrid => {
            Some("Overlays")
        }
        C::ToggleStats => Some("Overlays"),
        C::ToggleOnionSkin | C::GhostNeighbours | C::MoreGhosts | C::FewerGhosts | C::GhostSelected => Some("Ghosts"),
        C::ToggleTrails | C::KeepTrail | C::DropTrails => Some("Motion trails"),
        C::DropGhosts | C::GhostOtherClip | C::GhostMirror | C::GhostSaved => Some("Ghosts"),
        C::ThemeDark | C::ThemeLight => Some("Theme"),
        C::LargerScale | C::SmallerScale | C::NormalScale => Some("Size"),
        C::ArrangePosing | C::ArrangeTiming | C::ArrangeGame | C::ResetLayout => Some("Layout"),
        _ => None,
    }
}

fn submenu_entries(kit: &Kit<'_>, seen: &Seen<'_>, name: &str, out: &mut Out) {
    let Some(_menu) = kit.begin_menu(name) else { return };
    for def in CATALOGUE.iter().filter(|def| submenu(def.command) == Some(name)) {
        menu::command(kit, seen, def.command, out);
    }
}

/// Files that were opened lately; those that are gone are grey.
fn recent_entries(kit: &Kit<'_>, seen: &Seen<'_>, out: &mut Out) {
    let recent = &seen.session.workspace.preferences.recent;
    let Some(_menu) = kit.begin_menu_with_enabled("Open recent", !recent.is_empty()) else { return };
    for (at, file) in recent.iter().enumerate() {
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        let folder = file.parent().map(|folder| folder.to_string_lossy()).unwrap_or_default();
        let is_there = !seen.session.workspace.missing.contains(file);
        let folder = kit.fitted(&folder, 320.0);
        let entry = kit.menu_item_config(format!("{name}##recent{at}")).shortcut(folder).enabled(is_there);
        if entry.build() {
            out.push(FileAction::Open(Some(file.clone())));
        }
    }
}

fn panel_entries(kit: &Kit<'_>, touch: &mut TopBarTouch) {
    if let Some(_menu) = kit.begin_menu("Panels") {
        for panel in Panel::ALL {
            if menu::item(kit, panel.name(), "") {
                touch.show = Some(panel);
            }
        }
    }
}

/// In the middle of the window where there is room; an orange dot says that it is not saved.
fn document_name(kit: &Kit<'_>, seen: &Seen<'_>, room: Rect, width: f32) {
    let _font = kit.with_font(kit.fonts.bold);
    let name = if seen.editor.title.is_empty() { "untitled" } else { &seen.editor.title };
    let held = seen.editor.held.as_ref();
    let name = if held.is_some() { &format!("{name} (read-only)") } else { name };
    let text = kit.fitted(name, (room.size()[0] - 40.0).max(20.0));
    let size = kit.calc_text_size(&text)[0];
    let x = (width / 2.0 - size / 2.0).clamp(room.min[0] + 8.0, (room.max[0] - size - 24.0).max(room.min[0] + 8.0));
    let rect = Rect { min: [x, room.min[1]], max: [x + size + 1.0, room.max[1]] };
    kit.text_in(rect, Align::Left, if held.is_some() { kit.theme.draft } else { kit.theme.text }, &text);
    if let Some(held) = held {
        kit.set_cursor_screen_pos(rect.min);
        kit.dummy(rect.size());
        kit.tip(&held.to_string().replace(": ", ":\n"), "");
    }
    if seen.editor.is_dirty() {
        kit.draw().add_circle([rect.max[0] + 11.0, rect.center()[1]], 4.0, kit.theme.draft).filled(true).build();
    }
}

fn find_field(kit: &Kit<'_>, seen: &Seen<'_>, rect: Rect, out: &mut Out) {
    kit.set_cursor_screen_pos(rect.min);
    if kit.invisible_button("##find", rect.size()) {
        out.run(Command::FindCommand);
    }
    kit.item("find");
    let ground = if kit.is_item_hovered() { kit.theme.field_hovered } else { kit.theme.field };
    kit.fill(rect, ground, 5.0);
    let inner = Rect { min: [rect.min[0] + 10.0, rect.min[1]], max: [rect.max[0] - 8.0, rect.max[1]] };
    let key = seen.key_of(Command::FindCommand);
    if rect.size()[0] < 100.0 {
        kit.text_in(rect, Align::Center, kit.theme.quiet, &icon(Icon::Search));
    } else {
        kit.text_in(inner, Align::Left, kit.theme.quiet, "Find a command");
        kit.text_in(inner, Align::Right, kit.theme.dim, &key);
    }
    kit.tip("Find any command by its name", &key);
}

fn mode_switch(kit: &Kit<'_>, seen: &Seen<'_>, rect: Rect, out: &mut Out) {
    let _spacing = kit.push_style_var(StyleVar::ItemSpacing([0.0; 2]));
    kit.fill(rect, kit.theme.field, 5.0);
    kit.set_cursor_screen_pos(rect.min);
    let half = [rect.size()[0] / 2.0, rect.size()[1]];
    widgets::button(kit, "Edit##mode-edit", half, Tone::On);
    kit.set_cursor_screen_pos([rect.min[0] + half[0], rect.min[1]]);
    let key = seen.key_of(Command::PlayTest);
    if widgets::button(kit, &format!("Play  {key}##mode-play"), half, Tone::Bare) {
        out.run(Command::PlayTest);
    }
    kit.tip("Play this document in the game", &key);
}
