//! The knight's clips with their lanes: texts in `data/src/knight`, which Keypose reads and writes (`keypose clip`). CONTRIBUTING.md says how
//! to change one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use keypose::anim::skeleton::Skeleton;
use keypose::assets::clip_notes::ClipNotes;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose_tools::clip_text::{self, ClipText};

use crate::clips::table;

/// The folder of the texts.
pub const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/src/knight");

/// Clips at the start of the list, in this order. Others follow by name.
const FIRST: &[&str] = &[
    "idle",
    "walk",
    "run",
    "jump",
    "fall",
    "land",
    "crouch",
    "attack",
    "climb",
    "hurt",
    "die",
    "attack 2",
    "attack 3",
    "crouch walk",
    "crouch idle",
    "stab",
    "air attack",
    "roll",
    "victory",
    "look around",
    "sleep",
    "talk",
    "push",
];

/// Adds the clips, their lanes and the table: every state shows the clip of its name.
///
/// # Errors
///
/// A file that can't be read, or the file, the line and the reason.
pub fn add(model: &mut Model) -> Result<(), String> {
    for (id, text) in (1..).map(ClipId).zip(texts(&model.skeleton)?) {
        let ClipText { clip, lanes, folder, tags } = text;
        model.clips.push(ClipSlot { id, clip: Arc::new(clip) });
        model.combat_mut().set_lanes(id, lanes);
        if !folder.is_empty() || !tags.is_empty() {
            model.clip_notes.insert(id, ClipNotes { folder, tags, derived: None, mask: Vec::new() });
        }
    }
    model.machine = table(model.clips.iter().map(|slot| &*slot.clip));
    Ok(())
}

/// All texts, in the order in which the clips are listed.
fn texts(skeleton: &Skeleton) -> Result<Vec<ClipText>, String> {
    let mut texts = BTreeMap::new();
    for path in paths()? {
        let failed = |reason: String| format!("{}: {reason}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
        let text = clip_text::read(&text, skeleton).map_err(|error| failed(error.to_string()))?;
        let name = text.clip.name.clone();
        let place = FIRST.iter().position(|first| *first == name).unwrap_or(FIRST.len());
        if texts.insert((place, name), text).is_some() {
            return Err(failed("another text has a clip of this name".into()));
        }
    }
    Ok(texts.into_values().collect())
}

fn paths() -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{FOLDER}: {error}");
    let entries = Path::new(FOLDER).read_dir().map_err(failed)?;
    let paths: Result<Vec<_>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = paths.map_err(failed)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    Ok(paths)
}
