//! A project: the content of one archive, and the document of the editor.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::assets::clip_event::{self, What};
use crate::assets::clip_notes::Derived;
use crate::assets::id::ClipId;
use crate::assets::level::Level;
use crate::assets::model::Model;
use crate::assets::sound::Sound;

/// A lump of an unknown ancillary kind. It is kept byte for byte when the archive is saved again.
#[derive(Clone, Debug, PartialEq)]
pub struct UnknownLump {
    /// Four characters, the first in lower case.
    pub kind: [u8; 4],
    /// Name in the directory.
    pub name: String,
    /// Schema version.
    pub version: u16,
    /// Decompressed bytes.
    pub bytes: Arc<[u8]>,
}

/// The models, levels, sounds and unknown lumps of an archive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Project {
    /// In display order; unique names.
    pub models: Vec<Arc<Model>>,
    /// Unique names.
    pub levels: Vec<Arc<Level>>,
    /// Sorted by their names, which are unique.
    pub sounds: Vec<Arc<Sound>>,
    /// Lumps of unknown kinds.
    pub unknown: Vec<UnknownLump>,
    /// The last id that was assigned; not less than any in use, and never decreased.
    pub next_id: u32,
}

impl Project {
    /// Assigns a new id, which no clip of this project had before.
    pub fn new_clip_id(&mut self) -> ClipId {
        self.next_id += 1;
        ClipId(self.next_id)
    }

    /// Appends a model. Its clips get new ids; a name that is already used gets a number.
    pub fn add_model(&mut self, model: Model) {
        self.add_models([model]);
    }

    /// Appends models of another project, as [`Project::add_model`]. Derived clips, sockets and events that refer to others of them
    /// follow.
    pub fn add_models(&mut self, models: impl IntoIterator<Item = Model>) {
        let (mut models, first) = (Vec::from_iter(models), self.models.len());
        let (mut ids, mut names) = (BTreeMap::new(), Vec::new());
        for slot in models.iter_mut().flat_map(|model| &mut model.clips) {
            let new = self.new_clip_id();
            // If two clips have the same id, it refers to the first.
            ids.entry(std::mem::replace(&mut slot.id, new)).or_insert(new);
        }
        for mut model in models {
            renumber(&mut model, &ids);
            let name = unique_name(&model.name, |name| self.model_named(name).is_some());
            let before = std::mem::replace(&mut model.name, name.clone());
            if !before.is_empty() && before != name {
                names.push([before, name]);
            }
            self.models.push(Arc::new(model));
        }
        self.models.iter_mut().skip(first).for_each(|model| follow_names(model, &names));
    }

    /// The model that a clip belongs to, and the clip.
    pub fn owner_of(&self, id: ClipId) -> Option<(&Arc<Model>, &Arc<Clip>)> {
        self.models.iter().find_map(|model| Some((model, model.clip(id)?)))
    }

    /// The sound of that exact name.
    pub fn sound_named(&self, name: &str) -> Option<&Arc<Sound>> {
        let at = self.sounds.binary_search_by(|sound| sound.name.as_str().cmp(name)).ok()?;
        self.sounds.get(at)
    }

    /// The index of the model of that exact name.
    pub fn model_named(&self, name: &str) -> Option<usize> {
        self.models.iter().position(|model| model.name == name)
    }
}

/// Lets a model refer to clips by their new ids.
fn renumber(model: &mut Model, ids: &BTreeMap<ClipId, ClipId>) {
    let new = |old: ClipId| ids.get(&old).copied();
    for draft in &mut model.drafts {
        draft.clip = draft.clip.map(|old| new(old).unwrap_or(old));
    }
    let notes = std::mem::take(&mut model.clip_notes).into_iter().filter_map(|(old, mut notes)| {
        let follow =
            |derived: Derived| Some(Derived { source: new(derived.source)?, how: derived.how.with_clip(new)? });
        notes.derived = notes.derived.and_then(follow);
        Some((new(old)?, notes))
    });
    model.clip_notes = notes.collect();
    let lanes = std::mem::take(&mut model.combat_mut().lanes);
    model.combat_mut().lanes = lanes.into_iter().filter_map(|(old, lanes)| Some((new(old)?, lanes))).collect();
}

/// Lets the sockets and events of a model refer to models by their new names: pairs of the old and the new one.
fn follow_names(model: &mut Arc<Model>, names: &[[String; 2]]) {
    for socket in &mut Arc::make_mut(model).sockets {
        if let Some([_, new]) = names.iter().find(|[old, _]| *old == socket.attached) {
            socket.attached.clone_from(new);
        }
    }
    let renamed = |event: &str, [old, new]: &[String; 2]| clip_event::renamed(event, What::Model, [old, new]);
    clip_event::rename(model, |event| names.iter().find_map(|names| renamed(event, names)));
}

/// The name, with ".001", ".002", … appended if it is already used; "unnamed" for an empty one.
pub fn unique_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let name = named(name);
    if !is_taken(name) {
        return name.to_owned();
    }
    let stem = stem_of(name);
    let numbered = |number: u32| format!("{stem}.{number:03}");
    let is_free = |number: &u32| !is_taken(&numbered(*number));
    if let Some(near) = (1..=TRIED).find(is_free) {
        return numbered(near);
    }
    // The first free one after some that are used: few tries for long lists, whose numbers follow each other.
    let (mut used, mut free) = (TRIED, 2 * TRIED);
    while !is_free(&free) {
        (used, free) = (free, free.saturating_mul(2));
    }
    while free - used > 1 {
        let middle = used + (free - used) / 2;
        if is_free(&middle) { free = middle } else { used = middle }
    }
    numbered(free)
}

/// Numbers that are tried in turn.
const TRIED: u32 = 16;

/// The names of a list that is made from nothing. As [`unique_name`], but many equal names take time in proportion to
/// their number.
#[derive(Debug, Default)]
pub struct UsedNames {
    used: BTreeSet<String>,
    /// The number to try next; lower ones are used.
    next: BTreeMap<String, u32>,
}

impl UsedNames {
    /// The name if it is not used yet, else with a number. It is used from then on.
    pub fn take(&mut self, name: &str) -> String {
        let name = named(name);
        if self.used.insert(name.to_owned()) {
            return name.to_owned();
        }
        let stem = stem_of(name);
        let next = self.next.entry(stem.to_owned()).or_insert(1);
        loop {
            let numbered = format!("{stem}.{next:03}");
            *next = next.saturating_add(1);
            if self.used.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

fn named(name: &str) -> &str {
    if name.trim().is_empty() { "unnamed" } else { name }
}

/// The name without the number that was added to make it unique: `Body` of `Body.001`.
pub fn stem_of(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, digits)) if digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit()) => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::clip::Event;
    use crate::anim::transform::Transform;
    use crate::assets::clip_notes::Derivation;
    use crate::assets::draft::Draft;
    use crate::assets::model::{ClipSlot, Socket};

    #[test]
    fn a_taken_name_gets_a_number() {
        let taken = ["walk", "walk.001", "a.b"];
        let cases =
            [("run", "run"), ("walk", "walk.002"), ("walk.001", "walk.002"), ("a.b", "a.b.001"), (" ", "unnamed")];
        for (name, expected) in cases {
            assert_eq!(unique_name(name, |name| taken.contains(&name)), expected);
        }
    }

    #[test]
    fn used_names_are_numbered_as_unique_ones_are() {
        let names = ["walk", "walk", "", "walk.002", "walk", "walk.002", "a.b", "unnamed", "walk", "a.b", "walk.0001"];
        let (mut taken, mut used) = (Vec::<String>::new(), UsedNames::default());
        for name in names {
            let unique = unique_name(name, |name| taken.iter().any(|other| other == name));
            assert_eq!(used.take(name), unique);
            taken.push(unique);
        }
    }

    #[test]
    fn an_added_model_keeps_its_drafts_with_their_clips() {
        let slot = |id| ClipSlot { id: ClipId(id), clip: Arc::new(Clip::new(format!("clip {id}"))) };
        let draft = Draft { clip: Some(ClipId(2)), time: Default::default(), kind: Default::default(), keys: vec![] };
        let model = Model { clips: vec![slot(1), slot(2)], drafts: vec![draft], ..Model::default() };
        let mut project = Project { next_id: 10, ..Project::default() };
        project.add_model(model.clone());
        project.add_model(model);
        let added = &project.models[1];
        assert_eq!(added.drafts[0].clip, Some(added.clips[1].id));
        assert_eq!(project.models.iter().flat_map(|model| &model.clips).map(|slot| slot.id.0).max(), Some(14));
        assert_ne!(project.models[0].name, added.name);
    }

    #[test]
    fn models_that_are_added_together_refer_to_each_other_as_before() {
        let model = |name: &str, id| {
            let event = Event { time: Default::default(), name: "socket hand = sword".into() };
            let clip = Clip { events: vec![event].into(), ..Clip::new("swing") };
            let transform = Transform::IDENTITY;
            let socket = Socket { name: "hand".into(), bone: 0, transform, attached: "sword".into() };
            let clips = vec![ClipSlot { id: ClipId(id), clip: Arc::new(clip) }];
            Model { name: name.into(), clips, sockets: vec![socket], ..Model::default() }
        };
        let mut knight = model("knight", 2);
        let derived = Derived { source: ClipId(1), how: Derivation::Retargeted };
        knight.note(ClipId(2), |notes| notes.derived = Some(derived));
        let mut project = Project { next_id: 10, ..Project::default() };
        for name in ["sword", "sword.001"] {
            project.add_model(model(name, 1));
        }
        project.add_models([knight, model("sword", 1), model("sword.001", 3)]);
        let knight = &project.models[2];
        assert_eq!(knight.sockets[0].attached, "sword.002", "not the one that was there");
        assert_eq!(knight.clips[0].clip.events[0].name, "socket hand = sword.002");
        assert_eq!(knight.derived(knight.clips[0].id).unwrap().source, project.models[3].clips[0].id);
    }
}
