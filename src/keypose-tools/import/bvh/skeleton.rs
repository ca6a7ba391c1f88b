//! The hierarchy of a BVH file: joints with their offsets and channels. The ends of limbs are joints without channels.

use glam::DVec3;

use crate::anim::skeleton::Skeleton;
use crate::anim::transform::Transform;
use crate::import::assembly::names::shortened;
use crate::import::bvh::lines::{Lines, arguments};
use crate::import::bvh::{fault, quoted};
use crate::import::error::Fault;

/// A number of a joint that changes from frame to frame, along or about an axis: 0 to 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    Position(usize),
    /// In degrees.
    Rotation(usize),
}

/// A joint or the end of a limb.
#[derive(Clone, Debug, Default)]
pub struct Joint {
    pub name: String,
    pub parent: Option<usize>,
    /// From its parent, in units of the file.
    pub offset: DVec3,
    /// In the order of the file, which is that of their rotations, from the parent inwards.
    pub channels: Vec<Channel>,
}

/// Maximum number of channels of a joint.
const MAX_CHANNELS: usize = 9;

impl Channel {
    fn named(name: &str) -> Option<Channel> {
        let axis = match name.as_bytes().first()?.to_ascii_uppercase() {
            b'X' => 0,
            b'Y' => 1,
            b'Z' => 2,
            _ => return None,
        };
        let kind = name.get(1..)?;
        let is = |wanted: &str| kind.eq_ignore_ascii_case(wanted);
        if is("position") {
            return Some(Channel::Position(axis));
        }
        is("rotation").then_some(Channel::Rotation(axis))
    }
}

/// Reads the hierarchy up to the line MOTION. Parents come before their children.
pub fn read(lines: &mut Lines<'_>) -> Result<Vec<Joint>, Fault> {
    lines.expect("HIERARCHY")?;
    let (mut joints, mut open): (Vec<Joint>, Vec<usize>) = (Vec::new(), Vec::new());
    loop {
        let line = lines.advance().ok_or_else(|| fault(lines.number, "the file ends within the hierarchy"))?;
        let at = lines.number;
        if line == "}" {
            open.pop().ok_or_else(|| fault(at, "a closing brace without an opening one"))?;
        } else if arguments(line, "MOTION").is_some() {
            break;
        } else if let Some(name) = started(line) {
            if joints.len() >= Skeleton::MAX_BONES {
                return Err(fault(at, format_args!("more than {} joints", Skeleton::MAX_BONES)));
            }
            let joint = joint(name, open.last().copied(), &joints);
            lines.expect("{")?;
            open.push(joints.len());
            joints.push(joint);
        } else {
            let joint = open.last().and_then(|joint| joints.get_mut(*joint));
            let joint = joint.ok_or_else(|| fault(at, format_args!("{} outside of a joint", quoted(line))))?;
            property(line, joint, lines)?;
        }
    }
    if !open.is_empty() {
        return Err(fault(lines.number, "MOTION within a joint: a closing brace is missing"));
    }
    if joints.is_empty() { Err(fault(lines.number, "no joint")) } else { Ok(joints) }
}

/// The name of a joint that a line starts; empty for the end of a limb.
fn started(line: &str) -> Option<&str> {
    let named = |keyword| arguments(line, keyword);
    named("ROOT").or_else(|| named("JOINT")).or_else(|| named("End").map(|_| ""))
}

fn joint(name: &str, parent: Option<usize>, joints: &[Joint]) -> Joint {
    let above = parent.and_then(|parent| joints.get(parent)).map_or("joint", |joint| joint.name.as_str());
    let name = if name.is_empty() { format!("{above}_End") } else { name.to_owned() };
    Joint { name: shortened(&name).into_owned(), parent, ..Joint::default() }
}

/// Reads a line of a joint.
fn property(line: &str, joint: &mut Joint, lines: &Lines<'_>) -> Result<(), Fault> {
    let at = lines.number;
    if let Some(offset) = arguments(line, "OFFSET") {
        let numbers: Vec<f64> = offset.split_whitespace().map(|word| lines.float(word)).collect::<Result<_, _>>()?;
        let [x, y, z] = numbers[..] else {
            return Err(fault(at, format_args!("OFFSET needs 3 numbers, but has {}", numbers.len())));
        };
        joint.offset = DVec3::new(x, y, z);
        return Ok(());
    }
    let Some(channels) = arguments(line, "CHANNELS") else {
        return Err(fault(at, format_args!("{} is not a line of a joint", quoted(line))));
    };
    let mut words = channels.split_whitespace();
    let count = words.next().unwrap_or_default();
    let names: Vec<&str> = words.collect();
    if count.parse() != Ok(names.len()) || names.len() > MAX_CHANNELS {
        let reason = format!("CHANNELS {} with {} names; at most {MAX_CHANNELS}", quoted(count), names.len());
        return Err(fault(at, reason));
    }
    let channel =
        |name: &&str| Channel::named(name).ok_or_else(|| fault(at, format_args!("{} is not a channel", quoted(name))));
    joint.channels = names.iter().map(channel).collect::<Result<_, _>>()?;
    Ok(())
}

/// The transforms of joints at rest, with an axis of the file up. Roots that move stand over the origin, with the lowest joint on the
/// ground: their offsets don't count, because their positions replace them.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn rests(joints: &[Joint], unit: f64, up: DVec3) -> Vec<Transform> {
    let lowest = places(joints).iter().map(|place| place.dot(up)).fold(f64::INFINITY, f64::min);
    let rest = |joint: &Joint| {
        let is_moved = joint.channels.iter().any(|channel| matches!(channel, Channel::Position(_)));
        let is_lifted = joint.parent.is_none() && is_moved && lowest.is_finite();
        let offset = if is_lifted { up * (joint.offset.dot(up) - lowest) } else { joint.offset };
        Transform::from_translation((offset * unit).as_vec3())
    };
    joints.iter().map(rest).collect()
}

/// The longest side of the box around the skeleton at rest: in a T-pose a person is about as wide as high.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn size(joints: &[Joint]) -> f64 {
    let places = places(joints);
    let low = places.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = places.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    (high - low).max_element()
}

/// The places of joints at rest, in units of the file.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn places(joints: &[Joint]) -> Vec<DVec3> {
    let mut places: Vec<DVec3> = Vec::with_capacity(joints.len());
    for joint in joints {
        let above = joint.parent.and_then(|parent| places.get(parent).copied()).unwrap_or_default();
        places.push(above + joint.offset);
    }
    places
}
