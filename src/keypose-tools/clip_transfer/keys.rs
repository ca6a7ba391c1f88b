//! The conversion of single keys: constant rotations on both sides, and a linear map of positions.

use glam::{DMat3, DQuat, DVec3, DVec4, Vec3, Vec4};

use crate::anim::fit;
use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::track::Track;
use crate::clip_transfer::Transfer;
use crate::clip_transfer::frames::{flipped, turn_of};
use crate::clip_transfer::pairing::Pairing;
use crate::clip_transfer::posed::Place;

/// Rotations by less than this change nothing, in radians: files round them to four decimals of a degree.
const SAME_ROTATION: f64 = 2e-5;
/// Positions and lengths that differ by this part are the same.
const SAME_LENGTH: f64 = 1e-4;
/// Bones of the same rig in another unit rest at places that differ by less than this part.
const ALIKE: f64 = 1e-3;
/// The maximum way of the hips, in leg lengths, that depends on their rotation before they are sampled.
const HIPS_SWING: f64 = 0.01;

/// The conversion of the keys of one bone.
#[derive(Clone, Debug)]
pub struct Conversion {
    pub to: BoneIndex,
    /// Conversion of rotations; `None` if they are copied.
    turn: Option<Turn>,
    /// Conversion of positions.
    way: Way,
    /// Motion that its positions follow.
    pub place: Place,
    /// Conversion of scales; `None` if they are copied.
    scale: Option<DMat3>,
    /// Whether no constants convert its keys.
    pub is_loose: bool,
    /// The bones of the source between this one and the next paired one above.
    pub between: Vec<BoneIndex>,
    /// Bones of these whose scale is taken over if this one is at the top, and the conversion of it.
    pub carried: Vec<(BoneIndex, Option<DMat3>)>,
    /// The bones whose keys move this one.
    pub follows: Vec<BoneIndex>,
}

/// Conversion of rotations.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// Applied on the left and on the right.
    left: DQuat,
    right: DQuat,
    /// Whether the parents of source and target are mirrored.
    mirrored: [bool; 2],
}

/// Linear conversion of positions.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// Rest positions of source and target.
    rests: [DVec3; 2],
    /// From vectors of the source's parent to those of the target's.
    linear: DMat3,
    /// The target's up in its parent, as long as one model unit.
    up: DVec3,
    /// Whether it changes nothing without a lift.
    is_same: bool,
    /// Whether both bones rest at the same place, in their own units: the lengths of the source are those of the target.
    is_alike: bool,
}

/// The conversions of the bones of the source.
pub fn conversions(pairing: &Pairing, skeletons: [&Skeleton; 2], places: &[Place]) -> Vec<Option<Conversion>> {
    let of = |(bone, target): (usize, &Option<BoneIndex>)| {
        target.map(|target| conversion(pairing, skeletons, (bone as BoneIndex, target), places[usize::from(target)]))
    };
    pairing.target.iter().enumerate().map(of).collect()
}

fn conversion(
    pairing: &Pairing,
    [from, to]: [&Skeleton; 2],
    (bone, target): (BoneIndex, BoneIndex),
    place: Place,
) -> Conversion {
    let (above, source_above) = (pairing.above(to, target), pairing.above_source(from, bone));
    let is_regular = above.and_then(|above| pairing.source[usize::from(above)]) == source_above;
    let [from_rest, to_rest] = &pairing.rests;
    let [(source_parent, source_affine), (target_parent, target_affine)] =
        [from_rest.above(from.parent(bone)), to_rest.above(to.parent(target))];
    let fit = above.map_or(DQuat::IDENTITY, |above| pairing.fits[usize::from(above)]);
    let left = ((fit * target_parent).inverse() * pairing.own * source_parent).normalize();
    let axes = pairing.axes[usize::from(target)];
    let target_linear = DMat3::from_quat(fit) * target_affine.matrix3;
    let inverse = if target_linear.determinant().abs() > 1e-30 { target_linear.inverse() } else { DMat3::IDENTITY };
    let linear = inverse * DMat3::from_quat(pairing.own) * source_affine.matrix3 * pairing.scale;
    let rests = [rest(from, bone), rest(to, target)];
    let between: Vec<BoneIndex> = from.above(bone).take_while(|above| Some(*above) != source_above).collect();
    let mut follows = vec![bone];
    follows.extend(&between);
    if !is_regular {
        let target_above = above.and_then(|above| pairing.source[usize::from(above)]);
        let all = |bone: Option<BoneIndex>| std::iter::successors(bone, |bone| from.parent(*bone));
        follows.extend(all(source_above).chain(all(target_above)));
    }
    let is_loose = !is_regular || (place == Place::Hips && swings(pairing));
    let (own, other) = (from.bones()[usize::from(bone)].rest, to.bones()[usize::from(target)].rest);
    let right = turn_of(own.scale).0 * axes * turn_of(other.scale).0.inverse();
    let carried = between.iter().filter(|_| matches!(place, Place::Model | Place::Hips)).map(|above| {
        let axes = from_rest.rotation(*above).inverse() * from_rest.rotation(bone) * axes;
        (*above, scaling(axes, [from.bones()[usize::from(*above)].rest.scale, other.scale]))
    });
    let carried = carried.collect();
    let mirrored = [from_rest.is_mirrored(from.parent(bone)), to_rest.is_mirrored(to.parent(target))];
    let is_turned = angle(left) > SAME_ROTATION || angle(right) > SAME_ROTATION || mirrored[0] != mirrored[1];
    Conversion {
        to: target,
        turn: is_turned.then_some(Turn { left, right, mirrored }),
        way: Way {
            rests,
            linear,
            up: inverse * DVec3::Y,
            is_same: is_same(rests, linear),
            is_alike: is_near([linear * rests[0], rests[1]], ALIKE),
        },
        place,
        scale: scaling(axes, [own.scale, other.scale]),
        is_loose,
        between,
        carried,
        follows,
    }
}

/// How much each axis of a target with these scales at rest is scaled by those of the source, whose axes may have other directions.
fn scaling(axes: DQuat, [own, other]: [Vec3; 2]) -> Option<DMat3> {
    let axes = if angle(axes) > SAME_ROTATION { DMat3::from_quat(axes) } else { DMat3::IDENTITY };
    let column = |from: usize| {
        let part = |to: usize| axes.col(to)[from].powi(2) * f64::from(other[to] / own[from]);
        DVec3::new(part(0), part(1), part(2))
    };
    let linear = DMat3::from_cols(column(0), column(1), column(2));
    let is_same = own.abs().min_element() <= 1e-9 || linear.abs_diff_eq(DMat3::IDENTITY, 1e-4);
    (!is_same).then_some(linear)
}

/// Whether the hips of both are at different places relative to the legs, so that their position depends on their rotation.
fn swings(pairing: &Pairing) -> bool {
    let (Some([of, hips]), Some([before, after])) = (pairing.hips, pairing.leg_roots()) else { return false };
    let from = pairing.own * (pairing.rests[0].place(of) - before) * pairing.scale;
    let to = pairing.fits[usize::from(hips)] * (pairing.rests[1].place(hips) - after);
    from.distance(to) > HIPS_SWING * pairing.leg_length
}

/// Whether a track turns a bone above the hips that rests elsewhere relative to them than that of the target, so that the hips go another
/// way.
pub fn leans(pairing: &Pairing, from: &Skeleton, track: &Track) -> bool {
    let (Some([hips, to_hips]), Some(bone)) = (pairing.hips, from.get(track.bone)) else { return false };
    let Some(above) = pairing.target[usize::from(track.bone)] else { return false };
    if track.channel != Channel::Rotation || hips == track.bone || !from.is_below(hips, track.bone) {
        return false;
    }
    let [from_rest, to_rest] = &pairing.rests;
    let should = pairing.own * (from_rest.place(hips) - from_rest.place(track.bone)) * pairing.scale;
    let is = pairing.fits[usize::from(above)] * (to_rest.place(to_hips) - to_rest.place(above));
    let to_model = DMat3::from_quat(pairing.own) * from_rest.above(bone.parent).1.matrix3;
    let rest = to_model * DMat3::from_quat(bone.rest.rotation.as_dquat());
    let apart = rest.inverse() * (should - is);
    let turned = |value: Vec4| to_model * (DQuat::from_vec4(value.as_dvec4()) * apart);
    let is_far = |key: &Key| turned(key.value).distance(rest * apart) > HIPS_SWING * pairing.leg_length;
    track.keys.iter().any(|(_, key)| is_far(key))
}

impl Conversion {
    /// The key for the target. Hips are lifted by `lift` in model units.
    pub fn key(&self, key: &Key, lift: f64) -> Key {
        let of = key.bone;
        let mut key = Key { bone: self.to, ..*key };
        match key.channel {
            Channel::Translation => {
                let way = &self.way;
                if !way.is_same || way.has(lift) {
                    let moved = |value: Vec4| way.moved(value.truncate(), lift).extend(0.0);
                    let slope = |value: Vec4| (way.linear * value.truncate().as_dvec3()).as_vec3().extend(0.0);
                    key = key.mapped(moved, slope);
                }
            }
            Channel::Rotation => {
                if let Some(Turn { left, right, mirrored: [from, to] }) = self.turn {
                    let turned = |value: Vec4| {
                        let turn = left * flipped(DQuat::from_vec4(value.as_dvec4()), from) * right;
                        DVec4::from(flipped(turn, to)).as_vec4()
                    };
                    key = key.mapped(|value| turned(value).normalize_or(Channel::Rotation.neutral()), turned);
                }
            }
            Channel::Scale => {
                let carried = self.carried.iter().find(|(bone, _)| *bone == of);
                if let Some(linear) = carried.map_or(self.scale, |(_, linear)| *linear) {
                    let scaled = |value: Vec4| (linear * value.truncate().as_dvec3()).as_vec3().extend(0.0);
                    key = key.mapped(scaled, scaled);
                }
            }
            // Scalars are found by name, not by bone.
            Channel::Scalar(_) => {}
        }
        key
    }

    /// The keys of a clip that has none for this bone: where the source rests, if the target rests elsewhere.
    pub fn rest_keys(&self, [from, to]: [&Skeleton; 2], bone: BoneIndex, lift: f64) -> [Option<Key>; 2] {
        let (Some(from), Some(to)) = (from.get(bone), to.get(self.to)) else { return [None, None] };
        let rotation = self.key(&Key::rotation(bone, from.rest.rotation), 0.0);
        let is_other = fit::distance(Channel::Rotation, rotation.value, Vec4::from(to.rest.rotation)) > 1e-3;
        let place = self.key(&Key::translation(bone, from.rest.translation), lift);
        let is_lifted = self.place == Place::Hips && self.way.has(lift);
        [is_other.then_some(rotation), is_lifted.then_some(place)]
    }

    /// Whether the position of a bone follows its source, which `travels` or stays where it is: such a position is a length of the
    /// character, unless both have the same.
    pub fn follows_place(&self, travels: bool) -> bool {
        travels || self.way.is_alike
    }

    /// The length of the axes of the source's parent, in model units of the target.
    pub fn unit(&self) -> f64 {
        self.way.linear.determinant().abs().cbrt() / self.way.up.length().max(1e-30)
    }
}

impl Way {
    fn moved(&self, place: Vec3, lift: f64) -> Vec3 {
        let [from, to] = self.rests;
        (to + self.linear * (place.as_dvec3() - from) + self.up * lift).as_vec3()
    }

    /// Whether a lift is large enough to matter.
    fn has(&self, lift: f64) -> bool {
        lift.abs() * self.up.length() > SAME_LENGTH * self.rests[1].length()
    }
}

/// Whether two places differ by a small part of their distance from the parent.
fn is_near([a, b]: [DVec3; 2], part: f64) -> bool {
    a.distance(b) <= part * a.length().max(b.length())
}

fn is_same(rests: [DVec3; 2], linear: DMat3) -> bool {
    is_near(rests, SAME_LENGTH)
        && (0..3).all(|axis| (linear.col(axis) - DMat3::IDENTITY.col(axis)).length() <= SAME_LENGTH)
}

impl Transfer<'_> {
    /// The size of the source in the units of a bone's position.
    pub(super) fn size_at(&self, bone: BoneIndex) -> f32 {
        let unit = self.conversions[usize::from(bone)].as_ref().map_or(1.0, Conversion::unit);
        (self.pairing.leg_length / unit.max(1e-12)) as f32
    }
}

fn rest(skeleton: &Skeleton, bone: BoneIndex) -> DVec3 {
    skeleton.get(bone).map_or(DVec3::ZERO, |bone| bone.rest.translation.as_dvec3())
}

/// The angle of a rotation.
fn angle(rotation: DQuat) -> f64 {
    2.0 * rotation.xyz().length().atan2(rotation.w.abs())
}
