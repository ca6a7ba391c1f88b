//! Morph targets: shapes towards which the vertices of a mesh move before they are skinned. The weight of each is a scalar of the
//! skeleton ([`crate::anim::scalar`]). Stored sparsely: only the vertices that a target moves.

use glam::Vec3;

use crate::anim::scalar::ScalarIndex;

/// Differences of vertices from their mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// The scalar that is its weight.
    pub scalar: ScalarIndex,
    /// The vertices that it moves, ascending.
    pub vertices: Vec<u32>,
    /// The offset of the position of each at a weight of 1.
    pub positions: Vec<Vec3>,
    /// The offset of the normal of each at a weight of 1; one for each, or none.
    pub normals: Vec<Vec3>,
}

impl MorphTarget {
    /// The target of these differences, one for each vertex of the mesh. Vertices whose differences are zero are left out.
    pub fn of(scalar: ScalarIndex, positions: &[Vec3], normals: &[Vec3]) -> MorphTarget {
        let normal = |vertex: usize| normals.get(vertex).copied().unwrap_or_default();
        let mut target = MorphTarget { scalar, ..MorphTarget::default() };
        for ((vertex, at), &position) in (0..).zip(0..).zip(positions) {
            if position != Vec3::ZERO || normal(at) != Vec3::ZERO {
                target.vertices.push(vertex);
                target.positions.push(position);
                target.normals.extend((!normals.is_empty()).then(|| normal(at)));
            }
        }
        target
    }

    /// Moves copies of vertices as the vertices themselves. The copies start at `first`.
    pub fn copy_vertices(&mut self, copied: &[u32], first: usize) {
        for (vertex, of) in (first..).zip(copied) {
            let (Ok(at), Ok(vertex)) = (self.vertices.binary_search(of), u32::try_from(vertex)) else { continue };
            self.vertices.push(vertex);
            self.positions.push(self.positions[at]);
            let normal = self.normals.get(at).copied();
            self.normals.extend(normal);
        }
    }

    /// The offsets of the position and the normal of a vertex at a weight of 1.
    pub fn difference(&self, vertex: u32) -> [Vec3; 2] {
        let at = self.vertices.binary_search(&vertex).ok();
        let value = |values: &[Vec3]| at.and_then(|at| values.get(at)).copied().unwrap_or_default();
        [value(&self.positions), value(&self.normals)]
    }

    /// Checks it for a mesh with this number of vertices and a skeleton with this number of scalars.
    ///
    /// # Errors
    /// If the weight or a vertex doesn't exist, vertices don't ascend, or numbers are missing or not finite.
    pub fn check(&self, vertices: usize, scalars: usize) -> Result<(), &'static str> {
        let count = self.vertices.len();
        if usize::from(self.scalar) >= scalars {
            return Err("its weight doesn't exist");
        }
        if self.positions.len() != count || !(self.normals.is_empty() || self.normals.len() == count) {
            return Err("it has not one difference for each of its vertices");
        }
        if !self.vertices.is_sorted_by(|a, b| a < b) {
            return Err("its vertices don't ascend");
        }
        if self.vertices.last().is_some_and(|&vertex| vertex as usize >= vertices) {
            return Err("one of its vertices doesn't exist");
        }
        if self.positions.iter().chain(&self.normals).all(|difference| difference.is_finite()) {
            Ok(())
        } else {
            Err("a difference is not finite")
        }
    }

    fn add(&self, weight: f32, differences: &[Vec3], out: &mut [Vec3]) {
        for (&vertex, difference) in self.vertices.iter().zip(differences) {
            if let Some(value) = out.get_mut(vertex as usize) {
                *value += *difference * weight;
            }
        }
    }
}

/// The weight of a target: the value of its scalar, 0 if there is none or it is not finite.
pub fn weight(target: &MorphTarget, scalars: &[f32]) -> f32 {
    scalars.get(usize::from(target.scalar)).copied().filter(|weight| weight.is_finite()).unwrap_or(0.0)
}

/// Moves the positions and normals of a mesh in place. `scalars` are the values of the skeleton's scalars. Normals are not
/// normalized.
pub fn deform(targets: &[MorphTarget], scalars: &[f32], positions: &mut [Vec3], normals: &mut [Vec3]) {
    for target in targets {
        let weight = weight(target, scalars);
        if weight != 0.0 {
            target.add(weight, &target.positions, positions);
            target.add(weight, &target.normals, normals);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_add_up_and_touch_only_their_vertices() {
        let up = MorphTarget::of(0, &[Vec3::ZERO, Vec3::Y, Vec3::ZERO], &[]);
        let wide = MorphTarget::of(1, &[Vec3::X, Vec3::X, Vec3::ZERO], &[Vec3::Z; 3]);
        assert_eq!((&up.vertices[..], wide.vertices.len()), (&[1][..], 3));
        let (mut positions, mut normals) = ([Vec3::ONE; 3], [Vec3::Y; 3]);
        deform(&[up.clone(), wide.clone()], &[0.5, -1.0], &mut positions, &mut normals);
        assert_eq!(positions, [Vec3::new(0.0, 1.0, 1.0), Vec3::new(0.0, 1.5, 1.0), Vec3::ONE]);
        assert_eq!(normals, [Vec3::new(0.0, 1.0, -1.0); 3]);
        deform(std::slice::from_ref(&up), &[f32::NAN], &mut positions, &mut normals);
        deform(&[up], &[], &mut positions, &mut normals);
        assert_eq!(positions[1].y, 1.5);
    }

    #[test]
    fn wrong_targets_are_refused() {
        let good = MorphTarget { scalar: 0, vertices: vec![0, 2], positions: vec![Vec3::X; 2], normals: vec![] };
        assert_eq!(good.check(3, 1), Ok(()));
        let wrong = [
            MorphTarget { scalar: 1, ..good.clone() },
            MorphTarget { vertices: vec![2, 0], ..good.clone() },
            MorphTarget { vertices: vec![0, 3], ..good.clone() },
            MorphTarget { positions: vec![Vec3::X], ..good.clone() },
            MorphTarget { positions: vec![Vec3::NAN; 2], ..good.clone() },
            MorphTarget { normals: vec![Vec3::X], ..good },
        ];
        assert!(wrong.iter().all(|target| target.check(3, 1).is_err()));
    }
}
