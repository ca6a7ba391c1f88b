//! Several editors of one document are killed: what each of them did comes back, to one editor after the other or to
//! several beside each other. With the real program, in a state folder of the test's own.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::process::Program;

/// How an editor starts, and the words that bring it to a clip.
struct Case {
    name: &'static str,
    file: Option<&'static str>,
    words: &'static str,
}

const CASES: [Case; 2] = [
    Case { name: "untitled", file: None, words: "import data/tests/two_bones.wad; clip \"wave both\"" },
    // What the program carries is opened as an imported file is: it has no archive of its own.
    Case { name: "demo.wad", file: Some("built in/demo.wad"), words: "clip idle" },
];

impl Case {
    fn start(&self, state: &Path) -> Program {
        Program::start(self.file.map(OsStr::new), state)
    }

    /// Names a clip, so that the work of two editors can be distinguished; returns when it is acknowledged.
    fn work(&self, program: &mut Program, name: &str) {
        program.send(&format!("{}; rename-clip {name}; show steps", self.words));
        assert!(program.read().starts_with("steps = "));
    }
}

/// Which of the names the program's clips have.
fn found(program: &mut Program) -> Vec<String> {
    program.send("print; show steps");
    let mut names = Vec::new();
    loop {
        let line = program.read();
        if line.starts_with("steps = ") {
            return names;
        }
        let name = line.trim_start().strip_prefix("clip ").and_then(|rest| rest.split(' ').next());
        names.extend(name.filter(|name| ["first", "second", "third"].contains(name)).map(str::to_owned));
    }
}

fn state(test: &str, case: &Case) -> PathBuf {
    let name = format!("remains-{test}-{}-{}", case.name, std::process::id());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Three editors work beside each other and are killed.
fn kill_three(case: &Case, state: &Path) {
    let mut killed = Vec::new();
    for name in ["first", "second", "third"] {
        let mut program = case.start(state);
        case.work(&mut program, name);
        killed.push(program);
    }
    killed.into_iter().for_each(|program| drop(program.kill()));
}

#[test]
fn what_three_editors_did_comes_back_to_three_beside_each_other() {
    for case in &CASES {
        let state = state("beside", case);
        kill_three(case, &state);
        let mut again: Vec<Program> = (0..3).map(|_| case.start(&state)).collect();
        // Each has what it found before the next one looks.
        let mut back: Vec<Vec<String>> = again.iter_mut().map(found).collect();
        back.sort();
        assert_eq!(back, [["first"], ["second"], ["third"]], "{}", case.name);
        again.into_iter().for_each(|program| drop(program.kill()));
        fs::remove_dir_all(state).unwrap();
    }
}

#[test]
fn what_three_editors_did_comes_back_one_after_the_other() {
    for case in &CASES {
        let state = state("after", case);
        kill_three(case, &state);
        for (name, others) in [("first", 2), ("second", 1), ("third", 0)] {
            let mut program = case.start(&state);
            assert_eq!(found(&mut program), [name], "{}", case.name);
            program.send(&format!("save {}", state.join(format!("{name}.wad")).display()));
            let output = program.finish();
            assert!(output.contains("Recovered "), "{output}");
            let expected = match others {
                0 => String::new(),
                1 => format!("Another window with {} closed without saving", case.name),
                _ => format!("{others} more windows with {} closed without saving", case.name),
            };
            assert!(output.contains(&expected) && (others > 0 || !output.contains("closed without")), "{output}");
        }
        let mut program = case.start(&state);
        assert_eq!(found(&mut program), [""; 0], "{}", case.name);
        assert!(!program.finish().contains("Recovered"), "nothing is left");
        fs::remove_dir_all(state).unwrap();
    }
}
