//! Notices: shown for a while, and counted in the log.

use crate::editor::session::Question;
use crate::editor::session::notice::{Notice, NoticeKind, Offer};
use crate::editor::state::Editor;
use crate::editor::state::effect::Effect;

const MAX_LOG_LINES: usize = 1000;

/// Shows and logs that nothing happened, or what did.
pub(super) fn info(editor: &mut Editor, text: impl Into<String>) {
    notice(editor, NoticeKind::Info, text);
}

/// Shows and logs that something is not as it should be.
pub(super) fn warning(editor: &mut Editor, text: impl Into<String>) {
    notice(editor, NoticeKind::Warning, text);
}

/// Asks a question, unless another one is open.
pub(super) fn ask_if_free(editor: &mut Editor, question: Question) {
    let open = &mut editor.session.transient.question;
    if open.is_none() {
        *open = Some(question);
    } else {
        warning(editor, "Answer the open question first, then try again.");
    }
}

/// Shows and logs why something failed.
pub(super) fn error(editor: &mut Editor, text: impl Into<String>) {
    notice(editor, NoticeKind::Error, text);
}

/// Shows and logs a message with a button that does what it offers.
pub(super) fn offer(editor: &mut Editor, text: &str, offer: Option<Offer>) {
    show(editor, Notice::new(NoticeKind::Info, text, offer));
}

/// Shows and logs why something failed, with a button.
pub(super) fn fail(editor: &mut Editor, text: &str, offer: Option<Offer>) {
    show(editor, Notice::new(NoticeKind::Error, text, offer));
}

/// Logs a message of the program, and shows it unless it is a warning that was shown before.
pub(super) fn report(editor: &mut Editor, kind: NoticeKind, text: &str) {
    let notice = logged(editor, Notice::new(kind, text, None));
    if notice.kind != NoticeKind::Warning || notice.count == 1 {
        put(editor, notice);
    }
}

/// Logs findings, the worst first, and shows the first. Of more than [`Notice::MAX_REPORTED`], the last line holds the others.
pub(super) fn report_all(editor: &mut Editor, mut lines: Vec<String>) {
    let all = lines.len();
    let more = if all > Notice::MAX_REPORTED { lines.split_off(Notice::MAX_REPORTED - 1) } else { Vec::new() };
    let Some(first) = lines.first().cloned() else { return };
    for line in &lines {
        logged(editor, Notice::new(NoticeKind::Warning, line, None));
    }
    if !more.is_empty() {
        logged(editor, Notice::with_details(NoticeKind::Warning, &format!("{} more findings", more.len()), &more));
    }
    let text = if all > 1 { format!("{first} – {} more in the log", all - 1) } else { first };
    let is_missing = editor.model().is_some_and(|model| model.missing_textures().next().is_some());
    put(editor, Notice::new(NoticeKind::Warning, &text, is_missing.then_some(Offer::FindTextures)));
}

/// Ends an error, because the user continues.
pub(super) fn end_error(editor: &mut Editor) {
    editor.session.transient.notice.take_if(|notice| notice.kind == NoticeKind::Error);
}

/// Says what a new undo step deleted, and offers to undo a step that was reported. `added` is the number of steps before the action.
pub(super) fn report_step(editor: &mut Editor, added: u64) {
    if editor.history.added() == added {
        return;
    }
    if let Some(text) = editor.history.undo_label().and_then(deletion)
        && !has_reported(editor)
    {
        info(editor, text);
    }
    if has_reported(editor)
        && let Some(notice) = &mut editor.session.transient.notice
        && notice.kind == NoticeKind::Info
        && notice.offer.is_none()
    {
        notice.offer = Some(Offer::Undo);
    }
}

/// "Deleted keyframe" for the step "Delete keyframe"; `None` for a step that deletes nothing.
fn deletion(label: &str) -> Option<String> {
    let past = [("Delete ", "Deleted "), ("Remove ", "Removed ")];
    past.iter().find_map(|(verb, past)| Some(format!("{past}{}", label.strip_prefix(verb)?)))
}

/// Whether the action that is handled showed a notice.
fn has_reported(editor: &Editor) -> bool {
    editor.effects.iter().any(|effect| matches!(effect, Effect::Notice(_)))
}

/// Shows a message and logs it.
pub(super) fn notice(editor: &mut Editor, kind: NoticeKind, text: impl Into<String>) {
    show(editor, Notice::new(kind, &text.into(), None));
}

/// Shows and logs a notice.
pub(super) fn show(editor: &mut Editor, notice: Notice) {
    let notice = logged(editor, notice);
    put(editor, notice);
}

fn put(editor: &mut Editor, notice: Notice) {
    editor.session.transient.notice = Some(notice.clone());
    editor.effects.push(Effect::Notice(notice));
}

/// Adds a notice to the end of the log. A repeated one replaces the earlier line and counts it.
pub(super) fn logged(editor: &mut Editor, mut notice: Notice) -> Notice {
    let log = &mut editor.session.workspace.log;
    if let Some(at) = log.iter().position(|other| is_same(other, &notice)) {
        notice.count = log.remove(at).count + 1;
    }
    log.push(notice.clone());
    if log.len() > MAX_LOG_LINES {
        log.remove(0);
    }
    notice
}

fn is_same(a: &Notice, b: &Notice) -> bool {
    (a.kind, &a.text, &a.details) == (b.kind, &b.text, &b.details)
}
