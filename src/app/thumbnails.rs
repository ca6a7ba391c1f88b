//! Thumbnails of the open clip's keyframes: drawn when the strip shows them, a few in each frame, and again where their
//! pose changed.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use imgui::TextureId;

use crate::anim::clip::Clip;
use crate::anim::pose::ModelPose;
use crate::app::painter::Painter;
use crate::app::ui_host::UiHost;
use crate::assets::model::Model;
use crate::editor::editor::Editor;
use crate::editor::view::View;
use crate::render::frame::shot::{Shot, View as From};
use crate::render::frame::{Background, Frame, Ground};
use crate::render::gl::target::Target;
use crate::render::gl::texture::Texture;

/// How much of a frame they may take.
const BUDGET: Duration = Duration::from_millis(4);
/// Pixels on a side.
const SIDE: u32 = 160;
/// Keyframes past these have none.
const MOST: usize = 500;
/// So many keyframes, spread over the clip, decide how large the model is shown.
const FRAMING: usize = 24;

/// The thumbnails of one clip at a time.
#[derive(Default)]
pub struct Thumbnails {
    /// What they are of; where it changes, all of them may be out of date.
    of: Option<(Arc<Model>, Arc<Clip>)>,
    shot: Option<Shot>,
    target: Option<Target>,
    /// By keyframe. An id is never given back: the keyframe of the next clip takes it.
    kept: Vec<Option<Thumbnail>>,
    /// Keyframes that the strip showed in this frame.
    wanted: RefCell<Vec<usize>>,
}

struct Thumbnail {
    id: TextureId,
    _texture: Texture,
    /// `None` where the shot is another.
    pose: Option<ModelPose>,
    is_current: bool,
}

impl Thumbnails {
    /// The id of a keyframe's thumbnail; the keyframe is noted as wanted.
    pub fn id(&self, keyframe: usize) -> Option<TextureId> {
        self.wanted.borrow_mut().push(keyframe);
        let kept = self.kept.get(keyframe)?.as_ref()?;
        kept.pose.is_some().then_some(kept.id)
    }

    /// Draws nothing in this frame; the strip will say again what it wants.
    pub fn wait(&self) {
        self.wanted.borrow_mut().clear();
    }

    /// Draws what the strip wanted, within the budget. True where the next frame shows more: new ones, or some left.
    pub fn draw(&mut self, painter: &mut Painter, ui: &mut UiHost, editor: &Editor) -> Result<bool, String> {
        let mut wanted = std::mem::take(&mut *self.wanted.borrow_mut());
        let view = editor.view();
        let (Some(model), Some(clip)) = (&view.model, &view.clip) else { return Ok(false) };
        self.follow(editor, &view, model, clip);
        wanted.retain(|&keyframe| keyframe < clip.keyframes.len().min(MOST) && !self.is_current(keyframe));
        let (began, any) = (Instant::now(), !wanted.is_empty());
        for keyframe in wanted {
            if began.elapsed() > BUDGET {
                return Ok(true);
            }
            let pose = view.model_pose_at(clip.start_of(keyframe));
            self.refresh(painter, ui, keyframe, pose)?;
        }
        Ok(any)
    }

    fn is_current(&self, keyframe: usize) -> bool {
        matches!(self.kept.get(keyframe), Some(Some(Thumbnail { is_current: true, .. })))
    }

    /// Notes that model or clip are others than before. Pictures stay until they are drawn again, except where they
    /// were of another model or size.
    fn follow(&mut self, editor: &Editor, view: &View, model: &Arc<Model>, clip: &Arc<Clip>) {
        let is_same = |of: &(Arc<Model>, Arc<Clip>)| Arc::ptr_eq(&of.0, model) && Arc::ptr_eq(&of.1, clip);
        if self.of.as_ref().is_some_and(is_same) {
            return;
        }
        let step = clip.keyframes.len().div_ceil(FRAMING).max(1);
        let poses: Vec<ModelPose> = clip.starts().step_by(step).map(|start| view.model_pose_at(start)).collect();
        let mut shot = Shot::of(model.clone(), &editor.document.models, poses.iter(), From::Action);
        shot.margin = 0.06;
        let stays = self.shot.as_ref().is_some_and(|before| before.shows_like(&shot));
        for thumbnail in self.kept.iter_mut().flatten() {
            thumbnail.is_current = false;
            if !stays {
                thumbnail.pose = None;
            }
        }
        self.shot = Some(shot);
        self.of = Some((model.clone(), clip.clone()));
    }

    fn refresh(
        &mut self,
        painter: &mut Painter,
        ui: &mut UiHost,
        keyframe: usize,
        pose: ModelPose,
    ) -> Result<(), String> {
        let Some(shot) = &self.shot else { return Ok(()) };
        if self.kept.len() <= keyframe {
            self.kept.resize_with(keyframe + 1, || None);
        }
        let kept = &mut self.kept[keyframe];
        if let Some(kept) = kept.as_mut().filter(|kept| kept.pose.as_ref() == Some(&pose)) {
            kept.is_current = true;
            return Ok(());
        }
        let mut frame = Frame { background: Background::NONE, ..shot.frame(Arc::new(pose.clone()), 1.0) };
        frame.ground = frame.ground.map(|ground| Ground { grid: None, ..ground });
        let texture = painter.draw_small(&mut self.target, &frame, SIDE)?;
        let id = ui.show_texture(kept.as_ref().map(|kept| kept.id), texture.handle());
        *kept = Some(Thumbnail { id, _texture: texture, pose: Some(pose), is_current: true });
        Ok(())
    }
}
