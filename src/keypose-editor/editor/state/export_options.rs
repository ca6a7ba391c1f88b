//! The options of an export as an image or GIF.

use std::path::{Path, PathBuf};

use crate::editor::ops::choice::choice;
use crate::render::frame::framed_model::CameraAngle;

choice! {
    /// Which poses are exported.
    #[derive(Default)]
    pub enum Moments {
        /// The open clip as a GIF.
        #[default]
        Film = "Clip as GIF",
        /// The pose on screen as a PNG.
        Pose = "Pose as PNG",
        /// Every keyframe of the open clip side by side, as a PNG.
        Keyframes = "Keyframes as PNG",
    }
}

impl Moments {
    /// The extension of the file.
    pub fn extension(self) -> &'static str {
        if self == Moments::Film { "gif" } else { "png" }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// Which poses.
    pub moments: Moments,
    /// The direction of the camera.
    pub view: CameraAngle,
    /// Width and height of an image in pixels.
    pub side: u32,
    /// Whether the skeleton is drawn over the model.
    pub has_bones: bool,
}

impl Default for ExportOptions {
    fn default() -> ExportOptions {
        ExportOptions { moments: Moments::default(), view: CameraAngle::default(), side: 480, has_bones: false }
    }
}

impl ExportOptions {
    /// The available sizes.
    pub const SIDES: [u32; 4] = [256, 480, 720, 1080];

    /// The path with the extension of the exported format, instead of that of another picture.
    pub fn with_extension(&self, path: &Path) -> PathBuf {
        if path.file_name().is_none() {
            return path.to_owned();
        }
        let known =
            path.extension().is_some_and(|known| ["gif", "png"].iter().any(|it| known.eq_ignore_ascii_case(it)));
        let mut name = if known { path.with_extension("") } else { path.to_owned() }.into_os_string();
        name.push(".");
        name.push(self.moments.extension());
        name.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_dots() {
        let cases = [("walk", "walk.gif"), ("walk v1.2", "walk v1.2.gif"), ("a/walk.PNG", "a/walk.gif")];
        for (name, expected) in cases {
            assert_eq!(ExportOptions::default().with_extension(Path::new(name)), Path::new(expected));
        }
    }
}
