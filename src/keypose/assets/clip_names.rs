//! Finds the clip of a state by name: "Walking_A" is a walk, "Jump_Idle" a fall. Knows the names of common animation packs, in
//! order of preference.

use crate::assets::machine::State;

/// The names of a state, the best first. All words of a name must occur in the name of the clip.
fn names(state: State) -> &'static [&'static str] {
    match state {
        State::Idle => &["idle", "idling", "stand", "standing", "breathing", "breathe", "wait", "survey", "rest"],
        State::Walk => &["walk", "walking", "walkcycle", "move", "moving", "stroll"],
        State::Run => &["run", "running", "runcycle", "sprint", "sprinting", "jog", "jogging", "gallop"],
        State::Jump => &["jump start", "jump up", "jump", "jumping", "leap", "hop"],
        State::Fall => {
            &["fall", "falling", "fall loop", "jump idle", "jump loop", "in air", "midair", "airborne", "air"]
        }
        State::Land => &["land", "landing", "jump land", "jump end", "jump landing"],
        State::Crouch => &[
            "crouch",
            "crouching",
            "crouched",
            "crouch idle",
            "duck",
            "ducking",
            "squat",
            "sneak idle",
            "kneel",
            "sneak",
        ],
        State::CrouchWalk => {
            &["crouch walk", "crouch walking", "crouch move", "crawl", "crawling", "sneak", "sneaking", "sneak walk"]
        }
        State::Attack => &[
            "attack",
            "melee attack",
            "slash",
            "sword slash",
            "swing",
            "strike",
            "chop",
            "slice",
            "stab",
            "hit melee",
            "punch",
            "kick",
            "bite",
            "shoot",
        ],
        State::Climb => &["climb", "climbing", "climb up", "climb loop", "ladder", "ladder climb", "ladder up"],
        State::Attack2 => &["attack 2", "attack b", "slash 2", "combo 2", "melee attack slice", "punch right"],
        State::Attack3 => &["attack 3", "attack c", "slash 3", "combo 3", "melee attack stab", "thrust"],
        State::Hurt => &["hurt", "hit", "damage", "flinch", "stagger", "hit react", "hit recieve"],
        State::Stab => &["stab", "stabbing", "lunge", "lunging", "attack stab", "dash attack", "crouch attack"],
        State::AirAttack => {
            &["air attack", "jump attack", "attack air", "attack jump", "attack in air", "aerial attack"]
        }
        State::Roll => {
            &["roll", "rolling", "dodge roll", "dodge", "dodging", "dodge forward", "dash", "evade", "tumble"]
        }
        State::Die => &["die", "death", "dying", "dead", "defeat"],
    }
}

/// The penalty of a word in the name of a clip.
fn penalty(state: State, word: &str) -> u32 {
    let is_ladder = state == State::Climb;
    let is_harm = matches!(state, State::Hurt | State::Die);
    match word {
        "backward" | "backwards" | "back" | "left" | "right" if state == State::Roll => 8,
        "hit" | "hurt" | "death" | "die" | "dead" | "a" if is_harm => 0,
        "attack" | "melee" | "block" | "pose" if is_harm => 8,
        "backward" | "backwards" | "back" | "bwd" | "left" | "right" | "strafe" | "strafing" => 6,
        "block" | "blocking" | "aim" | "aiming" | "ranged" | "reload" | "reverse" => 5,
        "pose" | "tpose" | "end" | "stop" | "exit" | "down" if !is_ladder => 4,
        "down" if is_ladder => 1,
        "start" | "begin" | "enter" if state != State::Jump => 4,
        "forward" | "fwd" | "move" | "moving" if state == State::Crouch => 4,
        "turn" | "death" | "die" | "dead" | "lie" | "sit" | "hit" | "hurt" | "sleep" | "swim" => 8,
        "idle" | "loop" if state == State::Jump => 6,
        "land" | "landing" | "fall" | "falling" if state == State::Jump => 8,
        "jump" | "jumping" | "run" | "running" if state == State::Attack => 5,
        "crouch" | "crouching" | "sneak" if matches!(state, State::Idle | State::Walk | State::Run) => 8,
        "walk" | "walking" | "run" | "running" | "walkcycle" if matches!(state, State::Crouch | State::Idle) => 8,
        "attack" | "climb" | "climbing" | "ladder"
            if matches!(state, State::Idle | State::Jump | State::Land | State::Roll) =>
        {
            8
        }
        "jump" if matches!(state, State::Idle) => 8,
        "2" | "dualwield" | "spin" | "spinning" | "offhand" => 2,
        "unarmed" | "full" | "slow" | "injured" | "drunk" => 2,
        _ => 0,
    }
}

/// The clip of a state: the one with its exact name, else the one whose words match best. Ignores case.
pub fn find(state: State, clips: &[&str]) -> Option<usize> {
    let exact = names(state)
        .iter()
        .filter(|name| !name.contains(' '))
        .find_map(|name| clips.iter().position(|clip| clip.eq_ignore_ascii_case(name)));
    let is_name = |clip: &&str| words(clip) == words(state.name());
    exact.or_else(|| clips.iter().position(is_name)).or_else(|| {
        let matches = clips.iter().enumerate().filter_map(|(at, clip)| Some((mismatch(state, &words(clip))?, at)));
        matches.min().map(|(_, at)| at)
    })
}

/// Scores how badly the words of a clip match a state, 0 being best; `None` without a match.
fn mismatch(state: State, clip: &[String]) -> Option<u32> {
    let ranked = names(state).iter().zip(0_u32..);
    let (name, rank) = ranked
        .filter(|(name, _)| name.split(' ').all(|word| clip.iter().any(|other| other == word)))
        .max_by_key(|(name, rank)| (name.split(' ').count(), u32::MAX - rank))?;
    let matched: Vec<&str> = name.split(' ').collect();
    let others = clip.iter().filter(|word| !matched.contains(&word.as_str()));
    let worse: u32 = others.clone().map(|word| penalty(state, word)).sum();
    let mismatch = 4 * worse + 2 * others.count() as u32 + rank;
    (worse < 8).then_some(mismatch)
}

/// The words of a name in lower case: split at characters that are not letters or digits, between letters and digits, and
/// before the capitals of CamelCase.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in name.chars() {
        let is_inside = before.is_alphanumeric()
            && before.is_ascii_digit() == letter.is_ascii_digit()
            && !(before.is_lowercase() && letter.is_uppercase());
        if letter.is_alphanumeric() {
            if !is_inside {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(letter.to_lowercase());
            }
        }
        before = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::machine::{AnimationTable, Origin};

    /// The clips of a well-known free pack of characters, as the importer names them.
    const PACK: &[&str] = &[
        "1H_Melee_Attack_Chop",
        "1H_Melee_Attack_Slice_Diagonal",
        "1H_Melee_Attack_Stab",
        "1H_Ranged_Aiming",
        "1H_Ranged_Shoot",
        "2H_Melee_Attack_Chop",
        "2H_Melee_Idle",
        "Block",
        "Block_Attack",
        "Block_Hit",
        "Cheer",
        "Death_A",
        "Dodge_Backward",
        "Hit_A",
        "Idle",
        "Jump_Full_Long",
        "Jump_Full_Short",
        "Jump_Idle",
        "Jump_Land",
        "Jump_Start",
        "Lie_Idle",
        "Lie_StandUp",
        "PickUp",
        "Running_A",
        "Running_Strafe_Left",
        "Sit_Chair_Idle",
        "Spellcasting",
        "T-Pose",
        "Throw",
        "Unarmed_Idle",
        "Unarmed_Melee_Attack_Kick",
        "Walking_A",
        "Walking_Backwards",
    ];

    /// The clips of a robot that many examples of glTF show.
    const ROBOT: &[&str] = &[
        "Dance", "Death", "Idle", "Jump", "No", "Punch", "Running", "Sitting", "Standing", "ThumbsUp", "Walking",
        "WalkJump", "Wave", "Yes",
    ];

    #[test]
    fn names_are_split_into_words() {
        let cases: &[(&str, &[&str])] = &[
            ("Walking_A", &["walking", "a"]),
            ("1H_Melee_Attack", &["1", "h", "melee", "attack"]),
            ("CharacterArmature|RunLeft", &["character", "armature", "run", "left"]),
            ("walk.001", &["walk", "001"]),
            ("", &[]),
        ];
        for (name, expected) in cases {
            assert_eq!(words(name), *expected, "{name}");
        }
    }

    #[test]
    fn the_clips_of_a_pack_are_found() {
        let cases = [
            (State::Idle, Some("Idle")),
            (State::Walk, Some("Walking_A")),
            (State::Run, Some("Running_A")),
            (State::Jump, Some("Jump_Start")),
            (State::Fall, Some("Jump_Idle")),
            (State::Land, Some("Jump_Land")),
            (State::Crouch, None),
            (State::Attack, Some("1H_Melee_Attack_Chop")),
            (State::Climb, None),
        ];
        for (state, expected) in cases {
            assert_eq!(find(state, PACK).map(|at| PACK[at]), expected, "{state:?}");
        }
    }

    #[test]
    fn the_clips_of_other_packs_are_found() {
        let cases: &[(&[&str], State, Option<usize>)] = &[
            (&["Survey", "Walk", "Run"], State::Idle, Some(0)),
            (&["0_pose", "1_idle", "2_move", "3_attack"], State::Walk, Some(2)),
            (&["0_pose", "1_idle", "2_move", "3_attack"], State::Attack, Some(3)),
            (&["Armature|Crouch_Idle_Loop", "Armature|Idle_Loop"], State::Idle, Some(1)),
            (&["Armature|Crouch_Idle_Loop", "Armature|Crouch_Fwd_Loop"], State::Crouch, Some(0)),
            (&["Jump_Land", "Jump_Loop", "Jump_Start"], State::Jump, Some(2)),
            (&["Jump_Land", "Jump_Loop", "Jump_Start"], State::Fall, Some(1)),
            (&["WALK", "walk_left"], State::Walk, Some(0)),
            (&["climbing_ladder_down", "climbing_ladder_up"], State::Climb, Some(1)),
            (&["crouch walk", "walk"], State::CrouchWalk, Some(0)),
            (&["Bend", "TwistStretch"], State::Attack, None),
            (ROBOT, State::Idle, Some(2)),
            (ROBOT, State::Walk, Some(10)),
            (ROBOT, State::Run, Some(6)),
            (ROBOT, State::Jump, Some(3)),
            (ROBOT, State::Attack, Some(5)),
            (ROBOT, State::Die, Some(1)),
            (ROBOT, State::Hurt, None),
            (ROBOT, State::Roll, None),
        ];
        for (clips, state, expected) in cases {
            assert_eq!(find(*state, clips), *expected, "{state:?} in {clips:?}");
        }
    }

    #[test]
    fn the_table_has_priority_and_a_similar_state_is_the_fallback() {
        let mut machine = AnimationTable::default();
        machine.set_clip(State::Attack, "Cheer");
        machine.set_clip(State::Land, "gone");
        let resolved = machine.resolve(PACK);
        let clip = |state| resolved.choice(state).clip.map(|at| PACK[at]);
        assert_eq!((clip(State::Attack), resolved.choice(State::Attack).origin), (Some("Cheer"), Origin::Table));
        assert_eq!((clip(State::Land), resolved.choice(State::Land).origin), (Some("Jump_Land"), Origin::Name));
        assert_eq!(clip(State::Crouch), Some("Idle"));
        assert_eq!(resolved.choice(State::Climb).origin, Origin::Nearest(State::Walk));
        assert_eq!(resolved.findings.len(), 2, "{:?}", resolved.findings);
        assert!(resolved.findings[0].contains("gone") && resolved.findings[1].contains("crouch (shows idle)"));
        machine.set_clip(State::Attack, "");
        assert_eq!(machine.clip_of(State::Attack), None);
    }

    #[test]
    fn without_names_the_first_clip_walks_and_without_clips_all_states_rest() {
        let resolved = AnimationTable::default().resolve(&["anim 0"]);
        assert_eq!(resolved.choice(State::Run).clip, Some(0));
        assert_eq!(resolved.choice(State::Idle), crate::assets::machine::Choice { clip: None, origin: Origin::Rest });
        let none = AnimationTable::default().resolve(&[]);
        assert!(State::ALL.into_iter().all(|state| none.choice(state).origin == Origin::Rest));
        assert_eq!(none.findings.len(), 1);
    }
}
