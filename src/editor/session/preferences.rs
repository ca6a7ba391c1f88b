//! What is kept between sessions beside the keys: how the program looks, how it is arranged, what was opened lately.
//! The app reads and writes it; here it is a value.

use std::path::{Path, PathBuf};

/// Which of the two themes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shade {
    /// Light on dark.
    #[default]
    Dark,
    /// Dark on light.
    Light,
}

impl Shade {
    /// Both.
    pub const ALL: [Shade; 2] = [Shade::Dark, Shade::Light];

    /// The word for panels and the preference file.
    pub fn name(self) -> &'static str {
        match self {
            Shade::Dark => "Dark",
            Shade::Light => "Light",
        }
    }
}

/// How the panels are arranged at first, and after "Reset layout".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// A large picture with bones and values beside it.
    #[default]
    Posing,
    /// A high time line.
    Timing,
    /// The game's states beside the picture.
    Game,
}

impl Arrangement {
    /// All, in the order in which they are shown.
    pub const ALL: [Arrangement; 3] = [Arrangement::Posing, Arrangement::Timing, Arrangement::Game];

    /// The word for panels and the preference file.
    pub fn name(self) -> &'static str {
        match self {
            Arrangement::Posing => "Posing",
            Arrangement::Timing => "Timing",
            Arrangement::Game => "Game states",
        }
    }
}

/// What is kept between sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preferences {
    /// The theme.
    pub shade: Shade,
    /// Size of everything in percent, one of [`Preferences::SCALES`]; the screen's own scale comes on top.
    pub scale_percent: u16,
    /// What "Reset layout" leads to.
    pub arrangement: Arrangement,
    /// Files that were opened or saved, the last first; at most [`Preferences::MOST_RECENT`].
    pub recent: Vec<PathBuf>,
    /// The first steps were finished or dismissed.
    pub knows_first_steps: bool,
}

impl Default for Preferences {
    fn default() -> Preferences {
        Preferences {
            shade: Shade::default(),
            scale_percent: 100,
            arrangement: Arrangement::default(),
            recent: Vec::new(),
            knows_first_steps: false,
        }
    }
}

impl Preferences {
    /// The sizes that can be chosen, in percent.
    pub const SCALES: [u16; 7] = [75, 90, 100, 125, 150, 175, 200];
    /// So many files are remembered.
    pub const MOST_RECENT: usize = 12;

    /// Puts a file in front of those that were opened lately.
    pub fn remember(&mut self, file: &Path) {
        self.recent.retain(|other| other != file);
        self.recent.insert(0, file.to_owned());
        self.recent.truncate(Self::MOST_RECENT);
    }

    /// Sets the size to the nearest that can be chosen.
    pub fn set_scale(&mut self, percent: u16) {
        let nearest = Self::SCALES.into_iter().min_by_key(|scale| scale.abs_diff(percent));
        self.scale_percent = nearest.unwrap_or(100);
    }

    /// The next larger or smaller size; the same at the end.
    pub fn next_scale(&self, is_larger: bool) -> u16 {
        let (mut larger, mut smaller) = (Self::SCALES.into_iter(), Self::SCALES.into_iter().rev());
        let next = match is_larger {
            true => larger.find(|&scale| scale > self.scale_percent),
            false => smaller.find(|&scale| scale < self.scale_percent),
        };
        next.unwrap_or(self.scale_percent)
    }
}

/// A change of a preference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// The theme.
    Shade(Shade),
    /// The size of everything in percent.
    Scale(u16),
    /// This arrangement, made anew.
    Arrange(Arrangement),
    /// A file was opened: it goes in front of the recent ones.
    Remember(PathBuf),
    /// Takes a file off the list of recent ones.
    Forget(PathBuf),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_opened_again_comes_to_the_front_once() {
        let mut preferences = Preferences::default();
        for number in (0..20).chain([15]) {
            preferences.remember(Path::new(&format!("{number}.wad")));
        }
        let names: Vec<_> = preferences.recent.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        assert_eq!(names[..4], ["15.wad", "19.wad", "18.wad", "17.wad"]);
        assert_eq!(names.len(), Preferences::MOST_RECENT);
    }

    #[test]
    fn sizes_stay_within_those_that_can_be_chosen() {
        let mut preferences = Preferences::default();
        for (wanted, is) in [(0, 75), (110, 100), (130, 125), (9000, 200)] {
            preferences.set_scale(wanted);
            assert_eq!(preferences.scale_percent, is, "{wanted}");
        }
        assert_eq!(preferences.next_scale(true), 200);
        assert_eq!(preferences.next_scale(false), 175);
    }
}
