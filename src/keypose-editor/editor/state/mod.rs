//! The editor: document, session, history and the open gesture. Only [`Editor::update`], in `editor/update`, changes it.

pub mod action;
pub mod effect;
pub mod export_options;
mod file_view;
pub mod first_steps;
pub mod history;
pub mod targets;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::editor::document::Document;
use crate::editor::document::edit::KeyRef;
use crate::editor::gesture::Gesture;
use crate::editor::gesture::duration::DurationEntry;
use crate::editor::posing::texture_frames::frame_near;
use crate::editor::session::Session;
use crate::editor::session::focus::Focus;
use crate::editor::session::place::Place;
use crate::editor::session::scene::Scene;
use crate::editor::session::selection::Pick;
use crate::editor::state::action::Origin;
use crate::editor::state::effect::Effect;
use crate::editor::state::history::History;
use crate::editor::view::beside::beside;
use crate::editor::view::caches::Caches;
use crate::editor::view::{Source, View};
use crate::render::frame::bounds::Aabb;
use keypose::anim::scalar::{ScalarIndex, Sheet};
use keypose::assets::material::Material;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose::assets::sound::Sound;

/// A file that another editor has open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockedFile {
    pub path: PathBuf,
    /// The process that has it open: "process 12 on desk".
    pub holder: String,
}

/// The whole state of the editing mode.
#[derive(Clone, Debug)]
pub struct Editor {
    /// The document, with the preview of an open gesture.
    pub document: Document,
    /// Everything that is not saved in the document.
    pub session: Session,
    /// Undo and redo.
    pub history: History,
    /// The edit in progress.
    pub gesture: Option<Gesture>,
    /// The archive that `Save` writes.
    pub file: Option<PathBuf>,
    /// The document's file if another editor has it open. Then [`Editor::file`] is `None`: the document is saved to another file.
    pub locked: Option<LockedFile>,
    /// For a patch, the archives below it: the base, then patches in order. Else empty.
    pub below: Vec<PathBuf>,
    /// The title of the document: the name of its file.
    pub title: String,
    /// The document as it was saved or loaded last.
    pub saved: Document,
    /// Cached results of the view.
    pub caches: Caches,
    /// The number of documents opened before this one.
    pub opened: u32,
    /// Effects of the current action; [`Editor::update`] returns them.
    pub(in crate::editor) effects: Vec<Effect>,
}

impl Editor {
    /// An editor for a loaded project.
    pub fn new(project: Project, origin: &Origin) -> Editor {
        Editor::with_caches(project, origin, Caches::default())
    }

    fn with_caches(project: Project, origin: &Origin, caches: Caches) -> Editor {
        let document = Document::new(project);
        let (file, below, title) = match origin {
            Origin::Archive { below, path } => (Some(path.clone()), below.clone(), title(path, below)),
            Origin::Imported(path) => (None, Vec::new(), title(path, &[])),
            Origin::New => (None, Vec::new(), "untitled".to_owned()),
        };
        let mut editor = Editor {
            saved: document.clone(),
            document,
            session: Session::default(),
            history: History::default(),
            gesture: None,
            file,
            locked: None,
            below,
            title,
            caches,
            opened: 0,
            effects: Vec::new(),
        };
        editor.session.focus.clip = editor.model().and_then(|model| model.clips.first()).map(|slot| slot.id);
        editor.follow_bones();
        editor.frame_all();
        editor
    }

    /// Replaces the document with another project; the workspace (keys, tools, settings, log) is kept.
    pub(in crate::editor) fn reopen(&mut self, project: Project, origin: &Origin) {
        let mut editor = Editor::with_caches(project, origin, self.caches.for_another_document());
        editor.opened = self.opened.wrapping_add(1);
        editor.session.workspace = self.session.workspace.for_another_document();
        editor.effects = std::mem::take(&mut self.effects);
        editor.frame_all();
        *self = editor;
    }

    /// The active model.
    pub fn model(&self) -> Option<&Arc<Model>> {
        self.document.models.get(self.session.focus.model)
    }

    /// The open clip with its id.
    pub fn clip(&self) -> Option<&ClipSlot> {
        let id = self.session.focus.clip?;
        self.model()?.clips.iter().find(|slot| slot.id == id)
    }

    /// The selected material and its index in the model.
    pub fn material(&self) -> Option<(usize, &Arc<Material>)> {
        let materials = &self.model()?.materials;
        let at = self.session.focus.material.min(materials.len().checked_sub(1)?);
        Some((at, materials.get(at)?))
    }

    /// The texture frame of the active material, or else of the first material that has frames.
    pub fn texture_frame(&self) -> Option<(ScalarIndex, Sheet)> {
        frame_near(self.model()?, self.material()?.0)
    }

    /// The index of the active socket of the active model.
    pub fn socket(&self) -> Option<usize> {
        Some(self.session.focus.socket.min(self.model()?.sockets.len().checked_sub(1)?))
    }

    /// The active sound.
    pub fn sound(&self) -> Option<&Arc<Sound>> {
        self.document.sound_named(&self.session.focus.sound).or_else(|| self.document.sounds.first())
    }

    /// The duration that is being typed.
    pub fn typed(&self) -> Option<&DurationEntry> {
        self.gesture.as_ref()?.duration()
    }

    /// Whether there are unsaved changes. An open gesture doesn't count.
    pub fn is_dirty(&self) -> bool {
        let document = self.gesture.as_ref().map_or(&self.document, |gesture| &gesture.base);
        !document.is_same(&self.saved)
    }

    /// The base archive for a patch of this document.
    pub fn patch_base(&self) -> Option<&PathBuf> {
        self.below.first().or(self.file.as_ref())
    }

    /// The inputs of the viewport.
    pub fn source(&self) -> Source<'_> {
        let Editor { document, saved, session, caches, .. } = self;
        Source { document, saved, session, caches }
    }

    /// The pose on screen.
    pub fn view(&self) -> View {
        View::of(&self.document, &self.session, &self.caches.bakes)
    }

    /// Whether poses of a reduction are searched, a slice in each frame.
    pub fn is_searching(&self) -> bool {
        self.gesture.as_ref().and_then(|gesture| gesture.poses()?.progress()).is_some()
    }

    /// The active model and clip, the playhead and the selections.
    pub fn place(&self) -> Place {
        let Focus { model, clip, playhead, selection, machine, .. } = &self.session.focus;
        Place {
            model: *model,
            clip: *clip,
            time: playhead.time,
            loop_section: playhead.loop_section,
            selection: selection.clone(),
            things: self.session.transient.scene.level().map(|desk| (desk.level, desk.active_last())),
            machine: machine.clone(),
        }
    }

    /// Restores a place, as far as its items still exist.
    pub fn go_to(&mut self, place: &Place) {
        self.follow_bones();
        self.session.focus.model = place.model;
        self.session.focus.clip = place.clip;
        self.session.focus.playhead.seek(place.time);
        self.session.focus.playhead.loop_section = place.loop_section;
        self.session.focus.selection = place.selection.clone();
        self.session.focus.machine = place.machine.clone();
        if let (Some(desk), Some((level, things))) = (self.session.transient.scene.level_mut(), &place.things)
            && desk.level == *level
        {
            desk.pick(things, Pick::Only);
        }
        self.tidy();
    }

    /// Brings the bones of the session to the skeleton of the active model, if an edit or undo gave it another one: by their names, or by
    /// their places if they were renamed. Those of another model are forgotten.
    fn follow_bones(&mut self) {
        let now = self.model().map(|model| (model.name.clone(), model.skeleton.clone()));
        let Some((name, before)) = std::mem::replace(&mut self.session.focus.skeleton, now.clone()) else { return };
        let after = now.filter(|now| now.0 == name || Arc::ptr_eq(&now.1, &before)).map(|(_, after)| after);
        let Some(after) = after else { return self.forget_bones() };
        if Arc::ptr_eq(&before, &after) {
            return;
        }
        let is_renamed = |bone: &u16| {
            let is_new = |name: &str| before.find(name).is_none();
            before.parents() == after.parents() && after.get(*bone).is_some_and(|bone| is_new(&bone.name))
        };
        let found = |bone: &u16| {
            let place = after.find(&before.get(*bone)?.name);
            place.or_else(|| Some(*bone).filter(is_renamed))
        };
        let focus = &mut self.session.focus;
        for set in [&mut focus.hidden, &mut focus.pins, &mut focus.trails] {
            *set = set.iter().filter_map(found).collect();
        }
        for bones in focus.bone_sets.values_mut().chain([&mut focus.selection.bones]) {
            *bones = bones.iter().filter_map(found).collect();
        }
        focus.selection.range_start = focus.selection.range_start.as_ref().and_then(found);
        let keys = focus.selection.keys.iter();
        focus.selection.keys = keys.filter_map(|key| Some(KeyRef { bone: found(&key.bone)?, ..*key })).collect();
        focus.selection_history.follow(found);
    }

    /// Forgets bones of a model that isn't the active one any more, but for the selection.
    pub(in crate::editor) fn forget_bones(&mut self) {
        let focus = &mut self.session.focus;
        focus.bone_filter.clear();
        focus.hidden.clear();
        focus.pins.clear();
        focus.trails.clear();
        focus.bone_sets.clear();
        focus.selection_history = Default::default();
        self.session.transient.hover = None;
        if let Some(desk) = self.session.transient.scene.rig_mut() {
            (desk.vertex, desk.marked, desk.placing) = (None, Vec::new(), None);
        }
    }

    /// Removes missing items from the session.
    pub fn tidy(&mut self) {
        self.follow_bones();
        let models = self.document.models.len();
        self.session.focus.model = self.session.focus.model.min(models.saturating_sub(1));
        let model = self.document.models.get(self.session.focus.model);
        let has = |id: &_| model.is_some_and(|model| model.clip(*id).is_some());
        self.session.focus.clip = self.session.focus.clip.filter(has);
        if self.clip().is_none() {
            self.session.focus.playhead.is_playing = false;
            self.session.focus.playhead.loop_section = None;
        }
        let model = self.document.models.get(self.session.focus.model).map(|model| &**model);
        self.session.focus.selection.keep_existing(model, self.session.focus.clip);
        self.session.focus.machine.tidy(model.and_then(|model| model.machine.graph.as_ref()));
        if let Scene::Level(desk) = &mut self.session.transient.scene {
            match self.document.levels.get(desk.level) {
                Some(level) => desk.tidy(level),
                None => self.session.transient.scene = Scene::Model,
            }
        }
        let bones = model.map_or(0, |model| model.skeleton.len());
        let exists = |bone: &u16| usize::from(*bone) < bones;
        self.session.transient.hover = self.session.transient.hover.filter(exists);
        self.session.focus.hidden.retain(exists);
        self.session.focus.pins.retain(exists);
        self.session.focus.trails.retain(exists);
        self.session.focus.bone_sets.values_mut().for_each(|bones| bones.retain(exists));
    }

    /// Frames the whole model, with its joints in the rig mode.
    pub fn frame_all(&mut self) {
        let view = self.view();
        let Some(model) = &view.model else { return };
        let mut bounds = self.caches.bounds(model).posed(&view.pose);
        if self.session.transient.scene.rig().is_some() {
            view.pose.bones.iter().for_each(|bone| bounds.add(bone.translation()));
        }
        if let Some(beside) = beside(self.source(), &view) {
            bounds.merge(&beside.bounds(self.source()));
        }
        self.frame(&bounds, 0.0);
    }

    /// Frames a box, unless it is empty, as if its radius were `least` at least.
    pub fn frame(&mut self, bounds: &Aabb, least: f32) {
        if !bounds.is_empty() {
            let Session { focus, workspace, .. } = &mut self.session;
            focus.camera.frame(bounds.center(), bounds.radius().max(least), workspace.viewport);
        }
    }
}

/// The title of a document: the name of its file, and for a patch the name of its base.
pub fn title(path: &Path, below: &[PathBuf]) -> String {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match below.first() {
        Some(base) => format!("{} over {}", name(path), name(base)),
        None => name(path),
    }
}
