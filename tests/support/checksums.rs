//! Makes the checksums of damaged bytes fit again, as a forger would.

use xxhash_rust::xxh3::xxh3_64;

const HEADER: usize = 64;
const ENTRY: usize = 128;
const TRAILER: usize = 32;

fn number(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).map_or(0, |eight| u64::from_le_bytes(eight.try_into().unwrap()))
}

/// A number of bytes or lumps: what this machine can't address is larger than any file here.
fn size(bytes: &[u8], at: usize) -> usize {
    usize::try_from(number(bytes, at)).unwrap_or(usize::MAX)
}

pub fn put(bytes: &mut [u8], at: usize, value: u64) {
    if let Some(eight) = bytes.get_mut(at..at + 8) {
        eight.copy_from_slice(&value.to_le_bytes());
    }
}

/// Makes every checksum fit whatever stands there, as far as the directory can be followed.
pub fn forge(bytes: &mut [u8]) {
    let entries = size(bytes, 16).min(bytes.len() / ENTRY);
    for entry in 0..entries {
        let at = HEADER + entry * ENTRY;
        let (start, length) = (size(bytes, at + 8), size(bytes, at + 16));
        if let Some(lump) = bytes.get(start..start.saturating_add(length)) {
            let hash = xxh3_64(lump);
            put(bytes, at + 32, hash);
        }
    }
    if let Some(directory) = bytes.get(HEADER..HEADER + entries * ENTRY) {
        let hash = xxh3_64(directory);
        put(bytes, 32, hash);
    }
    if bytes.len() >= HEADER + TRAILER {
        let hash = xxh3_64(&[&bytes[..48], &[0; 8]].concat());
        put(bytes, 56, hash);
        let at = bytes.len() - TRAILER;
        let (length, hash) = (bytes.len() as u64, number(bytes, 56));
        put(bytes, at + 8, length);
        put(bytes, at + 16, hash);
        let id = u64::from_le_bytes(bytes[48..56].try_into().unwrap());
        let hash = xxh3_64(&bytes[at..at + 24]) ^ id;
        put(bytes, at + 24, hash);
    }
}
