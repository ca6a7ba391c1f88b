//! Opening, saving, importing and exporting; the questions about unsaved and recovered changes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec2;

use crate::editor::commands::needs;
use crate::editor::document::Document;
use crate::editor::session::notice::Offer;
use crate::editor::session::{AfterClose, Answer, Question, Recovered};
use crate::editor::state::action::{FileAction, Origin};
use crate::editor::state::effect::{Adding, Effect, PathPurpose};
use crate::editor::state::export_options::{ExportOptions, Moments};
use crate::editor::state::{Editor, title};
use crate::editor::update::{
    added_files, clips, drops, error, file_view, info, notices, program, reimports, transaction,
};
use keypose::assets::project::Project;
use keypose_tools::unplayed_clip::{self, UnplayedClip};

/// Handles a file action.
pub fn act(editor: &mut Editor, action: FileAction) {
    match action {
        FileAction::New => close_then(editor, AfterClose::New),
        FileAction::Open(None) => editor.effects.push(Effect::AskPath(PathPurpose::Open)),
        FileAction::Open(Some(path)) => close_then(editor, AfterClose::Open(path)),
        FileAction::OpenDemo => close_then(editor, AfterClose::OpenDemo),
        FileAction::OpenSalvaged(path) => close_then(editor, AfterClose::OpenSalvaged(path)),
        FileAction::NotLoaded { error, damaged } => notices::fail(editor, &error, damaged.map(Offer::Salvage)),
        FileAction::Import(files) if files.is_empty() => editor.effects.push(Effect::AskPath(PathPurpose::Import)),
        FileAction::Import(files) => editor.effects.push(import(files, Adding::Models)),
        FileAction::AddClips(files) if files.is_empty() => editor.effects.push(Effect::AskPath(PathPurpose::Clips)),
        FileAction::AddClips(files) => editor.effects.push(import(files, Adding::Clips)),
        FileAction::Reimport(None) => editor.effects.push(Effect::AskPath(PathPurpose::Changed)),
        FileAction::Reimport(Some(file)) => editor.effects.push(import(vec![file], Adding::Changed)),
        FileAction::FindUnsavedWork => {
            editor.session.workspace.unsaved_work = None;
            editor.session.transient.question = Some(Question::UnsavedWork);
            editor.effects.push(Effect::FindUnsavedWork);
        }
        FileAction::UnsavedWorkListed(found) => editor.session.workspace.unsaved_work = Some(found),
        FileAction::DiscardUnsavedWork(steps) => editor.effects.push(Effect::DiscardUnsavedWork(steps)),
        FileAction::ChooseUnsavedWork(chosen) => {
            editor.session.transient.question = None;
            chosen.into_iter().for_each(|file| close_then(editor, AfterClose::Open(file)));
        }
        FileAction::AnswerReimport(answer) => reimports::answer(editor, answer),
        FileAction::SourceChanged(file) => reimports::offer(editor, &file),
        FileAction::Drop(items) => editor.effects.push(Effect::SortDropped(items)),
        FileAction::Dropped(dropped) => drops::dropped(editor, dropped),
        FileAction::AnswerDrop(answer) => drops::answer(editor, answer),
        FileAction::Save => save(editor),
        FileAction::SaveAs(None) => editor.effects.push(Effect::AskPath(PathPurpose::SaveAs)),
        FileAction::SaveAs(Some(path)) => save_as(editor, path),
        FileAction::SavePatch(path) => save_patch(editor, path),
        FileAction::Export(None) => editor.effects.push(Effect::AskPath(PathPurpose::Image)),
        FileAction::Export(Some((path, options))) => export(editor, &path, options),
        FileAction::ExportModel(None) => editor.effects.push(Effect::AskPath(PathPurpose::Export)),
        FileAction::ExportModel(Some(path)) => export_model(editor, path),
        FileAction::CancelJob => editor.effects.push(Effect::CancelJob),
        FileAction::PlayTest => play_test(editor),
        FileAction::Quit => close_then(editor, AfterClose::Quit),
        FileAction::Answer(answer) => self::answer(editor, answer),
        FileAction::Loaded { project, origin } => {
            editor.reopen(*project, &origin);
            // The demo is an archive, too: its keyframes are as its author chose them.
            let is_archive = |path: &Path| path.extension().is_some_and(|letters| letters.eq_ignore_ascii_case("wad"));
            if matches!(&origin, Origin::Imported(path) if !is_archive(path)) {
                clips::offer_reduction(editor);
            }
        }
        FileAction::ShowAsBefore(view) => file_view::restore(editor, &view),
        FileAction::LoadedToAdd { read, adding } => added_files::add(editor, read, adding),
        FileAction::Saved { document, path, below } => saved(editor, document, path, below),
        FileAction::Recovered(steps) => {
            editor.session.transient.recovered = Some(Recovered { steps, is_asking: false })
        }
        FileAction::KeepRecovered => keep_recovered(editor),
        FileAction::DiscardRecovered => discard_recovered(editor),
    }
}

fn import(files: Vec<PathBuf>, adding: Adding) -> Effect {
    Effect::Import { files, refused: Vec::new(), adding }
}

/// Closes the document for something else; asks first if it has unsaved changes.
fn close_then(editor: &mut Editor, then: AfterClose) {
    transaction::commit(editor);
    if editor.is_dirty() {
        editor.session.transient.question = Some(Question::UnsavedChanges(then));
    } else {
        close(editor, then);
    }
}

/// Closes the document, saved or not.
fn close(editor: &mut Editor, then: AfterClose) {
    match then {
        AfterClose::New => editor.reopen(Project::default(), &Origin::New),
        AfterClose::Open(path) => editor.effects.push(Effect::Open(path)),
        AfterClose::OpenDemo => editor.effects.push(Effect::OpenDemo),
        AfterClose::OpenSalvaged(path) => editor.effects.push(Effect::OpenSalvaged(path)),
        AfterClose::Quit => editor.effects.push(Effect::Quit),
    }
}

/// Handles the answer to the question about unsaved changes.
fn answer(editor: &mut Editor, answer: Answer) {
    let Some(Question::UnsavedChanges(then)) = editor.session.transient.question.take() else { return };
    match answer {
        Answer::Cancel => {}
        Answer::Discard => close(editor, then),
        Answer::Save => {
            editor.session.transient.after_save = Some(then);
            save(editor);
        }
    }
}

/// Writes the archive again, or asks for a path.
fn save(editor: &mut Editor) {
    transaction::commit(editor);
    match editor.file.clone() {
        Some(path) => {
            let below = editor.below.clone();
            editor.effects.push(Effect::Save { document: editor.document.clone(), path, below });
        }
        None => editor.effects.push(Effect::AskPath(PathPurpose::SaveAs)),
    }
}

/// Writes the whole document to a new archive.
fn save_as(editor: &mut Editor, path: PathBuf) {
    transaction::commit(editor);
    let path = PathPurpose::SaveAs.with_extension(path);
    editor.effects.push(Effect::Save { document: editor.document.clone(), path, below: Vec::new() });
}

/// Writes the differences from the base archive to a patch, or asks for a path.
fn save_patch(editor: &mut Editor, path: Option<PathBuf>) {
    let Some(base) = editor.patch_base().cloned() else {
        return error(editor, needs::NO_BASE);
    };
    let Some(path) = path.map(|path| PathPurpose::SavePatch.with_extension(path)) else {
        return editor.effects.push(Effect::AskPath(PathPurpose::SavePatch));
    };
    if path == base {
        return error(editor, format!("{} is the base archive. Choose another name for the patch.", base.display()));
    }
    transaction::commit(editor);
    editor.effects.push(Effect::Save { document: editor.document.clone(), path, below: vec![base] });
}

/// Updates the editor after the document was written.
fn saved(editor: &mut Editor, document: Document, path: PathBuf, below: Vec<PathBuf>) {
    let over = below.first().map(|base| format!(" as a patch of {}", base.display())).unwrap_or_default();
    info(editor, format!("Saved {}{over}", path.display()));
    editor.title = title(&path, &below);
    if below.is_empty() {
        editor.session.workspace.preferences.remember(&path);
    }
    editor.session.transient.recovered = None;
    editor.saved = document;
    (editor.file, editor.locked) = (Some(path), None);
    editor.below = below;
    if let Some(then) = editor.session.transient.after_save.take() {
        close_then(editor, then);
    }
}

/// Exports a GIF or PNG of the model as the viewport shows it, drafts included.
fn export(editor: &mut Editor, path: &Path, options: ExportOptions) {
    transaction::commit(editor);
    let has_keyframes = editor.clip().is_some_and(|slot| !slot.clip.keyframes.is_empty());
    if options.moments != Moments::Pose && !has_keyframes {
        return info(editor, "The clip has no keyframes to export. Export the pose instead.");
    }
    editor.effects.push(Effect::ExportPicture { path: options.with_extension(path), options });
}

/// Exports the active model for other programs.
fn export_model(editor: &mut Editor, path: PathBuf) {
    transaction::commit(editor);
    match editor.model().cloned() {
        Some(model) => {
            editor.effects.push(Effect::ExportModel { path: PathPurpose::Export.with_extension(path), model })
        }
        None => info(editor, needs::NO_MODEL),
    }
}

/// Plays the document in game mode, with unsaved changes.
fn play_test(editor: &mut Editor) {
    transaction::commit(editor);
    if editor.document.models.is_empty() {
        return info(editor, needs::NO_MODEL);
    }
    if editor.session.transient.scene.level().is_some() {
        return play_level(editor, None);
    }
    let (document, unplayed) = (editor.document.clone(), unplayed_clip(editor));
    editor.effects.push(Effect::PlayTest { document, unplayed });
    program::end_first_steps(editor);
}

/// Plays the open level, from a place if there is one: the game gets a document with this level alone, which starts there.
pub fn play_level(editor: &mut Editor, from: Option<Vec2>) {
    transaction::commit(editor);
    let desk = editor.session.transient.scene.level();
    let Some(open) = desk.and_then(|desk| editor.document.levels.get(desk.level)) else { return };
    let mut level = open.clone();
    if let Some(from) = from {
        Arc::make_mut(&mut level).spawn = from;
    }
    let project = Project { levels: vec![level], ..Project::clone(editor.document.project()) };
    editor.effects.push(Effect::PlayTest { document: Document::new(project), unplayed: None });
}

/// The open clip if no game state plays it.
fn unplayed_clip(editor: &Editor) -> Option<UnplayedClip> {
    let (model, clip) = (editor.model()?, &editor.clip()?.clip);
    let is_unplayed = !clip.keyframes.is_empty() && !unplayed_clip::is_played(model, &clip.name);
    is_unplayed.then(|| UnplayedClip { model: model.name.clone(), clip: clip.name.clone() })
}

/// Asks the first time; discards the recovered steps the second time.
fn discard_recovered(editor: &mut Editor) {
    match &mut editor.session.transient.recovered {
        Some(recovered) if !recovered.is_asking => recovered.is_asking = true,
        Some(_) => {
            editor.session.transient.recovered = None;
            editor.effects.push(Effect::DiscardRecovered);
        }
        None => {}
    }
}

/// Keeps the recovered steps; while the question about them is open, only closes it.
fn keep_recovered(editor: &mut Editor) {
    let recovered = editor.session.transient.recovered.filter(|recovered| recovered.is_asking);
    editor.session.transient.recovered = recovered.map(|recovered| Recovered { is_asking: false, ..recovered });
}
