//! Combat in the gameplay mode: hits, chains, stops, foes, dummies, what is to be reached. Mostly in the demo, whose attacks come from
//! its lanes.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{Mat4, Vec2};
use keypose::assets::character::Character;
use keypose::assets::combat::{Cancel, CancelWhen, Hit, Lanes, Range, Strike, Volume};
use keypose::assets::level::{FoeKind, FoeNature, Goal, Level, Rect};
use keypose::assets::machine::State;
use keypose::assets::model::Model;
use keypose_editor::game::input::Buttons;
use keypose_editor::game::look::trail;
use keypose_editor::game::play::Play;
use keypose_editor::game::rules::actor::{Facing, Stand};
use keypose_editor::game::rules::combat::contact::Placing;
use keypose_editor::game::rules::foe::Mood;
use keypose_editor::game::step::step;
use keypose_editor::game::world::World;
use keypose_editor::game::world::news::News;
use keypose_editor::game::world::units::metres_of;
use keypose_editor::render::frame::overlay::Overlay;

use super::soak::check;
use super::{begun, demo, hold, kind, level, restless};

fn world_with(characters: &[Arc<Character>], level: Level) -> World {
    begun(characters, level).world().clone()
}

fn ring(kinds: &[FoeKind], foes: &[(&str, f32)]) -> World {
    world_with(&demo().characters, level(kinds, foes))
}

fn dummy_at(x: f32) -> World {
    ring(&[kind("dummy")], &[("dummy", x)])
}

/// Presses the attack for a tick, then waits.
fn strike(world: &mut World, ticks: usize) -> Vec<News> {
    let mut news = hold(world, Buttons::ATTACK, 1);
    news.extend(hold(world, Buttons::NONE, ticks - 1));
    news
}

fn hits(news: &[News]) -> Vec<(usize, u16)> {
    let hit = |news: &News| match news {
        News::Hit { target, damage, .. } => Some((*target, *damage)),
        _ => None,
    };
    news.iter().filter_map(hit).collect()
}

/// The characters of the demo with the lanes of the knight's first attack changed.
fn knight_with(change: impl Fn(&mut Lanes)) -> Vec<Arc<Character>> {
    changed("knight", "attack", change)
}

fn changed(model: &str, clip: &str, change: impl Fn(&mut Lanes)) -> Vec<Arc<Character>> {
    let with = |character: &Arc<Character>| {
        if character.model.name != model {
            return character.clone();
        }
        let mut model = Model::clone(&character.model);
        let id = model.clip_named(clip).unwrap().id;
        let mut lanes = model.combat.lanes_of(id);
        change(&mut lanes);
        model.combat_mut().set_lanes(id, lanes);
        Arc::new(Character { model: Arc::new(model), clips: character.clips.clone() })
    };
    demo().characters.iter().map(with).collect()
}

#[test]
fn a_swing_hits_a_dummy_once_and_both_stand_still() {
    let mut world = dummy_at(1.3);
    let mut stops = Vec::new();
    let mut news = hold(&mut world, Buttons::ATTACK, 1);
    for _ in 0..40 {
        let before = world.player.action.map(|action| action.tick);
        news.extend(hold(&mut world, Buttons::NONE, 1));
        if world.player.action.is_some() && before == world.player.action.map(|action| action.tick) {
            stops.push(world.foes[0].actor.vitals.stop);
        }
    }
    assert_eq!(hits(&news), [(1, 10)], "five ticks hit, and only the first counts");
    assert_eq!(stops.len(), 5, "they stand still for five ticks: {stops:?}");
    assert_eq!(world.foes[0].actor.vitals.taken, 10);
    assert!((metres_of(world.foes[0].actor.feet).x - 1.3).abs() < 1e-3, "a dummy stays where it is");
    assert!(world.foes[0].actor.vitals.is_alive());
    hold(&mut world, Buttons::NONE, 140);
    assert_eq!(world.foes[0].actor.vitals.taken, 0, "it forgets");
}

#[test]
fn the_trail_of_a_weapon_stands_still_while_a_hit_holds_it() {
    let mut world = dummy_at(1.3);
    hold(&mut world, Buttons::ATTACK, 1);
    let mut held = 0;
    for _ in 0..40 {
        hold(&mut world, Buttons::NONE, 1);
        let drawn = |back| {
            let mut overlay = Overlay::default();
            trail::draw(&world.player, world.cast.player_moves(), &Mat4::IDENTITY, back, &mut overlay);
            overlay.triangles
        };
        if world.player.is_held && !drawn(0.0).is_empty() {
            assert_eq!(drawn(1.0), drawn(0.0));
            held += 1;
        }
    }
    assert!(held >= 4, "{held}");
}

#[test]
fn the_first_hit_comes_within_eight_ticks_and_the_attack_steps_forward() {
    let mut world = dummy_at(9.0);
    let start = metres_of(world.player.feet).x;
    hold(&mut world, Buttons::ATTACK, 1);
    let moves = world.cast.player_moves();
    assert_eq!(moves.chain, [State::Attack, State::Attack2, State::Attack3]);
    for step in 0..3 {
        assert!(moves.act(moves.chain[step]).first_hit().unwrap() <= 8, "attack {step}");
    }
    hold(&mut world, Buttons::NONE, 12);
    let gone = metres_of(world.player.feet).x - start;
    assert!((0.25..0.7).contains(&gone), "{gone}");
}

#[test]
fn pressing_again_gives_a_chain_of_three() {
    let mut world = dummy_at(1.2);
    let (mut states, mut news) = (Vec::new(), Vec::new());
    for tick in 0..100 {
        let held = if tick % 12 == 0 && tick < 40 { Buttons::ATTACK } else { Buttons::NONE };
        news.extend(hold(&mut world, held, 1));
        let state = world.player.clock.state;
        if states.last() != Some(&state) {
            states.push(state);
        }
    }
    assert_eq!(states[..4], [State::Attack, State::Attack2, State::Attack3, State::Idle], "{states:?}");
    assert_eq!(hits(&news).iter().map(|(_, damage)| damage).sum::<u16>(), 38);
}

#[test]
fn nothing_is_hit_out_of_reach_or_behind() {
    let mut far = dummy_at(4.0);
    assert_eq!(hits(&strike(&mut far, 40)), []);
    let mut behind = dummy_at(-1.2);
    assert_eq!(hits(&strike(&mut behind, 40)), []);
    hold(&mut behind, Buttons::LEFT, 3);
    assert_eq!(behind.player.facing, Facing::Left);
    assert_eq!(hits(&strike(&mut behind, 40)), [(1, 10)]);
}

#[test]
fn masks_groups_and_repeats_decide_what_counts() {
    let with = |change: &dyn Fn(&mut Hit)| {
        let characters = knight_with(|lanes| change(&mut lanes.hits[0]));
        let mut world = world_with(&characters, level(&[kind("dummy")], &[("dummy", 1.2)]));
        hits(&strike(&mut world, 60)).len()
    };
    assert_eq!(with(&|_| {}), 1);
    assert_eq!(with(&|hit| hit.strike.mask = FoeKind::FOE), 0, "a dummy is not a foe");
    assert_eq!(with(&|hit| hit.strike.mask = FoeKind::DUMMY), 1);
    assert!((2..=4).contains(&with(&|hit| hit.again = 2)), "again after two ticks");
    let groups = knight_with(|lanes| {
        let other = Hit { group: 1, ..lanes.hits[0].clone() };
        lanes.hits.push(other);
    });
    let mut world = world_with(&groups, level(&[kind("dummy")], &[("dummy", 1.2)]));
    assert_eq!(hits(&strike(&mut world, 60)).len(), 2, "each group counts once");
}

#[test]
fn foes_hit_foes_only_with_hits_that_name_them() {
    let struck = |mask: u32| {
        let characters =
            changed("goblin", "attack", |lanes| lanes.hits.iter_mut().for_each(|hit| hit.strike.mask = mask));
        let goblin = FoeKind { notice: 12.0, patrol: 0.0, ..kind("goblin") };
        // What flies is not pushed aside by what walks.
        let nature = FoeNature { flies: true, ..FoeNature::default() };
        let still = FoeKind { name: "still".into(), notice: 0.0, nature, ..goblin.clone() };
        let mut world = world_with(&characters, level(&[goblin, still], &[("goblin", 1.6), ("still", 0.5)]));
        world.player.vitals.health = 500;
        let struck: BTreeSet<usize> =
            hits(&hold(&mut world, Buttons::NONE, 400)).into_iter().map(|(target, _)| target).collect();
        struck
    };
    assert_eq!(struck(Strike::ALL_TARGETS), BTreeSet::from([0]), "the player alone");
    assert_eq!(struck(FoeKind::PLAYER), BTreeSet::from([0]));
    assert_eq!(struck(FoeKind::FOE), BTreeSet::from([2]), "the other foe");
    assert_eq!(struck(FoeKind::PLAYER | FoeKind::FOE), BTreeSet::from([0, 2]));
    assert_eq!(struck(FoeKind::DUMMY), BTreeSet::new());
}

#[test]
fn attacks_stop_at_edges() {
    let far = Rect::new(6.0, -1.0, 9.0, 0.0);
    let cliff = || Level { solids: vec![Rect::new(-20.0, -1.0, 1.2, 0.0), far], ..level(&[], &[]) };
    for buttons in [Buttons::ATTACK, Buttons::ATTACK | Buttons::DOWN] {
        let mut world = world_with(&demo().characters, cliff());
        (0..400).for_each(|tick| step(&mut world, if tick % 20 < 2 { buttons } else { Buttons::NONE }));
        let x = metres_of(world.player.feet).x;
        assert!(world.falls == 0 && (0.95..1.2).contains(&x), "{buttons:?}: at {x} after {} falls", world.falls);
    }
    // Steps and slopes down are no edges.
    let low = Rect::new(0.8, -1.0, 20.0, -0.3);
    let mut world =
        world_with(&demo().characters, Level { solids: vec![Rect::new(-20.0, -1.0, 0.8, 0.0), low], ..cliff() });
    (0..300).for_each(|tick| step(&mut world, if tick % 20 < 2 { Buttons::ATTACK } else { Buttons::NONE }));
    assert!(metres_of(world.player.feet).x > 1.5, "{}", metres_of(world.player.feet));
}

/// A blade that is active for a single tick, between two poses in which it touches nothing.
#[test]
fn a_hit_is_swept_over_its_ticks() {
    let ticks = |first, end| {
        let characters = knight_with(|lanes| lanes.hits[0].range = Range::of_ticks(first, end));
        let mut world = world_with(&characters, level(&[kind("dummy")], &[("dummy", 1.3)]));
        hits(&strike(&mut world, 40)).len()
    };
    let alone: Vec<usize> = (2..16).map(|tick| ticks(tick, tick + 1)).collect();
    assert!(alone.contains(&1) && alone.contains(&0), "{alone:?}");
    assert_eq!(ticks(2, 16), 1);
}

#[test]
fn cancels_say_what_may_interrupt_and_when() {
    let with = |when: CancelWhen, x: f32| {
        let characters = knight_with(|lanes| {
            lanes.cancels = vec![Cancel { range: Range::of_ticks(8, 28), into: vec!["jump".into()], when }];
        });
        let mut world = world_with(&characters, level(&[kind("dummy")], &[("dummy", x)]));
        strike(&mut world, 22);
        let walked = {
            let mut other = world.clone();
            hold(&mut other, Buttons::LEFT, 3);
            other.player.state() == State::Walk
        };
        hold(&mut world, Buttons::JUMP, 2);
        (world.player.velocity.y > 0.0, walked)
    };
    assert_eq!(with(CancelWhen::Hit, 1.2), (true, false));
    assert_eq!(with(CancelWhen::Hit, 9.0), (false, false));
    assert_eq!(with(CancelWhen::Miss, 1.2), (false, false));
    assert_eq!(with(CancelWhen::Miss, 9.0), (true, false));
}

#[test]
fn a_goblin_sees_the_player_comes_warns_and_strikes() {
    let mut world = ring(&[kind("goblin")], &[("goblin", 4.5)]);
    let mut moods = vec![world.foes[0].mood];
    let (mut news, mut warned) = (Vec::new(), 0);
    for _ in 0..400 {
        news.extend(hold(&mut world, Buttons::NONE, 1));
        let foe = &world.foes[0];
        if moods.last() != Some(&foe.mood) {
            moods.push(foe.mood);
        }
        if hits(&news).is_empty() && foe.actor.action.is_some() {
            warned += 1;
        }
        if !hits(&news).is_empty() {
            break;
        }
    }
    assert_eq!(moods[moods.len() - 2..], [Mood::Notice, Mood::Chase], "{moods:?}");
    assert_eq!(hits(&news), [(0, 20)]);
    assert!(warned >= 26, "the club is raised for {warned} ticks");
    assert_eq!((world.player.vitals.health, world.hits_taken), (80, 1));
    hold(&mut world, Buttons::NONE, 9);
    assert_eq!(world.player.state(), State::Hurt);
    assert!(world.player.velocity.x < 0.0, "thrown back");
    let before = world.player.vitals.health;
    hold(&mut world, Buttons::NONE, 50);
    assert_eq!(world.player.vitals.health, before, "it can't be hit again at once");
}

#[test]
fn a_goblin_dies_of_a_chain_and_is_gone_after_a_while() {
    let mut world = ring(&[FoeKind { notice: 0.0, patrol: 0.0, ..kind("goblin") }], &[("goblin", 1.3)]);
    let mut news = Vec::new();
    for tick in 0..80 {
        news.extend(hold(&mut world, if tick % 11 == 0 { Buttons::ATTACK } else { Buttons::NONE }, 1));
    }
    assert!(news.iter().any(|news| matches!(news, News::Death { target: 1, .. })), "{:?}", hits(&news));
    let foe = &world.foes[0];
    assert_eq!(foe.actor.state(), State::Die);
    assert!(metres_of(foe.actor.feet).x > 1.5, "knocked back to {}", metres_of(foe.actor.feet).x);
    hold(&mut world, Buttons::NONE, 120);
    assert!(!world.foes[0].is_there());
}

#[test]
fn invulnerable_ranges_are_not_hit() {
    let whole = Range::of_ticks(0, 600);
    let characters = changed("goblin", "idle", |lanes| lanes.invulnerable = vec![whole]);
    let quiet = FoeKind { notice: 0.0, patrol: 0.0, ..kind("goblin") };
    let mut world = world_with(&characters, level(&[quiet], &[("goblin", 1.3)]));
    assert_eq!(hits(&strike(&mut world, 40)), []);
}

/// Both swing so that the weapons meet: the higher priority hits, equal ones cancel each other.
#[test]
fn attacks_that_meet_are_decided_by_priority() {
    let with = |own: u8, other: u8| {
        let early = |lanes: &mut Lanes, priority| {
            lanes.hits[0].range = Range::of_ticks(0, 24);
            lanes.hits[0].volumes[0].radius = 0.8;
            lanes.hits[0].strike = Strike { priority, ..lanes.hits[0].strike };
        };
        let mut characters = knight_with(|lanes| early(lanes, own));
        let goblins = changed("goblin", "attack", |lanes| early(lanes, other));
        let at = characters.iter().position(|character| character.model.name == "goblin").unwrap();
        characters[at] = goblins[at].clone();
        let near = FoeKind { notice: 5.0, reach: 4.0, ..kind("goblin") };
        let mut world = world_with(&characters, level(&[near], &[("goblin", 2.3)]));
        while world.foes[0].actor.action.is_none() {
            hold(&mut world, Buttons::NONE, 1);
            assert!(world.tick < 300);
        }
        let news = strike(&mut world, 10);
        assert!(news.iter().any(|news| matches!(news, News::Clash { .. })), "{news:?}");
        hits(&news).into_iter().map(|(target, _)| target).collect::<Vec<_>>()
    };
    assert!(with(2, 2).is_empty(), "neither");
    assert!(!with(3, 2).contains(&0), "the goblin's club is beaten back");
    assert!(!with(2, 3).contains(&1), "the knight's sword is beaten back");
}

#[test]
fn the_player_dies_and_continues_at_the_last_checkpoint() {
    let place = Vec2::new(6.0, 0.0);
    let base = level(&[FoeKind { notice: 30.0, ..kind("goblin") }], &[("goblin", 12.0)]);
    let mut world = world_with(&demo().characters, Level { checkpoints: vec![place], ..base });
    hold(&mut world, Buttons::RIGHT | Buttons::RUN, 90);
    assert_eq!(world.progress.checkpoint, Some(0));
    world.player.vitals.health = 20;
    let mut deaths = 0;
    for _ in 0..2_000 {
        let news = hold(&mut world, Buttons::NONE, 1);
        deaths += news.iter().filter(|news| matches!(news, News::Death { target: 0, .. })).count();
        if world.deaths == 1 {
            break;
        }
    }
    assert_eq!((deaths, world.deaths, world.player.vitals.health), (1, 1, 100));
    assert!(metres_of(world.player.feet).distance(place) < 0.1);
}

#[test]
fn coins_are_collected_and_the_goal_ends_the_level() {
    let base = level(&[], &[]);
    let (coins, goal) =
        (vec![Vec2::new(2.0, 0.8), Vec2::new(2.0, 5.0)], Some(Goal::open(Rect::new(6.0, 0.0, 7.0, 2.0))));
    let mut world = world_with(&demo().characters, Level { coins, goal, ..base });
    hold(&mut world, Buttons::RIGHT, 120);
    assert_eq!(world.progress.collected(), 1);
    assert_eq!(world.progress.finished, None);
    hold(&mut world, Buttons::RIGHT | Buttons::RUN, 90);
    let finished = world.progress.finished.unwrap();
    let place = metres_of(world.player.feet).x;
    hold(&mut world, Buttons::RIGHT | Buttons::RUN, 90);
    assert_eq!(world.progress.finished, Some(finished));
    assert!(metres_of(world.player.feet).x < place + 1.5, "it stops");
}

#[test]
fn nothing_hurts_the_player_behind_the_goal() {
    let health = |goal: Option<Goal>| {
        let base = level(&[], &[]);
        let spikes = vec![Rect::new(2.5, 0.0, 4.5, 0.3)];
        let mut world = world_with(&demo().characters, Level { spikes, goal, ..base });
        hold(&mut world, Buttons::RIGHT | Buttons::RUN, 90);
        (world.progress.finished.is_some(), world.player.vitals.health)
    };
    let (is_over, hurt) = health(None);
    assert!(!is_over && hurt < 100, "{hurt}");
    assert_eq!(health(Some(Goal::open(Rect::new(1.6, 0.0, 2.4, 2.0)))), (true, 100));
}

#[test]
fn bad_foes_are_reported_once_and_replaced() {
    let bad = FoeKind { size: f32::NAN, speed: f32::INFINITY, reach: -5.0, model: "unknown".into(), ..kind("goblin") };
    let mut base = level(&[bad], &[("goblin", 1.0), ("ghost", 2.0), ("ghost", 1e30), ("ghost", f32::NAN)]);
    base.coins = vec![Vec2::NAN, Vec2::new(1e30, 0.0)];
    base.checkpoints = vec![Vec2::NAN, Vec2::splat(-1e30)];
    base.goal = Some(Goal::open(Rect::new(f32::NAN, 0.0, 1.0, 1.0)));
    assert!(base.check().is_err());
    let play = Play::new(&demo().characters, Some(&Arc::new(base)), 1);
    let named = |word: &str| play.findings.iter().filter(|finding| finding.contains(word)).count();
    assert_eq!((named("ghost"), named("unknown")), (1, 1), "{:?}", play.findings);
    let mut world = play.world().clone();
    for held in restless(3, 6).take(1_200) {
        step(&mut world, held);
        check(&world);
    }
    assert_eq!(world.foes.len(), 3);
}

#[test]
fn very_many_volumes_don_t_stop_the_game() {
    let characters = knight_with(|lanes| {
        let mut hit = lanes.hits[0].clone();
        let blade = hit.volumes[0].clone();
        hit.range = Range::of_ticks(0, 28);
        hit.volumes = (0..256).map(|at| Volume { name: at.to_string(), radius: 1e-3, ..blade.clone() }).collect();
        lanes.hits = (0..=255).map(|group| Hit { group, ..hit.clone() }).collect();
    });
    let play = begun(&characters, level(&[kind("dummy")], &[("dummy", 1.2); 20]));
    assert!(play.findings.iter().any(|finding| finding.contains("16 volumes")), "{:?}", play.findings);
    assert!(!hits(&strike(&mut play.world().clone(), 40)).is_empty());
}

#[test]
fn a_model_without_volumes_fights_too() {
    let plain = Model { combat: Default::default(), ..Model::clone(&demo().characters[0].model) };
    let plain = Character { model: Arc::new(plain), clips: demo().characters[0].clips.clone() };
    let dummy = FoeKind { model: String::new(), ..kind("dummy") };
    let mut world = world_with(&[Arc::new(plain)], level(&[dummy], &[("dummy", 1.1)]));
    assert_eq!(hits(&strike(&mut world, 40)).len(), 1);
}

#[test]
fn foes_of_every_size_push_no_one_from_afar_and_stand_where_blows_reach_them() {
    for size in [1.0, 2.0, 3.0, 5.0] {
        let foe = FoeKind { size, health: 500, notice: 0.0, patrol: 0.0, ..kind("goblin") };
        let mut walled = level(&[foe], &[("goblin", 8.0)]);
        walled.solids.push(Rect::new(9.0, 0.0, 10.0, 12.0));
        let mut world = world_with(&demo().characters, walled);
        assert!(metres_of(world.player.feet).x.abs() < 1e-3, "size {size}: {}", world.player.feet);
        hold(&mut world, Buttons::RIGHT, 300);
        let news = (0..4).flat_map(|_| strike(&mut world, 40)).collect::<Vec<_>>();
        assert!(!hits(&news).is_empty(), "size {size}: {}", metres_of(world.foes[0].actor.feet - world.player.feet));
    }
}

#[test]
fn a_cut_reaches_before_the_knight_and_not_behind() {
    let world = dummy_at(9.0);
    let (moves, mut placing) = (world.cast.player_moves(), Placing::default());
    for state in [State::Attack, State::Attack2, State::Attack3, State::Stab, State::AirAttack] {
        let mut farthest = f32::MIN;
        for hit in &moves.act(state).hits {
            for tick in hit.ticks.clone() {
                let stand = Stand { state, tick: tick as u32, ..Stand::default() };
                for capsule in placing.capsules(moves, &stand, &hit.volumes) {
                    let [from, to] = [capsule.from.x, capsule.to.x];
                    let (back, front) = (from.min(to) - capsule.radius, from.max(to) + capsule.radius);
                    assert!(back > -0.30, "{} reaches {back} at tick {tick}", state.name());
                    farthest = farthest.max(front);
                }
            }
        }
        assert!(farthest > 0.9, "{} reaches {farthest}", state.name());
    }
    for x in [-0.75, -1.0, -1.3] {
        let mut world = dummy_at(x);
        let news = (0..4).flat_map(|_| strike(&mut world, 16)).collect::<Vec<_>>();
        assert_eq!(hits(&news), [], "a dummy at {x}");
    }
}
