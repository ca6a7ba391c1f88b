//! Effects of events, by their text: `footstep`, `sound NAME`, `effect NAME`, `socket NAME = MODEL`. Any other text is free:
//! games read it through [`Machine::for_each_event`](crate::anim::machine::play::Machine::for_each_event).

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::anim::clip::{Clip, Event};
use crate::anim::time::Time;
use crate::assets::model::Model;
use crate::assets::sound::Sound;

/// The meaning of an event. Names are without spaces around them, and not empty except for [`ClipEvent::Socket`]'s model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipEvent<'a> {
    /// A foot touches the ground: dust, and the sound `step`.
    Footstep,
    /// Plays a sound of the archive.
    Sound(&'a str),
    /// Shows one of [`EFFECTS`].
    Effect(&'a str),
    /// Puts a model on a socket until the state ends that plays the clip; an empty name removes the model.
    #[allow(missing_docs)]
    Socket { socket: &'a str, model: &'a str },
    /// For games.
    Free(&'a str),
}

/// The effects that the game shows, by name.
pub const EFFECTS: [&str; 4] = ["dust", "sparks", "ring", "shake"];
/// The text of a footstep.
pub const FOOTSTEP: &str = "footstep";
/// The sound of a footstep.
pub const STEP_SOUND: &str = "step";
/// The word for no model on a socket.
pub const NO_MODEL: &str = "none";

impl<'a> ClipEvent<'a> {
    /// The meaning of an event's name.
    pub fn of(text: &'a str) -> ClipEvent<'a> {
        let trimmed = text.trim();
        let (word, rest) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
        let rest = rest.trim();
        match (word, rest.split_once('=')) {
            (FOOTSTEP, _) if rest.is_empty() => ClipEvent::Footstep,
            ("sound", _) if !rest.is_empty() => ClipEvent::Sound(rest),
            ("effect", _) if !rest.is_empty() => ClipEvent::Effect(rest),
            ("socket", Some((socket, model))) if !socket.trim().is_empty() && !model.trim().is_empty() => {
                let model = model.trim();
                ClipEvent::Socket { socket: socket.trim(), model: if model == NO_MODEL { "" } else { model } }
            }
            _ => ClipEvent::Free(text),
        }
    }

    /// The name of the event that has this meaning.
    pub fn text(&self) -> String {
        match *self {
            ClipEvent::Footstep => FOOTSTEP.to_owned(),
            ClipEvent::Sound(name) => format!("sound {name}"),
            ClipEvent::Effect(name) => format!("effect {name}"),
            ClipEvent::Socket { socket, model } => {
                format!("socket {socket} = {}", if model.is_empty() { NO_MODEL } else { model })
            }
            ClipEvent::Free(text) => text.to_owned(),
        }
    }
}

/// The names of the models on a model's sockets at a time of a clip: their own, or those that its events put there before; empty
/// for none. Models that are not known are not put there.
pub fn attached_at<'m>(
    model: &'m Model,
    clip: Option<&'m Clip>,
    time: Time,
    is_known: impl Fn(&str) -> bool,
) -> Vec<&'m str> {
    let mut names: Vec<&str> = model.sockets.iter().map(|socket| socket.attached.as_str()).collect();
    let mut events: Vec<&Event> = clip.into_iter().flat_map(|clip| &clip.events).collect();
    events.sort_by_key(|event| event.time);
    for event in events.into_iter().take_while(|event| event.time <= time) {
        let ClipEvent::Socket { socket, model: name } = ClipEvent::of(&event.name) else { continue };
        if let Some(at) = model.sockets.iter().position(|known| known.name == socket)
            && (name.is_empty() || is_known(name))
        {
            names[at] = name;
        }
    }
    names
}

/// Returns the kind and name that an event refers to and that the archive, with these models and sounds, lacks.
pub fn lacks<'a>(
    event: &'a str,
    of: &Model,
    models: &[Arc<Model>],
    sounds: &[Arc<Sound>],
) -> Option<(&'static str, &'a str)> {
    lacking(event, |what, name| match what {
        What::Sound => sounds.iter().any(|known| known.name == name),
        What::Model => models.iter().any(|known| known.name == name),
        What::Socket => of.sockets.iter().any(|known| known.name == name),
    })
}

/// Kinds of names in events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum What {
    Sound,
    Model,
    Socket,
}

/// The text of an event with a new name in place of an old one; `None` if the event doesn't have the old name.
pub fn renamed(event: &str, what: What, [old, new]: [&str; 2]) -> Option<String> {
    let renamed = match (what, ClipEvent::of(event)) {
        (What::Sound, ClipEvent::Sound(name)) if name == old => ClipEvent::Sound(new),
        (What::Model, ClipEvent::Socket { socket, model }) if model == old => ClipEvent::Socket { socket, model: new },
        (What::Socket, ClipEvent::Socket { socket, model }) if socket == old => {
            ClipEvent::Socket { socket: new, model }
        }
        _ => return None,
    };
    Some(renamed.text())
}

/// Gives the events of a model's clips the texts that `new` returns for theirs.
pub fn rename(model: &mut Arc<Model>, new: impl Fn(&str) -> Option<String>) {
    let has_new = |clip: &Clip| clip.events.iter().any(|event| new(&event.name).is_some());
    if !model.clips.iter().any(|slot| has_new(&slot.clip)) {
        return;
    }
    for slot in Arc::make_mut(model).clips.iter_mut().filter(|slot| has_new(&slot.clip)) {
        for event in Arc::make_mut(&mut slot.clip).events.iter_mut() {
            if let Some(name) = new(&event.name) {
                event.name = name;
            }
        }
    }
}

fn lacking(event: &str, is_known: impl Fn(What, &str) -> bool) -> Option<(&'static str, &str)> {
    match ClipEvent::of(event) {
        ClipEvent::Sound(name) => (!is_known(What::Sound, name)).then_some(("sound", name)),
        ClipEvent::Effect(name) => (!EFFECTS.contains(&name)).then_some(("effect", name)),
        ClipEvent::Socket { socket, .. } if !is_known(What::Socket, socket) => Some(("socket", socket)),
        ClipEvent::Socket { model, .. } => {
            (!model.is_empty() && !is_known(What::Model, model)).then_some(("model", model))
        }
        ClipEvent::Footstep | ClipEvent::Free(_) => None,
    }
}

/// A copy of the names that events of a model's clips can have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(BTreeSet<(What, String)>);

impl Names {
    /// Collects the names of a model, and those of the models and sounds of its archive.
    pub fn of(model: &Model, models: &[Arc<Model>], sounds: &[Arc<Sound>]) -> Names {
        let sounds = sounds.iter().map(|sound| (What::Sound, sound.name.clone()));
        let models = models.iter().map(|model| (What::Model, model.name.clone()));
        let sockets = model.sockets.iter().map(|socket| (What::Socket, socket.name.clone()));
        Names(sounds.chain(models).chain(sockets).collect())
    }

    /// Returns the kind and name that an event refers to and that is missing here.
    pub fn lack<'a>(&self, event: &'a str) -> Option<(&'static str, &'a str)> {
        lacking(event, |what, name| self.0.contains(&(what, name.to_owned())))
    }
}

/// Lists the names that a model's events refer to and that the archive, with these models and sounds, lacks, one sentence each.
pub fn missing(model: &Model, models: &[Arc<Model>], sounds: &[Arc<Sound>]) -> Vec<String> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for clip in model.clips.iter().map(|slot| &slot.clip) {
        for (what, name) in clip.events.iter().filter_map(|event| lacks(&event.name, model, models, sounds)) {
            if seen.insert((what, name)) {
                let (owner, clip) = (&model.name, &clip.name);
                found.push(format!(
                    "{owner}: an event of the clip \"{clip}\" names the {what} \"{name}\", which doesn't exist"
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::clip::{Clip, Event};
    use crate::anim::time::Time;
    use crate::anim::transform::Transform;
    use crate::assets::id::ClipId;
    use crate::assets::model::{ClipSlot, Socket};

    #[test]
    fn what_is_missing_is_named_once() {
        let mut clip = Clip::new("walk");
        let texts = [
            "sound hit",
            "sound gone",
            "sound gone",
            "effect rain",
            "socket hat = none",
            "socket hand = gone",
            "footstep",
        ];
        clip.events = texts.map(|name| Event { time: Time::ZERO, name: name.into() }).into_iter().collect();
        let slot = |id| ClipSlot { id: ClipId(id), clip: Arc::new(clip.clone()) };
        let hand = Socket { name: "hand".into(), bone: 0, transform: Transform::IDENTITY, attached: String::new() };
        let knight =
            Model { name: "knight".into(), clips: vec![slot(1), slot(2)], sockets: vec![hand], ..Model::default() };
        let sounds = [Arc::new(Sound::new("hit", 8_000, 1, &[0]))];
        let found = missing(&knight, &[], &sounds);
        let names = ["sound \"gone\"", "effect \"rain\"", "socket \"hat\"", "model \"gone\""];
        assert_eq!(found.len(), names.len(), "{found:?}");
        assert!(
            found.iter().zip(names).all(|(line, name)| line.contains(name) && line.starts_with("knight: ")),
            "{found:?}"
        );
    }

    #[test]
    fn texts_have_one_meaning_and_meanings_one_text() {
        let cases = [
            ("footstep", ClipEvent::Footstep),
            ("sound big hit", ClipEvent::Sound("big hit")),
            ("effect dust", ClipEvent::Effect("dust")),
            ("socket right hand = sword", ClipEvent::Socket { socket: "right hand", model: "sword" }),
            ("socket hand = none", ClipEvent::Socket { socket: "hand", model: "" }),
            ("sound", ClipEvent::Free("sound")),
            ("socket hand", ClipEvent::Free("socket hand")),
            ("socket = sword", ClipEvent::Free("socket = sword")),
            ("socket hand =", ClipEvent::Free("socket hand =")),
            ("footstep left", ClipEvent::Free("footstep left")),
            ("soundtrack 1", ClipEvent::Free("soundtrack 1")),
            ("", ClipEvent::Free("")),
        ];
        for (text, meaning) in cases {
            assert_eq!(ClipEvent::of(text), meaning);
            assert_eq!(meaning.text(), text);
        }
        assert_eq!(ClipEvent::of("  sound \t hit "), ClipEvent::Sound("hit"));
    }

    #[test]
    fn sockets_hold_what_the_last_event_put_there() {
        let socket = |name: &str, attached: &str| Socket {
            name: name.into(),
            bone: 0,
            transform: Transform::IDENTITY,
            attached: attached.into(),
        };
        let model = Model { sockets: vec![socket("hand", "sword"), socket("back", "")], ..Model::default() };
        let event = |secs, name: &str| Event { time: Time::SECOND * secs, name: name.into() };
        let events = vec![
            event(3, "socket hand = axe"),
            event(1, "socket hand = none"),
            event(1, "socket back = sword"),
            event(2, "socket hand = gone"),
        ];
        let clip = Clip { events: events.into(), ..Clip::new("climb") };
        let at = |secs| attached_at(&model, Some(&clip), Time::SECOND * secs, |name| name != "gone");
        assert_eq!([at(0), at(1), at(2), at(3)], [["sword", ""], ["", "sword"], ["", "sword"], ["axe", "sword"]]);
        assert_eq!(attached_at(&model, None, Time::SECOND, |_| true), ["sword", ""]);
    }
}
