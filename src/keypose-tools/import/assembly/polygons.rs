//! Polygons: their normals, and their triangles.

use glam::{DVec2, DVec3, Vec3};

/// Points that are looked at for each corner: what is left of a polygon that needs more is cut into a fan.
const MAX_LOOKS: usize = 8192;
/// Points that are no further from the plane of a polygon are in it, as a part of its size.
const FLAT: f64 = 1e-6;

/// The normal of a polygon, of any length (Newell's method).
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn normal(points: &[Vec3]) -> Vec3 {
    let Some(first) = points.first() else { return Vec3::Y };
    let next = points.iter().skip(1).chain(points.first());
    points.iter().zip(next).map(|(a, b)| (*a - *first).cross(*b - *first)).sum()
}

/// The triangles of a polygon: three indices of its points each, in its winding. One that turns the same way at all corners is a fan from
/// its first point; from others, ears are cut (Meisters 1975, "Polygons have ears"). What is left of one that crosses itself is a fan.
pub fn triangles(points: &[Vec3]) -> Vec<[usize; 3]> {
    let mut outline = Outline::of(points);
    let count = points.len();
    let mut all = Vec::with_capacity(count);
    let (mut left, mut at, mut tried) = (count, 0, 0);
    // Corners without width, which seem not to turn. The first one stays.
    for point in (1..count).rev() {
        let corner = outline.corner(point);
        if left > 3 && outline.is_loose(corner) {
            all.push(corner);
            outline.cut(corner);
            left = left.saturating_sub(1);
        }
    }
    let is_convex = outline.is_convex();
    while !is_convex && left > 3 && outline.looks > 0 && tried <= left.saturating_mul(2) {
        let corner = outline.corner(at);
        // Corners that don't turn wait until no other is left, or they would be gone from the edges of triangles.
        let [before, _, next] = corner;
        if outline.is_loose(corner) || outline.is_ear(corner, tried > left) {
            all.push(corner);
            outline.cut(corner);
            (left, tried) = (left.saturating_sub(1), 0);
            // Corners without width must go before they seem to be ears. Ears beside each other would be long and thin.
            let loose = [before, next].into_iter().find(|point| outline.is_loose(outline.corner(*point)));
            at = loose.unwrap_or(outline.corner(next)[2]);
        } else {
            (at, tried) = (next, tried.saturating_add(1));
        }
    }
    let rest: Vec<usize> = std::iter::successors(Some(at), |at| Some(outline.corner(*at)[2])).take(left).collect();
    if let Some((hub, rest)) = rest.split_first() {
        all.extend(rest.iter().zip(rest.iter().skip(1)).map(|(b, c)| [*hub, *b, *c]));
    }
    all
}

/// The outline of what is left of a polygon, seen along its normal.
struct Outline {
    points: Vec<DVec2>,
    /// The neighbours of each point.
    before: Vec<usize>,
    next: Vec<usize>,
    /// Whether each point turns against the polygon.
    is_inward: Vec<bool>,
    /// The points that do, and some that did.
    inward: Vec<usize>,
    /// How many of those did.
    outward: usize,
    /// How many points may still be looked at.
    looks: usize,
}

impl Outline {
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn of(points: &[Vec3]) -> Outline {
        let count = points.len();
        let normal = normal(points);
        let (axis, first) =
            (normal.as_dvec3().normalize_or_zero(), points.first().map_or(DVec3::ZERO, |it| it.as_dvec3()));
        let apart = |point: &Vec3| point.as_dvec3() - first;
        let extent = points.iter().map(|point| apart(point).length()).fold(0.0, f64::max);
        let is_flat = points.iter().all(|point| apart(point).dot(axis).abs() <= FLAT * extent);
        let (right, up) = if is_flat { (DVec3::ZERO, DVec3::ZERO) } else { axis.any_orthonormal_pair() };
        // Of a flat one, without the axis that is nearest to the normal, no number is rounded.
        let seen = |point: &Vec3| match (is_flat, normal.abs().max_position(), point.as_dvec3()) {
            (false, ..) => DVec2::new(apart(point).dot(right), apart(point).dot(up)),
            (true, 0, DVec3 { y, z, .. }) => DVec2::new(y, z) * DVec2::new(f64::from(normal.x.signum()), 1.0),
            (true, 1, DVec3 { x, z, .. }) => DVec2::new(z, x) * DVec2::new(f64::from(normal.y.signum()), 1.0),
            (true, _, DVec3 { x, y, .. }) => DVec2::new(x, y) * DVec2::new(f64::from(normal.z.signum()), 1.0),
        };
        let around = || (0..count).cycle();
        let mut outline = Outline {
            points: points.iter().map(seen).collect(),
            before: around().skip(count.saturating_sub(1)).take(count).collect(),
            next: around().skip(1).take(count).collect(),
            is_inward: vec![false; count],
            inward: Vec::new(),
            outward: 0,
            looks: count.saturating_mul(MAX_LOOKS),
        };
        for at in 0..count {
            outline.see(at, outline.turn(outline.corner(at)) < 0.0);
        }
        outline
    }

    /// The points from the first one on.
    fn around(&self) -> impl Iterator<Item = usize> + '_ {
        let next = |at: &usize| Some(self.corner(*at)[2]).filter(|next| *next > 0);
        std::iter::successors(Some(0), next)
    }

    /// Whether every corner turns as the polygon does, or none does.
    fn is_convex(&self) -> bool {
        let mut turns = self.around().map(|at| self.turn(self.corner(at)));
        self.around().all(|at| self.turn(self.corner(at)) == 0.0) || turns.all(|turn| turn > 0.0)
    }

    fn at(&self, point: usize) -> DVec2 {
        self.points.get(point).copied().unwrap_or_default()
    }

    /// A point between its neighbours.
    fn corner(&self, at: usize) -> [usize; 3] {
        let of = |all: &[usize]| all.get(at).copied().unwrap_or_default();
        [of(&self.before), at, of(&self.next)]
    }

    /// Positive if a corner turns as the polygon does.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn turn(&self, corner: [usize; 3]) -> f64 {
        let [a, b, c] = corner.map(|point| self.at(point));
        (b - a).perp_dot(c - b)
    }

    /// Whether a corner has no width: it is at the same place as a neighbour, or both neighbours are at one.
    fn is_loose(&self, corner: [usize; 3]) -> bool {
        let [before, at, next] = corner.map(|point| self.at(point));
        before == at || at == next || before == next
    }

    /// Whether a corner turns as the polygon does, or not at all, and its triangle has no other point inside or on an edge. One at
    /// a corner is the end of a bridge to a hole.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn is_ear(&mut self, corner: [usize; 3], may_be_flat: bool) -> bool {
        let turn = self.turn(corner);
        let [a, b, c] = corner.map(|point| self.at(point));
        let is_left = |from: DVec2, to: DVec2, point: DVec2| (to - from).perp_dot(point - to) >= 0.0;
        let holds = |point: &usize| {
            let point = self.at(*point);
            is_left(a, b, point) && is_left(b, c, point) && is_left(c, a, point) && ![a, b, c].contains(&point)
        };
        if !(turn > 0.0 || may_be_flat && turn == 0.0) {
            return false;
        }
        let is_inward = |point: &usize| self.is_inward.get(*point).is_some_and(|is_inward| *is_inward);
        let held = self.inward.iter().position(|point| is_inward(point) && holds(point));
        self.looks = self.looks.saturating_sub(held.unwrap_or(self.inward.len()).max(1));
        held.is_none()
    }

    /// Takes the middle of a corner away.
    fn cut(&mut self, [before, at, next]: [usize; 3]) {
        if let Some(of) = self.next.get_mut(before) {
            *of = next;
        }
        if let Some(of) = self.before.get_mut(next) {
            *of = before;
        }
        self.see(at, false);
        for point in [before, next] {
            self.see(point, self.turn(self.corner(point)) < 0.0);
        }
    }

    /// Notes whether a point turns against the polygon.
    fn see(&mut self, point: usize, is_inward: bool) {
        let Some(was) = self.is_inward.get_mut(point).filter(|was| **was != is_inward) else { return };
        *was = is_inward;
        if is_inward {
            self.inward.push(point);
            return;
        }
        self.outward = self.outward.saturating_add(1);
        if self.outward > self.inward.len() / 2 {
            let is_inward = &self.is_inward;
            self.inward.retain(|point| is_inward.get(*point).is_some_and(|is_inward| *is_inward));
            self.outward = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;
    use std::f32::consts::TAU;

    fn check(points: &[[f32; 2]]) {
        let points: Vec<Vec3> = points.iter().map(|[x, y]| Vec3::new(*x, *y, *x)).collect();
        let area = normal(&points).z;
        let areas = triangles(&points).into_iter();
        let areas: Vec<f32> = areas.map(|[a, b, c]| normal(&[points[a], points[b], points[c]]).z).collect();
        assert_eq!(areas.len(), points.len() - 2, "{points:?}");
        assert!(
            (areas.iter().sum::<f32>() - area).abs() < 1e-5 * area.abs().max(100.0),
            "{} {area} {:?}",
            areas.iter().sum::<f32>(),
            areas.iter().filter(|it| **it < 0.0).collect::<Vec<_>>()
        );
        let over: Vec<&f32> = areas.iter().filter(|one| **one * area < 0.0).collect();
        assert!(over.is_empty(), "{over:?} of {area}");
    }

    #[test]
    fn triangles_cover_a_polygon_without_turning_over() {
        let mut comb = vec![[100.0, 9.0], [0.0, 9.0], [0.0, 0.0], [100.0, 0.0]];
        comb.extend((0..100).rev().flat_map(|tooth| [[tooth as f32 + 0.9, 8.0], [tooth as f32 + 0.5, 1.0]]));
        let side = |y: f32| (0..200).map(move |at| [at as f32, y + 20.0 * (at as f32 * 0.3).sin()]);
        let band: Vec<[f32; 2]> = side(0.0).chain(side(5.0).rev()).collect();
        let around = |radius: f32| (0..=300).map(move |at| Vec2::from_angle(at as f32 * TAU / 300.0) * radius);
        let ring: Vec<[f32; 2]> = around(9.0).chain(around(4.0).rev()).map(Into::into).collect();
        let doubled: Vec<[f32; 2]> = comb.iter().skip(2).flat_map(|point| [*point; 2]).collect();
        let squares = [[0, 0], [1, 0], [1, 1], [2, 1], [2, 2], [3, 2], [3, 3], [2, 3], [2, 2], [1, 2], [1, 1], [0, 1]];
        let squares = squares.map(|[x, y]: [u8; 2]| [f32::from(x), f32::from(y)]);
        let cases: [&[[f32; 2]]; 16] = [
            &squares,
            &[[0.0, 0.0], [4.0, 0.0], [2.0, 1.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]],
            &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0], [1.0, 1.0], [0.0, 1.0]],
            &[[2.0, 1.0], [2.0, 1.0], [0.0, 3.0], [0.0, 0.0], [4.0, 0.0], [4.0, 3.0]],
            &[[2.0, 1.0], [0.0, 3.0], [0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.0, 1.0]],
            &band,
            &ring,
            &doubled,
            &[
                [0.0, 0.0],
                [9.0, 0.0],
                [9.0, 9.0],
                [0.0, 9.0],
                [0.0, 0.0],
                [3.0, 3.0],
                [3.0, 6.0],
                [6.0, 6.0],
                [6.0, 3.0],
                [3.0, 3.0],
            ],
            &[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]],
            &[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.0, 1.0], [0.0, 3.0]],
            &[[0.0, 0.0], [0.0, 3.0], [2.0, 1.0], [4.0, 3.0], [4.0, 0.0]],
            &[[2.0, 0.5], [4.0, 3.0], [2.0, 1.0], [0.0, 3.0]],
            &[[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0], [0.0, 2.0]],
            &[
                [0.0, 0.0],
                [9.0, 0.0],
                [9.0, 9.0],
                [1.0, 9.0],
                [1.0, 3.0],
                [4.0, 3.0],
                [2.0, 6.0],
                [2.0, 8.0],
                [8.0, 8.0],
                [8.0, 1.0],
            ],
            &comb[2..],
        ];
        for points in cases {
            check(points);
        }
        assert_eq!(triangles(&[Vec3::ZERO, Vec3::X]).len(), 0);
        assert_eq!(triangles(&[Vec3::ZERO; 5]).len(), 3, "no area");
    }
}
