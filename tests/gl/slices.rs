//! Large meshes are copied to the GPU in slices.

use std::sync::Arc;

use glam::Vec3;
use keypose::anim::morph::MorphTarget;
use keypose::anim::scalar::{Scalar, ScalarKind};
use keypose::anim::skeleton::Skeleton;
use keypose::assets::mesh::Mesh;
use keypose::assets::model::Model;
use keypose_app::app::film::headless::Headless;
use keypose_editor::render::frame::framed_model::{CameraAngle, FramedModel};
use keypose_editor::render::frame::{Background, Frame, Surface};
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::renderer::Renderer;
use keypose_editor::render::shaders::Shaders;

use crate::{large, on_driver};

const SLICE: usize = 100_000;

fn frame(model: &Model) -> Frame {
    let (model, pose) = (Arc::new(model.clone()), Arc::new(model.skeleton.rest_model_pose()));
    let framed = FramedModel::of(model, &[], [&*pose], CameraAngle::ThreeQuarter);
    Frame { background: Background::NONE, ground: None, ..framed.frame(pose, 1.0) }
}

/// The pixels that a frame covers.
fn covered(pixels: &[u8]) -> usize {
    pixels.chunks_exact(4).filter(|pixel| pixel[3] > 0).count()
}

fn renderer(headless: &Headless) -> (Renderer, Target) {
    let renderer = Renderer::new(&headless.context, &Shaders::default()).unwrap();
    (renderer, Target::new(&headless.context, [96; 2], 1).unwrap())
}

#[test]
fn no_frame_copies_more_than_a_slice_and_the_model_grows() {
    on_driver(|headless| {
        let frame = frame(&large::model(41, 20_000));
        let (mut whole, target) = renderer(headless);
        whole.render(&frame, &target).unwrap();
        let expected = target.read();
        assert_eq!(whole.unfinished(), None, "without slices, all is copied at once");
        let (mut sliced, target) = renderer(headless);
        sliced.copy_in_slices(SLICE);
        let (mut copied, mut seen, mut frames) = (0, 0, 0);
        loop {
            sliced.render(&frame, &target).unwrap();
            frames += 1;
            let now = covered(&target.read());
            assert!(now >= seen, "{now} pixels after {seen}");
            seen = now;
            let Some(open) = sliced.unfinished() else { break };
            assert!(open.copied > copied && open.copied - copied <= SLICE, "{} after {copied} bytes", open.copied);
            assert!(seen < covered(&expected) && open.copied < open.bytes);
            copied = open.copied;
        }
        assert!(frames > 10, "{frames} frames");
        assert_eq!(target.read(), expected);
    });
}

#[test]
fn a_picture_that_must_be_whole_waits_for_its_slices() {
    on_driver(|headless| {
        let frame = frame(&large::model(41, 20_000));
        let (mut renderer, _) = renderer(headless);
        renderer.copy_in_slices(SLICE);
        let waits = (0..100).take_while(|_| !renderer.prepare(&frame).unwrap()).count();
        assert!((10..100).contains(&waits), "{waits} slices");
    });
}

#[test]
fn morph_targets_follow_the_triangles() {
    on_driver(|headless| {
        let mut model = large::model(41, 20_000);
        let wide = Scalar { name: "wide".into(), bone: 0, kind: ScalarKind::Weight, default: 1.0 };
        model.skeleton = Arc::new(Skeleton::clone(&model.skeleton).with_scalars(vec![wide]).unwrap());
        let mesh = Arc::make_mut(&mut model.meshes[0].mesh);
        let moved = vec![Vec3::X * 0.5; mesh.positions.len()];
        mesh.morphs = vec![MorphTarget::of(0, &moved, &[])];
        let frame = frame(&model);
        let (mut whole, target) = renderer(headless);
        whole.render(&frame, &target).unwrap();
        let expected = target.read();
        let (mut sliced, target) = renderer(headless);
        sliced.copy_in_slices(SLICE);
        sliced.render(&frame, &target).unwrap();
        let mut frames = 1;
        while sliced.unfinished().is_some() {
            sliced.render(&frame, &target).unwrap();
            frames += 1;
        }
        assert!(frames > 10);
        assert_eq!(target.read(), expected);
    });
}

/// A stroke of weights makes another mesh each frame: that of the frame before becomes it, whole at once.
#[test]
fn a_mesh_with_other_weights_takes_the_copy_of_the_one_before() {
    on_driver(|headless| {
        let model = large::model(41, 20_000);
        let mut painted = model.clone();
        let slot = &mut painted.meshes[0];
        let mut mesh = Mesh::clone(&slot.mesh);
        let count = mesh.positions.len();
        mesh.influences[0].weights[count / 3..count / 2].iter_mut().for_each(|weights| weights.reverse());
        slot.mesh = Arc::new(mesh);
        let frames = [&model, &painted, &model].map(|model| {
            let mut frame = frame(model);
            frame.models[0].surface = Surface::Weights(model.skins[0].joints[9]);
            frame
        });
        let (mut sliced, target) = renderer(headless);
        sliced.copy_in_slices(SLICE);
        while !sliced.prepare(&frames[0]).unwrap() {}
        let mut seen = Vec::new();
        for frame in &frames {
            sliced.render(frame, &target).unwrap();
            assert_eq!(sliced.unfinished(), None);
            let (mut fresh, expected) = renderer(headless);
            fresh.render(frame, &expected).unwrap();
            seen.push(target.read());
            assert!(seen.last() == Some(&expected.read()));
        }
        assert!(seen[0] != seen[1] && seen[0] == seen[2]);
    });
}
