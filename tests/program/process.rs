//! The real program: its commands, and an editor with its real recorder, driven by a script.

#![allow(dead_code)]

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use crate::folder::Folder;

/// Variables for the program, so that what it keeps beside documents goes to a folder.
pub fn keeps_in(state: &Path) -> [(&'static str, &Path); 5] {
    ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME", "LOCALAPPDATA", "APPDATA"].map(|variable| (variable, state))
}

/// The program; what it keeps beside documents goes to a folder.
pub fn keypose_with(state: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
    command.envs(keeps_in(state));
    command
}

/// The program in a folder of a test.
pub fn keypose(folder: &Folder) -> Command {
    let mut command = keypose_with(&folder.state);
    command.current_dir(&**folder);
    command
}

/// Runs a command. Returns its exit code, what it printed, and its errors.
pub fn ran(command: &mut Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Runs a command with input.
pub fn fed(command: &mut Command, input: &str) -> Output {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// What a command prints, which must succeed.
pub fn done(command: &mut Command) -> String {
    let (code, printed, errors) = ran(command);
    assert_eq!(code, 0, "{command:?}: {errors}{printed}");
    printed
}

/// The errors of a command, which must fail.
pub fn refused(command: &mut Command) -> String {
    let (code, printed, errors) = ran(command);
    assert!(code != 0 && !errors.contains("panicked"), "{command:?}: {errors}{printed}");
    errors.trim_end().to_owned()
}

pub struct Program {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Drop for Program {
    /// It ends with the test, so that it writes nothing to folders that are deleted.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program {
    /// On a file, or untitled; what it keeps beside documents goes to a folder of its own.
    pub fn start(file: Option<&OsStr>, state: &Path) -> Program {
        Program::start_with(file.as_slice(), state)
    }

    /// With these arguments.
    pub fn start_with(files: &[impl AsRef<OsStr>], state: &Path) -> Program {
        let mut child = keypose_with(state);
        let child = child.arg("edit").args(files).args(["--journal", "--script", "-"]);
        let mut child =
            child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Program { child, lines }
    }

    pub fn send(&mut self, line: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(line.as_bytes()).and_then(|()| stdin.write_all(b"\n")).unwrap();
    }

    /// The next line that it prints.
    pub fn read(&mut self) -> String {
        if let Some(Ok(line)) = self.lines.next() {
            return line;
        }
        panic!("the program ended: {}", self.reports());
    }

    /// Stops it for a while, or lets it continue.
    #[cfg(unix)]
    pub fn pause(&self, is_paused: bool) {
        let signal = if is_paused { "-STOP" } else { "-CONT" };
        assert!(Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap().success());
    }

    /// Kills it. Returns the lines that it printed and that were not read yet.
    pub fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        let rest = self.lines.by_ref().map_while(Result::ok).collect();
        self.child.wait().unwrap();
        rest
    }

    /// Closes its input and waits for its end. Returns its errors and reports.
    pub fn finish(mut self) -> String {
        drop(self.child.stdin.take());
        self.lines.by_ref().for_each(drop);
        let reports = self.reports();
        assert!(self.child.wait().unwrap().success(), "{reports}");
        reports
    }

    /// As [`Program::finish`], of a script that fails.
    pub fn fail(mut self) -> String {
        drop(self.child.stdin.take());
        self.lines.by_ref().for_each(drop);
        let reports = self.reports();
        assert!(!self.child.wait().unwrap().success(), "{reports}");
        reports
    }

    fn reports(&mut self) -> String {
        let mut reports = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut reports).unwrap();
        reports
    }
}
