//! Names and paths as Windows has them: the names of devices, which no file can have, and the long form of paths, which is not for
//! people. Pure functions; callers apply them on Windows.

use std::io;
use std::path::{Path, PathBuf};

/// The names of devices, with any ending.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

/// Maximum length of a path in its short form.
const MAX_SHORT: usize = 259;

/// Refuses a path on Windows that names a device, or has characters that names can't have.
///
/// # Errors
/// The reason, without the path.
pub fn check(path: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match fault(&name) {
        Some(reason) if cfg!(windows) => Err(io::Error::new(io::ErrorKind::InvalidInput, reason)),
        _ => Ok(()),
    }
}

/// The reason why Windows has no files of a name.
fn fault(name: &str) -> Option<String> {
    if let Some(letter) = name.chars().find(|letter| "<>:\"/\\|?*".contains(*letter)) {
        return Some(format!("names of files can't contain {letter} on Windows"));
    }
    device_of(name).map(|device| format!("Windows reserves the name {device} for a device; choose another one"))
}

/// The device that a name means on Windows, with any ending.
pub fn device_of(name: &str) -> Option<&str> {
    let first = name.split('.').next().unwrap_or_default().trim_end();
    let is_numbered = || {
        let (letters, number) = first.split_at_checked(3)?;
        let is_port = letters.eq_ignore_ascii_case("COM") || letters.eq_ignore_ascii_case("LPT");
        Some(is_port && ["1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"].contains(&number))
    };
    let is_device = DEVICES.iter().any(|device| first.eq_ignore_ascii_case(device)) || is_numbered() == Some(true);
    is_device.then_some(first)
}

/// The form of a path for people and other programs: `C:\a` of `\\?\C:\a`, `\\server\a` of `\\?\UNC\server\a`. Longer paths stay.
pub fn short_form(path: PathBuf) -> PathBuf {
    let short = path.to_str().and_then(|text| {
        let rest = text.strip_prefix(r"\\?\").filter(|rest| rest.len() <= MAX_SHORT)?;
        match rest.strip_prefix(r"UNC\") {
            Some(share) => Some(format!(r"\\{share}")),
            None => (rest.get(1..3) == Some(r":\")).then(|| rest.to_owned()),
        }
    });
    short.map_or(path, PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_devices_are_refused_with_any_ending() {
        for name in ["con", "NUL.wad", "Aux .glb", "com1", "LPT9.tar.gz", "COM².wad", "conin$"] {
            assert!(fault(name).is_some_and(|reason| reason.starts_with("Windows reserves the name")), "{name}");
        }
        for name in ["", "console.wad", "com", "com10", "comé", "lpt0x", "nula", ".nul", "a.con", "knight.wad"] {
            assert_eq!(fault(name), None, "{name}");
        }
        assert_eq!(fault("a:b.wad").unwrap(), "names of files can't contain : on Windows");
    }

    #[test]
    fn long_forms_become_short_unless_they_are_needed() {
        let long = format!(r"\\?\C:\{}", "a".repeat(300));
        let cases = [
            (r"\\?\C:\a b\c.wad", r"C:\a b\c.wad"),
            (r"\\?\UNC\server\share\c.wad", r"\\server\share\c.wad"),
            (r"\\?\Volume{1}\c.wad", r"\\?\Volume{1}\c.wad"),
            ("/a/b", "/a/b"),
            (&long, &long),
        ];
        for (path, expected) in cases {
            assert_eq!(short_form(path.into()), Path::new(expected));
        }
    }
}
