//! bevy_animation as an app uses it: a player, a graph of one clip and an entity per bone, advanced by its own systems
//! in a schedule with one thread.

use std::time::Duration;

use bevy_animation::animation_curves::{AnimatableCurve, AnimatableKeyframeCurve, AnimatedField};
use bevy_animation::graph::{AnimationGraph, AnimationGraphHandle};
use bevy_animation::{
    AnimatedBy, AnimationClip, AnimationPlayer, AnimationPlugin, AnimationTargetId, advance_animations,
    animate_targets, animated_field,
};
use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ExecutorKind;
use bevy_math::{Quat, Vec3};
use bevy_time::{Time, TimePlugin};
use bevy_transform::components::Transform;
use keypose::anim::clip::Clip;
use keypose::anim::key::Channel;

/// A world with characters that play the clip.
pub struct Crowd {
    world: World,
    schedule: Schedule,
}

impl Crowd {
    pub fn new(clip: &Clip, bones: usize, characters: usize) -> Crowd {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin, AssetPlugin::default(), AnimationPlugin));
        app.finish();
        app.cleanup();
        let world = app.world_mut();
        let clip = world.resource_mut::<Assets<AnimationClip>>().add(bevy_clip(clip));
        let (graph, node) = AnimationGraph::from_clip(clip);
        let graph = world.resource_mut::<Assets<AnimationGraph>>().add(graph);
        for _ in 0..characters {
            let mut player = AnimationPlayer::default();
            player.play(node).repeat();
            let player = world.spawn((player, AnimationGraphHandle(graph.clone()))).id();
            for bone in 0..bones {
                world.spawn((target(bone), AnimatedBy(player), Transform::default()));
            }
        }
        // The plugin's own systems prepare the graph.
        app.update();
        app.update();
        let mut schedule = Schedule::default();
        schedule.set_executor_kind(ExecutorKind::SingleThreaded);
        schedule.add_systems((advance_animations, animate_targets).chain());
        Crowd { world: std::mem::take(app.world_mut()), schedule }
    }

    /// Advances all characters and writes their bones.
    pub fn step(&mut self, secs: f64) {
        self.world.resource_mut::<Time>().advance_by(Duration::from_secs_f64(secs));
        self.schedule.run(&mut self.world);
    }

    /// The sum of all translations, to show that something moves.
    pub fn sum(&mut self) -> f32 {
        self.world.query::<&Transform>().iter(&self.world).map(|transform| transform.translation.element_sum()).sum()
    }
}

fn target(bone: usize) -> AnimationTargetId {
    AnimationTargetId::from_names([bevy_ecs::name::Name::new(format!("bone{bone}"))].iter())
}

fn bevy_clip(clip: &Clip) -> AnimationClip {
    let mut out = AnimationClip::default();
    for track in keypose::anim::track::Track::all_of(clip) {
        let target = target(usize::from(track.bone));
        let keys = || track.keys.iter().map(|(time, key)| (time.secs() as f32, key.value));
        let threes = || {
            let threes = keys().map(|(secs, value)| (secs, Vec3::new(value.x, value.y, value.z)));
            AnimatableKeyframeCurve::new(threes).expect("two keys or more")
        };
        match track.channel {
            Channel::Translation => {
                out.add_curve_to_target(
                    target,
                    AnimatableCurve::new(animated_field!(Transform::translation), threes()),
                );
            }
            Channel::Scale => {
                out.add_curve_to_target(target, AnimatableCurve::new(animated_field!(Transform::scale), threes()));
            }
            Channel::Scalar(_) => {}
            Channel::Rotation => {
                let quats = keys().map(|(secs, value)| (secs, Quat::from_array(value.to_array())));
                let curve = AnimatableKeyframeCurve::new(quats).expect("two keys or more");
                out.add_curve_to_target(target, AnimatableCurve::new(animated_field!(Transform::rotation), curve));
            }
        }
    }
    out
}
