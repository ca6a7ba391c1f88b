//! A set of channels of eight neighbouring bones.

use crate::anim::key::Channel;

/// Channels of eight neighbouring bones as a set of bits: in a baked clip, the channels that are animated in any of the eight.
/// Two more bits say how their rotations are stored and blended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Channels(u8);

impl Channels {
    /// No channel.
    pub const NONE: Channels = Channels(0);
    /// Bit 0: x, y, z.
    pub const TRANSLATION: Channels = Channels(1);
    /// Bit 1: x, y, z, w.
    pub const ROTATION: Channels = Channels(2);
    /// Bit 2: x, y, z.
    pub const SCALE: Channels = Channels(4);
    /// Translation and scale.
    pub const VECTORS: Channels = Channels(5);
    /// Translation, rotation and scale.
    pub const ALL: Channels = Channels(7);
    /// Bit 3, only together with [`Channels::ROTATION`]: neighbouring samples are so far apart that a normalized linear
    /// blend would deviate from slerp. The blend weight is corrected bone by bone, see
    /// [`crate::anim::bake::sampled_poses::SLERP_CORRECTION`].
    pub const SLERP_CORRECTED: Channels = Channels(8);

    /// Bit 4, only together with [`Channels::ROTATION`] in [`crate::anim::bake::packed_samples`]: w of the rotations is not
    /// stored. It is never negative and follows from x, y and z.
    pub const DERIVED_W: Channels = Channels(16);

    /// The set of these bits, which may include unknown ones: see [`Channels::is_valid`].
    pub const fn from_bits(bits: u8) -> Channels {
        Channels(bits)
    }

    /// The bits of the set.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns true if all of `other` is in the set.
    #[inline(always)]
    pub const fn has(self, other: Channels) -> bool {
        self.0 & other.0 == other.0
    }

    /// The union of two sets.
    pub const fn with(self, other: Channels) -> Channels {
        Channels(self.0 | other.0)
    }

    /// The set without `other`.
    pub const fn without(self, other: Channels) -> Channels {
        Channels(self.0 & !other.0)
    }

    /// Translation and scale, if they are in the set.
    #[inline(always)]
    pub const fn vectors(self) -> Channels {
        Channels(self.0 & Channels::VECTORS.0)
    }

    /// Returns true if the set has only bits of channels, and bits of `extra` only together with rotations.
    pub fn is_valid(self, extra: Channels) -> bool {
        Channels::ALL.with(extra).has(self) && (self.has(Channels::ROTATION) || Channels::ALL.has(self))
    }

    /// The stored components of the set, as indices into [`crate::anim::pose::TransformLanes::components`].
    pub fn components(self) -> impl Iterator<Item = usize> {
        let rotation = if self.has(Channels::DERIVED_W) { 3..6 } else { 3..7 };
        let channels = [(Channels::TRANSLATION, 0..3), (Channels::ROTATION, rotation), (Channels::SCALE, 7..10)];
        channels.into_iter().filter(move |(channel, _)| self.has(*channel)).flat_map(|(_, components)| components)
    }
}

impl From<Channel> for Channels {
    /// A scalar is in no set: it is no part of a transform.
    fn from(channel: Channel) -> Channels {
        match channel {
            Channel::Translation => Channels::TRANSLATION,
            Channel::Rotation => Channels::ROTATION,
            Channel::Scale => Channels::SCALE,
            Channel::Scalar(_) => Channels::NONE,
        }
    }
}
