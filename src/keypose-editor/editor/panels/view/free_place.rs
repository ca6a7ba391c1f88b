//! Finds room for cards and lines over the viewport, so that none covers another.

use crate::editor::panels::ui::rect::Rect;

/// Distance between two things over the viewport, and to its edge.
pub const GAP: f32 = 8.0;

/// The lowest place for something of `size` that covers none of the others, with its left edge at the first possible
/// of `lefts`. `None` if there is no such place in the area.
pub fn free_place(area: Rect, size: [f32; 2], lefts: &[f32], others: &[Rect]) -> Option<Rect> {
    let above = others.iter().map(|other| other.min[1] - GAP);
    let mut bottoms: Vec<f32> = std::iter::once(area.max[1] - GAP).chain(above).collect();
    bottoms.sort_by(|a, b| b.total_cmp(a));
    let places =
        bottoms.iter().flat_map(|bottom| lefts.iter().map(move |left| Rect::at([*left, bottom - size[1]], size)));
    places.into_iter().find(|place| {
        let is_inside = place.intersection(&area) == *place;
        is_inside && others.iter().all(|other| !place.overlaps(other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rect = Rect { min: [0.0, 0.0], max: [400.0, 300.0] };

    #[test]
    fn the_lowest_free_place_is_found() {
        let tools = Rect::at([10.0, 10.0], [34.0, 200.0]);
        let card = free_place(AREA, [200.0, 150.0], &[10.0, 52.0], &[tools]).unwrap();
        assert_eq!(card.min, [52.0, 142.0], "beside the tools");
        let line = free_place(AREA, [120.0, 26.0], &[140.0, card.max[0] + GAP], &[tools, card]).unwrap();
        assert_eq!(line.min, [260.0, 266.0], "right of the card");
        let wide = free_place(AREA, [300.0, 26.0], &[50.0], &[tools, card]).unwrap();
        assert_eq!(wide.min, [50.0, 108.0], "above the card");
    }

    #[test]
    fn without_room_there_is_no_place() {
        assert_eq!(free_place(AREA, [401.0, 20.0], &[0.0], &[]), None);
        assert_eq!(free_place(AREA, [300.0, 200.0], &[10.0], &[Rect::at([0.0, 100.0], [400.0, 60.0])]), None);
    }
}
