//! Clips that no game state plays: how the game shows one nevertheless, while the character stands.

use std::sync::Arc;

use crate::anim::machine::def::MachineDef;
use crate::anim::machine::parts::{Motion, Repeat, StateDef};
use crate::assets::character::Character;
use crate::assets::machine::{AnimationTable, Graph, State};
use crate::assets::model::Model;
use crate::assets::project::Project;

/// A clip that no state of its model plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnplayedClip {
    /// The name of the model.
    pub model: String,
    /// The name of the clip.
    pub clip: String,
}

/// Whether a state of the model plays the clip: of its state machine, or else of its animation table.
pub fn is_played(model: &Model, clip: &str) -> bool {
    if model.machine.graph.is_some() {
        return model.machine.players_of(clip).next().is_some();
    }
    let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    let resolved = model.machine.resolve(&names);
    let played = |state: State| resolved.choice(state).clip.and_then(|at| names.get(at).copied());
    State::ALL.into_iter().any(|state| played(state) == Some(clip))
}

/// The character with a clip in place of its idle, or of the initial state of its machine; in a loop.
pub fn showing(character: &Character, clip: &str) -> Character {
    let model = Model { machine: table_showing(&character.model.machine, clip), ..Model::clone(&character.model) };
    Character { model: Arc::new(model), clips: character.clips.clone() }
}

/// The project with the clip in place of the idle of its model, or of the initial state of its machine; in a loop.
pub fn shown_in(project: &Project, unplayed: Option<UnplayedClip>) -> Project {
    let mut project = project.clone();
    if let Some(UnplayedClip { model, clip }) = unplayed
        && let Some(shown) = project.models.iter_mut().find(|shown| shown.name == model)
    {
        let table = table_showing(&shown.machine, &clip);
        Arc::make_mut(shown).machine = table;
    }
    project
}

fn table_showing(table: &AnimationTable, clip: &str) -> AnimationTable {
    let mut table = table.clone();
    table.set_clip(State::Idle, clip);
    if let Some(Graph { def, .. }) = &mut table.graph {
        let mut parts = def.parts().clone();
        for state in parts.states.iter_mut().filter(|state| state.name == parts.start) {
            let shown = StateDef::new(state.name.clone(), Motion::Clip(clip.to_owned()));
            *state = StateDef { repeat: Repeat::Loop, ..shown };
        }
        if let Ok(showing) = MachineDef::new(parts) {
            *def = Arc::new(showing);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::clip::Clip;
    use crate::assets::id::ClipId;
    use crate::assets::model::ClipSlot;
    use crate::assets::playable::{PlayableCharacter, default_machine};

    fn character(names: &[&str]) -> Character {
        let slot = |(at, name): (usize, &&str)| ClipSlot { id: ClipId(at as u32), clip: Clip::new(*name).into() };
        let model = Model { clips: names.iter().enumerate().map(slot).collect(), ..Model::default() };
        Character::bake(&Arc::new(model), None)
    }

    fn start_clip(character: &Character) -> String {
        let playable = PlayableCharacter::new(character);
        let parts = playable.machine.def().parts().clone();
        let start = parts.states.iter().find(|state| state.name == parts.start).unwrap();
        start.motion.clips().next().unwrap().to_owned()
    }

    #[test]
    fn a_clip_that_no_state_plays_replaces_the_idle() {
        let character = character(&["idle", "walk", "wave"]);
        let played = ["idle", "walk", "wave"].map(|clip| is_played(&character.model, clip));
        assert_eq!(played, [true, true, false]);
        assert_eq!(start_clip(&character), "idle");
        assert_eq!(start_clip(&showing(&character, "wave")), "wave");
    }

    #[test]
    fn it_replaces_the_initial_state_of_an_authored_machine() {
        let mut character = character(&["idle", "walk", "wave"]);
        let mut model = Model::clone(&character.model);
        let def = default_machine(&model);
        model.machine.graph = Some(Graph { places: vec![glam::Vec2::ZERO; def.parts().states.len()], def });
        character.model = Arc::new(model);
        assert!(!is_played(&character.model, "wave"));
        let shown = showing(&character, "wave");
        assert_eq!(start_clip(&shown), "wave");
        assert!(is_played(&shown.model, "wave"));
    }
}
