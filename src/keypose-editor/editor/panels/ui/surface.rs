//! The drawing surface of a frame: Dear ImGui with the editor's fonts and colours. No state.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Deref;

use imgui::{DrawListMut, FontStackToken};
use lucide_icons::Icon;

use crate::editor::panels::ui::fonts::Fonts;
use crate::editor::panels::ui::rect::Rect;
use crate::editor::panels::ui::sys;
use crate::editor::panels::ui::theme::{Color, Theme, faded};
use crate::editor::session::shortcuts::Modifiers;
use keypose::assets::printable::printable;

/// A frame of Dear ImGui with the editor's fonts and colours. Dereferences to [`imgui::Ui`].
#[derive(Clone, Copy)]
pub struct Surface<'a> {
    /// Dear ImGui's frame.
    pub imgui: &'a imgui::Ui,
    /// The fonts of the atlas.
    pub fonts: &'a Fonts,
    /// The colours.
    pub theme: &'a Theme,
    /// The rectangles of widgets by id; collected for tests only.
    pub places: Option<&'a Places>,
}

/// The rectangles of a frame's widgets, by id.
pub type Places = RefCell<BTreeMap<String, Rect>>;

impl Deref for Surface<'_> {
    type Target = imgui::Ui;

    fn deref(&self) -> &imgui::Ui {
        self.imgui
    }
}

/// The horizontal alignment of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    /// In the middle.
    Center,
    Right,
}

/// Width of the margins in a tooltip: at both sides, and before the key.
const TIP_MARGINS: f32 = 32.0;

/// The character of an icon.
pub fn icon(icon: Icon) -> String {
    char::from(icon).to_string()
}

impl<'a> Surface<'a> {
    /// Combines a frame with fonts and colours.
    pub fn new(imgui: &'a imgui::Ui, fonts: &'a Fonts, theme: &'a Theme) -> Surface<'a> {
        Surface { imgui, fonts, theme, places: None }
    }

    /// An invisible button of at least one point. [`imgui::Ui`]'s own aborts if the size is 0, as in a very narrow
    /// panel.
    pub fn invisible_button(&self, id: impl AsRef<str>, size: [f32; 2]) -> bool {
        self.imgui.invisible_button(id, size.map(|side| side.max(1.0)))
    }

    /// An invisible button in a rectangle, over which a button or a row is drawn. Tests find it under `id`.
    pub fn button_in(&self, id: &str, rect: Rect) -> bool {
        self.set_cursor_screen_pos(rect.min);
        let is_pressed = self.invisible_button(format!("##{id}"), rect.size());
        self.item(id);
        is_pressed
    }

    /// The rectangle of a size at the cursor.
    pub fn here(&self, size: [f32; 2]) -> Rect {
        Rect::at(self.cursor_screen_pos(), size)
    }

    /// The rest of the window.
    pub fn rest(&self) -> Rect {
        self.here(self.content_region_avail())
    }

    /// The width of the rest of the window.
    pub fn room(&self) -> f32 {
        self.content_region_avail()[0]
    }

    /// Reserves a line across the window, into which text is drawn.
    pub fn take_line(&self, height: f32) -> Rect {
        let line = self.here([self.room(), height]);
        self.dummy(line.size());
        line
    }

    /// The rectangle of the last item, which tests find under `id`.
    pub fn item(&self, id: &str) -> Rect {
        let rect = self.item_rect();
        if let Some(places) = self.places {
            places.borrow_mut().insert(id.to_owned(), rect);
        }
        rect
    }

    /// The rectangle of the last item.
    pub fn item_rect(&self) -> Rect {
        Rect { min: self.imgui.item_rect_min(), max: self.imgui.item_rect_max() }
    }

    /// Registers a rectangle that is not an item, for tests.
    pub fn mark(&self, id: impl FnOnce() -> String, rect: Rect) {
        if let Some(places) = self.places {
            places.borrow_mut().insert(id(), rect);
        }
    }

    /// The modifier keys.
    pub fn held(&self) -> Modifiers {
        let io = self.imgui.io();
        Modifiers { ctrl: io.key_ctrl, shift: io.key_shift, alt: io.key_alt }
    }

    /// Uses a font until the token is dropped.
    pub fn with_font(&self, font: imgui::FontId) -> FontStackToken<'a> {
        self.imgui.push_font(font)
    }

    /// The draw list of the current window. Only one may exist at a time.
    pub fn draw(&self) -> DrawListMut<'a> {
        self.imgui.get_window_draw_list()
    }

    /// A line of text at the cursor. Names in it can't end the line or hide letters.
    pub fn text(&self, text: impl AsRef<str>) {
        self.imgui.text(printable(text.as_ref()));
    }

    /// As [`Surface::text`], in a colour.
    pub fn text_colored(&self, color: Color, text: impl AsRef<str>) {
        self.imgui.text_colored(color, printable(text.as_ref()));
    }

    /// Text at the cursor in as many lines as it needs.
    pub fn text_wrapped(&self, text: impl AsRef<str>) {
        self.imgui.text_wrapped(printable(text.as_ref()));
    }

    /// A tooltip with text alone.
    pub fn tooltip_text(&self, text: impl AsRef<str>) {
        self.imgui.tooltip_text(printable(text.as_ref()));
    }

    /// The size of a line of text, as it is drawn.
    pub fn calc_text_size(&self, text: impl AsRef<str>) -> [f32; 2] {
        self.imgui.calc_text_size(printable(text.as_ref()))
    }

    /// Draws text into a rectangle, vertically centred, cut with "…" if it is too wide.
    pub fn text_in(&self, rect: Rect, align: Align, color: Color, text: &str) {
        self.fitted_text_in(rect, align, color, text, &self.fitted(text, rect.width()));
    }

    /// Draws a name at the left of a rectangle, vertically centred. If it is too wide, its end is kept, because names of
    /// bones differ there: "…forearm.L". Returns whether it was cut.
    pub fn name_in(&self, rect: Rect, color: Color, name: &str) -> bool {
        self.fitted_text_in(rect, Align::Left, color, name, &self.fitted_end(name, rect.width()))
    }

    /// Draws a title in a rectangle, vertically centred. If it is too wide, its middle is left out, because names of clips and files
    /// often share their beginning: "1H_Melee…Stab". Returns whether it was cut.
    pub fn title_in(&self, rect: Rect, align: Align, color: Color, title: &str) -> bool {
        self.fitted_text_in(rect, align, color, title, &self.fitted_middle(title, rect.width()))
    }

    /// Draws text into a rectangle, in another font.
    pub fn text_in_font(&self, font: imgui::FontId, rect: Rect, align: Align, color: Color, text: &str) {
        let _font = self.with_font(font);
        self.text_in(rect, align, color, text);
    }

    /// Draws the shortened text. Returns whether it was cut.
    fn fitted_text_in(&self, rect: Rect, align: Align, color: Color, text: &str, fitted: &str) -> bool {
        let is_cut = fitted != printable(text);
        if is_cut {
            self.mark(|| format!("cut: {text}"), rect);
        }
        let size = self.imgui.calc_text_size(fitted);
        let x = match align {
            Align::Left => rect.min[0],
            Align::Center => rect.center()[0] - size[0] / 2.0,
            Align::Right => rect.max[0] - size[0],
        };
        let y = rect.center()[1] - size[1] / 2.0;
        let drawn = Rect::at([x.round(), y.round()], size);
        self.draw().add_text(drawn.min, color, fitted);
        self.mark_text(fitted, drawn);
        is_cut
    }

    /// Registers the visible part of drawn text, for tests.
    fn mark_text(&self, text: &str, drawn: Rect) {
        if self.places.is_some() && !text.is_empty() {
            let seen = drawn.intersection(&sys::clip_rect(self.imgui));
            self.mark(|| format!("text {:.0},{:.0}: {text}", drawn.min[0], drawn.min[1]), seen);
        }
    }

    /// The text, its end replaced by "…" if it is too wide.
    pub fn fitted(&self, text: &str, wide: f32) -> String {
        self.shortened(text, wide, |letters, count| letters[..count].iter().collect::<String>() + "…")
    }

    /// The text, its start replaced by "…" if it is too wide.
    pub fn fitted_end(&self, text: &str, wide: f32) -> String {
        let end = |letters: &[char], count: usize| letters[letters.len() - count..].iter().collect::<String>();
        self.shortened(text, wide, |letters, count| format!("…{}", end(letters, count)))
    }

    /// The text, its middle replaced by "…" if it is too wide.
    pub fn fitted_middle(&self, text: &str, wide: f32) -> String {
        self.shortened(text, wide, |letters, count| {
            let (start, end) = (count.div_ceil(2), letters.len() - count / 2);
            letters[..start].iter().chain(&['…']).chain(&letters[end..]).collect()
        })
    }

    /// The text with as many letters as fit; `cut` shortens it to a number of letters.
    fn shortened(&self, text: &str, wide: f32, cut: impl Fn(&[char], usize) -> String) -> String {
        let text = printable(text);
        if self.imgui.calc_text_size(&text)[0] <= wide + 0.5 {
            return text.into_owned();
        }
        let letters: Vec<char> = text.chars().collect();
        let cut = |count: usize| cut(&letters, count);
        let fits = |count: &usize| self.imgui.calc_text_size(cut(*count))[0] <= wide;
        let counts: Vec<usize> = (0..letters.len()).collect();
        let most = counts.partition_point(fits).saturating_sub(1);
        cut(most)
    }

    /// Draws a filled rectangle.
    pub fn fill(&self, rect: Rect, color: Color, rounding: f32) {
        self.draw().add_rect(rect.min, rect.max, color).filled(true).rounding(rounding).build();
    }

    /// Draws the background of a field or button that is the last item.
    pub fn field_ground(&self, rect: Rect) {
        let is_hovered = self.is_item_hovered();
        self.fill(rect, if is_hovered { self.theme.field_hovered } else { self.theme.field }, 5.0);
    }

    /// Draws the background of a row, if it is selected or under the mouse.
    pub fn row_ground(&self, rect: Rect, is_selected: bool, is_hovered: bool) {
        if is_selected {
            self.fill(rect, self.theme.row, 5.0);
        } else if is_hovered {
            self.fill(rect, self.theme.row_hovered, 5.0);
        }
    }

    /// Draws the background of a card over other contents.
    pub fn card(&self, rect: Rect, edge: Color) {
        self.fill(rect, faded(self.theme.bar, 0.96), 6.0);
        self.outline(rect, edge, 6.0, 1.0);
    }

    /// Draws the selection box.
    pub fn selection_box(&self, rect: Rect) {
        self.fill(rect, faded(self.theme.selection_box, 0.15), 0.0);
        self.outline(rect, faded(self.theme.selection_box, 0.8), 0.0, 1.0);
    }

    /// Draws a progress bar; `part` of it is done.
    pub fn progress(&self, bar: Rect, part: f32) {
        self.fill(bar, self.theme.field, 3.0);
        self.fill(bar.left(bar.width() * part.clamp(0.0, 1.0)), self.theme.progress, 3.0);
    }

    /// Draws a filled circle.
    pub fn dot(&self, center: [f32; 2], radius: f32, color: Color) {
        self.draw().add_circle(center, radius, color).filled(true).build();
    }

    /// Moves the cursor to the end of a hand-placed block, so that the next item follows it.
    pub fn end_at(&self, position: [f32; 2]) {
        self.set_cursor_screen_pos(position);
        self.dummy([0.0, 0.0]);
    }

    /// Draws the outline of a rectangle.
    pub fn outline(&self, rect: Rect, color: Color, rounding: f32, thickness: f32) {
        self.draw().add_rect(rect.min, rect.max, color).rounding(rounding).thickness(thickness).build();
    }

    pub fn line(&self, from: [f32; 2], to: [f32; 2], color: Color, thickness: f32) {
        self.draw().add_line(from, to, color).thickness(thickness).build();
    }

    /// Draws a diamond, the sign of a key.
    pub fn diamond(&self, center: [f32; 2], radius: f32, color: Color, is_filled: bool) {
        let [x, y] = center;
        let mut points = vec![[x, y - radius], [x + radius, y], [x, y + radius], [x - radius, y]];
        if !is_filled {
            points.push([x, y - radius]);
        }
        self.draw().add_polyline(points, color).filled(is_filled).thickness(1.3).build();
    }

    /// Draws a section title. Tests find it as "section: " and the title.
    pub fn section(&self, title: &str) {
        self.imgui.dummy([0.0, 8.0]);
        let _font = self.with_font(self.fonts.small_bold);
        self.text_colored(self.theme.quiet, title.to_uppercase());
        self.mark(|| format!("section: {title}"), self.item_rect());
    }

    /// The place of a tooltip with its lower end at `y`: what is below stays visible.
    pub fn tip_corner(&self, y: f32, text: &str, key: &str) -> [f32; 2] {
        let width: f32 = [text, key].map(|part| self.calc_text_size(part)[0]).iter().sum();
        let right = self.imgui.io().display_size[0] - width - TIP_MARGINS;
        [self.imgui.io().mouse_pos[0].min(right).max(0.0), y]
    }

    /// Shows a tooltip for the last item, with its key and a second line, after a delay; not while text is typed. Returns whether it is shown.
    pub fn tip(&self, text: &str, key: &str, below: &str, bottom_left: Option<[f32; 2]>) -> bool {
        let is_shown = sys::is_hovered_for_a_while(self.imgui) && !sys::is_typing_now(self.imgui);
        if is_shown {
            if let Some(at) = bottom_left {
                sys::place_next(self.imgui, at, [0.0, 1.0]);
            }
            let _padding = self.imgui.push_style_var(imgui::StyleVar::WindowPadding([10.0, 6.0]));
            self.imgui.tooltip(|| {
                self.text(text);
                if !key.is_empty() {
                    self.imgui.same_line_with_spacing(0.0, 12.0);
                    self.imgui.text_colored(self.theme.quiet, key);
                }
                if !below.is_empty() {
                    let _font = self.with_font(self.fonts.small);
                    self.text_colored(self.theme.quiet, below);
                    self.mark(|| format!("tip below: {below}"), self.item_rect());
                }
                let rect = Rect::at(self.imgui.window_pos(), self.imgui.window_size());
                self.mark(|| "tip".to_owned(), rect);
                self.mark(|| format!("tip: {text}"), rect);
            });
        }
        is_shown
    }
}
