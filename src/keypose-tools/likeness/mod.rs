//! Whether a character stands as another one does in the same clip. Bones are found in each skeleton on its own, so that a wrong pair
//! of bones shows. Meshes are not looked at.

use crate::anim::clip::Clip;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::assets::bone_match::NamedBones;
use crate::clip_transfer::frames::Frames;
use crate::exact_poses::ExactPoses;
use crate::likeness::body::Body;
pub use crate::likeness::stance::Stance;

pub mod body;
pub mod stance;

/// Maximum number of times at which clips are compared.
const MAX_TIMES: i64 = 60;

/// Two characters.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    skeletons: [&'a Skeleton; 2],
    bodies: [Body; 2],
}

impl<'a> Pair<'a> {
    /// Finds the bodies of two characters. `None` if legs or arms are not found in both.
    pub fn new(source: NamedBones<'a>, target: NamedBones<'a>) -> Option<Pair<'a>> {
        let skeletons = [source.skeleton, target.skeleton];
        Some(Pair { skeletons, bodies: [Body::new(source)?, Body::new(target)?] })
    }

    /// How the second one stands, if the first one doesn't stand like that.
    pub fn new_stance(&self, source: &Clip, target: &Clip) -> Option<Stance> {
        let times = times(source);
        let [before, after] = [(0, source), (1, target)].map(|(of, clip)| frames(self.skeletons[of], clip, &times));
        Stance::of_one_alone((&self.bodies[1], &after), (&self.bodies[0], &before))
    }
}

/// Times of frames, spread over a clip.
pub fn times(clip: &Clip) -> Vec<Time> {
    let frames = clip.frame_rate.nearest_frame(clip.length()).max(0);
    let step = (frames / MAX_TIMES + 1).max(1);
    let inside = (0..=frames / step).map(|at| clip.frame_rate.time_of(at * step).min(clip.length()));
    inside.collect()
}

/// The poses of a clip.
pub fn frames(skeleton: &Skeleton, clip: &Clip, times: &[Time]) -> Vec<Frames> {
    let exact = ExactPoses::new(skeleton, clip);
    times.iter().map(|time| Frames::of(skeleton, &exact.at(*time))).collect()
}
