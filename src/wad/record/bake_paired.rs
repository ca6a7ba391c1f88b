//! Paired samples: a form of version 1 of BAKE that is read as sampled poses and no longer written. See docs/wad-format.md,
//! "BAKE".

use crate::anim::bake::channels::Channels;
use crate::anim::bake::sampled_poses::{SampledPoses, stride};
use crate::anim::bake::timeline::Timeline;
use crate::anim::pose::{Lanes, LocalPose};
use crate::wad::error::Fault;
use crate::wad::sections::Parts;

/// The factor between stored numbers and steps.
const WHOLE: f32 = i16::MAX as f32;

/// Reads the sections `pairs` and `ranges`.
pub fn read(
    parts: &mut Parts<'_>,
    timeline: Timeline,
    animated: Vec<Channels>,
    constant: LocalPose,
) -> Result<SampledPoses, Fault> {
    let pairs: Vec<[i16; 16]> = parts.values("pairs")?;
    let ranges: Vec<[[f32; 8]; 2]> = parts.values("ranges")?;
    let in_pairs = |&animated: &Channels| animated.components().count().div_ceil(2);
    let per_sample = animated.iter().map(in_pairs).fold(0_usize, usize::saturating_add);
    if ranges.len() != per_sample.saturating_mul(2) || pairs.len() != per_sample.saturating_mul(timeline.times.len()) {
        let reason = format!("{} pairs and {} ranges do not fit its channels and times", pairs.len(), ranges.len());
        return Err(Fault::from(reason));
    }
    let mut lanes = Vec::with_capacity(stride(&animated).saturating_mul(timeline.times.len()));
    for sample in pairs.chunks_exact(per_sample.max(1)) {
        let mut components = sample.iter().zip(ranges.as_chunks::<2>().0);
        for &animated in &animated {
            let of_group = components.by_ref().take(in_pairs(&animated)).flat_map(|(pair, [first, second])| {
                let [a, b] = sides(pair);
                [values(a, first), values(b, second)]
            });
            lanes.extend(of_group.take(animated.components().count()));
        }
    }
    let stride = stride(&animated);
    Ok(SampledPoses { timeline, animated, constant, lanes, stride })
}

/// The two components of a pair.
fn sides(&[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]: &[i16; 16]) -> [[i16; 8]; 2] {
    [[a, b, c, d, i, j, k, l], [e, f, g, h, m, n, o, p]]
}

fn values(numbers: [i16; 8], [step, middle]: &[[f32; 8]; 2]) -> Lanes {
    let mut out = *middle;
    for ((out, number), step) in out.iter_mut().zip(numbers).zip(step) {
        *out += step * (f32::from(number) * WHOLE);
    }
    Lanes(out)
}
