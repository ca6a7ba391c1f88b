//! Distances of a model's vertices from the bones that move them, by which bakes measure their error.

use crate::anim::bake::measure::Reach;
use crate::anim::bake::{BakedClip, bake_reaching};
use crate::anim::clip::Clip;
use crate::anim::mat34::Mat3x4;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::skin::Skin;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::Model;
use crate::assets::recent::ByAddress;

/// The parts of a model that its reach is measured from, by identity. An edit of clips or materials leaves them alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReachParts {
    skeleton: ByAddress<Skeleton>,
    meshes: Vec<ByAddress<Mesh>>,
    skins: Vec<ByAddress<Skin>>,
    /// The bones of the sockets.
    holders: Vec<BoneIndex>,
}

impl ReachParts {
    /// The parts of a model.
    pub fn of(model: &Model) -> ReachParts {
        ReachParts {
            skeleton: (&model.skeleton).into(),
            meshes: model.meshes.iter().map(|slot| (&slot.mesh).into()).collect(),
            skins: model.skins.iter().map(ByAddress::from).collect(),
            holders: model.sockets.iter().map(|socket| socket.bone).collect(),
        }
    }
}

/// Measures every vertex of a model, hidden meshes included, without morph targets. What a socket holds may be of any
/// size, so its bone reaches at least as far as a leaf whose vertices are not known.
pub fn reach(model: &Model) -> Reach {
    let mut extents = vec![None; model.skeleton.len()];
    for slot in &model.meshes {
        match slot.mesh.binding {
            Binding::Bone(bone) => {
                let farthest = slot.mesh.positions.iter().map(|at| at.length()).fold(0.0, f32::max);
                grow(&mut extents, usize::from(bone), farthest);
            }
            Binding::Skin(skin) => add_skinned(model, &slot.mesh, skin, &mut extents),
        }
    }
    let holders = model.sockets.iter().map(|socket| socket.bone);
    Reach::of(&model.skeleton).with_vertices(&model.skeleton, &extents).with_holders(holders)
}

/// Bakes a clip of a model within the default error bound. Keys of bones that the skeleton lacks are left out.
pub fn bake_clip(model: &Model, clip: &Clip) -> BakedClip {
    bake_reaching(clip, &model.skeleton, &reach(model), &model.bake_options())
}

/// Each bone of a vertex counts it with s = √w Σ√w times its distance d. Changes a of the bones' axes move the vertex by Σ w d a
/// at most, which is not more than the largest s d a, because Σ w / s = 1. Where origins move as well, it may be 1.28 times as
/// much as the farthest bone with four bones, 1.38 times with eight.
fn add_skinned(model: &Model, mesh: &Mesh, skin: usize, extents: &mut [Option<f32>]) {
    let Some(skin) = model.skins.get(skin) else { return };
    let binds: Vec<Mat3x4> = skin.inverse_binds.iter().map(Mat3x4::from_mat4).collect();
    for (vertex, &position) in mesh.positions.iter().enumerate() {
        let sets = mesh.influences.iter().filter_map(|set| Some((set.joints.get(vertex)?, set.weights.get(vertex)?)));
        let influences =
            sets.flat_map(|(joints, weights)| joints.iter().zip(weights)).filter(|(_, weight)| **weight > 0.0);
        let roots: f32 = influences.clone().map(|(_, weight)| weight.sqrt()).sum();
        for (&joint, weight) in influences {
            let joint = usize::from(joint);
            if let (Some(&bone), Some(bind)) = (skin.joints.get(joint), binds.get(joint)) {
                let distance = bind.transform_point(position).length();
                grow(extents, usize::from(bone), distance * (weight.sqrt() * roots));
            }
        }
    }
}

fn grow(extents: &mut [Option<f32>], bone: usize, reached: f32) {
    if let Some(extent) = extents.get_mut(bone) {
        *extent = Some(extent.unwrap_or(0.0).max(reached));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::{EulerRot, Mat4, Quat, Vec3};

    use super::*;
    use crate::anim::bake::{BakeOptions, FormKind, SampleFormat};
    use crate::anim::clip::Keyframe;
    use crate::anim::key::Key;
    use crate::anim::pose::ModelPose;
    use crate::anim::skeleton::Bone;
    use crate::anim::skin::cpu::InfluenceSet;
    use crate::anim::time::Time;
    use crate::anim::transform::Transform;
    use crate::assets::model::{MeshSlot, Socket, Visibility};

    /// The maximum of Σ max(w, √w / Σ√w) for four weights.
    const OF_DISTANCE: f32 = 1.28;

    /// A body with a foot 8 below it, and an arm and a hand 0.5 beside each other.
    ///
    /// ```text
    /// body 0 ── arm 1 ── hand 3
    ///   │
    /// foot 2
    /// ```
    fn model(meshes: Vec<Mesh>) -> Model {
        let bone = |name: &str, parent, x, y| Bone {
            name: name.into(),
            parent,
            rest: Transform::from_translation(Vec3::new(x, y, 0.0)),
        };
        let bones = vec![
            bone("body", None, 0.0, 0.0),
            bone("arm", Some(0), 0.5, 0.0),
            bone("foot", Some(0), 0.0, -8.0),
            bone("hand", Some(1), 0.5, 0.0),
        ];
        let skeleton = Skeleton::new(bones).unwrap();
        let rest = skeleton.rest_model_pose();
        let inverse_binds = rest.bones.iter().map(|bone| Mat4::from_translation(-bone.translation())).collect();
        let skin = Skin { name: String::new(), joints: vec![0, 1, 2, 3], inverse_binds };
        let slot = |mesh| MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown };
        Model {
            skeleton: Arc::new(skeleton),
            skins: vec![Arc::new(skin)],
            meshes: meshes.into_iter().map(slot).collect(),
            ..Model::default()
        }
    }

    fn rigid(bone: BoneIndex, position: Vec3) -> Mesh {
        Mesh { positions: vec![position], ..Mesh::empty("rigid", Binding::Bone(bone)) }
    }

    fn skinned(position: Vec3, joints: [u16; 4], weights: [f32; 4]) -> Mesh {
        let influences = vec![InfluenceSet { joints: vec![joints], weights: vec![weights] }];
        Mesh { positions: vec![position], influences, ..Mesh::empty("skinned", Binding::Skin(0)) }
    }

    /// The reach of each bone in its own space. At rest its axes have length 1.
    fn extents(reach: &Reach) -> [f32; 4] {
        [0, 1, 2, 3].map(|bone| reach.own(bone) / 3.0_f32.sqrt())
    }

    #[track_caller]
    fn assert_near(found: [f32; 4], expected: [f32; 4]) {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{found:?}, not {expected:?}");
    }

    #[test]
    fn a_rigid_mesh_is_as_far_as_its_farthest_vertex() {
        assert_near(extents(&reach(&model(Vec::new()))), [8.0, 0.5, 8.0, 0.5]);
        let meshes = vec![rigid(3, Vec3::new(0.0, 2.0, 0.0)), rigid(3, Vec3::X), rigid(1, Vec3::splat(0.1))];
        assert_near(extents(&reach(&model(meshes))), [8.0, 0.5, 8.0, 2.0]);
    }

    #[test]
    fn a_skinned_vertex_counts_by_the_roots_of_its_weights() {
        // 3 above the arm, 3.041 from the hand.
        let mesh = skinned(Vec3::new(0.5, 3.0, 0.0), [1, 3, 2, 0], [0.8, 0.2, 0.0, 0.0]);
        let roots = 0.8_f32.sqrt() + 0.2_f32.sqrt();
        let [arm, hand] = [(3.0, 0.8_f32), (9.25_f32.sqrt(), 0.2)].map(|(far, weight)| far * weight.sqrt() * roots);
        assert_near(extents(&reach(&model(vec![mesh]))), [8.0, arm, 8.0, hand]);
    }

    #[test]
    fn what_a_socket_holds_keeps_the_guess() {
        let mut model = model(vec![rigid(3, Vec3::ZERO)]);
        let guess = |model: &Model| extents(&reach(model).with_min_leaf_reach(0.2))[3];
        assert!((guess(&model) - 0.5).abs() < 1e-5, "a hand as small as the mesh shows");
        let before = ReachParts::of(&model);
        let (name, transform, attached) = ("grip".to_owned(), Transform::default(), String::new());
        model.sockets.push(Socket { name, bone: 3, transform, attached });
        assert!((guess(&model) - 0.2 * 65.0_f32.sqrt()).abs() < 1e-5, "{}", guess(&model));
        assert_ne!(before, ReachParts::of(&model));
    }

    #[test]
    fn a_socket_leaves_its_bone_the_reach_of_vertices_and_bones_below() {
        let mut model = model(vec![rigid(3, Vec3::Y * 2.0)]);
        let (transform, attached) = (Transform::default(), String::new());
        let socket = |bone: BoneIndex| Socket { name: bone.to_string(), bone, transform, attached: attached.clone() };
        model.sockets = vec![socket(1), socket(3)];
        let reach = reach(&model);
        assert_near(extents(&reach), [8.0, 0.5, 8.0, 2.0]);
        assert_near(extents(&reach.with_min_leaf_reach(0.2)), [8.0, 0.2 * 65.0_f32.sqrt(), 8.0, 2.0]);
    }

    /// With o the movement of a bone's origin, a the change of its axes and d the distance of the vertex: Σ w (o + d a) with
    /// o + s d a ≤ 1 for each bone is at most Σ max(w, w / s), for s = √w Σ√w.
    #[test]
    fn a_vertex_moves_at_most_a_quarter_farther_than_the_distance() {
        let mut seed = 1_u32;
        let mut random = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 24) as f32
        };
        let mut worst_of_skeleton = 0.0_f32;
        for _ in 0..300 {
            let position = Vec3::new(random() * 6.0 - 3.0, random() * 6.0 - 3.0, random() * 6.0 - 3.0);
            let weights = [random(), random().powi(4), random().powi(4), random().powi(4)];
            let sum: f32 = weights.iter().sum();
            let weights = weights.map(|weight| weight / sum);
            let model = model(vec![skinned(position, [1, 3, 2, 0], weights)]);
            let mut pose = model.skeleton.rest_pose();
            for bone in [1, 3] {
                let mut transform = model.skeleton.bones()[bone].rest;
                let mut angle = || random() * 0.02 - 0.01;
                transform.rotation = Quat::from_euler(EulerRot::XYZ, angle(), angle(), angle());
                pose.set(bone, &transform);
            }
            let (rest, mut moved) = (model.skeleton.rest_model_pose(), ModelPose::default());
            moved.compute(&model.skeleton, &pose);
            let at = |(&bone, weight): (&BoneIndex, f32)| {
                moved.get(bone).transform_point(position - rest.get(bone).translation()) * weight
            };
            let end: Vec3 = [1, 3, 2, 0].iter().zip(weights).map(at).sum();
            let far = end.distance(position);
            let bound = reach(&model).distance(&rest, &moved) * OF_DISTANCE;
            assert!(far <= bound, "{position} {weights:?}: {far}, not {bound}");
            worst_of_skeleton = worst_of_skeleton.max(far / Reach::of(&model.skeleton).distance(&rest, &moved));
        }
        assert!(worst_of_skeleton > OF_DISTANCE, "{worst_of_skeleton}: the skeleton alone would show it");
    }

    #[test]
    fn fingers_take_fewer_bits_than_the_guess() {
        const FINGERS: std::ops::Range<BoneIndex> = 2..34;
        let bone = |(parent, rest), name: String| Bone { name, parent, rest: Transform::from_translation(rest) };
        let body = [(None, Vec3::ZERO), (Some(0), Vec3::Y * -8.0)].into_iter();
        let places = body.chain(FINGERS.map(|_| (Some(0), Vec3::X * 0.2)));
        let bones = places.zip(0..).map(|(place, at): (_, usize)| bone(place, at.to_string())).collect();
        let meshes = FINGERS.map(|bone| rigid(bone, Vec3::Y * 0.1)).collect();
        let model = Model { skeleton: Arc::new(Skeleton::new(bones).unwrap()), ..model(meshes) };
        let mut clip = Clip::new("wave");
        for frame in 0..60 {
            let turn = |bone: BoneIndex| Quat::from_rotation_x((frame as f32 * 0.2 + f32::from(bone)).sin());
            let keys: Vec<Key> = FINGERS.map(|bone| Key::rotation(bone, turn(bone))).collect();
            clip.keyframes.push(Keyframe { duration: Time(10_000_000), keys: keys.into(), ..Keyframe::default() });
        }
        let options = BakeOptions { format: SampleFormat::Packed, ..BakeOptions::default() };
        let report = |reach: &Reach| *bake_reaching(&clip, &model.skeleton, reach, &options).report();
        let [guessed, measured] = [Reach::of(&model.skeleton), reach(&model)].map(|reach| report(&reach));
        assert_eq!([guessed.form, measured.form], [FormKind::PackedSamples; 2]);
        assert!(measured.bytes * 6 < guessed.bytes * 5, "{measured:?}, {guessed:?}");
    }
}
