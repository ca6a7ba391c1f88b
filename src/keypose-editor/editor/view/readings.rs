//! How the rotations of bones are read as angles, the same in the inspector, in the curves and in scripts; and the curves of bones.

use std::sync::Arc;

use crate::editor::ops::curves::{ChannelCurves, Reading};
use crate::editor::session::Session;
use crate::editor::view::dope_sheet::Keyed;
use keypose::anim::clip::Clip;
use keypose::anim::key::Channel;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::euler_order::EulerOrder;
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;

/// The order of a bone's angles.
pub fn order(model: &Model, bone: BoneIndex) -> EulerOrder {
    model.skeleton.get(bone).map_or_else(EulerOrder::default, |bone| model.rig.order(&bone.name))
}

/// The reading of a bone in a clip, or in the rest pose.
pub fn reading(model: &Model, session: &Session, clip: Option<ClipId>, bone: BoneIndex) -> Reading {
    Reading { order: order(model, bone), entered: session.focus.entered_angles.of(clip, bone) }
}

/// The curves of bones that were computed last.
#[derive(Debug, Default)]
pub struct CurveCache {
    clip: Option<Arc<Clip>>,
    readings: Vec<(BoneIndex, Reading)>,
    channel: Option<Channel>,
    curves: Arc<Vec<ChannelCurves>>,
}

impl CurveCache {
    /// The curves of bones, of one channel or of all that have keys; computed again if what they depend on has changed.
    pub fn get(
        &mut self,
        clip: &Arc<Clip>,
        readings: &[(BoneIndex, Reading)],
        channel: Option<Channel>,
    ) -> Arc<Vec<ChannelCurves>> {
        let is_same_clip = self.clip.as_ref().is_some_and(|of| Arc::ptr_eq(of, clip));
        if !is_same_clip || self.readings != readings || self.channel != channel {
            let curves = |(bone, reading): &(BoneIndex, Reading), channel: Channel| {
                ChannelCurves::of(clip, *bone, channel, reading.clone())
            };
            self.curves = Arc::new(match channel {
                Some(channel) => readings.iter().filter_map(|of| curves(of, channel)).collect(),
                None => {
                    let keyed = Keyed::of(clip);
                    let all = readings.iter().flat_map(|of| keyed.channels(of.0).map(move |channel| (of, channel)));
                    all.filter_map(|(of, channel)| curves(of, channel)).collect()
                }
            });
            (self.clip, self.readings, self.channel) = (Some(clip.clone()), readings.to_vec(), channel);
        }
        self.curves.clone()
    }
}
