//! Tools and settings for posing.

use crate::editor::ops::limb::MAX_JOINTS;
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;
use crate::editor::state::action::ToolAction;

/// Handles a tool action.
pub fn act(editor: &mut Editor, action: ToolAction) {
    let session = &mut editor.session;
    match action {
        ToolAction::Set(tool) => session.workspace.tool = tool,
        ToolAction::SetSpace(space) => session.workspace.space = space,
        ToolAction::SetOpponent(opponent) => session.focus.opponent = opponent,
        ToolAction::SetAutoKey(auto_key) => session.workspace.auto_key = auto_key,
        ToolAction::SetKeyMask(mask) => session.workspace.key_mask = mask,
        ToolAction::SetNewEase(ease) => session.workspace.new_ease = ease,
        ToolAction::SetChain(joints) => {
            session.workspace.chain_joints = joints.clamp(1, MAX_JOINTS);
            session.workspace.switches.remove(&Switch::WholeBody);
        }
        ToolAction::SetRotationReading(reading) => session.workspace.rotation_reading = reading,
    }
}
