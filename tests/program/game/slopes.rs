//! Slopes in the gameplay mode: bodies rest on them, walk up and down at one speed without hops, and never overlap them; foes, too.

use std::sync::Arc;

use glam::Vec2;
use keypose::assets::level::slope::Slope;
use keypose::assets::level::{FoeKind, FoePlace, Level, Rect};
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::rules::actor::{Actor, Footing};
use keypose_editor::game::rules::collide::is_free;
use keypose_editor::game::step::step;
use keypose_editor::game::world::World;
use keypose_editor::game::world::units::{grains, metres, metres_of};

use super::{empty_world, hold, restless};

fn slope(left: f32, bottom: f32, right: f32, top: f32, rises_left: bool) -> Slope {
    Slope { rect: Rect::new(left, bottom, right, top), rises_left }
}

/// A floor, a slope to a flat top and a steep one down from it, hills with a valley, and a slope to a cliff.
fn hills() -> Level {
    Level {
        name: "hills".into(),
        solids: vec![Rect::new(-30.0, -1.0, 40.0, 0.0), Rect::new(5.0, -1.0, 8.0, 2.0)],
        slopes: vec![
            slope(1.0, 0.0, 5.0, 2.0, false),
            slope(8.0, 0.0, 10.0, 2.0, true),
            slope(12.0, 0.0, 14.0, 1.0, false),
            slope(14.0, 0.0, 16.0, 1.0, true),
            slope(16.0, 0.0, 17.5, 0.75, false),
            slope(17.5, 0.0, 19.0, 0.75, true),
            slope(20.0, 0.0, 23.0, 3.0, false),
        ],
        ..Level::default()
    }
}

fn world(level: Level, spawn: Vec2) -> World {
    let mut world = empty_world(level, spawn);
    hold(&mut world, Buttons::NONE, 30);
    world
}

/// Where the middle of the feet is drawn, without the smoothing of steps.
fn drawn(actor: &Actor) -> Vec2 {
    metres_of(actor.feet) - Vec2::new(0.0, metres(actor.sink))
}

/// The height of the ground of [`hills`].
fn ground(x: f32) -> f32 {
    let slopes = hills().slopes;
    let over = slopes.iter().filter(|slope| (slope.rect.min.x..=slope.rect.max.x).contains(&x));
    let flat = if (5.0..=8.0).contains(&x) { 2.0 } else { 0.0 };
    over.map(|slope| slope.height_at(x)).fold(flat, f32::max)
}

#[test]
fn a_body_rests_on_a_slope() {
    for x in [1.0, 1.5, 3.0, 4.9, 5.2, 9.0, 13.0, 14.0, 16.0, 22.0] {
        let mut world = world(hills(), Vec2::new(x, 4.0));
        hold(&mut world, Buttons::NONE, 60);
        let (feet, lift) = (world.player.feet, world.player.lift);
        assert_eq!((world.player.footing, lift), (Footing::Ground, 0), "{x}");
        assert!((drawn(&world.player).y - ground(x)).abs() < 0.002, "{x}: {}", drawn(&world.player));
        hold(&mut world, Buttons::NONE, 300);
        assert_eq!((world.player.feet, world.player.footing), (feet, Footing::Ground), "{x}");
    }
}

#[test]
fn over_hills_it_stays_on_the_ground_and_keeps_its_speed() {
    for (buttons, speed) in [(Buttons::RIGHT, 2.2), (Buttons::RIGHT | Buttons::RUN, 5.0)] {
        for back in [false, true] {
            let (from, towards) = if back { (19.4, Buttons::LEFT) } else { (-2.0, Buttons::RIGHT) };
            let mut world = world(hills(), Vec2::new(from, 0.0));
            let buttons = if buttons.has(Buttons::RUN) { towards | Buttons::RUN } else { towards };
            hold(&mut world, buttons, 20);
            let flat = world.player.velocity.x.abs() / 60.0;
            assert!(flat * 60.0 > speed * 0.8, "{flat}");
            let (mut ticks, mut gone) = (0, 0.0);
            while (-3.0..19.5).contains(&metres_of(world.player.feet).x) {
                let before = world.player.clone();
                step(&mut world, buttons);
                let (from, to) = (drawn(&before), drawn(&world.player));
                let at = format!("at {to}, {buttons:?}");
                assert_eq!(world.player.footing, Footing::Ground, "{at}");
                assert!((to.y - ground(to.x)).abs() < 0.003, "{at}: the ground is at {}", ground(to.x));
                assert!(from.distance(to) < flat * 1.42, "{at}: {} for {flat}", from.distance(to));
                assert!(world.player.velocity.x.abs() / 60.0 > flat * 0.99, "{at}");
                assert!(is_free(&world.stage, &world.player.body()), "{at}");
                // What is drawn has no jump.
                let shown = |actor: &Actor| drawn(actor).y + metres(actor.lift);
                assert!((shown(&world.player) - shown(&before)).abs() < flat * 1.1 + 0.002, "{at}");
                (ticks, gone) = (ticks + 1, gone + from.distance(to));
            }
            // As fast uphill and downhill as on the flat.
            let mean = gone / ticks as f32;
            assert!((flat * 0.97..flat * 1.01).contains(&mean), "{mean} for {flat}");
        }
    }
}

#[test]
fn a_jump_uphill_lands_and_walks_on() {
    let mut world = world(hills(), Vec2::new(-1.0, 0.0));
    let uphill = Buttons::RIGHT | Buttons::RUN;
    hold(&mut world, uphill, 30);
    hold(&mut world, uphill | Buttons::JUMP, 4);
    assert_eq!(world.player.footing, Footing::Air);
    let mut shown = f32::NAN;
    while world.player.footing == Footing::Air {
        shown = drawn(&world.player).y + metres(world.player.lift);
        step(&mut world, uphill);
        assert!(world.player.velocity.x > 3.0, "{:?}", world.player.velocity);
    }
    let now = drawn(&world.player).y + metres(world.player.lift);
    assert!((now - shown).abs() < 0.3, "it is drawn where it was: {shown}, then {now}");
    let x = metres_of(world.player.feet).x;
    hold(&mut world, uphill, 20);
    assert!(metres_of(world.player.feet).x > x + 1.0);
}

#[test]
fn the_high_end_is_a_wall_and_the_underside_a_ceiling() {
    let mut under = world(hills(), Vec2::new(27.0, 0.0));
    hold(&mut under, Buttons::LEFT, 200);
    assert_eq!(metres_of(under.player.feet), Vec2::new(23.3, 0.0).map(|at| metres(grains(at))));
    let low = Level { slopes: vec![slope(-1.0, 2.4, 4.0, 4.0, false)], ..hills() };
    let mut below = world(low, Vec2::new(0.0, 0.0));
    hold(&mut below, Buttons::JUMP, 30);
    let highest = (0..60).map(|_| {
        step(&mut below, Buttons::NONE);
        metres_of(below.player.feet).y
    });
    assert!(highest.fold(0.0, f32::max) < 0.7);
}

#[test]
fn a_foe_patrols_over_a_hill() {
    let kind = FoeKind { name: "imp".into(), notice: 0.0, patrol: 4.5, speed: 1.0, ..FoeKind::default() };
    let place = FoePlace { kind: "imp".into(), place: Vec2::new(14.0, 3.0), faces_left: false };
    let mut world = world(Level { kinds: vec![kind], foes: vec![place], ..hills() }, Vec2::new(-20.0, 0.0));
    let (mut left, mut right, mut air) = (f32::MAX, f32::MIN, 0);
    hold(&mut world, Buttons::NONE, 60);
    for _ in 0..1_500 {
        step(&mut world, Buttons::NONE);
        let foe = &world.foes[0].actor;
        let at = drawn(foe);
        (left, right) = (left.min(at.x), right.max(at.x));
        assert!(is_free(&world.stage, &foe.body()), "{at}");
        assert!(foe.footing != Footing::Ground || (at.y - ground(at.x)).abs() < 0.003, "{at}");
        air += usize::from(foe.footing == Footing::Air);
    }
    assert!(left < 10.5 && right > 17.6, "from {left} to {right}");
    assert_eq!(air, 0, "it hops");
}

#[test]
fn random_buttons_never_break_a_slope() {
    for seed in 0..4 {
        let mut world = world(hills(), Vec2::new(3.0, 2.0));
        for (tick, held) in (0..6_000).zip(restless(seed, 7)) {
            let before = world.player.feet;
            step(&mut world, held);
            let player = &world.player;
            let at = || format!("seed {seed}, tick {tick}, at {}", metres_of(player.feet));
            assert!(is_free(&world.stage, &player.body()), "{}", at());
            assert!((0..=grains(0.31)).contains(&player.sink), "{}: {}", at(), player.sink);
            let way = metres_of(player.feet - before).length();
            assert!(way < 0.6, "{}: moved by {way} in a tick", at());
        }
    }
}

#[test]
fn steep_and_broken_slopes_are_lowered_or_reported() {
    let slopes =
        vec![slope(0.0, 0.0, 1.0, 9.0, false), slope(4.0, 0.0, 4.0, 1.0, true), slope(f32::NAN, 0.0, 1.0, 1.0, true)];
    let level = Level { slopes, ..hills() };
    assert!(level.check().is_err());
    let play = Play::new(&[], Some(&Arc::new(level.clone())), 1);
    assert!(play.findings.iter().any(|finding| finding.contains("2 of 3 slopes")), "{:?}", play.findings);
    let mut world = world(level, Vec2::new(-2.0, 0.0));
    hold(&mut world, Buttons::RIGHT, 90);
    assert!(metres_of(world.player.feet).x > 0.3, "it walks up what is left");
}
