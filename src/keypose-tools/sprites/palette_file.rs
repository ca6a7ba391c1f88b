//! Palettes of other programs: GIMP (.gpl), hexadecimal lines (.hex), JASC (.pal), and the pixels of an image (.png).

use crate::assets::sprite_recipe::Rgb;
use crate::sprites::palette::{MAX_COLORS, Palette};

/// Reads a palette. The kind follows from the first bytes. The error completes a sentence that begins with the file.
pub fn read(bytes: &[u8]) -> Result<Palette, String> {
    let colors = read_colors(bytes)?;
    let mut seen = Vec::new();
    for color in colors {
        if !seen.contains(&color) {
            seen.push(color);
        }
        if seen.len() > MAX_COLORS {
            return Err(format!("has more than {MAX_COLORS} colours"));
        }
    }
    if seen.is_empty() {
        return Err("has no colours; a palette is a .gpl, .hex, .pal or .png file".into());
    }
    Ok(Palette::new(seen))
}

/// Reads all colours of a palette in order, equal ones included, as [`read`] does.
pub fn read_colors(bytes: &[u8]) -> Result<Vec<Rgb>, String> {
    if bytes.starts_with(b"\x89PNG") { of_image(bytes) } else { of_text(bytes) }
}

/// As a GIMP palette.
pub fn write_gpl(name: &str, palette: &Palette) -> String {
    let mut text = format!("GIMP Palette\nName: {name}\n#\n");
    for [r, g, b] in palette.colors() {
        text += &format!("{r} {g} {b}\t{r:02x}{g:02x}{b:02x}\n");
    }
    text
}

/// The largest image that is read as a palette, in pixels.
const MAX_PIXELS: u32 = 1 << 20;

fn of_image(bytes: &[u8]) -> Result<Vec<Rgb>, String> {
    let mut reader = image::ImageReader::with_format(std::io::Cursor::new(bytes), image::ImageFormat::Png);
    let mut limits = image::Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(4096), Some(4096));
    reader.limits(limits);
    let image = reader.decode().map_err(|error| format!("is not a readable PNG: {error}"))?;
    if image.width() * image.height() > MAX_PIXELS {
        return Err("is too large for a palette".into());
    }
    let opaque = image
        .to_rgba8()
        .pixels()
        .filter(|pixel| pixel.0[3] >= 128)
        .map(|pixel| {
            let [r, g, b, _] = pixel.0;
            [r, g, b]
        })
        .collect::<Vec<Rgb>>();
    Ok(opaque)
}

fn of_text(bytes: &[u8]) -> Result<Vec<Rgb>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is neither text nor a PNG".to_owned())?;
    let text = text.trim_start_matches('\u{feff}');
    let (skipped, parse): (usize, fn(&str) -> Option<Rgb>) = match text.lines().next().map(str::trim) {
        Some("GIMP Palette") => (1, of_numbers),
        Some("JASC-PAL") => (3, of_numbers),
        _ => (0, of_hex),
    };
    let is_content = |line: &&str| {
        let is_field = ["Name:", "Columns:", "Channels:"].iter().any(|field| line.starts_with(field));
        let is_comment = line.starts_with(';') || skipped > 0 && line.starts_with('#');
        !(line.is_empty() || is_field || is_comment)
    };
    let lines = text.lines().enumerate().skip(skipped).map(|(at, line)| (at, line.trim()));
    let colors = lines
        .filter(|(_, line)| is_content(line))
        .map(|(at, line)| parse(line).ok_or_else(|| format!("line {}: not a colour", at + 1)));
    colors.collect()
}

fn of_numbers(line: &str) -> Option<Rgb> {
    let mut numbers = line.split_whitespace().map(|word| word.parse::<u8>().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

fn of_hex(line: &str) -> Option<Rgb> {
    let digits = line.trim_start_matches('#');
    let is_hex = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let [_, r, g, b] = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?.to_be_bytes();
    Some([r, g, b])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_gives_the_same_colors() {
        let expected = Palette::new([[255, 0, 77], [29, 43, 83]]);
        let gpl = write_gpl("pico", &expected);
        let pixels =
            image::RgbaImage::from_vec(2, 2, vec![255, 0, 77, 255, 29, 43, 83, 255, 9, 9, 9, 0, 255, 0, 77, 255]);
        let mut png = std::io::Cursor::new(Vec::new());
        pixels.unwrap().write_to(&mut png, image::ImageFormat::Png).unwrap();
        let jasc = "JASC-PAL\r\n0100\r\n2\r\n255 0 77\r\n29 43 83\r\n";
        for bytes in [gpl.as_bytes(), b"ff004d\n1d2b53\n", b"#FF004D\n\n#1d2b53", jasc.as_bytes(), png.get_ref()] {
            assert_eq!(read(bytes).as_ref(), Ok(&expected), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn what_is_no_palette_is_refused_in_a_sentence() {
        let cases: [(&[u8], &str); 5] = [
            (b"", "has no colours"),
            (b"ff004d\nred\n", "line 2"),
            (b"GIMP Palette\nChannels: RGBA\n300 0 0", "line 3"),
            (b"\x89PNG\r\n\x1a\nbroken", "not a readable PNG"),
            (b"\xff\xfe\x00", "neither text nor a PNG"),
        ];
        for (bytes, expected) in cases {
            let error = read(bytes).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
