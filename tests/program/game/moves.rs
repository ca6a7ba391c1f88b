//! What the player does besides walking, jumping and the chain of attacks: creeping, the stab, the attack in the air, the roll. With
//! the knight of the demo, whose clips move him, and with a model that has none of this.

use std::sync::Arc;

use glam::Vec3;
use keypose::anim::clip::{Clip, Keyframe, LoopMode};
use keypose::anim::key::Key;
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::parts::Pace;
use keypose::anim::root_motion::RootMotion;
use keypose::anim::time::Time;
use keypose::assets::character::Character;
use keypose::assets::combat::{Hurt, Range, Volume};
use keypose::assets::level::{FoeKind, Rect};
use keypose::assets::machine::State;
use keypose::assets::model::Model;
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::rules::actor::{Footing, Stance, Stand};
use keypose_editor::game::rules::combat::contact::Placing;
use keypose_editor::game::world::units::metres_of;

use super::{begun, demo, hits, hold, level};

/// A floor with one foe at `x` that stands still, and the player at 0.
fn ring(characters: &[Arc<Character>], x: f32, solids: &[Rect]) -> Play {
    let kind = FoeKind { name: "foe".into(), model: "goblin".into(), health: 500, notice: 0.0, ..FoeKind::default() };
    let mut level = level(&[kind], &[("foe", x)]);
    level.solids.extend(solids);
    begun(characters, level)
}

/// A changed knight, whose other clips are not baked again, and the goblin.
fn knight_and_goblin(model: Model) -> [Arc<Character>; 2] {
    let knight = Character::bake(&Arc::new(model), Some(&demo().characters[0]));
    [Arc::new(knight), demo().characters[3].clone()]
}

fn x(play: &Play) -> f32 {
    metres_of(play.world().player.feet).x
}

/// The states of the simulation and of the machine that follow each other.
fn states(play: &mut Play, buttons: Buttons, ticks: usize) -> Vec<(State, String)> {
    let mut seen: Vec<(State, String)> = Vec::new();
    for _ in 0..ticks {
        play.tick(buttons);
        let world = play.world();
        let shown = world.animator.machine.as_ref().map_or("", |machine| machine.state_name());
        let now = (world.player.state(), shown.to_owned());
        if seen.last() != Some(&now) {
            seen.push(now);
        }
    }
    seen
}

#[test]
fn a_stab_comes_out_of_a_crouch_and_its_clip_moves_him() {
    let mut play = ring(&demo().characters, 20.0, &[]);
    hold(&mut play, Buttons::DOWN, 20);
    let start = x(&play);
    let seen = states(&mut play, Buttons::DOWN | Buttons::ATTACK, 1);
    assert_eq!(seen, [(State::Stab, "stab".to_owned())]);
    hold(&mut play, Buttons::DOWN, 8);
    assert!(x(&play) - start > 0.6, "forwards within nine ticks: {}", x(&play) - start);
    hold(&mut play, Buttons::DOWN, 24);
    let way = x(&play) - start;
    assert!((1.0..1.3).contains(&way), "{way}");
    assert_eq!(play.world().player.state(), State::Crouch);
    // The root of the clip moves the body, so it does not move the pose.
    hold(&mut play, Buttons::DOWN | Buttons::ATTACK, 1);
    for _ in 0..20 {
        hold(&mut play, Buttons::DOWN, 1);
        let mut pose = keypose::anim::pose::LocalPose::default();
        let machine = play.world().animator.machine.as_ref().unwrap();
        machine.sample(&mut Default::default(), &mut pose);
        assert!(pose.get(0).translation.length() < 1e-4, "{}", pose.get(0).translation);
    }
}

#[test]
fn a_stab_reaches_what_a_cut_does_not_and_a_wall_stops_it() {
    let at = 2.35;
    let mut cut = ring(&demo().characters, at, &[]);
    let mut news = hold(&mut cut, Buttons::ATTACK, 1);
    news.extend(hold(&mut cut, Buttons::NONE, 40));
    assert_eq!(hits(&news, 1), 0);
    let mut stab = ring(&demo().characters, at, &[]);
    let mut news = hold(&mut stab, Buttons::ATTACK | Buttons::DOWN, 1);
    news.extend(hold(&mut stab, Buttons::DOWN, 40));
    assert_eq!(hits(&news, 1), 1);
    let mut walled = ring(&demo().characters, 20.0, &[Rect::new(0.6, 0.0, 1.0, 3.0)]);
    hold(&mut walled, Buttons::ATTACK | Buttons::DOWN, 1);
    hold(&mut walled, Buttons::DOWN, 40);
    assert!(x(&walled) < 0.31, "{}", x(&walled));
}

#[test]
fn an_attack_in_the_air_ends_on_the_ground() {
    let mut play = ring(&demo().characters, 1.2, &[]);
    hold(&mut play, Buttons::JUMP, 2);
    hold(&mut play, Buttons::NONE, 4);
    let mut news = hold(&mut play, Buttons::ATTACK, 1);
    assert_eq!(play.world().player.state(), State::AirAttack);
    assert_eq!(play.world().animator.machine.as_ref().unwrap().state_name(), "air attack");
    let mut airborne = 0;
    while play.world().player.footing == Footing::Air {
        news.extend(hold(&mut play, Buttons::NONE, 1));
        airborne += 1;
        assert!(airborne < 120);
    }
    hold(&mut play, Buttons::NONE, 1);
    assert_ne!(play.world().player.state(), State::AirAttack);
    assert_eq!(hits(&news, 1), 1, "{news:?}");
}

#[test]
fn a_roll_passes_foes_and_what_hits_and_fits_under_a_beam() {
    let mut play = ring(&demo().characters, 1.2, &[]);
    let seen = states(&mut play, Buttons::ROLL, 1);
    assert_eq!(seen, [(State::Roll, "roll".to_owned())]);
    let moves = play.world().cast.player_moves();
    let safe = (0..26).filter(|&tick| moves.hurt_at(State::Roll, tick).is_empty()).count();
    assert_eq!(safe, 16);
    hold(&mut play, Buttons::NONE, 40);
    assert!(x(&play) > 2.2, "past the foe: {}", x(&play));
    let beam = Rect::new(1.0, 1.2, 4.0, 3.0);
    let mut under = ring(&demo().characters, 20.0, &[beam]);
    hold(&mut under, Buttons::ROLL, 1);
    hold(&mut under, Buttons::NONE, 40);
    assert!(x(&under) > 2.0, "{}", x(&under));
    assert_eq!(under.world().player.stance, Stance::Crouched, "there is no room to stand up");
    let start = x(&under);
    hold(&mut under, Buttons::ROLL | Buttons::LEFT, 1);
    hold(&mut under, Buttons::NONE, 30);
    assert!(x(&under) < start - 2.0, "to the other side: {}", x(&under));
}

/// A held or hammered button doesn't make rolls without a gap.
#[test]
fn rolls_have_gaps_and_cancel_a_finished_cut() {
    let mut play = ring(&demo().characters, 25.0, &[]);
    let mut pattern = String::new();
    for tick in 0..120 {
        hold(&mut play, if tick % 2 == 0 { Buttons::ROLL } else { Buttons::NONE }, 1);
        pattern.push(if play.world().player.is_rolling() { 'r' } else { '-' });
    }
    let gaps: Vec<usize> = pattern.split('r').map(str::len).filter(|&gap| gap > 0).collect();
    assert!(gaps.len() >= 2 && gaps.iter().all(|&gap| gap >= 8), "{pattern}");
    let mut cut = ring(&demo().characters, 25.0, &[]);
    hold(&mut cut, Buttons::ATTACK, 1);
    hold(&mut cut, Buttons::ROLL, 4);
    assert_eq!(cut.world().player.state(), State::Attack, "not in its first ticks");
    hold(&mut cut, Buttons::NONE, 10);
    hold(&mut cut, Buttons::ROLL, 1);
    assert_eq!(cut.world().player.state(), State::Roll);
}

#[test]
fn he_creeps_with_a_clip_of_his_own() {
    let mut play = ring(&demo().characters, 25.0, &[]);
    let seen = states(&mut play, Buttons::DOWN | Buttons::RIGHT, 60);
    assert_eq!(seen.last(), Some(&(State::CrouchWalk, "crouch walk".to_owned())), "{seen:?}");
}

#[test]
fn a_model_without_these_clips_rolls_and_attacks_nevertheless() {
    let clips = ["idle", "walk", "attack"];
    let mut model = Model { machine: Default::default(), ..Model::clone(&demo().characters[0].model) };
    model.clips.retain(|slot| clips.contains(&slot.clip.name.as_str()));
    let characters = knight_and_goblin(model);
    let mut play = ring(&characters, 25.0, &[]);
    hold(&mut play, Buttons::ROLL, 1);
    assert_eq!(play.world().player.state(), State::Roll);
    hold(&mut play, Buttons::NONE, 30);
    assert!(x(&play) > 1.5, "{}", x(&play));
    hold(&mut play, Buttons::DOWN | Buttons::ATTACK, 1);
    assert_eq!(play.world().player.state(), State::Attack);
    hold(&mut play, Buttons::NONE, 60);
    hold(&mut play, Buttons::JUMP, 5);
    hold(&mut play, Buttons::ATTACK, 1);
    assert_eq!(play.world().player.state(), State::Attack);
}

#[test]
fn a_model_with_volumes_is_hit_in_every_state_with_few_clips_or_none() {
    for clips in [&["idle", "walk"][..], &[]] {
        let mut model = Model { machine: Default::default(), ..Model::clone(&demo().characters[0].model) };
        model.clips.retain(|slot| clips.contains(&slot.clip.name.as_str()));
        let volumes = model.combat.hurt.len();
        let characters = knight_and_goblin(model);
        let play = ring(&characters, 25.0, &[]);
        let moves = play.world().cast.player_moves();
        for state in State::ALL {
            let stand = Stand { state, tick: 20, ..Stand::default() };
            let placed = Placing::default().capsules(moves, &stand, &moves.hurt_at(state, stand.tick));
            assert_eq!(placed.len(), volumes, "{} with {clips:?}", state.name());
        }
    }
}

#[test]
fn volumes_on_missing_bones_protect_from_nothing() {
    let model = || Model::clone(&demo().characters[0].model);
    let hurt_in_attack = |model: Model| {
        let knight = Character { model: Arc::new(model), clips: demo().characters[0].clips.clone() };
        let play = ring(&[Arc::new(knight), demo().characters[3].clone()], 25.0, &[]);
        play.world().cast.player_moves().hurt_at(State::Attack, 20).len()
    };
    let mut renamed = model();
    renamed.combat_mut().hurt.iter_mut().for_each(|volume| volume.bone = "gone".into());
    assert_eq!(hurt_in_attack(renamed), 1, "its body");
    let (mut replaced, expected) = (model(), hurt_in_attack(model()));
    let id = replaced.clip_named("attack").unwrap().id;
    let mut lanes = replaced.combat.lanes_of(id);
    let lost = Volume { bone: "gone".into(), ..replaced.combat.hurt[0].clone() };
    lanes.hurts = vec![Hurt { range: Range::of_ticks(0, 40), volume: lost.name.clone(), replaced: Some(lost) }];
    replaced.combat_mut().set_lanes(id, lanes);
    assert_eq!(hurt_in_attack(replaced), expected);
}

#[test]
fn who_crouches_is_hit_lower_without_volumes_or_without_a_clip_for_it() {
    let plain = || Model { machine: Default::default(), ..Model::clone(&demo().characters[0].model) };
    let (mut bare, mut upright) = (plain(), plain());
    bare.combat_mut().hurt.clear();
    upright.clips.retain(|slot| !slot.clip.name.contains("crouch") && slot.clip.name != "land");
    for (name, model) in [("no volumes", bare), ("no crouch", upright), ("both", plain())] {
        let characters = knight_and_goblin(model);
        let mut play = ring(&characters, 25.0, &[]);
        let top = |play: &Play| {
            let (stand, moves) = (play.world().player.stand(), play.world().cast.player_moves());
            let placed = Placing::default().capsules(moves, &stand, &moves.hurt_at(stand.state, stand.tick));
            placed.iter().map(|volume| volume.from.y.max(volume.to.y) + volume.radius).fold(0.0, f32::max)
        };
        assert!(top(&play) > 1.5, "{name}: {} standing", top(&play));
        hold(&mut play, Buttons::DOWN, 40);
        assert!(top(&play) < 1.3, "{name}: {} crouching", top(&play));
    }
}

#[test]
fn an_attack_hits_when_its_clip_is_drawn_to_hit_at_any_speed() {
    let knight = &demo().characters[0];
    for (speed, start_secs) in [(2.0, 0.0), (0.5, 0.0), (1.0, 0.05)] {
        let mut model = Model::clone(&knight.model);
        let lanes = model.combat.lanes_of(model.clip_named("attack").unwrap().id);
        let graph = model.machine.graph.as_mut().unwrap();
        let mut parts = graph.def.parts().clone();
        let state = parts.states.iter_mut().find(|state| state.name == "attack").unwrap();
        (state.pace, state.start_secs) = (Pace::Time { speed, by: String::new() }, start_secs);
        graph.def = Arc::new(MachineDef::new(parts).unwrap());
        let knight = Character { model: Arc::new(model), clips: knight.clips.clone() };
        let mut play = ring(&[Arc::new(knight), demo().characters[3].clone()], 25.0, &[]);
        hold(&mut play, Buttons::ATTACK, 1);
        let length = play.world().player.action.unwrap().length;
        let mut hitting = 0;
        while let Some(action) = play.world().player.action {
            let world = play.world();
            let act = world.cast.player_moves().act(action.state);
            let clip = act.clip.as_ref().unwrap().length.secs();
            let ticks = (clip - f64::from(start_secs)) / f64::from(speed) * 60.0;
            assert!((f64::from(length) - ticks).abs() < 1.0, "{speed}, {start_secs}: {length}, not {ticks}");
            if act.hits.iter().any(|hit| hit.ticks.contains(&i64::from(action.tick))) {
                hitting += 1;
                let (drawn, near) = (world.animator.machine.as_ref().unwrap().loops() * clip, f64::from(speed) / 50.0);
                let is_in = |range: &Range| range.start.secs() - near < drawn && drawn < range.end.secs() + near;
                assert!(lanes.hits.iter().any(|hit| is_in(&hit.range)), "{speed}, {start_secs}: {drawn} s");
            }
            hold(&mut play, Buttons::NONE, 1);
        }
        assert!(hitting > 0, "{speed}, {start_secs}");
    }
}

/// By root motion or as a loop that travels: such clips are drawn in place.
#[test]
fn what_can_be_hit_stays_with_a_body_whose_clips_travel() {
    for root_motion in [RootMotion::None, RootMotion::Ground] {
        let mut model = Model { machine: Default::default(), ..Model::clone(&demo().characters[0].model) };
        for (name, way) in [("walk", Vec3::Z), ("climb", Vec3::Y)] {
            let pose = |duration, place| Keyframe {
                duration,
                keys: vec![Key::translation(0, place)].into(),
                ..Keyframe::default()
            };
            let keyframes = vec![pose(Time::SECOND, Vec3::ZERO), pose(Time::ZERO, way * 1.5)].into();
            let clip = Clip { keyframes, loop_mode: LoopMode::Loop, root_motion, ..Clip::new(name) };
            let slot = model.clips.iter_mut().find(|slot| slot.clip.name == name).unwrap();
            slot.clip = Arc::new(clip);
        }
        let characters = knight_and_goblin(model);
        let play = ring(&characters, 25.0, &[]);
        let moves = play.world().cast.player_moves();
        let middle = |state, tick| {
            let stand = Stand { state, tick, ..Stand::default() };
            let placed = Placing::default().capsules(moves, &stand, &moves.hurt_at(state, tick));
            placed.iter().map(|volume| volume.from.lerp(volume.to, 0.5)).sum::<Vec3>() / placed.len() as f32
        };
        for state in [State::Walk, State::Climb] {
            for tick in (0..130).step_by(13) {
                let away = middle(state, tick).distance(middle(state, 0));
                assert!(away < 0.02, "{} by {root_motion:?}, tick {tick}: {away} m", state.name());
            }
        }
    }
}

/// The legs run on under a cut of the arms; without a layer for it he stops.
#[test]
fn he_cuts_on_the_run_with_his_arms_alone() {
    let mut play = ring(&demo().characters, 6.0, &[]);
    let run = Buttons::RIGHT | Buttons::RUN;
    hold(&mut play, run, 50);
    let mut news = hold(&mut play, run | Buttons::ATTACK, 1);
    let start = x(&play);
    news.extend(hold(&mut play, run, 12));
    let action = play.world().player.action.unwrap();
    assert!(action.runs && action.state == State::Attack);
    assert!(x(&play) - start > 0.75, "he runs on: {}", x(&play) - start);
    assert_eq!(play.world().animator.machine.as_ref().unwrap().state_name(), "move");
    let frame = play.frame(1.0, 1.5);
    let knight = frame.models.last().unwrap();
    let hand = knight.model.skeleton.find("hand.R").unwrap();
    assert!(knight.pose.get(hand).translation().z > 0.45, "the arm is out: {}", knight.pose.get(hand).translation());
    for _ in 0..60 {
        news.extend(hold(&mut play, run, 1));
    }
    assert_eq!(play.world().player.action, None);

    let mut model = Model::clone(&demo().characters[0].model);
    let graph = model.machine.graph.as_mut().unwrap();
    let parts = keypose::anim::machine::parts::MachineParts { layers: vec![], ..graph.def.parts().clone() };
    graph.def = Arc::new(keypose::anim::machine::def::MachineDef::new(parts).unwrap());
    let plain = Character { model: Arc::new(model), clips: demo().characters[0].clips.clone() };
    let mut play = ring(&[Arc::new(plain), demo().characters[3].clone()], 20.0, &[]);
    hold(&mut play, run, 50);
    hold(&mut play, run | Buttons::ATTACK, 1);
    hold(&mut play, run, 6);
    assert!(!play.world().player.action.unwrap().runs);
}
