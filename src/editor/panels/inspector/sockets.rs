//! The sockets of the model: a list, and name, bone, attached model and place of the active one.

use std::sync::Arc;

use glam::Vec3;

use crate::assets::euler_order::EulerOrder;
use crate::assets::model::{Model, Socket};
use crate::editor::ops::amount::Measure;
use crate::editor::ops::euler;
use crate::editor::panels::inspector::command_row;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::fold::Folds;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::name_field::{NameButton, NameText};
use crate::editor::panels::ui::number_field::Number;
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::sockets::{SocketAction, changed};

/// The section.
#[derive(Debug, Default)]
pub(super) struct SocketsSection {
    naming: NameButton<usize>,
}

impl SocketsSection {
    /// Whether a name is being typed.
    pub fn is_naming(&self) -> bool {
        self.naming.is_typing()
    }

    /// Draws the section.
    pub fn ui(&mut self, ui: &Ui<'_>, model: &Arc<Model>, folds: &mut Folds) {
        if model.skeleton.is_empty() || !folds.section(ui, "sockets", "Sockets") {
            return;
        }
        let active = ui.editor.socket();
        for (at, socket) in model.sockets.iter().enumerate() {
            let is_picked = active == Some(at) && ui.session.focus.selection.has_socket;
            let touch = widgets::row(ui, &format!("socket{at}"), is_picked);
            let row = touch.rect.inset(6.0, 0.0);
            ui.text_in(row.left(row.width() * 0.5), Align::Left, ui.theme.text, &socket.name);
            ui.text_in(row.trim_left(row.width() * 0.5), Align::Right, ui.theme.quiet, &socket.attached);
            if touch.is_clicked {
                ui.send(SocketAction::Pick(at));
            }
        }
        if let Some((at, socket)) = active.and_then(|at| Some((at, model.sockets.get(at)?))) {
            self.fields(ui, model, at, socket);
        }
        let buttons =
            [("Add", Command::AddSocket), ("To bone", Command::SocketToBone), ("Remove", Command::RemoveSocket)];
        command_row(ui, "sockets", &buttons);
    }

    fn fields(&mut self, ui: &Ui<'_>, model: &Arc<Model>, at: usize, socket: &Socket) {
        rows::row(ui, "Name", widgets::FIELD, |field| {
            let text = NameText { text: &socket.name, tip: "Rename the socket", ..NameText::default() };
            if let Some(name) = self.naming.ui(ui, ("socket-name", at), text, field) {
                ui.send(SocketAction::Rename(name));
            }
        });
        let bone = model.skeleton.get(socket.bone).map_or("", |bone| bone.name.as_str());
        rows::row(ui, "Bone", widgets::FIELD, |field| ui.text_in(field, Align::Left, ui.theme.quiet, bone));
        rows::row(ui, "Holds", widgets::FIELD, |field| {
            ui.set_cursor_screen_pos(field.min);
            attached_ui(ui, model, socket, field.width());
        });
        let edits = |change: &dyn Fn(&mut Socket)| {
            Change::Edits(changed((ui.session.focus.model, model), at, |socket| change(socket)))
        };
        let mut place = socket.transform.translation.to_array();
        let how = Number { measure: Measure::Length, ..Number::new("%.3f", 0.002) };
        let tips = ["X in the space of the bone", "Y in the space of the bone", "Z in the space of the bone"];
        if let Some((_, touch)) = rows::numbers(ui, "Place", &mut place, how, tips) {
            ui.gesture(touch, "Move socket", || {
                edits(&|socket| socket.transform.translation = Vec3::from_array(place))
            });
        }
        let mut angles = euler::degrees(socket.transform.rotation, EulerOrder::Xyz).to_array();
        let how = Number { unit: "°", measure: Measure::Angle, ..Number::new("%.1f", 0.5) };
        let tips = ["Angle about X", "Angle about Y", "Angle about Z"];
        if let Some((_, touch)) = rows::numbers(ui, "Angles", &mut angles, how, tips) {
            let rotation = euler::rotation(Vec3::from_array(angles), EulerOrder::Xyz);
            ui.gesture(touch, "Rotate socket", || edits(&|socket| socket.transform.rotation = rotation));
        }
    }
}

/// Draws the choice of the attached model.
fn attached_ui(ui: &Ui<'_>, model: &Arc<Model>, socket: &Socket, width: f32) {
    let text = if socket.attached.is_empty() { "nothing" } else { &socket.attached };
    let Some(_list) = widgets::dropdown(ui, "socket-model", text, ui.theme.text, width) else { return };
    if menu::entry(ui, "nothing") {
        ui.send(SocketAction::Attach(String::new()));
    }
    for other in ui.editor.document.models.iter().filter(|other| other.name != model.name) {
        if menu::entry(ui, &other.name) {
            ui.send(SocketAction::Attach(other.name.clone()));
        }
    }
}
