//! Contacts of feet: proposed from height and speed, and those that slide.

use glam::Vec3;

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::assets::combat::{Contact, Lanes, Range};
use crate::clip_check::feet::Ground;
use crate::clip_check::{Finding, Kind, Samples, Severity, Subject, frame};

/// The shortest proposed contact: a foot that touches the ground for less doesn't stand.
const MIN_CONTACT: Time = Time(Time::TICK.0 * 4);
/// The maximum slide of a contact, in heights of the model: 5 mm for a person.
const MAX_SLIDE: f32 = 0.003;

/// The ranges, at whole ticks, in which the foot of each leg stands: it is near the ground and hardly moves on it. In a clip that walks in
/// place the ground moves.
pub fn proposed(subject: &Subject, clip: &Clip) -> Vec<Contact> {
    let samples = Samples::of(subject, clip);
    let (ground, poses) = (Ground::under_contacts(&samples), &samples.poses);
    let mut found = Vec::new();
    for leg in &subject.legs {
        // Toes hold longer, but the limb that is cleaned ends in the foot.
        let foot = &leg[..1];
        let stands = |at: &usize| ground.slide(foot, [&poses[*at], &poses[at + 1]]).is_some();
        let standing: Vec<usize> = (0..poses.len() - 1).filter(stands).collect();
        for run in standing.chunk_by(|a, b| a + 1 == *b) {
            let range = whole_ticks(poses[run[0]].0, poses[run[run.len() - 1] + 1].0);
            if range.end - range.start >= MIN_CONTACT {
                found.push(Contact { range, bone: subject.name(foot[0]).to_owned() });
            }
        }
    }
    found.sort_by_key(|contact| contact.range);
    found
}

fn whole_ticks(start: Time, end: Time) -> Range {
    Range::of_ticks((start.0 + Time::TICK.0 / 2) / Time::TICK.0, (end.0 + Time::TICK.0 / 2) / Time::TICK.0)
}

/// The movement of the ground under a clip, in model units a second: if the character walks in place, that of the feet that stand.
pub fn ground_speed(subject: &Subject, clip: &Clip, lanes: &Lanes) -> Vec3 {
    speed(&Samples::of(subject, clip), lanes)
}

fn speed(samples: &Samples<'_>, lanes: &Lanes) -> Vec3 {
    let Samples { subject, clip, exact, .. } = samples;
    if Ground::under_contacts(samples).travel == Vec3::ZERO {
        return Vec3::ZERO;
    }
    let (mut way, mut secs) = (Vec3::ZERO, 0.0);
    for Contact { range: Range { start, end }, bone } in &lanes.contacts {
        let Some(bone) = subject.skeleton.find(bone).map(usize::from) else { continue };
        if subject.legs.iter().flatten().any(|foot| *foot == bone) && *end <= clip.length() {
            let place = |time: Time| exact.model(time).bones[bone].translation();
            way += (place(*end) - place(*start)) * Vec3::new(1.0, 0.0, 1.0);
            secs += (*end - *start).secs() as f32;
        }
    }
    if secs > 0.0 { way / secs } else { Vec3::ZERO }
}

/// The contacts of a bone in order, without gaps at the seam of a loop: one that leads over it ends after the length of the clip.
pub fn spans(clip: &Clip, lanes: &Lanes, bone: &str) -> Vec<Range> {
    let length = clip.length();
    let of_bone = lanes.contacts.iter().filter(|contact| contact.bone == bone).map(|contact| contact.range);
    let inside = of_bone.map(|range| Range { end: range.end.min(length), ..range });
    let mut spans: Vec<Range> = inside.filter(|range| range.start < range.end).collect();
    let near = |a: Time, b: Time| (a - b).0.abs() <= Time::TICK.0;
    if let ([first, .., last], true) = (&spans[..], clip.loop_mode == LoopMode::Loop)
        && near(first.start, Time::ZERO)
        && near(last.end, length)
    {
        let joined = Range { start: last.start, end: length + first.end };
        spans.pop();
        spans[0] = joined;
        spans.sort();
    }
    spans
}

/// Reports contacts in which the bone moves on the ground.
pub(super) fn check(samples: &Samples<'_>, lanes: &Lanes, found: &mut Vec<Finding>) {
    let Samples { subject, clip, exact, poses, .. } = samples;
    if lanes.contacts.is_empty() || clip.length() <= Time::ZERO {
        return;
    }
    let speed = speed(samples, lanes);
    for contact in &lanes.contacts {
        let Some(bone) = subject.skeleton.find(&contact.bone) else { continue };
        let Range { start, end } = contact.range;
        let place = |(time, pose): &(Time, ModelPose)| place_on_ground(pose, bone, speed, *time);
        let inside = poses.iter().filter(|(time, _)| (start..=end).contains(time)).map(place);
        let ends = [start, end.min(clip.length())].map(|time| place(&(time, exact.model(time))));
        let around = |[low, high]: [Vec3; 2], place: Vec3| [low.min(place), high.max(place)];
        let [low, high] = inside.chain(ends).fold([Vec3::INFINITY, Vec3::NEG_INFINITY], around);
        let figure = (high - low).length();
        if figure > MAX_SLIDE * subject.height {
            let (first, last) = (frame(clip, start), frame(clip, end));
            let (name, by) = (&contact.bone, subject.length_text(figure));
            found.push(Finding {
                kind: Kind::ContactSlide,
                grade: Severity::Warning,
                bone: Some(bone),
                time: start.min(clip.length()),
                figure,
                text: format!("the contact of {name} moves {by} in frames {first}–{last}"),
                advice: "Clean contacts (Clip menu) holds the bone by IK. Or shorten the contact.",
            });
        }
    }
}

/// Where a bone is on ground that moves.
pub fn place_on_ground(pose: &ModelPose, bone: BoneIndex, ground_speed: Vec3, time: Time) -> Vec3 {
    pose.bones[usize::from(bone)].translation() - ground_speed * time.secs() as f32
}
