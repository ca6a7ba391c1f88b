//! Groups of bones: names and colours that the bone tree and the viewport show.

use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::model::Model;
use keypose::assets::rig_notes::{BoneGroup, RigNotes};

/// The colours to choose from, in sRGB.
pub const COLORS: [[u8; 3]; 8] = [
    [0xf2, 0x8b, 0x82],
    [0xfb, 0xbc, 0x6a],
    [0xf2, 0xe0, 0x6b],
    [0x9b, 0xd9, 0x6f],
    [0x6f, 0xd9, 0xc3],
    [0x6f, 0xb3, 0xf2],
    [0xa9, 0x8b, 0xf2],
    [0xf2, 0x8b, 0xd1],
];

/// An edit of the bone groups of a model. Indices count from 0.
#[derive(Clone, Debug, PartialEq)]
pub enum GroupEdit {
    /// Adds a group of the selected bones. `None` chooses a name.
    New(Option<String>),
    /// The selected bones join a group, and leave the others.
    Join(usize),
    /// The selected bones leave a group.
    Leave(usize),
    /// A group keeps its place.
    Rename { at: usize, name: String },
    /// One of [`COLORS`].
    SetColor { at: usize, color: [u8; 3] },
    /// The bones stay.
    Delete(usize),
}

/// The groups after an edit; `None` if the group does not exist or the edit needs selected bones.
pub fn edited(model: &Model, selected: &[BoneIndex], edit: &GroupEdit) -> Option<RigNotes> {
    let mut rig = model.rig.clone();
    let names: Vec<String> = selected.iter().filter_map(|&bone| Some(model.skeleton.get(bone)?.name.clone())).collect();
    let needs_bones = matches!(edit, GroupEdit::New(_) | GroupEdit::Join(_) | GroupEdit::Leave(_));
    if needs_bones && names.is_empty() {
        return None;
    }
    match edit {
        GroupEdit::New(name) => {
            leave_all(&mut rig, &names);
            let name = name.as_ref().map_or_else(|| next_name(&rig), |name| name.trim().to_owned());
            let color = COLORS[rig.groups.len() % COLORS.len()];
            rig.groups.push(BoneGroup { name, color, bones: names });
        }
        GroupEdit::Join(at) => {
            rig.groups.get(*at)?;
            leave_all(&mut rig, &names);
            rig.groups[*at].bones.extend(names);
        }
        GroupEdit::Leave(at) => rig.groups.get_mut(*at)?.bones.retain(|bone| !names.contains(bone)),
        GroupEdit::Rename { at, name } => rig.groups.get_mut(*at)?.name = name.trim().to_owned(),
        GroupEdit::SetColor { at, color } => rig.groups.get_mut(*at)?.color = *color,
        GroupEdit::Delete(at) => {
            rig.groups.get(*at)?;
            rig.groups.remove(*at);
        }
    }
    Some(rig)
}

fn leave_all(rig: &mut RigNotes, names: &[String]) {
    // A group without one of the bones stays shared.
    let has_one = |group: &BoneGroup| group.bones.iter().any(|bone| names.contains(bone));
    let left: Vec<usize> =
        rig.groups.iter().enumerate().filter(|(_, group)| has_one(group)).map(|(at, _)| at).collect();
    left.into_iter().for_each(|at| rig.groups[at].bones.retain(|bone| !names.contains(bone)));
}

fn next_name(rig: &RigNotes) -> String {
    let taken = |name: &String| rig.groups.iter().any(|group| group.name == *name);
    let mut names = (rig.groups.len() + 1..).map(|number| format!("group {number}"));
    names.find(|name| !taken(name)).unwrap_or_default()
}

/// The bones of a group that exist in the skeleton.
pub fn bones(skeleton: &Skeleton, group: &BoneGroup) -> Vec<BoneIndex> {
    group.bones.iter().filter_map(|name| skeleton.find(name)).collect()
}

/// The colour of each bone's group in skeleton order; `None` for bones without a group.
pub fn colors(model: &Model) -> Vec<Option<[u8; 3]>> {
    let mut colors = vec![None; model.skeleton.len()];
    for group in model.rig.groups.iter().rev() {
        for bone in bones(&model.skeleton, group) {
            colors[usize::from(bone)] = Some(group.color);
        }
    }
    colors
}
