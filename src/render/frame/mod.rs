//! What is to be drawn, as plain data: the camera, the ground, models in their poses, solids of a level, lines and
//! triangles over them. The editor and the game build a [`Frame`]; the renderer draws it. No GL.
//!
//! Space is right-handed with y up; lengths are world units. Colours are what designers write: sRGB-encoded.

pub mod attached;
pub mod bones;
pub mod bounds;
pub mod camera;
pub mod color;
pub mod overlay;
pub mod path;
pub mod shot;
pub mod side_view;

use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::anim::pose::ModelPose;
use crate::anim::skeleton::BoneIndex;
use crate::assets::model::Model;
use crate::render::frame::camera::Camera;
use crate::render::frame::color::Color;
use crate::render::frame::overlay::Overlay;

/// One picture. Equal frames look the same; models are compared by their `Arc`.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// From where it is seen.
    pub camera: Camera,
    /// Behind everything.
    pub background: Background,
    /// The light that everything lit shares.
    pub light: Light,
    /// The ground plane: its grid, and the shadows on it.
    pub ground: Option<Ground>,
    /// Characters and props, in any order.
    pub models: Vec<ModelDraw>,
    /// The blocks of a level and what stands around it, in any order.
    pub solids: Vec<SolidDraw>,
    /// Whether far things fade.
    pub haze: Option<Haze>,
    /// Lines and triangles: bones, volumes, trails, gizmos.
    pub overlay: Overlay,
    /// Target pixels in one point of the display (2 on a high-resolution display); scales the widths of lines.
    pub pixels_per_point: f32,
}

impl Default for Frame {
    /// Nothing but the background, seen from the front.
    fn default() -> Frame {
        Frame {
            camera: Camera::default(),
            background: Background::DARK,
            light: Light::default(),
            ground: None,
            models: Vec::new(),
            solids: Vec::new(),
            haze: None,
            overlay: Overlay::default(),
            pixels_per_point: 1.0,
        }
    }
}

/// A soft vertical gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Background {
    /// At the upper edge.
    pub top: Color,
    /// At the lower edge.
    pub bottom: Color,
}

impl Background {
    /// The viewport of the dark theme.
    pub const DARK: Background = Background { top: Color::hex(0x3c4654), bottom: Color::hex(0x22272f) };
    /// The viewport of the light theme.
    pub const LIGHT: Background = Background { top: Color::hex(0xe9edf3), bottom: Color::hex(0xb9c2cf) };
    /// A sky for the game.
    pub const SKY: Background = Background { top: Color::hex(0x6fa4d8), bottom: Color::hex(0xe3eef2) };
    /// Nothing: the picture is transparent where nothing is drawn.
    pub const NONE: Background = Background { top: Color::CLEAR, bottom: Color::CLEAR };
}

/// One key light with soft light from sky and ground around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Towards the key light; need not be of unit length.
    pub to_key: Vec3,
    /// The key light's colour; white is full.
    pub key: Color,
    /// Light from above.
    pub sky: Color,
    /// Light from below.
    pub ground: Color,
    /// How dark shadows are, 0 (none are drawn) to 1.
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
    /// The light of a studio: the key stands high to the left of the camera, wherever that goes.
    pub fn beside(camera: &Camera) -> Light {
        let (right, _) = camera.right_and_up();
        let back = (-camera.forward()).with_y(0.0).normalize_or_zero();
        Light { to_key: Vec3::Y * 1.15 - right * 0.55 + back * 0.75, ..Light::default() }
    }
}

/// The plane y = `height`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// World y.
    pub height: f32,
    /// Lines that fade with distance; `None` shows only shadows.
    pub grid: Option<Grid>,
}

/// Lines on the ground, every tenth stronger, fading with distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// World units between two lines; more than zero.
    pub spacing: f32,
    /// Distance from the camera's target at which the lines are gone.
    pub radius: f32,
    /// Of the lines.
    pub color: Color,
    /// How far the lines have moved towards +x (treadmill).
    pub offset: f32,
    /// The colours of the x and the z axis, where these are drawn.
    pub axes: Option<[Color; 2]>,
}

impl Grid {
    /// Lines that show on [`Background::LIGHT`].
    pub const ON_LIGHT: Color = Color::hex(0x3a4452).with_alpha(0.20);

    /// A grid that suits a scene of this size (half the diagonal of what is seen): spacing is a power of ten.
    pub fn for_size(radius: f32) -> Grid {
        let spacing = 10.0_f32.powf((radius.max(1e-3) * 0.4).log10().round());
        let axes = Some([Color::AXES[0].with_alpha(0.32), Color::AXES[2].with_alpha(0.32)]);
        Grid { spacing, radius: radius * 9.0, color: Color::hex(0xaab4c4).with_alpha(0.22), offset: 0.0, axes }
    }
}

/// A model in a pose.
#[derive(Clone, Debug)]
pub struct ModelDraw {
    /// GPU copies of its meshes and textures are kept as long as these `Arc`s come back frame after frame.
    pub model: Arc<Model>,
    /// Bones that it lacks count as identity.
    pub pose: Arc<ModelPose>,
    /// Where it stands.
    pub world_from_model: Mat4,
    /// Mixed over the material's colour, as much as its alpha says (hit flash, highlight).
    pub tint: Color,
    /// How its surface shows.
    pub surface: Surface,
    /// Whether it throws a shadow.
    pub shadow: Shadow,
}

impl PartialEq for ModelDraw {
    fn eq(&self, other: &ModelDraw) -> bool {
        Arc::ptr_eq(&self.model, &other.model)
            && (Arc::ptr_eq(&self.pose, &other.pose) || self.pose == other.pose)
            && (self.world_from_model, self.tint) == (other.world_from_model, other.tint)
            && (self.surface, self.shadow) == (other.surface, other.shadow)
    }
}

impl ModelDraw {
    /// Solid, lit, not tinted, throwing a shadow, at the origin.
    pub fn new(model: Arc<Model>, pose: Arc<ModelPose>) -> ModelDraw {
        let (world_from_model, tint) = (Mat4::IDENTITY, Color::CLEAR);
        ModelDraw { model, pose, world_from_model, tint, surface: Surface::Lit, shadow: Shadow::Thrown }
    }

    /// A ghost of this colour and opacity: no materials, no shadow, behind solid models.
    pub fn ghost(model: Arc<Model>, pose: Arc<ModelPose>, color: Color) -> ModelDraw {
        let surface = Surface::Ghost;
        ModelDraw { tint: color, surface, shadow: Shadow::None, ..ModelDraw::new(model, pose) }
    }
}

/// How a model's surface shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Surface {
    /// Materials under the frame's light.
    #[default]
    Lit,
    /// Materials without light.
    Unlit,
    /// One flat colour, the tint with its alpha as opacity, drawn behind solid models so that it never veils them.
    Ghost,
    /// One flat opaque colour: the tint.
    Silhouette,
    /// Lit, and see-through so that bones show.
    XRay,
    /// Materials without light, see-through, behind every solid model wherever it stands: a picture to pose by.
    Backdrop,
    /// The same over every model.
    Sheet,
    /// Edges of the triangles over a dim surface.
    Wireframe,
    /// Coloured by how much this bone moves each vertex: blue for not at all to red for wholly.
    Weights(BoneIndex),
    /// Each vertex in the colour of the bones that move it ([`Color::of_bone`]).
    BoneColors,
    /// Coloured by the direction of the normals.
    Normals,
}

/// Whether a model throws a shadow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shadow {
    /// On the ground, on solids and on models.
    #[default]
    Thrown,
    /// None.
    None,
}

/// A lit shape of one colour that fills a box: the stuff that levels are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidDraw {
    /// Its form.
    pub shape: SolidShape,
    /// Lowest corner of the box that it fills.
    pub min: Vec3,
    /// Highest corner.
    pub max: Vec3,
    /// Of its sides.
    pub color: Color,
    /// Of what faces up: grass on earth, say.
    pub top: Color,
    /// Whether it throws a shadow; it shows those of others in any case.
    pub shadow: Shadow,
}

/// The form of a solid inside its box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SolidShape {
    /// A block with this much, in world units, cut off its edges; clamped to a third of the shortest side.
    Box {
        /// World units, 0 for sharp edges.
        bevel: f32,
    },
    /// Four sides that meet in a point at the middle of the top.
    Pyramid,
    /// An ellipsoid of flat faces.
    Round,
}

/// Far things fade into this colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Haze {
    /// What everything becomes in the end; usually the background's lower colour.
    pub color: Color,
    /// Distance from the eye at which it begins.
    pub near: f32,
    /// Distance at which nothing else is left; more than `near`.
    pub far: f32,
}
