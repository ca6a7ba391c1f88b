//! Feet that stand on the ground and slide on it.

use glam::Vec3;

use crate::anim::clip::Clip;
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::assets::clip_check::{Finding, Kind, Sampler, Severity, Subject, frame, moments};
use crate::assets::gait;

/// Feet rest no higher than this, in heights of the model.
const LOW: f32 = 0.12;
/// And hang on a joint at least this high.
const HIGH: f32 = 0.2;
/// A foot no farther above its place in the rest pose stands, in heights of the model.
const LIFTED: f32 = 0.01;
/// Where the ground passes, a foot stands that goes at less than this part of its speed.
const SWINGING: f32 = 0.75;
/// How far a foot may slide on ground that stands still, in heights of the model.
const MAX_SLIDE: f32 = 0.03;
/// And on ground that passes: there the heel, which is no bone, rolls.
const MAX_ROLL: f32 = 0.05;

/// The ends of legs, leg by leg: bones that rest near the ground, hang on one higher up, and carry nothing high. Foot and
/// toes, which hang on each other, are one.
pub fn of(skeleton: &Skeleton, rest: &ModelPose, bones: &[usize], ground: f32, height: f32) -> Vec<Vec<usize>> {
    let level = |bone: usize| rest.bones[bone].translation().y - ground;
    let is_above = |bone: usize, above: usize| above != bone && skeleton.is_below(bone as u16, above as u16);
    let is_foot = |&bone: &usize| {
        let hangs = bones.iter().any(|&above| is_above(bone, above) && level(above) > HIGH * height);
        let carries = bones.iter().any(|&below| is_above(below, bone) && level(below) > HIGH * height);
        level(bone) < LOW * height && hangs && !carries
    };
    let mut legs: Vec<Vec<usize>> = Vec::new();
    // Parents come first, so the first bone of a leg is above the others.
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
    // What moves away by itself stands on ground that does not.
    let way = if gait.drift == Vec3::ZERO { gait.way } else { Vec3::ZERO };
    let most = if way == Vec3::ZERO { MAX_SLIDE } else { MAX_ROLL } * subject.height;
    let times = moments(clip);
    let poses: Vec<ModelPose> = times.iter().map(|&time| sampler.model(subject, time)).collect();
    for leg in &subject.legs {
        let slides: Vec<Option<Slide>> = (0..times.len() - 1)
            .map(|at| slide(subject, leg, way, length, [at, at + 1].map(|at| (times[at], &poses[at]))))
            .collect();
        for (from, to) in steps(&slides) {
            let path = slides[from..to].iter().flatten().scan(Vec3::ZERO, |at, slide| {
                *at += slide.by;
                Some(*at)
            });
            let path: Vec<Vec3> = std::iter::once(Vec3::ZERO).chain(path).collect();
            let figure = widest(&path);
            if figure > most {
                let worst = slides[from..to].iter().flatten().max_by(|a, b| a.by.length().total_cmp(&b.by.length()));
                let bone = worst.map_or(leg[0], |slide| slide.bone);
                found.push(finding(subject, clip, bone, (times[from], times[to]), figure));
            }
        }
    }
}

/// How a leg slides from one moment to the next: as the one of its bones on the ground that slides least, for a foot
/// rolls from heel to toe.
#[derive(Clone, Copy)]
struct Slide {
    bone: usize,
    by: Vec3,
}

/// `None` where the leg is in the air.
fn slide(
    subject: &Subject,
    leg: &[usize],
    way: Vec3,
    length: Time,
    [(from, before), (to, after)]: [(Time, &ModelPose); 2],
) -> Option<Slide> {
    let passed = way * (to - from).fraction_of(length) as f32;
    let on_ground = |&bone: &usize| {
        let floor = subject.rest.bones[bone].translation().y + LIFTED * subject.height;
        let [a, b] = [before, after].map(|pose| pose.bones[bone].translation());
        let by = (b - a + passed) * Vec3::new(1.0, 0.0, 1.0);
        let swings = way != Vec3::ZERO && by.length() > SWINGING * passed.length();
        (a.y <= floor && b.y <= floor && !swings).then_some(Slide { bone, by })
    };
    leg.iter().filter_map(on_ground).min_by(|a, b| a.by.length().total_cmp(&b.by.length()))
}

/// From where to where a leg stands without a break.
fn steps(slides: &[Option<Slide>]) -> Vec<(usize, usize)> {
    let stands: Vec<usize> = (0..slides.len()).filter(|&at| slides[at].is_some()).collect();
    stands.chunk_by(|a, b| a + 1 == *b).map(|run| (run[0], run[run.len() - 1] + 1)).collect()
}

/// The largest distance between two of the points.
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
