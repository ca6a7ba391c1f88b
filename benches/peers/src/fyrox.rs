//! fyrox-animation as an engine uses it: an `Animation` with three tracks per bone, ticked into its pose.

use fyrox_animation::Animation;
use fyrox_animation::container::{TrackDataContainer, TrackValueKind};
use fyrox_animation::core::math::curve::{Curve, CurveKey, CurveKeyKind};
use fyrox_animation::core::pool::ErasedHandle;
use fyrox_animation::track::{Track, TrackBinding};
use fyrox_animation::value::ValueBinding;
use keypose::anim::clip::Clip;
use keypose::anim::key::Channel;

/// Linear curves with the clip's keys; rotations as quaternion components, its fastest kind.
pub fn animation(clip: &Clip) -> Animation<ErasedHandle> {
    let mut animation = Animation::<ErasedHandle>::default();
    for track in keypose::anim::track::Track::all_of(clip) {
        let (kind, binding) = match track.channel {
            Channel::Translation => (TrackValueKind::Vector3, ValueBinding::Position),
            Channel::Rotation => (TrackValueKind::UnitQuaternion, ValueBinding::Rotation),
            Channel::Scale => (TrackValueKind::Vector3, ValueBinding::Scale),
            Channel::Scalar(_) => continue,
        };
        let mut container = TrackDataContainer::new(kind);
        for part in 0..track.channel.width() {
            let key = |(time, key): &(keypose::anim::time::Time, keypose::anim::key::Key)| {
                CurveKey::new(time.secs() as f32, key.value[part], CurveKeyKind::Linear)
            };
            let keys: Vec<CurveKey> = track.keys.iter().map(key).collect();
            *container.curve_mut(part).expect("one curve a component") = Curve::from(keys);
        }
        let target = ErasedHandle::new(u32::from(track.bone), 1);
        animation.add_track_with_binding(TrackBinding::new(target), Track::new(container, binding));
    }
    animation.set_time_slice(0.0..clip.length().secs() as f32);
    animation
}
