//! Springs as the extension `VRMC_springBone` 1.0. A tip that is no bone, the names of colliders and the wind are in `extras`.

use serde_json::{Value, json};

use crate::anim::spring::{Joint, Springs, Tip};
use crate::assets::model::Model;
use crate::export::gltf::{extras, numbers};

/// The name of the extension.
pub const NAME: &str = "VRMC_springBone";

/// The extension of a file whose first nodes are the bones; `None` if nothing swings.
pub fn write(model: &Model) -> Option<Value> {
    let springs = model.rig.springs.of(&model.skeleton);
    if springs.is_empty() {
        return None;
    }
    let is_there = |collider: &crate::anim::spring::Collider| usize::from(collider.bone) < model.skeleton.len();
    let kept: Vec<usize> = (0..springs.colliders().len()).filter(|at| is_there(&springs.colliders()[*at])).collect();
    let collider = |at: &usize| {
        let (collider, volume) = (&springs.colliders()[*at], &model.rig.springs.colliders[*at]);
        let [from, to] = collider.ends;
        let mut shape = json!({ "offset": numbers(&from.to_array()), "radius": f64::from(collider.radius) });
        let kind = if from == to { "sphere" } else { "capsule" };
        if from != to {
            shape["tail"] = numbers(&to.to_array());
        }
        json!({ "node": collider.bone, "shape": { kind: shape }, "extras": extras(json!({ "name": volume.name })) })
    };
    let chains = chains(&springs);
    let mut groups: Vec<Vec<usize>> = chains.iter().map(|chain| places(&kept, chain[0])).collect();
    groups.retain(|group| !group.is_empty());
    groups.sort();
    groups.dedup();
    let spring = |chain: &Vec<&Joint>| {
        let mut spring = json!({ "joints": joints(chain) });
        if let Some(group) = groups.iter().position(|group| *group == places(&kept, chain[0])) {
            spring["colliderGroups"] = json!([group]);
        }
        if let Some(center) = chain[0].center {
            spring["center"] = center.into();
        }
        spring
    };
    let mut extension = json!({ "specVersion": "1.0", "springs": chains.iter().map(spring).collect::<Vec<_>>() });
    if !groups.is_empty() {
        extension["colliders"] = kept.iter().map(collider).collect();
        extension["colliderGroups"] = groups.iter().map(|group| json!({ "colliders": group })).collect();
    }
    let wind = model.rig.springs.wind;
    if wind != glam::Vec3::ZERO {
        extension["extras"] = extras(json!({ "wind": numbers(&wind.to_array()) }));
    }
    Some(extension)
}

/// The colliders of a joint, by their places in the file.
fn places(kept: &[usize], joint: &Joint) -> Vec<usize> {
    joint.colliders.iter().filter_map(|at| kept.iter().position(|kept| kept == &usize::from(*at))).collect()
}

/// The joints of each chain: each has the next one as its tip, and the same colliders and center.
fn chains(springs: &Springs) -> Vec<Vec<&Joint>> {
    let next = |joint: &&Joint| match joint.tip {
        Tip::Bone(tip) => springs
            .joints()
            .iter()
            .find(|other| other.bone == tip && other.center == joint.center && other.colliders == joint.colliders),
        Tip::Point(_) => None,
    };
    let mut has_one_before = std::collections::BTreeSet::new();
    // Only one bone leads to the next one; others with that tip end there.
    let mut follows = std::collections::BTreeMap::new();
    for joint in springs.joints() {
        if let Some(next) = next(&joint)
            && has_one_before.insert(next.bone)
        {
            follows.insert(joint.bone, next);
        }
    }
    let first = springs.joints().iter().filter(|joint| !has_one_before.contains(&joint.bone));
    first.map(|first| std::iter::successors(Some(first), |joint| follows.get(&joint.bone).copied()).collect()).collect()
}

fn joints(chain: &[&Joint]) -> Vec<Value> {
    let joint = |joint: &&Joint| {
        let swing = joint.swing;
        let power = swing.gravity.length();
        let down = swing.gravity.try_normalize().unwrap_or(glam::Vec3::NEG_Y);
        json!({
            "node": joint.bone,
            "stiffness": f64::from(swing.stiffness),
            "dragForce": f64::from(swing.drag),
            "gravityPower": f64::from(power),
            "gravityDir": numbers(&down.to_array()),
            "hitRadius": f64::from(swing.radius),
        })
    };
    let mut joints: Vec<Value> = chain.iter().map(joint).collect();
    match (chain.last().map(|joint| joint.tip), joints.last_mut()) {
        (Some(Tip::Bone(tip)), _) => joints.push(json!({ "node": tip })),
        (Some(Tip::Point(point)), Some(last)) => last["extras"] = extras(json!({ "tip": numbers(&point.to_array()) })),
        _ => {}
    }
    joints
}
