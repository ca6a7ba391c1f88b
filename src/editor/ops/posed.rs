//! A posed channel: the value that posing gives to a channel of a bone.

use crate::anim::key::Channel;
use crate::anim::skeleton::BoneIndex;
use glam::Vec4;

/// A new value of a bone's channel, as posing gives it. Whether it becomes a key or a draft is the editor's matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posed {
    /// Whose channel.
    pub bone: BoneIndex,
    /// Which channel.
    pub channel: Channel,
    /// As [`crate::anim::key::Key::value`] has it.
    pub value: Vec4,
}
