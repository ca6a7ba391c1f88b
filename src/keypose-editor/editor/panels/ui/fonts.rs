//! The fonts of the editor: Noto Sans for text and Lucide for icons, both from crates that carry their licences, and
//! for other scripts the fonts that the app found on the system. Characters without a glyph are shown as a box.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use imgui::{FontConfig, FontGlyphRanges, FontId, FontSource};
use lucide_icons::{Icon, LUCIDE_FONT_BYTES};

use crate::editor::panels::ui::sys;

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
    /// Titles of the game. See [`in_title`].
    pub title: FontId,
}

/// Height of a line of body text, in points: Noto Sans of 13.2 points.
pub const BODY: f32 = 18.0;
/// Height of a line of small text.
pub const SMALL: f32 = 15.0;
/// Height of a line of large text.
pub const LARGE: f32 = 24.0;
/// Height of a line of a title of the game.
pub const TITLE: f32 = 46.0;

/// Latin, Greek, Cyrillic, punctuation, currency, arrows, mathematics: pairs of first and last, terminated by 0.
const TEXT_RANGES: &[u32] =
    &[0x20, 0x24f, 0x300, 0x52f, 0x1e00, 0x1fff, 0x2010, 0x205e, 0x20a0, 0x20bf, 0x2190, 0x21ff, 0x2200, 0x22ff, 0];

/// Latin, Greek, Cyrillic and punctuation, for fonts with little use.
const FEW_RANGES: &[u32] = &[0x20, 0x24f, 0x370, 0x45f, 0x2010, 0x2044, 0x2190, 0x2193, 0x221e, 0x221e, 0];

/// Latin and punctuation, for titles: large glyphs take much room.
const TITLE_RANGES: &[u32] = &[0x20, 0x17f, 0x2010, 0x2026, 0];

/// Whether the font of titles has a character.
pub fn in_title(letter: char) -> bool {
    TITLE_RANGES.chunks_exact(2).any(|range| (range[0]..=range[1]).contains(&u32::from(letter)))
}

/// The icons that panels use. Others are shown as a question mark.
pub const ICONS: &[Icon] = &[
    Icon::ArrowLeft,
    Icon::ArrowLeftRight,
    Icon::ArrowRight,
    Icon::ArrowUp,
    Icon::Axis3d,
    Icon::Bone,
    Icon::Box,
    Icon::BrickWall,
    Icon::Check,
    Icon::ChevronDown,
    Icon::ChevronRight,
    Icon::CircleDot,
    Icon::Clock,
    Icon::Coins,
    Icon::Compass,
    Icon::Contrast,
    Icon::CornerDownLeft,
    Icon::Diamond,
    Icon::Ellipsis,
    Icon::Eye,
    Icon::EyeOff,
    Icon::File,
    Icon::FileArchive,
    Icon::FileBox,
    Icon::FileImage,
    Icon::FileQuestion,
    Icon::Film,
    Icon::Flag,
    Icon::FlipHorizontal2,
    Icon::Folder,
    Icon::FolderOpen,
    Icon::FolderPlus,
    Icon::Footprints,
    Icon::Ghost,
    Icon::Grid2x2,
    Icon::Grid3x3,
    Icon::HardDrive,
    Icon::Image,
    Icon::Infinity,
    Icon::Info,
    Icon::Layers,
    Icon::Layers2,
    Icon::LayoutGrid,
    Icon::Link2,
    Icon::Lock,
    Icon::LockOpen,
    Icon::Magnet,
    Icon::Maximize2,
    Icon::MousePointer2,
    Icon::Move,
    Icon::MoveUpRight,
    Icon::MoveVertical,
    Icon::Music,
    Icon::Palette,
    Icon::Pause,
    Icon::Pin,
    Icon::Play,
    Icon::Plus,
    Icon::Rainbow,
    Icon::RectangleHorizontal,
    Icon::RefreshCw,
    Icon::Repeat,
    Icon::RotateCw,
    Icon::Route,
    Icon::Rows4,
    Icon::Save,
    Icon::Scale,
    Icon::Scaling,
    Icon::ScanEye,
    Icon::Search,
    Icon::SkipBack,
    Icon::SkipForward,
    Icon::Skull,
    Icon::Spline,
    Icon::Square,
    Icon::Star,
    Icon::StepBack,
    Icon::StepForward,
    Icon::Sun,
    Icon::Tag,
    Icon::Thermometer,
    Icon::TreePine,
    Icon::Triangle,
    Icon::TriangleAlert,
    Icon::TriangleRight,
    Icon::Trophy,
    Icon::Undo2,
    Icon::User,
    Icon::Waypoints,
    Icon::X,
];

static ICON_RANGES: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let mut codes: Vec<u32> = ICONS.iter().map(|icon| u32::from(char::from(*icon))).collect();
    codes.sort_unstable();
    codes.dedup();
    codes.into_iter().flat_map(|code| [code, code]).chain([0]).collect()
});

/// Characters beyond [`is_built_in`] that are shown, and fonts that have some of them.
#[derive(Clone, Debug, Default)]
pub struct ExtraFonts {
    /// The characters.
    pub chars: BTreeSet<char>,
    /// Contents of font files (TrueType, OpenType or a collection, whose first font is used), the preferred one first.
    pub files: Vec<Arc<Vec<u8>>>,
}

/// Whether the editor shows a character without other fonts. Control characters have no glyph at all.
pub fn is_built_in(letter: char) -> bool {
    let code = u32::from(letter);
    let is_icon = ('\u{e000}'..='\u{f8ff}').contains(&letter);
    letter.is_control() || is_icon || TEXT_RANGES.chunks_exact(2).any(|range| (range[0]..=range[1]).contains(&code))
}

/// The font of icons: many more than [`ICONS`].
pub const ICON_FONT: &[u8] = LUCIDE_FONT_BYTES;

/// Replaces the fonts of the atlas for a screen of `scale` pixels per point. `icon_font` has at least [`ICONS`]. The renderer must be recreated
/// afterwards.
pub fn add_fonts(context: &mut imgui::Context, scale: f32, icon_font: &[u8], extra: &ExtraFonts) -> Fonts {
    let ranges = ranges_of(&extra.chars);
    let atlas = context.fonts();
    atlas.clear();
    // Wide enough for its height to stay below the limit of any driver.
    atlas.tex_desired_width = if scale > 1.3 { 4096 } else { 2048 };
    let mut add = |text: &'static [u8], points: f32, own_ranges: &'static [u32], others: &[Arc<Vec<u8>>]| {
        let size = (points * scale).round();
        let mut sources = vec![source(text, size, own_ranges, 0.0), icons(icon_font, size)];
        if !extra.chars.is_empty() {
            sources.push(source(text, size, ranges, 0.0));
            sources.extend(others.iter().map(|file| source(file, size, ranges, 0.0)));
        }
        atlas.add_font(&sources)
    };
    // Names are written in the first three; the others are for the program's own words.
    let fonts = Fonts {
        body: add(ttf_noto_sans::REGULAR, BODY, TEXT_RANGES, &extra.files),
        bold: add(ttf_noto_sans::BOLD, BODY, TEXT_RANGES, &extra.files),
        small: add(ttf_noto_sans::REGULAR, SMALL, TEXT_RANGES, &extra.files),
        small_bold: add(ttf_noto_sans::BOLD, SMALL, FEW_RANGES, &[]),
        large: add(ttf_noto_sans::REGULAR, LARGE, FEW_RANGES, &[]),
        title: add(ttf_noto_sans::BOLD, TITLE, TITLE_RANGES, &[]),
    };
    sys::set_missing_glyph(context, char::from(Icon::Square));
    context.io_mut().font_global_scale = 1.0 / scale;
    fonts
}

/// Ranges of glyphs for these characters. Dear ImGui reads them until the atlas is built, so they stay in memory: eight
/// bytes for each character, whenever a text brings new ones.
fn ranges_of(chars: &BTreeSet<char>) -> &'static [u32] {
    let codes = chars.iter().map(|letter| u32::from(*letter)).flat_map(|code| [code, code]);
    Vec::leak(codes.chain([0]).collect())
}

fn source<'a>(data: &'a [u8], size_pixels: f32, ranges: &'static [u32], shift: f32) -> FontSource<'a> {
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
fn icons(font: &[u8], size: f32) -> FontSource<'_> {
    source(font, size * 0.86, &ICON_RANGES, (size * 0.14).round())
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use super::*;

    /// Only one context may be alive in a process.
    static ONE_CONTEXT: Mutex<()> = Mutex::new(());

    #[test]
    fn other_fonts_provide_what_is_missing_and_a_box_the_rest() {
        let _lock = ONE_CONTEXT.lock().unwrap_or_else(PoisonError::into_inner);
        let mut context = imgui::Context::create();
        context.set_ini_filename(None);
        // A character that Noto Sans has, but that is not among the built-in ones; one that it doesn't have; an emoji.
        let chars = BTreeSet::from(['\u{250}', '漢', '😀']);
        add_fonts(&mut context, 1.0, ICON_FONT, &ExtraFonts::default());
        context.fonts().build_alpha8_texture();
        assert!(!sys::has_glyph(&context, 0, '\u{250}'));
        let files = vec![Arc::new(ttf_noto_sans::REGULAR.to_vec())];
        let fonts = add_fonts(&mut context, 1.0, ICON_FONT, &ExtraFonts { chars, files });
        context.fonts().build_alpha8_texture();
        let all = [fonts.body, fonts.bold, fonts.small, fonts.small_bold, fonts.large, fonts.title];
        for (at, font) in all.into_iter().enumerate() {
            assert!(sys::has_glyph(&context, at, '\u{250}') && !sys::has_glyph(&context, at, '漢'), "font {at}");
            let atlas = context.fonts();
            assert_eq!(atlas.get_font(font).unwrap().fallback_char, u32::from(char::from(Icon::Square)), "font {at}");
        }
    }

    #[test]
    fn the_largest_atlas_fits_into_a_texture() {
        let _lock = ONE_CONTEXT.lock().unwrap_or_else(PoisonError::into_inner);
        let mut context = imgui::Context::create();
        context.set_ini_filename(None);
        for scale in [1.0, 2.0, 4.0] {
            add_fonts(&mut context, scale, ICON_FONT, &ExtraFonts::default());
            let texture = context.fonts().build_alpha8_texture();
            assert!(texture.width.max(texture.height) <= 8192, "{scale}: {} × {}", texture.width, texture.height);
        }
    }

    #[test]
    fn other_fonts_are_asked_for_what_is_not_built_in_only() {
        assert!("aßñžΩжỆ→∞\n".chars().all(is_built_in));
        assert!("漢字かな한글עברית😀".chars().all(|letter| !is_built_in(letter)));
        assert!(ICONS.iter().all(|icon| is_built_in(char::from(*icon))));
    }
}
