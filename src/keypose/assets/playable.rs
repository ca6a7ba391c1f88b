//! A playable character: its state machine with baked clips, and its size in the level. Used by the game and by the
//! editor's preview.

use std::sync::Arc;

use crate::anim::bake::BakedClip;
use crate::anim::clip::LoopMode;
use crate::anim::machine::bound::{BoundMachine, MachineClip};
use crate::anim::machine::def::MachineDef;
use crate::anim::machine::parts::{Pace, Repeat, StateDef};
use crate::anim::root_motion::{Anchor, RootMotion};
use crate::assets::character::Character;
use crate::assets::default_machine::{CLIMB, default_parts, default_places};
use crate::assets::fit::{Fit, deform_bones, fit};
use crate::assets::gait;
use crate::assets::machine::{Choice, Graph, Origin, Resolved, State};
use crate::assets::mesh_reach::bake_clip;
use crate::assets::model::Model;

/// Metres per loop of a climb, if the distance can't be read from the clip.
const DEFAULT_CLIMB: f32 = 1.2;

/// A character with its state machine.
#[derive(Clone, Debug)]
pub struct PlayableCharacter {
    /// The model and its baked clips.
    pub character: Character,
    /// The authored machine, or the default one.
    pub machine: Arc<BoundMachine>,
    /// The clip of every state.
    pub clips: Resolved,
    /// Size in the level.
    pub fit: Fit,
    /// Missing clips, one sentence each.
    pub findings: Vec<String>,
}

impl PlayableCharacter {
    /// Finds the clip of each state, and reads from the clips the distances that they cover.
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
            build_default(model, &clips, jump.map(Arc::as_ref), &bones, fit.height)
        });
        let find = |state: &StateDef, name: &str| {
            let clip = character.clip_named(name)?.clone();
            let gait = match &state.pace {
                Pace::Time { .. } => {
                    let is_moved = is_action(state) || is_of_action(&clips, &names, name) || loops(state, &clip);
                    let anchor = if is_moved { root_anchor(&clip) } else { None };
                    return Some(MachineClip { anchor, ..MachineClip::new(clip) });
                }
                Pace::Distance { by } if by == CLIMB => gait::climbing(&model.skeleton, &clip, &bones, fit.height),
                Pace::Distance { .. } => gait::walking(&model.skeleton, &clip, &bones, fit.height),
            };
            let default = if state.pace.by() == CLIMB { Some(DEFAULT_CLIMB) } else { None };
            let stride = gait.stride.map(|stride| (stride * fit.scale).clamp(0.4, 6.0)).or(default);
            let anchor = root_anchor(&clip);
            Some(MachineClip { stride, sync: gait.sync, drift: gait.drift, anchor, clip })
        };
        let machine = Arc::new(BoundMachine::new(def, &model.skeleton, find));
        let findings = if is_authored { machine.findings().to_vec() } else { clips.findings.clone() };
        PlayableCharacter { character: character.clone(), machine, clips, fit, findings }
    }

    /// Returns true if a state has its own clip, not another state's.
    pub fn has_own_clip(&self, state: State) -> bool {
        is_own(self.clips.choice(state))
    }

    /// The clip of a state as it is shown: by the machine's state of that name, or else by the first one that plays it.
    pub fn shown_clip(&self, state: State) -> Option<MachineClip> {
        let clip = self.character.clips.get(self.clips.choice(state).clip?)?;
        if State::ACTIONS.contains(&state) {
            let anchor = if self.has_own_clip(state) { root_anchor(clip) } else { None };
            return Some(MachineClip { anchor, ..MachineClip::new(clip.clone()) });
        }
        let all = || self.machine.clips().filter(|(_, shown)| Arc::ptr_eq(&shown.clip, clip));
        let named = all().find(|(def, _)| State::from_word(&def.name) == Some(state));
        named.or_else(|| all().next()).map(|(_, shown)| shown.clone())
    }
}

/// Whether the simulation moves the character by the root motion of a state.
fn is_action(state: &StateDef) -> bool {
    State::from_word(&state.name).is_some_and(|state| State::ACTIONS.contains(&state))
}

/// Whether a clip is the own one of an action. The state that plays it may have any name.
fn is_of_action(clips: &Resolved, names: &[&str], clip: &str) -> bool {
    let own = State::ACTIONS.into_iter().map(|action| clips.choice(action)).filter(|choice| is_own(*choice));
    own.filter_map(|choice| names.get(choice.clip?)).any(|name| *name == clip)
}

fn is_own(choice: Choice) -> bool {
    matches!(choice.origin, Origin::Table | Origin::Name)
}

/// Whether a state repeats a clip, which would jump back to its start.
fn loops(state: &StateDef, clip: &BakedClip) -> bool {
    match state.repeat {
        Repeat::AsClip => clip.loop_mode == LoopMode::Loop,
        Repeat::Loop => true,
        Repeat::Once => false,
    }
}

/// The root stays over the ground while root motion moves the character. In the side-scroller, gravity decides its height and
/// the facing its turn: those parts stay in the pose.
pub fn root_anchor(clip: &BakedClip) -> Option<Anchor> {
    let part = if clip.root_motion == RootMotion::None { RootMotion::None } else { RootMotion::Ground };
    Anchor::of(clip, part)
}

/// The default machine of a model, as [`PlayableCharacter::new`] builds it. Bakes only the jump.
pub fn default_machine(model: &Model) -> Arc<MachineDef> {
    let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    let clips = model.machine.resolve(&names);
    let jump = clips.choice(State::Jump).clip.and_then(|at| model.clips.get(at));
    let jump = jump.map(|slot| bake_clip(model, &slot.clip));
    build_default(model, &clips, jump.as_ref(), &deform_bones(model), fit(model).height)
}

/// The default machine of a model with its positions in the editor: what creating a state machine adds to the model.
pub fn default_graph(model: &Model) -> Graph {
    let def = default_machine(model);
    Graph { places: default_places(def.parts().states.len()), def }
}

/// Builds the default machine. The start of a jump's clip, which is on the ground, is skipped: the simulation is in the air at
/// once.
fn build_default(
    model: &Model,
    clips: &Resolved,
    jump_clip: Option<&BakedClip>,
    bones: &[usize],
    height: f32,
) -> Arc<MachineDef> {
    let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    let mut parts = default_parts(clips, &names);
    let jump = parts.states.iter_mut().find(|state| state.name == State::Jump.name());
    if let (Some(jump), Some(clip)) = (jump, jump_clip) {
        jump.start_secs = gait::takeoff_time(&model.skeleton, clip, bones, height).secs().clamp(0.0, 60.0) as f32;
    }
    Arc::new(MachineDef::new(parts).unwrap_or_else(|error| unreachable!("the default machine is valid: {error}")))
}
