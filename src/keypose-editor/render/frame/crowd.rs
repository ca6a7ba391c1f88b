//! A crowd as plain data: many characters of one model, each with a place, a clip, a phase and a tint of its own.

use std::borrow::Cow;
use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::render::frame::bounds::Aabb;
use crate::render::frame::color::Color;
use keypose::anim::bake::BakedClip;
use keypose::anim::clip::LoopMode;
use keypose::anim::mat34::Mat3x4;
use keypose::anim::skeleton::BoneIndex;
use keypose::anim::skin::Skin;
use keypose::anim::time::Time;
use keypose::assets::material::Material;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::Model;

/// The characters. A change is a new value: the renderer keeps what it made of one while frames use the same `Arc`.
#[derive(Clone, Debug)]
pub struct Crowd {
    /// The model of every character.
    pub model: Arc<Model>,
    /// The models that may be attached to its sockets.
    pub props: Vec<Arc<Model>>,
    /// The clips that they play.
    pub clips: Vec<Arc<BakedClip>>,
    /// The characters.
    pub members: Vec<Member>,
    /// The model's height in world units, by which characters reach beyond their places.
    pub height: f32,
}

/// A character of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    pub world_from_model: Mat3x4,
    /// Index into [`Crowd::clips`].
    pub clip: usize,
    /// Where in its clip it is when the crowd begins, as a fraction of the cycle, 0 to 1.
    pub phase: f32,
    /// The colour that its materials are multiplied with; white leaves them as they are.
    pub tint: Color,
}

/// A crowd in a frame.
#[derive(Clone, Debug)]
pub struct CrowdDraw {
    /// The characters.
    pub crowd: Arc<Crowd>,
    /// The time since the crowd began, the same for all.
    pub elapsed: Time,
}

impl PartialEq for CrowdDraw {
    fn eq(&self, other: &CrowdDraw) -> bool {
        Arc::ptr_eq(&self.crowd, &other.crowd) && self.elapsed == other.elapsed
    }
}

/// The time after which a clip begins again in a crowd, at least one flick. A clip that plays once begins again as well.
pub fn cycle(clip: &BakedClip) -> Time {
    let length = if clip.loop_mode == LoopMode::PingPong { clip.length * 2 } else { clip.length };
    length.max(Time(1))
}

/// The clip time at a place of the cycle.
pub fn clip_time(clip: &BakedClip, place: Time) -> Time {
    match clip.loop_mode {
        LoopMode::PingPong => place.min(clip.length * 2 - place),
        LoopMode::Once | LoopMode::Loop => place,
    }
}

impl Crowd {
    /// The clip time of a character.
    pub fn time_of(&self, member: &Member, elapsed: Time) -> Option<(&BakedClip, Time)> {
        let clip = self.clips.get(member.clip)?;
        let cycle = cycle(clip);
        let start = Time((f64::from(member.phase) * cycle.0 as f64) as i64);
        Some((clip, clip_time(clip, (elapsed % cycle + start) % cycle)))
    }

    /// A box around all characters.
    pub fn bounds(&self) -> Aabb {
        let mut bounds = Aabb::of(self.members.iter().map(|member| member.world_from_model.translation()));
        if !bounds.is_empty() {
            let reach = Vec3::splat(self.height);
            (bounds.min, bounds.max) = (bounds.min - reach, bounds.max + reach);
        }
        bounds
    }
}

/// The matrices that draw a model with what is attached to it, as one skin, and the meshes that use them.
#[derive(Clone, Debug, Default)]
pub struct CrowdRig {
    /// For each matrix a bone of the model, and what comes before it.
    pub skin: Skin,
    /// The visible meshes.
    pub parts: Vec<RigPart>,
}

/// A mesh, of the model or of one attached to it.
#[derive(Clone, Debug)]
pub struct RigPart {
    /// The model that it belongs to.
    pub model: Arc<Model>,
    pub mesh: Arc<Mesh>,
    /// The material, with the texture frame of the rest pose.
    pub material: Material,
    /// First matrix in the palette.
    pub base: usize,
    /// Whether its bone mirrors it at rest, which reverses the winding.
    pub is_mirrored: bool,
}

impl CrowdRig {
    /// The matrices of a model and of the models attached to its sockets. Meshes and texture frames are those of the rest pose; morph
    /// targets don't move.
    pub fn of(model: &Arc<Model>, props: &[Arc<Model>]) -> CrowdRig {
        let mut rig = CrowdRig::default();
        rig.add(model, |bone, before| (bone, before));
        for socket in model.sockets.iter().filter(|socket| !socket.attached.is_empty()) {
            let attached = props.iter().find(|prop| prop.name == socket.attached && !Arc::ptr_eq(prop, model));
            let Some(attached) = attached else { continue };
            let rest = attached.skeleton.rest_model_pose();
            let socket_matrix = socket.transform.to_mat4();
            rig.add(attached, |bone, before| (socket.bone, socket_matrix * rest.get(bone).to_mat4() * before));
        }
        let (rest, skin) = (model.skeleton.rest_model_pose(), &rig.skin);
        for part in &mut rig.parts {
            let at = part.base + part.mesh.leading_joint();
            let leading = skin.joints.get(at).zip(skin.inverse_binds.get(at));
            let is_mirrored =
                |(&bone, before): (&BoneIndex, &Mat4)| (rest.get(bone).to_mat4() * *before).determinant() < 0.0;
            part.is_mirrored = leading.is_some_and(is_mirrored);
        }
        rig
    }

    fn add(&mut self, model: &Arc<Model>, place: impl Fn(BoneIndex, Mat4) -> (BoneIndex, Mat4)) {
        let rest = model.skeleton.rest_model_pose();
        let mut bases: Vec<Option<usize>> = vec![None; model.skins.len()];
        for slot in model.meshes.iter().filter(|slot| model.is_visible(slot, &rest)) {
            let Some(material) = model.shown_material(&slot.mesh, &rest).map(Cow::into_owned) else { continue };
            let base = match slot.mesh.binding {
                Binding::Bone(bone) => self.push([(bone, Mat4::IDENTITY)].map(|(bone, matrix)| place(bone, matrix))),
                Binding::Skin(skin) => {
                    let (Some(known), Some(of)) = (bases.get(skin), model.skins.get(skin)) else { continue };
                    let joints = of.joints.iter().zip(&of.inverse_binds);
                    let base = known.unwrap_or_else(|| self.push(joints.map(|(&bone, &inverse)| place(bone, inverse))));
                    bases[skin] = Some(base);
                    base
                }
            };
            let (mesh, is_mirrored) = (slot.mesh.clone(), false);
            self.parts.push(RigPart { model: model.clone(), mesh, material, base, is_mirrored });
        }
    }

    fn push(&mut self, joints: impl IntoIterator<Item = (BoneIndex, Mat4)>) -> usize {
        let base = self.skin.joints.len();
        for (bone, before) in joints {
            self.skin.joints.push(bone);
            self.skin.inverse_binds.push(before);
        }
        base
    }
}
