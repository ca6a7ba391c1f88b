//! On the ground: idle, walk, run, crouch.

use crate::clips::pose::{Foot, Pose, Side};
use crate::clips::script::Script;

use Side::{Left, Right};

/// How he stands when nothing happens: the sword before him, the left foot a little ahead.
pub fn guard() -> Pose {
    Pose::default()
        .hips(0.0, -0.035, 0.0)
        .turn("hips", [2.0, -10.0, 0.0])
        .trunk(4.0, 2.0, 0.0)
        .head(-4.0, 8.0, 0.0)
        .foot(Left, Foot::flat(0.10).wide(0.025, 8.0))
        .foot(Right, Foot::flat(-0.10).wide(0.030, 22.0))
        .shoulder(Left, 0.0, 0.0)
        .shoulder(Right, 0.0, 4.0)
        .arm(Left, 4.0, -12.0, 10.0, 28.0)
        .wrist(Left, 0.0, 0.0, 0.0)
        .arm(Right, 6.0, -10.0, 12.0, 52.0)
        .wrist(Right, 22.0, 0.0, 0.0)
}

/// Breathing: the chest rises, the arms follow, the blade dips a little later.
pub fn idle() -> Script {
    let breath = |chest: f64, arms: f64, blade: f64, sway: f64| {
        guard()
            .hips(0.006 * sway, -0.035 - 0.006 * (1.0 - chest), 0.0)
            .trunk(4.0 - 3.0 * chest, 2.0 + sway, 0.0)
            .head(-4.0 + 2.5 * chest, 8.0 - sway, 0.0)
            .shoulder(Left, 3.0 * chest, 0.0)
            .shoulder(Right, 3.0 * chest, 4.0)
            .arm(Left, 4.0 + 1.5 * arms, -12.0 + 2.0 * arms, 10.0, 28.0 + 3.0 * arms)
            .arm(Right, 6.0 + 1.5 * arms, -10.0 + 2.0 * arms, 12.0, 52.0 + 2.5 * arms)
            .wrist(Right, 22.0 + 4.0 * blade, 0.0, 0.0)
            .plume(1.5 * arms, 3.0 * blade)
            .cloth(1.5 * blade, 1.5 * arms)
    };
    Script::looping("idle")
        .pose(12, breath(0.0, 0.0, 0.5, -1.0))
        .pose(12, breath(0.7, 0.4, 0.0, 0.0))
        .pose(12, breath(1.0, 1.0, 0.4, 1.0))
        .pose(12, breath(0.35, 0.7, 1.0, 0.0))
}

/// Deep breaths to be added to another pose: against the first one the chest and the shoulders rise, and the head stays level.
pub fn breath() -> Script {
    let breath = |chest: f64, arms: f64| {
        guard()
            .trunk(4.0 - 7.0 * chest, 2.0, 0.0)
            .head(-4.0 + 6.0 * chest, 8.0, 0.0)
            .shoulder(Left, 6.0 * chest, 0.0)
            .shoulder(Right, 6.0 * chest, 4.0)
            .arm(Left, 4.0 + 3.0 * arms, -12.0 + 3.0 * arms, 10.0, 28.0 + 4.0 * arms)
            .arm(Right, 6.0 + 3.0 * arms, -10.0 + 3.0 * arms, 12.0, 52.0 + 4.0 * arms)
            .plume(2.0 * arms, 4.0 * arms)
    };
    Script::looping("breath")
        .pose(8, breath(0.0, 0.0))
        .pose(8, breath(0.8, 0.4))
        .pose(8, breath(1.0, 1.0))
        .pose(12, breath(0.4, 0.7))
}

/// One step of the left leg from its contact on: its foot, the right foot, and what the body does.
struct Step {
    left: Foot,
    right: Foot,
    /// Up and down, and over the standing foot.
    hips: [f64; 2],
    /// 1 where the left leg is foremost.
    reach: f64,
    /// Degrees by which the right side of the hips sinks.
    drop: f64,
}

/// A step and its mirror image, with arms that swing against the legs; the sword arm swings less.
fn gait(script: Script, frames: i64, steps: &[Step], body: impl Fn(&Step, f64) -> Pose) -> Script {
    let mut script = script;
    for half in [1.0, -1.0] {
        for step in steps {
            let legs = body(step, half).foot(Left, step.left).foot(Right, step.right);
            let pose = if half > 0.0 { legs } else { legs.mirrored() };
            script = script.pose(frames, arms_of(pose, &body(step, half), half));
        }
    }
    script
}

/// Arms are given for the side that they are on, not mirrored.
fn arms_of(mut pose: Pose, given: &Pose, half: f64) -> Pose {
    if half < 0.0 {
        let arm = |bone: &String| ["upper_arm", "forearm", "hand"].iter().any(|stem| bone.starts_with(stem));
        pose.turns.extend(given.turns.iter().filter(|(bone, _)| arm(bone)).map(|(bone, &turn)| (bone.clone(), turn)));
    }
    pose
}

/// 1.12 m in each cycle of 0.8 s.
pub fn walk() -> Script {
    let step = |left: Foot, right: Foot, hips: [f64; 2], reach: f64, drop: f64| Step { left, right, hips, reach, drop };
    let steps = [
        step(Foot::heel(0.30, 20.0), Foot::ball(-0.26, 34.0), [-0.062, 0.000], 1.0, 0.0),
        step(Foot::flat(0.16), Foot::air(-0.29, 0.130, 48.0).toes(40.0), [-0.072, 0.012], 0.75, 3.0),
        step(Foot::flat(0.02), Foot::air(-0.05, 0.135, 22.0), [-0.036, 0.020], 0.0, 2.0),
        step(Foot::ball(-0.12, 9.0), Foot::air(0.23, 0.070, -12.0), [-0.030, 0.012], -0.75, 0.0),
    ];
    let body = |step: &Step, half: f64| {
        // `half` is the sign of the leg in front; arms swing against it.
        let swing = step.reach * half;
        Pose::default()
            .hips(step.hips[1], step.hips[0], 0.0)
            .turn("hips", [4.0, -7.0 * step.reach, -step.drop])
            .trunk(3.0, 13.0 * step.reach, step.drop * 1.2)
            .head(-5.0, -5.0 * step.reach, 0.0)
            .arm(Left, 2.0 - 26.0 * swing, -15.0, 6.0, 24.0 - 12.0 * swing)
            .arm(Right, 6.0 + 16.0 * swing, -13.0, 10.0, 44.0 + 8.0 * swing)
            .wrist(Right, 24.0 - 4.0 * swing, 0.0, 0.0)
            .wrist(Left, 0.0, 0.0, 0.0)
            .plume(3.0 - 60.0 * (step.hips[0] + 0.05), 4.0 - 120.0 * (step.hips[0] + 0.05))
            .cloth(-2.0, 5.0)
    };
    gait(Script::looping("walk"), 3, &steps, body).event(0, "footstep").event(12, "footstep")
}

/// 1.92 m in each cycle of 0.53 s.
pub fn run() -> Script {
    let step = |left: Foot, right: Foot, hips: [f64; 2], reach: f64, drop: f64| Step { left, right, hips, reach, drop };
    let steps = [
        step(Foot::heel(0.25, 8.0), Foot::air(-0.50, 0.34, 78.0), [-0.070, 0.000], 0.9, 0.0),
        step(Foot::flat(0.02), Foot::air(-0.20, 0.37, 55.0), [-0.105, 0.012], 0.35, 4.0),
        step(Foot::ball(-0.22, 32.0), Foot::air(0.18, 0.33, 14.0), [-0.045, 0.010], -0.6, 2.0),
        step(Foot::air(-0.46, 0.17, 62.0).toes(45.0), Foot::air(0.36, 0.16, -10.0), [0.015, 0.000], -1.0, 0.0),
    ];
    let body = |step: &Step, half: f64| {
        let swing = step.reach * half;
        Pose::default()
            .hips(step.hips[1], step.hips[0], 0.03)
            .turn("hips", [12.0, -11.0 * step.reach, -step.drop])
            .trunk(12.0, 22.0 * step.reach, step.drop)
            .head(-20.0, -10.0 * step.reach, 0.0)
            .arm(Left, 4.0 - 48.0 * swing, -14.0, 14.0, 78.0 - 16.0 * swing)
            .arm(Right, -4.0 + 34.0 * swing, -8.0, 10.0, 74.0 + 12.0 * swing)
            .wrist(Right, 34.0, 0.0, 0.0)
            .wrist(Left, 0.0, 0.0, 0.0)
            .plume(-14.0 - 80.0 * (step.hips[0] + 0.05), -20.0 - 160.0 * (step.hips[0] + 0.05))
            .cloth(-4.0, 14.0)
    };
    gait(Script::looping("run"), 2, &steps, body).event(0, "footstep").event(8, "footstep")
}

/// On the way down from the guard: how deep the legs are, how far the trunk leans, how far the blade swings after.
pub fn low(depth: f64, lean: f64, blade: f64) -> Pose {
    guard()
        .hips(0.0, -0.035 - 0.33 * depth, -0.03 * depth)
        .turn("hips", [2.0 + 16.0 * depth, -14.0, 0.0])
        .trunk(4.0 + 26.0 * lean, 4.0, 0.0)
        .head(-4.0 - 36.0 * lean, 10.0, 0.0)
        .foot(Left, Foot::flat(0.10).wide(0.03, 10.0))
        .foot(Right, Foot::ball(-0.10, 42.0 * depth).wide(0.03, 18.0))
        .arm(Left, 4.0 + 26.0 * lean, -10.0 + 8.0 * depth, 14.0, 28.0 + 42.0 * lean)
        .arm(Right, 6.0 + 10.0 * lean, -6.0, 12.0, 52.0 + 22.0 * lean)
        .wrist(Right, 22.0 + 8.0 * blade, 0.0, 0.0)
        .plume(-10.0 * (depth - lean), -22.0 * (depth - blade))
        .cloth(-6.0 * depth, 6.0 * depth)
}

/// Low behind the blade: the legs bend first, trunk and sword settle after them.
pub fn crouch() -> Script {
    Script::once("crouch")
        .pose(2, low(0.0, 0.0, 0.0))
        // Without it the feet sink on the way.
        .pose(1, low(0.42, 0.16, -0.6))
        .pose(3, low(0.72, 0.35, -1.0))
        .pose(3, low(1.06, 1.1, 1.0))
        .pose(3, low(1.0, 1.0, 0.2))
}

/// Creeping, 0.80 m in each cycle: the hips stay low, and the trunk leans over the foot that stands.
pub fn crouch_walk() -> Script {
    let step = |left: Foot, right: Foot, hips: [f64; 2], reach: f64, drop: f64| Step { left, right, hips, reach, drop };
    let steps = [
        step(Foot::heel(0.22, 10.0), Foot::ball(-0.18, 44.0), [-0.345, 0.000], 1.0, 0.0),
        step(Foot::flat(0.12), Foot::air(-0.19, 0.125, 50.0).toes(30.0), [-0.365, 0.020], 0.7, 3.0),
        step(Foot::flat(0.02), Foot::air(0.00, 0.130, 22.0), [-0.335, 0.030], 0.0, 3.0),
        step(Foot::ball(-0.08, 14.0), Foot::air(0.18, 0.070, -4.0), [-0.325, 0.018], -0.7, 0.0),
    ];
    let body = |step: &Step, half: f64| {
        let swing = step.reach * half;
        Pose::default()
            .hips(step.hips[1], step.hips[0], -0.02)
            .turn("hips", [17.0, -9.0 * step.reach, -step.drop])
            .trunk(26.0 - 160.0 * (step.hips[0] + 0.345), 13.0 * step.reach, step.drop * 1.3)
            .head(-36.0, -5.0 * step.reach, 0.0)
            .arm(Left, 24.0 - 20.0 * swing, -4.0, 14.0, 66.0 - 8.0 * swing)
            .arm(Right, 14.0 + 10.0 * swing, -6.0, 12.0, 72.0 + 6.0 * swing)
            .wrist(Right, 30.0 + 80.0 * (step.hips[0] + 0.345), 0.0, 0.0)
            .wrist(Left, 0.0, 0.0, 0.0)
            .plume(-4.0 - 120.0 * (step.hips[0] + 0.345), -6.0 - 240.0 * (step.hips[0] + 0.345))
            .cloth(-5.0, 7.0)
    };
    gait(Script::looping("crouch walk"), 3, &steps, body).event(0, "footstep").event(12, "footstep")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_of_a_gait_are_as_long() {
        for (script, frames) in [(walk(), 24), (run(), 16)] {
            let clip = script.clip(&crate::knight::bones::rig());
            assert_eq!(clip.frame_rate.nearest_frame(clip.length()), frames);
        }
    }
}
