//! A sheet: trimmed frames, of which equal ones are stored once, with their tags and marks; and the images of its atlas.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::Xxh3;

use crate::export::bitmap::Bitmap;
use crate::sprites::atlas::{Packed, Rect, pack};
use crate::sprites::marks::Marks;
use keypose::anim::clip::LoopMode;
use keypose::assets::sprite_recipe::SpriteRecipe;

/// The name of the layer of colours.
pub const COLORS: &str = "color";

/// A picture of a sheet on its canvas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// The index of the picture.
    pub picture: usize,
    /// The corner of the picture on the canvas.
    pub at: [u32; 2],
}

/// A frame of a tag, with what a game knows about it.
#[derive(Clone, Debug)]
pub struct SheetFrame {
    /// Unique in the sheet.
    pub name: String,
    /// The picture and its corner.
    pub placed: Placed,
    /// How long it is shown.
    pub millis: u32,
    /// Events, volumes and sockets.
    pub marks: Marks,
    /// Whether its picture was changed by hand.
    pub is_by_hand: bool,
}

/// Trimmed images, one for each layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Of one size.
    pub images: Vec<Bitmap>,
}

/// A clip in a direction: a range of frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Tag {
    /// Unique in the sheet.
    pub name: String,
    /// The first frame.
    pub from: usize,
    /// The last frame.
    pub to: usize,
    /// The behaviour at the end.
    pub loop_mode: LoopMode,
    /// How long the pose of the last frame is held in the clip, in milliseconds; 0 if it is only the end.
    pub hold: u32,
}

/// All frames.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The names of the layers; the first is of colours.
    pub layers: Vec<String>,
    /// Width and height of a frame that isn't trimmed.
    pub canvas: [u32; 2],
    /// The origin of the model on the ground, on the canvas.
    pub pivot: [u32; 2],
    /// In the order of the tags.
    pub frames: Vec<SheetFrame>,
    /// Different pictures.
    pub pictures: Vec<Picture>,
    /// In order; every frame is in one.
    pub tags: Vec<Tag>,
    /// Pixels per unit of the model.
    pub scale: f32,
    /// Pictures by the hash of their pixels.
    known: BTreeMap<u128, usize>,
}

impl Sheet {
    /// An empty sheet.
    pub fn new(layers: Vec<String>, canvas: [u32; 2], pivot: [u32; 2], scale: f32) -> Sheet {
        Sheet { layers, canvas, pivot, scale, ..Sheet::default() }
    }

    /// Trims images, one for each layer, whose corner is at a place on the canvas, and stores them unless equal ones are.
    pub fn place(&mut self, mut images: Vec<Bitmap>, corner: [u32; 2]) -> Placed {
        let rect @ [x, y, width, height] = content(&images);
        if images.iter().any(|image| [image.width(), image.height()] != [width, height]) {
            images = images.iter().filter_map(|image| cut(image, rect)).collect();
        }
        let mut hash = Xxh3::new();
        hash.update(&width.to_le_bytes());
        images.iter().for_each(|image| hash.update(image.pixels()));
        let next = self.pictures.len();
        let picture = *self.known.entry(hash.digest128()).or_insert(next);
        if picture == next {
            self.pictures.push(Picture { images });
        }
        Placed { picture, at: [corner[0] + x, corner[1] + y] }
    }

    /// Makes a tag of the frames that were added since the last one.
    pub fn tag(&mut self, name: String, loop_mode: LoopMode, hold: u32) {
        let from = self.tags.last().map_or(0, |tag| tag.to + 1);
        if self.frames.len() > from {
            // Editors of pixels show each end of a ping-pong once in a cycle, which lasts twice as long as the clip.
            if let (LoopMode::PingPong, [first, .., last]) = (loop_mode, &mut self.frames[from..]) {
                last.millis = first.millis.saturating_add(hold.saturating_mul(2));
            }
            self.tags.push(Tag { name, from, to: self.frames.len() - 1, loop_mode, hold });
        }
    }

    /// The frames of a tag as they are shown once, and their milliseconds, for formats without ping-pong: there and back, each with the time to
    /// the next one. The last pose is held before the turn and after it.
    pub fn played(&self, tag: &Tag) -> Vec<(usize, u32)> {
        let millis = |at: usize| self.frames.get(at).map_or(0, |frame| frame.millis);
        if tag.loop_mode != LoopMode::PingPong || tag.to == tag.from {
            return (tag.from..=tag.to).map(|at| (at, millis(at))).collect();
        }
        let there = (tag.from..tag.to).map(|at| (at, millis(at)));
        let hold = |at: usize| if at == tag.to { tag.hold.saturating_mul(2) } else { 0 };
        let back = (tag.from + 1..=tag.to).rev().map(|at| (at, millis(at - 1).saturating_add(hold(at))));
        there.chain(back).collect()
    }

    /// Width and height of a picture.
    pub fn size_of(&self, picture: usize) -> [u32; 2] {
        let image = self.pictures.get(picture).and_then(|picture| picture.images.first());
        image.map_or([1; 2], |image| [image.width(), image.height()])
    }

    /// Places the pictures.
    pub fn pack(&self, recipe: &SpriteRecipe) -> Result<Packed, String> {
        let sizes: Vec<[u32; 2]> = (0..self.pictures.len()).map(|picture| self.size_of(picture)).collect();
        pack(&sizes, recipe)
    }

    /// The rectangle of a frame's picture in the atlas.
    pub fn rect(&self, frame: &SheetFrame, packed: &Packed) -> Rect {
        let [width, height] = self.size_of(frame.placed.picture);
        let [x, y] = packed.corners.get(frame.placed.picture).copied().unwrap_or_default();
        Rect { x, y, width, height }
    }

    /// The atlas of a layer.
    pub fn atlas(&self, layer: usize, packed: &Packed, extrusion: u32) -> Option<Bitmap> {
        let [width, height] = packed.size;
        let mut pixels = vec![0; 4 * width as usize * height as usize];
        self.draw_rows((layer, packed, extrusion), 0, &mut pixels);
        Bitmap::new(width, height, pixels)
    }

    /// Draws rows of the atlas of a layer from `top` on, as many as `pixels` hold, which are transparent.
    pub fn draw_rows(&self, (layer, packed, extrusion): (usize, &Packed, u32), top: u32, pixels: &mut [u8]) {
        let (row, reach) = (4 * packed.size[0] as usize, extrusion as i32);
        let [top, bottom] = [top as i32, top as i32 + (pixels.len() / row) as i32];
        for (picture, corner) in self.pictures.iter().zip(&packed.corners) {
            let Some(image) = picture.images.get(layer) else { continue };
            let [left, start] = corner.map(|side| side as i32);
            let [width, height] = [image.width(), image.height()].map(|side| side as i32);
            for y in (start - reach).max(top)..(start + height + reach).min(bottom) {
                for x in -reach..width + reach {
                    let inside = [x.clamp(0, width - 1), (y - start).clamp(0, height - 1)].map(|side| side as u32);
                    let at = (y - top) as usize * row + 4 * (left + x) as usize;
                    pixels[at..at + 4].copy_from_slice(&image.pixel(inside[0], inside[1]).unwrap_or_default());
                }
            }
        }
    }

    /// A layer of a frame on the whole canvas.
    pub fn whole(&self, frame: &SheetFrame, layer: usize) -> Option<Bitmap> {
        let [width, height] = self.canvas;
        let image = self.pictures.get(frame.placed.picture)?.images.get(layer)?;
        let mut pixels = vec![0; 4 * width as usize * height as usize];
        let [left, top] = frame.placed.at.map(|side| side as usize);
        for (y, row) in image.pixels().chunks_exact(4 * image.width() as usize).enumerate() {
            let at = 4 * ((top + y) * width as usize + left);
            pixels[at..at + row.len()].copy_from_slice(row);
        }
        Bitmap::new(width, height, pixels)
    }
}

/// The smallest rectangle with everything visible: left, top, width, height. One pixel if nothing is visible.
pub fn content(images: &[Bitmap]) -> [u32; 4] {
    let (mut low, mut high) = ([u32::MAX; 2], [0; 2]);
    for image in images {
        let visible = image.pixels().chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0);
        for (at, _) in visible {
            let place = [at as u32 % image.width(), at as u32 / image.width()];
            low = [0, 1].map(|axis| low[axis].min(place[axis]));
            high = [0, 1].map(|axis| high[axis].max(place[axis]));
        }
    }
    if low[0] == u32::MAX { [0, 0, 1, 1] } else { [low[0], low[1], high[0] - low[0] + 1, high[1] - low[1] + 1] }
}

/// A rectangle of an image: left, top, width and height. `None` if it isn't inside.
pub fn cut(image: &Bitmap, [x, y, width, height]: [u32; 4]) -> Option<Bitmap> {
    let row = |row: u32| {
        let at = 4 * ((y + row) as usize * image.width() as usize + x as usize);
        image.pixels().get(at..at + 4 * width as usize).unwrap_or_default()
    };
    Bitmap::new(width, height, (0..height).flat_map(row).copied().collect())
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A sheet of two tags: a square that moves, and the same square again.
    pub fn sample() -> Sheet {
        let mut sheet = Sheet::new(vec![COLORS.into(), "normals".into()], [8, 6], [4, 5], 20.0);
        let image = |left: usize, byte: u8| {
            let pixel = |at: usize| {
                let is_inside = (left..left + 3).contains(&(at % 8)) && (1..5).contains(&(at / 8));
                if is_inside { [byte, 40, at as u8 / 8, 255] } else { [0; 4] }
            };
            Bitmap::new(8, 6, (0..48).flat_map(pixel).collect()).unwrap()
        };
        for (name, left, byte) in [("walk-0", 0, 200), ("walk-1", 2, 200), ("walk-2", 2, 90), ("jump-0", 5, 200)] {
            let mut marks = Marks { events: vec!["step \"left\"".into()], ..Marks::default() };
            if name == "walk-1" {
                let hit = super::super::marks::HitMark { group: 1, damage: 9, angle: 30.0, knockback: 4.0, stun: 12 };
                let ends = [[1.5, 2.0], [4.0, 2.0]];
                marks.hits.push(super::super::marks::VolumeMark {
                    name: "blade".into(),
                    ends,
                    radius: 1.0,
                    hit: Some(hit),
                });
            }
            let placed = sheet.place(vec![image(left, byte), image(left, 128)], [0; 2]);
            sheet.frames.push(SheetFrame { name: name.into(), placed, millis: 80, marks, is_by_hand: false });
            if name == "walk-2" {
                sheet.tag("walk".into(), LoopMode::Loop, 80);
            }
        }
        sheet.tag("jump".into(), LoopMode::Once, 80);
        sheet
    }

    #[test]
    fn equal_frames_are_stored_once_wherever_they_are() {
        let sheet = sample();
        let pictures: Vec<usize> = sheet.frames.iter().map(|frame| frame.placed.picture).collect();
        assert_eq!((pictures, sheet.pictures.len()), (vec![0, 0, 1, 0], 2));
        assert_eq!(sheet.frames[3].placed.at, [5, 1]);
        assert_eq!(sheet.size_of(0), [3, 4]);
        let ranges: Vec<_> = sheet.tags.iter().map(|tag| (tag.from, tag.to)).collect();
        assert_eq!(ranges, [(0, 2), (3, 3)]);
    }

    #[test]
    fn the_atlas_gives_every_frame_back() {
        let sheet = sample();
        let recipe = SpriteRecipe { extrusion: 2, ..SpriteRecipe::default() };
        let packed = sheet.pack(&recipe).unwrap();
        for layer in 0..2 {
            let atlas = sheet.atlas(layer, &packed, recipe.extrusion).unwrap();
            let rows = packed.size[1];
            for top in 0..rows {
                let mut row = vec![0; 4 * packed.size[0] as usize];
                sheet.draw_rows((layer, &packed, recipe.extrusion), top, &mut row);
                assert_eq!(row, atlas.pixels()[top as usize * row.len()..][..row.len()]);
            }
            for frame in &sheet.frames {
                let (rect, whole) = (sheet.rect(frame, &packed), sheet.whole(frame, layer).unwrap());
                for (x, y) in (0..rect.width).flat_map(|x| (0..rect.height).map(move |y| (x, y))) {
                    let shown = whole.pixel(frame.placed.at[0] + x, frame.placed.at[1] + y);
                    assert_eq!(atlas.pixel(rect.x + x, rect.y + y), shown);
                }
                assert_eq!(atlas.pixel(rect.x - 2, rect.y), atlas.pixel(rect.x, rect.y), "extruded");
            }
        }
    }
}
