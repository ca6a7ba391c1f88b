//! How a real model looks in the gameplay mode: its clips by state, its size, its feet.

use std::sync::{Arc, LazyLock};

use glam::Vec2;
use keypose::assets::level::{FoeKind, Level};
use keypose::assets::machine::{Origin, State};
use keypose_app::app::files::{self, Opened};
use keypose_editor::game::input::Buttons;
use keypose_editor::game::play::Play;
use keypose_editor::game::rules::actor::STANDING_HEIGHT;
use keypose_editor::render::frame::bounds::ModelBounds;
use keypose_editor::render::frame::{Frame, ModelDraw};

use super::{demo, foe, hold};
use crate::models;

fn opened(file: &str) -> Opened {
    files::open(&models::larger().join("gltf").join(file)).unwrap()
}

/// A game without a level. The knight, which several tests play, is read and baked once.
fn play(file: &str) -> Play {
    static KNIGHT: LazyLock<Opened> = LazyLock::new(|| opened("Knight.glb"));
    match file {
        "Knight.glb" => Play::new(&KNIGHT.characters, None, 1),
        _ => Play::new(&opened(file).characters, None, 1),
    }
}

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn the_knight_finds_its_clips_and_reports_missing_ones_once() {
    let play = play("Knight.glb");
    let player = play.world().cast.player.as_ref().unwrap();
    let cases = [
        (State::Idle, "Idle"),
        (State::Walk, "Walking_A"),
        (State::Run, "Running_A"),
        (State::Jump, "Jump_Start"),
        (State::Fall, "Jump_Idle"),
        (State::Land, "Jump_Land"),
        (State::Attack, "1H_Melee_Attack_Chop"),
    ];
    for (state, clip) in cases {
        assert_eq!(player.clip(state).map(|clip| clip.name.as_str()), Some(clip), "{state:?}");
    }
    assert_eq!(player.playable.clips.choice(State::Crouch).origin, Origin::Nearest(State::Idle));
    assert_eq!(play.findings, ["Knight: no clip for crouch (shows idle), climb (shows walk)"]);
}

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn models_of_every_size_stand_on_the_ground_at_the_size_of_the_body() {
    for file in ["Knight.glb", "Fox.glb", "greenman.glb", "CesiumMan.glb", "RiggedFigure.glb"] {
        let mut play = play(file);
        hold(&mut play, Buttons::NONE, 30);
        let frame = play.frame(1.0, 16.0 / 9.0);
        let draw = &frame.models[0];
        let rest = draw.model.skeleton.rest_model_pose();
        let bounds = ModelBounds::of(&draw.model).posed(&rest).transformed(&draw.world_from_model);
        let height = bounds.max.y - bounds.min.y;
        assert!(height < STANDING_HEIGHT * 1.35 && height > 0.7, "{file}: {height}");
        assert!(bounds.min.y.abs() < 0.25, "{file}: its feet are at {}", bounds.min.y);
    }
}

/// The foot that is down, by its toes, moves by much less than the body does.
#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn feet_do_not_slide_while_walking_and_running() {
    for (held, file) in [
        (Buttons::RIGHT, "Knight.glb"),
        (Buttons::RIGHT | Buttons::RUN, "Knight.glb"),
        (Buttons::LEFT, "CesiumMan.glb"),
    ] {
        let mut play = play(file);
        let start = if held == Buttons::LEFT { Buttons::RIGHT } else { Buttons::NONE };
        hold(&mut play, start, 90);
        hold(&mut play, held, 25);
        let names = ["toes.l", "toes.r", "leg_joint_L_5", "leg_joint_R_5"];
        let feet_of = |play: &Play| {
            let frame = play.frame(1.0, 1.0);
            let draw = &frame.models[0];
            let bones = names.iter().filter_map(|name| draw.model.skeleton.find(name));
            let place = |bone| draw.world_from_model.transform_point3(draw.pose.get(bone).translation());
            bones.map(place).collect::<Vec<_>>()
        };
        let (mut slid, mut gone) = (0.0, 0.0);
        for _ in 0..40 {
            let before = (feet_of(&play), play.world().player.walked);
            play.tick(held);
            let after = feet_of(&play);
            let lower = (0..after.len()).min_by(|&a, &b| after[a].y.total_cmp(&after[b].y)).unwrap();
            if after[lower].y.max(before.0[lower].y) > 0.06 {
                continue;
            }
            slid += (after[lower].x - before.0[lower].x).abs();
            gone += keypose_editor::game::world::units::metres(play.world().player.walked - before.1);
        }
        assert!(gone > 0.3, "{file} {held:?}: it went {gone}");
        assert!(slid < 0.4 * gone, "{file} {held:?}: the lower foot slid {slid} of {gone}");
    }
}

/// Without attacks, rolls and the fades out of them, no bone goes farther in a tick than a swung arm does.
#[test]
fn poses_are_finite_and_do_not_jump() {
    let demo = demo();
    let mut play = Play::new(&demo.characters, demo.project.levels.first(), 1);
    let mut random = keypose_editor::game::world::random::Random::from_seed(3);
    let mut held = Buttons::NONE;
    let mut before: Option<Vec<glam::Vec3>> = None;
    // Ticks since an attack, or since the player started again.
    let (mut since_attack, mut begun) = (0, (0, 0));
    for tick in 0..6_000 {
        if random.bits().is_multiple_of(14) {
            held = Buttons(random.bits() as u16 & Buttons::ALL.0);
        }
        play.tick(held);
        let frame = play.frame(1.0, 1.5);
        let draw = frame.models.last().unwrap();
        let feet = keypose_editor::game::world::units::metres_of(play.world().player.feet).extend(0.0);
        let place = |bone: &keypose::anim::mat34::Mat3x4| draw.world_from_model.transform_point3(bone.translation());
        let now: Vec<glam::Vec3> = draw.pose.bones.iter().map(|bone| place(bone) - feet).collect();
        let camera = &frame.camera;
        let of_model =
            |draw: &ModelDraw| draw.world_from_model.is_finite() && draw.pose.bones.iter().all(|bone| bone.is_finite());
        let is_finite = camera.eye.is_finite() && camera.target.is_finite() && frame.models.iter().all(of_model);
        assert!(is_finite, "tick {tick}: {camera:?}");
        let state = play.world().player.state();
        let farthest = before.iter().flatten().zip(&now).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        let restarts = (play.world().deaths, play.world().falls);
        since_attack = if State::ACTIONS.contains(&state) || restarts != begun { 0 } else { since_attack + 1 };
        begun = restarts;
        assert!(farthest < 0.45 || since_attack < 8, "tick {tick}, {state:?}: {farthest}");
        before = Some(now);
    }
}

#[test]
fn foes_with_the_players_model_are_tinted() {
    let kind = |name: &str, model: &str| FoeKind { name: name.into(), model: model.into(), ..FoeKind::default() };
    let level = Level {
        kinds: vec![kind("twin", ""), kind("goblin", "goblin")],
        foes: vec![foe("twin", Vec2::X * 2.0), foe("goblin", Vec2::X * 4.0)],
        ..Level::clone(&demo().project.levels[0])
    };
    let play = Play::new(&demo().characters, Some(&Arc::new(level)), 1);
    let frame = play.frame(1.0, 1.5);
    let of = |name: &str| frame.models.iter().filter(|draw| draw.model.name == name).map(|draw| draw.tint.a).collect();
    let (knights, goblins): (Vec<f32>, Vec<f32>) = (of("knight"), of("goblin"));
    assert!(knights[0] > 0.2 && knights[1] == 0.0 && goblins == [0.0], "{knights:?}, {goblins:?}");
}

#[test]
fn volumes_are_shown_on_foes_in_the_plane_of_play() {
    let mut level = Level::clone(&demo().project.levels[0]);
    level.foes = vec![foe("chief", level.spawn + Vec2::X * 2.0)];
    let mut play = Play::new(&demo().characters, Some(&Arc::new(level)), 1);
    hold(&mut play, Buttons::NONE, 40);
    let depth = |frame: &Frame| {
        let foe = frame.models.iter().find(|draw| draw.model.name == "goblin").unwrap();
        foe.world_from_model.w_axis.z
    };
    let [plain, shown] = [play.frame(1.0, 1.5), play.frame_with_volumes(1.0, 1.5)];
    assert!((depth(&shown) - depth(&plain) - 0.8).abs() < 0.15, "{} and {}", depth(&plain), depth(&shown));
    assert!(shown.overlay.lines.len() > plain.overlay.lines.len() + 20);
}
