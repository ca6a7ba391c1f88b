//! The lanes of derived clips: mirrored, reversed, retimed and trimmed like the keys.

use crate::editor::ops::mirror::Pairs;
use crate::editor::ops::reversed::Turn;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::time::Time;
use keypose::assets::clip_notes::Derivation;
use keypose::assets::combat::{Combat, Contact, Hurt, Lanes, Range, Volume};
use keypose::assets::model::Model;

/// Derives the lanes of a clip of the model.
pub fn derive(lanes: &Lanes, model: &Model, how: Derivation, turn: Turn) -> Lanes {
    let mut derived = lanes.clone();
    match how {
        Derivation::Mirrored => mirror(&mut derived, model),
        Derivation::Reversed => derived.map_ranges(|range| Some(turn.range(range))),
        Derivation::Retimed(percent) => {
            derived.retime(|time| Time((i128::from(time.0) * i128::from(percent) / 100) as i64));
        }
        Derivation::Trimmed(from, to) => trim(&mut derived, Range { start: from, end: to }),
        // Made with the clip, or as its source.
        Derivation::Retargeted | Derivation::Layered(_) => {}
    }
    derived
}

/// Keeps what overlaps the range, from its start.
pub fn trim(lanes: &mut Lanes, part: Range) {
    let moved = |time: Time| time.clamp(part.start, part.end) - part.start;
    lanes.map_ranges(|range| {
        let is_inside = range.start < part.end && range.end > part.start;
        is_inside.then(|| Range { start: moved(range.start), end: moved(range.end) })
    });
}

fn mirror(lanes: &mut Lanes, model: &Model) {
    let (skeleton, pairs) = (&model.skeleton, Pairs::of_model(model));
    for Hurt { volume, replaced, .. } in &mut lanes.hurts {
        *volume = mirrored_name(volume, &model.combat, skeleton, &pairs);
        if let Some(replaced) = replaced {
            replaced.name.clone_from(volume);
        }
    }
    lanes.volumes_mut().for_each(|volume| *volume = mirrored(volume, skeleton, &pairs));
    for Contact { bone, .. } in &mut lanes.contacts {
        if let Some(partner) = skeleton.find(bone).and_then(|at| skeleton.get(pairs.partner(at))) {
            bone.clone_from(&partner.name);
        }
    }
}

/// The volume on the other side; a volume on a bone that has no mirror image stays. Its name stays as well.
pub fn mirrored(volume: &Volume, skeleton: &Skeleton, pairs: &Pairs) -> Volume {
    let has_image = |bone: &BoneIndex| pairs.has_mirror(skeleton, *bone) || pairs.is_crossed(skeleton, *bone);
    let Some(bone) = skeleton.find(&volume.bone).filter(has_image) else {
        return volume.clone();
    };
    let partner = skeleton.get(pairs.partner(bone)).map_or_else(|| volume.bone.clone(), |bone| bone.name.clone());
    let [from, to] = [volume.from, volume.to].map(|point| pairs.mirrored_point(bone, point));
    Volume { name: volume.name.clone(), bone: partner, from, to, radius: volume.radius }
}

/// The name of the hurt volume nearest to the mirror image of another; the same name if that bone has no volume.
fn mirrored_name(name: &str, combat: &Combat, skeleton: &Skeleton, pairs: &Pairs) -> String {
    let Some(image) = combat.hurt_named(name).map(|volume| mirrored(volume, skeleton, pairs)) else {
        return name.to_owned();
    };
    let distance = |volume: &&Volume| (volume.from - image.from).length() + (volume.to - image.to).length();
    let there = combat.hurt.iter().filter(|volume| volume.bone == image.bone);
    let nearest = there.min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.map_or_else(|| name.to_owned(), |volume| volume.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use keypose::anim::clip::{Clip, Keyframe};
    use keypose::anim::skeleton::Bone;
    use keypose::anim::transform::Transform;
    use keypose::assets::combat::Hit;
    use std::sync::Arc;

    fn turn() -> Turn {
        let keyframe = Keyframe { duration: Time::TICK * 20, ..Keyframe::default() };
        Turn::of(&Clip { keyframes: vec![keyframe].into(), ..Clip::new("test") })
    }

    fn model() -> Model {
        let bone = |name: &str, parent, x: f32| Bone {
            name: name.into(),
            parent,
            rest: Transform { translation: Vec3::new(x, 1.0, 0.0), ..Transform::IDENTITY },
        };
        let bones = vec![bone("root", None, 0.0), bone("hand.L", Some(0), 0.5), bone("hand.R", Some(0), -0.5)];
        let hurt = vec![
            Volume::sphere("left hand", "hand.L", Vec3::new(0.1, 0.0, 0.0), 0.2),
            Volume::sphere("right hand", "hand.R", Vec3::new(-0.1, 0.0, 0.0), 0.2),
        ];
        let combat = Combat { hurt, ..Combat::default() };
        Model { skeleton: Arc::new(Skeleton::new(bones).unwrap()), combat: combat.into(), ..Model::default() }
    }

    fn lanes() -> Lanes {
        let volumes = vec![Volume::sphere("fist", "hand.L", Vec3::new(0.2, 0.1, 0.3), 0.1)];
        let hit = Hit { range: Range::of_ticks(4, 10), volumes, ..Hit::default() };
        let hurt = Hurt { range: Range::of_ticks(2, 8), volume: "left hand".into(), replaced: None };
        Lanes { hits: vec![hit], hurts: vec![hurt], invulnerable: vec![Range::of_ticks(0, 3)], ..Lanes::default() }
    }

    #[test]
    fn mirrored_lanes_are_on_the_other_side() {
        let mirrored = derive(&lanes(), &model(), Derivation::Mirrored, turn());
        let fist = &mirrored.hits[0].volumes[0];
        assert_eq!((fist.bone.as_str(), fist.from), ("hand.R", Vec3::new(-0.2, 0.1, 0.3)));
        assert_eq!(mirrored.hurts[0].volume, "right hand");
        assert_eq!(derive(&mirrored, &model(), Derivation::Mirrored, turn()), lanes());
    }

    #[test]
    fn times_of_derived_lanes_are_those_of_the_clip() {
        let model = model();
        let back = derive(&lanes(), &model, Derivation::Reversed, turn());
        assert_eq!((back.hits[0].range, back.invulnerable[0]), (Range::of_ticks(10, 16), Range::of_ticks(17, 20)));
        let slow = derive(&lanes(), &model, Derivation::Retimed(200), turn());
        assert_eq!(slow.hits[0].range, Range::of_ticks(8, 20));
        let how = Derivation::Trimmed(Time::TICK * 5, Time::TICK * 9);
        let part = derive(&lanes(), &model, how, turn());
        assert_eq!((part.hits[0].range, part.invulnerable.len()), (Range::of_ticks(0, 4), 0));
        for lanes in [back, slow, part] {
            assert_eq!(lanes.check(), Ok(()));
        }
    }
}
