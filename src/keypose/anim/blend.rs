//! Blends poses: by weight, with masks, in layers. Eight bones at a time, without allocation.
//!
//! Rotations are blended by normalized linear interpolation in one hemisphere: of q and −q the nearer one, which is the
//! shortest path (Jonathan Blow, "Understanding Slerp, Then Not Using It", 2004).

pub use crate::anim::layers::{layers, layers_portable};
use crate::anim::pose::{LocalPose, TransformLanes};
use crate::anim::simd;
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// A blend weight for each bone, 0..=1.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    weights: Vec<f32>,
    /// The weight of each scalar; empty: all have the weight `others`.
    scalars: Vec<f32>,
    others: f32,
}

impl Mask {
    /// One weight for all bones; clamped to 0..=1, NaN counts as 0.
    pub fn uniform(bones: usize, weight: f32) -> Mask {
        Mask { weights: vec![unit(weight); bones], scalars: Vec::new(), others: unit(weight) }
    }

    /// 1 for a bone, its descendants and their scalars, 0 for the others, such as an upper body from its spine.
    pub fn below(skeleton: &Skeleton, root: BoneIndex) -> Mask {
        let weight = |bone| if skeleton.is_below(bone, root) { 1.0 } else { 0.0 };
        let scalars = skeleton.scalars().iter().map(|scalar| weight(scalar.bone)).collect();
        Mask { weights: skeleton.indices().map(weight).collect(), scalars, others: 0.0 }
    }

    /// Sets the weight of a bone, clamped to 0..=1. Does nothing if there is no such bone.
    pub fn set(&mut self, bone: BoneIndex, weight: f32) {
        if let Some(place) = self.weights.get_mut(usize::from(bone)) {
            *place = unit(weight);
        }
    }

    /// The weight of a scalar.
    pub fn scalar(&self, scalar: usize) -> f32 {
        self.scalars.get(scalar).copied().unwrap_or(self.others)
    }

    /// The weight of a bone; 0 if there is no such bone.
    pub fn get(&self, bone: usize) -> f32 {
        self.weights.get(bone).copied().unwrap_or(0.0)
    }
}

/// Blends `from` (weight 0) and `to` (weight 1) into `out`. The weight is clamped to 0..=1, NaN counts as 0. Bones that
/// only `from` has are copied; `out` gets the length of `from`.
pub fn blend_poses(from: &LocalPose, to: &LocalPose, weight: f32, out: &mut LocalPose) {
    if from.len() == to.len()
        && from.len() == out.len()
        && simd::blend(from.lanes(), to.lanes(), unit(weight), out.lanes_mut())
    {
        out.copy_scalars_from(from);
        out.blend_scalars(to, |_| unit(weight));
        return;
    }
    out.copy_from(from);
    blend_onto(out, to, weight);
}

/// Blends a pose in place with `to`; uses the widest registers of the processor.
pub fn blend_onto(pose: &mut LocalPose, to: &LocalPose, weight: f32) {
    let is_whole = pose.len() == to.len() && unit(weight) > 0.0;
    if is_whole && simd::blend_onto(pose.lanes_mut(), to.lanes(), unit(weight)) {
        pose.blend_scalars(to, |_| unit(weight))
    } else {
        blend_onto_portable(pose, to, weight)
    }
}

/// Like [`blend_onto`] to a few units in the last place, but with the same bits on every machine: for decisions of a
/// game.
pub fn blend_onto_portable(pose: &mut LocalPose, to: &LocalPose, weight: f32) {
    let weight = unit(weight);
    if weight == 0.0 {
        return;
    }
    pose.blend_scalars(to, |_| weight);
    let bones = pose.len();
    for (at, (lanes, other)) in pose.lanes_mut().iter_mut().zip(to.lanes()).enumerate() {
        if at * 8 + 8 <= to.len() || to.len() == bones {
            blend_lanes(lanes, other, &[weight; 8]);
        } else {
            let lane = |lane| if at * 8 + lane < to.len() { weight } else { 0.0 };
            blend_lanes(lanes, other, &std::array::from_fn(lane));
        }
    }
}

/// Like [`blend_onto`], with the weight multiplied by the mask of each bone.
pub fn blend_masked(pose: &mut LocalPose, to: &LocalPose, weight: f32, mask: &Mask) {
    let weight = unit(weight);
    pose.blend_scalars(to, |scalar| weight * mask.scalar(scalar));
    for (at, (lanes, other)) in pose.lanes_mut().iter_mut().zip(to.lanes()).enumerate() {
        let lane = |lane: usize| {
            let bone = at * 8 + lane;
            if bone < to.len() { weight * mask.get(bone) } else { 0.0 }
        };
        blend_lanes(lanes, other, &std::array::from_fn(lane));
    }
}

/// Blends eight bones in place, each with its own weight.
#[allow(clippy::needless_range_loop)] // The compiler vectorizes loops over lanes.
fn blend_lanes(from: &mut TransformLanes, to: &TransformLanes, weights: &[f32; 8]) {
    for (from, to) in from.translation.iter_mut().zip(&to.translation).chain(from.scale.iter_mut().zip(&to.scale)) {
        for lane in 0..8 {
            from.0[lane] += (to.0[lane] - from.0[lane]) * weights[lane];
        }
    }
    let (mut dot, mut length) = ([0.0_f32; 8], [0.0_f32; 8]);
    for (from, to) in from.rotation.iter().zip(&to.rotation) {
        for lane in 0..8 {
            dot[lane] += from.0[lane] * to.0[lane];
        }
    }
    for (from, to) in from.rotation.iter_mut().zip(&to.rotation) {
        for lane in 0..8 {
            let near = if dot[lane] < 0.0 { -to.0[lane] } else { to.0[lane] };
            from.0[lane] += (near - from.0[lane]) * weights[lane];
            length[lane] += from.0[lane] * from.0[lane];
        }
    }
    for rotation in &mut from.rotation {
        for lane in 0..8 {
            rotation.0[lane] /= length[lane].sqrt();
        }
    }
}

fn unit(weight: f32) -> f32 {
    if weight.is_nan() { 0.0 } else { weight.clamp(0.0, 1.0) }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::anim::skeleton::Bone;
    use crate::anim::transform::Transform;
    use glam::{Quat, Vec3};

    pub fn pose(bones: usize, angle: f32) -> LocalPose {
        LocalPose::from_transforms((0..bones).map(|bone| Transform {
            translation: Vec3::new(bone as f32, angle, 0.0),
            rotation: Quat::from_rotation_y(angle + bone as f32 * 0.01),
            scale: Vec3::splat(1.0 + angle),
        }))
    }

    pub fn distance(a: &LocalPose, b: &LocalPose) -> f32 {
        assert_eq!(a.len(), b.len());
        a.iter().zip(b.iter()).fold(0.0, |most, (a, b)| most.max(a.distance(&b)))
    }

    #[test]
    fn the_ends_are_the_poses_and_the_middle_is_between_them() {
        let (a, b) = (pose(13, 0.2), pose(13, 1.0));
        let mut out = pose(3, f32::NAN);
        for (weight, expected) in [(0.0, 0.2), (1.0, 1.0), (0.5, 0.6), (-1.0, 0.2), (7.0, 1.0), (f32::NAN, 0.2)] {
            blend_poses(&a, &b, weight, &mut out);
            assert!(distance(&out, &pose(13, expected)) < 1e-6, "{weight}");
        }
    }

    #[test]
    fn opposite_signs_of_a_rotation_are_the_same_rotation() {
        let a = pose(9, 0.3);
        let flipped = LocalPose::from_transforms(a.iter().map(|it| Transform { rotation: -it.rotation, ..it }));
        let mut out = LocalPose::default();
        blend_poses(&a, &flipped, 0.5, &mut out);
        assert!(distance(&out, &a) < 1e-6);
    }

    #[test]
    fn bones_that_the_other_pose_lacks_stay() {
        let (mut a, b) = (pose(12, 0.2), pose(10, 1.0));
        let before = a.clone();
        blend_onto(&mut a, &b, 1.0);
        for bone in 0..12 {
            let expected = if bone < 10 { b.get(bone) } else { before.get(bone) };
            assert!(a.get(bone).distance(&expected) < 1e-6, "{bone}");
        }
    }

    #[test]
    fn a_mask_limits_a_layer_to_a_branch() {
        let bone = |name: &str, parent| Bone { name: name.into(), parent, rest: Transform::IDENTITY };
        let bones = vec![bone("hips", None), bone("spine", Some(0)), bone("leg", Some(0)), bone("arm", Some(1))];
        let skeleton = Skeleton::new(bones).unwrap();
        let mut mask = Mask::below(&skeleton, 1);
        mask.set(3, 0.5);
        let (mut a, b) = (pose(4, 0.0), pose(4, 1.0));
        blend_masked(&mut a, &b, 1.0, &mask);
        let heights: Vec<f32> = a.iter().map(|transform| transform.translation.y).collect();
        assert_eq!(heights, [0.0, 1.0, 0.0, 0.5]);
    }
}
