//! A hierarchy of boxes over triangles, for rays and spheres. It keeps no triangles: the caller passes the corners, which may move.

use glam::Vec3;

/// Maximum number of triangles of a leaf.
const LEAF: usize = 8;

/// The hierarchy. A node is before those below it.
#[derive(Clone, Debug, Default)]
pub struct TriangleTree {
    nodes: Vec<Node>,
    triangles: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    min: Vec3,
    max: Vec3,
    below: Below,
}

#[derive(Clone, Copy, Debug)]
enum Below {
    /// The first node is the next one; this is the second.
    Nodes(u32),
    /// The first of its triangles and the one after the last.
    Triangles([u32; 2]),
}

impl TriangleTree {
    /// The hierarchy of this many triangles.
    pub fn new(count: usize, corners: impl Fn(usize) -> [Vec3; 3]) -> TriangleTree {
        let centers: Vec<Vec3> = (0..count).map(|at| corners(at).iter().sum::<Vec3>() / 3.0).collect();
        let mut tree = TriangleTree { nodes: Vec::new(), triangles: (0..count as u32).collect() };
        if count > 0 {
            tree.split(&centers, 0..count);
            tree.fit(corners);
        }
        tree
    }

    /// Adds the node of some triangles and those below it, without boxes.
    fn split(&mut self, centers: &[Vec3], range: std::ops::Range<usize>) {
        let (at, below) = (self.nodes.len(), Below::Triangles([range.start as u32, range.end as u32]));
        self.nodes.push(Node { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY, below });
        if range.len() <= LEAF {
            return;
        }
        let triangles = &mut self.triangles[range.clone()];
        let (min, max) = triangles.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), at| {
            let center = centers[*at as usize];
            (min.min(center), max.max(center))
        });
        let (axis, half) = ((max - min).max_position(), triangles.len() / 2);
        let place = |at: &u32| centers[*at as usize][axis];
        triangles.select_nth_unstable_by(half, |a, b| place(a).total_cmp(&place(b)));
        self.split(centers, range.start..range.start + half);
        self.nodes[at].below = Below::Nodes(self.nodes.len() as u32);
        self.split(centers, range.start + half..range.end);
    }

    /// Makes the boxes again, after corners moved.
    pub fn fit(&mut self, corners: impl Fn(usize) -> [Vec3; 3]) {
        for at in (0..self.nodes.len()).rev() {
            let (min, max) = match self.nodes[at].below {
                Below::Nodes(second) => {
                    let (first, second) = (self.nodes[at + 1], self.nodes[second as usize]);
                    (first.min.min(second.min), first.max.max(second.max))
                }
                Below::Triangles([first, last]) => {
                    let all = self.triangles[first as usize..last as usize].iter().flat_map(|at| corners(*at as usize));
                    all.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), at| (min.min(at), max.max(at)))
                }
            };
            (self.nodes[at].min, self.nodes[at].max) = (min, max);
        }
    }

    /// Visits the triangles whose boxes a test accepts, each node before those below it.
    fn visit(&self, mut test: impl FnMut(Vec3, Vec3) -> bool, mut visit: impl FnMut(usize)) {
        let mut open: Vec<u32> = Vec::new();
        open.extend((!self.nodes.is_empty()).then_some(0));
        while let Some(at) = open.pop() {
            let Node { min, max, below } = self.nodes[at as usize];
            if !test(min, max) {
                continue;
            }
            match below {
                Below::Nodes(second) => open.extend([second, at + 1]),
                Below::Triangles([first, last]) => {
                    self.triangles[first as usize..last as usize].iter().for_each(|at| visit(*at as usize));
                }
            }
        }
    }

    /// Visits the triangles near a sphere, perhaps more than those that touch it.
    pub fn near(&self, center: Vec3, radius: f32, visit: impl FnMut(usize)) {
        let is_near = |min: Vec3, max: Vec3| center.clamp(min, max).distance_squared(center) <= radius * radius;
        self.visit(|min, max| min.cmple(max).all() && is_near(min, max), visit);
    }

    /// Visits the triangles near a point, those in nearer boxes first. Each visit returns the radius within which a nearer one is sought.
    pub fn nearest(&self, center: Vec3, mut radius: f32, mut visit: impl FnMut(usize) -> f32) {
        let far = |at: u32| {
            let Node { min, max, .. } = self.nodes[at as usize];
            if min.cmple(max).all() { center.clamp(min, max).distance(center) } else { f32::INFINITY }
        };
        let mut open: Vec<(f32, u32)> = Vec::new();
        open.extend((!self.nodes.is_empty()).then(|| (far(0), 0)));
        while let Some((distance, at)) = open.pop() {
            match self.nodes[at as usize].below {
                _ if distance > radius => {}
                Below::Nodes(second) => {
                    let [first, second] = [at + 1, second].map(|at| (far(at), at));
                    open.extend(if first.0 <= second.0 { [second, first] } else { [first, second] });
                }
                Below::Triangles([first, last]) => {
                    for at in &self.triangles[first as usize..last as usize] {
                        radius = radius.min(visit(*at as usize));
                    }
                }
            }
        }
    }

    /// All hits of a ray: their distances and triangles, in no order.
    pub fn hits(&self, ray: [Vec3; 2], corners: impl Fn(usize) -> [Vec3; 3]) -> Vec<(f32, usize)> {
        let mut hits = Vec::new();
        let visit = |at| hits.extend(hit_triangle(ray, corners(at)).map(|(distance, _)| (distance, at)));
        self.visit(|min, max| enters(ray, min, max).is_some(), visit);
        hits
    }

    /// The nearest hit of a ray: its distance, its triangle and the barycentric weights of the corners.
    pub fn first_hit(&self, ray: [Vec3; 2], corners: impl Fn(usize) -> [Vec3; 3]) -> Option<(f32, usize, [f32; 3])> {
        let nearest = std::cell::Cell::new(None::<(f32, usize, [f32; 3])>);
        let is_nearer = |distance: f32| nearest.get().is_none_or(|nearest| distance < nearest.0);
        let visit = |at| {
            if let Some((distance, weights)) = hit_triangle(ray, corners(at)).filter(|hit| is_nearer(hit.0)) {
                nearest.set(Some((distance, at, weights)));
            }
        };
        self.visit(|min, max| enters(ray, min, max).is_some_and(is_nearer), visit);
        nearest.get()
    }
}

/// The distance at which a ray, an origin and a direction, enters a box; 0 if it starts inside.
pub fn enters([origin, direction]: [Vec3; 2], min: Vec3, max: Vec3) -> Option<f32> {
    let (low, high) = ((min - origin) / direction, (max - origin) / direction);
    let (mut from, mut to) = (0.0_f32, f32::INFINITY);
    for axis in 0..3 {
        if direction[axis] == 0.0 {
            if origin[axis] < min[axis] || origin[axis] > max[axis] {
                return None;
            }
            continue;
        }
        (from, to) = (from.max(low[axis].min(high[axis])), to.min(low[axis].max(high[axis])));
    }
    (from <= to).then_some(from)
}

/// The distance along a ray, an origin and a direction, and the barycentric weights of the corners (Möller and Trumbore 1997). Hits both
/// sides.
pub fn hit_triangle([origin, direction]: [Vec3; 2], [a, b, c]: [Vec3; 3]) -> Option<(f32, [f32; 3])> {
    let (ab, ac) = (b - a, c - a);
    let across = direction.cross(ac);
    let scale = 1.0 / ab.dot(across);
    let from_a = origin - a;
    let v = from_a.dot(across) * scale;
    let up = from_a.cross(ab);
    let w = direction.dot(up) * scale;
    let distance = ac.dot(up) * scale;
    let is_hit = scale.is_finite() && v >= 0.0 && w >= 0.0 && v + w <= 1.0 && distance > 0.0;
    is_hit.then_some((distance, [1.0 - v - w, v, w]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wavy sheet of two triangles per cell, and rays and spheres at it: the hierarchy finds what a look at all triangles finds.
    #[test]
    fn the_hierarchy_finds_what_all_triangles_have() {
        let height = |x: usize, z: usize, wave: f32| (x as f32 * 0.7).sin() * wave + (z as f32 * 0.4).cos() * wave;
        let point = |x: usize, z: usize, wave: f32| Vec3::new(x as f32, height(x, z, wave), z as f32);
        let corners = |wave: f32| {
            move |at: usize| {
                let (x, z) = (at / 2 % 20, at / 40);
                let all = [point(x, z, wave), point(x + 1, z, wave), point(x, z + 1, wave), point(x + 1, z + 1, wave)];
                if at.is_multiple_of(2) { [all[0], all[1], all[2]] } else { [all[1], all[3], all[2]] }
            }
        };
        let mut tree = TriangleTree::new(800, corners(1.0));
        for wave in [1.0, 2.5] {
            tree.fit(corners(wave));
            for at in 0..200 {
                let from = Vec3::new(at as f32 * 0.13 - 2.0, 4.0, (at % 23) as f32);
                let ray = [from, Vec3::new(0.02, -1.0, (at % 5) as f32 * 0.1 - 0.2).normalize()];
                let mut all: Vec<f32> =
                    (0..800).filter_map(|at| Some(hit_triangle(ray, corners(wave)(at))?.0)).collect();
                let mut found: Vec<f32> = tree.hits(ray, corners(wave)).into_iter().map(|hit| hit.0).collect();
                all.sort_by(f32::total_cmp);
                found.sort_by(f32::total_cmp);
                assert_eq!(found, all, "ray {at}");
                assert_eq!(tree.first_hit(ray, corners(wave)).map(|hit| hit.0), all.first().copied());
                let mut near = Vec::new();
                tree.near(from - Vec3::Y * 3.0, 1.5, |at| near.push(at));
                let is_near = |at: &usize| corners(wave)(*at).iter().any(|at| at.distance(from - Vec3::Y * 3.0) < 1.5);
                assert!((0..800).filter(is_near).all(|at| near.contains(&at)));
            }
        }
        let none = TriangleTree::new(0, corners(1.0));
        assert_eq!(none.first_hit([Vec3::ZERO, Vec3::X], corners(1.0)), None);
    }
}
