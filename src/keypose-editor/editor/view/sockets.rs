//! Sockets in the viewport: the models that they hold at the playhead, and the socket that the gizmo moves.

use glam::{Mat4, Vec3};

use crate::editor::session::Session;
use crate::editor::view::{Source, View};
use crate::render::frame::attached::attached_as;
use crate::render::frame::overlay::Layer;
use crate::render::frame::{Frame, ModelDraw};
use keypose::assets::clip_event::attached_at;
use keypose::assets::model::Model;

/// The models on the sockets of the active model, as the events of the open clip put them there.
pub fn held(source: Source<'_>, view: &View, draw: &ModelDraw) -> Vec<ModelDraw> {
    attached_as(draw, &source.document.models, &held_names(source, view, &draw.model))
}

/// The names of the models on all sockets of the active model, as the events of the open clip put them there; empty for none.
pub fn held_names<'m>(source: Source<'_>, view: &View, model: &'m Model) -> Vec<&'m str> {
    let clip = view.clip_id.and_then(|id| model.clip(id));
    let is_known = |name: &str| source.document.models.iter().any(|model| model.name == name);
    attached_at(model, clip.map(|clip| &**clip), view.time, is_known)
}

/// The index of the socket that the gizmo moves, and the matrix of its bone in the pose on screen; `None` if it moves something else.
pub fn moved(view: &View, session: &Session) -> Option<(usize, Mat4)> {
    let focus = &session.focus;
    let (Some(model), true) = (&view.model, focus.selection.has_socket) else { return None };
    let at = focus.socket.min(model.sockets.len().checked_sub(1)?);
    let bone = model.sockets.get(at)?.bone;
    let model_from_bone = (usize::from(bone) < view.pose.bones.len()).then(|| view.pose.get(bone).to_mat4())?;
    Some((at, model_from_bone))
}

/// Draws the axes of the socket that the gizmo moves; the size of the model is known from the radius of its rest pose.
pub fn draw_selected(view: &View, session: &Session, rest_radius: f32, frame: &mut Frame) {
    let Some(model) = &view.model else { return };
    let Some((at, model_from_bone)) = moved(view, session) else { return };
    let model_from_socket = model_from_bone * model.sockets[at].transform.to_mat4();
    let origin = model_from_socket.transform_point3(Vec3::ZERO);
    frame.overlay.axes(origin, &model_from_socket, rest_radius * 0.12, Layer::Above);
}
