//! Balance: the centre of mass stays over its support.

use glam::{DMat3, DVec3, Vec2, Vec3};

use crate::anim::ik::body::Solver;
use crate::anim::ik::body::frame::Frame;
use crate::anim::ik::body::system::Block;

/// How stiffly the centre of mass stays, and how far outside it is held fully, in sizes of the body.
const COMPLIANCE: f64 = 5e-5;
const FULL_AT: f32 = 0.06;

impl Solver<'_> {
    /// Adds the block of the centre of mass, if it is outside its support.
    pub(super) fn balance(&mut self, joints: &[Frame]) {
        if self.goal.support.is_empty() || self.body.masses.is_empty() {
            return;
        }
        self.weigh();
        let total = self.weights.iter().enumerate().filter(|(at, _)| self.skeleton.parent(*at as u16).is_none());
        let (mass, moment) = total.fold((0.0, Vec3::ZERO), |sum, (_, one)| (sum.0 + one.0, sum.1 + one.1));
        let centre = moment / mass.max(1e-6);
        let from_above = Vec2::new(centre.x, centre.z);
        let off = nearest(&self.goal.support, from_above) - from_above;
        let size = self.body.size;
        let hold = (off.length() / (FULL_AT * size)).min(1.0);
        if hold <= 1e-6 {
            return;
        }
        let flat = DMat3::from_diagonal(DVec3::new(1.0, 0.0, 1.0));
        let below = |bone: u16| self.weights[usize::from(bone)];
        let by = |(at, joint): (usize, &Frame)| {
            let (mass, moment) = below(self.body.joints[at].bone);
            let arm = moment.as_dvec3() - joint.origin * f64::from(mass);
            flat * joint.moved(arm / f64::from(size * self.total()))
        };
        let carried = flat * f64::from(below(self.body.carrier).0 / self.total());
        let rows = std::iter::once(carried).chain(joints.iter().enumerate().map(by)).collect();
        let error = DVec3::new(off.x.into(), 0.0, off.y.into()) / f64::from(size);
        self.system.blocks.push(Block { rows, error, compliance: COMPLIANCE / f64::from(hold) });
    }

    fn total(&self) -> f32 {
        self.body.masses.iter().map(|(share, _)| share).sum::<f32>().max(1e-6)
    }

    /// The mass of every bone and of those below it, and its moment.
    fn weigh(&mut self) {
        let own = self.model.bones.iter().zip(&self.body.masses);
        self.weights.clear();
        self.weights.extend(own.map(|(bone, (share, centre))| (*share, bone.transform_point(*centre) * *share)));
        self.weights.resize(self.skeleton.len(), (0.0, Vec3::ZERO));
        for at in (0..self.weights.len()).rev() {
            if let Some(parent) = self.skeleton.parent(at as u16) {
                let (share, moment) = self.weights[at];
                let above = &mut self.weights[usize::from(parent)];
                *above = (above.0 + share, above.1 + moment);
            }
        }
    }
}

/// The point of a convex polygon that is nearest to another one.
fn nearest(polygon: &[Vec2], point: Vec2) -> Vec2 {
    let edges = || polygon.iter().zip(polygon.iter().cycle().skip(1));
    if polygon.len() > 2 && edges().all(|(a, b)| (*b - *a).perp_dot(point - *a) >= 0.0) {
        return point;
    }
    let on_edge = |(a, b): (&Vec2, &Vec2)| {
        let along = *b - *a;
        *a + along * ((point - *a).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0)
    };
    let near = edges().map(on_edge).min_by(|a, b| a.distance_squared(point).total_cmp(&b.distance_squared(point)));
    near.unwrap_or(point)
}
