//! Paints one frame: samples on the GPU, then pixels and layers.

use std::sync::Arc;

use glam::Vec3;

use keypose::anim::pose::ModelPose;
use keypose::assets::material::{AlphaMode, Material, Outline, Shading};
use keypose::assets::model::{Model, Visibility};
use keypose_editor::render::frame::attached::attached;
use keypose_editor::render::frame::bounds::ModelBounds;
use keypose_editor::render::frame::color::Color;
use keypose_editor::render::frame::sprite_view::{Canvas, SpriteView};
use keypose_editor::render::frame::{Background, Frame, ModelDraw, Shadow, Surface};
use keypose_editor::render::gl::error::GlError;
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::renderer::Renderer;
use keypose_editor::render::shaders::Shaders;
use keypose_tools::export::bitmap::Bitmap;
use keypose_tools::sprites::cells::{Cell, Cells, SAMPLES, Samples};
use keypose_tools::sprites::cleanup::remove_specks;
use keypose_tools::sprites::ink::{EIGHT, Ink, Rgb};
use keypose_tools::sprites::look::{self, Look};
use keypose_tools::sprites::oklab;

use crate::app::console;
use crate::app::film::headless::{Checks, Driver, Headless, Interface};
use crate::app::film::sprites::SpriteJob;
use crate::app::film::sprites::layers::{Layer, Up};

/// Paints frames of one size.
pub struct Painter {
    target: Target,
    renderer: Renderer,
    canvas: Canvas,
    look: Look,
    layers: Vec<Layer>,
    plain: Cast,
    emitting: Option<Cast>,
    /// The model with the meshes of one material each, and their colours.
    masks: Vec<(Cast, Color)>,
    up: Up,
    _headless: Headless,
}

/// A model and those that it may hold.
struct Cast {
    model: Arc<Model>,
    props: Vec<Arc<Model>>,
    bounds: Arc<ModelBounds>,
}

/// A frame: its colours, and its layers.
pub struct Painted {
    /// Without the outline.
    pub ink: Ink,
    pub layers: Vec<Bitmap>,
}

/// Points around a posed model and what it holds, in the same order for every pose.
pub fn points(
    model: &Arc<Model>,
    parts: &ModelBounds,
    others: &[(&Arc<Model>, ModelBounds)],
    pose: &Arc<ModelPose>,
) -> Vec<Vec3> {
    let mut points = parts.posed_corners(pose);
    let models: Vec<Arc<Model>> = others.iter().map(|(model, _)| (*model).clone()).collect();
    for prop in attached(&ModelDraw::new(model.clone(), pose.clone()), &models) {
        let bounds = others.iter().find(|(other, _)| Arc::ptr_eq(other, &prop.model));
        let corners = bounds.map(|(_, bounds)| bounds.posed_corners(&prop.pose)).unwrap_or_default();
        points.extend(corners.iter().map(|corner| prop.world_from_model.transform_point3(*corner)));
    }
    points
}

impl Painter {
    /// Opens the driver.
    pub fn new(
        job: &SpriteJob,
        canvas: Canvas,
        props: Vec<Arc<Model>>,
        bounds: Arc<ModelBounds>,
    ) -> Result<Painter, String> {
        let headless = Headless::open_as(Interface::Gl33, Driver::Any, Checks::Off)?;
        let to_text = |error: GlError| error.to_string();
        let renderer = Renderer::new(&headless.context, &Shaders::default()).map_err(to_text)?;
        let target =
            Target::new(&headless.context, canvas.size.map(|side| side * SAMPLES as u32), 0).map_err(to_text)?;
        let cast = |change: &dyn Fn(&Model) -> Model| Cast {
            model: Arc::new(change(&job.model)),
            props: props.iter().map(|prop| Arc::new(change(prop))).collect(),
            bounds: bounds.clone(),
        };
        let has = |layer: Layer| job.layers.contains(&layer);
        let masks = if has(Layer::Mask) { masks(&job.model, &props, &bounds) } else { Vec::new() };
        Ok(Painter {
            target,
            renderer,
            canvas,
            look: Look { depth_pixels: canvas.depth[0] - canvas.depth[1], ..job.look.clone() },
            layers: job.layers.clone(),
            plain: cast(&|model| with_materials(model, plain)),
            emitting: has(Layer::Emission).then(|| cast(&|model| with_materials(model, emitting))),
            masks,
            up: job.up,
            _headless: headless,
        })
    }

    /// Paints a pose.
    pub fn paint(&mut self, pose: &Arc<ModelPose>, view: &SpriteView) -> Result<Painted, String> {
        let colors = self.samples(self.plain.draws(pose, Surface::Unlit), view)?;
        let geometry = self.samples(self.plain.draws(pose, Surface::Geometry), view)?;
        let mut cells = self.cells(&colors, &geometry, view);
        remove_specks(&mut cells);
        let body = look::draw(&cells, &self.look);
        let ink = look::outlined(&body, &self.look);
        let mut layers = Vec::with_capacity(self.layers.len());
        for layer in self.layers.clone() {
            let image = match layer {
                Layer::Normals => normals(&cells, &ink, self.up),
                Layer::Depth => image_of(&cells, |cell| Some([(255.0 * (1.0 - cell.depth)).round() as u8; 3])),
                Layer::Silhouette => ink.to_bitmap_of(|_| [255; 3]),
                Layer::Shadow => self.shadow(pose, view)?,
                Layer::Emission | Layer::Mask => {
                    let flat = self.samples(self.flat_draws(layer, pose), view)?;
                    let flat = self.cells(&flat, &geometry, view);
                    let color =
                        |at: usize| flat.cells[at].map(|cell| oklab::to_bytes(cell.color)).filter(|it| *it != [0; 3]);
                    let pixels = cells.cells.iter().enumerate().map(|(at, cell)| cell.and_then(|_| color(at)));
                    Ink { pixels: pixels.collect(), ..ink.clone() }.to_bitmap()
                }
            };
            layers.push(image.ok_or("a layer is empty")?);
        }
        Ok(Painted { ink: body, layers })
    }

    /// The draws of a layer whose surfaces have one colour each.
    fn flat_draws(&self, layer: Layer, pose: &Arc<ModelPose>) -> Vec<ModelDraw> {
        if layer == Layer::Emission {
            return self.emitting.iter().flat_map(|cast| cast.draws(pose, Surface::Unlit)).collect();
        }
        let draws = |(cast, color): &(Cast, Color)| {
            let tint = *color;
            cast.draws(pose, Surface::Silhouette).into_iter().map(move |draw| ModelDraw { tint, ..draw })
        };
        self.masks.iter().flat_map(draws).collect()
    }

    /// The shadow on the ground: black, half transparent.
    fn shadow(&mut self, pose: &Arc<ModelPose>, view: &SpriteView) -> Result<Option<Bitmap>, String> {
        let flatten = view.shadow_from_world();
        let draws = self.plain.draws(pose, Surface::Silhouette).into_iter();
        let flat = draws.map(|draw| ModelDraw {
            world_from_model: flatten * draw.world_from_model,
            tint: Color::BLACK,
            ..draw
        });
        let samples = self.samples(flat.collect(), view)?;
        let cells = self.cells(&samples, &samples, view);
        let pixels = cells.cells.iter().flat_map(|cell| if cell.is_some() { [0, 0, 0, 110] } else { [0; 4] });
        let [width, height] = self.canvas.size;
        Ok(Bitmap::new(width, height, pixels.collect()))
    }

    /// Draws models with several samples per pixel of the sprite.
    fn samples(&mut self, models: Vec<ModelDraw>, view: &SpriteView) -> Result<Vec<u8>, String> {
        let frame =
            Frame { camera: view.camera(&self.canvas), background: Background::NONE, models, ..Frame::default() };
        self.renderer.render(&frame, &self.target).map_err(|error| error.to_string())?;
        self.renderer.take_notices().iter().for_each(|notice| console::warn(format_args!("keypose: {notice}")));
        Ok(self.target.read())
    }

    fn cells(&self, colors: &[u8], geometry: &[u8], view: &SpriteView) -> Cells {
        let size = self.canvas.size.map(|side| side as usize);
        Cells::of(&Samples { size, colors, geometry }, view.view_from_world())
    }
}

impl Cast {
    /// The model in a pose with what it holds.
    fn draws(&self, pose: &Arc<ModelPose>, surface: Surface) -> Vec<ModelDraw> {
        let draw = ModelDraw {
            surface,
            shadow: Shadow::None,
            bounds: Some(self.bounds.clone()),
            ..ModelDraw::new(self.model.clone(), pose.clone())
        };
        let props = attached(&draw, &self.props);
        std::iter::once(draw).chain(props).collect()
    }
}

/// A model with other materials.
fn with_materials(model: &Model, change: fn(&Material) -> Material) -> Model {
    let materials = model.materials.iter().map(|material| Arc::new(change(material))).collect();
    Model { materials, ..model.clone() }
}

/// Without the outline of the material and without the light of its shading.
fn plain(material: &Material) -> Material {
    Material { outline: Outline::default(), shading: Shading::Unlit, ..material.clone() }
}

/// With its emission as its colour.
fn emitting(material: &Material) -> Material {
    let [r, g, b] = material.emissive;
    let color = [r.min(1.0), g.min(1.0), b.min(1.0), 1.0];
    let texture = material.emissive_texture;
    Material { base_color: color, texture, alpha_mode: AlphaMode::Opaque, ..plain(material) }
}

/// For each material, the models with its meshes alone, and a colour.
fn masks(model: &Arc<Model>, props: &[Arc<Model>], bounds: &Arc<ModelBounds>) -> Vec<(Cast, Color)> {
    let most = std::iter::once(model).chain(props).map(|model| model.materials.len()).max().unwrap_or(0);
    let alone = |model: &Arc<Model>, material: usize, is_prop: bool| {
        let mut model = Model::clone(model);
        for slot in &mut model.meshes {
            if slot.mesh.material != material || is_prop {
                slot.visibility = Visibility::Hidden;
            }
        }
        Arc::new(model)
    };
    let mut found = Vec::new();
    for material in 0..most {
        let none = props.iter().map(|prop| alone(prop, material, true)).collect();
        let own = Cast { model: alone(model, material, false), props: none, bounds: bounds.clone() };
        found.push((own, mask_color(found.len())));
        let held = props.iter().map(|prop| alone(prop, material, false)).collect();
        let of_props = Cast { model: alone(model, material, true), props: held, bounds: bounds.clone() };
        found.push((of_props, mask_color(found.len())));
    }
    found
}

/// A colour that differs from those of the numbers before.
fn mask_color(number: usize) -> Color {
    let turn = number as f32 * 2.399_963;
    let place = Vec3::new(0.55 + 0.12 * ((number % 3) as f32), 0.16 * turn.cos(), 0.16 * turn.sin());
    let [r, g, b] = oklab::to_bytes(place);
    Color::hex(u32::from_be_bytes([0, r, g, b]))
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
    Ink { pixels: pixels.collect(), ..ink.clone() }.to_bitmap()
}
