//! What the renderer does when something is not as it should be: shaders that don't compile, images that are too large, contexts
//! that are lost.

use std::sync::Arc;

use keypose::anim::pose::ModelPose;
use keypose::assets::material::{Filter, Material, Shading};
use keypose::assets::model::Model;
use keypose::assets::texture::{ImageData, Texture};
use keypose_editor::render::frame::{Background, Frame, ModelDraw};
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::renderer::Renderer;
use keypose_editor::render::shaders::Shaders;

use crate::on_driver;
use crate::scene::{self, SIDE, camera, draw_by, frame, renderer, ribbon, square};

fn frame_of(model: Model) -> Frame {
    Frame { background: Background::NONE, ..frame(vec![scene::model(model)]) }
}

#[test]
fn a_shader_that_does_not_compile_is_named_with_its_line_and_the_last_one_stays() {
    on_driver(|headless| {
        let mut renderer = renderer(headless);
        let frame = frame_of(square(Material { shading: Shading::Unlit, ..Material::default() }));
        let broken = |name: &str, from: &str, to: &str| {
            let mut shaders = Shaders::default();
            assert!(shaders.text(name).contains(from), "{name} has {from}");
            let text = shaders.text(name).replacen(from, to, 1);
            let line = text.lines().position(|line| line.contains(to)).unwrap() + 1;
            assert!(shaders.replace(name, text));
            (shaders, line)
        };
        let cases = [
            ("mesh.frag", ": base.rgb;", ": nonsense.rgb;"),
            ("ground.vert", "out vec3 v_world;", "out vec7 v_world;"),
        ];
        for (name, from, to) in cases {
            let (shaders, line) = broken(name, from, to);
            let error = renderer.reload(&shaders).unwrap_err().to_string();
            assert!(error.contains(&format!("{name}:{line} ")), "{error}");
            let reported = headless.take_messages();
            let is_of_compiler = |text: &String| text.contains("error:") || text.contains("warning:");
            assert!(reported.iter().all(is_of_compiler), "no wrong calls: {reported:?}");
            draw_by(&mut renderer, headless, &frame).expect([0.0, 0.0], [255; 3], "the square, by the last shaders");
        }
        // So is a uniform that no shader reads.
        let (idle, _) = broken("background.frag", "uniform vec4 u_top;", "const vec4 u_top = vec4(1.0);");
        let error = renderer.reload(&idle).unwrap_err().to_string();
        assert!(error.contains("u_top") && error.contains("background"), "{error}");
        renderer.reload(&Shaders::default()).unwrap();
        draw_by(&mut renderer, headless, &frame).expect([0.0, 0.0], [255; 3], "the square, by the built-in shaders");
    });
}

#[test]
fn an_image_that_is_too_large_for_the_driver_is_drawn_smaller_with_a_notice() {
    on_driver(|headless| {
        let (width, height) = (256, 32);
        let color = |x: u32| if x < width / 2 { [255, 0, 0, 255] } else { [0, 0, 255, 255] };
        let pixels: Vec<u8> = (0..height).flat_map(|_| (0..width).flat_map(color)).collect();
        let image = Texture { name: "plate".into(), width, height, data: pixels.into(), source_format: "png".into() };
        let material =
            Material { shading: Shading::Unlit, texture: Some(0), filter: Filter::Nearest, ..Material::default() };
        let model = Model { textures: vec![Arc::new(image)], ..square(material) };
        let context = headless.context.clone().limited_to(64);
        let mut renderer = Renderer::new(&context, &Shaders::default()).unwrap();
        let frame = frame_of(model);
        let seen = draw_by(&mut renderer, headless, &frame);
        seen.expect([-0.25, 0.0], [255, 0, 0], "its left half");
        seen.expect([0.25, 0.0], [0, 0, 255], "its right half");
        let notices = renderer.take_notices();
        assert_eq!(notices.len(), 1, "{notices:?}");
        assert!(notices[0].contains("\"plate\" has 256 × 32 pixels") && notices[0].contains("64"), "{notices:?}");
        draw_by(&mut renderer, headless, &frame);
        assert!(renderer.take_notices().is_empty());
    });
}

#[test]
fn a_damaged_image_is_reported_once_and_the_colour_of_the_material_is_drawn() {
    on_driver(|headless| {
        let file = ImageData::File(b"\x89PNG\r\n\x1a\n but no image".to_vec().into());
        let source_format = "png".into();
        let image = Texture { name: "plate".into(), width: 4, height: 4, data: file, source_format };
        let base_color = [0.0, 1.0, 0.0, 1.0];
        let material = Material { shading: Shading::Unlit, texture: Some(0), base_color, ..Material::default() };
        let frame = frame_of(Model { textures: vec![Arc::new(image)], ..square(material) });
        let mut renderer = renderer(headless);
        for expected in [1, 0] {
            draw_by(&mut renderer, headless, &frame).expect([0.0, 0.0], [0, 255, 0], "the square");
            let notices = renderer.take_notices();
            let is_named = |notice: &String| notice.starts_with("Image \"plate\" is damaged: cannot be decoded");
            assert!(notices.len() == expected && notices.iter().all(is_named), "{notices:?}");
        }
    });
}

#[test]
fn a_frame_looks_the_same_in_another_context_after_the_first_was_lost() {
    let model = ribbon(40);
    let mut pose: ModelPose = model.skeleton.rest_model_pose();
    pose.bones.iter_mut().enumerate().for_each(|(at, bone)| bone.rows[0].w += (at as f32 * 0.3).sin() * 0.3);
    let draw = ModelDraw::new(Arc::new(model), Arc::new(pose));
    let frame = Frame { camera: camera(), models: vec![draw], ..Frame::default() };
    let picture = || {
        let mut pixels = None;
        on_driver(|stage| {
            let target = Target::new(&stage.context, [SIDE; 2], 4).unwrap();
            stage.render(&frame, &target);
            pixels = Some(target.read());
        });
        pixels
    };
    let (before, after): (Option<Vec<u8>>, _) = (picture(), picture());
    assert!(before == after && before.is_none_or(|bytes| bytes.iter().any(|byte| *byte != bytes[0])));
}
