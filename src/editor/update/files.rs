//! Saving, opening, adding, playing; and the question about unsaved changes.

use std::path::{Path, PathBuf};

use crate::assets::project::Project;
use crate::editor::action::{Action, Origin};
use crate::editor::document::Document;
use crate::editor::document::edit::Edit;
use crate::editor::editor::Editor;
use crate::editor::effect::{Ask, Effect, NoticeKind};
use crate::editor::session::{Answer, Prompt};
use crate::editor::update::{notice, step, steps, update};

/// Something that throws the document away: asks first where it is not saved.
pub fn replace(editor: &mut Editor, action: Action, effects: &mut Vec<Effect>) {
    steps::commit(editor);
    if editor.is_dirty() {
        editor.session.prompt = Some(Prompt { then: Box::new(action) });
        return;
    }
    go_on(editor, action, effects);
}

/// Throws the document away.
fn go_on(editor: &mut Editor, action: Action, effects: &mut Vec<Effect>) {
    match action {
        Action::New => *editor = editor.reopened(Project::default(), &Origin::New),
        Action::Open(Some(path)) => effects.push(Effect::Open(path)),
        Action::Quit => effects.push(Effect::Quit),
        other => update(editor, other, effects),
    }
}

/// The answer to the question about unsaved changes.
pub fn answer(editor: &mut Editor, answer: Answer, effects: &mut Vec<Effect>) {
    let Some(Prompt { then }) = editor.session.prompt.take() else { return };
    match answer {
        Answer::Cancel => {}
        Answer::Discard => go_on(editor, *then, effects),
        Answer::Save => {
            editor.session.after_save = Some(then);
            save(editor, effects);
        }
    }
}

/// Writes the archive again, or asks for a path.
pub fn save(editor: &mut Editor, effects: &mut Vec<Effect>) {
    steps::commit(editor);
    match editor.file.clone() {
        Some(path) => effects.push(Effect::Save { document: editor.document.clone(), path }),
        None => effects.push(Effect::AskPath(Ask::SaveAs)),
    }
}

/// Writes an archive under a path; a name without an ending gets ".wad".
pub fn save_as(editor: &mut Editor, mut path: PathBuf, effects: &mut Vec<Effect>) {
    steps::commit(editor);
    if path.extension().is_none() {
        path.set_extension("wad");
    }
    effects.push(Effect::Save { document: editor.document.clone(), path });
}

/// The document was written.
pub fn saved(editor: &mut Editor, document: Document, path: PathBuf, effects: &mut Vec<Effect>) {
    notice(editor, NoticeKind::Info, format!("Saved {}", path.display()), effects);
    editor.title = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    editor.saved = document;
    (editor.file, editor.held) = (Some(path), None);
    if let Some(then) = editor.session.after_save.take() {
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

/// Plays the document as it is, saved or not.
pub fn play_test(editor: &mut Editor, effects: &mut Vec<Effect>) {
    steps::commit(editor);
    match editor.document.models.is_empty() {
        true => notice(editor, NoticeKind::Info, "There is no model to play yet: open or import one.", effects),
        false => effects.push(Effect::PlayTest(editor.document.clone())),
    }
}
