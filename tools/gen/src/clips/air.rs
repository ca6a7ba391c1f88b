//! Off the ground: jump, fall, land. The game moves him; these only say how it looks.

use crate::clips::ground::guard;
use crate::clips::pose::{Foot, Pose, Side};
use crate::clips::script::Script;

use Side::{Left, Right};

/// Off with a stretch, the left knee first, then both legs gathered at the top.
pub fn jump() -> Script {
    let push = Pose::default()
        .hips(0.0, 0.04, 0.04)
        .turn("hips", [6.0, -6.0, 0.0])
        .trunk(-4.0, 4.0, 0.0)
        .head(-14.0, 2.0, 0.0)
        .foot(Left, Foot::air(0.10, 0.10, 30.0))
        .foot(Right, Foot::air(-0.16, 0.075, 52.0))
        .arm(Left, 95.0, 8.0, 10.0, 38.0)
        .arm(Right, 70.0, 0.0, 14.0, 55.0)
        .wrist(Right, 18.0, 0.0, 0.0)
        .plume(14.0, 24.0)
        .cloth(-6.0, -4.0);
    let rise = Pose::default()
        .hips(0.0, 0.02, 0.02)
        .turn("hips", [2.0, -8.0, 0.0])
        .trunk(8.0, 6.0, 0.0)
        .head(-12.0, 2.0, 0.0)
        .foot(Left, Foot::air(0.28, 0.40, 22.0))
        .foot(Right, Foot::air(-0.20, 0.17, 55.0))
        .arm(Left, 62.0, 26.0, 10.0, 48.0)
        .arm(Right, 52.0, 14.0, 10.0, 66.0)
        .wrist(Right, 26.0, 0.0, 0.0)
        .plume(10.0, 20.0)
        .cloth(-4.0, 4.0);
    let top = Pose::default()
        .hips(0.0, 0.02, 0.0)
        .turn("hips", [6.0, -8.0, 0.0])
        .trunk(14.0, 6.0, 0.0)
        .head(-14.0, 2.0, 0.0)
        .foot(Left, Foot::air(0.26, 0.36, 18.0))
        .foot(Right, Foot::air(-0.14, 0.26, 48.0))
        .arm(Left, 34.0, 38.0, 8.0, 46.0)
        .arm(Right, 40.0, 22.0, 8.0, 62.0)
        .wrist(Right, 30.0, 0.0, 0.0)
        .plume(-4.0, -2.0)
        .cloth(4.0, 14.0);
    Script::once("jump").pose(3, push).pose(6, rise).pose(5, top.clone()).pose(0, top.cloth(8.0, 20.0))
}

/// Arms and cloth are carried up, the legs search for the ground.
pub fn fall() -> Script {
    let drop = |kick: f64, wave: f64| {
        Pose::default()
            .hips(0.0, 0.02, 0.0)
            .turn("hips", [8.0, -6.0, 0.0])
            .trunk(6.0 + wave, 4.0, 0.0)
            .head(10.0, 2.0, 0.0)
            .foot(Left, Foot::air(0.17 + 0.03 * kick, 0.20 + 0.03 * kick, 14.0))
            .foot(Right, Foot::air(-0.16 + 0.03 * kick, 0.15 - 0.03 * kick, 34.0))
            .shoulder(Left, 10.0, 0.0)
            .shoulder(Right, 8.0, 0.0)
            .arm(Left, 24.0 + 4.0 * wave, 62.0 + 6.0 * wave, 0.0, 38.0)
            .arm(Right, 34.0 + 3.0 * wave, 48.0 - 5.0 * wave, 0.0, 48.0)
            .blade(Right, [0.35, 0.40 + 0.06 * wave, 0.85])
            .plume(8.0 + 3.0 * wave, 20.0 - 5.0 * wave)
            .cloth(22.0 + 5.0 * wave, 38.0 - 6.0 * wave)
    };
    Script::looping("fall")
        .pose(5, drop(1.0, 0.0))
        .pose(5, drop(0.0, 1.0))
        .pose(5, drop(-1.0, 0.0))
        .pose(5, drop(0.0, -1.0))
}

/// Knees give, the trunk follows, then up into the guard.
pub fn land() -> Script {
    let squash = |depth: f64, lean: f64| {
        guard()
            .hips(0.0, -0.035 - 0.26 * depth, -0.02 * depth)
            .turn("hips", [2.0 + 14.0 * depth, -10.0, 0.0])
            .trunk(4.0 + 30.0 * lean, 2.0, 0.0)
            .head(-4.0 - 22.0 * lean, 8.0, 0.0)
            .foot(Left, Foot::flat(0.12).wide(0.035 + 0.02 * depth, 12.0))
            .foot(Right, Foot::flat(-0.10).wide(0.035 + 0.02 * depth, 20.0))
            .arm(Left, 10.0 + 22.0 * (1.0 - lean), -12.0 + 44.0 * (1.0 - lean), 8.0, 34.0)
            .arm(Right, 12.0 + 20.0 * (1.0 - lean), -10.0 + 36.0 * (1.0 - lean), 10.0, 52.0)
            .wrist(Right, 22.0 + 14.0 * lean, 0.0, 0.0)
    };
    Script::once("land")
        .pose(2, squash(0.35, 0.0).plume(18.0, 34.0).cloth(14.0, 22.0))
        .pose(2, squash(1.0, 0.7).plume(0.0, 10.0).cloth(0.0, 6.0))
        .pose(4, squash(0.8, 1.0).plume(-12.0, -20.0).cloth(-4.0, 0.0))
        .pose(4, squash(0.2, 0.5).plume(4.0, -6.0))
        .pose(0, guard())
        .event(0, "land")
}
