//! Input methods: text is composed at the caret, committed or given up, in the name of a clip and in search fields. The
//! keys with which it is composed are no commands and no text.

use imgui::Key as UiKey;
use keypose_editor::editor::panels::window::composition::Composing;
use keypose_editor::editor::session::switch::Switch;

use crate::driver::{Driver, UiEvent, arm, struck};

fn changed(text: &str) -> (Option<&'static str>, UiEvent) {
    let converted = (!text.is_empty()).then_some((0, text.len()));
    (None, UiEvent::Compose(Composing::Changed(text.to_owned(), converted)))
}

fn committed(text: &str) -> (Option<&'static str>, UiEvent) {
    (None, UiEvent::Compose(Composing::Committed(text.to_owned())))
}

#[test]
fn a_clip_gets_a_composed_name() {
    let mut driver = Driver::new(arm(), [1280.0, 720.0]);
    driver.strike("N");
    driver.frames(4);
    let clips = driver.model().clips.len();
    driver.all_in_one_frame(&[changed("wa")]);
    assert!(driver.has("composition: wa"), "{:?}", driver.ids());
    // Some systems also report the keys: they are the input method's.
    driver.all_in_one_frame(&[
        struck("Enter", UiKey::Enter, None),
        struck("Escape", UiKey::Escape, None),
        struck("N", UiKey::N, Some('n')),
        struck("Ctrl+Z", UiKey::Z, None),
        changed("å"),
    ]);
    assert!(driver.has("composition: å") && !driver.has("composition: wa"));
    assert_eq!(driver.model().clips.len(), clips);
    driver.all_in_one_frame(&[committed("åä"), struck("X", UiKey::X, Some('x')), changed("q"), changed("")]);
    assert!(!driver.ids().iter().any(|id| id.starts_with("composition")));
    driver.all_in_one_frame(&[struck("Enter", UiKey::Enter, None)]);
    assert!(
        driver.model().clip_named("åäx").is_some(),
        "{:?}",
        driver.model().clips.iter().map(|slot| &slot.clip.name).collect::<Vec<_>>()
    );
}

#[test]
fn searches_take_composed_text_and_forget_what_is_cancelled() {
    let mut driver = Driver::new(arm(), [1280.0, 720.0]);
    driver.click("bone-search");
    driver.frames(2);
    driver.all_in_one_frame(&[changed("up"), committed("up"), changed("zz"), changed("")]);
    driver.frames(3);
    assert_eq!(driver.editor.session.focus.bone_filter, "up");
    driver.all_in_one_frame(&[changed("zz"), (None, UiEvent::Compose(Composing::Ended))]);
    driver.all_in_one_frame(&[struck("P", UiKey::P, Some('p'))]);
    assert_eq!(driver.editor.session.focus.bone_filter, "upp", "keys count again");
    driver.key(UiKey::Escape);
    driver.strike("F3");
    driver.frames(4);
    let is_grid_on = driver.editor.session.is_on(Switch::Grid);
    driver.all_in_one_frame(&[changed("gr"), committed("grid"), struck("Enter", UiKey::Enter, None)]);
    driver.frames(3);
    assert_ne!(driver.editor.session.is_on(Switch::Grid), is_grid_on);
}

#[test]
fn a_composition_without_a_text_field_is_not_shown() {
    let mut driver = Driver::new(arm(), [1280.0, 720.0]);
    driver.all_in_one_frame(&[changed("wa"), struck("N", UiKey::N, Some('n'))]);
    assert!(!driver.has("composition: wa"));
    assert_eq!(driver.model().clips.len(), 2, "the key is the input method's");
}
