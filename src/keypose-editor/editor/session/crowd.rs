//! The settings of the crowd view: many characters that play the clip on screen.

/// The clips of the characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CrowdClips {
    /// The clip on screen.
    #[default]
    This,
    /// All clips of the model that loop, and the one on screen.
    Looping,
}

/// The settings of the open crowd view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdView {
    /// The number of characters, 1 to [`CrowdView::MAX`].
    pub count: usize,
    pub clips: CrowdClips,
}

impl Default for CrowdView {
    fn default() -> CrowdView {
        CrowdView { count: 100, clips: CrowdClips::This }
    }
}

impl CrowdView {
    /// The maximum number of characters.
    pub const MAX: usize = 100_000;
    /// The numbers that commands step through.
    pub const COUNTS: [usize; 4] = [10, 100, 1_000, 10_000];
}

/// A change of the crowd view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CrowdAction {
    /// Opens or closes it.
    Toggle,
    /// Opens it with a number of characters, clamped to 1 to [`CrowdView::MAX`].
    Count(usize),
    /// Ten times as many characters or a tenth of them, as a step of [`CrowdView::COUNTS`]; opens it.
    Step {
        /// Whether there are more.
        is_up: bool,
    },
    /// Switches between the clip on screen and all looping clips; opens the crowd.
    ToggleClips,
}
