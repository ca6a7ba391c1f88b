//! The frames of a material's texture: the sheet, and the frame that is shown.

use crate::editor::panels::inspector::scalars::value_row;
use crate::editor::panels::ui::prelude::*;
use crate::editor::posing::texture_frames::{posed, sheet_edits};
use keypose::anim::scalar::Sheet;
use keypose::assets::material::Material;

/// Draws the fields of the sheet.
pub fn frames_ui(form: &Form<'_>, model: &Model, at: usize, material: &Material) {
    let (ui, index) = (form.ui, form.ui.session.focus.model);
    let Some((scalar, mut sheet)) = model.frame_of(material) else {
        let tip = "Divide the texture into frames of equal size, and key the frame that is shown";
        if form.buttons(&[Button::new("Split into frames", "split-texture", tip)]).is_some() {
            let sheet = Some(Sheet { columns: 2, rows: 1 });
            ui.edit("Split texture into frames", sheet_edits(index, model, at, sheet));
        }
        return;
    };
    let tips = ["Columns of frames", "Rows of frames"];
    let how = Number { range: [1.0, 255.0], ..Number::whole(255.0) };
    let touch = form.numbers("Frames", tips, how, [&mut sheet.columns, &mut sheet.rows]);
    ui.change(touch, "Set texture frames", || sheet_edits(index, model, at, Some(sheet)));
    if let Some(value) = model.skeleton.scalar(scalar) {
        value_row(ui, form, "Frame", "frame", scalar, value);
    }
    let tip = "Use the texture as one image again. The keys of the frame are deleted";
    if form.buttons(&[Button::new("Remove frames", "remove-frames", tip)]).is_some() {
        ui.edit("Remove texture frames", sheet_edits(index, model, at, None));
    }
}

/// Draws the shown frame on the image of the texture. A click shows another one.
pub fn frame_picker(ui: &Ui<'_>, model: &Model, material: &Material, image: Rect) {
    let Some((scalar, sheet)) = model.frame_of(material) else { return };
    let (columns, rows) = (f32::from(sheet.columns), f32::from(sheet.rows));
    let size = [image.width() / columns, image.height() / rows];
    let shown = sheet.offset(ui.view.local.scalar(scalar)).to_array();
    let corner = [0, 1].map(|axis| image.min[axis] + shown[axis] * image.size()[axis]);
    ui.outline(Rect::at(corner, size), ui.theme.accent, 0.0, 2.0);
    if ui.button_in("texture-frames", image) {
        let place = [0, 1].map(|axis| ((ui.io().mouse_pos[axis] - image.min[axis]) / size[axis]).floor().max(0.0));
        let frame = place[0].min(columns - 1.0) + place[1].min(rows - 1.0) * columns;
        ui.pose("Set texture frame", posed(model, scalar, frame));
    }
    ui.tip("Click a frame to show it", "");
}
