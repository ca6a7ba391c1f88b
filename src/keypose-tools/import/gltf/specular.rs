//! KHR_materials_pbrSpecularGlossiness: converts its values to base colour, metalness and roughness.

use gltf::json::extensions::material::PbrSpecularGlossiness;

/// The factors of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reflection {
    /// Linear RGB and alpha.
    pub base_color: [f32; 4],
    pub metallic: f32,
    pub roughness: f32,
}

/// Specular reflectance of surfaces that are no metal.
const DIELECTRIC: f32 = 0.04;
const SMALL: f32 = 1e-6;

/// The conversion that Khronos describes for the extension: the metalness for which both reflect the same. Where a texture has the
/// values for each texel, the material is matte and no metal, until its textures are converted.
pub fn converted(json: &PbrSpecularGlossiness) -> Reflection {
    let diffuse = json.diffuse_factor.0;
    if json.specular_glossiness_texture.is_some() {
        return Reflection { base_color: diffuse, metallic: 0.0, roughness: 1.0 };
    }
    of_factors(diffuse, json.specular_factor.0, json.glossiness_factor.0)
}

/// The same reflection as diffuse and specular colours with glossiness give.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn of_factors(diffuse: [f32; 4], specular: [f32; 3], glossiness: f32) -> Reflection {
    let [red, green, blue, alpha] = diffuse;
    let strongest = specular.into_iter().fold(0.0, f32::max);
    let metallic = metalness(brightness([red, green, blue]), brightness(specular), 1.0 - strongest);
    let part = |(diffuse, specular): (f32, f32)| {
        let of_diffuse = diffuse * (1.0 - strongest) / (1.0 - DIELECTRIC) / (1.0 - metallic).max(SMALL);
        let of_specular = (specular - DIELECTRIC * (1.0 - metallic)) / metallic.max(SMALL);
        (of_diffuse + (of_specular - of_diffuse) * metallic * metallic).clamp(0.0, 1.0)
    };
    let [red_2, green_2, blue_2] = specular;
    let [red, green, blue] = [(red, red_2), (green, green_2), (blue, blue_2)].map(part);
    Reflection { base_color: [red, green, blue, alpha], metallic, roughness: (1.0 - glossiness).clamp(0.0, 1.0) }
}

#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn metalness(diffuse: f32, specular: f32, one_minus_strongest: f32) -> f32 {
    if specular < DIELECTRIC {
        return 0.0;
    }
    let b = diffuse * one_minus_strongest / (1.0 - DIELECTRIC) + specular - 2.0 * DIELECTRIC;
    let discriminant = (b * b - 4.0 * DIELECTRIC * (DIELECTRIC - specular)).max(0.0);
    ((discriminant.sqrt() - b) / (2.0 * DIELECTRIC)).clamp(0.0, 1.0)
}

/// The perceived brightness of a colour.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn brightness([red, green, blue]: [f32; 3]) -> f32 {
    (0.299 * red * red + 0.587 * green * green + 0.114 * blue * blue).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metals_and_other_materials_keep_their_colours() {
        let paint = of_factors([0.5, 0.25, 0.125, 0.5], [0.04; 3], 0.25);
        assert!(paint.metallic < 1e-3 && (paint.roughness - 0.75).abs() < 1e-6, "{paint:?}");
        assert!((paint.base_color[0] - 0.5).abs() < 1e-3 && paint.base_color[3] == 0.5, "{paint:?}");
        let gold = of_factors([0.0, 0.0, 0.0, 1.0], [1.0, 0.8, 0.3], 0.9);
        assert!(gold.metallic > 0.99 && (gold.base_color[1] - 0.8).abs() < 1e-3, "{gold:?}");
        let none = of_factors([1.0; 4], [0.0; 3], f32::NAN);
        assert_eq!((none.metallic, none.base_color), (0.0, [1.0; 4]));
    }
}
