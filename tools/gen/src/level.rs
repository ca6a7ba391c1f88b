//! The demo's level: a courtyard with a dummy to try the sword on, and from there to the right goblins, ladders, a tunnel and a
//! goal behind their chief.

use glam::Vec2;
use keypose::assets::level::{FoeKind, FoePlace, Level, Rect};

use crate::decor;

/// The level with what stands around it.
pub fn demo() -> Level {
    Level {
        name: "courtyard".into(),
        solids: solids(),
        platforms: platforms(),
        ladders: vec![
            Rect::new(14.2, 0.0, 14.9, 3.2),
            Rect::new(-10.9, 0.0, -10.2, 2.8),
            Rect::new(60.2, 0.0, 60.9, 4.0),
        ],
        spawn: Vec2::new(-1.0, 0.0),
        player: "knight".into(),
        decor: decor::courtyard(),
        look: decor::look(),
        kinds: kinds(),
        foes: foes(),
        checkpoints: [(17.0, 3.2), (39.8, 0.0), (62.5, 4.0)].map(Vec2::from).to_vec(),
        coins: coins(),
        goal: Some(Rect::new(80.2, 0.0, 81.2, 3.0)),
    }
}

fn solids() -> Vec<Rect> {
    vec![
        Rect::new(-14.0, -2.0, 9.0, 0.0),
        Rect::new(-15.0, -2.0, -14.0, 6.0),
        Rect::new(3.0, 0.0, 4.5, 0.6),
        Rect::new(4.5, 0.0, 6.0, 1.2),
        Rect::new(-14.0, 0.0, -11.0, 2.8),
        // The plateau behind the first gap, and the steps down from it.
        Rect::new(11.5, -2.0, 26.0, 0.0),
        Rect::new(15.0, 0.0, 25.0, 3.2),
        Rect::new(25.0, 0.0, 26.6, 2.2),
        Rect::new(26.6, -2.0, 28.2, 1.1),
        // The meadow of the second group.
        Rect::new(26.0, -2.0, 43.0, 0.0),
        Rect::new(41.2, 0.0, 43.0, 0.9),
        // Stones in the second gap.
        Rect::new(44.6, -2.0, 45.6, 0.5),
        // The tunnel.
        Rect::new(47.0, -2.0, 68.0, 0.0),
        Rect::new(50.0, 1.25, 54.5, 3.4),
        // The tower, its steps, and the place before the goal.
        Rect::new(61.0, 0.0, 68.0, 4.0),
        Rect::new(68.0, -2.0, 69.6, 2.7),
        Rect::new(69.6, -2.0, 71.2, 1.3),
        Rect::new(71.2, -2.0, 84.0, 0.0),
        Rect::new(82.6, 0.0, 84.0, 7.0),
    ]
}

fn platforms() -> Vec<Rect> {
    vec![
        Rect::new(7.0, 1.9, 8.6, 2.1),
        Rect::new(9.4, 2.5, 11.0, 2.7),
        Rect::new(-7.5, 1.5, -5.0, 1.7),
        Rect::new(-4.4, 2.7, -1.8, 2.9),
        Rect::new(30.6, 1.6, 32.8, 1.8),
        Rect::new(33.6, 3.0, 35.8, 3.2),
        Rect::new(36.8, 4.4, 38.4, 4.6),
        Rect::new(57.0, 1.8, 58.8, 2.0),
    ]
}

fn kinds() -> Vec<FoeKind> {
    let goblin = FoeKind {
        name: "goblin".into(),
        model: "goblin".into(),
        size: 0.82,
        health: 36,
        patrol: 1.6,
        notice: 5.0,
        reach: 1.15,
        pause: 60,
        speed: 0.45,
        chase: 0.85,
        mask: FoeKind::FOE,
    };
    let chief = FoeKind {
        name: "chief".into(),
        size: 1.25,
        health: 110,
        patrol: 0.0,
        notice: 6.0,
        reach: 1.6,
        pause: 34,
        chase: 1.05,
        ..goblin.clone()
    };
    let dummy = FoeKind {
        name: "dummy".into(),
        model: "dummy".into(),
        size: 1.0,
        health: 0,
        patrol: 0.0,
        notice: 0.0,
        mask: FoeKind::DUMMY,
        ..goblin.clone()
    };
    vec![dummy, goblin, chief]
}

fn foes() -> Vec<FoePlace> {
    let foe = |kind: &str, x: f32, y: f32| FoePlace { kind: kind.into(), place: Vec2::new(x, y), faces_left: true };
    vec![
        foe("dummy", 1.7, 0.0),
        foe("goblin", 7.6, 0.0),
        foe("goblin", 21.0, 3.2),
        foe("goblin", 32.0, 0.0),
        foe("goblin", 37.6, 0.0),
        foe("goblin", 57.0, 0.0),
        foe("goblin", 65.5, 4.0),
        foe("chief", 77.0, 0.0),
    ]
}

/// A row of them marks a way, a single one is hidden.
fn coins() -> Vec<Vec2> {
    let mut coins: Vec<Vec2> = [
        (-12.5, 3.5),
        (-6.2, 2.4),
        (-3.1, 3.6),
        (7.8, 2.8),
        (10.2, 3.4),
        (23.5, 3.9),
        (31.7, 2.5),
        (34.7, 3.9),
        (37.6, 5.3),
        (45.1, 1.4),
        (52.2, 0.5),
        (57.9, 2.7),
        (64.0, 4.9),
        (73.5, 0.7),
    ]
    .map(Vec2::from)
    .to_vec();
    coins.extend((0..3_u8).map(|at| Vec2::new(18.4 + 0.9 * f32::from(at), 3.9)));
    coins
}
