//! A project that has one of everything, and small ones.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use keypose::anim::bake::form::Form;
use keypose::anim::bake::sparse_tracks::SparseTracks;
use keypose::anim::bake::{BakeOptions, BakedClip, SampleFormat, bake_with};
use keypose::anim::clip::{Clip, Event, Keyframe, KeyframeKind, LoopMode};
use keypose::anim::delay::Delay;
use keypose::anim::ik::chain::Solver;
use keypose::anim::ik::limit::Limit;
use keypose::anim::key::{Channel, Ease, HandleKind, Key};
use keypose::anim::machine::def::MachineDef;
use keypose::anim::machine::layer_def::{LayerDef, LayerKind};
use keypose::anim::machine::parts::{
    Condition, Fade, FadeKind, Interrupt, Line, LinePoint, MachineParts, Motion, Pace, ParameterDef, Plane, PlanePoint,
    Repeat, StateDef, TransitionDef, TransitionSource, Value,
};
use keypose::anim::morph::MorphTarget;
use keypose::anim::pose::LocalPose;
use keypose::anim::root_motion::RootMotion;
use keypose::anim::scalar::{Scalar, ScalarKind};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::skin::Skin;
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::anim::skin::method::Method;
use keypose::anim::spring::Swing;
use keypose::anim::time::{FrameRate, Time};
use keypose::anim::transform::Transform;
use keypose::assets::character::Character;
use keypose::assets::clip_notes::{ClipLayer, ClipNotes, Derivation, Derived, LayerBlend};
use keypose::assets::combat::{Cancel, CancelWhen, Combat, Contact, Hit, Hurt, Lanes, Range, Strike, Volume};
use keypose::assets::draft::Draft;
use keypose::assets::euler_order::EulerOrder;
use keypose::assets::id::ClipId;
use keypose::assets::import_options::axes::{Axes, Axis};
use keypose::assets::import_options::{Chosen, ClipFit, ImportOptions, Normals, RestFit};
use keypose::assets::level::mover::Mover;
use keypose::assets::level::slope::Slope;
use keypose::assets::level::{Decor, DecorShape, FoeKind, FoeNature, FoePlace, Goal, Level, LevelLook, Rect};
use keypose::assets::machine::{AnimationTable, Graph, StateClip};
use keypose::assets::material::{AlphaMode, Filter, Material, Outline, Shading, Sheen, UvTransform, Wrap};
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{ClipSlot, MeshSlot, MeshSource, Model, Socket, Source, Visibility};
use keypose::assets::project::{Project, UnknownLump};
use keypose::assets::reference::{Depth, Facing, Film, FilmFiles, FilmSource, Lock, Reference};
use keypose::assets::rig_notes::{BoneGroup, IkChain, RigNotes};
use keypose::assets::saved_pose::{SavedBone, SavedPose};
use keypose::assets::sound::{Sound, SoundRepeat};
use keypose::assets::spring_notes::{Spring, SpringNotes, SpringTip};
use keypose::assets::sprite_recipe::{SpriteColors, SpriteRecipe};
use keypose::assets::texture::{ImageData, Texture};
use keypose::wad;
use keypose::wad::archive::Archive;
use keypose::wad::directory::Codec;
use keypose::wad::overlay;
use keypose::wad::pack::pack;

/// The bytes of a project's archive, as the program makes them.
pub fn encode(project: &Project) -> Vec<u8> {
    wad::encode(project, &characters(project)).unwrap()
}

/// The rich project with every lump compressed that gains by it.
pub fn compressed() -> Vec<u8> {
    let mut lumps = Archive::open(&encode(&rich())).unwrap().to_lumps().unwrap();
    lumps.iter_mut().for_each(|lump| lump.codec = Codec::Lz4);
    pack(lumps, None).unwrap()
}

/// The patch that turns an archive into a project.
pub fn patch_to(base: &[u8], project: &Project) -> Vec<u8> {
    overlay::encode_patch(&[Archive::open(base).unwrap()], project, &characters(project)).unwrap()
}

pub fn characters(project: &Project) -> Vec<Arc<Character>> {
    Character::bake_all(&project.models, &[])
}

/// The project's archive with every clip baked in each form in turn: columns, the same in few bits, keys per channel;
/// the first of a model in the form `first`.
pub fn every_form(project: &Project, first: usize) -> (Vec<u8>, Vec<Arc<Character>>) {
    let baked = |(at, slot): (usize, &ClipSlot), skeleton: &Skeleton| match (first + at) % 4 {
        0 => bake_with(&slot.clip, skeleton, &BakeOptions { max_error: 1e-2, format: SampleFormat::F32 }),
        1 => bake_with(&slot.clip, skeleton, &BakeOptions { max_error: 1e-2, format: SampleFormat::Quantized }),
        2 => bake_with(&slot.clip, skeleton, &BakeOptions { max_error: 5e-2, format: SampleFormat::Packed }),
        _ => {
            let form = Form::SparseTracks(SparseTracks::of(&slot.clip, skeleton));
            BakedClip::from_form(&slot.clip, skeleton, form, 100, 0.0).unwrap()
        }
    };
    let character = |model: &Arc<Model>| {
        let clips = model.clips.iter().enumerate().map(|slot| Arc::new(baked(slot, &model.skeleton)));
        Arc::new(Character { model: model.clone(), clips: clips.collect() })
    };
    let characters: Vec<_> = project.models.iter().map(character).collect();
    (wad::encode(project, &characters).unwrap(), characters)
}

/// Nothing that was stored baked panics or plays a number that is not finite.
pub fn play(character: &Character) {
    let mut pose = LocalPose::default();
    for clip in &character.clips {
        for part in -1..=7 {
            let time = Time(clip.length.0 / 6 * part);
            clip.sample(time, &mut pose);
            assert!(pose.iter().all(|transform| transform.is_finite()), "{} at {time}", clip.name);
            clip.sample_portable(time, &mut pose);
            assert!(pose.iter().all(|transform| transform.is_finite()), "{} at {time}", clip.name);
        }
    }
}

/// Two models, a level, drafts, unknown lumps: one of everything.
pub fn rich() -> Project {
    let mut project = Project::default();
    project.add_model(knight());
    let clips = vec![ClipSlot { id: ClipId(1), clip: Arc::new(Clip::new("follows")) }];
    project.add_model(Model { name: "sword".into(), skeleton: skeleton(1), clips, ..Model::default() });
    let derived = Some(Derived { source: project.models[0].clips[0].id, how: Derivation::Retargeted });
    let sword = Arc::make_mut(&mut project.models[1]);
    sword.note(sword.clips[0].id, |notes| notes.derived = derived);
    project.levels = vec![Arc::new(level("meadow")), Arc::new(level("cave"))];
    project.sounds = vec![
        Arc::new(Sound {
            volume: 0.5,
            repeat: SoundRepeat::Loop,
            ..Sound::new("Musik ü", 8_000, 2, &[1, -2, 300, -400])
        }),
        Arc::new(Sound::new("step", 22_050, 1, &[i16::MIN, 0, i16::MAX])),
    ];
    let bytes: Arc<[u8]> = Arc::from(&b"whatever"[..]);
    project.unknown = vec![
        UnknownLump { kind: *b"vIEW", name: "layout".into(), version: 3, bytes: bytes.clone() },
        UnknownLump { kind: *b"zZZ9", name: "äöü".into(), version: 0, bytes: Arc::from(&b""[..]) },
    ];
    project
}

/// The rich project with images that are packed in different ways: soft with grain, few colours, both with an odd size.
pub fn painted() -> Project {
    let mut project = rich();
    let image = |name: &str, width: u32, height: u32, pixel: fn(u32, u32) -> [u8; 4]| {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixels = places.flat_map(|(x, y)| pixel(x, y)).collect::<Vec<_>>().into();
        Arc::new(Texture { name: name.into(), width, height, data: pixels, source_format: "generated".into() })
    };
    let made = [
        image("soft", 71, 201, |x, y| {
            let grain = ((x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 29) as u8;
            [(x * 2) as u8 + grain, y as u8 + grain, ((x + y) / 2) as u8 + grain, 255 - (x / 9) as u8]
        }),
        image("few", 64, 40, |x, y| if (x / 9 + y / 7) % 3 == 0 { [200, 20, 10, 255] } else { [0, 20, 90, 128] }),
    ];
    let kept = Texture {
        name: "kept".into(),
        width: 2,
        height: 1,
        data: ImageData::File(PNG.to_vec().into()),
        source_format: "png".into(),
    };
    let textures = made.into_iter().chain([Arc::new(kept)]);
    Arc::make_mut(&mut project.models[0]).textures.extend(textures);
    project
}

/// An image of two pixels.
const PNG: &[u8] =
    b"\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x02\x00\x00\x00\x01\x08\x06\x00\x00\x00\xf4\
    \x22\x7f\x8a\x00\x00\x00\x11IDATx\xdac\x60db\xfe\x7f\x22\xc5\x88\x01\x00\x09\xdc\x02d\xf5\xdb\x60J\
    \x00\x00\x00\x00IEND\xaeB\x60\x82";

/// One model, one clip of one key: every bit of it can be tried.
pub fn small() -> Project {
    let mut clip = Clip::new("wave");
    clip.keyframes = [Keyframe {
        duration: Time::SECOND,
        keys: vec![Key::rotation(0, Quat::from_rotation_x(0.5))].into(),
        ..Keyframe::default()
    }]
    .into();
    let clips = vec![ClipSlot { id: ClipId(1), clip: Arc::new(clip) }];
    let mut project = Project::default();
    project.add_model(Model { name: "arm".into(), skeleton: skeleton(1), clips, ..Model::default() });
    project
}

pub fn skeleton(bones: u16) -> Arc<Skeleton> {
    let bone = |index: u16| Bone {
        name: format!("bone {index}"),
        parent: index.checked_sub(1),
        rest: Transform {
            translation: Vec3::new(f32::from(index), 0.5, -0.0),
            rotation: Quat::from_rotation_y(f32::from(index)),
            scale: Vec3::new(1.0, 2.0, 0.5),
        },
    };
    Arc::new(Skeleton::new((0..bones).map(bone).collect()).unwrap())
}

fn knight() -> Model {
    let slot = |id, clip| ClipSlot { id: ClipId(id), clip: Arc::new(clip) };
    let long_name = "a name that is much longer than the 79 bytes that the directory has for the name of a lump";
    let clips = vec![
        slot(1, clip("walk")),
        slot(2, Clip::new("empty")),
        slot(3, clip(long_name)),
        slot(4, clip("walk/../\u{7}")),
    ];
    let derived = |how| Some(Derived { source: ClipId(1), how });
    let walks = ClipNotes {
        folder: "ground ü".into(),
        tags: vec!["loop".into(), "foot".into()],
        mask: vec!["spine".into(), "gone".into()],
        derived: None,
    };
    let follows = ClipNotes { derived: derived(Derivation::Retimed(150)), ..ClipNotes::default() };
    let part = ClipNotes { derived: derived(Derivation::Trimmed(Time(5), Time(77))), ..ClipNotes::default() };
    let layer = ClipLayer { percent: 150, is_muted: true, ..ClipLayer::new(ClipId(2), LayerBlend::Replace) };
    let layered = ClipNotes { derived: derived(Derivation::Layered(layer)), ..ClipNotes::default() };
    let key = Key::scale(2, Vec3::splat(1.5));
    let drafts = vec![
        Draft { clip: None, time: Time::ZERO, kind: KeyframeKind::Plain, keys: vec![key] },
        Draft {
            clip: Some(ClipId(3)),
            time: Time(77),
            kind: KeyframeKind::Breakdown,
            keys: vec![Key::translation(0, Vec3::ONE), Key::scalar(1, 2, 0.5), key],
        },
    ];
    Model {
        name: "knight".into(),
        skeleton: with_scalars(&skeleton(4)),
        skins: vec![skin("body", &[3, 1, 0]), skin("", &[2])],
        meshes: vec![
            MeshSlot { mesh: Arc::new(morphed(mesh("torso", Binding::Skin(0), 2))), visibility: Visibility::Shown },
            MeshSlot { mesh: Arc::new(mesh("cape", Binding::Skin(1), 1)), visibility: Visibility::Hidden },
            MeshSlot { mesh: Arc::new(mesh("helmet", Binding::Bone(3), 0)), visibility: Visibility::Shown },
        ],
        materials: vec![Arc::new(Material::default()), Arc::new(steel())],
        textures: vec![Arc::new(texture("plate", 3, 2)), Arc::new(texture("plate", 1, 1))],
        clips,
        clip_notes: [(ClipId(1), walks), (ClipId(2), follows), (ClipId(3), layered), (ClipId(4), part)].into(),
        combat: combat().into(),
        skinning: Method::Dual,
        samples: SampleFormat::Packed,
        sockets: vec![Socket {
            name: "hand".into(),
            bone: 3,
            transform: Transform::from_translation(Vec3::Z),
            attached: "sword".into(),
        }],
        machine: AnimationTable {
            states: vec![StateClip { state: "run".into(), clip: "walk".into() }],
            graph: Some(graph()),
        },
        drafts,
        poses: vec![
            Arc::new(SavedPose { name: "fist".into(), bones: vec![saved("bone 3"), saved("gone")] }),
            Arc::new(SavedPose { name: "Faust ü".into(), bones: vec![saved("bone 0")] }),
        ]
        .into(),
        rig: RigNotes {
            groups: vec![BoneGroup { name: "arm".into(), color: [255, 0, 17], bones: vec!["bone 1".into()] }].into(),
            mirror: vec![("bone 1".into(), "bone 2".into())],
            orders: [("bone 2".into(), EulerOrder::Zyx)].into(),
            limits: [
                (
                    "bone 1".into(),
                    Limit { zero: Quat::from_rotation_z(1.0), axis: Vec3::X, min: 0.0, max: 2.5, swing: None },
                ),
                (
                    "bone 2".into(),
                    Limit { zero: Quat::IDENTITY, axis: Vec3::Y, min: -0.5, max: 0.25, swing: Some(1.5) },
                ),
            ]
            .into(),
            springs: SpringNotes {
                bones: [
                    (
                        "bone 2".into(),
                        Spring {
                            swing: Swing {
                                stiffness: 1.5,
                                drag: 0.25,
                                gravity: Vec3::new(0.0, -0.5, 0.1),
                                radius: 0.02,
                            },
                            tip: SpringTip::Bone("bone 3".into()),
                            center: Some("bone 1".into()),
                            colliders: vec!["knee".into()],
                        },
                    ),
                    (
                        "bone 3".into(),
                        Spring {
                            swing: Swing { stiffness: 0.0, drag: 1.0, gravity: Vec3::ZERO, radius: 0.0 },
                            tip: SpringTip::Point(Vec3::new(0.0, 0.07, 0.0)),
                            center: None,
                            colliders: Vec::new(),
                        },
                    ),
                ]
                .into(),
                colliders: vec![Volume::sphere("knee", "bone 1", Vec3::Y, 0.25)],
                wind: Vec3::new(0.5, 0.0, 0.0),
            },
            masses: [("bone 1".into(), 12.5)].into(),
            gravity: Some(9.81),
            chains: [("bone 3".into(), IkChain { joints: 3, solver: Solver::Ccd })].into(),
            humanoid: [("hips".into(), "bone 1".into()), ("spine".into(), "bone 2".into())].into(),
            bone_map: [("Tail".into(), "bone 2".into()), ("Wing".into(), String::new())].into(),
        },
        references: vec![
            Arc::new(Reference::new(Arc::new(texture("front", 2, 3)), 1.8)),
            Arc::new(Reference {
                facing: Facing::Side,
                depth: Depth::Before,
                offset: Vec2::new(0.25, -1.0),
                opacity: 0.25,
                visibility: Visibility::Hidden,
                lock: Lock::Locked,
                film: Some(Film {
                    source: FilmSource {
                        path: "walk.gif".into(),
                        files: FilmFiles::Kept(Arc::new(vec![vec![1, 2, 3].into(), vec![4].into()])),
                        fps: 12.0,
                    },
                    offset: -0.5,
                    speed: 2.0,
                }),
                ..Reference::new(Arc::new(texture("side", 1, 1)), 0.5)
            }),
        ],
        source: Arc::new(Source {
            file: "Knight.glb".into(),
            bone_nodes: vec![Some(7), None, Some(0), Some(1)],
            meshes: vec![Some(MeshSource { node: 1, mesh: 2, primitive: 3 }), None, None],
        }),
        import_options: Arc::new(import_options()),
        sprites: Arc::new(SpriteRecipe {
            clips: vec!["walk".into()],
            swaps: [("Mönch: rot".into(), vec![[255, 0, 77]])].into(),
            colors: SpriteColors::Count(24),
            ..SpriteRecipe::default()
        }),
    }
}

/// Options with one of everything.
fn import_options() -> ImportOptions {
    let chosen = |only: &str, except: &str| Chosen { only: vec![only.into()], except: vec![except.into()] };
    ImportOptions {
        scale: 0.01,
        axes: Axes { up: Axis::Z, forward: Some(Axis::NegativeX) },
        meshes: chosen("*", "Schwert ü"),
        clips: chosen("walk", "run?"),
        influences: 4,
        min_weight: 0.01,
        normals: Normals::Smooth(60.0),
        frame_rate: FrameRate::new(30_000, 1001),
        max_error: Some(0.001),
        clip_fit: ClipFit::Copy,
        rest_fit: RestFit::Off,
    }
}

/// Hurt volumes, and lanes with one of everything.
fn combat() -> Combat {
    let capsule = Volume {
        name: "trunk".into(),
        bone: "bone 0".into(),
        from: Vec3::new(0.0, -0.5, -0.0),
        to: Vec3::Y,
        radius: 0.25,
    };
    let blade = Volume::sphere("Klinge ü", "gone", Vec3::X, 0.125);
    let strike = Strike { damage: 12, angle: -90.0, growth: 0.5, mask: 5, ..Strike::default() };
    let hit = |first, volumes| Hit { range: Range::of_ticks(first, first + 3), volumes, group: 2, again: 9, strike };
    let hurt = |replaced| Hurt { range: Range::of_ticks(1, 5), volume: "trunk".into(), replaced };
    let cancel = |when| Cancel { range: Range::of_ticks(9, 14), into: vec!["jump".into(), "stab".into()], when };
    let lanes = Lanes {
        hits: vec![hit(4, vec![blade.clone(), capsule.clone()]), hit(8, vec![])],
        hurts: vec![hurt(None), hurt(Some(Volume { radius: 0.5, ..capsule.clone() }))],
        cancels: CancelWhen::ALL.map(cancel).into(),
        invulnerable: vec![Range { start: Time(7), end: Time(77) }],
        contacts: vec![Contact { range: Range::of_ticks(2, 6), bone: "arm".into() }],
    };
    let still = Lanes { invulnerable: vec![Range::default()], ..Lanes::default() };
    Combat { hurt: vec![capsule, blade], lanes: [(ClipId(1), lanes), (ClipId(4), still)].into() }
}

fn saved(bone: &str) -> SavedBone {
    SavedBone {
        bone: bone.into(),
        translation: (bone != "gone").then_some(Vec3::new(0.5, -0.0, 3.0)),
        rotation: Some(Quat::from_rotation_z(1.0)),
        scale: None,
        scalars: if bone == "gone" { vec![("smile ü".into(), 0.25), ("glow".into(), -0.0)] } else { Vec::new() },
    }
}

/// A machine with one of everything.
pub fn graph() -> Graph {
    let on = |parameter: &str| Condition::On { parameter: parameter.into() };
    let line = Line {
        parameter: "speed".into(),
        damp_secs: 0.05,
        points: vec![LinePoint { at: 0.0, clip: "walk".into() }, LinePoint { at: 4.5, clip: "run".into() }],
    };
    let plane = Plane {
        parameters: ["speed".into(), "turn".into()],
        damp_secs: 0.0,
        points: vec![PlanePoint { at: Vec2::new(-1.0, 0.5), clip: "gone".into() }],
    };
    let mut moving = StateDef::new("move", Motion::Line(line));
    moving.pace = Pace::Distance { by: "speed".into() };
    let mut turning = StateDef::new("turn", Motion::Plane(plane));
    turning.pace = Pace::Time { speed: -0.5, by: "turn".into() };
    (turning.repeat, turning.start_secs) = (Repeat::Loop, 0.25);
    let still = StateDef { repeat: Repeat::Once, ..StateDef::new("still", Motion::Clip("walk".into())) };
    let compare = |value| Condition::Above { parameter: "speed".into(), value };
    let below = Condition::Below { parameter: "turn".into(), value: 2.0 };
    let fired = Condition::Fired { parameter: "go".into() };
    let state = |name: &str| TransitionSource::State(name.into());
    let transitions = vec![
        TransitionDef { conditions: vec![compare(0.1), below], ..TransitionDef::new(state("still"), "move") },
        TransitionDef {
            conditions: vec![on("armed"), fired],
            fade: Fade { kind: FadeKind::Inertial, secs: 0.3 },
            interrupt: Interrupt::Never,
            ..TransitionDef::new(TransitionSource::Any, "turn")
        },
        TransitionDef {
            exit_time: Some(1.5),
            fade: Fade { kind: FadeKind::Matched, secs: 0.1 },
            interrupt: Interrupt::Either,
            ..TransitionDef::new(state("turn"), "still")
        },
        TransitionDef {
            conditions: vec![Condition::Off { parameter: "armed".into() }],
            interrupt: Interrupt::Source,
            ..TransitionDef::new(state("move"), "move")
        },
    ];
    let parameters = [
        ("speed", Value::Number(1.25)),
        ("turn", Value::Number(0.0)),
        ("armed", Value::Switch(true)),
        ("go", Value::Trigger),
    ];
    let parts = MachineParts {
        parameters: parameters.map(|(name, value)| ParameterDef::new(name, value)).into(),
        states: vec![still, moving, turning],
        transitions,
        start: "still".into(),
        layers: vec![
            LayerDef {
                bone: "hips".into(),
                conditions: vec![on("armed"), Condition::Fired { parameter: "go".into() }],
                ..LayerDef::new("swing ü", "walk")
            },
            LayerDef {
                kind: LayerKind::Add,
                speed: 0.5,
                weight: 0.75,
                fade_secs: 0.0,
                ..LayerDef::new("breath", "gone")
            },
        ],
    };
    let def = Arc::new(MachineDef::new(parts).unwrap());
    Graph { def, places: vec![Vec2::ZERO, Vec2::new(12.0, -3.5), Vec2::new(0.25, 40.0)] }
}

fn skin(name: &str, joints: &[u16]) -> Arc<Skin> {
    let binds = joints.iter().map(|&joint| Mat4::from_translation(Vec3::splat(f32::from(joint))));
    Arc::new(Skin { name: name.into(), joints: joints.to_vec(), inverse_binds: binds.collect() })
}

fn mesh(name: &str, binding: Binding, sets: usize) -> Mesh {
    let share = 1.0 / sets.max(1) as f32;
    let set = InfluenceSet { joints: vec![[0; 4]; 4], weights: vec![[share * 0.75, share * 0.25, 0.0, 0.0]; 4] };
    let positions = (0..4).map(|corner| Vec3::new((corner % 2) as f32, (corner / 2) as f32, -1.0));
    let has_extras = sets > 0;
    Mesh {
        name: name.into(),
        positions: positions.collect(),
        normals: vec![Vec3::Z; 4],
        uvs: if has_extras { vec![Vec2::new(0.25, 0.5); 4] } else { vec![] },
        colors: if has_extras { vec![[1, 2, 3, 255]; 4] } else { vec![] },
        indices: vec![0, 1, 2, 2, 1, 3],
        influences: vec![set; sets],
        morphs: vec![],
        material: sets.min(1),
        binding,
    }
}

/// Weights, a property and a visibility.
fn with_scalars(skeleton: &Skeleton) -> Arc<Skeleton> {
    let scalar = |name: &str, bone, kind, default| Scalar { name: name.into(), bone, kind, default };
    let scalars = vec![
        scalar("smile.L", 3, ScalarKind::Weight, 0.25),
        scalar("smile.R", 3, ScalarKind::Weight, -0.0),
        scalar("glow", 1, ScalarKind::Property, 100.0),
        scalar("helmet", 3, ScalarKind::Visibility, 1.0),
    ];
    Arc::new(skeleton.clone().with_scalars(scalars).unwrap())
}

/// A target with normals, one without, and one that moves nothing.
fn morphed(mesh: Mesh) -> Mesh {
    let moved = [Vec3::ZERO, Vec3::X, Vec3::new(-0.0, 0.5, 0.0), Vec3::ZERO];
    let morphs = vec![
        MorphTarget::of(0, &moved, &[Vec3::Y, Vec3::Y, Vec3::Y, Vec3::ZERO]),
        MorphTarget::of(1, &moved, &[]),
        MorphTarget { scalar: 1, ..MorphTarget::default() },
    ];
    Mesh { morphs, ..mesh }
}

fn steel() -> Material {
    Material {
        name: "steel".into(),
        base_color: [0.5, 0.25, 0.125, 1.0],
        texture: Some(1),
        uv_transform: UvTransform { offset: Vec2::X, rotation: 0.5, scale: Vec2::new(2.0, 3.0) },
        wrap: [Wrap::Clamp, Wrap::Mirror],
        filter: Filter::Nearest,
        alpha_mode: AlphaMode::Mask(0.5),
        double_sided: true,
        shading: Shading::Toon,
        emissive: [0.5, 2.0, 0.0],
        emissive_texture: Some(0),
        normal_texture: Some(1),
        normal_scale: 0.75,
        metallic: 0.25,
        roughness: 0.5,
        metallic_roughness_texture: Some(0),
        occlusion_texture: Some(1),
        occlusion_strength: 0.75,
        outline: Outline { width: 0.0125, color: [0.5, 0.25, 0.0] },
        sheen: Sheen { color: [0.25, 0.0, 1.0], roughness: 0.75 },
    }
}

fn texture(name: &str, width: u32, height: u32) -> Texture {
    let pixels = (0..4 * width * height).map(|byte| byte as u8).collect::<Vec<_>>().into();
    Texture { name: name.into(), width, height, data: pixels, source_format: "png".into() }
}

fn clip(name: &str) -> Clip {
    let tangent = Vec4::new(1.0, -2.0, 3.0, 0.0);
    let cubic = Key {
        ease: Ease::Cubic,
        in_tangent: tangent,
        out_tangent: -tangent,
        handles: HandleKind::Free,
        ..Key::translation(1, Vec3::new(0.0, -1.0, 2.0))
    };
    let step = Key { ease: Ease::Step, ..Key::rotation(1, Quat::from_rotation_z(1.0)) };
    let glow = Key { ease: Ease::Step, ..Key::scalar(1, 2, 0.75) };
    let smile = Key { handles: HandleKind::Flat, ease: Ease::Cubic, ..Key::scalar(3, 1, 1.5) };
    let missing = Key::scalar(3, 1000, 0.5);
    let gone = Key::scale(999, Vec3::ONE);
    Clip {
        frame_rate: FrameRate::new(30_000, 1_001).unwrap(),
        loop_mode: LoopMode::PingPong,
        keyframes: vec![
            Keyframe {
                duration: Time(12_345),
                keys: vec![cubic, step, glow, smile, missing, gone].into(),
                ..Keyframe::default()
            },
            Keyframe { duration: Time::SECOND, kind: KeyframeKind::Breakdown, ..Keyframe::default() },
            Keyframe {
                duration: Time::ZERO,
                keys: vec![Key::new(0, Channel::Scale, Vec4::new(1.0, 1.0, 2.0, 0.0))].into(),
                kind: KeyframeKind::Extreme,
            },
        ]
        .into(),
        events: vec![Event { time: Time::ZERO, name: "step".into() }, Event { time: Time(5), name: "step".into() }]
            .into(),
        delays: vec![Delay { bone: 1, by: Time(-500) }, Delay { bone: 3, by: Time::TICK }].into(),
        root_motion: RootMotion::Turn,
        ..Clip::new(name)
    }
}

fn level(name: &str) -> Level {
    let rect = Rect::new(-1.0, 0.0, 1.0, 2.0);
    let nature = FoeNature { flies: true, stabs: true, poise: 7, becomes: "brute".into(), below: 0.25 };
    Level {
        name: name.into(),
        solids: vec![rect; 3],
        platforms: vec![rect],
        ladders: vec![],
        spikes: vec![Rect::new(5.0, 0.0, 6.0, 0.4)],
        slopes: vec![Slope { rect: Rect::new(6.0, 0.0, 8.0, 1.5), rises_left: true }],
        movers: vec![Mover { way: Vec2::new(1.5, -0.5), ..Mover::new(Rect::new(10.0, 1.0, 12.0, 1.2)) }],
        spawn: Vec2::new(0.5, 2.0),
        player: "knight".into(),
        decor: DecorShape::ALL.map(|shape| Decor { shape, rect, z: -5.0, depth: 0.5, color: [1, 2, 3] }).to_vec(),
        look: LevelLook { wood: [9, 8, 7], ..LevelLook::default() },
        kinds: vec![FoeKind { name: "brute".into(), model: "sword".into(), nature, ..FoeKind::default() }],
        foes: vec![FoePlace { kind: "brute".into(), place: Vec2::new(3.0, 0.5), faces_left: true }],
        checkpoints: vec![Vec2::new(4.0, 0.0)],
        coins: vec![Vec2::new(1.0, 2.0), Vec2::new(2.0, 2.5)],
        goal: Some(Goal { rect: Rect::new(8.0, 0.0, 9.0, 2.0), after: "brute".into() }),
    }
}
