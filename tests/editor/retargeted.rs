//! Clips that follow those of another model: the preview, and what an archive keeps of them.

use keypose::anim::time::Time;
use keypose::assets::clip_notes::Derivation;
use keypose::wad::{self, decode};
use keypose_editor::editor::script;
use keypose_editor::editor::session::retargeting::RetargetAction;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{Action, Origin};
use keypose_editor::editor::view::scene::frame;

use crate::editor_kit::two_sizes;

fn with_words(words: &str) -> Editor {
    let mut editor = two_sizes();
    script::run(&mut editor, words).unwrap();
    editor
}

#[test]
fn the_preview_shows_both_models_at_the_same_time() {
    let mut editor = with_words("model giant; run retargeted-clip");
    let shown = |editor: &Editor| {
        let frame = frame(editor.source(), &editor.view());
        let models = frame.models.iter().map(|draw| (draw.model.name.clone(), draw.world_from_model.w_axis.x));
        (models.collect::<Vec<_>>(), editor.view().local.get(1).rotation.to_scaled_axis().z.to_degrees())
    };
    let (models, angle) = shown(&editor);
    assert_eq!((models.len(), &*models[0].0, models[0].1, &*models[1].0), (2, "giant", 0.0, "puppet"));
    assert!(models[1].1 < -0.3 && angle.abs() < 0.01, "{models:?} {angle}");
    editor.update(Action::Tick(Time::SECOND / 6));
    let posed = editor.session.transient.pose.retargeting().cloned().unwrap();
    assert_eq!(posed.time, Time::SECOND / 6);
    let angle = shown(&editor).1;
    assert!((angle - 45.0).abs() < 20.0 && angle > 1.0, "{angle}");
    // It follows an edit of its source.
    script::run(&mut editor, "model puppet; run retargeted-clip").unwrap();
    assert!(editor.session.transient.pose.retargeting().is_none(), "the giant has no clips");
}

#[test]
fn the_preview_adds_one_clip_or_all() {
    let mut editor = with_words("model giant; run retargeted-clip");
    editor.update(RetargetAction::Add);
    let names = |editor: &Editor| {
        let model = editor.model().unwrap();
        model.clips.iter().map(|slot| slot.clip.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!((names(&editor), editor.history.undo_label()), (vec!["wave".into()], Some("Add retargeted clip")));
    assert_eq!(editor.session.focus.clip, Some(editor.model().unwrap().clips[0].id));
    script::run(&mut editor, "undo; run retargeted-clip").unwrap();
    editor.update(RetargetAction::AddAll);
    assert_eq!((names(&editor), editor.history.undo_count()), (vec!["wave".into(), "empty".into()], 1));
    // The clip that was added stands beside its source, unless that is switched off.
    let drawn = |editor: &Editor| frame(editor.source(), &editor.view()).models.len();
    assert_eq!(drawn(&editor), 2);
    script::run(&mut editor, "run toggle-source").unwrap();
    assert_eq!(drawn(&editor), 1);
}

#[test]
fn an_archive_keeps_what_a_clip_of_another_model_follows() {
    let editor = with_words("model giant; retarget puppet wave; clip wave; folder far");
    let bytes = wad::encode(editor.document.project(), &[]).unwrap();
    let decoded = decode(&bytes).unwrap();
    assert_eq!(decoded.findings, Vec::<String>::new());
    let project = &decoded.project;
    let (giant, source) = (&project.models[1], project.models[0].clips[0].id);
    let derived = giant.derived(giant.clips[0].id).unwrap();
    assert_eq!((derived.source, derived.how), (source, Derivation::Retargeted));
    let mut again = Editor::new(decoded.project, &Origin::New);
    script::run(&mut again, "model puppet; clip wave; duration 1 4; model giant => strip = 4f 10f").unwrap();
}

#[test]
fn a_source_that_an_archive_lacks_is_a_finding() {
    let editor = with_words("model giant; retarget puppet wave");
    let mut project = keypose::assets::project::Project::clone(editor.document.project());
    project.models.remove(0);
    let decoded = decode(&wad::encode(&project, &[]).unwrap()).unwrap();
    assert_eq!(decoded.project.models[0].clips.len(), 1);
    assert!(decoded.project.models[0].clip_notes.is_empty());
}
