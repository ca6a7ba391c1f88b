//! A pose as one says it: where the hips and the feet are, how the trunk leans and turns, how the arms hang.
//!
//! Degrees, positive as the right hand turns about the model's axes: about x (to his left) leans forwards and swings a
//! limb back; about y (up) turns to his left; about z (forwards) leans to his right. What is true of a left limb holds
//! for a right one in the mirror.

use std::collections::BTreeMap;

use glam::DVec3;

/// Left or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    /// Both sides, the left one first.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// The end of a bone's name.
    pub fn suffix(self) -> &'static str {
        if self == Side::Left { ".L" } else { ".R" }
    }

    /// 1 for the left, −1 for the right: the sign of x.
    pub fn sign(self) -> f64 {
        if self == Side::Left { 1.0 } else { -1.0 }
    }

    /// The other one.
    pub fn other(self) -> Side {
        if self == Side::Left { Side::Right } else { Side::Left }
    }
}

/// Where a foot is: its place against where it stands at rest, metres, and how far its toes point down.
#[derive(Clone, Copy, Debug, Default)]
pub struct Foot {
    /// Outwards.
    pub out: f64,
    /// Of the ankle.
    pub up: f64,
    /// Of the ankle.
    pub forward: f64,
    /// Degrees, toes down.
    pub pitch: f64,
    /// Degrees by which the toes bend up against the foot.
    pub toes: f64,
    /// Degrees, toes outwards.
    pub splay: f64,
}

/// From the ankle to the point of the heel on the floor, and to the ball of the foot: forwards, down.
const HEEL: [f64; 2] = [-0.055, 0.105];
const BALL: [f64; 2] = [0.130, 0.105];

impl Foot {
    /// Flat on the floor.
    pub fn flat(forward: f64) -> Foot {
        Foot { forward, ..Foot::default() }
    }

    /// On its heel, the toes raised.
    pub fn heel(forward: f64, degrees: f64) -> Foot {
        Foot::about(HEEL, forward, -degrees)
    }

    /// On its ball, the heel raised and the toes flat.
    pub fn ball(forward: f64, degrees: f64) -> Foot {
        Foot { toes: degrees, ..Foot::about(BALL, forward, degrees) }
    }

    /// Off the floor.
    pub fn air(forward: f64, up: f64, pitch: f64) -> Foot {
        Foot { forward, up, pitch, ..Foot::default() }
    }

    /// The toes bent up against the foot.
    pub fn toes(self, toes: f64) -> Foot {
        Foot { toes, ..self }
    }

    /// Standing wider, with the toes turned out.
    pub fn wide(self, out: f64, splay: f64) -> Foot {
        Foot { out, splay, ..self }
    }

    fn about([z, y]: [f64; 2], forward: f64, pitch: f64) -> Foot {
        let (sin, cos) = crate::maths::sin_cos(pitch);
        // The pivot stays where it lies while the foot is flat.
        let moved = [z * cos - y * sin, -y * cos - z * sin];
        Foot { forward: forward + z - moved[0], up: -y - moved[1], pitch, ..Foot::default() }
    }
}

/// Where a hand's grip is in the model, and where its elbow points.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// For the left hand; in the mirror for the right.
    pub grip: DVec3,
    /// A direction.
    pub elbow: DVec3,
}

/// A whole pose.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// Metres from where they are at rest.
    pub hips: DVec3,
    /// Degrees by bone.
    pub turns: BTreeMap<String, [f64; 3]>,
    /// Feet that are placed; the leg follows.
    pub feet: BTreeMap<Side, Foot>,
    /// Hands that are placed; the arm follows.
    pub hands: BTreeMap<Side, Reach>,
    /// Where a blade in a hand points.
    pub blades: BTreeMap<Side, DVec3>,
    /// Sizes of bones that have another than at rest.
    pub scales: BTreeMap<String, f64>,
    /// Degrees by which the front and the back panel are lifted, on top of what the legs do.
    pub cloth: [f64; 2],
    /// How far forwards the root is: the way that the clip moves him. All else is given against it.
    pub way: Option<f64>,
}

impl Pose {
    /// Hips moved: to his left, up, forwards.
    pub fn hips(mut self, left: f64, up: f64, forward: f64) -> Pose {
        self.hips = DVec3::new(left, up, forward);
        self
    }

    /// A bone turned.
    pub fn turn(mut self, bone: &str, degrees: [f64; 3]) -> Pose {
        self.turns.insert(bone.into(), degrees);
        self
    }

    /// The trunk above the hips: half by the spine, half by the chest.
    pub fn trunk(self, pitch: f64, yaw: f64, roll: f64) -> Pose {
        let half = [pitch / 2.0, yaw / 2.0, roll / 2.0];
        self.turn("spine", half).turn("chest", half)
    }

    /// Neck and head together.
    pub fn head(self, pitch: f64, yaw: f64, roll: f64) -> Pose {
        let part = |share: f64| [pitch * share, yaw * share, roll * share];
        self.turn("neck", part(0.4)).turn("head", part(0.6))
    }

    /// A foot placed.
    pub fn foot(mut self, side: Side, foot: Foot) -> Pose {
        self.feet.insert(side, foot);
        self
    }

    /// An arm: degrees forwards, away from the body (0 as at rest), twisted inwards, and how far the elbow is bent.
    pub fn arm(self, side: Side, forward: f64, out: f64, inward: f64, elbow: f64) -> Pose {
        let (upper, fore) = (bone("upper_arm", side), bone("forearm", side));
        let sign = side.sign();
        self.turn(&upper, [-forward, -inward * sign, out * sign]).turn(&fore, [-elbow, 0.0, 0.0])
    }

    /// A wrist: degrees by which a blade in the hand is lowered, turned inwards, rolled.
    pub fn wrist(self, side: Side, lower: f64, roll: f64, inward: f64) -> Pose {
        let sign = side.sign();
        self.turn(&bone("hand", side), [lower, roll * sign, inward * sign])
    }

    /// A shoulder raised and moved forwards, degrees.
    pub fn shoulder(self, side: Side, up: f64, forward: f64) -> Pose {
        let sign = side.sign();
        self.turn(&bone("shoulder", side), [0.0, -forward * sign, up * sign])
    }

    /// A hand placed.
    pub fn hand(mut self, side: Side, grip: [f64; 3], elbow: [f64; 3]) -> Pose {
        let mirror = DVec3::new(side.sign(), 1.0, 1.0);
        let reach = Reach { grip: DVec3::from_array(grip) * mirror, elbow: DVec3::from_array(elbow) * mirror };
        self.hands.insert(side, reach);
        self
    }

    /// A blade pointed, in the model: outwards, up, forwards; the wrist follows.
    pub fn blade(mut self, side: Side, [out, up, forward]: [f64; 3]) -> Pose {
        self.blades.insert(side, DVec3::new(out * side.sign(), up, forward));
        self
    }

    /// A bone's size.
    pub fn scale(mut self, bone: &str, factor: f64) -> Pose {
        self.scales.insert(bone.into(), factor);
        self
    }

    /// A leg by its angles: thigh forwards, knee bent, thigh outwards, toes down.
    pub fn leg(self, side: Side, forward: f64, knee: f64, out: f64, toes: f64) -> Pose {
        self.turn(&bone("thigh", side), [-forward, 0.0, out * side.sign()])
            .turn(&bone("shin", side), [knee, 0.0, 0.0])
            .turn(&bone("foot", side), [toes, 0.0, 0.0])
    }

    /// The plume bent back by its root and its tip.
    pub fn plume(self, root: f64, tip: f64) -> Pose {
        self.turn("plume", [root, 0.0, 0.0]).turn("plume_tip", [tip, 0.0, 0.0])
    }

    /// The panels lifted, before and behind.
    pub fn cloth(self, front: f64, back: f64) -> Pose {
        Pose { cloth: [front, back], ..self }
    }

    /// The root moved forwards.
    pub fn way(self, forward: f64) -> Pose {
        Pose { way: Some(forward), ..self }
    }

    /// The other way round.
    pub fn mirrored(&self) -> Pose {
        let name = |bone: &String| match (bone.strip_suffix(".L"), bone.strip_suffix(".R")) {
            (Some(stem), _) => format!("{stem}.R"),
            (_, Some(stem)) => format!("{stem}.L"),
            _ => bone.clone(),
        };
        let across = DVec3::new(-1.0, 1.0, 1.0);
        let reach = |reach: &Reach| Reach { grip: reach.grip * across, elbow: reach.elbow * across };
        Pose {
            hips: self.hips * across,
            turns: self.turns.iter().map(|(bone, &[x, y, z])| (name(bone), [x, -y, -z])).collect(),
            feet: self.feet.iter().map(|(side, &foot)| (side.other(), foot)).collect(),
            hands: self.hands.iter().map(|(side, hand)| (side.other(), reach(hand))).collect(),
            blades: self.blades.iter().map(|(side, &blade)| (side.other(), blade * across)).collect(),
            scales: self.scales.iter().map(|(bone, &factor)| (name(bone), factor)).collect(),
            cloth: self.cloth,
            way: self.way,
        }
    }
}

/// A bone's name on a side.
pub fn bone(stem: &str, side: Side) -> String {
    format!("{stem}{}", side.suffix())
}
