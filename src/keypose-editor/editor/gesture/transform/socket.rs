//! Moving, rotating and scaling a socket: it is handled as a child of its bone.

use std::sync::Arc;

use glam::{Mat4, Quat};

use crate::anim::key::Channel;
use crate::assets::model::{Model, Socket};
use crate::editor::gesture::transform::BoneStart;
use crate::editor::ops::posed::Posed;
use crate::editor::posing::change::Change;
use crate::editor::session::Session;
use crate::editor::session::sockets::changed;
use crate::editor::view::{View, sockets};

/// The socket that a transform changes.
#[derive(Clone, Debug)]
pub struct SocketStart {
    model: Arc<Model>,
    /// The index of the model.
    index: usize,
    /// The index of the socket.
    at: usize,
    model_from_bone: Mat4,
}

impl SocketStart {
    /// The active socket in the pose on screen; `None` if the gizmo moves something else.
    pub fn of(view: &View, session: &Session) -> Option<SocketStart> {
        let (at, model_from_bone) = sockets::moved(view, session)?;
        Some(SocketStart { model: view.model.clone()?, index: session.focus.model, at, model_from_bone })
    }

    fn socket(&self) -> &Socket {
        &self.model.sockets[self.at]
    }

    /// Its place as that of a bone.
    pub fn as_bone(&self) -> BoneStart {
        let Socket { bone, transform, .. } = *self.socket();
        BoneStart { bone, local: transform, model_from_parent: self.model_from_bone }
    }

    /// The change after a transform that posed it like this.
    pub fn change(&self, posed: &[Posed]) -> Change {
        let mut transform = self.socket().transform;
        for Posed { channel, value, .. } in posed {
            match channel {
                Channel::Translation => transform.translation = value.truncate(),
                Channel::Rotation => transform.rotation = Quat::from_vec4(*value).normalize(),
                Channel::Scale => transform.scale = value.truncate(),
                Channel::Scalar(_) => {}
            }
        }
        Change::Edits(changed((self.index, &self.model), self.at, |socket| socket.transform = transform))
    }
}
