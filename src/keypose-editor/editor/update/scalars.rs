//! Keys for scalars of the active model: weights, properties and visibilities.

use crate::editor::document::edit::DraftEdit;
use crate::editor::ops::posed::Posed;
use crate::editor::posing::keying::keyed_as_seen;
use crate::editor::state::Editor;
use crate::editor::update::{info, step_all};
use keypose::anim::key::Channel;
use keypose::anim::scalar::ScalarIndex;

/// Keys the values of scalars at the playhead.
pub fn key(editor: &mut Editor, scalars: &[ScalarIndex]) {
    let view = editor.view();
    let (Some(model), Some(slot)) = (&view.model, editor.clip()) else {
        return info(editor, "Open a clip first, or press N for a new one.");
    };
    let posed = scalars.iter().filter_map(|&scalar| {
        let (bone, channel) = (model.skeleton.scalar(scalar)?.bone, Channel::Scalar(scalar));
        Some(Posed { bone, channel, value: view.local.value(bone, channel) })
    });
    let posed: Vec<Posed> = posed.collect();
    let (time, new_ease) = (view.time, editor.session.workspace.new_ease);
    let keyed = keyed_as_seen(model, slot, time, new_ease, &posed);
    let channels = posed.iter().map(|posed| (posed.bone, posed.channel)).collect();
    let drop = DraftEdit::DropDraftKeys { model: editor.session.focus.model, clip: Some(slot.id), time, channels };
    step_all(editor, "Key values", vec![keyed, drop.into()]);
}
