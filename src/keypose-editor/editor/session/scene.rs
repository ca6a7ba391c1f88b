//! The scene in the viewport and the source of the pose on screen. Neither is saved.

use crate::editor::session::bench::Bench;
use crate::editor::session::blend::Blend;
use crate::editor::session::crowd::CrowdView;
use crate::editor::session::display::ShownPose;
use crate::editor::session::level::LevelDesk;
use crate::editor::session::machine_preview::Preview;
use crate::editor::session::retargeting::Retargeting;
use crate::editor::session::rig::RigDesk;
use crate::editor::session::sprites::SpriteDesk;

/// The scene in the viewport.
#[derive(Clone, Debug, Default)]
pub enum Scene {
    /// The active model, which can be posed.
    #[default]
    Model,
    /// The active model in the side-scroller bench.
    Bench(Bench),
    /// A crowd of the active model.
    Crowd(CrowdView),
    /// A level, with its tools and selection.
    Level(LevelDesk),
    /// The sprite sheet of the active model.
    Sprites(SpriteDesk),
    /// The active model in its bind pose, whose bones are edited.
    Rig(RigDesk),
}

impl Scene {
    /// The bench, if it is open.
    pub fn bench(&self) -> Option<&Bench> {
        if let Scene::Bench(bench) = self { Some(bench) } else { None }
    }

    /// The crowd, if it is open.
    pub fn crowd(&self) -> Option<&CrowdView> {
        if let Scene::Crowd(crowd) = self { Some(crowd) } else { None }
    }

    /// The open level, while the level mode is active.
    pub fn level(&self) -> Option<&LevelDesk> {
        if let Scene::Level(desk) = self { Some(desk) } else { None }
    }

    /// The sprite sheet, while the sprites mode is active.
    pub fn sprites(&self) -> Option<&SpriteDesk> {
        if let Scene::Sprites(desk) = self { Some(desk) } else { None }
    }

    /// The choices of the rig mode, while it is active.
    pub fn rig(&self) -> Option<&RigDesk> {
        if let Scene::Rig(desk) = self { Some(desk) } else { None }
    }

    /// As [`Scene::rig`], to change it.
    pub fn rig_mut(&mut self) -> Option<&mut RigDesk> {
        if let Scene::Rig(desk) = self { Some(desk) } else { None }
    }

    /// As [`Scene::level`], to change it.
    pub fn level_mut(&mut self) -> Option<&mut LevelDesk> {
        if let Scene::Level(desk) = self { Some(desk) } else { None }
    }
}

/// The source of the pose on screen. Only the pose of the clip can be edited.
#[derive(Clone, Debug)]
pub enum PoseSource {
    /// The active clip at the playhead, the rest pose or the bind pose.
    Model(ShownPose),
    /// A preview of the state machine.
    Machine(Box<Preview>),
    /// A preview of a blend of two clips.
    Blend(Box<Blend>),
    /// A preview of a clip of another model, which is shown beside the active one.
    Retarget(Box<Retargeting>),
}

impl Default for PoseSource {
    fn default() -> PoseSource {
        PoseSource::Model(ShownPose::Clip)
    }
}

impl PoseSource {
    /// The displayed pose of the model; `Clip` while a preview runs.
    pub fn shown(&self) -> ShownPose {
        if let PoseSource::Model(pose) = self { *pose } else { ShownPose::Clip }
    }

    /// The preview of the state machine, if it runs.
    pub fn machine(&self) -> Option<&Preview> {
        if let PoseSource::Machine(preview) = self { Some(preview) } else { None }
    }

    /// The preview of a blend, if it runs.
    pub fn blend(&self) -> Option<&Blend> {
        if let PoseSource::Blend(blend) = self { Some(blend) } else { None }
    }

    /// The preview of a clip of another model, if it runs.
    pub fn retargeting(&self) -> Option<&Retargeting> {
        if let PoseSource::Retarget(shown) = self { Some(shown) } else { None }
    }

    /// Whether a preview runs, instead of the active clip.
    pub fn is_preview(&self) -> bool {
        !matches!(self, PoseSource::Model(_))
    }
}
