//! Saving, opening, adding, playing; and the question about unsaved changes.

use std::path::{Path, PathBuf};

use crate::assets::project::Project;
use crate::editor::document::Document;
use crate::editor::document::edit::Edit;
use crate::editor::session::notice::NoticeKind;
use crate::editor::session::{Answer, Prompt};
use crate::editor::state::action::{Action, Origin};
use crate::editor::state::effect::{Ask, Effect};
use crate::editor::state::export_options::{FilmWish, Moments};
use crate::editor::state::{Editor, title};
use crate::editor::update::{notice, step, transaction, update};

/// Something that throws the document away: asks first where it is not saved.
pub fn replace(editor: &mut Editor, action: Action, effects: &mut Vec<Effect>) {
    transaction::commit(editor);
    if editor.is_dirty() {
        editor.session.transient.prompt = Some(Prompt { then: Box::new(action) });
        return;
    }
    go_on(editor, action, effects);
}

/// Throws the document away.
fn go_on(editor: &mut Editor, action: Action, effects: &mut Vec<Effect>) {
    match action {
        Action::New => *editor = editor.reopened(Project::default(), &Origin::New),
        Action::Open(Some(path)) => effects.push(Effect::Open(path)),
        Action::OpenDemo => effects.push(Effect::OpenDemo),
        Action::Quit => effects.push(Effect::Quit),
        other => update(editor, other, effects),
    }
}

/// The answer to the question about unsaved changes.
pub fn answer(editor: &mut Editor, answer: Answer, effects: &mut Vec<Effect>) {
    let Some(Prompt { then }) = editor.session.transient.prompt.take() else { return };
    match answer {
        Answer::Cancel => {}
        Answer::Discard => go_on(editor, *then, effects),
        Answer::Save => {
            editor.session.transient.after_save = Some(then);
            save(editor, effects);
        }
    }
}

/// Writes the archive again, or asks for a path.
pub fn save(editor: &mut Editor, effects: &mut Vec<Effect>) {
    transaction::commit(editor);
    match editor.file.clone() {
        Some(path) => {
            let below = editor.below.clone();
            effects.push(Effect::Save { document: editor.document.clone(), path, below });
        }
        None => effects.push(Effect::AskPath(Ask::SaveAs)),
    }
}

/// Writes an archive that stands alone under a path.
pub fn save_as(editor: &mut Editor, path: PathBuf, effects: &mut Vec<Effect>) {
    transaction::commit(editor);
    effects.push(Effect::Save { document: editor.document.clone(), path: with_ending(path), below: Vec::new() });
}

/// Why there is nothing to make a patch of.
pub const NEEDS_BASE: &str = "A patch needs an archive to lie over: save the document as one first.";

/// Writes what differs from the base under a path, or asks for one.
pub fn save_patch(editor: &mut Editor, path: Option<PathBuf>, effects: &mut Vec<Effect>) {
    let Some(base) = editor.patch_base().cloned() else {
        return notice(editor, NoticeKind::Error, NEEDS_BASE, effects);
    };
    let Some(path) = path.map(with_ending) else { return effects.push(Effect::AskPath(Ask::SavePatch)) };
    if path == base {
        let text = format!("{} is the base; give the patch a name of its own.", base.display());
        return notice(editor, NoticeKind::Error, text, effects);
    }
    transaction::commit(editor);
    effects.push(Effect::Save { document: editor.document.clone(), path, below: vec![base] });
}

/// A name without an ending gets ".wad".
fn with_ending(mut path: PathBuf) -> PathBuf {
    if path.extension().is_none() {
        path.set_extension("wad");
    }
    path
}

/// The document was written.
pub fn saved(editor: &mut Editor, document: Document, path: PathBuf, below: Vec<PathBuf>, effects: &mut Vec<Effect>) {
    let over = below.first().map(|base| format!(", what differs from {}", base.display())).unwrap_or_default();
    notice(editor, NoticeKind::Info, format!("Saved {}{over}", path.display()), effects);
    editor.title = title(&path, &below);
    if below.is_empty() {
        editor.session.workspace.preferences.remember(&path);
    }
    editor.session.transient.recovered = None;
    editor.saved = document;
    (editor.file, editor.held) = (Some(path), None);
    editor.below = below;
    if let Some(then) = editor.session.transient.after_save.take() {
        replace(editor, *then, effects);
    }
}

/// Adds the models of a file to the document, as one step, and opens the first of them.
pub fn add(editor: &mut Editor, project: Project, from: &Path, effects: &mut Vec<Effect>) {
    let first = editor.document.models.len();
    let models = project.models.iter().map(|model| Edit::AddModel { add: Box::new((**model).clone()) });
    let edits: Vec<_> = models.collect();
    let text = match edits.len() {
        0 => format!("{} holds no model.", from.display()),
        1 => format!("Added {} from {}", project.models[0].name, from.display()),
        count => format!("Added {count} models from {}", from.display()),
    };
    step(editor, "add model", edits, effects);
    notice(editor, NoticeKind::Info, text, effects);
    super::clipsel::select_model(editor, first);
}

/// A film or a picture of the model as it is on screen, drafts included.
pub fn export_picture(editor: &mut Editor, path: &Path, wish: FilmWish, effects: &mut Vec<Effect>) {
    transaction::commit(editor);
    let has_keyframes = editor.clip().is_some_and(|slot| !slot.clip.keyframes.is_empty());
    if wish.moments != Moments::Pose && !has_keyframes {
        let text = "The open clip has no keyframes to export. A pose can be exported without any.";
        return notice(editor, NoticeKind::Info, text, effects);
    }
    effects.push(Effect::ExportPicture { path: wish.fitting(path), wish });
}

/// Plays the document as it is, saved or not.
pub fn play_test(editor: &mut Editor, effects: &mut Vec<Effect>) {
    transaction::commit(editor);
    match editor.document.models.is_empty() {
        true => notice(editor, NoticeKind::Info, "There is no model to play yet: open or import one.", effects),
        false => effects.push(Effect::PlayTest(editor.document.clone())),
    }
}
