//! The seam of a looping clip. glTF holds a channel before its first and after its last key; here it goes from the last key to the
//! first. Keys at both ends of the clip show the same curve.

use glam::Vec4;

use crate::anim::curve::split_within;
use crate::anim::key::Key;
use crate::anim::time::Time;
use crate::anim::track::Track;

/// The maximum error of a rotation that is cut at the seam, in components of the quaternion.
const MAX_ERROR: f32 = 1e-5;

/// A key of a channel in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub time: Time,
    pub key: Key,
}

/// Returns the keys of a track and the keys that close its loop.
pub fn closed(track: &Track) -> Vec<Point> {
    let own = |(time, key): &(Time, Key)| Point { time: *time, key: *key };
    let mut points: Vec<Point> = track.keys.iter().map(own).collect();
    let ends = points.first().copied().zip(points.last().copied());
    let (Some((first, last)), Some(length)) = (ends, track.seam) else { return points };
    let secs = (first.time + length - last.time).secs() as f32;
    // Its curve leads from the key around the loop to itself.
    let bends = first.key.ease.has_tangents() && [first.key.in_tangent, first.key.out_tangent] != [Vec4::ZERO; 2];
    if secs <= 0.0 || points.len() == 1 && !bends {
        return points;
    }
    if first.time == Time::ZERO {
        points.push(Point { time: length, key: first.key.towards(&last.key) });
    } else if last.time == length {
        points.insert(0, Point { time: Time::ZERO, key: last.key.towards(&first.key) });
    } else {
        cut(&mut points, length, secs);
    }
    points
}

/// Cuts the segment across the seam at the end of the clip.
fn cut(points: &mut Vec<Point>, length: Time, secs: f32) {
    let (first, last) = (points[0], points[points.len() - 1]);
    let (mut from, mut to) = (last.key, first.key.towards(&last.key));
    let is_turned = to.value != first.key.value;
    let at = (length - last.time).fraction_of(first.time + length - last.time) as f32;
    let keys = split_within(&mut from, &mut to, secs, at, MAX_ERROR);
    let turned = |key: Key| if is_turned { key.negated() } else { key };
    let end = points.len() - 1;
    points[end].key.out_tangent = from.out_tangent;
    points[0].key.in_tangent = turned(to).in_tangent;
    let mut starts = Vec::new();
    for (fraction, key) in keys {
        let time = last.time + Time::from_secs(f64::from(fraction * secs));
        match fraction {
            before if before < at => points.push(Point { time: time.min(length), key }),
            after if after > at => {
                let time = (time - length).min(first.time);
                starts.push(Point { time, key: turned(key) });
            }
            _ => {
                points.push(Point { time: length, key });
                starts.push(Point { time: Time::ZERO, key: turned(key) });
            }
        }
    }
    points.splice(0..0, starts);
}
