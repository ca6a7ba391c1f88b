//! Differences between projects, by content.

use std::sync::Arc;

use glam::Vec3;
use keypose::anim::clip::{Clip, Keyframe, KeyframeKind, LoopMode};
use keypose::anim::key::Key;
use keypose::anim::skeleton::Skeleton;
use keypose::anim::time::Time;
use keypose::assets::model::{Model, Visibility};
use keypose::assets::project::Project;
use keypose::wad::archive::Archive;
use keypose::wad::decode;
use keypose::wad::diff::diff;
use keypose::wad::equality::is_same_content;
use keypose::wad::kind::Kind;
use keypose::wad::pack::pack;

use crate::sample::{encode, rich};

type Change = fn(&mut Project);

fn knight(project: &mut Project) -> &mut Model {
    Arc::make_mut(&mut project.models[0])
}

fn walk(project: &mut Project) -> &mut Clip {
    Arc::make_mut(&mut knight(project).clips[0].clip)
}

#[test]
fn every_change_is_described_by_its_content() {
    let cases: &[(Change, &[&str])] = &[
        (|_| {}, &[]),
        (
            |project| walk(project).keyframes[1].duration = Time(2 * Time::SECOND.0),
            &["~ clip knight/walk: length 1.000 s → 2.000 s; keyframe 2: duration 1.000 s → 2.000 s"],
        ),
        (
            |project| walk(project).keyframes[1].set(Key::scale(1, Vec3::ONE)),
            &["~ clip knight/walk: keys 7 → 8; keyframe 2: 1 key added"],
        ),
        (
            |project| {
                let new = Keyframe { duration: Time::SECOND, ..Keyframe::default() };
                walk(project).keyframes.insert(1, new);
            },
            &["~ clip knight/walk: length 1.000 s → 2.000 s; keyframes 3 → 4; keyframe 2 added"],
        ),
        (|project| walk(project).loop_mode = LoopMode::Once, &["~ clip knight/walk: loop mode ping-pong → once"]),
        (
            |project| {
                walk(project).events[0].name = "jump".into();
                walk(project).loop_mode = LoopMode::Once;
            },
            &["~ clip knight/walk: loop mode ping-pong → once; events changed"],
        ),
        (
            |project| {
                let skeleton = knight(project).skeleton.clone();
                let mut bones = skeleton.bones().to_vec();
                bones[2].rest.translation = Vec3::ONE;
                bones[3].parent = Some(1);
                let changed = Skeleton::new(bones).unwrap().with_scalars(skeleton.scalars().to_vec()).unwrap();
                knight(project).skeleton = Arc::new(changed);
            },
            &["~ skeleton knight: the rest transform of bone bone 2 changed; the parent of bone bone 3 changed"],
        ),
        (|project| knight(project).drafts[1].kind = KeyframeKind::Extreme, &["~ model knight: draft poses changed"]),
        (
            |project| walk(project).name = "run".into(),
            &[
                "+ clip knight/run: 1.000 s, 3 keyframes, 7 keys",
                "- clip knight/walk: 1.000 s, 3 keyframes, 7 keys",
                "~ clip knight/empty: notes retimed to 150 % from walk → retimed to 150 % from run",
                "~ clip knight/a name that is much longer than the 79 bytes that the directory has for the name of a lump: \
                 notes layered with empty (replace 150 %, muted) from walk → layered with empty (replace 150 %, muted) from run",
                "~ clip knight/walk/../\u{7}: notes trimmed to 0.000 s to 0.000 s from walk → trimmed to 0.000 s to 0.000 s from run",
                "~ clip sword/follows: notes retargeted from walk of knight → retargeted from run of knight",
            ],
        ),
        (|project| knight(project).clips.swap(0, 1), &["~ knight/clip: order changed"]),
        (
            |project| knight(project).meshes[0].visibility = Visibility::Hidden,
            &["~ model knight: mesh visibility changed"],
        ),
        (
            |project| {
                let cape = &mut knight(project).meshes[1];
                Arc::make_mut(&mut cape.mesh).name = "cloak".into();
                cape.visibility = Visibility::Shown;
            },
            &["- mesh knight/cape: 4 vertices, 2 triangles", "+ mesh knight/cloak: 4 vertices, 2 triangles"],
        ),
        (
            |project| Arc::make_mut(&mut knight(project).meshes[2].mesh).positions[0] = Vec3::ONE,
            &["~ mesh knight/helmet: positions"],
        ),
        (
            |project| Arc::make_mut(&mut knight(project).meshes[0].mesh).morphs[0].positions[0] = Vec3::ONE,
            &["~ mesh knight/torso: morph targets"],
        ),
        (
            |project| {
                let mut scalars = knight(project).skeleton.scalars().to_vec();
                scalars[2].default = 0.5;
                scalars[3].name = "cape".into();
                let skeleton = (*knight(project).skeleton).clone().with_scalars(scalars).unwrap();
                knight(project).skeleton = Arc::new(skeleton);
            },
            &[
                "~ skeleton knight: visibility cape added; default of property glow: 100 → 0.5; visibility helmet removed",
            ],
        ),
        (|project| drop(project.models.remove(1)), &["- model sword: 1 bones, 0 meshes, 1 clips"]),
        (
            |project| {
                let id = project.models[1].clips[0].id;
                Arc::make_mut(&mut project.models[1]).note(id, |notes| notes.derived = None);
            },
            &["~ clip sword/follows: notes retargeted from walk of knight → nothing"],
        ),
        (|project| project.levels.swap(0, 1), &["~ levels: order changed"]),
        (|project| drop(project.sounds.remove(1)), &["- sound step: 0.00 s, 22050 Hz, mono"]),
        (|project| std::sync::Arc::make_mut(&mut project.sounds[0]).volume = 2.0, &["~ sound Musik ü: volume 0.5 → 2"]),
        (|project| drop(project.levels.remove(1)), &["- level cave: 3 solids, 1 platforms"]),
        (|project| project.unknown[0].bytes = Arc::from(&b"?"[..]), &["~ lump vIEW/layout: bytes changed"]),
    ];
    for (number, (change, expected)) in cases.iter().enumerate() {
        let mut project = rich();
        change(&mut project);
        let after = decode(&encode(&project)).unwrap().project;
        let found: Vec<String> = diff(&rich(), &after).iter().map(ToString::to_string).collect();
        assert_eq!(found, *expected, "case {number}");
    }
}

/// All that an archive keeps: [`rich`] has one of everything.
#[test]
fn no_lump_is_left_out_of_a_comparison() {
    let lumps = Archive::open(&encode(&rich())).unwrap().to_lumps().unwrap();
    let mut left = 0;
    for gone in lumps.iter().filter(|lump| lump.kind != Kind::BAKED) {
        let others = lumps.iter().filter(|lump| (lump.kind, &lump.name) != (gone.kind, &gone.name)).cloned().collect();
        let Ok(after) = pack(others, None).and_then(|bytes| decode(&bytes)) else { continue };
        left += 1;
        assert!(!is_same_content(&rich(), &after.project), "{} {}", gone.kind, gone.name);
        assert!(!diff(&rich(), &after.project).is_empty(), "{} {}", gone.kind, gone.name);
    }
    assert!(left >= 10, "only {left} lumps can be left out");
    assert!(is_same_content(&rich(), &decode(&encode(&rich())).unwrap().project));
}
