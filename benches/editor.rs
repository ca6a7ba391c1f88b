//! Measures a frame of the editor and undo on the CPU, with a heavy model: 100,000 vertices, 256 bones, a clip of 1,000
//! keyframes; and with a million vertices and 501 bones. Real Dear ImGui without a window; the viewport is built as plain data, not
//! drawn.
//!
//! `cargo bench --bench editor`

use std::hint::black_box;
use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::{Channel, Key};
use keypose::anim::skin::Skin;
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::anim::time::{FrameRate, Time};
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{ClipSlot, MeshSlot, Model, Visibility};
use keypose::assets::project::Project;
use keypose_editor::editor::document::edit::KeyRef;
use keypose_editor::editor::ops::mesh_tree::MeshTree;
use keypose_editor::editor::ops::posed::Posed;
use keypose_editor::editor::panels::window::layout::Panel;
use keypose_editor::editor::posing::change::Change;
use keypose_editor::editor::posing::key_times::{Grid, KeyTimes, KeysChange};
use keypose_editor::editor::session::pointer::{PointerEvent, PointerKind};
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::session::shortcuts::Modifiers;
use keypose_editor::editor::session::switch::Switch;
use keypose_editor::editor::session::timing::{TimeAction, TimeView};
use keypose_editor::editor::session::tool::TransformKind;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{
    Action, BoneAction, DocumentAction, FileAction, GestureAction, Origin, PlaybackAction, SelectAction, ViewAction,
};
use keypose_editor::editor::view::measures::Measures;
use keypose_editor::render::vertex_format::VertexFormat;

#[path = "shared/clock.rs"]
mod clock;
#[path = "shared/editor_host.rs"]
mod editor_host;
#[allow(dead_code)]
#[path = "shared/generated.rs"]
mod generated;
#[path = "../tests/support/large.rs"]
mod generated_large;

use clock::min_ns;
use editor_host::Host;
use generated::{noise, skeleton};

const VERTICES: usize = 100_000;
const BONES: usize = 256;
const KEYFRAMES: usize = 1000;

fn main() {
    println!("milliseconds, minimum of many; {VERTICES} vertices, {BONES} bones, {KEYFRAMES} keyframes, 1600 × 936\n");
    println!("| part | ms |\n|---|---|");
    // There is one Dear ImGui at a time.
    let mut host = Host::new(project());
    frames(&mut host);
    steps(&mut host);
    drags(&mut host);
    views_of_time(&mut host);
    drop(host);
    for keyframes in [193, KEYFRAMES] {
        keys_in_time(keyframes);
    }
    large();
    for (keyed, keyframes) in [(26, 100), (26, KEYFRAMES), (BONES, 100), (BONES, KEYFRAMES)] {
        growth(keyed, keyframes);
    }
}

/// A million vertices: what the thread that reads a file does of them, and then the longest work of the thread that draws.
fn large() {
    let (mut project, model) = (Project::default(), generated_large::model(501, 1_000_000));
    println!("| 1,000,000 vertices, 501 bones: measured beside | {:.1} |", millis_of(|| drop(Measures::of(&model))));
    let mesh = model.meshes[0].mesh.clone();
    let mut tree = MeshTree::default();
    println!("| … the hierarchy for picking, made beside | {:.1} |", millis_of(|| tree = MeshTree::of(&mesh)));
    project.add_model(model);
    let mut host = Host::new(Project::default());
    host.editor.caches.defer();
    host.editor.caches.expect(project.models.iter().map(|model| Measures::of(model)).collect());
    let loaded = FileAction::Loaded { project: Box::new(project), origin: Origin::New };
    println!("| … opened | {:.2} |", millis_of(|| drop(host.editor.update(loaded))));
    let first = (0..8).map(|_| millis_of(|| host.whole_frame())).fold(0.0, f64::max);
    println!("| … the longest of its first frames | {first:.2} |");
    println!("| … a frame | {:.2} |", min_ns(1, || host.whole_frame()) / 1e6);
    let format = VertexFormat::of(&mesh, 500);
    let slice = 0..(8 << 20) / format.stride;
    println!(
        "| … a slice of 8 MiB for the GPU | {:.2} |",
        millis_of(|| drop(black_box(format.pack(&mesh, slice, &|joint| joint))))
    );
    let click = |host: &mut Host| {
        for kind in [PointerKind::Pressed, PointerKind::Released] {
            let event = PointerEvent { kind, pixel: Vec2::new(400.0, 300.0), held: Modifiers::default() };
            host.editor.update(GestureAction::Pointer(event));
        }
    };
    println!("| … a click before the hierarchy is ready | {:.2} |", millis_of(|| click(&mut host)));
    host.editor.caches.trees.put(&mesh, Arc::new(tree));
    println!("| … a click | {:.3} |", min_ns(1, || click(&mut host)) / 1e6);
    host.editor.update(SelectAction::Bones { bones: vec![207], pick: Pick::Only });
    host.drag("the gizmo, in that model", TransformKind::Rotate);
    host.editor.update(PlaybackAction::SetPlaying(true));
    let playing = min_ns(1, || {
        host.editor.update(Action::Tick(Time::from_millis(16.0)));
        host.whole_frame();
    });
    println!("| … a frame while it plays | {:.2} |", playing / 1e6);
    for panel in Panel::ALL {
        host.dock.show(panel);
        let first = (0..4).map(|_| millis_of(|| host.whole_frame())).fold(0.0, f64::max);
        println!("| … {} in front: the longest of its first frames | {first:.2} |", panel.name());
    }
}

/// How a clip's size counts: three channels of each keyed bone in every keyframe. Large clips are baked beside, as in the
/// program.
fn growth(keyed: usize, keyframes: usize) {
    let mut host = Host::new(project_of(keyed, keyframes));
    host.editor.caches.defer();
    host.dock.checks.defer();
    [Panel::Inspector, Panel::Strip].into_iter().for_each(|panel| host.dock.show(panel));
    (0..4).for_each(|_| host.whole_frame());
    let still = min_ns(1, || host.whole_frame()) / 1e6;
    let (mut step, mut after, mut undo, mut check) = (f64::INFINITY, f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for number in 0..20 {
        let value = glam::Vec4::from(Quat::from_rotation_z(number as f32 * 0.013 + 0.007));
        let posed = Posed { bone: 10, channel: Channel::Rotation, value };
        let edit = Action::Document(DocumentAction::Edit { label: "pose".into(), change: Change::Pose(vec![posed]) });
        step = step.min(millis_of(|| drop(host.editor.update(edit))));
        after = after.min(millis_of(|| host.whole_frame()));
        if let Some(wanted) = host.dock.checks.take_wanted() {
            check = check.min(millis_of(|| host.dock.checks.put(wanted.check())));
        }
        undo = undo.min(millis_of(|| drop(host.editor.update(DocumentAction::Undo))));
    }
    host.editor.update(PlaybackAction::SetPlaying(true));
    let played = |host: &mut Host| {
        host.editor.update(Action::Tick(Time::from_millis(16.0)));
        host.whole_frame();
    };
    let first = millis_of(|| played(&mut host));
    let wanted = host.editor.caches.bakes.take_wanted();
    let bake = millis_of(|| {
        wanted.iter().for_each(|wanted| host.editor.caches.bakes.put(wanted, Arc::new(wanted.bake())));
    });
    let playing = min_ns(1, || played(&mut host)) / 1e6;
    println!(
        "| {keyed} bones × 3 channels × {keyframes} keyframes: a frame / a step / the frame after it / undo | {still:.2} / {step:.2} / {after:.2} / {undo:.2} |"
    );
    if check.is_finite() {
        println!("| … the clip check beside it | {check:.1} |");
    }
    println!(
        "| … the first frame that plays / the bake beside it / then a frame | {first:.2} / {bake:.1} / {playing:.2} |"
    );
    // Only on Linux.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().filter(|line| line.starts_with("VmRSS")).for_each(|line| println!("| … memory | {line} |"));
}

/// The project with a clip in which bones have all channels in every keyframe.
fn project_of(keyed: usize, keyframes: usize) -> Project {
    let mut project = project();
    let model = Arc::make_mut(&mut project.models[0]);
    let rests: Vec<Vec3> = model.skeleton.bones().iter().map(|bone| bone.rest.translation).collect();
    let keyframe = |number: usize| {
        let keys = (0..keyed as u16).flat_map(|bone| {
            let way = (number as f32 * 0.1 + f32::from(bone)).sin();
            let rest = rests[usize::from(bone)];
            let (moved, turned) = (rest + Vec3::splat(way * 0.01), Quat::from_rotation_z(way * 0.3));
            let scale = Vec3::splat(1.0 + way * 0.01);
            [Key::translation(bone, moved), Key::rotation(bone, turned), Key::scale(bone, scale)]
        });
        Keyframe { duration: FrameRate::FPS_30.time_of(1), keys: keys.collect(), ..Keyframe::default() }
    };
    Arc::make_mut(&mut model.clips[0].clip).keyframes = (0..keyframes).map(keyframe).collect();
    project
}

/// The dope sheet with all bones expanded, and the curves of some bones.
fn views_of_time(host: &mut Host) {
    host.editor.update(SelectAction::Bones { bones: (0..8).collect(), pick: Pick::Only });
    for view in TimeView::ALL {
        host.editor.update(TimeAction::Show(view));
        (0..4).for_each(|_| host.frame());
        let ms = min_ns(1, || host.frame()) / 1e6;
        println!("| all panels with the {} | {ms:.3} |", view.name().to_lowercase());
    }
    host.editor.update(TimeAction::Show(TimeView::Strip));
}

/// 5,000 keys selected, and scaled in time: each mouse movement applies the whole change since the start.
fn keys_in_time(keyframes: usize) {
    let mut project = project();
    let model = Arc::make_mut(&mut project.models[0]);
    Arc::make_mut(&mut model.clips[0].clip).keyframes.truncate(keyframes);
    let mut editor = Editor::new(project, &Origin::New);
    let clip = editor.clip().map(|slot| slot.clip.clone()).unwrap_or_default();
    let columns = clip.keyframes.iter().enumerate();
    let keys = columns.flat_map(|(keyframe, column)| {
        column.keys.iter().map(move |key| KeyRef { keyframe, bone: key.bone, channel: key.channel })
    });
    let keys: Vec<KeyRef> = keys.take(5000).collect();
    let (count, all) = (keys.len(), clip.keyframes.iter().map(|column| column.keys.len()).sum::<usize>());
    let (mut select, mut scale) = (f64::INFINITY, f64::INFINITY);
    for step in 0..40 {
        let action = Action::Select(SelectAction::Keys { keys: keys.clone(), pick: Pick::Only });
        select = select.min(millis_of(|| drop(editor.update(action))));
        editor.update(DocumentAction::Begin { label: "scale keys".into() });
        let times = KeyTimes::Scale { about: Time::ZERO, factor: 0.5 + f64::from(step) * 0.01 };
        let preview = Action::Document(DocumentAction::Preview(Change::Keys(KeysChange {
            grid: Some(Grid::Free),
            ..KeysChange::new(times)
        })));
        scale = scale.min(millis_of(|| drop(editor.update(preview))));
        editor.update(DocumentAction::Cancel);
    }
    println!("| {count} of {all} keys selected | {select:.3} |\n| the same, scaled in time | {scale:.3} |");
}

/// A frame by its parts, paused and during playback.
fn frames(host: &mut Host) {
    let millis = |ns: f64| ns / 1e6;
    host.frame();
    println!("| the pose on screen | {:.3} |", millis(min_ns(1, || drop(black_box(host.editor.view())))));
    println!("| the viewport as data | {:.3} |", millis(min_ns(1, || drop(black_box(host.picture())))));
    println!("| all panels of the first layout | {:.3} |", millis(min_ns(1, || host.frame())));
    let mut sum = 0.0;
    for panel in Panel::ALL {
        host.dock.show(panel);
        (0..4).for_each(|_| host.frame());
        let ms = millis(min_ns(1, || host.frame()));
        sum = f64::max(sum, ms);
        println!("| the same, {} in front | {ms:.3} |", panel.name());
    }
    let picture = millis(min_ns(1, || drop(black_box(host.picture()))));
    println!("| the slowest of these with its viewport: a frame | {:.3} |", sum + picture);
    host.dock.show(Panel::Inspector);
    host.dock.show(Panel::Strip);
    host.editor.update(PlaybackAction::SetPlaying(true));
    let playing = min_ns(1, || {
        host.editor.update(Action::Tick(Time::from_millis(16.0)));
        host.frame();
        black_box(host.picture());
    });
    println!("| a frame while it plays | {:.3} |", millis(playing));
    host.editor.update(PlaybackAction::SetPlaying(false));
}

/// An undo step, undone and redone.
fn steps(host: &mut Host) {
    let (mut undo, mut redo, mut step) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for number in 0..40 {
        let value = glam::Vec4::from(Quat::from_rotation_z(number as f32 * 0.01 + 0.005));
        let posed = Posed { bone: 7, channel: Channel::Rotation, value };
        let change = Change::Pose(vec![posed]);
        let edit = Action::Document(DocumentAction::Edit { label: "pose".into(), change });
        step = step.min(millis_of(|| drop(host.editor.update(edit))));
        undo = undo.min(millis_of(|| drop(host.editor.update(DocumentAction::Undo))));
        redo = redo.min(millis_of(|| drop(host.editor.update(DocumentAction::Redo))));
    }
    println!("| a step: one bone posed and keyed | {step:.3} |\n| undo | {undo:.3} |\n| redo | {redo:.3} |");
}

/// A mouse movement during a drag, and the frame that shows it: rotating with the gizmo; dragging by IK with two pinned
/// bones and live mirror.
fn drags(host: &mut Host) {
    let skeleton = host.editor.model().expect("a model").skeleton.clone();
    let leaves = skeleton.indices().filter(|&bone| skeleton.children(bone).next().is_none());
    let (one, ends): (u16, Vec<u16>) = (7, leaves.take(3).collect());
    host.editor.update(SelectAction::Bones { bones: vec![one], pick: Pick::Only });
    host.drag("the gizmo", TransformKind::Rotate);
    host.editor.update(BoneAction::SetPinned { bones: ends[1..].to_vec(), is_pinned: true });
    host.editor.update(ViewAction::Toggle(Switch::LiveMirror));
    host.drag("the gizmo, with two pins and live mirror", TransformKind::Rotate);
    host.editor.update(SelectAction::Bones { bones: ends[..1].to_vec(), pick: Pick::Only });
    host.drag("IK, with two pins and live mirror", TransformKind::Reach);
}

fn millis_of(work: impl FnOnce()) -> f64 {
    let start = std::time::Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e3
}

impl Host {
    /// Drags the selected bones, and prints the cost of a mouse movement and its frame.
    fn drag(&mut self, by: &str, kind: TransformKind) {
        self.editor.update(GestureAction::Transform(kind));
        let mut step = 0.0_f32;
        let mut moved = || {
            step += 0.1;
            let pixel = Vec2::new(600.0 + 90.0 * step.cos(), 300.0 + 60.0 * step.sin());
            Action::Gesture(GestureAction::Pointer(PointerEvent {
                kind: PointerKind::Moved,
                pixel,
                held: Modifiers::default(),
            }))
        };
        let mouse = min_ns(1, || drop(self.editor.update(moved()))) / 1e6;
        let whole = min_ns(1, || {
            self.editor.update(moved());
            self.frame();
            black_box(self.picture());
        });
        self.editor.update(DocumentAction::Cancel);
        println!("| the mouse drags by {by} | {mouse:.3} |\n| the frame with it | {:.3} |", whole / 1e6);
    }
}

/// A skinned sheet of vertices on a large skeleton, and a long clip in which every tenth bone is keyed in each keyframe.
fn project() -> Project {
    let skeleton = Arc::new(skeleton(BONES));
    let skin = Skin {
        name: String::new(),
        joints: (0..BONES as u16).collect(),
        inverse_binds: skeleton.rest_model_pose().bones.iter().map(|bone| bone.to_mat4().inverse()).collect(),
    };
    let mesh = MeshSlot { mesh: Arc::new(mesh(&skeleton)), visibility: Visibility::Shown };
    let keyframe = |number: usize| Keyframe {
        duration: FrameRate::FPS_30.time_of(2),
        keys: (0..BONES as u16)
            .step_by(10)
            .map(|bone| Key::rotation(bone, Quat::from_rotation_z(noise((number * 256) as u32 + u32::from(bone)))))
            .collect(),
        ..Keyframe::default()
    };
    let clip = Clip { keyframes: (0..KEYFRAMES).map(keyframe).collect(), ..Clip::new("long") };
    let clips = vec![ClipSlot { id: Default::default(), clip: clip.into() }];
    let mut project = Project::default();
    let (meshes, skins) = (vec![mesh], vec![Arc::new(skin)]);
    project.add_model(Model {
        name: "heavy".into(),
        skeleton,
        skins,
        meshes,
        materials: vec![Arc::default()],
        clips,
        ..Model::default()
    });
    project
}

/// Small triangles around the bones.
fn mesh(skeleton: &keypose::anim::skeleton::Skeleton) -> Mesh {
    let pose = skeleton.rest_model_pose();
    let joint = |vertex: usize| (vertex / 3 * 3 * BONES / VERTICES) as u16;
    let around = |at: usize| Vec3::new(noise(at as u32 * 3), noise(at as u32 * 3 + 1), noise(at as u32 * 3 + 2)) * 0.05;
    Mesh {
        name: "heavy".into(),
        positions: (0..VERTICES).map(|at| pose.get(joint(at)).translation() + around(at)).collect(),
        normals: vec![Vec3::Y; VERTICES],
        uvs: Vec::new(),
        colors: Vec::new(),
        indices: (0..(VERTICES / 3 * 3) as u32).collect(),
        morphs: vec![],
        influences: vec![InfluenceSet {
            joints: (0..VERTICES).map(|at| [joint(at), 0, 0, 0]).collect(),
            weights: vec![[1.0, 0.0, 0.0, 0.0]; VERTICES],
        }],
        material: 0,
        binding: Binding::Skin(0),
    }
}
