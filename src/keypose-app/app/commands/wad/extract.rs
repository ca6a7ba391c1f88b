//! `keypose wad extract`: writes lumps to files.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;
use xxhash_rust::xxh3::xxh3_64;

use keypose::assets::image_file;
use keypose::wad;
use keypose::wad::archive::Archive;
use keypose::wad::kind::Kind;
use keypose::wad::pack::pack;
use keypose::wad::salvage;

use super::output::Output;
use super::{Title, parse_title, read};
use crate::app::commands::in_file;
use crate::app::console::path_text;
use crate::app::files::own_files::{self, Access};
use crate::app::files::windows_names::device_of;

#[derive(clap::Args)]
pub struct Arguments {
    /// An archive (.wad)
    file: PathBuf,
    /// Lumps to extract: KIND/NAME, a clip with its baked form; by default all
    #[arg(value_parser = parse_title)]
    lumps: Vec<Title>,
    /// The folder to write to; created if it doesn't exist
    #[arg(short, long)]
    output: PathBuf,
    /// Extract the undamaged lumps of a damaged archive
    #[arg(long)]
    salvage: bool,
}

pub fn run(arguments: &Arguments, out: &Output) -> Result<ExitCode, String> {
    let bytes = read(&arguments.file, out)?;
    let bytes = if arguments.salvage { salvaged(&bytes, &arguments.file, out)? } else { bytes };
    let archive = Archive::open(&bytes).map_err(in_file(&arguments.file))?;
    for wanted in &arguments.lumps {
        if archive.find(wanted.kind, &wanted.name).is_none() {
            return Err(format!("{}: no lump {}/{}", arguments.file.display(), wanted.kind, wanted.name));
        }
    }
    // The baked form of a clip says which skeleton it is for.
    let is_it = |title: &Title, kind, name: &str| {
        title.name == name && (title.kind == kind || (title.kind == Kind::CLIP && kind == Kind::BAKED))
    };
    let is_wanted =
        |kind, name: &str| arguments.lumps.is_empty() || arguments.lumps.iter().any(|title| is_it(title, kind, name));
    let (mut written, mut swept) = (Vec::new(), BTreeSet::new());
    out.stage("extracting", &arguments.file);
    for entry in archive.entries() {
        if entry.tombstone || !is_wanted(entry.kind, &entry.name) {
            continue;
        }
        let folder = arguments.output.join(entry.kind.to_string());
        if swept.insert(entry.kind) {
            make_folder(&folder)?;
            own_files::sweep_folder(&folder, EXTRACTING);
        }
        let path = folder.join(format!("{}.lump", escaped(&entry.name)));
        let lump = archive.lump(entry).map_err(in_file(&arguments.file))?;
        write_over(&path, &lump).map_err(in_file(&path))?;
        written.push(path.clone());
        if let Some(texture) = wad::texture_of(entry, &lump) {
            let kept = texture.file().and_then(|file| Some((image_file::format(file)?.1, file)));
            let path = path.with_extension(kept.map_or("png", |(name, _)| name));
            match (kept, texture.pixels()) {
                (Some((_, file)), _) => write_over(&path, file).map_err(in_file(&path))?,
                (None, Ok(pixels)) => write_png(&path, texture.width, texture.height, pixels.to_vec())?,
                (None, Err(reason)) => return Err(in_file(&path)(reason)),
            }
            written.push(path);
        }
    }
    out.json(|| json!({ "written": written.iter().map(|path| path_text(path)).collect::<Vec<_>>() }));
    out.line(format_args!("{} files written to {}", written.len(), arguments.output.display()));
    Ok(ExitCode::SUCCESS)
}

/// An archive of the undamaged lumps. Reports the others.
fn salvaged(bytes: &[u8], file: &Path, out: &Output) -> Result<Vec<u8>, String> {
    let salvaged = salvage::salvage(bytes);
    salvaged.lost.iter().for_each(|sentence| out.line(sentence));
    if salvaged.lumps.is_empty() {
        return Err(format!("{}: nothing could be recovered", file.display()));
    }
    pack(salvaged.lumps, None).map_err(in_file(file))
}

/// Creates the folder of a kind. A link in its place may lead anywhere.
fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(in_file(folder))?;
    if fs::symlink_metadata(folder).map_err(in_file(folder))?.is_dir() {
        Ok(())
    } else {
        Err(format!("{}: a link, which is not followed", folder.display()))
    }
}

/// The word in the names of temporary files.
const EXTRACTING: &str = "extracting";

fn write_over(path: &Path, bytes: &[u8]) -> io::Result<()> {
    own_files::replace(path, EXTRACTING, Access::Of(path.to_owned()), |file| file.write_all(bytes))
}

fn write_png(path: &Path, width: u32, height: u32, pixels: Vec<u8>) -> Result<(), String> {
    let image = image::RgbaImage::from_raw(width, height, pixels).ok_or("pixel count and size differ")?;
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Png).map_err(in_file(path))?;
    write_over(path, bytes.get_ref()).map_err(in_file(path))
}

/// Converts a lump's name to a file name: everything except ASCII letters, digits and "-_.~" becomes %XX of its UTF-8, so
/// that no name can leave the folder. So does the first letter of names that Windows keeps for devices.
pub fn escaped(name: &str) -> String {
    let is_device = device_of(name).is_some();
    let letter = |(at, byte): (usize, u8)| match byte {
        b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        byte if byte.is_ascii_alphanumeric() && !(is_device && at == 0) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    name.bytes().enumerate().map(letter).collect()
}

/// The maximum bytes of a part of a file name.
const MAX_NAME: usize = 200;

/// A part of a file name, which is cut and gets a digest of all of what it stands for if it is long.
pub fn cut(mut name: String, whole: &str) -> String {
    if name.len() > MAX_NAME {
        name.truncate(name.floor_char_boundary(MAX_NAME));
        name = format!("{name}~{:016x}", xxh3_64(whole.as_bytes()));
    }
    name
}

/// Reverses [`escaped`].
pub fn unescaped(name: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = name.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_file_names_and_round_trip() {
        for name in
            ["knight/walk", "ä ö", "a%2Fb", "C:\\x", "...", "-_.~", "CON", "lpt1.x", "Aux.001/walk", "nul.x/../y"]
        {
            let file = escaped(name);
            assert!(!file.contains(['/', '\\', ':', ' ']) && device_of(&file).is_none(), "{file}");
            assert_eq!(unescaped(&file).as_deref(), Some(name));
        }
        assert_eq!([escaped("coma"), escaped("lptx"), escaped("com1")], ["coma", "lptx", "%63om1"]);
        assert_eq!(unescaped("%2"), None);
        assert_eq!(unescaped("%zz"), None);
    }
}
