//! Background jobs: reading files, exporting images, saving. The status bar shows and cancels them.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

use keypose::anim::time::Time;
use keypose::assets::import_options::ImportOptions;
use keypose::assets::mesh_reach::bake_clip;
use keypose::assets::model::Model;
use keypose_editor::editor::ops::rigging::{Made, RigWork, Task};
use keypose_editor::editor::session::dropped::Refused;
use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::session::preferences::{ModelFiles, Prefer};
use keypose_editor::editor::session::rig::RigAction;
use keypose_editor::editor::state::action::{MaterialAction, ProgramAction};
use keypose_editor::editor::state::effect::{Adding, ImagePlace};
use keypose_editor::editor::state::export_options::{ExportOptions, Moments};
use keypose_editor::editor::view::films::{Decoded, Place, ToShow};
use keypose_editor::render::frame::framed_model;
use keypose_tools::rig::RigError;

use crate::app::files::Opening;
use crate::app::files::exports::{self, ExportReport};
use crate::app::files::progress::Progress;
use crate::app::film::{self, Format, Pose, RenderJob};
use crate::app::host::EditorHost;
use crate::app::host::message::Message;
use crate::app::host::workers::{self, WantedFrames};

/// Frames per second of an exported film.
const FPS: f64 = 30.0;

/// The running jobs.
#[derive(Debug, Default)]
pub struct Jobs {
    reading: Option<Job>,
    image: Option<Job>,
    /// Images that are read after it.
    waiting_images: VecDeque<(PathBuf, ImagePlace)>,
    exporting: Option<Job>,
    /// Weights that are computed.
    rigging: Option<Job>,
    /// The thread that decodes films, if one was shown.
    films: Option<Sender<WantedFrames>>,
    /// Whether that thread has frames to decode.
    is_decoding: bool,
    /// Count of running saves. They can't be cancelled.
    pub saving: usize,
    /// The save that was started last, after which the next one begins.
    pub last_save: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Job {
    what: String,
    progress: Progress,
}

impl Jobs {
    /// Whether a job is running, whose progress the status bar shows.
    pub fn is_busy(&self) -> bool {
        self.shown().is_some() || self.saving > 0
    }

    fn shown(&self) -> Option<&Job> {
        self.reading.as_ref().or(self.image.as_ref()).or(self.exporting.as_ref()).or(self.rigging.as_ref())
    }
}

impl EditorHost {
    /// Starts to read an archive with its patches, or a model. Cancels a read in progress.
    pub(super) fn read(&mut self, files: Vec<PathBuf>) {
        let options = self.take_import_options().for_a_model();
        let opening = Opening { options, ..self.begin_reading(&files) };
        workers::read(files, opening, &self.proxy);
    }

    /// Starts to read what is left of a damaged archive. Cancels a read in progress.
    pub(super) fn read_salvaged(&mut self, file: PathBuf) {
        let files = vec![file];
        let opening = Opening { salvages: true, ..self.begin_reading(&files) };
        workers::read(files, opening, &self.proxy);
    }

    /// Starts to read files to add their models. Cancels a read in progress.
    pub(super) fn import(&mut self, files: Vec<PathBuf>, refused: Vec<Refused>, adding: Adding) {
        let options = match adding {
            Adding::Changed => self.editor.model().map(|model| ImportOptions::clone(&model.import_options)),
            Adding::Models | Adding::Clips | Adding::ClipsOrOpen => Some(self.take_import_options()),
        };
        let options = options.unwrap_or_default();
        // Clips of others are baked for the bones that they come onto.
        let leaves_clips_unbaked = adding == Adding::Clips;
        let opening = Opening { options, leaves_clips_unbaked, ..self.begin_reading(&files) };
        let target = self.editor.model().cloned();
        workers::import(files, (refused, adding, target), opening, &self.proxy);
    }

    /// The options of the preferences. Those that name meshes and clips are for this import alone.
    fn take_import_options(&mut self) -> ImportOptions {
        let options = self.editor.session.workspace.preferences.import_options.clone();
        if options.for_any_file() != options {
            self.update(Prefer::ImportOptions(Box::new(options.for_any_file())));
        }
        options
    }

    fn begin_reading(&mut self, files: &[PathBuf]) -> Opening {
        let name = files.first().and_then(|path| path.file_name()).unwrap_or_default().to_string_lossy();
        let more = if files.len() > 1 { format!(" and {} more", files.len() - 1) } else { String::new() };
        let (what, progress) = (format!("opening {name}{more}"), Progress::default());
        if let Some(before) = self.jobs.reading.replace(Job { what, progress: progress.clone() }) {
            before.progress.cancel();
            self.update(ProgramAction::Notice(NoticeKind::Info, format!("Cancelled {}", before.what)));
        }
        Opening { model_files: self.model_files(), progress, ..Opening::default() }
    }

    /// The files that an imported model may refer to.
    pub fn model_files(&self) -> ModelFiles {
        if self.allows_any_file { ModelFiles::Anywhere } else { self.editor.session.workspace.preferences.model_files }
    }

    /// Removes the finished read.
    pub(super) fn remove_read_job(&mut self) {
        self.jobs.reading = None;
    }

    /// Reads an image, after those that are being read.
    pub(super) fn read_image(&mut self, path: PathBuf, place: ImagePlace) {
        if self.jobs.image.is_some() {
            self.jobs.waiting_images.push_back((path, place));
        } else {
            self.begin_image(path, place);
        }
    }

    fn begin_image(&mut self, path: PathBuf, place: ImagePlace) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let (what, progress) = (format!("opening {name}"), Progress::default());
        self.jobs.image = Some(Job { what, progress: progress.clone() });
        workers::read_image(path, place, progress, &self.proxy);
    }

    /// Leaves the frames of films that viewport and timeline want to the thread that decodes them, a few at a time.
    pub(super) fn show_films(&mut self) {
        if self.jobs.is_decoding {
            return;
        }
        let wanted = self.editor.caches.films.take_wanted();
        if !wanted.is_empty() {
            let folder = self.editor.file.as_deref().and_then(Path::parent).map(Path::to_owned);
            let thread = self.jobs.films.get_or_insert_with(|| workers::films(&self.proxy));
            self.jobs.is_decoding = thread.send((wanted, folder)).is_ok();
        }
    }

    /// Passes frames of films to viewport and timeline.
    pub(super) fn films_decoded(&mut self, frames: Vec<(ToShow, Decoded)>) {
        self.jobs.is_decoding = false;
        self.is_viewport_stale |= frames.iter().any(|(wanted, _)| wanted.place == Place::Viewport);
        frames.into_iter().for_each(|(wanted, decoded)| self.editor.caches.films.put(wanted, decoded));
    }

    /// Passes a read image to the editor, or reports the error.
    pub(super) fn image_read(&mut self, read: Result<MaterialAction, String>) {
        self.jobs.image = None;
        if let Some((path, place)) = self.jobs.waiting_images.pop_front() {
            self.begin_image(path, place);
        }
        match read {
            Ok(action) => self.update(action),
            Err(error) => self.update(ProgramAction::Notice(NoticeKind::Error, error)),
        }
    }

    /// Starts to compute markers or weights. Cancels those in progress.
    pub(super) fn rig_wanted(&mut self) {
        let Some(work) = self.editor.caches.rig_work.take() else { return };
        let what = match work.task {
            Task::Place(_) => "placing markers on",
            Task::Bind(..) | Task::Make(..) | Task::Transfer { .. } => "binding",
        };
        let (what, progress) = (format!("{what} {}", work.model.name), Progress::default());
        if let Some(before) = self.jobs.rigging.replace(Job { what, progress: progress.clone() }) {
            before.progress.cancel();
        }
        workers::rig(work, progress, &self.proxy);
    }

    /// Passes what was computed to the editor.
    pub(super) fn rig_work_done(&mut self, work: Box<RigWork>, made: Result<Made, RigError>) {
        // Cancelled work has no job any more, or the next one has its place.
        if !matches!(made, Err(RigError::Cancelled)) {
            self.jobs.rigging = None;
            self.update(RigAction::Done(work, made));
        }
    }

    /// Starts to draw a film or an image.
    pub(super) fn export(&mut self, path: PathBuf, options: ExportOptions) {
        let Some(order) = self.order(options) else { return };
        self.begin_export(path, move |path, progress| {
            let bytes = film::make(&order, progress)?;
            progress.reach(1.0)?;
            exports::write(path, &bytes).map(|()| ExportReport::default())
        });
    }

    /// Starts to write a model for other programs.
    pub(super) fn export_model(&mut self, path: PathBuf, model: Arc<Model>) {
        self.begin_export(path, move |path, progress| exports::export(&model, path, || progress.reach(1.0)));
    }

    /// Exports to a path in another thread, unless another export is running. Answers with [`Message::Exported`].
    pub(super) fn begin_export(
        &mut self,
        path: PathBuf,
        export: impl FnOnce(&Path, &Progress) -> Result<ExportReport, String> + Send + 'static,
    ) {
        if self.jobs.exporting.is_some() {
            let text = "Another export is running.".to_owned();
            return self.update(ProgramAction::Notice(NoticeKind::Info, text));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let (what, progress) = (format!("exporting {name}"), Progress::default());
        self.jobs.exporting = Some(Job { what, progress: progress.clone() });
        workers::answer(&self.proxy, move || {
            let done = export(&path, &progress);
            Message::Exported { path, progress, done }
        });
    }

    fn order(&self, options: ExportOptions) -> Option<RenderJob> {
        let view = self.editor.view();
        let model = view.model.clone()?;
        let baked = || Some(bake_clip(&model, view.clip.as_ref()?));
        let poses = match options.moments {
            Moments::Pose => vec![Pose::of_view(&self.editor, &view, &model)],
            Moments::Film => {
                let (clip, baked) = (view.clip.as_ref()?, baked()?);
                Pose::of_clip(
                    (&model, &self.editor.document.models),
                    (clip, &baked),
                    &framed_model::film(baked.length, baked.loop_mode, FPS),
                )
            }
            Moments::Keyframes => {
                let clip = view.clip.as_ref()?;
                Pose::of_clip(
                    (&model, &self.editor.document.models),
                    (clip, &baked()?),
                    &clip.starts().collect::<Vec<_>>(),
                )
            }
        };
        let length = view.clip.as_ref().map_or(Time::ZERO, |clip| clip.length());
        let film = Format::Film { fps: framed_model::film_rate(length, FPS) };
        Some(RenderJob {
            format: if options.moments == Moments::Film { film } else { Format::Sheet },
            view: options.view,
            has_bones: options.has_bones,
            ..RenderJob::new(model, self.editor.document.models.to_vec(), poses, [options.side; 2])
        })
    }

    /// Reports the end of an export.
    pub(super) fn exported(&mut self, path: &Path, done: Result<ExportReport, String>) {
        self.jobs.exporting = None;
        let (kind, text) = match done {
            Ok(ExportReport { summary, findings }) => {
                for finding in findings {
                    self.update(ProgramAction::Notice(NoticeKind::Warning, finding));
                }
                let content = if summary.is_empty() { summary } else { format!(" ({summary})") };
                (NoticeKind::Info, format!("Exported {}{content}", path.display()))
            }
            Err(error) => (NoticeKind::Error, error),
        };
        self.update(ProgramAction::Notice(kind, text));
    }

    /// Cancels the job that the status bar shows.
    pub(super) fn cancel_job(&mut self) {
        let is_reading = self.jobs.reading.is_some();
        let jobs = &mut self.jobs;
        let job = jobs.reading.take().or_else(|| jobs.image.take()).or_else(|| jobs.exporting.take());
        let job = job.or_else(|| jobs.rigging.take());
        let Some(job) = job else {
            self.sheets.cancel();
            return;
        };
        job.progress.cancel();
        self.jobs.waiting_images.clear();
        self.update(ProgramAction::SetAwaiting(false));
        if is_reading && self.recorder.is_none() {
            // No document was open before: edit the empty one.
            self.opened = None;
        }
        self.update(ProgramAction::Notice(NoticeKind::Info, format!("Cancelled {}", job.what)));
    }

    /// Updates the status bar.
    pub(super) fn show_jobs(&mut self) {
        let saving = if self.jobs.saving > 0 { "saving" } else { "" };
        let job = self.jobs.shown();
        self.figures.busy = job.map_or(saving, |job| &job.what).to_owned();
        self.figures.progress = job.and_then(|job| job.progress.fraction());
        self.figures.can_cancel = job.is_some();
        if self.figures.busy.is_empty()
            && let Some(fraction) = self.sheets.progress()
        {
            (self.figures.busy, self.figures.progress) = ("rendering sprites".into(), Some(fraction));
            self.figures.can_cancel = true;
        }
        if self.figures.busy.is_empty()
            && let Some(fraction) = self.upload
        {
            (self.figures.busy, self.figures.progress) = ("showing the model".into(), Some(fraction));
        }
    }
}
