//! Moving, rotating and scaling a socket: it is handled as a child of its bone.

use std::sync::Arc;

use glam::Mat4;

use crate::editor::document::edit::Edit;
use crate::editor::gesture::transform::BoneStart;
use crate::editor::session::Session;
use crate::editor::session::sockets::changed;
use crate::editor::view::{View, sockets};
use keypose::anim::transform::Transform;
use keypose::assets::model::{Model, Socket};

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

    /// The transform, as if the socket were a bone.
    pub fn as_bone(&self) -> BoneStart {
        let Socket { bone, transform, .. } = *self.socket();
        BoneStart { bone, local: transform, model_from_parent: self.model_from_bone }
    }

    /// The edits that give the socket a transform.
    pub fn edits(&self, transform: Transform) -> Vec<Edit> {
        changed(self.index, &self.model, self.at, |socket| socket.transform = transform)
    }
}
