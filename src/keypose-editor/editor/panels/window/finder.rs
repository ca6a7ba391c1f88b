//! The popups: command search, key menus, list of keys, preferences, mirror table, bone map and about.

use imgui::WindowFlags;

use crate::editor::commands;
use crate::editor::commands::synonyms::{self, Synonym};
use crate::editor::commands::{CATALOGUE, Menu};
use crate::editor::panels::model::bone_map::BoneMap;
use crate::editor::panels::model::mirror_table::MirrorTable;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::preferences::PreferencesWindow;
use crate::editor::panels::window::transfer::transfer_ui;
use crate::editor::session::Popup;

/// Visible rows of the command search.
const ROWS: usize = 12;
/// Width of the command search.
const FINDER: f32 = 620.0;

#[derive(Debug, Default)]
pub struct Popups {
    query: String,
    at: usize,
    open: Option<Popup>,
    mirror: MirrorTable,
    bones: BoneMap,
    pub preferences: PreferencesWindow,
}

impl Popups {
    /// Draws the open popup.
    pub fn ui(&mut self, ui: &Ui<'_>) {
        let wanted = ui.session.transient.popup;
        if wanted != self.open {
            *self = Popups { open: wanted, ..Popups::default() };
            if let Some(popup) = wanted {
                ui.open_popup(id(popup));
            }
        }
        let Some(popup) = wanted else { return };
        let _padding = ui.push_style_var(StyleVar::WindowPadding([10.0, 10.0]));
        let is_open = match popup {
            Popup::Finder => window(ui, popup, FINDER, 60.0, |width| self.finder_ui(ui, width)),
            Popup::KeyMenu => command_menu(ui, popup, &KEY_MENU),
            Popup::EaseMenu => command_menu(ui, popup, &EASE_MENU),
            Popup::HandlesMenu => command_menu(ui, popup, &HANDLES_MENU),
            Popup::Shortcuts => window(ui, popup, 760.0, 50.0, |_| shortcuts_ui(ui)),
            Popup::Preferences => window(ui, popup, 680.0, 44.0, |width| self.preferences.ui(ui, width)),
            Popup::MirrorTable => window(ui, popup, 560.0, 60.0, |width| self.mirror.ui(ui, width)),
            Popup::BoneMap => window(ui, popup, 620.0, 60.0, |width| self.bones.ui(ui, width)),
            Popup::TransferWeights => window(ui, popup, 460.0, 60.0, |width| transfer_ui(ui, width)),
            Popup::About => window(ui, popup, 460.0, 140.0, |_| about_ui(ui)),
        };
        if !is_open {
            // Closed by a click outside; nothing waits for a key any more.
            *self = Popups::default();
            ui.send(ProgramAction::ShowPopup(None));
        }
    }

    fn finder_ui(&mut self, ui: &Ui<'_>, width: f32) {
        if ui.is_window_appearing() {
            widgets::focus_next(ui);
        }
        ui.set_next_item_width(width);
        let before = self.query.clone();
        let is_entered = {
            let _tall = ui.push_style_var(StyleVar::FramePadding([10.0, 6.0]));
            ui.input_text("##query", &mut self.query).hint("Find command").enter_returns_true(true).build()
        };
        if self.query != before {
            self.at = 0;
        }
        let found = commands::search(&self.query);
        if ui.is_key_pressed(imgui::Key::DownArrow) {
            self.at += 1;
        }
        if ui.is_key_pressed(imgui::Key::UpArrow) {
            self.at = self.at.saturating_sub(1);
        }
        self.at = self.at.min(found.len().saturating_sub(1));
        if found.is_empty() {
            widgets::empty(ui, "No command matches.", "");
        }
        let from = (self.at + 1).saturating_sub(ROWS);
        let mut chosen = if is_entered { found.get(self.at).copied() } else { None };
        for (at, &command) in found.iter().enumerate().skip(from).take(ROWS) {
            let touch = widgets::row(ui, &format!("find{at}"), at == self.at);
            finder_row(ui, command, &self.query, touch.rect);
            if touch.is_clicked {
                chosen = Some(command);
            }
        }
        if let Some(command) = chosen {
            ui.send(ProgramAction::ShowPopup(None));
            ui.run(command);
            ui.close_current_popup();
        }
    }
}

fn id(popup: Popup) -> &'static str {
    match popup {
        Popup::Finder => "##finder",
        Popup::KeyMenu => "##key-menu",
        Popup::EaseMenu => "##ease-menu",
        Popup::HandlesMenu => "##handles-menu",
        Popup::Shortcuts => "##shortcuts",
        Popup::Preferences => "##preferences",
        Popup::MirrorTable => "##mirror-table",
        Popup::BoneMap => "##bone-map",
        Popup::TransferWeights => "##transfer-weights",
        Popup::About => "##about",
    }
}

/// Draws a found command: its label, its name in another program, its menu and its key.
fn finder_row(ui: &Ui<'_>, command: Command, query: &str, rect: Rect) {
    let color = if ui.can_run(command) { ui.theme.text } else { ui.theme.dim };
    let mut inner = rect.inset(10.0, 0.0);
    ui.text_in(inner, Align::Right, ui.theme.quiet, &ui.key_of(command));
    inner = inner.trim_right(120.0);
    ui.text_in(inner.cut_right(50.0, 8.0), Align::Right, ui.theme.dim, command.row().menu.name());
    ui.text_in(inner, Align::Left, color, command.label());
    if let Some(Synonym { program, name }) = synonyms::shown(command, query) {
        let place = inner.trim_left(ui.calc_text_size(command.label())[0] + 14.0);
        let text = format!("in {program}: {name}");
        if ui.calc_text_size(&text)[0] <= place.width() {
            ui.text_in(place, Align::Left, ui.theme.quiet, &text);
        }
    }
}

/// Draws a popup at the top of the window; `body` gets the width of its contents. Returns whether it is open.
fn window(ui: &Ui<'_>, popup: Popup, width: f32, top: f32, body: impl FnOnce(f32)) -> bool {
    let display = ui.io().display_size;
    let width = width.min(display[0] - 40.0);
    sys::place_next(ui.imgui, [display[0] / 2.0, top], [0.5, 0.0]);
    sys::size_next(ui.imgui, [width, 0.0]);
    ui.begin_popup(id(popup)).map(|_popup| body(width - 20.0)).is_some()
}

/// The menu of `K`.
const KEY_MENU: [Command; 4] = [Command::KeyPose, Command::KeySelected, Command::KeyChanged, Command::DeleteKeyHere];
/// The menu of `T` over the timeline.
const EASE_MENU: [Command; 3] = [Command::EaseStep, Command::EaseLinear, Command::EaseCubic];
/// The menu of `V` over the timeline.
const HANDLES_MENU: [Command; 5] =
    [Command::HandlesAuto, Command::HandlesFlat, Command::HandlesVector, Command::HandlesAligned, Command::HandlesFree];

/// Draws a menu at the mouse. Returns whether it is open.
fn command_menu(ui: &Ui<'_>, popup: Popup, commands: &[Command]) -> bool {
    let Some(_popup) = menu::popup(ui, id(popup)) else { return false };
    for &command in commands {
        let before = ui.sent();
        menu::command(ui, command);
        if ui.sent() > before {
            ui.send(ProgramAction::ShowPopup(None));
        }
    }
    true
}

/// Draws all commands with keys in two columns, and the mouse controls.
fn shortcuts_ui(ui: &Ui<'_>) {
    widgets::title(ui, "Keyboard and mouse", "");
    let height = (ui.io().display_size[1] - 150.0).min(620.0);
    let child = ui.child_window("##keys").size([0.0, height]).flags(WindowFlags::empty());
    child.build(|| {
        let width = ui.content_region_avail()[0];
        for menu in Menu::ALL {
            ui.section(menu.name());
            let with_keys = CATALOGUE.iter().filter(|def| def.menu == menu && !ui.key_of(def.command).is_empty());
            for (at, def) in with_keys.enumerate() {
                if at % 2 == 1 {
                    ui.same_line_with_pos(width / 2.0);
                }
                shortcut(ui, def.label, &ui.key_of(def.command), width / 2.0 - 16.0);
            }
        }
        ui.section("Mouse in the viewport");
        let mouse = [
            ("Orbit", "Right drag, middle drag, Alt+drag"),
            ("Pan", "Shift+drag as for orbit"),
            ("Zoom", "Wheel, Ctrl+middle drag"),
            ("Select bone", "Click; Shift to add"),
        ];
        for (what, how) in mouse {
            shortcut(ui, what, how, width - 16.0);
        }
    });
}

fn shortcut(ui: &Ui<'_>, what: &str, key: &str, width: f32) {
    let rect = ui.here([width, 22.0]);
    ui.text_in(rect, Align::Left, ui.theme.text, what);
    ui.text_in(rect, Align::Right, ui.theme.quiet, key);
    ui.dummy(rect.size());
}

fn about_ui(ui: &Ui<'_>) {
    {
        let _font = ui.with_font(ui.fonts.large);
        ui.text_colored(ui.theme.accent, "Keypose");
    }
    let _wrap = ui.push_text_wrap_pos_with_pos(440.0);
    ui.text(format!("Version {}", env!("CARGO_PKG_VERSION")));
    ui.text_colored(ui.theme.quiet, "A keyframe pose editor, and the runtime that plays its animations in games.");
    ui.text_colored(ui.theme.quiet, "MIT or Apache-2.0. Text in Noto Sans (Apache-2.0), icons by Lucide (ISC).");
}
