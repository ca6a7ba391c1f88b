//! Clips on characters with other names, axes, rest poses and proportions: they look the same, measured by [`crate::likeness`].

use std::collections::BTreeSet;
use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

use glam::{DQuat, Mat4, Quat, Vec3, Vec4};
use keypose::anim::clip::Clip;
use keypose::anim::key::{Channel, Ease, Key};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::skin::Skin;
use keypose::anim::time::Time;
use keypose::anim::track::Track;
use keypose::anim::transform::Transform;
use keypose::assets::combat::Lanes;
use keypose::assets::id::ClipId;
use keypose::assets::import_options::ClipFit;
use keypose::assets::model::{ClipSlot, Model};
use keypose_tools::clip_check::{Footing, Kind, Subject, check as check_clip};
use keypose_tools::clip_library::{Fit, LibraryClips, clips_for};
use keypose_tools::import::import;
use keypose_tools::likeness::{Pair, Stance};

use crate::characters::{
    READY, RIGIFY, SOCIAL, UNREAL, VROID, declared, grounded, mixed_axes, renamed, resting, resting_in_its_clip,
    with_arms_down, with_axes, with_lengths,
};
use crate::likeness::{Likeness, compare};
use crate::models::{self, model};
use crate::posing::places;
use crate::root::root;

/// Clips on characters whose proportions don't allow all goals: the reasons are in docs/retargeting.md.
const MISSES: [(&str, &str); 3] =
    [("KayKit", "Man_Punch"), ("Cesium Man", "Running_A"), ("Rigged Figure", "Running_A")];

/// The worst likeness of a library's clips on a model, in each figure. All clips must look the same.
fn worst(library: &Model, (name, target): (&str, &Model)) -> Likeness {
    let found = clips_for(target, library, Fit::default()).unwrap();
    assert_eq!(library.clips.len(), found.clips.len());
    assert!(!found.findings.iter().any(|line| line.contains("unlike the character")), "{:?}", found.findings);
    let mut worst = Likeness::default();
    for (before, after) in library.clips.iter().zip(&found.clips) {
        after.check().unwrap();
        assert_eq!((before.clip.length(), before.clip.loop_mode), (after.length(), after.loop_mode));
        let like = compare((library.into(), &before.clip), (target.into(), after)).unwrap();
        let is_miss = MISSES.iter().any(|(of, clip)| *of == name && *clip == before.clip.name);
        let (angle, sole) = if is_miss { (22.0, 0.02) } else { (15.0, 0.02) };
        let place = format!("{} on {name}: {like:?}", before.clip.name);
        assert!(like.mean_angle < 5.1 && like.worst_angle < angle && like.up < 3.0, "{place}");
        assert!(like.hips < 0.03 && like.sole < sole && like.travel < 0.05 && like.slide < 0.02, "{place}");
        assert!(like.arms < 0.01 && like.hands < 0.02, "{place}");
        worst = worst.or_worse(&like);
    }
    worst
}

#[test]
fn walks_come_onto_characters_of_this_repository() {
    let (hero, walk) =
        (model(&models::own().join("models/fbx/hero.fbx")), model(&models::own().join("models/fbx/walk.fbx")));
    let mut knight = model(&root().join("data/demo.wad"));
    worst(&walk, ("knight", &knight));
    knight.clips.retain(|slot| ["walk", "run", "idle", "crouch"].contains(&slot.clip.name.as_str()));
    worst(&knight, ("hero", &hero));
}

/// A clip with the hips turned and moved from where they are.
fn with_hips(model: &Model, clip: &Clip, (turn, by): (Quat, Vec3)) -> Clip {
    let hips = model.skeleton.find("mixamorig:Hips").unwrap();
    let rest = model.skeleton.get(hips).unwrap().rest;
    let mut clip = clip.clone();
    for keyframe in clip.keyframes.iter_mut() {
        let rotation = keyframe.key(hips, Channel::Rotation).map_or(rest.rotation, |key| Quat::from_vec4(key.value));
        let place = keyframe.key(hips, Channel::Translation).map_or(rest.translation, |key| key.value.truncate());
        keyframe.set(Key::rotation(hips, turn * rotation));
        keyframe.set(Key::translation(hips, place + by));
    }
    clip
}

#[test]
fn a_character_that_lies_floats_or_sinks_is_found() {
    let folder = models::own().join("models/fbx");
    let (mut hero, walk) = (model(&folder.join("hero.fbx")), model(&folder.join("walk.fbx")));
    let walk = clips_for(&hero, &walk, Fit::default()).unwrap().clips.remove(0);
    let size = hero.skeleton.get(hero.skeleton.find("mixamorig:Hips").unwrap()).unwrap().rest.translation.length();
    let forward = Quat::from_rotation_x(FRAC_PI_2);
    let cases = [
        ((Quat::IDENTITY, Vec3::ZERO), None, None),
        ((forward, Vec3::ZERO), Some(Stance::FaceDown), Some("the character lies on the face in the whole clip")),
        ((forward.inverse(), Vec3::ZERO), Some(Stance::OnBack), Some("the character lies on the back")),
        ((Quat::IDENTITY, Vec3::Y * 0.5 * size), Some(Stance::Floats), Some("the character floats")),
        ((Quat::IDENTITY, Vec3::NEG_Y * 0.4 * size), Some(Stance::Sinks), Some("a foot sinks")),
    ];
    hero.clips.clear();
    let subject = Subject::of(&hero);
    let pair = Pair::new((&hero).into(), (&hero).into()).unwrap();
    for (hips, stance, text) in cases {
        let clip = with_hips(&hero, &walk, hips);
        assert_eq!(pair.new_stance(&walk, &clip), stance);
        assert_eq!(pair.new_stance(&clip, &clip), None, "its own character does the same");
        let found = check_clip(&subject, (&clip, &Lanes::default()), Footing::Ground);
        let found: Vec<_> = found.iter().filter(|one| matches!(one.kind, Kind::Lying | Kind::Height)).collect();
        assert_eq!(found.len(), usize::from(text.is_some()), "{found:?}");
        assert!(found.iter().all(|one| one.text.starts_with(text.unwrap_or_default())), "{found:?}");
    }
    let asleep = Clip { name: "Lie_Idle".into(), ..with_hips(&hero, &walk, (forward, Vec3::ZERO)) };
    let found = check_clip(&subject, (&asleep, &Lanes::default()), Footing::Ground);
    assert!(found.iter().all(|one| one.kind != Kind::Lying), "{found:?}");
}

/// A character with the clips that it gives to others.
struct Actor {
    name: &'static str,
    model: Model,
    clips: Vec<&'static str>,
}

fn actor(name: &'static str, model: Model, clips: &[&'static str]) -> Actor {
    Actor { name, model, clips: clips.to_vec() }
}

/// Characters of the larger set, and variants made of them.
fn actors() -> Vec<Actor> {
    let folder = models::larger();
    let read = |file: &str| model(&folder.join(file));
    let mut hero = read("mixamo/hero.fbx");
    for file in ["mixamo/walk.fbx", "mixamo/idle.fbx", "mixamo/jump.fbx"] {
        let library = read(file);
        let found = clips_for(&hero, &library, Fit::default()).unwrap();
        hero.clips.extend(found.clips.into_iter().map(|clip| ClipSlot { id: ClipId(1), clip: Arc::new(clip) }));
    }
    let bare = Model { clips: Vec::new(), ..hero.clone() };
    let long = grounded(&with_lengths(&bare, &[("lower leg", 1.15), ("foot", 0.9), ("lower arm", 1.1)]), &bare);
    let unreal = with_axes(&with_arms_down(&renamed(&long, &UNREAL), 0.8), mixed_axes);
    let rigify = with_axes(&renamed(&bare, &RIGIFY), |at| DQuat::from_rotation_y(0.5 * at as f64));
    let hanging = with_arms_down(&renamed(&bare, &READY), 1.3);
    let stout =
        [("upper leg", 1.3), ("lower leg", 0.7), ("foot", 0.75), ("toes", 1.5), ("lower arm", 0.85), ("wrist", 0.8)];
    let stout = grounded(&with_lengths(&renamed(&bare, &READY), &stout), &bare);
    let mut idle = read("mixamo/idle.fbx");
    idle = resting_in_its_clip(&idle);
    vec![
        actor("Mixamo", hero, &["walk", "idle", "jump"]),
        actor("Mixamo by Blender", read("characters/mixamo_like_blender.glb"), &[]),
        actor("KayKit", read("gltf/Knight.glb"), &["Running_A", "1H_Melee_Attack_Chop", "2H_Melee_Attack_Chop"]),
        actor("Quaternius", read("characters/quaternius_man.fbx"), &["Man_Walk", "Man_Punch"]),
        actor("VRM 0", read("characters/godette.vrm"), &[]),
        actor("VRM with other names", declared(&bare, &SOCIAL), &[]),
        actor("the same, not declared", renamed(&bare, &SOCIAL.map(|(old, new, _)| (old, new))), &[]),
        actor("VRM 1", declared(&long, &VROID), &[]),
        actor("Kenney, short legs", stout, &[]),
        actor("Unreal, A-pose", unreal, &[]),
        actor("Rigify", rigify, &[]),
        actor("ReadyPlayerMe, arms down", hanging, &[]),
        actor("library in its first frame", idle, &["idle"]),
        actor("Cesium Man", read("gltf/CesiumMan.glb"), &[]),
        actor("Rigged Figure", read("gltf/RiggedFigure.glb"), &[]),
        actor("knight of the demo", model(&root().join("data/demo.wad")), &["run", "crouch"]),
    ]
}

/// Every fourth pair of characters: each gets clips, and each that has some gives them. With `KEYPOSE_LONG=1` all, which prints the table of
/// docs/retargeting.md with `--nocapture`.
#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn any_clip_looks_the_same_on_any_character() {
    let actors = actors();
    let step = if std::env::var_os("KEYPOSE_LONG").is_some() { 1 } else { 4 };
    let (mut met, mut pairs, mut givers) = (0_usize, 0, BTreeSet::new());
    for target in &actors {
        let (mut all, earlier) = (Likeness::default(), pairs);
        for source in actors.iter().filter(|source| source.name != target.name && !source.clips.is_empty()) {
            met += 1;
            if !met.is_multiple_of(step) {
                continue;
            }
            let mut library = source.model.clone();
            library.clips.retain(|slot| source.clips.contains(&slot.clip.name.as_str()));
            assert_eq!(library.clips.len(), source.clips.len(), "{}", source.name);
            all = all.or_worse(&worst(&library, (target.name, &target.model)));
            pairs += library.clips.len();
            givers.insert(source.name);
        }
        assert!(pairs > earlier, "{} gets nothing", target.name);
        let parts = [all.hips, all.sole, all.travel, all.slide, all.arms, all.hands];
        let parts = parts.map(|part| format!("{:.1}", part * 100.0)).join(" | ");
        println!("| {} | {:.1} | {:.1} | {:.1} | {parts} |", target.name, all.mean_angle, all.worst_angle, all.up);
    }
    assert!(actors.len() >= 16 && pairs >= 140 / step, "{pairs}");
    assert_eq!(givers.len(), actors.iter().filter(|actor| !actor.clips.is_empty()).count());
}

/// Two animals whose bones have the same names, other axes and other lengths.
#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn an_animal_moves_as_another_one() {
    let fox = model(&models::larger().join("gltf/Fox.glb"));
    let wolf = with_axes(&with_lengths(&fox, &[("", 1.4)]), mixed_axes);
    let found = clips_for(&wolf, &fox, Fit::default()).unwrap();
    for (before, after) in fox.clips.iter().zip(&found.clips) {
        for secs in [0.0, 0.21, 0.5] {
            let [from, to] = [(&fox, &*before.clip), (&wolf, after)].map(|(model, clip)| places(model, clip, secs));
            let size = from.iter().map(|place| place.length()).fold(0.0, f32::max);
            for (from, to) in from.iter().zip(&to) {
                assert!((*from * 1.4).distance(*to) < 2e-3 * size, "{} at {secs}: {from} {to}", after.name);
            }
        }
    }
}

/// The character with skins for one bone first, and others without it.
fn with_skin_for(model: &Model, bone: &str) -> Model {
    let bone = model.skeleton.find(bone).unwrap();
    let of = |skin: &Arc<Skin>, is_part: bool| {
        let joints = skin.joints.iter().copied().zip(skin.inverse_binds.iter().copied());
        let (joints, inverse_binds) = joints.filter(|(joint, _)| (*joint == bone) == is_part).unzip();
        Arc::new(Skin { joints, inverse_binds, ..(**skin).clone() })
    };
    let parts = model.skins.iter().map(|skin| of(skin, true));
    let others = model.skins.iter().map(|skin| of(skin, false));
    Model { skins: parts.chain(others).collect(), ..model.clone() }
}

/// Nodes of files rest in frames of clips: clips come out as from a character who stands.
#[test]
fn how_a_file_rests_changes_no_clip() {
    let knight = model(&root().join("data/demo.wad"));
    let hero = with_axes(&model(&models::own().join("models/fbx/hero.fbx")), mixed_axes);
    let mut crouching = knight.clone();
    crouching.clips.retain(|slot| slot.clip.name == "crouch");
    let crouched = resting_in_its_clip(&crouching);
    let turned = {
        let mut pose = crouched.skeleton.rest_pose();
        let hips = usize::from(knight.skeleton.find("hips").unwrap());
        let rest = pose.get(hips);
        pose.set(hips, &Transform { rotation: Quat::from_rotation_y(2.0) * rest.rotation, ..rest });
        resting(&crouching, &pose)
    };
    // A mesh that is turned and placed beside the character, as unapplied transforms of other programs have it.
    let bound_elsewhere = {
        let by = Mat4::from_translation(Vec3::new(3.0, 0.0, 1.0)) * Mat4::from_rotation_y(FRAC_PI_2);
        let skins = crouched.skins.iter().map(|skin| {
            let inverse_binds = skin.inverse_binds.iter().map(|bind| *bind * by).collect();
            Arc::new(Skin { inverse_binds, ..(**skin).clone() })
        });
        Model { skins: skins.collect(), ..crouched.clone() }
    };
    let (hand, head) = (with_skin_for(&crouched, "hand.L"), with_skin_for(&crouched, "head"));
    let sources = [
        ("a skin for a hand", &hand, &crouching, 0.002),
        ("a skin for the head", &head, &crouching, 0.002),
        ("crouched", &crouched, &crouching, 0.002),
        ("turned", &turned, &crouching, 0.002),
        ("bound elsewhere", &bound_elsewhere, &crouching, 0.002),
    ];
    for (name, library, same, limit) in sources {
        let [found, expected] = [library, same].map(|library| clips_for(&hero, library, Fit::default()).unwrap());
        assert_near((name, limit), (&hero, &found.clips[0]), (&hero, &expected.clips[0]));
    }
    let own = Model { skins: Vec::new(), meshes: Vec::new(), ..crouched.clone() };
    let found = clips_for(&crouched, &own, Fit::default()).unwrap();
    assert_near(("onto himself", 1e-5), (&crouched, &found.clips[0]), (&crouched, &crouched.clips[0].clip));
    let walk = model(&models::own().join("models/fbx/walk.fbx"));
    let [expected, found] = [&knight, &crouched].map(|target| clips_for(target, &walk, Fit::default()).unwrap());
    assert_near(("onto one who crouches", 0.002), (&crouched, &found.clips[0]), (&knight, &expected.clips[0]));
}

/// The character beside the origin, where it is bound, too.
fn moved(model: &Model, by: Vec3) -> Model {
    let mut pose = model.skeleton.rest_pose();
    let root = pose.get(0);
    pose.set(0, &Transform { translation: root.translation + by, ..root });
    let skin = |skin: &Arc<Skin>| {
        let inverse_binds = skin.inverse_binds.iter().map(|bind| *bind * Mat4::from_translation(-by)).collect();
        Arc::new(Skin { inverse_binds, ..(**skin).clone() })
    };
    Model { skins: model.skins.iter().map(skin).collect(), ..resting(model, &pose) }
}

/// Nodes may rest where a clip ends, far from where a character is bound and its clips begin.
#[test]
fn clips_play_where_those_of_the_character_begin() {
    let mut knight = moved(&model(&root().join("data/demo.wad")), Vec3::new(4.0, 0.0, 1.0));
    knight.clips.retain(|slot| slot.clip.name == "crouch");
    let mut pose = resting_in_its_clip(&knight).skeleton.rest_pose();
    let place = pose.get(0);
    let mut clip = Clip::clone(&knight.clips[0].clip);
    clip.keyframes.iter_mut().next().unwrap().set(Key::translation(0, place.translation));
    knight.clips[0].clip = Arc::new(clip);
    pose.set(0, &Transform { translation: place.translation + 2.0 * Vec3::Z, ..place });
    let gone = resting(&knight, &pose);
    let walk = model(&models::own().join("models/fbx/walk.fbx"));
    let [expected, found] = [&knight, &gone].map(|target| clips_for(target, &walk, Fit::default()).unwrap());
    assert_near(("onto one who rests elsewhere", 0.002), (&gone, &found.clips[0]), (&knight, &expected.clips[0]));
}

/// Files of the same rig whose nodes rest where a clip begins, and that begins turned.
#[test]
fn clips_of_the_same_rig_keep_their_heading() {
    let folder = models::own().join("models/fbx");
    let (mut hero, walk) = (model(&folder.join("hero.fbx")), model(&folder.join("walk.fbx")));
    let walk = clips_for(&hero, &walk, Fit::default()).unwrap().clips.remove(0);
    let turned = with_hips(&hero, &walk, (Quat::from_rotation_y(1.8), Vec3::ZERO));
    hero.clips = vec![ClipSlot { id: ClipId(1), clip: Arc::new(turned.clone()) }];
    let bound = resting_in_its_clip(&hero);
    let bare = Model { skins: Vec::new(), meshes: Vec::new(), ..bound.clone() };
    for (name, library) in [("with a skin", &bound), ("without one", &bare)] {
        let found = clips_for(&hero, library, Fit::default()).unwrap();
        assert_near((name, 1e-4), (&hero, &found.clips[0]), (&hero, &turned));
    }
}

/// The same motion below a bone of another rotation.
fn below_armature(model: &Model, turn: Quat) -> Model {
    let armature = Transform { rotation: turn, ..Transform::IDENTITY };
    let (mut bones, back) = (vec![Bone { name: "Armature".into(), parent: None, rest: armature }], turn.inverse());
    for bone in model.skeleton.bones() {
        let Transform { translation, rotation, .. } = bone.rest;
        let rest = Transform { translation: back * translation, rotation: back * rotation, ..bone.rest };
        bones.push(match bone.parent {
            Some(parent) => Bone { parent: Some(parent + 1), ..bone.clone() },
            None => Bone { parent: Some(0), rest, ..bone.clone() },
        });
    }
    let mut below = Model { skeleton: Arc::new(Skeleton::new(bones).unwrap()), ..model.clone() };
    for keyframe in below.clips.iter_mut().flat_map(|slot| Arc::make_mut(&mut slot.clip).keyframes.iter_mut()) {
        let key = |key: &Key| {
            let value = match key.channel {
                _ if model.skeleton.parent(key.bone).is_some() => key.value,
                Channel::Rotation => Vec4::from(back * Quat::from_vec4(key.value)),
                _ => (back * key.value.truncate()).extend(0.0),
            };
            Key { bone: key.bone + 1, value, ease: Ease::Linear, ..*key }
        };
        keyframe.keys = keyframe.keys.iter().map(key).collect();
    }
    below
}

/// Blender turns the armature of an FBX file, and that of a GLB file not.
#[test]
fn clips_of_the_same_rig_may_have_another_armature() {
    let folder = models::own().join("models/fbx");
    let (mut hero, walk) = (model(&folder.join("hero.fbx")), model(&folder.join("walk.fbx")));
    let walk = clips_for(&hero, &walk, Fit::default()).unwrap().clips.remove(0);
    hero.clips = vec![ClipSlot { id: ClipId(1), clip: Arc::new(walk) }];
    let hero = Model { skins: Vec::new(), meshes: Vec::new(), ..hero };
    let turns = [Quat::IDENTITY, Quat::from_rotation_x(-FRAC_PI_2), Quat::from_rotation_y(FRAC_PI_2)];
    for (from, to) in [(1, 0), (0, 1), (2, 0), (0, 2), (1, 1)] {
        let [library, target] = [from, to].map(|at: usize| below_armature(&hero, turns[at]));
        let found = clips_for(&target, &resting_in_its_clip(&library), Fit::default()).unwrap();
        let expected = &target.clips[0].clip;
        assert_near((&format!("{from} {to}"), 1e-3), (&target, &found.clips[0]), (&target, expected));
    }
}

/// A file of a clip alone, written while the body was ahead.
#[test]
fn a_file_that_rests_on_its_way_changes_no_clip() {
    let folder = models::own().join("models/fbx");
    let (mut hero, walk) = (model(&folder.join("hero.fbx")), model(&folder.join("walk.fbx")));
    let walk = clips_for(&hero, &walk, Fit::default()).unwrap().clips.remove(0);
    let hips = hero.skeleton.find("mixamorig:Hips").unwrap();
    let start = Track::of(&walk, hips, Channel::Translation).unwrap().sample(Time::ZERO).truncate();
    let walk = with_hips(&hero, &walk, (Quat::IDENTITY, -start.with_y(0.0)));
    hero.clips = vec![ClipSlot { id: ClipId(1), clip: Arc::new(walk) }];
    let begun = resting_in_its_clip(&Model { skins: Vec::new(), meshes: Vec::new(), ..hero.clone() });
    let mut pose = begun.skeleton.rest_pose();
    let mut ahead = pose.get(usize::from(hips));
    ahead.translation += Vec3::Z * ahead.translation.length();
    pose.set(usize::from(hips), &ahead);
    let target = with_axes(&Model { skins: Vec::new(), meshes: Vec::new(), ..hero }, mixed_axes);
    let [expected, found] = [&begun, &resting(&begun, &pose)]
        .map(|library| clips_for(&target, library, Fit::default()).unwrap().clips.remove(0));
    assert_near(("ahead", 0.03), (&target, &found), (&target, &expected));
}

/// The character with all bones along the x axis at rest, and its clips as they were.
fn along_x(model: &Model) -> Model {
    let skeleton = &model.skeleton;
    let (mut pose, mut turns) = (skeleton.rest_pose(), vec![Quat::IDENTITY; skeleton.len()]);
    for bone in skeleton.indices() {
        let at = usize::from(bone);
        let child = skeleton.children(bone).next().map(|child| skeleton.get(child).unwrap().rest.translation);
        let above = skeleton.parent(bone).map_or(Quat::IDENTITY, |parent| turns[usize::from(parent)]);
        turns[at] =
            child.and_then(|way| way.try_normalize()).map_or(above, |way| Quat::from_rotation_arc(way, Vec3::X));
        pose.set(at, &Transform { rotation: above.inverse() * turns[at], ..pose.get(at) });
    }
    let mut keyed = model.clone();
    for slot in &mut keyed.clips {
        let mut clip = (*slot.clip).clone();
        for (bone, rest) in skeleton.indices().zip(skeleton.bones()) {
            let first = clip.keyframes.iter_mut().next().unwrap();
            if first.key(bone, Channel::Rotation).is_none() {
                first.set(Key::rotation(bone, rest.rest.rotation));
            }
        }
        slot.clip = Arc::new(clip);
    }
    resting(&keyed, &pose)
}

/// Captures such as LaFAN1: a frame of the clip says how the character stands.
#[test]
fn a_library_may_rest_in_no_pose() {
    let hero = with_axes(&model(&models::own().join("models/fbx/hero.fbx")), mixed_axes);
    let knight = Model { skins: Vec::new(), meshes: Vec::new(), ..model(&root().join("data/demo.wad")) };
    let library = along_x(&knight);
    let [found, expected] = [&library, &knight].map(|library| clips_for(&hero, library, Fit::default()).unwrap());
    for name in ["walk", "idle", "run"] {
        let named = |found: &LibraryClips| found.clips.iter().find(|clip| clip.name == name).unwrap().clone();
        assert_near((name, 0.06), (&hero, &named(&found)), (&hero, &named(&expected)));
    }
}

/// Bones are at the same places in both clips, within a part of the character's size.
fn assert_near((name, limit): (&str, f32), (model, clip): (&Model, &Clip), expected: (&Model, &Clip)) {
    for step in 0..8 {
        let secs = clip.length().secs() * f64::from(step) / 8.0;
        let [is, should] = [places(model, clip, secs), places(expected.0, expected.1, secs)];
        let size = should.iter().map(|place| place.length()).fold(0.0, f32::max);
        for (bone, (is, should)) in model.skeleton.bones().iter().zip(is.iter().zip(&should)) {
            assert!(
                is.distance(*should) < limit * size,
                "{name}, {} at {secs}: {}, {is} {should}",
                clip.name,
                bone.name
            );
        }
    }
}

#[test]
#[cfg_attr(not(has_models), ignore = "needs the larger set of models: see KEYPOSE_MODELS")]
fn a_pair_that_needs_nothing_keeps_its_bits() {
    let folder = models::larger();
    let (hero, walk) = (model(&folder.join("mixamo/hero.fbx")), model(&folder.join("mixamo/walk.fbx")));
    let keys = |clip: &Clip| {
        let keys = clip.keyframes.iter().flat_map(|keyframe| keyframe.keys.iter());
        keys.map(|key| (key.channel, key.value, key.in_tangent, key.ease)).collect::<Vec<_>>()
    };
    for clips in [ClipFit::Copy, ClipFit::Retarget] {
        let found = clips_for(&hero, &walk, Fit { clips, ..Fit::default() }).unwrap();
        let own = &walk.clips[0].clip;
        assert_eq!(keys(&found.clips[0]).len(), keys(own).len());
        for (found, own) in found.clips[0].keyframes.iter().zip(&own.keyframes) {
            let value = |skeleton: &Model, bone: u16| skeleton.skeleton.get(bone).unwrap().name.clone();
            for key in &own.keys {
                let bone = hero.skeleton.find(&value(&walk, key.bone)).unwrap();
                assert_eq!(found.key(bone, key.channel).map(|key| key.value), Some(key.value));
            }
        }
    }
}

/// A person in BVH: depth, name and offset in metres of each joint.
const PERSON: &str = "0 Hips 0 0 0,1 Spine 0 .1 0,2 Chest 0 .15 0,3 Neck 0 .25 0,4 Head 0 .1 0,\
    3 LeftShoulder .05 .2 0,4 LeftArm .13 0 0,5 LeftForeArm .28 0 0,6 LeftHand .26 0 0,\
    3 RightShoulder -.05 .2 0,4 RightArm -.13 0 0,5 RightForeArm -.28 0 0,6 RightHand -.26 0 0,\
    1 LeftUpLeg .1 -.04 0,2 LeftLeg 0 -.42 0,3 LeftFoot 0 -.41 0,4 LeftToeBase 0 -.08 .14,\
    1 RightUpLeg -.1 -.04 0,2 RightLeg 0 -.42 0,3 RightFoot 0 -.41 0,4 RightToeBase 0 -.08 .14";

/// The end of a limb.
const END: &str = "End Site\n{\nOFFSET 0 1 0\n}\n";

/// How makers write motion capture: other names of the joints, the unit in metres, and the order of rotations.
struct Maker {
    name: &'static str,
    joints: &'static [(&'static str, &'static str)],
    unit: f64,
    order: &'static str,
}

const ROKOKO: [(&str, &str); 4] =
    [("UpLeg", "Thigh"), ("LeftLeg", "LeftShin"), ("RightLeg", "RightShin"), ("ToeBase", "Toe")];
const MAKERS: [Maker; 3] = [
    Maker { name: "CMU", joints: &[("Spine", "LowerBack"), ("Chest", "Spine")], unit: 0.0254 / 0.45, order: "ZYX" },
    Maker { name: "Mixamo", joints: &[("Chest", "Spine1")], unit: 0.01, order: "XYZ" },
    Maker { name: "Rokoko", joints: &ROKOKO, unit: 0.01, order: "YXZ" },
];

/// A walk on the spot, with arms that hang.
fn mocap(Maker { name: maker, joints, unit, order }: &Maker) -> String {
    let rotations: String = order.chars().map(|axis| format!(" {axis}rotation")).collect();
    let (mut text, mut depth) = ("HIERARCHY\n".to_owned(), 0);
    for line in PERSON.split(',') {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at: usize = words[0].parse().unwrap();
        if at > 0 && at <= depth {
            text.push_str(&format!("{END}{}", "}\n".repeat(depth + 1 - at)));
        }
        let renamed = joints.iter().find(|(old, _)| words[1].ends_with(old));
        let name = renamed.map_or(words[1].to_owned(), |(old, new)| words[1].replace(old, new));
        let prefix = if *maker == "Mixamo" { "mixamorig:" } else { "" };
        let kind = if at == 0 { "ROOT" } else { "JOINT" };
        let places = if at == 0 { "6 Xposition Yposition Zposition" } else { "3" };
        let offset: Vec<String> =
            words[2..].iter().map(|part| (part.parse::<f64>().unwrap() / unit).to_string()).collect();
        text.push_str(&format!(
            "{kind} {prefix}{name}\n{{\nOFFSET {}\nCHANNELS {places}{rotations}\n",
            offset.join(" ")
        ));
        depth = at;
    }
    text.push_str(&format!("{END}{}MOTION\nFrames: 25\nFrame Time: 0.0333333\n", "}\n".repeat(depth + 1)));
    for frame in 0..25 {
        let phase = f64::from(frame) / 24.0 * std::f64::consts::TAU;
        text.push_str(&format!("0 {} 0", 0.91 / unit));
        for line in PERSON.split(',') {
            let name = line.split_whitespace().nth(1).unwrap();
            let side = if name.starts_with("Left") { 1.0 } else { -1.0 };
            let (swing, lift) = (side * phase.sin(), side * phase.cos());
            let (x, z) = match name.trim_start_matches("Left").trim_start_matches("Right") {
                "Arm" => (20.0 * swing, -70.0 * side),
                "UpLeg" => (-25.0 * swing - 8.0, 0.0),
                "Leg" => (20.0 - 15.0 * lift, 0.0),
                _ => (0.0, 0.0),
            };
            let angle = |axis| {
                if axis == 'X' {
                    x
                } else if axis == 'Z' {
                    z
                } else {
                    0.0
                }
            };
            order.chars().for_each(|axis| text.push_str(&format!(" {:.4}", angle(axis))));
        }
        text.push('\n');
    }
    text
}

#[test]
fn motion_capture_of_any_maker_comes_onto_a_character() {
    let hero = model(&models::own().join("models/fbx/hero.fbx"));
    let knight = model(&root().join("data/demo.wad"));
    for maker in &MAKERS {
        let text = mocap(maker);
        let library = import("walk.bvh", text.as_bytes(), &mut |_| Err("no other files".into()));
        let library = library.unwrap_or_else(|error| panic!("{error}\n{text}")).model;
        for target in [&hero, &knight] {
            worst(&library, (maker.name, target));
        }
    }
}
