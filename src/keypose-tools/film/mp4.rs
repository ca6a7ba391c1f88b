//! The boxes of an MP4 or QuickTime file that say where the samples of its video track are and when they are shown: ISO/IEC 14496-12.
//! Sound, other tracks and fragments are absent on purpose.

use std::io::SeekFrom;

use crate::assets::printable::printable;
use crate::film::picture::Colors;
use crate::film::{Input, MAX_FRAMES, unreadable};

/// The maximum bytes of the index of a file: 50 bytes for each frame of the longest film.
const MAX_INDEX_BYTES: u64 = 64 << 20;

/// The video track of a file.
#[derive(Debug, PartialEq)]
pub struct Track {
    /// Samples in the order in which they are decoded.
    pub samples: Vec<Sample>,
    /// Units of time per second.
    pub timescale: u32,
    /// The time of the samples at which the film begins, by the edit list.
    pub begins: i64,
    /// The parameter sets of H.264, which come before the first sample.
    pub parameters: Vec<Vec<u8>>,
    /// Bytes of the length before each unit of a sample: 1 to 4.
    pub length_bytes: usize,
    pub colors: Colors,
    /// Quarter turns clockwise.
    pub quarters: u8,
}

/// A coded frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    pub offset: u64,
    pub bytes: u32,
    /// When it is shown, in units of the track.
    pub time: i64,
    /// Whether decoding can start here.
    pub is_key: bool,
}

/// Reads the index of a file.
pub fn read(input: &mut dyn Input) -> Result<Track, String> {
    let moov = index(input)?;
    let boxes = Boxes(&moov);
    let mut other = None;
    for (kind, track) in boxes {
        if &kind == b"trak" {
            match video(track) {
                Ok(Some(video)) => return with_frames(video.track()?, &moov),
                Ok(None) => {}
                Err(reason) => other = Some(reason),
            }
        }
    }
    Err(other.unwrap_or_else(|| "the file has no video track".to_owned()))
}

/// The track, unless its frames are elsewhere or there are none.
fn with_frames(track: Track, moov: &[u8]) -> Result<Track, String> {
    match track.samples.is_empty() {
        true if Boxes(moov).any(|(kind, _)| &kind == b"mvex") => {
            Err("the MP4 is fragmented; write it again, for example with: ffmpeg -i film.mp4 -c copy whole.mp4"
                .to_owned())
        }
        true => Err("the film has no frames".to_owned()),
        false => Ok(track),
    }
}

/// The contents of the box `moov`, at any place of the file.
fn index(input: &mut dyn Input) -> Result<Vec<u8>, String> {
    let end = input.seek(SeekFrom::End(0)).map_err(unreadable)?;
    let mut at = 0;
    while at < end {
        input.seek(SeekFrom::Start(at)).map_err(unreadable)?;
        let mut head = [0; 16];
        let (short, long) = head.split_at_mut(8);
        if input.read_exact(short).is_err() {
            break;
        }
        let mut cursor = Cursor(&*short);
        let (size, kind) = (u64::from(cursor.u32()?), cursor.kind()?);
        let (size, head_bytes) = match size {
            0 => (end.saturating_sub(at), 8),
            1 => {
                input.read_exact(long).map_err(|_| cut())?;
                (Cursor(&*long).u64()?, 16)
            }
            size => (size, 8),
        };
        if &kind == b"moov" {
            let bytes = size.checked_sub(head_bytes).ok_or_else(cut)?;
            if bytes > MAX_INDEX_BYTES {
                return Err(format!("its index is larger than {} MiB", MAX_INDEX_BYTES >> 20));
            }
            if at.saturating_add(size) > end {
                return Err(cut());
            }
            let mut moov = vec![0; usize::try_from(bytes).map_err(|_| cut())?];
            input.read_exact(&mut moov).map_err(|_| cut())?;
            return Ok(moov);
        }
        at = at.saturating_add(size.max(8));
    }
    Err("the file is cut off: it has no index (the box moov)".to_owned())
}

fn cut() -> String {
    "the index of the file is cut off".to_owned()
}

/// The boxes in the contents of another, as kind and contents.
struct Boxes<'a>(&'a [u8]);

impl<'a> Iterator for Boxes<'a> {
    type Item = ([u8; 4], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let mut cursor = Cursor(self.0);
        let size = usize::try_from(cursor.u32().ok()?).ok()?;
        let kind = cursor.kind().ok()?;
        let inside = self.0.get(8..size.max(8))?;
        self.0 = self.0.get(size.max(8)..)?;
        Some((kind, inside))
    }
}

/// The contents of a box by the kinds on the way to it.
fn find<'a>(mut inside: &'a [u8], path: &[&[u8; 4]]) -> Option<&'a [u8]> {
    for wanted in path {
        inside = Boxes(inside).find(|(kind, _)| kind == *wanted)?.1;
    }
    Some(inside)
}

/// Big-endian numbers, one after another.
#[derive(Clone, Copy)]
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(cut)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        self.take(N)?.try_into().map_err(|_| cut())
    }

    fn u8(&mut self) -> Result<u8, String> {
        self.array().map(u8::from_be_bytes)
    }

    fn u16(&mut self) -> Result<u16, String> {
        self.array().map(u16::from_be_bytes)
    }

    fn u32(&mut self) -> Result<u32, String> {
        self.array().map(u32::from_be_bytes)
    }

    fn i32(&mut self) -> Result<i32, String> {
        self.array().map(i32::from_be_bytes)
    }

    fn u64(&mut self) -> Result<u64, String> {
        self.array().map(u64::from_be_bytes)
    }

    fn kind(&mut self) -> Result<[u8; 4], String> {
        self.array()
    }

    /// The version of a full box, and the rest of it.
    fn version(&mut self) -> Result<u8, String> {
        let version = self.u8()?;
        self.take(3)?;
        Ok(version)
    }

    /// The count of a table, at most the number of frames.
    fn count(&mut self) -> Result<usize, String> {
        let count = self.u32()?;
        usize::try_from(count)
            .ok()
            .filter(|count| *count <= MAX_FRAMES)
            .ok_or_else(|| "its index has too many entries".to_owned())
    }
}

/// A track of video, whose frames are not read yet.
struct Video<'a> {
    track: &'a [u8],
    table: &'a [u8],
    parameters: Vec<Vec<u8>>,
    length_bytes: usize,
    colors: Colors,
}

/// The track, if it is video. The error is the reason why it can't be decoded.
fn video(track: &[u8]) -> Result<Option<Video<'_>>, String> {
    let handler = find(track, &[b"mdia", b"hdlr"]).and_then(|handler| handler.get(8..12));
    if handler != Some(b"vide") {
        return Ok(None);
    }
    let table = find(track, &[b"mdia", b"minf", b"stbl"]).ok_or_else(cut)?;
    let description = find(table, &[b"stsd"]).ok_or_else(cut)?;
    let entry = Boxes(description.get(8..).unwrap_or_default()).next().ok_or_else(cut)?;
    let (parameters, length_bytes, colors) = codec(entry)?;
    Ok(Some(Video { track, table, parameters, length_bytes, colors }))
}

impl Video<'_> {
    fn track(self) -> Result<Track, String> {
        let Video { track, table, parameters, length_bytes, colors } = self;
        let header = find(track, &[b"mdia", b"mdhd"]).ok_or_else(cut)?;
        let mut header = Cursor(header);
        let version = header.version()?;
        header.take(if version == 1 { 16 } else { 8 })?;
        let timescale = header.u32()?.max(1);
        let samples = samples(table)?;
        let begins = begins(track)?;
        Ok(Track { samples, timescale, begins, parameters, length_bytes, colors, quarters: quarters(track)? })
    }
}

/// The parameter sets of H.264, the bytes of lengths, and the colours.
fn codec((kind, entry): ([u8; 4], &[u8])) -> Result<(Vec<Vec<u8>>, usize, Colors), String> {
    let name = match &kind {
        b"avc1" | b"avc3" => None,
        b"hvc1" | b"hev1" | b"dvh1" | b"dvhe" => Some("HEVC (H.265)".to_owned()),
        b"av01" => Some("AV1".to_owned()),
        b"vp09" => Some("VP9".to_owned()),
        other => Some(printable(&String::from_utf8_lossy(other)).into_owned()),
    };
    if let Some(name) = name {
        let write = "write it as images, for example with: ffmpeg -i film.mp4 -r 30 -q:v 3 frame%05d.jpg";
        return Err(format!("the video is coded as {name}, and Keypose decodes H.264; {write}"));
    }
    let boxes = entry.get(78..).unwrap_or_default();
    let mut config = Cursor(find(boxes, &[b"avcC"]).ok_or_else(cut)?);
    config.take(4)?;
    let length_bytes = usize::from(config.u8()? & 3).saturating_add(1);
    let mut parameters = Vec::new();
    for mask in [0x1f, 0xff] {
        for _ in 0..config.u8()? & mask {
            let bytes = usize::from(config.u16()?);
            parameters.push(config.take(bytes)?.to_vec());
        }
    }
    Ok((parameters, length_bytes, colors(entry, boxes)?))
}

/// The colours by the box `colr`. Without it, films are BT.709 from 720 lines on, as players assume, and none has the full range.
fn colors(entry: &[u8], boxes: &[u8]) -> Result<Colors, String> {
    let height = entry.get(26..28).map(|bytes| Cursor(bytes).u16()).transpose()?.unwrap_or_default();
    let mut colors = Colors { is_bt709: height >= 720, is_full_range: false };
    if let Some(color) = find(boxes, &[b"colr"]) {
        let mut color = Cursor(color);
        if matches!(&color.kind()?, b"nclx" | b"nclc") {
            color.take(4)?;
            // Rec. ITU-T H.273, table 4: 2 is unspecified; SMPTE 240M and BT.2020 are nearer to BT.709 than to BT.601.
            colors.is_bt709 = match color.u16()? {
                2 => colors.is_bt709,
                matrix => matches!(matrix, 1 | 7 | 9 | 10),
            };
            colors.is_full_range = color.u8().is_ok_and(|flags| flags & 0x80 != 0);
        }
    }
    Ok(colors)
}

/// Quarter turns clockwise, from the matrix of the track.
fn quarters(track: &[u8]) -> Result<u8, String> {
    let mut header = Cursor(find(track, &[b"tkhd"]).ok_or_else(cut)?);
    let version = header.version()?;
    header.take(if version == 1 { 32 } else { 20 })?;
    header.take(16)?;
    let (a, b) = (header.i32()?, header.i32()?);
    Ok(match (a.signum(), b.signum()) {
        (0, 1) => 1,
        (-1, 0) => 2,
        (0, -1) => 3,
        _ => 0,
    })
}

/// The time of the samples at which the first edit that shows something begins.
fn begins(track: &[u8]) -> Result<i64, String> {
    let Some(list) = find(track, &[b"edts", b"elst"]) else { return Ok(0) };
    let mut list = Cursor(list);
    let version = list.version()?;
    for _ in 0..list.count()? {
        let time = if version == 1 {
            list.take(8)?;
            list.u64()?.cast_signed()
        } else {
            list.take(4)?;
            i64::from(list.i32()?)
        };
        list.take(4)?;
        if time >= 0 {
            return Ok(time);
        }
    }
    Ok(0)
}

/// Runs of equal values, as counts and values, spread to one for each sample.
fn spread(table: &[u8]) -> Result<Vec<u32>, String> {
    let mut cursor = Cursor(table);
    cursor.version()?;
    let mut all = Vec::new();
    for _ in 0..cursor.count()? {
        let count = cursor.count()?;
        let value = cursor.u32()?;
        if all.len().saturating_add(count) > MAX_FRAMES {
            return Err(format!("the film has more than {MAX_FRAMES} frames"));
        }
        all.extend(std::iter::repeat_n(value, count));
    }
    Ok(all)
}

/// The samples of a track by its tables.
fn samples(table: &[u8]) -> Result<Vec<Sample>, String> {
    let part = |kind: &[u8; 4]| find(table, &[kind]);
    let durations = spread(part(b"stts").ok_or_else(cut)?)?;
    let shifts = part(b"ctts").map(spread).transpose()?.unwrap_or_default();
    let sizes = sizes(part(b"stsz").ok_or_else(cut)?)?;
    let keys = part(b"stss").map(numbers).transpose()?;
    let mut offsets = offsets(table, &sizes)?.into_iter();
    let mut samples = Vec::with_capacity(sizes.len());
    let mut time = 0_i64;
    for (at, &bytes) in sizes.iter().enumerate() {
        let shift = shifts.get(at).copied().unwrap_or_default().cast_signed();
        let number = u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1);
        let is_key = keys.as_ref().is_none_or(|keys| keys.binary_search(&number).is_ok());
        let offset = offsets.next().ok_or_else(cut)?;
        samples.push(Sample { offset, bytes, time: time.saturating_add(shift.into()), is_key });
        time = time.saturating_add(durations.get(at).copied().unwrap_or_default().into());
    }
    Ok(samples)
}

fn sizes(table: &[u8]) -> Result<Vec<u32>, String> {
    let mut cursor = Cursor(table);
    cursor.version()?;
    let same = cursor.u32()?;
    let count = cursor.count()?;
    if same > 0 { Ok(vec![same; count]) } else { (0..count).map(|_| cursor.u32()).collect() }
}

fn numbers(table: &[u8]) -> Result<Vec<u32>, String> {
    let mut cursor = Cursor(table);
    cursor.version()?;
    (0..cursor.count()?).map(|_| cursor.u32()).collect()
}

/// Where each sample starts: samples follow one another in chunks.
fn offsets(table: &[u8], sizes: &[u32]) -> Result<Vec<u64>, String> {
    let chunks: Vec<u64> = match (find(table, &[b"stco"]), find(table, &[b"co64"])) {
        (Some(short), _) => numbers(short)?.into_iter().map(u64::from).collect(),
        (None, Some(long)) => {
            let mut cursor = Cursor(long);
            cursor.version()?;
            (0..cursor.count()?).map(|_| cursor.u64()).collect::<Result<_, String>>()?
        }
        (None, None) => return Err(cut()),
    };
    let mut cursor = Cursor(find(table, &[b"stsc"]).ok_or_else(cut)?);
    cursor.version()?;
    let mut runs = Vec::new();
    for _ in 0..cursor.count()? {
        let (first, count) = (cursor.u32()?, cursor.u32()?);
        cursor.take(4)?;
        runs.push((first, count));
    }
    let mut offsets = Vec::with_capacity(sizes.len());
    let mut sizes = sizes.iter();
    let mut runs = runs.into_iter().peekable();
    let mut count = 0;
    for (at, chunk) in chunks.into_iter().enumerate() {
        let number = u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1);
        while let Some((_, in_chunk)) = runs.next_if(|(first, _)| *first <= number) {
            count = in_chunk;
        }
        let mut offset = chunk;
        for _ in 0..count {
            let Some(&bytes) = sizes.next() else { return Ok(offsets) };
            offsets.push(offset);
            offset = offset.saturating_add(bytes.into());
        }
    }
    Ok(offsets)
}
