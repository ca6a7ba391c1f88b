//! WAV files: reads PCM of 8 to 32 bits and 32-bit floats as sounds of 16 bits. Files of more than two channels become mono.

use std::io::Cursor;

use hound::{Error, SampleFormat, WavReader};

use crate::assets::sound::{MAX_SAMPLE_BYTES, Sound};

/// Programs that write streams take a length near 2 or 4 GiB.
const UNKNOWN_LENGTH: usize = 0x7FFF_0000;

/// Reads a WAV file. The error is a reason without the file's name.
///
/// # Errors
///
/// Bytes that are no WAV file, one that ends early, has compressed samples or values out of the range of sounds.
pub fn read(name: &str, bytes: &[u8]) -> Result<Sound, String> {
    if bytes.is_empty() {
        return Err("the file is empty".into());
    }
    let plain = plain(bytes);
    let mut reader = WavReader::new(Cursor::new(plain.as_deref().unwrap_or(bytes))).map_err(reason)?;
    let spec = reader.spec();
    // Checked before decoding: sounds have at most two channels.
    let kept = if spec.channels > 2 { reader.duration() } else { reader.len() };
    if usize::try_from(kept).unwrap_or(usize::MAX) > MAX_SAMPLE_BYTES / 2 {
        return Err(format!("the sound is longer than {} MiB of samples of 16 bits", MAX_SAMPLE_BYTES >> 20));
    }
    // A sample takes at least a byte, so the file's length limits their number.
    let samples: Result<Vec<i16>, Error> = match spec.sample_format {
        SampleFormat::Float => reader.samples::<f32>().map(|sample| Ok(of_float(sample?))).collect(),
        SampleFormat::Int => {
            let bits = spec.bits_per_sample;
            reader.samples::<i32>().map(|sample| Ok(of_int(sample?, bits))).collect()
        }
    };
    let samples = samples.map_err(reason)?;
    let (samples, channels) = match spec.channels {
        1 => (samples, 1),
        2 => (samples, 2),
        many => (mixed(&samples, usize::from(many)), 1),
    };
    let sound = Sound::new(name, spec.sample_rate, channels, &samples);
    sound.check()?;
    Ok(sound)
}

/// A format chunk in its short form. In WAVEFORMATEXTENSIBLE, the valid bits are the upper ones of the container, which are read whole, and
/// its subformat begins with the tag of the short form.
fn short(chunk: &[u8]) -> Option<Vec<u8>> {
    const EXTENSIBLE: [u8; 2] = [0xFE, 0xFF];
    let (tag, rest) = chunk.get(8..24)?.split_at_checked(2)?;
    let tag = if tag == EXTENSIBLE { chunk.get(32..34)? } else { tag };
    Some([b"fmt \x10\0\0\0", tag, rest].concat())
}

/// The format and the samples of a file alone, as the reader doesn't skip the byte behind a chunk of odd length. Samples of a stream, whose
/// length was not known, go to the end. `None` if one is missing.
fn plain(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut rest = bytes.strip_prefix(b"RIFF")?.get(4..)?.strip_prefix(b"WAVE")?;
    let mut format = Vec::new();
    loop {
        let (name, after) = rest.split_first_chunk::<4>()?;
        let (length, body) = after.split_first_chunk::<4>()?;
        let count = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        match name {
            b"fmt " => format = short(rest.get(..count.checked_add(8)?)?)?,
            b"data" if count >= UNKNOWN_LENGTH => {
                let [low, high] = *format.get(20..22)?.first_chunk()?;
                let frame = usize::from(u16::from_le_bytes([low, high])).max(1);
                let whole = body.chunks_exact(frame).flatten().copied().collect::<Vec<u8>>();
                let length = u32::try_from(whole.len()).ok()?.to_le_bytes();
                return Some([b"RIFF\0\0\0\0WAVE", &*format, b"data", &length, &whole].concat());
            }
            b"data" => return Some([b"RIFF\0\0\0\0WAVE", &*format, rest].concat()),
            _ => {}
        }
        rest = body.get(count.checked_next_multiple_of(2)?..)?;
    }
}

/// The name that a sound gets from its file: without folders and extension.
pub fn name_of(file: &str) -> String {
    let stem = crate::import::stem(file);
    if stem == "model" && !file.contains("model") { "sound".to_owned() } else { stem.to_owned() }
}

fn reason(error: Error) -> String {
    match error {
        Error::IoError(_) | Error::UnfinishedSample => "the WAV file ends early".into(),
        Error::FormatError(reason) => format!("not a valid WAV file: {reason}"),
        Error::Unsupported => {
            "its samples are compressed: only PCM and 32-bit floats can be read. Convert it to 16 bits".into()
        }
        Error::TooWide | Error::InvalidSampleFormat => "its samples have a format that can't be read".into(),
    }
}

/// From -1 to 1, clamped; NaN is silence.
fn of_float(sample: f32) -> i16 {
    let scaled = if sample.is_nan() { 0.0 } else { (sample * 32_767.0).round() };
    // Clamped to the range of the type.
    #[allow(clippy::cast_possible_truncation)]
    let sample = scaled.clamp(-32_768.0, 32_767.0) as i16;
    sample
}

/// The upper 16 bits of a sample of `bits`.
fn of_int(sample: i32, bits: u16) -> i16 {
    let shifted = match bits {
        0..=16 => sample.wrapping_shl(16_u32.saturating_sub(bits.into())),
        _ => sample.wrapping_shr(u32::from(bits).saturating_sub(16)),
    };
    i16::try_from(shifted).unwrap_or(if shifted < 0 { i16::MIN } else { i16::MAX })
}

/// The mean of all channels.
fn mixed(samples: &[i16], channels: usize) -> Vec<i16> {
    let count = i64::try_from(channels).unwrap_or(i64::MAX).max(1);
    let mean = |frame: &[i16]| {
        let sum: i64 = frame.iter().map(|&sample| i64::from(sample)).sum();
        i16::try_from(sum.checked_div(count).unwrap_or(0)).unwrap_or(0)
    };
    samples.chunks_exact(channels.max(1)).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hound::{Sample, WavSpec, WavWriter};

    fn wav<S: Sample + Copy>(channels: u16, bits: u16, sample_format: SampleFormat, values: &[S]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let spec = WavSpec { channels, sample_rate: 22_050, bits_per_sample: bits, sample_format };
        let mut writer = WavWriter::new(Cursor::new(&mut bytes), spec).unwrap();
        values.iter().for_each(|&value| writer.write_sample(value).unwrap());
        writer.finalize().unwrap();
        bytes
    }

    fn whole_samples(bytes: &[u8]) -> Vec<f32> {
        read("a", bytes).unwrap().amplitudes().map(|sample| sample * 32_768.0).collect()
    }

    #[test]
    fn every_width_becomes_sixteen_bits() {
        let of = |bits, values: &[i32]| whole_samples(&wav(1, bits, SampleFormat::Int, values));
        assert_eq!(of(8, &[0, 127, -128]), [0.0, 32_512.0, -32_768.0]);
        assert_eq!(of(16, &[1, -2, 32_767]), [1.0, -2.0, 32_767.0]);
        assert_eq!(of(24, &[256, -8_388_608]), [1.0, -32_768.0]);
        assert_eq!(of(32, &[65_536, i32::MIN]), [1.0, -32_768.0]);
        let floats = wav(1, 32, SampleFormat::Float, &[0.0_f32, 1.0, -2.0, f32::NAN]);
        assert_eq!(whole_samples(&floats), [0.0, 32_767.0, -32_768.0, 0.0]);
    }

    #[test]
    fn valid_bits_are_the_upper_ones() {
        for valid in [24_u8, 20] {
            let mut file = wav(1, 32, SampleFormat::Int, &[1_000 << 16, -2_000 << 16]);
            let at = file.windows(4).position(|word| word == b"fmt ").unwrap();
            assert_eq!(file[at + 8..at + 10], [0xFE, 0xFF]);
            file[at + 26] = valid;
            assert_eq!(whole_samples(&file), [1_000.0, -2_000.0]);
        }
    }

    #[test]
    fn stereo_is_kept_and_more_channels_are_mixed() {
        let of = |channels, values: &[i16]| read("a", &wav(channels, 16, SampleFormat::Int, values)).unwrap();
        assert_eq!((of(2, &[1, 2, 3, 4]).channels, of(2, &[1, 2, 3, 4]).frames()), (2, 2));
        assert_eq!(of(3, &[3, 6, 9, -3, -6, -9]), Sound::new("a", 22_050, 1, &[6, -6]));
    }

    #[test]
    fn chunks_of_odd_length_and_streams_are_read() {
        let whole = wav(1, 16, SampleFormat::Int, &[1_i16, 2, 3]);
        let (head, rest) = whole.split_at(12);
        let noted = [head, b"JUNK\x03\0\0\0abc\0", rest].concat();
        assert_eq!(whole_samples(&noted), [1.0, 2.0, 3.0]);
        let mut stream = [&noted[..], b"!"].concat();
        let at = noted.len() - 10;
        assert_eq!(&stream[at - 4..at + 4], b"data\x06\0\0\0");
        stream[at..at + 4].copy_from_slice(&[0xFF; 4]);
        assert_eq!(whole_samples(&stream), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_sound_that_says_it_is_too_long_is_not_decoded() {
        let mut long = wav(1, 16, SampleFormat::Int, &[0_i16, 1, 2, 3]);
        let at = long.len() - 12;
        assert_eq!(&long[at - 4..at + 4], b"data\x08\0\0\0");
        long[at..at + 4].copy_from_slice(&0x7000_0000_u32.to_le_bytes());
        assert!(read("a", &long).unwrap_err().contains("longer than 64 MiB"));
    }

    #[test]
    fn a_file_that_is_no_sound_is_refused_with_a_reason() {
        let whole = wav(1, 16, SampleFormat::Int, &[0_i16, 1, 2, 3]);
        let cases: [(&[u8], &str); 4] = [
            (b"", "empty"),
            (b"OggS and more bytes than twelve", "no RIFF tag"),
            (&whole[..46], "ends early"),
            (&whole[..30], "ends early"),
        ];
        for (bytes, expected) in cases {
            let error = read("a", bytes).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        let silent = wav::<i16>(1, 16, SampleFormat::Int, &[]);
        assert!(read("a", &silent).unwrap_err().contains("has no samples"));
        assert_eq!(["a/Hit 1.wav", ".wav", "model.wav"].map(name_of), ["Hit 1", "sound", "model"]);
    }
}
