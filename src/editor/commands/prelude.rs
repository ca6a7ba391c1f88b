//! What the tables of the menus are written with.

pub use crate::anim::clip::LoopMode;
pub use crate::anim::key::{Channel, Ease, TangentKind};
pub use crate::anim::time::Time;
pub use crate::assets::clip_notes::Derivation;
pub use crate::editor::commands::needs;
pub use crate::editor::commands::row::{Row, Scope, has_loop_mode, row, toggle, toggled_pose};
pub use crate::editor::document::edit::Gap;
pub use crate::editor::ops::machine_edit::MachineEdit;
pub use crate::editor::posing::change::Change;
pub use crate::editor::posing::key_times::{KeyTimes, KeysChange};
pub use crate::editor::posing::library::PoseEdit;
pub use crate::editor::posing::mixing::Mix;
pub use crate::editor::session::Popup;
pub use crate::editor::session::bench::{BenchAction, Fill};
pub use crate::editor::session::blend::BlendAction;
pub use crate::editor::session::camera::{Lens, Look};
pub use crate::editor::session::clipboard::Side;
pub use crate::editor::session::command::Command;
pub use crate::editor::session::display::{Shading, ShownPose};
pub use crate::editor::session::ghosts::GhostEdit;
pub use crate::editor::session::keying::{AutoKey, KeyMask, KeyWhat};
pub use crate::editor::session::machine::{MachineAction, Shown};
pub use crate::editor::session::preferences::{Arrangement, Prefer, Shade};
pub use crate::editor::session::selection::Pick;
pub use crate::editor::session::shortcuts::KeyName::*;
pub use crate::editor::session::shortcuts::Stroke;
pub use crate::editor::session::switch::Switch;
pub use crate::editor::session::timing::{KeyDragKind, KeyDragStart, TimeAction, TimeView};
pub use crate::editor::session::tool::{Space, Tool, TransformKind};
pub use crate::editor::state::action::{
    Action, BoneAction, ClipAction, ClipboardAction, DocumentAction, FileAction, GestureAction, KeyframeAction,
    MaterialAction, PlaybackAction, PoseAction, ProgramAction, SelectAction, ToolAction, ViewAction,
};
pub use crate::editor::state::targets;

use crate::editor::session::shortcuts::KeyName;

/// A key without modifiers.
pub const fn key(key: KeyName) -> Stroke {
    Stroke::new(key)
}
