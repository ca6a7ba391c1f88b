//! Vertices that match a surface: its closest place is near and faces the same way, or the opposite one, as the lining of a cape does.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::anim::skeleton::BoneIndex;
use crate::rig::surface::Surface;
use crate::rig::weights::Weights;
use crate::triangle_tree::TriangleTree;

/// The weights of vertices that have some.
pub type Known = Vec<Option<Own>>;
/// Bones and weights of a vertex.
pub type Own = Vec<(BoneIndex, f32)>;

/// A place that matches is nearer than this fraction of the diagonal of the box around the surface.
const NEAR: f32 = 0.05;
/// The cosine of the largest angle between normals that match: 30°.
const FACING: f32 = 0.866;

/// The weights of each vertex that is the first at its place and matches, and how many vertices match. Each connected part has at least
/// one.
pub fn known(from: &Surface, weights: &Weights, to: &Surface) -> (Known, usize) {
    let source = Source::new(from, weights);
    let (min, max) = from.bounds();
    let near = NEAR * min.distance(max);
    let normals = to.normals(&to.positions);
    let matching = |vertex: usize| {
        let place = source.closest(to.positions[vertex], near)?;
        (place.normal.dot(normals[vertex]).abs() >= FACING).then_some(place.weights)
    };
    let is_first = |vertex: &usize| to.welded[*vertex] as usize == *vertex;
    let mut known: Known =
        (0..to.positions.len()).map(|vertex| Some(vertex).filter(is_first).and_then(matching)).collect();
    let matched = to.welded.iter().filter(|first| known[**first as usize].is_some()).count();
    let mut is_matched = vec![false; to.part_count()];
    (0..known.len()).filter(|vertex| known[*vertex].is_some()).for_each(|at| is_matched[to.parts[at] as usize] = true);
    let mut nearest: BTreeMap<u32, (usize, Place)> = BTreeMap::new();
    for vertex in (0..known.len()).filter(is_first).filter(|vertex| !is_matched[to.parts[*vertex] as usize]) {
        let part = to.parts[vertex];
        let least = nearest.get(&part).map_or(f32::INFINITY, |(_, place)| place.distance);
        if let Some(place) = source.closest_within(to.positions[vertex], near, least) {
            nearest.insert(part, (vertex, place));
        }
    }
    nearest.into_values().for_each(|(vertex, place)| known[vertex] = Some(place.weights));
    (known, matched)
}

/// The surface from which weights are taken.
struct Source<'s> {
    surface: &'s Surface,
    weights: &'s Weights,
    normals: Vec<Vec3>,
    tree: TriangleTree,
    size: f32,
}

/// The closest place of the surface to a point.
struct Place {
    distance: f32,
    /// Unit length.
    normal: Vec3,
    weights: Own,
}

impl<'s> Source<'s> {
    fn new(surface: &'s Surface, weights: &'s Weights) -> Source<'s> {
        let tree = TriangleTree::new(surface.triangles.len(), |at| surface.corners(surface.triangles[at]));
        let (min, max) = surface.bounds();
        Source { surface, weights, normals: surface.normals(&surface.positions), tree, size: min.distance(max) }
    }

    /// The closest place up to `most` away, which is looked for farther and farther from `near` on.
    fn closest_within(&self, point: Vec3, near: f32, most: f32) -> Option<Place> {
        let (min, max) = self.surface.bounds();
        let farthest = most.min(point.distance(0.5 * (min + max)) + self.size);
        let mut reach = near;
        loop {
            let found = self.closest(point, reach.min(farthest));
            if found.is_some() || reach >= farthest {
                return found.filter(|place| place.distance < most);
            }
            reach *= 2.0;
        }
    }

    fn closest(&self, point: Vec3, near: f32) -> Option<Place> {
        let mut closest = (near, None);
        self.tree.nearest(point, near, |at| {
            let triangle = self.surface.triangles[at];
            let corners = self.surface.corners(triangle);
            let shares = closest_on(point, corners);
            let distance = point.distance((0..3).map(|corner| corners[corner] * shares[corner]).sum());
            let is_better =
                distance < closest.0 || closest.1.is_some_and(|(other, _)| distance == closest.0 && at < other);
            if is_better {
                closest = (distance, Some((at, shares)));
            }
            closest.0
        });
        let (distance, (at, shares)) = (closest.0, closest.1?);
        let triangle = self.surface.triangles[at].map(|vertex| vertex as usize);
        let normal: Vec3 = (0..3).map(|corner| self.normals[triangle[corner]] * shares[corner]).sum();
        let mut sums: BTreeMap<BoneIndex, f32> = BTreeMap::new();
        for (vertex, share) in triangle.into_iter().zip(shares) {
            self.weights[vertex].iter().for_each(|(bone, weight)| *sums.entry(*bone).or_default() += share * weight);
        }
        let total: f32 = sums.values().sum();
        let weights = sums.into_iter().map(|(bone, weight)| (bone, weight / total));
        (total > 0.0).then(|| Place { distance, normal: normal.normalize_or_zero(), weights: weights.collect() })
    }
}

/// The shares of the corners in the point of a triangle that is closest to a point (Ericson 2005, "Real-Time Collision Detection", 5.1.5).
fn closest_on(point: Vec3, [a, b, c]: [Vec3; 3]) -> [f32; 3] {
    let (ab, ac) = (b - a, c - a);
    let [from_a, from_b, from_c] = [a, b, c].map(|corner| point - corner);
    let (d1, d2) = (ab.dot(from_a), ac.dot(from_a));
    let (d3, d4) = (ab.dot(from_b), ac.dot(from_b));
    let (d5, d6) = (ab.dot(from_c), ac.dot(from_c));
    let share = |part: f32, rest: f32| if part + rest > 0.0 { part / (part + rest) } else { 0.0 };
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = share(d1, -d3);
        return [1.0 - v, v, 0.0];
    }
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = share(d2, -d6);
        return [1.0 - w, 0.0, w];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let w = share(d4 - d3, d5 - d6);
        return [0.0, 1.0 - w, w];
    }
    let sum = va + vb + vc;
    [va / sum, vb / sum, vc / sum]
}
