//! A character made ready to perform: its machine with its clips, and its size in the level. The game and the editor's
//! preview play this one value.

use std::sync::Arc;

use crate::anim::bake::{BakedClip, bake};
use crate::anim::machine::bound::{BoundMachine, MachineClip};
use crate::anim::machine::def::MachineDef;
use crate::anim::machine::parts::{Pace, StateDef};
use crate::assets::character::Character;
use crate::assets::default_machine::{CLIMB, default_parts};
use crate::assets::fit::{Fit, deform_bones, fit};
use crate::assets::gait;
use crate::assets::machine::{Origin, Resolved, State};
use crate::assets::model::Model;

/// Metres in a round of climbing, where the clip does not tell.
const USUAL_CLIMB: f32 = 1.2;

/// A character with the machine that it plays through.
#[derive(Clone, Debug)]
pub struct PlayableCharacter {
    /// What is shown.
    pub character: Character,
    /// How it looks: the authored machine, or the one that table and names make.
    pub machine: Arc<BoundMachine>,
    /// The clip of every state that the simulation knows.
    pub clips: Resolved,
    /// Its size in the level.
    pub fit: Fit,
    /// Names that are missing, one sentence each.
    pub findings: Vec<String>,
}

impl PlayableCharacter {
    /// Finds the clips and reads off them how far they carry.
    pub fn new(character: &Character) -> PlayableCharacter {
        let model = &character.model;
        let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
        let clips = model.machine.resolve(&names);
        let fit = fit(model);
        let bones = deform_bones(model);
        let authored = model.machine.graph.as_ref().map(|graph| graph.def.clone());
        let is_authored = authored.is_some();
        let def = authored.unwrap_or_else(|| {
            let jump = clips.choice(State::Jump).clip.and_then(|at| character.clips.get(at));
            usual(model, &clips, jump.map(Arc::as_ref), &bones, fit.height)
        });
        let find = |state: &StateDef, name: &str| {
            let clip = character.clip_named(name)?.clone();
            let gait = match &state.pace {
                Pace::Time { .. } => return Some(MachineClip::new(clip)),
                Pace::Distance { by } if by == CLIMB => gait::climbing(&model.skeleton, &clip, &bones, fit.height),
                Pace::Distance { .. } => gait::walking(&model.skeleton, &clip, &bones, fit.height),
            };
            let usual = if state.pace.by() == CLIMB { Some(USUAL_CLIMB) } else { None };
            let stride = gait.stride.map(|stride| (stride * fit.scale).clamp(0.4, 6.0)).or(usual);
            Some(MachineClip { clip, stride, sync: gait.sync, drift: gait.drift })
        };
        let machine = Arc::new(BoundMachine::new(def, &model.skeleton, find));
        let lacks = |(state, clip): &(String, String)| format!("there is no clip \"{clip}\", which \"{state}\" shows");
        let findings = match is_authored {
            true => machine.missing().iter().map(lacks).collect(),
            false => clips.findings.clone(),
        };
        PlayableCharacter { character: character.clone(), machine, clips, fit, findings }
    }

    /// True where a state has a clip of its own, not one that stands in.
    pub fn has_own_clip(&self, state: State) -> bool {
        matches!(self.clips.choice(state).origin, Origin::Table | Origin::Name)
    }
}

/// The machine of a model without one: what [`PlayableCharacter::new`] makes of its table and names. Bakes its jump alone.
pub fn default_machine(model: &Model) -> Arc<MachineDef> {
    let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    let clips = model.machine.resolve(&names);
    let jump = clips.choice(State::Jump).clip.and_then(|at| model.clips.get(at));
    let jump = jump.map(|slot| bake(&slot.clip, &model.skeleton));
    usual(model, &clips, jump.as_ref(), &deform_bones(model), fit(model).height)
}

/// What its jump does on the ground is skipped: the simulation is in the air at once.
fn usual(
    model: &Model,
    clips: &Resolved,
    jump_clip: Option<&BakedClip>,
    bones: &[usize],
    height: f32,
) -> Arc<MachineDef> {
    let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    let mut parts = default_parts(clips, &names);
    let jump = parts.states.iter_mut().find(|state| state.name == State::Jump.word());
    if let (Some(jump), Some(clip)) = (jump, jump_clip) {
        jump.start_secs = gait::take_off(&model.skeleton, clip, bones, height).secs().clamp(0.0, 60.0) as f32;
    }
    Arc::new(MachineDef::new(parts).unwrap_or_else(|error| unreachable!("the usual machine is valid: {error}")))
}
