//! The forms of a baked clip, and the trait that they share.

use std::borrow::Cow;

use thiserror::Error;

use crate::anim::bake::channels::Channels;
use crate::anim::bake::curve_windows::CurveWindows;
use crate::anim::bake::packed_samples::{MAX_BITS, PackedSamples};
use crate::anim::bake::quantized_samples::QuantizedSamples;
use crate::anim::bake::sampled_poses::SampledPoses;
use crate::anim::bake::sparse_tracks::SparseTracks;
use crate::anim::bake::{BakeReport, BakedClip};
use crate::anim::clip::{Clip, LoopMode};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;

/// A form in which a baked clip is stored and sampled.
pub trait BakedForm {
    /// The number of stored samples, or of keys.
    fn sample_count(&self) -> usize;

    /// Size in memory.
    fn bytes(&self) -> usize;

    /// Samples the pose at a time in `0..=length`, with the widest registers of the processor; if `EXACT`, with the same bits on
    /// every machine. Overwrites all of `pose`.
    #[inline]
    fn sample<const EXACT: bool>(&self, time: Time, pose: &mut LocalPose) {
        if !self.sample_wide::<EXACT>(time, pose) {
            self.sample_lanes(time, pose);
        }
    }

    /// Samples with wide registers; if `EXACT`, with the bits of [`BakedForm::sample_lanes`]. Returns false if the
    /// processor has none.
    fn sample_wide<const EXACT: bool>(&self, time: Time, pose: &mut LocalPose) -> bool;

    /// Samples lane by lane, which defines the result.
    fn sample_lanes(&self, time: Time, pose: &mut LocalPose);

    /// Checks everything that sampling relies on, for a skeleton with `bones` bones and a clip of this length and loop
    /// mode.
    ///
    /// # Errors
    /// If sampling could panic or return a number that is not finite.
    fn check(&self, bones: usize, length: Time, loop_mode: LoopMode) -> Result<(), FormError>;
}

/// The form of a baked clip. `docs/decisions/0038-baked-forms.md` says why each of them exists.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Form {
    SampledPoses(SampledPoses),
    QuantizedSamples(QuantizedSamples),
    PackedSamples(PackedSamples),
    SparseTracks(SparseTracks),
    CurveWindows(CurveWindows),
}

/// A [`Form`] without its numbers, for reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormKind {
    /// Whole poses at sorted times, in 32-bit numbers.
    SampledPoses,
    /// Whole poses at sorted times, in 16-bit numbers.
    QuantizedSamples,
    /// Whole poses at sorted times, in as few bits as the error bound allows.
    PackedSamples,
    /// The keys of each channel.
    SparseTracks,
    /// The curves of all channels, in windows of time: what sparse tracks become when they are made ready to play.
    CurveWindows,
}

impl FormKind {
    /// The name for panels and reports.
    pub fn name(self) -> &'static str {
        match self {
            FormKind::SampledPoses => "sampled poses",
            FormKind::QuantizedSamples => "quantized samples",
            FormKind::PackedSamples => "packed samples",
            FormKind::SparseTracks => "sparse tracks",
            FormKind::CurveWindows => "curve windows",
        }
    }
}

/// Why a form can't be used for a clip and skeleton.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum FormError {
    #[error("times don't ascend from zero to the length of the clip")]
    Times,
    #[error("found {found} {what}, expected {expected}")]
    Count { what: &'static str, found: usize, expected: usize },
    #[error("a number of the {what} is not finite, or too large")]
    Number { what: &'static str },
    #[error("a rotation is not a unit quaternion, or not in the hemisphere of the one before it")]
    Rotation,
    #[error("a lane past the last bone is not identity")]
    Tail,
    #[error("unknown channel bits {:#x}", channels.bits())]
    Channels { channels: Channels },
    #[error("{bits} bits per number, the maximum is {MAX_BITS}")]
    Bits { bits: u8 },
    #[error("the rotation of bone {bone} is stored as a sparse channel; only translations and scales can be")]
    SparseRotation { bone: u16 },
    #[error("bone {bone} is out of range: the skeleton has {bones} bones")]
    Bone { bone: u16, bones: usize },
    #[error("its loop mode is not that of the clip")]
    Seam,
}

/// Returns an error unless two counts are equal.
pub(super) fn expect_count(what: &'static str, found: usize, expected: usize) -> Result<(), FormError> {
    if found == expected { Ok(()) } else { Err(FormError::Count { what, found, expected }) }
}

/// Calls the form inside a [`Form`]. A match, so that sampling is a direct call.
macro_rules! each {
    ($self:expr, $form:ident => $call:expr) => {
        match $self {
            Form::SampledPoses($form) => $call,
            Form::QuantizedSamples($form) => $call,
            Form::PackedSamples($form) => $call,
            Form::SparseTracks($form) => $call,
            Form::CurveWindows($form) => $call,
        }
    };
}

impl Form {
    #[inline]
    pub(super) fn sample<const EXACT: bool>(&self, time: Time, pose: &mut LocalPose) {
        each!(self, form => form.sample::<EXACT>(time, pose));
    }

    /// The form that plays: for sparse tracks curve windows, unless a number is too large for them.
    pub(super) fn ready_to_play(self, length: Time) -> Form {
        match self {
            Form::SparseTracks(tracks) => match CurveWindows::new(&tracks, length) {
                Some(windows) => Form::CurveWindows(windows),
                None => Form::SparseTracks(tracks),
            },
            form => form,
        }
    }

    /// Size in memory.
    pub fn bytes(&self) -> usize {
        each!(self, form => form.bytes())
    }

    /// The kind of the form.
    pub fn kind(&self) -> FormKind {
        match self {
            Form::SampledPoses(_) => FormKind::SampledPoses,
            Form::QuantizedSamples(_) => FormKind::QuantizedSamples,
            Form::PackedSamples(_) => FormKind::PackedSamples,
            Form::SparseTracks(_) => FormKind::SparseTracks,
            Form::CurveWindows(_) => FormKind::CurveWindows,
        }
    }

    /// Checks everything that sampling relies on, see [`BakedForm::check`]. The result of
    /// [`bake`](crate::anim::bake::bake) passes if the clip has no numbers near the limits of `f32`.
    ///
    /// # Errors
    /// If sampling could panic or return a number that is not finite.
    pub fn check(&self, bones: usize, length: Time, loop_mode: LoopMode) -> Result<(), FormError> {
        each!(self, form => form.check(bones, length, loop_mode))
    }

    pub(super) fn report(&self, source_bytes: usize, max_error: f32) -> BakeReport {
        let samples = each!(self, form => form.sample_count());
        BakeReport { form: self.kind(), samples, bytes: self.bytes(), source_bytes, max_error }
    }
}

impl BakedClip {
    /// Assembles a baked clip from a stored form, as [`bake`](crate::anim::bake::bake) made it of the same clip and
    /// skeleton. `source_bytes` and `max_error` are from the report. Whether it holds the motion of the clip is not
    /// checked.
    ///
    /// # Errors
    /// If the form doesn't fit the clip's length and loop mode or the skeleton, or couldn't be sampled.
    pub fn from_form(
        clip: &Clip,
        skeleton: &Skeleton,
        form: Form,
        source_bytes: usize,
        max_error: f32,
    ) -> Result<BakedClip, FormError> {
        form.check(skeleton.len(), clip.length(), clip.loop_mode)?;
        if !(0.0..super::check::MAX_VALUE).contains(&max_error) {
            return Err(FormError::Number { what: "report" });
        }
        Ok(BakedClip::new(clip, skeleton, form, source_bytes, max_error))
    }

    /// The form in which it plays.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// The form in which archives store it: the same, but for curve windows the sparse tracks of the clip and skeleton
    /// that it was baked from.
    pub fn stored_form(&self, clip: &Clip, skeleton: &Skeleton) -> Cow<'_, Form> {
        match &self.form {
            Form::CurveWindows(_) => Cow::Owned(Form::SparseTracks(SparseTracks::of(clip, skeleton))),
            form => Cow::Borrowed(form),
        }
    }
}
