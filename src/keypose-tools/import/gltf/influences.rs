//! Influences: the joints and weights of primitives. Up to eight stay in the order of the file; of more the strongest are kept.

use gltf::json::mesh::{Primitive, Semantic};
use gltf::json::validation::Checked;

use crate::anim::skin::cpu::InfluenceSet;
use crate::import::assembly::weights::{Weights, is_one};
use crate::import::error::Fault;
use crate::import::gltf::accessor::Reader;
use crate::import::report::Findings;

/// Of more sets, the strongest influences are kept.
const MAX_SETS: usize = 2;
/// Maximum deviation of a sum of weights from 1 without a warning; sums of eight bytes are less exact.
const MAX_UNEVEN: f64 = 0.04;

/// Reads the influences of a primitive whose skin has `joints` joints. Empty if the primitive has none.
pub fn influences(
    primitive: &Primitive,
    reader: &Reader<'_>,
    joints: usize,
    vertices: usize,
    findings: &mut Findings<'_>,
) -> Result<Vec<InfluenceSet>, Fault> {
    let attribute = |semantic| primitive.attributes.get(&Checked::Valid(semantic)).copied();
    let (mut sets, place) = (Vec::new(), &findings.place);
    for set in 0.. {
        let found = (attribute(Semantic::Joints(set)), attribute(Semantic::Weights(set)));
        let (Some(joint_column), Some(weight_column)) = found else { break };
        let joint_place = format!("{place}, JOINTS_{set}");
        let joints = reader.integers::<4>(joint_column, &joint_place)?;
        let joints =
            joints.into_iter().map(|four| four.map(|joint| u16::try_from(joint).unwrap_or(u16::MAX))).collect();
        let weights = reader.floats::<4>(weight_column, &format_args!("{place}, WEIGHTS_{set}"))?;
        sets.push(InfluenceSet { joints, weights });
    }
    for set in &sets {
        for (name, count) in [("joints", set.joints.len()), ("weights", set.weights.len())] {
            if count != vertices {
                return Err(findings.fault(format!("{count} {name} for {vertices} vertices")));
            }
        }
    }
    if sets.len() > MAX_SETS {
        return strongest(sets, joints, findings);
    }
    clean(&mut sets, joints, findings)?;
    let is_used = |set: &InfluenceSet| set.weights.iter().flatten().any(|&weight| weight > 0.0);
    if sets.last().is_some_and(|last| sets.len() > 1 && !is_used(last)) {
        sets.pop();
    }
    Ok(sets)
}

/// The strongest influences of every vertex.
fn strongest(
    mut sets: Vec<InfluenceSet>,
    joints: usize,
    findings: &mut Findings<'_>,
) -> Result<Vec<InfluenceSet>, Fault> {
    let (mut weights, mut influences) = (Weights::default(), Vec::new());
    let vertices = sets.first().map_or(0, |set| set.joints.len());
    for vertex in 0..vertices {
        influences.extend(slots(&mut sets, vertex).map(|(joint, weight)| (*joint, *weight)));
        if let Some((joint, _)) =
            influences.iter().find(|(joint, weight)| usize::from(*joint) >= joints && *weight > 0.0)
        {
            return Err(no_joint(vertex, *joint, joints, findings));
        }
        weights.push(&mut influences, 0);
        influences.clear();
    }
    Ok(weights.into_sets(findings))
}

fn no_joint(vertex: usize, joint: u16, joints: usize, findings: &Findings<'_>) -> Fault {
    findings.fault(format!("vertex {vertex}: joint {joint}, but its skin has {joints} joints"))
}

/// Normalises the weights of every vertex. A joint that doesn't exist is an error if it has a weight.
fn clean(sets: &mut [InfluenceSet], joints: usize, findings: &mut Findings<'_>) -> Result<(), Fault> {
    let vertices = sets.first().map_or(0, |set| set.joints.len());
    let (mut unusable, mut unweighted, mut uneven) = (0_usize, 0_usize, 0_usize);
    for vertex in 0..vertices {
        let mut sum = 0.0_f64;
        for (joint, weight) in slots(sets, vertex) {
            if !(weight.is_finite() && *weight >= 0.0) {
                *weight = 0.0;
                unusable = unusable.saturating_add(1);
            }
            if usize::from(*joint) >= joints {
                if *weight > 0.0 {
                    return Err(no_joint(vertex, *joint, joints, findings));
                }
                *joint = 0;
            }
            sum += f64::from(*weight);
        }
        if is_one(sum) {
            continue;
        }
        if sum > 0.0 {
            uneven = uneven.saturating_add(usize::from(!(1.0 - MAX_UNEVEN..=1.0 + MAX_UNEVEN).contains(&sum)));
            slots(sets, vertex).for_each(|(_, weight)| *weight = scaled(*weight, sum));
        } else {
            unweighted = unweighted.saturating_add(1);
            slots(sets, vertex).take(1).for_each(|(_, weight)| *weight = 1.0);
        }
    }
    if unusable > 0 {
        findings.add(format_args!("{unusable} weights are negative or not numbers; replaced by 0"));
    }
    if uneven > 0 {
        findings.add(format_args!("the weights of {uneven} vertices don't sum to 1; normalised"));
    }
    if unweighted > 0 {
        findings.add(format_args!("{unweighted} vertices have no weights; bound to their first joint"));
    }
    Ok(())
}

/// The joints and weights of one vertex.
fn slots(sets: &mut [InfluenceSet], vertex: usize) -> impl Iterator<Item = (&mut u16, &mut f32)> {
    sets.iter_mut().flat_map(move |set| {
        let joints = set.joints.get_mut(vertex).into_iter().flatten();
        joints.zip(set.weights.get_mut(vertex).into_iter().flatten())
    })
}

#[allow(clippy::cast_possible_truncation)] // Rounding is intended.
fn scaled(weight: f32, sum: f64) -> f32 {
    (f64::from(weight) / sum) as f32
}
