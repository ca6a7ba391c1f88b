//! What each command does, when it can, and whether it is on. One arm, one line.

use crate::anim::clip::LoopMode;
use crate::anim::key::{Channel, Ease, TangentKind};
use crate::assets::clip_notes::Derivation;
use crate::editor::commands::{shading_of, switch_of};
use crate::editor::document::edit::Gap;
use crate::editor::ops::machine_edit::MachineEdit;
use crate::editor::posing::change::Change;
use crate::editor::posing::key_times::{KeyTimes, KeysChange};
use crate::editor::posing::library::PoseEdit;
use crate::editor::posing::mixing::Mix;
use crate::editor::session::Popup;
use crate::editor::session::bench::{BenchAction, Fill};
use crate::editor::session::blend::{BlendAction, NEEDS_TWO};
use crate::editor::session::camera::{Lens, Look};
use crate::editor::session::clipboard::Side;
use crate::editor::session::command::Command;
use crate::editor::session::display::ShownPose;
use crate::editor::session::ghosts::GhostEdit;
use crate::editor::session::keying::{AutoKey, KeyMask, KeyWhat};
use crate::editor::session::machine::{MachineAction, Picked, Shown};
use crate::editor::session::preferences::{Arrangement, Prefer, Shade};
use crate::editor::session::selection::Pick;
use crate::editor::session::timing::KeyDragKind;
use crate::editor::session::timing::KeyDragStart;
use crate::editor::session::timing::{TimeAction, TimeView};
use crate::editor::session::tool::TransformKind;
use crate::editor::session::tool::{Space, Tool};
use crate::editor::state::Editor;
use crate::editor::state::action::{
    Action, BoneAction, ClipAction, ClipboardAction, DocumentAction, FileAction, GestureAction, KeyframeAction,
    MaterialAction, PlaybackAction, PoseAction, ProgramAction, SelectAction, ToolAction, ViewAction,
};
use crate::editor::state::effect::Effect;
use crate::editor::state::targets;
use crate::editor::update::{files, machine, materials, notice};

/// Runs a command; where it cannot run, the reason is told instead.
pub fn run(command: Command, editor: &mut Editor, effects: &mut Vec<Effect>) {
    if let Err(reason) = can_run(command, editor) {
        return notice(editor, crate::editor::session::notice::NoticeKind::Info, reason, effects);
    }
    let action = action_of(command, editor);
    effects.extend(editor.update(action));
}

/// The commands that are one action.
fn action_of(command: Command, editor: &Editor) -> Action {
    let (playhead, preferences) = (&editor.session.focus.playhead, &editor.session.workspace.preferences);
    let selected = || editor.session.focus.selection.bones.clone();
    match command {
        Command::New => Action::File(FileAction::New),
        Command::Open => Action::File(FileAction::Open(None)),
        Command::Import => Action::File(FileAction::Import(None)),
        Command::Save => Action::File(FileAction::Save),
        Command::SaveAs => Action::File(FileAction::SaveAs(None)),
        Command::SavePatch => Action::File(FileAction::SavePatch(None)),
        Command::Quit => Action::File(FileAction::Quit),
        Command::Undo => Action::Document(DocumentAction::Undo),
        Command::Redo => Action::Document(DocumentAction::Redo),
        Command::Copy => Action::Clipboard(ClipboardAction::Copy),
        Command::Paste => Action::Clipboard(ClipboardAction::Paste(Side::Same)),
        Command::PasteMirrored => Action::Clipboard(ClipboardAction::Paste(Side::Mirrored)),
        Command::FindCommand => Action::Program(ProgramAction::ShowPopup(Some(Popup::Finder))),
        Command::Move => Action::Gesture(GestureAction::Transform(TransformKind::Move)),
        Command::Rotate => Action::Gesture(GestureAction::Transform(TransformKind::Rotate)),
        Command::Scale => Action::Gesture(GestureAction::Transform(TransformKind::Scale)),
        Command::Reach => Action::Gesture(GestureAction::Transform(TransformKind::Reach)),
        Command::KeyPose => Action::Pose(PoseAction::Key(KeyWhat::All)),
        Command::Breakdown => Action::Pose(PoseAction::Mix(Mix::Breakdown)),
        Command::Push => Action::Pose(PoseAction::Mix(Mix::Push)),
        Command::Relax => Action::Pose(PoseAction::Mix(Mix::Relax)),
        Command::TowardsNeighbour => Action::Pose(PoseAction::Mix(Mix::Neighbour)),
        Command::SavePose => Action::Poses(PoseEdit::Save(None)),
        Command::KeyMenu => Action::Program(ProgramAction::ShowPopup(Some(Popup::KeyMenu))),
        Command::KeySelected => Action::Pose(PoseAction::Key(KeyWhat::Selected)),
        Command::KeyChanged => Action::Pose(PoseAction::Key(KeyWhat::Changed)),
        Command::DropDraft => Action::Pose(PoseAction::DiscardDraft),
        Command::ClearTranslation => Action::Pose(PoseAction::Clear(KeyMask::only(Channel::Translation))),
        Command::ClearRotation => Action::Pose(PoseAction::Clear(KeyMask::only(Channel::Rotation))),
        Command::ClearScale => Action::Pose(PoseAction::Clear(KeyMask::only(Channel::Scale))),
        Command::ClearAll => Action::Pose(PoseAction::Clear(KeyMask::ALL)),
        Command::AutoKeyOnKeyframes => Action::Tool(ToolAction::SetAutoKey(AutoKey::OnKeyframes)),
        Command::AutoKeyAlways => Action::Tool(ToolAction::SetAutoKey(AutoKey::Always)),
        Command::AutoKeyNever => Action::Tool(ToolAction::SetAutoKey(AutoKey::Never)),
        Command::CloseClip => Action::Select(SelectAction::Clip(None)),
        Command::EaseStep => Action::Pose(PoseAction::SetEase(Ease::Step)),
        Command::EaseLinear => Action::Pose(PoseAction::SetEase(Ease::Linear)),
        Command::EaseCubic => Action::Pose(PoseAction::SetEase(Ease::Cubic)),
        Command::EaseMenu => Action::Program(ProgramAction::ShowPopup(Some(Popup::EaseMenu))),
        Command::TangentMenu => Action::Program(ProgramAction::ShowPopup(Some(Popup::TangentMenu))),
        Command::TangentAuto => Action::Pose(PoseAction::SetTangentKind(TangentKind::Auto)),
        Command::TangentFlat => Action::Pose(PoseAction::SetTangentKind(TangentKind::Flat)),
        Command::TangentLinear => Action::Pose(PoseAction::SetTangentKind(TangentKind::Linear)),
        Command::TangentFree => Action::Pose(PoseAction::SetTangentKind(TangentKind::Free)),
        Command::TangentBroken => Action::Pose(PoseAction::SetTangentKind(TangentKind::Broken)),
        Command::ShowStrip => Action::Time(TimeAction::Show(TimeView::Strip)),
        Command::ShowSheet => Action::Time(TimeAction::Show(TimeView::Sheet)),
        Command::ShowCurves => Action::Time(TimeAction::Show(TimeView::Curves)),
        Command::TypeDuration => {
            Action::Time(TimeAction::TypeDuration { keyframes: targets::keyframes(editor), first: None })
        }
        Command::BoxSelectKeys => Action::Time(TimeAction::Boxing(true)),
        Command::ClearLoopSection => Action::Playback(PlaybackAction::SetLoopSection(None)),
        Command::ToolSelect => Action::Tool(ToolAction::Set(Tool::Select)),
        Command::ToolMove => Action::Tool(ToolAction::Set(Tool::Move)),
        Command::ToolRotate => Action::Tool(ToolAction::Set(Tool::Rotate)),
        Command::ToolScale => Action::Tool(ToolAction::Set(Tool::Scale)),
        Command::ToolReach => Action::Tool(ToolAction::Set(Tool::Reach)),
        Command::SpaceLocal => Action::Tool(ToolAction::SetSpace(Space::Local)),
        Command::SpaceParent => Action::Tool(ToolAction::SetSpace(Space::Parent)),
        Command::SpaceModel => Action::Tool(ToolAction::SetSpace(Space::Model)),
        Command::SpaceView => Action::Tool(ToolAction::SetSpace(Space::View)),
        Command::FrameSelected => Action::View(ViewAction::FrameSelected),
        Command::FrameAll => Action::View(ViewAction::FrameAll),
        Command::LookFront => Action::View(ViewAction::LookFrom(Look::Front)),
        Command::LookBack => Action::View(ViewAction::LookFrom(Look::Back)),
        Command::LookRight => Action::View(ViewAction::LookFrom(Look::Right)),
        Command::LookLeft => Action::View(ViewAction::LookFrom(Look::Left)),
        Command::LookTop => Action::View(ViewAction::LookFrom(Look::Top)),
        Command::LookBottom => Action::View(ViewAction::LookFrom(Look::Bottom)),
        Command::LookGame => Action::View(ViewAction::LookFrom(Look::Game)),
        Command::Bench => Action::Bench(BenchAction::Toggle),
        Command::FlipBench => Action::Bench(BenchAction::Flip),
        Command::BenchSilhouette => Action::Bench(BenchAction::ToggleSilhouette),
        Command::BlendPreview => Action::Blend(BlendAction::Toggle),
        Command::PlayTest => Action::File(FileAction::PlayTest),
        Command::ExportPicture => Action::File(FileAction::Export(None)),
        Command::MakeMachine => Action::Machine(MachineAction::Edit(MachineEdit::Make)),
        Command::DropMachine => Action::Machine(MachineAction::Edit(MachineEdit::Drop)),
        Command::PreviewMachine => {
            let is_on = editor.session.focus.machine.preview.is_some();
            Action::Machine(MachineAction::Preview(if is_on { Shown::Off } else { Shown::On }))
        }
        Command::OpenDemo => Action::File(FileAction::OpenDemo),
        Command::DiscardRecovered => Action::File(FileAction::DiscardRecovered),
        Command::Preferences => Action::Program(ProgramAction::ShowPopup(Some(Popup::Preferences))),
        Command::ThemeDark => Action::Program(ProgramAction::Prefer(Prefer::Shade(Shade::Dark))),
        Command::ThemeLight => Action::Program(ProgramAction::Prefer(Prefer::Shade(Shade::Light))),
        Command::LargerScale => Action::Program(ProgramAction::Prefer(Prefer::Scale(preferences.next_scale(true)))),
        Command::SmallerScale => Action::Program(ProgramAction::Prefer(Prefer::Scale(preferences.next_scale(false)))),
        Command::NormalScale => Action::Program(ProgramAction::Prefer(Prefer::Scale(100))),
        Command::ArrangePosing => Action::Program(ProgramAction::Prefer(Prefer::Arrange(Arrangement::Posing))),
        Command::ArrangeTiming => Action::Program(ProgramAction::Prefer(Prefer::Arrange(Arrangement::Timing))),
        Command::ArrangeGame => Action::Program(ProgramAction::Prefer(Prefer::Arrange(Arrangement::Game))),
        Command::ResetLayout => Action::Program(ProgramAction::Prefer(Prefer::Arrange(preferences.arrangement))),
        Command::FirstSteps => Action::Program(ProgramAction::ShowFirstSteps(true)),
        Command::MirrorTable => Action::Program(ProgramAction::ShowPopup(Some(Popup::MirrorTable))),
        Command::Shortcuts => Action::Program(ProgramAction::ShowPopup(Some(Popup::Shortcuts))),
        Command::About => Action::Program(ProgramAction::ShowPopup(Some(Popup::About))),
        Command::AddReference => Action::Material(MaterialAction::AddReference(None)),
        Command::SwapImage => Action::Material(MaterialAction::SwapImage(None)),
        Command::PlayPause => Action::Playback(PlaybackAction::SetPlaying(!playhead.is_playing)),
        Command::GoToStart => Action::Playback(PlaybackAction::Seek(crate::anim::time::Time::ZERO)),
        Command::GoToEnd => Action::Playback(PlaybackAction::Seek(
            editor.clip().map_or(crate::anim::time::Time::ZERO, |slot| slot.clip.length()),
        )),
        Command::MoreGhosts => Action::View(ViewAction::Ghosts(GhostEdit::MoreNeighbours(true))),
        Command::FewerGhosts => Action::View(ViewAction::Ghosts(GhostEdit::MoreNeighbours(false))),
        Command::GhostSelected => Action::View(ViewAction::Ghosts(GhostEdit::Choose)),
        Command::DropGhosts => Action::View(ViewAction::Ghosts(GhostEdit::DropChosen)),
        Command::GhostOtherClip => {
            let is_on = editor.session.workspace.ghosts.clip.is_some();
            Action::View(ViewAction::Ghosts(GhostEdit::Clip(targets::other_clip(editor).filter(|_| !is_on))))
        }
        Command::ShowRestPose => Action::View(ViewAction::ShowPose(toggled_pose(editor, ShownPose::Rest))),
        Command::ShowBindPose => Action::View(ViewAction::ShowPose(toggled_pose(editor, ShownPose::Bind))),
        Command::Duplicate | Command::DuplicateKeys => ClipboardAction::Duplicate.into(),
        Command::Delete => ClipboardAction::Delete(Gap::Kept).into(),
        Command::DeleteRipple => ClipboardAction::Delete(Gap::Closed).into(),
        Command::SelectAll => SelectAction::All.into(),
        Command::SelectNone => SelectAction::None.into(),
        Command::SelectParent => SelectAction::Bones { bones: targets::parents(editor), pick: Pick::Only }.into(),
        Command::SelectChild => SelectAction::Bones { bones: targets::children(editor), pick: Pick::Only }.into(),
        Command::ExtendParent => SelectAction::Bones { bones: targets::parents(editor), pick: Pick::Add }.into(),
        Command::ExtendChild => SelectAction::Bones { bones: targets::children(editor), pick: Pick::Add }.into(),
        Command::SelectChain => SelectAction::Bones { bones: targets::chain(editor), pick: Pick::Add }.into(),
        Command::SelectMirror => SelectAction::Bones { bones: targets::mirrored(editor), pick: Pick::Only }.into(),
        Command::BoxSelect => GestureAction::BoxSelect.into(),
        Command::SelectBack => SelectAction::Back.into(),
        Command::SelectForward => SelectAction::Forward.into(),
        Command::SelectColumn => SelectAction::Column.into(),
        Command::MirrorPose => PoseAction::Mirror.into(),
        Command::CheckClips => ProgramAction::CheckClips.into(),
        Command::ReduceKeys => ClipAction::ReduceKeys.into(),
        Command::MirrorKeysInTime => {
            let change = Change::Keys(KeysChange::new(KeyTimes::Mirror));
            DocumentAction::Edit { label: "mirror keys in time".into(), change }.into()
        }
        Command::MirroredClip => ClipAction::AddDerived(Derivation::Mirrored).into(),
        Command::ReversedClip => ClipAction::AddDerived(Derivation::Reversed).into(),
        Command::RetimedClip => ClipAction::AddDerived(Derivation::Retimed(50)).into(),
        Command::TrimmedClip => ClipAction::AddTrimmed.into(),
        Command::UnlockClip => ClipAction::Unlock.into(),
        Command::DeleteKeyHere => KeyframeAction::DeleteKeys.into(),
        Command::NewClip => ClipAction::New.into(),
        Command::DuplicateClip => ClipAction::Duplicate.into(),
        Command::DeleteClip => ClipAction::Delete.into(),
        Command::LoopOnce => ClipAction::SetLoopMode(LoopMode::Once).into(),
        Command::LoopLoop => ClipAction::SetLoopMode(LoopMode::Loop).into(),
        Command::LoopPingPong => ClipAction::SetLoopMode(LoopMode::PingPong).into(),
        Command::PlayReverse => PlaybackAction::ToggleReverse.into(),
        Command::FrameBack => PlaybackAction::StepFrames(-1).into(),
        Command::FrameForward => PlaybackAction::StepFrames(1).into(),
        Command::PreviousKeyframe => PlaybackAction::StepKeyframes(-1).into(),
        Command::NextKeyframe => PlaybackAction::StepKeyframes(1).into(),
        Command::InsertKeyframe => KeyframeAction::Split.into(),
        Command::MergeKeyframes => KeyframeAction::Merge.into(),
        Command::HoldKeyframe => KeyframeAction::Hold.into(),
        Command::AppendKeyframe => KeyframeAction::Append.into(),
        Command::DuplicateKeyframe => KeyframeAction::Duplicate.into(),
        Command::DeleteKeyframe => KeyframeAction::Delete.into(),
        Command::EndHere => KeyframeAction::EndClip.into(),
        Command::MoveKeys => TimeAction::Take(KeyDragStart::modal(KeyDragKind::Move)).into(),
        Command::RippleKeys => TimeAction::Take(KeyDragStart::modal(KeyDragKind::Ripple)).into(),
        Command::ScaleKeys => TimeAction::Take(KeyDragStart::modal(KeyDragKind::Scale { about: playhead.time })).into(),
        Command::SelectAllKeys => TimeAction::SelectAll.into(),
        Command::SelectNoKeys => TimeAction::SelectNone.into(),
        Command::DeleteKeys => ClipboardAction::DeleteInTimeline(Gap::Kept).into(),
        Command::DeleteKeysRipple => ClipboardAction::DeleteInTimeline(Gap::Closed).into(),
        Command::AddEvent => TimeAction::AddEvent.into(),
        Command::NextTimeView => TimeAction::Show(editor.session.focus.timing.view.toggled()).into(),
        Command::FilterRows => TimeAction::FocusFilter.into(),
        Command::FitTime => TimeAction::Fit.into(),
        Command::SetLoopSection => PlaybackAction::SetLoopSection(targets::loop_section(editor)).into(),
        Command::KeepTrail => ViewAction::KeepTrails.into(),
        Command::DropTrails => ViewAction::ClearTrails.into(),
        Command::ToggleOrtho => ViewAction::SetLens(editor.session.focus.camera.lens.toggled()).into(),
        Command::Hide => BoneAction::SetHidden { bones: selected(), is_hidden: true }.into(),
        Command::HideOthers => BoneAction::SetHidden { bones: targets::other_bones(editor), is_hidden: true }.into(),
        Command::Reveal => {
            let bones = editor.session.focus.hidden.iter().copied().collect();
            BoneAction::SetHidden { bones, is_hidden: false }.into()
        }
        Command::TogglePin => {
            let is_pinned = !selected().iter().all(|bone| editor.session.focus.pins.contains(bone));
            BoneAction::SetPinned { bones: selected(), is_pinned }.into()
        }
        Command::ClearPins => {
            let bones = editor.session.focus.pins.iter().copied().collect();
            BoneAction::SetPinned { bones, is_pinned: false }.into()
        }
        Command::TakeImageOff => MaterialAction::RemoveTexture.into(),
        Command::AddMachineState => MachineAction::AddState.into(),
        Command::DeleteInMachine => MachineAction::DeletePicked.into(),
        command => match shading_of(command) {
            Some(shading) => Action::View(ViewAction::SetShading(editor.session.workspace.display.toggled(shading))),
            None => Action::View(ViewAction::Toggle(
                switch_of(command).unwrap_or(crate::editor::session::switch::Switch::Grid),
            )),
        },
    }
}

/// That pose, or the clip's where it is shown already.
fn toggled_pose(editor: &Editor, pose: ShownPose) -> ShownPose {
    if editor.session.workspace.display.pose == pose { ShownPose::Clip } else { pose }
}

/// Why most commands can't run in an empty document.
const NEEDS_MODEL: &str = "There is no model yet: open or import one.";

/// Whether a command can run now; where not, the reason.
pub fn can_run(command: Command, editor: &Editor) -> Result<(), &'static str> {
    use Command::*;
    let needs = |is_there: bool, reason: &'static str| if is_there { Ok(()) } else { Err(reason) };
    let has_model = editor.model().is_some();
    let has_machine = editor.model().is_some_and(|model| model.machine.graph.is_some());
    let clip = editor.clip();
    let has_keyframes = clip.is_some_and(|slot| !slot.clip.keyframes.is_empty());
    let has_bones = !editor.session.focus.selection.bones.is_empty();
    match command {
        Undo => needs(editor.gesture.is_some() || editor.history.undo_count() > 0, "There is nothing to undo."),
        Redo => needs(editor.history.redo_count() > 0, "There is nothing to redo."),
        SavePatch => needs(editor.patch_base().is_some(), files::NEEDS_BASE),
        DropDraft => needs(editor.view().draft.is_some(), "There is no draft pose here."),
        Move | Rotate | Scale | Reach | TogglePin | ClearTranslation | ClearRotation | ClearScale | ClearAll
        | KeySelected | Hide | HideOthers | SelectParent | SelectChild | ExtendParent | ExtendChild | SelectChain
        | SelectMirror => needs(has_bones, "Select a bone first."),
        Paste | PasteMirrored => needs(editor.session.workspace.copied.is_some(), "Nothing was copied yet."),
        Breakdown | Push | Relax | TowardsNeighbour => {
            needs(has_keyframes, "The clip has no keyframes yet. I keys the pose.")
        }
        MirrorKeysInTime | MoveKeys | ScaleKeys | RippleKeys => {
            needs(!editor.session.focus.selection.keys.is_empty(), "Select keys first.")
        }
        BlendPreview => {
            let can_mix = clip.is_some() && editor.model().is_some_and(|model| model.clips.len() > 1);
            needs(can_mix || editor.session.transient.blend.is_some(), NEEDS_TWO)
        }
        Bench | FlipBench | BenchSilhouette | ToggleTurntable | CheckClips | ExportPicture | AddReference | Copy
        | MirrorPose | SavePose | KeyPose | KeyMenu | KeyChanged | NewClip | PlayTest | FrameAll | FrameSelected => {
            needs(has_model, NEEDS_MODEL)
        }
        UnlockClip => {
            let follows = clip.zip(editor.model()).is_some_and(|(slot, model)| model.derived(slot.id).is_some());
            needs(follows, "The open clip follows no other.")
        }
        MirroredClip | ReversedClip | RetimedClip | TrimmedClip | DuplicateClip | DeleteClip | CloseClip | LoopOnce
        | LoopLoop | LoopPingPong | InsertKeyframe | AppendKeyframe => {
            needs(clip.is_some(), "No clip is open. N makes one.")
        }
        PlayPause | PlayReverse => needs(
            clip.is_some_and(|slot| slot.clip.length() > crate::anim::time::Time::ZERO),
            "The clip has no keyframes to play yet. I keys the pose.",
        ),
        PreviousKeyframe | NextKeyframe | DuplicateKeyframe | DeleteKeyframe | MergeKeyframes | HoldKeyframe
        | TypeDuration | DeleteKeyHere | EndHere | EaseStep | EaseLinear | EaseCubic | EaseMenu | TangentMenu
        | TangentAuto | TangentFlat | TangentLinear | TangentFree | TangentBroken | ReduceKeys | SetLoopSection
        | SelectColumn | SelectAllKeys | SelectNoKeys | BoxSelectKeys | DuplicateKeys | DeleteKeys
        | DeleteKeysRipple | AddEvent => needs(has_keyframes, "The clip has no keyframes yet. I keys the pose."),
        ClearLoopSection => {
            needs(editor.session.focus.playhead.loop_section.is_some(), "The whole clip is looped already.")
        }
        ShowRestPose | ShowBindPose => needs(has_model, NEEDS_MODEL),
        GhostSelected => {
            needs(!editor.session.focus.selection.keyframes.is_empty(), "Select keyframes first, in the strip.")
        }
        KeepTrail => needs(has_bones, "Select a bone first."),
        DropTrails => needs(!editor.session.focus.trails.is_empty(), "No trail is kept."),
        DropGhosts => needs(editor.session.workspace.ghosts.chosen.is_some(), "No keyframe is kept as a ghost."),
        GhostOtherClip => needs(targets::other_clip(editor).is_some(), "There is no other clip."),
        MakeMachine => needs(has_model && !has_machine, if has_model { machine::HAS_ONE } else { NEEDS_MODEL }),
        DropMachine | AddMachineState | PreviewMachine => needs(has_machine, machine::HAS_NONE),
        DeleteInMachine => needs(
            matches!(editor.session.focus.machine.picked, Picked::State(_) | Picked::Transition(_)),
            "Click a state or a transition first.",
        ),
        SwapImage => needs(editor.material().is_some(), materials::NEEDS_MATERIAL),
        TakeImageOff => needs(
            editor.material().is_some_and(|(_, material)| material.texture.is_some()),
            "The material has no texture.",
        ),
        ClearPins => needs(!editor.session.focus.pins.is_empty(), "No bone is pinned."),
        DiscardRecovered => needs(editor.session.transient.recovered.is_some(), "Nothing was recovered."),
        Reveal => needs(!editor.session.focus.hidden.is_empty(), "No bone is hidden."),
        _ => Ok(()),
    }
}

/// For commands that switch or choose something: whether it is on.
pub fn is_on(command: Command, editor: &Editor) -> Option<bool> {
    let session = &editor.session;
    let loops = |mode| Some(editor.clip().is_some_and(|slot| slot.clip.loop_mode == mode));
    match command {
        Command::PreviewMachine => Some(session.focus.machine.preview.is_some()),
        Command::Bench => Some(session.transient.bench.is_some()),
        Command::BenchSilhouette => {
            Some(session.transient.bench.as_ref().is_some_and(|bench| bench.fill == Fill::Silhouette))
        }
        Command::BlendPreview => Some(session.transient.blend.is_some()),
        Command::ToolSelect => Some(session.workspace.tool == Tool::Select),
        Command::ToolMove => Some(session.workspace.tool == Tool::Move),
        Command::ToolRotate => Some(session.workspace.tool == Tool::Rotate),
        Command::ToolScale => Some(session.workspace.tool == Tool::Scale),
        Command::ToolReach => Some(session.workspace.tool == Tool::Reach),
        Command::SpaceLocal => Some(session.workspace.space == Space::Local),
        Command::SpaceParent => Some(session.workspace.space == Space::Parent),
        Command::SpaceModel => Some(session.workspace.space == Space::Model),
        Command::SpaceView => Some(session.workspace.space == Space::View),
        Command::AutoKeyOnKeyframes => Some(session.workspace.auto_key == AutoKey::OnKeyframes),
        Command::AutoKeyAlways => Some(session.workspace.auto_key == AutoKey::Always),
        Command::AutoKeyNever => Some(session.workspace.auto_key == AutoKey::Never),
        Command::LoopOnce => loops(LoopMode::Once),
        Command::LoopLoop => loops(LoopMode::Loop),
        Command::LoopPingPong => loops(LoopMode::PingPong),
        Command::ThemeDark => Some(session.workspace.preferences.shade == Shade::Dark),
        Command::ThemeLight => Some(session.workspace.preferences.shade == Shade::Light),
        Command::ArrangePosing => Some(session.workspace.preferences.arrangement == Arrangement::Posing),
        Command::ArrangeTiming => Some(session.workspace.preferences.arrangement == Arrangement::Timing),
        Command::ArrangeGame => Some(session.workspace.preferences.arrangement == Arrangement::Game),
        Command::ShowStrip => Some(session.focus.timing.view == TimeView::Strip),
        Command::ShowSheet => Some(session.focus.timing.view == TimeView::Sheet),
        Command::ShowCurves => Some(session.focus.timing.view == TimeView::Curves),
        Command::ToggleOrtho => Some(session.focus.camera.lens == Lens::Parallel),
        Command::GhostOtherClip => Some(session.workspace.ghosts.clip.is_some()),
        Command::ShowRestPose => Some(session.workspace.display.pose == ShownPose::Rest),
        Command::ShowBindPose => Some(session.workspace.display.pose == ShownPose::Bind),
        command => match shading_of(command) {
            Some(shading) => Some(session.workspace.display.shading == shading),
            None => switch_of(command).map(|switch| session.is_on(switch)),
        },
    }
}
