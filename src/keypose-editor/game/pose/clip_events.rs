//! Effects of the events of playing clips: footsteps, sounds, effects, models on sockets.

use std::collections::BTreeSet;

use crate::game::pose::animator::Animator;
use crate::game::rules::actor::Actor;
use crate::game::world::cast::Performer;
use crate::game::world::news::News;
use crate::game::world::units::metres_of;
use keypose::assets::clip_event::ClipEvent;
use keypose::assets::model::Model;

/// A socket that has another model than its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switched {
    /// The index of the socket.
    pub socket: usize,
    /// The index of the model in [`Performer::props`]; `None` for no model.
    pub prop: Option<usize>,
}

/// Adds what the events of an animator's last update do to the news, and switches sockets.
pub fn meet(animator: &mut Animator, actor: &Actor, performer: Option<&Performer>, news: &mut Vec<News>) {
    let (Some(performer), Some(machine)) = (performer, &animator.machine) else { return };
    let place = metres_of(actor.feet);
    let switched = &mut animator.switched;
    machine.for_each_event(|event| match ClipEvent::of(&event.name) {
        ClipEvent::Footstep => news.push(News::Footstep { place }),
        ClipEvent::Sound(name) => news.push(News::Sound { name: name.into(), place }),
        ClipEvent::Effect(name) => news.push(News::Effect { name: name.into(), place }),
        ClipEvent::Socket { socket, model } => switch(switched, performer, socket, model),
        ClipEvent::Free(_) => {}
    });
    // A socket has its own model again in the next state.
    if animator.event_state != machine.state() {
        animator.event_state = machine.state();
        animator.switched.clear();
    }
}

fn switch(switched: &mut Vec<Switched>, performer: &Performer, socket: &str, model: &str) {
    let sockets = &performer.playable.character.model.sockets;
    let Some(socket) = sockets.iter().position(|known| known.name == socket) else { return };
    let prop = performer.props.iter().position(|prop| prop.name == model);
    if prop.is_none() && !model.is_empty() {
        return;
    }
    switched.retain(|other| other.socket != socket);
    switched.push(Switched { socket, prop });
}

/// The models that events of a model's clips attach to sockets.
pub fn switched_models(model: &Model) -> BTreeSet<String> {
    let events = model.clips.iter().flat_map(|slot| &slot.clip.events);
    let switched = events.filter_map(|event| match ClipEvent::of(&event.name) {
        ClipEvent::Socket { model, .. } if !model.is_empty() => Some(model.to_owned()),
        _ => None,
    });
    switched.collect()
}
