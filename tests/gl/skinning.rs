//! The vertex shader that draws, its positions read back, against skinning on the CPU.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::mesh_reach::bake_clip;
use keypose::assets::model::{Model, Visibility};
use keypose::assets::skinned_mesh::mesh_positions;
use keypose_app::app::files::{self, Opening};
use keypose_app::app::film::headless::Headless;
use keypose_editor::render::frame::ModelDraw;
use keypose_editor::render::frame::bounds::Aabb;
use keypose_editor::render::pass::skinning::SkinningProbe;
use keypose_editor::render::shaders::Shaders;

use crate::scene::ribbon;
use crate::{models, on_driver};

/// Reads back what the built-in shaders compute.
fn probe(headless: &Headless) -> SkinningProbe {
    SkinningProbe::new(&headless.context, &Shaders::default(), None).unwrap()
}

/// The largest distance of any vertex, shader against CPU, over the model's size at rest.
fn largest_difference(probe: &mut SkinningProbe, model: &Arc<Model>, pose: &Arc<ModelPose>, world: Mat4) -> f32 {
    let draw = ModelDraw { world_from_model: world, ..ModelDraw::new(model.clone(), pose.clone()) };
    let found = probe.positions(&draw).unwrap();
    let shown: Vec<_> = model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown).collect();
    assert_eq!(found.len(), shown.len());
    let (mut scratch, mut expected) = (Vec::new(), Vec::new());
    let (mut most, mut bounds) = (0.0_f32, Aabb::EMPTY);
    for (slot, found) in shown.iter().zip(&found) {
        mesh_positions(model, &slot.mesh, &model.skeleton.rest_model_pose(), &mut scratch, &mut expected);
        expected.iter().for_each(|&position| bounds.add(world.transform_point3(position)));
        mesh_positions(model, &slot.mesh, pose, &mut scratch, &mut expected);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            let distance = found.distance(world.transform_point3(*expected));
            assert!(distance.is_finite());
            most = most.max(distance);
        }
    }
    most / (bounds.radius() * 2.0).max(1e-9)
}

#[test]
fn two_thousand_bones_and_eight_influences_agree_with_the_cpu() {
    on_driver(|headless| {
        let model = Arc::new(ribbon(2000));
        let bend = |at: usize| Transform {
            rotation: Quat::from_rotation_z(0.003) * Quat::from_rotation_x(0.002 * (at % 3) as f32),
            scale: Vec3::splat(1.0 + 0.0001 * (at % 5) as f32),
            ..model.skeleton.bones()[at].rest
        };
        let mut pose = ModelPose::default();
        pose.compute(&model.skeleton, &LocalPose::from_transforms((0..2000).map(bend)));
        let world = Mat4::from_rotation_y(0.5) * Mat4::from_translation(Vec3::X);
        let off = largest_difference(&mut probe(headless), &model, &Arc::new(pose), world);
        assert!(off < 1e-4, "{off}");
    });
}

#[test]
fn every_golden_model_agrees_with_the_cpu() {
    check_folder(&models::own().join("models"), 8);
}

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn every_golden_model_of_the_larger_set_agrees_with_the_cpu() {
    check_folder(&models::larger().join("gltf"), 10);
}

/// Checks every model of a folder that can be opened: at least `expected`.
fn check_folder(folder: &Path, expected: usize) {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "glb" || extension == "gltf"));
    files.sort();
    on_driver(|headless| {
        let (mut models, opening) = (0, Opening { leaves_clips_unbaked: true, ..Opening::default() });
        for file in &files {
            let Ok(opened) = files::open_with(file, &opening) else { continue };
            for model in opened.project.models.iter() {
                models += 1;
                check_model(headless, model, &file.display().to_string());
            }
        }
        assert!(models >= expected, "only {models} models were opened");
    });
}

/// The rest pose, and three moments of each of the first clips.
fn check_model(headless: &Headless, model: &Arc<Model>, name: &str) {
    let mut poses = vec![Arc::new(model.skeleton.rest_model_pose())];
    for slot in model.clips.iter().take(4) {
        let clip = bake_clip(model, &slot.clip);
        let times = [0.0, 0.37, 0.9].map(|part| Time::from_secs(clip.length.secs() * part));
        poses.extend(keypose_editor::render::frame::framed_model::poses(model, &clip, &times));
    }
    let mut probe = probe(headless);
    for pose in &poses {
        let off = largest_difference(&mut probe, model, pose, Mat4::IDENTITY);
        assert!(off < 1e-4, "{name}: {off} of its size");
    }
}
