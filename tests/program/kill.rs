//! Kills the real program at random moments of a scripted session, in its saves and recoveries too, and compares what the
//! next run recovers with an oracle: this process, which runs the same commands and notes what was acknowledged.
//!
//! `KEYPOSE_KILLS` says how often (50 by default), `KEYPOSE_KILL_SEED` from where.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use keypose::assets::project::Project;
use keypose::wad;
use keypose::wad::journal::delta;
use keypose::wad::pack::Lump;
use keypose_app::app::work::Store;
use keypose_app::app::work::recorder::Recorder;
use keypose_editor::editor::script;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{FileAction, Origin};
use keypose_editor::editor::state::effect::Effect;

use crate::editor_kit;
use crate::editor_kit::dice::Dice;
use crate::folder::Folder;
use crate::process::Program;

/// Kills after which a session starts from a new file, since the whole history is compared every time.
const KILLS_PER_FILE: usize = 10;
/// What a run prints first: the document and history that it recovered.
const LOOK: &str = "print; show undo; show steps";

/// What the editor should be after each part of the words that were sent.
struct Oracle {
    /// The first is what the run before left.
    states: Vec<Editor>,
    /// Of each line: how many states there are after it, and what it prints.
    lines: Vec<(usize, Vec<String>)>,
}

impl Oracle {
    fn new(editor: Editor) -> Oracle {
        Oracle { states: vec![editor], lines: Vec::new() }
    }

    fn editor(&self) -> &Editor {
        self.states.last().unwrap()
    }

    /// Does the words, as the program is going to.
    fn say(&mut self, line: &str) -> Result<(), String> {
        let (mut editor, mut states, mut printed) = (self.editor().clone(), Vec::new(), Vec::new());
        for part in script::split_outside_quotes(line, ';') {
            let mut done = script::Run::default();
            script::run_line(&mut editor, part, &mut done)?;
            printed.extend(done.printed);
            for effect in done.effects {
                if let Effect::Save { document, path, below } = effect {
                    editor.update(FileAction::Saved { document, path, below });
                }
            }
            states.push(editor.clone());
        }
        self.states.extend(states);
        self.lines.push((self.states.len(), printed));
        Ok(())
    }

    /// The states that may be found after that number of acknowledged lines: theirs, or that of the next line.
    fn possible(&self, acknowledged: usize) -> &[Editor] {
        let end = |lines: usize| lines.checked_sub(1).map_or(1, |last| self.lines[last].0);
        let under_way = (acknowledged + 1).min(self.lines.len());
        &self.states[end(acknowledged) - 1..end(under_way)]
    }
}

/// The labels of the steps, and how many of them are done.
fn steps(editor: &Editor) -> (Vec<String>, usize) {
    (editor.history.labels().map(str::to_owned).collect(), editor.history.undo_count())
}

/// Every document from the oldest that undo reaches to the newest that redo does, as lumps.
fn documents(editor: &Editor) -> Vec<Vec<Lump>> {
    let place = editor.place();
    let (history, nothing) = (&editor.history, Project::default());
    let states = (0..=history.len()).map(|at| history.state(at, (&editor.document, &place)).unwrap().0);
    states.map(|state| delta(&nothing, state.project()).unwrap()).collect()
}

/// The next words: some that change the document, undo, redo or save, wherever the user is.
fn words(dice: &mut Dice, editor: &Editor, number: usize) -> String {
    let clips: Vec<_> = editor.document.models[0].clips.iter().map(|slot| &slot.clip).collect();
    let clip = clips[dice.below(clips.len())];
    let bone = ["root", "upper.L", "upper.R", "hand.L", "hand.R"][dice.below(5)];
    let (frame, degrees) = (dice.below(30), dice.below(360));
    let at = format!("clip {}; select none; seek {frame}f", clip.name);
    let pose = format!("{at}; pose {bone} rotation {degrees} {frame} 0");
    let words = match dice.below(20) {
        0..=4 => pose,
        5..=8 => format!("{pose}; key I"),
        9 => format!("{at}; event {frame}f e{number}"),
        10 => format!("{at}; rename-clip c{number}"),
        11 => format!("{at}; run duplicate-clip"),
        12 if clips.len() > 2 => format!("{at}; run delete-clip"),
        13 => format!("{at}; duration {} {}f", dice.below(clip.keyframes.len().max(1)) + 1, frame + 1),
        14 => format!("{at}; loop {}", ["loop", "once"][dice.below(2)]),
        15 => "undo".into(),
        16 => "undo; undo; redo".into(),
        17 => "redo".into(),
        18 => "save".into(),
        _ => format!("{pose}; save; undo"),
    };
    format!("{words}; show steps")
}

/// A folder with an archive, and one for copies of it.
struct Desk {
    folder: Folder,
    archive: PathBuf,
}

impl Desk {
    fn new() -> Desk {
        let folder = Folder::new("kill");
        let archive = folder.join("a.wad");
        let mut project = Project::default();
        project.add_model(editor_kit::model());
        fs::write(&archive, wad::encode(&project, &[]).unwrap()).unwrap();
        Desk { folder, archive }
    }

    /// The editor as the archive is opened, with what is recovered from a copy of the unsaved work.
    fn recovered(&self) -> (Editor, Vec<String>) {
        let copy = self.folder.join("copy");
        copy_folder(&self.folder.join("state/keypose"), &copy);
        let project = wad::decode(&fs::read(&self.archive).unwrap()).unwrap().project;
        let origin = Origin::Archive { below: Vec::new(), path: self.archive.clone() };
        let mut editor = Editor::new(project, &origin);
        let (recorder, notes) = Recorder::attach_in(Some(Store::at(&copy)), &mut editor, &origin, None);
        drop(recorder);
        fs::remove_dir_all(copy).unwrap();
        (editor, notes)
    }
}

/// Copies a folder that may not exist.
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).into_iter().flatten().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Runs the program from a state and kills it. How many lines it acknowledged, and what the oracle says of all.
fn run_and_kill(desk: &Desk, state: Editor, dice: &mut Dice, number: usize) -> (Oracle, usize) {
    let mut program = Program::start(Some(desk.archive.as_os_str()), &desk.folder.join("state"));
    let mut oracle = Oracle::new(state);
    if dice.below(6) == 0 {
        // Within its start, or its recovery.
        std::thread::sleep(Duration::from_micros(dice.below(40_000) as u64));
        program.kill();
        return (oracle, 0);
    }
    oracle.say(LOOK).unwrap();
    program.send(LOOK);
    for line in 0..dice.below(24) {
        let line = words(dice, oracle.editor(), 100 * number + line);
        // What can't be done would end the script.
        if oracle.say(&line).is_ok() {
            program.send(&line);
        }
    }
    let wanted = dice.below(oracle.lines.len() + 1);
    let expected = |line: usize| oracle.lines.get(line).map_or(&[][..], |(_, printed)| printed);
    for line in 0..wanted {
        let printed: Vec<_> = expected(line).iter().map(|_| program.read()).collect();
        assert_eq!(printed, expected(line), "kill {number}, line {line}: the program and the oracle differ");
    }
    std::thread::sleep(Duration::from_micros(dice.below(3_000) as u64));
    let rest = program.kill();
    // Lines printed between the last read and the kill count, too.
    let (mut acknowledged, mut rest) = (wanted, rest.as_slice());
    while let Some((printed, more)) = rest.split_at_checked(expected(acknowledged).len())
        && !printed.is_empty()
    {
        assert_eq!(printed, expected(acknowledged), "kill {number}");
        (acknowledged, rest) = (acknowledged + 1, more);
    }
    (oracle, acknowledged)
}

#[test]
fn no_acknowledged_edit_is_lost_by_a_kill() {
    let setting = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let kills = setting("KEYPOSE_KILLS").unwrap_or(50) as usize;
    let mut dice = Dice(setting("KEYPOSE_KILL_SEED").unwrap_or(1));
    let (mut desk, mut state) = (Desk::new(), None);
    let (mut lines, mut ahead) = (0, 0);
    for number in 0..kills {
        if number % KILLS_PER_FILE == 0 {
            desk = Desk::new();
            state = None;
        }
        let before = state.take().unwrap_or_else(|| desk.recovered().0);
        let (oracle, acknowledged) = run_and_kill(&desk, before, &mut dice, number);
        let (found, notes) = desk.recovered();
        let is_recovery = |note: &String| note.starts_with("Recovered") || note.starts_with("All recovered work");
        assert!(notes.iter().all(is_recovery), "kill {number}: {notes:?}");
        let (possible, found_steps, found) = (oracle.possible(acknowledged), steps(&found), documents(&found));
        // Documents are encoded only where the steps are the same.
        let at = possible.iter().rposition(|state| steps(state) == found_steps && documents(state) == found);
        let at = at.unwrap_or_else(|| {
            let wanted: Vec<_> = possible.iter().map(steps).collect();
            panic!("kill {number} after {acknowledged} lines: found {found_steps:?}, not one of {wanted:?}")
        });
        state = Some(possible[at].clone());
        (lines, ahead) = (lines + acknowledged, ahead + usize::from(at > 0));
    }
    println!("{kills} kills, {lines} acknowledged lines, none lost; {ahead} times more was kept than was acknowledged");
}
