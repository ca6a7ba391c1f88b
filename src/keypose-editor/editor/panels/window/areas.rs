//! The areas of the docked panels: their rectangles for an arrangement and a window size. Numbers only, no Dear ImGui.

use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::window::layout::Panel;
use crate::editor::session::preferences::Arrangement;

/// A place for panels, which share it as tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The upper left: clips.
    Clips,
    /// The lower left: bones, or the inspector if there is no column at the right.
    LowerLeft,
    /// The viewport.
    Middle,
    /// The column at the right.
    Right,
    /// Below the viewport: time.
    Below,
}

/// How the window is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Columns at both sides of the viewport, the timeline below all of them.
    ThreeColumns,
    /// A divided column at the left; the timeline below the viewport.
    TwoColumns,
}

/// The areas of an arrangement, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Areas {
    /// How the window is divided.
    pub shape: Shape,
    /// The size of the dock space.
    pub size: [f32; 2],
    /// Width of the left column.
    pub left: f32,
    /// Width of the right column; 0 without one.
    pub right: f32,
    /// Height of the timeline.
    pub below: f32,
    /// Height of the upper panels of the left column.
    pub clips: f32,
}

/// Minimum width for three columns.
const MIN_FOR_THREE: f32 = 1100.0;
/// Minimum width of the right column: its tabs and the labels of the inspector are whole.
const MIN_RIGHT: f32 = 306.0;
/// Height at which the clip list shows eight clips.
const EIGHT_CLIPS: f32 = 226.0;
/// Height of the model picker above them.
const MODEL_PICKER: f32 = 32.0;
/// Minimum height of the viewport in every arrangement.
const MIN_MIDDLE: f32 = 100.0;
/// The part of the window's height that the timeline gets when poses are edited, and in a window up to [`LOW_WINDOW`].
const BELOW: [f32; 2] = [0.35, 0.40];
/// The height up to which a window is low.
const LOW_WINDOW: f32 = 760.0;
/// The part of the window that the viewport keeps when poses are edited.
const MIN_VIEWPORT: f32 = 0.28;
/// Minimum height of the timeline.
const MIN_BELOW: f32 = 96.0;

impl Areas {
    /// The areas for a dock space of `size` points in a window that is `window_height` points high, with that many models. Clips and viewport
    /// have priority: in the arrangement for posing, the viewport gets at least [`MIN_VIEWPORT`] of the window.
    pub fn of(arrangement: Arrangement, size: [f32; 2], window_height: f32, models: usize) -> Areas {
        let [width, height] = size;
        let shape = if width >= MIN_FOR_THREE { Shape::ThreeColumns } else { Shape::TwoColumns };
        let right = match (shape, arrangement) {
            (Shape::ThreeColumns, Arrangement::Game) => (width * 0.27).clamp(MIN_RIGHT, 460.0),
            (Shape::ThreeColumns, _) => (width * 0.19).clamp(MIN_RIGHT, 320.0),
            (Shape::TwoColumns, _) => 0.0,
        };
        let left = match shape {
            Shape::ThreeColumns => (width * 0.17).clamp(226.0, 300.0),
            Shape::TwoColumns => (width * 0.36).clamp(230.0, 270.0),
        };
        let below = match arrangement {
            Arrangement::Posing => {
                let for_viewport = width * window_height * MIN_VIEWPORT / (width - left - right).max(1.0);
                let share = BELOW[usize::from(window_height <= LOW_WINDOW)];
                (window_height * share).round().max(190.0).min(height - for_viewport - 4.0)
            }
            Arrangement::Timing => (height * 0.52).clamp(230.0, 620.0),
            Arrangement::Game => (height * 0.5).clamp(230.0, 620.0),
        };
        let below = below.min(height - MIN_MIDDLE).max(MIN_BELOW);
        let column = if shape == Shape::ThreeColumns { height - below } else { height };
        let eight_clips = EIGHT_CLIPS + if models > 1 { MODEL_PICKER } else { 0.0 };
        let clips = match shape {
            Shape::ThreeColumns => (column * 0.46).max(eight_clips).min(column * 0.64),
            Shape::TwoColumns => column * 0.44,
        };
        Areas { shape, size, left, right, below, clips: clips.round() }
    }

    /// The same columns without a timeline below.
    pub fn undivided(self) -> Areas {
        Areas { below: 0.0, clips: (self.size[1] * 0.5).round(), ..self }
    }

    pub fn place(&self, panel: Panel) -> Place {
        let with_bones = if self.shape == Shape::ThreeColumns { Place::LowerLeft } else { Place::Clips };
        let with_inspector = if self.shape == Shape::ThreeColumns { Place::Right } else { Place::LowerLeft };
        match panel {
            Panel::Clips | Panel::Poses => Place::Clips,
            Panel::Bones => with_bones,
            Panel::Viewport => Place::Middle,
            Panel::Inspector | Panel::Materials | Panel::Game | Panel::Sounds => with_inspector,
            Panel::References if self.shape == Shape::ThreeColumns => Place::LowerLeft,
            Panel::History if self.shape == Shape::ThreeColumns => Place::Clips,
            Panel::References | Panel::History => Place::Below,
            Panel::Strip | Panel::Machine | Panel::Check | Panel::Log => Place::Below,
        }
    }

    /// The rectangle of a place, from the top left of the dock space.
    pub fn rect(&self, place: Place) -> Rect {
        let [width, height] = self.size;
        let column = if self.shape == Shape::ThreeColumns { height - self.below } else { height };
        let (min, max) = match place {
            Place::Clips => ([0.0, 0.0], [self.left, self.clips]),
            Place::LowerLeft => ([0.0, self.clips], [self.left, column]),
            Place::Middle => ([self.left, 0.0], [width - self.right, height - self.below]),
            Place::Right => ([width - self.right, 0.0], [width, height - self.below]),
            Place::Below if self.shape == Shape::ThreeColumns => ([0.0, height - self.below], [width, height]),
            Place::Below => ([self.left, height - self.below], [width, height]),
        };
        Rect { min, max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::panels::window::layout::{STATUS_BAR, TOP_BAR};

    #[test]
    fn areas_fill_the_window_without_overlap() {
        for size in [[640.0, 360.0], [853.0, 480.0], [960.0, 540.0], [1280.0, 720.0], [1920.0, 1080.0]] {
            for arrangement in Arrangement::ALL {
                let dock = [size[0], size[1] - TOP_BAR - STATUS_BAR];
                let areas = Areas::of(arrangement, dock, size[1], 2);
                let mut places: Vec<Place> = Vec::new();
                for place in Panel::ALL.map(|panel| areas.place(panel)) {
                    if !places.contains(&place) {
                        places.push(place);
                    }
                }
                let area = |place: &Place| areas.rect(*place).size().iter().product::<f32>();
                assert!((places.iter().map(area).sum::<f32>() - dock[0] * dock[1]).abs() < 1.0, "{size:?}: {places:?}");
                assert!(places.iter().all(|place| areas.rect(*place).size().iter().all(|side| *side >= 90.0)));
            }
        }
    }
}
