//! Finds probable faults of a clip: sliding feet, loops that don't close, stretched bones, redundant keys. A pure function of
//! the clip and its model, used by the editor's panel and by `keypose check`.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::anim::ik::limit::Limit;
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::assets::clip_event::Names;
use crate::assets::clip_names::words;
use crate::assets::combat::Lanes;
use crate::assets::fit::{Fit, deform_bones, fit};
use crate::assets::gait::{Gait, walking_from};
use crate::assets::machine::State;
use crate::assets::model::Model;
use crate::balance::{Balance, Volumes};
use crate::exact_poses::ExactPoses;
use crate::lengths::length_text;
use crate::likeness::body::Body;

mod balance;
pub mod contacts;
mod events;
mod feet;
mod groups;
mod keys;
mod lanes;
mod limits;
mod root;
mod seam;
mod stance;
mod stretch;

pub(crate) use feet::of as legs_of;
pub use groups::{Group, groups};

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A foot slides on the ground. The figure is the distance in model units.
    FootSlide,
    /// A loop ends in a different pose than it begins. The figure is the largest distance in model units.
    SeamJump,
    /// A bone changes its speed at the seam of a loop more than anywhere else. The figure is the change in model units per
    /// second.
    SeamSpeed,
    /// The character doesn't stand in the whole clip. The figure is the angle of its trunk in degrees.
    Lying,
    /// The character floats above the ground, or a foot is far below it. The figure is the height in leg lengths.
    Height,
    /// Two consecutive keyframes have the same keys. The figure is the time without movement in seconds.
    SameKeyframes,
    /// The quaternion of a rotation has the opposite sign of the one before it. The figure is the angle in degrees.
    Flip,
    /// Keys for a bone that the skeleton lacks. The figure is their number.
    MissingBone,
    /// A bone is longer or shorter than in the rest pose. The figure is the ratio.
    Stretch,
    /// A joint is beyond its limit at a keyframe. The figure is the angle in degrees.
    BeyondLimit,
    /// A keyframe has no duration. The figure is 0.
    ZeroDuration,
    /// A hit has no volume. The figure is 0.
    HitWithoutVolume,
    /// A range of a lane has no tick of the game. The figure is 0.
    EmptyRange,
    /// A range of a lane ends after the clip. The figure is the time after the end in seconds.
    RangePastEnd,
    /// A lane names a hurt volume or a bone that the model lacks. The figure is 0.
    MissingVolume,
    /// An event names a sound, an effect, a socket or a model that the archive lacks. The figure is 0.
    MissingName,
    /// The root travels while root motion is off. The figure is the distance in model units.
    RootMotionOff,
    /// A bone below the root travels while root motion is on. The figure is the distance in model units.
    RootStays,
    /// A bone moves while it is in contact. The figure is the distance in model units.
    ContactSlide,
    /// In the air, the centre of mass leaves its ballistic arc. The figure is the distance in model units.
    OffArc,
    /// The centre of mass is beside its support for long. The figure is the distance in model units.
    OutOfBalance,
}

impl Kind {
    /// The name in machine-readable reports.
    pub fn word(self) -> &'static str {
        match self {
            Kind::FootSlide => "foot-slide",
            Kind::SeamJump => "seam-jump",
            Kind::SeamSpeed => "seam-speed",
            Kind::Lying => "lying",
            Kind::Height => "off-the-ground",
            Kind::SameKeyframes => "same-keyframes",
            Kind::Flip => "rotation-flip",
            Kind::MissingBone => "missing-bone",
            Kind::Stretch => "stretched-bone",
            Kind::BeyondLimit => "beyond-limit",
            Kind::ZeroDuration => "zero-duration",
            Kind::HitWithoutVolume => "hit-without-volume",
            Kind::EmptyRange => "empty-range",
            Kind::RangePastEnd => "range-past-end",
            Kind::MissingVolume => "missing-volume",
            Kind::MissingName => "missing-name",
            Kind::RootMotionOff => "root-motion-off",
            Kind::RootStays => "root-stays",
            Kind::ContactSlide => "contact-slide",
            Kind::OffArc => "off-the-arc",
            Kind::OutOfBalance => "out-of-balance",
        }
    }
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Visible when the clip plays.
    Warning,
    /// May be intended.
    Hint,
}

impl Severity {
    /// The name in panels and reports.
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
    /// The kind.
    pub kind: Kind,
    /// The severity.
    pub grade: Severity,
    /// The bone; `None` for the whole keyframe. May be a bone that the skeleton lacks.
    pub bone: Option<BoneIndex>,
    /// The time in the clip, `0..=length`.
    pub time: Time,
    /// The measured value; see [`Kind`] for the unit.
    pub figure: f32,
    /// A short description with bone, time and figure.
    pub text: String,
    /// A fix, in one sentence.
    pub advice: &'static str,
}

/// Whether the feet of a clip are expected to be on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Footing {
    /// Feet on the ground should not slide.
    Ground,
    /// In the air, on a ladder, or falling: feet are not checked.
    OffGround,
}

/// Words in the name of a clip whose feet are not on the ground.
const OFF_THE_GROUND: [&str; 16] = [
    "jump", "jumping", "fall", "falling", "air", "climb", "climbing", "ladder", "fly", "flying", "swim", "swimming",
    "death", "die", "dead", "roll",
];

impl Footing {
    /// By the state of the game that uses the clip, or by the name of the clip.
    pub fn of(model: &Model, clip: &str) -> Footing {
        let off = [State::Jump, State::Fall, State::Climb];
        let is_shown = off.into_iter().any(|state| model.machine.clip_of(state) == Some(clip));
        let is_named = words(clip).iter().any(|word| OFF_THE_GROUND.contains(&word.as_str()));
        if is_shown || is_named { Footing::OffGround } else { Footing::Ground }
    }
}

/// Facts about a model, computed once for all its clips.
#[derive(Clone, Debug)]
pub struct Subject {
    skeleton: Arc<Skeleton>,
    rest: ModelPose,
    /// The bones that deform meshes, sorted; all bones if no mesh is skinned.
    bones: Vec<usize>,
    /// The bones of each leg that are on the ground in the rest pose.
    legs: Vec<Vec<usize>>,
    /// The bone that carries all legs, and its height above the ground at rest.
    hips: Option<(usize, f32)>,
    /// The y of the ground.
    ground: f32,
    /// The height of the rest pose in model units.
    height: f32,
    /// Metres per model unit in the game.
    scale: f32,
    /// The humanoid, if the model is one.
    body: Option<Body>,
    /// The names of the hurt volumes.
    hurt: BTreeSet<String>,
    /// The limits of joints.
    limits: Vec<(BoneIndex, Limit)>,
    /// Masses, feet and gravity.
    balance: Balance,
    /// Names that events can refer to, if known.
    names: Option<Names>,
}

impl Subject {
    /// Computes it from the skeleton and every vertex of the model.
    pub fn of(model: &Model) -> Subject {
        Subject::with(model, fit(model), deform_bones(model), Arc::new(Volumes::of(model)))
    }

    /// Creates a subject from the model's size in the level, its deforming bones and its volumes, which take passes over all vertices.
    pub fn with(model: &Model, fit: Fit, bones: Vec<usize>, volumes: Arc<Volumes>) -> Subject {
        let balance = Balance::with(model, fit, &bones, volumes);
        let rest = model.skeleton.rest_model_pose();
        let legs = feet::of(&model.skeleton, &rest, &bones, fit.base.y, fit.height);
        let ground = fit.base.y;
        let hips = feet::hips_of(&model.skeleton, &rest, &legs, (ground, fit.height));
        let Fit { height, scale, .. } = fit;
        let hurt = model.combat.hurt.iter().map(|volume| volume.name.clone()).collect();
        let (skeleton, body) = (model.skeleton.clone(), Body::new(model.into()));
        let limits = model.rig.limits_of(&skeleton).collect();
        Subject { skeleton, rest, bones, legs, hips, ground, height, scale, body, hurt, limits, balance, names: None }
    }

    /// Adds the names that events can refer to, so that events are checked.
    pub fn naming(self, names: Names) -> Subject {
        Subject { names: Some(names), ..self }
    }

    /// A length in model units, as text at the model's size in the game.
    fn length_text(&self, units: f32) -> String {
        length_text(units * self.scale)
    }

    fn name(&self, bone: usize) -> &str {
        self.skeleton.bones().get(bone).map_or("", |bone| bone.name.as_str())
    }
}

/// A clip of a model, sampled once for all checks.
struct Samples<'a> {
    subject: &'a Subject,
    clip: &'a Clip,
    exact: ExactPoses<'a>,
    /// Times that are spread over the clip, including both ends, with their poses.
    poses: Vec<(Time, ModelPose)>,
    gait: Gait,
}

impl<'a> Samples<'a> {
    fn of(subject: &'a Subject, clip: &'a Clip) -> Samples<'a> {
        let exact = ExactPoses::new(&subject.skeleton, clip);
        let poses = sample_times(clip).into_iter().map(|time| (time, exact.model(time))).collect();
        let local = |time: Time, pose: &mut _| exact.local(time, pose);
        let gait = walking_from(&subject.skeleton, (clip.length(), &local), &subject.bones, subject.height);
        Samples { subject, clip, exact, poses, gait }
    }
}

/// The findings of a clip and its lanes, severe ones first, then by time.
pub fn check(subject: &Subject, (clip, lanes): (&Clip, &Lanes), footing: Footing) -> Vec<Finding> {
    let mut found = Vec::new();
    keys::check(subject, clip, &mut found);
    lanes::check(subject, clip, lanes, &mut found);
    events::check(subject, clip, &mut found);
    stance::check(subject, clip, footing, &mut found);
    let samples = Samples::of(subject, clip);
    if footing == Footing::Ground {
        feet::check(&samples, &mut found);
    }
    contacts::check(&samples, lanes, &mut found);
    balance::check(&samples, lanes, &mut found);
    seam::check(&samples, &mut found);
    stretch::check(&samples, &mut found);
    limits::check(&samples, &mut found);
    root::check(&samples, &mut found);
    found.sort_by_key(|finding| (finding.grade, finding.time, finding.kind, finding.bone));
    found
}

/// The maximum number of times at which a clip is sampled.
const MAX_TIMES: i64 = 160;

/// Times spread over a clip, including both ends: two per frame, fewer in long clips.
fn sample_times(clip: &Clip) -> Vec<Time> {
    let length = clip.length();
    if length <= Time::ZERO {
        return vec![Time::ZERO];
    }
    let wanted = (2.0 * clip.frame_rate.frames_in(length)).ceil() as i64;
    let count = wanted.clamp(8, MAX_TIMES);
    (0..=count).map(|at| Time((i128::from(length.0) * i128::from(at) / i128::from(count)) as i64)).collect()
}

/// The frame number of a time as the editor shows it; with one decimal between two frames.
fn frame(clip: &Clip, time: Time) -> String {
    let frames = clip.frame_rate.frames_in(time);
    if (frames - frames.round()).abs() < 0.05 { format!("{:.0}", frames.round()) } else { format!("{frames:.1}") }
}
