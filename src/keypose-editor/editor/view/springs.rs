//! Springs in the viewport: bones that swing while a clip plays or behind the paused pose, and the colliders of the active bone.

use crate::editor::ops::pose::model_pose;
use crate::editor::ops::springs::{Motion, spring_of};
use crate::editor::session::Session;
use crate::editor::session::selection::VolumePick;
use crate::editor::session::switch::Switch;
use crate::editor::view::View;
use crate::render::frame::Frame;
use crate::render::frame::clip_volumes::{Look, draw_capsule, placed};
use crate::render::frame::color::Color;
use keypose::anim::clip::Clip;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::time::Time;
use keypose::assets::combat::Volume;
use keypose::assets::model::Model;

/// The colour of colliders.
pub const COLLIDER: Color = Color::hex(0x4fd1c5);

/// Swings a pose of a clip at a time. It depends on nothing else, so the same frame looks the same whenever it is shown.
pub fn swing(model: &Model, clip: &Clip, sample: &dyn Fn(Time, &mut LocalPose), time: Time, pose: &mut LocalPose) {
    if model.rig.springs.bones.is_empty() {
        return;
    }
    let springs = model.rig.springs.of(&model.skeleton);
    if !springs.is_empty() {
        Motion { springs: &springs, skeleton: &model.skeleton, clip, sample }.pose(time, pose);
    }
}

/// The pose in which the model is drawn. Behind a paused pose only the model swings: bones stay where they are posed.
pub fn shown(session: &Session, view: &View, model: &Model) -> ModelPose {
    let Some(springs) = &session.transient.springs else { return view.pose.clone() };
    let mut local = view.local.clone();
    springs.apply(&mut local);
    model_pose(&model.skeleton, &local)
}

/// Draws the colliders on the active bone and those that its spring doesn't enter; all of them while one is selected or the model swings
/// while it is posed.
pub fn draw(session: &Session, view: &View, model: &Model, frame: &mut Frame) {
    if !session.is_on(Switch::Overlays) {
        return;
    }
    let selection = &session.focus.selection;
    let are_all = matches!(selection.volume, Some(VolumePick::Collider(_))) || session.transient.springs.is_some();
    let bone = selection.active_bone();
    let (spring, of) = (bone.and_then(|bone| spring_of(model, bone)), bone.and_then(|bone| model.skeleton.get(bone)));
    let is_of_spring = |volume: &Volume| spring.is_some_and(|spring| spring.colliders.contains(&volume.name));
    for volume in &model.rig.springs.colliders {
        let is_here = of.is_some_and(|of| of.name == volume.bone);
        let look = if is_of_spring(volume) || is_here { Look::full(COLLIDER) } else { Look::thin(COLLIDER, 0.4) };
        if let Some(capsule) = placed(model, &view.pose, volume).filter(|_| is_here || spring.is_some() || are_all) {
            draw_capsule(&capsule, look, frame);
        }
    }
}
