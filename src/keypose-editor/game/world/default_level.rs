//! The default level, for archives without a level. It has every kind of obstacle, from left to right.

use glam::Vec2;

use keypose::assets::level::{Decor, DecorShape, FoeKind, FoePlace, Level, Rect};

/// Steps, platforms, a ladder, a tunnel to crouch through, a gap to fall into.
pub fn default_level() -> Level {
    Level {
        name: "test level".into(),
        solids: solids(),
        platforms: vec![
            Rect::new(13.0, 2.0, 16.0, 2.2),
            Rect::new(16.8, 3.6, 19.6, 3.8),
            Rect::new(46.0, 2.0, 48.6, 2.2),
            Rect::new(49.4, 3.4, 52.0, 3.6),
        ],
        ladders: vec![Rect::new(22.6, 0.0, 23.4, 5.0), Rect::new(54.6, 0.0, 55.4, 4.6)],
        spawn: Vec2::new(2.0, 0.0),
        decor: decor(),
        // To try attacks on: it looks like the player.
        kinds: vec![FoeKind { name: "dummy".into(), health: 0, mask: FoeKind::DUMMY, ..FoeKind::default() }],
        foes: vec![FoePlace { kind: "dummy".into(), place: Vec2::new(4.6, 0.0), faces_left: true }],
        ..Level::default()
    }
}

fn solids() -> Vec<Rect> {
    vec![
        // The ground, with a gap to jump over.
        Rect::new(-4.0, -3.0, 33.0, 0.0),
        Rect::new(36.0, -3.0, 66.0, 0.0),
        // The left end.
        Rect::new(-4.0, 0.0, -2.5, 7.0),
        // Steps: low ones are walked, high ones are jumped.
        Rect::new(6.5, 0.0, 10.0, 0.3),
        Rect::new(7.5, 0.3, 10.0, 0.6),
        Rect::new(8.5, 0.6, 10.0, 1.6),
        // The end of the ladder.
        Rect::new(23.4, 4.6, 30.0, 5.0),
        // A tunnel to crouch through.
        Rect::new(38.5, 1.25, 43.5, 3.0),
        // A tower with a ladder.
        Rect::new(55.4, 0.0, 59.0, 4.6),
        // The right end.
        Rect::new(64.5, 0.0, 66.0, 7.0),
    ]
}

/// Distant hills, trees, and stones in front.
fn decor() -> Vec<Decor> {
    let mut decor = Vec::new();
    let mut add = |shape, rect, z, depth, color| decor.push(Decor { shape, rect, z, depth, color });
    add(DecorShape::Box, Rect::new(-90.0, -8.0, 150.0, -0.6), -33.0, 60.0, [118, 148, 98]);
    // Water in the gap.
    add(DecorShape::Box, Rect::new(33.0, -3.0, 36.0, -1.3), -0.9, 3.2, [74, 126, 168]);
    for (at, left) in (0..7_u8).map(|at| (at, -40.0 + 22.0 * f32::from(at))) {
        let height = 15.0 + 6.0 * f32::from(at * 5 % 4);
        let tint = [138 + 6 * (at % 3), 156 + 4 * (at % 3), 178];
        add(DecorShape::Pyramid, Rect::new(left, -4.0, left + 26.0, height), -46.0, 20.0, tint);
    }
    for (at, left) in (0..9_u8).map(|at| (at, -24.0 + 13.0 * f32::from(at))) {
        let height = 4.5 + 1.5 * f32::from(at * 7 % 3);
        add(DecorShape::Round, Rect::new(left, -6.0, left + 19.0, height), -24.0, 12.0, [122, 152 + 5 * (at % 3), 112]);
    }
    for (at, left) in (0..12_u8).map(|at| (at, -2.0 + 5.7 * f32::from(at))) {
        let size = 0.9 + 0.25 * f32::from(at * 3 % 4);
        let z = -4.5 - f32::from(at * 5 % 3);
        let middle = left + 1.1 * f32::from(at * 2 % 3);
        let trunk = Rect::new(middle - 0.16, -0.4, middle + 0.16, 1.7 * size);
        add(DecorShape::Box, trunk, z, 0.32, [104, 80, 62]);
        let crown = Rect::new(middle - 1.1 * size, 1.1 * size, middle + 1.1 * size, 3.9 * size);
        let shape = if at % 3 == 0 { DecorShape::Pyramid } else { DecorShape::Round };
        add(shape, crown, z, 2.0 * size, [88 + 8 * (at % 2), 132 + 7 * (at % 3), 78]);
    }
    decor
}
