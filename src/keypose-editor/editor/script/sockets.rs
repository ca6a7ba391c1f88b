//! Script commands for sockets, and the sockets as text.

use crate::editor::ops::euler;
use crate::editor::posing::change::Change;
use crate::editor::script::args::Args;
use crate::editor::script::table::{Fact, Outcome, Verb, act};
use crate::editor::session::sockets::{SocketAction, changed};
use keypose::assets::euler_order::EulerOrder;
use keypose::assets::model::Socket;

/// The commands: about the active socket unless they name one.
pub const VERBS: &[Verb] = &[
    ("socket add", |_| act(SocketAction::Add)),
    ("socket pick SOCKET", |a| {
        let names = a.active()?.sockets.iter().map(|socket| socket.name.as_str());
        act(SocketAction::Pick(a.among(0, "socket", names)?))
    }),
    ("socket rename NAME", |a| act(SocketAction::Rename(a.text(0)))),
    ("socket to-bone", |_| act(SocketAction::ToBone)),
    ("socket attach none", |_| act(SocketAction::Attach(String::new()))),
    ("socket attach MODEL", |a| act(SocketAction::Attach(a.text(0)))),
    ("socket position X Y Z", |a| {
        let position = a.vec3(0)?;
        set(a, |socket| socket.transform.translation = position)
    }),
    ("socket rotation X Y Z", |a| {
        let rotation = euler::rotation(a.vec3(0)?, EulerOrder::Xyz);
        set(a, |socket| socket.transform.rotation = rotation)
    }),
    ("socket scale X Y Z", |a| {
        let scale = a.vec3(0)?;
        set(a, |socket| socket.transform.scale = scale)
    }),
    ("socket remove", |_| act(SocketAction::Remove)),
];

fn set(a: &Args<'_>, change: impl FnOnce(&mut Socket)) -> Outcome {
    let (model, at) = (a.active()?, a.editor.socket().ok_or("there is no socket")?);
    super::table::change("Set socket", Change::Edits(changed(a.active_index(), model, at, change)))
}

/// The sockets: "hand on hand.L with sword, back on root".
pub const FACTS: &[Fact] = &[("sockets", |a| {
    let Some(model) = a.editor.model() else { return Ok(String::new()) };
    let text = |socket: &Socket| {
        let bone = model.skeleton.get(socket.bone).map_or("", |bone| bone.name.as_str());
        let with = if socket.attached.is_empty() { String::new() } else { format!(" with {}", socket.attached) };
        format!("{} on {bone}{with}", socket.name)
    };
    Ok(model.sockets.iter().map(text).collect::<Vec<_>>().join(", "))
})];
