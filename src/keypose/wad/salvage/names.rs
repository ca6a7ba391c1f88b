//! Restores lump names of a damaged directory from the names that the models refer to.

use std::collections::{BTreeMap, BTreeSet};

use crate::wad::directory::{ENTRY_BYTES, Entry};
use crate::wad::kind::{Kind, List, Role};
use crate::wad::name;
use crate::wad::pack::Lump;
use crate::wad::record::model::{ModelLists, ModelRecordV1};
use crate::wad::record::reference::{NamedReference, ReferenceRecordV1};
use crate::wad::record::{Input, value};

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
        value::<ModelRecordV1, _>(Input::new(self.lump.bytes.as_deref()?)).ok()
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
            // Models and skeletons are paired above; levels and sounds have names of their own.
            Role::Model | Role::Required | Role::Level | Role::Sound => continue,
        };
        rename_strays(found, def.kind, &wanted, &mut renamed);
        rename_last(found, def.kind, &wanted, &mut renamed);
    }
    renamed
}

/// The lumps of pixels that the reference images of the models name.
fn images(found: &[Found]) -> Vec<String> {
    let of_kind = found.iter().filter(|one| one.lump.kind == Kind::REFERENCES);
    let lists = of_kind.filter_map(|one| {
        value::<Vec<ReferenceRecordV1>, Vec<NamedReference>>(Input::new(one.lump.bytes.as_deref()?)).ok()
    });
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
    let shown: BTreeSet<String> = of_kind.filter_map(|one| Some(one.lists()?.name)).collect();
    let lumps = Owners::of(found.iter().filter(|one| !one.is_nameless));
    let uses = |name: &String| lumps.count(name).saturating_add(usize::from(shown.contains(name)));
    let uses_of_lone = |these: &[String], those: &[String]| {
        let those: BTreeSet<&String> = those.iter().collect();
        these.iter().filter(|name| !those.contains(name)).map(uses).sum::<usize>()
    };
    if uses_of_lone(&models, &skeletons) < uses_of_lone(&skeletons, &models) {
        rename_strays(found, Kind::MODEL, &skeletons, renamed)
    } else {
        rename_strays(found, Kind::SKELETON, &models, renamed)
    }
}

/// The lump name of the model that a lump belongs to.
fn owner(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

/// How many lumps belong to each model.
struct Owners(BTreeMap<String, usize>);

impl Owners {
    fn of<'a>(found: impl Iterator<Item = &'a Found>) -> Owners {
        let mut owners = Owners(BTreeMap::new());
        found.for_each(|one| owners.add(&one.lump.name));
        owners
    }

    fn add(&mut self, name: &str) {
        let count = self.0.entry(owner(name).to_owned()).or_default();
        *count = count.saturating_add(1);
    }

    fn remove(&mut self, name: &str) {
        if let Some(count) = self.0.get_mut(owner(name)) {
            *count = count.saturating_sub(1);
        }
    }

    fn count(&self, owner: &str) -> usize {
        self.0.get(owner).copied().unwrap_or(0)
    }

    /// Whether `wanted` may be the name of a lump, damaged: no other lump is of its model, or it is of the same model.
    fn may_be(&self, one: &Found, wanted: &str) -> bool {
        let of = owner(&one.lump.name);
        one.is_nameless || of == owner(wanted) || self.count(of) <= 1
    }
}

/// Lumps of a kind whose names no model refers to, and names that models refer to without a lump.
fn strays_and_missing(found: &[Found], kind: Kind, wanted: &[String]) -> (Vec<usize>, Vec<String>) {
    let listed: BTreeSet<&String> = wanted.iter().collect();
    let of_kind = || found.iter().enumerate().filter(|(_, one)| one.lump.kind == kind);
    let there: BTreeSet<&String> = of_kind().map(|(_, one)| &one.lump.name).collect();
    let strays = of_kind().filter(|(_, one)| !listed.contains(&one.lump.name)).map(|(at, _)| at);
    (strays.collect(), wanted.iter().filter(|name| !there.contains(name)).cloned().collect())
}

/// The maximum number of pairs of a lump and a name that are compared for one kind. More are damaged beyond what names tell.
const MAX_COMPARED: usize = 1 << 24;

/// Gives each stray the likely name, if there is exactly one.
fn rename_strays(found: &mut [Found], kind: Kind, wanted: &[String], renamed: &mut Vec<String>) {
    let (strays, mut missing) = strays_and_missing(found, kind, wanted);
    if strays.len().saturating_mul(missing.len()) > MAX_COMPARED {
        return;
    }
    let mut owners = Owners::of(found.iter());
    for at in strays {
        let Some(one) = found.get(at) else { continue };
        let near = missing.iter().enumerate().filter(|(_, name)| one.is_likely(name) && owners.may_be(one, name));
        let mut near: Vec<(usize, usize)> = near.map(|(number, name)| (one.damage(name), number)).collect();
        near.sort_unstable();
        let nearest = match near.as_slice() {
            [(damage, _), (next, _), ..] if damage == next => continue,
            [(_, number), ..] => missing.remove(*number),
            [] => continue,
        };
        owners.remove(&one.lump.name);
        owners.add(&nearest);
        rename(found, at, &nearest, renamed);
        // Models may list a name twice.
        missing.retain(|name| *name != nearest);
    }
}

/// A single stray and a single missing name belong together, whatever the damage.
fn rename_last(found: &mut [Found], kind: Kind, wanted: &[String], renamed: &mut Vec<String>) {
    let (strays, missing) = strays_and_missing(found, kind, wanted);
    if let ([at], [name]) = (strays.as_slice(), missing.as_slice())
        && found.get(*at).is_some_and(|one| Owners::of(found.iter()).may_be(one, name))
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
