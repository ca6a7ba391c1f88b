//! Numbered images: each file is a frame.

use std::io::Read;

use crate::anim::time::Time;
use crate::assets::image_file;
use crate::film::{Files, Frames, Opened, Picture, unreadable};

/// The maximum bytes of an image file.
const MAX_FILE_BYTES: u64 = 256 << 20;

struct Images {
    files: Box<dyn Files>,
}

/// Opens numbered images. Their rate must be positive.
pub fn open(files: Box<dyn Files>, fps: f32) -> Result<Opened, String> {
    if !(fps > 0.0 && fps.is_finite()) {
        return Err("the frame rate is not positive".to_owned());
    }
    let start = |at: usize| Time::from_secs(at as f64 / f64::from(fps));
    let starts = (0..files.count()).map(start).collect();
    Ok(Opened { starts, frames: Box::new(Images { files }) })
}

impl Frames for Images {
    fn decode(&mut self, at: usize, keep: &mut dyn FnMut(usize, Picture)) -> Result<(), String> {
        let mut bytes = Vec::new();
        self.files.open(at)?.take(MAX_FILE_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
        let (format, _) = image_file::format(&bytes).ok_or("the file is no PNG, JPEG, WebP, GIF or MP4")?;
        let (width, height, pixels) = image_file::decode(format, &bytes, |_, _| Ok(()))?;
        keep(at, Picture::rgba(width, height, pixels)?);
        Ok(())
    }
}
