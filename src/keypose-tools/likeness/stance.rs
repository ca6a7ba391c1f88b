//! How a character stands in a clip, if not on its feet.

use glam::DVec3;

use crate::clip_transfer::frames::Frames;
use crate::likeness::body::Body;

/// A trunk that is tilted more lies, as the cosine of the angle.
const LYING: f64 = 0.5;
/// How much of a trunk's front looks down or up for it to lie on its face or back.
const FLAT: f64 = 0.6;
/// Hips lower than this, in leg lengths above the ground, sit, kneel or lie: feet carry nothing.
const LOW: f64 = 0.5;
/// Soles that are always higher above the ground float, in leg lengths.
const FLOATING: f64 = 0.08;
/// Soles that are this deep in the ground are sunk, in leg lengths.
const SUNK: f64 = 0.15;

/// Stances of which something is probably wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stance {
    /// The whole clip on the face.
    FaceDown,
    /// The whole clip on the back.
    OnBack,
    /// The whole clip on a side.
    OnSide,
    /// The whole clip with the head down.
    HeadDown,
    /// Feet are never near the ground.
    Floats,
    /// A foot is far below the ground.
    Sinks,
}

impl Stance {
    /// The stance in poses of a clip, and its figure: the angle of the trunk in degrees, or a height in leg lengths. `None` if it
    /// stands, or if its rest pose doesn't, so that nothing is known of the ground.
    pub fn of(body: &Body, poses: &[Frames]) -> Option<(Stance, f64)> {
        if !body.stands() || poses.is_empty() {
            return None;
        }
        let trunks: Vec<_> = poses.iter().filter_map(|frames| body.basis(frames)).collect();
        if trunks.len() == poses.len() && trunks.iter().all(|trunk| trunk.y_axis.y < LYING) {
            let mean = |of: fn(&glam::DMat3) -> DVec3| {
                trunks.iter().map(|trunk| of(trunk).y).sum::<f64>() / trunks.len() as f64
            };
            let (up, front) = (mean(|trunk| trunk.y_axis), mean(|trunk| trunk.z_axis));
            let stance = match front {
                _ if up < -FLAT => Stance::HeadDown,
                front if front < -FLAT => Stance::FaceDown,
                front if front > FLAT => Stance::OnBack,
                _ => Stance::OnSide,
            };
            return Some((stance, up.clamp(-1.0, 1.0).acos().to_degrees()));
        }
        match lowest_sole(body, poses) {
            lowest if lowest.is_finite() && lowest > FLOATING => Some((Stance::Floats, lowest)),
            lowest if lowest < -SUNK => Some((Stance::Sinks, lowest)),
            _ => None,
        }
    }

    /// The stance of one character, if another one doesn't stand like that in a clip.
    pub fn of_one_alone(one: (&Body, &[Frames]), other: (&Body, &[Frames])) -> Option<Stance> {
        let stance = Stance::of(one.0, one.1)?.0;
        let apart = lowest_sole(one.0, one.1) - lowest_sole(other.0, other.1);
        let is_other = match stance {
            Stance::Floats | Stance::Sinks => apart.abs() > FLOATING,
            Stance::FaceDown | Stance::OnBack | Stance::OnSide | Stance::HeadDown => {
                Stance::of(other.0, other.1).is_none_or(|(other, _)| other != stance)
            }
        };
        is_other.then_some(stance)
    }

    /// The verb of a sentence about the character: "floats above the ground".
    pub fn words(self) -> &'static str {
        match self {
            Stance::FaceDown => "lies on the face",
            Stance::OnBack => "lies on the back",
            Stance::OnSide => "lies on a side",
            Stance::HeadDown => "stands on the head",
            Stance::Floats => "floats above the ground",
            Stance::Sinks => "sinks into the ground",
        }
    }
}

/// The height of the lowest sole above the ground, in leg lengths, over all poses in which feet carry the body.
fn lowest_sole(body: &Body, poses: &[Frames]) -> f64 {
    let ground = body.ground(poses);
    let stands = |frames: &&Frames| (body.roots(frames).y - ground) / body.leg > LOW;
    let sole = |frames: &Frames| {
        let points = [0, 1].map(|foot| body.sole(frames, foot, ground));
        points.into_iter().flatten().map(|point| point.y).fold(f64::INFINITY, f64::min)
    };
    poses.iter().filter(stands).map(sole).fold(f64::INFINITY, f64::min)
}
