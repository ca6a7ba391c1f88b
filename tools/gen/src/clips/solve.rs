//! From a pose as one says it to the local rotation of every bone: angles down the hierarchy, then legs and arms by
//! the law of cosines (two bones towards a place, the joint towards a pole).

use glam::{DQuat, DVec3};

use crate::clips::pose::{Foot, Pose, Reach, Side, bone};
use crate::knight::GRIP;
use crate::maths::{basis, euler, turn};
use crate::rig::Rig;

/// Bones whose degrees are about their own axes; those of the others are about the model's.
const OWN_AXES: [&str; 3] = ["forearm", "hand", "weapon"];

/// A pose on the bones.
pub struct Solved {
    /// Local rotation of every bone.
    pub rotations: Vec<DQuat>,
    /// Local translation of the hips.
    pub hips: DVec3,
}

/// Where every bone is while it is being solved.
struct Body<'a> {
    rig: &'a Rig,
    pose: &'a Pose,
    places: Vec<DVec3>,
    rotations: Vec<DQuat>,
}

/// Puts a pose onto the bones.
pub fn solve(rig: &Rig, pose: &Pose) -> Solved {
    let count = rig.names.len();
    let mut body = Body { rig, pose, places: vec![DVec3::ZERO; count], rotations: vec![DQuat::IDENTITY; count] };
    body.turn_all();
    for (&side, foot) in &pose.feet {
        body.place_foot(side, foot);
    }
    for (&side, reach) in &pose.hands {
        body.place_hand(side, reach);
    }
    for (&side, &blade) in &pose.blades {
        body.point_blade(side, blade);
    }
    if rig.has("tabard_front") {
        body.lift_panels();
    }
    let local = |at: usize| match rig.parents[at] {
        Some(parent) => (body.rotations[parent].conjugate() * body.rotations[at]).normalize(),
        None => body.rotations[at],
    };
    Solved { rotations: (0..count).map(local).collect(), hips: body.places[rig.bone("hips")] }
}

impl Body<'_> {
    fn turn_all(&mut self) {
        for at in 0..self.rig.names.len() {
            self.turn_one(at);
        }
    }

    /// The place and rotation of one bone from its parent and its own degrees.
    fn turn_one(&mut self, at: usize) {
        let (rig, name) = (self.rig, &self.rig.names[at]);
        let turned = euler(self.pose.turns.get(name).copied().unwrap_or_default());
        let rest = rig.frames[at].rotation;
        let (from, place) = match rig.parents[at] {
            Some(parent) => {
                let offset = rig.rest_translation(at);
                let rotation = self.rotations[parent] * rig.frames[parent].rotation.conjugate();
                (rotation, self.places[parent] + self.rotations[parent] * offset)
            }
            None => (DQuat::IDENTITY, rig.frames[at].origin),
        };
        let moved = if name == "hips" { self.pose.hips } else { DVec3::ZERO };
        let own = OWN_AXES.iter().any(|stem| name.starts_with(stem));
        self.places[at] = place + moved;
        self.rotations[at] = if own { from * rest * turned } else { from * turned * rest };
    }

    /// Two bones of a limb so that the end of the second comes to `target`, their joint towards `pole`.
    fn bend(&mut self, [upper, lower, end]: [usize; 3], target: DVec3, pole: DVec3, knee: bool) {
        let rest = |at: usize| self.rig.frames[at].origin;
        let (first, second) = (rest(lower) - rest(upper), rest(end) - rest(lower));
        let (a, b) = (first.length(), second.length());
        let start = self.places[upper];
        let along = target - start;
        let length = along.length().clamp((a - b).abs() + 0.02, a + b - 1e-4);
        let along = along.normalize();
        let side = (pole - along * pole.dot(along)).normalize();
        let reach = (a * a - b * b + length * length) / (2.0 * length);
        let height = (a * a - reach * reach).max(0.0).sqrt();
        let joint = start + along * reach + side * height;
        let hinge = if knee { side.cross(along) } else { along.cross(side) };
        let stop = start + along * length;
        self.point(upper, first, joint - start, hinge);
        self.places[lower] = joint;
        self.point(lower, second, stop - joint, hinge);
        self.places[end] = stop;
    }

    /// Turns a bone so that what lies along `rest` at rest lies along `to`, its x axis along `hinge`.
    fn point(&mut self, at: usize, rest: DVec3, to: DVec3, hinge: DVec3) {
        let from = basis(rest, DVec3::X);
        self.rotations[at] = basis(to, hinge) * from.conjugate() * self.rig.frames[at].rotation;
    }

    fn place_foot(&mut self, side: Side, foot: &Foot) {
        let rig = self.rig;
        let limb = ["thigh", "shin", "foot"].map(|stem| rig.bone(&bone(stem, side)));
        let ankle = rig.frames[limb[2]].origin + DVec3::new(foot.out * side.sign(), foot.up, foot.forward);
        let heading = turn(DVec3::Y, foot.splay * side.sign());
        let hips = self.rotations[rig.bone("hips")];
        let pole = (heading * DVec3::Z + hips * DVec3::Z + DVec3::X * (0.12 * side.sign())).normalize();
        self.bend(limb, ankle, pole, true);
        let foot_turn = heading * turn(DVec3::X, foot.pitch);
        self.rotations[limb[2]] = foot_turn * rig.frames[limb[2]].rotation;
        if rig.has(&bone("toe", side)) {
            let toe = rig.bone(&bone("toe", side));
            self.rotations[toe] = foot_turn * turn(DVec3::X, -foot.toes) * rig.frames[toe].rotation;
        }
    }

    /// The arm first as if the wrist were the grip, then once more with the hand's true direction.
    fn place_hand(&mut self, side: Side, reach: &Reach) {
        let rig = self.rig;
        let limb = ["upper_arm", "forearm", "hand"].map(|stem| rig.bone(&bone(stem, side)));
        let grip = DVec3::new(GRIP.x * side.sign(), GRIP.y, GRIP.z);
        let mut wrist = reach.grip;
        for _ in 0..4 {
            self.bend(limb, wrist, reach.elbow, false);
            let own = euler(self.pose.turns.get(&rig.names[limb[2]]).copied().unwrap_or_default());
            self.rotations[limb[2]] = self.rotations[limb[1]] * rig.rest_rotation(limb[2]) * own;
            if let Some(&blade) = self.pose.blades.get(&side) {
                self.point_blade(side, blade);
            }
            wrist = reach.grip - self.rotations[limb[2]] * grip;
        }
        self.turn_one(rig.bone("weapon"));
    }

    /// Turns the hand by the shortest way until its blade points there.
    fn point_blade(&mut self, side: Side, to: DVec3) {
        let (hand, weapon) = (self.rig.bone(&bone("hand", side)), self.rig.bone("weapon"));
        let along = match side {
            Side::Right => self.rig.rest_rotation(weapon) * DVec3::Y,
            Side::Left => crate::maths::mirrored(self.rig.rest_rotation(weapon)) * DVec3::Y,
        };
        let now = self.rotations[hand] * along;
        self.rotations[hand] = DQuat::from_rotation_arc(now, to.normalize()) * self.rotations[hand];
        self.turn_one(weapon);
    }

    /// The panels hang, but lie over a thigh that is raised.
    fn lift_panels(&mut self) {
        let rig = self.rig;
        let hips = self.rotations[rig.bone("hips")];
        let raised = Side::BOTH.map(|side| {
            let thigh = rig.bone(&bone("thigh", side));
            let along = hips.conjugate() * self.rotations[thigh] * DVec3::Y;
            degrees_of_sine(along.z)
        });
        let front = raised[0].max(raised[1]).clamp(0.0, 70.0);
        let back = (-raised[0].min(raised[1])).clamp(0.0, 60.0);
        let [blown_front, blown_back] = self.pose.cloth;
        let turns = [
            ("tabard_front", -front * 0.92 - blown_front),
            ("tabard_front_tip", -front * 0.35 - blown_front * 1.7),
            ("tabard_back", back * 0.75 + blown_back),
            ("tabard_back_tip", back * 0.35 + blown_back * 1.7),
        ];
        for (name, degrees) in turns {
            let at = rig.bone(name);
            self.rotations[at] = hips * turn(DVec3::X, degrees) * rig.frames[at].rotation;
        }
    }
}

/// The angle of a sine, in degrees, to a degree or so: enough for cloth.
fn degrees_of_sine(sine: f64) -> f64 {
    let s = sine.clamp(-1.0, 1.0);
    let s2 = s * s;
    (s * (1.0 + s2 * (1.0 / 6.0 + s2 * (0.075 + s2 * (0.045 + s2 * 0.25))))).to_degrees()
}
