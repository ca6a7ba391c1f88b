//! The curve editor: values of the selected bones over time, with keys and tangents.

use std::collections::BTreeSet;

use crate::editor::gesture::Gesture;
use crate::editor::ops::bone_tree::bone_tree;
use crate::editor::ops::curves::{ChannelCurves, CurveId, CurveKey, channel_id};
use crate::editor::panels::timeline::panel::ClipLayout;
use crate::editor::panels::timeline::press::{Background, KeyMouse};
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::prelude::*;
use crate::editor::session::timing::{DraggedValue, KeyDragKind};
use crate::editor::view::dope_sheet;
use crate::editor::view::readings::{self, CurveCache};
use keypose::assets::euler_order::EulerOrder;

mod draw;
mod entry;
mod mouse;
pub mod samples;

use mouse::{CurveArea, CurveItem};

/// Height of a row of the list.
const ROW: f32 = 18.0;
/// Maximum number of bones drawn at once.
const MAX_CURVE_BONES: usize = 24;

#[derive(Debug, Default)]
pub struct CurveEditor {
    hidden: BTreeSet<CurveId>,
    /// The values at the lower and upper edge, if set by zooming.
    range: Option<(f32, f32)>,
    /// The bones whose curves were shown last: others are fitted again.
    bones: Vec<BoneIndex>,
    /// Whether the selected keys are to be fitted.
    is_to_fit: bool,
    /// The values in the last frame, which stay the same during a drag.
    last_range: Option<(f32, f32)>,
    curves: CurveCache,
    mouse: KeyMouse<CurveItem>,
}

impl CurveEditor {
    /// Cancels a press or selection box. Returns whether there was one.
    pub fn cancel(&mut self) -> bool {
        self.mouse.cancel()
    }

    /// Fits the values of the selected keys into the view, or all values.
    pub fn fit(&mut self) {
        (self.range, self.is_to_fit) = (None, true);
    }

    /// Draws the list and the curves.
    pub fn ui(&mut self, ui: &Ui<'_>, layout: &ClipLayout<'_>) {
        let Some(model) = ui.model() else { return };
        ui.fill(layout.area, faded(ui.theme.ground, 0.55), 4.0);
        let reading = |bone| (bone, readings::reading(model, ui.session, Some(layout.id), bone));
        let bones = shown_bones(ui, &model.skeleton);
        if bones != self.bones {
            (self.range, self.bones) = (None, bones.clone());
        }
        let shown: Vec<_> = bones.into_iter().map(reading).collect();
        let channels = self.curves.get(layout.clip, &shown, None);
        if channels.is_empty() {
            let text = if ui.session.focus.selection.bones.is_empty() {
                "Select bones to see their curves."
            } else {
                "No keys of the selected bones in this clip."
            };
            return ui.text_in(layout.area.trim_left(14.0), Align::Left, ui.theme.quiet, text);
        }
        self.list(ui, &model.skeleton, layout, &channels);
        let graph = graph(ui, layout, &channels, self);
        let background = Background::ui(ui, "curves", layout.area);
        draw::draw(ui, &graph);
        samples::draw(ui, &graph);
        self.mouse.ui(ui, &CurveArea(&graph), background);
        self.zoom_values(ui, &graph, background.is_hovered);
        entry::entry_ui(ui, &graph);
        lift(ui, &graph);
    }

    /// Draws the list of curves: a click on a curve shows or hides it, on a bone's name selects only that bone.
    fn list(&mut self, ui: &Ui<'_>, skeleton: &Skeleton, layout: &ClipLayout<'_>, channels: &[ChannelCurves]) {
        let place = layout.area.with_x(layout.left, layout.area.min[0] - draw::AXIS);
        let width = place.width();
        ui.set_cursor_screen_pos(place.min);
        let child = ui.child_window("##curve-list").size(place.size());
        let _padding = ui.push_style_var(imgui::StyleVar::WindowPadding([0.0; 2]));
        let _spacing = ui.push_style_var(imgui::StyleVar::ItemSpacing([0.0; 2]));
        child.build(|| {
            let mut bone = None;
            for channel in channels {
                if bone.replace(channel.bone) != Some(channel.bone) {
                    let rect = ui.here([width, ROW]);
                    let is_clicked = ui.button_in(&format!("curve-bone{}", channel.bone), rect);
                    ui.text_in(rect, Align::Left, ui.theme.text, &dope_sheet::name(skeleton, channel.bone));
                    if is_clicked {
                        ui.send(SelectAction::Bones { bones: vec![channel.bone], pick: Pick::Only });
                    }
                }
                for axis in 0..channel.channel.axes() {
                    self.curve_row(ui, skeleton, channel, axis, width);
                }
            }
        });
    }

    fn curve_row(&mut self, ui: &Ui<'_>, skeleton: &Skeleton, channel: &ChannelCurves, axis: usize, width: f32) {
        let id: CurveId = (channel.bone, channel.channel, axis);
        let item = format!("curve-{}-{}-{axis}", channel.bone, channel_id(channel.channel));
        let rect = ui.here([width, ROW]);
        if ui.button_in(&item, rect) && !self.hidden.remove(&id) {
            self.hidden.insert(id);
        }
        let is_picked = ui.session.focus.timing.curves.contains(&id);
        ui.row_ground(rect, is_picked, ui.is_item_hovered());
        let name = curve_name(skeleton, channel, axis);
        draw_curve_row(ui, &name, axis, rect, CurveLook { is_shown: !self.hidden.contains(&id), is_picked });
        ui.tip("Show or hide this curve", "");
    }

    /// Handles the view: Alt+wheel zooms the values around the mouse, Alt+Shift+wheel or the middle button scrolls
    /// them.
    fn zoom_values(&mut self, ui: &Ui<'_>, graph: &Graph<'_>, is_hovered: bool) {
        let io = ui.io();
        let (true, Some((min, max))) = (is_hovered, self.last_range) else { return };
        let per_point = (max - min) / graph.area.size()[1].max(1.0);
        if io.mouse_wheel != 0.0 && io.key_alt {
            let under = min + (graph.area.max[1] - io.mouse_pos[1]) * per_point;
            let by = if io.key_shift { 1.0 } else { 1.2_f32.powf(-io.mouse_wheel) };
            let up = if io.key_shift { io.mouse_wheel * 40.0 * per_point } else { 0.0 };
            self.range = Some((under + (min - under) * by + up, under + (max - under) * by + up));
        }
        if ui.is_mouse_dragging(imgui::MouseButton::Middle) {
            let up = io.mouse_delta[1] * per_point;
            self.range = Some((min + up, max + up));
        }
    }
}

/// A curve on the screen.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    pub of: &'a ChannelCurves,
    pub axis: usize,
    /// The values at the lower and upper edge.
    pub range: (f32, f32),
}

impl Line<'_> {
    pub fn id(&self) -> CurveId {
        (self.of.bone, self.of.channel, self.axis)
    }

    pub fn key_ref(&self, keyframe: usize) -> KeyRef {
        KeyRef { keyframe, bone: self.of.bone, channel: self.of.channel }
    }

    /// The change in value per point.
    pub fn per_point(&self, area: Rect) -> f32 {
        (self.range.1 - self.range.0) / area.size()[1].max(1.0)
    }

    pub fn y(&self, value: f32, area: Rect) -> f32 {
        area.max[1] - (value - self.range.0) / self.per_point(area)
    }
}

/// The curves on the screen.
pub struct Graph<'a> {
    pub clip: &'a Clip,
    pub id: ClipId,
    /// The time scale.
    pub scale: Scale,
    /// The area of the curves.
    pub area: Rect,
    /// The visible curves.
    pub lines: Vec<Line<'a>>,
}

/// The selected bones that match the filter, in the order of the tree.
fn shown_bones(ui: &Ui<'_>, skeleton: &Skeleton) -> Vec<BoneIndex> {
    let (selection, filter) = (&ui.session.focus.selection, &ui.session.focus.timing.filter);
    let bones = bone_tree(skeleton, |_| true, |_| true).into_iter().map(|(bone, ..)| bone);
    let is_shown = |bone: &BoneIndex| selection.has_bone(*bone) && dope_sheet::matches(skeleton, *bone, filter);
    bones.filter(is_shown).take(MAX_CURVE_BONES).collect()
}

fn graph<'a>(
    ui: &Ui<'_>,
    layout: &ClipLayout<'a>,
    channels: &'a [ChannelCurves],
    editor: &mut CurveEditor,
) -> Graph<'a> {
    let all =
        channels.iter().flat_map(|of| (0..of.channel.axes()).map(move |axis| Line { of, axis, range: of.range(axis) }));
    let mut lines: Vec<Line<'a>> = all.filter(|line| !editor.hidden.contains(&line.id())).collect();
    let is_dragging = ui.editor.gesture.is_some() || ui.is_mouse_down(imgui::MouseButton::Left);
    if ui.session.is_on(Switch::Normalised) {
        for line in lines.iter_mut() {
            line.range = with_room(line.range);
        }
    } else {
        let empty = (f32::MAX, f32::MIN);
        let values =
            lines.iter().flat_map(|line| [line.range.0, line.range.1].into_iter().chain(handle_ends(ui, line)));
        let whole = values.fold(empty, |all, value| (all.0.min(value), all.1.max(value)));
        if std::mem::take(&mut editor.is_to_fit) {
            editor.range = values_of_selected(ui, &lines).map(with_room);
        }
        let fitted = editor.range.unwrap_or_else(|| with_room(whole));
        let range = if is_dragging { editor.last_range.unwrap_or(fitted) } else { fitted };
        editor.last_range = Some(range);
        for line in lines.iter_mut() {
            line.range = range;
        }
    }
    Graph { clip: layout.clip, id: layout.id, scale: layout.scale, area: layout.area, lines }
}

/// The values at the ends of the handles that are shown: those of the selected keys.
fn handle_ends(ui: &Ui<'_>, line: &Line<'_>) -> Vec<f32> {
    let is_selected = |key: &&CurveKey| ui.session.focus.selection.keys.contains(&line.key_ref(key.keyframe));
    let ends = |key: &CurveKey| line.of.handles(key.keyframe).map(|handle| handle.map(|it| it.end()[line.axis]));
    line.of.keys.iter().filter(is_selected).flat_map(ends).flatten().collect()
}

/// The lowest and the highest value of the selected keys, in the picked curves if some are; `None` if they are the same.
fn values_of_selected(ui: &Ui<'_>, lines: &[Line<'_>]) -> Option<(f32, f32)> {
    let picked = &ui.session.focus.timing.curves;
    let is_meant = |line: &&Line<'_>| picked.is_empty() || picked.contains(&line.id());
    let values = lines.iter().filter(is_meant).flat_map(|line| {
        let selected = |key: &&CurveKey| ui.session.focus.selection.keys.contains(&line.key_ref(key.keyframe));
        line.of.keys.iter().filter(selected).map(|key| key.shown[line.axis])
    });
    let range = values.fold((f32::MAX, f32::MIN), |(low, high), value| (low.min(value), high.max(value)));
    (range.0 < range.1).then_some(range)
}

/// A range with a tenth of it as margin; a flat curve is in the middle.
fn with_room((min, max): (f32, f32)) -> (f32, f32) {
    if min > max {
        return (-1.0, 1.0);
    }
    let room = ((max - min) * 0.1).max(min.abs().max(max.abs()) * 0.002).max(0.01);
    (min - room, max + room)
}

/// The name of a curve in the list: of a scalar its own, else the channel and the axis.
fn curve_name(skeleton: &Skeleton, channel: &ChannelCurves, axis: usize) -> String {
    if channel.channel.scalar().is_some() {
        return skeleton.channel_name(channel.channel).to_owned();
    }
    let order = match (channel.channel, channel.reading.order) {
        (Channel::Rotation, order) if order != EulerOrder::default() => format!(" ({})", order.name()),
        _ => String::new(),
    };
    format!("{} {}{order}", channel.channel.name(), ["x", "y", "z"][axis])
}

/// How a row of the list looks.
#[derive(Clone, Copy)]
struct CurveLook {
    is_shown: bool,
    is_picked: bool,
}

/// Draws a row of the list: its dot and its name have the colour of the axis.
fn draw_curve_row(ui: &Ui<'_>, name: &str, axis: usize, rect: Rect, look: CurveLook) {
    let center = [rect.min[0] + 14.0, rect.center()[1]];
    let ink = ui.theme.axes[axis];
    if look.is_shown {
        ui.dot(center, 4.0, ink)
    } else {
        ui.draw().add_circle(center, 4.0, ui.theme.dim).build();
    }
    let _font = look.is_picked.then(|| ui.with_font(ui.fonts.bold));
    let color = if look.is_shown { mixed(ui.theme.text, ink, 0.45) } else { ui.theme.dim };
    ui.text_in(rect.trim_left(26.0), Align::Left, color, name);
}

/// Lets keys that are moved by a shortcut change their values in the picked curves, too.
fn lift(ui: &Ui<'_>, graph: &Graph<'_>) {
    let drag = ui.editor.gesture.as_ref().and_then(Gesture::keys);
    if drag.is_some_and(|drag| drag.is_modal && drag.dragged_values.is_none() && drag.kind == KeyDragKind::Move) {
        ui.send(TimeAction::DragValues(dragged_values(ui, graph, None)));
    }
}

/// The selected keys in the picked curves and in `also`.
pub fn dragged_values(ui: &Ui<'_>, graph: &Graph<'_>, also: Option<CurveId>) -> Vec<DraggedValue> {
    let picked = &ui.session.focus.timing.curves;
    let mut all = Vec::new();
    for key in &ui.session.focus.selection.keys {
        let of_key = |line: &&Line<'_>| (line.of.bone, line.of.channel) == (key.bone, key.channel);
        for line in graph.lines.iter().filter(of_key) {
            if picked.contains(&line.id()) || also == Some(line.id()) {
                let Some(shown) = line.of.key(key.keyframe).map(|key| key.shown) else { continue };
                let (axis, per_point) = (line.axis, line.per_point(graph.area));
                all.push(DraggedValue { key: *key, axis, per_point, shown: (shown, line.of.reading.order) });
            }
        }
    }
    all
}
