//! Who plays: the player's character with the clip of every state, its size in the level, and what hangs on its
//! sockets. Made once from values; a tick only reads it.

use std::sync::Arc;

use glam::Vec3;

use crate::anim::bake::BakedClip;
use crate::anim::clip::LoopMode;
use crate::anim::time::Time;
use crate::assets::character::Character;
use crate::assets::machine::{Origin, Resolved, State};
use crate::assets::mesh::Binding;
use crate::assets::model::{Model, Visibility};
use crate::assets::posed::mesh_positions;
use crate::game::actor::STANDING_HEIGHT;
use crate::game::gait::{self, Gait};
use crate::render::frame::bounds::Aabb;

/// Ticks of an attack without a clip.
const ATTACK_TICKS: u16 = 24;
/// The deepest that a model may be along the level, in metres: an animal is made smaller.
const LONGEST: f32 = 2.8;

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

/// A character made ready to be shown in every state.
#[derive(Clone, Debug)]
pub struct Player {
    /// What is drawn.
    pub character: Character,
    /// Its size in the level.
    pub fit: Fit,
    /// The clip of every state.
    pub clips: Resolved,
    /// What it holds.
    pub props: Vec<Arc<Model>>,
    gaits: [Gait; State::COUNT],
    /// Where the jump's clip leaves the ground.
    take_off: Time,
}

/// Everyone in the level.
#[derive(Clone, Debug, Default)]
pub struct Cast {
    /// `None` where the archive holds no model: the level can be played by a mere body.
    pub player: Option<Player>,
    /// What is missing, one sentence each.
    pub findings: Vec<String>,
}

impl Cast {
    /// `wanted` is the name of the player's model; empty, or a name that is not there, takes the first.
    pub fn new(characters: &[Arc<Character>], wanted: &str) -> Cast {
        let named = characters.iter().find(|character| character.model.name == wanted);
        let mut findings = Vec::new();
        if named.is_none() && !wanted.is_empty() {
            findings.push(format!("there is no model \"{wanted}\" to play"));
        }
        let Some(character) = named.or(characters.first()) else {
            findings.push("the archive holds no model to play".into());
            return Cast { player: None, findings };
        };
        let player = Player::new(character, characters, &mut findings);
        Cast { player: Some(player), findings }
    }

    /// Ticks of an attack: its clip's length.
    pub fn attack_ticks(&self) -> u16 {
        let clip = self.player.as_ref().and_then(|player| player.clip_of_its_own(State::Attack));
        clip.map_or(ATTACK_TICKS, |clip| {
            let ticks = (clip.length.0 + Time::TICK.0 / 2) / Time::TICK.0;
            ticks.clamp(6, 120) as u16
        })
    }
}

impl Player {
    fn new(character: &Character, characters: &[Arc<Character>], findings: &mut Vec<String>) -> Player {
        let model = &character.model;
        let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
        let clips = model.machine.resolve(&names);
        findings.extend(clips.findings.iter().map(|finding| format!("{}: {finding}", model.name)));
        let props = props(model, characters, findings);
        let fit = fit(model);
        let mut player =
            Player { character: character.clone(), fit, clips, props, gaits: Default::default(), take_off: Time::ZERO };
        let bones = moving_bones(model);
        for state in [State::Walk, State::Run, State::CrouchWalk, State::Climb] {
            let Some(clip) = player.clip(state).cloned() else { continue };
            let read = if state == State::Climb && player.has_its_own(state) { gait::climbing } else { gait::walking };
            player.gaits[state as usize] = read(&model.skeleton, &clip, &bones, fit.height);
        }
        if let Some(clip) = player.clip_of_its_own(State::Jump).cloned() {
            player.take_off = gait::take_off(&model.skeleton, &clip, &bones, fit.height);
        }
        player
    }

    /// The clip that shows a state.
    pub fn clip(&self, state: State) -> Option<&Arc<BakedClip>> {
        self.character.clips.get(self.clips.choice(state).clip?)
    }

    /// True where a state has a clip of its own, not one that stands in.
    pub fn has_its_own(&self, state: State) -> bool {
        matches!(self.clips.choice(state).origin, Origin::Table | Origin::Name)
    }

    fn clip_of_its_own(&self, state: State) -> Option<&Arc<BakedClip>> {
        self.clip(state).filter(|_| self.has_its_own(state))
    }

    /// Ticks of a state's clip that are skipped when it begins.
    pub fn start_ticks(&self, state: State) -> f32 {
        let skipped = if state == State::Jump { self.take_off } else { Time::ZERO };
        skipped.0 as f32 / Time::TICK.0 as f32
    }

    /// What is known of the way that a state's clip covers.
    pub fn gait(&self, state: State) -> &Gait {
        &self.gaits[state as usize]
    }

    /// Metres of the level in one round of a state's clip.
    pub fn stride(&self, state: State) -> f32 {
        let usual = match state {
            State::Run => 2.6,
            State::Climb => 1.2,
            _ => 1.5,
        };
        self.gait(state).stride.map_or(usual, |stride| (stride * self.fit.scale).clamp(0.4, 6.0))
    }

    /// What happens at the end of a state's clip: some states last, whatever the clip says.
    pub fn loop_mode(&self, state: State) -> LoopMode {
        let own = self.clip(state).map_or(LoopMode::Once, |clip| clip.loop_mode);
        match (state, own) {
            (State::Idle, LoopMode::Once) => LoopMode::Loop,
            (State::Crouch | State::Attack, LoopMode::Once) if !self.has_its_own(state) => LoopMode::Loop,
            (State::Attack, _) if self.has_its_own(state) => LoopMode::Once,
            _ => own,
        }
    }
}

/// The models that the sockets name; a name that the archive lacks is a finding.
fn props(model: &Model, characters: &[Arc<Character>], findings: &mut Vec<String>) -> Vec<Arc<Model>> {
    let mut props = Vec::new();
    for socket in model.sockets.iter().filter(|socket| !socket.attached.is_empty()) {
        match characters.iter().find(|character| character.model.name == socket.attached) {
            Some(character) => props.push(character.model.clone()),
            None => findings.push(format!(
                "{}: there is no model \"{}\" for the socket \"{}\"",
                model.name, socket.attached, socket.name
            )),
        }
    }
    props
}

/// Scales by the height of the rest pose's bounding box; the feet are its bottom.
fn fit(model: &Model) -> Fit {
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
    let mut around = Aabb::EMPTY;
    for slot in model.meshes.iter().filter(|slot| slot.visibility == Visibility::Shown) {
        if only == OnlySkinned::No || matches!(slot.mesh.binding, Binding::Skin(_)) {
            mesh_positions(model, &slot.mesh, &pose, &mut palette, &mut points);
            around.merge(&Aabb::of(points.iter().copied()));
        }
    }
    (!around.is_empty()).then_some((around.min, around.max))
}

/// Bones that move vertices of what is shown; all where no mesh says.
fn moving_bones(model: &Model) -> Vec<usize> {
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
