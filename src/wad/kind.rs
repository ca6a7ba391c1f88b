//! The kind of a lump: four characters; lower case first says that a reader may ignore what it does not know.

use std::fmt;

/// Four ASCII letters or digits, the first a letter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(pub [u8; 4]);

#[allow(missing_docs)]
impl Kind {
    pub const MODEL: Kind = Kind(*b"MODL");
    pub const SKELETON: Kind = Kind(*b"SKEL");
    pub const SKIN: Kind = Kind(*b"SKIN");
    pub const MESH: Kind = Kind(*b"MESH");
    pub const MATERIAL: Kind = Kind(*b"MATL");
    pub const TEXTURE: Kind = Kind(*b"TEXR");
    pub const CLIP: Kind = Kind(*b"ANIM");
    pub const BAKED: Kind = Kind(*b"BAKE");
    pub const MACHINE: Kind = Kind(*b"MACH");
    pub const POSES: Kind = Kind(*b"POSL");
    pub const LEVEL: Kind = Kind(*b"LEVL");
    pub const DRAFTS: Kind = Kind(*b"dRFT");
    pub const CLIP_NOTES: Kind = Kind(*b"cLPN");
    pub const RIG: Kind = Kind(*b"rIGN");
    pub const REFERENCES: Kind = Kind(*b"rEFI");
    /// Pixels of a reference image.
    pub const REFERENCE_IMAGE: Kind = Kind(*b"rIMG");
    pub const SOURCE: Kind = Kind(*b"sRCE");

    /// What a model has once at most, under its own name, and can do without.
    pub const SINGLES: [Kind; 7] =
        [Kind::MACHINE, Kind::POSES, Kind::DRAFTS, Kind::CLIP_NOTES, Kind::RIG, Kind::REFERENCES, Kind::SOURCE];
}

impl Kind {
    /// All that this program knows, with the newest schema version that it reads.
    pub const KNOWN: [(Kind, u16); 17] = [
        (Kind::MODEL, 1),
        (Kind::SKELETON, 1),
        (Kind::SKIN, 1),
        (Kind::MESH, 1),
        (Kind::MATERIAL, 1),
        (Kind::TEXTURE, 1),
        (Kind::CLIP, 1),
        (Kind::BAKED, 3),
        (Kind::MACHINE, 2),
        (Kind::POSES, 1),
        (Kind::LEVEL, 1),
        (Kind::DRAFTS, 1),
        (Kind::CLIP_NOTES, 1),
        (Kind::RIG, 1),
        (Kind::REFERENCES, 1),
        (Kind::REFERENCE_IMAGE, 1),
        (Kind::SOURCE, 1),
    ];

    /// Four ASCII letters or digits, the first a letter.
    pub fn new(letters: [u8; 4]) -> Option<Kind> {
        let good =
            letters.iter().all(u8::is_ascii_alphanumeric) && letters.first().is_some_and(u8::is_ascii_alphabetic);
        good.then_some(Kind(letters))
    }

    /// From its four characters.
    pub fn parse(text: &str) -> Option<Kind> {
        Kind::new(text.as_bytes().try_into().ok()?)
    }

    /// True where a reader that does not know it may go on, and must keep it.
    pub fn is_ancillary(self) -> bool {
        self.0.first().is_some_and(u8::is_ascii_lowercase)
    }

    /// The newest schema version that this program reads; `None` for an unknown kind.
    pub fn newest_version(self) -> Option<u16> {
        Kind::KNOWN.iter().find(|(kind, _)| *kind == self).map(|(_, version)| *version)
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
