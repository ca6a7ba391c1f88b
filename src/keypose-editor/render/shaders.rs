//! The sources of all shaders: built in, replaceable by files that the app reads. No GL and no file access.

/// The name and source of every shader file.
#[derive(Clone, Debug)]
pub struct Shaders {
    files: Vec<(&'static str, String)>,
    /// Whether meshes have no surfaces that light falls on.
    pub(super) is_unlit: bool,
}

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../shaders/", $name)))),*]
    };
}

const BUILT_IN: [(&str, &str); 16] = built_in![
    "background.frag",
    "background.vert",
    "crowd.vert",
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
    "panel.frag",
    "panel.vert",
    "present.frag",
];

impl Default for Shaders {
    /// The built-in sources.
    fn default() -> Shaders {
        Shaders { files: BUILT_IN.map(|(name, text)| (name, text.to_owned())).to_vec(), is_unlit: false }
    }
}

impl Shaders {
    /// The built-in sources for meshes with the surfaces `Unlit`, `Silhouette` and `Geometry` alone. Software drivers compute all surfaces
    /// of a shader for each pixel and choose one of them, so that these take a fraction of the time.
    pub fn unlit() -> Shaders {
        Shaders { is_unlit: true, ..Shaders::default() }
    }

    /// The names of all files.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// Replaces the source of a file. Returns false if no file has that name.
    pub fn replace(&mut self, name: &str, text: String) -> bool {
        let found = self.files.iter_mut().find(|(known, _)| *known == name);
        found.map(|(_, known)| *known = text).is_some()
    }

    /// The source of a file, or an empty text for an unknown name, which then fails to compile.
    pub fn text(&self, name: &str) -> &str {
        self.files.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
    }
}
