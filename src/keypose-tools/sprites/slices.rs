//! Named rectangles on the canvas that change from frame to frame, as pixel editors have them: the pivot, volumes and sockets.

use crate::sprites::marks::{Marks, SocketMark, VolumeMark};
use crate::sprites::sheet::Sheet;

/// A named rectangle.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// Unique in the sheet.
    pub name: String,
    /// A place that pixel editors show it in.
    pub color: [u8; 3],
    /// Sorted by frame; each counts up to the next one.
    pub keys: Vec<SliceKey>,
}

/// A rectangle from a frame on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SliceKey {
    /// The first frame.
    pub frame: usize,
    /// Left, top, width and height on the canvas; a width of 0 for none.
    pub bounds: [i32; 4],
    /// A point relative to the left and the top.
    pub pivot: Option<[i32; 2]>,
}

const NOTHING: [i32; 4] = [0; 4];

/// The slices of a sheet: `pivot`, then `hit …`, `hurt …` and `socket …` by their names.
pub fn slices(sheet: &Sheet) -> Vec<Slice> {
    let ([width, height], [x, y]) = (sheet.canvas.map(|side| side as i32), sheet.pivot.map(|side| side as i32));
    let pivot = SliceKey { frame: 0, bounds: [0, 0, width, height], pivot: Some([x, y]) };
    let mut slices = vec![Slice { name: "pivot".into(), color: [0, 0, 255], keys: vec![pivot] }];
    let hits = |marks: &Marks| marks.hits.iter().map(of_volume).collect();
    let hurts = |marks: &Marks| marks.hurts.iter().map(of_volume).collect();
    let sockets = |marks: &Marks| marks.sockets.iter().map(of_socket).collect();
    add(sheet, ("hit", [230, 60, 60]), hits, &mut slices);
    add(sheet, ("hurt", [80, 190, 90]), hurts, &mut slices);
    add(sheet, ("socket", [240, 190, 60]), sockets, &mut slices);
    slices
}

fn of_volume(mark: &VolumeMark) -> (String, [i32; 4]) {
    (mark.name.clone(), mark.bounds())
}

fn of_socket(mark: &SocketMark) -> (String, [i32; 4]) {
    let [x, y] = mark.at.map(|side| side.floor() as i32);
    (mark.name.clone(), [x, y, 1, 1])
}

/// Adds a slice for each name that occurs in a frame, with a key wherever its rectangle changes.
fn add(
    sheet: &Sheet,
    (kind, color): (&str, [u8; 3]),
    of: impl Fn(&Marks) -> Vec<(String, [i32; 4])>,
    slices: &mut Vec<Slice>,
) {
    let frames: Vec<Vec<(String, [i32; 4])>> = sheet.frames.iter().map(|frame| of(&frame.marks)).collect();
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in frames.iter().flatten() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        let bounds_in = |marks: &Vec<(String, [i32; 4])>| {
            marks.iter().find(|(other, _)| other == name).map_or(NOTHING, |(_, bounds)| *bounds)
        };
        let (mut keys, mut shown) = (Vec::new(), None);
        for (frame, bounds) in frames.iter().map(bounds_in).enumerate() {
            if shown.replace(bounds) != Some(bounds) {
                keys.push(SliceKey { frame, bounds, pivot: None });
            }
        }
        slices.push(Slice { name: format!("{kind} {name}"), color, keys });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprites::sheet::tests::sample;

    #[test]
    fn a_hit_is_there_while_it_hits() {
        let slices = slices(&sample());
        let hit = &slices[1];
        assert_eq!((slices.len(), slices[0].keys[0].pivot, &hit.name[..]), (2, Some([4, 5]), "hit blade"));
        let keys: Vec<_> = hit.keys.iter().map(|key| (key.frame, key.bounds)).collect();
        assert_eq!(keys, [(0, NOTHING), (1, [0, 1, 5, 2]), (2, NOTHING)]);
    }
}
