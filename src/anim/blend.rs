//! Blends poses: by weight, in layers, with masks. Eight bones at a time, without allocation.
//!
//! Rotations are blended by normalized linear interpolation in one hemisphere: of q and −q the nearer one, which is the
//! shortest path (Jonathan Blow, "Understanding Slerp, Then Not Using It", 2004).

use crate::anim::pose::{Lanes, LocalPose, TransformLanes};
use crate::anim::simd;
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// A blend weight for each bone, 0..=1.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    weights: Vec<f32>,
}

impl Mask {
    /// The same weight for all bones; clamped to 0..=1, NaN counts as 0.
    pub fn uniform(bones: usize, weight: f32) -> Mask {
        Mask { weights: vec![unit(weight); bones] }
    }

    /// 1 for a bone and its descendants, 0 for the others, such as an upper body from its spine.
    pub fn below(skeleton: &Skeleton, root: BoneIndex) -> Mask {
        let weight = |bone| if skeleton.is_below(bone, root) { 1.0 } else { 0.0 };
        Mask { weights: skeleton.indices().map(weight).collect() }
    }

    /// Sets the weight of a bone, clamped to 0..=1. Does nothing if there is no such bone.
    pub fn set(&mut self, bone: BoneIndex, weight: f32) {
        if let Some(place) = self.weights.get_mut(usize::from(bone)) {
            *place = unit(weight);
        }
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
        return;
    }
    out.copy_from(from);
    blend_onto(out, to, weight);
}

/// Blends a pose in place with `to`; uses the widest registers of the processor.
pub fn blend_onto(pose: &mut LocalPose, to: &LocalPose, weight: f32) {
    let is_whole = pose.len() == to.len() && unit(weight) > 0.0;
    if !(is_whole && simd::blend_onto(pose.lanes_mut(), to.lanes(), unit(weight))) {
        blend_onto_portable(pose, to, weight);
    }
}

/// Like [`blend_onto`] to a few units in the last place, but with the same bits on every machine: for decisions of a
/// game.
pub fn blend_onto_portable(pose: &mut LocalPose, to: &LocalPose, weight: f32) {
    let weight = unit(weight);
    if weight == 0.0 {
        return;
    }
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
    for (at, (lanes, other)) in pose.lanes_mut().iter_mut().zip(to.lanes()).enumerate() {
        let lane = |lane: usize| {
            let bone = at * 8 + lane;
            if bone < to.len() { weight * mask.get(bone) } else { 0.0 }
        };
        blend_lanes(lanes, other, &std::array::from_fn(lane));
    }
}

/// The weighted average of any number of poses. Weights needn't add up to 1; layers whose weight is not finite or not above
/// 0 are skipped. Of each rotation and its negative, the one nearer to the rotation of the first layer counts. Their sum is
/// normalized once, so the order of the layers doesn't matter but for rounding, as long as the rotations of a bone are at
/// most 90° apart. A bone that no layer has gets its rest transform; `out` gets the length of `rest`.
pub fn layers(layers: &[(&LocalPose, f32)], rest: &LocalPose, out: &mut LocalPose) {
    let Some(shares) = Shares::of(layers) else { return out.copy_from(rest) };
    out.copy_from(rest);
    let is_whole = shares.iter().all(|(pose, _)| pose.len() == rest.len());
    if !(is_whole && simd::layers(&shares, out.lanes_mut())) {
        add_up(&shares, out);
    }
}

/// Like [`layers`] to a few units in the last place, but with the same bits on every machine.
pub fn layers_portable(layers: &[(&LocalPose, f32)], rest: &LocalPose, out: &mut LocalPose) {
    out.copy_from(rest);
    if let Some(shares) = Shares::of(layers) {
        add_up(&shares, out);
    }
}

/// The layers that count, and the factor that makes their weights add up to 1.
pub(in crate::anim) struct Shares<'a> {
    layers: &'a [(&'a LocalPose, f32)],
    factor: f64,
}

impl<'a> Shares<'a> {
    /// `None` if no layer has a weight.
    fn of(layers: &'a [(&'a LocalPose, f32)]) -> Option<Shares<'a>> {
        let counts = |weight: &f32| *weight > 0.0 && weight.is_finite();
        let total: f64 =
            layers.iter().map(|(_, weight)| weight).filter(|weight| counts(weight)).map(|&it| f64::from(it)).sum();
        (total > 0.0).then(|| Shares { layers, factor: 1.0 / total })
    }

    /// The poses and their shares: above 0, at most 1.
    #[inline]
    pub(in crate::anim) fn iter(&self) -> impl Iterator<Item = (&'a LocalPose, f32)> + '_ {
        let share = |weight: f32| (f64::from(weight) * self.factor) as f32;
        let shares = self.layers.iter().map(move |&(pose, weight)| (pose, share(weight)));
        shares.filter(|(_, share)| *share > 0.0 && share.is_finite())
    }
}

/// Below this squared length a sum of rotations has no direction: nearly all of the weight cancels out.
pub(in crate::anim) const MIN_SQUARED_LENGTH: f32 = 1e-30;

/// Replaces the bones of `out` that a layer has.
fn add_up(shares: &Shares<'_>, out: &mut LocalPose) {
    for (at, out) in out.lanes_mut().iter_mut().enumerate() {
        let mut sum = WeightedSum::default();
        for (pose, share) in shares.iter() {
            if let Some(lanes) = pose.lanes().get(at) {
                let lane = |lane| if at * 8 + lane < pose.len() { share } else { 0.0 };
                sum.add(lanes, &std::array::from_fn(lane));
            }
        }
        sum.finish(out);
    }
}

/// The weighted sum of the transforms of eight bones.
#[derive(Default)]
struct WeightedSum {
    weight: Lanes,
    translation: [Lanes; 3],
    rotation: [Lanes; 4],
    scale: [Lanes; 3],
    /// The first rotation of each bone; the others are added in its hemisphere.
    first: [Lanes; 4],
}

#[allow(clippy::needless_range_loop)] // The compiler vectorizes loops over lanes.
impl WeightedSum {
    fn add(&mut self, lanes: &TransformLanes, weights: &[f32; 8]) {
        let mut dot = [0.0_f32; 8];
        for (first, rotation) in self.first.iter_mut().zip(&lanes.rotation) {
            for lane in 0..8 {
                first.0[lane] = if self.weight.0[lane] > 0.0 { first.0[lane] } else { rotation.0[lane] };
                dot[lane] += first.0[lane] * rotation.0[lane];
            }
        }
        let near: [f32; 8] = std::array::from_fn(|lane| if dot[lane] < 0.0 { -weights[lane] } else { weights[lane] });
        let straight =
            self.translation.iter_mut().zip(&lanes.translation).chain(self.scale.iter_mut().zip(&lanes.scale));
        straight.for_each(|(sum, value)| add_weighted(sum, value, weights));
        self.rotation.iter_mut().zip(&lanes.rotation).for_each(|(sum, value)| add_weighted(sum, value, &near));
        add_weighted(&mut self.weight, &Lanes([1.0; 8]), weights);
    }

    /// Writes the average. Bones without a weight stay.
    fn finish(&self, out: &mut TransformLanes) {
        let mut length = [0.0_f32; 8];
        for lane in 0..8 {
            length[lane] = self.rotation.iter().fold(0.0, |sum, part| sum + part.0[lane] * part.0[lane]);
        }
        for lane in (0..8).filter(|&lane| self.weight.0[lane] > 0.0) {
            let straight = self.translation.iter().chain(&self.scale);
            for (out, sum) in out.translation.iter_mut().chain(&mut out.scale).zip(straight) {
                out.0[lane] = sum.0[lane] / self.weight.0[lane];
            }
            let has_direction = length[lane] >= MIN_SQUARED_LENGTH;
            for ((out, sum), first) in out.rotation.iter_mut().zip(&self.rotation).zip(&self.first) {
                out.0[lane] = if has_direction { sum.0[lane] / length[lane].sqrt() } else { first.0[lane] };
            }
        }
    }
}

fn add_weighted(sum: &mut Lanes, values: &Lanes, weights: &[f32; 8]) {
    for lane in 0..8 {
        sum.0[lane] += values.0[lane] * weights[lane];
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
mod tests {
    use super::*;
    use crate::anim::skeleton::Bone;
    use crate::anim::transform::Transform;
    use glam::{Quat, Vec3};

    fn pose(bones: usize, angle: f32) -> LocalPose {
        LocalPose::from_transforms((0..bones).map(|bone| Transform {
            translation: Vec3::new(bone as f32, angle, 0.0),
            rotation: Quat::from_rotation_y(angle + bone as f32 * 0.01),
            scale: Vec3::splat(1.0 + angle),
        }))
    }

    fn distance(a: &LocalPose, b: &LocalPose) -> f32 {
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

    #[test]
    fn layers_are_weighted_averages() {
        let (a, b, c) = (pose(5, 0.1), pose(5, 0.2), pose(5, 0.6));
        let mut out = LocalPose::default();
        layers(&[(&a, 2.0), (&b, 0.0), (&c, 2.0), (&b, f32::NAN)], &pose(5, 9.0), &mut out);
        assert!(distance(&out, &pose(5, 0.35)) < 1e-4);
        layers(&[], &b, &mut out);
        assert_eq!(out, b);
    }

    /// All orders of three layers, by their indices.
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

    /// The layers of three rotations, one bone, in each order.
    fn in_every_order(rotations: [Quat; 3], weights: [f32; 3]) -> [[LocalPose; 2]; 6] {
        let rest = pose(1, 3.0);
        let poses = rotations.map(|rotation| LocalPose::from_transforms([Transform { rotation, ..rest.get(0) }]));
        ORDERS.map(|order| {
            let parts = order.map(|at| (&poses[at], weights[at]));
            let mut out = [LocalPose::default(), LocalPose::default()];
            layers(&parts, &rest, &mut out[0]);
            layers_portable(&parts, &rest, &mut out[1]);
            out
        })
    }

    #[test]
    fn the_order_of_layers_does_not_matter_up_to_90_degrees() {
        let axes = [Vec3::X, Vec3::new(0.6, 0.8, 0.0), Vec3::NEG_Z];
        for degrees in [1.0_f32, 34.0, 60.0, 78.0, 90.0] {
            // Pairwise at most `degrees` apart: from the first by that angle, and from each other by less.
            let turn = |axis: Vec3| Quat::from_axis_angle(axis, degrees.to_radians());
            let base = Quat::from_rotation_y(2.0);
            for signs in 0..8 {
                let sign = |bit: i32| if signs >> bit & 1 == 1 { -1.0 } else { 1.0 };
                let near = turn(axes[0]).slerp(turn(axes[1]), 0.5);
                let rotations = [base * sign(0), base * turn(axes[0]) * sign(1), base * near * sign(2)];
                let all = in_every_order(rotations, [0.2, 1.0, 0.5]);
                for [wide, portable] in &all {
                    assert!(distance(wide, &all[0][0]) < 1e-6, "{degrees}: {wide:?} {:?}", all[0][0]);
                    assert!(distance(wide, portable) < 1e-6, "{degrees}");
                }
            }
        }
    }

    #[test]
    fn a_bone_that_only_some_layers_have_is_averaged_over_those() {
        let (long, short, rest) = (pose(11, 0.2), pose(9, 0.6), pose(12, 3.0));
        let mut out = LocalPose::default();
        layers(&[(&short, 1.0), (&long, 1.0)], &rest, &mut out);
        assert_eq!(out.len(), 12);
        let expected = |bone: usize| match bone {
            0..9 => pose(12, 0.4).get(bone),
            9..11 => long.get(bone),
            _ => rest.get(bone),
        };
        (0..12).for_each(|bone| assert!(out.get(bone).distance(&expected(bone)) < 1e-6, "{bone}"));
    }

    #[test]
    fn layers_survive_extreme_weights_and_opposite_rotations() {
        let turns = [Quat::IDENTITY, Quat::from_rotation_x(std::f32::consts::PI), Quat::from_xyzw(-1.0, 0.0, 0.0, 0.0)];
        for weights in [[1e-30, 1.0, 1.0], [f32::MAX; 3], [f32::MIN_POSITIVE; 3], [1.0, f32::INFINITY, 1e-45]] {
            for pose in in_every_order(turns, weights).iter().flatten() {
                let got = pose.get(0);
                assert!(
                    (got.rotation.length() - 1.0).abs() < 1e-5 && got.translation.is_finite(),
                    "{weights:?}: {got:?}"
                );
            }
        }
    }
}
