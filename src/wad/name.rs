//! Names of lumps: which are possible, and short unique ones for display names that are not.

use std::collections::BTreeSet;

use xxhash_rust::xxh3::xxh3_64;

use crate::wad::kind::Kind;

/// The longest name of a lump in bytes of UTF-8.
pub const MAX_BYTES: usize = 79;

/// Why a name can't be that of a lump; `None` where it can.
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

/// The names that are taken, by kind.
#[derive(Default)]
pub(super) struct Names {
    taken: BTreeSet<(Kind, String)>,
}

impl Names {
    /// `owner/name` where that is possible and free; else its beginning with a number made from the whole, so that the
    /// same display name gets the same lump wherever it stands in a list.
    pub fn unique(&mut self, kind: Kind, owner: &str, name: &str) -> String {
        let wanted = if owner.is_empty() { name.to_owned() } else { format!("{owner}/{name}") };
        if fault_of(&wanted).is_none() && self.taken.insert((kind, wanted.clone())) {
            return wanted;
        }
        let stem = shortened(&wanted, MAX_BYTES.saturating_sub(13));
        (0_u64..)
            .map(|salt| {
                let digest = xxh3_64(format!("{salt}/{wanted}").as_bytes());
                format!("{stem}~{:012x}", digest >> 16)
            })
            .find(|name| self.taken.insert((kind, name.clone())))
            .unwrap_or_default()
    }
}

/// The beginning of a text without what a lump's name can't have.
fn shortened(text: &str, most_bytes: usize) -> String {
    let mut out = String::new();
    for letter in text.chars().map(|letter| if letter.is_control() || letter == '.' { '_' } else { letter }) {
        if out.len().saturating_add(letter.len_utf8()) > most_bytes {
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
