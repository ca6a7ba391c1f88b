//! The names that other files use for the active bone: a row that becomes a text field when clicked.

use crate::anim::skeleton::BoneIndex;
use crate::assets::model::Model;
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::name_field::{NameField, Naming};
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::Tone;
use crate::editor::state::action::BoneAction;

/// Width of the label.
const LABEL: f32 = 78.0;
/// Maximum width of the field.
const WIDEST: f32 = 320.0;

/// The row.
#[derive(Debug, Default)]
pub struct OtherNames {
    /// The bone whose names are being typed.
    typing: Option<(BoneIndex, NameField)>,
}

impl OtherNames {
    /// Draws the row.
    pub fn ui(&mut self, ui: &Ui<'_>, model: &Model, bone: BoneIndex) {
        let Some(own) = model.skeleton.get(bone) else { return };
        let names = model.rig.other_names_of(&own.name).collect::<Vec<_>>().join(", ");
        rows::labelled(ui, "Also called", LABEL, [WIDEST, widgets::FIELD], |field| {
            if let Some((_, typed)) = self.typing.as_mut().filter(|(of, _)| *of == bone) {
                match typed.in_place(ui, "other-names", field.width()) {
                    Naming::Typing => return,
                    Naming::Cancelled => {}
                    Naming::Entered(text) if text == names => {}
                    Naming::Entered(text) => {
                        let names = text.split(',').map(|name| name.trim().to_owned()).collect();
                        ui.send(BoneAction::SetOtherNames { bone, names });
                    }
                }
                self.typing = None;
                return;
            }
            let shown = if names.is_empty() { "–" } else { &names };
            if widgets::button_at(ui, field, &format!("{shown}##other-names"), Tone::Plain) {
                self.typing = Some((bone, NameField::new(&names)));
            }
            ui.tip("Names of this bone in files whose clips are added, separated by commas", "");
        });
    }
}
