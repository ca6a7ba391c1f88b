//! The journal of the editor's document: recorded with each change, and looked at while nothing happens.

use std::time::{Duration, Instant};

use crate::app::editor_host::EditorHost;
use crate::app::recorder::Recorder;
use crate::editor::session::notice::NoticeKind;
use crate::editor::state::action::{FileAction, Origin, ProgramAction};

/// Time after which the program looks again whether another one deleted the journal.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

impl EditorHost {
    /// Records changes in the journal, before they are shown.
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
            let observed = recorder.observe(&self.editor);
            self.report_journal(observed);
        }
    }

    /// Looks whether another program deleted the journal, if it is time to. Returns true if a message says something new.
    pub fn check_journal(&mut self) -> bool {
        let is_due = self.journal_check_at().is_some_and(|at| at <= Instant::now());
        let Some(recorder) = self.recorder.as_mut().filter(|_| is_due) else { return false };
        self.journal_checked = Instant::now();
        match recorder.check(&self.editor) {
            Ok(None) => false,
            checked => self.report_journal(checked),
        }
    }

    /// When to look at the journal again; `None` while there is none.
    pub fn journal_check_at(&self) -> Option<Instant> {
        let is_written = self.recorder.as_ref().is_some_and(Recorder::is_written);
        is_written.then(|| self.journal_checked + CHECK_INTERVAL)
    }

    /// Shows what became of the journal. Returns true if that is new.
    fn report_journal(&mut self, observed: Result<Option<String>, String>) -> bool {
        let note = observed.as_ref().ok().cloned().flatten();
        // Reported once, not at every mouse movement.
        let error = observed.err();
        let failure = error.clone().filter(|_| error != self.journal_error);
        self.journal_error = error;
        let note = note.map(|text| (NoticeKind::Warning, text));
        let news = note.or(failure.map(|text| (NoticeKind::Error, text)));
        news.is_some_and(|(kind, text)| {
            self.editor.update(ProgramAction::Notice(kind, text));
            true
        })
    }

    /// Starts the journal of another document and recovers what a crash left.
    fn attach(&mut self, origin: Origin) {
        self.show_as_before(&origin);
        let before = self.editor.document.project().clone();
        let (recorder, notes) = Recorder::attach_read(&mut self.editor, &origin, self.digest);
        self.recorder = Some(recorder);
        let has_only_recovered = notes.len() == 1;
        for note in notes {
            self.editor.update(ProgramAction::Notice(NoticeKind::Warning, note));
        }
        let steps = self.editor.history.undo_count() + self.editor.history.redo_count();
        self.unrecovered = (steps > 0 && self.editor.is_dirty()).then_some((before, origin));
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

    /// Closes the journal, because the document is saved or discarded.
    pub fn close(&mut self) {
        if let Some(recorder) = self.recorder.take() {
            recorder.close();
        }
    }
}
