//! The Pose menu. Posing bones, keying and mixing poses.

use crate::editor::commands::prelude::*;

/// The toggle of a part of the key mask.
macro_rules! key_part {
    ($part:expr) => {
        (
            |editor| ToolAction::SetKeyMask(editor.session.workspace.key_mask.toggled($part)).into(),
            |editor| editor.session.workspace.key_mask.parts()[$part],
        )
    };
}

/// The commands of the Pose menu, in order.
pub const ROWS: &[Row] = &[
    row(Command::Move, 0, "Move bones", |_| GestureAction::Transform(TransformKind::Move).into())
        .keys(&[key(Char('G'))])
        .over(Scope::Viewport)
        .needs(needs::movable)
        .edits(),
    row(Command::Rotate, 0, "Rotate bones", |_| GestureAction::Transform(TransformKind::Rotate).into())
        .keys(&[key(Char('R'))])
        .over(Scope::Viewport)
        .needs(needs::movable)
        .edits(),
    row(Command::Scale, 0, "Scale bones", |_| GestureAction::Transform(TransformKind::Scale).into())
        .keys(&[key(Char('S'))])
        .over(Scope::Viewport)
        .needs(needs::movable)
        .edits(),
    row(Command::Reach, 0, "Move with IK", |_| GestureAction::Transform(TransformKind::Reach).into())
        .keys(&[key(Char('E')), key(Char('G')).shift()])
        .over(Scope::Viewport)
        .needs(needs::bones)
        .edits(),
    row(Command::TogglePin, 0, "Pin or unpin bones", |editor| {
        let is_pinned = !targets::bones(editor).iter().all(|bone| editor.session.focus.pins.contains(bone));
        BoneAction::SetPinned { bones: targets::bones(editor), is_pinned }.into()
    })
    .keys(&[key(Char('P')).shift()])
    .over(Scope::Viewport)
    .needs(needs::bones),
    row(Command::ClearPins, 0, "Unpin all bones", |editor| {
        let bones = editor.session.focus.pins.iter().copied().collect();
        BoneAction::SetPinned { bones, is_pinned: false }.into()
    })
    .needs(needs::pins),
    toggle(Command::ToggleKeepEndRotation, 0, "Keep end-effector rotation", switch!(KeepEndRotation)),
    row(Command::KeyPose, 1, "Key pose", |_| PoseAction::Key(KeyWhat::All).into())
        .keys(&[key(Char('I'))])
        .needs(needs::model)
        .edits(),
    row(Command::KeyMenu, 1, "Key channels…", |_| ProgramAction::ShowPopup(Some(Popup::KeyMenu)).into())
        .keys(&[key(Char('K'))])
        .needs(needs::model),
    row(Command::KeySelected, 1, "Key selected bones", |_| PoseAction::Key(KeyWhat::Selected).into())
        .needs(needs::bones)
        .edits(),
    row(Command::KeyChanged, 1, "Key changed channels", |_| PoseAction::Key(KeyWhat::Changed).into())
        .needs(needs::model)
        .edits(),
    row(Command::DeleteKeyHere, 1, "Delete keys at playhead", |_| KeyframeAction::DeleteKeys.into())
        .keys(&[key(Char('I')).alt()])
        .needs(needs::keyframes)
        .edits(),
    row(Command::DiscardDraft, 1, "Discard draft", |_| PoseAction::DiscardDraft.into())
        .keys(&[key(Backspace)])
        .needs(needs::draft)
        .edits(),
    row(Command::ClearTranslation, 2, "Clear translation", |_| {
        PoseAction::Clear(KeyMask::only(Channel::Translation)).into()
    })
    .keys(&[key(Char('G')).alt()])
    .over(Scope::Viewport)
    .needs(needs::bones)
    .edits(),
    row(Command::ClearRotation, 2, "Clear rotation", |_| PoseAction::Clear(KeyMask::only(Channel::Rotation)).into())
        .keys(&[key(Char('R')).alt()])
        .over(Scope::Viewport)
        .needs(needs::bones)
        .edits(),
    row(Command::ClearScale, 2, "Clear scale", |_| PoseAction::Clear(KeyMask::only(Channel::Scale)).into())
        .keys(&[key(Char('S')).alt()])
        .over(Scope::Viewport)
        .needs(needs::bones)
        .edits(),
    row(Command::ClearAll, 2, "Clear pose", |_| PoseAction::Clear(KeyMask::ALL).into())
        .over(Scope::Viewport)
        .needs(needs::bones)
        .edits(),
    copy(Command::CopyPose, 2, "Copy pose", |_| ClipboardAction::Copy(Subject::Pose).into()).over(Scope::Viewport),
    paste(Command::PastePose, 2, "Paste pose", |_| pasting(Subject::Pose, Side::Same)).over(Scope::Viewport),
    paste_mirrored(Command::PastePoseMirrored, 2, "Paste mirrored pose", |_| pasting(Subject::Pose, Side::Mirrored))
        .over(Scope::Viewport),
    row(Command::MirrorPose, 2, "Mirror pose", |_| PoseAction::Mirror.into()).needs(needs::model).edits(),
    row(Command::SetRestPose, 2, "Set rest pose", |_| ModelAction::SetRestPose.into()).needs(needs::model).edits(),
    row(Command::SavePose, 2, "Save pose to library", |_| LibraryAction::Save(None).into())
        .keys(&[key(Char('I')).shift()])
        .needs(needs::model)
        .edits(),
    row(Command::Breakdown, 3, "Breakdown pose", |_| PoseAction::Mix(Mix::Breakdown).into())
        .keys(&[key(Char('E')).shift()])
        .needs(needs::keyframes)
        .edits(),
    row(Command::Push, 3, "Push pose", |_| PoseAction::Mix(Mix::Push).into())
        .keys(&[key(Char('E')).ctrl()])
        .needs(needs::keyframes)
        .edits(),
    row(Command::Relax, 3, "Relax pose", |_| PoseAction::Mix(Mix::Relax).into())
        .keys(&[key(Char('E')).alt()])
        .needs(needs::keyframes)
        .edits(),
    row(Command::TowardsNeighbour, 3, "Blend to neighbour", |_| PoseAction::Mix(Mix::Neighbour).into())
        .keys(&[key(Char('E')).shift().alt()])
        .needs(needs::keyframes)
        .edits(),
    toggle(Command::ToggleLiveMirror, 4, "Live mirror", switch!(LiveMirror)),
    row(Command::MirrorTable, 4, "Edit mirror pairs…", |_| ProgramAction::ShowPopup(Some(Popup::MirrorTable)).into()),
    row(Command::AutoKeyOnKeyframes, 5, "Auto-key on keyframes", |_| {
        ToolAction::SetAutoKey(AutoKey::OnKeyframes).into()
    })
    .on(|editor| editor.session.workspace.auto_key == AutoKey::OnKeyframes),
    row(Command::AutoKeyAlways, 5, "Auto-key always", |_| ToolAction::SetAutoKey(AutoKey::Always).into())
        .on(|editor| editor.session.workspace.auto_key == AutoKey::Always),
    row(Command::AutoKeyNever, 5, "Auto-key never", |_| ToolAction::SetAutoKey(AutoKey::Never).into())
        .on(|editor| editor.session.workspace.auto_key == AutoKey::Never),
    toggle(Command::ToggleKeyTranslations, 6, "Key translations", key_part!(0)),
    toggle(Command::ToggleKeyRotations, 6, "Key rotations", key_part!(1)),
    toggle(Command::ToggleKeyScales, 6, "Key scales", key_part!(2)),
    toggle(Command::ToggleKeyValues, 6, "Key values", key_part!(3)),
];
