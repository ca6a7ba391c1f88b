//! Steps, gestures, undo and drafts of the editor's core: the tests that architecture.md names, and what keying means.

use glam::Quat;
use keypose::anim::clip::Clip;
use keypose::anim::key::{Channel, Key};
use keypose::anim::scalar::{Scalar, ScalarKind};
use keypose::anim::time::Time;
use keypose::assets::level::{Level, Rect};
use keypose::assets::sound::Sound;
use keypose_editor::editor::document::edit::{ClipEdit, Edit, Gap, KeyEdit, LevelEdit, ModelEdit, SoundEdit};
use keypose_editor::editor::posing::change::Change;
use keypose_editor::editor::session::Answer;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::keying::{AutoKey, KeyWhat};
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{
    Action, DocumentAction, FileAction, PlaybackAction, PoseAction, SelectAction, ToolAction,
};
use keypose_editor::editor::state::effect::{Effect, PathPurpose};
use keypose_editor::editor::view::Mark;

use crate::editor_kit::{do_all, editor, posed, rotation_of};

fn turn(degrees: f32) -> Change {
    Change::Pose(vec![posed(1, Quat::from_rotation_z(degrees.to_radians()))])
}

fn degrees(editor: &Editor) -> f32 {
    rotation_of(editor, 1).to_scaled_axis().z.to_degrees()
}

fn frames(editor: &Editor) -> Vec<i64> {
    let clip = &editor.clip().unwrap().clip;
    clip.keyframes.iter().map(|keyframe| clip.frame_rate.nearest_frame(keyframe.duration)).collect()
}

fn frame(number: i64) -> Time {
    keypose::anim::time::FrameRate::FPS_30.time_of(number)
}

#[test]
fn a_preview_replaces_the_last() {
    let mut editor = editor();
    editor.update(DocumentAction::Begin { label: "turn".into() });
    for angle in [10.0, 20.0, 90.0, 30.0] {
        editor.update(DocumentAction::Preview(turn(angle)));
        assert!((degrees(&editor) - angle).abs() < 1e-3);
    }
    editor.update(DocumentAction::Commit);
    assert!((degrees(&editor) - 30.0).abs() < 1e-3);
    assert_eq!(editor.history.undo_count(), 1);
    editor.update(DocumentAction::Undo);
    assert_eq!(degrees(&editor), 0.0);
}

#[test]
fn a_preview_without_begin_is_ignored() {
    let mut editor = editor();
    let before = editor.document.clone();
    editor.update(DocumentAction::Preview(turn(50.0)));
    assert!(editor.document.is_same(&before));
}

#[test]
fn an_edit_ends_redo() {
    let mut editor = editor();
    for angle in [10.0, 20.0, 30.0] {
        editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(angle) });
    }
    editor.update(DocumentAction::Undo);
    editor.update(DocumentAction::Undo);
    assert_eq!(editor.history.redo_count(), 2);
    editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(70.0) });
    assert_eq!(editor.history.redo_count(), 0);
    editor.update(DocumentAction::Redo);
    assert!((degrees(&editor) - 70.0).abs() < 1e-3);
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
fn a_bad_edit_changes_nothing() {
    let mut editor = editor();
    let clip = editor.session.focus.clip.unwrap();
    let before = editor.document.clone();
    let good: Edit = ClipEdit::RenameClip { clip, name: "good".into() }.into();
    let glow = Scalar { name: "glow".into(), bone: 0, kind: ScalarKind::Property, default: 0.0 };
    let bad: [Edit; 17] = [
        ModelEdit::AddScalar { model: 0, scalar: Scalar { bone: 99, ..glow.clone() } }.into(),
        ModelEdit::SetScalar { model: 0, scalar: 99, with: glow }.into(),
        ModelEdit::RemoveScalar { model: 0, scalar: 0 }.into(),
        ModelEdit::RemoveModel { model: 1 }.into(),
        ClipEdit::RenameClip { clip, name: "  ".into() }.into(),
        KeyEdit::SetDuration { clip, keyframe: 0, duration: Time(-5) }.into(),
        KeyEdit::SetDuration { clip, keyframe: 99, duration: frame(5) }.into(),
        KeyEdit::KeyAt { clip, time: Time(-1), keys: vec![] }.into(),
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
    let keys = vec![Key::scalar(1, 0, 0.5), Key::scalar(1, 1, 0.75)];
    edit(&mut editor, vec![KeyEdit::KeyAt { clip, time: frame(0), keys }.into()]);
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
fn a_cancelled_gesture_leaves_no_trace() {
    let mut editor = editor();
    let before = editor.document.clone();
    editor.update(DocumentAction::Begin { label: "turn".into() });
    editor.update(DocumentAction::Preview(turn(50.0)));
    editor.update(DocumentAction::Cancel);
    assert!(editor.document.is_same(&before));
    assert_eq!(editor.history.undo_count(), 0);
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
fn a_draft_survives_scrubbing_playing_and_undo() {
    let mut editor = editor();
    do_all(
        &mut editor,
        [Action::Tool(ToolAction::SetAutoKey(AutoKey::Never)), Action::Playback(PlaybackAction::Seek(frame(4)))],
    );
    editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(40.0) });
    assert_eq!(editor.view().mark(1, Channel::Rotation), Mark::Draft);
    do_all(
        &mut editor,
        [
            Action::Playback(PlaybackAction::Seek(frame(9))),
            Action::Playback(PlaybackAction::SetPlaying(true)),
            Action::Tick(frame(2)),
        ],
    );
    assert!(editor.view().draft.is_none());
    do_all(
        &mut editor,
        [Action::Playback(PlaybackAction::SetPlaying(false)), Action::Playback(PlaybackAction::Seek(frame(4)))],
    );
    assert!((degrees(&editor) - 40.0).abs() < 1e-3);
    do_all(&mut editor, [Action::Pose(PoseAction::DiscardDraft)]);
    assert!(editor.view().draft.is_none());
    editor.update(DocumentAction::Undo);
    assert!((degrees(&editor) - 40.0).abs() < 1e-3);
}

#[test]
fn a_draft_is_kept_by_keying_it() {
    for what in [KeyWhat::All, KeyWhat::Changed, KeyWhat::Selected] {
        let mut editor = editor();
        do_all(
            &mut editor,
            [
                Action::Select(SelectAction::Bones { bones: vec![1], pick: Pick::Only }),
                Action::Playback(PlaybackAction::Seek(frame(4))),
            ],
        );
        editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(40.0) });
        editor.update(PoseAction::Key(what));
        assert_eq!(frames(&editor), [4, 6, 10], "{what:?}");
        assert_eq!(editor.view().mark(1, Channel::Rotation), Mark::Keyed, "{what:?}");
        assert!((degrees(&editor) - 40.0).abs() < 1e-3, "{what:?}");
        assert!(editor.model().unwrap().drafts.is_empty(), "{what:?}");
    }
}

/// ```text
/// setting        on a keyframe   between keyframes
/// on keyframes   key             draft
/// always         key             key, new keyframe
/// never          draft           draft
/// ```
#[test]
fn auto_key_decides_between_keys_and_drafts() {
    let cases = [
        (AutoKey::OnKeyframes, 10, Mark::Keyed, 2),
        (AutoKey::OnKeyframes, 4, Mark::Draft, 2),
        (AutoKey::Always, 10, Mark::Keyed, 2),
        (AutoKey::Always, 4, Mark::Keyed, 3),
        (AutoKey::Never, 10, Mark::Draft, 2),
        (AutoKey::Never, 4, Mark::Draft, 2),
    ];
    for (setting, at, mark, keyframes) in cases {
        let mut editor = editor();
        do_all(
            &mut editor,
            [Action::Tool(ToolAction::SetAutoKey(setting)), Action::Playback(PlaybackAction::Seek(frame(at)))],
        );
        editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(40.0) });
        assert_eq!(editor.view().mark(1, Channel::Rotation), mark, "{setting:?} at {at}");
        assert_eq!(frames(&editor).len(), keyframes, "{setting:?} at {at}");
        assert!((degrees(&editor) - 40.0).abs() < 1e-3, "{setting:?} at {at}");
    }
}

#[test]
fn keying_without_a_clip_makes_one() {
    let mut editor = editor();
    do_all(&mut editor, [Action::Select(SelectAction::Clip(None))]);
    editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(40.0) });
    let clips = editor.model().unwrap().clips.len();
    editor.update(PoseAction::Key(KeyWhat::All));
    assert_eq!(editor.model().unwrap().clips.len(), clips + 1);
    assert_eq!(frames(&editor), [6]);
    assert!((degrees(&editor) - 40.0).abs() < 1e-3);
    editor.update(DocumentAction::Undo);
    assert_eq!(editor.session.focus.clip, None);
    assert!((degrees(&editor) - 40.0).abs() < 1e-3);
}

/// The clip of the kit has keyframes of 10 and 10 frames.
#[test]
fn keyframes_are_inserted_deleted_and_reordered_with_their_durations() {
    let set = |durations: &[i64]| {
        let mut editor = editor();
        let clip = editor.session.focus.clip.unwrap();
        let mut edits = vec![KeyEdit::SetDuration { clip, keyframe: 0, duration: frame(durations[0]) }.into()];
        edits.push(KeyEdit::SetDuration { clip, keyframe: 1, duration: frame(durations[1]) }.into());
        editor.update(DocumentAction::Edit { label: "set".into(), change: Change::Edits(edits) });
        (editor, clip)
    };
    /// Durations in frames before, what is done, durations after.
    type Case = (&'static [i64], fn(keypose::assets::id::ClipId) -> Edit, &'static [i64]);
    let cases: &[Case] = &[
        (&[10, 10], |clip| KeyEdit::KeyAt { clip, time: frame(4), keys: vec![] }.into(), &[4, 6, 10]),
        (&[10, 10], |clip| KeyEdit::KeyAt { clip, time: frame(25), keys: vec![] }.into(), &[10, 15, 10]),
        (&[10, 10], |clip| KeyEdit::KeyAt { clip, time: frame(10), keys: vec![] }.into(), &[10, 10]),
        (&[10, 0], |clip| KeyEdit::KeyAt { clip, time: frame(15), keys: vec![] }.into(), &[10, 5, 0]),
        (
            &[7, 3],
            |clip| KeyEdit::InsertAfter { clip, keyframe: 0, duration: frame(5), keys: vec![] }.into(),
            &[7, 5, 3],
        ),
        (
            &[7, 0],
            |clip| KeyEdit::InsertAfter { clip, keyframe: 1, duration: frame(5), keys: vec![] }.into(),
            &[7, 5, 0],
        ),
        (&[7, 3], |clip| KeyEdit::DuplicateKeyframe { clip, keyframe: 0 }.into(), &[7, 7, 3]),
        (&[7, 3], |clip| KeyEdit::DeleteKeyframes { clip, keyframes: vec![1], gap: Gap::Kept }.into(), &[10]),
        (&[7, 3], |clip| KeyEdit::DeleteKeyframes { clip, keyframes: vec![1], gap: Gap::Closed }.into(), &[7]),
        (&[7, 3], |clip| KeyEdit::DeleteKeyframes { clip, keyframes: vec![0], gap: Gap::Kept }.into(), &[3]),
        (&[7, 3], |clip| KeyEdit::MoveKeyframe { clip, from: 0, to: 1 }.into(), &[3, 7]),
        (&[7, 0], |clip| KeyEdit::MoveKeyframe { clip, from: 1, to: 0 }.into(), &[7, 7]),
    ];
    for (durations, edit, expected) in cases {
        let (mut editor, clip) = set(durations);
        editor.update(DocumentAction::Edit { label: "case".into(), change: Change::Edits(vec![edit(clip)]) });
        assert_eq!(frames(&editor), *expected, "{:?} of {durations:?}", edit(clip));
        editor.document.check().unwrap();
    }
}

#[test]
fn retiming_takes_events_and_drafts_along() {
    let mut editor = editor();
    let clip = editor.session.focus.clip.unwrap();
    let safe = keypose::assets::combat::Range { start: frame(2), end: frame(15) };
    let lanes = keypose::assets::combat::Lanes { invulnerable: vec![safe], ..Default::default() };
    let events = [2, 10, 15].map(|at| keypose::anim::clip::Event { time: frame(at), name: format!("at {at}") });
    do_all(
        &mut editor,
        [Action::Tool(ToolAction::SetAutoKey(AutoKey::Never)), Action::Playback(PlaybackAction::Seek(frame(12)))],
    );
    editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(40.0) });
    let edits = vec![
        ClipEdit::SetEvents { clip, events: events.to_vec().into() }.into(),
        ClipEdit::SetLanes { clip, lanes: Box::new(lanes) }.into(),
        KeyEdit::SetDuration { clip, keyframe: 0, duration: frame(20) }.into(),
    ];
    editor.update(DocumentAction::Edit { label: "retime".into(), change: Change::Edits(edits) });
    let times: Vec<_> = editor.clip().unwrap().clip.events.iter().map(|event| event.time).collect();
    assert_eq!(times, [frame(4), frame(20), frame(25)]);
    let model = editor.model().unwrap();
    let safe = model.combat.lanes_of(clip).invulnerable[0];
    assert_eq!((safe.start, safe.end, model.drafts[0].time), (frame(4), frame(25), frame(22)));
}

#[test]
fn a_loop_whose_end_differs_gets_a_way_back() {
    use keypose::anim::clip::LoopMode;
    let mut editor = editor();
    let clip = editor.session.focus.clip.unwrap();
    let edits = vec![
        KeyEdit::SetDuration { clip, keyframe: 1, duration: Time::ZERO }.into(),
        ClipEdit::SetLoopMode { clip, loop_mode: LoopMode::Loop }.into(),
    ];
    editor.update(DocumentAction::Edit { label: "loop".into(), change: Change::Edits(edits) });
    assert_eq!(frames(&editor), [10, 10]);
}

#[test]
fn unsaved_changes_are_asked_about() {
    for (answer, is_open) in [(Answer::Cancel, false), (Answer::Discard, true), (Answer::Save, false)] {
        let mut editor = editor();
        editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(10.0) });
        assert!(editor.update(FileAction::Open(Some("b.wad".into()))).is_empty());
        assert!(editor.session.transient.prompt.is_some());
        let effects = editor.update(FileAction::Answer(answer));
        let opens =
            effects.iter().any(|effect| matches!(effect, keypose_editor::editor::state::effect::Effect::Open(_)));
        assert_eq!(opens, is_open, "{answer:?}");
    }
    let mut editor = editor();
    editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(10.0) });
    editor.update(FileAction::Quit);
    editor.update(FileAction::Answer(Answer::Save));
    let effects =
        editor.update(FileAction::Saved { document: editor.document.clone(), path: "a.wad".into(), below: vec![] });
    assert!(effects.iter().any(|effect| matches!(effect, keypose_editor::editor::state::effect::Effect::Quit)));
}

#[test]
fn undo_goes_back_to_where_it_happened() {
    let mut editor = editor();
    let first = editor.session.focus.clip;
    editor.update(PlaybackAction::Seek(frame(10)));
    editor.update(DocumentAction::Edit { label: "turn".into(), change: turn(10.0) });
    do_all(
        &mut editor,
        [
            Action::Select(SelectAction::Clip(None)),
            Action::Select(SelectAction::Bones { bones: vec![2], pick: Pick::Only }),
        ],
    );
    editor.update(DocumentAction::Undo);
    assert_eq!((editor.session.focus.clip, editor.session.focus.playhead.time), (first, frame(10)));
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
    editor.update(change(KeyEdit::SetKeys { clip, keyframe: 100, keys: vec![key] }));
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
