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
use crate::assets::sprite_recipe::SpriteRecipe;
use crate::assets::texture::Texture;
use crate::wad::directory::Codec;
use crate::wad::error::{Fault, WadError};
use crate::wad::kind::{Kind, KindDef, List, Role};
use crate::wad::pack::Lump;
use crate::wad::record::clip_notes::{NamedNotes, NotesRecordV1};
use crate::wad::record::draft::{DraftRecordV1, NamedDraft};
use crate::wad::record::level::{OrderedLevel, OrderedLevelRecordV1};
use crate::wad::record::machine::MachineRecordV1;
use crate::wad::record::material::MaterialRecordV1;
use crate::wad::record::model::{ModelLists, ModelRecordV1};
use crate::wad::record::poses::PoseRecordV1;
use crate::wad::record::reference::{self, NamedReference, ReferenceRecordV1};
use crate::wad::record::rig::RigRecordV1;
use crate::wad::record::skeleton::SkeletonRecordV1;
use crate::wad::record::source::SourceRecordV1;
use crate::wad::record::volumes::{NamedVolumes, VolumesRecordV1};
use crate::wad::record::{
    Input, clip, clip_notes, draft, level, mesh, poses, skin, sound, texture, value, volumes, write_value,
};
use crate::wad::sections::record_offset;

macro_rules! lump_kinds {
    (
        parts {
            $($constant:ident $letters:literal [$($read:expr),+] ($write:expr) ($role:expr)
                $part:ident($value:ty) ($same:expr);)*
        }
        baked { $baked:ident $baked_letters:literal $baked_version:literal; }
    ) => {
        // A kind has few versions.
        #[allow(missing_docs, clippy::cast_possible_truncation)]
        impl Kind {
            $(pub const $constant: Kind = Kind(*$letters);)*
            pub const $baked: Kind = Kind(*$baked_letters);

            /// All kinds that this program knows.
            pub const KNOWN: &[KindDef] = &[
                $(KindDef { kind: Kind::$constant, newest_version: 0 $(+ { stringify!($read); 1 })+, role: $role },)*
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
            /// Reads a lump; `None` if the kind doesn't have that version.
            fn read_known(kind: Kind, version: u16, input: Input<'_>) -> Option<Result<Part, Fault>> {
                let at = usize::from(version.checked_sub(1)?);
                match kind {
                    $(Kind::$constant => {
                        let versions = [$(|input: Input<'_>| $read(input).map(Part::$part)),+];
                        versions.get(at).map(|read| read(input))
                    })*
                    _ => None,
                }
            }

            /// The bytes of the lump. Numbers that are not finite are an error.
            pub fn write(&self) -> Result<Vec<u8>, String> {
                match self {
                    $(Part::$part(value) => $write(value),)*
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

// Constant, letters (lower case first: ancillary), what reads each version from 1 on, what writes the newest version, role, part,
// comparison.
lump_kinds! {
    parts {
        MODEL b"MODL" [value::<ModelRecordV1, _>] (write_value::<ModelRecordV1>) (Role::Model) Model(ModelLists) (PartialEq::eq);
        SKELETON b"SKEL" [value::<SkeletonRecordV1, _>] (write_value::<SkeletonRecordV1>) (Role::Required) Skeleton(Arc<Skeleton>) (Arc::ptr_eq);
        SKIN b"SKIN" [skin::read] (skin::write) (Role::Listed(List::Skins)) Skin(Arc<Skin>) (Arc::ptr_eq);
        MESH b"MESH" [mesh::read] (mesh::write) (Role::Listed(List::Meshes)) Mesh(Arc<Mesh>) (Arc::ptr_eq);
        MATERIAL b"MATL" [value::<MaterialRecordV1, _>] (write_value::<MaterialRecordV1>) (Role::Listed(List::Materials)) Material(Arc<Material>) (Arc::ptr_eq);
        TEXTURE b"TEXR" [texture::read] (texture::write) (Role::Listed(List::Textures)) Texture(Arc<Texture>) (Arc::ptr_eq);
        CLIP b"ANIM" [clip::read] (clip::write) (Role::Listed(List::Clips)) Clip(Arc<Clip>) (Arc::ptr_eq);
        MACHINE b"MACH" [value::<MachineRecordV1, _>] (write_value::<MachineRecordV1>) (Role::Optional) Machine(AnimationTable) (PartialEq::eq);
        POSES b"POSL" [poses::read] (write_value::<Vec<PoseRecordV1>>) (Role::Optional) Poses(SharedList<Arc<SavedPose>>) (poses::is_same);
        VOLUMES b"VOLS" [volumes::read] (write_value::<VolumesRecordV1>) (Role::Optional) Volumes(NamedVolumes) (PartialEq::eq);
        LEVEL b"LEVL" [value::<OrderedLevelRecordV1, _>] (write_value::<OrderedLevelRecordV1>) (Role::Level) Level(OrderedLevel) (level::is_same);
        DRAFTS b"dRFT" [draft::read] (write_value::<Vec<DraftRecordV1>>) (Role::Optional) Drafts(Vec<NamedDraft>) (PartialEq::eq);
        CLIP_NOTES b"cLPN" [clip_notes::read] (write_value::<Vec<NotesRecordV1>>) (Role::Optional) ClipNotes(Vec<NamedNotes>) (PartialEq::eq);
        RIG b"rIGN" [value::<RigRecordV1, _>] (write_value::<RigRecordV1>) (Role::Optional) Rig(RigNotes) (PartialEq::eq);
        REFERENCES b"rEFI" [value::<Vec<ReferenceRecordV1>, _>] (write_value::<Vec<ReferenceRecordV1>>) (Role::Optional) References(Vec<NamedReference>) (PartialEq::eq);
        REFERENCE_IMAGE b"rIMG" [texture::read] (texture::write) (Role::ReferenceImage) ReferenceImage(Arc<Texture>) (Arc::ptr_eq);
        REFERENCE_FILM b"rFLM" [reference::read_film] (reference::write_film) (Role::ReferenceImage) ReferenceFilm(Arc<Vec<Bytes>>) (Arc::ptr_eq);
        SOUND b"sOND" [sound::read] (sound::write) (Role::Sound) Sound(Arc<Sound>) (Arc::ptr_eq);
        SOURCE b"sRCE" [value::<SourceRecordV1, _>] (write_value::<SourceRecordV1>) (Role::Optional) Source(Arc<Source>) (Arc::ptr_eq);
        IMPORT_OPTIONS b"iMPO" [value::<Vec<String>, _>] (write_value::<Vec<String>>) (Role::Optional) ImportOptions(Arc<ImportOptions>) (PartialEq::eq);
        SPRITES b"sPRT" [value::<Vec<String>, _>] (write_value::<Vec<String>>) (Role::Optional) Sprites(Arc<SpriteRecipe>) (PartialEq::eq);
    }
    // Made from the others; see `wad::bakes`.
    baked { BAKED b"BAKE" 1; }
}

/// All parts of a project, in the order of the directory.
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
        if let Some(read) = Part::read_known(kind, version, Input { bytes, share: &share }) {
            return read.map_err(|fault| fault.in_record_at(record_offset(bytes)).in_lump(lump()));
        }
        if kind.is_ancillary() {
            return Ok(Part::Unknown(UnknownLump {
                kind: kind.0,
                name: name.to_owned(),
                version,
                bytes: bytes.into(),
            }));
        }
        let what = match kind.def() {
            Some(_) => format!("version {version} of the kind {kind}"),
            None => format!("the kind {kind}"),
        };
        Err(WadError::Unknown { lump: lump(), offset: None, what })
    }

    /// The lump of a kind and name that holds this part.
    pub fn to_lump(&self, (kind, name): &(Kind, String)) -> Result<Lump, WadError> {
        let content = |reason| WadError::Content { place: format!("lump {kind}/{name}"), reason };
        let bytes = Some(self.write().map_err(content)?);
        let version = match self {
            Part::Unknown(unknown) => unknown.version,
            _ => kind.newest_version().unwrap_or(1),
        };
        Ok(Lump { kind: *kind, name: name.clone(), version, codec: Codec::Store, bytes })
    }
}
