//! Names of clips: without the names of objects that exporters put before them, as in `Armature|Walk`, which become tags.

use std::collections::HashSet;

/// Names that programs give to all clips.
const GENERIC: [&str; 3] = ["mixamo.com", "take 001", "unreal take"];
/// Names of the only layer, which exporters put behind the name of a clip.
const LAYERS: [&str; 3] = ["BaseLayer", "Base Layer", "Layer0"];

/// A name without its prefix, and the prefix.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipName {
    /// `None` for a clip without a name.
    pub name: Option<String>,
    /// The removed prefix, without spaces.
    pub tag: Option<String>,
}

/// A prefix and the name after it.
type Split = Option<(String, String)>;

/// The names of all clips of a file. A prefix is removed if it is the name of an object, or if all clips have it; unless two clips
/// would then have the same name. The only clip has the name of the file, `stem`, if its own says nothing.
pub fn clip_names(raw: &[Option<&str>], is_object: impl Fn(&str) -> bool, stem: &str) -> Vec<ClipName> {
    let raw: &[Option<&str>] = &raw.iter().map(|name| name.map(without_layer)).collect::<Vec<_>>();
    let split = |name: &'_ Option<&str>| -> Split {
        let (prefix, own) = (*name)?.split_once('|')?;
        (!own.trim().is_empty()).then(|| (prefix.to_owned(), own.to_owned()))
    };
    let parts: Vec<Split> = raw.iter().map(split).collect();
    let first = parts.first().and_then(|part| part.as_ref().map(|(prefix, _)| prefix.as_str()));
    let is_shared = raw.len() > 1 && parts.iter().all(|part| part.as_ref().map(|(prefix, _)| prefix.as_str()) == first);
    let own = |(name, part): (&Option<&str>, &Split)| match part {
        Some((prefix, own)) if is_shared || is_object(prefix) => Some(own.clone()),
        _ => name.map(str::to_owned),
    };
    let names: Vec<Option<String>> = raw.iter().zip(&parts).map(own).collect();
    let mut seen = HashSet::new();
    let is_clear = names.iter().flatten().all(|name| seen.insert(name.as_str()));
    let of = |((name, raw), part): ((Option<String>, &Option<&str>), &Split)| {
        let name = if is_clear { name } else { raw.map(str::to_owned) };
        let is_cut = name.as_deref() != *raw;
        let tag =
            part.as_ref().filter(|_| is_cut).map(|(prefix, _)| prefix.split_whitespace().collect::<Vec<_>>().join("_"));
        ClipName { name, tag: tag.filter(|tag| !tag.is_empty()) }
    };
    let mut all: Vec<ClipName> = names.clone().into_iter().zip(raw).zip(&parts).map(of).collect();
    if let [only] = &mut all[..] {
        let last = only.name.as_deref().and_then(|name| name.rsplit('|').next()).unwrap_or_default().trim();
        if last.is_empty() || GENERIC.iter().any(|name| last.eq_ignore_ascii_case(name)) {
            only.name = Some(stem.to_owned());
        }
    }
    all
}

fn without_layer(name: &str) -> &str {
    let own = LAYERS.iter().find_map(|layer| name.strip_suffix(layer)?.strip_suffix('|'));
    own.filter(|own| !own.is_empty()).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(raw: &[&str]) -> Vec<(String, String)> {
        let raw: Vec<Option<&str>> = raw.iter().map(|name| Some(*name)).collect();
        let all = clip_names(&raw, |name| name == "Armature", "file");
        all.into_iter().map(|one| (one.name.unwrap_or_default(), one.tag.unwrap_or_default())).collect()
    }

    #[test]
    fn prefixes_are_tags() {
        type Case<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)]);
        let cases: [Case<'_>; 10] = [
            (&["Armature|Walk|BaseLayer", "Armature|Run|BaseLayer"], &[("Walk", "Armature"), ("Run", "Armature")]),
            (&["Armature|Take 001|BaseLayer"], &[("file", "Armature")]),
            (&["Unreal Take"], &[("file", "")]),
            (&["Rig M|Walk", "Rig M|Run"], &[("Walk", "Rig_M"), ("Run", "Rig_M")]),
            (&["Armature|Walk", "Run"], &[("Walk", "Armature"), ("Run", "")]),
            (&["a|Walk"], &[("a|Walk", "")]),
            (&["Armature|Walk", "Walk"], &[("Armature|Walk", ""), ("Walk", "")]),
            (&["Armature|mixamo.com|Layer0"], &[("file", "Armature")]),
            (&["mixamo.com", "mixamo.com"], &[("mixamo.com", ""), ("mixamo.com", "")]),
            (&["Armature|"], &[("file", "")]),
        ];
        for (raw, expected) in cases {
            let expected: Vec<_> = expected.iter().map(|(name, tag)| ((*name).to_owned(), (*tag).to_owned())).collect();
            assert_eq!(names(raw), expected, "{raw:?}");
        }
        assert_eq!(clip_names(&[None], |_| false, "file")[0].name.as_deref(), Some("file"));
        assert_eq!(clip_names(&[None, None], |_| false, "file")[1].name, None);
    }
}
