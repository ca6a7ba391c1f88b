//! The curve editor: values of the selected bones over time, with keys and tangents.

use crate::editor::panels::ui::Ui;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::anim::clip::Clip;
use crate::anim::key::Channel;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::editor::gesture::Gesture;
use crate::editor::ops::curves::{ChannelCurves, CurveId};
use crate::editor::panels::timeline::panel::Laid;
use crate::editor::panels::timeline::scale::Scale;
use crate::editor::panels::ui::frame::Align;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::theme::faded;
use crate::editor::session::selection::Pick;
use crate::editor::session::switch::Switch;
use crate::editor::session::timing::TimeAction;
use crate::editor::session::timing::{DraggedValue, KeyDragKind};
use crate::editor::state::action::SelectAction;
use crate::editor::view::dope_sheet;

mod draw;
mod entry;
mod mouse;

/// Height of a row of the list.
const ROW: f32 = 18.0;
/// Maximum number of bones drawn at once.
const MOST_BONES: usize = 24;

/// The curve editor.
#[derive(Debug, Default)]
pub struct CurveEditor {
    /// The hidden curves.
    hidden: BTreeSet<CurveId>,
    /// The values at the lower and upper edge, if set by zooming.
    range: Option<(f32, f32)>,
    /// Those of the last frame, which stay the same during a drag.
    last: Option<(f32, f32)>,
    kept: Option<Kept>,
    mouse: mouse::KeyMouse,
}

/// The curves of a clip and bones.
#[derive(Debug)]
struct Kept {
    clip: Arc<Clip>,
    bones: Vec<BoneIndex>,
    channels: Arc<Vec<ChannelCurves>>,
}

impl CurveEditor {
    /// Cancels a press or selection box. Returns whether there was one.
    pub fn cancel(&mut self) -> bool {
        self.mouse.press.take().is_some()
    }

    /// Fits all values into the view.
    pub fn fit(&mut self) {
        self.range = None;
    }

    fn channels(&mut self, clip: &Arc<Clip>, bones: Vec<BoneIndex>) -> Arc<Vec<ChannelCurves>> {
        if let Some(kept) = self.kept.as_ref().filter(|kept| Arc::ptr_eq(&kept.clip, clip) && kept.bones == bones) {
            return kept.channels.clone();
        }
        let all = bones.iter().flat_map(|&bone| Channel::ALL.map(|channel| (bone, channel)));
        let channels: Vec<_> = all.filter_map(|(bone, channel)| ChannelCurves::of(clip, bone, channel)).collect();
        let channels = Arc::new(channels);
        self.kept = Some(Kept { clip: clip.clone(), bones, channels: channels.clone() });
        channels
    }
}

/// A curve on the screen.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    /// Its channel.
    pub of: &'a ChannelCurves,
    /// Its axis, 0 to 2.
    pub axis: usize,
    /// The values at the lower and upper edge.
    pub range: (f32, f32),
}

impl Line<'_> {
    /// Its identity.
    pub fn id(&self) -> CurveId {
        (self.of.bone, self.of.channel, self.axis)
    }

    /// The change in value per point.
    pub fn per_point(&self, area: Rect) -> f32 {
        (self.range.1 - self.range.0) / area.size()[1].max(1.0)
    }

    /// The y of a value.
    pub fn y(&self, value: f32, area: Rect) -> f32 {
        area.max[1] - (value - self.range.0) / self.per_point(area)
    }
}

/// The curves on the screen.
pub struct Graph<'a> {
    /// The clip.
    pub clip: &'a Clip,
    /// The time scale.
    pub scale: Scale,
    /// The area of the curves.
    pub area: Rect,
    /// The visible curves.
    pub lines: Vec<Line<'a>>,
}

impl CurveEditor {
    /// Draws the list and the curves.
    pub fn ui(&mut self, ui: &Ui<'_>, laid: &Laid<'_>) {
        let Some(model) = ui.model() else { return };
        let shown = shown_bones(ui, &model.skeleton);
        let area = laid.area;
        ui.fill(area, faded(ui.theme.ground, 0.55), 4.0);
        let channels = self.channels(laid.clip, shown);
        if channels.is_empty() {
            let has_bones = !ui.session.focus.selection.bones.is_empty();
            let text = if has_bones {
                "No keys of the selected bones in this clip."
            } else {
                "Select bones to see their curves."
            };
            let inner = area.trim_left(14.0);
            return ui.text_in(inner, Align::Left, ui.theme.quiet, text);
        }
        self.list(ui, &model.skeleton, laid, &channels);
        let graph = graph(ui, laid, &channels, self);
        ui.set_cursor_screen_pos(area.min);
        sys::ground_button(ui.imgui, "##curves", area.size());
        ui.item("curves");
        let is_hovered = ui.is_item_hovered();
        let is_pressed = ui.is_item_activated();
        draw::draw(ui, &graph);
        mouse::mouse(ui, &graph, laid.id, (is_hovered, is_pressed), &mut self.mouse);
        self.look(ui, &graph, is_hovered);
        entry::entry_ui(ui, &graph, laid.id);
        lift(ui, &graph);
    }
}

/// The selected bones that match the filter, in the order of the tree.
fn shown_bones(ui: &Ui<'_>, skeleton: &Skeleton) -> Vec<BoneIndex> {
    let (selection, filter) = (&ui.session.focus.selection, &ui.session.focus.timing.filter);
    let bones = dope_sheet::tree(skeleton).into_iter().map(|(bone, _)| bone);
    let is_shown = |bone: &BoneIndex| selection.has_bone(*bone) && dope_sheet::matches(skeleton, *bone, filter);
    bones.filter(is_shown).take(MOST_BONES).collect()
}

fn graph<'a>(ui: &Ui<'_>, laid: &Laid<'a>, channels: &'a [ChannelCurves], local: &mut CurveEditor) -> Graph<'a> {
    let all = channels.iter().flat_map(|of| (0..3).map(move |axis| Line { of, axis, range: of.range(axis) }));
    let mut lines: Vec<Line<'a>> = all.filter(|line| !local.hidden.contains(&line.id())).collect();
    let is_held = ui.editor.gesture.is_some() || ui.is_mouse_down(imgui::MouseButton::Left);
    if ui.session.is_on(Switch::Normalised) {
        lines.iter_mut().for_each(|line| line.range = with_room(line.range));
    } else {
        let (least, most) = (f32::MAX, f32::MIN);
        let whole = lines.iter().fold((least, most), |all, line| (all.0.min(line.range.0), all.1.max(line.range.1)));
        let fitted = local.range.unwrap_or_else(|| with_room(whole));
        let range = local.last.filter(|_| is_held).unwrap_or(fitted);
        local.last = Some(range);
        lines.iter_mut().for_each(|line| line.range = range);
    }
    Graph { clip: laid.clip, scale: laid.scale, area: laid.area, lines }
}

/// A range with a margin; a flat curve is in the middle.
fn with_room((least, most): (f32, f32)) -> (f32, f32) {
    if least > most {
        return (-1.0, 1.0);
    }
    let room = ((most - least) * 0.12).max(least.abs().max(most.abs()) * 0.002).max(0.01);
    (least - room, most + room)
}

impl CurveEditor {
    /// Draws the list of curves: a click on a curve shows or hides it, on a bone's name selects only that bone.
    fn list(&mut self, ui: &Ui<'_>, skeleton: &Skeleton, laid: &Laid<'_>, channels: &[ChannelCurves]) {
        ui.set_cursor_screen_pos([laid.left, laid.area.min[1]]);
        let width = laid.area.min[0] - laid.left - 6.0;
        let child = ui.child_window("##curve-list").size([width, laid.area.size()[1]]);
        let _padding = ui.push_style_var(imgui::StyleVar::WindowPadding([0.0; 2]));
        let _spacing = ui.push_style_var(imgui::StyleVar::ItemSpacing([0.0; 2]));
        child.build(|| {
            let mut bone = None;
            for channel in channels {
                if bone.replace(channel.bone) != Some(channel.bone) {
                    let is_clicked = ui.invisible_button(format!("##curve-bone{}", channel.bone), [width, ROW]);
                    let rect = ui.item(&format!("curve-bone{}", channel.bone));
                    ui.text_in(rect, Align::Left, ui.theme.text, &dope_sheet::name(skeleton, channel.bone));
                    if is_clicked {
                        ui.send(SelectAction::Bones { bones: vec![channel.bone], pick: Pick::Only });
                    }
                }
                for axis in 0..3 {
                    self.curve_row(ui, channel, axis, width);
                }
            }
        });
    }

    fn curve_row(&mut self, ui: &Ui<'_>, channel: &ChannelCurves, axis: usize, width: f32) {
        let id: CurveId = (channel.bone, channel.channel, axis);
        let word = format!("{}-{}-{axis}", channel.bone, channel.channel.name());
        let is_clicked = ui.invisible_button(format!("##curve-{word}"), [width, ROW]);
        let rect = ui.item(&format!("curve-{word}"));
        if is_clicked && !self.hidden.remove(&id) {
            self.hidden.insert(id);
        }
        if ui.is_item_hovered() {
            ui.fill(rect, ui.theme.row_hovered, 4.0);
        }
        if ui.session.focus.timing.curves.contains(&id) {
            ui.fill(rect, faded(ui.theme.row, 0.8), 4.0);
        }
        let is_shown = !self.hidden.contains(&id);
        let square = Rect::at([rect.min[0] + 10.0, rect.center()[1] - 4.0], [8.0, 8.0]);
        match is_shown {
            true => ui.fill(square, ui.theme.axes[axis], 2.0),
            false => ui.outline(square, ui.theme.dim, 2.0, 1.0),
        }
        let color = if is_shown { ui.theme.quiet } else { ui.theme.dim };
        let text = rect.with_x(square.max[0] + 8.0, rect.max[0]);
        ui.text_in(text, Align::Left, color, &format!("{} {}", channel.channel.name(), ["x", "y", "z"][axis]));
        ui.tip("Show or hide this curve", "");
    }

    /// Handles the view: Alt+wheel zooms the values around the mouse, Alt+Shift+wheel or the middle button scrolls
    /// them.
    fn look(&mut self, ui: &Ui<'_>, graph: &Graph<'_>, is_hovered: bool) {
        let io = ui.io();
        let Some((least, most)) = self.last.filter(|_| is_hovered) else { return };
        let per_point = (most - least) / graph.area.size()[1].max(1.0);
        if io.mouse_wheel != 0.0 && io.key_alt {
            let under = least + (graph.area.max[1] - io.mouse_pos[1]) * per_point;
            let by = if io.key_shift { 1.0 } else { 1.2_f32.powf(-io.mouse_wheel) };
            let up = if io.key_shift { io.mouse_wheel * 40.0 * per_point } else { 0.0 };
            self.range = Some((under + (least - under) * by + up, under + (most - under) * by + up));
        }
        if ui.is_mouse_dragging(imgui::MouseButton::Middle) {
            let up = io.mouse_delta[1] * per_point;
            self.range = Some((least + up, most + up));
        }
    }
}

/// Lets keys that are moved by a shortcut change their values in the picked curves, too.
fn lift(ui: &Ui<'_>, graph: &Graph<'_>) {
    let drag = ui.editor.gesture.as_ref().and_then(Gesture::keys);
    if drag.is_some_and(|drag| drag.lifted.is_none() && drag.grip == KeyDragKind::Move) {
        ui.send(TimeAction::Lift(lifted(ui, graph, None)));
    }
}

/// The selected keys in the picked curves and in `also`.
pub fn lifted(ui: &Ui<'_>, graph: &Graph<'_>, also: Option<CurveId>) -> Vec<DraggedValue> {
    let picked = &ui.session.focus.timing.curves;
    let mut all = Vec::new();
    for key in &ui.session.focus.selection.keys {
        let of_key = |line: &&Line<'_>| (line.of.bone, line.of.channel) == (key.bone, key.channel);
        for line in graph.lines.iter().filter(of_key) {
            if picked.contains(&line.id()) || also == Some(line.id()) {
                all.push(DraggedValue { key: *key, axis: line.axis, per_point: line.per_point(graph.area) });
            }
        }
    }
    all
}
