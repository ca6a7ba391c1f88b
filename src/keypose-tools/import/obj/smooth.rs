//! Smoothing groups: the normals of corners that have none, of the faces of a group that meet there (OBJ, statement `s`).

use std::collections::HashMap;

use glam::Vec3;

use crate::import::assembly::budget::Budget;
use crate::import::assembly::polygons;
use crate::import::error::Fault;
use crate::import::obj::geometry::found;
use crate::import::obj::lines::{Line, lines};

/// About what a normal costs.
const BYTES_PER_NORMAL: usize = 64;

/// The normals of each group at its vertices: the sum of those of the faces, and of their lengths.
#[derive(Default)]
pub struct Smooth {
    normals: HashMap<(u32, u32), (Vec3, f32)>,
}

impl Smooth {
    /// Adds up the faces of a file whose corners lack normals, large ones for more.
    pub fn of(text: &str, budget: &Budget) -> Result<Smooth, Fault> {
        let (mut smooth, mut positions, mut at) = (Smooth::default(), Vec::new(), 0);
        if !lines(text).any(|line| line.keyword == "s" && group(&line) > 0) {
            return Ok(smooth);
        }
        for line in lines(text) {
            match &*line.keyword {
                "v" => positions.push(Vec3::from_array(line.numbers::<3>(3)?.0)),
                "s" => at = group(&line),
                "f" if at > 0 => smooth.face((at, &line), &positions, budget)?,
                _ => {}
            }
        }
        Ok(smooth)
    }

    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn face(&mut self, (group, line): (u32, &Line<'_>), positions: &[Vec3], budget: &Budget) -> Result<(), Fault> {
        if line.words().all(|word| word.split('/').nth(2).is_some_and(|normal| !normal.is_empty())) {
            return Ok(());
        }
        // Faults of corners are found where faces are read.
        let corners = || line.words().filter_map(|word| found(word.split('/').next()?, positions.len()));
        let points: Vec<Vec3> = corners().filter_map(|point| positions.get(point).copied()).collect();
        let normal = polygons::normal(&points);
        for point in corners().filter_map(|point| u32::try_from(point).ok()) {
            let (sum, lengths) = self.normals.entry((group, point)).or_default();
            *sum += normal;
            *lengths += normal.length();
        }
        match self.normals.len().saturating_mul(BYTES_PER_NORMAL) <= budget.left() {
            true => Ok(()),
            false => Err(line.fault("too many faces")),
        }
    }

    /// The normal of a group at a vertex, of any length. `None` where front and back of a sheet cancel.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    pub fn normal(&self, group: u32, point: u32) -> Option<Vec3> {
        let (sum, lengths) = self.normals.get(&(group, point))?;
        (sum.length() > 1e-3 * lengths).then_some(*sum)
    }
}

/// The group that a line begins; 0 for none.
pub fn group(line: &Line<'_>) -> u32 {
    match line.words().next() {
        None | Some("off") => 0,
        Some(group) => group.parse().unwrap_or(1),
    }
}
