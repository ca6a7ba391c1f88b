//! The demo's level: a courtyard to walk, steps to jump, a ladder to climb.

use glam::Vec2;
use keypose::assets::level::{Level, Rect};

use crate::decor;

/// The level with what stands around it.
pub fn demo() -> Level {
    Level {
        name: "courtyard".into(),
        solids: vec![
            Rect::new(-14.0, -2.0, 9.0, 0.0),
            Rect::new(-15.0, -2.0, -14.0, 6.0),
            Rect::new(3.0, 0.0, 4.5, 0.6),
            Rect::new(4.5, 0.0, 6.0, 1.2),
            Rect::new(11.5, -2.0, 22.0, 0.0),
            Rect::new(15.0, 0.0, 22.0, 3.2),
            Rect::new(21.0, 3.2, 22.0, 8.0),
            Rect::new(-14.0, 0.0, -11.0, 2.8),
        ],
        platforms: vec![
            Rect::new(7.0, 1.9, 8.6, 2.1),
            Rect::new(9.4, 2.5, 11.0, 2.7),
            Rect::new(-7.5, 1.5, -5.0, 1.7),
            Rect::new(-4.4, 2.7, -1.8, 2.9),
        ],
        ladders: vec![Rect::new(14.2, 0.0, 14.9, 3.2), Rect::new(-10.9, 0.0, -10.2, 2.8)],
        spawn: Vec2::new(-1.0, 0.0),
        player: "knight".into(),
        decor: decor::courtyard(),
        look: decor::look(),
    }
}
