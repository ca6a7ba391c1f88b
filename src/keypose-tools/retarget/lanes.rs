//! Combat lanes of a retargeted clip: ranges are kept, volumes move to the target's bones and are scaled.

use glam::{DMat4, DVec3, Vec3};

use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::combat::{Combat, Contact, Hit, Hurt, Lanes, Volume};
use crate::retarget::Retarget;

impl Retarget<'_> {
    /// Converts the lanes of a clip. Volumes on bones that the target lacks are left out, and changes of hurt volumes that it
    /// doesn't have.
    pub fn lanes(&self, lanes: &Lanes, target: &Combat) -> Lanes {
        let volumes = |hit: &Hit| hit.volumes.iter().filter_map(|volume| self.volume(volume)).collect();
        let hits = lanes.hits.iter().map(|hit| Hit { volumes: volumes(hit), ..hit.clone() });
        let hurt = |hurt: &Hurt| {
            target.hurt_named(&hurt.volume)?;
            let replaced = match &hurt.replaced {
                Some(volume) => Some(self.volume(volume)?),
                None => None,
            };
            Some(Hurt { replaced, ..hurt.clone() })
        };
        Lanes {
            hits: hits.filter(|hit| !hit.volumes.is_empty()).collect(),
            hurts: lanes.hurts.iter().filter_map(hurt).collect(),
            cancels: lanes.cancels.clone(),
            invulnerable: lanes.invulnerable.clone(),
            contacts: lanes.contacts.iter().filter_map(|contact| self.contact(contact)).collect(),
        }
    }

    /// A bone of the source by its name, and that of the target; `None` if either lacks it.
    fn bones(&self, name: &str) -> Option<(BoneIndex, BoneIndex)> {
        let from = self.transfer.from.find(name)?;
        let is_it = |bone: &BoneIndex| self.transfer.pairing.source[usize::from(*bone)] == Some(from);
        Some((from, self.transfer.to.indices().find(is_it)?))
    }

    fn contact(&self, contact: &Contact) -> Option<Contact> {
        let bone = self.transfer.to.get(self.bones(&contact.bone)?.1)?.name.clone();
        Some(Contact { bone, ..contact.clone() })
    }

    /// The volume on the bone of the target; `None` if it has none.
    fn volume(&self, volume: &Volume) -> Option<Volume> {
        let (from, to) = self.bones(&volume.bone)?;
        let bone = self.transfer.to.get(to)?.name.clone();
        let radius = volume.radius * self.transfer.pairing.scale as f32;
        let moved = Volume {
            bone,
            from: self.point(volume.from, (from, to)),
            to: self.point(volume.to, (from, to)),
            radius,
            ..volume.clone()
        };
        moved.check().is_ok().then_some(moved)
    }

    /// A point on a bone of the source, on the bone of the target.
    fn point(&self, point: Vec3, (from, to): (BoneIndex, BoneIndex)) -> Vec3 {
        let [scale_from, scale_to] = [model_scale(self.transfer.from, from), model_scale(self.transfer.to, to)];
        let turned = self.transfer.pairing.axes[usize::from(to)].inverse() * (point.as_dvec3() * scale_from);
        (turned * self.transfer.pairing.scale / scale_to).as_vec3()
    }
}

/// The scale of a bone at rest in model space.
fn model_scale(skeleton: &Skeleton, bone: BoneIndex) -> DVec3 {
    let (mut model_from_bone, mut next) = (DMat4::IDENTITY, skeleton.get(bone));
    while let Some(bone) = next {
        model_from_bone = bone.rest.to_mat4().as_dmat4() * model_from_bone;
        next = bone.parent.and_then(|parent| skeleton.get(parent));
    }
    model_from_bone.to_scale_rotation_translation().0
}
