//! Names of bones, markers and numbers of the left and the right side.

use crate::anim::skeleton::{BoneIndex, Skeleton};

/// The names of the two sides. Longer ones first: "Left" before "L".
const SIDES: [[&str; 2]; 2] = [["left", "right"], ["l", "r"]];
/// Shorter names, which count only in names with small letters.
const SHORT_SIDES: [[&str; 2]; 3] = [["lft", "rgt"], ["lf", "rt"], ["l", "r"]];

/// The name on the other side: "upper.R" for "upper.L", "RightArm" for "LeftArm", "arm_r.001" for "arm_l.001". The name
/// of a side is a word of its own: at the start or end, between punctuation, or between lower and upper case. Otherwise a letter may begin
/// or end the name: "LThigh" and "thighL".
pub fn other_side(name: &str) -> Option<String> {
    let has_small = name.contains(char::is_lowercase);
    replaced(name, &SIDES, is_word).or_else(|| replaced(name, &SHORT_SIDES, is_short).filter(|_| has_small))
}

/// The name with the first of these sides replaced by the other one.
fn replaced(name: &str, sides: &[[&str; 2]], is_side: fn(&str, usize, usize) -> bool) -> Option<String> {
    let lower = name.to_lowercase();
    if lower.len() != name.len() {
        return None;
    }
    for sides in sides {
        for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            let found = lower.match_indices(side).map(|(at, _)| at).find(|&at| is_side(name, at, side.len()));
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
    if length == 1 {
        // "upper.L", "L_upper", "mixamorig:L.arm": a sign on one side, a sign or the end on the other.
        return (is_sign(last) && (next.is_none() || is_sign(next))) || (last.is_none() && is_sign(next));
    }
    let starts = last.is_none_or(|letter| !letter.is_alphabetic()) || part.starts_with(char::is_uppercase);
    starts && next.is_none_or(|letter| !letter.is_lowercase())
}

/// Whether a part of a name is a short word for a side: "lft_arm", "ArmRt", "LThigh", "lThigh", "thighL".
fn is_short(name: &str, at: usize, length: usize) -> bool {
    let (before, part, after) = (&name[..at], &name[at..at + length], &name[at + length..]);
    let (last, next) = (before.chars().next_back(), after.chars().next());
    let starts = last.is_none() || is_sign(last);
    let is_capital = part.starts_with(char::is_uppercase);
    let ends = next.is_none() && last.is_some_and(char::is_lowercase) && is_capital;
    let goes_over = next.is_some_and(char::is_uppercase) || (length > 1 && (next.is_none() || is_sign(next)));
    ends || starts && goes_over
}

fn is_sign(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| !letter.is_alphanumeric())
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
            ("LEG_L", Some("LEG_R")),
            ("RING_R", Some("RING_L")),
            ("CALF_L", Some("CALF_R")),
            ("shirt_L", Some("shirt_R")),
            ("LEG", None),
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
