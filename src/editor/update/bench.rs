//! Opens, closes and sets the side-scroller bench.

use crate::editor::session::bench::{Bench, BenchAction, Fill};
use crate::editor::state::Editor;
use crate::editor::state::action::{
    Action, FileAction, GestureAction, PoseAction, SelectAction, ToolAction, ViewAction,
};

/// Handles a bench action. Flipping and the silhouette open the bench.
pub fn act(editor: &mut Editor, action: BenchAction) {
    let bench = &mut editor.session.transient.bench;
    match action {
        BenchAction::Leave => *bench = None,
        BenchAction::Toggle if bench.is_some() => *bench = None,
        BenchAction::Toggle => *bench = Some(Bench::default()),
        BenchAction::Flip => {
            let bench = bench.get_or_insert_default();
            bench.facing = bench.facing.other();
        }
        BenchAction::ToggleSilhouette => {
            let bench = bench.get_or_insert_default();
            bench.fill = if bench.fill == Fill::Surface { Fill::Silhouette } else { Fill::Surface };
        }
        BenchAction::Window(height) => {
            if let Some(bench) = bench.as_mut().filter(|_| height.is_finite()) {
                bench.window_height = height;
            }
        }
    }
    editor.session.transient.hover = None;
}

/// Whether an action closes the bench: it poses, or moves the camera.
pub fn ends(action: &Action) -> bool {
    matches!(
        action,
        Action::Gesture(GestureAction::Transform(_))
            | Action::Pose(PoseAction::Mix(_))
            | Action::Tool(ToolAction::Set(_))
            | Action::View(ViewAction::LookFrom(_))
            | Action::View(ViewAction::FrameSelected)
            | Action::View(ViewAction::FrameAll)
            | Action::Select(SelectAction::Model(_))
            | Action::File(FileAction::Loaded { .. })
    )
}
