//! Shadings that explain a model: their colours compared with what they stand for.

use std::sync::Arc;

use glam::{Mat4, Vec3};
use keypose::anim::skin::Skin;
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::assets::material::{Material, Shading};
use keypose::assets::mesh::Binding;
use keypose::assets::model::Model;
use keypose_editor::render::frame::color::Color;
use keypose_editor::render::frame::{Frame, ModelDraw, Surface};

use crate::on_driver;
use crate::scene::{self, draw, square};

/// A square whose left edge is moved by bone 0, its right edge by bone 1.
fn shared_square(material: Material) -> Model {
    let mut model = square(material);
    let bone = |name: &str, parent| keypose::anim::skeleton::Bone {
        name: name.into(),
        parent,
        rest: keypose::anim::transform::Transform::IDENTITY,
    };
    let bones = vec![bone("left", None), bone("right", Some(0))];
    model.skeleton = Arc::new(keypose::anim::skeleton::Skeleton::new(bones).unwrap());
    model.skins = vec![Arc::new(Skin {
        name: String::new(),
        // Joints are not bones.
        joints: vec![1, 0],
        inverse_binds: vec![Mat4::IDENTITY; 2],
    })];
    let mesh = Arc::make_mut(&mut model.meshes[0].mesh);
    mesh.binding = Binding::Skin(0);
    let (left, right) = ([0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]);
    let weights = vec![left, right, right, left];
    mesh.influences = vec![InfluenceSet { joints: vec![[0, 1, 0, 0]; 4], weights }];
    assert_eq!(model.check(), Ok(()));
    model
}

fn frame(model: &Model, surface: Surface) -> Frame {
    scene::frame(vec![ModelDraw { surface, ..scene::model(model.clone()) }])
}

fn rgb(color: Color) -> [u8; 3] {
    let [r, g, b, _] = color.to_bytes();
    [r, g, b]
}

#[test]
fn the_heat_map_shows_the_weight_of_the_bone_that_is_asked_for() {
    on_driver(|headless| {
        for shading in Shading::ALL {
            let model = shared_square(Material { shading, ..Material::default() });
            let to_the_right = draw(headless, &frame(&model, Surface::Weights(1)));
            let to_the_left = draw(headless, &frame(&model, Surface::Weights(0)));
            let nothing = draw(headless, &frame(&model, Surface::Weights(u16::MAX)));
            for x in [-0.45_f32, -0.3, -0.1, 0.05, 0.25, 0.45] {
                // The middle of the pixel that is looked at.
                let middle = (((x + 1.0) * 32.0).floor() + 0.5) / 32.0 - 1.0;
                let weight = middle + 0.5;
                to_the_right.expect([x, 0.1], rgb(Color::of_weight(weight)), "the right bone");
                to_the_left.expect([x, 0.1], rgb(Color::of_weight(1.0 - weight)), "the left bone");
                nothing.expect([x, 0.1], rgb(Color::of_weight(0.0)), "no bone");
            }
        }
    });
}

#[test]
fn what_explains_a_model_does_not_look_at_its_material() {
    on_driver(|headless| {
        let red = Color::hex(0xc83232).to_linear();
        for shading in Shading::ALL {
            let model = square(Material { base_color: red, shading, ..Material::default() });
            // Towards the eye: +z.
            let towards_the_eye = rgb(Color::of_linear([0.5_f32.powf(2.2), 0.5_f32.powf(2.2), 1.0, 1.0]));
            draw(headless, &frame(&model, Surface::Normals)).expect([0.1, 0.1], towards_the_eye, "normals");
            let drawn = draw(headless, &frame(&model, Surface::BoneColors)).at(0.1, 0.1);
            // The first bone is red; light and sky tint it a little.
            assert!(drawn[0] > drawn[1].max(drawn[2]) + 60 && drawn[1].abs_diff(drawn[2]) < 24, "{drawn:?}");
        }
    });
}

/// Two squares beside each other, the unlit one drawn first: the other keeps its light.
#[test]
fn an_unlit_part_leaves_the_next_one_lit() {
    on_driver(|headless| {
        let white = Material::default();
        let mut model = square(Material { shading: Shading::Unlit, ..white.clone() });
        let mut second = model.meshes[0].clone();
        Arc::make_mut(&mut model.meshes[0].mesh).positions.iter_mut().for_each(|at| at.x -= 0.4);
        let mesh = Arc::make_mut(&mut second.mesh);
        mesh.positions.iter_mut().for_each(|at| at.x += 0.4);
        // Turned down: in the shade.
        mesh.normals = vec![Vec3::NEG_Y; 4];
        mesh.material = 1;
        model.meshes.push(second);
        model.materials.push(Arc::new(white));
        let drawn = draw(headless, &frame(&model, Surface::Lit));
        drawn.expect([-0.4, 0.0], [255; 3], "the unlit one");
        assert!(drawn.brightness(0.4, 0.0) < 620, "{:?}", drawn.at(0.4, 0.0));
    });
}
