//! Opens, closes and sets the crowd view.

use crate::editor::session::crowd::{CrowdAction, CrowdClips, CrowdView};
use crate::editor::state::Editor;
use crate::editor::state::action::{Action, FileAction, GestureAction, PoseAction, SelectAction, ToolAction};
use crate::render::frame::crowd::{Animation, Meshes};

/// Handles an action of the crowd view.
pub fn act(editor: &mut Editor, action: CrowdAction) {
    let crowd = &mut editor.session.transient.crowd;
    match action {
        CrowdAction::Leave => *crowd = None,
        CrowdAction::Toggle if crowd.is_some() => *crowd = None,
        CrowdAction::Toggle => *crowd = Some(CrowdView::default()),
        CrowdAction::Count(count) => crowd.get_or_insert_default().count = count.clamp(1, CrowdView::MAX),
        CrowdAction::Step { is_up } => step(crowd, is_up),
        CrowdAction::ToggleClips => {
            let clips = &mut crowd.get_or_insert_default().clips;
            *clips = if *clips == CrowdClips::This { CrowdClips::Looping } else { CrowdClips::This };
        }
        CrowdAction::ToggleAnimation => {
            let animation = &mut crowd.get_or_insert_default().animation;
            *animation = match animation {
                Animation::Textures => Animation::Palettes,
                Animation::Palettes => Animation::Textures,
            };
        }
        CrowdAction::ToggleMeshes => {
            let meshes = &mut crowd.get_or_insert_default().meshes;
            *meshes = if *meshes == Meshes::BySize { Meshes::Finest } else { Meshes::BySize };
        }
    }
    editor.session.transient.hover = None;
    editor.session.transient.bench = None;
}

fn step(crowd: &mut Option<CrowdView>, is_up: bool) {
    let Some(crowd) = crowd else {
        *crowd = Some(CrowdView::default());
        return;
    };
    let counts = CrowdView::COUNTS;
    let next = match is_up {
        true => counts.into_iter().find(|count| *count > crowd.count),
        false => counts.into_iter().rev().find(|count| *count < crowd.count),
    };
    crowd.count = next.unwrap_or(crowd.count);
}

/// Whether an action closes the crowd view: it poses, or shows something else.
pub fn ends(action: &Action) -> bool {
    matches!(
        action,
        Action::Gesture(GestureAction::Transform(_))
            | Action::Bench(_)
            | Action::Pose(PoseAction::Mix(_))
            | Action::Tool(ToolAction::Set(_))
            | Action::Select(SelectAction::Model(_))
            | Action::File(FileAction::Loaded { .. })
    )
}
