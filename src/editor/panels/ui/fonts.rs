//! The fonts of the editor: Noto Sans for text and Lucide for icons, both from crates that carry their licences.

use std::sync::LazyLock;

use imgui::{FontConfig, FontGlyphRanges, FontId, FontSource};
use lucide_icons::{Icon, LUCIDE_FONT_BYTES};

/// The fonts by use. Sizes are in points; the atlas has the scale of the screen.
#[derive(Clone, Copy, Debug)]
pub struct Fonts {
    /// Rows, fields, menus.
    pub body: FontId,
    /// Emphasized names: the selected row, the document.
    pub bold: FontId,
    /// Section titles, key names, frame numbers.
    pub small: FontId,
    /// Section titles.
    pub small_bold: FontId,
    /// Large icons and titles.
    pub large: FontId,
}

/// Height of a line of body text, in points: Noto Sans of 13.2 points.
pub const BODY: f32 = 18.0;
/// Height of a line of small text.
pub const SMALL: f32 = 15.0;
/// Height of a line of large text.
pub const LARGE: f32 = 24.0;

/// Latin, Greek, Cyrillic, punctuation, currency, arrows, mathematics: pairs of first and last, terminated by 0.
const TEXT_RANGES: &[u32] =
    &[0x20, 0x24f, 0x300, 0x52f, 0x1e00, 0x1fff, 0x2010, 0x205e, 0x20a0, 0x20bf, 0x2190, 0x21ff, 0x2200, 0x22ff, 0];

/// Latin, Greek, Cyrillic and punctuation, for fonts with little use.
const FEW_RANGES: &[u32] = &[0x20, 0x24f, 0x370, 0x45f, 0x2010, 0x2044, 0x2190, 0x2193, 0x221e, 0x221e, 0];

/// The icons that panels use. Others are shown as a question mark.
pub const ICONS: &[Icon] = &[
    Icon::Activity,
    Icon::ArrowLeftRight,
    Icon::ArrowRight,
    Icon::Axis3d,
    Icon::Bone,
    Icon::Box,
    Icon::Check,
    Icon::ChevronDown,
    Icon::ChevronRight,
    Icon::Circle,
    Icon::ClipboardCopy,
    Icon::ClipboardPaste,
    Icon::Contrast,
    Icon::Copy,
    Icon::Compass,
    Icon::CornerDownLeft,
    Icon::Diamond,
    Icon::Eye,
    Icon::EyeOff,
    Icon::FilePlus,
    Icon::FlipHorizontal2,
    Icon::FolderOpen,
    Icon::Gamepad2,
    Icon::Ghost,
    Icon::Grid3x3,
    Icon::Image,
    Icon::Import,
    Icon::Infinity,
    Icon::Info,
    Icon::Layers,
    Icon::Link2,
    Icon::Lock,
    Icon::LockOpen,
    Icon::Magnet,
    Icon::Maximize2,
    Icon::MousePointer2,
    Icon::Move,
    Icon::Palette,
    Icon::Pause,
    Icon::Pencil,
    Icon::Pin,
    Icon::Play,
    Icon::Plus,
    Icon::Rainbow,
    Icon::Redo2,
    Icon::Repeat,
    Icon::Repeat1,
    Icon::RotateCw,
    Icon::Save,
    Icon::Route,
    Icon::Scaling,
    Icon::ScanEye,
    Icon::Search,
    Icon::SkipBack,
    Icon::SkipForward,
    Icon::Spline,
    Icon::StepBack,
    Icon::StepForward,
    Icon::Sun,
    Icon::Tag,
    Icon::Thermometer,
    Icon::Trash2,
    Icon::TriangleAlert,
    Icon::Undo2,
    Icon::Waypoints,
    Icon::X,
];

static ICON_RANGES: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let mut codes: Vec<u32> = ICONS.iter().map(|icon| u32::from(char::from(*icon))).collect();
    codes.sort_unstable();
    codes.dedup();
    codes.into_iter().flat_map(|code| [code, code]).chain([0]).collect()
});

/// Replaces the fonts of the atlas for a screen of `scale` pixels per point. The renderer must be recreated
/// afterwards.
pub fn add_fonts(context: &mut imgui::Context, scale: f32) -> Fonts {
    let atlas = context.fonts();
    atlas.clear();
    // Wide enough for its height to stay below the limit of any driver.
    atlas.tex_desired_width = if scale > 1.3 { 4096 } else { 2048 };
    let mut add = |text: &'static [u8], points: f32, ranges: &'static [u32]| {
        let size = (points * scale).round();
        atlas.add_font(&[source(text, size, ranges, 0.0), icons(size)])
    };
    let fonts = Fonts {
        body: add(ttf_noto_sans::REGULAR, BODY, TEXT_RANGES),
        bold: add(ttf_noto_sans::BOLD, BODY, FEW_RANGES),
        small: add(ttf_noto_sans::REGULAR, SMALL, FEW_RANGES),
        small_bold: add(ttf_noto_sans::BOLD, SMALL, FEW_RANGES),
        large: add(ttf_noto_sans::REGULAR, LARGE, FEW_RANGES),
    };
    context.io_mut().font_global_scale = 1.0 / scale;
    fonts
}

fn source(data: &'static [u8], size_pixels: f32, ranges: &'static [u32], shift: f32) -> FontSource<'static> {
    let config = FontConfig {
        glyph_ranges: FontGlyphRanges::from_slice(ranges),
        glyph_offset: [0.0, shift],
        oversample_h: 2,
        oversample_v: 1,
        pixel_snap_h: false,
        ..FontConfig::default()
    };
    FontSource::TtfData { data, size_pixels, config: Some(config) }
}

/// Lucide icons fill a square of one em; slightly smaller and lower they fit the text beside them.
fn icons(size: f32) -> FontSource<'static> {
    source(LUCIDE_FONT_BYTES, size * 0.86, &ICON_RANGES, (size * 0.14).round())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_atlas_fits_into_a_texture() {
        let mut context = imgui::Context::create();
        context.set_ini_filename(None);
        for scale in [1.0, 2.0, 4.0] {
            add_fonts(&mut context, scale);
            let texture = context.fonts().build_alpha8_texture();
            assert!(texture.width.max(texture.height) <= 8192, "{scale}: {} × {}", texture.width, texture.height);
        }
    }
}
