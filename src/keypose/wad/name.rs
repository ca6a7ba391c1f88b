//! Names of lumps: which are valid, and short unique names for display names that are not.

use std::collections::{BTreeMap, BTreeSet};

use xxhash_rust::xxh3::xxh3_64;

use crate::wad::kind::Kind;

/// The maximum length of a lump name in bytes of UTF-8.
pub const MAX_BYTES: usize = 79;

/// Why a name is not valid; `None` if it is.
pub fn fault_of(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("the name is empty")
    } else if name.len() > MAX_BYTES {
        Some("the name is longer than 79 bytes")
    } else if name.chars().any(char::is_control) {
        Some("the name has a control character")
    } else if name.contains("..") {
        Some("the name has two dots in a row")
    } else {
        None
    }
}

/// The names that are already used, by kind.
#[derive(Default)]
pub(super) struct Names {
    used: BTreeSet<(Kind, String)>,
    /// How often a name was shortened, so that many equal ones take time in proportion to their number.
    salts: BTreeMap<(Kind, String), u64>,
}

impl Names {
    /// `owner/name` if it is valid and not used; otherwise its beginning and a hash of the whole, so that the lump name of a
    /// display name does not depend on its index in a list.
    pub fn unique(&mut self, kind: Kind, owner: &str, name: &str) -> String {
        let wanted = if owner.is_empty() { name.to_owned() } else { format!("{owner}/{name}") };
        if fault_of(&wanted).is_none() && self.used.insert((kind, wanted.clone())) {
            return wanted;
        }
        let stem = shortened(&wanted, MAX_BYTES.saturating_sub(13));
        let salt = self.salts.entry((kind, wanted.clone())).or_default();
        loop {
            let digest = xxh3_64(format!("{salt}/{wanted}").as_bytes());
            *salt = salt.saturating_add(1);
            let name = format!("{stem}~{:012x}", digest >> 16);
            if self.used.insert((kind, name.clone())) {
                return name;
            }
        }
    }
}

/// The beginning of a text, with characters that are not valid in a lump name replaced.
fn shortened(text: &str, max_bytes: usize) -> String {
    let mut out = String::new();
    for letter in text.chars().map(|letter| if letter.is_control() || letter == '.' { '_' } else { letter }) {
        if out.len().saturating_add(letter.len_utf8()) > max_bytes {
            break;
        }
        out.push(letter);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_bad_and_repeated_names_get_short_unique_ones() {
        let mut names = Names::default();
        let long = "ü".repeat(60);
        let cases = ["walk", "walk", &long, &long, "a\nb", "a..b", "../../etc/passwd"];
        let got: Vec<String> = cases.iter().map(|name| names.unique(Kind::CLIP, "knight", name)).collect();
        assert_eq!(got[0], "knight/walk");
        assert!(got.iter().all(|name| fault_of(name).is_none()), "{got:?}");
        assert_eq!(got.iter().collect::<BTreeSet<_>>().len(), cases.len(), "{got:?}");
    }

    #[test]
    fn a_short_name_does_not_depend_on_its_neighbours() {
        let long = "x".repeat(100);
        let alone = Names::default().unique(Kind::CLIP, "knight", &long);
        let mut names = Names::default();
        names.unique(Kind::CLIP, "knight", "idle");
        assert_eq!(names.unique(Kind::CLIP, "knight", &long), alone);
    }
}
