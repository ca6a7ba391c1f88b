//! Frames that were changed by hand in an `.aseprite` file: they are found by the notes of their cels, and replace those of a new sheet.

use std::rc::Rc;

use xxhash_rust::xxh3::Xxh3;

use crate::export::bitmap::Bitmap;
use crate::sprites::aseprite;
use crate::sprites::aseprite_read::{self, AsepriteCel, AsepriteFile, AsepriteTag};
use crate::sprites::sheet::{COLORS, Sheet, SheetFrame, Tag};

/// The note of a cel that was changed by hand.
pub const BY_HAND: &str = "By hand";

/// The note of a cel as it was rendered. `at` is its corner on the canvas. Transparent pixels and trimming make no difference.
pub fn note(image: &Bitmap, at: [i32; 2], pivot: [i32; 2]) -> String {
    let mut hash = Xxh3::new();
    let pixels = image.pixels().chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0);
    for (number, pixel) in pixels {
        let [x, y] = [number as u32 % image.width(), number as u32 / image.width()].map(|side| side as i32);
        for side in [(at[0] + x).wrapping_sub(pivot[0]), (at[1] + y).wrapping_sub(pivot[1])] {
            hash.update(&side.to_le_bytes());
        }
        hash.update(pixel);
    }
    format!("Keypose {:016x}", hash.digest())
}

/// The note of a tag as it was written, with the number of its frames.
pub fn count_note(count: usize) -> String {
    format!("{count} frames")
}

/// The frames of a file that were changed by hand.
#[derive(Debug, Default)]
pub struct Retouched {
    file: AsepriteFile,
    /// The name of the tag, the number of the frame in it, and its number in the file.
    frames: Vec<(String, usize, usize)>,
    /// Whether another program saved the file since it was written.
    pub is_foreign: bool,
}

impl Retouched {
    /// Finds them. The error is a sentence without the name of the file.
    pub fn read(bytes: &[u8]) -> Result<Retouched, String> {
        let file = aseprite_read::read(bytes)?;
        let mut frames = Vec::new();
        for at in (0..file.frames.len()).filter(|at| is_changed(&file, *at)) {
            let tag = tag_around(&file, at);
            let tag = tag.ok_or_else(|| format!("frame {} is drawn by hand and in no tag", at + 1))?;
            let count = count_note((tag.to - tag.from).saturating_add(1));
            // Tags of the artist have no count.
            if is_counted(tag) && tag.note != count {
                let (name, note) = (&tag.name, &tag.note);
                return Err(format!("frames drawn by hand can't be placed: {name} has {count} instead of {note}"));
            }
            frames.push((tag.name.clone(), at - tag.from, at));
        }
        Ok(Retouched { file, frames, is_foreign: !aseprite::is_as_written(bytes) })
    }

    /// None of a file whose frames are drawn again.
    pub fn replaced(bytes: &[u8]) -> Retouched {
        Retouched { is_foreign: !aseprite::is_as_written(bytes), ..Retouched::default() }
    }

    /// The names of the frames: that of the tag, and the number in it.
    pub fn names(&self) -> Vec<String> {
        self.frames.iter().map(|(tag, number, _)| format!("{tag} {}", number + 1)).collect()
    }

    /// A sheet with these frames in place of its own; `None` if there are none. The error is a sentence.
    pub fn put_into(&self, sheet: &Sheet) -> Result<Option<Sheet>, String> {
        let mut by_hand = vec![None; sheet.frames.len()];
        for (name, number, at) in &self.frames {
            let shown = format!("{name} {}", number + 1);
            let tag = |tag: &&Tag| tag.name == *name && tag.from + number <= tag.to;
            let Some(tag) = sheet.tags.iter().find(tag) else {
                return Err(format!("{shown} is drawn by hand, and the sheet no longer has the frame"));
            };
            let is_unknown = |(layer, cel): (&String, &Option<Rc<AsepriteCel>>)| {
                !sheet.layers.contains(layer) && cel.as_ref().is_some_and(|cel| self.is_by_hand(cel))
            };
            if let Some((layer, _)) = self.file.layers.iter().zip(&self.file.frames[*at]).find(|it| is_unknown(*it)) {
                return Err(format!("{shown} is drawn by hand in \"{layer}\", which is no layer of the sheet"));
            }
            by_hand[tag.from + number] = Some((shown, *at));
        }
        if self.frames.is_empty() {
            return Ok(None);
        }
        let mut new = Sheet::new(sheet.layers.clone(), sheet.canvas, sheet.pivot, sheet.scale);
        for (frame, by_hand) in sheet.frames.iter().zip(by_hand) {
            let images = (0..sheet.layers.len()).map(|layer| match &by_hand {
                Some((shown, at)) => self
                    .image(sheet, frame, layer, *at)
                    .ok_or_else(|| format!("{shown} is drawn by hand, and larger than the frames of the sheet")),
                None => sheet.whole(frame, layer).ok_or_else(|| "a frame is empty".to_owned()),
            });
            let images: Vec<Bitmap> = images.collect::<Result<_, _>>()?;
            let placed = new.place(images, [0; 2]);
            new.frames.push(SheetFrame { placed, is_by_hand: by_hand.is_some(), ..frame.clone() });
        }
        new.tags.clone_from(&sheet.tags);
        Ok(Some(new))
    }

    fn is_by_hand(&self, cel: &AsepriteCel) -> bool {
        is_by_hand(&self.file, cel)
    }

    /// A layer of a frame on the canvas of a sheet, whose own one is used if the file has no such layer. `None` if it doesn't fit.
    fn image(&self, sheet: &Sheet, frame: &SheetFrame, layer: usize, at: usize) -> Option<Bitmap> {
        let name = &sheet.layers[layer];
        let Some(own) = self.file.layers.iter().position(|known| known == name) else {
            return sheet.whole(frame, layer);
        };
        let [width, height] = sheet.canvas;
        let mut pixels = vec![0; 4 * width as usize * height as usize];
        if let Some(cel) = self.file.frames.get(at).and_then(|cels| cels.get(own)?.as_ref()) {
            for (number, pixel) in cel.image.pixels().chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
                let [x, y] = [number as u32 % cel.image.width(), number as u32 / cel.image.width()];
                let place = |axis: usize, side: u32| {
                    let from_pivot = i64::from(cel.at[axis]) + i64::from(side) - i64::from(self.file.pivot[axis]);
                    let on_canvas = from_pivot + i64::from(sheet.pivot[axis]);
                    u32::try_from(on_canvas).ok().filter(|side| *side < sheet.canvas[axis])
                };
                let start = 4 * (place(1, y)? as usize * width as usize + place(0, x)? as usize);
                pixels[start..start + 4].copy_from_slice(pixel);
            }
        }
        Bitmap::new(width, height, pixels)
    }
}

/// The tag of a frame; of several, the one that Keypose wrote.
fn tag_around(file: &AsepriteFile, at: usize) -> Option<&AsepriteTag> {
    let around = file.tags.iter().filter(|tag| (tag.from..=tag.to).contains(&at));
    around.min_by_key(|tag| !is_counted(tag))
}

/// Whether a tag has the note of Keypose.
fn is_counted(tag: &AsepriteTag) -> bool {
    tag.note.ends_with(" frames")
}

/// Whether a frame was changed by hand: a cel is not as its note says, or that of the colours is gone.
fn is_changed(file: &AsepriteFile, frame: usize) -> bool {
    let cels = file.frames.get(frame).map(Vec::as_slice).unwrap_or_default();
    let colors = file.layers.iter().position(|name| name == COLORS).and_then(|at| cels.get(at));
    colors.is_none_or(Option::is_none) || cels.iter().flatten().any(|cel| is_by_hand(file, cel))
}

fn is_by_hand(file: &AsepriteFile, cel: &AsepriteCel) -> bool {
    cel.note != note(&cel.image, cel.at, file.pivot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprites::palette::Palette;
    use crate::sprites::sheet::tests::sample;

    fn written(sheet: &Sheet) -> Vec<u8> {
        aseprite::write(sheet, &Palette::default()).unwrap()
    }

    /// The sample with a pixel of two frames drawn by hand.
    fn drawn() -> Sheet {
        let mut sheet = sample();
        for at in [1, 3] {
            let mut images: Vec<Bitmap> = (0..2).map(|layer| sheet.whole(&sheet.frames[at], layer).unwrap()).collect();
            let mut pixels = images[0].pixels().to_vec();
            pixels[..4].copy_from_slice(&[0, 255, 0, 255]);
            images[0] = Bitmap::new(8, 6, pixels).unwrap();
            let placed = sheet.place(images, [0; 2]);
            sheet.frames[at] = SheetFrame { placed, is_by_hand: true, ..sheet.frames[at].clone() };
        }
        sheet
    }

    #[test]
    fn frames_without_a_change_are_not_kept() {
        let read = Retouched::read(&written(&sample())).unwrap();
        assert!(read.names().is_empty() && read.put_into(&sample()).unwrap().is_none() && !read.is_foreign);
        let mut bytes = written(&sample());
        let digit = bytes.windows(8).position(|window| window == b"Keypose ").unwrap() + 8;
        bytes[digit] ^= 1;
        let read = Retouched::read(&bytes).unwrap();
        assert_eq!(read.names(), ["walk 1"], "its pixels are not those of its note");
        assert!(read.is_foreign);
    }

    #[test]
    fn frames_drawn_by_hand_replace_new_ones_again_and_again() {
        let mut sheet = sample();
        // A canvas that grew to the left.
        (sheet.canvas, sheet.pivot) = ([10, 6], [6, 5]);
        sheet.frames.iter_mut().for_each(|frame| frame.placed.at[0] += 2);
        let mut bytes = written(&drawn());
        for _ in 0..2 {
            let read = Retouched::read(&bytes).unwrap();
            assert_eq!(read.names(), ["walk 2", "jump 1"]);
            let merged = read.put_into(&sheet).unwrap().unwrap();
            for (at, frame) in merged.frames.iter().enumerate() {
                let image = merged.whole(frame, 0).unwrap();
                let is_by_hand = image.pixel(2, 0) == Some([0, 255, 0, 255]);
                assert_eq!((is_by_hand, frame.is_by_hand), (at == 1 || at == 3, at == 1 || at == 3), "{at}");
                let rest = |image: &Bitmap| image.pixels()[4 * 10..].to_vec();
                assert_eq!(rest(&image), rest(&sheet.whole(&sheet.frames[at], 0).unwrap()));
            }
            assert_eq!(merged.tags, sheet.tags);
            bytes = written(&merged);
        }
    }

    #[test]
    fn frames_of_a_tag_with_more_frames_than_were_written_are_refused() {
        let mut more = written(&drawn());
        let digit = more.windows(8).position(|window| window == b"3 frames").unwrap();
        more[digit] = b'2';
        let error = Retouched::read(&more).unwrap_err();
        assert!(error.contains("walk has 3 frames instead of 2 frames"), "{error}");
    }

    #[test]
    fn frames_are_found_in_their_own_tag_below_one_of_the_artist() {
        let mut file = aseprite_read::read(&written(&drawn())).unwrap();
        let wide = AsepriteTag { name: "my notes".into(), from: 0, to: 3, note: String::new() };
        file.tags.insert(0, wide);
        assert_eq!([0, 3].map(|at| tag_around(&file, at).unwrap().name.as_str()), ["walk", "jump"]);
    }

    #[test]
    fn what_cannot_be_kept_is_an_error() {
        let read = Retouched::read(&written(&drawn())).unwrap();
        let mut sheet = sample();
        sheet.tags.pop();
        assert!(read.put_into(&sheet).unwrap_err().contains("jump 1 is drawn by hand, and the sheet no longer has"));
        let mut small = sample();
        small.pivot = [0, 5];
        assert!(read.put_into(&small).unwrap_err().contains("larger than the frames"));
        let mut other = sample();
        other.layers[0] = "colour".into();
        assert!(read.put_into(&other).unwrap_err().contains("in \"color\", which is no layer"));
    }

    #[test]
    fn damaged_files_are_errors() {
        let bytes = written(&drawn());
        for at in 0..bytes.len() {
            let _ = Retouched::read(&bytes[..at]);
            for bit in [0, 7] {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                let _ = Retouched::read(&changed).map(|read| read.put_into(&sample()));
            }
        }
        assert!(Retouched::read(&bytes[..bytes.len() - 1]).is_err() && Retouched::read(b"PNG").is_err());
    }
}
