//! The window of preferences: theme, size and layout, and the keys of all commands.

use imgui::WindowFlags;
use lucide_icons::Icon;

use crate::editor::commands;
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::seen::Seen;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{ROW, Tone};
use crate::editor::session::command::Command;
use crate::editor::session::preferences::{Arrangement, Prefer, Preferences, Shade};
use crate::editor::session::shortcuts::{KeyName, Stroke};
use crate::editor::state::action::ProgramAction;

/// What the window keeps for itself.
#[derive(Debug, Default)]
pub struct PreferencesLocal {
    query: String,
    state: State,
}

/// What the list of keys waits for.
#[derive(Debug, Default, PartialEq)]
enum State {
    /// Nothing.
    #[default]
    Calm,
    /// The new key of a command.
    Listening(Command),
    /// Whether a key is taken from the commands that have it.
    Taken { command: Command, stroke: Stroke, others: Vec<Command> },
    /// Nothing; the key that was pressed can't be had.
    Refused { command: Command, reason: &'static str },
}

impl PreferencesLocal {
    /// True while the next stroke is to be the key of a command.
    pub fn is_listening(&self) -> bool {
        matches!(self.state, State::Listening(_))
    }

    /// The stroke that was waited for.
    pub fn hear(&mut self, seen: &Seen<'_>, stroke: Stroke, out: &mut Out) {
        let State::Listening(command) = self.state else { return };
        if stroke == Stroke::new(KeyName::Escape) {
            self.state = State::Calm;
            return;
        }
        if let Some(reason) = reserved(stroke) {
            self.state = State::Refused { command, reason };
            return;
        }
        let others = seen.session.workspace.bindings.others_on(stroke, command);
        if others.is_empty() {
            bind(seen, command, stroke, out);
            self.state = State::Calm;
        } else {
            self.state = State::Taken { command, stroke, others };
        }
    }
}

/// Why a stroke can't be the key of a command.
fn reserved(stroke: Stroke) -> Option<&'static str> {
    match stroke.key {
        KeyName::Char('0'..='9') if !stroke.held.shift && !stroke.held.alt => Some("Digits recall sets of bones."),
        KeyName::Escape => Some("Esc leaves whatever is open."),
        _ => None,
    }
}

/// The stroke takes the place of the first; further ones stay.
fn bind(seen: &Seen<'_>, command: Command, stroke: Stroke, out: &mut Out) {
    let rest = seen.session.workspace.bindings.of(command).iter().skip(1).copied().filter(|other| *other != stroke);
    out.push(ProgramAction::Bind { command, strokes: std::iter::once(stroke).chain(rest).collect() });
}

/// The window's contents, so wide.
pub fn preferences_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut PreferencesLocal, width: f32, out: &mut Out) {
    {
        let _font = kit.with_font(kit.fonts.bold);
        kit.text("Preferences");
    }
    let preferences = &seen.session.workspace.preferences;
    choices(
        kit,
        "Theme",
        width,
        &Shade::ALL.map(|shade| (shade.name().to_owned(), shade == preferences.shade)),
        |at| {
            out.push(ProgramAction::Prefer(Prefer::Shade(Shade::ALL[at])));
        },
    );
    let scale = |scale: u16| (format!("{scale} %"), scale == preferences.scale_percent);
    choices(kit, "Size", width, &Preferences::SCALES.map(scale), |at| {
        out.push(ProgramAction::Prefer(Prefer::Scale(Preferences::SCALES[at])));
    });
    let arrangement = |one: Arrangement| (one.name().to_owned(), one == preferences.arrangement);
    choices(kit, "Layout", width, &Arrangement::ALL.map(arrangement), |at| {
        out.push(ProgramAction::Prefer(Prefer::Arrange(Arrangement::ALL[at])));
    });
    kit.dummy([0.0, 2.0]);
    kit.section("Keys");
    widgets::search(kit, "keys-search", "Search commands and keys", &mut local.query);
    let height = (kit.io().display_size[1] - 380.0).clamp(120.0, 420.0);
    kit.child_window("##keys").size([0.0, height]).flags(WindowFlags::empty()).build(|| keys(kit, seen, local, out));
    kit.dummy([0.0, 2.0]);
    let is_changed = !seen.session.workspace.bindings.changed().is_empty();
    let tone = if is_changed { Tone::Plain } else { Tone::Off };
    if widgets::button(kit, "Reset all keys##reset-keys", [150.0, 26.0], tone) {
        out.push(ProgramAction::ResetKeys);
        local.state = State::Calm;
    }
    kit.same_line();
    let rect = Rect::at(kit.cursor_screen_pos(), [kit.content_region_avail()[0], 26.0]);
    kit.text_in(rect, Align::Right, kit.theme.dim, "Kept as soon as changed. Esc closes.");
    kit.dummy(rect.size());
}

/// A row of alternatives, one of them on.
fn choices(kit: &Kit<'_>, title: &str, width: f32, all: &[(String, bool)], mut chosen: impl FnMut(usize)) {
    let label = 76.0;
    let row = Rect::at(kit.cursor_screen_pos(), [width, 26.0]);
    kit.text_in(row, Align::Left, kit.theme.quiet, title);
    let each = ((width - label) / all.len() as f32 - 4.0).min(120.0);
    for (at, (name, is_on)) in all.iter().enumerate() {
        kit.set_cursor_screen_pos([row.min[0] + label + at as f32 * (each + 4.0), row.min[1]]);
        let tone = if *is_on { Tone::On } else { Tone::Plain };
        if widgets::button(kit, &format!("{name}##prefer-{title}{at}"), [each, 24.0], tone) {
            chosen(at);
        }
    }
    kit.set_cursor_screen_pos([row.min[0], row.max[1]]);
    kit.dummy([width, 2.0]);
}

fn keys(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut PreferencesLocal, out: &mut Out) {
    let found = found(seen, &local.query);
    if found.is_empty() {
        widgets::empty(kit, "No command has these words or this key.", "");
    }
    for command in found {
        key_row(kit, seen, local, command, out);
        under_row(kit, seen, local, command, out);
    }
}

/// By the words of the label, or by the key.
fn found(seen: &Seen<'_>, query: &str) -> Vec<Command> {
    let mut found = commands::search(query);
    if let Ok(stroke) = query.parse::<Stroke>() {
        let has = |command: &Command| seen.session.workspace.bindings.of(*command).contains(&stroke);
        let by_key: Vec<Command> = commands::search("").into_iter().filter(has).collect();
        found.retain(|command| !by_key.contains(command));
        found.splice(0..0, by_key);
    }
    found
}

fn key_row(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut PreferencesLocal, command: Command, out: &mut Out) {
    let id = format!("{command:?}");
    let bindings = &seen.session.workspace.bindings;
    let touch = widgets::row(kit, &format!("key-row-{id}"), false);
    let (rect, after) = (touch.rect, kit.cursor_screen_pos());
    let mut right = rect.max[0] - 4.0;
    let mut at_right = |width: f32| {
        right -= width + 4.0;
        Rect { min: [right, rect.min[1] + 1.0], max: [right + width, rect.max[1] - 1.0] }
    };
    let (clear, reset, key) = (at_right(22.0), at_right(22.0), at_right(150.0));
    if !bindings.of(command).is_empty() && small(kit, &format!("clear-{id}"), clear, Icon::X, "No key") {
        out.push(ProgramAction::Bind { command, strokes: Vec::new() });
        local.state = State::Calm;
    }
    let first = command.def().strokes.first().map(Stroke::to_string).unwrap_or_else(|| "no key".into());
    if bindings.changed().contains_key(&command)
        && small(kit, &format!("reset-{id}"), reset, Icon::Undo2, &format!("Back to {first}"))
    {
        out.push(ProgramAction::Bind { command, strokes: command.def().strokes.to_vec() });
        local.state = State::Calm;
    }
    let is_listening = local.state == State::Listening(command);
    let strokes: Vec<String> = bindings.of(command).iter().map(Stroke::to_string).collect();
    let text = if is_listening { "Press a key…".to_owned() } else { strokes.join("   ") };
    kit.set_cursor_screen_pos(key.min);
    let is_pressed = kit.invisible_button(format!("##bind-{id}"), key.size());
    kit.item(&format!("bind-{id}"));
    if is_pressed {
        local.state = State::Listening(command);
    }
    let is_over = kit.is_item_hovered();
    if local.state == State::Calm {
        kit.tip("Click, then press the new key. Esc leaves it as it is", "");
    }
    let ground = if is_over { kit.theme.field_hovered } else { kit.theme.field };
    kit.fill(key, ground, 5.0);
    if is_listening {
        kit.outline(key, kit.theme.accent, 5.0, 1.5);
    }
    let ink = match () {
        _ if is_listening => kit.theme.accent,
        _ if bindings.changed().contains_key(&command) => kit.theme.text,
        _ => kit.theme.quiet,
    };
    kit.text_in(key.shrunk(4.0), Align::Center, ink, &text);
    let label = Rect { min: [rect.min[0] + 8.0, rect.min[1]], max: [key.min[0] - 90.0, rect.max[1]] };
    kit.text_in(label, Align::Left, kit.theme.text, command.label());
    let menu = Rect { min: [key.min[0] - 84.0, rect.min[1]], max: [key.min[0] - 10.0, rect.max[1]] };
    kit.text_in(menu, Align::Right, kit.theme.dim, command.def().menu.name());
    kit.set_cursor_screen_pos(after);
}

fn small(kit: &Kit<'_>, id: &str, rect: Rect, sign: Icon, tip: &str) -> bool {
    kit.set_cursor_screen_pos(rect.min);
    let is_pressed = widgets::button(kit, &format!("{}##{id}", icon(sign)), rect.size(), Tone::Bare);
    kit.tip(tip, "");
    is_pressed
}

/// What there is to say about the key that was pressed for the command above.
fn under_row(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut PreferencesLocal, command: Command, out: &mut Out) {
    match &local.state {
        State::Refused { command: of, reason } if *of == command => {
            let rect = Rect::at(kit.cursor_screen_pos(), [kit.content_region_avail()[0] - 8.0, ROW]);
            kit.text_in(rect, Align::Right, kit.theme.hurt, reason);
            kit.dummy(rect.size());
        }
        State::Taken { command: of, stroke, others } if *of == command => {
            let (stroke, others) = (*stroke, others.clone());
            let names: Vec<String> = others.iter().map(|other| format!("\"{}\"", other.label())).collect();
            let rect = Rect::at(kit.cursor_screen_pos(), [kit.content_region_avail()[0] - 8.0, ROW]);
            let text = format!("{stroke} runs {}.", names.join(" and "));
            let room = Rect { max: [rect.max[0] - 170.0, rect.max[1]], ..rect };
            kit.text_in(room, Align::Right, kit.theme.hurt, &text);
            kit.set_cursor_screen_pos([rect.max[0] - 160.0, rect.min[1] + 1.0]);
            let is_taken = widgets::button(kit, "Take it##take-key", [76.0, ROW - 2.0], Tone::On);
            kit.set_cursor_screen_pos([rect.max[0] - 80.0, rect.min[1] + 1.0]);
            let is_left = widgets::button(kit, "Leave it##leave-key", [80.0, ROW - 2.0], Tone::Plain);
            kit.set_cursor_screen_pos([rect.min[0], rect.max[1]]);
            kit.dummy([1.0, 1.0]);
            if is_taken {
                for other in others {
                    let strokes =
                        seen.session.workspace.bindings.of(other).iter().copied().filter(|one| *one != stroke);
                    out.push(ProgramAction::Bind { command: other, strokes: strokes.collect() });
                }
                bind(seen, command, stroke, out);
            }
            if is_taken || is_left {
                local.state = State::Calm;
            }
        }
        _ => {}
    }
}
