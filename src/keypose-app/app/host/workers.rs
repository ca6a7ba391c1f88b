//! Background work: reads and writes files in other threads, most of which send a message to the event loop when they end.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use winit::event_loop::EventLoopProxy;

use keypose::anim::parallel;
use keypose::assets::character::Character;
use keypose::assets::model::Model;
use keypose::wad;
use keypose_editor::editor::document::Document;
use keypose_editor::editor::ops::rigging::RigWork;
use keypose_editor::editor::session::dropped::Refused;
use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::session::recent_file::{RecentFile, Stamp};
use keypose_editor::editor::session::sounds::SoundAction;
use keypose_editor::editor::session::sprites::{PaletteUse, SpriteAction};
use keypose_editor::editor::state::action::{Action, FileAction, ProgramAction};
use keypose_editor::editor::state::effect::{Adding, ImagePlace};
use keypose_editor::editor::view::films::{Projector, ToShow};
use keypose_editor::editor::view::measures::Measures;
use keypose_tools::clip_library::{Fitted, is_library, libraries};
use keypose_tools::rig::RigError;
use keypose_tools::sprites::palette_file;

use crate::app::files;
use crate::app::files::progress::Progress;
use crate::app::files::{Opened, Opening};
use crate::app::files::{films as film_files, layers};
use crate::app::host::message::Message;
use crate::app::host::sheets::SheetJob;
use crate::app::work::list::millis;
use crate::app::work::recorder::SharedWork;
use crate::app::work::{ArchiveContent, Store, list, save};

/// How often the start screen looks whether another process released unsaved work, and how long it waits between: a process that was
/// killed has its locks until the system has freed its memory and written its core.
const RELEASE_TRIES: usize = 30;
const RELEASE_PAUSE: Duration = Duration::from_secs(1);

/// Does work in another thread, which answers with a message.
pub fn answer(proxy: &EventLoopProxy<Message>, work: impl FnOnce() -> Message + Send + 'static) -> JoinHandle<()> {
    let proxy = proxy.clone();
    // The event loop may have ended already.
    std::thread::spawn(move || drop(proxy.send_event(work())))
}

/// Reads a file, or an archive and its patches. Answers with [`Message::Read`].
pub fn read(files: Vec<PathBuf>, opening: Opening, proxy: &EventLoopProxy<Message>) {
    answer(proxy, move || {
        let opened = layers::open(&files, &opening).map(Box::new);
        let models = opened.iter().flat_map(|opened| &opened.project.models);
        let measures = models.map(|model| Measures::of(model)).collect();
        Message::Read { files, progress: opening.progress, opened, measures }
    });
}

/// Reads files to add their models or clips, several at a time; clips come onto the target. Answers with [`Message::Imported`], which names the files that could
/// not be read after those that were `refused` before.
pub fn import(
    files: Vec<PathBuf>,
    (mut refused, adding, target): (Vec<Refused>, Adding, Option<Arc<Model>>),
    opening: Opening,
    proxy: &EventLoopProxy<Message>,
) {
    let progress = opening.progress.clone();
    answer(proxy, move || {
        let (count, done) = (files.len(), AtomicUsize::new(0));
        let (mut read, mut fitted) = (Vec::new(), Fitted::default());
        let opened = parallel::map(&files, usize::MAX, |path| {
            // The progress of one file is that of the job if there are no others; a job that is cancelled cancels all files.
            if count == 1 {
                return files::open_with(path, &opening).map(|opened| with_fitted(opened, &target, adding, &opening));
            }
            let before = done.load(Ordering::Relaxed);
            progress.reach(before as f32 / count as f32)?;
            let own = Opening { progress: Progress::default(), ..opening.clone() };
            let opened = files::open_with(path, &own).map(|opened| with_fitted(opened, &target, adding, &opening));
            done.fetch_add(1, Ordering::Relaxed);
            opened
        });
        for (path, opened) in files.into_iter().zip(opened) {
            match opened {
                Ok((opened, own)) => {
                    fitted.extend(own);
                    read.push((path, opened));
                }
                Err(error) => refused.push(refused_file(&path, error)),
            }
        }
        Message::Imported { files: read, refused, fitted, adding, progress }
    });
}

/// Brings the clips of libraries onto the target: that takes long, and the window would wait for it.
fn with_fitted(opened: Opened, target: &Option<Arc<Model>>, adding: Adding, opening: &Opening) -> (Opened, Fitted) {
    let mut fitted = Fitted::default();
    let gives_clips = |model: &&Arc<Model>| match adding {
        Adding::Clips => true,
        Adding::Models | Adding::ClipsOrOpen => is_library(model),
        Adding::Changed => false,
    };
    if let Some(target) = target {
        let found = libraries(&opened.project.models).filter(gives_clips);
        found.for_each(|library| fitted.add(target, library, (&opening.options).into()));
    }
    (opened, fitted)
}

/// A file that could not be read. The reason does not repeat its path.
fn refused_file(path: &Path, error: String) -> Refused {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let reason = error.strip_prefix(&format!("{}: ", path.display())).map(str::to_owned).unwrap_or(error);
    Refused { name, reason }
}

/// Lists unsaved work, then again when a process that has some of it ends.
pub fn find_unsaved_work(proxy: &EventLoopProxy<Message>) {
    let proxy = proxy.clone();
    std::thread::spawn(move || {
        let store = Store::of_user();
        let count = || store.as_ref().map_or(0, list::locked_count);
        let send = || drop(proxy.send_event(Message::Update(FileAction::UnsavedWorkListed(list::rows()).into())));
        let mut locked = count();
        send();
        for _ in 0..RELEASE_TRIES {
            if locked == 0 {
                return;
            }
            std::thread::sleep(RELEASE_PAUSE);
            let before = std::mem::replace(&mut locked, count());
            if locked < before {
                send();
            }
        }
    });
}

/// Reads and decodes an image. Answers with [`Message::Image`].
pub fn read_image(path: PathBuf, place: ImagePlace, progress: Progress, proxy: &EventLoopProxy<Message>) {
    answer(proxy, move || {
        let read = film_files::read(&path, place);
        Message::Image { progress, read }
    });
}

/// Frames of films to decode, and the folder of the document.
pub type WantedFrames = (Vec<ToShow>, Option<PathBuf>);

/// Starts the thread that decodes frames of films, which ends with the sender. Answers with [`Message::FilmFrames`].
pub fn films(proxy: &EventLoopProxy<Message>) -> Sender<WantedFrames> {
    let (proxy, (sender, receiver)) = (proxy.clone(), mpsc::channel::<WantedFrames>());
    std::thread::spawn(move || {
        let mut projector = Projector::default();
        for (wanted, folder) in receiver {
            let mut show = |wanted: ToShow| {
                let decoded = projector.show(&wanted, |source| film_files::open(source, folder.as_deref()));
                (wanted, decoded)
            };
            let frames = wanted.into_iter().map(&mut show).collect();
            if proxy.send_event(Message::FilmFrames(frames)).is_err() {
                break;
            }
        }
    });
    sender
}

/// Reads WAV files in this thread. Returns the action that adds them, and a notice for each file that can't be read.
pub fn read_sounds(paths: &[PathBuf]) -> Vec<Action> {
    let read = paths.iter().map(|path| files::sound(path).map(Arc::new));
    let (sounds, errors): (Vec<_>, Vec<_>) = read.partition(Result::is_ok);
    let mut actions = vec![Action::from(SoundAction::Read(sounds.into_iter().flatten().collect()))];
    let notice = |error| Action::from(ProgramAction::Notice(NoticeKind::Error, error));
    actions.extend(errors.into_iter().filter_map(Result::err).map(notice));
    actions
}

/// Makes a sprite sheet. Answers with [`Message::Sheet`].
pub fn make_sheet(job: SheetJob, proxy: &EventLoopProxy<Message>) {
    answer(proxy, move || {
        let made = Box::new(job.run());
        let SheetJob { source, progress, .. } = job;
        Message::Sheet { source, progress, made }
    });
}

/// Reads a palette in this thread. Returns the action that sets it, or a notice.
pub fn read_palette(path: &Path, purpose: PaletteUse) -> Action {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let read = files::read(path).and_then(|bytes| {
        let colors = match purpose {
            PaletteUse::Palette => palette_file::read(&bytes).map(|palette| palette.colors().to_vec()),
            PaletteUse::Swap => palette_file::read_colors(&bytes),
        };
        colors.map_err(|error| format!("{}: {error}", path.display()))
    });
    match read {
        Ok(colors) => SpriteAction::Loaded { purpose, name, colors }.into(),
        Err(error) => ProgramAction::Notice(NoticeKind::Error, error).into(),
    }
}

/// Where a document is saved.
pub struct Destination {
    /// The archive.
    pub path: PathBuf,
    /// The archives below: if there are any, a patch with the differences is written.
    pub below: Vec<PathBuf>,
    /// The document's work; `None` if it isn't recorded.
    pub work: Option<SharedWork>,
    /// Without work: the digest of the document's files as they were read or saved last, if it is saved to them again.
    pub digest: Option<u64>,
}

/// Computes markers or weights. Answers with [`Message::RigWork`].
pub fn rig(work: RigWork, progress: Progress, proxy: &EventLoopProxy<Message>) {
    answer(proxy, move || {
        let made = work.run(&mut |part| progress.reach(part).map_err(|_| RigError::Cancelled));
        Message::RigWork(Box::new(work), made)
    });
}

/// Bakes clips that `known` lacks, encodes a document and writes it atomically when the save `before` it has ended, so that the newest
/// one stays. Answers with [`Message::Written`]. Editing continues meanwhile, because the document is a value.
pub fn write(
    to: Destination,
    (opened, document): (u32, Document),
    known: Vec<Arc<Character>>,
    before: Option<JoinHandle<()>>,
    proxy: &EventLoopProxy<Message>,
) -> JoinHandle<()> {
    answer(proxy, move || {
        let characters = Character::bake_all(&document.models, &known);
        let _ = before.map(JoinHandle::join);
        let done = save(&to, &document, &characters).map(|_| ());
        let Destination { path, below, .. } = to;
        Message::Written { opened, path, document, below, characters, done }
    })
}

/// Encodes a document and writes it atomically in this thread. Bakes clips that `characters` lacks. Returns the digest of its files.
pub fn save(to: &Destination, document: &Document, characters: &[Arc<Character>]) -> Result<u64, String> {
    let Destination { path, below, work, digest } = to;
    let mut content = if below.is_empty() {
        let encoder = wad::Encoder::new(document.project(), characters);
        ArchiveContent::new(encoder.map_err(|error| format!("{}: {error}", path.display()))?)
    } else {
        let (bytes, below) = layers::encode_over(below, path, document, characters)?;
        ArchiveContent::Patch { bytes, below }
    };
    match work {
        Some(work) => save::save(work, path, document.project(), &mut content)?,
        None => save::save_without_work(*digest, path, &mut content)?,
    }
    Ok(content.digest())
}

/// Checks whether the source of a model is newer than its archive. Answers with [`Message::SourceChanged`] then.
pub fn check_source(file: PathBuf, archive: PathBuf, proxy: &EventLoopProxy<Message>) {
    let proxy = proxy.clone();
    std::thread::spawn(move || {
        let written = |path: &Path| std::fs::metadata(path).and_then(|about| about.modified()).ok();
        if let (Some(source), Some(saved)) = (written(&file), written(&archive))
            && source > saved
        {
            let _ = proxy.send_event(Message::SourceChanged { file, written: source });
        }
    });
}

/// Looks for the recent files: disks that sleep and networks take time.
pub fn find_recent(files: Vec<PathBuf>, proxy: &EventLoopProxy<Message>) {
    answer(proxy, move || {
        let found = files.into_iter().map(|path| {
            let about = std::fs::metadata(&path).ok().filter(Metadata::is_file);
            let modified = |about: &Metadata| about.modified().ok().map(millis);
            let stamp = about.map(|about| Stamp { bytes: about.len(), modified: modified(&about) });
            RecentFile { path, stamp }
        });
        Message::Update(ProgramAction::RecentFiles(found.collect()).into())
    });
}
