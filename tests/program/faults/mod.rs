//! The real program with a fault at a system call: in a session, in the recovery after a crash, and in exports. The call fails,
//! transfers half of the bytes, or the program is killed before or after it. Then the program is run without faults, and must
//! find what it had acknowledged. `power` cuts the power instead.
//!
//! `cargo test` tries some calls; with `KEYPOSE_FULL=1`, every call with every fault.
#![cfg(target_os = "linux")]

mod power;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::ops::RangeInclusive;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use keypose::wad;

use crate::folder::folder;
use crate::needs;
use crate::process::keypose_with;
use crate::root::root;

/// A run that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(60);

/// The session. A line is acknowledged by the fact that it shows.
const SESSION: [&str; 10] = [
    "save-pose p1; show poses",
    "clip bend; seek 3f; select \"segment 2\"; pose \"segment 2\" rotation 10 0 0; key I; show poses",
    "save; show poses",
    "save-pose p2; show poses",
    "undo; show poses",
    "redo; show poses",
    "save; show poses",
    "save-pose p3; show poses",
    "save-pose p4; save; show poses",
    "undo; show poses",
];

/// Prints the document and the size of its history.
const LOOK: &str = "print; show steps; show drafts; show poses";

/// Whether every call is tried with every fault.
fn is_full() -> bool {
    std::env::var_os("KEYPOSE_FULL").is_some()
}

/// The library that makes calls fail and records them; `None` where there is no C compiler.
fn shim() -> Option<&'static Path> {
    static SHIM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{}.so", std::process::id()));
        let source = root().join("tests/program/faults/shim.c");
        let built = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).status();
        if built.is_err() {
            needs::missing("cc", "there is no C compiler");
            return None;
        }
        assert!(built.unwrap().success(), "the library of faults is not built");
        Some(library)
    };
    SHIM.get_or_init(build).as_deref()
}

/// The contents of files, by their paths in a folder.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A fault at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fault {
    /// The number of the call, from 1.
    at: usize,
    how: How,
    /// Whether all later calls fail, too.
    is_lasting: bool,
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// It returns this error.
    Error(i32),
    /// It transfers half of the bytes.
    Short,
    /// It transfers half of the bytes; then the disk is full.
    Torn,
    /// The program is killed before it.
    KilledBefore,
    /// The program is killed after it.
    KilledAfter,
}

const EINTR: i32 = 4;
const EIO: i32 = 5;
const ENOMEM: i32 = 12;
const EACCES: i32 = 13;
const ENOSPC: i32 = 28;
const EROFS: i32 = 30;

impl How {
    fn text(self) -> String {
        match self {
            How::Error(number) => number.to_string(),
            How::Short => "short".into(),
            How::Torn => "torn".into(),
            How::KilledBefore => "before".into(),
            How::KilledAfter => "after".into(),
        }
    }

    /// The faults that a call can have.
    fn all_of(call: &str) -> Vec<How> {
        let mut all = vec![How::KilledBefore, How::KilledAfter, How::Error(EIO), How::Error(EACCES)];
        if ["write", "open", "mkdir", "rename", "link", "sync", "truncate"].contains(&call) {
            all.extend([How::Error(ENOSPC), How::Error(EROFS)]);
        }
        if ["write", "read", "pread", "open", "sync", "flock", "truncate", "close"].contains(&call) {
            all.push(How::Error(EINTR));
        }
        match call {
            "write" => all.extend([How::Short, How::Torn]),
            "read" | "pread" => all.push(How::Short),
            "statx" | "opendir" | "realpath" => all.push(How::Error(ENOMEM)),
            _ => {}
        }
        all
    }
}

/// Folders for a run: `work` has the documents, `state` what the program keeps elsewhere.
struct Place {
    folder: PathBuf,
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Place {
    fn new(name: &str) -> Place {
        let place = Place { folder: folder(&format!("faults-{name}")) };
        place.clear();
        place
    }

    fn clear(&self) {
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(self.work()).unwrap();
        fs::create_dir_all(self.folder.join("state")).unwrap();
    }

    fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    fn log(&self) -> PathBuf {
        self.folder.join("calls")
    }

    fn archive(&self) -> PathBuf {
        self.work().join("a.wad")
    }

    /// The files of the documents and of the state.
    fn files(&self) -> Files {
        let within = |(path, bytes): (PathBuf, Vec<u8>)| (path.strip_prefix(&self.folder).unwrap().to_owned(), bytes);
        files(&self.folder).into_iter().map(within).collect()
    }

    /// Starts from these files.
    fn restore(&self, files: &Files) {
        self.clear();
        for (name, bytes) in files {
            let path = self.folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }

    fn command(&self, fault: Option<Fault>) -> Command {
        let state = self.folder.join("state");
        let mut command = keypose_with(&state);
        command.env("XDG_CACHE_HOME", state);
        if let Some(Fault { at, how, is_lasting }) = fault {
            command.env("LD_PRELOAD", shim().unwrap()).env("FAULTS_FOLDER", &self.folder);
            command.env("FAULTS_AT", at.to_string()).env("FAULTS_HOW", how.text());
            if is_lasting {
                command.env("FAULTS_ON", "1");
            }
        }
        command
    }

    /// Runs a script on the archive.
    fn edit(&self, script: &str, fault: Option<Fault>) -> Ran {
        let mut command = self.command(fault);
        command.arg("edit").arg(self.archive()).args(["--journal", "--script", "-"]);
        ran(command, script)
    }

    /// What a script prints on the archive, and on each unsaved work that is kept.
    fn look(&self) -> Vec<Ran> {
        let script = format!("{LOOK}\n");
        let mut runs = vec![self.edit(&script, None)];
        let kept: Vec<PathBuf> =
            files(&self.folder.join("state")).into_keys().filter(|path| path.ends_with("steps")).collect();
        for steps in kept {
            let mut command = self.command(None);
            command.arg("edit").arg(steps).args(["--script", "-"]);
            runs.push(ran(command, &script));
        }
        runs
    }

    fn listing(&self) -> Vec<PathBuf> {
        self.files().into_keys().collect()
    }

    /// The calls of a command, by their names.
    fn calls(&self, command: &mut Command, input: &str) -> Vec<String> {
        let log = self.log();
        command.env("LD_PRELOAD", shim().unwrap()).env("FAULTS_FOLDER", &self.folder).env("FAULTS_LOG", &log);
        let done = ran(std::mem::replace(command, Command::new("true")), input);
        assert_eq!(done.code, Some(0), "{done:?}");
        let log = fs::read_to_string(log).unwrap();
        let words = log.lines().map(|line| line.split([' ', '\t']).collect::<Vec<_>>());
        let named = words.filter(|words| words[2] != "out").map(|words| match words[2] {
            // A call that fails without a fault has its name behind the path.
            "failed" => words[6].to_owned(),
            name => name.to_owned(),
        });
        named.collect()
    }
}

/// The end of a run.
#[derive(Debug)]
struct Ran {
    /// The exit code; `None` if it was killed.
    code: Option<i32>,
    out: String,
    errors: String,
    has_hung: bool,
}

impl Ran {
    /// What is wrong with any run, whatever failed in it.
    fn fault(&self) -> Option<&'static str> {
        match self.code {
            _ if self.has_hung => Some("it hangs"),
            _ if self.errors.contains("panicked") => Some("it panicked"),
            Some(0..=2) | None => None,
            Some(_) => Some("it ended with another code"),
        }
    }
}

/// Runs a command with this input. Kills it if it hangs.
fn ran(mut command: Command, input: &str) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child: Child = command.spawn().unwrap();
    let (mut stdin, mut stdout, mut stderr) =
        (child.stdin.take().unwrap(), child.stdout.take().unwrap(), child.stderr.take().unwrap());
    std::thread::scope(|scope| {
        // It may end before it has read everything.
        scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
        let out = scope.spawn(move || text_of(&mut stdout));
        let errors = scope.spawn(move || text_of(&mut stderr));
        let since = Instant::now();
        let mut has_hung = false;
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if since.elapsed() > LONGEST {
                has_hung = true;
                child.kill().unwrap();
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let is_killed = status.signal() == Some(9);
        let code = if is_killed { None } else { Some(status.code().unwrap_or(-1)) };
        Ran { code, out: out.join().unwrap(), errors: errors.join().unwrap(), has_hung }
    })
}

fn text_of(source: &mut impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = source.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The faults to try: all, or `some` of them, spread over the calls.
fn faults(calls: &[String], some: usize) -> Vec<Fault> {
    let of = |at: usize, call: &str| {
        let once = How::all_of(call).into_iter().map(move |how| Fault { at, how, is_lasting: false });
        let lasting = [EIO, ENOSPC, EACCES, EROFS].map(|error| Fault { at, how: How::Error(error), is_lasting: true });
        once.chain(lasting).collect::<Vec<_>>()
    };
    if is_full() {
        return (1..).zip(calls).flat_map(|(at, call)| of(at, call)).collect();
    }
    let pick = |number: usize| {
        let at = (number * 2 + 1) * calls.len() / (2 * some);
        let all = of(at + 1, &calls[at]);
        all[number * 5 % all.len()]
    };
    (0..some).map(pick).collect()
}

/// Tries all faults, two at a time. `attempt` returns what is wrong.
fn try_all(name: &str, faults: &[Fault], attempt: impl Fn(&Place, Fault) -> Option<String> + Sync) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        let place = Place::new(name);
        while let Some(&fault) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(reason) = attempt(&place, fault) {
                eprintln!("{name}, {fault:?}: {reason}");
                wrong.lock().unwrap().push(format!("{fault:?}: {reason}"));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let wrong = wrong.into_inner().unwrap();
    println!("{name}: {} faults tried, {} failed", faults.len(), wrong.len());
    assert!(wrong.is_empty(), "{name}: {} of {} faults:\n{}", wrong.len(), faults.len(), wrong.join("\n"));
}

fn arm() -> PathBuf {
    root().join("data/tests/arm.wad")
}

/// Starts from the archive of the arm.
fn with_arm(place: &Place) {
    place.clear();
    fs::copy(arm(), place.archive()).unwrap();
}

/// What the document looks like after each part of the session, with the number of its line; first, before it.
fn states() -> Vec<(usize, String)> {
    let place = Place::new("reference");
    with_arm(&place);
    let parts = |line: &str| {
        line.split(';').map(str::trim).filter(|part| !part.starts_with("show")).map(str::to_owned).collect::<Vec<_>>()
    };
    let of_lines = SESSION
        .iter()
        .enumerate()
        .flat_map(|(number, line)| parts(line).into_iter().map(move |part| (number + 1, part)));
    let of_lines: Vec<(usize, String)> = of_lines.collect();
    let look = format!("{LOOK}; show time\n");
    let script = look.clone() + &of_lines.iter().map(|(_, part)| format!("{part}\n{look}")).collect::<String>();
    let done = place.edit(&script, None);
    assert_eq!(done.code, Some(0), "{done:?}");
    let mut looks = vec![String::new()];
    for line in done.out.lines() {
        match line.starts_with("time = ") {
            true => looks.push(String::new()),
            false => *looks.last_mut().unwrap() += &format!("{line}\n"),
        }
    }
    looks.pop();
    assert_eq!(looks.len(), of_lines.len() + 1);
    [0].into_iter().chain(of_lines.into_iter().map(|(line, _)| line)).zip(looks).collect()
}

/// The states that may be found if the first of these numbers of lines is certain and the last was acknowledged: all between
/// them, and those of the next line.
fn possible(states: &[(usize, String)], acknowledged: RangeInclusive<usize>) -> &[(usize, String)] {
    let last_of = |number: usize| states.iter().rposition(|(line, _)| *line <= number).unwrap();
    &states[last_of(*acknowledged.start())..=last_of(*acknowledged.end() + 1)]
}

/// What the next run must find.
enum Wanted<'a> {
    /// One of these states.
    States(&'a [(usize, String)]),
    /// These poses.
    Poses(&'a [&'a str]),
}

impl Wanted<'_> {
    fn is_found(&self, runs: &[Ran]) -> bool {
        match self {
            Wanted::States(states) => runs.iter().any(|run| states.iter().any(|(_, state)| *state == run.out)),
            Wanted::Poses(poses) => {
                let words = |run: &Ran| run.out.split([' ', '\n', '"']).map(str::to_owned).collect::<Vec<_>>();
                let found: Vec<String> = runs.iter().flat_map(words).collect();
                poses.iter().all(|pose| found.iter().any(|word| word == pose))
            }
        }
    }
}

/// How many lines of the session were acknowledged.
fn acknowledged(out: &str) -> usize {
    out.lines().filter(|line| line.starts_with("poses =")).count()
}

/// What is wrong with the files: every version of the archive must be whole.
fn damage(place: &Place) -> Option<String> {
    for version in ["a.wad", "a.wad.1", "a.wad.2", "a.wad.3"] {
        match fs::read(place.work().join(version)) {
            Ok(bytes) => {
                if let Err(error) = wad::decode(&bytes) {
                    return Some(format!("{version} is damaged: {error}"));
                }
            }
            Err(_) if version != "a.wad" => {}
            Err(error) => return Some(format!("{version}: {error}")),
        }
    }
    None
}

/// What is wrong with what the next run finds, on the archive or in the list of unsaved work.
fn loss(place: &Place, wanted: &Wanted<'_>) -> Option<String> {
    let before = place.listing();
    let runs = place.look();
    if runs[0].code == Some(0) && wanted.is_found(&runs) {
        return None;
    }
    let lines = |run: &Ran| {
        run.out
            .lines()
            .filter(|line| line.starts_with("steps") || line.starts_with("poses"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let facts: Vec<String> = runs.iter().map(lines).collect();
    Some(format!("{facts:?} found; {}; {before:?} became {:?}", runs[0].errors.trim(), place.listing()))
}

#[test]
fn a_session_survives_a_fault_at_every_call() {
    if shim().is_none() {
        return;
    }
    let states = states();
    let script = SESSION.join("\n") + "\n";
    let place = Place::new("session");
    with_arm(&place);
    let mut command = place.command(None);
    command.arg("edit").arg(place.archive()).args(["--journal", "--script", "-"]);
    let calls = place.calls(&mut command, &script);
    assert!(calls.len() > 150, "{} calls", calls.len());
    try_all("session", &faults(&calls, 8), |place, fault| {
        with_arm(place);
        let done = place.edit(&script, Some(fault));
        let wrong = done.fault().map(|wrong| format!("{wrong}: {}", done.errors)).or_else(|| damage(place));
        let known = acknowledged(&done.out);
        let wanted = Wanted::States(possible(&states, known..=known));
        let lost = || {
            let reason = loss(place, &wanted)?;
            Some(format!("{known} lines acknowledged, {reason}; {}", done.errors.trim()))
        };
        wrong.or_else(lost)
    });
}

/// The files after a script that saved nothing.
fn crashed() -> Files {
    let place = Place::new("crashed");
    with_arm(&place);
    let first = place.edit("save-pose p1; show poses\nsave-pose p2; show poses\n", None);
    assert_eq!(acknowledged(&first.out), 2, "{first:?}");
    place.files()
}

#[test]
fn a_recovery_survives_a_fault_at_every_call() {
    if shim().is_none() {
        return;
    }
    let crashed = crashed();
    let script = "show poses\nsave-pose q; show poses\n";
    let place = Place::new("recovery");
    place.restore(&crashed);
    let mut command = place.command(None);
    command.arg("edit").arg(place.archive()).args(["--journal", "--script", "-"]);
    let calls = place.calls(&mut command, script);
    try_all("recovery", &faults(&calls, 6), |place, fault| {
        place.restore(&crashed);
        let done = place.edit(script, Some(fault));
        if let Some(wrong) = done.fault().map(str::to_owned).or_else(|| damage(place)) {
            return Some(format!("{wrong}: {}", done.errors));
        }
        let poses: &[&str] = if acknowledged(&done.out) == 2 { &["p1", "p2", "q"] } else { &["p1", "p2"] };
        Some(format!("{}; {}", loss(place, &Wanted::Poses(poses))?, done.errors.trim()))
    });
}

/// Cycles of a session that makes steps enough to be compacted.
const CYCLES: usize = 70;

#[test]
fn steps_that_are_compacted_survive_faults() {
    // A run takes seconds.
    if !is_full() || shim().is_none() {
        return;
    }
    let mut opened = wad::decode(&fs::read(arm()).unwrap()).unwrap().project;
    let model = Arc::make_mut(&mut opened.models[0]);
    let clip = Arc::make_mut(&mut model.clips[0].clip);
    let keyframes = clip.keyframes.clone();
    clip.keyframes = (0..keyframes.len() * 40).map(|at| keyframes[at % keyframes.len()].clone()).collect();
    let name = clip.name.clone();
    let archive = wad::encode(&opened, &[]).unwrap();
    let cycle = |number| format!("clip {name}; run duplicate-clip; run delete-clip; save-pose p{number}; show poses\n");
    let script: String = (1..=CYCLES).map(cycle).collect();
    let prepare = |place: &Place| {
        place.clear();
        fs::write(place.archive(), &archive).unwrap();
    };
    let place = Place::new("long");
    prepare(&place);
    let mut command = place.command(None);
    command.arg("edit").arg(place.archive()).args(["--journal", "--script", "-"]);
    let calls = place.calls(&mut command, &script);
    let log = fs::read_to_string(place.log()).unwrap();
    let (of_calls, rewriting) = (|line: &&str| !line.contains(" out "), |line: &str| line.contains("steps.new\t"));
    let first = log.lines().filter(of_calls).position(rewriting).expect("the steps are compacted");
    let last = log.lines().filter(of_calls).collect::<Vec<_>>().iter().rposition(|line| rewriting(line)).unwrap();
    assert!(last > first + 20, "it is not only looked for");
    // Most of these calls are writes of one kind.
    let some = faults(&calls[first..=last], 0).into_iter().step_by(29);
    let shifted: Vec<Fault> = some.map(|fault| Fault { at: fault.at + first, ..fault }).collect();
    try_all("compaction", &shifted, |place, fault| {
        prepare(place);
        let done = place.edit(&script, Some(fault));
        if let Some(wrong) = done.fault().map(str::to_owned).or_else(|| damage(place)) {
            return Some(format!("{wrong}: {}", done.errors));
        }
        let names: Vec<String> = (1..=acknowledged(&done.out)).map(|number| format!("p{number}")).collect();
        let poses: Vec<&str> = names.iter().map(String::as_str).collect();
        Some(format!("{} acknowledged, {}; {}", poses.len(), loss(place, &Wanted::Poses(&poses))?, done.errors.trim()))
    });
}

/// The files of a folder and of folders in it.
fn files(folder: &Path) -> Files {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => all.extend(files(&entry)),
            false => drop(all.insert(entry.clone(), fs::read(entry).unwrap())),
        }
    }
    all
}

/// Runs a command that writes `outputs` with faults: each output is as before or as after the command, and nothing else; after
/// success, as after.
fn try_export(arguments: &[&str], outputs: &[&str]) {
    let data = root().join("data");
    let prepare = |place: &Place| {
        place.clear();
        let all = [
            ("tests/arm.wad", "a.wad"),
            ("tests/two_bones.wad", "out.wad"),
            ("tests/models/limb.glb", "limb.glb"),
            ("icon/keypose.png", "out.png"),
        ];
        for (from, to) in all {
            fs::copy(data.join(from), place.work().join(to)).unwrap();
        }
    };
    let command = |place: &Place, fault| {
        let mut command = place.command(fault);
        // Paths are of the folder of the documents.
        let path = |argument: &&str| match argument.contains('.') || *argument == "out" {
            true => place.work().join(argument).into_os_string(),
            false => argument.into(),
        };
        command.args(arguments.iter().map(path));
        command
    };
    let of = |place: &Place| -> Files {
        let in_work = |(path, bytes): (PathBuf, _)| (path.strip_prefix(place.work()).unwrap().to_owned(), bytes);
        // A killed program leaves temporary files.
        let is_temporary = |path: &PathBuf| path.file_name().unwrap().as_encoded_bytes().starts_with(b".");
        let all = files(&place.work()).into_iter().filter(|(path, _)| !is_temporary(path)).map(in_work);
        all.filter(|(path, _)| outputs.iter().any(|output| path.starts_with(output))).collect()
    };
    let place = Place::new("export");
    prepare(&place);
    let before = of(&place);
    let calls = place.calls(&mut command(&place, None), "");
    let after = of(&place);
    assert_ne!(before, after, "{arguments:?} writes nothing");
    let name = format!("{} {}", arguments[0], arguments[1]);
    try_all(&name, &faults(&calls, 2), |place, fault| {
        prepare(place);
        let done = ran(command(place, Some(fault)), "");
        if let Some(wrong) = done.fault() {
            return Some(format!("{wrong}: {}", done.errors));
        }
        let found = of(place);
        let is_either = |path: &PathBuf| found.get(path) == before.get(path) || found.get(path) == after.get(path);
        match done.code {
            Some(0) if found != after => {
                Some(format!("it reports success, but the output is incomplete: {}", done.errors))
            }
            _ if !before.keys().chain(found.keys()).all(is_either) => {
                let names: Vec<_> = found.iter().map(|(path, bytes)| (path, bytes.len())).collect();
                Some(format!("neither the old nor the new output is there: {names:?}; {}", done.errors.trim()))
            }
            _ => None,
        }
    });
}

#[test]
fn exports_survive_a_fault_at_every_call() {
    if shim().is_none() {
        return;
    }
    try_export(&["import", "limb.glb", "-o", "out.wad"], &["out.wad"]);
    try_export(&["wad", "repack", "--compress", "a.wad"], &["a.wad"]);
    try_export(&["wad", "merge", "a.wad", "-o", "out.wad"], &["out.wad"]);
    try_export(&["wad", "extract", "a.wad", "-o", "out"], &["out"]);
    if is_full() {
        try_export(&["render", "a.wad", "--clip", "bend", "-o", "out.png"], &["out.png"]);
    }
}
