//! Samples windows of curves, eight bones at a time. No unsafe code.

use crate::anim::bake::channels::Channels;
use crate::anim::bake::curve_windows::{CORRECTION, CurveWindows, PieceKind, Window};
use crate::anim::bake::loops::sampled_poses::copy;
use crate::anim::pose::{Lanes, LocalPose};
use crate::anim::simd::loops::rounding::{mul_add, mul_sub, normalized};
use crate::anim::simd::registers::eight::{Eight, all, clamped, load, mul, store, sub};
use crate::anim::time::Time;

/// Equals the portable loop to 5e-7 of a unit rotation; if `EXACT`, bit by bit.
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
pub fn sample<const EXACT: bool>(windows: &CurveWindows, time: Time, pose: &mut LocalPose) {
    let mut window = windows.window(time);
    let elapsed = all(window.elapsed);
    pose.fit(windows.constant().len());
    let groups = pose.lanes_mut().iter_mut().zip(windows.constant().lanes()).zip(windows.animated());
    for ((out, constant), &animated) in groups {
        if animated.has(Channels::TRANSLATION) {
            let Some(()) = put_sum::<EXACT, _>(&mut window, elapsed, &mut out.translation, |value| value) else {
                return;
            };
        } else {
            copy(&mut out.translation, &constant.translation);
        }
        if animated.has(Channels::ROTATION) {
            let Some(()) =
                put_sum::<EXACT, _>(&mut window, elapsed, &mut out.rotation, |value| normalized::<EXACT>(value))
            else {
                return;
            };
        } else {
            copy(&mut out.rotation, &constant.rotation);
        }
        if animated.has(Channels::SCALE) {
            let Some(()) = put_sum::<EXACT, _>(&mut window, elapsed, &mut out.scale, |value| value) else { return };
        } else {
            copy(&mut out.scale, &constant.scale);
        }
    }
}

/// Writes the value of the next channel. `None` past the last one.
///
/// Not a function that returns the value: in an `Option` it would travel through memory.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn put_sum<const EXACT: bool, const N: usize>(
    window: &mut Window<'_>,
    elapsed: Eight,
    out: &mut [Lanes; N],
    finish: impl Fn([Eight; N]) -> [Eight; N],
) -> Option<()> {
    let (head, heads) = window.heads.split_first()?;
    window.heads = heads;
    let (first, rest) = window.lanes.split_first_chunk::<N>()?;
    let width = if head.kind == PieceKind::Cubic { 2 + 3 * N } else { 2 + N };
    let (pieces, rest) = rest.split_at_checked(head.pieces as usize * width)?;
    window.lanes = rest;
    let mut value = first.each_ref().map(|component| load(component));
    match head.kind {
        PieceKind::Linear => {
            for piece in pieces.chunks_exact(2 + N) {
                add::<EXACT, N>(&mut value, &piece[2..], fraction::<EXACT>(piece, elapsed));
            }
        }
        PieceKind::SlerpCorrected => {
            for piece in pieces.chunks_exact(2 + N) {
                add::<EXACT, N>(
                    &mut value,
                    &piece[2..],
                    corrected::<EXACT>(fraction::<EXACT>(piece, elapsed), &piece[2..]),
                );
            }
        }
        PieceKind::Cubic => {
            for piece in pieces.chunks_exact(2 + 3 * N) {
                let fraction = fraction::<EXACT>(piece, elapsed);
                for part in 0..N {
                    let [first, second, third] = [0, 1, 2].map(|power| load(&piece[2 + power * N + part]));
                    let slope = mul_add::<EXACT>(mul_add::<EXACT>(third, fraction, second), fraction, first);
                    value[part] = mul_add::<EXACT>(slope, fraction, value[part]);
                }
            }
        }
    }
    out.iter_mut().zip(finish(value)).for_each(|(out, value)| store(out, value));
    Some(())
}

/// How far a piece is, 0 to 1.
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn fraction<const EXACT: bool>(piece: &[Lanes], elapsed: Eight) -> Eight {
    clamped(mul_sub::<EXACT>(elapsed, load(&piece[0]), load(&piece[1])))
}

#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn add<const EXACT: bool, const N: usize>(value: &mut [Eight; N], changes: &[Lanes], fraction: Eight) {
    value.iter_mut().zip(changes).for_each(|(value, change)| *value = mul_add::<EXACT>(load(change), fraction, *value));
}

/// The weight for [`PieceKind::SlerpCorrected`].
#[cfg_attr(target_arch = "aarch64", inline, target_feature(enable = "neon"))]
#[cfg_attr(target_arch = "x86_64", inline, target_feature(enable = "avx2,fma"))]
fn corrected<const EXACT: bool>(fraction: Eight, changes: &[Lanes]) -> Eight {
    // Half the square of the difference of two unit quaternions is 1 − their dot product; the halves are in the factors.
    let [first, second, third] = CORRECTION;
    let [first, second, third] = [first * 0.5, second * 0.25, third * 0.25].map(|number| all(number));
    let apart = changes.iter().fold(all(0.0), |sum, change| mul_add::<EXACT>(load(change), load(change), sum));
    let half = sub(fraction, all(0.5));
    let square = mul(half, half);
    let bend = mul(apart, mul_add::<EXACT>(apart, mul_add::<EXACT>(third, square, second), first));
    mul_add::<EXACT>(mul(half, sub(square, all(0.25))), bend, fraction)
}
