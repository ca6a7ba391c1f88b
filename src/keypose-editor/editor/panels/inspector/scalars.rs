//! Values that clips key besides transforms: weights of morph targets, properties, visibilities. A slider each, with key marks.
//! Those of the active bone, or of the whole model.

use glam::Vec4;

use crate::editor::ops::posed::Posed;
use crate::editor::panels::inspector::transform::KEY;
use crate::editor::panels::ui::form::quantity;
use crate::editor::panels::ui::key_mark;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::widgets::KEY_MARK;
use keypose::anim::scalar::{Scalar, ScalarIndex, ScalarKind};
use keypose::assets::model::MeshSlot;

/// The sections of values.
#[derive(Debug, Default)]
pub struct ScalarRows {
    /// The name being typed: of a scalar, or of a new property.
    naming: Naming<Option<ScalarIndex>>,
    menu: ContextMenu<ScalarIndex>,
}

impl ScalarRows {
    /// Draws the sections.
    pub fn ui(&mut self, ui: &Ui<'_>, model: &Model, folds: &mut Folds) {
        let active = ui.session.focus.selection.active_bone();
        let of_bone = |scalar: &Scalar| Some(scalar.bone) == active;
        let counts = |scalar: &Scalar| scalar.kind != ScalarKind::LayerWeight || is_layer(ui, model);
        let has_own = model.skeleton.scalars().iter().any(|scalar| of_bone(scalar) && counts(scalar));
        let is_shown = |(_, scalar): &(ScalarIndex, &Scalar)| counts(scalar) && (!has_own || of_bone(scalar));
        let shown: Vec<_> = (0..).zip(model.skeleton.scalars()).filter(is_shown).collect();
        let (weights, others): (Vec<_>, Vec<_>) = shown.into_iter().partition(|(_, it)| it.kind == ScalarKind::Weight);
        if !weights.is_empty() && folds.section(ui, "morphs", "Morph targets") {
            for &(index, scalar) in &weights {
                self.row(ui, index, scalar);
            }
            buttons(ui, "morphs", &weights);
        }
        if (active.is_some() || !others.is_empty()) && folds.section(ui, "properties", "Properties") {
            for &(index, scalar) in &others {
                self.row(ui, index, scalar);
            }
            self.add_ui(ui, model, active.unwrap_or_default());
        }
        self.menu_ui(ui, model);
    }

    fn row(&mut self, ui: &Ui<'_>, index: ScalarIndex, scalar: &Scalar) {
        if self.naming.is_of(&Some(index)) {
            if let Some(name) = self.naming_ui(ui, Some(index), &scalar.name) {
                set(ui, "Rename", index, Scalar { name, ..scalar.clone() });
            }
            return;
        }
        let form = Form::new(ui, "").with_long_labels();
        let name = ui.here([form.label_width(), FIELD]);
        value_row(ui, &form, &scalar.name, "value", index, scalar);
        if ui.is_mouse_hovering_rect(name.min, name.max) && ui.is_window_hovered() {
            if ui.is_mouse_clicked(MouseButton::Right) {
                self.menu.open(index);
            }
            ui.tip(&scalar.name, "right-click for more");
        }
        ui.mark(|| format!("value-name-{index}"), name);
    }

    /// Draws the name field in place of a row. Returns a name that was entered.
    fn naming_ui(&mut self, ui: &Ui<'_>, of: Option<ScalarIndex>, name: &str) -> Option<String> {
        match Form::new(ui, "").line(|row| self.naming.ui(ui, &of, name, "value-name", row)) {
            Named::Entered(name) if !name.is_empty() => Some(name),
            Named::Entered(_) | Named::Typing | Named::Kept | Named::Closed => None,
        }
    }

    /// Draws the buttons that add a property, or the visibility of a mesh.
    fn add_ui(&mut self, ui: &Ui<'_>, model: &Model, bone: BoneIndex) {
        if self.naming.is_of(&None) {
            if let Some(name) = self.naming_ui(ui, None, "") {
                add(ui, Scalar { name, bone, kind: ScalarKind::Property, default: 0.0 });
            }
            return;
        }
        let buttons = [
            Button::new("Add property", "add-property", "A number that the game and other programs read, such as glow"),
            Button::new("Key visibility", "add-visibility", "Key the visibility of a mesh"),
        ];
        match Form::new(ui, "").buttons(&buttons) {
            Some(0) => self.naming.start(ui, None, ""),
            Some(_) => ui.open_popup("##add-visibility-menu"),
            None => {}
        }
        if let Some(_popup) = menu::popup(ui, "##add-visibility-menu") {
            for (at, slot) in model.meshes.iter().enumerate().filter(|(_, slot)| !has_visibility(model, slot)) {
                if menu::item(ui, &slot.mesh.name, "") {
                    add(ui, visibility(model, at, slot));
                }
                ui.item(&format!("visibility-{at}"));
            }
        }
    }

    fn menu_ui(&mut self, ui: &Ui<'_>, model: &Model) {
        let Some((index, _popup)) = self.menu.begin(ui, "##value-menu") else { return };
        let Some(scalar) = model.skeleton.scalar(index) else { return };
        if !scalar.kind.is_stepped() && menu::item(ui, "Rename", "") {
            self.naming.start(ui, Some(index), &scalar.name);
        }
        ui.item("rename-value");
        if menu::item(ui, "Make value the default", "") {
            set(ui, "Set default", index, Scalar { default: ui.view.local.scalar(index), ..scalar.clone() });
        }
        ui.item("default-value");
        if scalar.kind != ScalarKind::Weight && menu::item(ui, "Delete", "") {
            let edit = ModelEdit::RemoveScalar { model: ui.session.focus.model, scalar: index };
            ui.edit("Delete property", vec![edit.into()]);
        }
        ui.item("delete-value");
    }
}

fn add(ui: &Ui<'_>, scalar: Scalar) {
    let label = format!("Add {}", scalar.kind.name());
    ui.edit(label, vec![ModelEdit::AddScalar { model: ui.session.focus.model, scalar }.into()]);
}

/// Replaces name and default of a scalar. The undo step is a verb and the kind of the scalar.
fn set(ui: &Ui<'_>, verb: &str, scalar: ScalarIndex, with: Scalar) {
    let label = format!("{verb} {}", with.kind.name());
    ui.edit(label, vec![ModelEdit::SetScalar { model: ui.session.focus.model, scalar, with }.into()]);
}

/// Whether the open clip is a layer of another one.
fn is_layer(ui: &Ui<'_>, model: &Model) -> bool {
    let layers = model.clip_notes.values().filter_map(|notes| notes.derived?.how.layer());
    layers.map(|layer| layer.clip).any(|clip| Some(clip) == ui.session.focus.clip)
}

/// Draws the field of a value and its key mark.
pub fn value_row(ui: &Ui<'_>, form: &Form<'_>, label: &str, id: &str, index: ScalarIndex, scalar: &Scalar) {
    let id = format!("{id}{index}");
    form.row(label, |row| {
        let mut field = row.trim_right(KEY);
        field.max[0] = field.max[0].max(field.min[0] + 40.0);
        match scalar.kind {
            ScalarKind::Visibility => switch(ui, index, scalar, field),
            ScalarKind::Weight | ScalarKind::Property | ScalarKind::LayerWeight | ScalarKind::Frame(_) => {
                slider(ui, &id, index, scalar, field);
            }
        }
        key_mark::button(ui, row.right(KEY_MARK), &id, &[scalar.bone], Channel::Scalar(index));
    });
}

fn posed(index: ScalarIndex, scalar: &Scalar, value: f32) -> Vec<Posed> {
    vec![Posed { bone: scalar.bone, channel: Channel::Scalar(index), value: Vec4::X * value }]
}

/// Draws the slider of a weight, or the field of a property or a frame.
fn slider(ui: &Ui<'_>, id: &str, index: ScalarIndex, scalar: &Scalar, field: Rect) {
    let mut value = ui.view.local.scalar(index);
    let key = ui.clip().map(|_| ui.view.mark(scalar.bone, Channel::Scalar(index)));
    let speed = if scalar.kind == ScalarKind::Weight { 1.0 / field.width().max(40.0) } else { 0.01 };
    let how = match scalar.kind {
        ScalarKind::Frame(sheet) => Number::whole(f32::from(sheet.count()) - 1.0),
        ScalarKind::LayerWeight => Number::new("%.3f", speed).within(0.0, 1.0),
        _ => Number::new("%.3f", speed),
    };
    let touch = quantity(ui, field, id, &mut value, Number { key, ..how.or(scalar.default) });
    if matches!(scalar.kind, ScalarKind::Frame(_)) {
        value = value.round();
    }
    if scalar.kind == ScalarKind::Weight {
        let shown = field.width() * value.clamp(0.0, 1.0);
        ui.fill(field.left(shown), faded(ui.theme.accent, 0.22), 4.0);
    }
    number_field::number_tip(ui, &format!("{} (default {})", scalar.name, scalar.default));
    if touch == Touch::AT_ONCE {
        ui.pose("Set value", posed(index, scalar, value));
    } else {
        ui.gesture(touch, "Set value", || Change::Pose(posed(index, scalar, value)));
    }
    if touch.is_keyed {
        key_mark::toggle_keys(ui, &[scalar.bone], Channel::Scalar(index));
    }
}

/// Draws the button that shows or hides a mesh.
fn switch(ui: &Ui<'_>, index: ScalarIndex, scalar: &Scalar, field: Rect) {
    let is_on = ui.view.local.scalar(index) > 0.5;
    let text = if is_on { "Shown" } else { "Hidden" };
    if widgets::button_at(ui, field, &format!("{text}##value{index}"), Tone::Plain) {
        let label = if is_on { "Hide mesh" } else { "Show mesh" };
        ui.pose(label, posed(index, scalar, if is_on { 0.0 } else { 1.0 }));
    }
    ui.tip("Show or hide this mesh. The key mark sets a key", "");
}

fn has_visibility(model: &Model, slot: &MeshSlot) -> bool {
    let is_of = |scalar: &Scalar| scalar.kind == ScalarKind::Visibility && scalar.name == slot.mesh.name;
    model.skeleton.scalars().iter().any(is_of)
}

/// The visibility of a mesh, on the bone that carries it.
fn visibility(model: &Model, at: usize, slot: &MeshSlot) -> Scalar {
    let (name, bone) = (slot.mesh.name.clone(), model.bone_of(at));
    Scalar { name, bone, kind: ScalarKind::Visibility, default: 1.0 }
}

/// Draws the buttons that key and reset all values.
fn buttons(ui: &Ui<'_>, id: &str, shown: &[(ScalarIndex, &Scalar)]) {
    let (key, reset) = (format!("{id}-key"), format!("{id}-reset"));
    let buttons = [
        Button::new("Key all", &key, "Key all of these values at the playhead"),
        Button::new("Reset all", &reset, "Set all of these values to their defaults"),
    ];
    match Form::new(ui, "").buttons(&buttons) {
        Some(0) => ui.send(BoneAction::KeyScalars(shown.iter().map(|(index, _)| *index).collect())),
        Some(_) => {
            let all = shown.iter().flat_map(|(index, scalar)| posed(*index, scalar, scalar.default));
            ui.pose("Reset values", all.collect());
        }
        None => {}
    }
}
