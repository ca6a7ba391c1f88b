//! Bodies in the gameplay mode where there is little room or no level ground: heads stay below low ceilings, climbers come over the end
//! of a ladder without a jump, the dead lie on slopes and over edges, two that meet stand apart, and the camera shows where a fall ends.
//! With the knight of the demo.

use glam::Vec2;
use keypose::assets::level::slope::Slope;
use keypose::assets::level::{FoeKind, Level, Rect};
use keypose::assets::machine::State;
use keypose_editor::game::input::Buttons;
use keypose_editor::game::step::step;
use keypose_editor::game::world::World;
use keypose_editor::game::world::units::{grains, metres, metres_of};

use super::feel::{knight, place};
use super::feet::{flat, world};
use super::{foe, hold};

/// How far the crown of a helmet is above the bone of the head, in metres.
const CROWN: f32 = 0.25;

fn under_a_ceiling(height: f32) -> Level {
    let ceiling = Rect::new(2.0, height, 30.0, height + 2.0);
    Level { solids: [flat().solids, vec![ceiling]].concat(), ..flat() }
}

#[test]
fn heads_stay_below_low_ceilings() {
    let mut tunnel = world(under_a_ceiling(1.25), 0.5);
    hold(&mut tunnel, Buttons::DOWN | Buttons::RIGHT, 240);
    assert!(metres_of(tunnel.player.feet).x > 3.5, "{:?}", tunnel.player);
    let mut attacked = tunnel.clone();
    hold(&mut attacked, Buttons::ATTACK, 2);
    assert_eq!(attacked.player.state(), State::Stab, "there is no room for a cut");
    let mut hurt = tunnel.clone();
    hurt.player.vitals.stun = 30;
    let mut low = world(under_a_ceiling(1.9), 4.0);
    hold(&mut low, Buttons::NONE, 5);
    let mut jumping = low.clone();
    hold(&mut jumping, Buttons::JUMP, 2);
    for (name, mut world, ceiling) in
        [("stab", attacked, 1.25), ("hurt", hurt, 1.25), ("jump", jumping, 1.9), ("run", low, 1.9)]
    {
        let buttons = if name == "run" { Buttons::RIGHT | Buttons::RUN } else { Buttons::NONE };
        for tick in 0..30 {
            step(&mut world, buttons);
            let top = place(&world, "head").y + CROWN;
            assert!(tick < 6 || top < ceiling + 0.05, "{name}, tick {tick}: the head is at {top}");
        }
    }
}

#[test]
fn climbers_come_over_the_end_of_a_ladder_by_their_hands_and_without_a_jump() {
    let ladder = Rect::new(-0.35, 0.0, 0.35, 3.2);
    let ledge = Rect::new(0.4, 0.0, 9.0, 3.2);
    let level = Level { ladders: vec![ladder], solids: [flat().solids, vec![ledge]].concat(), ..flat() };
    let mut world = world(level, 0.0);
    let (mut held, mut before) = (0, None::<[f32; 4]>);
    for tick in 0..150 {
        step(&mut world, Buttons::UP);
        let feet = metres_of(world.player.feet).y;
        let now = ["hand.L", "hand.R", "foot.L", "foot.R"].map(|bone| place(&world, bone).y - feet);
        let is_at_end = (1.75..2.4).contains(&feet);
        held += usize::from(is_at_end && now[..2].iter().all(|hand| (hand + feet - ladder.max.y).abs() < 0.08));
        let moved = before.map_or(0.0, |it| now.iter().zip(it).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max));
        assert!(feet < 1.5 || moved < 0.16, "tick {tick}: a limb moves by {moved} at {feet}");
        before = Some(now);
    }
    assert!((metres_of(world.player.feet).y - ladder.max.y).abs() < 1e-3);
    assert!(held >= 12, "hands are at the end for {held} ticks");
}

/// How far bones of the dead player are above the ground: the lowest of each third of the body, from the left.
fn lying(level: Level, x: f32, ground: impl Fn(f32) -> f32) -> [f32; 3] {
    let mut world = world(level, x);
    hold(&mut world, Buttons::NONE, 5);
    world.player.vitals.health = 0;
    hold(&mut world, Buttons::NONE, 90);
    let draw = knight(&world, &world, 1.0);
    let bones = || draw.pose.bones.iter().map(|bone| draw.world_from_model.transform_point3(bone.translation()));
    let (left, right) = bones().fold((f32::MAX, f32::MIN), |(a, b), bone| (a.min(bone.x), b.max(bone.x)));
    assert!(right - left > 0.6, "it lies");

    let mut lowest = [f32::MAX; 3];
    for bone in bones() {
        let third = ((bone.x - left) / (right - left) * 3.0) as usize;
        lowest[third.min(2)] = lowest[third.min(2)].min(bone.y - ground(bone.x));
    }
    lowest
}

#[test]
fn the_dead_lie_on_slopes_and_over_edges() {
    let even = lying(flat(), 0.0, |_| 0.0);
    for rises_left in [false, true] {
        let slope = Slope { rect: Rect::new(-10.0, 0.0, 10.0, 10.0), rises_left };
        let sloped = lying(Level { slopes: vec![slope], ..flat() }, 0.3, |x| slope.height_at(x));
        for (own, flat) in sloped.iter().zip(even) {
            assert!((-0.2..0.2).contains(&(own - flat)), "{sloped:?} instead of {even:?}");
        }
    }
    // Its feet at an edge, and nothing under the rest of it.
    let cliff = Level { solids: vec![Rect::new(0.0, -4.0, 20.0, 0.0), Rect::new(-20.0, -4.0, 0.0, -3.0)], ..flat() };
    let world = |x: f32| lying(cliff.clone(), x, |_| 0.0);
    let [over, inside] = [world(-0.25), world(6.0)];
    assert!(over[0] < inside[0] - 0.25, "what is over the edge hangs: {over:?}, {inside:?}");
}

#[test]
fn the_dead_lie_beside_walls() {
    // It falls on its back, away from where it faces.
    for (turn, side) in [(Buttons::RIGHT, -1.0), (Buttons::LEFT, 1.0)] {
        let wall = if side < 0.0 { Rect::new(-9.0, 0.0, -0.4, 4.0) } else { Rect::new(0.4, 0.0, 9.0, 4.0) };
        let mut world = world(Level { solids: [flat().solids, vec![wall]].concat(), ..flat() }, 0.0);
        hold(&mut world, turn, 1);
        hold(&mut world, Buttons::NONE, 15);
        world.player.vitals.health = 0;
        hold(&mut world, Buttons::NONE, 90);
        let draw = knight(&world, &world, 1.0);
        let bones = draw.pose.bones.iter().map(|bone| draw.world_from_model.transform_point3(bone.translation()));
        let head = bones.map(|bone| bone.x * side).fold(f32::MIN, f32::max);
        assert!((0.35..0.45).contains(&head), "its head is at {head}, the wall at 0.4");
    }
}

#[test]
fn those_who_meet_stand_apart_and_don_t_tremble() {
    let chief =
        FoeKind { name: "chief".into(), size: 1.35, health: 500, notice: 9.0, pause: 600, ..FoeKind::default() };
    let chief = FoeKind { reach: 0.3, speed: 0.45, chase: 1.5, ..chief };
    let foes = [3.0, 4.5].map(|x| foe("chief", Vec2::new(x, 0.0))).to_vec();
    let mut now = world(Level { kinds: vec![chief], foes, ..flat() }, 0.0);
    hold(&mut now, Buttons::NONE, 200);
    let places = |world: &World| {
        let foes = world.foes.iter().map(|foe| foe.actor.feet.x);
        std::iter::once(world.player.feet.x).chain(foes).collect::<Vec<_>>()
    };
    let mut turns = 0;
    for tick in 0..240 {
        let facing = now.foes[0].actor.facing;
        step(&mut now, if tick < 120 { Buttons::RIGHT | Buttons::RUN } else { Buttons::NONE });
        turns += usize::from(now.foes[0].actor.facing != facing);
        let mut sorted = places(&now);
        sorted.sort_unstable();
        let gap = sorted.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap();
        assert!(gap > grains(0.6), "tick {tick}: {} apart", metres(gap));
    }
    assert!(turns <= 2, "{turns} turns");
}

#[test]
fn where_a_fall_ends_is_in_the_picture_before_it_ends() {
    for height in [3.0, 6.0, 10.0] {
        let tower = Rect::new(-9.0, 0.0, 0.5, height);
        let mut now = world(Level { solids: [flat().solids, vec![tower]].concat(), spawn: Vec2::ZERO, ..flat() }, 0.0);
        hold(&mut now, Buttons::NONE, 60);
        assert_eq!(metres_of(now.player.feet).y, height);
        let (mut shown, mut falls) = (0, 0);
        for _ in 0..200 {
            step(&mut now, Buttons::RIGHT | Buttons::RUN);
            let feet = metres_of(now.player.feet);
            let frame = keypose_editor::game::scene::frame(&now, &now, 1.0, 16.0 / 9.0);
            let size = Vec2::new(480.0, 270.0);
            let is_shown = |at: Vec2| {
                let pixel = frame.camera.pixel_of(at.extend(0.0), size);
                pixel.is_some_and(|pixel| pixel.cmpge(Vec2::ZERO).all() && pixel.cmple(size).all())
            };
            assert!(is_shown(feet), "the player at {feet} leaves the picture");
            if feet.y > 0.0 && feet.y < height {
                falls += 1;
                shown += usize::from(is_shown(Vec2::new(feet.x, 0.0)));
            }
        }
        assert!(shown >= 12 || shown == falls, "from {height} m the ground is seen for {shown} of {falls} ticks");
    }
}

#[test]
fn ground_and_head_stay_in_the_picture_of_high_jumps() {
    let platform = Rect::new(-3.0, 2.2, 3.0, 2.4);
    for (platforms, ground) in [(vec![], 0.0), (vec![platform], 2.4)] {
        let mut now = world(Level { platforms, ..flat() }, 0.0);
        now.player.feet.y = grains(ground);
        hold(&mut now, Buttons::NONE, 90);
        let mut highest = 0.0_f32;
        for tick in 0..90 {
            step(&mut now, if tick < 40 { Buttons::JUMP } else { Buttons::NONE });
            let frame = keypose_editor::game::scene::frame(&now, &now, 1.0, 16.0 / 9.0);
            let size = Vec2::new(480.0, 270.0);
            let head = place(&now, "head") + glam::Vec3::Y * CROWN;
            let feet = metres_of(now.player.feet);
            highest = highest.max(feet.y - ground);
            for point in [head, Vec2::new(feet.x, ground).extend(0.0)] {
                let pixel = frame.camera.pixel_of(point, size).unwrap();
                assert!((0.0..size.y).contains(&pixel.y), "{ground}, tick {tick}: {point} is at {pixel}");
            }
        }
        assert!(highest > 1.9, "{highest}");
    }
}

#[test]
fn heads_and_hands_stay_out_of_walls() {
    for (turn, side) in [(Buttons::RIGHT, 1.0), (Buttons::LEFT, -1.0)] {
        let wall = if side > 0.0 { Rect::new(0.3, 0.0, 9.0, 4.0) } else { Rect::new(-9.0, 0.0, -0.3, 4.0) };
        let mut world = world(Level { solids: [flat().solids, vec![wall]].concat(), ..flat() }, 0.0);
        hold(&mut world, turn, 20);
        let mut deepest = f32::MIN;
        for tick in 0..140 {
            step(&mut world, if tick % 18 < 2 { Buttons::ATTACK } else { Buttons::NONE });
            let ends = ["head", "hand.L", "hand.R"].map(|bone| place(&world, bone).x * side);
            deepest = ends.into_iter().fold(deepest, f32::max);
        }
        assert!(deepest < 0.42, "an end is at {deepest}, the wall at 0.3");
        assert!(metres_of(world.player.feet).x.abs() < 0.01, "only the picture moves");
        hold(&mut world, if side > 0.0 { Buttons::LEFT } else { Buttons::RIGHT }, 40);
        assert_eq!(world.animator.wall_room, 0.0);
    }
}
