//! The active model and clip, the playhead, and how the model is looked at.

use crate::anim::time::Time;
use crate::assets::id::ClipId;
use crate::editor::session::camera::{Lens, Look};
use crate::editor::session::display::ShownPose;
use crate::editor::session::playhead::SPEEDS;
use crate::editor::session::selection::{ItemKind, Selection};
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;
use crate::editor::state::action::Action;
use crate::editor::update::{machine, seeing, transaction};
use crate::render::frame::bounds::Aabb;
use crate::render::frame::camera::Camera;
use crate::render::frame::side_view;

/// Opens another model.
pub fn select_model(editor: &mut Editor, model: usize) {
    transaction::commit(editor);
    if model < editor.document.models.len() && model != editor.session.focus.model {
        editor.session.focus.model = model;
        editor.session.focus.selection = Selection::default();
        editor.session.focus.hidden.clear();
        editor.session.focus.pins.clear();
        editor.session.focus.trails.clear();
        editor.session.focus.selection_history = Default::default();
        editor.session.focus.bone_sets.clear();
        editor.session.transient.hover = None;
        let first = editor.model().and_then(|model| model.clips.first()).map(|slot| slot.id);
        select_clip(editor, first);
        editor.frame_all();
    }
}

/// Opens another clip from its start; playing goes on.
pub fn select_clip(editor: &mut Editor, clip: Option<ClipId>) {
    transaction::commit(editor);
    editor.session.focus.selection.focus = ItemKind::Clips;
    editor.session.focus.selection.clips.clear();
    if clip != editor.session.focus.clip {
        editor.session.focus.clip = clip;
        editor.session.focus.selection.keyframes.clear();
        editor.session.focus.selection.keys.clear();
        editor.session.focus.playhead.loop_section = None;
        editor.session.focus.playhead.seek(Time::ZERO);
        editor.tidy();
    }
}

/// These clips are meant together.
pub fn pick_clips(editor: &mut Editor, clips: Vec<ClipId>) {
    editor.session.focus.selection.clips = clips.into_iter().collect();
    editor.session.focus.selection.focus = ItemKind::Clips;
    editor.tidy();
}

/// Goes to a time; a gesture that is open ends there.
pub fn seek(editor: &mut Editor, time: Time) {
    transaction::commit(editor);
    editor.session.focus.playhead.seek(time);
}

/// Starts or stops playing.
pub fn set_playing(editor: &mut Editor, is_playing: bool) {
    transaction::commit(editor);
    let clip = editor.clip().map(|slot| slot.clip.clone());
    match (clip, is_playing) {
        (Some(clip), true) => editor.session.focus.playhead.play(&clip),
        (clip, _) => editor.session.focus.playhead.pause(clip.as_deref()),
    }
}

/// How fast it plays.
pub fn set_speed(editor: &mut Editor, speed: f64) {
    if speed.is_finite() {
        editor.session.focus.playhead.speed = speed.clamp(*SPEEDS.start(), *SPEEDS.end());
    }
}

/// The viewport has another size. One that is not a size is left out.
pub fn set_viewport(editor: &mut Editor, size: glam::Vec2, pixels_per_point: f32) {
    if size.is_finite() && pixels_per_point.is_finite() {
        editor.session.workspace.viewport = size.max(glam::Vec2::ONE);
        editor.session.workspace.pixels_per_point = pixels_per_point.clamp(0.5, 8.0);
    }
}

/// Switches something on or off.
pub fn toggle(editor: &mut Editor, switch: Switch) {
    if !editor.session.workspace.switches.remove(&switch) {
        editor.session.workspace.switches.insert(switch);
        if seeing::KINDS.contains(&switch) {
            seeing::show_ghosts(editor);
        }
    }
}

/// Shows the model in another pose; what plays stops.
pub fn show_pose(editor: &mut Editor, pose: ShownPose) {
    transaction::commit(editor);
    if pose != ShownPose::Clip {
        set_playing(editor, false);
        editor.session.focus.machine.preview = None;
        editor.session.transient.blend = None;
    }
    editor.session.workspace.display.pose = pose;
}

/// What leads back from a pose that is only looked at to that of the clip.
pub fn ends_shown_pose(action: &Action) -> bool {
    let poses = matches!(action, Action::Paste(_) | Action::ClearPose(_) | Action::StartMix(_));
    poses || machine::ends_preview(action) || matches!(action, Action::Begin { .. } | Action::Poses(_))
}

/// Looks from a side; the game's camera stands where the game has it.
pub fn look_from(editor: &mut Editor, look: Look) {
    editor.session.focus.camera.look_from(look);
    let Some(model) = editor.model().filter(|_| look == Look::Game).cloned() else { return };
    let fit = editor.caches.root_speeds.fit(&model);
    let camera = &mut editor.session.focus.camera;
    camera.lens = Lens::Perspective;
    camera.target = fit.base + glam::Vec3::Y * fit.height * 0.5;
    camera.pitch = (side_view::RISE / side_view::distance()).atan();
    camera.distance = (side_view::VIEW_HEIGHT * 0.5 / fit.scale / (Camera::FOV_Y_RADIANS * 0.5).tan()).min(1e6);
}

/// Looks at the selected bones, or at all of the model where none is selected.
pub fn frame_selected(editor: &mut Editor) {
    let view = editor.view();
    let bones = &editor.session.focus.selection.bones;
    let (Some(model), false) = (&view.model, bones.is_empty()) else { return editor.frame_all() };
    let all = editor.caches.bounds.get(model).posed(&view.pose).radius();
    let heads = bones.iter().flat_map(|&bone| std::iter::once(bone).chain(model.skeleton.children(bone)));
    let bounds = Aabb::of(heads.map(|bone| view.pose.get(bone).translation()));
    if !bounds.is_empty() {
        editor.session.focus.camera.frame(bounds.center(), bounds.radius().max(all * 0.15));
    }
}
