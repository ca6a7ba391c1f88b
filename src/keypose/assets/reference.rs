//! Reference images and films: shown upright behind or in front of a model while it is posed. The game does not draw them.

use std::sync::Arc;

use glam::Vec2;

use crate::anim::choice::choice;
use crate::anim::time::Time;
use crate::assets::bytes::Bytes;
use crate::assets::model::Visibility;
use crate::assets::texture::Texture;

choice! {
    /// Direction that a reference image faces.
    #[derive(Default)]
    pub enum Facing {
        /// +z: visible in the front view.
        #[default]
        Front = "front",
        /// +x: visible in the right view.
        Side = "side",
    }
}

choice! {
    /// Whether a reference image is drawn behind or in front of the model. Its plane passes through the model's origin in both
    /// cases.
    #[derive(Default)]
    pub enum Depth {
        /// Drawn behind the model.
        #[default]
        Behind = "behind",
        /// Drawn over the model.
        Before = "before",
    }
}

/// Whether a reference image can be edited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lock {
    /// Editable.
    #[default]
    Open,
    /// Not editable until it is unlocked.
    Locked,
}

/// Whether an archive keeps the files of a film.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum FilmFiles {
    /// Read at the path of the film.
    #[default]
    Linked,
    /// Kept in the archive: a whole film, or one file for each numbered image.
    Kept(Arc<Vec<Bytes>>),
}

/// Where the frames of a film come from.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmSource {
    /// The path of the file, or of the first numbered image. If there is none, the file of this name beside the archive is read.
    pub path: String,
    /// Linked or kept.
    pub files: FilmFiles,
    /// Frames per second of numbered images, positive; 0 for a film with times of its own.
    pub fps: f32,
}

/// A film that follows the playhead.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// Where its frames come from.
    pub source: FilmSource,
    /// The time of the clip at which the film is at its start, in seconds.
    pub offset: f32,
    /// Seconds of the film per second of the clip, positive.
    pub speed: f32,
}

impl Film {
    /// The maximum of the speed, and the distance of the offset from 0.
    pub const MAX: f32 = 1e5;

    /// A film that starts with the clip, at its own speed.
    pub fn new(source: FilmSource) -> Film {
        Film { source, offset: 0.0, speed: 1.0 }
    }

    /// The time of the film at a time of the clip. It may be before the film's start and after its end.
    pub fn time_at(&self, time: Time) -> Time {
        // To a microsecond, so that 0.1 s in 32 bits is no later than a frame at 0.1 s.
        let offset = Time::from_secs((f64::from(self.offset) * 1e6).round() / 1e6);
        Time((time.0.saturating_sub(offset.0) as f64 * f64::from(self.speed)).round() as i64)
    }

    /// The bytes of the files that are kept.
    pub fn bytes(&self) -> usize {
        match &self.source.files {
            FilmFiles::Linked => 0,
            FilmFiles::Kept(files) => files.iter().map(|file| file.len()).sum(),
        }
    }

    fn fault(&self) -> Option<&'static str> {
        let range = 0.0..=Film::MAX;
        let rules = [
            (self.offset.abs() <= Film::MAX, "the offset of the film is out of range"),
            (self.speed > 0.0 && self.speed <= Film::MAX, "the speed of the film is not positive"),
            (range.contains(&self.source.fps), "the frame rate of the film is out of range"),
        ];
        rules.into_iter().find(|(holds, _)| !holds).map(|(_, fault)| fault)
    }
}

/// A reference image of a model. `Image` is what holds its pixels: a texture, or in an archive the name of a lump.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference<Image = Arc<Texture>> {
    /// The pixels. The name of the texture is unique among the model's reference images.
    pub image: Image,
    /// The direction that it faces.
    pub facing: Facing,
    /// Whether it is behind or in front of the model.
    pub depth: Depth,
    /// From the model's origin to the middle of its lower edge, in world units: to its right as seen from the front, and up.
    pub offset: Vec2,
    /// In world units, positive. The width follows from the pixels.
    pub height: f32,
    /// 0..=1.
    pub opacity: f32,
    /// Whether it is drawn.
    pub visibility: Visibility,
    /// Whether it can be edited.
    pub lock: Lock,
    /// The film whose first frame the image is, if it moves. The image is shown while the film can't be.
    pub film: Option<Film>,
}

impl<Image> Reference<Image> {
    /// Returns the reference with another holder of its pixels.
    pub fn with_image<Other>(&self, image: Other) -> Reference<Other> {
        let &Reference { facing, depth, offset, height, opacity, visibility, lock, .. } = self;
        Reference { image, facing, depth, offset, height, opacity, visibility, lock, film: self.film.clone() }
    }
}

impl Reference {
    /// The maximum number of reference images of a model.
    pub const MAX_COUNT: usize = 32;

    /// A reference image of this height at the model's origin.
    pub fn new(image: Arc<Texture>, height: f32) -> Reference {
        Reference {
            image,
            facing: Facing::Front,
            depth: Depth::Behind,
            offset: Vec2::ZERO,
            height,
            opacity: 0.5,
            visibility: Visibility::Shown,
            lock: Lock::Open,
            film: None,
        }
    }

    /// Returns the name of the texture.
    pub fn name(&self) -> &str {
        &self.image.name
    }
}

/// Checks the reference images of a model. The error names the image and the reason.
pub fn check(references: &[Arc<Reference>]) -> Result<(), String> {
    if references.len() > Reference::MAX_COUNT {
        let (count, max) = (references.len(), Reference::MAX_COUNT);
        return Err(format!("{count} reference images, more than the maximum of {max}"));
    }
    for (at, reference) in references.iter().enumerate() {
        let name = reference.name();
        let rules = [
            (!name.trim().is_empty(), "the name is empty"),
            (references[..at].iter().all(|other| other.name() != name), "the name is already used"),
            (reference.image.is_valid(), "the size does not match the number of pixels"),
            (reference.offset.is_finite() && reference.height.is_finite(), "the position or height is not finite"),
            (reference.height > 0.0, "the height is not positive"),
            ((0.0..=1.0).contains(&reference.opacity), "the opacity is outside 0 to 1"),
        ];
        let fault = rules.into_iter().find(|(holds, _)| !holds).map(|(_, fault)| fault);
        if let Some(fault) = fault.or_else(|| reference.film.as_ref().and_then(Film::fault)) {
            return Err(format!("reference image \"{name}\": {fault}"));
        }
    }
    Ok(())
}
