//! Groups of narrow keyframes in the pose strip, driven by mouse and keys.

use std::ops::Range;

use imgui::{Key as UiKey, MouseButton};
use keypose::anim::time::{FrameRate, Time};
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::state::action::Action;

use crate::driver::{Driver, SIZE, dense};

/// On 81 keyframes.
fn driver() -> Driver {
    Driver::new(dense(81), SIZE)
}

/// The rotations of the keyframes, without their tangents, which depend on the neighbours.
fn values(driver: &Driver) -> Vec<f32> {
    driver.clip().keyframes.iter().map(|keyframe| keyframe.keys[0].value.z).collect()
}

/// The drawn groups: their keyframes, and how many of them are shown as selected.
fn groups(driver: &Driver) -> Vec<(Range<usize>, usize)> {
    let group = |id: &String| {
        let (count, rest) = id.split_once(" in group")?;
        let (first, selected) = rest.strip_suffix(" selected")?.split_once(": ")?;
        let (first, count): (usize, usize) = (first.parse().ok()?, count.parse().ok()?);
        Some((first..first + count, selected.parse().ok()?))
    };
    let mut groups: Vec<_> = driver.ids().iter().filter_map(group).collect();
    groups.sort_by_key(|(keyframes, _)| keyframes.start);
    groups
}

fn ranges(driver: &Driver) -> Vec<Range<usize>> {
    groups(driver).into_iter().map(|(keyframes, _)| keyframes).collect()
}

fn id(keyframes: &Range<usize>) -> String {
    format!("group{}", keyframes.start)
}

#[test]
fn narrow_keyframes_are_groups_that_cover_the_clip() {
    let driver = driver();
    let ranges = ranges(&driver);
    assert!((4..20).contains(&ranges.len()), "{ranges:?}");
    assert_eq!((ranges[0].start, ranges.last().unwrap().end), (0, 81));
    assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start), "{ranges:?}");
    assert!(!driver.has("block0") && !driver.has("edge0"));
    for range in &ranges {
        let rect = driver.place(&id(range));
        assert!(rect.width() >= 20.0 && rect.min[0].fract() == 0.0 && rect.max[0].fract() == 0.0, "{rect:?}");
    }
}

#[test]
fn groups_stay_while_playing_and_scrolling() {
    let mut driver = driver();
    driver.hover("group0");
    driver.wheel(1.0);
    let before = ranges(&driver);
    let width = driver.place(&id(&before[1])).width();
    driver.strike("Space");
    for _ in 0..20 {
        driver.update(Action::Tick(Time::from_secs(1.0 / 47.0)));
        driver.frame();
        assert_eq!(ranges(&driver), before);
    }
    driver.strike("Space");
    driver.hold(UiKey::ModShift, true);
    for _ in 0..5 {
        driver.wheel(-0.13);
        let now = ranges(&driver);
        let end = before.last().unwrap().end;
        let still: Vec<_> = now.iter().filter(|range| range.start < end).cloned().collect();
        assert!(before.ends_with(&still) && still.len() > 2, "the same groups, moved: {before:?}, {now:?}");
        assert_eq!(driver.place(&id(&before[1])).width(), width);
    }
}

#[test]
fn a_double_click_zooms_to_a_group_and_the_wheel_back() {
    let mut driver = driver();
    let all = ranges(&driver);
    driver.double_click(&id(&all[1]));
    driver.frames(2);
    for at in all[1].clone() {
        assert!(driver.has(&format!("block{at}")), "keyframe {at} is a block now");
    }
    assert_eq!(driver.editor.history.undo_count(), 0);
    for _ in 0..30 {
        driver.wheel(-1.0);
    }
    assert_eq!(ranges(&driver), all);
}

#[test]
fn clicks_select_whole_groups() {
    let mut driver = driver();
    let all = ranges(&driver);
    driver.click(&id(&all[2]));
    assert_eq!(driver.keyframes(), all[2].clone().collect::<Vec<_>>());
    assert_eq!(driver.editor.session.focus.playhead.time, driver.clip().start_of(all[2].start));
    assert_eq!(groups(&driver)[2], (all[2].clone(), all[2].len()));
    driver.click_holding(UiKey::ModShift, &id(&all[1]));
    assert_eq!(driver.keyframes(), (all[1].start..all[2].end).collect::<Vec<_>>(), "with the whole of the first one");
    driver.click_holding(UiKey::ModCtrl, &id(&all[2]));
    assert_eq!(driver.keyframes(), all[1].clone().collect::<Vec<_>>());
}

#[test]
fn a_selected_keyframe_shows_in_its_group() {
    let mut driver = driver();
    let all = ranges(&driver);
    for _ in 0..3 {
        driver.strike("Right");
    }
    driver.update(Command::NextKeyframe);
    driver.frames(2);
    let shown: usize = groups(&driver).iter().map(|(_, selected)| selected).sum();
    assert_eq!(shown, driver.keyframes().len());
    assert_eq!(ranges(&driver), all);
}

#[test]
fn a_dragged_group_moves_as_one_in_one_step() {
    let mut driver = driver();
    let all = ranges(&driver);
    let before = values(&driver);
    let by = driver.place(&id(&all[3])).center()[0] - driver.place(&id(&all[1])).center()[0] + 8.0;
    driver.drag(&id(&all[1]), [by, 0.0]);
    driver.frames(2);
    let moved = values(&driver);
    let (count, to) = (all[1].len(), all[3].end - all[1].len());
    assert_eq!(moved[to..to + count], before[all[1].clone()]);
    assert_eq!(moved[..all[1].start], before[..all[1].start]);
    assert_eq!(driver.keyframes(), (to..to + count).collect::<Vec<_>>());
    assert_eq!(driver.editor.history.undo_count(), 1);
    driver.drag(&id(&(to..to + count)), [-by, 0.0]);
    assert_eq!(values(&driver), before, "and back");
    driver.pull(&id(&all[1]), [by, 0.0]);
    driver.strike("Esc");
    driver.button(MouseButton::Left, false);
    assert_eq!((values(&driver), driver.editor.history.undo_count()), (before, 2));
}

#[test]
fn menu_and_digits_act_on_the_group_under_the_mouse() {
    let mut driver = driver();
    let all = ranges(&driver);
    driver.click_with(&id(&all[1]), MouseButton::Right);
    driver.frames(3);
    assert_eq!(driver.keyframes(), all[1].clone().collect::<Vec<_>>());
    driver.click("Ripple delete");
    assert_eq!(driver.clip().keyframes.len(), 81 - all[1].len());
    driver.strike("Ctrl+Z");
    driver.hover(&id(&all[2]));
    driver.strikes(&["2", "Enter"]);
    let frames = |at: usize| FrameRate::FPS_30.nearest_frame(driver.clip().keyframes[at].duration);
    assert!(all[2].clone().all(|at| frames(at) == 2) && frames(all[2].start - 1) == 1 && frames(all[2].end) == 1);
}

#[test]
fn a_bar_stands_for_the_keys_of_a_group_and_a_click_goes_to_the_nearest() {
    let mut driver = driver();
    driver.resize([1280.0, 1000.0]);
    let all = ranges(&driver);
    let bar = driver.place(&format!("lane-Rotation-{}", all[1].start));
    driver.click_at([bar.min[0] + bar.width() * 0.5, bar.center()[1]]);
    let [one] = driver.keyframes()[..] else { panic!("{:?}", driver.keyframes()) };
    assert!(all[1].contains(&one) && one != all[1].start, "{one} of {:?}", all[1]);
    assert_eq!(driver.editor.session.focus.playhead.time, driver.clip().start_of(one));
}
