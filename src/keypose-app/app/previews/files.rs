//! Thumbnails of files for the file browser: models and archives drawn by the renderer, and images. Threads read the files that
//! the browser shows, a few at a time; what it no longer shows is cancelled. A file is read again when it changes.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use imgui::TextureId;
use winit::event_loop::EventLoopProxy;

use keypose::assets::fit;
use keypose::assets::import_options::ImportOptions;
use keypose::assets::model::Model;
use keypose::assets::project::Project;
use keypose::assets::texture::{Use, reduced};
use keypose_editor::editor::ops::sentence::counted;
use keypose_editor::editor::panels::window::browser::preview::{FilePreview, FileVersion, Picture};
use keypose_editor::editor::session::browser::kinds::FileKind;
use keypose_editor::editor::view::bone_list::bone_count;
use keypose_editor::render::frame::framed_model::{CameraAngle, FramedModel};
use keypose_editor::render::frame::{Background, Frame, Ground};
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::gl::texture::Texture;
use keypose_tools::apply_options::apply;
use keypose_tools::import::pixels;
use keypose_tools::lengths::length_text;

use crate::app::files;
use crate::app::files::progress::Progress;
use crate::app::host::message::Message;
use crate::app::window::painter::Painter;
use crate::app::window::ui_host::UiHost;

/// Width and height of the thumbnail of a model, in pixels.
const SIDE: u32 = 320;
/// Maximum number of files that are read at a time.
const MAX_READS: usize = 2;
/// Maximum number of threads, with those that were cancelled and have not ended.
const MAX_THREADS: usize = 6;
/// Maximum number of thumbnails that are kept.
const MAX_KEPT: usize = 96;
/// The sentence about a file without a model.
const NO_MODEL: &str = "no models";
/// Larger files have no thumbnail.
const MAX_BYTES: u64 = 300 << 20;

/// The part of a file that a thread read.
#[derive(Debug)]
pub enum Content {
    /// The frame of the first model, and facts about the file.
    Models(Option<Box<Frame>>, Vec<String>),
    /// A model before its import options are applied, the frame of what they make of it, and facts about that.
    Import { before: Arc<Model>, after: Box<Frame>, facts: Vec<String> },
    /// A small image: width and height, and pixels.
    Image([u32; 2], Vec<u8>, Vec<String>),
}

/// A file that was read for its thumbnail.
#[derive(Debug)]
pub struct ReadPreview {
    version: FileVersion,
    progress: Progress,
    content: Result<Content, String>,
}

enum State {
    Reading(Progress),
    /// Read, and drawn in one of the next frames.
    Read(Content),
    Done {
        preview: FilePreview,
        /// Keeps the texture of the preview.
        _texture: Option<Texture>,
    },
}

struct Kept {
    version: FileVersion,
    state: State,
    last_use: u64,
}

/// The thumbnails of files.
#[derive(Default)]
pub struct FilePreviews {
    kept: Vec<Kept>,
    /// Ids of dropped textures, which are used again.
    free: Vec<TextureId>,
    target: Option<Target>,
    /// Threads that have not ended.
    threads: usize,
    clock: u64,
    /// The file whose import options are changed, and its model before they are applied: it is not read again for each change.
    adjusted: Option<(FileVersion, Arc<Model>)>,
    /// The files that the browser showed in this frame.
    wanted: RefCell<Vec<FileVersion>>,
}

impl FilePreviews {
    /// The preview of a file. Requests it if it doesn't exist.
    pub fn of(&self, version: &FileVersion) -> FilePreview {
        self.wanted.borrow_mut().push(version.clone());
        let kept = self.kept.iter().find(|kept| kept.version == *version);
        match kept.map(|kept| &kept.state) {
            Some(State::Done { preview, .. }) => preview.clone(),
            _ => FilePreview::Waiting,
        }
    }

    /// Drops all pictures, because their context is lost. What the browser shows is read again.
    pub fn release(&mut self) {
        self.kept.retain(|kept| matches!(kept.state, State::Reading(_) | State::Read(_)));
        (self.free, self.target) = (Vec::new(), None);
    }

    /// Keeps what a thread read.
    pub fn read(&mut self, read: ReadPreview) {
        self.threads = self.threads.saturating_sub(1);
        let ReadPreview { version, progress, content } = read;
        let kept = self.kept.iter_mut().find(|kept| kept.version == version && !progress.is_cancelled());
        if let Some(kept) = kept {
            if let Ok(Content::Import { before, .. }) = &content
                && !kept.version.options.is_default()
            {
                self.adjusted = Some((plain(&kept.version), before.clone()));
            }
            kept.state = match content {
                Ok(content) => State::Read(content),
                Err(reason) => State::Done { preview: FilePreview::Failed(reason), _texture: None },
            };
        }
    }

    /// Cancels what is no longer shown, and starts to read what is.
    pub fn advance(&mut self, proxy: &EventLoopProxy<Message>) {
        let wanted = std::mem::take(&mut *self.wanted.borrow_mut());
        self.clock += 1;
        if wanted.is_empty() {
            self.adjusted = None;
        }
        for kept in &mut self.kept {
            if wanted.contains(&kept.version) {
                kept.last_use = self.clock;
            } else if let State::Reading(progress) = &kept.state {
                progress.cancel();
            }
        }
        let is_cancelled = |kept: &Kept| matches!(&kept.state, State::Reading(progress) if progress.is_cancelled());
        self.kept.retain(|kept| !is_cancelled(kept));
        for version in wanted {
            let reads = self.kept.iter().filter(|kept| matches!(kept.state, State::Reading(_))).count();
            if reads >= MAX_READS || self.threads >= MAX_THREADS {
                break;
            }
            if !self.kept.iter().any(|kept| kept.version == version) {
                self.start(version, proxy);
            }
        }
        while self.kept.len() > MAX_KEPT {
            self.remove_oldest();
        }
    }

    fn start(&mut self, version: FileVersion, proxy: &EventLoopProxy<Message>) {
        let progress = Progress::default();
        let state = State::Reading(progress.clone());
        self.kept.push(Kept { version: version.clone(), state, last_use: self.clock });
        self.threads += 1;
        let proxy = proxy.clone();
        let known = self.adjusted.as_ref().filter(|(known, _)| *known == plain(&version));
        let known = known.map(|(_, model)| model.clone());
        std::thread::spawn(move || {
            let content = content(&version, known, &progress);
            // The event loop may have ended already.
            let _ = proxy.send_event(Message::Preview(Box::new(ReadPreview { version, progress, content })));
        });
    }

    fn remove_oldest(&mut self) {
        let oldest = (0..self.kept.len()).min_by_key(|&at| self.kept[at].last_use);
        let Some(kept) = oldest.map(|at| self.kept.swap_remove(at)) else { return };
        if let State::Done { preview: FilePreview::Shown(Picture { id: Some(id), .. }), .. } = kept.state {
            self.free.push(id);
        }
    }

    /// Draws one thumbnail that was read. Returns true if the next frame shows more of them.
    pub fn draw(&mut self, painter: &mut Painter, ui: &mut UiHost) -> Result<bool, String> {
        let Some(at) = self.kept.iter().position(|kept| matches!(kept.state, State::Read(_))) else { return Ok(false) };
        let State::Read(content) = &self.kept[at].state else { return Ok(false) };
        let is_bottom_up = !matches!(content, Content::Image(..));
        let [meshes, clips] = names(content);
        let (texture, size, facts) = match content {
            Content::Models(None, facts) => (None, [1, 1], facts.clone()),
            Content::Models(Some(frame), facts) | Content::Import { after: frame, facts, .. } => {
                match painter.draw_small(&mut self.target, frame, SIDE)? {
                    Some(texture) => (Some(texture), [SIDE; 2], facts.clone()),
                    None => return Ok(true),
                }
            }
            Content::Image(size, pixels, facts) => (Some(painter.image(*size, pixels)?), *size, facts.clone()),
        };
        let id = texture.as_ref().map(|texture| ui.show_texture(self.free.pop(), texture.handle()));
        let picture =
            Picture { id, size: size.map(|side| side as f32), is_bottom_up, facts: facts.into(), meshes, clips };
        self.kept[at].state = State::Done { preview: FilePreview::Shown(picture), _texture: texture };
        Ok(true)
    }
}

/// The model in its rest pose.
fn frame(model: Arc<Model>, others: &[Arc<Model>]) -> Frame {
    let pose = Arc::new(model.skeleton.rest_model_pose());
    let mut framed = FramedModel::of(model, others, std::iter::once(&*pose), CameraAngle::Action);
    framed.margin = 0.08;
    let mut frame = Frame { background: Background::NONE, ..framed.frame(pose, 1.0) };
    frame.ground = frame.ground.map(|ground| Ground { grid: None, ..ground });
    frame
}

/// Reads a file for its thumbnail.
fn content(version: &FileVersion, known: Option<Arc<Model>>, progress: &Progress) -> Result<Content, String> {
    let path = &version.path;
    let without_path = |error: String| match error.strip_prefix(&format!("{}: ", path.display())) {
        Some(reason) => reason.to_owned(),
        None => error,
    };
    if version.bytes > MAX_BYTES {
        return Err("too large for a preview".into());
    }
    match FileKind::of(path) {
        FileKind::Image => image(path).map_err(without_path),
        FileKind::Model => {
            let read = || {
                files::project(path, progress)
                    .map_err(without_path)?
                    .models
                    .into_iter()
                    .next()
                    .ok_or(NO_MODEL.to_owned())
            };
            let before = known.map_or_else(read, Ok)?;
            Ok(import(before, &version.options))
        }
        _ => files::project(path, progress).map(models).map_err(without_path),
    }
}

/// A model with its import options applied.
fn import(before: Arc<Model>, options: &ImportOptions) -> Content {
    let (after, changes) = apply(options, Model::clone(&before));
    let mut facts = facts(std::iter::once(&after));
    let height = fit::fit(&after).height;
    if !after.meshes.is_empty() && height.is_finite() {
        facts.insert(0, format!("{} tall", length_text(height)));
    }
    facts.extend(changes);
    Content::Import { before, after: Box::new(frame(Arc::new(after), &[])), facts }
}

/// The names of meshes and clips before the import options are applied.
fn names(content: &Content) -> [Arc<[String]>; 2] {
    match content {
        Content::Import { before, .. } => [
            before.meshes.iter().map(|slot| slot.mesh.name.clone()).collect(),
            before.clips.iter().map(|slot| slot.clip.name.clone()).collect(),
        ],
        Content::Models(..) | Content::Image(..) => Default::default(),
    }
}

/// The file without import options.
fn plain(version: &FileVersion) -> FileVersion {
    FileVersion { options: ImportOptions::default(), ..version.clone() }
}

fn image(path: &Path) -> Result<Content, String> {
    let texture = pixels::texture("preview", &files::read(path)?)?;
    let facts = vec![format!("{} × {} pixels", texture.width, texture.height)];
    let (size, pixels) = reduced([texture.width, texture.height], &texture.pixels()?, SIDE, Use::Colors);
    Ok(Content::Image(size, pixels, facts))
}

fn models(project: Project) -> Content {
    // The first model with meshes, because an archive may begin with a skeleton.
    let first = project.models.iter().find(|model| !model.meshes.is_empty()).or(project.models.first());
    // Of the model that is shown, as the editor counts.
    let mut facts = facts(first.into_iter().map(|model| &**model));
    if project.models.len() != 1 {
        facts.insert(0, format!("{} models", project.models.len()));
    }
    Content::Models(first.map(|model| Box::new(frame(model.clone(), &project.models))), facts)
}

fn facts<'m>(models: impl Iterator<Item = &'m Model> + Clone) -> Vec<String> {
    let sum = |of: fn(&Model) -> usize| models.clone().map(of).sum();
    vec![
        counted(sum(bone_count), "bone"),
        counted(sum(|model| model.clips.len()), "clip"),
        counted(sum(Model::shown_vertices), "vertex"),
    ]
}
