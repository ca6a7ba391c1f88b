//! The table of a re-import: renamed, new and missing parts, for the user to confirm.

use std::collections::BTreeSet;
use std::fmt;

use glam::Quat;

use crate::anim::key::Channel;
use crate::anim::skeleton::BoneIndex;
use crate::assets::model::Model;
use crate::reimport::bones::FoundBy;
use crate::reimport::how;
use crate::reimport::merge::Merged;
use crate::reimport::moved::Moved;

/// Lengths that differ by less are not worth a row.
const SAME_LENGTH: f32 = 1e-3;

/// Turns by less, in degrees, neither.
const SAME_ANGLE: f32 = 1.0;

/// The kind of item in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Subject {
    Bone,
    Mesh,
    Material,
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
    /// Another parent, if any. Keys follow: the bone moves with it as with the one before.
    Reparented(Option<String>),
    /// The same parent with other units or axes. Keys follow: the bone moves as before.
    Respaced,
    /// Turned at rest, in degrees. Keys keep their rotations.
    Turned(f32),
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
    /// Bone, mesh, material, weight or clip.
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
            Subject::Material => "material",
            Subject::Weight => "weight",
            Subject::Clip => "clip",
        };
        write!(f, "{subject} {}: ", self.name)?;
        match &self.change {
            Change::Renamed(to, how) => write!(f, "renamed to {to} ({how})"),
            Change::Resized(ratio) => {
                write!(f, "{:.0} % of its length; keys of its positions follow", 100.0 * ratio)
            }
            Change::Reparented(Some(parent)) => write!(f, "its parent is {parent} now; its keys follow"),
            Change::Reparented(None) => f.write_str("it has no parent now; its keys follow"),
            Change::Respaced => f.write_str("its parent has other units or axes now; its keys follow"),
            Change::Turned(degrees) => write!(f, "turned by {degrees:.0}° at rest; its keys keep their rotations"),
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
    let kinds: [(Is, &str); 9] = [
        (|change| matches!(change, Change::Renamed(..)), "renamed"),
        (|change| matches!(change, Change::Resized(_)), "of another length"),
        (|change| matches!(change, Change::Reparented(_)), "of another parent"),
        (|change| matches!(change, Change::Respaced), "in other units or axes"),
        (|change| matches!(change, Change::Turned(_)), "turned at rest"),
        (|change| matches!(change, Change::New), "new"),
        (|change| matches!(change, Change::Gone(_)), "gone"),
        (|change| matches!(change, Change::Replaced), "replaced"),
        (|change| matches!(change, Change::Differs), "kept although the file differs"),
    ];
    let mut parts = Vec::new();
    let subjects = [
        (Subject::Bone, ["bone", "bones"]),
        (Subject::Mesh, ["mesh", "meshes"]),
        (Subject::Material, ["material", "materials"]),
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
    let (mut rows, mut known, keyed) = (Vec::new(), BTreeSet::new(), keyed(before));
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
        let moved = found[at].map(|(other, _)| moved([before, changed], (at, other), merged, &keyed));
        rows.extend(moved.into_iter().flatten().map(|change| Row::new(Subject::Bone, &bone.name, change)));
    }
    let new = changed.skeleton.indices().filter(|bone| !known.contains(bone));
    let names = new.filter_map(|bone| changed.skeleton.get(bone));
    rows.extend(names.map(|bone| Row::new(Subject::Bone, &bone.name, Change::New)));
    rows
}

/// The changes of a bone's rest pose that concern its keys.
fn moved(
    [before, changed]: [&Model; 2],
    (bone, other): (usize, BoneIndex),
    merged: &Merged,
    keyed: &BTreeSet<(usize, Channel)>,
) -> impl Iterator<Item = Change> {
    let moved = merged.moved[bone];
    let is_keyed = |channel| keyed.contains(&(bone, channel));
    let has_keys = [Channel::Translation, Channel::Rotation, Channel::Scale].into_iter().any(is_keyed);
    let is_resized = |moved: &Moved| (moved.ratio - 1.0).abs() > SAME_LENGTH && is_keyed(Channel::Translation);
    let resized = moved.filter(is_resized).map(|moved| Change::Resized(moved.ratio));
    let above =
        |other| changed.skeleton.parent(other).and_then(|parent| Some(changed.skeleton.get(parent)?.name.clone()));
    let is_reparented = moved.is_some_and(|moved| moved.is_reparented);
    let reparented = (is_reparented && has_keys).then(|| Change::Reparented(above(other)));
    let space = moved.and_then(|moved| moved.space);
    let turn = space.map_or(Quat::IDENTITY, |space| space.rotation);
    let is_turned = turn.angle_between(Quat::IDENTITY).to_degrees() > SAME_ANGLE;
    let is_respaced = space.is_some() && (is_keyed(Channel::Translation) || (is_turned && has_keys));
    let respaced = (is_respaced && !is_reparented).then_some(Change::Respaced);
    let rests =
        [before.skeleton.bones().get(bone), merged.posed.get(other)].map(|bone| bone.map(|bone| bone.rest.rotation));
    let turned = match rests {
        [Some(from), Some(to)] if !is_reparented && is_keyed(Channel::Rotation) => {
            moved.map_or(from, |moved| moved.rotation(from)).angle_between(to).to_degrees()
        }
        _ => 0.0,
    };
    resized.into_iter().chain(reparented).chain(respaced).chain((turned > SAME_ANGLE).then_some(Change::Turned(turned)))
}

/// The bones and channels that have keys.
pub(super) fn keyed(model: &Model) -> BTreeSet<(usize, Channel)> {
    let keyframes = model.clips.iter().flat_map(|slot| &slot.clip.keyframes);
    keyframes.flat_map(|keyframe| keyframe.keys.iter()).map(|key| (usize::from(key.bone), key.channel)).collect()
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
