//! Floor 0: what a pose is and how it moves. glam only: no I/O, no clock, no GL, no serialisation.
//!
//! The editable [`clip::Clip`] and the immutable [`bake::BakedClip`] are joined only by [`bake::bake`]; a pose goes
//! [`pose::LocalPose`] → [`pose::ModelPose`] → palette ([`skin::palette`]) → vertices ([`skin::cpu`]).

pub mod additive;
pub mod bake;
pub mod blend;
pub mod clip;
pub mod curve;
pub mod events;
pub mod fit;
pub mod ik;
pub mod inertial;
pub mod key;
pub mod keyframes;
pub mod machine;
pub mod mat34;
pub mod playback;
pub mod pose;
pub mod root_motion;
pub mod simd;
pub mod skeleton;
pub mod skin;
pub mod slerp;
pub mod tangent;
pub mod time;
pub mod track;
pub mod transform;
