//! Names of bones: their words, and the part of a humanoid that they name.

use std::collections::{BTreeMap, BTreeSet};

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

/// The words of a name in lower case: "LeftForeArm" and "fore_arm.L" have three and three. Short forms in brackets repeat the name: "NPC L
/// Thigh \[LThg\]".
fn words(name: &str) -> Vec<String> {
    let own = name.rsplit([':', '|']).next().unwrap_or(name);
    let own = own.split_once('[').map_or(own, |(own, _)| own);
    let (mut words, mut before) = (vec![String::new()], ' ');
    let has_small = own.chars().any(char::is_lowercase);
    let mut letters = own.chars().enumerate().peekable();
    while let Some((at, letter)) = letters.next() {
        let starts_word = letters.peek().is_some_and(|(_, next)| next.is_lowercase());
        let is_capital = letter.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && starts_word);
        // "LUArm", but not "LEFT_ARM".
        let is_behind_side = letter.is_uppercase() && at == 1 && ['L', 'R'].contains(&before) && has_small;
        let is_new = is_capital
            || is_behind_side
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
    let is_prefix = words.first().is_some_and(|word| SILENT.contains(&word.as_str()));
    // The number of a prefix says nothing either: "Bip001".
    let is_numbered = is_prefix && words.get(1).is_some_and(|word| word.starts_with('0'));
    words.drain(..if is_numbered { 2 } else { 0 });
    words
}

/// Words that say at the start or end of a name without a side that a bone is in the middle.
const MIDDLE: [&str; 5] = ["c", "m", "x", "center", "centre"];

/// Words that say nothing about the part. "bend" and "stretch" are names of bones that bend, beside others that twist.
const SILENT: [&str; 13] = [
    "mixamorig",
    "bip",
    "bip001",
    "bone",
    "def",
    "jnt",
    "joint",
    "rig",
    "hand",
    "armature",
    "skeleton",
    "bend",
    "stretch",
];

/// The words of a prefix have at most this number: "ValveBiped.Bip01_".
const LONGEST_PREFIX: usize = 4;

/// The names of bones as words.
#[derive(Clone, Debug, Default)]
pub struct SplitNames(Vec<Split>);

/// A name and what it says.
#[derive(Clone, Debug, Default)]
struct Split {
    words: Vec<String>,
    parsed: NameParts,
    part: Option<NamedPart>,
}

/// The part of a humanoid that a name says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPart {
    /// Side, part, and number for fingers: "left upper leg".
    pub part: String,
    /// Whether it is the first of several: "upperarm01".
    pub is_first: bool,
}

impl SplitNames {
    /// Splits names. What most of them begin with is a prefix if more bones are known without it: "CC_Base_L_Thigh".
    pub fn of<'n>(names: impl Iterator<Item = &'n str>) -> SplitNames {
        let mut whole: Vec<Vec<String>> = names.map(words).collect();
        without_numbers(&mut whole);
        let mut best = SplitNames::with(whole.clone());
        for count in 1..=LONGEST_PREFIX {
            let mut uses = BTreeMap::<&[String], usize>::new();
            let starts = whole.iter().filter_map(|words| words.get(..count));
            starts.for_each(|start| *uses.entry(start).or_default() += 1);
            let Some(prefix) = uses.into_iter().find(|(_, uses)| 2 * uses > whole.len()).map(|(prefix, _)| prefix)
            else {
                break;
            };
            let own = |words: &Vec<String>| words.strip_prefix(prefix).unwrap_or(words).to_vec();
            let names = SplitNames::with(whole.iter().map(own).collect());
            if names.count_known() > best.count_known() {
                best = names;
            }
        }
        best
    }

    fn with(names: Vec<Vec<String>>) -> SplitNames {
        let split = |words: Vec<String>| {
            let parsed = parse(&words);
            Split { part: part_of(&words, &parsed), parsed, words }
        };
        SplitNames(names.into_iter().map(split).collect())
    }

    /// The words of a name, sorted.
    pub fn parse(&self, at: usize) -> Option<&NameParts> {
        self.0.get(at).map(|name| &name.parsed)
    }

    /// The part of a humanoid that a bone is by its name.
    pub fn part(&self, at: usize) -> Option<&NamedPart> {
        self.0.get(at)?.part.as_ref()
    }

    /// The number of words of a name.
    pub fn count_words(&self, at: usize) -> usize {
        self.0.get(at).map_or(0, |name| name.words.len())
    }

    /// The number of parts that one bone alone is.
    fn count_known(&self) -> usize {
        let mut uses = BTreeMap::<&str, usize>::new();
        let parts = self.0.iter().filter_map(|name| name.part.as_ref());
        parts.for_each(|named| *uses.entry(&named.part).or_default() += 1);
        uses.values().filter(|uses| **uses == 1).count()
    }
}

/// Parts of a humanoid, and the words that name them, joined.
const PARTS: [(&str, &[&str]); 18] = [
    ("hips", &["hips", "hip", "pelvis"]),
    ("spine 0", &["spine", "spine0", "spine01", "abdomen", "abdomenlower", "waist", "ab"]),
    ("spine 1", &["spine1", "spine02", "chest", "torso"]),
    ("spine 2", &["spine2", "spine03", "upperchest", "chestupper"]),
    ("neck", &["neck", "neck1", "necklower", "necktwist1"]),
    ("head", &["head"]),
    ("clavicle", &["shoulder", "clavicle", "collar", "collarbone", "scapula"]),
    ("upper arm", &["arm", "upperarm", "armupper", "uparm", "shldr", "uarm"]),
    ("lower arm", &["forearm", "lowerarm", "armlower", "elbow", "lowarm", "farm"]),
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

/// Leaves out numbers behind almost all names, each another one, which Sketchfab adds: "LeftUpLeg_058".
fn without_numbers(names: &mut [Vec<String>]) {
    let is_number = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
    let numbered = names.iter().filter(|words| words.len() > 1).filter_map(|words| words.last().filter(is_number));
    let different: BTreeSet<&str> = numbered.map(|number| number.trim_start_matches('0')).collect();
    if names.len() >= 8 && 10 * different.len() >= 9 * names.len() {
        let with = names.iter_mut().filter(|words| words.len() > 1 && words.last().as_ref().is_some_and(is_number));
        with.for_each(|words| drop(words.pop()));
    }
}

/// The words of a name, sorted by what they say.
fn parse(words: &[String]) -> NameParts {
    let mut parsed = NameParts::default();
    let is = |known: &[&str], word: &String| known.contains(&word.as_str());
    let has_side = words.iter().any(|word| is(&["l", "r", "left", "right"], word));
    let is_middle = |at: usize| !has_side && (at == 0 || at + 1 == words.len()) && is(&MIDDLE, &words[at]);
    for (_, word) in words.iter().enumerate().filter(|(at, word)| !is(&SILENT, word) && !is_middle(*at)) {
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
            _ => parsed.rest.push_str(word),
        }
    }
    parsed
}

/// The part of a humanoid that a bone is by its name: side, part, and number for fingers.
pub fn part(name: &str) -> Option<String> {
    let words = words(name);
    part_of(&words, &parse(&words)).map(|named| named.part)
}

fn part_of(words: &[String], NameParts { side, number, rest }: &NameParts) -> Option<NamedPart> {
    let has_hand = words.iter().any(|word| word.contains("hand"));
    let exact = |part: String| Some(NamedPart { part, is_first: false });
    if rest.strip_prefix('f').unwrap_or(rest) == "ring little" {
        return exact(format!("{side} little {number}"));
    }
    let whole = format!("{rest}{number}");
    // "spine_01" is the first one, "Spine1" the second.
    let counts_from_one = rest == "spine" && words.iter().any(|word| word.starts_with('0'));
    let of_spine = format!("{rest}0{number}");
    let known = |whole: &str| {
        let has = |names: &[&str]| !whole.is_empty() && names.contains(&whole);
        PARTS.iter().find(|(_, names)| has(names)).map(|(part, _)| *part)
    };
    let found = if has_hand && rest.is_empty() { Some("wrist") } else { known(&whole) };
    let found = found.filter(|_| !counts_from_one).or_else(|| known(&of_spine).filter(|_| counts_from_one));
    let finger = PARTS.iter().skip(14).find(|(_, names)| names.contains(&rest.as_str()));
    match (found, finger) {
        // "MiddleHand" is between wrist and fingers.
        (_, Some(_)) if number.is_empty() && has_hand => None,
        (_, Some((finger, _))) => exact(format!("{side} {finger} {number}")),
        // "LeftHip" is a joint of the leg, "pelvis.L" none.
        (Some("hips"), None) if !side.is_empty() => exact(format!("{side} hip")).filter(|_| rest != "pelvis"),
        (Some(part), None) => exact(format!("{side} {part}")),
        (None, None) if number == "1" && is_last(words, "1") && !["arm", "leg", "spine"].contains(&rest.as_str()) => {
            let part = known(rest).filter(|part| *part != "hips")?;
            Some(NamedPart { part: format!("{side} {part}"), is_first: true })
        }
        (None, None) => None,
    }
}

/// Whether a number is behind all words but that of the side.
fn is_last(words: &[String], number: &str) -> bool {
    let mut from_end = words.iter().rev().filter(|word| !["l", "r", "left", "right"].contains(&word.as_str()));
    from_end.find(|word| !SILENT.contains(&word.as_str())).is_some_and(|word| word.trim_start_matches('0') == number)
}
