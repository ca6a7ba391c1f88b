//! What surrounds the work, driven by mouse and keys: layouts, history, preferences, start, first steps, recovery.

use keypose::assets::project::Project;
use keypose_editor::editor::panels::view::start;
use keypose_editor::editor::panels::window::browser::FileBrowser;
use keypose_editor::editor::panels::window::status_bar::Figures;
use keypose_editor::editor::session::browser::BrowserAction;
use keypose_editor::editor::session::browser::entry::Listing;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::first_steps::STEPS;
use keypose_editor::editor::session::preferences::{Prefer, Shade};
use keypose_editor::editor::session::recent_file::RecentFile;
use keypose_editor::editor::session::shortcuts::{KeyName, Stroke};
use keypose_editor::editor::state::action::{FileAction, ProgramAction};
use keypose_editor::editor::state::effect::{Effect, PathPurpose};
use keypose_editor::editor::state::export_options::Moments;
use keypose_editor::render::frame::framed_model::CameraAngle;

use crate::driver::{Driver, SIZE, arm, demo, driver};

/// What only the body of a panel draws.
const INSPECTOR: &str = "frames";
const GAME: &str = "play-test";

#[test]
fn no_frame_of_a_layout_shows_the_wrong_tab() {
    let mut driver = Driver::fresh(arm(), SIZE);
    let mut has_shown = false;
    for number in 0..8 {
        driver.frame();
        // Windows that have just appeared are built, and hidden.
        assert!(number < 1 || !driver.has(GAME), "frame {number}");
        has_shown |= driver.has(INSPECTOR);
    }
    assert!(has_shown && driver.has("block0"));
    driver.update(Command::ArrangeGame);
    for number in 0..8 {
        driver.frame();
        assert!(number < 1 || !driver.has(INSPECTOR), "frame {number} after the change");
    }
    assert!(driver.has(GAME));
    driver.update(Command::ArrangeTiming);
    driver.frames(8);
    assert!(driver.has(INSPECTOR) && driver.has("block0"));
}

#[test]
fn the_tabs_are_the_same_after_the_game() {
    let mut driver = driver();
    driver.dock.show(keypose_editor::editor::panels::window::layout::Panel::Game);
    driver.frames(4);
    assert!(driver.has(GAME));
    driver.frames_without_panels(5);
    for number in 0..8 {
        driver.frame();
        assert!(!driver.has(INSPECTOR), "frame {number}");
    }
    assert!(driver.has(GAME));
}

#[test]
fn a_click_in_the_history_goes_there() {
    let mut driver = driver();
    driver.dock.show(keypose_editor::editor::panels::window::layout::Panel::History);
    for _ in 0..3 {
        driver.update(keypose_editor::editor::session::command::Command::DuplicateClip);
        driver.frame();
    }
    driver.frames(3);
    driver.click("step1");
    assert_eq!((driver.editor.history.undo_count(), driver.editor.history.redo_count()), (1, 2));
    driver.click("step3");
    assert_eq!(driver.editor.history.undo_count(), 3);
    driver.click("step0");
    assert_eq!(driver.model().clips.len(), 2);
    assert!(!driver.editor.is_dirty());
}

/// The first key of a command as text; empty if it has none.
fn key_of(driver: &Driver, command: Command) -> String {
    driver.editor.session.workspace.bindings.of(command).first().map(Stroke::to_string).unwrap_or_default()
}

#[test]
fn a_key_is_changed_by_pressing_it_and_a_conflict_is_named() {
    let mut driver = driver();
    driver.strike("Ctrl+,");
    driver.frames(3);
    driver.click("keys-search");
    driver.text("save as");
    driver.click("bind-SaveAs");
    driver.strike("F10");
    assert_eq!(key_of(&driver, Command::SaveAs), "F10");
    driver.click("bind-SaveAs");
    driver.strike("Esc");
    assert_eq!(key_of(&driver, Command::SaveAs), "F10", "Esc leaves it");
    driver.click("bind-SaveAs");
    driver.strike("3");
    assert_eq!(key_of(&driver, Command::SaveAs), "F10", "digits are for sets");
    driver.click("bind-SaveAs");
    driver.strike("Ctrl+Q");
    assert_eq!(key_of(&driver, Command::SaveAs), "F10", "it is asked first");
    driver.frames(2);
    driver.strike("Esc");
    driver.frames(2);
    assert!(!driver.has("take-key") && driver.has("bind-SaveAs"), "Esc ends the question, not the preferences");
    driver.click("bind-SaveAs");
    driver.strike("Ctrl+Q");
    driver.frames(2);
    driver.click("take-key");
    assert_eq!((key_of(&driver, Command::SaveAs), key_of(&driver, Command::Quit)), ("Ctrl+Q".into(), String::new()));
    assert!(!driver.effects.iter().any(|effect| matches!(effect, Effect::Quit)));
    driver.click("reset-keys");
    assert_eq!(
        (key_of(&driver, Command::SaveAs), key_of(&driver, Command::Quit)),
        ("Ctrl+Shift+S".into(), "Ctrl+Q".into())
    );
}

#[test]
fn a_click_elsewhere_ends_waiting_for_a_key() {
    let mut driver = driver();
    driver.strike("Ctrl+,");
    driver.frames(3);
    driver.click("keys-search");
    driver.text("save as");
    driver.click("bind-SaveAs");
    driver.click("keys-search");
    driver.strike("F10");
    assert_eq!(key_of(&driver, Command::SaveAs), "Ctrl+Shift+S", "the search has the keys");
    driver.click("bind-SaveAs");
    driver.click_at([3.0, SIZE[1] - 3.0]);
    assert!(!driver.has("bind-SaveAs"));
    driver.strike("F10");
    assert_eq!(key_of(&driver, Command::SaveAs), "Ctrl+Shift+S", "the preferences are closed");
}

#[test]
fn theme_and_size_are_chosen_in_the_preferences() {
    let mut driver = driver();
    driver.strike("Ctrl+,");
    driver.frames(3);
    driver.click("prefer-Theme-Light");
    driver.click("prefer-Size-150 %");
    let preferences = &driver.editor.session.workspace.preferences;
    assert_eq!((preferences.shade, preferences.scale_percent), (Shade::Light, 150));
    driver.strike("Esc");
    driver.frames(2);
    assert!(!driver.has("prefer-Theme-Light"));
    driver.strike("Ctrl+-");
    assert_eq!(driver.editor.session.workspace.preferences.scale_percent, 125);
}

#[test]
fn without_a_document_demo_and_recent_files_are_offered() {
    let mut driver = Driver::new(Project::default(), SIZE);
    for name in ["/x/gone.wad", "/x/there.wad"] {
        driver.update(Prefer::Remember(name.into()));
    }
    let gone = RecentFile { path: "/x/gone.wad".into(), stamp: None };
    driver.update(ProgramAction::RecentFiles(vec![gone]));
    driver.frames(2);
    driver.click("recent0");
    assert!(matches!(driver.effects.last(), Some(Effect::Open(path)) if path.ends_with("there.wad")));
    driver.click("start-OpenDemo");
    assert!(matches!(driver.effects.last(), Some(Effect::OpenDemo)));
}

#[test]
fn a_recent_file_is_removed_by_a_slow_click() {
    let mut driver = Driver::new(Project::default(), SIZE);
    driver.update(Prefer::Remember("/x/there.wad".into()));
    driver.frames(2);
    driver.hover("recent0");
    driver.take("forget0");
    for _ in 0..30 {
        driver.frame();
        assert!(driver.has("forget0"), "it vanishes while it is pressed");
    }
    driver.button(imgui::MouseButton::Left, false);
    driver.frames(2);
    assert!(driver.editor.session.workspace.preferences.recent.is_empty());
}

#[test]
fn the_first_steps_follow_what_is_done_and_can_be_dismissed() {
    let mut driver = driver();
    driver.update(ProgramAction::ShowFirstSteps(true));
    let step = |driver: &Driver| driver.editor.session.workspace.first_steps.map(|steps| steps.step);
    driver.click("bone1");
    assert_eq!(step(&driver), Some(1));
    driver.drag("Rotation2", [60.0, 0.0]);
    assert_eq!(step(&driver), Some(2), "a pose on a keyframe is keyed automatically");
    driver.click("steps-back");
    driver.click("steps-next");
    assert_eq!(step(&driver), Some(2));
    driver.click("steps-end");
    assert_eq!(step(&driver), None);
    assert!(driver.editor.session.workspace.preferences.knows_first_steps);
    driver.update(Command::FirstSteps);
    assert_eq!(step(&driver), Some(0));
    driver.update(FileAction::PlayTest);
    assert_eq!(step(&driver), Some(0), "playing is the last step");
    driver.update(ProgramAction::GoToFirstStep(STEPS.len() - 1));
    driver.update(FileAction::PlayTest);
    assert_eq!(step(&driver), None);
}

#[test]
fn recovered_steps_are_discarded_only_after_confirmation() {
    let mut driver = driver();
    driver.update(FileAction::Recovered(12));
    driver.frames(2);
    driver.click("recovery-discard");
    driver.click("recovery-keep");
    driver.click("recovery-discard");
    assert!(!driver.effects.iter().any(|effect| matches!(effect, Effect::DiscardRecovered)));
    driver.click("recovery-discard");
    assert!(matches!(driver.effects.last(), Some(Effect::DiscardRecovered)));
    driver.frames(2);
    assert!(!driver.has("recovery-discard"));
    driver.update(FileAction::Recovered(1));
    driver.frames(2);
    driver.click("recovery-keep");
    assert_eq!(driver.editor.session.transient.recovered, None);
}

#[test]
fn keys_can_be_anything_but_what_is_reserved() {
    let mut driver = driver();
    driver.update(ProgramAction::Bind { command: Command::Save, strokes: vec![Stroke::new(KeyName::F(9))] });
    driver.strike("Ctrl+S");
    assert!(driver.effects.is_empty());
    driver.strike("F9");
    assert!(matches!(driver.effects.as_slice(), [Effect::AskPath(_)]));
}

#[test]
fn what_is_exported_is_chosen_beside_the_path_and_the_ending_follows() {
    let mut driver = driver();
    driver.strike("Ctrl+Shift+E");
    assert!(matches!(driver.effects.as_slice(), [Effect::AskPath(PathPurpose::Image)]));
    driver.dock.browse(FileBrowser::new(PathPurpose::Image, "a/wave.gif".into()));
    driver.frames(4);
    let (folder, entries) = ("a".into(), vec![]);
    let listing = Listing { folder, entries, fault: None, read_at: 0 };
    driver.update(BrowserAction::Listed(listing.into()));
    for (list, choice) in [("Poses", "Keyframes as PNG"), ("View", "Front"), ("Size", "256 px")] {
        driver.choose(&format!("export-{list}"), choice);
    }
    driver.click("export-Bones-Shown");
    driver.click("browser-done");
    let Some(Effect::ExportPicture { path, options }) = driver.effects.last() else { panic!("{:?}", driver.effects) };
    assert_eq!(path.to_str(), Some("a/wave.png"));
    assert_eq!((options.moments, options.view, options.side), (Moments::Keyframes, CameraAngle::Front, 256));
    assert!(options.has_bones);
}

#[test]
fn long_work_is_shown_and_cancelled() {
    let mut driver = driver();
    driver.figures.busy = "opening a.glb".into();
    driver.frames(2);
    assert!(!driver.has("cancel-job"), "a save is not cancelled");
    (driver.figures.can_cancel, driver.figures.progress) = (true, Some(0.4));
    driver.frames(2);
    driver.click("cancel-job");
    assert!(matches!(driver.effects.as_slice(), [Effect::CancelJob]));
}

#[test]
fn the_start_screen_promises_what_the_demo_contains() {
    let project = demo();
    let models: Vec<&str> = project.models.iter().map(|model| model.name.as_str()).collect();
    let levels: Vec<&str> = project.levels.iter().map(|level| level.name.as_str()).collect();
    assert_eq!(
        (models, levels),
        (vec!["knight", "sword", "dummy", "goblin", "bat"], vec!["courtyard", "lake", "keep"])
    );
    let clips = project.models[0].clips.len();
    assert_eq!(start::DEMO, format!("A knight with a sword, {clips} clips, foes and three levels to play"));
    assert_eq!((STEPS.len(), start::FIRST_STEPS), (5, "Learn the basics in five steps"));
}

#[test]
fn a_section_of_the_inspector_folds() {
    let mut driver = driver();
    driver.click("bone1");
    assert!(driver.has("Rotation0") && driver.has("frames"));
    driver.click("fold-transform");
    driver.frames(2);
    assert!(!driver.has("Rotation0") && driver.has("frames"));
    driver.click("fold-transform");
    driver.frames(2);
    assert!(driver.has("Rotation0"));
}

#[test]
fn the_status_bar_shows_the_age_of_unsaved_work_and_dropped_frames() {
    let mut driver = driver();
    let shows =
        |driver: &Driver, text: &str| driver.ids().iter().any(|id| id.starts_with("text ") && id.contains(text));
    assert!(!shows(&driver, "unsaved") && !shows(&driver, "dropped"));
    driver.figures.unsaved_secs = Some(3);
    driver.frame();
    assert!(shows(&driver, "unsaved work stored just now"));
    driver.figures = Figures { unsaved_secs: Some(75), frames_per_sec: Some(58), dropped: 2, ..Figures::default() };
    driver.frame();
    assert!(shows(&driver, "unsaved work stored 1 min ago    58 fps, 2 dropped"));
    driver.resize([640.0, 360.0]);
    assert!(shows(&driver, "58 fps, 2 dropped") && !shows(&driver, "vertices"), "figures have priorities");
}
