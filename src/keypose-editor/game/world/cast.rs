//! The characters of a game: the player with a clip for every state, its size in the level, and the models on its
//! sockets. A tick only reads them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::game::pose::clip_events;
use crate::game::pose::feet::Legs;
use crate::game::pose::gaze::{Neck, neck};
use crate::game::pose::hands::arms;
use crate::game::pose::machine_inputs::MachineInputs;
use crate::game::rules::combat::moves::Moves;
use keypose::anim::bake::BakedClip;
use keypose::anim::ik::two_bone::TwoBone;
use keypose::anim::spring::Springs;
use keypose::assets::character::Character;
use keypose::assets::level::FoeKind;
use keypose::assets::machine::State;
use keypose::assets::matrix_clips::MatrixClips;
use keypose::assets::model::Model;
use keypose::assets::playable::PlayableCharacter;

/// The character of the player or of a kind of foe, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Performer {
    /// Model, state machine and size.
    pub playable: PlayableCharacter,
    pub moves: Moves,
    /// The legs that follow the ground, if it has two.
    pub legs: Option<Legs>,
    /// The arms that hold rungs.
    pub arms: Vec<TwoBone>,
    /// The matrices that its clips are played by, if the model asks for that.
    pub matrices: Arc<MatrixClips>,
    /// The bones that swing.
    pub springs: Springs,
    /// The bones that look at something.
    pub neck: Neck,
    /// The inputs of its state machine.
    pub inputs: MachineInputs,
    /// The models on its sockets, and those that events of its clips put there.
    pub props: Vec<Arc<Model>>,
}

/// The characters of a game.
#[derive(Clone, Debug, Default)]
pub struct Cast {
    /// `None` if the archive has no model. The game then shows a plain body.
    pub player: Option<Performer>,
    /// The characters of the stage's kinds of foes.
    pub foes: Vec<Option<Performer>>,
    /// Moves of a plain body.
    plain: Moves,
    /// Problems, one sentence each.
    pub findings: Vec<String>,
}

impl Cast {
    /// `wanted` is the name of the player's model. If it is empty or unknown, the first model is used. A kind of foe without
    /// a model, or whose model is unknown, has the player's.
    pub fn new(characters: &[Arc<Character>], wanted: &str, kinds: &[FoeKind]) -> Cast {
        let named = |name: &str| characters.iter().find(|character| character.model.name == name);
        let mut findings = Vec::new();
        if named(wanted).is_none() && !wanted.is_empty() {
            findings.push(format!("the level's player model \"{wanted}\" doesn't exist; the first model is used"));
        }
        let Some(character) = named(wanted).or(characters.first()) else {
            findings.push("the archive has no model for the player".into());
            return Cast { foes: vec![None; kinds.len()], findings, ..Cast::default() };
        };
        let player = Performer::new(character, characters, &mut findings);
        findings.splice(
            0..0,
            player.playable.findings.iter().map(|finding| format!("{}: {finding}", character.model.name)),
        );
        let mut known = BTreeMap::from([(character.model.name.as_str(), player.clone())]);
        let foe = |kind: &FoeKind| {
            let own = named(&kind.model);
            if own.is_none() && !kind.model.is_empty() {
                let (name, model) = (&kind.name, &kind.model);
                findings
                    .push(format!("the model \"{model}\" of the foe \"{name}\" doesn't exist; the player's is used"));
            }
            // Foes need few clips: those that they lack are not reported.
            let own = own.unwrap_or(character);
            let new = || Performer::new(own, characters, &mut findings);
            Some(known.entry(&own.model.name).or_insert_with(new).sized(kind.size))
        };
        let foes = kinds.iter().map(foe).collect();
        let mut seen = std::collections::BTreeSet::new();
        findings.retain(|finding| seen.insert(finding.clone()));
        Cast { player: Some(player), foes, plain: Moves::default(), findings }
    }

    /// Returns the moves of the player, or those of a plain body.
    pub fn player_moves(&self) -> &Moves {
        self.player.as_ref().map_or(&self.plain, |player| &player.moves)
    }

    /// The character of a kind of foe.
    pub fn foe(&self, kind: usize) -> Option<&Performer> {
        self.foes.get(kind)?.as_ref()
    }

    /// Whether a kind of foe looks like the player.
    pub fn is_of_players_model(&self, kind: usize) -> bool {
        let models =
            [self.foe(kind), self.player.as_ref()].map(|one| one.map(|one| &one.playable.character.model.name));
        models[0].is_some() && models[0] == models[1]
    }

    /// Moves of a kind of foe.
    pub fn foe_moves(&self, kind: usize) -> &Moves {
        self.foe(kind).map_or(&self.plain, |foe| &foe.moves)
    }
}

impl Performer {
    /// A character as large as a player. Takes time on large models.
    fn new(character: &Character, characters: &[Arc<Character>], findings: &mut Vec<String>) -> Performer {
        let (model, playable) = (&character.model, PlayableCharacter::new(character));
        let moves = Moves::new(&playable, 1.0);
        findings.extend(moves.findings.iter().cloned());
        Performer {
            moves,
            legs: Legs::of(model),
            arms: arms(model),
            matrices: Arc::new(MatrixClips::of(character)),
            springs: model.rig.springs.of(&model.skeleton),
            neck: neck(model),
            inputs: MachineInputs::of(playable.machine.def(), 1.0),
            props: props(model, characters, findings),
            playable,
        }
    }

    /// A character as large as a player made `size` times as large.
    fn sized(&self, size: f32) -> Performer {
        let mut sized = self.clone();
        sized.moves = Moves::new(&self.playable, size);
        sized.inputs = MachineInputs::of(self.playable.machine.def(), size);
        sized.playable.fit.scale *= size;
        sized
    }

    /// The legs, with the height of each ankle over the sole at rest, in metres.
    pub fn ankles(&self) -> impl Iterator<Item = (&TwoBone, f32)> {
        let fit = self.playable.fit;
        let legs = self.legs.iter().flat_map(|legs| legs.limbs().iter().zip(legs.rest_heights()));
        legs.map(move |(leg, rest)| (leg, (rest - fit.base.y) * fit.scale))
    }

    /// The clip of a state.
    pub fn clip(&self, state: State) -> Option<&Arc<BakedClip>> {
        self.playable.character.clips.get(self.playable.clips.choice(state).clip?)
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
    let switched = clip_events::switched_models(model);
    let is_new = |one: &&Arc<Character>| {
        switched.contains(&one.model.name) && props.iter().all(|prop: &Arc<Model>| prop.name != one.model.name)
    };
    let others: Vec<_> = characters.iter().filter(is_new).map(|one| one.model.clone()).collect();
    props.extend(others);
    props
}
