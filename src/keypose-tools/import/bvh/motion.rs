//! The motion of a BVH file: a line of numbers for each frame, which become keys of positions and rotations.

use glam::{DQuat, DVec3, Vec4};

use crate::anim::clip::Clip;
use crate::anim::key::{Channel as KeyChannel, Key};
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::{FrameRate, Time};
use crate::import::assembly::budget::{BYTES_PER_KEY, Budget};
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::keyframes::{Column, assemble};
use crate::import::bvh::fault;
use crate::import::bvh::lines::Lines;
use crate::import::bvh::skeleton::{Channel, Joint};
use crate::import::error::Fault;
use crate::import::report::Report;

/// The frames of a file.
pub struct Motion {
    /// Seconds per frame.
    frame_secs: f64,
    /// The frame rate, if it is a common one.
    rate: Option<FrameRate>,
    /// The numbers of all channels, frame after frame.
    values: Vec<f32>,
    channels: usize,
    frames: usize,
}

/// Frame rates whose frame times files round to a few digits: 1/30 s is written 0.0333333, but also 0.0333.
const RATES: [(u32, u32); 11] = [
    (24_000, 1001),
    (24, 1),
    (25, 1),
    (30_000, 1001),
    (30, 1),
    (48, 1),
    (50, 1),
    (60, 1),
    (100, 1),
    (120, 1),
    (240, 1),
];
/// The part by which a frame rate may be off.
const NEAR: f64 = 0.002;
/// The part by which the rounding of its frame time may change a frame rate: 0.017 s is 1/60 s, but 0.03 s is not 1/30 s.
const ROUNDED: f64 = 0.025;

/// Reads the motion behind the line MOTION.
pub fn read(lines: &mut Lines<'_>, joints: &[Joint], report: &mut Report) -> Result<Motion, Fault> {
    let channels = joints.iter().map(|joint| joint.channels.len()).sum();
    let declared = lines.expect("Frames:")?.parse::<usize>().unwrap_or(0);
    let frame_time = lines.expect("Frame Time:")?;
    let frame_secs = lines.float(frame_time)?;
    if !(1e-4..=60.0).contains(&frame_secs) {
        return Err(fault(lines.number, format_args!("a frame time of {frame_secs} s; 0.0001 to 60 are possible")));
    }
    let (mut values, mut frames) = (Vec::new(), 0_usize);
    while let Some(line) = lines.advance() {
        let before = values.len();
        for word in line.split_whitespace() {
            values.push(single(lines.float(word)?));
        }
        let found = values.len().saturating_sub(before);
        if found != channels {
            if found < channels && lines.advance().is_none() {
                report.add("motion", format_args!("the last frame has {found} of {channels} numbers; left out"));
                values.truncate(before);
                break;
            }
            return Err(fault(lines.number, format_args!("{found} numbers for {channels} channels")));
        }
        frames = frames.saturating_add(1);
    }
    if frames != declared {
        report.add("motion", format_args!("{declared} frames are declared, {frames} are there"));
    }
    Ok(Motion { frame_secs, rate: common_rate(frame_time, frame_secs), values, channels, frames })
}

impl Motion {
    /// The clip, for the bones of the joints and metres in a unit.
    pub fn clip(
        &self,
        name: &str,
        joints: &[Joint],
        (bones, unit): (&Bones, f64),
        input: usize,
        report: &mut Report,
    ) -> Result<Clip, Fault> {
        let (mut columns, mut first, mut budget) = (Vec::new(), 0_usize, Budget::of(input));
        let adds = self.adds_to_offsets(joints);
        if adds {
            report.add("motion", "positions of joints are added to their offsets");
        }
        for (index, joint) in joints.iter().enumerate() {
            let start = first;
            first = first.saturating_add(joint.channels.len());
            let Some(bone) = bones.of(index).filter(|_| !joint.channels.is_empty()) else { continue };
            let keys = self.frames.saturating_mul(2);
            budget.take_keys(keys, BYTES_PER_KEY).map_err(|reason| Fault::at("motion", reason))?;
            let offset = if adds && joint.parent.is_some() { joint.offset } else { DVec3::ZERO };
            columns.extend(self.columns((joint, bone), start, (offset, unit)));
        }
        let mut clip = assemble(name.to_owned(), columns, None).map_err(|reason| Fault::at("motion", reason))?;
        clip.frame_rate = self.rate.unwrap_or(clip.frame_rate);
        Ok(clip)
    }

    /// The keys of a joint whose numbers begin at `start` in each frame. Constant ones are one key.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn columns(&self, (joint, bone): (&Joint, BoneIndex), start: usize, (offset, unit): (DVec3, f64)) -> Vec<Column> {
        let has_positions = joint.channels.iter().any(|channel| matches!(channel, Channel::Position(_)));
        let has_rotations = joint.channels.iter().any(|channel| matches!(channel, Channel::Rotation(_)));
        let (mut positions, mut rotations) = (Vec::new(), Vec::new());
        for frame in 0..self.frames {
            let time = self.time(frame);
            let (position, rotation) = self.pose(joint, frame, start);
            if has_positions {
                let value = ((position + offset) * unit).as_vec3().extend(0.0);
                positions.push((time, Key::new(bone, KeyChannel::Translation, value)));
            }
            if has_rotations {
                rotations.push((time, Key::new(bone, KeyChannel::Rotation, Vec4::from(rotation.as_quat()))));
            }
        }
        let columns = [(KeyChannel::Translation, positions), (KeyChannel::Rotation, rotations)];
        let column = |(channel, keys)| Column { bone, channel, keys }.constant_as_one(None);
        columns.into_iter().filter_map(column).collect()
    }

    /// The position of a joint in units of the file, its offset where it has no position, and its rotation.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn pose(&self, joint: &Joint, frame: usize, start: usize) -> (DVec3, DQuat) {
        const AXES: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];
        let at = frame.saturating_mul(self.channels).saturating_add(start);
        let values = self.values.get(at..at.saturating_add(joint.channels.len())).unwrap_or_default();
        let (mut position, mut rotation) = (joint.offset.to_array(), DQuat::IDENTITY);
        for (channel, &value) in joint.channels.iter().zip(values) {
            let value = f64::from(value);
            match channel {
                Channel::Position(axis) => position.iter_mut().skip(*axis).take(1).for_each(|part| *part = value),
                Channel::Rotation(axis) => {
                    let axis = AXES.get(*axis).copied().unwrap_or(DVec3::X);
                    rotation *= DQuat::from_axis_angle(axis, value.to_radians());
                }
            }
        }
        (position.into(), rotation.normalize())
    }

    /// Whether positions of joints below roots are added to their offsets, as some programs mean them. They are if they are near 0 in
    /// the first frame while the offsets are not.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn adds_to_offsets(&self, joints: &[Joint]) -> bool {
        let (mut from_zero, mut from_offset, mut start) = (0.0, 0.0, 0_usize);
        for joint in joints {
            let is_moved = joint.channels.iter().any(|channel| matches!(channel, Channel::Position(_)));
            if joint.parent.is_some() && is_moved {
                let (position, _) = self.pose(joint, 0, start);
                from_zero += position.length();
                from_offset += (position - joint.offset).length();
            }
            start = start.saturating_add(joint.channels.len());
        }
        from_zero < from_offset
    }

    /// The time of a frame.
    #[allow(clippy::arithmetic_side_effects, clippy::cast_precision_loss)] // Floating point only; frames are few.
    fn time(&self, frame: usize) -> Time {
        match self.rate {
            Some(rate) => rate.time_of(i64::try_from(frame).unwrap_or(i64::MAX)),
            None => Time::from_secs(frame as f64 * self.frame_secs),
        }
    }
}

/// The common frame rate that a file means by its frame time: a whole one that becomes this text when it is rounded, else the nearest one.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn common_rate(text: &str, frame_secs: f64) -> Option<FrameRate> {
    let half = text.split_once('.').map_or(0.5, |(_, digits)| digits.chars().fold(0.5, |half, _| half / 10.0));
    let off = |rate: &FrameRate| (rate.fps() * frame_secs - 1.0).abs();
    let nearest = |is_tried: &dyn Fn(u32) -> bool| {
        let tried = RATES.into_iter().filter(|(_, per_secs)| is_tried(*per_secs));
        let rates = tried.filter_map(|(frames, per_secs)| FrameRate::new(frames, per_secs));
        rates.min_by(|a, b| off(a).total_cmp(&off(b)))
    };
    let whole = nearest(&|per_secs| per_secs == 1).filter(|rate| off(rate) <= ROUNDED.min(half * rate.fps()));
    whole.or_else(|| nearest(&|_| true).filter(|rate| off(rate) <= NEAR))
}

#[allow(clippy::cast_possible_truncation)] // Rounding is intended; numbers are checked to be small.
fn single(number: f64) -> f32 {
    number as f32
}
