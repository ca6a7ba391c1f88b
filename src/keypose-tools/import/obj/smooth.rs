//! Smoothing groups: the normals of corners that have none, of the faces of a group that meet there (OBJ, statement `s`).

use std::collections::{HashMap, HashSet};

use glam::Vec3;

use crate::import::assembly::budget::Budget;
use crate::import::assembly::polygons;
use crate::import::error::Fault;
use crate::import::obj::geometry::found;
use crate::import::obj::lines::{Line, lines};

/// About what a normal costs.
const BYTES_PER_NORMAL: usize = 64;
/// About what an edge costs.
const BYTES_PER_EDGE: usize = 24;

/// The cosine of the angle of both sides of a sheet, at most: they needn't be split alike.
const OPPOSITE: f32 = -0.99;

/// The normals of each group at its vertices.
#[derive(Default)]
pub struct Smooth {
    normals: HashMap<(u32, u32), Sides>,
    /// The edges of the faces of each group, in their direction.
    edges: HashSet<(u32, u32, u32)>,
}

/// The normals of a vertex.
#[derive(Default)]
struct Sides {
    /// The sum of those of the faces on the side of the first one, and of the others.
    sums: [Vec3; 2],
    /// Whether two faces have an edge here in the same direction, as where part of a sheet is modelled from both sides.
    is_sheet: bool,
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
        smooth.edges = HashSet::new();
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
        let corners: Vec<u32> = corners().filter_map(|point| u32::try_from(point).ok()).collect();
        for (point, next) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            let [front, back] = &mut self.normals.entry((group, *point)).or_default().sums;
            let side = if front.dot(normal) < 0.0 { back } else { front };
            *side += normal;
            if point != next && !self.edges.insert((group, *point, *next)) {
                for end in [point, next] {
                    self.normals.entry((group, *end)).or_default().is_sheet = true;
                }
            }
        }
        let bytes = self.normals.len().saturating_mul(BYTES_PER_NORMAL);
        match bytes.saturating_add(self.edges.len().saturating_mul(BYTES_PER_EDGE)) <= budget.left() {
            true => Ok(()),
            false => Err(line.fault("too many faces")),
        }
    }

    /// The normal of a group at a vertex of a face with this normal, of any length: of a sheet that is modelled from both sides, that of
    /// the face's side. `None` if it has none.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    pub fn normal(&self, group: u32, point: u32, face: Vec3) -> Option<Vec3> {
        let Sides { sums: [front, back], is_sheet } = *self.normals.get(&(group, point))?;
        let is_sheet = is_sheet || front.dot(back) < OPPOSITE * front.length() * back.length();
        let normal = match is_sheet {
            true if front.dot(face) < 0.0 => back,
            true => front,
            false => front + back,
        };
        (normal.length() > 0.0).then_some(normal)
    }
}

/// The group that a line begins; 0 for none.
pub fn group(line: &Line<'_>) -> u32 {
    match line.words().next() {
        None | Some("off") => 0,
        Some(group) => group.parse().unwrap_or(1),
    }
}
