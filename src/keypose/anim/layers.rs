//! The weighted average of any number of poses, normalized once, so that their order doesn't matter.

use crate::anim::lanes::{Lanes, MIN_SQUARED_LENGTH, TransformLanes};
use crate::anim::pose::LocalPose;
use crate::anim::simd;

/// The weighted average of any number of poses. Weights needn't add up to 1; layers whose weight is not finite or not above
/// 0 are skipped. Of each rotation and its negative, the one nearer to the rotation of the first layer counts. Their sum is
/// normalized once, so the order of the layers doesn't matter but for rounding, as long as the rotations of a bone are at
/// most 90° apart. A bone that no layer has gets its rest transform; `out` gets the length of `rest`.
pub fn layers(layers: &[(&LocalPose, f32)], rest: &LocalPose, out: &mut LocalPose) {
    let Some(shares) = Shares::of(layers) else { return out.copy_from(rest) };
    let is_whole = shares.iter().all(|(pose, _)| pose.len() == rest.len());
    if !is_whole || out.len() != rest.len() {
        out.copy_from(rest);
    }
    add_up_scalars(&shares, rest, out);
    let lanes = shares.iter().map(|(pose, share)| (pose.lanes(), share));
    if !(is_whole && simd::layers(lanes, out.lanes_mut())) {
        add_up(&shares, out);
    }
}

/// Like [`layers`] to a few units in the last place, but with the same bits on every machine.
pub fn layers_portable(layers: &[(&LocalPose, f32)], rest: &LocalPose, out: &mut LocalPose) {
    out.copy_from(rest);
    if let Some(shares) = Shares::of(layers) {
        add_up_scalars(&shares, rest, out);
        add_up(&shares, out);
    }
}

/// The layers that count, and the factor that makes their weights add up to 1.
struct Shares<'a> {
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
    fn iter(&self) -> impl Iterator<Item = (&'a LocalPose, f32)> + '_ {
        let share = |weight: f32| (f64::from(weight) * self.factor) as f32;
        let shares = self.layers.iter().map(move |&(pose, weight)| (pose, share(weight)));
        shares.filter(|(_, share)| *share > 0.0 && share.is_finite())
    }
}

/// Replaces the scalars of `out` by the averages of the layers that have them, else by the scalars of `rest`. One that switches
/// is that of the layer with the largest share.
fn add_up_scalars(shares: &Shares<'_>, rest: &LocalPose, out: &mut LocalPose) {
    out.copy_scalars_from(rest);
    for at in 0..rest.scalars().len() {
        let (mut sum, mut weight, mut largest) = (0.0, 0.0, 0.0);
        let is_stepped = rest.is_stepped(at);
        for (pose, share) in shares.iter() {
            match pose.scalars().get(at) {
                Some(value) if is_stepped && share > largest => (sum, weight, largest) = (*value, 1.0, share),
                Some(value) if !is_stepped => (sum, weight) = (sum + value * share, weight + share),
                _ => {}
            }
        }
        if weight > 0.0 {
            out.scalars_mut()[at] = sum / weight;
        }
    }
}

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
        let has_weight = self.weight.0.map(|weight| weight > 0.0);
        let has_direction = length.map(|length| length >= MIN_SQUARED_LENGTH);
        let straight = self.translation.iter().chain(&self.scale);
        for (out, sum) in out.translation.iter_mut().chain(&mut out.scale).zip(straight) {
            for lane in 0..8 {
                let average = sum.0[lane] / self.weight.0[lane];
                out.0[lane] = if has_weight[lane] { average } else { out.0[lane] };
            }
        }
        for ((out, sum), first) in out.rotation.iter_mut().zip(&self.rotation).zip(&self.first) {
            for lane in 0..8 {
                let unit = sum.0[lane] / length[lane].sqrt();
                let turned = if has_direction[lane] { unit } else { first.0[lane] };
                out.0[lane] = if has_weight[lane] { turned } else { out.0[lane] };
            }
        }
    }
}

fn add_weighted(sum: &mut Lanes, values: &Lanes, weights: &[f32; 8]) {
    for ((sum, value), weight) in sum.0.iter_mut().zip(&values.0).zip(weights) {
        *sum += value * weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::blend::tests::{distance, pose};
    use crate::anim::transform::Transform;
    use glam::{Quat, Vec3};

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
