//! The materials: a list, and the properties of the picked one. Its texture is in [`super::texture`].

use crate::editor::ops::amount::Measure;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::number_field::Number;
use imgui::TextureId;

use crate::assets::material::{AlphaMode, Material};
use crate::assets::model::Model;
use crate::editor::document::edit::{Edit, ModelEdit};
use crate::editor::panels::model::shading::shading_ui;
use crate::editor::panels::model::texture::texture_ui;
use crate::editor::panels::ui::color_field::color_field;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Touch;
use crate::editor::panels::window::layout;
use crate::editor::posing::change::Change;
use crate::editor::state::action::MaterialAction;
use crate::render::frame::color::Color;

/// Maximum rows of the list before it scrolls.
const MAX_ROWS: usize = 8;
/// The default alpha cutoff (glTF 2.0, section 3.9.6).
const USUAL_CUTOFF: f32 = 0.5;

/// The image of a texture of the model.
pub type Picture<'a> = &'a dyn Fn(usize) -> Option<TextureId>;

/// The material shown in the panel.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// The index of its model.
    pub model: usize,
    /// Its index in the model.
    pub at: usize,
    /// Its current value.
    pub material: &'a Material,
}

impl Shown<'_> {
    /// The edits that change it.
    pub fn with(&self, change: impl FnOnce(&mut Material)) -> Vec<Edit> {
        let mut with = self.material.clone();
        change(&mut with);
        vec![ModelEdit::SetMaterial { model: self.model, material: self.at, with }.into()]
    }

    /// Turns the touch of a widget into a gesture on it.
    pub fn gesture(&self, ui: &Ui<'_>, touch: Touch, label: &'static str, change: impl FnOnce(&mut Material)) {
        ui.gesture(touch, label, || Change::Edits(self.with(change)));
    }

    /// Makes one undo step.
    pub fn edit(&self, ui: &Ui<'_>, label: &'static str, change: impl FnOnce(&mut Material)) {
        ui.edit(label, self.with(change));
    }
}

/// Draws the panel.
pub fn materials_ui(ui: &Ui<'_>, picture: Picture<'_>) {
    let Some(model) = ui.model() else {
        return widgets::empty(ui, "No model open.", "Open a model to edit its materials and textures.");
    };
    let Some((at, material)) = ui.editor.material() else {
        return widgets::empty(ui, "No materials in this model.", "Materials are imported with meshes.");
    };
    ui.mark(|| "materials".to_owned(), Rect::at(ui.cursor_screen_pos(), ui.content_region_avail()));
    let rows = model.materials.len();
    if rows > MAX_ROWS {
        let below = ui.content_region_avail()[1] - MAX_ROWS as f32 * widgets::ROW;
        layout::scrolled(ui, "##materials", below, || list(ui, model, at, picture));
    }
    layout::scrolled(ui, "##material", 0.0, || {
        if rows <= MAX_ROWS {
            list(ui, model, at, picture);
        }
        let shown = Shown { model: ui.session.focus.model, at, material };
        look(ui, shown);
        texture_ui(ui, model, shown, picture);
    });
}

fn list(ui: &Ui<'_>, model: &Model, picked: usize, picture: Picture<'_>) {
    for (at, material) in model.materials.iter().enumerate() {
        let touch = widgets::row(ui, &format!("material{at}"), at == picked);
        if touch.is_clicked {
            ui.send(MaterialAction::Pick(at));
        }
        if !ui.is_rect_visible(touch.rect.min, touch.rect.max) {
            continue;
        }
        let mut rest = touch.rect.inset(6.0, 0.0);
        swatch(ui, material, picture, rest.cut_left(16.0, 8.0).inset(0.0, 4.0));
        let meshes = model.meshes.iter().filter(|slot| slot.mesh.material == at).count();
        let count = if meshes == 1 { "1 mesh".to_owned() } else { format!("{meshes} meshes") };
        ui.text_in(rest.cut_right(70.0, 0.0), Align::Right, ui.theme.quiet, &count);
        ui.text_in(rest, Align::Left, ui.theme.text, &material.name);
    }
}

/// Draws a material's colour, over its texture if it has one.
fn swatch(ui: &Ui<'_>, material: &Material, picture: Picture<'_>, rect: Rect) {
    let color = Color::of_linear(material.base_color).with_alpha(1.0).to_array();
    match material.texture.and_then(picture) {
        Some(texture) => ui.draw().add_image_rounded(texture, rect.min, rect.max, 3.0).col(color).build(),
        None => ui.fill(rect, color, 3.0),
    }
    ui.outline(rect, ui.theme.line, 3.0, 1.0);
}

fn look(ui: &Ui<'_>, shown: Shown<'_>) {
    let material = shown.material;
    ui.section("Look");
    color(ui, shown);
    let mut opacity = [material.base_color[3] * 100.0];
    let how =
        Number { range: [0.0, 100.0], unit: "%", measure: Measure::Percent, ..Number::new("%.0f", 0.5).with_reset() };
    let tip = ["Opacity, if alpha is masked or blended"];
    if let Some((_, touch)) = rows::numbers(ui, "Opacity", &mut opacity, how, tip) {
        shown.gesture(ui, touch, "Set opacity", |material| material.base_color[3] = opacity[0] / 100.0);
        if touch.is_reset {
            shown.edit(ui, "Set opacity", |material| material.base_color[3] = 1.0);
        }
    }
    alpha(ui, shown);
    let sides = [(false, "Front", "Show only front faces"), (true, "Both", "Show both sides")];
    if let Some(double_sided) = rows::choices(ui, "Sides", &sides, material.double_sided) {
        shown.edit(ui, "Set sides", |material| material.double_sided = double_sided);
    }
    shading_ui(ui, shown);
}

fn color(ui: &Ui<'_>, shown: Shown<'_>) {
    let mut color = Color::of_linear(shown.material.base_color);
    let touch = rows::row(ui, "Colour", widgets::FIELD, |field| color_field(ui, "base-color", field, &mut color));
    shown.gesture(ui, touch, "Set colour", |material| material.base_color = color.to_linear());
}

fn alpha(ui: &Ui<'_>, shown: Shown<'_>) {
    let alpha_mode = shown.material.alpha_mode;
    let cutoff = if let AlphaMode::Mask(cutoff) = alpha_mode { cutoff } else { USUAL_CUTOFF };
    let modes = [
        (AlphaMode::Opaque, "Opaque", "Ignore alpha"),
        (AlphaMode::Mask(cutoff), "Mask", "Hide pixels with alpha below the cutoff"),
        (AlphaMode::Blend, "Blend", "Blend with the background"),
    ];
    if let Some(mode) = rows::choices(ui, "Alpha", &modes, alpha_mode) {
        shown.edit(ui, "Set alpha mode", |material| material.alpha_mode = mode);
    }
    if !matches!(alpha_mode, AlphaMode::Mask(_)) {
        return;
    }
    let mut percent = [cutoff * 100.0];
    let how =
        Number { range: [0.0, 100.0], unit: "%", measure: Measure::Percent, ..Number::new("%.0f", 0.5).with_reset() };
    if let Some((_, touch)) = rows::numbers(ui, "Cutoff", &mut percent, how, ["Minimum visible alpha"]) {
        shown.gesture(ui, touch, "Set alpha cutoff", |material| {
            material.alpha_mode = AlphaMode::Mask(percent[0] / 100.0)
        });
        if touch.is_reset {
            shown.edit(ui, "Set alpha cutoff", |material| material.alpha_mode = AlphaMode::Mask(USUAL_CUTOFF));
        }
    }
}
