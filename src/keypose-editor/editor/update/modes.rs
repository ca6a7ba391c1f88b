//! The scenes and previews of the viewport: the bench, the crowd, and which actions end a scene or a preview.

use crate::editor::posing::change::Change;
use crate::editor::posing::library::LibraryAction;
use crate::editor::session::Popup;
use crate::editor::session::bench::{Bench, BenchAction, Fill};
use crate::editor::session::crowd::{CrowdAction, CrowdClips, CrowdView};
use crate::editor::session::display::ShownPose;
use crate::editor::session::scene::{PoseSource, Scene};
use crate::editor::state::Editor;
use crate::editor::state::action::{
    Action, ClipAction, ClipboardAction, DocumentAction, FileAction, GestureAction, PlaybackAction, PoseAction,
    ProgramAction, SelectAction, ToolAction, ViewAction,
};
use crate::editor::update::{blend, levels, playback, retargeting, transaction};
use keypose::anim::time::Time;

/// Handles a bench action. Flipping and the silhouette open the bench.
pub fn bench(editor: &mut Editor, action: BenchAction) {
    let scene = &mut editor.session.transient.scene;
    let open = scene.bench().copied();
    let bench = open.unwrap_or_default();
    let shown = match action {
        BenchAction::Toggle if open.is_none() => Some(bench),
        BenchAction::Toggle => None,
        BenchAction::Flip => Some(Bench { facing: bench.facing.other(), ..bench }),
        BenchAction::ToggleSilhouette if bench.fill == Fill::Surface => Some(Bench { fill: Fill::Silhouette, ..bench }),
        BenchAction::ToggleSilhouette => Some(Bench { fill: Fill::Surface, ..bench }),
        BenchAction::Window(window_height) if window_height.is_finite() => open.map(|it| Bench { window_height, ..it }),
        BenchAction::Window(_) => open,
    };
    *scene = shown.map_or(Scene::Model, Scene::Bench);
    editor.session.transient.hover = None;
}

/// Handles an action of the crowd view. All but leaving open it.
pub fn crowd(editor: &mut Editor, action: CrowdAction) {
    let scene = &mut editor.session.transient.scene;
    let open = scene.crowd().copied();
    let mut crowd = open.unwrap_or_default();
    let next = |is_up: bool| {
        let mut counts = CrowdView::COUNTS.into_iter();
        let next =
            if is_up { counts.find(|count| *count > crowd.count) } else { counts.rfind(|count| *count < crowd.count) };
        next.unwrap_or(crowd.count)
    };
    match action {
        CrowdAction::Toggle if open.is_some() => return *scene = Scene::Model,
        CrowdAction::Toggle => {}
        CrowdAction::Count(count) => crowd.count = count.clamp(1, CrowdView::MAX),
        CrowdAction::Step { is_up } if open.is_some() => crowd.count = next(is_up),
        CrowdAction::Step { .. } => {}
        CrowdAction::ToggleClips => {
            crowd.clips = if crowd.clips == CrowdClips::This { CrowdClips::Looping } else { CrowdClips::This };
        }
    }
    *scene = Scene::Crowd(crowd);
    editor.session.transient.hover = None;
}

/// Ends the preview or the scene, or returns from the rest or bind pose.
pub fn end(editor: &mut Editor) {
    transaction::commit(editor);
    let transient = &mut editor.session.transient;
    if transient.pose.is_preview() || matches!(transient.scene, Scene::Model) {
        return show(editor, PoseSource::default());
    }
    transient.hover = None;
    levels::leave(editor);
}

/// Shows the model in the pose of the clip, the rest pose or the bind pose, and stops playback for the latter two.
pub fn show_pose(editor: &mut Editor, pose: ShownPose) {
    transaction::commit(editor);
    if pose != ShownPose::Clip {
        playback::set_playing(editor, false);
    }
    if pose != ShownPose::Clip || !editor.session.transient.pose.is_preview() {
        show(editor, PoseSource::Model(pose));
    }
}

/// Shows a preview instead of the clip.
pub fn show_preview(editor: &mut Editor, preview: PoseSource) {
    editor.session.focus.playhead.is_playing = false;
    show(editor, preview);
}

/// Changes the source of the pose. The camera returns to its place before a preview of a retargeted clip.
pub fn show(editor: &mut Editor, pose: PoseSource) {
    let is_retargeting = pose.retargeting().is_some();
    let before = std::mem::replace(&mut editor.session.transient.pose, pose);
    if let (PoseSource::Retarget(shown), false) = (before, is_retargeting) {
        editor.session.focus.camera = shown.camera;
    }
}

/// Advances a preview with the document as it is now; ends it if its model or its clips are gone.
pub fn tick(editor: &mut Editor, passed: Time) {
    let secs = passed.secs() as f32;
    let next = match std::mem::take(&mut editor.session.transient.pose) {
        PoseSource::Model(pose) => PoseSource::Model(pose),
        PoseSource::Machine(mut preview) => {
            let is_there = editor.model().cloned().is_some_and(|model| preview.tick(&model, secs));
            if is_there { PoseSource::Machine(preview) } else { PoseSource::default() }
        }
        PoseSource::Blend(preview) => {
            blend::advanced(editor, preview, secs).map_or_else(PoseSource::default, PoseSource::Blend)
        }
        PoseSource::Retarget(shown) => {
            retargeting::advanced(editor, shown, passed).map_or_else(PoseSource::default, PoseSource::Retarget)
        }
    };
    editor.session.transient.pose = next;
}

/// Ends the scene and the preview that an action is incompatible with.
pub fn leave(editor: &mut Editor, action: &Action) {
    if ends_pose(&editor.session.transient.pose, action) {
        show(editor, PoseSource::default());
    }
    if ends_scene(&editor.session.transient.scene, action) {
        editor.session.transient.scene = Scene::Model;
    }
}

/// Whether an action ends a scene: it poses, moves the camera or shows something else.
fn ends_scene(scene: &Scene, action: &Action) -> bool {
    let poses = || {
        matches!(
            action,
            Action::Gesture(GestureAction::Transform(_))
                | Action::Pose(PoseAction::Mix(_))
                | Action::Tool(ToolAction::Set(_))
                | Action::Select(SelectAction::Model(_))
        )
    };
    let looks =
        || matches!(action, Action::View(ViewAction::LookFrom(_) | ViewAction::FrameSelected | ViewAction::FrameAll));
    match scene {
        Scene::Model => false,
        Scene::Bench(_) => poses() || looks(),
        Scene::Crowd(_) => poses(),
        Scene::Sprites(_) => poses(),
        Scene::Rig(desk) => {
            let animates = matches!(
                action,
                Action::Select(SelectAction::Clip(_))
                    | Action::Playback(PlaybackAction::SetPlaying(true))
                    | Action::Pose(_)
                    | Action::File(FileAction::PlayTest)
                    | Action::Poses(LibraryAction::Apply { .. })
                    | Action::Clipboard(ClipboardAction::Paste { .. } | ClipboardAction::Delete(_))
            );
            // Another time of the clip may be painted on.
            let seeks = matches!(action, Action::Playback(PlaybackAction::Seek(_))) && !desk.paint.shows_pose();
            poses() || animates || seeks
        }
        Scene::Level(_) => matches!(
            action,
            Action::Select(SelectAction::Model(_) | SelectAction::Clip(_)) | Action::View(ViewAction::LookFrom(_))
        ),
    }
}

/// Whether an action ends a preview, or returns from the rest or bind pose: it shows or changes a pose of a clip.
fn ends_pose(pose: &PoseSource, action: &Action) -> bool {
    let poses = |change: &Change| !matches!(change, Change::Edits(_));
    match action {
        Action::Select(SelectAction::Model(_) | SelectAction::Clip(_) | SelectAction::KeyframeGroup { .. })
        | Action::Playback(PlaybackAction::Seek(_) | PlaybackAction::SetPlaying(true))
        | Action::Gesture(GestureAction::Transform(_))
        | Action::Pose(PoseAction::Key(_))
        | Action::Clip(ClipAction::New)
        | Action::File(FileAction::PlayTest)
        | Action::Program(ProgramAction::ShowPopup(Some(Popup::KeyMenu))) => true,
        Action::Document(DocumentAction::Edit { change, .. } | DocumentAction::Preview(change)) => poses(change),
        Action::Clipboard(ClipboardAction::Paste { .. })
        | Action::Pose(PoseAction::Clear(_) | PoseAction::Mix(_))
        | Action::Document(DocumentAction::Begin { .. })
        | Action::Poses(_) => !pose.is_preview(),
        _ => false,
    }
}
