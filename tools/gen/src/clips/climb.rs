//! Up a ladder before him: 0.6 m in each cycle, two rungs 0.3 m apart. Hands and feet stay on their rungs, which sink
//! evenly past him; the game drives the clip by the distance climbed. Meanwhile the sword hangs on his back.

use crate::clips::pose::{Foot, Pose, Side};
use crate::clips::script::Script;
use crate::knight::bones::PUT_AWAY;

use Side::{Left, Right};

/// How far the rungs sink from one pose to the next.
const SINK: f64 = 0.6 / 8.0;
/// How far before him the rungs are.
const RUNG: f64 = 0.27;

/// Eight poses, the second four in the mirror.
pub fn climb() -> Script {
    let mut script = Script::looping("climb");
    for at in 0..8 {
        let pose = step(at % 4);
        script = script.pose(3, if at < 4 { pose } else { pose.mirrored() });
    }
    script.event(0, "rung").event(12, "rung")
}

/// The left hand has just taken hold; the right one leaves its rung next. Feet change half a step later.
fn step(at: usize) -> Pose {
    let sway = [0.0, 0.6, 1.0, 0.6][at];
    let pull = [0.0, -0.010, 0.0, 0.010][at];
    let climber = Pose::default()
        .hips(0.018 * sway, 0.03 + pull, -0.03)
        .turn("hips", [8.0, 5.0 * sway, 4.0 * sway])
        .trunk(4.0, -8.0 * sway, -6.0 * sway)
        .head(-16.0, 4.0 * sway, 3.0 * sway)
        .shoulder(Left, 20.0 - 4.0 * at as f64, 4.0)
        .shoulder(Right, 6.0 + 4.0 * at as f64, 4.0)
        .wrist(Left, 0.0, 0.0, 0.0)
        .wrist(Right, 0.0, 0.0, 0.0)
        .plume(0.0, 4.0 - 6.0 * sway)
        .cloth(-4.0, 2.0)
        .scale("weapon", PUT_AWAY)
        .scale("scabbard", 1.0);
    let climber = hand(climber, Left, at as f64);
    let climber = hand(climber, Right, at as f64 + 4.0);
    let climber = climber.foot(Left, foot(at as f64 + 1.0));
    climber.foot(Right, foot((at as f64 + 5.0) % 8.0))
}

/// A hand, `after` poses after it took hold: five on the rung, three on the way to the next but one.
fn hand(pose: Pose, side: Side, since: f64) -> Pose {
    let (top, elbow) = (1.80, [0.55, -0.7, -0.45]);
    let place = if since <= 5.0 {
        [0.17, top - SINK * since, RUNG]
    } else {
        let part = (since - 5.0) / 3.0;
        let low = top - SINK * 5.0;
        let away = 0.09 * part * (1.0 - part) * 4.0;
        [0.17 + 0.3 * away, low + (top - low) * part, RUNG - away]
    };
    pose.hand(side, place, elbow)
}

/// A foot, `after` poses after it stepped on: five on the rung, three on the way up. Its ball rests on the rung.
fn foot(since: f64) -> Foot {
    let (top, low) = (0.38, 0.38 - SINK * 5.0);
    let forward = RUNG - 0.145;
    let placed = if since <= 5.0 {
        Foot::air(forward, top - SINK * since, 6.0)
    } else {
        let part = (since - 5.0) / 3.0;
        let away = part * (1.0 - part) * 4.0;
        Foot::air(forward - 0.10 * away, low + (top - low) * part + 0.02 * away, 6.0 + 16.0 * away)
    };
    placed.wide(0.01, 10.0)
}
