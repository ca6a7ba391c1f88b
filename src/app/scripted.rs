//! `keypose edit --script FILE`: the editor without a window. Words in, printed document out; files are read and written
//! as the words say.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::app::files::{self, FileKind};
use crate::app::workers;
use crate::assets::project::Project;
use crate::editor::action::{Action, Origin};
use crate::editor::editor::Editor;
use crate::editor::effect::{Effect, NoticeKind};
use crate::editor::script;

/// Runs a script on a file, or on an empty document, and prints what it shows.
pub fn run(file: Option<&Path>, script: &Path) -> Result<ExitCode, String> {
    let mut editor = match file {
        Some(path) => {
            let (project, origin) = open(path)?;
            Editor::new(project, &origin)
        }
        None => Editor::new(Project::default(), &Origin::New),
    };
    let text = String::from_utf8(files::read(script)?).map_err(|_| format!("{}: it is not text", script.display()))?;
    for (number, line) in (1..).zip(text.lines()) {
        let place = |reason| format!("{}, line {number}: {reason}", script.display());
        if line.trim_start().starts_with('#') {
            continue;
        }
        let mut done = script::Run::default();
        let result = script::run_line(&mut editor, line, &mut done);
        done.printed.iter().for_each(|line| println!("{line}"));
        result.map_err(place)?;
        let mut waiting = done.effects;
        while !waiting.is_empty() {
            let effect = waiting.remove(0);
            waiting.extend(perform(&mut editor, effect).map_err(place)?);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Does what must happen outside; what follows from it comes back.
fn perform(editor: &mut Editor, effect: Effect) -> Result<Vec<Effect>, String> {
    Ok(match effect {
        Effect::Open(path) => {
            let (project, origin) = open(&path)?;
            editor.update(Action::Loaded { project: Box::new(project), origin })
        }
        Effect::Import(from) => {
            let (project, _) = open(&from)?;
            editor.update(Action::LoadedToAdd { project: Box::new(project), from })
        }
        Effect::Save { document, path } => {
            workers::encode_and_save(&path, &document)?;
            editor.update(Action::Saved { document, path })
        }
        Effect::AskPath(_) => return Err("a path is needed: save PATH, open PATH, import PATH".to_owned()),
        Effect::PlayTest(_) => return Err("the game mode needs a window".to_owned()),
        Effect::Notice(notice) => {
            if notice.kind != NoticeKind::Info {
                eprintln!("{}", notice.text);
            }
            Vec::new()
        }
        Effect::Quit => Vec::new(),
    })
}

fn open(path: &Path) -> Result<(Project, Origin), String> {
    let opened = files::open(path)?;
    opened.report.iter().for_each(|line| eprintln!("{line}"));
    let path = PathBuf::from(path);
    let origin = if opened.kind == FileKind::Archive { Origin::Archive(path) } else { Origin::Imported(path) };
    Ok((opened.project, origin))
}
