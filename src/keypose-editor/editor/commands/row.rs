//! One row of the command table.

use crate::editor::ops::choice::choice;
use crate::editor::session::command::Command;
use crate::editor::session::display::ShownPose;
use crate::editor::session::scene::Scene;
use crate::editor::session::shortcuts::Stroke;
use crate::editor::state::Editor;
use crate::editor::state::action::Action;
use crate::editor::state::targets;
use keypose::anim::clip::{KeyframeKind, LoopMode};

/// The panel over which the keys of a command work. `panels/window/key_focus.rs` decides between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everywhere, unless the panel under the mouse has a command of its own for the key.
    Anywhere,
    /// The viewport, the inspector and the pose library, but not in the level mode.
    Viewport,
    /// The same panels in every mode.
    Scene,
    /// The bone list. The keys of the viewport work there, too.
    Bones,
    /// The strip, the dope sheet and the curves.
    Timeline,
    /// The list of clips.
    Clips,
    /// The state machine.
    Machine,
    /// The viewport and the inspector in the level mode.
    Level,
    /// The viewport and the inspector in the rig mode. The keys of the viewport work there, too.
    Rig,
}

impl Scope {
    /// The scope of the keys of the viewport in a scene.
    pub fn of_scene(scene: &Scene) -> Scope {
        match scene {
            Scene::Level(_) => Scope::Level,
            Scene::Rig(_) => Scope::Rig,
            Scene::Model | Scene::Bench(_) | Scene::Crowd(_) | Scene::Sprites(_) => Scope::Viewport,
        }
    }

    /// Whether a key can have one command of two scopes only, as they work in the same place. Keys of the rig mode go before those of the
    /// scene, such as `F` while weights are painted.
    pub fn meets(self, other: Scope) -> bool {
        let is_scene_in =
            |scene: Scope, other: Scope| scene == Scope::Scene && matches!(other, Scope::Viewport | Scope::Level);
        self == other || is_scene_in(self, other) || is_scene_in(other, self)
    }

    /// The scopes whose keys work here, the first one first. The keys of the viewport pose the selected bones wherever they mean nothing
    /// else; those of the level mode and the rig mode, `ground`, do so instead while it is open.
    pub fn chain(self, ground: Scope) -> Vec<Scope> {
        let ground = if matches!(self, Scope::Level | Scope::Rig) { self } else { ground };
        let grounds: &[Scope] = match ground {
            Scope::Rig => &[Scope::Rig, Scope::Viewport, Scope::Scene],
            Scope::Level => &[Scope::Level, Scope::Scene],
            _ => &[Scope::Viewport, Scope::Scene],
        };
        match self {
            Scope::Anywhere => [&[Scope::Anywhere], grounds].concat(),
            Scope::Viewport | Scope::Scene | Scope::Level | Scope::Rig => [grounds, &[Scope::Anywhere]].concat(),
            Scope::Bones if ground == Scope::Rig => [grounds, &[Scope::Bones, Scope::Anywhere]].concat(),
            Scope::Bones => [&[Scope::Bones][..], grounds, &[Scope::Anywhere]].concat(),
            Scope::Timeline | Scope::Clips | Scope::Machine => [&[self, Scope::Anywhere], grounds].concat(),
        }
    }
}

choice! {
    /// The menus of the menu bar, in order.
    pub enum Menu {
        File = "File",
        Edit = "Edit",
        Pose = "Pose",
        Clip = "Clip",
        Keys = "Keys",
        View = "View",
        Rig = "Rig",
        Level = "Level",
        Game = "Game",
        Help = "Help",
    }
}

impl Menu {
    /// The groups that are submenus, with their names, in the order in which they follow the other groups.
    pub fn submenus(self) -> &'static [(u8, &'static str)] {
        match self {
            Menu::Clip => &[(5, "Derived clip"), (6, "Layers"), (7, "Attack"), (8, "Contacts")],
            Menu::View => &[
                (11, "Shading"),
                (12, "Overlays"),
                (3, "Ghosts"),
                (13, "Motion trails"),
                (0, "Tool"),
                (10, "Axes"),
                (14, "Look from"),
                (7, "Theme"),
                (8, "Size"),
                (9, "Layout"),
            ],
            _ => &[],
        }
    }
}

/// Whether a command can run now, or the reason why not.
pub type Can = fn(&Editor) -> Result<(), &'static str>;

/// Everything about a command. A menu shows its rows in the order of the table, with a line between groups.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub command: Command,
    /// The menu that lists it.
    pub menu: Menu,
    /// The group in the menu: one of [`Menu::submenus`], or separated from others by a line.
    pub group: u8,
    /// The label in menus and the command search.
    pub label: &'static str,
    /// Where its keys work.
    pub scope: Scope,
    /// The default keys; menus show the first.
    pub strokes: &'static [Stroke],
    /// The action that it stands for.
    pub run: fn(&Editor) -> Action,
    /// Whether it can run now, or the reason why not.
    pub can: Can,
    /// For commands that switch or choose something: whether it is on.
    pub is_on: Option<fn(&Editor) -> bool>,
    /// Whether it changes the document, each time in one undo step.
    pub edits: bool,
    /// Whether it deletes something, so that its keys work only over the panel that was clicked last.
    pub deletes: bool,
}

/// A row without keys, which can always run and doesn't change the document.
pub const fn row(command: Command, group: u8, label: &'static str, run: fn(&Editor) -> Action) -> Row {
    Row {
        command,
        menu: Menu::File,
        group,
        label,
        scope: Scope::Anywhere,
        strokes: &[],
        run,
        can: |_| Ok(()),
        is_on: None,
        edits: false,
        deletes: false,
    }
}

/// A row that changes the document, each time in one undo step, under a condition.
pub const fn edit(command: Command, group: u8, label: &'static str, can: Can, run: fn(&Editor) -> Action) -> Row {
    row(command, group, label, run).needs(can).edits()
}

/// The action of a toggle, and whether it is on.
type Toggle = (fn(&Editor) -> Action, fn(&Editor) -> bool);

/// A row that switches something.
pub const fn toggle(command: Command, group: u8, label: &'static str, (run, is_on): Toggle) -> Row {
    row(command, group, label, run).on(is_on)
}

impl Row {
    /// With default keys.
    pub const fn keys(mut self, strokes: &'static [Stroke]) -> Row {
        self.strokes = strokes;
        self
    }

    /// With keys that work over one panel.
    pub const fn over(mut self, scope: Scope) -> Row {
        self.scope = scope;
        self
    }

    /// With a condition.
    pub const fn needs(mut self, can: Can) -> Row {
        self.can = can;
        self
    }

    /// With a check mark.
    pub const fn on(mut self, is_on: fn(&Editor) -> bool) -> Row {
        self.is_on = Some(is_on);
        self
    }

    /// Changes the document.
    pub const fn edits(mut self) -> Row {
        self.edits = true;
        self
    }

    /// Deletes something.
    pub const fn deletes(mut self) -> Row {
        self.deletes = true;
        self
    }
}

/// Whether the open clip ends in this way.
pub fn has_loop_mode(editor: &Editor, mode: LoopMode) -> bool {
    editor.clip().is_some_and(|slot| slot.clip.loop_mode == mode)
}

/// Whether all keyframes that would be marked are of a kind.
pub fn has_kind(editor: &Editor, kind: KeyframeKind) -> bool {
    let (Some(slot), marked) = (editor.clip(), targets::marked(editor)) else { return false };
    let is_of = |&at: &usize| slot.clip.keyframes.get(at).is_some_and(|keyframe| keyframe.kind == kind);
    !marked.is_empty() && marked.iter().all(is_of)
}

/// A pose for display, or the clip's pose if that pose is shown already.
pub fn toggled_pose(editor: &Editor, pose: ShownPose) -> ShownPose {
    if editor.session.transient.pose.shown() == pose { ShownPose::Clip } else { pose }
}
