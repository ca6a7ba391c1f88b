//! The camera's aim: it follows the player, looks ahead, and does not mind hops. The level's ends hold it back when it
//! is drawn, where the shape of the picture is known.

use glam::Vec2;

use crate::assets::level::Rect;
use crate::game::actor::{Actor, Footing};
use crate::game::units::metres_of;

/// Metres above the feet that it aims at.
const AIM_HEIGHT: f32 = 2.1;
/// Metres that it looks ahead of a player who stands.
const LOOK_AHEAD: f32 = 0.9;
/// Metres more for each metre a second.
const LOOK_AHEAD_PER_SPEED: f32 = 0.28;
/// Metres that the player may rise above, or fall below, before it follows in the air.
const HOP_ROOM: f32 = 1.6;

/// What the camera aims at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Camera {
    /// Metres, in the plane of play.
    pub aim: Vec2,
    /// Metres ahead of the player.
    pub ahead: f32,
    /// The height, in metres, of the ground that it keeps to.
    pub ground: f32,
}

impl Camera {
    /// Aimed at the player at once.
    pub fn at(player: &Actor) -> Camera {
        let feet = metres_of(player.feet);
        let ahead = player.facing.sign() * LOOK_AHEAD;
        Camera { aim: feet + Vec2::new(ahead, AIM_HEIGHT), ahead, ground: feet.y }
    }

    /// One tick of following.
    pub fn step(&mut self, player: &Actor) {
        let feet = metres_of(player.feet);
        if !feet.distance(self.aim).le(&30.0) {
            *self = Camera::at(player);
            return;
        }
        let ahead = player.facing.sign() * LOOK_AHEAD + player.velocity.x * LOOK_AHEAD_PER_SPEED;
        self.ahead += (ahead - self.ahead) * 0.035;
        self.ground = match player.footing {
            Footing::Air => self.ground.clamp(feet.y - HOP_ROOM, feet.y + 0.2),
            _ => feet.y,
        };
        let wanted = Vec2::new(feet.x + self.ahead, self.ground + AIM_HEIGHT);
        self.aim.x += (wanted.x - self.aim.x) * 0.16;
        self.aim.y += (wanted.y - self.aim.y) * 0.09;
    }
}

/// The nearest aim from which a picture of that size, in metres, shows nothing beyond the level's ends; the middle
/// where the level is smaller than the picture.
pub fn held_back(aim: Vec2, picture: Vec2, bounds: &Rect) -> Vec2 {
    let half = picture * 0.5;
    let (low, high) = (bounds.min + half, bounds.max - half);
    let across = if low.x < high.x { aim.x.clamp(low.x, high.x) } else { bounds.center().x };
    Vec2::new(across, aim.y.max(low.y))
}
