//! The editing mode: its document, edits, gestures, panels and viewport. No GL, no files, no clock.
//!
//! [`state::Editor::update`] is the only way anything changes: a [`state::action::Action`] goes in, [`state::effect::Effect`]s that
//! must happen outside come out. The modules are layers, from below; each may import only those above it in this list.

pub mod ops;

pub mod document;

pub mod session;

pub mod view;

pub mod posing;

pub mod gesture;

pub mod state;

pub mod commands;

pub mod update;

pub mod script;

pub mod panels;
