//! Finds bones that are longer or shorter than in the rest pose.

use crate::anim::pose::LocalPose;
use crate::anim::time::Time;
use crate::clip_check::{Finding, Kind, Samples, Severity, Subject, frame};

/// The maximum relative change of a bone's length.
const MAX_CHANGE: f32 = 0.15;
/// The maximum ratio by which the first bone of a limb may be farther from or nearer to its parent than at rest.
const MAX_SHIFT: f32 = 2.0;
/// Shorter bones, in heights of the model, are not checked: a small movement is a large part of them.
const SHORT: f32 = 0.02;

pub fn check(samples: &Samples<'_>, found: &mut Vec<Finding>) {
    let Samples { subject, clip, exact, poses, .. } = samples;
    let links = links(subject);
    let mut worst: Vec<(f32, Time)> = vec![(1.0, Time::ZERO); links.len()];
    let (mut pose, rest) = (LocalPose::default(), subject.skeleton.rest_pose());
    for &(time, _) in poses {
        exact.local(time, &mut pose);
        for ((bone, parent), worst) in links.iter().zip(&mut worst) {
            let length = |pose: &LocalPose| (pose.get(*parent).scale * pose.get(*bone).translation).length();
            let ratio = length(&pose) / length(&rest);
            if (ratio - 1.0).abs() > (worst.0 - 1.0).abs() {
                *worst = (ratio, time);
            }
        }
    }
    for ((bone, parent), (ratio, time)) in
        links.iter().zip(worst).filter(|(_, worst)| (worst.0 - 1.0).abs() > MAX_CHANGE)
    {
        let (name, at) = (subject.name(*bone), frame(clip, time));
        let text = format!("{name} has {:.0} % of its rest length at frame {at}", ratio * 100.0);
        // Shoulders and hips move in their sockets; the bones within a limb keep their lengths.
        let is_socket = subject.skeleton.children(*parent as u16).count() > 1;
        let grade =
            if is_socket && (1.0 / MAX_SHIFT..MAX_SHIFT).contains(&ratio) { Severity::Hint } else { Severity::Warning };
        found.push(Finding {
            kind: Kind::Stretch,
            grade,
            bone: Some(*bone as u16),
            time,
            figure: ratio,
            text,
            advice: "Clear its translation, or the scale of its parent, unless it should stretch.",
        });
    }
}

/// Bones that deform meshes and whose parent does too, each with its parent. Excludes the bones that move the whole body.
fn links(subject: &Subject) -> Vec<(usize, usize)> {
    let skeleton = &subject.skeleton;
    let parents = || skeleton.indices().map(|bone| skeleton.parent(bone).map(usize::from));
    let mut children = vec![0; skeleton.len()];
    parents().flatten().for_each(|parent| children[parent] += 1);
    // Parents come first.
    let mut is_trunk: Vec<bool> = Vec::with_capacity(skeleton.len());
    for parent in parents() {
        is_trunk.push(parent.is_none_or(|parent| is_trunk[parent] && children[parent] <= 1));
    }
    let link = |&bone: &usize| {
        let parent = usize::from(skeleton.parent(bone as u16)?);
        let length = subject.rest.bones[bone].translation().distance(subject.rest.bones[parent].translation());
        let is_link = subject.bones.binary_search(&parent).is_ok() && !is_trunk[bone];
        (is_link && length > SHORT * subject.height).then_some((bone, parent))
    };
    subject.bones.iter().filter_map(link).collect()
}
