//! A small skinned model, and what edits of its bones promise: meshes stay in place, clips look the same.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::{BoneEdit, NewBone, bind_heads, bones_with_other_places, clips_with_other_places, edited};
use crate::editor::ops::joint_limits::{Sides, with_limit};
use crate::editor::ops::pose::{model_pose, sample};
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::ik::limit::Limit;
use keypose::anim::key::Key;
use keypose::anim::skeleton::{Bone, BoneIndex, Skeleton};
use keypose::anim::skin::Skin;
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::anim::spring::Swing;
use keypose::anim::time::Time;
use keypose::anim::transform::Transform;
use keypose::assets::combat::Volume;
use keypose::assets::id::ClipId;
use keypose::assets::material::Material;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{ClipSlot, MeshSlot, Model, Socket, Visibility};
use keypose::assets::skinned_mesh::mesh_positions;
use keypose::assets::spring_notes::{Spring, SpringTip};
use keypose_tools::bind_pose::bind_pose;
use keypose_tools::joint_limits::BindJoints;
use keypose_tools::rig::vertex::{VertexRef, set_weights, weights_of, with_weight};

/// ```text
/// root ─ arm.L ─ hand.L
///      ─ leg.L
/// ```
fn model() -> Model {
    with_arm_of_scale(Vec3::ONE)
}

fn with_arm_of_scale(scale: Vec3) -> Model {
    let bone = |name: &str, parent, at: [f32; 3], turn: f32| Bone {
        name: name.into(),
        parent,
        rest: Transform { translation: Vec3::from(at), rotation: Quat::from_rotation_y(turn), scale: Vec3::ONE },
    };
    let mut bones = vec![
        bone("root", None, [0.0, 1.0, 0.0], 0.3),
        bone("arm.L", Some(0), [0.3, 0.4, 0.0], -0.5),
        bone("leg.L", Some(0), [0.1, -0.2, 0.0], 0.2),
        bone("hand.L", Some(1), [0.5, 0.0, 0.1], 0.4),
    ];
    bones[1].rest.scale = scale;
    let skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let rest = skeleton.rest_model_pose();
    let inverse_binds = rest.bones.iter().map(|bone| bone.to_mat4().inverse()).collect();
    let skin = Skin { name: "skin".into(), joints: vec![0, 1, 2, 3], inverse_binds };
    let vertices: u16 = 12;
    let positions = (0..vertices).map(|at| Vec3::new(f32::from(at) * 0.1, 1.2, f32::from(at % 3) * 0.1)).collect();
    let joints = (0..vertices).map(|at| [at % 4, (at + 1) % 4, 0, 0]).collect();
    let weights = vec![[0.75, 0.25, 0.0, 0.0]; usize::from(vertices)];
    let skinned = Mesh {
        positions,
        influences: vec![InfluenceSet { joints, weights }],
        indices: (0..u32::from(vertices)).collect(),
        ..Mesh::empty("body", Binding::Skin(0))
    };
    let rigid = Mesh {
        positions: vec![Vec3::X, Vec3::Y, Vec3::Z],
        normals: vec![Vec3::Y; 3],
        indices: vec![0, 1, 2],
        ..Mesh::empty("glove", Binding::Bone(3))
    };
    let slot = |mesh| MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown };
    let socket = Socket {
        name: "grip".into(),
        bone: 3,
        transform: Transform::from_translation(Vec3::Z),
        attached: String::new(),
    };
    let mut model = Model {
        name: "m".into(),
        skeleton,
        skins: vec![Arc::new(skin)],
        meshes: vec![slot(skinned), slot(rigid)],
        materials: vec![Arc::new(Material::default())],
        clips: vec![ClipSlot { id: ClipId(1), clip: Arc::new(clip()) }],
        sockets: vec![socket],
        ..Model::default()
    };
    model.combat_mut().hurt = vec![Volume::sphere("palm", "hand.L", Vec3::X * 0.1, 0.1)];
    model.check().unwrap();
    model
}

/// Every bone turns, and root, arm and hand move.
fn clip() -> Clip {
    let keyframe = |at: i64| {
        let turn = |bone: BoneIndex| {
            Key::rotation(bone, Quat::from_rotation_z(at as f32 * 0.4 + f32::from(bone)) * Quat::from_rotation_x(0.3))
        };
        let mut keyframe = Keyframe { duration: Time(1_000_000), ..Keyframe::default() };
        (0..4).for_each(|bone| keyframe.set(turn(bone)));
        keyframe.set(Key::translation(0, Vec3::new(at as f32, 1.0, 0.0)));
        keyframe.set(Key::translation(3, Vec3::new(0.5, at as f32 * 0.1, 0.1)));
        keyframe
    };
    Clip { keyframes: (0..4).map(keyframe).collect(), ..Clip::new("wave") }
}

/// The vertices of all meshes at a time of the clip, or at rest.
fn vertices(model: &Model, time: Option<Time>) -> Vec<Vec3> {
    let local = match time {
        Some(time) => sample(&model.clips[0].clip, &model.skeleton, time),
        None => model.skeleton.rest_pose(),
    };
    let pose = model_pose(&model.skeleton, &local);
    let (mut scratch, mut out, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for slot in &model.meshes {
        mesh_positions(model, &slot.mesh, &pose, &mut scratch, &mut out);
        all.append(&mut out);
    }
    all
}

fn assert_alike(before: &Model, after: &Model, times: &[Option<Time>], what: &str) {
    after.check().unwrap_or_else(|error| panic!("{what}: {error}"));
    for time in times {
        let (before, after) = (vertices(before, *time), vertices(after, *time));
        let largest = before.iter().zip(&after).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(largest < 1e-4 && before.len() == after.len(), "{what} at {time:?}: {largest}");
    }
}

fn bone(model: &Model, name: &str) -> BoneIndex {
    model.skeleton.find(name).unwrap_or_else(|| panic!("no {name}"))
}

fn new(name: &str, parent: Option<&str>, head: Vec3) -> NewBone {
    NewBone { name: name.into(), parent: parent.map(str::to_owned), head }
}

fn at_all_times() -> Vec<Option<Time>> {
    let times = (0..=40).map(|at| Some(Time(at * 100_000)));
    times.chain([None]).collect()
}

#[test]
fn clips_look_the_same_with_other_bones_names_and_parents() {
    let before = model();
    let (root, arm, leg, hand) = (0, 1, 2, 3);
    let chain = vec![new("cape", Some("root"), Vec3::new(0.0, 1.5, -0.2)), new("tip", Some("cape"), Vec3::Y)];
    let edits = [
        BoneEdit::Add(chain),
        BoneEdit::Add(vec![new("prop", None, Vec3::X)]),
        BoneEdit::Split { bone: arm, child: hand, parts: 3 },
        BoneEdit::Split { bone: root, child: leg, parts: 2 },
        BoneEdit::Mirror(vec![leg, arm, hand]),
        BoneEdit::Rename { bone: arm, name: "upper.L".into() },
    ];
    for edit in edits {
        let after = edited(&before, &edit).unwrap();
        assert_alike(&before, &after, &at_all_times(), &format!("{edit:?}"));
    }
}

#[test]
fn a_bone_with_another_parent_moves_as_before_at_every_keyframe() {
    let before = model();
    let keyframes: Vec<Option<Time>> = before.clips[0].clip.starts().map(Some).chain([None]).collect();
    for (bone, parent) in [(3, Some(2)), (3, Some(0)), (3, None), (1, None), (1, Some(2)), (2, Some(3))] {
        let after = edited(&before, &BoneEdit::Reparent { bones: vec![bone], parent }).unwrap();
        assert_alike(&before, &after, &keyframes, &format!("{bone} below {parent:?}"));
        let heads = |model: &Model| {
            let mut heads: Vec<_> = bind_heads(model)
                .into_iter()
                .zip(model.skeleton.bones())
                .map(|(at, bone)| (bone.name.clone(), at))
                .collect();
            heads.sort_by(|a, b| a.0.cmp(&b.0));
            heads
        };
        for (a, b) in heads(&before).into_iter().zip(heads(&after)) {
            assert!(a.0 == b.0 && a.1.distance(b.1) < 1e-5, "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_bone_that_leaves_a_mirrored_parent_moves_as_before() {
    let uneven = Vec3::new(3.0, 1.0, 1.0);
    let mirrors = [Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, 1.0, -1.0), Vec3::NEG_ONE, Vec3::new(2.0, -2.0, -2.0)];
    for scale in mirrors.into_iter().chain([uneven]) {
        let mut before = with_arm_of_scale(scale);
        for keyframe in Arc::make_mut(&mut before.clips[0].clip).keyframes.iter_mut() {
            let of_hand: Vec<Key> = keyframe.keys.iter().filter(|key| key.bone == 3).copied().collect();
            keyframe.keys = of_hand.into();
        }
        let reparent = |parent| BoneEdit::Reparent { bones: vec![3], parent };
        for edit in [reparent(Some(2)), reparent(None), BoneEdit::Delete(vec![1])] {
            let (after, what) = (edited(&before, &edit).unwrap(), format!("{edit:?} {scale}"));
            let (bones, hand) = (bones_with_other_places(&before, &after), ["hand.L".to_owned()]);
            if scale == uneven {
                // What can't stay is named.
                assert_eq!(bones, ["hand.L"], "{what}");
                assert_eq!(clips_with_other_places(&before, &after, &hand), ["wave"], "{what}");
                continue;
            }
            assert_alike(&before, &after, &at_all_times(), &what);
            assert!(bones.is_empty() && clips_with_other_places(&before, &after, &hand).is_empty(), "{what}");
        }
    }
}

/// Arms and legs of a body that is turned about y and stands somewhere, and places in its own space.
fn turned_body(degrees: f32, at: Vec3) -> (Model, impl Fn(f32, f32) -> Vec3) {
    let place = move |x: f32, y: f32| at + Quat::from_rotation_y(degrees.to_radians()) * Vec3::new(x, y, 0.0);
    let mut bones = vec![new("root", None, place(0.0, 1.0))];
    for (name, x, y) in [("arm", 0.2, 1.5), ("hand", 0.7, 1.6), ("leg", 0.1, 0.9), ("foot", 0.1, 0.1)] {
        bones.push(new(&format!("{name}.L"), Some("root"), place(x, y)));
        bones.push(new(&format!("{name}.R"), Some("root"), place(-x, y)));
    }
    (edited(&Model::default(), &BoneEdit::Add(bones)).unwrap(), place)
}

#[test]
fn the_other_side_is_mirrored_across_the_plane_of_the_body() {
    for (degrees, at) in [(0.0, 0.0), (90.0, 0.0), (30.0, 0.0), (0.0, 2.0), (-90.0, 3.0)] {
        let (model, place) = turned_body(degrees, Vec3::new(at, 0.0, at));
        let hand = bone(&model, "hand.L");
        let moved = edited(&model, &BoneEdit::Move(vec![(hand, place(0.9, 1.2))])).unwrap();
        let mirrored = edited(&moved, &BoneEdit::Mirror(vec![hand])).unwrap();
        let other = bind_heads(&mirrored)[usize::from(bone(&mirrored, "hand.R"))];
        assert!(other.distance(place(-0.9, 1.2)) < 1e-4, "{degrees}, {at}: {other}");
    }
}

#[test]
fn limits_are_mirrored_across_the_plane_of_the_body() {
    let of_other_side = |degrees: f32| {
        let (model, turn) = (turned_body(degrees, Vec3::ZERO).0, Quat::from_rotation_y(degrees.to_radians()));
        let arm = bone(&model, "arm.L");
        let limit = BindJoints::of(&model).hinge(arm, turn * Vec3::new(0.6, 0.0, 0.8), [-0.5, 1.0]);
        turn.inverse() * with_limit(&model, arm, Some(limit), Sides::Both).limits["arm.R"].axis
    };
    let straight = of_other_side(0.0);
    assert!(straight.distance(Vec3::new(0.6, 0.0, -0.8)) < 1e-5, "{straight}");
    assert!([30.0, 90.0].into_iter().all(|degrees| of_other_side(degrees).distance(straight) < 1e-5));
}

#[test]
fn a_joint_moves_without_its_mesh_and_its_children() {
    let before = model();
    let to = Vec3::new(0.2, 1.6, 0.3);
    let after = edited(&before, &BoneEdit::Move(vec![(1, to)])).unwrap();
    assert_alike(&before, &after, &[None], "moved");
    let (old, new) = (bind_heads(&before), bind_heads(&after));
    assert!(new[1].distance(to) < 1e-5 && new[3].distance(old[3]) < 1e-5, "{new:?}");
    let back = edited(&after, &BoneEdit::Move(vec![(1, old[1])])).unwrap();
    assert_alike(&before, &back, &at_all_times(), "moved and back");
}

#[test]
fn a_deleted_bone_leaves_its_mesh_and_the_keys_of_others() {
    let before = model();
    for gone in [vec!["hand.L"], vec!["arm.L"], vec!["arm.L", "hand.L"], vec!["root"], vec!["root", "arm.L", "leg.L"]] {
        let bones = gone.iter().map(|name| bone(&before, name)).collect();
        let after = edited(&before, &BoneEdit::Delete(bones)).unwrap();
        assert_alike(&before, &after, &[None], &format!("without {gone:?}"));
        assert_eq!(after.skeleton.len(), 4 - gone.len());
        for name in ["root", "arm.L", "leg.L", "hand.L"] {
            let count = |model: &Model| {
                let found = model.skeleton.find(name);
                let keys = model.clips[0].clip.keyframes.iter().flat_map(|keyframe| keyframe.keys.iter());
                keys.filter(|key| Some(key.bone) == found).count()
            };
            let expected = if gone.contains(&name) { 0 } else { count(&before) };
            assert_eq!(count(&after), expected, "{name} without {gone:?}");
        }
    }
    let all = edited(&before, &BoneEdit::Delete(vec![0, 1, 2, 3])).unwrap_err();
    assert!(all.contains("is the last bone"), "{all}");
}

#[test]
fn a_deleted_root_leaves_its_mesh_to_a_bone_below_it() {
    let before = edited(&model(), &BoneEdit::Add(vec![new("node", None, Vec3::ZERO)])).unwrap();
    let after = edited(&before, &BoneEdit::Delete(vec![bone(&before, "root")])).unwrap();
    assert_alike(&before, &after, &[None], "without root");
    assert!(!after.skins[0].joints.contains(&bone(&after, "node")));
}

#[test]
fn a_joint_keeps_its_limit_below_another_parent() {
    let limit = Limit { zero: Quat::from_rotation_x(0.3), axis: Vec3::Z, min: -0.5, max: 1.0, swing: Some(0.4) };
    let angles = |model: &Model| {
        let rest = model.skeleton.bones()[usize::from(bone(model, "hand.L"))].rest;
        model.rig.limits["hand.L"].angles(rest.rotation)
    };
    let reparent = |parent| BoneEdit::Reparent { bones: vec![3], parent };
    for mut before in [model(), with_arm_of_scale(Vec3::new(-1.0, 1.0, 1.0))] {
        before.rig.limits.insert("hand.L".into(), limit);
        for edit in [reparent(Some(2)), reparent(None), BoneEdit::Delete(vec![1])] {
            let (was, is) = (angles(&before), angles(&edited(&before, &edit).unwrap()));
            // A mirror turns the axis of the swing around.
            assert!((was.about - is.about).abs() < 1e-4 && (was.swing.w - is.swing.w).abs() < 1e-6, "{edit:?}: {is:?}");
        }
    }
}

#[test]
fn colliders_and_ends_of_springs_stay_in_place() {
    let mut before = model();
    let swing = Swing { stiffness: 1.0, drag: 0.2, gravity: Vec3::ZERO, radius: 0.0 };
    let spring = |tip| Spring { swing, tip, center: None, colliders: vec!["palm".into()] };
    let springs = &mut before.rig.springs;
    springs.colliders = vec![Volume { to: Vec3::Y, ..Volume::sphere("palm", "hand.L", Vec3::X * 0.1, 0.1) }];
    springs.bones.insert("arm.L".into(), spring(SpringTip::Bone("hand.L".into())));
    springs.bones.insert("hand.L".into(), spring(SpringTip::Point(Vec3::Z)));
    let places = |model: &Model| {
        let bind = bind_pose(model);
        let at = |name: &str, point| bind.get(bone(model, name)).to_mat4().transform_point3(point);
        let ends = model.rig.springs.bones.iter().filter_map(|(name, spring)| match spring.tip {
            SpringTip::Point(tip) if spring.colliders == ["palm"] => Some(at(name, tip)),
            SpringTip::Point(_) | SpringTip::Bone(_) => None,
        });
        let [collider] = &model.rig.springs.colliders[..] else { panic!("no collider") };
        let mut places: Vec<Vec3> = ends.collect();
        places.extend([collider.from, collider.to].map(|point| at(&collider.bone, point)));
        places
    };
    for edit in [BoneEdit::Move(vec![(3, Vec3::ONE)]), BoneEdit::Delete(vec![3])] {
        let (was, is) = (places(&before), places(&edited(&before, &edit).unwrap()));
        let is_same = was.len() == is.len() && was.iter().zip(&is).all(|(was, is)| was.distance(*is) < 1e-5);
        assert!(is_same, "{edit:?}: {was:?} {is:?}");
    }
}

#[test]
fn a_mesh_of_a_deleted_mirrored_bone_is_not_turned_inside_out() {
    let before = with_arm_of_scale(Vec3::new(-1.0, 1.0, 1.0));
    let after = edited(&before, &BoneEdit::Delete(vec![1, 3])).unwrap();
    assert_alike(&before, &after, &[None], "below the root");
    // The triangles of a mirrored bone are drawn the other way round.
    assert_eq!(after.meshes[1].mesh.indices, [0, 2, 1]);
}

#[test]
fn what_can_not_be_done_is_refused_with_a_reason() {
    let model = model();
    let cases = [
        (BoneEdit::Add(vec![new("arm.L", None, Vec3::ZERO)]), "the name \"arm.L\" is taken"),
        (BoneEdit::Add(vec![new(" ", None, Vec3::ZERO)]), "a name can't be empty"),
        (BoneEdit::Add(vec![new("a", Some("b"), Vec3::ZERO)]), "there is no bone b"),
        (BoneEdit::Add(vec![new("a", None, Vec3::NAN)]), "bone a: its position is not finite"),
        (BoneEdit::Split { bone: 0, child: 3, parts: 2 }, "hand.L is not a child of root"),
        (BoneEdit::Split { bone: 1, child: 3, parts: 1 }, "a bone is split into 2 to 64 parts"),
        (BoneEdit::Mirror(vec![0]), "root: its name has no side, such as arm.L"),
        (BoneEdit::Rename { bone: 1, name: "hand.L".into() }, "the name \"hand.L\" is taken"),
        (BoneEdit::Reparent { bones: vec![1], parent: Some(3) }, "hand.L is below arm.L, or the same bone"),
        (BoneEdit::Reparent { bones: vec![1], parent: Some(1) }, "arm.L is below arm.L, or the same bone"),
        (BoneEdit::Move(vec![(9, Vec3::ZERO)]), "there is no bone 9"),
        (BoneEdit::Delete(vec![9]), "there is no bone 9"),
    ];
    for (edit, reason) in cases {
        assert_eq!(edited(&model, &edit).unwrap_err(), reason, "{edit:?}");
    }
    let far = edited(&model, &BoneEdit::Add(vec![new("far", None, Vec3::splat(3e38))])).unwrap();
    let bone = far.skeleton.find("far").unwrap();
    let lost =
        edited(&far, &BoneEdit::Reparent { bones: vec![bone], parent: far.skeleton.find("hand.L") }).unwrap_err();
    assert_eq!(lost, "bone far: its new parent has a scale of 0, or a position is too large");
    let empty = Model::default();
    assert!(edited(&empty, &BoneEdit::Delete(vec![0])).is_err());
    assert_eq!(edited(&empty, &BoneEdit::Mirror(vec![])).unwrap(), empty);
    assert_eq!(edited(&empty, &BoneEdit::Add(vec![new("a", None, Vec3::X)])).unwrap().skeleton.len(), 1);
}

#[test]
fn a_thousand_bones_are_added_split_and_deleted() {
    let below = |at: usize| if at == 0 { None } else { Some(format!("b{}", at - 1)) };
    let bones = (0..1000).map(|at| NewBone { name: format!("b{at}"), parent: below(at), head: Vec3::Y * at as f32 });
    let long = edited(&Model::default(), &BoneEdit::Add(bones.collect())).unwrap();
    let split = edited(&long, &BoneEdit::Split { bone: 500, child: 501, parts: 64 }).unwrap();
    assert_eq!(split.skeleton.len(), 1063);
    let few = edited(&split, &BoneEdit::Delete((1..1063).collect())).unwrap();
    assert_eq!(few.skeleton.len(), 1);
    let names = (0..Skeleton::MAX_BONES).map(|at| new(&format!("c{at}"), None, Vec3::ZERO)).collect();
    assert!(edited(&few, &BoneEdit::Add(names)).unwrap_err().contains("the maximum is 4096"));
}

#[test]
fn a_weight_of_a_vertex_is_set_and_the_others_share_the_rest() {
    let mut model = model();
    // A second vertex at the same place, as at a seam.
    let mut mesh = Mesh::clone(&model.meshes[0].mesh);
    mesh.positions[5] = mesh.positions[2];
    model.meshes[0].mesh = Arc::new(mesh);
    let at = VertexRef { mesh: 0, vertex: 2 };
    assert_eq!(weights_of(&model, at), [(2, 0.75), (3, 0.25)]);
    let changed = set_weights(&model, at, &with_weight(&weights_of(&model, at), 0, 0.5)).unwrap();
    changed.check().unwrap();
    assert_eq!(weights_of(&changed, at), [(0, 0.5), (2, 0.375), (3, 0.125)]);
    assert_eq!(weights_of(&changed, VertexRef { vertex: 5, ..at }), weights_of(&changed, at));
    assert_eq!(weights_of(&changed, VertexRef { vertex: 3, ..at }), weights_of(&model, VertexRef { vertex: 3, ..at }));
    // A bone that the skin lacks gets a joint, and the mesh stays in place.
    let longer = edited(&model, &BoneEdit::Add(vec![new("tip", Some("hand.L"), Vec3::ONE)])).unwrap();
    let tip = bone(&longer, "tip");
    let bound = set_weights(&longer, at, &[(tip, 1.0)]).unwrap();
    assert_eq!(weights_of(&bound, at), [(tip, 1.0)]);
    assert_alike(&longer, &bound, &[None], "bound to a new joint");
    for weights in [vec![], vec![(0, f32::NAN)], vec![(0, -1.0), (1, 3.0)], vec![(99, 1.0)]] {
        assert!(set_weights(&model, at, &weights).is_err(), "{weights:?}");
    }
    assert!(set_weights(&model, VertexRef { mesh: 1, vertex: 0 }, &[(0, 1.0)]).is_err());
}
