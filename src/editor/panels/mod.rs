//! The panels: the only place of the editor that knows Dear ImGui. They read the editor and its view and write
//! actions; what is theirs alone (scroll, half-typed text) they keep in a local value. No GL, no files, no clock.

pub mod inspector;
pub mod machine;
pub mod model;
pub mod timeline;
pub mod ui;
pub mod view;
pub mod window;
