//! The manual: a window over the panels, that stays open while one works. F1 shows the page about the panel under the mouse.

mod flow;
pub mod markdown;
pub mod pages;

use imgui::{Condition, WindowFlags};

use crate::editor::panels::ui::Section;
use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::ui::search;
use crate::editor::panels::window::layout::Panel;
use crate::editor::panels::window::manual::flow::{Column, flow};
use crate::editor::panels::window::manual::markdown::{Block, parse};
use crate::editor::panels::window::manual::pages::{PAGES, page_about, page_of};

/// The size of the window when it is opened first, in points.
const SIZE: [f32; 2] = [620.0, 680.0];
/// The maximum count of places that a search lists.
const MAX_FOUND: usize = 30;

#[derive(Debug, Default)]
pub struct ManualWindow {
    page: Option<OpenPage>,
    /// The pages that were left by links.
    before: Vec<usize>,
    query: String,
    is_hovered: bool,
}

/// The page that is shown.
#[derive(Debug)]
struct OpenPage {
    at: usize,
    blocks: Vec<Block>,
    /// The block to scroll to.
    goal: Option<usize>,
}

impl ManualWindow {
    /// Opens the section about the control whose tooltip is shown, or the page about a panel. Closes the window if the mouse is over it.
    pub fn show(&mut self, ui: &Ui<'_>, panel: Option<Panel>, about: Option<Section>) {
        if self.is_hovered && self.page.is_some() {
            return self.close();
        }
        let (file, heading) = about.unwrap_or_else(|| page_about(panel, ui.session));
        self.go(file, heading);
    }

    /// Closes the window if the mouse is over it. Returns whether it did.
    pub fn dismiss(&mut self) -> bool {
        let is_closed = self.is_hovered && self.page.is_some();
        if is_closed {
            self.close();
        }
        is_closed
    }

    fn close(&mut self) {
        *self = ManualWindow::default();
    }

    /// Goes to a heading of a page, as [`Block::Heading`] has it or as links write it; to the top without one.
    fn go(&mut self, file: &str, heading: &str) {
        let Some(at) = page_of(file) else { return };
        let blocks = parse(PAGES[at].text);
        let slug = |text: &str| text.to_lowercase().replace(' ', "-").replace(',', "");
        let is_goal =
            |block: &Block| matches!(block, Block::Heading(_, text) if text == heading || slug(text) == heading);
        let goal = Some(blocks.iter().position(is_goal).unwrap_or(0));
        self.query.clear();
        self.page = Some(OpenPage { at, blocks, goal });
    }

    /// Draws the window if it is open.
    pub fn ui(&mut self, ui: &Ui<'_>) {
        self.is_hovered = false;
        if self.page.is_none() {
            return;
        }
        let display = ui.io().display_size;
        let size = [SIZE[0].min(display[0] - 40.0), SIZE[1].min(display[1] - 80.0)];
        let left = (display[0] - size[0] - 20.0).max(0.0);
        let flags = WindowFlags::NO_DOCKING | WindowFlags::NO_COLLAPSE | WindowFlags::NO_SAVED_SETTINGS;
        let mut is_open = true;
        let window = ui.window("Manual").flags(flags).opened(&mut is_open);
        let window = window.size(size, Condition::Appearing).position([left, 44.0], Condition::Appearing);
        window.build(|| {
            self.is_hovered = ui.is_window_hovered_with_flags(imgui::WindowHoveredFlags::ROOT_AND_CHILD_WINDOWS);
            self.bar(ui);
            if self.query.trim().is_empty() {
                self.page_ui(ui);
            } else {
                self.found_ui(ui);
            }
        });
        if !is_open {
            self.close();
        }
    }

    /// Draws the buttons and the search field.
    fn bar(&mut self, ui: &Ui<'_>) {
        let tone = if self.before.is_empty() { Tone::Off } else { Tone::Plain };
        if widgets::icon_button(ui, "manual-back", Icon::ArrowLeft, [28.0, 24.0], tone)
            && let Some(before) = self.before.pop()
        {
            self.go(PAGES[before].file, "");
        }
        ui.same_line();
        if widgets::button(ui, "Contents##manual-contents", [90.0, 24.0], Tone::Plain) {
            self.follow("README.md");
        }
        ui.same_line();
        search::field(ui, "manual-search", "Search the manual", &mut self.query);
    }

    /// Follows a link, if it leads to a page of the manual.
    fn follow(&mut self, link: &str) {
        let (file, heading) = link.split_once('#').unwrap_or((link, ""));
        let here = self.page.as_ref().map(|page| page.at);
        let file = if file.is_empty() { here.map_or("", |at| PAGES[at].file) } else { file };
        if page_of(file).is_some() {
            self.before.extend(here);
            self.go(file, heading);
        }
    }

    fn page_ui(&mut self, ui: &Ui<'_>) {
        let Some(page) = &mut self.page else { return };
        let mut clicked = None;
        let area = Rect::at(ui.cursor_screen_pos(), ui.content_region_avail());
        ui.mark(|| format!("page {}", PAGES[page.at].file), area);
        ui.child_window("##manual-page").build(|| {
            for (at, block) in page.blocks.iter().enumerate() {
                if page.goal == Some(at) {
                    // The scroll goes to the last item.
                    ui.dummy([0.0, 0.0]);
                    ui.set_scroll_here_y_with_ratio(0.0);
                }
                clicked = clicked.take().or(block_ui(ui, block));
            }
        });
        page.goal = None;
        if let Some(link) = clicked.map(str::to_owned) {
            self.follow(&link);
        }
    }

    /// Draws the headings below which all words of the query are.
    fn found_ui(&mut self, ui: &Ui<'_>) {
        let mut chosen = None;
        ui.child_window("##manual-found").build(|| {
            let found = find(&self.query);
            if found.is_empty() {
                widgets::empty(ui, "Nothing found.", "Try fewer words, or F3 for commands.");
            }
            for (at, (page, heading)) in found.into_iter().enumerate() {
                let touch = widgets::row(ui, &format!("manual-found{at}"), false);
                let title = PAGES[page].title();
                let text = if heading == title { heading.clone() } else { format!("{title}  ▸  {heading}") };
                ui.text_in(touch.rect.inset(10.0, 0.0), Align::Left, ui.theme.text, &text);
                if touch.is_clicked {
                    chosen = Some((page, heading));
                }
            }
        });
        if let Some((page, heading)) = chosen {
            self.before.extend(self.page.as_ref().map(|open| open.at));
            self.go(PAGES[page].file, &heading);
        }
    }
}

/// The sections that have all words of a query: page and heading.
fn find(query: &str) -> Vec<(usize, String)> {
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, page) in PAGES.iter().enumerate() {
        for section in page.text.split("\n#") {
            let heading = section.lines().next().unwrap_or_default().trim_start_matches('#').trim();
            let text = section.to_lowercase();
            if words.iter().all(|word| text.contains(word)) {
                found.push((at, heading.to_owned()));
            }
        }
    }
    found.truncate(MAX_FOUND);
    found
}

/// Draws a part of a page. Returns the link that was clicked.
fn block_ui<'a>(ui: &Ui<'_>, block: &'a Block) -> Option<&'a str> {
    let [left, top] = ui.cursor_screen_pos();
    let right = left + ui.content_region_avail()[0] - 6.0;
    match block {
        Block::Heading(level, text) => {
            let font = if *level == 1 { ui.fonts.large } else { ui.fonts.bold };
            let _font = ui.with_font(font);
            ui.dummy([0.0, if *level == 1 { 2.0 } else { 8.0 }]);
            ui.text_colored(if *level < 3 { ui.theme.accent } else { ui.theme.text }, text);
            ui.mark(|| format!("heading {text}"), ui.item_rect());
            None
        }
        Block::Text(mark, spans) => {
            let indent = if mark.is_empty() { 0.0 } else { 24.0 };
            ui.draw().add_text([left, top + 1.0], ui.theme.quiet, mark);
            let (height, clicked) = flow(ui, Column { left: left + indent, right, top }, spans);
            ui.dummy([0.0, height + 4.0]);
            clicked
        }
        Block::Code(lines) => {
            let height = lines.len() as f32 * 19.0 + 12.0;
            ui.fill(Rect::at([left, top], [right - left, height]), ui.theme.field, 4.0);
            for (at, line) in lines.iter().enumerate() {
                ui.draw().add_text([left + 10.0, top + 6.0 + at as f32 * 19.0], ui.theme.text, line);
            }
            ui.dummy([0.0, height + 4.0]);
            None
        }
        Block::Row(cells) => {
            let wide = (right - left) / cells.len().max(1) as f32;
            let mut height: f32 = 0.0;
            let mut clicked = None;
            for (at, cell) in cells.iter().enumerate() {
                let from = left + wide * at as f32;
                let (high, link) = flow(ui, Column { left: from, right: from + wide - 10.0, top }, cell);
                height = height.max(high);
                clicked = clicked.or(link);
            }
            ui.dummy([0.0, height]);
            clicked
        }
    }
}
