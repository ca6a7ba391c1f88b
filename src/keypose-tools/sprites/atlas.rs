//! Places rectangles in an image (MaxRects: Jukka Jylänki, "A Thousand Ways to Pack the Bin", 2010), and chooses its size.

use keypose::assets::sprite_recipe::SpriteRecipe;

/// A rectangle in an atlas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Rect {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

/// The size of an atlas and the corner of each rectangle, without its extrusion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Packed {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The upper left corners, in the order in which the sizes were given.
    pub corners: Vec<[u32; 2]>,
}

/// Widths that are tried, spread between a high and a wide atlas.
const TRIES: u32 = 24;
/// With more rectangles than this, fewer widths are tried.
const MANY: usize = 400;

/// Places rectangles of these sizes, with the gaps and limits of a recipe, so that the atlas is small. The error is a sentence.
pub fn pack(sizes: &[[u32; 2]], recipe: &SpriteRecipe) -> Result<Packed, String> {
    let around = 2 * recipe.extrusion + recipe.padding;
    let grown: Vec<[u32; 2]> = sizes.iter().map(|size| size.map(|side| side + around)).collect();
    let area: u64 = grown.iter().map(|[width, height]| u64::from(*width) * u64::from(*height)).sum();
    let widest = grown.iter().map(|size| size[0]).max().unwrap_or(1);
    let limit = recipe.max_side + recipe.padding;
    let (orders, mut best): (_, Option<(u64, Packed)>) = (orders(&grown), None);
    let widths = widths(area, widest, grown.len(), recipe).into_iter().filter(|width| *width <= limit);
    for (width, order) in widths.flat_map(|width| orders.iter().map(move |order| (width, order))) {
        let (corners, height) = place(&grown, order, width);
        let used = corners.iter().zip(&grown).map(|(corner, size)| corner[0] + size[0]).max().unwrap_or(1);
        let size = [used, height].map(|side| {
            let side = side.saturating_sub(recipe.padding).max(1);
            if recipe.is_power_of_two { side.next_power_of_two() } else { side }
        });
        if size.iter().any(|side| *side > recipe.max_side) {
            continue;
        }
        // The more square one of equal areas.
        let cost = u64::from(size[0]) * u64::from(size[1]) * 4096 + u64::from(size[0].abs_diff(size[1])).min(4095);
        if best.as_ref().is_none_or(|(known, _)| cost < *known) {
            let corners = corners.iter().map(|corner| corner.map(|side| side + recipe.extrusion)).collect();
            best = Some((cost, Packed { size, corners }));
        }
    }
    best.map(|(_, packed)| packed).ok_or_else(|| {
        let max = recipe.max_side;
        format!("{} different frames don't fit in an atlas of {max} × {max} pixels", sizes.len())
    })
}

/// Returns a number of a size; the largest is placed first.
type SortKey = fn(&[u32; 2]) -> [u32; 2];

/// The orders in which rectangles are placed: the highest first, the longest first, the largest first.
fn orders(sizes: &[[u32; 2]]) -> Vec<Vec<usize>> {
    let keys: [SortKey; 3] = [
        |&[width, height]| [height, width],
        |&[width, height]| [width.max(height), width.min(height)],
        |&[width, height]| [width * height, height],
    ];
    let count = if sizes.len() > MANY { 1 } else { keys.len() };
    let order = |key: &SortKey| {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|&at| (std::cmp::Reverse(key(&sizes[at])), at));
        order
    };
    keys[..count].iter().map(order).collect()
}

/// The widths that are tried.
fn widths(area: u64, widest: u32, count: usize, recipe: &SpriteRecipe) -> Vec<u32> {
    if recipe.is_power_of_two {
        return (0..15).map(|power| (1 << power) + recipe.padding).filter(|width| *width >= widest).collect();
    }
    let tries = if count > MANY { TRIES / 3 } else { TRIES };
    let side = (area as f64).sqrt();
    // From 0.75 to 1.5 times the side of a square.
    let width = |at: u32| (side * (0.75 + 0.75 * f64::from(at) / f64::from(tries))).ceil() as u32;
    let all = (0..=tries).map(|at| width(at).clamp(widest, recipe.max_side.max(widest) + recipe.padding));
    let mut all: Vec<u32> = all.collect();
    all.dedup();
    all
}

/// Places rectangles in a strip of a width, lowest end first. Returns their corners and the height.
fn place(sizes: &[[u32; 2]], order: &[usize], width: u32) -> (Vec<[u32; 2]>, u32) {
    const ENDLESS: u32 = 1 << 24;
    let mut free = vec![Rect { x: 0, y: 0, width, height: ENDLESS }];
    let (mut corners, mut bottom) = (vec![[0; 2]; sizes.len()], 1);
    for &at in order {
        let [width, height] = sizes[at];
        let fits = |room: &&Rect| room.width >= width && room.height >= height;
        let Some(room) = free.iter().filter(fits).min_by_key(|room| (room.y + height, room.x)) else { continue };
        let taken = Rect { x: room.x, y: room.y, width, height };
        corners[at] = [taken.x, taken.y];
        bottom = bottom.max(taken.y + height);
        split(&mut free, &taken);
    }
    (corners, bottom)
}

/// Removes a rectangle from the free ones, which overlap.
fn split(free: &mut Vec<Rect>, taken: &Rect) {
    let mut parts = Vec::new();
    free.retain(|room| {
        let is_hit = overlap(room, taken);
        if is_hit {
            around(room, taken, &mut parts);
        }
        !is_hit
    });
    for part in parts {
        if !free.iter().any(|room| contains(room, &part)) {
            free.retain(|room| !contains(&part, room));
            free.push(part);
        }
    }
}

/// The largest free rectangles of a room on each side of what was taken.
fn around(room: &Rect, taken: &Rect, parts: &mut Vec<Rect>) {
    let [right, bottom] = [room.x + room.width, room.y + room.height];
    let [taken_right, taken_bottom] = [taken.x + taken.width, taken.y + taken.height];
    if taken.x > room.x {
        parts.push(Rect { width: taken.x - room.x, ..*room });
    }
    if taken_right < right {
        parts.push(Rect { x: taken_right, width: right - taken_right, ..*room });
    }
    if taken.y > room.y {
        parts.push(Rect { height: taken.y - room.y, ..*room });
    }
    if taken_bottom < bottom {
        parts.push(Rect { y: taken_bottom, height: bottom - taken_bottom, ..*room });
    }
}

/// Whether two rectangles overlap.
pub fn overlap(a: &Rect, b: &Rect) -> bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

fn contains(outer: &Rect, inner: &Rect) -> bool {
    inner.x >= outer.x
        && inner.y >= outer.y
        && inner.x + inner.width <= outer.x + outer.width
        && inner.y + inner.height <= outer.y + outer.height
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    fn rects(sizes: &[[u32; 2]], packed: &Packed) -> Vec<Rect> {
        let rect =
            |([width, height], [x, y]): (&[u32; 2], &[u32; 2])| Rect { x: *x, y: *y, width: *width, height: *height };
        sizes.iter().zip(&packed.corners).map(rect).collect()
    }

    /// Sizes as those of trimmed frames of a character.
    fn frames(count: u32) -> Vec<[u32; 2]> {
        (0..count).map(|at| [18 + at * 7919 % 23, 38 + at * 104_729 % 14]).collect()
    }

    #[test]
    fn frames_fill_nine_tenths() {
        for count in [40, 150, 400, 900] {
            let sizes = frames(count);
            let recipe = SpriteRecipe { padding: 0, ..SpriteRecipe::default() };
            let packed = pack(&sizes, &recipe).unwrap();
            let area: u32 = sizes.iter().map(|[width, height]| width * height).sum();
            let filled = f64::from(area) / f64::from(packed.size[0] * packed.size[1]);
            assert!(filled >= 0.9, "{count}: {filled}");
            assert_eq!(pack(&sizes, &recipe).unwrap(), packed, "the same places each time");
        }
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let recipe = SpriteRecipe { max_side: 64, ..SpriteRecipe::default() };
        assert!(pack(&[[65, 2]], &recipe).is_err());
        assert!(pack(&[[33, 33]; 2], &recipe).is_err());
        assert_eq!(pack(&[[64, 64]], &recipe).unwrap().size, [64, 64]);
        assert_eq!(pack(&[], &recipe).unwrap().size, [1, 1]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

        #[test]
        fn rectangles_keep_apart(
            sizes in proptest::collection::vec([1_u32..40, 1_u32..40], 1..60),
            padding in 0_u32..3, extrusion in 0_u32..3, is_power_of_two: bool,
        ) {
            let recipe = SpriteRecipe { padding, extrusion, is_power_of_two, ..SpriteRecipe::default() };
            let packed = pack(&sizes, &recipe).unwrap();
            let [width, height] = packed.size;
            prop_assert!(!is_power_of_two || (width.is_power_of_two() && height.is_power_of_two()));
            let rects = rects(&sizes, &packed);
            for (at, rect) in rects.iter().enumerate() {
                prop_assert!(rect.x >= extrusion && rect.x + rect.width + extrusion <= width);
                prop_assert!(rect.y >= extrusion && rect.y + rect.height + extrusion <= height);
                let gap = 2 * extrusion + padding;
                let grown = Rect { width: rect.width + gap, height: rect.height + gap, ..*rect };
                for other in &rects[at + 1..] {
                    let other = Rect { width: other.width + gap, height: other.height + gap, ..*other };
                    prop_assert!(!overlap(&grown, &other), "{grown:?} {other:?}");
                }
            }
        }
    }
}
