//! Delays of a chain: each bone lags behind the bone above it by the same time.

use std::collections::BTreeSet;

use keypose::anim::clip::Clip;
use keypose::anim::delay::Delay;
use keypose::anim::skeleton::{BoneIndex, Skeleton};
use keypose::anim::time::Time;

/// A bone of a chain and its place, counted from 1.
pub type Link = (BoneIndex, i64);

/// The bones of chains: one selected bone with all below it, or the selected bones alone. The place of a bone is the number of bones of
/// the chain above it, and itself.
pub fn chain(skeleton: &Skeleton, selected: &[BoneIndex]) -> Vec<Link> {
    let selected: BTreeSet<BoneIndex> = selected.iter().copied().collect();
    let (mut places, mut links) = (vec![0; skeleton.len()], Vec::new());
    // Parents come first.
    for bone in skeleton.indices() {
        let above = skeleton.parent(bone).map_or(0, |parent| places[usize::from(parent)]);
        let is_in = selected.contains(&bone) || selected.len() == 1 && above > 0;
        places[usize::from(bone)] = above + i64::from(is_in);
        links.extend(is_in.then_some((bone, above + 1)));
    }
    links
}

/// The delays of a clip, with others for the bones of a chain: `step` for the first one, twice as much for the next.
pub fn delays(clip: &Clip, chain: &[Link], step: Time) -> Vec<Delay> {
    let by = |place: i64| Time(step.0.saturating_mul(place)).clamp(-Time::LONGEST, Time::LONGEST);
    let chained = chain.iter().map(|(bone, place)| Delay { bone: *bone, by: by(*place) });
    let others = clip.delays.iter().copied().filter(|delay| chain.iter().all(|(bone, _)| *bone != delay.bone));
    others.chain(chained).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::anim::skeleton::Bone;

    /// ```text
    /// hips ─ tail ─ middle ─ tip
    ///             └ ring
    ///      └ head
    /// ```
    #[test]
    fn each_bone_lags_behind_the_one_above_it() {
        let bone = |name: &str, parent| Bone { name: name.into(), parent, rest: Default::default() };
        let bones = [("hips", None), ("tail", Some(0)), ("head", Some(0)), ("middle", Some(1)), ("ring", Some(1))];
        let list = bones.into_iter().chain([("tip", Some(3))]).map(|(name, parent)| bone(name, parent)).collect();
        let skeleton = Skeleton::new(list).unwrap();
        assert_eq!(chain(&skeleton, &[1]), [(1, 1), (3, 2), (4, 2), (5, 3)]);
        assert_eq!(chain(&skeleton, &[5, 1]), [(1, 1), (5, 2)]);
        let mut clip = Clip::default();
        clip.set_delays(vec![Delay { bone: 2, by: Time(7) }, Delay { bone: 3, by: Time(9) }]);
        let made = delays(&clip, &chain(&skeleton, &[3]), Time(4));
        assert_eq!(made.iter().map(|delay| (delay.bone, delay.by.0)).collect::<Vec<_>>(), [(2, 7), (3, 4), (5, 8)]);
        clip.set_delays(delays(&clip, &chain(&skeleton, &[1, 3]), Time::ZERO));
        assert_eq!(clip.delays.len(), 1);
    }
}
