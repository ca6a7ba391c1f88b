//! A posed channel.

use crate::anim::key::Channel;
use crate::anim::skeleton::BoneIndex;
use glam::Vec4;

/// A new value of a bone's channel, which becomes a key or a part of the draft.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posed {
    pub bone: BoneIndex,
    /// The channel of the bone.
    pub channel: Channel,
    /// In the form of [`crate::anim::key::Key::value`].
    pub value: Vec4,
}
