//! `keypose clip`: writes clips as texts, and reads them into archives.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use keypose::assets::line_text::has_head;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::printable::{is_unseen, printable};
use keypose_editor::editor::document::Document;
use keypose_editor::editor::document::edit::{ClipEdit, Edit};
use keypose_editor::editor::ops::sentence::counted;
use keypose_tools::clip_text::{self, ClipText};

use super::{ModelSource, Target, in_file, open_archive, own_output, save_archive};
use crate::app::commands::wad::extract::{cut, escaped};
use crate::app::files::save;
use crate::app::files::windows_names::device_of;
use crate::app::{console, files};

/// Write clips of an archive as text, or read them from text, to compare and merge versions
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Write a clip as text, or all clips of a model to a folder
    Export(Export),
    /// Add the clips of texts to a model of an archive, or replace those of their names
    Import(Import),
}

#[derive(clap::Args)]
struct Export {
    #[command(flatten)]
    source: ModelSource,
    /// Name of the clip; by default all clips that aren't derived from others
    #[arg(long, value_name = "NAME")]
    clip: Option<String>,
    /// The text to write, by default printed; for all clips a folder
    #[arg(short, long, value_name = "PATH", required_unless_present = "clip")]
    output: Option<PathBuf>,
}

#[derive(clap::Args)]
struct Import {
    /// The archive to change (.wad)
    file: PathBuf,
    /// Texts of clips, or folders of them (.txt)
    #[arg(required = true)]
    texts: Vec<PathBuf>,
    /// Name of the model; by default the first
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    match &arguments.command {
        Command::Export(arguments) => export(arguments),
        Command::Import(arguments) => import(arguments),
    }
}

fn export(Export { source, clip, output }: &Export) -> Result<ExitCode, String> {
    let (opened, file) = (source.open_unbaked()?, source.file());
    let model = source.find(&opened)?;
    let text_of = |slot: &ClipSlot| {
        let text = clip_text::write(&text_of(model, slot), &model.skeleton);
        let named = |reason| format!("{}: clip {}: {reason}", file.display(), printable(&slot.clip.name));
        own_output::check_text(&text).map_err(named)?;
        Ok(text)
    };
    let Some(name) = clip else {
        let folder = output.as_deref().unwrap_or(Path::new("."));
        return export_all(model, folder, text_of);
    };
    let slot = model.clips.iter().find(|slot| slot.clip.name == *name);
    let text = text_of(slot.ok_or_else(|| files::no_clip(model, name, file))?)?;
    own_output::write_or_print(output.as_deref(), &text, WHAT, is_clip)?;
    Ok(ExitCode::SUCCESS)
}

fn export_all(
    model: &Model,
    folder: &Path,
    text_of: impl Fn(&ClipSlot) -> Result<String, String>,
) -> Result<ExitCode, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    save::sweep_folder(folder);
    let mut names = BTreeSet::new();
    let file = |slot: &ClipSlot| match model.derived(slot.id) {
        Some(derived) => {
            let name = printable(&slot.clip.name);
            console::print(format_args!("{name}: left out, because it is {} from another clip", derived.how.name()));
            None
        }
        None => {
            let path = folder.join(file_name(&slot.clip.name, &mut names));
            let checked = own_output::check_in_folder(&path, WHAT, is_clip);
            Some(checked.and_then(|()| text_of(slot)).map(|text| (path, text)))
        }
    };
    save::replace_all(model.clips.iter().filter_map(file))?;
    Ok(ExitCode::SUCCESS)
}

/// The name of a clip's text: letters and digits of all languages stay, and a long one is cut and gets a digest. Names that differ
/// in case only get different ones.
fn file_name(clip: &str, names: &mut BTreeSet<String>) -> String {
    let letter = |letter: char| match letter {
        ' ' => " ".to_owned(),
        _ if letter.is_alphanumeric() && !is_unseen(letter) => letter.to_string(),
        _ => escaped(letter.encode_utf8(&mut [0; 4])),
    };
    let mut name: String = clip.chars().map(letter).collect();
    if device_of(&name).is_some() {
        name.insert(0, '~');
    }
    name = cut(name, clip);
    while !names.insert(name.to_lowercase()) {
        name.push('~');
    }
    format!("{name}.txt")
}

/// Collects the parts of a clip's text.
fn text_of(model: &Model, slot: &ClipSlot) -> ClipText {
    let notes = model.clip_notes.get(&slot.id).cloned().unwrap_or_default();
    ClipText {
        clip: (*slot.clip).clone(),
        lanes: model.combat.lanes_of(slot.id),
        folder: notes.folder,
        tags: notes.tags,
    }
}

/// Name of the files that a clip's text may replace.
const WHAT: &str = "a clip";

fn is_clip(old: &[u8]) -> bool {
    has_head(old, clip_text::HEAD)
}

fn import(Import { file, texts, model }: &Import) -> Result<ExitCode, String> {
    let target = Target::hold(file)?;
    let opened = open_archive(file)?;
    let at = files::model_index(&opened.project, model.as_deref(), file)?;
    let mut read: BTreeMap<String, (PathBuf, ClipText)> = BTreeMap::new();
    for path in paths_of(texts)? {
        let skeleton = &opened.project.models[at].skeleton;
        let text = clip_text::read(&files::read_text(&path)?, skeleton).map_err(in_file(&path))?;
        if let Some((other, old)) = read.insert(text.clip.name.clone(), (path.clone(), text)) {
            let name = printable(&old.clip.name);
            return Err(format!("{} and {}: two texts of a clip {name}", other.display(), path.display()));
        }
    }
    let document = with_clips(Document::new(opened.project), at, &read).map_err(in_file(file))?;
    save_archive(&target, document.project(), &opened.characters)?;
    console::print(format_args!("{} -> {}", counted(read.len(), "clip"), file.display()));
    Ok(ExitCode::SUCCESS)
}

/// The texts of these paths: files, and in folders all with the extension txt, by name.
fn paths_of(texts: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut paths = Vec::new();
    for path in texts {
        if !path.is_dir() {
            paths.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(in_file(path))?;
        let mut found =
            entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>().map_err(in_file(path))?;
        found.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
        found.sort();
        if found.is_empty() {
            return Err(format!("{}: no texts of clips (.txt) in this folder", path.display()));
        }
        paths.extend(found);
    }
    Ok(paths)
}

/// The document with these clips in a model. Clips of new names are added behind the others.
fn with_clips(
    document: Document,
    model: usize,
    read: &BTreeMap<String, (PathBuf, ClipText)>,
) -> Result<Document, String> {
    let has = |document: &Document, name: &str| document.models[model].clips.iter().any(|slot| slot.clip.name == name);
    let new = read.values().filter(|(_, text)| !has(&document, &text.clip.name));
    let add = |(_, text): &(PathBuf, ClipText)| ClipEdit::AddClip {
        model,
        at: usize::MAX,
        clip: Box::new(text.clip.clone()),
        tags: text.tags.clone(),
    };
    let added: Vec<Edit> = new.map(|one| add(one).into()).collect();
    let document = document.with(&added).map_err(|error| error.to_string())?;
    let mut edits: Vec<Edit> = Vec::new();
    let model = &document.models[model];
    for slot in &model.clips {
        // Unchanged clips are skipped: each change derives other clips again.
        let read = read.get(&slot.clip.name).filter(|(_, text)| *text != text_of(model, slot));
        let Some((_, ClipText { clip, lanes, folder, tags })) = read else { continue };
        let id = slot.id;
        edits.extend([
            ClipEdit::ReplaceClip { clip: id, with: Box::new(clip.clone()) }.into(),
            ClipEdit::SetLanes { clip: id, lanes: Box::new(lanes.clone()) }.into(),
            ClipEdit::SetFolder { clip: id, folder: folder.clone() }.into(),
            ClipEdit::SetTags { clip: id, tags: tags.clone() }.into(),
        ]);
    }
    document.with(&edits).map_err(|error| error.to_string())
}
