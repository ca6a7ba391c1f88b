//! How the goblin moves: he waddles, raises his club for all to see before he strikes, and falls on his back.

use keypose::anim::clip::Clip;

use crate::clips::pose::{Foot, Pose, Side};
use crate::clips::script::Script;
use crate::rig::Rig;

use Side::{Left, Right};

/// All of them, in the order in which they are shown.
pub fn all(rig: &Rig) -> Vec<Clip> {
    [idle(), walk(), fall(), attack(), hurt(), die(), charge(), flinch()].map(|script| script.clip(rig)).to_vec()
}

/// How he stands: bent forward, the club before him.
fn stand() -> Pose {
    Pose::default()
        .hips(0.0, -0.02, 0.0)
        .turn("hips", [6.0, -8.0, 0.0])
        .turn("chest", [12.0, -4.0, 0.0])
        .turn("head", [-14.0, 10.0, 0.0])
        .foot(Left, Foot::flat(0.07).wide(0.02, 14.0))
        .foot(Right, Foot::flat(-0.06).wide(0.02, 20.0))
        .arm(Left, 14.0, -8.0, 0.0, 40.0)
        .arm(Right, 16.0, -10.0, 0.0, 50.0)
        .wrist(Right, -10.0, 0.0, 0.0)
}

fn idle() -> Script {
    let breath = |breath: f64, look: f64| {
        stand()
            .hips(0.0, -0.02 - 0.012 * breath, 0.0)
            .turn("chest", [12.0 + 3.0 * breath, -4.0 + 2.0 * look, 0.0])
            .turn("head", [-14.0 - 2.0 * breath, 10.0 + 14.0 * look, 3.0 * look])
            .arm(Left, 14.0 + 4.0 * breath, -8.0 + 3.0 * breath, 0.0, 40.0)
            .arm(Right, 16.0 + 3.0 * breath, -10.0 + 3.0 * breath, 0.0, 50.0 - 4.0 * breath)
    };
    Script::looping("idle")
        .pose(14, breath(0.0, 0.0))
        .pose(14, breath(1.0, 0.6))
        .pose(14, breath(0.1, 1.0))
        .pose(14, breath(1.0, -0.3))
}

/// 0.56 m in each cycle, rolling from foot to foot.
fn walk() -> Script {
    let step = |left: Foot, right: Foot, up: f64, roll: f64, swing: f64| {
        stand()
            .hips(-0.02 * roll, up, 0.0)
            .turn("hips", [8.0, -10.0 * swing, 7.0 * roll])
            .turn("chest", [12.0, 14.0 * swing, -4.0 * roll])
            .turn("head", [-16.0, -4.0 * swing + 4.0, -3.0 * roll])
            .foot(Left, left.wide(0.02, 12.0))
            .foot(Right, right.wide(0.02, 12.0))
            .arm(Left, 12.0 - 26.0 * swing, -4.0, 0.0, 40.0)
            .arm(Right, 18.0 + 14.0 * swing, -8.0, 0.0, 52.0)
            .wrist(Right, -6.0, 0.0, 0.0)
    };
    Script::looping("walk")
        .pose(4, step(Foot::flat(0.14), Foot::air(-0.14, 0.02, 22.0), -0.035, 0.0, 1.0))
        .pose(4, step(Foot::flat(0.0), Foot::air(0.0, 0.10, 8.0), 0.01, 1.0, 0.0))
        .pose(4, step(Foot::air(-0.14, 0.02, 22.0), Foot::flat(0.14), -0.035, 0.0, -1.0))
        .pose(4, step(Foot::air(0.0, 0.10, 8.0), Foot::flat(0.0), 0.01, -1.0, 0.0))
        .event(0, "footstep")
        .event(8, "footstep")
}

fn fall() -> Script {
    let kick = |at: f64| {
        stand()
            .foot(Left, Foot::air(0.10 * at, 0.08, 20.0))
            .foot(Right, Foot::air(-0.10 * at, 0.08, 20.0))
            .arm(Left, 60.0, 60.0, 0.0, 30.0)
            .arm(Right, 60.0, 60.0, 0.0, 30.0)
            .turn("head", [10.0, 0.0, 0.0])
    };
    Script::looping("fall").pose(5, kick(1.0)).pose(5, kick(-1.0))
}

/// The club goes up and stays there for a moment; then it comes down at once.
fn attack() -> Script {
    let raised = |more: f64, tremble: f64| {
        stand()
            .hips(0.0, -0.05 + 0.04 * more, -0.07 * more)
            .turn("hips", [-6.0 * more, -24.0 * more, 0.0])
            .turn("chest", [12.0 - 26.0 * more, -30.0 * more + tremble, 6.0 * more])
            .turn("head", [-10.0 + 16.0 * more, 46.0 * more, 0.0])
            .foot(Left, Foot::air(0.10, 0.05 * more, -14.0 * more).wide(0.02, 14.0))
            .arm(Left, 40.0 * more, -4.0, 0.0, 70.0)
            .arm(Right, 16.0 + 112.0 * more + tremble, -10.0 + 20.0 * more, 0.0, 50.0 - 8.0 * more)
            .wrist(Right, -10.0 - 14.0 * more, 0.0, 0.0)
    };
    let struck = |more: f64| {
        stand()
            .hips(0.0, -0.11 * more, 0.12 * more)
            .turn("hips", [16.0 * more, 20.0 * more, 0.0])
            .turn("chest", [12.0 + 30.0 * more, 26.0 * more, 0.0])
            .turn("head", [-14.0 - 26.0 * more, -36.0 * more, 0.0])
            .foot(Left, Foot::flat(0.07 + 0.13 * more).wide(0.02, 10.0))
            .arm(Left, 14.0 - 50.0 * more, 6.0, 0.0, 40.0)
            .arm(Right, 16.0 + 48.0 * more, -12.0, 10.0 * more, 50.0 - 38.0 * more)
            .wrist(Right, -10.0 + 34.0 * more, 0.0, 0.0)
    };
    Script::once("attack")
        .pose(3, stand())
        .pose(4, raised(0.7, 0.0))
        .pose(3, raised(1.0, 2.0))
        .pose(2, raised(1.04, -2.0))
        .pose(2, raised(1.08, 2.0))
        .pose(1, raised(1.1, 0.0))
        .pose(2, struck(0.8))
        .pose(6, struck(1.1))
        .pose(6, struck(1.0))
        .pose(5, struck(0.4))
        .pose(0, stand())
        .event(3, "sound growl")
        .event(15, "sound swing")
}

/// Head down and the club behind him; then he runs at what is before him and sweeps upwards.
fn charge() -> Script {
    // The feet stay where they are while the body leans back.
    let coiled = |more: f64, tremble: f64, way: f64| {
        stand()
            .way(way)
            .hips(0.0, -0.06 - 0.05 * more, -0.08 * more)
            .turn("hips", [6.0 + 16.0 * more, -30.0 * more, 0.0])
            .turn("chest", [12.0 + 16.0 * more, -26.0 * more + tremble, 0.0])
            .turn("head", [-14.0 - 26.0 * more, 50.0 * more, 0.0])
            .foot(Left, Foot::flat(0.07 - way).wide(0.02, 14.0))
            .foot(Right, Foot::flat(-0.06 - way).wide(0.02, 20.0))
            .arm(Left, 40.0 * more, 10.0, 0.0, 60.0)
            .arm(Right, 16.0 - 70.0 * more + tremble, -10.0 + 16.0 * more, 0.0, 50.0 - 30.0 * more)
            .wrist(Right, -10.0 + 30.0 * more, 0.0, 0.0)
    };
    let rush = |left: f64| {
        stand()
            .hips(0.0, -0.04, 0.06)
            .turn("hips", [26.0, -14.0, 0.0])
            .turn("chest", [22.0, -20.0, 0.0])
            .turn("head", [-40.0, 30.0, 0.0])
            .foot(Left, Foot::air(0.16 * left, 0.02 + 0.08 * (1.0 - left), 8.0))
            .foot(Right, Foot::air(-0.16 * left, 0.02 + 0.08 * (1.0 + left), 12.0))
            .arm(Left, 30.0 * left, 6.0, 0.0, 60.0)
            .arm(Right, -56.0, 8.0, 0.0, 18.0)
            .wrist(Right, 20.0, 0.0, 0.0)
    };
    // The left foot lands at 1.80 m and stays there.
    let swept = |more: f64, way: f64| {
        stand()
            .way(way)
            .hips(0.0, -0.06 * more, 0.10 * more)
            .turn("hips", [-4.0, 26.0 * more, 0.0])
            .turn("chest", [-8.0, 34.0 * more, 0.0])
            .turn("head", [0.0, -40.0 * more, 0.0])
            .foot(Left, Foot::flat(1.80 - way).wide(0.02, 10.0))
            .arm(Left, 14.0 - 60.0 * more, 10.0, 0.0, 30.0)
            .arm(Right, 16.0 + 100.0 * more, -6.0, 8.0, 50.0 - 40.0 * more)
            .wrist(Right, -10.0 + 16.0 * more, 0.0, 0.0)
    };
    Script::once("stab")
        .pose(3, stand().way(0.0))
        .pose(4, coiled(0.8, 0.0, -0.06))
        .pose(3, coiled(1.0, 3.0, -0.10))
        .pose(3, coiled(1.05, -3.0, -0.12))
        .pose(2, rush(1.0).way(0.16))
        .pose(2, rush(-1.0).way(0.60))
        .pose(2, rush(1.0).way(1.05))
        .pose(2, swept(0.6, 1.42).foot(Left, Foot::air(0.22, 0.05, 8.0)))
        .pose(4, swept(1.0, 1.60))
        .pose(6, swept(0.9, 1.66))
        .pose(4, swept(0.3, 1.70))
        .pose(0, stand().way(1.73))
        .event(3, "sound growl")
        .event(13, "footstep")
        .event(17, "sound swing")
}

/// A jolt to be added to what he does: against the first pose chest and head are thrown back.
fn flinch() -> Script {
    let back = |most: f64| {
        stand()
            .turn("chest", [12.0 - 16.0 * most, -4.0 + 10.0 * most, 0.0])
            .turn("head", [-14.0 - 14.0 * most, 10.0 - 12.0 * most, 10.0 * most])
    };
    Script::once("flinch").pose(1, back(0.0)).pose(2, back(1.0)).pose(4, back(0.5)).pose(0, back(0.0))
}

fn hurt() -> Script {
    let back = |most: f64| {
        stand()
            .hips(0.0, -0.03 * most, -0.08 * most)
            .turn("hips", [6.0 - 16.0 * most, -8.0, 0.0])
            .turn("chest", [12.0 - 34.0 * most, -4.0 + 16.0 * most, 0.0])
            .turn("head", [-14.0 - 16.0 * most, 10.0 - 20.0 * most, 8.0 * most])
            .foot(Left, Foot::air(0.12 * most, 0.05 * most, -20.0 * most).wide(0.02, 14.0))
            .arm(Left, 14.0 + 50.0 * most, -8.0 + 50.0 * most, 0.0, 40.0)
            .arm(Right, 16.0 + 40.0 * most, -10.0 + 50.0 * most, 0.0, 50.0)
    };
    Script::once("hurt").pose(1, back(0.6)).pose(3, back(1.0)).pose(4, back(0.8)).pose(4, back(0.2)).pose(0, stand())
}

fn die() -> Script {
    let down = |at: f64| {
        stand()
            .hips(0.0, -0.26 * at, -0.16 * at)
            .turn("hips", [6.0 - 84.0 * at, -8.0, 4.0 * at])
            .turn("chest", [12.0 - 22.0 * at, -4.0, 0.0])
            .turn("head", [-14.0 + 8.0 * at, 10.0 + 14.0 * at, 0.0])
            .foot(Left, Foot::air(0.07 + 0.16 * at, 0.10 * at, -50.0 * at).wide(0.04, 20.0))
            .foot(Right, Foot::air(-0.06 + 0.28 * at, 0.03 * at, -40.0 * at).wide(0.06, 26.0))
            .arm(Left, 14.0 + 40.0 * at, -8.0 + 70.0 * at, 0.0, 30.0)
            .arm(Right, 16.0 + 40.0 * at, -10.0 + 70.0 * at, 0.0, 20.0)
    };
    Script::once("die")
        .pose(3, down(0.25))
        .pose(5, down(0.6))
        .pose(2, down(1.03))
        .pose(2, down(0.94))
        .pose(10, down(1.0))
        .pose(0, down(1.0))
}
