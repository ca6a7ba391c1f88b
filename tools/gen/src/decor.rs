//! What stands around the demo's courtyard and is only seen: a castle, trees, hills, the sky's clouds.

use keypose::assets::level::{Decor, DecorShape, LevelLook, Rect};

const STONE: [u8; 3] = [164, 154, 140];
const DARK_STONE: [u8; 3] = [136, 127, 117];
const ROOF: [u8; 3] = [160, 70, 58];
const BANNER: [u8; 3] = [178, 40, 46];
const GOLD: [u8; 3] = [214, 170, 74];
const SHADE: [u8; 3] = [62, 54, 52];
const WOOD: [u8; 3] = [132, 92, 58];
const TRUNK: [u8; 3] = [104, 80, 62];

/// Colours of a clear morning.
pub fn look() -> LevelLook {
    LevelLook {
        sky_top: [84, 140, 206],
        sky_bottom: [216, 229, 236],
        solid: [130, 121, 112],
        ground: [106, 150, 80],
        wood: [152, 106, 66],
    }
}

/// From far to near.
pub fn courtyard() -> Vec<Decor> {
    let mut decor = Vec::new();
    far(&mut decor);
    castle(&mut decor);
    wood(&mut decor);
    things(&mut decor);
    east(&mut decor);
    decor
}

fn put(decor: &mut Vec<Decor>, shape: DecorShape, rect: Rect, [z, depth]: [f32; 2], color: [u8; 3]) {
    decor.push(Decor { shape, rect, z, depth, color });
}

/// A meadow, hills, mountains and clouds.
fn far(decor: &mut Vec<Decor>) {
    put(decor, DecorShape::Box, Rect::new(-90.0, -9.0, 190.0, -0.6), [-33.0, 60.0], [122, 154, 98]);
    for (left, height) in [(-62.0, 17.0), (-40.0, 23.0), (-20.0, 15.0), (2.0, 21.0), (22.0, 27.0), (46.0, 18.0)] {
        put(decor, DecorShape::Pyramid, Rect::new(left, -4.0, left + 27.0, height), [-50.0, 20.0], [140, 158, 180]);
    }
    for (left, height) in [(-46.0, 5.0), (-27.0, 6.5), (-9.0, 4.5), (9.0, 6.0), (26.0, 7.5), (42.0, 5.0)] {
        put(decor, DecorShape::Round, Rect::new(left, -6.0, left + 22.0, height), [-27.0, 12.0], [124, 156, 112]);
    }
    for (left, bottom, wide) in [(-30.0, 13.5, 8.0), (-8.0, 16.0, 6.0), (-4.5, 16.8, 5.0), (17.0, 14.0, 9.0)] {
        let rect = Rect::new(left, bottom, left + wide, bottom + 0.24 * wide);
        put(decor, DecorShape::Round, rect, [-44.0, 4.0], [246, 248, 250]);
    }
}

/// A wall with battlements, a gate and banners between two towers.
fn castle(decor: &mut Vec<Decor>) {
    let wall = [-6.5, 1.0];
    put(decor, DecorShape::Box, Rect::new(-14.0, -1.0, 1.5, 3.6), wall, STONE);
    put(decor, DecorShape::Box, Rect::new(-14.0, 3.1, 1.5, 3.35), [-5.96, 0.2], DARK_STONE);
    for at in 0..15_u8 {
        let left = -13.6 + 1.05 * f32::from(at);
        put(decor, DecorShape::Box, Rect::new(left, 3.6, left + 0.6, 4.2), wall, STONE);
    }
    for (left, top) in [(-16.6, 4.9), (1.0, 5.3)] {
        tower(decor, left, top);
    }
    // The gate stands open on the dark.
    put(decor, DecorShape::Box, Rect::new(-4.3, -0.5, -1.3, 2.6), [-5.95, 0.14], DARK_STONE);
    put(decor, DecorShape::Box, Rect::new(-4.0, -0.5, -1.6, 2.3), [-5.9, 0.16], SHADE);
    for at in 0..5_u8 {
        let left = -3.86 + 0.48 * f32::from(at);
        put(decor, DecorShape::Box, Rect::new(left, 0.9, left + 0.1, 2.3), [-5.8, 0.08], WOOD);
    }
    put(decor, DecorShape::Box, Rect::new(-4.0, 1.3, -1.6, 1.42), [-5.79, 0.08], WOOD);
    for left in [-9.6, -6.6, -0.3] {
        put(decor, DecorShape::Box, Rect::new(left, 1.0, left + 0.8, 2.9), [-5.93, 0.08], BANNER);
        put(decor, DecorShape::Box, Rect::new(left + 0.3, 1.5, left + 0.5, 2.5), [-5.88, 0.06], GOLD);
        put(decor, DecorShape::Box, Rect::new(left - 0.1, 2.9, left + 0.9, 3.0), [-5.9, 0.12], WOOD);
    }
}

fn tower(decor: &mut Vec<Decor>, left: f32, top: f32) {
    let (right, middle) = (left + 3.4, left + 1.7);
    put(decor, DecorShape::Box, Rect::new(left, -1.0, right, top), [-7.4, 3.4], STONE);
    put(decor, DecorShape::Box, Rect::new(left - 0.15, top - 0.5, right + 0.15, top), [-7.4, 3.7], DARK_STONE);
    put(decor, DecorShape::Pyramid, Rect::new(left - 0.4, top, right + 0.4, top + 3.0), [-7.4, 4.2], ROOF);
    put(decor, DecorShape::Box, Rect::new(middle - 0.22, top - 1.9, middle + 0.22, top - 0.9), [-5.7, 0.12], SHADE);
    put(decor, DecorShape::Box, Rect::new(middle - 0.04, top + 2.7, middle + 0.04, top + 4.2), [-7.4, 0.08], WOOD);
    put(decor, DecorShape::Box, Rect::new(middle, top + 3.5, middle + 1.0, top + 4.1), [-7.4, 0.05], BANNER);
}

/// Trees to the right of the castle.
fn wood(decor: &mut Vec<Decor>) {
    let firs = [
        (7.2, 1.3, -6.0),
        (9.6, 1.7, -8.5),
        (11.3, 1.1, -5.2),
        (14.0, 1.6, -7.4),
        (19.4, 1.5, -6.4),
        (23.0, 1.9, -8.0),
    ];
    for (middle, size, z) in firs {
        fir(decor, middle, size, z);
    }
    let crowns = [(8.4, 1.2, -4.2), (12.6, 1.25, -4.6), (16.8, 1.4, -5.0), (20.9, 1.2, -4.4), (-18.2, 1.5, -5.0)];
    for (middle, size, z) in crowns {
        leafy(decor, middle, size, z);
    }
    for (middle, wide) in [(6.6, 0.7), (10.4, 0.9), (13.3, 0.6), (18.2, 0.8), (-12.2, 0.7), (0.6, 0.6)] {
        let rect = Rect::new(middle - wide, -0.35, middle + wide, 0.62);
        put(decor, DecorShape::Round, rect, [-3.2, 1.1], [88, 134, 74]);
    }
}

fn fir(decor: &mut Vec<Decor>, middle: f32, size: f32, z: f32) {
    trunk(decor, middle, 1.2 * size, z);
    for (at, wide) in [1.15_f32, 0.9, 0.65].into_iter().enumerate() {
        let bottom = (0.7 + 0.85 * at as f32) * size;
        let rect = Rect::new(middle - wide * size, bottom, middle + wide * size, bottom + 1.5 * size);
        put(decor, DecorShape::Pyramid, rect, [z, 2.0 * wide * size], [70 + 10 * at as u8, 118 + 9 * at as u8, 78]);
    }
}

fn leafy(decor: &mut Vec<Decor>, middle: f32, size: f32, z: f32) {
    trunk(decor, middle, 1.8 * size, z);
    for (across, up, radius) in [(0.0, 2.5, 1.15), (-0.75, 2.0, 0.8), (0.75, 2.1, 0.75)] {
        let (x, y, radius) = (middle + across * size, up * size, radius * size);
        let rect = Rect::new(x - radius, y - radius, x + radius, y + radius);
        put(decor, DecorShape::Round, rect, [z + 0.2 * across, 2.0 * radius], [96, 142, 78]);
    }
}

fn trunk(decor: &mut Vec<Decor>, middle: f32, height: f32, z: f32) {
    let half = 0.14;
    put(decor, DecorShape::Box, Rect::new(middle - half, -0.8, middle + half, height), [z, 2.0 * half], TRUNK);
}

/// Crates, a barrel, a fence, water in the gap.
fn things(decor: &mut Vec<Decor>) {
    put(decor, DecorShape::Box, Rect::new(9.0, -2.0, 11.5, -0.9), [-0.85, 3.0], [72, 128, 172]);
    for (left, bottom, size, z) in [(0.5, 0.0, 0.75, -1.7), (1.35, 0.0, 0.6, -1.5), (0.72, 0.75, 0.55, -1.75)] {
        let rect = Rect::new(left, bottom, left + size, bottom + size);
        put(decor, DecorShape::Box, rect, [z, size], [162, 118, 74]);
        let lid = Rect::new(left - 0.03, bottom + size - 0.1, left + size + 0.03, bottom + size);
        put(decor, DecorShape::Box, lid, [z, size + 0.06], WOOD);
    }
    for left in [-9.2, -8.5] {
        put(decor, DecorShape::Box, Rect::new(left, 0.0, left + 0.55, 0.8), [-1.7, 0.55], WOOD);
        for bottom in [0.14, 0.56] {
            let hoop = Rect::new(left - 0.02, bottom, left + 0.57, bottom + 0.08);
            put(decor, DecorShape::Box, hoop, [-1.7, 0.59], [92, 92, 98]);
        }
    }
    for at in 0..8_u8 {
        let left = 11.7 + 0.42 * f32::from(at);
        put(decor, DecorShape::Box, Rect::new(left, 0.0, left + 0.12, 0.85), [-2.1, 0.1], WOOD);
    }
    for bottom in [0.3, 0.6] {
        put(decor, DecorShape::Box, Rect::new(11.6, bottom, 14.9, bottom + 0.1), [-2.04, 0.06], WOOD);
    }
}

/// What stands along the way to the right: hills, trees, a ruin around the goal.
fn east(decor: &mut Vec<Decor>) {
    for (left, height) in [(70.0, 24.0), (94.0, 17.0), (116.0, 26.0)] {
        put(decor, DecorShape::Pyramid, Rect::new(left, -4.0, left + 27.0, height), [-50.0, 20.0], [140, 158, 180]);
    }
    for (left, height) in [(58.0, 6.5), (76.0, 4.8), (92.0, 7.0)] {
        put(decor, DecorShape::Round, Rect::new(left, -6.0, left + 22.0, height), [-27.0, 12.0], [124, 156, 112]);
    }
    for (left, bottom, wide) in [(36.0, 16.0, 7.0), (54.0, 14.0, 8.0), (72.0, 15.6, 6.0)] {
        let rect = Rect::new(left, bottom, left + wide, bottom + 0.24 * wide);
        put(decor, DecorShape::Round, rect, [-44.0, 4.0], [246, 248, 250]);
    }
    for at in 0..13_u8 {
        let middle = 27.0 + 4.4 * f32::from(at) + 1.3 * f32::from(at * 5 % 3);
        let (size, z) = (1.1 + 0.2 * f32::from(at * 3 % 4), -5.2 - 1.1 * f32::from(at * 7 % 4));
        if at % 3 == 1 { leafy(decor, middle, size, z) } else { fir(decor, middle, size, z) }
    }
    for at in 0..11_u8 {
        let (middle, wide) = (27.8 + 5.0 * f32::from(at), 0.5 + 0.15 * f32::from(at * 3 % 4));
        let rect = Rect::new(middle - wide, -0.35, middle + wide, 0.6);
        put(decor, DecorShape::Round, rect, [-3.2, 1.1], [88, 134, 74]);
    }
    for (left, right) in [(43.0, 44.6), (45.6, 47.0)] {
        put(decor, DecorShape::Box, Rect::new(left, -2.0, right, -0.9), [-0.85, 3.0], [72, 128, 172]);
    }
    ruin(decor);
}

fn ruin(decor: &mut Vec<Decor>) {
    for (left, height) in [(73.2, 3.4), (75.6, 2.4), (78.4, 4.4), (81.4, 5.2)] {
        put(decor, DecorShape::Box, Rect::new(left, -1.0, left + 0.9, height), [-4.2, 0.9], STONE);
        let cap = Rect::new(left - 0.12, height, left + 1.02, height + 0.24);
        put(decor, DecorShape::Box, cap, [-4.2, 1.1], DARK_STONE);
    }
    put(decor, DecorShape::Box, Rect::new(78.2, 4.2, 82.6, 4.8), [-4.2, 0.8], STONE);
    put(decor, DecorShape::Box, Rect::new(79.6, 2.2, 80.6, 4.2), [-4.1, 0.08], BANNER);
    put(decor, DecorShape::Box, Rect::new(79.95, 2.8, 80.25, 3.8), [-4.04, 0.06], GOLD);
}
