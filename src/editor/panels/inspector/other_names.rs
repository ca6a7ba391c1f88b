//! The names that other files use for the active bone: a row that becomes a text field when clicked.

use crate::anim::skeleton::BoneIndex;
use crate::assets::model::Model;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::name_field::{NameButton, NameText};
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::editor::state::action::BoneAction;

/// Width of the label.
const LABEL: f32 = 78.0;
/// Maximum width of the field.
const WIDEST: f32 = 320.0;

/// The row.
#[derive(Debug, Default)]
pub struct OtherNames(NameButton<BoneIndex>);

impl OtherNames {
    /// Draws the row.
    pub fn ui(&mut self, ui: &Ui<'_>, model: &Model, bone: BoneIndex) {
        let Some(own) = model.skeleton.get(bone) else { return };
        let names = model.rig.other_names_of(&own.name).collect::<Vec<_>>().join(", ");
        rows::labelled(ui, "Also called", LABEL, [WIDEST, widgets::FIELD], |field| {
            let tip = "Names of this bone in files whose clips are added, separated by commas";
            if let Some(text) = self.0.ui(ui, ("other-names", bone), NameText { text: &names, empty: "–", tip }, field)
            {
                let names = text.split(',').map(|name| name.trim().to_owned()).collect();
                ui.send(BoneAction::SetOtherNames { bone, names });
            }
        });
    }
}
