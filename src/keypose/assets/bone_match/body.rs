//! The parts of a humanoid by the shape of its skeleton, where names alone say too little: numbered limbs, one-bone legs, a bone
//! above the hips that carries the legs, a head that is the end of the spine.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::names::SplitNames;

/// The part of each bone, such as "left upper leg".
pub type Parts = Vec<Option<String>>;

const SIDES: [&str; 2] = ["left", "right"];

/// Corrects the parts that names say.
pub fn correct(skeleton: &Skeleton, names: &SplitNames, parts: &mut Parts) {
    leave_out_one_of_many(skeleton, names, parts);
    for side in SIDES {
        name_hip(parts, side);
        numbered((skeleton, names), parts, (side, "leg"), ["upper leg", "lower leg", "foot", "toes"]);
        numbered((skeleton, names), parts, (side, "arm"), ["upper arm", "lower arm", "wrist", ""]);
    }
    choose(skeleton, names, parts);
    for side in SIDES {
        name_upper_leg((skeleton, names), parts, side);
        name_upper_arm((skeleton, names), parts, side);
        name_toes((skeleton, names), parts, side);
    }
    for [upper, lower, end] in [["upper arm", "lower arm", "wrist"], ["upper leg", "lower leg", "foot"]] {
        name_by_length(skeleton, parts, [upper, lower, end]);
    }
    keep_topmost(skeleton, parts);
    name_hips(skeleton, parts);
    name_head((skeleton, names), parts);
}

/// The parts of a limb from the body on.
const LIMBS: [&[&str]; 2] =
    [&["clavicle", "upper arm", "lower arm", "wrist"], &["upper leg", "lower leg", "foot", "toes"]];

/// The part of a limb that carries another one: "left lower leg" carries "left foot", and "left wrist" the fingers.
fn carrier_of(part: &str) -> Option<String> {
    let (side, own) = part.split_once(' ').filter(|(side, _)| !side.is_empty())?;
    let of_limb = |limb: &&[&str]| limb.iter().position(|part| *part == own);
    match LIMBS.iter().find_map(|limb| Some((limb, of_limb(limb)?))) {
        Some((limb, at)) => Some(format!("{side} {}", limb.get(at.checked_sub(1)?)?)),
        None => own.ends_with(|last: char| last.is_ascii_digit()).then(|| format!("{side} wrist")),
    }
}

/// The first of several bones is the part only if the others continue it: "upperarm01" and "upperarm02", but not "upperleg1" beside
/// "upperleg2".
fn leave_out_one_of_many(skeleton: &Skeleton, names: &SplitNames, parts: &mut Parts) {
    let mut first = BTreeMap::new();
    for bone in skeleton.indices().filter(|bone| names.part(usize::from(*bone)).is_some_and(|named| named.is_first)) {
        let parsed = names.parse(usize::from(bone));
        first.extend(parsed.map(|parsed| ((parsed.side, parsed.rest.as_str()), bone)));
    }
    for bone in skeleton.indices() {
        let Some(parsed) = names.parse(usize::from(bone)) else { continue };
        let is_other = !["", "1"].contains(&parsed.number.as_str());
        if let Some(one) = first.get(&(parsed.side, parsed.rest.as_str())).filter(|_| is_other)
            && !skeleton.is_below(bone, *one)
        {
            parts[usize::from(*one)] = None;
        }
    }
}

/// "LeftHip" is the upper leg if no other bone is.
fn name_hip(parts: &mut Parts, side: &str) {
    let (hip, upper) = (format!("{side} hip"), format!("{side} upper leg"));
    let is_leg = find(parts, &upper).is_none();
    for part in parts.iter_mut().filter(|part| part.as_ref() == Some(&hip)) {
        *part = is_leg.then(|| upper.clone());
    }
}

/// Of several bones of one part that aren't in a chain, the one in the limb is it: below the part that carries it, and with more known
/// parts below than the others. Controls and copies of a bone are elsewhere, or have longer names. Of equals all are kept.
fn choose(skeleton: &Skeleton, names: &SplitNames, parts: &mut Parts) {
    let mut below = vec![(0_usize, 0_usize); skeleton.len()];
    for bone in (0..skeleton.len()).rev() {
        if let Some(parent) = skeleton.parent(bone as BoneIndex) {
            let (known, all) = below[bone];
            let sum = &mut below[usize::from(parent)];
            *sum = (sum.0 + known + usize::from(parts[bone].is_some()), sum.1 + all + 1);
        }
    }
    let mut bones = BTreeMap::<String, Vec<BoneIndex>>::new();
    for bone in skeleton.indices() {
        if let Some(part) = parts[usize::from(bone)].clone()
            && !skeleton.above(bone).any(|above| parts[usize::from(above)].as_ref() == Some(&part))
        {
            bones.entry(part).or_default().push(bone);
        }
    }
    for (part, twins) in bones.into_iter().filter(|(_, twins)| twins.len() > 1) {
        let carrier = carrier_of(&part);
        let rank = |bone: BoneIndex| {
            let at = usize::from(bone);
            let is_carried =
                skeleton.above(bone).any(|above| parts[usize::from(above)] == carrier) || carrier.is_none();
            let is_first = names.part(at).is_some_and(|named| named.is_first);
            (is_carried, below[at].0, Reverse(names.count_words(at) + usize::from(is_first)), below[at].1)
        };
        let ranks: Vec<_> = twins.iter().map(|bone| rank(*bone)).collect();
        let best = ranks.iter().max().copied();
        if ranks.iter().filter(|rank| Some(**rank) == best).count() > 1 {
            continue;
        }
        for (bone, _) in twins.iter().zip(ranks).filter(|(_, rank)| Some(*rank) != best) {
            parts[usize::from(*bone)] = None;
        }
    }
}

/// The first bone of a part.
pub fn find(parts: &Parts, part: &str) -> Option<BoneIndex> {
    parts.iter().position(|known| known.as_deref() == Some(part)).map(|bone| bone as BoneIndex)
}

/// The lowest bone above both.
fn carrier(skeleton: &Skeleton, [one, other]: [BoneIndex; 2]) -> Option<BoneIndex> {
    skeleton.above(one).find(|bone| *bone != other && skeleton.is_below(other, *bone))
}

/// Names the bones of a chain "leg 1, leg 2, leg 3" from the top.
fn numbered(
    (skeleton, own): (&Skeleton, &SplitNames),
    parts: &mut Parts,
    (side, word): (&str, &str),
    names: [&str; 4],
) {
    let is_one = |bone: &BoneIndex| {
        own.parse(usize::from(*bone)).is_some_and(|parsed| parsed.side == side && parsed.rest == word)
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
    let is_whole = has_other || names.parse(usize::from(topmost)).is_some_and(|parsed| parsed.rest == "leg");
    let others = SIDES.map(|other| find(parts, &format!("{other} lower leg")).filter(|_| other != side));
    let carries_both = |bone: BoneIndex| others.iter().flatten().any(|other| skeleton.is_below(*other, bone));
    let unknown =
        limb_above((skeleton, names), topmost, |bone| parts[usize::from(bone)].is_none() && !carries_both(bone));
    let unknown = unknown.filter(|_| !is_whole);
    parts[usize::from(unknown.unwrap_or(topmost))] = Some(upper);
}

/// In "collar, shoulder, elbow", "shoulder" is the upper arm, and in "collar, …, elbow" the bone of any name between them. So it is in
/// "shoulder, …, elbow" if that is nearer to the shoulder.
fn name_upper_arm((skeleton, names): (&Skeleton, &SplitNames), parts: &mut Parts, side: &str) {
    let (upper, clavicle) = (format!("{side} upper arm"), format!("{side} clavicle"));
    let (None, Some(lower)) = (find(parts, &upper), find(parts, &format!("{side} lower arm"))) else { return };
    let is_shoulder = |bone: &BoneIndex| parts[usize::from(*bone)].as_ref() == Some(&clavicle);
    let mut shoulders = skeleton.above(lower).filter(is_shoulder);
    let Some(shoulder) = shoulders.next() else { return };
    let way = |from: BoneIndex, to: BoneIndex| {
        let bones = std::iter::once(to).chain(skeleton.above(to)).take_while(|bone| *bone != from);
        bones.filter_map(|bone| Some(skeleton.get(bone)?.rest.translation.length())).sum::<f32>()
    };
    let is_collar = names.parse(usize::from(shoulder)).is_some_and(|parsed| parsed.rest != "shoulder");
    let is_near = |bone: &BoneIndex| way(shoulder, *bone) < 0.9 * way(*bone, lower);
    let unknown = limb_above((skeleton, names), lower, |bone| bone != shoulder);
    let unknown = unknown.filter(|bone| shoulders.next().is_none() && (is_collar || is_near(bone)));
    parts[usize::from(unknown.unwrap_or(shoulder))] = Some(upper);
}

/// Between the bone that carries both hands and a hand, the longest bones are upper and lower arm, whatever they are called: "Arm.L" and
/// "Arm.L.001". So it is with feet.
fn name_by_length(skeleton: &Skeleton, parts: &mut Parts, [upper, lower, end]: [&str; 3]) {
    let ends = SIDES.map(|side| find(parts, &format!("{side} {end}")));
    let [Some(left), Some(right)] = ends else { return };
    let Some(body) = carrier(skeleton, [left, right]) else { return };
    for (side, end) in SIDES.into_iter().zip([left, right]) {
        let known = [upper, lower].map(|part| find(parts, &format!("{side} {part}")));
        let mut chain: Vec<BoneIndex> = skeleton.above(end).take_while(|bone| *bone != body).collect();
        chain.reverse();
        // From the upper one on, and only if the lower one is unknown.
        let start = match known {
            [_, Some(_)] => continue,
            [Some(upper), None] => chain.iter().position(|bone| *bone == upper).map_or(chain.len(), |at| at + 1),
            [None, None] => 0,
        };
        let length = |at: usize| {
            let next = chain.get(at + 1).copied().unwrap_or(end);
            skeleton.get(next).map_or(0.0, |bone| bone.rest.translation.length())
        };
        let free = |at: &usize| parts[usize::from(chain[*at])].is_none();
        let mut longest: Vec<usize> = (start..chain.len()).filter(free).collect();
        longest.sort_by(|a, b| length(*b).total_cmp(&length(*a)));
        let wanted: Vec<&str> = if known[0].is_some() { vec![lower] } else { vec![upper, lower] };
        longest.truncate(wanted.len());
        longest.sort_unstable();
        if longest.len() == wanted.len() {
            let named: Vec<(BoneIndex, String)> = longest
                .into_iter()
                .map(|at| chain[at])
                .zip(wanted.iter().map(|part| format!("{side} {part}")))
                .collect();
            named.into_iter().for_each(|(bone, part)| parts[usize::from(bone)] = Some(part));
        }
    }
}

/// In "ankle, foot", "foot" is the ball.
fn name_toes((skeleton, names): (&Skeleton, &SplitNames), parts: &mut Parts, side: &str) {
    let (foot, toes) = (format!("{side} foot"), format!("{side} toes"));
    let is_called = |bone: &BoneIndex, rest: &str| {
        let is_it =
            names.parse(usize::from(*bone)).is_some_and(|parsed| parsed.rest == rest && parsed.number.is_empty());
        is_it && parts[usize::from(*bone)].as_ref() == Some(&foot)
    };
    let feet = skeleton.indices().filter(|bone| is_called(bone, "foot"));
    let ball = feet.into_iter().find(|bone| skeleton.above(*bone).any(|above| is_called(&above, "ankle")));
    if let (None, Some(ball)) = (find(parts, &toes), ball) {
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
        let rest = names.parse(usize::from(*bone)).map_or("", |parsed| &parsed.rest);
        rest.contains("twist") || rest.contains("roll")
    };
    skeleton.above(bone).take_while(|bone| is_own(*bone)).filter(|bone| !twists(bone)).last()
}

/// Of bones of one part in a chain, such as a wrist and a hand, the topmost is that part.
fn keep_topmost(skeleton: &Skeleton, parts: &mut Parts) {
    for bone in (0..skeleton.len() as BoneIndex).rev() {
        let part = &parts[usize::from(bone)];
        let is_same = |above: BoneIndex| parts[usize::from(above)] == *part;
        if part.is_some() && skeleton.above(bone).any(is_same) {
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
        let is_spine = |rest: &str| ["spine", "neck", "torso"].contains(&rest);
        names.parse(usize::from(*bone)).is_some_and(|parsed| parsed.side.is_empty() && is_spine(&parsed.rest))
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
        std::iter::once(top).chain(skeleton.above(top).take_while(|bone| *bone != hips)).collect();
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
