//! Who plays: the player's character with the clip of every state, its size in the level, and what hangs on its
//! sockets. Made once from values; a tick only reads it.

use std::sync::Arc;

use crate::anim::bake::BakedClip;
use crate::anim::time::Time;
use crate::assets::character::Character;
use crate::assets::machine::State;
use crate::assets::model::Model;
use crate::assets::playable::PlayableCharacter;
use crate::game::inputs::Inputs;

/// Ticks of an attack without a clip.
const ATTACK_TICKS: u16 = 24;

/// A character made ready to be shown.
#[derive(Clone, Debug)]
pub struct Player {
    /// What is drawn, the machine that it plays through, its size.
    pub playable: PlayableCharacter,
    /// The parameters of the machine that the game sets.
    pub inputs: Inputs,
    /// What it holds.
    pub props: Vec<Arc<Model>>,
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
        let playable = PlayableCharacter::new(character);
        let model = &character.model;
        findings.extend(playable.findings.iter().map(|finding| format!("{}: {finding}", model.name)));
        let props = props(model, characters, findings);
        Player { inputs: Inputs::of(playable.machine.def()), playable, props }
    }

    /// The clip that shows a state.
    pub fn clip(&self, state: State) -> Option<&Arc<BakedClip>> {
        self.playable.character.clips.get(self.playable.clips.choice(state).clip?)
    }

    fn clip_of_its_own(&self, state: State) -> Option<&Arc<BakedClip>> {
        self.clip(state).filter(|_| self.playable.has_own_clip(state))
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
