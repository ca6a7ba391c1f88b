//! The characters of a game: the player with a clip for every state, its size in the level, and the models on its
//! sockets. A tick only reads them.

use std::sync::Arc;

use crate::anim::bake::BakedClip;
use crate::anim::time::Time;
use crate::assets::character::Character;
use crate::assets::machine::State;
use crate::assets::model::Model;
use crate::assets::playable::PlayableCharacter;
use crate::game::machine_inputs::MachineInputs;

/// Ticks of an attack that has no clip.
const ATTACK_TICKS: u16 = 24;

/// The player's character, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Player {
    /// Its model, state machine and size.
    pub playable: PlayableCharacter,
    /// The inputs of its state machine.
    pub inputs: MachineInputs,
    /// The models on its sockets.
    pub props: Vec<Arc<Model>>,
}

/// The characters of a game.
#[derive(Clone, Debug, Default)]
pub struct Cast {
    /// `None` if the archive has no model. The game then shows a plain body.
    pub player: Option<Player>,
    /// Problems, one sentence each.
    pub findings: Vec<String>,
}

impl Cast {
    /// `wanted` is the name of the player's model. If it is empty or unknown, the first model is used.
    pub fn new(characters: &[Arc<Character>], wanted: &str) -> Cast {
        let named = characters.iter().find(|character| character.model.name == wanted);
        let mut findings = Vec::new();
        if named.is_none() && !wanted.is_empty() {
            findings.push(format!("the level's player model \"{wanted}\" doesn't exist; the first model is used"));
        }
        let Some(character) = named.or(characters.first()) else {
            findings.push("the archive has no model for the player".into());
            return Cast { player: None, findings };
        };
        let player = Player::new(character, characters, &mut findings);
        Cast { player: Some(player), findings }
    }

    /// Duration of an attack in ticks: that of its clip.
    pub fn attack_ticks(&self) -> u16 {
        let clip = self.player.as_ref().and_then(|player| player.own_clip(State::Attack));
        clip.map_or(ATTACK_TICKS, |clip| {
            let ticks = (clip.length.0 + Time::TICK.0 / 2) / Time::TICK.0;
            ticks.clamp(6, 120) as u16
        })
    }
}

impl Player {
    fn new(character: &Character, characters: &[Arc<Character>], findings: &mut Vec<String>) -> Player {
        let playable = PlayableCharacter::new(character);
        let model = &character.model;
        findings.extend(playable.findings.iter().map(|finding| format!("{}: {finding}", model.name)));
        let props = props(model, characters, findings);
        Player { inputs: MachineInputs::of(playable.machine.def()), playable, props }
    }

    /// The clip of a state.
    pub fn clip(&self, state: State) -> Option<&Arc<BakedClip>> {
        self.playable.character.clips.get(self.playable.clips.choice(state).clip?)
    }

    fn own_clip(&self, state: State) -> Option<&Arc<BakedClip>> {
        self.clip(state).filter(|_| self.playable.has_own_clip(state))
    }
}

/// The models that the sockets name. A missing one is reported as a finding.
fn props(model: &Model, characters: &[Arc<Character>], findings: &mut Vec<String>) -> Vec<Arc<Model>> {
    let mut props = Vec::new();
    for socket in model.sockets.iter().filter(|socket| !socket.attached.is_empty()) {
        match characters.iter().find(|character| character.model.name == socket.attached) {
            Some(character) => props.push(character.model.clone()),
            None => findings.push(format!(
                "{}: model \"{}\" of socket \"{}\" doesn't exist",
                model.name, socket.attached, socket.name
            )),
        }
    }
    props
}
