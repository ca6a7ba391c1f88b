//! Finds feet that slide on the ground.

use glam::Vec3;

use crate::anim::clip::Clip;
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::assets::clip_check::{Finding, Kind, Sampler, Severity, Subject, frame, sample_times};
use crate::assets::gait;

/// The maximum height of feet in the rest pose, in heights of the model.
const LOW: f32 = 0.12;
/// The minimum height of a joint above them, in heights of the model.
const HIGH: f32 = 0.2;
/// A foot is on the ground up to this height above its rest position, in heights of the model.
const LIFTED: f32 = 0.01;
/// On moving ground a foot is planted if its speed is less than this fraction of the ground's.
const SWINGING: f32 = 0.75;
/// The maximum slide on fixed ground, in heights of the model.
const MAX_SLIDE: f32 = 0.03;
/// The maximum slide on moving ground, where the foot rolls over the heel, which is no bone.
const MAX_ROLL: f32 = 0.05;

/// The feet, leg by leg: bones that rest near the ground below a higher bone, without high bones below them. Foot and toes
/// are one leg.
pub fn of(skeleton: &Skeleton, rest: &ModelPose, bones: &[usize], ground: f32, height: f32) -> Vec<Vec<usize>> {
    let level = |bone: usize| rest.bones[bone].translation().y - ground;
    let is_above = |bone: usize, above: usize| above != bone && skeleton.is_below(bone as u16, above as u16);
    let is_foot = |&bone: &usize| {
        let hangs = bones.iter().any(|&above| is_above(bone, above) && level(above) > HIGH * height);
        let carries = bones.iter().any(|&below| is_above(below, bone) && level(below) > HIGH * height);
        level(bone) < LOW * height && hangs && !carries
    };
    let mut legs: Vec<Vec<usize>> = Vec::new();
    // Parents come first, so the first bone of a leg is the parent of the others.
    for bone in bones.iter().copied().filter(is_foot) {
        match legs.iter_mut().find(|leg| is_above(bone, leg[0])) {
            Some(leg) => leg.push(bone),
            None => legs.push(vec![bone]),
        }
    }
    legs
}

pub fn check(subject: &Subject, clip: &Clip, sampler: &Sampler, found: &mut Vec<Finding>) {
    let length = clip.length();
    if subject.legs.is_empty() || length <= Time::ZERO {
        return;
    }
    let poses = |time: Time, pose: &mut _| sampler.local(time, pose);
    let gait = gait::walking_from(&subject.skeleton, (length, &poses), &subject.bones, subject.height);
    // A clip that moves the body is on fixed ground.
    let travel = if gait.drift == Vec3::ZERO { gait.travel } else { Vec3::ZERO };
    let max_slide = if travel == Vec3::ZERO { MAX_SLIDE } else { MAX_ROLL } * subject.height;
    let times = sample_times(clip);
    let poses: Vec<ModelPose> = times.iter().map(|&time| sampler.model(subject, time)).collect();
    for leg in &subject.legs {
        let slides: Vec<Option<Slide>> = (0..times.len() - 1)
            .map(|at| slide(subject, leg, travel, length, [at, at + 1].map(|at| (times[at], &poses[at]))))
            .collect();
        for (from, to) in steps(&slides) {
            let path = slides[from..to].iter().flatten().scan(Vec3::ZERO, |at, slide| {
                *at += slide.by;
                Some(*at)
            });
            let path: Vec<Vec3> = std::iter::once(Vec3::ZERO).chain(path).collect();
            let figure = widest(&path);
            if figure > max_slide {
                let worst = slides[from..to].iter().flatten().max_by(|a, b| a.by.length().total_cmp(&b.by.length()));
                let bone = worst.map_or(leg[0], |slide| slide.bone);
                found.push(finding(subject, clip, bone, (times[from], times[to]), figure));
            }
        }
    }
}

/// The slide of a leg from one time to the next: that of its bone on the ground that slides least, because a foot rolls from
/// heel to toe.
#[derive(Clone, Copy)]
struct Slide {
    bone: usize,
    by: Vec3,
}

/// `None` if the leg is in the air.
fn slide(
    subject: &Subject,
    leg: &[usize],
    travel: Vec3,
    length: Time,
    [(from, before), (to, after)]: [(Time, &ModelPose); 2],
) -> Option<Slide> {
    let passed = travel * (to - from).fraction_of(length) as f32;
    let on_ground = |&bone: &usize| {
        let floor = subject.rest.bones[bone].translation().y + LIFTED * subject.height;
        let [a, b] = [before, after].map(|pose| pose.bones[bone].translation());
        let by = (b - a + passed) * Vec3::new(1.0, 0.0, 1.0);
        let swings = travel != Vec3::ZERO && by.length() > SWINGING * passed.length();
        (a.y <= floor && b.y <= floor && !swings).then_some(Slide { bone, by })
    };
    leg.iter().filter_map(on_ground).min_by(|a, b| a.by.length().total_cmp(&b.by.length()))
}

/// The ranges in which a leg is on the ground.
fn steps(slides: &[Option<Slide>]) -> Vec<(usize, usize)> {
    let stands: Vec<usize> = (0..slides.len()).filter(|&at| slides[at].is_some()).collect();
    stands.chunk_by(|a, b| a + 1 == *b).map(|run| (run[0], run[run.len() - 1] + 1)).collect()
}

/// The largest distance between two points.
fn widest(points: &[Vec3]) -> f32 {
    let rest = |at: usize| points[at + 1..].iter();
    let pairs = points.iter().enumerate().flat_map(|(at, a)| rest(at).map(move |b| a.distance_squared(*b)));
    pairs.fold(0.0, f32::max).sqrt()
}

fn finding(subject: &Subject, clip: &Clip, bone: usize, (from, to): (Time, Time), figure: f32) -> Finding {
    let (first, last) = (frame(clip, from), frame(clip, to));
    Finding {
        kind: Kind::FootSlide,
        grade: Severity::Warning,
        bone: Some(bone as u16),
        time: from,
        figure,
        text: format!("{} slides {figure:.3} in frames {first}–{last}", subject.name(bone)),
        advice: "Pin the foot and pose the body again, or lift the foot before it moves.",
    }
}
