//! The Keys menu. Keys: interpolation, tangents and time.

use crate::editor::commands::prelude::*;
use crate::editor::posing::key_times::Grid;
use keypose::anim::bezier::HERMITE;

/// The commands of the Keys menu, in order.
pub const ROWS: &[Row] = &[
    edit(Command::EaseStep, 0, "Set step interpolation", needs::keyframes, |_| PoseAction::SetEase(Ease::Step).into()),
    edit(Command::EaseLinear, 0, "Set linear interpolation", needs::keyframes, |_| {
        PoseAction::SetEase(Ease::Linear).into()
    }),
    edit(Command::EaseCubic, 0, "Set Bézier interpolation", needs::keyframes, |_| {
        PoseAction::SetEase(Ease::Cubic).into()
    }),
    row(Command::EaseMenu, 0, "Set interpolation…", |_| ProgramAction::ShowPopup(Some(Popup::EaseMenu)).into())
        .keys(&[key(Char('T'))])
        .over(Scope::Timeline)
        .needs(needs::keyframes),
    edit(Command::HandlesAuto, 1, "Set automatic handles", needs::keyframes, |_| {
        PoseAction::SetHandleKind(HandleKind::Auto).into()
    }),
    edit(Command::HandlesFlat, 1, "Set flat handles", needs::keyframes, |_| {
        PoseAction::SetHandleKind(HandleKind::Flat).into()
    }),
    edit(Command::HandlesVector, 1, "Set vector handles", needs::keyframes, |_| {
        PoseAction::SetHandleKind(HandleKind::Vector).into()
    }),
    edit(Command::HandlesAligned, 1, "Set aligned handles", needs::keyframes, |_| {
        PoseAction::SetHandleKind(HandleKind::Aligned).into()
    }),
    edit(Command::HandlesFree, 1, "Set free handles", needs::keyframes, |_| {
        PoseAction::SetHandleKind(HandleKind::Free).into()
    }),
    edit(Command::ResetHandleLengths, 1, "Reset handle lengths", needs::keyframes, |_| {
        PoseAction::SetHandleLengths(HERMITE).into()
    }),
    edit(Command::ToHermite, 1, "Convert to Hermite curves", needs::keyframes, |_| PoseAction::ToHermite.into()),
    row(Command::HandlesMenu, 1, "Set handles…", |_| ProgramAction::ShowPopup(Some(Popup::HandlesMenu)).into())
        .keys(&[key(Char('V'))])
        .over(Scope::Timeline)
        .needs(needs::keyframes),
    edit(Command::MoveKeys, 2, "Move keys", needs::moved_keys, |_| {
        TimeAction::StartKeyDrag(KeyDragStart::modal(KeyDragKind::Move)).into()
    })
    .keys(&[key(Char('G'))])
    .over(Scope::Timeline),
    edit(Command::ScaleKeys, 2, "Scale keys", needs::moved_keys, |editor| {
        TimeAction::StartKeyDrag(KeyDragStart::modal(KeyDragKind::Scale { about: editor.session.focus.playhead.time }))
            .into()
    })
    .keys(&[key(Char('S'))])
    .over(Scope::Timeline),
    edit(Command::RippleKeys, 2, "Ripple keys", needs::moved_keys, |_| {
        TimeAction::StartKeyDrag(KeyDragStart::modal(KeyDragKind::Ripple)).into()
    })
    .keys(&[key(Char('E'))])
    .over(Scope::Timeline),
    edit(Command::MirrorKeysInTime, 2, "Mirror keys in time", needs::keys, |_| {
        // It keeps all distances, so keys between frames stay apart.
        let change = Change::Keys(KeysChange { grid: Some(Grid::Free), ..KeysChange::new(KeyTimes::Mirror) });
        DocumentAction::Edit { label: "Mirror keys in time".into(), change }.into()
    })
    .keys(&[key(Char('M')).ctrl()])
    .over(Scope::Timeline),
    edit(Command::ReduceKeys, 2, "Reduce keys", needs::keyframes, |_| ClipAction::ReduceKeys.into()),
    edit(Command::ReduceToPoses, 2, "Reduce to poses…", needs::keyframes, |_| {
        ClipAction::ReduceToPoses(Reduced::Selected).into()
    }),
    copy(Command::CopyKeys, 2, "Copy keys", |_| ClipboardAction::Copy(Subject::Timeline).into()).over(Scope::Timeline),
    paste(Command::PasteKeys, 2, "Paste keys", |_| pasting(Subject::Timeline, Side::Same)).over(Scope::Timeline),
    paste_mirrored(Command::PasteKeysMirrored, 2, "Paste mirrored keys", |_| {
        pasting(Subject::Timeline, Side::Mirrored)
    })
    .over(Scope::Timeline),
    edit(Command::DuplicateKeys, 2, "Duplicate keys", needs::keyframes, |_| {
        ClipboardAction::DuplicateInTimeline.into()
    })
    .keys(&[key(Char('D')).shift(), key(Char('D')).ctrl()])
    .over(Scope::Timeline),
    edit(Command::DeleteKeys, 2, "Delete keys", needs::keyframes, |_| {
        ClipboardAction::DeleteInTimeline(Gap::Kept).into()
    })
    .keys(&[key(Delete), key(Char('X'))])
    .over(Scope::Timeline)
    .deletes(),
    edit(Command::DeleteKeysRipple, 2, "Ripple delete keyframes", needs::keyframes, |_| {
        ClipboardAction::DeleteInTimeline(Gap::Closed).into()
    })
    .keys(&[key(Delete).alt(), key(Char('X')).alt()])
    .over(Scope::Timeline)
    .deletes(),
    row(Command::SelectAllKeys, 3, "Select all keys", |_| TimeAction::SelectAll.into())
        .keys(&[key(Char('A')), key(Char('A')).ctrl()])
        .over(Scope::Timeline)
        .needs(needs::keyframes),
    row(Command::SelectNoKeys, 3, "Deselect all keys", |_| TimeAction::SelectNone.into())
        .keys(&[key(Char('A')).alt()])
        .over(Scope::Timeline)
        .needs(needs::keyframes),
    row(Command::BoxSelectKeys, 3, "Box select keys", |_| TimeAction::SetBoxSelect(true).into())
        .keys(&[key(Char('B'))])
        .over(Scope::Timeline)
        .needs(needs::keyframes),
];
