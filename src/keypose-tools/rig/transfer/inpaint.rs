//! Weights between known ones: harmonic along edges, by conjugate gradients with a diagonal preconditioner. A library for sparse matrices
//! would bring a factorization that this one system, positive definite and solved once, doesn't need.

use std::collections::BTreeSet;

use crate::anim::skeleton::BoneIndex;
use crate::rig::surface::Surface;
use crate::rig::transfer::matching::Known;
use crate::rig::weights::Weights;
use crate::rig::{Reach, RigError};

/// Maximum number of steps for each bone, which bounds the time for large meshes.
const STEPS: usize = 400;
/// The residual relative to the first one at which the solution is good.
const GOOD: f64 = 1e-5;

/// Fills in the weights of vertices that have none. Vertices that are not the first at their place stay without.
///
/// # Errors
/// If `reach` ends the work.
pub fn filled(surface: &Surface, known: Known, reach: &mut Reach<'_>) -> Result<Weights, RigError> {
    let system = System::new(surface, &known);
    let mut weights: Weights = known.into_iter().map(Option::unwrap_or_default).collect();
    if system.open.is_empty() {
        return Ok(weights);
    }
    let bones: BTreeSet<BoneIndex> = weights.iter().flatten().map(|(bone, _)| *bone).collect();
    let count = bones.len() as f32;
    for (at, bone) in bones.into_iter().enumerate() {
        reach(at as f32 / count)?;
        let found = system.solved(|vertex| {
            let own = weights[vertex].iter().find(|(other, _)| *other == bone);
            own.map_or(0.0, |(_, weight)| f64::from(*weight))
        });
        for (vertex, value) in system.open.iter().zip(found).filter(|(_, value)| *value > 1e-4) {
            weights[*vertex as usize].push((bone, value as f32));
        }
    }
    Ok(weights)
}

/// The index and weight of each edge of a vertex.
type Edges = Vec<(u32, f64)>;

/// The equations of the vertices without weights: each is the mean of its neighbours, by the inverse lengths of edges.
struct System {
    open: Vec<u32>,
    /// Sum of the edges of each open vertex.
    diagonal: Vec<f64>,
    /// The edges of each open vertex to others: the index of an open vertex and the weight of the edge.
    inner: Vec<Edges>,
    /// The edges to vertices with weights.
    outer: Vec<Edges>,
}

impl System {
    fn new(surface: &Surface, known: &Known) -> System {
        let neighbours = surface.neighbours();
        let is_open = |vertex: &u32| known[*vertex as usize].is_none() && surface.welded[*vertex as usize] == *vertex;
        let open: Vec<u32> = (0..known.len() as u32).filter(is_open).collect();
        let edges = |vertex: &u32| {
            let at = surface.positions[*vertex as usize];
            let edge = move |other: &u32| (*other, 1.0 / f64::from(at.distance(surface.positions[*other as usize])));
            neighbours.of(*vertex as usize).iter().map(edge).partition::<Edges, _>(|(other, _)| is_open(other))
        };
        let (mut inner, outer): (Vec<Edges>, Vec<Edges>) = open.iter().map(edges).unzip();
        for (other, _) in inner.iter_mut().flatten() {
            *other = open.partition_point(|vertex| vertex < other) as u32;
        }
        let sum = |(inner, outer): (&Edges, &Edges)| inner.iter().chain(outer).map(|edge| edge.1).sum();
        let diagonal = inner.iter().zip(&outer).map(sum).collect();
        System { open, diagonal, inner, outer }
    }

    fn times(&self, x: &[f64], product: &mut [f64]) {
        for (at, product) in product.iter_mut().enumerate() {
            let rest: f64 = self.inner[at].iter().map(|(other, weight)| weight * x[*other as usize]).sum();
            *product = self.diagonal[at] * x[at] - rest;
        }
    }

    /// The values of open vertices for those of the known ones.
    fn solved(&self, known: impl Fn(usize) -> f64) -> Vec<f64> {
        let right = |outer: &Edges| outer.iter().map(|(other, weight)| weight * known(*other as usize)).sum();
        let mut residual: Vec<f64> = self.outer.iter().map(right).collect();
        let mut x = vec![0.0; residual.len()];
        let scaled =
            |residual: &[f64]| -> Vec<f64> { residual.iter().zip(&self.diagonal).map(|(r, d)| r / d).collect() };
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let mut direction = scaled(&residual);
        let mut rate = dot(&residual, &direction);
        let (good, mut product) = (rate * GOOD * GOOD, vec![0.0; x.len()]);
        for _ in 0..STEPS {
            if rate <= good {
                break;
            }
            self.times(&direction, &mut product);
            let step = rate / dot(&direction, &product);
            x.iter_mut().zip(&direction).for_each(|(x, d)| *x += step * d);
            residual.iter_mut().zip(&product).for_each(|(r, p)| *r -= step * p);
            let next = scaled(&residual);
            let new_rate = dot(&residual, &next);
            direction.iter_mut().zip(&next).for_each(|(d, n)| *d = n + new_rate / rate * *d);
            rate = new_rate;
        }
        x
    }
}
