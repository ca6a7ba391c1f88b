//! The camera's target: it follows the player, looks ahead and ignores small jumps. Drawing clamps it to the level,
//! because only then the aspect ratio is known.

use glam::Vec2;

use crate::assets::level::Rect;
use crate::game::actor::{Actor, Footing};
use crate::game::units::metres_of;

/// Height of the target above the feet in metres.
const AIM_HEIGHT: f32 = 2.1;
/// Metres by which it looks ahead of a standing player.
const LOOK_AHEAD: f32 = 0.9;
/// Additional metres of looking ahead per metre per second of speed.
const LOOK_AHEAD_PER_SPEED: f32 = 0.28;
/// Metres that the player may rise or fall in the air before the camera follows.
const HOP_HEIGHT: f32 = 1.6;

/// The camera's target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Camera {
    /// Position in metres, in the plane of play.
    pub aim: Vec2,
    /// Metres by which it looks ahead of the player.
    pub ahead: f32,
    /// Height of the ground that it follows, in metres.
    pub ground: f32,
}

impl Camera {
    /// A camera that looks at the player.
    pub fn at(player: &Actor) -> Camera {
        let feet = metres_of(player.feet);
        let ahead = player.facing.sign() * LOOK_AHEAD;
        Camera { aim: feet + Vec2::new(ahead, AIM_HEIGHT), ahead, ground: feet.y }
    }

    /// Follows the player for one tick.
    pub fn step(&mut self, player: &Actor) {
        let feet = metres_of(player.feet);
        if !feet.distance(self.aim).le(&30.0) {
            *self = Camera::at(player);
            return;
        }
        let ahead = player.facing.sign() * LOOK_AHEAD + player.velocity.x * LOOK_AHEAD_PER_SPEED;
        self.ahead += (ahead - self.ahead) * 0.035;
        self.ground = match player.footing {
            Footing::Air => self.ground.clamp(feet.y - HOP_HEIGHT, feet.y + 0.2),
            _ => feet.y,
        };
        let wanted = Vec2::new(feet.x + self.ahead, self.ground + AIM_HEIGHT);
        self.aim.x += (wanted.x - self.aim.x) * 0.16;
        self.aim.y += (wanted.y - self.aim.y) * 0.09;
    }
}

/// The nearest target for which a view of size `view`, in metres, shows nothing outside of the level. The centre of the
/// level if it is smaller than the view.
pub fn clamped(aim: Vec2, view: Vec2, bounds: &Rect) -> Vec2 {
    let half = view * 0.5;
    let (low, high) = (bounds.min + half, bounds.max - half);
    let across = if low.x < high.x { aim.x.clamp(low.x, high.x) } else { bounds.center().x };
    Vec2::new(across, aim.y.max(low.y))
}
