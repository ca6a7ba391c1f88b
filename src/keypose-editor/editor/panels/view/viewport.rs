//! The viewport: the rendered model with the tools, buttons and axis ball over it. Sends the mouse to the
//! editor, which finds out what it hits.

use glam::Vec2;

use crate::editor::panels::model::bone_menu::bone_menu;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::axis_ball::axis_ball;
use crate::editor::panels::view::banner;
use crate::editor::panels::view::bench::bench_ui;
use crate::editor::panels::view::blend::blend_bar;
use crate::editor::panels::view::crowd::crowd_ui;
use crate::editor::panels::view::first_steps::first_steps_ui;
use crate::editor::panels::view::hint::{Tips, hint_line};
use crate::editor::panels::view::level::{level_menu, level_ui};
use crate::editor::panels::view::overlay::over_picture;
use crate::editor::panels::view::pixels::{PixelPicture, pixel_view};
use crate::editor::panels::view::retarget::retarget_bar;
use crate::editor::panels::view::rig::{rig_from_beside, rig_menu, rig_ui};
use crate::editor::panels::view::skinning_split::skinning_split_ui;
use crate::editor::panels::view::stats::stats_ui;
use crate::editor::panels::view::toast::{ToastTime, toast_ui};
use crate::editor::panels::view::tool_strip::bone_tools;
use crate::editor::panels::view::view_bar::view_bar;
use crate::editor::session::paint::{BrushValue, PaintAction};
use crate::editor::session::pointer::{ModalKey, PointerEvent, PointerKind};
use crate::editor::session::rig::RigAction;
use crate::editor::session::shortcuts::Modifiers;
use crate::editor::view::pixels;

/// Minimum width of each of two views, in points.
const NARROWEST_VIEW: f32 = 360.0;
/// The gap between them, in points.
const BETWEEN_VIEWS: f32 = 4.0;

#[derive(Debug, Default)]
pub struct ViewportPanel {
    /// The size in points, for which the next frame is rendered.
    pub size: [f32; 2],
    /// The size in points of the view from beside; `None` if there is none.
    pub beside: Option<[f32; 2]>,
    /// Pixels per point.
    pub scale: f32,
    pub area: Rect,
    drag: Option<Drag>,
    /// Where the right button was pressed over the viewport, until it is dragged. Its release opens the context menu.
    menu_press: Option<[f32; 2]>,
    mouse: [f32; 2],
    was_inside: bool,
    /// Whether the mouse is over the notice, which stays meanwhile.
    pub is_over_toast: bool,
}

/// Shows what the renderer drew.
pub fn rendered(ui: &Ui<'_>, picture: Option<TextureId>, area: Rect) {
    let Some(picture) = picture else { return };
    ui.draw().add_image_rounded(picture, area.min, area.max, 6.0).uv_min([0.0, 1.0]).uv_max([1.0, 0.0]).build();
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
    /// Draws the panel. The picture was rendered for [`ViewportPanel::size`]; `left` is the time of the notice.
    pub fn ui(
        &mut self,
        ui: &Ui<'_>,
        ([picture, from_beside], sprite): ([Option<TextureId>; 2], Option<Result<PixelPicture, &str>>),
        left: ToastTime,
    ) {
        let whole = Rect::at(ui.cursor_screen_pos(), ui.content_region_avail());
        let (area, beside) = self.divide(ui, whole);
        self.resize(ui, area);
        // Items over the viewport have priority.
        sys::ground_button(ui.imgui, "##picture", area.size().map(f32::floor));
        ui.item("picture");
        let (is_hovered, is_activated) = (ui.is_item_hovered(), ui.is_item_activated());
        rendered(ui, picture, area);
        if let Some(desk) = ui.session.transient.scene.level() {
            let is_over = level_ui(ui, desk, area, self.scale) | self.messages(ui, area, left);
            self.mouse(ui, area, is_hovered && !is_over, is_activated && !is_over);
            self.context_menu(ui, area);
            return;
        }
        if ui.model().is_none() {
            self.messages(ui, area, left);
            return;
        }
        let blend = ui.session.transient.pose.blend();
        let retargeting = ui.session.transient.pose.retargeting();
        let is_over_blend = blend.is_some_and(|blend| blend_bar(ui, blend, area))
            | retargeting.is_some_and(|shown| retarget_bar(ui, shown, area));
        if let Some(bench) = ui.session.transient.scene.bench() {
            bench_ui(ui, bench, area, self.scale);
            self.messages(ui, area, left);
            (self.drag, self.was_inside) = (None, false);
            return;
        }
        if let Some(crowd) = ui.session.transient.scene.crowd() {
            let is_over = crowd_ui(ui, crowd, area) | self.messages(ui, area, left);
            self.mouse(ui, area, is_hovered && !is_over, is_activated && !is_over);
            return;
        }
        if let Some(desk) = ui.session.transient.scene.rig() {
            beside.into_iter().for_each(|area| rig_from_beside(ui, desk, area, self.scale, from_beside));
            let is_over = rig_ui(ui, desk, (area, whole), self.scale) | self.messages(ui, whole, left);
            self.mouse(ui, area, is_hovered && !is_over, is_activated && !is_over);
            self.context_menu(ui, area);
            return;
        }
        if pixels::is_shown(ui.session) {
            let is_over = pixel_view(ui, sprite, area, self.scale) | self.messages(ui, area, left);
            // A pose that a key took follows the mouse.
            return match ui.editor.gesture.as_ref().is_some_and(|gesture| gesture.takes_keys()) {
                true => self.mouse(ui, area, is_hovered && !is_over, is_activated && !is_over),
                false => self.turn(ui, is_activated && !is_over),
            };
        }
        over_picture(ui, area, self.scale);
        let is_over = is_over_blend | controls(ui, area) | self.messages(ui, area, left);
        self.mouse(ui, area, is_hovered && !is_over, is_activated && !is_over);
        self.context_menu(ui, area);
    }

    /// The view that takes the mouse, and in the rig mode the view from beside, if there is room.
    fn divide(&mut self, ui: &Ui<'_>, mut area: Rect) -> (Rect, Option<Rect>) {
        let is_divided = ui.session.transient.scene.rig().is_some() && area.width() >= 2.0 * NARROWEST_VIEW;
        let beside = is_divided.then(|| area.cut_right((area.width() * 0.5).floor(), BETWEEN_VIEWS));
        self.beside = beside.map(|area| area.size().map(f32::floor));
        (area, beside)
    }

    /// Draws the messages over everything else. Returns whether the mouse is over one.
    pub fn messages(&mut self, ui: &Ui<'_>, area: Rect, left: ToastTime) -> bool {
        self.is_over_toast = toast_ui(ui, area, left);
        banner::banner(ui, area) | self.is_over_toast
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
            let is_painting = ui.session.transient.scene.rig().is_some_and(|desk| desk.paint.is_on);
            let turn = |value| ui.send(RigAction::Paint(PaintAction::Turn(value, io.mouse_wheel)));
            match (is_painting, io.key_ctrl, io.key_shift) {
                (true, true, _) => turn(BrushValue::Radius),
                (true, _, true) => turn(BrushValue::Strength),
                _ => ui.send(ViewAction::Zoom(io.mouse_wheel)),
            }
        }
    }

    /// Turns the pixel view, in which nothing is picked.
    fn turn(&mut self, ui: &Ui<'_>, is_activated: bool) {
        let is_held = self.drag == Some(Drag::Camera) && ui.is_any_mouse_down();
        self.drag = (is_activated || is_held).then_some(Drag::Camera);
        let moved = Vec2::from(ui.io().mouse_delta);
        if self.drag.is_some() && moved != Vec2::ZERO {
            ui.send(ViewAction::Orbit(moved));
        }
    }

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
                _ if ui.session.transient.scene.level().is_some() => level_menu(ui),
                _ if ui.session.transient.scene.rig().is_some() => rig_menu(ui),
                [] => menu::commands(ui, POSE_ENTRIES),
                _ => bone_menu(ui),
            }
        }
    }
}

/// Draws the axis ball, the tools, the buttons, the statistics, the hint and the first steps, so that none covers another.
/// Returns whether the mouse is over something that takes clicks.
fn controls(ui: &Ui<'_>, area: Rect) -> bool {
    let ball = [area.max[0] - 54.0, area.min[1] + 54.0];
    let is_over_ball = axis_ball(ui, ball);
    let tools = bone_tools(ui, area);
    let is_over_tools = tools.contains(ui.io().mouse_pos) | view_bar(ui, area);
    skinning_split_ui(ui, area);
    let mut taken = stats_ui(ui, area);
    taken.extend([tools, area.top(40.0), Rect::around(ball, [100.0; 2])]);
    taken.extend(banner::taken(ui, area));
    // The blend bar takes the place of the hint and the first steps.
    if ui.session.transient.pose.blend().is_some() || ui.session.transient.pose.retargeting().is_some() {
        return is_over_ball | is_over_tools;
    }
    let card = first_steps_ui(ui, area, &taken);
    taken.extend(card);
    hint_line(ui, area, &taken, if card.is_some() { Tips::Hidden } else { Tips::Shown });
    is_over_ball | is_over_tools | card.is_some_and(|card| card.contains(ui.io().mouse_pos))
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
