//! Files of the pixel editor Aseprite, by its published specification of `.aseprite` (version 1.3): layers, tags, durations, a palette and
//! slices. Frames with the same picture at the same place share a cel. The note of each cel has a hash, by which
//! a later change is found, and that of the first layer one of the whole file.

use std::io::Write;
use std::ops::Range;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use keypose::anim::clip::LoopMode;
use xxhash_rust::xxh3::Xxh3;

use crate::export::bitmap::Bitmap;
use crate::sprites::palette::Palette;
use crate::sprites::retouch::{BY_HAND, count_note, note};
use crate::sprites::sheet::{Sheet, SheetFrame};
use crate::sprites::slices::slices;

/// The maximum number of frames of a file.
pub const MAX_FRAMES: usize = 65_535;

pub(super) const LAYER: u16 = 0x2004;
pub(super) const CEL: u16 = 0x2005;
const COLOR_PROFILE: u16 = 0x2007;
pub(super) const TAGS: u16 = 0x2018;
const PALETTE: u16 = 0x2019;
pub(super) const USER_DATA: u16 = 0x2020;
pub(super) const SLICE: u16 = 0x2022;

/// Writes a file. The error is a sentence.
pub fn write(sheet: &Sheet, palette: &Palette) -> Result<Vec<u8>, String> {
    if sheet.frames.len() > MAX_FRAMES {
        return Err(format!("{} frames; an .aseprite file has at most {MAX_FRAMES}", sheet.frames.len()));
    }
    let mut bytes = header(sheet, palette);
    for at in 0..sheet.frames.len() {
        let mut chunks = Chunks::default();
        if at == 0 {
            describe(sheet, palette, &mut chunks);
        }
        cels(sheet, at, &mut chunks)?;
        let size = 16 + chunks.bytes.len() as u32;
        bytes.extend(size.to_le_bytes());
        bytes.extend(0xF1FA_u16.to_le_bytes());
        bytes.extend(chunks.count.min(0xFFFF).to_le_bytes().iter().take(2));
        bytes.extend((sheet.frames[at].millis.min(65_535) as u16).to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend(chunks.count.to_le_bytes());
        bytes.extend(chunks.bytes);
    }
    let size = bytes.len() as u32;
    bytes[..4].copy_from_slice(&size.to_le_bytes());
    if let Some(place) = seal_in(&bytes) {
        let seal = seal_of(&bytes, &place);
        bytes[place].copy_from_slice(&seal);
    }
    Ok(bytes)
}

/// The start of the note of the first layer.
const SEAL: &[u8] = b"Keypose-file ";
/// A seal that isn't made yet.
const NO_SEAL: &str = "Keypose-file 0000000000000000";

/// Whether no other program has saved a file since it was written.
pub fn is_as_written(bytes: &[u8]) -> bool {
    seal_in(bytes).is_some_and(|place| bytes[place.clone()] == seal_of(bytes, &place))
}

/// The place of the digits of the seal.
fn seal_in(bytes: &[u8]) -> Option<Range<usize>> {
    let start = bytes.windows(SEAL.len()).position(|window| window == SEAL)? + SEAL.len();
    let end = start + (NO_SEAL.len() - SEAL.len());
    (end <= bytes.len()).then_some(start..end)
}

/// The seal of a file: a hash of all other bytes.
fn seal_of(bytes: &[u8], place: &Range<usize>) -> [u8; 16] {
    let mut hash = Xxh3::new();
    hash.update(&bytes[..place.start]);
    hash.update(&bytes[place.end..]);
    let mut seal = [b'0'; 16];
    seal.copy_from_slice(format!("{:016x}", hash.digest()).as_bytes());
    seal
}

#[derive(Default)]
struct Chunks {
    bytes: Vec<u8>,
    count: u32,
}

impl Chunks {
    fn add(&mut self, kind: u16, data: &[u8]) {
        self.bytes.extend((6 + data.len() as u32).to_le_bytes());
        self.bytes.extend(kind.to_le_bytes());
        self.bytes.extend(data);
        self.count += 1;
    }
}

/// The numbers of a chunk, little-endian.
#[derive(Default)]
struct Data(Vec<u8>);

impl Data {
    fn byte(mut self, value: u8) -> Data {
        self.0.push(value);
        self
    }

    fn word(mut self, value: u16) -> Data {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn dword(mut self, value: u32) -> Data {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn long(mut self, value: i32) -> Data {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn zeros(mut self, count: usize) -> Data {
        self.0.resize(self.0.len() + count, 0);
        self
    }

    fn bytes(mut self, bytes: &[u8]) -> Data {
        self.0.extend(bytes);
        self
    }

    fn text(self, text: &str) -> Data {
        let mut end = text.len().min(65_535);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.word(end as u16).bytes(&text.as_bytes()[..end])
    }
}

fn header(sheet: &Sheet, palette: &Palette) -> Vec<u8> {
    let [width, height] = sheet.canvas.map(|side| side as u16);
    let data = Data::default().dword(0).word(0xA5E0).word(sheet.frames.len() as u16).word(width).word(height);
    // 32 bits per pixel; the opacity of layers counts.
    let data = data.word(32).dword(1).word(100).dword(0).dword(0).byte(0).zeros(3);
    let data = data.word(palette.colors().len() as u16 + 1).byte(1).byte(1).word(0).word(0).word(16).word(16);
    data.zeros(84).0
}

/// The chunks of the first frame: colours, layers, tags and slices.
fn describe(sheet: &Sheet, palette: &Palette, chunks: &mut Chunks) {
    chunks.add(COLOR_PROFILE, &Data::default().word(1).word(0).dword(0).zeros(8).0);
    let last = palette.colors().len() as u32;
    let entry = |data: Data, [r, g, b]: [u8; 3], alpha: u8| data.word(0).bytes(&[r, g, b, alpha]);
    let first = entry(Data::default().dword(last + 1).dword(0).dword(last).zeros(8), [0; 3], 0);
    chunks.add(PALETTE, &palette.colors().iter().fold(first, |data, color| entry(data, *color, 255)).0);
    for (at, name) in sheet.layers.iter().enumerate() {
        // Only the colours are visible.
        let flags = if at == 0 { 3 } else { 2 };
        let data = Data::default().word(flags).word(0).word(0).word(0).word(0).word(0).byte(255).zeros(3);
        chunks.add(LAYER, &data.text(name).0);
        if at == 0 {
            chunks.add(USER_DATA, &Data::default().dword(1).text(NO_SEAL).0);
        }
    }
    let mut tags = Data::default().word(sheet.tags.len() as u16).zeros(8);
    for tag in &sheet.tags {
        let direction = if tag.loop_mode == LoopMode::PingPong { 2 } else { 0 };
        let repeat = u16::from(tag.loop_mode == LoopMode::Once);
        tags = tags.word(tag.from as u16).word(tag.to as u16).byte(direction).word(repeat).zeros(6);
        tags = tags.bytes(&[0x4a, 0x90, 0xe2, 0]).text(&tag.name);
    }
    chunks.add(TAGS, &tags.0);
    for tag in &sheet.tags {
        let note = count_note(tag.to - tag.from + 1);
        chunks.add(USER_DATA, &Data::default().dword(3).text(&note).bytes(&[0x4a, 0x90, 0xe2, 255]).0);
    }
    for slice in slices(sheet) {
        let has_pivot = slice.keys.iter().any(|key| key.pivot.is_some());
        let mut data = Data::default().dword(slice.keys.len() as u32).dword(if has_pivot { 2 } else { 0 }).dword(0);
        data = data.text(&slice.name);
        for key in &slice.keys {
            let [x, y, width, height] = key.bounds;
            data = data.dword(key.frame as u32).long(x).long(y).dword(width as u32).dword(height as u32);
            if has_pivot {
                let [x, y] = key.pivot.unwrap_or_default();
                data = data.long(x).long(y);
            }
        }
        chunks.add(SLICE, &data.0);
    }
}

/// The cels of a frame, one for each layer.
fn cels(sheet: &Sheet, at: usize, chunks: &mut Chunks) -> Result<(), String> {
    let frame = &sheet.frames[at];
    let is_same = |other: &SheetFrame| (other.placed, other.is_by_hand) == (frame.placed, frame.is_by_hand);
    let linked = sheet.frames[..at].iter().position(is_same);
    let images = sheet.pictures.get(frame.placed.picture).map(|picture| &picture.images[..]).unwrap_or_default();
    for (layer, image) in images.iter().enumerate() {
        let [x, y] = frame.placed.at.map(|side| side as u16);
        let data = Data::default().word(layer as u16).word(x).word(y).byte(255);
        let data = match linked {
            Some(linked) => data.word(1).zeros(7).word(linked as u16),
            None => data.word(2).zeros(7).word(image.width() as u16).word(image.height() as u16).bytes(&packed(image)?),
        };
        chunks.add(CEL, &data.0);
        if linked.is_none() {
            let [at, pivot] = [frame.placed.at, sheet.pivot].map(|corner| corner.map(|side| side as i32));
            let note = if frame.is_by_hand { BY_HAND.to_owned() } else { note(image, at, pivot) };
            chunks.add(USER_DATA, &Data::default().dword(1).text(&note).0);
        }
    }
    Ok(())
}

fn packed(image: &Bitmap) -> Result<Vec<u8>, String> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(image.pixels()).and_then(|()| encoder.finish());
    written.map_err(|error| format!("a cel could not be packed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprites::sheet::tests::sample;

    #[test]
    fn another_reader_finds_everything() {
        let sheet = sample();
        let palette = Palette::new([[200, 40, 1], [200, 40, 2], [90, 40, 1]]);
        let bytes = write(&sheet, &palette).unwrap();
        let file = asefile::AsepriteFile::read(&bytes[..]).unwrap();
        assert_eq!((file.width(), file.height(), file.num_frames(), file.num_layers()), (8, 6, 4, 2));
        assert!(file.layer(0).is_visible() && !file.layer(1).is_visible());
        assert_eq!(file.layer_by_name("normals").unwrap().id(), 1);
        for (at, frame) in sheet.frames.iter().enumerate() {
            assert_eq!(file.frame(at as u32).duration(), frame.millis);
            for layer in 0..2 {
                let read = file.layer(layer).frame(at as u32).image();
                assert_eq!(read.into_raw(), sheet.whole(frame, layer as usize).unwrap().pixels(), "{at} {layer}");
            }
        }
        let tag = |name| {
            let tag = file.tag_by_name(name).unwrap();
            (tag.from_frame(), tag.to_frame(), tag.animation_direction(), tag.repeat().map(u32::from))
        };
        assert_eq!(tag("walk"), (0, 2, asefile::AnimationDirection::Forward, None));
        assert_eq!(tag("jump"), (3, 3, asefile::AnimationDirection::Forward, Some(1)));
        assert_eq!(file.palette().unwrap().color(2).unwrap().raw_rgba8(), [200, 40, 2, 255]);
        let slices: Vec<_> = file.slices().iter().map(|slice| (&slice.name[..], slice.keys.len())).collect();
        assert_eq!(slices, [("pivot", 1), ("hit blade", 3)]);
        assert_eq!(file.slices()[0].keys[0].pivot, Some((4, 5)));
        for (slice, written) in file.slices().iter().zip(super::slices(&sheet)) {
            let found: Vec<_> = slice.keys.iter().map(|key| (key.from_frame as usize, key.origin, key.size)).collect();
            let of = |[x, y, width, height]: [i32; 4], at| (at, (x, y), (width as u32, height as u32));
            let expected: Vec<_> = written.keys.iter().map(|key| of(key.bounds, key.frame)).collect();
            assert_eq!(found, expected, "{}", slice.name);
        }
    }
}
