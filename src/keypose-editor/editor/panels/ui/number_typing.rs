//! The number field that is typed into: its text, the values before, and the field that Tab goes to.

use crate::editor::ops::amount::{self, Amount, Measure};

/// The text of a field that is typed into.
#[derive(Debug, Default)]
pub struct Typing {
    /// The field.
    key: u32,
    pub text: String,
    /// The text at the start. While it is unchanged, so are the values.
    pub start: String,
    /// The values before.
    before: Vec<f32>,
    /// Whether the field still waits for the keyboard.
    pub is_fresh: bool,
}

impl Typing {
    /// The typed amount; `None` if the text is that of the start.
    ///
    /// # Errors
    /// The reason, if the text can't be read.
    pub fn read(&self, measure: Measure) -> Result<Option<Amount>, String> {
        if self.text == self.start { Ok(None) } else { amount::parse(&self.text, measure).map(Some) }
    }

    /// Sets values to those of the amount within a range, or to those before.
    pub fn apply(&self, amount: Option<Amount>, values: &mut [f32], [min, max]: [f32; 2]) {
        for (value, &before) in values.iter_mut().zip(&self.before) {
            *value = match amount {
                Some(amount) => (amount.of(f64::from(before)) as f32).clamp(min, max),
                None => before,
            };
        }
    }
}

/// The behaviour of a number field in this frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// Shows the number.
    Nothing,
    /// Opens for typing in the next frame.
    Open,
    /// Shows the typed text.
    Typing,
}

/// A field and its window.
type Place = (u32, u32);

/// The number field that is typed into, if any.
#[derive(Debug, Default)]
pub struct NumberTyping {
    /// The open field.
    pub typed: Option<Typing>,
    /// Whether the open field was drawn in this frame.
    is_drawn: bool,
    /// The last field that was drawn.
    last: Option<Place>,
    /// The field before the open one.
    before_open: Option<Place>,
    /// The field to open, by Shift+Tab.
    wanted: Option<u32>,
    /// Whether to open the next field of this window, by Tab.
    next_in: Option<u32>,
}

impl NumberTyping {
    /// Whether a field is typed into.
    pub fn is_open(&self) -> bool {
        self.typed.is_some()
    }

    /// Whether a field is open or about to be, but does not have the keyboard yet.
    pub fn is_opening(&self) -> bool {
        self.wanted.is_some() || self.typed.as_ref().is_some_and(|open| open.is_fresh)
    }

    /// Begins a frame. A field that was not drawn in the last one is closed.
    pub fn begin_frame(&mut self) {
        if !std::mem::take(&mut self.is_drawn) {
            self.typed = None;
        }
        (self.last, self.next_in) = (None, None);
    }

    /// Notes that a field is drawn next. Returns what it does.
    pub fn reach(&mut self, key: u32, window: u32) -> Want {
        let before = self.last.replace((key, window)).filter(|before| before.1 == window);
        if self.typed.as_ref().is_some_and(|open| open.key == key) {
            (self.is_drawn, self.before_open) = (true, before);
            return Want::Typing;
        }
        let is_next = self.next_in.take_if(|wanted| *wanted == window).is_some();
        let is_wanted = self.wanted.take_if(|wanted| *wanted == key).is_some();
        if is_next || is_wanted { Want::Open } else { Want::Nothing }
    }

    /// Opens a field.
    pub fn open(&mut self, key: u32, text: String, values: &[f32]) {
        let start = text.clone();
        self.typed = Some(Typing { key, text, start, before: values.to_vec(), is_fresh: true });
        self.is_drawn = true;
    }

    /// Closes the open field.
    pub fn close(&mut self) {
        self.typed = None;
    }

    /// Goes to the next (1) or previous (-1) field of the window of the last drawn one.
    pub fn step(&mut self, by: i32) {
        if by < 0 {
            self.wanted = self.before_open.map(|(key, _)| key)
        } else {
            self.next_in = self.last.map(|(_, window)| window)
        }
    }
}
