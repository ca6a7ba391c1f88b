//! How light falls on a material: its shading, glow, reflection and occlusion, and the line around it.

use crate::editor::panels::ui::prelude::*;
use keypose::assets::material::{Material, Outline, Shading};

/// Draws the rows.
pub fn shading_ui(form: &FormOf<'_, Material>, material: &Material) {
    let choices = [
        (Shading::Lit, "Lit", "Shade smoothly, with reflection"),
        (Shading::Toon, "Toon", "Shade in flat tones, like a drawing"),
        (Shading::Unlit, "Unlit", "Show plain colours"),
    ];
    form.step("Set shading").choice("Shading", &choices, |material| &mut material.shading);
    if material.shading != Shading::Unlit {
        form.step("Set glow").field(glow);
    }
    if material.shading == Shading::Lit {
        reflection(form);
        form.step("Set sheen").color("Sheen", |material| &mut material.sheen.color);
        if material.sheen.color != [0.0; 3] {
            let tip = "How wide the shining edge is";
            let how = Number::percent().or(50.0);
            form.step("Set sheen").number("Sheen width", tip, how, |material| &mut material.sheen.roughness);
        }
        if material.occlusion_texture.is_some() {
            let tip = "How much the occlusion texture darkens creases";
            let how = Number::percent().or(100.0);
            form.step("Set occlusion").number("Occlusion", tip, how, |material| &mut material.occlusion_strength);
        }
    }
    outline(&form.step("Set outline"), material.outline);
}

/// Draws the emission: a colour, with how many times brighter it is than that.
fn glow(form: &Form<'_>, material: &mut Material) -> Touch {
    let strength = material.emissive.iter().fold(1.0_f32, |most, part| most.max(*part));
    let mut color = material.emissive.map(|part| part / strength);
    let touch = form.color("Glow", &mut color);
    material.emissive = color.map(|part| part * strength);
    touch
}

/// Draws metalness and roughness in percent.
fn reflection(form: &FormOf<'_, Material>) {
    let tip = "Metalness: 100 % is a metal";
    form.step("Set metalness").number("Metallic", tip, Number::percent().or(0.0), |material| &mut material.metallic);
    let tip = "Roughness: 0 % is a mirror, 100 % is matte";
    form.step("Set roughness")
        .number("Roughness", tip, Number::percent().or(100.0), |material| &mut material.roughness);
}

/// Draws the width of the outline in millimetres, and its colour if it has one.
fn outline(form: &FormOf<'_, Material>, outline: Outline) {
    let how = Number::new("%.0f", 0.2).within(0.0, Outline::MAX_WIDTH * 1000.0).unit("mm").per(1000.0).or(0.0);
    let tip = "Width of the line around the surface; 0 for none";
    form.number("Outline", tip, how, |material| &mut material.outline.width);
    if outline.width > 0.0 {
        form.step("Set outline colour").color("Line", |material| &mut material.outline.color);
    }
}
