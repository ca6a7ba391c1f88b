//! Formats of vertices: compact ones draw the same picture, and their vertices are where those of the CPU are, within what is promised.

use std::sync::Arc;

use keypose::anim::time::Time;
use keypose_app::app::files;
use keypose_editor::render::frame::ModelDraw;
use keypose_editor::render::frame::framed_model::poses;
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::pass::palette::tier::Tier;
use keypose_editor::render::pass::skinning::SkinningProbe;
use keypose_editor::render::shaders::Shaders;
use keypose_editor::render::vertex_format::Detail;

use crate::on_driver;
use crate::root::root;
use crate::scene::{SIDE, camera, renderer, ribbon};

fn knight() -> ModelDraw {
    let opened = files::open(&root().join("data/demo.wad")).unwrap();
    let character = &opened.characters[0];
    let posed = poses(&character.model, character.clip_named("walk").unwrap(), &[Time::from_secs(0.2)]);
    ModelDraw::new(character.model.clone(), posed[0].clone())
}

/// Two sets of influences on few bones, and on more than a byte counts.
fn ribbons() -> Vec<ModelDraw> {
    [60, 700]
        .map(|bones| {
            let model = Arc::new(ribbon(bones));
            let pose = Arc::new(model.skeleton.rest_model_pose());
            ModelDraw::new(model, pose)
        })
        .to_vec()
}

#[test]
fn compact_vertices_are_where_exact_ones_are() {
    on_driver(|headless| {
        let mut probe = SkinningProbe::new(&headless.context, &Shaders::default(), None).unwrap();
        for draw in [vec![knight()], ribbons()].concat() {
            let mut vertices = |detail| {
                probe.ask_for_detail(detail);
                probe.vertices(&draw).unwrap()
            };
            let (exact, compact) = (vertices(Detail::Exact), vertices(Detail::Compact));
            assert_eq!(exact.len(), compact.len());
            for (exact, compact) in exact.iter().zip(&compact) {
                for at in 0..exact.positions.len() {
                    let off = exact.positions[at].distance(compact.positions[at]);
                    assert!(off < 2e-4, "vertex {at}: {off}");
                    let [a, b] = [exact, compact].map(|of| of.normals[at].normalize_or_zero());
                    assert!(a.distance(b) < 1e-3, "normal {at}: {a} {b}");
                }
            }
        }
    });
}

#[test]
fn compact_vertices_draw_the_same_picture_in_each_tier() {
    on_driver(|headless| {
        let target = Target::new(&headless.context, [SIDE * 2; 2], 4).unwrap();
        let frame =
            keypose_editor::render::frame::Frame { camera: camera(), models: vec![knight()], ..Default::default() };
        let draw = |detail, tier| {
            let mut renderer = renderer(headless);
            renderer.ask_for_detail(detail);
            renderer.ask_for_tier(Some(tier));
            renderer.render(&frame, &target).unwrap();
            target.read()
        };
        let exact = draw(Detail::Exact, Tier::Block);
        for tier in [Tier::Block, Tier::Cpu] {
            let compact = draw(Detail::Compact, tier);
            let differs = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 24);
            let off = exact.chunks_exact(4).zip(compact.chunks_exact(4)).filter(differs).count();
            assert!(off < 20, "{tier:?}: {off} pixels differ");
        }
    });
}
