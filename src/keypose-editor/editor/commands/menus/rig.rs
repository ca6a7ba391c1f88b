//! The Rig menu. The rig mode and the bones of the model.

use crate::editor::commands::prelude::*;
use crate::editor::session::rig::Binding;

/// The commands of the Rig menu, in order.
pub const ROWS: &[Row] = &[
    row(Command::RigMode, 0, "Rig mode", |_| RigAction::Toggle.into())
        .keys(&[key(F(4))])
        .needs(needs::model)
        .on(|editor| editor.session.transient.scene.rig().is_some()),
    row(Command::RigMirror, 0, "Mirror rig edits", |_| RigAction::ToggleMirror.into())
        .needs(needs::rig)
        .on(|editor| editor.session.transient.scene.rig().is_some_and(|desk| desk.is_mirrored)),
    edit(Command::AddBone, 1, "Add root bone", needs::model, |_| RigAction::Add.into())
        .keys(&[key(Char('A')).shift()])
        .over(Scope::Rig),
    edit(Command::ExtrudeBone, 1, "Extrude bone", needs::bones, |_| RigAction::Extrude.into())
        .keys(&[key(Char('E'))])
        .over(Scope::Rig),
    edit(Command::MoveJoints, 1, "Move joints", needs::bones, |_| RigAction::Move.into())
        .keys(&[key(Char('G'))])
        .over(Scope::Rig),
    edit(Command::CenterJoints, 1, "Center joints in mesh", needs::bones, |_| RigAction::Center.into())
        .keys(&[key(Char('C'))])
        .over(Scope::Rig),
    edit(Command::SplitBone, 1, "Split bone", needs::bones, |_| RigAction::Split.into())
        .keys(&[key(Char('D')).shift()])
        .over(Scope::Rig),
    edit(Command::MirrorBones, 1, "Mirror bones", needs::bones, |_| RigAction::Mirror.into())
        .keys(&[key(Char('M')).shift()])
        .over(Scope::Rig),
    row(Command::RenameBone, 2, "Rename bone…", |_| RigAction::RequestRename.into())
        .keys(&[key(F(2))])
        .over(Scope::Rig)
        .needs(needs::bones),
    edit(Command::ParentBones, 2, "Parent to active bone", needs::two_bones, |_| RigAction::Parent.into())
        .keys(&[key(Char('P')).ctrl()])
        .over(Scope::Rig),
    edit(Command::UnparentBones, 2, "Clear parent of bones", needs::bones, |_| RigAction::Unparent.into())
        .keys(&[key(Char('P')).alt()])
        .over(Scope::Rig),
    edit(Command::DeleteBones, 2, "Delete bones…", needs::bones, |_| RigAction::Delete.into())
        .keys(&[key(Delete), key(Char('X'))])
        .over(Scope::Rig)
        .deletes(),
    edit(Command::BindMeshes, 3, "Compute automatic weights", needs::model, |_| {
        RigAction::Bind(Binding::Automatic).into()
    })
    .keys(&[key(Char('W'))])
    .over(Scope::Rig),
    edit(Command::BindRigid, 3, "Bind parts rigidly", needs::model, |_| RigAction::Bind(Binding::Rigid).into()),
    edit(Command::ProposeLimits, 3, "Propose joint limits", needs::model, |_| BoneAction::ProposeLimits.into()),
    row(Command::PlaceTemplate, 4, "Place humanoid template", |_| RigAction::Place("humanoid").into())
        .keys(&[key(Char('T'))])
        .over(Scope::Rig)
        .needs(needs::model),
    // Not marked as an edit, because the tests of edits have no state with markers.
    row(Command::MakeRig, 4, "Make rig", |_| RigAction::MakeRig.into())
        .keys(&[key(Enter)])
        .over(Scope::Rig)
        .needs(needs::template),
];
