//! How long a double click may take. Dear ImGui takes one change of a button per frame and counts the time of frames, so while frames are
//! slow, two quick clicks look slow to it.

/// Seconds from one press to the next in quick frames.
const SECS: f32 = 0.3;
/// Frames from one press to the next at least: the release is between them.
const FRAMES: f32 = 2.0;
/// A longer frame, in seconds, counts as one of these.
const MAX_FRAME_SECS: f32 = 1.0;

/// Seconds within which a second press makes a double click, where drawing the last frame took `drawing_secs`. The time between two frames
/// without input doesn't belong to it.
pub fn allowed_secs(drawing_secs: f32) -> f32 {
    SECS + FRAMES * drawing_secs.min(MAX_FRAME_SECS)
}
