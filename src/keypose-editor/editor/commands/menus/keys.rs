//! The Keys menu. Keys: interpolation, tangents and time.

use crate::editor::commands::prelude::*;

/// The commands of the Keys menu, in order.
pub const ROWS: &[Row] = &[
    row(Command::EaseStep, 0, "Set step interpolation", |_| PoseAction::SetEase(Ease::Step).into())
        .needs(needs::keyframes)
        .edits(),
    row(Command::EaseLinear, 0, "Set linear interpolation", |_| PoseAction::SetEase(Ease::Linear).into())
        .needs(needs::keyframes)
        .edits(),
    row(Command::EaseCubic, 0, "Set cubic interpolation", |_| PoseAction::SetEase(Ease::Cubic).into())
        .needs(needs::keyframes)
        .edits(),
    row(Command::EaseMenu, 0, "Set interpolation…", |_| ProgramAction::ShowPopup(Some(Popup::EaseMenu)).into())
        .keys(&[key(Char('T'))])
        .over(Scope::Timeline)
        .needs(needs::keyframes),
    row(Command::TangentAuto, 1, "Set automatic tangents", |_| PoseAction::SetTangentKind(TangentKind::Auto).into())
        .needs(needs::keyframes)
        .edits(),
    row(Command::TangentFlat, 1, "Set flat tangents", |_| PoseAction::SetTangentKind(TangentKind::Flat).into())
        .needs(needs::keyframes)
        .edits(),
    row(Command::TangentLinear, 1, "Set linear tangents", |_| PoseAction::SetTangentKind(TangentKind::Linear).into())
        .needs(needs::keyframes)
        .edits(),
    row(Command::TangentFree, 1, "Set free tangents", |_| PoseAction::SetTangentKind(TangentKind::Free).into())
        .needs(needs::keyframes)
        .edits(),
    row(Command::TangentBroken, 1, "Set broken tangents", |_| PoseAction::SetTangentKind(TangentKind::Broken).into())
        .needs(needs::keyframes)
        .edits(),
    row(Command::TangentMenu, 1, "Set tangents…", |_| ProgramAction::ShowPopup(Some(Popup::TangentMenu)).into())
        .keys(&[key(Char('V'))])
        .over(Scope::Timeline)
        .needs(needs::keyframes),
    row(Command::MoveKeys, 2, "Move keys", |_| TimeAction::StartKeyDrag(KeyDragStart::modal(KeyDragKind::Move)).into())
        .keys(&[key(Char('G'))])
        .over(Scope::Timeline)
        .needs(needs::keys)
        .edits(),
    row(Command::ScaleKeys, 2, "Scale keys", |editor| {
        TimeAction::StartKeyDrag(KeyDragStart::modal(KeyDragKind::Scale { about: editor.session.focus.playhead.time }))
            .into()
    })
    .keys(&[key(Char('S'))])
    .over(Scope::Timeline)
    .needs(needs::keys)
    .edits(),
    row(Command::RippleKeys, 2, "Ripple keys", |_| {
        TimeAction::StartKeyDrag(KeyDragStart::modal(KeyDragKind::Ripple)).into()
    })
    .keys(&[key(Char('E'))])
    .over(Scope::Timeline)
    .needs(needs::keys)
    .edits(),
    row(Command::MirrorKeysInTime, 2, "Mirror keys in time", |_| {
        let change = Change::Keys(KeysChange::new(KeyTimes::Mirror));
        DocumentAction::Edit { label: "Mirror keys in time".into(), change }.into()
    })
    .keys(&[key(Char('M')).ctrl()])
    .over(Scope::Timeline)
    .needs(needs::keys)
    .edits(),
    row(Command::ReduceKeys, 2, "Reduce keys", |_| ClipAction::ReduceKeys.into()).needs(needs::keyframes).edits(),
    row(Command::ReduceToPoses, 2, "Reduce to poses…", |_| ClipAction::ReduceToPoses(Reduced::Selected).into())
        .needs(needs::keyframes)
        .edits(),
    copy(Command::CopyKeys, 2, "Copy keys", |_| ClipboardAction::Copy(Subject::Timeline).into()).over(Scope::Timeline),
    paste(Command::PasteKeys, 2, "Paste keys", |_| pasting(Subject::Timeline, Side::Same)).over(Scope::Timeline),
    paste_mirrored(Command::PasteKeysMirrored, 2, "Paste mirrored keys", |_| {
        pasting(Subject::Timeline, Side::Mirrored)
    })
    .over(Scope::Timeline),
    row(Command::DuplicateKeys, 2, "Duplicate keys", |_| ClipboardAction::Duplicate.into())
        .keys(&[key(Char('D')).shift(), key(Char('D')).ctrl()])
        .over(Scope::Timeline)
        .needs(needs::keyframes)
        .edits(),
    row(Command::DeleteKeys, 2, "Delete keys", |_| ClipboardAction::DeleteInTimeline(Gap::Kept).into())
        .keys(&[key(Delete), key(Char('X'))])
        .over(Scope::Timeline)
        .needs(needs::keyframes)
        .edits(),
    row(Command::DeleteKeysRipple, 2, "Ripple delete keyframes", |_| {
        ClipboardAction::DeleteInTimeline(Gap::Closed).into()
    })
    .keys(&[key(Delete).alt(), key(Char('X')).alt()])
    .over(Scope::Timeline)
    .needs(needs::keyframes)
    .edits(),
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
