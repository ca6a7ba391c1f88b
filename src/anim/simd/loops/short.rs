//! Sampling columns of 16 bits: sixteen numbers of each of two columns at a time, by their shares. No unsafe code.

use crate::anim::bake::columns::PACED;
use crate::anim::bake::short::{Block, LOOSE, ONE, Short, shares};
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd::loops::blend::normalised;
use crate::anim::simd::loops::sample::{keep, paced};
use crate::anim::simd::registers::eight::{Eight, all, load, mul, store};
use crate::anim::simd::registers::whole::{self, Shares};
use crate::anim::time::Time;

/// All channels.
const ALL: u8 = 7;
/// What [`exactly`] gives for a rotation is as many times too long.
const UNIT: f32 = 1.0 / (ONE as f32 * 65_536.0);

/// As [`Short::sample_portable`], to 5e-7 of a unit rotation.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn sample(short: &Short, time: Time, pose: &mut LocalPose) {
    match short.is_paced() {
        true => sampled::<true>(short, time, pose),
        false => sampled::<false>(short, time, pose),
    }
}

/// Without `PACES` no rotation is [`PACED`]: a shorter loop.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
fn sampled<const PACES: bool>(short: &Short, time: Time, pose: &mut LocalPose) {
    let (from, to, fraction) = short.place(time);
    let mut blocks = Blocks { from, to, scales: short.scales(), shares: whole::shares(shares(fraction)) };
    let fraction = all(fraction);
    let mut still = short.still().lanes();
    pose.fit(short.still().bones());
    for (out, &moving) in pose.lanes_mut().iter_mut().zip(short.moving()) {
        let turned = |(from, to): (&[Block; 2], &[Block; 2]), blocks: &Blocks<'_>| {
            normalised(if PACES && moving & PACED != 0 {
                paced(exactly(from), exactly(to), UNIT * UNIT, fraction)
            } else {
                let [[x, y], [z, w]] = blocks.mixed(from, to);
                [x, y, z, w]
            })
        };
        let both = |translation: &mut [Lanes; 3], scale: &mut [Lanes; 3], blocks: &mut Blocks<'_>| {
            let Some([[tx, ty], [tz, sx], [sy, sz]]) = blocks.scaled() else { return };
            translation.iter_mut().zip([tx, ty, tz]).for_each(|(out, value)| store(out, value));
            scale.iter_mut().zip([sx, sy, sz]).for_each(|(out, value)| store(out, value));
        };
        if moving & ALL == ALL {
            let Some(turns) = blocks.take() else { return };
            both(&mut out.translation, &mut out.scale, &mut blocks);
            out.rotation.iter_mut().zip(turned(turns, &blocks)).for_each(|(out, value)| store(out, value));
            continue;
        }
        if moving & 1 == 0 {
            keep(&mut out.translation, &mut still);
        }
        if moving & 2 != 0 {
            let Some(turns) = blocks.take() else { return };
            out.rotation.iter_mut().zip(turned(turns, &blocks)).for_each(|(out, value)| store(out, value));
        } else {
            keep(&mut out.rotation, &mut still);
        }
        if moving & 4 == 0 {
            keep(&mut out.scale, &mut still);
        }
        match moving & 5 {
            0 => {}
            5 => both(&mut out.translation, &mut out.scale, &mut blocks),
            one => {
                let Some([[x, y], [z, _]]) = blocks.scaled() else { return };
                let out = if one == 1 { &mut out.translation } else { &mut out.scale };
                out.iter_mut().zip([x, y, z]).for_each(|(out, value)| store(out, value));
            }
        }
    }
    for four in short.loose().chunks(LOOSE) {
        let Some([values]) = blocks.scaled() else { return };
        let mut bones = [Lanes([0.0; 8]); 2];
        bones.iter_mut().zip(values).for_each(|(out, value)| store(out, value));
        for (at, loose) in four.iter().enumerate() {
            loose.put(&bones[at / 2].0[at % 2 * 4..], pose);
        }
    }
}

/// What is left of two columns and of the scales that go with them.
struct Blocks<'c> {
    from: &'c [Block],
    to: &'c [Block],
    scales: &'c [Lanes],
    /// Of the two.
    shares: Shares,
}

impl<'c> Blocks<'c> {
    #[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
    #[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
    fn take<const N: usize>(&mut self) -> Option<(&'c [Block; N], &'c [Block; N])> {
        let ((from, from_rest), (to, to_rest)) = (self.from.split_first_chunk()?, self.to.split_first_chunk()?);
        (self.from, self.to) = (from_rest, to_rest);
        Some((from, to))
    }

    /// The components of each block on the way from one column to the other, times [`ONE`] twice.
    #[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
    #[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
    fn mixed<const N: usize>(&self, from: &[Block; N], to: &[Block; N]) -> [[Eight; 2]; N] {
        let mut out = [[all(0.0); 2]; N];
        for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
            *out = whole::mixed(from, to, self.shares);
        }
        out
    }

    /// The values of the next blocks.
    #[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
    #[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
    fn scaled<const N: usize>(&mut self) -> Option<[[Eight; 2]; N]> {
        let (from, to) = self.take()?;
        let mut out = self.mixed(from, to);
        for components in &mut out {
            let (scales, rest) = self.scales.split_first_chunk::<2>()?;
            self.scales = rest;
            *components = [mul(components[0], load(&scales[0])), mul(components[1], load(&scales[1]))];
        }
        Some(out)
    }
}

/// The rotations of one column, `1 /` [`UNIT`] times too long: every number in the upper half of 32 bits.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn exactly(blocks: &[Block; 2]) -> [Eight; 4] {
    let [[x, y], [z, w]] = [whole::exactly(&blocks[0]), whole::exactly(&blocks[1])];
    [x, y, z, w]
}
