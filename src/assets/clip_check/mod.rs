//! What may be wrong with a clip: feet that slide, a loop that does not close, bones that stretch, keys that say nothing.
//! A pure function of the clip and of what is known of its model; the editor's panel and `keypose check` show the same.

use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::assets::clip_names::words;
use crate::assets::fit::{deform_bones, fit};
use crate::assets::machine::State;
use crate::assets::model::Model;

mod feet;
mod keys;
mod seam;
mod stretch;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A foot on the ground does not stay where it stands. The figure is how far it slides, in model units.
    FootSlide,
    /// A loop ends in another pose than it begins with. The figure is the largest distance, in model units.
    SeamJump,
    /// A bone changes its speed at the seam of a loop as it does nowhere else. The figure is by how many model units a
    /// second.
    SeamSpeed,
    /// Two keyframes that follow each other have the same keys. The figure is how long nothing moves, in seconds.
    SameKeyframes,
    /// A rotation has another sign than the one before it. The figure is the angle that it turns, in degrees.
    Flip,
    /// Keys for a bone that the skeleton lacks. The figure is how many.
    MissingBone,
    /// A bone is longer or shorter than in the rest pose. The figure is its length, 1 being that of the rest pose.
    Stretch,
    /// A keyframe lasts no time. The figure is 0.
    ZeroDuration,
}

impl Kind {
    /// The word for reports that programs read.
    pub fn word(self) -> &'static str {
        match self {
            Kind::FootSlide => "foot-slide",
            Kind::SeamJump => "seam-jump",
            Kind::SeamSpeed => "seam-speed",
            Kind::SameKeyframes => "same-keyframes",
            Kind::Flip => "rotation-flip",
            Kind::MissingBone => "missing-bone",
            Kind::Stretch => "stretched-bone",
            Kind::ZeroDuration => "zero-duration",
        }
    }
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// It shows when the clip plays.
    Warning,
    /// It may well be meant.
    Hint,
}

impl Severity {
    /// The word for panels and reports.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

/// One finding about one clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is.
    pub kind: Kind,
    /// How much it matters.
    pub grade: Severity,
    /// Whose it is; `None` where it is the whole keyframe's. May lie past the skeleton's last bone.
    pub bone: Option<BoneIndex>,
    /// Where to look, in `0..=length` of the clip.
    pub time: Time,
    /// How much; see [`Kind`] for the unit.
    pub figure: f32,
    /// What is the matter, with bone, time and figure, in a few words.
    pub text: String,
    /// What to do about it, in a sentence.
    pub advice: &'static str,
}

/// Whether the clip's feet are meant to stand on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Footing {
    /// What stands on the ground should not slide.
    Ground,
    /// In the air, on a ladder, or falling: feet are not looked at.
    Elsewhere,
}

/// Words in a clip's name that say that it does not stand on its feet.
const OFF_THE_GROUND: [&str; 16] = [
    "jump", "jumping", "fall", "falling", "air", "climb", "climbing", "ladder", "fly", "flying", "swim", "swimming",
    "death", "die", "dead", "roll",
];

impl Footing {
    /// By the state of the game that shows the clip, else by the clip's name.
    pub fn of(model: &Model, clip: &str) -> Footing {
        let off = [State::Jump, State::Fall, State::Climb];
        let is_shown = off.into_iter().any(|state| model.machine.clip_of(state) == Some(clip));
        let is_named = words(clip).iter().any(|word| OFF_THE_GROUND.contains(&word.as_str()));
        if is_shown || is_named { Footing::Elsewhere } else { Footing::Ground }
    }
}

/// What a check must know of the model, made once for all its clips.
#[derive(Clone, Debug)]
pub struct Subject {
    skeleton: Arc<Skeleton>,
    rest: ModelPose,
    /// Bones that move vertices, in order; all where no mesh says.
    bones: Vec<usize>,
    /// What of each leg stands on the ground in the rest pose.
    legs: Vec<Vec<usize>>,
    /// The rest pose's height, in model units.
    height: f32,
}

impl Subject {
    /// Reads every vertex of the model once.
    pub fn of(model: &Model) -> Subject {
        let (fit, bones, rest) = (fit(model), deform_bones(model), model.skeleton.rest_model_pose());
        let legs = feet::of(&model.skeleton, &rest, &bones, fit.base.y, fit.height);
        Subject { skeleton: model.skeleton.clone(), rest, bones, legs, height: fit.height }
    }

    fn name(&self, bone: usize) -> &str {
        self.skeleton.bones().get(bone).map_or("", |bone| bone.name.as_str())
    }
}

/// Everything that is found in a clip, the gravest first, then in order of time.
pub fn check(subject: &Subject, clip: &Clip, footing: Footing) -> Vec<Finding> {
    let mut found = Vec::new();
    keys::check(subject, clip, &mut found);
    let sampler = Sampler::new(subject, clip);
    if footing == Footing::Ground {
        feet::check(subject, clip, &sampler, &mut found);
    }
    seam::check(subject, clip, &sampler, &mut found);
    stretch::check(subject, clip, &sampler, &mut found);
    found.sort_by_key(|finding| (finding.grade, finding.time, finding.kind, finding.bone));
    found
}

/// The exact poses of a clip: those that its tracks give, not those of a bake.
struct Sampler {
    tracks: Vec<Track>,
    rest: LocalPose,
}

impl Sampler {
    fn new(subject: &Subject, clip: &Clip) -> Sampler {
        let mut tracks = Track::all_of(clip);
        tracks.retain(|track| usize::from(track.bone) < subject.skeleton.len());
        Sampler { tracks, rest: subject.skeleton.rest_pose() }
    }

    fn local(&self, time: Time, pose: &mut LocalPose) {
        pose.copy_from(&self.rest);
        for track in &self.tracks {
            let bone = usize::from(track.bone);
            let mut transform = pose.get(bone);
            track.channel.put(&mut transform, track.sample(time));
            pose.set(bone, &transform);
        }
    }

    fn model(&self, subject: &Subject, time: Time) -> ModelPose {
        let (mut local, mut model) = (LocalPose::default(), ModelPose::default());
        self.local(time, &mut local);
        model.compute(&subject.skeleton, &local);
        model
    }
}

/// Most moments of a clip that are looked at.
const MAX_MOMENTS: i64 = 160;

/// Moments spread over a clip, both ends included: two a frame, fewer in long clips.
fn moments(clip: &Clip) -> Vec<Time> {
    let length = clip.length();
    if length <= Time::ZERO {
        return vec![Time::ZERO];
    }
    let wanted = (2.0 * clip.frame_rate.frames_in(length)).ceil() as i64;
    let count = wanted.clamp(8, MAX_MOMENTS);
    (0..=count).map(|at| Time((i128::from(length.0) * i128::from(at) / i128::from(count)) as i64)).collect()
}

/// A time as the editor shows it: "frame 6", with a part of a frame where it lies between two.
fn frame(clip: &Clip, time: Time) -> String {
    let frames = clip.frame_rate.frames_in(time);
    if (frames - frames.round()).abs() < 0.05 { format!("{:.0}", frames.round()) } else { format!("{frames:.1}") }
}
