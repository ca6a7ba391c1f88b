//! The context that panels draw with, and the widgets that they share.

pub mod actions;
pub mod canvas;
pub mod color_field;
pub mod fonts;
pub mod key_mark;
pub mod menu;
pub mod popover;
pub mod rows;
pub mod seen;
pub mod sys;
pub mod theme;
pub mod widgets;
