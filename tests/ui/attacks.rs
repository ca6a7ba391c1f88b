//! Hits, hurt volumes and their fields in the inspector, driven by mouse and keys.

use glam::Vec3;
use imgui::{Key as UiKey, MouseButton};
use keypose::anim::time::{FrameRate, Time};
use keypose::assets::combat::{CancelWhen, Hit, LaneKind, Lanes, Range, Strike, Volume};
use keypose::assets::level::FoeKind;
use keypose_editor::editor::panels::window::layout::Panel;
use keypose_editor::editor::session::command::Command;
use keypose_editor::editor::session::pointer::{Axis, ModalKey};
use keypose_editor::editor::session::selection::{Pick, VolumePick};
use keypose_editor::editor::session::timing::TimeAction;
use keypose_editor::editor::session::tool::TransformKind;
use keypose_editor::editor::state::action::{Action, GestureAction, PlaybackAction, SelectAction, VolumeAction};
use keypose_editor::editor::view::frame_data;
use keypose_editor::editor::view::scene;
use keypose_editor::editor::view::volumes;
use keypose_editor::render::frame::clip_volumes::{HIT, HURT};

use crate::driver::{Driver, arm, demo};

const SIZE: [f32; 2] = [1280.0, 1500.0];

/// "wave" with a hit on bone 1 at ticks 10 to 13, which is selected.
fn attack() -> Driver {
    let mut driver = Driver::new(arm(), SIZE);
    driver.click("bone1");
    driver.update(PlaybackAction::Seek(FrameRate::FPS_30.time_of(5)));
    driver.update(Action::Run(Command::AddHit));
    driver.frames(3);
    driver
}

fn lanes(driver: &Driver) -> Lanes {
    driver.model().combat.lanes.values().next().cloned().unwrap_or_default()
}

fn hit(driver: &Driver) -> Hit {
    lanes(driver).hits.remove(0)
}

/// Transforms what is selected, with keys.
fn transform(driver: &mut Driver, kind: TransformKind, keys: &[ModalKey]) {
    driver.update(GestureAction::Transform(kind));
    keys.iter().chain([&ModalKey::Confirm]).for_each(|key| driver.update(GestureAction::Modal(*key)));
    driver.frames(2);
}

#[test]
fn the_numbers_of_a_hit_are_typed() {
    let mut driver = attack();
    let steps = driver.editor.history.undo_count();
    driver.enter("hit-Damage0", "25");
    driver.enter("hit-Angle0", "80");
    driver.enter("hit-Hits again0", "6");
    let typed = hit(&driver);
    assert_eq!((typed.strike.damage, typed.strike.angle, typed.again), (25, 80.0, 6));
    assert_eq!(driver.editor.history.undo_count(), steps + 3, "a step for each number");
    driver.enter("Ticks0", "4");
    assert_eq!(hit(&driver).range, Range::of_ticks(4, 8), "it moves");
    driver.enter("Ticks1", "5");
    assert_eq!(hit(&driver).range, Range::of_ticks(4, 6));
    assert_eq!(driver.editor.session.focus.selection.range, Some((LaneKind::Hits, 0)));
    for (name, value) in [("Start-up", "4"), ("Active", "2"), ("Damage", "25")] {
        assert!(driver.has(&format!("value: {name}: {value}")), "{name} {value}");
    }
    driver.enter("Ticks0", "39");
    assert_eq!(hit(&driver).range, Range::of_ticks(38, 40), "not beyond the clip");
}

#[test]
fn the_targets_of_a_hit_are_chosen() {
    let mut driver = attack();
    // The button, and the bits after it. One target stays.
    for (word, mask) in [
        ("player", FoeKind::PLAYER),
        ("player", FoeKind::PLAYER),
        ("dummy", FoeKind::PLAYER | FoeKind::DUMMY),
        ("foes", 7),
        ("player", FoeKind::FOE | FoeKind::DUMMY),
        ("all", Strike::ALL_TARGETS),
    ] {
        driver.click(&format!("hit-Targets-{word}"));
        driver.frames(2);
        assert_eq!(hit(&driver).strike.mask, mask, "{word}");
        assert_eq!(driver.editor.session.focus.selection.range, Some((LaneKind::Hits, 0)));
    }
}

#[test]
fn a_new_hit_has_a_volume_that_keys_move_rotate_and_scale() {
    let mut driver = attack();
    assert_eq!(driver.editor.session.focus.selection.volume, Some(VolumePick::OfRange(0)));
    let before = hit(&driver).volumes.remove(0);
    transform(&mut driver, TransformKind::Move, &[ModalKey::Axis(Axis::X), ModalKey::Char('2')]);
    let moved = hit(&driver).volumes.remove(0);
    // Along an axis of the model: in the space of the bone it is 2 as well, whatever the direction.
    assert!(((moved.from - before.from).length() - 2.0).abs() < 1e-4, "{before:?} {moved:?}");
    assert_eq!(moved.radius, before.radius);
    transform(&mut driver, TransformKind::Scale, &[ModalKey::Char('3')]);
    let scaled = hit(&driver).volumes.remove(0);
    assert!((scaled.radius - 3.0 * before.radius).abs() < 1e-4 * before.radius, "{scaled:?}");
    // The bones stay where they are, and nothing is keyed.
    assert!(driver.editor.view().draft.is_none());
    driver.strike("Ctrl+Z");
    driver.strike("Ctrl+Z");
    assert_eq!(hit(&driver).volumes, [before]);
    // A bone takes the gizmo back.
    driver.click("bone0");
    assert_eq!(driver.editor.session.focus.selection.volume, None);
}

#[test]
fn volumes_are_added_renamed_mirrored_and_deleted() {
    let mut driver = attack();
    driver.click("range-volume-a0");
    driver.frames(2);
    assert_eq!(hit(&driver).volumes.len(), 2);
    assert_eq!(driver.editor.session.focus.selection.volume, Some(VolumePick::OfRange(1)));
    driver.click("volume-Name");
    driver.type_line("blade");
    assert_eq!(hit(&driver).volumes[1].name, "blade");
    driver.click("range-volume-b1");
    driver.frames(2);
    assert_eq!(hit(&driver).volumes.len(), 1);
    // With no range selected, a volume is one of the model's hurt volumes.
    driver.update(TimeAction::SelectNone);
    driver.update(Action::Run(Command::AddVolume));
    driver.frames(2);
    let hurt = driver.model().combat.hurt.clone();
    assert_eq!((hurt.len(), &hurt[0].name), (1, &driver.model().skeleton.bones()[1].name));
    assert_eq!(driver.editor.session.focus.selection.volume, Some(VolumePick::Hurt(0)));
}

#[test]
fn a_cancel_says_what_it_leads_to() {
    let mut driver = attack();
    driver.update(Action::Run(Command::AddCancel));
    driver.frames(3);
    driver.click("When-on hit");
    driver.frames(2);
    driver.click("Into");
    driver.type_line("attack, jump");
    let cancel = lanes(&driver).cancels.remove(0);
    assert_eq!((cancel.when, cancel.into), (CancelWhen::Hit, vec!["attack".to_owned(), "jump".to_owned()]));
}

#[test]
fn hurt_volumes_are_fitted_to_the_knight_and_mirror_each_other() {
    let mut driver = Driver::new(demo(), SIZE);
    let before = driver.model().combat.hurt.len();
    driver.update(Action::Run(Command::FitHurtVolumes));
    let volumes = driver.model().combat.hurt.clone();
    assert!((before + 8..=before + 24).contains(&volumes.len()), "{} volumes", volumes.len());
    assert!(volumes.iter().all(|volume| volume.radius > 0.01 && volume.radius < 0.5), "{volumes:#?}");
    let named = |name: &str| volumes.iter().find(|volume| volume.bone == name).cloned();
    let sides: Vec<(Volume, Volume)> = volumes
        .iter()
        .filter(|volume| volume.bone.ends_with(".L"))
        .filter_map(|left| Some((left.clone(), named(&left.bone.replace(".L", ".R"))?)))
        .collect();
    assert!(sides.len() >= 3, "{volumes:#?}");
    for (left, right) in &sides {
        assert!((left.radius / right.radius - 1.0).abs() < 0.05, "{left:?} {right:?}");
    }
    assert_eq!(driver.editor.session.focus.selection.volume, Some(VolumePick::Hurt(before)));
    // Again there is nothing to do.
    driver.update(Action::Run(Command::FitHurtVolumes));
    assert_eq!(driver.model().combat.hurt, volumes);
    // The mirror image replaces the volume of the other side.
    let left = volumes.iter().position(|volume| volume.bone == sides[0].0.bone).unwrap();
    driver.update(VolumeAction::Pick(Some(VolumePick::Hurt(left))));
    driver.update(Action::Run(Command::MirrorVolume));
    let mirrored = driver.model().combat.hurt.iter().find(|volume| volume.bone == sides[0].1.bone).cloned().unwrap();
    assert_eq!((driver.model().combat.hurt.len(), mirrored.radius), (volumes.len(), sides[0].0.radius));
    assert!(mirrored.from.distance(sides[0].1.from).min(mirrored.from.distance(sides[0].1.to)) < 0.05);
}

#[test]
fn a_volume_moves_to_the_active_bone_and_stays_in_place() {
    let mut driver = attack();
    let place = |driver: &Driver| {
        let volume = hit(driver).volumes.remove(0);
        let bone = driver.model().skeleton.find(&volume.bone).unwrap();
        (volume.bone, driver.editor.view().pose.get(bone).transform_point(volume.from))
    };
    let (_, before) = place(&driver);
    driver.update(SelectAction::Bones { bones: vec![0], pick: Pick::Only });
    driver.update(TimeAction::PickRange(Some((LaneKind::Hits, 0))));
    driver.update(Action::Run(Command::SetVolumeBone));
    let (bone, after) = place(&driver);
    assert_eq!(bone, driver.model().skeleton.bones()[0].name);
    assert!(before.distance(after) < 1e-4, "{before} {after}");
    assert_ne!(Vec3::ZERO, after);
}

/// Lines of the colour of hurt volumes in the viewport.
fn hurt_lines(driver: &Driver) -> usize {
    let lines = scene::frame(driver.editor.source(), &driver.editor.view()).overlay.lines;
    lines.iter().filter(|line| line.from_color.with_alpha(1.0) == HURT.with_alpha(1.0)).count()
}

#[test]
fn hurt_volumes_are_shown_where_attacks_are_made() {
    let mut driver = Driver::new(demo(), SIZE);
    let named = |name: &str| driver.model().clip_named(name).unwrap().id;
    let [attack, walk] = ["attack", "walk"].map(named);
    driver.update(SelectAction::Clip(Some(attack)));
    assert!(hurt_lines(&driver) > 0, "the clip has ranges");
    driver.update(SelectAction::Clip(Some(walk)));
    assert_eq!(hurt_lines(&driver), 0, "this one has none");
    driver.update(VolumeAction::Pick(Some(VolumePick::Hurt(0))));
    assert!(hurt_lines(&driver) > 0, "one is selected");
}

#[test]
fn the_way_of_a_hit_and_volumes_on_ghosts_are_shown() {
    let mut driver = Driver::new(demo(), SIZE);
    let named = |name: &str| driver.model().clip_named(name).unwrap().id;
    let [attack, walk] = ["attack", "walk"].map(named);
    let bands = |driver: &Driver| {
        let bands = scene::frame(driver.editor.source(), &driver.editor.view()).overlay.triangles;
        bands.iter().filter(|band| band.color.with_alpha(1.0) == HIT.with_alpha(1.0)).count()
    };
    driver.update(SelectAction::Clip(Some(attack)));
    assert_eq!(bands(&driver), 0, "a line and dots are enough");
    driver.update(TimeAction::PickRange(Some((LaneKind::Hits, 0))));
    let model = driver.model();
    let hit = &model.combat.lanes_of(attack).hits[0];
    let ticks = hit.range.ticks().count();
    assert_eq!(bands(&driver), 2 * (ticks - 1) * hit.volumes.len(), "{ticks} ticks");
    let without = hurt_lines(&driver);
    driver.update(Action::Run(Command::ToggleGhosts));
    assert!(hurt_lines(&driver) > without, "ghosts have volumes, too");
    driver.update(Action::Run(Command::ToggleVolumes));
    assert_eq!((bands(&driver), hurt_lines(&driver)), (0, 0));
    driver.update(Action::Run(Command::ToggleVolumes));
    driver.update(SelectAction::Clip(Some(walk)));
    assert_eq!(bands(&driver), 0);
}

#[test]
fn a_new_hit_is_around_the_sword_and_a_new_cancel_after_it() {
    let mut driver = Driver::new(demo(), SIZE);
    driver.update(Action::Run(Command::NewClip));
    driver.frames(2);
    driver.key(UiKey::Enter);
    for _ in 0..3 {
        driver.update(Action::Run(Command::InsertKeyframe));
    }
    driver.frames(3);
    driver.show(Panel::Game);
    driver.frames(3);
    // A right click on the lane of events opens the menu, and the range begins there.
    driver.click_with("events", MouseButton::Right);
    driver.frames(2);
    let time = driver.editor.session.focus.playhead.time;
    assert!(time > Time::ZERO, "the playhead is where the menu was opened");
    driver.click("Add hit");
    driver.frames(3);
    assert!(driver.ids().iter().any(|id| id.contains("Damage")), "the inspector is in front");
    let clip = driver.editor.session.focus.clip.unwrap();
    let lanes = |driver: &Driver| driver.model().combat.lanes_of(clip);
    let made = lanes(&driver).hits.remove(0);
    assert_eq!((made.range.start, &*made.volumes[0].bone), (time, "weapon"), "no bone is selected");
    let blade = &made.volumes[0];
    let length = blade.from.distance(blade.to) + 2.0 * blade.radius;
    assert!(length > 0.8 && blade.radius < 0.2, "{blade:?} is not as long as the sword");
    driver.choose_in_menu("hits lane", "Add cancel");
    let cancel = lanes(&driver).cancels.remove(0);
    assert_eq!(cancel.range, Range { start: made.range.end, end: driver.clip().length() }, "all of the recovery");
}

#[test]
fn the_opponent_is_a_figure_of_which_only_the_struck_volume_is_red() {
    let mut driver = Driver::new(demo(), SIZE);
    let attack = driver.model().clip_named("attack").unwrap().id;
    let figures = |driver: &Driver| {
        let frame = scene::frame(driver.editor.source(), &driver.editor.view());
        frame.models.iter().filter(|draw| draw.model.name == "knight").count()
    };
    let labels = |driver: &Driver| -> Vec<String> {
        driver.ids().into_iter().filter_map(|id| Some(id.strip_prefix("volume label: ")?.to_owned())).collect()
    };
    driver.update(SelectAction::Clip(Some(attack)));
    driver.frames(3);
    assert_eq!((figures(&driver), labels(&driver).len()), (2, 1), "nothing hits yet");
    assert!(labels(&driver)[0].starts_with("reach "), "{:?}", labels(&driver));
    let data = frame_data::frame_data(driver.editor.source().caches, &driver.editor.view().model.unwrap(), attack);
    driver.update(PlaybackAction::Seek(Time::TICK * (data.unwrap().startup.unwrap() + 2)));
    driver.frames(3);
    let shown = labels(&driver);
    assert!(shown.iter().any(|label| label.starts_with("weapon ") && label.ends_with(" damage")), "{shown:?}");
    assert!(shown.iter().any(|label| label.starts_with("hit: ")), "{shown:?}");
    let picture = driver.place("picture");
    let (camera, view) = (driver.editor.session.focus.camera.camera(), driver.editor.view());
    let size = driver.editor.session.workspace.viewport;
    for bone in view.model.as_ref().unwrap().skeleton.indices() {
        let pixel = camera.pixel_of(view.pose.get(bone).translation(), size).unwrap();
        let at = [picture.min[0] + pixel.x, picture.min[1] + pixel.y];
        let over = shown.iter().find(|label| driver.place(&format!("volume label: {label}")).contains(at));
        assert_eq!(over, None, "over bone {bone}");
    }
    for part in ["startup ", "active ", "recovery "] {
        assert!(driver.ids().iter().any(|id| id.starts_with(&format!("frame data: {part}"))), "{part}");
    }
    driver.update(Action::Run(Command::ToggleVolumes));
    driver.frames(3);
    assert_eq!((figures(&driver), labels(&driver).len()), (1, 0));
}

/// A volume that was swept from before its range, or another target, would be red a tick too early.
#[test]
fn the_opponent_is_red_on_the_ticks_that_the_inspector_names() {
    let mut driver = Driver::new(demo(), SIZE);
    let clips = driver.model().clips.iter().map(|slot| (slot.id, slot.clip.length()));
    let mut attacks = 0;
    for (clip, length) in clips.collect::<Vec<_>>() {
        driver.update(SelectAction::Clip(Some(clip)));
        driver.frames(2);
        let model = driver.editor.view().model.unwrap();
        let Some((named, _)) = frame_data::ticks_hit(driver.editor.source(), &model, clip) else { continue };
        let red = (0..length.0 / Time::TICK.0).filter(|&tick| {
            driver.update(PlaybackAction::Seek(Time::TICK * tick));
            let labels = volumes::labels(driver.editor.source(), &driver.editor.view());
            labels.iter().any(|label| label.name.starts_with("hit: "))
        });
        assert_eq!(red.collect::<Vec<_>>(), named, "{clip:?}");
        attacks += 1;
    }
    assert!(attacks >= 4, "{attacks}");
}

#[test]
fn another_model_and_another_distance_are_chosen_for_the_opponent() {
    let mut driver = Driver::new(demo(), SIZE);
    let attack = driver.model().clip_named("attack").unwrap().id;
    driver.update(SelectAction::Clip(Some(attack)));
    driver.frames(3);
    driver.click("open-opponent");
    driver.frames(2);
    driver.click("opponent-goblin");
    driver.frames(2);
    driver.click("open-opponent");
    driver.frames(2);
    driver.click("opponent-2 m away");
    driver.frames(2);
    let frame = scene::frame(driver.editor.source(), &driver.editor.view());
    let place = |name: &str| {
        let draw = frame.models.iter().find(|draw| draw.model.name == name).unwrap();
        draw.world_from_model.w_axis.z
    };
    let fit = driver.editor.source().caches.root_speeds.fit(&driver.editor.view().model.unwrap());
    assert!(((place("goblin") - place("knight")) * fit.scale - 2.0).abs() < 0.2, "{}", place("goblin"));
    assert!(driver.ids().iter().any(|id| id == "volume label: distance 2.00 m"), "{:?}", driver.ids());
}
