//! Restores lump names of a damaged directory from the names that the models refer to.

use crate::wad::directory::{ENTRY_BYTES, Entry};
use crate::wad::kind::{Kind, List, Role};
use crate::wad::name;
use crate::wad::pack::Lump;
use crate::wad::record::model::{self, ModelLists};
use crate::wad::record::{Input, reference};

/// A whole lump, and the bytes of its name in the directory, which may be damaged.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub lump: Lump,
    name_field: Vec<u8>,
    /// Whether the name can't be read; the lump has a placeholder name.
    pub is_nameless: bool,
}

/// The offset of the name's length in an entry; the name follows.
const NAME_AT: usize = 48;
/// The maximum number of damaged bytes of a name.
const MAX_DAMAGED: usize = 8;

impl Found {
    pub fn new(lump: Lump, chunk: &[u8], is_nameless: bool) -> Found {
        let name_field = chunk.get(NAME_AT.saturating_add(1)..).unwrap_or_default().to_vec();
        Found { lump, name_field, is_nameless }
    }

    /// The number of bytes in which the name in the directory differs from this one.
    fn damage(&self, wanted: &str) -> usize {
        let wanted = wanted.bytes().chain(std::iter::repeat(0)).take(name::MAX_BYTES);
        self.name_field.iter().zip(wanted).filter(|(found, wanted)| **found != *wanted).count()
    }

    /// Whether the name in the directory is most likely this one, damaged.
    fn is_likely(&self, wanted: &str) -> bool {
        let damage = self.damage(wanted);
        damage <= MAX_DAMAGED && damage.saturating_mul(3) <= wanted.len().max(3)
    }

    /// The record of a model.
    fn lists(&self) -> Option<ModelLists> {
        model::read(Input::new(self.lump.bytes.as_deref()?)).ok()
    }

    fn is(&self, kind: Kind, name: &str) -> bool {
        self.lump.kind == kind && self.lump.name == name
    }
}

/// A directory entry whose name can't be read, with a placeholder name.
pub(super) fn nameless(chunk: &[u8], number: usize) -> Option<Entry> {
    let placeholder = format!("lost/{number}");
    let mut bytes = chunk.get(..NAME_AT)?.to_vec();
    bytes.push(u8::try_from(placeholder.len()).ok()?);
    bytes.extend(placeholder.into_bytes());
    bytes.resize(ENTRY_BYTES, 0);
    Entry::read(&bytes).ok()
}

/// Gives lumps the names that the models refer to. Returns one sentence for each renamed lump.
pub(super) fn restore_names(found: &mut [Found]) -> Vec<String> {
    let mut renamed = Vec::new();
    pair_models(found, &mut renamed);
    let models: Vec<(String, ModelLists)> = found
        .iter()
        .filter(|one| one.lump.kind == Kind::MODEL)
        .filter_map(|one| Some((one.lump.name.clone(), one.lists()?)))
        .collect();
    let listed = |list| models.iter().flat_map(|(_, lists)| lists.names(list)).cloned().collect::<Vec<String>>();
    let owners: Vec<String> = models.iter().map(|(owner, _)| owner.clone()).collect();
    for def in Kind::KNOWN {
        let wanted = match def.role {
            Role::ReferenceImage => images(found),
            Role::Listed(list) => listed(list),
            Role::Baked => listed(List::Clips),
            Role::Optional => {
                rename_strays(found, def.kind, &owners, &mut renamed);
                continue;
            }
            // Models and skeletons are paired above; levels have names of their own.
            Role::Model | Role::Required | Role::Level => continue,
        };
        rename_strays(found, def.kind, &wanted, &mut renamed);
        rename_last(found, def.kind, &wanted, &mut renamed);
    }
    renamed
}

/// The lumps of pixels that the reference images of the models name.
fn images(found: &[Found]) -> Vec<String> {
    let of_kind = found.iter().filter(|one| one.lump.kind == Kind::REFERENCES);
    let lists = of_kind.filter_map(|one| reference::read(Input::new(one.lump.bytes.as_deref()?)).ok());
    lists.flatten().map(|one| one.image).collect()
}

/// Makes the names of each model and its skeleton equal: the name that more lumps have, or that the model's record has,
/// is the right one.
fn pair_models(found: &mut [Found], renamed: &mut Vec<String>) {
    let names = |kind| {
        let of_kind = found.iter().filter(move |one| one.lump.kind == kind);
        of_kind.map(|one| one.lump.name.clone()).collect::<Vec<_>>()
    };
    let (models, skeletons) = (names(Kind::MODEL), names(Kind::SKELETON));
    let of_kind = found.iter().filter(|one| one.lump.kind == Kind::MODEL);
    let shown: Vec<String> = of_kind.filter_map(|one| Some(one.lists()?.name)).collect();
    let is_of = |one: &Found, name: &String| !one.is_nameless && owner(&one.lump.name) == name;
    let uses = |name: &String| {
        let lumps = found.iter().filter(|one| is_of(one, name)).count();
        lumps.saturating_add(usize::from(shown.contains(name)))
    };
    let uses_of_lone =
        |these: &[String], those: &[String]| these.iter().filter(|name| !those.contains(name)).map(uses).sum::<usize>();
    match uses_of_lone(&models, &skeletons) < uses_of_lone(&skeletons, &models) {
        true => rename_strays(found, Kind::MODEL, &skeletons, renamed),
        false => rename_strays(found, Kind::SKELETON, &models, renamed),
    }
}

/// The lump name of the model that a lump belongs to.
fn owner(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

/// Whether `wanted` may be the name of a lump, damaged: no other lump is of its model, or it is of the same model.
fn may_be(found: &[Found], at: usize, wanted: &str) -> bool {
    let Some(one) = found.get(at) else { return false };
    let of = owner(&one.lump.name);
    let has_company = || found.iter().enumerate().any(|(other, two)| other != at && owner(&two.lump.name) == of);
    one.is_nameless || of == owner(wanted) || !has_company()
}

/// Lumps of a kind whose names no model refers to, and names that models refer to without a lump.
fn strays_and_missing(found: &[Found], kind: Kind, wanted: &[String]) -> (Vec<usize>, Vec<String>) {
    let is_stray = |one: &Found| one.lump.kind == kind && !wanted.contains(&one.lump.name);
    let strays = found.iter().enumerate().filter(|(_, one)| is_stray(one)).map(|(at, _)| at);
    let missing = wanted.iter().filter(|name| !found.iter().any(|other| other.is(kind, name)));
    (strays.collect(), missing.cloned().collect())
}

/// Gives each stray the likely name, if there is exactly one.
fn rename_strays(found: &mut [Found], kind: Kind, wanted: &[String], renamed: &mut Vec<String>) {
    for at in strays_and_missing(found, kind, wanted).0 {
        let missing = strays_and_missing(found, kind, wanted).1;
        let near = |name: &&String| found.get(at).is_some_and(|one| one.is_likely(name)) && may_be(found, at, name);
        let damage = |name: &&String| found.get(at).map_or(usize::MAX, |one| one.damage(name));
        let mut near: Vec<&String> = missing.iter().filter(near).collect();
        near.sort_by_key(damage);
        match near.as_slice() {
            [nearest, next, ..] if damage(nearest) == damage(next) => {}
            [nearest, ..] => rename(found, at, nearest, renamed),
            [] => {}
        }
    }
}

/// A single stray and a single missing name belong together, whatever the damage.
fn rename_last(found: &mut [Found], kind: Kind, wanted: &[String], renamed: &mut Vec<String>) {
    let (strays, missing) = strays_and_missing(found, kind, wanted);
    if let ([at], [name]) = (strays.as_slice(), missing.as_slice())
        && may_be(found, *at, name)
    {
        rename(found, *at, name, renamed);
    }
}

fn rename(found: &mut [Found], at: usize, name: &str, renamed: &mut Vec<String>) {
    if let Some(one) = found.get_mut(at) {
        let kind = one.lump.kind;
        renamed.push(format!(
            "the name of the lump {kind}/{name} is damaged in the directory and was restored from a model"
        ));
        (one.lump.name, one.is_nameless) = (name.to_owned(), false);
    }
}
