//! The weight of the layer of a clip over time: keys of a scalar of the layer's own clip, so all tools for keys apply to it.

use std::borrow::Cow;
use std::sync::Arc;

use glam::Vec4;

use crate::editor::document::edit::{Edit, ModelEdit};
use crate::editor::ops::layered::layer_weight;
use crate::editor::ops::posed::Posed;
use crate::editor::posing::keying::keyed_as_seen;
use crate::editor::view::View;
use keypose::anim::key::{Channel, Ease};
use keypose::anim::scalar::Scalar;
use keypose::anim::skeleton::Skeleton;
use keypose::anim::time::Time;
use keypose::assets::model::{ClipSlot, Model};

/// The weight that the view shows, 0 to 1.
pub fn shown(view: &View) -> f32 {
    let found = view.model.as_ref().and_then(|model| layer_weight(&model.skeleton));
    found.map_or(1.0, |(_, at)| view.local.scalar(at))
}

/// The edits that key the weight of the layer of a clip as it is seen at a time. The first key adds the scalar to the model, which has an
/// index in the document.
pub fn edits((index, model): (usize, &Model), slot: &ClipSlot, time: Time, ease: Ease, value: f32) -> Vec<Edit> {
    let mut with = Cow::Borrowed(model);
    let mut edits = Vec::new();
    if layer_weight(&model.skeleton).is_none() {
        let scalar = Scalar::layer_weight();
        let scalars = model.skeleton.scalars().iter().cloned().chain([scalar.clone()]).collect();
        edits.push(ModelEdit::AddScalar { model: index, scalar }.into());
        match Skeleton::clone(&model.skeleton).with_scalars(scalars) {
            Ok(skeleton) => with.to_mut().skeleton = Arc::new(skeleton),
            // The document refuses it and gives the reason.
            Err(_) => return edits,
        }
    }
    if let Some((scalar, at)) = layer_weight(&with.skeleton) {
        let value = Vec4::X * value.clamp(0.0, 1.0);
        // The bone of the scalar may have another index since it was added.
        let posed = Posed { bone: scalar.bone, channel: Channel::Scalar(at), value };
        edits.push(keyed_as_seen(&with, slot, time, ease, &[posed]));
    }
    edits
}
