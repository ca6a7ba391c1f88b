//! Samples packed poses: unpacks one component of eight bones from the bits of two samples.
#![allow(unsafe_code)]

use crate::anim::bake::channels::Channels;
use crate::anim::bake::loops::sampled_poses::{blend_corrected, write_constant, write_constant_scale};
use crate::anim::bake::packed_samples::{Block, PackedSamples, widened};
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd::PADDING;
use crate::anim::simd::loops::rounding::{mul_add, neg_mul_add, normalized};
use crate::anim::simd::registers::eight::{Eight, add, all, clamped, load, mul, sqrt, store, sub};
use crate::anim::simd::registers::integer::{self, Spread};
use crate::anim::time::Time;

/// Equals the portable loop to 5e-7 of a unit rotation; if `EXACT`, bit by bit.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn sample<const EXACT: bool>(samples: &PackedSamples, time: Time, pose: &mut LocalPose) {
    let (pair, fraction) = samples.pair(time);
    let mut unread = samples.unread();
    let fraction = all(fraction);
    pose.fit(samples.layout().constant.bones());
    let mut constant = samples.layout().constant.lanes();
    for (out, &animated) in pose.lanes_mut().iter_mut().zip(&samples.layout().animated) {
        if animated.has(Channels::TRANSLATION) {
            let Some(block) = unread.take() else { return };
            write_blended::<EXACT>(pair, &block, fraction, &mut out.translation);
        } else {
            write_constant(&mut out.translation, &mut constant);
        }
        if animated.has(Channels::ROTATION) {
            let Some(block) = unread.take::<3>() else { return };
            let part = Unpacked::new(&block);
            let [(ax, bx), (ay, by), (az, bz)] = [
                part.stored::<EXACT, 3>(pair, &block, 0),
                part.stored::<EXACT, 3>(pair, &block, 1),
                part.stored::<EXACT, 3>(pair, &block, 2),
            ];
            let (aw, bw) = if animated.has(Channels::DERIVED_W) {
                (derived_w::<EXACT>(ax, ay, az), derived_w::<EXACT>(bx, by, bz))
            } else {
                let Some(block) = unread.take::<1>() else { return };
                Unpacked::new(&block).stored::<EXACT, 1>(pair, &block, 0)
            };
            let (from, to) = ([ax, ay, az, aw], [bx, by, bz, bw]);
            let values = if animated.has(Channels::SLERP_CORRECTED) {
                blend_corrected::<EXACT>(from, to, 1.0, fraction)
            } else {
                between::<EXACT>(from, to, fraction)
            };
            write(&mut out.rotation, values);
        } else {
            write_constant(&mut out.rotation, &mut constant);
        }
        if animated.has(Channels::SCALE) {
            let Some(block) = unread.take() else { return };
            write_blended::<EXACT>(pair, &block, fraction, &mut out.scale);
        } else {
            write_constant_scale(&samples.layout().constant, &mut out.scale, &mut constant);
        }
    }
    // In a loop of its own: a processor can't look far enough ahead to normalize a group while it unpacks the next.
    for (out, &animated) in pose.lanes_mut().iter_mut().zip(&samples.layout().animated) {
        if animated.has(Channels::ROTATION) {
            let [x, y, z, w] = &out.rotation;
            let values = normalized::<EXACT>([load(x), load(y), load(z), load(w)]);
            write(&mut out.rotation, values);
        }
    }
}

#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn write([x, y, z, w]: &mut [Lanes; 4], values: [Eight; 4]) {
    store(x, values[0]);
    store(y, values[1]);
    store(z, values[2]);
    store(w, values[3]);
}

/// Blends the components of a part.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn write_blended<const EXACT: bool>(pair: [&[u8]; 2], block: &Block<'_, 3>, fraction: Eight, out: &mut [Lanes; 3]) {
    let part = Unpacked::new(block);
    let (first, second) = (mul(part.steps, sub(all(1.0), fraction)), mul(part.steps, fraction));
    for (at, out) in out.iter_mut().enumerate() {
        let (from, to) = part.numbers(pair, block, at);
        store(out, mul_add::<EXACT>(second, to, mul_add::<EXACT>(first, from, part.zeros(block, at))));
    }
}

#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn derived_w<const EXACT: bool>(x: Eight, y: Eight, z: Eight) -> Eight {
    let rest = if EXACT {
        sub(all(1.0), add(add(mul(x, x), mul(y, y)), mul(z, z)))
    } else {
        neg_mul_add::<EXACT>(x, x, neg_mul_add::<EXACT>(y, y, neg_mul_add::<EXACT>(z, z, all(1.0))))
    };
    sqrt(clamped(rest))
}

#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn between<const EXACT: bool>(
    [ax, ay, az, aw]: [Eight; 4],
    [bx, by, bz, bw]: [Eight; 4],
    fraction: Eight,
) -> [Eight; 4] {
    let blend = |a, b| mul_add::<EXACT>(sub(b, a), fraction, a);
    [blend(ax, bx), blend(ay, by), blend(az, bz), blend(aw, bw)]
}

/// How the numbers of a part become values.
struct Unpacked {
    spread: Spread,
    /// The steps of the numbers as [`integer::unpacked`] returns them.
    steps: Eight,
    unit: Eight,
}

impl Unpacked {
    #[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
    #[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
    fn new<const N: usize>(block: &Block<'_, N>) -> Unpacked {
        let spread = integer::spread(&block.part.bits, block.part.ends());
        let steps = mul(integer::widened(&block.part.steps), spread.units);
        Unpacked { spread, steps, unit: all(widened(block.part.unit)) }
    }

    /// The numbers of a component in two samples.
    #[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
    #[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
    fn numbers<const N: usize>(&self, pair: [&[u8]; 2], block: &Block<'_, N>, at: usize) -> (Eight, Eight) {
        let start = block.start + block.bytes * at;
        debug_assert!(pair.iter().all(|sample| start + PADDING <= sample.len()));
        // SAFETY: `PackedSamples::stored` returns at least 16 bytes from the start of any component:
        // `PackedSamples::new` checks the number of bytes of all samples and appends as many, and `Unread` counts the
        // bytes of the same parts.
        let [from, to] = pair.map(|sample| unsafe { &*sample.as_ptr().add(start).cast::<[u8; PADDING]>() });
        (integer::unpacked(from, &self.spread), integer::unpacked(to, &self.spread))
    }

    /// The values of 0.
    #[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
    #[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
    fn zeros<const N: usize>(&self, block: &Block<'_, N>, at: usize) -> Eight {
        mul(integer::floats(&block.lows[at]), self.unit)
    }

    /// The values of a component in two samples.
    #[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
    #[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
    fn stored<const EXACT: bool, const N: usize>(
        &self,
        pair: [&[u8]; 2],
        block: &Block<'_, N>,
        at: usize,
    ) -> (Eight, Eight) {
        let ((from, to), zeros) = (self.numbers(pair, block, at), self.zeros(block, at));
        (mul_add::<EXACT>(self.steps, from, zeros), mul_add::<EXACT>(self.steps, to, zeros))
    }
}
