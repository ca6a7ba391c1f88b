//! The size of a snapshot: the bytes that it doesn't share with its neighbour. The history is limited by them. What can be large
//! is counted; names and notes are estimated by the numbers of bones, clips and ranges.

use std::collections::BTreeSet;
use std::mem::size_of;
use std::sync::Arc;

use crate::editor::document::Document;
use keypose::anim::clip::{Clip, Event};
use keypose::anim::key::Key;
use keypose::anim::shared_list::SharedList;
use keypose::assets::combat::{Combat, Lanes};
use keypose::assets::level::{Decor, Level};
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::reference::FilmFiles;
use keypose::assets::saved_pose::SavedPose;

/// A part behind `Arc`: its address and approximate size.
type Part = (usize, usize);

/// An estimate of the bytes of the notes about a bone or a clip, which states of a model don't share.
const NOTE_BYTES: usize = 128;

/// An estimate of the bytes of a range in a lane, with its volumes and names.
const RANGE_BYTES: usize = 256;

/// The approximate number of bytes of `document` that `other` doesn't share.
pub fn unshared_bytes(document: &Document, other: &Document) -> usize {
    if document.is_same(other) {
        return 0;
    }
    let shared: BTreeSet<usize> = parts(other).map(|part| part.0).collect();
    let bytes: usize = parts(document).filter(|(address, _)| !shared.contains(address)).map(|(_, bytes)| bytes).sum();
    let clips = document.models.iter().flat_map(|model| &model.clips);
    let changed = clips.filter(|slot| !shared.contains(&(Arc::as_ptr(&slot.clip) as usize)));
    let of_clip = |slot: &ClipSlot| clip_bytes(&slot.clip, other.clip(slot.id).map(|before| &*before.clip));
    let of_clips: usize = changed.map(of_clip).sum();
    let models =
        document.models.iter().enumerate().filter(|(_, model)| !shared.contains(&(Arc::as_ptr(model) as usize)));
    let poses: usize = models.map(|(at, model)| pose_bytes(model, other.models.get(at).map(|model| &**model))).sum();
    bytes + of_clips + poses
}

/// The bytes of saved poses that another state of the model doesn't share.
fn pose_bytes(model: &Model, before: Option<&Model>) -> usize {
    let none = SharedList::default();
    let before = before.map_or(&none, |before| &before.poses);
    let known: BTreeSet<_> = before.unshared(&model.poses).map(Arc::as_ptr).collect();
    let new = model.poses.unshared(before).filter(|pose| !known.contains(&Arc::as_ptr(pose)));
    model.poses.own_bytes() + new.map(|pose| size_of::<SavedPose>() + 160 * pose.bones.len()).sum::<usize>()
}

fn parts(document: &Document) -> impl Iterator<Item = Part> + '_ {
    // Two states of a sound share their samples.
    let sounds = document.sounds.iter().map(|sound| (sound.samples.as_ptr() as usize, sound.samples.len()));
    let level_bytes = |level: &Level| size_of::<Level>() + level.things().count() * size_of::<Decor>();
    let levels = document.levels.iter().map(move |level| (Arc::as_ptr(level) as usize, level_bytes(level)));
    document.models.iter().flat_map(model_parts).chain(sounds).chain(levels)
}

/// The approximate size of a model in bytes, including shared parts.
pub fn model_bytes(model: &Arc<Model>) -> usize {
    let clips: usize = model.clips.iter().map(|slot| clip_bytes(&slot.clip, None)).sum();
    model_parts(model).iter().map(|(_, bytes)| bytes).sum::<usize>() + clips + pose_bytes(model, None)
}

fn model_parts(model: &Arc<Model>) -> Vec<Part> {
    fn address<T>(part: &Arc<T>) -> usize {
        Arc::as_ptr(part) as usize
    }
    let drafts: usize = model.drafts.iter().map(|draft| size_of::<Key>() * draft.keys.len()).sum();
    let slots = 16 * (model.clips.len() + model.meshes.len() + model.materials.len() + model.textures.len());
    let notes = NOTE_BYTES * (model.skeleton.len() + model.clips.len());
    let own = (address(model), size_of::<Model>() + drafts + slots + notes);
    let mut parts = vec![own, (address(&model.skeleton), model.skeleton.len() * 96)];
    parts.push((address(&model.combat), combat_bytes(&model.combat)));
    parts.extend(model.skins.iter().map(|skin| (address(skin), skin.joints.len() * 66)));
    // What a clip takes depends on the state that it is compared with.
    parts.extend(model.clips.iter().map(|slot| (address(&slot.clip), 0)));
    let images = model.references.iter().map(|reference| &reference.image);
    parts.extend(model.textures.iter().chain(images).map(|texture| (address(texture), texture.bytes())));
    let films = model.references.iter().filter_map(|reference| reference.film.as_ref());
    parts.extend(films.filter_map(|film| match &film.source.files {
        FilmFiles::Kept(files) => Some((address(files), film.bytes())),
        FilmFiles::Linked => None,
    }));
    parts.extend(model.meshes.iter().map(|slot| {
        let vertex = 24 + 48 * slot.mesh.influences.len();
        let moved: usize = slot.mesh.morphs.iter().map(|morph| 28 * morph.vertices.len()).sum();
        (address(&slot.mesh), slot.mesh.positions.len() * vertex + slot.mesh.indices.len() * 4 + moved)
    }));
    parts
}

/// The approximate size of the lanes of all clips.
fn combat_bytes(combat: &Combat) -> usize {
    let ranges = |lanes: &Lanes| {
        let Lanes { hits, hurts, cancels, invulnerable, contacts } = lanes;
        hits.len() + hurts.len() + cancels.len() + invulnerable.len() + contacts.len()
    };
    RANGE_BYTES * combat.lanes.values().map(ranges).sum::<usize>()
}

/// The bytes of a clip that another state of it doesn't share.
fn clip_bytes(clip: &Clip, before: Option<&Clip>) -> usize {
    let of_all = || clip.keyframes.bytes();
    let keys = before.map_or_else(of_all, |before| clip.keyframes.unshared_bytes(&before.keyframes));
    let none = SharedList::default();
    let events = clip.events.unshared(before.map_or(&none, |before| &before.events)).count();
    size_of::<Clip>() + keys + clip.events.own_bytes() + size_of::<Event>() * events
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use keypose::anim::clip::Keyframe;
    use keypose::anim::time::Time;
    use keypose::assets::combat::Cancel;
    use keypose::assets::id::ClipId;
    use keypose::assets::project::Project;

    /// The document with a clip of keyframes that each have a key of 60 bones.
    fn with(keyframes: &[Keyframe]) -> Document {
        let clip = Clip { keyframes: keyframes.to_vec().into(), ..Clip::new("long") };
        let clips = vec![ClipSlot { id: ClipId(1), clip: Arc::new(clip) }];
        let model = Arc::new(Model { name: "m".into(), clips, ..Model::default() });
        Document::new(Project { models: vec![model], next_id: 1, ..Project::default() })
    }

    #[test]
    fn a_state_with_a_changed_level_counts_the_level() {
        let with = |coins: usize| {
            let level = Level { coins: vec![glam::Vec2::ZERO; coins], ..Level::default() };
            Document::new(Project { levels: vec![Arc::new(level)], ..Project::default() })
        };
        let (before, after) = (with(10_000), with(10_001));
        assert!(unshared_bytes(&after, &before) > 10_000 * size_of::<glam::Vec2>());
        assert!(unshared_bytes(&after, &after.with(&[]).unwrap()) < 10_000);
    }

    #[test]
    fn states_of_a_model_share_its_lanes() {
        let lanes = Lanes { cancels: vec![Cancel::default(); 1000], ..Lanes::default() };
        let combat = Arc::new(Combat { lanes: [(ClipId(1), lanes)].into(), ..Combat::default() });
        let with = |name: &str, combat: &Arc<Combat>| {
            let model = Model { name: name.into(), combat: combat.clone(), ..Model::default() };
            Document::new(Project { models: vec![Arc::new(model)], ..Project::default() })
        };
        let before = with("a", &combat);
        assert!(unshared_bytes(&with("b", &combat), &before) < 10_000);
        assert!(unshared_bytes(&with("a", &Arc::new((*combat).clone())), &before) > 1000 * size_of::<Cancel>());
    }

    #[test]
    fn states_of_a_clip_share_the_keys_that_a_step_leaves() {
        let keys = || (0..60).map(|bone| Key::translation(bone, Vec3::ONE)).collect::<Vec<_>>().into();
        let keyframes: Vec<Keyframe> =
            (0..1000).map(|_| Keyframe { duration: Time(1), keys: keys(), ..Keyframe::default() }).collect();
        let before = with(&keyframes);
        let whole = unshared_bytes(&before, &with(&[]));
        assert!(whole > 1000 * 60 * size_of::<Key>());
        let few = 1000 * size_of::<Keyframe>() + 10_000;
        for at in [0, 500, 999] {
            let mut changed = keyframes.clone();
            changed[at].keys = keys();
            let bytes = unshared_bytes(&before, &with(&changed));
            assert!(bytes > 60 * size_of::<Key>() && bytes < few, "keyframe {at} was changed: {bytes}");
            changed.remove(at);
            assert!(unshared_bytes(&before, &with(&changed)) < few, "keyframe {at} was removed");
        }
        assert!(unshared_bytes(&before, &with(&keyframes)) < few, "the clip alone is new");
    }
}
