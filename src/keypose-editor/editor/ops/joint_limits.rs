//! Edits of joint limits and IK chains in the rig notes of a model.

use crate::editor::ops::mirror::Pairs;
use keypose::anim::ik::limit::Limit;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::model::Model;
use keypose::assets::rig_notes::{self, IkChain, RigNotes};
use keypose_tools::joint_limits::{BindJoints, propose};
use keypose_tools::symmetry::{Plane, bind_plane};

/// Whether the bone on the other side gets the mirrored limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    One,
    Both,
}

/// The limit of a bone; `None` if it rotates freely.
pub fn limit_of(model: &Model, bone: BoneIndex) -> Option<Limit> {
    model.rig.limits.get(&model.skeleton.get(bone)?.name).copied()
}

/// The IK chain of a bone; `None` for an arm or a leg.
pub fn chain_of(model: &Model, bone: BoneIndex) -> Option<IkChain> {
    model.rig.chains.get(&model.skeleton.get(bone)?.name).copied()
}

/// The notes with another limit of a bone.
pub fn with_limit(model: &Model, bone: BoneIndex, limit: Option<Limit>, sides: Sides) -> RigNotes {
    let mut rig = model.rig.clone();
    let mut put = |bone: BoneIndex, limit: Option<Limit>| {
        if let Some(bone) = model.skeleton.get(bone) {
            rig_notes::put(&mut rig.limits, &bone.name, limit);
        }
    };
    put(bone, limit);
    let partner = Pairs::of_model(model).partner(bone);
    if sides == Sides::Both && partner != bone {
        let mirrored = |limit| mirrored((&BindJoints::of(model), bind_plane(model)), &limit, [bone, partner]);
        put(partner, limit.map(mirrored));
    }
    rig
}

/// The notes with another IK chain that ends at a bone.
pub fn with_chain(model: &Model, bone: BoneIndex, chain: Option<IkChain>) -> RigNotes {
    let mut rig = model.rig.clone();
    if let Some(bone) = model.skeleton.get(bone) {
        rig_notes::put(&mut rig.chains, &bone.name, chain);
    }
    rig
}

/// The notes with the limits of a humanoid; those of other bones stay. `None` if the model is no humanoid.
pub fn proposed(model: &Model) -> Option<RigNotes> {
    let limits = propose(model);
    let mut rig = model.rig.clone();
    let is_humanoid = !limits.is_empty();
    rig.limits.extend(limits);
    is_humanoid.then_some(rig)
}

/// The limit of the bone on the other side, across the plane between the sides of the bind pose.
fn mirrored((joints, plane): (&BindJoints<'_>, Plane), limit: &Limit, [from, to]: [BoneIndex; 2]) -> Limit {
    // In the mirror, rotations go the other way about the reflected axis. A hinge turns its axis round instead.
    let reflected = plane.direction(joints.in_model(from, limit.axis));
    let (axis, [min, max]) = match limit.swing {
        Some(_) => (reflected, [-limit.max, -limit.min]),
        None => (-reflected, [limit.min, limit.max]),
    };
    let zero = joints.turned(to, plane.rotation(joints.rotation_to(from, limit.zero)));
    Limit { zero, axis: joints.in_bone(to, axis), min, max, swing: limit.swing }
}

/// The words of a limit, in degrees, as scripts write them.
pub fn words(limit: Option<&Limit>) -> String {
    let degrees = |angle: f32| format!("{:.0}", angle.to_degrees() + 0.0);
    match limit {
        None => "free".to_owned(),
        Some(Limit { min, max, swing: None, .. }) => format!("hinge {} {}", degrees(*min), degrees(*max)),
        Some(Limit { min, max, swing: Some(swing), .. }) => {
            format!("cone {} twist {} {}", degrees(*swing), degrees(*min), degrees(*max))
        }
    }
}
