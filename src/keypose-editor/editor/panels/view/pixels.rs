//! The pixel view: the model at the size of its sprites, enlarged by a whole factor on a checkerboard.

use crate::editor::panels::ui::prelude::*;
use crate::editor::panels::view::mode_bar::{ButtonRow, hint};
use crate::editor::view::pixels;

/// A picture of pixels that the program drew, with nearest sampling.
#[derive(Clone, Copy, Debug)]
pub struct PixelPicture {
    pub texture: TextureId,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The origin on the ground, from the upper left corner.
    pub pivot: [i32; 2],
    /// The height of the standing model in pixels.
    pub height: f32,
}

/// The side of a square of the checkerboard, in points.
const SQUARE: f32 = 12.0;
/// The fraction of the height that the standing model may have.
const SHARE: f32 = 0.76;
/// The fraction of the height that is above the ground.
const ABOVE: f32 = 0.86;

/// Draws the view; `scale` is pixels of the screen per point. Returns whether the mouse is over a button.
pub fn pixel_view(ui: &Ui<'_>, picture: Option<Result<PixelPicture, &str>>, area: Rect, scale: f32) -> bool {
    checkerboard(ui, area);
    let mut row = ButtonRow::new(ui, area, 10.0);
    row.command("Leave pixel view", Command::TogglePixelView, Tone::On);
    let picture = match picture {
        Some(Ok(picture)) => picture,
        failed => {
            hint(ui, failed.and_then(Result::err).unwrap_or("Drawing…"), area);
            return row.is_over;
        }
    };
    let factor = (area.height() * scale * SHARE / picture.height).floor().max(1.0);
    let pivot = [area.center()[0], area.min[1] + area.height() * ABOVE];
    draw(ui, &picture, pivot, factor / scale, scale);
    let direction = ui.model().and_then(|model| pixels::direction(ui.session, model));
    let name = direction.map_or("", |direction| direction.name);
    let text = format!("{name}   {} pixels high   ×{factor}     Drag to turn", picture.height.round());
    ui.mark(|| format!("pixel view ×{factor}"), area);
    hint(ui, &text, area);
    row.is_over
}

/// Draws a picture with its pivot at a point, enlarged. Its corner is at a pixel of the screen.
fn draw(ui: &Ui<'_>, picture: &PixelPicture, pivot: [f32; 2], factor: f32, scale: f32) {
    let corner = [0, 1].map(|axis| {
        let at = pivot[axis] - picture.pivot[axis] as f32 * factor;
        (at * scale).round() / scale
    });
    let rect = Rect::at(corner, picture.size.map(|side| side as f32 * factor));
    ui.draw().add_image(picture.texture, rect.min, rect.max).build();
}

/// Draws a checkerboard, on which transparent pixels are seen.
pub fn checkerboard(ui: &Ui<'_>, area: Rect) {
    ui.fill(area, ui.theme.bar, 6.0);
    let list = ui.draw();
    list.with_clip_rect_intersect(area.min, area.max, || {
        let [columns, rows] = area.size().map(|side| (side / SQUARE).ceil() as usize);
        for (x, y) in (0..rows).flat_map(|y| (y % 2..columns).step_by(2).map(move |x| (x, y))) {
            let square = Rect::at([area.min[0] + x as f32 * SQUARE, area.min[1] + y as f32 * SQUARE], [SQUARE; 2]);
            list.add_rect(square.min, square.max, ui.theme.panel).filled(true).build();
        }
    });
}
