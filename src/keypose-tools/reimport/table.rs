//! The table of a re-import: renamed, new and missing parts, for the user to confirm.

use std::collections::BTreeSet;
use std::fmt;

use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::BoneIndex;
use crate::assets::model::Model;
use crate::reimport::bones::FoundBy;
use crate::reimport::how;
use crate::reimport::merge::Merged;

/// Lengths that differ by less are not worth a row.
const SAME_LENGTH: f32 = 1e-3;

/// The kind of item in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Subject {
    Bone,
    Mesh,
    /// The weight of a morph target.
    Weight,
    Clip,
}

/// Kind of change.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Another name, and how it was found.
    Renamed(String, &'static str),
    /// Another length, as a part of the one before: 1.5 is half as long again. Keys of its positions follow.
    Resized(f32),
    /// The model did not have it.
    New,
    /// The changed model doesn't have it. Bones that are used stay; the text says what uses them.
    Gone(String),
    /// The clip of the file replaces the one of the same name.
    Replaced,
    /// A clip of the same name differs in the file. The one of the model stays.
    Differs,
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Bone, mesh, weight or clip.
    pub subject: Subject,
    /// The previous name, or the name of a new item.
    pub name: String,
    /// What changes.
    pub change: Change,
}

impl Row {
    pub(super) fn new(subject: Subject, name: &str, change: Change) -> Row {
        Row { subject, name: name.to_owned(), change }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = match self.subject {
            Subject::Bone => "bone",
            Subject::Mesh => "mesh",
            Subject::Weight => "weight",
            Subject::Clip => "clip",
        };
        write!(f, "{subject} {}: ", self.name)?;
        match &self.change {
            Change::Renamed(to, how) => write!(f, "renamed to {to} ({how})"),
            Change::Resized(ratio) => {
                write!(f, "{:.0} % of its length; keys of its positions follow", 100.0 * ratio)
            }
            Change::New => f.write_str("new"),
            Change::Gone(uses) if uses.is_empty() => f.write_str("gone"),
            Change::Gone(uses) => write!(f, "gone from the file; kept, because of {uses}"),
            Change::Replaced => f.write_str("replaced by the one of the file"),
            Change::Differs => f.write_str("the one of the file differs; yours is kept"),
        }
    }
}

/// The changes in one line: "1 bone renamed, 2 meshes new".
pub fn summary(table: &[Row]) -> String {
    type Is = fn(&Change) -> bool;
    let kinds: [(Is, &str); 6] = [
        (|change| matches!(change, Change::Renamed(..)), "renamed"),
        (|change| matches!(change, Change::Resized(_)), "of another length"),
        (|change| matches!(change, Change::New), "new"),
        (|change| matches!(change, Change::Gone(_)), "gone"),
        (|change| matches!(change, Change::Replaced), "replaced"),
        (|change| matches!(change, Change::Differs), "kept although the file differs"),
    ];
    let mut parts = Vec::new();
    let subjects = [
        (Subject::Bone, ["bone", "bones"]),
        (Subject::Mesh, ["mesh", "meshes"]),
        (Subject::Weight, ["weight", "weights"]),
        (Subject::Clip, ["clip", "clips"]),
    ];
    for (subject, [one, many]) in subjects {
        for (is_it, word) in kinds {
            let count = table.iter().filter(|row| row.subject == subject && is_it(&row.change)).count();
            let things = if count == 1 { one } else { many };
            parts.extend((count > 0).then(|| format!("{count} {things} {word}")));
        }
    }
    if parts.is_empty() { "the same bones, meshes and clips".to_owned() } else { parts.join(", ") }
}

/// The rows about bones.
pub(super) fn bones(
    before: &Model,
    changed: &Model,
    found: &[Option<(BoneIndex, FoundBy)>],
    (merged, uses): (&Merged, &[Vec<String>]),
) -> Vec<Row> {
    let (mut rows, mut known) = (Vec::new(), BTreeSet::new());
    for (at, bone) in before.skeleton.bones().iter().enumerate() {
        let change = match found[at] {
            Some((other, by)) => {
                known.insert(other);
                let name = changed.skeleton.get(other).map(|other| other.name.clone()).unwrap_or_default();
                (name != bone.name).then(|| Change::Renamed(name, how(by)))
            }
            None if merged.of_before[at].is_none() => Some(Change::Gone(String::new())),
            None if uses[at].is_empty() => Some(Change::Gone("bones below it".into())),
            None => Some(Change::Gone(uses[at].join(", "))),
        };
        rows.extend(change.map(|change| Row::new(Subject::Bone, &bone.name, change)));
        rows.extend(resized(before, at, merged).map(|change| Row::new(Subject::Bone, &bone.name, change)));
    }
    let new = changed.skeleton.indices().filter(|bone| !known.contains(bone));
    let names = new.filter_map(|bone| changed.skeleton.get(bone));
    rows.extend(names.map(|bone| Row::new(Subject::Bone, &bone.name, Change::New)));
    rows
}

/// The change of a bone that has another length and keyed positions.
fn resized(before: &Model, bone: usize, merged: &Merged) -> Option<Change> {
    let moved = merged.moved[bone].filter(|moved| (moved.ratio - 1.0).abs() > SAME_LENGTH)?;
    let is_position = |key: &Key| usize::from(key.bone) == bone && key.channel == Channel::Translation;
    let mut keyframes = before.clips.iter().flat_map(|slot| &slot.clip.keyframes);
    keyframes.any(|keyframe| keyframe.keys.iter().any(is_position)).then_some(Change::Resized(moved.ratio))
}

/// The rows about meshes, by name.
pub(super) fn meshes(before: &Model, changed: &Model) -> Vec<Row> {
    let names =
        |model: &Model| -> BTreeSet<String> { model.meshes.iter().map(|slot| slot.mesh.name.clone()).collect() };
    let (old, new) = (names(before), names(changed));
    let gone = old.difference(&new).map(|name| Row::new(Subject::Mesh, name, Change::Gone(String::new())));
    let added = new.difference(&old).map(|name| Row::new(Subject::Mesh, name, Change::New));
    gone.chain(added).collect()
}
