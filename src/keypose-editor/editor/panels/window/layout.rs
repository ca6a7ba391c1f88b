//! The layout: the list of panels, the dock space between top bar and status bar, and the frame of a panel.

use imgui::{Condition, WindowFlags, WindowHoveredFlags};

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::window::areas::{Areas, Place, Shape};
use crate::editor::panels::window::docking;
use crate::editor::panels::window::docking::LayoutState;

macro_rules! panels {
    ($($(#[$doc:meta])* $name:ident: $title:literal,)*) => {
        /// The panels that can be docked, in the order of their tabs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Panel {
            $($(#[$doc])* $name,)*
        }

        impl Panel {
            pub const ALL: [Panel; [$(Panel::$name),*].len()] = [$(Panel::$name),*];

            /// The title, which is also the name of its window.
            pub fn name(self) -> &'static str {
                match self {
                    $(Panel::$name => $title,)*
                }
            }
        }
    };
}

panels! {
    /// The list of clips.
    Clips: "Clips",
    /// The pose library.
    Poses: "Poses",
    /// The tree of bones.
    Bones: "Bones",
    Viewport: "Viewport",
    Inspector: "Inspector",
    Strip: "Timeline",
    /// The state machine.
    Machine: "Machine",
    /// The clip check.
    Check: "Check",
    /// The reference images.
    References: "References",
    /// The materials of the model and their textures.
    Materials: "Materials",
    /// The animation table.
    Game: "Game",
    /// The sounds of the archive.
    Sounds: "Sounds",
    /// The undo history.
    History: "History",
    Log: "Log",
}

/// Height of the top bar.
pub const TOP_BAR: f32 = 34.0;
/// Height of the status bar.
pub const STATUS_BAR: f32 = 26.0;

/// Draws the background window: top bar, dock space and status bar. Arranges the panels if there is no layout yet, if
/// it is requested, and when the size changes, unless the user has moved them. Without `state`, panels are placed between the bars by
/// [`placed`] instead, and the dock space waits as it is.
pub fn host(ui: &Ui<'_>, state: Option<(&mut LayoutState, bool)>, top: impl FnOnce(), status: impl FnOnce()) {
    let size = ui.io().display_size;
    host_window(ui, || {
        bar(ui, "##top", [size[0], TOP_BAR], top);
        if let Some((state, is_requested)) = state {
            dock_space(ui, state, is_requested);
        }
        ui.set_cursor_pos([0.0, size[1] - STATUS_BAR]);
        bar(ui, "##status", [size[0], STATUS_BAR], status);
    });
}

/// Draws the dock space between the bars.
fn dock_space(ui: &Ui<'_>, state: &mut LayoutState, is_requested: bool) {
    let arrangement = ui.session.workspace.preferences.arrangement;
    let areas = areas(ui);
    let front = state.follow(ui, arrangement, areas);
    Panel::ALL.into_iter().for_each(|panel| sys::scroll_tabs(ui.imgui, panel.name()));
    let (root, is_fresh) = sys::dock_space(ui.imgui, "dock", areas.size);
    if is_fresh || is_requested {
        docking::arrange(ui, &areas, root, &docking::usual_front(arrangement));
    } else if let Some(front) = front {
        docking::arrange(ui, &areas, root, &front);
    }
}

/// The areas for the size of the window.
fn areas(ui: &Ui<'_>) -> Areas {
    let size = ui.io().display_size;
    let middle = [size[0], (size[1] - TOP_BAR - STATUS_BAR).max(64.0)];
    Areas::of(ui.session.workspace.preferences.arrangement, middle, size[1], docking::models(ui))
}

/// Draws in the background window, also a second time in a frame.
fn host_window(ui: &Ui<'_>, body: impl FnOnce()) {
    let size = ui.io().display_size;
    let _padding = ui.push_style_var(StyleVar::WindowPadding([0.0; 2]));
    let _spacing = ui.push_style_var(StyleVar::ItemSpacing([0.0; 2]));
    let _rounding = ui.push_style_var(StyleVar::WindowRounding(0.0));
    let _ground = ui.push_style_color(StyleColor::WindowBg, ui.theme.ground);
    let flags = WindowFlags::NO_DECORATION
        | WindowFlags::NO_MOVE
        | WindowFlags::NO_DOCKING
        | WindowFlags::NO_BRING_TO_FRONT_ON_FOCUS
        | WindowFlags::NO_NAV_FOCUS
        | WindowFlags::NO_SAVED_SETTINGS;
    let window = ui.window("##host").position([0.0; 2], Condition::Always).size(size, Condition::Always);
    window.flags(flags).build(body);
}

/// The rectangles of the level mode between the bars: palette, viewport, inspector.
pub fn level_rects(ui: &Ui<'_>) -> [Rect; 3] {
    let areas = areas(ui).undivided();
    let place = |panel: Panel| areas.rect(areas.place(panel)).moved(0.0, TOP_BAR);
    let (viewport, inspector) = (place(Panel::Viewport), place(Panel::Inspector));
    let palette = match areas.shape {
        Shape::ThreeColumns => viewport.with_x(0.0, viewport.min[0]),
        Shape::TwoColumns => viewport.with_x(0.0, viewport.min[0]).top(viewport.height() * 0.5),
    };
    match areas.shape {
        Shape::ThreeColumns => [palette, viewport, inspector],
        Shape::TwoColumns => [palette, viewport, palette.with_y(palette.max[1], viewport.max[1])],
    }
}

/// The rectangles of the sprites mode between the bars: sheet, frames, settings.
pub fn sprite_rects(ui: &Ui<'_>) -> [Rect; 3] {
    const FRAMES: f32 = 190.0;
    let all = middle(ui);
    let right = (all.width() * 0.24).clamp(260.0, 340.0).min(all.width() * 0.5);
    let (left, settings) = (all.trim_right(right), all.right(right));
    let below = FRAMES.min(left.height() * 0.4);
    [left.trim_bottom(below), left.bottom(below), settings]
}

/// The panels of the bottom area that one of them can fill the window for.
pub fn below(ui: &Ui<'_>) -> impl Iterator<Item = Panel> {
    let areas = areas(ui);
    Panel::ALL.into_iter().filter(move |panel| areas.place(*panel) == Place::Below)
}

/// Draws tabs above a panel that fills the window; `front` is the chosen one.
pub fn tabs(ui: &Ui<'_>, front: &mut Panel) {
    host_window(ui, || {
        let mut line = Rect::at([8.0, TOP_BAR + 2.0], [ui.io().display_size[0] - 16.0, 24.0]);
        for panel in below(ui) {
            let is_front = *front == panel;
            let width = ui.calc_text_size(panel.name())[0] + 24.0;
            let tone = if is_front { Tone::Plain } else { Tone::Bare };
            let place = line.cut_left(width, 2.0);
            if widgets::button_at(ui, place, &format!("{0}##filled {0}", panel.name()), tone) {
                *front = panel;
            }
        }
        let command = Command::ToggleFilled;
        let text = format!("{}  Smaller##unfill", icon(Icon::Maximize2));
        let place = line.right(92.0);
        widgets::command_button_about(ui, place, &text, Tone::Bare, command, "Show all panels again");
    });
}

/// The rectangle of a panel that fills the window, below its tabs.
pub fn filled_rect(ui: &Ui<'_>) -> Rect {
    let size = ui.io().display_size;
    Rect { min: [0.0, TOP_BAR + 28.0], max: [size[0], size[1] - STATUS_BAR] }
}

/// Draws a panel in a rectangle of the window instead of in the dock space. Returns whether the mouse is over it.
pub fn placed(ui: &Ui<'_>, panel: Panel, rect: Rect, body: impl FnOnce()) -> bool {
    let mut is_hovered = false;
    host_window(ui, || {
        ui.set_cursor_screen_pos(rect.min);
        let child = ui.child_window(format!("##placed {}", panel.name())).size(rect.size());
        child.scroll_bar(false).scrollable(false).build(|| {
            frame(ui, panel, true, body);
            is_hovered = ui.is_window_hovered_with_flags(WindowHoveredFlags::CHILD_WINDOWS);
        });
    });
    is_hovered
}

/// The area between the bars.
pub fn middle(ui: &Ui<'_>) -> Rect {
    let size = ui.io().display_size;
    Rect::at([0.0, TOP_BAR], [size[0], (size[1] - TOP_BAR - STATUS_BAR).max(64.0)])
}

fn bar(ui: &Ui<'_>, name: &str, size: [f32; 2], body: impl FnOnce()) {
    let _ground = ui.push_style_color(StyleColor::ChildBg, ui.theme.bar);
    let _rounding = ui.push_style_var(StyleVar::ChildRounding(0.0));
    let child = ui.child_window(name).size(size).scroll_bar(false).scrollable(false);
    child.build(|| {
        let _spacing = ui.push_style_var(StyleVar::ItemSpacing([4.0, 4.0]));
        body();
    });
}

/// Draws the frame of a panel and its body, unless it is hidden behind another tab. Returns whether the mouse is over
/// it.
pub fn panel(ui: &Ui<'_>, panel: Panel, body: impl FnOnce()) -> bool {
    let window = {
        let _padding = ui.push_style_var(StyleVar::WindowPadding([0.0; 2]));
        let _ground = ui.push_style_color(StyleColor::WindowBg, ui.theme.ground);
        // The corner by which a single panel is moved is as quiet as the lines.
        let _corner = [StyleColor::Button, StyleColor::ButtonHovered, StyleColor::ButtonActive]
            .map(|slot| ui.push_style_color(slot, ui.theme.line));
        // Panels that reappear after the game must not come to the front of their tabs.
        let flags = WindowFlags::NO_SCROLLBAR
            | WindowFlags::NO_SCROLL_WITH_MOUSE
            | WindowFlags::NO_COLLAPSE
            | WindowFlags::NO_FOCUS_ON_APPEARING;
        ui.window(panel.name()).flags(flags).size([320.0, 320.0], Condition::FirstUseEver).begin()
    };
    if let Some(tab) = sys::tab_rect(ui.imgui, panel.name()) {
        ui.mark(|| format!("tab {}", panel.name()), tab);
    }
    let Some(_window) = window else { return false };
    frame(ui, panel, panel == Panel::Viewport || sys::shows_name(ui.imgui), body);
    ui.is_window_hovered_with_flags(WindowHoveredFlags::CHILD_WINDOWS)
}

/// Draws the background of a panel in the rest of the window, and its body, below its name unless a tab shows it.
fn frame(ui: &Ui<'_>, panel: Panel, shows_name: bool, body: impl FnOnce()) {
    let padding = if panel == Panel::Viewport { [0.0; 2] } else { [8.0, 6.0] };
    let rect = Rect::at(ui.cursor_screen_pos(), ui.content_region_avail()).shrunk(1.5);
    ui.fill(rect, ui.theme.panel, 6.0);
    ui.mark(|| format!("panel {}", panel.name()), rect);
    ui.set_cursor_screen_pos(rect.min);
    let _padding = ui.push_style_var(StyleVar::WindowPadding(padding));
    let child = ui.child_window("##body").size(rect.size());
    let child = child.always_use_window_padding(true).scroll_bar(false).scrollable(false);
    child.build(|| {
        if !shows_name {
            widgets::title(ui, panel.name(), "");
        }
        body();
    });
}
