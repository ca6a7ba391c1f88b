//! A draft pose: channels that were posed and not keyed, at one time of one clip.

use crate::anim::key::Key;
use crate::anim::time::Time;
use crate::assets::id::ClipId;

/// A pose in hand that is not keyed yet. Never lost by moving the playhead; playing and the game ignore it.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// Whose time line it stands on; `None` is the rest pose's (no clip is open).
    pub clip: Option<ClipId>,
    /// Where on it.
    pub time: Time,
    /// Sorted by [`Key::address`], each address at most once; never empty.
    pub keys: Vec<Key>,
}
