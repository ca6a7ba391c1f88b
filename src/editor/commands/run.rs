//! What each command does, when it can, and whether it is on. One arm, one line.

use crate::anim::clip::LoopMode;
use crate::anim::key::{Channel, Ease, TangentKind};
use crate::assets::clip_notes::Derivation;
use crate::editor::commands::{all, shading_of, switch_of};
use crate::editor::document::edit::Original;
use crate::editor::ops::machine_edit::MachineEdit;
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
use crate::editor::session::timing::Grip;
use crate::editor::session::timing::{TimeAction, TimeView};
use crate::editor::session::tool::TransformKind;
use crate::editor::session::tool::{Space, Tool};
use crate::editor::session::transient::Request;
use crate::editor::state::Editor;
use crate::editor::state::action::Action;
use crate::editor::state::effect::Effect;
use crate::editor::update::{blocks, clips, files, looks, machine, notice, pose, seeing, select, timeline, timing};

/// Runs a command; where it cannot run, the reason is told instead.
pub fn run(command: Command, editor: &mut Editor, effects: &mut Vec<Effect>) {
    if let Err(reason) = can_run(command, editor) {
        return notice(editor, crate::editor::session::notice::NoticeKind::Info, reason, effects);
    }
    match action_of(command, editor) {
        Some(action) => all(editor, vec![action], effects),
        None => run_here(command, editor, effects),
    }
}

/// The commands that are one action.
fn action_of(command: Command, editor: &Editor) -> Option<Action> {
    let (playhead, preferences) = (&editor.session.focus.playhead, &editor.session.workspace.preferences);
    Some(match command {
        Command::New => Action::New,
        Command::Open => Action::Open(None),
        Command::Import => Action::Import(None),
        Command::Save => Action::Save,
        Command::SaveAs => Action::SaveAs(None),
        Command::SavePatch => Action::SavePatch(None),
        Command::Quit => Action::Quit,
        Command::Undo => Action::Undo,
        Command::Redo => Action::Redo,
        Command::Copy => Action::Copy,
        Command::Paste => Action::Paste(Side::Same),
        Command::PasteMirrored => Action::Paste(Side::Mirrored),
        Command::FindCommand => Action::ShowPopup(Some(Popup::Finder)),
        Command::Move => Action::StartTransform(TransformKind::Move),
        Command::Rotate => Action::StartTransform(TransformKind::Rotate),
        Command::Scale => Action::StartTransform(TransformKind::Scale),
        Command::Reach => Action::StartTransform(TransformKind::Reach),
        Command::KeyPose => Action::KeyPose(KeyWhat::All),
        Command::Breakdown => Action::StartMix(Mix::Breakdown),
        Command::Push => Action::StartMix(Mix::Push),
        Command::Relax => Action::StartMix(Mix::Relax),
        Command::TowardsNeighbour => Action::StartMix(Mix::Neighbour),
        Command::SavePose => Action::Poses(PoseEdit::Save(None)),
        Command::KeyMenu => Action::ShowPopup(Some(Popup::KeyMenu)),
        Command::KeySelected => Action::KeyPose(KeyWhat::Selected),
        Command::KeyChanged => Action::KeyPose(KeyWhat::Changed),
        Command::DropDraft => Action::DropDraft,
        Command::ClearTranslation => Action::ClearPose(KeyMask::only(Channel::Translation)),
        Command::ClearRotation => Action::ClearPose(KeyMask::only(Channel::Rotation)),
        Command::ClearScale => Action::ClearPose(KeyMask::only(Channel::Scale)),
        Command::ClearAll => Action::ClearPose(KeyMask::ALL),
        Command::AutoKeyOnKeyframes => Action::SetAutoKey(AutoKey::OnKeyframes),
        Command::AutoKeyAlways => Action::SetAutoKey(AutoKey::Always),
        Command::AutoKeyNever => Action::SetAutoKey(AutoKey::Never),
        Command::CloseClip => Action::SelectClip(None),
        Command::EaseStep => Action::SetEase(Ease::Step),
        Command::EaseLinear => Action::SetEase(Ease::Linear),
        Command::EaseCubic => Action::SetEase(Ease::Cubic),
        Command::EaseMenu => Action::ShowPopup(Some(Popup::EaseMenu)),
        Command::TangentMenu => Action::ShowPopup(Some(Popup::TangentMenu)),
        Command::TangentAuto => Action::SetTangentKind(TangentKind::Auto),
        Command::TangentFlat => Action::SetTangentKind(TangentKind::Flat),
        Command::TangentLinear => Action::SetTangentKind(TangentKind::Linear),
        Command::TangentFree => Action::SetTangentKind(TangentKind::Free),
        Command::TangentBroken => Action::SetTangentKind(TangentKind::Broken),
        Command::ShowStrip => Action::Time(TimeAction::Show(TimeView::Strip)),
        Command::ShowSheet => Action::Time(TimeAction::Show(TimeView::Sheet)),
        Command::ShowCurves => Action::Time(TimeAction::Show(TimeView::Curves)),
        Command::TypeDuration => {
            Action::Time(TimeAction::TypeDuration { keyframes: timeline::keyframes_meant(editor), first: None })
        }
        Command::BoxSelectKeys => Action::Time(TimeAction::Boxing(true)),
        Command::ClearLoopSection => Action::SetLoopSection(None),
        Command::ToolSelect => Action::SetTool(Tool::Select),
        Command::ToolMove => Action::SetTool(Tool::Move),
        Command::ToolRotate => Action::SetTool(Tool::Rotate),
        Command::ToolScale => Action::SetTool(Tool::Scale),
        Command::ToolReach => Action::SetTool(Tool::Reach),
        Command::SpaceLocal => Action::SetSpace(Space::Local),
        Command::SpaceParent => Action::SetSpace(Space::Parent),
        Command::SpaceModel => Action::SetSpace(Space::Model),
        Command::SpaceView => Action::SetSpace(Space::View),
        Command::FrameSelected => Action::FrameSelected,
        Command::FrameAll => Action::FrameAll,
        Command::LookFront => Action::LookFrom(Look::Front),
        Command::LookBack => Action::LookFrom(Look::Back),
        Command::LookRight => Action::LookFrom(Look::Right),
        Command::LookLeft => Action::LookFrom(Look::Left),
        Command::LookTop => Action::LookFrom(Look::Top),
        Command::LookBottom => Action::LookFrom(Look::Bottom),
        Command::LookGame => Action::LookFrom(Look::Game),
        Command::Bench => Action::Bench(BenchAction::Toggle),
        Command::FlipBench => Action::Bench(BenchAction::Flip),
        Command::BenchSilhouette => Action::Bench(BenchAction::ToggleSilhouette),
        Command::BlendPreview => Action::Blend(BlendAction::Toggle),
        Command::PlayTest => Action::PlayTest,
        Command::ExportPicture => Action::ExportPicture(None),
        Command::MakeMachine => Action::Machine(MachineAction::Edit(MachineEdit::Make)),
        Command::DropMachine => Action::Machine(MachineAction::Edit(MachineEdit::Drop)),
        Command::PreviewMachine => {
            let is_on = editor.session.focus.machine.preview.is_some();
            Action::Machine(MachineAction::Preview(if is_on { Shown::Off } else { Shown::On }))
        }
        Command::OpenDemo => Action::OpenDemo,
        Command::DiscardRecovered => Action::DiscardRecovered,
        Command::Preferences => Action::ShowPopup(Some(Popup::Preferences)),
        Command::ThemeDark => Action::Prefer(Prefer::Shade(Shade::Dark)),
        Command::ThemeLight => Action::Prefer(Prefer::Shade(Shade::Light)),
        Command::LargerScale => Action::Prefer(Prefer::Scale(preferences.next_scale(true))),
        Command::SmallerScale => Action::Prefer(Prefer::Scale(preferences.next_scale(false))),
        Command::NormalScale => Action::Prefer(Prefer::Scale(100)),
        Command::ArrangePosing => Action::Prefer(Prefer::Arrange(Arrangement::Posing)),
        Command::ArrangeTiming => Action::Prefer(Prefer::Arrange(Arrangement::Timing)),
        Command::ArrangeGame => Action::Prefer(Prefer::Arrange(Arrangement::Game)),
        Command::ResetLayout => Action::Prefer(Prefer::Arrange(preferences.arrangement)),
        Command::FirstSteps => Action::ShowFirstSteps(true),
        Command::MirrorTable => Action::ShowPopup(Some(Popup::MirrorTable)),
        Command::Shortcuts => Action::ShowPopup(Some(Popup::Shortcuts)),
        Command::About => Action::ShowPopup(Some(Popup::About)),
        Command::AddReference => Action::AddReference(None),
        Command::SwapImage => Action::SwapImage(None),
        Command::PlayPause => Action::SetPlaying(!playhead.is_playing),
        Command::GoToStart => Action::Seek(crate::anim::time::Time::ZERO),
        Command::GoToEnd => Action::Seek(timeline::last_frame(editor)),
        Command::MoreGhosts => Action::Ghosts(GhostEdit::MoreNeighbours(true)),
        Command::FewerGhosts => Action::Ghosts(GhostEdit::MoreNeighbours(false)),
        Command::GhostSelected => Action::Ghosts(GhostEdit::Choose),
        Command::DropGhosts => Action::Ghosts(GhostEdit::DropChosen),
        Command::GhostOtherClip => {
            let is_on = editor.session.workspace.ghosts.clip.is_some();
            Action::Ghosts(GhostEdit::Clip(seeing::other_clip(editor).filter(|_| !is_on)))
        }
        Command::ShowRestPose => Action::ShowPose(toggled_pose(editor, ShownPose::Rest)),
        Command::ShowBindPose => Action::ShowPose(toggled_pose(editor, ShownPose::Bind)),
        command => match shading_of(command) {
            Some(shading) => Action::SetShading(editor.session.workspace.display.toggled(shading)),
            None => Action::Toggle(switch_of(command)?),
        },
    })
}

/// That pose, or the clip's where it is shown already.
fn toggled_pose(editor: &Editor, pose: ShownPose) -> ShownPose {
    if editor.session.workspace.display.pose == pose { ShownPose::Clip } else { pose }
}

/// The commands that look at what is selected first.
fn run_here(command: Command, editor: &mut Editor, effects: &mut Vec<Effect>) {
    match command {
        Command::Duplicate => clips::duplicate(editor, effects),
        Command::Delete => clips::delete(editor, crate::editor::document::edit::Gap::Kept, effects),
        Command::DeleteRipple => clips::delete(editor, crate::editor::document::edit::Gap::Closed, effects),
        Command::SelectAll => select::all(editor),
        Command::SelectNone => select::none(editor),
        Command::SelectParent => select::parent(editor, crate::editor::session::selection::Pick::Only),
        Command::SelectChild => select::child(editor, crate::editor::session::selection::Pick::Only),
        Command::ExtendParent => select::parent(editor, crate::editor::session::selection::Pick::Add),
        Command::ExtendChild => select::child(editor, crate::editor::session::selection::Pick::Add),
        Command::SelectChain => select::chain(editor),
        Command::BoxSelect => editor.session.transient.pointer.is_boxing = true,
        Command::SelectBack => select::back(editor),
        Command::SelectForward => select::forward(editor),
        Command::SelectColumn => select::column(editor),
        Command::SelectMirror => select::mirror(editor),
        Command::MirrorPose => pose::mirror(editor, effects),
        Command::CheckClips => editor.session.transient.requests.push(Request::ShowClipCheck),
        Command::ReduceKeys => clips::reduce_keys(editor, effects),
        Command::MirrorKeysInTime => timeline::mirror_keys(editor, effects),
        Command::MirroredClip => clips::add_derived(editor, Derivation::Mirrored, effects),
        Command::ReversedClip => clips::add_derived(editor, Derivation::Reversed, effects),
        Command::RetimedClip => clips::add_derived(editor, Derivation::Retimed(50), effects),
        Command::TrimmedClip => clips::add_trimmed(editor, effects),
        Command::UnlockClip => clips::unlock(editor, effects),
        Command::DeleteKeyHere => timeline::delete_key_here(editor, effects),
        Command::NewClip => clips::new_clip(editor, effects),
        Command::DuplicateClip => clips::duplicate_clip(editor, effects),
        Command::DeleteClip => clips::delete_clip(editor, effects),
        Command::LoopOnce => clips::set_loop_mode(editor, LoopMode::Once, effects),
        Command::LoopLoop => clips::set_loop_mode(editor, LoopMode::Loop, effects),
        Command::LoopPingPong => clips::set_loop_mode(editor, LoopMode::PingPong, effects),
        Command::PlayReverse => timeline::play_reverse(editor),
        Command::FrameBack => timeline::step_frames(editor, -1),
        Command::FrameForward => timeline::step_frames(editor, 1),
        Command::PreviousKeyframe => timeline::step_keyframes(editor, -1),
        Command::NextKeyframe => timeline::step_keyframes(editor, 1),
        Command::InsertKeyframe => blocks::split(editor, effects),
        Command::MergeKeyframes => blocks::merge(editor, effects),
        Command::HoldKeyframe => blocks::hold(editor, effects),
        Command::AppendKeyframe => timeline::append_keyframe(editor, effects),
        Command::DuplicateKeyframe => timeline::duplicate_keyframe(editor, effects),
        Command::DeleteKeyframe => timeline::delete_keyframe(editor, effects),
        Command::EndHere => timeline::end_here(editor, effects),
        Command::MoveKeys => timing::take_modal(editor, Grip::Move, Original::Moves, effects),
        Command::RippleKeys => timing::take_modal(editor, Grip::Ripple, Original::Moves, effects),
        Command::ScaleKeys => {
            let about = editor.session.focus.playhead.time;
            timing::take_modal(editor, Grip::Scale { about }, Original::Moves, effects);
        }
        Command::SelectAllKeys => timing::select_all(editor),
        Command::SelectNoKeys => timing::select_none(editor),
        Command::DuplicateKeys => clips::duplicate(editor, effects),
        Command::DeleteKeys => clips::delete_in_time(editor, crate::editor::document::edit::Gap::Kept, effects),
        Command::DeleteKeysRipple => clips::delete_in_time(editor, crate::editor::document::edit::Gap::Closed, effects),
        Command::AddEvent => timing::add_event(editor, effects),
        Command::NextTimeView => timing::next_view(editor),
        Command::FilterRows => timing::ask_filter(editor),
        Command::FitTime => timing::fit(editor),
        Command::SetLoopSection => timeline::set_loop_section(editor),
        Command::KeepTrail => seeing::keep_trails(editor),
        Command::DropTrails => editor.session.focus.trails.clear(),
        Command::ToggleOrtho => {
            let lens = &mut editor.session.focus.camera.lens;
            *lens = if *lens == Lens::Perspective { Lens::Parallel } else { Lens::Perspective };
        }
        Command::Hide => select::hide_selected(editor),
        Command::HideOthers => select::hide_others(editor),
        Command::Reveal => editor.session.focus.hidden.clear(),
        Command::TogglePin => select::toggle_pins(editor),
        Command::ClearPins => editor.session.focus.pins.clear(),
        Command::TakeImageOff => looks::take_image_off(editor, effects),
        Command::AddMachineState => machine::add_state(editor, effects),
        Command::DeleteInMachine => machine::delete_picked(editor, effects),
        // `action_of` does the rest.
        _ => {}
    }
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
        GhostOtherClip => needs(seeing::other_clip(editor).is_some(), "There is no other clip."),
        MakeMachine => needs(has_model && !has_machine, if has_model { machine::HAS_ONE } else { NEEDS_MODEL }),
        DropMachine | AddMachineState | PreviewMachine => needs(has_machine, machine::HAS_NONE),
        DeleteInMachine => needs(
            matches!(editor.session.focus.machine.picked, Picked::State(_) | Picked::Transition(_)),
            "Click a state or a transition first.",
        ),
        SwapImage => needs(editor.material().is_some(), looks::NEEDS_MATERIAL),
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
