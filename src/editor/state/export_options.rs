//! What the user wants exported as pictures.

use std::path::Path;

use crate::render::frame::framed_model::CameraAngle;

/// Which moments are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moments {
    /// The open clip as a GIF.
    #[default]
    Film,
    /// The pose on screen as a PNG.
    Pose,
    /// Every keyframe of the open clip side by side, as a PNG.
    Keyframes,
}

impl Moments {
    /// All, in the order in which they are shown.
    pub const ALL: [Moments; 3] = [Moments::Film, Moments::Pose, Moments::Keyframes];

    /// The words for panels.
    pub fn name(self) -> &'static str {
        match self {
            Moments::Film => "Clip as GIF",
            Moments::Pose => "Pose as PNG",
            Moments::Keyframes => "Keyframes as PNG",
        }
    }

    /// How the file's name ends.
    pub fn extension(self) -> &'static str {
        if self == Moments::Film { "gif" } else { "png" }
    }
}

/// What the user wants exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilmWish {
    /// Which moments.
    pub moments: Moments,
    /// From where.
    pub view: CameraAngle,
    /// Width and height of a picture in pixels.
    pub side: u32,
    /// With the skeleton over the model.
    pub has_bones: bool,
}

impl Default for FilmWish {
    fn default() -> FilmWish {
        FilmWish { moments: Moments::default(), view: CameraAngle::default(), side: 480, has_bones: false }
    }
}

impl FilmWish {
    /// The sizes that can be chosen.
    pub const SIDES: [u32; 4] = [256, 480, 720, 1080];

    /// The path with the ending that fits what is exported.
    pub fn fitting(&self, path: &Path) -> std::path::PathBuf {
        path.with_extension(self.moments.extension())
    }
}
