//! The times at which motions are compared.

use crate::anim::clip::Clip;
use crate::anim::time::Time;

/// Parts of a keyframe, which begin with a sample: two, or one for each frame of a longer keyframe.
const PARTS: std::ops::RangeInclusive<i64> = 2..=64;

/// The samples: the start of each keyframe, and times between the starts.
#[derive(Clone, Debug)]
pub struct Grid {
    pub times: Vec<Time>,
    /// The sample at the start of each keyframe.
    starts: Vec<usize>,
}

impl Grid {
    pub fn of(clip: &Clip) -> Grid {
        let (starts, frame) = (clip.starts().collect::<Vec<_>>(), clip.frame_rate.frame());
        let mut grid = Grid { times: Vec::new(), starts: Vec::new() };
        for pair in starts.windows(2) {
            let parts = ((pair[1] - pair[0]) / frame.0.max(1)).0.clamp(*PARTS.start(), *PARTS.end());
            grid.starts.push(grid.times.len());
            grid.times.extend((0..parts).map(|at| pair[0] + (pair[1] - pair[0]) * at / parts));
        }
        grid.starts.push(grid.times.len());
        grid.times.extend(starts.last());
        grid
    }

    /// The number of keyframes.
    pub fn keyframes(&self) -> usize {
        self.starts.len()
    }

    /// The sample at the start of a keyframe.
    pub fn sample_of(&self, keyframe: usize) -> usize {
        self.starts[keyframe]
    }

    /// The start of a keyframe.
    pub fn start(&self, keyframe: usize) -> Time {
        self.times[self.starts[keyframe]]
    }

    /// The keyframe nearest to a sample; the later one of two.
    pub fn nearest(&self, sample: usize) -> usize {
        let after = self.starts.partition_point(|&start| start < sample).min(self.starts.len() - 1);
        let Some(before) = after.checked_sub(1) else { return after };
        let is_nearer = self.times[sample] - self.start(before) < self.start(after) - self.times[sample];
        if is_nearer { before } else { after }
    }

    /// The fraction of the time between two keyframes at a sample.
    pub fn fraction(&self, sample: usize, from: usize, to: usize) -> f64 {
        (self.times[sample] - self.start(from)).fraction_of(self.start(to) - self.start(from))
    }
}
