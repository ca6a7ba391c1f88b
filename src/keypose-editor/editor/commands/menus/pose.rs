//! The Pose menu. Posing bones, keying and mixing poses.

use crate::editor::commands::prelude::*;
use crate::editor::posing::texture_frames;
use crate::editor::state::Editor;

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
    edit(Command::Move, 0, "Move bones", needs::movable, |_| GestureAction::Transform(TransformKind::Move).into())
        .keys(&[key(Char('G'))])
        .over(Scope::Viewport),
    edit(Command::Rotate, 0, "Rotate bones", needs::movable, |_| {
        GestureAction::Transform(TransformKind::Rotate).into()
    })
    .keys(&[key(Char('R'))])
    .over(Scope::Viewport),
    edit(Command::Scale, 0, "Scale bones", needs::movable, |_| GestureAction::Transform(TransformKind::Scale).into())
        .keys(&[key(Char('S'))])
        .over(Scope::Viewport),
    edit(Command::Reach, 0, "Move with IK", needs::bones, |_| GestureAction::Transform(TransformKind::Reach).into())
        .keys(&[key(Char('E')), key(Char('G')).shift()])
        .over(Scope::Viewport),
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
    toggle(Command::ToggleWholeBody, 0, "Whole-body IK", switch!(WholeBody))
        .keys(&[key(Char('W'))])
        .over(Scope::Viewport),
    toggle(Command::ToggleKeepEndRotation, 0, "Keep end-effector rotation", switch!(KeepEndRotation)),
    toggle(Command::ToggleJointLimits, 0, "Obey joint limits", switch!(JointLimits)),
    toggle(Command::ToggleSprings, 0, "Swing springs", switch!(Springs)),
    toggle(Command::ToggleLiveSprings, 0, "Swing while posing", switch!(LiveSprings)),
    edit(Command::KeyPose, 1, "Key pose", needs::model, |_| PoseAction::Key(KeyWhat::All).into())
        .keys(&[key(Char('I'))]),
    row(Command::KeyMenu, 1, "Key channels…", |_| ProgramAction::ShowPopup(Some(Popup::KeyMenu)).into())
        .keys(&[key(Char('K'))])
        .needs(needs::model),
    edit(Command::KeySelected, 1, "Key selected bones", needs::bones, |_| PoseAction::Key(KeyWhat::Selected).into()),
    edit(Command::KeyChanged, 1, "Key changed channels", needs::model, |_| PoseAction::Key(KeyWhat::Changed).into()),
    edit(Command::DeleteKeyHere, 1, "Delete keys at playhead", needs::keyframes, |_| KeyframeAction::DeleteKeys.into())
        .keys(&[key(Char('I')).alt()]),
    edit(Command::DiscardDraft, 1, "Discard draft", needs::draft, |_| PoseAction::DiscardDraft.into())
        .keys(&[key(Backspace)]),
    edit(Command::KeyTextureFrame, 1, "Key texture frame", needs::texture_frame, |editor| {
        BoneAction::KeyScalars(editor.texture_frame().map(|(scalar, _)| scalar).into_iter().collect()).into()
    })
    .keys(&[key(Char('U'))]),
    edit(Command::NextTextureFrame, 1, "Next texture frame", needs::texture_frame, |editor| next_frame(editor, 1.0))
        .keys(&[key(Char('U')).shift()]),
    edit(Command::PreviousTextureFrame, 1, "Previous texture frame", needs::texture_frame, |editor| {
        next_frame(editor, -1.0)
    })
    .keys(&[key(Char('U')).alt()]),
    edit(Command::ClearTranslation, 2, "Clear translation", needs::bones, |_| {
        PoseAction::Clear(KeyMask::only(Channel::Translation)).into()
    })
    .keys(&[key(Char('G')).alt()])
    .over(Scope::Viewport),
    edit(Command::ClearRotation, 2, "Clear rotation", needs::bones, |_| {
        PoseAction::Clear(KeyMask::only(Channel::Rotation)).into()
    })
    .keys(&[key(Char('R')).alt()])
    .over(Scope::Viewport),
    edit(Command::ClearScale, 2, "Clear scale", needs::bones, |_| {
        PoseAction::Clear(KeyMask::only(Channel::Scale)).into()
    })
    .keys(&[key(Char('S')).alt()])
    .over(Scope::Viewport),
    edit(Command::ClearAll, 2, "Clear pose", needs::bones, |_| PoseAction::Clear(KeyMask::ALL).into())
        .over(Scope::Viewport),
    copy(Command::CopyPose, 2, "Copy pose", |_| ClipboardAction::Copy(Subject::Pose).into()).over(Scope::Viewport),
    paste(Command::PastePose, 2, "Paste pose", |_| pasting(Subject::Pose, Side::Same)).over(Scope::Viewport),
    paste_mirrored(Command::PastePoseMirrored, 2, "Paste mirrored pose", |_| pasting(Subject::Pose, Side::Mirrored))
        .over(Scope::Viewport),
    edit(Command::MirrorPose, 2, "Mirror pose", needs::model, |_| PoseAction::Mirror.into()),
    edit(Command::SetRestPose, 2, "Set rest pose", needs::model, |_| ModelAction::SetRestPose.into()),
    edit(Command::SavePose, 2, "Save pose to library", needs::model, |_| LibraryAction::Save(None).into())
        .keys(&[key(Char('I')).shift()]),
    edit(Command::Breakdown, 3, "Breakdown pose", needs::keyframes, |_| PoseAction::Mix(Mix::Breakdown).into())
        .keys(&[key(Char('E')).shift()]),
    edit(Command::Push, 3, "Push pose", needs::keyframes, |_| PoseAction::Mix(Mix::Push).into())
        .keys(&[key(Char('E')).ctrl()]),
    edit(Command::Relax, 3, "Relax pose", needs::keyframes, |_| PoseAction::Mix(Mix::Relax).into())
        .keys(&[key(Char('E')).alt()]),
    edit(Command::TowardsNeighbour, 3, "Blend to neighbour", needs::keyframes, |_| {
        PoseAction::Mix(Mix::Neighbour).into()
    })
    .keys(&[key(Char('E')).shift().alt()]),
    edit(Command::Anticipation, 3, "Add anticipation", needs::two_keyframes, |_| {
        PoseAction::Mix(Mix::Anticipation).into()
    }),
    edit(Command::Overshoot, 3, "Add overshoot", needs::two_keyframes, |_| PoseAction::Mix(Mix::Overshoot).into()),
    edit(Command::MovingHold, 3, "Add moving hold", needs::two_keyframes, |_| PoseAction::Mix(Mix::MovingHold).into()),
    edit(Command::DelayChain, 3, "Delay chain…", needs::bones_and_clip, |_| PoseAction::DelayChain.into()),
    edit(Command::DrawMotionPath, 3, "Draw motion path…", needs::bones_and_keyframes, |_| {
        PoseAction::DrawPath.into()
    }),
    edit(Command::BakeSprings, 3, "Bake springs to keys", needs::springs_and_clip, |_| ClipAction::BakeSprings.into()),
    toggle(Command::ToggleLiveMirror, 4, "Live mirror", switch!(LiveMirror)),
    row(Command::MirrorTable, 4, "Edit mirror pairs…", |_| ProgramAction::ShowPopup(Some(Popup::MirrorTable)).into()),
    choose!(
        AutoKeyOnKeyframes,
        5,
        "Auto-key on keyframes",
        AutoKey::OnKeyframes,
        ToolAction::SetAutoKey,
        workspace.auto_key
    ),
    choose!(AutoKeyAlways, 5, "Auto-key always", AutoKey::Always, ToolAction::SetAutoKey, workspace.auto_key),
    choose!(AutoKeyNever, 5, "Auto-key never", AutoKey::Never, ToolAction::SetAutoKey, workspace.auto_key),
    toggle(Command::ToggleKeyTranslations, 6, "Key translations", key_part!(0)),
    toggle(Command::ToggleKeyRotations, 6, "Key rotations", key_part!(1)),
    toggle(Command::ToggleKeyScales, 6, "Key scales", key_part!(2)),
    toggle(Command::ToggleKeyValues, 6, "Key values", key_part!(3)),
];

/// Shows a later or earlier frame of the texture.
fn next_frame(editor: &Editor, step: f32) -> Action {
    let posed = editor.model().zip(editor.texture_frame()).map(|(model, (scalar, sheet))| {
        let shown = f32::from(sheet.frame(editor.view().local.scalar(scalar)));
        texture_frames::posed(model, scalar, f32::from(sheet.frame(shown + step)))
    });
    let change = Change::Pose(posed.unwrap_or_default());
    DocumentAction::Edit { label: "Set texture frame".into(), change }.into()
}
