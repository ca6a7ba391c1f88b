//! Script commands for materials and reference images, and both as text. A command selects its item, then changes it.

use std::sync::Arc;

use glam::Vec2;

use crate::editor::document::edit::ModelEdit;
use crate::editor::posing::change::Change;
use crate::editor::posing::texture_frames::{posed, sheet_edits};
use crate::editor::script::args::Args;
use crate::editor::script::table::{Fact, Outcome, Step, Verb, act};
use crate::editor::state::action::{Action, DocumentAction, MaterialAction};
use crate::editor::view::references::changed;
use crate::render::frame::color::Color;
use keypose::anim::scalar::Sheet;
use keypose::assets::material::{AlphaMode, Filter, Material, Outline, Shading, Sheen, Wrap};
use keypose::assets::model::{Model, Visibility};
use keypose::assets::reference::{Depth, Facing, Film, FilmFiles, Lock, Reference};

/// The commands.
pub const VERBS: &[Verb] = &[
    ("material MATERIAL", |a| act(MaterialAction::Pick(material(a)?.1))),
    ("material MATERIAL name NAME", |a| set(a, Ok(a.text(1)), |it, name| it.name = name)),
    ("material MATERIAL color HEX", |a| set(a, linear(a, 1), |it, rgb| it.base_color[..3].copy_from_slice(&rgb))),
    ("material MATERIAL opacity OPACITY", |a| set(a, a.float(1), |it, opacity| it.base_color[3] = opacity)),
    ("material MATERIAL alpha opaque", |a| set(a, Ok(AlphaMode::Opaque), |it, mode| it.alpha_mode = mode)),
    ("material MATERIAL alpha blend", |a| set(a, Ok(AlphaMode::Blend), |it, mode| it.alpha_mode = mode)),
    ("material MATERIAL alpha mask CUTOFF", |a| {
        set(a, a.float(1).map(AlphaMode::Mask), |it, mode| it.alpha_mode = mode)
    }),
    ("material MATERIAL glow HEX", |a| set(a, linear(a, 1), |it, glow| it.emissive = glow)),
    ("material MATERIAL metalness METALNESS", |a| set(a, a.float(1), |it, metalness| it.metallic = metalness)),
    ("material MATERIAL roughness ROUGHNESS", |a| set(a, a.float(1), |it, roughness| it.roughness = roughness)),
    ("material MATERIAL sides SIDES", |a| {
        let sides = a.choice(1, "sides", &[("one", false), ("both", true)]);
        set(a, sides, |it, is_double| it.double_sided = is_double)
    }),
    ("material MATERIAL shading SHADING", |a| {
        set(a, a.named(1, &Shading::ALL, Shading::name), |it, shading| it.shading = shading)
    }),
    ("material MATERIAL occlusion STRENGTH", |a| set(a, a.float(1), |it, value| it.occlusion_strength = value)),
    ("material MATERIAL outline WIDTH", |a| set(a, a.float(1), |it, width| it.outline.width = width)),
    ("material MATERIAL outline WIDTH HEX", |a| {
        let outline = Outline { width: a.float(1)?, color: linear(a, 2)? };
        set(a, Ok(outline), |it, outline| it.outline = outline)
    }),
    ("material MATERIAL sheen HEX WIDTH", |a| {
        let sheen = Sheen { color: linear(a, 1)?, roughness: a.float(2)? };
        set(a, Ok(sheen), |it, sheen| it.sheen = sheen)
    }),
    ("material MATERIAL filter FILTER", |a| {
        set(a, a.named(1, &Filter::ALL, Filter::name), |it, filter| it.filter = filter)
    }),
    ("material MATERIAL wrap ACROSS DOWN", |a| {
        let wrap = |at| a.named(at, &Wrap::ALL, Wrap::name);
        set(a, Ok([wrap(1)?, wrap(2)?]), |it, wrap| it.wrap = wrap)
    }),
    ("material MATERIAL texture none", |a| set(a, Ok(None), |it, texture| it.texture = texture)),
    ("material MATERIAL texture TEXTURE", |a| {
        let texture = a.among(1, "texture", a.active()?.textures.iter().map(|texture| texture.name.as_str()))?;
        set(a, Ok(Some(texture)), |it, texture| it.texture = texture)
    }),
    ("material MATERIAL image PATH", |a| {
        let pick = MaterialAction::Pick(material(a)?.1);
        Ok(Step::Act(vec![pick.into(), MaterialAction::ReplaceTexture(Some(a.path(1))).into()]))
    }),
    ("material MATERIAL frames none", |a| split(a, None)),
    ("material MATERIAL frames COLUMNS ROWS", |a| {
        let count = |at| {
            a.number(at)
                .and_then(|it| if (1.0..=255.0).contains(&it) { Ok(it as u8) } else { Err(NO_SHEET.to_owned()) })
        };
        split(a, Some(Sheet { columns: count(1)?, rows: count(2)? }))
    }),
    ("material MATERIAL frame NUMBER", |a| {
        let (found, at) = material(a)?;
        let (scalar, _) =
            a.active()?.frame_of(found).ok_or_else(|| format!("{}: its texture has no frames", found.name))?;
        let change = Change::Pose(posed(a.active()?, scalar, a.float(1)?));
        let pose = DocumentAction::Edit { label: "Set texture frame".into(), change };
        Ok(Step::Act(vec![MaterialAction::Pick(at).into(), pose.into()]))
    }),
    ("find-textures FOLDER", |a| act(MaterialAction::FindTextures(Some(a.path(0))))),
    ("add-reference PATH", |a| act(MaterialAction::AddReference(Some(a.path(0))))),
    ("add-film PATH", |a| act(MaterialAction::AddFilm(Some(a.path(0))))),
    ("reference IMAGE", |a| act(MaterialAction::PickReference(reference(a)?.1))),
    ("reference IMAGE opacity OPACITY", |a| set_reference(a, a.float(1), |it, opacity| it.opacity = opacity)),
    ("reference IMAGE height METRES", |a| set_reference(a, a.float(1), |it, height| it.height = height)),
    ("reference IMAGE offset X Y", |a| set_reference(a, a.vec2(1), |it, offset| it.offset = offset)),
    ("reference IMAGE faces DIRECTION", |a| {
        set_reference(a, a.named(1, &Facing::ALL, Facing::name), |it, facing| it.facing = facing)
    }),
    ("reference IMAGE stands DEPTH", |a| {
        set_reference(a, a.named(1, &Depth::ALL, Depth::name), |it, depth| it.depth = depth)
    }),
    ("reference IMAGE film starts SECONDS", |a| set_film(a, |film, secs| film.offset = secs)),
    ("reference IMAGE film speed FACTOR", |a| set_film(a, |film, speed| film.speed = speed)),
    ("reference IMAGE film rate FPS", |a| set_film(a, |film, fps| film.source.fps = fps)),
    ("reference IMAGE film keep", |a| act(MaterialAction::KeepFilm(film(a)?))),
    ("reference IMAGE film link", |a| {
        film(a)?;
        let link = |it: &mut Reference, ()| it.film.iter_mut().for_each(|it| it.source.files = FilmFiles::Linked);
        set_reference(a, Ok(()), link)
    }),
    ("reference IMAGE show", |a| set_reference(a, Ok(Visibility::Shown), |it, shown| it.visibility = shown)),
    ("reference IMAGE hide", |a| set_reference(a, Ok(Visibility::Hidden), |it, shown| it.visibility = shown)),
    ("reference IMAGE lock", |a| set_reference(a, Ok(Lock::Locked), |it, lock| it.lock = lock)),
    ("reference IMAGE unlock", |a| set_reference(a, Ok(Lock::Open), |it, lock| it.lock = lock)),
];

/// Materials, the active one in full, textures, reference images and films.
pub const FACTS: &[Fact] = &[
    ("materials", |a| Ok(names(a, |model| model.materials.iter().map(|material| material.name.clone()).collect()))),
    ("material", |a| Ok(material_text(a))),
    ("textures", |a| Ok(names(a, |model| model.textures.iter().map(|texture| texture.name.clone()).collect()))),
    ("references", |a| {
        let all = a.editor.model().map(|model| model.references.iter().map(reference_text).collect::<Vec<_>>());
        Ok(all.unwrap_or_default().join("; "))
    }),
    ("films", |a| {
        let text = |one: &Arc<Reference>| Some(film_text(one.name(), one.film.as_ref()?));
        let all = a.editor.model().map(|model| model.references.iter().filter_map(text).collect::<Vec<_>>());
        Ok(all.unwrap_or_default().join("; "))
    }),
];

fn names(a: &Args<'_>, of: impl FnOnce(&Model) -> Vec<String>) -> String {
    a.editor.model().map(|model| of(model)).unwrap_or_default().join(" ")
}

/// The material that the first argument names, and its index.
fn material<'a>(a: &Args<'a>) -> Result<(&'a Arc<Material>, usize), String> {
    let materials = &a.active()?.materials;
    let at = a.among(0, "material", materials.iter().map(|material| material.name.as_str()))?;
    Ok((&materials[at], at))
}

fn set<T>(a: &Args<'_>, value: Result<T, String>, change: impl FnOnce(&mut Material, T)) -> Outcome {
    let (found, at) = material(a)?;
    let mut with = Material::clone(found);
    change(&mut with, value?);
    let edit = ModelEdit::SetMaterial { model: a.active_index(), material: at, with };
    Ok(Step::Act(vec![MaterialAction::Pick(at).into(), Action::edit("Edit material", edit)]))
}

const NO_SHEET: &str = "a sheet has 1 to 255 columns and rows";

/// Divides the texture of a material into frames.
fn split(a: &Args<'_>, sheet: Option<Sheet>) -> Outcome {
    let at = material(a)?.1;
    let change = Change::Edits(sheet_edits(a.active_index(), a.active()?, at, sheet));
    let edit = DocumentAction::Edit { label: "Set texture frames".into(), change };
    Ok(Step::Act(vec![MaterialAction::Pick(at).into(), edit.into()]))
}

/// The linear colour of six hexadecimal digits.
fn linear(a: &Args<'_>, at: usize) -> Result<[f32; 3], String> {
    let hex = a.word(at);
    let color = Color::parse(hex).ok_or_else(|| format!("{hex} is not a colour: expected six hexadecimal digits"))?;
    let [red, green, blue, _] = color.to_linear();
    Ok([red, green, blue])
}

/// The reference image that the first argument names, and its index.
fn reference<'a>(a: &Args<'a>) -> Result<(&'a Arc<Reference>, usize), String> {
    let references = &a.active()?.references;
    let at = a.among(0, "reference image", references.iter().map(|reference| reference.name()))?;
    Ok((&references[at], at))
}

fn set_reference<T>(a: &Args<'_>, value: Result<T, String>, change: impl FnOnce(&mut Reference, T)) -> Outcome {
    let (found, at) = reference(a)?;
    let mut with = Reference::clone(found);
    change(&mut with, value?);
    let edits = changed(a.active_index(), &a.active()?.references, at, |one| *one = with);
    let edit = DocumentAction::Edit { label: "Edit reference image".into(), change: Change::Edits(edits) };
    Ok(Step::Act(vec![MaterialAction::PickReference(at).into(), edit.into()]))
}

/// The index of the reference image that the first argument names, if it is a film.
fn film(a: &Args<'_>) -> Result<usize, String> {
    let (found, at) = reference(a)?;
    found.film.as_ref().map(|_| at).ok_or_else(|| format!("{} is not a film", found.name()))
}

/// Sets a number of a film, the fourth argument.
fn set_film(a: &Args<'_>, change: impl Fn(&mut Film, f32)) -> Outcome {
    film(a)?;
    set_reference(a, a.float(1), |it, value| it.film.iter_mut().for_each(|film| change(film, value)))
}

fn reference_text(one: &Arc<Reference>) -> String {
    let Vec2 { x, y } = one.offset;
    let shown = if one.visibility == Visibility::Shown { "shown" } else { "hidden" };
    let locked = if one.lock == Lock::Locked { "locked" } else { "open" };
    let (facing, depth) = (one.facing.name(), one.depth.name());
    format!("{} {facing} {depth} {} {} {x} {y} {shown} {locked}", one.name(), one.opacity, one.height)
}

fn film_text(name: &str, film: &Film) -> String {
    let files = if film.source.files == FilmFiles::Linked { "linked" } else { "kept" };
    format!("{name} {} {} {} {files}", film.offset, film.speed, film.source.fps)
}

fn material_text(a: &Args<'_>) -> String {
    let Some((model, (_, material))) = a.editor.model().zip(a.editor.material()) else { return "none".to_owned() };
    let alpha = match material.alpha_mode {
        AlphaMode::Opaque => "opaque".to_owned(),
        AlphaMode::Mask(cutoff) => format!("mask {cutoff}"),
        AlphaMode::Blend => "blend".to_owned(),
    };
    let texture = material.texture.and_then(|texture| model.textures.get(texture));
    let texture = texture.map_or("no texture".to_owned(), |texture| {
        format!("texture {} {}x{}", texture.name, texture.width, texture.height)
    });
    let frames = model.frame_of(material).map(|(_, sheet)| format!(" frames {}x{}", sheet.columns, sheet.rows));
    let frames = frames.unwrap_or_default();
    format!(
        "{} {} {} {alpha} {} {} {texture}{frames} {} {}-{}",
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
