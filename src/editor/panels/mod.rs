//! The panels: the only place of the editor that knows Dear ImGui. They read a view and write actions; what is theirs
//! alone (scroll, half-typed text) they keep in a local value. No GL, no files, no clock.

pub mod fonts;
pub mod kit;
pub mod layout;
pub mod raw;
pub mod theme;
pub mod widgets;
