//! Textures that are computed from those of a file, because a material of ours says the same with others: specular reflection and
//! glossiness become metalness and roughness.

use std::collections::HashMap;
use std::hash::Hash;

use gltf::json::extensions::material::PbrSpecularGlossiness;

use crate::assets::bytes::Bytes;
use crate::assets::srgb::{byte, encoded, linear_of_byte};
use crate::assets::texture::Texture;
use crate::import::assembly::textures::Textures;
use crate::import::gltf::specular::{self, Reflection};

/// RGBA.
type Pixel = [u8; 4];

/// The pixel of a texture at a pixel of an image of another size; white without a texture.
fn pixel(texture: Option<&(&Texture, Bytes)>, (x, y): (u32, u32), [width, height]: [u32; 2]) -> [u8; 4] {
    let Some((texture, pixels)) = texture else { return [255; 4] };
    let scaled = |at: u32, from: u32, to: u32| {
        let at = u64::from(at).saturating_mul(u64::from(to)).checked_div(u64::from(from)).unwrap_or(0);
        usize::try_from(at).unwrap_or(0)
    };
    let (x, y) = (scaled(x, width, texture.width), scaled(y, height, texture.height));
    let at = y.saturating_mul(texture.width as usize).saturating_add(x).saturating_mul(4);
    pixels.get(at..).and_then(|rest| rest.first_chunk::<4>()).copied().unwrap_or([255; 4])
}

/// The colour with metalness and roughness of a material that has specular reflection and glossiness in a texture. `None` if there
/// is no room for them.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn metallic<Key: Eq + Hash>(
    textures: &mut Textures<Key>,
    json: &PbrSpecularGlossiness,
    (color, gloss): (Option<usize>, usize),
) -> Option<(usize, usize)> {
    let both = [color.and_then(|at| textures.all.get(at)), textures.all.get(gloss)];
    let sizes = || both.iter().flatten();
    let size = [sizes().map(|texture| texture.width).max()?, sizes().map(|texture| texture.height).max()?];
    let name = both.iter().flatten().next()?.name.clone();
    let bytes = u64::from(size[0]).saturating_mul(u64::from(size[1])).saturating_mul(4);
    if !textures.reserve(bytes.saturating_mul(2)) {
        return None;
    }
    let [red, green, blue, _] = json.diffuse_factor.0;
    let both = [color.and_then(|at| textures.all.get(at)), textures.all.get(gloss)];
    let both = both.map(|texture| texture.and_then(|texture| Some((texture, texture.pixels().ok()?))));
    let (mut colors, mut reflections) = (Vec::new(), Vec::new());
    // Neighbours are often the same.
    let mut known: HashMap<[Pixel; 2], (Pixel, Pixel)> = HashMap::new();
    for (x, y) in (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y))) {
        let [diffuse, gloss] = both.each_ref().map(|texture| pixel(texture.as_ref(), (x, y), size));
        if known.len() > MAX_KNOWN {
            known.clear();
        }
        let (color, reflection) = *known.entry([diffuse, gloss]).or_insert_with(|| {
            let part = |at: usize, factor: f32| linear_of_byte(diffuse.get(at).copied().unwrap_or(0)) * factor;
            let base = [part(0, red), part(1, green), part(2, blue), 1.0];
            let reflects = json.specular_factor.0;
            let part = |at: usize| {
                linear_of_byte(gloss.get(at).copied().unwrap_or(0)) * reflects.get(at).copied().unwrap_or(1.0)
            };
            let glossiness = f32::from(gloss[3]) / 255.0 * json.glossiness_factor.0;
            let Reflection { base_color: [red, green, blue, _], metallic, roughness } =
                specular::of_factors(base, [part(0), part(1), part(2)], glossiness);
            let [red, green, blue] = [red, green, blue].map(|part| byte(encoded(part)));
            ([red, green, blue, diffuse[3]], [0, byte(roughness), byte(metallic), 255])
        });
        colors.extend(color);
        reflections.extend(reflection);
    }
    let add = |textures: &mut Textures<Key>, kind: &str, pixels: Vec<u8>| {
        textures.add_pixels(&format!("{name} {kind}"), size, pixels)
    };
    Some((add(textures, "colour", colors), add(textures, "metalness", reflections)))
}

/// Maximum number of remembered pixels.
const MAX_KNOWN: usize = 1 << 16;
