//! Time as a whole number of flicks, and frame rates. Never a float, so that key times can be compared exactly.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Rem, Sub, SubAssign};

/// A time or duration in flicks: 1/705,600,000 s. A second is a whole multiple of a frame at every common frame rate
/// and of a sample at 44.1 and 48 kHz.
///
/// The range is ±413 years; arithmetic saturates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub i64);

impl Time {
    /// Flicks in one second.
    pub const FLICKS_PER_SEC: i64 = 705_600_000;
    /// Zero, the start of every clip.
    pub const ZERO: Time = Time(0);
    /// One second.
    pub const SECOND: Time = Time(Self::FLICKS_PER_SEC);
    /// 1/60 s, one tick of the game.
    pub const TICK: Time = Time(Self::FLICKS_PER_SEC / 60);
    /// The maximum length of a clip: 24 hours.
    pub const LONGEST: Time = Time(Self::FLICKS_PER_SEC * 3600 * 24);

    /// Rounds to the nearest flick; NaN gives zero, values out of range saturate.
    pub fn from_secs(secs: f64) -> Time {
        Time((secs * Self::FLICKS_PER_SEC as f64).round() as i64)
    }

    /// Seconds, exact to 2⁻⁵³ of the value.
    pub fn secs(self) -> f64 {
        self.0 as f64 / Self::FLICKS_PER_SEC as f64
    }

    /// Rounds milliseconds to the nearest flick.
    pub fn from_millis(millis: f64) -> Time {
        Time::from_secs(millis / 1000.0)
    }

    /// Milliseconds.
    pub fn millis(self) -> f64 {
        self.secs() * 1000.0
    }

    /// Whole game ticks (1/60 s) since zero.
    pub fn from_ticks(ticks: i64) -> Time {
        Time(Self::TICK.0.saturating_mul(ticks))
    }

    /// `self / length` as a fraction; zero if the length is not positive.
    pub fn fraction_of(self, length: Time) -> f64 {
        if length.0 > 0 { self.0 as f64 / length.0 as f64 } else { 0.0 }
    }
}

impl Add for Time {
    type Output = Time;
    fn add(self, other: Time) -> Time {
        Time(self.0.saturating_add(other.0))
    }
}

impl Time {
    /// `at` of `count` equal parts of a duration, at most all of it. Within a microsecond of a frame of a common rate, and the rounding of
    /// long durations to 32 bits, it is that frame: the ends of imported clips are so, and a frame just before a key would miss it.
    pub fn part(self, at: usize, count: usize) -> Time {
        // All common rates have frames on one of them: 24, 25, 30, 60 and their multiples, 23.976, 29.97 and 59.94.
        const GRIDS: [i64; 2] = [Time::FLICKS_PER_SEC / 3600, Time::FLICKS_PER_SEC / 120_000 * 1001];
        const MICROSECOND: i64 = Time::FLICKS_PER_SEC / 1_000_000;
        let rounding = (self.0 >> 23).clamp(MICROSECOND, 30 * MICROSECOND);
        let time = Time::from_secs(self.secs() * at as f64 / count.max(1) as f64);
        let frame = |grid: i64| time.0.saturating_add(grid / 2).div_euclid(grid).saturating_mul(grid);
        let away = |frame: &i64| (frame - time.0).abs();
        let nearest = GRIDS.map(frame).into_iter().min_by_key(away);
        nearest.filter(|frame| away(frame) <= rounding).map_or(time, Time).min(self)
    }
}

impl Sub for Time {
    type Output = Time;
    fn sub(self, other: Time) -> Time {
        Time(self.0.saturating_sub(other.0))
    }
}

impl Neg for Time {
    type Output = Time;
    fn neg(self) -> Time {
        Time(self.0.saturating_neg())
    }
}

impl Mul<i64> for Time {
    type Output = Time;
    fn mul(self, factor: i64) -> Time {
        Time(self.0.saturating_mul(factor))
    }
}

impl Div<i64> for Time {
    type Output = Time;
    /// Truncates; dividing by zero gives zero.
    fn div(self, divisor: i64) -> Time {
        Time(self.0.checked_div(divisor).unwrap_or(0))
    }
}

impl Rem for Time {
    type Output = Time;
    /// The Euclidean remainder, in `0..length`; zero if the length is zero.
    fn rem(self, length: Time) -> Time {
        Time(self.0.checked_rem_euclid(length.0).unwrap_or(0))
    }
}

impl AddAssign for Time {
    fn add_assign(&mut self, other: Time) {
        *self = *self + other;
    }
}

impl SubAssign for Time {
    fn sub_assign(&mut self, other: Time) {
        *self = *self - other;
    }
}

impl Sum for Time {
    fn sum<I: Iterator<Item = Time>>(times: I) -> Time {
        times.fold(Time::ZERO, Add::add)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} s", self.secs())
    }
}

/// Frames per second as a ratio, so that 29.97 is exactly 30000/1001. The grid of a clip for snapping and display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameRate {
    frames: u32,
    per_secs: u32,
}

impl FrameRate {
    /// 24 frames per second.
    pub const FPS_24: FrameRate = FrameRate { frames: 24, per_secs: 1 };
    /// 30 frames per second, the default of a new clip.
    pub const FPS_30: FrameRate = FrameRate { frames: 30, per_secs: 1 };
    /// 60 frames per second: one frame is one tick of the game.
    pub const FPS_60: FrameRate = FrameRate { frames: 60, per_secs: 1 };

    /// `frames / per_secs` frames per second; `None` unless both are at least 1 and the rate is in 1/1000..=1000.
    pub fn new(frames: u32, per_secs: u32) -> Option<FrameRate> {
        let rate = f64::from(frames) / f64::from(per_secs);
        (frames > 0 && per_secs > 0 && (0.001..=1000.0).contains(&rate)).then_some(FrameRate { frames, per_secs })
    }

    /// The numerator of the ratio.
    pub fn frames(self) -> u32 {
        self.frames
    }

    /// The denominator of the ratio.
    pub fn per_secs(self) -> u32 {
        self.per_secs
    }

    /// Frames per second.
    pub fn fps(self) -> f64 {
        f64::from(self.frames) / f64::from(self.per_secs)
    }

    /// The time of a frame number, to the nearest flick.
    pub fn time_of(self, frame: i64) -> Time {
        let flicks = i128::from(frame) * i128::from(Time::FLICKS_PER_SEC) * i128::from(self.per_secs);
        let half = i128::from(self.frames) / 2;
        let rounded = (flicks + half).div_euclid(i128::from(self.frames));
        Time(rounded.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64)
    }

    /// The time of a number of frames with fraction; whole frames are as exact as [`FrameRate::time_of`].
    pub fn time_of_frames(self, frames: f64) -> Time {
        if frames.fract() == 0.0 { self.time_of(frames as i64) } else { Time::from_secs(frames / self.fps()) }
    }

    /// The duration of one frame.
    pub fn frame(self) -> Time {
        self.time_of(1)
    }

    /// The time in frames, with fraction.
    pub fn frames_in(self, time: Time) -> f64 {
        time.secs() * self.fps()
    }

    /// The number of the nearest frame.
    pub fn nearest_frame(self, time: Time) -> i64 {
        self.frames_in(time).round() as i64
    }

    /// The time of the nearest frame.
    pub fn snap(self, time: Time) -> Time {
        self.time_of(self.nearest_frame(time))
    }
}

impl Default for FrameRate {
    fn default() -> FrameRate {
        FrameRate::FPS_30
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_rates_divide_a_second() {
        for fps in [1, 2, 8, 10, 12, 15, 16, 24, 25, 30, 48, 50, 60, 90, 100, 120] {
            let rate = FrameRate::new(fps, 1).unwrap();
            assert_eq!(rate.frame() * i64::from(fps), Time::SECOND, "{fps}");
        }
    }

    #[test]
    fn snapping_is_idempotent_and_nearest() {
        let ntsc = FrameRate::new(30_000, 1_001).unwrap();
        assert_eq!((ntsc.time_of_frames(97.0), ntsc.time_of_frames(0.5)), (ntsc.time_of(97), ntsc.frame() / 2));
        for rate in [FrameRate::FPS_24, FrameRate::FPS_30, ntsc] {
            for flicks in (-2_000_000_000..2_000_000_000).step_by(33_333_337) {
                let snapped = rate.snap(Time(flicks));
                assert_eq!(rate.snap(snapped), snapped);
                assert!((snapped - Time(flicks)).0.abs() <= rate.frame().0 / 2 + 1);
            }
        }
    }

    #[test]
    fn parts_of_a_length_of_32_bits_are_frames() {
        for (frames, per_secs) in [(24, 1), (25, 1), (90, 1), (24_000, 1_001), (30_000, 1_001), (60_000, 1_001)] {
            let rate = FrameRate::new(frames, per_secs).unwrap();
            for count in [7, 97, 2_000] {
                let length = Time::from_secs(f64::from(rate.time_of(count).secs() as f32));
                let parts = (0..count).map(|at| length.part(at as usize, count as usize));
                assert!(parts.eq((0..count).map(|at| rate.time_of(at))), "{frames}/{per_secs}, {count}");
            }
        }
    }

    #[test]
    fn seconds_survive_the_round_trip() {
        for secs in [0.0, 1.0 / 3.0, 0.041_666_67, 3599.999] {
            assert!((Time::from_secs(secs).secs() - secs).abs() < 1e-9);
        }
        assert_eq!(Time::from_secs(f64::NAN), Time::ZERO);
        assert_eq!(Time::from_secs(f64::INFINITY), Time(i64::MAX));
    }

    #[test]
    fn arithmetic_never_panics() {
        let far = Time(i64::MAX);
        assert_eq!(far + far, far);
        assert_eq!(far / 0, Time::ZERO);
        assert_eq!(far % Time::ZERO, Time::ZERO);
        assert_eq!(Time(-1) % Time(10), Time(9));
    }
}
