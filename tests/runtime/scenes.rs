//! The scenes of the first article against positions worked out by hand: two triangles on two bones, and a longer arm.

use glam::{Vec2, Vec3};
use keypose::anim::bake::bake;
use keypose::anim::pose::ModelPose;
use keypose::anim::time::Time;
use keypose::assets::model::Model;
use keypose::assets::skinned_mesh::mesh_positions;

use crate::root::root;

/// A generated archive's only model.
fn model(file: &str) -> Model {
    let path = root().join("data/tests").join(file);
    let decoded = keypose::wad::decode(&std::fs::read(path).unwrap()).unwrap();
    (*decoded.project.models[0]).clone()
}

/// The skinned vertices of the first mesh at a quarter of a second, where every wave of one second is highest.
fn quarter(model: &Model, clip: &str) -> (Vec<Vec3>, ModelPose) {
    let baked = bake(&model.clip_named(clip).unwrap().clip, &model.skeleton);
    let mut local = model.skeleton.rest_pose();
    baked.sample(Time(Time::FLICKS_PER_SEC / 4), &mut local);
    let mut pose = ModelPose::default();
    pose.compute(&model.skeleton, &local);
    let (mut matrices, mut positions) = (Vec::new(), vec![Vec3::NAN; 1]);
    mesh_positions(model, &model.meshes[0].mesh, &pose, &mut matrices, &mut positions);
    (positions, pose)
}

/// ```text
///      1           3      root  at (0, 0): vertices 0, 1, 2
///     / \_      _/ |      child at (2, 1): vertices 3, 4
///    0 ___ 2 __    |
///                \_4      c = cos 30° = 0.866025, s = sin 30° = 0.5
/// ```
#[test]
fn two_triangles_wave_as_worked_out_by_hand() {
    let model = model("two_bones.wad");
    assert_eq!(model.meshes[0].mesh.positions.len(), 5);
    let child = [[0.0, 0.0], [0.5, 1.5], [2.0, 1.0], [3.232_051, 2.866_025], [4.232_051, 1.133_975]];
    let root = [[0.0, 0.0], [-0.316_987, 1.549_038], [1.232_051, 1.866_025], [2.464_102, 3.732_051], [3.464_102, 2.0]];
    let both = [root[0], root[1], root[2], [1.366_025, 4.098_076], [3.098_076, 3.098_076]];
    for (clip, expected) in [("wave child", child), ("wave root", root), ("wave both", both)] {
        let (positions, _) = quarter(&model, clip);
        for (at, (got, expected)) in positions.iter().zip(expected).enumerate() {
            let expected = Vec2::from_array(expected).extend(0.0);
            assert!(got.distance(expected) < 1e-4, "{clip}: vertex {at} is at {got}, not at {expected}");
        }
    }
}

#[test]
fn at_rest_nothing_moves() {
    for file in ["two_bones.wad", "arm.wad"] {
        let model = model(file);
        for slot in &model.clips {
            let (baked, rest) = (bake(&slot.clip, &model.skeleton), model.skeleton.rest_pose());
            let (mut wide, mut portable) = (rest.clone(), rest.clone());
            baked.sample(Time::ZERO, &mut wide);
            baked.sample_portable(Time::ZERO, &mut portable);
            if slot.clip.name != "ripple" {
                assert_eq!(portable, rest, "{file}: {}", slot.clip.name);
                let apart = wide.iter().zip(rest.iter()).map(|(a, b)| a.distance(&b)).fold(0.0, f32::max);
                assert!(apart < 5e-7, "{file}: {}: {apart}", slot.clip.name);
            }
        }
    }
}

/// Each of six segments bends 15° more than the one before: the tip is the sum of unit steps at 15°, 30°, … 90°.
#[test]
fn an_arm_of_six_segments_reaches_where_it_should() {
    let model = model("arm.wad");
    let (positions, pose) = quarter(&model, "bend");
    let tip = (positions[positions.len() - 2] + positions[positions.len() - 1]) / 2.0;
    let expected = Vec3::new(3.297_876, 4.297_876, 0.0);
    assert!(tip.distance(expected) < 1e-4, "the tip is at {tip}");
    let last = pose.get(5).translation();
    assert!(last.distance(Vec3::new(3.297_876, 3.297_876, 0.0)) < 1e-4, "the last joint is at {last}");
}
