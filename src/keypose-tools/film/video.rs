//! H.264 in MP4: frames depend on others since the last key frame, and are decoded in another order than they are shown.

use std::io::SeekFrom;

use rusty_h264_decoder::Decoder;

use crate::anim::time::Time;
use crate::film::mp4::{self, Sample, Track};
use crate::film::work::Work;
use crate::film::{Frames, Input, Opened, Picture};

struct Video {
    input: Box<dyn Input>,
    track: Track,
    /// For each frame in the order in which they are shown, the index of its sample.
    samples: Vec<usize>,
    /// For each sample, the index of its frame.
    frames: Vec<usize>,
    decoder: Decoder,
    /// The sample that the decoder expects; `None` before the first.
    next: Option<usize>,
    work: Work,
}

/// Opens an MP4.
pub fn open(mut input: Box<dyn Input>) -> Result<Opened, String> {
    let track = mp4::read(&mut *input)?;
    if !track.samples.iter().any(|sample| sample.is_key) {
        return Err("the film has no key frames".to_owned());
    }
    let mut samples: Vec<usize> = (0..track.samples.len()).collect();
    let time = |at: &usize| track.samples.get(*at).map_or(0, |sample| sample.time);
    samples.sort_by_key(time);
    // Frames before the start of the edit list are decoded, but not shown.
    let shown: Vec<usize> = samples.iter().copied().filter(|at| time(at) >= track.begins).collect();
    let samples = if shown.is_empty() { samples } else { shown };
    let first = samples.first().map_or(0, time);
    let starts = samples.iter().map(|at| time_of(time(at).saturating_sub(first), track.timescale)).collect();
    let mut frames = vec![usize::MAX; track.samples.len()];
    for (frame, &sample) in samples.iter().enumerate() {
        if let Some(slot) = frames.get_mut(sample) {
            *slot = frame;
        }
    }
    let video = Video { input, track, samples, frames, decoder: Decoder::new(), next: None, work: Work::default() };
    Ok(Opened { starts, frames: Box::new(video) })
}

fn time_of(units: i64, timescale: u32) -> Time {
    let flicks = i128::from(units).saturating_mul(Time::FLICKS_PER_SEC.into()).checked_div(timescale.into());
    Time(flicks.and_then(|flicks| i64::try_from(flicks).ok()).unwrap_or(i64::MAX))
}

impl Video {
    /// The sample at which decoding starts to get another: where the decoder is, or the last key frame before it. Frames that are
    /// shown before their key frame need the one before it.
    fn start_for(&self, wanted: usize) -> usize {
        let sample = |at: usize| self.track.samples.get(at);
        let time = sample(wanted).map_or(0, |sample| sample.time);
        let is_start = |at: &usize| sample(*at).is_some_and(|sample| sample.is_key && sample.time <= time);
        let key = (0..=wanted).rev().find(is_start).unwrap_or(0);
        self.next.filter(|next| (key..=wanted).contains(next)).unwrap_or(key)
    }

    /// The units of a sample with start codes, as the decoder reads them: Rec. ITU-T H.264, annex B.
    fn units(&mut self, sample: Sample, is_first: bool) -> Result<Vec<u8>, String> {
        let cut = || "the file is cut off before its end".to_owned();
        let end = self.input.seek(SeekFrom::End(0)).map_err(|_| cut())?;
        if sample.offset.saturating_add(sample.bytes.into()) > end {
            return Err(cut());
        }
        let mut bytes = vec![0; usize::try_from(sample.bytes).unwrap_or(0)];
        self.input.seek(SeekFrom::Start(sample.offset)).map_err(|_| cut())?;
        self.input.read_exact(&mut bytes).map_err(|_| cut())?;
        let mut units = Vec::with_capacity(bytes.len().saturating_add(256));
        let mut add = |unit: &[u8]| {
            units.extend([0, 0, 0, 1]);
            units.extend(unit);
        };
        if is_first {
            self.track.parameters.iter().for_each(|unit| add(unit));
        }
        let mut rest = &*bytes;
        while let Some((length, after)) = rest.split_at_checked(self.track.length_bytes) {
            let length = length.iter().fold(0_usize, |sum, &byte| sum << 8 | usize::from(byte));
            let Some((unit, after)) = after.split_at_checked(length) else { break };
            add(unit);
            rest = after;
        }
        Ok(units)
    }
}

impl Frames for Video {
    fn decode(&mut self, at: usize, keep: &mut dyn FnMut(usize, Picture)) -> Result<(), String> {
        let wanted = *self.samples.get(at).ok_or("there is no such frame")?;
        let start = self.start_for(wanted);
        if self.next != Some(start) {
            self.decoder = Decoder::new();
        }
        // Unless all goes well, the decoder starts again at a key frame.
        let is_running = self.next.take() == Some(start);
        let way = self.track.samples.get(start..=wanted).unwrap_or_default();
        self.work.begin(way.iter().map(|sample| sample.bytes))?;
        for index in start..=wanted {
            let sample = *self.track.samples.get(index).ok_or("there is no such frame")?;
            let units = self.units(sample, index == start && !is_running)?;
            self.work.add(&units)?;
            let decoded = self.decoder.decode(&units).map_err(|error| reason(&error))?;
            if let (Some(frame), Some(&shown)) = (decoded, self.frames.get(index).filter(|at| **at != usize::MAX)) {
                let size = [frame.width, frame.height].map(|side| u32::try_from(side).unwrap_or(0));
                let planes = [frame.y, frame.u, frame.v];
                keep(shown, Picture::yuv(size, planes, self.track.colors, self.track.quarters)?);
            }
        }
        self.next = wanted.checked_add(1);
        Ok(())
    }
}

fn reason(error: &rusty_h264_decoder::DecodeError) -> String {
    use rusty_h264_decoder::DecodeError;
    match error {
        DecodeError::Unsupported(tool) => format!("it uses a part of H.264 that Keypose doesn't decode: {tool}"),
        DecodeError::Truncated | DecodeError::MissingParameterSet | DecodeError::Internal(_) => {
            format!("it is damaged: {error}")
        }
    }
}
