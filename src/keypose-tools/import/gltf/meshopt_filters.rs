//! The filters of EXT_meshopt_compression: what decoded numbers stand for.

/// Undoes a filter in place. The elements have `stride` bytes.
pub fn filter(name: &str, stride: usize, bytes: &mut [u8]) -> Result<(), String> {
    match (name, stride) {
        ("NONE", _) => {}
        ("OCTAHEDRAL", 4) => bytes.as_chunks_mut::<4>().0.iter_mut().for_each(octahedral_bytes),
        ("OCTAHEDRAL", 8) => bytes.as_chunks_mut::<8>().0.iter_mut().for_each(|eight| edit(eight, octahedral_words)),
        ("QUATERNION", 8) => bytes.as_chunks_mut::<8>().0.iter_mut().for_each(|eight| edit(eight, quaternion)),
        ("EXPONENTIAL", _) => bytes.as_chunks_mut::<4>().0.iter_mut().for_each(exponential),
        _ => return Err(format!("meshopt filter {name} with a stride of {stride} is unknown")),
    }
    Ok(())
}

fn edit(eight: &mut [u8; 8], change: fn([i16; 4]) -> [i16; 4]) {
    let [a, b, c, d, e, f, g, h] = *eight;
    let words = [[a, b], [c, d], [e, f], [g, h]].map(i16::from_le_bytes);
    let [[a, b], [c, d], [e, f], [g, h]] = change(words).map(i16::to_le_bytes);
    *eight = [a, b, c, d, e, f, g, h];
}

fn octahedral_bytes(four: &mut [u8; 4]) {
    let [x, y, one, w] = four.map(|byte| i8::from_le_bytes([byte]));
    let unit = octahedral([x, y, one].map(f32::from), 127.0);
    let [x, y, z] = unit.map(|part| rounded(part).to_le_bytes().first().copied().unwrap_or(0));
    *four = [x, y, z, w.to_le_bytes().first().copied().unwrap_or(0)];
}

fn octahedral_words([x, y, one, w]: [i16; 4]) -> [i16; 4] {
    let [x, y, z] = octahedral([x, y, one].map(f32::from), 32_767.0).map(rounded);
    [x, y, z, w]
}

/// The unit vector of a place on an octahedron, in `-largest..=largest`.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn octahedral([x, y, one]: [f32; 3], largest: f32) -> [f32; 3] {
    let z = one - x.abs() - y.abs();
    let fold = z.min(0.0);
    let folded = |part: f32| if part >= 0.0 { part + fold } else { part - fold };
    let [x, y] = [x, y].map(folded);
    let scale = largest / (x * x + y * y + z * z).sqrt();
    [x * scale, y * scale, z * scale]
}

/// A unit quaternion from its three smallest components; the lowest bits of the fourth number say which is the largest.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn quaternion([a, b, c, about]: [i16; 4]) -> [i16; 4] {
    let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(about | 3);
    let [x, y, z] = [a, b, c].map(|part| f32::from(part) * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let [x, y, z, w] = [x, y, z, w].map(|part| rounded(part * 32_767.0));
    match about & 3 {
        0 => [w, x, y, z],
        1 => [z, w, x, y],
        2 => [y, z, w, x],
        _ => [x, y, z, w],
    }
}

/// A float from a mantissa of 24 bits and an exponent of 8.
#[allow(clippy::arithmetic_side_effects, clippy::cast_precision_loss)] // Floating point only; 24 bits are exact.
fn exponential(four: &mut [u8; 4]) {
    let [low, middle, high, exponent] = *four;
    let mantissa = i32::from_le_bytes([0, low, middle, high]) >> 8;
    let exponent = i32::from(i8::from_le_bytes([exponent]));
    *four = (f64::from(mantissa) * 2.0_f64.powi(exponent)).to_f32().to_le_bytes();
}

trait ToF32 {
    fn to_f32(self) -> f32;
}

impl ToF32 for f64 {
    #[allow(clippy::cast_possible_truncation)] // Rounding is intended.
    fn to_f32(self) -> f32 {
        self as f32
    }
}

#[allow(clippy::cast_possible_truncation)] // Saturates; NaN becomes 0.
fn rounded(number: f32) -> i16 {
    number.round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filtered<const N: usize>(name: &str, stride: usize, mut bytes: [u8; N]) -> [u8; N] {
        filter(name, stride, &mut bytes).unwrap();
        bytes
    }

    fn words(bytes: &[u8]) -> Vec<i16> {
        bytes.as_chunks::<2>().0.iter().map(|two| i16::from_le_bytes(*two)).collect()
    }

    /// Output of the reference encoder (the npm package meshoptimizer), and the values of its decoder.
    #[test]
    fn filters_give_the_numbers_of_the_reference_decoder() {
        let octahedral = [0, 0, 0x7f, 0, 0x7f, 0x49, 0x7f, 0, 0xdd, 0x2f, 0x7f, 0, 0, 0x81, 0x7f, 0];
        let bytes = filtered("OCTAHEDRAL", 4, octahedral).map(|byte| byte as i8);
        assert_eq!(bytes, [0, 0, 127, 0, 76, 0, -102, 0, -60, 81, 77, 0, 0, -127, 0, 0]);
        let octahedral = [
            0, 0, 0, 0, 0xff, 7, 0, 0, 0xff, 7, 0x92, 4, 0xff, 7, 0, 0, 0xc5, 0xfd, 0xfa, 2, 0xff, 7, 0, 0, 0, 0, 1,
            0xf8, 0xff, 7, 0, 0,
        ];
        let expected = [0, 0, 32767, 0, 19653, 0, -26219, 0, -15721, 20979, 19658, 0, 0, -32767, 0, 0];
        assert_eq!(words(&filtered("OCTAHEDRAL", 8, octahedral)), expected);
        let quaternions = [
            0, 0, 0, 0, 0, 0, 0xff, 7, 0x59, 0xfa, 0xa7, 5, 0xa7, 5, 0xfc, 7, 0, 0, 0, 0, 0xc9, 6, 0xfc, 7, 0, 0, 0, 0,
            0xd5, 0xfc, 0xfe, 7,
        ];
        let expected = [0, 0, 0, 32767, 16399, -16378, 16378, 16378, 26213, 0, 0, 19661, 0, -9180, 31455, 0];
        assert_eq!(words(&filtered("QUATERNION", 8, quaternions)), expected);
        let floats = [
            0, 0, 0, 0xf2, 0, 0x20, 0, 0xf2, 0, 0xd8, 0xff, 0xf3, 0x80, 0x3e, 0, 0xfc, 0xea, 0x3e, 0, 0xe3, 0, 0xc8,
            0xff, 0xf5,
        ];
        let floats = filtered("EXPONENTIAL", 12, floats);
        let floats: Vec<f32> = floats.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        assert_eq!(floats, [0.0, 0.5, -1.25, 1000.0, 2.999_976_3e-5, -7.0]);
        assert!(filter("OCTAHEDRAL", 12, &mut []).is_err() && filter("COLOUR", 4, &mut []).is_err());
    }
}
