//! Names that a damaged directory has wrong: told again from what the models refer to.

use crate::wad::directory::{ENTRY_BYTES, Entry};
use crate::wad::kind::Kind;
use crate::wad::name;
use crate::wad::pack::Lump;
use crate::wad::record::model::{self, ModelLists};
use crate::wad::record::reference;

/// A whole lump, with the bytes where its name stands: as they are, damaged or not.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub lump: Lump,
    field: Vec<u8>,
    /// The name can't be read; the lump has a stand-in.
    pub is_nameless: bool,
}

/// Where the length of the name stands in an entry; the name follows.
const NAME_AT: usize = 48;
/// So many bytes of a name may be other than they should be.
const MAX_DAMAGED: usize = 8;

impl Found {
    pub fn new(lump: Lump, chunk: &[u8], is_nameless: bool) -> Found {
        let field = chunk.get(NAME_AT.saturating_add(1)..).unwrap_or_default().to_vec();
        Found { lump, field, is_nameless }
    }

    /// How many bytes of the name in the directory are not those of this one.
    fn damage(&self, wanted: &str) -> usize {
        let wanted = wanted.bytes().chain(std::iter::repeat(0)).take(name::MAX_BYTES);
        self.field.iter().zip(wanted).filter(|(found, wanted)| **found != *wanted).count()
    }

    /// True where so few bytes are other that it can hardly be another name.
    fn is_near(&self, wanted: &str) -> bool {
        let damage = self.damage(wanted);
        damage <= MAX_DAMAGED && damage.saturating_mul(3) <= wanted.len().max(3)
    }

    fn is(&self, kind: Kind, name: &str) -> bool {
        self.lump.kind == kind && self.lump.name == name
    }
}

/// The entry of a directory whose name can't be read, with a stand-in for it.
pub(super) fn nameless(chunk: &[u8], number: usize) -> Option<Entry> {
    let stand_in = format!("lost/{number}");
    let mut bytes = chunk.get(..NAME_AT)?.to_vec();
    bytes.push(u8::try_from(stand_in.len()).ok()?);
    bytes.extend(stand_in.into_bytes());
    bytes.resize(ENTRY_BYTES, 0);
    Entry::read(&bytes).ok()
}

/// Gives lumps the names by which the models know them. What was renamed comes back, a sentence each.
pub(super) fn tell_again(found: &mut [Found]) -> Vec<String> {
    let mut told = Vec::new();
    pair_models(found, &mut told);
    let models: Vec<(String, ModelLists)> = found
        .iter()
        .filter(|one| one.lump.kind == Kind::MODEL)
        .filter_map(|one| Some((one.lump.name.clone(), model::read(one.lump.bytes.as_deref()?).ok()?)))
        .collect();
    let lists = |of: fn(&ModelLists) -> Vec<String>| models.iter().flat_map(|(_, lists)| of(lists)).collect::<Vec<_>>();
    let clips = lists(|lists| lists.clips.clone());
    let wanted = [
        (Kind::REFERENCE_IMAGE, images(found)),
        (Kind::SKIN, lists(|lists| lists.skins.clone())),
        (Kind::MESH, lists(|lists| lists.meshes.iter().map(|(lump, _)| lump.clone()).collect())),
        (Kind::MATERIAL, lists(|lists| lists.materials.clone())),
        (Kind::TEXTURE, lists(|lists| lists.textures.clone())),
        (Kind::CLIP, clips.clone()),
        (Kind::BAKED, clips),
    ];
    for (kind, names) in &wanted {
        rename_strays(found, *kind, names, &mut told);
        rename_the_last(found, *kind, names, &mut told);
    }
    let owners: Vec<String> = models.into_iter().map(|(owner, _)| owner).collect();
    for kind in Kind::SINGLES {
        rename_strays(found, kind, &owners, &mut told);
    }
    told
}

/// The lumps of pixels that the models' reference images name.
fn images(found: &[Found]) -> Vec<String> {
    let of_kind = found.iter().filter(|one| one.lump.kind == Kind::REFERENCES);
    let lists = of_kind.filter_map(|one| reference::read(one.lump.bytes.as_deref()?).ok());
    lists.flatten().map(|one| one.lump).collect()
}

/// A model and its skeleton have one name: where they differ, the one that more lumps have, or the model itself
/// shows, is right.
fn pair_models(found: &mut [Found], told: &mut Vec<String>) {
    let names = |kind| {
        let of_kind = found.iter().filter(move |one| one.lump.kind == kind);
        of_kind.map(|one| one.lump.name.clone()).collect::<Vec<_>>()
    };
    let (models, skeletons) = (names(Kind::MODEL), names(Kind::SKELETON));
    let says = |one: &Found| model::read(one.lump.bytes.as_deref()?).ok().map(|lists| lists.name);
    let of_kind = found.iter().filter(|one| one.lump.kind == Kind::MODEL);
    let shown: Vec<String> = of_kind.filter_map(says).collect();
    let is_of = |one: &Found, name: &String| !one.is_nameless && owner(&one.lump.name) == name;
    let uses = |name: &String| {
        let lumps = found.iter().filter(|one| is_of(one, name)).count();
        lumps.saturating_add(usize::from(shown.contains(name)))
    };
    let uses_of_lone =
        |these: &[String], those: &[String]| these.iter().filter(|name| !those.contains(name)).map(uses).sum::<usize>();
    match uses_of_lone(&models, &skeletons) < uses_of_lone(&skeletons, &models) {
        true => rename_strays(found, Kind::MODEL, &skeletons, told),
        false => rename_strays(found, Kind::SKELETON, &models, told),
    }
}

/// The model that a lump belongs to, by its name.
fn owner(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

/// True where the name may be a damaged one: nothing else is of its model, or it is of the same model.
fn may_be(found: &[Found], at: usize, wanted: &str) -> bool {
    let Some(one) = found.get(at) else { return false };
    let of = owner(&one.lump.name);
    let has_company = || found.iter().enumerate().any(|(other, two)| other != at && owner(&two.lump.name) == of);
    one.is_nameless || of == owner(wanted) || !has_company()
}

/// Lumps of a kind whose names nobody knows, and names that are wanted and not there.
fn strays_and_missing(found: &[Found], kind: Kind, wanted: &[String]) -> (Vec<usize>, Vec<String>) {
    let is_stray = |one: &Found| one.lump.kind == kind && !wanted.contains(&one.lump.name);
    let strays = found.iter().enumerate().filter(|(_, one)| is_stray(one)).map(|(at, _)| at);
    let missing = wanted.iter().filter(|name| !found.iter().any(|other| other.is(kind, name)));
    (strays.collect(), missing.cloned().collect())
}

/// Every stray takes the name that it is near to, where that is one alone.
fn rename_strays(found: &mut [Found], kind: Kind, wanted: &[String], told: &mut Vec<String>) {
    for at in strays_and_missing(found, kind, wanted).0 {
        let missing = strays_and_missing(found, kind, wanted).1;
        let near = |name: &&String| found.get(at).is_some_and(|one| one.is_near(name)) && may_be(found, at, name);
        let damage = |name: &&String| found.get(at).map_or(usize::MAX, |one| one.damage(name));
        let mut near: Vec<&String> = missing.iter().filter(near).collect();
        near.sort_by_key(damage);
        match near.as_slice() {
            [nearest, next, ..] if damage(nearest) == damage(next) => {}
            [nearest, ..] => rename(found, at, nearest, told),
            [] => {}
        }
    }
}

/// One stray and one name that is missing belong together, however much of the name is damaged.
fn rename_the_last(found: &mut [Found], kind: Kind, wanted: &[String], told: &mut Vec<String>) {
    let (strays, missing) = strays_and_missing(found, kind, wanted);
    if let ([at], [name]) = (strays.as_slice(), missing.as_slice())
        && may_be(found, *at, name)
    {
        rename(found, *at, name, told);
    }
}

fn rename(found: &mut [Found], at: usize, name: &str, told: &mut Vec<String>) {
    if let Some(one) = found.get_mut(at) {
        let kind = one.lump.kind;
        told.push(format!("the name of the lump {kind}/{name} is damaged in the directory; a model tells it"));
        (one.lump.name, one.is_nameless) = (name.to_owned(), false);
    }
}
