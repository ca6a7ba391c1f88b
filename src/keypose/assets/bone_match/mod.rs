//! Finds the bones of one skeleton in another: by the bone map of the rig notes, by the humanoid that a file declares, by name – exactly,
//! then without the prefix of an exporter – and by the parts of a humanoid body.

mod body;
mod names;

use std::collections::{BTreeMap, BTreeSet};

use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::body::Parts;
use crate::assets::bone_match::names::{SplitNames, part};
pub use crate::assets::bone_match::names::{plain, without_prefix};
use crate::assets::model::Model;
use crate::assets::rig_notes::RigNotes;

/// Criterion by which the bone of another skeleton was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchedBy {
    /// By the bone map of either model, which the user made.
    Hand,
    /// By the humanoid that the file of either model declares (VRM).
    Declared,
    /// Equal names.
    Name,
    /// Names that are equal without prefix, case and separators: "mixamorig:LeftArm" and "left_arm".
    PlainName,
    /// Names of the same part of a humanoid: "LeftForeArm" and "lowerarm_l".
    PartName,
    /// The same part of a humanoid by the shape of the skeleton, or bones at the same place of two spines.
    Shape,
}

/// A skeleton and the notes about its bones.
#[derive(Clone, Copy, Debug)]
pub struct NamedBones<'a> {
    /// The bones with their own names.
    pub skeleton: &'a Skeleton,
    /// The humanoid and the bone map, if there are any.
    pub rig: Option<&'a RigNotes>,
}

impl<'a> From<&'a Skeleton> for NamedBones<'a> {
    fn from(skeleton: &'a Skeleton) -> NamedBones<'a> {
        NamedBones { skeleton, rig: None }
    }
}

impl<'a> From<&'a Model> for NamedBones<'a> {
    fn from(model: &'a Model) -> NamedBones<'a> {
        NamedBones { skeleton: &model.skeleton, rig: Some(&model.rig) }
    }
}

/// The ways in which bones are found by name, in order: the names of the source, those of the target, and what both have in common.
const WAYS: [(MatchedBy, [Names; 2], Key); 7] = [
    (MatchedBy::Hand, [Names::Own, Names::Mapped], str::to_owned),
    (MatchedBy::Hand, [Names::Mapped, Names::Own], str::to_owned),
    (MatchedBy::Declared, [Names::Declared, Names::Declared], str::to_owned),
    (MatchedBy::Declared, [Names::Own, Names::Declared], str::to_owned),
    (MatchedBy::Declared, [Names::Declared, Names::Own], str::to_owned),
    (MatchedBy::Name, [Names::Own, Names::Own], str::to_owned),
    (MatchedBy::PlainName, [Names::Own, Names::Own], plain),
];

/// Returns what two names must have in common.
type Key = fn(&str) -> String;

/// The names by which a way looks for bones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Own,
    /// Names of other files that the bone map has.
    Mapped,
    /// Parts of the humanoid.
    Declared,
}

impl Names {
    /// The names of each bone that the notes have.
    fn of(self, rig: &RigNotes) -> BTreeMap<&str, Vec<&str>> {
        let map = match self {
            Names::Own => return BTreeMap::new(),
            Names::Mapped => &rig.bone_map,
            Names::Declared => &rig.humanoid,
        };
        let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        map.iter().for_each(|(name, bone)| names.entry(bone).or_default().push(name));
        names
    }
}

/// The bone of the other skeleton for each bone, and how it was found.
pub type Found = Vec<Option<(BoneIndex, MatchedBy)>>;

/// For each bone of `from`, in order, the bone of `to`. No two have the same.
///
/// A bone is not paired with one of the same name if either skeleton has another bone that is the same part of the body: Mixamo's
/// "LeftLeg" is a lower leg, and the "Left leg" of some VRM files an upper leg.
pub fn match_bones(from: NamedBones<'_>, to: NamedBones<'_>) -> Found {
    let bodies = [Body::of(from), Body::of(to)];
    let parts = [&bodies[0].parts, &bodies[1].parts];
    let has_other = |parts: &Parts, part: &Option<String>, bone: BoneIndex| {
        part.is_some() && parts[usize::from(bone)] != *part && parts.contains(part)
    };
    let agrees = |bone: BoneIndex, other: BoneIndex| {
        !has_other(parts[1], &parts[0][usize::from(bone)], other)
            && !has_other(parts[0], &parts[1][usize::from(other)], bone)
    };
    // Two versions of one rig: their names say more than their parts.
    let names: BTreeSet<&str> = from.skeleton.bones().iter().map(|bone| bone.name.as_str()).collect();
    let equal = to.skeleton.bones().iter().filter(|bone| names.contains(bone.name.as_str())).count();
    let is_one_rig = 2 * equal > from.skeleton.len().min(to.skeleton.len());
    let mut found = by_names(from, to, |bone, other| is_one_rig || agrees(bone, other));
    let spines = [body::spine(from.skeleton, parts[0]), body::spine(to.skeleton, parts[1])];
    let is_named = is_one_rig && spines[0].iter().any(|bone| found[usize::from(*bone)].is_some());
    let has_spines = !is_named && spines.iter().all(|spine| !spine.is_empty());
    let mut pairs = if has_spines { spine_pairs(&mut found, &spines) } else { Vec::new() };
    let is_spine = |part: &&str| has_spines && part.starts_with(" spine");
    let of_parts = unique(parts[0]).into_iter().filter(|(part, _)| !is_spine(part));
    let others = unique(parts[1]);
    pairs.extend(of_parts.filter_map(|(part, bone)| Some((bone, *others.get(part)?))));
    let (unmapped, mut taken) = (unmapped(from, to), taken(&found, unmapped(to, from)));
    for (bone, other) in pairs.into_iter().filter(|(bone, _)| !unmapped[usize::from(*bone)]) {
        let place = &mut found[usize::from(bone)];
        if place.is_none() && !taken[usize::from(other)] {
            *place = Some((other, Body::how(&bodies, [bone, other])));
            taken[usize::from(other)] = true;
        }
    }
    found
}

/// As [`match_bones`], but by names alone: for two versions of one skeleton.
pub fn match_names(from: NamedBones<'_>, to: NamedBones<'_>) -> Found {
    by_names(from, to, |_, _| true)
}

fn by_names(from: NamedBones<'_>, to: NamedBones<'_>, agrees: impl Fn(BoneIndex, BoneIndex) -> bool) -> Found {
    let mut found: Found = vec![None; from.skeleton.len()];
    let (unmapped, mut taken) = (unmapped(from, to), unmapped(to, from));
    for (by, names, key) in WAYS {
        let keys = |named: NamedBones<'_>, names: Names, is_free: &dyn Fn(BoneIndex) -> bool| {
            let mut keys = vec![Vec::new(); named.skeleton.len()];
            let others = named.rig.map(|rig| names.of(rig)).unwrap_or_default();
            for (bone, keys) in named.skeleton.indices().zip(&mut keys).filter(|(bone, _)| is_free(*bone)) {
                let own = &*named.skeleton.bones()[usize::from(bone)].name;
                match names {
                    Names::Own => keys.push(key(own)),
                    Names::Mapped | Names::Declared => {
                        keys.extend(others.get(own).into_iter().flatten().map(|it| key(it)))
                    }
                }
            }
            keys
        };
        let own = keys(from, names[0], &|bone| !unmapped[usize::from(bone)]);
        let others = keys(to, names[1], &|bone| !taken[usize::from(bone)]);
        let (own, others) = (unique_of(own.iter()), unique_of(others.iter()));
        for (name, bone) in own {
            let place = &mut found[usize::from(bone)];
            if let (None, Some(&other)) = (*place, others.get(name))
                && !taken[usize::from(other)]
                && (by <= MatchedBy::Declared || agrees(bone, other))
            {
                *place = Some((other, by));
                taken[usize::from(other)] = true;
            }
        }
    }
    found
}

/// Adds the bones that were found to those that can't be.
fn taken(found: &Found, mut taken: Vec<bool>) -> Vec<bool> {
    found.iter().flatten().for_each(|(other, _)| taken[usize::from(*other)] = true);
    taken
}

/// Whether the bone map of the other model says that it has no bone for each bone of `named`.
fn unmapped(named: NamedBones<'_>, other: NamedBones<'_>) -> Vec<bool> {
    let is_none = |name: &str| other.rig.and_then(|rig| rig.bone_map.get(name)).is_some_and(String::is_empty);
    named.skeleton.bones().iter().map(|bone| is_none(&bone.name)).collect()
}

/// Pairs the bones of two spines, unless names paired all of the shorter one. Clears the pairs that it replaces.
fn spine_pairs(found: &mut Found, [from, to]: &[Vec<BoneIndex>; 2]) -> Vec<(BoneIndex, BoneIndex)> {
    let is_pair = |bone: &&BoneIndex| found[usize::from(**bone)].is_some_and(|(other, _)| to.contains(&other));
    if from.iter().filter(is_pair).count() == from.len().min(to.len()) {
        return Vec::new();
    }
    let is_in_spine = |(bone, other): (usize, BoneIndex)| from.contains(&(bone as BoneIndex)) || to.contains(&other);
    for (bone, place) in found.iter_mut().enumerate() {
        *place = place.filter(|(other, by)| *by <= MatchedBy::Declared || !is_in_spine((bone, *other)));
    }
    body::spine_pairs(from, to)
}

/// The bones by part. Parts that several bones have are left out.
fn unique(parts: &Parts) -> BTreeMap<&str, BoneIndex> {
    unique_of(parts.iter())
}

/// The bones by key. Keys that several bones have are left out.
fn unique_of<'k, K: IntoIterator<Item = &'k String>>(keys: impl Iterator<Item = K>) -> BTreeMap<&'k str, BoneIndex> {
    let mut all: BTreeMap<&str, Option<BoneIndex>> = BTreeMap::new();
    for (bone, keys) in (0..).zip(keys) {
        for key in keys {
            let keep = |one: &mut Option<BoneIndex>| *one = one.filter(|one| *one == bone);
            all.entry(key).and_modify(keep).or_insert(Some(bone));
        }
    }
    all.into_iter().filter_map(|(name, bone)| Some((name, bone?))).collect()
}

/// The part of a humanoid that each bone is, such as "left upper leg": by the bone map, by declaration, by its own name, and by the
/// shape of the skeleton.
pub fn parts_of(named: NamedBones<'_>) -> Parts {
    Body::of(named).parts
}

/// The bones of a skeleton by the parts of [`parts_of`], such as "left upper leg" or, in the middle, " hips". Of several bones of one
/// part, it is the first.
#[derive(Clone, Debug)]
pub struct PartBones(BTreeMap<String, BoneIndex>);

impl PartBones {
    /// Finds the parts of a skeleton.
    pub fn of(named: NamedBones<'_>) -> PartBones {
        let mut bones = BTreeMap::new();
        for (bone, part) in named.skeleton.indices().zip(parts_of(named)) {
            if let Some(part) = part {
                bones.entry(part).or_insert(bone);
            }
        }
        PartBones(bones)
    }

    /// The bone of a part.
    pub fn find(&self, part: &str) -> Option<BoneIndex> {
        self.0.get(part).copied()
    }

    /// The left and the right bone of a part such as "foot", if there are both.
    pub fn both(&self, part: &str) -> Option<[BoneIndex; 2]> {
        Some([self.find(&format!("left {part}"))?, self.find(&format!("right {part}"))?])
    }

    /// The left and right bones of all parts that both sides have, in the order of their names.
    pub fn pairs(&self) -> impl Iterator<Item = [BoneIndex; 2]> {
        self.0.keys().filter_map(move |part| self.both(part.strip_prefix("left ")?))
    }
}

/// The parts of a humanoid, and what says so.
struct Body {
    parts: Parts,
    /// The parts that other names say: those of the bone map and those that are declared.
    declared: Parts,
    /// The parts that the bones' own names say.
    named: Parts,
}

impl Body {
    fn of(named: NamedBones<'_>) -> Body {
        let bones = named.skeleton.bones();
        let mut parts: Parts = vec![None; bones.len()];
        let own = SplitNames::of(bones.iter().map(|bone| &*bone.name));
        let mut add = |named_part: &dyn Fn(usize) -> Option<String>| {
            let known: BTreeSet<String> = parts.iter().flatten().cloned().collect();
            for (at, place) in parts.iter_mut().enumerate().filter(|(_, place)| place.is_none()) {
                *place = named_part(at).filter(|part| !known.contains(part));
            }
            parts.clone()
        };
        for names in [Names::Mapped, Names::Declared] {
            let others = named.rig.map(|rig| names.of(rig)).unwrap_or_default();
            add(&|at| others.get(&*bones[at].name)?.iter().find_map(|other| part(other)));
        }
        let declared = add(&|_| None);
        let name = |at: usize| own.part(at).map(|named| named.part.clone());
        add(&name);
        body::correct(named.skeleton, &own, &mut parts);
        Body { parts, declared, named: (0..bones.len()).map(name).collect() }
    }

    /// How two bones of the same part were found.
    fn how(bodies: &[Body; 2], pair: [BoneIndex; 2]) -> MatchedBy {
        let is_from = |of: fn(&Body) -> &Parts| {
            let at = |side: usize| usize::from(pair[side]);
            [0, 1].map(|side| {
                let part = &bodies[side].parts[at(side)];
                part.is_some() && *part == bodies[1 - side].parts[at(1 - side)] && *part == of(&bodies[side])[at(side)]
            })
        };
        match (is_from(|body| &body.declared), is_from(|body| &body.named)) {
            ([true, _] | [_, true], _) => MatchedBy::Declared,
            (_, [true, true]) => MatchedBy::PartName,
            _ => MatchedBy::Shape,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::skeleton::tests::skeleton;

    #[test]
    fn names_are_found_exactly_then_plainly_then_as_parts() {
        let from = ["mixamorig:Hips", "mixamorig:LeftForeArm", "Head", "mixamorig:LeftHandThumb2", "Tail"];
        let to = ["Head", "hips", "lowerarm_l", "thumb_02_l", "Cape"];
        let found = match_bones((&skeleton(&from)).into(), (&skeleton(&to)).into());
        let expected = [
            Some((1, MatchedBy::PlainName)),
            Some((2, MatchedBy::PartName)),
            Some((0, MatchedBy::Name)),
            Some((3, MatchedBy::PartName)),
            None,
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn bones_are_found_by_part_and_side() {
        let skeleton = skeleton(&["Hips", "LeftFoot", "RightFoot", "LeftHand"]);
        let parts = PartBones::of((&skeleton).into());
        assert_eq!((parts.find(" hips"), parts.both("foot"), parts.both("wrist")), (Some(0), Some([1, 2]), None));
        assert!(parts.pairs().eq([[1, 2]]));
    }

    #[test]
    fn common_rigs_name_the_same_parts() {
        let rigs: [(&str, &[&str]); 12] = [
            (" hips", &["mixamorig:Hips", "pelvis", "Bip001 Pelvis", "DEF-hips"]),
            (" spine 0", &["mixamorig:Spine", "spine_01", "Spine"]),
            (" spine 1", &["mixamorig:Spine1", "spine_02", "Chest", "chest"]),
            ("left clavicle", &["mixamorig:LeftShoulder", "clavicle_l", "shoulder.L"]),
            ("left upper arm", &["mixamorig:LeftArm", "upperarm_l", "upper_arm.L", "LeftUpperArm", "upperarm.l"]),
            ("right lower arm", &["mixamorig:RightForeArm", "lowerarm_r", "forearm.R", "RightLowerArm"]),
            ("left wrist", &["mixamorig:LeftHand", "hand_l", "hand.L", "LeftHand", "wrist.l"]),
            ("right upper leg", &["mixamorig:RightUpLeg", "thigh_r", "RightUpperLeg", "upperleg.r"]),
            ("right lower leg", &["mixamorig:RightLeg", "calf_r", "shin.R", "RightLowerLeg"]),
            ("left foot", &["mixamorig:LeftFoot", "foot_l", "foot.L"]),
            ("left toes", &["mixamorig:LeftToeBase", "ball_l", "toe.L", "LeftToes"]),
            ("left index 1", &["mixamorig:LeftHandIndex1", "index_01_l", "LeftIndexProximal"]),
        ];
        for (expected, names) in rigs {
            for name in names {
                assert_eq!(part(name).as_deref(), Some(expected), "{name}");
            }
        }
        assert_eq!(part("Cape"), None);
    }

    #[test]
    fn lists_show_names_without_the_prefix_of_mixamo() {
        let names = ["mixamorig:Hips", "mixamorig12:Hips", "Hips", "rig:Hips", "mixamorig:", "mixamorig:a:b"];
        assert_eq!(names.map(without_prefix), ["Hips", "Hips", "Hips", "rig:Hips", "mixamorig:", "a:b"]);
    }

    #[test]
    fn a_name_that_two_bones_have_matches_neither() {
        let found = match_bones((&skeleton(&["a:Arm"])).into(), (&skeleton(&["x:Arm", "y:Arm"])).into());
        assert_eq!(found, [None]);
    }

    #[test]
    fn the_bone_map_comes_first_then_declarations() {
        let (from, to) = (skeleton(&["Tail", "mixamorig:Hips", "hand_l"]), skeleton(&["Tail", "b1", "b2", "hand_l"]));
        let map = |pairs: &[(&str, &str)]| pairs.iter().map(|&(theirs, ours)| (theirs.into(), ours.into())).collect();
        let mut rig = RigNotes {
            humanoid: map(&[("hips", "b1")]),
            bone_map: map(&[("Tail", "b2"), (" ", "b2")]),
            ..RigNotes::default()
        };
        let found = match_bones((&from).into(), NamedBones { skeleton: &to, rig: Some(&rig) });
        let expected = [Some((2, MatchedBy::Hand)), Some((1, MatchedBy::Declared)), Some((3, MatchedBy::Name))];
        assert_eq!(found, expected);
        let back = match_bones(NamedBones { skeleton: &to, rig: Some(&rig) }, (&from).into());
        let expected = [None, Some((1, MatchedBy::Declared)), Some((0, MatchedBy::Hand)), Some((2, MatchedBy::Name))];
        assert_eq!(back, expected);
        // A choice of another bone wins over the declaration, and one of none over equal names.
        rig.bone_map = map(&[("mixamorig:Hips", "Tail"), ("hand_l", "")]);
        let found = match_bones((&from).into(), NamedBones { skeleton: &to, rig: Some(&rig) });
        assert_eq!(found, [None, Some((0, MatchedBy::Hand)), None]);
        let back = match_bones(NamedBones { skeleton: &to, rig: Some(&rig) }, (&from).into());
        assert_eq!(back, [Some((1, MatchedBy::Hand)), None, None, None]);
    }
}
