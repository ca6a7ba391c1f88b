//! Camera, shading, overlays and the pose on display.

use crate::editor::session::camera::{Lens, Look};
use crate::editor::session::switch::Switch;
use crate::editor::state::Editor;
use crate::editor::state::action::ViewAction;
use crate::editor::update::{ghosts, modes};
use crate::render::frame::bounds::Aabb;
use crate::render::frame::camera::Camera;
use crate::render::frame::side_view;

/// Handles a view action.
pub fn act(editor: &mut Editor, action: ViewAction) {
    let session = &mut editor.session;
    match action {
        ViewAction::Toggle(switch) => toggle(editor, switch),
        ViewAction::SetShading(shading) => session.workspace.display.shade(shading),
        ViewAction::ShowPose(pose) => modes::show_pose(editor, pose),
        ViewAction::Leave => modes::end(editor),
        ViewAction::SetGhosts(settings) => ghosts::set(editor, settings),
        ViewAction::ShowGhostNeighbours => ghosts::show_neighbours(editor),
        ViewAction::PinGhosts => ghosts::pin_keyframes(editor),
        ViewAction::UnpinGhosts => session.workspace.pinned_ghosts = None,
        ViewAction::PinTrails => ghosts::pin_trails(editor),
        ViewAction::UnpinTrails => session.focus.trails.clear(),
        ViewAction::SetViewport { size, pixels_per_point } => set_viewport(editor, size, pixels_per_point),
        ViewAction::Orbit(pixels) => orbit(editor, pixels),
        ViewAction::Pan(pixels) => session.focus.camera.pan(pixels, session.workspace.viewport),
        ViewAction::Zoom(notches) => session.focus.camera.zoom(notches),
        ViewAction::LookFrom(look) => look_from(editor, look),
        ViewAction::SetLens(lens) => {
            (session.focus.camera.lens, session.focus.is_lens_automatic) = (lens, false);
        }
        ViewAction::FrameSelected => frame_selected(editor),
        ViewAction::FrameAll => editor.frame_all(),
    }
}

/// Sets the size of the viewport; sizes that are not finite are ignored.
fn set_viewport(editor: &mut Editor, size: glam::Vec2, pixels_per_point: f32) {
    if size.is_finite() && pixels_per_point.is_finite() {
        editor.session.workspace.viewport = size.max(glam::Vec2::ONE);
        editor.session.workspace.pixels_per_point = pixels_per_point.clamp(0.5, 8.0);
    }
}

/// Toggles a switch.
fn toggle(editor: &mut Editor, switch: Switch) {
    if !editor.session.workspace.switches.remove(&switch) {
        editor.session.workspace.switches.insert(switch);
        if ghosts::KINDS.contains(&switch) {
            ghosts::show_ghosts(editor);
        }
    }
}

/// Orbits. A view along an axis that was made parallel automatically has perspective again.
fn orbit(editor: &mut Editor, pixels: glam::Vec2) {
    let focus = &mut editor.session.focus;
    focus.camera.orbit(pixels);
    if pixels != glam::Vec2::ZERO && std::mem::take(&mut focus.is_lens_automatic) {
        focus.camera.lens = Lens::Perspective;
    }
}

/// Looks from a side, or from the game's camera. A view along an axis is parallel, if that is preferred.
pub(super) fn look_from(editor: &mut Editor, look: Look) {
    let (focus, preferences) = (&mut editor.session.focus, &editor.session.workspace.preferences);
    focus.camera.look_from(look);
    if look == Look::Game {
        focus.is_lens_automatic = false;
    } else if preferences.auto_perspective && focus.camera.lens == Lens::Perspective {
        (focus.camera.lens, focus.is_lens_automatic) = (Lens::Parallel, true);
    }
    let (Some(model), Look::Game) = (editor.model().cloned(), look) else { return };
    let fit = editor.caches.root_speeds.fit(&model);
    let camera = &mut editor.session.focus.camera;
    camera.lens = Lens::Perspective;
    camera.target = fit.base + glam::Vec3::Y * fit.height * 0.5;
    camera.pitch = (side_view::RISE / side_view::distance()).atan();
    camera.distance = (side_view::VIEW_HEIGHT * 0.5 / fit.scale / (Camera::FOV_Y_RADIANS * 0.5).tan()).min(1e6);
}

/// Frames the selected bones, or the whole model if none is selected.
fn frame_selected(editor: &mut Editor) {
    let view = editor.view();
    let bones = &editor.session.focus.selection.bones;
    let (Some(model), false) = (&view.model, bones.is_empty()) else { return editor.frame_all() };
    let all = editor.caches.bounds(model).posed(&view.pose).radius();
    let heads = bones.iter().flat_map(|&bone| std::iter::once(bone).chain(model.skeleton.children(bone)));
    let bounds = Aabb::of(heads.map(|bone| view.pose.get(bone).translation()));
    editor.frame(&bounds, all * 0.15);
}
