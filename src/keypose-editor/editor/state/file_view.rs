//! The view of the open file.

use crate::editor::session::file_view::FileView;
use crate::editor::session::focus::Focus;
use crate::editor::state::Editor;
use keypose::anim::skeleton::BoneIndex;

impl Editor {
    /// The view of the document; `None` if it has no model.
    pub fn file_view(&self) -> Option<FileView> {
        let model = self.model()?;
        let Focus { playhead, camera, hidden, pins, bone_sets, timing, .. } = &self.session.focus;
        let name = |bone: &BoneIndex| model.skeleton.get(*bone).map(|bone| bone.name.clone());
        Some(FileView {
            model: model.name.clone(),
            clip: self.clip().map(|slot| slot.clip.name.clone()),
            time: playhead.time,
            camera: *camera,
            hidden: hidden.iter().filter_map(name).collect(),
            pins: pins.iter().filter_map(name).collect(),
            bone_sets: bone_sets
                .iter()
                .map(|(number, bones)| (*number, bones.iter().filter_map(name).collect()))
                .collect(),
            time_view: timing.view,
            arrangement: self.session.workspace.preferences.arrangement,
        })
    }
}
