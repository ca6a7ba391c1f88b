//! `keypose edit --script SCRIPT`: the editor without a window. Runs commands and prints their output; commands read and
//! write files.

use std::cell::RefCell;
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use keypose::assets::character::Character;
use keypose::assets::import_options::ImportOptions;
use keypose::assets::project::Project;
use keypose_editor::editor::script;
use keypose_editor::editor::session::dropped::Refused;
use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::session::preferences::ModelFiles;
use keypose_editor::editor::session::sounds::SoundAction;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{FileAction, MaterialAction, Origin, ReadFiles};
use keypose_editor::editor::state::effect::{Adding, Effect};
use keypose_tools::clip_library::Fitted;

use crate::app::console;
use crate::app::files;
use crate::app::files::{Opened, Opening};
use crate::app::files::{exports, image_search, layers};
use crate::app::host::workers;
use crate::app::host::workers::Destination;
use crate::app::work::Store;
use crate::app::work::recorder::Recorder;

/// Whether a run records unsaved changes, as the window does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Journal {
    /// Unsaved changes are discarded at the end.
    None,
    /// Unsaved changes of the previous run are recovered. Output is printed after its changes are recorded.
    Kept,
}

/// Maximum length of a line of a script.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// Runs a script (`-`: standard input) on a file or an empty document, and prints its output.
pub fn run(files: &[PathBuf], script: &Path, journal: Journal, model_files: ModelFiles) -> Result<ExitCode, String> {
    let mut runner = ScriptRunner::open(files, journal, model_files)?;
    let name = if script == Path::new("-") { "standard input".to_owned() } else { script.display().to_string() };
    let lines = Lines::of(script)?;
    for number in 1.. {
        let Some(line) = lines.next() else { break };
        if let Err(reason) = line.and_then(|line| runner.run_line(&line)) {
            runner.keep().unwrap_or_else(console::warn);
            return Err(format!("{name}, line {number}: {reason}"));
        }
    }
    runner.close()?;
    Ok(ExitCode::SUCCESS)
}

/// The lines of a script.
enum Lines {
    /// Of a file.
    Read(RefCell<std::vec::IntoIter<String>>),
    /// As they arrive.
    Arriving(Receiver<Result<String, String>>),
}

impl Lines {
    fn of(script: &Path) -> Result<Lines, String> {
        if script != Path::new("-") {
            let text = String::from_utf8(files::read(script)?);
            let text = text.map_err(|_| format!("{}: not a text file", script.display()))?;
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            return Ok(Lines::Read(RefCell::new(lines.into_iter())));
        }
        let (sender, arriving) = sync_channel(0);
        std::thread::spawn(move || {
            let mut input = io::stdin().lock();
            let lines = std::iter::from_fn(|| read_line(&mut input).transpose());
            // After an error, no line is taken any more.
            lines.map(|line| line.map_err(|error| error.to_string())).try_for_each(|line| sender.send(line))
        });
        Ok(Lines::Arriving(arriving))
    }

    /// The next line; `None` at the end.
    fn next(&self) -> Option<Result<String, String>> {
        match self {
            Lines::Read(lines) => lines.borrow_mut().next().map(Ok),
            Lines::Arriving(arriving) => arriving.recv().ok(),
        }
    }
}

/// The next line; `None` at the end. One that never ends is an error.
fn read_line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    let length = from.take(MAX_LINE_BYTES).read_line(&mut line)?;
    if length as u64 == MAX_LINE_BYTES {
        return Err(io::Error::new(ErrorKind::InvalidData, "the line is longer than 16 MiB"));
    }
    let end = line.trim_end_matches('\n').trim_end_matches('\r').len();
    line.truncate(end);
    Ok((length > 0).then_some(line))
}

/// The editor and its recorder.
struct ScriptRunner {
    editor: Editor,
    /// The models with the bakes of the last read or save. The next save reuses their unchanged clips.
    characters: Vec<Arc<Character>>,
    model_files: ModelFiles,
    journal: Journal,
    recorder: Option<Recorder>,
    /// Whether the last changes are recorded.
    is_recorded: bool,
    /// The digest of what the document was read from.
    digest: Option<u64>,
}

impl ScriptRunner {
    fn open(files: &[PathBuf], journal: Journal, model_files: ModelFiles) -> Result<ScriptRunner, String> {
        let (project, characters, origin, digest) = if files.is_empty() {
            (Project::default(), Vec::new(), Origin::New, None)
        } else {
            let opened = open(files, model_files)?;
            (opened.project, opened.characters, layers::origin(files, opened.kind), Some(opened.digest))
        };
        let editor = Editor::new(project, &origin);
        let mut runner =
            ScriptRunner { editor, characters, model_files, journal, recorder: None, is_recorded: true, digest };
        runner.attach(&origin);
        Ok(runner)
    }

    /// Starts to record the current document.
    fn attach(&mut self, origin: &Origin) {
        if self.journal == Journal::Kept {
            let (recorder, notes) = Recorder::attach_in(Store::of_user(), &mut self.editor, origin, self.digest);
            self.recorder = Some(recorder);
            notes.iter().for_each(console::warn);
        }
    }

    /// Runs the commands of a line, and checks what it expects. Output is printed after the changes are recorded.
    fn run_line(&mut self, line: &str) -> Result<(), String> {
        if line.trim_start().starts_with('#') {
            return Ok(());
        }
        let (commands, expected) = script::split_expectation(line);
        for part in script::split_outside_quotes(commands, ';') {
            let mut done = script::Run::default();
            let opened = self.editor.opened;
            let result = script::run_line(&mut self.editor, part, &mut done);
            if self.editor.opened != opened {
                self.reattach(&Origin::New);
            }
            self.record()?;
            done.printed.iter().for_each(console::print);
            result?;
            let mut waiting = done.effects;
            while !waiting.is_empty() {
                let effect = waiting.remove(0);
                waiting.extend(self.perform(effect)?);
                self.record()?;
            }
        }
        script::expect(&self.editor, expected)
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

    fn read_sounds(&mut self, paths: &[PathBuf], opened: u32) -> Result<Vec<Effect>, String> {
        let sounds = paths.iter().map(|path| files::sound(path).map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.editor.update(SoundAction::Read { opened, sounds }))
    }

    /// Performs an effect. Returns the effects that follow.
    fn perform(&mut self, effect: Effect) -> Result<Vec<Effect>, String> {
        Ok(match effect {
            Effect::Open(path) => self.open_file(path)?,
            Effect::OpenDemo => self.open_file(files::DEMO.into())?,
            Effect::Import { files, refused, adding } => self.import(files, refused, adding)?,
            Effect::Save { document, path, below } => {
                let work = self.recorder.as_ref().map(Recorder::work);
                let to = Destination { path, below, work };
                self.characters = Character::bake_all(&document.models, &self.characters);
                workers::save(&to, &document, &self.characters)?;
                let Destination { path, below, .. } = to;
                self.editor.update(FileAction::Saved { document, path, below })
            }
            Effect::ReadImage { path, place } => {
                let image = Arc::new(files::image(&path, &place.purpose)?);
                self.editor.update(MaterialAction::ImageRead { place, image })
            }
            Effect::FindImages { folder, search } => {
                let found = image_search::find(&folder, &search.names);
                self.editor.update(MaterialAction::ImagesFound { search, found })
            }
            Effect::ReadSounds { paths, opened } => self.read_sounds(&paths, opened)?,
            Effect::PlaySound(_) => return Err("sounds are played in the window".to_owned()),
            Effect::AskPath(_) | Effect::ShowSystemDialog(..) => {
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
                if notice.kind != NoticeKind::Info {
                    console::warn(notice.text);
                }
                Vec::new()
            }
            // A script has a clipboard of its own.
            Effect::Copy(_) => Vec::new(),
            Effect::DiscardRecovered | Effect::CancelJob | Effect::Quit => Vec::new(),
            // No script shows the file browser or drops files.
            Effect::ListFolder(_)
            | Effect::MakeFolder(_)
            | Effect::FindPlaces
            | Effect::FindUnsavedWork
            | Effect::DiscardUnsavedWork(_)
            | Effect::OpenSalvaged(_)
            | Effect::SortDropped(_) => Vec::new(),
        })
    }

    /// Opens a file in place of the current document. Returns the effects that follow.
    fn open_file(&mut self, path: PathBuf) -> Result<Vec<Effect>, String> {
        let opened = open(std::slice::from_ref(&path), self.model_files)?;
        let origin = layers::origin(&[path], opened.kind);
        (self.characters, self.digest) = (opened.characters, Some(opened.digest));
        let project = Box::new(opened.project);
        let effects = self.editor.update(FileAction::Loaded { project, origin: origin.clone() });
        self.reattach(&origin);
        Ok(effects)
    }

    /// Ends the script. Unsaved steps stay for the next run.
    fn close(mut self) -> Result<(), String> {
        if let Some(recorder) = self.recorder.take_if(|_| !self.editor.is_dirty()) {
            recorder.close();
        }
        self.keep()
    }

    /// Keeps unsaved work for the next run.
    fn keep(&mut self) -> Result<(), String> {
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

fn open(files: &[PathBuf], model_files: ModelFiles) -> Result<Opened, String> {
    let opened = layers::open(files, &Opening { model_files, ..Opening::default() })?;
    opened.report.iter().for_each(console::warn);
    Ok(opened)
}
