//! The clip check on clips that were made with one defect each, and on clips without; `keypose check` as a person runs
//! it.

use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};
use keypose::anim::clip::{Clip, Keyframe, LoopMode};
use keypose::anim::key::{Ease, Key};
use keypose::anim::root_motion::RootMotion;
use keypose::anim::time::{FrameRate, Time};
use keypose::assets::clip_event::Names;
use keypose::assets::combat::Lanes;
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose_tools::clip_check::{Finding, Footing, Kind, Severity, Subject, check, groups};
use serde_json::Value;

use crate::folder::Folder;
use crate::process::{done, keypose, ran};
use crate::root::root;
use crate::{editor_kit, models};

const HIPS: u16 = 1;
const THIGHS: [u16; 2] = [3, 4];
const SHIN: u16 = 5;
const FOOT: u16 = 7;

/// Keyframes of `frames` frames at 30 per second.
fn clip(loop_mode: LoopMode, keyframes: impl IntoIterator<Item = (i64, Vec<Key>)>) -> Clip {
    let keyframe = |(frames, keys): (i64, Vec<Key>)| Keyframe {
        duration: FrameRate::FPS_30.time_of(frames),
        keys: keys.into(),
        ..Keyframe::default()
    };
    let keyframes = keyframes.into_iter().map(keyframe).collect();
    Clip { loop_mode, keyframes, ..Clip::new("made") }
}

fn found(clip: &Clip) -> Vec<Finding> {
    check(&Subject::of(&editor_kit::legs()), (clip, &Lanes::default()), Footing::Ground)
}

fn kinds(clip: &Clip) -> Vec<(Kind, Severity)> {
    found(clip).iter().map(|finding| (finding.kind, finding.grade)).collect()
}

fn turned(bone: u16, degrees: f32) -> Key {
    Key::rotation(bone, Quat::from_rotation_x(degrees.to_radians()))
}

fn frames(count: i64) -> Time {
    FrameRate::FPS_30.time_of(count)
}

/// The chest nods and nothing else.
fn nod() -> Clip {
    clip(LoopMode::Loop, [(10, vec![turned(2, 0.0)]), (10, vec![turned(2, 20.0)]), (10, vec![turned(2, 5.0)])])
}

#[test]
fn a_clip_without_defects_has_no_findings() {
    assert_eq!(found(&nod()), []);
    assert_eq!(found(&Clip::new("empty")), []);
    assert_eq!(found(&clip(LoopMode::Once, [(0, vec![turned(2, 1.0)])])), []);
}

/// The hips move aside by 0.3 while the legs hang straight down from them.
#[test]
fn a_foot_that_moves_on_the_ground_slides() {
    let hips = |x: f32| vec![Key::translation(HIPS, Vec3::new(x, 1.0, 0.0))];
    let sliding = clip(LoopMode::Once, [(10, hips(0.0)), (10, hips(0.3))]);
    let findings = found(&sliding);
    assert_eq!(findings.len(), 2, "{findings:?}");
    for (finding, foot) in findings.iter().zip([FOOT, FOOT + 1]) {
        assert_eq!((finding.kind, finding.grade, finding.bone), (Kind::FootSlide, Severity::Warning, Some(foot)));
        assert!((finding.figure - 0.3).abs() < 0.01 && finding.time == Time::ZERO, "{finding:?}");
        assert!(finding.text.contains("slides 300 mm in frames 0–20"), "{}", finding.text);
    }
    assert_eq!(check(&Subject::of(&editor_kit::legs()), (&sliding, &Lanes::default()), Footing::OffGround), []);
}

#[test]
fn hips_that_travel_below_a_root_with_root_motion_are_a_hint() {
    let hips = |x: f32| vec![Key::translation(HIPS, Vec3::new(x, 1.0, 0.0))];
    let still = clip(LoopMode::Once, [(10, hips(0.0)), (10, hips(0.6))]);
    let of_root = |clip: &Clip| -> Vec<(Kind, Option<u16>)> {
        let findings = check(&Subject::of(&editor_kit::legs()), (clip, &Lanes::default()), Footing::OffGround);
        findings.iter().map(|finding| (finding.kind, finding.bone)).collect()
    };
    assert_eq!(of_root(&still), []);
    let moving = Clip { root_motion: RootMotion::Ground, ..still };
    assert_eq!(of_root(&moving), [(Kind::RootStays, Some(HIPS))]);
}

/// Both thighs swing against each other; the feet leave the ground by the arc of the leg.
#[test]
fn feet_that_are_lifted_do_not_slide() {
    let hips = |x: f32, y: f32| vec![Key::translation(HIPS, Vec3::new(x, y, 0.0))];
    let hop =
        clip(LoopMode::Once, [(2, hips(0.0, 1.0)), (6, hips(0.0, 1.2)), (2, hips(0.3, 1.2)), (6, hips(0.3, 1.0))]);
    assert_eq!(found(&hop), []);
    let swing = |degrees: f32| vec![turned(THIGHS[0], degrees), turned(THIGHS[1], -degrees)];
    let kicks = clip(LoopMode::Loop, [(6, swing(40.0)), (6, swing(-40.0)), (6, swing(40.0)), (6, swing(-40.0))]);
    assert!(found(&kicks).iter().all(|finding| finding.kind != Kind::Stretch && finding.kind != Kind::Flip));
}

/// Places the left foot by its local offset; the right one stays.
fn left_foot(x: f32) -> Vec<Key> {
    vec![Key::translation(FOOT, Vec3::new(x, -0.45, -0.05))]
}

#[test]
fn a_foot_that_steps_along_the_ground_while_the_other_holds_is_a_hint() {
    let step = clip(LoopMode::Once, [(10, left_foot(0.0)), (10, left_foot(0.2))]);
    let slides = |clip: &Clip| -> Vec<(Severity, Option<u16>)> {
        let findings = found(clip).into_iter().filter(|finding| finding.kind == Kind::FootSlide);
        findings.map(|finding| (finding.grade, finding.bone)).collect()
    };
    assert_eq!(slides(&step), [(Severity::Hint, Some(FOOT))]);
    // Feet that move apart hold the body between them.
    let apart = |x: f32| [left_foot(x), vec![Key::translation(FOOT + 1, Vec3::new(-x, -0.45, -0.05))]].concat();
    let widened = clip(LoopMode::Once, [(10, apart(0.0)), (10, apart(0.2))]);
    assert_eq!(slides(&widened), [(Severity::Hint, Some(FOOT)), (Severity::Hint, Some(FOOT + 1))]);
    let together = |x: f32| [left_foot(x), vec![Key::translation(FOOT + 1, Vec3::new(x, -0.45, -0.05))]].concat();
    let skating = clip(LoopMode::Once, [(10, together(0.0)), (10, together(0.2))]);
    assert!(slides(&skating).iter().all(|(grade, _)| *grade == Severity::Warning));
    // So fast it is a step or a dash.
    assert_eq!(slides(&clip(LoopMode::Once, [(2, left_foot(0.0)), (10, left_foot(0.2))])), []);
}

#[test]
fn the_feet_of_a_body_on_the_ground_may_slide() {
    let hips = |x: f32, y: f32| vec![Key::translation(HIPS, Vec3::new(x, y, 0.0))];
    let slides = |y: f32| {
        let clip = clip(LoopMode::Once, [(10, hips(0.0, y)), (10, hips(0.3, y))]);
        found(&clip).iter().filter(|finding| finding.kind == Kind::FootSlide).count()
    };
    assert_eq!((slides(1.0), slides(0.25)), (2, 0));
}

#[test]
fn findings_of_one_kind_are_one_line_with_the_worst_of_them() {
    let steps = [0.0, 0.2, 0.2, 0.4, 0.4, 0.75, 0.75];
    let hips = |x: f32, y: f32| vec![Key::translation(HIPS, Vec3::new(x, y, 0.0))];
    // Slides, and hops between.
    let keyframes = steps.iter().enumerate().map(|(at, x)| (10, hips(*x, if at % 2 == 0 { 1.0 } else { 1.001 })));
    let mut hopping: Vec<(i64, Vec<Key>)> = keyframes.collect();
    hopping.insert(2, (4, hips(0.2, 1.3)));
    hopping.insert(5, (4, hips(0.4, 1.3)));
    let clip = clip(LoopMode::Once, hopping);
    let (subject, findings) = (Subject::of(&editor_kit::legs()), found(&clip));
    let slides = findings.iter().filter(|finding| finding.kind == Kind::FootSlide).count();
    let groups = groups(&subject, &findings);
    let lines: Vec<&str> = groups.iter().map(|group| group.text.as_str()).collect();
    assert_eq!((slides, groups.len()), (6, 2), "{lines:?}");
    assert_eq!(lines[0], "foot.L slides: 3 places, worst 350 mm");
    assert_eq!((groups[0].bone, groups[0].places.len()), (Some(FOOT), 3));
    let worst = findings.iter().filter(|finding| finding.bone == Some(FOOT)).map(|finding| finding.figure);
    assert_eq!(findings[groups[0].worst].figure, worst.fold(0.0, f32::max));
    assert_eq!(groups.iter().flat_map(|group| &group.places).count(), findings.len(), "each finding is in one group");
}

#[test]
fn a_loop_that_ends_elsewhere_jumps() {
    let at = |y: f32| vec![Key::translation(HIPS, Vec3::new(0.0, y, 0.0))];
    let open = clip(LoopMode::Loop, [(10, at(1.0)), (10, at(1.3)), (0, at(1.2))]);
    let findings = found(&open);
    assert_eq!(kinds(&open), [(Kind::SeamJump, Severity::Warning)], "{findings:?}");
    assert!((findings[0].figure - 0.2).abs() < 1e-4 && findings[0].time == frames(20), "{findings:?}");
    let climb = [(10, 1.0), (10, 1.1), (0, 1.2)].map(|(frames, y)| (frames, vec![Key::translation(0, Vec3::Y * y)]));
    let climb = clip(LoopMode::Loop, climb);
    assert_eq!(kinds(&climb), [(Kind::SeamJump, Severity::Warning)]);
    assert_eq!(kinds(&Clip { root_motion: RootMotion::Height, ..climb }), [], "root motion moves the character");
    let closed = clip(LoopMode::Loop, [(10, at(1.0)), (10, at(1.3)), (0, at(1.0))]);
    assert_eq!(found(&closed), []);
}

#[test]
fn an_even_walk_on_a_circle_with_root_motion_has_no_seam() {
    let at = |degrees: f32| {
        let turn = Quat::from_rotation_y(degrees.to_radians());
        vec![Key::translation(0, turn * Vec3::X * 3.0), Key::rotation(0, turn)]
    };
    let circle = clip(LoopMode::Loop, (0..=30).map(|frame| (i64::from(frame < 30), at(frame as f32 * 3.0))));
    let seams = |clip: &Clip| {
        let kinds = kinds(clip).into_iter().map(|(kind, _)| kind);
        kinds.filter(|kind| matches!(kind, Kind::SeamJump | Kind::SeamSpeed)).collect::<Vec<_>>()
    };
    assert_eq!(seams(&circle), [Kind::SeamJump]);
    assert_eq!(seams(&Clip { root_motion: RootMotion::Turn, ..circle }), []);
}

/// Smooth keys that rise evenly, and one frame to come back.
#[test]
fn a_loop_that_snaps_back_breaks_its_speed() {
    let key = |y: f32| {
        let tangent = Vec4::new(0.0, 0.6, 0.0, 0.0);
        let key = Key::translation(HIPS, Vec3::new(0.0, y, 0.0));
        vec![Key { ease: Ease::Cubic, in_tangent: tangent, out_tangent: tangent, ..key }]
    };
    let rise = |last: i64| clip(LoopMode::Loop, [(10, key(1.2)), (10, key(1.4)), (10, key(1.6)), (last, key(1.8))]);
    let flat = |mut clip: Clip| {
        let last = clip.keyframes.last_mut().unwrap();
        last.keys[0].ease = Ease::Linear;
        clip
    };
    let findings = found(&flat(rise(2)));
    let seam = findings.iter().find(|finding| finding.kind == Kind::SeamSpeed);
    assert!(seam.is_none(), "a straight way back breaks as much at the last key as at the seam: {findings:?}");
    let mut snapping = rise(6);
    snapping.keyframes[0].keys[0].in_tangent = Vec4::new(0.0, -6.0, 0.0, 0.0);
    let findings = found(&snapping);
    let seam = findings.iter().find(|finding| finding.kind == Kind::SeamSpeed).expect("a break at the seam");
    assert!(seam.figure > 5.0 && seam.bone.is_some(), "{seam:?}");
}

#[test]
fn keyframes_that_are_the_same_are_reported() {
    let held = clip(LoopMode::Once, [(4, vec![turned(2, 0.0)]), (6, vec![turned(2, 9.0)]), (2, vec![turned(2, 9.0)])]);
    let findings = found(&held);
    assert_eq!(kinds(&held), [(Kind::SameKeyframes, Severity::Hint)]);
    assert_eq!(
        (findings[0].time, findings[0].text.as_str()),
        (frames(10), "keyframes 2 and 3 are the same for 6 frames")
    );
    let one = (2, vec![turned(2, 9.0)]);
    let long = clip(LoopMode::Once, [(4, vec![turned(2, 0.0)]), one.clone(), one.clone(), one]);
    let texts: Vec<String> = found(&long).into_iter().map(|finding| finding.text).collect();
    assert_eq!(texts, ["keyframes 2 to 4 are the same for 4 frames"], "one finding for one hold");
    let mut turned_over = held.clone();
    let value = -turned_over.keyframes[2].keys[0].value;
    turned_over.keyframes[2].keys[0].value = value;
    assert!(
        kinds(&turned_over).contains(&(Kind::SameKeyframes, Severity::Hint)),
        "the same rotation of the other sign"
    );
    let stutter = [(4, vec![turned(2, 0.0)]), (4, vec![turned(2, 9.0)]), (3, vec![turned(2, 0.0)])];
    assert_eq!(kinds(&clip(LoopMode::Loop, stutter.clone())), [(Kind::SameKeyframes, Severity::Warning)]);
    assert_eq!(kinds(&clip(LoopMode::Once, stutter)), []);
}

#[test]
fn a_rotation_of_the_other_sign_is_reported() {
    let flipped = |ease: Ease| {
        let far = Key { value: -turned(2, 30.0).value, ..turned(2, 0.0) };
        let keys = [turned(2, 0.0), far].map(|key| vec![Key { ease, ..key }]);
        clip(LoopMode::Once, keys.map(|keys| (5, keys)))
    };
    let findings = found(&flipped(Ease::Cubic));
    assert_eq!((findings[0].kind, findings[0].grade, findings[0].bone), (Kind::Flip, Severity::Warning, Some(2)));
    assert!((findings[0].figure - 330.0).abs() < 0.1 && findings[0].time == frames(5), "{findings:?}");
    assert_eq!(kinds(&flipped(Ease::Linear)), [], "a slerp takes the shorter way");
}

#[test]
fn keys_for_bones_that_are_not_there_are_reported() {
    let mut with_ghost = nod();
    with_ghost.keyframes[1].set(turned(40, 0.0));
    with_ghost.keyframes[2].set(turned(40, 3.0));
    let findings = found(&with_ghost);
    assert_eq!((findings.len(), findings[0].kind, findings[0].bone), (1, Kind::MissingBone, Some(40)));
    assert_eq!((findings[0].time, findings[0].figure), (frames(10), 2.0));
}

#[test]
fn a_bone_that_is_pulled_long_is_reported() {
    let shin = |length: f32| vec![Key::translation(SHIN, Vec3::new(0.0, -0.45 * length, 0.05 * length))];
    let findings = found(&clip(LoopMode::Loop, [(10, shin(1.0)), (10, shin(1.4)), (10, shin(1.0))]));
    let stretched: Vec<_> = findings.iter().filter(|finding| finding.kind == Kind::Stretch).collect();
    assert_eq!(stretched.len(), 1, "{findings:?}");
    assert_eq!((stretched[0].bone, stretched[0].time), (Some(SHIN), frames(10)));
    assert!((stretched[0].figure - 1.4).abs() < 0.01);
    // A shoulder or a hip joint moves in its socket.
    let thigh = |x: f32| vec![Key::translation(THIGHS[0], Vec3::new(x, 0.0, 0.0))];
    assert_eq!(kinds(&clip(LoopMode::Loop, [(10, thigh(0.1)), (10, thigh(0.14))])), [(Kind::Stretch, Severity::Hint)]);
    let lift = |y: f32| vec![Key::translation(HIPS, Vec3::new(0.0, y, 0.0))];
    assert_eq!(found(&clip(LoopMode::Loop, [(10, lift(1.0)), (10, lift(1.9))])), [], "the body goes where it likes");
}

#[test]
fn a_keyframe_that_lasts_no_time_is_reported() {
    let key = |degrees: f32| vec![turned(2, degrees)];
    let between = clip(LoopMode::Once, [(5, key(0.0)), (0, key(20.0)), (5, key(10.0))]);
    assert_eq!(kinds(&between), [(Kind::ZeroDuration, Severity::Warning)]);
    let end = [(5, key(0.0)), (5, key(20.0)), (0, key(0.0))];
    assert_eq!(kinds(&clip(LoopMode::Once, end.clone())), [], "the last pose of a clip stays");
    assert_eq!(kinds(&clip(LoopMode::Loop, end)), [], "the closing keyframe of a loop");
}

#[test]
fn what_is_in_the_air_does_not_slide() {
    let mut model = editor_kit::legs();
    let cases = [
        ("Jump_Start", Footing::OffGround),
        ("climb", Footing::OffGround),
        ("Death_A", Footing::OffGround),
        ("walk", Footing::Ground),
        ("somersault", Footing::Ground),
    ];
    for (name, footing) in cases {
        assert_eq!(Footing::of(&model, name), footing, "{name}");
    }
    model.machine.set_clip(keypose::assets::machine::State::Jump, "somersault");
    assert_eq!(Footing::of(&model, "somersault"), Footing::OffGround);
}

/// Writes `legs.wad`.
fn write_legs(folder: &Folder, clips: Vec<Clip>) {
    let slots = clips.into_iter().zip(0..).map(|(clip, id)| ClipSlot { id: ClipId(id), clip: Arc::new(clip) });
    let mut project = Project::default();
    project.add_model(Model { clips: slots.collect(), ..editor_kit::legs() });
    std::fs::write(folder.join("legs.wad"), keypose::wad::encode(&project, &[]).unwrap()).unwrap();
}

#[test]
fn the_command_prints_findings_and_likeness() {
    let folder = Folder::new("check");
    write_legs(&folder, vec![nod()]);
    let (code, output, _) = ran(keypose(&folder).args(["check", "legs.wad"]));
    assert_eq!(code, 0, "{output}");
    assert!(
        output.contains("largest difference 0 of the model's size") && output.ends_with("0 warnings, 0 hints\n"),
        "{output}"
    );
    let shin = |length: f32| vec![Key::translation(SHIN, Vec3::new(0.0, -0.45 * length, 0.05 * length))];
    let stretched = Clip { name: "long".into(), ..clip(LoopMode::Loop, [(10, shin(1.0)), (10, shin(1.4))]) };
    write_legs(&folder, vec![nod(), stretched]);
    let (code, output, _) = ran(keypose(&folder).args(["check", "legs.wad", "--json"]));
    let report: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((code, &report["warnings"]), (1, &Value::from(1)), "{output}");
    let finding = &report["models"][0]["findings"][0];
    assert_eq!(
        (&finding["clip"], &finding["bone"], &finding["kind"]),
        (&"long".into(), &"shin.L".into(), &"stretched-bone".into())
    );
    let likeness = &report["models"][0]["preview_and_game"];
    assert_eq!(likeness["largest_difference"].as_f64(), Some(0.0));
    assert!(likeness["poses"].as_u64().unwrap() > 90, "{likeness}");
    let (code, output, wrong) = ran(keypose(&folder).args(["check", "no such file.wad", "--json"]));
    assert_eq!(code, 2);
    assert!(wrong.contains("no such file") && output.contains("\"error\""), "{output} {wrong}");
}

/// The demo is the example: no problems are found.
#[test]
fn the_demo_has_no_warnings() {
    let project = editor_kit::demo().document.project().clone();
    for model in &project.models {
        let subject = Subject::of(model).naming(Names::of(model, &project.models, &project.sounds));
        for slot in &model.clips {
            let (lanes, name) = (model.combat.lanes_of(slot.id), &slot.clip.name);
            let found = check(&subject, (&slot.clip, &lanes), Footing::of(model, name));
            assert!(found.iter().all(|it| it.grade != Severity::Warning), "{}, {name}: {found:#?}", model.name);
        }
    }
}

/// Of one model; of all with `KEYPOSE_FULL=1`.
#[test]
fn the_preview_of_the_demo_is_what_the_game_plays() {
    let folder = Folder::new("preview");
    let mut command = keypose(&folder);
    command.arg("check").arg(root().join("data/demo.wad"));
    if std::env::var_os("KEYPOSE_FULL").is_none() {
        command.args(["--model", "goblin"]);
    }
    done(&mut command);
}

/// A professional pack: what is reported as a warning is a body that skates or the seam of a walk that doesn't close, not a
/// stylised step or a shrugged shoulder.
#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn a_professional_pack_has_few_warnings() {
    let path = models::larger().join("gltf/Knight.glb");
    let opened = keypose_app::app::files::open(&path).unwrap();
    let model = &opened.project.models[0];
    let subject = Subject::of(model);
    let mut warned = Vec::new();
    for slot in &model.clips {
        let findings =
            check(&subject, (&slot.clip, &model.combat.lanes_of(slot.id)), Footing::of(model, &slot.clip.name));
        let groups = groups(&subject, &findings);
        let warnings = groups.into_iter().filter(|group| group.grade == Severity::Warning);
        warned.extend(warnings.map(|group| (slot.clip.name.clone(), group.kind, group.text)));
    }
    assert!(warned.len() <= 12, "{warned:#?}");
    assert!(warned.iter().all(|(_, kind, _)| matches!(kind, Kind::FootSlide | Kind::SeamJump)), "{warned:#?}");
}

#[test]
fn events_that_name_what_is_missing_are_found() {
    use keypose::anim::clip::Event;
    let names = ["sound gone", "effect sparkle", "effect dust", "socket hand = sword", "footstep", "my own text"];
    let event = |(at, name): (usize, &&str)| Event { time: FrameRate::FPS_30.time_of(at as i64), name: (*name).into() };
    let events = names.iter().enumerate().map(event).collect();
    let made = Clip { events, ..clip(LoopMode::Once, [(10, vec![]), (10, vec![])]) };
    let model = editor_kit::legs();
    let of = |subject: &Subject| -> Vec<String> {
        let found = check(subject, (&made, &Lanes::default()), Footing::OffGround);
        found.into_iter().filter(|it| it.kind == Kind::MissingName).map(|it| it.text).collect()
    };
    assert!(of(&Subject::of(&model)).is_empty(), "without an archive nothing is known to be missing");
    let texts = of(&Subject::of(&model).naming(Names::of(&model, &[], &[])));
    let missing = ["sound \"gone\"", "effect \"sparkle\"", "socket \"hand\""];
    assert_eq!(texts, missing.map(|what| format!("an event names the {what}, which doesn't exist")));
}
