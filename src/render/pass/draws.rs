//! The visible meshes of a frame's models with their materials and palettes.

use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};

use crate::anim::mat34::Mat3x4;
use crate::anim::morph;
use crate::anim::skeleton::BoneIndex;
use crate::assets::material::{AlphaMode, Material};
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::Model;
use crate::assets::texture::Texture as Image;
use crate::render::frame::color::Color;
use crate::render::frame::{Frame, ModelDraw, Surface};
use crate::render::pass::palette::Palette;
use crate::render::pass::skinning::Skinning;
use crate::render::pass::vertex::GpuMesh;

/// A model of the frame and its visible meshes.
pub struct ModelParts<'a> {
    /// The model's entry in the frame.
    pub draw: &'a ModelDraw,
    /// Its visible meshes.
    pub parts: Vec<Part<'a>>,
    /// Distance of its origin from the eye, to sort blended models.
    pub distance: f32,
}

/// A visible mesh.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// Its key in the cache.
    pub mesh: &'a Arc<Mesh>,
    /// Its material.
    pub material: &'a Material,
    /// The images of its material.
    pub maps: Maps<'a>,
    /// The index of its first palette entry.
    pub base: usize,
    /// The index of the palette entry with the weights of its morph targets; 0 if it has none.
    pub weights: usize,
    /// Whether its transform mirrors, which reverses the winding.
    pub mirrored: bool,
}

/// The images of a material.
#[derive(Clone, Copy)]
pub struct Maps<'a> {
    /// Of the base colour.
    pub color: Option<&'a Arc<Image>>,
    /// Of the emission.
    pub emissive: Option<&'a Arc<Image>>,
    /// Normals.
    pub normal: Option<&'a Arc<Image>>,
    /// Metalness and roughness.
    pub metallic_roughness: Option<&'a Arc<Image>>,
}

impl<'a> Maps<'a> {
    /// Those of a material of the model.
    pub fn of(model: &'a Model, material: &Material) -> Maps<'a> {
        let image = |texture: Option<usize>| texture.and_then(|texture| model.textures.get(texture));
        Maps {
            color: image(material.texture),
            emissive: image(material.emissive_texture),
            normal: image(material.normal_texture),
            metallic_roughness: image(material.metallic_roughness_texture),
        }
    }
}

impl Part<'_> {
    /// What its GPU copy uses of the palette.
    pub fn skinning(&self, mesh: &GpuMesh) -> Skinning {
        Skinning { base: self.base, sets: mesh.sets, weights: if mesh.has_morphs() { self.weights } else { 0 } }
    }

    /// Whether it is transparent.
    pub fn is_blended(&self) -> bool {
        self.material.alpha_mode == AlphaMode::Blend
    }
}

/// Splits a frame's models into their visible meshes and collects their palettes. Entry 0 is identity.
pub fn collect<'a>(frame: &'a Frame, palette: &mut Palette) -> Vec<ModelParts<'a>> {
    palette.clear();
    palette.push(&Mat3x4::IDENTITY, Vec4::ZERO);
    let parts = |draw: &'a ModelDraw| {
        let distance = frame.camera.eye.distance(draw.world_from_model.transform_point3(Vec3::ZERO));
        ModelParts { draw, parts: parts_of(draw, palette), distance }
    };
    frame.models.iter().map(parts).collect()
}

fn parts_of<'a>(draw: &'a ModelDraw, palette: &mut Palette) -> Vec<Part<'a>> {
    let model = &*draw.model;
    let world_from_model = Mat3x4::from_mat4(&draw.world_from_model);
    // Meshes that share a skin share its palette.
    let mut bases: Vec<Option<(usize, bool)>> = vec![None; model.skins.len()];
    let mut parts = Vec::with_capacity(model.meshes.len());
    for slot in model.meshes.iter().filter(|slot| model.is_visible(slot, &draw.pose)) {
        let Some(material) = model.materials.get(slot.mesh.material) else { continue };
        let (base, mirrored) = match slot.mesh.binding {
            Binding::Bone(bone) => push_rigid(draw, &world_from_model, bone, palette),
            Binding::Skin(skin) => match bases.get(skin) {
                Some(Some(shared)) => *shared,
                Some(None) => {
                    let made = push_skin(draw, &world_from_model, skin, palette);
                    bases[skin] = Some(made);
                    made
                }
                None => continue,
            },
        };
        let weights = push_weights(draw, &slot.mesh, palette);
        parts.push(Part { mesh: &slot.mesh, material, maps: Maps::of(model, material), base, weights, mirrored });
    }
    parts
}

/// Adds the weights of a mesh's morph targets. Returns the index of their first entry, 0 if all are 0.
fn push_weights(draw: &ModelDraw, mesh: &Mesh, palette: &mut Palette) -> usize {
    let weights = || mesh.morphs.iter().map(|target| morph::weight(target, &draw.pose.scalars));
    if weights().all(|weight| weight == 0.0) {
        return 0;
    }
    let base = palette.next();
    palette.push_numbers(weights());
    base
}

/// Adds the palette entry of a rigid mesh. Returns its index, and whether it mirrors.
fn push_rigid(draw: &ModelDraw, world: &Mat3x4, bone: BoneIndex, palette: &mut Palette) -> (usize, bool) {
    let base = palette.next();
    let matrix = *world * draw.pose.get(bone);
    palette.push(&matrix, debug_data(draw, bone));
    (base, mirrors(&matrix))
}

/// Adds the palette of a skin. Returns the index of its first entry, and whether it mirrors.
fn push_skin(draw: &ModelDraw, world: &Mat3x4, skin: usize, palette: &mut Palette) -> (usize, bool) {
    let (base, skin) = (palette.next(), &draw.model.skins[skin]);
    let mut mirrored = None;
    for (&joint, inverse) in skin.joints.iter().zip(&skin.inverse_binds) {
        let matrix = *world * draw.pose.get(joint) * Mat3x4::from_mat4(inverse);
        mirrored.get_or_insert(mirrors(&matrix));
        palette.push(&matrix, debug_data(draw, joint));
    }
    (base, mirrored.unwrap_or(false))
}

/// The bone data of debug surfaces: its colour, or a mark if it is the bone whose weights are shown.
fn debug_data(draw: &ModelDraw, bone: BoneIndex) -> Vec4 {
    match draw.surface {
        Surface::Weights(asked) => Vec4::W * f32::from(u8::from(asked == bone)),
        Surface::BoneColors => Vec4::from_array(Color::of_bone(bone).to_linear()),
        _ => Vec4::ZERO,
    }
}

fn mirrors(matrix: &Mat3x4) -> bool {
    let matrix: Mat4 = matrix.to_mat4();
    matrix.determinant() < 0.0
}
