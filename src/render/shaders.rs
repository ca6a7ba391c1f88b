//! The texts of all shaders: included at build, replaceable by what the app reads from disk. No GL, no files.

/// The name and text of every shader file. Programs find theirs by name.
#[derive(Clone, Debug)]
pub struct Shaders {
    files: Vec<(&'static str, String)>,
}

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../shaders/", $name)))),*]
    };
}

const BUILT_IN: [(&str, &str); 12] = built_in![
    "background.frag",
    "background.vert",
    "depth.frag",
    "flat.frag",
    "flat.vert",
    "ground.frag",
    "ground.vert",
    "line.frag",
    "line.vert",
    "mesh.frag",
    "mesh.vert",
    "none.frag",
];

impl Default for Shaders {
    /// As they were built.
    fn default() -> Shaders {
        Shaders { files: BUILT_IN.map(|(name, text)| (name, text.to_owned())).to_vec() }
    }
}

impl Shaders {
    /// The names of all files, for reading them from disk.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// Takes another text for a file; false where there is no file of that name.
    pub fn replace(&mut self, name: &str, text: String) -> bool {
        let found = self.files.iter_mut().find(|(known, _)| *known == name);
        found.map(|(_, known)| *known = text).is_some()
    }

    /// The text of a file; empty for a name that is not there, which then fails to compile by name.
    pub fn text(&self, name: &str) -> &str {
        self.files.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
    }
}
