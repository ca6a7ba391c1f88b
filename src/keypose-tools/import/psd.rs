//! PSD images: the merged picture that Photoshop stores beside the layers, in grey or RGB of 8 or 16 bits. The crates for this format
//! refuse pictures with extra channels, or read all layers without a bound.

/// A checked header.
pub struct Header {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    channels: usize,
    /// Bytes of a component: 1 or 2.
    depth: usize,
    is_grey: bool,
}

const MAGIC: &[u8] = b"8BPS";
/// Bytes before the sections.
const HEADER_BYTES: usize = 26;
/// Grey, RGB and duotone, which looks grey without its inks.
const GREY: u16 = 1;
const RGB: u16 = 3;
const DUOTONE: u16 = 8;

/// Whether the bytes begin like a PSD file.
pub fn looks_like_psd(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl Header {
    /// Reads the header.
    pub fn read(bytes: &[u8]) -> Result<Header, String> {
        let short = |at: usize| number::<2>(bytes, at).map(u16::from_be_bytes);
        let word = |at: usize| number::<4>(bytes, at).map(u32::from_be_bytes);
        let (version, depth, mode) = (short(4)?, short(22)?, short(24)?);
        if version != 1 {
            return Err(format!("PSD of version {version} is not supported"));
        }
        if !matches!(depth, 8 | 16) || !matches!(mode, GREY | RGB | DUOTONE) {
            return Err(format!("PSD with {depth} bits in colour mode {mode} is not supported; use RGB of 8 bits"));
        }
        let (channels, is_grey) = (usize::from(short(12)?), mode != RGB);
        if channels < if is_grey { 1 } else { 3 } {
            return Err(format!("PSD with {channels} channels"));
        }
        Ok(Header { width: word(18)?, height: word(14)?, channels, depth: usize::from(depth >> 3), is_grey })
    }

    /// The RGBA8 pixels. The size must have been checked.
    pub fn decode(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut at = HEADER_BYTES;
        let mut section: &[u8] = &[];
        // Colours, resources, and layers.
        for _ in 0..3 {
            let start = at.saturating_add(4);
            at = start.saturating_add(u32::from_be_bytes(number(bytes, at)?) as usize);
            section = bytes.get(start..at).unwrap_or_default();
        }
        let compression = u16::from_be_bytes(number(bytes, at)?);
        let data = bytes.get(at.saturating_add(2)..).unwrap_or_default();
        let colors: usize = if self.is_grey { 1 } else { 3 };
        let wanted = self.channels.min(colors.saturating_add(usize::from(has_alpha(section))));
        let planes = match compression {
            0 => self.raw(data, wanted)?,
            1 => self.packed(data, wanted)?,
            _ => return Err("PSD with ZIP compression is not supported".into()),
        };
        Ok(self.joined(&planes, wanted, colors))
    }

    fn row_bytes(&self) -> usize {
        (self.width as usize).saturating_mul(self.depth)
    }

    fn plane_bytes(&self) -> usize {
        self.row_bytes().saturating_mul(self.height as usize)
    }

    /// The wanted channels, one after the other.
    fn raw(&self, data: &[u8], wanted: usize) -> Result<Vec<u8>, String> {
        let needed = self.plane_bytes().saturating_mul(wanted);
        data.get(..needed).map(<[u8]>::to_vec).ok_or_else(|| "unexpected end of the PSD pixels".into())
    }

    /// Unpacks the wanted channels: rows of PackBits, after the table of their lengths.
    fn packed(&self, data: &[u8], wanted: usize) -> Result<Vec<u8>, String> {
        let rows = (self.height as usize).saturating_mul(self.channels);
        let (lengths, mut rest) =
            data.split_at_checked(rows.saturating_mul(2)).ok_or("unexpected end of the PSD rows")?;
        let row_bytes = self.row_bytes();
        let mut planes = Vec::with_capacity(self.plane_bytes().saturating_mul(wanted));
        let count = (self.height as usize).saturating_mul(wanted);
        for length in lengths.as_chunks::<2>().0.iter().take(count) {
            let length = usize::from(u16::from_be_bytes(*length));
            let (row, after) = rest.split_at_checked(length).ok_or("unexpected end of the PSD rows")?;
            rest = after;
            let end = planes.len().saturating_add(row_bytes);
            unpack(row, end, &mut planes);
            planes.resize(end, 0);
        }
        Ok(planes)
    }

    fn joined(&self, planes: &[u8], wanted: usize, colors: usize) -> Vec<u8> {
        let plane = |channel: usize| {
            let start = channel.saturating_mul(self.plane_bytes());
            planes.get(start..).unwrap_or_default().iter().step_by(self.depth).copied()
        };
        let (red, green, blue) = if self.is_grey { (0, 0, 0) } else { (0, 1, 2) };
        let count = (self.width as usize).saturating_mul(self.height as usize);
        let alpha = plane(colors).map(Some).chain(std::iter::repeat(None)).take(count);
        let alpha = alpha.map(|alpha| alpha.filter(|_| wanted > colors).unwrap_or(255));
        let colored = plane(red).zip(plane(green)).zip(plane(blue)).zip(alpha);
        let pixel = |(((red, green), blue), alpha): (((u8, u8), u8), u8)| {
            let [red, green, blue] = [red, green, blue].map(|color| without_white(color, alpha));
            [red, green, blue, alpha]
        };
        colored.flat_map(pixel).collect()
    }
}

/// Whether the section of the layers says that the first extra channel is the alpha of the picture: by a negative count of layers. Documents
/// of 16 bits have the layers in a block, Lr16, after the mask of all layers; Mt16 and Mtrn say it for those without layers (Adobe
/// Photoshop File Formats Specification, "Additional Layer Information").
fn has_alpha(section: &[u8]) -> bool {
    let length = |at: usize| number::<4>(section, at).map_or(0, |bytes| u32::from_be_bytes(bytes) as usize);
    let is_negative = |at: usize| number::<2>(section, at).is_ok_and(|bytes| i16::from_be_bytes(bytes) < 0);
    if length(0) > 0 {
        return is_negative(4);
    }
    let mut at = length(4).saturating_add(8);
    while let Ok(start) = number::<8>(section, at) {
        let data = at.saturating_add(12);
        match &start {
            b"8BIMLr16" if is_negative(data) => return true,
            b"8BIMMt16" | b"8BIMMtrn" => return true,
            _ => (),
        }
        let padded = length(at.saturating_add(8)).checked_next_multiple_of(4);
        at = data.saturating_add(padded.unwrap_or(usize::MAX));
    }
    false
}

/// The colour of a pixel of the merged picture, which Photoshop mixes with white by its alpha.
fn without_white(mixed: u8, alpha: u8) -> u8 {
    let own = u16::from(mixed.saturating_sub(255_u8.saturating_sub(alpha)));
    let half = u16::from(alpha >> 1);
    let color = own.saturating_mul(255).saturating_add(half).checked_div(u16::from(alpha));
    color.and_then(|color| u8::try_from(color).ok()).unwrap_or(0)
}

/// Unpacks a row, up to a length of all pixels.
fn unpack(mut row: &[u8], end: usize, into: &mut Vec<u8>) {
    while let Some((&head, rest)) = row.split_first() {
        let left = end.saturating_sub(into.len());
        let count = usize::from(head);
        match head {
            0..=127 => {
                let (literal, after) = rest.split_at_checked(count.saturating_add(1)).unwrap_or((rest, &[]));
                into.extend(literal.iter().take(left));
                row = after;
            }
            128 => row = rest,
            129..=255 => {
                let value = rest.first().copied().unwrap_or(0);
                into.extend(std::iter::repeat_n(value, 257_usize.saturating_sub(count).min(left)));
                row = rest.get(1..).unwrap_or_default();
            }
        }
    }
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], &'static str> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk::<N>()).copied();
    found.ok_or("unexpected end of the PSD header")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 × 1 pixels with a number of channels, each the bytes of its row.
    fn file(mode: u16, depth: u16, layers: i16, compression: u16, channels: &[&[u8]]) -> Vec<u8> {
        let layers = [&[0, 0, 0, 4][..], &layers.to_be_bytes(), &[0; 2]].concat();
        with_layers(mode, depth, &layers, compression, channels)
    }

    /// The file with a section of layers.
    fn with_layers(mode: u16, depth: u16, layers: &[u8], compression: u16, channels: &[&[u8]]) -> Vec<u8> {
        let mut bytes = [MAGIC, &[0, 1, 0, 0, 0, 0, 0, 0]].concat();
        bytes.extend((channels.len() as u16).to_be_bytes());
        bytes.extend([1_u32, 2].into_iter().flat_map(u32::to_be_bytes));
        bytes.extend([depth, mode].into_iter().flat_map(u16::to_be_bytes));
        let sections: [&[u8]; 3] = [b"", b"resources", layers];
        for section in sections {
            bytes.extend((section.len() as u32).to_be_bytes());
            bytes.extend(section);
        }
        bytes.extend(compression.to_be_bytes());
        if compression == 1 {
            bytes.extend(channels.iter().flat_map(|channel| (channel.len() as u16).to_be_bytes()));
        }
        bytes.extend(channels.concat());
        bytes
    }

    fn pixels(bytes: &[u8]) -> Vec<u8> {
        Header::read(bytes).unwrap().decode(bytes).unwrap()
    }

    #[test]
    fn the_merged_picture_is_read() {
        let plain: [&[u8]; 4] = [&[1, 2], &[3, 4], &[5, 6], &[7, 8]];
        let red: [&[u8]; 4] = [&[255, 255], &[127, 0], &[127, 0], &[128, 255]];
        assert_eq!(pixels(&file(RGB, 8, -1, 0, &red)), [255, 0, 0, 128, 255, 0, 0, 255], "without the white");
        assert_eq!(pixels(&file(RGB, 8, 1, 0, &plain)), [1, 3, 5, 255, 2, 4, 6, 255], "an extra channel is no alpha");
        let packed: [&[u8]; 3] = [&[1, 1, 2], &[255, 3], &[128, 0, 5, 0, 6]];
        assert_eq!(pixels(&file(RGB, 8, 0, 1, &packed)), [1, 3, 5, 255, 2, 3, 6, 255]);
        assert_eq!(pixels(&file(GREY, 16, 0, 0, &[&[9, 0, 10, 0]])), [9, 9, 9, 255, 10, 10, 10, 255]);
    }

    #[test]
    fn pictures_of_16_bits_keep_their_alpha() {
        let channels: [&[u8]; 4] = [&[255; 4], &[127, 127, 255, 255], &[127, 127, 255, 255], &[128, 128, 255, 255]];
        let mut layers =
            [[0_u8; 8].as_slice(), b"8BIMPatt", &[0, 0, 0, 2, 1, 1, 0, 0], b"8BIMLr16", &[0, 0, 0, 4]].concat();
        let pixels_of = |layers: &[u8]| pixels(&with_layers(RGB, 16, layers, 0, &channels));
        let count = layers.len();
        layers.extend([255, 255, 0, 0]);
        assert_eq!(pixels_of(&layers), [255, 0, 0, 128, 255, 255, 255, 255]);
        layers[count..].fill(0);
        assert_eq!(pixels_of(&layers), [255, 127, 127, 255, 255, 255, 255, 255], "an extra channel is no alpha");
    }

    #[test]
    fn other_pictures_and_cut_ones_are_refused() {
        let good = file(RGB, 8, 0, 0, &[&[1, 2], &[3, 4], &[5, 6]]);
        for length in 0..good.len() {
            let cut = &good[..length];
            assert!(Header::read(cut).and_then(|header| header.decode(cut)).is_err(), "{length}");
        }
        assert!(Header::read(&file(4, 8, 0, 0, &[])).err().unwrap().contains("colour mode 4"));
        let zipped = file(RGB, 8, 0, 2, &[&[1, 2], &[3, 4], &[5, 6]]);
        assert!(Header::read(&zipped).unwrap().decode(&zipped).unwrap_err().contains("ZIP"));
    }
}
