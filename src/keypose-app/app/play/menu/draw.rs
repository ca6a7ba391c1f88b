//! Draws the menus of the game: a panel over the dimmed level, by keyboard, gamepad and mouse alike.

use keypose_editor::editor::panels::ui::rect::Rect;
use keypose_editor::editor::panels::ui::surface::{Align, Surface};
use keypose_editor::editor::panels::ui::theme::{Color, faded, hex};

use crate::app::play::menu::{Choice, Menu, Occasion, Offers};
use crate::app::play::results::{Results, time};

/// The width of the list, in points.
const WIDTH: f32 = 340.0;
/// The height of an entry.
const ENTRY: f32 = 36.0;
/// The height of a line of results.
const LINE: f32 = 28.0;
/// Around the contents of a panel.
pub(super) const MARGIN: f32 = 22.0;
/// The height of a panel's title.
pub(super) const TITLE: f32 = 44.0;
/// The colour of a new record.
pub const GOOD: Color = hex(0x6fd79b);

/// The result of a level that was finished, and what it is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Finish {
    /// The result and the records.
    pub result: Results,
    /// The coins of the level.
    pub coins: u64,
    /// The lives that it cost, and the falls.
    pub lost: (u32, u32),
    /// The best results before; `None` the first time.
    pub before: Option<Results>,
    /// Whether it counts: not if the game was changed meanwhile, slowed down or played by a recording.
    pub counts: bool,
    /// The time to beat, in ticks.
    pub to_beat: Option<u64>,
    /// The sum of all levels, if this was the last of several that were played in their order.
    pub total: Option<Results>,
}

/// The values that a menu shows.
#[derive(Clone, Copy)]
pub struct MenuView<'a> {
    /// The optional entries.
    pub offers: Offers,
    /// Whether sounds are silent.
    pub is_muted: bool,
    /// The result of the level, if it was finished.
    pub finish: Option<&'a Finish>,
}

/// A panel in the middle of the screen over a dark ground. `build` gets its rectangle without the margins.
pub(super) fn panel(frame: &Surface<'_>, size: [f32; 2], build: impl FnOnce(Rect)) {
    let screen = frame.io().display_size;
    frame.get_background_draw_list().add_rect([0.0; 2], screen, [0.02, 0.03, 0.05, 0.55]).filled(true).build();
    let _rounding = frame.push_style_var(imgui::StyleVar::WindowRounding(12.0));
    let _padding = frame.push_style_var(imgui::StyleVar::WindowPadding([0.0; 2]));
    let _border = frame.push_style_var(imgui::StyleVar::WindowBorderSize(0.0));
    let _ground = frame.push_style_color(imgui::StyleColor::WindowBg, faded(frame.theme.bar, 0.95));
    let flags = imgui::WindowFlags::NO_DECORATION
        | imgui::WindowFlags::NO_MOVE
        | imgui::WindowFlags::NO_DOCKING
        | imgui::WindowFlags::NO_NAV
        | imgui::WindowFlags::NO_SAVED_SETTINGS;
    let place = [0, 1].map(|axis| ((screen[axis] - size[axis]) / 2.0).round().max(0.0));
    let window = frame.window("##game-menu").position(place, imgui::Condition::Always);
    window.size(size, imgui::Condition::Always).flags(flags).build(|| build(Rect::at(place, size).shrunk(MARGIN)));
}

/// A title at the top of a panel.
pub(super) fn title(frame: &Surface<'_>, rect: Rect, text: &str) {
    let _font = frame.with_font(frame.fonts.title);
    frame.text_in(rect.top(TITLE - 10.0), Align::Center, frame.theme.text, text);
}

/// The mouse on an item of a menu.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pointed {
    /// Whether it moved over the item.
    pub is_entered: bool,
    /// Whether the button was pressed on the item.
    pub is_clicked: bool,
}

/// An item with a text, highlighted if it is selected.
pub(super) fn item(frame: &Surface<'_>, id: &str, rect: Rect, text: &str, is_selected: bool) -> Pointed {
    frame.set_cursor_screen_pos(rect.min);
    let is_clicked = frame.invisible_button(format!("##{id}"), rect.size());
    let is_entered = frame.is_item_hovered() && frame.io().mouse_delta != [0.0; 2];
    let (ground, ink) = if is_selected {
        (frame.theme.accent, frame.theme.on_accent)
    } else {
        (faded(frame.theme.field, 0.65), frame.theme.text)
    };
    frame.fill(rect, ground, 7.0);
    let _font = is_selected.then(|| frame.with_font(frame.fonts.bold));
    frame.text_in(rect.inset(8.0, 0.0), Align::Center, ink, text);
    Pointed { is_entered, is_clicked }
}

/// Draws a menu. Returns the entry that the mouse chose.
pub fn draw(frame: &Surface<'_>, menu: &mut Menu, view: &MenuView<'_>) -> Option<Choice> {
    let entries = menu.entries(view.offers);
    let lines = match view.finish {
        Some(finish) if menu.occasion == Occasion::Goal => lines(finish),
        Some(_) | None => Vec::new(),
    };
    let above = TITLE + if lines.is_empty() { 0.0 } else { LINE * lines.len() as f32 + 14.0 };
    let width = if lines.is_empty() { WIDTH } else { WIDTH + 120.0 };
    let height = above + entries.len() as f32 * (ENTRY + 6.0) - 6.0 + 2.0 * MARGIN;
    let mut chosen = None;
    panel(frame, [width, height], |rect| {
        title(frame, rect, heading(menu.occasion, view.finish));
        let mut rest = rect.trim_top(TITLE);
        for line in &lines {
            draw_line(frame, rest.cut_top(LINE, 0.0), line);
        }
        rest = rect.trim_top(above);
        for (at, choice) in entries.iter().enumerate() {
            let place = rest.cut_top(ENTRY, 6.0);
            let pointed = item(frame, &format!("entry-{at}"), place, label(*choice, view), at == menu.selected);
            if pointed.is_entered {
                menu.selected = at;
            }
            if pointed.is_clicked {
                chosen = Some(*choice);
            }
        }
    });
    chosen
}

fn heading(occasion: Occasion, finish: Option<&Finish>) -> &'static str {
    match occasion {
        Occasion::Pause => "Paused",
        Occasion::Goal if finish.is_some_and(|finish| finish.total.is_some()) => "All levels complete",
        Occasion::Goal => "Level complete",
    }
}

fn label(choice: Choice, view: &MenuView<'_>) -> &'static str {
    match choice {
        Choice::Continue => "Continue",
        Choice::Next => view.offers.next.unwrap_or_default(),
        Choice::Checkpoint => "From the checkpoint",
        Choice::Restart if view.finish.is_some() => "Play again",
        Choice::Restart => "Start again",
        Choice::Controls => "Controls",
        Choice::Sound if view.is_muted => "Sound: off",
        Choice::Sound => "Sound: on",
        Choice::Edit if view.offers.is_own_program => "Open in the editor",
        Choice::Edit => "Back to the editor",
        Choice::Quit => "Quit",
    }
}

/// A figure of the result: its name, its value, what it is compared with, and whether it is the best one.
struct Line {
    name: &'static str,
    value: String,
    other: String,
    is_best: bool,
}

fn lines(finish: &Finish) -> Vec<Line> {
    let Finish { result, coins, lost, before, counts, to_beat, total } = finish;
    let compare = |is_better: &dyn Fn(&Results) -> bool, shown: &dyn Fn(&Results) -> String| match before {
        Some(before) if *counts && is_better(before) => (format!("new best, was {}", shown(before)), true),
        Some(before) => (format!("best {}", shown(before)), false),
        None => (String::new(), false),
    };
    let line = |name, value, (other, is_best)| Line { name, value, other, is_best };
    let mut lines = vec![
        line("Time", time(result.ticks), compare(&|before| result.ticks < before.ticks, &|before| time(before.ticks))),
        line(
            "Hits taken",
            result.hits.to_string(),
            compare(&|before| result.hits < before.hits, &|before| before.hits.to_string()),
        ),
    ];
    if let Some(ticks) = *to_beat {
        let is_beaten = result.ticks <= ticks && *counts;
        let other = if is_beaten { "beaten" } else { "" };
        lines.insert(1, line("Time to beat", time(ticks), (other.into(), is_beaten)));
    }
    if *coins > 0 {
        let value = format!("{} of {coins}", result.coins);
        let compared = compare(&|before| result.coins > before.coins, &|before| before.coins.to_string());
        lines.push(line("Coins", value, compared));
    }
    if *lost != (0, 0) {
        let falls = if lost.1 == 1 { "1 fall".to_owned() } else { format!("{} falls", lost.1) };
        lines.push(line("Lives lost", lost.0.to_string(), (falls, false)));
    }
    if let Some(total) = total {
        let other = format!("{} hits, {} coins", total.hits, total.coins);
        lines.push(line("All levels", time(total.ticks), (other, true)));
    }
    if !counts {
        lines.push(line("Not counted", String::new(), ("changed, slowed down or replayed".into(), false)));
    }
    lines
}

fn draw_line(frame: &Surface<'_>, rect: Rect, line: &Line) {
    let wide = rect.size()[0];
    frame.text_in(rect.left(110.0), Align::Left, frame.theme.quiet, line.name);
    let value = rect.with_x(rect.min[0] + 110.0, rect.min[0] + wide * 0.48);
    {
        let _font = frame.with_font(frame.fonts.bold);
        frame.text_in(value, Align::Right, frame.theme.text, &line.value);
    }
    let ink = if line.is_best { GOOD } else { frame.theme.quiet };
    let other = rect.with_x(if line.value.is_empty() { rect.min[0] + 110.0 } else { value.max[0] + 14.0 }, rect.max[0]);
    frame.text_in(other, Align::Right, ink, &line.other);
}
