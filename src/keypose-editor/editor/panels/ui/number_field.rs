//! Number fields: dragged, typed into (double click or Ctrl+click, then Tab for the next one), with a menu. A field may
//! stand for the values of several items at once.

use imgui::{Drag, Key, MouseButton, SliderFlags, StyleColor, StyleVar};

use crate::editor::ops::amount::{self, MAX_AMOUNT, Measure};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::number_typing::{Typing, Want};
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::surface::Align;
use crate::editor::panels::ui::theme::Color;
use crate::editor::panels::ui::widgets::{FIELD, RowTransfer, Touch, touch};
use crate::editor::panels::ui::{Ui, sys};
use crate::editor::session::notice::NoticeKind;
use crate::editor::state::action::ProgramAction;
use crate::editor::view::Mark;
use keypose::anim::key::Channel;

/// Shown in place of values that differ.
const MIXED: &str = "–";
/// Width of a tooltip beside its text.
const TIP_PADDING: f32 = 32.0;

/// The format and behaviour of a number field.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// A C format, "%.3f".
    pub format: &'static str,
    /// Change per point of mouse travel.
    pub speed: f32,
    /// Minimum and maximum.
    pub range: [f32; 2],
    /// The colour of the edge at its left.
    pub edge: Option<Color>,
    /// The unit, shown behind the number.
    pub unit: &'static str,
    /// The kind of quantity, which says what units can be typed.
    pub measure: Measure,
    /// The shown number per unit of the value: 100 for percent.
    pub per: f32,
    /// The number that its menu resets it to.
    pub default: Option<f32>,
    /// Whether its menu can reset it, for callers that handle [`Touch::is_reset`].
    pub has_reset: bool,
    /// Whether its menu can copy and paste the whole row.
    pub has_row: bool,
    /// Whether its menu can key it, and the state of the key.
    pub key: Option<Mark>,
}

impl Number {
    /// A number without limits, other than that of typed amounts.
    pub const fn new(format: &'static str, speed: f32) -> Number {
        let range = [-MAX_AMOUNT as f32, MAX_AMOUNT as f32];
        let (edge, unit, measure, default) = (None, "", Measure::Plain, None);
        Number {
            format,
            speed,
            range,
            edge,
            unit,
            measure,
            per: 1.0,
            default,
            has_reset: false,
            has_row: false,
            key: None,
        }
    }

    /// A whole number from 0 to `max`.
    pub const fn whole(max: f32) -> Number {
        Number::new("%.0f", 0.2).within(0.0, max)
    }

    /// A part of 1 in percent, from 0 to 100.
    pub const fn percent() -> Number {
        Number { measure: Measure::Percent, per: 100.0, ..Number::new("%.0f", 0.5).within(0.0, 100.0).unit("%") }
    }

    /// An angle in degrees.
    pub const fn degrees() -> Number {
        Number { measure: Measure::Angle, ..Number::new("%.1f", 0.5).unit("°") }
    }

    /// A value of a channel: an angle in degrees, a length, or a plain number.
    pub const fn of_channel(channel: Channel) -> Number {
        match channel {
            Channel::Rotation => Number::degrees(),
            Channel::Translation => Number { measure: Measure::Length, ..Number::new("%.3f", 0.005) },
            Channel::Scale | Channel::Scalar(_) => Number::new("%.3f", 0.005),
        }
    }

    /// Limits the number to a range.
    pub const fn within(self, min: f32, max: f32) -> Number {
        Number { range: [min, max], ..self }
    }

    /// Sets the unit, shown behind the number.
    pub const fn unit(self, unit: &'static str) -> Number {
        Number { unit, ..self }
    }

    /// Shows values multiplied by a factor: 100 for percent.
    pub const fn per(self, per: f32) -> Number {
        Number { per, ..self }
    }

    /// Adds an entry to the menu that resets the number.
    pub const fn or(self, default: f32) -> Number {
        Number { default: Some(default), ..self }
    }

    /// Adds an entry to the menu that resets the number; the caller handles [`Touch::is_reset`].
    pub const fn with_reset(self) -> Number {
        Number { has_reset: true, ..self }
    }

    /// Adds entries to the menu that copy and paste the row; the caller handles [`Touch::row`].
    pub const fn with_row(self) -> Number {
        Number { has_row: true, ..self }
    }

    fn limited(&self, value: f64) -> f32 {
        (value as f32).clamp(self.range[0], self.range[1])
    }
}

/// Draws the field of the same number of several items, at least one; the last is the active one. A drag moves all by as
/// much, typed text sets all of them. Differing values are shown as "–".
pub fn numbers(ui: &Ui<'_>, place: Rect, id: &str, values: &mut [f32], how: Number) -> Touch {
    ui.set_cursor_screen_pos(place.min);
    let label = format!("##{id}");
    let key = sys::id_of(ui.imgui, &label);
    let want = ui.kept.typing.borrow_mut().reach(key, sys::window_id(ui.imgui));
    ui.set_next_item_width(place.width());
    let touch = match want {
        Want::Typing => typed(ui, id, values, how),
        Want::Open => {
            dragged(ui, id, &label, values, how);
            open(ui, key, values, how);
            Touch::default()
        }
        Want::Nothing => {
            let touch = dragged(ui, id, &label, values, how);
            let is_opened = ui.is_item_clicked() && (ui.io().key_ctrl || sys::is_double_clicked(ui.imgui));
            if is_opened {
                open(ui, key, values, how);
                sys::release_active(ui.imgui);
                Touch { is_ended: false, is_begun: false, ..touch }
            } else {
                touch
            }
        }
    };
    if let Some(color) = how.edge {
        ui.fill(ui.item_rect().left(2.5).inset(0.0, 3.0), color, 1.0);
    }
    touch
}

/// Shows a tooltip beside the last field: what the number is and how to change it. Not while it is changed.
pub fn number_tip(ui: &Ui<'_>, text: &str) {
    if ui.kept.typing.borrow().is_open() || ui.is_item_active() || !sys::is_hovered_for_a_while(ui.imgui) {
        return;
    }
    let hint = "drag, double-click or Ctrl+click to type";
    let width = ui.calc_text_size(text)[0] + ui.calc_text_size(hint)[0] + TIP_PADDING;
    let (field, left) = (ui.item_rect(), ui.window_pos()[0]);
    let middle = field.center()[1];
    let (right, screen) = (left + ui.window_size()[0], ui.io().display_size[0]);
    let (at, pivot) = if field.min[0] - left < ui.window_size()[0] && left > width + 8.0 && right - left < 480.0 {
        ([left - 8.0, middle], [1.0, 0.5])
    } else if screen - right > width + 8.0 && right - left < 480.0 {
        ([right + 8.0, middle], [0.0, 0.5])
    } else {
        ([field.min[0], field.min[1] - 6.0], [0.0, 1.0])
    };
    sys::place_next(ui.imgui, at, pivot);
    ui.tip(text, hint);
}

fn is_mixed(values: &[f32], how: Number) -> bool {
    let mut texts = values.iter().map(|value| formatted(how.format, *value));
    let first = texts.next();
    texts.any(|text| Some(&text) != first.as_ref())
}

/// Starts typing into a field, from its value or empty if its values differ.
fn open(ui: &Ui<'_>, key: u32, values: &[f32], how: Number) {
    let text = match values.last() {
        Some(value) if !is_mixed(values, how) => precise(how.format, *value),
        _ => String::new(),
    };
    ui.kept.typing.borrow_mut().open(key, text, values);
}

/// Draws a field that is not typed into.
fn dragged(ui: &Ui<'_>, id: &str, label: &str, values: &mut [f32], how: Number) -> Touch {
    let Some(&active) = values.last() else { return Touch::default() };
    let speed = if ui.io().key_shift { how.speed * 0.01 } else { how.speed };
    let mut value = active;
    {
        let _height = ui.push_style_var(StyleVar::FramePadding([6.0, (FIELD - ui.text_line_height()) / 2.0]));
        let _hidden = ui.push_style_color(StyleColor::Text, [0.0; 4]);
        let drag = Drag::new(label).speed(speed).range(how.range[0], how.range[1]).display_format(how.format);
        drag.flags(SliderFlags::ALWAYS_CLAMP | SliderFlags::NO_INPUT).build(ui.imgui, &mut value);
    }
    let touch = touch(ui);
    let by = f64::from(value - active);
    if let (true, Some((last, others))) = (touch.is_changed, values.split_last_mut()) {
        *last = value;
        for other in others.iter_mut() {
            *other = how.limited(f64::from(*other) + by);
        }
    }
    let rect = ui.item(id);
    let mut inner = rect.inset(6.0, 0.0);
    if !how.unit.is_empty() {
        ui.text_in(inner, Align::Right, ui.theme.quiet, how.unit);
        inner.max[0] -= ui.calc_text_size(how.unit)[0] + 5.0;
    }
    let text = if is_mixed(values, how) { MIXED.to_owned() } else { formatted(how.format, value) };
    ui.mark(|| format!("{id}: {text}"), rect);
    let fits = |text: &String| ui.calc_text_size(text)[0] <= inner.width();
    let shorter = || (0..digits(how.format)).rev().map(|decimals| with_decimals(value, decimals)).find(fits);
    let text = if fits(&text) { text } else { shorter().unwrap_or(text) };
    ui.text_in(inner, Align::Right, ui.theme.text, &text);
    if ui.is_item_hovered() && !touch.is_begun {
        ui.set_mouse_cursor(Some(imgui::MouseCursor::ResizeEW));
    }
    let chosen = field_menu(ui, id, values, how);
    if chosen == Touch::default() { touch } else { chosen }
}

fn field_menu(ui: &Ui<'_>, id: &str, values: &mut [f32], how: Number) -> Touch {
    let popup = format!("##menu-{id}");
    if ui.is_item_hovered() && ui.is_mouse_clicked(MouseButton::Right) {
        ui.open_popup(&popup);
    }
    let mut touch = Touch::default();
    let Some(_popup) = menu::popup(ui, &popup) else { return touch };
    if menu::entry(ui, "Copy value")
        && let Some(value) = values.last()
    {
        ui.set_clipboard_text(precise(how.format, *value));
    }
    if menu::entry(ui, "Paste value") {
        let text = ui.clipboard_text().unwrap_or_default();
        match amount::parse(&text, how.measure) {
            Ok(amount) => {
                for value in values.iter_mut() {
                    *value = how.limited(amount.of(f64::from(*value)));
                }
                touch = Touch::AT_ONCE;
            }
            Err(reason) => ui.send(ProgramAction::Notice(NoticeKind::Warning, reason)),
        }
    }
    if how.has_row {
        menu::separator(ui);
        touch.row = row_entries(ui);
    }
    touch.is_reset = (how.has_reset || how.default.is_some()) && menu::entry(ui, "Reset");
    touch.is_keyed = how.key.is_some_and(|mark| {
        menu::separator(ui);
        menu::entry(ui, if mark == Mark::Keyed { "Delete key" } else { "Insert key" })
    });
    touch
}

/// Draws the entries that copy and paste the whole row.
fn row_entries(ui: &Ui<'_>) -> Option<RowTransfer> {
    let copied = menu::entry(ui, "Copy all").then_some(RowTransfer::Copy);
    let pasted = menu::entry(ui, "Paste all").then_some(RowTransfer::Paste);
    copied.or(pasted)
}

/// Draws the field that is typed into. Values are previewed as soon as the text can be read.
fn typed(ui: &Ui<'_>, id: &str, values: &mut [f32], how: Number) -> Touch {
    let mut typing = ui.kept.typing.borrow_mut();
    let Some(open) = typing.typed.as_mut() else { return Touch::default() };
    let before = open.text.clone();
    let is_entered = draw_text(ui, id, open);
    let (is_begun, is_active) = (ui.is_item_activated(), ui.is_item_active());
    open.is_fresh &= !is_active;
    let is_tab = is_active && ui.is_key_pressed(Key::Tab);
    let is_left = is_entered || is_tab || ui.is_item_deactivated();
    let mut touch = Touch { is_begun, is_ended: is_left, ..Touch::default() };
    let is_cancelled = is_left && ui.is_key_pressed(Key::Escape);
    let read = open.read(how.measure);
    if open.text != before || is_cancelled {
        let amount = read.as_ref().ok().copied().flatten();
        open.apply(if is_cancelled { None } else { amount }, values, how.range);
        touch.is_changed = true;
    }
    if read.is_err() {
        ui.outline(ui.item_rect(), ui.theme.hit, 4.0, 1.5);
    }
    if is_left {
        touch.is_cancelled = is_cancelled || read.is_err();
        if let (Err(reason), false) = (read, is_cancelled) {
            ui.send(ProgramAction::Notice(NoticeKind::Warning, reason));
        }
        typing.close();
        if is_tab {
            sys::release_active(ui.imgui);
            typing.step(if ui.io().key_shift { -1 } else { 1 });
        }
    }
    touch
}

/// Draws the text. Returns whether Enter was pressed.
fn draw_text(ui: &Ui<'_>, id: &str, open: &mut Typing) -> bool {
    if open.is_fresh {
        ui.set_keyboard_focus_here();
    }
    let _height = ui.push_style_var(StyleVar::FramePadding([6.0, (FIELD - ui.text_line_height()) / 2.0]));
    let hint = if open.start.is_empty() { MIXED } else { "" };
    let input = ui.input_text(format!("##typed-{id}"), &mut open.text).hint(hint);
    // Tab must not move to a field of Dear ImGui's own choice.
    let is_entered = input.auto_select_all(true).enter_returns_true(true).allow_tab_input(true).build();
    open.text.retain(|letter| letter != '\t');
    ui.item(id);
    is_entered
}

/// Formats a number like the C formats "%.0f" … "%.9f", without negative zero.
pub fn formatted(format: &str, value: f32) -> String {
    with_decimals(value, digits(format))
}

fn with_decimals(value: f32, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let is_zero = text.trim_start_matches('-').chars().all(|letter| letter == '0' || letter == '.');
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// A number with more digits than its format, without trailing zeros.
pub fn precise(format: &str, value: f32) -> String {
    let text = format!("{value:.0$}", digits(format) + 2);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn digits(format: &str) -> usize {
    let digit = format.chars().find(char::is_ascii_digit).and_then(|digit| digit.to_digit(10));
    digit.unwrap_or(0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_their_format_says() {
        let cases = [("%.3f", 1.0, "1.000"), ("%.1f", -35.04, "-35.0"), ("%.1f", -0.01, "0.0"), ("%.0f", 4.0, "4")];
        for (format, value, expected) in cases {
            assert_eq!(formatted(format, value), expected);
        }
        let cases = [("%.1f", 44.99999, "45"), ("%.1f", 0.123, "0.123"), ("%.0f", 100.0, "100"), ("%.0f", -0.001, "0")];
        for (format, value, expected) in cases {
            assert_eq!(precise(format, value), expected);
        }
    }
}
