//! The size of a snapshot: the bytes that it doesn't share with its neighbour. The history is limited by them.

use std::collections::BTreeSet;
use std::mem::size_of;
use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::anim::key::Key;
use crate::assets::model::Model;
use crate::editor::document::Document;

/// A part behind `Arc`: its address and approximate size.
type Part = (usize, usize);

/// The approximate number of bytes of `document` that `other` doesn't share.
pub fn unshared_bytes(document: &Document, other: &Document) -> usize {
    if document.is_same(other) {
        return 0;
    }
    let shared: BTreeSet<usize> = parts(other).map(|part| part.0).collect();
    parts(document).filter(|(address, _)| !shared.contains(address)).map(|(_, bytes)| bytes).sum()
}

fn parts(document: &Document) -> impl Iterator<Item = Part> + '_ {
    // Two states of a sound share their samples.
    let sounds = document.sounds.iter().map(|sound| (sound.samples.as_ptr() as usize, sound.samples.len()));
    document.models.iter().flat_map(model_parts).chain(sounds)
}

/// The approximate size of a model in bytes, including shared parts.
pub fn model_bytes(model: &Arc<Model>) -> usize {
    model_parts(model).iter().map(|(_, bytes)| bytes).sum()
}

fn model_parts(model: &Arc<Model>) -> Vec<Part> {
    fn address<T>(part: &Arc<T>) -> usize {
        Arc::as_ptr(part) as usize
    }
    let drafts: usize = model.drafts.iter().map(|draft| size_of::<Key>() * draft.keys.len()).sum();
    let slots = 16 * (model.clips.len() + model.meshes.len() + model.materials.len() + model.textures.len());
    let own = (address(model), size_of::<Model>() + drafts + slots);
    let mut parts = vec![own, (address(&model.skeleton), model.skeleton.len() * 96)];
    parts.extend(model.clips.iter().map(|slot| (address(&slot.clip), clip_bytes(&slot.clip))));
    parts.extend(model.poses.iter().map(|pose| (address(pose), 160 * pose.bones.len())));
    let images = model.references.iter().map(|reference| &reference.image);
    parts.extend(model.textures.iter().chain(images).map(|texture| (address(texture), texture.pixels.len())));
    parts.extend(model.meshes.iter().map(|slot| {
        let vertex = 24 + 48 * slot.mesh.influences.len();
        (address(&slot.mesh), slot.mesh.positions.len() * vertex + slot.mesh.indices.len() * 4)
    }));
    parts
}

/// The size of a clip's keys and keyframes in bytes.
pub fn clip_bytes(clip: &Clip) -> usize {
    size_of::<Clip>() + clip.keyframes.bytes()
}
