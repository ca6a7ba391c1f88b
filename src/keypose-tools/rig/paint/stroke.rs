//! A stroke: dabs of a brush. Each vertex takes part as much as in the strongest of them, and is computed from its weights before the
//! stroke, so that overlapping dabs don't add up. Smoothing repeats instead.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;

use crate::anim::skeleton::BoneIndex;
use crate::assets::model::Model;
use crate::rig::paint::{Action, Brush, Canvas, Shape};
use crate::rig::vertex::{MAX_INFLUENCES, Weighed, each_weight, weights_of, write};

/// The bones of a vertex and their weights.
type Own = Vec<(BoneIndex, f32)>;
/// Weights that differ by less are the same.
const SAME: f32 = 1e-6;

/// A stroke in progress.
#[derive(Clone, Debug)]
pub struct Stroke {
    brush: Brush,
    pub canvas: Arc<Canvas>,
    /// The surface that the dabs touch.
    pub shape: Arc<Shape>,
    base: Arc<Model>,
    /// The model with the weights as they are now.
    pub model: Model,
    /// How much each vertex takes part, 0 to 1.
    amounts: Vec<f32>,
    /// The weight that each vertex of a gradient gets.
    targets: Vec<f32>,
    /// The vertices that take part.
    touched: Vec<u32>,
    /// For each vertex the last dab that found it.
    found: Vec<u32>,
    dabs: u32,
}

impl Stroke {
    /// A stroke on a model, of which the canvas was made, in a pose.
    pub fn new(model: &Arc<Model>, canvas: &Arc<Canvas>, shape: &Arc<Shape>, brush: Brush) -> Stroke {
        let count = canvas.surface.positions.len();
        let targets = if brush.action == Action::Gradient { vec![0.0; count] } else { Vec::new() };
        Stroke {
            brush,
            canvas: canvas.clone(),
            shape: shape.clone(),
            base: model.clone(),
            model: Model::clone(model),
            amounts: vec![0.0; count],
            targets,
            touched: Vec::new(),
            found: vec![0; count],
            dabs: 0,
        }
    }

    /// The meshes that it changed.
    pub fn changed(&self) -> impl Iterator<Item = usize> {
        let pairs = self.model.meshes.iter().zip(&self.base.meshes).enumerate();
        pairs.filter(|(_, (now, before))| !Arc::ptr_eq(&now.mesh, &before.mesh)).map(|(at, _)| at)
    }

    /// Paints around a point: most in the middle, nothing at `radius`. Vertices that `is_front` refuses by place and normal stay.
    ///
    /// # Errors
    /// If a skin would have too many joints.
    pub fn dab(&mut self, at: Vec3, radius: f32, is_front: impl Fn(Vec3, Vec3) -> bool) -> Result<(), String> {
        let found = self.vertices_near(at, radius, is_front);
        if self.brush.action == Action::Smooth {
            return self.smooth(&found);
        }
        let mut changed = Vec::with_capacity(2 * found.len());
        for (vertex, share) in found {
            let (amount, before) = (self.brush.strength * share, &mut self.amounts[vertex as usize]);
            if amount > *before {
                if *before == 0.0 {
                    self.touched.push(vertex);
                }
                *before = amount;
                changed.push(vertex);
            }
        }
        self.repaint(changed)
    }

    /// Replaces the stroke by a gradient. `target` is the weight at a place, 0 to 1, with this normal; `None` changes nothing.
    ///
    /// # Errors
    /// If a skin would have too many joints.
    pub fn gradient(&mut self, target: impl Fn(Vec3, Vec3) -> Option<f32>) -> Result<(), String> {
        for vertex in std::mem::take(&mut self.touched) {
            self.amounts[vertex as usize] = 0.0;
        }
        self.model = Model::clone(&self.base);
        for (vertex, welded) in (0_u32..).zip(&self.canvas.surface.welded) {
            let at = vertex as usize;
            let (place, normal) = (self.shape.positions[at], self.shape.normals[at]);
            if vertex != *welded || normal == Vec3::ZERO {
                continue;
            }
            if let Some(weight) = target(place, normal) {
                (self.amounts[at], self.targets[at]) = (self.brush.strength, weight);
                self.touched.push(vertex);
            }
        }
        self.repaint(self.touched.clone())
    }

    /// The first vertices of the places within a radius, and their shares, which fall to 0 at the radius.
    fn vertices_near(&mut self, at: Vec3, radius: f32, is_front: impl Fn(Vec3, Vec3) -> bool) -> Vec<(u32, f32)> {
        self.dabs += 1;
        let Stroke { canvas, shape, found, dabs, .. } = self;
        let mut near = Vec::new();
        shape.tree.near(at, radius, |triangle| {
            for corner in canvas.surface.triangles[triangle] {
                let vertex = canvas.surface.welded[corner as usize];
                let (place, normal) = (shape.positions[corner as usize], shape.normals[corner as usize]);
                let far = place.distance_squared(at) / (radius * radius);
                if far < 1.0 && found[vertex as usize] != *dabs && is_front(place, normal) {
                    found[vertex as usize] = *dabs;
                    near.push((vertex, (1.0 - far) * (1.0 - far)));
                }
            }
        });
        near
    }

    /// Computes vertices, and those of the other side, from their weights before the stroke.
    fn repaint(&mut self, mut vertices: Vec<u32>) -> Result<(), String> {
        if self.brush.partners.is_some() {
            vertices.extend(vertices.clone().into_iter().filter_map(|vertex| self.canvas.sides[vertex as usize]));
            vertices.sort_unstable();
            vertices.dedup();
        }
        let painted: Vec<(u32, Own)> = vertices.into_iter().map(|vertex| (vertex, self.painted(vertex))).collect();
        self.write(&painted)
    }

    /// The weights of a vertex after the stroke. With both sides, the nearer dab counts; at the middle both do, half each.
    fn painted(&self, vertex: u32) -> Own {
        let own = self.weights(&self.base, vertex);
        let bone = self.brush.bone;
        if self.brush.locked.contains(&bone) {
            return own;
        }
        let other = self.canvas.sides[vertex as usize].filter(|_| self.brush.partners.is_some());
        let Some(other) = other else { return self.with_dab(&own, bone, vertex) };
        let [here, there] = [vertex, other].map(|vertex| self.amounts[vertex as usize]);
        let partner = self.partner(bone);
        if (here - there).abs() < SAME && partner != bone {
            let sides = [self.with_dab(&own, bone, vertex), self.with_dab(&own, partner, other)];
            self.settled(&own, mixed(&sides[0], &sides[1], 0.5))
        } else if here >= there {
            self.with_dab(&own, bone, vertex)
        } else {
            self.with_dab(&own, partner, other)
        }
    }

    /// Weights after a dab that reaches them as much as it does a vertex.
    fn with_dab(&self, own: &Own, bone: BoneIndex, as_at: u32) -> Own {
        let amount = self.amounts[as_at as usize];
        let before = weight_of(own, bone);
        let weight = match self.brush.action {
            Action::Add => before + amount,
            Action::Subtract => before - amount,
            Action::Replace => before + (self.brush.weight - before) * amount,
            Action::Gradient => before + (self.targets[as_at as usize] - before) * amount,
            Action::Smooth => before,
        };
        self.with_weight(own, bone, weight)
    }

    /// Weights with that of one bone set as far as locked bones leave room. The others share the rest in proportion.
    fn with_weight(&self, own: &Own, bone: BoneIndex, weight: f32) -> Own {
        let is_locked = |of: &BoneIndex| self.brush.locked.contains(of);
        let total: f32 = own.iter().map(|(_, weight)| weight).sum();
        let kept: f32 = own.iter().filter(|(of, _)| is_locked(of)).map(|(_, weight)| weight).sum();
        let (free, before) = ((1.0 - kept).max(0.0), weight_of(own, bone));
        let weight = weight.clamp(0.0, free);
        if is_locked(&bone) || (total > 0.5 && (weight - before).abs() < SAME) {
            return own.clone();
        }
        let mut all: Own = own.iter().filter(|(of, _)| *of != bone).copied().collect();
        let most = self.brush.influences.clamp(1, MAX_INFLUENCES).max(own.len());
        if weight > 0.0 {
            while all.len() >= most {
                let lightest =
                    (0..all.len()).filter(|at| !is_locked(&all[*at].0)).min_by(|a, b| all[*a].1.total_cmp(&all[*b].1));
                let Some(lightest) = lightest else { return own.clone() };
                all.remove(lightest);
            }
        }
        let others: f32 = all.iter().filter(|(of, _)| !is_locked(of)).map(|(_, weight)| weight).sum();
        // Without others the bone takes all that is free.
        let weight = if others > 0.0 { weight } else { free };
        let unlocked = all.iter_mut().filter(|(of, _)| !is_locked(of));
        unlocked.for_each(|(_, other)| *other *= (free - weight) / others);
        all.push((bone, weight));
        tidy(all)
    }

    /// Averages vertices with their neighbours.
    fn smooth(&mut self, found: &[(u32, f32)]) -> Result<(), String> {
        let painted = if self.brush.partners.is_some() {
            self.smoothed_on_both_sides(found)
        } else {
            found.iter().map(|(vertex, share)| (*vertex, self.averaged(*vertex, *share))).collect()
        };
        self.write(&painted)
    }

    /// Averages with the neighbours, where the nearer vertex gives that of the other side its mirror image; at the middle each gets half of
    /// both.
    fn smoothed_on_both_sides(&self, found: &[(u32, f32)]) -> Vec<(u32, Own)> {
        let other = |vertex: u32| self.canvas.sides[vertex as usize];
        let others = found.iter().filter_map(|(vertex, _)| Some((other(*vertex)?, 0.0)));
        let mut shares: Vec<(u32, f32)> = found.iter().copied().chain(others).collect();
        shares.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        shares.dedup_by_key(|(vertex, _)| *vertex);
        let rank = |vertex: u32| shares.binary_search_by_key(&vertex, |(vertex, _)| *vertex).ok();
        let twins: Vec<Option<usize>> = shares.iter().map(|(vertex, _)| other(*vertex).and_then(rank)).collect();
        // By how much a vertex is nearer than that of the other side.
        let lead = |at: usize| twins[at].map(|twin| shares[at].1 - shares[twin].1);
        let averaged = |at: usize| self.averaged(shares[at].0, shares[at].1);
        let nearer = |at: usize| lead(at).is_none_or(|lead| lead >= -SAME).then(|| averaged(at));
        let nearer: Vec<Option<Own>> = (0..shares.len()).map(nearer).collect();
        let mirrored = |at: usize| {
            let other = nearer[twins[at]?].as_ref()?;
            Some(other.iter().map(|(bone, weight)| (self.partner(*bone), *weight)).collect::<Own>())
        };
        let settled = |at: usize, own: Own| self.settled(&self.weights(&self.model, shares[at].0), own);
        let side = |at: usize| match (&nearer[at], lead(at)) {
            (Some(own), Some(lead)) if lead <= SAME => {
                let both = mirrored(at).map(|other| mixed(own, &other, 0.5));
                Some(both.map_or_else(|| own.clone(), |both| settled(at, both)))
            }
            (Some(own), _) => Some(own.clone()),
            (None, _) => Some(settled(at, mirrored(at)?)),
        };
        (0..shares.len()).filter_map(|at| Some((shares[at].0, side(at)?))).collect()
    }

    /// The weights of a vertex that takes part by a share, moved towards the average of its neighbours.
    fn averaged(&self, vertex: u32, share: f32) -> Own {
        let share = self.brush.strength * share;
        let own = self.weights(&self.model, vertex);
        let beside = self.canvas.neighbours.of(vertex as usize);
        let mut mean = Own::new();
        for at in beside.iter().filter_map(|vertex| self.canvas.vertex(*vertex)) {
            each_weight(&self.model, at, |bone, weight| add(&mut mean, bone, weight / beside.len() as f32));
        }
        if mean.is_empty() { own } else { self.settled(&own, mixed(&own, &mean, share)) }
    }

    /// New weights with those of locked bones as before, within the limit, summing to 1.
    fn settled(&self, before: &Own, mut new: Own) -> Own {
        let is_locked = |of: &BoneIndex| self.brush.locked.contains(of);
        let mut kept: Own = before.iter().filter(|(of, _)| is_locked(of)).copied().collect();
        new.retain(|(of, weight)| !is_locked(of) && *weight > 1e-4);
        new.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let most = self.brush.influences.clamp(1, MAX_INFLUENCES).max(before.len());
        new.truncate(most.saturating_sub(kept.len()));
        let sum: f32 = new.iter().map(|(_, weight)| weight).sum();
        let free = 1.0 - kept.iter().map(|(_, weight)| weight).sum::<f32>();
        if sum <= 0.0 || free < 0.0 {
            return before.clone();
        }
        kept.extend(new.into_iter().map(|(bone, weight)| (bone, weight / sum * free)));
        tidy(kept)
    }

    fn partner(&self, bone: BoneIndex) -> BoneIndex {
        let partners = self.brush.partners.as_ref();
        partners.and_then(|partners| partners.get(usize::from(bone))).copied().unwrap_or(bone)
    }

    fn weights(&self, model: &Model, vertex: u32) -> Own {
        self.canvas.vertex(vertex).map(|at| weights_of(model, at)).unwrap_or_default()
    }

    /// Writes weights of places, if they are others, into all vertices there.
    fn write(&mut self, painted: &[(u32, Own)]) -> Result<(), String> {
        let mut meshes: BTreeMap<usize, Vec<Weighed<'_>>> = BTreeMap::new();
        let changed = painted.iter().filter(|(vertex, weights)| self.weights(&self.model, *vertex) != *weights);
        for (vertex, weights) in changed {
            for at in self.canvas.at_place(*vertex).iter().filter_map(|at| self.canvas.vertex(*at)) {
                meshes.entry(at.mesh).or_default().push((at.vertex as u32, weights));
            }
        }
        meshes.into_iter().try_for_each(|(mesh, vertices)| write(&mut self.model, mesh, &vertices))
    }
}

fn weight_of(own: &Own, bone: BoneIndex) -> f32 {
    own.iter().filter(|(of, _)| *of == bone).map(|(_, weight)| weight).sum()
}

fn add(own: &mut Own, bone: BoneIndex, weight: f32) {
    match own.iter_mut().find(|(of, _)| *of == bone) {
        Some((_, sum)) => *sum += weight,
        None => own.push((bone, weight)),
    }
}

/// Weights between two.
fn mixed(one: &Own, other: &Own, share: f32) -> Own {
    let mut all: Own = one.iter().map(|(bone, weight)| (*bone, weight * (1.0 - share))).collect();
    other.iter().for_each(|(bone, weight)| add(&mut all, *bone, weight * share));
    tidy(all)
}

/// Without weights of 0, the heaviest first, at most eight, with a sum of 1.
fn tidy(mut own: Own) -> Own {
    own.retain(|(_, weight)| *weight > SAME);
    own.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    own.truncate(MAX_INFLUENCES);
    let sum: f32 = own.iter().map(|(_, weight)| weight).sum();
    own.iter_mut().for_each(|(_, weight)| *weight /= sum);
    own
}
