//! The settings of keying: auto-key and the key mask.

use crate::editor::ops::choice::choice;
use keypose::anim::key::Channel;
use keypose::anim::skeleton::{BoneIndex, Skeleton};

choice! {
    /// Whether posing sets keys automatically.
    #[derive(Default)]
    pub enum AutoKey {
        /// If the playhead is on a keyframe.
        #[default]
        OnKeyframes = "on keyframes",
        /// Always; keyframes are created.
        Always = "always",
        /// Never: posing makes drafts.
        Never = "never",
    }
}

/// A set of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyMask {
    pub translation: bool,
    pub rotation: bool,
    pub scale: bool,
    pub scalars: bool,
}

impl KeyMask {
    /// All channels.
    pub const ALL: KeyMask = KeyMask { translation: true, rotation: true, scale: true, scalars: true };

    /// The names of the parts, in their order.
    pub const NAMES: [&'static str; 4] = ["translation", "rotation", "scale", "values"];

    /// A mask of some parts.
    pub fn of([translation, rotation, scale, scalars]: [bool; 4]) -> KeyMask {
        KeyMask { translation, rotation, scale, scalars }
    }

    /// Which parts are included.
    pub fn parts(self) -> [bool; 4] {
        [self.translation, self.rotation, self.scale, self.scalars]
    }

    /// The mask with a part switched. One part at least stays: without any, nothing could be keyed.
    pub fn toggled(self, part: usize) -> KeyMask {
        let mut parts = self.parts();
        if let Some(is_on) = parts.get_mut(part) {
            *is_on = !*is_on;
        }
        if parts.contains(&true) { KeyMask::of(parts) } else { self }
    }

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

/// The channels that a command keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyWhat {
    /// All bones, the channels of the key mask.
    All,
    /// The selected bones, the channels of the key mask.
    Selected,
    /// The channels of the draft.
    Changed,
}
