//! The markers of a standing figure in a T- or A-pose: the arm is the way from the hand to where the body becomes thick, the legs begin
//! where the middle becomes solid, the neck is the narrowest place below the head.

use glam::Vec3;

use crate::rig::markers::Markers;
use crate::rig::markers::slices::{Slice, Slices};
use crate::rig::template::SIDES;
use crate::rig::volume::EMPTY;

/// The direction of the feet: 1 for +Z, also if there is none.
pub fn front(slices: &Slices<'_>) -> f32 {
    let feet = slices.slice(|at| at.y < slices.up(0.05));
    let legs = slices.slice(|at| (slices.up(0.08)..slices.up(0.2)).contains(&at.y));
    if feet.centre.z < legs.centre.z - 0.01 * slices.height() { -1.0 } else { 1.0 }
}

/// Moves the markers of a humanoid to the places that are found.
pub fn find(slices: &Slices<'_>, markers: &mut Markers, notes: &mut Vec<String>) {
    let crotch = crotch(slices);
    if crotch.is_none() {
        notes.push("no gap between the legs".into());
    }
    let crotch = crotch.unwrap_or(slices.up(0.46));
    let mut shoulders = Vec::new();
    for (side, sign) in SIDES.into_iter().zip([1.0, -1.0]) {
        legs(slices, (side, sign), crotch, markers);
        match arm(slices, sign, crotch) {
            Some(joints) => {
                shoulders.push(joints[2].y);
                for (name, joint) in ["wrist", "elbow", "shoulder"].into_iter().zip(joints) {
                    markers.insert(format!("{name}{side}"), joint);
                }
                fingers(slices, (side, sign), joints, markers);
            }
            None => notes.push(format!("no arm on the {} side", if sign > 0.0 { "left" } else { "right" })),
        }
    }
    let shoulder = shoulders.iter().sum::<f32>() / shoulders.len().max(1) as f32;
    head(slices, if shoulders.is_empty() { slices.up(0.8) } else { shoulder }, markers);
}

/// The lowest height at which the middle is solid and stays so.
fn crotch(slices: &Slices<'_>) -> Option<f32> {
    let volume = slices.volume;
    let is_middle = |y: f32| {
        let near = |at: &&Vec3| (at.y - y).abs() <= 0.5 * volume.size && (at.x - slices.middle).abs() <= volume.size;
        slices.solid.iter().filter(near).count() >= 2
    };
    let steps = (slices.height() / volume.size) as usize;
    let heights: Vec<f32> = (0..steps).map(|step| slices.min.y + (step as f32 + 0.5) * volume.size).collect();
    let gap = heights.iter().position(|y| !is_middle(*y))?;
    let rest = heights.iter().skip(gap).find(|y| is_middle(**y) && is_middle(**y + 2.0 * volume.size))?;
    (slices.up(0.15)..slices.up(0.62)).contains(rest).then_some(*rest)
}

/// Hip, knee, ankle and toe of a side.
fn legs(slices: &Slices<'_>, (side, sign): (&str, f32), crotch: f32, markers: &mut Markers) {
    let length = crotch - slices.min.y;
    let thick = slices.volume.size;
    // Hands hang beside the hips.
    let wide = 0.2 * slices.height();
    let is_leg = |at: Vec3| (0.0..wide).contains(&(slices.left(at) * sign));
    let at_height = |y: f32| {
        let slice = slices.slice(|at| is_leg(at) && (at.y - y).abs() <= thick);
        let usual = Vec3::new(slices.middle + sign * slices.front * 0.06 * slices.height(), y, 0.0);
        if slice.count > 0 { slice.centre.with_y(y) } else { usual }
    };
    let top = at_height(crotch - 0.12 * length);
    let hip = at_height(crotch).with_x(top.x).with_y(crotch + 0.06 * length);
    let low = at_height(slices.min.y + 0.22 * length);
    let ankle = low.with_y(slices.min.y + 0.13 * length);
    let ahead = |at: &&Vec3| is_leg(**at) && at.y < slices.min.y + 0.2 * length;
    let farthest = slices.solid.iter().filter(ahead).map(|at| at.z * slices.front).fold(f32::MIN, f32::max);
    let sole = slices
        .slice(|at| is_leg(at) && at.y < slices.min.y + 0.1 * length && at.z * slices.front > farthest - 4.0 * thick);
    let toe = if sole.count > 0 { sole.centre.with_z(farthest * slices.front) } else { ankle };
    let knee = at_height(0.5 * (hip.y + ankle.y));
    for (name, place) in [("hip", hip), ("knee", knee), ("ankle", ankle), ("toe", toe)] {
        markers.insert(format!("{name}{side}"), place);
    }
}

/// Wrist, elbow and shoulder of a side, on the way from the tip of the hand into the body.
fn arm(slices: &Slices<'_>, sign: f32, crotch: f32) -> Option<[Vec3; 3]> {
    let layers = layers(slices, sign, crotch)?;
    // Layers of a hand are thin at first, and fingers make them thick for a while.
    let mut usual: Vec<usize> = layers.iter().take(layers.len() / 3 + 2).map(|layer| layer.count).collect();
    usual.sort_unstable();
    let usual = usual[usual.len() / 2];
    let from = layers.len() / 4;
    let body = layers.iter().skip(from).position(|layer| layer.count > usual * 9 / 4)? + from;
    let is_long = body as f32 * slices.volume.size > 0.12 * slices.height();
    // The shoulder is in the body, about as deep as the arm is thick.
    let inner = 1.4 * (usual as f32 / std::f32::consts::PI).sqrt();
    let inward = (layers[body * 9 / 10].centre - layers[body * 6 / 10].centre).normalize_or_zero();
    let joint = |fraction: f32| {
        let at = fraction * (body as f32 + inner);
        let last = (at as usize).min(body * 9 / 10);
        layers[last].centre + inward * ((at - last as f32).max(0.0) * slices.volume.size)
    };
    is_long.then(|| [joint(0.28), joint(0.61), joint(1.0)])
}

/// Solid voxels by their distance from the tip of the hand, through the volume: number and mean of each distance, in voxels.
fn layers(slices: &Slices<'_>, sign: f32, crotch: f32) -> Option<Vec<Slice>> {
    let volume = slices.volume;
    let reach = |at: Vec3| slices.left(at) * sign;
    let is_arm = |(_, at): &(u32, &Vec3)| at.y > crotch - 0.1 * slices.height();
    let tip = (0..).zip(&slices.solid).filter(is_arm).max_by(|a, b| reach(*a.1).total_cmp(&reach(*b.1)))?;
    let mut seen = vec![false; volume.solid.len()];
    seen[tip.0 as usize] = true;
    let (mut layer, mut layers) = (vec![tip.0], Vec::new());
    let steps = volume.strides().map(|stride| stride as isize);
    while !layer.is_empty() {
        let sum: Vec3 = layer.iter().map(|voxel| slices.solid[*voxel as usize]).sum();
        let centre = sum / layer.len() as f32;
        // The other side begins: nothing was thick.
        if reach(centre) < 0.0 {
            break;
        }
        layers.push(Slice { count: layer.len(), centre });
        let mut next = Vec::new();
        for voxel in layer {
            let cell = volume.solid[voxel as usize] as isize;
            for step in steps.into_iter().flat_map(|step| [step, -step]) {
                let other = volume.cells[(cell + step) as usize];
                if other != EMPTY && !std::mem::replace(&mut seen[other as usize], true) {
                    next.push(other);
                }
            }
        }
        layer = next;
    }
    Some(layers)
}

/// The tips of fingers, if the template has them: usual places by the hand's direction.
fn fingers(slices: &Slices<'_>, (side, sign): (&str, f32), [wrist, elbow, _]: [Vec3; 3], markers: &mut Markers) {
    if !markers.contains_key(&format!("middle_tip{side}")) {
        return;
    }
    let along = (wrist - elbow).normalize_or(Vec3::X * sign);
    let far = slices.solid.iter().filter(|at| slices.left(**at) * sign > 0.0).map(|at| (*at - wrist).dot(along));
    let length = far.fold(0.0, f32::max).min(0.8 * wrist.distance(elbow));
    let front = Vec3::Z * slices.front;
    let places = [
        ("middle_tip", along * length),
        ("little_tip", along * (0.8 * length) - front * (0.3 * length)),
        ("thumb_tip", along * (0.6 * length) + front * (0.5 * length)),
    ];
    for (name, offset) in places {
        markers.insert(format!("{name}{side}"), wrist + offset);
    }
}

/// Top of the head, and the joint of head and neck: the narrowest slice above the shoulders, if one is much narrower than the head.
fn head(slices: &Slices<'_>, shoulder: f32, markers: &mut Markers) {
    let (top, size) = (slices.max.y, slices.volume.size);
    let wide = 0.12 * slices.height();
    let near = |y: f32| slices.slice(|at| (at.y - y).abs() <= 0.5 * size && (at.x - slices.middle).abs() < wide);
    let steps = ((top - shoulder) / size).max(1.0) as usize;
    let heights: Vec<(f32, Slice)> = (0..steps)
        .map(|step| shoulder + step as f32 * size)
        .map(|y| (y, near(y)))
        .filter(|(_, slice)| slice.count > 0)
        .collect();
    let widest = heights.iter().skip(heights.len() / 3).map(|(_, slice)| slice.count).max().unwrap_or_default();
    let lower = heights.iter().take(heights.len() * 3 / 5);
    let narrow = lower.min_by_key(|(_, slice)| slice.count).filter(|(_, slice)| slice.count * 4 < widest * 3);
    let usual = shoulder + 0.22 * (top - shoulder);
    let height = narrow.map_or(usual, |(y, _)| (y + 0.05 * (top - shoulder)).max(usual));
    let centre = near(height).centre;
    let depth = if near(height).count > 0 { centre.z } else { 0.5 * (slices.min.z + slices.max.z) };
    markers.insert("chin".into(), Vec3::new(slices.middle, height, depth));
    markers.insert("head".into(), Vec3::new(slices.middle, top, depth));
}
