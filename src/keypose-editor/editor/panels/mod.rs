//! The panels: the only modules of the editor that use Dear ImGui. A panel draws itself with a [`ui::Ui`], which holds
//! the editor to read and takes actions. Panels keep only their own state, such as scroll positions and unfinished
//! text. No GL, no files, no clock.

pub mod inspector;
pub mod machine;
pub mod model;
pub mod sprites;
pub mod timeline;
pub mod ui;
pub mod view;
pub mod window;
