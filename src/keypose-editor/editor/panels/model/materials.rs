//! The materials: a list, and the properties of the picked one. Its texture is in [`super::texture`].

use crate::editor::ops::sentence::has_words;
use crate::editor::panels::model::shading::shading_ui;
use crate::editor::panels::model::texture::texture_ui;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::render::frame::color;
use keypose::assets::material::{AlphaMode, Material};

/// Maximum rows of the list before it scrolls.
const MAX_ROWS: usize = 8;
/// The default alpha cutoff (glTF 2.0, section 3.9.6).
const USUAL_CUTOFF: f32 = 0.5;

pub fn materials_ui(ui: &Ui<'_>) {
    let Some(model) = ui.model() else {
        return widgets::empty(ui, "No model open.", "Open a model to edit its materials and textures.");
    };
    let Some((at, material)) = ui.editor.material() else {
        return widgets::empty(ui, "No materials in this model.", "Materials are imported with meshes.");
    };
    ui.mark(|| "materials".to_owned(), Rect::at(ui.cursor_screen_pos(), ui.content_region_avail()));
    let rows = model.materials.len();
    if rows > MAX_ROWS {
        let sought = search::above_list(ui, "material-search", rows, "materials");
        let below = ui.content_region_avail()[1] - MAX_ROWS as f32 * widgets::ROW;
        widgets::scrolled(ui, "##materials", below, || list(ui, model, at, &sought));
    }
    widgets::scrolled(ui, "##material", 0.0, || {
        if rows <= MAX_ROWS {
            list(ui, model, at, "");
        }
        let apply = |touch, step, with: Material| {
            ui.change(touch, step, || {
                vec![ModelEdit::SetMaterial { model: ui.session.focus.model, material: at, with }.into()]
            });
        };
        let form = Form::new(ui, "");
        let of = form.of(&**material, "Set material", &apply);
        look(&of, ui, material);
        texture_ui(&form, &of, (model, at), material);
    });
}

fn list(ui: &Ui<'_>, model: &Model, picked: usize, sought: &str) {
    let found = |(_, material): &(usize, &std::sync::Arc<Material>)| has_words(&material.name, sought);
    for (at, material) in model.materials.iter().enumerate().filter(found) {
        let touch = widgets::row(ui, &format!("material{at}"), at == picked);
        if touch.is_clicked {
            ui.send(MaterialAction::Pick(at));
        }
        if !ui.is_rect_visible(touch.rect.min, touch.rect.max) {
            continue;
        }
        let mut rest = touch.rect.inset(6.0, 0.0);
        swatch(ui, (model, material), rest.cut_left(16.0, 8.0).inset(0.0, 4.0));
        let meshes = model.meshes.iter().filter(|slot| slot.mesh.material == at).count();
        ui.text_in(rest.cut_right(70.0, 0.0), Align::Right, ui.theme.quiet, &counted(meshes, "mesh"));
        if material.texture.and_then(|at| model.textures.get(at)).is_some_and(|texture| texture.is_missing()) {
            let sign = rest.cut_right(18.0, 0.0);
            ui.text_in(sign, Align::Right, ui.theme.hurt, &icon(Icon::TriangleAlert));
            ui.mark(|| format!("missing-image{at}"), sign);
        }
        ui.text_in(rest, Align::Left, ui.theme.text, &material.name);
    }
}

/// Draws a material's colour, over its texture if it has one.
fn swatch(ui: &Ui<'_>, (model, material): (&Model, &Material), rect: Rect) {
    let color = color::Color::of_linear(material.base_color).with_alpha(1.0).to_array();
    match material.texture.and_then(|at| ui.picture(model.textures.get(at)?)) {
        Some(texture) => ui.draw().add_image_rounded(texture, rect.min, rect.max, 3.0).col(color).build(),
        None => ui.fill(rect, color, 3.0),
    }
    ui.outline(rect, ui.theme.line, 3.0, 1.0);
}

fn look(form: &FormOf<'_, Material>, ui: &Ui<'_>, material: &Material) {
    ui.section("Look");
    form.step("Set colour").color("Colour", |material| &mut material.base_color);
    let tip = "Opacity, if alpha is masked or blended";
    form.step("Set opacity").number("Opacity", tip, Number::percent().or(100.0), |it| &mut it.base_color[3]);
    alpha(form, material.alpha_mode);
    let sides = [(false, "Front", "Show only front faces"), (true, "Both", "Show both sides")];
    form.step("Set sides").choice("Sides", &sides, |material| &mut material.double_sided);
    shading_ui(form, material);
}

fn alpha(form: &FormOf<'_, Material>, alpha_mode: AlphaMode) {
    let cutoff = if let AlphaMode::Mask(cutoff) = alpha_mode { cutoff } else { USUAL_CUTOFF };
    let modes = [
        (AlphaMode::Opaque, "Opaque", "Ignore alpha"),
        (AlphaMode::Mask(cutoff), "Mask", "Hide pixels with alpha below the cutoff"),
        (AlphaMode::Blend, "Blend", "Blend with the background"),
    ];
    form.step("Set alpha mode").choice("Alpha", &modes, |material| &mut material.alpha_mode);
    form.step("Set alpha cutoff").field(|form, material| {
        let AlphaMode::Mask(cutoff) = &mut material.alpha_mode else { return Touch::default() };
        form.number("Cutoff", "Minimum visible alpha", Number::percent().or(100.0 * USUAL_CUTOFF), cutoff)
    });
}
