//! Names of bones: their words, and the part of a humanoid that they name.

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
const PREFIXES: [&str; 11] =
    ["mixamorig", "bip", "bip001", "bone", "def", "jnt", "joint", "rig", "hand", "armature", "skeleton"];

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
    ("index", &["index", "findex"]),
    ("middle", &["middle", "fmiddle"]),
    ("ring", &["ring", "fring"]),
];

/// The side, number and other words of a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NameParts {
    /// "left", "right", or empty.
    pub side: &'static str,
    /// The number without leading zeros; empty without one.
    pub number: String,
    /// All other words, joined.
    pub rest: String,
}

/// The words of a name, sorted by what they say.
pub fn parse(name: &str) -> NameParts {
    let mut parsed = NameParts::default();
    for word in words(name) {
        match word.as_str() {
            "left" | "l" => parsed.side = "left",
            "right" | "r" => parsed.side = "right",
            "proximal" => parsed.number = "1".into(),
            "intermediate" => parsed.number = "2".into(),
            "distal" => parsed.number = "3".into(),
            "little" | "pinky" => parsed.rest.push_str("ring little"),
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                parsed.number = word.trim_start_matches('0').to_owned();
            }
            _ => parsed.rest.push_str(&word),
        }
    }
    parsed
}

/// The part of a humanoid that a bone is by its name: side, part, and number for fingers.
pub fn part(name: &str) -> Option<String> {
    let has_hand = name.to_lowercase().contains("hand");
    let NameParts { side, number, rest } = parse(name);
    if rest.strip_prefix('f').unwrap_or(&rest) == "ring little" {
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
    let finger = PARTS.iter().skip(14).find(|(_, names)| names.contains(&rest.as_str()));
    match (found, finger) {
        // "MiddleHand" is between wrist and fingers.
        (_, Some(_)) if number.is_empty() && has_hand => None,
        (_, Some((finger, _))) => Some(format!("{side} {finger} {number}")),
        // "LeftHip" is a joint of the leg.
        (Some(("hips", _)), None) if !side.is_empty() => Some(format!("{side} upper leg")),
        (Some((part, _)), None) => Some(format!("{side} {part}")),
        (None, None) => None,
    }
}
