//! The document: the saved value and nothing else. A clone shares every part. [`Document::with`] is the only way to a changed
//! document: on a copy, all edits or none.

use std::ops::Deref;
use std::sync::Arc;

use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose::wad::kind::Kind;
use keypose::wad::replaced_newer;

pub(in crate::editor) mod apply;
mod clips;
mod drafts;
pub mod edit;
pub mod follow;
pub mod keyframes;
pub mod keys;
mod materials;
pub mod retiming;
mod scalars;
pub mod size;
pub mod template;

use edit::{Edit, EditError};

/// A project behind `Arc`: two documents that share it are equal without a comparison.
#[derive(Clone, Debug, Default)]
pub struct Document(Arc<Project>);

impl Deref for Document {
    type Target = Project;
    fn deref(&self) -> &Project {
        &self.0
    }
}

impl Document {
    /// Creates the document of a project.
    pub fn new(project: Project) -> Document {
        Document(Arc::new(project))
    }

    /// The project, to be saved or played.
    pub fn project(&self) -> &Arc<Project> {
        &self.0
    }

    /// Whether both are the same value in memory: unchanged since the last save.
    pub fn is_same(&self, other: &Document) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether both hold equal values; shared parts are not compared.
    pub fn is_equal(&self, other: &Document) -> bool {
        let models = |(a, b): (&Arc<Model>, &Arc<Model>)| Arc::ptr_eq(a, b) || models_are_equal(a, b);
        self.is_same(other)
            || (self.models.len() == other.models.len()
                && self.models.iter().zip(&other.models).all(models)
                && lists_are_equal(&self.levels, &other.levels)
                && lists_are_equal(&self.sounds, &other.sounds)
                && self.unknown.len() == other.unknown.len())
    }

    /// The document after all edits, or the reason why one of them failed; then nothing is changed.
    pub fn with(&self, edits: &[Edit]) -> Result<Document, EditError> {
        let mut project = Project::clone(&self.0);
        for edit in edits {
            edit.apply(&mut project)?;
        }
        follow::follow(&mut project, &self.0)?;
        if let Some((kind, model)) = replaced_newer(&project) {
            return Err(EditError::Newer { what: notes_of(kind), model: model.to_owned() });
        }
        Ok(Document::new(project))
    }

    /// The model that a clip belongs to, and the index of the clip in it.
    pub fn find_clip(&self, clip: ClipId) -> Option<(usize, usize)> {
        let place = |(index, model): (usize, &Arc<Model>)| Some((index, model.clip_index(clip)?));
        self.models.iter().enumerate().find_map(place)
    }

    /// A clip and its id, in any model.
    pub fn clip(&self, clip: ClipId) -> Option<&ClipSlot> {
        let (model, at) = self.find_clip(clip)?;
        self.models.get(model)?.clips.get(at)
    }

    /// Checks that every part is valid: models, levels, sounds, names, ids and drafts.
    pub fn check(&self) -> Result<(), String> {
        let mut ids = std::collections::BTreeSet::new();
        for (index, model) in self.models.iter().enumerate() {
            model.check().map_err(|reason| format!("model {}: {reason}", model.name))?;
            if self.models[..index].iter().any(|other| other.name == model.name) {
                return Err(format!("two models are named {}", model.name));
            }
            for (at, slot) in model.clips.iter().enumerate() {
                if slot.clip.name.is_empty() || model.clips[..at].iter().any(|other| other.clip.name == slot.clip.name)
                {
                    return Err(format!(
                        "model {}: the clip name \"{}\" is empty or taken",
                        model.name, slot.clip.name
                    ));
                }
                if !ids.insert(slot.id) || slot.id.0 > self.next_id {
                    return Err(format!("clip {}: id {} is taken or was never given", slot.clip.name, slot.id.0));
                }
            }
            drafts::check(model).map_err(|reason| format!("model {}: {reason}", model.name))?;
        }
        for (at, level) in self.levels.iter().enumerate() {
            level.check().map_err(|reason| format!("level {}: {reason}", level.name))?;
            if self.levels[..at].iter().any(|other| other.name == level.name) {
                return Err(format!("two levels are named {}", level.name));
            }
        }
        for sound in &self.sounds {
            sound.check().map_err(|reason| format!("sound {}: {reason}", sound.name))?;
        }
        if !self.sounds.is_sorted_by(|a, b| a.name < b.name) {
            return Err("the sounds are not sorted by name, or two have the same one".into());
        }
        Ok(())
    }
}

/// The content of a lump that readers may skip, for errors.
fn notes_of(kind: Kind) -> &'static str {
    match kind {
        Kind::DRAFTS => "unkeyed poses",
        Kind::CLIP_NOTES => "folders, tags and derived clips",
        Kind::RIG => "bone groups, mirror pairs, Euler orders, joint limits, IK chains, humanoid and bone map",
        Kind::REFERENCES | Kind::REFERENCE_IMAGE | Kind::REFERENCE_FILM => "reference images",
        Kind::SOUND => "samples",
        Kind::SOURCE => "notes about the source file",
        Kind::SPRITES => "sprite recipe",
        _ => "notes",
    }
}

fn lists_are_equal<T: PartialEq>(a: &[Arc<T>], b: &[Arc<T>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b) || a == b)
}

fn models_are_equal(a: &Model, b: &Model) -> bool {
    let clips = |(a, b): (&ClipSlot, &ClipSlot)| a.id == b.id && (Arc::ptr_eq(&a.clip, &b.clip) || a.clip == b.clip);
    let shown =
        |model: &Model| model.meshes.iter().map(|slot| (Arc::as_ptr(&slot.mesh), slot.visibility)).collect::<Vec<_>>();
    a.name == b.name
        && (Arc::ptr_eq(&a.skeleton, &b.skeleton) || a.skeleton == b.skeleton)
        && a.clips.len() == b.clips.len()
        && a.clips.iter().zip(&b.clips).all(clips)
        && shown(a) == shown(b)
        && lists_are_equal(&a.materials, &b.materials)
        && lists_are_equal(&a.textures, &b.textures)
        && lists_are_equal(&a.references, &b.references)
        && lists_are_equal(&a.skins, &b.skins)
        && a.sockets == b.sockets
        && a.skinning == b.skinning
        && a.samples == b.samples
        && a.machine == b.machine
        && a.drafts == b.drafts
        && a.clip_notes == b.clip_notes
        && a.combat == b.combat
        && a.poses == b.poses
        && a.rig == b.rig
        && a.sprites == b.sprites
}
