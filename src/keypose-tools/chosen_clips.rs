//! Clips chosen for states of a character in one game, over what its animation table or its state machine plays. Not saved.

use std::sync::Arc;

use crate::anim::machine::def::MachineDef;
use crate::anim::machine::parts::Motion;
use crate::assets::character::Character;
use crate::assets::machine::{AnimationTable, State};
use crate::assets::model::Model;

/// A state and the name of the clip that it plays.
pub type ChosenClip = (State, String);

/// Reads "attack=Punch".
///
/// # Errors
///
/// The missing clip or state, or the names of the states.
pub fn parse(text: &str) -> Result<ChosenClip, String> {
    let (state, clip) = text.split_once('=').ok_or("expected a state, \"=\" and a clip")?;
    let names = || State::ALL.map(State::name).join(", ");
    let state = State::from_word(state).ok_or_else(|| format!("the states are {}", names()))?;
    Ok((state, clip.trim().to_owned()))
}

/// The characters, the one of this name (or else the first) with the chosen clips.
pub fn apply(characters: &[Arc<Character>], player: &str, chosen: &[ChosenClip]) -> Vec<Arc<Character>> {
    let at = characters.iter().position(|character| character.model.name == player).unwrap_or(0);
    let mut all = characters.to_vec();
    if !chosen.is_empty()
        && let Some(character) = all.get_mut(at)
    {
        let clips: Vec<&str> = character.model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
        let machine = table(&character.model.machine, &clips, chosen);
        let model = Model { machine, ..Model::clone(&character.model) };
        *character = Arc::new(Character { model: Arc::new(model), clips: character.clips.clone() });
    }
    all
}

/// The table of a character whose clips have these names.
fn table(before: &AnimationTable, clips: &[&str], chosen: &[ChosenClip]) -> AnimationTable {
    let mut table = before.clone();
    for (state, clip) in chosen {
        table.set_clip(*state, clip);
    }
    if let Some(graph) = &mut table.graph {
        let (mut parts, resolved) = (graph.def.parts().clone(), before.resolve(clips));
        let played = |state: State| resolved.choice(state).clip.and_then(|at| clips.get(at).copied());
        for def in &mut parts.states {
            let Some(own) = State::from_word(&def.name) else {
                // Such as "move", which blends the clips of walking and running.
                for name in def.motion.clips_mut() {
                    if let Some((_, clip)) = chosen.iter().find(|(state, _)| played(*state) == Some(name.as_str())) {
                        name.clone_from(clip);
                    }
                }
                continue;
            };
            if let Some((_, clip)) = chosen.iter().find(|(state, _)| *state == own) {
                def.motion = Motion::Clip(clip.clone());
            }
        }
        // A name alone can't make a valid machine invalid.
        if let Ok(def) = MachineDef::new(parts) {
            graph.def = Arc::new(def);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::clip::Clip;
    use crate::assets::id::ClipId;
    use crate::assets::machine::Graph;
    use crate::assets::model::ClipSlot;
    use crate::assets::playable::default_machine;

    #[test]
    fn states_and_clips_are_read() {
        assert_eq!(parse("attack = Punch Left"), Ok((State::Attack, "Punch Left".to_owned())));
        assert_eq!(parse("Air Attack=a=b"), Ok((State::AirAttack, "a=b".to_owned())));
        assert!(parse("fly=Flap").unwrap_err().contains("crouch walk") && parse("attack").is_err());
    }

    #[test]
    fn a_table_and_a_machine_take_the_clip() {
        let chosen = [(State::Idle, "Cheer".to_owned())];
        let plain = AnimationTable::default();
        assert_eq!(table(&plain, &[], &chosen).clip_of(State::Idle), Some("Cheer"));
        let def = default_machine(&Model::default());
        let places = vec![glam::Vec2::ZERO; def.parts().states.len()];
        let drawn = AnimationTable { graph: Some(Graph { def, places }), ..plain };
        assert_eq!(table(&drawn, &[], &chosen).clip_of(State::Idle), Some("Cheer"));
    }

    #[test]
    fn walking_and_running_are_chosen_in_the_state_that_blends_them() {
        let clips = ["idle", "walk", "run"];
        let slots = clips.map(|name| ClipSlot { id: ClipId(0), clip: Arc::new(Clip::new(name)) });
        let def = default_machine(&Model { clips: slots.to_vec(), ..Model::default() });
        let places = vec![glam::Vec2::ZERO; def.parts().states.len()];
        let drawn = AnimationTable { graph: Some(Graph { def, places }), ..AnimationTable::default() };
        let with = table(&drawn, &clips, &[(State::Run, "sprint".to_owned())]);
        assert_eq!(with.players_of("sprint").collect::<Vec<_>>(), ["move"]);
        assert!(with.players_of("walk").any(|state| state == "move"));
    }

    #[test]
    fn only_the_player_takes_them() {
        let named = |name: &str| {
            let model = Model { name: name.into(), ..Model::default() };
            Arc::new(Character { model: Arc::new(model), clips: Vec::new() })
        };
        let all = [named("foe"), named("hero")];
        for (player, at) in [("hero", 1), ("gone", 0), ("", 0)] {
            let applied = apply(&all, player, &[(State::Walk, "Run".to_owned())]);
            let is_changed = |at: usize| applied[at].model.machine.clip_of(State::Walk).is_some();
            assert_eq!([is_changed(0), is_changed(1)], [at == 0, at == 1], "{player}");
        }
        assert!(apply(&[], "hero", &[(State::Walk, "Run".to_owned())]).is_empty());
    }
}
