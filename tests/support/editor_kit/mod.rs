//! A small model and an editor on it, for the tests of the editor.
#![allow(dead_code)]

pub mod dice;

use std::sync::{Arc, LazyLock};

use glam::{Quat, Vec2, Vec3, Vec4};
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::{Channel, Key};
use keypose::anim::skeleton::{Bone, BoneIndex, Skeleton};
use keypose::anim::time::FrameRate;
use keypose::anim::transform::Transform;
use keypose::assets::material::Material;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose::assets::reference::{Film, FilmFiles, FilmSource, Reference};
use keypose::assets::sound::Sound;
use keypose::assets::texture::Texture;
use keypose::wad::archive::Archive;
use keypose::wad::decode_project;
use keypose_editor::editor::gesture::gizmo::{self, Form};
use keypose_editor::editor::ops::posed::Posed;
use keypose_editor::editor::script;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::pointer::{PointerEvent, PointerKind};
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::session::shortcuts::Modifiers;
use keypose_editor::editor::session::tool::{Constraint, Handle, Space, Tool, TransformKind};
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Action, GestureAction, Origin, SelectAction, ToolAction, ViewAction};
use keypose_editor::editor::state::effect::Effect;

use crate::root::root;

/// Bones in level order: a body with two arms of two bones each.
///
/// ```text
/// root ─ upper.L ─ hand.L
///      ─ upper.R ─ hand.R
/// ```
pub fn model() -> Model {
    let bone = |name: &str, parent, x: f32, y: f32| Bone {
        name: name.into(),
        parent,
        rest: Transform::from_translation(Vec3::new(x, y, 0.0)),
    };
    let bones = vec![
        bone("root", None, 0.0, 1.0),
        bone("upper.L", Some(0), 0.2, 0.4),
        bone("upper.R", Some(0), -0.2, 0.4),
        bone("hand.L", Some(1), 0.5, 0.0),
        bone("hand.R", Some(2), -0.5, 0.0),
    ];
    let skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let rate = FrameRate::FPS_30;
    let key = |degrees: f32| Key::rotation(1, Quat::from_rotation_z(degrees.to_radians()));
    let keyframe =
        |frames, key| Keyframe { duration: rate.time_of(frames), keys: vec![key].into(), ..Keyframe::default() };
    let wave = Clip { keyframes: vec![keyframe(10, key(0.0)), keyframe(10, key(90.0))].into(), ..Clip::new("wave") };
    let clips = vec![
        ClipSlot { id: Default::default(), clip: Arc::new(wave) },
        ClipSlot { id: keypose::assets::id::ClipId(1), clip: Arc::new(Clip::new("empty")) },
    ];
    let (materials, textures) = looks();
    let film = Film::new(FilmSource { path: "front0.png".into(), files: FilmFiles::Linked, fps: 30.0 });
    let front = Reference::new(Arc::new(image("front", [9, 9, 9, 255])), 2.0);
    let references = vec![Arc::new(Reference { film: Some(film), ..front })];
    Model { name: "puppet".into(), skeleton, clips, materials, textures, references, ..Model::default() }
}

/// "plate" with the texture "steel" of two pixels, "cloth" without one.
fn looks() -> (Vec<Arc<Material>>, Vec<Arc<Texture>>) {
    let plate = Material { name: "plate".into(), texture: Some(0), ..Material::default() };
    let cloth = Material { name: "cloth".into(), ..Material::default() };
    (vec![Arc::new(plate), Arc::new(cloth)], vec![Arc::new(image("steel", [90, 100, 110, 255]))])
}

/// Two pixels of one colour beside each other.
pub fn image(name: &str, color: [u8; 4]) -> Texture {
    let data = [color, color].concat().into();
    Texture { name: name.into(), width: 2, height: 1, data, source_format: "png".into() }
}

/// Bones in level order: a body with two legs, the knees a little forwards; "stand" has one keyframe without keys.
///
/// ```text
/// root ─ hips ─ chest
///             ─ thigh.L ─ shin.L ─ foot.L
///             ─ thigh.R ─ shin.R ─ foot.R
/// ```
pub fn legs() -> Model {
    let bone = |name: &str, parent, x: f32, y: f32, z: f32| Bone {
        name: name.into(),
        parent,
        rest: Transform::from_translation(Vec3::new(x, y, z)),
    };
    let bones = vec![
        bone("root", None, 0.0, 0.0, 0.0),
        bone("hips", Some(0), 0.0, 1.0, 0.0),
        bone("chest", Some(1), 0.0, 0.4, 0.0),
        bone("thigh.L", Some(1), 0.1, 0.0, 0.0),
        bone("thigh.R", Some(1), -0.1, 0.0, 0.0),
        bone("shin.L", Some(3), 0.0, -0.45, 0.05),
        bone("shin.R", Some(4), 0.0, -0.45, 0.05),
        bone("foot.L", Some(5), 0.0, -0.45, -0.05),
        bone("foot.R", Some(6), 0.0, -0.45, -0.05),
    ];
    let skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let rate = FrameRate::FPS_30;
    let keyframes = [Keyframe { duration: rate.time_of(10), ..Keyframe::default() }].into();
    let stand = Clip { keyframes, ..Clip::new("stand") };
    let clips = vec![ClipSlot { id: Default::default(), clip: Arc::new(stand) }];
    Model { name: "legs".into(), skeleton, clips, ..Model::default() }
}

/// An editor on the legs.
pub fn legs_editor() -> Editor {
    let mut project = Project::default();
    project.add_model(legs());
    Editor::new(project, &Origin::New)
}

/// An editor on that model and on "giant", which is twice as large and has no clips; the clip "wave" is open.
pub fn two_sizes() -> Editor {
    let mut project = Project::default();
    project.add_model(model());
    let mut bones = project.models[0].skeleton.bones().to_vec();
    bones.iter_mut().for_each(|bone| bone.rest.translation *= 2.0);
    let skeleton = Arc::new(Skeleton::new(bones).unwrap());
    project.add_model(Model { name: "giant".into(), skeleton, ..Model::default() });
    Editor::new(project, &Origin::New)
}

/// An editor on that model and a sound of a quarter of a second, its first clip open.
pub fn editor() -> Editor {
    let mut project = Project::default();
    project.add_model(model());
    project.sounds = vec![Arc::new(Sound::new("beep", 8_000, 1, &[9; 2_000]))];
    Editor::new(project, &Origin::New)
}

/// An editor on an archive, whose baked clips are not read.
pub fn opened(bytes: &[u8]) -> Editor {
    Editor::new(decode_project(&Archive::open(bytes).unwrap()).unwrap(), &Origin::New)
}

/// An editor on the demo.
pub fn demo() -> Editor {
    static DEMO: LazyLock<Project> = LazyLock::new(|| {
        let bytes = std::fs::read(root().join("data/demo.wad")).unwrap();
        decode_project(&Archive::open(&bytes).unwrap()).unwrap()
    });
    Editor::new(DEMO.clone(), &Origin::New)
}

/// An editor on the demo after a script in which every line must succeed.
pub fn demo_after(text: &str) -> Editor {
    let mut editor = demo();
    run(&mut editor, text);
    editor
}

/// Runs a script in which every line must succeed.
pub fn run(editor: &mut Editor, text: &str) {
    script::run(editor, text).unwrap_or_else(|error| panic!("{text}: {error}"));
}

/// A rotation as posing gives it.
pub fn posed(bone: BoneIndex, rotation: Quat) -> Posed {
    Posed { bone, channel: Channel::Rotation, value: Vec4::from(rotation) }
}

/// The local rotation of a bone on screen.
pub fn rotation_of(editor: &Editor, bone: usize) -> Quat {
    editor.view().local.get(bone).rotation
}

/// Does several things.
pub fn do_all(editor: &mut Editor, actions: impl IntoIterator<Item = Action>) {
    for action in actions {
        editor.update(action);
    }
}

/// An editor with one bone selected and an active tool, seen from an angle.
pub fn seen(mut editor: Editor, bone: BoneIndex, tool: Tool, space: Space, (yaw, pitch): (f32, f32)) -> Editor {
    do_all(
        &mut editor,
        [
            Action::View(ViewAction::SetViewport { size: Vec2::new(1000.0, 700.0), pixels_per_point: 1.0 }),
            Action::Select(SelectAction::Bones { bones: vec![bone], pick: Pick::Only }),
            Action::Tool(ToolAction::Set(tool)),
            Action::Tool(ToolAction::SetSpace(space)),
        ],
    );
    (editor.session.focus.camera.yaw, editor.session.focus.camera.pitch) = (yaw, pitch);
    editor
}

/// An event of the mouse, without modifier keys.
pub fn mouse(editor: &mut Editor, kind: PointerKind, pixel: Vec2) {
    editor.update(GestureAction::Pointer(PointerEvent { kind, pixel, held: Modifiers::default() }));
}

/// Moves the mouse to a pixel and presses there.
pub fn press(editor: &mut Editor, pixel: Vec2) {
    mouse(editor, PointerKind::Moved, pixel);
    mouse(editor, PointerKind::Pressed, pixel);
}

/// The head of a bone on screen.
pub fn head(editor: &Editor, bone: BoneIndex) -> Vec3 {
    editor.view().pose.get(bone).translation()
}

/// A pixel in the middle of the strongest shape of a handle of the gizmo, of any kind if `kind` is `None`.
pub fn grip(editor: &Editor, kind: Option<TransformKind>, constraint: Constraint) -> Vec2 {
    let shapes = gizmo::shapes(editor.gesture.as_ref(), &editor.session, &editor.view());
    let is_it = |handle: Handle| handle.constraint == constraint && kind.is_none_or(|kind| handle.kind == kind);
    let shape = shapes.iter().rev().find(|shape| shape.handle.is_some_and(is_it)).expect("the handle is there");
    match &shape.form {
        Form::Line { points, .. } => points[points.len() * 3 / 8],
        Form::Area { points } => points.iter().sum::<Vec2>() / points.len() as f32,
    }
}

/// The text of the notice that is shown.
pub fn notice(editor: &Editor) -> &str {
    editor.session.transient.notice.as_ref().map_or("", |notice| &notice.text)
}

/// The text that a command copies to the clipboard of the system.
pub fn copied(editor: &mut Editor, command: Command) -> String {
    let effects = editor.update(command);
    let text = effects.into_iter().find_map(|effect| if let Effect::Copy(text) = effect { Some(text) } else { None });
    text.expect("copying gives text to the program")
}
