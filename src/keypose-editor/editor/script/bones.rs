//! Script commands for the bones of the active model, and where its joints are.

use crate::editor::document::edit::ModelEdit;
use crate::editor::ops::joint_limits::{Sides, chain_of, limit_of, with_chain, with_limit, words};
use crate::editor::ops::rigging::{BoneEdit, NewBone, bind_heads, clips_of};
use crate::editor::script::args::Args;
use crate::editor::script::table::{Fact, Outcome, Verb, act, edit, set_rig};
use crate::editor::session::rig::{Binding, RigAction};
use keypose::anim::ik::chain::Solver;
use keypose::anim::ik::limit::Limit;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::rig_notes::IkChain;
use keypose_tools::joint_limits::BindJoints;
use keypose_tools::rig::template::TEMPLATES;
use keypose_tools::rig::vertex::{VertexRef, weights_of, with_weight};

/// The commands. Positions are in the space of the model, in its bind pose.
pub const VERBS: &[Verb] = &[
    ("bone add NAME none X Y Z", |a| add(a, None)),
    ("bone add NAME BONE X Y Z", |a| add(a, Some(a.text(1)))),
    ("bone split BONE CHILD PARTS", |a| {
        let parts = a.whole(2)? as usize;
        edit_bones(a, BoneEdit::Split { bone: a.bone(0)?, child: a.bone(1)?, parts })
    }),
    ("bone mirror BONE…", |a| edit_bones(a, BoneEdit::Mirror(a.bones()?))),
    ("bone rename BONE NAME", |a| edit_bones(a, BoneEdit::Rename { bone: a.bone(0)?, name: a.text(1) })),
    ("bone parent BONE none", |a| reparent(a, None)),
    ("bone parent BONE PARENT", |a| reparent(a, Some(a.bone(1)?))),
    ("bone move BONE X Y Z", |a| edit_bones(a, BoneEdit::Move(vec![(a.bone(0)?, a.vec3(1)?)]))),
    ("bone weight BONE MESH VERTEX X", |a| {
        let (at, bone) = (VertexRef { mesh: a.index(1)?, vertex: a.index(2)? }, a.bone(0)?);
        let weights = with_weight(&weights_of(a.active()?, at), bone, a.float(3)?);
        edit("Set weight", ModelEdit::SetWeights { model: a.active_index(), at, weights })
    }),
    ("rig template NAME", |a| {
        let names = TEMPLATES.iter().map(|template| (template.name, template.name)).collect::<Vec<_>>();
        act(RigAction::Place(a.choice(0, "template", &names)?))
    }),
    ("rig marker NAME X Y Z", |a| act(RigAction::MoveMarker { name: a.text(0), to: a.vec3(1)? })),
    ("rig make", |_| act(RigAction::MakeRig)),
    ("bind automatic", |_| act(RigAction::Bind(Binding::Automatic))),
    ("bind rigid", |_| act(RigAction::Bind(Binding::Rigid))),
    ("limit BONE free", |a| limit(a, None)),
    ("limit BONE hinge AXIS MIN MAX", |a| {
        let axis = a.choice(1, "axis", &["x", "y", "z"].map(|name| (name, name)))?;
        let axis = glam::Vec3::AXES[usize::from(axis.as_bytes()[0] - b'x')];
        limit(a, Some(BindJoints::of(a.active()?).hinge(a.bone(0)?, axis, radians(a, 2)?)))
    }),
    ("limit BONE cone SWING twist MIN MAX", |a| {
        let ([min, max], swing) = (radians(a, 2)?, a.float(1)?.to_radians());
        let free = BindJoints::of(a.active()?).free(a.bone(0)?);
        limit(a, Some(Limit { min, max, swing: Some(swing), ..free }))
    }),
    ("ik-chain BONE two-bone", |a| chain(a, None)),
    ("ik-chain BONE SOLVER JOINTS", |a| {
        let joints = u8::try_from(a.number(2)? as i64).map_err(|_| "1 to 255 joints")?;
        chain(a, Some(IkChain { joints, solver: a.named(1, &Solver::ALL, Solver::name)? }))
    }),
    ("bone delete BONE…", |a| edit_bones(a, BoneEdit::Delete(a.bones()?))),
];

fn add(a: &Args<'_>, parent: Option<String>) -> Outcome {
    // `none` is no argument.
    let first = if parent.is_some() { 2 } else { 1 };
    edit_bones(a, BoneEdit::Add(vec![NewBone { name: a.text(0), parent, head: a.vec3(first)? }]))
}

/// Two angles in degrees.
fn radians(a: &Args<'_>, at: usize) -> Result<[f32; 2], String> {
    Ok([a.float(at)?.to_radians(), a.float(at + 1)?.to_radians()])
}

fn limit(a: &Args<'_>, limit: Option<Limit>) -> Outcome {
    set_rig(a, "Set joint limit", with_limit(a.active()?, a.bone(0)?, limit, Sides::One))
}

fn chain(a: &Args<'_>, chain: Option<IkChain>) -> Outcome {
    set_rig(a, "Set IK chain", with_chain(a.active()?, a.bone(0)?, chain))
}

fn edit_bones(a: &Args<'_>, bones: BoneEdit) -> Outcome {
    edit(bones.label(), ModelEdit::EditBones { model: a.active_index(), edit: bones })
}

fn reparent(a: &Args<'_>, parent: Option<BoneIndex>) -> Outcome {
    act(RigAction::Edit(BoneEdit::Reparent { bones: vec![a.bone(0)?], parent }))
}

/// The joint of a bone in the bind pose, its limit and IK chain, and the clips that would lose keys with it.
pub const FACTS: &[Fact] = &[
    ("limit BONE", |a| Ok(words(limit_of(a.active()?, a.bone(0)?).as_ref()))),
    ("ik-chain BONE", |a| {
        let chain = chain_of(a.active()?, a.bone(0)?);
        Ok(chain.map_or("two-bone".to_owned(), |chain| format!("{} {}", chain.solver.name(), chain.joints)))
    }),
    ("joint BONE", |a| {
        let head = bind_heads(a.active()?)[usize::from(a.bone(0)?)];
        Ok(format!("{:.3} {:.3} {:.3}", head.x, head.y, head.z))
    }),
    ("keyed-in BONE", |a| {
        let clips = clips_of(a.active()?, &[a.bone(0)?]);
        Ok(clips.iter().map(|(clip, keys)| format!("{clip} {keys}")).collect::<Vec<_>>().join(", "))
    }),
];
