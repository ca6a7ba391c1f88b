//! Selecting bones with mouse and keys: ranges, the filter, mesh nodes, deep trees, context menus.

use glam::Vec3;
use imgui::{Key as UiKey, MouseButton};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::transform::Transform;
use keypose::assets::model::Model;
use keypose::assets::project::Project;
use keypose_editor::editor::gesture::screen::Screen;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::state::action::{BoneAction, SelectAction};
use keypose_editor::editor::view::bone_list;
use keypose_tools::import;

use crate::driver::{Driver, SIZE, arm};
use crate::root::root;

/// A chain of 30 bones whose names differ only at their ends, and a leg beside it.
fn chain() -> Driver {
    let bone = |name: String, parent| Bone { name, parent, rest: Transform::from_translation(Vec3::Y) };
    let name = |at: u16| match at {
        29 => "armature_of_the_left_upper_and_lower_forearm.L".to_owned(),
        30 => "leg.R".to_owned(),
        _ => format!("joint_number_{at}"),
    };
    // In level order the leg comes after the second bone of the chain.
    let mut bones = vec![bone(name(0), None), bone(name(1), Some(0)), bone(name(30), Some(0))];
    bones.extend((2..30).map(|at| bone(name(at), Some(if at == 2 { 1 } else { at }))));
    let mut project = Project::default();
    let skeleton = Skeleton::new(bones).unwrap().into();
    project.add_model(Model { name: "chain".into(), skeleton, ..Model::default() });
    Driver::new(project, SIZE)
}

/// A model with two skinned meshes, and a tool that hangs on the hand.
fn with_mesh_nodes() -> Driver {
    let file = root().join("data/tests/models/two_skins.glb");
    let bytes = std::fs::read(file).unwrap();
    let imported = import::import("two_skins.glb", &bytes, &mut |_| Err("no other file".into())).unwrap();
    let mut project = Project::default();
    project.add_model(imported.model);
    Driver::new(project, [1280.0, 1000.0])
}

/// The names of the selected bones; the last one is active.
fn selected(driver: &Driver) -> Vec<String> {
    let skeleton = &driver.model().skeleton;
    let bones = &driver.editor.session.focus.selection.bones;
    bones.iter().map(|&bone| skeleton.get(bone).unwrap().name.clone()).collect()
}

/// Clicks with the right button on the place of a bone in the viewport.
fn right_click_bone(driver: &mut Driver, name: &str, moved: f32) {
    let bone = driver.model().skeleton.find(name).unwrap();
    let place = driver.editor.view().pose.get(bone).translation();
    let pixel = Screen::of(&driver.editor.session).pixel(place).unwrap();
    let [x, y] = driver.place("picture").min;
    driver.point([x + pixel.x, y + pixel.y]);
    driver.button(MouseButton::Right, true);
    driver.point([x + pixel.x + moved, y + pixel.y]);
    driver.button(MouseButton::Right, false);
}

#[test]
fn shift_click_selects_the_range_of_the_list_and_the_clicked_bone_is_active() {
    let mut driver = Driver::new(arm(), SIZE);
    driver.click("bone2");
    driver.click_holding(UiKey::ModShift, "bone0");
    assert_eq!(selected(&driver), ["upper", "lower", "root"]);
    // The range starts at the bone that was clicked without Shift.
    driver.click_holding(UiKey::ModShift, "bone1");
    assert_eq!(selected(&driver), ["lower", "upper"]);
    driver.click_holding(UiKey::ModCtrl, "bone0");
    assert_eq!(selected(&driver), ["lower", "upper", "root"]);
    driver.click_holding(UiKey::ModCtrl, "bone0");
    assert_eq!(selected(&driver), ["lower", "upper"]);
}

#[test]
fn a_range_follows_the_order_of_the_tree_and_ignores_what_is_folded() {
    let mut driver = chain();
    driver.click("bone0");
    driver.click_holding(UiKey::ModShift, "bone4");
    assert_eq!(selected(&driver), ["joint_number_0", "joint_number_1", "joint_number_2", "joint_number_3"]);
    let [x, y] = driver.place("bone1").min;
    driver.click_at([x + 8.0 + 12.0, y + 12.0]);
    assert!(!driver.has("bone3"), "the second bone is folded");
    driver.click("bone0");
    driver.click_holding(UiKey::ModShift, "bone2");
    assert_eq!(selected(&driver), ["joint_number_0", "joint_number_1", "leg.R"]);
}

#[test]
fn the_active_bone_stays_when_more_bones_are_selected() {
    let mut driver = Driver::new(arm(), SIZE);
    driver.click("bone1");
    driver.hover("picture");
    driver.strike("A");
    assert_eq!(selected(&driver), ["root", "lower", "upper"]);
    driver.strike("B");
    let area = driver.place("picture");
    driver.drag_between([area.min[0] + 60.0, area.min[1] + 60.0], [area.max[0] - 150.0, area.max[1] - 60.0]);
    assert_eq!(selected(&driver), ["root", "lower", "upper"], "the box holds all bones");
}

#[test]
fn select_all_over_the_list_takes_what_matches_the_filter() {
    let mut driver = chain();
    driver.click("bone-search");
    driver.type_line("number_1");
    let listed = bone_list::lines(driver.model(), &driver.editor.session.focus.bone_filter, &Default::default());
    assert_eq!(listed.len(), 11, "1 and 10 to 19");
    driver.hover("bone1");
    driver.strike("A");
    assert_eq!(selected(&driver).len(), 11);
    assert!(selected(&driver).iter().all(|name| name.contains("number_1")));
    driver.hover("picture");
    driver.strike("A");
    assert_eq!(selected(&driver).len(), 31, "over the viewport, the filter of the list doesn't count");
}

#[test]
fn the_list_scrolls_to_the_bone_that_was_selected_elsewhere() {
    let mut driver = chain();
    let last = driver.model().skeleton.find("armature_of_the_left_upper_and_lower_forearm.L").unwrap();
    let is_visible = |driver: &Driver| {
        if !driver.has(&format!("bone{last}")) {
            return false;
        }
        let (row, list) = (driver.place(&format!("bone{last}")), driver.place("bone-search"));
        row.min[1] >= list.max[1] && row.max[1] <= SIZE[1]
    };
    assert!(!is_visible(&driver));
    driver.update(SelectAction::Bones { bones: vec![last], pick: Default::default() });
    driver.frames(3);
    assert!(is_visible(&driver));
    // A filter moves it, and clearing the filter must not lose it.
    driver.update(BoneAction::Filter("joint".into()));
    driver.frames(3);
    driver.update(BoneAction::Filter(String::new()));
    driver.frames(3);
    assert!(is_visible(&driver));
}

#[test]
fn names_of_deep_bones_keep_their_end_and_most_of_the_width() {
    let mut driver = chain();
    let last = driver.model().skeleton.find("armature_of_the_left_upper_and_lower_forearm.L").unwrap();
    driver.update(SelectAction::Bones { bones: vec![last], pick: Default::default() });
    driver.frames(3);
    let row = driver.place(&format!("bone{last}"));
    let is_end =
        |id: &String| id.contains(": …") && id.ends_with("forearm.L") && row.contains(driver.place(id).center());
    let shown = driver.ids().into_iter().find(is_end).unwrap_or_else(|| panic!("{:?}", driver.ids()));
    assert!(driver.place(&shown).width() > 0.4 * row.width());
}

#[test]
fn mesh_nodes_have_a_section_of_their_own() {
    let mut driver = with_mesh_nodes();
    let node = |driver: &Driver, name: &str| format!("bone{}", driver.model().skeleton.find(name).unwrap());
    let top = driver.place("mesh-nodes").min[1];
    for name in ["root", "upper", "lower", "hand"] {
        assert!(driver.place(&node(&driver, name)).min[1] < top, "{name}");
    }
    for name in ["tool", "body", "second"] {
        assert!(driver.place(&node(&driver, name)).min[1] > top, "{name}");
    }
    driver.hover("picture");
    driver.strike("A");
    assert_eq!(selected(&driver), ["root", "upper", "lower", "hand"]);
    driver.click("mesh-nodes");
    assert!(!driver.has(&node(&driver, "tool")));
    // A mesh node that is selected elsewhere unfolds the section.
    let tool = driver.model().skeleton.find("tool").unwrap();
    driver.update(SelectAction::Bones { bones: vec![tool], pick: Default::default() });
    driver.frames(3);
    assert!(driver.has(&node(&driver, "tool")));
    driver.update(BoneAction::Filter("tool".into()));
    driver.frames(2);
    assert!(driver.has(&node(&driver, "tool")) && !driver.has(&node(&driver, "root")));
}

#[test]
fn the_menu_of_a_bone_acts_on_the_selection() {
    let mut driver = Driver::new(arm(), SIZE);
    driver.click("bone1");
    driver.click_holding(UiKey::ModCtrl, "bone2");
    driver.choose_in_menu("bone2", Command::Hide.label());
    assert_eq!(driver.editor.session.focus.hidden.iter().copied().collect::<Vec<_>>(), [1, 2]);
    driver.click_with("bone0", MouseButton::Right);
    assert_eq!(selected(&driver), ["root"], "a bone outside of the selection replaces it");
    driver.click(Command::Reveal.label());
    assert!(driver.editor.session.focus.hidden.is_empty());
}

#[test]
fn a_right_click_in_the_viewport_opens_a_menu_and_a_drag_orbits() {
    let mut driver = Driver::new(arm(), SIZE);
    let camera = driver.editor.session.focus.camera;
    right_click_bone(&mut driver, "lower", 0.0);
    assert_eq!(selected(&driver), ["lower"]);
    assert!(driver.has(Command::TogglePin.label()));
    assert_eq!(driver.editor.session.focus.camera, camera);
    driver.click(Command::TogglePin.label());
    assert!(driver.editor.session.focus.pins.contains(&2));
    right_click_bone(&mut driver, "upper", 60.0);
    assert_eq!(selected(&driver), ["lower"], "a drag selects nothing");
    assert!(!driver.has(Command::TogglePin.label()));
    assert_ne!(driver.editor.session.focus.camera, camera);
}

#[test]
fn without_a_selection_the_menu_of_the_viewport_is_about_pose_and_view() {
    let mut driver = Driver::new(arm(), SIZE);
    let area = driver.place("picture");
    driver.point([area.max[0] - 40.0, area.max[1] - 80.0]);
    driver.button(MouseButton::Right, true);
    driver.button(MouseButton::Right, false);
    assert!(!driver.has(Command::TogglePin.label()));
    driver.click(Command::SelectAll.label());
    assert_eq!(selected(&driver), ["root", "upper", "lower"]);
}
