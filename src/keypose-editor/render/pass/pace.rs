//! The pace of drawing: large frames are drawn in slices of triangles, so that one that takes too long can be ended. Two million
//! triangles of the size of the screen are small as a file, and keep a driver busy for minutes.

use std::cell::Cell;
use std::ops::Range;

/// Maximum and minimum triangles of a slice. A scene that wasn't drawn before begins with the minimum.
const MAX_SLICE: usize = 1 << 18;
const MIN_SLICE: usize = 1;
/// A slice that took less than this, in seconds without those of a wait alone, is followed by a larger one; one that took more than
/// that by one of half its size.
const SHORT_SECS: f64 = 0.05;
const LONG_SECS: f64 = 0.2;
/// The factor by which slices grow.
const GROWTH: usize = 8;
/// Frames of a scene in a row that took too long, after which only a part of it is drawn. Other programs that keep the machine
/// busy, and drivers that compile, stall one or two.
const TRIES: u32 = 3;
/// The share of the triangles drawn in time that such a part has, as it is drawn in every frame.
const PART: usize = 8;
/// Seconds after which the whole scene is tried again: the machine may have been busy. They double with each failure.
const RETRY_SECS: f64 = 10.0;

/// Counts and times the triangles of a frame.
pub struct Pace {
    /// The time in seconds since any moment, and the seconds that a pass may take; without, a pass takes as long as it takes.
    limit: Option<(Clock, f64)>,
    /// The triangles of the frame's models, by which a scene is known again.
    scene: Cell<usize>,
    pass: Cell<Pass>,
    /// One for shadows, whose triangles take a small part of the time, and one for scenes.
    slices: [Cell<Slices>; 2],
    /// The pixels of the last scene's pass.
    pixels: Cell<usize>,
    /// The triangles that a pass may draw of this scene.
    most: Cell<usize>,
    /// Frames of this scene in a row that took too long.
    failures: Cell<u32>,
    /// Whether this frame did.
    has_failed: Cell<bool>,
    /// Whether this pass left triangles out.
    is_cut: Cell<bool>,
    /// When the whole scene is drawn again, if only a part of it is.
    retry_at: Cell<f64>,
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

/// The slices of a pass.
#[derive(Clone, Copy)]
struct Slices {
    /// Triangles.
    size: usize,
    /// The shortest time of a slice, in seconds: a wait without triangles takes most of it, as long as pictures are large.
    min_secs: f64,
}

impl Slices {
    /// Where a scene wasn't drawn before.
    const FIRST: Slices = Slices { size: MIN_SLICE, min_secs: f64::INFINITY };

    /// Adapts the size to a slice that took a number of seconds.
    fn after(self, secs: f64) -> Slices {
        let min_secs = self.min_secs.min(secs);
        let size = match secs - min_secs {
            secs if secs < SHORT_SECS => (self.size * GROWTH).min(MAX_SLICE),
            secs if secs > LONG_SECS => (self.size / 2).max(MIN_SLICE),
            _ => self.size,
        };
        Slices { size, min_secs }
    }
}

/// A pass over the models of a frame.
#[derive(Clone, Copy, Default)]
pub enum Pass {
    #[default]
    Shadow,
    /// The models in a picture with a number of pixels.
    Scene(usize),
}

/// A clock in seconds.
pub type Clock = Box<dyn Fn() -> f64>;

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            limit: None,
            scene: Cell::default(),
            pass: Cell::default(),
            slices: [const { Cell::new(Slices::FIRST) }; 2],
            pixels: Cell::default(),
            most: Cell::new(usize::MAX),
            failures: Cell::default(),
            has_failed: Cell::default(),
            is_cut: Cell::default(),
            retry_at: Cell::default(),
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
            self.slices.iter().for_each(|slices| slices.set(Slices::FIRST));
            self.most.set(usize::MAX);
            self.failures.set(0);
        } else if self.retry_secs().is_some_and(|secs| secs <= 0.0) {
            self.most.set(usize::MAX);
        } else if !self.has_failed.get() && self.most.get() == usize::MAX {
            self.failures.set(0);
        }
        self.has_failed.set(false);
    }

    /// Whether the last frame lacks triangles that the next one may show.
    pub fn is_recovering(&self) -> bool {
        self.has_failed.get() && self.most.get() == usize::MAX
    }

    /// Seconds until the whole scene is drawn again; `None` if it was, or will be by the next frame.
    pub fn retry_secs(&self) -> Option<f64> {
        let (clock, _) = self.limit.as_ref()?;
        (self.most.get() < usize::MAX).then(|| self.retry_at.get() - clock())
    }

    /// Whether this pass is over, so that triangles after it are left out.
    pub fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    /// Begins a pass over the models.
    pub fn begin_pass(&self, pass: Pass) {
        self.pass.set(pass);
        if let Pass::Scene(pixels) = pass {
            // The triangles of a larger picture may take longer in proportion.
            if pixels > self.pixels.replace(pixels) {
                self.slices().set(Slices::FIRST);
            }
        }
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
            let count = (triangles - first).min(self.room());
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
            let room = self.room();
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
    fn room(&self) -> usize {
        let is_over = self.is_cut.get() || self.drawn.get() >= self.most.get();
        self.is_cut.set(is_over);
        let rest = if is_over { 0 } else { self.most.get() - self.drawn.get() };
        rest.min(self.end_of_slice() - self.waiting.get())
    }

    /// The triangles of the slice. The first one of a pass is small, unless all are one: the wait for it is one for what was drawn
    /// before, such as the cleared picture, which takes seconds if it is large.
    fn end_of_slice(&self) -> usize {
        let is_first = self.drawn.get() == self.waiting.get();
        let size = self.slices().get().size;
        if is_first && size < self.scene.get() { MIN_SLICE } else { size }
    }

    fn slices(&self) -> &Cell<Slices> {
        &self.slices[usize::from(matches!(self.pass.get(), Pass::Scene(_)))]
    }

    /// Counts triangles, and waits for them if they complete a slice.
    fn has_drawn(&self, count: usize, wait: impl Fn()) {
        self.drawn.set(self.drawn.get() + count);
        self.waiting.set(self.waiting.get() + count);
        if let Some((clock, secs)) = &self.limit
            && self.waiting.get() >= self.end_of_slice()
        {
            wait();
            self.waited(clock(), *secs);
        }
    }

    /// Adapts the slice to the time that the last one took, and ends the pass if its time is over, which begins after the first slice.
    fn waited(&self, now: f64, limit: f64) {
        let secs = now - self.waited.replace(now);
        if self.drawn.get() <= MIN_SLICE {
            self.began.set(now);
            self.waiting.set(0);
            return;
        }
        self.slices().set(self.slices().get().after(secs));
        self.waiting.set(0);
        if now - self.began.get() > limit {
            self.is_cut.set(true);
            if !self.has_failed.replace(true) {
                self.fail(now);
            }
        }
    }

    /// Counts a frame that took too long, and decides what the next ones draw.
    fn fail(&self, now: f64) {
        self.failures.set(self.failures.get() + 1);
        let Some(retries) = self.failures.get().checked_sub(TRIES) else { return };
        self.most.set((self.drawn.get() / PART).max(1));
        self.retry_at.set(now + RETRY_SECS * f64::from(retries).exp2());
        if retries == 0 {
            let (most, scene) = (self.most.get(), self.scene.get());
            let text = format!("The models take too long to draw: {most} of their {scene} triangles are shown.");
            self.notice.set(Some(text));
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

    /// A pace with a limit of two seconds, and its clock.
    fn limited() -> (Pace, Rc<Cell<f64>>) {
        let clock = Rc::new(Cell::new(0.0));
        let own = clock.clone();
        let mut pace = Pace::default();
        pace.limit(Box::new(move || own.get()), 2.0);
        (pace, clock)
    }

    /// A pass of a pace with a clock that each triangle moves by `secs`. Returns what a pass draws.
    fn pass(pace: &Pace, clock: &Rc<Cell<f64>>, (triangles, secs): (usize, f64)) -> usize {
        let drawn = Cell::new(0);
        pace.begin(triangles);
        pace.begin_pass(Pass::Scene(1));
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
        let (pace, clock) = limited();
        assert_eq!(pass(&pace, &clock, (3_000_000, 1e-7)), 3_000_000);
        assert_eq!(pace.take_notice(), None);
        let start = clock.get();
        assert!(pass(&pace, &clock, (2_000_000, 1e-3)) > 0 && pace.is_recovering());
        assert!(clock.get() - start < 7.0, "{} s", clock.get() - start);
        assert_eq!(pace.take_notice(), None, "a stall of the machine looks the same");
        let frames = (1..).find(|_| pass(&pace, &clock, (2_000_000, 1e-3)) > 0 && !pace.is_recovering());
        assert!(frames <= Some(4), "{frames:?}");
        let start = clock.get();
        let part = pass(&pace, &clock, (2_000_000, 1e-3));
        assert!(part > 0 && clock.get() - start < 0.5, "{} s", clock.get() - start);
        let text = format!("The models take too long to draw: {part} of their 2000000 triangles are shown.");
        assert_eq!(pace.take_notice(), Some(text));
        assert_eq!((pass(&pace, &clock, (2_000_000, 1e-3)), pace.is_recovering()), (part, false));
        assert_eq!((pace.take_notice(), pass(&pace, &clock, (50_000, 1e-7))), (None, 50_000), "another scene");
    }

    #[test]
    fn a_picture_that_takes_long_to_clear_is_whole() {
        let (pace, clock) = limited();
        for _ in 0..3 {
            pace.begin(7_000);
            pace.begin_pass(Pass::Scene(1));
            let (drawn, is_cleared) = (Cell::new(0), Cell::new(false));
            let wait = || clock.set(clock.get() + if is_cleared.replace(true) { 0.01 } else { 5.0 });
            pace.draw(7_000, |_, count| drawn.set(drawn.get() + count), wait);
            assert_eq!((drawn.get(), pace.is_recovering()), (7_000, false));
        }
    }

    #[test]
    fn a_scene_that_a_stall_cut_is_whole_again_in_the_next_frame() {
        let (pace, clock) = limited();
        assert!(pass(&pace, &clock, (7_000, 1e-2)) < 7_000, "the driver compiles while others do, too");
        assert!(pace.is_recovering());
        assert_eq!(pass(&pace, &clock, (7_000, 1e-7)), 7_000);
        assert_eq!((pace.is_recovering(), pace.retry_secs(), pace.take_notice()), (false, None, None));
    }

    #[test]
    fn a_scene_is_whole_again_after_the_machine_was_busy() {
        let (pace, clock) = limited();
        // Each retry that fails doubles the time until the next one.
        let mut waits = Vec::new();
        for _ in 0..3 {
            while pace.retry_secs().is_none() {
                pass(&pace, &clock, (50_000, 1e-3));
            }
            waits.push(pace.retry_secs().unwrap());
            assert!(pass(&pace, &clock, (50_000, 1e-7)) < 50_000, "it may be a moment");
            clock.set(clock.get() + pace.retry_secs().unwrap());
            pass(&pace, &clock, (50_000, 1e-3));
        }
        assert!(waits.is_sorted_by(|one, next| next > one), "{waits:?}");
        clock.set(clock.get() + pace.retry_secs().unwrap());
        assert_eq!((pass(&pace, &clock, (50_000, 1e-7)), pace.retry_secs()), (50_000, None));
    }

    #[test]
    fn the_slices_of_a_picture_do_not_grow_with_those_of_its_shadow_or_of_a_smaller_one() {
        let (pace, clock) = limited();
        pace.begin(50_000);
        for (pass, secs, longest) in
            [(Pass::Shadow, 1e-5, 0.6), (Pass::Scene(64 * 64), 1e-5, 0.6), (Pass::Scene(1 << 20), 0.02, 7.0)]
        {
            let start = clock.get();
            pace.begin_pass(pass);
            pace.draw(50_000, |_, count| clock.set(clock.get() + secs * count as f64), || {});
            assert!(clock.get() - start < longest, "{} s", clock.get() - start);
        }
        assert!(pace.is_recovering());
    }

    #[test]
    fn copies_are_drawn_once_each_until_their_time_is_over() {
        let (pace, clock) = limited();
        for (copies, triangles, secs) in [(900, 100, 1e-6), (3, 100_000, 1e-6), (1, 7, 1e-6), (1000, 0, 1e-6)] {
            let drawn = RefCell::new(vec![0; copies * triangles]);
            pace.begin(copies * triangles);
            pace.begin_pass(Pass::Scene(1));
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
        pace.begin_pass(Pass::Scene(1));
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
