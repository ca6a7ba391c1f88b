//! Whether a clip is a loop, which files don't say: guessed from its name, its pose and its speed at both ends.

use crate::anim::key::{Channel, Key};
use crate::anim::time::Time;
use crate::assets::clip_names::words;
use crate::import::assembly::keyframes::Column;

/// Maximum difference of a channel's last from its first value in a clip that loops.
const SAME_POSE: f32 = 1e-4;
/// Maximum difference of rotations in a clip whose name says that it loops: it may end a frame before its first pose.
const NEAR_POSE: f32 = 0.15;
/// A clip starts or ends at full speed above this part of its largest speeds, and is at rest below this part of the speed at its other
/// end.
const FULL_SPEED: f64 = 0.5;
const AT_REST: f64 = 0.1;

/// Words of names of clips that loop.
const LOOPS: [&str; 33] = [
    "loop",
    "cycle",
    "idle",
    "walk",
    "walking",
    "run",
    "running",
    "jog",
    "jogging",
    "sprint",
    "sprinting",
    "strafe",
    "strafing",
    "sneak",
    "sneaking",
    "crawl",
    "crawling",
    "gallop",
    "trot",
    "canter",
    "swim",
    "swimming",
    "fly",
    "flying",
    "hover",
    "float",
    "floating",
    "breathe",
    "breathing",
    "dance",
    "dancing",
    "wait",
    "waiting",
];
/// Words of names of clips that are played once.
const ONCE: [&str; 50] = [
    "attack",
    "hit",
    "throw",
    "jump",
    "death",
    "die",
    "dying",
    "dead",
    "dodge",
    "land",
    "start",
    "stop",
    "end",
    "begin",
    "enter",
    "exit",
    "punch",
    "kick",
    "slash",
    "stab",
    "chop",
    "slice",
    "shoot",
    "fire",
    "reload",
    "pickup",
    "pick",
    "interact",
    "open",
    "close",
    "use",
    "spawn",
    "roll",
    "hurt",
    "damage",
    "salute",
    "bow",
    "cast",
    "fall",
    "knockdown",
    "getup",
    "standup",
    "stand",
    "down",
    "up",
    "turn",
    "to",
    "pose",
    "equip",
    "react",
];

/// Whether a clip loops, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hint {
    Loops,
    Once,
}

/// Whether a clip is a loop that lies between two times.
pub fn is_loop(name: &str, columns: &[Column], [start, end]: [Time; 2]) -> bool {
    match hint(name) {
        _ if end <= start => false,
        Some(Hint::Once) => false,
        Some(Hint::Loops) => columns.iter().all(|column| difference(column) <= tolerance(column)),
        None => closes(columns) && keeps_its_speed(columns, [start, end]),
    }
}

/// Whether every channel ends with the value that it starts with.
pub fn closes(columns: &[Column]) -> bool {
    columns.iter().all(|column| difference(column) <= SAME_POSE)
}

/// Finds the last word of a name that is in a list: `Jump_Idle` loops, `Block_Hit` doesn't.
fn hint(name: &str) -> Option<Hint> {
    words(name).iter().rev().find_map(|word| match word.as_str() {
        word if LOOPS.contains(&word) => Some(Hint::Loops),
        word if ONCE.contains(&word) => Some(Hint::Once),
        _ => None,
    })
}

/// Positions of a named loop may differ: it may travel.
fn tolerance(column: &Column) -> f32 {
    match column.channel {
        Channel::Rotation => NEAR_POSE,
        Channel::Translation | Channel::Scale | Channel::Scalar(_) => f32::INFINITY,
    }
}

/// Whether the speed doesn't break off at the seam: a blow that starts at full speed and comes to rest is no loop.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn keeps_its_speed(columns: &[Column], ends: [Time; 2]) -> bool {
    let (mut start, mut stop, mut largest) = (0.0_f64, 0.0_f64, 0.0);
    for column in columns {
        let speed = |pair: &[(Time, Key)]| match pair {
            [(start, a), (end, b)] if !a.ease.jumps() => {
                f64::from(a.channel.difference(a.value, b.value)) / (end.secs() - start.secs()).max(1e-6)
            }
            _ => 0.0,
        };
        let (Some((first, _)), Some((last, _))) = (column.keys.first(), column.keys.last()) else { continue };
        // Before the first and after the last key the value holds.
        let at_start = column.keys.windows(2).next().filter(|_| *first <= ends[0]).map_or(0.0, speed);
        let at_end = column.keys.windows(2).next_back().filter(|_| *last >= ends[1]).map_or(0.0, speed);
        start += at_start;
        stop += at_end;
        largest += column.keys.windows(2).map(speed).fold(0.0, f64::max);
    }
    start.max(stop) <= largest * FULL_SPEED || start.min(stop) >= start.max(stop) * AT_REST
}

/// The difference of a channel's last from its first value.
fn difference(column: &Column) -> f32 {
    let (Some((_, first)), Some((_, last))) = (column.keys.first(), column.keys.last()) else { return 0.0 };
    column.channel.difference(first.value, last.value)
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;

    fn turns(keys: &[(f64, f32)]) -> Vec<Column> {
        let key = |&(secs, angle): &(f64, f32)| (Time::from_secs(secs), Key::rotation(0, Quat::from_rotation_x(angle)));
        vec![Column { bone: 0, channel: Channel::Rotation, keys: keys.iter().map(key).collect() }]
    }

    #[test]
    fn names_say_whether_a_clip_loops() {
        let cases = [
            ("Walking_A", Some(Hint::Loops)),
            ("Jump_Idle", Some(Hint::Loops)),
            ("Rig_Medium|Idle_B", Some(Hint::Loops)),
            ("runCycle2", Some(Hint::Loops)),
            ("Running_Strafe_Left", Some(Hint::Loops)),
            ("Throw", Some(Hint::Once)),
            ("Hit_A", Some(Hint::Once)),
            ("Block_Hit", Some(Hint::Once)),
            ("Walk_Start", Some(Hint::Once)),
            ("Death_A_Pose", Some(Hint::Once)),
            ("Brunch", None),
            ("", None),
        ];
        for (name, expected) in cases {
            assert_eq!(hint(name), expected, "{name}");
        }
    }

    #[test]
    fn pose_and_speed_decide_where_the_name_says_nothing() {
        let sway = turns(&[(0.0, 0.0), (0.5, 1.0), (1.0, 0.0), (1.5, -1.0), (2.0, 0.0)]);
        let blow = turns(&[(0.0, 0.0), (0.1, 1.0), (0.5, 0.2), (1.9, 0.01), (2.0, 0.0)]);
        let almost = turns(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.1)]);
        let apart = turns(&[(0.0, 0.0), (1.0, 1.0), (2.0, 1.5)]);
        let end = Time::from_secs(2.0);
        let cases = [
            ("sway", &sway, true),
            ("Hit", &sway, false),
            ("blow", &blow, false),
            ("Sword_Swing", &blow, false),
            ("Walk", &blow, true),
            ("almost", &almost, false),
            ("Walk", &almost, true),
            ("Walk", &apart, false),
        ];
        for (name, columns, expected) in cases {
            assert_eq!(is_loop(name, columns, [Time::ZERO, end]), expected, "{name}");
        }
        assert!(!is_loop("Idle", &turns(&[(0.0, 0.0)]), [Time::ZERO; 2]), "a pose");
    }
}
