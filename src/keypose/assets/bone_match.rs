//! Finds the bones of one skeleton in another by name: by other names that the rig notes have, exactly, without the prefix of an
//! exporter, then by the parts of a humanoid body.

use std::collections::BTreeMap;

use crate::anim::skeleton::{BoneIndex, Skeleton};
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
    /// Names of one part of a humanoid: "LeftForeArm" and "lowerarm_l".
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

/// The names by which a way looks for bones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Own,
    Other,
    OtherElseOwn,
}

type Key = fn(&str) -> Option<String>;

/// The ways in which bones are found, in order: the names in the source and in the target, and what both must have in common.
const WAYS: [(MatchedBy, [Names; 2], Key); 6] = [
    (MatchedBy::OtherName, [Names::Own, Names::Other], |name| Some(name.to_owned())),
    (MatchedBy::OtherName, [Names::Other, Names::Own], |name| Some(name.to_owned())),
    (MatchedBy::Name, [Names::Own, Names::Own], |name| Some(name.to_owned())),
    (MatchedBy::PlainName, [Names::Own, Names::Own], |name| Some(plain(name))),
    (MatchedBy::Humanoid, [Names::OtherElseOwn, Names::OtherElseOwn], part),
    (MatchedBy::Humanoid, [Names::Own, Names::Own], part),
];

/// For each bone of `from`, in order, the bone of `to`. No two have the same.
pub fn match_bones(from: NamedBones<'_>, to: NamedBones<'_>) -> Vec<Option<(BoneIndex, MatchedBy)>> {
    let mut found: Vec<Option<(BoneIndex, MatchedBy)>> = vec![None; from.skeleton.len()];
    let mut taken = vec![false; to.skeleton.len()];
    for (by, names, key) in WAYS {
        let is_free = |bone: &BoneIndex| !taken[usize::from(*bone)];
        let free: Vec<BoneIndex> = to.skeleton.indices().filter(is_free).collect();
        let own = unique(from, from.skeleton.indices(), names[0], key);
        let others = unique(to, free.into_iter(), names[1], key);
        for (name, bone) in own {
            let place = &mut found[usize::from(bone)];
            if let (None, Some(&other)) = (*place, others.get(&name))
                && !taken[usize::from(other)]
            {
                *place = Some((other, by));
                taken[usize::from(other)] = true;
            }
        }
    }
    found
}

/// The bones by key. Keys that several bones have are left out.
fn unique(
    named: NamedBones<'_>,
    bones: impl Iterator<Item = BoneIndex>,
    names: Names,
    key: Key,
) -> BTreeMap<String, BoneIndex> {
    let mut all: BTreeMap<String, Option<BoneIndex>> = BTreeMap::new();
    let others = named.rig.filter(|_| names != Names::Own).map(RigNotes::other_names_by_bone).unwrap_or_default();
    for bone in bones {
        let Some(own) = named.skeleton.get(bone).map(|bone| bone.name.as_str()) else { continue };
        let mut wanted: Vec<&str> = others.get(own).cloned().unwrap_or_default();
        if names == Names::Own || (names == Names::OtherElseOwn && wanted.is_empty()) {
            wanted.push(own);
        }
        for key in wanted.into_iter().filter_map(key) {
            let keep = |one: &mut Option<BoneIndex>| *one = one.filter(|one| *one == bone);
            all.entry(key).and_modify(keep).or_insert(Some(bone));
        }
    }
    all.into_iter().filter_map(|(name, bone)| Some((name, bone?))).collect()
}

/// The name as lists show it: without Mixamo's prefix, which is longer than most names.
pub fn without_prefix(name: &str) -> &str {
    let Some((prefix, own)) = name.split_once(':').filter(|(_, own)| !own.is_empty()) else { return name };
    let prefix = prefix.trim_end_matches(|letter: char| letter.is_ascii_digit());
    if prefix.eq_ignore_ascii_case("mixamorig") { own } else { name }
}

/// The name without the prefix of an exporter, in lower case, letters and digits only.
pub fn plain(name: &str) -> String {
    let own = name.rsplit([':', '|']).next().unwrap_or(name);
    let own: String = own.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let digits = |rest: &str| rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).to_owned();
    own.strip_prefix("mixamorig").map(digits).filter(|rest| !rest.is_empty()).unwrap_or(own)
}

/// The words of a name in lower case: "LeftForeArm" and "fore_arm.L" have three and three.
fn words(name: &str) -> Vec<String> {
    let own = name.rsplit([':', '|']).next().unwrap_or(name);
    let (mut words, mut before) = (vec![String::new()], ' ');
    for letter in own.chars() {
        let is_new = (letter.is_uppercase() && before.is_lowercase())
            || (letter.is_ascii_digit() != before.is_ascii_digit() && before != ' ')
            || !letter.is_alphanumeric();
        if is_new {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    let is_prefix = |word: &String| PREFIXES.contains(&word.as_str());
    // The number of a prefix says nothing either: "Bip001".
    let is_numbered = words.first().is_some_and(is_prefix) && words.get(1).is_some_and(|word| word.starts_with('0'));
    words.into_iter().skip(if is_numbered { 2 } else { 0 }).filter(|word| !is_prefix(word)).collect()
}

/// Words that say nothing about the part.
const PREFIXES: [&str; 9] = ["mixamorig", "bip", "bip001", "bone", "def", "jnt", "joint", "rig", "hand"];

/// Parts of a humanoid, and the words that name them, joined.
const PARTS: [(&str, &[&str]); 18] = [
    ("hips", &["hips", "hip", "pelvis"]),
    ("spine 0", &["spine", "spine0", "spine01", "abdomen", "waist"]),
    ("spine 1", &["spine1", "spine02", "chest", "torso"]),
    ("spine 2", &["spine2", "spine03", "upperchest", "chestupper"]),
    ("neck", &["neck", "neck1", "neck01"]),
    ("head", &["head"]),
    ("clavicle", &["shoulder", "clavicle", "collar", "collarbone"]),
    ("upper arm", &["arm", "upperarm", "armupper", "uparm"]),
    ("lower arm", &["forearm", "lowerarm", "armlower", "elbow", "lowarm"]),
    ("wrist", &["", "wrist", "palm"]),
    ("upper leg", &["upleg", "upperleg", "legupper", "thigh"]),
    ("lower leg", &["leg", "lowerleg", "leglower", "calf", "shin", "knee", "lowleg"]),
    ("foot", &["foot", "ankle"]),
    ("toes", &["toebase", "toe", "toes", "ball", "toe0"]),
    ("thumb", &["thumb"]),
    ("index", &["index"]),
    ("middle", &["middle"]),
    ("ring", &["ring"]),
];

/// The part of a humanoid that each bone is, such as "left upper leg", by its other names if it has any.
pub fn parts_of(named: NamedBones<'_>) -> Vec<Option<String>> {
    let others = named.rig.map(RigNotes::other_names_by_bone).unwrap_or_default();
    let of = |name: &str| match others.get(name) {
        Some(others) => others.iter().find_map(|other| part(other)),
        None => part(name),
    };
    named.skeleton.bones().iter().map(|bone| of(&bone.name)).collect()
}

/// The part of a humanoid that a bone is by its name: side, part, and number for fingers.
fn part(name: &str) -> Option<String> {
    let has_hand = name.to_lowercase().contains("hand");
    let (mut side, mut number, mut rest) = ("", String::new(), String::new());
    for word in words(name) {
        match word.as_str() {
            "left" | "l" => side = "left",
            "right" | "r" => side = "right",
            "proximal" => number = "1".into(),
            "intermediate" => number = "2".into(),
            "distal" => number = "3".into(),
            "little" | "pinky" => rest.push_str("ring little"),
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => number = word.trim_start_matches('0').to_owned(),
            _ => rest.push_str(&word),
        }
    }
    if rest == "ring little" {
        return Some(format!("{side} little {number}"));
    }
    let is_known = |names: &[&str], whole: &str| names.contains(&whole);
    let whole = format!("{rest}{number}");
    let of_spine = format!("{rest}0{number}");
    let found = PARTS.iter().find(|(_, names)| {
        (has_hand && rest.is_empty() && names.contains(&""))
            || (!whole.is_empty() && is_known(names, &whole))
            || (rest == "spine" && name.contains(&format!("0{number}")) && is_known(names, &of_spine))
    });
    let finger = PARTS.iter().skip(14).find(|(finger, _)| rest == *finger);
    match (found, finger) {
        (_, Some((finger, _))) => Some(format!("{side} {finger} {number}")),
        (Some((part, _)), None) => Some(format!("{side} {part}")),
        (None, None) => None,
    }
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
