//! Imports models with code of others (FBX in C, Draco) in a child process: this program, started with a hidden command. A crash or
//! a hang ends the child only.
//!
//! The child reads the length and the bytes of the file from its standard input. It ends when that is closed, so it doesn't outlive this
//! process. It answers with the report and an archive, which is checked like any other. Programs that use the library and tests import
//! in their own process: only [`enable`] allows a child.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use keypose::assets::bytes::Bytes;
use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::reading::Checksums;
use keypose_editor::editor::session::preferences::ModelFiles;
use keypose_tools::import::Imported;

use crate::app::files;
use crate::app::files::progress::Progress;

/// The name of the hidden command.
pub const COMMAND: &str = "read-model";
/// The option of the hidden command that allows files outside of the model's folder.
pub const ANY_FILES: &str = "--any-files";

/// The first bytes of an answer.
const MAGIC: [u8; 8] = *b"KPMODEL1";
/// Maximum size of the archive of an answer.
const MAX_ANSWER: u64 = 4 << 30;
/// Maximum size of the sentence about a fault.
const MAX_SENTENCE: u64 = 64 << 10;
/// Time that a file may take, and further time for each MiB.
const MAX_TIME: Duration = Duration::from_secs(60);
const MAX_TIME_PER_MIB: Duration = Duration::from_secs(2);
/// Memory that a file may take, and further memory for each byte.
#[cfg(windows)]
const MAX_MEMORY: usize = 4 << 30;
#[cfg(windows)]
const MAX_MEMORY_PER_BYTE: usize = 64;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Allows processes of this program. Called once, by the program itself.
pub fn enable() {
    // On Linux the link stays valid when the program's file is replaced.
    let link = Path::new("/proc/self/exe");
    let own = if cfg!(target_os = "linux") && link.exists() { Ok(link.to_owned()) } else { std::env::current_exe() };
    if let Ok(own) = own {
        let _ = PROGRAM.set(own);
    }
}

/// Returns true if models may be imported in child processes.
pub fn is_enabled() -> bool {
    PROGRAM.get().is_some()
}

/// Imports a model in a child process. The error doesn't name the file.
///
/// # Errors
/// If the model can't be imported; if the process can't be started, crashes, takes too long or is cancelled.
pub fn import(path: &Path, bytes: &[u8], model_files: ModelFiles, progress: &Progress) -> Result<Imported, String> {
    let program = PROGRAM.get().ok_or("the program's own file is unknown")?;
    let mut command = Command::new(program);
    command.arg(COMMAND).args((model_files == ModelFiles::Anywhere).then_some(ANY_FILES)).arg("--").arg(path);
    ask(command, bytes, max_time(bytes.len()), progress)
}

/// Gives a process bytes and reads its answer.
fn ask(mut command: Command, bytes: &[u8], limit: Duration, progress: &Progress) -> Result<Imported, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    without_window(&mut command);
    let mut child = command.spawn().map_err(|error| format!("the process that reads it can't be started: {error}"))?;
    // Without limits it ends with its input all the same.
    #[cfg(windows)]
    let _job = crate::app::win32::Job::limit(&child, max_memory(bytes.len()));
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        let stdin = scope.spawn(move || {
            let mut stdin = stdin?;
            // A process that ends early closes its input.
            let _ = stdin.write_all(&(bytes.len() as u64).to_le_bytes()).and_then(|()| stdin.write_all(bytes));
            Some(stdin)
        });
        let answer = scope.spawn(move || read_all(stdout, MAX_ANSWER));
        let sentence = scope.spawn(move || read_all(stderr, MAX_SENTENCE));
        let ended = wait(&mut child, limit, progress);
        drop(stdin.join());
        let (answer, sentence) = (answer.join().unwrap_or_default(), sentence.join().unwrap_or_default());
        match ended? {
            status if status.success() => parse(answer),
            status => Err(fault(status, &sentence)),
        }
    })
}

fn read_all(pipe: Option<impl Read>, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        // Bytes before a fault say more than the fault of the pipe.
        let _ = pipe.take(limit).read_to_end(&mut bytes);
    }
    bytes
}

/// Returns the time that a file of this size may take.
fn max_time(input: usize) -> Duration {
    MAX_TIME + MAX_TIME_PER_MIB * u32::try_from(input >> 20).unwrap_or(u32::MAX)
}

/// Returns the memory that a file of this size may take.
#[cfg(windows)]
fn max_memory(input: usize) -> usize {
    input.saturating_mul(MAX_MEMORY_PER_BYTE).saturating_add(MAX_MEMORY)
}

/// Waits for the end of a process. Kills it if it takes too long or is cancelled.
fn wait(child: &mut Child, limit: Duration, progress: &Progress) -> Result<ExitStatus, String> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        let reason = match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if progress.is_cancelled() => "cancelled".to_owned(),
            Ok(None) if start.elapsed() > limit => format!("reading it takes longer than {} s", limit.as_secs()),
            Ok(None) => {
                thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
                continue;
            }
            Err(error) => error.to_string(),
        };
        let _ = child.kill();
        let _ = child.wait();
        return Err(reason);
    }
}

/// The error of a failed process: its own sentence, or that it crashed.
fn fault(status: ExitStatus, sentence: &[u8]) -> String {
    let text = String::from_utf8_lossy(sentence);
    match text.lines().last().and_then(|line| line.strip_prefix("keypose: ")) {
        Some(own) if status.code() == Some(1) => own.to_owned(),
        _ => format!("the process that reads it crashed ({status}); the file is damaged, or the reader has a fault"),
    }
}

fn parse(answer: Vec<u8>) -> Result<Imported, String> {
    let invalid = || "the process that reads it gave an invalid answer".to_owned();
    let rest = answer.strip_prefix(&MAGIC).ok_or_else(invalid)?;
    let (length, rest) = rest.split_first_chunk().ok_or_else(invalid)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok();
    let (report, _) = length.and_then(|length| rest.split_at_checked(length)).ok_or_else(invalid)?;
    let report = String::from_utf8_lossy(report).lines().map(str::to_owned).collect();
    let start = MAGIC.len() + size_of::<u64>() + length.unwrap_or_default();
    let all = Bytes::from(answer);
    let archive = all.view(&all[start..]).ok_or_else(invalid)?;
    let archive = Archive::open_shared(&archive, &Checksums::default()).map_err(|error| error.to_string())?;
    let project = keypose::wad::decode_project(&archive).map_err(|error| error.to_string())?;
    let model = project.models.into_iter().next().ok_or_else(invalid)?;
    Ok(Imported { model: Arc::unwrap_or_clone(model), report })
}

/// The hidden command: imports standard input as the file of this path, and answers on standard output.
///
/// # Errors
/// If the model can't be imported, a sentence without the file's name.
pub fn answer(path: &Path, model_files: ModelFiles) -> Result<(), String> {
    let bytes = input().map_err(|error| error.to_string())?;
    end_with_input(max_time(bytes.len()) * 2);
    let (Imported { model, report }, _) = files::import_here(path, &bytes, model_files)?;
    let mut project = Project::default();
    project.add_model(model);
    let archive = keypose::wad::encode_authored(&project).map_err(|error| error.to_string())?;
    let report: Vec<String> = report.iter().map(|line| line.replace(['\n', '\r'], " ")).collect();
    let report = report.join("\n");
    let mut out = io::stdout().lock();
    let parts = [&MAGIC[..], &(report.len() as u64).to_le_bytes(), report.as_bytes(), &archive];
    let written = parts.into_iter().try_for_each(|part| out.write_all(part)).and_then(|()| out.flush());
    written.map_err(|error| error.to_string())
}

/// Reads the length and the bytes of the file.
fn input() -> io::Result<Vec<u8>> {
    let mut stdin = io::stdin().lock();
    let mut length = [0; 8];
    stdin.read_exact(&mut length)?;
    let (length, mut bytes) = (u64::from_le_bytes(length), Vec::new());
    if stdin.take(length).read_to_end(&mut bytes)? as u64 == length {
        Ok(bytes)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Ends this process when its input is closed, or after the limit: its answer is no longer expected.
fn end_with_input(limit: Duration) {
    thread::spawn(|| {
        let _ = io::stdin().lock().read(&mut [0]);
        std::process::exit(1);
    });
    thread::spawn(move || {
        thread::sleep(limit);
        std::process::exit(1);
    });
}

/// Keeps Windows from showing a console.
#[cfg(windows)]
fn without_window(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NO_WINDOW);
}

#[cfg(not(windows))]
fn without_window(_: &mut Command) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Runs a script instead of an import.
    fn asked(script: &str, limit: Duration, progress: &Progress) -> Result<Imported, String> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        // More than a pipe holds; it stays open after them.
        ask(command, &vec![b'x'; 1 << 20], limit, progress)
    }

    #[test]
    fn a_process_that_crashes_hangs_or_lies_is_one_sentence() {
        let (long, none) = (Duration::from_secs(60), Progress::default());
        let cases = [
            ("kill -SEGV $$", "the process that reads it crashed (signal: 11"),
            ("head -c 1048584 > /dev/null; kill -ABRT $$", "the process that reads it crashed (signal: 6"),
            ("head -c 1048584 > /dev/null; exit 3", "the process that reads it crashed (exit status: 3)"),
            ("head -c 1048584 > /dev/null; echo 'keypose: it is odd' >&2; exit 1", "it is odd"),
            ("head -c 1048584 > /dev/null; echo nonsense", "the process that reads it gave an invalid answer"),
            (
                "head -c 1048584 > /dev/null; printf 'KPMODEL1\\377\\377\\377\\377\\377\\377\\377\\377'",
                "gave an invalid answer",
            ),
            ("exit 0", "the process that reads it gave an invalid answer"),
        ];
        for (script, expected) in cases {
            let error = asked(script, long, &none).unwrap_err();
            assert!(error.contains(expected) && !error.contains('\n'), "{script}: {error}");
        }
        let start = Instant::now();
        let error = asked("exec sleep 600", Duration::from_millis(50), &none).unwrap_err();
        assert_eq!(error, "reading it takes longer than 0 s");
        let cancelled = Progress::default();
        cancelled.cancel();
        assert_eq!(asked("exec sleep 600", long, &cancelled).unwrap_err(), "cancelled");
        assert!(start.elapsed() < long);
    }
}
