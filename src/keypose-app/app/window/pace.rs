//! Computes when the next frame is due. While nothing changes, none is.

use std::time::{Duration, Instant};

/// Time after an event in which tooltips can appear.
const TOOLTIP_DELAY: Duration = Duration::from_millis(700);
/// Time between two frames of a blinking caret.
const CARET: Duration = Duration::from_millis(200);
/// Time between two frames that show progress.
const PROGRESS: Duration = Duration::from_millis(100);

/// The reasons for another frame.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    /// When the last frame was drawn.
    pub last_frame: Instant,
    /// When the last event came.
    pub last_event: Instant,
    /// Minimum time between two frames.
    pub frame_length: Duration,
    /// Something is animated, or an event is not shown yet.
    pub is_moving: bool,
    /// A background job shows its progress.
    pub is_busy: bool,
    /// A text field has the focus.
    pub has_caret: bool,
    /// The mouse is over an item that may have a tooltip.
    pub may_show_tooltip: bool,
    /// When a text changes without an event: a message disappears, an age grows.
    pub text_changes_at: Option<Instant>,
    /// When a viewport that lacks triangles is drawn again.
    pub retries_at: Option<Instant>,
}

impl Needs {
    /// When the next frame is due; `None` while nothing changes.
    pub fn next_frame(&self) -> Option<Instant> {
        let after = |length| self.last_frame + length;
        let tooltip = self.last_event + TOOLTIP_DELAY;
        let all = [
            self.is_moving.then(|| after(self.frame_length)),
            self.is_busy.then(|| after(PROGRESS)),
            self.has_caret.then(|| after(CARET)),
            (self.may_show_tooltip && self.last_frame < tooltip).then_some(tooltip),
            self.text_changes_at,
            self.retries_at,
        ];
        all.into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame was drawn at time 0, and nothing is needed.
    fn idle(start: Instant) -> Needs {
        Needs {
            last_frame: start,
            last_event: start,
            frame_length: Duration::from_millis(16),
            is_moving: false,
            is_busy: false,
            has_caret: false,
            may_show_tooltip: false,
            text_changes_at: None,
            retries_at: None,
        }
    }

    #[test]
    fn idle_draws_nothing() {
        assert_eq!(idle(Instant::now()).next_frame(), None);
    }

    #[test]
    fn the_earliest_reason_decides() {
        let start = Instant::now();
        let idle = idle(start);
        let cases = [
            (Needs { is_moving: true, is_busy: true, has_caret: true, ..idle }, 16),
            (Needs { is_busy: true, has_caret: true, ..idle }, 100),
            (Needs { has_caret: true, may_show_tooltip: true, ..idle }, 200),
            (Needs { may_show_tooltip: true, ..idle }, 700),
            (Needs { may_show_tooltip: true, text_changes_at: Some(start + TOOLTIP_DELAY / 7), ..idle }, 100),
        ];
        for (needs, millis) in cases {
            assert_eq!(needs.next_frame(), Some(start + Duration::from_millis(millis)), "{needs:?}");
        }
    }

    #[test]
    fn a_tooltip_is_waited_for_once() {
        let start = Instant::now();
        let shown = Needs { last_frame: start + TOOLTIP_DELAY, may_show_tooltip: true, ..idle(start) };
        assert_eq!(shown.next_frame(), None);
    }
}
