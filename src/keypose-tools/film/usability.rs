//! The colours of H.264 by its usability information, which most encoders write whatever their container says: Rec. ITU-T H.264, E.1.1.

use rusty_h264_common::bit_reader::{BitReader, OutOfData};
use rusty_h264_common::nal::emulation_unprevent;

/// The form of the colours of a film; `None` where it says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usability {
    pub is_full_range: Option<bool>,
    /// Whether luma and chroma are those of BT.709.
    pub is_bt709: Option<bool>,
}

/// The aspect ratio that is followed by its two numbers (table E-1).
const EXTENDED_RATIO: u32 = 255;
/// The profiles that may have other chroma, depths and scaling lists (7.3.2.1.1).
const HIGH_PROFILES: [u32; 13] = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];

/// Whether matrix coefficients are those of BT.709, or nearer to it than to BT.601: SMPTE 240M and BT.2020. `None` if they are not specified
/// (table E-5).
pub fn is_bt709(matrix: u32) -> Option<bool> {
    (matrix != 2).then_some(matches!(matrix, 1 | 7 | 9 | 10))
}

impl Usability {
    /// Reads a sequence parameter set with the head of its unit. One that ends early says nothing.
    pub fn of(unit: &[u8]) -> Usability {
        let Some((_, coded)) = unit.split_first() else { return Usability::default() };
        read(&mut BitReader::new(&emulation_unprevent(coded))).unwrap_or_default()
    }
}

fn read(bits: &mut BitReader<'_>) -> Result<Usability, OutOfData> {
    skip_to_usability(bits)?;
    let mut found = Usability::default();
    if !bits.read_bit()? {
        return Ok(found);
    }
    if bits.read_bit()? && bits.read_bits(8)? == EXTENDED_RATIO {
        bits.skip_bits(32)?;
    }
    if bits.read_bit()? {
        bits.skip_bits(1)?;
    }
    if bits.read_bit()? {
        bits.skip_bits(3)?;
        found.is_full_range = Some(bits.read_bit()?);
        if bits.read_bit()? {
            bits.skip_bits(16)?;
            found.is_bt709 = is_bt709(bits.read_bits(8)?);
        }
    }
    Ok(found)
}

/// Skips everything before the flag that says whether there is usability information (7.3.2.1.1).
fn skip_to_usability(bits: &mut BitReader<'_>) -> Result<(), OutOfData> {
    let profile = bits.read_bits(8)?;
    bits.skip_bits(16)?;
    skip_numbers(bits, 1)?;
    if HIGH_PROFILES.contains(&profile) {
        let chroma = bits.read_ue()?;
        if chroma == 3 {
            bits.skip_bits(1)?;
        }
        skip_numbers(bits, 2)?;
        bits.skip_bits(1)?;
        if bits.read_bit()? {
            for list in 0..if chroma == 3 { 12 } else { 8 } {
                skip_scaling_list(bits, if list < 6 { 16 } else { 64 })?;
            }
        }
    }
    skip_numbers(bits, 1)?;
    match bits.read_ue()? {
        0 => skip_numbers(bits, 1)?,
        1 => {
            bits.skip_bits(1)?;
            skip_numbers(bits, 2)?;
            let cycle = bits.read_ue()?;
            skip_numbers(bits, cycle)?;
        }
        _ => {}
    }
    skip_numbers(bits, 1)?;
    bits.skip_bits(1)?;
    skip_numbers(bits, 2)?;
    if !bits.read_bit()? {
        bits.skip_bits(1)?;
    }
    bits.skip_bits(1)?;
    if bits.read_bit()? {
        skip_numbers(bits, 4)?;
    }
    Ok(())
}

fn skip_numbers(bits: &mut BitReader<'_>, count: u32) -> Result<(), OutOfData> {
    (0..count).try_for_each(|_| bits.read_ue().map(|_| ()))
}

/// Skips a scaling list (7.3.2.1.1.1), which ends early where a scale is 0.
fn skip_scaling_list(bits: &mut BitReader<'_>, count: u32) -> Result<(), OutOfData> {
    if !bits.read_bit()? {
        return Ok(());
    }
    let mut scale = 8_i32;
    for _ in 0..count {
        scale = scale.wrapping_add(bits.read_se()?).rem_euclid(256);
        if scale == 0 {
            break;
        }
    }
    Ok(())
}
