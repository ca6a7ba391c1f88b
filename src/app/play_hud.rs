//! Lines of text over the game: at its edges, on dark plates.

use std::time::{Duration, Instant};

use crate::editor::panels::ui::canvas::Kit;
use crate::editor::panels::ui::theme::faded;

/// How long good news stays.
const NEWS_TIME: Duration = Duration::from_secs(4);
/// Letters in a line of a longer text.
const LINE_LETTERS: usize = 90;
const WHITE: [f32; 4] = [0.92, 0.93, 0.95, 1.0];
const RED: [f32; 4] = [1.0, 0.62, 0.55, 1.0];

/// What happened to the game's files, told at the upper edge and on stderr: trouble until it is
/// over, all else for a moment.
#[derive(Debug, Default)]
pub struct News {
    trouble: Option<String>,
    told: Option<(String, Instant)>,
}

impl News {
    /// Something that the player may like to know. What was wrong before no longer is.
    pub fn tell(&mut self, text: String) {
        eprintln!("keypose: {text}");
        *self = News { trouble: None, told: Some((text, Instant::now())) };
    }

    /// Something that is wrong.
    pub fn warn(&mut self, text: String) {
        eprintln!("keypose: {text}");
        *self = News { trouble: Some(text), told: None };
    }

    /// Draws it.
    pub fn ui(&self, kit: &Kit<'_>) {
        let (text, color) = match (&self.trouble, &self.told) {
            (Some(text), _) => (text, RED),
            (None, Some((text, since))) if since.elapsed() < NEWS_TIME => (text, WHITE),
            _ => return,
        };
        let right = kit.io().display_size[0] - 14.0;
        plate(kit, "##news", [right, 14.0], [1.0, 0.0], color, &broken(text, LINE_LETTERS));
    }
}

/// Lines of text on a dark plate; `pivot` is the part of the plate that lies at `place`.
pub fn lines<T: AsRef<str>>(kit: &Kit<'_>, id: &str, place: [f32; 2], pivot: [f32; 2], texts: &[T]) {
    plate(kit, id, place, pivot, WHITE, texts);
}

fn plate<T: AsRef<str>>(kit: &Kit<'_>, id: &str, place: [f32; 2], pivot: [f32; 2], color: [f32; 4], texts: &[T]) {
    let _rounding = kit.push_style_var(imgui::StyleVar::WindowRounding(8.0));
    let _padding = kit.push_style_var(imgui::StyleVar::WindowPadding([14.0, 7.0]));
    let _border = kit.push_style_var(imgui::StyleVar::WindowBorderSize(0.0));
    let _ground = kit.push_style_color(imgui::StyleColor::WindowBg, faded([0.06, 0.07, 0.09, 1.0], 0.62));
    let flags = imgui::WindowFlags::NO_DECORATION
        | imgui::WindowFlags::NO_INPUTS
        | imgui::WindowFlags::ALWAYS_AUTO_RESIZE
        | imgui::WindowFlags::NO_DOCKING
        | imgui::WindowFlags::NO_SAVED_SETTINGS;
    let window = kit.window(id).position(place, imgui::Condition::Always).position_pivot(pivot).flags(flags);
    window.build(|| texts.iter().for_each(|text| kit.text_colored(color, text)));
}

/// A text in lines of at most so many letters, as far as its words allow.
fn broken(text: &str, letters: usize) -> Vec<String> {
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
    use super::broken;

    #[test]
    fn a_long_text_is_broken_between_words() {
        assert_eq!(broken("one two three", 7), ["one two", "three"]);
        assert_eq!(broken("/a/path/that/has/no/end no", 5), ["/a/path/that/has/no/end", "no"]);
        assert_eq!(broken("", 5), Vec::<String>::new());
    }
}
