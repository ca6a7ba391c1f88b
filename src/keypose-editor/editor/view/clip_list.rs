//! The lines of the clip list: folders, search and drag and drop.

use std::collections::BTreeSet;

use crate::editor::document::edit::{ClipEdit, Edit};
use crate::editor::ops::sentence::has_words;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Line<'a> {
    /// A folder and its number of clips.
    Folder(&'a str, usize),
    /// A clip, and whether it is in a folder.
    Clip(&'a ClipSlot, bool),
}

/// The destination of a drop.
#[derive(Clone, Debug, PartialEq)]
pub enum Drop {
    Before(ClipId),
    After(ClipId),
    /// At the end of a folder.
    Into(String),
}

/// The folder of a clip; empty for none.
pub fn folder_of(model: &Model, id: ClipId) -> &str {
    model.clip_notes.get(&id).map_or("", |notes| &notes.folder)
}

/// Whether name, folder or tags contain every word of a search, ignoring case.
pub fn matches(model: &Model, slot: &ClipSlot, search: &str) -> bool {
    let notes = model.clip_notes.get(&slot.id);
    let tags = notes.map(|notes| notes.tags.join(" #")).unwrap_or_default();
    let text = format!("{} {} #{tags}", slot.clip.name, folder_of(model, slot.id));
    has_words(&text, search)
}

/// Clips without a folder in order, then each folder with its clips. Closed folders hide their clips unless a search is
/// active.
pub fn lines<'a>(model: &'a Model, search: &str, closed: &BTreeSet<String>) -> Vec<Line<'a>> {
    let found: Vec<&ClipSlot> = model.clips.iter().filter(|slot| matches(model, slot, search)).collect();
    let of = |folder: &str| -> Vec<&'a ClipSlot> {
        found.iter().copied().filter(|slot| folder_of(model, slot.id) == folder).collect()
    };
    let mut lines: Vec<Line<'a>> = of("").into_iter().map(|slot| Line::Clip(slot, false)).collect();
    let mut folders: Vec<&'a str> = Vec::new();
    for slot in &found {
        let folder = folder_of(model, slot.id);
        if !folder.is_empty() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    for folder in folders {
        let inside = of(folder);
        lines.push(Line::Folder(folder, inside.len()));
        if !search.trim().is_empty() || !closed.contains(folder) {
            lines.extend(inside.into_iter().map(|slot| Line::Clip(slot, true)));
        }
    }
    lines
}

/// The edits of a drop; the dragged clips keep their order.
pub fn edits_of_drop(model: &Model, moved: &[ClipId], drop: &Drop) -> Vec<Edit> {
    let (target, is_after, folder) = match drop {
        Drop::Before(target) => (Some(*target), false, folder_of(model, *target).to_owned()),
        Drop::After(target) => (Some(*target), true, folder_of(model, *target).to_owned()),
        Drop::Into(folder) => (None, false, folder.clone()),
    };
    let mut order: Vec<ClipId> = model.clips.iter().map(|slot| slot.id).collect();
    let moved: Vec<ClipId> = order.iter().copied().filter(|id| moved.contains(id) && Some(*id) != target).collect();
    let (mut edits, mut behind) = (Vec::new(), if is_after { target } else { None });
    for clip in moved {
        if folder_of(model, clip) != folder {
            edits.push(ClipEdit::SetFolder { clip, folder: folder.clone() }.into());
        }
        let before = order.clone();
        order.retain(|id| *id != clip);
        let place = |wanted: ClipId| order.iter().position(|id| *id == wanted);
        let to = match (behind, target) {
            (Some(last), _) => place(last).map(|at| at + 1),
            (None, Some(target)) => place(target),
            (None, None) => None,
        };
        let Some(to) = to else { continue };
        order.insert(to, clip);
        behind = behind.map(|_| clip);
        if order != before {
            edits.push(ClipEdit::MoveClip { clip, to }.into());
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::document::Document;
    use keypose::anim::clip::Clip;
    use keypose::assets::clip_notes::ClipNotes;
    use keypose::assets::project::Project;
    use std::sync::Arc;

    /// a, b and e at the top; c and d in "air".
    fn document() -> Document {
        let slot = |(id, name): (u32, &str)| ClipSlot { id: ClipId(id), clip: Arc::new(Clip::new(name)) };
        let clips = [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")].into_iter().map(slot).collect();
        let notes =
            |tags: &str| ClipNotes { folder: "air".into(), tags: ClipNotes::tags_of(tags), ..ClipNotes::default() };
        let clip_notes = [(ClipId(3), notes("loop")), (ClipId(4), notes(""))].into();
        let mut project = Project::default();
        project.add_model(Model { name: "m".into(), clips, clip_notes, ..Model::default() });
        Document::new(project)
    }

    fn words(document: &Document, search: &str, closed: &[&str]) -> String {
        let closed = closed.iter().map(|name| (*name).to_owned()).collect();
        let word = |line: Line<'_>| match line {
            Line::Folder(name, count) => format!("{name}({count})"),
            Line::Clip(slot, is_inside) => format!("{}{}", if is_inside { "-" } else { "" }, slot.clip.name),
        };
        lines(&document.models[0], search, &closed).into_iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn folders_stand_behind_and_open() {
        let document = document();
        assert_eq!(words(&document, "", &[]), "a b e air(2) -c -d");
        assert_eq!(words(&document, "", &["air"]), "a b e air(2)");
        assert_eq!(words(&document, "air", &["air"]), "air(2) -c -d");
        assert_eq!(words(&document, "#loop", &[]), "air(1) -c");
        assert_eq!(words(&document, "B", &[]), "b");
    }

    #[test]
    fn a_drop_moves_clips_and_takes_them_into_folders() {
        let ids = |numbers: &[u32]| numbers.iter().map(|number| ClipId(*number)).collect::<Vec<_>>();
        let cases = [
            (vec![5], Drop::Before(ClipId(1)), "e a b air(2) -c -d"),
            (vec![1], Drop::After(ClipId(5)), "b e a air(2) -c -d"),
            (vec![1, 2], Drop::After(ClipId(5)), "e a b air(2) -c -d"),
            (vec![1, 2], Drop::After(ClipId(3)), "e air(4) -c -a -b -d"),
            (vec![4], Drop::Before(ClipId(2)), "a d b e air(1) -c"),
            (vec![2], Drop::Into("air".into()), "a e air(3) -b -c -d"),
            (vec![2], Drop::Before(ClipId(2)), "a b e air(2) -c -d"),
        ];
        for (moved, drop, expected) in cases {
            let document = document();
            let edits = edits_of_drop(&document.models[0], &ids(&moved), &drop);
            let after = document.with(&edits).unwrap();
            assert_eq!(words(&after, "", &[]), expected, "{moved:?} {drop:?}");
        }
    }
}
