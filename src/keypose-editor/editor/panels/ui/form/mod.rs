//! Forms: rows of a label and a field. Inspectors, popovers, preferences and dialogs are written with them, so that labels have
//! one width and rows one rhythm.
//!
//! The fields of a [`Form`] change a variable of the caller and return the [`Touch`]. A [`FormOf`] is bound to a value, such as a
//! material: its fields take a part of the value and turn each touch into a gesture or an undo step.

use std::cell::Cell;

use lucide_icons::Icon;

use crate::editor::ops::sentence::has_words;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::color_field::color_field;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::name_field::{NameText, Naming};
use crate::editor::panels::ui::number_field::{self, Number};
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::search;
use crate::editor::panels::ui::surface::Align;
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::theme::Color;
use crate::editor::panels::ui::widgets::{self, FIELD, RowTouch, TEXT, Tone, Touch};
use crate::editor::session::command::Command;

mod bound;
mod values;

pub use bound::{Apply, FormOf};
pub use values::{Quantity, Tint};

/// Space between fields and between rows.
pub const GAP: f32 = 4.0;
/// The width of labels.
const LABEL: f32 = 4.75 * TEXT;
/// The width of labels in a form that is narrower than [`NARROW`], so that its numbers are whole.
const SHORT_LABEL: f32 = 3.5 * TEXT;
/// The minimum width of a form with labels of full width.
pub const NARROW: f32 = 14.6 * TEXT;
/// The maximum width of fields.
const MAX_FIELD: f32 = 18.0 * TEXT;

/// The maximum width of a button of a choice, if the names have room in it.
const MAX_BUTTON: f32 = 7.0 * TEXT;

/// A choice: its value, its name and its tooltip.
pub type Choice<'a, V> = (V, &'a str, &'a str);

/// A column of labelled fields.
#[derive(Clone)]
pub struct Form<'f> {
    pub ui: &'f Ui<'f>,
    /// The beginning of the ids of its fields.
    id: &'f str,
    width: f32,
    label: f32,
    max_field: f32,
    columns: usize,
    /// Whether one of its lists is open, which needs the keyboard.
    has_list: Cell<bool>,
    /// The column of the next field, and the top of its row.
    next: Cell<(usize, f32)>,
}

impl<'f> Form<'f> {
    /// A form in the width of the panel. `id` is the beginning of the ids of its fields, which other forms of the panel must not have.
    pub fn new(ui: &'f Ui<'f>, id: &'f str) -> Form<'f> {
        let width = ui.content_region_avail()[0];
        Form { max_field: MAX_FIELD, ..Form::of_width(ui, id, width) }
    }

    /// A form of a width, such as that of a popup, which fits its contents.
    pub fn of_width(ui: &'f Ui<'f>, id: &'f str, width: f32) -> Form<'f> {
        let label = if width < NARROW { SHORT_LABEL } else { LABEL };
        let (has_list, next) = (Cell::default(), Cell::default());
        Form { ui, id, width, label, max_field: width, columns: 1, has_list, next }
    }

    /// Whether one of its lists is open, which needs the keyboard.
    pub fn has_list(&self) -> bool {
        self.has_list.get()
    }

    /// Draws this many fields side by side, each with a label.
    pub fn in_columns(&self, columns: usize) -> Form<'f> {
        let label = (self.width / columns as f32 * 0.55).min(LABEL).round();
        Form { columns, label, next: Cell::default(), ..self.clone() }
    }

    /// Gives labels their full width also in a narrow form: for lists, which are whole in less room than numbers.
    pub fn with_whole_labels(&self) -> Form<'f> {
        Form { label: LABEL, next: Cell::default(), ..self.clone() }
    }

    /// Makes labels wider, for names that users give.
    pub fn with_long_labels(&self) -> Form<'f> {
        let label = (self.width * 0.42).round();
        Form { label, next: Cell::default(), ..self.clone() }
    }

    pub fn label_width(&self) -> f32 {
        self.label
    }

    /// Draws a label; `body` gets the place of the field beside it, at which the cursor is.
    pub fn row<R>(&self, label: &str, body: impl FnOnce(Rect) -> R) -> R {
        let (ui, (column, top)) = (self.ui, self.next.get());
        let [left, y] = ui.cursor_screen_pos();
        let top = if column == 0 { y } else { top };
        let row = Rect::at([left, top], [self.width.max(self.label + 8.0), FIELD]);
        let mut place = row.column(column, self.columns, 2.0 * GAP);
        if !label.is_empty() {
            // A long label gets more room than others before it is cut.
            let wanted = (ui.calc_text_size(label)[0] + GAP).min(place.width() * 0.5);
            let name = place.cut_left(self.label.max(wanted).round(), 0.0).trim_right(GAP);
            ui.text_in(name, Align::Left, ui.theme.quiet, label);
        } else {
            place.cut_left(self.label, 0.0);
        }
        ui.set_cursor_screen_pos(place.min);
        let done = body(place.left(place.width().min(self.max_field)));
        ui.end_at([left, row.max[1] + GAP]);
        self.next.set(((column + 1) % self.columns, top));
        done
    }

    /// Draws a row without a label.
    pub fn line<R>(&self, body: impl FnOnce(Rect) -> R) -> R {
        Form { label: 0.0, ..self.clone() }.row("", body)
    }

    /// Draws a choice as buttons side by side.
    pub fn choice<V: Copy + PartialEq>(&self, label: &str, all: &[Choice<'_, V>], value: &mut V) -> Touch {
        let (now, id) = (*value, format!("{}{label}", self.id));
        let tone = |value| if value == now { Tone::On } else { Tone::Plain };
        let chosen = self.row(label, |field| buttons(self.ui, field, &id, all, tone));
        set(value, chosen)
    }

    /// Draws switches side by side. Returns the value of a clicked one.
    pub fn switches<V: Copy>(&self, label: &str, all: &[Choice<'_, V>], is_on: impl Fn(V) -> bool) -> Option<V> {
        let tone = |value| if is_on(value) { Tone::On } else { Tone::Plain };
        self.row(label, |field| buttons(self.ui, field, &format!("{}{label}", self.id), all, tone))
    }

    /// Draws a choice as a list that opens.
    pub fn menu<V: Copy + PartialEq>(&self, label: &str, all: &[(V, &str)], value: &mut V) -> Touch {
        let id = format!("{}{label}", self.id);
        self.row(label, |field| {
            let touch = menu_in(self.ui, field, &id, all, value);
            self.has_list.set(self.has_list.get() || is_open(self.ui, &id));
            touch
        })
    }

    /// Draws a choice of names as a list that opens. `none` is the entry for an empty name, if that is allowed.
    pub fn name_of<'n>(
        &self,
        label: &str,
        none: Option<&'n str>,
        names: impl Iterator<Item = &'n str>,
        value: &mut String,
    ) -> Touch {
        let id = format!("{}{label}", self.id);
        self.row(label, |field| {
            let touch = name_in(self.ui, field, &id, none, names, value);
            self.has_list.set(self.has_list.get() || is_open(self.ui, &id));
            touch
        })
    }

    /// Draws a number with a tooltip.
    pub fn number<Q: Quantity>(&self, label: &str, tip: &str, how: Number, value: &mut Q) -> Touch {
        self.numbers(label, [tip], how, [value])
    }

    /// Draws numbers side by side, each with a tooltip.
    pub fn numbers<Q: Quantity, const N: usize>(
        &self,
        label: &str,
        tips: [&str; N],
        how: Number,
        values: [&mut Q; N],
    ) -> Touch {
        self.row(label, |field| {
            let mut touched = Touch::default();
            for (at, (value, tip)) in values.into_iter().zip(tips).enumerate() {
                let how = if N == 3 { Number { edge: Some(self.ui.theme.axes[at]), ..how } } else { how };
                let id = format!("{}{label}{at}", self.id);
                let touch = quantity(self.ui, field.column(at, N, GAP), &id, value, how);
                number_field::number_tip(self.ui, tip);
                touched = if touch == Touch::default() { touched } else { touch };
            }
            touched
        })
    }

    /// Draws a colour.
    pub fn color(&self, label: &str, value: &mut impl Tint) -> Touch {
        let mut color = value.color();
        let touch = self.row(label, |field| color_field(self.ui, &format!("{}{label}", self.id), field, &mut color));
        if touch.is_changed {
            *value = value.with(color);
        }
        touch
    }

    /// Draws a text that becomes a text field when it is clicked. `of` says what it belongs to. Returns another text that was entered.
    pub fn text<K: PartialEq>(&self, label: &str, text: NameText<'_>, naming: &mut Naming<K>, of: K) -> Option<String> {
        let id = format!("{}{label}", self.id);
        self.row(label, |field| naming.button(self.ui, &id, of, text, field))
    }

    /// Draws a text field; `hint` is shown while it is empty. Returns whether Enter was pressed in it.
    pub fn text_field(&self, label: &str, id: &str, hint: &str, text: &mut String) -> bool {
        self.row(label, |field| {
            self.ui.set_next_item_width(field.width());
            let is_entered = self.ui.input_text(format!("##{id}"), text).hint(hint).enter_returns_true(true).build();
            self.ui.item(&format!("{}{id}", self.id));
            is_entered
        })
    }

    /// Draws a value that can't be changed here, with a tooltip if it isn't empty. Tests find it as "value: " and both.
    pub fn value(&self, label: &str, value: &str, tip: &str) {
        self.value_in(label, value, tip, self.ui.theme.text);
    }

    /// As [`Form::value`], in a colour.
    pub fn value_in(&self, label: &str, value: &str, tip: &str, ink: Color) {
        let ui = self.ui;
        self.row(label, |field| {
            ui.invisible_button(format!("##value-{}{label}", self.id), field.size());
            ui.mark(|| format!("value: {label}: {value}"), field);
            ui.tip(tip, "");
            ui.text_in(field, Align::Left, ink, value);
        });
    }

    /// Draws a row of buttons that run commands. Their ids are `id` and their place.
    pub fn commands(&self, id: &str, all: &[(&str, Command)]) {
        let ui = self.ui;
        self.line(|row| {
            for (at, (name, command)) in all.iter().enumerate() {
                let label = format!("{name}##{id}{at}");
                widgets::command_button(ui, row.column(at, all.len(), GAP), &label, Tone::Plain, *command);
            }
        });
    }

    /// Draws a row of buttons. Returns the index of the pressed one.
    pub fn buttons(&self, all: &[Button<'_>]) -> Option<usize> {
        self.buttons_in(self.width, all)
    }

    fn buttons_in(&self, width: f32, all: &[Button<'_>]) -> Option<usize> {
        Form { max_field: width, ..self.clone() }.line(|row| {
            let mut pressed = None;
            for (at, button) in all.iter().enumerate() {
                let label = format!("{}##{}{}", button.text, self.id, button.id);
                if widgets::button_at(self.ui, row.column(at, all.len(), GAP), &label, button.tone) {
                    pressed = Some(at);
                }
                self.ui.tip(button.tip, "");
            }
            pressed
        })
    }

    /// Binds the form to a value. `apply` gets each touch of a field with the name of the undo step and the changed value.
    pub fn of<T>(&'f self, value: &'f T, step: &'static str, apply: Apply<'f, T>) -> FormOf<'f, T> {
        FormOf { form: self, value, step, apply }
    }
}

/// A button of a row.
#[derive(Clone, Copy, Debug)]
pub struct Button<'a> {
    pub text: &'a str,
    /// The end of its id.
    pub id: &'a str,
    /// The tooltip, or empty.
    pub tip: &'a str,
    pub tone: Tone,
}

impl<'a> Button<'a> {
    /// A button that can be pressed.
    pub fn new(text: &'a str, id: &'a str, tip: &'a str) -> Button<'a> {
        Button { text, id, tip, tone: Tone::Plain }
    }

    /// Disables the button if it has no effect.
    pub fn enabled(self, is_enabled: bool) -> Button<'a> {
        Button { tone: if is_enabled { self.tone } else { Tone::Off }, ..self }
    }
}

/// Sets a value to a chosen one, if that is another one.
fn set<V: PartialEq>(value: &mut V, chosen: Option<V>) -> Touch {
    match chosen {
        Some(chosen) if chosen != *value => {
            *value = chosen;
            Touch::AT_ONCE
        }
        _ => Touch::default(),
    }
}

/// Whether the list of a field is open.
fn is_open(ui: &Ui<'_>, id: &str) -> bool {
    sys::is_popup_open(ui.imgui, &format!("##dropdown-{id}"))
}

/// Draws a list that opens, with an entry marked. Returns the index of another one that was chosen.
pub fn pick_in<'n>(
    ui: &Ui<'_>,
    place: Rect,
    id: &str,
    now: &str,
    ink: Color,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<usize> {
    ui.set_cursor_screen_pos(place.min);
    let _list = widgets::dropdown(ui, id, now, ink, place.width())?;
    let names: Vec<&str> = names.into_iter().collect();
    let list = Found::of(ui, id, &names, names.len() >= search::MANY);
    list.chosen(ui, Some(now), || list.draw(ui, Some(now)))
}

/// As [`pick_in`], with a search field above few names, too.
pub fn find_in(ui: &Ui<'_>, place: Rect, id: &str, (now, ink): (&str, Color), names: &[&str]) -> Option<usize> {
    ui.set_cursor_screen_pos(place.min);
    let _list = widgets::dropdown(ui, id, now, ink, place.width())?;
    let list = Found::of(ui, id, names, true);
    list.chosen(ui, Some(now), || list.draw(ui, Some(now)))
}

/// Draws names as the entries of an open menu, with a search field if there are many. Returns the index of the chosen one.
pub fn list_in_menu(ui: &Ui<'_>, id: &str, names: &[&str]) -> Option<usize> {
    let is_long = names.len() >= search::MANY;
    let list = Found::of(ui, id, names, is_long);
    list.chosen(ui, None, || {
        if !is_long {
            return list.draw(ui, None);
        }
        // Not higher than the window.
        let height = (list.found.len() as f32 * (ui.text_line_height() + 8.0)).clamp(24.0, 320.0);
        ui.child_window(format!("##{id}-list")).size([240.0, height]).build(|| list.draw(ui, None)).flatten()
    })
}

/// The entries of an open list that a search finds.
struct Found<'n> {
    id: &'n str,
    names: &'n [&'n str],
    found: Vec<usize>,
    is_entered: bool,
}

impl<'n> Found<'n> {
    /// Draws the search field, if there is one.
    fn of(ui: &Ui<'_>, id: &'n str, names: &'n [&'n str], is_searched: bool) -> Found<'n> {
        let sought =
            if is_searched { search::in_open_list(ui, &format!("{id}-search"), names.len()) } else { String::new() };
        let found = (0..names.len()).filter(|at| has_words(names[*at], &sought)).collect();
        let is_entered = !sought.is_empty() && ui.is_key_pressed(imgui::Key::Enter);
        Found { id, names, found, is_entered }
    }

    /// Draws the entries. Returns the clicked one.
    fn draw(&self, ui: &Ui<'_>, now: Option<&str>) -> Option<usize> {
        let mut clicked = None;
        for &at in &self.found {
            if entry_with_picture(ui, self.id, at, self.names[at], now == Some(self.names[at])) {
                clicked = Some(at);
            }
        }
        clicked
    }

    /// The entry that Enter or a click chooses, which closes the list; `None` if it is the one of now.
    fn chosen(&self, ui: &Ui<'_>, now: Option<&str>, draw: impl FnOnce() -> Option<usize>) -> Option<usize> {
        let entered = self.found.first().copied().filter(|_| self.is_entered);
        let chosen = draw().or(entered)?;
        ui.close_current_popup();
        (now != Some(self.names[chosen])).then_some(chosen)
    }
}

/// Draws an entry of a list. Names of clips have their pictures. Returns whether it was clicked.
fn entry_with_picture(ui: &Ui<'_>, id: &str, at: usize, name: &str, is_chosen: bool) -> bool {
    let picture = ui.clip_picture(name);
    let indent = if picture.is_some() { "       " } else { "" };
    let is_clicked = menu::choice(ui, &format!("{indent}{name}##{id}{at}"), is_chosen);
    let rect = ui.item(&format!("{id}-{name}"));
    if picture.is_some() {
        let side = rect.height().min(22.0);
        widgets::clip_picture(ui, name, Rect::around([rect.min[0] + 4.0 + side / 2.0, rect.center()[1]], [side; 2]));
    }
    is_clicked
}

/// Draws a choice in a rectangle as a list that opens.
pub fn menu_in<V: Copy + PartialEq>(ui: &Ui<'_>, place: Rect, id: &str, all: &[(V, &str)], value: &mut V) -> Touch {
    let now = all.iter().find(|(one, _)| one == value).map_or("Other", |(_, name)| name);
    let chosen = pick_in(ui, place, id, now, ui.theme.text, all.iter().map(|(_, name)| *name));
    set(value, chosen.and_then(|at| Some(all.get(at)?.0)))
}

/// Draws a choice of names in a rectangle. A name that is none of them is marked as missing.
pub fn name_in<'n>(
    ui: &Ui<'_>,
    place: Rect,
    id: &str,
    none: Option<&'n str>,
    names: impl Iterator<Item = &'n str>,
    value: &mut String,
) -> Touch {
    let names: Vec<&str> = none.into_iter().chain(names).collect();
    let missing = format!("{value} (missing)");
    let (now, ink) = match none {
        Some(none) if value.is_empty() => (none, ui.theme.text),
        _ if value.is_empty() || names.contains(&value.as_str()) => (value.as_str(), ui.theme.text),
        _ => (missing.as_str(), ui.theme.hit),
    };
    let Some(at) = pick_in(ui, place, id, now, ink, names.iter().copied()) else { return Touch::default() };
    *value = if none.is_some() && at == 0 { String::new() } else { names[at].to_owned() };
    Touch::AT_ONCE
}

/// Draws the number field of a quantity in a rectangle. `id` is not shown.
pub fn quantity<Q: Quantity>(ui: &Ui<'_>, place: Rect, id: &str, value: &mut Q, how: Number) -> Touch {
    let mut number = value.get() * how.per;
    let mut touch = number_field::numbers(ui, place, id, std::slice::from_mut(&mut number), how);
    if let (true, Some(default)) = (touch.is_reset, how.default) {
        (number, touch) = (default, Touch::AT_ONCE);
    }
    if touch.is_changed {
        *value = Q::of(number / how.per);
    }
    touch
}

/// Draws buttons side by side. Returns the value of the pressed one.
pub fn buttons<V: Copy>(
    ui: &Ui<'_>,
    field: Rect,
    id: &str,
    all: &[Choice<'_, V>],
    tone: impl Fn(V) -> Tone,
) -> Option<V> {
    let (mut pressed, mut rest) = (None, field);
    let widths = all.iter().map(|(_, name, _)| ui.calc_text_size(name)[0] + 2.0 * GAP).collect::<Vec<_>>();
    let column = field.column(0, all.len(), GAP).width().min(MAX_BUTTON);
    let has_room = widths.iter().all(|width| *width <= column);
    let spare = (field.width() - widths.iter().sum::<f32>() - GAP * (all.len() as f32 - 1.0)) / all.len() as f32;
    for ((value, name, tip), width) in all.iter().zip(widths) {
        let place = rest.cut_left(if has_room { column } else { (width + spare).floor() }, GAP);
        if widgets::button_at(ui, place, &format!("{name}##{id}-{name}"), tone(*value)) {
            pressed = Some(*value);
        }
        ui.tip(tip, "");
    }
    pressed
}

/// A row of a list.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    pub id: &'a str,
    /// The text at the left.
    pub name: &'a str,
    /// Quiet text at the right.
    pub detail: &'a str,
    pub is_selected: bool,
    /// Whether the name is dim.
    pub is_dim: bool,
    /// Buttons at the left and the right.
    pub signs: [Option<Sign<'a>>; 2],
}

/// The margin of a row at both sides.
const MARGIN: f32 = 6.0;
/// The width of a [`Sign`].
const SIGN: f32 = 22.0;

/// A button with an icon in a row of a list.
#[derive(Clone, Copy, Debug)]
pub struct Sign<'a> {
    pub id: &'a str,
    pub icon: Icon,
    pub tip: &'a str,
}

impl<'a> Sign<'a> {
    pub fn new(id: &'a str, icon: Icon, tip: &'a str) -> Sign<'a> {
        Sign { id, icon, tip }
    }
}

impl<'a> Item<'a> {
    /// A row with a text at the left and a quiet one at the right.
    pub fn new(id: &'a str, name: &'a str, detail: &'a str, is_selected: bool) -> Item<'a> {
        Item { id, name, detail, is_selected, is_dim: false, signs: [None; 2] }
    }

    pub fn draw(&self, ui: &Ui<'_>) -> RowTouch {
        let mut touch = widgets::row(ui, self.id, self.is_selected);
        if ui.is_rect_visible(touch.rect.min, touch.rect.max) {
            let mut rest = touch.rect.inset(MARGIN, 0.0);
            let after = ui.cursor_screen_pos();
            for (at, sign) in self.signs.iter().enumerate() {
                let Some(Sign { id, icon, tip }) = sign else { continue };
                let place = if at == 0 { rest.cut_left(SIGN, GAP) } else { rest.cut_right(SIGN, GAP) };
                if widgets::icon_button_at(ui, place, id, *icon, Tone::Bare) {
                    touch.sign = Some(at);
                }
                ui.tip(tip, "");
                ui.set_cursor_screen_pos(after);
            }
            if !self.detail.is_empty() {
                let width = ui.calc_text_size(self.detail)[0].min(rest.width() * 0.5);
                ui.text_in(rest.cut_right(width, 2.0 * GAP), Align::Right, ui.theme.quiet, self.detail);
            }
            let ink = if self.is_dim { ui.theme.dim } else { ui.theme.text };
            ui.text_in(rest, Align::Left, ink, self.name);
        }
        touch
    }
}
