//! Influences: the joints that move a vertex, and by how much. Of any number the strongest eight are kept, and their weights
//! sum to 1.

use crate::anim::skin::cpu::InfluenceSet;
use crate::import::report::Findings;

/// Maximum number of influences of a vertex.
pub const MAX_INFLUENCES: usize = 8;

/// The influences of a mesh, one vertex after the other.
#[derive(Debug, Default)]
pub struct Weights {
    /// The influences of each vertex, sorted by weight, then by their order in the file. Weight 0 is none.
    vertices: Vec<[(u16, f32); MAX_INFLUENCES]>,
    /// Vertices that lost influences.
    reduced: usize,
    /// The largest sum of weights that a vertex lost, of 1.
    largest_loss: f64,
    unusable: usize,
    unweighted: usize,
}

impl Weights {
    /// Adds a vertex. Without a weight above 0 it is bound to the joint `otherwise`.
    pub fn push(&mut self, influences: &mut Vec<(u16, f32)>, otherwise: u16) {
        let is_usable = |weight: f32| weight.is_finite() && weight >= 0.0;
        let unusable = influences.iter().filter(|(_, weight)| !is_usable(*weight)).count();
        self.unusable = self.unusable.saturating_add(unusable);
        influences.retain(|(_, weight)| is_usable(*weight) && *weight > 0.0);
        if influences.is_empty() {
            self.unweighted = self.unweighted.saturating_add(1);
            influences.push((otherwise, 1.0));
        }
        influences.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let all = sum(influences);
        influences.truncate(MAX_INFLUENCES);
        let kept = sum(influences);
        if kept < all {
            self.reduced = self.reduced.saturating_add(1);
            self.largest_loss = self.largest_loss.max(fraction_lost(kept, all));
        }
        let mut slots = [(0, 0.0); MAX_INFLUENCES];
        for (slot, (joint, weight)) in slots.iter_mut().zip(influences.iter()) {
            *slot = (*joint, divided(*weight, kept));
        }
        self.vertices.push(slots);
    }

    /// The sets of influences: one, or two if a vertex has more than four. Reports changes.
    pub fn into_sets(self, findings: &mut Findings<'_>) -> Vec<InfluenceSet> {
        if self.unusable > 0 {
            findings.add(format_args!("{} weights are negative or not numbers; replaced by 0", self.unusable));
        }
        if self.unweighted > 0 {
            findings.add(format_args!("{} vertices have no weights; bound to one joint", self.unweighted));
        }
        if self.reduced > 0 {
            let (count, percent) = (self.reduced, percent(self.largest_loss));
            findings.add(format_args!(
                "{count} vertices have more than eight influences; the strongest eight are kept, at most {percent:.2} % lost"
            ));
        }
        let is_large = self.vertices.iter().any(|slots| slots.get(4).is_some_and(|(_, weight)| *weight > 0.0));
        let firsts = if is_large { &[0, 4][..] } else { &[0] };
        let four = |slots: &[(u16, f32); MAX_INFLUENCES], first: usize| -> [(u16, f32); 4] {
            std::array::from_fn(|at| slots.get(first.saturating_add(at)).copied().unwrap_or_default())
        };
        let set = |first: usize| InfluenceSet {
            joints: self.vertices.iter().map(|slots| four(slots, first).map(|(joint, _)| joint)).collect(),
            weights: self.vertices.iter().map(|slots| four(slots, first).map(|(_, weight)| weight)).collect(),
        };
        firsts.iter().map(|first| set(*first)).collect()
    }
}

/// Whether a length or sum is 1 as far as rounded numbers can tell. Dividing by it would only round them once more.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn is_one(length: f64) -> bool {
    (length - 1.0).abs() <= 4.0 * f64::from(f32::EPSILON)
}

/// A weight as `f32`; 0 if it is not finite.
#[allow(clippy::cast_possible_truncation)] // Rounding is intended; a large one becomes infinite.
pub fn finite(weight: f64) -> f32 {
    let weight = weight as f32;
    if weight.is_finite() { weight } else { 0.0 }
}

fn sum(influences: &[(u16, f32)]) -> f64 {
    influences.iter().map(|(_, weight)| f64::from(*weight)).sum()
}

#[allow(clippy::cast_possible_truncation, clippy::arithmetic_side_effects)] // Floating point only; rounding is intended.
fn divided(weight: f32, sum: f64) -> f32 {
    (f64::from(weight) / sum) as f32
}

#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn fraction_lost(kept: f64, all: f64) -> f64 {
    1.0 - kept / all
}

#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn percent(fraction: f64) -> f64 {
    100.0 * fraction
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::report::Report;

    fn of(vertices: &[&[(u16, f32)]]) -> (Vec<InfluenceSet>, Vec<String>) {
        let (mut weights, mut report) = (Weights::default(), Report::default());
        vertices.iter().for_each(|vertex| weights.push(&mut vertex.to_vec(), 7));
        let sets = weights.into_sets(&mut report.at("mesh"));
        (sets, report.into_lines())
    }

    #[test]
    fn the_strongest_eight_are_kept_and_sum_to_one() {
        let ten: Vec<(u16, f32)> = (0..10).map(|joint| (joint, 0.02 + 0.02 * f32::from(joint))).collect();
        let (sets, report) = of(&[&ten]);
        assert_eq!(sets.len(), 2);
        assert_eq!((sets[0].joints[0], sets[1].joints[0]), ([9, 8, 7, 6], [5, 4, 3, 2]));
        let sum: f32 = sets.iter().flat_map(|set| set.weights[0]).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{sum}");
        assert!((sets[0].weights[0][0] / sets[1].weights[0][3] - 0.2 / 0.06).abs() < 1e-5);
        assert!(report[0].contains("1 vertices have more than eight") && report[0].contains("5.45 %"), "{report:?}");
    }

    #[test]
    fn four_influences_need_one_set_and_bad_weights_are_dropped() {
        let (sets, report) = of(&[&[(1, 3.0), (2, 1.0)], &[(3, f32::NAN), (4, -1.0)], &[]]);
        assert_eq!(sets.len(), 1);
        assert_eq!((sets[0].joints[0], sets[0].weights[0]), ([1, 2, 0, 0], [0.75, 0.25, 0.0, 0.0]));
        assert_eq!((sets[0].joints[1][0], sets[0].weights[2]), (7, [1.0, 0.0, 0.0, 0.0]));
        assert_eq!(report.len(), 2);
    }
}
