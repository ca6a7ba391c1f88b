//! The container: finds the JSON and the binary chunk of a .glb file, or the JSON of a .gltf file.

use crate::import::error::Fault;
use crate::import::report::Report;

/// The parts of a file.
pub struct Container<'a> {
    /// The JSON text.
    pub json: &'a [u8],
    /// The binary chunk of a .glb: the data of buffer 0 if that has no URI.
    pub binary: Option<&'a [u8]>,
}

const MAGIC: &[u8] = b"glTF";
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;
const BYTE_ORDER_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];

/// Returns true if the bytes begin like a binary or text glTF file.
pub fn looks_like_gltf(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || text(bytes).trim_ascii_start().starts_with(b"{")
}

/// Splits a file into its parts (glTF 2.0, section 4.4).
pub fn split<'a>(bytes: &'a [u8], report: &mut Report) -> Result<Container<'a>, Fault> {
    if bytes.is_empty() {
        return Err(Fault::Empty);
    }
    match bytes.starts_with(MAGIC) {
        true => split_binary(bytes, report),
        false if looks_like_gltf(bytes) => Ok(Container { json: text(bytes), binary: None }),
        false => Err(Fault::Foreign),
    }
}

fn text(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

fn split_binary<'a>(bytes: &'a [u8], report: &mut Report) -> Result<Container<'a>, Fault> {
    let fault = |offset: usize, reason: String| Fault::Container { offset, reason };
    let version = word(bytes, 4)?;
    if version != 2 {
        return Err(fault(4, format!("version {version} of binary glTF is not supported; only 2 is")));
    }
    let (length, found) = (word(bytes, 8)? as usize, bytes.len());
    let whole = bytes.get(..length).filter(|_| length >= 12);
    let bytes =
        whole.ok_or_else(|| fault(8, format!("the header says {length} bytes, the file has {}", bytes.len())))?;
    if length < found {
        report.add(
            "file",
            format_args!("{} bytes after the end that its header gives; ignored", found.saturating_sub(length)),
        );
    }
    let (mut offset, mut json, mut binary) = (12_usize, None, None);
    while offset < bytes.len() {
        let size = word(bytes, offset)? as usize;
        let kind = word(bytes, offset.saturating_add(4))?;
        let start = offset.saturating_add(8);
        let end = start.saturating_add(size);
        let left = bytes.len().saturating_sub(start);
        let chunk = bytes.get(start..end);
        let chunk = chunk.ok_or_else(|| fault(offset, format!("a chunk of {size} bytes, but {left} are left")))?;
        match kind {
            JSON_CHUNK if json.is_none() => json = Some(chunk),
            BINARY_CHUNK if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        offset = end;
    }
    let json = json.ok_or_else(|| fault(12, "no JSON chunk".into()))?;
    Ok(Container { json, binary })
}

fn word(bytes: &[u8], offset: usize) -> Result<u32, Fault> {
    let four = bytes.get(offset..).and_then(|rest| rest.first_chunk::<4>());
    let left = bytes.len().saturating_sub(offset);
    let reason = || format!("unexpected end of file: {left} bytes left, 4 needed");
    four.map(|four| u32::from_le_bytes(*four)).ok_or_else(|| Fault::Container { offset, reason: reason() })
}
