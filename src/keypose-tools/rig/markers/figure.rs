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
                shoulders.push(joints[2]);
                for (name, joint) in ["wrist", "elbow", "shoulder"].into_iter().zip(joints) {
                    markers.insert(format!("{name}{side}"), joint);
                }
                fingers(slices, (side, sign), joints, markers);
            }
            None => notes.push(format!("no arm on the {} side", if sign > 0.0 { "left" } else { "right" })),
        }
    }
    let sum: Vec3 = shoulders.iter().sum();
    let usual = Vec3::new(0.0, slices.up(0.8), 0.5 * (slices.min.z + slices.max.z));
    let shoulder = if shoulders.is_empty() { usual } else { sum / shoulders.len() as f32 };
    head(slices, shoulder.y, shoulder.z, markers);
}

/// The lowest height at which the middle is as thick as the legs are, and stays so. A cape behind the legs is thin.
fn crotch(slices: &Slices<'_>) -> Option<f32> {
    let size = slices.volume.size;
    let rows = (slices.height() / size) as usize + 1;
    let mut depths = vec![[0_usize; COLUMNS]; rows];
    for at in &slices.solid {
        let row = ((at.y - slices.min.y) / size).max(0.0) as usize;
        // The middle is in the middle of a column, which then counts for both sides, or between two.
        let across = (at.x - slices.middle).abs() / size + 0.25;
        let column = across as usize;
        if row < rows && column < COLUMNS {
            depths[row][column] += if across < 0.5 { 2 } else { 1 };
        }
    }
    let is_middle = |row: &[usize; COLUMNS]| row[0] * 2 >= row.iter().copied().max().unwrap_or_default();
    let gap = depths.iter().position(|row| !is_middle(row))?;
    let above = depths.windows(2).skip(gap).position(|rows| rows.iter().all(is_middle))?;
    let rest = slices.min.y + (gap + above) as f32 * size;
    (slices.up(0.1)..slices.up(0.62)).contains(&rest).then_some(rest)
}

/// Voxels beside the middle in which legs are looked for.
const COLUMNS: usize = 24;

/// Hip, knee, ankle and toe of a side.
fn legs(slices: &Slices<'_>, (side, sign): (&str, f32), crotch: f32, markers: &mut Markers) {
    let (length, height) = (crotch - slices.min.y, slices.height());
    let thick = slices.volume.size;
    // Hands hang beside the hips.
    let wide = 0.2 * height;
    let is_leg = |at: Vec3| (0.0..wide).contains(&(slices.left(at) * sign));
    let at_height = |y: f32| {
        let slice = slices.slice(|at| is_leg(at) && (at.y - y).abs() <= thick);
        let depth = 0.5 * (slices.min.z + slices.max.z);
        let usual = Vec3::new(slices.middle + sign * slices.front * 0.06 * height, y, depth);
        if slice.count > 0 { slice.centre.with_y(y) } else { usual }
    };
    let top = at_height(crotch - 0.12 * length);
    // The body of a figure with short legs hides their upper ends.
    let hidden = (0.25 * height - length).max(0.0);
    let hip = at_height(crotch).with_x(top.x).with_y(crotch + 0.01 * height + 0.6 * hidden);
    let ankle_height = (ANKLE * height).min(0.4 * length);
    let ankle = at_height(slices.min.y + 2.0 * ankle_height).with_y(slices.min.y + ankle_height);
    let ahead = |at: &&Vec3| is_leg(**at) && at.y < slices.min.y + ankle_height;
    let farthest = slices.solid.iter().filter(ahead).map(|at| at.z * slices.front).fold(f32::MIN, f32::max);
    let sole = slices.slice(|at| {
        is_leg(at) && at.y < slices.min.y + 0.8 * ankle_height && at.z * slices.front > farthest - 4.0 * thick
    });
    let toe = if sole.count > 0 { sole.centre.with_z(farthest * slices.front) } else { ankle };
    let knee = at_height(0.5 * (hip.y + ankle.y));
    for (name, place) in [("hip", hip), ("knee", knee), ("ankle", ankle), ("toe", toe)] {
        markers.insert(format!("{name}{side}"), place);
    }
}

/// The usual height of ankles, of people and of figures with large heads alike, as a fraction of the height.
const ANKLE: f32 = 0.055;

/// Wrist, elbow and shoulder of a side: of the longest and thinnest way from a tip at that side into the body.
fn arm(slices: &Slices<'_>, sign: f32, crotch: f32) -> Option<[Vec3; 3]> {
    let arms = tips(slices, sign, crotch).into_iter().filter_map(|tip| way_in(slices, sign, tip, crotch));
    arms.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, joints)| joints)
}

/// Voxels at the sides that reach farther than what is above and below: hands, but also the brim of a hat.
fn tips(slices: &Slices<'_>, sign: f32, crotch: f32) -> Vec<u32> {
    let band = 0.05 * slices.height();
    let count = (slices.height() / band) as usize + 1;
    let mut farthest: Vec<Option<(f32, u32)>> = vec![None; count];
    for (voxel, at) in (0..).zip(&slices.solid) {
        let reach = slices.left(*at) * sign;
        let row = (((at.y - slices.min.y) / band).max(0.0) as usize).min(count - 1);
        let is_farther = farthest[row].is_none_or(|(known, _)| reach > known);
        if is_farther && reach > 0.0 && at.y > crotch {
            farthest[row] = Some((reach, voxel));
        }
    }
    let reach = |row: usize| farthest.get(row).copied().flatten().map_or(f32::MIN, |(reach, _)| reach);
    let least = 0.7 * (0..count).map(reach).fold(0.0, f32::max);
    let is_tip = |row: &usize| reach(*row) >= least.max(reach(row.wrapping_sub(1))).max(reach(row + 1));
    (0..count).filter(is_tip).filter_map(|row| farthest[row].map(|(_, voxel)| voxel)).collect()
}

/// How long for its thickness a limb is that begins at a tip, and its joints.
fn way_in(slices: &Slices<'_>, sign: f32, tip: u32, crotch: f32) -> Option<(f32, [Vec3; 3])> {
    let layers = layers(slices, sign, tip);
    // Layers of a hand are thin at first, and fingers make them thick for a while.
    let mut usual: Vec<usize> = layers.iter().take(layers.len() / 3 + 2).map(|layer| layer.count).collect();
    usual.sort_unstable();
    let usual = *usual.get(usual.len() / 2)?;
    let from = layers.len() / 4;
    let body = layers.iter().skip(from).position(|layer| layer.count > usual * 9 / 4)? + from;
    let length = body as f32 * slices.volume.size;
    let thickness = (usual as f32).sqrt() * slices.volume.size;
    // The shoulder is in the body, about as deep as the arm is thick.
    let inner = 1.4 * (usual as f32 / std::f32::consts::PI).sqrt();
    let deepest = layers[body * 9 / 10].centre;
    let inward = (deepest - layers[body * 6 / 10].centre).normalize_or_zero();
    let deep = deepest + inward * ((0.1 * body as f32 + inner) * slices.volume.size);
    let least = SHOULDER * half_width(slices, sign, 0.5 * (crotch + deepest.y));
    let is_outer = |at: &Vec3| slices.left(*at) * sign >= least;
    let outer = layers[..body].iter().map(|layer| layer.centre).rfind(is_outer);
    let shoulder = outer.filter(|_| !is_outer(&deep)).unwrap_or(deep);
    let outward = (layers[body / 5].centre - shoulder).normalize_or_zero();
    let reach = outward.dot(slices.solid[tip as usize] - shoulder);
    let joint = |fraction: f32| {
        let far = |layer: &&Slice| (outward.dot(layer.centre - shoulder) - fraction * reach).abs();
        let nearest = layers[..body].iter().min_by(|one, other| far(one).total_cmp(&far(other)));
        nearest.map_or(shoulder, |layer| layer.centre)
    };
    (length > 0.12 * slices.height()).then(|| (length / thickness, [joint(0.72), joint(0.36), shoulder]))
}

/// The shoulder joint is at least this fraction of the trunk's half width from the middle.
const SHOULDER: f32 = 0.65;

/// The width of the trunk at a height, from the middle to a side. An arm beside it isn't part of it.
fn half_width(slices: &Slices<'_>, sign: f32, y: f32) -> f32 {
    let volume = &*slices.volume;
    let is_wide = |column: &usize| {
        let reach = *column as f32 * volume.size;
        let near = |at: &&Vec3| {
            (at.y - y).abs() <= volume.size && (slices.left(**at) * sign - reach).abs() <= 0.5 * volume.size
        };
        slices.solid.iter().any(|at| near(&at))
    };
    (1..volume.dims[0]).take_while(is_wide).last().unwrap_or_default() as f32 * volume.size
}

/// Solid voxels by their distance from the tip of the hand, through the volume: number and mean of each distance, in voxels.
fn layers(slices: &Slices<'_>, sign: f32, tip: u32) -> Vec<Slice> {
    let volume = &*slices.volume;
    let mut seen = vec![false; volume.solid.len()];
    seen[tip as usize] = true;
    let (mut layer, mut layers) = (vec![tip], Vec::new());
    let steps = volume.strides().map(|stride| stride as isize);
    while !layer.is_empty() {
        let sum: Vec3 = layer.iter().map(|voxel| slices.solid[*voxel as usize]).sum();
        let centre = sum / layer.len() as f32;
        // The other side begins: nothing was thick.
        if slices.left(centre) * sign < 0.0 {
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
    layers
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

/// Top of the head, and the joint of head and neck: the narrowest slice above the shoulders, if it is about as high as usual.
fn head(slices: &Slices<'_>, shoulder: f32, depth: f32, markers: &mut Markers) {
    let (top, size, height) = (slices.max.y, slices.volume.size, slices.height());
    let wide = 0.12 * height;
    let near = |y: f32| slices.slice(|at| (at.y - y).abs() <= 0.5 * size && (at.x - slices.middle).abs() < wide);
    let [low, high] = NECK.map(|fraction| shoulder + fraction * height);
    let steps = ((high - low) / size) as usize;
    let heights = (0..=steps).map(|step| low + step as f32 * size);
    let narrow = heights.map(|y| (near(y).count, y)).filter(|(count, _)| *count > 0).min_by_key(|(count, _)| *count);
    let chin = narrow.map_or(0.5 * (low + high), |(_, y)| y + 0.01 * height).min(top);
    let slice = near(chin);
    // Hair is behind, a nose is in front.
    let middle = if slice.count > 0 { slice.centre.z } else { depth };
    let depth = middle.clamp(depth - 0.03 * height, depth + 0.03 * height);
    markers.insert("chin".into(), Vec3::new(slices.middle, chin, depth));
    markers.insert("head".into(), Vec3::new(slices.middle, top, depth));
}

/// How high above the shoulders the joint of head and neck is, of people and of figures with large heads alike, as fractions of the
/// height.
const NECK: [f32; 2] = [0.05, 0.08];
