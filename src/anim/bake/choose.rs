//! Chooses the form of a baked clip.

use crate::anim::bake::columns::{self, Columns, Moving, PACED};
use crate::anim::bake::fewest::fewest;
use crate::anim::bake::form::Form;
use crate::anim::bake::measure::Reach;
use crate::anim::bake::refine::{Refined, Refiner, key_times};
use crate::anim::bake::shorten::shorten;
use crate::anim::bake::tracks::Tracks;
use crate::anim::bake::{BakeOptions, Size};
use crate::anim::key::Channel;
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::Skeleton;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// Bytes that a baked clip may take whatever its source is: below this nothing is gained by being smaller.
const FREE_BYTES: usize = 8 * 1024;
/// The same for each channel that moves where keys line up: played one by one they cost time by the channel.
const FREE_BYTES_EACH: usize = 1024;
/// How many times the bytes of the source keys columns may take.
const MOST_GROWTH: usize = 3;

/// Few bits must spare this part of the bytes that 16 bits a number take, for the time that they cost.
const WORTH: usize = 5;
/// Bytes of eight numbers of 32 bits.
const WHOLE: usize = 32;
/// Under this share of the model's size as a bound, 16 bits a number are not tried.
const SHORT_FROM: f32 = 1e-5;
/// How much of a bound is left to the times of columns where the rest is wanted for rounding their numbers.
const REFINED: f32 = 0.5;

/// The form, and its error as a fraction of the model's size.
pub fn choose(
    tracks: &[Track],
    still: LocalPose,
    skeleton: &Skeleton,
    length: Time,
    source_bytes: usize,
    options: &BakeOptions,
) -> (Form, f32) {
    let reach = Reach::of(skeleton);
    let moving = moving(tracks, skeleton.len());
    let free_bytes = if line_up(tracks, length) { FREE_BYTES_EACH * tracks.len() } else { 0 };
    let most_bytes = (source_bytes * MOST_GROWTH).max(FREE_BYTES).max(free_bytes);
    let source = Source { tracks, still: &still, skeleton, reach: &reach, moving, length, most_bytes };
    let bound = options.max_error * reach.model_size;
    let whole = || source.columns(bound, WHOLE).map(|(columns, error)| (Form::Columns(columns), error));
    let form = match options.size {
        Size::Whole => whole(),
        Size::Fast => source.short(bound).or_else(whole),
        Size::Compact => {
            let short = source.short(bound);
            let most = short.as_ref().map_or(usize::MAX, |(short, _)| short.bytes() - short.bytes() / WORTH);
            source.compact(bound).filter(|(compact, _)| compact.bytes() <= most).or(short).or_else(whole)
        }
    };
    match form {
        Some((form, error)) => (form, error / reach.model_size),
        None => (Form::Tracks(Tracks::new(tracks, still)), 0.0),
    }
}

/// True where channels share most of their key times, so that what columns cost is the bend of the curves.
fn line_up(tracks: &[Track], length: Time) -> bool {
    let most = tracks.iter().map(|track| track.keys.len()).max().unwrap_or(0);
    key_times(tracks, length).len() <= 2 * (most + 1)
}

/// What columns are made of.
struct Source<'s> {
    /// What moves.
    tracks: &'s [Track],
    still: &'s LocalPose,
    skeleton: &'s Skeleton,
    reach: &'s Reach,
    moving: Vec<Moving>,
    length: Time,
    /// How much columns may take.
    most_bytes: usize,
}

impl Source<'_> {
    /// Columns of 16 bits and their error, where those keep the bound (model units).
    fn short(&self, bound: f32) -> Option<(Form, f32)> {
        if bound < SHORT_FROM * self.reach.model_size {
            return None;
        }
        let (columns, error) = self.columns(bound * REFINED, WHOLE / 2)?;
        let (short, rounding) = shorten(&columns, bound - error, self.skeleton, self.reach)?;
        Some((Form::Short(short), error + rounding))
    }

    /// The same in few bits.
    fn compact(&self, bound: f32) -> Option<(Form, f32)> {
        let (columns, error) = self.columns(bound, WHOLE)?;
        let (compact, rounding) = fewest(&columns, bound - error, self.skeleton, self.reach)?;
        Some((Form::Compact(compact), error + rounding))
    }

    /// Columns that keep a bound (model units), and their error; `None` where keys do not line up: where so many columns, of so many
    /// bytes for eight numbers, are too many bytes.
    fn columns(&self, bound: f32, bytes: usize) -> Option<(Columns, f32)> {
        let &Source { tracks, still, skeleton, reach, length, .. } = self;
        let most = self.most_bytes / (columns::stride(&self.moving) * bytes + size_of::<Time>());
        let refine = |is_paced| Refiner::new(skeleton, reach, still, tracks, is_paced).columns(length, bound, most);
        let refined = refine(false);
        // Where slerps ask for more columns than there are keys, a corrected pace may do without most of them.
        let columns = |refined: &Refined| refined.times.len();
        let few = key_times(tracks, length).len();
        let paced = match refined.as_ref().map_or(usize::MAX, columns) > few {
            true => refine(true).filter(|paced| refined.as_ref().is_none_or(|plain| columns(paced) < columns(plain))),
            false => None,
        };
        let pace = if paced.is_some() { PACED } else { 0 };
        let refined = paced.or(refined)?;
        let moving = self.moving.iter().map(|&moving| if moving & 2 != 0 { moving | pace } else { moving }).collect();
        Some((Columns::new(refined.times, &refined.poses, moving, still.clone()), refined.error))
    }
}

/// Which channels of each eight bones move.
fn moving(tracks: &[Track], bones: usize) -> Vec<Moving> {
    let mut moving = vec![0; bones.div_ceil(8)];
    for track in tracks {
        moving[usize::from(track.bone) / 8] |= match track.channel {
            Channel::Translation => 1,
            Channel::Rotation => 2,
            Channel::Scale => 4,
        };
    }
    moving
}
