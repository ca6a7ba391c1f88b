//! Springs of the rig follow the paused pose, and become keys of the open clip.

use crate::editor::document::edit::ClipEdit;
use crate::editor::ops::pose::sample;
use crate::editor::ops::springs::Motion;
use crate::editor::session::scene::Scene;
use crate::editor::session::springs::LiveSprings;
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;
use crate::editor::update::{info, step, transaction};
use keypose::anim::pose::LocalPose;
use keypose::anim::spring::Swinging;
use keypose::anim::time::Time;
use keypose_tools::exact_poses::ExactPoses;

/// Lets bones with springs swing behind the paused pose of the model, if that is on.
pub fn follow(editor: &mut Editor) {
    let session = &editor.session;
    let is_shown = session.is_on(Switch::LiveSprings) && session.is_posable();
    let model = editor.model().filter(|_| is_shown && matches!(session.transient.scene, Scene::Model)).cloned();
    let springs = model.as_ref().map(|model| model.rig.springs.of(&model.skeleton));
    let Some((model, springs)) = model.zip(springs.filter(|springs| !springs.is_empty())) else {
        editor.session.transient.springs = None;
        return;
    };
    let (clip, pose) = (editor.clip().cloned(), editor.view().local);
    let live = &mut editor.session.transient.springs;
    if live.as_mut().is_none_or(|live| !live.follow(&model.skeleton, springs.clone(), &pose)) {
        let swinging = clip.map_or_else(Swinging::default, |slot| {
            let keys = |time: Time, pose: &mut LocalPose| pose.copy_from(&sample(&slot.clip, &model.skeleton, time));
            let motion = Motion { springs: &springs, skeleton: &model.skeleton, clip: &slot.clip, sample: &keys };
            motion.pose(editor.session.focus.playhead.time, &mut pose.clone())
        });
        *live = Some(LiveSprings::new(model.skeleton.clone(), springs, pose, swinging));
    }
}

/// Keys the open clip as its springs swing, in one undo step.
pub fn bake(editor: &mut Editor) {
    if transaction::refuse_follower(editor) {
        return;
    }
    let (Some(slot), Some(model)) = (editor.clip().cloned(), editor.model().cloned()) else { return };
    let springs = model.rig.springs.of(&model.skeleton);
    // Each of many samples would make the tracks of delayed bones again.
    let exact = ExactPoses::new(&model.skeleton, &slot.clip);
    let keys = |time: Time, pose: &mut LocalPose| exact.local(time, pose);
    let motion = Motion { springs: &springs, skeleton: &model.skeleton, clip: &slot.clip, sample: &keys };
    let Some(baked) = motion.baked().filter(|_| !springs.is_empty()) else {
        return info(editor, "The clip has no length, or no spring of the rig has its bones.");
    };
    let count = springs.bones().len();
    step(editor, "Bake springs", ClipEdit::ReplaceClip { clip: slot.id, with: Box::new(baked) });
    info(
        editor,
        format!("Keyed {count} bones as they swing. Springs would swing these keys, too: turn them off here."),
    );
}
