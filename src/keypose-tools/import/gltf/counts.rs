//! Estimates the memory of JSON before it is parsed: an empty material is two letters of text and a kilobyte in memory.

use crate::import::error::Fault;

/// Bytes in memory of an object or a list that the format knows: it has fields, and the names of its members are not kept.
const KNOWN_BYTES: usize = 200;
/// Bytes of an element of a list such as nodes or materials, with the value that it is converted to.
const ELEMENT_BYTES: usize = 2000;
/// The lists whose elements are smaller: a clip has hundreds of accessors.
const SMALL_ELEMENTS: [&[u8]; 2] = [b"accessors", b"bufferViews"];
/// The member whose values can have any form.
const EXTENSIONS: &[u8] = b"extensions";
/// Bytes of an object or a list in extensions, where values are maps and lists.
const ANY_BYTES: usize = 660;
/// Bytes of the name of a member in extensions.
const NAME_BYTES: usize = 150;
/// Bytes of a value behind a comma.
const VALUE_BYTES: usize = 64;

/// Bytes that every file may take.
const FREE_BYTES: usize = 200 << 20;
/// Further bytes for each byte of JSON.
const BYTES_PER_BYTE: usize = 16;

/// Refuses JSON that would take far more memory than its size, and JSON that is no object: a list would be read as one, by the
/// order of its members.
pub fn check(json: &[u8]) -> Result<(), Fault> {
    if json.trim_ascii_start().first() != Some(&b'{') {
        return Err(Fault::at("JSON", "it is not an object"));
    }
    require_room(json, memory(json, usize::MAX))
}

/// Refuses JSON that would take too much memory as maps and lists.
pub fn check_as_values(json: &[u8]) -> Result<(), Fault> {
    require_room(json, memory(json, 0))
}

fn require_room(json: &[u8], memory: usize) -> Result<(), Fault> {
    if memory > FREE_BYTES.saturating_add(json.len().saturating_mul(BYTES_PER_BYTE)) {
        return Err(Fault::at("JSON", "far too many objects, lists and values for its size"));
    }
    Ok(())
}

/// Estimates the memory of objects, lists and values outside of texts. Those at `any_depth` and deeper are maps and lists, as are
/// those in extensions.
fn memory(json: &[u8], any_depth: usize) -> usize {
    let (mut bytes, mut depth, mut any_from) = (0_usize, 0_usize, any_depth);
    let (mut name, mut element_bytes): (&[u8], _) = (&[], ELEMENT_BYTES);
    let mut rest = json;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        let is_any = depth >= any_from;
        let added = match byte {
            b'"' => {
                (name, rest) = text(after);
                0
            }
            b'{' | b'[' => {
                let known = if depth == 2 { element_bytes } else { KNOWN_BYTES };
                depth = depth.saturating_add(1);
                if is_any { ANY_BYTES.max(known) } else { known }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth < any_from {
                    any_from = any_depth;
                }
                0
            }
            b':' => {
                // An escaped name may be any.
                if name == EXTENSIONS || name.contains(&b'\\') {
                    any_from = any_from.min(depth);
                }
                if depth == 1 {
                    let is_small = name == EXTENSIONS || SMALL_ELEMENTS.contains(&name);
                    element_bytes = if is_small { KNOWN_BYTES } else { ELEMENT_BYTES };
                }
                if is_any { NAME_BYTES } else { 0 }
            }
            b',' => {
                if depth == any_from {
                    any_from = any_depth;
                }
                VALUE_BYTES
            }
            _ => 0,
        };
        bytes = bytes.saturating_add(added);
    }
    bytes
}

/// Splits JSON at a closing quote: the text with its escapes, and the rest.
fn text(json: &[u8]) -> (&[u8], &[u8]) {
    let mut is_escaped = false;
    let is_end = |byte: &u8| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    };
    let end = json.iter().position(is_end).unwrap_or(json.len());
    let (text, rest) = json.split_at_checked(end).unwrap_or((json, &[]));
    (text, rest.get(1..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(json: &str) -> bool {
        check(json.as_bytes()).is_err_and(|error| error.to_string().contains("objects, lists and values"))
    }

    #[test]
    fn too_many_elements_are_refused() {
        let json = |name: &str, count: usize| format!(r#"{{"asset":{{}},"{name}":[{}{{}}]}}"#, "{},".repeat(count - 1));
        assert!(!refused(&json("nodes", 65_536)) && !refused(&json("accessors", 300_000)));
        // Also if the list is cut off, comes twice, or has an escaped name.
        let materials = json("materials", 150_000);
        let cut = materials.replace("]}", "");
        let twice = materials.replacen("asset\":{}", "materials\":[]", 1);
        let escaped = json(r"mat\u0065rials", 150_000);
        for text in [materials, cut, twice, escaped] {
            assert!(refused(&text));
        }
    }

    #[test]
    fn other_values_than_objects_are_refused() {
        for other in ["[]", "[[],[],{\"version\":\"2.0\"}]", "3", ""] {
            assert!(check(other.as_bytes()).is_err_and(|error| error.to_string().contains("not an object")), "{other}");
        }
    }

    #[test]
    fn values_in_extensions_are_maps_and_lists() {
        let with = |count: usize| format!(r#"{{"extensions":{{"X":["[{{\\\"",{}{{}}]}}}}"#, r#"{"":0},"#.repeat(count));
        assert_eq!(memory(with(10).as_bytes(), 0), 14 * ANY_BYTES + 11 * VALUE_BYTES + 12 * NAME_BYTES);
        let typed = KNOWN_BYTES + 13 * ANY_BYTES + 11 * (VALUE_BYTES + NAME_BYTES);
        assert_eq!(memory(with(10).as_bytes(), usize::MAX), typed);
        let counted = |json: &str| memory(json.as_bytes(), usize::MAX);
        let before = counted(r#"{"extensions":{"A":0},"b":{"a":{}}}"#);
        assert_eq!(before, counted(r#"{"b":{"a":{}},"extensions":{"A":0}}"#));
        assert_eq!(before, KNOWN_BYTES * 2 + ELEMENT_BYTES + VALUE_BYTES + ANY_BYTES + NAME_BYTES);
    }

    #[test]
    fn many_small_values_in_extensions_are_refused() {
        let objects = |count: usize| format!(r#"{{"extensions":{{"X":[{}{{}}]}}}}"#, r#"{"":0},"#.repeat(count));
        let numbers = |count: usize| format!(r#"{{"extensions":{{"X":[{}0]}}}}"#, "0,".repeat(count));
        let members = |count: usize| format!(r#"{{"extensions":{{"X":{{{}"":0}}}}}}"#, r#""":0,"#.repeat(count));
        for text in [objects(200_000), numbers(1_000_000), members(1_000_000)] {
            assert!(!refused(&text));
        }
        let escaped = members(2_000_000).replace("tensions", r"tens\u0069ons");
        for text in [objects(600_000), numbers(10_000_000), members(2_000_000), escaped] {
            assert!(refused(&text));
        }
    }

    /// A channel of an animation with its sampler and accessor, as short as exporters write them.
    #[test]
    fn clips_of_many_channels_are_not_too_many_objects() {
        let channels = r#"{"sampler":0,"target":{"node":0,"path":"scale"}},"#.repeat(150_000);
        let samplers = r#"{"input":0,"output":1},"#.repeat(150_000);
        let accessors = r#"{"bufferView":3,"componentType":5126,"count":30,"type":"VEC3"},"#.repeat(150_000);
        let clip =
            format!(r#""animations":[{{"channels":[{channels}],"samplers":[{samplers}]}}],"accessors":[{accessors}]"#);
        let json = format!("{{{clip}}}");
        assert!(check(json.as_bytes()).is_ok() && check_as_values(json.as_bytes()).is_err());
    }
}
