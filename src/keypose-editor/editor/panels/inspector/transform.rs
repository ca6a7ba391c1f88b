//! The numeric transform of the selected bones, with key marks. The last bone is the active one. Rotations are in
//! `rotation`.

use glam::Vec4;

use crate::editor::ops::amount;
use crate::editor::ops::posed::Posed;
use crate::editor::panels::inspector::rotation::{RotationRows, rotation_ui};
use crate::editor::panels::ui::form::NARROW;
use crate::editor::panels::ui::key_mark;
use crate::editor::panels::ui::number_field::{number_tip, precise};
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::widgets::{KEY_MARK, RowTransfer};
use crate::editor::session::notice::NoticeKind;
use crate::editor::view::Mark;
use keypose::anim::transform::Transform;

/// Width of a key mark and the space before it.
pub(super) const KEY: f32 = KEY_MARK + GAP;

/// Whether the panel is too narrow for whole labels.
pub(super) fn is_narrow(ui: &Ui<'_>) -> bool {
    ui.content_region_avail()[0] < NARROW
}

/// A channel of the selected bones as a row of three or four numbers.
pub(super) struct Rows<'a> {
    pub channel: Channel,
    pub label: &'static str,
    /// The undo labels of a drag and of a reset.
    pub steps: [&'static str; 2],
    pub bones: &'a [BoneIndex],
    /// The shown value and the rest value of each bone.
    pub values: Vec<[Vec4; 2]>,
    /// The fields, with the name, format and behaviour of each.
    pub fields: Vec<(&'static str, Number)>,
}

/// Makes the new values of bones from the numbers of a row, or reports why they are not a value.
pub(super) type ToPosed<'a> = &'a mut dyn FnMut(&[(BoneIndex, Vec4)]) -> Result<Vec<Posed>, String>;

/// Draws position, rotation and scale of bones, at least one.
pub(super) fn transform_ui(ui: &Ui<'_>, skeleton: &Skeleton, bones: &[BoneIndex], rotations: &mut RotationRows) {
    let values = |part: fn(Transform) -> glam::Vec3| {
        let both = |&bone: &BoneIndex| transforms(ui, skeleton, bone).map(|transform| part(transform).extend(0.0));
        bones.iter().map(both).collect()
    };
    vectors(ui, &translation(ui, bones, values(|transform| transform.translation)));
    rotation_ui(ui, skeleton, bones, rotations);
    let fields = on_axes(ui, Number::new("%.3f", 0.005));
    let steps = ["Scale bone", "Reset scale"];
    let values = values(|transform| transform.scale);
    vectors(ui, &Rows { channel: Channel::Scale, label: "Scale", steps, bones, values, fields });
}

/// The transform of a bone on screen, and at rest.
pub(super) fn transforms(ui: &Ui<'_>, skeleton: &Skeleton, bone: BoneIndex) -> [Transform; 2] {
    let rest = skeleton.get(bone).map_or(Transform::IDENTITY, |bone| bone.rest);
    [ui.view.local.get(usize::from(bone)), rest]
}

/// Three fields with the colours of the axes.
pub(super) fn on_axes(ui: &Ui<'_>, how: Number) -> Vec<(&'static str, Number)> {
    let with = |(name, color): (&'static str, Color)| (name, Number { edge: Some(color), ..how });
    ["x", "y", "z"].into_iter().zip(ui.theme.axes).map(with).collect()
}

fn translation<'a>(ui: &Ui<'_>, bones: &'a [BoneIndex], values: Vec<[Vec4; 2]>) -> Rows<'a> {
    // A drag across the panel moves by about the bone's length, whatever the model's units.
    let reach = values.last().into_iter().flatten().fold(0.01_f32, |reach, value| reach.max(value.length()));
    let how = Number { measure: Measure::Length, ..Number::new(digits(reach), reach * 0.004) };
    let steps = ["Move bone", "Reset translation"];
    Rows { channel: Channel::Translation, label: "Translation", steps, bones, values, fields: on_axes(ui, how) }
}

/// The number format: more decimals for smaller models.
fn digits(reach: f32) -> &'static str {
    if reach < 0.05 {
        "%.4f"
    } else if reach < 50.0 {
        "%.3f"
    } else {
        "%.1f"
    }
}

/// Draws a translation or scale.
fn vectors(ui: &Ui<'_>, rows: &Rows<'_>) {
    let posed = |&(bone, value): &(BoneIndex, Vec4)| Posed { bone, channel: rows.channel, value };
    rows.draw(ui, &mut None, &mut |values| Ok(values.iter().map(posed).collect()));
}

impl Rows<'_> {
    /// Draws the row. `refused` is why the numbers of the open gesture are not a value, if they aren't.
    pub(super) fn draw(&self, ui: &Ui<'_>, refused: &mut Option<String>, posed: ToPosed<'_>) {
        let mark = key_mark::key_mark_of(ui, self.bones, self.channel);
        // Four numbers take two lines of two.
        let columns = if self.fields.len() == 4 { 2 } else { self.fields.len() };
        for first in (0..self.fields.len()).step_by(columns.max(1)) {
            let label = match self.channel {
                _ if first > 0 => "",
                Channel::Translation if is_narrow(ui) => "Transl.",
                _ => self.label,
            };
            Form::new(ui, "").row(label, |row| {
                let mut place = row.trim_right(KEY);
                place.max[0] = place.max[0].max(place.min[0] + 98.0);
                for column in 0..columns {
                    let at = first + column;
                    let mut numbers: Vec<f32> = self.values.iter().map(|[now, _]| now[at]).collect();
                    let touch = self.field(ui, at, place.column(column, columns, GAP), mark, &mut numbers);
                    self.take(ui, at, touch, &numbers, refused, &mut *posed);
                }
                if first == 0 {
                    key_mark::button(ui, row.right(KEY_MARK), self.label, self.bones, self.channel);
                }
            });
        }
    }

    /// Draws the field of a number of all bones.
    fn field(&self, ui: &Ui<'_>, at: usize, place: Rect, mark: Mark, numbers: &mut [f32]) -> Touch {
        let (name, how) = self.fields[at];
        let key = ui.clip().map(|_| mark);
        let how = Number { key, ..how.with_reset().with_row() };
        let touch = number_field::numbers(ui, place, &format!("{}{at}", self.label), numbers, how);
        number_tip(ui, &format!("{} {name}", self.label));
        touch
    }

    /// The values of the bones with one number changed.
    fn with_number(&self, at: usize, number: impl Fn(usize) -> f32) -> Vec<(BoneIndex, Vec4)> {
        let of = |(nth, (&bone, [now, _])): (usize, (&BoneIndex, &[Vec4; 2]))| {
            let mut value = *now;
            value[at] = number(nth);
            (bone, value)
        };
        self.bones.iter().zip(&self.values).enumerate().map(of).collect()
    }

    /// Does what the touch of a field asks for.
    fn take(
        &self,
        ui: &Ui<'_>,
        at: usize,
        touch: Touch,
        numbers: &[f32],
        refused: &mut Option<String>,
        posed: ToPosed<'_>,
    ) {
        let warn = |reason| ui.send(ProgramAction::Notice(NoticeKind::Warning, reason));
        let entered = touch.is_changed.then(|| posed(&self.with_number(at, |nth| numbers[nth])));
        self.gesture(ui, touch, entered.unwrap_or_else(|| Ok(Vec::new())), refused);
        if touch.is_reset {
            let rest = self.with_number(at, |nth| self.values[nth][1][at]);
            posed(&rest).map_or_else(warn, |values| ui.pose(self.steps[1], values));
        }
        if touch.is_keyed {
            key_mark::toggle_keys(ui, self.bones, self.channel);
        }
        match touch.row {
            Some(RowTransfer::Copy) => ui.set_clipboard_text(self.text()),
            Some(RowTransfer::Paste) => {
                let pasted = self.pasted(&ui.clipboard_text().unwrap_or_default());
                pasted.and_then(|values| posed(&values)).map_or_else(warn, |values| ui.pose(self.steps[0], values));
            }
            None => {}
        }
    }

    /// Turns the touch of a field into a gesture. Numbers that are not a value are not previewed, and cancel it at its end.
    fn gesture(&self, ui: &Ui<'_>, touch: Touch, values: Result<Vec<Posed>, String>, refused: &mut Option<String>) {
        if touch.is_changed || touch.is_begun {
            *refused = values.as_ref().err().cloned();
        }
        let reason = refused.take_if(|_| touch.is_ended && !touch.is_cancelled);
        let (is_cancelled, is_changed) = (touch.is_cancelled || reason.is_some(), touch.is_changed && values.is_ok());
        let touch = Touch { is_cancelled, is_changed, ..touch };
        ui.gesture(touch, self.steps[0], || Change::Pose(values.unwrap_or_default()));
        if let Some(reason) = reason {
            ui.send(ProgramAction::Notice(NoticeKind::Warning, reason));
        }
    }

    /// The numbers of the active bone as text: "90 0 -45.5".
    fn text(&self) -> String {
        let Some([now, _]) = self.values.last() else { return String::new() };
        let numbers = self.fields.iter().enumerate().map(|(at, (_, how))| precise(how.format, now[at]));
        numbers.collect::<Vec<_>>().join(" ")
    }

    /// Parses numbers separated by spaces as the values of all bones.
    fn pasted(&self, text: &str) -> Result<Vec<(BoneIndex, Vec4)>, String> {
        let parts: Vec<&str> = text.split_whitespace().collect();
        let wanted = self.fields.len();
        if parts.len() != wanted {
            return Err(format!("The clipboard holds {} numbers, {wanted} are needed: 90 0 -45.5", parts.len()));
        }
        let mut value = Vec4::ZERO;
        for (at, (part, (_, how))) in parts.into_iter().zip(&self.fields).enumerate() {
            let part = part.trim_end_matches([';', ',']);
            value[at] = amount::parse(part, how.measure)?.of(f64::from(value[at])) as f32;
        }
        Ok(self.bones.iter().map(|&bone| (bone, value)).collect())
    }
}
