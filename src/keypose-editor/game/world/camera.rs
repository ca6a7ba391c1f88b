//! The camera's target: it follows the player, looks ahead and ignores small jumps. Drawing clamps it to the level,
//! because only then the aspect ratio is known.

use glam::{I64Vec2, Vec2};

use crate::game::rules::actor::{Actor, Footing};
use crate::game::rules::collide::{Platforms, room_across, room_upward};
use crate::game::rules::locomotion::{GRAVITY, MAX_FALL_SPEED};
use crate::game::world::stage::Stage;
use crate::game::world::units::{TICK_SECS, grains, grains_of, metres, metres_of};
use keypose::assets::level::Rect;

/// Height of the target above the feet in metres.
const AIM_HEIGHT: f32 = 2.1;
/// Metres by which it looks ahead of a standing player.
const LOOK_AHEAD: f32 = 0.9;
/// Additional metres of looking ahead per metre per second of speed.
const LOOK_AHEAD_PER_SPEED: f32 = 0.28;
/// Metres that the player may rise or fall in the air before the camera follows: then there is ground in the picture. The second is for
/// one who jumps from a platform, from which it looks down.
const HOP_HEIGHT: [f32; 2] = [2.1, 1.5];
/// The feet are at most so far above the target, in metres: then the head is in the picture.
const MAX_ABOVE: f32 = 0.8;
/// The ground under a platform is looked for this far below it, in metres; the camera looks down by this part of the distance, up to a maximum.
const BELOW: f32 = 6.0;
const LOOK_DOWN: (f32, f32) = (0.4, 1.1);
/// Metres below a falling player to which the ground that it follows is at most: the player stays in the picture.
const DROP_HEIGHT: f32 = 3.3;
/// The part of its way up or down that it goes in a tick, and the same while it looks for where a fall ends.
const RISE_RATE: [f32; 2] = [0.09, 0.16];
/// Ticks of a step of the way of a fall, and the number of steps that it looks ahead.
const FALL_STEP: (f32, usize) = (4.0, 16);

/// The camera's target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Camera {
    /// Position in metres, in the plane of play.
    pub aim: Vec2,
    /// Metres by which it looks ahead of the player.
    pub ahead: f32,
    /// Height of the ground that it follows, in metres.
    pub ground: f32,
    /// Metres by which it looks down from a platform.
    pub down: f32,
}

impl Camera {
    /// A camera that looks at the player.
    pub fn at(player: &Actor) -> Camera {
        let feet = metres_of(player.feet);
        let ahead = player.facing.sign() * LOOK_AHEAD;
        Camera { aim: feet + Vec2::new(ahead, AIM_HEIGHT), ahead, ground: feet.y, down: 0.0 }
    }

    /// Follows the player for one tick. Where a fall ends is seen before the player is there.
    pub fn step(&mut self, player: &Actor, stage: &Stage) {
        let feet = metres_of(player.feet);
        if !feet.distance(self.aim).le(&30.0) {
            *self = Camera::at(player);
            return;
        }
        let ahead = player.facing.sign() * LOOK_AHEAD + player.velocity.x * LOOK_AHEAD_PER_SPEED;
        self.ahead += (ahead - self.ahead) * 0.035;
        let landing = landing(player, stage);
        self.ground = match player.footing {
            Footing::Air => match landing {
                Some(height) => height.clamp(feet.y - DROP_HEIGHT, feet.y + 0.2),
                None => self.ground.clamp(feet.y - HOP_HEIGHT[usize::from(self.down > 0.0)], feet.y + 0.2),
            },
            _ => feet.y,
        };
        if player.footing == Footing::Ground {
            let below = room_upward(stage, &player.body(), -grains(BELOW), Platforms::Passed);
            self.down = (metres(-below) * LOOK_DOWN.0).min(LOOK_DOWN.1);
        }
        let wanted = Vec2::new(feet.x + self.ahead, self.ground + AIM_HEIGHT - self.down);
        self.aim.x += (wanted.x - self.aim.x) * 0.16;
        self.aim.y += (wanted.y - self.aim.y) * RISE_RATE[usize::from(landing.is_some())];
        self.aim.y = self.aim.y.max(feet.y - MAX_ABOVE);
    }
}

/// The height in metres at which a fall will end, if that is near.
fn landing(player: &Actor, stage: &Stage) -> Option<f32> {
    if player.footing != Footing::Air || player.velocity.y >= 0.0 || player.flies {
        return None;
    }
    let (mut body, mut velocity) = (player.body(), player.velocity);
    let (ticks, steps) = FALL_STEP;
    for _ in 0..steps {
        let by = grains_of(velocity * ticks * TICK_SECS);
        body = body.moved(I64Vec2::new(room_across(stage, &body, by.x), 0));
        let fallen = room_upward(stage, &body, by.y, Platforms::Solid);
        body = body.moved(I64Vec2::new(0, fallen));
        if fallen != by.y {
            return Some(metres(body.min.y));
        }
        velocity.y = (velocity.y - GRAVITY * ticks * TICK_SECS).max(-MAX_FALL_SPEED);
    }
    None
}

/// The nearest target for which a view of size `view`, in metres, shows nothing outside of the level. The centre of the
/// level if it is smaller than the view.
pub fn clamped(aim: Vec2, view: Vec2, bounds: &Rect) -> Vec2 {
    let half = view * 0.5;
    let (low, high) = (bounds.min + half, bounds.max - half);
    let across = if low.x < high.x { aim.x.clamp(low.x, high.x) } else { bounds.center().x };
    Vec2::new(across, aim.y.max(low.y))
}
