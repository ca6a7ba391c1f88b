//! Removes what a person who draws pixels would not draw: specks beside the body, and spots of another colour in it.

use std::collections::VecDeque;

use crate::sprites::cells::Cells;
use crate::sprites::ink::{EIGHT, Ink, Rgb, neighbor};
use crate::sprites::oklab;

/// Parts with fewer pixels than this fraction of the body are specks.
const SPECK: f32 = 0.01;
/// A spot that differs by more than this in OKLab from all pixels around it is a detail, such as an eye.
const DETAIL: f32 = 0.3;

/// Removes small parts that don't touch the body.
pub fn remove_specks(cells: &mut Cells) {
    let parts = parts(cells);
    let largest = parts.iter().map(Vec::len).max().unwrap_or(0);
    let smallest = (largest as f32 * SPECK).ceil().max(2.0) as usize;
    for part in parts.iter().filter(|part| part.len() < smallest && part.len() < largest) {
        part.iter().for_each(|&at| cells.cells[at] = None);
    }
}

/// The connected parts of a body, diagonal neighbours included.
fn parts(cells: &Cells) -> Vec<Vec<usize>> {
    let mut is_seen = vec![false; cells.cells.len()];
    let mut parts = Vec::new();
    for start in 0..cells.cells.len() {
        if cells.cells[start].is_none() || std::mem::replace(&mut is_seen[start], true) {
            continue;
        }
        let (mut part, mut waiting) = (Vec::new(), VecDeque::from([start]));
        while let Some(at) = waiting.pop_front() {
            part.push(at);
            for next in EIGHT.iter().filter_map(|&offset| neighbor(cells.size, at, offset)) {
                if cells.cells[next].is_some() && !std::mem::replace(&mut is_seen[next], true) {
                    waiting.push_back(next);
                }
            }
        }
        parts.push(part);
    }
    parts
}

/// Gives spots of one or two pixels the colour of most pixels around them, unless they stand out as a detail. Only colours
/// that are near count.
pub fn remove_spots(ink: &mut Ink) {
    let before = ink.clone();
    let is_same = |a: usize, b: usize| before.pixels[a] == before.pixels[b];
    for (at, pixel) in ink.pixels.iter_mut().enumerate() {
        let Some(color) = *pixel else { continue };
        let neighbors = |at: usize| EIGHT.iter().filter_map(|&offset| before.neighbor(at, offset)).collect::<Vec<_>>();
        let own: Vec<usize> = neighbors(at).into_iter().filter(|&other| is_same(at, other)).collect();
        let is_spot = match own[..] {
            [] => true,
            [other] => neighbors(other).into_iter().filter(|&next| is_same(other, next)).count() == 1,
            _ => false,
        };
        if !is_spot {
            continue;
        }
        let is_near = |other: &Rgb| oklab::of_bytes(*other).distance(oklab::of_bytes(color)) < DETAIL;
        let around: Vec<Rgb> = neighbors(at)
            .into_iter()
            .filter_map(|other| before.pixels[other].filter(|other| *other != color && is_near(other)))
            .collect();
        let count = |color: &Rgb| around.iter().filter(|other| *other == color).count();
        if let Some(&usual) = around.iter().rev().max_by_key(|color| count(color)) {
            *pixel = Some(usual);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprites::cells::Cell;
    use glam::Vec3;

    #[test]
    fn a_speck_goes_and_an_eye_stays() {
        let cell = |at: usize| {
            let is_body = at % 20 < 12 || at == 19;
            is_body.then_some(Cell { color: Vec3::X, normal: Vec3::Z, depth: 0.0 })
        };
        let mut cells = Cells { size: [20, 20], cells: (0..400).map(cell).collect() };
        remove_specks(&mut cells);
        assert!(cells.cells[19].is_none() && cells.cells[11].is_some());
        let mut ink = Ink { width: 7, height: 3, pixels: vec![Some([120; 3]); 21] };
        (ink.pixels[8], ink.pixels[11]) = (Some([130; 3]), Some([10, 10, 30]));
        remove_spots(&mut ink);
        assert_eq!((ink.pixels[8], ink.pixels[11]), (Some([120; 3]), Some([10, 10, 30])));
    }
}
