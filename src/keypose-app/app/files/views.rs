//! The last view of each file, in a small JSON file of its own in the folder for application state. A missing or damaged
//! one is no error: the file is shown from its start.

use std::fs;
use std::path::{Path, PathBuf};

use glam::Vec3;
use serde_json::{Map, Value, json};

use keypose::anim::time::Time;
use keypose_editor::editor::commands::stored;
use keypose_editor::editor::session::camera::{Lens, OrbitCamera};
use keypose_editor::editor::session::file_view::FileView;
use keypose_editor::editor::session::preferences::Arrangement;
use keypose_editor::editor::session::timing::TimeView;

use crate::app::files::folder_names::names_in;
use crate::app::files::{folders, regular_files, save};
use crate::app::preferences::{self, Layout};

/// The number of files that are remembered.
const MAX_FILES: usize = 300;

/// The last view of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredView {
    /// The editor's state.
    pub view: FileView,
    /// The layout of the panels.
    pub layout: Option<Layout>,
}

/// Remembers what is shown of a file. Failing is no error, because nothing of the user's work is in it.
pub fn store(file: &Path, stored: &StoredView) {
    let Some(folder) = folder() else { return };
    let written =
        fs::create_dir_all(&folder).and_then(|()| save::replace(&place(&folder, file), text(file, stored).as_bytes()));
    if written.is_ok() {
        forget_oldest(&folder);
    }
}

/// Reads how a file was shown when it was closed last.
pub fn load(file: &Path) -> Option<StoredView> {
    parse(&regular_files::read(&place(&folder()?, file), regular_files::MAX_TEXT_BYTES).ok()?, file)
}

fn folder() -> Option<PathBuf> {
    Some(folders::state()?.join("views"))
}

/// The file that belongs to a file: its name is a checksum of the path.
fn place(folder: &Path, file: &Path) -> PathBuf {
    folder.join(format!("{:016x}.json", xxhash_rust::xxh3::xxh3_64(path_text(file).as_bytes())))
}

fn path_text(file: &Path) -> String {
    let file = fs::canonicalize(file).or_else(|_| std::path::absolute(file)).unwrap_or_else(|_| file.to_owned());
    file.to_string_lossy().into_owned()
}

/// Formats a stored view.
pub fn text(file: &Path, stored: &StoredView) -> String {
    let FileView { model, clip, time, camera, hidden, pins, bone_sets, time_view, arrangement } = &stored.view;
    let OrbitCamera { target, yaw, pitch, distance, lens } = camera;
    let sets = bone_sets.iter().map(|(number, bones)| (number.to_string(), json!(bones)));
    let mut value = json!({
        "file": path_text(file),
        "model": model,
        "clip": clip,
        "time_in_flicks": time.0,
        "camera": {
            "target": target.to_array(), "yaw": yaw, "pitch": pitch, "distance": distance,
            "is_parallel": *lens == Lens::Parallel,
        },
        "hidden": hidden,
        "pins": pins,
        "bone_sets": sets.collect::<Map<String, Value>>(),
        "timeline": time_view.name(),
        "layout": arrangement.name(),
    });
    if let Some(layout) = &stored.layout {
        value["panels"] = preferences::layout_value(layout);
    }
    format!("{value:#}\n")
}

/// Reads a stored view of a file; `None` if it is damaged or belongs to another file.
pub fn parse(bytes: &[u8], file: &Path) -> Option<StoredView> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    if value["file"].as_str()? != path_text(file) {
        return None;
    }
    let number = |value: &Value| value.as_f64().map(|number| number as f32);
    let camera = &value["camera"];
    let target = camera["target"].as_array()?.iter().map(number).collect::<Option<Vec<f32>>>()?;
    let lens = if camera["is_parallel"].as_bool()? { Lens::Parallel } else { Lens::Perspective };
    let sets = value["bone_sets"].as_object()?.iter();
    let view = FileView {
        model: value["model"].as_str()?.to_owned(),
        clip: value["clip"].as_str().map(str::to_owned),
        time: Time(value["time_in_flicks"].as_i64()?),
        camera: OrbitCamera {
            target: Vec3::from_array(target.try_into().ok()?),
            yaw: number(&camera["yaw"])?,
            pitch: number(&camera["pitch"])?,
            distance: number(&camera["distance"])?,
            lens,
        },
        hidden: stored::strings(&value["hidden"])?,
        pins: stored::strings(&value["pins"])?,
        bone_sets: sets
            .map(|(number, bones)| Some((number.parse().ok()?, stored::strings(bones)?)))
            .collect::<Option<_>>()?,
        time_view: *TimeView::ALL.iter().find(|view| value["timeline"].as_str() == Some(view.name()))?,
        arrangement: *Arrangement::ALL.iter().find(|one| value["layout"].as_str() == Some(one.name()))?,
    };
    Some(StoredView { view, layout: value.get("panels").and_then(preferences::layout) })
}

/// Removes the files that were written longest ago, if there are too many.
fn forget_oldest(folder: &Path) {
    let Ok(names) = names_in(folder) else { return };
    let written = |path: PathBuf| Some((fs::symlink_metadata(&path).ok()?.modified().ok()?, path));
    let mut files: Vec<_> = names.map_while(Result::ok).filter_map(|name| written(folder.join(name))).collect();
    files.sort();
    let surplus = files.len().saturating_sub(MAX_FILES);
    // A file that can't be removed is tried again the next time.
    files.iter().take(surplus).for_each(|(_, path)| drop(fs::remove_file(path)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored() -> StoredView {
        let camera = OrbitCamera { yaw: 0.1, lens: Lens::Parallel, ..OrbitCamera::default() };
        let view = FileView {
            model: "knight".into(),
            clip: None,
            time: Time(23_520_000),
            camera,
            hidden: vec!["head \"left\"".into()],
            pins: Vec::new(),
            bone_sets: [(1, vec!["hand.L".into()])].into(),
            time_view: TimeView::Sheet,
            arrangement: Arrangement::Timing,
        };
        let layout = Layout {
            ini: "[Window][Bones]\nPos=0,1\nCollapsed=0\n\n\n".into(),
            panels: vec!["Bones".into()],
            untouched: None,
        };
        StoredView { view, layout: Some(layout) }
    }

    #[test]
    fn what_is_written_is_read_for_the_same_file_only() {
        let (file, other) = (Path::new("/models/knight.wad"), Path::new("/models/knight2.wad"));
        let text = text(file, &stored());
        assert_eq!(parse(text.as_bytes(), file), Some(stored()));
        assert_eq!(parse(text.as_bytes(), other), None);
        let changed = text.replace("Pos=0,1", "Pos=0,2");
        assert_eq!(parse(changed.as_bytes(), file).map(|stored| stored.layout), Some(None), "Dear ImGui would abort");
    }

    #[test]
    fn damaged_files_are_ignored() {
        let file = Path::new("/models/knight.wad");
        let text = text(file, &stored());
        for end in 0..text.len() - 2 {
            assert_eq!(parse(text.get(..end).unwrap_or_default().as_bytes(), file), None);
        }
        for (from, to) in [("\"yaw\": 0", "\"yaw\": \"0"), ("Dope sheet", "Sheet"), ("\"1\"", "\"one\"")] {
            assert_eq!(parse(text.replace(from, to).as_bytes(), file), None, "{from}");
        }
    }
}
