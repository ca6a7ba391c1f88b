//! The palettes of a frame on the GPU. Each model has one, for all of its skins and rigid meshes, in the first tier with room for it.
//! Palettes that did not change since the last frame are not uploaded again.

use std::cell::Cell;
use std::rc::Rc;

use crate::render::gl::buffer::{Buffer, Usage};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::texture::{Format, Texture};
use crate::render::pass::palette::rows::Rows;
use crate::render::pass::palette::shelf::Shelf;
use crate::render::pass::palette::tier::{Room, TEXTURE_WIDTH, Tier, stride};
use crate::render::pass::variant::Variant;
use keypose::anim::mat34::Mat3x4;
use keypose::anim::skin::method::Method;

pub mod layout;
pub mod rows;
pub mod shelf;
pub mod tier;

/// The texture unit of palettes.
pub const PALETTE_UNIT: u32 = 1;
/// The texture unit of weights of morph targets and marks of bones.
pub const NUMBERS_UNIT: u32 = 9;
/// The slot of the uniform block of palettes.
pub const PALETTE_SLOT: u32 = 0;

/// The palettes of a frame.
pub struct Palettes {
    context: Context,
    room: Room,
    asked: Option<Tier>,
    rows: Rows,
    /// Palettes passed as uniform arrays at draw time.
    arrays: Vec<[f32; 4]>,
    blocks: Shelf,
    block_buffer: Option<Buffer>,
    textured: Shelf,
    texture: Option<Texture>,
    numbers: Shelf,
    numbers_texture: Option<Texture>,
    uploads: Counter,
}

/// The uploads since the renderer was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uploads {
    pub count: u64,
    pub bytes: u64,
}

/// Counts uploads, from several places.
#[derive(Clone, Debug, Default)]
pub struct Counter(Rc<Cell<Uploads>>);

impl Counter {
    /// Adds an upload.
    pub fn add(&self, vectors: usize) {
        let Uploads { count, bytes } = self.0.get();
        self.0.set(Uploads { count: count + 1, bytes: bytes + 16 * vectors as u64 });
    }

    /// All until now.
    pub fn get(&self) -> Uploads {
        self.0.get()
    }
}

/// Where the palette of a model is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The program that reads it.
    pub variant: Variant,
    /// First vector, in the storage of the tier.
    pub start: usize,
    /// Number of vectors.
    pub rows: usize,
    /// Vectors from an entry to that of the second pose; 0 without one.
    pub next: usize,
    /// The fraction of the way to the second pose.
    pub fraction: f32,
}

impl Place {
    /// For meshes that no bone moves.
    pub const NONE: Place = Place { variant: Variant::NONE, start: 0, rows: 0, next: 0, fraction: 0.0 };
}

impl Palettes {
    /// Creates no storage before it is needed. `asked` is the tier to use where it has room.
    pub fn new(context: &Context, asked: Option<Tier>) -> Result<Palettes, GlError> {
        let room = Room::of(&context.limits());
        Ok(Palettes {
            context: context.clone(),
            room,
            asked,
            rows: Rows::default(),
            arrays: Vec::new(),
            blocks: Shelf::default(),
            block_buffer: None,
            textured: Shelf::default(),
            texture: None,
            numbers: Shelf::default(),
            numbers_texture: None,
            uploads: Counter::default(),
        })
    }

    /// Uses this tier from now on where it has room; `None` for the one that suits.
    pub fn ask(&mut self, tier: Option<Tier>) {
        self.asked = tier;
    }

    /// The room of the driver.
    pub fn room(&self) -> Room {
        self.room
    }

    /// Counts uploads.
    pub fn counter(&self) -> &Counter {
        &self.uploads
    }

    /// Removes the palettes of the last frame.
    pub fn clear(&mut self) {
        self.arrays.clear();
        for shelf in [&mut self.blocks, &mut self.textured, &mut self.numbers] {
            shelf.clear();
        }
        // Index 0 stands for no numbers.
        self.numbers.rows.push([0.0; 4]);
    }

    /// Adds the palette of a model; with `next` the one of a second pose as well, and the fraction of the way to it. A model for whose
    /// palette no tier has room is drawn as its meshes were bound.
    pub fn add(&mut self, method: Method, palette: &[Mat3x4], next: Option<(&[Mat3x4], f32)>) -> Place {
        let one = palette.len() * stride(method);
        let rows = if next.is_some() { 2 * one } else { one };
        let Some(tier) = self.room.choose(rows, self.asked, self.textured.rows.len()) else { return Place::NONE };
        let array_rows = match tier {
            Tier::Uniform => self.room.array_rows(rows),
            Tier::Block => self.room.rows(Tier::Block),
            Tier::Texture => 0,
        };
        let variant = Variant { tier: Some(tier), method, array_rows };
        let shelf = match tier {
            Tier::Uniform => &mut self.arrays,
            Tier::Block => self.blocks.with_page(rows, array_rows),
            Tier::Texture => &mut self.textured.rows,
        };
        let start = shelf.len();
        self.rows.push(method, palette, shelf);
        if let Some((next, _)) = next {
            self.rows.push(method, next, shelf);
        }
        let (next, fraction) = next.map_or((0, 0.0), |(_, fraction)| (one, fraction));
        Place { variant, start, rows, next, fraction }
    }

    /// Adds numbers, four to a texel. Returns the index of their first texel. Numbers that are not finite become 0.
    pub fn add_numbers(&mut self, numbers: impl IntoIterator<Item = f32>) -> usize {
        let base = self.numbers.rows.len();
        let mut numbers = numbers.into_iter().map(|number| if number.is_finite() { number } else { 0.0 }).peekable();
        while numbers.peek().is_some() {
            self.numbers.rows.push(std::array::from_fn(|_| numbers.next().unwrap_or(0.0)));
        }
        base
    }

    /// Uploads what changed, and binds all textures.
    pub fn upload(&mut self) -> Result<(), GlError> {
        if !self.blocks.rows.is_empty() {
            // Every page is bound as a whole.
            self.blocks.fill_page(self.room.rows(Tier::Block));
            let buffer = get_or_make(&mut self.block_buffer, || Buffer::new(&self.context, Usage::Stream))?;
            self.blocks.send(&self.uploads, |rows| buffer.set(rows));
        }
        if !self.textured.rows.is_empty() {
            send_texture(&self.context, &mut self.textured, &mut self.texture, &self.uploads)?.bind(PALETTE_UNIT);
        }
        send_texture(&self.context, &mut self.numbers, &mut self.numbers_texture, &self.uploads)?.bind(NUMBERS_UNIT);
        Ok(())
    }

    /// The vectors of a uniform array.
    pub fn array(&self, place: &Place) -> &[[f32; 4]] {
        &self.arrays[place.start..place.start + place.rows]
    }

    /// Binds the block of a palette. Returns the index of its first vector there.
    pub fn bind_block(&self, place: &Place) -> usize {
        let page = place.variant.array_rows;
        if let Some(buffer) = &self.block_buffer {
            buffer.bind_block(PALETTE_SLOT, place.start / page * page * 16, page * 16);
        }
        place.start % page
    }
}

fn get_or_make<T>(place: &mut Option<T>, make: impl FnOnce() -> Result<T, GlError>) -> Result<&mut T, GlError> {
    match place {
        Some(made) => Ok(made),
        none => Ok(none.insert(make()?)),
    }
}

/// Writes the vectors of a shelf to a texture, which grows as needed. Vectors beyond the driver's maximum size of a texture are
/// left out.
fn send_texture<'t>(
    context: &Context,
    shelf: &mut Shelf,
    texture: &'t mut Option<Texture>,
    uploads: &Counter,
) -> Result<&'t mut Texture, GlError> {
    let most = context.limits().texture_size as usize;
    let high = shelf.rows.len().div_ceil(TEXTURE_WIDTH).clamp(1, most);
    if texture.as_ref().is_none_or(|texture| (texture.size()[1] as usize) < high) {
        let high = high.next_power_of_two().min(most) as u32;
        *texture = Some(Texture::empty(context, Format::Rgba32F, [TEXTURE_WIDTH as u32, high])?);
        shelf.forget();
    }
    let texture = get_or_make(texture, || Texture::empty(context, Format::Rgba32F, [TEXTURE_WIDTH as u32, 1]))?;
    shelf.rows.resize(high * TEXTURE_WIDTH, [0.0; 4]);
    shelf.send(uploads, |rows| texture.write_rows(rows));
    Ok(texture)
}
