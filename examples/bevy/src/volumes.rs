//! Hit and hurt volumes: an entity below its bone for each that is active now.

use std::collections::BTreeMap;

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use keypose::anim::playback::clip_time;
use keypose::anim::time::Time;
use keypose::assets::combat::{Hit, Lanes, Strike, Volume as VolumeDef};
use keypose::assets::model::Model;

use crate::PlayClip;
use crate::build::Rig;

/// A capsule in the space of its parent, which is a bone. It exists as long as it is active.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct Volume {
    /// The [`Character`](crate::Character).
    pub character: Entity,
    /// The name of the volume.
    pub name: String,
    /// One end of the axis.
    pub from: Vec3,
    /// The other end; the same point for a sphere.
    pub to: Vec3,
    /// In metres.
    pub radius: f32,
}

/// A [`Volume`] that hits. A frame that is longer than the hit can step over it.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct HitVolume {
    /// Damage, knockback and stun.
    pub strike: Strike,
    /// Hits of one group count once for each target.
    pub group: u8,
    /// Ticks of 1/60 s after which the group can hit the same target again; 0 for never.
    pub again: u16,
}

/// A [`Volume`] that can be hit.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct HurtVolume;

/// The volumes of a character that exist now.
#[derive(Component, Default)]
pub struct Volumes(BTreeMap<Key, Entity>);

/// Where a volume is defined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// The index of a hurt volume of the model.
    Hurt(usize),
    /// The indices of a clip and of a replaced hurt volume.
    Replaced(usize, usize),
    /// The indices of a clip, a hit and a volume of it.
    Hit(usize, usize, usize),
}

/// Spawns the volumes that became active and despawns the others.
pub fn update(mut commands: Commands, mut characters: Query<(Entity, &Rig, Option<&PlayClip>, &mut Volumes)>) {
    for (character, rig, play, mut volumes) in &mut characters {
        let model = &rig.character.model;
        let active = active(rig, play);
        volumes.0.retain(|key, entity| {
            let is_active = active.contains_key(key);
            if !is_active {
                commands.entity(*entity).try_despawn();
            }
            is_active
        });
        for (key, (volume, hit)) in active {
            let bone = model.skeleton.bones().iter().position(|bone| bone.name == volume.bone);
            let (false, Some(bone)) = (volumes.0.contains_key(&key), bone) else { continue };
            let (from, to) = (volume.from.to_array().into(), volume.to.to_array().into());
            let capsule = Volume { character, name: volume.name.clone(), from, to, radius: volume.radius };
            let mut entity = commands.spawn((capsule, Transform::default(), ChildOf(rig.bones[bone])));
            match hit {
                Some(Hit { strike, group, again, .. }) => {
                    entity.insert(HitVolume { strike: *strike, group: *group, again: *again })
                }
                None => entity.insert(HurtVolume),
            };
            volumes.0.insert(key, entity.id());
        }
    }
}

type Active<'a> = BTreeMap<Key, (&'a VolumeDef, Option<&'a Hit>)>;

/// The volumes that are active at the time of a clip.
fn active<'a>(rig: &'a Rig, play: Option<&PlayClip>) -> Active<'a> {
    let model: &Model = &rig.character.model;
    let clip = play.and_then(|play| {
        let clip = model.clips.iter().position(|slot| slot.clip.name == play.clip)?;
        let baked = &rig.character.clips[clip];
        let lanes = model.combat.lanes.get(&model.clips[clip].id)?;
        Some((clip, lanes, clip_time(play.elapsed, baked.length, play.loop_mode.unwrap_or(baked.loop_mode))))
    });
    let Some((clip, lanes, time)) = clip else {
        return model.combat.hurt.iter().enumerate().map(|(at, volume)| (Key::Hurt(at), (volume, None))).collect();
    };
    let mut active = Active::new();
    for (at, hit) in lanes.hits.iter().enumerate().filter(|(_, hit)| hit.range.contains(time)) {
        active.extend(hit.volumes.iter().enumerate().map(|(volume, it)| (Key::Hit(clip, at, volume), (it, Some(hit)))));
    }
    if !lanes.invulnerable.iter().any(|range| range.contains(time)) {
        active.extend(hurt(model, lanes, time, clip));
    }
    active
}

/// The hurt volumes, replaced or switched off as the lanes say.
fn hurt<'a>(model: &'a Model, lanes: &'a Lanes, time: Time, clip: usize) -> Active<'a> {
    let one = |(at, volume): (usize, &'a VolumeDef)| {
        let mut lane = lanes.hurts.iter().enumerate();
        match lane.find(|(_, hurt)| hurt.volume == volume.name && hurt.range.contains(time)) {
            Some((lane, hurt)) => Some((Key::Replaced(clip, lane), (hurt.replaced.as_ref()?, None))),
            None => Some((Key::Hurt(at), (volume, None))),
        }
    };
    model.combat.hurt.iter().enumerate().filter_map(one).collect()
}
