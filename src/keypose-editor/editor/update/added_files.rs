//! Files that were read to be added: their models, or their clips for the active model, in one undo step with one notice.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::editor::commands::needs;
use crate::editor::document::edit::{ClipEdit, Edit, ModelEdit};
use crate::editor::session::bone_map::AddedLibrary;
use crate::editor::session::dropped::{Refused, refused_text};
use crate::editor::session::notice::{Notice, NoticeKind, Offer};
use crate::editor::state::Editor;
use crate::editor::state::action::{FileAction, ReadFiles};
use crate::editor::state::effect::Adding;
use crate::editor::update::notices::logged;
use crate::editor::update::{active, clips, drops, error, files, reimports, step_all};
use keypose::anim::clip::Clip;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose_tools::clip_library::{self, Fit, Fitted};

/// The edits, and counts for the notice, of added files.
#[derive(Default)]
struct Added<'p> {
    edits: Vec<Edit>,
    /// The models, for the notice.
    models: Vec<&'p str>,
    clips: usize,
    libraries: Vec<AddedLibrary>,
    /// The model that gets the clips, and its name.
    target: Option<(usize, String)>,
    findings: Vec<String>,
    refused: Vec<Refused>,
    /// The clips of libraries that are converted already.
    fitted: Fitted,
}

/// Adds the files to the document as one undo step. The first added model becomes active, or the first clip if it is the model's.
pub fn add(editor: &mut Editor, ReadFiles { projects, refused, fitted }: ReadFiles, adding: Adding) {
    if let (Adding::ClipsOrOpen, [(path, project)]) = (adding, projects.as_slice())
        && !is_library_for(editor, project, &fitted)
    {
        return files::act(editor, FileAction::Open(Some(path.clone())));
    }
    if adding == Adding::Changed {
        return reimports::propose(editor, &projects, &refused);
    }
    if adding == Adding::Clips && editor.model().is_none() {
        return error(editor, needs::NO_MODEL);
    }
    let first = editor.document.models.len();
    let added = collect(editor, &projects, Added { refused, fitted, ..Added::default() }, adding);
    let Added { edits, models, clips, findings, refused, .. } = &added;
    if !edits.is_empty() {
        step_all(editor, label(models.len(), *clips), edits.clone());
    }
    remember(editor, added.libraries.clone(), added.target.as_ref().map(|(index, _)| *index));
    for finding in findings {
        logged(editor, Notice::new(NoticeKind::Warning, finding, None));
    }
    let texts = [text(&added, &projects), refused_text(refused)];
    let texts: Vec<&str> = texts.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    drops::report(editor, &texts.join(", "), refused);
    if !findings.is_empty()
        && let Some(notice) = &mut editor.session.transient.notice
    {
        notice.offer = Some(Offer::BoneMap);
    }
    if !models.is_empty() {
        active::select_model(editor, first);
    }
    if let Some((index, _)) = &added.target
        && *index == editor.session.focus.model
        && let Some(model) = editor.model()
        && let Some(slot) = model.clips.iter().rev().take(added.clips).next_back()
    {
        active::select_clip(editor, Some(slot.id));
    }
    // An offer would hide the report about several files.
    if models.len() == 1 && *clips == 0 && projects.len() == 1 && refused.is_empty() {
        clips::offer_reduction(editor);
    }
}

/// Whether all models of a project are only clips for the active model.
fn is_library_for(editor: &Editor, project: &Project, fitted: &Fitted) -> bool {
    let is_for = |model: &Arc<Model>| {
        clip_library::is_library(model)
            && editor.model().is_some_and(|target| fitted.clips_for(target, model, fit(fitted, model)).is_ok())
    };
    !project.models.is_empty() && project.models.iter().all(is_for)
}

/// Turns the models and clips of the files into edits. Models come first, so that clips find a character that was read with them.
fn collect<'p>(editor: &Editor, projects: &'p [(PathBuf, Project)], mut added: Added<'p>, adding: Adding) -> Added<'p> {
    let active = editor.model().map(|model| (model, editor.session.focus.model));
    let models = |project: &'p Project| -> Vec<&'p Arc<Model>> {
        if adding == Adding::Clips {
            clip_library::libraries(&project.models).collect()
        } else {
            project.models.iter().collect()
        }
    };
    let gives_clips = |model: &Model| adding != Adding::Models || clip_library::is_library(model);
    let first_new = projects.iter().flat_map(|(_, project)| models(project)).find(|model| !gives_clips(model));
    let target = active.or(first_new.map(|model| (model, editor.document.models.len())));
    let mut libraries = Vec::new();
    for (from, project) in projects {
        let mut add = Vec::new();
        for model in models(project) {
            let fitted = &added.fitted;
            let fits = |target| fitted.clips_for(target, model, fit(fitted, model)).is_ok();
            let is_for = target.is_some_and(|(target, _)| adding != Adding::Models || fits(target));
            if gives_clips(model) && is_for {
                libraries.push((from, model));
            } else {
                added.models.push(&model.name);
                let import_options = Arc::new(model.import_options.for_a_model());
                add.push(Model { import_options, ..Model::clone(model) });
            }
        }
        if !add.is_empty() {
            added.edits.push(ModelEdit::AddModels { add }.into());
        }
    }
    for (from, library) in libraries {
        if let Some((target, index)) = target {
            added.target = Some((index, target.name.clone()));
            add_clips(&mut added, target, index, from, library);
        }
    }
    for (from, project) in projects.iter().filter(|(_, project)| project.models.is_empty()) {
        let unused = if project.levels.is_empty() { "it has no models" } else { "it has levels, but no models" };
        added.refused.push(Refused { name: file_name(from), reason: unused.into() });
    }
    added
}

/// How the clips of a library are fitted.
fn fit(fitted: &Fitted, library: &Arc<Model>) -> Fit {
    fitted.fit_of(library).unwrap_or_else(|| Fit::from(&*library.import_options))
}

fn add_clips(added: &mut Added<'_>, target: &Arc<Model>, index: usize, from: &Path, library: &Arc<Model>) {
    let (file, fit) = (file_name(from), fit(&added.fitted, library));
    match added.fitted.clips_for(target, library, fit) {
        Ok(found) => {
            added.findings.extend(found.findings.iter().map(|finding| format!("{file}: {finding}")));
            added.clips += found.clips.len();
            let tags = |id: ClipId| library.clip_notes.get(&id).map(|notes| notes.tags.clone()).unwrap_or_default();
            let edit = |(slot, clip): (&ClipSlot, Clip)| {
                let (at, clip) = (usize::MAX, Box::new(clip));
                ClipEdit::AddClip { model: index, at, clip, tags: tags(slot.id) }.into()
            };
            added.edits.extend(library.clips.iter().zip(found.clips).map(edit));
            let Model { name, skeleton, rig, skins, clips, .. } = Model::clone(library);
            let model = Arc::new(Model { name, skeleton, rig, skins, clips, ..Model::default() });
            added.libraries.push(AddedLibrary { file, model, fit, clips: Vec::new() });
        }
        Err(reason) => added.refused.push(Refused { name: file, reason }),
    }
}

/// Remembers the files whose clips were added, for the bone map. Their clips are the last ones of the model.
fn remember(editor: &mut Editor, mut libraries: Vec<AddedLibrary>, model: Option<usize>) {
    let Some(model) = model.and_then(|index| editor.document.models.get(index)) else { return };
    let count: usize = libraries.iter().map(|library| library.model.clips.len()).sum();
    let mut added = model.clips.iter().skip(model.clips.len().saturating_sub(count)).map(|slot| slot.id);
    for library in &mut libraries {
        library.clips = added.by_ref().take(library.model.clips.len()).collect();
    }
    let known = &mut editor.session.focus.libraries;
    known.retain(|old| libraries.iter().all(|new| new.file != old.file));
    known.extend(libraries);
    known.drain(..known.len().saturating_sub(AddedLibrary::MAX));
}

fn label(models: usize, clips: usize) -> &'static str {
    match (models, clips) {
        (0, 1) => "Add clip",
        (0, _) => "Add clips",
        (1, _) => "Add model",
        _ => "Add models",
    }
}

/// The sentence about the added models and clips; empty for none.
fn text(added: &Added<'_>, projects: &[(PathBuf, Project)]) -> String {
    let models = match (added.models.as_slice(), projects) {
        ([], _) => String::new(),
        ([name], [(from, _)]) => format!("Added {name} from {}", from.display()),
        (names, [(from, _)]) => format!("Added {} models from {}", names.len(), from.display()),
        ([name], _) => format!("Added {name}"),
        (names, _) => format!("{} models added from {} files", names.len(), projects.len()),
    };
    let target = added.target.as_ref().map_or("", |(_, name)| name);
    let clips = match added.clips {
        0 => String::new(),
        1 => format!("Added 1 clip to {target}"),
        count => format!("Added {count} clips to {target}"),
    };
    let lost = match added.findings.len() {
        0 => "",
        _ => "some bones did not match, which the log lists",
    };
    let parts: Vec<&str> = [&*models, &*clips, lost].into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
