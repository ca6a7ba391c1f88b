//! Reads what is needed of an `.aseprite` file that a pixel editor may have changed: cels with their notes, layers, tags and the pivot.
//! Only files with 32 bits per pixel, as those of Keypose. Groups, tile maps and blend modes are left out.

use std::io::Read;
use std::rc::Rc;

use flate2::read::ZlibDecoder;

use crate::export::bitmap::Bitmap;
use crate::sprites::aseprite::{CEL, LAYER, SLICE, TAGS, USER_DATA};

/// The maximum size of the pixels of a cel.
const MAX_BYTES: u64 = 4 << 26;

/// Layers, cels and tags, as a pixel editor may have saved them.
#[derive(Debug, Default)]
pub struct AsepriteFile {
    /// The point of the slice `pivot` on the canvas.
    pub pivot: [i32; 2],
    /// The names of the layers.
    pub layers: Vec<String>,
    /// For each frame, the cel of each layer.
    pub frames: Vec<Vec<Option<Rc<AsepriteCel>>>>,
    /// The tags in the order of the file.
    pub tags: Vec<AsepriteTag>,
}

/// A named range of frames.
#[derive(Clone, Debug)]
pub struct AsepriteTag {
    /// Not always unique.
    pub name: String,
    /// The first frame.
    pub from: usize,
    /// The last frame.
    pub to: usize,
    /// The text of its user data.
    pub note: String,
}

/// The pixels of a layer in a frame.
#[derive(Clone, Debug)]
pub struct AsepriteCel {
    /// The corner on the canvas.
    pub at: [i32; 2],
    /// Pixels that are not premultiplied.
    pub image: Bitmap,
    /// The text of its user data.
    pub note: String,
}

/// The chunk that user data belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Owner {
    Cel(usize),
    /// The user data of all tags follow them, in their order.
    Tag(usize),
    Other,
}

/// Reads a file. The error says what is wrong with it.
pub fn read(bytes: &[u8]) -> Result<AsepriteFile, String> {
    let mut header = Cursor(bytes);
    header.skip(4)?;
    if header.word()? != 0xA5E0 {
        return Err("not an .aseprite file".into());
    }
    let count = header.word()?;
    header.skip(4)?;
    if header.word()? != 32 {
        return Err("expected RGBA colours; change the colour mode of the file".into());
    }
    header.skip(128 - 14)?;
    let mut file = AsepriteFile::default();
    for _ in 0..count {
        let size = header.dword()?;
        let mut frame = Cursor(header.take(size.saturating_sub(4))?);
        frame.skip(2)?;
        let few = frame.word()?;
        frame.skip(4)?;
        let chunks = match frame.dword()? {
            0 => u32::from(few),
            chunks => chunks,
        };
        file.frames.push(vec![None; file.layers.len()]);
        let mut owner = Owner::Other;
        for _ in 0..chunks {
            let size = frame.dword()?;
            let mut chunk = Cursor(frame.take(size.saturating_sub(4))?);
            owner = file.add(chunk.word()?, chunk, owner)?;
        }
    }
    Ok(file)
}

impl AsepriteFile {
    fn add(&mut self, kind: u16, mut data: Cursor<'_>, owner: Owner) -> Result<Owner, String> {
        match kind {
            LAYER => {
                data.skip(16)?;
                self.layers.push(data.text()?);
                self.frames.iter_mut().for_each(|frame| frame.push(None));
            }
            CEL => return self.add_cel(data).map(Owner::Cel),
            TAGS => {
                let count = data.word()?;
                data.skip(8)?;
                for _ in 0..count {
                    let [from, to] = [data.word()?, data.word()?].map(usize::from);
                    data.skip(13)?;
                    self.tags.push(AsepriteTag { name: data.text()?, from, to, note: String::new() });
                }
                return Ok(Owner::Tag(0));
            }
            SLICE => {
                let (_, flags, _, name) = (data.dword()?, data.dword()?, data.dword()?, data.text()?);
                if name == "pivot" && flags == 2 {
                    data.skip(4)?;
                    let [x, y, _, _, right, down] = data.longs()?;
                    self.pivot = [x.saturating_add(right), y.saturating_add(down)];
                }
            }
            USER_DATA => {
                let is_text = data.dword()? & 1 == 1;
                if let (Owner::Cel(layer), true) = (owner, is_text) {
                    let note = data.text()?;
                    let cel = self.frames.last_mut().and_then(|frame| frame.get_mut(layer)?.as_mut());
                    cel.into_iter().for_each(|cel| Rc::make_mut(cel).note.clone_from(&note));
                }
                if let Owner::Tag(at) = owner {
                    if let (Some(tag), true) = (self.tags.get_mut(at), is_text) {
                        tag.note = data.text()?;
                    }
                    return Ok(Owner::Tag(at + 1));
                }
            }
            // Extra data of a cel may come before its user data.
            _ => return Ok(owner),
        }
        Ok(Owner::Other)
    }

    /// Returns the layer of the cel.
    fn add_cel(&mut self, mut data: Cursor<'_>) -> Result<usize, String> {
        let layer = usize::from(data.word()?);
        let at = [data.short()?, data.short()?].map(i32::from);
        data.skip(1)?;
        let kind = data.word()?;
        data.skip(7)?;
        let cel = match kind {
            1 => {
                let linked = usize::from(data.word()?);
                self.frames.get(linked).and_then(|frame| frame.get(layer)?.clone())
            }
            0 | 2 => {
                let [width, height] = [data.word()?, data.word()?].map(u32::from);
                let size = u64::from(width) * u64::from(height) * 4;
                if size > MAX_BYTES {
                    return Err(format!("a cel has {width} × {height} pixels, which is too large"));
                }
                let mut pixels = Vec::new();
                let read = match kind {
                    0 => data.0.take(size).read_to_end(&mut pixels),
                    _ => ZlibDecoder::new(data.0).take(size).read_to_end(&mut pixels),
                };
                let image = read.ok().and_then(|_| Bitmap::new(width, height, pixels));
                Some(Rc::new(AsepriteCel { at, image: image.ok_or("a cel is damaged")?, note: String::new() }))
            }
            _ => return Err("tile maps are not supported".into()),
        };
        let place = self.frames.last_mut().and_then(|frame| frame.get_mut(layer));
        *place.ok_or("a cel is in an unknown layer")? = cel;
        Ok(layer)
    }
}

/// The rest of some bytes, little-endian.
#[derive(Clone, Copy)]
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, count: u32) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count as usize).ok_or("the file is cut off")?;
        self.0 = rest;
        Ok(taken)
    }

    fn skip(&mut self, count: u32) -> Result<(), String> {
        self.take(count).map(|_| ())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (taken, rest) = self.0.split_first_chunk().ok_or("the file is cut off")?;
        self.0 = rest;
        Ok(*taken)
    }

    fn word(&mut self) -> Result<u16, String> {
        self.array().map(u16::from_le_bytes)
    }

    fn short(&mut self) -> Result<i16, String> {
        self.array().map(i16::from_le_bytes)
    }

    fn dword(&mut self) -> Result<u32, String> {
        self.array().map(u32::from_le_bytes)
    }

    fn longs(&mut self) -> Result<[i32; 6], String> {
        let mut longs = [0; 6];
        for long in &mut longs {
            *long = self.array().map(i32::from_le_bytes)?;
        }
        Ok(longs)
    }

    fn text(&mut self) -> Result<String, String> {
        let length = self.word()?;
        self.take(length.into()).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }
}
