//! Edits of bones on the demo's knight: its skin, its clips, and undo.

use std::collections::BTreeSet;
use std::sync::Arc;

use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::MeshSlot;
use keypose::assets::project::Project;
use keypose::wad::diff::diff;
use keypose::wad::equality::is_same_content;
use keypose_editor::editor::document::edit::{Gap, KeyRef};
use keypose_editor::editor::document::follow::generate_again;
use keypose_editor::editor::ops::rigging::BoneEdit;
use keypose_editor::editor::posing::library::LibraryAction;
use keypose_editor::editor::script;
use keypose_editor::editor::session::Question;
use keypose_editor::editor::session::clipboard::Side;
use keypose_editor::editor::session::display::Shading;
use keypose_editor::editor::session::pointer::PointerKind;
use keypose_editor::editor::session::rig::RigAction;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Action, ClipboardAction, DocumentAction, SelectAction, ViewAction};
use keypose_tools::rig::surface::Surface;
use keypose_tools::rig::vertex::{VertexRef, weights_of};

use crate::editor_kit::{self, demo, run};

const EDITS: &[&str] = &[
    "bone add cape chest 0 1.2 -0.2",
    "bone split upper_arm.L forearm.L 2",
    "bone move hand.L 0.7 1.1 0.1",
    "bone rename head skull",
    "bone parent head hips",
    "bone delete hand.L",
    "bone delete head",
    "bone delete hand.L hand.R forearm.L head",
];

#[test]
fn a_bone_more_or_less_is_a_difference_of_the_skeleton_alone() {
    let mut editor = demo();
    let before = editor.document.project().clone();
    run(&mut editor, "bone add extra hips 0 1 0.3");
    let found = |a: &Project, b: &Project| diff(a, b).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(found(&before, &editor.document), ["~ skeleton knight: bone extra added"]);
    assert_eq!(found(&editor.document, &before), ["~ skeleton knight: bone extra removed"]);
}

#[test]
fn a_saved_pose_shows_the_same_after_its_bones_got_other_parents() {
    let shown = |edit: &str| {
        let mut editor = demo();
        run(&mut editor, "clip walk; seek 3f; save-pose P");
        run(&mut editor, edit);
        run(&mut editor, "clip idle; seek 0f; auto-key never; apply-pose P");
        ["weapon", "head", "hand.L"].map(|bone| script::show(&editor, &format!("world {bone}")).unwrap())
    };
    let before = shown("");
    for edit in ["bone parent weapon root", "bone parent head none", "bone parent head hand.R"] {
        assert_eq!(shown(edit), before, "{edit}");
    }
}

#[test]
fn only_clips_in_which_a_bone_moves_differently_under_its_new_parent_are_named() {
    let mut editor = demo();
    run(&mut editor, "clip walk; run add-layer; auto-key always; seek 4f; pose chest rotation 0 40 10");
    run(&mut editor, "bone parent weapon root");
    assert_eq!(editor_kit::notice(&editor), "The motion of weapon has changed in walk layered.");
    let mut editor = demo();
    run(&mut editor, "bone parent weapon root");
    assert_eq!(editor_kit::notice(&editor), "");
}

#[test]
fn clips_derived_from_derived_ones_follow_them_in_order() {
    let mut editor = demo();
    run(&mut editor, "clip run; run mirrored-clip; run retimed-clip; run mirrored-clip; run reversed-clip; clip none");
    for edit in ["bone parent plume chest", "clip run; auto-key always; seek 3f; pose head rotation 0 40 10"] {
        run(&mut editor, edit);
        let mut again = editor.document.project().as_ref().clone();
        assert!(generate_again(&mut again, &BTreeSet::new()).is_empty(), "{edit}");
        assert!(again == **editor.document.project(), "{edit}");
    }
}

#[test]
fn undo_of_an_edit_of_bones_restores_what_is_saved() {
    let mut editor = demo();
    let before = editor.document.clone();
    for edit in EDITS {
        run(&mut editor, edit);
        assert_eq!(editor.history.undo_count(), 1, "{edit}: {}", editor_kit::notice(&editor));
        let after = editor.document.clone();
        assert!(!is_same_content(&after, &before), "{edit}");
        editor.document.check().unwrap();
        editor.update(DocumentAction::Undo);
        assert!(is_same_content(&editor.document, &before), "{edit} is not undone");
        editor.update(DocumentAction::Redo);
        assert!(is_same_content(&editor.document, &after), "{edit} is not done again");
        editor.update(DocumentAction::Undo);
    }
}

#[test]
fn selected_hidden_and_pinned_bones_stay_the_same_bones() {
    let mut editor = demo();
    run(&mut editor, "pin hand.L hand.R; select foot.L hand.R");
    let facts = |editor: &Editor| ["pins", "selected"].map(|what| script::show(editor, what).unwrap());
    let before = facts(&editor);
    for edit in ["bone add cape chest 0 1.2 -0.2", "bone add prop none 0 0 0", "undo", "bone delete head", "undo-all"] {
        run(&mut editor, edit);
        assert_eq!(facts(&editor), before, "{edit}");
    }
}

#[test]
fn selected_keys_and_earlier_selections_stay_with_their_bones() {
    let mut editor = demo();
    run(&mut editor, "select head; select foot.L");
    let keyframe = &editor.clip().unwrap().clip.keyframes[0];
    let keys = keyframe.keys.iter().map(|key| KeyRef { keyframe: 0, bone: key.bone, channel: key.channel }).collect();
    editor.update(SelectAction::Keys { keys, pick: Default::default() });
    let names = |editor: &Editor| {
        let skeleton = &editor.model().unwrap().skeleton;
        let keys = editor.session.focus.selection.keys.iter();
        keys.map(|key| (skeleton.bones()[usize::from(key.bone)].name.clone(), key.channel)).collect::<BTreeSet<_>>()
    };
    let before = names(&editor);
    assert!(before.len() > 5);
    run(&mut editor, "bone add cape chest 0 1.2 -0.2");
    assert_eq!(names(&editor), before);
    run(&mut editor, "select foot.L");
    editor.update(SelectAction::Back);
    editor.update(SelectAction::Back);
    let mut back = Vec::new();
    for _ in 0..4 {
        back.push(script::show(&editor, "selected").unwrap());
        editor.update(SelectAction::Back);
    }
    assert!(back.contains(&"head".to_owned()), "{back:?}");
}

#[test]
fn both_sides_move_apart_whichever_joint_leads() {
    for lead in ["upper_arm.L", "chest"] {
        let mut editor = demo();
        run(&mut editor, &format!("clip none; run rig-mode; select upper_arm.L upper_arm.R {lead}"));
        run(&mut editor, "key G over rig; type x 0.1 enter");
        let joints = ["L", "R"].map(|side| script::show(&editor, &format!("joint upper_arm.{side}")).unwrap());
        assert_eq!(joints, ["0.305 1.335 -0.005", "-0.305 1.335 -0.005"], "{lead}");
    }
}

#[test]
fn the_other_side_is_centered_in_the_mesh_as_well() {
    let mut editor = demo();
    let joint = |editor: &Editor, side: &str| script::show(editor, &format!("joint thigh.{side}")).unwrap();
    let before = joint(&editor, "L");
    run(&mut editor, "viewport 1200 700; run rig-mode; run frame-all; select thigh.L; run center-joints");
    let left = joint(&editor, "L");
    assert!(left != before && joint(&editor, "R") == format!("-{left}"), "{left}");
}

#[test]
fn edits_of_bones_in_the_rig_mode_change_both_sides() {
    let mut editor = demo();
    let before = editor.document.clone();
    let bones = |editor: &Editor| script::show(editor, "bones").unwrap();
    run(&mut editor, "run rig-mode; select shin.L; run split-bone; bone parent hand.L upper_arm.L");
    let bone = editor.model().unwrap().skeleton.find("toe.R").unwrap();
    editor.update(RigAction::Edit(BoneEdit::Rename { bone, name: "ball.R".into() }));
    let shown = bones(&editor);
    for side in ["L", "R"] {
        for (bone, parent) in [("foot", "shin.?.001"), ("hand", "upper_arm.?"), ("ball", "foot.?")] {
            let expected = format!("{bone}.{side} on {}", parent.replace('?', side));
            assert!(shown.split(", ").any(|bone| bone == expected), "{expected}: {shown}");
        }
    }
    run(&mut editor, "select hand.L");
    editor.update(RigAction::Delete);
    editor.update(RigAction::AnswerDelete { is_confirmed: true });
    assert!(!bones(&editor).contains("hand"), "{}", bones(&editor));
    assert_eq!(editor.history.undo_count(), 4);
    run(&mut editor, "undo-all");
    assert!(is_same_content(&editor.document, &before));
}

#[test]
fn what_changes_the_clip_ends_the_rig_mode() {
    let mut editor = demo();
    editor.update(LibraryAction::Save(None));
    let at = editor.model().unwrap().poses.len() - 1;
    let actions: [Action; 2] =
        [LibraryAction::Apply { at, side: Side::Same, amount: 1.0 }.into(), ClipboardAction::Delete(Gap::Kept).into()];
    for action in actions {
        editor.update(RigAction::Toggle);
        assert!(editor.session.transient.scene.rig().is_some());
        editor.update(action.clone());
        assert!(editor.session.transient.scene.rig().is_none(), "{action:?}");
    }
}

#[test]
fn deleting_keyed_bones_names_the_clips_first() {
    let mut editor = demo();
    run(&mut editor, "select head");
    let before = editor.document.clone();
    editor.update(RigAction::Delete);
    let Some(Question::DeletedBones(asked)) = editor.session.transient.question.clone() else { panic!("is asked") };
    assert!(asked.clips.iter().any(|(clip, keys)| clip == "walk" && *keys > 0), "{asked:?}");
    editor.update(RigAction::AnswerDelete { is_confirmed: false });
    assert!(editor.document.is_same(&before));
    editor.update(RigAction::Delete);
    editor.update(RigAction::AnswerDelete { is_confirmed: true });
    assert!(editor.model().unwrap().skeleton.find("head").is_none());
    // A bone without keys is deleted at once.
    run(&mut editor, "bone add cape chest 0 1.2 -0.2");
    let cape = editor.model().unwrap().skeleton.find("cape").unwrap();
    editor.update(SelectAction::Bones { bones: vec![cape], pick: Default::default() });
    editor.update(RigAction::Delete);
    assert_eq!(editor.session.transient.question, None);
    assert!(editor.model().unwrap().skeleton.find("cape").is_none());
}

#[test]
fn a_bare_mesh_gets_a_template_in_one_step_and_walks() {
    let mut editor = demo();
    let walk = editor.model().unwrap().clip_named("walk").unwrap().clone();
    let mut project = keypose::assets::project::Project::clone(&editor.document);
    let knight = keypose::assets::model::Model::clone(&project.models[0]);
    let mut bare = keypose::assets::model::Model {
        name: "bare".into(),
        clips: Vec::new(),
        clip_notes: Default::default(),
        combat: Default::default(),
        machine: Default::default(),
        drafts: Vec::new(),
        sockets: Vec::new(),
        poses: Default::default(),
        ..knight.clone()
    };
    // What the hand holds.
    let of_body = &bare.meshes[0].mesh;
    let held = Mesh {
        name: "held".into(),
        binding: Binding::Bone(bare.skeleton.find("hand.L").unwrap()),
        influences: Vec::new(),
        positions: of_body.positions.iter().map(|position| *position * 0.1).collect(),
        ..Mesh::clone(of_body)
    };
    bare.meshes.push(MeshSlot { mesh: Arc::new(held), ..bare.meshes[0].clone() });
    let posed = keypose::assets::model::Model { name: "posed".into(), sockets: knight.sockets.clone(), ..bare.clone() };
    project.add_model(posed);
    project.add_model(bare);
    let at = project.models.len() - 1;
    editor = Editor::new(project, &keypose_editor::editor::state::action::Origin::New);
    editor.update(SelectAction::Model(at));
    let before = editor.document.clone();
    let old = editor.model().unwrap().clone();
    run(&mut editor, "rig marker wrist.L 0 0 0");
    assert!(!editor_kit::notice(&editor).is_empty());
    run(&mut editor, "rig template humanoid; rig marker fin 0 0 0");
    assert!(editor_kit::notice(&editor).starts_with("\"fin\" is no marker"), "{}", editor_kit::notice(&editor));
    run(&mut editor, "rig marker wrist.L 0.43 0.86 0.02; rig make");
    assert_eq!(editor.history.undo_label(), Some("Make rig"), "{}", editor_kit::notice(&editor));
    let model = editor.model().unwrap().clone();
    assert!(model.skeleton.len() > 15 && model.meshes[0].mesh.influences.len() == 1, "{}", model.skeleton.len());
    // All meshes stay in place, also those that a bone held.
    let places = |model: &keypose::assets::model::Model| Surface::of_meshes(model, |_| true).unwrap().positions;
    let moved = places(&old).into_iter().zip(places(&model)).map(|(old, new)| old.distance(new)).fold(0.0, f32::max);
    assert!(moved < 1e-4, "{moved}");
    assert_eq!((model.skinning, &model.sprites), (old.skinning, &old.sprites));
    editor.update(DocumentAction::Undo);
    assert!(is_same_content(&editor.document, &before));
    editor.update(DocumentAction::Redo);
    let retarget = keypose_tools::retarget::Retarget::new(
        &*editor.document.models[0],
        &*model,
        keypose::assets::import_options::RestFit::On,
    );
    let walked = retarget.unwrap().clip(&walk.clip).clip;
    assert!(walked.keyframes.iter().map(|keyframe| keyframe.keys.len()).sum::<usize>() > 50);
    // A model with clips keeps its skeleton.
    editor.update(SelectAction::Model(0));
    run(&mut editor, "rig template humanoid");
    assert!(editor_kit::notice(&editor).contains("has clips"), "{}", editor_kit::notice(&editor));
    editor.update(SelectAction::Model(at - 1));
    run(&mut editor, "rig template humanoid");
    assert!(editor_kit::notice(&editor).contains("has sockets"), "{}", editor_kit::notice(&editor));
}

#[test]
fn painted_weights_are_one_step_each_and_locks_and_sides_count() {
    let mut editor = demo();
    let weight = |editor: &Editor, bone: &str, at: usize| -> f32 {
        let text = script::show(editor, &format!("weights 1 {}", at + 1)).unwrap();
        let found = text.split(", ").find_map(|one| one.strip_prefix(&format!("{bone} ")).map(str::to_owned));
        found.map_or(0.0, |weight| weight.parse().unwrap())
    };
    let mesh = editor.model().unwrap().meshes[0].mesh.clone();
    let place = |at: usize| mesh.positions[at];
    // A vertex of the left side whose mirror image is a vertex, too.
    let mirror = |at: usize| {
        let other = place(at) * glam::Vec3::new(-1.0, 1.0, 1.0);
        mesh.positions.iter().position(|position| position.distance(other) < 1e-4)
    };
    let (at, other) = (0..mesh.positions.len())
        .filter(|at| place(*at).x > 0.1)
        .find_map(|at| Some((at, mirror(at)?)))
        .expect("the knight is symmetric");
    let before = editor.document.clone();
    let point = place(at);
    let dab = format!("weights add foot.L {} {} {} 0.05 0.4", point.x, point.y, point.z);
    let was = weight(&editor, "foot.L", at);
    run(&mut editor, &dab);
    assert_eq!(editor.history.undo_label(), Some("Paint weights"), "{}", editor_kit::notice(&editor));
    assert!((weight(&editor, "foot.L", at) - (was + 0.4).min(1.0)).abs() < 2e-3);
    assert_eq!(weight(&editor, "foot.R", other), 0.0);
    editor.document.check().unwrap();
    editor.update(DocumentAction::Undo);
    assert!(is_same_content(&editor.document, &before));
    // In the rig mode, the other side follows.
    run(&mut editor, &format!("run rig-mode; {dab}"));
    assert!((weight(&editor, "foot.L", at) - weight(&editor, "foot.R", other)).abs() < 2e-3);
    assert!(weight(&editor, "foot.R", other) > 0.3);
    editor.update(DocumentAction::Undo);
    // What is locked stays.
    run(&mut editor, &format!("select foot.L; run lock-weights; {dab}"));
    assert!(is_same_content(&editor.document, &before), "{}", editor_kit::notice(&editor));
}

#[test]
fn a_click_on_a_mesh_in_the_colors_of_weights_shows_those_of_a_vertex() {
    for shading in [Shading::Weights, Shading::BoneColors] {
        let mut editor = demo();
        run(&mut editor, "run rig-mode");
        editor.update(ViewAction::SetShading(shading));
        let places = editor.model().unwrap().meshes[0].mesh.positions.clone();
        let is_shown = places.iter().step_by(20).any(|place| {
            let pixel = editor.session.focus.camera.pixel(*place, editor.session.workspace.viewport).unwrap();
            editor_kit::press(&mut editor, pixel);
            editor_kit::mouse(&mut editor, PointerKind::Released, pixel);
            editor.session.transient.scene.rig().unwrap().vertex.is_some()
        });
        assert!(is_shown, "{shading:?}");
    }
}

#[test]
fn weights_of_one_bone_or_one_mesh_are_computed() {
    let mut editor = demo();
    let of = |editor: &Editor| editor.model().unwrap().meshes.iter().map(|slot| slot.mesh.clone()).collect::<Vec<_>>();
    let before = of(&editor);
    run(&mut editor, "select hand.L; bind bones");
    assert_eq!(editor.history.undo_label(), Some("Bind meshes"), "{}", editor_kit::notice(&editor));
    editor.document.check().unwrap();
    let model = editor.model().unwrap().clone();
    let hand = model.skeleton.find("hand.L").unwrap();
    // Vertices that the hand moved neither before nor now have the weights that they had.
    let weights = |model: &keypose::assets::model::Model, vertex: usize| {
        weights_of(model, VertexRef { mesh: 0, vertex }).into_iter().collect::<std::collections::BTreeMap<_, _>>()
    };
    let old = keypose::assets::model::Model {
        meshes: model
            .meshes
            .iter()
            .zip(&before)
            .map(|(slot, mesh)| keypose::assets::model::MeshSlot { mesh: mesh.clone(), ..slot.clone() })
            .collect(),
        ..keypose::assets::model::Model::clone(&model)
    };
    for vertex in 0..before[0].positions.len() {
        let (was, now) = (weights(&old, vertex), weights(&model, vertex));
        if !was.contains_key(&hand) && !now.contains_key(&hand) {
            assert!(
                was.iter().all(|(bone, weight)| (now[bone] - weight).abs() < 0.03),
                "{vertex}: {was:?} and {now:?}"
            );
        }
    }
    run(&mut editor, "undo; bind mesh 1");
    let after = of(&editor);
    assert!(before[1..].iter().zip(&after[1..]).all(|(a, b)| a == b));
}

/// The knight as a bare mesh, and a belt among his own meshes that a bone holds.
#[test]
fn weights_are_transferred_to_a_bare_model_and_to_one_mesh_in_one_step() {
    let mut project = keypose::assets::project::Project::clone(&demo().document);
    let knight = keypose::assets::model::Model::clone(&project.models[0]);
    let skinned = knight.meshes[0].mesh.clone();
    let belt = Mesh { name: "belt".into(), binding: Binding::Bone(0), influences: Vec::new(), ..Mesh::clone(&skinned) };
    let mut worn = keypose::assets::model::Model { name: "worn".into(), ..knight.clone() };
    worn.meshes.push(MeshSlot { mesh: Arc::new(belt.clone()), ..knight.meshes[0].clone() });
    let bare = keypose::assets::model::Model {
        name: "bare".into(),
        skeleton: Arc::new(keypose::anim::skeleton::Skeleton::new(knight.skeleton.bones()[..1].to_vec()).unwrap()),
        meshes: vec![MeshSlot { mesh: Arc::new(belt), ..knight.meshes[0].clone() }],
        materials: knight.materials.clone(),
        textures: knight.textures.clone(),
        ..Default::default()
    };
    let count = project.models.len();
    project.add_model(worn);
    project.add_model(bare);
    let mut editor = Editor::new(project, &keypose_editor::editor::state::action::Origin::New);
    let mesh = knight.meshes.len();
    for (model, at, edit) in [
        (count, mesh, format!("bind mesh {} from worn", mesh + 1)),
        (count + 1, 0, format!("bind from {}", knight.name)),
    ] {
        editor.update(SelectAction::Model(model));
        let before = editor.document.clone();
        run(&mut editor, &edit);
        assert_eq!(editor.history.undo_label(), Some("Transfer weights"), "{}", editor_kit::notice(&editor));
        editor.document.check().unwrap();
        let dressed = editor.model().unwrap();
        let name = |model: &keypose::assets::model::Model, bone| model.skeleton.get(bone).unwrap().name.clone();
        let mut same = 0;
        for vertex in 0..skinned.positions.len() {
            let [ours, theirs] = [(&**dressed, at), (&knight, 0)].map(|(model, mesh)| {
                let (bone, _) = weights_of(model, VertexRef { mesh, vertex })[0];
                name(model, bone)
            });
            same += usize::from(ours == theirs);
        }
        assert!(same * 100 > 95 * skinned.positions.len(), "{edit}: {same} of {}", skinned.positions.len());
        editor.update(DocumentAction::Undo);
        assert!(is_same_content(&editor.document, &before), "{edit}");
    }
    // A model gives no weights to all of its own meshes.
    run(&mut editor, "model worn; bind from worn");
    assert_eq!(editor.history.undo_count(), 0);
}

/// The app computes weights and markers of a large mesh meanwhile; those of a model that was changed since are not used.
#[test]
fn weights_of_a_large_mesh_are_left_to_the_app() {
    let mut project = keypose::assets::project::Project::clone(&demo().document);
    let mut large = keypose::assets::model::Model::clone(&project.models[0]);
    let mut mesh = Mesh::clone(&large.meshes[0].mesh);
    let more = 20_001 - mesh.positions.len();
    mesh.positions.extend(vec![mesh.positions[0]; more]);
    for set in &mut mesh.influences {
        set.joints.extend(vec![set.joints[0]; more]);
        set.weights.extend(vec![set.weights[0]; more]);
    }
    (mesh.normals, mesh.uvs, mesh.colors, mesh.morphs) = Default::default();
    large.meshes[0].mesh = Arc::new(mesh);
    let keypose::assets::model::Model { skeleton, meshes, skins, materials, textures, .. } = large.clone();
    let name = "bare".into();
    project.add_model(keypose::assets::model::Model {
        name,
        skeleton,
        meshes,
        skins,
        materials,
        textures,
        ..Default::default()
    });
    project.models[0] = Arc::new(large);
    let mut editor = Editor::new(project, &keypose_editor::editor::state::action::Origin::New);
    editor.caches.defer();
    // What is made for a model that was changed doesn't matter.
    let mut made = None;
    for is_changed in [false, true] {
        run(&mut editor, "bind automatic");
        assert_eq!(editor.history.undo_count(), 0);
        let work = editor.caches.rig_work.take().unwrap();
        let cancelled = work.run(&mut |_| Err(keypose_tools::rig::RigError::Cancelled));
        assert_eq!(cancelled.unwrap_err(), keypose_tools::rig::RigError::Cancelled);
        if is_changed {
            run(&mut editor, "bone rename head skull");
        }
        let made = made.get_or_insert_with(|| work.run(&mut keypose_tools::rig::unheard)).clone();
        editor.update(RigAction::Done(Box::new(work), made));
        let label = if is_changed { "Rename bone" } else { "Bind meshes" };
        assert_eq!(editor.history.undo_label(), Some(label), "{}", editor_kit::notice(&editor));
        editor.update(DocumentAction::Undo);
    }
    run(&mut editor, "model bare; rig template humanoid");
    let placing = |editor: &Editor| editor.session.transient.scene.rig().unwrap().placing.clone();
    assert!(placing(&editor).is_none());
    let work = editor.caches.rig_work.take().unwrap();
    let made = work.run(&mut keypose_tools::rig::unheard);
    editor.update(RigAction::Done(Box::new(work), made));
    assert_eq!(placing(&editor).unwrap().markers.len(), 16);
}
