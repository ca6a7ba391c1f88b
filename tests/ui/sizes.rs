//! What has room at the sizes that the program is made for: nothing that it says is cut or drawn over, clips and viewport
//! have priority, and panels adapt to the window.

use std::collections::BTreeSet;

use keypose::anim::clip::Clip;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::assets::id::ClipId;
use keypose::assets::model::{ClipSlot, Model};
use keypose::assets::project::Project;
use keypose_editor::editor::document::edit::ModelEdit;
use keypose_editor::editor::panels::ui::rect::Rect;
use keypose_editor::editor::panels::window::layout::Panel;
use keypose_editor::editor::posing::change::Change;
use keypose_editor::editor::script;
use keypose_editor::editor::session::Popup;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::state::action::{DocumentAction, FileAction, ProgramAction};

use crate::driver::{Driver, arm};

/// Points: a window of 1280 × 720 pixels, one of 1920 × 1080 at 200 %, and one of 1280 × 720 at 150 %.
const SIZES: [[f32; 2]; 3] = [[1280.0, 720.0], [960.0, 540.0], [853.0, 480.0]];

/// What the editor is like, in words.
const STATES: [&str; 6] = [
    "",
    "select upper",
    "select root upper lower; switch only-keyed",
    "clip rest",
    "clip none",
    "select upper; seek 2f; pose upper rotation 0 0 20",
];

const POPUPS: [Popup; 10] = [
    Popup::KeyMenu,
    Popup::EaseMenu,
    Popup::HandlesMenu,
    Popup::Finder,
    Popup::Shortcuts,
    Popup::MirrorTable,
    Popup::TransferWeights,
    Popup::BoneMap,
    Popup::Preferences,
    Popup::About,
];

fn cut(driver: &Driver, place: &str, found: &mut BTreeSet<String>) {
    found.extend(driver.ids().iter().filter_map(|id| Some(format!("{place}: {}", id.strip_prefix("cut: ")?))));
}

/// The panels that are in front once in a state: few where nothing but the selection and a pose is new.
fn panels(state: &str) -> &'static [Panel] {
    if state.starts_with("select upper") { &[Panel::Inspector, Panel::Strip] } else { &Panel::ALL }
}

/// Panels in front once each.
fn look_at(panels: &[Panel], driver: &mut Driver, place: &str, found: &mut BTreeSet<String>) {
    for panel in panels {
        driver.dock.show(*panel);
        driver.frames(3);
        cut(driver, &format!("{place}, {}", panel.name()), found);
    }
}

/// The arm with twelve clips, beside a second model.
fn with_twelve_clips() -> Project {
    let mut project = arm();
    let mut model = Model::clone(&project.models[0]);
    for number in model.clips.len()..12 {
        model
            .clips
            .push(ClipSlot { id: ClipId(100 + number as u32), clip: Clip::new(format!("clip_{number}")).into() });
    }
    project.models = vec![model.clone().into(), Model { name: "other".into(), ..model }.into()];
    project
}

#[test]
fn clips_are_visible_in_a_small_window() {
    for (size, count) in [(SIZES[0], 7), ([1600.0, 900.0], 8)] {
        let driver = Driver::new(with_twelve_clips(), size);
        let list = driver.place("##clips");
        let rows = driver.model().clips.iter().map(|slot| driver.place(&format!("clip{}", slot.id.0)));
        let visible = rows.filter(|row| row.min[1] >= list.min[1] - 0.5 && row.max[1] <= list.max[1] + 0.5).count();
        assert!(visible >= count, "{size:?}: {visible} clips");
    }
}

/// Points: windows of 1280 × 720 to 3840 × 2160 pixels at 200 %, and two at 100 %.
const SCALED: [[f32; 2]; 6] =
    [[640.0, 360.0], [800.0, 500.0], [960.0, 540.0], [1920.0, 1080.0], [1280.0, 720.0], [1600.0, 1000.0]];

#[test]
fn the_viewport_keeps_its_part_when_window_or_scale_change() {
    let mut driver = Driver::new(with_twelve_clips(), SIZES[0]);
    for size in SCALED.into_iter().chain(SCALED.into_iter().rev()) {
        driver.resize(size);
        let area = |id: &str| driver.place(id).size().iter().product::<f32>();
        assert!(area("picture") >= size[0] * size[1] * 0.27, "{size:?}: {:?}", driver.place("picture"));
        assert!(driver.has("ruler"), "{size:?}: the timeline is in front");
        let (panel, block) = (driver.place("panel Timeline"), driver.place("block0"));
        assert!(block.min[1] + 12.0 < panel.max[1], "{size:?}: keyframes are visible");
    }
}

/// In a window of 560 × 450 points, the tabs of the six panels below the viewport have no room.
#[test]
fn tabs_without_room_scroll_and_keep_their_words() {
    let width = |driver: &Driver, panel: Panel| driver.place(&format!("tab {}", panel.name())).width();
    let last = |driver: &Driver| driver.place("tab Log");
    let panels = [Panel::Strip, Panel::Machine, Panel::References, Panel::Materials, Panel::Log];
    // One driver at a time: they share the context of Dear ImGui.
    let wide = {
        let driver = Driver::new(arm(), [1600.0, 900.0]);
        panels.map(|panel| width(&driver, panel))
    };
    let mut narrow = Driver::new(arm(), [560.0, 450.0]);
    for (panel, wide) in panels.into_iter().zip(wide) {
        assert!((wide - width(&narrow, panel)).abs() < 1.0, "{panel:?}");
    }
    assert!(last(&narrow).max[0] > 560.0, "the last tab is beyond the edge");
    narrow.show(Panel::Log);
    narrow.frames(40);
    assert!(last(&narrow).max[0] <= 560.0, "a tab that comes to the front is scrolled to: {:?}", last(&narrow));
}

/// Drags the splitter left of the viewport. Returns where the viewport began.
fn drag_left_splitter(driver: &mut Driver) -> [f32; 2] {
    let edge = driver.place("picture").min;
    driver.drag_between([edge[0] - 1.5, edge[1] + 100.0], [edge[0] + 80.0, edge[1] + 100.0]);
    edge
}

#[test]
fn panels_that_the_user_resized_stay_so() {
    let mut driver = Driver::new(arm(), SIZES[0]);
    let edge = drag_left_splitter(&mut driver);
    let wide = driver.place("##clips").width();
    assert!(driver.place("picture").min[0] > edge[0] + 60.0, "the splitter was dragged");
    driver.resize([1300.0, 760.0]);
    assert!((driver.place("##clips").width() - wide).abs() < 4.0);
}

#[test]
fn a_layout_saved_at_another_scale_is_arranged_for_this_one_unless_the_user_moved_panels() {
    let places =
        |driver: &Driver| ["picture", "##clips", "##bones", "ruler"].map(|id| driver.has(id).then(|| driver.place(id)));
    let arranged = SCALED.map(|size| {
        let mut driver = Driver::new(with_twelve_clips(), size);
        let layout = driver.layout();
        assert!(layout.1.is_some(), "{size:?}");
        (layout, places(&driver))
    });
    for (from, (layout, _)) in arranged.iter().enumerate() {
        for to in [0, 1, 3].map(|step| (from + step) % SCALED.len()) {
            let mut driver = Driver::fresh(with_twelve_clips(), SCALED[to]);
            driver.restore(layout);
            driver.frames(8);
            for (place, expected) in places(&driver).iter().zip(&arranged[to].1) {
                let near = |a: [f32; 2], b: [f32; 2]| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()) < 6.0;
                let is_there = match (place, expected) {
                    (Some(place), Some(expected)) => near(place.min, expected.min) && near(place.max, expected.max),
                    _ => place == expected,
                };
                assert!(is_there, "{:?} to {:?}: {place:?} for {expected:?}", SCALED[from], SCALED[to]);
            }
        }
    }
    let mut driver = Driver::new(arm(), SIZES[0]);
    drag_left_splitter(&mut driver);
    driver.frames(3);
    assert_eq!(driver.layout().1, None);
}

#[test]
fn eight_bones_are_visible_beside_eight_clips() {
    let mut project = with_twelve_clips();
    let model = std::sync::Arc::make_mut(&mut project.models[0]);
    let mut bones = model.skeleton.bones().to_vec();
    for number in bones.len()..20 {
        bones.push(Bone { name: format!("bone {number}"), parent: Some(number as u16 - 1), ..bones[1].clone() });
    }
    model.skeleton = Skeleton::new(bones).unwrap().into();
    project.models.truncate(1);
    let driver = Driver::new(project, [1600.0, 900.0]);
    let list = driver.place("##bones");
    let is_visible = |id: &String| {
        let row = driver.place(id);
        row.min[1] >= list.min[1] - 0.5 && row.max[1] <= list.max[1] + 0.5
    };
    let rows: Vec<String> = (0..20).map(|bone| format!("bone{bone}")).filter(|id| driver.has(id)).collect();
    let visible = rows.iter().filter(|id| is_visible(id)).count();
    assert!(visible >= 8, "{visible} bones");
    let list = driver.place("##clips");
    let rows = driver.model().clips.iter().map(|slot| driver.place(&format!("clip{}", slot.id.0)));
    let clips = rows.filter(|row| row.min[1] >= list.min[1] - 0.5 && row.max[1] <= list.max[1] + 0.5).count();
    assert!(clips >= 8, "{clips} clips");
}

/// Pairs of texts of which both are visible in the same place.
fn overlaps(driver: &Driver, place: &str, found: &mut BTreeSet<String>) {
    let texts: Vec<(String, Rect)> = driver
        .ids()
        .into_iter()
        .filter(|id| id.starts_with("text "))
        .map(|id| {
            let rect = driver.place(&id).inset(1.0, 4.0);
            (id, rect)
        })
        .filter(|(_, rect)| rect.width() > 0.0 && rect.height() > 0.0)
        .collect();
    for (at, (text, rect)) in texts.iter().enumerate() {
        for (other, over) in &texts[at + 1..] {
            let both = rect.intersection(over);
            if both.width() > 0.0 && both.height() > 0.0 {
                found.insert(format!("{place}: \"{text}\" and \"{other}\""));
            }
        }
    }
}

#[test]
fn no_text_is_over_another_one() {
    let mut found = BTreeSet::new();
    for size in SIZES.into_iter().chain([SCALED[0]]) {
        let mut driver = Driver::new(with_twelve_clips(), size);
        for state in STATES {
            script::run(&mut driver.editor, state).unwrap();
            for panel in panels(state) {
                driver.dock.show(*panel);
                driver.frames(3);
                overlaps(&driver, &format!("{size:?} {state}, {}", panel.name()), &mut found);
            }
        }
    }
    assert!(found.is_empty(), "{}", found.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn nothing_over_the_viewport_covers_another() {
    const OVER: [&str; 5] = ["first-steps", "hint", "stats", "legend", "tools"];
    for size in SCALED {
        let mut driver = Driver::new(arm(), size);
        driver.update(ProgramAction::ShowFirstSteps(true));
        script::run(&mut driver.editor, "select upper").unwrap();
        driver.update(Command::ShadeWeights);
        for with_stats in [false, true] {
            if with_stats {
                driver.update(Command::ToggleStats);
            }
            let area = driver.place("picture");
            driver.point(area.center());
            driver.strike("R");
            driver.point([area.center()[0] + 60.0, area.center()[1] + 10.0]);
            for needed in ["first-steps", "hint", "legend", "tools"] {
                assert!(driver.has(needed), "{size:?}: {needed}");
            }
            let shown: Vec<(&str, Rect)> =
                OVER.into_iter().filter(|id| driver.has(id)).map(|id| (id, driver.place(id))).collect();
            for (at, (id, rect)) in shown.iter().enumerate() {
                assert!(rect.intersection(&area) == *rect, "{size:?}: {id} {rect:?} leaves the viewport {area:?}");
                for (other, over) in &shown[at + 1..] {
                    assert!(!rect.overlaps(over), "{size:?}: {id} {rect:?} and {other} {over:?}");
                }
            }
            driver.strike("Escape");
        }
    }
}

#[test]
fn the_name_of_a_panel_is_shown_once() {
    let mut driver = Driver::new(arm(), SIZES[0]);
    for panel in Panel::ALL {
        driver.dock.show(panel);
        driver.frames(3);
        // Dear ImGui draws the names on tabs; the viewport has none.
        let title = driver.place(&format!("panel {}", panel.name())).top(40.0).left(140.0);
        let is_name = |id: &&String| id.split_once(": ").is_some_and(|(_, text)| text == panel.name());
        let ids = driver.ids();
        let twice = ids.iter().filter(is_name).find(|id| title.contains(driver.place(id).center()));
        assert_eq!(twice, None, "{}", panel.name());
    }
}

#[test]
fn no_panel_cuts_its_words() {
    let mut found = BTreeSet::new();
    for size in SIZES {
        let mut driver = Driver::new(arm(), size);
        for state in STATES {
            script::run(&mut driver.editor, state).unwrap();
            look_at(panels(state), &mut driver, &format!("{size:?} {state}"), &mut found);
        }
        for view in [Command::ShowSheet, Command::ShowCurves] {
            driver.update(view);
            look_at(&Panel::ALL, &mut driver, &format!("{size:?} {view:?}"), &mut found);
        }
        // Where there is little room the names in the machine's picture shrink with it, and are cut.
        if size == SIZES[0] {
            driver.update(Command::CreateStateMachine);
            look_at(&Panel::ALL, &mut driver, &format!("{size:?} machine"), &mut found);
        }
    }
    assert!(found.is_empty(), "{}", found.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn an_empty_document_cuts_no_words() {
    let mut found = BTreeSet::new();
    for size in SIZES {
        let mut driver = Driver::new(Default::default(), size);
        look_at(&Panel::ALL, &mut driver, &format!("{size:?} empty"), &mut found);
    }
    assert!(found.is_empty(), "{}", found.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn no_popup_cuts_its_words() {
    let mut found = BTreeSet::new();
    for size in SIZES {
        let mut driver = Driver::new(arm(), size);
        let change = Change::Edits(vec![ModelEdit::RenameModel { model: 0, name: "other".into() }.into()]);
        driver.update(DocumentAction::Edit { label: "rename".into(), change });
        for popup in POPUPS {
            driver.update(ProgramAction::ShowPopup(Some(popup)));
            driver.frames(4);
            cut(&driver, &format!("{size:?} {popup:?}"), &mut found);
            driver.update(ProgramAction::ShowPopup(None));
            driver.frames(3);
        }
        driver.update(FileAction::New);
        driver.frames(4);
        cut(&driver, &format!("{size:?} unsaved"), &mut found);
    }
    assert!(found.is_empty(), "{}", found.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn what_is_typed_in_a_long_list_finds_an_entry() {
    let mut driver = Driver::new(with_twelve_clips(), [1600.0, 900.0]);
    driver.show(Panel::Game);
    driver.frames(3);
    driver.click("state-idle");
    driver.frames(3);
    assert!(driver.has("state-idle-clip_3"));
    driver.text("P_7");
    driver.frames(3);
    assert!(driver.has("state-idle-clip_7") && !driver.has("state-idle-clip_3"));
    driver.key(imgui::Key::Enter);
    driver.frames(3);
    let row = driver.model().machine.states.iter().find(|row| row.state == "idle").map(|row| row.clip.clone());
    assert_eq!(row.as_deref(), Some("clip_7"));
    assert!(!driver.has("state-idle-clip_7"), "the list is closed");
}
