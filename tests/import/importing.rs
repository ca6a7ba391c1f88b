//! Imports of single files within a bound of memory, whose models are checked, and images for them.

use std::collections::HashMap;

use image::{ImageFormat, RgbaImage};
use keypose_tools::import::{Imported, import};

use crate::allocator;

/// Imports a file with none beside it.
pub fn read(name: &str, bytes: &[u8]) -> Result<Imported, String> {
    read_with(name, bytes, &HashMap::new())
}

/// Imports a file with others beside it.
pub fn read_with(name: &str, bytes: &[u8], files: &HashMap<&str, Vec<u8>>) -> Result<Imported, String> {
    let others = &mut |path: &str| files.get(path).cloned().ok_or_else(|| format!("{path} doesn't exist"));
    let (imported, peak) = allocator::peak_of(|| import(name, bytes, others));
    let size = bytes.len() + files.values().map(Vec::len).sum::<usize>();
    // The reader of FBX has limits of its own, for two allocators.
    let min = if name.ends_with(".fbx") { 200 << 20 } else { 64 << 20 };
    assert!(peak < min + 256 * size as isize, "{peak} bytes for files of {size}");
    let imported = imported.map_err(|error| error.to_string())?;
    imported.model.check().unwrap();
    Ok(imported)
}

/// A PNG file of one row of pixels.
pub fn png(row: &[[u8; 4]]) -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    let image = RgbaImage::from_raw(row.len() as u32, 1, row.concat()).unwrap();
    image.write_to(&mut png, ImageFormat::Png).unwrap();
    png.into_inner()
}
