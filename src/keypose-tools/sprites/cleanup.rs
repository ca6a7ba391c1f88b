//! Changes what a person who draws pixels would not draw: specks beside the body, gaps in thin parts, and spots of another colour.

use std::collections::VecDeque;

use crate::assets::sprite_recipe::Rgb;
use crate::sprites::cells::Cells;
use crate::sprites::ink::{EIGHT, Ink, neighbor};
use crate::sprites::oklab;

/// Parts with fewer pixels than this fraction of the body are specks.
const SPECK: f32 = 0.01;
/// A spot that differs by more than this in OKLab from all pixels around it is a detail, such as an eye.
const DETAIL: f32 = 0.3;

/// Keeps the body: removes small parts beside it, and thin pixels but for those that join its parts, such as a blade that is seen edge-on.
pub fn keep_body(cells: &mut Cells) {
    let parts = parts(cells);
    let Some(body) = parts.iter().rev().max_by_key(|part| part.len()) else { return cells.cells.fill(None) };
    let smallest = (body.len() as f32 * SPECK).ceil().max(2.0) as usize;
    let mut is_kept = vec![false; cells.cells.len()];
    let kept = parts.iter().filter(|part| part.len() >= smallest.min(body.len()));
    kept.flatten().for_each(|&at| is_kept[at] = true);
    join(cells, body, &mut is_kept);
    cells.cells.iter_mut().zip(is_kept).filter(|(_, is_kept)| !is_kept).for_each(|(cell, _)| *cell = None);
}

/// Keeps the shortest ways over thin pixels from the body to other parts.
fn join(cells: &Cells, body: &[usize], is_kept: &mut [bool]) {
    // The pixel before on the way from the body.
    let mut before: Vec<Option<usize>> = vec![None; is_kept.len()];
    let mut waiting: VecDeque<usize> = body.iter().copied().collect();
    body.iter().for_each(|&at| before[at] = Some(at));
    while let Some(at) = waiting.pop_front() {
        for next in EIGHT.iter().filter_map(|&offset| neighbor(cells.size, at, offset)) {
            if cells.cells[next].is_none() || before[next].is_some() {
                continue;
            }
            before[next] = Some(at);
            if !is_kept[next] {
                waiting.push_back(next);
                continue;
            }
            waiting.push_front(next);
            let mut way = Some(at).filter(|&at| !is_kept[at]);
            while let Some(step) = way {
                is_kept[step] = true;
                way = before[step].filter(|&step| !is_kept[step]);
            }
        }
    }
}

/// The connected parts of the covered pixels, diagonal neighbours included.
fn parts(cells: &Cells) -> Vec<Vec<usize>> {
    let mut is_seen: Vec<bool> = cells.cells.iter().map(|cell| cell.is_none_or(|cell| cell.is_thin)).collect();
    let mut parts = Vec::new();
    for start in 0..cells.cells.len() {
        if std::mem::replace(&mut is_seen[start], true) {
            continue;
        }
        let (mut part, mut waiting) = (Vec::new(), VecDeque::from([start]));
        while let Some(at) = waiting.pop_front() {
            part.push(at);
            for next in EIGHT.iter().filter_map(|&offset| neighbor(cells.size, at, offset)) {
                if !std::mem::replace(&mut is_seen[next], true) {
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
    let (size, pixels) = ([ink.width, ink.height], &before.pixels);
    let is_same = |a: usize, b: usize| pixels[a] == pixels[b];
    for (at, pixel) in ink.pixels.iter_mut().enumerate() {
        let Some(color) = *pixel else { continue };
        let neighbors = |at: usize| EIGHT.iter().filter_map(move |&offset| neighbor(size, at, offset));
        let own = |at: usize| neighbors(at).filter(move |&other| is_same(at, other)).take(2);
        let is_spot = own(at).count() == 0 || own(at).count() == 1 && own(at).all(|other| own(other).count() == 1);
        if !is_spot {
            continue;
        }
        let is_near = |other: &Rgb| oklab::of_bytes(*other).distance(oklab::of_bytes(color)) < DETAIL;
        let around: Vec<Rgb> = neighbors(at)
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
            is_body.then_some(Cell { color: Vec3::X, normal: Vec3::Z, depth: 0.0, is_thin: false })
        };
        let mut cells = Cells { size: [20, 20], cells: (0..400).map(cell).collect() };
        keep_body(&mut cells);
        assert!(cells.cells[19].is_none() && cells.cells[11].is_some());
        let mut ink = Ink { width: 7, height: 3, pixels: vec![Some([120; 3]); 21] };
        (ink.pixels[8], ink.pixels[11]) = (Some([130; 3]), Some([10, 10, 30]));
        remove_spots(&mut ink);
        assert_eq!((ink.pixels[8], ink.pixels[11]), (Some([120; 3]), Some([10, 10, 30])));
    }

    #[test]
    fn a_blade_that_is_thin_at_its_hilt_stays_with_its_hand() {
        // # is covered, + is thin.
        let rows = ["..........", "+###......", "+###++##..", "+###..##++", ".........."];
        let cell = |letter: char| Cell { color: Vec3::X, normal: Vec3::Z, depth: 0.0, is_thin: letter == '+' };
        let pixel = |letter: char| (letter != '.').then(|| cell(letter));
        let mut cells = Cells { size: [10, 5], cells: rows.concat().chars().map(pixel).collect() };
        keep_body(&mut cells);
        let shown = |row: &[Option<Cell>]| row.iter().map(|cell| if cell.is_some() { '#' } else { '.' }).collect();
        let shown: Vec<String> = cells.cells.chunks(10).map(shown).collect();
        assert_eq!(shown, ["..........", ".###......", ".#######..", ".###..##..", ".........."]);
    }
}
