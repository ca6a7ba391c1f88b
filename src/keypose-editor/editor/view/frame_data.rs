//! The figures of the attack on screen, kept until its model or clip changes.

use std::sync::Arc;

use crate::editor::view::Source;
use crate::editor::view::cache::Cache;
use crate::editor::view::caches::Caches;
use crate::editor::view::volumes::chosen_opponent;
use keypose::assets::combat::dummy;
use keypose::assets::combat::frame_data::FrameData;
use keypose::assets::combat::sweep::{self, Sweep};
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;
use keypose::assets::recent::ByAddress;

/// A clip of a model, and what was computed last of its attack.
pub type Attacks<V> = Cache<(ByAddress<Model>, ClipId), V, 2>;

/// The ticks on which an attack hits its opponent, by model, clip, the opponent's model and the bits of its distance.
pub type Bouts = Cache<(ByAddress<Model>, ClipId, ByAddress<Model>, u32), Vec<i64>, 2>;

/// The ways of all volumes that hit in a clip. `None` if it has no hits, or while it is being baked.
pub fn sweeps_of(caches: &Caches, model: &Arc<Model>, id: ClipId) -> Option<Arc<Vec<Sweep>>> {
    let lanes = model.combat.lanes.get(&id).filter(|lanes| !lanes.hits.is_empty())?;
    let baked = caches.bakes.ready(model.clip(id)?, model)?;
    let compute = || Arc::new(sweep::sweeps(model, &baked, lanes));
    Some(caches.sweeps.get((model.into(), id), compute))
}

/// The ticks on which a clip hits the chosen opponent, and its distance in metres. `None` if it has no hits, or while it is being baked.
pub fn ticks_hit(source: Source<'_>, model: &Arc<Model>, id: ClipId) -> Option<(Vec<i64>, f32)> {
    let lanes = model.combat.lanes.get(&id).filter(|lanes| !lanes.hits.is_empty())?;
    let baked = source.caches.bakes.ready(model.clip(id)?, model)?;
    let opponent = chosen_opponent(source, model, id);
    let key = (model.into(), id, (&opponent.draw.model).into(), opponent.metres.to_bits());
    let compute = || {
        let fit = source.caches.root_speeds.fit(model);
        dummy::ticks_hit(model, &fit, &baked, lanes, &opponent.targets())
    };
    Some((source.caches.ticks_hit.get(key, compute), opponent.metres))
}

/// The figures of a clip of a model. `None` if it has no lanes, or while it is being baked.
pub fn frame_data(caches: &Caches, model: &Arc<Model>, id: ClipId) -> Option<FrameData> {
    let lanes = model.combat.lanes.get(&id)?;
    let baked = caches.bakes.ready(model.clip(id)?, model)?;
    let compute = || FrameData::fitted(model, &caches.root_speeds.fit(model), &baked, lanes);
    Some(caches.frame_data.get((model.into(), id), compute))
}
