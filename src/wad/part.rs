//! The table of lump kinds, and the value of a lump. A new kind is one row of the table `lump_kinds!` and one record module;
//! whatever does not follow from the row fails to compile.
//!
//! Parts stand between lumps and projects. They share what a project shares, so two states of a project are compared
//! without comparing unchanged values. Baked clips are not parts: they are made from parts ([`crate::wad::bakes`]).

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::anim::shared_list::SharedList;
use crate::anim::skeleton::Skeleton;
use crate::anim::skin::Skin;
use crate::assets::bytes::Bytes;
use crate::assets::import_options::ImportOptions;
use crate::assets::machine::AnimationTable;
use crate::assets::material::Material;
use crate::assets::mesh::Mesh;
use crate::assets::model::Source;
use crate::assets::project::UnknownLump;
use crate::assets::rig_notes::RigNotes;
use crate::assets::saved_pose::SavedPose;
use crate::assets::sound::Sound;
use crate::assets::texture::Texture;
use crate::wad::directory::Codec;
use crate::wad::error::{Fault, WadError};
use crate::wad::kind::{Kind, KindDef, List, Role};
use crate::wad::pack::Lump;
use crate::wad::record::clip_notes::NamedNotes;
use crate::wad::record::draft::NamedDraft;
use crate::wad::record::level::OrderedLevel;
use crate::wad::record::model::ModelLists;
use crate::wad::record::reference::NamedReference;
use crate::wad::record::volumes::NamedVolumes;
use crate::wad::record::{
    Input, clip, clip_notes, draft, import_options, level, machine, material, mesh, model, poses, reference, rig,
    skeleton, skin, sound, source, texture, volumes,
};
use crate::wad::sections::record_offset;

macro_rules! lump_kinds {
    (
        parts {
            $($constant:ident $letters:literal $version:literal ($role:expr)
                $part:ident($value:ty) $record:ident ($same:expr);)*
        }
        baked { $baked:ident $baked_letters:literal $baked_version:literal; }
    ) => {
        #[allow(missing_docs)]
        impl Kind {
            $(pub const $constant: Kind = Kind(*$letters);)*
            pub const $baked: Kind = Kind(*$baked_letters);

            /// All kinds that this program knows.
            pub const KNOWN: &[KindDef] = &[
                $(KindDef { kind: Kind::$constant, newest_version: $version, role: $role },)*
                KindDef { kind: Kind::$baked, newest_version: $baked_version, role: Role::Baked },
            ];
        }

        /// The value of a lump. Two are equal if their content is.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Part {
            $($part($value),)*
            /// Ancillary, and not known to this program.
            Unknown(UnknownLump),
        }

        impl Part {
            fn read_known(kind: Kind, input: Input<'_>) -> Result<Part, Fault> {
                Ok(match kind {
                    $(Kind::$constant => Part::$part($record::read(input)?.into()),)*
                    _ => return Err(Fault::from(format!("lumps of kind {kind} are not parts of a project"))),
                })
            }

            /// The bytes of the lump. Numbers that are not finite are an error.
            pub fn write(&self) -> Result<Vec<u8>, String> {
                match self {
                    $(Part::$part(value) => $record::write(value),)*
                    Part::Unknown(unknown) => Ok(unknown.bytes.to_vec()),
                }
            }

            /// Whether both are the same value. Large values are the same only if they are shared.
            pub fn is_same(&self, other: &Part) -> bool {
                match (self, other) {
                    $((Part::$part(a), Part::$part(b)) => $same(a, b),)*
                    (Part::Unknown(a), Part::Unknown(b)) => Arc::ptr_eq(&a.bytes, &b.bytes) && a.version == b.version,
                    _ => false,
                }
            }
        }
    };
}

// Constant, letters (lower case first: ancillary), newest version, role, part, record module, comparison.
lump_kinds! {
    parts {
        MODEL           b"MODL" 2 (Role::Model)                   Model(ModelLists)             model      (PartialEq::eq);
        SKELETON        b"SKEL" 2 (Role::Required)                Skeleton(Arc<Skeleton>)       skeleton   (Arc::ptr_eq);
        SKIN            b"SKIN" 1 (Role::Listed(List::Skins))     Skin(Arc<Skin>)               skin       (Arc::ptr_eq);
        MESH            b"MESH" 2 (Role::Listed(List::Meshes))    Mesh(Arc<Mesh>)               mesh       (Arc::ptr_eq);
        MATERIAL        b"MATL" 3 (Role::Listed(List::Materials)) Material(Arc<Material>)       material   (Arc::ptr_eq);
        TEXTURE         b"TEXR" 1 (Role::Listed(List::Textures))  Texture(Arc<Texture>)         texture    (Arc::ptr_eq);
        CLIP            b"ANIM" 2 (Role::Listed(List::Clips))     Clip(Arc<Clip>)               clip       (Arc::ptr_eq);
        MACHINE         b"MACH" 3 (Role::Optional)                Machine(AnimationTable)       machine    (PartialEq::eq);
        POSES           b"POSL" 2 (Role::Optional)                Poses(SharedList<Arc<SavedPose>>)   poses      (poses::is_same);
        VOLUMES         b"VOLS" 1 (Role::Optional)                Volumes(NamedVolumes)         volumes    (PartialEq::eq);
        LEVEL           b"LEVL" 9 (Role::Level)                   Level(OrderedLevel)           level      (level::is_same);
        DRAFTS          b"dRFT" 2 (Role::Optional)                Drafts(Vec<NamedDraft>)       draft      (PartialEq::eq);
        CLIP_NOTES      b"cLPN" 2 (Role::Optional)                ClipNotes(Vec<NamedNotes>)    clip_notes (PartialEq::eq);
        RIG             b"rIGN" 3 (Role::Optional)                Rig(RigNotes)                 rig        (PartialEq::eq);
        REFERENCES      b"rEFI" 1 (Role::Optional)                References(Vec<NamedReference>) reference (PartialEq::eq);
        REFERENCE_IMAGE b"rIMG" 1 (Role::ReferenceImage)          ReferenceImage(Arc<Texture>)  texture    (Arc::ptr_eq);
        SOUND           b"sOND" 1 (Role::Sound)                   Sound(Arc<Sound>)             sound      (Arc::ptr_eq);
        SOURCE          b"sRCE" 1 (Role::Optional)                Source(Arc<Source>)           source     (Arc::ptr_eq);
        IMPORT_OPTIONS  b"iMPO" 2 (Role::Optional)                ImportOptions(Arc<ImportOptions>) import_options (PartialEq::eq);
    }
    // Made from the others; see `wad::bakes`.
    baked { BAKED b"BAKE" 4; }
}

/// All parts of a project. The order is that of the directory.
pub type Parts = BTreeMap<(Kind, String), Part>;

impl Part {
    /// Reads a lump. `share` makes bytes to keep of a part of it. An unknown critical kind or version is an error, an
    /// ancillary one is kept as [`Part::Unknown`].
    pub fn read(
        kind: Kind,
        version: u16,
        name: &str,
        bytes: &[u8],
        share: impl Fn(&[u8]) -> Bytes,
    ) -> Result<Part, WadError> {
        let lump = || format!("{kind}/{name}");
        let unknown = match kind.newest_version() {
            Some(newest) if (1..=newest).contains(&version) => {
                let read = Part::read_known(kind, Input { version, bytes, share: &share });
                return read.map_err(|fault| fault.in_record_at(record_offset(bytes)).in_lump(lump()));
            }
            Some(_) => format!("version {version} of the kind {kind}"),
            None => format!("the kind {kind}"),
        };
        match kind.is_ancillary() {
            true => {
                Ok(Part::Unknown(UnknownLump { kind: kind.0, name: name.to_owned(), version, bytes: bytes.into() }))
            }
            false => Err(WadError::Unknown { lump: lump(), offset: None, what: unknown }),
        }
    }

    /// The lump of a kind and name that holds this part.
    pub fn to_lump(&self, (kind, name): &(Kind, String)) -> Result<Lump, WadError> {
        let content = |reason| WadError::Content { place: format!("lump {kind}/{name}"), reason };
        let bytes = Some(self.write().map_err(content)?);
        let version = match self {
            Part::Unknown(unknown) => unknown.version,
            // Values that have no need of a newer version are stored as before, so that older programs read them.
            Part::Model(value) => model::version_of(value),
            Part::Skeleton(value) => skeleton::version_of(value),
            Part::Mesh(value) => mesh::version_of(value),
            Part::Material(value) => material::version_of(value),
            Part::Clip(value) => clip::version_of(value),
            Part::Machine(value) => machine::version_of(value),
            Part::Drafts(value) => draft::version_of(value),
            Part::Poses(value) => poses::version_of(value),
            Part::ClipNotes(value) => clip_notes::version_of(value),
            Part::Level(value) => level::version_of(value),
            Part::ImportOptions(value) => import_options::version_of(value),
            _ => kind.newest_version().unwrap_or(1),
        };
        Ok(Lump { kind: *kind, name: name.clone(), version, codec: Codec::Store, bytes })
    }
}
