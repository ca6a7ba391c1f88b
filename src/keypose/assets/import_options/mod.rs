//! Import options: changes to a model after its file was read. Every format has the same options, and without options the
//! model is unchanged. Applying them is not here.

pub mod axes;
mod pattern;
mod words;

use crate::anim::time::FrameRate;
use crate::assets::import_options::axes::Axes;

pub use crate::assets::import_options::pattern::matches;
pub use crate::assets::import_options::words::{Words, words_of};

/// The options of an import. The defaults change nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportOptions {
    /// The factor of all lengths, [`ImportOptions::SCALES`].
    pub scale: f32,
    /// Up and forward axes of the file.
    pub axes: Axes,
    /// The meshes that are imported, by name.
    pub meshes: Chosen,
    /// The clips that are imported, by name.
    pub clips: Chosen,
    /// The maximum number of influences of a vertex, 1 to 8.
    pub influences: usize,
    /// Influences with a smaller weight are dropped, 0 to 1; 0 keeps all. Each vertex keeps its strongest one.
    pub min_weight: f32,
    /// The normals of the meshes.
    pub normals: Normals,
    /// The frame rate of the clips; `None` for that of the file. Keys that are not on its frames are sampled again.
    pub frame_rate: Option<FrameRate>,
    /// Removes keys as long as no point of the model moves farther than this, in model units after scaling; `None` keeps all.
    pub max_error: Option<f32>,
    /// Conversion of clips for a character with other proportions.
    pub clip_fit: ClipFit,
    /// Whether rest poses are fitted to each other when clips are added to another character.
    pub rest_fit: RestFit,
}

/// Whether limbs that rest in other directions (a T-pose and an A-pose) are made to agree before clips are converted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RestFit {
    /// Limbs point where those of the source point.
    #[default]
    On,
    /// Limbs turn as those of the source turn.
    Off,
}

/// Conversion of a file's clips for another character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClipFit {
    /// Rotations are copied.
    Copy,
    /// Hips, feet and hands follow the proportions.
    #[default]
    Retarget,
}

/// The imported parts of a list. Patterns are names in which `*` is any text and `?` any letter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen {
    /// Patterns of imported names; empty for all.
    pub only: Vec<String>,
    /// Patterns of names that are left out.
    pub except: Vec<String>,
}

/// Source of a mesh's normals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Normals {
    /// Normals of the file.
    #[default]
    Keep,
    /// Normals of the triangles: no edge is smooth.
    Flat,
    /// Means of the triangles around a point whose normals differ by less than this angle, in degrees, 0 to 180.
    Smooth(f32),
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions {
            scale: 1.0,
            axes: Axes::default(),
            meshes: Chosen::default(),
            clips: Chosen::default(),
            influences: Self::MAX_INFLUENCES,
            min_weight: 0.0,
            normals: Normals::default(),
            frame_rate: None,
            max_error: None,
            clip_fit: ClipFit::default(),
            rest_fit: RestFit::default(),
        }
    }
}

impl ImportOptions {
    /// The range of scales.
    pub const SCALES: std::ops::RangeInclusive<f32> = 1e-6..=1e6;
    /// The maximum number of influences.
    pub const MAX_INFLUENCES: usize = 8;
    /// Maximum number of patterns, of meshes and clips together.
    pub const MAX_PATTERNS: usize = 256;
    /// Maximum number of letters of a pattern.
    pub const MAX_LETTERS: usize = 256;
    /// The range of frame rates.
    pub const RATES: std::ops::RangeInclusive<u32> = 1..=240;

    /// Whether the options change nothing.
    pub fn is_default(&self) -> bool {
        *self == ImportOptions::default()
    }

    /// Returns the options for other files: all meshes and clips are imported.
    pub fn for_any_file(&self) -> ImportOptions {
        ImportOptions { meshes: Chosen::default(), clips: Chosen::default(), ..self.clone() }
    }

    /// Returns the options for a model whose clips are not added to another.
    pub fn for_a_model(&self) -> ImportOptions {
        ImportOptions { clip_fit: ClipFit::default(), rest_fit: RestFit::default(), ..self.clone() }
    }
}

impl Chosen {
    /// Whether a name is imported.
    pub fn has(&self, name: &str) -> bool {
        let is_in = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, name));
        (self.only.is_empty() || is_in(&self.only)) && !is_in(&self.except)
    }

    /// Leaves a name out, or imports it again.
    pub fn toggle(&mut self, name: &str) {
        if self.has(name) {
            return self.except.push(name.to_owned());
        }
        self.except.retain(|pattern| !matches(pattern, name));
        if !self.has(name) {
            self.only.push(name.to_owned());
        }
    }
}
