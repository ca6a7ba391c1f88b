//! The models whose weights the active one can take: for all its meshes, or for the one that was clicked.

use crate::editor::panels::ui::prelude::*;
use crate::editor::session::rig::RigAction;

/// Draws the list, `width` points wide.
pub fn transfer_ui(ui: &Ui<'_>, width: f32) {
    widgets::title(ui, "Transfer weights from", "a model in the same place");
    let Some(model) = ui.model() else { return };
    let clicked = ui.session.transient.scene.rig().and_then(|desk| desk.vertex).map(|at| at.mesh);
    let clicked = clicked.and_then(|mesh| Some((mesh, &model.meshes.get(mesh)?.mesh.name)));
    let mut count = 0;
    for from in ui.document.models.iter().filter(|from| from.is_skinned()) {
        let one = clicked.map(|(mesh, name)| (Some(mesh), format!("to mesh {name}")));
        let all = (from.name != model.name).then(|| (None, "to all meshes".to_owned()));
        for (mesh, to) in one.into_iter().chain(all) {
            let touch = widgets::row(ui, &format!("transfer{count}"), false);
            let mut line = touch.rect.inset(10.0, 0.0);
            let right = line.cut_right(width * 0.5, 8.0);
            ui.text_in(right, Align::Right, ui.theme.quiet, &ui.fitted(&to, right.width()));
            ui.text_in(line, Align::Left, ui.theme.text, &ui.fitted(&from.name, line.width()));
            count += 1;
            if touch.is_clicked {
                ui.send(RigAction::Transfer { from: from.name.clone(), mesh });
                ui.send(ProgramAction::ShowPopup(None));
                ui.close_current_popup();
            }
        }
    }
    if count == 0 {
        let hint = format!("Import one ({}), or click a mesh in the rig mode.", ui.key_of(Command::Import));
        widgets::empty(ui, "No other model with weights.", &hint);
    }
}
