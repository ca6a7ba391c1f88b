//! The legend of a shading: what its colours and lines mean.

use crate::assets::model::Model;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::bone_name;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::theme::faded;
use crate::editor::session::display::Shading;
use crate::render::frame::color::Color;
use crate::render::frame::normal_lines;

/// What a legend shows below its title.
enum Key {
    /// Colours from one end to the other, with the words at the ends.
    Scale(fn(f32) -> Color, [&'static str; 2]),
    /// Colours with their names, one line each.
    Colors(Vec<(Color, String)>),
}

/// Draws the legend of the shading, if it has one, with its lower right corner at a point. Returns its place.
pub fn legend(ui: &Ui<'_>, model: &Model, corner: [f32; 2]) -> Option<Rect> {
    let active = ui.session.focus.selection.active_bone();
    let named = |pairs: &[(u32, &str)]| {
        Key::Colors(pairs.iter().map(|(color, name)| (Color::hex(*color), (*name).to_owned())).collect())
    };
    let (title, key) = match ui.session.workspace.display.shading {
        Shading::Lit | Shading::Flat | Shading::Silhouette | Shading::Wireframe | Shading::XRay => return None,
        Shading::Weights => {
            let bone = active.map(|bone| bone_name(&model.skeleton, bone).to_string());
            let title = bone.unwrap_or_else(|| "Select a bone to see its weights".to_owned());
            (title, Key::Scale(Color::of_weight, ["0", "1"]))
        }
        Shading::BoneColors => {
            let selected = &ui.session.focus.selection.bones;
            let color = |bone: &u16| (Color::of_bone(*bone), bone_name(&model.skeleton, *bone).to_string());
            match selected.len() {
                0 => ("Select bones to see their colours".to_owned(), Key::Colors(Vec::new())),
                _ => ("Colours of bones".to_owned(), Key::Colors(selected.iter().take(MAX_BONES).map(color).collect())),
            }
        }
        Shading::Normals => {
            ("Direction of normals".to_owned(), named(&[(0xff8080, "+X"), (0x80ff80, "+Y"), (0x8080ff, "+Z")]))
        }
        Shading::NormalLines => {
            let color = normal_lines::COLOR;
            ("Normals".to_owned(), Key::Colors(vec![(color, "of a vertex".to_owned())]))
        }
        Shading::UvChecker => {
            let pairs = [(0xc8383a, "u and v 0"), (0xe8d34a, "u 1"), (0x3a78d8, "v 1"), (0xd8f0e0, "16 × 16 squares")];
            ("Texture coordinates".to_owned(), named(&pairs))
        }
        Shading::Overdraw => ("Surfaces behind each other".to_owned(), Key::Scale(Color::of_overdraw, ["1", "12"])),
        Shading::SkinSpace => {
            ("Place in the bind pose".to_owned(), named(&[(0xe04040, "+X"), (0x40e040, "+Y"), (0x4040e0, "+Z")]))
        }
    };
    Some(draw(ui, &title, &key, corner))
}

/// More bones have no line.
const MAX_BONES: usize = 8;
/// Height of a line.
const LINE: f32 = 17.0;
/// Number of colours in a scale.
const STEPS: usize = 32;

fn draw(ui: &Ui<'_>, title: &str, key: &Key, [right, bottom]: [f32; 2]) -> Rect {
    let lines = match key {
        Key::Scale(..) => 1,
        Key::Colors(colors) => colors.len(),
    };
    let widths = match key {
        Key::Scale(..) => 0.0,
        Key::Colors(colors) => colors.iter().map(|(_, name)| ui.calc_text_size(name)[0] + 18.0).fold(0.0, f32::max),
    };
    let wide = (ui.calc_text_size(title)[0].max(widths) + 20.0).max(168.0);
    let high = 30.0 + lines as f32 * LINE;
    let card = Rect { min: [right - wide, bottom - high], max: [right, bottom] };
    ui.fill(card, faded(ui.theme.bar, 0.82), 6.0);
    ui.mark(|| "legend".into(), card);
    let line = |y: f32| card.trim_top(y).top(16.0).inset(10.0, 0.0);
    ui.text_in(line(5.0), Align::Left, ui.theme.text, title);
    match key {
        Key::Scale(color, ends) => scale(ui, line(25.0), *color, ends),
        Key::Colors(colors) => {
            for (at, (color, name)) in colors.iter().enumerate() {
                let row = line(25.0 + at as f32 * LINE);
                let dot = Rect::at([row.min[0], row.center()[1] - 5.0], [10.0; 2]);
                ui.fill(dot, color.to_array(), 3.0);
                ui.text_in(row.trim_left(18.0), Align::Left, ui.theme.quiet, name);
            }
        }
    }
    card
}

fn scale(ui: &Ui<'_>, row: Rect, color: fn(f32) -> Color, [low, high]: &[&str; 2]) {
    ui.text_in(row, Align::Left, ui.theme.quiet, low);
    ui.text_in(row, Align::Right, ui.theme.quiet, high);
    let [from, to] = [row.min[0] + ui.calc_text_size(low)[0] + 6.0, row.max[0] - ui.calc_text_size(high)[0] - 6.0];
    let (y, step) = (row.center()[1], (to - from) / STEPS as f32);
    for at in 0..STEPS {
        let left = from + at as f32 * step;
        let color = color((at as f32 + 0.5) / STEPS as f32).to_array();
        ui.fill(Rect { min: [left, y - 4.0], max: [left + step + 0.5, y + 4.0] }, color, 0.0);
    }
}
