//! The Clip menu. Clips, playback and keyframes.

use crate::editor::commands::prelude::*;

/// The commands of the Clip menu, in order.
pub const ROWS: &[Row] = &[
    edit(Command::NewClip, 0, "New clip", needs::model, |_| ClipAction::New.into()).keys(&[key(Char('N'))]),
    edit(Command::DuplicateClip, 0, "Duplicate clip", needs::clip, |_| ClipAction::Duplicate.into()),
    edit(Command::DeleteClip, 0, "Delete clip", needs::clip, |_| ClipAction::Delete.into()),
    edit(Command::MirroredClip, 5, "Add mirrored clip", needs::clip, |_| {
        ClipAction::AddDerived(Derivation::Mirrored).into()
    }),
    edit(Command::ReversedClip, 5, "Add reversed clip", needs::clip, |_| {
        ClipAction::AddDerived(Derivation::Reversed).into()
    }),
    edit(Command::RetimedClip, 5, "Add retimed clip", needs::clip, |_| {
        ClipAction::AddDerived(Derivation::Retimed(50)).into()
    }),
    edit(Command::TrimmedClip, 5, "Add trimmed clip", needs::clip, |_| ClipAction::AddTrimmed.into()),
    edit(Command::AddLayer, 6, "Add layer", needs::clip, |_| ClipAction::AddLayer.into()),
    edit(Command::KeyLayerWeight, 6, "Key layer weight", needs::active_layer, |_| {
        ClipAction::KeyLayerWeight(None).into()
    }),
    edit(Command::LimitLayer, 6, "Limit layer to selection", needs::layer_and_bones, |editor| {
        ClipAction::MaskLayer(targets::bones(editor)).into()
    }),
    edit(Command::ClearLayerLimit, 6, "Clear layer limit", needs::limited_layer, |_| {
        ClipAction::MaskLayer(Vec::new()).into()
    }),
    edit(Command::FlattenLayers, 6, "Flatten layers", needs::layered_clip, |_| ClipAction::Flatten(None).into()),
    edit(Command::ExtractRootMotion, 0, "Extract root motion", needs::body_motion, |_| {
        ClipAction::ExtractRootMotion.into()
    }),
    row(Command::RetargetedClip, 5, "Add retargeted clip…", |_| RetargetAction::Toggle.into())
        .needs(needs::model)
        .on(|editor| editor.session.transient.pose.retargeting().is_some()),
    row(Command::BoneMap, 0, "Edit bone map…", |_| ProgramAction::ShowPopup(Some(Popup::BoneMap)).into())
        .needs(needs::model),
    edit(Command::UnlockClip, 0, "Make own keys", needs::derived_clip, |_| ClipAction::Unlock.into()),
    row(Command::CloseClip, 0, "Close clip", |_| SelectAction::Clip(None).into()).needs(needs::clip),
    row(Command::CheckClips, 0, "Check clips", |_| ProgramAction::CheckClips.into())
        .keys(&[key(F(8))])
        .needs(needs::model),
    edit(Command::LoopOnce, 1, "Play clip once", needs::clip, |_| ClipAction::SetLoopMode(LoopMode::Once).into())
        .on(|editor| has_loop_mode(editor, LoopMode::Once)),
    edit(Command::LoopLoop, 1, "Loop clip", needs::clip, |_| ClipAction::SetLoopMode(LoopMode::Loop).into())
        .on(|editor| has_loop_mode(editor, LoopMode::Loop)),
    edit(Command::LoopPingPong, 1, "Loop clip ping-pong", needs::clip, |_| {
        ClipAction::SetLoopMode(LoopMode::PingPong).into()
    })
    .on(|editor| has_loop_mode(editor, LoopMode::PingPong)),
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
    edit(Command::SplitKeyframe, 3, "Split keyframe", needs::clip, |_| KeyframeAction::Split.into()),
    edit(Command::InsertKeyframe, 3, "Insert keyframe after", needs::clip, |_| KeyframeAction::Append.into()),
    edit(Command::MergeKeyframes, 3, "Merge keyframes", needs::keyframes, |_| KeyframeAction::Merge.into())
        .keys(&[key(Char('J'))])
        .over(Scope::Timeline),
    edit(Command::HoldKeyframe, 3, "Hold keyframe", needs::keyframes, |_| KeyframeAction::Hold.into())
        .keys(&[key(Char('H'))])
        .over(Scope::Timeline),
    edit(Command::DuplicateKeyframe, 3, "Duplicate keyframe", needs::keyframes, |_| KeyframeAction::Duplicate.into()),
    edit(Command::DeleteKeyframe, 3, "Delete keyframe", needs::keyframes, |_| KeyframeAction::Delete.into()),
    edit(Command::TypeDuration, 3, "Set duration…", needs::keyframes, |editor| {
        TimeAction::TypeDuration { keyframes: targets::keyframes(editor), first: None }.into()
    })
    .keys(&[key(Char('D'))])
    .over(Scope::Timeline),
    edit(Command::MarkExtreme, 3, "Mark as extreme", needs::keyframes, |_| {
        KeyframeAction::SetKind(KeyframeKind::Extreme).into()
    })
    .on(|editor| has_kind(editor, KeyframeKind::Extreme)),
    edit(Command::MarkBreakdown, 3, "Mark as breakdown", needs::keyframes, |_| {
        KeyframeAction::SetKind(KeyframeKind::Breakdown).into()
    })
    .on(|editor| has_kind(editor, KeyframeKind::Breakdown)),
    edit(Command::ClearMark, 3, "Clear keyframe mark", needs::keyframes, |_| {
        KeyframeAction::SetKind(KeyframeKind::Plain).into()
    }),
    edit(Command::EndHere, 3, "End clip at playhead", needs::keyframes, |_| KeyframeAction::EndClip.into())
        .keys(&[key(End).ctrl()]),
    edit(Command::AddEvent, 4, "Add event", needs::keyframes, |_| TimeAction::AddEvent.into()).keys(&[key(Char('M'))]),
    edit(Command::AddHit, 7, "Add hit", needs::keyframes, |_| TimeAction::AddRange(LaneKind::Hits).into()),
    edit(Command::AddHurt, 7, "Switch off hurt volume", needs::hurt_volume, |_| {
        TimeAction::AddRange(LaneKind::Hurts).into()
    }),
    edit(Command::AddCancel, 7, "Add cancel", needs::keyframes, |_| TimeAction::AddRange(LaneKind::Cancels).into()),
    edit(Command::AddInvulnerable, 7, "Add invulnerable range", needs::keyframes, |_| {
        TimeAction::AddRange(LaneKind::Invulnerable).into()
    }),
    edit(Command::AddContact, 8, "Add contact", needs::bones_and_keyframes, |_| {
        TimeAction::AddRange(LaneKind::Contacts).into()
    }),
    edit(Command::ProposeContacts, 8, "Propose contacts", needs::keyframes, |_| ContactAction::Propose.into()),
    edit(Command::CleanContacts, 8, "Clean contacts", needs::contacts, |_| ContactAction::Clean.into()),
    edit(Command::ContactEvents, 8, "Add contact events", needs::contacts, |_| ContactAction::AddEvents.into()),
    edit(Command::FollowArc, 4, "Follow the arc", needs::keyframes, |_| ContactAction::FollowArc.into()),
    edit(Command::AddVolume, 7, "Add volume", needs::bones, |_| VolumeAction::Add.into()),
    edit(Command::FitVolume, 7, "Fit volume to mesh", needs::volume, |_| VolumeAction::Fit.into()),
    edit(Command::MirrorVolume, 7, "Mirror volume", needs::volume, |_| VolumeAction::Mirror.into()),
    edit(Command::SetVolumeBone, 7, "Move volume to bone", needs::volume, |_| VolumeAction::SetBone.into()),
    edit(Command::DeleteVolume, 7, "Delete volume", needs::volume, |_| VolumeAction::Delete.into()),
    edit(Command::FitHurtVolumes, 7, "Fit hurt volumes", needs::model, |_| VolumeAction::FitAll.into()),
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
