//! How light falls on a material: its shading, glow, reflection and occlusion, and the line around it.

use crate::assets::material::{Material, Outline, Shading};
use crate::editor::ops::amount::Measure;
use crate::editor::panels::model::materials::Shown;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::color_field::color_field;
use crate::editor::panels::ui::number_field::Number;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::render::frame::color::Color;

/// A number of percent.
const PERCENT: Number =
    Number { range: [0.0, 100.0], unit: "%", measure: Measure::Percent, ..Number::new("%.0f", 0.5) };

/// Draws the rows.
pub fn shading_ui(ui: &Ui<'_>, shown: Shown<'_>) {
    let choices = [
        (Shading::Lit, "Lit", "Shade smoothly, with reflection"),
        (Shading::Toon, "Toon", "Shade in flat tones, like a drawing"),
        (Shading::Unlit, "Unlit", "Show plain colours"),
    ];
    if let Some(shading) = rows::choices(ui, "Shading", &choices, shown.material.shading) {
        shown.edit(ui, "Set shading", |material| material.shading = shading);
    }
    if shown.material.shading != Shading::Unlit {
        glow(ui, shown);
    }
    if shown.material.shading == Shading::Lit {
        reflection(ui, shown);
        if shown.material.occlusion_texture.is_some() {
            occlusion(ui, shown);
        }
    }
    outline(ui, shown);
}

/// Draws the emission: a colour and how many times brighter it is than that.
fn glow(ui: &Ui<'_>, shown: Shown<'_>) {
    let [red, green, blue] = shown.material.emissive;
    let strength = red.max(green).max(blue).max(1.0);
    let mut color = Color::of_linear([red / strength, green / strength, blue / strength, 1.0]);
    let touch = rows::row(ui, "Glow", widgets::FIELD, |field| color_field(ui, "emissive", field, &mut color));
    shown.gesture(ui, touch, "Set glow", |material| {
        let [red, green, blue, _] = color.to_linear();
        material.emissive = [red, green, blue].map(|part| part * strength);
    });
}

/// Draws metalness and roughness in percent.
fn reflection(ui: &Ui<'_>, shown: Shown<'_>) {
    let mut percent = [shown.material.metallic * 100.0, shown.material.roughness * 100.0];
    let tips = ["Metalness: 100 % is a metal", "Roughness: 0 % is a mirror, 100 % is matte"];
    let Some((at, touch)) = rows::numbers(ui, "Surface", &mut percent, PERCENT.with_reset(), tips) else { return };
    let set = |material: &mut Material, percent: [f32; 2]| match at {
        0 => material.metallic = percent[0] / 100.0,
        _ => material.roughness = percent[1] / 100.0,
    };
    let label = if at == 0 { "Set metalness" } else { "Set roughness" };
    shown.gesture(ui, touch, label, |material| set(material, percent));
    if touch.is_reset {
        shown.edit(ui, label, |material| set(material, [0.0, 100.0]));
    }
}

/// Draws how much of the occlusion counts, in percent.
fn occlusion(ui: &Ui<'_>, shown: Shown<'_>) {
    let mut percent = [shown.material.occlusion_strength * 100.0];
    let tip = ["How much the occlusion texture darkens creases"];
    let Some((_, touch)) = rows::numbers(ui, "Occlusion", &mut percent, PERCENT.with_reset(), tip) else { return };
    let label = "Set occlusion";
    shown.gesture(ui, touch, label, |material| material.occlusion_strength = percent[0] / 100.0);
    if touch.is_reset {
        shown.edit(ui, label, |material| material.occlusion_strength = 1.0);
    }
}

/// Draws the width of the outline in millimetres, and its colour if it has one.
fn outline(ui: &Ui<'_>, shown: Shown<'_>) {
    let Outline { width, color: [red, green, blue] } = shown.material.outline;
    let mut millimetres = [width * 1000.0];
    let how = Number { range: [0.0, Outline::MAX_WIDTH * 1000.0], unit: "mm", ..Number::new("%.0f", 0.2).with_reset() };
    let tip = ["Width of the line around the surface; 0 for none"];
    if let Some((_, touch)) = rows::numbers(ui, "Outline", &mut millimetres, how, tip) {
        let set = |material: &mut Material, width: f32| material.outline.width = width;
        shown.gesture(ui, touch, "Set outline", |material| set(material, millimetres[0] / 1000.0));
        if touch.is_reset {
            shown.edit(ui, "Set outline", |material| set(material, 0.0));
        }
    }
    if width == 0.0 {
        return;
    }
    let mut color = Color::of_linear([red, green, blue, 1.0]);
    let touch = rows::row(ui, "Line", widgets::FIELD, |field| color_field(ui, "outline-color", field, &mut color));
    shown.gesture(ui, touch, "Set outline colour", |material| {
        let [red, green, blue, _] = color.to_linear();
        material.outline.color = [red, green, blue];
    });
}
