//! The scene of the viewer: a clip of a model at a time, as `keypose render` draws it, with ghosts and volumes. No page and no GL.

use std::sync::Arc;

use keypose::anim::bake::BakedClip;
use keypose::anim::clip::{Clip, LoopMode};
use keypose::anim::playback::clip_time;
use keypose::anim::pose::ModelPose;
use keypose::anim::time::Time;
use keypose::assets::mesh_reach::bake_clip;
use keypose::assets::model::Model;
use keypose::wad::Decoded;
use keypose_editor::render::frame::bounds::ModelBounds;
use keypose_editor::render::frame::clip_volumes;
use keypose_editor::render::frame::color::Color;
use keypose_editor::render::frame::framed_model::{CameraAngle, FramedModel, poses, spread};
use keypose_editor::render::frame::{Background, Frame, Grid, ModelDraw};

use crate::orbit::Orbit;

/// The poses of a clip that the picture has room for.
pub const FRAMED_POSES: usize = 12;
/// The colours of the ghosts of the keyframes before and after, as in the editor.
const GHOSTS: [Color; 2] = [Color::hex(0x5a8dee).with_alpha(0.3), Color::hex(0xff9d3d).with_alpha(0.3)];

/// The background of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    Dark,
    Light,
}

/// A model of an archive, its clip and the time on screen.
#[derive(Clone, Debug)]
pub struct Viewer {
    decoded: Decoded,
    model: usize,
    clip: Option<usize>,
    baked: Option<Arc<BakedClip>>,
    bounds: Arc<ModelBounds>,
    framed: FramedModel,
    view: CameraAngle,
    /// The time since the start of the clip.
    pub elapsed: Time,
    /// The camera's movement.
    pub orbit: Orbit,
    /// Whether the keyframes before and after are shown.
    pub has_ghosts: bool,
    /// Whether hit and hurt volumes are shown.
    pub has_volumes: bool,
}

impl Viewer {
    /// Shows the first clip of the first model; `None` if the archive has no model.
    pub fn new(decoded: Decoded) -> Option<Viewer> {
        let model = decoded.project.models.first()?.clone();
        let bounds = Arc::new(ModelBounds::of(&model));
        let view = CameraAngle::ThreeQuarter;
        let framed = FramedModel::with_bounds((model, bounds.clone()), &[], [], view);
        let mut viewer = Viewer {
            decoded,
            model: 0,
            clip: None,
            baked: None,
            bounds,
            framed,
            view,
            elapsed: Time::ZERO,
            orbit: Orbit::default(),
            has_ghosts: false,
            has_volumes: false,
        };
        viewer.choose_model(0);
        Some(viewer)
    }

    /// The models of the archive.
    pub fn models(&self) -> &[Arc<Model>] {
        &self.decoded.project.models
    }

    /// The model on screen.
    pub fn model(&self) -> &Arc<Model> {
        &self.framed.model
    }

    /// Shows the first clip of a model. Ignores an index that doesn't exist.
    pub fn choose_model(&mut self, at: usize) {
        let Some(model) = self.models().get(at).cloned() else { return };
        self.model = at;
        self.bounds = Arc::new(ModelBounds::of(&model));
        self.framed.model = model;
        self.choose_clip(0);
    }

    /// Shows the start of a clip, or the rest pose if there is no such clip.
    pub fn choose_clip(&mut self, at: usize) {
        let model = self.framed.model.clone();
        self.clip = (at < model.clips.len()).then_some(at);
        let bake = |at: usize| {
            let slot = &model.clips[at];
            let character = self.decoded.characters.get(self.model);
            let stored = character.and_then(|character| character.clip_named(&slot.clip.name)).cloned();
            stored.unwrap_or_else(|| Arc::new(bake_clip(&model, &slot.clip)))
        };
        self.baked = self.clip.map(bake);
        self.elapsed = Time::ZERO;
        self.frame_all();
    }

    /// Looks at the model from an angle.
    pub fn look_from(&mut self, view: CameraAngle) {
        self.view = view;
        self.orbit = Orbit::default();
        self.frame_all();
    }

    /// Frames the model in all poses of the clip.
    fn frame_all(&mut self) {
        let model = self.framed.model.clone();
        let shown = match &self.baked {
            Some(baked) => poses(&model, baked, &spread(baked.length, baked.loop_mode, FRAMED_POSES)),
            None => vec![Arc::new(model.skeleton.rest_model_pose())],
        };
        let shown = shown.iter().map(|pose| (&**pose, None));
        let with_bounds = (model, self.bounds.clone());
        self.framed = FramedModel::with_bounds(with_bounds, &self.decoded.project.models, shown, self.view);
    }

    /// The clip on screen.
    pub fn clip(&self) -> Option<&Arc<Clip>> {
        self.framed.model.clips.get(self.clip?).map(|slot| &slot.clip)
    }

    /// The time in the clip.
    pub fn time(&self) -> Time {
        self.baked.as_ref().map_or(Time::ZERO, |baked| clip_time(self.elapsed, baked.length, baked.loop_mode))
    }

    /// Whether a clip that plays once has ended.
    pub fn has_ended(&self) -> bool {
        self.baked.as_ref().is_none_or(|baked| baked.loop_mode == LoopMode::Once && self.elapsed >= baked.length)
    }

    /// The pose at a time of the clip.
    fn pose(&self, time: Time) -> Arc<ModelPose> {
        let model = &self.framed.model;
        let posed = self.baked.as_ref().and_then(|baked| poses(model, baked, &[time]).pop());
        posed.unwrap_or_else(|| Arc::new(model.skeleton.rest_model_pose()))
    }

    /// The picture at the time on screen, at an aspect ratio (width over height).
    pub fn frame(&mut self, aspect: f32, shade: Shade) -> Frame {
        let time = self.time();
        let pose = self.pose(time);
        let mut frame = self.framed.frame(pose.clone(), aspect);
        frame.camera = self.orbit.camera(frame.camera);
        if shade == Shade::Light {
            frame.background = Background::LIGHT;
            let grid = frame.ground.as_mut().and_then(|ground| ground.grid.as_mut());
            grid.into_iter().for_each(|grid| grid.color = Grid::ON_LIGHT);
        }
        if self.has_ghosts {
            frame.models.extend(self.ghosts(time));
        }
        if let (true, Some(id)) = (self.has_volumes, self.clip.map(|at| self.framed.model.clips[at].id)) {
            let model = &self.framed.model;
            clip_volumes::draw(model, &model.combat.lanes_of(id), (time, &pose), &mut frame);
        }
        frame
    }

    /// The small picture of a keyframe.
    pub fn keyframe(&self, at: usize) -> Option<Frame> {
        let clip = self.clip().filter(|clip| at < clip.keyframes.len())?;
        let framed = FramedModel { view: CameraAngle::Action, ..self.framed.clone() };
        Some(framed.frame(self.pose(clip.start_of(at)), 1.0))
    }

    /// The poses of the keyframes before and after a time, without that at the time itself.
    fn ghosts(&self, time: Time) -> Vec<ModelDraw> {
        let Some(clip) = self.clip() else { return Vec::new() };
        let starts: Vec<Time> = clip.starts().collect();
        let before = starts.iter().rev().find(|start| **start < time).copied();
        let after = starts.iter().find(|start| **start > time).copied();
        let ghost = |(at, color): (Option<Time>, Color)| {
            at.map(|at| ModelDraw::ghost(self.framed.model.clone(), self.pose(at), color))
        };
        [before, after].into_iter().zip(GHOSTS).filter_map(ghost).collect()
    }
}
