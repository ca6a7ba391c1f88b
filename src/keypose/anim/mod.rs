//! The animation runtime: skeletons, clips, poses, blending, IK, state machines and skinning. The lowest layer; depends
//! on glam only: no I/O, no clock, no GL, no serialization.
//!
//! [`bake::bake`] converts the editable [`clip::Clip`] to the immutable [`bake::BakedClip`]. A pose goes from
//! [`pose::LocalPose`] to [`pose::ModelPose`], to the palette ([`skin::palette`]), to vertices ([`skin::cpu`]).

pub mod additive;
pub mod bake;
pub mod bezier;
pub mod blend;
pub mod choice;
pub mod clip;
pub mod curve;
pub mod delay;
pub mod events;
pub mod fit;
pub mod ik;
pub mod inertial;
pub mod key;
pub mod keyframes;
pub mod keys;
pub mod lanes;
mod layers;
pub mod machine;
pub mod mat34;
pub mod morph;
pub mod nearest_keys;
pub mod parallel;
pub mod playback;
pub mod pose;
pub mod reduce_poses;
pub mod root_motion;
pub mod scalar;
pub mod scalar_tracks;
pub mod seam;
pub mod shared_list;
pub mod simd;
pub mod skeleton;
pub mod skin;
pub mod slerp;
pub mod spring;
pub mod tangent;
pub mod time;
pub mod track;
pub mod transform;
