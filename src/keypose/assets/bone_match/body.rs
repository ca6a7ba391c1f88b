//! The parts of a humanoid by the shape of its skeleton, where names alone say too little: numbered limbs, one-bone legs, a bone
//! above the hips that carries the legs, a head that is the end of the spine.

use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::names::SplitNames;

/// The part of each bone, such as "left upper leg".
pub type Parts = Vec<Option<String>>;

const SIDES: [&str; 2] = ["left", "right"];

/// Corrects the parts that names say.
pub fn correct(skeleton: &Skeleton, names: &SplitNames, parts: &mut Parts) {
    for side in SIDES {
        numbered((skeleton, names), parts, (side, "leg"), ["upper leg", "lower leg", "foot", "toes"]);
        numbered((skeleton, names), parts, (side, "arm"), ["upper arm", "lower arm", "wrist", ""]);
        name_upper_leg((skeleton, names), parts, side);
        name_upper_arm((skeleton, names), parts, side);
        name_toes(skeleton, parts, side);
    }
    keep_topmost(skeleton, parts);
    name_hips(skeleton, parts);
    name_head((skeleton, names), parts);
}

/// The first bone of a part.
pub fn find(parts: &Parts, part: &str) -> Option<BoneIndex> {
    parts.iter().position(|known| known.as_deref() == Some(part)).map(|bone| bone as BoneIndex)
}

/// The bones above `bone`, the nearest first.
fn above(skeleton: &Skeleton, bone: BoneIndex) -> impl Iterator<Item = BoneIndex> + '_ {
    std::iter::successors(skeleton.parent(bone), |bone| skeleton.parent(*bone))
}

/// The lowest bone above both.
fn carrier(skeleton: &Skeleton, [one, other]: [BoneIndex; 2]) -> Option<BoneIndex> {
    above(skeleton, one).find(|bone| *bone != other && skeleton.is_below(other, *bone))
}

/// Names the bones of a chain "leg 1, leg 2, leg 3" from the top.
fn numbered(
    (skeleton, own): (&Skeleton, &SplitNames),
    parts: &mut Parts,
    (side, word): (&str, &str),
    names: [&str; 4],
) {
    let is_one = |bone: &BoneIndex| {
        let parsed = own.parse(usize::from(*bone));
        parsed.side == side && parsed.rest == word
    };
    let chain: Vec<BoneIndex> = skeleton.indices().filter(is_one).collect();
    let is_chain = chain.windows(2).all(|pair| skeleton.is_below(pair[1], pair[0]));
    let is_named = names[..3].iter().filter(|name| find(parts, &format!("{side} {name}")).is_some()).count() > 1;
    if chain.len() >= 3 && is_chain && !is_named {
        for (at, bone) in chain.into_iter().enumerate() {
            let name = names.get(at).filter(|name| !name.is_empty());
            parts[usize::from(bone)] = name.map(|name| format!("{side} {name}"));
        }
    }
}

/// In "leg, knee, ankle", and if a leg is one bone, "leg" is the upper leg. Above "shin", a bone of any name that carries no other leg is.
fn name_upper_leg((skeleton, names): (&Skeleton, &SplitNames), parts: &mut Parts, side: &str) {
    let (upper, lower) = (format!("{side} upper leg"), format!("{side} lower leg"));
    let (None, Some(topmost)) = (find(parts, &upper), find(parts, &lower)) else { return };
    let has_other = parts.iter().filter(|part| part.as_ref() == Some(&lower)).count() > 1;
    let is_whole = has_other || names.parse(usize::from(topmost)).rest == "leg";
    let others = SIDES.map(|other| find(parts, &format!("{other} lower leg")).filter(|_| other != side));
    let carries_both = |bone: BoneIndex| others.iter().flatten().any(|other| skeleton.is_below(*other, bone));
    let unknown =
        limb_above((skeleton, names), topmost, |bone| parts[usize::from(bone)].is_none() && !carries_both(bone));
    let unknown = unknown.filter(|_| !is_whole);
    parts[usize::from(unknown.unwrap_or(topmost))] = Some(upper);
}

/// In "collar, shoulder, elbow", "shoulder" is the upper arm, and in "collar, …, elbow" the bone of any name between them.
fn name_upper_arm((skeleton, names): (&Skeleton, &SplitNames), parts: &mut Parts, side: &str) {
    let (upper, clavicle) = (format!("{side} upper arm"), format!("{side} clavicle"));
    if let (None, Some(lower)) = (find(parts, &upper), find(parts, &format!("{side} lower arm"))) {
        let is_shoulder = |bone: &BoneIndex| parts[usize::from(*bone)].as_ref() == Some(&clavicle);
        let mut shoulders = above(skeleton, lower).filter(is_shoulder);
        if let Some(shoulder) = shoulders.next() {
            let unknown = limb_above((skeleton, names), lower, |bone| bone != shoulder);
            let unknown = unknown.filter(|_| shoulders.next().is_none());
            parts[usize::from(unknown.unwrap_or(shoulder))] = Some(upper);
        }
    }
}

/// In "ankle, foot", "foot" is the ball.
fn name_toes(skeleton: &Skeleton, parts: &mut Parts, side: &str) {
    let (foot, toes) = (format!("{side} foot"), format!("{side} toes"));
    let is_foot = |bone: &BoneIndex| parts[usize::from(*bone)].as_ref() == Some(&foot);
    let lower = skeleton.indices().filter(is_foot).find(|bone| above(skeleton, *bone).any(|above| is_foot(&above)));
    if let (None, Some(ball)) = (find(parts, &toes), lower) {
        parts[usize::from(ball)] = Some(toes);
    }
}

/// The topmost of the bones right above another that belong to its limb. Those that only twist are none.
fn limb_above(
    (skeleton, names): (&Skeleton, &SplitNames),
    bone: BoneIndex,
    is_own: impl Fn(BoneIndex) -> bool,
) -> Option<BoneIndex> {
    let twists = |bone: &BoneIndex| {
        let rest = names.parse(usize::from(*bone)).rest;
        rest.contains("twist") || rest.contains("roll")
    };
    above(skeleton, bone).take_while(|bone| is_own(*bone)).filter(|bone| !twists(bone)).last()
}

/// Of bones of one part in a chain, such as a wrist and a hand, the topmost is that part.
fn keep_topmost(skeleton: &Skeleton, parts: &mut Parts) {
    for bone in (0..skeleton.len() as BoneIndex).rev() {
        let part = &parts[usize::from(bone)];
        let is_same = |above: BoneIndex| parts[usize::from(above)] == *part;
        if part.is_some() && above(skeleton, bone).any(is_same) {
            parts[usize::from(bone)] = None;
        }
    }
}

/// The bone that carries both legs is the hips, whatever it is called.
fn name_hips(skeleton: &Skeleton, parts: &mut Parts) {
    let [Some(left), Some(right)] = SIDES.map(|side| find(parts, &format!("{side} upper leg"))) else { return };
    let named = find(parts, " hips");
    if named.is_some_and(|hips| skeleton.is_below(left, hips) && skeleton.is_below(right, hips)) {
        return;
    }
    if let Some(body) = carrier(skeleton, [left, right]) {
        named.into_iter().for_each(|hips| parts[usize::from(hips)] = None);
        parts[usize::from(body)] = Some(" hips".to_owned());
    }
}

/// The end of a spine that continues above the arms is the head, and its first bone there the neck.
fn name_head((skeleton, names): (&Skeleton, &SplitNames), parts: &mut Parts) {
    let Some(carrier) = arms_carrier(skeleton, parts).filter(|_| find(parts, " head").is_none()) else { return };
    let is_spine = |bone: &BoneIndex| {
        let parsed = names.parse(usize::from(*bone));
        parsed.side.is_empty() && ["spine", "neck", "torso"].contains(&parsed.rest.as_str())
    };
    let is_above = |bone: &BoneIndex| *bone != carrier && skeleton.is_below(*bone, carrier) && is_spine(bone);
    let chain: Vec<BoneIndex> = skeleton.indices().filter(is_above).collect();
    chain.iter().for_each(|bone| parts[usize::from(*bone)] = None);
    if let Some(last) = chain.last() {
        parts[usize::from(*last)] = Some(" head".to_owned());
    }
    if let [first, .., _] = chain.as_slice() {
        parts[usize::from(*first)] = Some(" neck".to_owned());
    }
}

/// The bone that carries both arms; without arms, the one that carries neck or head.
fn arms_carrier(skeleton: &Skeleton, parts: &Parts) -> Option<BoneIndex> {
    let arms = SIDES.map(|side| find(parts, &format!("{side} upper arm")));
    if let [Some(left), Some(right)] = arms {
        return carrier(skeleton, [left, right]);
    }
    skeleton.parent(find(parts, " neck").or_else(|| find(parts, " head"))?)
}

/// The bones of the trunk above the hips, up to the one that carries the arms.
pub fn spine(skeleton: &Skeleton, parts: &Parts) -> Vec<BoneIndex> {
    let (Some(hips), Some(top)) = (find(parts, " hips"), arms_carrier(skeleton, parts)) else { return Vec::new() };
    if top == hips || !skeleton.is_below(top, hips) {
        return Vec::new();
    }
    let mut chain: Vec<BoneIndex> =
        std::iter::once(top).chain(above(skeleton, top).take_while(|bone| *bone != hips)).collect();
    chain.reverse();
    chain
}

/// Pairs of bones of two spines, by their places in each. A spine of one bone is the base of a longer target, and follows the top
/// of a longer source.
pub fn spine_pairs(from: &[BoneIndex], to: &[BoneIndex]) -> Vec<(BoneIndex, BoneIndex)> {
    let count = from.len().min(to.len());
    let at = |all: &[BoneIndex], index: usize| match count {
        1 => {
            if all.len() == from.len() && from.len() > 1 {
                all.len() - 1
            } else {
                0
            }
        }
        _ => (index * (all.len() - 1) + (count - 1) / 2) / (count - 1),
    };
    (0..count).map(|index| (from[at(from, index)], to[at(to, index)])).collect()
}
