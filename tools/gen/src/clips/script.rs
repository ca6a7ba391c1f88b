//! A clip as it is written down: poses and how many frames each lasts. Smooth curves through them all, by automatic
//! tangents.

use glam::{Vec3, Vec4};
use keypose::anim::clip::{Clip, Event, Keyframe, LoopMode};
use keypose::anim::curve::auto_tangent;
use keypose::anim::key::{Channel, Ease, Key};
use keypose::anim::root_motion::RootMotion;
use keypose::anim::time::{FrameRate, Time};

use crate::clips::pose::Pose;
use crate::clips::solve::{Solved, solve};
use crate::maths::{quantised, quantised_quat, quantised_vec};
use crate::rig::Rig;

/// Poses with their durations in frames of 1/30 s.
pub struct Script {
    name: &'static str,
    loop_mode: LoopMode,
    poses: Vec<(i64, Pose)>,
    events: Vec<(i64, &'static str)>,
}

impl Script {
    /// A clip that goes round.
    pub fn looping(name: &'static str) -> Script {
        Script { name, loop_mode: LoopMode::Loop, poses: vec![], events: vec![] }
    }

    /// A clip that holds its end.
    pub fn once(name: &'static str) -> Script {
        Script { name, loop_mode: LoopMode::Once, poses: vec![], events: vec![] }
    }

    /// A pose, and how many frames it takes to the next one.
    pub fn pose(mut self, frames: i64, pose: Pose) -> Script {
        self.poses.push((frames, pose));
        self
    }

    /// An event at a frame.
    pub fn event(mut self, frame: i64, name: &'static str) -> Script {
        self.events.push((frame, name));
        self
    }

    /// The clip on these bones.
    pub fn clip(&self, rig: &Rig) -> Clip {
        let rate = FrameRate::FPS_30;
        let mut solved: Vec<Solved> = self.poses.iter().map(|(_, pose)| solve(rig, pose)).collect();
        keep_hemisphere(&mut solved);
        let keyframe = |(solved, (frames, pose)): (&Solved, &(i64, Pose))| Keyframe {
            duration: rate.time_of(*frames),
            keys: keys(rig, solved, pose).into(),
            ..Keyframe::default()
        };
        let travels = self.poses.iter().any(|(_, pose)| pose.way.is_some());
        let mut clip = Clip {
            frame_rate: rate,
            loop_mode: self.loop_mode,
            keyframes: solved.iter().zip(&self.poses).map(keyframe).collect(),
            events: self.events.iter().map(|&(at, name)| Event { time: rate.time_of(at), name: name.into() }).collect(),
            root_motion: if travels { RootMotion::Ground } else { RootMotion::None },
            ..Clip::new(self.name)
        };
        smooth(&mut clip);
        clip
    }
}

/// Of a rotation's two quaternions the one nearer to the one before.
fn keep_hemisphere(solved: &mut [Solved]) {
    for at in 0..solved.len() {
        for bone in 0..solved[at].rotations.len() {
            let here = solved[at].rotations[bone];
            let nearer = if at == 0 { here.w >= 0.0 } else { solved[at - 1].rotations[bone].dot(here) >= 0.0 };
            solved[at].rotations[bone] = if nearer { here } else { -here };
        }
    }
}

/// Every bone's rotation, and where the hips are; the root is free for the game unless the clip moves him.
fn keys(rig: &Rig, solved: &Solved, pose: &Pose) -> Vec<Key> {
    let hips = rig.bone("hips");
    let way = pose.way.map(|way| Key::translation(0, quantised_vec(glam::DVec3::Z * way)));
    let mut keys: Vec<Key> = way.into_iter().collect();
    for (bone, &rotation) in solved.rotations.iter().enumerate().skip(1) {
        if bone == hips {
            keys.push(Key::translation(bone as u16, quantised_vec(solved.hips)));
        }
        keys.push(Key::rotation(bone as u16, quantised_quat(rotation)));
        if let Some(&scale) = pose.scales.get(&rig.names[bone]) {
            keys.push(Key::scale(bone as u16, Vec3::splat(quantised(scale))));
        }
    }
    keys.iter_mut().for_each(|key| key.ease = Ease::Cubic);
    keys
}

/// Automatic tangents for every key, across the seam where the clip loops. All keyframes hold the same keys.
pub fn smooth(clip: &mut Clip) {
    let count = clip.keyframes.len();
    let looping = clip.loop_mode == LoopMode::Loop;
    let before = clip.clone();
    let secs = |time: Time| time.secs() as f32;
    for at in 0..count {
        let ends = !looping && (at == 0 || at == count - 1);
        let (last, next) = ((at + count - 1) % count, (at + 1) % count);
        for (slot, key) in clip.keyframes[at].keys.iter_mut().enumerate() {
            let value = |frame: usize| nearest(before.keyframes[frame].keys[slot].value, key.value, key.channel);
            let from = (value(last), secs(before.keyframes[last].duration));
            let to = (value(next), secs(before.keyframes[at].duration));
            let tangent = if ends || count < 2 { Vec4::ZERO } else { auto_tangent(from, key.value, to) };
            let tangent = Vec4::from_array(tangent.to_array().map(|x| quantised(f64::from(x))));
            (key.in_tangent, key.out_tangent) = (tangent, tangent);
        }
    }
}

fn nearest(value: Vec4, to: Vec4, channel: Channel) -> Vec4 {
    if channel == Channel::Rotation && value.dot(to) < 0.0 { -value } else { value }
}
