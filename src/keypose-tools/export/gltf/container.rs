//! The binary container: a header, the JSON and the buffer (glTF 2.0, section 4.4).

use serde_json::Value;

use crate::export::ExportError;

const MAGIC: &[u8; 4] = b"glTF";
const VERSION: u32 = 2;
const JSON: &[u8; 4] = b"JSON";
const BINARY: &[u8; 4] = b"BIN\0";
/// Lengths of chunks are multiples of this.
const ALIGNMENT: usize = 4;

/// Joins a document and its buffer. Without a buffer there is no second chunk.
pub fn join(json: &Value, binary: Vec<u8>) -> Result<Vec<u8>, ExportError> {
    let text = serde_json::to_vec(json);
    let mut text = text.map_err(|error| ExportError::Encoder { format: "glTF", reason: error.to_string() })?;
    let mut binary = binary;
    pad(&mut text, b' ');
    pad(&mut binary, 0);
    let chunks = if binary.is_empty() { 1 } else { 2 };
    let length = 12 + 8 * chunks + text.len() + binary.len();
    let too_large = |_| ExportError::FileTooLarge { bytes: length };
    let total = u32::try_from(length).map_err(too_large)?;
    let mut bytes = Vec::with_capacity(length);
    bytes.extend_from_slice(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(total.to_le_bytes());
    for (kind, content) in [(JSON, text), (BINARY, binary)].into_iter().take(chunks) {
        // Smaller than the whole, which fits.
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend_from_slice(kind);
        bytes.extend(content);
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

fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), with);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_generator_is_found_behind_any_number_of_accessors() {
        let accessors = vec![json!({ "componentType": 5126 }); 100_000];
        let bytes = join(&json!({ "accessors": accessors, "asset": { "generator": "Keypose 1" } }), vec![1]).unwrap();
        assert_eq!(generator_of(&bytes).as_deref(), Some("Keypose 1"));
        assert_eq!(generator_of(&bytes[..bytes.len() / 2]), None);
        let other = json!({ "asset": {}, "extras": { "generator": "Keypose 1" } });
        assert_eq!(generator_of(&join(&other, Vec::new()).unwrap()), None);
    }
}
