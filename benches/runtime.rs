//! Measures the runtime: sampling, local to model space, blending, palettes (cached ones, too) and skinning, with
//! memory and error.
//!
//! `cargo bench --bench runtime`; `-- poses` (or `authored`, `layers`, `palettes`, `skinning`,
//! `springs`, `growth`) runs one table only.

use std::hint::black_box;

use glam::{Vec3, Vec4};
use keypose::anim::bake::{BakeOptions, SampleFormat, bake, bake_with};
use keypose::anim::blend;
use keypose::anim::clip::Clip;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::Skeleton;
use keypose::anim::skin::cache::PaletteCache;
use keypose::anim::skin::cpu::{self, InfluenceSet, Influences, Skinned, Source};
use keypose::anim::skin::dual::{self, DualPalette};
use keypose::anim::skin::{Skin, palette};
use keypose::anim::spring::{Collider, Joint, Place, Springs, Swing, Swinging, Tip};
use keypose::anim::time::{FrameRate, Time};

#[path = "shared/clock.rs"]
mod clock;
#[path = "shared/generated.rs"]
mod generated;

use clock::min_ns;
use generated::{Kind, clip, noise, skeleton};

/// Samples per timed run.
const STEPS: usize = 1000;

fn main() {
    println!(
        "nanoseconds, minimum of many runs; clips of 2 s; bytes per joint and second; error as a share of the model's size\n"
    );
    if is_wanted("poses") {
        all_poses();
    }
    if is_wanted("authored") {
        all_authored();
    }
    if is_wanted("layers") {
        all_layers();
    }
    if is_wanted("palettes") {
        all_palettes();
    }
    if is_wanted("skinning") {
        all_skinning();
    }
    if is_wanted("springs") {
        springs();
    }
    if is_wanted("growth") {
        growth_by_bones();
        growth_by_characters();
    }
}

/// Whether the arguments name this table, or none.
fn is_wanted(table: &str) -> bool {
    let mut named = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).peekable();
    named.peek().is_none() || named.any(|argument| argument == table)
}

fn all_poses() {
    println!(
        "| joints | clip | form | playing | seeking | portable | + model | 1,000 characters, each | 10,000 | bytes | error |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for joints in [67, 256] {
        for kind in Kind::ALL {
            for format in [SampleFormat::F32, SampleFormat::Quantized, SampleFormat::Packed] {
                poses(joints, kind, format);
            }
        }
    }
}

/// A step of 10 bones with springs in a skeleton of 67, without the pose.
fn springs() {
    println!("\n| bones with springs | colliders | a step |");
    println!("|---|---|---|");
    let skeleton = skeleton(67);
    for colliders in [0, 2] {
        let swing = Swing { stiffness: 0.5, drag: 0.4, gravity: Vec3::NEG_Y, radius: 0.02 };
        let tip = Tip::Point(Vec3::Y * 0.1);
        let joint = |bone| Joint { bone, tip, swing, center: None, colliders: (0..colliders).collect() };
        let collider = |bone| Collider { bone, ends: [Vec3::ZERO, Vec3::Y], radius: 0.1 };
        let last = skeleton.len() as u16;
        let joints = (last - 10..last).map(joint).collect();
        let springs = Springs::new(&skeleton, joints, (0..colliders).map(collider).collect(), Vec3::ZERO);
        let (mut swinging, mut pose) = (Swinging::default(), skeleton.rest_pose());
        let mut placed = skeleton.rest_model_pose();
        let mut step = || springs.step(&skeleton, &Place::ORIGIN, &mut swinging, &mut pose, &mut placed);
        let time = min_ns(STEPS, || (0..STEPS).for_each(|_| step()));
        println!("| 10 | {colliders} | {time:.0} |");
    }
}

/// The demo's clips: few keyframes with smooth eases, as users of the editor make them.
fn all_authored() {
    println!("\n| bones | clip | form | playing | portable | + model | bytes | error | baking, ms |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let demo = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/demo.wad")).expect("the demo is there");
    for model in keypose::wad::decode(&demo).expect("the demo is sound").project.models {
        for slot in &model.clips {
            authored(&model.skeleton, &slot.clip);
        }
    }
}

fn authored(skeleton: &Skeleton, clip: &Clip) {
    let baked = bake(clip, skeleton);
    let baking = min_ns(1, || _ = black_box(bake(black_box(clip), skeleton))) / 1e6;
    let (mut local, mut model) = (LocalPose::default(), ModelPose::default());
    let mut run = |work: &mut dyn FnMut(Time, &mut LocalPose)| {
        let times = (0..STEPS).map(|step| Time(baked.length.0 * step as i64 / STEPS as i64));
        min_ns(STEPS, || times.clone().for_each(|time| work(black_box(time), black_box(&mut local))))
    };
    let play = run(&mut |time, local| baked.sample(time, local));
    let portable = run(&mut |time, local| baked.sample_portable(time, local));
    let both = run(&mut |time, local| {
        baked.sample(time, local);
        model.compute(skeleton, local);
        black_box(&model);
    });
    let (report, bones, name) = (baked.report(), skeleton.len(), &clip.name);
    println!(
        "| {bones} | {name} | {:?}, {} | {play:.0} | {portable:.0} | {both:.0} | {} | {:.1e} | {baking:.2} |",
        report.form, report.samples, report.bytes, report.max_error
    );
}

fn all_layers() {
    println!("\n| joints | clip | blend 2 layers | 2 samples + blend + model | the same + palette |");
    println!("|---|---|---|---|---|");
    for joints in [67, 256] {
        for kind in Kind::ALL {
            layers(joints, kind);
        }
    }
}

fn all_palettes() {
    println!(
        "\n| joints | clip | palette by pose | cached, nearest frame | cached, matrices blended | frames | bytes |"
    );
    println!("|---|---|---|---|---|---|---|");
    for joints in [67, 256] {
        for kind in [Kind::Dense, Kind::Jittered] {
            palettes(joints, kind);
        }
    }
}

fn all_skinning() {
    println!(
        "\n| vertices | influences | positions | + normals | + tangents | portable, + normals | dual quaternions, + normals |"
    );
    println!("|---|---|---|---|---|---|---|");
    for vertices in [10_000, 100_000] {
        for influences in [1, 2, 4, 8] {
            skinning(vertices, influences);
        }
    }
}

/// Neighbouring vertices have neighbouring joints, as in a mesh.
fn skinning(count: usize, slots: usize) {
    let skeleton = skeleton(67);
    let palette = skeleton.rest_model_pose().bones;
    let sets: Vec<InfluenceSet> = (0..slots.div_ceil(4))
        .map(|set| InfluenceSet {
            joints: (0..count)
                .map(|vertex| [0, 1, 2, 3].map(|slot| ((vertex * 60 / count) + set * 4 + slot) as u16 % 67))
                .collect(),
            weights: vec![
                [0, 1, 2, 3].map(|slot| if set * 4 + slot < slots { 1.0 / slots as f32 } else { 0.0 });
                count
            ],
        })
        .collect();
    let points: Vec<Vec3> =
        (0..count as u32).map(|vertex| Vec3::new(noise(vertex * 3), noise(vertex * 3 + 1), 1.0)).collect();
    let tangents: Vec<Vec4> = points.iter().map(|point| point.extend(1.0)).collect();
    let influences = Influences::of(&sets);
    let mut out = Skinned::default();
    let positions = Source { positions: &points, ..Source::default() };
    let normals = Source { normals: &points, ..positions };
    let all = Source { tangents: &tangents, ..normals };
    let [a, b, c] = [positions, normals, all]
        .map(|source| min_ns(count, || cpu::vertices(&influences, black_box(&palette), &source, black_box(&mut out))));
    let portable =
        min_ns(count, || cpu::vertices_portable(&influences, black_box(&palette), &normals, black_box(&mut out)));
    let mut duals = DualPalette::default();
    let dual = min_ns(count, || {
        duals.compute(black_box(&palette));
        dual::vertices(&influences, black_box(&duals), &normals, black_box(&mut out));
    });
    println!("| {count} | {slots} | {a:.2} | {b:.2} | {c:.2} | {portable:.2} | {dual:.2} |");
}

/// Two clips at once, as in a cross-fade.
fn layers(joints: usize, kind: Kind) {
    let skeleton = skeleton(joints);
    let baked = bake(&clip(&skeleton, kind), &skeleton);
    let skin = skin(&skeleton);
    let mut poses = [LocalPose::default(), LocalPose::default(), LocalPose::default()];
    let (mut model, mut palette) = (ModelPose::default(), Vec::new());
    let mut run = |work: &mut dyn FnMut(Time, &mut [LocalPose; 3])| {
        min_ns(STEPS, || {
            for step in 0..STEPS {
                work(black_box(Time(baked.length.0 * step as i64 / STEPS as i64)), black_box(&mut poses));
            }
        })
    };
    let sampled = |time: Time, [from, to, out]: &mut [LocalPose; 3]| {
        baked.sample(time, from);
        baked.sample(baked.length - time, to);
        blend::blend_poses(from, to, 0.3, out);
    };
    let both = run(&mut |time, poses| {
        sampled(time, poses);
        model.compute(&skeleton, &poses[2]);
        black_box(&model);
    });
    let all = run(&mut |time, poses| {
        sampled(time, poses);
        model.compute(&skeleton, &poses[2]);
        palette::compute(&skin, &model, &mut palette);
        black_box(&palette);
    });
    let mix = run(&mut |_, [from, to, out]| blend::blend_poses(from, to, 0.3, out));
    println!("| {joints} | {kind:?} | {mix:.0} | {both:.0} | {all:.0} |");
}

/// Every bone is a joint.
fn skin(skeleton: &Skeleton) -> Skin {
    let rest = skeleton.rest_model_pose();
    let inverse_binds = rest.bones.iter().map(|bone| bone.to_mat4().inverse()).collect();
    Skin { joints: skeleton.indices().collect(), inverse_binds, ..Skin::default() }
}

/// A palette for a frame of a crowd: by sampling, or from a cache at 30 frames per second.
fn palettes(joints: usize, kind: Kind) {
    let skeleton = skeleton(joints);
    let baked = bake(&clip(&skeleton, kind), &skeleton);
    let skin = skin(&skeleton);
    let cache = PaletteCache::new(&baked, &skeleton, &skin, FrameRate::FPS_30);
    let (mut local, mut model, mut palette) = (LocalPose::default(), ModelPose::default(), Vec::new());
    let run = |work: &mut dyn FnMut(Time)| {
        min_ns(STEPS, || {
            (0..STEPS).for_each(|step| work(black_box(Time(baked.length.0 * step as i64 / STEPS as i64))));
        })
    };
    let posed = run(&mut |time| {
        baked.sample(time, &mut local);
        model.compute(&skeleton, &local);
        palette::compute(&skin, &model, &mut palette);
        black_box(&palette);
    });
    let nearest = run(&mut |time| {
        black_box(cache.nearest(time));
    });
    let mixed = run(&mut |time| {
        cache.mixed(time, &mut palette);
        black_box(&palette);
    });
    let (frames, bytes) = (cache.frames(), cache.bytes());
    println!("| {joints} | {kind:?} | {posed:.0} | {nearest:.0} | {mixed:.0} | {frames} | {bytes} |");
}

/// A dense clip.
fn growth_by_bones() {
    println!("\n| bones | sample, ns a bone | + model | baking, µs a bone | packed | bytes a bone | packed |");
    println!("|---|---|---|---|---|---|---|");
    for bones in [67, 256, 512, 1000] {
        let skeleton = skeleton(bones);
        let clip = clip(&skeleton, Kind::Dense);
        let [quantized, packed] = [SampleFormat::Quantized, SampleFormat::Packed].map(|format| {
            let options = BakeOptions { format, ..BakeOptions::default() };
            let baking = min_ns(bones, || _ = black_box(bake_with(black_box(&clip), &skeleton, &options))) / 1e3;
            (bake_with(&clip, &skeleton, &options), baking)
        });
        let (mut local, mut model) = (LocalPose::default(), ModelPose::default());
        let times = || (0..STEPS).map(|step| Time(quantized.0.length.0 * step as i64 / STEPS as i64));
        let play = min_ns(STEPS * bones, || times().for_each(|time| quantized.0.sample(time, black_box(&mut local))));
        let both = min_ns(STEPS * bones, || {
            for time in times() {
                quantized.0.sample(time, &mut local);
                model.compute(&skeleton, &local);
                black_box(&model);
            }
        });
        let [bytes, packed_bytes] = [&quantized.0, &packed.0].map(|baked| baked.report().bytes / bones);
        let [baking, packing] = [quantized.1, packed.1];
        println!("| {bones} | {play:.2} | {both:.2} | {baking:.1} | {packing:.1} | {bytes} | {packed_bytes} |");
    }
}

/// Characters with a dense clip of 67 joints and a palette each, as the renderer computes them: sixteen at a time into
/// memory that is used again; and with a model pose kept for each.
fn growth_by_characters() {
    println!("\n| characters | palettes, ns each | model poses kept, ns each |");
    println!("|---|---|---|");
    let skeleton = skeleton(67);
    let (baked, skin) = (bake(&clip(&skeleton, Kind::Dense), &skeleton), skin(&skeleton));
    let time = |at: usize| Time((f64::from(noise(at as u32) * 0.5 + 0.5) * baked.length.0 as f64) as i64);
    for count in [1, 10, 100, 1000, 10_000] {
        let times: Vec<Time> = (0..count).map(time).collect();
        let (mut local, mut model) = (LocalPose::default(), ModelPose::default());
        let mut palettes = vec![Vec::new(); 16];
        let reused = min_ns(count, || {
            for (at, &time) in times.iter().enumerate() {
                baked.sample(time, &mut local);
                model.compute(&skeleton, &local);
                palette::compute(&skin, &model, &mut palettes[at % 16]);
            }
            black_box(&palettes);
        });
        let mut crowd = vec![ModelPose::default(); count];
        let kept = min_ns(count, || {
            for (model, &time) in crowd.iter_mut().zip(&times) {
                baked.sample(time, &mut local);
                model.compute(&skeleton, &local);
            }
            black_box(&crowd);
        });
        println!("| {count} | {reused:.0} | {kept:.0} |");
    }
}

fn poses(joints: usize, kind: Kind, format: SampleFormat) {
    let skeleton = skeleton(joints);
    let baked = bake_with(&clip(&skeleton, kind), &skeleton, &BakeOptions { format, ..BakeOptions::default() });
    let (mut local, mut model) = (LocalPose::default(), ModelPose::default());
    let playing: Vec<Time> = (0..STEPS).map(|step| Time(baked.length.0 * step as i64 / STEPS as i64)).collect();
    let seek = |step: usize| Time((f64::from(noise(step as u32) * 0.5 + 0.5) * baked.length.0 as f64) as i64);
    let seeking: Vec<Time> = (0..STEPS).map(seek).collect();
    let mut run = |times: &[Time], work: &mut dyn FnMut(Time, &mut LocalPose)| {
        min_ns(STEPS, || times.iter().for_each(|&time| work(black_box(time), black_box(&mut local))))
    };
    let play = run(&playing, &mut |time, local| baked.sample(time, local));
    let seek = run(&seeking, &mut |time, local| baked.sample(time, local));
    let portable = run(&playing, &mut |time, local| baked.sample_portable(time, local));
    let both = run(&playing, &mut |time, local| {
        baked.sample(time, local);
        model.compute(&skeleton, local);
        black_box(&model);
    });
    // One local pose for all characters: it stays in the cache, only their model poses are written to memory.
    let [each, of_many] = [STEPS, 10 * STEPS].map(|count| {
        let mut crowd = vec![ModelPose::default(); count];
        min_ns(count, || {
            for (model, &time) in crowd.iter_mut().zip(seeking.iter().cycle()) {
                baked.sample(time, &mut local);
                model.compute(&skeleton, &local);
            }
            black_box(&crowd);
        })
    });
    let report = baked.report();
    let bytes = report.bytes as f64 / joints as f64 / baked.length.secs();
    println!(
        "| {joints} | {kind:?} | {:?}, {} | {play:.0} | {seek:.0} | {portable:.0} | {both:.0} | {each:.0} | {of_many:.0} | {bytes:.0} | {:.1e} |",
        report.form, report.samples, report.max_error
    );
}
