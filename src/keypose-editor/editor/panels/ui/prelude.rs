//! The imports of almost every panel: the context, forms and widgets, the values that panels read, and the edits and actions
//! that they send.

pub use imgui::{MouseButton, MouseCursor, StyleColor, StyleVar, TextureId};
pub use lucide_icons::Icon;

pub use crate::editor::document::edit::{ClipEdit, KeyEdit, KeyRef, ModelEdit};
pub use crate::editor::ops::amount::Measure;
pub use crate::editor::ops::sentence::counted;
pub use crate::editor::panels::ui::fold::Folds;
pub use crate::editor::panels::ui::form::{Button, Form, FormOf, GAP, Item, Sign};
pub use crate::editor::panels::ui::menu::{self, ContextMenu};
pub use crate::editor::panels::ui::name_field::{NameText, Named, Naming};
pub use crate::editor::panels::ui::number_field::{self, Number};
pub use crate::editor::panels::ui::rect::Rect;
pub use crate::editor::panels::ui::surface::{Align, icon};
pub use crate::editor::panels::ui::theme::{Color, faded, mixed};
pub use crate::editor::panels::ui::widgets::{self, FIELD, ROW, RowTouch, Tone, Touch};
pub use crate::editor::panels::ui::{Ui, bone_name, sys};
pub use crate::editor::posing::change::Change;
pub use crate::editor::session::command::Command;
pub use crate::editor::session::selection::Pick;
pub use crate::editor::session::switch::Switch;
pub use crate::editor::session::timing::TimeAction;
pub use crate::editor::state::action::{
    Action, BoneAction, ClipAction, DocumentAction, FileAction, GestureAction, MaterialAction, PlaybackAction,
    ProgramAction, SelectAction, ToolAction, ViewAction,
};
pub use keypose::anim::clip::Clip;
pub use keypose::anim::key::Channel;
pub use keypose::anim::skeleton::{BoneIndex, Skeleton};
pub use keypose::anim::time::Time;
pub use keypose::assets::id::ClipId;
pub use keypose::assets::model::Model;
