//! Influences: drops weak ones and keeps the strongest of each vertex, with weights that sum to 1.

use std::sync::Arc;

use crate::anim::skin::cpu::InfluenceSet;
use crate::assets::import_options::ImportOptions;
use crate::assets::model::Model;

/// Drops influences below the minimum weight, and then keeps at most as many of each vertex as the options allow.
pub fn reduce(model: &mut Model, options: &ImportOptions, findings: &mut Vec<String>) {
    let (least, count) = (options.min_weight, options.influences.max(1));
    if least > 0.0 {
        let report = |vertices: usize, percent: f32| {
            format!(
                "{vertices} vertices have weights below {least}; these are dropped, at most {percent:.2} % of a vertex"
            )
        };
        reduce_by(model, |_, weight| weight >= least, report, findings);
    }
    if count < ImportOptions::MAX_INFLUENCES {
        let report = |vertices: usize, percent: f32| {
            format!(
                "{vertices} vertices have more than {count} influences; the strongest are kept, at most {percent:.2} % lost"
            )
        };
        reduce_by(model, |at, _| at < count, report, findings);
    }
}

/// Keeps influences by their place among those of their vertex, the strongest first, and their weight. The strongest is always
/// kept.
fn reduce_by(
    model: &mut Model,
    is_kept: impl Fn(usize, f32) -> bool,
    report: impl Fn(usize, f32) -> String,
    findings: &mut Vec<String>,
) {
    for slot in &mut model.meshes {
        let mut reduced = Reduced::default();
        let sets = reduced_sets(&slot.mesh.influences, &is_kept, &mut reduced);
        if reduced.vertices > 0 {
            let finding = report(reduced.vertices, 100.0 * reduced.largest_loss);
            findings.push(format!("mesh {}: {finding}", slot.mesh.name));
            Arc::make_mut(&mut slot.mesh).influences = sets;
        }
    }
}

#[derive(Default)]
struct Reduced {
    vertices: usize,
    /// The largest sum of weights that a vertex lost, of 1.
    largest_loss: f32,
}

fn reduced_sets(
    sets: &[InfluenceSet],
    is_kept: impl Fn(usize, f32) -> bool,
    reduced: &mut Reduced,
) -> Vec<InfluenceSet> {
    let vertices = sets.first().map_or(0, |set| set.joints.len());
    let empty = || InfluenceSet { joints: vec![[0; 4]; vertices], weights: vec![[0.0; 4]; vertices] };
    let mut kept: Vec<InfluenceSet> = sets.iter().map(|_| empty()).collect();
    let mut most = 0;
    for vertex in 0..vertices {
        let slots = sets.iter().flat_map(|set| set.joints[vertex].into_iter().zip(set.weights[vertex]));
        let mut slots: Vec<(u16, f32)> = slots.filter(|(_, weight)| *weight > 0.0).collect();
        slots.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let count = slots.iter().enumerate().take_while(|(at, (_, weight))| *at == 0 || is_kept(*at, *weight)).count();
        let lost: f32 = slots.iter().skip(count).map(|(_, weight)| weight).sum();
        let is_reduced = slots.len() > count;
        reduced.vertices += usize::from(is_reduced);
        reduced.largest_loss = reduced.largest_loss.max(lost);
        slots.truncate(count);
        most = most.max(count);
        let sum: f32 = if is_reduced { slots.iter().map(|(_, weight)| weight).sum() } else { 1.0 };
        for (at, (joint, weight)) in slots.into_iter().enumerate() {
            kept[at / 4].joints[vertex][at % 4] = joint;
            kept[at / 4].weights[vertex][at % 4] = weight / sum;
        }
    }
    kept.truncate(most.div_ceil(4).max(1));
    kept
}
