//! Clips, drafts and sockets of a model: they follow the bones of a re-import.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::anim::clip::{Clip, Event};
use crate::anim::scalar::ScalarKind;
use crate::anim::shared_list::SharedList;
use crate::anim::skeleton::BoneIndex;
use crate::anim::transform::Transform;
use crate::assets::clip_notes::ClipNotes;
use crate::assets::id::ClipId;
use crate::assets::model::{ClipSlot, Model};
use crate::bone_data::{change_clip, change_keys};
use crate::reimport::SameClips;
use crate::reimport::merge::Merged;
use crate::reimport::table::{Change, Row, Subject};
use crate::root_motion::{self, extracted};

const DRAFT: &str = "a draft";

/// Lists the authored users of each bone: "clip walk", "socket hand", "a draft".
pub fn uses(model: &Model) -> Vec<Vec<String>> {
    let mut uses = vec![Vec::new(); model.skeleton.len()];
    for slot in &model.clips {
        let mut is_keyed = vec![false; uses.len()];
        let keys = slot.clip.keyframes.iter().flat_map(|keyframe| keyframe.keys.iter());
        for key in keys {
            if let Some(is_keyed) = is_keyed.get_mut(usize::from(key.bone)) {
                *is_keyed = true;
            }
        }
        let keyed = uses.iter_mut().zip(is_keyed).filter(|(_, is_keyed)| *is_keyed);
        keyed.for_each(|(uses, _)| uses.push(format!("clip {}", slot.clip.name)));
    }
    for scalar in model.skeleton.scalars().iter().filter(|scalar| scalar.kind != ScalarKind::Weight) {
        uses[usize::from(scalar.bone)].push(format!("{} {}", scalar.kind.name(), scalar.name));
    }
    for socket in &model.sockets {
        uses[usize::from(socket.bone)].push(format!("socket {}", socket.name));
    }
    for bone in model.combat.bones().into_iter().filter_map(|name| model.skeleton.find(name)) {
        uses[usize::from(bone)].push("volumes".to_owned());
    }
    let contacts = model.combat.lanes.values().flat_map(|lanes| &lanes.contacts);
    let contacts: BTreeSet<&str> = contacts.map(|contact| contact.bone.as_str()).collect();
    for bone in contacts.into_iter().filter_map(|name| model.skeleton.find(name)) {
        uses[usize::from(bone)].push("contacts".to_owned());
    }
    for key in model.drafts.iter().flat_map(|draft| &draft.keys) {
        if let Some(uses) = uses.get_mut(usize::from(key.bone)).filter(|uses| uses.last().is_none_or(|it| it != DRAFT))
        {
            uses.push(DRAFT.to_owned());
        }
    }
    uses
}

/// Brings clips, drafts and sockets of the model before to the merged skeleton.
pub fn keep(model: &mut Model, merged: &Merged) {
    change_keys(model, |key| merged.key_of_before(key));
    for slot in &mut model.clips {
        if let Some(rooted) = rooted(&slot.clip, merged) {
            slot.clip = Arc::new(rooted);
        }
    }
    for socket in &mut model.sockets {
        let space = merged.spaces.get(usize::from(socket.bone)).copied().unwrap_or_default();
        let Transform { translation, rotation, scale } = socket.transform;
        socket.transform = Transform {
            translation: space.rotation * (translation * space.scale),
            rotation: space.rotation * rotation,
            scale: scale * space.scale,
        };
        // Bones of sockets are used, so they stay.
        socket.bone = merged.of_before.get(usize::from(socket.bone)).copied().flatten().unwrap_or_default();
    }
}

/// Adds the clips of the changed model that are new, with their tags and lanes, and replaces others if that is wanted.
pub fn add(model: &mut Model, changed: &Model, merged: &Merged, same: SameClips) -> Vec<Row> {
    let mut rows = Vec::new();
    let known = model.clips.iter().map(|slot| slot.clip.name.clone()).zip(0..);
    let known: BTreeMap<String, usize> = known.collect();
    let used: BTreeSet<ClipId> = model.clips.iter().map(|slot| slot.id).collect();
    let free = (0..).map(ClipId).filter(|id| !used.contains(id));
    for (slot, id) in changed.clips.iter().zip(free) {
        let mut clip = slot.clip.clone();
        change_clip(&mut clip, |key| merged.key_of_changed(key));
        let name = clip.name.clone();
        let Some(&at) = known.get(&name) else {
            model.clips.push(ClipSlot { id, clip });
            note(model, id, (changed, slot.id));
            rows.push(Row::new(Subject::Clip, &name, Change::New));
            continue;
        };
        let old = &*model.clips[at].clip;
        // For most files they were guessed.
        let clip = Clip { root_motion: old.root_motion, loop_mode: old.loop_mode, ..Clip::clone(&clip) };
        let clip = match is_keyed(old, 0) {
            true => root_motion::rooted(clip, &merged.skeleton),
            false => rooted(&clip, merged).unwrap_or(clip),
        };
        if *model.clips[at].clip == clip {
            continue;
        }
        let is_derived = model.derived(model.clips[at].id).is_some();
        match same {
            SameClips::Replace if !is_derived => {
                let events = if clip.events.is_empty() {
                    fitting_events(&model.clips[at].clip, &clip)
                } else {
                    clip.events.clone()
                };
                model.clips[at].clip = Arc::new(Clip { events, ..clip });
                rows.push(Row::new(Subject::Clip, &name, Change::Replaced));
            }
            SameClips::Replace | SameClips::Keep => rows.push(Row::new(Subject::Clip, &name, Change::Differs)),
        }
    }
    rows
}

/// Gives a clip the tags and lanes that it has in the changed model, where it may be made from another one.
fn note(model: &mut Model, id: ClipId, (changed, of): (&Model, ClipId)) {
    if let Some(notes) = changed.clip_notes.get(&of) {
        model.note(id, |new| *new = ClipNotes { derived: None, ..notes.clone() });
    }
    if let Some(lanes) = changed.combat.lanes.get(&of) {
        model.combat_mut().lanes.insert(id, lanes.clone());
    }
}

/// The clip with the motion of its root in the first bone, if that is another one than before: a game reads that of the first bone.
fn rooted(clip: &Clip, merged: &Merged) -> Option<Clip> {
    let root = merged.of_before.first().copied().flatten();
    let root = root.filter(|root| is_keyed(clip, *root) && !is_keyed(clip, 0))?;
    extracted(clip, &merged.skeleton, root, clip.root_motion)
}

fn is_keyed(clip: &Clip, bone: BoneIndex) -> bool {
    clip.keyframes.iter().any(|keyframe| keyframe.keys.iter().any(|key| key.bone == bone))
}

/// The events of a clip that are inside of another one.
fn fitting_events(of: &Clip, clip: &Clip) -> SharedList<Event> {
    of.events.iter().filter(|event| event.time <= clip.length()).cloned().collect()
}
