//! The side-scroller bench: its settings.

/// Which way the model goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Facing {
    /// To the right.
    #[default]
    Right,
    /// To the left.
    Left,
}

impl Facing {
    /// 1 to the right, -1 to the left.
    pub fn sign(self) -> f32 {
        if self == Facing::Right { 1.0 } else { -1.0 }
    }

    /// The other one.
    pub fn other(self) -> Facing {
        if self == Facing::Right { Facing::Left } else { Facing::Right }
    }
}

/// How the model is filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// As it is.
    #[default]
    Surface,
    /// One dark colour before a light ground: what is read of it from afar.
    Silhouette,
}

/// The bench while it is open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bench {
    /// Which way the model goes.
    pub facing: Facing,
    /// How it is filled.
    pub fill: Fill,
    /// The height of the program's window in pixels, which the game would fill; 0 while that is not known.
    pub window_height: f32,
}

/// What can be asked of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BenchAction {
    /// Opens it, or leaves it.
    Toggle,
    /// Back to the viewport as it was.
    Leave,
    /// Turns the model around.
    Flip,
    /// Fills it in one colour, or no more.
    ToggleSilhouette,
    /// The height of the window in pixels.
    Window(f32),
}
