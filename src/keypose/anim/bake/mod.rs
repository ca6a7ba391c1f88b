//! Baked clips: the immutable form of a clip that the editor's preview and the game sample, and the only way to make
//! it.
//!
//! [`bake`] chooses a form. Clips whose keys line up become whole poses at sorted times: [`quantized_samples`] if
//! 16-bit numbers keep the error bound, else [`sampled_poses`]; on request [`packed_samples`], the smallest. Other clips
//! play as the curves of each channel ([`curve_windows`]), of which archives store the keys ([`sparse_tracks`]). It reports the
//! form, its size and its error.
//!
//! Archives store the result, so baking uses portable arithmetic only: the same bits on every machine.

use glam::Vec4;

use crate::anim::bake::choose::choose;
use crate::anim::bake::form::Form;
pub use crate::anim::bake::form::FormKind;
use crate::anim::bake::measure::Reach;
use crate::anim::choice::choice;
use crate::anim::clip::{Clip, Event, LoopMode};
use crate::anim::key::Key;
use crate::anim::pose::LocalPose;
use crate::anim::root_motion::RootMotion;
use crate::anim::scalar_tracks::ScalarTracks;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::track::Track;

pub mod channels;
mod check;
mod choose;
mod curve_groups;
mod curve_pieces;
pub mod curve_windows;
pub mod difference;
pub mod form;
mod held;
pub mod layout;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")))]
mod loops;
pub mod measure;
mod pack;
pub mod packed_samples;
mod quantize;
pub mod quantized_samples;
mod refine;
mod rounding;
pub mod sampled_poses;
pub mod sparse_tracks;
pub mod timeline;
mod wide;
mod window_times;

/// Error bound and number format of a bake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeOptions {
    /// The maximum distance in model space from the exact pose, as a fraction of the model's size. More than 0. The
    /// precision of `f32` (about 1e-7) limits what can be reached; the report gives the error that was.
    pub max_error: f32,
    /// How samples are stored.
    pub format: SampleFormat,
}

choice! {
    /// How the samples of a clip are stored, if its keys line up.
    #[derive(Default, Hash)]
    pub enum SampleFormat {
        /// 32-bit numbers: a quarter less time than [`SampleFormat::Quantized`] for one character, at twice the memory.
        F32 = "fastest",
        /// 16-bit numbers if the error bound allows, 32-bit otherwise.
        #[default]
        Quantized = "standard",
        /// As few bits per number as the error bound allows: less memory, at up to three times the time. 16-bit numbers if
        /// packing saves little.
        Packed = "smallest",
    }
}

impl SampleFormat {
    /// The label in panels.
    pub fn label(self) -> &'static str {
        match self {
            SampleFormat::F32 => "Fastest",
            SampleFormat::Quantized => "Standard",
            SampleFormat::Packed => "Smallest",
        }
    }
}

impl BakeOptions {
    /// 1e-6 of the model's size in 32-bit numbers, for comparisons with other programs.
    pub const EXACT: BakeOptions = BakeOptions { max_error: 1e-6, format: SampleFormat::F32 };
}

impl Default for BakeOptions {
    /// 1e-4 of the model's size (0.2 mm on a person), in 16-bit numbers.
    fn default() -> BakeOptions {
        BakeOptions { max_error: 1e-4, format: SampleFormat::Quantized }
    }
}

/// The form, size and error of a baked clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeReport {
    /// The form that was chosen.
    pub form: FormKind,
    /// The number of stored samples, or of keys in sparse tracks.
    pub samples: usize,
    /// Size of the form in memory.
    pub bytes: usize,
    /// Size of the source keys as plain numbers: a 4-byte time and 3 or 4 values each, three times as many values for
    /// cubic keys.
    pub source_bytes: usize,
    /// The maximum measured distance from the exact pose, as a fraction of the model's size.
    pub max_error: f32,
}

/// A clip baked for one skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedClip {
    /// The clip's name.
    pub name: String,
    /// The sum of the clip's durations.
    pub length: Time,
    /// The behaviour at the end.
    pub loop_mode: LoopMode,
    /// Sorted by time.
    pub events: Vec<Event>,
    /// The part of the motion of the first bone that moves the character.
    pub root_motion: RootMotion,
    report: BakeReport,
    form: Form,
    scalars: ScalarTracks,
}

/// Bakes a clip within the default error bound, for a skeleton whose vertices are not known. Keys of bones that the
/// skeleton lacks are left out.
pub fn bake(clip: &Clip, skeleton: &Skeleton) -> BakedClip {
    bake_with(clip, skeleton, &BakeOptions::default())
}

/// Bakes a clip within an error bound, for a skeleton whose vertices are not known. Keys of bones that the skeleton
/// lacks are left out.
pub fn bake_with(clip: &Clip, skeleton: &Skeleton, options: &BakeOptions) -> BakedClip {
    bake_reaching(clip, skeleton, &Reach::of(skeleton), options)
}

/// Bakes a clip within an error bound for vertices that reach as far from their bones as `reach`, which was measured on
/// the skeleton. Keys of bones that the skeleton lacks are left out.
pub fn bake_reaching(clip: &Clip, skeleton: &Skeleton, reach: &Reach, options: &BakeOptions) -> BakedClip {
    let Source { tracks, constant, bytes } = Source::of(clip, skeleton);
    let (form, error) = choose(&tracks, constant, skeleton, reach, clip.length(), bytes, options);
    BakedClip::new(clip, skeleton, form, bytes, error)
}

/// The source of a bake.
struct Source {
    /// The animated channels of bones that the skeleton has.
    tracks: Vec<Track>,
    /// The values of all other channels.
    constant: LocalPose,
    /// See [`BakeReport::source_bytes`].
    bytes: usize,
}

impl Source {
    fn of(clip: &Clip, skeleton: &Skeleton) -> Source {
        let mut tracks = Track::all_of(clip);
        tracks.retain(|track| usize::from(track.bone) < skeleton.len() && track.channel.scalar().is_none());
        let bytes = tracks.iter().map(source_bytes).sum();
        let mut constant = skeleton.rest_pose();
        constant.copy_scalars_from(&LocalPose::default());
        tracks.retain(|track| {
            // A clip without length is a pose.
            let is_constant = clip.length() <= Time::ZERO || is_constant(track);
            if is_constant {
                let bone = usize::from(track.bone);
                let mut transform = constant.get(bone);
                track.channel.put(&mut transform, track.sample(Time::ZERO));
                constant.set(bone, &transform);
            }
            !is_constant
        });
        Source { tracks, constant, bytes }
    }
}

/// Whether a channel has one value for the whole clip.
fn is_constant(track: &Track) -> bool {
    let keys = || track.keys.iter().map(|(_, key)| key);
    let is_flat = |key: &Key| key.in_tangent == Vec4::ZERO && key.out_tangent == Vec4::ZERO;
    let is_straight = || keys().all(|key| !key.ease.has_tangents()) || keys().all(is_flat);
    let has_one_value = keys().all(|key| key.value == track.keys[0].1.value);
    has_one_value && (is_straight() || track.keys.len() == 1 && track.seam.is_none())
}

fn source_bytes(track: &Track) -> usize {
    let key = |key: &Key| 4 + 4 * track.channel.width() * if key.ease.has_tangents() { 3 } else { 1 };
    track.keys.iter().map(|(_, at)| key(at)).sum()
}

impl BakedClip {
    fn new(clip: &Clip, skeleton: &Skeleton, form: Form, source_bytes: usize, max_error: f32) -> BakedClip {
        let form = form.ready_to_play(clip.length());
        BakedClip {
            name: clip.name.clone(),
            length: clip.length(),
            loop_mode: clip.loop_mode,
            events: clip.events.to_vec(),
            root_motion: clip.root_motion,
            report: form.report(source_bytes, max_error),
            form,
            scalars: ScalarTracks::of(clip, skeleton),
        }
    }

    /// Samples the pose at a clip time, clamped to `0..=length` (see [`crate::anim::playback::clip_time`] for loops).
    /// Overwrites all of `pose`: constant channels get their value, bones without keys the rest pose, scalars without keys their
    /// default.
    pub fn sample(&self, time: Time, pose: &mut LocalPose) {
        let time = time.clamp(Time::ZERO, self.length);
        self.form.sample::<false>(time, pose);
        self.scalars.pose(time, pose);
    }

    /// Like [`BakedClip::sample`] to a few units in the last place, but returns the same bits on every machine: for
    /// decisions of a game.
    pub fn sample_portable(&self, time: Time, pose: &mut LocalPose) {
        let time = time.clamp(Time::ZERO, self.length);
        self.form.sample::<true>(time, pose);
        self.scalars.pose(time, pose);
    }

    /// The scalars: keys are kept, so they have no error.
    pub fn scalars(&self) -> &ScalarTracks {
        &self.scalars
    }

    /// The form, its size and its error.
    pub fn report(&self) -> &BakeReport {
        &self.report
    }
}
