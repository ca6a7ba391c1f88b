//! Compares Keypose with ozz-animation (C++), and with ACL (C++) if it is given, on the same clips, in one run.
//!
//! `OZZ_SOURCE=path/to/ozz-animation cargo run --release` in this folder plays generated clips; needs CMake and a C++ compiler (`CXX`
//! chooses it). With archives (`keypose import Knight.glb -o knight.wad`, then `cargo run --release -- knight.wad`) it plays their
//! clips, and a row is the mean over the clips of an archive. GLB files after them are opened by cgltf.
//!
//! `ACL_SOURCE` and `RTM_SOURCE`: the folders of the Animation Compression Library, 2.1 or later, and of its mathematics, RTM.
//! `CGLTF_SOURCE`: the folder of `cgltf.h`.
//!
//! All play the same numbers. ozz packs them as its `AnimationBuilder` does, without its optimizer, which would remove keys. ACL packs
//! samples at the rate of the keys, or 60 per second if the length is not a whole number of frames, by its default settings, within
//! the bound of Keypose: 1e-4 of the model's size. It reads that bound in the space of each bone, so where a root has a scale (FBX in
//! centimetres) it misses it. Seeking is the better of ozz' time with and without iframes of 0.2 s. The error is the greatest distance
//! in model space from the exact pose at 40 times, as Keypose measures it, in millionths of the model's size.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use glam::{Mat4, Vec4};
use keypose::anim::bake::measure::Reach;
use keypose::anim::bake::{BakeOptions, BakedClip, SampleFormat, bake_reaching};
use keypose::anim::blend::blend_poses;
use keypose::anim::clip::Clip;
use keypose::anim::key::{Channel, Ease};
use keypose::anim::mat34::Mat3x4;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::Skeleton;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::anim::transform::Transform;
use keypose::wad;

#[path = "../../shared/clock.rs"]
mod clock;
#[path = "../../shared/generated.rs"]
mod generated;

use clock::min_ns;
use generated::{Kind, clip, noise, skeleton};

/// Samples per timed run.
const STEPS: usize = 200;
/// The greatest count of samples per second of what ACL packs, and that of keys that are not linear.
const RATE: f64 = 60.0;
/// Works in the order of the figures: those for all clips, then those for generated clips alone.
const WORKS: [&str; 7] =
    ["playing", "seeking", "bytes", "error", "playing with local to model", "local to model", "blending 2 layers"];
const BRIEF: usize = 4;
const FORMATS: [SampleFormat; 3] = [SampleFormat::Quantized, SampleFormat::F32, SampleFormat::Packed];

/// A clip that all play.
struct Case {
    /// The row of the table that it counts for.
    subject: String,
    skeleton: Skeleton,
    reach: Reach,
    clip: Clip,
    even: Vec<f64>,
    random: Vec<f64>,
}

/// Figures of the C++ part by the number of the clip and the work.
type Figures = BTreeMap<(usize, String), f64>;

fn main() -> ExitCode {
    let Some(source) = std::env::var_os("OZZ_SOURCE").map(PathBuf::from) else {
        eprintln!("OZZ_SOURCE is not set: the folder of ozz-animation's source, 0.15 or later");
        return ExitCode::from(2);
    };
    match run(&source) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(source: &Path) -> Result<(), String> {
    let harness = build(source)?;
    let files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let is_archive = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "wad");
    let (archives, others): (Vec<PathBuf>, Vec<PathBuf>) = files.into_iter().partition(is_archive);
    let mut cases = Vec::new();
    for archive in &archives {
        cases.extend(of_archive(archive)?);
    }
    if archives.is_empty() && others.is_empty() {
        cases.extend([67, 256].into_iter().flat_map(|joints| Kind::ALL.map(|kind| generated(joints, kind))));
    }
    let works = if archives.is_empty() { WORKS.len() } else { BRIEF };
    if !cases.is_empty() {
        compare(&harness, &cases, works)?;
    }
    for archive in &archives {
        open(archive)?;
    }
    let opened = Command::new(&harness).arg("--open").args(others).status().map_err(|error| error.to_string())?;
    if opened.success() { Ok(()) } else { Err("harness: opening failed".into()) }
}

/// Prints a row for each subject and work: the mean over its cases.
fn compare(harness: &Path, cases: &[Case], works: usize) -> Result<(), String> {
    let theirs = measure_others(harness, cases, works)?;
    let ours: Vec<Vec<[f64; 3]>> = cases.iter().map(|case| measure(case, works)).collect();
    println!("nanoseconds per pose, minimum of many runs; bytes in memory; 16 and 32 are bits per number\n");
    println!("| clips | work | 16 | 32 | packed | ozz | ACL | ozz / 16 | ozz / 32 | ozz / packed | ACL / packed |");
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let mut subjects: Vec<&str> = cases.iter().map(|case| &*case.subject).collect();
    subjects.dedup();
    let mut opened = String::new();
    for subject in subjects {
        let numbers: Vec<usize> = (0..cases.len()).filter(|&number| cases[number].subject == subject).collect();
        let mean = |of: &dyn Fn(usize) -> f64| numbers.iter().map(|&at| of(at)).sum::<f64>() / numbers.len() as f64;
        for (at, work) in WORKS.iter().enumerate().take(works) {
            let [short, whole, packed] = [0, 1, 2].map(|format| mean(&|case| ours[case][at][format]));
            let named = |name: String| mean(&|case| theirs.get(&(case, name.clone())).copied().unwrap_or(f64::NAN));
            let (ozz, acl) = (named((*work).to_owned()), named(format!("acl {work}")));
            println!(
                "| {subject} | {work} | {short:.0} | {whole:.0} | {packed:.0} | {ozz:.0} | {acl:.0} | {:.1} | {:.1} | {:.1} | {:.1} |",
                ozz / short,
                ozz / whole,
                ozz / packed,
                acl / packed
            );
        }
        let opening = mean(&|case| theirs.get(&(case, "opening".to_owned())).copied().unwrap_or(f64::NAN));
        if works == BRIEF {
            let _ = writeln!(opened, "{subject}: ozz opens a clip in {:.3} ms", opening / 1e6);
        }
    }
    println!("\n{opened}");
    Ok(())
}

fn generated(joints: usize, kind: Kind) -> Case {
    let skeleton = skeleton(joints);
    let (clip, reach) = (clip(&skeleton, kind), Reach::of(&skeleton));
    case(format!("{joints} joints, {kind:?}"), skeleton, reach, clip)
}

/// The clips of an archive. Those without a length are left out.
fn of_archive(path: &Path) -> Result<Vec<Case>, String> {
    let decoded = wad::decode(&read(path)?).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut cases = Vec::new();
    for model in &decoded.project.models {
        let clips: Vec<&Clip> =
            model.clips.iter().map(|slot| &*slot.clip).filter(|clip| clip.length() > Time::ZERO).collect();
        let subject = format!("{}: {} clips, {} joints", model.name, clips.len(), model.skeleton.len());
        for clip in clips {
            let reach = keypose::assets::mesh_reach::reach(model);
            cases.push(case(subject.clone(), (*model.skeleton).clone(), reach, clip.clone()));
        }
    }
    Ok(cases)
}

fn case(subject: String, skeleton: Skeleton, reach: Reach, clip: Clip) -> Case {
    let length = clip.length().secs();
    let even = (0..STEPS).map(|step| length * step as f64 / STEPS as f64).collect();
    let random = (0..STEPS).map(|step| length * f64::from(noise(step as u32) * 0.5 + 0.5)).collect();
    Case { subject, skeleton, reach, clip, even, random }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Prints how long an archive takes to open.
fn open(path: &Path) -> Result<(), String> {
    let bytes = read(path)?;
    let clips: usize =
        wad::decode(&bytes).map_err(|error| error.to_string())?.characters.iter().map(|of| of.clips.len()).sum();
    let time = min_ns(1, || _ = black_box(wad::decode(black_box(&bytes))));
    println!("{}: Keypose opens it in {:.3} ms, with {clips} clips", path.display(), time / 1e6);
    Ok(())
}

/// Builds the C++ part; its path.
fn build(source: &Path) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = folder.join("target/native");
    let source = std::path::absolute(source).map_err(|error| error.to_string())?;
    let configure = [
        "-S".into(),
        folder.join("native").into_os_string(),
        "-B".into(),
        target.clone().into_os_string(),
        "-DCMAKE_BUILD_TYPE=Release".into(),
        format!("-DOZZ_SOURCE={}", source.display()).into(),
        given("ACL_SOURCE")?,
        given("RTM_SOURCE")?,
        given("CGLTF_SOURCE")?,
        // As for this package: what every processor of the kind can do, unless CXXFLAGS says more.
        "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG".into(),
    ];
    let build = ["--build".into(), target.clone().into_os_string(), "--config".into(), "Release".into()];
    for arguments in [&configure[..], &build] {
        let status = Command::new("cmake").args(arguments).status().map_err(|error| format!("cmake: {error}"))?;
        if !status.success() {
            return Err("cmake failed".into());
        }
    }
    let found = ["harness", "harness.exe", "Release/harness.exe"].map(|name| target.join(name));
    found.into_iter().find(|path| path.exists()).ok_or("cmake made no harness".into())
}

/// The argument that passes a folder on to CMake; empty if the variable isn't set.
fn given(variable: &str) -> Result<OsString, String> {
    let folder = std::env::var_os(variable).map_or(Ok(PathBuf::new()), std::path::absolute);
    Ok(format!("-D{variable}={}", folder.map_err(|error| error.to_string())?.display()).into())
}

/// Lets the C++ part measure.
fn measure_others(harness: &Path, cases: &[Case], works: usize) -> Result<Figures, String> {
    let file = std::env::temp_dir().join(format!("keypose-ozz-{}.txt", std::process::id()));
    std::fs::write(&file, numbers(cases, works == BRIEF)).map_err(|error| format!("{}: {error}", file.display()))?;
    let output = Command::new(harness).arg(&file).output().map_err(|error| format!("{}: {error}", harness.display()));
    let _ = std::fs::remove_file(&file);
    let output = output?;
    if !output.status.success() {
        return Err(format!("harness: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| figure(line, cases).ok_or(format!("harness: unexpected line {line:.80}"))).collect()
}

/// A line of the C++ part. Poses become their error.
fn figure(line: &str, cases: &[Case]) -> Option<((usize, String), f64)> {
    let mut parts = line.split('\t');
    let (number, work, values) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
    let Some(of) = work.strip_suffix("poses") else { return Some(((number, work.to_owned()), values.parse().ok()?)) };
    let values: Vec<f32> = values.split_whitespace().map(|value| value.parse().ok()).collect::<Option<_>>()?;
    let case = &cases[number];
    let mut poses = values.chunks_exact(12 * case.skeleton.len());
    let error = case.error(|_| ModelPose {
        bones: poses.next().unwrap_or(&[]).chunks_exact(12).map(matrix).collect(),
        ..ModelPose::default()
    });
    Some(((number, format!("{of}error")), error))
}

/// A matrix of four columns without their last component.
fn matrix(values: &[f32]) -> Mat3x4 {
    let column = |at: usize, last: f32| Vec4::new(values[3 * at], values[3 * at + 1], values[3 * at + 2], last);
    Mat3x4::from_mat4(&Mat4::from_cols(column(0, 0.0), column(1, 0.0), column(2, 0.0), column(3, 1.0)))
}

impl Case {
    /// The exact pose.
    fn exact(&self, tracks: &[Track], time: Time) -> LocalPose {
        let mut pose = self.skeleton.rest_pose();
        for track in tracks.iter().filter(|track| track.channel.scalar().is_none()) {
            let mut transform = pose.get(usize::from(track.bone));
            track.channel.put(&mut transform, track.sample(time));
            pose.set(usize::from(track.bone), &transform);
        }
        pose
    }

    /// The greatest distance of poses from the exact ones, in millionths of the model's size.
    fn error(&self, mut posed: impl FnMut(Time) -> ModelPose) -> f64 {
        let (tracks, mut worst, mut model) = (Track::all_of(&self.clip), 0.0_f32, ModelPose::default());
        for time in self.even.iter().step_by(5).map(|&secs| Time::from_secs(secs)) {
            model.compute(&self.skeleton, &self.exact(&tracks, time));
            worst = worst.max(self.reach.distance(&model, &posed(time)));
        }
        f64::from(worst / self.reach.model_size) * 1e6
    }
}

/// All clips as numbers, in the order in which the harness reads them.
fn numbers(cases: &[Case], is_brief: bool) -> String {
    let mut text = format!("{}\n{}\n", cases.len(), u8::from(is_brief));
    let mut put = |values: &[f32]| {
        for value in values {
            let _ = write!(text, "{value} ");
        }
        text.push('\n');
    };
    for case in cases {
        let bones = case.skeleton.bones();
        put(&[bones.len() as f32]);
        for bone in bones {
            put(&[bone.parent.map_or(-1.0, f32::from)]);
            put(&flat(&bone.rest));
        }
        put(&[case.reach.model_size, bones.len() as f32]);
        let rest = case.skeleton.rest_model_pose();
        // In the bone's own space. Keypose adds the distances of all three axes, ACL takes the greatest.
        let axes = |bone: usize| rest.bones[bone].rows.iter().map(|row| row.truncate().length_squared()).sum::<f32>();
        put(&(0..bones.len())
            .map(|bone| 1.5 * case.reach.own(bone) / axes(bone).sqrt().max(f32::MIN_POSITIVE))
            .collect::<Vec<_>>());
        put(&[case.clip.length().secs() as f32]);
        let tracks = Track::all_of(&case.clip);
        for bone in 0..bones.len() {
            for channel in Channel::ALL {
                let track = tracks.iter().find(|track| usize::from(track.bone) == bone && track.channel == channel);
                // Without keys, ozz takes an identity.
                let rest = || vec![(0.0, channel.of(&bones[bone].rest))];
                let keys = track.map_or_else(rest, |track| keys(track, case.clip.length()));
                put(&[keys.len() as f32]);
                for (secs, value) in keys {
                    put(&[&[secs][..], &value.to_array()[..channel.width()]].concat());
                }
            }
        }
        for times in [&case.even, &case.random] {
            put(&[times.len() as f32]);
            put(&times.iter().map(|&secs| secs as f32).collect::<Vec<_>>());
        }
        let frames = case.clip.length().secs() * key_rate(&tracks);
        let is_even = (frames - frames.round()).abs() < 0.01 && frames <= case.clip.length().secs() * RATE;
        let frames = if is_even { frames } else { case.clip.length().secs() * RATE };
        let count = frames.round().max(1.0) as usize;
        let rate = count as f64 / case.clip.length().secs();
        put(&[rate as f32, ((count + 1) * bones.len()) as f32]);
        for at in 0..=count {
            let pose = case.exact(&tracks, Time::from_secs(at as f64 / rate).min(case.clip.length()));
            (0..bones.len()).for_each(|bone| put(&flat(&pose.get(bone))));
        }
    }
    text
}

fn flat(of: &Transform) -> Vec<f32> {
    [&of.translation.to_array()[..], &of.rotation.to_array(), &of.scale.to_array()].concat()
}

/// Keys per second where they are nearest to each other.
fn key_rate(tracks: &[Track]) -> f64 {
    let gaps = tracks.iter().flat_map(|track| track.keys.windows(2)).map(|pair| pair[1].0 - pair[0].0);
    gaps.min().map_or(1.0, |gap| 1.0 / gap.secs())
}

/// The keys of a track; samples if they aren't linear.
fn keys(track: &Track, length: Time) -> Vec<(f32, Vec4)> {
    if track.keys.iter().all(|(_, key)| key.ease == Ease::Linear) {
        return track.keys.iter().map(|(time, key)| (time.secs() as f32, key.value)).collect();
    }
    let count = (length.secs() * RATE).round().max(1.0) as i64;
    let times = (0..=count).map(|at| Time(length.0 * at / count));
    times.map(|time| (time.secs() as f32, track.sample(time))).collect()
}

/// Our figures: for each work those of [`FORMATS`].
fn measure(case: &Case, works: usize) -> Vec<[f64; 3]> {
    let columns = FORMATS.map(|format| measure_format(case, format, works));
    (0..works).map(|work| columns.each_ref().map(|column| column[work])).collect()
}

fn measure_format(case: &Case, format: SampleFormat, works: usize) -> Vec<f64> {
    let Case { skeleton, reach, clip, even, random, .. } = case;
    let baked: BakedClip = bake_reaching(clip, skeleton, reach, &BakeOptions { format, ..BakeOptions::default() });
    let times = |secs: &[f64]| -> Vec<Time> { secs.iter().map(|&secs| Time::from_secs(secs)).collect() };
    let (even, random) = (times(even), times(random));
    let (mut local, mut model) = (LocalPose::default(), ModelPose::default());
    let mut sample = |times: &[Time]| {
        min_ns(STEPS, || times.iter().for_each(|&time| baked.sample(black_box(time), black_box(&mut local))))
    };
    let mut figures = vec![sample(&even), sample(&random), baked.report().bytes as f64];
    figures.push(case.error(|time| {
        baked.sample(time, &mut local);
        model.compute(skeleton, &local);
        model.clone()
    }));
    if works == BRIEF {
        return figures;
    }
    figures.push(min_ns(STEPS, || {
        for &time in &even {
            baked.sample(black_box(time), &mut local);
            model.compute(skeleton, black_box(&local));
        }
    }));
    figures.push(min_ns(STEPS, || (0..STEPS).for_each(|_| black_box(&mut model).compute(skeleton, black_box(&local)))));
    let (mut other, mut blended) = (LocalPose::default(), LocalPose::default());
    baked.sample(clip.length() / 3, &mut other);
    figures.push(min_ns(STEPS, || (0..STEPS).for_each(|_| blend_poses(&local, black_box(&other), 0.6, &mut blended))));
    figures
}
