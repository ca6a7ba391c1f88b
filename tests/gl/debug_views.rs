//! Surfaces that show what is behind a picture: squares in texture coordinates, layers, places in the bind pose, normals.

use glam::{Mat4, Vec3};
use keypose::assets::material::Material;
use keypose_editor::render::frame::normal_lines;
use keypose_editor::render::frame::overlay::Overlay;
use keypose_editor::render::frame::{Background, Frame, ModelDraw, Shadow, Surface};

use crate::on_driver;
use crate::scene::{self, Drawn, SIDE, draw, model, square};

/// A square on the whole picture, moved by some of its sides.
fn drawn_as(surface: Surface, offset: Vec3) -> ModelDraw {
    let world_from_model = Mat4::from_translation(offset) * Mat4::from_scale(Vec3::splat(2.0));
    ModelDraw { surface, shadow: Shadow::None, world_from_model, ..model(square(Material::default())) }
}

fn frame(models: Vec<ModelDraw>) -> Frame {
    Frame { background: Background::NONE, ..scene::frame(models) }
}

#[test]
fn texture_coordinates_show_as_sixteen_squares_in_each_direction() {
    on_driver(|headless| {
        let seen = draw(headless, &frame(vec![drawn_as(Surface::UvChecker, Vec3::ZERO)]));
        let side = SIDE as f32 / 16.0;
        let center = |at: usize| (at as f32 + 0.5) * side / SIDE as f32 * 2.0 - 1.0;
        let steps = (1..16).filter(|at| seen.brightness(center(*at), 0.03) > seen.brightness(center(at - 1), 0.03));
        assert_eq!(steps.count(), 8 - usize::from(seen.brightness(center(0), 0.03) > seen.brightness(center(1), 0.03)));
        let red = |drawn: &Drawn, y: f32| i32::from(drawn.at(-0.9, y)[0]) - i32::from(drawn.at(-0.9, y)[2]);
        assert!(red(&seen, 0.9) > 40 && red(&seen, -0.9) < -40, "v 0 is red at the top, v 1 blue at the bottom");
    });
}

#[test]
fn each_surface_adds_light_to_overdraw() {
    on_driver(|headless| {
        let layers = |count: usize| {
            let layer = |at: usize| drawn_as(Surface::Overdraw, Vec3::Z * -(at as f32));
            draw(headless, &frame((0..count).map(layer).collect())).brightness(0.1, 0.1)
        };
        let found: Vec<u32> = (0..5).map(layers).collect();
        assert!(found.windows(2).all(|pair| pair[1] > pair[0] + 20), "{found:?}");
    });
}

#[test]
fn skin_space_stays_with_the_vertex() {
    on_driver(|headless| {
        let at_rest = draw(headless, &frame(vec![drawn_as(Surface::SkinSpace, Vec3::ZERO)]));
        let moved = draw(headless, &frame(vec![drawn_as(Surface::SkinSpace, Vec3::X * 0.5)]));
        let [r, g, _, _] = at_rest.at(0.84, -0.84);
        assert!(r > 150 && g < 100, "x is red: {r} {g}");
        let [r, g, _, _] = at_rest.at(-0.84, 0.84);
        assert!(r < 100 && g > 150, "y is green: {r} {g}");
        for place in [-0.65_f32, -0.15, 0.35] {
            let (before, after) = (at_rest.at(place, 0.15), moved.at(place + 0.5, 0.15));
            assert!(before.iter().zip(after).all(|(a, b)| a.abs_diff(b) < 6), "{before:?} {after:?}");
        }
    });
}

#[test]
fn normals_are_lines_of_one_length() {
    let mut overlay = Overlay::default();
    normal_lines::draw(&mut overlay, &drawn_as(Surface::Lit, Vec3::X), 0.25);
    assert_eq!(overlay.lines.len(), 4);
    assert!(overlay.lines.iter().all(|line| (line.to - line.from).distance(Vec3::Z * 0.25) < 1e-5));
    assert!(overlay.lines.iter().any(|line| line.from.distance(Vec3::new(2.0, 1.0, 0.0)) < 1e-5));
}
