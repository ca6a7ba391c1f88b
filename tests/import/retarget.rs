//! Clips on characters with other names, axes, rest poses and proportions: they look the same, measured by `likeness`.

use std::sync::Arc;

use glam::{DQuat, Vec3};
use keypose::anim::clip::Clip;
use keypose::anim::pose::ModelPose;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::id::ClipId;
use keypose::assets::import_options::ClipFit;
use keypose::assets::model::{ClipSlot, Model};
use keypose_tools::clip_library::{Fit, clips_for};
use keypose_tools::likeness::{Likeness, compare};

use crate::characters::{
    RIGIFY, UNREAL, grounded, mixed_axes, model, renamed, resting_in_its_clip, social, with_arms_down, with_axes,
    with_lengths,
};
use crate::models;
use crate::root::root;

/// The worst likeness of a library's clips on a model, in each figure.
fn worst(library: &Model, target: &Model, clips: ClipFit) -> Likeness {
    let found = clips_for(target, library, Fit { clips, ..Fit::default() }).unwrap();
    assert_eq!(library.clips.len(), found.clips.len());
    let mut worst = Likeness::default();
    for (before, after) in library.clips.iter().zip(&found.clips) {
        after.check().unwrap();
        assert_eq!((before.clip.length(), before.clip.loop_mode), (after.length(), after.loop_mode));
        let like = compare((library.into(), &before.clip), (target.into(), after)).unwrap();
        worst = worst.or_worse(&like);
    }
    worst
}

/// Requires that clips look the same: transferred, and with feet on the ground.
fn check(library: &Model, target: &Model) {
    let names = format!("{} on {}", library.name, target.name);
    let copied = worst(library, target, ClipFit::Copy);
    assert!(copied.mean_angle < 1.0 && copied.worst_angle < 15.0 && copied.up < 3.0, "{names}: {copied:?}");
    assert!(copied.hips < 0.01 && copied.travel < 0.01 && copied.arms < 0.01, "{names}: {copied:?}");
    let fitted = worst(library, target, ClipFit::Retarget);
    assert!(fitted.up < 3.0 && fitted.hips < 0.035 && fitted.travel < 0.02, "{names}: {fitted:?}");
    assert!(fitted.sole < 0.05 && fitted.slide < 0.06 && fitted.mean_angle < 9.0, "{names}: {fitted:?}");
}

#[test]
fn walks_come_onto_characters_of_this_repository() {
    let (hero, walk) =
        (model(&models::own().join("models/fbx/hero.fbx")), model(&models::own().join("models/fbx/walk.fbx")));
    let mut knight = model(&root().join("data/demo.wad"));
    check(&walk, &knight);
    knight.clips.retain(|slot| ["walk", "run", "idle", "crouch"].contains(&slot.clip.name.as_str()));
    check(&knight, &hero);
}

/// A character with the clips that it gives to others.
struct Actor {
    name: &'static str,
    model: Model,
    clips: Vec<&'static str>,
}

fn actor(name: &'static str, model: Model, clips: &[&'static str]) -> Actor {
    Actor { name, model, clips: clips.to_vec() }
}

/// Characters of the larger set, and variants made of them.
fn actors() -> Vec<Actor> {
    let folder = models::larger();
    let read = |file: &str| model(&folder.join(file));
    let mut hero = read("mixamo/hero.fbx");
    for file in ["mixamo/walk.fbx", "mixamo/idle.fbx", "mixamo/jump.fbx"] {
        let library = read(file);
        let found = clips_for(&hero, &library, Fit::default()).unwrap();
        hero.clips.extend(found.clips.into_iter().map(|clip| ClipSlot { id: ClipId(1), clip: Arc::new(clip) }));
    }
    let bare = Model { clips: Vec::new(), ..hero.clone() };
    let long = grounded(&with_lengths(&bare, &[("lower leg", 1.15), ("foot", 0.9), ("lower arm", 1.1)]), &bare);
    let unreal = with_axes(&with_arms_down(&renamed(&long, &UNREAL), 0.8), mixed_axes);
    let rigify = with_axes(&renamed(&bare, &RIGIFY), |at| DQuat::from_rotation_y(0.5 * at as f64));
    let hanging = with_arms_down(&bare, 1.3);
    let mut idle = read("mixamo/idle.fbx");
    idle = resting_in_its_clip(&idle);
    vec![
        actor("Mixamo", hero, &["walk", "idle", "jump"]),
        actor("Mixamo by Blender", read("characters/mixamo_like_blender.glb"), &[]),
        actor("KayKit", read("gltf/Knight.glb"), &["Running_A", "1H_Melee_Attack_Chop"]),
        actor("Quaternius", read("characters/quaternius_man.fbx"), &["Man_Walk", "Man_Punch"]),
        actor("VRM 0", read("characters/godette.vrm"), &[]),
        actor("VRM with other names", social(&bare, true), &[]),
        actor("the same, not declared", social(&bare, false), &[]),
        actor("Unreal, A-pose", unreal, &[]),
        actor("Rigify", rigify, &[]),
        actor("ReadyPlayerMe, arms down", hanging, &[]),
        actor("library in its first frame", idle, &["idle"]),
        actor("Cesium Man", read("gltf/CesiumMan.glb"), &[]),
        actor("Rigged Figure", read("gltf/RiggedFigure.glb"), &[]),
        actor("knight of the demo", model(&root().join("data/demo.wad")), &["run", "crouch"]),
    ]
}

/// The table of docs/retargeting.md; print it with `--nocapture`.
#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn any_clip_looks_the_same_on_any_character() {
    let actors = actors();
    let mut pairs = 0;
    for target in &actors {
        let mut all = [Likeness::default(); 2];
        for source in actors.iter().filter(|source| source.name != target.name && !source.clips.is_empty()) {
            let mut library = source.model.clone();
            library.clips.retain(|slot| source.clips.contains(&slot.clip.name.as_str()));
            assert_eq!(library.clips.len(), source.clips.len(), "{}", source.name);
            check(&library, &target.model);
            for (all, clips) in all.iter_mut().zip([ClipFit::Copy, ClipFit::Retarget]) {
                *all = all.or_worse(&worst(&library, &target.model, clips));
            }
            pairs += library.clips.len();
        }
        let row = |like: &Likeness| {
            let parts =
                [like.hips, like.sole, like.travel, like.slide, like.arms].map(|part| format!("{:.1}", part * 100.0));
            format!("{:.1} | {:.1} | {:.1} | {}", like.mean_angle, like.worst_angle, like.up, parts.join(" | "))
        };
        all.iter().zip(["", ", fitted"]).for_each(|(like, kind)| println!("| {}{kind} | {} |", target.name, row(like)));
    }
    assert!(actors.len() >= 12 && pairs >= 100, "{pairs}");
}

/// Two animals whose bones have the same names, other axes and other lengths.
#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn an_animal_moves_as_another_one() {
    let fox = model(&models::larger().join("gltf/Fox.glb"));
    let wolf = with_axes(&with_lengths(&fox, &[("", 1.4)]), mixed_axes);
    let found = clips_for(&wolf, &fox, Fit::default()).unwrap();
    for (before, after) in fox.clips.iter().zip(&found.clips) {
        for secs in [0.0, 0.21, 0.5] {
            let [from, to] = [(&fox, &*before.clip), (&wolf, after)].map(|(model, clip)| places(model, clip, secs));
            let size = from.iter().map(|place| place.length()).fold(0.0, f32::max);
            for (from, to) in from.iter().zip(&to) {
                assert!((*from * 1.4).distance(*to) < 2e-3 * size, "{} at {secs}: {from} {to}", after.name);
            }
        }
    }
}

/// The places of all bones at a time.
fn places(model: &Model, clip: &Clip, secs: f64) -> Vec<Vec3> {
    let mut local = model.skeleton.rest_pose();
    for track in Track::all_of(clip) {
        local.put(track.bone, track.channel, track.sample(Time::from_secs(secs)));
    }
    let mut pose = ModelPose::default();
    pose.compute(&model.skeleton, &local);
    pose.bones.iter().map(|bone| bone.translation()).collect()
}

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn a_pair_that_needs_nothing_keeps_its_bits() {
    let folder = models::larger();
    let (hero, walk) = (model(&folder.join("mixamo/hero.fbx")), model(&folder.join("mixamo/walk.fbx")));
    let keys = |clip: &Clip| {
        let keys = clip.keyframes.iter().flat_map(|keyframe| keyframe.keys.iter());
        keys.map(|key| (key.channel, key.value, key.in_tangent, key.ease)).collect::<Vec<_>>()
    };
    for clips in [ClipFit::Copy, ClipFit::Retarget] {
        let found = clips_for(&hero, &walk, Fit { clips, ..Fit::default() }).unwrap();
        let own = &walk.clips[0].clip;
        assert_eq!(keys(&found.clips[0]).len(), keys(own).len());
        for (found, own) in found.clips[0].keyframes.iter().zip(&own.keyframes) {
            let value = |skeleton: &Model, bone: u16| skeleton.skeleton.get(bone).unwrap().name.clone();
            for key in &own.keys {
                let bone = hero.skeleton.find(&value(&walk, key.bone)).unwrap();
                assert_eq!(found.key(bone, key.channel).map(|key| key.value), Some(key.value));
            }
        }
    }
}
