//! The settings of ghosts, and keyframes that are pinned as ghosts. Their poses are computed in [`crate::editor::view::ghosts`].
//! Not saved with the document.

use crate::editor::ops::choice::choice;
use crate::editor::ops::keyframe_match;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::render::frame::color::Color;
use keypose::anim::clip::Clip;
use keypose::assets::id::ClipId;

choice! {
    /// The step between neighbouring ghosts.
    #[derive(Default)]
    pub enum GhostStep {
        /// One keyframe.
        #[default]
        Keyframes = "keyframes",
        /// One extreme.
        Extremes = "extremes",
        /// One extreme or breakdown.
        Marked = "extremes and breakdowns",
        /// One frame of the clip's grid.
        Frames = "frames",
    }
}

/// The side of the playhead on which a pose is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
}

/// Which ghosts are shown, besides those with a switch, and how all of them look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ghosts {
    /// The number of neighbours before and after the playhead, each at most [`Ghosts::MAX`].
    pub neighbours: [u8; 2],
    /// The step between neighbours.
    pub step: GhostStep,
    /// Another clip of the model, at the same fraction of its length.
    pub clip: Option<ClipId>,
    /// The colours of ghosts before and after the playhead.
    pub tints: [Color; 2],
    /// The opacity of the nearest ghost in percent, at least [`Ghosts::MIN_OPACITY`].
    pub opacity: u8,
    /// How much fainter each neighbour is than the one before it, in percent.
    pub fade: u8,
}

impl Default for Ghosts {
    fn default() -> Ghosts {
        Ghosts {
            neighbours: [2; 2],
            step: GhostStep::default(),
            clip: None,
            tints: [Color::hex(0x5a8dee), Color::hex(0xff9d3d)],
            opacity: 30,
            fade: 45,
        }
    }
}

impl Ghosts {
    /// The maximum number of neighbours on one side.
    pub const MAX: u8 = 8;
    /// The lowest visible opacity, in percent.
    pub const MIN_OPACITY: u8 = 5;

    /// One more neighbour on both sides.
    pub fn more(self) -> Ghosts {
        Ghosts { neighbours: self.neighbours.map(|count| count.saturating_add(1)), ..self }
    }

    /// One neighbour less on both sides.
    pub fn fewer(self) -> Ghosts {
        Ghosts { neighbours: self.neighbours.map(|count| count.saturating_sub(1)), ..self }
    }

    /// The settings clamped to valid ranges.
    pub fn clamped(self) -> Ghosts {
        Ghosts {
            neighbours: self.neighbours.map(|count| count.min(Ghosts::MAX)),
            tints: self.tints.map(|tint| tint.with_alpha(1.0)),
            opacity: self.opacity.clamp(Ghosts::MIN_OPACITY, 100),
            fade: self.fade.min(100),
            ..self
        }
    }
}

/// Pinned keyframes of one clip.
#[derive(Clone, Debug, PartialEq)]
pub struct PinnedKeyframes {
    pub clip: ClipId,
    /// Not empty.
    pub keyframes: BTreeSet<usize>,
    /// The clip at the time when the indices were valid.
    of: Arc<Clip>,
}

impl PinnedKeyframes {
    /// Adds the selected keyframes of a clip; removes them if all of them are pinned. `None` if none is left.
    pub fn toggled(
        before: Option<PinnedKeyframes>,
        id: ClipId,
        clip: &Arc<Clip>,
        selected: &BTreeSet<usize>,
    ) -> Option<PinnedKeyframes> {
        let before_pins = before.filter(|before| before.clip == id).map(|before| before.keyframes).unwrap_or_default();
        let keyframes: BTreeSet<usize> =
            if selected.is_subset(&before_pins) { &before_pins - selected } else { &before_pins | selected };
        (!keyframes.is_empty()).then(|| PinnedKeyframes { clip: id, keyframes, of: clip.clone() })
    }

    /// The indices after an edit; `None` if no keyframe is left.
    pub fn followed(self, now: &Arc<Clip>) -> Option<PinnedKeyframes> {
        if Arc::ptr_eq(&self.of, now) {
            return Some(self);
        }
        let before = keyframe_match::before(&self.of, now, usize::MAX);
        let is_pinned = |before: &Option<usize>| before.is_some_and(|before| self.keyframes.contains(&before));
        let keyframes: BTreeSet<usize> = (0..before.len()).filter(|&at| is_pinned(&before[at])).collect();
        (!keyframes.is_empty()).then(|| PinnedKeyframes { keyframes, of: now.clone(), ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_their_range() {
        let ghosts = Ghosts { neighbours: [3, 8], opacity: 0, fade: 200, ..Ghosts::default() };
        let more = ghosts.more().clamped();
        assert_eq!((more.neighbours, more.opacity, more.fade), ([4, 8], 5, 100));
        assert_eq!(Ghosts { neighbours: [0, 2], ..ghosts }.fewer().neighbours, [0, 1]);
    }
}
