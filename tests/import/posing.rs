//! Poses of clips, and where vertices and bones are in them.

use glam::Vec3;
use keypose::anim::bake::{BakeOptions, bake_with};
use keypose::anim::clip::Clip;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::model::Model;
use keypose::assets::skinned_mesh::mesh_positions;

/// The pose at a time of a clip, baked as exactly as can be.
pub fn baked_pose(model: &Model, clip: &Clip, secs: f64) -> LocalPose {
    let mut local = model.skeleton.rest_pose();
    bake_with(clip, &model.skeleton, &BakeOptions::EXACT).sample(Time::from_secs(secs), &mut local);
    local
}

/// The vertices of all meshes in a pose.
pub fn vertices(model: &Model, local: &LocalPose) -> Vec<Vec3> {
    let (mut pose, mut palette, mut of_mesh, mut all) = (ModelPose::default(), Vec::new(), Vec::new(), Vec::new());
    pose.compute(&model.skeleton, local);
    for slot in &model.meshes {
        mesh_positions(model, &slot.mesh, &pose, &mut palette, &mut of_mesh);
        all.extend_from_slice(&of_mesh);
    }
    all
}

/// The pose at a time of a clip, by its keys.
pub fn keyed_pose(model: &Model, clip: &Clip, secs: f64) -> LocalPose {
    let mut local = model.skeleton.rest_pose();
    for track in Track::all_of(clip) {
        local.put(track.bone, track.channel, track.sample(Time::from_secs(secs)));
    }
    local
}

/// The places of all bones at a time of a clip, by its keys.
pub fn places(model: &Model, clip: &Clip, secs: f64) -> Vec<Vec3> {
    let mut pose = ModelPose::default();
    pose.compute(&model.skeleton, &keyed_pose(model, clip, secs));
    pose.bones.iter().map(|bone| bone.translation()).collect()
}
