//! Marks of a frame for a game, in pixels of the canvas: volumes, sockets and events.

/// A volume as it is seen: a capsule whose ends are circles, with the box around it.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeMark {
    /// The name of the volume.
    pub name: String,
    /// The ends of its axis.
    pub ends: [[f32; 2]; 2],
    /// Radius in pixels.
    pub radius: f32,
    /// The group and the damage of a hit.
    pub hit: Option<HitMark>,
}

/// Effects of a hit volume.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct HitMark {
    pub group: u8,
    pub damage: u16,
    pub angle: f32,
    pub knockback: f32,
    pub stun: u16,
}

/// A socket as it is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct SocketMark {
    /// The name of the socket.
    pub name: String,
    /// Place of the origin.
    pub at: [f32; 2],
    /// The direction of its x axis in degrees, clockwise from the right.
    pub degrees: f32,
}

/// The marks of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// The events of the clip while the frame is shown.
    pub events: Vec<String>,
    /// Volumes that hit while it is shown.
    pub hits: Vec<VolumeMark>,
    /// Volumes that can be hit.
    pub hurts: Vec<VolumeMark>,
    /// Sockets of the model, in its order.
    pub sockets: Vec<SocketMark>,
}

impl VolumeMark {
    /// The smallest box of whole pixels around it: left, top, width, height.
    pub fn bounds(&self) -> [i32; 4] {
        let [[x0, y0], [x1, y1]] = self.ends;
        let low = |a: f32, b: f32| (a.min(b) - self.radius).floor() as i32;
        let high = |a: f32, b: f32| (a.max(b) + self.radius).ceil() as i32;
        let [left, top, right, bottom] = [low(x0, x1), low(y0, y1), high(x0, x1), high(y0, y1)];
        [left, top, (right - left).max(1), (bottom - top).max(1)]
    }
}
