//! Operations of the loops that sample. If `EXACT`, every product is rounded before it is added and every root is exact, as
//! in the portable loops: the result has the same bits.

use crate::anim::simd::loops::blend;
use crate::anim::simd::registers::eight::{self, Eight, add, exact_rsqrt, mul, sub};

/// `a · b + c`.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub fn mul_add<const EXACT: bool>(a: Eight, b: Eight, c: Eight) -> Eight {
    if EXACT { add(mul(a, b), c) } else { eight::mul_add(a, b, c) }
}

/// `a · b − c`.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub fn mul_sub<const EXACT: bool>(a: Eight, b: Eight, c: Eight) -> Eight {
    if EXACT { sub(mul(a, b), c) } else { eight::mul_sub(a, b, c) }
}

/// `c − a · b`.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub fn neg_mul_add<const EXACT: bool>(a: Eight, b: Eight, c: Eight) -> Eight {
    if EXACT { sub(c, mul(a, b)) } else { eight::neg_mul_add(a, b, c) }
}

/// Normalizes rotations.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
pub fn normalized<const EXACT: bool>([x, y, z, w]: [Eight; 4]) -> [Eight; 4] {
    if !EXACT {
        return blend::normalized([x, y, z, w]);
    }
    let recip = exact_rsqrt(add(add(mul(x, x), mul(y, y)), add(mul(z, z), mul(w, w))));
    [mul(x, recip), mul(y, recip), mul(z, recip), mul(w, recip)]
}
