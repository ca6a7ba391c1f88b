//! The mouse over the viewport: picking bones.

use crate::editor::action::Pick;
use crate::editor::editor::Editor;
use crate::editor::effect::Effect;
use crate::editor::gesture::pick;
use crate::editor::gesture::pointer::{ModalKey, PointerEvent, PointerKind};
use crate::editor::gesture::transform::TransformKind;

/// The mouse did something.
pub fn pointer(editor: &mut Editor, event: PointerEvent, _effects: &mut Vec<Effect>) {
    match event.kind {
        PointerKind::Moved => editor.session.hover = pick::bone(editor, &editor.view(), event.pixel),
        PointerKind::Pressed => {
            if let Some(bone) = pick::bone(editor, &editor.view(), event.pixel) {
                let pick = if event.held.shift { Pick::Toggle } else { Pick::Only };
                editor.session.selection.pick_bones(&[bone], pick);
            }
        }
        _ => {}
    }
}

/// Starts a modal transform.
pub fn start(_editor: &mut Editor, _kind: TransformKind, _effects: &mut Vec<Effect>) {}

/// A key while a transform runs.
pub fn modal(_editor: &mut Editor, _key: ModalKey, _effects: &mut Vec<Effect>) {}
