//! The binary container: a header, the JSON and the buffer (glTF 2.0, section 4.4).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::export::ExportError;

const MAGIC: &[u8; 4] = b"glTF";
const VERSION: u32 = 2;
const JSON: &[u8; 4] = b"JSON";
const BINARY: &[u8; 4] = b"BIN\0";
/// Lengths of chunks are multiples of this.
const ALIGNMENT: usize = 4;

/// Joins a document and its buffer. Without a buffer there is no second chunk.
pub fn join(members: BTreeMap<&str, String>, binary: Vec<u8>) -> Result<Vec<u8>, ExportError> {
    // Names of members are plain; each has two quotes, a colon, and a comma or the last bracket.
    let text_length: usize = members.iter().map(|(name, value)| name.len() + value.len() + 4).sum::<usize>() + 1;
    let aligned = |length: usize| length.next_multiple_of(ALIGNMENT);
    let binary_chunk = if binary.is_empty() { 0 } else { 8 + aligned(binary.len()) };
    let length = 12 + 8 + aligned(text_length) + binary_chunk;
    let too_large = |_| ExportError::FileTooLarge { bytes: length };
    let total = u32::try_from(length).map_err(too_large)?;
    let mut bytes = Vec::with_capacity(length);
    bytes.extend_from_slice(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(total.to_le_bytes());
    // Smaller than the whole, which fits.
    bytes.extend((aligned(text_length) as u32).to_le_bytes());
    bytes.extend_from_slice(JSON);
    // Each part is freed when it is copied.
    for (at, (name, value)) in members.into_iter().enumerate() {
        let before = if at == 0 { '{' } else { ',' };
        bytes.extend(format!("{before}\"{name}\":").into_bytes());
        bytes.extend_from_slice(value.as_bytes());
    }
    bytes.push(b'}');
    bytes.resize(aligned(bytes.len()), b' ');
    if !binary.is_empty() {
        bytes.extend((aligned(binary.len()) as u32).to_le_bytes());
        bytes.extend_from_slice(BINARY);
        bytes.extend(binary);
        bytes.resize(length, 0);
    }
    Ok(bytes)
}

/// The name of the program that wrote a binary file; `None` if the file doesn't say.
pub fn generator_of(bytes: &[u8]) -> Option<String> {
    let length = bytes.strip_prefix(MAGIC)?.get(8..12)?.try_into().ok()?;
    let json = bytes.get(20..)?.get(..u32::from_le_bytes(length) as usize)?;
    let document: Value = serde_json::from_slice(json).ok()?;
    document["asset"]["generator"].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_found_behind_any_number_of_accessors() {
        let accessors = format!("[{}0]", "{\"componentType\":5126},".repeat(100_000));
        let own = "{\"generator\":\"Keypose 1\"}";
        let members = |list: [(&'static str, &str); 2]| list.map(|(name, value)| (name, value.to_owned())).into();
        let bytes = join(members([("accessors", &accessors), ("asset", own)]), vec![1]).unwrap();
        assert_eq!(generator_of(&bytes).as_deref(), Some("Keypose 1"));
        assert_eq!(generator_of(&bytes[..bytes.len() / 2]), None);
        let other = members([("asset", "{}"), ("extras", own)]);
        assert_eq!(generator_of(&join(other, Vec::new()).unwrap()), None);
    }
}
