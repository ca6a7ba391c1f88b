//! Palettes precomputed at even times, for crowds that need no pose: trades memory for time. Played by nearest frame,
//! or with blended matrices (as in "Skinned mesh animation using matrices", 2012), which shrinks vertices if a bone
//! rotates far between two frames.

use crate::anim::bake::BakedClip;
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::Skeleton;
use crate::anim::skin::{Skin, palette};
use crate::anim::time::{FrameRate, Time};

/// The palettes of one clip for one skin.
#[derive(Clone, Debug, PartialEq)]
pub struct PaletteCache {
    /// Palette by palette, each as long as the skin has joints.
    matrices: Vec<Mat3x4>,
    joints: usize,
    frames: usize,
    length: Time,
}

impl PaletteCache {
    /// Samples the clip at a rate, from its start to its end, both included; at most [`PaletteCache::MAX_FRAMES`].
    pub fn new(clip: &BakedClip, skeleton: &Skeleton, skin: &Skin, rate: FrameRate) -> PaletteCache {
        let spans = (rate.frames_in(clip.length).ceil() as usize).min(Self::MAX_FRAMES - 1);
        let joints = skin.joints.len().min(skin.inverse_binds.len());
        let (mut local, mut model, mut frame) = (LocalPose::default(), ModelPose::default(), Vec::new());
        let mut matrices = Vec::with_capacity((spans + 1) * joints);
        for index in 0..=spans {
            let way = i128::from(clip.length.0) * index as i128 / spans.max(1) as i128;
            clip.sample(Time(way as i64), &mut local);
            model.compute(skeleton, &local);
            palette::compute(skin, &model, &mut frame);
            matrices.extend_from_slice(&frame);
        }
        PaletteCache { matrices, joints, frames: spans + 1, length: clip.length }
    }

    /// Maximum number of frames; those of a longer clip are farther apart.
    pub const MAX_FRAMES: usize = 4096;

    /// The number of frames; at least one.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Size of the matrices in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.matrices[..])
    }

    /// The palette of the frame at or before a clip time, which is clamped. Computes nothing.
    pub fn nearest(&self, time: Time) -> &[Mat3x4] {
        self.frame(self.place(time).0)
    }

    /// Blends the matrices of the two frames around a clip time. Not rigid between frames.
    pub fn mixed(&self, time: Time, palette: &mut Vec<Mat3x4>) {
        let (frame, fraction) = self.place(time);
        let (from, to) = (self.frame(frame), self.frame((frame + 1).min(self.frames - 1)));
        let blend = |(from, to): (&Mat3x4, &Mat3x4)| Mat3x4 {
            rows: std::array::from_fn(|row| from.rows[row].lerp(to.rows[row], fraction)),
        };
        palette.clear();
        palette.extend(from.iter().zip(to).map(blend));
    }

    fn frame(&self, frame: usize) -> &[Mat3x4] {
        &self.matrices[frame * self.joints..(frame + 1) * self.joints]
    }

    /// The frame at or before a time, and the fraction of the way to the next.
    fn place(&self, time: Time) -> (usize, f32) {
        let way =
            time.clamp(Time::ZERO, self.length.max(Time::ZERO)).fraction_of(self.length) * (self.frames - 1) as f64;
        (way as usize, way.fract() as f32)
    }
}
