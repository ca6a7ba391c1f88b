//! The preferences: theme, size, layout and the keys of all commands.

use imgui::WindowFlags;

use crate::editor::commands;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::session::preferences::{Arrangement, FileDialogs, ModelFiles, Prefer, Preferences, Shade};
use crate::editor::session::shortcuts::{KeyName, Stroke};
use crate::editor::state::action::ProgramAction;

#[derive(Debug, Default)]
pub struct PreferencesWindow {
    query: String,
    state: State,
}

/// The state of the key list.
#[derive(Debug, Default, PartialEq)]
enum State {
    /// Nothing.
    #[default]
    Calm,
    /// Waits for the new key of a command.
    Listening(Command),
    /// Asks whether to take a key from other commands.
    Taken { command: Command, stroke: Stroke, others: Vec<Command> },
    /// Shows why a key is not available.
    Refused { command: Command, reason: &'static str },
}

impl PreferencesWindow {
    /// Whether the next key press becomes the key of a command.
    pub fn is_listening(&self) -> bool {
        matches!(self.state, State::Listening(_))
    }

    /// Dismisses the question or the reason under a key. Returns whether there was one.
    pub fn dismiss(&mut self) -> bool {
        let is_shown = matches!(self.state, State::Taken { .. } | State::Refused { .. });
        if is_shown {
            self.state = State::Calm;
        }
        is_shown
    }

    /// Handles the key press that was waited for.
    pub fn hear(&mut self, ui: &Ui<'_>, stroke: Stroke) {
        let State::Listening(command) = self.state else { return };
        if stroke == Stroke::new(KeyName::Escape) {
            self.state = State::Calm;
            return;
        }
        if let Some(reason) = reserved(stroke) {
            self.state = State::Refused { command, reason };
            return;
        }
        let others = ui.session.workspace.bindings.others_on(stroke, command);
        if others.is_empty() {
            bind(ui, command, stroke);
            self.state = State::Calm;
        } else {
            self.state = State::Taken { command, stroke, others };
        }
    }
}

/// The reason why a key is not available for commands.
fn reserved(stroke: Stroke) -> Option<&'static str> {
    match stroke.key {
        KeyName::Char('0'..='9') if !stroke.held.shift && !stroke.held.alt => Some("Digits recall bone sets."),
        KeyName::Escape => Some("Esc is reserved."),
        _ => None,
    }
}

/// Replaces the first key of a command.
fn bind(ui: &Ui<'_>, command: Command, stroke: Stroke) {
    let rest = ui.session.workspace.bindings.of(command).iter().skip(1).copied().filter(|other| *other != stroke);
    ui.send(ProgramAction::Bind { command, strokes: std::iter::once(stroke).chain(rest).collect() });
}

impl PreferencesWindow {
    /// Draws the window's contents, `width` points wide.
    pub fn ui(&mut self, ui: &Ui<'_>, width: f32) {
        if ui.is_window_appearing() {
            self.state = State::Calm;
        }
        {
            let _font = ui.with_font(ui.fonts.bold);
            ui.text("Preferences");
        }
        choices(&Form::of_width(ui, "prefer-", width), &ui.session.workspace.preferences);
        ui.dummy([0.0, 2.0]);
        ui.section("Keys");
        search::field(ui, "keys-search", "Search commands and keys", &mut self.query);
        let height = (ui.io().display_size[1] - 474.0).clamp(120.0, 420.0);
        ui.child_window("##keys").size([0.0, height]).flags(WindowFlags::empty()).build(|| self.keys(ui));
        ui.dummy([0.0, 2.0]);
        let is_changed = !ui.session.workspace.bindings.changed().is_empty();
        let tone = if is_changed { Tone::Plain } else { Tone::Off };
        if widgets::button(ui, "Reset all keys##reset-keys", [150.0, 26.0], tone) {
            ui.send(ProgramAction::ResetKeys);
            self.state = State::Calm;
        }
        ui.same_line();
        let rect = Rect::at(ui.cursor_screen_pos(), [ui.content_region_avail()[0], 26.0]);
        ui.text_in(rect, Align::Right, ui.theme.dim, "Saved automatically. Esc closes.");
        ui.dummy(rect.size());
    }
}

/// Draws the choices above the keys.
fn choices(form: &Form<'_>, preferences: &Preferences) {
    let choose = |is_changed: bool, prefer: Prefer| {
        if is_changed {
            form.ui.send(ProgramAction::Prefer(prefer));
        }
    };
    let mut shade = preferences.shade;
    let touch = form.choice("Theme", &Shade::ALL.map(|one| (one, one.name(), "")), &mut shade);
    choose(touch.is_changed, Prefer::Shade(shade));
    let (mut scale, names) = (preferences.scale_percent, Preferences::SCALES.map(|scale| format!("{scale} %")));
    let scales: Vec<_> =
        Preferences::SCALES.into_iter().zip(&names).map(|(one, name)| (one, name.as_str(), "")).collect();
    let touch = form.choice("Size", &scales, &mut scale);
    choose(touch.is_changed, Prefer::Scale(scale));
    let mut arrangement = preferences.arrangement;
    let touch = form.choice("Layout", &Arrangement::ALL.map(|one| (one, one.name(), "")), &mut arrangement);
    choose(touch.is_changed, Prefer::Arrange(arrangement));
    let mut dialogs = preferences.dialogs;
    let touch = form.choice("Files", &FileDialogs::ALL.map(|one| (one, one.name(), "")), &mut dialogs);
    choose(touch.is_changed, Prefer::Dialogs(dialogs));
    let mut files = preferences.model_files;
    let touch = form.choice("Model files", &ModelFiles::ALL.map(|one| (one, one.name(), "")), &mut files);
    choose(touch.is_changed, Prefer::ModelFiles(files));
    let mut is_auto = preferences.auto_perspective;
    let views = [(true, "Parallel", "Front, side and top views have no perspective"), (false, "Unchanged", "")];
    let touch = form.choice("Axis views", &views, &mut is_auto);
    choose(touch.is_changed, Prefer::AutoPerspective(is_auto));
    let mut is_muted = preferences.is_muted;
    let touch = form.choice("Sound", &[(false, "On", ""), (true, "Off", "")], &mut is_muted);
    choose(touch.is_changed, Prefer::Muted(is_muted));
}

impl PreferencesWindow {
    fn keys(&mut self, ui: &Ui<'_>) {
        let found = found(ui, &self.query);
        if found.is_empty() {
            widgets::empty(ui, "No command matches.", "");
        }
        for command in found {
            self.key_row(ui, command);
            self.under_row(ui, command);
        }
    }
}

/// The commands whose label or key matches.
fn found(ui: &Ui<'_>, query: &str) -> Vec<Command> {
    let mut found = commands::search(query);
    if let Ok(stroke) = query.parse::<Stroke>() {
        let is_it = |one: &Stroke| *one == stroke || ui.key_text(*one).eq_ignore_ascii_case(query.trim());
        let has = |command: &Command| ui.session.workspace.bindings.of(*command).iter().any(is_it);
        let by_key: Vec<Command> = commands::search("").into_iter().filter(has).collect();
        found.retain(|command| !by_key.contains(command));
        found.splice(0..0, by_key);
    }
    found
}

impl PreferencesWindow {
    fn key_row(&mut self, ui: &Ui<'_>, command: Command) {
        let id = format!("{command:?}");
        let bindings = &ui.session.workspace.bindings;
        let touch = widgets::row(ui, &format!("key-row-{id}"), false);
        let (rect, after) = (touch.rect, ui.cursor_screen_pos());
        let mut rest = rect.trim_right(8.0).inset(0.0, 1.0);
        let [clear, reset, key] = [22.0, 22.0, 150.0].map(|width| rest.cut_right(width, 4.0));
        if !bindings.of(command).is_empty() && small(ui, &format!("clear-{id}"), clear, Icon::X, "Remove key") {
            ui.send(ProgramAction::Bind { command, strokes: Vec::new() });
            self.state = State::Calm;
        }
        let first = command.row().strokes.first().map_or_else(|| "no key".into(), |stroke| ui.key_text(*stroke));
        if bindings.changed().contains_key(&command)
            && small(ui, &format!("reset-{id}"), reset, Icon::Undo2, &format!("Reset to {first}"))
        {
            ui.send(ProgramAction::Bind { command, strokes: command.row().strokes.to_vec() });
            self.state = State::Calm;
        }
        let is_listening = self.state == State::Listening(command);
        let strokes: Vec<String> = bindings.of(command).iter().map(|stroke| ui.key_text(*stroke)).collect();
        let text = if is_listening { "Press a key…".to_owned() } else { strokes.join("   ") };
        ui.set_cursor_screen_pos(key.min);
        let is_pressed = ui.invisible_button(format!("##bind-{id}"), key.size());
        ui.item(&format!("bind-{id}"));
        if is_pressed {
            self.state = State::Listening(command);
        }
        let is_over = ui.is_item_hovered();
        if self.state == State::Calm {
            ui.tip("Click, then press the new key. Esc cancels", "");
        }
        let ground = if is_over { ui.theme.field_hovered } else { ui.theme.field };
        ui.fill(key, ground, 5.0);
        if is_listening {
            ui.outline(key, ui.theme.accent, 5.0, 1.5);
        }
        let ink = if is_listening {
            ui.theme.accent
        } else if bindings.changed().contains_key(&command) {
            ui.theme.text
        } else {
            ui.theme.quiet
        };
        ui.text_in(key.shrunk(4.0), Align::Center, ink, &text);
        let label = rect.with_x(rect.min[0] + 8.0, key.min[0] - 90.0);
        ui.text_in(label, Align::Left, ui.theme.text, command.label());
        let menu = rect.with_x(key.min[0] - 84.0, key.min[0] - 10.0);
        ui.text_in(menu, Align::Right, ui.theme.dim, command.row().menu.name());
        ui.set_cursor_screen_pos(after);
    }
}

fn small(ui: &Ui<'_>, id: &str, rect: Rect, sign: Icon, tip: &str) -> bool {
    let is_pressed = widgets::icon_button_at(ui, rect, id, sign, Tone::Bare);
    ui.tip(tip, "");
    is_pressed
}

impl PreferencesWindow {
    /// Draws the message about the pressed key, below its command.
    fn under_row(&mut self, ui: &Ui<'_>, command: Command) {
        match &self.state {
            State::Refused { command: of, reason } if *of == command => {
                let rect = Rect::at(ui.cursor_screen_pos(), [ui.content_region_avail()[0] - 8.0, ROW]);
                ui.text_in(rect, Align::Right, ui.theme.hurt, reason);
                ui.dummy(rect.size());
            }
            State::Taken { command: of, stroke, others } if *of == command => {
                let (stroke, others) = (*stroke, others.clone());
                let names: Vec<String> = others.iter().map(|other| format!("\"{}\"", other.label())).collect();
                let rect = Rect::at(ui.cursor_screen_pos(), [ui.content_region_avail()[0] - 8.0, ROW]);
                let text = format!("{} is used by {}.", ui.key_text(stroke), names.join(" and "));
                let room = rect.trim_right(170.0);
                ui.text_in(room, Align::Right, ui.theme.hurt, &text);
                ui.set_cursor_screen_pos([rect.max[0] - 160.0, rect.min[1] + 1.0]);
                let is_taken = widgets::button(ui, "Reassign##take-key", [76.0, ROW - 2.0], Tone::On);
                ui.set_cursor_screen_pos([rect.max[0] - 80.0, rect.min[1] + 1.0]);
                let is_left = widgets::button(ui, "Cancel##leave-key", [80.0, ROW - 2.0], Tone::Plain);
                ui.set_cursor_screen_pos([rect.min[0], rect.max[1]]);
                ui.dummy([1.0, 1.0]);
                if is_taken {
                    for other in others {
                        let strokes =
                            ui.session.workspace.bindings.of(other).iter().copied().filter(|one| *one != stroke);
                        ui.send(ProgramAction::Bind { command: other, strokes: strokes.collect() });
                    }
                    bind(ui, command, stroke);
                }
                if is_taken || is_left {
                    self.state = State::Calm;
                }
            }
            _ => {}
        }
    }
}
