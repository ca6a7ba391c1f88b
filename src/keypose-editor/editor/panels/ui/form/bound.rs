//! Forms that are bound to a value.

use crate::editor::panels::ui::form::{Choice, Form, Quantity, Tint};
use crate::editor::panels::ui::name_field::{NameText, Naming};
use crate::editor::panels::ui::number_field::Number;
use crate::editor::panels::ui::widgets::Touch;

/// Does what a touch of a field asks for: gets the name of the undo step and the changed value.
pub type Apply<'f, T> = &'f dyn Fn(Touch, &'static str, T);

/// A form whose fields change one value.
pub struct FormOf<'f, T> {
    pub(super) form: &'f Form<'f>,
    pub(super) value: &'f T,
    pub(super) step: &'static str,
    pub(super) apply: Apply<'f, T>,
}

impl<'f, T: Clone> FormOf<'f, T> {
    /// Names the undo step of the fields that follow.
    pub fn step(&self, step: &'static str) -> FormOf<'f, T> {
        FormOf { step, form: self.form, value: self.value, apply: self.apply }
    }

    /// Returns the form that draws the rows.
    pub fn form(&self) -> &'f Form<'f> {
        self.form
    }

    /// The value that its fields show.
    pub fn value(&self) -> &'f T {
        self.value
    }

    /// Draws fields that change a copy of the value, and applies it if they are touched.
    pub fn field(&self, draw: impl FnOnce(&Form<'f>, &mut T) -> Touch) {
        let mut value = self.value.clone();
        let touch = draw(self.form, &mut value);
        if touch != Touch::default() {
            (self.apply)(touch, self.step, value);
        }
    }

    /// Sets another value at once.
    pub fn set(&self, value: T) {
        (self.apply)(Touch::AT_ONCE, self.step, value);
    }

    /// Draws a choice as buttons side by side.
    pub fn choice<V: Copy + PartialEq>(
        &self,
        label: &str,
        all: &[Choice<'_, V>],
        of: impl for<'v> FnOnce(&'v mut T) -> &'v mut V,
    ) {
        self.field(|form, value| form.choice(label, all, of(value)));
    }

    /// Draws a choice as a list that opens.
    pub fn menu<V: Copy + PartialEq>(
        &self,
        label: &str,
        all: &[(V, &str)],
        of: impl for<'v> FnOnce(&'v mut T) -> &'v mut V,
    ) {
        self.field(|form, value| form.menu(label, all, of(value)));
    }

    /// Draws a choice of names as a list that opens, with an entry for an empty name.
    pub fn name_of<'n>(
        &self,
        label: &str,
        none: Option<&'n str>,
        names: impl Iterator<Item = &'n str>,
        of: impl for<'v> FnOnce(&'v mut T) -> &'v mut String,
    ) {
        self.field(|form, value| form.name_of(label, none, names, of(value)));
    }

    /// Draws a number with a tooltip.
    pub fn number<Q: Quantity>(
        &self,
        label: &str,
        tip: &str,
        how: Number,
        of: impl for<'v> FnOnce(&'v mut T) -> &'v mut Q,
    ) {
        self.field(|form, value| form.number(label, tip, how, of(value)));
    }

    /// Draws numbers side by side, each with a tooltip.
    pub fn numbers<Q: Quantity, const N: usize>(
        &self,
        label: &str,
        tips: [&str; N],
        how: Number,
        of: impl for<'v> FnOnce(&'v mut T) -> [&'v mut Q; N],
    ) {
        self.field(|form, value| form.numbers(label, tips, how, of(value)));
    }

    /// Draws a text that becomes a text field when it is clicked; `of` says what it belongs to. `set` gets another text that was entered.
    pub fn text<K: PartialEq>(
        &self,
        label: &str,
        text: NameText<'_>,
        naming: &mut Naming<K>,
        of: K,
        set: impl FnOnce(&mut T, String),
    ) {
        if let Some(text) = self.form.text(label, text, naming, of) {
            let mut value = self.value.clone();
            set(&mut value, text);
            self.set(value);
        }
    }

    /// Draws a colour.
    pub fn color<C: Tint>(&self, label: &str, of: impl for<'v> FnOnce(&'v mut T) -> &'v mut C) {
        self.field(|form, value| form.color(label, of(value)));
    }
}
