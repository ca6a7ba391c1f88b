//! The Clip menu. Clips, playback and keyframes.

use crate::editor::commands::prelude::*;

/// The commands of the Clip menu, in order.
pub const ROWS: &[Row] = &[
    row(Command::NewClip, 0, "New clip", |_| ClipAction::New.into())
        .keys(&[key(Char('N'))])
        .needs(needs::model)
        .edits(),
    row(Command::DuplicateClip, 0, "Duplicate clip", |_| ClipAction::Duplicate.into()).needs(needs::clip).edits(),
    row(Command::DeleteClip, 0, "Delete clip", |_| ClipAction::Delete.into()).needs(needs::clip).edits(),
    row(Command::MirroredClip, 0, "Add mirrored clip", |_| ClipAction::AddDerived(Derivation::Mirrored).into())
        .needs(needs::clip)
        .edits(),
    row(Command::ReversedClip, 0, "Add reversed clip", |_| ClipAction::AddDerived(Derivation::Reversed).into())
        .needs(needs::clip)
        .edits(),
    row(Command::RetimedClip, 0, "Add retimed clip", |_| ClipAction::AddDerived(Derivation::Retimed(50)).into())
        .needs(needs::clip)
        .edits(),
    row(Command::TrimmedClip, 0, "Add trimmed clip", |_| ClipAction::AddTrimmed.into()).needs(needs::clip).edits(),
    row(Command::RetargetedClip, 0, "Add retargeted clip…", |_| RetargetAction::Toggle.into())
        .needs(needs::model)
        .on(|editor| editor.session.transient.pose.retargeting().is_some()),
    row(Command::UnlockClip, 0, "Unlock clip", |_| ClipAction::Unlock.into()).needs(needs::derived_clip).edits(),
    row(Command::CloseClip, 0, "Close clip", |_| SelectAction::Clip(None).into()).needs(needs::clip),
    row(Command::CheckClips, 0, "Check clips", |_| ProgramAction::CheckClips.into())
        .keys(&[key(F(8))])
        .needs(needs::model),
    row(Command::LoopOnce, 1, "Play clip once", |_| ClipAction::SetLoopMode(LoopMode::Once).into())
        .needs(needs::clip)
        .on(|editor| has_loop_mode(editor, LoopMode::Once))
        .edits(),
    row(Command::LoopLoop, 1, "Loop clip", |_| ClipAction::SetLoopMode(LoopMode::Loop).into())
        .needs(needs::clip)
        .on(|editor| has_loop_mode(editor, LoopMode::Loop))
        .edits(),
    row(Command::LoopPingPong, 1, "Loop clip ping-pong", |_| ClipAction::SetLoopMode(LoopMode::PingPong).into())
        .needs(needs::clip)
        .on(|editor| has_loop_mode(editor, LoopMode::PingPong))
        .edits(),
    row(Command::PlayPause, 2, "Play or pause", |editor| {
        PlaybackAction::SetPlaying(!editor.session.focus.playhead.is_playing).into()
    })
    .keys(&[key(Space)])
    .needs(needs::duration),
    row(Command::PlayReverse, 2, "Reverse playback", |_| PlaybackAction::ToggleReverse.into())
        .keys(&[key(Space).ctrl().shift()])
        .needs(needs::duration),
    row(Command::FrameBack, 2, "Previous frame", |_| PlaybackAction::StepFrames(-1).into())
        .keys(&[key(Left), key(Char(','))]),
    row(Command::FrameForward, 2, "Next frame", |_| PlaybackAction::StepFrames(1).into())
        .keys(&[key(Right), key(Char('.'))]),
    row(Command::PreviousKeyframe, 2, "Previous keyframe", |_| PlaybackAction::StepKeyframes(-1).into())
        .keys(&[key(Up)])
        .needs(needs::keyframes),
    row(Command::NextKeyframe, 2, "Next keyframe", |_| PlaybackAction::StepKeyframes(1).into())
        .keys(&[key(Down)])
        .needs(needs::keyframes),
    row(Command::GoToStart, 2, "Go to first frame", |_| PlaybackAction::Seek(Time::ZERO).into())
        .keys(&[key(Home), key(Left).shift()]),
    row(Command::GoToEnd, 2, "Go to last frame", |editor| {
        PlaybackAction::Seek(editor.clip().map_or(Time::ZERO, |slot| slot.clip.length())).into()
    })
    .keys(&[key(End), key(Right).shift()]),
    row(Command::SplitKeyframe, 3, "Split keyframe", |_| KeyframeAction::Split.into()).needs(needs::clip).edits(),
    row(Command::InsertKeyframe, 3, "Insert keyframe", |_| KeyframeAction::Append.into()).needs(needs::clip).edits(),
    row(Command::MergeKeyframes, 3, "Merge keyframes", |_| KeyframeAction::Merge.into())
        .keys(&[key(Char('J'))])
        .over(Scope::Timeline)
        .needs(needs::keyframes)
        .edits(),
    row(Command::HoldKeyframe, 3, "Hold keyframe", |_| KeyframeAction::Hold.into())
        .keys(&[key(Char('H'))])
        .over(Scope::Timeline)
        .needs(needs::keyframes)
        .edits(),
    row(Command::DuplicateKeyframe, 3, "Duplicate keyframe", |_| KeyframeAction::Duplicate.into())
        .needs(needs::keyframes)
        .edits(),
    row(Command::DeleteKeyframe, 3, "Delete keyframe", |_| KeyframeAction::Delete.into())
        .needs(needs::keyframes)
        .edits(),
    row(Command::TypeDuration, 3, "Set duration…", |editor| {
        TimeAction::TypeDuration { keyframes: targets::keyframes(editor), first: None }.into()
    })
    .keys(&[key(Char('D'))])
    .over(Scope::Timeline)
    .needs(needs::keyframes)
    .edits(),
    row(Command::EndHere, 3, "End clip at playhead", |_| KeyframeAction::EndClip.into())
        .keys(&[key(End).ctrl()])
        .needs(needs::keyframes)
        .edits(),
    row(Command::AddEvent, 4, "Add event", |_| TimeAction::AddEvent.into())
        .keys(&[key(Char('M'))])
        .needs(needs::keyframes)
        .edits(),
    row(Command::AddHit, 4, "Add hit", |_| TimeAction::AddRange(LaneKind::Hits).into()).needs(needs::keyframes).edits(),
    row(Command::AddHurt, 4, "Switch off hurt volume", |_| TimeAction::AddRange(LaneKind::Hurts).into())
        .needs(needs::hurt_volume)
        .edits(),
    row(Command::AddCancel, 4, "Add cancel", |_| TimeAction::AddRange(LaneKind::Cancels).into())
        .needs(needs::keyframes)
        .edits(),
    row(Command::AddInvulnerable, 4, "Add invulnerable range", |_| TimeAction::AddRange(LaneKind::Invulnerable).into())
        .needs(needs::keyframes)
        .edits(),
    row(Command::AddVolume, 4, "Add volume", |_| VolumeAction::Add.into()).needs(needs::bones).edits(),
    row(Command::FitVolume, 4, "Fit volume to mesh", |_| VolumeAction::Fit.into()).needs(needs::volume).edits(),
    row(Command::MirrorVolume, 4, "Mirror volume", |_| VolumeAction::Mirror.into()).needs(needs::volume).edits(),
    row(Command::SetVolumeBone, 4, "Move volume to bone", |_| VolumeAction::SetBone.into())
        .needs(needs::volume)
        .edits(),
    row(Command::DeleteVolume, 4, "Delete volume", |_| VolumeAction::Delete.into()).needs(needs::volume).edits(),
    row(Command::FitHurtVolumes, 4, "Fit hurt volumes", |_| VolumeAction::FitAll.into()).needs(needs::model).edits(),
    row(Command::SetLoopSection, 4, "Loop selected keyframes", |editor| {
        PlaybackAction::SetLoopSection(targets::loop_section(editor)).into()
    })
    .keys(&[key(Char('P'))])
    .needs(needs::keyframes),
    row(Command::ClearLoopSection, 4, "Loop whole clip", |_| PlaybackAction::SetLoopSection(None).into())
        .keys(&[key(Char('P')).alt()])
        .needs(needs::loop_section),
    toggle(Command::ToggleRepeat, 4, "Repeat preview", switch!(Repeat)),
    toggle(Command::TogglePingPong, 4, "Ping-pong preview", switch!(PingPong)),
    toggle(Command::ToggleSnapTime, 4, "Snap to frames", switch!(SnapTime)),
];
