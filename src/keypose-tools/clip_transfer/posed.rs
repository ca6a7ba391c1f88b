//! Poses of the target for poses of the source, and what the position of each bone follows.

use glam::{DMat3, DQuat, DVec3, Vec3};

use crate::anim::clip::Clip;
use crate::anim::key::Key;
use crate::anim::pose::LocalPose;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::time::Time;
use crate::clip_transfer::frames::{Frames, is_scaled, stretch};
use crate::clip_transfer::pairing::Pairing;
use crate::clip_transfer::{Transfer, sampled};
use crate::exact_poses::ExactPoses;

/// Motion that the position of a bone of the target follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// Nothing: it keeps its distance from its parent.
    Rest,
    /// The way of its source from rest, relative to the parents.
    Parent,
    /// The way of its source from rest in model space: bones at the top.
    Model,
    /// The hips: the roots of the legs go where those of the source do.
    Hips,
    /// A bone that is not below the limb that it ends, such as a foot for inverse kinematics: it stays at the end of this bone.
    EndOf(BoneIndex),
}

/// Returns the motion that the position of each bone of the target follows.
pub fn places(pairing: &Pairing, [from, to]: [&Skeleton; 2]) -> Vec<Place> {
    let hips = pairing.hips.map(|hips| hips[1]);
    let place = |bone: BoneIndex| {
        let Some(source) = pairing.source[usize::from(bone)] else { return Place::Rest };
        let (above, source_above) = (pairing.above(to, bone), pairing.above_source(from, source));
        let end_of = source_above.and_then(|above| pairing.target[usize::from(above)]);
        match (above, end_of) {
            _ if Some(bone) == hips => Place::Hips,
            (_, Some(end_of)) if !to.is_below(bone, end_of) && !to.is_below(end_of, bone) => Place::EndOf(end_of),
            (None, _) => Place::Model,
            (Some(above), Some(end_of)) if above == end_of => Place::Parent,
            (Some(_), _) => Place::Rest,
        }
    };
    to.indices().map(place).collect()
}

/// The ground of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ground {
    /// The height of the source's ankles when it stands.
    pub from: f64,
    /// The height of the target's.
    pub to: f64,
    /// How much higher the hips of the target are than in its rest pose when the source rests, in model units.
    pub lift: f64,
}

impl Transfer<'_> {
    /// The ground of a clip: where feet rest, or the lowest ankle of the clip if the source's rest pose may be any pose.
    pub fn ground(&self, clip: &Clip) -> Ground {
        let [mut from, to] = self.pairing.ankles();
        if self.pairing.rests_in_pose && !self.pairing.legs.is_empty() {
            let times = sampled::times(clip, self.max_samples(clip).min(120), sampled::ease(clip, |_| true));
            let ankles = self.sources(clip, &times).flat_map(|pose| {
                let frames = Frames::of(self.from, &pose);
                self.pairing.legs.iter().map(move |leg| frames.place(leg.from[2]).y).collect::<Vec<_>>()
            });
            from = ankles.fold(f64::INFINITY, f64::min);
            from = if from.is_finite() { from } else { self.pairing.ankles()[0] };
        }
        let ground = Ground { from, to, lift: 0.0 };
        let Some([_, hips]) = self.pairing.hips else { return ground };
        let fit = (self.pairing.fits[usize::from(hips)], DMat3::IDENTITY);
        let rest = self.hips_place(&self.pairing.rests[0], fit, &ground);
        let lift = rest.y - self.pairing.rests[1].place(hips).y;
        Ground { lift, ..ground }
    }

    /// The poses of a clip of the source.
    pub fn sources<'c>(&'c self, clip: &Clip, times: &'c [Time]) -> impl Iterator<Item = LocalPose> + 'c {
        let exact = ExactPoses::new(self.from, clip);
        times.iter().map(move |time| exact.at(*time))
    }

    /// The pose of the target for one of the source. `travels` says of each bone of the source whether the clip moves it.
    pub fn pose(&self, source: &LocalPose, (ground, travels): (&Ground, &[bool])) -> LocalPose {
        let frames = Frames::of(self.from, source);
        let mut local = self.to.rest_pose();
        let mut posed = Frames::default();
        let mut has_scale = false;
        for (at, bone) in self.to.bones().iter().enumerate() {
            let mut transform = bone.rest;
            let affine_above = posed.above(bone.parent).1;
            if let Some(of) = self.pairing.source[at] {
                let rotation = self.rotation(&frames, (of, at));
                transform.scale = self.scale(source, of).unwrap_or(transform.scale);
                transform.rotation = posed.local(bone.parent, rotation, transform.scale);
                has_scale |= transform.scale != bone.rest.scale;
                let to_parent = affine_above.inverse();
                let place = match self.places[at] {
                    Place::Rest | Place::EndOf(_) => None,
                    Place::Parent => {
                        let key = Key::translation(of, source.get(usize::from(of)).translation);
                        let conversion = self.conversions[usize::from(of)].as_ref();
                        let following = conversion.filter(|one| one.follows_place(travels[usize::from(of)]));
                        following.map(|conversion| conversion.key(&key, 0.0).value.truncate())
                    }
                    Place::Model => {
                        let [before, after] =
                            [self.pairing.rests[0].place(of), self.pairing.rests[1].place(at as BoneIndex)];
                        let way = self.pairing.own * (frames.place(of) - before) * self.pairing.scale;
                        Some(to_parent.transform_point3(after + way).as_vec3())
                    }
                    Place::Hips => {
                        let turn = self.turned(rotation, at);
                        let own = DMat3::from_quat(transform.rotation.as_dquat())
                            * DMat3::from_diagonal(transform.scale.as_dvec3());
                        let maps = [affine_above.matrix3 * own, self.pairing.rests[1].affines[at].matrix3];
                        let stretch = if has_scale { stretch(maps, turn) } else { DMat3::IDENTITY };
                        Some(to_parent.transform_point3(self.hips_place(&frames, (turn, stretch), ground)).as_vec3())
                    }
                };
                transform.translation = place.filter(|place| place.is_finite()).unwrap_or(transform.translation);
            }
            local.set(at, &transform);
            posed.push(bone.parent, &transform);
        }
        self.place_ends(&mut local, &frames, &posed);
        local
    }

    /// The rotation of a bone of the target in model space.
    pub fn rotation(&self, source: &Frames, (of, at): (BoneIndex, usize)) -> DQuat {
        (self.pairing.own * source.rotation(of) * self.pairing.axes[at]).normalize()
    }

    /// The rotation from rest.
    fn turned(&self, rotation: DQuat, at: usize) -> DQuat {
        rotation * self.pairing.rests[1].rotations[at].inverse()
    }

    /// The size of the target's bone while that of the source, or of a bone above it that the target lacks, is another one than at rest.
    fn scale(&self, source: &LocalPose, of: BoneIndex) -> Option<Vec3> {
        let conversion = self.conversions[usize::from(of)].as_ref()?;
        let scaled = |bone: BoneIndex| {
            let scale = source.get(usize::from(bone)).scale;
            self.from.get(bone).filter(|bone| is_scaled(bone.rest.scale, scale))?;
            Some(conversion.key(&Key::scale(bone, scale), 0.0).value.truncate())
        };
        conversion.carried.iter().map(|(bone, _)| *bone).chain([of]).find_map(scaled)
    }

    /// The place of the target's hips in model space, which are turned from rest, and then scaled.
    fn hips_place(&self, source: &Frames, (turned, stretch): (DQuat, DMat3), ground: &Ground) -> DVec3 {
        let (Some([of, hips]), Some([before, after])) = (self.pairing.hips, self.pairing.leg_roots()) else {
            return DVec3::ZERO;
        };
        let roots = self.pairing.rests[0].affine(of).inverse().transform_point3(before);
        let way = self.pairing.own * (source.affine(of).transform_point3(roots) - before) * self.pairing.scale;
        let mut place = after + way;
        if !self.pairing.legs.is_empty() {
            let up = stretch.y_axis.y;
            place.y = ground.to * up + (before.y + way.y / self.pairing.scale - ground.from * up) * self.pairing.scale;
        }
        place + stretch * (turned * (self.pairing.rests[1].place(hips) - after))
    }

    /// Moves loose bones to the ends of their limbs, and as far from them as those of the source are.
    fn place_ends(&self, local: &mut LocalPose, source: &Frames, posed: &Frames) {
        for (at, place) in self.places.iter().enumerate() {
            let Place::EndOf(limb) = *place else { continue };
            let end = |of: usize, frames: &Frames, [limb, bone]: [BoneIndex; 2]| {
                let rest = &self.pairing.rests[of];
                frames.affine(limb).transform_point3(rest.affine(limb).inverse().transform_point3(rest.place(bone)))
            };
            let sources = [limb, at as BoneIndex].map(|bone| self.pairing.source[usize::from(bone)]);
            let [Some(source_limb), Some(bone)] = sources else { continue };
            let away = source.place(bone) - end(0, source, [source_limb, bone]);
            let place = end(1, posed, [limb, at as BoneIndex]) + self.pairing.own * away * self.pairing.scale;
            let mut transform = local.get(at);
            let translation =
                posed.above(self.to.parent(at as BoneIndex)).1.inverse().transform_point3(place).as_vec3();
            if translation.is_finite() {
                transform.translation = translation;
                local.set(at, &transform);
            }
        }
    }
}
