//! What opens over everything on a key: the command search, the key menu, the list of keys, and who made this.

use imgui::{StyleVar, WindowFlags};

use crate::editor::commands;
use crate::editor::commands::{CATALOGUE, Menu};
use crate::editor::panels::model::mirror_table::{MirrorLocal, mirror_table_ui};
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::window::layout;
use crate::editor::panels::window::preferences::{PreferencesLocal, preferences_ui};
use crate::editor::session::Popup;
use crate::editor::session::command::Command;
use crate::editor::state::action::ProgramAction;

/// Rows of the command search that are shown.
const ROWS: usize = 12;

/// What the popups keep for themselves.
#[derive(Debug, Default)]
pub struct FinderLocal {
    query: String,
    at: usize,
    open: Option<Popup>,
    mirror: MirrorLocal,
    /// Of the window of preferences.
    pub preferences: PreferencesLocal,
}

/// Draws whichever popup the session asks for.
pub fn popups_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut FinderLocal, out: &mut Out) {
    let wanted = seen.session.transient.popup;
    if wanted != local.open {
        *local = FinderLocal { open: wanted, ..FinderLocal::default() };
        if let Some(popup) = wanted {
            kit.open_popup(id(popup));
        }
    }
    let Some(popup) = wanted else { return };
    let display = kit.io().display_size;
    let _padding = kit.push_style_var(StyleVar::WindowPadding([10.0, 10.0]));
    let place = |width: f32, top: f32| sys::place_next_top(kit.ui, [display[0] / 2.0, top], width);
    let is_open = match popup {
        Popup::Finder => {
            place(520.0, 60.0);
            kit.begin_popup(id(popup)).map(|_popup| finder_ui(kit, seen, local, out)).is_some()
        }
        Popup::KeyMenu => command_menu(kit, seen, popup, &KEY_MENU, out),
        Popup::EaseMenu => command_menu(kit, seen, popup, &EASE_MENU, out),
        Popup::TangentMenu => command_menu(kit, seen, popup, &TANGENT_MENU, out),
        Popup::Shortcuts => {
            place(760.0_f32.min(display[0] - 40.0), 50.0);
            kit.begin_popup(id(popup)).map(|_popup| shortcuts_ui(kit, seen)).is_some()
        }
        Popup::Preferences => {
            let width = 680.0_f32.min(display[0] - 40.0);
            place(width, 44.0);
            let mut body = || preferences_ui(kit, seen, &mut local.preferences, width - 20.0, out);
            kit.begin_popup(id(popup)).map(|_popup| body()).is_some()
        }
        Popup::MirrorTable => {
            let width = 560.0_f32.min(display[0] - 40.0);
            place(width, 60.0);
            let mut body = || mirror_table_ui(kit, seen, &mut local.mirror, width - 20.0, out);
            kit.begin_popup(id(popup)).map(|_popup| body()).is_some()
        }
        Popup::About => {
            place(460.0, 140.0);
            kit.begin_popup(id(popup)).map(|_popup| about_ui(kit)).is_some()
        }
    };
    if !is_open {
        local.open = None;
        out.push(ProgramAction::ShowPopup(None));
    }
}

fn id(popup: Popup) -> &'static str {
    match popup {
        Popup::Finder => "##finder",
        Popup::KeyMenu => "##key-menu",
        Popup::EaseMenu => "##ease-menu",
        Popup::TangentMenu => "##tangent-menu",
        Popup::Shortcuts => "##shortcuts",
        Popup::Preferences => "##preferences",
        Popup::MirrorTable => "##mirror-table",
        Popup::About => "##about",
    }
}

fn finder_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut FinderLocal, out: &mut Out) {
    if kit.is_window_appearing() {
        layout::focus_next(kit);
    }
    kit.set_next_item_width(500.0);
    let before = local.query.clone();
    let is_entered = {
        let _tall = kit.push_style_var(StyleVar::FramePadding([10.0, 6.0]));
        kit.input_text("##query", &mut local.query).hint("Find any command").enter_returns_true(true).build()
    };
    if local.query != before {
        local.at = 0;
    }
    let found = commands::search(&local.query);
    if kit.is_key_pressed(imgui::Key::DownArrow) {
        local.at += 1;
    }
    if kit.is_key_pressed(imgui::Key::UpArrow) {
        local.at = local.at.saturating_sub(1);
    }
    local.at = local.at.min(found.len().saturating_sub(1));
    if found.is_empty() {
        widgets::empty(kit, "No command has these words.", "");
    }
    let from = (local.at + 1).saturating_sub(ROWS);
    let mut chosen = found.get(local.at).copied().filter(|_| is_entered);
    for (at, &command) in found.iter().enumerate().skip(from).take(ROWS) {
        let touch = widgets::row(kit, &format!("find{at}"), at == local.at);
        finder_row(kit, seen, command, touch.rect);
        if touch.is_clicked {
            chosen = Some(command);
        }
    }
    if let Some(command) = chosen {
        out.push(ProgramAction::ShowPopup(None));
        out.run(command);
        kit.close_current_popup();
    }
}

fn finder_row(kit: &Kit<'_>, seen: &Seen<'_>, command: Command, rect: Rect) {
    let can_run = seen.can_run(command);
    let color = if can_run { kit.theme.text } else { kit.theme.dim };
    let inner = Rect { min: [rect.min[0] + 10.0, rect.min[1]], max: [rect.max[0] - 10.0, rect.max[1]] };
    kit.text_in(inner, Align::Left, color, command.label());
    let key = seen.key_of(command);
    kit.text_in(inner, Align::Right, kit.theme.quiet, &key);
    let middle = Rect { min: inner.min, max: [inner.max[0] - 130.0, inner.max[1]] };
    kit.text_in(middle, Align::Right, kit.theme.dim, command.def().menu.name());
}

/// `K`.
const KEY_MENU: [Command; 4] = [Command::KeyPose, Command::KeySelected, Command::KeyChanged, Command::DeleteKeyHere];
/// `T` over the time line.
const EASE_MENU: [Command; 3] = [Command::EaseStep, Command::EaseLinear, Command::EaseCubic];
/// `V` over the time line.
const TANGENT_MENU: [Command; 5] =
    [Command::TangentAuto, Command::TangentFlat, Command::TangentLinear, Command::TangentFree, Command::TangentBroken];

/// A small menu at the mouse; false where it is closed.
fn command_menu(kit: &Kit<'_>, seen: &Seen<'_>, popup: Popup, commands: &[Command], out: &mut Out) -> bool {
    let _padding = menu::padding(kit);
    let Some(_popup) = kit.begin_popup(id(popup)) else { return false };
    for &command in commands {
        let before = out.actions.len();
        menu::command(kit, seen, command, out);
        if out.actions.len() > before {
            out.push(ProgramAction::ShowPopup(None));
        }
    }
    true
}

/// Every command that has a key, in two columns, and what the mouse does.
fn shortcuts_ui(kit: &Kit<'_>, seen: &Seen<'_>) {
    {
        let _font = kit.with_font(kit.fonts.bold);
        kit.text("Keys and mouse");
    }
    let height = (kit.io().display_size[1] - 150.0).min(620.0);
    let child = kit.child_window("##keys").size([0.0, height]).flags(WindowFlags::empty());
    child.build(|| {
        let width = kit.content_region_avail()[0];
        for menu in Menu::ALL {
            kit.section(menu.name());
            let with_keys = CATALOGUE.iter().filter(|def| def.menu == menu && !seen.key_of(def.command).is_empty());
            for (at, def) in with_keys.enumerate() {
                if at % 2 == 1 {
                    kit.same_line_with_pos(width / 2.0);
                }
                shortcut(kit, def.label, &seen.key_of(def.command), width / 2.0 - 16.0);
            }
        }
        kit.section("Mouse over the picture");
        let mouse = [
            ("Orbit", "Right drag, middle drag, Alt+drag"),
            ("Pan", "the same with Shift"),
            ("Zoom", "Wheel, Ctrl+middle drag"),
            ("Pick a bone", "Click; Shift adds"),
        ];
        for (what, how) in mouse {
            shortcut(kit, what, how, width - 16.0);
        }
    });
}

fn shortcut(kit: &Kit<'_>, what: &str, key: &str, width: f32) {
    let rect = Rect::at(kit.cursor_screen_pos(), [width, 22.0]);
    kit.text_in(rect, Align::Left, kit.theme.text, what);
    kit.text_in(rect, Align::Right, kit.theme.quiet, key);
    kit.dummy([width, 22.0]);
}

fn about_ui(kit: &Kit<'_>) {
    {
        let _font = kit.with_font(kit.fonts.large);
        kit.text_colored(kit.theme.accent, "Keypose");
    }
    let _wrap = kit.push_text_wrap_pos_with_pos(440.0);
    kit.text(format!("Version {}", env!("CARGO_PKG_VERSION")));
    kit.text_colored(
        kit.theme.quiet,
        "A keyframe pose editor, an animation authoring tool, and the runtime that plays its work in a game.",
    );
    kit.text_colored(kit.theme.quiet, "MIT or Apache-2.0. Text in Noto Sans (Apache-2.0), icons by Lucide (ISC).");
}
