//! The legend of a shading: the meaning of its colours and lines, for the viewport.

use crate::editor::session::display::Shading;
use crate::render::frame::color::Color;
use crate::render::frame::normal_lines;
use keypose::anim::skeleton::BoneIndex;

/// The legend of a shading.
#[derive(Clone, Debug)]
pub struct Legend {
    /// The first line.
    pub title: String,
    /// The lines below.
    pub key: Key,
}

/// The meaning of colours.
#[derive(Clone, Debug)]
pub enum Key {
    /// Colours from one end, at 0, to the other, at 1, with the words at the ends.
    Scale(fn(f32) -> Color, [&'static str; 2]),
    /// Colours with their names, one line each.
    Colors(Vec<(Color, String)>),
}

/// The bones that a legend names.
#[derive(Clone, Copy)]
pub struct Bones<'a> {
    /// The one whose weights are shown.
    pub active: Option<BoneIndex>,
    /// The bones whose colours are shown.
    pub colored: &'a [BoneIndex],
    /// The name of a bone.
    pub name: &'a dyn Fn(BoneIndex) -> String,
}

/// Maximum number of bones with a line.
const MAX_NAMED_BONES: usize = 8;

impl Legend {
    /// The legend of a shading; `None` if it needs none.
    pub fn of(shading: Shading, bones: Bones<'_>) -> Option<Legend> {
        let named = |pairs: &[(u32, &str)]| {
            Key::Colors(pairs.iter().map(|(color, name)| (Color::hex(*color), (*name).to_owned())).collect())
        };
        let (title, key) = match shading {
            Shading::Lit | Shading::Flat | Shading::Silhouette | Shading::Wireframe | Shading::XRay => return None,
            Shading::Weights => {
                let title = bones.active.map_or("Select a bone to see its weights".to_owned(), bones.name);
                return Some(Legend { title, key: Key::Scale(Color::of_weight, ["0", "1"]) });
            }
            Shading::BoneColors => {
                let color = |&bone: &BoneIndex| (Color::of_bone(bone), (bones.name)(bone));
                let colors: Vec<(Color, String)> = bones.colored.iter().take(MAX_NAMED_BONES).map(color).collect();
                let title = if colors.is_empty() { "Select bones to see their colours" } else { "Colours of bones" };
                (title, Key::Colors(colors))
            }
            Shading::Normals => {
                ("Direction of normals", named(&[(0xff8080, "+X"), (0x80ff80, "+Y"), (0x8080ff, "+Z")]))
            }
            Shading::NormalLines => ("Normals", Key::Colors(vec![(normal_lines::COLOR, "of a vertex".to_owned())])),
            Shading::UvChecker => {
                let squares =
                    [(0xc8383a, "u and v 0"), (0xe8d34a, "u 1"), (0x3a78d8, "v 1"), (0xd8f0e0, "16 × 16 squares")];
                ("Texture coordinates", named(&squares))
            }
            Shading::Overdraw => ("Overlapping surfaces", Key::Scale(Color::of_overdraw, ["1", "12"])),
            Shading::SkinSpace => {
                ("Position in the bind pose", named(&[(0xe04040, "+X"), (0x40e040, "+Y"), (0x4040e0, "+Z")]))
            }
        };
        Some(Legend { title: title.to_owned(), key })
    }
}
