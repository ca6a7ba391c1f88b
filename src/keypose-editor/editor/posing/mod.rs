//! Posing: functions from the current pose to edits. Keying, mixing, the pose library, the clipboard, pins.

pub mod change;
pub mod clipboard;
pub mod clipboard_text;
pub mod jumps;
pub mod key_times;
pub mod keying;
pub mod layer_weight;
pub mod library;
pub mod mixing;
pub mod pins;
pub mod texture_frames;
