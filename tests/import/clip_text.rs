//! The text form of clips: exact, line by line, and refused with a place and a reason.

use glam::{Quat, Vec3, Vec4};
use keypose::anim::clip::{Clip, Event, Keyframe, KeyframeKind, LoopMode};
use keypose::anim::key::{Channel, Ease, HandleKind, Key};
use keypose::anim::scalar::{Scalar, ScalarKind};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::tangent::resolve_tangents;
use keypose::anim::time::{FrameRate, Time};
use keypose::anim::transform::Transform;
use keypose::assets::combat::{Cancel, CancelWhen, Contact, Hit, Hurt, Lanes, Range, Strike, Volume};
use keypose::assets::line_text::MAX_BYTES;
use keypose_tools::clip_text::{ClipText, read, write};

use crate::fuzz::targets::sample;

/// Names that are words of the form as well.
fn skeleton() -> Skeleton {
    let bone = |name: &str, parent| Bone { name: name.into(), parent, rest: Transform::IDENTITY };
    let bones = vec![bone("missing", None), bone("upper arm.L", Some(0)), bone("position", Some(0))];
    let scalar = |name: &str, bone| Scalar { name: name.into(), bone, kind: ScalarKind::Property, default: 0.0 };
    Skeleton::new(bones).unwrap().with_scalars(vec![scalar("in", 1), scalar("7", 0), scalar("position", 0)]).unwrap()
}

/// A clip with everything that a text can hold.
fn odd() -> ClipText {
    let turned = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
    let keyframe = |duration, keys: Vec<Key>| Keyframe { duration, keys: keys.into(), ..Keyframe::default() };
    let broken = Key {
        handles: HandleKind::Free,
        in_tangent: Vec4::new(1e-40, -0.0, 3.0, 0.0),
        out_tangent: Vec4::new(0.1, f32::MAX, -7.5, 0.0),
        in_length: 0.001,
        out_length: 0.7,
        ..Key::translation(0, Vec3::new(-0.0, 1.0 / 3.0, 16_777_217.0))
    };
    let eased = |ease, key| Key { ease, ..key };
    let mut clip = Clip {
        frame_rate: FrameRate::new(30_000, 1_001).unwrap(),
        loop_mode: LoopMode::PingPong,
        keyframes: vec![
            keyframe(
                Time(12_345_678),
                vec![
                    broken,
                    eased(Ease::Cubic, Key::rotation(1, turned(10.0))),
                    eased(Ease::Step, Key::scalar(1, 0, 0.5)),
                    Key::scale(2, Vec3::splat(2.0)),
                ],
            ),
            keyframe(Time::TICK * 5, vec![]),
            keyframe(
                Time::SECOND,
                vec![
                    Key { handles: HandleKind::Flat, ..Key::scalar(0, 1, -1.0) },
                    // On the other hemisphere, which stays so.
                    eased(Ease::Cubic, Key::rotation(1, -turned(60.0))),
                    Key::scalar(9, 12, 1.0),
                    Key::rotation(57, Quat::IDENTITY),
                ],
            ),
            keyframe(Time::ZERO, vec![eased(Ease::Cubic, Key::rotation(1, turned(80.0)))]),
        ]
        .into(),
        events: vec![
            Event { time: Time(1), name: "sound \"a\" #1".into() },
            Event { time: Time::TICK, name: "\u{202e}step".into() },
        ]
        .into(),
        ..Clip::new("name with\nline break")
    };
    clip.keyframes[0].kind = KeyframeKind::Extreme;
    clip.keyframes[1].kind = KeyframeKind::Breakdown;
    let unresolved = clip.keyframes[2].keys[1];
    resolve_tangents(&mut clip);
    clip.keyframes[2].keys[1] = Key { in_tangent: Vec4::Y, ..unresolved };
    let volume =
        |name: &str| Volume { to: Vec3::new(0.1, -0.0, 1e-9), ..Volume::sphere(name, "nowhere", Vec3::X, 0.3) };
    let hit = Hit {
        range: Range { start: Time(3), end: Time::TICK * 9 },
        volumes: vec![volume("a"), volume("two words")],
        group: 3,
        again: 60_000,
        strike: Strike { mask: 5, angle: -179.5, ..Strike::default() },
    };
    let range = Range::of_ticks(2, 4);
    let lanes = Lanes {
        hits: vec![hit],
        hurts: vec![
            Hurt { range, volume: "head".into(), replaced: None },
            Hurt { range: Range::of_ticks(3, 4), volume: "head".into(), replaced: Some(volume("head")) },
        ],
        cancels: vec![
            Cancel { range, into: vec!["attack 2".into(), "into".into()], when: CancelWhen::Hit },
            Cancel { range, into: vec![], when: CancelWhen::Miss },
        ],
        invulnerable: vec![range],
        contacts: vec![Contact { range, bone: "a \"b\"".into() }],
    };
    ClipText { clip, lanes, folder: "talk/long".into(), tags: vec!["a".into(), "#b".into()] }
}

#[test]
fn a_clip_comes_back_bit_for_bit() {
    let skeleton = skeleton();
    for text in [odd(), ClipText { clip: Clip::new("empty"), ..ClipText::default() }] {
        let written = write(&text, &skeleton);
        let again = read(&written, &skeleton).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(again, text, "{written}");
        // Equal numbers could still be zeros of two signs.
        assert_eq!(write(&again, &skeleton), written);
    }
    for model in sample::rich().models {
        for slot in &model.clips {
            let text =
                ClipText { clip: (*slot.clip).clone(), lanes: model.combat.lanes_of(slot.id), ..Default::default() };
            assert_eq!(read(&write(&text, &model.skeleton), &model.skeleton), Ok(text), "{}", slot.clip.name);
        }
    }
}

#[test]
fn what_follows_from_neighbours_is_left_out() {
    let skeleton = skeleton();
    let (mut text, rate) = (ClipText::default(), FrameRate::FPS_30);
    for x in [0.0, 1.0, 3.0] {
        let key = Key { ease: Ease::Cubic, ..Key::translation(2, Vec3::X * x) };
        text.clip.keyframes.push(Keyframe { duration: rate.time_of(6), keys: vec![key].into(), ..Keyframe::default() });
    }
    text.clip.name = "slide".into();
    resolve_tangents(&mut text.clip);
    let written = write(&text, &skeleton);
    let expected = "keypose-clip 1\nname slide\nloop once\nrate 30\n\nkeyframe 6f cubic\n  key position position 0 0 0\n\n\
                    keyframe 6f cubic\n  key position position 1 0 0\n\nkeyframe 6f cubic\n  key position position 3 0 0\n";
    assert_eq!(written, expected);
    assert_eq!(read(expected, &skeleton), Ok(text.clone()));
    assert_ne!(text.clip.keyframes[1].keys[0].out_tangent, Vec4::ZERO);
    // A change of one key changes one line.
    let changed = read(&expected.replace("position 1 0 0", "position 1.5 0 0"), &skeleton).unwrap();
    let now = write(&changed, &skeleton);
    let differing = expected.lines().zip(now.lines()).filter(|(a, b)| a != b).count();
    assert_eq!((differing, now.lines().count()), (1, expected.lines().count()));
    assert_eq!(changed.clip.keyframes[1].key(2, Channel::Translation).unwrap().value.x, 1.5);
}

#[test]
fn refusals_name_line_and_reason() {
    let head = "keypose-clip 1\nname a\nrate 30\n";
    let cases = [
        ("", "a line \"keypose-clip …\" is missing"),
        ("name a", "line 1: a clip begins with \"keypose-clip 1\""),
        ("keypose-clip 2", "line 1: this version of Keypose reads \"keypose-clip 1\""),
        ("keypose-clip 1", "a line \"name …\" is missing"),
        ("keypose-clip 1\nname \"\"", "the name of the clip is empty"),
        ("keypose-clip 1\nname a\nname b", "line 3: a second line \"name …\""),
        ("HEADevent 3f step\nrate 24", "line 5: the rate must come before all times"),
        ("HEADrate 24", "line 4: a second line \"rate …\""),
        ("HEADevent soon step", "line 4: soon is not a time: write 6f for frames, 6t for ticks, 6fl for flicks"),
        (
            "HEADkey position scale 1 1 1",
            "line 4: a key belongs to a keyframe; a line \"keyframe DURATION\" must come before it",
        ),
        (
            "HEADkeyframe 1f soft",
            "line 4: unknown word soft: expected step, linear, cubic, handles, in, out or lengths",
        ),
        ("HEADkeyframe 1f\nkey hand scale 1 1 1", "line 5: the skeleton has no bone hand"),
        ("HEADkeyframe 1f\nkey position scale 1 1", "line 5: a scale has 3 numbers"),
        (
            "HEADkeyframe 1f\nkey position scale 1 1 1 lengths 0.5 2",
            "line 5: a handle is 0.001 to 1 of the time to the next key long, not 2",
        ),
        ("HEADkeyframe 1f\nkey position scale 1 1 NaN", "line 5: NaN is not a finite number"),
        ("HEADkeyframe 1f\nkey position rotation 0 0 0 2", "line 5: a rotation must have unit length"),
        ("HEADkeyframe 1f\nkey position value glow 1", "line 5: the bone has no value glow"),
        (
            "HEADkeyframe 1f\nkey position weight 1",
            "line 5: unknown channel weight: expected position, rotation, scale or value NAME",
        ),
        (
            "HEADkeyframe 1f\nkey position scale 1 1 1\nkey position scale 1 1 2",
            "line 6: a second key of this channel in one keyframe",
        ),
        ("HEADkeyframe 0f\nkeyframe 1f", "keyframe 0: its duration of 0.000 s must be more than zero"),
        ("HEADevent 9f step\nkeyframe 3f", "event \"step\" at 0.300 s is outside the clip, or out of order"),
        ("HEADkeyframe 2592001f", "the clip is 86400.033 s long, the maximum is 86400.000 s"),
        ("HEADhit 4t 2t", "hit 0: 0.067 s to 0.033 s is not a range of a clip"),
        ("HEADhit 1t 2t damage", "line 4: damage has no value"),
        (
            "HEADhit 1t 2t power 3",
            "line 4: unknown value power: expected damage, angle, knockback, growth, stop, stun, block-stun, priority, targets, group or again",
        ),
        ("HEADhit 1t 2t damage 70000", "line 4: 70000 is not a whole number in range"),
        (
            "HEADvolume a b 0 0 0 0 0 0 radius 1",
            "line 4: a volume belongs to a hit or hurt range, which must come before it",
        ),
        ("HEADhit 1t 2t\nvolume a b 0 0 0 radius 1", "line 5: a volume has six numbers, not 3"),
        ("HEADcancel 1t 2t never", "line 4: unknown word never: expected always, on-hit or on-miss"),
        (
            "HEADinto jump",
            "line 4: an action belongs to a cancel; a line \"cancel START END WHEN\" must come before it",
        ),
        (
            "HEADkeyframe 1f\nkey position missing-value 4096 1",
            "line 5: 4096 is no number of a value: they are less than 4096",
        ),
        ("HEADtag \"two words\"", "line 4: a tag is one word"),
        (
            "HEADspeed 3",
            "line 4: unknown word speed: expected name, loop, root, rate, folder, tag, event, delay, hit, hurt, cancel, invulnerable, contact, volume, into, keyframe or key",
        ),
    ];
    for (text, expected) in cases {
        let error = read(&text.replace("HEAD", head), &skeleton()).unwrap_err().to_string();
        assert_eq!(error, expected, "{text}");
    }
    let long = format!("{head}# {}", "x".repeat(MAX_BYTES));
    assert!(read(&long, &skeleton()).unwrap_err().to_string().contains("the maximum is"));
}

#[test]
fn missing_bones_and_values_are_numbers() {
    for (words, expected) in [
        ("missing value position 1", Key::scalar(0, 2, 1.0)),
        ("missing position 1 2 3", Key::translation(0, Vec3::new(1.0, 2.0, 3.0))),
        ("missing 7 position 1 2 3", Key::translation(7, Vec3::new(1.0, 2.0, 3.0))),
        ("missing value 7 1", Key::scalar(0, 1, 1.0)),
        ("position missing-value 4095 1", Key::scalar(2, 4095, 1.0)),
        // The value of another bone.
        ("position missing-value 1 1", Key::scalar(2, 1, 1.0)),
    ] {
        let text = format!("keypose-clip 1\nname a\nrate 30\nkeyframe 1f\nkey {words}\n");
        let clip = read(&text, &skeleton()).unwrap();
        assert_eq!(*clip.clip.keyframes[0].keys, [expected], "{words}");
        assert_eq!(read(&write(&clip, &skeleton()), &skeleton()).as_ref(), Ok(&clip), "{words}");
    }
}
