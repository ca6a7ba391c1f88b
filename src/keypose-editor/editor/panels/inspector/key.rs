//! The selected keys, while curves are shown: the kind of their handles, and of a single key where its handles end.

use crate::editor::document::edit::Handles;
use crate::editor::ops::curves::{self, CurveHandle, CurveKey, Reading};
use crate::editor::panels::ui::form::{buttons, quantity};
use crate::editor::panels::ui::number_field::number_tip;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::timing::TimeView;
use crate::editor::view::readings::{self, CurveCache};
use keypose::anim::bezier::LENGTHS;
use keypose::anim::key::{HandleKind, Key};

/// The sides of a key, and their tooltips.
const SIDES: [(&str, &str); 2] = [("Before", "the handle before the key"), ("After", "the handle after the key")];

/// The section, and the curves of the key that it showed last.
#[derive(Debug, Default)]
pub struct KeySection {
    curves: CurveCache,
}

impl KeySection {
    pub fn ui(&mut self, ui: &Ui<'_>, model: &Model, folds: &mut Folds) {
        let (Some(clip), Some(id)) = (ui.clip(), ui.session.focus.clip) else { return };
        let keys = &ui.session.focus.selection.keys;
        if ui.session.focus.timing.view != TimeView::Curves || keys.is_empty() {
            return;
        }
        let title = if keys.len() == 1 { "Key".to_owned() } else { format!("{} keys", keys.len()) };
        if !folds.section(ui, "key", &title) {
            return;
        }
        kind_ui(ui, clip, id, keys.iter().copied().collect());
        let (Some(&key), 1) = (keys.first(), keys.len()) else { return };
        let reading = readings::reading(model, ui.session, Some(id), key.bone);
        let curves = self.curves.get(clip, &[(key.bone, reading)], Some(key.channel));
        let Some(of) = curves.first() else { return };
        let Some(here) = of.key(key.keyframe) else { return };
        for (side, handle) in of.handles(key.keyframe).into_iter().enumerate() {
            if let Some(handle) = handle {
                HandleRows { clip, id, key, here, side, handle, reading: &of.reading }.ui(ui);
            }
        }
    }
}

/// Draws the kinds of handles.
fn kind_ui(ui: &Ui<'_>, clip: &Clip, id: ClipId, keys: Vec<KeyRef>) {
    let all = [
        (HandleKind::Auto, "Auto", "Smooth through the neighbouring keys, flat at extremes"),
        (HandleKind::Flat, "Flat", "Level on both sides"),
        (HandleKind::Vector, "Vector", "Towards the neighbouring keys"),
        (HandleKind::Aligned, "Aligned", "Both handles in line"),
        (HandleKind::Free, "Free", "Each handle for itself"),
    ];
    let key_of = |at: &KeyRef| clip.keyframes.get(at.keyframe)?.key(at.bone, at.channel);
    let is_kind_of_all = |kind| keys.iter().all(|at| key_of(at).is_some_and(|key: &Key| key.handles == kind));
    let tone = |kind| if is_kind_of_all(kind) { Tone::On } else { Tone::Plain };
    if let Some(kind) = Form::new(ui, "").line(|field| buttons(ui, field, "key-handles", &all, tone)) {
        ui.edit("Set handles", vec![KeyEdit::SetHandleKind { clip: id, keys, kind }.into()]);
    }
}

/// A handle of a key.
struct HandleRows<'a> {
    clip: &'a Clip,
    id: ClipId,
    key: KeyRef,
    here: &'a CurveKey,
    /// 0 before the key, 1 after it.
    side: usize,
    handle: CurveHandle,
    reading: &'a Reading,
}

impl HandleRows<'_> {
    /// Draws the frame and the values at the end of the handle.
    fn ui(&self, ui: &Ui<'_>) {
        let (name, what) = SIDES[self.side];
        let form = Form::new(ui, "key-");
        let (rate, end) = (self.clip.frame_rate, self.handle.end());
        let frames_per_sec = rate.fps() as f32;
        let start = rate.frames_in(self.handle.time) as f32;
        form.row(name, |field| {
            let mut frame = start + self.handle.secs() * frames_per_sec;
            let how = Number { measure: Measure::Frames(rate), ..Number::new("%.2f", 0.1).unit("f") };
            let touch = quantity(ui, field, &format!("handle-time{}", self.side), &mut frame, how);
            number_tip(ui, &format!("Frame at the end of {what}"));
            let length = (frame - start) / frames_per_sec / self.handle.span;
            self.set(ui, touch, end, length);
        });
        form.row("", |fields| {
            let axes = self.key.channel.axes();
            for axis in 0..axes {
                let mut value = end;
                let how = Number { edge: Some(ui.theme.axes[axis]), ..Number::of_channel(self.key.channel) };
                let id = format!("handle-value{}-{axis}", self.side);
                let touch = quantity(ui, fields.column(axis, axes, GAP), &id, &mut value[axis], how);
                number_tip(ui, &format!("Value at the end of {what}"));
                self.set(ui, touch, value, self.handle.length);
            }
        });
    }

    /// Moves the end of the handle to other values and another length.
    fn set(&self, ui: &Ui<'_>, touch: Touch, end: glam::Vec3, length: f32) {
        let (key, CurveHandle { at, span, .. }) = (&self.here.key, self.handle);
        ui.gesture(touch, "Set handle", || {
            let length = length.clamp(*LENGTHS.start(), *LENGTHS.end());
            let slope = (end - at) / (length * span);
            let tangent = curves::tangent(self.key.channel, key.value, slope, self.reading.order, at);
            let is_alone = key.handles == HandleKind::Free;
            let handles = vec![(self.key, Handles::of(key).with(self.side, tangent, length, is_alone))];
            Change::Edits(vec![KeyEdit::SetHandles { clip: self.id, handles }.into()])
        });
    }
}
