//! Frames of reference films: which ones the viewport and the timeline show, and the wish for the next. The app opens and decodes
//! films, in a thread; until it has, the viewport shows the last frame.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use keypose::anim::time::Time;
use keypose::assets::reference::{Film, FilmFiles, FilmSource, Reference};
use keypose::assets::texture::Texture;
use keypose_tools::film::{MAX_CACHE_BYTES, Player};
use keypose_tools::import::pixels::no_larger;

/// A frame to decode.
#[derive(Clone, Debug, PartialEq)]
pub struct ToShow {
    pub source: FilmSource,
    /// The time of the film.
    pub time: Time,
    /// For what.
    pub place: Place,
}

/// Where a frame is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// As a reference of the viewport.
    Viewport,
    /// As one of many small pictures on the timeline.
    Timeline,
}

/// A decoded frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub image: Arc<Texture>,
    /// The times of the film at which it is shown.
    pub times: Range<Time>,
}

/// A frame, or a sentence that says why there is none.
pub type Decoded = Result<Frame, String>;

/// A film on screen.
#[derive(Clone, Debug)]
struct Shown {
    source: FilmSource,
    frame: Option<Frame>,
    /// The time that has no frame, and why.
    fault: Option<(Time, String)>,
}

/// A small frame of the timeline.
#[derive(Clone, Debug)]
pub struct SmallFrame {
    /// `None` if there is none at its times.
    pub image: Option<Arc<Texture>>,
    /// The times of the film at which it is shown.
    pub times: Range<Time>,
}

/// Maximum number of small frames that are kept.
const MAX_SMALL: usize = 256;
/// The longer side of small frames in pixels.
const SMALL_SIDE: u32 = 128;

/// The films on screen, the latest at the end.
#[derive(Clone, Debug, Default)]
pub struct Films {
    shown: RefCell<Vec<Shown>>,
    wanted: RefCell<Vec<ToShow>>,
    /// The latest at the end.
    small: RefCell<Vec<(FilmSource, SmallFrame)>>,
    wanted_small: RefCell<Option<ToShow>>,
}

impl Films {
    /// Forgets the wishes of the last frame of the viewport.
    pub fn begin(&self) {
        self.wanted.borrow_mut().clear();
    }

    /// The image of a reference at a time of the clip: a frame of its film, or its own image.
    pub fn image(&self, reference: &Reference, time: Time) -> Arc<Texture> {
        let Some(film) = &reference.film else { return reference.image.clone() };
        let (time, shown) = (film.time_at(time), self.shown.borrow());
        let known = shown.iter().find(|shown| shown.source == film.source);
        let frame = known.and_then(|shown| shown.frame.as_ref());
        let is_shown = frame.is_some_and(|frame| frame.times.contains(&time));
        let has_failed = known.is_some_and(|shown| shown.fault.as_ref().is_some_and(|(failed, _)| *failed == time));
        if !is_shown && !has_failed {
            self.wanted.borrow_mut().push(ToShow { source: film.source.clone(), time, place: Place::Viewport });
        }
        frame.map_or_else(|| reference.image.clone(), |frame| frame.image.clone())
    }

    /// The small frame of a film at a time of the clip. Wants it if it is not known.
    pub fn small(&self, film: &Film, time: Time) -> Option<SmallFrame> {
        let (source, time) = (&film.source, film.time_at(time));
        let small = self.small.borrow();
        let known = small.iter().find(|(of, frame)| frame.times.contains(&time) && of == source);
        if known.is_none() {
            let wanted = || ToShow { source: source.clone(), time, place: Place::Timeline };
            self.wanted_small.borrow_mut().get_or_insert_with(wanted);
        }
        known.map(|(_, frame)| frame.clone())
    }

    /// Why a film has no frame at its time.
    pub fn fault(&self, source: &FilmSource) -> Option<String> {
        let shown = self.shown.borrow();
        let shown = shown.iter().find(|shown| shown.source == *source)?;
        shown.fault.as_ref().map(|(_, reason)| reason.clone())
    }

    /// The frames to decode: those of the viewport, or else one of the timeline.
    pub fn take_wanted(&self) -> Vec<ToShow> {
        let wanted = self.wanted.take();
        if wanted.is_empty() { self.wanted_small.take().into_iter().collect() } else { wanted }
    }

    /// Takes a frame, or the reason why there is none.
    pub fn put(&self, wanted: ToShow, decoded: Decoded) {
        if wanted.place == Place::Timeline {
            return self.put_small(wanted, decoded);
        }
        let mut all = self.shown.borrow_mut();
        let at = all.iter().position(|shown| shown.source == wanted.source);
        let mut shown =
            at.map_or_else(|| Shown { source: wanted.source, frame: None, fault: None }, |at| all.remove(at));
        match decoded {
            Ok(frame) => (shown.frame, shown.fault) = (Some(frame), None),
            Err(reason) => shown.fault = Some((wanted.time, reason)),
        }
        all.push(shown);
        let excess = all.len().saturating_sub(Reference::MAX_COUNT);
        all.drain(..excess);
    }

    fn put_small(&self, wanted: ToShow, decoded: Decoded) {
        let no_frame = || SmallFrame { image: None, times: wanted.time..wanted.time + Time::TICK };
        let frame = decoded.map(|frame| SmallFrame { image: Some(frame.image), times: frame.times });
        let mut all = self.small.borrow_mut();
        all.push((wanted.source, frame.unwrap_or_else(|_| no_frame())));
        let excess = all.len().saturating_sub(MAX_SMALL);
        all.drain(..excess);
    }
}

/// Maximum number of films that stay open.
const MAX_OPEN: usize = 4;

/// The open films of an app, which decodes their frames.
#[derive(Default)]
pub struct Projector {
    /// The latest at the end.
    open: Vec<(FilmSource, Player)>,
}

impl Projector {
    /// Decodes a frame. `open` opens a film that isn't open yet.
    ///
    /// # Errors
    /// A sentence that names the film.
    pub fn show(&mut self, wanted: &ToShow, open: impl FnOnce(&FilmSource) -> Result<Player, String>) -> Decoded {
        let at = self.open.iter().position(|(source, _)| *source == wanted.source);
        let (source, mut player) = match at {
            Some(at) => self.open.remove(at),
            None => (wanted.source.clone(), open(&wanted.source)?),
        };
        let at = player.frame_at(wanted.time);
        let picture = player.frame(at).map_err(|reason| format!("{}: {reason}.", source.path));
        let times = player.shown(at);
        self.open.push((source, player));
        let excess = self.open.len().saturating_sub(MAX_OPEN);
        self.open.drain(..excess);
        let share = MAX_CACHE_BYTES / self.open.len().max(1);
        self.open.iter_mut().for_each(|(_, player)| player.limit(share));
        let image = picture?.texture("film");
        let image = match wanted.place {
            Place::Viewport => image,
            Place::Timeline => no_larger(image, SMALL_SIDE),
        };
        Ok(Frame { image: Arc::new(image), times })
    }
}

/// Opens a film whose files are kept; `None` for a linked one.
pub fn open_kept(source: &FilmSource) -> Option<Result<Player, String>> {
    match &source.files {
        FilmFiles::Linked => None,
        FilmFiles::Kept(files) => {
            let opened = Player::open(Box::new(files.clone()), source.fps);
            Some(opened.map_err(|reason| format!("{}: {reason}.", source.path)))
        }
    }
}
