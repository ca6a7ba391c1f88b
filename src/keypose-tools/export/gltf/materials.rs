//! Materials, and the textures that they use: PNG and JPEG files as they came, other images as PNG with the same pixels.

use std::borrow::Cow;
use std::collections::HashMap;

use glam::Vec2;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageFormat};
use serde_json::{Map, Value, json};

use crate::assets::material::{AlphaMode, Filter, Material, Outline, Shading, Sheen, UvTransform, Wrap};
use crate::assets::model::Model;
use crate::assets::texture::Texture;
use crate::export::ExportError;
use crate::export::gltf::{File, extras, numbers};
use keypose::assets::image_file;

/// The lists of a file.
#[derive(Default)]
pub struct Materials {
    pub materials: Vec<Value>,
    pub textures: Vec<Value>,
    pub samplers: Vec<Value>,
    pub images: Vec<Value>,
}

/// Writes all materials, and the textures that any of them uses.
pub fn write(model: &Model, file: &mut File) -> Result<Materials, ExportError> {
    let (mut written, mut samplers, mut textures) = (Materials::default(), Values::default(), Values::default());
    // The image of each texture of the model.
    let mut images: Vec<Option<usize>> = vec![None; model.textures.len()];
    for material in &model.materials {
        // The offset of the frame at rest.
        let default = |scalar| model.skeleton.scalar(scalar).map_or(0.0, |scalar| scalar.default);
        let frame = model.frame_of(material).map(|(scalar, sheet)| sheet.offset(default(scalar)));
        let mut json = plain(material, frame, file);
        let mut info = |texture: Option<usize>, file: &mut File| -> Result<Option<Value>, ExportError> {
            let Some(at) = texture else { return Ok(None) };
            let image = match images[at] {
                Some(image) => image,
                None => written.image(&model.textures[at], file)?,
            };
            images[at] = Some(image);
            let sampler = samplers.index(sampler(material));
            let texture = textures.index(json!({ "source": image, "sampler": sampler }));
            Ok(Some(texture_info(texture, material, frame, file)))
        };
        if let Some(info) = info(material.texture, file)? {
            json["pbrMetallicRoughness"]["baseColorTexture"] = info;
        }
        if let Some(info) = info(material.metallic_roughness_texture, file)? {
            json["pbrMetallicRoughness"]["metallicRoughnessTexture"] = info;
        }
        if let Some(info) = info(material.emissive_texture, file)? {
            json["emissiveTexture"] = info;
        }
        if let Some(mut info) = info(material.normal_texture, file)? {
            info["scale"] = f64::from(material.normal_scale).into();
            json["normalTexture"] = info;
        }
        if let Some(mut info) = info(material.occlusion_texture, file)? {
            info["strength"] = f64::from(material.occlusion_strength).into();
            json["occlusionTexture"] = info;
        }
        written.materials.push(json);
    }
    (written.samplers, written.textures) = (samplers.all, textures.all);
    let unused = images.iter().filter(|image| image.is_none()).count();
    if unused > 0 {
        file.findings.push(format!("{unused} textures that no material uses are left out"));
    }
    Ok(written)
}

impl Materials {
    fn image(&mut self, texture: &Texture, file: &mut File) -> Result<usize, ExportError> {
        let (image, mime_type) = image_of(texture)?;
        let view = file.binary.view(None, &image);
        self.images.push(json!({ "name": texture.name, "mimeType": mime_type, "bufferView": view }));
        Ok(self.images.len() - 1)
    }
}

/// Values without repetition.
#[derive(Default)]
struct Values {
    all: Vec<Value>,
    known: HashMap<String, usize>,
}

impl Values {
    /// The index of a value; a new one is added.
    fn index(&mut self, value: Value) -> usize {
        let next = self.all.len();
        let index = *self.known.entry(value.to_string()).or_insert(next);
        if index == next {
            self.all.push(value);
        }
        index
    }
}

fn plain(material: &Material, frame: Option<Vec2>, file: &mut File) -> Value {
    let mut json = json!({
        "name": material.name,
        "pbrMetallicRoughness": {
            "baseColorFactor": numbers(&material.base_color),
            "metallicFactor": f64::from(material.metallic), "roughnessFactor": f64::from(material.roughness),
        },
        "doubleSided": material.double_sided,
    });
    let is_unlit = material.shading == Shading::Unlit;
    let (mut extensions, mut notes) = (Map::new(), notes(material, frame));
    if material.emissive != [0.0; 3] {
        // A power of two, so that no bit is lost.
        let brightest = material.emissive.into_iter().fold(0.0, f32::max);
        let strength =
            (0..16).map(|power| f32::from(1_u16 << power)).find(|power| *power >= brightest).unwrap_or(32_768.0);
        json["emissiveFactor"] = numbers(&material.emissive.map(|part| part / strength));
        // Two extensions of one material could contradict each other: unlit materials show no emission and no sheen.
        if strength > 1.0 && is_unlit {
            notes.insert("emissiveStrength".into(), f64::from(strength).into());
        } else if strength > 1.0 {
            file.extensions.insert("KHR_materials_emissive_strength");
            let strength = json!({ "emissiveStrength": f64::from(strength) });
            extensions.insert("KHR_materials_emissive_strength".into(), strength);
        }
    }
    match material.alpha_mode {
        AlphaMode::Opaque => {}
        AlphaMode::Mask(cutoff) => (json["alphaMode"], json["alphaCutoff"]) = ("MASK".into(), f64::from(cutoff).into()),
        AlphaMode::Blend => json["alphaMode"] = "BLEND".into(),
    }
    if material.sheen != Sheen::default() {
        let Sheen { color, roughness } = material.sheen;
        let sheen = json!({ "sheenColorFactor": numbers(&color), "sheenRoughnessFactor": f64::from(roughness) });
        if is_unlit {
            notes.insert("sheen".into(), sheen);
        } else {
            file.extensions.insert("KHR_materials_sheen");
            extensions.insert("KHR_materials_sheen".into(), sheen);
        }
    }
    if is_unlit {
        file.extensions.insert("KHR_materials_unlit");
        extensions.insert("KHR_materials_unlit".into(), json!({}));
    }
    if !extensions.is_empty() {
        json["extensions"] = extensions.into();
    }
    if !notes.is_empty() {
        json["extras"] = extras(notes.into());
    }
    json
}

/// Members of `extras` for values that glTF lacks.
fn notes(material: &Material, frame: Option<Vec2>) -> Map<String, Value> {
    let mut notes = Map::new();
    if frame.is_some_and(|frame| frame != Vec2::ZERO) {
        notes.insert("uvOffset".into(), numbers(&material.uv_transform.offset.to_array()));
    }
    if material.shading == Shading::Toon {
        notes.insert("shading".into(), material.shading.name().into());
    }
    if material.outline != Outline::default() {
        let Outline { width, color } = material.outline;
        notes.insert("outline".into(), json!({ "width": f64::from(width), "color": numbers(&color) }));
    }
    notes
}

/// A texture as a material uses it, with a transform if it has one or has frames, whose offset at rest is added.
fn texture_info(texture: usize, material: &Material, frame: Option<Vec2>, file: &mut File) -> Value {
    let mut info = json!({ "index": texture });
    let UvTransform { offset, rotation, scale } = material.uv_transform;
    if frame.is_some() || material.uv_transform != UvTransform::default() {
        file.extensions.insert("KHR_texture_transform");
        let offset = offset + frame.unwrap_or_default();
        let (offset, scale) = (numbers(&offset.to_array()), numbers(&scale.to_array()));
        let transform = json!({ "offset": offset, "rotation": f64::from(rotation), "scale": scale });
        info["extensions"] = json!({ "KHR_texture_transform": transform });
    }
    info
}

/// How a texture is sampled, with the numbers of OpenGL.
fn sampler(material: &Material) -> Value {
    let [across, down] = material.wrap.map(|wrap| match wrap {
        Wrap::Repeat => 10_497,
        Wrap::Mirror => 33_648,
        Wrap::Clamp => 33_071,
    });
    let (enlarged, reduced) = match material.filter {
        Filter::Linear => (9_729, 9_987),
        Filter::Nearest => (9_728, 9_984),
    };
    json!({ "wrapS": across, "wrapT": down, "magFilter": enlarged, "minFilter": reduced })
}

/// The image of a texture, and its type: the file that it came from if glTF allows its format.
fn image_of(texture: &Texture) -> Result<(Cow<'_, [u8]>, &'static str), ExportError> {
    let kept = texture.file().and_then(|file| Some((image_file::format(file)?.0, file)));
    match kept {
        Some((ImageFormat::Png, file)) => {
            Ok((without_profile(file).map_or(Cow::Borrowed(file), Cow::Owned), "image/png"))
        }
        Some((ImageFormat::Jpeg, file)) if matches!(jpeg_channels(file), Some(1 | 3)) => {
            Ok((Cow::Borrowed(file), "image/jpeg"))
        }
        _ => Ok((png(texture)?.into(), "image/png")),
    }
}

/// A PNG file without the chunks that glTF ignores, as its colours are sRGB; `None` if it can't be walked through.
fn without_profile(file: &[u8]) -> Option<Vec<u8>> {
    let (head, mut rest) = file.split_first_chunk::<8>()?;
    let mut kept = head.to_vec();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (chunk, next) = rest.split_at_checked(length.checked_add(12)?)?;
        if ![&b"iCCP"[..], b"gAMA", b"cHRM", b"cICP"].contains(&after.get(..4)?) {
            kept.extend_from_slice(chunk);
        }
        rest = next;
    }
    rest.is_empty().then_some(kept)
}

/// The number of channels of a JPEG file; those for print have four, which glTF does not allow. `None` if it isn't found.
fn jpeg_channels(file: &[u8]) -> Option<u8> {
    let mut rest = file.get(2..)?;
    while let [0xff, marker, high, low, ..] = *rest {
        if marker == 0xff {
            // A fill byte.
            rest = rest.get(1..)?;
            continue;
        }
        // The markers of frames, without those of tables between them (ITU T.81, table B.1).
        if matches!(marker, 0xc0..=0xcf) && ![0xc4, 0xc8, 0xcc].contains(&marker) {
            return rest.get(9).copied();
        }
        rest = rest.get(2 + usize::from(u16::from_be_bytes([high, low]))..)?;
    }
    None
}

/// Encodes a texture, without alpha if it is opaque.
fn png(texture: &Texture) -> Result<Vec<u8>, ExportError> {
    let failed = |reason: String| ExportError::Encoder { format: "PNG", reason };
    let all = texture.pixels().map_err(failed)?;
    let is_opaque = all.chunks_exact(4).all(|pixel| pixel[3] == u8::MAX);
    let opaque: Vec<u8>;
    let (pixels, form): (&[u8], _) = if is_opaque {
        opaque = all.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        (&opaque, ExtendedColorType::Rgb8)
    } else {
        (&all, ExtendedColorType::Rgba8)
    };
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive)
        .write_image(pixels, texture.width, texture.height, form)
        .map_err(|error| failed(error.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_profile_stays_behind() {
        let (head, end) = (b"\x89PNG\r\n\x1a\n\0\0\0\x01IHDR!crc.", b"\0\0\0\0IEND....");
        let whole = [&head[..], b"\0\0\0\x03iCCPabc....", b"\0\0\0\x04gAMA1234....", end].concat();
        assert_eq!(without_profile(&whole).unwrap(), [&head[..], end].concat());
        assert_eq!(without_profile(&whole[..40]), None, "it is cut off");
    }
}
