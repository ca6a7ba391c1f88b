//! How costs grow with bones and with keyframes: a sample, an edit, a playing frame of the panels, a bake, and a save. A cost in
//! proportion has the exponent 1, one that doesn't grow 0.
//!
//! `cargo bench --bench scale`

use std::hint::black_box;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};
use keypose::anim::bake::bake;
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::{Channel, Key};
use keypose::anim::pose::LocalPose;
use keypose::anim::time::{FrameRate, Time};
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose::wad;
use keypose_editor::editor::ops::posed::Posed;
use keypose_editor::editor::posing::change::Change;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Action, DocumentAction, Origin, PlaybackAction};

#[path = "shared/clock.rs"]
mod clock;
#[path = "shared/editor_host.rs"]
mod editor_host;
#[allow(dead_code)]
#[path = "shared/generated.rs"]
mod generated;

use clock::min_ns;
use editor_host::Host;
use generated::{noise, skeleton};

const BONES: [usize; 4] = [10, 100, 1000, 4000];
const KEYFRAMES: [usize; 4] = [10, 100, 1000, 10_000];

/// The names of the costs, in the order of [`costs`].
const WORKS: [&str; 6] =
    ["sample", "edit of one bone", "edit on a loop's first keyframe", "frame while playing", "bake", "save"];

fn main() {
    println!("microseconds, minimum of many; all channels of all bones in each keyframe\n");
    table("bones, 60 keyframes", &BONES.map(|bones| (bones, costs(bones, 60))));
    table("keyframes, 60 bones", &KEYFRAMES.map(|keyframes| (keyframes, costs(60, keyframes))));
}

/// Prints the costs for each size, and their exponent.
fn table(by: &str, rows: &[(usize, [f64; WORKS.len()])]) {
    let sizes: Vec<String> = rows.iter().map(|(size, _)| size.to_string()).collect();
    println!("| {by} | {} | exponent |\n|---|{}---|", sizes.join(" | "), "---|".repeat(rows.len()));
    for (work, name) in WORKS.iter().enumerate() {
        let costs: Vec<String> = rows.iter().map(|(_, costs)| format!("{:.3}", costs[work] / 1e3)).collect();
        let points: Vec<(f64, f64)> =
            rows.iter().map(|(size, costs)| ((*size as f64).ln(), costs[work].ln())).collect();
        println!("| {name} | {} | {:.2} |", costs.join(" | "), slope(&points));
    }
    println!();
}

/// The slope of the line that fits points best.
fn slope(points: &[(f64, f64)]) -> f64 {
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let both: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    both / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

/// Nanoseconds of each work.
fn costs(bones: usize, keyframes: usize) -> [f64; WORKS.len()] {
    let project = project(bones, keyframes);
    let model = project.models[0].clone();
    let (clip, skeleton) = (&model.clips[0].clip, &model.skeleton);
    let baked = bake(clip, skeleton);
    let (mut pose, mut time) = (LocalPose::default(), Time::ZERO);
    let sample = min_ns(100, || {
        for _ in 0..100 {
            time = (time + Time::from_millis(16.0)).min(clip.length());
            baked.sample(time, &mut pose);
        }
        black_box(&pose);
    });
    let edits = [clip.start_of(keyframes / 2), Time::ZERO].map(|at| {
        let mut editor = Editor::new(project.clone(), &Origin::New);
        editor.caches.defer();
        editor.update(PlaybackAction::Seek(at));
        let mut angle = 0.0_f32;
        min_ns(1, || {
            angle += 0.01;
            let value = Vec4::from(Quat::from_rotation_z(angle));
            let change = Change::Pose(vec![Posed { bone: 7, channel: Channel::Rotation, value }]);
            editor.update(Action::Document(DocumentAction::Edit { label: "pose".into(), change }));
            black_box(editor.view());
        })
    });
    let frame = playing(project.clone());
    let bake = min_ns(1, || drop(black_box(bake(clip, skeleton))));
    let save = min_ns(1, || drop(black_box(wad::encode(&project, &[]))));
    [sample, edits[0], edits[1], frame, bake, save]
}

/// A frame of the panels while the clip plays. It is baked beside, as in the program.
fn playing(project: Project) -> f64 {
    let mut host = Host::new(project);
    host.editor.caches.defer();
    host.dock.checks.defer();
    host.editor.update(PlaybackAction::SetPlaying(true));
    let mut frame = || {
        host.editor.update(Action::Tick(Time::from_millis(16.0)));
        host.whole_frame();
        if let Some(wanted) = host.editor.caches.bakes.take_wanted() {
            host.editor.caches.bakes.put(&wanted, Arc::new(wanted.bake()));
        }
    };
    (0..4).for_each(|_| frame());
    min_ns(1, frame)
}

/// A model without meshes, and a looping clip.
fn project(bones: usize, keyframes: usize) -> Project {
    let skeleton = Arc::new(skeleton(bones));
    let rests: Vec<Vec3> = skeleton.bones().iter().map(|bone| bone.rest.translation).collect();
    let keyframe = |number: usize| {
        let keys = rests.iter().zip(0_u16..).flat_map(|(rest, bone)| {
            let way = noise(number as u32 * 4099 + u32::from(bone)) * 0.1 + (number as f32 * 0.1).sin();
            let turned = Quat::from_rotation_z(way * 0.3);
            [
                Key::translation(bone, *rest + Vec3::splat(way * 0.01)),
                Key::rotation(bone, turned),
                Key::scale(bone, Vec3::splat(1.0 + way * 0.01)),
            ]
        });
        Keyframe { duration: FrameRate::FPS_30.time_of(1), keys: keys.collect(), ..Keyframe::default() }
    };
    let clip = Clip {
        keyframes: (0..keyframes).map(keyframe).collect(),
        loop_mode: keypose::anim::clip::LoopMode::Loop,
        ..Clip::new("long")
    };
    let mut project = Project::default();
    let clips = vec![ClipSlot { id: Default::default(), clip: clip.into() }];
    project.add_model(Model { name: "rig".into(), skeleton, clips, ..Model::default() });
    project
}
