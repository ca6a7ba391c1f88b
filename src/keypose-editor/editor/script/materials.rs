//! Script commands for materials and reference images (`material NAME …`, `reference NAME …`), and both as text.

use std::path::PathBuf;
use std::sync::Arc;

use glam::Vec2;

use crate::assets::material::{AlphaMode, Filter, Material, Outline, Shading, Wrap};
use crate::assets::model::{Model, Visibility};
use crate::assets::reference::{Depth, Facing, Lock, Reference};
use crate::editor::document::edit::ModelEdit;
use crate::editor::posing::change::Change;
use crate::editor::script::parse::{named, number};
use crate::editor::state::Editor;
use crate::editor::state::action::{Action, DocumentAction, MaterialAction};
use crate::editor::view::references::changed;
use crate::render::frame::color::Color;

/// `NAME` selects a material; further arguments change it.
pub fn actions(editor: &Editor, args: &[&str]) -> Result<Vec<Action>, String> {
    let [name, what @ ..] = args else { return Err("expected the name of a material".to_owned()) };
    let model = editor.model().ok_or("there is no model")?;
    let found = model.materials.iter().position(|material| material.name == *name);
    let at = found.ok_or_else(|| format!("there is no material {name}"))?;
    let pick = Action::Material(MaterialAction::Pick(at));
    match what {
        [] => return Ok(vec![pick]),
        ["image", path] => {
            return Ok(vec![pick, Action::Material(MaterialAction::ReplaceTexture(Some(PathBuf::from(path))))]);
        }
        _ => {}
    }
    let mut with = Material::clone(&model.materials[at]);
    change(model, &mut with, what)?;
    let change =
        Change::Edits(vec![ModelEdit::SetMaterial { model: editor.session.focus.model, material: at, with }.into()]);
    Ok(vec![pick, Action::Document(DocumentAction::Edit { label: "Edit material".into(), change })])
}

fn change(model: &Model, material: &mut Material, args: &[&str]) -> Result<(), String> {
    match args {
        ["name", name] => material.name = (*name).to_owned(),
        ["color", hex] => {
            let ([red, green, blue], alpha) = (linear(hex)?, material.base_color[3]);
            material.base_color = [red, green, blue, alpha];
        }
        ["opacity", opacity] => material.base_color[3] = number(opacity)? as f32,
        ["alpha", "opaque"] => material.alpha_mode = AlphaMode::Opaque,
        ["alpha", "blend"] => material.alpha_mode = AlphaMode::Blend,
        ["alpha", "mask", cutoff] => material.alpha_mode = AlphaMode::Mask(number(cutoff)? as f32),
        ["glow", hex] => material.emissive = linear(hex)?,
        ["metalness", metalness] => material.metallic = number(metalness)? as f32,
        ["roughness", roughness] => material.roughness = number(roughness)? as f32,
        ["sides", "one"] => material.double_sided = false,
        ["sides", "both"] => material.double_sided = true,
        ["shading", shading] => material.shading = named(shading, &Shading::ALL, Shading::name)?,
        ["occlusion", strength] => material.occlusion_strength = number(strength)? as f32,
        ["outline", width] => material.outline.width = number(width)? as f32,
        ["outline", width, hex] => {
            material.outline = Outline { width: number(width)? as f32, color: linear(hex)? };
        }
        ["filter", filter] => material.filter = named(filter, &Filter::ALL, Filter::name)?,
        ["wrap", across, down] => {
            material.wrap = [named(across, &Wrap::ALL, Wrap::name)?, named(down, &Wrap::ALL, Wrap::name)?];
        }
        ["texture", "none"] => material.texture = None,
        ["texture", name] => {
            let found = model.textures.iter().position(|texture| texture.name == *name);
            material.texture = Some(found.ok_or_else(|| format!("there is no texture {name}"))?);
        }
        _ => return Err("unknown setting of a material or wrong arguments".to_owned()),
    }
    Ok(())
}

/// The linear colour of six hexadecimal digits.
fn linear(hex: &str) -> Result<[f32; 3], String> {
    let color = Color::parse(hex).ok_or_else(|| format!("{hex} is not a colour: expected six hexadecimal digits"))?;
    let [red, green, blue, _] = color.to_linear();
    Ok([red, green, blue])
}

/// `NAME` selects a reference image; further arguments change it.
pub fn reference_actions(editor: &Editor, args: &[&str]) -> Result<Vec<Action>, String> {
    let [name, what @ ..] = args else { return Err("expected the name of a reference image".to_owned()) };
    let model = editor.model().ok_or("there is no model")?;
    let found = model.references.iter().position(|reference| reference.name() == *name);
    let at = found.ok_or_else(|| format!("there is no reference image {name}"))?;
    let mut with = Reference::clone(&model.references[at]);
    match what {
        [] => return Ok(vec![Action::Material(MaterialAction::PickReference(at))]),
        ["opacity", opacity] => with.opacity = number(opacity)? as f32,
        ["height", height] => with.height = number(height)? as f32,
        ["offset", x, y] => with.offset = Vec2::new(number(x)? as f32, number(y)? as f32),
        ["faces", facing] => with.facing = named(facing, &Facing::ALL, Facing::name)?,
        ["stands", depth] => with.depth = named(depth, &Depth::ALL, Depth::name)?,
        ["show"] => with.visibility = Visibility::Shown,
        ["hide"] => with.visibility = Visibility::Hidden,
        ["lock"] => with.lock = Lock::Locked,
        ["unlock"] => with.lock = Lock::Open,
        _ => return Err("unknown setting of a reference image or wrong arguments".to_owned()),
    }
    let change = Change::Edits(changed(editor.session.focus.model, &model.references, at, |one| *one = with));
    Ok(vec![
        Action::Material(MaterialAction::PickReference(at)),
        Action::Document(DocumentAction::Edit { label: "Edit reference image".into(), change }),
    ])
}

/// The reference images as text.
pub fn references(editor: &Editor) -> String {
    let text = |one: &Arc<Reference>| {
        let Vec2 { x, y } = one.offset;
        let shown = if one.visibility == Visibility::Shown { "shown" } else { "hidden" };
        let locked = if one.lock == Lock::Locked { "locked" } else { "open" };
        let (facing, depth) = (one.facing.name(), one.depth.name());
        format!("{} {facing} {depth} {} {} {x} {y} {shown} {locked}", one.name(), one.opacity, one.height)
    };
    let all = editor.model().map(|model| model.references.iter().map(text).collect::<Vec<_>>());
    all.unwrap_or_default().join("; ")
}

/// The selected material as text.
pub fn material(editor: &Editor) -> String {
    let Some((model, (_, material))) = editor.model().zip(editor.material()) else { return "none".to_owned() };
    let alpha = match material.alpha_mode {
        AlphaMode::Opaque => "opaque".to_owned(),
        AlphaMode::Mask(cutoff) => format!("mask {cutoff}"),
        AlphaMode::Blend => "blend".to_owned(),
    };
    let texture = material.texture.and_then(|texture| model.textures.get(texture));
    let texture = texture.map_or("no texture".to_owned(), |texture| {
        format!("texture {} {}x{}", texture.name, texture.width, texture.height)
    });
    format!(
        "{} {} {} {alpha} {} {} {texture} {} {}-{}",
        material.name,
        Color::of_linear(material.base_color).to_hex(),
        material.base_color[3],
        if material.double_sided { "both" } else { "one" },
        material.shading.name(),
        material.filter.name(),
        material.wrap[0].name(),
        material.wrap[1].name(),
    )
}
