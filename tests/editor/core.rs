//! Edits, steps, saving and undo of the editor's core. Journeys have gestures, drafts and keying.

use std::sync::Arc;

use glam::{Quat, Vec3};
use keypose::anim::clip::Clip;
use keypose::anim::key::{Channel, Key};
use keypose::anim::scalar::{Scalar, ScalarKind};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::time::Time;
use keypose::assets::level::{Level, Rect};
use keypose::assets::model::Model;
use keypose::assets::sound::Sound;
use keypose::assets::sprite_recipe::SpriteRecipe;
use keypose_editor::editor::document::edit::{ClipEdit, Edit, KeyEdit, LevelEdit, ModelEdit, SoundEdit};
use keypose_editor::editor::ops::rigging::{BoneEdit, NewBone};
use keypose_editor::editor::posing::change::Change;
use keypose_editor::editor::script;
use keypose_editor::editor::session::Answer;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::keying::AutoKey;
use keypose_editor::editor::session::machine::{MachineAction, Picked};
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Action, DocumentAction, FileAction, PlaybackAction, ToolAction};
use keypose_editor::editor::state::effect::{Effect, PathPurpose};
use keypose_tools::rig::vertex::VertexRef;

use crate::editor_kit::{do_all, editor, posed, two_sizes};

fn turn(degrees: f32) -> Change {
    Change::Pose(vec![posed(1, Quat::from_rotation_z(degrees.to_radians()))])
}

fn frame(number: i64) -> Time {
    keypose::anim::time::FrameRate::FPS_30.time_of(number)
}

#[test]
fn undo_past_a_save_is_dirty() {
    let mut editor = editor();
    assert!(!editor.is_dirty());
    editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(10.0) });
    assert!(editor.is_dirty());
    editor.update(FileAction::Saved { document: editor.document.clone(), path: "a.wad".into(), below: vec![] });
    assert!(!editor.is_dirty());
    editor.update(DocumentAction::Undo);
    assert!(editor.is_dirty());
    editor.update(DocumentAction::Redo);
    assert!(!editor.is_dirty());
}

#[test]
fn undo_selects_the_same_transition_again() {
    let mut editor = editor();
    let pick =
        |editor: &mut Editor, at| drop(editor.update(Action::Machine(MachineAction::Pick(Picked::Transition(at)))));
    script::run(&mut editor, "machine make").unwrap();
    pick(&mut editor, 2);
    script::run(&mut editor, "machine delete-transition 3").unwrap();
    pick(&mut editor, 0);
    editor.update(DocumentAction::Undo);
    assert_eq!(editor.session.focus.machine, Picked::Transition(2));
}

#[test]
fn undo_of_a_step_on_another_model_forgets_the_bones_of_this_one() {
    let mut editor = two_sizes();
    script::run(&mut editor, "pose upper.L rotation 0 0 10; model giant; pin hand.L; select hand.R; run hide").unwrap();
    script::run(&mut editor, "run rig-mode").unwrap();
    editor.session.transient.scene.rig_mut().unwrap().marked = vec![VertexRef { mesh: 0, vertex: 0 }];
    editor.update(DocumentAction::Undo);
    let facts = ["pins", "hidden"].map(|what| script::show(&editor, what).unwrap());
    assert_eq!((editor.session.focus.model, facts), (0, ["", ""].map(str::to_owned)));
    assert!(editor.session.transient.scene.rig().is_none_or(|desk| desk.marked.is_empty()));
}

#[test]
fn bones_stay_the_same_ones_if_siblings_come_in_another_order() {
    let mut editor = editor();
    script::run(&mut editor, "pin upper.L; select hand.L").unwrap();
    let mut with = Model::clone(editor.model().unwrap());
    let old = with.skeleton.bones();
    let bones = [0, 2, 1, 4, 3].iter().zip(old).map(|(&at, place)| Bone { parent: place.parent, ..old[at].clone() });
    with.skeleton = Arc::new(Skeleton::new(bones.collect()).unwrap());
    let replace = ModelEdit::Replace { model: 0, with: Box::new(with) };
    let (label, change) = ("import".into(), Change::Edits(vec![replace.into()]));
    editor.update(DocumentAction::Edit { label, change });
    let facts = |editor: &Editor| ["pins", "selected"].map(|what| script::show(editor, what).unwrap());
    assert_eq!(facts(&editor), ["upper.L", "hand.L"]);
    editor.update(DocumentAction::Undo);
    assert_eq!(facts(&editor), ["upper.L", "hand.L"]);
}

#[test]
fn a_bad_edit_changes_nothing() {
    let mut editor = editor();
    let clip = editor.session.focus.clip.unwrap();
    let before = editor.document.clone();
    let good: Edit = ClipEdit::RenameClip { clip, name: "good".into() }.into();
    let glow = Scalar { name: "glow".into(), bone: 0, kind: ScalarKind::Property, default: 0.0 };
    let lost = NewBone { name: "lost".into(), parent: Some("nothing".into()), head: Vec3::ZERO };
    let nowhere = VertexRef { mesh: 9, vertex: 0 };
    let bad: [Edit; 21] = [
        ModelEdit::SetWeights { model: 0, at: nowhere, weights: vec![(0, 1.0)] }.into(),
        ModelEdit::EditBones { model: 0, edit: BoneEdit::Add(vec![lost]) }.into(),
        ModelEdit::EditBones { model: 0, edit: BoneEdit::Delete(vec![99]) }.into(),
        ModelEdit::AddScalar { model: 0, scalar: Scalar { bone: 99, ..glow.clone() } }.into(),
        ModelEdit::SetScalar { model: 0, scalar: 99, with: glow }.into(),
        ModelEdit::RemoveScalar { model: 0, scalar: 0 }.into(),
        ModelEdit::RemoveModel { model: 1 }.into(),
        ModelEdit::SetSprites { model: 0, sprites: Arc::new(SpriteRecipe { shades: 9, ..SpriteRecipe::default() }) }
            .into(),
        ClipEdit::RenameClip { clip, name: "  ".into() }.into(),
        KeyEdit::SetDurations { clip, durations: vec![(0, Time(-5))] }.into(),
        KeyEdit::SetDurations { clip, durations: vec![(99, frame(5))] }.into(),
        KeyEdit::Split { clip, time: Time(-1) }.into(),
        ModelEdit::SetVisibility { model: 0, mesh: 99, visibility: Default::default() }.into(),
        ModelEdit::SetRest { model: 0, bone: 99, transform: Default::default() }.into(),
        ClipEdit::DeleteClip { clip: Default::default() }.into(),
        SoundEdit::AddSound { add: Sound::new("a", 1, 1, &[0]).into() }.into(),
        SoundEdit::RemoveSound { sound: "a".into() }.into(),
        LevelEdit::RemoveLevel { level: 0 }.into(),
        LevelEdit::AddLevel { add: Box::new(Level { solids: vec![Rect::default()], ..Level::default() }) }.into(),
        LevelEdit::AddThings { level: 9, things: vec![] }.into(),
        LevelEdit::SetPlayer { level: 0, player: "puppet".into() }.into(),
    ];
    for bad in bad {
        let change = Change::Edits(vec![good.clone(), bad.clone()]);
        let effects = editor.update(DocumentAction::Edit { label: "bad".into(), change });
        assert!(editor.document.is_same(&before), "{bad:?}");
        assert_eq!((editor.history.undo_count(), effects.len()), (0, 1), "{bad:?}");
    }
}

#[test]
fn a_removed_property_takes_its_keys_and_the_others_keep_theirs() {
    let mut editor = editor();
    let clip = editor.session.focus.clip.unwrap();
    let scalar = |name: &str| Scalar { name: name.into(), bone: 1, kind: ScalarKind::Property, default: 0.0 };
    let edit = |editor: &mut Editor, edits: Vec<Edit>| {
        let change = Change::Edits(edits);
        editor.update(DocumentAction::Edit { label: "values".into(), change });
    };
    let add = ["glow", "trail"].map(|name| ModelEdit::AddScalar { model: 0, scalar: scalar(name) }.into());
    edit(&mut editor, add.into());
    let keys = vec![(frame(0), Key::scalar(1, 0, 0.5)), (frame(0), Key::scalar(1, 1, 0.75))];
    edit(&mut editor, vec![KeyEdit::KeysAt { clip, keys }.into()]);
    edit(&mut editor, vec![ModelEdit::RemoveScalar { model: 0, scalar: 0 }.into()]);
    let model = editor.model().unwrap();
    assert_eq!((model.skeleton.scalars().len(), &*model.skeleton.scalars()[0].name), (1, "trail"));
    let keyframe = &editor.clip().unwrap().clip.keyframes[0];
    assert_eq!(keyframe.key(1, Channel::Scalar(0)).map(|key| key.value.x), Some(0.75));
    assert_eq!(keyframe.key(1, Channel::Scalar(1)), None);
    editor.update(Action::Run(Command::Undo));
    assert_eq!(editor.clip().unwrap().clip.keyframes[0].key(1, Channel::Scalar(0)).map(|key| key.value.x), Some(0.5));
}

#[test]
fn ranges_follow_the_name_of_their_hurt_volume() {
    let mut editor = editor();
    script::run(&mut editor, "hurt-volume left hand.L 0.1; clip wave; hurt 0f 5f left off").unwrap();
    let mut volumes = editor.model().unwrap().combat.hurt.clone();
    volumes[0].name = "arm".into();
    let change = Change::Edits(vec![ModelEdit::SetHurtVolumes { model: 0, volumes }.into()]);
    editor.update(DocumentAction::Edit { label: "rename".into(), change });
    assert_eq!(script::show(&editor, "hurts").as_deref(), Ok("arm 0f to 5f"));
}

#[test]
fn a_gesture_that_comes_back_is_no_step() {
    let mut editor = editor();
    do_all(&mut editor, [Action::Playback(PlaybackAction::Seek(frame(7)))]);
    editor.update(DocumentAction::Begin { label: "turn".into() });
    editor.update(DocumentAction::Preview(turn(50.0)));
    editor.update(DocumentAction::Preview(Change::Pose(vec![])));
    editor.update(DocumentAction::Commit);
    assert_eq!(editor.history.undo_count(), 0);
    assert!(!editor.is_dirty());
}

#[test]
fn a_document_is_saved_before_the_program_quits() {
    let mut editor = editor();
    editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(10.0) });
    editor.update(FileAction::Quit);
    let effects = editor.update(FileAction::Answer(Answer::Save));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Quit)));
    let effects =
        editor.update(FileAction::Saved { document: editor.document.clone(), path: "a.wad".into(), below: vec![] });
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Quit)));
}

#[test]
fn history_drops_the_oldest_step_when_it_grows_too_large() {
    let mut editor = editor();
    editor.history.limit_bytes = 40_000;
    for step in 0..500 {
        editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(step as f32 + 1.0) });
    }
    assert!(editor.history.bytes() <= 40_000);
    assert!((5..500).contains(&editor.history.undo_count()), "{}", editor.history.undo_count());
}

/// Setting keys sets only the tangents of their channels: the same as setting all.
#[test]
fn tangents_of_set_keys_are_those_of_the_whole_clip() {
    let mut editor = editor();
    editor.session.workspace.new_ease = keypose::anim::key::Ease::Cubic;
    for (at, angle) in [(0, 10.0), (7, 80.0), (13, 200.0), (20, 30.0)] {
        do_all(
            &mut editor,
            [Action::Tool(ToolAction::SetAutoKey(AutoKey::Always)), Action::Playback(PlaybackAction::Seek(frame(at)))],
        );
        editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(angle) });
    }
    for (at, angle) in [(7, -60.0), (13, 90.0), (0, 170.0)] {
        do_all(&mut editor, [Action::Playback(PlaybackAction::Seek(frame(at)))]);
        editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(angle) });
        let clip = &editor.clip().unwrap().clip;
        let mut whole = (**clip).clone();
        keypose::anim::tangent::resolve_tangents(&mut whole);
        assert_eq!(whole, **clip, "{at}");
    }
}

#[test]
fn a_patch_lies_over_the_base_alone_and_needs_one() {
    let mut editor = editor();
    assert!(Command::SavePatch.can_run(&editor).is_err(), "an untitled document has no base");
    editor.update(FileAction::SavePatch(Some("p.wad".into())));
    assert!(editor.session.transient.notice.as_ref().is_some_and(|notice| notice.text.contains("save the document")));
    editor.update(FileAction::Saved { document: editor.document.clone(), path: "a.wad".into(), below: vec![] });
    let asked = editor.update(Command::SavePatch);
    assert!(matches!(asked[..], [Effect::AskPath(PathPurpose::SavePatch)]), "{asked:?}");
    let saved = |effects: &[Effect]| match effects {
        [Effect::Save { path, below, .. }] => (path.clone(), below.clone()),
        other => panic!("{other:?}"),
    };
    let patch = saved(&editor.update(FileAction::SavePatch(Some("p".into()))));
    assert_eq!(patch, ("p.wad".into(), vec!["a.wad".into()]));
    let (path, below) = patch;
    editor.update(FileAction::Saved { document: editor.document.clone(), path, below });
    assert_eq!(editor.title, "p.wad over a.wad");
    assert_eq!(saved(&editor.update(FileAction::Save)), ("p.wad".into(), vec!["a.wad".into()]));
    assert_eq!(
        saved(&editor.update(FileAction::SavePatch(Some("q.wad".into())))).1,
        [std::path::PathBuf::from("a.wad")]
    );
    assert_eq!(saved(&editor.update(FileAction::SaveAs(Some("b.wad".into())))), ("b.wad".into(), vec![]));
}

#[test]
fn a_saved_archive_gets_its_extension() {
    let mut editor = editor();
    editor.update(FileAction::Saved { document: editor.document.clone(), path: "a.wad".into(), below: vec![] });
    let cases = [("b", "b.wad"), ("knight v1.2", "knight v1.2.wad"), ("hero.glb", "hero.glb.wad"), ("C.WAD", "C.WAD")];
    for (name, expected) in cases {
        for action in [FileAction::SaveAs(Some(name.into())), FileAction::SavePatch(Some(name.into()))] {
            let effects = editor.update(action);
            let is_saved = |path: &std::path::Path| path.as_os_str() == expected;
            assert!(matches!(&effects[..], [Effect::Save { path, .. }] if is_saved(path)), "{name}: {effects:?}");
        }
    }
}

/// The cost of an edit of a long clip depends on the edit: the other keyframes are shared with the previous state.
#[test]
fn an_edit_copies_only_the_keyframes_that_it_changes() {
    let mut editor = editor();
    let clip = editor.clip().unwrap().id;
    let keys: Vec<(Time, Key)> = (0..200)
        .flat_map(|at| {
            (0..2).map(move |bone| (frame(at), Key::rotation(bone, Quat::from_rotation_z(at as f32 * 0.01))))
        })
        .collect();
    let change =
        |edit: KeyEdit| DocumentAction::Edit { label: "keys".into(), change: Change::Edits(vec![edit.into()]) };
    editor.update(change(KeyEdit::KeysAt { clip, keys }));
    let before = editor.clip().unwrap().clip.clone();
    let mut key = before.keyframes[100].keys[0];
    key.value = Quat::from_rotation_x(0.5).into();
    editor.update(change(KeyEdit::KeysAt { clip, keys: vec![(frame(100), key)] }));
    let after = editor.clip().unwrap().clip.clone();
    let copied = |from: &Clip, to: &Clip| {
        let pairs = from.keyframes.iter().zip(&to.keyframes);
        pairs.enumerate().filter(|(_, (a, b))| !a.keys.is_same(&b.keys)).map(|(at, _)| at).collect::<Vec<_>>()
    };
    // The neighbours have other tangents.
    let changed = copied(&before, &after);
    assert!(changed.contains(&100) && changed.iter().all(|at| (98..=102).contains(at)), "{changed:?}");
    editor.update(DocumentAction::Undo);
    assert!(copied(&before, &editor.clip().unwrap().clip).is_empty());
}
