//! Influences: keeps the strongest of each vertex, with weights that sum to 1.

use std::sync::Arc;

use crate::anim::skin::cpu::InfluenceSet;
use crate::assets::import_options::ImportOptions;
use crate::assets::model::Model;

/// Keeps at most `count` influences of each vertex.
pub fn limit(model: &mut Model, count: usize, findings: &mut Vec<String>) {
    if count >= ImportOptions::MAX_INFLUENCES {
        return;
    }
    for slot in &mut model.meshes {
        let mut reduced = Reduced::default();
        let sets = limited(&slot.mesh.influences, count.max(1), &mut reduced);
        if reduced.vertices > 0 {
            Arc::make_mut(&mut slot.mesh).influences = sets;
            let (vertices, percent) = (reduced.vertices, 100.0 * reduced.largest_loss);
            findings.push(format!(
                "mesh {}: {vertices} vertices have more than {count} influences; the strongest are kept, at most {percent:.2} % lost",
                slot.mesh.name
            ));
        }
    }
}

#[derive(Default)]
struct Reduced {
    vertices: usize,
    /// The largest sum of weights that a vertex lost, of 1.
    largest_loss: f32,
}

fn limited(sets: &[InfluenceSet], count: usize, reduced: &mut Reduced) -> Vec<InfluenceSet> {
    let vertices = sets.first().map_or(0, |set| set.joints.len());
    let empty = || InfluenceSet { joints: vec![[0; 4]; vertices], weights: vec![[0.0; 4]; vertices] };
    let mut kept: Vec<InfluenceSet> = (0..count.div_ceil(4).min(sets.len())).map(|_| empty()).collect();
    for vertex in 0..vertices {
        let slots = sets.iter().flat_map(|set| set.joints[vertex].into_iter().zip(set.weights[vertex]));
        let mut slots: Vec<(u16, f32)> = slots.filter(|(_, weight)| *weight > 0.0).collect();
        slots.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let lost: f32 = slots.iter().skip(count).map(|(_, weight)| weight).sum();
        let is_reduced = slots.len() > count;
        reduced.vertices += usize::from(is_reduced);
        reduced.largest_loss = reduced.largest_loss.max(lost);
        slots.truncate(count);
        let sum: f32 = if is_reduced { slots.iter().map(|(_, weight)| weight).sum() } else { 1.0 };
        for (at, (joint, weight)) in slots.into_iter().enumerate() {
            kept[at / 4].joints[vertex][at % 4] = joint;
            kept[at / 4].weights[vertex][at % 4] = weight / sum;
        }
    }
    kept
}
