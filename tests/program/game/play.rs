//! The simulation of the gameplay mode: movement, ladders, bad levels, replays. No window, no archive.

use std::sync::Arc;

use glam::Vec2;
use keypose::assets::level::{FoeKind, Level, Rect};
use keypose::assets::machine::State;
use keypose_editor::game::input::{Buttons, Held};
use keypose_editor::game::replay::Replay;
use keypose_editor::game::rules::actor::Footing;
use keypose_editor::game::rules::collide::is_free;
use keypose_editor::game::rules::locomotion::{COYOTE_TICKS, WALK_SPEED};
use keypose_editor::game::step::step;
use keypose_editor::game::world::World;
use keypose_editor::game::world::cast::Cast;
use keypose_editor::game::world::default_level::default_level;
use keypose_editor::game::world::stage::Stage;
use keypose_editor::game::world::units::metres_of;

use super::{FLOOR, foe, hold, restless};

fn world_of(level: Level) -> World {
    World::new(Arc::new(Stage::new(Arc::new(level))), Arc::new(Cast::default()), 7)
}

fn on(solids: &[Rect], platforms: &[Rect], ladders: &[Rect], spawn: Vec2) -> World {
    let level = Level {
        solids: solids.to_vec(),
        platforms: platforms.to_vec(),
        ladders: ladders.to_vec(),
        spawn,
        ..Level::default()
    };
    let mut world = world_of(level);
    hold(&mut world, Buttons::NONE, 2);
    world
}

fn feet(world: &World) -> Vec2 {
    metres_of(world.player.feet)
}

/// The maximum height of the feet in `ticks` ticks.
fn top_of(world: &mut World, buttons: Buttons, ticks: usize) -> f32 {
    (0..ticks).fold(f32::MIN, |top, _| {
        step(world, buttons);
        top.max(feet(world).y)
    })
}

#[test]
fn it_walks_runs_and_stops_at_a_wall() {
    let wall = Rect::new(10.0, 0.0, 10.01, 5.0);
    let mut world = on(&[FLOOR, wall], &[], &[], Vec2::ZERO);
    hold(&mut world, Buttons::RIGHT, 30);
    assert!((world.player.velocity.x - WALK_SPEED).abs() < 1e-3);
    assert_eq!(world.player.state(), State::Walk);
    hold(&mut world, Buttons::RIGHT | Buttons::RUN, 30);
    assert_eq!(world.player.state(), State::Run);
    hold(&mut world, Buttons::RIGHT | Buttons::RUN, 300);
    assert!((feet(&world).x - 9.7).abs() < 1e-3, "{}", feet(&world));
    assert_eq!(world.player.state(), State::Idle);
}

#[test]
fn a_held_jump_goes_higher_than_a_tapped_one() {
    let mut tapped = on(&[FLOOR], &[], &[], Vec2::ZERO);
    let mut held = tapped.clone();
    hold(&mut tapped, Buttons::JUMP, 1);
    let low = top_of(&mut tapped, Buttons::NONE, 60);
    let high = top_of(&mut held, Buttons::JUMP, 60);
    assert!((0.6..1.2).contains(&low), "{low}");
    assert!((1.9..2.8).contains(&high), "{high}");
    assert_eq!(held.player.footing, Footing::Ground, "holding does not jump again");
}

#[test]
fn a_jump_is_possible_just_after_the_edge_and_no_later() {
    let ledge = Rect::new(-5.0, 4.0, 0.0, 5.0);
    for late in [0, COYOTE_TICKS - 2, COYOTE_TICKS + 2] {
        let mut world = on(&[FLOOR, ledge], &[], &[], Vec2::new(-1.0, 5.0));
        while world.player.footing == Footing::Ground {
            hold(&mut world, Buttons::RIGHT, 1);
        }
        hold(&mut world, Buttons::RIGHT, usize::from(late));
        hold(&mut world, Buttons::RIGHT | Buttons::JUMP, 1);
        assert_eq!(world.player.velocity.y > 0.0, late < COYOTE_TICKS, "{late} ticks late");
    }
}

#[test]
fn a_jump_pressed_just_before_landing_happens() {
    let mut world = on(&[FLOOR], &[], &[], Vec2::new(0.0, 3.0));
    while feet(&world).y > 0.4 {
        hold(&mut world, Buttons::NONE, 1);
    }
    assert!(top_of(&mut world, Buttons::JUMP, 30) > 1.0);
}

#[test]
fn nothing_is_tunnelled_through() {
    let thin = |x: f32| Rect::new(x, -5.0, x + 0.001, 40.0);
    let floor = Rect::new(-20.0, -0.001, 20.0, 0.0);
    let mut world = on(&[floor, thin(-6.0), thin(6.0)], &[], &[], Vec2::new(0.0, 30.0));
    for fast in [50.0, 400.0, 3000.0, -400.0, -3000.0] {
        world.player.velocity.x = fast;
        world.player.velocity.y = -fast.abs();
        world.player.footing = Footing::Air;
        hold(&mut world, Buttons::NONE, 20);
        assert!(feet(&world).x.abs() <= 5.71 && feet(&world).y >= 0.0, "{}", feet(&world));
    }
    assert_eq!(world.falls, 0);
}

#[test]
fn a_platform_is_passed_upwards_stood_on_and_dropped_through() {
    let platform = Rect::new(-2.0, 1.5, 2.0, 1.6);
    let mut world = on(&[FLOOR], &[platform], &[], Vec2::ZERO);
    hold(&mut world, Buttons::JUMP, 70);
    assert!((feet(&world).y - 1.6).abs() < 1e-3, "{}", feet(&world));
    hold(&mut world, Buttons::DOWN, 5);
    assert_eq!(world.player.state(), State::Crouch);
    hold(&mut world, Buttons::DOWN | Buttons::JUMP, 60);
    assert!(feet(&world).y.abs() < 1e-3, "{}", feet(&world));
}

#[test]
fn a_head_is_led_around_a_corner() {
    let block = |left: f32| Rect::new(left, 2.5, left + 4.0, 3.0);
    for (left, passes) in [(0.1, true), (-0.1, false)] {
        let mut world = on(&[FLOOR, block(left)], &[], &[], Vec2::ZERO);
        let top = top_of(&mut world, Buttons::JUMP, 40);
        assert_eq!(top > 1.0, passes, "block from {left}: rose to {top}");
    }
}

#[test]
fn low_steps_are_walked_and_high_ones_are_not() {
    for (height, passes) in [(0.3, true), (0.6, false)] {
        let stair = Rect::new(2.0, 0.0, 4.0, height);
        let mut world = on(&[FLOOR, stair], &[], &[], Vec2::ZERO);
        hold(&mut world, Buttons::RIGHT, 240);
        assert_eq!(feet(&world).x > 5.0, passes, "{height}");
        assert!(feet(&world).y == 0.0);
    }
}

#[test]
fn one_crouches_through_a_tunnel_and_stands_up_after_it() {
    let roof = Rect::new(1.0, 1.3, 4.0, 3.0);
    let mut world = on(&[FLOOR, roof], &[], &[], Vec2::ZERO);
    hold(&mut world, Buttons::RIGHT, 120);
    assert!(feet(&world).x < 1.0, "it does not fit standing");
    hold(&mut world, Buttons::RIGHT | Buttons::DOWN, 90);
    assert_eq!(world.player.state(), State::CrouchWalk);
    hold(&mut world, Buttons::NONE, 20);
    assert_eq!(world.player.state(), State::Crouch, "there is no room to stand up");
    hold(&mut world, Buttons::JUMP, 20);
    assert_eq!(world.player.state(), State::Crouch, "nor to jump");
    hold(&mut world, Buttons::RIGHT, 240);
    assert!(feet(&world).x > 4.5);
    hold(&mut world, Buttons::NONE, 20);
    assert_eq!(world.player.state(), State::Idle);
}

fn with_ladder(spawn: Vec2) -> World {
    let upper = Rect::new(0.5, 3.6, 6.0, 4.0);
    on(&[FLOOR, upper], &[], &[Rect::new(-0.4, 0.0, 0.4, 4.0)], spawn)
}

#[test]
fn a_ladder_is_climbed_to_its_top_and_down_again() {
    let mut world = with_ladder(Vec2::new(0.3, 0.0));
    hold(&mut world, Buttons::UP, 20);
    assert_eq!(world.player.state(), State::Climb);
    assert!(feet(&world).x.abs() < 1e-3, "it hangs in the middle");
    hold(&mut world, Buttons::UP, 150);
    assert_eq!(world.player.state(), State::Idle, "holding up at the top does not jump");
    assert!((feet(&world).y - 4.0).abs() < 1e-3);
    assert!((feet(&world).x - 0.8).abs() < 1e-3, "it steps onto the ground beside the end: {}", feet(&world).x);
    assert!(world.player.climbed > 0);
    hold(&mut world, Buttons::NONE, 20);
    hold(&mut world, Buttons::DOWN, 20);
    assert_eq!(world.player.state(), State::Climb, "down takes the ladder below");
    hold(&mut world, Buttons::DOWN, 150);
    assert!(feet(&world).y == 0.0 && world.player.footing == Footing::Ground);
}

#[test]
fn one_steps_from_a_ladder_to_the_side_that_has_ground_and_from_there_onto_it_again() {
    let rungs = Rect::new(-0.4, 0.0, 0.4, 4.0);
    let (left, right) = (Rect::new(-4.0, 3.0, -0.6, 4.0), Rect::new(0.6, 3.0, 4.0, 4.0));
    let (narrow, far, over) =
        (Rect::new(0.4, 3.9, 0.6, 4.0), Rect::new(0.8, 3.0, 4.0, 4.0), Rect::new(-2.0, 3.8, 2.0, 4.0));
    let wall = Rect::new(0.6, 4.0, 4.0, 6.0);
    // The solids and platforms, and where it stands at last.
    let cases: [(&[Rect], &[Rect], f32); 7] = [
        (&[left], &[], -0.9),
        (&[], &[left], -0.9),
        (&[left, right], &[], 0.9),
        (&[left, right, wall], &[], -0.9),
        (&[narrow, far], &[], 0.0),
        (&[right], &[over], 0.0),
        (&[], &[], 0.0),
    ];
    for (at, (solids, platforms, x)) in cases.into_iter().enumerate() {
        let solids: Vec<Rect> = solids.iter().copied().chain([FLOOR]).collect();
        let mut world = on(&solids, platforms, &[rungs], Vec2::ZERO);
        hold(&mut world, Buttons::UP, 180);
        assert_eq!((feet(&world).y, world.player.footing), (4.0, Footing::Ground), "case {at}");
        assert!((feet(&world).x - x).abs() < 1e-3, "case {at}: {}", feet(&world).x);
        hold(&mut world, Buttons::NONE, 20);
        hold(&mut world, Buttons::DOWN, 20);
        assert_eq!(world.player.state(), State::Climb, "case {at}");
        assert!(feet(&world).x.abs() < 1e-3, "case {at}");
    }
}

#[test]
fn a_ladder_is_left_by_a_jump_and_to_a_side_and_not_taken_again_at_once() {
    for (buttons, ticks) in [(Buttons::JUMP | Buttons::UP, 1), (Buttons::RIGHT, 10)] {
        let mut world = with_ladder(Vec2::ZERO);
        hold(&mut world, Buttons::UP, 50);
        hold(&mut world, buttons, ticks);
        assert_eq!(world.player.footing, Footing::Air, "{buttons:?}");
        hold(&mut world, Buttons::UP, 5);
        assert_eq!(world.player.footing, Footing::Air, "taken again at once after {buttons:?}");
    }
}

#[test]
fn the_player_stays_on_a_ladder_against_a_wall() {
    let wall = Rect::new(0.45, 0.0, 6.0, 4.0);
    let mut world = on(&[FLOOR, wall], &[], &[Rect::new(-0.4, 0.0, 0.4, 4.0)], Vec2::new(-0.1, 0.0));
    hold(&mut world, Buttons::UP, 60);
    hold(&mut world, Buttons::RIGHT, 30);
    assert_eq!(world.player.state(), State::Climb);
    hold(&mut world, Buttons::LEFT, 10);
    assert_eq!(world.player.footing, Footing::Air);
}

#[test]
fn a_ladder_is_caught_in_the_air() {
    let mut world = with_ladder(Vec2::new(-1.0, 0.0));
    hold(&mut world, Buttons::RIGHT, 1);
    hold(&mut world, Buttons::RIGHT | Buttons::JUMP, 12);
    hold(&mut world, Buttons::RIGHT | Buttons::UP, 30);
    assert_eq!(world.player.state(), State::Climb);
    assert!(feet(&world).y > 0.3);
}

#[test]
fn a_ladder_that_hangs_in_the_air_ends_in_a_fall() {
    let mut world = on(&[FLOOR], &[], &[Rect::new(-0.4, 3.0, 0.4, 6.0)], Vec2::new(0.0, 3.5));
    hold(&mut world, Buttons::UP, 10);
    assert_eq!(world.player.state(), State::Climb);
    hold(&mut world, Buttons::DOWN, 200);
    assert!(feet(&world).y == 0.0);
}

#[test]
fn an_attack_lasts_its_time_and_roots_the_feet() {
    let mut world = on(&[FLOOR], &[], &[], Vec2::ZERO);
    hold(&mut world, Buttons::ATTACK, 2);
    assert_eq!(world.player.state(), State::Attack);
    hold(&mut world, Buttons::RIGHT, 10);
    assert!(feet(&world).x.abs() < 1e-3);
    let mut walking = world.clone();
    hold(&mut walking, Buttons::RIGHT, 6);
    assert_eq!(walking.player.state(), State::Walk, "one can walk out of the recovery");
    hold(&mut world, Buttons::NONE, 11);
    assert_eq!(world.player.state(), State::Attack);
    hold(&mut world, Buttons::NONE, 3);
    assert_eq!(world.player.state(), State::Idle);
}

#[test]
fn spikes_hurt_and_spare_for_a_while() {
    let level = Level { solids: vec![FLOOR], spikes: vec![Rect::new(2.0, 0.0, 3.0, 0.4)], ..Level::default() };
    let mut world = world_of(level.clone());
    let mut ticks = 0;
    while world.hits_taken == 0 && ticks < 200 {
        hold(&mut world, Buttons::RIGHT, 1);
        ticks += 1;
    }
    assert!((20..100).contains(&ticks) && feet(&world).x < 2.0, "after {ticks} ticks, at {}", feet(&world));
    assert_eq!(world.player.vitals.health, 80);
    assert!(top_of(&mut world, Buttons::NONE, 30) > 0.4 && feet(&world).x < 1.5, "{}", feet(&world));
    // Walking on it comes back, is spared, and is hurt again.
    hold(&mut world, Buttons::RIGHT, 30);
    assert_eq!(world.hits_taken, 1);
    hold(&mut world, Buttons::RIGHT, 120);
    assert!(world.hits_taken >= 2);
    // In the middle of many it dies, and starts again.
    let mut world = world_of(Level { spikes: vec![Rect::new(-9.0, 0.0, 9.0, 0.4)], ..level.clone() });
    hold(&mut world, Buttons::NONE, 1_200);
    assert!(world.deaths >= 1);
    // A foe that runs into them is hurt, too; a dummy isn't.
    let kind =
        |name: &str, health| FoeKind { name: name.into(), health, notice: 30.0, reach: 0.1, ..FoeKind::default() };
    let kinds = vec![kind("goblin", 36), kind("dummy", 0)];
    let foes = vec![foe("goblin", Vec2::X * 6.0), foe("dummy", Vec2::X * 2.5)];
    let mut world = world_of(Level { kinds, foes, ..level });
    hold(&mut world, Buttons::NONE, 300);
    assert!(world.foes[0].actor.vitals.health < 36);
    assert_eq!(world.foes[1].actor.vitals.taken, 0);
}

#[test]
fn falling_out_of_the_level_starts_again() {
    let mut world =
        on(&[Rect::new(0.0, 0.0, 4.0, 1.0), Rect::new(20.0, 0.0, 24.0, 1.0)], &[], &[], Vec2::new(2.0, 1.0));
    hold(&mut world, Buttons::RIGHT | Buttons::RUN, 240);
    assert!(world.falls >= 1);
    hold(&mut world, Buttons::NONE, 120);
    assert!(feet(&world).y >= 1.0);
}

#[test]
fn giving_up_costs_a_life_and_continues_at_the_checkpoint() {
    let mut world = world_of(Level { checkpoints: vec![Vec2::new(4.0, 0.0)], ..default_level() });
    hold(&mut world, Buttons::RIGHT, 300);
    assert!(world.progress.checkpoint.is_some() && feet(&world).x > 5.0);
    world.player.vitals.health -= 1;
    let full = world.player.vitals.health + 1;
    hold(&mut world, Buttons::RETURN, 1);
    assert_eq!((world.deaths, world.falls, world.player.vitals.health), (1, 0, full));
    assert!((feet(&world).x - 4.0).abs() < 0.1, "{}", feet(&world));
    hold(&mut world, Buttons::RETURN, 30);
    assert_eq!(world.deaths, 1, "held, it does nothing more");
}

/// The other attacks need clips: see `combat` and `moves`.
#[test]
fn every_state_is_reached_on_the_test_level() {
    let foes = (0..9_u8).map(|at| foe("foe", Vec2::new(6.0 * f32::from(at), 3.0))).collect();
    let kinds = vec![FoeKind { notice: 30.0, ..FoeKind::default() }];
    let mut world = world_of(Level { kinds, foes, ..default_level() });
    let with_clips = [State::Attack2, State::Attack3, State::Stab, State::AirAttack];
    let mut missing: Vec<State> = State::ALL.into_iter().filter(|state| !with_clips.contains(state)).collect();
    for (tick, held) in restless(3, 12).enumerate() {
        let held = if tick % 600 < 300 { held.with(Buttons::LEFT, Held::Up) } else { held };
        step(&mut world, held);
        missing.retain(|state| *state != world.player.state());
        if missing.is_empty() {
            return;
        }
        assert!(tick < 40_000, "never seen: {missing:?}");
    }
}

#[test]
fn random_buttons_never_break_the_world() {
    // The second time among spikes.
    let spikes = vec![Rect::new(5.0, 0.0, 6.5, 0.4), Rect::new(24.0, 5.0, 26.0, 5.4)];
    for (seed, spikes) in [(0, vec![]), (1, spikes)] {
        let mut world = world_of(Level { spikes, ..default_level() });
        for (tick, held) in (0..15_000).zip(restless(seed, 7)) {
            step(&mut world, held);
            let (player, stage) = (&world.player, &world.stage);
            assert!(is_free(stage, &player.body()), "seed {seed}, tick {tick}: inside a solid at {}", feet(&world));
            let inside = (stage.bounds.min.x..=stage.bounds.max.x).contains(&player.feet.x);
            assert!(inside && player.feet.y >= stage.abyss, "seed {seed}, tick {tick}: outside at {}", feet(&world));
            let camera = world.camera.aim;
            assert!(player.velocity.is_finite() && player.remainder.is_finite() && camera.is_finite());
        }
    }
}

#[test]
fn the_same_replay_has_the_same_digests() {
    let start = || world_of(default_level());
    let buttons: Vec<Buttons> = restless(11, 9).take(3_000).collect();
    let mut replay = Replay::record(start(), 1, 7, &buttons);
    assert_eq!(replay.divergence(start()), None);
    replay.buttons[1_000] = Buttons(replay.buttons[1_000].0 ^ Buttons::JUMP.0);
    assert_eq!(replay.divergence(start()), Some(1_000));
}

#[test]
fn bad_levels_are_survived() {
    let nan = Rect::new(f32::NAN, 0.0, 1.0, 1.0);
    let inverted = Rect::new(3.0, 3.0, -3.0, -3.0);
    let huge = Rect::new(-1e30, -1e30, 1e30, 0.0);
    let cases: Vec<(&str, Level)> = vec![
        ("empty", Level::default()),
        ("broken rectangles", Level { solids: vec![nan, inverted], ladders: vec![nan], ..Level::default() }),
        ("far spawn", Level { solids: vec![FLOOR], spawn: Vec2::new(1e20, -1e20), ..Level::default() }),
        ("spawn that is no number", Level { solids: vec![FLOOR], spawn: Vec2::NAN, ..Level::default() }),
        ("spawn inside", Level { solids: vec![FLOOR], spawn: Vec2::new(0.0, -0.5), ..Level::default() }),
        ("huge", Level { solids: vec![huge], ..Level::default() }),
        ("one speck", Level { solids: vec![Rect::new(0.0, 0.0, 0.01, 0.01)], ..Level::default() }),
        ("ladders alone", Level { ladders: vec![Rect::new(0.0, 0.0, 1.0, 4.0)], ..Level::default() }),
    ];
    for (name, level) in cases {
        let mut world = world_of(level);
        for held in restless(1, 1).take(600) {
            step(&mut world, held);
            assert!(is_free(&world.stage, &world.player.body()), "{name}");
        }
        hold(&mut world, Buttons::NONE, 300);
        assert!(feet(&world).is_finite(), "{name}");
    }
}
