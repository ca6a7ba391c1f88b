//! A draft pose: channels that were posed and have no key yet, at one time of one clip.

use crate::anim::clip::KeyframeKind;
use crate::anim::key::Key;
use crate::anim::time::Time;
use crate::assets::id::ClipId;

/// Posed channels that have no key yet. Moving the playhead keeps them; playback and the game ignore them. `Clip`
/// identifies the clip: an id, or in an archive the name of a lump.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft<Clip = ClipId> {
    /// The clip that was posed; `None` for the rest pose.
    pub clip: Option<Clip>,
    /// The time in the clip.
    pub time: Time,
    /// The kind of the keyframe that it becomes.
    pub kind: KeyframeKind,
    /// Sorted by [`Key::address`], each address at most once; never empty.
    pub keys: Vec<Key>,
}
