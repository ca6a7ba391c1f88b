//! The dark and light theme, and Dear ImGui's style for them. Each colour has one meaning: orange is a draft, green is
//! keyed, blue is selected.

use imgui::{Direction, StyleColor};

/// sRGB-encoded red, green, blue and alpha, 0..=1.
pub type Color = [f32; 4];

pub use crate::editor::session::preferences::Shade;

/// Declares the colours: their meaning, and what they are in the dark and in the light theme.
macro_rules! colors {
    ($($(#[$meaning:meta])* $name:ident: $dark:literal $light:literal,)*) => {
        /// The colours by meaning.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Theme {
            /// Dark or light.
            pub shade: Shade,
            /// The axes x, y and z.
            pub axes: [Color; 3],
            $($(#[$meaning])* pub $name: Color,)*
        }

        impl Theme {
            /// The theme of a shade.
            pub fn of(shade: Shade) -> Theme {
                let pick = |dark, light| hex(match shade { Shade::Dark => dark, Shade::Light => light });
                let axes = AXES.map(|[dark, light]| pick(dark, light));
                Theme { shade, axes, $($name: pick($dark, $light),)* }
            }
        }
    };
}

const AXES: [[u32; 2]; 3] = [[0xef5b5b, 0xd03b3b], [0x6cc070, 0x2f8f3a], [0x5a8dee, 0x2f63d0]];

colors! {
    /// Behind and between the panels.
    ground: 0x15171b 0xd9dce2,
    /// The background of panels.
    panel: 0x1e2127 0xf3f4f7,
    /// Menu, title and status bars.
    bar: 0x191b20 0xe6e8ed,
    /// Fields and buttons.
    field: 0x2a2e37 0xdfe3ea,
    /// A field or button under the mouse.
    field_hovered: 0x353b47 0xd0d6e0,
    /// Lines and borders.
    line: 0x2f3440 0xc3c9d4,
    /// Names, values and labels of buttons.
    text: 0xd9dce3 0x1d222b,
    /// Labels and units.
    quiet: 0x8a91a0 0x596273,
    /// Disabled and missing items.
    dim: 0x5d6472 0x7b8595,
    /// The only accent: switches that are on, default buttons, the name of the mode.
    accent: 0x4f9dff 0x1f6fe0,
    /// Text on the accent.
    on_accent: 0x0d1420 0xffffff,
    /// The outline and the name of a selected item.
    selected: 0x4f9dff 0x1f6fe0,
    /// Selected keys of the dope sheet and the curves.
    selected_key: 0x4f9dff 0x1f6fe0,
    /// The box that selects.
    selection_box: 0x4f9dff 0x1f6fe0,
    /// Where a dragged item is dropped.
    drop: 0x4f9dff 0x1f6fe0,
    /// Links in the manual, and the sign of a derived clip.
    link: 0x4f9dff 0x1f6fe0,
    /// The done part of a job.
    progress: 0x4f9dff 0x1f6fe0,
    /// A selected row.
    row: 0x28364d 0xc9dcfa,
    /// A row under the mouse.
    row_hovered: 0x262b34 0xe4e9f1,
    /// Changes that are not keyed.
    draft: 0xff9d3d 0xc86400,
    /// Keys, and the marks of keyed channels.
    keyed: 0x58c98b 0x1e8a53,
    /// Keyframes marked as extremes.
    extreme: 0xff6f9c 0xc2185b,
    /// Keyframes marked as breakdowns.
    breakdown: 0x7fd1e0 0x14798c,
    /// Attack volumes, and errors.
    hit: 0xef5350 0xcc2f2c,
    /// Vulnerable volumes, and warnings.
    hurt: 0xf2c94c 0x9a7400,
    /// Cancel windows.
    cancel: 0xb58cff 0x7a45d6,
    /// Events and invulnerable ranges.
    event: 0x7fd1e0 0x14798c,
    /// Contacts of feet and hands.
    contact: 0x6fd39a 0x1f8a4c,
}

/// An opaque colour of six hexadecimal digits.
pub const fn hex(rgb: u32) -> Color {
    const fn part(rgb: u32, shift: u32) -> f32 {
        ((rgb >> shift) & 255) as f32 / 255.0
    }
    [part(rgb, 16), part(rgb, 8), part(rgb, 0), 1.0]
}

/// The colour with another opacity.
pub const fn faded(color: Color, alpha: f32) -> Color {
    [color[0], color[1], color[2], alpha]
}

/// Interpolates two colours.
pub fn mixed(a: Color, b: Color, fraction: f32) -> Color {
    std::array::from_fn(|at| a[at] + (b[at] - a[at]) * fraction)
}

impl Theme {
    /// Light on dark.
    pub fn dark() -> Theme {
        Theme::of(Shade::Dark)
    }

    /// Dark on light.
    pub fn light() -> Theme {
        Theme::of(Shade::Light)
    }

    /// Sets Dear ImGui's style: this theme's colours on a grid of 4 points.
    pub fn apply(&self, style: &mut imgui::Style) {
        set_sizes(style);
        for (slot, color) in self.style_colors() {
            style[slot] = color;
        }
    }

    fn style_colors(&self) -> Vec<(StyleColor, Color)> {
        use StyleColor as S;
        let clear = faded(self.panel, 0.0);
        vec![
            (S::Text, self.text),
            (S::TextDisabled, self.quiet),
            (S::WindowBg, self.panel),
            (S::ChildBg, clear),
            (S::PopupBg, mixed(self.panel, self.field, 0.35)),
            (S::Border, self.line),
            (S::BorderShadow, clear),
            (S::FrameBg, self.field),
            (S::FrameBgHovered, self.field_hovered),
            (S::FrameBgActive, self.field_hovered),
            (S::TitleBg, self.bar),
            (S::TitleBgActive, self.bar),
            (S::TitleBgCollapsed, self.bar),
            (S::MenuBarBg, self.bar),
            (S::ScrollbarBg, clear),
            (S::ScrollbarGrab, self.field_hovered),
            (S::ScrollbarGrabHovered, self.dim),
            (S::ScrollbarGrabActive, self.quiet),
            (S::CheckMark, self.accent),
            (S::SliderGrab, self.accent),
            (S::SliderGrabActive, self.accent),
            (S::Button, self.field),
            (S::ButtonHovered, self.field_hovered),
            (S::ButtonActive, mixed(self.field_hovered, self.accent, 0.35)),
            (S::Header, self.row),
            (S::HeaderHovered, self.row_hovered),
            (S::HeaderActive, self.row),
            (S::Separator, mixed(self.ground, self.line, 0.5)),
            (S::SeparatorHovered, self.accent),
            (S::SeparatorActive, self.accent),
            (S::ResizeGrip, clear),
            (S::ResizeGripHovered, self.line),
            (S::ResizeGripActive, self.accent),
            (S::Tab, self.bar),
            (S::TabHovered, self.field),
            (S::TabActive, self.panel),
            (S::TabUnfocused, self.bar),
            (S::TabUnfocusedActive, self.panel),
            (S::DockingPreview, faded(self.accent, 0.4)),
            (S::DockingEmptyBg, self.ground),
            (S::TableHeaderBg, self.bar),
            (S::TableBorderStrong, self.line),
            (S::TableBorderLight, self.line),
            (S::TableRowBg, clear),
            (S::TableRowBgAlt, faded(self.field, 0.3)),
            (S::TextSelectedBg, faded(self.accent, 0.35)),
            (S::DragDropTarget, self.accent),
            (S::NavHighlight, faded(self.accent, 0.8)),
            (S::ModalWindowDimBg, faded(self.ground, 0.6)),
        ]
    }
}

fn set_sizes(style: &mut imgui::Style) {
    style.window_padding = [8.0, 8.0];
    style.frame_padding = [8.0, 2.0];
    style.item_spacing = [4.0, 4.0];
    style.item_inner_spacing = [4.0, 4.0];
    style.cell_padding = [4.0, 2.0];
    style.indent_spacing = 12.0;
    style.scrollbar_size = 10.0;
    style.grab_min_size = 12.0;
    style.window_border_size = 0.0;
    style.child_border_size = 0.0;
    style.popup_border_size = 1.0;
    style.frame_border_size = 0.0;
    style.tab_border_size = 0.0;
    style.window_rounding = 6.0;
    style.child_rounding = 6.0;
    style.frame_rounding = 5.0;
    style.popup_rounding = 6.0;
    style.scrollbar_rounding = 5.0;
    style.grab_rounding = 5.0;
    style.tab_rounding = 5.0;
    style.window_menu_button_position = Direction::None;
    style.anti_aliased_lines = true;
    style.anti_aliased_fill = true;
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::assets::srgb::linear;

    /// The contrast ratio of two colours, 1..=21 (WCAG 2.2).
    fn contrast(a: Color, b: Color) -> f32 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn luminance(color: Color) -> f32 {
        0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2])
    }

    #[test]
    fn text_can_be_read_in_both_themes() {
        for theme in [Theme::dark(), Theme::light()] {
            for ground in [theme.ground, theme.panel, theme.bar, theme.field, theme.row] {
                assert!(contrast(theme.text, ground) >= 4.5, "{:?} text on {ground:?}", theme.shade);
                assert!(contrast(theme.quiet, ground) >= 3.0, "{:?} quiet text on {ground:?}", theme.shade);
            }
            assert!(contrast(theme.on_accent, theme.accent) >= 4.5, "{:?} text on the accent", theme.shade);
            for color in [theme.draft, theme.keyed, theme.hit, theme.accent] {
                assert!(contrast(color, theme.panel) >= 3.0, "{:?} {color:?}", theme.shade);
            }
        }
    }
}
