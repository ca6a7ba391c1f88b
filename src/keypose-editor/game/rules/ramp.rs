//! A slope in whole grains. A body touches it with the corner of its feet that is farther uphill; so a body never overlaps one, and
//! comes from it to a flat top without a step. What is drawn stands lower: [`sink`].

use crate::game::world::stage::Stage;
use crate::game::world::units::Area;
use keypose::assets::level::slope::Slope;

/// A slope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ramp {
    /// Bounding box.
    pub area: Area,
    /// Whether its high end is the left one.
    pub rises_left: bool,
}

impl Ramp {
    /// Converts a slope. `None` if it has no area.
    pub fn of(slope: &Slope) -> Option<Ramp> {
        let slope = slope.walkable(keypose::assets::level::slope::SlopeEnd::Bottom);
        Some(Ramp { area: Area::of(&slope.rect)?, rises_left: slope.rises_left })
    }

    /// Width and height.
    fn size(&self) -> [i64; 2] {
        let size = self.area.max - self.area.min;
        [size.x, size.y]
    }

    /// The height of its surface at an x; at its ends outside of its box. Rounded up.
    pub fn height_at(&self, x: i64) -> i64 {
        let [width, height] = self.size();
        let way = if self.rises_left { self.area.max.x - x } else { x - self.area.min.x };
        self.area.min.y + (way.clamp(0, width) * height + width - 1) / width
    }

    /// The height at which the feet of a body over it touch.
    pub fn top_under(&self, body: &Area) -> i64 {
        self.height_at(if self.rises_left { body.min.x } else { body.max.x })
    }

    /// Whether a body overlaps it.
    pub fn overlaps(&self, body: &Area) -> bool {
        self.area.overlaps(body) && body.min.y < self.top_under(body)
    }

    /// The x of its surface at the height of a body's feet: where the body stops on its way uphill.
    pub fn stop_at(&self, feet: i64) -> i64 {
        let [width, height] = self.size();
        let way = ((feet - self.area.min.y).clamp(0, height) * width) / height;
        if self.rises_left { self.area.max.x - way } else { self.area.min.x + way }
    }

    /// Whether a body stands on it.
    pub fn holds(&self, body: &Area) -> bool {
        self.area.overlaps_across(body) && self.top_under(body) == body.min.y
    }

    /// Rise along the level, in metres per metre.
    pub fn tilt(&self) -> f32 {
        let [width, height] = self.size().map(|side| side as f32);
        if self.rises_left { -height / width } else { height / width }
    }

    /// The part of a way along the surface that is sideways.
    fn flatness(&self) -> f32 {
        let [width, height] = self.size().map(|side| side as f64);
        (width / (width * width + height * height).sqrt()) as f32
    }
}

/// How far below the feet of a body on slopes the ground is under its middle, in grains; 0 if it doesn't stand on a slope.
pub fn sink(stage: &Stage, body: &Area) -> i64 {
    let middle = body.middle();
    let is_under = |area: &Area| (area.min.x..=area.max.x).contains(&middle);
    let held = || stage.ramps.iter().filter(|ramp| ramp.holds(body));
    let Some(end) = held().map(|ramp| ramp.height_at(middle)).max() else { return 0 };
    let boxes = stage.solids.iter().chain(&stage.platforms).filter(|area| is_under(area)).map(|area| area.max.y);
    let ramps = stage.ramps.iter().filter(|ramp| is_under(&ramp.area)).map(|ramp| ramp.height_at(middle));
    let ground = boxes.chain(ramps).filter(|&top| top <= body.min.y).max();
    let depth = match ground {
        Some(top) if held().any(|ramp| is_under(&ramp.area)) => body.min.y - top,
        // Its middle is beyond the end of a slope, which may be in the air.
        Some(top) => body.min.y - top.max(end),
        None => body.min.y - end,
    };
    depth.max(0)
}

/// The part of its speed with which a body moves sideways: 1, or less with its middle over a slope, so that it is as fast along it.
pub fn flatness(stage: &Stage, body: &Area) -> f32 {
    let middle = body.middle();
    let is_under = |ramp: &&Ramp| ramp.holds(body) && (ramp.area.min.x..=ramp.area.max.x).contains(&middle);
    stage.ramps.iter().filter(is_under).map(Ramp::flatness).fold(1.0, f32::min)
}
