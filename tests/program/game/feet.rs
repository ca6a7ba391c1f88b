//! Feet on slopes and steps in the gameplay mode, with the knight of the demo: they stand on the ground, hips go down no farther than the
//! standing foot needs, knees bend forwards, and nothing of it affects the simulation.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use keypose::assets::leg_bones::{leg_bones, pelvis_of};
use keypose::assets::level::slope::Slope;
use keypose::assets::level::{Level, Rect};
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::scene::frame;
use keypose_editor::game::step::step;
use keypose_editor::game::world::World;
use keypose_editor::game::world::units::metres_of;

use super::{demo, hold};

const WALKS: [(Buttons, f32); 4] = [
    (Buttons::RIGHT, 4.0),
    (Buttons::LEFT, 28.0),
    (Buttons(Buttons::RIGHT.0 | Buttons::RUN.0), 4.0),
    (Buttons(Buttons::LEFT.0 | Buttons::RUN.0), 28.0),
];

/// A slope of 2 in 3 to the right, a floor with a step to the left.
fn hill() -> Level {
    Level {
        name: "hill".into(),
        player: "knight".into(),
        solids: vec![Rect::new(-40.0, -1.0, 30.0, 0.0), Rect::new(-12.0, 0.0, -10.0, 0.3)],
        slopes: vec![Slope { rect: Rect::new(0.0, 0.0, 30.0, 20.0), rises_left: false }],
        ..Level::default()
    }
}

pub fn flat() -> Level {
    Level { solids: vec![Rect::new(-200.0, -1.0, 200.0, 0.0)], slopes: Vec::new(), ..hill() }
}

/// The height of the ground of [`hill`].
fn ground(x: f32) -> f32 {
    match x {
        x if x > 0.0 => hill().slopes[0].height_at(x),
        x if (-12.0..=-10.0).contains(&x) => 0.3,
        _ => 0.0,
    }
}

pub fn world(level: Level, x: f32) -> World {
    let height = if level.slopes.is_empty() { 0.0 } else { ground(x) };
    let level = Level { spawn: Vec2::new(x, height), ..level };
    Play::new(&demo().characters, Some(&Arc::new(level)), 1).world().clone()
}

/// The same world whose player's feet don't follow the ground.
fn without_legs(world: &World) -> World {
    let mut cast = (*world.cast).clone();
    cast.player.as_mut().unwrap().legs = None;
    World { cast: Arc::new(cast), ..world.clone() }
}

/// Where joints of the player are drawn in the level.
#[derive(Clone, Debug, PartialEq)]
struct Joints {
    pelvis: Vec3,
    /// Hips, knees and ankles.
    legs: Vec<[Vec3; 3]>,
}

fn joints(before: &World, now: &World, alpha: f32) -> Joints {
    let frame = frame(before, now, alpha, 16.0 / 9.0);
    let draw = frame.models.iter().find(|draw| draw.model.name == "knight").unwrap();
    let skeleton = &draw.model.skeleton;
    let legs = leg_bones((&**skeleton).into());
    let at = |bone| draw.world_from_model.transform_point3(draw.pose.get(bone).translation());
    let pelvis = at(pelvis_of(skeleton, &legs).unwrap());
    Joints { pelvis, legs: legs.iter().map(|leg| [leg.root, leg.middle, leg.tip].map(at)).collect() }
}

fn shown(world: &World) -> Joints {
    joints(world, world, 1.0)
}

#[test]
fn standing_feet_are_on_the_ground_of_slopes_and_steps() {
    // On the slope, at its foot, at the edges of a step.
    for x in [7.0, 15.5, 0.15, -9.95, -9.98, -12.05] {
        for turn in [Buttons::NONE, Buttons::LEFT] {
            let [uneven, even] = [hill(), flat()].map(|level| {
                let mut world = world(level, x);
                hold(&mut world, turn, 1);
                hold(&mut world, Buttons::NONE, 90);
                shown(&world)
            });
            for (foot, flat) in uneven.legs.iter().zip(&even.legs) {
                let over = foot[2].y - ground(foot[2].x) - flat[2].y;
                assert!(over.abs() < 0.01, "at {x}, {turn:?}: {over} over the ground");
            }
        }
    }
}

#[test]
fn hips_go_down_with_the_standing_foot_only_and_softly() {
    for (held, x) in WALKS {
        let mut worlds = [world(hill(), x), world(flat(), x)];
        for world in &mut worlds {
            hold(world, held, 20);
        }
        let mut last = None;
        for tick in 0..100 {
            let heights = worlds.each_mut().map(|world| {
                step(world, held);
                shown(world).pelvis.y - metres_of(world.player.drawn_feet()).y
            });
            let lowered = heights[1] - heights[0];
            let at = format!("{held:?}, tick {tick}");
            // A leg is 0.75 m long.
            assert!((-0.01..0.15).contains(&lowered), "{at}: lowered by {lowered}");
            let change = lowered - last.replace(lowered).unwrap_or(lowered);
            assert!(change.abs() < 0.035, "{at}: changes by {change}");
        }
    }
}

#[test]
fn knees_bend_forwards_and_no_foot_is_in_the_ground() {
    for (held, x) in WALKS {
        let mut worlds = [world(hill(), x), world(flat(), x)];
        for world in &mut worlds {
            hold(world, held, 20);
        }
        let (mut lowest, mut nearest) = (f32::MAX, f32::MAX);
        for tick in 0..100 {
            let at = format!("{held:?}, tick {tick}");
            let [uneven, even] = worlds.each_mut().map(|world| {
                step(world, held);
                shown(world)
            });
            lowest = even.legs.iter().map(|leg| leg[2].y).fold(lowest, f32::min);
            for [hip, knee, ankle] in uneven.legs {
                let (thigh, shin) = ((knee - hip).normalize(), (ankle - knee).normalize());
                let bend = -thigh.cross(shin).z * worlds[0].player.facing.sign();
                assert!(bend > -0.02, "{at}: the sine of the knee is {bend}");
                nearest = nearest.min(ankle.y - ground(ankle.x));
            }
        }
        assert!((nearest - lowest).abs() < 0.02, "{held:?}: {nearest} over the ground, {lowest} on the flat");
    }
}

#[test]
fn on_flat_ground_nothing_changes() {
    for buttons in [Buttons::NONE, Buttons::RIGHT, Buttons::RIGHT | Buttons::RUN, Buttons::DOWN, Buttons::JUMP] {
        let legs = world(flat(), 0.0);
        let mut worlds = [without_legs(&legs), legs];
        for _ in 0..60 {
            worlds.iter_mut().for_each(|world| step(world, buttons));
            assert_eq!(shown(&worlds[0]), shown(&worlds[1]), "{buttons:?}");
        }
    }
}

#[test]
fn feet_are_drawn_and_decide_nothing() {
    let legs = world(hill(), 3.0);
    let mut worlds = [without_legs(&legs), legs];
    let mut is_seen = false;
    for tick in 0..240 {
        let buttons = [Buttons::RIGHT, Buttons::ATTACK, Buttons::LEFT | Buttons::RUN, Buttons::JUMP][tick / 20 % 4];
        worlds.iter_mut().for_each(|world| step(world, buttons));
        assert_eq!(worlds[0].digest(), worlds[1].digest(), "tick {tick}");
        is_seen |= shown(&worlds[0]) != shown(&worlds[1]);
    }
    assert!(is_seen, "feet don't follow the ground");
}

/// A frame at the start of a tick shows what the one at the end of the tick before showed.
#[test]
fn frames_between_ticks_join_up() {
    let mut now = world(hill(), -2.0);
    hold(&mut now, Buttons::NONE, 20);
    let mut last = shown(&now);
    for tick in 0..180 {
        let before = now.clone();
        step(&mut now, Buttons::RIGHT | Buttons::RUN);
        let start = joints(&before, &now, 0.0);
        let points = |joints: &Joints| joints.legs.concat();
        let apart = points(&last).iter().zip(points(&start)).map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
        assert!(apart < 0.002, "tick {tick}: {apart}");
        last = joints(&before, &now, 1.0);
    }
}
