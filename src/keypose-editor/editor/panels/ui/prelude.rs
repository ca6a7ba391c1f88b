//! What almost every panel imports: the context, forms and widgets, rectangles, icons and commands.

pub use lucide_icons::Icon;

pub use crate::editor::panels::ui::Ui;
pub use crate::editor::panels::ui::fold::Folds;
pub use crate::editor::panels::ui::form::{Button, Form, FormOf, GAP, Item};
pub use crate::editor::panels::ui::menu;
pub use crate::editor::panels::ui::name_field::{NameButton, NameText};
pub use crate::editor::panels::ui::number_field::{self, Number};
pub use crate::editor::panels::ui::rect::Rect;
pub use crate::editor::panels::ui::surface::{Align, icon};
pub use crate::editor::panels::ui::theme::{Color, faded, mixed};
pub use crate::editor::panels::ui::widgets::{self, FIELD, ROW, RowTouch, Tone, Touch};
pub use crate::editor::posing::change::Change;
pub use crate::editor::session::command::Command;
