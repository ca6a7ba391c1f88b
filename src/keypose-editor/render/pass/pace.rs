//! The pace of drawing: large frames are drawn in slices of triangles, so that one that takes too long can be ended. Two million
//! triangles of the size of the screen are small as a file, and keep a driver busy for minutes.

use std::cell::Cell;
use std::ops::Range;

/// Triangles of the first slice of a scene that wasn't drawn before.
const FIRST_SLICE: usize = 1 << 9;
/// Maximum and minimum triangles of a slice.
const MAX_SLICE: usize = 1 << 18;
const MIN_SLICE: usize = 1 << 6;
/// A slice that took less, in seconds, is followed by one of twice its size; one that took more by one of half its size.
const SHORT_SECS: f64 = 0.05;
const LONG_SECS: f64 = 0.2;
/// The fraction of the triangles that were drawn in time that the next frames draw: they are drawn again and again.
const NEXT_FRAMES: usize = 8;
/// A pass that draws a part of its scene in less than this fraction of the limit is followed by one that draws more.
const SPARE: f64 = 1.0 / 10.0;
const GROWTH: usize = 4;
/// Seconds after which a scene that took too long is tried again: the machine may have been busy.
const RETRY_SECS: f64 = 10.0;
/// Such passes in a row that took longer, after which a scene is known to take too long. Other programs that keep the machine busy
/// stall one or two.
const TRIES: u32 = 8;

/// Counts and times the triangles of a frame.
pub struct Pace {
    /// The time in seconds since any moment, and the seconds that a pass may take; without, a pass takes as long as it takes.
    limit: Option<(Clock, f64)>,
    /// The triangles of the frame's models, by which a scene is known again.
    scene: Cell<usize>,
    slice: Cell<usize>,
    /// The triangles that a pass may draw of this scene.
    most: Cell<usize>,
    /// Passes of this scene that drew a part of it and had no time for more.
    tries: Cell<u32>,
    /// Whether this pass left triangles out.
    is_cut: Cell<bool>,
    /// When a pass took too long.
    cut_at: Cell<f64>,
    /// Of this pass.
    drawn: Cell<usize>,
    /// Triangles since the last wait.
    waiting: Cell<usize>,
    /// When the pass began, and when it last waited.
    began: Cell<f64>,
    waited: Cell<f64>,
    /// A notice that wasn't taken.
    notice: Cell<Option<String>>,
}

/// A clock in seconds.
pub type Clock = Box<dyn Fn() -> f64>;

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            limit: None,
            scene: Cell::default(),
            slice: Cell::new(FIRST_SLICE),
            most: Cell::new(usize::MAX),
            tries: Cell::default(),
            is_cut: Cell::default(),
            cut_at: Cell::default(),
            drawn: Cell::default(),
            waiting: Cell::default(),
            began: Cell::default(),
            waited: Cell::default(),
            notice: Cell::default(),
        }
    }
}

impl Pace {
    /// Limits the seconds of a pass from now on.
    pub fn limit(&mut self, clock: Clock, secs: f64) {
        self.limit = Some((clock, secs));
    }

    /// Begins a frame whose models have this many triangles.
    pub fn begin(&self, triangles: usize) {
        if self.scene.replace(triangles) != triangles {
            self.slice.set(FIRST_SLICE);
            self.most.set(usize::MAX);
            self.tries.set(0);
        }
    }

    /// Whether the scene was drawn in part, and the next frame may show more of it.
    pub fn is_recovering(&self) -> bool {
        self.most.get() != usize::MAX && self.tries.get() < TRIES
    }

    /// Whether this pass is over, so that triangles after it are left out.
    pub fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    /// Begins a pass over the models.
    pub fn begin_pass(&self) {
        if let Some((clock, _)) = &self.limit {
            let now = clock();
            self.began.set(now);
            self.waited.set(now);
        }
        self.drawn.set(0);
        self.waiting.set(0);
        self.is_cut.set(false);
    }

    /// Draws triangles in slices: `draw` gets the first triangle of each and their count. `wait` waits until all of it is drawn.
    pub fn draw(&self, triangles: usize, draw: impl Fn(usize, usize), wait: impl Fn()) {
        if self.limit.is_none() {
            return draw(0, triangles);
        }
        let mut first = 0;
        while first < triangles {
            let count = (triangles - first).min(self.room(&wait));
            if count == 0 {
                return;
            }
            draw(first, count);
            first += count;
            self.has_drawn(count, &wait);
        }
    }

    /// Draws copies of the same triangles in slices: of whole copies, or of the triangles of one that has more than a slice. `draw` gets
    /// the copies and the triangles of each slice.
    pub fn draw_copies(
        &self,
        copies: usize,
        triangles: usize,
        draw: impl Fn(Range<usize>, Range<usize>),
        wait: impl Fn(),
    ) {
        if self.limit.is_none() || triangles == 0 {
            return draw(0..copies, 0..triangles);
        }
        let mut copy = 0;
        while copy < copies {
            let room = self.room(&wait);
            if room == 0 {
                return;
            }
            let whole = (room / triangles).min(copies - copy);
            if whole > 0 {
                draw(copy..copy + whole, 0..triangles);
                self.has_drawn(whole * triangles, &wait);
            } else {
                self.draw(triangles, |first, count| draw(copy..copy + 1, first..first + count), &wait);
            }
            copy += whole.max(1);
        }
    }

    /// The triangles that may be drawn before the next wait; 0 if the pass is over.
    fn room(&self, wait: impl Fn()) -> usize {
        let rest = self.most.get().saturating_sub(self.drawn.get());
        if rest == 0
            && let Some((clock, secs)) = &self.limit
            && !self.is_cut.replace(true)
        {
            wait();
            self.cut(clock(), *secs);
        }
        rest.min(self.slice.get() - self.waiting.get())
    }

    /// Counts triangles, and waits for them if they complete a slice.
    fn has_drawn(&self, count: usize, wait: impl Fn()) {
        self.drawn.set(self.drawn.get() + count);
        self.waiting.set(self.waiting.get() + count);
        if let Some((clock, secs)) = &self.limit
            && self.waiting.get() >= self.slice.get()
        {
            wait();
            self.waited(clock(), *secs);
        }
    }

    /// Adapts the slice to the time that the last one took, and ends the pass if its time is over.
    fn waited(&self, now: f64, limit: f64) {
        let slice = self.slice.get();
        let secs = now - self.waited.replace(now);
        if secs < SHORT_SECS {
            self.slice.set((slice * 2).min(MAX_SLICE));
        } else if secs > LONG_SECS {
            self.slice.set((slice / 2).max(MIN_SLICE));
        }
        self.waiting.set(0);
        if now - self.began.get() > limit {
            self.most.set(self.drawn.get() / NEXT_FRAMES);
            self.cut_at.set(now);
            self.is_cut.set(true);
        }
    }

    /// Adapts the triangles of the next pass to the time of this one, which drew as many as it may.
    fn cut(&self, now: f64, limit: f64) {
        let (most, scene) = (self.most.get(), self.scene.get());
        let may_grow = self.is_recovering() || now - self.cut_at.get() > RETRY_SECS;
        if may_grow && now - self.began.get() < limit * SPARE {
            let more = (most * GROWTH).max(MIN_SLICE);
            self.most.set(if more < scene { more } else { usize::MAX });
            if more >= scene {
                self.tries.set(0);
            }
        } else if self.is_recovering() {
            self.tries.set(self.tries.get() + 1);
            if self.tries.get() == TRIES {
                let text = format!("The models take too long to draw: {most} of their {scene} triangles are shown.");
                self.notice.set(Some(text));
            }
        }
    }

    /// A notice about triangles that are not drawn, since the last call.
    pub fn take_notice(&self) -> Option<String> {
        self.notice.take()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    /// A pace with a limit of two seconds, on a clock that each triangle moves by `secs`. Returns what a pass draws.
    fn pass(pace: &Pace, clock: &Rc<Cell<f64>>, (triangles, secs): (usize, f64)) -> usize {
        let drawn = Cell::new(0);
        pace.begin(triangles);
        pace.begin_pass();
        let draw = |first: usize, count: usize| {
            assert_eq!(first, drawn.get(), "slices follow each other");
            drawn.set(first + count);
            clock.set(clock.get() + secs * count as f64);
        };
        pace.draw(triangles, draw, || {});
        drawn.get()
    }

    #[test]
    fn what_takes_too_long_ends_and_is_drawn_in_part_afterwards() {
        let clock = Rc::new(Cell::new(0.0));
        let own = clock.clone();
        let mut pace = Pace::default();
        pace.limit(Box::new(move || own.get()), 2.0);
        assert_eq!(pass(&pace, &clock, (3_000_000, 1e-7)), 3_000_000);
        assert_eq!(pace.take_notice(), None);
        let start = clock.get();
        let drawn = pass(&pace, &clock, (2_000_000, 1e-3));
        assert!(clock.get() - start < 7.0, "{} s", clock.get() - start);
        assert_eq!(pace.take_notice(), None, "a stall of the machine looks the same");
        for _ in 0..TRIES {
            assert!(pace.is_recovering());
            assert_eq!(pass(&pace, &clock, (2_000_000, 1e-3)), drawn / 8);
        }
        let text = format!("The models take too long to draw: {} of their 2000000 triangles are shown.", drawn / 8);
        assert_eq!(pace.take_notice(), Some(text));
        assert_eq!((pass(&pace, &clock, (2_000_000, 1e-3)), pace.is_recovering()), (drawn / 8, false));
        assert_eq!((pace.take_notice(), pass(&pace, &clock, (50_000, 1e-7))), (None, 50_000), "another scene");
    }

    #[test]
    fn a_scene_that_a_stall_cut_is_whole_again_after_a_few_frames() {
        let clock = Rc::new(Cell::new(0.0));
        let own = clock.clone();
        let mut pace = Pace::default();
        pace.limit(Box::new(move || own.get()), 2.0);
        assert_eq!(pass(&pace, &clock, (7_000, 1e-2)), FIRST_SLICE, "the driver compiles while others do, too");
        let frames = (1..).find(|_| pass(&pace, &clock, (7_000, 1e-7)) == 7_000);
        assert!(frames <= Some(6), "{frames:?}");
        assert_eq!((pace.is_recovering(), pace.take_notice()), (false, None));
    }

    #[test]
    fn a_scene_is_whole_again_after_the_machine_was_busy() {
        let clock = Rc::new(Cell::new(0.0));
        let own = clock.clone();
        let mut pace = Pace::default();
        pace.limit(Box::new(move || own.get()), 2.0);
        for _ in 0..=TRIES {
            pass(&pace, &clock, (50_000, 1e-3));
        }
        assert!(pace.take_notice().is_some() && !pace.is_recovering());
        assert!(pass(&pace, &clock, (50_000, 1e-7)) < 50_000, "it may be a moment");
        clock.set(clock.get() + 2.0 * RETRY_SECS);
        let frames = (1..).find(|_| pass(&pace, &clock, (50_000, 1e-7)) == 50_000);
        assert!(frames <= Some(8), "{frames:?}");
    }

    #[test]
    fn copies_are_drawn_once_each_until_their_time_is_over() {
        let clock = Rc::new(Cell::new(0.0));
        let own = clock.clone();
        let mut pace = Pace::default();
        pace.limit(Box::new(move || own.get()), 2.0);
        for (copies, triangles, secs) in [(900, 100, 1e-6), (3, 100_000, 1e-6), (1, 7, 1e-6), (1000, 0, 1e-6)] {
            let drawn = RefCell::new(vec![0; copies * triangles]);
            pace.begin(copies * triangles);
            pace.begin_pass();
            let draw = |some: Range<usize>, of_each: Range<usize>| {
                clock.set(clock.get() + secs * (some.len() * of_each.len()) as f64);
                for (copy, triangle) in some.flat_map(|copy| of_each.clone().map(move |at| (copy, at))) {
                    drawn.borrow_mut()[copy * triangles + triangle] += 1;
                }
            };
            pace.draw_copies(copies, triangles, draw, || {});
            assert!(drawn.borrow().iter().all(|times| *times == 1), "{copies} copies of {triangles} triangles");
        }
        let drawn = Cell::new(0);
        pace.begin(1_000_000);
        pace.begin_pass();
        let start = clock.get();
        let draw = |some: Range<usize>, of_each: Range<usize>| {
            drawn.set(drawn.get() + some.len() * of_each.len());
            clock.set(clock.get() + 1e-3 * (some.len() * of_each.len()) as f64);
        };
        pace.draw_copies(10_000, 100, draw, || {});
        assert!(clock.get() - start < 7.0 && drawn.get() < 10_000, "{} s", clock.get() - start);
    }

    #[test]
    fn without_a_limit_a_mesh_is_one_slice() {
        let count = Cell::new(0);
        Pace::default().draw(1 << 20, |_, _| count.set(count.get() + 1), || unreachable!());
        assert_eq!(count.get(), 1);
    }
}
