//! Changes of an archive lump by lump, with the lists of its models kept in step. For the command line; the editor
//! changes projects.

use crate::wad::bakes;
use crate::wad::directory::Codec;
use crate::wad::error::WadError;
use crate::wad::kind::Kind;
use crate::wad::pack::Lump;
use crate::wad::record::model;

/// Takes a lump out. A clip or mesh leaves its model's list, a model takes all its parts with it; what other parts need
/// is refused.
pub fn remove(lumps: &mut Vec<Lump>, kind: Kind, name: &str) -> Result<(), WadError> {
    let title = format!("{kind}/{name}");
    let trouble = |reason: String| Err(WadError::Content { place: format!("lump {title}"), reason });
    if !lumps.iter().any(|lump| lump.kind == kind && lump.name == name) {
        return trouble("there is no such lump".into());
    }
    if kind == Kind::MODEL {
        return remove_model(lumps, name);
    }
    for lump in lumps.iter_mut().filter(|lump| lump.kind == Kind::MODEL) {
        let mut lists = lists_of(lump)?;
        let before = (lists.clips.len(), lists.meshes.len());
        match kind {
            Kind::CLIP => lists.clips.retain(|part| part != name),
            Kind::MESH => lists.meshes.retain(|(part, _)| part != name),
            _ => {}
        }
        let needed = [(Kind::SKIN, &lists.skins), (Kind::MATERIAL, &lists.materials), (Kind::TEXTURE, &lists.textures)];
        let is_needed = needed.iter().any(|(of, parts)| *of == kind && parts.iter().any(|part| part == name));
        if is_needed || (kind == Kind::SKELETON && lump.name == name) {
            return trouble(format!("the model {} needs it", lists.name));
        }
        if before != (lists.clips.len(), lists.meshes.len()) {
            let written = model::write(&lists).map_err(|reason| WadError::Content { place: title.clone(), reason })?;
            lump.bytes = Some(written);
        }
    }
    let is_gone = |of| kind == of || (kind == Kind::CLIP && of == Kind::BAKED);
    lumps.retain(|lump| !is_gone(lump.kind) || lump.name != name);
    Ok(())
}

fn remove_model(lumps: &mut Vec<Lump>, name: &str) -> Result<(), WadError> {
    let own = [Kind::MODEL, Kind::SKELETON].into_iter().chain(Kind::SINGLES);
    let mut gone: Vec<(Kind, String)> = own.map(|kind| (kind, name.to_owned())).collect();
    for lump in lumps.iter().filter(|lump| lump.kind == Kind::MODEL && lump.name == name) {
        let lists = lists_of(lump)?;
        gone.extend(lists.skins.into_iter().map(|part| (Kind::SKIN, part)));
        gone.extend(lists.materials.into_iter().map(|part| (Kind::MATERIAL, part)));
        gone.extend(lists.textures.into_iter().map(|part| (Kind::TEXTURE, part)));
        gone.extend(lists.meshes.into_iter().map(|(part, _)| (Kind::MESH, part)));
        for clip in lists.clips {
            gone.push((Kind::BAKED, clip.clone()));
            gone.push((Kind::CLIP, clip));
        }
    }
    let of_model = format!("{name}/");
    let is_image = |lump: &Lump| lump.kind == Kind::REFERENCE_IMAGE && lump.name.starts_with(&of_model);
    let is_gone = |lump: &Lump| gone.iter().any(|(kind, name)| lump.kind == *kind && lump.name == *name);
    lumps.retain(|lump| !is_gone(lump) && !is_image(lump));
    Ok(())
}

/// Puts a lump in, over the one of its kind and name. A clip or mesh that is new joins the list of the model `owner`;
/// without an owner it must replace one.
pub fn put(lumps: &mut Vec<Lump>, lump: Lump, owner: Option<&str>) -> Result<(), WadError> {
    let (kind, name) = (lump.kind, lump.name.clone());
    let is_part = [Kind::CLIP, Kind::MESH].contains(&kind);
    let is_new = !lumps.iter().any(|old| old.kind == kind && old.name == name);
    if is_part && is_new {
        let trouble = |reason: String| WadError::Content { place: format!("lump {kind}/{name}"), reason };
        let owner = owner.ok_or_else(|| trouble("it is new; say which model it belongs to".into()))?;
        let is_owner = |lump: &&mut Lump| lump.kind == Kind::MODEL && lump.name == owner;
        let model = lumps.iter_mut().find(is_owner).ok_or_else(|| trouble(format!("there is no model {owner}")))?;
        let mut lists = lists_of(model)?;
        match kind {
            Kind::CLIP => lists.clips.push(name.clone()),
            _ => lists.meshes.push((name.clone(), Default::default())),
        }
        model.bytes = Some(model::write(&lists).map_err(trouble)?);
    }
    lumps.retain(|old| old.kind != kind || old.name != name);
    lumps.push(lump);
    Ok(())
}

/// Makes the baked clips fit the rest: those that are missing, or of another state of their clips, are made.
pub fn rebake(lumps: &mut Vec<Lump>) -> Result<(), WadError> {
    bakes::refresh(lumps)
}

/// Asks for a codec on every lump.
pub fn recode(lumps: &mut [Lump], codec: Codec) {
    lumps.iter_mut().for_each(|lump| lump.codec = codec);
}

fn lists_of(lump: &Lump) -> Result<model::ModelLists, WadError> {
    let title = format!("{}/{}", lump.kind, lump.name);
    model::read(lump.bytes.as_deref().unwrap_or_default()).map_err(|fault| fault.in_lump(title))
}
