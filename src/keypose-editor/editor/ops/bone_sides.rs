//! Edits of bones that the other side follows.

use glam::Vec3;

use crate::editor::ops::rigging::{BoneEdit, edited};
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::model::Model;
use keypose_tools::side_names::{mirror_of, other_side};
use keypose_tools::symmetry::bind_plane;

/// An edit, with the same on the other side of the bones that have one and that the edit doesn't name itself.
pub fn on_both_sides(model: &Model, edit: BoneEdit) -> Vec<BoneEdit> {
    match edit {
        BoneEdit::Move(places) => vec![BoneEdit::Move(moved(model, places))],
        BoneEdit::Delete(bones) => vec![BoneEdit::Delete(with_others(&model.skeleton, bones))],
        edit => {
            let other = on_other_side(model, &edit);
            std::iter::once(edit).chain(other).collect()
        }
    }
}

/// Bones, and after them those of the other side.
pub fn with_others(skeleton: &Skeleton, mut bones: Vec<BoneIndex>) -> Vec<BoneIndex> {
    bones.extend(others(skeleton, &bones));
    bones
}

fn others(skeleton: &Skeleton, bones: &[BoneIndex]) -> Vec<BoneIndex> {
    let others = bones.iter().filter_map(|bone| mirror_of(skeleton, *bone));
    others.filter(|other| !bones.contains(other)).collect()
}

/// Places of joints, and their mirror images for the joints of the other side.
fn moved(model: &Model, mut places: Vec<(BoneIndex, Vec3)>) -> Vec<(BoneIndex, Vec3)> {
    let plane = bind_plane(model);
    let other = |bone: BoneIndex| {
        let is_named = |other: &BoneIndex| places.iter().any(|(bone, _)| bone == other);
        mirror_of(&model.skeleton, bone).filter(|other| !is_named(other))
    };
    let others: Vec<_> = places.iter().filter_map(|(bone, at)| Some((other(*bone)?, plane.point(*at)))).collect();
    places.extend(others);
    places
}

/// The same edit of the other side, for the skeleton after that of this side.
fn on_other_side(model: &Model, edit: &BoneEdit) -> Option<BoneEdit> {
    let (before, after) = (&model.skeleton, edited(model, edit).ok()?.skeleton);
    let found = |bone: BoneIndex| after.find(&before.get(bone)?.name);
    let other = |bone: BoneIndex| found(mirror_of(before, bone).unwrap_or(bone));
    match edit {
        BoneEdit::Split { bone, child, parts } => {
            let (bone, child) = (other(*bone)?, other(*child)?);
            (after.parent(child) == Some(bone)).then_some(BoneEdit::Split { bone, child, parts: *parts })
        }
        BoneEdit::Rename { bone, name } => {
            let (bone, name) = (other(*bone)?, other_side(name.trim())?);
            after.find(&name).is_none().then_some(BoneEdit::Rename { bone, name })
        }
        BoneEdit::Reparent { bones, parent } => {
            let (bones, parent) = (others(before, bones).into_iter().filter_map(found), parent.and_then(other));
            let is_possible = |bone: &BoneIndex| parent.is_none_or(|parent| !after.is_below(parent, *bone));
            let bones: Vec<BoneIndex> = bones.filter(is_possible).collect();
            (!bones.is_empty()).then_some(BoneEdit::Reparent { bones, parent })
        }
        BoneEdit::Add(_) | BoneEdit::Mirror(_) | BoneEdit::Move(_) | BoneEdit::Delete(_) => None,
    }
}
