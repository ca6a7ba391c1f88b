//! Floor 4, the editing mode: its document, edits, gestures, panels and scene. No GL, no files, no clock.
//!
//! [`editor::Editor::update`] is the only way anything changes: an [`action::Action`] goes in, [`effect::Effect`]s that
//! must happen outside come out. Panels read the [`editor::Editor`] and the [`view::View`] and write actions.

pub mod action;
pub mod bench;
pub mod blend;
pub mod camera;
pub mod checks;
pub mod clip_list;
pub mod clipboard;
pub mod commands;
pub mod curves;
pub mod derived;
pub mod display;
pub mod document;
#[allow(clippy::module_inception)]
pub mod editor;
pub mod effect;
pub mod euler;
pub mod exact;
pub mod film_wish;
pub mod first_steps;
pub mod gesture;
pub mod ghosts;
pub mod groups;
pub mod history;
pub mod key_times;
pub mod keying;
pub mod library;
pub mod limb;
pub mod machine;
pub mod mirror;
pub mod mixing;
pub mod motion;
pub mod panels;
pub mod pins;
pub mod playhead;
pub mod preferences;
pub mod references;
pub mod scene;
pub mod script;
pub mod selection;
pub mod session;
pub mod sheet;
pub mod shortcuts;
pub mod stride;
pub mod time_text;
pub mod timing;
pub mod trail;
mod update;
pub mod view;
