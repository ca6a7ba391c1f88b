//! A skeleton under construction: where joints stand in the bind pose, which way they point, and weights by distance
//! along a limb.

use glam::{DQuat, DVec3, Mat4};
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::skin::Skin;
use keypose::anim::transform::Transform;

use crate::geometry::part::{Influences, Part, strongest};
use crate::geometry::shape::{Frame, Shape};
use crate::maths::{basis, mirrored, quantised, quantised_quat, quantised_vec, smoothstep};

/// A joint as it is written down: name, parent ("" for none), place in the model, where its y axis points.
pub type Joint = (&'static str, &'static str, [f64; 3], [f64; 3]);

/// Bones in level order with their bind pose in model space.
#[derive(Clone, Debug)]
pub struct Rig {
    /// In level order.
    pub names: Vec<String>,
    /// Lower than the bone's own index.
    pub parents: Vec<Option<usize>>,
    /// Model from bone.
    pub frames: Vec<Frame>,
    /// The bone on the other side; itself for one in the middle.
    pub other_side: Vec<u16>,
    /// The scale of each bone at rest. The bind pose has none.
    pub rest_scales: Vec<f64>,
}

/// How a part hangs on bones.
pub enum Bind<'a> {
    /// All of it on one bone.
    To(&'a str),
    /// Along a chain of bones: at each joint the next bone takes over within this distance of it.
    Chain(&'a [&'a str], f64),
    /// Point by point.
    By(&'a dyn Fn(DVec3) -> Vec<(&'static str, f64)>),
}

impl Rig {
    /// Sorts joints into level order; those that end in ".L" get a mirror image that ends in ".R".
    pub fn new(joints: &[Joint]) -> Rig {
        let mut all: Vec<(String, String, Frame)> = Vec::new();
        for &(name, parent, place, along) in joints {
            let rotation = basis(DVec3::from_array(along), DVec3::X);
            let frame = Frame { origin: DVec3::from_array(place), rotation };
            all.push((name.into(), parent.into(), frame));
            if name.ends_with(".L") {
                let origin = DVec3::new(-frame.origin.x, frame.origin.y, frame.origin.z);
                let frame = Frame { origin, rotation: mirrored(rotation) };
                all.push((other(name), other(parent), frame));
            }
        }
        let parents: Vec<_> = all.iter().map(|joint| all.iter().position(|other| other.0 == joint.1)).collect();
        let order = Skeleton::level_order(&parents).unwrap_or_default();
        let place = |old: usize| order.iter().position(|&at| at == old);
        let names: Vec<_> = order.iter().map(|&old| all[old].0.clone()).collect();
        let other_side = names.iter().map(|name| index_of(&names, &other(name)) as u16).collect();
        Rig {
            parents: order.iter().map(|&old| parents[old].and_then(place)).collect(),
            frames: order.iter().map(|&old| all[old].2).collect(),
            rest_scales: vec![1.0; names.len()],
            names,
            other_side,
        }
    }

    /// The place of a bone in the skeleton.
    pub fn bone(&self, name: &str) -> usize {
        index_of(&self.names, name)
    }

    /// Whether there is a bone of that name.
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|other| other == name)
    }

    /// A bone's frame in the bind pose.
    pub fn frame(&self, name: &str) -> Frame {
        self.frames[self.bone(name)]
    }

    /// A bone's rotation against its parent in the bind pose.
    pub fn rest_rotation(&self, bone: usize) -> DQuat {
        let parent = self.parents[bone].map_or(DQuat::IDENTITY, |parent| self.frames[parent].rotation);
        parent.conjugate() * self.frames[bone].rotation
    }

    /// A bone's place in its parent in the bind pose.
    pub fn rest_translation(&self, bone: usize) -> DVec3 {
        let frame = &self.frames[bone];
        let Some(parent) = self.parents[bone].map(|parent| self.frames[parent]) else { return frame.origin };
        parent.rotation.conjugate() * (frame.origin - parent.origin)
    }

    /// The skeleton; its rest pose is the bind pose.
    pub fn skeleton(&self) -> Skeleton {
        let bone = |at: usize| Bone {
            name: self.names[at].clone(),
            parent: self.parents[at].map(|parent| parent as u16),
            rest: Transform {
                translation: quantised_vec(self.rest_translation(at)),
                rotation: quantised_quat(self.rest_rotation(at)),
                scale: glam::Vec3::splat(quantised(self.rest_scales[at])),
            },
        };
        Skeleton::new((0..self.names.len()).map(bone).collect()).unwrap_or_default()
    }

    /// A skin with every bone as a joint, in the same order.
    pub fn skin(&self, name: &str) -> Skin {
        let inverse = |frame: &Frame| {
            let rotation = frame.rotation.conjugate();
            let matrix = glam::DMat4::from_rotation_translation(rotation, rotation * -frame.origin);
            Mat4::from_cols_array(&matrix.to_cols_array().map(quantised))
        };
        Skin {
            name: name.into(),
            joints: (0..self.names.len() as u16).collect(),
            inverse_binds: self.frames.iter().map(inverse).collect(),
        }
    }

    /// Hangs a part on bones.
    pub fn bind(&self, part: Part, bind: &Bind<'_>) -> Part {
        let weights = part.shape.points.iter().map(|&point| strongest(self.influences(bind, point))).collect();
        Part { weights, ..part }
    }

    /// A painted shape on bones, in one step.
    pub fn part(&self, shape: Shape, swatch: u8, bind: &Bind<'_>) -> Part {
        self.bind(Part::new(shape, swatch), bind)
    }

    fn influences(&self, bind: &Bind<'_>, point: DVec3) -> Influences {
        match bind {
            Bind::To(name) => vec![(self.bone(name) as u16, 1.0)],
            Bind::By(weights) => weights(point).into_iter().map(|(name, w)| (self.bone(name) as u16, w)).collect(),
            Bind::Chain(names, reach) => {
                let mut influences = vec![(self.bone(names[0]) as u16, 1.0)];
                for pair in names.windows(2) {
                    let (before, after) = (self.frame(pair[0]), self.frame(pair[1]));
                    let (up, down) = (before.rotation * DVec3::Y, after.rotation * DVec3::Y);
                    let axis = if up.dot(down) < 0.0 { down } else { (up + down).normalize() };
                    let part = smoothstep(-reach, *reach, (point - after.origin).dot(axis));
                    influences.iter_mut().for_each(|(_, weight)| *weight *= 1.0 - part);
                    influences.push((self.bone(pair[1]) as u16, part));
                }
                influences
            }
        }
    }
}

fn index_of(names: &[String], name: &str) -> usize {
    names.iter().position(|other| other == name).unwrap_or_else(|| panic!("there is no bone {name}"))
}

/// The name on the other side.
fn other(name: &str) -> String {
    match (name.strip_suffix(".L"), name.strip_suffix(".R")) {
        (Some(stem), _) => format!("{stem}.R"),
        (_, Some(stem)) => format!("{stem}.L"),
        _ => name.into(),
    }
}
