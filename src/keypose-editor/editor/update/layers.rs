//! Layers of the open clip: added, limited to bones, weighted at the playhead, flattened.

use crate::editor::document::edit::ClipEdit;
use crate::editor::ops::layered::flattened;
use crate::editor::posing::layer_weight;
use crate::editor::state::Editor;
use crate::editor::update::clips::{add, key_count};
use crate::editor::update::{info, step, step_all};
use keypose::anim::bake::measure::Reach;
use keypose::anim::fit::{self, Tolerance};
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::assets::clip_notes::LayerBlend;

/// The tolerance of a reduction whose user gave none: a thousandth of the model's size, a fifth of a degree and a thousandth of a scale.
pub fn fine(skeleton: &Skeleton) -> Tolerance {
    let translation = Reach::of(skeleton).model_size * 1e-3;
    Tolerance { translation, rotation: 0.2_f32.to_radians(), scale: 1e-3 }
}

/// Adds a layer over the active clip and opens the clip with it: what is posed there is keyed in the layer.
pub fn add_layer(editor: &mut Editor) {
    if let Some(source) = editor.session.focus.clip {
        add(editor, "Add layer", ClipEdit::AddLayer { source, blend: LayerBlend::Add });
    }
}

/// Limits the layer of the active clip to bones; none for all.
pub fn mask(editor: &mut Editor, bones: &[BoneIndex]) {
    let (Some(slot), Some(model)) = (editor.clip(), editor.model()) else { return };
    let Some(layer) = model.derived(slot.id).and_then(|derived| derived.how.layer()) else { return };
    let names = bones.iter().filter_map(|bone| Some(model.skeleton.get(*bone)?.name.clone())).collect();
    let label = if bones.is_empty() { "Clear layer limit" } else { "Limit layer" };
    step(editor, label, ClipEdit::SetMask { clip: layer.clip, bones: names });
}

/// Keys the weight of the layer of the active clip at the playhead: a value of 0 to 1, or the one that is shown.
pub fn key_weight(editor: &mut Editor, value: Option<f32>) {
    let view = editor.view();
    let (Some(slot), Some(model)) = (editor.clip(), editor.model()) else { return };
    let (at, ease) = (editor.session.focus.model, editor.session.workspace.new_ease);
    let value = value.unwrap_or_else(|| layer_weight::shown(&view));
    let edits = layer_weight::edits((at, model), slot, view.time, ease, value);
    step_all(editor, "Key layer weight", edits);
}

/// Makes the active clip, which has layers, a clip of its own with as few keys as a tolerance allows.
pub fn flatten(editor: &mut Editor, tolerance: Option<Tolerance>) {
    let (Some(slot), Some(model)) = (editor.clip().cloned(), editor.model()) else { return };
    let with = flattened(&slot.clip, &model.skeleton, &tolerance.unwrap_or_else(|| fine(&model.skeleton)));
    let error = fit::deviation(&slot.clip, &with, &model.skeleton.parent_scales());
    let (before, after) = (key_count(&slot.clip), key_count(&with));
    let replace = ClipEdit::ReplaceClip { clip: slot.id, with: Box::new(with) };
    step_all(editor, "Flatten layers", vec![ClipEdit::UnlockClip { clip: slot.id }.into(), replace.into()]);
    let Tolerance { translation, rotation, scale } = error;
    let degrees = rotation.to_degrees();
    info(
        editor,
        format!(
            "Flattened to {after} of {before} keys. Measured error: position {translation:.4}, rotation {degrees:.3}°, scale {scale:.4}."
        ),
    );
}
