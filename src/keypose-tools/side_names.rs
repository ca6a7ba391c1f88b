//! Names of bones, markers and numbers of the left and the right side.

use crate::anim::skeleton::{BoneIndex, Skeleton};

/// The names of the two sides. Longer ones first: "Left" before "L".
const SIDES: [[&str; 2]; 4] = [["left", "right"], ["lft", "rgt"], ["lf", "rt"], ["l", "r"]];

/// The name on the other side: "upper.R" for "upper.L", "RightArm" for "LeftArm", "arm_r.001" for "arm_l.001". The name
/// of a side is a word of its own: at the start or end, between punctuation, or between lower and upper case.
pub fn other_side(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    if lower.len() != name.len() {
        return None;
    }
    for sides in SIDES {
        for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            let found = lower.match_indices(side).map(|(at, _)| at).find(|&at| is_word(name, at, side.len()));
            if let Some(at) = found {
                let end = at + side.len();
                return Some(format!("{}{}{}", &name[..at], in_case_of(&name[at..end], other), &name[end..]));
            }
        }
    }
    None
}

/// The bone of the other side, by its name.
pub fn mirror_of(skeleton: &Skeleton, bone: BoneIndex) -> Option<BoneIndex> {
    skeleton.find(&other_side(&skeleton.get(bone)?.name)?)
}

/// Whether a part of a name is a word. A single letter needs punctuation beside it; a whole word may touch a capital.
fn is_word(name: &str, at: usize, length: usize) -> bool {
    let (before, part, after) = (&name[..at], &name[at..at + length], &name[at + length..]);
    let (last, next) = (before.chars().next_back(), after.chars().next());
    let is_sign = |letter: Option<char>| letter.is_some_and(|letter| !letter.is_alphanumeric());
    if length == 1 {
        // "upper.L", "L_upper", "mixamorig:L.arm": a sign on one side, a sign or the end on the other.
        let is_part = (is_sign(last) && (next.is_none() || is_sign(next))) || (last.is_none() && is_sign(next));
        // "LThigh", "lThigh" and "thighL".
        let starts = last.is_none_or(|last| is_sign(Some(last))) && next.is_some_and(char::is_uppercase);
        let ends = next.is_none() && last.is_some_and(char::is_lowercase) && part.starts_with(char::is_uppercase);
        return is_part || starts || ends;
    }
    let starts = last.is_none_or(|letter| !letter.is_alphabetic()) || part.starts_with(char::is_uppercase);
    starts && next.is_none_or(|letter| !letter.is_lowercase())
}

/// A word in the case of another: "LEFT", "Left" or "left".
fn in_case_of(model: &str, word: &str) -> String {
    let is_upper = |letter: char| letter.is_uppercase();
    match (model.chars().all(is_upper), model.starts_with(is_upper)) {
        (true, _) => word.to_uppercase(),
        (false, true) => word[..1].to_uppercase() + &word[1..],
        (false, false) => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_found_in_names() {
        let cases = [
            ("upper.L", Some("upper.R")),
            ("upper_r", Some("upper_l")),
            ("arm.l.001", Some("arm.r.001")),
            ("L_arm", Some("R_arm")),
            ("LeftArm", Some("RightArm")),
            ("mixamorig:RightHandThumb1", Some("mixamorig:LeftHandThumb1")),
            ("HAND_LEFT", Some("HAND_RIGHT")),
            ("foot right", Some("foot left")),
            ("b_LeftUpperArm_09", Some("b_RightUpperArm_09")),
            ("Skeleton_arm_joint_L__4_", Some("Skeleton_arm_joint_R__4_")),
            ("lThighBend", Some("rThighBend")),
            ("LUArm", Some("RUArm")),
            ("Skeleton:LShin", Some("Skeleton:RShin")),
            ("thighR", Some("thighL")),
            ("lft_arm", Some("rgt_arm")),
            ("ArmRt", Some("ArmLf")),
            ("root", None),
            ("shelf", None),
            ("lower", None),
            ("cleft", None),
            ("bright", None),
            ("skirt", None),
            ("", None),
        ];
        for (name, expected) in cases {
            assert_eq!(other_side(name).as_deref(), expected, "{name}");
        }
    }
}
