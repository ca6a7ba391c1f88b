//! Runs the lines of scripts on an editor: performs the effects of their commands, and records unsaved changes. Knows nothing
//! of where lines come from.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use keypose::assets::character::Character;
use keypose::assets::import_options::ImportOptions;
use keypose::assets::project::Project;
use keypose_editor::editor::script;
use keypose_editor::editor::session::dropped::Refused;
use keypose_editor::editor::session::notice::{Notice, NoticeKind};
use keypose_editor::editor::session::preferences::ModelFiles;
use keypose_editor::editor::session::sounds::SoundAction;
use keypose_editor::editor::state::action::{Action, FileAction, MaterialAction, Origin, ReadFiles};
use keypose_editor::editor::state::effect::{Adding, Effect};
use keypose_editor::editor::state::{Editor, LockedFile};
use keypose_tools::clip_library::Fitted;

use crate::app::console;
use crate::app::files;
use crate::app::files::own_files::canonical;
use crate::app::files::{Opened, Opening};
use crate::app::files::{exports, films, image_search, layers};
use crate::app::host::workers;
use crate::app::host::workers::Destination;
use crate::app::scripted::Journal;
use crate::app::scripted::reach::Reach;
use crate::app::work::Store;
use crate::app::work::recorder::Recorder;
use crate::app::work::save::open_elsewhere;

/// Where output goes.
#[derive(Debug)]
pub enum Output {
    /// Output is printed, warnings to standard error.
    Console,
    /// Lines are kept until they are taken, with warnings and notices among them.
    Kept(Kept),
}

/// The maximum bytes of lines that are kept, more than an assistant is shown. Further lines are left out.
const MAX_KEPT_BYTES: usize = 1 << 20;

/// Kept lines.
#[derive(Debug, Default)]
pub struct Kept {
    lines: Vec<String>,
    bytes: usize,
}

impl Kept {
    fn add(&mut self, line: String) {
        if self.bytes <= MAX_KEPT_BYTES {
            self.bytes += line.len();
            self.lines.push(line);
        }
    }
}

impl Output {
    fn print(&mut self, line: String) {
        match self {
            Output::Console => console::print(line),
            Output::Kept(kept) => kept.add(line),
        }
    }

    fn warn(&mut self, line: impl Display) {
        match self {
            Output::Console => console::warn(line),
            Output::Kept(kept) => kept.add(line.to_string()),
        }
    }

    /// A script that prints can ask for a notice that only informs.
    fn notice(&mut self, notice: Notice) {
        match self {
            Output::Console if notice.kind == NoticeKind::Info => {}
            Output::Console => console::warn(notice.text),
            Output::Kept(kept) => {
                std::iter::once(notice.text).chain(notice.details).for_each(|line| kept.add(line));
            }
        }
    }

    /// The lines that were kept since the last call.
    pub fn take(&mut self) -> Vec<String> {
        match self {
            Output::Console => Vec::new(),
            Output::Kept(kept) => std::mem::take(kept).lines,
        }
    }
}

/// The editor and its recorder.
pub struct ScriptRunner {
    editor: Editor,
    /// The models with the bakes of the last read or save. The next save reuses their unchanged clips.
    characters: Vec<Arc<Character>>,
    model_files: ModelFiles,
    /// The files that commands may read and write.
    reach: Reach,
    /// Where output goes.
    pub output: Output,
    journal: Journal,
    recorder: Option<Recorder>,
    /// Whether the last changes are recorded.
    is_recorded: bool,
    /// The digest of what the document was read from or saved to last.
    digest: Option<u64>,
}

impl ScriptRunner {
    /// On a file, or on an empty document. Prints its output; commands may use any file.
    pub fn open(files: &[PathBuf], journal: Journal, model_files: ModelFiles) -> Result<ScriptRunner, String> {
        let mut runner = ScriptRunner::new(journal, model_files, (Reach::Anywhere, Output::Console));
        let origin = if files.is_empty() { Origin::New } else { runner.read(files)? };
        runner.attach(&origin);
        Ok(runner)
    }

    /// On an empty document, with a journal. Keeps its output; commands may use files of these folders alone.
    pub fn within(reach: Reach) -> ScriptRunner {
        let output = Output::Kept(Kept::default());
        let mut runner = ScriptRunner::new(Journal::Kept, ModelFiles::InFolder, (reach, output));
        runner.attach(&Origin::New);
        runner
    }

    fn new(journal: Journal, model_files: ModelFiles, (reach, output): (Reach, Output)) -> ScriptRunner {
        let editor = Editor::new(Project::default(), &Origin::New);
        let (characters, recorder, digest) = (Vec::new(), None, None);
        ScriptRunner { editor, characters, model_files, reach, output, journal, recorder, is_recorded: true, digest }
    }

    /// Replaces the new editor by one on files.
    fn read(&mut self, files: &[PathBuf]) -> Result<Origin, String> {
        let opened = self.open_files(files)?;
        let origin = layers::origin(files, opened.kind);
        self.editor = Editor::new(opened.project, &origin);
        (self.characters, self.digest) = (opened.characters, Some(opened.digest));
        Ok(origin)
    }

    pub fn editor(&self) -> &Editor {
        &self.editor
    }

    pub fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Starts to record the current document.
    fn attach(&mut self, origin: &Origin) {
        if self.journal == Journal::Kept {
            let (recorder, notes) = Recorder::attach_in(Store::of_user(), &mut self.editor, origin, self.digest);
            self.recorder = Some(recorder);
            notes.iter().for_each(|note| self.output.warn(note));
        }
    }

    /// Runs every line of a text.
    ///
    /// # Errors
    /// The number of the line, and the reason. The commands before it have been run.
    pub fn run(&mut self, text: &str) -> Result<(), String> {
        (1..)
            .zip(text.lines())
            .try_for_each(|(number, line)| self.run_line(line).map_err(|reason| format!("line {number}: {reason}")))
    }

    /// Runs the commands of a line, and checks what it expects. Output follows after the changes are recorded.
    pub fn run_line(&mut self, line: &str) -> Result<(), String> {
        if line.trim_start().starts_with('#') {
            return Ok(());
        }
        let (commands, expected) = script::split_expectation(line);
        for part in script::split_outside_quotes(commands, ';') {
            let mut done = script::Run::default();
            let opened = self.editor.opened;
            let result = script::run_line(&mut self.editor, part, &mut done);
            self.after(opened)?;
            done.printed.into_iter().for_each(|line| self.output.print(line));
            result?;
            self.perform_all(done.effects)?;
        }
        script::expect(&self.editor, expected)
    }

    /// Sends one action to the editor, as a command does.
    pub fn act(&mut self, action: impl Into<Action>) -> Result<(), String> {
        let opened = self.editor.opened;
        let effects = self.editor.update(action);
        self.after(opened)?;
        self.perform_all(effects)
    }

    /// Records what the editor did. `opened` is the count of its documents before.
    fn after(&mut self, opened: u32) -> Result<(), String> {
        if self.editor.opened != opened {
            self.reattach(&Origin::New);
        }
        self.record()
    }

    /// Performs effects and those that follow from them.
    fn perform_all(&mut self, mut waiting: Vec<Effect>) -> Result<(), String> {
        while !waiting.is_empty() {
            let effect = waiting.remove(0);
            effect.paths().into_iter().try_for_each(|path| self.reach.check(path))?;
            waiting.extend(self.perform(effect)?);
            self.record()?;
        }
        Ok(())
    }

    fn record(&mut self) -> Result<(), String> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let observed = recorder.observe(&self.editor);
        self.is_recorded = observed.is_ok();
        observed
    }

    fn reattach(&mut self, origin: &Origin) {
        if let Some(recorder) = self.recorder.take() {
            recorder.close();
        }
        self.attach(origin);
    }

    /// Opens a file to add what it has. A changed model is imported with the options of the one that it replaces.
    fn open_to_add(&self, from: &Path, adding: Adding) -> Result<Opened, String> {
        let before = if adding == Adding::Changed { self.editor.model() } else { None };
        let options = before.map(|model| ImportOptions::clone(&model.import_options)).unwrap_or_default();
        let opening = Opening { model_files: self.model_files, options, ..Opening::default() };
        files::open_with(from, &opening)
    }

    /// Adds what files have. Returns the effects that follow.
    fn import(&mut self, files: Vec<PathBuf>, refused: Vec<Refused>, adding: Adding) -> Result<Vec<Effect>, String> {
        let mut projects = Vec::with_capacity(files.len());
        for from in files {
            let opened = self.open_to_add(&from, adding)?;
            self.characters.extend(opened.characters);
            projects.push((from, opened.project));
        }
        let read = ReadFiles { projects, refused, fitted: Fitted::default() };
        Ok(self.editor.update(FileAction::LoadedToAdd { read, adding }))
    }

    fn read_sounds(&mut self, paths: &[PathBuf]) -> Result<Vec<Effect>, String> {
        let sounds = paths.iter().map(|path| files::sound(path).map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.editor.update(SoundAction::Read(sounds)))
    }

    /// Performs an effect. Returns the effects that follow.
    fn perform(&mut self, effect: Effect) -> Result<Vec<Effect>, String> {
        Ok(match effect {
            Effect::Open(path) => self.open_file(path)?,
            Effect::OpenDemo => self.open_file(files::DEMO.into())?,
            Effect::Import { files, refused, adding } => self.import(files, refused, adding)?,
            Effect::Save { document, path, below } => {
                let work = self.recorder.as_ref().map(Recorder::work);
                let is_own = self.editor.file.as_ref().is_some_and(|file| canonical(file) == canonical(&path));
                let to = Destination { path, below, work, digest: self.digest.filter(|_| is_own) };
                self.characters = Character::bake_all(&document.models, &self.characters);
                self.digest = Some(workers::save(&to, &document, &self.characters)?);
                let Destination { path, below, .. } = to;
                self.editor.update(FileAction::Saved { document, path, below })
            }
            Effect::ReadImage { path, place } => self.editor.update(films::read(&path, place)?),
            Effect::FindImages { folder, search } => {
                let found = image_search::find(&folder, &search.names, |path| self.reach.check(path));
                self.editor.update(MaterialAction::ImagesFound { search, found })
            }
            Effect::ReadSounds(paths) => self.read_sounds(&paths)?,
            Effect::PlaySound(_) => return Err("sounds are played in the window".to_owned()),
            Effect::AskPath(_) | Effect::ShowSystemDialog(..) => {
                if let Some(LockedFile { path, holder }) = &self.editor.locked {
                    return Err(open_elsewhere(path, holder));
                }
                return Err("a path is required: save PATH, open PATH, import PATH, add-clips PATH".to_owned());
            }
            Effect::ExportPicture { path, .. } => {
                return Err(format!("{}: images can't be exported by a script; use `keypose render`", path.display()));
            }
            Effect::ExportModel { path, model } => {
                exports::export(&model, &path, || Ok(()))?;
                Vec::new()
            }
            Effect::PlayTest { .. } => return Err("the game needs a window".to_owned()),
            Effect::Notice(notice) => {
                self.output.notice(notice);
                Vec::new()
            }
            // A script has a clipboard of its own.
            Effect::Copy(_) => Vec::new(),
            Effect::DiscardRecovered | Effect::CancelJob | Effect::Quit => Vec::new(),
            // A script opens unsaved work by its file.
            Effect::FindUnsavedWork => self.editor.update(FileAction::ChooseUnsavedWork(None)),
            // No script shows the file browser or drops files.
            Effect::ListFolder(_)
            | Effect::MakeFolder(_)
            | Effect::FindPlaces
            | Effect::DiscardUnsavedWork(_)
            | Effect::OpenSalvaged(_)
            | Effect::SortDropped(_)
            | Effect::ExportSprites { .. }
            | Effect::ReadPalette { .. } => Vec::new(),
        })
    }

    /// Opens a file in place of the current document. Returns the effects that follow.
    fn open_file(&mut self, path: PathBuf) -> Result<Vec<Effect>, String> {
        let opened = self.open_files(std::slice::from_ref(&path))?;
        let origin = layers::origin(&[path], opened.kind);
        (self.characters, self.digest) = (opened.characters, Some(opened.digest));
        let project = Box::new(opened.project);
        let effects = self.editor.update(FileAction::Loaded { project, origin: origin.clone() });
        self.reattach(&origin);
        Ok(effects)
    }

    fn open_files(&mut self, files: &[PathBuf]) -> Result<Opened, String> {
        let opened = layers::open(files, &Opening { model_files: self.model_files, ..Opening::default() })?;
        opened.report.iter().for_each(|finding| self.output.warn(finding));
        Ok(opened)
    }

    /// Ends the script. Unsaved steps stay for the next run.
    pub fn close(mut self) -> Result<(), String> {
        if let Some(recorder) = self.recorder.take_if(|_| !self.editor.is_dirty()) {
            recorder.close();
        }
        self.keep()
    }

    /// Keeps unsaved work for the next run.
    pub fn keep(&mut self) -> Result<(), String> {
        let (true, Some(recorder)) = (self.editor.is_dirty(), self.recorder.take()) else { return Ok(()) };
        if !recorder.is_written() {
            return Err("there are unsaved changes, and they could not be recorded: they are lost".into());
        }
        recorder.finish()?;
        let which = if self.is_recorded { "They" } else { "Those before the error" };
        console::warn(format!("There are unsaved changes. {which} are kept and will be recovered by the next run."));
        Ok(())
    }
}
