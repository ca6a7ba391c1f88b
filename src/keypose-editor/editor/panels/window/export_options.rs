//! The options of an export, in the file browser.

use crate::editor::panels::ui::prelude::*;
use crate::editor::state::export_options::{ExportOptions, Moments};
use crate::render::frame::framed_model::CameraAngle;

/// Draws the options of an export. Returns whether a list of choices is open.
pub fn export_ui(ui: &Ui<'_>, options: &mut ExportOptions) -> bool {
    let form = Form::new(ui, "export-");
    form.menu("Poses", &Moments::ALL.map(|one| (one, one.name())), &mut options.moments);
    form.menu("View", &CameraAngle::CHOICES.map(|one| (one, one.name())), &mut options.view);
    let names = ExportOptions::SIDES.map(|side| format!("{side} px"));
    let sides: Vec<_> = ExportOptions::SIDES.into_iter().zip(names.iter().map(String::as_str)).collect();
    form.menu("Size", &sides, &mut options.side);
    form.choice("Bones", &[(false, "Hidden", ""), (true, "Shown", "")], &mut options.has_bones);
    form.has_list()
}
