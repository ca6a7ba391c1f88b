//! Reducing clips to few poses, with the limit changed live: by fields of a panel, or by a typed number. Long clips are
//! searched in slices first.

use std::sync::Arc;

use crate::editor::document::edit::ClipEdit;
use crate::editor::gesture::Drag;
use crate::editor::gesture::typed::TypedNumber;
use crate::editor::posing::change::Change;
use crate::editor::session::pointer::ModalKey;
use keypose::anim::reduce_poses::{PoseReduction, PoseSearch};
use keypose::assets::id::ClipId;

/// The initial limit of the error in metres.
const START_ERROR: f32 = 0.01;

/// The work of a slice in bone transforms: some milliseconds.
const SLICE: usize = 100_000;

/// The limit of a reduction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoseLimit {
    /// The number of poses of each clip.
    Poses(usize),
    /// The largest error, in metres at the model's size in the game.
    Error(f32),
}

/// A reduction in progress.
#[derive(Clone, Debug)]
pub struct PoseDrag {
    clips: Vec<(ClipId, Arc<PoseReduction>)>,
    /// The clips that are not searched yet, the next one last.
    pending: Vec<(ClipId, PoseSearch)>,
    /// Metres per model unit in the game.
    scale: f32,
    limit: PoseLimit,
    typed: TypedNumber,
}

/// The numbers of a reduction, summed over its clips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseFigures {
    /// The number of clips.
    pub clips: usize,
    /// The number of keyframes before.
    pub keyframes: usize,
    /// The number of poses after.
    pub poses: usize,
    /// The largest error in metres.
    pub error: f32,
}

impl PoseDrag {
    /// Starts with the poses that keep within a centimetre, and searches the first slice.
    pub fn new(mut searches: Vec<(ClipId, PoseSearch)>, scale: f32) -> PoseDrag {
        searches.reverse();
        let (limit, typed) = (PoseLimit::Error(START_ERROR), TypedNumber::default());
        let mut drag = PoseDrag { clips: Vec::new(), pending: searches, scale: scale.max(1e-9), limit, typed };
        drag.search();
        drag
    }

    /// Searches the next slice. The first preview comes when all clips are searched.
    pub fn search(&mut self) -> Drag {
        let Some((_, search)) = self.pending.last_mut() else { return Drag::Ignore };
        if search.advance(SLICE)
            && let Some((clip, search)) = self.pending.pop()
        {
            self.clips.push((clip, Arc::new(search.into_reduction())));
        }
        if self.pending.is_empty() { Drag::Preview(self.change()) } else { Drag::Ignore }
    }

    /// The fraction that is searched, from 0 to 1; `None` when all is.
    pub fn progress(&self) -> Option<f32> {
        let next = self.pending.last()?;
        let keyframes = |search: &PoseSearch| search.keyframes() as f32;
        let done: f32 = self.clips.iter().map(|(_, reduction)| reduction.most() as f32).sum();
        let left: f32 = self.pending.iter().map(|(_, search)| keyframes(search)).sum();
        Some((done + next.1.progress() * keyframes(&next.1)) / (done + left).max(1.0))
    }

    /// The number of the clip that is searched, from 1, and the number of all clips; `None` when all are searched.
    pub fn searched_clip(&self) -> Option<(usize, usize)> {
        let all = self.clips.len() + self.pending.len();
        (!self.pending.is_empty()).then_some((self.clips.len() + 1, all))
    }

    /// Sets the limit.
    pub fn set(&mut self, limit: PoseLimit) -> Drag {
        (self.limit, self.typed) = (limit, TypedNumber::default());
        self.preview()
    }

    /// Handles a key: digits are the number of poses of one clip, or millimetres for several.
    pub fn key(&mut self, key: ModalKey) -> Drag {
        if let (ModalKey::Confirm, Some(_)) = (key, self.progress()) {
            return Drag::Refuse("The poses are still being searched.".into());
        }
        if let Some(drag) = self.typed.key(key) {
            return drag;
        }
        if let Some(number) = self.typed.value().filter(|number| *number >= 0.0) {
            self.limit = match self.clips.len() + self.pending.len() {
                1 => PoseLimit::Poses(number as usize),
                _ => PoseLimit::Error(number as f32 / 1000.0),
            };
        }
        self.preview()
    }

    fn preview(&self) -> Drag {
        if self.pending.is_empty() { Drag::Preview(self.change()) } else { Drag::Ignore }
    }

    /// The whole change since the start.
    pub fn change(&self) -> Change {
        let reduced = self.clips.iter().filter(|(_, reduction)| self.poses(reduction) < reduction.most());
        let edit = |(clip, reduction): &(ClipId, Arc<PoseReduction>)| {
            let with = Box::new(reduction.clip(self.poses(reduction)));
            ClipEdit::ReplaceClip { clip: *clip, with }.into()
        };
        Change::Edits(reduced.map(edit).collect())
    }

    fn poses(&self, reduction: &PoseReduction) -> usize {
        match self.limit {
            PoseLimit::Poses(poses) => poses.clamp(reduction.least(), reduction.most()),
            PoseLimit::Error(metres) => reduction.poses_within(metres / self.scale),
        }
    }

    /// The numbers of the reduction as it is now.
    pub fn figures(&self) -> PoseFigures {
        let reductions = || self.clips.iter().map(|(_, reduction)| reduction);
        let error = |reduction: &Arc<PoseReduction>| match self.poses(reduction) {
            all if all == reduction.most() => 0.0,
            poses => reduction.error(poses),
        };
        PoseFigures {
            clips: self.clips.len(),
            keyframes: reductions().map(|reduction| reduction.most()).sum(),
            poses: reductions().map(|reduction| self.poses(reduction)).sum(),
            error: reductions().map(error).fold(0.0, f32::max) * self.scale,
        }
    }

    /// The limit of the error in metres; the error itself while the number of poses is the limit.
    pub fn max_error(&self) -> f32 {
        match self.limit {
            PoseLimit::Error(metres) => metres,
            PoseLimit::Poses(_) => self.figures().error,
        }
    }

    /// The status line: "9 of 73 poses"; `None` during the search, whose progress is in the bar.
    pub fn status(&self) -> Option<String> {
        if self.progress().is_some() {
            return None;
        }
        let PoseFigures { keyframes, poses, .. } = self.figures();
        Some(format!("{poses} of {keyframes} keyframes{}", self.typed.status()))
    }
}
