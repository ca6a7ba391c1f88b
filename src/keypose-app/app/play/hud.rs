//! Lines of text over the game, on dark plates.

use std::time::{Duration, Instant};

use keypose_editor::editor::panels::ui::surface::Surface;
use keypose_editor::editor::panels::ui::theme::faded;

use crate::app::console;

/// How long a message is shown.
const MESSAGE_TIME: Duration = Duration::from_secs(4);
/// Maximum letters in a line of a long text.
const MAX_LINE_LETTERS: usize = 90;
/// The colour of text.
pub const WHITE: [f32; 4] = [0.92, 0.93, 0.95, 1.0];
const RED: [f32; 4] = [1.0, 0.62, 0.55, 1.0];

/// The latest message about the game's files, shown at the upper edge and on stderr: an error until it is resolved,
/// others for a moment.
#[derive(Debug, Default)]
pub struct Messages {
    error: Option<String>,
    info: Option<(String, Instant)>,
}

impl Messages {
    /// Shows a message and clears the error.
    pub fn show(&mut self, text: String) {
        console::warn(format_args!("keypose: {text}"));
        self.show_quietly(text);
    }

    /// Shows a message that is of no use on stderr, and clears the error.
    pub fn show_quietly(&mut self, text: String) {
        *self = Messages { error: None, info: Some((text, Instant::now())) };
    }

    /// Shows an error, and prints it.
    pub fn show_error(&mut self, text: String) {
        console::warn(format_args!("keypose: {text}"));
        *self = Messages { error: Some(text), info: None };
    }

    /// Draws the message.
    pub fn ui(&self, frame: &Surface<'_>) {
        let (text, color) = match (&self.error, &self.info) {
            (Some(text), _) => (text, RED),
            (None, Some((text, since))) if since.elapsed() < MESSAGE_TIME => (text, WHITE),
            _ => return,
        };
        let right = frame.io().display_size[0] - 14.0;
        let plate = Plate { place: [right, 14.0], pivot: [1.0, 0.0], color };
        plate.draw(frame, "##news", &wrapped(text, letters_in(frame)));
    }
}

/// A dark plate for lines of text.
pub struct Plate {
    /// Where it is, in points of the display.
    pub place: [f32; 2],
    /// The point of the plate, 0..=1, that is at `place`.
    pub pivot: [f32; 2],
    /// The colour of the text.
    pub color: [f32; 4],
}

impl Plate {
    /// Draws it around lines of text.
    pub fn draw<T: AsRef<str>>(&self, frame: &Surface<'_>, id: &str, texts: &[T]) {
        let _rounding = frame.push_style_var(imgui::StyleVar::WindowRounding(8.0));
        let _padding = frame.push_style_var(imgui::StyleVar::WindowPadding([14.0, 7.0]));
        let _border = frame.push_style_var(imgui::StyleVar::WindowBorderSize(0.0));
        let _ground = frame.push_style_color(imgui::StyleColor::WindowBg, faded([0.06, 0.07, 0.09, 1.0], 0.62));
        let flags = imgui::WindowFlags::NO_DECORATION
            | imgui::WindowFlags::NO_INPUTS
            | imgui::WindowFlags::ALWAYS_AUTO_RESIZE
            | imgui::WindowFlags::NO_DOCKING
            | imgui::WindowFlags::NO_SAVED_SETTINGS;
        let window = frame.window(id).position(self.place, imgui::Condition::Always);
        let window = window.position_pivot(self.pivot).flags(flags);
        window.build(|| texts.iter().for_each(|text| frame.text_colored(self.color, text)));
    }
}

/// How many letters fit beside each other on a plate: fewer in a narrow window.
pub fn letters_in(frame: &Surface<'_>) -> usize {
    ((frame.io().display_size[0] - 60.0) / 8.0).clamp(20.0, MAX_LINE_LETTERS as f32) as usize
}

/// Breaks a text into lines of at most `letters` letters, between words.
pub fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn a_long_text_is_broken_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("/a/path/that/has/no/end no", 5), ["/a/path/that/has/no/end", "no"]);
        assert_eq!(wrapped("", 5), Vec::<String>::new());
    }
}
