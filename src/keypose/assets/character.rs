//! A character: a model with baked clips. Used by the preview, the game and the writer of archives.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::anim::bake::{BakeOptions, BakedClip, bake_reaching};
use crate::anim::parallel;
use crate::assets::mesh_reach::{ReachParts, reach};
use crate::assets::model::{ClipSlot, Model};

/// A model with baked clips.
#[derive(Clone, Debug)]
pub struct Character {
    /// The model, shared with the document or the archive.
    pub model: Arc<Model>,
    /// One for each of the model's clips, in the same order.
    pub clips: Vec<Arc<BakedClip>>,
}

impl Character {
    /// Bakes every clip. Clips that `before` has baked for the same skeleton and the same reach of its vertices are shared.
    pub fn bake(model: &Arc<Model>, before: Option<&Character>) -> Character {
        Character::bake_with(model, before, &model.bake_options())
    }

    /// Bakes every model, in order. Clips that the characters of the same names have baked are shared.
    pub fn bake_all(models: &[Arc<Model>], before: &[Arc<Character>]) -> Vec<Arc<Character>> {
        // The first of each name.
        let known: BTreeMap<&str, &Arc<Character>> =
            before.iter().rev().map(|character| (character.model.name.as_str(), character)).collect();
        let baked = models.iter().map(|model| match known.get(model.name.as_str()) {
            Some(character) if Arc::ptr_eq(&character.model, model) => (*character).clone(),
            known => Arc::new(Character::bake(model, known.map(|character| character.as_ref()))),
        });
        baked.collect()
    }

    /// As [`Character::bake`], with options. `before` should have been baked with the same ones.
    pub fn bake_with(model: &Arc<Model>, before: Option<&Character>, options: &BakeOptions) -> Character {
        let before = before.filter(|before| {
            Arc::ptr_eq(&before.model.skeleton, &model.skeleton) && before.model.samples == model.samples
        });
        let measured = OnceLock::new();
        let own_reach = || measured.get_or_init(|| reach(model));
        let is_same = |before: &Model| ReachParts::of(before) == ReachParts::of(model) || reach(before) == *own_reach();
        let before = before.filter(|before| is_same(&before.model));
        let slots = before.into_iter().flat_map(|before| before.model.clips.iter().zip(&before.clips));
        let known: BTreeMap<_, _> = slots.map(|(slot, baked)| (Arc::as_ptr(&slot.clip), baked)).collect();
        let shared = |slot: &ClipSlot| known.get(&Arc::as_ptr(&slot.clip)).map(|baked| Arc::clone(baked));
        let slots: Vec<_> = model.clips.iter().map(|slot| (&slot.clip, shared(slot))).collect();
        let new = slots.iter().filter(|(_, shared)| shared.is_none());
        let bytes = new.map(|(clip, _)| clip.keyframes.bytes()).sum();
        let clips = parallel::map(&slots, bytes, |(clip, shared)| match shared {
            Some(baked) => baked.clone(),
            None => Arc::new(bake_reaching(clip, &model.skeleton, own_reach(), options)),
        });
        Character { model: model.clone(), clips }
    }

    /// The baked form of the first clip of that exact name.
    pub fn clip_named(&self, name: &str) -> Option<&Arc<BakedClip>> {
        let at = self.model.clips.iter().position(|slot| slot.clip.name == name)?;
        self.clips.get(at)
    }
}
