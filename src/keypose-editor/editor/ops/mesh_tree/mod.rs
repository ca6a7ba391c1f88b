//! A hierarchy of boxes over the triangles of a mesh, for rays that pick them. It is made once for a mesh and serves every pose: a node
//! has a box for each joint that moves its vertices, in the space in which the mesh was bound. In a pose, each of these boxes moves with
//! its joint, and the blended vertices are inside the box around all of these (see [`Target::bounds`]).

use glam::Vec3;

use crate::editor::ops::mesh_tree::posed::Target;
use crate::render::frame::bounds::Aabb;
use crate::render::frame::camera::Ray;
use keypose::assets::mesh::Mesh;
use keypose_tools::triangle_tree::enters;

pub mod posed;
#[cfg(test)]
mod tests;

/// The maximum number of triangles of a leaf.
const LEAF: usize = 64;

/// The hierarchy.
#[derive(Clone, Debug, Default)]
pub struct MeshTree {
    /// The last one is the root.
    nodes: Vec<Node>,
    reach: Vec<Reach>,
    /// The triangles of the leaves.
    triangles: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Node {
    /// The first of its boxes and the one after the last.
    reach: [u32; 2],
    /// Whether morph targets move any of its vertices.
    is_morphed: bool,
    below: Below,
}

#[derive(Clone, Debug)]
enum Below {
    Nodes([u32; 2]),
    /// The first of its triangles and the one after the last.
    Triangles([u32; 2]),
}

/// The box around the vertices of a node that a joint moves, as they were bound.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    joint: u16,
    bounds: Aabb,
}

/// The nearest triangle on a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The distance along the ray.
    pub distance: f32,
    /// The vertices of the triangle.
    pub corners: [usize; 3],
    /// The barycentric weights of the corners.
    pub weights: [f32; 3],
}

/// The cost of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Visited {
    /// Boxes of nodes.
    pub nodes: usize,
    /// Triangles, each with its three vertices.
    pub triangles: usize,
}

impl MeshTree {
    /// Makes the hierarchy of a valid mesh. For a million vertices that takes most of a second.
    pub fn of(mesh: &Mesh) -> MeshTree {
        let center = |triangle: &[u32]| triangle.iter().map(|&at| mesh.positions[at as usize]).sum::<Vec3>();
        let centers: Vec<Vec3> = mesh.indices.chunks_exact(3).map(center).collect();
        let mut tree = MeshTree::default();
        let mut order: Vec<u32> = (0..centers.len() as u32).collect();
        if !order.is_empty() {
            tree.add(mesh, &centers, &mut order);
        }
        tree
    }

    /// Adds the node of some triangles and those below it. Returns its number.
    fn add(&mut self, mesh: &Mesh, centers: &[Vec3], triangles: &mut [u32]) -> u32 {
        let (below, reach, is_morphed) = if triangles.len() <= LEAF {
            let first = self.triangles.len() as u32;
            self.triangles.extend_from_slice(triangles);
            let below = Below::Triangles([first, first + triangles.len() as u32]);
            (below, reach_of(mesh, triangles), is_morphed(mesh, triangles))
        } else {
            let bounds = Aabb::of(triangles.iter().map(|&at| centers[at as usize]));
            let axis = (bounds.max - bounds.min).max_position();
            let middle = triangles.len() / 2;
            let place = |at: &u32| centers[*at as usize][axis];
            triangles.select_nth_unstable_by(middle, |a, b| place(a).total_cmp(&place(b)));
            let (low, high) = triangles.split_at_mut(middle);
            let nodes = [self.add(mesh, centers, low), self.add(mesh, centers, high)];
            let reach = nodes.iter().flat_map(|&node| self.reach(&self.nodes[node as usize])).copied().collect();
            let is_morphed = nodes.iter().any(|&node| self.nodes[node as usize].is_morphed);
            (Below::Nodes(nodes), merged(reach), is_morphed)
        };
        let first = self.reach.len() as u32;
        self.reach.extend(reach);
        self.nodes.push(Node { reach: [first, self.reach.len() as u32], is_morphed, below });
        self.nodes.len() as u32 - 1
    }

    fn reach(&self, node: &Node) -> &[Reach] {
        let [first, last] = node.reach.map(|at| at as usize);
        &self.reach[first..last]
    }

    /// The nearest triangle of the posed mesh, from which the tree was made, on a ray, from both sides.
    pub fn first_hit(&self, posed: &Target<'_>, ray: &Ray) -> (Option<Hit>, Visited) {
        let (mut best, mut visited): (Option<Hit>, _) = (None, Visited::default());
        let mut open: Vec<(f32, u32)> = Vec::new();
        let enter = |node: u32, open: &mut Vec<(f32, u32)>, visited: &mut Visited| {
            visited.nodes += 1;
            let of = &self.nodes[node as usize];
            let distance = match posed.bounds(self.reach(of), of.is_morphed) {
                Some(bounds) => enters([ray.origin, ray.direction], bounds.min, bounds.max),
                None => Some(0.0),
            };
            open.extend(distance.map(|distance| (distance, node)));
        };
        if let Some(root) = self.nodes.len().checked_sub(1) {
            enter(root as u32, &mut open, &mut visited);
        }
        while let Some((distance, node)) = open.pop() {
            if best.is_some_and(|best| best.distance <= distance) {
                continue;
            }
            match self.nodes[node as usize].below {
                Below::Nodes(nodes) => {
                    let first = open.len();
                    nodes.into_iter().for_each(|node| enter(node, &mut open, &mut visited));
                    // The nearer one is looked at first.
                    open[first..].sort_by(|a, b| b.0.total_cmp(&a.0));
                }
                Below::Triangles([first, last]) => {
                    for &triangle in &self.triangles[first as usize..last as usize] {
                        visited.triangles += 1;
                        let hit = posed.hit(triangle as usize, ray);
                        best = hit.into_iter().chain(best).min_by(|a, b| a.distance.total_cmp(&b.distance));
                    }
                }
            }
        }
        (best, visited)
    }
}

/// Whether morph targets move any vertex of some triangles.
fn is_morphed(mesh: &Mesh, triangles: &[u32]) -> bool {
    let vertices = || triangles.iter().flat_map(|&at| &mesh.indices[at as usize * 3..at as usize * 3 + 3]);
    mesh.morphs.iter().any(|target| vertices().any(|vertex| target.vertices.binary_search(vertex).is_ok()))
}

/// The boxes of the vertices of some triangles.
fn reach_of(mesh: &Mesh, triangles: &[u32]) -> Vec<Reach> {
    let mut reach: Vec<Reach> = Vec::new();
    let mut add = |joint: u16, position: Vec3| match reach.iter_mut().find(|reach| reach.joint == joint) {
        Some(reach) => reach.bounds.add(position),
        None => reach.push(Reach { joint, bounds: Aabb::of([position]) }),
    };
    for &vertex in triangles.iter().flat_map(|&at| &mesh.indices[at as usize * 3..at as usize * 3 + 3]) {
        let (vertex, position) = (vertex as usize, mesh.positions[vertex as usize]);
        if mesh.influences.is_empty() {
            add(0, position);
        }
        for set in &mesh.influences {
            let influences = set.joints[vertex].into_iter().zip(set.weights[vertex]);
            influences.filter(|(_, weight)| *weight > 0.0).for_each(|(joint, _)| add(joint, position));
        }
    }
    reach
}

/// One box for each joint.
fn merged(mut reach: Vec<Reach>) -> Vec<Reach> {
    reach.sort_by_key(|reach| reach.joint);
    reach.dedup_by(|next, kept| {
        let is_same = next.joint == kept.joint;
        if is_same {
            kept.bounds.merge(&next.bounds);
        }
        is_same
    });
    reach
}
