//! The time scale: conversion between times and screen points, zoom, and the steps of the ruler.

use keypose::anim::time::{FrameRate, Time};

/// The scale of time on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The x of time zero, in points.
    pub zero: f32,
    /// Points per second, more than 0.
    pub points_per_sec: f64,
}

impl Scale {
    /// The scale with time zero on a whole point: scrolling then moves everything by the same number of points.
    pub fn on_whole_points(self) -> Scale {
        Scale { zero: self.zero.round(), ..self }
    }

    pub fn x(&self, time: Time) -> f32 {
        self.zero + (time.secs() * self.points_per_sec) as f32
    }

    /// The time at an x; not snapped, may be negative.
    pub fn time(&self, x: f32) -> Time {
        Time::from_secs(f64::from(x - self.zero) / self.points_per_sec)
    }

    /// The duration of a length in points.
    pub fn span(&self, points: f32) -> Time {
        Time::from_secs(f64::from(points) / self.points_per_sec)
    }
}

/// The visible part of the timeline.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Zoom {
    /// Magnification relative to the whole clip; 0 or 1 shows all of it.
    pub factor: f64,
    /// Time at the left edge, in seconds.
    pub from_secs: f64,
}

impl Zoom {
    /// The scale for a clip's duration over a width in points. An empty clip shows one second.
    pub fn scale(&self, left: f32, width: f32, length: Time) -> Scale {
        let whole = whole_secs(length);
        let points_per_sec = f64::from(width.max(1.0)) / whole * self.factor.max(1.0);
        Scale { zero: left - (self.from_secs * points_per_sec) as f32, points_per_sec }
    }

    /// Zooms in (`by` above 1) or out around an x, within the whole clip.
    pub fn zoom_at(&mut self, scale: &Scale, x: f32, by: f64, left: f32, length: Time) {
        let under = scale.time(x).secs();
        let factor = (self.factor.max(1.0) * by).clamp(1.0, 200.0);
        let points_per_sec = scale.points_per_sec * factor / self.factor.max(1.0);
        self.factor = factor;
        self.from_secs = under - f64::from(x - left) / points_per_sec;
        self.limit(length);
    }

    /// Scrolls by seconds.
    pub fn scroll(&mut self, secs: f64, length: Time) {
        self.from_secs += secs;
        self.limit(length);
    }

    /// Shows a part of the timeline, with some room at both sides.
    pub fn show(&mut self, from: Time, to: Time, length: Time) {
        let (whole, part) = (whole_secs(length), (to - from).secs() * 1.2);
        self.factor = if part > 0.0 { (whole / part).clamp(1.0, 200.0) } else { 1.0 };
        self.from_secs = from.secs() - (to - from).secs() * 0.1;
        self.limit(length);
    }

    /// Keeps the visible part within the clip.
    fn limit(&mut self, length: Time) {
        let whole = whole_secs(length);
        let max = whole - whole / self.factor.max(1.0);
        self.from_secs = self.from_secs.clamp(0.0, max.max(0.0));
    }
}

fn whole_secs(length: Time) -> f64 {
    if length > Time::ZERO { length.secs() } else { 1.0 }
}

/// The number of frames between lines and between numbers of the ruler: 1, 2, 5, 10, …, so that numbers are at least
/// `apart` points apart.
pub fn ruler_steps(scale: &Scale, rate: FrameRate, apart: f32) -> (i64, i64) {
    let frame = rate.frame().secs() * scale.points_per_sec;
    let steps = (0..9).flat_map(|power| [1, 2, 5].map(|step| step * 10_i64.pow(power)));
    let wide = |min: f32| steps.clone().find(|step| *step as f64 * frame >= f64::from(min)).unwrap_or(1 << 30);
    (wide(7.0), wide(apart))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_the_time_under_the_mouse() {
        let (mut zoom, length) = (Zoom::default(), Time::from_secs(4.0));
        let before = zoom.scale(100.0, 800.0, length);
        zoom.zoom_at(&before, 500.0, 2.0, 100.0, length);
        let after = zoom.scale(100.0, 800.0, length);
        assert!((before.time(500.0).secs() - after.time(500.0).secs()).abs() < 1e-6);
        zoom.zoom_at(&after, 500.0, 0.01, 100.0, length);
        assert_eq!(zoom.scale(100.0, 800.0, length), before);
    }
}
