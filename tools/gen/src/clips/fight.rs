//! The blow with the sword, and what it is like to be hit.

use crate::clips::ground::guard;
use crate::clips::pose::{Foot, Pose, Side};
use crate::clips::script::Script;

use Side::{Left, Right};

/// Wind up over the shoulder, a step and a cut from above, follow through, recover.
pub fn attack() -> Script {
    Script::once("attack")
        .pose(1, guard())
        .pose(2, wind_up(1.0))
        .pose(1, wind_up(1.12).foot(Left, Foot::air(0.13, 0.09, 10.0).wide(0.03, 4.0)))
        .pose(1, cut())
        .pose(2, hit())
        .pose(3, follow_through())
        .pose(4, recover())
        .pose(0, guard())
        .event(3, "sound swing")
}

/// From the low left where the first cut ends, back across to the right.
pub fn attack_2() -> Script {
    Script::once("attack 2")
        .pose(2, follow_through())
        .pose(1, across(1.0))
        .pose(1, across(0.35))
        .pose(2, across(-0.55))
        .pose(3, across(-1.0))
        .pose(4, recover())
        .pose(0, guard())
        .event(3, "sound swing")
}

/// The weight goes back, then all of it into the point.
pub fn attack_3() -> Script {
    Script::once("attack 3")
        .pose(2, across(-0.8))
        .pose(2, thrust(-1.0))
        .pose(1, thrust(-0.7).foot(Left, Foot::air(0.22, 0.08, 6.0).wide(0.02, 4.0)))
        .pose(2, thrust(1.0))
        .pose(4, thrust(1.08))
        .pose(5, recover())
        .pose(0, guard())
        .event(4, "sound swing")
}

/// A level cut: 1 where it starts, at his left, -1 where it ends, at his right.
fn across(at: f64) -> Pose {
    let most = 1.0 - at * at;
    Pose::default()
        .hips(0.01, -0.12, 0.13 - 0.03 * at)
        .turn("hips", [9.0, 14.0 * at, 0.0])
        .trunk(12.0, 30.0 * at, 0.0)
        .head(-14.0, -38.0 * at, 0.0)
        .foot(Left, Foot::flat(0.32).wide(0.03, 6.0))
        .foot(Right, Foot::ball(-0.12, 26.0).wide(0.035, 20.0))
        .shoulder(Left, 0.0, -8.0)
        .shoulder(Right, 0.0, 12.0 * at)
        .arm(Left, -16.0 - 20.0 * at, 10.0 - 6.0 * at, 8.0, 52.0)
        .wrist(Left, 0.0, 0.0, 0.0)
        .hand(Right, [0.18 - 0.36 * at, 1.16, 0.40 + 0.28 * most], [0.7, -0.5, 0.1])
        .blade(Right, [-0.85 * at, 0.12, 0.25 + 0.75 * most])
        .plume(-6.0, -22.0 * most)
        .cloth(6.0, 8.0 + 8.0 * most)
}

/// The hand beside the ribs at -1, the arm long at 1.
fn thrust(at: f64) -> Pose {
    let out = 0.5 + 0.5 * at;
    Pose::default()
        .hips(0.0, -0.10 - 0.09 * out, -0.05 + 0.28 * out)
        .turn("hips", [4.0 + 10.0 * out, -16.0 + 34.0 * out, 0.0])
        .trunk(2.0 + 14.0 * out, -20.0 + 44.0 * out, 0.0)
        .head(-6.0 - 14.0 * out, 32.0 - 70.0 * out, 0.0)
        .foot(Left, Foot::flat(0.16 + 0.30 * out).wide(0.02, 4.0))
        .foot(Right, Foot::ball(-0.13, 14.0 + 30.0 * out).wide(0.035, 22.0))
        .shoulder(Left, 0.0, -8.0 * out)
        .shoulder(Right, 4.0, -8.0 + 26.0 * out)
        .arm(Left, 20.0 - 58.0 * out, 6.0, 10.0, 44.0 - 20.0 * out)
        .wrist(Left, 0.0, 0.0, 0.0)
        .hand(Right, [0.26 - 0.18 * out, 1.20 - 0.02 * out, 0.02 + 0.80 * out], [0.8, -0.5, -0.3])
        .blade(Right, [-0.02, 0.02, 1.0])
        .plume(-4.0 - 16.0 * out, -10.0 - 24.0 * out)
        .cloth(4.0 + 6.0 * out, 6.0 + 14.0 * out)
}

/// The weight goes back, the chest opens, the blade hangs behind the head.
fn wind_up(most: f64) -> Pose {
    Pose::default()
        .hips(-0.01, -0.06, -0.07 * most)
        .turn("hips", [-4.0, -22.0 * most, 0.0])
        .trunk(-9.0 * most, -26.0 * most, 4.0)
        .head(4.0, 36.0 * most, 0.0)
        .foot(Left, Foot::ball(0.10, 14.0).wide(0.03, 4.0))
        .foot(Right, Foot::flat(-0.12).wide(0.035, 26.0))
        .shoulder(Left, 0.0, 8.0)
        .shoulder(Right, 14.0, -6.0)
        .arm(Left, 48.0, -4.0, 16.0, 40.0)
        .wrist(Left, 0.0, 0.0, 0.0)
        .hand(Right, [0.26, 1.60 + 0.02 * most, -0.12 - 0.06 * most], [0.8, 0.1, 0.5])
        .blade(Right, [-0.10, 0.55 - 0.3 * most, -0.8])
        .plume(4.0, 8.0)
        .cloth(2.0, -2.0)
}

/// Half way: the arm is over the head, the front foot already lands.
fn cut() -> Pose {
    Pose::default()
        .hips(0.0, -0.08, 0.09)
        .turn("hips", [8.0, -4.0, 0.0])
        .trunk(8.0, 4.0, 0.0)
        .head(-8.0, 4.0, 0.0)
        .foot(Left, Foot::heel(0.33, 10.0).wide(0.03, 4.0))
        .foot(Right, Foot::ball(-0.12, 16.0).wide(0.035, 24.0))
        .shoulder(Left, 0.0, -4.0)
        .shoulder(Right, 14.0, 6.0)
        .arm(Left, 8.0, -6.0, 12.0, 58.0)
        .wrist(Left, 0.0, 0.0, 0.0)
        .hand(Right, [0.17, 1.70, 0.36], [0.8, -0.2, 0.3])
        .blade(Right, [-0.05, 0.9, 0.12])
        .plume(-14.0, -24.0)
        .cloth(4.0, 8.0)
}

/// The arm is long, the weight on the front foot.
fn hit() -> Pose {
    Pose::default()
        .hips(0.01, -0.13, 0.16)
        .turn("hips", [12.0, 14.0, 0.0])
        .trunk(18.0, 20.0, -3.0)
        .head(-22.0, -26.0, 0.0)
        .foot(Left, Foot::flat(0.34).wide(0.03, 6.0))
        .foot(Right, Foot::ball(-0.12, 34.0).wide(0.035, 20.0))
        .shoulder(Left, 0.0, -10.0)
        .shoulder(Right, 2.0, 14.0)
        .arm(Left, -28.0, 2.0, 8.0, 62.0)
        .wrist(Left, 0.0, 0.0, 0.0)
        .hand(Right, [0.10, 1.14, 0.72], [0.7, -0.6, 0.0])
        .blade(Right, [-0.06, -0.05, 1.0])
        .plume(-18.0, -34.0)
        .cloth(8.0, 16.0)
}

/// The blade continues down and to the left.
fn follow_through() -> Pose {
    Pose::default()
        .hips(0.015, -0.15, 0.17)
        .turn("hips", [14.0, 20.0, 0.0])
        .trunk(24.0, 28.0, -4.0)
        .head(-28.0, -36.0, 0.0)
        .foot(Left, Foot::flat(0.34).wide(0.03, 6.0))
        .foot(Right, Foot::ball(-0.12, 40.0).wide(0.035, 20.0))
        .shoulder(Left, 0.0, -10.0)
        .shoulder(Right, -2.0, 16.0)
        .arm(Left, -34.0, 4.0, 8.0, 56.0)
        .wrist(Left, 0.0, 0.0, 0.0)
        .hand(Right, [0.06, 0.84, 0.60], [0.8, -0.4, -0.3])
        .blade(Right, [-0.14, -0.62, 0.78])
        .plume(2.0, -8.0)
        .cloth(4.0, 10.0)
}

fn recover() -> Pose {
    guard()
        .hips(0.0, -0.07, 0.06)
        .turn("hips", [6.0, -2.0, 0.0])
        .trunk(10.0, 10.0, 0.0)
        .head(-10.0, -4.0, 0.0)
        .foot(Left, Foot::air(0.21, 0.09, 8.0).wide(0.03, 6.0))
        .foot(Right, Foot::ball(-0.11, 8.0).wide(0.035, 21.0))
        .arm(Left, -6.0, -8.0, 10.0, 40.0)
        .arm(Right, 14.0, -12.0, 18.0, 40.0)
        .wrist(Right, 30.0, 0.0, 4.0)
        .plume(6.0, 10.0)
}

/// Thrown back over the hips, then caught.
pub fn hurt() -> Script {
    let back = |most: f64| {
        guard()
            .hips(0.0, -0.05 - 0.05 * most, -0.10 * most)
            .turn("hips", [2.0 - 12.0 * most, -10.0 - 14.0 * most, 0.0])
            .trunk(4.0 - 22.0 * most, 2.0 - 16.0 * most, 5.0 * most)
            .head(-4.0 + 26.0 * most, 8.0 + 10.0 * most, -6.0 * most)
            .foot(Left, Foot::heel(0.12, 14.0 * most).wide(0.03, 8.0))
            .foot(Right, Foot::flat(-0.11).wide(0.035, 22.0))
            .shoulder(Left, 12.0 * most, 0.0)
            .shoulder(Right, 12.0 * most, 0.0)
            .arm(Left, 4.0 + 40.0 * most, -12.0 + 34.0 * most, 10.0, 28.0 + 40.0 * most)
            .arm(Right, 6.0 + 14.0 * most, -10.0 + 38.0 * most, 12.0, 52.0 + 24.0 * most)
            .wrist(Right, 22.0 - 10.0 * most, 0.0, 0.0)
            .plume(-20.0 * most, -34.0 * most)
            .cloth(16.0 * most, -4.0 * most)
    };
    Script::once("hurt")
        .pose(2, back(0.5))
        .pose(2, back(1.0))
        .pose(4, back(0.85).plume(12.0, 26.0).cloth(4.0, 8.0))
        .pose(4, back(0.2))
        .pose(0, guard())
}

/// Back on the heels, down on the seat, flat.
pub fn die() -> Script {
    let reel = guard()
        .hips(0.0, -0.07, -0.12)
        .turn("hips", [-14.0, -14.0, 0.0])
        .trunk(-18.0, -8.0, 4.0)
        .head(22.0, 10.0, 0.0)
        .foot(Left, Foot::heel(0.10, 24.0).wide(0.03, 8.0))
        .foot(Right, Foot::flat(-0.16).wide(0.05, 24.0))
        .arm(Left, 70.0, 24.0, 10.0, 40.0)
        .arm(Right, 60.0, 36.0, 10.0, 30.0)
        .wrist(Right, 10.0, 0.0, 0.0)
        .plume(-14.0, -24.0);
    let topple = guard()
        .hips(0.0, -0.34, -0.22)
        .turn("hips", [-26.0, -11.0, 0.0])
        .trunk(-6.0, -4.0, 2.0)
        .head(18.0, 8.0, 0.0)
        .foot(Left, Foot::heel(0.15, 20.0).wide(0.045, 10.0))
        .foot(Right, Foot::flat(-0.07).wide(0.065, 21.0))
        .arm(Left, 52.0, 30.0, 5.0, 30.0)
        .arm(Right, 40.0, 42.0, 5.0, 25.0)
        .wrist(Right, 15.0, 0.0, 0.0)
        .plume(-10.0, -12.0)
        .cloth(-8.0, -14.0);
    let sit = Pose::default()
        .hips(0.0, -0.66, -0.26)
        .turn("hips", [-38.0, -8.0, 0.0])
        .trunk(10.0, 0.0, 0.0)
        .head(10.0, 6.0, 0.0)
        .foot(Left, Foot::heel(0.22, 20.0).wide(0.06, 12.0))
        .foot(Right, Foot::flat(0.02).wide(0.08, 18.0))
        .arm(Left, 30.0, 34.0, 0.0, 20.0)
        .arm(Right, 20.0, 48.0, 0.0, 20.0)
        .wrist(Right, 20.0, 0.0, 0.0)
        .plume(-6.0, 4.0)
        .cloth(-20.0, -38.0);
    let flat = |settle: f64| {
        Pose::default()
            .hips(0.0, -0.70 + 0.03 * settle, -0.34)
            .turn("hips", [-84.0, -4.0, 0.0])
            .trunk(4.0, 0.0, 0.0)
            .head(14.0 + 14.0 * settle, 30.0, 0.0)
            .foot(Left, Foot::heel(0.34 + 0.06, 42.0 - 10.0 * settle).wide(0.09, 24.0))
            .foot(Right, Foot::flat(0.14).wide(0.12, 20.0))
            .arm(Left, 6.0 * settle, 44.0, 0.0, 12.0)
            .arm(Right, 6.0 * settle, 58.0, 0.0, 14.0)
            .wrist(Right, 60.0, 0.0, 0.0)
            .plume(-52.0, -46.0 + 14.0 * settle)
            .cloth(-14.0 + 10.0 * settle, -8.0)
    };
    Script::once("die")
        .pose(3, guard())
        .pose(3, reel)
        .pose(3, topple)
        .pose(6, sit)
        .pose(3, flat(1.0))
        .pose(3, flat(-0.4))
        .pose(9, flat(0.0))
        .pose(0, flat(0.0))
}
