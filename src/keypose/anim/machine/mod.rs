//! The animation state machine, which determines how a character looks, never what happens. A [`def::MachineDef`]
//! defines states, their motions and the transitions between them; a [`Machine`](play::Machine) is the playback state
//! of one character.
//!
//! [`parts`] are plain values that are edited and stored, [`def::MachineDef`] is validated, [`bound::BoundMachine`]
//! adds the clips of one model, and [`parameters::Parameters`] holds the values that the game sets on every tick.
//! Updating and sampling don't allocate after the first few ticks, and the same updates give the same poses.
//!
//! ```
//! use std::sync::Arc;
//! use keypose::anim::{bake::bake, clip::{Clip, Keyframe, LoopMode}, pose::LocalPose, skeleton::{Bone, Skeleton}};
//! use keypose::anim::machine::{
//!     bound::{BoundMachine, MachineClip}, def::MachineDef, parameters::Parameters,
//!     parts::{Condition, Fade, TransitionSource, MachineParts, Motion, ParameterDef, StateDef, TransitionDef, Value},
//!     play::{Machine, Scratch},
//! };
//! use keypose::anim::{time::Time, transform::Transform};
//!
//! let bone = Bone { name: "hips".into(), parent: None, rest: Transform::IDENTITY };
//! let skeleton = Skeleton::new(vec![bone]).unwrap();
//! let clip = |name: &str| Clip {
//!     loop_mode: LoopMode::Loop,
//!     keyframes: [Keyframe { duration: Time::SECOND, ..Keyframe::default() }].into(),
//!     ..Clip::new(name)
//! };
//! let clips = ["stand", "walk"].map(|name| Arc::new(bake(&clip(name), &skeleton)));
//!
//! let def = MachineDef::new(MachineParts {
//!     parameters: vec![ParameterDef::new("speed", Value::Number(0.0))],
//!     states: vec![
//!         StateDef::new("stand", Motion::Clip("stand".into())),
//!         StateDef::new("walk", Motion::Clip("walk".into())),
//!     ],
//!     transitions: vec![TransitionDef {
//!         conditions: vec![Condition::Above { parameter: "speed".into(), value: 0.1 }],
//!         fade: Fade::cross(0.2),
//!         ..TransitionDef::new(TransitionSource::State("stand".into()), "walk")
//!     }],
//!     start: "stand".into(),
//!     ..MachineParts::default()
//! })?;
//!
//! let find = |_: &StateDef, name: &str| clips.iter().find(|clip| clip.name == name).cloned().map(MachineClip::new);
//! let bound = Arc::new(BoundMachine::new(Arc::new(def), &skeleton, find));
//! let speed = bound.def().parameter("speed").unwrap();
//! let (mut parameters, mut scratch) = (Parameters::new(bound.def()), Scratch::default());
//! let mut machine = Machine::new(bound);
//! let mut pose = LocalPose::default();
//!
//! parameters.set_number(speed, 1.5)?;
//! for _tick in 0..60 {
//!     machine.update(1.0 / 60.0, &mut parameters, &mut scratch);
//!     machine.sample(&mut scratch, &mut pose);
//! }
//! assert_eq!(machine.state_name(), "walk");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bound;
pub mod def;
mod layer;
pub mod layer_def;
mod overlay;
pub mod parameters;
pub mod parts;
pub mod play;
pub mod space;
