//! The volumes of the selected hit, the hurt volumes of the model and the colliders of its springs: lists, and the fields of the selected
//! one.

use std::sync::Arc;

use crate::editor::panels::ui::prelude::*;
use crate::editor::session::selection::VolumePick;
use crate::editor::session::volumes::Picked;
use crate::editor::state::action::VolumeAction;
use keypose::assets::combat::{LaneKind, Volume};

#[derive(Debug, Default)]
pub(super) struct VolumesSection {
    naming: Naming<VolumePick>,
}

impl VolumesSection {
    /// Draws the volumes of the selected range, if it has any.
    pub fn range_ui(&mut self, ui: &Ui<'_>, model: &Arc<Model>, folds: &mut Folds) {
        let focus = &ui.session.focus;
        let lanes = focus.clip.map(|clip| model.combat.lanes_of(clip)).unwrap_or_default();
        let of_range: Option<Vec<&Volume>> = match focus.selection.range {
            Some((LaneKind::Hits, at)) => lanes.hits.get(at).map(|hit| hit.volumes.iter().collect()),
            Some((LaneKind::Hurts, at)) => lanes.hurts.get(at).and_then(|hurt| Some(vec![hurt.replaced.as_ref()?])),
            _ => None,
        };
        if let Some(volumes) = of_range
            && folds.section(ui, "range-volumes", "Volumes of the range")
        {
            list(ui, &volumes, VolumePick::OfRange);
            if matches!(focus.selection.volume, Some(VolumePick::OfRange(_))) {
                self.fields(ui, model);
            }
            buttons(ui, "range-volume");
        }
    }

    /// Draws the hurt volumes of the model, if it or the open clip has anything to do with attacks.
    pub fn hurt_ui(&mut self, ui: &Ui<'_>, model: &Arc<Model>, folds: &mut Folds) {
        let focus = &ui.session.focus;
        let has_lanes = focus.clip.is_some_and(|clip| model.combat.lanes.contains_key(&clip));
        if model.combat.hurt.is_empty() && !has_lanes {
            return;
        }
        if folds.section(ui, "hurt-volumes", "Hurt volumes") {
            list(ui, &model.combat.hurt.iter().collect::<Vec<_>>(), VolumePick::Hurt);
            if matches!(focus.selection.volume, Some(VolumePick::Hurt(_))) {
                self.fields(ui, model);
                buttons(ui, "hurt-volume");
            }
            widgets::command_buttons(ui, &[Command::FitHurtVolumes]);
        }
    }

    /// Draws the colliders of springs.
    pub fn colliders_ui(&mut self, ui: &Ui<'_>, model: &Arc<Model>) {
        list(ui, &model.rig.springs.colliders.iter().collect::<Vec<_>>(), VolumePick::Collider);
        if matches!(ui.session.focus.selection.volume, Some(VolumePick::Collider(_))) {
            self.fields(ui, model);
            buttons(ui, "collider");
        }
    }

    /// Draws name, bone, place and radius of the selected volume.
    fn fields(&mut self, ui: &Ui<'_>, model: &Arc<Model>) {
        let Some(picked) = Picked::of(model, &ui.session.focus) else { return };
        let Some(volume) = picked.volume() else { return };
        let apply = |touch, step, volume: Volume| {
            ui.change(touch, step, || picked.edit(Some(volume)).into_iter().collect());
        };
        ui.dummy([0.0, GAP]);
        let form = Form::new(ui, "volume-");
        let of = form.of(volume, "Set volume", &apply);
        self.name_ui(&of.step("Rename volume"), ui, volume);
        let is_there = model.skeleton.find(&volume.bone).is_some();
        form.value_in("Bone", &volume.bone, "", if is_there { ui.theme.text } else { ui.theme.draft });
        let size = volume.from.length().max(volume.to.length()).max(volume.radius).max(1e-3);
        let tips = |end: &str| ["x", "y", "z"].map(|axis| format!("{end} {axis}, in the space of the bone"));
        let (from, to) = (tips("From"), tips("To"));
        of.numbers("From", from.each_ref().map(String::as_str), length(size), |it| it.from.as_mut().each_mut());
        of.numbers("To", to.each_ref().map(String::as_str), length(size), |it| it.to.as_mut().each_mut());
        let how = length(size).within(size * 1e-4, f32::MAX);
        of.number("Radius", "Radius in units of the model", how, |volume| &mut volume.radius);
    }

    /// Draws the name, which becomes a text field when clicked. The name of a replacement is that of its hurt volume.
    fn name_ui(&mut self, form: &FormOf<'_, Volume>, ui: &Ui<'_>, volume: &Volume) {
        let Some(place) = ui.session.focus.selection.volume else { return };
        if matches!(ui.session.focus.selection.range, Some((LaneKind::Hurts, _))) && place == VolumePick::OfRange(0) {
            return;
        }
        let name = NameText { text: &volume.name, ..NameText::default() };
        form.text("Name", name, &mut self.naming, place, |volume, name| {
            if !name.is_empty() {
                volume.name = name;
            }
        });
    }
}

/// The number of a length in the units of a model in which the volume has this size.
fn length(size: f32) -> Number {
    let format = if size < 0.5 { "%.3f" } else { "%.2f" };
    Number::new(format, size * 0.005)
}

/// Draws a list of volumes. A click selects one, so that the gizmo moves it.
fn list(ui: &Ui<'_>, volumes: &[&Volume], pick: fn(usize) -> VolumePick) {
    for (at, volume) in volumes.iter().enumerate() {
        let place = pick(at);
        let is_selected = ui.session.focus.selection.volume == Some(place);
        let id = match place {
            VolumePick::Hurt(_) => format!("hurt-volume{at}"),
            VolumePick::OfRange(_) => format!("range-volume{at}"),
            VolumePick::Collider(_) => format!("collider{at}"),
        };
        let bone = if volume.bone == volume.name { "" } else { &volume.bone };
        let touch = Item::new(&id, &volume.name, bone, is_selected).draw(ui);
        if touch.is_clicked {
            ui.send(VolumeAction::Pick((!is_selected).then_some(place)));
        }
        ui.tip("Select the volume; the gizmo and G, R and S move, rotate and scale it", "");
    }
}

fn buttons(ui: &Ui<'_>, id: &str) {
    let form = Form::new(ui, "");
    let first = [("Add", Command::AddVolume), ("Fit", Command::FitVolume), ("Mirror", Command::MirrorVolume)];
    form.commands(&format!("{id}-a"), &first);
    let second = [("To active bone", Command::SetVolumeBone), ("Delete", Command::DeleteVolume)];
    form.commands(&format!("{id}-b"), &second);
}
