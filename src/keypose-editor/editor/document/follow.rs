//! Derived clips: generated again after every edit that changed their source, which may belong to another model.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::editor::document::apply::{clip_place, model_mut, refused};
use crate::editor::document::clips;
use crate::editor::document::edit::EditError;
use crate::editor::ops::derived::derive;
use crate::editor::ops::derived_lanes;
use crate::editor::ops::layered::{Layer, layers_of};
use crate::editor::ops::reversed::Turn;
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::Key;
use keypose::anim::time::Time;
use keypose::assets::clip_notes::{ClipLayer, Derivation, Derived, LayerBlend};
use keypose::assets::combat::{Lanes, Range};
use keypose::assets::id::ClipId;
use keypose::assets::import_options::RestFit;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::{Project, unique_name};
use keypose_tools::retarget::Retarget;
use keypose_tools::standing::Standing;

/// See [`crate::editor::document::edit::ClipEdit::AddDerived`].
pub fn add(project: &mut Project, source: ClipId, how: Derivation) -> Result<(), EditError> {
    let (model, at) = clip_place(project, source)?;
    let owner = model.name.clone();
    check_layer(model, source, how)?;
    let folder = model.clip_notes.get(&source).map(|notes| notes.folder.clone()).unwrap_or_default();
    let model = project.model_named(&owner).ok_or(EditError::NoClip)?;
    insert(project, model, at + 1, Derived { source, how }, folder)
}

/// See [`crate::editor::document::edit::ClipEdit::AddRetargeted`].
pub fn add_retargeted(project: &mut Project, model: usize, source: ClipId) -> Result<(), EditError> {
    let last = project.models.get(model).map_or(0, |model| model.clips.len());
    insert(project, model, last, Derived { source, how: Derivation::Retargeted }, String::new())
}

fn insert(project: &mut Project, model: usize, at: usize, derived: Derived, folder: String) -> Result<(), EditError> {
    let Made { mut clip, lanes } = made(project, model, derived)?;
    let id = project.new_clip_id();
    let model = model_mut(project, model)?;
    clip.name = unique_name(&clip.name, |name| model.clip_named(name).is_some());
    model.clips.insert(at, ClipSlot { id, clip: Arc::new(clip) });
    model.combat_mut().set_lanes(id, lanes);
    model.note(id, |notes| (notes.folder, notes.derived) = (folder, Some(derived)));
    Ok(())
}

/// See [`crate::editor::document::edit::ClipEdit::SetDerived`].
pub fn set(project: &mut Project, id: ClipId, how: Derivation) -> Result<(), EditError> {
    let place = project.models.iter().enumerate().find_map(|(model, one)| Some((model, one.clip_index(id)?)));
    let (model, at) = place.ok_or(EditError::NoClip)?;
    let Some(Derived { source, .. }) = project.models[model].derived(id) else { return Ok(()) };
    check_layer(&project.models[model], source, how)?;
    let Made { clip, lanes } = made(project, model, Derived { source, how })?;
    let model = model_mut(project, model)?;
    let name = model.clips[at].clip.name.clone();
    model.clips[at].clip = Arc::new(Clip { name, ..clip });
    model.combat_mut().set_lanes(id, lanes);
    model.note(id, |notes| notes.derived = Some(Derived { source, how }));
    Ok(())
}

/// A derived clip with its lanes.
struct Made {
    clip: Clip,
    lanes: Lanes,
}

/// Derives a clip for a model.
fn made(project: &Project, model: usize, Derived { source, how }: Derived) -> Result<Made, EditError> {
    let target = project.models.get(model).ok_or(EditError::NoModel { model })?;
    let refused = |reason: String| refused(target, reason);
    how.check().map_err(refused)?;
    let (name, mut made) = match how {
        Derivation::Retargeted => {
            let (owner, clip) = project.owner_of(source).ok_or(EditError::NoClip)?;
            if Arc::ptr_eq(owner, target) {
                return Err(refused("its own clips fit already; choose a clip of another model".into()));
            }
            let [from, to] = Standing::pair(owner, std::iter::once(&**clip), target);
            let retarget = Retarget::new(from.named(), to.named(), RestFit::On);
            let retarget = retarget.ok_or_else(|| refused(format!("none of its bones is a bone of {}", owner.name)))?;
            let lanes = owner.combat.lanes.get(&source).map(|lanes| retarget.lanes(lanes, &target.combat));
            let clip_of_target = to.with_stand(retarget.clip(&from.with_rest(clip)).clip);
            (&clip.name, Made { clip: clip_of_target, lanes: lanes.unwrap_or_default() })
        }
        Derivation::Mirrored
        | Derivation::Reversed
        | Derivation::Retimed(_)
        | Derivation::Trimmed(..)
        | Derivation::Layered(_) => {
            let clip = target.clip(source).ok_or(EditError::NoClip)?;
            let mut made = Made { clip: derive(clip, target, how), lanes: lanes(target, source, clip, how) };
            if how.layer().is_some() {
                made.clip.name = format!("{} layered", name_under_layers(target, source));
            }
            (&clip.name, made)
        }
    };
    keypose::anim::tangent::resolve_tangents(&mut made.clip);
    made.clip.check().map_err(|reason| EditError::Clip { clip: name.clone(), reason })?;
    made.lanes.check().map_err(refused)?;
    Ok(made)
}

fn lanes(model: &Model, source: ClipId, clip: &Clip, how: Derivation) -> Lanes {
    let lanes = model.combat.lanes.get(&source);
    lanes.map(|lanes| derived_lanes::derive(lanes, model, how, Turn::of(clip))).unwrap_or_default()
}

/// The name of the clip under the layers of a clip: "walk" of "walk layered".
fn name_under_layers(model: &Model, clip: ClipId) -> &str {
    model.clip(layers_of(model, clip).1).map_or("", |clip| &clip.name)
}

/// Fails if the layer isn't another clip of the model with keys of its own: so layers have no circles.
fn check_layer(model: &Model, source: ClipId, how: Derivation) -> Result<(), EditError> {
    let Some(layer) = how.layer() else { return Ok(()) };
    let at = model.clip_index(layer.clip).ok_or(EditError::NoClip)?;
    if layer.clip == source {
        return Err(refused(model, "a clip can't be a layer over itself"));
    }
    require_free(model, at)
}

/// See [`crate::editor::document::edit::ClipEdit::AddLayer`].
pub fn add_layer(project: &mut Project, source: ClipId, blend: LayerBlend) -> Result<(), EditError> {
    let (model, at) = clip_place(project, source)?;
    let (owner, under) = (model.name.clone(), &model.clips[at].clip);
    let name = format!("{} layer", name_under_layers(model, source));
    let keyframes = vec![Keyframe { duration: under.length(), ..Keyframe::default() }].into();
    let layer = Clip { frame_rate: under.frame_rate, loop_mode: under.loop_mode, keyframes, ..Clip::new(name) };
    let model = project.model_named(&owner).ok_or(EditError::NoClip)?;
    clips::add(project, model, at + 1, &layer, &[])?;
    let id = project.models[model].clips[at + 1].id;
    add(project, source, Derivation::Layered(ClipLayer::new(id, blend)))
}

/// Fails if a clip is derived and channels can't be posed at a time either. Those that a layer changes can: it gets the difference.
pub fn require_posable(model: &Model, at: usize, time: Time, keys: &[Key]) -> Result<(), EditError> {
    let Some(layer) = model.clips.get(at).and_then(|slot| Layer::posed(model, slot.id)) else {
        return require_free(model, at);
    };
    let refused = |reason| EditError::Layer { layer: layer.over.name.clone(), reason };
    keys.iter().try_for_each(|key| layer.require_seen(key.address(), time).map_err(refused))
}

/// Fails if a clip is derived: it can't be edited directly.
pub fn require_free(model: &Model, at: usize) -> Result<(), EditError> {
    let Some(slot) = model.clips.get(at) else { return Ok(()) };
    let Some(Derived { source, .. }) = model.derived(slot.id) else { return Ok(()) };
    let leader = model.clip(source).map_or_else(|| "a clip of another model".to_owned(), |clip| clip.name.clone());
    Err(EditError::Follows { clip: slot.clip.name.clone(), leader })
}

/// A derived clip that may have to be generated again.
#[derive(Clone, Copy)]
struct Follower {
    model: usize,
    clip: ClipId,
    derived: Derived,
}

impl Follower {
    /// The clips that it is made from.
    fn clips(&self) -> impl Iterator<Item = ClipId> + use<> {
        [self.derived.source].into_iter().chain(self.derived.how.layer().map(|layer| layer.clip))
    }
}

/// Generates every derived clip again whose source changed. One whose source is gone is unlocked.
pub fn follow(project: &mut Project, before: &Project) -> Result<(), EditError> {
    let waiting = unlock_lost(project);
    if waiting.is_empty() {
        return Ok(());
    }
    let mut changed = Changed::of(project, before);
    for one in in_order(waiting) {
        if changed.affects(project, &one) && remake(project, one)? {
            changed.clips.insert(one.clip);
        }
    }
    Ok(())
}

/// The derived clips, after those whose source is gone were unlocked.
fn unlock_lost(project: &mut Project) -> Vec<Follower> {
    let sources: BTreeSet<ClipId> = project.models.iter().flat_map(|model| &model.clips).map(|slot| slot.id).collect();
    let is_lost = |one: &Follower| !one.clips().all(|clip| sources.contains(&clip));
    let (lost, kept): (Vec<_>, Vec<_>) = followers(project).into_iter().partition(is_lost);
    for one in lost {
        Arc::make_mut(&mut project.models[one.model]).note(one.clip, |notes| notes.derived = None);
    }
    kept
}

/// Moves the parts of a clip that are clips of their own along with its keyframes. A part that is gone keeps its keys and follows no more.
pub fn retime_parts(model: &mut Model, clip: ClipId, map: impl Fn(Range) -> Option<Range>) {
    let part = |derived: Derived| match derived.how {
        Derivation::Trimmed(start, end) if derived.source == clip => Some(map(Range { start, end })),
        _ => None,
    };
    let parts: Vec<(ClipId, Option<Range>)> =
        model.clip_notes.iter().filter_map(|(id, notes)| Some((*id, part(notes.derived?)?))).collect();
    for (id, range) in parts {
        let how = range.map(|Range { start, end }| Derivation::Trimmed(start, end));
        model.note(id, |notes| notes.derived = how.map(|how| Derived { source: clip, how }));
    }
}

/// The followers, each behind those that it is made from (Kahn 1962, "Topological sorting of large networks"). Malformed files may contain
/// cycles; those come last.
fn in_order(followers: Vec<Follower>) -> Vec<Follower> {
    let places: BTreeMap<ClipId, usize> = followers.iter().zip(0..).map(|(one, at)| (one.clip, at)).collect();
    let sources = |one: &Follower| one.clips().filter_map(|clip| places.get(&clip).copied()).collect::<Vec<usize>>();
    let mut made_from_it = vec![Vec::new(); followers.len()];
    let mut missing = vec![0; followers.len()];
    for (at, one) in followers.iter().enumerate() {
        for source in sources(one) {
            made_from_it[source].push(at);
            missing[at] += 1;
        }
    }
    let mut order: Vec<usize> = (0..followers.len()).filter(|at| missing[*at] == 0).collect();
    let mut next = 0;
    while let Some(source) = order.get(next) {
        next += 1;
        for at in made_from_it[*source].clone() {
            missing[at] -= 1;
            if missing[at] == 0 {
                order.push(at);
            }
        }
    }
    order.extend((0..followers.len()).filter(|at| missing[*at] > 0));
    order.into_iter().map(|at| followers[at]).collect()
}

/// Generates the derived clips of a project again, but those that are as they were made: of archives that were put together, a clip may be
/// newer than what is derived from it. One that can't be generated keeps its keys; there is a finding for it.
pub fn generate_again(project: &mut Project, as_made: &BTreeSet<ClipId>) -> Vec<String> {
    let (mut findings, mut remade) = (Vec::new(), BTreeSet::new());
    for one in in_order(unlock_lost(project)) {
        if as_made.contains(&one.clip) && !one.clips().any(|clip| remade.contains(&clip)) {
            continue;
        }
        let Some(clip) = project.models[one.model].clip(one.clip).map(|clip| clip.name.clone()) else { continue };
        match remake(project, one) {
            Ok(true) => drop(remade.insert(one.clip)),
            Ok(false) => {}
            Err(error) => findings.push(format!("clip {clip} can't be generated again, so it keeps its keys: {error}")),
        }
    }
    findings
}

fn followers(project: &Project) -> Vec<Follower> {
    let of_model = |(model, one): (usize, &Arc<Model>)| {
        let derived = one.clip_notes.iter().filter_map(|(clip, notes)| Some((*clip, notes.derived?)));
        derived.map(|(clip, derived)| Follower { model, clip, derived }).collect::<Vec<_>>()
    };
    project.models.iter().enumerate().flat_map(of_model).collect()
}

/// Generates a clip again. Returns whether it is another one now.
fn remake(project: &mut Project, Follower { model, clip: id, derived }: Follower) -> Result<bool, EditError> {
    let made = match made(project, model, derived) {
        // Another skeleton came in by a re-import: what can't be made again stays as it is.
        Err(EditError::Model { .. }) if derived.how == Derivation::Retargeted => return Ok(false),
        made => made?,
    };
    let target = &project.models[model];
    let Some(place) = target.clip_index(id) else { return Ok(false) };
    let clip = Clip { name: target.clips[place].clip.name.clone(), ..made.clip };
    let has_other_lanes = made.lanes != target.combat.lanes_of(id);
    let has_other_keys = *target.clips[place].clip != clip;
    if has_other_lanes {
        model_mut(project, model)?.combat_mut().set_lanes(id, made.lanes);
    }
    if has_other_keys {
        model_mut(project, model)?.clips[place].clip = Arc::new(clip);
    }
    Ok(has_other_keys || has_other_lanes)
}

/// The clips and models that an edit changed.
struct Changed {
    /// Clips with other keys, lanes or masks.
    clips: BTreeSet<ClipId>,
    /// For each model, whether its skeleton, the notes about it or its hurt volumes are new.
    rigs: Vec<bool>,
}

impl Changed {
    fn of(project: &Project, before: &Project) -> Changed {
        let mut clips = BTreeSet::new();
        let rigs = project.models.iter().map(|model| {
            if before.models.iter().any(|old| Arc::ptr_eq(old, model)) {
                return false;
            }
            let first = model.clips.first();
            let old = before.models.iter().find(|old| first.is_some_and(|slot| old.clip(slot.id).is_some()));
            clips.extend(changed_clips(model, old));
            old.is_some_and(|old| {
                let is_same_rig = Arc::ptr_eq(&old.skeleton, &model.skeleton) && old.rig == model.rig;
                !is_same_rig || old.skins != model.skins || old.combat.hurt != model.combat.hurt
            })
        });
        let rigs = rigs.collect();
        Changed { clips, rigs }
    }

    /// Whether a derived clip has to be made again.
    fn affects(&self, project: &Project, follower: &Follower) -> bool {
        let Follower { model, derived, .. } = follower;
        let is_new = |at: usize| self.rigs.get(at).copied().unwrap_or_default();
        let of_source = || project.models.iter().position(|one| one.clip(derived.source).is_some());
        let has_new_rig = match derived.how {
            Derivation::Mirrored | Derivation::Layered(_) => is_new(*model),
            Derivation::Retargeted => is_new(*model) || of_source().is_some_and(is_new),
            Derivation::Reversed | Derivation::Retimed(_) | Derivation::Trimmed(..) => false,
        };
        has_new_rig || follower.clips().any(|clip| self.clips.contains(&clip))
    }
}

/// The clips with other keys, lanes or masks than before.
fn changed_clips(model: &Model, before: Option<&Arc<Model>>) -> Vec<ClipId> {
    let slots = before.iter().flat_map(|old| &old.clips);
    let old: BTreeMap<ClipId, &Arc<Clip>> = slots.map(|slot| (slot.id, &slot.clip)).collect();
    let is_other = |slot: &&ClipSlot| {
        old.get(&slot.id).is_none_or(|clip| !Arc::ptr_eq(clip, &slot.clip))
            || before.is_some_and(|old| {
                old.combat.lanes.get(&slot.id) != model.combat.lanes.get(&slot.id)
                    || old.mask(slot.id) != model.mask(slot.id)
            })
    };
    model.clips.iter().filter(is_other).map(|slot| slot.id).collect()
}
