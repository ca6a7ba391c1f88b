//! Preferences: settings that are stored between runs of the program, besides the keys: theme, layout, recent files.
//! The app reads and writes them.

use crate::editor::ops::choice::choice;
use std::path::{Path, PathBuf};

use crate::editor::session::printed_keys::PrintedKeys;
use keypose::assets::import_options::ImportOptions;

choice! {
    /// The theme.
    #[derive(Default)]
    pub enum Shade {
        /// Light on dark.
        #[default]
        Dark = "Dark",
        /// Dark on light.
        Light = "Light",
    }
}

choice! {
    /// The initial arrangement of the panels, also after "Reset layout".
    #[derive(Default)]
    pub enum Arrangement {
        /// A large viewport with bones and properties beside it.
        #[default]
        Posing = "Posing",
        /// A tall timeline.
        Timing = "Timing",
        /// The state machine beside the viewport.
        Game = "Game states",
    }
}

choice! {
    /// The dialog that asks for a path.
    #[derive(Default)]
    pub enum FileDialogs {
        /// The file browser of the program.
        #[default]
        Keypose = "Keypose",
        /// The dialogs of the system.
        System = "System",
    }
}

choice! {
    /// The files that an imported model may refer to.
    #[derive(Default)]
    pub enum ModelFiles {
        /// Files in the folder of the model and in folders within it.
        #[default]
        InFolder = "Own folder",
        /// Any file that the user can read.
        Anywhere = "Anywhere",
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Preferences {
    /// The theme.
    pub shade: Shade,
    /// The UI scale in percent, one of [`Preferences::SCALES`]; multiplied by the scale of the display.
    pub scale_percent: u16,
    /// The layout that "Reset layout" restores.
    pub arrangement: Arrangement,
    /// Whether views along an axis are parallel until the camera orbits.
    pub auto_perspective: bool,
    /// Recent files, the latest first; at most [`Preferences::MAX_RECENT`].
    pub recent: Vec<PathBuf>,
    /// Recently used folders, the latest first; at most [`Preferences::MAX_FOLDERS`].
    pub folders: Vec<PathBuf>,
    /// The folders that the user marked in the file browser, in the order of marking.
    pub favourites: Vec<PathBuf>,
    /// The dialogs for paths.
    pub dialogs: FileDialogs,
    /// The files that an imported model may refer to.
    pub model_files: ModelFiles,
    /// The options of the last import, which the next one begins with.
    pub import_options: ImportOptions,
    /// Whether the first steps were finished or dismissed.
    pub knows_first_steps: bool,
    /// Whether sounds are silent.
    pub is_muted: bool,
    /// The characters on the user's keys.
    pub printed_keys: PrintedKeys,
}

impl Default for Preferences {
    fn default() -> Preferences {
        Preferences {
            shade: Shade::default(),
            scale_percent: 100,
            arrangement: Arrangement::default(),
            auto_perspective: true,
            recent: Vec::new(),
            folders: Vec::new(),
            favourites: Vec::new(),
            dialogs: FileDialogs::default(),
            model_files: ModelFiles::default(),
            import_options: ImportOptions::default(),
            knows_first_steps: false,
            is_muted: false,
            printed_keys: PrintedKeys::default(),
        }
    }
}

impl Preferences {
    /// The available UI scales, in percent.
    pub const SCALES: [u16; 7] = [75, 90, 100, 125, 150, 175, 200];
    /// The maximum number of recent files.
    pub const MAX_RECENT: usize = 12;

    /// The maximum number of recent folders.
    pub const MAX_FOLDERS: usize = 8;

    /// Moves a folder to the front of the recent folders.
    pub fn remember_folder(&mut self, folder: &Path) {
        self.folders.retain(|other| other != folder);
        self.folders.insert(0, folder.to_owned());
        self.folders.truncate(Self::MAX_FOLDERS);
    }

    /// Adds a folder to the favourites, or removes it.
    pub fn toggle_favourite(&mut self, folder: &Path) {
        match self.favourites.iter().position(|other| other == folder) {
            Some(at) => drop(self.favourites.remove(at)),
            None => self.favourites.push(folder.to_owned()),
        }
    }

    /// Moves a file to the front of the recent files.
    pub fn remember(&mut self, file: &Path) {
        self.recent.retain(|other| other != file);
        self.recent.insert(0, file.to_owned());
        self.recent.truncate(Self::MAX_RECENT);
    }

    /// Sets the UI scale to the nearest available one.
    pub fn set_scale(&mut self, percent: u16) {
        let nearest = Self::SCALES.into_iter().min_by_key(|scale| scale.abs_diff(percent));
        self.scale_percent = nearest.unwrap_or(100);
    }

    /// The next larger or smaller UI scale; the same at the end.
    pub fn next_scale(&self, is_larger: bool) -> u16 {
        let (mut larger, mut smaller) = (Self::SCALES.into_iter(), Self::SCALES.into_iter().rev());
        let next = if is_larger {
            larger.find(|&scale| scale > self.scale_percent)
        } else {
            smaller.find(|&scale| scale < self.scale_percent)
        };
        next.unwrap_or(self.scale_percent)
    }
}

/// A change of a preference.
#[derive(Clone, Debug, PartialEq)]
pub enum Prefer {
    /// The theme.
    Shade(Shade),
    /// The UI scale in percent.
    Scale(u16),
    /// Resets the panels to a layout.
    Arrange(Arrangement),
    /// Whether views along an axis are parallel until the camera orbits.
    AutoPerspective(bool),
    /// Adds a file to the recent files.
    Remember(PathBuf),
    /// Removes a file from the recent files.
    Forget(PathBuf),
    /// Adds a folder to the recent folders.
    RememberFolder(PathBuf),
    /// Adds a folder to the favourites, or removes it.
    ToggleFavourite(PathBuf),
    /// The dialogs for paths.
    Dialogs(FileDialogs),
    /// The files that an imported model may refer to.
    ModelFiles(ModelFiles),
    ImportOptions(Box<ImportOptions>),
    /// Whether sounds are silent.
    Muted(bool),
    /// Notes the character printed on a key, by its character on a US keyboard.
    Printed {
        place: char,
        printed: char,
    },
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
        assert_eq!(names.len(), Preferences::MAX_RECENT);
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
