//! The weights of morph targets of a re-import: found by name on their bone, then by name without case and separators, then by
//! their place among the weights of a bone that has as many.

use crate::anim::scalar::{Scalar, ScalarIndex, ScalarKind};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::plain;
use crate::reimport::bones::FoundBy;
use crate::reimport::how;
use crate::reimport::table::{Change, Row, Subject};

/// The scalar of the changed skeleton for each scalar before. No two are the same.
pub type Found = Vec<Option<(ScalarIndex, FoundBy)>>;

/// Finds the scalars. The bones of both are given as bones of the merged skeleton.
pub fn found([before, changed]: [&Skeleton; 2], of_before: &[Option<BoneIndex>], of_changed: &[BoneIndex]) -> Found {
    let bone_before = |scalar: &Scalar| of_before.get(usize::from(scalar.bone)).copied().flatten();
    let bone_changed = |scalar: &Scalar| of_changed.get(usize::from(scalar.bone)).copied();
    let new: Vec<(ScalarIndex, &Scalar)> = (0..).zip(changed.scalars()).collect();
    let mut found: Found = vec![None; before.scalars().len()];
    let mut is_free = vec![true; new.len()];
    for by in [FoundBy::Name, FoundBy::PlainName, FoundBy::Place] {
        for (at, scalar) in before.scalars().iter().enumerate() {
            let is_weight = scalar.kind == ScalarKind::Weight;
            if found[at].is_some() || (by != FoundBy::Name && !is_weight) {
                continue;
            }
            let bone = bone_before(scalar);
            let here = |other: &&(ScalarIndex, &Scalar)| bone.is_some() && bone_changed(other.1) == bone;
            let is_it = |other: &&(ScalarIndex, &Scalar)| match by {
                FoundBy::Name => other.1.name == scalar.name,
                FoundBy::PlainName => plain(&other.1.name) == plain(&scalar.name),
                FoundBy::Place => place([before, changed], scalar, other.1),
            };
            let is_candidate = |other: &&(ScalarIndex, &Scalar)| {
                is_free[usize::from(other.0)] && (by == FoundBy::Name || other.1.kind == ScalarKind::Weight)
            };
            let other = new.iter().filter(here).filter(is_candidate).find(is_it);
            if let Some((index, _)) = other {
                found[at] = Some((*index, by));
                is_free[usize::from(*index)] = false;
            }
        }
    }
    found
}

/// Whether two weights have the same place among those of their bones, which have as many.
fn place(skeletons: [&Skeleton; 2], one: &Scalar, other: &Scalar) -> bool {
    let [own, others] = [(skeletons[0], one), (skeletons[1], other)].map(|(skeleton, wanted)| {
        let weights = skeleton.scalars_of(wanted.bone).filter(|(_, scalar)| scalar.kind == ScalarKind::Weight);
        let names: Vec<&str> = weights.map(|(_, scalar)| scalar.name.as_str()).collect();
        (names.iter().position(|name| *name == wanted.name), names.len())
    });
    own == others
}

/// The rows about weights. `is_kept` says whether one that is gone stays, because of its keys.
pub fn rows([before, changed]: [&Skeleton; 2], found: &Found, is_kept: impl Fn(usize) -> bool) -> Vec<Row> {
    let is_weight = |scalar: &Scalar| scalar.kind == ScalarKind::Weight;
    let old = before.scalars().iter().enumerate().filter(|(_, scalar)| is_weight(scalar));
    let change = |(at, scalar): (usize, &Scalar)| {
        let change = match found.get(at).copied().flatten() {
            Some((_, FoundBy::Name)) => return None,
            Some((other, by)) => Change::Renamed(changed.scalar(other)?.name.clone(), how(by)),
            None if is_kept(at) => Change::Gone("its keys".into()),
            None => Change::Gone(String::new()),
        };
        Some(Row::new(Subject::Weight, &scalar.name, change))
    };
    let is_known = |index: ScalarIndex| found.iter().flatten().any(|(other, _)| *other == index);
    let new = (0..).zip(changed.scalars()).filter(|(index, scalar)| is_weight(scalar) && !is_known(*index));
    let new = new.map(|(_, scalar)| Row::new(Subject::Weight, &scalar.name, Change::New));
    old.filter_map(change).chain(new).collect()
}
