//! The names that other files use for a bone, typed in the inspector.

use imgui::Key as UiKey;
use keypose_editor::editor::session::selection::Pick;
use keypose_editor::editor::state::action::SelectAction;

use crate::driver::Driver;
use crate::fields::with_bones;

fn names(driver: &Driver) -> Vec<(&str, &str)> {
    let names = &driver.model().rig.other_names;
    names.iter().map(|(name, bone)| (name.as_str(), bone.as_str())).collect()
}

fn type_names(driver: &mut Driver, text: &str, end: UiKey) {
    driver.click("Also called");
    driver.frames(3);
    driver.text(text);
    driver.key(end);
    driver.frames(3);
}

#[test]
fn names_are_typed_kept_and_taken_back() {
    let mut driver = with_bones(&[1]);
    type_names(&mut driver, "LeftArm, Bip001 L UpperArm", UiKey::Enter);
    assert_eq!(names(&driver), [("Bip001 L UpperArm", "upper"), ("LeftArm", "upper")]);
    assert_eq!(driver.editor.history.labels().last(), Some("Set other names"));
    type_names(&mut driver, "nothing", UiKey::Escape);
    assert_eq!(names(&driver).len(), 2, "Escape leaves them");
    driver.update(SelectAction::Bones { bones: vec![2], pick: Pick::Only });
    driver.frames(3);
    type_names(&mut driver, "LeftArm", UiKey::Enter);
    assert_eq!(names(&driver), [("Bip001 L UpperArm", "upper"), ("LeftArm", "lower")], "a name is one bone's only");
    driver.strike("ctrl+z");
    driver.frames(3);
    assert_eq!(names(&driver).len(), 2);
    assert_eq!(names(&driver)[1], ("LeftArm", "upper"));
}
