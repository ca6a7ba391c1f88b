//! Tests of import options.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};

use super::*;
use crate::anim::clip::{Clip, Keyframe};
use crate::anim::key::Key;
use crate::anim::morph::MorphTarget;
use crate::anim::pose::ModelPose;
use crate::anim::skeleton::{Bone, Skeleton};
use crate::anim::skin::Skin;
use crate::anim::skin::cpu::InfluenceSet;
use crate::anim::time::FrameRate;
use crate::anim::time::Time;
use crate::anim::track::Track;
use crate::anim::transform::Transform;
use crate::assets::id::ClipId;
use crate::assets::import_options::axes::{Axes, Axis};
use crate::assets::import_options::{Chosen, Normals, matches, words_of};
use crate::assets::material::Material;
use crate::assets::mesh::{Binding, Mesh};
use crate::assets::model::{ClipSlot, MeshSlot, Visibility};
use crate::assets::skinned_mesh::mesh_positions;
use crate::assets::texture::Texture;

/// Two bones, the second rotating about x for a second; a skinned quad with five influences and a rigid triangle.
fn model() -> Model {
    let rest = Transform {
        translation: Vec3::new(0.5, 1.0, 0.0),
        rotation: Quat::from_rotation_z(0.3),
        scale: Vec3::splat(2.0),
    };
    let bones = ["root", "arm", "a", "b", "c"].iter().enumerate().map(|(at, name)| Bone {
        name: (*name).into(),
        parent: (at > 0).then_some(0),
        rest: if at == 0 { rest } else { Transform::from_translation(Vec3::new(0.0, at as f32, 0.0)) },
    });
    let keyframe = |at: i64| Keyframe {
        duration: if at < 20 { Time::SECOND / 20 } else { Time::ZERO },
        keys: vec![
            Key::translation(0, Vec3::new(0.1 * at as f32, 1.0, 0.0)),
            Key::rotation(0, Quat::from_rotation_y(0.05 * at as f32)),
            Key::rotation(1, Quat::from_rotation_x(0.1 * at as f32)),
        ]
        .into(),
        ..Keyframe::default()
    };
    let clip = |name: &str| ClipSlot {
        id: ClipId(1),
        clip: Arc::new(Clip { keyframes: (0..=20).map(keyframe).collect(), ..Clip::new(name) }),
    };
    let material = |name: &str, texture| Arc::new(Material { name: name.into(), texture, ..Material::default() });
    let texture = |name: &str| {
        Arc::new(Texture {
            name: name.into(),
            width: 1,
            height: 1,
            data: vec![0; 4].into(),
            source_format: "png".into(),
        })
    };
    Model {
        name: "hero".into(),
        skeleton: Arc::new(Skeleton::new(bones.collect()).unwrap()),
        skins: vec![Arc::new(Skin {
            name: "skin".into(),
            joints: vec![0, 1, 2, 3, 4],
            inverse_binds: vec![Mat4::from_translation(Vec3::new(0.0, -1.0, 0.25)); 5],
        })],
        meshes: vec![mesh("Sword", Binding::Bone(1), 0), mesh("Body", Binding::Skin(0), 1)],
        materials: vec![material("steel", Some(0)), material("skin", Some(1))],
        textures: vec![texture("steel"), texture("skin")],
        clips: vec![clip("walk"), clip("run")],
        ..Model::default()
    }
}

fn mesh(name: &str, binding: Binding, material: usize) -> MeshSlot {
    let set = |weights: [f32; 4], joints| InfluenceSet { joints: vec![joints; 5], weights: vec![weights; 5] };
    let influences = match binding {
        Binding::Skin(_) => vec![set([0.4, 0.3, 0.1, 0.1], [0, 1, 2, 3]), set([0.1, 0.0, 0.0, 0.0], [4, 0, 0, 0])],
        Binding::Bone(_) => Vec::new(),
    };
    // A roof of two sides, and a vertex of no triangle.
    let positions =
        [[0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [5.0; 3]].map(Vec3::from_array);
    let mesh = Mesh {
        name: name.into(),
        positions: positions.into(),
        normals: vec![Vec3::Z; 5],
        uvs: vec![],
        colors: (0..5).map(|at| [at; 4]).collect(),
        indices: vec![0, 1, 2, 1, 0, 3],
        influences,
        morphs: vec![],
        material,
        binding,
    };
    MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }
}

fn applied(options: &ImportOptions) -> (Model, Vec<String>) {
    let (model, findings) = apply(options, model());
    model.check().unwrap();
    (model, findings)
}

/// The vertices of all meshes in the world at some times of the first clip.
fn vertices(model: &Model) -> Vec<Vec3> {
    let (mut pose, mut palette, mut points, mut all) = (ModelPose::default(), Vec::new(), Vec::new(), Vec::new());
    for time in [0.0, 0.3, 1.0].map(Time::from_secs) {
        let mut local = model.skeleton.rest_pose();
        for track in Track::all_of(&model.clips[0].clip) {
            local.put(track.bone, track.channel, track.sample(time));
        }
        pose.compute(&model.skeleton, &local);
        for slot in &model.meshes {
            mesh_positions(model, &slot.mesh, &pose, &mut palette, &mut points);
            all.extend(points.iter().copied());
        }
    }
    all
}

#[test]
fn without_options_nothing_changes() {
    assert_eq!(applied(&ImportOptions::default()), (model(), vec![]));
    assert_eq!(ImportOptions::of_words(&[]), Ok(ImportOptions::default()));
}

#[test]
fn a_scaled_and_turned_model_moves_as_before() {
    let before = vertices(&model());
    for up in Axis::ALL {
        for forward in Axis::ALL.into_iter().filter(|forward| !forward.is_along(up)).map(Some).chain([None]) {
            let axes = Axes { up, forward };
            let options = ImportOptions { scale: 0.01, axes, ..ImportOptions::default() };
            let after = vertices(&applied(&options).0);
            for (before, after) in before.iter().zip(&after) {
                let expected = axes.rotation() * *before * 0.01;
                assert!(after.distance(expected) < 1e-6, "{axes:?}: {after} {expected}");
            }
        }
    }
    let z_up = Axes { up: Axis::Z, forward: None };
    let turned = [Vec3::Z, Vec3::NEG_Y, Vec3::X].map(|axis| (z_up.rotation() * axis).round());
    assert_eq!(turned, [Vec3::Y, Vec3::Z, Vec3::X]);
}

#[test]
fn meshes_and_clips_are_chosen_by_pattern() {
    let options = ImportOptions {
        meshes: Chosen { only: vec![], except: vec!["Sw*d".into()] },
        clips: Chosen { only: vec!["w?lk".into()], except: vec![] },
        ..ImportOptions::default()
    };
    let (model, findings) = applied(&options);
    let names = |all: Vec<&str>| all.join(" ");
    assert_eq!(names(model.meshes.iter().map(|slot| slot.mesh.name.as_str()).collect()), "Body");
    assert_eq!(names(model.clips.iter().map(|slot| slot.clip.name.as_str()).collect()), "walk");
    assert_eq!(names(model.materials.iter().map(|part| part.name.as_str()).collect()), "skin");
    assert_eq!((model.textures[0].name.as_str(), model.materials[0].texture), ("skin", Some(0)));
    assert_eq!(findings, ["1 of 2 meshes left out", "1 of 2 clips left out"]);
    let wrong = Chosen { only: vec!["Bod".into(), "*".into()], except: vec![] };
    let unmatched = unmatched(&ImportOptions { meshes: wrong, ..options }, &self::model());
    assert_eq!(
        unmatched.iter().map(|one| one.sentence.as_str()).collect::<Vec<_>>(),
        ["no mesh matches \"Bod\"; the meshes are: Sword, Body"]
    );
    for (pattern, name, is_match) in
        [("a*b*c", "axxbyybc", true), ("a*b", "a*b", true), ("*", "", true), ("?", "", false), ("a*b", "abc", false)]
    {
        assert_eq!(matches(pattern, name), is_match, "{pattern} {name}");
    }
    let mut chosen = Chosen::default();
    for (is_in, name) in [(false, "walk"), (true, "walk"), (false, "run*")] {
        chosen.toggle(name);
        assert_eq!((chosen.has(name), chosen.has("run")), (is_in, name != "run*"), "{name}");
    }
}

#[test]
fn the_strongest_influences_are_kept_and_sum_to_one() {
    for count in 1..=8 {
        let (model, findings) = applied(&ImportOptions { influences: count, ..ImportOptions::default() });
        let mesh = &model.meshes[1].mesh;
        let used = mesh.influences.iter().flat_map(|set| set.weights[0]).filter(|weight| *weight > 0.0).count();
        assert_eq!((used, mesh.influences.len()), (count.min(5), if count < 5 { 1 } else { 2 }));
        assert_eq!(findings.len(), usize::from(count < 5));
    }
    let (model, findings) = applied(&ImportOptions { influences: 1, ..ImportOptions::default() });
    assert_eq!(model.meshes[1].mesh.influences[0].weights[0], [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(
        findings,
        ["mesh Body: 5 vertices have more than 1 influences; the strongest are kept, at most 60.00 % lost"]
    );
}

#[test]
fn weak_influences_are_dropped_and_the_strongest_always_stays() {
    let with = |min_weight| {
        let mut model = model();
        let weights = &mut Arc::make_mut(&mut model.meshes[1].mesh).influences;
        (weights[0].weights[0], weights[1].weights[0]) = ([0.6, 0.3, 0.08, 0.012], [0.008, 0.0, 0.0, 0.0]);
        apply(&ImportOptions { min_weight, ..ImportOptions::default() }, model)
    };
    let (dropped, findings) = with(0.01);
    let mesh = &dropped.meshes[1].mesh;
    let kept: Vec<f32> = mesh.influences.iter().flat_map(|set| set.weights[0]).filter(|weight| *weight > 0.0).collect();
    assert_eq!(kept.len(), 4);
    assert!((kept.iter().sum::<f32>() - 1.0).abs() < 1e-6 && (kept[0] - 0.6 / 0.992).abs() < 1e-6, "{kept:?}");
    assert_eq!(
        findings,
        ["mesh Body: 1 vertices have weights below 0.01; these are dropped, at most 0.80 % of a vertex"]
    );
    let (strongest, _) = with(1.0);
    let sets = &strongest.meshes[1].mesh.influences;
    assert_eq!((sets.len(), sets[0].weights[0]), (1, [1.0, 0.0, 0.0, 0.0]), "one set is enough");
    assert!(with(0.0).1.is_empty());
}

#[test]
fn normals_are_smooth_up_to_an_angle_and_vertices_are_split_beyond() {
    let normals = |normals| applied(&ImportOptions { normals, ..ImportOptions::default() }).0.meshes[1].mesh.clone();
    assert!(normals(Normals::Flat).normals.is_empty());
    let smooth = normals(Normals::Smooth(180.0));
    assert_eq!((smooth.positions.len(), smooth.normals[0]), (5, Vec3::Y));
    // The sides of the roof are at 90°.
    assert_eq!(*normals(Normals::Smooth(91.0)), *smooth);
    let sharp = normals(Normals::Smooth(60.0));
    assert_eq!((sharp.positions.len(), sharp.colors[5], sharp.influences[0].weights.len()), (7, [1; 4], 7));
    let right = Vec3::new(1.0, 1.0, 0.0).normalize();
    let facing = |corner: usize| sharp.normals[sharp.indices[corner] as usize];
    assert!((0..3).all(|corner| facing(corner).distance(right) < 1e-6), "{:?}", sharp.normals);
    assert!((3..6).all(|corner| facing(corner).distance(right * Vec3::new(-1.0, 1.0, 1.0)) < 1e-6));
}

#[test]
fn morph_targets_lose_their_differences_from_normals_that_are_replaced() {
    let (positions, normals) = (vec![Vec3::Y], vec![Vec3::X]);
    let target = MorphTarget { scalar: 0, vertices: vec![1], positions, normals };
    let morph = |normals| {
        let mut model = model();
        Arc::make_mut(&mut model.meshes[1].mesh).morphs = vec![target.clone()];
        let (model, _) = apply(&ImportOptions { normals, ..ImportOptions::default() }, model);
        model.meshes[1].mesh.morphs[0].clone()
    };
    assert_eq!(morph(Normals::Keep).normals, target.normals);
    for normals in [Normals::Flat, Normals::Smooth(180.0)] {
        let morph = morph(normals);
        assert!(morph.normals.is_empty() && morph.positions == target.positions, "{morph:?}");
    }
}

#[test]
fn clips_are_sampled_at_another_rate_and_reduced_within_the_error() {
    let rate = FrameRate::new(24, 1);
    let (sampled, findings) = applied(&ImportOptions { frame_rate: rate, ..ImportOptions::default() });
    let clip = &sampled.clips[0].clip;
    assert_eq!((clip.keyframes.len(), clip.length(), Some(clip.frame_rate)), (25, Time::SECOND, rate));
    assert_eq!(findings[0], "clip walk: sampled at 24 frames per second");
    for (a, b) in vertices(&model()).iter().zip(vertices(&sampled)) {
        assert!(a.distance(b) < 5e-3, "{a} {b}");
    }
    // Keys that are on its frames stay.
    let (same, findings) = applied(&ImportOptions { frame_rate: FrameRate::new(60, 1), ..ImportOptions::default() });
    assert_eq!((same.clips[0].clip.keyframes.len(), findings.len()), (21, 0));
    for max_error in [0.0, 1e-3, 0.1] {
        let (reduced, findings) = applied(&ImportOptions { max_error: Some(max_error), ..ImportOptions::default() });
        let kept: usize = reduced.clips[0].clip.keyframes.iter().map(|keyframe| keyframe.keys.len()).sum();
        assert!(kept < 63 || max_error == 0.0, "{max_error}: {kept} {findings:?}");
        for (a, b) in vertices(&model()).iter().zip(vertices(&reduced)) {
            assert!(a.distance(b) <= max_error * 3.0 + 1e-5, "{max_error}: {a} {b}");
        }
    }
}

#[test]
fn a_channel_between_two_frames_reaches_its_last_key() {
    let mut model = model();
    let keyframe = |millis: f64, keys: Vec<Key>| Keyframe {
        duration: Time::from_millis(millis),
        keys: keys.into(),
        ..Keyframe::default()
    };
    let at = |x: f32| Vec3::new(x, 1.0, 0.0);
    let keyframes = [
        keyframe(171.0, vec![Key::rotation(1, Quat::IDENTITY)]),
        keyframe(8.0, vec![Key::translation(0, at(0.0))]),
        keyframe(331.0, vec![Key::translation(0, at(2.0))]),
        keyframe(0.0, vec![Key::rotation(1, Quat::from_rotation_x(1.0))]),
    ];
    Arc::make_mut(&mut model.clips[0].clip).keyframes = keyframes.into_iter().collect();
    let options = ImportOptions { frame_rate: FrameRate::new(30, 1), ..ImportOptions::default() };
    let (model, _) = apply(&options, model);
    let tracks = Track::keyed(&model.clips[0].clip, |bone| bone == 0);
    let values = [0, 5, 6, 15].map(|frame| tracks[0].sample(FrameRate::FPS_30.time_of(frame)).truncate());
    assert_eq!(values, [at(0.0), at(0.0), at(2.0), at(2.0)]);
}

#[test]
fn options_are_words_and_wrong_ones_are_refused() {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let all = "--scale 0.01 --up z --forward -x --mesh Body* --skip-mesh Sword --clip walk --skip-clip run --influences 4 \
               --drop-weights 0.01 --normals smooth:60 --frame-rate 24 --max-error 0.001 --retarget off --rest-fit off";
    let options = ImportOptions::of_words(&words(all)).unwrap();
    assert_eq!(words_of(&options).join(" "), all);
    assert_eq!(ImportOptions::of_words(&words_of(&options)), Ok(options.clone()));
    assert!(words_of(&options.for_any_file()).iter().all(|word| !word.contains("mesh") && !word.contains("clip")));
    let television = ImportOptions::of_words(&words("--frame-rate 29.97")).unwrap();
    assert_eq!(ImportOptions::of_words(&words_of(&television)), Ok(television));
    let wrong = [
        "--scale 0",
        "--scale nan",
        "--scale -1",
        "--scale",
        "--up w",
        "--up z --forward -z",
        "--influences 0",
        "--influences 9",
        "--drop-weights -0.1",
        "--drop-weights 1.1",
        "--normals round",
        "--normals smooth:200",
        "--frame-rate 0",
        "--frame-rate 241",
        "--max-error -1",
        "--wheels 4",
        "--mesh ",
    ];
    for text in wrong {
        assert!(ImportOptions::of_words(&words(text)).is_err(), "{text}");
    }
}
