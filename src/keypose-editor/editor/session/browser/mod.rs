//! The folders that the file browser shows. The app reads them; see [`crate::editor::state::effect::Effect::ListFolder`].

pub mod completion;
pub mod entry;
pub mod kinds;
pub mod order;
pub mod paths;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::editor::session::browser::entry::Listing;
use crate::editor::session::browser::kinds::PathPurpose;

/// Requests of the browser and answers of the app.
#[derive(Clone, Debug, PartialEq)]
pub enum BrowserAction {
    /// Reads a folder, again if it was read before.
    List(PathBuf),
    /// A folder was read (after `Effect::ListFolder`).
    Listed(Arc<Listing>),
    MakeFolder(PathBuf),
    /// A folder was made, or the reason why not (after `Effect::MakeFolder`).
    FolderMade(PathBuf, Result<(), String>),
    /// Finds the places of this computer: home, documents, disks.
    FindPlaces,
    /// The answer to `Effect::FindPlaces`.
    PlacesFound(Vec<Place>),
    /// Shows the system's dialog instead of the browser, starting in a folder or with a file.
    ShowSystemDialog(PathPurpose, PathBuf),
}

/// A folder of this computer that the browser offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub name: String,
    pub path: PathBuf,
    pub kind: PlaceKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// The user's folder.
    Home,
    /// A folder of the user.
    Folder,
    /// A disk, or the root of all files.
    Disk,
}

/// The folders that were read last, and reports of the app about others.
#[derive(Clone, Debug, Default)]
pub struct Folders {
    /// The latest first.
    listings: Vec<Arc<Listing>>,
    letters: String,
    /// Folders that are being read.
    reading: BTreeSet<PathBuf>,
    /// The places of this computer.
    pub places: Vec<Place>,
    /// The folder that was made last, or the reason why it could not be made.
    pub made: Option<(PathBuf, Result<(), String>)>,
}

impl Folders {
    /// Maximum number of listings that are kept.
    const MAX: usize = 6;

    /// The content of a folder, if it was read.
    pub fn listing(&self, folder: &Path) -> Option<&Arc<Listing>> {
        self.listings.iter().find(|listing| listing.folder == folder)
    }

    /// Whether a folder is being read.
    pub fn is_reading(&self, folder: &Path) -> bool {
        self.reading.contains(folder)
    }

    /// Notes that a folder is being read. Returns false if it was before.
    pub fn begin(&mut self, folder: &Path) -> bool {
        self.reading.insert(folder.to_owned())
    }

    /// Keeps the content of a folder.
    pub fn add(&mut self, listing: Arc<Listing>) {
        self.reading.remove(&listing.folder);
        let letters = listing.entries.iter().flat_map(|entry| entry.shown.chars()).filter(|letter| !letter.is_ascii());
        self.letters = self.letters.chars().chain(letters).collect::<BTreeSet<char>>().into_iter().collect();
        self.listings.retain(|other| other.folder != listing.folder);
        self.listings.insert(0, listing);
        self.listings.truncate(Folders::MAX);
    }

    /// Forgets everything that was read: it may have changed when the browser opens again.
    pub fn clear(&mut self) {
        self.listings.clear();
        self.made = None;
    }

    /// The letters of all names that are not ASCII. For finding the characters that the fonts need.
    pub fn letters(&self) -> &str {
        &self.letters
    }

    /// The user's folder.
    pub fn home(&self) -> Option<&Path> {
        self.places.iter().find(|place| place.kind == PlaceKind::Home).map(|place| &*place.path)
    }
}
