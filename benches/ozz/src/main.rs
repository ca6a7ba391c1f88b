//! Compares Keypose with ozz-animation (C++) on the same generated clips, in one run.
//!
//! `OZZ_SOURCE=path/to/ozz-animation cargo run --release` in this folder; needs CMake and a C++ compiler (`CXX` chooses
//! it). Both play the same numbers; ozz packs them as its `AnimationBuilder` does, without its optimizer, which would
//! remove keys. Seeking is the better of ozz' time with and without iframes of 0.2 s.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use keypose::anim::bake::{BakeOptions, BakedClip, SampleFormat, bake_with};
use keypose::anim::blend::blend_poses;
use keypose::anim::clip::Clip;
use keypose::anim::key::Channel;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::Skeleton;
use keypose::anim::time::Time;
use keypose::anim::track::Track;

#[path = "../../shared/clock.rs"]
mod clock;
#[path = "../../shared/generated.rs"]
mod generated;

use clock::min_ns;
use generated::{Kind, clip, noise, skeleton};

/// Samples per timed run.
const STEPS: usize = 200;
const WORKS: [&str; 6] =
    ["playing", "seeking", "playing with local to model", "local to model", "blending 2 layers", "bytes"];

/// A clip that both play.
struct Case {
    joints: usize,
    kind: Kind,
    skeleton: Skeleton,
    clip: Clip,
    even: Vec<f64>,
    random: Vec<f64>,
}

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
    let joints = [67, 256].into_iter();
    let cases: Vec<Case> = joints.flat_map(|joints| Kind::ALL.map(|kind| case(joints, kind))).collect();
    let theirs = measure_ozz(&harness, &cases)?;
    println!("nanoseconds per character, minimum of many runs; memory in bytes. 16 and 32 are the bits per number\n");
    println!("| joints | clip | work | keypose, 16 | keypose, 32 | ozz-animation | ratio, 16 | ratio, 32 |");
    println!("|---|---|---|---|---|---|---|---|");
    for (number, case) in cases.iter().enumerate() {
        let formats = [SampleFormat::Quantized, SampleFormat::F32];
        let ours = formats.map(|format| measure(case, format));
        for (at, work) in WORKS.iter().enumerate() {
            let ozz = theirs.get(&(number, (*work).to_owned())).copied().unwrap_or(f64::NAN);
            let [short, whole] = ours.each_ref().map(|figures| figures[at]);
            let (Case { joints, kind, .. }, by) = (case, |figure: f64| ozz / figure);
            let (a, b) = (by(short), by(whole));
            println!("| {joints} | {kind:?} | {work} | {short:.0} | {whole:.0} | {ozz:.0} | {a:.1} × | {b:.1} × |");
        }
    }
    Ok(())
}

fn case(joints: usize, kind: Kind) -> Case {
    let skeleton = skeleton(joints);
    let clip = clip(&skeleton, kind);
    let length = clip.length().secs();
    let even = (0..STEPS).map(|step| length * step as f64 / STEPS as f64).collect();
    let random = (0..STEPS).map(|step| length * f64::from(noise(step as u32) * 0.5 + 0.5)).collect();
    Case { joints, kind, skeleton, clip, even, random }
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

/// Lets the C++ part measure; its figures by the number of the clip and the work.
fn measure_ozz(harness: &Path, cases: &[Case]) -> Result<BTreeMap<(usize, String), f64>, String> {
    let file = std::env::temp_dir().join(format!("keypose-ozz-{}.txt", std::process::id()));
    std::fs::write(&file, numbers(cases)).map_err(|error| format!("{}: {error}", file.display()))?;
    let output = Command::new(harness).arg(&file).output().map_err(|error| format!("{}: {error}", harness.display()));
    let _ = std::fs::remove_file(&file);
    let output = output?;
    if !output.status.success() {
        return Err(format!("harness: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let figure = |line: &str| {
        let mut parts = line.split('\t');
        let (clip, work, figure) = (parts.next()?.parse().ok()?, parts.next()?.to_owned(), parts.next()?.parse().ok()?);
        Some(((clip, work), figure))
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| figure(line).ok_or(format!("harness: unexpected line {line}"))).collect()
}

/// All clips as numbers, in the order in which the harness reads them.
fn numbers(cases: &[Case]) -> String {
    let mut text = format!("{}\n", cases.len());
    let mut put = |values: &[f32]| {
        for value in values {
            let _ = write!(text, "{value} ");
        }
        text.push('\n');
    };
    for case in cases {
        put(&[case.skeleton.len() as f32]);
        for bone in case.skeleton.bones() {
            let rest = bone.rest;
            put(&[bone.parent.map_or(-1.0, f32::from)]);
            put(&[&rest.translation.to_array()[..], &rest.rotation.to_array(), &rest.scale.to_array()].concat());
        }
        put(&[case.clip.length().secs() as f32]);
        let tracks = Track::all_of(&case.clip);
        for bone in 0..case.skeleton.len() {
            for channel in Channel::ALL {
                let track = tracks.iter().find(|track| usize::from(track.bone) == bone && track.channel == channel);
                let keys = track.map_or(&[][..], |track| &track.keys);
                put(&[keys.len() as f32]);
                for (time, key) in keys {
                    put(&[&[time.secs() as f32][..], &key.value.to_array()[..channel.width()]].concat());
                }
            }
        }
        for times in [&case.even, &case.random] {
            put(&[times.len() as f32]);
            put(&times.iter().map(|&secs| secs as f32).collect::<Vec<_>>());
        }
    }
    text
}

/// Our figures, in the order of [`WORKS`].
fn measure(case: &Case, format: SampleFormat) -> [f64; 6] {
    let Case { skeleton, clip, even, random, .. } = case;
    let baked: BakedClip = bake_with(clip, skeleton, &BakeOptions { format, ..BakeOptions::default() });
    let times = |secs: &[f64]| -> Vec<Time> { secs.iter().map(|&secs| Time::from_secs(secs)).collect() };
    let (even, random) = (times(even), times(random));
    let (mut local, mut model) = (LocalPose::default(), ModelPose::default());
    let mut sample = |times: &[Time]| {
        min_ns(STEPS, || times.iter().for_each(|&time| baked.sample(black_box(time), black_box(&mut local))))
    };
    let (playing, seeking) = (sample(&even), sample(&random));
    let with_model = min_ns(STEPS, || {
        for &time in &even {
            baked.sample(black_box(time), &mut local);
            model.compute(skeleton, black_box(&local));
        }
    });
    let alone = min_ns(STEPS, || (0..STEPS).for_each(|_| black_box(&mut model).compute(skeleton, black_box(&local))));
    let (mut other, mut blended) = (LocalPose::default(), LocalPose::default());
    baked.sample(clip.length() / 3, &mut other);
    let blend = min_ns(STEPS, || (0..STEPS).for_each(|_| blend_poses(&local, black_box(&other), 0.6, &mut blended)));
    [playing, seeking, with_model, alone, blend, baked.report().bytes as f64]
}
