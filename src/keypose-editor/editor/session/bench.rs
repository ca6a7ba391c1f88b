//! The settings of the side-scroller bench.

/// The direction in which the model faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Facing {
    #[default]
    Right,
    Left,
}

impl Facing {
    /// 1 for right, -1 for left.
    pub fn sign(self) -> f32 {
        if self == Facing::Right { 1.0 } else { -1.0 }
    }

    /// The opposite direction.
    pub fn other(self) -> Facing {
        if self == Facing::Right { Facing::Left } else { Facing::Right }
    }
}

/// How the model is filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// With its materials.
    #[default]
    Surface,
    /// With one dark colour on a light background: its silhouette from a distance.
    Silhouette,
}

/// The settings of the open bench.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bench {
    /// The direction in which the model faces.
    pub facing: Facing,
    /// How the model is filled.
    pub fill: Fill,
    /// The height of the program's window in pixels, which the game would fill; 0 if unknown.
    pub window_height: f32,
}

/// A change of the bench.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BenchAction {
    /// Opens or closes it.
    Toggle,
    /// Turns the model around.
    Flip,
    ToggleSilhouette,
    /// The height of the window in pixels.
    Window(f32),
}
