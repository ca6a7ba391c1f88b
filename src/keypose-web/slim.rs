//! Smaller files for the page of the editor: the demo without sounds and baked clips, which are most of it, and the font of icons with those that are
//! used.

use std::collections::BTreeSet;

use read_fonts::types::Tag;
use read_fonts::{FontRef, TableProvider};

/// The tables of a font that Dear ImGui reads, except the outlines.
const TABLES: [&[u8; 4]; 5] = [b"cmap", b"head", b"hhea", b"hmtx", b"maxp"];

/// The archive without sounds and baked clips, uncompressed because the page compresses it. The error is a sentence.
pub fn authored_without_sounds(archive: &[u8]) -> Result<Vec<u8>, String> {
    let mut decoded = keypose::wad::decode(archive).map_err(|error| error.to_string())?;
    decoded.project.sounds.clear();
    keypose::wad::encode_authored(&decoded.project).map_err(|error| error.to_string())
}

/// A TrueType font with the glyphs of these characters alone. The others keep their numbers, and are empty. The error is a sentence.
pub fn with_glyphs(bytes: &[u8], letters: impl Iterator<Item = char>) -> Result<Vec<u8>, String> {
    let font = FontRef::new(bytes).map_err(|error| error.to_string())?;
    let cmap = font.cmap().map_err(|error| error.to_string())?;
    let glyph = |letter: char| {
        let missing = || format!("the font of icons has no U+{:04X}", u32::from(letter));
        cmap.map_codepoint(letter).map(|glyph| glyph.to_u32() as usize).ok_or_else(missing)
    };
    let kept: BTreeSet<usize> = letters.map(glyph).collect::<Result<_, _>>()?;
    let loca = font.loca(None).map_err(|error| error.to_string())?;
    let outlines = table(&font, b"glyf")?;
    let (mut glyf, mut offsets) = (Vec::new(), vec![0]);
    for glyph in 0..loca.len() {
        let range = loca.get_raw(glyph).zip(loca.get_raw(glyph + 1)).filter(|_| kept.contains(&glyph));
        let outline = range.and_then(|(from, to)| outlines.get(from as usize..to as usize)).unwrap_or_default();
        if outline.first().is_some_and(|count| *count >= 0x80) {
            return Err(format!("icon {glyph} is made of others"));
        }
        glyf.extend_from_slice(outline);
        glyf.resize(glyf.len().next_multiple_of(4), 0);
        offsets.push(glyf.len() as u32);
    }
    let mut tables: Vec<([u8; 4], Vec<u8>)> = Vec::new();
    for name in TABLES {
        tables.push((*name, table(&font, name)?.to_vec()));
    }
    // The offsets are written in four bytes each, whatever they were.
    if let Some(format) = tables[1].1.get_mut(50..52) {
        format.copy_from_slice(&1_u16.to_be_bytes());
    }
    tables.push((*b"glyf", glyf));
    tables.push((*b"loca", offsets.into_iter().flat_map(u32::to_be_bytes).collect()));
    Ok(joined(tables))
}

fn table<'a>(font: &FontRef<'a>, name: &[u8; 4]) -> Result<&'a [u8], String> {
    let found = font.table_data(Tag::new(name)).map(|data| data.as_bytes());
    found.ok_or_else(|| format!("the font of icons has no {}", name.escape_ascii()))
}

/// A font of these tables, without checksums.
fn joined(mut tables: Vec<([u8; 4], Vec<u8>)>) -> Vec<u8> {
    tables.sort();
    let head = 12 + 16 * tables.len();
    let (mut font, mut body) = (0x0001_0000_u32.to_be_bytes().to_vec(), Vec::new());
    font.extend_from_slice(&(tables.len() as u16).to_be_bytes());
    font.extend_from_slice(&[0; 6]);
    for (name, bytes) in tables {
        let at = (head + body.len()) as u32;
        font.extend_from_slice(&name);
        [0, at, bytes.len() as u32].into_iter().for_each(|word| font.extend_from_slice(&word.to_be_bytes()));
        body.extend_from_slice(&bytes);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    font.append(&mut body);
    font
}
