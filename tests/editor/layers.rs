//! Layers of clips: weights that are keyed, texture frames, flattening, and what the archive keeps.

use std::sync::Arc;

use glam::{Quat, Vec3};
use keypose::anim::clip::Clip;
use keypose::anim::fit::distance;
use keypose::anim::key::Channel;
use keypose::anim::scalar::ScalarKind;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::assets::euler_order::EulerOrder;
use keypose::wad;
use keypose_editor::editor::ops::euler;
use keypose_editor::editor::posing::layer_weight;
use keypose_editor::editor::script;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::DocumentAction;

use crate::editor_kit::{self, demo_after};

/// The run of the demo with three poses on a layer, whose weight grows.
const HEAVIER: &str = "clip run; run add-layer; key-layer-weight 20; pose spine rotation 12 0 0; run key-changed; seek 6f; \
                       key-layer-weight 100; pose spine rotation 20 5 0; pose head rotation -9 0 0; run key-changed; seek 11f; \
                       pose spine rotation 9 -4 0; pose hips position 0 0.9 0; run key-changed";

fn clip(editor: &Editor) -> Arc<Clip> {
    editor.clip().unwrap().clip.clone()
}

/// The maximum distances of positions, rotations in radians, and scales and values between two clips, apart from weights of layers.
fn apart(editor: &Editor, a: &Clip, b: &Clip) -> [f32; 3] {
    let skeleton = &editor.model().unwrap().skeleton;
    let weighs = |track: &Track| {
        let scalar = track.channel.scalar().and_then(|scalar| skeleton.scalar(scalar));
        scalar.is_some_and(|scalar| scalar.kind == ScalarKind::LayerWeight)
    };
    let tracks = |clip: &Clip| Track::all_of(clip).into_iter().filter(|track| !weighs(track)).collect::<Vec<_>>();
    let (a, b, length) = (tracks(a), tracks(b), a.length());
    assert_eq!(a.len(), b.len());
    let mut apart = [0.0_f32; 3];
    for (a, b) in a.iter().zip(&b) {
        assert_eq!((a.bone, a.channel), (b.bone, b.channel));
        let kind = match a.channel {
            Channel::Translation => 0,
            Channel::Rotation => 1,
            Channel::Scale | Channel::Scalar(_) => 2,
        };
        for step in 0..=1000 {
            let time = Time(length.0 * step / 1000);
            apart[kind] = apart[kind].max(distance(a.channel, a.sample(time), b.sample(time)));
        }
    }
    apart
}

#[test]
fn a_flattened_clip_is_the_layered_one_within_the_error_that_is_stated() {
    let mut editor = demo_after(HEAVIER);
    let (live, document) = (clip(&editor), editor.document.clone());
    script::run(&mut editor, "flatten 0 0 0").unwrap();
    let exact = apart(&editor, &live, &clip(&editor));
    assert!(exact.iter().all(|apart| *apart <= 1e-6), "{exact:?}");
    assert!(!Track::all_of(&clip(&editor)).iter().any(|track| track.channel.scalar().is_some()), "the weight is gone");

    script::run(&mut editor, "undo; flatten 0.004 0.5 0.002").unwrap();
    let flat = clip(&editor);
    let notice = script::show(&editor, "notice").unwrap();
    let words = notice.split(|it: char| !(it.is_ascii_digit() || it == '.')).map(|word| word.trim_end_matches('.'));
    let numbers: Vec<f32> = words.filter_map(|word| word.parse().ok()).collect();
    let [after, before, position, degrees, scale] = numbers[..] else { panic!("{notice}") };
    assert!(after < before * 0.8, "{notice}");
    let stated = [position, degrees.to_radians(), scale];
    for ((measured, stated), tolerance) in
        apart(&editor, &live, &flat).into_iter().zip(stated).zip([0.004, 0.5_f32.to_radians(), 0.002])
    {
        // The notice is rounded.
        assert!(measured <= stated * 1.02 + 1e-4 && stated <= tolerance, "{measured} {stated} {tolerance}: {notice}");
    }
    script::run(&mut editor, "undo").unwrap();
    assert!(editor.document.is_equal(&document), "one step");
}

#[test]
fn weights_and_limits_are_saved_and_the_source_stays() {
    let mut editor = demo_after("clip run");
    let source = clip(&editor);
    script::run(&mut editor, HEAVIER).unwrap();
    script::run(&mut editor, "limit-layer spine head").unwrap();
    let layered = clip(&editor);
    let bytes = wad::encode_authored(&editor.document).unwrap();
    let mut opened = editor_kit::opened(&bytes);
    script::run(&mut opened, "clip run").unwrap();
    assert_eq!(*clip(&opened), *source);
    script::run(&mut opened, "clip \"run layered\"").unwrap();
    assert_eq!(*clip(&opened), *layered);
    assert_eq!(script::show(&opened, "clip-layer").unwrap(), "run layer: add 100 %, limited to spine head");
    script::run(&mut opened, "seek 6f; key-layer-weight 0; run clear-layer-limit").unwrap();
    script::run(&mut editor, "seek 6f; key-layer-weight 0; run clear-layer-limit").unwrap();
    assert_ne!(*clip(&opened), *layered, "it still follows");
    assert_eq!(*clip(&opened), *clip(&editor));
}

#[test]
fn texture_frames_switch_under_a_layer() {
    let mut editor = editor_kit::editor();
    let words = "material plate frames 4 2; material plate frame 1; run key-texture-frame; run add-layer; layer replace 100; \
                 seek 10f; material plate frame 7; run key-texture-frame; seek 0f; material plate frame 7; \
                 run key-texture-frame; new-ease linear; key-layer-weight 0; seek 10f; key-layer-weight 100";
    script::run(&mut editor, words).unwrap();
    let shown = (0..=10).map(|frame| {
        script::run(&mut editor, &format!("seek {frame}f")).unwrap();
        editor.view().local.scalars()[0]
    });
    let shown: Vec<f32> = shown.collect();
    assert_eq!(shown, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 7.0, 7.0, 7.0, 7.0, 7.0]);
    script::run(&mut editor, "layer replace 40; seek 10f").unwrap();
    assert_eq!(editor.view().local.scalars()[0], 1.0);
}

#[test]
fn a_layer_of_low_weight_turns_a_bone_as_far_as_it_can_in_the_direction_of_the_pose() {
    let mut editor = demo_after("clip walk; run add-layer; layer add 30; seek 4f; auto-key always; select chest");
    let chest = editor.model().unwrap().skeleton.find("chest").unwrap();
    let rotation = |editor: &Editor| editor.view().local.get(usize::from(chest)).rotation;
    let before = rotation(&editor);
    let turn = |degrees: f32| Quat::from_rotation_y(degrees.to_radians());
    for (degrees, expected) in [(40.0, 40.0), (100.0, 54.0), (-150.0, -54.0)] {
        let Vec3 { x, y, z } = euler::degrees(before * turn(degrees), EulerOrder::default());
        script::run(&mut editor, &format!("pose chest rotation {x} {y} {z}")).unwrap();
        let apart = (before * turn(expected)).angle_between(rotation(&editor)).to_degrees();
        assert!(apart < 1.0, "{degrees}°: {apart}° from {expected}°");
        editor.update(DocumentAction::Undo);
    }
}

#[test]
fn the_weight_is_keyed_after_the_root_got_a_parent() {
    let editor = demo_after(
        "clip walk; run add-layer; seek 4f; key-layer-weight 50; bone add r none 0 0 0; bone parent root r; key-layer-weight 11",
    );
    assert!((layer_weight::shown(&editor.view()) - 0.11).abs() < 1e-6);
}
