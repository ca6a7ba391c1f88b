//! Clips on characters of other proportions: feet on the ground go as far as those of the source, in leg lengths.

use std::path::Path;

use glam::Vec3;
use keypose::anim::clip::Clip;
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::bone_match::parts_of;
use keypose::assets::import_options::ClipFit;
use keypose::assets::model::Model;
use keypose_app::app::files;
use keypose_tools::clip_library::clips_for;

use crate::models;
use crate::root::root;

fn model(path: &Path) -> Model {
    let opened = files::open(path).unwrap();
    (*opened.project.models[0]).clone()
}

fn bone(model: &Model, part: &str) -> Option<BoneIndex> {
    model
        .skeleton
        .indices()
        .zip(parts_of(model.into()))
        .find(|(_, of)| of.as_deref() == Some(part))
        .map(|(bone, _)| bone)
}

/// The places of both ankles at a time.
fn places(model: &Model, clip: &Clip, time: Time) -> [Vec3; 2] {
    let mut local = model.skeleton.rest_pose();
    for track in Track::all_of(clip) {
        local.put(track.bone, track.channel, track.sample(time));
    }
    let mut pose = ModelPose::default();
    pose.compute(&model.skeleton, &local);
    ["left foot", "right foot"].map(|part| pose.get(bone(model, part).unwrap()).translation())
}

fn leg(model: &Model) -> f32 {
    let rest = model.skeleton.rest_model_pose();
    let [hip, knee, ankle] = ["left upper leg", "left lower leg", "left foot"]
        .map(|part| rest.get(bone(model, part).unwrap()).translation());
    hip.distance(knee) + knee.distance(ankle)
}

/// The largest difference between the way of a foot on the ground and that of the source in proportion, in leg lengths of the target,
/// over all clips: it slides by as much. Returns for how many frames feet are on the ground as well.
fn slide(library: &Model, target: &Model) -> (f32, usize) {
    let found = clips_for(target, library, ClipFit::Retarget).unwrap();
    let (from_leg, to_leg, mut worst, mut standing) = (leg(library), leg(target), 0.0_f32, 0);
    for (before, after) in library.clips.iter().zip(&found.clips) {
        after.check().unwrap();
        assert_eq!((before.clip.length(), before.clip.loop_mode), (after.length(), after.loop_mode));
        let frames = (before.clip.length().secs() * 30.0) as i64;
        let times: Vec<Time> = (0..frames).map(|frame| Time(before.clip.length().0 / frames * frame)).collect();
        let ways = times.iter().map(|time| [places(library, &before.clip, *time), places(target, after, *time)]);
        let ways: Vec<[[Vec3; 2]; 2]> = ways.collect();
        for foot in 0..2 {
            let ground = ways.iter().map(|[from, _]| from[foot].y).fold(f32::MAX, f32::min);
            let mut began: Option<[Vec3; 2]> = None;
            for [from, to] in ways.iter().map(|[from, to]| [from[foot], to[foot]]) {
                let is_down = from.y < ground + 0.02 * from_leg;
                began = if is_down { began.or(Some([from, to])) } else { None };
                if let Some([from_start, to_start]) = began {
                    let expected = (from - from_start) / from_leg;
                    worst = worst.max(expected.distance((to - to_start) / to_leg));
                    standing += 1;
                }
            }
        }
    }
    (worst, standing)
}

fn check(library: &Model, target: &Model) {
    let (worst, standing) = slide(library, target);
    assert!(worst < 0.01 && standing >= 10, "{} on {}: {worst}, {standing} frames", library.name, target.name);
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

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn clips_come_onto_characters_of_the_larger_set() {
    let folder = models::larger();
    let mut knight = model(&folder.join("gltf/Knight.glb"));
    let (hero, walk) = (model(&folder.join("mixamo/hero.fbx")), model(&folder.join("mixamo/walk.fbx")));
    check(&walk, &knight);
    knight.clips.retain(|slot| slot.clip.name.starts_with("Walking") || slot.clip.name == "Idle");
    check(&knight, &hero);
}
