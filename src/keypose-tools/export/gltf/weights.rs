//! Influences as glTF wants them (glTF 2.0, section 3.7.3.3): weights sum to 1, no joint twice, joint 0 for empty slots.

use crate::anim::skin::cpu::InfluenceSet;

/// Weights whose sum differs less from 1 are as exact as `f32` allows, and stay as they are.
const EXACT: f64 = 1.2e-7;

/// The influences of every vertex, set by set.
pub fn clean(sets: &[InfluenceSet]) -> Vec<InfluenceSet> {
    let mut sets = sets.to_vec();
    let vertices = sets.first().map_or(0, |set| set.weights.len());
    for vertex in 0..vertices {
        let mut slots: Vec<(u16, f32)> =
            sets.iter().flat_map(|set| set.joints[vertex].into_iter().zip(set.weights[vertex])).collect();
        clean_vertex(&mut slots);
        for (set, four) in sets.iter_mut().zip(slots.chunks_exact(4)) {
            for (slot, (joint, weight)) in four.iter().enumerate() {
                (set.joints[vertex][slot], set.weights[vertex][slot]) = (*joint, *weight);
            }
        }
    }
    sets
}

fn clean_vertex(slots: &mut [(u16, f32)]) {
    for at in 0..slots.len() {
        let (joint, weight) = slots[at];
        let first = slots[..at].iter().position(|slot| slot.0 == joint && slot.1 > 0.0);
        if weight > 0.0
            && let Some(first) = first
        {
            slots[first].1 += weight;
        }
        if weight <= 0.0 || first.is_some() {
            slots[at] = (0, 0.0);
        }
    }
    let sum: f64 = slots.iter().map(|slot| f64::from(slot.1)).sum();
    if (sum - 1.0).abs() > EXACT && sum > 0.0 {
        slots.iter_mut().for_each(|slot| slot.1 = (f64::from(slot.1) / sum) as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_are_unique_and_weights_sum_to_one() {
        let mut slots = [(3, 0.5), (5, 0.0), (3, 0.25), (7, 0.2501)];
        clean_vertex(&mut slots);
        assert_eq!(slots.map(|slot| slot.0), [3, 0, 0, 7]);
        let sum: f64 = slots.iter().map(|slot| f64::from(slot.1)).sum();
        assert!((sum - 1.0).abs() < EXACT);
        let mut exact = [(1, 0.75), (2, 0.25), (0, 0.0), (0, 0.0)];
        clean_vertex(&mut exact);
        assert_eq!(exact, [(1, 0.75), (2, 0.25), (0, 0.0), (0, 0.0)]);
    }
}
