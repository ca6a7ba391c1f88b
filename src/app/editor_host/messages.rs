//! Handles messages of other threads to the editor.

use std::path::{Path, PathBuf};

use crate::app::editor_host::EditorHost;
use crate::app::files::{self, Opened};
use crate::app::layers;
use crate::app::message::{Message, Reading};
use crate::editor::panels::window::prompts;
use crate::editor::session::notice::NoticeKind;
use crate::editor::session::preferences::Prefer;
use crate::editor::state::action::{FileAction, ProgramAction};
use crate::editor::state::effect::PathPurpose;
use crate::editor::state::export_options::ExportOptions;

impl EditorHost {
    /// Handles a message.
    pub fn handle_message(&mut self, message: Message) {
        match message {
            Message::Picked { path: None, .. } => {}
            Message::Picked { ask: PathPurpose::Image, path: Some(path) } => {
                if let Some(field) = &mut self.dock.path {
                    field.path.text = path.to_string_lossy().into_owned();
                }
            }
            Message::Picked { ask, path: Some(path) } => {
                self.dock.path = None;
                self.update(prompts::answer(ask, ExportOptions::default(), path));
            }
            Message::Read { progress, .. } if progress.is_cancelled() => {}
            Message::Read { files, reading, opened, .. } => {
                self.remove_read_job();
                match opened {
                    Ok(opened) => {
                        self.loaded(&files, reading, *opened);
                        self.report_notes();
                    }
                    Err(error) => self.not_loaded(error),
                }
            }
            Message::Image { progress, .. } if progress.is_cancelled() => {}
            Message::Image { place, read, .. } => self.image_read(place, read),
            Message::Exported { progress, .. } if progress.is_cancelled() => {}
            Message::Exported { path, done, .. } => self.exported(&path, done),
            Message::Missing(files) => self.update(ProgramAction::MissingFiles(files)),
            // Messages to the game.
            Message::Changed { .. } | Message::Followed | Message::Fonts(_) => {}
            Message::Written { path, document, below, characters, done } => {
                self.jobs.saving -= 1;
                self.characters = characters;
                match done {
                    Ok(()) => self.update(FileAction::Saved { document, path, below }),
                    Err(error) => self.update(ProgramAction::Notice(NoticeKind::Error, error)),
                }
            }
        }
    }

    /// Reports that a file could not be read.
    fn not_loaded(&mut self, error: String) {
        self.report_notes();
        self.update(ProgramAction::SetAwaiting(false));
        if self.recorder.is_none() {
            self.opened = None;
        }
        self.update(ProgramAction::Notice(NoticeKind::Error, error));
        self.find_missing();
    }

    pub(super) fn loaded(&mut self, files: &[PathBuf], reading: Reading, opened: Opened) {
        let project = Box::new(opened.project);
        let path = files.first().cloned().unwrap_or_default();
        let origin = layers::origin(files, opened.kind);
        match reading {
            Reading::Open => {
                self.characters = opened.characters;
                self.arriving = Some(origin.clone());
                self.update(FileAction::Loaded { project, origin });
                if path != Path::new(files::DEMO) {
                    let path = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
                    self.update(ProgramAction::Prefer(Prefer::Remember(path)));
                    self.find_missing();
                }
                let session = &self.editor.session;
                if !session.workspace.preferences.knows_first_steps && session.workspace.first_steps.is_none() {
                    self.update(ProgramAction::ShowFirstSteps(true));
                }
            }
            Reading::Import => {
                self.characters.extend(opened.characters);
                self.update(FileAction::LoadedToAdd { project, from: path });
            }
        }
        for line in opened.report {
            self.update(ProgramAction::Notice(NoticeKind::Warning, line));
        }
    }
}
