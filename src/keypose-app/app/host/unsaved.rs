//! The unsaved work on the editor's document: recorded with each change.

use std::sync::Arc;
use std::thread::JoinHandle;

use keypose::assets::project::Project;
use keypose_editor::editor::session::notice::NoticeKind;
use keypose_editor::editor::state::action::{FileAction, Origin, ProgramAction};

use crate::app::host::{EditorHost, workers};
use crate::app::work;
use crate::app::work::Store;
use crate::app::work::recorder::Recorder;

impl EditorHost {
    /// Records changes, before they are shown.
    pub(super) fn record(&mut self) {
        if !self.is_editing {
            return;
        }
        if self.is_new_document() {
            let origin = self.arriving.take().unwrap_or(Origin::New);
            if let Some(recorder) = self.recorder.take() {
                recorder.close();
            }
            self.attach(origin);
        } else if let Some(recorder) = &mut self.recorder {
            let error = recorder.observe(&self.editor).err();
            // Reported once, not at every mouse movement.
            let is_new = error != self.record_error;
            self.record_error.clone_from(&error);
            if let Some(text) = error
                && is_new
            {
                self.editor.update(ProgramAction::Notice(NoticeKind::Error, text));
            }
        }
    }

    /// Starts to record another document, and recovers what a crash left.
    fn attach(&mut self, origin: Origin) {
        self.show_as_before(&origin);
        if origin == Origin::New {
            workers::find_unsaved_work(&self.proxy);
            self.find_recent();
        }
        // Of work that is a document of its own, nothing is left without it.
        let before = match &origin {
            Origin::Imported(path) if work::is_steps(path) => (Arc::<Project>::default(), Origin::New),
            _ => (self.editor.document.project().clone(), origin.clone()),
        };
        let (recorder, notes) = Recorder::attach_in(Store::of_user(), &mut self.editor, &origin, self.digest);
        let steps = recorder.recovered;
        self.recorder = Some(recorder);
        let has_only_recovered = notes.len() == 1;
        for note in notes {
            self.editor.update(ProgramAction::Notice(NoticeKind::Warning, note));
        }
        self.unrecovered = (steps > 0 && self.editor.is_dirty()).then_some(before);
        if self.unrecovered.is_some() {
            self.editor.update(FileAction::Recovered(steps));
            // The recovery banner shows this already.
            if has_only_recovered {
                self.editor.update(ProgramAction::DismissNotice);
            }
        }
    }

    pub(super) fn discard_recovered(&mut self) {
        let Some((project, origin)) = self.unrecovered.take() else { return };
        self.close();
        self.arriving = Some(origin.clone());
        self.update(FileAction::Loaded { project: Box::new((*project).clone()), origin });
    }

    /// Whether the document was replaced by another one.
    fn is_new_document(&mut self) -> bool {
        let opened = self.editor.opened;
        self.opened.replace(opened) != Some(opened)
    }

    /// Deletes the recorded work, because the document is saved or discarded. Saves that were started end first.
    pub fn close(&mut self) {
        let _ = self.jobs.last_save.take().map(JoinHandle::join);
        if let Some(recorder) = self.recorder.take() {
            recorder.close();
        }
    }
}
