//! The visible meshes of a frame's models with their materials and palettes.

use std::borrow::Cow;
use std::sync::Arc;

use glam::{Vec3, Vec4};

use crate::render::frame::color::Color;
use crate::render::frame::{Frame, ModelDraw, Surface};
use crate::render::pass::cache::Cache;
use crate::render::pass::palette::layout::PaletteLayout;
use crate::render::pass::palette::{Palettes, Place};
use crate::render::pass::skinning::Skinning;
use crate::render::pass::vertex::GpuMesh;
use keypose::anim::mat34::Mat3x4;
use keypose::anim::morph;
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::skin::method::Method;
use keypose::anim::skin::palette;
use keypose::assets::material::{AlphaMode, Material};
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::Model;
use keypose::assets::texture::Texture as Image;

/// A model of the frame and its visible meshes.
pub struct ModelParts<'a> {
    /// The model's entry in the frame.
    pub draw: &'a ModelDraw,
    /// Visible meshes.
    pub parts: Vec<Part<'a>>,
    /// Distance of its origin from the eye, to sort models.
    pub distance: f32,
    /// How its bones move its vertices.
    pub method: Method,
    /// Where its palette is.
    pub place: Place,
    /// The texel with the mark of its first entry; 0 if there are none.
    pub marks: usize,
    /// World units per metre.
    pub metre: f32,
}

/// A visible mesh.
#[derive(Clone)]
pub struct Part<'a> {
    /// Key in the cache.
    pub mesh: Arc<Mesh>,
    /// Whether this is the hull of a mesh, whose far side is drawn as an outline.
    pub is_outline: bool,
    pub material: Cow<'a, Material>,
    /// The images of its material.
    pub maps: Maps<'a>,
    /// The entry of the palette with its first joint, if those of its skin are in order.
    pub entry: usize,
    /// The entries of its joints, if they are not in order.
    pub entries: Option<Arc<[u16]>>,
    /// The texel with the weights of its morph targets; 0 if it has none.
    pub weights: usize,
    /// Whether its transform mirrors, which reverses the winding.
    pub mirrored: bool,
    /// Distance of its middle from the eye, to sort blended parts.
    pub distance: f32,
}

/// The images of a material.
#[derive(Clone, Copy, Default)]
pub struct Maps<'a> {
    /// Of the base colour.
    pub color: Option<&'a Arc<Image>>,
    /// Of the emission.
    pub emissive: Option<&'a Arc<Image>>,
    pub normal: Option<&'a Arc<Image>>,
    /// Metalness and roughness.
    pub metallic_roughness: Option<&'a Arc<Image>>,
    pub occlusion: Option<&'a Arc<Image>>,
}

impl<'a> Maps<'a> {
    /// The maps of a material of the model.
    pub fn of(model: &'a Model, material: &Material) -> Maps<'a> {
        let image = |texture: Option<usize>| texture.and_then(|texture| model.textures.get(texture));
        Maps {
            color: image(material.texture),
            emissive: image(material.emissive_texture),
            normal: image(material.normal_texture),
            metallic_roughness: image(material.metallic_roughness_texture),
            occlusion: image(material.occlusion_texture),
        }
    }
}

impl ModelParts<'_> {
    /// The part of the palette that the GPU copy of a mesh uses.
    pub fn skinning(&self, part: &Part<'_>, mesh: &GpuMesh) -> Skinning {
        let weights = if mesh.has_morphs() { part.weights } else { 0 };
        let (place, world, entry) = (self.place, self.draw.world_from_model, part.entry);
        Skinning { place, world, entry, sets: mesh.sets, weights, marks: self.marks }
    }
}

impl Part<'_> {
    /// Whether the part is transparent.
    pub fn is_blended(&self) -> bool {
        self.material.alpha_mode == AlphaMode::Blend
    }
}

/// Splits a frame's models into their visible meshes and adds their palettes, for this method or for their own.
pub fn collect<'a>(
    frame: &'a Frame,
    method: Option<Method>,
    palettes: &mut Palettes,
    cache: &mut Cache,
) -> Vec<ModelParts<'a>> {
    let parts = |draw: &'a ModelDraw| parts_of((draw, frame), method.unwrap_or(draw.method), palettes, cache);
    frame.models.iter().map(parts).collect()
}

fn parts_of<'a>(
    (draw, frame): (&'a ModelDraw, &Frame),
    method: Method,
    palettes: &mut Palettes,
    cache: &mut Cache,
) -> ModelParts<'a> {
    let (model, layout) = (&*draw.model, &*cache.layout(&draw.model));
    let mut bones = Vec::new();
    let mut parts = Vec::with_capacity(model.meshes.len());
    for slot in model.meshes.iter().filter(|slot| model.is_visible(slot, &draw.pose)) {
        let Some(material) = model.shown_material(&slot.mesh, &draw.pose) else { continue };
        let (entry, entries) = match slot.mesh.binding {
            Binding::Bone(bone) => (layout.len() + position_or_push(&mut bones, bone), None),
            Binding::Skin(skin) => match layout.skins.get(skin) {
                Some(place) => (place.first, place.entries.clone()),
                None => continue,
            },
        };
        let weights = push_weights(draw, &slot.mesh, palettes);
        let maps = Maps::of(model, &material);
        let (mesh, is_outline, mirrored, distance) = (slot.mesh.clone(), false, false, 0.0);
        let part = Part { mesh, is_outline, material, maps, entry, entries, weights, mirrored, distance };
        if has_outline(&part.material) && matches!(draw.surface, Surface::Lit | Surface::Unlit) {
            parts.push(Part { mesh: cache.hull(&slot.mesh), is_outline: true, ..part.clone() });
        }
        parts.push(part);
    }
    let palette = palette_of(layout, &bones, &draw.pose);
    let next = draw.next.as_ref().filter(|_| method == Method::Interpolated);
    let next = next.map(|next| (palette_of(layout, &bones, &next.pose), next.fraction));
    let place = palettes.add(method, &palette, next.as_ref().map(|(next, fraction)| (&next[..], *fraction)));
    let (eye, metre) = (frame.camera.eye, frame.metre);
    for part in &mut parts {
        let Some(matrix) = palette.get(leading_entry(part)) else { continue };
        let world_from_mesh = draw.world_from_model * matrix.to_mat4();
        let middle = cache.mesh(part).map_or(Vec3::ZERO, |mesh| mesh.bound.center());
        part.mirrored = world_from_mesh.determinant() < 0.0;
        part.distance = eye.distance(world_from_mesh.transform_point3(middle));
    }
    let distance = eye.distance(draw.world_from_model.transform_point3(Vec3::ZERO));
    ModelParts { draw, parts, distance, method, place, marks: push_marks(draw, layout, &bones, palettes), metre }
}

/// Whether a line is drawn around surfaces with a material.
pub fn has_outline(material: &Material) -> bool {
    material.outline.width > 0.0
}

fn position_or_push(bones: &mut Vec<BoneIndex>, bone: BoneIndex) -> usize {
    bones.iter().position(|known| *known == bone).unwrap_or_else(|| {
        bones.push(bone);
        bones.len() - 1
    })
}

/// The palette of a pose: the joints of the skins, then the bones of rigid meshes.
pub fn palette_of(layout: &PaletteLayout, bones: &[BoneIndex], pose: &ModelPose) -> Vec<Mat3x4> {
    let mut palette = Vec::new();
    palette::compute(&layout.joints, pose, &mut palette);
    palette.extend(bones.iter().map(|&bone| pose.get(bone)));
    palette
}

/// Adds the weights of a mesh's morph targets. Returns the index of their first texel, 0 if all are 0.
fn push_weights(draw: &ModelDraw, mesh: &Mesh, palettes: &mut Palettes) -> usize {
    let weights = || mesh.morphs.iter().map(|target| morph::weight(target, &draw.pose.scalars));
    if weights().all(|weight| weight == 0.0) {
        return 0;
    }
    palettes.add_numbers(weights())
}

/// Adds the marks of debug surfaces, a texel for each entry. Returns the index of the first, 0 if the surface needs none.
fn push_marks(draw: &ModelDraw, layout: &PaletteLayout, bones: &[BoneIndex], palettes: &mut Palettes) -> usize {
    if !matches!(draw.surface, Surface::Weights(_) | Surface::BoneColors) {
        return 0;
    }
    let entries = layout.joints.joints.iter().chain(bones);
    palettes.add_numbers(entries.flat_map(|&bone| debug_data(draw, bone).to_array()))
}

/// The bone data of debug surfaces: its colour, or a mark if it is the bone whose weights are shown.
fn debug_data(draw: &ModelDraw, bone: BoneIndex) -> Vec4 {
    match draw.surface {
        Surface::Weights(asked) => Vec4::W * f32::from(u8::from(asked == bone)),
        Surface::BoneColors => Vec4::from_array(Color::of_bone(bone).to_linear()),
        _ => Vec4::ZERO,
    }
}

/// The entry of the palette that moves the first vertex of a part most.
fn leading_entry(part: &Part<'_>) -> usize {
    let joint = part.mesh.leading_joint();
    part.entries.as_ref().and_then(|entries| entries.get(joint)).map_or(part.entry + joint, |&entry| entry.into())
}
