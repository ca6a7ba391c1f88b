//! The names that other files use for the active bone: a row that becomes a text field when clicked.

use crate::editor::panels::ui::prelude::*;

/// The row.
#[derive(Debug, Default)]
pub struct OtherNames(Naming<BoneIndex>);

impl OtherNames {
    /// Draws the row.
    pub fn ui(&mut self, ui: &Ui<'_>, model: &Model, bone: BoneIndex) {
        let Some(own) = model.skeleton.get(bone) else { return };
        let names = model.rig.other_names_of(&own.name).collect::<Vec<_>>().join(", ");
        let tip = "Names of this bone in files whose clips are added, separated by commas";
        let text = NameText { text: &names, empty: "–", tip };
        if let Some(text) = Form::new(ui, "").text("Also called", text, &mut self.0, bone) {
            let names = text.split(',').map(|name| name.trim().to_owned()).collect();
            ui.send(BoneAction::SetOtherNames { bone, names });
        }
    }
}
