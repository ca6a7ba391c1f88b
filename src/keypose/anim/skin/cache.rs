//! Palettes precomputed at even times or at keyframes, for characters that need no pose: trades memory for time. Played by nearest
//! frame, or with blended matrices (as in "Skinned mesh animation using matrices", 2012), which shrinks vertices if a bone rotates
//! far between two frames.

use glam::Mat4;

use crate::anim::bake::BakedClip;
use crate::anim::clip::Clip;
use crate::anim::mat34::Mat3x4;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::skin::{Skin, palette};
use crate::anim::time::{FrameRate, Time};

/// The palettes of one clip for one skin.
#[derive(Clone, Debug, PartialEq)]
pub struct PaletteCache {
    /// Palette by palette, each as long as the skin has joints.
    matrices: Vec<Mat3x4>,
    joints: usize,
    /// Ascending, at least one.
    times: Vec<Time>,
}

impl PaletteCache {
    /// Samples the clip at a rate, from its start to its end, both included; at most [`PaletteCache::MAX_FRAMES`].
    pub fn new(clip: &BakedClip, skeleton: &Skeleton, skin: &Skin, rate: FrameRate) -> PaletteCache {
        let spans = (rate.frames_in(clip.length).ceil() as usize).min(Self::MAX_FRAMES - 1);
        let way = |index: usize| Time((i128::from(clip.length.0) * index as i128 / spans.max(1) as i128) as i64);
        PaletteCache::at(clip, skeleton, skin, (0..=spans).map(way).collect())
    }

    /// The matrices of all bones in model space, at the keyframes of a clip and at its end.
    pub fn of_keyframes(source: &Clip, clip: &BakedClip, skeleton: &Skeleton) -> PaletteCache {
        let bones = 0..skeleton.len() as BoneIndex;
        let skin =
            Skin { inverse_binds: vec![Mat4::IDENTITY; bones.len()], joints: bones.collect(), ..Skin::default() };
        PaletteCache::at(clip, skeleton, &skin, keyframe_times(source, clip.length))
    }

    /// The number of poses of [`PaletteCache::of_keyframes`], and their size in memory.
    pub fn size_of_keyframes(source: &Clip, skeleton: &Skeleton) -> (usize, usize) {
        let times = keyframe_times(source, source.length()).len();
        (times, times * skeleton.len() * size_of::<Mat3x4>())
    }

    fn at(clip: &BakedClip, skeleton: &Skeleton, skin: &Skin, times: Vec<Time>) -> PaletteCache {
        let joints = skin.joints.len().min(skin.inverse_binds.len());
        let (mut local, mut model, mut frame) = (LocalPose::default(), ModelPose::default(), Vec::new());
        let mut matrices = Vec::with_capacity(times.len() * joints);
        for &time in &times {
            clip.sample(time, &mut local);
            model.compute(skeleton, &local);
            palette::compute(skin, &model, &mut frame);
            matrices.extend_from_slice(&frame);
        }
        PaletteCache { matrices, joints, times }
    }

    /// Maximum number of frames; those of a longer clip are farther apart.
    pub const MAX_FRAMES: usize = 4096;

    /// The number of frames; at least one.
    pub fn frames(&self) -> usize {
        self.times.len()
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
        let (from, to) = (self.frame(frame), self.frame((frame + 1).min(self.frames() - 1)));
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
        let frame = self.times.partition_point(|start| *start <= time).saturating_sub(1);
        let Some(&next) = self.times.get(frame + 1) else { return (frame, 0.0) };
        let start = self.times[frame];
        (frame, ((time - start).fraction_of(next - start) as f32).clamp(0.0, 1.0))
    }
}

/// The starts of keyframes, and the end; of very many keyframes only some.
fn keyframe_times(clip: &Clip, end: Time) -> Vec<Time> {
    let every = clip.keyframes.len().div_ceil(PaletteCache::MAX_FRAMES - 1).max(1);
    let mut times: Vec<Time> = clip.starts().step_by(every).chain([end]).collect();
    times.dedup();
    times
}
