//! Finds the bones of one skeleton in another by name: by other names that the rig notes have, exactly, without the prefix of an
//! exporter, then by the parts of a humanoid body.

mod body;
mod names;

use std::collections::{BTreeMap, BTreeSet};

use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::bone_match::body::Parts;
use crate::assets::bone_match::names::part;
pub use crate::assets::bone_match::names::{plain, without_prefix};
use crate::assets::model::Model;
use crate::assets::rig_notes::RigNotes;

/// Criterion by which the bone of another skeleton was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchedBy {
    /// By one of the other names that the rig notes have, made by hand or from a file with a humanoid (VRM).
    OtherName,
    /// Equal names.
    Name,
    /// Names that are equal without prefix, case and separators: "mixamorig:LeftArm" and "left_arm".
    PlainName,
    /// The same part of a humanoid: "LeftForeArm" and "lowerarm_l", or bones at the same place of two spines.
    Humanoid,
}

/// A skeleton and the other names of its bones.
#[derive(Clone, Copy, Debug)]
pub struct NamedBones<'a> {
    /// The bones with their own names.
    pub skeleton: &'a Skeleton,
    /// Alternative names of the bones, if there are any.
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
const WAYS: [(MatchedBy, [Names; 2], Key); 4] = [
    (MatchedBy::OtherName, [Names::Own, Names::Other], str::to_owned),
    (MatchedBy::OtherName, [Names::Other, Names::Own], str::to_owned),
    (MatchedBy::Name, [Names::Own, Names::Own], str::to_owned),
    (MatchedBy::PlainName, [Names::Own, Names::Own], plain),
];

/// Returns what two names must have in common.
type Key = fn(&str) -> String;

/// The names by which a way looks for bones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Own,
    Other,
}

/// The bone of the other skeleton for each bone, and how it was found.
pub type Found = Vec<Option<(BoneIndex, MatchedBy)>>;

/// For each bone of `from`, in order, the bone of `to`. No two have the same.
///
/// A bone is not paired with one of the same name if either skeleton has another bone that is the same part of the body: Mixamo's
/// "LeftLeg" is a lower leg, and the "Left leg" of some VRM files an upper leg.
pub fn match_bones(from: NamedBones<'_>, to: NamedBones<'_>) -> Found {
    let parts = [parts_of(from), parts_of(to)];
    let has_other = |parts: &Parts, part: &Option<String>, bone: BoneIndex| {
        part.is_some() && parts[usize::from(bone)] != *part && parts.contains(part)
    };
    let agrees = |bone: BoneIndex, other: BoneIndex| {
        !has_other(&parts[1], &parts[0][usize::from(bone)], other)
            && !has_other(&parts[0], &parts[1][usize::from(other)], bone)
    };
    let mut found = by_names(from, to, agrees);
    let spines = [body::spine(from.skeleton, &parts[0]), body::spine(to.skeleton, &parts[1])];
    let has_spines = spines.iter().all(|spine| !spine.is_empty());
    let mut pairs = if has_spines { spine_pairs(&mut found, &spines) } else { Vec::new() };
    let is_spine = |part: &&str| has_spines && part.starts_with(" spine");
    let of_parts = unique(&parts[0]).into_iter().filter(|(part, _)| !is_spine(part));
    let others = unique(&parts[1]);
    pairs.extend(of_parts.filter_map(|(part, bone)| Some((bone, *others.get(part)?))));
    let mut taken = taken(&found, to.skeleton.len());
    for (bone, other) in pairs {
        let place = &mut found[usize::from(bone)];
        if place.is_none() && !taken[usize::from(other)] {
            *place = Some((other, MatchedBy::Humanoid));
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
    let mut taken = taken(&found, to.skeleton.len());
    for (by, names, key) in WAYS {
        let keys = |named: NamedBones<'_>, names: Names, is_free: &dyn Fn(BoneIndex) -> bool| {
            let mut keys = vec![Vec::new(); named.skeleton.len()];
            let others = named.rig.map(RigNotes::other_names_by_bone).unwrap_or_default();
            for (bone, keys) in named.skeleton.indices().zip(&mut keys).filter(|(bone, _)| is_free(*bone)) {
                let own = &*named.skeleton.bones()[usize::from(bone)].name;
                match names {
                    Names::Own => keys.push(key(own)),
                    Names::Other => keys.extend(others.get(own).into_iter().flatten().map(|name| key(name))),
                }
            }
            keys
        };
        let own = keys(from, names[0], &|_| true);
        let others = keys(to, names[1], &|bone| !taken[usize::from(bone)]);
        let (own, others) = (unique_of(own.iter()), unique_of(others.iter()));
        for (name, bone) in own {
            let place = &mut found[usize::from(bone)];
            if let (None, Some(&other)) = (*place, others.get(name))
                && !taken[usize::from(other)]
                && (by == MatchedBy::OtherName || agrees(bone, other))
            {
                *place = Some((other, by));
                taken[usize::from(other)] = true;
            }
        }
    }
    found
}

fn taken(found: &Found, len: usize) -> Vec<bool> {
    let mut taken = vec![false; len];
    found.iter().flatten().for_each(|(other, _)| taken[usize::from(*other)] = true);
    taken
}

/// Pairs the bones of two spines, unless names paired all of the shorter one. Clears the pairs that it replaces.
fn spine_pairs(found: &mut Found, [from, to]: &[Vec<BoneIndex>; 2]) -> Vec<(BoneIndex, BoneIndex)> {
    let is_pair = |bone: &&BoneIndex| found[usize::from(**bone)].is_some_and(|(other, _)| to.contains(&other));
    if from.iter().filter(is_pair).count() == from.len().min(to.len()) {
        return Vec::new();
    }
    let is_in_spine = |(bone, other): (usize, BoneIndex)| from.contains(&(bone as BoneIndex)) || to.contains(&other);
    for (bone, place) in found.iter_mut().enumerate() {
        *place = place.filter(|(other, by)| *by == MatchedBy::OtherName || !is_in_spine((bone, *other)));
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

/// The part of a humanoid that each bone is, such as "left upper leg": by its other names if they say one, by its own name, and by
/// the shape of the skeleton.
pub fn parts_of(named: NamedBones<'_>) -> Parts {
    let others = named.rig.map(RigNotes::other_names_by_bone).unwrap_or_default();
    let declared = |name: &str| others.get(name).and_then(|others| others.iter().find_map(|other| part(other)));
    let bones = named.skeleton.bones();
    let mut parts: Parts = bones.iter().map(|bone| declared(&bone.name)).collect();
    let known: BTreeSet<String> = parts.iter().flatten().cloned().collect();
    for (place, bone) in parts.iter_mut().zip(bones).filter(|(place, _)| place.is_none()) {
        *place = part(&bone.name).filter(|part| !known.contains(part));
    }
    body::correct(named.skeleton, &mut parts);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::skeleton::Bone;
    use crate::anim::transform::Transform;

    fn skeleton(names: &[&str]) -> Skeleton {
        let bone = |name: &&str| Bone { name: (*name).into(), parent: None, rest: Transform::IDENTITY };
        Skeleton::new(names.iter().map(bone).collect()).unwrap()
    }

    #[test]
    fn names_are_found_exactly_then_plainly_then_as_parts() {
        let from = ["mixamorig:Hips", "mixamorig:LeftForeArm", "Head", "mixamorig:LeftHandThumb2", "Tail"];
        let to = ["Head", "hips", "lowerarm_l", "thumb_02_l", "Cape"];
        let found = match_bones((&skeleton(&from)).into(), (&skeleton(&to)).into());
        let expected = [
            Some((1, MatchedBy::PlainName)),
            Some((2, MatchedBy::Humanoid)),
            Some((0, MatchedBy::Name)),
            Some((3, MatchedBy::Humanoid)),
            None,
        ];
        assert_eq!(found, expected);
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
    fn other_names_come_first_and_say_which_part_a_bone_is() {
        let (from, to) = (skeleton(&["Tail", "mixamorig:Hips", "hand_l"]), skeleton(&["Tail", "b1", "b2", "hand_l"]));
        let mut rig = RigNotes::default();
        rig.set_other_names("b1", ["hips"]);
        rig.set_other_names("b2", ["Tail", " "]);
        let found = match_bones((&from).into(), NamedBones { skeleton: &to, rig: Some(&rig) });
        let expected = [Some((2, MatchedBy::OtherName)), Some((1, MatchedBy::Humanoid)), Some((3, MatchedBy::Name))];
        assert_eq!(found, expected);
        let back = match_bones(NamedBones { skeleton: &to, rig: Some(&rig) }, (&from).into());
        assert_eq!(
            back,
            [None, expected[1].map(|(_, by)| (1, by)), Some((0, MatchedBy::OtherName)), Some((2, MatchedBy::Name))]
        );
    }
}
