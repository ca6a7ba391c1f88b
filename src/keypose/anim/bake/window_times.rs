//! Chooses the windows of [`crate::anim::bake::curve_windows`]: many are fast and large, for a piece that crosses their
//! border is stored twice.

use crate::anim::bake::curve_pieces::Piece;
use crate::anim::time::Time;

/// How many times the bytes of the tracks windows may take.
const MAX_GROWTH: f64 = 1.4;
/// How many times the bytes of a single window they may take in any case.
const MIN_GROWTH: f64 = 1.2;
/// Bytes that windows may always take.
const FREE_BYTES: f64 = 8.0 * 1024.0;
/// Cells per piece: borders lie between cells.
const CELLS_PER_PIECE: usize = 4;
/// Maximum cells.
const MAX_CELLS: usize = 4096;
/// Maximum cells of a window; if that is too short, cells are made longer.
const MAX_CELLS_OF_WINDOW: usize = 32;

/// A channel of eight bones, for counting.
pub struct Row<'p> {
    /// The pieces of each lane.
    pub lanes: [&'p [Piece]; 8],
    /// Bytes of a window without pieces.
    pub base_bytes: f64,
    /// Bytes of a piece of each lane.
    pub piece_bytes: f64,
}

/// The borders of the windows, from zero to `length`, which is positive. The tracks take `tracks_bytes`, and windows in which all pieces
/// start `max_bytes` at most.
pub fn window_times(rows: &[Row<'_>], length: Time, [tracks_bytes, max_bytes]: [usize; 2]) -> Vec<Time> {
    let lanes = || rows.iter().flat_map(|row| row.lanes);
    let longest = lanes().map(<[Piece]>::len).max().unwrap_or(0);
    let starts = lanes().flatten().map(|piece| piece.start);
    let mut aligned: Vec<Time> =
        starts.filter(|time| (Time::ZERO..length).contains(time)).chain([Time::ZERO]).collect();
    aligned.sort_unstable();
    aligned.dedup();
    if aligned.len() <= 2 * (longest + 1) {
        aligned.push(length);
        if fit(rows, &aligned, max_bytes as f64) {
            return aligned;
        }
    }
    let whole = [Time::ZERO, length];
    let single = Counts::new(rows, &whole).bytes(0, 1);
    let most = (tracks_bytes as f64 * MAX_GROWTH).max(single * MIN_GROWTH).max(FREE_BYTES);
    let mut cells = (longest * CELLS_PER_PIECE).clamp(1, MAX_CELLS);
    while cells > 1 {
        let borders: Vec<Time> = (0..=cells).map(|cell| part(length, cell, cells)).collect();
        let counts = Counts::new(rows, &borders);
        let costs = counts.costs();
        for longest in [2, 3, 4, 6, 8, 12, 16, 24, MAX_CELLS_OF_WINDOW] {
            let (bytes, chosen) = cheapest(&costs, longest);
            if bytes <= most {
                return chosen.into_iter().map(|cell| borders[cell]).collect();
            }
        }
        cells /= 4;
    }
    whole.to_vec()
}

/// Whether windows take at most these bytes together. Stops counting once they don't.
fn fit(rows: &[Row<'_>], borders: &[Time], most: f64) -> bool {
    let (mut bytes, mut met) = (0.0, vec![[(); 8].map(|()| 0..0); rows.len()]);
    for (start, end) in borders.iter().zip(&borders[1..]) {
        for (row, met) in rows.iter().zip(&mut met) {
            for (pieces, met) in row.lanes.iter().zip(met.iter_mut()) {
                met.start += pieces[met.start..].iter().take_while(|piece| piece.end <= *start).count();
                met.end += pieces[met.end..].iter().take_while(|piece| piece.start < *end).count();
            }
            bytes += row.base_bytes + row.piece_bytes * met.iter().map(|met| met.len()).max().unwrap_or(0) as f64;
        }
        if bytes > most {
            return false;
        }
    }
    true
}

fn part(length: Time, cell: usize, cells: usize) -> Time {
    Time((i128::from(length.0) * cell as i128 / cells as i128) as i64)
}

/// The borders of windows of at most `longest` cells that take the fewest bytes together, and those bytes.
/// `costs[cell][n]` are the bytes of a window of n + 1 cells from this one.
fn cheapest(costs: &[Vec<f64>], longest: usize) -> (f64, Vec<usize>) {
    let cells = costs.len();
    let mut best = vec![(0.0, cells); cells + 1];
    for cell in (0..cells).rev() {
        let ends = costs[cell].iter().take(longest).enumerate().map(|(at, bytes)| (bytes, cell + at + 1));
        let all = ends.map(|(bytes, end)| (bytes + best[end].0, end));
        best[cell] = all.fold((f64::INFINITY, cells), |least, next| if next.0 < least.0 { next } else { least });
    }
    let mut borders = vec![0];
    while let Some(&cell) = borders.last().filter(|&&cell| cell < cells) {
        borders.push(best[cell].1);
    }
    (best[0].0, borders)
}

/// How many pieces have started and ended by each border.
struct Counts<'r> {
    rows: &'r [Row<'r>],
    /// For each border, the pieces of each row that start before it.
    started: Vec<[u32; 8]>,
    /// For each border, the pieces of each row that end at or before it.
    ended: Vec<[u32; 8]>,
    borders: usize,
}

impl<'r> Counts<'r> {
    fn new(rows: &'r [Row<'r>], borders: &[Time]) -> Counts<'r> {
        let mut counts = Counts { rows, started: Vec::new(), ended: Vec::new(), borders: borders.len() };
        let mut next = vec![([0; 8], [0; 8]); rows.len()];
        for &border in borders {
            for (row, (started, ended)) in rows.iter().zip(&mut next) {
                for (lane, pieces) in row.lanes.iter().enumerate() {
                    let rest = |from: u32| &pieces[from as usize..];
                    started[lane] += rest(started[lane]).iter().take_while(|piece| piece.start < border).count() as u32;
                    ended[lane] += rest(ended[lane]).iter().take_while(|piece| piece.end <= border).count() as u32;
                }
                counts.started.push(*started);
                counts.ended.push(*ended);
            }
        }
        counts
    }

    /// The bytes of a window between two borders.
    fn bytes(&self, from: usize, to: usize) -> f64 {
        let count = self.rows.len();
        let (ended, started) = (&self.ended[from * count..], &self.started[to * count..]);
        let row = |((row, ended), started): ((&Row<'_>, &[u32; 8]), &[u32; 8])| {
            let most = started.iter().zip(ended).map(|(started, ended)| started - ended).max().unwrap_or(0);
            row.base_bytes + row.piece_bytes * f64::from(most)
        };
        self.rows.iter().zip(ended).zip(started).map(row).sum()
    }

    /// For each cell the bytes of windows that start with it.
    fn costs(&self) -> Vec<Vec<f64>> {
        let last = self.borders - 1;
        let ends = |cell: usize| cell + 1..=(cell + MAX_CELLS_OF_WINDOW).min(last);
        let of_cell = |cell| ends(cell).map(|end| self.bytes(cell, end)).collect();
        (0..last).map(of_cell).collect()
    }
}
