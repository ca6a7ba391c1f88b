//! The differences between two projects by content (clips with durations and keys, bones, meshes), not by bytes.

mod bones;
mod clips;
mod combat;
mod machine;
mod notes;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::anim::scalar::Scalar;
use crate::anim::skeleton::{Bone, Skeleton};
use crate::anim::skin::Skin;
use crate::assets::draft::Draft;
use crate::assets::level::Level;
use crate::assets::level::thing::{Thing, ThingKind};
use crate::assets::material::Material;
use crate::assets::mesh::Mesh;
use crate::assets::model::{Model, Visibility};
use crate::assets::project::Project;
use crate::assets::sound::Sound;
use crate::assets::texture::Texture;
use crate::wad::equality::is_same_content;

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Only in the second.
    Added,
    /// Only in the first.
    Removed,
    /// In both, with different content.
    Changed,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Added, removed or changed.
    pub sign: Sign,
    /// The value, such as "clip knight/walk".
    pub place: String,
    /// A description of the value or of the changes.
    pub details: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.sign {
            Sign::Added => '+',
            Sign::Removed => '-',
            Sign::Changed => '~',
        };
        write!(f, "{sign} {}", self.place)?;
        if self.details.is_empty() { Ok(()) } else { write!(f, ": {}", self.details.join("; ")) }
    }
}

/// All differences, in a fixed order. Empty if both have the same content; the order of lists counts.
pub fn diff(before: &Project, after: &Project) -> Vec<Difference> {
    let mut out = Differences::default();
    let name: fn(&Model) -> &str = |model| &model.name;
    out.list("models", &names(&before.models, name), &names(&after.models, name));
    for (name, pair) in pairs(&before.models, &after.models, name) {
        out.part("model", name, pair, describe_model, |_, _| Vec::new());
        if let (Some(a), Some(b)) = pair {
            out.model(a, b);
            out.found.extend(notes::compare((before, a), (after, b)));
        }
    }
    let name: fn(&Level) -> &str = |level| &level.name;
    out.list("levels", &names(&before.levels, name), &names(&after.levels, name));
    for (name, pair) in pairs(&before.levels, &after.levels, name) {
        out.part("level", name, pair, describe_level, level_changes);
    }
    for (name, pair) in pairs(&before.sounds, &after.sounds, |sound| &sound.name) {
        out.part("sound", name, pair, describe_sound, sound_changes);
    }
    let title = |kind: [u8; 4], name: &str| format!("{}/{name}", kind.escape_ascii());
    let unknown = |project: &Project| -> BTreeMap<String, Vec<u8>> {
        project.unknown.iter().map(|lump| (title(lump.kind, &lump.name), lump.bytes.to_vec())).collect()
    };
    let (old, new) = (unknown(before), unknown(after));
    for (name, pair) in paired(old.iter().map(|(a, b)| (&**a, b)), new.iter().map(|(a, b)| (&**a, b))) {
        let bytes = |bytes: &Vec<u8>| vec![format!("{} bytes", bytes.len())];
        out.part("lump", name, pair, bytes, |a, b| changed(a == b, "bytes changed"));
    }
    // Parts are paired by name; several of one name hide each other.
    if out.found.is_empty() && !is_same_content(before, after) {
        out.add(Sign::Changed, "archive".into(), vec!["parts that have the same name as others changed".into()]);
    }
    out.found
}

fn names<T>(list: &[Arc<T>], name: fn(&T) -> &str) -> Vec<String> {
    list.iter().map(|part| name(part).to_owned()).collect()
}

/// Values by name: that of the first list and that of the second.
type Pairs<'a, T> = BTreeMap<&'a str, (Option<&'a T>, Option<&'a T>)>;

fn pairs<'a, T>(before: &'a [Arc<T>], after: &'a [Arc<T>], name: fn(&T) -> &str) -> Pairs<'a, T> {
    let by_name = |list: &'a [Arc<T>]| list.iter().map(move |part| (name(part), &**part));
    paired(by_name(before), by_name(after))
}

/// Pairs the values of two lists by name.
fn paired<'a, T>(
    before: impl Iterator<Item = (&'a str, &'a T)>,
    after: impl Iterator<Item = (&'a str, &'a T)>,
) -> Pairs<'a, T> {
    let mut pairs = Pairs::new();
    before.for_each(|(name, part)| pairs.entry(name).or_default().0 = Some(part));
    after.for_each(|(name, part)| pairs.entry(name).or_default().1 = Some(part));
    pairs
}

fn changed(is_same: bool, what: &str) -> Vec<String> {
    if is_same { Vec::new() } else { vec![what.to_owned()] }
}

#[derive(Default)]
struct Differences {
    found: Vec<Difference>,
}

impl Differences {
    fn add(&mut self, sign: Sign, place: String, details: Vec<String>) {
        self.found.push(Difference { sign, place, details });
    }

    fn part<T>(
        &mut self,
        kind: &str,
        name: &str,
        pair: (Option<&T>, Option<&T>),
        describe: impl Fn(&T) -> Vec<String>,
        compare: impl Fn(&T, &T) -> Vec<String>,
    ) {
        let place = format!("{kind} {name}");
        match pair {
            (None, Some(new)) => self.add(Sign::Added, place, describe(new)),
            (Some(old), None) => self.add(Sign::Removed, place, describe(old)),
            (Some(old), Some(new)) => {
                let details = compare(old, new);
                if !details.is_empty() {
                    self.add(Sign::Changed, place, details);
                }
            }
            (None, None) => {}
        }
    }

    /// Reports a different order of two lists with the same members.
    fn list(&mut self, what: &str, before: &[String], after: &[String]) {
        let sorted = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort();
            names
        };
        if before != after && sorted(before) == sorted(after) {
            self.add(Sign::Changed, what.to_owned(), vec!["order changed".into()]);
        }
    }

    fn model(&mut self, a: &Model, b: &Model) {
        let place = |name: &str| format!("{}/{name}", a.name);
        let skeletons = (Some(&*a.skeleton), Some(&*b.skeleton));
        self.part("skeleton", &a.name, skeletons, |_| Vec::new(), compare_skeletons);
        let renumbered = bones::renumbered(b, &a.skeleton);
        let b: &Model = &renumbered;
        macro_rules! parts {
            ($kind:literal, $list:ident, $part:expr, $describe:expr, $compare:expr) => {{
                let named = |model: &Model| model.$list.iter().map($part).collect::<Vec<_>>();
                let (old, new) = (named(a), named(b));
                let names = |parts: &[(String, _)]| parts.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
                self.list(&place($kind), &names(&old), &names(&new));
                let old = old.iter().map(|(name, part)| (&**name, &**part));
                let new = new.iter().map(|(name, part)| (&**name, &**part));
                for (name, pair) in paired(old, new) {
                    self.part($kind, &place(name), pair, $describe, $compare);
                }
            }};
        }
        parts!("clip", clips, |slot| (slot.clip.name.clone(), slot.clip.clone()), clips::describe, clips::compare);
        parts!("mesh", meshes, |slot| (slot.mesh.name.clone(), slot.mesh.clone()), describe_mesh, compare_meshes);
        parts!("skin", skins, |part| (part.name.clone(), part.clone()), describe_skin, |a, b| {
            changed(a == b, "joints or inverse bind matrices changed")
        });
        parts!("material", materials, |part| (part.name.clone(), part.clone()), describe_material, |a, b| {
            changed(a == b, "settings changed")
        });
        parts!("texture", textures, |part| (part.name.clone(), part.clone()), describe_texture, |a, b| {
            changed(a == b, "pixels or size changed")
        });
        let mut details = changed(have_same_visibilities(a, b), "mesh visibility changed");
        details.extend(changed(a.sockets == b.sockets, "sockets changed"));
        if a.skinning != b.skinning {
            details.push(format!("skinning {} → {}", a.skinning.name(), b.skinning.name()));
        }
        if a.samples != b.samples {
            details.push(format!("samples {} → {}", a.samples.name(), b.samples.name()));
        }
        details.extend(machine::compare(&a.machine, &b.machine));
        details.extend(combat::compare(a, b));
        details.extend(changed(bones::have_same_source(a, b), "source changed"));
        details.extend(changed(a.import_options == b.import_options, "import options changed"));
        details.extend(changed(a.sprites == b.sprites, "sprite recipe changed"));
        details.extend(changed(a.poses == b.poses, "pose library changed"));
        let (groups, mirror) = (a.rig.groups == b.rig.groups, a.rig.mirror == b.rig.mirror);
        details.extend(changed(groups && mirror, "bone groups or mirror pairs changed"));
        details.extend(changed(a.rig.orders == b.rig.orders, "Euler orders changed"));
        let (limits, chains) = (a.rig.limits == b.rig.limits, a.rig.chains == b.rig.chains);
        details.extend(changed(limits && chains, "joint limits or IK chains changed"));
        details.extend(changed(a.rig.springs == b.rig.springs, "springs changed"));
        let (masses, gravity) = (a.rig.masses == b.rig.masses, a.rig.gravity == b.rig.gravity);
        details.extend(changed(masses && gravity, "masses or gravity changed"));
        details.extend(changed(a.rig.humanoid == b.rig.humanoid, "humanoid changed"));
        details.extend(changed(a.rig.bone_map == b.rig.bone_map, "bone map changed"));
        details.extend(changed(a.references == b.references, "reference images changed"));
        details.extend(changed(drafts(a) == drafts(b), "draft poses changed"));
        if !details.is_empty() {
            self.add(Sign::Changed, format!("model {}", a.name), details);
        }
    }
}

/// Whether the meshes that both models have are shown alike.
fn have_same_visibilities(a: &Model, b: &Model) -> bool {
    let visibilities = |model: &Model| -> BTreeMap<String, Visibility> {
        model.meshes.iter().map(|slot| (slot.mesh.name.clone(), slot.visibility)).collect()
    };
    let others = visibilities(b);
    visibilities(a).iter().all(|(name, own)| others.get(name).is_none_or(|other| other == own))
}

fn describe_model(model: &Model) -> Vec<String> {
    let (bones, meshes, clips) = (model.skeleton.len(), model.meshes.len(), model.clips.len());
    vec![format!("{bones} bones, {meshes} meshes, {clips} clips")]
}

fn describe_level(level: &Level) -> Vec<String> {
    vec![format!("{} solids, {} platforms", level.solids.len(), level.platforms.len())]
}

/// "solid: 3 → 4", "coin: 2 changed", and what a level has besides things.
fn level_changes(a: &Level, b: &Level) -> Vec<String> {
    let things = |level: &Level, kind| -> Vec<Thing> {
        level.things().filter(|(at, _)| at.kind == kind).map(|(_, thing)| thing).collect()
    };
    let of_kind = |kind: ThingKind| {
        let (old, new) = (things(a, kind), things(b, kind));
        if old.len() == new.len() {
            let count = old.iter().zip(&new).filter(|(old, new)| old != new).count();
            (count > 0).then(|| format!("{}: {count} changed", kind.name()))
        } else {
            Some(format!("{}: {} → {}", kind.name(), old.len(), new.len()))
        }
    };
    let mut lines: Vec<String> = ThingKind::ALL.into_iter().filter_map(of_kind).collect();
    lines.extend(changed(a.player == b.player, "the player's model changed"));
    lines.extend(changed(a.look == b.look, "colours changed"));
    lines.extend(changed(a.kinds == b.kinds, "kinds of foes changed"));
    lines
}

fn describe_sound(sound: &Sound) -> Vec<String> {
    let channels = if sound.channels == 1 { "mono" } else { "stereo" };
    vec![format!("{:.2} s, {} Hz, {channels}", sound.secs(), sound.rate)]
}

fn sound_changes(a: &Sound, b: &Sound) -> Vec<String> {
    let mut lines = match (describe_sound(a).concat(), describe_sound(b).concat()) {
        (old, new) if old != new => vec![format!("{old} → {new}")],
        _ => changed(a.samples == b.samples, "samples changed"),
    };
    if a.volume != b.volume {
        lines.push(format!("volume {} → {}", a.volume, b.volume));
    }
    lines.extend(changed(a.repeat == b.repeat, "repeat changed"));
    lines
}

fn describe_mesh(mesh: &Mesh) -> Vec<String> {
    vec![format!("{} vertices, {} triangles", mesh.positions.len(), mesh.indices.len() / 3)]
}

fn describe_skin(skin: &Skin) -> Vec<String> {
    vec![format!("{} joints", skin.joints.len())]
}

fn describe_material(material: &Material) -> Vec<String> {
    let Material { base_color, emissive, metallic, roughness, .. } = material;
    vec![format!("base colour {base_color:?}, emission {emissive:?}, metalness {metallic}, roughness {roughness}")]
}

fn describe_texture(texture: &Texture) -> Vec<String> {
    vec![format!("{} x {}", texture.width, texture.height)]
}

fn compare_scalars(a: &Skeleton, b: &Skeleton) -> Vec<String> {
    let kind = |scalar: &Scalar| scalar.kind.name();
    let named = |of: &Skeleton, from: &Skeleton, scalar: &Scalar| {
        let bone = of.find(&from.get(scalar.bone)?.name)?;
        of.scalar(of.find_scalar(bone, &scalar.name)?).cloned()
    };
    let new = b.scalars().iter().filter(|scalar| named(a, b, scalar).is_none());
    let mut details: Vec<String> = new.map(|scalar| format!("{} {} added", kind(scalar), scalar.name)).collect();
    for scalar in a.scalars() {
        let (kind, name) = (kind(scalar), &scalar.name);
        let Some(other) = named(b, a, scalar) else {
            details.push(format!("{kind} {name} removed"));
            continue;
        };
        details.extend(changed(other.kind == scalar.kind, &format!("kind or sheet of {kind} {name} changed")));
        if other.default != scalar.default {
            details.push(format!("default of {kind} {name}: {} → {}", scalar.default, other.default));
        }
    }
    details
}

fn compare_skeletons(a: &Skeleton, b: &Skeleton) -> Vec<String> {
    let names =
        |skeleton: &Skeleton| -> Vec<String> { skeleton.bones().iter().map(|bone| bone.name.clone()).collect() };
    let (old, new) = (names(a), names(b));
    let mut details = Vec::new();
    details.extend(new.iter().filter(|name| !old.contains(name)).map(|name| format!("bone {name} added")));
    details.extend(old.iter().filter(|name| !new.contains(name)).map(|name| format!("bone {name} removed")));
    let parent = |of: &Skeleton, bone: &Bone| bone.parent.and_then(|at| of.get(at)).map(|parent| parent.name.clone());
    for bone in a.bones() {
        let Some(other) = b.bones().iter().find(|other| other.name == bone.name) else { continue };
        let name = &bone.name;
        details.extend(changed(other.rest == bone.rest, &format!("the rest transform of bone {name} changed")));
        details.extend(changed(parent(b, other) == parent(a, bone), &format!("the parent of bone {name} changed")));
    }
    details.extend(compare_scalars(a, b));
    if details.is_empty() && a != b {
        details.push("order changed".into());
    }
    details
}

fn compare_meshes(a: &Mesh, b: &Mesh) -> Vec<String> {
    if a == b {
        return Vec::new();
    }
    let mut details = Vec::new();
    if (a.positions.len(), a.indices.len()) != (b.positions.len(), b.indices.len()) {
        details.push(format!("{} → {}", describe_mesh(a).concat(), describe_mesh(b).concat()));
    }
    details.extend(changed(a.positions == b.positions, "positions"));
    details.extend(changed(a.indices == b.indices, "triangles"));
    details.extend(changed(a.influences == b.influences, "weights"));
    details.extend(changed(a.morphs == b.morphs, "morph targets"));
    details.extend(changed(a.material == b.material, "material"));
    details.extend(changed(a.binding == b.binding, "binding"));
    if details.is_empty() {
        details.push("normals, texture coordinates or colours".into());
    }
    details
}

/// The drafts with the names of their clips: ids and their order differ between two readings of a file.
fn drafts(model: &Model) -> Vec<Draft<&str>> {
    let name = |id| model.clip(id).map_or("", |clip| clip.name.as_str());
    let named = |draft: &Draft| Draft {
        clip: draft.clip.map(name),
        time: draft.time,
        kind: draft.kind,
        keys: draft.keys.clone(),
    };
    let mut drafts: Vec<_> = model.drafts.iter().map(named).collect();
    drafts.sort_by_key(|draft| (draft.clip, draft.time));
    drafts
}
