//! The sprite sheet of the active model as panels show it. The program makes it.

use std::sync::Arc;

use keypose::anim::clip::LoopMode;
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::sprites::atlas::{Packed, Rect};
use keypose_tools::sprites::made::{Sprites, Warning};
use keypose_tools::sprites::sheet::Tag;

/// A sheet with the images and the size of its files.
#[derive(Clone, Debug)]
pub struct SheetView {
    pub sprites: Arc<Sprites>,
    /// The places in the atlas; `None` if the frames don't fit in it.
    pub packed: Option<Packed>,
    /// The atlases of all layers and palette swaps, by name; that of the colours has none.
    pub images: Vec<(String, Bitmap)>,
    pub warnings: Vec<Warning>,
    /// The number of files.
    pub files: usize,
    /// The bytes of all files.
    pub bytes: usize,
}

impl SheetView {
    /// The clip and direction of a frame.
    pub fn tag_of(&self, frame: usize) -> Option<&Tag> {
        self.sprites.sheet.tags.iter().find(|tag| (tag.from..=tag.to).contains(&frame))
    }

    /// The rectangle of a frame in the atlas.
    pub fn rect(&self, frame: usize) -> Option<Rect> {
        let (frame, packed) = (self.sprites.sheet.frames.get(frame)?, self.packed.as_ref()?);
        Some(self.sprites.sheet.rect(frame, packed))
    }

    /// The corner and the size of the part of the canvas that the frames of a tag need.
    pub fn bounds_of(&self, tag: &Tag) -> [[u32; 2]; 2] {
        let sheet = &self.sprites.sheet;
        let (mut low, mut high) = (sheet.canvas, [0; 2]);
        for frame in &sheet.frames[tag.from..=tag.to] {
            let (at, size) = (frame.placed.at, sheet.size_of(frame.placed.picture));
            low = [0, 1].map(|axis| low[axis].min(at[axis]));
            high = [0, 1].map(|axis| high[axis].max(at[axis] + size[axis]));
        }
        [low, [0, 1].map(|axis| high[axis].saturating_sub(low[axis]).max(1))]
    }

    /// The frame that a tag shows after some milliseconds. A clip that doesn't loop starts again, too.
    pub fn frame_at(&self, tag: &Tag, millis: u64) -> usize {
        let there = tag.from..=tag.to;
        let back = (tag.from + 1..tag.to).rev();
        let all: Vec<usize> = match tag.loop_mode {
            LoopMode::PingPong => there.chain(back).collect(),
            LoopMode::Loop | LoopMode::Once => there.collect(),
        };
        let of = |at: &usize| u64::from(self.sprites.sheet.frames[*at].millis);
        let mut left = millis % all.iter().map(of).sum::<u64>().max(1);
        let shown = all.iter().find(|at| {
            let is_shown = left < of(at);
            left = left.saturating_sub(of(at));
            is_shown
        });
        shown.copied().unwrap_or(tag.from)
    }
}
