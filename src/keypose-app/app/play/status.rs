//! The figures over the game: health, and damage as numbers.

use glam::Vec2;
use imgui::{DrawListMut, ImColor32};

use keypose::assets::fit::STANDING_HEIGHT;
use keypose_editor::editor::panels::ui::surface::Surface;
use keypose_editor::game::look::effects::{NUMBER_TICKS, Number};
use keypose_editor::game::rules::foe::Foe;
use keypose_editor::game::rules::marks::guards;
use keypose_editor::game::world::World;
use keypose_editor::game::world::units::metres_of;
use keypose_editor::render::frame::camera::Camera;

use crate::app::play::hud::{Plate, WHITE};
use crate::app::play::results::time;

/// Ticks after a hit for which the health of a foe is shown.
const FOE_TICKS: u16 = 150;
/// A closed goal says what opens it when the player is nearer than this, in metres.
const NEAR_GOAL: f32 = 5.0;
/// The player's health is shown as this many blocks.
const BLOCKS: usize = 5;

/// Draws all of them. The camera is that of the frame.
pub fn draw(frame: &Surface<'_>, world: &World, camera: &Camera) {
    let size = frame.io().display_size;
    let list = frame.get_background_draw_list();
    let on_screen = |place: Vec2| camera.pixel_of(place.extend(0.0), Vec2::from_array(size)).map(|at| at.to_array());
    if !world.foes.is_empty() {
        player_health(&list, world);
    }
    if world.stage.goal.is_some() {
        let ticks = world.progress.finished.unwrap_or(world.tick);
        let coins = match world.stage.coins.len() {
            0 => String::new(),
            all => format!("     coins {} of {all}", world.progress.collected()),
        };
        let text = time(ticks) + &coins;
        // As dark as the health above it: clouds are white, too.
        let [wide, high] = frame.calc_text_size(&text);
        let dark = ImColor32::from_rgba(16, 18, 22, 190);
        list.add_rect([20.0, 45.0], [30.0 + wide, 49.0 + high], dark).rounding(6.0).filled(true).build();
        list.add_text([25.0, 47.0], WHITE, &text);
    }
    for foe in world.foes.iter().filter(|foe| foe.is_there()) {
        foe_health(&list, world, foe, &on_screen);
    }
    for number in &world.effects.numbers {
        if let Some(at) = on_screen(number.place) {
            draw_number(&list, number, at, size[1] / 720.0);
        }
    }
    if let Some(at) = closed_goal(world).and_then(on_screen) {
        let left = guards(world).count();
        let name = world.stage.guards.map_or("", |kind| &world.stage.kinds[kind].name);
        let line = if left == 1 { format!("Defeat the {name}") } else { format!("Defeat the {name}: {left} are left") };
        Plate { place: at, pivot: [0.5, 1.0], color: WHITE }.draw(frame, "##closed", &[line]);
    }
}

/// The place over a closed goal near the player.
fn closed_goal(world: &World) -> Option<Vec2> {
    let (goal, _guard) = (world.stage.goal?, guards(world).next()?);
    let gate = metres_of(goal.min).midpoint(metres_of(goal.max)).with_y(metres_of(goal.min).y + 3.0);
    (metres_of(world.player.feet).distance(gate) < NEAR_GOAL).then_some(gate)
}

/// Blocks at the upper left that empty from the right.
fn player_health(list: &DrawListMut<'_>, world: &World) {
    let vitals = &world.player.vitals;
    let (left, top, wide, high, gap) = (22.0, 22.0, 34.0, 16.0, 6.0);
    let is_low = vitals.part() < 0.35;
    let full = if is_low { ImColor32::from_rgb(236, 84, 70) } else { ImColor32::from_rgb(224, 70, 82) };
    for block in 0..BLOCKS {
        let from = [left + (wide + gap) * block as f32, top];
        let to = [from[0] + wide, top + high];
        let outer = ([from[0] - 2.0, from[1] - 2.0], [to[0] + 2.0, to[1] + 2.0]);
        list.add_rect(outer.0, outer.1, ImColor32::from_rgba(16, 18, 22, 190)).rounding(6.0).filled(true).build();
        let part = (vitals.part() * BLOCKS as f32 - block as f32).clamp(0.0, 1.0);
        if part > 0.0 {
            list.add_rect(from, [from[0] + wide * part, to[1]], full).rounding(4.0).filled(true).build();
            let shine = [from[0] + wide * part - 3.0, from[1] + 4.0];
            if part > 0.3 {
                let light = ImColor32::from_rgba(255, 255, 255, 70);
                list.add_rect([from[0] + 3.0, from[1] + 2.0], shine, light).rounding(2.0).filled(true).build();
            }
        }
    }
}

/// A bar over a foe that was hit a moment ago.
fn foe_health(list: &DrawListMut<'_>, world: &World, foe: &Foe, on_screen: &impl Fn(Vec2) -> Option<[f32; 2]>) {
    let vitals = &foe.actor.vitals;
    if vitals.is_dummy() || vitals.since_hit > FOE_TICKS || !vitals.is_alive() {
        return;
    }
    let size = world.stage.kinds[foe.kind].size;
    let above = metres_of(foe.actor.feet) + Vec2::new(0.0, STANDING_HEIGHT * size + 0.22);
    let Some([x, y]) = on_screen(above) else { return };
    let half = 30.0 * size.clamp(0.7, 1.6);
    let dark = ImColor32::from_rgba(16, 18, 22, 200);
    list.add_rect([x - half - 2.0, y - 5.0], [x + half + 2.0, y + 5.0], dark).rounding(4.0).filled(true).build();
    let right = x - half + 2.0 * half * vitals.part();
    let color = ImColor32::from_rgb(240, 190, 80);
    list.add_rect([x - half, y - 3.0], [right, y + 3.0], color).rounding(2.0).filled(true).build();
}

/// A number with a dark edge. It starts large and fades at the end.
fn draw_number(list: &DrawListMut<'_>, number: &Number, at: [f32; 2], scale: f32) {
    let age = f32::from(number.age) / f32::from(NUMBER_TICKS);
    let alpha = ((1.0 - age) * 3.0).min(1.0);
    let large = 1.0 + 0.9 * (1.0 - age * 9.0).max(0.0);
    let unit = 4.2 * scale.clamp(0.6, 3.0) * large * if number.damage >= 15 { 1.3 } else { 1.0 };
    let digits = number.damage.to_string();
    let step = 3.1 * unit;
    let left = at[0] - step * digits.len() as f32 * 0.5;
    let color = if number.is_players { [1.0, 0.42, 0.36, alpha] } else { [1.0, 0.90, 0.50, alpha] };
    for (color, wide) in [([0.06, 0.05, 0.08, 0.9 * alpha], 2.2), (color, 1.05)] {
        for (place, digit) in digits.chars().filter_map(|digit| digit.to_digit(10)).enumerate() {
            let corner = [left + step * place as f32 + 0.5 * unit, at[1] - 2.0 * unit];
            let points = DIGITS[digit as usize].iter().map(|[x, y]| [corner[0] + x * unit, corner[1] + y * unit]);
            list.add_polyline(points.collect(), color).thickness(wide * unit).build();
        }
    }
}

/// The strokes of the digits, 2 wide and 4 high, down from the upper left.
const DIGITS: [&[[f32; 2]]; 10] = [
    &[[0.3, 0.0], [1.7, 0.0], [2.0, 0.4], [2.0, 3.6], [1.7, 4.0], [0.3, 4.0], [0.0, 3.6], [0.0, 0.4], [0.3, 0.0]],
    &[[0.3, 0.9], [1.1, 0.0], [1.1, 4.0]],
    &[[0.0, 0.7], [0.5, 0.0], [1.5, 0.0], [2.0, 0.6], [2.0, 1.5], [0.0, 4.0], [2.0, 4.0]],
    &[[0.0, 0.0], [2.0, 0.0], [0.9, 1.6], [1.6, 1.8], [2.0, 2.6], [1.8, 3.5], [1.2, 4.0], [0.5, 4.0], [0.0, 3.5]],
    &[[1.5, 4.0], [1.5, 0.0], [0.0, 2.8], [2.0, 2.8]],
    &[[2.0, 0.0], [0.2, 0.0], [0.1, 1.8], [1.3, 1.6], [2.0, 2.4], [1.9, 3.4], [1.2, 4.0], [0.0, 3.8]],
    &[[1.7, 0.0], [0.5, 1.3], [0.0, 2.8], [0.4, 3.8], [1.4, 4.0], [2.0, 3.2], [1.7, 2.2], [0.9, 1.9], [0.1, 2.6]],
    &[[0.0, 0.0], [2.0, 0.0], [0.8, 4.0]],
    &[
        [1.0, 1.8],
        [0.2, 1.1],
        [0.4, 0.1],
        [1.6, 0.1],
        [1.8, 1.1],
        [1.0, 1.8],
        [0.0, 2.9],
        [0.4, 4.0],
        [1.6, 4.0],
        [2.0, 2.9],
        [1.0, 1.8],
    ],
    &[[1.9, 1.4], [1.1, 2.0], [0.3, 1.8], [0.0, 0.8], [0.6, 0.0], [1.6, 0.2], [2.0, 1.2], [1.5, 2.7], [0.3, 4.0]],
];
