//! Kinds of foes that differ by their numbers alone: one that flies, one with poise, one that becomes another; in the demo's models.

use std::sync::Arc;

use glam::Vec2;
use keypose::assets::level::{FoeKind, FoeNature, Goal, Level, Rect};
use keypose::assets::machine::State;
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::reload::{NewData, reloaded};
use keypose_editor::game::rules::actor::Footing;
use keypose_editor::game::rules::foe::Mood;
use keypose_editor::game::rules::marks::guards;
use keypose_editor::game::step::step;
use keypose_editor::game::world::World;
use keypose_editor::game::world::news::News;
use keypose_editor::game::world::units::metres_of;

use super::{FLOOR, begun, demo, foe, hits, hold, kind, level};

/// The first kind at a place, on a floor.
fn ring(kinds: &[FoeKind], place: Vec2) -> Play {
    begun(&demo().characters, Level { foes: vec![foe(&kinds[0].name, place)], ..level(kinds, &[]) })
}

/// The player at the edge of a ledge, and a foe on the floor before it. The hits on the player, and how far the foe is from it at the end.
fn from_a_ledge(kind: &FoeKind, height: f32) -> (usize, f32) {
    let level = Level {
        solids: vec![FLOOR, Rect::new(-30.0, 0.0, 0.0, height)],
        spawn: Vec2::new(-0.2, height),
        ..level(std::slice::from_ref(kind), &[(kind.name.as_str(), 2.5)])
    };
    let mut play = Play::new(&demo().characters, Some(&Arc::new(level)), 1);
    let news = hold(&mut play, Buttons::NONE, 400);
    let world = play.world();
    (hits(&news, 0), metres_of(world.foes[0].actor.feet).x - metres_of(world.player.feet).x)
}

#[test]
fn foes_do_not_strike_at_a_ledge_from_which_no_blow_reaches_them() {
    for (kind, low, high) in [(kind("goblin"), 0.3, [0.6, 0.9, 1.2]), (kind("chief"), 0.6, [0.9, 1.2, 1.5])] {
        assert!(from_a_ledge(&kind, low).0 > 0, "{} strikes over a step of {low} m", kind.name);
        for height in high {
            let (hits, distance) = from_a_ledge(&kind, height);
            assert!(
                hits == 0 && distance > kind.reach + 0.3,
                "{} below {height} m: {hits} hits, {distance}",
                kind.name
            );
        }
    }
}

#[test]
fn no_foe_attacks_behind_the_title() {
    // It doesn't see the player before it walks.
    let goblin = FoeKind { notice: 5.0, patrol: 3.0, ..kind("goblin") };
    let mut play = ring(&[goblin], Vec2::new(6.0, 0.0));
    let mut unnoticed = play.clone();
    hold(&mut play, Buttons::NONE, 900);
    (0..900).for_each(|_| unnoticed.tick_unnoticed());
    assert!(play.world().hits_taken > 0 && unnoticed.world().hits_taken == 0);
}

#[test]
fn a_bat_stays_in_the_air_comes_down_to_bite_and_falls_when_it_dies() {
    let mut play = ring(&[kind("bat")], Vec2::new(9.0, 3.0));
    let height = |play: &Play| metres_of(play.world().foes[0].actor.feet).y;
    for _ in 0..200 {
        hold(&mut play, Buttons::NONE, 1);
        assert!((height(&play) - 3.0).abs() < 0.5, "on patrol at {}", height(&play));
        assert!(play.world().foes[0].actor.state() != State::Fall);
    }
    let mut play = ring(&[kind("bat")], Vec2::new(4.5, 3.0));
    let (mut news, mut lowest) = (Vec::new(), f32::MAX);
    while hits(&news, 0) == 0 {
        news.extend(hold(&mut play, Buttons::NONE, 1));
        lowest = lowest.min(height(&play));
        assert!(play.world().tick < 900, "it never bites; it is at {}", height(&play));
    }
    assert!((0.2..1.0).contains(&lowest), "{lowest}");
    let foe = &play.world().foes[0];
    assert_eq!((foe.mood, foe.actor.footing), (Mood::Chase, Footing::Air));
    // One cut when it comes down, and another.
    let mut died = None;
    for tick in 0..2_000 {
        let world = play.world();
        let way = metres_of(world.foes[0].actor.feet - world.player.feet);
        let held = match () {
            _ if way.x.abs() < 1.4 && way.y < 1.0 && tick % 12 == 0 => Buttons::ATTACK,
            _ if way.x * world.player.facing.sign() < 0.0 && way.x > 0.0 => Buttons::RIGHT,
            _ if way.x * world.player.facing.sign() < 0.0 => Buttons::LEFT,
            _ => Buttons::NONE,
        };
        hold(&mut play, held, 1);
        if !play.world().foes[0].actor.vitals.is_alive() {
            died = Some(height(&play));
            break;
        }
    }
    assert!(died.is_some(), "it lives");
    hold(&mut play, Buttons::NONE, 80);
    assert!(height(&play) < 0.01, "it lies at {}", height(&play));
}

#[test]
fn poise_takes_weak_hits_without_a_stop() {
    let with = |poise| {
        let nature = FoeNature { poise, ..FoeNature::default() };
        let still = FoeKind { notice: 0.0, patrol: 0.0, health: 200, nature, ..kind("goblin") };
        let mut play = ring(&[still], Vec2::new(1.3, 0.0));
        let mut stunned = 0;
        let mut news = hold(&mut play, Buttons::ATTACK, 1);
        for _ in 0..30 {
            news.extend(hold(&mut play, Buttons::NONE, 1));
            stunned += usize::from(play.world().foes[0].actor.vitals.stun > 0);
        }
        (hits(&news, 1), stunned > 0, play.world().foes[0].actor.vitals.health)
    };
    assert_eq!(with(0), (1, true, 190));
    assert_eq!(with(10), (1, true, 190), "as strong as its poise");
    assert_eq!(with(11), (1, false, 190));
}

#[test]
fn one_that_walks_on_under_a_weak_hit_keeps_its_step() {
    let nature = FoeNature { poise: 500, ..FoeNature::default() };
    let alert = FoeKind { notice: 20.0, patrol: 0.0, reach: 0.7, chase: 1.0, pause: 0, ..FoeKind::default() };
    let foe = FoeKind { model: "goblin".into(), health: 500, nature, ..alert };
    let mut play = ring(&[foe], Vec2::new(4.0, 0.0));
    let mut drawn: Vec<String> = Vec::new();
    for tick in 0..240 {
        let distance = metres_of(play.world().foes[0].actor.feet - play.world().player.feet).x;
        let attacks = drawn.is_empty() && distance < 2.0 && tick % 2 == 0;
        let news = hold(&mut play, if attacks { Buttons::ATTACK } else { Buttons::NONE }, 1);
        if hits(&news, 1) > 0 || (1..8).contains(&drawn.len()) {
            drawn.push(play.world().foes[0].animator.machine.as_ref().unwrap().state_name().to_owned());
        }
    }
    assert!(drawn.len() >= 8 && drawn.iter().all(|state| state == "move"), "{drawn:?}");
}

#[test]
fn the_guardian_becomes_angry_at_half_of_its_health_and_charges() {
    let kinds = [kind("chief"), kind("angry chief")];
    let mut play = ring(&kinds, Vec2::new(2.0, 0.0));
    let mut seen = Vec::new();
    for tick in 0..2_400 {
        // A player who never dies.
        hold(&mut play, if tick % 13 == 0 { Buttons::ATTACK } else { Buttons::NONE }, 1);
        let foe = &play.world().foes[0];
        let now = (play.world().stage.kinds[foe.kind].name.clone(), foe.actor.state());
        if !seen.contains(&now) {
            seen.push(now);
        }
        let part = foe.actor.vitals.part();
        assert!(foe.kind == 0 || part < 0.5, "{part}");
        if !foe.actor.vitals.is_alive() {
            break;
        }
    }
    let has = |name: &str, state: State| seen.iter().any(|(kind, seen)| kind == name && *seen == state);
    assert!(has("chief", State::Attack) && !has("chief", State::Stab), "{seen:?}");
    assert!(has("angry chief", State::Stab) && !has("angry chief", State::Attack), "{seen:?}");
}

#[test]
fn a_kind_that_becomes_nothing_known_is_reported_and_fights_on() {
    let mut lost = kind("goblin");
    lost.nature = FoeNature { becomes: "ghost".into(), below: 1.0, ..FoeNature::default() };
    let mut play = ring(&[lost.clone()], Vec2::new(1.3, 0.0));
    assert_eq!(play.findings.iter().filter(|finding| finding.contains("ghost")).count(), 1, "{:?}", play.findings);
    hold(&mut play, Buttons::ATTACK, 60);
    assert_eq!(play.world().foes[0].kind, 0);
    // Two that become each other.
    let twin = |name: &str, other: &str| FoeKind {
        name: name.into(),
        nature: FoeNature { becomes: other.into(), below: 1.0, ..FoeNature::default() },
        ..lost.clone()
    };
    let mut play = ring(&[twin("a", "b"), twin("b", "a")], Vec2::new(1.3, 0.0));
    let news = hold(&mut play, Buttons::ATTACK, 200);
    assert!(hits(&news, 1) >= 1);
}

#[test]
fn each_hit_makes_one_other_kind_with_the_poses_of_its_own_model() {
    let phase = |name: &str, model: &str, next: &str| FoeKind {
        name: name.into(),
        model: model.into(),
        nature: FoeNature { becomes: next.into(), below: 1.0, ..FoeNature::default() },
        health: 1_000,
        ..kind("goblin")
    };
    let mut play =
        ring(&[phase("a", "knight", "b"), phase("b", "goblin", "c"), phase("c", "knight", "a")], Vec2::new(1.3, 0.0));
    let (mut struck, mut changes, mut before) = (0, 0, 0);
    for tick in 0..1_200 {
        let news = hold(&mut play, if tick % 13 == 0 { Buttons::ATTACK } else { Buttons::NONE }, 1);
        let world = play.world();
        let foe = &world.foes[0];
        changes += usize::from(foe.kind != before);
        before = foe.kind;
        assert!(changes <= struck, "tick {tick}: {changes} kinds after {struck} hits");
        struck += hits(&news, 1);
        let machine = &world.cast.foe(foe.kind).unwrap().playable.machine;
        assert!(Arc::ptr_eq(foe.animator.machine.as_ref().unwrap().bound(), machine), "tick {tick}");
    }
    assert!(changes >= 3, "{changes} kinds after {struck} hits");
    // At a reload as well, before the next tick.
    let next = NewData::new(&play.world().stage.level, &demo().characters, &[play.world().stage.level.clone()]);
    let play = reloaded(&play, &next);
    let foe = &play.world().foes[0];
    let machine = &play.world().cast.foe(foe.kind).unwrap().playable.machine;
    assert!(Arc::ptr_eq(foe.animator.machine.as_ref().unwrap().bound(), machine));
}

/// A goal that opens after a kind, with guards to the left of the player.
fn guarded(kinds: &[FoeKind], guards: usize, after: &str) -> Play {
    let guard = |at: usize| foe(&kinds[0].name, Vec2::new(-9.0 - 3.0 * at as f32, 0.0));
    let level = Level {
        foes: (0..guards).map(guard).collect(),
        goal: Some(Goal { rect: Rect::new(2.0, 0.0, 3.0, 2.0), after: after.into() }),
        ..level(kinds, &[])
    };
    Play::new(&demo().characters, Some(&Arc::new(level)), 1)
}

/// Kills a foe as a blow does.
fn kill(world: &mut World, foe: usize) {
    world.foes[foe].actor.vitals.health = 0;
}

#[test]
fn a_goal_stays_closed_until_its_last_guard_is_dead() {
    let asleep = |name: &str| FoeKind { notice: 0.0, patrol: 0.0, ..kind(name) };
    let mut world = guarded(&[asleep("chief"), asleep("angry chief")], 2, "chief").world().clone();
    let walk = |world: &mut World, buttons: Buttons, ticks: usize| {
        let mut opened = 0;
        for _ in 0..ticks {
            step(world, buttons);
            opened += world.news.iter().filter(|news| matches!(news, News::Open { .. })).count();
        }
        opened
    };
    assert_eq!(walk(&mut world, Buttons::RIGHT, 60), 0);
    assert!(world.stage.goal.unwrap().overlaps(&world.player.body()), "it stands in the goal");
    assert_eq!((world.progress.finished, guards(&world).count()), (None, 2));
    kill(&mut world, 0);
    assert_eq!(walk(&mut world, Buttons::NONE, 30), 0, "one is left");
    // What has become another kind guards it still.
    world.foes[1].kind = 1;
    assert_eq!((walk(&mut world, Buttons::NONE, 30), guards(&world).count()), (0, 1));
    kill(&mut world, 1);
    assert_eq!(walk(&mut world, Buttons::NONE, 10), 1, "it opens once");
    assert!(world.progress.finished.is_some());
}

#[test]
fn a_goal_that_would_never_open_is_open_and_reported() {
    for (after, guards, word) in [("ghost", 1, "ghost"), ("chief", 0, "none"), ("dummy", 1, "die"), ("", 1, "")] {
        let mut play = guarded(&[kind(if after == "dummy" { after } else { "chief" })], guards, after);
        let reports = play.findings.iter().filter(|finding| finding.contains("goal") && finding.contains(word)).count();
        assert_eq!(reports, usize::from(!after.is_empty()), "{after}: {:?}", play.findings);
        hold(&mut play, Buttons::RIGHT, 60);
        assert!(play.world().progress.finished.is_some(), "{after}");
    }
}
