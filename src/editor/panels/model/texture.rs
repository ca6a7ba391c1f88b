//! The texture of a material: its image, filter, wrap and placement.

use crate::editor::ops::amount::Measure;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::number_field::Number;
use glam::Vec2;
use lucide_icons::Icon;

use crate::assets::material::{Filter, UvTransform, Wrap};
use crate::assets::model::Model;
use crate::assets::texture::Texture;
use crate::editor::panels::model::materials::{Picture, Shown};
use crate::editor::panels::ui::frame::{Align, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::session::command::Command;

/// Size of the image, in points.
const SIDE: f32 = 72.0;

/// Draws the texture's part of the panel.
pub fn texture_ui(ui: &Ui<'_>, model: &Model, shown: Shown<'_>, picture: Picture<'_>) {
    ui.section("Texture");
    let texture = shown.material.texture.and_then(|at| Some((at, model.textures.get(at)?)));
    if let Some((at, texture)) = texture {
        about(ui, model, (at, texture), picture);
    }
    if !model.textures.is_empty() {
        choice(ui, model, shown);
    }
    buttons(ui, texture.is_some());
    if texture.is_some() {
        look_up(ui, shown);
    }
}

/// Draws the image with its name, size and number of users.
fn about(ui: &Ui<'_>, model: &Model, (at, texture): (usize, &Texture), picture: Picture<'_>) {
    ui.dummy([0.0, 4.0]);
    let top = ui.cursor_screen_pos();
    let width = ui.content_region_avail()[0];
    let rect = Rect::at(top, [SIDE, SIDE]);
    chequered(ui, rect);
    if let Some(picture) = picture(at) {
        let longest = texture.width.max(texture.height).max(1) as f32;
        let half = [texture.width, texture.height].map(|side| side as f32 / longest * SIDE / 2.0);
        let [x, y] = rect.center();
        ui.draw().add_image(picture, [x - half[0], y - half[1]], [x + half[0], y + half[1]]).build();
    }
    ui.outline(rect, ui.theme.line, 3.0, 1.0);
    ui.mark(|| "texture-picture".to_owned(), rect);
    let users = model.materials.iter().filter(|material| material.texture == Some(at)).count();
    let lines = [
        (texture.name.clone(), ui.theme.text),
        (format!("{} × {}  {}", texture.width, texture.height, texture.source_format), ui.theme.quiet),
        (if users > 1 { format!("used by {users} materials") } else { String::new() }, ui.theme.quiet),
    ];
    for (line, (text, color)) in lines.iter().enumerate() {
        let at = [top[0] + SIDE + 10.0, top[1] + 4.0 + line as f32 * 22.0];
        ui.text_in(Rect::at(at, [width - SIDE - 10.0, 22.0]), Align::Left, *color, text);
    }
    ui.end_at([top[0], top[1] + SIDE + 6.0]);
}

/// Draws the background of transparent images.
fn chequered(ui: &Ui<'_>, rect: Rect) {
    const SQUARE: f32 = 9.0;
    ui.fill(rect, ui.theme.field, 3.0);
    let squares = (SIDE / SQUARE) as usize;
    for (x, y) in (0..squares).flat_map(|y| (0..squares).map(move |x| (x, y))).filter(|(x, y)| (x + y) % 2 == 0) {
        let at = [rect.min[0] + x as f32 * SQUARE, rect.min[1] + y as f32 * SQUARE];
        ui.fill(Rect::at(at, [SQUARE; 2]), ui.theme.field_hovered, 0.0);
    }
}

/// Draws the choice of the model's textures.
fn choice(ui: &Ui<'_>, model: &Model, shown: Shown<'_>) {
    let now = shown.material.texture;
    let name = now.and_then(|at| model.textures.get(at)).map_or("none", |texture| &texture.name);
    rows::row(ui, "Texture", widgets::FIELD, |field| {
        let open = widgets::dropdown(ui, "texture", name, ui.theme.text, field.size()[0]);
        let Some(_open) = open else { return };
        let all = model.textures.iter().enumerate().map(|(at, texture)| (Some(at), texture.name.as_str()));
        for (at, name) in std::iter::once((None, "none")).chain(all) {
            if menu::choice(ui, &format!("{name}##texture-{at:?}"), at == now) && at != now {
                shown.edit(ui, "Set texture", |material| material.texture = at);
            }
            ui.item(&format!("texture-{name}"));
        }
    });
}

fn buttons(ui: &Ui<'_>, has_texture: bool) {
    rows::row(ui, "Image", widgets::FIELD, |field| {
        let [replace, remove] = [0, 1].map(|at| field.column(at, 2, rows::GAP));
        let text = if has_texture { "Replace…" } else { "Add…" };
        if widgets::button_at(ui, replace, &format!("{}  {text}##replace-texture", icon(Icon::Image)), Tone::Plain) {
            ui.run(Command::ReplaceTexture);
        }
        ui.tip(
            "Choose an image (PNG, JPEG, WebP, TGA), or drop one on the window",
            &ui.key_of(Command::ReplaceTexture),
        );
        let tone = if has_texture { Tone::Plain } else { Tone::Off };
        if widgets::button_at(ui, remove, "Remove##remove-texture", tone) {
            ui.run(Command::RemoveTexture);
        }
        ui.tip("Remove the texture from the material", &ui.key_of(Command::RemoveTexture));
    });
}

fn look_up(ui: &Ui<'_>, shown: Shown<'_>) {
    let material = shown.material;
    let filters = [(Filter::Linear, "Smooth", "Linear filtering"), (Filter::Nearest, "Pixels", "Nearest filtering")];
    if let Some(filter) = rows::choices(ui, "Filter", &filters, material.filter) {
        shown.edit(ui, "Set texture filter", |material| material.filter = filter);
    }
    for (axis, label) in ["Wrap U", "Wrap V"].into_iter().enumerate() {
        let wraps = [
            (Wrap::Repeat, "Repeat", "Repeat"),
            (Wrap::Mirror, "Mirror", "Mirrored repeat"),
            (Wrap::Clamp, "Clamp", "Clamp to edge"),
        ];
        if let Some(wrap) = rows::choices(ui, label, &wraps, material.wrap[axis]) {
            shown.edit(ui, "Set texture wrap", |material| material.wrap[axis] = wrap);
        }
    }
    place(ui, shown);
}

/// Draws the placement of the texture on the mesh.
fn place(ui: &Ui<'_>, shown: Shown<'_>) {
    let now = shown.material.uv_transform;
    let usual = UvTransform::default();
    let tips = ["U, in widths of the texture", "V, in heights of the texture"];
    let how = Number::new("%.3f", 0.002).with_reset();
    for (label, value, rest) in [("Offset", now.offset, usual.offset), ("Scale", now.scale, usual.scale)] {
        let mut values = value.to_array();
        let Some((at, touch)) = rows::numbers(ui, label, &mut values, how, tips) else { continue };
        let put = |uv: &mut UvTransform, values: [f32; 2]| {
            let part = if label == "Offset" { &mut uv.offset } else { &mut uv.scale };
            *part = Vec2::from_array(values);
        };
        shown.gesture(ui, touch, "Transform texture", |material| put(&mut material.uv_transform, values));
        if touch.is_reset {
            values[at] = rest[at];
            shown.edit(ui, "Transform texture", |material| put(&mut material.uv_transform, values));
        }
    }
    let mut degrees = [now.rotation.to_degrees()];
    let how = Number { unit: "°", measure: Measure::Angle, ..Number::new("%.1f", 0.5).with_reset() };
    if let Some((_, touch)) =
        rows::numbers(ui, "Rotation", &mut degrees, how, ["Rotation in degrees, counter-clockwise"])
    {
        let radians = degrees[0].to_radians();
        shown.gesture(ui, touch, "Transform texture", |material| material.uv_transform.rotation = radians);
        if touch.is_reset {
            shown.edit(ui, "Transform texture", |material| material.uv_transform.rotation = 0.0);
        }
    }
}
