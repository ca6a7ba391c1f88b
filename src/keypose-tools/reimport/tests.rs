//! Tests of re-imports.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};

use super::*;
use crate::anim::clip::{Clip, Keyframe, LoopMode};
use crate::anim::ik::limit::Limit;
use crate::anim::key::{Channel, Key};
use crate::anim::pose::ModelPose;
use crate::anim::root_motion::RootMotion;
use crate::anim::scalar::{Scalar, ScalarKind, Sheet};
use crate::anim::skeleton::{Bone, BoneIndex, Skeleton};
use crate::anim::skin::Skin;
use crate::anim::time::Time;
use crate::anim::transform::Transform;
use crate::assets::combat::Contact;
use crate::assets::material::Material;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::{ClipSlot, Socket, Visibility};
use crate::assets::rig_notes::BoneGroup;
use crate::assets::saved_pose::{SavedBone, SavedPose};

/// A model of bones with names, parents and places relative to them. A clip keys some by name.
fn model(bones: &[(&str, Option<BoneIndex>, f32)], keyed: &[&str]) -> Model {
    let bone = |(name, parent, up): &(&str, Option<BoneIndex>, f32)| Bone {
        name: (*name).into(),
        parent: *parent,
        rest: Transform::from_translation(Vec3::Y * *up),
    };
    let skeleton = Skeleton::new(bones.iter().map(bone).collect()).unwrap();
    let mut keys: Vec<Key> = keyed.iter().map(|name| key(skeleton.find(name).unwrap())).collect();
    keys.sort_by_key(Key::address);
    let clip = Clip {
        keyframes: vec![Keyframe { duration: Time::SECOND, keys: keys.into(), ..Keyframe::default() }].into(),
        ..Clip::new("walk")
    };
    let joints: Vec<BoneIndex> = skeleton.indices().collect();
    let skin = Skin { name: "skin".into(), inverse_binds: vec![Mat4::IDENTITY; joints.len()], joints };
    Model {
        name: "hero".into(),
        source: Arc::new(Source { bone_nodes: vec![None; bones.len()], ..Source::default() }),
        skeleton: Arc::new(skeleton),
        skins: vec![Arc::new(skin)],
        clips: vec![ClipSlot { id: ClipId(7), clip: Arc::new(clip) }],
        ..Model::default()
    }
}

/// A turn that says which bone it was made for.
fn key(bone: BoneIndex) -> Key {
    Key::rotation(bone, Quat::from_rotation_x(0.1 * f32::from(bone + 1)))
}

fn lines(done: &Reimport) -> Vec<String> {
    done.table.iter().map(Row::to_string).collect()
}

/// The names of the keyed bones of the first clip, with the bones that their keys were made for.
fn keyed(model: &Model) -> Vec<(String, BoneIndex)> {
    let keys = model.clips[0].clip.keyframes[0].keys.iter();
    let made_for = |value| (0..20).find(|bone| key(*bone).value == value).unwrap();
    keys.map(|key| (model.skeleton.get(key.bone).unwrap().name.clone(), made_for(key.value))).collect()
}

fn pairs(pairs: &[(&str, BoneIndex)]) -> Vec<(String, BoneIndex)> {
    pairs.iter().map(|(name, bone)| ((*name).to_owned(), *bone)).collect()
}

#[test]
fn the_same_model_changes_nothing() {
    let before = model(&[("root", None, 0.0), ("arm", Some(0), 1.0)], &["arm"]);
    let done = reimport(&before, &before, SameClips::Keep).unwrap();
    assert_eq!((done.table.len(), &done.model), (0, &before));
    assert_eq!(summary(&done.table), "the same bones, meshes and clips");
}

#[test]
fn renamed_chains_are_found_by_place_and_new_bones_are_listed() {
    let before = model(&[("root", None, 0.0), ("arm", Some(0), 1.0), ("hand", Some(1), 1.0)], &["arm", "hand"]);
    let bones = [("root", None, 0.0), ("cape", Some(0), 2.0), ("Arm_L", Some(0), 1.0), ("Hand_L", Some(2), 1.0)];
    let mut before = before;
    before.rig.groups =
        vec![BoneGroup { name: "arms".into(), color: [0; 3], bones: vec!["arm".into(), "hand".into()] }].into();
    let changed = Model { clips: Vec::new(), ..model(&bones, &[]) };
    let done = reimport(&before, &changed, SameClips::Keep).unwrap();
    let expected =
        ["bone arm: renamed to Arm_L (same place)", "bone hand: renamed to Hand_L (same place)", "bone cape: new"];
    assert_eq!(lines(&done), expected);
    assert_eq!(keyed(&done.model), pairs(&[("Arm_L", 1), ("Hand_L", 2)]));
    assert_eq!(done.model.rig.groups[0].bones, ["Arm_L", "Hand_L"]);
    assert_eq!(summary(&done.table), "2 bones renamed, 1 bone new");
}

#[test]
fn bones_that_are_gone_stay_if_anything_uses_them() {
    let bones = [("root", None, 0.0), ("belt", Some(0), 1.0), ("tail", Some(0), 3.0), ("pouch", Some(1), 0.5)];
    let mut before = model(&bones, &["root"]);
    before.sockets.push(Socket {
        name: "key".into(),
        bone: 3,
        transform: Transform::IDENTITY,
        attached: String::new(),
    });
    let changed = model(&[("root", None, 0.0), ("leg", Some(0), -1.0), ("foot", Some(1), -1.0)], &["root"]);
    let done = reimport(&before, &changed, SameClips::Keep).unwrap();
    let expected = [
        "bone belt: gone from the file; kept, because of bones below it",
        "bone tail: gone",
        "bone pouch: gone from the file; kept, because of socket key",
        "bone leg: new",
        "bone foot: new",
    ];
    assert_eq!(lines(&done), expected);
    let names: Vec<&str> = done.model.skeleton.bones().iter().map(|bone| bone.name.as_str()).collect();
    assert_eq!(names, ["root", "leg", "belt", "foot", "pouch"]);
    assert_eq!(done.model.sockets[0].bone, 4);
    assert_eq!(done.model.skins[0].joints, [0, 1, 3]);
}

#[test]
fn clips_stay_unless_they_are_to_be_replaced_and_new_ones_come_in() {
    let bones = [("root", None, 0.0), ("arm", Some(0), 1.0)];
    let mut before = model(&bones, &["root"]);
    Arc::make_mut(&mut before.clips[0].clip).root_motion = RootMotion::Turn;
    let mut changed = model(&bones, &["root", "arm"]);
    let swim = ClipSlot { id: ClipId(1), clip: Arc::new(Clip::new("swim")) };
    changed.clips.push(swim);
    let kept = reimport(&before, &changed, SameClips::Keep).unwrap();
    assert_eq!(lines(&kept), ["clip walk: the one of the file differs; yours is kept", "clip swim: new"]);
    assert_eq!(keyed(&kept.model), pairs(&[("root", 0)]));
    let replaced = reimport(&before, &changed, SameClips::Replace).unwrap();
    assert_eq!(lines(&replaced)[0], "clip walk: replaced by the one of the file");
    assert_eq!(keyed(&replaced.model), pairs(&[("root", 0), ("arm", 1)]));
    assert_eq!(replaced.model.clips[0].clip.root_motion, RootMotion::Turn);
    let ids: Vec<u32> = replaced.model.clips.iter().map(|slot| slot.id.0).collect();
    assert_eq!(ids, [7, 1]);
}

#[test]
fn a_new_clip_comes_with_its_tags_and_lanes() {
    let bones = [("root", None, 0.0), ("arm", Some(0), 1.0)];
    let mut project = Project::default();
    project.add_model(model(&bones, &["root"]));
    let mut changed = model(&bones, &["root"]);
    changed.clips.insert(0, ClipSlot { id: ClipId(9), clip: Arc::new(Clip::new("swim")) });
    changed.note(ClipId(9), |notes| notes.tags = vec!["water".into()]);
    let contact = Contact { bone: "arm".into(), ..Contact::default() };
    changed.combat_mut().set_lanes(ClipId(9), Lanes { contacts: vec![contact], ..Lanes::default() });
    let done = reimport(&project.models[0], &changed, SameClips::Keep).unwrap();
    put(&mut project, 0, done.model);
    let (model, swim) = (&project.models[0], project.models[0].clips[1].id);
    assert_ne!(swim, model.clips[0].id);
    assert_eq!(model.clip_notes[&swim].tags, ["water"]);
    assert_eq!(model.combat.lanes_of(swim).contacts[0].bone, "arm");
}

#[test]
fn keys_follow_weights_by_name_and_properties_stay() {
    let bones = [("root", None, 0.0), ("head", Some(0), 1.0)];
    let weight = |name: &str| Scalar { name: name.into(), bone: 1, kind: ScalarKind::Weight, default: 0.0 };
    let with = |model: Model, scalars: Vec<Scalar>| Model {
        skeleton: Arc::new((*model.skeleton).clone().with_scalars(scalars).unwrap()),
        ..model
    };
    let glow = Scalar { kind: ScalarKind::Property, bone: 0, ..weight("glow") };
    let mut before = with(model(&bones, &[]), vec![weight("smile"), weight("old"), weight("unused"), glow]);
    let keys = [Key::scalar(0, 3, 0.1), Key::scalar(1, 0, 0.2), Key::scalar(1, 1, 0.3)];
    Arc::make_mut(&mut before.clips[0].clip).keyframes[0].keys = keys.into();
    let mut changed = with(model(&bones, &[]), vec![weight("frown"), weight("smile")]);
    changed.clips.clear();
    let done = reimport(&before, &changed, SameClips::Keep).unwrap().model;
    let names: Vec<&str> = done.skeleton.scalars().iter().map(|scalar| scalar.name.as_str()).collect();
    assert_eq!(names, ["frown", "smile", "old", "glow"]);
    let keys = done.clips[0].clip.keyframes[0].keys.iter();
    let keyed: Vec<(&str, f32)> = keys.map(|key| (done.skeleton.channel_name(key.channel), key.value.x)).collect();
    assert_eq!(keyed, [("glow", 0.1), ("smile", 0.2), ("old", 0.3)]);
    assert!(done.check().is_ok());
}

#[test]
fn another_model_is_refused() {
    let before = model(&[("root", None, 0.0), ("arm", Some(0), 1.0)], &[]);
    let other = model(&[("wheel", None, 5.0), ("axle", Some(0), 1.0)], &[]);
    assert_eq!(
        reimport(&before, &other, SameClips::Keep).unwrap_err(),
        "hero has no bone of hero: it is another model"
    );
}

#[test]
fn keys_of_positions_follow_the_length_of_their_bone() {
    let mut before = model(&[("root", None, 0.0), ("arm", Some(0), 1.0), ("hand", Some(1), 0.5)], &[]);
    let keys = vec![Key::translation(1, Vec3::new(0.1, 1.0, 0.0)), Key::translation(2, Vec3::Y * 0.5)];
    let keyframes = vec![Keyframe { duration: Time::SECOND, keys: keys.into(), ..Keyframe::default() }].into();
    before.clips[0].clip = Arc::new(Clip { keyframes, ..Clip::new("walk") });
    let bone = |name: &str, translation: Vec3| SavedBone {
        bone: name.into(),
        translation: Some(translation),
        rotation: None,
        scale: None,
        scalars: Vec::new(),
    };
    let bones = vec![bone("arm", Vec3::new(0.1, 1.0, 0.0)), bone("tail", Vec3::X)];
    before.poses = vec![Arc::new(SavedPose { name: "high".into(), bones })].into();
    let changed = model(&[("root", None, 0.0), ("arm", Some(0), 1.5), ("hand", Some(1), 0.5)], &[]);
    let done = reimport(&before, &Model { clips: Vec::new(), ..changed }, SameClips::Keep).unwrap();
    let saved: Vec<Vec3> = done.model.poses[0].bones.iter().filter_map(|bone| bone.translation).collect();
    assert!(saved[0].distance(Vec3::new(0.15, 1.5, 0.0)) < 1e-6 && saved[1] == Vec3::X, "{saved:?}");
    let values: Vec<Vec3> = done.model.clips[0].clip.keyframes[0].keys.iter().map(|key| key.value.truncate()).collect();
    assert!(values[0].distance(Vec3::new(0.15, 1.5, 0.0)) < 1e-6, "{values:?}");
    assert_eq!(values[1], Vec3::Y * 0.5);
    assert_eq!(lines(&done), ["bone arm: 150 % of its length; keys of its positions follow"]);
    assert_eq!(summary(&done.table), "1 bone of another length");
}

/// The model with a skin that is bound where it rests.
fn bound(mut model: Model) -> Model {
    let rest = model.skeleton.rest_model_pose();
    let joints: Vec<BoneIndex> = model.skeleton.indices().collect();
    let inverse_binds = joints.iter().map(|bone| rest.get(*bone).to_mat4().inverse()).collect();
    model.skins = vec![Arc::new(Skin { name: "skin".into(), joints, inverse_binds })];
    model
}

#[test]
fn a_file_that_rests_in_a_frame_of_a_clip_changes_no_keys() {
    let with_root = [("root", None, 0.0), ("hips", Some(0), 1.0), ("leg", Some(1), -0.5)];
    let topmost_hips = [("hips", None, 1.0), ("leg", Some(0), -0.5)];
    for bones in [&with_root[..], &topmost_hips[..]] {
        let mut before = bound(model(bones, &["leg"]));
        let (hips, leg) = (before.skeleton.find("hips").unwrap(), before.skeleton.find("leg").unwrap());
        let keyframe = &mut Arc::make_mut(&mut before.clips[0].clip).keyframes[0];
        keyframe.set(Key::translation(hips, Vec3::new(0.0, 0.9, 2.0)));
        keyframe.set(Key::translation(leg, Vec3::Y * -0.5));
        let in_a_frame = |model: Model| {
            let mut rests = model.skeleton.bones().to_vec();
            let turned = Transform::from_rotation(Quat::from_rotation_x(0.3));
            rests[usize::from(hips)].rest = Transform { translation: Vec3::new(0.0, 0.6, 1.0), ..turned };
            rests[usize::from(leg)].rest.rotation = Quat::from_rotation_x(0.8);
            Model { skeleton: Arc::new(Skeleton::new(rests).unwrap()), clips: Vec::new(), ..model }
        };
        let done = reimport(&before, &in_a_frame(before.clone()), SameClips::Keep).unwrap();
        assert_eq!((lines(&done), &done.model.clips), (Vec::new(), &before.clips));
        let mut longer = bones.to_vec();
        longer[usize::from(leg)].2 = -0.75;
        let done = reimport(&before, &in_a_frame(bound(model(&longer, &[]))), SameClips::Keep).unwrap();
        assert_eq!(lines(&done)[0], "bone leg: 150 % of its length; keys of its positions follow");
    }
}

#[test]
fn a_root_at_the_same_place_alone_is_another_model() {
    let before = model(&[("root", None, 0.0), ("arm", Some(0), 1.0), ("hand", Some(1), 1.0)], &[]);
    let sword = model(&[("sword", None, 0.0)], &[]);
    assert!(reimport(&before, &sword, SameClips::Keep).is_err());
}

/// A model of a head with weights; the clip keys the first at the given value.
fn face(weights: &[&str]) -> Model {
    let mut model = model(&[("root", None, 0.0), ("head", Some(0), 1.0)], &["head"]);
    let weight = |name: &&str| Scalar { name: (*name).into(), bone: 1, kind: ScalarKind::Weight, default: 0.0 };
    let skeleton = (*model.skeleton).clone().with_scalars(weights.iter().map(weight).collect()).unwrap();
    model.skeleton = Arc::new(skeleton);
    model
}

/// The keys of weights of the first clip by name.
fn keyed_weights(model: &Model) -> Vec<(String, f32)> {
    let keys = model.clips[0].clip.keyframes[0].keys.iter();
    let of_weight = |key: &Key| Some((model.skeleton.scalar(key.channel.scalar()?)?.name.clone(), key.value.x));
    keys.filter_map(of_weight).collect()
}

#[test]
fn the_frames_of_a_renamed_material_follow() {
    let painted = |name: &str| {
        let mut painted = model(&[("root", None, 0.0)], &["root"]);
        let corner = |x: f32, y: f32| Vec3::new(x, y, 0.0);
        let (positions, normals) = (vec![corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)], vec![Vec3::Z; 3]);
        let (binding, indices, uvs, colors) = (Binding::Bone(0), vec![0, 1, 2], Vec::new(), Vec::new());
        let (influences, morphs, name_of_mesh) = (Vec::new(), Vec::new(), "head".to_owned());
        let mesh = Mesh {
            name: name_of_mesh,
            positions,
            normals,
            uvs,
            colors,
            indices,
            influences,
            morphs,
            material: 0,
            binding,
        };
        painted.meshes = vec![MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }];
        painted.materials = vec![Arc::new(Material { name: name.into(), ..Material::default() })];
        painted.source = Arc::new(Source { meshes: vec![None], ..Source::clone(&painted.source) });
        painted
    };
    let mut before = painted("face");
    let kind = ScalarKind::Frame(Sheet { columns: 2, rows: 1 });
    let frame = Scalar { name: Scalar::frame_name("face"), bone: 0, kind, default: 0.0 };
    before.skeleton = Arc::new(before.skeleton.as_ref().clone().with_scalars(vec![frame]).unwrap());
    let done = reimport(&before, &painted("visage"), SameClips::Keep).unwrap();
    assert_eq!(lines(&done), ["material face: renamed to visage (of the same mesh)"]);
    assert_eq!(done.model.skeleton.scalars()[0].material(), Some("visage"));
}

#[test]
fn weights_that_are_renamed_new_or_gone_are_rows() {
    let mut before = face(&["smile", "Brow Up", "wink"]);
    let keys = [Key::scalar(1, 0, 0.5), Key::scalar(1, 1, 0.25)];
    keys.iter().for_each(|key| Arc::make_mut(&mut before.clips[0].clip).keyframes[0].set(*key));
    let bone = SavedBone {
        bone: "head".into(),
        translation: None,
        rotation: None,
        scale: None,
        scalars: vec![("Brow Up".into(), 1.0), ("smile".into(), 0.5)],
    };
    before.poses = vec![Arc::new(SavedPose { name: "up".into(), bones: vec![bone] })].into();
    // The third has another name at the same place among as many, the second another way of writing.
    let changed = Model { clips: Vec::new(), ..face(&["smile", "brow_up", "blink"]) };
    let done = reimport(&before, &changed, SameClips::Keep).unwrap();
    let expected =
        ["weight Brow Up: renamed to brow_up (same name without prefix)", "weight wink: renamed to blink (same place)"];
    assert_eq!(lines(&done), expected);
    assert_eq!(summary(&done.table), "2 weights renamed");
    assert_eq!(keyed_weights(&done.model), [("smile".to_owned(), 0.5), ("brow_up".to_owned(), 0.25)]);
    let values: Vec<&str> = done.model.poses[0].bones[0].scalars.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(values, ["brow_up", "smile"]);
    // If the numbers differ, places are meaningless: keyed weights stay, others go.
    let changed = Model { clips: Vec::new(), ..face(&["smile", "jaw"]) };
    let done = reimport(&before, &changed, SameClips::Keep).unwrap();
    let expected =
        ["weight Brow Up: gone from the file; kept, because of its keys", "weight wink: gone", "weight jaw: new"];
    assert_eq!(lines(&done), expected);
    assert_eq!(keyed_weights(&done.model), [("smile".to_owned(), 0.5), ("Brow Up".to_owned(), 0.25)]);
}

#[test]
fn a_bone_with_another_parent_moves_with_it_as_it_did_with_the_one_before() {
    let bones = |parent, up| {
        [("root", None, 0.0), ("chest", Some(0), 1.0), ("head", Some(1), 0.5), ("plume", Some(parent), up)]
    };
    let mut before = model(&bones(2, 0.25), &[]);
    let keys = vec![Key::translation(3, Vec3::new(0.0, 0.75, 0.0)), Key::rotation(3, Quat::from_rotation_z(0.3))];
    before.clips[0].clip = Arc::new(Clip {
        keyframes: vec![Keyframe { duration: Time::SECOND, keys: keys.into(), ..Keyframe::default() }].into(),
        ..Clip::new("walk")
    });
    let done = reimport(&before, &model(&bones(1, 0.75), &[]), SameClips::Keep).unwrap();
    assert_eq!(lines(&done)[0], "bone plume: its parent is chest now; its keys follow");
    let keys = &done.model.clips[0].clip.keyframes[0].keys;
    // 0.5 above its rest in both.
    assert_eq!(keys[0].value.truncate(), Vec3::new(0.0, 1.25, 0.0));
    assert!(keys[1].value.abs_diff_eq(Quat::from_rotation_z(0.3).into(), 1e-6));
}

#[test]
fn bones_that_are_turned_at_rest_are_in_the_table() {
    let before = model(&[("root", None, 0.0), ("arm", Some(0), 1.0)], &["arm"]);
    let mut changed = model(&[("root", None, 0.0), ("arm", Some(0), 1.0)], &[]);
    let mut bones = changed.skeleton.bones().to_vec();
    bones[1].rest.rotation = Quat::from_rotation_x(0.5);
    changed.skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let done = reimport(&before, &changed, SameClips::Keep).unwrap();
    assert_eq!(lines(&done)[0], "bone arm: turned by 29° at rest; its keys keep their rotations");
}

#[test]
fn keys_stay_if_a_joint_was_moved_between_bones_that_lie_as_before() {
    let leg = [("root", None, 0.0), ("thigh", Some(0), 2.0), ("shin", Some(1), -1.0), ("foot", Some(2), -1.0)];
    let before = model(&leg, &["root", "thigh", "shin", "foot"]);
    let mut bones = before.skeleton.bones().to_vec();
    bones.iter_mut().zip([0.0, 0.1, -0.2, 0.1]).for_each(|(bone, x)| bone.rest.rotation = Quat::from_rotation_x(x));
    let skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let done = reimport(&before, &Model { skeleton, clips: Vec::new(), ..before.clone() }, SameClips::Keep).unwrap();
    assert_eq!(done.model.clips, before.clips);
}

#[test]
fn thousands_of_weights_are_found_by_place_only_where_there_are_as_many() {
    let with = |count: usize, prefix: &str| {
        let mut model = model(&[("root", None, 0.0)], &[]);
        let scalar = |at| Scalar { name: format!("{prefix}{at}"), bone: 0, kind: ScalarKind::Weight, default: 0.0 };
        let skeleton = Skeleton::clone(&model.skeleton).with_scalars((0..count).map(scalar).collect()).unwrap();
        model.skeleton = Arc::new(skeleton);
        model
    };
    let same = reimport(&with(4_000, "a"), &with(4_000, "b"), SameClips::Keep).unwrap();
    assert!(same.table.iter().all(|row| matches!(row.change, Change::Renamed(..))));
    let more = reimport(&with(4_000, "a"), &with(4_001, "b"), SameClips::Keep).unwrap();
    assert!(more.table.iter().all(|row| !matches!(row.change, Change::Renamed(..))));
}

/// A root and hips, perhaps under an armature of other units and axes. A clip moves them in the same way, and a socket is on the hips.
fn under(armature: Option<Transform>) -> Model {
    let Transform { rotation, scale, .. } = armature.unwrap_or_default();
    let (back, unit, root) = (rotation.inverse(), scale.x, BoneIndex::from(armature.is_some()));
    let bone = |name: &str, parent, rest| Bone { name: name.into(), parent, rest };
    let mut bones: Vec<Bone> = armature.map(|rest| bone("Armature", None, rest)).into_iter().collect();
    bones.push(bone("root", root.checked_sub(1), Transform::from_rotation(back)));
    bones.push(bone("hips", Some(root), Transform::from_translation(Vec3::Y / unit)));
    let keys = vec![
        Key::translation(root, back * Vec3::Z * 2.88 / unit),
        Key::rotation(root, back * Quat::from_rotation_y(0.5)),
        Key::new(root, Channel::Scale, Vec3::splat(1.2).extend(0.0)),
        Key::translation(root + 1, Vec3::Y * 1.1 / unit),
    ];
    let mut model = model(&[("root", None, 0.0), ("hips", Some(0), 1.0)], &[]);
    Arc::make_mut(&mut model.clips[0].clip).keyframes[0].keys = keys.into();
    let transform = Transform::from_translation(Vec3::X * 0.2 / unit);
    model.sockets = vec![Socket { name: "key".into(), bone: root + 1, transform, attached: String::new() }];
    model.source = Arc::new(Source { bone_nodes: vec![None; bones.len()], ..Source::default() });
    Model { skeleton: Arc::new(Skeleton::new(bones).unwrap()), ..model }
}

/// Where the clip brings the hips and their socket.
fn places(model: &Model) -> [Vec3; 2] {
    let (mut pose, mut posed) = (model.skeleton.rest_pose(), ModelPose::default());
    model.clips[0].clip.keyframes[0].keys.iter().for_each(|key| pose.put(key.bone, key.channel, key.value));
    posed.compute(&model.skeleton, &pose);
    let socket = &model.sockets[0];
    let hips = posed.get(socket.bone);
    [hips.translation(), hips.transform_point(socket.transform.translation)]
}

#[test]
fn a_model_moves_as_before_under_an_armature_of_other_units_and_axes() {
    let rotation = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let centimetres = Transform { rotation, scale: Vec3::splat(0.01), ..Transform::IDENTITY };
    let applied = Some(Transform::IDENTITY);
    for (before, changed) in [(Some(centimetres), applied), (applied, Some(centimetres)), (None, Some(centimetres))] {
        let (before, changed) = (under(before), under(changed));
        let done = reimport(&before, &changed, SameClips::Keep).unwrap();
        for (place, expected) in places(&done.model).into_iter().zip(places(&before)) {
            assert!(place.distance(expected) < 1e-4, "{place} {expected}");
        }
        assert!(lines(&done)[0].ends_with("its keys follow") || lines(&done)[1].ends_with("its keys follow"));
    }
    // A model that is a hundred times as large goes as many times as far.
    let large = Transform { scale: Vec3::ONE, ..centimetres };
    let (before, mut changed) = (under(Some(centimetres)), under(Some(centimetres)));
    let mut bones = changed.skeleton.bones().to_vec();
    bones[0].rest = large;
    changed.skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let done = reimport(&before, &changed, SameClips::Keep).unwrap();
    assert!(places(&done.model)[1].distance(places(&before)[1] * 100.0) < 1e-2);
}

#[test]
fn keys_poses_and_sockets_of_an_armature_follow_its_axes() {
    let rotation = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let centimetres = Transform { rotation, scale: Vec3::splat(0.01), ..Transform::IDENTITY };
    let mut before = under(Some(centimetres));
    // Only one of the clips turns the armature, as after an extraction of root motion.
    before.clips.push(ClipSlot { id: ClipId(8), ..before.clips[0].clone() });
    let turn = Key::rotation(0, Quat::from_rotation_y(0.4) * rotation);
    Arc::make_mut(&mut before.clips[1].clip).keyframes[0].set(turn);
    let bone = SavedBone {
        bone: "Armature".into(),
        translation: None,
        rotation: Some(rotation),
        scale: None,
        scalars: Vec::new(),
    };
    before.poses = vec![Arc::new(SavedPose { name: "rest".into(), bones: vec![bone] })].into();
    let transform = Transform::from_translation(Vec3::Z * 100.0);
    before.sockets.push(Socket { name: "above".into(), bone: 0, transform, attached: String::new() });
    let changed = Model { clips: Vec::new(), ..under(Some(Transform::IDENTITY)) };
    let done = reimport(&before, &changed, SameClips::Keep).unwrap();
    for clip in [0, 1] {
        let places = |model: &Model| places(&Model { clips: vec![model.clips[clip].clone()], ..model.clone() });
        for (place, expected) in places(&done.model).into_iter().zip(places(&before)) {
            assert!(place.distance(expected) < 1e-4, "clip {clip}: {place} {expected}");
        }
    }
    let saved = done.model.poses[0].bones[0].rotation.unwrap();
    assert!(saved.angle_between(Quat::IDENTITY) < 1e-2, "{saved}");
    let above = done.model.sockets[1].transform.translation;
    assert!(above.distance(Vec3::Y) < 1e-5, "{above}");
}

#[test]
fn joint_limits_under_an_armature_follow_its_axes() {
    let rotation = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let centimetres = Transform { rotation, scale: Vec3::splat(0.01), ..Transform::IDENTITY };
    let mut before = under(Some(centimetres));
    let turned = Key::rotation(0, rotation * Quat::from_rotation_y(0.4));
    Arc::make_mut(&mut before.clips[0].clip).keyframes[0].set(turned);
    let hinge = |zero: Quat| Limit { zero, axis: Vec3::Y, min: -0.5, max: 0.5, swing: None };
    let limits = [("Armature", hinge(rotation)), ("root", hinge(rotation.inverse() * Quat::from_rotation_y(0.1)))];
    before.rig.limits = limits.into_iter().map(|(bone, limit)| (bone.to_owned(), limit)).collect();
    let changed = Model { clips: Vec::new(), ..under(Some(Transform::IDENTITY)) };
    let done = reimport(&before, &changed, SameClips::Keep).unwrap().model;
    for (name, limit) in &done.rig.limits {
        let bone = done.skeleton.find(name).unwrap();
        let key = done.clips[0].clip.keyframes[0].key(bone, Channel::Rotation).unwrap();
        let rotation = Quat::from_vec4(key.value);
        let (about, excess) = (limit.angles(rotation).about, limit.excess(rotation));
        assert!((about - 0.4).abs() < 1e-3 && excess < 1e-3, "{name}: {about} {excess}");
    }
    assert_eq!(done.rig.limits.len(), 2);
}

#[test]
fn a_bone_that_is_gone_stays_where_it_was_under_an_armature_of_other_units_and_axes() {
    let rotation = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let centimetres = Transform { rotation, scale: Vec3::splat(0.01), ..Transform::IDENTITY };
    let applied = Some(Transform::IDENTITY);
    for (old, new) in [(Some(centimetres), applied), (applied, Some(centimetres)), (None, Some(centimetres))] {
        let (unit, changed) = (old.map_or(1.0, |old| old.scale.x), under(new));
        let hips = under(old).skeleton.find("hips").unwrap();
        for (at, parent) in [(hips + 1, hips), (hips, 0)] {
            let mut before = under(old);
            let mut bones = before.skeleton.bones().to_vec();
            let rest = Transform::from_translation(Vec3::X * 0.3 / unit);
            bones.insert(usize::from(at), Bone { name: "pouch".into(), parent: Some(parent), rest });
            before.skeleton = Arc::new(Skeleton::new(bones).unwrap());
            let clip = Arc::make_mut(&mut before.clips[0].clip);
            let keys = clip.keyframes[0].keys.iter();
            let keys = keys.map(|key| Key { bone: key.bone + BoneIndex::from(key.bone >= at), ..*key });
            let mut keys: Vec<Key> = keys.chain([Key::translation(at, Vec3::new(0.2, 0.1, 0.4) / unit)]).collect();
            keys.sort_by_key(Key::address);
            clip.keyframes[0].keys = keys.into();
            before.sockets[0].bone = at;
            let done = reimport(&before, &changed, SameClips::Keep).unwrap();
            for (place, expected) in places(&done.model).into_iter().zip(places(&before)) {
                assert!(place.distance(expected) < 1e-4, "below {parent}: {place} {expected}");
            }
        }
    }
}

#[test]
fn root_motion_is_that_of_the_first_bone_of_the_changed_model() {
    let mut before = model(&[("root", None, 0.0), ("arm", Some(0), 1.0)], &[]);
    let keyframe = |z: f32| {
        let keys = vec![Key::translation(0, Vec3::Z * z)];
        Keyframe { duration: Time::SECOND, keys: keys.into(), ..Keyframe::default() }
    };
    let keyframes = vec![keyframe(0.0), keyframe(2.0)].into();
    before.clips[0].clip = Arc::new(Clip { root_motion: RootMotion::Ground, keyframes, ..Clip::new("roll") });
    let changed = model(&[("Armature", None, 0.0), ("root", Some(0), 0.0), ("arm", Some(1), 1.0)], &[]);
    let done = reimport(&before, &Model { clips: Vec::new(), ..changed }, SameClips::Keep).unwrap();
    let keys = done.model.clips[0].clip.keyframes[1].keys.iter().map(|key| (key.bone, key.value.truncate()));
    assert_eq!(keys.collect::<Vec<_>>(), [(0, Vec3::Z * 2.0), (1, Vec3::ZERO)]);
}

#[test]
fn the_first_bone_stays_the_first_if_the_file_has_another_topmost_bone_before_it() {
    let before = model(&[("root", None, 0.0), ("prop", None, 2.0), ("arm", Some(0), 1.0)], &["root", "prop", "arm"]);
    let changed = model(&[("prop", None, 2.0), ("root", None, 0.0), ("arm", Some(1), 1.0)], &[]);
    let done = reimport(&before, &Model { clips: Vec::new(), ..changed }, SameClips::Keep).unwrap();
    assert_eq!(keyed(&done.model), pairs(&[("root", 0), ("prop", 1), ("arm", 2)]));
    assert_eq!(done.model.skeleton.bones()[0].name, "root");
    assert_eq!(done.model.skins[0].joints, [1, 0, 2]);
}

#[test]
fn a_clip_of_the_file_loops_as_yours_with_root_motion_in_the_first_bone() {
    let bones = [("Armature", None, 0.0), ("root", Some(0), 0.0), ("arm", Some(1), 1.0)];
    let with_way = |bone: BoneIndex, way: f32| {
        let keyframe = |z: f32| {
            let keys = vec![Key::translation(bone, Vec3::Z * z)];
            Keyframe { duration: Time::SECOND, keys: keys.into(), ..Keyframe::default() }
        };
        let keyframes = vec![keyframe(0.0), keyframe(way)].into();
        let mut made = model(&bones, &[]);
        made.clips[0].clip = Arc::new(Clip { keyframes, loop_mode: LoopMode::Loop, ..Clip::new("roll") });
        made
    };
    let mut before = with_way(0, 1.5);
    let clip = Arc::make_mut(&mut before.clips[0].clip);
    (clip.root_motion, clip.loop_mode) = (RootMotion::Ground, LoopMode::Once);
    let done = reimport(&before, &with_way(1, 2.0), SameClips::Replace).unwrap();
    let clip = &done.model.clips[0].clip;
    assert_eq!((clip.root_motion, clip.loop_mode), (RootMotion::Ground, LoopMode::Once));
    let keys = clip.keyframes[1].keys.iter().map(|key| (key.bone, key.value.truncate()));
    assert_eq!(keys.collect::<Vec<_>>(), [(0, Vec3::Z * 2.0), (1, Vec3::ZERO)]);
}
