//! Dead bodies lie on the ground that is under them: on a slope, over an edge or a step, not stiff in the air, and
//! beside walls, not in them.

use glam::{I64Vec2, Mat4, Quat, Vec2, Vec3};

use crate::game::pose::animator::{Animator, Between, approach};
use crate::game::pose::feet::contact_at;
use crate::game::rules::actor::{Actor, Footing};
use crate::game::rules::collide::room_across;
use crate::game::scene::world_from_model;
use crate::game::world::cast::Performer;
use crate::game::world::stage::Stage;
use crate::game::world::units::{Area, grains, metres, metres_of};
use keypose::anim::pose::ModelPose;

/// Points of the ground that are looked at.
const POINTS: usize = 11;
/// The ground is followed this far above and below the feet, in metres.
const REACH: f32 = 1.2;
/// Change in a tick: in radians, upwards in metres, and aside in metres.
const STEP: [f32; 3] = [0.07, 0.05, 0.1];
/// A block that is lower than this over the feet, in metres, is a step, not a wall.
const WALL: f32 = 0.45;
/// The steepest slope to which a body tilts, in metres per metre.
const MAX_SLOPE: f32 = 0.75;
/// A body doesn't tip while its weight is within this part of its length of what supports it.
const LOOSE: f32 = 0.1;

/// How a body lies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fallen {
    /// The angle to the level in radians.
    pub tilt: f32,
    /// How far its feet are above the ground in metres.
    pub rise: f32,
    /// How far it is to the right of its place in metres.
    pub aside: f32,
}

/// Follows the ground for one tick, after the simulation and the animation.
pub fn step(animator: &mut Animator, actor: &Actor, stage: &Stage, performer: Option<&Performer>) {
    let lies = !actor.vitals.is_alive() && actor.footing == Footing::Ground;
    if !lies && animator.fallen == Fallen::default() {
        return;
    }
    let rest = performer.filter(|_| lies).and_then(|performer| resting(animator, actor, stage, performer));
    let ((slope, rise), aside) = rest.unwrap_or_default();
    approach(&mut animator.fallen.tilt, slope.atan(), STEP[0]);
    approach(&mut animator.fallen.rise, rise, STEP[1]);
    approach(&mut animator.fallen.aside, aside, STEP[2]);
}

/// The line on which a body rests: its slope, and its height at the feet in metres above them; and how far it is aside of its place.
fn resting(animator: &Animator, actor: &Actor, stage: &Stage, performer: &Performer) -> Option<((f32, f32), f32)> {
    let (pose, place) = (animator.model_pose(performer)?, actor.drawn_feet());
    let feet = metres_of(place);
    let placed = world_from_model(&Between::at(animator), &performer.playable.fit, feet);
    let [left, middle, right] = extent(&pose, &placed)?.map(|x| x - feet.x);
    let aside = beside_walls(stage, place, [left, right]);
    let at = |point: usize| left + (right - left) * point as f32 / (POINTS - 1) as f32;
    let ground = |x: f32| contact_at(stage, place, feet.x + aside + x, grains(REACH)).map_or(-REACH, |it| it.height);
    let points: Vec<Vec2> = (0..POINTS).map(at).map(|x| Vec2::new(x, ground(x))).collect();
    Some((resting_line(&points, middle)?, aside))
}

/// How far a body that reaches to the left and to the right of its place is moved, so that it isn't in walls.
fn beside_walls(stage: &Stage, place: I64Vec2, reach: [f32; 2]) -> f32 {
    let trunk = Area { min: place + I64Vec2::new(-1, grains(WALL)), max: place + I64Vec2::new(1, 2 * grains(WALL)) };
    // In grains: what fits has nothing over.
    let [left, right] = reach.map(grains).map(|side| side - room_across(stage, &trunk, side));
    let both = metres(-(left + right));
    if left < 0 && right > 0 { both * 0.5 } else { both }
}

/// The leftmost bone, the middle of all, and the rightmost bone along the level, in metres.
fn extent(pose: &ModelPose, placed: &Mat4) -> Option<[f32; 3]> {
    let across = || pose.bones.iter().map(|bone| placed.transform_point3(bone.translation()).x);
    let (left, right) = across().fold((f32::MAX, f32::MIN), |(left, right), x| (left.min(x), right.max(x)));
    let middle = across().sum::<f32>() / pose.bones.len() as f32;
    (right - left > 0.1 && middle.is_finite()).then_some([left, middle, right])
}

/// The line over all points on which a rod with its weight about an x lies still: through a point to each side of that. Of several the
/// flattest, and none that is steeper than a body tilts.
fn resting_line(points: &[Vec2], weight: f32) -> Option<(f32, f32)> {
    let [first, last] = [points.first()?, points.last()?];
    let loose = (last.x - first.x) * LOOSE;
    let left = || points.iter().filter(move |point| point.x <= weight + loose);
    let right = || points.iter().filter(move |point| point.x >= weight - loose);
    let slopes = left().flat_map(|a| right().filter(|b| a.x < b.x).map(move |b| (a, (b.y - a.y) / (b.x - a.x))));
    let lies =
        |&(point, slope): &(&Vec2, f32)| points.iter().all(|it| it.y <= point.y + (it.x - point.x) * slope + 1e-3);
    let (_, slope) = slopes.filter(lies).min_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
    let slope = slope.clamp(-MAX_SLOPE, MAX_SLOPE);
    let height = points.iter().map(|it| it.y - it.x * slope).fold(f32::MIN, f32::max);
    Some((slope, height))
}

/// Moves a body with these feet from the level ground to how it lies.
pub fn matrix(shown: &Between<'_>, feet: Vec2) -> Mat4 {
    let foot = feet.extend(0.0);
    let place = foot + Vec3::new(shown.value(|it| it.fallen.aside), shown.value(|it| it.fallen.rise), 0.0);
    let tilt = Quat::from_rotation_z(shown.value(|it| it.fallen.tilt));
    Mat4::from_rotation_translation(tilt, place) * Mat4::from_translation(-foot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_rests_on_slopes_steps_and_edges() {
        let points = |height: fn(f32) -> f32| -> Vec<Vec2> {
            (0..POINTS).map(|at| -1.0 + 0.2 * at as f32).map(|x| Vec2::new(x, height(x))).collect()
        };
        // What is under a body from -1 to 1 with its weight at 0.2, and its line: slope, and height at 0. The last but one doesn't tip.
        type Case = (fn(f32) -> f32, f32, f32);
        let cases: [Case; 6] = [
            (|_| 0.0, 0.0, 0.0),
            (|x| -0.5 * x, -0.5, 0.0),
            (|x| if x > 0.55 { 0.5 } else { 0.0 }, 0.5 / 1.6, 0.5 / 1.6),
            (|x| if x > -0.5 { -0.9 } else { 0.0 }, -0.9 / 1.6, -0.54 / 1.6),
            (|x| if x > 0.1 { -0.9 } else { 0.0 }, 0.0, 0.0),
            (|x| if x > -0.5 { -4.0 } else { 0.0 }, -MAX_SLOPE, -0.6 * MAX_SLOPE),
        ];
        for (at, (height, slope, rise)) in cases.into_iter().enumerate() {
            let line = resting_line(&points(height), 0.2).unwrap();
            assert!((line.0 - slope).abs() < 0.02 && (line.1 - rise).abs() < 0.02, "case {at}: {line:?}");
        }
    }
}
