//! Shared widgets: buttons and rows. They report what the user did; a [`Touch`] can become a gesture.

use crate::editor::panels::ui::{Ui, fonts, menu};
use imgui::{FocusedWidget, MouseButton, PopupToken, SliderFlags, StyleVar};
use lucide_icons::Icon;

use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::surface::{Align, icon};
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::theme::{Color, faded};
use crate::editor::session::command::Command;
use crate::editor::view::Mark;

/// Height of a line of text, in points. Rows, fields and labels are measured in it.
pub const TEXT: f32 = fonts::BODY;
/// Height of a row of a list.
pub const ROW: f32 = TEXT + 2.0;
/// Height of a field.
pub const FIELD: f32 = TEXT + 5.0;

/// The user's input to a widget that is dragged or typed into, in this frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch {
    /// Whether the drag or typing began.
    pub is_begun: bool,
    /// Whether its value changed.
    pub is_changed: bool,
    /// Whether the drag or typing ended.
    pub is_ended: bool,
    /// Whether the drag or typing was cancelled: what it changed is restored.
    pub is_cancelled: bool,
    /// Whether the value must be reset to its default.
    pub is_reset: bool,
    /// Whether a key must be inserted or deleted.
    pub is_keyed: bool,
    /// Whether the whole row of numbers must be copied or pasted.
    pub row: Option<RowTransfer>,
}

impl Touch {
    /// A change that is over in one frame.
    pub const AT_ONCE: Touch = Touch {
        is_begun: true,
        is_changed: true,
        is_ended: true,
        is_cancelled: false,
        is_reset: false,
        is_keyed: false,
        row: None,
    };
}

/// A copy between a row of numbers and the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowTransfer {
    /// To the clipboard.
    Copy,
    /// From the clipboard.
    Paste,
}

/// The touch of the last item.
pub fn touch(ui: &Ui<'_>) -> Touch {
    Touch {
        is_begun: ui.is_item_activated(),
        is_changed: ui.is_item_edited(),
        is_ended: ui.is_item_deactivated(),
        ..Touch::default()
    }
}

/// The user's input to a row.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowTouch {
    pub rect: Rect,
    /// Whether the mouse is over it.
    pub is_hovered: bool,
    /// Whether it was clicked with the left button.
    pub is_clicked: bool,
    /// Whether it was double-clicked.
    pub is_double_clicked: bool,
    /// Whether it was clicked with the right button.
    pub is_right_clicked: bool,
    /// The button in it that was pressed: 0 at the left, 1 at the right.
    pub sign: Option<usize>,
}

/// Draws the background of a row across the panel. Its contents are drawn over it.
pub fn row(ui: &Ui<'_>, id: &str, is_selected: bool) -> RowTouch {
    row_in(ui, id, ui.here([ui.room().max(8.0), ROW]), is_selected)
}

/// Draws the background of a row or a cell in a rectangle.
pub fn row_in(ui: &Ui<'_>, id: &str, rect: Rect, is_selected: bool) -> RowTouch {
    ui.set_cursor_screen_pos(rect.min);
    sys::ground_button(ui.imgui, &format!("##row-{id}"), rect.size());
    let rect = ui.item(id);
    let is_hovered = ui.is_item_hovered();
    ui.row_ground(rect, is_selected, is_hovered);
    RowTouch {
        rect,
        is_hovered,
        is_clicked: ui.is_item_clicked(),
        is_double_clicked: is_hovered && ui.is_mouse_double_clicked(MouseButton::Left),
        is_right_clicked: ui.is_item_clicked_with_button(MouseButton::Right),
        sign: None,
    }
}

/// The look of a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Like a field.
    Plain,
    /// Quiet text, without a background unless hovered.
    Bare,
    /// Like [`Tone::Bare`], with normal text.
    Clear,
    /// The accent, for what is on or for the default button.
    On,
    /// An accent border and a tinted ground, for a toggle that is on.
    Lit,
    /// Disabled.
    Off,
}

/// Draws a button. `label` may have "##id" behind the text.
pub fn button(ui: &Ui<'_>, label: &str, size: [f32; 2], tone: Tone) -> bool {
    let (text, id) = label.rsplit_once("##").unwrap_or((label, label));
    let is_pressed = ui.invisible_button(format!("##button-{id}"), size);
    let rect = ui.item(id);
    let (ground, ink) = button_colors(ui, tone, ui.is_item_hovered(), ui.is_item_active());
    ui.fill(rect, ground, 5.0);
    if tone == Tone::Lit {
        ui.outline(rect, ui.theme.accent, 5.0, 1.0);
    }
    let _font = (tone == Tone::On).then(|| ui.with_font(ui.fonts.bold));
    ui.text_in(rect, Align::Center, ink, text);
    is_pressed && tone != Tone::Off
}

/// Draws a button in a rectangle.
pub fn button_at(ui: &Ui<'_>, rect: Rect, label: &str, tone: Tone) -> bool {
    ui.set_cursor_screen_pos(rect.min);
    button(ui, label, rect.size(), tone)
}

/// Draws a button that runs a command, with the command as its tooltip.
pub fn command_button(ui: &Ui<'_>, rect: Rect, label: &str, tone: Tone, command: Command) {
    command_button_about(ui, rect, label, tone, command, command.label());
}

/// As [`command_button`], with another tooltip.
pub fn command_button_about(ui: &Ui<'_>, rect: Rect, label: &str, tone: Tone, command: Command, tip: &str) {
    let tone = if ui.can_run(command) { tone } else { Tone::Off };
    if button_at(ui, rect, label, tone) {
        ui.run(command);
    }
    ui.tip(tip, &ui.key_of(command));
}

pub fn icon_button(ui: &Ui<'_>, id: &str, sign: Icon, size: [f32; 2], tone: Tone) -> bool {
    button(ui, &format!("{}##{id}", icon(sign)), size, tone)
}

/// Draws a button with an icon in a rectangle.
pub fn icon_button_at(ui: &Ui<'_>, rect: Rect, id: &str, sign: Icon, tone: Tone) -> bool {
    ui.set_cursor_screen_pos(rect.min);
    icon_button(ui, id, sign, rect.size(), tone)
}

fn button_colors(ui: &Ui<'_>, tone: Tone, is_hovered: bool, is_held: bool) -> (Color, Color) {
    let theme = ui.theme;
    match (tone, is_hovered, is_held) {
        (Tone::Off, ..) => (faded(theme.field, 0.5), theme.dim),
        (Tone::On, true, _) => (theme.accent, theme.on_accent),
        (Tone::On, ..) => (faded(theme.accent, 0.94), theme.on_accent),
        (Tone::Lit, true, _) => (faded(theme.accent, 0.3), theme.accent),
        (Tone::Lit, ..) => (faded(theme.accent, 0.18), theme.accent),
        (_, _, true) => (theme.row, theme.text),
        (_, true, _) => (theme.field_hovered, theme.text),
        (Tone::Bare, ..) => ([0.0; 4], theme.quiet),
        (Tone::Clear, ..) => ([0.0; 4], theme.text),
        (Tone::Plain, ..) => (theme.field, theme.text),
    }
}

/// Draws a field that opens a list of choices. Returns a token while the list is open, to draw its entries.
pub fn dropdown<'a>(ui: &Ui<'a>, id: &str, text: &str, ink: Color, width: f32) -> Option<PopupToken<'a>> {
    let popup = format!("##dropdown-{id}");
    if ui.invisible_button(format!("##open-{id}"), [width, FIELD]) {
        ui.open_popup(&popup);
    }
    let rect = ui.item(id);
    ui.field_ground(rect);
    let sign = rect.with_x(rect.max[0] - 22.0, rect.max[0] - 4.0);
    ui.text_in(sign, Align::Center, ui.theme.quiet, &icon(Icon::ChevronDown));
    let inner = rect.with_x(rect.min[0] + 8.0, sign.min[0]);
    if ui.title_in(inner, Align::Left, ink, text) {
        ui.tip(text, "");
    }
    sys::place_next_popup(ui.imgui, rect, 2.0);
    sys::limit_next_window(ui.imgui, [width, 0.0], [width.max(320.0), 360.0]);
    let _padding = menu::padding(ui);
    ui.imgui.begin_popup(popup)
}

/// Draws the picture of a clip's first pose, if there is one.
pub fn clip_picture(ui: &Ui<'_>, clip: &str, place: Rect) {
    if let Some(picture) = ui.clip_picture(clip) {
        let list = ui.draw();
        list.add_image_rounded(picture, place.min, place.max, 3.0).uv_min([0.0, 1.0]).uv_max([1.0, 0.0]).build();
    }
}

/// Draws the picture of a model of the document by its name; an empty name is the first one. Returns whether there is one.
pub fn model_picture(ui: &Ui<'_>, model: &str, place: Rect) -> bool {
    let Some(picture) = ui.model_picture(model) else { return false };
    let side = place.width().min(place.height());
    let place = Rect::around(place.center(), [side; 2]);
    ui.draw().add_image_rounded(picture, place.min, place.max, 3.0).uv_min([0.0, 1.0]).uv_max([1.0, 0.0]).build();
    true
}

/// Draws a slider without its number in a rectangle. Returns whether it was moved.
pub fn slider(ui: &Ui<'_>, place: Rect, id: &str, low: f32, high: f32, value: &mut f32) -> bool {
    ui.set_cursor_screen_pos(place.min);
    ui.set_next_item_width(place.width());
    let _height = ui.push_style_var(StyleVar::FramePadding([6.0, (FIELD - ui.text_line_height()) / 2.0]));
    let slider = ui.slider_config(format!("##{id}"), low, high).display_format("").flags(SliderFlags::NO_INPUT);
    let is_moved = slider.build(value);
    ui.item(id);
    is_moved
}

/// Width of a key mark.
pub const KEY_MARK: f32 = 20.0;

/// Draws the diamond of a key mark.
pub fn draw_key_mark(ui: &Ui<'_>, center: [f32; 2], mark: Mark) {
    match mark {
        Mark::Unkeyed => ui.diamond(center, 4.0, ui.theme.dim, false),
        Mark::Keyed => ui.diamond(center, 4.5, ui.theme.keyed, true),
        Mark::Draft => ui.diamond(center, 4.5, ui.theme.draft, true),
    }
}

/// Draws a key mark as a button.
pub fn key_button(ui: &Ui<'_>, id: &str, mark: Mark) -> bool {
    let is_pressed = ui.invisible_button(format!("##key-{id}"), [KEY_MARK, FIELD]);
    let rect = ui.item(&format!("key-{id}"));
    if ui.is_item_hovered() {
        ui.fill(rect, ui.theme.row_hovered, 5.0);
    }
    draw_key_mark(ui, rect.center(), mark);
    is_pressed
}

/// Draws the text of an empty panel: what belongs there, and how to make it.
pub fn empty(ui: &Ui<'_>, title: &str, hint: &str) {
    ui.dummy([0.0, 8.0]);
    let _wrap = ui.push_text_wrap_pos();
    ui.text_colored(ui.theme.text, title);
    if !hint.is_empty() {
        ui.text_colored(ui.theme.quiet, hint);
    }
}

/// Draws a button for each command across the panel, at most 320 points wide, with its key at the right.
pub fn command_buttons(ui: &Ui<'_>, commands: &[Command]) {
    ui.dummy([0.0, 4.0]);
    let _spacing = ui.push_style_var(StyleVar::ItemSpacing([4.0; 2]));
    for &command in commands {
        let size = [ui.room().clamp(8.0, 320.0), 26.0];
        let tone = if ui.can_run(command) { Tone::Plain } else { Tone::Off };
        let is_pressed = button(ui, &format!("##{command:?}"), size, tone);
        let inner = ui.item_rect().inset(10.0, 0.0);
        ui.tip_command(command);
        let key = ui.key_of(command);
        let key_width = if key.is_empty() { 0.0 } else { ui.calc_text_size(&key)[0] + 8.0 };
        ui.text_in(inner.trim_right(key_width), Align::Left, ui.theme.text, command.label());
        ui.text_in(inner, Align::Right, ui.theme.quiet, &key);
        if is_pressed {
            ui.run(command);
        }
    }
}

/// Draws a scrolling part of a panel, which leaves `below` points free.
pub fn scrolled(ui: &Ui<'_>, name: &str, below: f32, body: impl FnOnce()) {
    let _padding = ui.push_style_var(StyleVar::WindowPadding([0.0; 2]));
    let height = (ui.content_region_avail()[1] - below).max(8.0);
    let _spacing = ui.push_style_var(StyleVar::ItemSpacing([4.0, 0.0]));
    ui.mark(|| name.to_owned(), ui.here([ui.room(), height]));
    ui.child_window(name).size([0.0, height]).build(body);
}

/// Height of the hints below a list.
pub const HINTS: f32 = 2.0 * fonts::SMALL + 8.0;

/// Draws two lines of small text below a list.
pub fn hints(ui: &Ui<'_>, lines: [&str; 2]) {
    for line in lines {
        let place = ui.take_line(fonts::SMALL);
        ui.text_in_font(ui.fonts.small, place, Align::Left, ui.theme.quiet, line);
    }
}

/// Draws a title, with quiet text at its right. The name of a panel is on its tab and needs none.
pub fn title(ui: &Ui<'_>, text: &str, at_right: &str) -> Rect {
    let rect = ui.take_line(24.0);
    ui.text_in_font(ui.fonts.bold, rect, Align::Left, ui.theme.text, text);
    ui.text_in(rect, Align::Right, ui.theme.quiet, at_right);
    rect
}

/// Gives the keyboard to the next widget.
pub fn focus_next(ui: &Ui<'_>) {
    ui.set_keyboard_focus_here_with_offset(FocusedWidget::Next);
}
