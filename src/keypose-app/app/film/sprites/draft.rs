//! Frames before their colours are reduced: pixels of samples, and the images of the layers.

use glam::Vec3;

use keypose::assets::sprite_recipe::{Layer, Rgb, Up};
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::sprites::cells::{Cell, Cells};
use keypose_tools::sprites::cleanup::keep_body;
use keypose_tools::sprites::ink::{EIGHT, Ink};
use keypose_tools::sprites::look;
use keypose_tools::sprites::oklab;
use keypose_tools::sprites::sheet::{content, cut};

use crate::app::film::sprites::SpriteJob;
use crate::app::film::sprites::painter::{Batch, Pass, Shot};

/// A frame, trimmed to what is visible with the outline.
pub struct Draft {
    /// The corner in the canvas of its shot.
    pub at: [u32; 2],
    /// Colours without the outline.
    pub ink: Ink,
    /// The pixels without what sockets hold, if attachments are a layer of their own.
    pub body: Option<Ink>,
    pub layers: Vec<Bitmap>,
}

/// A shot of a batch.
struct Source<'a> {
    batch: &'a Batch,
    at: usize,
    shot: &'a Shot,
}

impl Draft {
    /// The memory of its pixels.
    pub fn bytes(&self) -> usize {
        let inks = [Some(&self.ink), self.body.as_ref()].into_iter().flatten();
        let inks = inks.map(|ink| size_of_val(&*ink.pixels)).sum::<usize>();
        inks + self.layers.iter().map(|layer| layer.pixels().len()).sum::<usize>()
    }

    /// Draws a shot of a batch.
    pub fn of(batch: &Batch, at: usize, shot: &Shot, job: &SpriteJob) -> Result<Draft, String> {
        let source = Source { batch, at, shot };
        let cells = source.cells(Pass::Colors);
        let [near, far] = shot.canvas.depth;
        let (recipe, depth) = (&job.recipe, near - far);
        let body = look::draw(&cells, recipe, depth);
        let ink = look::outlined(&body, recipe);
        let layer = |layer: &Layer| source.layer(*layer, (&cells, &ink), recipe.normals_up).ok_or("a layer is empty");
        let layers: Vec<Bitmap> = recipe.layers.iter().map(layer).collect::<Result<_, _>>()?;
        let alone =
            recipe.layers.contains(&Layer::Attachments).then(|| look::draw(&source.cells(Pass::Body), recipe, depth));
        let rect @ [x, y, ..] = content(&[&layers[..], &[ink.to_bitmap().ok_or("a frame is empty")?]].concat());
        let layers = layers.iter().filter_map(|layer| cut(layer, rect)).collect();
        Ok(Draft { at: [x, y], ink: body.cut(rect), body: alone.map(|alone| alone.cut(rect)), layers })
    }
}

impl Source<'_> {
    fn cells(&self, pass: Pass) -> Cells {
        let mut cells = Cells::of(&self.batch.samples(self.at, self.shot, pass), self.shot.view.view_from_world());
        keep_body(&mut cells);
        cells
    }

    fn layer(&self, layer: Layer, (cells, ink): (&Cells, &Ink), up: Up) -> Option<Bitmap> {
        match layer {
            Layer::Normals => normals(cells, ink, up),
            Layer::Depth => image_of(cells, |cell| Some([(255.0 * (1.0 - cell.depth)).round() as u8; 3])),
            // Added with the colours of the palette.
            Layer::Attachments => Ink::empty(ink.width, ink.height).to_bitmap(),
            Layer::Silhouette => ink.to_bitmap_of(|_| [255; 3]),
            Layer::Emission => self.flat(Pass::Emission, cells, ink),
            Layer::Mask => self.flat(Pass::Mask, cells, ink),
            Layer::Shadow => {
                let cells = self.cells(Pass::Shadow);
                // Black, half transparent.
                let pixels = cells.cells.iter().flat_map(|cell| if cell.is_some() { [0, 0, 0, 110] } else { [0; 4] });
                Bitmap::new(ink.width as u32, ink.height as u32, pixels.collect())
            }
        }
    }

    /// Colours without light, where they aren't black.
    fn flat(&self, pass: Pass, cells: &Cells, ink: &Ink) -> Option<Bitmap> {
        let flat = self.cells(pass);
        let color = |at: usize| flat.cells[at].map(|cell| oklab::to_bytes(cell.color)).filter(|it| *it != [0; 3]);
        let pixels = cells.cells.iter().enumerate().map(|(at, cell)| cell.and_then(|_| color(at)));
        Ink { pixels: pixels.collect(), ..*ink }.to_bitmap()
    }
}

fn image_of(cells: &Cells, color: impl Fn(&Cell) -> Option<Rgb>) -> Option<Bitmap> {
    let pixels = cells.cells.iter().map(|cell| cell.as_ref().and_then(&color)).collect();
    Ink { width: cells.size[0], height: cells.size[1], pixels }.to_bitmap()
}

/// Normals as bytes, 127.5 · (n + 1): x right, z towards the eye. The outline has those of the body beside it.
fn normals(cells: &Cells, ink: &Ink, up: Up) -> Option<Bitmap> {
    let sign = if up == Up::Y { 1.0 } else { -1.0 };
    let byte = |value: f32| ((value + 1.0) * 127.5).round() as u8;
    let bytes = |normal: Vec3| [normal.x, normal.y * sign, normal.z].map(byte);
    let at_edge = |at: usize| {
        let around = EIGHT.iter().filter_map(|&offset| cells.cells[ink.neighbor(at, offset)?]);
        around.map(|cell| cell.normal).sum::<Vec3>().try_normalize().unwrap_or(Vec3::Z)
    };
    let normal = |at: usize| cells.cells[at].map_or_else(|| at_edge(at), |cell| cell.normal);
    let pixels = ink.pixels.iter().enumerate().map(|(at, pixel)| pixel.map(|_| bytes(normal(at))));
    Ink { pixels: pixels.collect(), ..*ink }.to_bitmap()
}
