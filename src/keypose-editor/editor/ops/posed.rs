//! A posed channel.

use glam::Vec4;
use keypose::anim::key::Channel;
use keypose::anim::skeleton::BoneIndex;

/// A new value of a bone's channel, which becomes a key or a part of the draft.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posed {
    pub bone: BoneIndex,
    /// The channel of the bone.
    pub channel: Channel,
    /// In the form of [`keypose::anim::key::Key::value`].
    pub value: Vec4,
}
