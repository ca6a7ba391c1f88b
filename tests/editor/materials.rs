//! Materials, textures and reference images: what a change becomes in the archive and in the journal, and images that are read for them.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use keypose::anim::additive::AdditivePose;
use keypose::anim::bake::bake;
use keypose::anim::blend::{blend_poses, layers};
use keypose::anim::inertial::Inertia;
use keypose::anim::pose::LocalPose;
use keypose::anim::time::Time;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::MeshSlot;
use keypose::assets::project::Project;
use keypose::wad;
use keypose::wad::journal::delta;
use keypose_editor::editor::script;
use keypose_editor::editor::session::Question;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{DocumentAction, DropPurpose, MaterialAction, Origin};
use keypose_editor::editor::state::effect::{Effect, PathPurpose};

use crate::editor_kit;

fn edited(words: &str) -> Editor {
    let mut editor = editor_kit::editor();
    script::run(&mut editor, words).unwrap();
    editor
}

/// The image that is asked for, as it was read.
fn answer(editor: &mut Editor, effects: Vec<Effect>, color: [u8; 4]) {
    let [Effect::ReadImage { path, place }] = &effects[..] else { panic!("{effects:?}") };
    let image = Arc::new(editor_kit::image(&path.file_stem().unwrap().to_string_lossy(), color));
    editor.update(MaterialAction::ImageRead { place: place.clone(), image });
}

#[test]
fn a_step_writes_only_the_lumps_that_it_changed_into_the_journal() {
    // The pixels of a reference image that is moved are not written again.
    for (words, lump) in
        [("material cloth color #ff0000", "MATL/puppet/cloth"), ("reference front offset 1 2", "rEFI/puppet")]
    {
        let mut editor = editor_kit::editor();
        let before = editor.document.clone();
        script::run(&mut editor, words).unwrap();
        let lumps = delta(&before, &editor.document).unwrap();
        let names: Vec<String> = lumps.iter().map(|lump| format!("{}/{}", lump.kind, lump.name)).collect();
        assert_eq!(names, [lump]);
    }
}

#[test]
fn an_image_is_applied_to_every_material_that_shares_its_texture() {
    let mut editor = edited("material cloth texture steel; material plate");
    let effects = editor.update(MaterialAction::ReplaceTexture(Some("b/rust.png".into())));
    answer(&mut editor, effects, [120, 60, 20, 255]);
    let model = editor.model().unwrap();
    assert_eq!((model.textures.len(), &*model.textures[0].name), (1, "rust"));
    assert_eq!(model.materials.iter().map(|material| material.texture).collect::<Vec<_>>(), [Some(0), Some(0)]);
    assert_eq!(editor.history.undo_label(), Some("Replace texture image"));
    editor.update(DocumentAction::Undo);
    assert_eq!(&*editor.model().unwrap().textures[0].name, "steel");
}

#[test]
fn a_taken_name_gets_a_number() {
    let mut editor = edited("material cloth");
    let effects = editor.update(MaterialAction::ReplaceTexture(Some("steel.png".into())));
    answer(&mut editor, effects, [1, 2, 3, 255]);
    assert_eq!(script::show(&editor, "textures").unwrap(), "steel steel.001");
}

#[test]
fn an_image_for_a_material_that_is_gone_is_reported_and_changes_nothing() {
    let mut editor = edited("material plate");
    let effects = editor.update(MaterialAction::ReplaceTexture(Some("rust.png".into())));
    script::run(&mut editor, "material plate name armour").unwrap();
    let steps = editor.history.undo_count();
    answer(&mut editor, effects, [0; 4]);
    assert_eq!(editor.history.undo_count(), steps);
    assert!(editor.session.transient.notice.unwrap().text.contains("its material plate no longer exists"));
}

#[test]
fn a_reference_image_is_added_as_high_as_the_model_and_survives_the_archive() {
    let mut editor = editor_kit::editor();
    let effects = editor.update(MaterialAction::AddReference(Some("a/front.png".into())));
    answer(&mut editor, effects, [200, 180, 60, 255]);
    assert_eq!(editor.history.undo_label(), Some("Add reference image"));
    script::run(&mut editor, "reference front.001 faces side; reference front.001 stands before").unwrap();
    script::run(&mut editor, "reference front.001 offset 1 2; reference front.001 hide; reference front.001 lock")
        .unwrap();
    let bytes = wad::encode(editor.document.project(), &[]).unwrap();
    let read = wad::decode(&bytes).unwrap();
    assert_eq!(read.findings, Vec::<String>::new());
    assert_eq!(read.project.models[0].references, editor.model().unwrap().references);
    assert_eq!(read.project.models[0].references.len(), 2);
}

#[test]
fn a_dropped_image_is_for_what_the_user_says() {
    for (answer, is_read) in [(Some(DropPurpose::Texture), true), (Some(DropPurpose::Reference), true), (None, false)] {
        let mut editor = editor_kit::editor();
        assert!(editor.update(MaterialAction::DropImage("rust.png".into())).is_empty());
        assert_eq!(editor.session.transient.question, Some(Question::DroppedImage("rust.png".into())));
        let effects = editor.update(MaterialAction::AnswerDrop(answer));
        assert_eq!(matches!(effects[..], [Effect::ReadImage { .. }]), is_read);
        assert_eq!(editor.session.transient.question, None);
    }
    let mut editor = editor_kit::legs_editor();
    let effects = editor.update(MaterialAction::DropImage("rust.png".into()));
    assert!(matches!(effects[..], [Effect::ReadImage { .. }]), "without materials it can only be a reference image");
}

#[test]
fn a_missing_path_is_asked_for_and_a_missing_material_is_reported() {
    let mut editor = editor_kit::editor();
    let effects = editor.update(MaterialAction::ReplaceTexture(None));
    assert!(matches!(effects[..], [Effect::AskPath(PathPurpose::Texture)]));
    let mut editor = editor_kit::legs_editor();
    let effects = editor.update(MaterialAction::ReplaceTexture(Some("rust.png".into())));
    assert!(matches!(effects[..], [Effect::Notice(_)]));
}

/// The puppet with a square on hand.L whose texture has frames.
fn faced() -> Editor {
    let mut model = editor_kit::model();
    let mesh = Mesh {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        uvs: vec![Vec2::ZERO, Vec2::X, Vec2::Y],
        indices: vec![0, 1, 2],
        ..Mesh::empty("face", Binding::Bone(3))
    };
    model.meshes = vec![MeshSlot { mesh: Arc::new(mesh), visibility: Default::default() }];
    let mut project = Project::default();
    project.add_model(model);
    let mut editor = Editor::new(project, &Origin::New);
    script::run(&mut editor, "material plate frames 4 2; auto-key always; new-ease linear; clip wave").unwrap();
    editor
}

/// The texture offset that the first mesh has in the pose on screen.
fn offset(editor: &Editor) -> [f32; 2] {
    let view = editor.view();
    let model = view.model.as_ref().unwrap();
    let material = model.shown_material(&model.meshes[0].mesh, &view.pose).unwrap();
    (material.uv_transform.offset).to_array()
}

#[test]
fn a_keyed_texture_frame_steps_and_survives_archive_journal_and_undo() {
    let mut editor = faced();
    let scale = editor.model().unwrap().materials[0].uv_transform.scale;
    assert_eq!(scale.to_array(), [0.25, 0.5], "coordinates of the whole image are scaled to a frame");
    let before = editor.document.clone();
    script::run(&mut editor, "seek 0f; material plate frame 5; seek 10f; run next-texture-frame").unwrap();
    let places = [(0, [0.25, 0.5]), (9, [0.25, 0.5]), (10, [0.5, 0.5]), (19, [0.5, 0.5])];
    let check = |editor: &mut Editor, what: &str| {
        for (frame, place) in places {
            script::run(editor, &format!("seek {frame}f")).unwrap();
            assert_eq!(offset(editor), place, "{what}, frame {frame}");
        }
    };
    check(&mut editor, "at rest");
    let bytes = wad::encode(editor.document.project(), &[]).unwrap();
    assert_eq!(wad::decode(&bytes).unwrap().project.models, editor.document.project().models);
    assert!(!delta(&before, &editor.document).unwrap().is_empty());
    // The name follows the material; without frames, the keys go, too.
    script::run(&mut editor, "material plate name skin").unwrap();
    check(&mut editor, "renamed");
    script::run(&mut editor, "material skin frames none").unwrap();
    assert_eq!((offset(&editor), editor.model().unwrap().skeleton.scalars().len()), ([0.0; 2], 0));
    assert_eq!(editor.model().unwrap().materials[0].uv_transform.scale.to_array(), [1.0; 2]);
    script::run(&mut editor, "undo").unwrap();
    check(&mut editor, "undone");
}

#[test]
fn a_fade_between_texture_frames_shows_no_frame_between_them() {
    let mut editor = faced();
    script::run(&mut editor, "seek 0f; material plate frame 7; run key-texture-frame").unwrap();
    let model = editor.model().unwrap();
    let [mut shown, mut mixed] = [LocalPose::default(), LocalPose::default()];
    bake(&model.clip_named("wave").unwrap().clip, &model.skeleton).sample(Time::ZERO, &mut shown);
    let rest = model.skeleton.rest_pose();
    for (weight, frame) in [(0.0, 7.0), (0.3, 7.0), (0.6, 0.0), (1.0, 0.0)] {
        blend_poses(&shown, &rest, weight, &mut mixed);
        assert_eq!(mixed.scalars(), [frame], "{weight}");
        layers(&[(&shown, 1.0 - weight), (&rest, weight)], &rest, &mut mixed);
        assert_eq!(mixed.scalars(), [frame], "layers, {weight}");
        mixed.copy_from(&shown);
        AdditivePose::between(&shown, &rest).add_to(&mut mixed, weight);
        assert_eq!(mixed.scalars(), [frame], "additive, {weight}");
    }
    let mut settling = rest.clone();
    Inertia::new([&shown, &shown], &rest, 1.0 / 60.0, 0.3).apply(0.1, &mut settling);
    assert_eq!(settling.scalars(), [0.0]);
}

#[test]
fn bad_texture_frames_are_refused_with_a_sentence() {
    let mut editor = editor_kit::editor();
    for (words, reason) in [
        ("material plate frames 0 2", "a sheet has 1 to 255 columns and rows"),
        ("material plate frames 2 256", "a sheet has 1 to 255 columns and rows"),
        ("material plate frame 1", "plate: its texture has no frames"),
    ] {
        let error = script::run(&mut editor, words).unwrap_err();
        assert!(error.to_string().contains(reason), "{words}: {error}");
    }
    script::run(&mut editor, "run key-texture-frame").unwrap();
    let notice = script::show(&editor, "notice").unwrap();
    assert!(notice.contains("No material has texture frames"), "{notice}");
}
