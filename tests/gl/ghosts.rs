//! Ghosts and motion trails of the editor's viewport: pixels say where they stand and what colour they have.

use glam::{Vec3, Vec4};
use keypose::anim::clip::{Clip, Keyframe};
use keypose::anim::key::{Channel, Key};
use keypose::assets::material::{Material, Shading};
use keypose::assets::model::ClipSlot;
use keypose::assets::project::Project;
use keypose_editor::editor::ops::posed::Posed;
use keypose_editor::editor::posing::change::Change;
use keypose_editor::editor::session::camera::Look;
use keypose_editor::editor::session::ghosts::Ghosts;
use keypose_editor::editor::session::switch::Switch;
use keypose_editor::editor::state::Editor;
use keypose_editor::editor::state::action::{DocumentAction, Origin, PlaybackAction, SelectAction, ViewAction};
use keypose_editor::editor::view::ghosts;
use keypose_editor::editor::view::scene;
use keypose_editor::render::frame::Background;
use keypose_editor::render::frame::bones::BoneStyle;
use keypose_editor::render::frame::bounds::Aabb;
use keypose_editor::render::frame::color::Color;

use crate::scene::{Drawn, SIDE, camera, draw, square};
use crate::{Stage, on_driver};

/// A square of half a unit that goes from the left to the right in "go", up in "rise"; at its first keyframe.
fn editor() -> Editor {
    let red = Color::hex(0xc83232).to_linear();
    let mut model = square(Material { base_color: red, shading: Shading::Unlit, ..Material::default() });
    let mesh = std::sync::Arc::make_mut(&mut model.meshes[0].mesh);
    mesh.positions.iter_mut().for_each(|at| *at *= 0.5);
    let keyframe = |x: f32, y: f32| Keyframe {
        duration: keypose::anim::time::FrameRate::FPS_30.time_of(10),
        keys: vec![Key::translation(0, Vec3::new(x, y, 0.0))].into(),
        ..Keyframe::default()
    };
    let walk = Clip { keyframes: vec![keyframe(-0.6, 0.0), keyframe(0.6, 0.0)].into(), ..Clip::new("go") };
    let rise = Clip { keyframes: vec![keyframe(0.0, 0.6)].into(), ..Clip::new("rise") };
    model.clips = [walk, rise].map(|clip| ClipSlot { id: Default::default(), clip: clip.into() }).to_vec();
    let mut project = Project::default();
    project.add_model(model);
    let mut editor = Editor::new(project, &Origin::New);
    editor.update(ViewAction::Toggle(Switch::Skeleton));
    editor.update(ViewAction::SetViewport { size: glam::Vec2::splat(SIDE as f32), pixels_per_point: 1.0 });
    editor
}

/// The viewport's picture from the front, without a ground.
fn look(stage: &Stage, editor: &Editor) -> Drawn {
    let mut frame = scene::frame(editor.source(), &editor.view());
    let grey = Color::hex(0x808080);
    (frame.camera, frame.ground, frame.background) = (camera(), None, Background { top: grey, bottom: grey });
    draw(stage, &frame)
}

/// Fails unless the picture at a point leans towards a colour from the grey ground, as a pale ghost does.
fn expect_tint(drawn: &Drawn, at: [f32; 2], tint: Color, what: &str) {
    let found = drawn.at(at[0], at[1]);
    let tint = tint.to_bytes();
    for (part, found) in found[..3].iter().enumerate() {
        let (towards, ground) = (i32::from(tint[part]) - 134, i32::from(*found) - 134);
        // What lies near the ground's own grey says nothing.
        assert!(towards.abs() < 40 || towards.signum() == ground.signum(), "{what}: {found} of {tint:?} at {at:?}");
    }
    assert!((0..3).any(|part| found[part].abs_diff(134) > 12), "{what}: nothing is at {at:?}");
}

fn expect_ground(drawn: &Drawn, at: [f32; 2], what: &str) {
    drawn.expect(at, [134; 3], what);
}

const LEFT: [f32; 2] = [-0.6, 0.0];
const RIGHT: [f32; 2] = [0.6, 0.0];
const TOP: [f32; 2] = [0.0, 0.6];

#[test]
fn a_ghost_has_the_pose_of_the_neighbouring_keyframe() {
    on_driver(|headless| {
        let mut editor = editor();
        expect_ground(&look(headless, &editor), RIGHT, "ghosts are off");
        editor.update(ViewAction::Toggle(Switch::Ghosts));
        let tints = editor.session.workspace.ghosts.tints;
        let drawn = look(headless, &editor);
        drawn.expect(LEFT, [200, 50, 50], "the model");
        expect_tint(&drawn, RIGHT, tints[1], "the keyframe after");
        let second = editor.clip().unwrap().clip.start_of(1);
        editor.update(PlaybackAction::Seek(second));
        let drawn = look(headless, &editor);
        drawn.expect(RIGHT, [200, 50, 50], "the model");
        expect_tint(&drawn, LEFT, tints[0], "the keyframe before");
        let green = Ghosts { tints: [Color::hex(0x00ff00), tints[1]], ..editor.session.workspace.ghosts };
        editor.update(ViewAction::SetGhosts(green));
        expect_tint(&look(headless, &editor), LEFT, Color::hex(0x00ff00), "in another colour");
        editor.update(ViewAction::SetGhosts(Ghosts { neighbours: [0, 2], ..green }));
        expect_ground(&look(headless, &editor), LEFT, "no neighbour is asked for");
    });
}

#[test]
fn another_clip_the_mirror_and_what_was_saved_stand_where_they_pose_the_model() {
    on_driver(|headless| {
        let mut editor = editor();
        editor.update(ViewAction::Toggle(Switch::GhostNeighbours));
        editor.update(ViewAction::Toggle(Switch::GhostMirror));
        expect_tint(&look(headless, &editor), RIGHT, ghosts::MIRRORED, "the mirrored pose");
        editor.update(ViewAction::Toggle(Switch::GhostMirror));
        expect_ground(&look(headless, &editor), RIGHT, "it is off again");
        let rise = editor.model().unwrap().clips[1].id;
        let usual = editor.session.workspace.ghosts;
        editor.update(ViewAction::SetGhosts(Ghosts { clip: Some(rise), ..usual }));
        expect_tint(&look(headless, &editor), TOP, ghosts::OTHER_CLIP, "the other clip");
        editor.update(ViewAction::SetGhosts(usual));
        editor.update(ViewAction::Toggle(Switch::GhostSaved));
        expect_ground(&look(headless, &editor), RIGHT, "nothing changed since it was saved");
        let posed = Posed { bone: 0, channel: Channel::Translation, value: Vec4::new(0.6, 0.0, 0.0, 0.0) };
        editor.update(DocumentAction::Edit { label: "move".into(), change: Change::Pose(vec![posed]) });
        let drawn = look(headless, &editor);
        drawn.expect(RIGHT, [200, 50, 50], "the model was moved");
        expect_tint(&drawn, LEFT, ghosts::SAVED, "the saved version");
    });
}

#[test]
fn a_trail_leads_from_key_to_key_in_the_colours_of_before_and_after() {
    on_driver(|headless| {
        let mut editor = editor();
        editor.update(SelectAction::Bones { bones: vec![0], pick: Default::default() });
        let middle = editor.clip().unwrap().clip.frame_rate.time_of(5);
        editor.update(PlaybackAction::Seek(middle));
        editor.update(ViewAction::Toggle(Switch::Trails));
        // Dots are as large as the editor's own camera makes them.
        editor.session.focus.camera.look_from(Look::Front);
        editor.frame(&Aabb::of([Vec3::ZERO]), 0.8);
        let picture = |editor: &Editor| {
            let mut frame = scene::frame(editor.source(), &editor.view());
            let grey = Color::hex(0x808080);
            (frame.ground, frame.background) = (None, Background { top: grey, bottom: grey });
            draw(headless, &frame)
        };
        let size = glam::Vec2::splat(SIDE as f32);
        let camera = editor.session.focus.camera.camera();
        let at = |x: f32, y: f32| {
            let pixel = camera.pixel_of(Vec3::new(x, y, 0.0), size).unwrap() / size;
            [pixel.x * 2.0 - 1.0, 1.0 - pixel.y * 2.0]
        };
        let drawn = picture(&editor);
        let tints = editor.session.workspace.ghosts.tints;
        let [r, g, b, _] = BoneStyle::KEYED.color.to_bytes();
        drawn.expect(at(-0.6, 0.0), [r, g, b], "the first key");
        drawn.expect(at(0.6, 0.0), [r, g, b], "the second key");
        expect_tint(&drawn, at(-0.4, 0.0), tints[0], "the way behind");
        expect_tint(&drawn, at(0.4, 0.0), tints[1], "the way ahead");
        expect_ground(&drawn, at(0.4, 0.4), "beside the way");
        editor.update(ViewAction::Toggle(Switch::Overlays));
        expect_ground(&picture(&editor), at(0.6, 0.0), "it is an overlay");
    });
}
