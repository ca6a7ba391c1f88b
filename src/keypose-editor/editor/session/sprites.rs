//! The sprites mode: the sprite sheet of the active model in place of the panels.

use std::path::PathBuf;

use keypose::anim::time::Time;
use keypose::assets::sprite_recipe::Rgb;

/// The choices of the sprites mode that no recipe keeps: the frame, and how its preview is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpriteDesk {
    /// The index of the chosen frame of the sheet.
    pub frame: usize,
    /// The index of the image: colours, layers, palette swaps.
    pub image: usize,
    /// How long the clip of the frame has been playing; `None` while it stands.
    pub playing: Option<Time>,
}

/// The purpose of a palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaletteUse {
    /// The colours of the sheet.
    Palette,
    /// The colours of another sheet, in the same order.
    Swap,
}

/// An action of the sprites mode.
#[derive(Clone, Debug, PartialEq)]
pub enum SpriteAction {
    /// Opens or leaves the mode.
    Toggle,
    /// Chooses a frame, and stops.
    Pick(usize),
    /// Plays the clip of the frame, or stops.
    Play,
    /// Chooses the image.
    Image(usize),
    /// Reads a palette; without a path, asks for one.
    Load(PaletteUse, Option<PathBuf>),
    /// A palette was read (after `Effect::ReadPalette`).
    Loaded { purpose: PaletteUse, name: String, colors: Vec<Rgb> },
    /// Writes the files; without a path, beside the archive as the recipe says, or asks for one.
    Export(Option<PathBuf>),
}
