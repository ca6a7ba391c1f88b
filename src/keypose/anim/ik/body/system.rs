//! The linear system of an iteration: tasks in blocks of three rows, joints in blocks of three columns.

use glam::{DMat3, DVec3};

/// Three rows of a task.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The change of the task by each column block.
    pub rows: Vec<DMat3>,
    /// The wanted change.
    pub error: DVec3,
    /// The squared error that costs as much as a change of 1 at a freedom of 1.
    pub compliance: f64,
}

/// Tasks and columns, with scratch memory.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    pub blocks: Vec<Block>,
    /// The preferred change of each column block, and its freedom: the covariance, in terms of estimation.
    pub priors: Vec<(DVec3, DMat3)>,
    /// The solution.
    pub change: Vec<DVec3>,
    free: Vec<DMat3>,
    matrix: Vec<f64>,
    right: Vec<f64>,
}

impl System {
    /// Finds the change with minimal cost: m + C Jᵀ (J C Jᵀ + R)⁻¹ (e − J m) for preferred changes m, freedoms C, rows J, compliances R
    /// and errors e (Tarantola 2005, "Inverse Problem Theory", equation 3.38).
    pub fn solve(&mut self) {
        let (columns, size) = (self.priors.len(), self.blocks.len() * 3);
        self.free.clear();
        for block in &self.blocks {
            self.free.extend(block.rows.iter().zip(&self.priors).map(|(row, (_, freedom))| *row * *freedom));
        }
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        self.right.clear();
        for (at, block) in self.blocks.iter().enumerate() {
            let free = &self.free[at * columns..(at + 1) * columns];
            for (other, against) in self.blocks.iter().enumerate().take(at + 1) {
                let pairs = free.iter().zip(&against.rows);
                let sum = pairs.fold(DMat3::ZERO, |sum, (free, row)| sum + *free * row.transpose());
                for row in 0..3 {
                    let place = (at * 3 + row) * size + other * 3;
                    self.matrix[place..place + 3].copy_from_slice(&sum.row(row).to_array());
                }
            }
            (0..3).for_each(|row| self.matrix[(at * 3 + row) * (size + 1)] += block.compliance);
            let kept = block.rows.iter().zip(&self.priors).map(|(row, (mean, _))| *row * *mean).sum::<DVec3>();
            self.right.extend((block.error - kept).to_array());
        }
        solve_symmetric(&mut self.matrix, &mut self.right);
        self.change.clear();
        self.change.extend(self.priors.iter().map(|(mean, _)| *mean));
        for (at, force) in self.right.chunks_exact(3).enumerate() {
            let force = DVec3::from_slice(force);
            let free = &self.free[at * columns..(at + 1) * columns];
            self.change.iter_mut().zip(free).for_each(|(change, free)| *change += free.transpose() * force);
        }
    }
}

/// Solves a symmetric positive definite system of which the lower half is given, by Cholesky's method; `right` becomes the solution.
fn solve_symmetric(matrix: &mut [f64], right: &mut [f64]) {
    let size = right.len();
    for row in 0..size {
        let (above, here) = matrix.split_at_mut(row * size);
        for column in 0..=row {
            let mut sum = here[column];
            if column == row {
                sum -= here[..column].iter().map(|value| value * value).sum::<f64>();
                // Rounding of dependent rows.
                here[column] = sum.max(1e-14).sqrt();
            } else {
                let other = &above[column * size..column * size + column];
                sum -= here[..column].iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
                here[column] = sum / above[column * (size + 1)];
            }
        }
    }
    for row in 0..size {
        let known: f64 = (0..row).map(|column| matrix[row * size + column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row * (size + 1)];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|below| matrix[below * size + row] * right[below]).sum();
        right[row] = (right[row] - known) / matrix[row * (size + 1)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hard_task_is_met_by_the_freer_column() {
        let block = Block { rows: vec![DMat3::IDENTITY; 2], error: DVec3::new(1.0, -2.0, 3.0), compliance: 1e-12 };
        let stiff = |freedom: f64| (DVec3::ZERO, DMat3::IDENTITY * freedom);
        let mut system = System { blocks: vec![block], priors: vec![stiff(3.0), stiff(1.0)], ..System::default() };
        system.solve();
        assert!(system.change[0].distance(DVec3::new(0.75, -1.5, 2.25)) < 1e-9);
        assert!(system.change[1].distance(DVec3::new(0.25, -0.5, 0.75)) < 1e-9);
    }
}
