//! Contacts of feet: proposed, cleaned without a jump, checked, and as events.

use std::sync::Arc;

use glam::Vec3;
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::Key;
use keypose::anim::mat34::Mat3x4;
use keypose::anim::root_motion::RootMotion;
use keypose::anim::time::Time;
use keypose::assets::combat::Range;
use keypose::assets::fit::fit;
use keypose::assets::model::ClipSlot;
use keypose::assets::project::Project;
use keypose_editor::editor::script;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::Origin;
use keypose_tools::clip_check::contacts::{ground_speed, place_on_ground};
use keypose_tools::clip_check::{Kind, Subject};

use crate::balance::{found, poses};
use crate::editor_kit::{self, demo_after};

/// Cleaned feet stay within a millimetre, at the size in the game. Beside contacts, no bone moves by more than 5 mm in a tick against the
/// motion before. There are fewer keyframes than frames, and most are at frames.
#[test]
fn cleaned_feet_hold_and_nothing_jumps() {
    // The walk of the demo holds well; posing the hips makes its feet slide.
    let walk = "clip walk; seek 5f; select hips; pose hips position 0.05 0.86 0.06; key I; ";
    let attack = "clip attack; seek 5f; select hips; pose hips position 0.02 0.8 0.03; key I; ";
    for text in ["clip walk; ", walk, attack] {
        let mut editor = demo_after(&format!("{text} run propose-contacts"));
        let (before, model) = (editor.clip().unwrap().clone(), editor.model().unwrap().clone());
        let lanes = model.combat.lanes_of(before.id);
        assert!(lanes.contacts.len() >= 2, "{text}: {:?}", lanes.contacts);
        let was_sliding = found(&editor, Kind::ContactSlide);
        script::run(&mut editor, "run clean-contacts").unwrap();
        let after = editor.clip().unwrap().clip.clone();
        assert_eq!(after.length(), before.clip.length());
        let (speed, scale) = (ground_speed(&Subject::of(&model), &before.clip, &lanes), fit(&model).scale);
        let mut farthest = 0.0_f32;
        for contact in &lanes.contacts {
            let bone = model.skeleton.find(&contact.bone).unwrap();
            let quarter = Time(Time::TICK.0 / 4);
            let count = (contact.range.end - contact.range.start).0 / quarter.0;
            let at = |step: i64| {
                let time = contact.range.start + quarter * step;
                place_on_ground(&poses(&editor, &after, time), bone, speed, time)
            };
            let places: Vec<Vec3> = (0..count).map(at).collect();
            let apart = places.iter().flat_map(|a| places.iter().map(move |b| a.distance(*b)));
            farthest = farthest.max(apart.fold(0.0, f32::max) * scale);
        }
        let mut jump = 0.0_f32;
        let moved = |time: Time| {
            let [a, b] = [&*before.clip, &*after].map(|clip| poses(&editor, clip, time));
            let apart = |(a, b): (&Mat3x4, &Mat3x4)| b.translation() - a.translation();
            a.bones.iter().zip(&b.bones).map(apart).collect::<Vec<Vec3>>()
        };
        let holds = |tick: i64| {
            let inside = |range: &Range| range.start < Time::TICK * tick && Time::TICK * tick < range.end;
            lanes.contacts.iter().any(|contact| inside(&contact.range))
        };
        for tick in (1..=after.length().0 / Time::TICK.0).filter(|&tick| !holds(tick - 1) && !holds(tick)) {
            let [a, b] = [tick - 1, tick].map(|tick| moved(Time::TICK * tick));
            jump = a.iter().zip(&b).map(|(a, b)| a.distance(*b) * scale).fold(jump, f32::max);
        }
        assert!(farthest <= 1e-3, "{text}: slides {farthest} m");
        assert!(jump <= 5e-3, "{text}: jumps {jump} m");
        let frames = after.frame_rate.frames_in(after.length());
        let is_off = |time: &Time| (after.frame_rate.frames_in(*time).fract() - 0.5).abs() < 0.49;
        let off = after.starts().filter(is_off).count();
        let count = after.keyframes.len();
        assert!((count as f64) < frames && off * 2 < count, "{text}: {count} keyframes, {off} of them between frames");
        assert_eq!(found(&editor, Kind::ContactSlide), 0, "{text}");
        script::run(&mut editor, "undo").unwrap();
        assert_eq!(editor.clip().unwrap().clip, before.clip);
        assert_eq!(found(&editor, Kind::ContactSlide), was_sliding);
        assert!(was_sliding > 0 || !text.contains("hips"), "{text}");
    }
}

/// Between the poses of a crouch interpolation sinks the feet; their height in the poses is right.
#[test]
fn feet_are_held_where_they_were_posed() {
    let mut editor = demo_after(
        "clip idle; seek 0f; save-pose stand; run new-clip; auto-key always; space model; switch whole-body; \
         apply-pose stand; run key-pose; run duplicate-keyframe; select hips; run reach; type y -0.25 enter; \
         duration 1 9f; duration 2 6f; contact 0f 15f foot.L; contact 0f 15f foot.R",
    );
    let foot = editor.model().unwrap().skeleton.find("foot.L").unwrap();
    let height = |editor: &Editor, time: Time| {
        poses(editor, &editor.clip().unwrap().clip, time).bones[usize::from(foot)].translation().y
    };
    let posed = height(&editor, Time::ZERO);
    let farthest = |editor: &Editor| {
        let ticks = editor.clip().unwrap().clip.length().0 / Time::TICK.0;
        (0..ticks).map(|tick| (height(editor, Time::TICK * tick) - posed).abs()).fold(0.0, f32::max)
    };
    assert!(farthest(&editor) > 5e-3, "{}", farthest(&editor));
    script::run(&mut editor, "run clean-contacts").unwrap();
    assert!(farthest(&editor) < 1e-3, "{}", farthest(&editor));
    assert!(editor.clip().unwrap().clip.keyframes.len() < 9, "few keyframes stay editable");
}

/// Legs that glide: 30 cm in a second, and the next round starts there.
fn travelling() -> Editor {
    let mut model = editor_kit::legs();
    let keyframe =
        |duration, z| Keyframe { duration, keys: vec![Key::translation(0, Vec3::Z * z)].into(), ..Keyframe::default() };
    let keyframes = [keyframe(Time::SECOND, 0.0), keyframe(Time::ZERO, 0.3)].into_iter().collect();
    let walk = Clip { keyframes, root_motion: RootMotion::Ground, ..Clip::new("walk") };
    model.clips = vec![ClipSlot { id: Default::default(), clip: Arc::new(walk) }];
    let mut project = Project::default();
    project.add_model(model);
    Editor::new(project, &Origin::New)
}

#[test]
fn a_contact_over_the_seam_of_a_loop_that_travels_is_held_in_one_place() {
    let mut editor = travelling();
    let script = "clip walk; loop loop; contact 22f 30f foot.L; contact 0f 8f foot.L; run clean-contacts";
    script::run(&mut editor, script).unwrap();
    let clip = &editor.clip().unwrap().clip;
    assert_eq!(clip.length(), Time::SECOND, "it has no way back");
    let foot = editor.model().unwrap().skeleton.find("foot.L").unwrap();
    let place = |frame| poses(&editor, clip, clip.frame_rate.time_of(frame)).get(foot).translation();
    for frame in 0..=7 {
        let before = place(frame + 23);
        assert!(before.distance(place(23)) < 1e-3 && before.distance(place(frame) + Vec3::Z * 0.3) < 1e-3, "{frame}");
    }
    assert!(place(15).distance(place(23)) > 0.02, "it moves between");
}

#[test]
fn contacts_become_events_and_are_mirrored() {
    let mut editor = demo_after("clip walk; contact 0t 8t foot.L; run contact-events; run contact-events");
    let events = &editor.clip().unwrap().clip.events;
    assert_eq!(events.iter().filter(|event| event.name == "contact foot.L").count(), 1);
    script::run(&mut editor, "delete-range contacts 1; contact 2t 8t foot.L; run contact-events").unwrap();
    let events = &editor.clip().unwrap().clip.events;
    let times: Vec<Time> =
        events.iter().filter(|event| event.name == "contact foot.L").map(|event| event.time).collect();
    assert_eq!(times, [Time::TICK * 2], "the event of a contact that moved is gone");
    script::run(&mut editor, "run mirrored-clip => contacts = foot.R 1f to 4f").unwrap();
    script::run(&mut editor, "clip walk; delete-range contacts 1 => contacts =").unwrap();
}

#[test]
fn contacts_out_of_reach_are_reported() {
    let raised =
        "select hips; seek 0f; pose hips position 0 0.9 0; key I; seek 5f; pose hips position 0 1.6 0; key I; ";
    let mut editor = demo_after(&format!("clip idle; {raised} contact 0t 20t foot.L; run clean-contacts"));
    let notice = editor_kit::notice(&editor);
    assert!(
        notice.starts_with("Out of reach: the contact of foot.L moves ") && notice.contains("frames 0–"),
        "{notice}"
    );
    script::run(&mut editor, "undo").unwrap();
}

#[test]
fn contacts_of_two_bones_of_a_limb_hold_the_upper_one() {
    let two = demo_after("clip walk; contact 0f 10f toe.L; contact 0f 10f foot.L; run clean-contacts");
    let notice = two.session.transient.notice.as_ref().unwrap().text.clone();
    assert_eq!(notice, "toe.L shares its limb with the bone of another contact. Only that one was held.");
    assert_eq!((two.history.undo_label(), two.clip().unwrap().clip.check()), (Some("Clean contacts"), Ok(())));
}
