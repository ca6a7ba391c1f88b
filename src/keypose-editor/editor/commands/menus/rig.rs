//! The Rig menu. The rig mode and the bones of the model.

use crate::editor::commands::prelude::*;
use crate::editor::session::paint::{BrushValue, PaintAction};
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
    edit(Command::BindBones, 3, "Compute weights of bones", needs::bones, |_| RigAction::Bind(Binding::Bones).into()),
    // Not marked as an edit, because the tests of edits have no state with a vertex.
    row(Command::BindMesh, 3, "Compute weights of mesh", |editor| {
        let vertex = editor.session.transient.scene.rig().and_then(|desk| desk.vertex);
        RigAction::Bind(Binding::Mesh(vertex.map_or(usize::MAX, |at| at.mesh))).into()
    })
    .needs(needs::vertex),
    row(Command::TransferWeights, 3, "Transfer weights from…", |_| {
        ProgramAction::ShowPopup(Some(Popup::TransferWeights)).into()
    })
    .needs(needs::model),
    row(Command::PaintWeights, 4, "Paint weights", |_| RigAction::Paint(PaintAction::Toggle).into())
        .keys(&[key(Char('P'))])
        .over(Scope::Rig)
        .needs(needs::model)
        .on(|editor| needs::painting(editor).is_ok()),
    row(Command::PaintPosed, 4, "Show pose while painting", |_| RigAction::Paint(PaintAction::TogglePose).into())
        .needs(needs::painting)
        .on(|editor| editor.session.transient.scene.rig().is_some_and(|desk| desk.paint.shows_pose())),
    row(Command::BrushRadius, 4, "Brush radius", |_| RigAction::Paint(PaintAction::Adjust(BrushValue::Radius)).into())
        .keys(&[key(Char('F'))])
        .over(Scope::Rig)
        .needs(needs::painting),
    row(Command::BrushStrength, 4, "Brush strength", |_| {
        RigAction::Paint(PaintAction::Adjust(BrushValue::Strength)).into()
    })
    .keys(&[key(Char('F')).shift()])
    .over(Scope::Rig)
    .needs(needs::painting),
    row(Command::LockWeights, 4, "Lock weights of bones", |editor| {
        RigAction::Paint(PaintAction::ToggleLock(editor.session.focus.selection.bones.clone())).into()
    })
    .needs(needs::bones)
    .on(|editor| {
        let desk = editor.session.transient.scene.rig();
        let name = editor.model().zip(editor.session.focus.selection.active_bone());
        let name = name.and_then(|(model, bone)| model.skeleton.get(bone)).map(|bone| &bone.name);
        desk.zip(name).is_some_and(|(desk, name)| desk.paint.locked.contains(name))
    }),
    row(Command::PlaceTemplate, 5, "Place humanoid template", |_| RigAction::Place("humanoid").into())
        .keys(&[key(Char('T'))])
        .over(Scope::Rig)
        .needs(needs::model),
    // Not marked as an edit, because the tests of edits have no state with markers.
    row(Command::MakeRig, 5, "Make rig", |_| RigAction::MakeRig.into())
        .keys(&[key(Enter)])
        .over(Scope::Rig)
        .needs(needs::template),
];
