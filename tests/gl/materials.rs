//! How materials are drawn beyond base colour and reflection: occlusion, toon shading and outlines.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};
use keypose::anim::scalar::{Scalar, ScalarKind, Sheet};
use keypose::assets::material::{AlphaMode, Filter, Material, Outline, Shading, Sheen, UvTransform};
use keypose::assets::model::Model;
use keypose::assets::texture::Texture;
use keypose_editor::render::frame::Frame;
use keypose_editor::render::frame::framed_model::{CameraAngle, FramedModel};
use keypose_editor::render::pass::palette::tier::Tier;

use crate::on_driver;
use crate::scene::{self, camera, cube, draw, draw_by, renderer, square};

fn frame(model: Model) -> Frame {
    scene::frame(vec![scene::model(model)])
}

#[test]
fn occlusion_darkens_the_light_of_the_surroundings() {
    on_driver(|headless| {
        let drawn = |red: u8, strength: f32, to_key: Vec3| {
            let material = Material { occlusion_texture: Some(0), occlusion_strength: strength, ..Material::default() };
            let mut model = square(material);
            let pixels = vec![red, 0, 0, 255].into();
            let texture = Texture { name: "ao".into(), width: 1, height: 1, data: pixels, source_format: "png".into() };
            model.textures = vec![Arc::new(texture)];
            let mut frame = frame(model);
            frame.light.to_key = to_key;
            draw(headless, &frame).brightness(0.0, 0.0)
        };
        // The light comes from behind: all light is that of the surroundings.
        let [open, half, closed] = [(255, 1.0), (0, 0.5), (0, 1.0)].map(|(red, part)| drawn(red, part, Vec3::NEG_Z));
        assert!(open > half + 60 && half > closed + 60, "{open} {half} {closed}");
        assert!(closed < 12, "nothing is left: {closed}");
        assert_eq!(drawn(0, 0.0, Vec3::NEG_Z), open, "strength 0 ignores it");
        let lit = drawn(0, 1.0, Vec3::Z);
        assert!(lit > closed + 200, "the key light stays: {lit}");
    });
}

#[test]
fn sheen_shines_most_where_it_is_seen_from_the_side() {
    on_driver(|headless| {
        let drawn = |roughness: f32, color: [f32; 3], across: f32| {
            let material =
                Material { base_color: [0.0, 0.0, 0.0, 1.0], sheen: Sheen { color, roughness }, ..Material::default() };
            let mut frame = frame(square(material));
            frame.models[0].world_from_model = Mat4::from_rotation_y(across);
            frame.light.to_key = Vec3::Y;
            draw(headless, &frame).brightness(0.0, 0.0)
        };
        for roughness in [0.25, 1.0] {
            let [front, side] = [0.0, 1.3].map(|across| drawn(roughness, [1.0; 3], across));
            let none = drawn(roughness, [0.0; 3], 1.3);
            assert!(side > none + 60 && side > front + 60, "{roughness}: {front} {side} {none}");
        }
    });
}

#[test]
fn toon_shading_has_few_tones() {
    on_driver(|headless| {
        let tones = |shading: Shading| {
            let mut tones = BTreeSet::new();
            for step in 0..40 {
                let mut frame = frame(square(Material { shading, ..Material::default() }));
                frame.light.to_key = Mat4::from_rotation_x(-1.7 * step as f32 / 40.0).transform_vector3(Vec3::Z);
                tones.insert(draw(headless, &frame).brightness(0.0, 0.0));
            }
            tones
        };
        let (smooth, toon) = (tones(Shading::Lit), tones(Shading::Toon));
        assert!(smooth.len() > 20, "{smooth:?}");
        assert!((2..=5).contains(&toon.len()), "{toon:?}");
    });
}

#[test]
fn an_outline_is_around_a_surface_on_every_tier() {
    on_driver(|headless| {
        let outline = Outline { width: 0.15, color: [1.0, 0.0, 0.0] };
        let bare = frame(cube(Material { shading: Shading::Unlit, ..Material::default() }));
        let lined = frame(cube(Material { shading: Shading::Unlit, outline, ..Material::default() }));
        let mut mirrored = lined.clone();
        mirrored.models[0].world_from_model = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        for tier in [None, Some(Tier::Uniform), Some(Tier::Texture)] {
            let mut renderer = renderer(headless);
            renderer.ask_for_tier(tier);
            let [bare, lined, mirrored] =
                [&bare, &lined, &mirrored].map(|frame| draw_by(&mut renderer, headless, frame));
            for drawn in [&lined, &mirrored] {
                drawn.expect([0.0, 0.0], [255; 3], "the surface");
                drawn.expect([0.45, 0.0], [255, 0, 0], "the line");
                drawn.expect([0.0, -0.45], [255, 0, 0], "the line");
                assert_eq!(drawn.at(0.7, 0.0), bare.at(0.7, 0.0), "the background, {tier:?}");
            }
            assert_ne!(bare.at(0.45, 0.0)[..3], [255, 0, 0], "{tier:?}");
        }
    });
}

#[test]
fn an_outline_has_its_width_at_the_size_in_the_game() {
    on_driver(|headless| {
        let outline = Outline { width: 0.3, color: [1.0, 0.0, 0.0] };
        // In the game its height is 1.8 m instead of 0.8 units.
        let model = Arc::new(cube(Material { shading: Shading::Unlit, outline, ..Material::default() }));
        let pose = Arc::new(model.skeleton.rest_model_pose());
        let framed = FramedModel::of(model, &[], [&*pose], CameraAngle::Front).frame(pose, 1.0);
        assert!((framed.metre - 0.8 / 1.8).abs() < 1e-5);
        let drawn = draw(headless, &Frame { camera: camera(), ground: None, ..framed });
        drawn.expect([0.45, 0.0], [255, 0, 0], "the line");
        assert_ne!(drawn.at(0.53, 0.0)[..3], [255, 0, 0], "beyond it");
    });
}

#[test]
fn an_outline_does_not_fill_a_see_through_surface() {
    on_driver(|headless| {
        let line = Outline { width: 0.15, color: [1.0, 0.0, 0.0] };
        let drawn = |alpha: f32, outline: Outline| {
            let (alpha_mode, base_color) = (AlphaMode::Blend, [1.0, 1.0, 1.0, alpha]);
            let look = Material { alpha_mode, base_color, outline, shading: Shading::Unlit, ..Material::default() };
            draw(headless, &frame(cube(look)))
        };
        for alpha in [0.3, 0.8, 1.0] {
            let [lined, bare] = [line, Outline::default()].map(|outline| drawn(alpha, outline).at(0.0, 0.0));
            assert_eq!(lined, bare, "{alpha}");
        }
        drawn(1.0, line).expect([0.45, 0.0], [255, 0, 0], "the line of a surface without anything to see through");
    });
}

/// A cape is often modelled from both sides, whose triangles are not always the same.
#[test]
fn an_outline_does_not_cover_a_sheet_with_two_sides() {
    on_driver(|headless| {
        let outline = Outline { width: 0.15, color: [1.0, 0.0, 0.0] };
        for back in [[4, 6, 5, 4, 7, 6], [4, 7, 5, 5, 7, 6]] {
            let mut sheet = square(Material { outline, shading: Shading::Unlit, ..Material::default() });
            let mesh = Arc::make_mut(&mut sheet.meshes[0].mesh);
            mesh.positions.extend(mesh.positions.clone());
            mesh.normals.extend(vec![Vec3::NEG_Z; 4]);
            mesh.uvs.extend(mesh.uvs.clone());
            mesh.indices.extend(back);
            let drawn = draw(headless, &frame(sheet));
            [[0.0, 0.0], [-0.4, -0.4], [0.4, -0.4]]
                .iter()
                .for_each(|place| drawn.expect(*place, [255; 3], "the sheet"));
        }
    });
}

#[test]
fn a_pose_shows_the_frame_of_a_texture_sheet_that_it_keys() {
    on_driver(|headless| {
        // Two columns and two rows, each a pixel.
        let colors = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]];
        let mut model = square(Material {
            name: "face".into(),
            texture: Some(0),
            shading: Shading::Unlit,
            filter: Filter::Nearest,
            uv_transform: UvTransform { scale: Vec2::splat(0.5), ..UvTransform::default() },
            ..Material::default()
        });
        let data = colors.concat().into();
        let texture = Texture { name: "faces".into(), width: 2, height: 2, data, source_format: "png".into() };
        model.textures = vec![Arc::new(texture)];
        let sheet = ScalarKind::Frame(Sheet { columns: 2, rows: 2 });
        let frames = Scalar { name: Scalar::frame_name("face"), bone: 0, kind: sheet, default: 3.0 };
        model.skeleton = Arc::new((*model.skeleton).clone().with_scalars(vec![frames]).unwrap());
        let mut frame = frame(model);
        draw(headless, &frame).expect([0.0, 0.0], [255; 3], "the default");
        for (number, [red, green, blue, _]) in colors.into_iter().enumerate() {
            Arc::make_mut(&mut frame.models[0].pose).scalars = vec![number as f32];
            let drawn = draw(headless, &frame);
            for place in [[-0.45, 0.45], [0.0, 0.0], [0.45, -0.45]] {
                drawn.expect(place, [red, green, blue], &format!("frame {number}"));
            }
        }
    });
}
