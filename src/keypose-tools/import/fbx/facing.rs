//! Characters that face backward: some programs write other axes than those of their models. Toes say where the front is.

use glam::Vec3;

use crate::anim::skeleton::BoneIndex;
use crate::apply_options::axes::turn;
use crate::assets::bone_match::parts_of;
use crate::assets::import_options::axes::{Axes, Axis};
use crate::assets::model::Model;
use crate::import::report::Report;

/// A character faces backward if all of its toes do, by at least this part of their length.
const CLEARLY: f32 = 0.7;

/// Turns a humanoid that faces -Z, with its clips, and reports it.
pub fn turn_to_front(model: &mut Model, report: &mut Report) {
    let parts = parts_of((&*model).into());
    let rest = model.skeleton.rest_model_pose();
    let place = |bone: BoneIndex| rest.get(bone).translation();
    let toes = (0_u16..).zip(&parts).filter(|(_, part)| part.as_deref().is_some_and(|part| part.ends_with(" toes")));
    let directions: Vec<Vec3> = toes
        .filter_map(|(toes, _)| Some((place(toes), place(model.skeleton.parent(toes)?))))
        .map(|(toes, foot)| direction(toes, foot))
        .collect();
    if directions.len() >= 2 && directions.iter().all(|direction| direction.z <= -CLEARLY) {
        turn(model, Axes { forward: Some(Axis::NegativeZ), ..Axes::default() });
        report.add("nodes", "the character faces backward (-Z); turned");
    }
}

/// The level direction from a foot to its toes.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn direction(toes: Vec3, foot: Vec3) -> Vec3 {
    (toes - foot).with_y(0.0).normalize_or_zero()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::anim::skeleton::{Bone, Skeleton};
    use crate::anim::transform::Transform;

    /// Two feet whose toes point along these directions.
    fn model(toes: [f32; 2]) -> Model {
        let bone =
            |name: &str, parent, at: Vec3| Bone { name: name.into(), parent, rest: Transform::from_translation(at) };
        let bones = vec![
            bone("Hips", None, Vec3::Y),
            bone("LeftFoot", Some(0), Vec3::new(0.1, -0.9, 0.0)),
            bone("RightFoot", Some(0), Vec3::new(-0.1, -0.9, 0.0)),
            bone("LeftToeBase", Some(1), Vec3::new(0.02, -0.08, toes[0])),
            bone("RightToeBase", Some(2), Vec3::new(0.0, -0.08, toes[1])),
        ];
        Model { skeleton: Arc::new(Skeleton::new(bones).unwrap()), ..Model::default() }
    }

    #[test]
    fn toes_behind_the_feet_turn_the_character() {
        for (toes, is_turned) in [([0.1, 0.1], false), ([-0.1, 0.1], false), ([-0.1, -0.1], true)] {
            let (mut turned, mut report) = (model(toes), Report::default());
            turn_to_front(&mut turned, &mut report);
            assert_eq!(report.into_lines().len(), usize::from(is_turned), "{toes:?}");
            let z = turned.skeleton.rest_model_pose().get(3).translation().z;
            assert!((z - toes[0].abs() * if toes[0] < 0.0 && !is_turned { -1.0 } else { 1.0 }).abs() < 1e-5);
        }
    }
}
