//! MTL files: colours, opacity, emission, metalness and roughness, and the textures of colour, emission and normals.

use std::collections::{HashMap, HashSet};

use glam::Vec2;

use crate::assets::material::{Material, UvTransform, Wrap};
use crate::assets::printable::printable;
use crate::import::assembly::budget::Budget;
use crate::import::assembly::names::{Names, shortened};
use crate::import::assembly::opacity::alpha_mode;
use crate::import::assembly::text::decoded;
use crate::import::assembly::textures::{Textures, find};
use crate::import::obj::lines::{Line, lines};
use crate::import::report::Report;
use crate::import::{ReadFile, stem};

/// Maximum number of material files: a missing one is looked for in several places.
const MAX_LIBRARIES: usize = 256;
/// Maximum number of files in a line.
const MAX_NAMES: usize = 16;
/// About what a material costs before a mesh uses it.
const BYTES_PER_MATERIAL: usize = 768;

/// The materials that meshes use, in the order of their first use.
pub struct Materials<'m, 'r> {
    pub all: Vec<Material>,
    pub textures: Textures<String>,
    /// Materials of the files, by name, with the paths of their textures.
    defined: HashMap<String, Definition>,
    used: HashMap<String, usize>,
    names: Names,
    media_folder: String,
    read: &'m mut ReadFile<'r>,
}

/// A material of a file.
#[derive(Clone, Default)]
struct Definition {
    material: Material,
    color: Option<String>,
    emission: Option<String>,
    normals: Option<String>,
    opacity: Option<String>,
    /// Whether a line `d` says the opacity; programs don't agree about `Tr`.
    has_opacity: bool,
}

impl<'m, 'r> Materials<'m, 'r> {
    /// Reads the files with materials. One that is missing is reported.
    pub fn read(
        libraries: &[String],
        name: &str,
        read: &'m mut ReadFile<'r>,
        report: &mut Report,
    ) -> Materials<'m, 'r> {
        let mut defined = HashMap::new();
        let mut known = HashSet::new();
        for library in libraries.iter().filter(|library| known.insert(*library)).take(MAX_LIBRARIES) {
            let words: Vec<&str> = library.split_whitespace().take(MAX_NAMES).collect();
            // A name with spaces, or several names.
            let mut files = vec![(library.as_str(), find(read, library, ""))];
            if files.iter().all(|(_, found)| found.is_err()) && words.len() > 1 {
                let several: Vec<_> = words.iter().map(|word| (*word, find(read, word, ""))).collect();
                if several.iter().any(|(_, found)| found.is_ok()) {
                    files = several;
                }
            }
            for (library, found) in files {
                match found {
                    Ok(bytes) => define(&decoded(&bytes, library, report), library, &mut defined, report),
                    Err(reason) => report.add("mtllib", format_args!("{reason}; its materials are plain")),
                }
            }
        }
        let (names, media_folder) = (Names::of("material"), format!("{}_textures", stem(name)));
        let (all, textures, used) = (Vec::new(), Textures::default(), HashMap::new());
        Materials { all, textures, defined, used, names, media_folder, read }
    }

    /// Returns the index of a material by its name, empty for the default one.
    pub fn find(&mut self, name: &str, report: &mut Report) -> usize {
        if let Some(known) = self.used.get(name) {
            return *known;
        }
        let Definition { mut material, color, emission, normals, opacity, .. } =
            self.defined.get(name).cloned().unwrap_or_default();
        if material.base_color[3] == 0.0 {
            report.add(format_args!("material {}", printable(name)), "opacity 0; drawn opaque");
            material.base_color[3] = 1.0;
        }
        material.name = self.names.take_quietly(if name.is_empty() { "default" } else { name });
        let is_of_color = opacity.map(|opacity| Some(opacity) == color);
        material.alpha_mode = alpha_mode(material.base_color[3], is_of_color, report);
        material.texture = color.map(|path| self.texture(path, report));
        // Maya writes black beside every texture.
        if material.texture.is_some_and(|texture| self.textures.found(texture).is_some())
            && let [0.0, 0.0, 0.0, alpha] = material.base_color
        {
            material.base_color = [1.0, 1.0, 1.0, alpha];
        }
        if let Some(path) = emission {
            material.emissive_texture = self.map(path, report);
            // All would glow.
            if material.emissive_texture.is_none() {
                material.emissive = [0.0; 3];
            }
        }
        material.normal_texture = normals.and_then(|path| self.map(path, report));
        let index = self.all.len();
        self.all.push(material);
        self.used.insert(name.to_owned(), index);
        index
    }

    /// A texture that is needed for what it says; none if it is missing.
    fn map(&mut self, path: String, report: &mut Report) -> Option<usize> {
        let texture = self.texture(path, report);
        self.textures.found(texture)
    }

    fn texture(&mut self, path: String, report: &mut Report) -> usize {
        if let Some(known) = self.textures.known(&path) {
            return known;
        }
        let found = find(self.read, &path, &self.media_folder);
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        let place = format!("texture {name}");
        self.textures.add(path, (&name, &place), found.as_deref().map_err(String::clone), report)
    }
}

/// Reads the materials of a file. `library` is its path.
fn define(text: &str, library: &str, into: &mut HashMap<String, Definition>, report: &mut Report) {
    let folder = library.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let (mut current, mut budget): (Option<(String, Definition)>, _) = (None, Budget::of(text.len()));
    for line in lines(text) {
        if line.keyword == "newmtl" {
            // The paths of four textures begin with the folder.
            if !budget.take(BYTES_PER_MATERIAL.saturating_add(folder.len().saturating_mul(4))) {
                report.add(library, "too many materials; the others are plain");
                break;
            }
            into.extend(current.replace((shortened(&line.rest).into_owned(), Definition::default())));
            continue;
        }
        let Some((_, definition)) = &mut current else { continue };
        set(definition, &line, &folder, report);
    }
    into.extend(current);
}

fn set(definition: &mut Definition, line: &Line<'_>, folder: &str, report: &mut Report) {
    let material = &mut definition.material;
    let place = || format!("material file, line {}", line.number);
    // Green and blue are as red if they are left out.
    let color = || match line.numbers::<3>(1).ok()? {
        (color, 3) => Some(color),
        ([grey, ..], 1) => Some([grey; 3]),
        _ => None,
    };
    let part = || line.numbers::<1>(1).ok().map(|([part], _)| part.clamp(0.0, 1.0));
    let options = || Map::read(&line.rest);
    let map = || Some(options().path).filter(|path| !path.is_empty()).map(|path| format!("{folder}{path}"));
    let is_read = match &*line.keyword.to_ascii_lowercase() {
        "kd" => color().map(|color| {
            let [red, green, blue] = color.map(|part| part.clamp(0.0, 1.0));
            material.base_color = [red, green, blue, material.base_color[3]];
        }),
        "ke" => color().map(|color| material.emissive = color.map(|part| part.clamp(0.0, Material::MAX_EMISSION))),
        "d" => part().map(|opacity| {
            material.base_color[3] = opacity;
            definition.has_opacity = true;
        }),
        "tr" if definition.has_opacity => Some(()),
        "tr" => part().map(|transparency| material.base_color[3] = opposite(transparency)),
        "pm" => part().map(|metallic| material.metallic = metallic),
        "pr" => part().map(|roughness| material.roughness = roughness),
        "map_kd" => map().map(|path| {
            definition.color = Some(path);
            let Map { is_clamped, offset, scale, .. } = options();
            material.wrap = if is_clamped { [Wrap::Clamp; 2] } else { [Wrap::Repeat; 2] };
            material.uv_transform = UvTransform::from_bottom(offset, scale);
        }),
        "map_d" => map().map(|path| definition.opacity = Some(path)),
        "map_ke" => map().map(|path| {
            definition.emission = Some(path);
            if material.emissive == [0.0; 3] {
                material.emissive = [1.0; 3];
            }
        }),
        "norm" => map().map(|path| definition.normals = Some(path)),
        "map_bump" | "bump" => {
            report.not_imported("bump maps");
            Some(())
        }
        "map_pr" | "map_pm" | "map_ks" | "map_ns" | "refl" => {
            report.not_imported("maps of metalness, roughness and reflection");
            Some(())
        }
        _ => Some(()),
    };
    if is_read.is_none() {
        report.add(place(), format_args!("the value of {} is invalid; ignored", printable(&line.keyword)));
    }
}

#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn opposite(part: f32) -> f32 {
    1.0 - part
}

/// A texture of a line, with the options before its path, such as `-s 1 1 1`.
struct Map {
    path: String,
    is_clamped: bool,
    offset: Vec2,
    scale: Vec2,
}

impl Map {
    fn read(rest: &str) -> Map {
        let mut map = Map { path: String::new(), is_clamped: false, offset: Vec2::ZERO, scale: Vec2::ONE };
        let mut words = rest.split_whitespace().peekable();
        while let Some(option) = words.next_if(|word| word.starts_with('-')) {
            if !matches!(option, "-o" | "-s" | "-t" | "-mm") {
                map.is_clamped |= words.next() == Some("on") && option == "-clamp";
                continue;
            }
            let number = |word: &&str| word.parse::<f32>().is_ok_and(f32::is_finite);
            for at in 0..if option == "-mm" { 2 } else { 3 } {
                let Some(number) = words.next_if(number).and_then(|word| word.parse().ok()) else { break };
                match (option, at) {
                    ("-o", 0) => map.offset.x = number,
                    ("-o", 1) => map.offset.y = number,
                    ("-s", 0) => map.scale.x = number,
                    ("-s", 1) => map.scale.y = number,
                    _ => {}
                }
            }
        }
        map.path = words.collect::<Vec<_>>().join(" ").replace('\\', "/");
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_texture_follows_its_options() {
        let paths = [
            ("wood.png", "wood.png"),
            ("-s 2 2 1 -o 0.5 my wood.png", "my wood.png"),
            ("-bm 1.0 -clamp on textures\\a.tga", "textures/a.tga"),
            ("-blendu on", ""),
        ];
        for (rest, path) in paths {
            assert_eq!(Map::read(rest).path, path, "{rest}");
        }
        let Map { is_clamped, offset, scale, .. } = Map::read("-clamp on -s 2 3 1 -o .5 a.png");
        assert_eq!((is_clamped, offset, scale), (true, Vec2::new(0.5, 0.0), Vec2::new(2.0, 3.0)));
    }
}
