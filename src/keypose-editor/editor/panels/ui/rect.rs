//! Rectangles on the screen, and how panels divide them.

/// A rectangle in screen points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Top left.
    pub min: [f32; 2],
    /// Bottom right.
    pub max: [f32; 2],
}

impl Rect {
    /// A rectangle from its top left and its size.
    pub fn at(min: [f32; 2], size: [f32; 2]) -> Rect {
        Rect { min, max: [min[0] + size[0], min[1] + size[1]] }
    }

    /// A rectangle around a centre.
    pub fn around(center: [f32; 2], size: [f32; 2]) -> Rect {
        Rect::at([center[0] - size[0] / 2.0, center[1] - size[1] / 2.0], size)
    }

    /// The smallest rectangle that contains two points.
    pub fn spanned(a: [f32; 2], b: [f32; 2]) -> Rect {
        Rect { min: [a[0].min(b[0]), a[1].min(b[1])], max: [a[0].max(b[0]), a[1].max(b[1])] }
    }

    /// Width and height.
    pub fn size(&self) -> [f32; 2] {
        [self.width(), self.height()]
    }

    pub fn width(&self) -> f32 {
        self.max[0] - self.min[0]
    }

    pub fn height(&self) -> f32 {
        self.max[1] - self.min[1]
    }

    /// The centre.
    pub fn center(&self) -> [f32; 2] {
        [(self.min[0] + self.max[0]) / 2.0, (self.min[1] + self.max[1]) / 2.0]
    }

    /// The part of it that is in another one too; empty or negative if there is none.
    pub fn intersection(&self, other: &Rect) -> Rect {
        Rect {
            min: [self.min[0].max(other.min[0]), self.min[1].max(other.min[1])],
            max: [self.max[0].min(other.max[0]), self.max[1].min(other.max[1])],
        }
    }

    /// The smallest rectangle around both.
    pub fn union(&self, other: &Rect) -> Rect {
        let [a, b] = [self, other];
        Rect {
            min: [a.min[0].min(b.min[0]), a.min[1].min(b.min[1])],
            max: [a.max[0].max(b.max[0]), a.max[1].max(b.max[1])],
        }
    }

    /// Whether it has a part in common with another one.
    pub fn overlaps(&self, other: &Rect) -> bool {
        let both = self.intersection(other);
        both.width() > 0.0 && both.height() > 0.0
    }

    /// Whether a point is inside. The bottom and right edges are excluded.
    pub fn contains(&self, point: [f32; 2]) -> bool {
        (0..2).all(|axis| point[axis] >= self.min[axis] && point[axis] < self.max[axis])
    }

    /// The rectangle without a margin on all sides.
    pub fn shrunk(&self, by: f32) -> Rect {
        self.inset(by, by)
    }

    /// The rectangle without a margin of `x` at the left and right and of `y` at the top and bottom.
    pub fn inset(&self, x: f32, y: f32) -> Rect {
        Rect { min: [self.min[0] + x, self.min[1] + y], max: [self.max[0] - x, self.max[1] - y] }
    }

    /// The strip at the left.
    pub fn left(&self, width: f32) -> Rect {
        self.with_x(self.min[0], self.min[0] + width)
    }

    /// The strip at the right.
    pub fn right(&self, width: f32) -> Rect {
        self.with_x(self.max[0] - width, self.max[0])
    }

    /// The strip at the top.
    pub fn top(&self, height: f32) -> Rect {
        self.with_y(self.min[1], self.min[1] + height)
    }

    /// The strip at the bottom.
    pub fn bottom(&self, height: f32) -> Rect {
        self.with_y(self.max[1] - height, self.max[1])
    }

    /// The rest without a strip at the left.
    pub fn trim_left(&self, by: f32) -> Rect {
        self.with_x(self.min[0] + by, self.max[0])
    }

    /// The rest without a strip at the right.
    pub fn trim_right(&self, by: f32) -> Rect {
        self.with_x(self.min[0], self.max[0] - by)
    }

    /// The rest without a strip at the top.
    pub fn trim_top(&self, by: f32) -> Rect {
        self.with_y(self.min[1] + by, self.max[1])
    }

    /// The rest without a strip at the bottom.
    pub fn trim_bottom(&self, by: f32) -> Rect {
        self.with_y(self.min[1], self.max[1] - by)
    }

    /// The rectangle with other left and right edges.
    pub fn with_x(&self, left: f32, right: f32) -> Rect {
        Rect { min: [left, self.min[1]], max: [right, self.max[1]] }
    }

    /// The rectangle with other top and bottom edges.
    pub fn with_y(&self, top: f32, bottom: f32) -> Rect {
        Rect { min: [self.min[0], top], max: [self.max[0], bottom] }
    }

    /// The rectangle at another place.
    pub fn moved(&self, x: f32, y: f32) -> Rect {
        Rect::at([self.min[0] + x, self.min[1] + y], self.size())
    }

    /// Cuts a strip off the left; `gap` is lost between the two.
    pub fn cut_left(&mut self, width: f32, gap: f32) -> Rect {
        let cut = self.left(width);
        *self = self.trim_left(width + gap);
        cut
    }

    /// Cuts a strip off the right; `gap` is lost between the two.
    pub fn cut_right(&mut self, width: f32, gap: f32) -> Rect {
        let cut = self.right(width);
        *self = self.trim_right(width + gap);
        cut
    }

    /// Cuts a strip off the top; `gap` is lost between the two.
    pub fn cut_top(&mut self, height: f32, gap: f32) -> Rect {
        let cut = self.top(height);
        *self = self.trim_top(height + gap);
        cut
    }

    /// One of `count` columns of equal width.
    pub fn column(&self, at: usize, count: usize, gap: f32) -> Rect {
        let width = ((self.width() + gap) / count as f32 - gap).floor().max(1.0);
        let left = self.min[0] + at as f32 * (width + gap);
        self.with_x(left, left + width)
    }
}
