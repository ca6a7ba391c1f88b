//! A character made ready to perform: its machine with its clips, and its size in the level. The game and the editor's
//! preview play this one value.

use std::sync::Arc;

use glam::Vec3;

use crate::anim::bake::{BakedClip, bake};
use crate::anim::machine::bound::{BoundMachine, MachineClip};
use crate::anim::machine::def::MachineDef;
use crate::anim::machine::parts::{Pace, StateDef};
use crate::assets::character::Character;
use crate::assets::gait;
use crate::assets::machine::{Origin, Resolved, State};
use crate::assets::mesh::Binding;
use crate::assets::model::{Model, Visibility};
use crate::assets::posed::mesh_positions;
use crate::assets::usual_machine::{CLIMB, usual_parts};

/// The height of a standing body in metres; the model is scaled to it.
pub const STANDING_HEIGHT: f32 = 1.8;
/// The deepest that a model may be along the level, in metres: an animal is made smaller.
const LONGEST: f32 = 2.8;
/// Metres in a round of climbing, where the clip does not tell.
const USUAL_CLIMB: f32 = 1.2;

/// How a model of any size stands in the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Metres in a unit of the model.
    pub scale: f32,
    /// What is moved to the point between the feet, in the model's units.
    pub base: Vec3,
    /// The model's height in its own units.
    pub height: f32,
}

impl Default for Fit {
    fn default() -> Fit {
        Fit { scale: 1.0, base: Vec3::ZERO, height: STANDING_HEIGHT }
    }
}

/// A character with the machine that it plays through.
#[derive(Clone, Debug)]
pub struct Performer {
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

impl Performer {
    /// Finds the clips and reads off them how far they carry.
    pub fn new(character: &Character) -> Performer {
        let model = &character.model;
        let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
        let clips = model.machine.resolve(&names);
        let fit = fit(model);
        let bones = moving_bones(model);
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
        Performer { character: character.clone(), machine, clips, fit, findings }
    }

    /// True where a state has a clip of its own, not one that stands in.
    pub fn has_its_own(&self, state: State) -> bool {
        matches!(self.clips.choice(state).origin, Origin::Table | Origin::Name)
    }
}

/// The machine of a model without one: what [`Performer::new`] makes of its table and names. Bakes its jump alone.
pub fn usual_machine(model: &Model) -> Arc<MachineDef> {
    let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    let clips = model.machine.resolve(&names);
    let jump = clips.choice(State::Jump).clip.and_then(|at| model.clips.get(at));
    let jump = jump.map(|slot| bake(&slot.clip, &model.skeleton));
    usual(model, &clips, jump.as_ref(), &moving_bones(model), fit(model).height)
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
    let mut parts = usual_parts(clips, &names);
    let jump = parts.states.iter_mut().find(|state| state.name == State::Jump.word());
    if let (Some(jump), Some(clip)) = (jump, jump_clip) {
        jump.start_secs = gait::take_off(&model.skeleton, clip, bones, height).secs().clamp(0.0, 60.0) as f32;
    }
    Arc::new(MachineDef::new(parts).unwrap_or_else(|error| unreachable!("the usual machine is valid: {error}")))
}

/// Scales by the height of the rest pose's bounding box; the feet are its bottom.
pub fn fit(model: &Model) -> Fit {
    let Some((low, high)) = bounds(model, OnlySkinned::Yes).or_else(|| bounds(model, OnlySkinned::No)) else {
        return Fit::default();
    };
    let size = high - low;
    if !size.is_finite() || size.max_element() <= 1e-9 {
        return Fit::default();
    }
    let by_height = STANDING_HEIGHT / size.y.max(0.02 * size.max_element());
    let scale = by_height.min(LONGEST / size.z.max(1e-9));
    let is_inside = |at: f32, low: f32, high: f32| (low..=high).contains(&at);
    let middle = |low: f32, high: f32| if is_inside(0.0, low, high) { 0.0 } else { (low + high) * 0.5 };
    let base = Vec3::new(middle(low.x, high.x), low.y, middle(low.z, high.z));
    Fit { scale, base, height: size.y.max(1e-9) }
}

#[derive(Clone, Copy, PartialEq)]
enum OnlySkinned {
    Yes,
    No,
}

/// The box around the rest pose; what is hidden does not count, and what is held in hands counts only without a body.
fn bounds(model: &Model, only: OnlySkinned) -> Option<(Vec3, Vec3)> {
    let pose = model.skeleton.rest_model_pose();
    let (mut palette, mut points) = (Vec::new(), Vec::new());
    let mut around: Option<(Vec3, Vec3)> = None;
    for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
        if only == OnlySkinned::No || matches!(slot.mesh.binding, Binding::Skin(_)) {
            mesh_positions(model, &slot.mesh, &pose, &mut palette, &mut points);
            for point in points.iter().filter(|point| point.is_finite()) {
                let (low, high) = around.unwrap_or((*point, *point));
                around = Some((low.min(*point), high.max(*point)));
            }
        }
    }
    around
}

/// Bones that move vertices; all where no mesh says. In order.
pub fn moving_bones(model: &Model) -> Vec<usize> {
    let mut moves = vec![false; model.skeleton.len()];
    for slot in &model.meshes {
        let Binding::Skin(skin) = slot.mesh.binding else { continue };
        let Some(skin) = model.skins.get(skin) else { continue };
        for set in &slot.mesh.influences {
            let influences = set.joints.iter().flatten().zip(set.weights.iter().flatten());
            for (joint, _) in influences.filter(|(_, weight)| **weight > 0.3) {
                if let Some(&bone) = skin.joints.get(usize::from(*joint)) {
                    moves[usize::from(bone)] = true;
                }
            }
        }
    }
    let bones: Vec<usize> = (0..moves.len()).filter(|&bone| moves[bone]).collect();
    if bones.is_empty() { (0..moves.len()).collect() } else { bones }
}
