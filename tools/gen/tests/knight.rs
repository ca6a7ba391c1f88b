//! The knight and his clips: as many bones and vertices as he should have, loops that close, feet that neither sink
//! into the ground nor slide over it.

use glam::Vec3;
use keypose::anim::clip::LoopMode;
use keypose::anim::pose::ModelPose;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::model::Model;
use keypose::assets::skinned_mesh::mesh_positions;

/// As he is committed; tests/data.rs holds that against the generator.
fn knight() -> Model {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/demo.wad");
    let project = keypose::wad::decode(&std::fs::read(path).unwrap()).unwrap().project;
    (*project.models[project.model_named("knight").unwrap()]).clone()
}

/// Every bone at a time of a clip, by the exact evaluation of its keys.
fn posed(model: &Model, clip: &str, time: Time) -> ModelPose {
    let mut local = model.skeleton.rest_pose();
    for track in Track::all_of(&model.clip_named(clip).unwrap().clip) {
        let mut transform = local.get(usize::from(track.bone));
        track.channel.put(&mut transform, track.sample(time));
        local.set(usize::from(track.bone), &transform);
    }
    let mut pose = ModelPose::default();
    pose.compute(&model.skeleton, &local);
    pose
}

fn skinned(model: &Model, pose: &ModelPose) -> Vec<Vec3> {
    let (mut matrices, mut positions) = (Vec::new(), Vec::new());
    mesh_positions(model, &model.meshes[0].mesh, pose, &mut matrices, &mut positions);
    positions
}

#[test]
fn he_has_the_bones_and_vertices_of_a_low_poly_knight() {
    let model = knight();
    assert_eq!(model.check(), Ok(()));
    assert!((20..=30).contains(&model.skeleton.len()), "{} bones", model.skeleton.len());
    let mesh = &model.meshes[0].mesh;
    assert!((1_500..=4_000).contains(&mesh.positions.len()), "{} vertices", mesh.positions.len());
    let blended = mesh.influences[0].weights.iter().filter(|weights| weights[1] > 0.1 && weights[0] > 0.1).count();
    assert!(blended > mesh.positions.len() / 10, "only {blended} vertices hang on more than one bone");
    let top = mesh.positions.iter().fold(0.0_f32, |top, position| top.max(position.y));
    assert!((1.8..2.0).contains(&top), "he is {top} m tall with his plume");
}

#[test]
fn every_state_shows_a_clip_that_is_there() {
    let model = knight();
    let wanted = [
        "idle",
        "walk",
        "run",
        "jump",
        "fall",
        "land",
        "crouch",
        "attack",
        "climb",
        "hurt",
        "die",
        "attack 2",
        "attack 3",
        "crouch walk",
        "stab",
        "air attack",
        "roll",
    ];
    for state in wanted {
        let row = model.machine.states.iter().find(|row| row.state == state);
        assert!(row.is_some_and(|row| model.clip_named(&row.clip).is_some()), "{state}");
    }
}

#[test]
fn loops_close() {
    let model = knight();
    for slot in model.clips.iter().filter(|slot| slot.clip.loop_mode == LoopMode::Loop) {
        let name = &slot.clip.name;
        let tick = Time::TICK;
        let at = |time| skinned(&model, &posed(&model, name, time));
        let (end, start, next) = (at(slot.clip.length() - tick), at(Time::ZERO), at(tick));
        let jump = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        let (before, after) = (jump(&end, &start), jump(&start, &next));
        assert!(before < 1.6 * after + 0.01, "{name}: {before} m into the seam, {after} m out of it");
    }
}

#[test]
fn nothing_sinks_into_the_ground() {
    let model = knight();
    let mut sunk = Vec::new();
    for clip in [
        "idle",
        "walk",
        "run",
        "land",
        "crouch",
        "attack",
        "hurt",
        "die",
        "attack 2",
        "attack 3",
        "crouch walk",
        "stab",
        "roll",
        "victory",
        "look around",
        "sleep",
        "talk",
        "push",
    ] {
        let ticks = model.clip_named(clip).unwrap().clip.length().0 / Time::TICK.0;
        for tick in 0..=ticks {
            let positions = skinned(&model, &posed(&model, clip, Time::from_ticks(tick)));
            let lowest = positions.iter().fold(f32::MAX, |low, position| low.min(position.y));
            if lowest < -0.035 {
                sunk.push(format!("{clip}, tick {tick}: {lowest:.3} m"));
            }
        }
    }
    assert!(sunk.is_empty(), "{sunk:#?}");
}

/// The volumes that hit are in the active ticks of an attack, in reach of a sword.
#[test]
fn each_attack_of_the_knight_and_the_goblin_hits_before_it() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/demo.wad");
    let project = keypose::wad::decode(&std::fs::read(path).unwrap()).unwrap().project;
    for (model, clips) in
        [("knight", &["attack", "attack 2", "attack 3", "stab", "air attack"][..]), ("goblin", &["attack"])]
    {
        let model = &project.models[project.model_named(model).unwrap()];
        for clip in clips {
            let slot = model.clip_named(clip).unwrap();
            let baked = keypose::anim::bake::bake(&slot.clip, &model.skeleton);
            let lanes = model.combat.lanes_of(slot.id);
            let data = keypose::assets::combat::frame_data::FrameData::new(model, &baked, &lanes);
            let reach = data.reach.unwrap();
            // With the way of its root.
            let most = if *clip == "stab" { 2.8 } else { 2.0 };
            assert!((1.2..most).contains(&reach), "{clip}: {reach}");
            assert!(data.active >= 5 && data.recovery >= 10, "{clip}: {data:?}");
        }
    }
}

/// The foot that stands moves back as fast as the ground: (clip, metres in a cycle).
#[test]
fn feet_that_stand_do_not_slide() {
    let model = knight();
    for (clip, stride) in [("walk", 1.12_f32), ("run", 1.92), ("crouch walk", 0.80), ("push", 0.64)] {
        let length = model.clip_named(clip).unwrap().clip.length();
        let speed = stride / length.secs() as f32;
        let toe = model.skeleton.find("toe.L").unwrap();
        let at = |tick: i64| posed(&model, clip, Time::from_ticks(tick) % length).get(toe).translation();
        let (mut standing, mut slides) = (0, Vec::new());
        for tick in 0..length.0 / Time::TICK.0 {
            let (here, next) = (at(tick), at(tick + 1));
            // The last tick on the ground is already the push off it.
            if here.y.max(next.y).max(at(tick + 2).y) < 0.036 {
                let slide = (next.z - here.z) + speed / 60.0;
                if slide.abs() > 0.016 {
                    slides.push(format!("tick {tick}: {slide:.4} m"));
                }
                standing += 1;
            }
        }
        assert!(slides.is_empty(), "{clip}: the toe slides: {slides:#?}");
        assert!(standing >= 6, "{clip}: the foot stands for {standing} ticks only");
    }
}
