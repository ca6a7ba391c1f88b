//! The kind of a lump: four characters. Which kinds Keypose knows, and what belongs to each, is declared in one table in
//! [`crate::wad::part`].

use std::fmt;

use crate::wad::directory::Codec;

/// Four ASCII letters or digits, the first a letter. A lower-case first letter marks a kind that a reader may skip.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(pub [u8; 4]);

/// The part of a kind in the structure of an archive. Salvage, removal, replay and assembly follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The lists of a model's parts.
    Model,
    /// Every model has exactly one, under the model's lump name.
    Required,
    /// A model has at most one, under the model's lump name.
    Optional,
    /// Named in a list of the model.
    Listed(List),
    /// The pixels of a reference image or the files of its film, named in the model's reference images.
    ReferenceImage,
    /// A level of the archive.
    Level,
    /// A sound of the archive.
    Sound,
    /// Baked from the clip of the same name; a reader can make it again.
    Baked,
}

/// A list of a model that names lumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum List {
    Skins,
    Meshes,
    Materials,
    Textures,
    Clips,
}

impl List {
    /// All lists.
    pub const ALL: [List; 5] = [List::Skins, List::Meshes, List::Materials, List::Textures, List::Clips];

    /// Whether other parts refer to its members by index, so that none can be removed.
    pub fn is_indexed(self) -> bool {
        match self {
            List::Skins | List::Materials | List::Textures => true,
            List::Meshes | List::Clips => false,
        }
    }
}

impl Role {
    /// Whether a model must be checked as a whole again when a lump of this role changes. The others are valid by
    /// themselves.
    pub fn affects_model(self) -> bool {
        match self {
            Role::Model | Role::Required => true,
            Role::Listed(list) => list != List::Clips,
            Role::Optional | Role::ReferenceImage | Role::Level | Role::Sound | Role::Baked => false,
        }
    }
}

/// The regions of a file in the order in which a writer stores them: small and vital lumps come first, so that a truncated
/// copy still has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
    /// Models and skeletons: names, hierarchy, lists.
    Models,
    /// Levels, machines, poses, notes and drafts.
    Small,
    /// Keyframes as they are edited.
    Clips,
    /// Skins and materials, which meshes and textures need.
    Bindings,
    /// Meshes, pixels, samples, and lumps of unknown kinds.
    Bulk,
    /// Baked clips, which a reader can make again.
    Baked,
}

impl Role {
    /// The region in which a writer stores lumps of this role.
    pub fn region(self) -> Region {
        match self {
            Role::Model | Role::Required => Region::Models,
            Role::Optional | Role::Level => Region::Small,
            Role::Listed(List::Clips) => Region::Clips,
            Role::Listed(List::Skins | List::Materials) => Region::Bindings,
            Role::Listed(List::Meshes | List::Textures) | Role::ReferenceImage | Role::Sound => Region::Bulk,
            Role::Baked => Region::Baked,
        }
    }
}

/// A row of the table of known kinds.
#[derive(Clone, Copy, Debug)]
pub struct KindDef {
    /// The four characters.
    pub kind: Kind,
    /// The newest schema version that this program reads.
    pub newest_version: u16,
    /// The part in the structure of an archive.
    pub role: Role,
}

impl Kind {
    /// Four ASCII letters or digits, the first a letter.
    pub fn new(letters: [u8; 4]) -> Option<Kind> {
        let is_valid =
            letters.iter().all(u8::is_ascii_alphanumeric) && letters.first().is_some_and(u8::is_ascii_alphabetic);
        is_valid.then_some(Kind(letters))
    }

    /// From its four characters.
    pub fn parse(text: &str) -> Option<Kind> {
        Kind::new(text.as_bytes().try_into().ok()?)
    }

    /// Whether a reader that does not know the kind may continue. It must keep the lump.
    pub fn is_ancillary(self) -> bool {
        self.0.first().is_some_and(u8::is_ascii_lowercase)
    }

    /// The row of the table; `None` for an unknown kind.
    pub fn def(self) -> Option<&'static KindDef> {
        Kind::KNOWN.iter().find(|def| def.kind == self)
    }

    /// The newest schema version that this program reads; `None` for an unknown kind.
    pub fn newest_version(self) -> Option<u16> {
        self.def().map(|def| def.newest_version)
    }

    /// The part in the structure of an archive; `None` for an unknown kind.
    pub fn role(self) -> Option<Role> {
        self.def().map(|def| def.role)
    }

    /// The region in which a writer stores lumps of this kind.
    pub fn region(self) -> Region {
        self.role().map_or(Region::Bulk, Role::region)
    }

    /// The codec of lumps of this kind, unless a user wants another one.
    pub fn codec(self) -> Codec {
        match self.role() {
            Some(Role::Listed(List::Textures)) => Codec::Pixels,
            Some(Role::ReferenceImage) if self == Kind::REFERENCE_IMAGE => Codec::Pixels,
            Some(Role::Listed(List::Clips | List::Meshes) | Role::Baked) => Codec::Numbers,
            _ => Codec::Store,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&byte| write!(f, "{}", char::from(byte)))
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
