//! Eight numbers in two NEON registers, and four in one: the operations of the loops. `avx2/eight.rs` has the same
//! functions.
#![allow(unsafe_code)]

use std::arch::aarch64::*;

use crate::anim::lanes::Lanes;

/// Eight numbers, or eight masks with all bits set or clear.
#[derive(Clone, Copy)]
pub struct Eight(pub float32x4_t, pub float32x4_t);
/// Four numbers.
pub type Four = float32x4_t;

#[inline]
#[target_feature(enable = "neon")]
pub fn load(lanes: &Lanes) -> Eight {
    let start = lanes.0.as_ptr();
    // SAFETY: `Lanes` is eight floats.
    unsafe { Eight(vld1q_f32(start), vld1q_f32(start.add(4))) }
}

#[inline]
#[target_feature(enable = "neon")]
pub fn store(lanes: &mut Lanes, value: Eight) {
    let start = lanes.0.as_mut_ptr();
    // SAFETY: `Lanes` is eight floats.
    unsafe {
        vst1q_f32(start, value.0);
        vst1q_f32(start.add(4), value.1);
    }
}

#[inline]
#[target_feature(enable = "neon")]
pub fn all(value: f32) -> Eight {
    Eight(vdupq_n_f32(value), vdupq_n_f32(value))
}

#[inline]
#[target_feature(enable = "neon")]
pub fn add(a: Eight, b: Eight) -> Eight {
    Eight(vaddq_f32(a.0, b.0), vaddq_f32(a.1, b.1))
}

#[inline]
#[target_feature(enable = "neon")]
pub fn sub(a: Eight, b: Eight) -> Eight {
    Eight(vsubq_f32(a.0, b.0), vsubq_f32(a.1, b.1))
}

#[inline]
#[target_feature(enable = "neon")]
pub fn mul(a: Eight, b: Eight) -> Eight {
    Eight(vmulq_f32(a.0, b.0), vmulq_f32(a.1, b.1))
}

/// `a · b + c`, rounded once.
#[inline]
#[target_feature(enable = "neon")]
pub fn mul_add(a: Eight, b: Eight, c: Eight) -> Eight {
    Eight(vfmaq_f32(c.0, a.0, b.0), vfmaq_f32(c.1, a.1, b.1))
}

/// `a · b − c`, rounded once.
#[inline]
#[target_feature(enable = "neon")]
pub fn mul_sub(a: Eight, b: Eight, c: Eight) -> Eight {
    Eight(vfmaq_f32(vnegq_f32(c.0), a.0, b.0), vfmaq_f32(vnegq_f32(c.1), a.1, b.1))
}

/// `c − a · b`, rounded once.
#[inline]
#[target_feature(enable = "neon")]
pub fn neg_mul_add(a: Eight, b: Eight, c: Eight) -> Eight {
    Eight(vfmsq_f32(c.0, a.0, b.0), vfmsq_f32(c.1, a.1, b.1))
}

/// Numbers below 0 become 0, above 1 become 1.
#[inline]
#[target_feature(enable = "neon")]
pub fn clamped(a: Eight) -> Eight {
    let clamped = |half| vminq_f32(vmaxq_f32(half, vdupq_n_f32(0.0)), vdupq_n_f32(1.0));
    Eight(clamped(a.0), clamped(a.1))
}

/// `1 / √x` to 3e-7 of itself: the processor's 8-bit estimate and two steps of Newton's method.
#[inline]
#[target_feature(enable = "neon")]
pub fn rsqrt(x: Eight) -> Eight {
    let step = |x, near| vmulq_f32(near, vrsqrtsq_f32(vmulq_f32(x, near), near));
    let root = |x| step(x, step(x, vrsqrteq_f32(x)));
    Eight(root(x.0), root(x.1))
}

/// The rounded square root.
#[inline]
#[target_feature(enable = "neon")]
pub fn sqrt(x: Eight) -> Eight {
    Eight(vsqrtq_f32(x.0), vsqrtq_f32(x.1))
}

/// `1 / √x`, with both operations rounded.
#[inline]
#[target_feature(enable = "neon")]
pub fn exact_rsqrt(x: Eight) -> Eight {
    let (one, root) = (vdupq_n_f32(1.0), sqrt(x));
    Eight(vdivq_f32(one, root.0), vdivq_f32(one, root.1))
}

/// The numbers where the mask is set, else zero.
#[inline]
#[target_feature(enable = "neon")]
pub fn only(numbers: Eight, mask: Eight) -> Eight {
    bitwise(numbers, mask, |numbers, mask| vandq_u32(numbers, mask))
}

/// Set where either mask is.
#[inline]
#[target_feature(enable = "neon")]
pub fn either(a: Eight, b: Eight) -> Eight {
    bitwise(a, b, |a, b| vorrq_u32(a, b))
}

/// Set where `a` is set and `b` is not.
#[inline]
#[target_feature(enable = "neon")]
pub fn without(a: Eight, b: Eight) -> Eight {
    bitwise(a, b, |a, b| vbicq_u32(a, b))
}

/// `numbers` with the signs of `signs` multiplied in.
#[inline]
#[target_feature(enable = "neon")]
pub fn signed(numbers: Eight, signs: Eight) -> Eight {
    bitwise(numbers, signs, |numbers, signs| veorq_u32(numbers, vandq_u32(signs, vdupq_n_u32(1 << 31))))
}

/// Set where `a` differs from `b`, or one is NaN.
#[inline]
#[target_feature(enable = "neon")]
pub fn differs(a: Eight, b: Eight) -> Eight {
    let differs = |a, b| vreinterpretq_f32_u32(vmvnq_u32(vceqq_f32(a, b)));
    Eight(differs(a.0, b.0), differs(a.1, b.1))
}

/// Set where `a` is below `b`; not for NaN.
#[inline]
#[target_feature(enable = "neon")]
pub fn below(a: Eight, b: Eight) -> Eight {
    let below = |a, b| vreinterpretq_f32_u32(vcltq_f32(a, b));
    Eight(below(a.0, b.0), below(a.1, b.1))
}

/// `yes` where the mask is set, else `no`.
#[inline]
#[target_feature(enable = "neon")]
pub fn either_by(mask: Eight, yes: Eight, no: Eight) -> Eight {
    let either = |mask, yes, no| vbslq_f32(vreinterpretq_u32_f32(mask), yes, no);
    Eight(either(mask.0, yes.0, no.0), either(mask.1, yes.1, no.1))
}

#[inline]
#[target_feature(enable = "neon")]
fn bitwise(a: Eight, b: Eight, work: impl Fn(uint32x4_t, uint32x4_t) -> uint32x4_t) -> Eight {
    let bits = |a, b| vreinterpretq_f32_u32(work(vreinterpretq_u32_f32(a), vreinterpretq_u32_f32(b)));
    Eight(bits(a.0, b.0), bits(a.1, b.1))
}

/// Eight numbers from two times four.
#[inline]
#[target_feature(enable = "neon")]
pub fn pair(first: Four, second: Four) -> Eight {
    Eight(first, second)
}

#[inline]
#[target_feature(enable = "neon")]
pub fn first_half(eight: Eight) -> Four {
    eight.0
}

#[inline]
#[target_feature(enable = "neon")]
pub fn second_half(eight: Eight) -> Four {
    eight.1
}

/// Transposes four vectors of eight numbers to eight of four (the first with the fifth, the second with the sixth, and
/// so on), and back.
#[inline]
#[target_feature(enable = "neon")]
pub fn turned([a, b, c, d]: [Eight; 4]) -> [Eight; 4] {
    let ([e, f, g, h], [i, j, k, l]) = (turned_four([a.0, b.0, c.0, d.0]), turned_four([a.1, b.1, c.1, d.1]));
    [Eight(e, i), Eight(f, j), Eight(g, k), Eight(h, l)]
}

#[inline]
#[target_feature(enable = "neon")]
fn turned_four([a, b, c, d]: [Four; 4]) -> [Four; 4] {
    let wide = |four| vreinterpretq_f64_f32(four);
    let (ab, ab_high) = (wide(vzip1q_f32(a, b)), wide(vzip2q_f32(a, b)));
    let (cd, cd_high) = (wide(vzip1q_f32(c, d)), wide(vzip2q_f32(c, d)));
    [vzip1q_f64(ab, cd), vzip2q_f64(ab, cd), vzip1q_f64(ab_high, cd_high), vzip2q_f64(ab_high, cd_high)]
        .map(|four| vreinterpretq_f32_f64(four))
}
