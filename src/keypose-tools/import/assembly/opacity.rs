//! How a material of a format without alpha modes uses alpha.

use crate::assets::material::AlphaMode;
use crate::import::report::Report;

/// The alpha mode of a material: from its opacity, and from its texture of opacity, if it has one. That cuts holes if it is the one of the
/// colour, whose alpha is the opacity then (`Some(true)`); another one is left out.
pub fn alpha_mode(opacity: f32, is_of_color: Option<bool>, report: &mut Report) -> AlphaMode {
    if is_of_color == Some(false) {
        report.not_imported("opacity textures that aren't those of the colour");
    }
    match (opacity < 1.0, is_of_color) {
        (true, _) => AlphaMode::Blend,
        (false, Some(true)) => AlphaMode::Mask(0.5),
        (false, _) => AlphaMode::Opaque,
    }
}
