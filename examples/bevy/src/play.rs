//! Clips: time, events and poses.

use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_time::Time as Clock;
use bevy_transform::components::Transform;
use keypose::anim::events::crossed;
use keypose::anim::playback::clip_time;
use keypose::anim::time::Time;

use crate::build::Rig;
use crate::{Bone, ClipEvent, PlayClip, Pose};

/// Advances the clips, sends their events and samples the poses.
pub fn sample(
    clock: Res<Clock>,
    mut playing: Query<(Entity, &Rig, &mut PlayClip, &mut Pose)>,
    mut events: MessageWriter<ClipEvent>,
) {
    for (character, rig, mut play, mut pose) in &mut playing {
        let Some(clip) = rig.character.clip_named(&play.clip) else {
            pose.0 = rig.character.model.skeleton.rest_pose();
            continue;
        };
        let loop_mode = play.loop_mode.unwrap_or(clip.loop_mode);
        let (from, to) = (play.elapsed, play.elapsed + Time::from_secs(clock.delta_secs_f64() * f64::from(play.speed)));
        crossed(&clip.events, clip.length, loop_mode, from, to, |event, _| {
            events.write(ClipEvent { character, name: event.name.clone() });
        });
        play.elapsed = to;
        clip.sample(clip_time(to, clip.length, loop_mode), &mut pose.0);
    }
}

/// Writes the poses to the bones.
pub fn apply(posed: Query<(&Rig, &Pose), Changed<Pose>>, mut bones: Query<(&Bone, &mut Transform)>) {
    for (rig, pose) in &posed {
        let mut bones = bones.iter_many_mut(&rig.bones);
        while let Some((bone, mut place)) = bones.fetch_next() {
            *place = transform(&pose.0.get(bone.0));
        }
    }
}

/// The two crates may use different versions of glam, so numbers are passed on as arrays.
pub fn transform(local: &keypose::anim::transform::Transform) -> Transform {
    Transform {
        translation: Vec3::from_array(local.translation.to_array()),
        rotation: Quat::from_array(local.rotation.to_array()),
        scale: Vec3::from_array(local.scale.to_array()),
    }
}
