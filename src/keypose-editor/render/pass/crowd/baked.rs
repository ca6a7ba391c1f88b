//! The clips of a crowd as a texture: the matrices of each frame, frame after frame.

use crate::render::frame::crowd::{Crowd, CrowdRig, clip_time, cycle};
use crate::render::gl::context::Context;
use crate::render::gl::error::GlError;
use crate::render::gl::texture::Texture;
use crate::render::pass::crowd::table::{ROW, rows_for, texels_of, texture_of};
use keypose::anim::bake::BakedClip;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skin::palette;
use keypose::anim::time::Time;

/// Frames per second, if there is room for them.
const RATE: f64 = 60.0;

/// The texture and where each clip begins in it.
pub struct BakedClips {
    pub texture: Texture,
    /// For each clip its first row of texels and the number of spans between its frames.
    pub clips: Vec<BakedRange>,
}

/// The place of a clip.
#[derive(Clone, Copy)]
pub struct BakedRange {
    pub row: usize,
    pub frames: usize,
}

impl BakedClips {
    /// Samples the clips 60 times per second, less often if the driver's largest texture has no room for that.
    pub fn new(context: &Context, crowd: &Crowd, rig: &CrowdRig) -> Result<BakedClips, GlError> {
        let most = context.limits().texture_size as usize;
        let mut rate = RATE;
        while rows(crowd, rig, rate) > most && rate > 0.5 {
            rate /= 2.0;
        }
        let (mut texels, mut clips) = (Vec::new(), Vec::new());
        for clip in &crowd.clips {
            let frames = frames_of(clip, rate);
            clips.push(BakedRange { row: texels.len() / ROW, frames });
            sample_into(&mut texels, clip, frames, (crowd, rig));
            texels.resize(rows_for(texels.len()) * ROW, [0.0; 4]);
        }
        // What has no room even so is left out; its characters stand in the origin.
        texels.truncate(most * ROW);
        Ok(BakedClips { texture: texture_of(context, texels)?, clips })
    }
}

fn frames_of(clip: &BakedClip, rate: f64) -> usize {
    ((cycle(clip).secs() * rate).round() as usize).clamp(1, 1 << 14)
}

fn rows(crowd: &Crowd, rig: &CrowdRig, rate: f64) -> usize {
    let texels = |frames: usize| (frames + 1) * rig.skin.joints.len() * 3;
    crowd.clips.iter().map(|clip| rows_for(texels(frames_of(clip, rate)))).sum()
}

fn sample_into(texels: &mut Vec<[f32; 4]>, clip: &BakedClip, frames: usize, (crowd, rig): (&Crowd, &CrowdRig)) {
    let cycle = cycle(clip);
    let (mut local, mut model, mut matrices) = (LocalPose::default(), ModelPose::default(), Vec::new());
    for frame in 0..=frames {
        let place = Time((i128::from(cycle.0) * frame as i128 / frames as i128) as i64);
        clip.sample(clip_time(clip, place), &mut local);
        model.compute(&crowd.model.skeleton, &local);
        palette::compute(&rig.skin, &model, &mut matrices);
        texels.extend(matrices.iter().flat_map(texels_of));
    }
}
