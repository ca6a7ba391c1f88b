//! Re-import of a changed model: shows what would change, then does it in one undo step.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::editor::commands::needs;
use crate::editor::document::edit::ModelEdit;
use crate::editor::session::Question;
use crate::editor::session::dropped::{Refused, refused_text};
use crate::editor::session::notice::{Notice, NoticeKind, Offer};
use crate::editor::session::reimport::PendingReimport;
use crate::editor::state::Editor;
use crate::editor::state::action::ReimportAnswer;
use crate::editor::update::{ask_if_free, error, info, step};
use keypose::assets::project::Project;
use keypose_tools::reimport::{Reimport, SameClips, reimport, summary};

/// Asks whether the active model becomes the one that was read.
pub fn propose(editor: &mut Editor, read: &[(PathBuf, Project)], refused: &[Refused]) {
    let found = read.first().and_then(|(path, project)| Some((path, project.models.first()?)));
    let Some((file, changed)) = found else {
        let reason = if refused.is_empty() { "The file has no model.".to_owned() } else { refused_text(refused) };
        return error(editor, reason);
    };
    let same_clips = SameClips::default();
    match compare(editor, changed, same_clips) {
        Ok(Reimport { table, .. }) => {
            let (file, changed) = (file.clone(), changed.clone());
            let pending = Box::new(PendingReimport { file, changed, same_clips, table });
            ask_if_free(editor, Question::Reimport(pending));
        }
        Err(reason) => error(editor, format!("{}: {reason}", file.display())),
    }
}

/// Handles the answer.
pub fn answer(editor: &mut Editor, answer: ReimportAnswer) {
    let Some(Question::Reimport(mut pending)) = editor.session.transient.question.take() else { return };
    match answer {
        ReimportAnswer::Cancel => {}
        ReimportAnswer::SameClips(same_clips) => {
            if let Ok(done) = compare(editor, &pending.changed, same_clips) {
                (pending.same_clips, pending.table) = (same_clips, done.table);
            }
            editor.session.transient.question = Some(Question::Reimport(pending));
        }
        ReimportAnswer::Apply => apply(editor, &pending),
    }
}

fn compare(editor: &Editor, changed: &Arc<keypose::assets::model::Model>, same: SameClips) -> Result<Reimport, String> {
    reimport(editor.model().ok_or(needs::NO_MODEL)?, changed, same)
}

fn apply(editor: &mut Editor, pending: &PendingReimport) {
    let Reimport { model, table } = match compare(editor, &pending.changed, pending.same_clips) {
        Ok(done) => done,
        Err(reason) => return error(editor, reason),
    };
    let text = format!("Re-imported {}: {}", model.name, summary(&table));
    let edit = ModelEdit::Replace { model: editor.session.focus.model, with: Box::new(model) };
    step(editor, "Re-import model", edit);
    let log = &mut editor.session.workspace.log;
    log.extend(table.iter().map(|row| Notice::new(NoticeKind::Info, &row.to_string(), None)));
    info(editor, text);
}

/// Offers to re-import a file that was changed after the document was saved.
pub fn offer(editor: &mut Editor, file: &Path) {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let text = format!("{name} was changed after this archive was saved.");
    super::offer(editor, &text, Some(Offer::Reimport(file.to_owned())));
}
