//! Costs of hostile files for the commands that read files, with bounds of memory and time. Small files are kept in `fuzz/corpus`;
//! large ones are made here: a 32nd of each in every run, or less, with the commands that show what it costs; the whole files and all
//! commands with `KEYPOSE_FULL=1`. `KEYPOSE_WRITE_COSTS=FOLDER` writes them there, for a stopwatch.

mod files;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use files::FILES;

use crate::folder::Folder;
use crate::process::keypose;
use crate::root::root;

/// The memory of a process, in KiB.
const MAX_MEMORY: u64 = 2 << 20;
/// The time of a command; builds for tests are several times slower.
const MAX_TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 120 } else { 20 });

fn is_full() -> bool {
    std::env::var_os("KEYPOSE_FULL").is_some()
}

/// The peak memory of a process, in KiB; 0 after its end.
fn peak_of(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok()).unwrap_or(0)
}

/// Runs a command within the bounds. Returns what it cost.
fn run(folder: &Folder, arguments: &[&str], script: &Path) -> String {
    let (mut command, errors) = (keypose(folder), folder.join("errors"));
    command.args(arguments).stdin(File::open(script).unwrap());
    let mut child = command.stdout(Stdio::null()).stderr(File::create(&errors).unwrap()).spawn().unwrap();
    let (start, mut peak) = (Instant::now(), 0);
    let status = loop {
        peak = peak.max(peak_of(child.id()));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if peak > MAX_MEMORY || start.elapsed() > MAX_TIME {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{arguments:?}: {} MiB after {:?}", peak >> 10, start.elapsed());
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let output = fs::read_to_string(errors).unwrap();
    // 0 to 2 are its own; a panic is 101, and a signal has no code.
    assert!(status.code().is_some_and(|code| code <= 2), "{arguments:?}: {status}: {output}");
    format!("{:?} {:.1} s, {} MiB", arguments, start.elapsed().as_secs_f32(), peak >> 10)
}

/// A folder of this test's own, with a script.
struct Bench {
    folder: Folder,
    script: PathBuf,
}

impl Bench {
    fn new(name: &str) -> Bench {
        let folder = Folder::new(name);
        let script = folder.join("script");
        fs::write(&script, "run select-all\nshow selected\n").unwrap();
        Bench { folder, script }
    }

    /// Runs the commands that read a file of the folder.
    fn try_file(&self, name: &str, is_wanted: impl Fn(&str) -> bool) {
        println!("{name}: {} bytes", self.folder.join(name).metadata().unwrap().len());
        let first: &[&str] = match name.ends_with(".wad") {
            true => &["wad", "verify", "--deep", name],
            false => &["import", name, "-o", "imported.wad"],
        };
        let commands: [&[&str]; 5] = [
            first,
            &["thumbnail", name, "picture.png"],
            &["check", name],
            &["export", name, "-o", "exported.glb"],
            &["edit", name, "--script", "-"],
        ];
        let wanted: Vec<_> = commands.iter().filter(|command| is_wanted(command[0])).collect();
        assert!(!wanted.is_empty(), "{name}: no command is tried");
        for command in wanted {
            println!("    {}", run(&self.folder, command, &self.script));
        }
        fs::remove_file(self.folder.join(name)).unwrap();
        let _ = fs::remove_file(self.folder.join("imported.wad"));
        let _ = fs::remove_file(self.folder.join("exported.glb"));
    }
}

#[test]
fn what_asks_for_much_costs_little() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let part = if is_full() { 1 } else { 32 };
    let bench = Bench::new("costs");
    for (name, commands, make) in FILES {
        let kept = std::env::var_os("KEYPOSE_WRITE_COSTS").map(PathBuf::from);
        fs::write(kept.as_deref().unwrap_or(&bench.folder).join(name), make(part)).unwrap();
        if kept.is_none() {
            bench.try_file(name, |command| is_full() || commands.contains(&command));
        }
    }
}

#[test]
fn kept_hostile_files_cost_little() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (bench, corpus) = (Bench::new("corpus"), root().join("fuzz/corpus"));
    let readme = fs::read_to_string(corpus.join("README.md")).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(&corpus).unwrap().map(Result::unwrap).filter(|entry| entry.file_name() != "README.md") {
        let name = entry.file_name().into_string().unwrap();
        assert!(readme.contains(&format!("`{name}`")), "README.md doesn't say what {name} shows");
        fs::copy(entry.path(), bench.folder.join(&name)).unwrap();
        // It reads, bakes and plays.
        bench.try_file(&name, |command| is_full() || command == "check");
        count += 1;
    }
    assert_eq!(
        count,
        readme.lines().filter(|line| line.starts_with("| `")).count(),
        "README.md has a file that is missing"
    );
}

#[test]
fn several_pictures_of_what_takes_too_long_to_draw_are_refused() {
    // It keeps all cores busy for 20 s, which tests of windows beside it would notice.
    if !cfg!(target_os = "linux") || !is_full() {
        return;
    }
    let bench = Bench::new("pictures");
    let (_, _, make) = FILES.iter().find(|(name, ..)| *name == "layers.wad").unwrap();
    fs::write(bench.folder.join("layers.wad"), make(1)).unwrap();
    let film = ["render", "layers.wad", "--camera", "turntable", "-o", "layers.gif"];
    println!("{}", run(&bench.folder, &film, &bench.script));
    let errors = fs::read_to_string(bench.folder.join("errors")).unwrap();
    assert!(errors.contains("would take minutes; draw one picture"), "{errors}");
    assert!(!bench.folder.join("layers.gif").exists());
}
