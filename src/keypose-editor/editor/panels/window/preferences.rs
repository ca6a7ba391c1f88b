//! The preferences: theme, size, layout and the keys of all commands.

use imgui::WindowFlags;

use crate::editor::commands;
use crate::editor::panels::ui::form::Choice;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::session::preferences::{Arrangement, FileDialogs, ModelFiles, Prefer, Preferences, Shade};
use crate::editor::session::shortcuts::{KeyName, Stroke};

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

    /// Draws the window's contents, `width` points wide.
    pub fn ui(&mut self, ui: &Ui<'_>, width: f32) {
        if self.is_listening() && ui.is_mouse_clicked(MouseButton::Left) {
            self.state = State::Calm;
        }
        widgets::title(ui, "Preferences", "Saved automatically. Esc closes.");
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
    }

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

    fn key_row(&mut self, ui: &Ui<'_>, command: Command) {
        let (id, bindings) = (format!("{command:?}"), &ui.session.workspace.bindings);
        let row = widgets::row(ui, &format!("key-row-{id}"), false).rect;
        let (mut rest, after) = (row.inset(8.0, 1.0), ui.cursor_screen_pos());
        let [clear, reset, key] = [22.0, 22.0, 150.0].map(|width| rest.cut_right(width, GAP));
        let mut small = |place: Rect, action: &str, sign: Icon, tip: &str, strokes: &[Stroke]| {
            if widgets::icon_button_at(ui, place, &format!("{action}-{id}"), sign, Tone::Bare) {
                ui.send(ProgramAction::Bind { command, strokes: strokes.to_vec() });
                self.state = State::Calm;
            }
            ui.tip(tip, "");
        };
        if !bindings.of(command).is_empty() {
            small(clear, "clear", Icon::X, "Remove key", &[]);
        }
        if bindings.changed().contains_key(&command) {
            let usual = &command.row().strokes;
            let first = usual.first().map_or_else(|| "no key".into(), |stroke| ui.key_text(*stroke));
            small(reset, "reset", Icon::Undo2, &format!("Reset to {first}"), usual);
        }
        let (text, tone) = if self.state == State::Listening(command) {
            ("Press a key…".to_owned(), Tone::On)
        } else {
            let keys: Vec<String> = bindings.of(command).iter().map(|stroke| ui.key_text(*stroke)).collect();
            (keys.join("   "), Tone::Plain)
        };
        if widgets::button_at(ui, key, &format!("{text}##bind-{id}"), tone) {
            self.state = State::Listening(command);
        }
        if self.state == State::Calm {
            ui.tip("Click, then press the new key. Esc cancels", "");
        }
        ui.text_in(rest.cut_right(74.0, GAP), Align::Right, ui.theme.dim, command.row().menu.name());
        ui.text_in(rest, Align::Left, ui.theme.text, command.label());
        ui.set_cursor_screen_pos(after);
    }

    /// Draws the message about the pressed key, below its command.
    fn under_row(&mut self, ui: &Ui<'_>, command: Command) {
        match &self.state {
            State::Refused { command: of, reason } if *of == command => {
                let line = ui.take_line(ROW).trim_right(8.0);
                ui.text_in(line, Align::Right, ui.theme.hit, reason);
            }
            State::Taken { command: of, stroke, others } if *of == command => {
                let (stroke, others) = (*stroke, others.clone());
                let names: Vec<String> = others.iter().map(|other| format!("\"{}\"", other.label())).collect();
                let text = format!("{} is used by {}.", ui.key_text(stroke), names.join(" and "));
                let (mut rest, after) = (ui.take_line(ROW).inset(8.0, 1.0), ui.cursor_screen_pos());
                let (cancel, reassign) = (rest.cut_right(80.0, GAP), rest.cut_right(80.0, 2.0 * GAP));
                ui.text_in(rest, Align::Right, ui.theme.hit, &text);
                let is_left = widgets::button_at(ui, cancel, "Cancel##leave-key", Tone::Plain);
                let is_taken = widgets::button_at(ui, reassign, "Reassign##take-key", Tone::On);
                ui.set_cursor_screen_pos(after);
                if is_taken {
                    for other in others {
                        let kept = ui.session.workspace.bindings.of(other).iter().copied().filter(|one| *one != stroke);
                        ui.send(ProgramAction::Bind { command: other, strokes: kept.collect() });
                    }
                    bind(ui, command, stroke);
                }
                if is_taken || is_left {
                    self.state = State::Calm;
                }
            }
            State::Calm | State::Listening(_) | State::Refused { .. } | State::Taken { .. } => {}
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

/// The reason why a key is not available for commands.
fn reserved(stroke: Stroke) -> Option<&'static str> {
    match stroke.key {
        KeyName::Char('0'..='9') if !stroke.held.shift && !stroke.held.alt => Some("Digits recall bone sets."),
        KeyName::Escape => Some("Esc is reserved."),
        KeyName::F(2) if stroke == Stroke::new(KeyName::F(2)) => Some("F2 renames the open clip."),
        _ => None,
    }
}

/// Replaces the first key of a command.
fn bind(ui: &Ui<'_>, command: Command, stroke: Stroke) {
    let rest = ui.session.workspace.bindings.of(command).iter().skip(1).copied().filter(|other| *other != stroke);
    ui.send(ProgramAction::Bind { command, strokes: std::iter::once(stroke).chain(rest).collect() });
}

/// Draws the choices above the keys.
fn choices(form: &Form<'_>, preferences: &Preferences) {
    let named = |on: &'static str, off: &'static str, tip: &'static str| [(true, on, tip), (false, off, "")];
    choice(form, "Theme", &Shade::ALL.map(|one| (one, one.name(), "")), preferences.shade, Prefer::Shade);
    let names = Preferences::SCALES.map(|scale| format!("{scale} %"));
    let scales: Vec<_> = Preferences::SCALES.into_iter().zip(&names).map(|(one, name)| (one, &**name, "")).collect();
    choice(form, "Size", &scales, preferences.scale_percent, Prefer::Scale);
    let layouts = Arrangement::ALL.map(|one| (one, one.name(), ""));
    choice(form, "Layout", &layouts, preferences.arrangement, Prefer::Arrange);
    let views = named("Parallel", "Unchanged", "Front, side and top views have no perspective");
    choice(form, "Axis views", &views, preferences.auto_perspective, Prefer::AutoPerspective);
    // A page has neither folders nor sound.
    if cfg!(target_arch = "wasm32") {
        return;
    }
    let dialogs = FileDialogs::ALL.map(|one| (one, one.name(), ""));
    choice(form, "Files", &dialogs, preferences.dialogs, Prefer::Dialogs);
    let tip = "The folders from which images and buffers of a model are read";
    let files = ModelFiles::ALL.map(|one| (one, one.name(), tip));
    choice(form, "Model files", &files, preferences.model_files, Prefer::ModelFiles);
    choice(form, "Sound", &named("On", "Off", ""), !preferences.is_muted, |is_on| Prefer::Muted(!is_on));
}

/// Draws a choice that is kept as a preference.
fn choice<V: Copy + PartialEq>(form: &Form<'_>, label: &str, all: &[Choice<'_, V>], now: V, prefer: fn(V) -> Prefer) {
    let mut value = now;
    if form.choice(label, all, &mut value).is_changed {
        form.ui.send(prefer(value));
    }
}
