//! Imports of the tables of the menus.

pub use crate::editor::commands::needs;
pub use crate::editor::commands::row::{Row, Scope, edit, has_kind, has_loop_mode, row, toggle, toggled_pose};
pub use crate::editor::document::edit::Gap;
pub use crate::editor::ops::machine_edit::MachineEdit;
pub use crate::editor::posing::change::Change;
pub use crate::editor::posing::key_times::{KeyTimes, KeysChange};
pub use crate::editor::posing::library::LibraryAction;
pub use crate::editor::posing::mixing::Mix;
pub use crate::editor::session::Popup;
pub use crate::editor::session::bench::{BenchAction, Fill};
pub use crate::editor::session::blend::BlendAction;
pub use crate::editor::session::camera::{Lens, Look};
pub use crate::editor::session::clipboard::{Side, Subject};
pub use crate::editor::session::command::Command;
pub use crate::editor::session::crowd::{CrowdAction, CrowdClips};
pub use crate::editor::session::display::{Shading, ShownPose};
pub use crate::editor::session::ghosts::Ghosts;
pub use crate::editor::session::keying::{AutoKey, KeyMask, KeyWhat};
pub use crate::editor::session::level::{LevelAction, LevelTool};
pub use crate::editor::session::machine::MachineAction;
pub use crate::editor::session::preferences::{Arrangement, Prefer, Shade};
pub use crate::editor::session::retargeting::RetargetAction;
pub use crate::editor::session::rig::RigAction;
pub use crate::editor::session::selection::Pick;
pub use crate::editor::session::shortcuts::KeyName::*;
pub use crate::editor::session::shortcuts::Stroke;
pub use crate::editor::session::sockets::SocketAction;
pub use crate::editor::session::sounds::SoundAction;
pub use crate::editor::session::sprites::SpriteAction;
pub use crate::editor::session::switch::Switch;
pub use crate::editor::session::timing::{KeyDragKind, KeyDragStart, TimeAction, TimeView};
pub use crate::editor::session::tool::{Space, Tool, TransformKind};
pub use crate::editor::state::action::{
    Action, BoneAction, ClipAction, ClipboardAction, ContactAction, DocumentAction, FileAction, GestureAction,
    KeyframeAction, MaterialAction, ModelAction, PlaybackAction, PoseAction, ProgramAction, Reduced, SelectAction,
    ToolAction, ViewAction, VolumeAction,
};
pub use crate::editor::state::targets;
pub use keypose::anim::clip::{KeyframeKind, LoopMode};
pub use keypose::anim::key::{Channel, Ease, HandleKind};
pub use keypose::anim::time::Time;
pub use keypose::assets::clip_notes::Derivation;
pub use keypose::assets::combat::LaneKind;
pub use keypose::assets::level::thing::ThingKind;

use crate::editor::session::shortcuts::KeyName;
use crate::editor::state::Editor;

/// A key without modifiers.
pub const fn key(key: KeyName) -> Stroke {
    Stroke::new(key)
}

/// A row that copies, with the keys for it.
pub const fn copy(command: Command, group: u8, label: &'static str, run: fn(&Editor) -> Action) -> Row {
    const KEYS: &[Stroke] = &[key(KeyName::Char('C')).ctrl()];
    row(command, group, label, run).keys(KEYS).needs(needs::model)
}

/// A row that pastes, with the keys for it.
pub const fn paste(command: Command, group: u8, label: &'static str, run: fn(&Editor) -> Action) -> Row {
    const KEYS: &[Stroke] = &[key(KeyName::Char('V')).ctrl()];
    row(command, group, label, run).keys(KEYS).needs(needs::model).edits()
}

/// A row that pastes mirrored, with the keys for it.
pub const fn paste_mirrored(command: Command, group: u8, label: &'static str, run: fn(&Editor) -> Action) -> Row {
    const KEYS: &[Stroke] = &[key(KeyName::Char('V')).ctrl().shift()];
    row(command, group, label, run).keys(KEYS).needs(needs::model).edits()
}

/// The action of a paste.
pub fn pasting(subject: Subject, side: Side) -> Action {
    ClipboardAction::Paste { subject, side }.into()
}

/// The action for the things of the open level, or for the model if no level is open.
pub fn in_scene(editor: &Editor, level: LevelAction, model: impl Into<Action>) -> Action {
    if needs::level(editor).is_ok() { level.into() } else { model.into() }
}
