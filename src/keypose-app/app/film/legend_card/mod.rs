//! The legend of a debug view as an image, without a window and without a driver: Dear ImGui lays it out as in the viewport, and its
//! triangles are filled here.

use std::sync::{Mutex, PoisonError};

use imgui::{Condition, StyleVar, WindowFlags};

use keypose_editor::editor::panels::ui::fonts::{ExtraFonts, add_fonts};
use keypose_editor::editor::panels::ui::rect::Rect;
use keypose_editor::editor::panels::ui::surface::Surface;
use keypose_editor::editor::panels::ui::theme::Theme;
use keypose_editor::editor::panels::view::legend;
use keypose_editor::editor::view::legend::Legend;
use keypose_tools::export::bitmap::Bitmap;

use crate::app::film::legend_card::fill::{Atlas, Picture};

mod fill;

/// Width and height of what legends are drawn on, in pixels. Each is cut out.
const SIZE: [f32; 2] = [1024.0, 256.0];

/// A process can only have one context at a time.
static ONE_CONTEXT: Mutex<()> = Mutex::new(());

/// Draws a legend. The process must not have a window with panels. Returns `None` if the legend is too large.
pub fn card(legend: &Legend) -> Option<Bitmap> {
    let _lock = ONE_CONTEXT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut context = imgui::Context::create();
    context.set_ini_filename(None);
    context.io_mut().display_size = SIZE;
    context.io_mut().delta_time = 1.0 / 60.0;
    let theme = Theme::dark();
    theme.apply(context.style_mut());
    let fonts = add_fonts(&mut context, 1.0, &ExtraFonts::default());
    let atlas = Atlas::of(&mut context);
    let mut place = Rect::default();
    let ui = context.new_frame();
    let frame = Surface::new(ui, &fonts, &theme);
    {
        let _padding = ui.push_style_var(StyleVar::WindowPadding([0.0; 2]));
        let flags = WindowFlags::NO_DECORATION | WindowFlags::NO_BACKGROUND;
        let window = ui.window("legend").flags(flags).position([0.0; 2], Condition::Always);
        window.size(SIZE, Condition::Always).build(|| {
            let _font = frame.with_font(fonts.small);
            place = legend::draw(&frame, legend, SIZE);
        });
    }
    let mut picture = Picture::new(SIZE.map(|side| side as usize));
    picture.draw(context.render(), &atlas);
    let from = place.min.map(|at| at.floor());
    (from[0] >= 0.0 && from[1] >= 0.0).then(|| picture.cut(from.map(|at| at as usize)))?
}
