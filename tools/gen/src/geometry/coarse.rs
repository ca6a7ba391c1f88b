//! A part with fewer points: edges are collapsed while the surface stays within a distance (quadric error metrics, Garland and Heckbert 1997).

use std::collections::BTreeSet;

use glam::{DMat3, DVec3, DVec4};
use keypose::assets::mesh::{Binding, Mesh};

use crate::geometry::finish::mesh;
use crate::geometry::part::{Influences, Part, strongest};
use crate::geometry::shape::Shape;

/// Squared distances from planes, weighted: the sum as a symmetric matrix, its rows from the diagonal on, then the sum of the weights.
#[derive(Clone, Copy, Debug, Default)]
struct Quadric([f64; 11]);

impl Quadric {
    fn of_plane(normal: DVec3, through: DVec3, weight: f64) -> Quadric {
        let [a, b, c, d] = normal.extend(-normal.dot(through)).to_array();
        Quadric([a * a, a * b, a * c, a * d, b * b, b * c, b * d, c * c, c * d, d * d, 1.0].map(|value| value * weight))
    }

    fn add(&mut self, other: &Quadric) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, value)| *sum += value);
    }

    /// The point of the least mean, unless the planes are nearly parallel to a line.
    fn least(&self) -> Option<DVec3> {
        let [aa, ab, ac, ad, bb, bc, bd, cc, cd, _, weight] = self.0;
        let planes = DMat3::from_cols_array(&[aa, ab, ac, ab, bb, bc, ac, bc, cc]);
        let is_steep = planes.determinant() > 1e-3 * weight * weight * weight;
        is_steep.then(|| planes.inverse() * -DVec3::new(ad, bd, cd))
    }

    /// The mean at a point.
    fn at(&self, point: DVec3) -> f64 {
        let [aa, ab, ac, ad, bb, bc, bd, cc, cd, dd, weight] = self.0;
        let to = point.extend(1.0);
        let rows = [
            DVec4::new(aa, ab, ac, ad),
            DVec4::new(ab, bb, bc, bd),
            DVec4::new(ac, bc, cc, cd),
            DVec4::new(ad, bd, cd, dd),
        ];
        DVec4::from_array(rows.map(|row| row.dot(to))).dot(to).max(0.0) / weight
    }
}

/// A triangle and its colour.
type Triangle = ([usize; 3], u8);

struct Collapse {
    keep: usize,
    remove: usize,
    place: DVec3,
    /// How far along the edge that is from the kept point, 0 to 1.
    part: f64,
    cost: f64,
}

/// Points with what moves them, and the planes that they should stay in.
struct Surface {
    points: Vec<DVec3>,
    weights: Vec<Influences>,
    quadrics: Vec<Quadric>,
    triangles: Vec<Triangle>,
}

/// The minimum light of a vertex: what lies in a corner is dark, and with few vertices would darken what is around it.
const DARKEST: u8 = 190;

/// A coarser mesh of these parts, whose surface is elsewhere by about `error` metres at most. Parts that are not much larger are left out.
pub fn coarse_mesh(name: &str, parts: &[Part], binding: Binding, error: f64) -> Mesh {
    let mut mesh = mesh(name, &coarse(parts, error), binding);
    mesh.colors.iter_mut().flatten().for_each(|light| *light = (*light).max(DARKEST));
    mesh
}

/// The parts without edges in their shading.
fn coarse(parts: &[Part], error: f64) -> Vec<Part> {
    let is_seen = |part: &&Part| {
        let corner =
            |pick: fn(DVec3, DVec3) -> DVec3| part.shape.points.iter().copied().reduce(pick).unwrap_or_default();
        (corner(DVec3::max) - corner(DVec3::min)).max_element() > 4.0 * error
    };
    parts.iter().filter(is_seen).map(|part| simplified(part, error)).collect()
}

fn simplified(part: &Part, error: f64) -> Part {
    let mut surface = Surface::of(part);
    while surface.collapse_apart(error * error) {}
    surface.into_part()
}

impl Surface {
    fn of(part: &Part) -> Surface {
        let mut triangles = Vec::new();
        for (face, swatch) in part.shape.faces.iter().zip(&part.swatches) {
            triangles.extend((1..face.len() - 1).map(|step| ([face[0], face[step], face[step + 1]], *swatch)));
        }
        let points = part.shape.points.clone();
        let mut surface = Surface {
            quadrics: vec![Quadric::default(); points.len()],
            points,
            weights: part.weights.clone(),
            triangles,
        };
        surface.triangles.retain(|(corners, _)| area(corners, &surface.points).length() > 1e-12);
        surface.measure();
        surface
    }

    /// Adds the planes of triangles, and at open edges and borders of colours a plane that stands on them.
    fn measure(&mut self) {
        for (corners, swatch) in &self.triangles {
            let area = area(corners, &self.points);
            let normal = area.normalize_or_zero();
            let plane = Quadric::of_plane(normal, self.points[corners[0]], area.length());
            corners.iter().for_each(|&at| self.quadrics[at].add(&plane));
            for edge in 0..3 {
                let (a, b) = (corners[edge], corners[(edge + 1) % 3]);
                let is_same = |(other, color): &&Triangle| color == swatch && has_edge(other, b, a);
                if self.triangles.iter().any(|other| is_same(&other)) {
                    continue;
                }
                let along = self.points[b] - self.points[a];
                let across = Quadric::of_plane(
                    along.cross(normal).normalize_or_zero(),
                    self.points[a],
                    3.0 * along.length_squared(),
                );
                [a, b].iter().for_each(|&at| self.quadrics[at].add(&across));
            }
        }
    }

    /// Collapses edges that move the surface by less than a squared distance, the least first, and none beside another. Returns false if there
    /// is none.
    fn collapse_apart(&mut self, most: f64) -> bool {
        let edges: BTreeSet<(usize, usize)> = self.triangles.iter().flat_map(|(corners, _)| edges(corners)).collect();
        let mut collapses: Vec<Collapse> = edges.iter().flat_map(|&edge| self.collapses(edge)).collect();
        collapses.retain(|collapse| collapse.cost <= most);
        collapses.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        let mut changed = BTreeSet::new();
        for collapse in collapses {
            let Collapse { keep, remove, .. } = collapse;
            if changed.contains(&keep) || changed.contains(&remove) || !self.is_allowed(&collapse) {
                continue;
            }
            changed.extend(self.around(keep));
            changed.extend(self.around(remove));
            self.collapse(&collapse);
        }
        !changed.is_empty()
    }

    /// The corners of the triangles around a point.
    fn around(&self, at: usize) -> BTreeSet<usize> {
        self.triangles.iter().filter(|(corners, _)| corners.contains(&at)).flat_map(|(corners, _)| *corners).collect()
    }

    /// To the best place near an edge, to its middle and to either end.
    fn collapses(&self, (keep, remove): (usize, usize)) -> impl Iterator<Item = Collapse> {
        let mut quadric = self.quadrics[keep];
        quadric.add(&self.quadrics[remove]);
        let [from, till] = [keep, remove].map(|at| self.points[at]);
        let (along, middle) = (till - from, (from + till) / 2.0);
        let best = quadric.least().filter(|place| place.distance(middle) <= along.length());
        best.into_iter().chain([middle, from, till]).map(move |place| {
            let part = ((place - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            Collapse { keep, remove, place, part, cost: quadric.at(place) }
        })
    }

    /// Returns false where the surface would fold over or close on itself.
    fn is_allowed(&self, collapse: &Collapse) -> bool {
        let Collapse { keep, remove, place, .. } = *collapse;
        let sides = self.triangles.iter().filter(|(corners, _)| corners.contains(&keep) && corners.contains(&remove));
        let shared = self.around(keep).intersection(&self.around(remove)).count() - 2;
        let keeps_side = |(corners, _): &Triangle| {
            let moved = |at: usize| if at == keep || at == remove { place } else { self.points[at] };
            let after = (moved(corners[1]) - moved(corners[0])).cross(moved(corners[2]) - moved(corners[0]));
            let before = area(corners, &self.points);
            before.normalize_or_zero().dot(after.normalize_or_zero()) > 0.3
        };
        let mut stay =
            self.triangles.iter().filter(|(corners, _)| corners.contains(&keep) != corners.contains(&remove));
        shared <= sides.count() && stay.all(keeps_side) && self.triangles.len() > 4
    }

    fn collapse(&mut self, collapse: &Collapse) {
        let Collapse { keep, remove, place, part, .. } = *collapse;
        let removed = self.quadrics[remove];
        self.quadrics[keep].add(&removed);
        if let [Some(a), Some(b)] = [keep, remove].map(|at| self.weights.get(at)) {
            self.weights[keep] = mixed(a, b, part);
        }
        self.points[keep] = place;
        for (corners, _) in &mut self.triangles {
            corners.iter_mut().filter(|at| **at == remove).for_each(|at| *at = keep);
        }
        self.triangles.retain(|([a, b, c], _)| a != b && b != c && c != a);
    }

    fn into_part(self) -> Part {
        let used: BTreeSet<usize> = self.triangles.iter().flat_map(|(corners, _)| *corners).collect();
        let used: Vec<usize> = used.into_iter().collect();
        let place = |at: &usize| used.binary_search(at).unwrap_or_default();
        let faces = self.triangles.iter().map(|(corners, _)| corners.iter().map(place).collect()).collect();
        Part {
            shape: Shape { points: used.iter().map(|&at| self.points[at]).collect(), faces },
            swatches: self.triangles.iter().map(|(_, swatch)| *swatch).collect(),
            soft_cos: -0.5,
            weights: used.iter().filter_map(|&at| self.weights.get(at).cloned()).collect(),
        }
    }
}

fn area(corners: &[usize; 3], points: &[DVec3]) -> DVec3 {
    let [a, b, c] = corners.map(|at| points[at]);
    (b - a).cross(c - a)
}

fn has_edge(corners: &[usize; 3], a: usize, b: usize) -> bool {
    (0..3).any(|at| corners[at] == a && corners[(at + 1) % 3] == b)
}

fn edges(corners: &[usize; 3]) -> [(usize, usize); 3] {
    [0, 1, 2].map(|at| (corners[at], corners[(at + 1) % 3])).map(|(a, b)| (a.min(b), a.max(b)))
}

fn mixed(a: &Influences, b: &Influences, part: f64) -> Influences {
    let mut sums = std::collections::BTreeMap::<u16, f64>::new();
    a.iter().for_each(|(bone, weight)| *sums.entry(*bone).or_default() += weight * (1.0 - part));
    b.iter().for_each(|(bone, weight)| *sums.entry(*bone).or_default() += weight * part);
    strongest(sums.into_iter().collect())
}
