//! Libraries that rest in no pose, such as captures with all bones along one axis (LaFAN1): a frame of a clip says how the character
//! stands, and the target how straight.

use glam::{Mat4, Quat, Vec3};

use crate::anim::clip::Clip;
use crate::anim::pose::{LocalPose, ModelPose};
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::anim::transform::Transform;
use crate::assets::model::Model;
use crate::bind_pose::local_of;
use crate::clip_transfer::sampled;
use crate::exact_poses::ExactPoses;
use crate::standing::body::Body;
use crate::symmetry;

/// Maximum number of frames of a clip in which a body is looked for that stands.
const MAX_FRAMES: usize = 240;

/// Whether the nodes of a file rest in no pose of a body, such as with all bones along one axis (LaFAN1): a leg goes up along the trunk.
/// A skin may say how it stands.
pub fn rests_in_no_pose(model: &Model) -> bool {
    let rest = model.skeleton.rest_model_pose();
    let place = |bone: BoneIndex| rest.get(bone).translation();
    let goes_up = |body: &Body, leg: &[BoneIndex; 3]| (place(leg[2]) - place(leg[0])).dot(body.trunk(&rest)) > 0.0;
    model.skins.is_empty() && Body::of(model).is_some_and(|body| body.legs.iter().any(|leg| goes_up(&body, leg)))
}

/// The frame of its clips in which a model stands best, on the origin and turned so that its trunk and its feet are as those of the target.
pub fn pose<'c>(
    model: &Model,
    clips: impl Iterator<Item = &'c Clip>,
    (target, skeleton): (&Model, &Skeleton),
) -> Option<LocalPose> {
    let body = Body::of(model)?;
    let poses = clips.flat_map(|clip| {
        let exact = ExactPoses::new(&model.skeleton, clip);
        let times = sampled::times(clip, MAX_FRAMES, sampled::ease(clip, |_| true)).into_iter();
        times.map(|time| exact.model_portable(time)).collect::<Vec<_>>()
    });
    let better = |a: (f32, ModelPose), b: (f32, ModelPose)| if b.0 > a.0 { b } else { a };
    let (_, best) = poses.map(|pose| (body.evenly_stands(&pose), pose)).reduce(better)?;
    let (stands, rest) = (Body::of(target)?, skeleton.rest_model_pose());
    let turn = Mat4::from_mat3(stands.axes(&rest)? * body.axes(&best)?.transpose());
    let turned = symmetry::turned(&best, &turn);
    let level = body.stance(&best).ground.with_x(0.0).with_z(0.0) - body.stance(&turned).ground;
    let stood = symmetry::turned(&turned, &Mat4::from_translation(level));
    let mut pose = local_of(&model.skeleton, &stood);
    for (is, should) in feet(&body, &stood).into_iter().zip(feet(&stands, &rest)) {
        let (foot, above) = (usize::from(is.0), model.skeleton.parent(is.0));
        let above = above.map_or(Quat::IDENTITY, |above| stood.get(above).to_mat4().to_scale_rotation_translation().1);
        let turn = above.inverse() * Quat::from_rotation_arc(is.1, should.1) * above;
        let local = pose.get(foot);
        pose.set(foot, &Transform { rotation: (turn * local.rotation).normalize(), ..local });
    }
    Some(pose)
}

/// The feet, and the directions to their toes; none without toes.
fn feet(body: &Body, pose: &ModelPose) -> Vec<(BoneIndex, Vec3)> {
    let way = |(toe, leg): (BoneIndex, &[BoneIndex; 3])| {
        let way = pose.get(toe).translation() - pose.get(leg[2]).translation();
        Some((leg[2], way.try_normalize()?))
    };
    let feet = body.toes.into_iter().flatten().zip(&body.legs).map(way);
    feet.collect::<Option<_>>().unwrap_or_default()
}
