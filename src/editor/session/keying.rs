//! The settings of keying: auto-key and the key mask.

use crate::anim::key::Channel;
use crate::anim::skeleton::{BoneIndex, Skeleton};

/// Whether posing sets keys automatically.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AutoKey {
    /// If the playhead is on a keyframe.
    #[default]
    OnKeyframes,
    /// Always; keyframes are created.
    Always,
    /// Never: posing makes drafts.
    Never,
}

impl AutoKey {
    /// All, in menu order.
    pub const ALL: [AutoKey; 3] = [AutoKey::OnKeyframes, AutoKey::Always, AutoKey::Never];

    /// The label in panels.
    pub fn name(self) -> &'static str {
        match self {
            AutoKey::OnKeyframes => "on keyframes",
            AutoKey::Always => "always",
            AutoKey::Never => "never",
        }
    }
}

/// A set of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct KeyMask {
    pub translation: bool,
    pub rotation: bool,
    pub scale: bool,
    pub scalars: bool,
}

impl KeyMask {
    /// All channels.
    pub const ALL: KeyMask = KeyMask { translation: true, rotation: true, scale: true, scalars: true };

    /// One channel.
    pub fn only(channel: Channel) -> KeyMask {
        let is = |wanted| channel == wanted;
        let (translation, rotation) = (is(Channel::Translation), is(Channel::Rotation));
        KeyMask { translation, rotation, scale: is(Channel::Scale), scalars: channel.scalar().is_some() }
    }

    /// Whether the channel is included.
    pub fn has(self, channel: Channel) -> bool {
        match channel {
            Channel::Translation => self.translation,
            Channel::Rotation => self.rotation,
            Channel::Scale => self.scale,
            Channel::Scalar(_) => self.scalars,
        }
    }

    /// The included channels of a bone: of its transform, then its scalars.
    pub fn channels(self, skeleton: &Skeleton, bone: BoneIndex) -> impl Iterator<Item = Channel> + '_ {
        let scalars = skeleton.scalars_of(bone).map(|(scalar, _)| Channel::Scalar(scalar));
        Channel::ALL.into_iter().chain(scalars).filter(move |&channel| self.has(channel))
    }
}

/// What a command keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyWhat {
    /// All bones, the channels of the key mask.
    All,
    /// The selected bones, the channels of the key mask.
    Selected,
    /// The channels of the draft.
    Changed,
}
