//! Costs of small files for the commands that read files, with bounds of memory and time: a sixteenth of each file in every run, or
//! less, the whole files with `KEYPOSE_FULL=1`. `KEYPOSE_WRITE_COSTS=FOLDER` keeps them there, for a stopwatch.

mod files;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use files::FILES;

/// The memory of a process, in KiB.
const MAX_MEMORY: u64 = 2 << 20;
/// The time of a command; builds for tests are several times slower.
const MAX_TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 120 } else { 20 });

/// The part of each file that is made.
fn part() -> usize {
    if std::env::var_os("KEYPOSE_FULL").is_some() { 1 } else { 16 }
}

/// The peak memory of a process, in KiB; 0 after its end.
fn peak_of(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok()).unwrap_or(0)
}

/// Runs a command within the bounds. Returns what it cost.
fn run(folder: &Path, arguments: &[&str], script: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keypose"));
    for variable in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"] {
        command.env(variable, folder);
    }
    let errors = folder.join("errors");
    command.args(arguments).current_dir(folder).stdin(File::open(script).unwrap());
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

#[test]
fn what_asks_for_much_costs_little() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let kept = std::env::var_os("KEYPOSE_WRITE_COSTS").map(PathBuf::from);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("costs-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let script = folder.join("script");
    fs::write(&script, "run select-all\nshow selected\n").unwrap();
    for (name, make) in FILES {
        let file = folder.join(name);
        fs::write(&file, make(part())).unwrap();
        println!("{name}: {} bytes", file.metadata().unwrap().len());
        if let Some(kept) = &kept {
            fs::copy(&file, kept.join(name)).unwrap();
            continue;
        }
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
        commands.iter().for_each(|command| println!("    {}", run(&folder, command, &script)));
        fs::remove_file(file).unwrap();
        let _ = fs::remove_file(folder.join("imported.wad"));
        let _ = fs::remove_file(folder.join("exported.glb"));
    }
    fs::remove_dir_all(folder).unwrap();
}
