//! What the knight does with his whole body: the stab out of a crouch, the cut in the air, the roll. Two of them have root
//! motion: their poses are given against a root that moves.

use crate::clips::ground::{guard, low};
use crate::clips::pose::{Foot, Pose, Side};
use crate::clips::script::Script;

use Side::{Left, Right};

/// Coiled low, then a long lunge behind the point; the back foot follows.
pub fn stab() -> Script {
    Script::once("stab")
        .pose(1, low(1.0, 1.0, 0.2).way(0.0))
        .pose(2, lunge(-1.0).way(-0.02))
        .pose(1, lunge(0.1).foot(Left, Foot::air(0.34, 0.10, -8.0).wide(0.02, 4.0)).way(0.34))
        .pose(3, lunge(1.0).way(0.86))
        .pose(2, lunge(1.04).hips(0.0, -0.375, 0.14).cloth(14.0, 22.0).plume(-2.0, 4.0).way(1.02))
        .pose(2, rise().way(1.08))
        .pose(2, gather().way(1.14))
        .pose(2, low(0.94, 0.9, 0.8).plume(6.0, 8.0).way(1.18))
        .pose(0, low(1.0, 1.0, 0.2).way(1.18))
        .event(3, "sound swing")
}

/// From the coil at -1 to the full length at 1.
fn lunge(at: f64) -> Pose {
    let out = 0.5 + 0.5 * at;
    Pose::default()
        .hips(0.0, -0.36 - 0.05 * out, -0.08 + 0.22 * out)
        .turn("hips", [14.0 + 12.0 * out, -30.0 + 46.0 * out, 0.0])
        .trunk(18.0 + 18.0 * out, -26.0 + 52.0 * out, 0.0)
        .head(-26.0 - 24.0 * out, 50.0 - 92.0 * out, 0.0)
        .foot(Left, Foot::flat(0.12 + 0.40 * out).wide(0.02, 4.0))
        .foot(Right, Foot::ball(-0.14 - 0.36 * out, 34.0 + 22.0 * out).wide(0.035, 22.0))
        .shoulder(Left, 0.0, -10.0 * out)
        .shoulder(Right, 4.0, -10.0 + 30.0 * out)
        .arm(Left, 34.0 - 84.0 * out, 10.0, 10.0, 60.0 - 34.0 * out)
        .wrist(Left, 0.0, 0.0, 0.0)
        .hand(Right, [0.26 - 0.20 * out, 0.82 - 0.02 * out, -0.06 + 0.96 * out], [0.8, -0.4, -0.4])
        .blade(Right, [-0.02, 0.10 - 0.04 * out, 1.0])
        .plume(-4.0 - 14.0 * out, -8.0 - 26.0 * out)
        .cloth(6.0 + 4.0 * out, 6.0 + 12.0 * out)
}

/// Off the long stance: both feet leave their places.
fn rise() -> Pose {
    lunge(0.5)
        .hips(0.0, -0.33, 0.10)
        .foot(Left, Foot::air(0.37, 0.05, 2.0).wide(0.02, 6.0))
        .foot(Right, Foot::air(-0.38, 0.17, 54.0).wide(0.035, 20.0))
        .hand(Right, [0.12, 0.80, 0.66], [0.8, -0.4, -0.4])
        .blade(Right, [-0.02, -0.12, 1.0])
        .plume(4.0, 8.0)
        .cloth(8.0, 12.0)
}

/// The back foot comes up, the blade returns.
fn gather() -> Pose {
    low(0.85, 0.9, 1.0)
        .hips(0.0, -0.29, 0.05)
        .foot(Left, Foot::flat(0.22).wide(0.03, 8.0))
        .foot(Right, Foot::air(-0.22, 0.16, 50.0).wide(0.03, 20.0))
        .arm(Right, 30.0, -8.0, 12.0, 52.0)
        .plume(8.0, 12.0)
        .cloth(2.0, 2.0)
}

/// Gathered around the raised blade, then unfolded behind it.
pub fn air_attack() -> Script {
    let raised = |most: f64| {
        gathered(0.0)
            .turn("hips", [-4.0, -20.0 * most, 0.0])
            .trunk(-8.0 * most, -24.0 * most, 4.0)
            .head(8.0, 34.0 * most, 0.0)
            .shoulder(Right, 14.0, -6.0)
            .arm(Left, 60.0, 4.0, 14.0, 40.0)
            .hand(Right, [0.25, 1.66, -0.10 - 0.04 * most], [0.8, 0.1, 0.5])
            .blade(Right, [-0.10, 0.45 - 0.2 * most, -0.85])
            .plume(6.0, 12.0)
    };
    let over = gathered(0.4)
        .turn("hips", [10.0, -2.0, 0.0])
        .trunk(12.0, 4.0, 0.0)
        .head(-12.0, 0.0, 0.0)
        .shoulder(Right, 14.0, 8.0)
        .arm(Left, 10.0, 4.0, 12.0, 56.0)
        .hand(Right, [0.16, 1.72, 0.42], [0.8, -0.2, 0.3])
        .blade(Right, [-0.04, 0.80, 0.55])
        .plume(-10.0, -18.0);
    let through = |down: f64| {
        gathered(1.0)
            .turn("hips", [18.0 + 4.0 * down, 16.0, 0.0])
            .trunk(26.0 + 8.0 * down, 22.0, -3.0)
            .head(-22.0 - 6.0 * down, -28.0, 0.0)
            .shoulder(Right, 2.0, 14.0)
            .arm(Left, -40.0, 16.0, 8.0, 50.0)
            .hand(Right, [0.08 - 0.02 * down, 1.02 - 0.28 * down, 0.70 - 0.16 * down], [0.8, -0.5, -0.2])
            .blade(Right, [-0.08, -0.30 - 0.55 * down, 1.0 - 0.55 * down])
            .plume(-14.0 + 22.0 * down, -28.0 + 36.0 * down)
            .cloth(14.0, 26.0)
    };
    Script::once("air attack")
        .pose(1, raised(0.8))
        .pose(1, raised(1.1))
        .pose(1, over)
        .pose(2, through(0.0))
        .pose(4, through(1.0))
        .pose(6, through(0.85).plume(16.0, 30.0).cloth(20.0, 34.0))
        .pose(0, through(0.4).plume(20.0, 34.0).cloth(20.0, 34.0))
        .event(2, "sound swing")
}

/// Legs in the air: both knees up at 0, kicked out behind the cut at 1.
fn gathered(kick: f64) -> Pose {
    Pose::default()
        .hips(0.0, 0.02, 0.02 * kick)
        .foot(Left, Foot::air(0.20 + 0.04 * kick, 0.34 - 0.16 * kick, 16.0))
        .foot(Right, Foot::air(-0.16 - 0.14 * kick, 0.26 + 0.04 * kick, 50.0))
        .shoulder(Left, 4.0, 0.0)
        .wrist(Left, 0.0, 0.0, 0.0)
        .cloth(6.0, 12.0)
}

/// Down over the left shoulder, over the curled back, and up again with the speed of it.
pub fn roll() -> Script {
    let dive = Pose::default()
        .hips(0.0, -0.40, 0.10)
        .turn("hips", [58.0, 8.0, 0.0])
        .trunk(34.0, 10.0, 0.0)
        .head(18.0, 0.0, 0.0)
        .foot(Left, Foot::ball(0.02, 40.0).wide(0.02, 6.0))
        .foot(Right, Foot::ball(-0.26, 58.0).wide(0.02, 10.0))
        .arm(Left, 96.0, -6.0, 10.0, 30.0)
        .arm(Right, 78.0, 6.0, 10.0, 40.0)
        .wrist(Left, 0.0, 0.0, 0.0)
        .wrist(Right, -20.0, 0.0, 0.0)
        .plume(-16.0, -20.0)
        .cloth(0.0, 10.0);
    Script::once("roll")
        .pose(1, low(0.7, 0.8, 0.0).way(0.0))
        .pose(1, dive.way(0.16))
        .pose(1, ball(112.0, 0.04, 0.6).plume(-50.0, -60.0).way(0.45))
        .pose(2, ball(160.0, -0.28, 0.95).plume(-50.0, -60.0).way(0.78))
        .pose(2, ball(240.0, -0.64, 1.0).plume(-40.0, -40.0).way(1.35))
        .pose(2, ball(305.0, -0.35, 0.8).plume(10.0, 20.0).way(1.95))
        .pose(2, up().way(2.40))
        .pose(2, low(0.62, 0.7, -0.8).turn("hips", [372.0, -14.0, 0.0]).plume(-12.0, -22.0).way(2.72))
        .pose(0, guard().turn("hips", [362.0, -10.0, 0.0]).way(2.88))
        .event(3, "effect dust")
        .event(11, "footstep")
}

/// A ball that is turned forwards: knees at the chest, the chin too, the blade along the shin.
fn ball(turned: f64, up: f64, curl: f64) -> Pose {
    Pose::default()
        .hips(0.0, up, 0.0)
        .turn("hips", [turned, 0.0, 0.0])
        .trunk(78.0 * curl, 0.0, 0.0)
        .head(46.0 * curl, 0.0, 0.0)
        .leg(Left, 122.0 * curl, 128.0 * curl, 4.0, 24.0)
        .leg(Right, 108.0 * curl, 122.0 * curl, 8.0, 24.0)
        .shoulder(Left, 0.0, 14.0)
        .shoulder(Right, 0.0, 14.0)
        .arm(Left, 58.0, -8.0, 16.0, 84.0)
        .arm(Right, 52.0, -4.0, 16.0, 70.0)
        .wrist(Left, 0.0, 0.0, 0.0)
        .wrist(Right, 30.0, 0.0, 0.0)
        .plume(10.0, 20.0)
        .cloth(-20.0, 16.0)
}

/// The feet have the ground again, the seat is still near it.
fn up() -> Pose {
    Pose::default()
        .hips(0.0, -0.50, -0.14)
        .turn("hips", [366.0, -8.0, 0.0])
        .trunk(52.0, 4.0, 0.0)
        .head(-20.0, 4.0, 0.0)
        .foot(Left, Foot::flat(0.12).wide(0.03, 10.0))
        .foot(Right, Foot::ball(-0.06, 34.0).wide(0.03, 18.0))
        .arm(Left, 44.0, -2.0, 14.0, 70.0)
        .arm(Right, 34.0, -4.0, 12.0, 66.0)
        .wrist(Left, 0.0, 0.0, 0.0)
        .wrist(Right, 26.0, 0.0, 0.0)
        .plume(14.0, 30.0)
        .cloth(-10.0, 2.0)
}
