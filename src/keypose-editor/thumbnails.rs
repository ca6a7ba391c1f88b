//! Thumbnails of the open clip's keyframes, of saved poses, of clips and of models. Drawn when a panel shows them, a few per frame, and
//! again when their pose changes.

use std::cell::RefCell;
use std::sync::Arc;

use imgui::TextureId;

use crate::editor::ops::keyframe_match;
use crate::editor::ops::pose::{model_pose, sample, stance};
use crate::editor::posing::library::channels;
use crate::editor::posing::pins::put;
use crate::editor::session::clipboard::Side;
use crate::editor::state::Editor;
use crate::editor::view::View;
use crate::render::frame::framed_model::{CameraAngle, FramedModel, look_same, looks_like};
use crate::render::frame::{Background, Frame, Ground};
use crate::render::gl::target::Target;
use crate::render::gl::texture::Texture;
use keypose::anim::clip::Clip;
use keypose::anim::pose::ModelPose;
use keypose::anim::time::Time;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;

/// Width and height of thumbnails of poses, in pixels.
const SIDE: u32 = 160;
/// Width and height of pictures beside names, in pixels.
const SMALL_SIDE: u32 = 80;
/// Keyframes beyond this have no thumbnail.
const MAX_COUNT: usize = 500;
/// Count of keyframes, spread over the clip, that determine the framing.
const FRAMING: usize = 24;

/// Draws thumbnails, and shows them in panels.
pub trait Easel {
    /// Draws a square frame into a new texture. `target` is a buffer that is kept for the next call. Returns `None` while the
    /// frame is not drawn whole.
    fn draw(&mut self, target: &mut Option<Target>, frame: &Frame, side: u32) -> Result<Option<Texture>, String>;

    /// Creates a texture from an sRGB image of `4 * width * height` bytes, rows from the top.
    fn image(&mut self, size: [u32; 2], pixels: &[u8]) -> Result<Texture, String>;

    /// Assigns a texture to an id for panels. `before` is its previous id, which is kept.
    fn show(&mut self, before: Option<TextureId>, texture: &Texture) -> TextureId;

    /// Whether this frame has time for another one.
    fn has_time(&self) -> bool;
}

/// The subject of a set of thumbnails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The keyframes of the open clip.
    Keyframes,
    /// The saved poses, over the rest pose.
    Poses,
    /// The first poses of the clips.
    Clips,
    /// The models of the document.
    Models,
}

impl Subject {
    /// All subjects; a window has the thumbnails of each.
    pub const ALL: [Subject; 4] = [Subject::Keyframes, Subject::Poses, Subject::Clips, Subject::Models];

    /// Width and height in pixels.
    fn side(self) -> u32 {
        match self {
            Subject::Keyframes | Subject::Poses => SIDE,
            Subject::Clips | Subject::Models => SMALL_SIDE,
        }
    }
}

/// The data that thumbnails are drawn from. When it changes, all of them may be outdated.
#[derive(Clone)]
enum Source {
    Keyframes(Arc<Model>, Option<ClipId>, Arc<Clip>),
    Poses(Arc<Model>),
    Clips(Arc<Model>),
    /// At least one.
    Models(Vec<Arc<Model>>),
}

impl Source {
    fn of(subject: Subject, editor: &Editor, view: &View) -> Option<Source> {
        if subject == Subject::Models {
            let models = editor.document.models.clone();
            return (!models.is_empty()).then_some(Source::Models(models));
        }
        let model = view.model.clone()?;
        Some(match subject {
            Subject::Keyframes => Source::Keyframes(model, editor.session.focus.clip, view.clip.clone()?),
            Subject::Poses => Source::Poses(model),
            Subject::Clips | Subject::Models => Source::Clips(model),
        })
    }

    fn model(&self, at: usize) -> &Arc<Model> {
        match self {
            Source::Keyframes(model, ..) | Source::Poses(model) | Source::Clips(model) => model,
            Source::Models(models) => &models[at],
        }
    }

    /// Returns true if all poses are the same.
    fn is_same(&self, other: &Source) -> bool {
        let clips = |model: &Model| model.clips.iter().map(|slot| Arc::as_ptr(&slot.clip)).collect::<Vec<_>>();
        match (self, other) {
            (Source::Keyframes(a, _, clip), Source::Keyframes(b, _, other)) => {
                Arc::ptr_eq(a, b) && Arc::ptr_eq(clip, other)
            }
            (Source::Poses(a), Source::Poses(b)) => {
                let poses = |model: &Model| model.poses.iter().map(Arc::as_ptr).collect::<Vec<_>>();
                Arc::ptr_eq(a, b) || (looks_like(a, b) && poses(a) == poses(b))
            }
            (Source::Clips(a), Source::Clips(b)) => Arc::ptr_eq(a, b) || (looks_like(a, b) && clips(a) == clips(b)),
            (Source::Models(a), Source::Models(b)) => {
                look_same(a, b) && a.iter().zip(b).all(|(a, b)| clips(a) == clips(b))
            }
            _ => false,
        }
    }

    fn count(&self) -> usize {
        match self {
            Source::Keyframes(_, _, clip) => clip.keyframes.len(),
            Source::Poses(model) => model.poses.len(),
            Source::Clips(model) => model.clips.len(),
            Source::Models(models) => models.len(),
        }
    }

    fn pose(&self, view: &View, at: usize) -> ModelPose {
        match self {
            Source::Keyframes(_, _, clip) => view.model_pose_at(clip.start_of(at)),
            Source::Poses(model) => {
                let mut local = model.skeleton.rest_pose();
                put(&mut local, &channels(view, &model.poses[at], Side::Same));
                model_pose(&model.skeleton, &local)
            }
            Source::Clips(model) => {
                model_pose(&model.skeleton, &sample(&model.clips[at].clip, &model.skeleton, Time::ZERO))
            }
            Source::Models(models) => stance(&models[at], &["idle", "stand"]),
        }
    }
}

/// Whether a thumbnail was drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Drawn {
    Now,
    /// The meshes of its model are still being copied.
    Later,
}

/// The thumbnails of a clip or of the saved poses.
pub struct Thumbnails {
    subject: Subject,
    of: Option<Source>,
    /// The models of the document then, which may be on sockets.
    models: Vec<Arc<Model>>,
    /// The clip by whose indices the thumbnails are kept.
    placed: Option<(Option<ClipId>, Arc<Clip>)>,
    framed: Option<Arc<FramedModel>>,
    target: Option<Target>,
    /// By index. Ids are reused by the next thumbnail with the same index.
    kept: Vec<Option<Thumbnail>>,
    /// The thumbnails that a panel showed in this frame.
    wanted: RefCell<Vec<usize>>,
}

struct Thumbnail {
    id: TextureId,
    texture: Texture,
    /// The pose and the model that it was drawn from. `None` if it is not shown until it is drawn again: the framing or the keyframe changed.
    from: Option<(ModelPose, Arc<FramedModel>)>,
    is_current: bool,
}

impl Thumbnail {
    /// Shows it no longer; it is drawn again.
    fn hide(&mut self) {
        (self.from, self.is_current) = (None, false);
    }
}

impl Thumbnails {
    /// Starts without thumbnails.
    pub fn of(subject: Subject) -> Thumbnails {
        Thumbnails {
            subject,
            of: None,
            models: Vec::new(),
            placed: None,
            framed: None,
            target: None,
            kept: Vec::new(),
            wanted: RefCell::default(),
        }
    }

    /// The id of a thumbnail by index. Requests it if it doesn't exist.
    pub fn id(&self, keyframe: usize) -> Option<TextureId> {
        self.wanted.borrow_mut().push(keyframe);
        let kept = self.kept.get(keyframe)?.as_ref()?;
        kept.from.is_some().then_some(kept.id)
    }

    /// The texture that is shown under an id.
    pub fn texture(&self, id: TextureId) -> Option<&Texture> {
        self.kept.iter().flatten().find(|kept| kept.id == id).map(|kept| &kept.texture)
    }

    /// Draws nothing in this frame. Panels repeat their requests.
    pub fn wait(&mut self, editor: &Editor) {
        self.wanted.borrow_mut().clear();
        if let Some(source) = Source::of(self.subject, editor, &editor.view()) {
            self.place(&source);
        }
    }

    /// Moves the thumbnails of a changed clip to the new indices of their keyframes. Those of other keyframes are not shown
    /// until they are drawn.
    fn place(&mut self, source: &Source) {
        let Source::Keyframes(_, id, clip) = source else { return };
        let before = self.placed.replace((*id, clip.clone()));
        let Some((before_id, old)) = before.filter(|(_, old)| !Arc::ptr_eq(old, clip)) else { return };
        let matched = if before_id == *id { keyframe_match::before(&old, clip, MAX_COUNT) } else { Vec::new() };
        let mut left = std::mem::take(&mut self.kept);
        let mut placed: Vec<Option<Thumbnail>> =
            matched.iter().map(|from| left.get_mut((*from)?).and_then(Option::take)).collect();
        // The ids of the others are used again.
        for mut unused in left.into_iter().flatten() {
            unused.hide();
            match placed.iter_mut().find(|place| place.is_none()) {
                Some(place) => *place = Some(unused),
                None => placed.push(Some(unused)),
            }
        }
        self.kept = placed;
    }

    /// Draws requested thumbnails while there is time. Returns true if the next frame shows more of them.
    pub fn draw(&mut self, easel: &mut dyn Easel, editor: &Editor) -> Result<bool, String> {
        let mut wanted = std::mem::take(&mut *self.wanted.borrow_mut());
        let view = editor.view();
        let Some(source) = Source::of(self.subject, editor, &view) else { return Ok(false) };
        self.place(&source);
        if wanted.is_empty() {
            return Ok(false);
        }
        self.follow(editor, &view, &source);
        wanted.retain(|&at| at < source.count().min(MAX_COUNT) && !self.is_current(at));
        let any = !wanted.is_empty();
        for keyframe in wanted {
            if !easel.has_time() {
                return Ok(true);
            }
            let pose = source.pose(&view, keyframe);
            if self.refresh(easel, editor, keyframe, pose)? == Drawn::Later {
                return Ok(true);
            }
        }
        Ok(any)
    }

    fn is_current(&self, keyframe: usize) -> bool {
        matches!(self.kept.get(keyframe), Some(Some(Thumbnail { is_current: true, .. })))
    }

    /// Handles a change of the model or the clip. Thumbnails stay until they are redrawn, unless the model or the
    /// framing differ.
    fn follow(&mut self, editor: &Editor, view: &View, source: &Source) {
        let models = &editor.document.models;
        if look_same(&self.models, models) && self.of.as_ref().is_some_and(|of| of.is_same(source)) {
            return;
        }
        let step = source.count().div_ceil(FRAMING).max(1);
        let poses: Vec<ModelPose> = (0..source.count()).step_by(step).map(|at| source.pose(view, at)).collect();
        let framed = framed(editor, source.model(0), poses.iter());
        let stays = self.framed.as_ref().is_some_and(|before| before.is_framed_like(&framed));
        for thumbnail in self.kept.iter_mut().flatten() {
            thumbnail.is_current = false;
            if !stays {
                thumbnail.hide();
            }
        }
        self.framed = Some(Arc::new(framed));
        (self.of, self.models) = (Some(source.clone()), models.clone());
    }

    fn refresh(
        &mut self,
        easel: &mut dyn Easel,
        editor: &Editor,
        keyframe: usize,
        pose: ModelPose,
    ) -> Result<Drawn, String> {
        // Clips are as different as standing and lying down, and models as a knight and a bat: each has a picture of its own size.
        let own = self.of.as_ref().filter(|of| matches!(of, Source::Clips(_) | Source::Models(_)));
        let own = own.map(|of| Arc::new(framed(editor, of.model(keyframe), [&pose].into_iter())));
        let Some(framed) = own.or_else(|| self.framed.clone()) else { return Ok(Drawn::Now) };
        if self.kept.len() <= keyframe {
            self.kept.resize_with(keyframe + 1, || None);
        }
        let kept = &mut self.kept[keyframe];
        let is_alike = |(of, by): &(ModelPose, Arc<FramedModel>)| *of == pose && by.is_framed_like(&framed);
        if let Some(kept) = kept.as_mut().filter(|kept| kept.from.as_ref().is_some_and(is_alike)) {
            kept.is_current = true;
            return Ok(Drawn::Now);
        }
        let mut frame = Frame { background: Background::NONE, ..framed.frame(Arc::new(pose.clone()), 1.0) };
        frame.ground = frame.ground.map(|ground| Ground { grid: None, ..ground });
        let Some(texture) = easel.draw(&mut self.target, &frame, self.subject.side())? else {
            return Ok(Drawn::Later);
        };
        let id = easel.show(kept.as_ref().map(|kept| kept.id), &texture);
        *kept = Some(Thumbnail { id, texture, from: Some((pose, framed)), is_current: true });
        Ok(Drawn::Now)
    }
}

/// The model framed so that all these poses fit.
fn framed<'p>(editor: &Editor, model: &Arc<Model>, poses: impl Iterator<Item = &'p ModelPose>) -> FramedModel {
    // Known from the viewport: reading a large model again at each edit would be seen.
    let bounds = editor.source().caches.bounds(model);
    let models = &editor.document.models;
    let poses = poses.map(|pose| (pose, None));
    let framed = FramedModel::with_bounds((model.clone(), bounds), models, poses, CameraAngle::Action);
    FramedModel { margin: 0.06, ..framed }
}
