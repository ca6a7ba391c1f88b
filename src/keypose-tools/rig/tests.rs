//! Weights of simple shapes, whose values are known.

use glam::Vec3;

use crate::rig::segments::{End, Segment};
use crate::rig::surface::Surface;
use crate::rig::weights::{Distances, Method, Options, Weights, automatic, mixed, proposed};
use crate::rig::{RigError, unheard};

/// A box as 12 triangles with `steps` rings along x.
fn bar(from: Vec3, to: Vec3, steps: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let ring = |at: usize| {
        let x = from.x + (to.x - from.x) * at as f32 / steps as f32;
        [(from.y, from.z), (to.y, from.z), (to.y, to.z), (from.y, to.z)].map(|(y, z)| Vec3::new(x, y, z))
    };
    let positions = (0..=steps).flat_map(ring).collect();
    let mut triangles = vec![[0, 2, 1], [0, 3, 2]];
    for at in 0..steps as u32 {
        for side in 0..4 {
            let (a, b) = (4 * at + side, 4 * at + (side + 1) % 4);
            triangles.extend([[a, b, a + 4], [b, b + 4, a + 4]]);
        }
    }
    let last = 4 * steps as u32;
    triangles.extend([[last, last + 1, last + 2], [last, last + 2, last + 3]]);
    (positions, triangles)
}

fn joined(parts: &[(Vec<Vec3>, Vec<[u32; 3]>)]) -> Surface {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for (own, corners) in parts {
        let first = positions.len() as u32;
        positions.extend(own);
        triangles.extend(corners.iter().map(|corners| corners.map(|index| index + first)));
    }
    Surface::new(positions, triangles).unwrap()
}

fn bone(bone: u16, from: Vec3, to: Vec3) -> Segment {
    Segment { bone, from, to: End::At(to) }
}

/// Two bones along x that meet at 0.
fn limb() -> [Segment; 2] {
    [bone(0, Vec3::NEG_X, Vec3::ZERO), Segment { bone: 1, from: Vec3::ZERO, to: End::Surface(Vec3::X) }]
}

fn of(weights: &Weights, vertex: usize, bone: u16) -> f32 {
    weights[vertex].iter().find(|(known, _)| *known == bone).map_or(0.0, |(_, weight)| *weight)
}

#[test]
fn a_limb_bends_in_the_middle_and_nowhere_else() {
    let surface = joined(&[bar(Vec3::new(-1.0, -0.1, -0.1), Vec3::new(1.0, 0.1, 0.1), 40)]);
    let weights = automatic(&surface, &limb(), &Options::default(), &mut unheard).unwrap();
    for (vertex, position) in surface.positions.iter().enumerate() {
        let sum: f32 = weights[vertex].iter().map(|(_, weight)| weight).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{position}: {:?}", weights[vertex]);
        match position.x {
            x if x < -0.35 => assert_eq!(of(&weights, vertex, 0), 1.0, "{position}"),
            x if x > 0.35 => assert_eq!(of(&weights, vertex, 1), 1.0, "{position}"),
            0.0 => assert!((of(&weights, vertex, 0) - 0.5).abs() < 0.1, "{position}: {:?}", weights[vertex]),
            _ => {}
        }
    }
}

/// Two legs, nearly touching, joined at the top: the way from one to the other leads through the hips.
#[test]
fn nothing_leaks_across_a_narrow_gap() {
    let leg = |z: f32| bar(Vec3::new(0.0, 0.0, z), Vec3::new(2.0, 0.2, z + 0.2), 30);
    let hips = bar(Vec3::new(-0.4, 0.0, -0.21), Vec3::new(0.05, 0.2, 0.21), 4);
    let surface = joined(&[leg(-0.21), leg(0.01), hips]);
    let bones = [
        bone(0, Vec3::new(-0.3, 0.1, 0.0), Vec3::new(-0.05, 0.1, 0.0)),
        bone(1, Vec3::new(0.0, 0.1, -0.11), Vec3::new(1.9, 0.1, -0.11)),
        bone(2, Vec3::new(0.0, 0.1, 0.11), Vec3::new(1.9, 0.1, 0.11)),
    ];
    let weights = automatic(&surface, &bones, &Options::default(), &mut unheard).unwrap();
    for (vertex, position) in surface.positions.iter().enumerate().filter(|(_, position)| position.x > 0.4) {
        let other = if position.z < 0.0 { 2 } else { 1 };
        assert_eq!(of(&weights, vertex, other), 0.0, "{position}: {:?}", weights[vertex]);
    }
}

#[test]
fn a_floating_part_follows_its_nearest_place_as_one_piece() {
    let body = bar(Vec3::new(-1.0, -0.1, -0.1), Vec3::new(1.0, 0.1, 0.1), 40);
    let halo = bar(Vec3::new(0.5, 0.4, -0.1), Vec3::new(0.9, 0.5, 0.1), 2);
    let surface = joined(&[body, halo]);
    let weights = automatic(&surface, &limb(), &Options::default(), &mut unheard).unwrap();
    let halo = surface.positions.iter().enumerate().filter(|(_, position)| position.y > 0.3);
    assert!(halo.map(|(vertex, _)| &weights[vertex]).all(|own| *own == [(1, 1.0)]));
    let distances = Distances::new(&surface, &limb()).unwrap();
    let methods = proposed(&surface, &distances, &weights);
    assert_eq!(methods, [Method::Smooth, Method::Rigid]);
    assert_eq!(mixed(&surface, weights.clone(), &methods), weights);
}

#[test]
fn bones_far_away_move_the_mesh_all_the_same() {
    let surface = joined(&[bar(Vec3::new(-1.0, -0.1, -0.1), Vec3::new(1.0, 0.1, 0.1), 40)]);
    for far in [1e7, 1e15] {
        let bones = [bone(0, Vec3::X * far, Vec3::X * (2.0 * far)), bone(1, Vec3::Y * -far, Vec3::Y * (-2.0 * far))];
        let weights = automatic(&surface, &bones, &Options::default(), &mut unheard).unwrap();
        assert!(weights.iter().all(|own| !own.is_empty()), "{far}");
    }
}

#[test]
fn a_thin_figure_far_from_the_origin_is_bound_or_refused() {
    for far in [5e3, 5e4, 5e5, 5e6] {
        let (positions, triangles) = bar(Vec3::new(-0.5, -0.01, far - 0.01), Vec3::new(0.5, 0.01, far + 0.01), 40);
        let bones = [bone(0, Vec3::new(-0.5, 0.0, far), Vec3::new(0.5, 0.0, far))];
        match Surface::new(positions, triangles) {
            Ok(surface) => {
                assert!(
                    automatic(&surface, &bones, &Options::default(), &mut unheard)
                        .unwrap()
                        .iter()
                        .all(|own| !own.is_empty())
                );
                assert!(far < 5e4);
            }
            Err(reason) => assert_eq!((reason, far > 5e3), (RigError::NoSize, true)),
        }
    }
}

#[test]
fn bad_meshes_are_refused_with_a_reason() {
    let triangle = vec![[0, 1, 2]];
    let at = |positions: [Vec3; 3]| Surface::new(positions.to_vec(), triangle.clone()).map(|_| ());
    assert_eq!(Surface::new(Vec::new(), Vec::new()).map(|_| ()), Err(RigError::NoTriangles));
    assert_eq!(at([Vec3::X, Vec3::NAN, Vec3::Y]), Err(RigError::NotFinite { vertex: 1 }));
    assert_eq!(at([Vec3::X; 3]), Err(RigError::NoSize));
    assert_eq!(at([Vec3::X * 1e38, Vec3::NEG_X * 1e38, Vec3::Y]), Err(RigError::NoSize));
    let wrong = Surface::new(vec![Vec3::X; 3], vec![[0, 1, 3]]).map(|_| ());
    assert_eq!(wrong, Err(RigError::NoVertex { triangle: 0, index: 3 }));
    let flat = Surface::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], triangle).unwrap();
    assert_eq!(automatic(&flat, &[], &Options::default(), &mut unheard), Err(RigError::NoBones));
    let weights = automatic(&flat, &limb(), &Options::default(), &mut unheard).unwrap();
    assert!(weights.iter().all(|own| !own.is_empty()), "{weights:?}");
}

/// A beam with arms to both sides. What floats beside it moves the grid, so that voxels of both sides differ.
#[test]
fn both_sides_of_a_symmetric_mesh_have_the_same_weights() {
    let beam = bar(Vec3::new(-1.0, -0.13, -0.1), Vec3::new(1.0, 0.11, 0.12), 41);
    let count = beam.0.len();
    let surface = joined(&[beam, bar(Vec3::new(1.513, 0.3, 0.2), Vec3::new(1.737, 0.41, 0.33), 2)]);
    let arm = |bone: u16, side: f32| Segment { bone, from: Vec3::X * 0.2 * side, to: End::Surface(Vec3::X * side) };
    let bones = [bone(0, Vec3::Y * -0.1, Vec3::Y * 0.1), arm(1, 1.0), arm(2, -1.0)];
    let weights = automatic(&surface, &bones, &Options::default(), &mut unheard).unwrap();
    let mut blended = 0;
    for (vertex, position) in surface.positions[..count].iter().enumerate() {
        let place = Vec3::new(-position.x, position.y, position.z);
        let is_other = |other: &usize| surface.positions[*other].distance(place) < 1e-5;
        let other = (0..count).find(is_other).unwrap();
        for (own, mirrored) in [(0, 0), (1, 2), (2, 1)] {
            let [a, b] = [of(&weights, vertex, own), of(&weights, other, mirrored)];
            assert!((a - b).abs() < 1e-5, "{position}: {a} and {b}");
            blended += usize::from(a > 0.1 && a < 0.9);
        }
    }
    assert!(blended > 20, "{blended}");
}
