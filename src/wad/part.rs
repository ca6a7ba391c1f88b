//! What one lump holds, as a value; and all lumps of a project by kind and name. Between lumps and projects: parts share
//! what a project shares, so two states of a project are compared without looking into what did not change. Baked clips
//! are no parts: they are made from them ([`crate::wad::bakes`]).

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::anim::skeleton::Skeleton;
use crate::anim::skin::Skin;
use crate::assets::bytes::Bytes;
use crate::assets::level::Level;
use crate::assets::machine::AnimationTable;
use crate::assets::material::Material;
use crate::assets::mesh::Mesh;
use crate::assets::model::Source;
use crate::assets::project::UnknownLump;
use crate::assets::rig_notes::RigNotes;
use crate::assets::saved_pose::SavedPose;
use crate::assets::texture::Texture;
use crate::wad::directory::Codec;
use crate::wad::error::{Fault, WadError};
use crate::wad::kind::Kind;
use crate::wad::pack::Lump;
use crate::wad::record::clip_notes::NamedNotes;
use crate::wad::record::draft::NamedDraft;
use crate::wad::record::model::ModelLists;
use crate::wad::record::reference::NamedReference;
use crate::wad::record::{
    clip, clip_notes, draft, level, machine, material, mesh, model, poses, reference, rig, skeleton, skin, source,
    texture,
};
use crate::wad::sections::record_offset;

/// The value of a lump.
#[derive(Clone, Debug)]
pub enum Part {
    Model(ModelLists),
    Skeleton(Arc<Skeleton>),
    Skin(Arc<Skin>),
    Mesh(Arc<Mesh>),
    Material(Arc<Material>),
    Texture(Arc<Texture>),
    Clip(Arc<Clip>),
    Machine(AnimationTable),
    /// With its place among the levels.
    Level(Arc<Level>, u32),
    Drafts(Vec<NamedDraft>),
    Poses(Vec<Arc<SavedPose>>),
    ClipNotes(Vec<NamedNotes>),
    Rig(RigNotes),
    References(Vec<NamedReference>),
    ReferenceImage(Arc<Texture>),
    Source(Arc<Source>),
    /// Ancillary, and not known to this program.
    Unknown(UnknownLump),
}

/// All parts of a project. The order is that of the directory.
pub type Parts = BTreeMap<(Kind, String), Part>;

impl Part {
    /// The value of a lump's bytes; `share` makes bytes that stay of a part of them. Refuses what is critical and unknown.
    pub fn read(
        kind: Kind,
        version: u16,
        name: &str,
        bytes: &[u8],
        share: impl Fn(&[u8]) -> Bytes,
    ) -> Result<Part, WadError> {
        let lump = || format!("{kind}/{name}");
        let what = match kind.newest_version() {
            Some(newest) if (1..=newest).contains(&version) => {
                let read = Part::read_known(kind, version, bytes, share);
                return read.map_err(|fault| fault.in_record_at(record_offset(bytes)).in_lump(lump()));
            }
            Some(_) => format!("version {version} of the kind {kind}"),
            None => format!("the kind {kind}"),
        };
        match kind.is_ancillary() {
            true => {
                Ok(Part::Unknown(UnknownLump { kind: kind.0, name: name.to_owned(), version, bytes: bytes.into() }))
            }
            false => Err(WadError::Unknown { lump: lump(), offset: None, what }),
        }
    }

    fn read_known(kind: Kind, version: u16, bytes: &[u8], share: impl Fn(&[u8]) -> Bytes) -> Result<Part, Fault> {
        Ok(match kind {
            Kind::MODEL => Part::Model(model::read(bytes)?),
            Kind::SKELETON => Part::Skeleton(Arc::new(skeleton::read(bytes)?)),
            Kind::SKIN => Part::Skin(Arc::new(skin::read(bytes)?)),
            Kind::MESH => Part::Mesh(Arc::new(mesh::read(bytes)?)),
            Kind::MATERIAL => Part::Material(Arc::new(material::read(bytes)?)),
            Kind::TEXTURE => Part::Texture(Arc::new(texture::read(bytes, share)?)),
            Kind::CLIP => Part::Clip(Arc::new(clip::read(bytes, share)?)),
            Kind::MACHINE => Part::Machine(machine::read(version, bytes)?),
            Kind::LEVEL => level::read(bytes).map(|(level, order)| Part::Level(Arc::new(level), order))?,
            Kind::DRAFTS => Part::Drafts(draft::read(bytes)?),
            Kind::POSES => Part::Poses(poses::read(bytes)?),
            Kind::CLIP_NOTES => Part::ClipNotes(clip_notes::read(bytes)?),
            Kind::RIG => Part::Rig(rig::read(bytes)?),
            Kind::REFERENCES => Part::References(reference::read(bytes)?),
            Kind::REFERENCE_IMAGE => Part::ReferenceImage(Arc::new(texture::read(bytes, share)?)),
            Kind::SOURCE => Part::Source(Arc::new(source::read(bytes)?)),
            _ => return Err(Fault::from(format!("the kind {kind} is not known"))),
        })
    }

    /// The bytes; nothing that is not finite gets in.
    pub fn write(&self) -> Result<Vec<u8>, String> {
        match self {
            Part::Model(lists) => model::write(lists),
            Part::Skeleton(skeleton) => skeleton::write(skeleton),
            Part::Skin(skin) => skin::write(skin),
            Part::Mesh(mesh) => mesh::write(mesh),
            Part::Material(material) => material::write(material),
            Part::Texture(texture) => texture::write(texture),
            Part::Clip(clip) => clip::write(clip),
            Part::Machine(machine) => machine::write(machine),
            Part::Level(level, order) => level::write(level, *order),
            Part::Drafts(drafts) => draft::write(drafts),
            Part::Poses(poses) => poses::write(poses),
            Part::ClipNotes(notes) => clip_notes::write(notes),
            Part::Rig(rig) => rig::write(rig),
            Part::References(references) => reference::write(references),
            Part::ReferenceImage(image) => texture::write(image),
            Part::Source(source) => source::write(source),
            Part::Unknown(unknown) => Ok(unknown.bytes.to_vec()),
        }
    }

    /// The lump under a kind and name.
    pub fn to_lump(&self, (kind, name): &(Kind, String)) -> Result<Lump, WadError> {
        let content = |reason| WadError::Content { place: format!("lump {kind}/{name}"), reason };
        let bytes = Some(self.write().map_err(content)?);
        let version = match self {
            Part::Unknown(unknown) => unknown.version,
            _ => kind.newest_version().unwrap_or(1),
        };
        Ok(Lump { kind: *kind, name: name.clone(), version, codec: Codec::Store, bytes })
    }

    /// True where both are the same value; what is shared is not looked into, what is large and not shared counts as
    /// other.
    pub fn is_same(&self, other: &Part) -> bool {
        match (self, other) {
            (Part::Model(a), Part::Model(b)) => a == b,
            (Part::Skeleton(a), Part::Skeleton(b)) => Arc::ptr_eq(a, b),
            (Part::Skin(a), Part::Skin(b)) => Arc::ptr_eq(a, b),
            (Part::Mesh(a), Part::Mesh(b)) => Arc::ptr_eq(a, b),
            (Part::Material(a), Part::Material(b)) => Arc::ptr_eq(a, b),
            (Part::Texture(a), Part::Texture(b)) => Arc::ptr_eq(a, b),
            (Part::Clip(a), Part::Clip(b)) => Arc::ptr_eq(a, b),
            (Part::Machine(a), Part::Machine(b)) => a == b,
            (Part::Level(a, first), Part::Level(b, second)) => Arc::ptr_eq(a, b) && first == second,
            (Part::Drafts(a), Part::Drafts(b)) => a == b,
            (Part::Poses(a), Part::Poses(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b) || a == b)
            }
            (Part::ClipNotes(a), Part::ClipNotes(b)) => a == b,
            (Part::Rig(a), Part::Rig(b)) => a == b,
            (Part::References(a), Part::References(b)) => a == b,
            (Part::ReferenceImage(a), Part::ReferenceImage(b)) => Arc::ptr_eq(a, b),
            (Part::Source(a), Part::Source(b)) => Arc::ptr_eq(a, b),
            (Part::Unknown(a), Part::Unknown(b)) => Arc::ptr_eq(&a.bytes, &b.bytes) && a.version == b.version,
            _ => false,
        }
    }
}
