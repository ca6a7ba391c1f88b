//! Derived clips of archives that are put together: a patch, a lump or a model may change what another archive's clips are made from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use keypose::anim::clip::Clip;
use keypose::anim::skeleton::Skeleton;
use keypose::assets::clip_notes::Derivation;
use keypose::assets::combat::{Combat, Lanes};
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose::assets::rig_notes::RigNotes;
use keypose::wad::archive::Archive;
use keypose::wad::error::WadError;
use keypose::wad::kind::Kind;
use keypose::wad::overlay;
use keypose_editor::editor::document::follow::generate_again;

/// A derived clip of archives that are put together.
struct Derived {
    model: usize,
    slot: ClipSlot,
    /// The archive that its keys come from.
    keys: usize,
    /// The archive that its hits come from, if it has any.
    hits: Option<usize>,
}

/// The project of archives whose derived clips are generated again: an archive may change the source of a clip of another one. A clip that
/// follows nothing in the archive that its keys or its hits come from keeps them; there is a finding for it.
pub fn with_derived_clips(mut project: Project, files: &[&[u8]]) -> Result<(Project, Vec<String>), WadError> {
    let layers = files.iter().map(|bytes| Archive::open(bytes)).collect::<Result<Vec<_>, _>>()?;
    let source = |kind: Kind, name: &str| layers.iter().rposition(|layer| layer.find(kind, name).is_some());
    let mut all = Vec::new();
    for (at, model) in project.models.iter().enumerate() {
        // Who made a patch for the base knew what follows there.
        let knows_base = source(Kind::CLIP_NOTES, &model.name)
            .is_some_and(|at| at > 0 && layers[at].header().base == Some(layers[0].header().hash));
        let hits = source(Kind::VOLUMES, &model.name).filter(|at| *at > 0 || !knows_base);
        for slot in model.clips.iter().filter(|slot| model.derived(slot.id).is_some()) {
            let keys = source(Kind::CLIP, &format!("{}/{}", model.name, slot.clip.name)).unwrap_or(0);
            let hits = hits.filter(|_| model.combat.lanes.contains_key(&slot.id));
            all.push((Derived { model: at, slot: slot.clone(), keys, hits }, keys == 0 && knows_base));
        }
    }
    let needed: BTreeSet<usize> = all.iter().flat_map(|(one, _)| [Some(one.keys), one.hits]).flatten().collect();
    // Ids are others there.
    let states =
        needed.into_iter().map(|at| overlay::decode_layers(&files[..=at]).map(|then| (at, State::of(then.project))));
    let states = states.collect::<Result<BTreeMap<usize, State>, WadError>>()?;
    let (mut findings, mut as_made) = (Vec::new(), BTreeSet::new());
    for (one, knows_base) in all {
        let (id, name) = (one.slot.id, (project.models[one.model].name.clone(), one.slot.clip.name.clone()));
        let layers = [Some(one.keys).filter(|_| !knows_base), one.hits];
        let own = layers.into_iter().flatten().find(|at| states.get(at).is_some_and(|then| then.is_own(&name)));
        if let Some(at) = own {
            let archive = at + 1;
            findings.push(format!(
                "clip {} has keys or hits of its own in archive {archive}, so it follows no other clip",
                name.1
            ));
            Arc::make_mut(&mut project.models[one.model]).note(id, |notes| notes.derived = None);
        } else if states.get(&one.keys).is_some_and(|then| then.made_of(&name) == made_of(&project, one.model, id)) {
            as_made.insert(id);
        }
    }
    findings.extend(generate_again(&mut project, &as_made));
    Ok((project, findings))
}

/// The state of a document in an archive, with the clips by the names of model and clip.
struct State {
    project: Project,
    clips: BTreeMap<(String, String), (usize, ClipId)>,
}

impl State {
    fn of(project: Project) -> State {
        let of_model = |(at, model): (usize, &Arc<Model>)| {
            let named = model.clips.iter().map(|slot| ((model.name.clone(), slot.clip.name.clone()), (at, slot.id)));
            named.collect::<Vec<_>>()
        };
        let clips = project.models.iter().enumerate().flat_map(of_model).collect();
        State { project, clips }
    }

    /// Whether a clip has keys of its own.
    fn is_own(&self, name: &(String, String)) -> bool {
        self.clips.get(name).is_some_and(|(model, clip)| self.project.models[*model].derived(*clip).is_none())
    }

    fn made_of(&self, name: &(String, String)) -> Option<MadeOf> {
        self.clips.get(name).and_then(|(model, clip)| made_of(&self.project, *model, *clip))
    }
}

/// The derivation of a clip; skeletons, rigs and volumes of its model and that of the source; and the clips that it is made from, with hits.
type MadeOf = (Derivation<()>, [(Arc<Skeleton>, RigNotes, Combat); 2], Vec<(Arc<Clip>, Lanes)>);

fn made_of(project: &Project, model: usize, clip: ClipId) -> Option<MadeOf> {
    let target = &project.models[model];
    let derived = target.derived(clip)?;
    let (owner, _) = project.owner_of(derived.source)?;
    let rig = |model: &Arc<Model>| {
        let combat = Combat { lanes: Default::default(), ..(*model.combat).clone() };
        (model.skeleton.clone(), model.rig.clone(), combat)
    };
    let clips = [Some(derived.source), derived.how.layer().map(|layer| layer.clip)].into_iter().flatten();
    let clips = clips.map(|clip| {
        let (owner, own) = project.owner_of(clip)?;
        Some((own.clone(), owner.combat.lanes_of(clip)))
    });
    Some((derived.how.with_clip(|_| Some(()))?, [rig(target), rig(owner)], clips.collect::<Option<Vec<_>>>()?))
}
