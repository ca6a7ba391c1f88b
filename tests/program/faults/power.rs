//! Power cuts: the record of a run's calls is replayed on a model of a disk, which keeps what was synced and anything between
//! nothing and all of the rest. After a cut at any call, the program must find what it had acknowledged before the files were
//! last on the disk.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{
    Place, SESSION, Wanted, acknowledged, crashed, damage, files, is_full, loss, possible, shim, states, with_arm,
};

/// The longest time until everything is on the disk. It is 200 ms on a machine that does nothing else.
const LONGEST_SYNC: Duration = Duration::from_secs(30);

/// A recorded call.
#[derive(Clone, Debug)]
struct Call {
    name: String,
    file: i32,
    argument: i64,
    path: String,
    other: String,
    bytes: Vec<u8>,
}

impl Call {
    fn parse(line: &str) -> Option<Call> {
        let mut parts = line.splitn(3, '\t');
        let (head, other, bytes) = (parts.next()?, parts.next()?, parts.next()?);
        let mut words = head.splitn(6, ' ').skip(2);
        let (name, file, argument, path) = (words.next()?, words.next()?, words.next()?, words.next()?);
        let digits = |at: usize| u8::from_str_radix(&bytes[at..at + 2], 16).unwrap();
        Some(Call {
            name: name.into(),
            file: file.parse().ok()?,
            argument: argument.parse().ok()?,
            path: path.into(),
            other: other.into(),
            bytes: (0..bytes.len()).step_by(2).map(digits).collect(),
        })
    }

    fn is_change(&self) -> bool {
        ["open", "write", "truncate", "rename", "link", "unlink", "mkdir", "sync", "out"].contains(&self.name.as_str())
    }
}

/// The calls of a log whose last line may not be whole yet.
fn calls(log: &Path) -> Vec<Call> {
    let text = fs::read_to_string(log).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().filter_map(Call::parse).collect()
}

/// The content of a file: now, and what is on the disk for certain.
#[derive(Clone, Debug, Default)]
struct Content {
    now: Vec<u8>,
    synced: Vec<u8>,
}

/// What is on the disk besides that which was synced.
#[derive(Clone, Copy, Debug)]
enum Rest {
    /// Nothing.
    Nothing,
    /// The names in folders.
    Names,
    /// The contents.
    Contents,
    /// The names, and half of what was written.
    Half,
    /// The names and lengths, but zeros instead of what was written.
    Zeros,
}

const RESTS: [Rest; 5] = [Rest::Nothing, Rest::Names, Rest::Contents, Rest::Half, Rest::Zeros];

/// The model of a folder on a disk. Files are numbered.
#[derive(Clone, Debug, Default)]
struct Disk {
    folder: PathBuf,
    contents: Vec<Content>,
    /// Folders that were made have no number.
    names: BTreeMap<PathBuf, Option<usize>>,
    synced_names: BTreeMap<PathBuf, Option<usize>>,
    open: HashMap<i32, Open>,
}

/// An open file or folder.
#[derive(Clone, Debug)]
enum Open {
    /// The number of the file, the position, and whether it is written at its end.
    File(usize, usize, bool),
    Folder(PathBuf),
}

impl Disk {
    /// A folder whose files are on the disk.
    fn of(folder: &Path) -> Disk {
        let mut disk = Disk { folder: folder.to_owned(), ..Disk::default() };
        for (path, bytes) in files(folder) {
            for made in path.ancestors().skip(1).take_while(|made| *made != folder) {
                disk.names.insert(made.to_owned(), None);
            }
            disk.names.insert(path, Some(disk.contents.len()));
            disk.contents.push(Content { now: bytes.clone(), synced: bytes });
        }
        for made in ["work", "state"] {
            disk.names.insert(folder.join(made), None);
        }
        disk.synced_names = disk.names.clone();
        disk
    }

    fn apply(&mut self, call: &Call) {
        match call.name.as_str() {
            "open" => self.open(call),
            "close" => drop(self.open.remove(&call.file)),
            "rename" => {
                let number = self.names.remove(Path::new(&call.path)).expect("a known file is renamed");
                self.names.insert(call.other.clone().into(), number);
            }
            "link" => drop(self.names.insert(call.other.clone().into(), self.names[Path::new(&call.path)])),
            "unlink" => drop(self.names.remove(Path::new(&call.path))),
            "mkdir" => drop(self.names.insert(call.path.clone().into(), None)),
            "sync" => match self.open[&call.file].clone() {
                Open::File(number, ..) => self.contents[number].synced = self.contents[number].now.clone(),
                Open::Folder(folder) => {
                    let is_in = |name: &Path| name.parent() == Some(&*folder);
                    self.synced_names.retain(|name, _| !is_in(name));
                    let names = self.names.iter().filter(|(name, _)| is_in(name));
                    self.synced_names.extend(names.map(|(name, number)| (name.clone(), *number)));
                }
            },
            "write" | "truncate" | "seek" => self.change(call),
            _ => {}
        }
    }

    fn open(&mut self, call: &Call) {
        let (is_emptied, appends) = (call.argument & 2 != 0, call.argument & 4 != 0);
        let path = PathBuf::from(&call.path);
        if call.argument & 1 != 0 && !self.names.contains_key(&path) {
            self.names.insert(path.clone(), Some(self.contents.len()));
            self.contents.push(Content::default());
        }
        let number = self.names.get(&path).copied().flatten();
        if let Some(number) = number.filter(|_| is_emptied) {
            self.contents[number].now.clear();
        }
        let open = number.map_or(Open::Folder(path), |number| Open::File(number, 0, appends));
        self.open.insert(call.file, open);
    }

    fn change(&mut self, call: &Call) {
        let Some(Open::File(number, position, appends)) = self.open.get_mut(&call.file) else { return };
        let now = &mut self.contents[*number].now;
        match call.name.as_str() {
            "seek" => *position = call.argument as usize,
            "truncate" => now.resize(call.argument as usize, 0),
            _ => {
                let from = if *appends { now.len() } else { *position };
                now.resize(now.len().max(from + call.bytes.len()), 0);
                now[from..from + call.bytes.len()].copy_from_slice(&call.bytes);
                *position = from + call.bytes.len();
            }
        }
    }

    /// Whether the archive and its unsaved work are on the disk as they are.
    fn is_synced(&self) -> bool {
        ["a.wad", "steps", "base.wad"].iter().all(|end| {
            let of = |names: &BTreeMap<PathBuf, Option<usize>>| {
                let mut found = names.iter().filter(|(name, _)| name.ends_with(end) && self.is_reached(name, names));
                found.find_map(|(_, number)| *number)
            };
            let (now, synced) = (of(&self.names), of(&self.synced_names));
            now == synced && now.is_none_or(|number| self.contents[number].now == self.contents[number].synced)
        })
    }

    /// Whether the folders that lead to a file are there.
    fn is_reached(&self, name: &Path, names: &BTreeMap<PathBuf, Option<usize>>) -> bool {
        name.ancestors().skip(1).take_while(|made| *made != self.folder).all(|made| names.contains_key(made))
    }

    /// Writes what a cut leaves to another folder.
    fn cut(&self, rest: Rest, folder: &Path) {
        let names = match rest {
            Rest::Nothing | Rest::Contents => &self.synced_names,
            Rest::Names | Rest::Half | Rest::Zeros => &self.names,
        };
        for (name, number) in names.iter().filter(|(name, _)| self.is_reached(name, names)) {
            let path = folder.join(name.strip_prefix(&self.folder).unwrap());
            let Some(number) = number else {
                fs::create_dir_all(path).unwrap();
                continue;
            };
            let Content { now, synced } = &self.contents[*number];
            let same = now.iter().zip(synced).take_while(|(a, b)| a == b).count();
            let bytes = match rest {
                Rest::Nothing | Rest::Names => synced.clone(),
                Rest::Contents => now.clone(),
                Rest::Half => now[..same + (now.len() - same) / 2].to_vec(),
                Rest::Zeros => now[..same].iter().copied().chain(vec![0; now.len() - same]).collect(),
            };
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
}

/// Says the lines to a program, and waits after every second one until everything is on the disk. Returns its calls.
fn recorded(place: &Place, lines: &[&str], start: &Disk) -> Vec<Call> {
    let mut command = place.command(None);
    command.arg("edit").arg(place.archive()).args(["--journal", "--script", "-"]);
    command.env("LD_PRELOAD", shim().unwrap()).env("FAULTS_FOLDER", &place.folder).env("FAULTS_LOG", place.log());
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for (number, line) in (1..).zip(lines) {
        writeln!(stdin, "{line}").unwrap();
        let since = Instant::now();
        loop {
            let calls = calls(&place.log());
            let mut disk = start.clone();
            calls.iter().for_each(|call| disk.apply(call));
            if answers(&calls) == number && (disk.is_synced() || number % 2 == 1) {
                break;
            }
            assert!(since.elapsed() < LONGEST_SYNC, "line {number} is not on the disk: {calls:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    calls(&place.log())
}

/// How many lines were acknowledged.
fn answers(calls: &[Call]) -> usize {
    let out: Vec<u8> = calls.iter().filter(|call| call.name == "out").flat_map(|call| call.bytes.clone()).collect();
    acknowledged(&String::from_utf8_lossy(&out))
}

/// A moment of a run: the disk, how many lines were acknowledged when it was last synced, and how many are now.
struct Moment {
    after: usize,
    disk: Disk,
    certain: usize,
    acknowledged: usize,
}

/// The moments after every call that changes something.
fn moments(calls: &[Call], start: &Disk) -> Vec<Moment> {
    let (mut disk, mut certain, mut moments) = (start.clone(), 0, Vec::new());
    for (after, call) in calls.iter().enumerate() {
        disk.apply(call);
        let acknowledged = answers(&calls[..=after]);
        if disk.is_synced() {
            certain = acknowledged;
        }
        if call.is_change() {
            moments.push(Moment { after, disk: disk.clone(), certain, acknowledged });
        }
    }
    moments
}

/// Cuts the power at all moments, or at some of them. `wrong` returns what the next run doesn't find.
fn cut_all(name: &str, moments: &[Moment], calls: &[Call], wrong: impl Fn(&Place, &Moment) -> Option<String>) {
    let all: Vec<(&Moment, Rest)> = moments.iter().flat_map(|moment| RESTS.map(|rest| (moment, rest))).collect();
    // A number without a common factor with that of the kinds, so that each of them has its turn.
    let step = if is_full() { 1 } else { all.len() / 8 / RESTS.len() * RESTS.len() + 1 };
    let place = Place::new(name);
    let mut failed = Vec::new();
    let tried: Vec<_> = all.into_iter().step_by(step).collect();
    for (moment, rest) in &tried {
        place.clear();
        moment.disk.cut(*rest, &place.folder);
        if let Some(reason) = damage(&place).or_else(|| wrong(&place, moment)) {
            let Call { name, path, other, .. } = &calls[moment.after];
            let file = |path: &str| Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
            let about = format!("{name} {} {}", file(path), file(other));
            let reason = format!(
                "after call {} ({about}) with {rest:?}, {} of {} certain: {reason}",
                moment.after, moment.certain, moment.acknowledged
            );
            eprintln!("{name}: {reason}");
            failed.push(reason);
        }
    }
    println!("{name}: {} cuts tried, {} failed", tried.len(), failed.len());
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), tried.len(), failed.join("\n"));
}

#[test]
fn a_session_survives_a_power_cut_at_every_call() {
    if shim().is_none() {
        return;
    }
    let states = states();
    let place = Place::new("power");
    with_arm(&place);
    let start = Disk::of(&place.folder);
    let calls = recorded(&place, &SESSION, &start);
    // The archive moves to another folder.
    drop(place);
    let moments = moments(&calls, &start);
    assert_eq!(moments.last().map(|moment| moment.certain), Some(SESSION.len()));
    cut_all("power cut", &moments, &calls, |place, moment| {
        let wanted = possible(&states, moment.certain..=moment.acknowledged);
        loss(place, &Wanted::States(wanted))
    });
}

#[test]
fn a_recovery_survives_a_power_cut_at_every_call() {
    if shim().is_none() {
        return;
    }
    let place = Place::new("power");
    place.restore(&crashed());
    let start = Disk::of(&place.folder);
    let calls = recorded(&place, &["show poses", "save-pose q; show poses"], &start);
    drop(place);
    cut_all("power cut in a recovery", &moments(&calls, &start), &calls, |place, moment| {
        let poses: &[&str] = if moment.certain == 2 { &["p1", "p2", "q"] } else { &["p1", "p2"] };
        loss(place, &Wanted::Poses(poses))
    });
}
