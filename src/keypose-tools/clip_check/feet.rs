//! Finds feet that slide on the ground.

use glam::Vec3;

use crate::anim::clip::{Clip, LoopMode};
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::clip_check::{Finding, Kind, Samples, Severity, Subject, frame};

/// The maximum height of feet in the rest pose, in heights of the model.
const LOW: f32 = 0.12;
/// The minimum height of a joint above them, in heights of the model.
const HIGH: f32 = 0.2;
/// A foot is on the ground up to this height above its rest position, in heights of the model: 9 mm for a person. Steps
/// along the ground lift it a little more.
const LIFTED: f32 = 0.005;
/// On moving ground a foot is planted if its speed is less than this fraction of the ground's.
const SWINGING: f32 = 0.75;
/// On fixed ground a faster foot steps or dashes, in heights of the model per second.
const STEPPING: f32 = 0.7;
/// Hips lower than this fraction of their height at rest: the body lies or sits on the ground, and the feet carry nothing.
const LYING: f32 = 0.3;
/// The maximum slide on fixed ground, in heights of the model.
const MAX_SLIDE: f32 = 0.03;
/// The maximum slide on moving ground, where the foot rolls over the heel, which is no bone.
const MAX_ROLL: f32 = 0.05;

/// The feet, leg by leg: bones that rest near the ground below a higher bone, without high bones below them. Foot and toes
/// are one leg.
pub fn of(skeleton: &Skeleton, rest: &ModelPose, bones: &[usize], ground: f32, height: f32) -> Vec<Vec<usize>> {
    let level = |bone: usize| rest.bones[bone].translation().y - ground;
    let parent = |bone: usize| skeleton.parent(bone as u16).map(usize::from);
    let mut is_high = vec![false; skeleton.len()];
    for &bone in bones {
        is_high[bone] = level(bone) > HIGH * height;
    }
    // Parents come first.
    let (mut hangs, mut carries) = (vec![false; skeleton.len()], vec![false; skeleton.len()]);
    for bone in 0..skeleton.len() {
        hangs[bone] = parent(bone).is_some_and(|above| hangs[above] || is_high[above]);
    }
    for (bone, above) in (0..skeleton.len()).rev().filter_map(|bone| Some((bone, parent(bone)?))) {
        carries[above] |= carries[bone] || is_high[bone];
    }
    let mut is_foot = vec![false; skeleton.len()];
    for &bone in bones {
        is_foot[bone] = level(bone) < LOW * height && hangs[bone] && !carries[bone];
    }
    let (mut legs, mut leg_of): (Vec<Vec<usize>>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (bone, is_foot) in is_foot.into_iter().enumerate() {
        let above = parent(bone).and_then(|above| leg_of[above]);
        leg_of.push(above.or_else(|| is_foot.then_some(legs.len())));
        match (is_foot, above) {
            (true, Some(leg)) => legs[leg].push(bone),
            (true, None) => legs.push(vec![bone]),
            (false, _) => {}
        }
    }
    legs
}

/// The bone that carries all legs, the lowest common ancestor of their feet, if it is high at rest; and its height above the
/// ground.
pub fn hips_of(
    skeleton: &Skeleton,
    rest: &ModelPose,
    legs: &[Vec<usize>],
    (ground, height): (f32, f32),
) -> Option<(usize, f32)> {
    let ups = |bone: usize| skeleton.above(bone as u16);
    let mut feet_below = vec![0; skeleton.len()];
    for foot in legs.iter().map(|leg| leg[0]) {
        ups(foot).for_each(|bone| feet_below[usize::from(bone)] += 1);
    }
    let hips = usize::from(ups(legs.first()?[0]).find(|&bone| feet_below[usize::from(bone)] == legs.len())?);
    let level = rest.bones[hips].translation().y - ground;
    (level > HIGH * height).then_some((hips, level))
}

pub fn check(samples: &Samples<'_>, found: &mut Vec<Finding>) {
    let Samples { subject, clip, poses, .. } = samples;
    if subject.legs.is_empty() || clip.length() <= Time::ZERO {
        return;
    }
    let ground = Ground::of(samples);
    let of_leg = |leg: &Vec<usize>| -> Vec<Option<Vec3>> {
        (0..poses.len() - 1).map(|at| ground.slide(leg, [&poses[at], &poses[at + 1]])).collect()
    };
    let slides: Vec<Vec<Option<Vec3>>> = subject.legs.iter().map(of_leg).collect();
    let shared: Vec<Vec3> = (0..poses.len() - 1).map(|at| shared(slides.iter().filter_map(|leg| leg[at]))).collect();
    for (leg, slides) in subject.legs.iter().zip(&slides) {
        for (from, to) in steps(slides) {
            let figure = widest(slides[from..to].iter().flatten().copied());
            if figure > ground.max_slide() {
                // If another foot holds, this one may step without being lifted.
                let skates = widest(shared[from..to].iter().copied()) > ground.max_slide();
                let grade = if skates { Severity::Warning } else { Severity::Hint };
                found.push(finding(subject, clip, (leg[0], grade), (poses[from].0, poses[to].0), figure));
            }
        }
    }
}

/// The ground under a clip.
pub(super) struct Ground<'a> {
    subject: &'a Subject,
    /// Movement of the body in one loop.
    pub(super) travel: Vec3,
    length: Time,
}

impl Ground<'_> {
    /// The ground of a clip. One that moves the body is on fixed ground.
    pub(super) fn of<'a>(samples: &Samples<'a>) -> Ground<'a> {
        let Samples { subject, clip, gait, .. } = samples;
        let travel = if gait.drift == Vec3::ZERO { gait.travel } else { Vec3::ZERO };
        Ground { subject, travel, length: clip.length() }
    }

    /// The ground that contacts stand on: fixed in clips that play once. In a jump, a deep crouch sinks the feet between keyframes, and
    /// what moves then is no walk.
    pub(super) fn under_contacts<'a>(samples: &Samples<'a>) -> Ground<'a> {
        match samples.clip.loop_mode {
            LoopMode::Loop => Ground::of(samples),
            LoopMode::Once | LoopMode::PingPong => Ground { travel: Vec3::ZERO, ..Ground::of(samples) },
        }
    }

    /// The maximum slide in model units.
    fn max_slide(&self) -> f32 {
        let share = if self.travel == Vec3::ZERO { MAX_SLIDE } else { MAX_ROLL };
        share * self.subject.height
    }

    /// Whether the body is on the ground.
    fn lies(&self, pose: &ModelPose) -> bool {
        let level = |bone: usize| pose.bones[bone].translation().y - self.subject.ground;
        self.subject.hips.is_some_and(|(hips, at_rest)| level(hips) < LYING * at_rest)
    }

    /// The slide of a leg from one time to the next: that of its bone on the ground that slides least, because a foot
    /// rolls from heel to toe. `None` if the leg is in the air, steps, or carries nothing.
    pub(super) fn slide(&self, leg: &[usize], [(from, before), (to, after)]: [&(Time, ModelPose); 2]) -> Option<Vec3> {
        let height = self.subject.height;
        if self.lies(before) || self.lies(after) {
            return None;
        }
        let passed = self.travel * (*to - *from).fraction_of(self.length) as f32;
        let max = if self.travel == Vec3::ZERO {
            STEPPING * height * (*to - *from).secs() as f32
        } else {
            SWINGING * passed.length()
        };
        let on_ground = |&bone: &usize| {
            let floor = self.subject.rest.bones[bone].translation().y + LIFTED * height;
            let [a, b] = [before, after].map(|pose| pose.bones[bone].translation());
            let by = (b - a + passed) * Vec3::new(1.0, 0.0, 1.0);
            (a.y <= floor && b.y <= floor && by.length() <= max).then_some(by)
        };
        leg.iter().filter_map(on_ground).min_by(|a, b| a.length().total_cmp(&b.length()))
    }
}

/// Steps of the search for the shared movement.
const SHARED_STEPS: usize = 16;

/// The movement that all feet on the ground have in common: the shortest mean of their movements, with any weights. It is
/// zero if one of them holds, or if they move apart.
fn shared(feet: impl Iterator<Item = Vec3>) -> Vec3 {
    let feet: Vec<Vec3> = feet.collect();
    let Some(&first) = feet.first() else { return Vec3::ZERO };
    // Frank and Wolfe: each step goes towards the foot that shortens the mean most.
    (0..SHARED_STEPS).fold(first, |mean, _| {
        let towards = feet.iter().copied().min_by(|a, b| a.dot(mean).total_cmp(&b.dot(mean))).unwrap_or(mean);
        let way = towards - mean;
        let part = if way == Vec3::ZERO { 0.0 } else { (-mean.dot(way) / way.length_squared()).clamp(0.0, 1.0) };
        mean + way * part
    })
}

/// The ranges in which a leg is on the ground.
fn steps(slides: &[Option<Vec3>]) -> Vec<(usize, usize)> {
    let stands: Vec<usize> = (0..slides.len()).filter(|&at| slides[at].is_some()).collect();
    stands.chunk_by(|a, b| a + 1 == *b).map(|run| (run[0], run[run.len() - 1] + 1)).collect()
}

/// The largest distance between two points of a path, from its steps.
fn widest(steps: impl Iterator<Item = Vec3>) -> f32 {
    let mut points = vec![Vec3::ZERO];
    points.extend(steps.scan(Vec3::ZERO, |at, by| {
        *at += by;
        Some(*at)
    }));
    let rest = |at: usize| points[at + 1..].iter();
    let pairs = points.iter().enumerate().flat_map(|(at, a)| rest(at).map(move |b| a.distance_squared(*b)));
    pairs.fold(0.0, f32::max).sqrt()
}

fn finding(
    subject: &Subject,
    clip: &Clip,
    (bone, grade): (usize, Severity),
    (from, to): (Time, Time),
    figure: f32,
) -> Finding {
    let (first, last) = (frame(clip, from), frame(clip, to));
    Finding {
        kind: Kind::FootSlide,
        grade,
        bone: Some(bone as u16),
        time: from,
        figure,
        text: format!("{} slides {} in frames {first}–{last}", subject.name(bone), subject.length_text(figure)),
        advice: match grade {
            Severity::Warning => "Pin the foot and pose the body again, or lift the foot before it moves.",
            Severity::Hint => "Another foot is planted; lift this one if it steps.",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::skeleton::Bone;
    use crate::anim::transform::Transform;

    /// A chain of bones from `height` 1 to the ground.
    fn chain(count: usize) -> Skeleton {
        let down = Transform { translation: Vec3::NEG_Y / (count - 1) as f32, ..Transform::IDENTITY };
        let top = Transform { translation: Vec3::Y, ..Transform::IDENTITY };
        let bone = |at: usize| Bone {
            name: format!("b{at}"),
            parent: at.checked_sub(1).map(|parent| parent as u16),
            rest: if at == 0 { top } else { down },
        };
        Skeleton::new((0..count).map(bone).collect()).unwrap()
    }

    #[test]
    fn a_leg_has_all_low_bones_of_a_chain_of_any_length() {
        for count in [11, Skeleton::MAX_BONES] {
            let skeleton = chain(count);
            let mut rest = ModelPose::default();
            rest.compute(&skeleton, &skeleton.rest_pose());
            let bones: Vec<usize> = (0..count).collect();
            let legs = of(&skeleton, &rest, &bones, 0.0, 1.0);
            let lowest: Vec<usize> = bones.iter().copied().filter(|&at| rest.bones[at].translation().y < LOW).collect();
            assert_eq!(legs, [lowest]);
        }
    }
}
