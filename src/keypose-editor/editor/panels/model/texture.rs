//! The texture of a material: its image, filter, wrap and placement.

use std::sync::Arc;

use crate::editor::panels::model::frames::{frame_picker, frames_ui};
use crate::editor::panels::ui::prelude::*;
use keypose::assets::material::{Filter, Material, UvTransform, Wrap};
use keypose::assets::texture::Texture;

/// Size of the image, in points.
const SIDE: f32 = 72.0;

/// Draws the texture's part of the panel.
pub fn texture_ui(form: &Form<'_>, of: &FormOf<'_, Material>, (model, index): (&Model, usize), material: &Material) {
    let ui = form.ui;
    ui.section("Texture");
    let texture = material.texture.and_then(|at| Some((at, model.textures.get(at)?)));
    if let Some((at, texture)) = texture {
        about(ui, (model, material), (at, texture));
    }
    if !model.textures.is_empty() {
        let all = model.textures.iter().enumerate().map(|(at, texture)| (Some(at), texture.name.as_str()));
        let all: Vec<_> = std::iter::once((None, "none")).chain(all).collect();
        of.step("Set texture").menu("Texture", &all, |material| &mut material.texture);
    }
    form.row("Image", |field| buttons(ui, field, texture.is_some()));
    if texture.is_some_and(|(_, texture)| texture.is_missing()) {
        form.row("", |field| {
            let (label, tip) = (
                "Find textures…##find-textures",
                "Find all missing images below a folder, by the names of their files",
            );
            widgets::command_button_about(ui, field, label, Tone::On, Command::FindTextures, tip);
        });
    }
    if texture.is_some() {
        look_up(of);
        frames_ui(form, model, index, material);
    }
}

/// Draws the image with its name, size and number of users.
fn about(ui: &Ui<'_>, (model, material): (&Model, &Material), (at, texture): (usize, &Arc<Texture>)) {
    ui.dummy([0.0, 4.0]);
    let top = ui.cursor_screen_pos();
    let width = ui.content_region_avail()[0];
    let rect = Rect::at(top, [SIDE, SIDE]);
    chequered(ui, rect);
    if let Some(picture) = ui.picture(texture) {
        let longest = texture.width.max(texture.height).max(1) as f32;
        let half = [texture.width, texture.height].map(|side| side as f32 / longest * SIDE / 2.0);
        let [x, y] = rect.center();
        let image = Rect { min: [x - half[0], y - half[1]], max: [x + half[0], y + half[1]] };
        ui.draw().add_image(picture, image.min, image.max).build();
        frame_picker(ui, model, material, image);
    }
    ui.outline(rect, ui.theme.line, 3.0, 1.0);
    ui.mark(|| "texture-picture".to_owned(), rect);
    let users = model.materials.iter().filter(|material| material.texture == Some(at)).count();
    let about = if texture.is_missing() {
        ("Image not found".to_owned(), ui.theme.hurt)
    } else {
        (format!("{} × {}  {}", texture.width, texture.height, texture.source_format), ui.theme.quiet)
    };
    let lines = [
        (texture.name.clone(), ui.theme.text),
        about,
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

fn buttons(ui: &Ui<'_>, field: Rect, has_texture: bool) {
    let [replace, remove] = [0, 1].map(|at| field.column(at, 2, GAP));
    let label = format!("{}  {}##replace-texture", icon(Icon::Image), if has_texture { "Replace…" } else { "Add…" });
    let tip = "Choose an image (PNG, JPEG, WebP, TGA, TIFF, DDS, PSD), or drop one on the window";
    widgets::command_button_about(ui, replace, &label, Tone::Plain, Command::ReplaceTexture, tip);
    widgets::command_button(ui, remove, "Remove##remove-texture", Tone::Plain, Command::RemoveTexture);
}

fn look_up(form: &FormOf<'_, Material>) {
    let filters = [(Filter::Linear, "Smooth", "Linear filtering"), (Filter::Nearest, "Pixels", "Nearest filtering")];
    form.step("Set texture filter").choice("Filter", &filters, |material| &mut material.filter);
    let wraps = [
        (Wrap::Repeat, "Repeat", "Repeat"),
        (Wrap::Mirror, "Mirror", "Mirrored repeat"),
        (Wrap::Clamp, "Clamp", "Clamp to edge"),
    ];
    for (axis, label) in ["Wrap U", "Wrap V"].into_iter().enumerate() {
        form.step("Set texture wrap").choice(label, &wraps, |material| &mut material.wrap[axis]);
    }
    place(&form.step("Transform texture"));
}

/// Draws the placement of the texture on the mesh.
fn place(form: &FormOf<'_, Material>) {
    let usual = UvTransform::default();
    let tips = ["U, in widths of the texture", "V, in heights of the texture"];
    let how = Number::new("%.3f", 0.002);
    form.numbers("Offset", tips, how.or(usual.offset.x), |it| it.uv_transform.offset.as_mut().each_mut());
    form.numbers("Scale", tips, how.or(usual.scale.x), |it| it.uv_transform.scale.as_mut().each_mut());
    let how = Number::degrees().per(1.0_f32.to_degrees()).or(0.0);
    form.number("Rotation", "Rotation in degrees, counter-clockwise", how, |it| &mut it.uv_transform.rotation);
}
