//! Handles messages of other threads to the editor.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use keypose_editor::editor::panels::window::browser;
use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::session::preferences::Prefer;
use keypose_editor::editor::state::action::{FileAction, ProgramAction, ReadFiles};
use keypose_editor::editor::state::effect::{Adding, PathPurpose};
use keypose_tools::clip_library::is_library;

use crate::app::files::layers;
use crate::app::files::{self, Opened};
use crate::app::host::EditorHost;
use crate::app::host::message::Message;
use crate::app::host::workers;
use crate::app::window::dialogs::Outcome;
use crate::app::work;

/// The message if the user asks for a dialog of the system, and it has none.
const NO_DIALOG: &str = "This system has no file dialogs: on Linux they need xdg-desktop-portal with a backend, or zenity. \
                         Keypose's own browser is shown instead.";

impl EditorHost {
    /// Handles a message of another thread.
    pub fn handle_message(&mut self, message: Message) {
        match message {
            Message::Picked { purpose, start, outcome } => self.picked(purpose, start, outcome),
            Message::Imported { progress, .. } if progress.is_cancelled() => {}
            Message::Imported { files, refused, fitted, adding, .. } => {
                let read = ReadFiles { projects: Vec::new(), refused, fitted };
                self.imported(files, read, adding);
            }
            Message::Read { progress, .. } if progress.is_cancelled() => {}
            Message::Read { files, opened, measures, .. } => {
                self.remove_read_job();
                self.editor.caches.expect(measures);
                match opened {
                    Ok(opened) => {
                        self.loaded(&files, *opened);
                        self.report_notes();
                    }
                    Err(error) => self.not_loaded(error, files.first()),
                }
            }
            Message::Image { progress, .. } if progress.is_cancelled() => {}
            Message::Image { read, .. } => self.image_read(read),
            Message::Update(action) => self.update(action),
            Message::Answer { opened, actions } if opened == self.editor.opened => {
                actions.into_iter().for_each(|action| self.update(action));
            }
            // Another document was opened meanwhile.
            Message::Answer { .. } => {}
            Message::Sheet { source, progress, made } => self.sheet_made(source, &progress, *made),
            Message::Exported { progress, .. } if progress.is_cancelled() => {}
            Message::Exported { path, done, .. } => self.exported(&path, done),
            Message::ChoreDone(done) => self.chore_done(done),
            Message::FilmFrames(frames) => self.films_decoded(frames),
            Message::RigWork(work, made) => self.rig_work_done(work, made),
            Message::SourceChanged { file, written } => self.source_changed(file, written),
            // Messages to the game and to the window.
            Message::Changed { .. } | Message::Followed | Message::Fonts(_) | Message::Preview(_) => {}
            Message::Written { opened, path, document, below, characters, done } => {
                self.jobs.saving -= 1;
                match done {
                    // Another document is open: its file is another one.
                    Ok(()) if opened != self.editor.opened => {
                        let text = format!("Saved {}", path.display());
                        self.update(ProgramAction::Notice(NoticeKind::Info, text));
                    }
                    Ok(()) => {
                        self.characters = characters;
                        self.update(FileAction::Saved { document, path, below });
                    }
                    Err(error) => self.update(ProgramAction::Notice(NoticeKind::Error, error)),
                }
            }
        }
    }

    /// Offers a changed source once.
    fn source_changed(&mut self, file: PathBuf, written: SystemTime) {
        let known = self.source_seen.replace((file.clone(), written));
        if known != Some((file.clone(), written)) {
            self.update(FileAction::SourceChanged(file));
        }
    }

    /// Checks whether the file that the active model was imported from, beside the archive, is newer than the archive.
    pub fn check_source(&self) {
        let Some((archive, model)) = self.editor.file.as_ref().zip(self.editor.model()) else { return };
        let name = Path::new(&model.source.file).file_name();
        if let Some(file) = name.map(|name| archive.with_file_name(name)) {
            workers::check_source(file, archive.clone(), &self.proxy);
        }
    }

    /// Reports that a file could not be read.
    fn not_loaded(&mut self, error: String, file: Option<&PathBuf>) {
        self.report_notes();
        self.update(ProgramAction::SetAwaiting(false));
        if self.recorder.is_none() {
            self.opened = None;
        }
        let damaged = file.filter(|file| files::begins_as_archive(file)).cloned();
        self.update(FileAction::NotLoaded { error, damaged });
        self.find_recent();
    }

    /// Handles the end of a dialog of the system. Without one, the browser is shown.
    fn picked(&mut self, purpose: PathPurpose, start: PathBuf, outcome: Outcome) {
        match outcome {
            Outcome::Cancelled => {}
            Outcome::Missing => {
                self.update(ProgramAction::Notice(NoticeKind::Warning, NO_DIALOG.into()));
                if self.dock.browser.is_none() {
                    self.browse(purpose, start);
                }
                if let Some(browser) = &mut self.dock.browser {
                    browser.report(NO_DIALOG);
                }
            }
            Outcome::Picked(paths) => {
                let options = self.dock.browser.take().map(|browser| browser.options).unwrap_or_default();
                self.update(browser::answer(purpose, options, paths));
            }
        }
    }

    /// Passes the models of files to the editor.
    fn imported(&mut self, files: Vec<(PathBuf, Opened)>, mut read: ReadFiles, adding: Adding) {
        self.remove_read_job();
        let is_single = files.len() == 1;
        for (path, opened) in files {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // A file that is opened after all is reported then.
            let is_added = adding != Adding::ClipsOrOpen || opened.project.models.iter().all(|it| is_library(it));
            if is_added {
                let named = |line| if is_single { line } else { format!("{name}: {line}") };
                self.update(ProgramAction::Report(opened.report.into_iter().map(named).collect()));
            }
            self.characters.extend(opened.characters);
            read.projects.push((path, opened.project));
        }
        // The report about all files is the last notice, which stays on the screen.
        self.update(FileAction::LoadedToAdd { read, adding });
    }

    pub(super) fn loaded(&mut self, files: &[PathBuf], opened: Opened) {
        let project = Box::new(opened.project);
        let path = files.first().cloned().unwrap_or_default();
        let origin = layers::origin(files, opened.kind);
        (self.characters, self.digest) = (opened.characters, Some(opened.digest));
        self.arriving = Some(origin.clone());
        self.update(FileAction::Loaded { project, origin });
        if !files::is_built_in(&path) && !work::is_steps(&path) {
            self.update(Prefer::Remember(path));
            self.find_recent();
        }
        let session = &self.editor.session;
        if !session.workspace.preferences.knows_first_steps && session.workspace.first_steps.is_none() {
            self.update(ProgramAction::ShowFirstSteps(true));
        }
        self.update(ProgramAction::Report(opened.report));
        self.check_source();
    }
}
