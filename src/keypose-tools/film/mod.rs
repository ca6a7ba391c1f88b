//! Films that a model is posed from: numbered images, GIF, APNG, animated WebP and MP4 with H.264. A [`Player`] finds the frame of a
//! time and decodes it. Sound, HEVC, AV1, interlaced and fragmented films are absent on purpose. The caller opens files.
//!
//! No input makes this module panic; memory is bounded by [`MAX_CACHE_BYTES`] and the index.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        clippy::arithmetic_side_effects
    )
)]

use std::collections::VecDeque;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use crate::anim::time::Time;
use crate::assets::bytes::Bytes;
use crate::assets::guarded::guarded;

mod animation;
mod images;
#[cfg(feature = "video")]
mod mp4;
mod picture;
#[cfg(feature = "video")]
mod video;
#[cfg(feature = "video")]
mod work;

pub use picture::Picture;

/// The maximum bytes of decoded frames that players share: 92 of H.264 at 1280 × 720, 36 of others.
pub const MAX_CACHE_BYTES: usize = 128 << 20;
/// The maximum number of frames of a film.
pub const MAX_FRAMES: usize = 1_000_000;

/// The bytes at the start of a file by which a film is recognized. The chunk of an APNG comes before its pixels.
pub const HEAD_BYTES: u64 = 1 << 16;

/// An open file of a film.
pub trait Input: Read + Seek + Send {}

impl<T: Read + Seek + Send> Input for T {}

/// The files of a film: one, or one for each numbered image.
pub trait Files: Send {
    /// The number of files.
    fn count(&self) -> usize;

    /// Opens one of them.
    ///
    /// # Errors
    /// A sentence without the name of the film.
    fn open(&self, at: usize) -> Result<Box<dyn Input>, String>;
}

impl Files for Arc<Vec<Bytes>> {
    fn count(&self) -> usize {
        self.len()
    }

    fn open(&self, at: usize) -> Result<Box<dyn Input>, String> {
        let bytes = self.get(at).ok_or("the archive has no such frame")?;
        Ok(Box::new(Cursor::new(bytes.clone())))
    }
}

/// A decoder of frames.
trait Frames {
    /// Decodes a frame, and passes it and others that it needs to `keep`, in the order in which they are shown.
    fn decode(&mut self, at: usize, keep: &mut dyn FnMut(usize, Picture)) -> Result<(), String>;
}

/// The times of a film's frames, and what decodes them.
struct Opened {
    /// When each frame is shown: ascending, the first at 0.
    starts: Vec<Time>,
    frames: Box<dyn Frames>,
}

/// Whether one file is a whole film, by its first [`HEAD_BYTES`]. An image that doesn't move is none.
pub fn is_film(bytes: &[u8]) -> bool {
    bytes.starts_with(b"GIF8") || is_mp4(bytes) || animation::is_apng(bytes) || animation::is_animated_webp(bytes)
}

/// A film that is open. Decoding takes longer than a frame of the window; it is done in another thread.
pub struct Player {
    starts: Vec<Time>,
    frames: Box<dyn Frames>,
    /// The frames that were decoded last, the latest at the end.
    cache: VecDeque<(usize, Arc<Picture>)>,
    max_bytes: usize,
}

impl Player {
    /// Opens a film. Numbered images are shown at `fps` frames per second; other films have times of their own.
    ///
    /// # Errors
    /// A sentence without the name of the film.
    pub fn open(files: Box<dyn Files>, fps: f32) -> Result<Player, String> {
        let opened = guarded(|| open(files, fps))??;
        match opened.starts.len() {
            0 => Err("the film has no frames".to_owned()),
            MAX_FRAMES.. => Err(format!("the film has more than {MAX_FRAMES} frames")),
            _ => Ok(Player {
                starts: opened.starts,
                frames: opened.frames,
                cache: VecDeque::new(),
                max_bytes: MAX_CACHE_BYTES,
            }),
        }
    }

    /// The number of frames, at least 1.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The frame that is shown at a time of the film; the first before it, the last after it.
    pub fn frame_at(&self, time: Time) -> usize {
        self.starts.partition_point(|start| *start <= time).saturating_sub(1)
    }

    /// The times at which a frame is shown. The first is shown from the earliest time on, the last up to the latest.
    pub fn shown(&self, at: usize) -> Range<Time> {
        let start = if at == 0 { None } else { self.starts.get(at) };
        let end = self.starts.get(at.saturating_add(1));
        start.copied().unwrap_or(Time(i64::MIN))..end.copied().unwrap_or(Time(i64::MAX))
    }

    /// A frame of the film.
    ///
    /// # Errors
    /// A sentence that names the frame.
    pub fn frame(&mut self, at: usize) -> Result<Arc<Picture>, String> {
        if let Some((_, picture)) = self.cache.iter().find(|(known, _)| *known == at) {
            return Ok(picture.clone());
        }
        let (frames, cache, max_bytes) = (&mut self.frames, &mut self.cache, self.max_bytes);
        let mut found = None;
        let mut keep = |index, picture| {
            let picture = Arc::new(picture);
            if index == at {
                found = Some(Arc::clone(&picture));
            }
            cache.retain(|(known, _)| *known != index);
            cache.push_back((index, picture));
            trim(cache, max_bytes);
        };
        let decoded = guarded(|| frames.decode(at, &mut keep)).map_err(str::to_owned).and_then(|decoded| decoded);
        let place = || format!("frame {} of {}", at.saturating_add(1), self.starts.len());
        decoded.map_err(|reason| format!("{}: {reason}", place()))?;
        found.ok_or_else(|| format!("{}: the film ends before it", place()))
    }

    /// Sets the maximum bytes of decoded frames that it keeps, [`MAX_CACHE_BYTES`] at first. The last frame is always kept.
    pub fn limit(&mut self, max_bytes: usize) {
        self.max_bytes = max_bytes;
        trim(&mut self.cache, max_bytes);
    }

    /// The bytes of decoded frames that are kept.
    pub fn cached_bytes(&self) -> usize {
        bytes_of(&self.cache)
    }
}

fn bytes_of(cache: &VecDeque<(usize, Arc<Picture>)>) -> usize {
    cache.iter().map(|(_, picture)| picture.bytes()).fold(0, usize::saturating_add)
}

/// Drops the oldest frames beyond a limit.
fn trim(cache: &mut VecDeque<(usize, Arc<Picture>)>, max_bytes: usize) {
    while cache.len() > 1 && bytes_of(cache) > max_bytes {
        cache.pop_front();
    }
}

/// Whether a file starts as an MP4 or QuickTime file does.
fn is_mp4(bytes: &[u8]) -> bool {
    matches!(bytes.get(4..8), Some(b"ftyp" | b"moov" | b"wide" | b"mdat" | b"free" | b"skip"))
}

fn open(files: Box<dyn Files>, fps: f32) -> Result<Opened, String> {
    if files.count() == 0 {
        return Err("the film has no frames".to_owned());
    }
    let mut input = files.open(0)?;
    let mut head = Vec::new();
    input.by_ref().take(HEAD_BYTES).read_to_end(&mut head).map_err(unreadable)?;
    input.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    if head.starts_with(b"GIF8") {
        animation::open_gif(files)
    } else if is_mp4(&head) {
        #[cfg(not(feature = "video"))]
        return Err("films in MP4 need the program; GIF, APNG, animated WebP and numbered images work here".to_owned());
        #[cfg(feature = "video")]
        video::open(input)
    } else if files.count() == 1 && animation::is_apng(&head) {
        animation::open_apng(files)
    } else if files.count() == 1 && animation::is_animated_webp(&head) {
        animation::open_webp(files)
    } else {
        images::open(files, fps)
    }
}

fn unreadable(error: std::io::Error) -> String {
    format!("the file can't be read: {error}")
}
