//! The strip of poses, driven by mouse and keys; and input that comes all at once.

use std::sync::Arc;

use imgui::{Key as UiKey, MouseButton};
use keypose::anim::time::Time;
use keypose::assets::bytes::Bytes;
use keypose::assets::model::Model;
use keypose::assets::reference::{Film, FilmFiles, FilmSource, Reference};
use keypose::assets::texture::Texture;
use keypose_editor::editor::panels::window::layout::Panel;
use keypose_editor::editor::state::action::PlaybackAction;
use keypose_editor::editor::view::films::{Projector, open_kept};

use crate::driver::{Driver, SIZE, UiEvent, arm, driver, frames, struck};

#[test]
fn a_number_typed_over_a_block_is_its_duration() {
    let mut driver = driver();
    driver.hover("block1");
    driver.strikes(&["1", "2"]);
    assert!(driver.has("duration-field"));
    assert_eq!(driver.durations(), [4, 12, 10], "shown while it is typed");
    driver.strikes(&["Enter"]);
    assert!(!driver.has("duration-field"));
    assert_eq!((driver.durations(), driver.keyframes()), (vec![4, 12, 10], vec![1]));
    assert_eq!(driver.editor.history.undo_count(), 1);
}

#[test]
fn a_number_typed_over_a_selected_block_is_for_all_that_are_selected() {
    let mut driver = driver();
    driver.click("block0");
    driver.click_holding(UiKey::ModShift, "block1");
    assert_eq!(driver.keyframes(), [0, 1]);
    driver.strikes(&["5", "0", "0", "M", "S", "Enter"]);
    assert_eq!(driver.durations(), [15, 15, 10]);
    assert_eq!(driver.editor.history.undo_count(), 1);
}

#[test]
fn typing_ends_by_esc_a_click_or_the_right_button() {
    for (end, expected) in [("esc", [4, 6, 10]), ("click", [4, 6, 7]), ("right", [4, 6, 10])] {
        let mut driver = driver();
        driver.hover("block2");
        driver.strikes(&["7"]);
        match end {
            "esc" => driver.strikes(&["Esc"]),
            "click" => driver.click("ruler"),
            _ => driver.click_with("ruler", MouseButton::Right),
        }
        assert!(driver.editor.gesture.is_none() && !driver.has("duration-field"), "{end}");
        assert_eq!(driver.durations(), expected, "{end}");
    }
}

#[test]
fn an_invalid_duration_is_refused_with_the_reason_and_can_be_corrected() {
    let mut driver = driver();
    driver.hover("block0");
    driver.strikes(&["5", "Q", "Enter"]);
    assert_eq!(driver.notice(), "\"5q\" is not a time: write 6 or 6f for frames, 120ms, or 0.5s");
    assert!(driver.has("duration-field"));
    driver.strikes(&["Backspace", "Enter"]);
    assert_eq!(driver.durations(), [5, 6, 10]);
}

#[test]
fn digits_elsewhere_are_still_sets_of_bones() {
    let mut driver = driver();
    driver.click("bone1");
    driver.strikes(&["Ctrl+2"]);
    driver.click("bone2");
    driver.strikes(&["2"]);
    assert_eq!(driver.editor.session.focus.selection.bones, [1]);
}

#[test]
fn shift_clicks_select_a_range_ctrl_clicks_single_blocks() {
    let mut driver = driver();
    driver.click("block2");
    driver.click_holding(UiKey::ModShift, "block0");
    assert_eq!(driver.keyframes(), [0, 1, 2]);
    driver.click_holding(UiKey::ModCtrl, "block1");
    assert_eq!(driver.keyframes(), [0, 2]);
}

#[test]
fn the_menu_of_a_block_splits_where_the_playhead_stands() {
    let mut driver = driver();
    driver.update(PlaybackAction::Seek(frames(6)));
    driver.frame();
    driver.choose_in_menu("block1", "Split keyframe");
    assert_eq!(driver.durations(), [4, 2, 4, 10]);
    driver.choose_in_menu("block1", "Merge keyframes");
    assert_eq!(driver.durations(), [4, 6, 10]);
    driver.choose_in_menu("block2", "Hold keyframe");
    assert_eq!(driver.durations(), [4, 6, 10, 10]);
    assert_eq!(driver.editor.history.undo_count(), 3);
}

#[test]
fn keys_and_clicks_of_one_slow_frame_are_taken_in_their_order() {
    let mut driver = driver();
    let place = driver.place("block1").center();
    let click = [(None, UiEvent::Mouse(place)), (None, UiEvent::Button(true)), (None, UiEvent::Button(false))];
    let stroke = |stroke| (Some(stroke), UiEvent::Nothing);
    driver.hover("block0");
    let happened: Vec<_> = [stroke("End")].into_iter().chain(click.clone()).chain([stroke("Right")]).collect();
    driver.all_in_one_frame(&happened);
    assert_eq!(driver.editor.session.focus.playhead.time, frames(5), "End, then the click to frame 4, then one on");
    // What a click selects is what the key after it deletes, and the next click falls on what is there then: the first.
    let happened: Vec<_> =
        [&click[..], &[stroke("Delete")], &click, &[stroke("Delete")]].into_iter().flatten().cloned().collect();
    driver.all_in_one_frame(&happened);
    assert_eq!(driver.durations(), [10]);
    assert_eq!(driver.editor.history.undo_count(), 2);
}

#[test]
fn letters_typed_at_once_after_the_key_that_opens_a_field_go_into_it() {
    let mut driver = driver();
    driver.hover("block0");
    driver.all_in_one_frame(&[
        (Some("Ctrl+F"), UiEvent::Nothing),
        struck("U", UiKey::U, Some('u')),
        struck("P", UiKey::P, Some('p')),
        struck("Enter", UiKey::Enter, None),
        struck("Down", UiKey::DownArrow, None),
    ]);
    assert_eq!(driver.editor.session.focus.timing.filter, "up");
    assert_eq!(driver.editor.session.focus.playhead.time, frames(4), "after Enter keys are commands again");
}

/// Takes a widget, drags it, ends the drag by Esc or the right button, and only then lets the left one go.
fn drag_and_cancel(driver: &mut Driver, id: &str, by: f32, end: &str) {
    let [x, y] = driver.place(id).center();
    driver.pull(id, [by, 0.0]);
    match end {
        "esc" => driver.strike("Esc"),
        _ => {
            driver.button(MouseButton::Right, true);
            driver.button(MouseButton::Right, false);
        }
    }
    driver.point([x + by + 30.0, y]);
    driver.button(MouseButton::Left, false);
    driver.frames(2);
}

#[test]
fn esc_and_the_right_button_end_every_drag_without_a_trace() {
    for end in ["esc", "right"] {
        for (id, by) in [("edge1", 90.0), ("block0", 500.0)] {
            let mut driver = driver();
            drag_and_cancel(&mut driver, id, by, end);
            assert_eq!(driver.durations(), [4, 6, 10], "{id} by {end}");
            assert_eq!(driver.editor.history.undo_count(), 0, "{id} by {end}");
            assert!(driver.editor.gesture.is_none(), "{id} by {end}");
        }
        let mut driver = driver();
        driver.click("view-ShowSheet");
        driver.frames(2);
        drag_and_cancel(&mut driver, "sheet-all-1", 90.0, end);
        assert_eq!(driver.durations(), [4, 6, 10], "keys by {end}");
        assert_eq!(driver.editor.history.undo_count(), 0, "keys by {end}");
        driver.strike("B");
        let before = driver.editor.session.focus.selection.keys.clone();
        drag_and_cancel(&mut driver, "sheet-all-1", 90.0, end);
        assert_eq!(driver.editor.session.focus.selection.keys, before, "a box by {end}");
        assert!(!driver.editor.session.focus.timing.is_boxing, "a box by {end}");
    }
}

#[test]
fn ctrl_a_in_a_search_selects_its_text_not_the_bones() {
    for field in ["bone-search", "clip-search"] {
        let mut driver = driver();
        driver.click(field);
        driver.text("upp");
        driver.hold(UiKey::ModCtrl, true);
        driver.all_in_one_frame(&[struck("Ctrl+A", UiKey::A, None)]);
        driver.hold(UiKey::ModCtrl, false);
        driver.all_in_one_frame(&[struck("W", UiKey::W, Some('w')), struck("A", UiKey::A, Some('a'))]);
        assert!(driver.editor.session.focus.selection.bones.is_empty(), "{field}");
        assert_eq!(driver.has("bone1"), field == "clip-search", "{field}: \"wa\" is in no bone's name");
    }
}

#[test]
fn the_tooltip_of_a_block_does_not_cover_durations() {
    let mut driver = driver();
    for id in ["block1", "edge1"] {
        driver.hover(id);
        driver.frames(60);
        let (tip, blocks) = (driver.place("tip"), driver.place("block1"));
        assert!(tip.max[1] <= blocks.min[1] && tip.max[0] <= SIZE[0], "{id}: {tip:?} covers {blocks:?}");
    }
}

#[test]
fn a_block_that_is_scrolled_away_is_not_beside_its_row() {
    let mut driver = driver();
    let row = driver.place("block0");
    driver.hover("block1");
    driver.wheel(3.0);
    driver.hold(UiKey::ModShift, true);
    driver.wheel(-1.0);
    driver.hold(UiKey::ModShift, false);
    let block = driver.place("block0");
    assert!(block.min[0] < row.min[0] - 20.0, "{block:?} is scrolled");
    driver.click_at([row.min[0] - 20.0, row.center()[1]]);
    assert!(driver.keyframes().is_empty(), "the label is no part of the block");
    let number = driver.ids().into_iter().find(|id| id.starts_with("text ") && id.ends_with(": 1"));
    let seen = number.map(|id| driver.place(&id));
    assert!(seen.is_none_or(|seen| seen.min[0] >= row.min[0] - 8.0 || seen.width() <= 0.0), "{seen:?}");
}

#[test]
fn a_film_has_a_lane_of_its_frames_over_which_the_playhead_is_dragged() {
    const FILM: &[u8] = include_bytes!("../../data/tests/films/h264.mp4");
    let mut project = arm();
    let files = FilmFiles::Kept(Arc::new(vec![Bytes::from(FILM.to_vec())]));
    let film = Film::new(FilmSource { path: "walk.mp4".into(), files, fps: 0.0 });
    let image =
        Texture { name: "walk".into(), width: 1, height: 1, data: vec![9; 4].into(), source_format: String::new() };
    let reference = Reference { film: Some(film), ..Reference::new(Arc::new(image), 1.0) };
    let model = &project.models[0];
    project.models[0] = Arc::new(Model { references: vec![Arc::new(reference)], ..Model::clone(model) });
    let mut driver = Driver::new(project, SIZE);
    assert!(driver.has("film-lane"));
    assert!(!driver.ids().iter().any(|id| id.starts_with("film frame")), "no frame is decoded yet");

    // The app decodes one frame after another until none is missing.
    let mut projector = Projector::default();
    let mut decoded = Vec::new();
    for _ in 0..100 {
        let Some(wanted) = driver.editor.caches.films.take_wanted().pop() else { break };
        let frame = projector.show(&wanted, |source| open_kept(source).unwrap()).unwrap();
        decoded.push(frame.times.start);
        driver.editor.caches.films.put(wanted, Ok(frame));
        driver.frame();
    }
    let shown = driver.ids().iter().filter(|id| id.starts_with("film frame")).count();
    assert!(shown > 4 && shown == decoded.len(), "{shown} frames for {decoded:?}");
    assert!(decoded.is_sorted(), "from left to right: {decoded:?}");

    driver.click("film-lane");
    let (time, length) = (driver.editor.session.focus.playhead.time, driver.clip().length());
    assert!(time > Time::ZERO && time < length, "{time:?} of {length:?}");

    driver.show(Panel::References);
    driver.click("eye0");
    assert!(!driver.has("film-lane"));
}
