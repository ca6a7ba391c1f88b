//! Paths as users type, paste and drop them: quotes, `~`, URLs.

use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// Why a URL of another computer is refused.
pub const REMOTE: &str = "Keypose opens files on this computer only. Download the file first";

/// Whether a text is a URL of another computer.
pub fn is_remote(text: &str) -> bool {
    let scheme = text.trim_start().split_once(":/").map(|(scheme, _)| scheme);
    let letters = scheme.filter(|scheme| scheme.len() > 1 && scheme.chars().all(|c| c.is_ascii_alphanumeric()));
    letters.is_some_and(|scheme| !scheme.eq_ignore_ascii_case("file"))
}

/// The path of a typed or pasted text: without quotes and spaces around it; `~` is the user's folder; a `file:` URL is
/// decoded.
pub fn typed_path(text: &str, home: Option<&Path>) -> PathBuf {
    let text = text.trim().trim_matches(['"', '\'']);
    if let Some(path) = file_url(text) {
        return path;
    }
    let rest = text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(std::path::is_separator));
    match (rest, home) {
        (Some(rest), Some(home)) => home.join(rest.trim_start_matches(std::path::is_separator)),
        _ => text.into(),
    }
}

/// The paths and URLs of a list: one per line, or several `file:` URLs without a separator, as a field of one line has
/// them after pasting. Lines that start with `#` are comments.
pub fn listed(text: &str) -> Vec<String> {
    let apart = text.replace("file://", "\nfile://");
    let lines = apart.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// The path of a `file:` URL. A host in it is ignored if it is this computer.
fn file_url(text: &str) -> Option<PathBuf> {
    let rest = text.strip_prefix("file:")?;
    let path = match rest.strip_prefix("//") {
        Some(rest) => &rest[rest.find('/').filter(|&at| ["", "localhost"].contains(&&rest[..at])).unwrap_or(0)..],
        None => rest,
    };
    let path = decoded(path);
    // On Windows, "/C:/a" is "C:/a".
    let has_drive = path.as_bytes().first() == Some(&b'/') && path.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if has_drive && cfg!(windows) { path[1..].to_owned() } else { path }))
}

/// The text with its percent escapes replaced. Escapes that are incomplete, or no text, stay as they are.
fn decoded(text: &str) -> String {
    let hex = |digits: Option<&[u8]>| u8::from_str_radix(std::str::from_utf8(digits?).ok()?, 16).ok();
    let (bytes, mut done, mut at) = (text.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let (byte, length) = match hex(bytes.get(at + 1..at + 3)) {
            Some(byte) if bytes[at] == b'%' => (byte, 3),
            _ => (bytes[at], 1),
        };
        done.push(byte);
        at += length;
    }
    String::from_utf8(done).unwrap_or_else(|_| text.to_owned())
}

/// The folder that a typed path is in, and the name that is being typed: "a/b" is in "a", "a/" is the folder "a".
pub fn split(path: &Path, text: &str) -> (PathBuf, String) {
    let text = text.trim_end();
    if text.is_empty() || text.ends_with(std::path::is_separator) || text == "~" {
        // Without the separator at its end.
        return (path.components().collect(), String::new());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match path.parent() {
        Some(parent) if !name.is_empty() => (parent.to_owned(), name),
        _ => (path.to_owned(), String::new()),
    }
}

/// The text of a folder, with a separator at its end.
pub fn folder_text(folder: &Path) -> String {
    let mut text = folder.to_string_lossy().into_owned();
    if !text.ends_with(std::path::is_separator) {
        text.push(MAIN_SEPARATOR);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copied_path_loses_what_surrounds_it() {
        for text in
            ["/a b/c.wad", " \"/a b/c.wad\" ", "'/a b/c.wad'", "file:///a%20b/c.wad", "file://localhost/a b/c.wad"]
        {
            assert_eq!(typed_path(text, None).to_str(), Some("/a b/c.wad"), "{text}");
        }
        assert_eq!(typed_path("file:///100%/%zz%e4", None).to_str(), Some("/100%/%zz%e4"), "no escapes");
        assert_eq!(typed_path("file:///%C3%A4.glb", None).to_str(), Some("/ä.glb"));
    }

    #[test]
    fn a_tilde_is_the_users_folder() {
        let home = Some(Path::new("/users/me"));
        assert_eq!(typed_path("~", home), Path::new("/users/me"));
        assert_eq!(typed_path("~/a/b", home), Path::new("/users/me/a/b"));
        assert_eq!(typed_path("~other/a", home), Path::new("~other/a"));
        assert_eq!(typed_path("~/a", None), Path::new("~/a"));
    }

    #[test]
    fn a_list_has_one_path_per_line_or_url() {
        assert_eq!(listed("file:///a\r\n# b\r\n\r\n/c d\r\n"), ["file:///a", "/c d"]);
        assert_eq!(listed("file:///a.glbfile:///b.glb"), ["file:///a.glb", "file:///b.glb"]);
    }

    #[test]
    fn urls_of_other_computers_are_known() {
        for text in ["http://a/b.glb", "HTTPS:/a", "ftp://x"] {
            assert!(is_remote(text), "{text}");
        }
        for text in ["/http/a", "C:/a", "file:///a", "a: b"] {
            assert!(!is_remote(text), "{text}");
        }
    }

    #[test]
    fn a_typed_path_has_a_folder_and_a_start_of_a_name() {
        let split = |text: &str| split(Path::new(text), text);
        assert_eq!(split("/a/b"), ("/a".into(), "b".into()));
        assert_eq!(split("/a/b/"), ("/a/b/".into(), "".into()));
        assert_eq!(split("/"), ("/".into(), "".into()));
        assert_eq!(split("/a/.."), ("/a/..".into(), "".into()));
    }
}
