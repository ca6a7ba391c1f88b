//! The size of a snapshot: the bytes that it doesn't share with its neighbour. The history is limited by them.

use std::collections::BTreeSet;
use std::mem::size_of;
use std::sync::Arc;

use crate::editor::document::Document;
use keypose::anim::clip::{Clip, Event};
use keypose::anim::key::Key;
use keypose::anim::shared_list::SharedList;
use keypose::assets::clip_notes::ClipNotes;
use keypose::assets::level::{Decor, Level};
use keypose::assets::model::{ClipSlot, Model, Socket};
use keypose::assets::reference::FilmFiles;
use keypose::assets::rig_notes::BoneGroup;
use keypose::assets::saved_pose::SavedPose;
use keypose::assets::spring_notes::Spring;

/// A part behind `Arc`: its address and approximate size.
type Part = (usize, usize);

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
    let lists: usize = models.map(|(at, model)| list_bytes(model, other.models.get(at).map(|model| &**model))).sum();
    bytes + of_clips + lists
}

/// The bytes of events that another state of the clip doesn't share.
fn event_bytes(events: &SharedList<Event>, before: Option<&SharedList<Event>>) -> usize {
    let own = events.unshared(before.unwrap_or(&SharedList::default()));
    events.own_bytes() + own.map(|event| size_of::<Event>() + event.name.len()).sum::<usize>()
}

/// The bytes of poses and groups that another state of the model doesn't share.
fn list_bytes(model: &Model, before: Option<&Model>) -> usize {
    let none = Model::default();
    let before = before.unwrap_or(&none);
    let known: BTreeSet<_> = before.poses.unshared(&model.poses).map(Arc::as_ptr).collect();
    let pose = |pose: &Arc<SavedPose>| {
        if known.contains(&Arc::as_ptr(pose)) {
            size_of::<usize>()
        } else {
            size_of::<SavedPose>() + 160 * pose.bones.len()
        }
    };
    let group = |group: &BoneGroup| size_of::<BoneGroup>() + group.name.len() + name_bytes(&group.bones);
    let (poses, groups) = (&model.poses, &model.rig.groups);
    let lists = poses.own_bytes() + groups.own_bytes();
    let poses: usize = poses.unshared(&before.poses).map(pose).sum();
    lists + poses + groups.unshared(&before.rig.groups).map(group).sum::<usize>()
}

fn parts(document: &Document) -> impl Iterator<Item = Part> + '_ {
    // Two states of a sound share their samples.
    let sounds = document.sounds.iter().map(|sound| (sound.samples.as_ptr() as usize, sound.samples.len()));
    let levels = document.levels.iter().map(|level| (Arc::as_ptr(level) as usize, level_bytes(level)));
    document.models.iter().flat_map(model_parts).chain(sounds).chain(levels)
}

/// The approximate size of a level.
fn level_bytes(level: &Level) -> usize {
    let kinds: usize =
        level.kinds.iter().map(|kind| kind.name.len() + kind.model.len() + kind.nature.becomes.len()).sum();
    let foes: usize = level.foes.iter().map(|foe| foe.kind.len()).sum();
    size_of::<Level>()
        + level.things().count() * size_of::<Decor>()
        + level.name.len()
        + level.player.len()
        + kinds
        + foes
}

/// The approximate size of a model in bytes, including shared parts.
pub fn model_bytes(model: &Arc<Model>) -> usize {
    let clips: usize = model.clips.iter().map(|slot| clip_bytes(&slot.clip, None)).sum();
    model_parts(model).iter().map(|(_, bytes)| bytes).sum::<usize>() + clips + list_bytes(model, None)
}

fn model_parts(model: &Arc<Model>) -> Vec<Part> {
    fn address<T>(part: &Arc<T>) -> usize {
        Arc::as_ptr(part) as usize
    }
    let drafts: usize = model.drafts.iter().map(|draft| size_of::<Key>() * draft.keys.len()).sum();
    let slots = 16 * (model.clips.len() + model.meshes.len() + model.materials.len() + model.textures.len());
    let own = (address(model), size_of::<Model>() + drafts + slots + notes_bytes(model));
    let mut parts = vec![own, (address(&model.skeleton), model.skeleton.len() * 96)];
    parts.push((address(&model.combat), model.combat.bytes()));
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

/// The approximate size of what states of a model don't share: notes of the rig and of clips, sockets, and the table of the game.
fn notes_bytes(model: &Model) -> usize {
    use name_bytes as names;
    let rig = &model.rig;
    let mirror = rig.mirror.iter().flat_map(|(left, right)| [left, right]);
    let others = rig.humanoid.iter().chain(&rig.bone_map).flat_map(|(theirs, ours)| [theirs, ours]);
    let clips: usize = model
        .clip_notes
        .values()
        .map(|notes| size_of::<ClipNotes>() + notes.folder.len() + names(&notes.tags) + names(&notes.mask))
        .sum();
    let sockets: usize = model.sockets.iter().map(|socket| size_of::<Socket>() + socket.name.len()).sum();
    let states = names(model.machine.states.iter().flat_map(|row| [&row.state, &row.clip]));
    let places: usize = model.machine.graph.iter().map(|graph| size_of_val(&graph.places[..])).sum();
    let bones =
        names(rig.orders.keys()) + names(rig.limits.keys()) + names(rig.chains.keys()) + names(rig.masses.keys());
    let springs = rig.springs.bones.keys().chain(rig.springs.bones.values().flat_map(|spring| &spring.colliders));
    let colliders = size_of_val(&rig.springs.colliders[..]) + rig.springs.bones.len() * size_of::<Spring>();
    let bones = bones + names(springs) + colliders;
    names(mirror.chain(others)) + bones + clips + sockets + states + places
}

fn name_bytes<'a>(names: impl IntoIterator<Item = &'a String>) -> usize {
    names.into_iter().map(|name| size_of::<String>() + name.len()).sum()
}

/// The bytes of a clip that another state of it doesn't share.
fn clip_bytes(clip: &Clip, before: Option<&Clip>) -> usize {
    let of_all = || clip.keyframes.bytes();
    let keys = before.map_or_else(of_all, |before| clip.keyframes.unshared_bytes(&before.keyframes));
    size_of::<Clip>() + clip.name.len() + keys + event_bytes(&clip.events, before.map(|before| &before.events))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use keypose::anim::clip::Keyframe;
    use keypose::anim::time::Time;
    use keypose::assets::combat::{Cancel, Combat, Lanes};
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
        let cancel = Cancel { into: vec!["jump".into(); 256], ..Cancel::default() };
        let lanes = Lanes { cancels: vec![cancel; 1000], ..Lanes::default() };
        let combat = Arc::new(Combat { lanes: [(ClipId(1), lanes)].into(), ..Combat::default() });
        let with = |name: &str, combat: &Arc<Combat>| {
            let model = Model { name: name.into(), combat: combat.clone(), ..Model::default() };
            Document::new(Project { models: vec![Arc::new(model)], ..Project::default() })
        };
        let before = with("a", &combat);
        assert!(unshared_bytes(&with("b", &combat), &before) < 10_000);
        assert!(unshared_bytes(&with("a", &Arc::new((*combat).clone())), &before) > 256_000 * size_of::<String>());
    }

    #[test]
    fn a_state_counts_its_copies_of_notes() {
        let notes = ClipNotes { tags: vec!["fight".into(); 10_000], ..ClipNotes::default() };
        let noted = Model { clip_notes: [(ClipId(1), notes)].into(), ..Model::default() };
        let mut named = Model::default();
        named.rig.bone_map = (0..10_000).map(|bone| (format!("theirs {bone}"), "ours".into())).collect();
        for model in [noted, named] {
            let with =
                |model: &Model| Document::new(Project { models: vec![Arc::new(model.clone())], ..Project::default() });
            let other = Model { name: "other".into(), ..model.clone() };
            assert!(unshared_bytes(&with(&model), &with(&other)) > 10_000 * size_of::<String>());
        }
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
