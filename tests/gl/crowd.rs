//! Crowds: the picture equals that of the same characters drawn one by one.

use std::cell::Cell;
use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};
use keypose::anim::bake::{BakedClip, bake};
use keypose::anim::mat34::Mat3x4;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::skeleton::Skeleton;
use keypose::anim::time::Time;
use keypose::assets::material::Material;
use keypose::assets::model::Model;
use keypose_app::app::film::headless::Headless;
use keypose_editor::render::frame::attached::attached;
use keypose_editor::render::frame::camera::{Camera, Projection};
use keypose_editor::render::frame::color::Color;
use keypose_editor::render::frame::crowd::{Crowd, CrowdDraw, CrowdRig, Member};
use keypose_editor::render::frame::{Frame, Ground, ModelDraw};
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::renderer::Renderer;

use crate::on_driver;
use crate::root::root;
use crate::scene::{self, square};

const SIZE: [u32; 2] = [240, 160];

/// The knights of the demo, in two clips, each in a phase of its own.
fn knights() -> (Crowd, Vec<Arc<Model>>) {
    let path = root().join("data/demo.wad");
    let models = keypose::wad::decode(&std::fs::read(path).unwrap()).unwrap().project.models.to_vec();
    let model = models[0].clone();
    let clip = |name: &str| Arc::new(bake(&model.clip_named(name).unwrap().clip, &model.skeleton));
    let clips: Vec<Arc<BakedClip>> = vec![clip("walk"), clip("idle"), clip("attack")];
    let member = |at: usize| {
        let place = Vec3::new(at as f32 - 2.0, 0.0, -(at as f32 * 0.7));
        let turned = Mat4::from_translation(place) * Mat4::from_rotation_y(at as f32 * 0.4);
        let (clip, phase) = (at % 2, [0.0, 0.25, 0.5, 0.75, 0.125][at]);
        Member { world_from_model: Mat3x4::from_mat4(&turned), clip, phase, tint: Color::WHITE }
    };
    let members = (0..5).map(member).collect();
    (Crowd { model, props: models.clone(), clips, members, height: 1.8 }, models)
}

fn empty_frame() -> Frame {
    let projection = Projection::Perspective { fov_y_radians: 0.6, near: 0.1 };
    let camera = Camera { eye: Vec3::new(0.0, 1.6, 8.0), target: Vec3::new(0.0, 0.9, -1.0), up: Vec3::Y, projection };
    Frame { camera, ground: Some(Ground { height: 0.0, grid: None }), ..Frame::default() }
}

fn one_by_one(crowd: &Crowd, models: &[Arc<Model>], elapsed: Time) -> Frame {
    let mut frame = empty_frame();
    for member in &crowd.members {
        let (clip, time) = crowd.time_of(member, elapsed).unwrap();
        let (mut local, mut pose) = (LocalPose::default(), ModelPose::default());
        clip.sample(time, &mut local);
        pose.compute(&crowd.model.skeleton, &local);
        let mut draw = ModelDraw::new(crowd.model.clone(), Arc::new(pose));
        draw.world_from_model = member.world_from_model.to_mat4();
        frame.models.extend(attached(&draw, models));
        frame.models.push(draw);
    }
    frame
}

fn together(crowd: &Arc<Crowd>, elapsed: Time) -> Frame {
    Frame { crowds: vec![CrowdDraw { crowd: crowd.clone(), elapsed }], ..empty_frame() }
}

fn picture(renderer: &mut Renderer, headless: &Headless, frame: &Frame) -> Vec<u8> {
    let target = Target::new(&headless.context, SIZE, 4).unwrap();
    renderer.render(frame, &target).unwrap();
    target.read()
}

/// The pixels that differ by more than a few steps.
fn different(a: &[u8], b: &[u8]) -> usize {
    let is_far = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 6);
    a.chunks_exact(4).zip(b.chunks_exact(4)).filter(is_far).count()
}

#[test]
fn a_crowd_looks_like_its_characters_one_by_one() {
    on_driver(|headless| {
        let mut renderer = scene::renderer(headless);
        let (crowd, models) = knights();
        let crowd = Arc::new(crowd);
        let nothing = picture(&mut renderer, headless, &empty_frame());
        // Edges and the resolution of the shadows differ a little. Times at which a frame of every clip and a tick fall together; then between them, where poses are blended.
        for (elapsed, most) in [(0.0, 40), (0.4, 40), (1.2, 40), (0.4 + 1.0 / 60.0, 40), (0.4071, 200)] {
            let elapsed = Time::from_secs(elapsed);
            let expected = picture(&mut renderer, headless, &one_by_one(&crowd, &models, elapsed));
            assert!(different(&expected, &nothing) > 2000, "the knights are seen");
            let found = picture(&mut renderer, headless, &together(&crowd, elapsed));
            let count = different(&found, &expected);
            assert!(count <= most, "{count} pixels differ at {elapsed}");
        }
    });
}

#[test]
fn a_mesh_on_a_mirrored_bone_shows_its_outer_side() {
    let is_mirrored = |x: f32| {
        let mut model = square(Material::default());
        let mut bones = model.skeleton.bones().to_vec();
        bones[0].rest.scale.x = x;
        model.skeleton = Arc::new(Skeleton::new(bones).unwrap());
        CrowdRig::of(&Arc::new(model), &[]).parts[0].is_mirrored
    };
    assert_eq!([1.0, -1.0].map(is_mirrored), [false, true]);
}

#[test]
fn a_crowd_in_slices_is_the_same_picture_and_ends_in_time() {
    on_driver(|headless| {
        let crowd = Arc::new(knights().0);
        let frame = together(&crowd, Time::ZERO);
        let mut renderer = scene::renderer(headless);
        let expected = picture(&mut renderer, headless, &frame);
        renderer.limit_time(Box::new(|| 0.0), 1.0);
        assert!(picture(&mut renderer, headless, &frame) == expected, "on a clock that stands still");
        let clock = Cell::new(0.0);
        let mut renderer = scene::renderer(headless);
        renderer.limit_time(Box::new(move || clock.replace(clock.get() + 2.0)), 1.0);
        let has_notice = (0..20).any(|_| {
            picture(&mut renderer, headless, &frame);
            renderer.take_notices().iter().any(|notice| notice.contains("take too long to draw"))
        });
        assert!(has_notice);
        assert!(picture(&mut renderer, headless, &frame) != expected, "a part of it");
    });
}

#[test]
fn no_figure_vanishes_while_triangles_take_too_long() {
    on_driver(|headless| {
        let mut renderer = scene::renderer(headless);
        let nothing = picture(&mut renderer, headless, &empty_frame());
        let clock = Cell::new(0.0);
        renderer.limit_time(Box::new(move || clock.replace(clock.get() + 2.0)), 1.0);
        let (crowd, models) = knights();
        let frame = one_by_one(&crowd, &models, Time::ZERO);
        for _ in 0..3 {
            let seen = picture(&mut renderer, headless, &frame);
            for member in &crowd.members {
                let chest = member.world_from_model.translation() + Vec3::Y * 1.2;
                let at = frame.camera.pixel_of(chest, Vec2::new(240.0, 160.0)).unwrap().as_usizevec2();
                let near = |at: usize, from: usize| at.abs_diff(from) < 12;
                let changed = (0..seen.len() / 4).filter(|pixel| {
                    let is_near = near(pixel % 240, at.x) && near(pixel / 240, 159 - at.y);
                    is_near && seen[4 * pixel..][..3] != nothing[4 * pixel..][..3]
                });
                assert!(changed.count() > 12, "nothing is seen at {at}");
            }
        }
    });
}

#[test]
fn a_tint_colours_one_character_alone() {
    on_driver(|headless| {
        let mut renderer = scene::renderer(headless);
        let (plain, _) = knights();
        let mut tinted = plain.clone();
        tinted.members[0].tint = Color::hex(0xff4040);
        let [plain, tinted] = [plain, tinted].map(|crowd| {
            let frame = together(&Arc::new(crowd), Time::ZERO);
            picture(&mut renderer, headless, &frame)
        });
        let half = SIZE[0] as usize / 2;
        let columns = |at: usize| (at % SIZE[0] as usize) < half;
        let changed: Vec<usize> =
            (0..plain.len() / 4).filter(|at| plain[4 * at..][..4] != tinted[4 * at..][..4]).collect();
        assert!(changed.len() > 200 && changed.iter().all(|at| columns(*at)), "{} pixels", changed.len());
        assert!(changed.iter().all(|at| tinted[4 * at + 1] <= plain[4 * at + 1] + 2), "less green everywhere");
    });
}
