//! The weights of morph targets of a re-import: found by name on their bone, then by name without case and separators, then by
//! their place among the weights of a bone that has as many.

use std::collections::{HashMap, VecDeque};

use crate::anim::scalar::{Scalar, ScalarIndex, ScalarKind};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::plain;
use crate::reimport::bones::FoundBy;
use crate::reimport::how;
use crate::reimport::table::{Change, Row, Subject};

/// The scalar of the changed skeleton for each scalar before. No two are the same.
pub type Found = Vec<Option<(ScalarIndex, FoundBy)>>;

/// A name of a scalar, or its place among the weights of its bone and their number: by these it is found.
#[derive(PartialEq, Eq, Hash)]
enum Mark {
    Name(String),
    Place([usize; 2]),
}

/// Finds the scalars. The bones of both are given as bones of the merged skeleton.
pub fn found([before, changed]: [&Skeleton; 2], of_before: &[Option<BoneIndex>], of_changed: &[BoneIndex]) -> Found {
    let bone_before = |scalar: &Scalar| of_before.get(usize::from(scalar.bone)).copied().flatten();
    let bone_changed = |scalar: &Scalar| of_changed.get(usize::from(scalar.bone)).copied();
    let mut found: Found = vec![None; before.scalars().len()];
    let mut is_free = vec![true; changed.scalars().len()];
    for by in [FoundBy::Name, FoundBy::PlainName, FoundBy::Place] {
        let is_wanted = |scalar: &Scalar| by == FoundBy::Name || scalar.kind == ScalarKind::Weight;
        let [old, new] = [before, changed].map(|skeleton| marks(skeleton, by));
        let mut free: HashMap<(Option<BoneIndex>, Mark), VecDeque<ScalarIndex>> = HashMap::new();
        for ((index, scalar), mark) in (0..).zip(changed.scalars()).zip(new) {
            if is_free[usize::from(index)] && is_wanted(scalar) {
                free.entry((bone_changed(scalar), mark)).or_default().push_back(index);
            }
        }
        for ((at, scalar), mark) in before.scalars().iter().enumerate().zip(old) {
            let bone = bone_before(scalar);
            if found[at].is_none() && bone.is_some() && is_wanted(scalar) {
                let other = free.get_mut(&(bone, mark)).and_then(VecDeque::pop_front);
                found[at] = other.map(|other| (other, by));
                other.into_iter().for_each(|other| is_free[usize::from(other)] = false);
            }
        }
    }
    found
}

fn marks(skeleton: &Skeleton, by: FoundBy) -> Vec<Mark> {
    let is_weight = |scalar: &&Scalar| scalar.kind == ScalarKind::Weight;
    let mut counts: HashMap<BoneIndex, usize> = HashMap::new();
    skeleton.scalars().iter().filter(is_weight).for_each(|scalar| *counts.entry(scalar.bone).or_default() += 1);
    let mut before: HashMap<BoneIndex, usize> = HashMap::new();
    let mut place = |scalar: &Scalar| {
        let before = before.entry(scalar.bone).or_default();
        *before += usize::from(is_weight(&scalar));
        [*before, counts.get(&scalar.bone).copied().unwrap_or_default()]
    };
    let mark = |scalar: &Scalar| match by {
        FoundBy::Name => Mark::Name(scalar.name.clone()),
        FoundBy::PlainName => Mark::Name(plain(&scalar.name)),
        FoundBy::Place => Mark::Place(place(scalar)),
    };
    skeleton.scalars().iter().map(mark).collect()
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
