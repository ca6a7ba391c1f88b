//! Parts of their own: a head on a body, or boots on legs, are often closed shapes that overlap. A bone inside one of them doesn't move
//! another one that it isn't in, however near that is.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::anim::skeleton::BoneIndex;
use crate::rig::surface::Surface;
use crate::rig::volume::raster::each_cell;
use crate::rig::weights::{Distances, Weights};

/// Points of each bone that are looked for in parts.
const POINTS: usize = 6;
/// The share of a bone from its joint on whose points are looked for: its end is inside the next bone's part, as a neck is in a head.
const INNER: f32 = 0.75;
/// A part also follows another bone if its own bones are farther by this factor.
const FAR: f32 = 2.2;

/// Drops the distances of bones from the vertices of parts that they are not in, if they are in another part, and the part has bones or
/// touches one that has.
pub fn drop_strangers(surface: &Surface, distances: &Distances, far: &mut Weights) {
    if surface.part_count() < 2 {
        return;
    }
    let homes = homes(surface, distances);
    let hosts = hosts(surface, distances, &homes);
    for (part, own) in surface.parts.iter().zip(far) {
        let Some(host) = hosts[*part as usize] else { continue };
        let is_stranger = |bone: BoneIndex| homes.get(&bone).is_some_and(|parts| !parts.contains(&host));
        let nearest =
            |of: &mut dyn Iterator<Item = &(BoneIndex, f32)>| of.map(|(_, far)| *far).fold(f32::INFINITY, f32::min);
        let near = nearest(&mut own.iter().filter(|(bone, _)| !is_stranger(*bone)));
        if near <= FAR * nearest(&mut own.iter()) {
            own.retain(|(bone, _)| !is_stranger(*bone));
        }
    }
}

/// The part whose bones each part follows: its own, or those of the part with bones that it touches most, as ears touch a head.
fn hosts(surface: &Surface, distances: &Distances, homes: &BTreeMap<BoneIndex, Vec<u32>>) -> Vec<Option<u32>> {
    let own = |part: u32| Some(part).filter(|part| homes.values().any(|parts| parts.contains(part)));
    let mut hosts: Vec<Option<u32>> = (0..surface.part_count() as u32).map(own).collect();
    if !hosts.contains(&None) {
        return hosts;
    }
    let mut parts_in: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for triangle in &surface.triangles {
        let part = surface.parts[triangle[0] as usize];
        each_cell(&distances.volume, surface.corners(*triangle), |cell| {
            let parts = parts_in.entry(cell).or_default();
            if !parts.contains(&part) {
                parts.push(part);
            }
        });
    }
    let mut contacts: Vec<BTreeMap<u32, usize>> = vec![BTreeMap::new(); hosts.len()];
    for parts in parts_in.values().filter(|parts| parts.len() > 1) {
        let (hosting, others): (Vec<u32>, Vec<u32>) = parts.iter().partition(|part| hosts[**part as usize].is_some());
        for part in others {
            hosting.iter().for_each(|host| *contacts[part as usize].entry(*host).or_default() += 1);
        }
    }
    for (host, contacts) in hosts.iter_mut().zip(contacts).filter(|(host, _)| host.is_none()) {
        *host = contacts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(part, _)| part);
    }
    hosts
}

/// The parts that each bone is in.
fn homes(surface: &Surface, distances: &Distances) -> BTreeMap<BoneIndex, Vec<u32>> {
    let points: Vec<(BoneIndex, Vec3)> = distances
        .lines
        .iter()
        .flat_map(|(bone, [from, to])| {
            (0..POINTS).map(move |at| (*bone, *from + (*to - *from) * (INNER * at as f32 / (POINTS - 1) as f32)))
        })
        .collect();
    // No part is around a point outside its box.
    let mut hits: Vec<Vec<(BoneIndex, Vec3, u8)>> = Vec::new();
    for (min, max) in boxes(surface) {
        let inside = points.iter().filter(|(_, point)| point.cmpge(min).all() && point.cmple(max).all());
        hits.push(inside.map(|(bone, point)| (*bone, *point, 0)).collect());
    }
    for triangle in &surface.triangles {
        let corners = surface.corners(*triangle);
        for (_, point, hits) in &mut hits[surface.parts[triangle[0] as usize] as usize] {
            *hits |= directions(corners, *point);
        }
    }
    let mut homes: BTreeMap<BoneIndex, Vec<u32>> = BTreeMap::new();
    for (part, hits) in (0..).zip(&hits) {
        for (bone, ..) in hits.iter().filter(|(.., hits)| hits.count_ones() >= SURROUNDED) {
            let parts = homes.entry(*bone).or_default();
            if parts.last() != Some(&part) {
                parts.push(part);
            }
        }
    }
    homes
}

/// The box around the triangles of each part.
fn boxes(surface: &Surface) -> Vec<(Vec3, Vec3)> {
    let mut boxes = vec![(Vec3::INFINITY, Vec3::NEG_INFINITY); surface.part_count()];
    for triangle in &surface.triangles {
        let (min, max) = &mut boxes[surface.parts[triangle[0] as usize] as usize];
        for corner in surface.corners(*triangle) {
            (*min, *max) = (min.min(corner), max.max(corner));
        }
    }
    boxes
}

/// Directions of the six axes in which a part must be around a point.
const SURROUNDED: u32 = 5;

/// The directions of the axes in which a triangle is from a point, as bits.
fn directions(corners: [Vec3; 3], point: Vec3) -> u8 {
    let mut bits = 0;
    let [a, b, c] = corners.map(|corner| corner - point);
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let side = |from: Vec3, to: Vec3| from[u] * to[v] - from[v] * to[u];
        let (x, y, z) = (side(b, c), side(c, a), side(a, b));
        let is_hit = (x >= 0.0 && y >= 0.0 && z >= 0.0) || (x <= 0.0 && y <= 0.0 && z <= 0.0);
        let area = x + y + z;
        if is_hit && area != 0.0 {
            let at = (a[axis] * x + b[axis] * y + c[axis] * z) / area;
            bits |= 1 << (2 * axis + usize::from(at < 0.0));
        }
    }
    bits
}
