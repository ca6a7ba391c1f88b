//! Pictures of simple scenes, held at a few points.

use std::sync::Arc;

use glam::{Mat4, Vec3};
use keypose::anim::scalar::{Scalar, ScalarKind};
use keypose::assets::material::{AlphaMode, Filter, Material, Shading, UvTransform, Wrap};
use keypose::assets::model::Visibility;
use keypose::assets::texture::Texture;
use keypose_editor::render::frame::bones::{self, BoneStyle};
use keypose_editor::render::frame::camera::Camera;
use keypose_editor::render::frame::color::Color;
use keypose_editor::render::frame::overlay::{Layer, Stroke};
use keypose_editor::render::frame::{
    Background, Frame, Grid, Ground, Haze, ModelDraw, Shadow, SolidDraw, SolidShape, Surface,
};
use keypose_editor::render::gl::target::{Target, Viewport};

use crate::on_driver;
use crate::scene::{SIDE, draw, frame, model, renderer, ribbon, square};

const RED: Color = Color::hex(0xc83232);

fn unlit(base: Color) -> Material {
    Material { base_color: base.to_linear(), shading: Shading::Unlit, ..Material::default() }
}

#[test]
fn a_colour_arrives_as_it_was_written() {
    on_driver(|headless| {
        for color in [Color::hex(0x808080), RED, Color::hex(0x0a141e)] {
            let drawn = draw(headless, &frame(vec![model(square(unlit(color)))]));
            let [r, g, b, _] = color.to_bytes();
            drawn.expect([0.0, 0.0], [r, g, b], "the square");
            drawn.expect([0.2, 0.4], [r, g, b], "the square");
            assert_eq!(drawn.at(0.0, 0.0)[3], 255);
        }
    });
}

#[test]
fn a_model_is_drawn_at_its_place_and_hides_what_is_behind() {
    on_driver(|headless| {
        let moved = |place: Vec3, color| ModelDraw {
            world_from_model: Mat4::from_translation(place) * Mat4::from_scale(Vec3::splat(0.5)),
            ..model(square(unlit(color)))
        };
        let (near, far) = (moved(Vec3::new(0.5, 0.5, 1.0), RED), moved(Vec3::new(0.6, 0.5, -1.0), Color::WHITE));
        for models in [vec![near.clone(), far.clone()], vec![far, near]] {
            let drawn = draw(headless, &frame(models));
            drawn.expect([0.5, 0.5], [200, 50, 50], "the near square");
            drawn.expect([0.8, 0.5], [255, 255, 255], "the far square");
            assert!(drawn.brightness(-0.5, -0.5) < 480, "nothing is there");
        }
    });
}

#[test]
fn alpha_is_ignored_cut_or_blended() {
    on_driver(|headless| {
        let half = RED.with_alpha(0.5);
        let cases = [
            (AlphaMode::Opaque, [200, 50, 50]),
            (AlphaMode::Mask(0.6), [255, 255, 255]),
            (AlphaMode::Mask(0.5), [200, 50, 50]),
            (AlphaMode::Mask(0.4), [200, 50, 50]),
            // Halfway in linear light, then encoded.
            (AlphaMode::Blend, [230, 190, 190]),
        ];
        for (alpha_mode, expected) in cases {
            let upper = model(square(Material { alpha_mode, ..unlit(half) }));
            let behind = Mat4::from_translation(Vec3::NEG_Z) * Mat4::from_scale(Vec3::splat(3.0));
            let lower = ModelDraw { world_from_model: behind, ..model(square(unlit(Color::WHITE))) };
            draw(headless, &frame(vec![upper, lower])).expect([0.0, 0.0], expected, &format!("{alpha_mode:?}"));
        }
    });
}

/// Blended squares behind each other, each with a colour and a z: meshes of one model.
fn layers(layers: &[(Color, f32)]) -> ModelDraw {
    let mut stack = square(Material::default());
    (stack.meshes, stack.materials) = (vec![], vec![]);
    for (material, (color, z)) in layers.iter().enumerate() {
        let mut slot = square(Material::default()).meshes[0].clone();
        let mesh = Arc::make_mut(&mut slot.mesh);
        mesh.positions.iter_mut().for_each(|place| place.z = *z);
        mesh.material = material;
        stack.meshes.push(slot);
        stack.materials.push(Arc::new(Material { alpha_mode: AlphaMode::Blend, ..unlit(*color) }));
    }
    model(stack)
}

#[test]
fn blended_surfaces_of_a_model_cover_those_behind_them_in_any_order() {
    on_driver(|headless| {
        let (near, far) = ((RED.with_alpha(0.5), 0.5), (Color::WHITE.with_alpha(0.9), -0.5));
        let drawn = |stack: &[(Color, f32)]| draw(headless, &frame(vec![layers(stack)])).at(0.0, 0.0);
        assert_eq!(drawn(&[near, far]), drawn(&[far, near]));
        // Both in one mesh, without anything to see through.
        let mut one = square(Material { alpha_mode: AlphaMode::Blend, ..unlit(Color::WHITE) });
        let mesh = Arc::make_mut(&mut one.meshes[0].mesh);
        mesh.positions.extend(mesh.positions.clone().iter().map(|place| *place - Vec3::Z));
        mesh.normals.extend(vec![Vec3::Z; 4]);
        mesh.uvs.extend(mesh.uvs.clone());
        mesh.colors = [[[200, 50, 50, 255]; 4], [[255; 4]; 4]].concat();
        mesh.indices.extend([4, 5, 6, 4, 6, 7]);
        draw(headless, &frame(vec![model(one)])).expect([0.0, 0.0], [200, 50, 50], "the near one");
    });
}

#[test]
fn what_is_not_seen_of_a_surface_hides_nothing() {
    on_driver(|headless| {
        let (body, card) = ((RED, -0.5), (Color::WHITE.with_alpha(0.1), 0.5));
        for surface in [Surface::Silhouette, Surface::Geometry, Surface::Ghost, Surface::Unlit] {
            let drawn = |stack: &[(Color, f32)]| {
                let draw_of = ModelDraw { surface, tint: Color::BLACK.with_alpha(0.5), ..layers(stack) };
                draw(headless, &frame(vec![draw_of])).at(0.0, 0.0)
            };
            let is_same = drawn(&[body, card]) == drawn(&[body]);
            assert_eq!(is_same, surface != Surface::Unlit, "{surface:?}");
        }
        let x_ray = |stack: &[(Color, f32)]| {
            draw(headless, &frame(vec![ModelDraw { surface: Surface::XRay, ..layers(stack) }])).at(0.0, 0.0)
        };
        assert!(x_ray(&[card, body])[1] < x_ray(&[card])[1], "the body is seen behind it");
    });
}

#[test]
fn faces_turned_away_show_where_the_material_says_so() {
    on_driver(|headless| {
        let turned = Mat4::from_rotation_y(std::f32::consts::PI);
        let mirrored = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        for (world_from_model, double_sided, shows) in
            [(turned, false, false), (turned, true, true), (mirrored, false, true), (mirrored * turned, false, false)]
        {
            let material = Material { double_sided, ..unlit(RED) };
            let drawn = draw(headless, &frame(vec![ModelDraw { world_from_model, ..model(square(material)) }]));
            assert_eq!(drawn.at(0.0, 0.0)[0] > 180, shows, "{world_from_model} {double_sided}");
        }
    });
}

/// The light comes from the side of the eye, so a surface that is lit from behind is darker.
#[test]
fn a_mirrored_surface_is_lit_like_any_other() {
    on_driver(|headless| {
        for double_sided in [false, true] {
            let lit = Material { double_sided, shading: Shading::Lit, ..unlit(RED) };
            let color = |scale: Vec3| {
                let world_from_model = Mat4::from_scale(scale);
                let drawn = draw(headless, &frame(vec![ModelDraw { world_from_model, ..model(square(lit.clone())) }]));
                drawn.at(0.0, 0.0)
            };
            let usual = color(Vec3::ONE);
            assert_eq!(color(Vec3::new(-1.0, 1.0, 1.0)), usual, "{double_sided}");
            assert!(usual[0] > 40, "{usual:?}");
        }
    });
}

#[test]
fn a_texture_is_the_right_way_up_and_moves() {
    on_driver(|headless| {
        let texel = |rgb: [u8; 3]| [rgb[0], rgb[1], rgb[2], 255];
        let (red, green, blue, white) = ([255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]);
        let pixels = [red, green, blue, white].map(texel).concat();
        let texture =
            Texture { name: "t".into(), width: 2, height: 2, data: pixels.into(), source_format: "generated".into() };
        let moved = UvTransform { offset: glam::Vec2::new(0.5, 0.0), ..UvTransform::default() };
        for (uv_transform, upper_left) in [(UvTransform::default(), red), (moved, green)] {
            let look =
                Material { texture: Some(0), filter: Filter::Nearest, wrap: [Wrap::Repeat; 2], ..unlit(Color::WHITE) };
            let mut square = square(Material { uv_transform, ..look });
            square.textures = vec![Arc::new(texture.clone())];
            let drawn = draw(headless, &frame(vec![model(square)]));
            drawn.expect([-0.25, 0.25], upper_left, "upper left");
        }
        let mut square = square(Material { texture: Some(0), filter: Filter::Nearest, ..unlit(Color::WHITE) });
        square.textures = vec![Arc::new(texture)];
        let drawn = draw(headless, &frame(vec![model(square)]));
        drawn.expect([0.25, 0.25], green, "upper right");
        drawn.expect([-0.25, -0.25], blue, "lower left");
        drawn.expect([0.25, -0.25], white, "lower right");
    });
}

fn texel(color: [u8; 4]) -> Arc<Texture> {
    let (name, source_format) = ("texel".into(), "generated".into());
    Arc::new(Texture { name, width: 1, height: 1, data: color.to_vec().into(), source_format })
}

/// A square that is lit, with a texture of one texel.
fn lit(material: Material, color: [u8; 4]) -> Frame {
    let mut square = square(Material { base_color: RED.to_linear(), ..material });
    square.textures = vec![texel(color)];
    let mut frame = frame(vec![model(square)]);
    frame.light.shadow = 0.0;
    frame
}

#[test]
fn emission_adds_light_of_its_own() {
    on_driver(|headless| {
        let black = Material { emissive: [0.0, 0.25, 0.0], ..Material::default() };
        let plain = draw(headless, &lit(Material::default(), [255; 4])).at(0.0, 0.0);
        let glowing = draw(headless, &lit(black.clone(), [255; 4])).at(0.0, 0.0);
        assert_eq!((glowing[0], glowing[2]), (plain[0], plain[2]));
        assert!(glowing[1] > plain[1] + 60, "{plain:?} {glowing:?}");
        let dark = draw(headless, &lit(Material { emissive_texture: Some(0), ..black.clone() }, [255, 0, 255, 255]));
        assert_eq!(dark.at(0.0, 0.0), plain, "its texture has no green");
        let alone = |material: Material, color: [u8; 4]| {
            let mut frame = lit(material, color);
            frame.models[0].surface = Surface::Emission;
            draw(headless, &frame)
        };
        alone(black.clone(), [255; 4]).expect([0.0, 0.0], [0, 137, 0], "the emission");
        let hole = Material { texture: Some(0), alpha_mode: AlphaMode::Mask(0.5), ..black };
        let nothing = draw(headless, &frame(vec![])).at(0.0, 0.0);
        assert_eq!(alone(hole, [255, 255, 255, 0]).at(0.0, 0.0), nothing, "the hole of a mask");
    });
}

#[test]
fn a_model_that_glows_is_lighter() {
    on_driver(|headless| {
        let glowing = |value: f32| {
            let mut square = square(Material { base_color: RED.to_linear(), ..Material::default() });
            let glow = Scalar { name: "glow".into(), bone: 0, kind: ScalarKind::Property, default: value };
            square.skeleton = Arc::new((*square.skeleton).clone().with_scalars(vec![glow]).unwrap());
            draw(headless, &frame(vec![model(square)])).at(0.0, 0.0)
        };
        let plain = draw(
            headless,
            &frame(vec![model(square(Material { base_color: RED.to_linear(), ..Material::default() }))]),
        );
        let [none, half, all] = [0.0, 0.5, 1.0].map(glowing);
        assert_eq!(none, plain.at(0.0, 0.0));
        assert!(half[1] > none[1] + 20 && all[1] > half[1] + 20, "{none:?} {half:?} {all:?}");
    });
}

/// The light comes from above: a normal that points up in the image is brighter, one that points down is darker.
#[test]
fn a_normal_map_turns_normals() {
    on_driver(|headless| {
        let brightness = |color: [u8; 4], flip: bool| {
            let mut frame = lit(Material { normal_texture: Some(0), ..Material::default() }, color);
            frame.light.to_key = Vec3::new(0.0, 1.0, 1.0);
            if flip {
                frame.models[0].world_from_model = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
            }
            draw(headless, &frame).brightness(0.0, 0.0)
        };
        for flip in [false, true] {
            let [up, straight, down] = [[128, 218, 218, 255], [128, 128, 255, 255], [128, 38, 218, 255]];
            let [up, straight, down] = [up, straight, down].map(|color| brightness(color, flip));
            assert!(up > straight + 8 && straight > down + 8, "{up} {straight} {down}, mirrored: {flip}");
        }
        let plain = draw(headless, &lit(Material::default(), [255; 4])).at(0.0, 0.0);
        let flat = lit(Material { normal_texture: Some(0), ..Material::default() }, [128, 128, 255, 255]);
        let flat = draw(headless, &flat).at(0.0, 0.0);
        assert!((0..3).all(|part| flat[part].abs_diff(plain[part]) <= 2), "{plain:?} {flat:?}");
    });
}

#[test]
fn smooth_surfaces_shine_and_matte_ones_look_as_before() {
    on_driver(|headless| {
        let color = |material: Material, color: [u8; 4]| {
            let mut frame = lit(material, color);
            // The mirror image of the light is at the camera.
            frame.light.to_key = Vec3::Z;
            draw(headless, &frame).at(0.0, 0.0).map(i32::from)
        };
        let matte = color(Material::default(), [255; 4]);
        let smooth = Material { roughness: 0.3, ..Material::default() };
        let shining = color(smooth.clone(), [255; 4]);
        assert!(shining[1] > matte[1] + 10, "{matte:?} {shining:?}");
        let mapped = Material { roughness: 1.0, metallic: 1.0, metallic_roughness_texture: Some(0), ..smooth };
        assert_eq!(color(mapped.clone(), [0, 255, 0, 255]), matte, "green 1 and blue 0: matte and no metal");
        let metal = color(Material { roughness: 0.3, ..mapped }, [0, 255, 255, 255]);
        assert!(metal[0] > metal[1] + 20, "a red metal has red highlights: {metal:?}");
    });
}

#[test]
fn a_mesh_without_normals_is_lit_flat() {
    on_driver(|headless| {
        let mut square = square(Material { base_color: RED.to_linear(), ..Material::default() });
        let smooth = draw(headless, &frame(vec![model(square.clone())])).at(0.0, 0.0);
        Arc::make_mut(&mut square.meshes[0].mesh).normals.clear();
        assert_eq!(square.check(), Ok(()));
        let flat = draw(headless, &frame(vec![model(square)])).at(0.0, 0.0);
        assert!((0..3).all(|part| flat[part].abs_diff(smooth[part]) <= 1), "{smooth:?} {flat:?}");
    });
}

#[test]
fn a_hidden_mesh_is_not_drawn() {
    on_driver(|headless| {
        let mut hidden = square(unlit(RED));
        hidden.meshes[0].visibility = Visibility::Hidden;
        draw(headless, &frame(vec![model(hidden)])).expect([0.0, 0.0], [134, 134, 134], "the ground colour");
    });
}

#[test]
fn a_ghost_stays_behind_what_is_solid() {
    on_driver(|headless| {
        let small = Mat4::from_scale(Vec3::splat(0.5));
        let solid = ModelDraw { world_from_model: small, ..model(square(unlit(RED))) };
        let before = model(square(unlit(Color::WHITE)));
        let ghost = ModelDraw::ghost(before.model, before.pose, Color::hex(0x2040ff).with_alpha(0.5));
        let ghost = ModelDraw { world_from_model: Mat4::from_translation(Vec3::Z), ..ghost };
        let drawn = draw(headless, &frame(vec![solid, ghost]));
        drawn.expect([0.0, 0.0], [200, 50, 50], "the solid model");
        let [r, _, b, _] = drawn.at(0.4, 0.4);
        assert!(b > r + 40, "the ghost is blue around it: {r} {b}");
    });
}

#[test]
fn haze_begins_at_its_distance_in_a_parallel_view() {
    on_driver(|headless| {
        for (z, color) in [(0.0, [200, 50, 50]), (-2.0, [255; 3])] {
            let world_from_model = Mat4::from_translation(Vec3::Z * z);
            let mut frame = frame(vec![ModelDraw { world_from_model, ..model(square(unlit(RED))) }]);
            frame.haze = Some(Haze { color: Color::WHITE, near: 5.0, far: 7.0 });
            draw(headless, &frame).expect([0.0, 0.0], color, "a square");
        }
    });
}

#[test]
fn lines_keep_their_width_and_layer() {
    on_driver(|headless| {
        let mut frame = frame(vec![model(square(unlit(Color::BLACK)))]);
        let stroke = Stroke::new(Color::WHITE, 6.0);
        let (behind, across) = (Vec3::NEG_Z, Vec3::X * 0.9);
        frame.overlay.line(behind - across, behind + across, stroke);
        let higher = behind + Vec3::Y * 0.3;
        frame.overlay.line(higher - across, higher + across, Stroke { layer: Layer::OnTop, ..stroke });
        let drawn = draw(headless, &frame);
        drawn.expect([0.7, 0.0], [255; 3], "beside the square");
        drawn.expect([0.0, 0.0], [0; 3], "behind the square");
        drawn.expect([0.0, 0.3], [255; 3], "on top of it");
        // Six pixels of 64: ±0.094.
        drawn.expect([0.0, 0.3 + 0.06], [255; 3], "within the line");
        drawn.expect([0.0, 0.3 + 0.15], [0; 3], "outside the line");
    });
}

#[test]
fn a_box_throws_a_shadow_on_the_ground() {
    on_driver(|headless| {
        let solid = SolidDraw {
            shape: SolidShape::Box { bevel: 0.02 },
            min: Vec3::new(-0.2, 0.3, -0.2),
            max: Vec3::new(0.2, 0.7, 0.2),
            color: RED,
            top: Color::WHITE,
            shadow: Shadow::Cast,
        };
        let picture_from = |eye: Vec3, shadow| {
            let mut frame = frame(vec![]);
            frame.camera = Camera::perspective(eye, Vec3::ZERO);
            frame.light.to_key = Vec3::Y;
            frame.ground = Some(Ground { height: 0.0, grid: None });
            frame.solids = vec![SolidDraw { shadow, ..solid }];
            draw(headless, &frame)
        };
        let picture = |shadow| picture_from(Vec3::new(0.0, 1.5, 3.0), shadow);
        let (with, without) = (picture(Shadow::Cast), picture(Shadow::None));
        let under = camera_point(Vec3::new(0.0, 0.0, 0.1));
        assert!(with.brightness(under.x, under.y) + 60 < without.brightness(under.x, under.y));
        let beside = camera_point(Vec3::new(0.8, 0.0, 0.3));
        assert!(with.brightness(beside.x, beside.y).abs_diff(without.brightness(beside.x, beside.y)) < 12);
        // From near the ground, far below the box.
        let near = |shadow| picture_from(Vec3::new(0.0, 0.1, 0.15), shadow).brightness(0.0, 0.0);
        assert!(near(Shadow::Cast) + 60 < near(Shadow::None));
    });
}

fn camera_point(point: Vec3) -> glam::Vec2 {
    let camera = Camera::perspective(Vec3::new(0.0, 1.5, 3.0), Vec3::ZERO);
    let pixel = camera.pixel_of(point, glam::Vec2::splat(SIDE as f32)).unwrap() / SIDE as f32;
    glam::Vec2::new(pixel.x * 2.0 - 1.0, 1.0 - pixel.y * 2.0)
}

#[test]
fn every_surface_shows_and_the_driver_is_content() {
    on_driver(|headless| {
        let surfaces = [
            Surface::Lit,
            Surface::Unlit,
            Surface::Ghost,
            Surface::Silhouette,
            Surface::Backdrop,
            Surface::Sheet,
            Surface::XRay,
            Surface::Wireframe,
            Surface::Weights(1),
            Surface::BoneColors,
            Surface::Normals,
        ];
        let empty = draw(headless, &frame(vec![]));
        for surface in surfaces {
            let ribbon = ModelDraw { surface, tint: RED.with_alpha(0.6), ..model(ribbon(12)) };
            let shapes = bones::shapes(&ribbon.model.skeleton, &ribbon.pose, &Mat4::IDENTITY);
            let mut frame = frame(vec![ribbon]);
            frame.ground = Some(Ground { height: 0.0, grid: Some(Grid::for_size(1.0)) });
            let plain = draw(headless, &frame);
            let changed = (1..9).filter(|&at| plain.at(0.0, at as f32 * 0.1) != empty.at(0.0, at as f32 * 0.1));
            assert!(changed.count() >= 2, "{surface:?} shows nothing");
            bones::draw(&mut frame.overlay, &frame.camera, &shapes, |_| Some(BoneStyle::SELECTED));
            draw(headless, &frame);
        }
    });
}

#[test]
fn a_part_of_a_target_leaves_the_rest_alone() {
    on_driver(|headless| {
        let mut renderer = renderer(headless);
        let target = Target::new(&headless.context, [64, 32], 4).unwrap();
        let of = |color| Frame { background: Background { top: color, bottom: color }, ..Frame::default() };
        let left = Viewport { at: [0, 0], size: [32, 32] };
        renderer.render(&of(Color::hex(0x20a020)), &target).unwrap();
        renderer.render_viewport(&of(Color::hex(0xa02020)), &target, left).unwrap();
        target.resolve();
        let pixels = target.read();
        let pixel = |x: usize| &pixels[4 * (16 * 64 + x)..][..3];
        assert!(pixel(16)[0] > 120 && pixel(16)[1] < 60);
        assert!(pixel(48)[1] > 120 && pixel(48)[0] < 60);
    });
}
