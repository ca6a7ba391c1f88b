//! A platform of a level that moves to and fro.

use glam::Vec2;

use crate::assets::level::Rect;

/// A platform that moves between two places: solid from above only, it carries what stands on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover {
    /// Box at the start.
    pub rect: Rect,
    /// The way to its other place, in metres.
    pub way: Vec2,
    /// The seconds of one way, 0.2 to 60.
    pub secs: f32,
    /// The seconds for which it stands at each end, 0 to 60.
    pub pause: f32,
}

impl Mover {
    /// The shortest and the longest time of one way.
    pub const SECS: [f32; 2] = [0.2, 60.0];
    /// The shortest and the longest pause.
    pub const PAUSE: [f32; 2] = [0.0, 60.0];
    /// The longest way in metres for each second of it.
    pub const MAX_SPEED: f32 = 10.0;

    /// A platform that goes up by three metres.
    pub fn new(rect: Rect) -> Mover {
        Mover { rect, way: Vec2::new(0.0, 3.0), secs: 2.5, pause: 1.0 }
    }

    /// Returns the box at the other end of the way.
    pub fn far(&self) -> Rect {
        Rect { min: self.rect.min + self.way, max: self.rect.max + self.way }
    }

    /// The platform with a way that is short enough for its time.
    pub fn slowed(self) -> Mover {
        Mover { way: self.way.clamp_length_max(Mover::MAX_SPEED * self.secs * 0.999), ..self }
    }

    /// Checks its numbers except the box.
    pub fn check(&self) -> Result<(), String> {
        let Mover { way, secs, pause, .. } = *self;
        let [[least, most], [shortest, longest]] = [Mover::SECS, Mover::PAUSE];
        if !(least..=most).contains(&secs) {
            return Err(format!("the time of {secs} s is not in {least} to {most}"));
        }
        if !(shortest..=longest).contains(&pause) {
            return Err(format!("the pause of {pause} s is not in {shortest} to {longest}"));
        }
        if way.length() <= Mover::MAX_SPEED * secs {
            Ok(())
        } else {
            Err(format!("the way {} {} is too long for {secs} s: {} m/s at most", way.x, way.y, Mover::MAX_SPEED))
        }
    }
}
