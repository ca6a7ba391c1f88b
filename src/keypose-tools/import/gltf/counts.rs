//! How many elements the JSON lists, counted before it is parsed: an empty material is two letters of text and a kilobyte of memory.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::import::error::Fault;

/// Maximum number of elements of a list.
const MAX_ELEMENTS: usize = 65_536;
/// The lists whose elements can be short. Those of accessors and buffer views can't.
const LISTS: [&str; 11] = [
    "animations",
    "buffers",
    "cameras",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "scenes",
    "skins",
    "textures",
];

/// About how many bytes values take in memory.
struct Sizes {
    /// Of an object or a list.
    object: usize,
    /// Of each value behind a comma.
    value: usize,
    /// Of the name of a member.
    name: usize,
}

/// Values that the format knows have fields, and their names are not kept.
const KNOWN: Sizes = Sizes { object: 200, value: 64, name: 0 };
/// Values of any form are maps and lists.
const ANY: Sizes = Sizes { object: 660, value: 64, name: 150 };
/// The members that hold values of any form.
const EXTENSIONS: &[u8] = b"extensions";

/// The bytes that the values of every file may take; further ones are limited by the size of the JSON.
const FREE_BYTES: usize = 200 << 20;
/// Bytes in memory for each byte of JSON.
const BYTES_PER_BYTE: usize = 16;

/// Refuses JSON with too many elements, also if it is invalid behind them, and what is no object: a list would be read as one, by the
/// order of its members.
pub fn check(json: &[u8]) -> Result<(), Fault> {
    if json.trim_ascii_start().first() != Some(&b'{') {
        return Err(Fault::at("JSON", "it is not an object"));
    }
    require_room(json, memory(json, false))?;
    let mut found = Counts::default();
    let _ = serde_json::Deserializer::from_slice(json).deserialize_map(&mut found);
    match found.list.filter(|_| found.count > MAX_ELEMENTS) {
        Some(name) => Err(Fault::at(name, format!("more than {MAX_ELEMENTS} elements"))),
        None => Ok(()),
    }
}

/// Refuses JSON that would take too much memory as values of any form.
pub fn check_as_values(json: &[u8]) -> Result<(), Fault> {
    require_room(json, memory(json, true))
}

fn require_room(json: &[u8], memory: usize) -> Result<(), Fault> {
    if memory > FREE_BYTES.saturating_add(json.len().saturating_mul(BYTES_PER_BYTE)) {
        Err(Fault::at("JSON", "far too many objects, lists and values for its size"))
    } else {
        Ok(())
    }
}

/// About how much memory the objects, lists and values of JSON take: those that begin, and those that a comma separates, outside of texts.
/// Those of extensions, or all, are values of any form.
fn memory(json: &[u8], are_all_any: bool) -> usize {
    let (mut bytes, mut depth, mut any_above) = (0_usize, 0_usize, if are_all_any { 0 } else { usize::MAX });
    // The last text, and whether it is the name of extensions, or could be.
    let (mut text_start, mut is_extensions) = (0, false);
    let (mut is_text, mut is_escaped) = (false, false);
    for (at, byte) in json.iter().enumerate() {
        let sizes = if depth >= any_above { &ANY } else { &KNOWN };
        let added = match byte {
            _ if is_escaped => {
                is_escaped = false;
                0
            }
            b'\\' if is_text => {
                (is_escaped, is_extensions) = (true, true);
                0
            }
            b'"' => {
                is_text = !is_text;
                if is_text {
                    (text_start, is_extensions) = (at.saturating_add(1), false)
                } else {
                    is_extensions |= json.get(text_start..at) == Some(EXTENSIONS)
                }
                0
            }
            b'{' | b'[' if !is_text => {
                depth = depth.saturating_add(1);
                sizes.object
            }
            b'}' | b']' if !is_text => {
                depth = depth.saturating_sub(1);
                any_above = if depth < any_above && !are_all_any { usize::MAX } else { any_above };
                0
            }
            b':' if !is_text => {
                any_above = if is_extensions { any_above.min(depth) } else { any_above };
                sizes.name
            }
            b',' if !is_text => {
                any_above = if depth == any_above && !are_all_any { usize::MAX } else { any_above };
                sizes.value
            }
            _ => 0,
        };
        bytes = bytes.saturating_add(added);
    }
    bytes
}

/// Counts the elements of lists until one has too many.
#[derive(Default)]
struct Counts {
    /// The list that is being read.
    list: Option<&'static str>,
    count: usize,
}

/// Ends the reading.
fn enough<E: Error>() -> E {
    E::custom("too many elements")
}

impl<'de> Visitor<'de> for &mut Counts {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            self.list = LISTS.into_iter().find(|list| *list == key);
            self.count = 0;
            match self.list {
                Some(_) => map.next_value_seed(Elements(&mut self.count))?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
            if self.count > MAX_ELEMENTS {
                return Err(enough());
            }
        }
        Ok(())
    }
}

/// Counts the elements of a value.
struct Elements<'a>(&'a mut usize);

impl<'de> DeserializeSeed<'de> for Elements<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Elements<'_> {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a list")
    }

    // What is no list counts as empty. The reader refuses it, or takes a later member of that name.

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {
            *self.0 = self.0.saturating_add(1);
            if *self.0 > MAX_ELEMENTS {
                return Err(enough());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_elements_are_refused_by_the_name_of_their_list() {
        let json = |name: &str, count: usize| format!(r#"{{"asset":{{}},"{name}":[{}{{}}]}}"#, "{},".repeat(count - 1));
        assert!(check(json("nodes", MAX_ELEMENTS).as_bytes()).is_ok());
        assert!(check(json("accessors", MAX_ELEMENTS + 1).as_bytes()).is_ok());
        let refused = check(json("materials", MAX_ELEMENTS + 1).as_bytes()).unwrap_err().to_string();
        assert!(refused.contains("materials") && refused.contains("65536"), "{refused}");
        // A name twice, or escaped.
        let twice = format!(r#"{{"nodes":[],"nod\u0065s":[{}{{}}]}}"#, "{},".repeat(MAX_ELEMENTS));
        assert!(check(twice.as_bytes()).is_err());
        for other in ["3", "-1.5", "null", "true", "\"a\"", "{\"b\":[{}]}"] {
            let behind = format!(r#"{{"nodes":{other},"nodes":[{}{{}}]}}"#, "{},".repeat(MAX_ELEMENTS));
            assert!(check(behind.as_bytes()).is_err(), "{other}");
        }
        let cut = json("meshes", MAX_ELEMENTS + 1).replace("]}", "");
        assert!(check(cut.as_bytes()).is_err());
        assert!(check(b" {\"nodes\":3").is_ok());
    }

    #[test]
    fn lists_in_place_of_objects_and_many_small_objects_are_refused() {
        for other in ["[]", "[[],[],{\"version\":\"2.0\"}]", "3", ""] {
            assert!(check(other.as_bytes()).is_err_and(|error| error.to_string().contains("not an object")), "{other}");
        }
        let with = |count: usize| format!(r#"{{"extensions":{{"X":["[{{\\\"",{}{{}}]}}}}"#, r#"{"":0},"#.repeat(count));
        let Sizes { object, value, name } = ANY;
        assert_eq!(memory(with(10).as_bytes(), true), 14 * object + 11 * value + 12 * name);
        assert_eq!(memory(with(10).as_bytes(), false), KNOWN.object + 13 * object + 11 * (value + name));
        assert!(check(with(200_000).as_bytes()).is_ok());
        let numbers = |count: usize| format!(r#"{{"extensions":{{"X":[{}0]}}}}"#, "0,".repeat(count));
        assert!(check(numbers(1_000_000).as_bytes()).is_ok());
        let members = |count: usize| format!(r#"{{"extensions":{{"X":{{{}"":0}}}}}}"#, r#""":0,"#.repeat(count));
        assert!(check(members(1_000_000).as_bytes()).is_ok());
        let escaped = members(2_000_000).replace("tensions", r"tens\u0069ons");
        for text in [with(600_000), numbers(10_000_000), members(2_000_000), escaped] {
            let refused = check(text.as_bytes()).unwrap_err().to_string();
            assert!(refused.contains("objects, lists and values"), "{refused}");
        }
    }

    #[test]
    fn only_what_extensions_hold_counts_as_values_of_any_form() {
        let counted = |json: &str| memory(json.as_bytes(), false);
        let (known, any) = (KNOWN.object + KNOWN.value, ANY.object + ANY.name);
        let before = counted(r#"{"extensions":{"A":0},"nodes":[{"a":{}}]}"#);
        assert_eq!(before, known + KNOWN.object * 3 + any);
        assert_eq!(before, counted(r#"{"nodes":[{"a":{}}],"extensions":{"A":0}}"#));
        assert_eq!(
            counted(r#"{"a":{"extensions":{"A":{"extensions":{}}}},"b":{}}"#),
            known + KNOWN.object * 2 + any * 3 - ANY.name
        );
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
