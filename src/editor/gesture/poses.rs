//! Reducing clips to few poses, with the limit changed live: by fields of a panel, or by a typed number.

use std::sync::Arc;

use crate::anim::reduce_poses::PoseReduction;
use crate::assets::id::ClipId;
use crate::editor::document::edit::ClipEdit;
use crate::editor::gesture::Drag;
use crate::editor::gesture::typed::TypedNumber;
use crate::editor::posing::change::Change;
use crate::editor::session::pointer::ModalKey;

/// The initial limit of the error in metres.
const START_ERROR: f32 = 0.01;

/// What limits the number of poses.
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
    /// Starts with the poses that keep within a centimetre.
    pub fn new(clips: Vec<(ClipId, Arc<PoseReduction>)>, scale: f32) -> PoseDrag {
        PoseDrag { clips, scale: scale.max(1e-9), limit: PoseLimit::Error(START_ERROR), typed: TypedNumber::default() }
    }

    /// Sets the limit.
    pub fn set(&mut self, limit: PoseLimit) -> Drag {
        (self.limit, self.typed) = (limit, TypedNumber::default());
        Drag::Preview(self.change())
    }

    /// Handles a key: digits are the number of poses of one clip, or millimetres for several.
    pub fn key(&mut self, key: ModalKey) -> Drag {
        if let Some(drag) = self.typed.key(key) {
            return drag;
        }
        if let Some(number) = self.typed.value().filter(|number| *number >= 0.0) {
            self.limit = match self.clips.len() {
                1 => PoseLimit::Poses(number as usize),
                _ => PoseLimit::Error(number as f32 / 1000.0),
            };
        }
        Drag::Preview(self.change())
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

    /// The status line: "9 of 73 poses".
    pub fn status(&self) -> String {
        let PoseFigures { keyframes, poses, .. } = self.figures();
        format!("{poses} of {keyframes} keyframes{}", self.typed.status())
    }
}
