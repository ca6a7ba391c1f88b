//! Transforms of a socket or a volume on a bone, instead of bones.

use glam::Quat;

use crate::editor::gesture::transform::BoneStart;
use crate::editor::gesture::transform::socket::SocketStart;
use crate::editor::gesture::transform::volume::VolumeStart;
use crate::editor::ops::posed::Posed;
use crate::editor::posing::change::Change;
use crate::editor::session::Session;
use crate::editor::view::View;
use keypose::anim::key::Channel;

/// Something on a bone.
#[derive(Clone, Debug)]
pub enum Part {
    /// A hit volume, a hurt volume or a collider.
    Volume(Box<VolumeStart>),
    Socket(SocketStart),
}

impl Part {
    /// The selected one in the pose on screen; `None` if bones are transformed.
    pub fn of(view: &View, session: &Session) -> Option<Part> {
        let volume = || VolumeStart::of(view, session).map(Box::new).map(Part::Volume);
        SocketStart::of(view, session).map(Part::Socket).or_else(volume)
    }

    pub fn name(&self) -> &'static str {
        match self {
            Part::Volume(_) => "volume",
            Part::Socket(_) => "socket",
        }
    }

    /// The transform, as if the part were a bone.
    pub fn as_bone(&self) -> BoneStart {
        match self {
            Part::Volume(volume) => volume.as_bone(),
            Part::Socket(socket) => socket.as_bone(),
        }
    }

    /// The change after a transform that posed it like this.
    pub fn change(&self, posed: &[Posed]) -> Change {
        let mut transform = self.as_bone().local;
        for Posed { channel, value, .. } in posed {
            match channel {
                Channel::Translation => transform.translation = value.truncate(),
                Channel::Rotation => transform.rotation = Quat::from_vec4(*value).normalize(),
                Channel::Scale => transform.scale = value.truncate(),
                Channel::Scalar(_) => {}
            }
        }
        Change::Edits(match self {
            Part::Volume(volume) => volume.edits(&transform),
            Part::Socket(socket) => socket.edits(transform),
        })
    }
}
