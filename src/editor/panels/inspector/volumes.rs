//! The volumes of the selected hit and the hurt volumes of the model: lists, and the fields of the selected one.

use std::sync::Arc;

use glam::Vec3;

use crate::assets::combat::{LaneKind, Volume};
use crate::assets::model::Model;
use crate::editor::panels::inspector::{GAP, LABEL, command_row, labelled_row, number_at};
use crate::editor::panels::ui::Ui;
use crate::editor::panels::ui::fold::Folds;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::name_field::{NameButton, NameText};
use crate::editor::panels::ui::number_field::{Number, number_tip};
use crate::editor::panels::ui::rows;
use crate::editor::panels::ui::theme::faded;
use crate::editor::panels::ui::widgets;
use crate::editor::posing::change::Change;
use crate::editor::session::command::Command;
use crate::editor::session::selection::VolumePick;
use crate::editor::session::volumes::Picked;
use crate::editor::state::action::VolumeAction;

/// The section.
#[derive(Debug, Default)]
pub(super) struct VolumesSection {
    naming: NameButton<VolumePick>,
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

    /// Draws name, bone, place and radius of the selected volume.
    fn fields(&mut self, ui: &Ui<'_>, model: &Arc<Model>) {
        let Some(picked) = Picked::of(model, &ui.session.focus) else { return };
        let Some(volume) = picked.volume() else { return };
        self.name_ui(ui, &picked, volume);
        labelled_row(ui, "Bone", LABEL, |field| {
            let is_there = model.skeleton.find(&volume.bone).is_some();
            let ink = if is_there { ui.theme.text } else { ui.theme.draft };
            ui.text_in(field, Align::Left, ink, &volume.bone);
        });
        let size = volume.from.length().max(volume.to.length()).max(volume.radius).max(1e-3);
        let axes = |label: &'static str, value: Vec3, with: fn(&mut Volume, Vec3)| {
            labelled_row(ui, label, LABEL, |fields| {
                for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
                    let mut number = value[axis];
                    let how = Number { edge: Some(ui.theme.axes[axis]), ..length(size) };
                    let place = fields.column(axis, 3, GAP);
                    let touch = number_at(ui, place, &format!("volume-{label}{axis}"), &mut number, how);
                    number_tip(ui, &format!("{label} {name}, in the space of the bone"));
                    let change = || {
                        let (mut volume, mut value) = (volume.clone(), value);
                        value[axis] = number;
                        with(&mut volume, value);
                        Change::Edits(picked.edit(Some(volume)).into_iter().collect())
                    };
                    ui.gesture(touch, "Set volume", change);
                }
            });
        };
        axes("From", volume.from, |volume, value| volume.from = value);
        axes("To", volume.to, |volume, value| volume.to = value);
        labelled_row(ui, "Radius", LABEL, |fields| {
            let mut radius = volume.radius;
            let how = Number { range: [size * 1e-4, f32::MAX], ..length(size) };
            let touch = number_at(ui, fields.column(0, 3, GAP), "volume-radius", &mut radius, how);
            number_tip(ui, "Radius in the units of the model");
            ui.gesture(touch, "Set volume", || {
                Change::Edits(picked.edit(Some(Volume { radius, ..volume.clone() })).into_iter().collect())
            });
        });
    }

    /// Draws the name, which becomes a text field when clicked. The name of a replacement is that of its hurt volume.
    fn name_ui(&mut self, ui: &Ui<'_>, picked: &Picked, volume: &Volume) {
        let Some(place) = ui.session.focus.selection.volume else { return };
        if matches!(ui.session.focus.selection.range, Some((LaneKind::Hurts, _))) && place == VolumePick::OfRange(0) {
            return;
        }
        rows::labelled(ui, "Name", LABEL, [320.0, widgets::FIELD], |field| {
            let name = NameText { text: &volume.name, ..NameText::default() };
            let entered = self.naming.ui(ui, ("volume-name", place), name, field);
            if let Some(name) = entered.filter(|name| !name.is_empty()) {
                let edit = picked.edit(Some(Volume { name, ..volume.clone() }));
                ui.edit("Rename volume", edit.into_iter().collect());
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
        };
        let touch = widgets::row(ui, &id, is_selected);
        if !ui.is_rect_visible(touch.rect.min, touch.rect.max) {
            continue;
        }
        let row = touch.rect.inset(6.0, 0.0);
        let ink = if is_selected { ui.theme.text } else { faded(ui.theme.text, 0.85) };
        ui.text_in(row.left(row.width() * 0.5), Align::Left, ink, &volume.name);
        if volume.bone != volume.name {
            ui.text_in(row.trim_left(row.width() * 0.5), Align::Right, ui.theme.quiet, &volume.bone);
        }
        if touch.is_clicked {
            ui.send(VolumeAction::Pick((!is_selected).then_some(place)));
        }
        ui.tip("Select it: the gizmo and the keys G, R and S move, rotate and scale it", "");
    }
}

fn buttons(ui: &Ui<'_>, id: &str) {
    let first = [("Add", Command::AddVolume), ("Fit", Command::FitVolume), ("Mirror", Command::MirrorVolume)];
    let second = [("To active bone", Command::SetVolumeBone), ("Delete", Command::DeleteVolume)];
    command_row(ui, &format!("{id}-a"), &first);
    command_row(ui, &format!("{id}-b"), &second);
}
