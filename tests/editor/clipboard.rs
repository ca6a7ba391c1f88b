//! The clipboard between windows: what one editor copies, another one pastes from the text.

use keypose_editor::editor::script;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::state::action::{ClipboardAction, ProgramAction};

use crate::editor_kit::{self, notice};

/// The text that an editor copies after a script.
fn copied(script: &str) -> String {
    let mut editor = editor_kit::editor();
    script::run(&mut editor, script).unwrap();
    editor_kit::copied(&mut editor, Command::Copy)
}

#[test]
fn another_window_pastes_what_one_copied() {
    let text = copied("seek 10f; select upper.L");
    assert!(text.starts_with("Keypose clipboard 1\npose 235200000\nkey position linear auto 0.2 0.4 0 "), "{text}");
    let mut other = editor_kit::editor();
    other.update(ClipboardAction::Arrived(text));
    script::run(&mut other, "clip empty; key Ctrl+V over viewport").unwrap();
    assert_eq!(script::show(&other, "pose upper.L rotation").unwrap(), "0 0 90");
    assert_eq!(script::show(&other, "selected").unwrap(), "upper.L");
}

#[test]
fn keyframes_and_keys_arrive_with_their_durations_and_times() {
    let mut other = editor_kit::editor();
    other.update(ClipboardAction::Arrived(copied("duration 2 4f; pick-keyframe 1; pick-keyframes-to 2")));
    script::run(&mut other, "clip empty; key Ctrl+V over timeline").unwrap();
    assert_eq!(script::show(&other, "strip").unwrap(), "10f 4f");
    other.update(ClipboardAction::Arrived(copied("pick-key 1 upper.L rotation; add-key 2 upper.L rotation")));
    script::run(&mut other, "seek 14f; key Ctrl+V over timeline").unwrap();
    assert_eq!(script::show(&other, "strip").unwrap(), "10f 4f 10f 4f");
}

#[test]
fn bones_that_another_model_lacks_are_counted_and_named() {
    let mut legs = editor_kit::legs_editor();
    legs.update(ClipboardAction::Arrived(copied("select root upper.L hand.L")));
    legs.update(Command::PastePose);
    assert_eq!(notice(&legs), "Pasted the pose of 1 bone. 6 keys have no bone here: upper.L, hand.L.");
    legs.update(ClipboardAction::Arrived(copied("select hand.L")));
    legs.update(Command::PastePose);
    assert_eq!(notice(&legs), "Nothing on the clipboard fits this model. 3 keys have no bone here: hand.L.");
    assert_eq!(legs.history.undo_count(), 1);
}

#[test]
fn keyframes_and_keys_of_missing_bones_are_counted_and_named() {
    let mut legs = editor_kit::legs_editor();
    legs.update(Command::NewClip);
    legs.update(ClipboardAction::Arrived(copied("pick-keyframe 1; pick-keyframes-to 2")));
    script::run(&mut legs, "key Ctrl+V over timeline").unwrap();
    let refused = notice(&legs);
    assert!(refused.starts_with("Nothing on the clipboard fits this model. "), "{refused}");
    assert!(refused.contains(" keys have no bone here: ") && refused.contains("upper.L"), "{refused}");
    assert_eq!(script::show(&legs, "strip").unwrap(), "", "no empty keyframes");
    let both = copied("pick-keyframe 1; pick-keyframes-to 2").replacen("upper.L", "hips", 1);
    legs.update(ClipboardAction::Arrived(both));
    script::run(&mut legs, "key Ctrl+V over timeline").unwrap();
    let pasted = notice(&legs);
    assert!(pasted.starts_with("Pasted 2 keyframes into the empty clip. "), "{pasted}");
    assert!(pasted.contains(" no bone here: upper.L"), "{pasted}");
}

#[test]
fn foreign_and_damaged_text_leaves_the_last_copy() {
    let mut editor = editor_kit::editor();
    script::run(&mut editor, "seek 10f; select upper.L; run copy").unwrap();
    for text in ["https://example.org", "", "Keypose clipboard 2\npose", "Keypose clipboard 1\npose x"] {
        editor.update(ClipboardAction::Arrived(text.into()));
    }
    assert!(notice(&editor).starts_with("The clipboard is damaged: line 2"), "{}", notice(&editor));
    script::run(&mut editor, "clip empty; run paste").unwrap();
    assert_eq!(script::show(&editor, "pose upper.L rotation").unwrap(), "0 0 90");
}

#[test]
fn an_applied_pose_says_to_how_many_bones_and_offers_the_others() {
    let mut editor = editor_kit::editor();
    let text = "clip none; pose upper.L rotation 0 0 40 hand.L rotation 0 0 20; select none; save-pose raised; \
        clip empty; select hand.L; apply-pose raised => pose hand.L rotation = 0 0 20, pose upper.L rotation = 0 0 0";
    script::run(&mut editor, text).unwrap();
    assert_eq!(notice(&editor), "Applied raised to 1 selected bone only.");
    editor.update(ProgramAction::AcceptOffer);
    assert_eq!(notice(&editor), "Applied raised to 5 bones.");
    // A selection without bones of the pose is no limit.
    let text =
        "=> pose upper.L rotation = 0 0 40, selected =\nselect hand.L; save-pose wrist; select root; apply-pose wrist";
    script::run(&mut editor, text).unwrap();
    assert_eq!(notice(&editor), "Applied wrist to 1 bone.");
}
