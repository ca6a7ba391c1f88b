//! URIs of buffers and images: embedded data, or a relative path. Percent and base64 decoding.

/// The target of a URI.
#[derive(Clone, Debug, PartialEq)]
pub enum Uri {
    /// `data:…`: the decoded bytes.
    Data(Vec<u8>),
    /// A path relative to the file, percent-decoded, with forward slashes.
    File(String),
}

/// Parses a URI. The error says why it is not supported.
pub fn parse(uri: &str) -> Result<Uri, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (kind, data) = data.split_once(',').ok_or("a data URI without a comma")?;
        return if kind.ends_with(";base64") {
            base64(&percent(data)).map(Uri::Data)
        } else {
            Ok(Uri::Data(percent(data)))
        };
    }
    let path = String::from_utf8(percent(uri)).map_err(|_| format!("\"{uri}\" is not UTF-8"))?;
    let path = path.replace('\\', "/");
    if path.is_empty() {
        return Err("an empty URI".into());
    }
    if path.starts_with('/') || path.contains("://") || path.as_bytes().get(1) == Some(&b':') || path.contains('\0') {
        return Err(format!("\"{uri}\" is not a path relative to the file"));
    }
    Ok(Uri::File(path))
}

/// Decodes the escapes of a path, such as `%20`.
pub fn decoded(path: &str) -> String {
    String::from_utf8(percent(path)).unwrap_or_else(|_| path.to_owned())
}

/// Decodes escapes such as `%20`. A percent sign without two hex digits is kept.
fn percent(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped = after.first_chunk::<2>().filter(|_| first == b'%');
        let value = escaped.and_then(|pair| Some((hex(pair[0])? << 4) | hex(pair[1])?));
        bytes.push(value.unwrap_or(first));
        rest = if value.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    bytes
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// Decodes base64 in the standard or the URL-safe alphabet. White space is skipped and padding is optional.
fn base64(text: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0_u32);
    for (at, &letter) in text.iter().enumerate() {
        let value = match letter {
            b'A'..=b'Z' => letter.wrapping_sub(b'A'),
            b'a'..=b'z' => letter.wrapping_sub(b'a').wrapping_add(26),
            b'0'..=b'9' => letter.wrapping_sub(b'0').wrapping_add(52),
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            b' ' | b'\t' | b'\r' | b'\n' => continue,
            _ => return Err(format!("invalid base64: {:?} at {at}", char::from(letter))),
        };
        bits = (bits << 6 | u32::from(value)) & 0x00FF_FFFF;
        count = count.wrapping_add(6);
        if count >= 8 {
            count = count.wrapping_sub(8);
            let [byte, ..] = (bits >> count).to_le_bytes();
            bytes.push(byte);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_data_or_paths_beside_the_file() {
        let file = |path: &str| Ok(Uri::File(path.into()));
        let data = |bytes: &[u8]| Ok(Uri::Data(bytes.into()));
        let cases = [
            ("a.bin", file("a.bin")),
            ("my%20textures/a%2Bb.png", file("my textures/a+b.png")),
            ("..\\x.bin", file("../x.bin")),
            ("100%.bin", file("100%.bin")),
            ("%E4%B8%80.bin", file("一.bin")),
            ("data:application/octet-stream;base64,AAEC/w==", data(&[0, 1, 2, 255])),
            ("data:;base64,AAEC_w", data(&[0, 1, 2, 255])),
            ("data:;base64,AA%2F/", data(&[0, 15, 255])),
            ("data:text/plain,a%20b", data(b"a b")),
        ];
        for (uri, expected) in cases {
            assert_eq!(parse(uri), expected, "{uri}");
        }
        for uri in ["", "/etc/x", "C:/x", "http://x/y", "data:base64", "data:;base64,A!", "%FF.bin", "a%00b"] {
            assert!(parse(uri).is_err(), "{uri}");
        }
    }
}
