//! The viewport: the rendered model with the tools, buttons, axis ball and hint over it. Sends the mouse to the
//! editor, which finds out what it hits.

use crate::editor::panels::ui::Ui;
use glam::Vec2;
use imgui::{MouseButton, TextureId};
use lucide_icons::Icon;

use crate::editor::panels::model::bone_menu::bone_menu;
use crate::editor::panels::ui::frame::{Align, icon};
use crate::editor::panels::ui::menu;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::theme::faded;
use crate::editor::panels::view::axis_ball::axis_ball;
use crate::editor::panels::view::bench::bench_ui;
use crate::editor::panels::view::blend::blend_bar;
use crate::editor::panels::view::overlay::over_picture;
use crate::editor::panels::view::view_bar::view_bar;
use crate::editor::panels::window::first_steps::first_steps_ui;
use crate::editor::panels::window::log;
use crate::editor::panels::window::start::start_ui;
use crate::editor::session::command::Command;
use crate::editor::session::display::ShownPose;
use crate::editor::session::pointer::{ModalKey, PointerEvent, PointerKind};
use crate::editor::session::shortcuts::Modifiers;
use crate::editor::session::tool::Tool;
use crate::editor::state::action::{Action, GestureAction, ToolAction, ViewAction};

/// The panel.
#[derive(Debug, Default)]
pub struct ViewportPanel {
    /// Its size in points, for which the next frame is rendered.
    pub size: [f32; 2],
    /// Pixels per point.
    pub scale: f32,
    /// Its rectangle on the screen.
    pub area: Rect,
    drag: Option<Drag>,
    /// Where the right button was pressed over the viewport, until it is dragged. Its release opens the context menu.
    menu_press: Option<[f32; 2]>,
    mouse: [f32; 2],
    was_inside: bool,
}

/// The drag of a mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drag {
    /// The left button: picking, boxes, the gizmo.
    Point,
    /// Orbit, pan or zoom.
    Camera,
}

impl ViewportPanel {
    /// Draws the panel. `picture` was rendered for [`ViewportPanel::size`].
    pub fn ui(&mut self, ui: &Ui<'_>, picture: Option<TextureId>) {
        let area = Rect::at(ui.cursor_screen_pos(), ui.content_region_avail());
        self.resize(ui, area);
        // Items over the viewport have priority.
        sys::ground_button(ui.imgui, "##picture", area.size().map(f32::floor));
        ui.item("picture");
        let (is_hovered, is_activated) = (ui.is_item_hovered(), ui.is_item_activated());
        if let Some(picture) = picture {
            let list = ui.draw();
            list.add_image_rounded(picture, area.min, area.max, 6.0).uv_min([0.0, 1.0]).uv_max([1.0, 0.0]).build();
        }
        if ui.model().is_none() {
            if !ui.session.transient.is_awaiting {
                start_ui(ui, area);
            }
            log::banner(ui, area);
            return;
        }
        let blend = ui.session.transient.blend.as_ref();
        let is_over_blend = blend.is_some_and(|blend| blend_bar(ui, blend, area));
        if let Some(bench) = &ui.session.transient.bench {
            bench_ui(ui, bench, area, self.scale);
            log::banner(ui, area);
            (self.drag, self.was_inside) = (None, false);
            return;
        }
        over_picture(ui, area, self.scale);
        let is_over = is_over_blend | controls(ui, area) | log::banner(ui, area);
        self.mouse(ui, area, is_hovered && !is_over, is_activated && !is_over);
        self.context_menu(ui, area);
    }

    /// Takes over the size of the panel.
    fn resize(&mut self, ui: &Ui<'_>, area: Rect) {
        self.area = area;
        let size = area.size().map(f32::floor);
        let scale = ui.io().display_framebuffer_scale[0].max(0.5);
        if (size, scale) != (self.size, self.scale) && size[0] >= 8.0 && size[1] >= 8.0 {
            (self.size, self.scale) = (size, scale);
            ui.send(ViewAction::SetViewport { size: Vec2::from(size) * scale, pixels_per_point: scale });
        }
    }
}

/// Draws the axis ball, the tools, the buttons, the hint and the first steps. Returns whether the mouse is over them.
fn controls(ui: &Ui<'_>, area: Rect) -> bool {
    let is_over_ball = axis_ball(ui, [area.max[0] - 54.0, area.min[1] + 54.0]);
    let is_over_tools = tool_strip(ui, area) | view_bar(ui, area);
    // The blend bar takes the place of the hint and the first steps.
    let is_blending = ui.session.transient.blend.is_some();
    if (ui.session.workspace.first_steps.is_none() || ui.draft().is_some()) && !is_blending {
        hint_line(ui, area);
    }
    let is_over_steps = !is_blending && first_steps_ui(ui, area);
    is_over_ball | is_over_tools | is_over_steps
}

/// Draws the tools, each with its key. Returns whether the mouse is over them.
fn tool_strip(ui: &Ui<'_>, area: Rect) -> bool {
    let tools = [
        (Icon::MousePointer2, Tool::Select, Command::ToolSelect),
        // These keys start the transform immediately; the tool shows its handles.
        (Icon::Move, Tool::Move, Command::Move),
        (Icon::RotateCw, Tool::Rotate, Command::Rotate),
        (Icon::Scaling, Tool::Scale, Command::Scale),
        (Icon::Spline, Tool::Reach, Command::Reach),
    ];
    // Without room for the keys, only the tooltips show them.
    let is_high = area.size()[1] >= 40.0 * tools.len() as f32 + 20.0;
    let room = (area.height() - 14.0) / tools.len() as f32;
    let (side, high) = (34.0, if is_high { 40.0 } else { room.clamp(16.0, 30.0) });
    let strip = Rect::at(
        [area.min[0] + 10.0, area.min[1] + if is_high { 10.0 } else { 7.0 }],
        [side, high * tools.len() as f32],
    );
    ui.fill(strip, faded(ui.theme.bar, 0.92), 6.0);
    let mut rest = strip;
    for (at, (sign, tool, command)) in tools.into_iter().enumerate() {
        let rect = rest.cut_top(high, 0.0).shrunk(2.0);
        ui.set_cursor_screen_pos(rect.min);
        if ui.invisible_button(format!("##tool{at}"), rect.size()) {
            ui.send(ToolAction::Set(tool));
        }
        ui.item(&format!("tool{at}"));
        let is_on = ui.session.workspace.tool == tool;
        let ink = tool_ground(ui, rect, is_on);
        let key = ui.key_of(command);
        ui.text_in(rect.trim_bottom(if is_high { 11.0 } else { 0.0 }), Align::Center, ink, &icon(sign));
        if is_high {
            let _font = ui.with_font(ui.fonts.small);
            ui.text_in(rect.bottom(16.0), Align::Center, if is_on { ink } else { ui.theme.quiet }, &key);
        }
        ui.tip(command.label(), &key);
    }
    strip.contains(ui.io().mouse_pos)
}

fn tool_ground(ui: &Ui<'_>, rect: Rect, is_on: bool) -> [f32; 4] {
    if is_on {
        ui.fill(rect, ui.theme.accent, 5.0);
        return ui.theme.on_accent;
    }
    if ui.is_item_hovered() {
        ui.fill(rect, ui.theme.field_hovered, 5.0);
    }
    ui.theme.text
}

/// Draws the hint at the lower edge, in orange for a draft.
fn hint_line(ui: &Ui<'_>, area: Rect) {
    let Some((text, is_draft)) = hint(ui) else { return };
    let color = if is_draft { ui.theme.draft } else { ui.theme.text };
    let width = ui.calc_text_size(&text)[0] + 28.0;
    let rect = Rect::at([area.center()[0] - width / 2.0, area.max[1] - 36.0], [width, 26.0]);
    ui.fill(rect, faded(ui.theme.ground, 0.75), 13.0);
    ui.text_in(rect, Align::Center, color, &text);
}

/// The text of the hint, and whether it is about a draft.
fn hint(ui: &Ui<'_>) -> Option<(String, bool)> {
    let session = ui.session;
    if let Some(preview) = &session.focus.machine.preview {
        return Some((format!("Machine: {}     Esc  show the clip", preview.machine.state_name()), false));
    }
    if session.focus.playhead.is_playing {
        return None;
    }
    if session.workspace.display.pose != ShownPose::Clip {
        return Some((format!("{}     Esc  show the clip", session.workspace.display.pose.name()), false));
    }
    if let Some(text) = ui.editor.gesture.as_ref().and_then(|gesture| gesture.status()) {
        return Some((text, false));
    }
    if session.transient.pointer.is_boxing {
        return Some(("Drag to select bones".to_owned(), false));
    }
    if ui.draft().is_some() {
        let (key, drop) = (ui.key_of(Command::KeyPose), ui.key_of(Command::DiscardDraft));
        let place = ui.clip().map(|clip| format!(" at frame {:.0}", clip.frame_rate.frames_in(ui.view.time)));
        return Some((format!("Draft pose{}     {key}  key     {drop}  discard", place.unwrap_or_default()), true));
    }
    if ui.clip().is_some_and(|clip| clip.keyframes.is_empty()) {
        let key = ui.key_of(Command::KeyPose);
        return Some((format!("No keyframes. Pose the model, then press {key} to key it"), false));
    }
    session.focus.selection.bones.is_empty().then(|| ("Click a bone to pose it".to_owned(), false))
}

impl ViewportPanel {
    /// Handles the mouse over the viewport.
    fn mouse(&mut self, ui: &Ui<'_>, area: Rect, is_free: bool, is_activated: bool) {
        let io = ui.io();
        let pixel = (Vec2::from(io.mouse_pos) - Vec2::from(area.min)) * self.scale;
        let held = Modifiers { ctrl: io.key_ctrl, shift: io.key_shift, alt: io.key_alt };
        let point = |kind: PointerKind| ui.send(GestureAction::Pointer(PointerEvent { kind, pixel, held }));
        let is_transforming = ui.editor.gesture.as_ref().is_some_and(|gesture| gesture.takes_keys());
        let has_moved = self.mouse != io.mouse_pos;
        self.mouse = io.mouse_pos;
        let is_inside = is_free || self.drag == Some(Drag::Point);
        if has_moved && (is_inside || is_transforming) {
            point(PointerKind::Moved);
        } else if self.was_inside && !is_inside && !is_transforming {
            point(PointerKind::Exited);
        }
        self.was_inside = is_inside;
        if is_activated {
            let is_left = ui.is_mouse_down(MouseButton::Left);
            if is_left && !io.key_alt {
                self.drag = Some(Drag::Point);
                let is_double = ui.is_mouse_double_clicked(MouseButton::Left);
                point(if is_double { PointerKind::DoubleClicked } else { PointerKind::Pressed });
            } else if is_transforming && ui.is_mouse_down(MouseButton::Right) {
                ui.send(GestureAction::Modal(ModalKey::Cancel));
            } else {
                self.drag = Some(Drag::Camera);
                let is_click = ui.is_mouse_down(MouseButton::Right) && held == Modifiers::default();
                self.menu_press = is_click.then_some(io.mouse_pos);
            }
        }
        match self.drag {
            Some(Drag::Point) if !ui.is_mouse_down(MouseButton::Left) => {
                self.drag = None;
                ui.send(GestureAction::Pointer(PointerEvent { kind: PointerKind::Released, pixel, held }));
            }
            Some(Drag::Camera) if !ui.is_any_mouse_down() => self.drag = None,
            Some(Drag::Camera) => camera(ui, self.scale),
            _ => {}
        }
        if is_free && io.mouse_wheel != 0.0 {
            ui.send(ViewAction::Zoom(io.mouse_wheel));
        }
    }
}

impl ViewportPanel {
    /// Opens the context menu after a click of the right button; a drag of it orbits. A bone under the mouse is selected.
    fn context_menu(&mut self, ui: &Ui<'_>, area: Rect) {
        let mouse = Vec2::from(ui.io().mouse_pos);
        self.menu_press = self.menu_press.filter(|&press| mouse.distance(press.into()) <= CLICK);
        if self.menu_press.is_some() && !ui.is_mouse_down(MouseButton::Right) {
            self.menu_press = None;
            let pixel = (mouse - Vec2::from(area.min)) * self.scale;
            let event = PointerEvent { kind: PointerKind::MenuClicked, pixel, held: Modifiers::default() };
            ui.send(GestureAction::Pointer(event));
            ui.open_popup("##viewport-menu");
        }
        if let Some(_popup) = menu::popup(ui, "##viewport-menu") {
            match ui.session.focus.selection.bones.as_slice() {
                [] => menu::commands(ui, POSE_ENTRIES),
                _ => bone_menu(ui),
            }
        }
    }
}

/// Distance in points after which a press of the right button is a drag.
const CLICK: f32 = 4.0;

/// The entries of the context menu while no bone is selected: commands for the whole pose and for the view.
const POSE_ENTRIES: &[&[Command]] = &[
    &[Command::KeyPose, Command::DeleteKeyHere, Command::SavePose],
    &[Command::CopyPose, Command::PastePose, Command::PastePoseMirrored, Command::MirrorPose],
    &[Command::SelectAll, Command::BoxSelect, Command::Reveal],
    &[Command::FrameAll, Command::ToggleOrtho, Command::LookGame, Command::ToggleXRay],
];

fn camera(ui: &Ui<'_>, scale: f32) {
    let io = ui.io();
    let moved = Vec2::from(io.mouse_delta);
    if moved == Vec2::ZERO {
        return;
    }
    ui.send(match (io.key_shift, io.key_ctrl) {
        (true, _) => Action::View(ViewAction::Pan(moved * scale)),
        (_, true) => Action::View(ViewAction::Zoom(-moved.y * 0.05)),
        _ => Action::View(ViewAction::Orbit(moved)),
    });
}
