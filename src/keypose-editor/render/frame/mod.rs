//! A frame as plain data: the camera, the ground, posed models, solids of a level, and overlaid lines and triangles.
//! The editor and the game build a [`Frame`]; the renderer draws it. No GL.
//!
//! Space is right-handed with y up; lengths are world units. Colours are sRGB-encoded.

pub mod attached;
mod birds;
pub mod bones;
pub mod bounds;
pub mod camera;
pub mod clip_volumes;
pub mod color;
pub mod crowd;
pub mod framed_model;
pub mod marks;
pub mod moving;
pub mod normal_lines;
pub mod overlay;
pub mod path;
pub mod scenery;
pub mod side_view;
pub mod sprite_view;

use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::render::frame::bounds::ModelBounds;
use crate::render::frame::camera::Camera;
use crate::render::frame::color::Color;
use crate::render::frame::crowd::CrowdDraw;
use crate::render::frame::overlay::Overlay;
use keypose::anim::mat34::Mat3x4;
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::skin::method::{self, Method};
use keypose::assets::fit::Fit;
use keypose::assets::model::Model;

/// One frame. Equal frames look the same; models are compared by their `Arc`.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub camera: Camera,
    pub background: Background,
    /// The light of all lit surfaces.
    pub light: Light,
    /// The ground plane with its grid and shadows.
    pub ground: Option<Ground>,
    /// Characters and props, in any order.
    pub models: Vec<ModelDraw>,
    /// Many characters of one model each.
    pub crowds: Vec<CrowdDraw>,
    /// The blocks and the decor of a level, in any order.
    pub solids: Vec<SolidDraw>,
    /// The haze, if any.
    pub haze: Option<Haze>,
    /// Lines and triangles: bones, collision shapes, motion trails, gizmos.
    pub overlay: Overlay,
    /// Two methods of skinning side by side, left and right, instead of the models' own.
    pub split: Option<[Method; 2]>,
    /// Pixels per point of the display (2 on a high-resolution display). Scales the widths of lines.
    pub pixels_per_point: f32,
    /// World units per metre, for the widths of outlines. See [`metre`].
    pub metre: f32,
}

impl Default for Frame {
    /// Only the background, seen from the front.
    fn default() -> Frame {
        Frame {
            camera: Camera::default(),
            background: Background::DARK,
            light: Light::default(),
            ground: None,
            models: Vec::new(),
            crowds: Vec::new(),
            solids: Vec::new(),
            haze: None,
            overlay: Overlay::default(),
            split: None,
            pixels_per_point: 1.0,
            metre: 1.0,
        }
    }
}

/// The metre of a frame that shows these models in units of the first, which `fit` measures; 1 without outlines, which alone need it.
pub fn metre<'a>(mut models: impl Iterator<Item = &'a Arc<Model>>, fit: impl FnOnce() -> Fit) -> f32 {
    let has_outline = |model: &Arc<Model>| model.materials.iter().any(|material| material.outline.width > 0.0);
    if models.any(has_outline) { fit().scale.recip() } else { 1.0 }
}

/// A vertical gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Background {
    /// Colour at the upper edge.
    pub top: Color,
    /// Colour at the lower edge.
    pub bottom: Color,
}

impl Background {
    /// The viewport's background in the dark theme.
    pub const DARK: Background = Background { top: Color::hex(0x3c4654), bottom: Color::hex(0x22272f) };
    /// The viewport's background in the light theme.
    pub const LIGHT: Background = Background { top: Color::hex(0xe9edf3), bottom: Color::hex(0xb9c2cf) };
    /// Transparent.
    pub const NONE: Background = Background { top: Color::CLEAR, bottom: Color::CLEAR };
}

/// One key light with ambient light from sky and ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Direction towards the key light, of any length.
    pub to_key: Vec3,
    /// Colour of the key light; white is full intensity.
    pub key: Color,
    /// Ambient light from above.
    pub sky: Color,
    /// Ambient light from below.
    pub ground: Color,
    /// Strength of shadows, from 0 (none are drawn) to 1.
    pub shadow: f32,
}

impl Default for Light {
    fn default() -> Light {
        Light {
            to_key: Vec3::new(0.45, 1.0, 0.55),
            key: Color::hex(0xfff3e2),
            sky: Color::hex(0xbcc8d8),
            ground: Color::hex(0x857c74),
            shadow: 0.55,
        }
    }
}

impl Light {
    /// Studio light: the key light is high and to the left of the camera.
    pub fn beside(camera: &Camera) -> Light {
        let (right, _) = camera.right_and_up();
        let back = (-camera.forward()).with_y(0.0).normalize_or_zero();
        Light { to_key: Vec3::Y * 1.15 - right * 0.55 + back * 0.75, ..Light::default() }
    }
}

/// The plane y = `height`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Height in world space.
    pub height: f32,
    /// The grid. Without one, only shadows are drawn.
    pub grid: Option<Grid>,
}

/// Grid lines on the ground that fade with distance. Every tenth line is stronger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// World units between two lines, greater than zero.
    pub spacing: f32,
    /// Distance from the camera's target at which the lines have faded out.
    pub radius: f32,
    /// Colour of the lines.
    pub color: Color,
    /// Offset of the lines towards +x, for a treadmill.
    pub offset: f32,
    /// Colours of the x and the z axis, if these are drawn.
    pub axes: Option<[Color; 2]>,
}

impl Grid {
    /// Colour of lines on [`Background::LIGHT`].
    pub const ON_LIGHT: Color = Color::hex(0x3a4452).with_alpha(0.20);

    /// A grid for a scene of this radius (half the diagonal of its bounds). Its spacing is a power of ten.
    pub fn for_size(radius: f32) -> Grid {
        let spacing = 10.0_f32.powf((radius.max(1e-3) * 0.4).log10().round());
        let axes = Some([Color::AXES[0].with_alpha(0.32), Color::AXES[2].with_alpha(0.32)]);
        Grid { spacing, radius: radius * 9.0, color: Color::hex(0xaab4c4).with_alpha(0.22), offset: 0.0, axes }
    }
}

/// A posed model.
#[derive(Clone, Debug)]
pub struct ModelDraw {
    /// The model. The renderer keeps GPU copies of its meshes and textures while frames use the same `Arc`s.
    pub model: Arc<Model>,
    /// The pose. Missing bones count as identity.
    pub pose: Arc<ModelPose>,
    pub world_from_model: Mat4,
    /// A colour mixed over the material's colour by its alpha (hit flash, highlight).
    pub tint: Color,
    /// How its surface is drawn.
    pub surface: Surface,
    /// Whether a shadow is cast. Shadows of others are received in any case.
    pub shadow: Shadow,
    /// How its bones move its vertices.
    pub method: Method,
    /// The pose towards which [`Method::Interpolated`] interpolates matrices.
    pub next: Option<NextPose>,
    /// The bounds of the model, if they are known; if not, the renderer reads every vertex of a new model. They follow from the
    /// model, so that draws are equal with or without them.
    pub bounds: Option<Arc<ModelBounds>>,
}

/// A pose towards which matrices are interpolated.
#[derive(Clone, Debug, PartialEq)]
pub struct NextPose {
    pub pose: Arc<ModelPose>,
    /// The fraction of the way to it, 0 to 1.
    pub fraction: f32,
}

impl PartialEq for ModelDraw {
    fn eq(&self, other: &ModelDraw) -> bool {
        Arc::ptr_eq(&self.model, &other.model)
            && (Arc::ptr_eq(&self.pose, &other.pose) || self.pose == other.pose)
            && (self.world_from_model, self.tint) == (other.world_from_model, other.tint)
            && (self.surface, self.shadow) == (other.surface, other.shadow)
            && (self.method, &self.next) == (other.method, &other.next)
    }
}

/// The property that lightens a model: 0 leaves it as it is, 1 is the maximum.
pub const GLOW: &str = "glow";
/// How much of white a model has at most that glows.
const MAX_GLOW: f32 = 0.6;

impl ModelDraw {
    /// An opaque, lit model that casts a shadow, at the origin. Its tint is that of its property [`GLOW`] in the pose, if it has one.
    pub fn new(model: Arc<Model>, pose: Arc<ModelPose>) -> ModelDraw {
        let glow = model.property(&pose, GLOW).filter(|glow| *glow > 0.0);
        let tint = glow.map_or(Color::CLEAR, |glow| Color::WHITE.with_alpha(MAX_GLOW * glow.min(1.0)));
        let world_from_model = Mat4::IDENTITY;
        let (surface, shadow, method) = (Surface::Lit, Shadow::Cast, model.skinning);
        ModelDraw { model, pose, world_from_model, tint, surface, shadow, method, next: None, bounds: None }
    }

    /// Where a bone is in model space. Interpolated matrices are not rigid between poses.
    pub fn bone(&self, bone: BoneIndex) -> Mat3x4 {
        let from = self.pose.get(bone);
        match self.next.as_ref().filter(|_| self.method == Method::Interpolated) {
            Some(next) => method::interpolated(&[from], &[next.pose.get(bone)], next.fraction)[0],
            None => from,
        }
    }

    /// A ghost: a flat, transparent model behind opaque ones, without shadow.
    pub fn ghost(model: Arc<Model>, pose: Arc<ModelPose>, color: Color) -> ModelDraw {
        let surface = Surface::Ghost;
        ModelDraw { tint: color, surface, shadow: Shadow::None, ..ModelDraw::new(model, pose) }
    }
}

/// How a model's surface is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Surface {
    /// Materials with the frame's light.
    #[default]
    Lit,
    /// Materials without light.
    Unlit,
    /// A flat colour, the tint, whose alpha is the opacity. Drawn behind opaque models, so that it never covers them.
    Ghost,
    /// A flat opaque colour: the tint.
    Silhouette,
    /// Lit and transparent, so that bones are visible.
    XRay,
    /// Materials without light, transparent, behind every opaque model at any distance: a reference image.
    Backdrop,
    /// A backdrop in front of every model.
    Sheet,
    /// Edges of the triangles over a dim surface.
    Wireframe,
    /// Each vertex is coloured by its weight for this bone, from blue (0) to red (1).
    Weights(BoneIndex),
    /// Each vertex has the colours of the bones that move it ([`Color::of_bone`]).
    BoneColors,
    /// Coloured by the direction of the normals.
    Normals,
    /// Squares in texture coordinates.
    UvChecker,
    /// Each surface adds light, whatever is in front of it.
    Overdraw,
    /// Coloured by the place in the space in which the mesh was bound.
    SkinSpace,
    /// Normals in world space as bytes, 255 · (n / 2 + 1/2), with the depth in alpha: 0 at the near end of an orthographic camera's
    /// depth, 1 at its far end. For sprites, which are lit later.
    Geometry,
    /// The light that materials emit, as a colour.
    Emission,
}

/// Whether a model casts a shadow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shadow {
    /// Casts one on the ground, on solids and on models.
    #[default]
    Cast,
    /// No shadow.
    None,
}

/// A lit shape of one colour that fills a box: the building material of levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidDraw {
    pub shape: SolidShape,
    /// Lowest corner of the box that it fills.
    pub min: Vec3,
    /// Highest corner.
    pub max: Vec3,
    /// Colour of the sides.
    pub color: Color,
    /// Colour of the faces that face up, such as grass on earth.
    pub top: Color,
    /// Whether a shadow is cast. Shadows of others are received in any case.
    pub shadow: Shadow,
}

/// The shape of a solid inside of its box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SolidShape {
    /// A block with bevelled edges.
    Box {
        /// Width of the bevel in world units, clamped to a third of the shortest side. 0 for sharp edges.
        bevel: f32,
    },
    /// The part below a diagonal as seen from the front.
    Wedge {
        /// Whether its high end is the left one.
        rises_left: bool,
    },
    /// A pyramid with its apex at the centre of the top.
    Pyramid,
    /// A pyramid whose apex is beside the centre.
    Blade {
        /// By how much to the right, in world units.
        lean: f32,
    },
    /// An ellipsoid of flat faces.
    Ellipsoid,
}

/// Fades distant surfaces to a colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Haze {
    /// The colour of distant surfaces; usually the background's lower colour.
    pub color: Color,
    /// Distance from the eye at which the fade starts.
    pub near: f32,
    /// Distance at which only the haze is left; greater than `near`.
    pub far: f32,
}
