//! The panels, driven by mouse and keys: each does what it shows.

use std::sync::Arc;
use std::time::Duration;

use imgui::{Key as UiKey, MouseButton};
use keypose::anim::clip::LoopMode;
use keypose::anim::key::Channel;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::time::{FrameRate, Time};
use keypose::assets::printable::printable;
use keypose::assets::project::Project;
use keypose_editor::editor::panels::ui::menu;
use keypose_editor::editor::session::Popup;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::tool::Tool;
use keypose_editor::editor::state::action::{Action, ClipAction, PlaybackAction};
use keypose_editor::editor::state::effect::Effect;

use crate::driver::{Driver, SIZE, arm, driver, frames};

fn angle(driver: &Driver, keyframe: usize) -> f32 {
    let key = driver.clip().keyframes[keyframe].key(1, Channel::Rotation).unwrap();
    glam::Quat::from_vec4(key.value).to_euler(glam::EulerRot::XYZ).2.to_degrees()
}

#[test]
fn a_click_in_the_list_opens_a_clip() {
    let mut driver = driver();
    let second = driver.model().clips[1].id;
    driver.click(&format!("clip{}", second.0));
    assert_eq!(driver.editor.session.focus.clip, Some(second));
}

#[test]
fn a_double_click_renames_a_clip() {
    let mut driver = driver();
    let first = driver.model().clips[0].id;
    driver.enter(&format!("clip{}", first.0), "Läufe");
    assert_eq!(driver.clip().name, "Läufe");
    driver.strike("Ctrl+Z");
    assert_eq!(driver.clip().name, "wave");
}

#[test]
fn escape_leaves_the_name_as_it_was() {
    let mut driver = driver();
    driver.strike("F2");
    driver.frames(2);
    driver.text("gone");
    driver.key(UiKey::Escape);
    assert_eq!(driver.clip().name, "wave");
    assert_eq!(driver.editor.history.undo_count(), 0);
}

#[test]
fn the_search_hides_what_does_not_match() {
    let mut driver = driver();
    let ids: Vec<_> = driver.model().clips.iter().map(|slot| format!("clip{}", slot.id.0)).collect();
    driver.click("clip-search");
    driver.text("RES");
    driver.frames(2);
    assert!(!driver.has(&ids[0]) && driver.has(&ids[1]));
}

#[test]
fn a_click_in_the_tree_selects_a_bone() {
    let mut driver = driver();
    driver.click("bone2");
    assert_eq!(driver.editor.session.focus.selection.bones, [2]);
    assert_eq!(driver.editor.session.transient.hover, Some(2));
    driver.point([640.0, 10.0]);
    assert_eq!(driver.editor.session.transient.hover, None);
}

#[test]
fn dragging_a_number_is_one_step() {
    let mut driver = driver();
    driver.click("bone1");
    driver.drag("Rotation2", [60.0, 0.0]);
    let turned = angle(&driver, 0);
    assert!(turned > 5.0, "{turned}");
    assert_eq!(driver.editor.history.undo_count(), 1);
    assert!(driver.editor.gesture.is_none());
    driver.strike("Ctrl+Z");
    assert!(angle(&driver, 0).abs() < 1e-3);
}

#[test]
fn double_clicks_count_in_slow_frames_and_slow_clicks_do_not() {
    for (millis, frames_between, types) in
        [(16, 0, true), (250, 0, true), (900, 0, true), (16, 30, false), (250, 4, false)]
    {
        let mut driver = driver();
        driver.click("bone1");
        driver.slow_down(Duration::from_millis(millis));
        driver.frames(4);
        driver.hover("Rotation2");
        for _ in 0..2 {
            driver.button_now(MouseButton::Left, true);
            driver.button_now(MouseButton::Left, false);
            driver.frames(frames_between);
        }
        driver.type_line("35");
        assert_eq!((angle(&driver, 0) - 35.0).abs() < 1e-3, types, "{millis} ms, {frames_between} frames between");
    }
}

#[test]
fn the_menu_resets_a_number() {
    let mut driver = driver();
    driver.click("bone1");
    driver.click("block1");
    driver.choose_in_menu("Rotation2", "Reset");
    assert!(angle(&driver, 1).abs() < 1e-3);
    assert!((angle(&driver, 2) + 20.0).abs() < 1e-3);
}

/// Dear ImGui never reports the end of a drag if its widget is not drawn in that frame.
#[test]
fn a_hidden_panel_commits() {
    let mut driver = driver();
    driver.click("bone1");
    driver.pull("Rotation2", [40.0, 0.0]);
    assert!(driver.editor.gesture.is_some());
    driver.dock.show(keypose_editor::editor::panels::window::layout::Panel::Game);
    driver.frames(3);
    assert!(!driver.has("Rotation2"), "the inspector is behind the game panel");
    driver.button(MouseButton::Left, false);
    assert!(driver.editor.gesture.is_none());
    assert_eq!(driver.editor.history.undo_count(), 1);
    assert!(angle(&driver, 0) > 5.0);
}

#[test]
fn the_mark_keys_and_unkeys() {
    let mut driver = driver();
    driver.click("bone1");
    let is_keyed = |driver: &Driver| driver.clip().keyframes[0].key(1, Channel::Translation).is_some();
    driver.click("key-Translation");
    assert!(is_keyed(&driver));
    driver.click("key-Translation");
    assert!(!is_keyed(&driver));
    assert_eq!(driver.editor.history.undo_count(), 2);
}

#[test]
fn a_pose_between_keyframes_is_a_draft_that_its_mark_keys() {
    let mut driver = driver();
    driver.click("bone1");
    driver.update(PlaybackAction::Seek(frames(2)));
    driver.frame();
    driver.drag("Rotation2", [60.0, 0.0]);
    assert_eq!(driver.model().drafts.len(), 1);
    assert_eq!(driver.clip().keyframes.len(), 3);
    driver.click("key-Rotation");
    assert!(driver.model().drafts.is_empty());
    assert_eq!(driver.clip().keyframes.len(), 4);
}

#[test]
fn an_edge_retimes_its_keyframe_in_one_step() {
    let mut driver = driver();
    let width = driver.place("block1").size()[0];
    driver.drag("edge1", [width / 2.0, 0.0]);
    let durations: Vec<_> = driver.clip().keyframes.iter().map(|keyframe| keyframe.duration).collect();
    assert_eq!(durations, [frames(4), frames(9), frames(10)]);
    assert_eq!(driver.editor.history.undo_count(), 1);
}

#[test]
fn dragging_a_block_reorders() {
    let mut driver = driver();
    let by = driver.place("block2").center()[0] + 40.0 - driver.place("block0").center()[0];
    driver.drag("block0", [by, 0.0]);
    let durations: Vec<_> = driver.clip().keyframes.iter().map(|keyframe| keyframe.duration).collect();
    assert_eq!(durations, [frames(6), frames(10), frames(4)]);
    assert_eq!(driver.editor.history.undo_count(), 1);
}

#[test]
fn a_click_on_a_block_selects_it_and_goes_there() {
    let mut driver = driver();
    driver.click("block2");
    assert_eq!(driver.editor.session.focus.selection.keyframes.iter().copied().collect::<Vec<_>>(), [2]);
    assert_eq!(driver.editor.session.focus.playhead.time, frames(10));
    assert_eq!(driver.editor.history.undo_count(), 0);
    driver.strike("Delete");
    assert_eq!(driver.clip().keyframes.len(), 2);
}

#[test]
fn the_plus_keys_the_pose_behind_the_last_keyframe() {
    let mut driver = driver();
    driver.click("append");
    assert_eq!(driver.clip().keyframes.len(), 4);
    assert_eq!(driver.editor.session.focus.playhead.time, frames(20));
    assert_eq!(driver.editor.session.focus.selection.last_keyframe, Some(3));
}

#[test]
fn the_plus_keys_the_pose_on_screen_also_in_a_loop() {
    let mut driver = driver();
    driver.update(ClipAction::SetLoopMode(LoopMode::Loop));
    driver.click("block1");
    driver.click("append");
    let key = |keyframe: usize| driver.clip().keyframes[keyframe].key(1, Channel::Rotation).unwrap().value;
    assert!((key(3).dot(key(1)).abs() - 1.0).abs() < 1e-5, "{} {}", key(3), key(1));
}

#[test]
fn the_ruler_scrubs_on_whole_frames() {
    let mut driver = driver();
    driver.drag("ruler", [7.0, 0.0]);
    let time = driver.editor.session.focus.playhead.time;
    assert!(time > Time::ZERO && time == FrameRate::FPS_30.snap(time), "{time}");
    driver.update(Command::ToggleSnapTime);
    driver.drag("ruler", [9.0, 0.0]);
    let time = driver.editor.session.focus.playhead.time;
    assert!(time != FrameRate::FPS_30.snap(time), "Snap is off: {time}");
}

#[test]
fn tools_play_and_undo_answer_their_buttons_and_keys() {
    let mut driver = driver();
    driver.click("tool1");
    assert_eq!(driver.editor.session.workspace.tool, Tool::Move);
    driver.click("transport2");
    assert!(driver.editor.session.focus.playhead.is_playing);
    driver.strike("Space");
    assert!(!driver.editor.session.focus.playhead.is_playing);
}

#[test]
fn a_menu_entry_runs_its_command() {
    let mut driver = driver();
    driver.click("Clip");
    driver.click("New clip");
    assert_eq!(driver.model().clips.len(), 3);
    driver.frames(2);
    assert!(!driver.has("New clip"), "the menu has closed");
}

#[test]
fn the_command_search_finds_and_runs() {
    let mut driver = driver();
    driver.strike("F3");
    driver.frames(3);
    assert_eq!(driver.editor.session.transient.popup, Some(Popup::Finder));
    driver.type_line("duplicate clip");
    assert_eq!(driver.model().clips.len(), 3);
    assert_eq!(driver.editor.session.transient.popup, None);
}

#[test]
fn closing_with_changes_asks_and_cancel_keeps_them() {
    let mut driver = driver();
    driver.strike("N");
    driver.frames(3);
    driver.key(UiKey::Escape);
    driver.strike("Ctrl+Q");
    driver.frames(3);
    assert!(driver.editor.session.transient.question.is_some());
    driver.click("answer2");
    driver.frames(2);
    assert!(driver.editor.session.transient.question.is_none());
    assert!(driver.editor.is_dirty());
    assert!(!driver.effects.iter().any(|effect| matches!(effect, Effect::Quit)));
    driver.strike("Ctrl+Q");
    driver.frames(3);
    driver.click("answer1");
    assert!(driver.effects.iter().any(|effect| matches!(effect, Effect::Quit)));
}

#[test]
fn every_panel_is_drawn_without_a_document_and_with_hostile_names() {
    drop(Driver::new(Project::default(), SIZE));
    let mut project = arm();
    let model = std::sync::Arc::make_mut(&mut project.models[0]);
    for (slot, name) in model.clips.iter_mut().zip(["##", "###%s%n\u{0}"]) {
        std::sync::Arc::make_mut(&mut slot.clip).name = name.into();
    }
    model.name = "##".into();
    let mut driver = Driver::new(project, SIZE);
    driver.dock.show(keypose_editor::editor::panels::window::layout::Panel::Game);
    driver.frames(3);
    driver.strike("F3");
    driver.frames(3);
}

/// Names with a control of the writing direction, the end of a line, an invisible letter, a terminal's command and Dear ImGui's own
/// sign for an id.
#[test]
fn names_in_panels_cannot_hide_or_reverse_letters() {
    let mut project = arm();
    let model = Arc::make_mut(&mut project.models[0]);
    let hostile = |name: &str| format!("{name}\u{202e}x\ny\u{200b}##z\u{1b}[0m");
    model.name = hostile("model");
    for slot in &mut model.clips {
        Arc::make_mut(&mut slot.clip).name = hostile("clip");
    }
    let bones = model.skeleton.bones().iter().map(|bone| Bone { name: hostile(&bone.name), ..bone.clone() });
    model.skeleton = Arc::new(Skeleton::new(bones.collect()).unwrap());
    project.add_model(project.models[0].as_ref().clone());
    let mut driver = Driver::new(project, [1600.0, 1000.0]);
    for layout in [Command::ArrangePosing, Command::ArrangeTiming, Command::ArrangeGame] {
        driver.update(Action::Run(layout));
        driver.frames(6);
        let texts: Vec<String> = driver.ids().into_iter().filter(|id| id.starts_with("text ")).collect();
        assert!(texts.iter().any(|text| text.contains("\\u{202e}")), "{layout:?}: {texts:#?}");
        assert!(texts.iter().all(|text| printable(text) == text.as_str()), "{layout:?}: {texts:#?}");
    }
    let label = menu::shown("a##b\u{202e}##clip7");
    assert_eq!(label, "a# #b\\u{202e}##clip7", "a menu shows the whole name");
}

#[test]
fn a_panel_below_fills_the_window_by_a_key_and_gives_the_others_back() {
    let mut driver = Driver::new(arm(), [1280.0, 720.0]);
    let before = driver.place("panel Timeline");
    driver.hover("ruler");
    driver.strike("Shift+Space");
    driver.frames(3);
    let filled = driver.place("panel Timeline");
    assert!(filled.width() > 1270.0 && filled.height() > 600.0, "{filled:?}");
    assert!(!driver.has("picture") && !driver.has("##clips"));
    driver.click("filled Machine");
    driver.frames(3);
    assert!(driver.has("panel Machine") && !driver.has("panel Timeline"));
    driver.strike("Shift+Space");
    driver.frames(4);
    assert!(driver.has("picture") && driver.has("##clips"));
    assert_eq!(driver.place("panel Timeline"), before, "and it is in front again");
}

#[test]
fn curves_are_below_the_dope_sheet_with_a_splitter_between() {
    let mut driver = Driver::new(arm(), [1280.0, 720.0]);
    driver.click("bone1");
    driver.update(Action::Run(Command::ShowCurves));
    driver.frames(3);
    let (sheet, curves, grip) = (driver.place("##sheet"), driver.place("curves"), driver.place("time-splitter"));
    assert!(sheet.max[1] <= grip.min[1] + 1.0 && grip.max[1] <= curves.min[1] + 1.0, "{sheet:?} {grip:?} {curves:?}");
    driver.drag("time-splitter", [0.0, -300.0]);
    driver.frames(2);
    assert!(!driver.has("##sheet") && driver.place("curves").height() > curves.height() + 40.0);
}
