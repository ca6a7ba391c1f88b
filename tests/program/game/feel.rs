//! What is added to the clips of the demo's knight in the gameplay mode: a landing presses it down, plume and cloth swing, its head turns
//! to foes. All of it is drawn only.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};
use keypose::anim::spring::Springs;
use keypose::assets::level::{Decor, DecorShape, FoeKind, Level, Rect};
use keypose_editor::game::input::Buttons;
use keypose_editor::game::scene::frame;
use keypose_editor::game::step::step;
use keypose_editor::game::world::World;
use keypose_editor::game::world::news::News;
use keypose_editor::render::frame::ModelDraw;
use keypose_editor::render::frame::scenery::{LADDER_Z, nearest_rung};

use super::feet::{flat, world};
use super::{foe, hold, restless};

/// The same world whose player has nothing that swings or looks.
fn stiff(world: &World) -> World {
    let mut cast = (*world.cast).clone();
    let player = cast.player.as_mut().unwrap();
    player.springs = Springs::default();
    player.neck.clear();
    player.arms.clear();
    World { cast: Arc::new(cast), ..world.clone() }
}

pub fn knight(before: &World, now: &World, alpha: f32) -> ModelDraw {
    let frame = frame(before, now, alpha, 16.0 / 9.0);
    frame.models.into_iter().rfind(|draw| draw.model.name == "knight").unwrap()
}

fn world_from_bone(world: &World, bone: &str) -> Mat4 {
    let draw = knight(world, world, 1.0);
    draw.world_from_model * draw.pose.get(draw.model.skeleton.find(bone).unwrap()).to_mat4()
}

pub fn place(world: &World, bone: &str) -> Vec3 {
    world_from_bone(world, bone).w_axis.truncate()
}

#[test]
fn a_landing_presses_the_body_down_and_it_springs_back() {
    let mut now = world(flat(), 0.0);
    hold(&mut now, Buttons::RIGHT, 40);
    assert_eq!(now.animator.bounce, 0.0, "walking is level");
    hold(&mut now, Buttons::JUMP, 3);
    let (mut least, mut most) = (f32::MAX, f32::MIN);
    for _ in 0..90 {
        step(&mut now, Buttons::NONE);
        least = least.min(now.animator.bounce);
        most = most.max(now.animator.bounce);
    }
    assert!((-0.2..-0.06).contains(&least), "pressed by {least}");
    assert!((0.01..0.1).contains(&most), "stretched by {most}");
    assert_eq!(now.animator.bounce, 0.0, "and still again");
}

#[test]
fn cloth_swings_when_the_body_stops_and_comes_to_rest() {
    let swaying = world(flat(), 0.0);
    let mut worlds = [stiff(&swaying), swaying];
    let mut apart = |buttons: Buttons, ticks: usize| {
        let mut most = 0.0_f32;
        for _ in 0..ticks {
            worlds.iter_mut().for_each(|world| step(world, buttons));
            for bone in ["tabard_back_tip", "tabard_front_tip", "plume_tip"] {
                let [stiff, swaying] = worlds.each_ref().map(|world| place(world, bone));
                most = most.max(stiff.distance(swaying));
            }
        }
        most
    };
    assert!(apart(Buttons::RIGHT | Buttons::RUN, 60) > 0.03, "it swings while it runs");
    let stop = apart(Buttons::NONE, 30);
    assert!((0.03..0.35).contains(&stop), "{stop}");
    apart(Buttons::NONE, 60);
    let still = apart(Buttons::NONE, 60);
    assert!(still < 0.012, "at rest it follows the breath: {still}");
}

#[test]
fn a_head_turns_to_a_foe_ahead_and_to_none_behind() {
    let foe_at = |place: Vec2| {
        let kind = FoeKind { name: "post".into(), health: 0, notice: 0.0, ..FoeKind::default() };
        let foe = foe("post", place);
        let mut world = world(Level { kinds: vec![kind], foes: vec![foe], ..flat() }, 0.0);
        hold(&mut world, Buttons::NONE, 60);
        world
    };
    let look = |world: &World| world_from_bone(world, "head").transform_vector3(Vec3::Z).normalize();
    for (place, turns) in [(Vec2::new(1.5, 0.0), true), (Vec2::new(-1.5, 0.0), false), (Vec2::new(9.0, 0.0), false)] {
        let world = foe_at(place);
        let [plain, turned] = [&stiff(&world), &world].map(look);
        let eyes = Vec2::new(place.x, 1.55).extend(0.0);
        let way = (eyes - self::place(&world, "head")).normalize();
        if turns {
            assert!(turned.angle_between(way) < plain.angle_between(way) - 0.1, "{plain} {turned} {way}");
            assert!(turned.angle_between(plain) < 0.65);
        } else {
            assert_eq!(plain, turned, "{place}");
        }
    }
}

#[test]
fn nothing_of_it_decides_anything_and_frames_join_up() {
    let foe = foe("imp", Vec2::new(5.0, 0.0));
    let kind = FoeKind { name: "imp".into(), ..FoeKind::default() };
    let mut now = world(Level { kinds: vec![kind], foes: vec![foe], ..flat() }, 0.0);
    let mut other = stiff(&now);
    let mut is_seen = false;
    hold(&mut now, Buttons::NONE, 5);
    hold(&mut other, Buttons::NONE, 5);
    for (tick, held) in (0..300).zip(restless(5, 12)) {
        let before = now.clone();
        step(&mut now, held);
        step(&mut other, held);
        assert_eq!(now.digest(), other.digest(), "tick {tick}");
        let [end, start] = [knight(&before, &before, 1.0), knight(&before, &now, 0.0)];
        assert!(end.pose.bones.iter().all(|bone| bone.is_finite()));
        let tip = end.model.skeleton.find("tabard_back_tip").unwrap();
        let at = |draw: &ModelDraw| draw.world_from_model.transform_point3(draw.pose.get(tip).translation());
        let is_put_elsewhere = (now.player.feet - before.player.feet).length_squared() > 4096 * 4096;
        // A clip may cut; what is added doesn't.
        let [stiff_before, stiff_now] = [stiff(&before), stiff(&now)];
        let cut = at(&knight(&stiff_before, &stiff_before, 1.0)).distance(at(&knight(&stiff_before, &stiff_now, 0.0)));
        assert!(is_put_elsewhere || at(&end).distance(at(&start)) < cut + 0.03, "tick {tick}");
        is_seen |= place(&now, "tabard_back_tip").distance(place(&other, "tabard_back_tip")) > 0.02;
    }
    assert!(is_seen);
}

#[test]
fn a_fall_into_water_splashes_once_and_fades() {
    let water = |z: f32| Decor {
        shape: DecorShape::Water,
        rect: Rect::new(2.0, -3.0, 6.0, -1.0),
        z,
        depth: 2.0,
        ..Decor::default()
    };
    for (z, expected) in [(0.0, 1), (-3.0, 0)] {
        let solids = vec![Rect::new(-9.0, -1.0, 2.0, 0.0), Rect::new(6.0, -1.0, 9.0, 0.0)];
        let mut now = world(Level { solids, decor: vec![water(z)], ..flat() }, 1.0);
        let (mut splashes, mut darkest, mut before) = (0, 0.0_f32, 0.0_f32);
        while now.falls == 0 {
            step(&mut now, Buttons::RIGHT);
            splashes += now.news.iter().filter(|news| matches!(news, News::Splash { .. })).count();
            let dark = now.fade;
            assert!((dark - before).abs() < 0.1, "it fades and doesn't cut");
            (darkest, before) = (darkest.max(dark), dark);
        }
        assert_eq!(splashes, expected, "water at {z}");
        assert!(darkest > 0.95, "{darkest}");
        hold(&mut now, Buttons::NONE, 40);
        assert_eq!(now.fade, 0.0);
    }
}

const HANDS: [&str; 2] = ["hand.L", "hand.R"];

/// A world with the knight at the foot of a ladder.
fn at_ladder() -> World {
    let ladder = Rect::new(-0.35, 0.0, 0.35, 6.4);
    world(Level { ladders: vec![ladder], ..flat() }, 0.0)
}

#[test]
fn hands_on_a_ladder_hold_its_rungs() {
    let ladder = Rect::new(-0.35, 0.0, 0.35, 6.4);
    let over_rung = |wrist: Vec3| wrist.y - nearest_rung(&ladder, wrist.y).unwrap();
    let mut farthest = 0.0_f32;
    for ticks in (50..80).step_by(5) {
        let mut now = at_ladder();
        hold(&mut now, Buttons::UP, ticks);
        hold(&mut now, Buttons::NONE, 30);
        for hand in HANDS {
            let (wrist, clip) = (place(&now, hand), place(&stiff(&now), hand));
            farthest = farthest.max(wrist.distance(clip));
            assert!((over_rung(wrist) + 0.03).abs() < 0.015, "{ticks} ticks: {hand} at {wrist}");
            assert!((wrist.z - LADDER_Z - 0.11).abs() < 0.015, "{ticks} ticks: {hand} at {wrist}");
        }
    }
    assert!(farthest > 0.1, "the clip alone misses rungs by {farthest}");
}

#[test]
fn feet_on_a_ladder_stand_on_its_rungs() {
    let ladder = Rect::new(-0.35, 0.0, 0.35, 6.4);
    let mut start = at_ladder();
    hold(&mut start, Buttons::NONE, 30);
    let soles = ["foot.L", "foot.R"].map(|foot| place(&start, foot).y).into_iter().fold(f32::MAX, f32::min);
    let over_rung = |ankle: Vec3| ankle.y - soles - nearest_rung(&ladder, ankle.y - soles).unwrap();
    let mut farthest = 0.0_f32;
    for ticks in (50..80).step_by(5) {
        let mut now = at_ladder();
        hold(&mut now, Buttons::UP, ticks);
        hold(&mut now, Buttons::NONE, 30);
        for foot in ["foot.L", "foot.R"] {
            let (ankle, clip) = (place(&now, foot), place(&stiff(&now), foot));
            farthest = farthest.max(over_rung(clip).abs());
            assert!(
                (over_rung(ankle) - 0.035).abs() < 0.05,
                "{ticks} ticks: {foot} is {} over a rung",
                over_rung(ankle)
            );
        }
    }
    assert!(farthest > 0.08, "the clip alone misses rungs by {farthest}");
}

#[test]
fn climbing_hands_move_evenly_and_release_rungs_at_the_end() {
    let mut now = at_ladder();
    hold(&mut now, Buttons::UP, 40);
    let (mut before, mut held) = (HANDS.map(|hand| place(&now, hand)), [0; 2]);
    for tick in 0..80 {
        step(&mut now, Buttons::UP);
        let wrists = HANDS.map(|hand| place(&now, hand));
        for (at, (now, before)) in wrists.iter().zip(&before).enumerate() {
            let moved = now.distance(*before);
            assert!(moved < 0.13, "tick {tick}: a hand moves by {moved}");
            held[at] += usize::from(moved < 0.012);
        }
        before = wrists;
    }
    assert!(held.iter().all(|ticks| *ticks > 15), "hands rest on rungs for {held:?} of 80 ticks");
    hold(&mut now, Buttons::JUMP | Buttons::RIGHT, 40);
    HANDS.into_iter().for_each(|hand| assert_eq!(place(&now, hand), place(&stiff(&now), hand)));
}
