//! The immutable form of a clip that plays, in the editor's preview as in the game, and the only way to make it.
//!
//! [`bake`] chooses between columns of whole poses (for clips that are keyed pose by pose: [`short`], in 16 bits a number, where
//! those keep the bound, else [`columns`], in 32) and each channel's own keys ([`tracks`]: for clips whose keys do not line up),
//! and reports which, how large, how exact.
//!
//! Archives keep what is made here, so all of it is portable arithmetic: the same bits on every machine.

use glam::Vec4;

use crate::anim::bake::choose::choose;
use crate::anim::bake::form::Form;
use crate::anim::clip::{Clip, Event, LoopMode};
use crate::anim::key::{Ease, Key};
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::track::Track;

mod choose;
pub mod columns;
pub mod compact;
mod fewest;
pub mod form;
pub mod measure;
mod refine;
mod rounding;
pub mod short;
mod shorten;
pub mod still;
pub mod tracks;

/// What a bake must keep to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeOptions {
    /// The largest distance in model space from the exact pose, as a fraction of the model's size. More than 0; what
    /// `f32` cannot hold (about 1e-7) is not reached, and the report says so.
    pub max_error: f32,
    /// What to spend memory on.
    pub size: Size,
}

/// What to spend memory on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// Numbers of 32 bits: a quarter less time than [`Size::Fast`] for one character, twice the memory.
    Whole,
    /// Numbers of 16 bits where the bound allows, of 32 otherwise.
    #[default]
    Fast,
    /// Numbers of as few bits as the bound allows: less memory, up to three times the time.
    Compact,
}

impl BakeOptions {
    /// For measuring against other programs: 1e-6 of the model's size.
    pub const EXACT: BakeOptions = BakeOptions { max_error: 1e-6, size: Size::Whole };
}

impl Default for BakeOptions {
    /// 1e-4 of the model's size: 0.2 mm on a person.
    fn default() -> BakeOptions {
        BakeOptions { max_error: 1e-4, size: Size::Fast }
    }
}

/// Which form a bake chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormKind {
    /// Whole poses at sorted times.
    Columns,
    /// The same in 16 bits a number.
    Short,
    /// The same in few bits.
    Compact,
    /// Every channel's own keys.
    Tracks,
}

/// What a bake came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeReport {
    /// Which form was chosen.
    pub form: FormKind,
    /// How many columns, or keys.
    pub columns: usize,
    /// What the form holds in memory.
    pub bytes: usize,
    /// What the source keys take as plain numbers: a 4-byte time and 3 or 4 values, three times as many where cubic.
    pub source_bytes: usize,
    /// The largest distance from the exact pose that was measured, as a fraction of the model's size.
    pub max_error: f32,
}

/// A clip made ready to play on one skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedClip {
    /// The clip's name.
    pub name: String,
    /// The sum of the clip's durations.
    pub length: Time,
    /// What happens at the end.
    pub loop_mode: LoopMode,
    /// Sorted by time.
    pub events: Vec<Event>,
    report: BakeReport,
    form: Form,
}

/// Makes the form that plays, to the default bound. Keys of bones that the skeleton lacks are left out.
pub fn bake(clip: &Clip, skeleton: &Skeleton) -> BakedClip {
    bake_with(clip, skeleton, &BakeOptions::default())
}

/// Makes the form that plays, to a stated bound.
pub fn bake_with(clip: &Clip, skeleton: &Skeleton, options: &BakeOptions) -> BakedClip {
    let mut tracks = Track::all_of(clip);
    tracks.retain(|track| usize::from(track.bone) < skeleton.len());
    let source_bytes = tracks.iter().map(source_bytes).sum();
    let mut still = skeleton.rest_pose();
    tracks.retain(|track| {
        let is_still = is_still(track);
        if is_still {
            let bone = usize::from(track.bone);
            let mut transform = still.get(bone);
            track.channel.put(&mut transform, track.sample(Time::ZERO));
            still.set(bone, &transform);
        }
        !is_still
    });
    let length = clip.length();
    let (form, error) = choose(&tracks, still, skeleton, length, source_bytes, options);
    BakedClip {
        name: clip.name.clone(),
        length,
        loop_mode: clip.loop_mode,
        events: clip.events.clone(),
        report: form.report(source_bytes, error),
        form,
    }
}

/// True where a channel has one value all the time.
fn is_still(track: &Track) -> bool {
    let keys = || track.keys.iter().map(|(_, key)| key);
    let is_flat = |key: &Key| key.in_tangent == Vec4::ZERO && key.out_tangent == Vec4::ZERO;
    let is_straight = keys().all(|key| key.ease != Ease::Cubic) || keys().all(is_flat);
    let has_one_value = keys().all(|key| key.value == track.keys[0].1.value);
    has_one_value && (is_straight || track.keys.len() == 1 && track.seam.is_none())
}

fn source_bytes(track: &Track) -> usize {
    let key = |key: &Key| 4 + 4 * track.channel.width() * if key.ease == Ease::Cubic { 3 } else { 1 };
    track.keys.iter().map(|(_, at)| key(at)).sum()
}

impl BakedClip {
    /// The pose at a clip time; outside `0..=length` it clamps (see [`crate::anim::playback::clip_time`] for loops).
    /// A pose starts from rest, whatever it held before.
    pub fn sample(&self, time: Time, pose: &mut LocalPose) {
        let time = time.clamp(Time::ZERO, self.length);
        match &self.form {
            Form::Columns(columns) => columns.sample(time, pose),
            Form::Short(short) => short.sample(time, pose),
            Form::Compact(compact) => compact.sample(time, pose),
            Form::Tracks(tracks) => tracks.sample(time, pose),
        }
    }

    /// As [`BakedClip::sample`] to a few units in the last place, but the same bits on every machine: for what a game decides by.
    pub fn sample_portable(&self, time: Time, pose: &mut LocalPose) {
        let time = time.clamp(Time::ZERO, self.length);
        match &self.form {
            Form::Columns(columns) => columns.sample_portable(time, pose),
            Form::Short(short) => short.sample_portable(time, pose),
            Form::Compact(compact) => compact.sample_portable(time, pose),
            Form::Tracks(tracks) => tracks.sample(time, pose),
        }
    }

    /// Which form was chosen, how large and how exact it is.
    pub fn report(&self) -> &BakeReport {
        &self.report
    }
}
