//! The settings of keying: auto-key and the key mask.

use crate::anim::key::Channel;

/// When posing makes keys by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AutoKey {
    /// With the playhead on a keyframe.
    #[default]
    OnKeyframes,
    /// Everywhere; keyframes are made.
    Always,
    /// Nowhere: posing makes drafts.
    Never,
}

impl AutoKey {
    /// All, in the order in which they are shown.
    pub const ALL: [AutoKey; 3] = [AutoKey::OnKeyframes, AutoKey::Always, AutoKey::Never];

    /// The words for panels.
    pub fn name(self) -> &'static str {
        match self {
            AutoKey::OnKeyframes => "on keyframes",
            AutoKey::Always => "always",
            AutoKey::Never => "never",
        }
    }
}

/// Which channels are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct KeyMask {
    pub translation: bool,
    pub rotation: bool,
    pub scale: bool,
}

impl KeyMask {
    /// Every channel.
    pub const ALL: KeyMask = KeyMask { translation: true, rotation: true, scale: true };

    /// One channel.
    pub fn only(channel: Channel) -> KeyMask {
        let is = |wanted| channel == wanted;
        let (translation, rotation) = (is(Channel::Translation), is(Channel::Rotation));
        KeyMask { translation, rotation, scale: is(Channel::Scale) }
    }

    /// True where the channel is meant.
    pub fn has(self, channel: Channel) -> bool {
        match channel {
            Channel::Translation => self.translation,
            Channel::Rotation => self.rotation,
            Channel::Scale => self.scale,
        }
    }

    /// The channels that are meant.
    pub fn channels(self) -> impl Iterator<Item = Channel> {
        Channel::ALL.into_iter().filter(move |&channel| self.has(channel))
    }
}

/// What is keyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyWhat {
    /// Every bone's channels, by the mask.
    All,
    /// The selected bones' channels, by the mask.
    Selected,
    /// The channels of the draft.
    Changed,
}
