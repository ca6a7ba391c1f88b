//! States of the animation table that find their clip by name, and how a change of names affects them.

use crate::editor::ops::sentence::listed;
use keypose::assets::clip_names;
use keypose::assets::id::ClipId;
use keypose::assets::machine::{Choice, Origin, Resolved, State};
use keypose::assets::model::{ClipSlot, Model};

/// The effect of added, renamed and deleted clips on the game's states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateClipsChange {
    /// A sentence for each clip that states play now.
    pub text: String,
    /// The states whose previous clip still exists, with that clip.
    pub previous: Vec<(State, ClipId)>,
}

/// A state that plays another clip than before.
struct Moved<'a> {
    state: State,
    before: Option<&'a ClipSlot>,
    after: Option<&'a ClipSlot>,
}

/// Compares the clips that states play by name before and after an edit, or finds the states of a state machine that have lost theirs.
/// `None` if there are none, or if the table was changed.
pub fn change(before: &Model, after: &Model) -> Option<StateClipsChange> {
    let names = |model: &Model| model.clips.iter().map(|slot| (slot.id, slot.clip.name.clone())).collect::<Vec<_>>();
    if before.machine.graph.is_some() || after.machine.graph.is_some() {
        return lost(before, after);
    }
    if before.machine.states.len() != after.machine.states.len() || names(before) == names(after) {
        return None;
    }
    let (old, new) = (resolve(before), resolve(after));
    let moved = |state: State| {
        let (old, new) = (own(before, state, old.choice(state)), own(after, state, new.choice(state)));
        let is_same = old.map(|slot| slot.id) == new.map(|slot| slot.id);
        (!is_same).then_some(Moved { state, before: old, after: new })
    };
    let moved: Vec<Moved<'_>> = State::ALL.into_iter().filter_map(moved).collect();
    let still = |moved: &Moved<'_>| {
        let id = moved.before?.id;
        after.clip(id).map(|_| (moved.state, id))
    };
    let previous = moved.iter().filter_map(still).collect();
    (!moved.is_empty()).then(|| StateClipsChange { text: sentences(&moved), previous })
}

/// The states and layers of a state machine that play a deleted clip.
fn lost(before: &Model, after: &Model) -> Option<StateClipsChange> {
    let deleted = before.clips.iter().filter(|slot| after.clip(slot.id).is_none()).map(|slot| slot.clip.name.as_str());
    let sentences = deleted.filter_map(|clip| {
        let players: Vec<&str> = after.machine.players_of(clip).collect();
        let have = if players.len() == 1 { "has" } else { "have" };
        (!players.is_empty())
            .then(|| format!("In the game, {} {have} no clip now; it was \"{clip}\".", listed(&players)))
    });
    let text = sentences.collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then(|| StateClipsChange { text, previous: Vec::new() })
}

fn resolve(model: &Model) -> Resolved {
    let names: Vec<&str> = model.clips.iter().map(|slot| slot.clip.name.as_str()).collect();
    model.machine.resolve(&names)
}

/// The clip that a state finds in the table or by its name, but not the clip of a similar state, nor the first
/// clip, which walks if no name is known.
fn own(model: &Model, state: State, choice: Choice) -> Option<&ClipSlot> {
    let slot = model.clips.get(choice.clip?)?;
    let by_name = || clip_names::find(state, &[slot.clip.name.as_str()]).is_some();
    match choice.origin {
        Origin::Table => Some(slot),
        Origin::Name if by_name() => Some(slot),
        Origin::Name | Origin::Nearest(_) | Origin::Rest => None,
    }
}

/// Maximum number of new clips of states that are named.
const MAX_NAMED: usize = 3;

/// "In the game, walk and run play "stroll" now, instead of "walk"."
fn sentences(moved: &[Moved<'_>]) -> String {
    let mut clips: Vec<Option<&str>> = Vec::new();
    let name = |slot: Option<&ClipSlot>| slot.map(|slot| slot.clip.name.clone());
    for one in moved {
        let clip = one.after.map(|slot| slot.clip.name.as_str());
        if !clips.contains(&clip) {
            clips.push(clip);
        }
    }
    if clips.len() > MAX_NAMED && moved.iter().all(|one| one.before.is_none()) {
        let states: Vec<&str> = moved.iter().map(|one| one.state.name()).collect();
        return format!("In the game, {} have clips now.", listed(&states));
    }
    let sentence = |clip: &Option<&str>| {
        let group: Vec<&Moved<'_>> =
            moved.iter().filter(|one| one.after.map(|slot| slot.clip.name.as_str()) == *clip).collect();
        let states = listed(&group.iter().map(|one| one.state.name()).collect::<Vec<_>>());
        let (play, have) = if group.len() == 1 { ("plays", "has") } else { ("play", "have") };
        let mut before: Vec<String> =
            group.iter().filter_map(|one| name(one.before)).map(|name| format!("\"{name}\"")).collect();
        before.dedup();
        let before: Vec<&str> = before.iter().map(String::as_str).collect();
        match clip {
            Some(clip) if before.is_empty() => format!("In the game, {states} {play} \"{clip}\" now."),
            Some(clip) => format!("In the game, {states} {play} \"{clip}\" now, instead of {}.", listed(&before)),
            None => format!("In the game, {states} {have} no clip now; it was {}.", listed(&before)),
        }
    };
    clips.iter().map(sentence).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::anim::clip::Clip;
    use keypose::assets::machine::{AnimationTable, StateClip};

    fn model(names: &[(u32, &str)]) -> Model {
        let slot = |(id, name): &(u32, &str)| ClipSlot { id: ClipId(*id), clip: Clip::new(*name).into() };
        Model { clips: names.iter().map(slot).collect(), ..Model::default() }
    }

    fn text(before: &[(u32, &str)], after: &[(u32, &str)]) -> String {
        change(&model(before), &model(after)).map(|change| change.text).unwrap_or_default()
    }

    #[test]
    fn a_name_that_takes_a_state_over_is_reported_with_the_clip_before() {
        let pack = [(1, "Walking_A"), (2, "Idle")];
        let change = change(&model(&pack), &model(&[(1, "Walking_A"), (2, "Idle"), (3, "walk_new")])).unwrap();
        assert_eq!(change.text, "In the game, walk plays \"walk_new\" now, instead of \"Walking_A\".");
        assert_eq!(change.previous, [(State::Walk, ClipId(1))]);
    }

    #[test]
    fn new_lost_and_kept_states_are_distinguished() {
        type Case = (&'static [(u32, &'static str)], &'static [(u32, &'static str)], &'static str);
        let cases: [Case; 6] = [
            (&[(1, "walk")], &[(1, "walk"), (2, "clip")], ""),
            (&[], &[(1, "clip")], ""),
            (&[(1, "walk")], &[(1, "walk"), (2, "run")], "In the game, run plays \"run\" now."),
            (&[(1, "walk"), (2, "idle")], &[(2, "idle")], "In the game, walk has no clip now; it was \"walk\"."),
            (&[(1, "walk")], &[(1, "Walking")], ""),
            (
                &[],
                &[(1, "idle"), (2, "walk"), (3, "run"), (4, "jump")],
                "In the game, idle, walk, run and jump have clips now.",
            ),
        ];
        for (before, after, expected) in cases {
            assert_eq!(text(before, after), expected, "{before:?} to {after:?}");
        }
    }

    #[test]
    fn a_clip_of_the_table_keeps_its_state() {
        let row = StateClip { state: "walk".into(), clip: "Walking_A".into() };
        let machine = AnimationTable { states: vec![row], graph: None };
        let with = |names| Model { machine: machine.clone(), ..model(names) };
        assert_eq!(change(&with(&[(1, "Walking_A")]), &with(&[(1, "Walking_A"), (2, "walk")])), None);
    }
}
