//! Moving platforms in the gameplay mode: they carry who stands on them, take along whose feet they pass, and never push anyone into a
//! solid.

use std::sync::Arc;

use glam::Vec2;
use keypose::assets::level::mover::Mover;
use keypose::assets::level::{FoeKind, Level, Rect};
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::rules::actor::Footing;
use keypose_editor::game::rules::collide::is_free;
use keypose_editor::game::rules::lift::Lift;
use keypose_editor::game::step::step;
use keypose_editor::game::world::units::{grains, metres_of};

use super::{FLOOR, empty_world, foe, hold, restless};

fn mover(rect: Rect, x: f32, y: f32) -> Mover {
    Mover { rect, way: Vec2::new(x, y), secs: 2.0, pause: 0.5 }
}

fn level(movers: &[Mover]) -> Level {
    Level { name: "lifts".into(), solids: vec![FLOOR], movers: movers.to_vec(), ..Level::default() }
}

#[test]
fn it_pauses_moves_softly_and_comes_back() {
    let one = mover(Rect::new(0.0, 1.0, 2.0, 1.2), 4.0, 2.0);
    let lift = Lift::of(&one).unwrap();
    let at = |tick: u64| metres_of(lift.area_at(tick).min);
    assert_eq!(
        (at(0), at(30), at(150), at(180), at(300)),
        (Vec2::Y, Vec2::Y, Vec2::new(4.0, 3.0), Vec2::new(4.0, 3.0), Vec2::Y)
    );
    assert_eq!(at(90), Vec2::new(2.0, 2.0), "half of the way in half of the time");
    assert!(at(35).x < 0.1 && at(90).x - at(89).x > at(35).x - at(34).x, "it starts softly");
    assert!((0..300).all(|tick| at(tick) == at(tick + 300) && at(tick) == at(tick + 3_000_000)));
}

#[test]
fn it_carries_who_stands_on_it() {
    let kind = FoeKind { name: "imp".into(), notice: 0.0, patrol: 0.0, ..FoeKind::default() };
    let foe = foe("imp", Vec2::new(6.0, 1.0));
    let movers = [mover(Rect::new(-1.0, 0.8, 1.0, 1.0), 0.0, 3.0), mover(Rect::new(5.0, 0.8, 7.0, 1.0), 5.0, -0.5)];
    let mut world = empty_world(Level { kinds: vec![kind], foes: vec![foe], ..level(&movers) }, Vec2::new(0.0, 1.0));
    hold(&mut world, Buttons::NONE, 5);
    for _ in 0..700 {
        step(&mut world, Buttons::NONE);
        let places = world.stage.lift_places().to_vec();
        for (actor, place) in [(&world.player, places[0]), (&world.foes[0].actor, places[1])] {
            let at = format!("tick {}: {} on {}", world.tick, metres_of(actor.feet), metres_of(place.max));
            assert_eq!((actor.footing, actor.feet.y, actor.lift), (Footing::Ground, place.max.y, 0), "{at}");
            assert_eq!(actor.feet.x, place.middle(), "{at}");
            assert_eq!(actor.walked, 0, "{at}: riding is not walking");
        }
    }
}

#[test]
fn it_is_passed_from_below_and_left_downwards() {
    let mut world = empty_world(level(&[mover(Rect::new(-1.0, 1.0, 1.0, 1.2), 0.0, 0.5)]), Vec2::ZERO);
    hold(&mut world, Buttons::NONE, 5);
    hold(&mut world, Buttons::JUMP, 60);
    let top = world.stage.lift_places()[0].max.y;
    assert_eq!((world.player.footing, world.player.feet.y), (Footing::Ground, top));
    hold(&mut world, Buttons::DOWN, 2);
    hold(&mut world, Buttons::DOWN | Buttons::JUMP, 40);
    assert_eq!(metres_of(world.player.feet).y, 0.0);
}

#[test]
fn it_takes_along_whose_feet_it_passes_and_leaves_them_under_a_ceiling() {
    // It rises out of the floor.
    let rising = level(&[mover(Rect::new(-1.0, -0.5, 1.0, -0.3), 0.0, 4.0)]);
    let mut open = empty_world(rising.clone(), Vec2::ZERO);
    hold(&mut open, Buttons::NONE, 155);
    assert_eq!(open.player.feet.y, open.stage.lift_places()[0].max.y);
    assert!(metres_of(open.player.feet).y > 3.6);
    let roof = Rect::new(-2.0, 3.0, 2.0, 4.0);
    let mut below = empty_world(Level { solids: vec![FLOOR, roof], ..rising }, Vec2::ZERO);
    let mut highest = i64::MIN;
    for _ in 0..300 {
        step(&mut below, Buttons::NONE);
        highest = highest.max(below.player.feet.y);
        assert!(is_free(&below.stage, &below.player.body()), "tick {}", below.tick);
    }
    assert!((grains(1.0)..=grains(1.2)).contains(&highest), "it stops under the roof: {}", highest);
    assert_eq!(metres_of(below.player.feet).y, 0.0, "and falls back");
}

#[test]
fn random_buttons_among_lifts_never_break_anything_and_repeat() {
    let movers = [
        mover(Rect::new(-1.0, -0.1, 1.0, 0.1), 0.0, 3.0),
        mover(Rect::new(2.0, 1.0, 4.0, 1.2), 5.0, 0.0),
        mover(Rect::new(-6.0, 0.3, -3.0, 0.6), -3.0, 2.0),
        Mover { secs: 0.2, pause: 0.0, ..mover(Rect::new(-2.0, 1.0, -1.5, 1.4), 1.9, 0.2) },
    ];
    let wall = Rect::new(6.5, 0.0, 7.0, 3.0);
    let level = Level { solids: vec![FLOOR, wall, Rect::new(-2.0, 3.5, 0.0, 4.0)], ..level(&movers) };
    for seed in 0..3 {
        let run = |is_checked: bool| {
            let mut world = empty_world(level.clone(), Vec2::ZERO);
            for (tick, held) in (0..4_000).zip(restless(seed, 9)) {
                step(&mut world, held);
                let free = !is_checked || is_free(&world.stage, &world.player.body());
                assert!(free, "seed {seed}, tick {tick}, at {}", metres_of(world.player.feet));
            }
            world.digest()
        };
        assert_eq!(run(true), run(false));
    }
}

#[test]
fn broken_lifts_are_reported_or_clamped() {
    let flat = mover(Rect::new(0.0, 1.0, 0.0, 2.0), 1.0, 0.0);
    let wild = Mover {
        way: Vec2::splat(f32::NAN),
        secs: f32::NAN,
        pause: -3.0,
        ..mover(Rect::new(0.0, 1.0, 1.0, 2.0), 0.0, 0.0)
    };
    let fast = Mover { way: Vec2::new(1e30, 0.0), secs: 0.0, ..wild };
    let level = level(&[flat, wild, fast]);
    assert!(level.check().is_err());
    let play = Play::new(&[], Some(&Arc::new(level.clone())), 1);
    assert!(play.findings.iter().any(|finding| finding.contains("1 of 3 moving platforms")), "{:?}", play.findings);
    let mut world = empty_world(level, Vec2::new(-5.0, 0.0));
    hold(&mut world, Buttons::RIGHT, 600);
    assert!(metres_of(world.player.feet).is_finite());
}
