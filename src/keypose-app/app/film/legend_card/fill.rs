//! Fills the triangles of Dear ImGui in memory.

use imgui::{DrawCmd, DrawData, DrawVert};

use keypose_tools::export::bitmap::Bitmap;

/// The coverage of all glyphs.
pub struct Atlas {
    size: [usize; 2],
    alpha: Vec<u8>,
}

impl Atlas {
    /// Builds the atlas of a context.
    pub fn of(context: &mut imgui::Context) -> Atlas {
        let texture = context.fonts().build_alpha8_texture();
        Atlas { size: [texture.width as usize, texture.height as usize], alpha: texture.data.to_vec() }
    }

    /// The coverage between four texels, 0 to 1.
    fn sample(&self, uv: [f32; 2]) -> f32 {
        let [x, y] = [0, 1].map(|axis| (uv[axis] * self.size[axis] as f32 - 0.5).max(0.0));
        let texel = |x: usize, y: usize| {
            let [x, y] = [x.min(self.size[0] - 1), y.min(self.size[1] - 1)];
            f32::from(self.alpha.get(y * self.size[0] + x).copied().unwrap_or_default()) / 255.0
        };
        let (left, top) = (x as usize, y as usize);
        let row = |y: usize| texel(left, y) + (texel(left + 1, y) - texel(left, y)) * x.fract();
        row(top) + (row(top + 1) - row(top)) * y.fract()
    }
}

/// An image that is filled: straight alpha, from 0 to 1.
pub struct Picture {
    size: [usize; 2],
    pixels: Vec<[f32; 4]>,
}

impl Picture {
    /// A transparent one.
    pub fn new(size: [usize; 2]) -> Picture {
        Picture { size, pixels: vec![[0.0; 4]; size[0] * size[1]] }
    }

    /// Draws the triangles of a frame.
    pub fn draw(&mut self, data: &DrawData, atlas: &Atlas) {
        for list in data.draw_lists() {
            let (vertices, indices) = (list.vtx_buffer(), list.idx_buffer());
            for command in list.commands() {
                let DrawCmd::Elements { count, cmd_params: params } = command else { continue };
                let Some(indices) = indices.get(params.idx_offset..params.idx_offset + count) else { continue };
                for triangle in indices.chunks_exact(3) {
                    let corner = |at: usize| vertices.get(params.vtx_offset + usize::from(triangle[at]));
                    if let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) {
                        self.triangle([a, b, c], params.clip_rect, atlas);
                    }
                }
            }
        }
    }

    /// Fills the pixels whose centres are inside of a triangle. One on an edge belongs to the triangle at one side of it.
    fn triangle(&mut self, [a, b, c]: [&DrawVert; 3], clip: [f32; 4], atlas: &Atlas) {
        let area = edge(a.pos, b.pos, c.pos);
        let corners = if area < 0.0 { [a, c, b] } else { [a, b, c] };
        let area = area.abs();
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let side = |axis: usize, pick: fn(f32, f32) -> f32| {
            pick(pick(corners[0].pos[axis], corners[1].pos[axis]), corners[2].pos[axis])
        };
        let [x, y] = [0, 1].map(|axis| {
            let from = side(axis, f32::min).max(clip[axis]).max(0.0).floor() as usize;
            from..(side(axis, f32::max).min(clip[axis + 2]).ceil().max(0.0) as usize).min(self.size[axis])
        });
        for row in y {
            for column in x.clone() {
                let point = [column as f32 + 0.5, row as f32 + 0.5];
                let weights: [f32; 3] = std::array::from_fn(|at| {
                    let (from, to) = (corners[(at + 1) % 3].pos, corners[(at + 2) % 3].pos);
                    let value = edge(from, to, point);
                    let is_inside = value > 0.0 || (value == 0.0 && owns(from, to));
                    if is_inside { value / area } else { f32::NAN }
                });
                if !weights.iter().any(|weight| weight.is_nan()) {
                    self.blend([column, row], color(corners, weights, atlas));
                }
            }
        }
    }

    fn blend(&mut self, [x, y]: [usize; 2], [red, green, blue, alpha]: [f32; 4]) {
        let below = &mut self.pixels[y * self.size[0] + x];
        let kept = below[3] * (1.0 - alpha);
        let sum = alpha + kept;
        if sum > 0.0 {
            let mixed = |above: f32, below: f32| (above * alpha + below * kept) / sum;
            *below = [mixed(red, below[0]), mixed(green, below[1]), mixed(blue, below[2]), sum];
        }
    }

    /// The part from a pixel on to the lower right corner.
    pub fn cut(&self, [left, top]: [usize; 2]) -> Option<Bitmap> {
        let rows = self.pixels.chunks_exact(self.size[0]).skip(top);
        let pixels = rows.flat_map(|row| &row[left.min(row.len())..]);
        let bytes = pixels.flat_map(|pixel| pixel.map(|part| (part * 255.0).round() as u8)).collect();
        let [width, height] = [self.size[0].checked_sub(left)?, self.size[1].checked_sub(top)?];
        Bitmap::new(u32::try_from(width).ok()?, u32::try_from(height).ok()?, bytes)
    }
}

/// The colour of a point of a triangle.
fn color(corners: [&DrawVert; 3], weights: [f32; 3], atlas: &Atlas) -> [f32; 4] {
    let sum = |value: &dyn Fn(&DrawVert) -> f32| {
        corners.iter().zip(weights).map(|(corner, weight)| value(corner) * weight).sum::<f32>()
    };
    let uv = [sum(&|corner| corner.uv[0]), sum(&|corner| corner.uv[1])];
    let [red, green, blue, alpha] = std::array::from_fn(|part| sum(&|corner| f32::from(corner.col[part]) / 255.0));
    [red, green, blue, alpha * atlas.sample(uv)]
}

/// Twice the area of a triangle, positive if its corners go clockwise on the screen.
fn edge([ax, ay]: [f32; 2], [bx, by]: [f32; 2], [px, py]: [f32; 2]) -> f32 {
    (bx - ax) * (py - ay) - (by - ay) * (px - ax)
}

/// Whether the points on an edge belong to the triangle: of two triangles at the edge, to one.
fn owns([ax, ay]: [f32; 2], [bx, by]: [f32; 2]) -> bool {
    by > ay || (by == ay && bx < ax)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(pos: [f32; 2], col: [u8; 4]) -> DrawVert {
        DrawVert { pos, uv: [0.5; 2], col }
    }

    #[test]
    fn two_triangles_of_a_rectangle_fill_each_pixel_once() {
        let atlas = Atlas { size: [1, 1], alpha: vec![255] };
        let half = [255, 255, 255, 128];
        let [a, b, c, d] = [[1.0, 1.0], [5.0, 1.0], [5.0, 5.0], [1.0, 5.0]].map(|at| vertex(at, half));
        let mut picture = Picture::new([8, 8]);
        picture.triangle([&a, &b, &c], [0.0, 0.0, 8.0, 8.0], &atlas);
        picture.triangle([&a, &d, &c], [0.0, 0.0, 8.0, 8.0], &atlas);
        let filled: Vec<usize> = (0..64).filter(|&at| picture.pixels[at][3] > 0.0).collect();
        let inside = (0..64).filter(|at| (1..5).contains(&(at % 8)) && (1..5).contains(&(at / 8)));
        assert_eq!(filled, inside.collect::<Vec<_>>());
        assert!(filled.iter().all(|&at| (picture.pixels[at][3] - 128.0 / 255.0).abs() < 1e-6), "none is filled twice");
    }

    #[test]
    fn clipped_pixels_stay_empty_and_glyphs_cover_in_part() {
        let atlas = Atlas { size: [2, 1], alpha: vec![0, 255] };
        let at = |pos: [f32; 2], u: f32| DrawVert { pos, uv: [u, 0.5], col: [255, 0, 0, 255] };
        let mut picture = Picture::new([4, 1]);
        let corners = [at([0.0, 0.0], 0.25), at([8.0, 0.0], 1.25), at([0.0, 8.0], 0.25)];
        picture.triangle([&corners[0], &corners[1], &corners[2]], [0.0, 0.0, 3.0, 1.0], &atlas);
        let alphas: Vec<f32> = picture.pixels.iter().map(|pixel| pixel[3]).collect();
        assert!(alphas[0] > 0.0 && alphas[0] < alphas[1] && alphas[1] < alphas[2] && alphas[3] == 0.0, "{alphas:?}");
    }
}
