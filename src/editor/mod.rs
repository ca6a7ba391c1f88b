//! Floor 4: the editor. One value ([`editor.rs`]), changed only by actions; no GL, no files, no clock.

pub mod panels;
