//! Drawing of the active bone's joint limit: arcs, the angles of the bone as it is, and handles in the rig mode.

use glam::Vec3;

use crate::editor::gesture::limits::{Gauge, LimitHandle};
use crate::editor::gesture::{Driver, Gesture};
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::sight::{Sight, label};

/// Draws the limit of the active bone. Handles are drawn if they can be dragged.
pub fn limits(ui: &Ui<'_>, sight: &Sight, has_handles: bool) {
    let Some(gauge) = Gauge::of(ui.session, ui.view) else { return };
    let line = |points: &[Vec3], color: Color, width: f32| {
        for pair in points.windows(2) {
            if let (Some(from), Some(to)) = (sight.on_screen(pair[0]), sight.on_screen(pair[1])) {
                ui.line(from, to, color, width);
            }
        }
    };
    let (arc, circle, ink) = (gauge.arc(), gauge.circle(), ui.theme.draft);
    line(&circle, ink, 2.0);
    for point in circle.iter().step_by(9) {
        line(&[gauge.origin, *point], faded(ink, 0.25), 1.0);
    }
    line(&arc, ink, 2.5);
    for end in [arc.first(), arc.last()].into_iter().flatten() {
        line(&[gauge.center(), *end], faded(ink, 0.5), 1.0);
    }
    for [from, to] in gauge.present() {
        line(&[from, to], ui.theme.text, 1.5);
    }
    if has_handles {
        handles(ui, &gauge, sight);
    }
}

/// Draws the handles, and the angle of the one that is dragged or under the mouse.
fn handles(ui: &Ui<'_>, gauge: &Gauge, sight: &Sight) {
    let dragged = match &ui.editor.gesture {
        Some(Gesture { driver: Driver::Limit(drag), .. }) => Some(drag.handle()),
        _ => None,
    };
    let under = || gauge.hit(ui.session, ui.session.transient.pointer.pixel);
    let hot = dragged.or_else(under);
    for handle in gauge.handles() {
        let Some(at) = sight.on_screen(gauge.place(handle, gauge.angle(handle))) else { continue };
        let radius = if hot == Some(handle) { 6.5 } else { 5.0 };
        ui.dot(at, radius + 1.5, ui.theme.ground);
        ui.dot(at, radius, if handle == LimitHandle::Swing { ui.theme.accent } else { ui.theme.draft });
        ui.mark(|| format!("limit: {}", handle.name()), Rect::around(at, [10.0; 2]));
        if hot == Some(handle) {
            label(ui, at, &format!("{:.1}°", gauge.angle(handle).to_degrees()));
        }
    }
}
