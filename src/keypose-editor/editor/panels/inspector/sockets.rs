//! The sockets of the model: a list, and name, bone, attached model and place of the active one.

use std::sync::Arc;

use glam::Vec3;

use crate::editor::ops::euler;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::sockets::{SocketAction, changed};
use keypose::assets::euler_order::EulerOrder;
use keypose::assets::model::Socket;

#[derive(Debug, Default)]
pub(super) struct SocketsSection {
    naming: Naming<usize>,
}

impl SocketsSection {
    /// Draws the section.
    pub fn ui(&mut self, ui: &Ui<'_>, model: &Arc<Model>, folds: &mut Folds) {
        if model.skeleton.is_empty() || !folds.section(ui, "sockets", "Sockets") {
            return;
        }
        let active = ui.editor.socket();
        for (at, socket) in model.sockets.iter().enumerate() {
            let is_picked = active == Some(at) && ui.session.focus.selection.has_socket;
            if Item::new(&format!("socket{at}"), &socket.name, &socket.attached, is_picked).draw(ui).is_clicked {
                ui.send(SocketAction::Pick(at));
            }
        }
        ui.dummy([0.0, GAP]);
        let form = Form::new(ui, "socket-");
        if let Some((at, socket)) = active.and_then(|at| Some((at, model.sockets.get(at)?))) {
            self.fields(&form, model, at, socket);
        }
        let buttons =
            [("Add", Command::AddSocket), ("To bone", Command::SocketToBone), ("Remove", Command::RemoveSocket)];
        form.commands("sockets", &buttons);
    }

    fn fields(&mut self, form: &Form<'_>, model: &Arc<Model>, at: usize, socket: &Socket) {
        let ui = form.ui;
        let text = NameText { text: &socket.name, tip: "Rename the socket", ..NameText::default() };
        if let Some(name) = form.text("Name", text, &mut self.naming, at) {
            ui.send(SocketAction::Rename(name));
        }
        let bone = model.skeleton.get(socket.bone).map_or("", |bone| bone.name.as_str());
        form.value_in("Bone", bone, "", ui.theme.quiet);
        let others = ui.document.models.iter().filter(|other| other.name != model.name);
        let mut attached = socket.attached.clone();
        if form.name_of("Holds", Some("nothing"), others.map(|other| other.name.as_str()), &mut attached).is_changed {
            ui.send(SocketAction::Attach(attached));
        }
        let apply = |touch, step, with: Socket| {
            ui.change(touch, step, || changed(ui.session.focus.model, model, at, |socket| *socket = with.clone()));
        };
        let of = form.of(socket, "Move socket", &apply);
        let tips = ["X in the space of the bone", "Y in the space of the bone", "Z in the space of the bone"];
        let how = Number { measure: Measure::Length, ..Number::new("%.3f", 0.002) };
        of.numbers("Place", tips, how, |socket| socket.transform.translation.as_mut().each_mut());
        of.step("Rotate socket").field(|form, socket| {
            let mut angles: Vec3 = euler::degrees(socket.transform.rotation, EulerOrder::Xyz);
            let tips = ["Angle about X", "Angle about Y", "Angle about Z"];
            let touch = form.numbers("Angles", tips, Number::degrees(), angles.as_mut().each_mut());
            socket.transform.rotation = euler::rotation(angles, EulerOrder::Xyz);
            touch
        });
    }
}
