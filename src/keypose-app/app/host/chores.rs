//! Chores: work that caches of the editor and of the panels leave to other threads, one of a kind at a time.

use std::sync::Arc;

use winit::event_loop::EventLoopProxy;

use keypose::anim::bake::BakedClip;
use keypose::assets::character::Character;
use keypose::assets::mesh::Mesh;
use keypose_editor::editor::ops::mesh_tree::MeshTree;
use keypose_editor::editor::view::caches::{Bakes, ToBake};
use keypose_editor::editor::view::checks::ToCheck;
use keypose_editor::editor::view::weight_problems::{Found, ToFind};

use crate::app::host::EditorHost;
use crate::app::host::message::Message;
use crate::app::host::workers;

/// The kinds of chores that are running.
#[derive(Debug, Default)]
pub struct Chores {
    is_baking: bool,
    is_checking: bool,
    is_making_tree: bool,
    is_finding_problems: bool,
}

/// The result of a chore.
#[derive(Debug)]
pub enum Done {
    /// A clip was baked for the preview.
    Baked(ToBake, Arc<BakedClip>),
    /// A large clip was checked.
    Checked(ToCheck),
    /// The hierarchy of a large mesh was made for picking.
    TreeMade(Arc<Mesh>, Arc<MeshTree>),
    /// The problems of the weights of a model were looked for.
    ProblemsFound(ToFind, Found),
}

impl EditorHost {
    /// Starts the chores that the last frame left.
    pub(super) fn begin_chores(&mut self) {
        let EditorHost { editor, dock, characters, chores, proxy, .. } = self;
        let caches = &editor.caches;
        let clip = || unbaked(&caches.bakes, characters);
        begin(&mut chores.is_baking, proxy, clip, |wanted: ToBake| {
            let baked = Arc::new(wanted.bake());
            Done::Baked(wanted, baked)
        });
        let clip = || dock.checks.take_wanted();
        begin(&mut chores.is_checking, proxy, clip, |wanted: ToCheck| Done::Checked(wanted.check()));
        // A stroke of weights makes a new mesh each time the mouse moves.
        let model = if editor.gesture.is_none() { editor.model() } else { None };
        let mesh = || caches.trees.missing(model?);
        begin(&mut chores.is_making_tree, proxy, mesh, |mesh: Arc<Mesh>| {
            let tree = Arc::new(MeshTree::of(&mesh));
            Done::TreeMade(mesh, tree)
        });
        let weights = || caches.weight_problems.take_wanted();
        begin(&mut chores.is_finding_problems, proxy, weights, |wanted: ToFind| {
            let found = wanted.find();
            Done::ProblemsFound(wanted, found)
        });
    }

    /// Passes the result of a chore to its cache.
    pub(super) fn chore_done(&mut self, done: Done) {
        let (caches, chores) = (&self.editor.caches, &mut self.chores);
        match done {
            Done::Baked(wanted, baked) => {
                (chores.is_baking, self.is_viewport_stale) = (false, true);
                caches.bakes.put(&wanted, baked);
            }
            Done::Checked(checked) => {
                chores.is_checking = false;
                self.dock.checks.put(checked);
            }
            Done::TreeMade(mesh, tree) => {
                chores.is_making_tree = false;
                caches.trees.put(&mesh, tree);
            }
            Done::ProblemsFound(wanted, found) => {
                chores.is_finding_problems = false;
                caches.weight_problems.put(wanted, found);
            }
        }
    }
}

/// Does what is wanted in another thread, unless that kind of chore is running.
fn begin<W: Send + 'static>(
    is_running: &mut bool,
    proxy: &EventLoopProxy<Message>,
    wanted: impl FnOnce() -> Option<W>,
    work: fn(W) -> Done,
) {
    if !*is_running && let Some(wanted) = wanted() {
        *is_running = true;
        workers::answer(proxy, move || Message::ChoreDone(work(wanted)));
    }
}

/// The clip that the preview wants baked. One that was read from an archive or saved is baked already.
fn unbaked(bakes: &Bakes, characters: &[Arc<Character>]) -> Option<ToBake> {
    let wanted = bakes.take_wanted()?;
    let (clip, skeleton) = (&wanted.clip.0, &wanted.skeleton.0);
    let of_skeleton = characters.iter().filter(|known| Arc::ptr_eq(&known.model.skeleton, skeleton));
    let mut slots = of_skeleton.flat_map(|known| known.model.clips.iter().zip(&known.clips));
    match slots.find(|(slot, _)| Arc::ptr_eq(&slot.clip, clip)) {
        Some((_, baked)) => {
            bakes.put(&wanted, baked.clone());
            None
        }
        None => Some(wanted),
    }
}
