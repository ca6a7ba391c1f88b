//! Weight: masses of bones, balance of poses, and jumps that follow their arcs.

use std::sync::Arc;

use glam::{Quat, Vec3};
use keypose::anim::clip::Clip;
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::combat::Lanes;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{MeshSlot, Model, Visibility};
use keypose_editor::editor::ops::pose::{model_pose, sample};
use keypose_editor::editor::script;
use keypose_editor::editor::state::Editor;
use keypose_tools::balance::Balance;
use keypose_tools::clip_check::{Footing, Kind, Subject, check};

use crate::editor_kit::{self, demo_after, run};

/// A fact as `show` prints it.
fn fact(editor: &mut Editor, name: &str) -> String {
    let run = script::run(editor, &format!("show {name}")).unwrap();
    run.printed.concat().trim().trim_start_matches(&format!("{name} = ")).to_owned()
}

/// A box on a bone, with its lower corner at a point in the space of the bone.
fn boxed(bone: u16, low: Vec3, size: Vec3) -> MeshSlot {
    let corner = |at: usize| low + size * Vec3::new((at & 1) as f32, (at >> 1 & 1) as f32, (at >> 2) as f32);
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let indices = quads.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, *a, *c, *d]).collect();
    let positions = (0..8).map(corner).collect();
    let mesh = Mesh { positions, indices, ..Mesh::empty("box", Binding::Bone(bone)) };
    MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }
}

/// Two boxes of volumes 1 and 3, whose bones are 2 apart.
fn boxes() -> Model {
    let bone = |name: &str, parent, x: f32| Bone {
        name: name.into(),
        parent,
        rest: Transform { translation: Vec3::X * x, rotation: Quat::from_rotation_z(x), ..Transform::IDENTITY },
    };
    let skeleton = Skeleton::new(vec![bone("small", None, 0.0), bone("large", Some(0), 2.0)]).unwrap();
    let meshes = vec![boxed(0, Vec3::ZERO, Vec3::ONE), boxed(1, Vec3::new(-0.5, -0.5, -0.5), Vec3::new(1.0, 3.0, 1.0))];
    Model { skeleton: Arc::new(skeleton), meshes, ..Model::default() }
}

#[test]
fn boxes_weigh_what_they_hold_and_chosen_masses_leave_the_rest_to_others() {
    let mut model = boxes();
    let pose = model.skeleton.rest_model_pose();
    let balance = Balance::of(&model);
    assert!((balance.share(0) - 0.25).abs() < 1e-5 && (balance.share(1) - 0.75).abs() < 1e-5);
    let large = pose.get(1).transform_point(Vec3::new(0.0, 1.0, 0.0));
    let middle = Vec3::splat(0.5) * 0.25 + large * 0.75;
    assert!(balance.centre(&pose).distance(middle) < 1e-5, "{}", balance.centre(&pose));
    for (small, large, wanted) in [(Some(40.0), None, 0.4), (Some(0.0), None, 0.0), (Some(100.0), Some(100.0), 0.5)] {
        let chosen = [("small", small), ("large", large)];
        model.rig.masses = chosen.into_iter().filter_map(|(bone, mass)| Some((bone.to_owned(), mass?))).collect();
        let balance = Balance::of(&model);
        assert!((balance.share(0) - wanted).abs() < 1e-5 && (balance.share(1) - 1.0 + wanted).abs() < 1e-5);
    }
    // Without meshes, bones are as heavy as they are long.
    model.meshes.clear();
    let centre = Balance::of(&model).centre(&pose);
    assert!(centre.is_finite());
    assert!(Balance::of(&Model::default()).centre(&ModelPose::default()).is_finite());
}

/// Compares with Winter 2009, "Biomechanics and motor control of human movement", table 4.1: an arm has 5 % of the mass, a leg 16 %, the
/// head 8 %. The knight has a large head, a plume and armour, so only the order of magnitude is the same.
#[test]
fn the_knight_weighs_the_same_on_both_sides_and_about_as_a_person() {
    let editor = demo_after("clip idle");
    let model = editor.model().unwrap();
    let balance = Balance::of(model);
    let bone = |name: &str| model.skeleton.find(name).unwrap();
    let sum: f32 = model.skeleton.indices().map(|bone| balance.share(bone)).sum();
    assert!((sum - 1.0).abs() < 1e-5, "{sum}");
    for left in ["thigh.L", "shin.L", "foot.L", "upper_arm.L", "forearm.L", "hand.L"] {
        let right = left.replace(".L", ".R");
        let [a, b] = [left, &right].map(|name| balance.share(bone(name)));
        assert!((a - b).abs() < 1e-4 * sum && a > 0.0, "{left} {a} {b}");
    }
    for (name, person) in [("upper_arm.L", 0.05), ("thigh.L", 0.161), ("neck", 0.081)] {
        let share = balance.share_below(bone(name));
        assert!((person / 3.0..person * 3.0).contains(&share), "{name}: {share}, of a person {person}");
    }
    let centre = balance.centre(&model.skeleton.rest_model_pose());
    let part = centre.y / balance.height;
    // 0.55 of the height of a person (Winter, figure 4.1).
    assert!((0.45..0.65).contains(&part) && centre.x.abs() < 0.01 * balance.height, "{centre}");
}

#[test]
fn a_pose_on_both_feet_stands_and_one_that_leans_falls() {
    let editor = demo_after("clip idle");
    let model = editor.model().unwrap();
    let balance = Balance::of(model);
    let leaning = |degrees: f32| {
        let mut local = model.skeleton.rest_pose();
        let root = local.get(0);
        local.set(0, &Transform { rotation: Quat::from_rotation_x(degrees.to_radians()) * root.rotation, ..root });
        balance.stance(&model_pose(&model.skeleton, &local), &Lanes::default(), Time::ZERO)
    };
    let still = leaning(0.0);
    assert!(still.margin().unwrap() > 0.02 && still.support.len() >= 4, "{still:?}");
    assert!(leaning(30.0).falls() && leaning(-30.0).falls(), "{:?}", leaning(30.0));
    let mut editor = demo_after("clip idle => balance = \"in balance, 109 mm inside\"");
    run(&mut editor, "select hips; pose hips position 0 1.6 0 => balance = \"in the air\"");
    run(&mut editor, "undo; contact 0t 8t foot.L; contact 0t 8t foot.R; pose root rotation 0 0 40");
    assert!(fact(&mut editor, "balance").starts_with("falls, "));
}

/// The pose of the keys of a clip.
pub fn poses(editor: &Editor, clip: &Clip, time: Time) -> ModelPose {
    let skeleton = &editor.model().unwrap().skeleton;
    model_pose(skeleton, &sample(clip, skeleton, time))
}

/// The largest movement of a bone against the clip before, at frames and halves of them from one time to another.
fn moved(editor: &Editor, [before, after]: [&Clip; 2], from: Time, to: Time) -> f32 {
    let half = Time(before.frame_rate.frame().0 / 2);
    let times = (0..=(to - from).0 / half.0).map(|step| from + half * step).chain([to]);
    let apart = |time: Time| {
        let [a, b] = [before, after].map(|clip| poses(editor, clip, time));
        a.bones.iter().zip(&b.bones).map(|(a, b)| a.translation().distance(b.translation())).fold(0.0, f32::max)
    };
    times.map(apart).fold(0.0, f32::max)
}

/// Crouch, launch, air, landing and settling, the hips as someone poses them: straight up and down, and late.
const JUMP: &str = "run new-clip; select hips; \
    seek 0f; pose hips position 0 0.93 0; key I; \
    seek 6f; pose hips position 0 0.7 0; pose spine rotation 25 0 0; key I; \
    seek 10f; pose hips position 0 0.97 0.05; pose spine rotation 0 0 0; key I; \
    seek 16f; pose hips position 0 1.2 0.2; pose thigh.L rotation 150 0 0; key I; \
    seek 22f; pose hips position 0 0.95 0.5; pose thigh.L rotation 180 0 0; key I; \
    seek 26f; pose hips position 0 0.75 0.5; key I; \
    seek 34f; pose hips position 0 0.93 0.5; key I; \
    contact 0t 20t foot.L; contact 0t 20t foot.R; contact 44t 72t foot.L; contact 44t 72t foot.R";

#[test]
fn a_jump_follows_its_arc_and_nothing_else_moves() {
    for (text, flight) in [("clip jump", None), (JUMP, Some((Time::TICK * 20, Time::TICK * 44)))] {
        let mut editor = demo_after(text);
        let before = editor.clip().unwrap().clone();
        run(&mut editor, "run follow-arc");
        let after = editor.clip().unwrap().clip.clone();
        let notice = editor_kit::notice(&editor);
        assert!(notice.starts_with("The centre of mass is within "), "{text}: {notice}");
        let model = editor.model().unwrap();
        let (balance, lanes) = (Balance::of(model), model.combat.lanes_of(before.id));
        let frames = (0..=after.frame_rate.nearest_frame(after.length())).map(|frame| after.frame_rate.time_of(frame));
        let times: Vec<Time> = frames.collect();
        let flights = balance.flights((&before.clip, &lanes), &times, |time| poses(&editor, &before.clip, time));
        let [range] = flights[..] else { panic!("{text}: {flights:?}") };
        assert!(flight.is_none_or(|flight| flight == (range.start, range.end)), "{range:?}");
        let arc = balance.arc(range, |time| poses(&editor, &after, time));
        let was = balance.arc(range, |time| poses(&editor, &before.clip, time));
        let off = |clip: &Clip| {
            let inside = times.iter().filter(|time| (range.start..=range.end).contains(time));
            let apart = |time: &Time| balance.centre(&poses(&editor, clip, *time)).distance(arc.at(*time));
            inside.map(apart).fold(0.0, f32::max) * balance.scale
        };
        assert!(off(&after) <= 1e-3 && off(&before.clip) > 0.02, "{text}: {} {}", off(&before.clip), off(&after));
        assert!((arc.height() - was.height()).abs() < 1e-3 && after.length() == before.clip.length());
        let clips = [&*before.clip, &*after];
        for (from, to) in [(Time::ZERO, range.start), (range.end, after.length())] {
            assert!(moved(&editor, clips, from, to) < 1e-5, "{text}: {}", moved(&editor, clips, from, to));
        }
        // Someone can still edit it.
        assert!(after.keyframes.len() <= before.clip.keyframes.len() + 8, "{} keyframes", after.keyframes.len());
        run(&mut editor, "undo");
        assert_eq!(editor.clip().unwrap().clip, before.clip);
    }
}

/// The number of findings of a kind in the open clip.
pub fn found(editor: &Editor, kind: Kind) -> usize {
    let (slot, model) = (editor.clip().unwrap(), editor.model().unwrap());
    let lanes = model.combat.lanes_of(slot.id);
    let found = check(&Subject::of(model), (&slot.clip, &lanes), Footing::Ground);
    found.iter().filter(|finding| finding.kind == kind).count()
}

#[test]
fn a_jump_of_a_height_passes_the_check() {
    let mut editor = demo_after(JUMP);
    assert_eq!(found(&editor, Kind::OffArc), 1);
    run(&mut editor, "gravity 9.81; jump-height 0.5");
    let jump = fact(&mut editor, "jump");
    // The landing is lower than the launch, so the fall takes longer than the rise.
    assert!(jump.starts_with("500 mm high, 0.6"), "{jump}");
    assert_eq!(found(&editor, Kind::OffArc), 0);
    let lanes = editor.model().unwrap().combat.lanes_of(editor.clip().unwrap().id);
    let (off, on) = (lanes.contacts[0].range.end, lanes.contacts[2].range.start);
    assert!(off == Time::TICK * 20 && ((on - off).secs() - 0.64).abs() < 0.03, "{off:?} {on:?}");
    assert_eq!(editor.history.undo_count(), demo_after(JUMP).history.undo_count() + 2);
    run(&mut editor, "undo; undo; run follow-arc => gravity = 32");
    // Hips far beside the feet for more than a second.
    run(&mut editor, "clip idle; contact 0t 100t foot.L; contact 0t 100t foot.R");
    assert_eq!(found(&editor, Kind::OutOfBalance), 0);
    run(&mut editor, "seek 0f; select root; pose root rotation 0 0 40; key I");
    assert_eq!(found(&editor, Kind::OutOfBalance), 1);
}

#[test]
fn what_has_no_flight_or_is_out_of_range_is_refused_in_a_sentence() {
    let mut editor = demo_after("clip idle; run follow-arc");
    assert!(editor_kit::notice(&editor).starts_with("The clip is never in the air"), "{}", editor_kit::notice(&editor));
    let refused = [
        ("mass head 120", "Model knight: the mass of \"head\" is 120 %; use 0 to 100 %"),
        ("gravity 0", "Model knight: a gravity of 0 m/s² is out of range; use 0.1 to 1000 m/s²"),
    ];
    for (line, reason) in refused {
        run(&mut editor, line);
        assert_eq!(editor_kit::notice(&editor), reason, "{line}");
    }
    assert!(script::run(&mut editor, "jump-height 1").unwrap_err().contains("the clip is never in the air"));
    run(&mut editor, "mass upper_arm.L 10 => mass upper_arm.R = 10.00");
    run(&mut editor, "mass upper_arm.R auto; undo; undo");
    assert!(editor.model().unwrap().rig.masses.is_empty());
}
