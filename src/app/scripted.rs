//! `keypose edit --script FILE`: the editor without a window. Words in, printed document out; files are read and written
//! as the words say.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use crate::app::recorder::Recorder;
use crate::app::{files, layers, workers};
use crate::assets::project::Project;
use crate::editor::script;
use crate::editor::session::notice::NoticeKind;
use crate::editor::state::Editor;
use crate::editor::state::action::{FileAction, MaterialAction, Origin};
use crate::editor::state::effect::Effect;

/// Whether a run keeps a journal, as the window does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Journal {
    /// What is not saved at the end is thrown away.
    None,
    /// What a run before did not save is recovered; nothing is printed before what was done is written down.
    Kept,
}

/// Runs a script (`-`: the words that come on standard input) on a file, or on an empty document, and prints what it
/// shows.
pub fn run(files: &[PathBuf], script: &Path, journal: Journal) -> Result<ExitCode, String> {
    let mut desk = Desk::open(files, journal)?;
    let name = if script == Path::new("-") { "standard input".to_owned() } else { script.display().to_string() };
    for (number, line) in (1..).zip(lines(script)?) {
        line.and_then(|line| desk.run_line(&line)).map_err(|reason| format!("{name}, line {number}: {reason}"))?;
    }
    desk.close();
    Ok(ExitCode::SUCCESS)
}

/// The lines of a script, one after the other as they come.
fn lines(script: &Path) -> Result<Box<dyn Iterator<Item = Result<String, String>>>, String> {
    if script == Path::new("-") {
        let lines = std::io::stdin().lock().lines();
        return Ok(Box::new(lines.map(|line| line.map_err(|error| error.to_string()))));
    }
    let text = String::from_utf8(files::read(script)?).map_err(|_| format!("{}: it is not text", script.display()))?;
    Ok(Box::new(text.lines().map(|line| Ok(line.to_owned())).collect::<Vec<_>>().into_iter()))
}

/// The editor, and what it needs of the world.
struct Desk {
    editor: Editor,
    journal: Journal,
    recorder: Option<Recorder>,
}

impl Desk {
    fn open(files: &[PathBuf], journal: Journal) -> Result<Desk, String> {
        let (project, origin) = if files.is_empty() { (Project::default(), Origin::New) } else { open(files)? };
        let mut desk = Desk { editor: Editor::new(project, &origin), journal, recorder: None };
        desk.attach(&origin);
        Ok(desk)
    }

    /// Starts the journal of the document that the editor has now.
    fn attach(&mut self, origin: &Origin) {
        if self.journal == Journal::Kept {
            let (recorder, notes) = Recorder::attach(&mut self.editor, origin);
            self.recorder = Some(recorder);
            notes.iter().for_each(|note| eprintln!("{note}"));
        }
    }

    /// Does the parts of a line. What they print is printed when what they did is in the journal.
    fn run_line(&mut self, line: &str) -> Result<(), String> {
        if line.trim_start().starts_with('#') {
            return Ok(());
        }
        for part in script::split_outside_quotes(line, ';') {
            let mut done = script::Run::default();
            let opened = self.editor.opened;
            let result = script::run_line(&mut self.editor, part, &mut done);
            if self.editor.opened != opened {
                self.reattach(&Origin::New);
            }
            self.record()?;
            done.printed.iter().for_each(|line| println!("{line}"));
            result?;
            let mut waiting = done.effects;
            while !waiting.is_empty() {
                let effect = waiting.remove(0);
                waiting.extend(self.perform(effect)?);
                self.record()?;
            }
        }
        Ok(())
    }

    fn record(&mut self) -> Result<(), String> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        recorder.observe(&self.editor)
    }

    fn reattach(&mut self, origin: &Origin) {
        if let Some(recorder) = self.recorder.take() {
            recorder.close();
        }
        self.attach(origin);
    }

    /// Does what must happen outside; what follows from it comes back.
    fn perform(&mut self, effect: Effect) -> Result<Vec<Effect>, String> {
        Ok(match effect {
            Effect::Open(path) => {
                let (project, origin) = open(&[path])?;
                let effects =
                    self.editor.update(FileAction::Loaded { project: Box::new(project), origin: origin.clone() });
                self.reattach(&origin);
                effects
            }
            Effect::Import(from) => {
                let (project, _) = open(std::slice::from_ref(&from))?;
                self.editor.update(FileAction::LoadedToAdd { project: Box::new(project), from })
            }
            Effect::Save { document, path, below } => {
                let journal = self.recorder.as_ref().map(Recorder::journal).unwrap_or_default();
                workers::save(&path, &below, &document, &[], &journal)?;
                self.editor.update(FileAction::Saved { document, path, below })
            }
            Effect::ReadImage { path, place } => {
                let image = Arc::new(files::image(&path, &place.purpose)?);
                self.editor.update(MaterialAction::ImageRead { place, image })
            }
            Effect::AskPath(_) => return Err("a path is needed: save PATH, open PATH, import PATH".to_owned()),
            Effect::OpenDemo => {
                let (project, origin) = open(&[files::DEMO.into()])?;
                let effects =
                    self.editor.update(FileAction::Loaded { project: Box::new(project), origin: origin.clone() });
                self.reattach(&origin);
                effects
            }
            Effect::ExportPicture { path, .. } => {
                return Err(format!("{}: `keypose render` makes pictures without a window", path.display()));
            }
            Effect::PlayTest(_) => return Err("the game mode needs a window".to_owned()),
            Effect::Notice(notice) => {
                if notice.kind != NoticeKind::Info {
                    eprintln!("{}", notice.text);
                }
                Vec::new()
            }
            Effect::DiscardRecovered | Effect::CancelJob | Effect::Quit => Vec::new(),
        })
    }

    /// The script is at its end. A journal with steps that are not saved stays for the next run.
    fn close(mut self) {
        let Some(recorder) = self.recorder.take() else { return };
        if self.editor.is_dirty() {
            eprintln!("There are changes that are not saved; they are in the journal and come back with the next run.");
        } else {
            recorder.close();
        }
    }
}

fn open(files: &[PathBuf]) -> Result<(Project, Origin), String> {
    let opened = layers::open(files)?;
    opened.report.iter().for_each(|line| eprintln!("{line}"));
    Ok((opened.project, layers::origin(files, opened.kind)))
}
