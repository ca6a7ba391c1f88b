//! The materials of the model: which there are, and how the one that is picked looks. What its texture shows stands in
//! `panels/texture`.

use crate::editor::panels::ui::Ui;
use imgui::TextureId;

use crate::assets::material::{AlphaMode, Material};
use crate::assets::model::Model;
use crate::editor::document::edit::Edit;
use crate::editor::panels::model::texture::texture_ui;
use crate::editor::panels::ui::color_field::color_field;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{Number, Touch};
use crate::editor::panels::window::layout;
use crate::editor::posing::change::Change;
use crate::editor::state::action::MaterialAction;
use crate::render::frame::color::Color;

/// More materials than these scroll in a list of their own.
const MOST_ROWS: usize = 8;
/// The cutoff that a mask begins with (glTF 2.0, section 3.9.6).
const USUAL_CUTOFF: f32 = 0.5;

/// The picture of a texture of the model.
pub type Picture<'a> = &'a dyn Fn(usize) -> Option<TextureId>;

/// The material that a panel shows: where it stands, and what it is.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// A place in the project.
    pub model: usize,
    /// A place in the model.
    pub at: usize,
    /// As it is now.
    pub material: &'a Material,
}

impl Shown<'_> {
    /// The edits that change it.
    pub fn with(&self, change: impl FnOnce(&mut Material)) -> Vec<Edit> {
        let mut with = self.material.clone();
        change(&mut with);
        vec![Edit::SetMaterial { model: self.model, material: self.at, with }]
    }

    /// What a widget that is dragged does to it.
    pub fn gesture(&self, ui: &Ui<'_>, touch: Touch, label: &'static str, change: impl FnOnce(&mut Material)) {
        ui.gesture(touch, label, || Change::Edits(self.with(change)));
    }

    /// One step at once.
    pub fn edit(&self, ui: &Ui<'_>, label: &'static str, change: impl FnOnce(&mut Material)) {
        ui.edit(label, self.with(change));
    }
}

/// The panel's contents.
pub fn materials_ui(ui: &Ui<'_>, picture: Picture<'_>) {
    let Some(model) = ui.model() else {
        layout::title(ui, "Materials", "");
        return widgets::empty(ui, "Nothing is open.", "The materials of a model and their textures stand here.");
    };
    let Some((at, material)) = ui.editor.material() else {
        layout::title(ui, "Materials", "");
        return widgets::empty(ui, "This model has no materials.", "They come with the meshes of a model.");
    };
    let title = layout::title(ui, "Materials", &model.materials.len().to_string());
    ui.mark(|| "materials".to_owned(), title);
    let rows = model.materials.len();
    if rows > MOST_ROWS {
        let below = ui.content_region_avail()[1] - MOST_ROWS as f32 * widgets::ROW;
        layout::scrolled(ui, "##materials", below, || list(ui, model, at, picture));
    }
    layout::scrolled(ui, "##material", 0.0, || {
        if rows <= MOST_ROWS {
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
        let Rect { min, max } = touch.rect;
        swatch(ui, material, picture, Rect::at([min[0] + 6.0, min[1] + 4.0], [16.0, 16.0]));
        let meshes = model.meshes.iter().filter(|slot| slot.mesh.material == at).count();
        let count = if meshes == 1 { "1 mesh".to_owned() } else { format!("{meshes} meshes") };
        let right = Rect { min: [max[0] - 76.0, min[1]], max: [max[0] - 6.0, max[1]] };
        ui.text_in(right, Align::Right, ui.theme.quiet, &count);
        let name = Rect { min: [min[0] + 30.0, min[1]], max: [right.min[0], max[1]] };
        ui.text_in(name, Align::Left, ui.theme.text, &material.name);
    }
}

/// Its colour, over its texture where it has one.
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
    let how = Number { range: [0.0, 100.0], unit: "%", ..Number::new("%.0f", 0.5) };
    let tip = ["How much of it shows, where alpha is cut or blended"];
    if let Some((_, touch)) = rows::numbers(ui, "Opacity", &mut opacity, how, tip) {
        shown.gesture(ui, touch, "Opacity", |material| material.base_color[3] = opacity[0] / 100.0);
        if touch.is_reset {
            shown.edit(ui, "Opacity", |material| material.base_color[3] = 1.0);
        }
    }
    alpha(ui, shown);
    let sides = [(false, "Front", "Only the front of its triangles shows"), (true, "Both", "Both sides show")];
    if let Some(double_sided) = rows::choices(ui, "Sides", &sides, material.double_sided) {
        shown.edit(ui, "Sides", |material| material.double_sided = double_sided);
    }
    let lights = [(false, "Lit", "Shaded by light"), (true, "Unlit", "Its colours as they are, without light")];
    if let Some(unlit) = rows::choices(ui, "Light", &lights, material.unlit) {
        shown.edit(ui, "Light", |material| material.unlit = unlit);
    }
}

fn color(ui: &Ui<'_>, shown: Shown<'_>) {
    let mut color = Color::of_linear(shown.material.base_color);
    let touch = rows::row(ui, "Colour", widgets::FIELD, |field| color_field(ui, "base-color", field, &mut color));
    shown.gesture(ui, touch, "Colour", |material| material.base_color = color.to_linear());
}

fn alpha(ui: &Ui<'_>, shown: Shown<'_>) {
    let alpha_mode = shown.material.alpha_mode;
    let cutoff = if let AlphaMode::Mask(cutoff) = alpha_mode { cutoff } else { USUAL_CUTOFF };
    let modes = [
        (AlphaMode::Opaque, "Opaque", "Alpha is ignored"),
        (AlphaMode::Mask(cutoff), "Mask", "Cut out where alpha is below the cutoff"),
        (AlphaMode::Blend, "Blend", "What is behind shows through"),
    ];
    if let Some(mode) = rows::choices(ui, "Alpha", &modes, alpha_mode) {
        shown.edit(ui, "Alpha", |material| material.alpha_mode = mode);
    }
    if !matches!(alpha_mode, AlphaMode::Mask(_)) {
        return;
    }
    let mut percent = [cutoff * 100.0];
    let how = Number { range: [0.0, 100.0], unit: "%", ..Number::new("%.0f", 0.5) };
    if let Some((_, touch)) = rows::numbers(ui, "Cutoff", &mut percent, how, ["It shows where alpha is at least this"])
    {
        shown.gesture(ui, touch, "Cutoff", |material| material.alpha_mode = AlphaMode::Mask(percent[0] / 100.0));
        if touch.is_reset {
            shown.edit(ui, "Cutoff", |material| material.alpha_mode = AlphaMode::Mask(USUAL_CUTOFF));
        }
    }
}
