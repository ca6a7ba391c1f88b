//! The ways of arrows between nodes: out at the right, in at the left, with round corners, around the other nodes. Geometry only.

use glam::Vec2;

use crate::editor::panels::ui::rect::Rect;

/// The distance of a way from the nodes that it passes, in points.
const APART: f32 = 11.0;
/// The distance between ways that share a channel.
const LANE: f32 = 6.0;
/// The radius of corners.
const RADIUS: f32 = 8.0;
/// The number of ways beside each other, after which they share a place.
const LANES: usize = 4;
/// How many points longer a way may be to cross one node less.
const CROSSING: f32 = 2000.0;
/// How many points longer a way may be to have one corner less.
const CORNER: f32 = 24.0;

/// A way from one node to another one, by their indices.
pub type Link = (usize, usize);

/// The ways of links, each from its tail to its head.
pub fn routes(nodes: &[Rect], links: &[Link]) -> Vec<Vec<Vec2>> {
    let mut routes: Vec<Vec<Vec2>> = Vec::with_capacity(links.len());
    for (at, link) in links.iter().enumerate() {
        let before = |is_same: &dyn Fn(&Link) -> bool| links[..at].iter().filter(|other| is_same(other)).count();
        let ports = Ports {
            out: port(before(&|other| other.0 == link.0), links.iter().filter(|other| other.0 == link.0).count()),
            into: port(before(&|other| other.1 == link.1), links.iter().filter(|other| other.1 == link.1).count()),
            lane: at % LANES,
        };
        let corners = if link.0 == link.1 { own(&nodes[link.0], ports.lane) } else { best(nodes, *link, &ports) };
        routes.push(rounded(&corners));
    }
    routes
}

/// Where a way begins and ends beside others of its nodes.
struct Ports {
    /// From the middle of the right edge, as a part of half its height.
    out: f32,
    /// From the middle of the left edge, likewise.
    into: f32,
    /// Place beside other ways.
    lane: usize,
}

/// The place of one of several ways on an edge, -1 to 1.
fn port(at: usize, count: usize) -> f32 {
    if count < 2 { 0.0 } else { at as f32 / (count - 1) as f32 * 2.0 - 1.0 }
}

/// A loop above the upper edge.
fn own(node: &Rect, lane: usize) -> Vec<Vec2> {
    let (x, y) = (node.max[0] - 34.0, node.min[1]);
    let up = 14.0 + lane as f32 * 2.0;
    vec![Vec2::new(x, y), Vec2::new(x, y - up), Vec2::new(x + 18.0, y - up), Vec2::new(x + 18.0, y)]
}

/// The shortest of the possible ways that crosses the fewest nodes.
fn best(nodes: &[Rect], link: Link, ports: &Ports) -> Vec<Vec2> {
    let (from, to) = (&nodes[link.0], &nodes[link.1]);
    let half = |node: &Rect| (node.height() / 2.0 - 8.0).max(0.0);
    let tail = Vec2::new(from.max[0], from.center()[1] + ports.out * half(from));
    let head = Vec2::new(to.min[0], to.center()[1] + ports.into * half(to));
    let apart = APART + ports.lane as f32 * LANE;
    let (out, into) = (tail.x + apart, head.x - apart);
    let over = |y: f32| {
        let corners = [[out, tail.y], [out, y], [into, y], [into, head.y]];
        [tail].into_iter().chain(corners.map(Vec2::from)).chain([head]).collect::<Vec<_>>()
    };
    let channels = nodes.iter().flat_map(|node| [node.min[1] - apart, node.max[1] + apart]);
    let mut ways: Vec<Vec<Vec2>> = channels.map(over).collect();
    if head.x - tail.x > 2.0 * RADIUS {
        if (head.y - tail.y).abs() < 1.0 {
            ways.push(vec![tail, head]);
        }
        let middles = [(tail.x + head.x) / 2.0 + (ports.lane as f32 - 1.5) * LANE, out, into];
        let middles = middles.into_iter().filter(|x| *x > tail.x + 4.0 && *x < head.x - 4.0);
        ways.extend(middles.map(|x| vec![tail, Vec2::new(x, tail.y), Vec2::new(x, head.y), head]));
    }
    ways.extend(upright(from, to, ports.lane));
    let cost = |way: &Vec<Vec2>| {
        let length: f32 = way.windows(2).map(|part| part[0].distance(part[1])).sum();
        length + CORNER * (way.len() - 2) as f32 + CROSSING * crossings(nodes, way) as f32
    };
    ways.into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or_default()
}

/// The straight way between nodes that are above each other.
fn upright(from: &Rect, to: &Rect, lane: usize) -> Option<Vec<Vec2>> {
    let (left, right) = (from.min[0].max(to.min[0]), from.max[0].min(to.max[0]));
    if right - left < 30.0 {
        return None;
    }
    // Ways down are left of ways up.
    let is_down = to.min[1] > from.max[1];
    let part = if is_down { 0.3 } else { 0.6 };
    let x = (left + (right - left) * part + lane as f32 * 4.0).round();
    let ends = if is_down { [from.max[1], to.min[1]] } else { [from.min[1], to.max[1]] };
    (is_down || from.min[1] > to.max[1]).then(|| ends.map(|y| Vec2::new(x, y)).to_vec())
}

/// How often a way goes through a node. At its ends it touches two.
fn crossings(nodes: &[Rect], way: &[Vec2]) -> usize {
    let crosses = |part: &[Vec2], node: &Rect| {
        let part = Rect::spanned(part[0].to_array(), part[1].to_array());
        let inner = node.shrunk(1.0);
        part.min[0] < inner.max[0]
            && part.max[0] > inner.min[0]
            && part.min[1] < inner.max[1]
            && part.max[1] > inner.min[1]
    };
    way.windows(2).map(|part| nodes.iter().filter(|node| crosses(part, node)).count()).sum()
}

/// The way with round corners.
fn rounded(corners: &[Vec2]) -> Vec<Vec2> {
    let mut points: Vec<Vec2> = corners.first().copied().into_iter().collect();
    for corner in corners.windows(3) {
        let [before, at, after] = [corner[0], corner[1], corner[2]];
        let room = (at.distance(before) / 2.0).min(at.distance(after) / 2.0).min(RADIUS);
        let (enter, leave) =
            (at + (before - at).normalize_or_zero() * room, at + (after - at).normalize_or_zero() * room);
        // A quadratic Bézier curve.
        let on_curve = |t: f32| enter.lerp(at, t).lerp(at.lerp(leave, t), t);
        points.extend([0.0, 0.25, 0.5, 0.75, 1.0].map(on_curve));
    }
    points.extend(corners.last().filter(|_| corners.len() > 1));
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes in columns and rows, as large as those of short names.
    fn grid(columns: usize, rows: usize) -> Vec<Rect> {
        let node = |at: usize| {
            let [x, y] = [(at % columns) as f32 * 180.0, (at / columns) as f32 * 80.0];
            Rect::at([x, y], [100.0, 42.0])
        };
        (0..columns * rows).map(node).collect()
    }

    #[test]
    fn ways_leave_at_the_right_enter_at_the_left_and_cross_no_node() {
        let nodes = grid(4, 3);
        let links: Vec<Link> = (0..nodes.len())
            .flat_map(|from| (0..nodes.len()).map(move |to| (from, to)))
            .filter(|(a, b)| a != b)
            .collect();
        let ways = routes(&nodes, &links);
        for ((from, to), way) in links.iter().zip(&ways) {
            assert_eq!(crossings(&nodes, way), 0, "{from} to {to}: {way:?}");
            let (tail, head) = (way[0], way[way.len() - 1]);
            let (from, to) = (&nodes[*from], &nodes[*to]);
            let is_upright = from.min[0] == to.min[0] && way.len() == 2;
            assert!(is_upright || (tail.x == from.max[0] && head.x == to.min[0]), "{way:?}");
        }
    }

    #[test]
    fn a_way_to_the_next_node_is_straight() {
        let way = &routes(&grid(2, 1), &[(0, 1)])[0];
        assert_eq!(*way, [Vec2::new(100.0, 21.0), Vec2::new(180.0, 21.0)]);
    }
}
