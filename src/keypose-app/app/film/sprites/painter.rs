//! Renders the samples of frames, several frames to an image, so that the driver is read back rarely.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use keypose::anim::pose::ModelPose;
use keypose::assets::material::{Material, Outline, Shading};
use keypose::assets::model::{Model, Visibility};
use keypose::assets::sprite_recipe::Layer;
use keypose_editor::render::frame::attached::attached_as;
use keypose_editor::render::frame::bounds::ModelBounds;
use keypose_editor::render::frame::color::Color;
use keypose_editor::render::frame::sprite_view::{Canvas, SpriteView};
use keypose_editor::render::frame::{Background, Frame, ModelDraw, Shadow, Surface};
use keypose_editor::render::gl::context::Context;
use keypose_editor::render::gl::error::GlError;
use keypose_editor::render::gl::target::{Target, Viewport};
use keypose_editor::render::renderer::Renderer;
use keypose_editor::render::shaders::Shaders;
use keypose_tools::sprites::cells::{SAMPLES, Samples};
use keypose_tools::sprites::oklab;

use crate::app::console;
use crate::app::film::sprites::SpriteJob;

/// Minimum width and height of the image that frames are rendered to, in samples.
const SIDE: u32 = 1024;
/// The maximum memory of an image. A driver without hardware has two of them besides those that are read.
const MAX_IMAGE_BYTES: u64 = 400 << 20;

/// A pose to draw.
#[derive(Clone, Debug)]
pub struct Shot {
    pub pose: Arc<ModelPose>,
    /// The names of the models on its sockets.
    pub held: Vec<String>,
    pub view: SpriteView,
    /// The part of the sheet's canvas around the pose, with a pivot of its own.
    pub canvas: Canvas,
    /// The corner of that part.
    pub at: [u32; 2],
}

/// An image of a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Colours without light.
    Colors,
    /// Normals and depth.
    Geometry,
    /// Light that surfaces emit.
    Emission,
    /// A colour for each material.
    Mask,
    /// The shadow on the ground.
    Shadow,
    /// Colours without what sockets hold.
    Body,
    /// Normals and depth without what sockets hold.
    BodyGeometry,
}

/// Images of several shots.
pub struct Batch {
    image: Vec<u8>,
    /// Width of the image in samples.
    width: usize,
    passes: Vec<Pass>,
    /// The upper left corners of the passes of each shot.
    corners: Vec<Vec<[u32; 2]>>,
}

/// Renders frames.
pub struct Painter {
    target: Target,
    renderer: Renderer,
    passes: Vec<Pass>,
    plain: Cast,
    /// The model with the meshes of one material each, and their colours.
    masks: Vec<(Cast, Color)>,
}

/// A model and those that it may hold.
struct Cast {
    model: Arc<Model>,
    props: Vec<Arc<Model>>,
    bounds: Arc<ModelBounds>,
}

/// Points around a posed model and what it holds, in the same order for every pose.
pub fn points(
    model: &Arc<Model>,
    parts: &ModelBounds,
    others: &[(&Arc<Model>, ModelBounds)],
    (pose, held): (&Arc<ModelPose>, &[String]),
) -> Vec<Vec3> {
    let mut points = parts.posed_corners(pose);
    let models: Vec<Arc<Model>> = others.iter().map(|(model, _)| (*model).clone()).collect();
    for prop in attached_as(&ModelDraw::new(model.clone(), pose.clone()), &models, held) {
        let bounds = others.iter().find(|(other, _)| Arc::ptr_eq(other, &prop.model));
        let corners = bounds.map(|(_, bounds)| bounds.posed_corners(&prop.pose)).unwrap_or_default();
        points.extend(corners.iter().map(|corner| prop.world_from_model.transform_point3(*corner)));
    }
    points
}

impl Batch {
    /// The number of shots.
    pub fn len(&self) -> usize {
        self.corners.len()
    }

    /// The samples of a shot: the colours of a pass with the geometry.
    pub fn samples(&self, at: usize, shot: &Shot, pass: Pass) -> Samples<'_> {
        let corner = |pass: Pass| {
            let corner =
                self.passes.iter().position(|known| *known == pass).and_then(|pass| self.corners[at].get(pass));
            corner.copied().unwrap_or_default().map(|side| side as usize)
        };
        let geometry = match pass {
            Pass::Shadow => pass,
            Pass::Body => Pass::BodyGeometry,
            _ => Pass::Geometry,
        };
        let size = shot.canvas.size.map(|side| side as usize);
        Samples { size, image: &self.image, width: self.width, colors: corner(pass), geometry: corner(geometry) }
    }
}

impl Painter {
    /// Loads what the layers of a job need. `largest` is the largest canvas of a shot.
    pub fn new(
        context: &Context,
        job: &SpriteJob,
        (props, bounds): (&[Arc<Model>], &Arc<ModelBounds>),
        largest: [u32; 2],
    ) -> Result<Painter, String> {
        let to_text = |error: GlError| error.to_string();
        let renderer = Renderer::new(context, &Shaders::unlit()).map_err(to_text)?;
        let has = |layer: Layer| job.recipe.layers.contains(&layer);
        let extra = [
            (Layer::Emission, Pass::Emission),
            (Layer::Mask, Pass::Mask),
            (Layer::Shadow, Pass::Shadow),
            (Layer::Attachments, Pass::Body),
            (Layer::Attachments, Pass::BodyGeometry),
        ];
        let extra = extra.into_iter().filter(|(layer, _)| has(*layer)).map(|(_, pass)| pass);
        let passes: Vec<Pass> = [Pass::Colors, Pass::Geometry].into_iter().chain(extra).collect();
        // Two passes of the largest shot beside each other.
        let [width, height] = largest.map(|side| side * SAMPLES as u32);
        let size = [SIDE.max(2 * width), SIDE.max(height * (passes.len() as u32).div_ceil(2))];
        if bytes_of(size) > MAX_IMAGE_BYTES {
            let [width, height] = largest;
            let reason =
                "which takes too much memory with these layers; make the sprites smaller or choose fewer layers";
            return Err(format!("the frames would be {width} × {height} pixels, {reason}"));
        }
        let target = Target::new(context, size, 0).map_err(to_text)?;
        Ok(Painter {
            target,
            renderer,
            passes,
            plain: Cast::of(job, (props, bounds)),
            masks: if has(Layer::Mask) { masks(&job.model, props, bounds) } else { Vec::new() },
        })
    }

    /// The memory of an image.
    pub fn image_bytes(&self) -> u64 {
        bytes_of(self.target.size())
    }

    /// Replaces the models. What the layers of the job need must be loaded.
    pub fn recast(&mut self, job: &SpriteJob, (props, bounds): (&[Arc<Model>], &Arc<ModelBounds>)) {
        self.plain = Cast::of(job, (props, bounds));
    }

    /// Renders the first of these shots, as many as fit in an image; at least one.
    pub fn paint(&mut self, shots: &[Shot]) -> Result<Batch, String> {
        let [width, height] = self.target.size();
        let corners = arranged(shots, self.passes.len(), [width, height]);
        for (shot, corners) in shots.iter().zip(&corners) {
            let size = shot.canvas.size.map(|side| side * SAMPLES as u32);
            for (pass, [x, y]) in self.passes.clone().into_iter().zip(corners) {
                let viewport = Viewport { at: [*x, height.saturating_sub(y + size[1])], size };
                let (camera, background) = (shot.view.camera(&shot.canvas), Background::NONE);
                let frame = Frame { camera, background, models: self.draws(pass, shot), ..Frame::default() };
                let drawn = self.renderer.render_viewport(&frame, &self.target, viewport);
                drawn.map_err(|error| error.to_string())?;
            }
        }
        self.target.resolve();
        self.renderer.take_notices().iter().for_each(|notice| console::warn(format_args!("keypose: {notice}")));
        Ok(Batch { image: self.target.read(), width: width as usize, passes: self.passes.clone(), corners })
    }

    fn draws(&self, pass: Pass, shot: &Shot) -> Vec<ModelDraw> {
        let plain = |surface| self.plain.draws(shot, surface);
        match pass {
            Pass::Colors => plain(Surface::Unlit),
            Pass::Geometry => plain(Surface::Geometry),
            Pass::Body => plain(Surface::Unlit).into_iter().take(1).collect(),
            Pass::BodyGeometry => plain(Surface::Geometry).into_iter().take(1).collect(),
            Pass::Emission => plain(Surface::Emission),
            Pass::Mask => {
                let draws = |(cast, color): &(Cast, Color)| {
                    let tint = *color;
                    cast.draws(shot, Surface::Silhouette).into_iter().map(move |draw| ModelDraw { tint, ..draw })
                };
                self.masks.iter().flat_map(draws).collect()
            }
            Pass::Shadow => {
                let flat = |draw: ModelDraw| {
                    let world_from_model: Mat4 = shot.view.shadow_from_world() * draw.world_from_model;
                    ModelDraw { world_from_model, tint: Color::BLACK, ..draw }
                };
                plain(Surface::Silhouette).into_iter().map(flat).collect()
            }
        }
    }
}

fn bytes_of([width, height]: [u32; 2]) -> u64 {
    4 * u64::from(width) * u64::from(height)
}

/// The corners of the passes of the shots that fit in an image: in rows, one after the other.
fn arranged(shots: &[Shot], passes: usize, [width, height]: [u32; 2]) -> Vec<Vec<[u32; 2]>> {
    let (mut all, mut at, mut row) = (Vec::new(), [0; 2], 0);
    for shot in shots {
        let size = shot.canvas.size.map(|side| side * SAMPLES as u32);
        let mut corners = Vec::with_capacity(passes);
        for _ in 0..passes {
            if at[0] + size[0] > width {
                (at, row) = ([0, at[1] + row], 0);
            }
            corners.push(at);
            (at[0], row) = (at[0] + size[0], row.max(size[1]));
        }
        if !all.is_empty() && at[1] + row > height {
            break;
        }
        all.push(corners);
    }
    all
}

impl Cast {
    /// The models of a job with plain materials.
    fn of(job: &SpriteJob, (props, bounds): (&[Arc<Model>], &Arc<ModelBounds>)) -> Cast {
        Cast { model: with_plain(&job.model), props: props.iter().map(with_plain).collect(), bounds: bounds.clone() }
    }

    /// The model in a pose with what it holds.
    fn draws(&self, shot: &Shot, surface: Surface) -> Vec<ModelDraw> {
        let draw = ModelDraw {
            surface,
            shadow: Shadow::None,
            bounds: Some(self.bounds.clone()),
            world_from_model: shot.view.world_from_model(),
            ..ModelDraw::new(self.model.clone(), shot.pose.clone())
        };
        let props = attached_as(&draw, &self.props, &shot.held);
        std::iter::once(draw).chain(props).collect()
    }
}

/// A model with plain materials.
fn with_plain(model: &Arc<Model>) -> Arc<Model> {
    let materials = model.materials.iter().map(|material| Arc::new(plain(material))).collect();
    Arc::new(Model { materials, ..Model::clone(model) })
}

/// Without the outline of the material and without the light of its shading.
fn plain(material: &Material) -> Material {
    Material { outline: Outline::default(), shading: Shading::Unlit, ..material.clone() }
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
