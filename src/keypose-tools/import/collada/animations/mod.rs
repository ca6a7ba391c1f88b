//! Animations: the channels of each node become keys of its translation, rotation and scale, those of weights keys of scalars.
//! Matrices and single transforms are evaluated at all key times of a node; where curves bend or rotations are made of several
//! angles, at 30 frames per second as well.

use std::collections::{BTreeMap, HashSet};

use roxmltree::Node;

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Key};
use crate::anim::skeleton::BoneIndex;
use crate::anim::time::Time;
use crate::anim::transform::Transform;
use crate::import::assembly::budget::{BYTES_PER_KEY, Budget};
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::jumps::{JUST_BEFORE, jump};
use crate::import::assembly::keyframes::{Column, assemble};
use crate::import::assembly::names::{Names, shortened};
use crate::import::collada::animations::moments::{Range, moments};
use crate::import::collada::curves::{self, Curve, Moment};
use crate::import::collada::document::{Document, child, children, label, number};
use crate::import::collada::morphs::Shapes;
use crate::import::collada::scene::{Scene, SceneNode};
use crate::import::collada::transforms::{self, Step};
use crate::import::error::Fault;
use crate::import::report::{Findings, Report};

mod moments;
mod weights;

/// Steps to find the target of a channel.
const STEPS_PER_TARGET: usize = 16;

/// Bytes of a curve's key: time, row and interpolation.
const BYTES_PER_ROW: usize = 32;

/// A curve, and the numbers of a step that it sets.
struct Animated {
    step: usize,
    /// The number that it sets; `None` for all.
    member: Option<usize>,
    curve: Curve,
}

/// The target of a channel: the nodes of an element, one of their steps and a number of it.
type Target<'s> = (&'s [usize], usize, Option<usize>);

/// The nodes that an animation moves.
pub fn moved(document: &Document<'_>, scene: &Scene<'_>) -> HashSet<usize> {
    channels(document, document.root)
        .filter_map(|channel| target(document, scene, channel))
        .flat_map(|(nodes, ..)| nodes)
        .copied()
        .collect()
}

/// The channels of all animations below an element.
fn channels<'a>(document: &Document<'a>, below: Node<'a, 'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    let is_channel = |node: &Node<'_, '_>| {
        node.tag_name().name() == "channel" && node.ancestors().any(|above| above.tag_name().name() == "animation")
    };
    below.descendants().take_while(|_| document.take_steps(1)).filter(is_channel)
}

/// Resolves an address such as "Bone/transform", "Bone/rotateX.ANGLE" or "Bone/transform(3)(1)".
fn target<'s>(document: &Document<'_>, scene: &'s Scene<'_>, channel: Node<'_, '_>) -> Option<Target<'s>> {
    document.take_steps(STEPS_PER_TARGET);
    let address = channel.attribute("target")?;
    let (path, last) = address.rsplit_once('/')?;
    let mut parts = path.split('/');
    let mut element = document.by_id(parts.next()?)?;
    for sid in parts {
        let is_it = |node: &Node<'_, '_>| document.take_steps(1) && node.attribute("sid") == Some(sid);
        element = element.descendants().find(is_it)?;
    }
    let nodes = scene.all_of(element);
    document.take_steps(nodes.len());
    let cut = last.find(['.', '(']).unwrap_or(last.len());
    let (sid, member) = last.split_at_checked(cut)?;
    let steps = &scene.nodes.get(*nodes.first()?)?.steps;
    document.take_steps(steps.len());
    let step = steps.iter().position(|step| step.sid == sid)?;
    let member = member.strip_prefix('.').unwrap_or(member);
    if member.is_empty() {
        Some((nodes, step, None))
    } else {
        Some((nodes, step, Some(steps.get(step)?.member(member)?)))
    }
}

/// The objects that animations refer to.
#[derive(Clone, Copy)]
pub struct Animations<'d, 'a> {
    pub document: &'d Document<'a>,
    pub scene: &'d Scene<'a>,
    pub bones: &'d Bones,
    pub shapes: &'d Shapes,
}

impl Animations<'_, '_> {
    /// Converts the animations: one clip for each `animation_clip`, else one with all of them, which has the name of the file.
    /// One that can't be read is left out.
    pub fn clips(self, (stem, input): (&str, usize), report: &mut Report) -> Vec<(Clip, Option<String>)> {
        clips(self, (stem, input), report).into_iter().map(|clip| (clip, None)).collect()
    }
}

fn clips(of: Animations<'_, '_>, (stem, input): (&str, usize), report: &mut Report) -> Vec<Clip> {
    let document = of.document;
    let (mut names, mut budget, mut clips) = (Names::of("clip"), Budget::of(input), Vec::new());
    let library = child(document.root, "library_animation_clips");
    let ranges: Vec<Node<'_, '_>> =
        library.into_iter().flat_map(|library| children(library, "animation_clip")).collect();
    let mut add = |result: Result<Clip, Fault>, report: &mut Report| match result {
        Ok(clip) => clips.push(clip),
        Err(fault) => report.left_out(&fault),
    };
    for range in &ranges {
        let findings = &mut report.at(format_args!("clip {}", label(*range)));
        let instances = children(*range, "instance_animation").filter_map(|one| document.by_url(one.attribute("url")?));
        let found = instances.flat_map(|animation| channels(document, animation)).collect();
        let time = |name: &str| range.attribute(name).map(|text| number(text.trim())).filter(|secs| !secs.is_nan());
        let name = names.take(Some(&label(*range)), findings);
        let range = Range { start: time("start").unwrap_or(0.0), end: time("end"), has_start: true };
        let columns = columns(of, (found, range), &mut budget, findings);
        let clip = columns.and_then(|columns| assemble(name, columns, None).map_err(|reason| findings.fault(reason)));
        add(clip, findings.report);
    }
    let all: Vec<Node<'_, '_>> = channels(document, document.root).collect();
    if ranges.is_empty() && !all.is_empty() {
        let findings = &mut report.at("animations");
        let name = names.take(Some(stem), findings);
        let columns = columns(of, (all, Range::ALL), &mut budget, findings);
        let clip = columns.and_then(|columns| assemble(name, columns, None).map_err(|reason| findings.fault(reason)));
        add(clip, findings.report);
    }
    clips
}

/// The keys of all channels in a range.
fn columns(
    of: Animations<'_, '_>,
    (channels, range): (Vec<Node<'_, '_>>, Range),
    budget: &mut Budget,
    findings: &mut Findings<'_>,
) -> Result<Vec<Column>, Fault> {
    let Animations { document, scene, bones, .. } = of;
    let (mut of_node, mut columns) = (BTreeMap::<usize, Vec<Animated>>::new(), Vec::new());
    // Freed after the clip: each of many clips may read the whole timeline.
    let mut curves = *budget;
    for channel in channels {
        document.check_steps()?;
        if let Some(found) = weights::columns(of, (channel, range), budget, findings)? {
            columns.extend(found);
            continue;
        }
        let Some((nodes, step, member)) = target(document, scene, channel) else {
            findings.report.not_imported("animation channels of other targets");
            continue;
        };
        let first = nodes.first().and_then(|node| scene.nodes.get(*node));
        let numbers = first.and_then(|node| node.steps.get(step)).map_or(0, |step| step.numbers.len());
        let width = if member.is_some() { 1 } else { numbers };
        let Some(curve) = curve(document, channel, width, findings) else { continue };
        let rows = curve.secs.len().saturating_mul(nodes.len());
        curves.take_keys(rows, BYTES_PER_ROW).map_err(|reason| findings.fault(reason))?;
        if range == Range::ALL && curve.secs.first().is_some_and(|secs| *secs < range.start) {
            findings.report.not_imported("keys before the time 0");
        }
        for &node in nodes {
            of_node.entry(node).or_default().push(Animated { step, member, curve: curve.clone() });
        }
    }
    for (node, animated) in &of_node {
        if let Some((bone, from)) = bones.of(*node).zip(scene.nodes.get(*node)) {
            columns.extend(node_columns(of, (bone, from, animated), (range, budget), findings)?);
        }
    }
    Ok(columns)
}

/// The keys of a bone in a range.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn node_columns(
    Animations { document, bones, .. }: Animations<'_, '_>,
    (bone, from, animated): (BoneIndex, &SceneNode<'_>, &[Animated]),
    (range, budget): (Range, &mut Budget),
    findings: &mut Findings<'_>,
) -> Result<Vec<Column>, Fault> {
    let moments = moments_of(&from.steps, animated, range)
        .ok_or_else(|| findings.fault("a key is outside of the supported range"))?;
    let count = moments.len().saturating_mul(3);
    budget.take_keys(count, BYTES_PER_KEY).map_err(|reason| findings.fault(reason))?;
    let transform = |secs: f64| {
        document.take_steps(from.steps.len().saturating_add(animated.len()));
        document.check_steps()?;
        let matrix = transforms::matrix(document, &steps_at(&from.steps, animated, secs), from.parent.is_none());
        let matrix = matrix.ok_or_else(|| findings.fault(format!("the pose at {secs} s is not finite")))?;
        Ok::<Transform, Fault>(transforms::decomposed(matrix).0)
    };
    let mut keys: [Vec<(Time, Key)>; 3] = Default::default();
    for Moment { secs, is_jump } in moments {
        let at = transform(secs)?;
        let held = if is_jump { transform(secs - JUST_BEFORE.secs())? } else { at };
        let time = range.time(secs);
        for (keys, channel) in keys.iter_mut().zip(Channel::ALL) {
            if keys.last().is_none_or(|(before, _)| *before < time) {
                jump(keys, (time, Key::new(bone, channel, channel.of(&at))), channel.of(&held));
            }
        }
    }
    let rest = bones.skeleton.get(bone).map(|bone| bone.rest).unwrap_or_default();
    let column = |(keys, channel): (Vec<(Time, Key)>, Channel)| {
        Column { bone, channel, keys }.constant_as_one(Some(channel.of(&rest)))
    };
    Ok(keys.into_iter().zip(Channel::ALL).filter_map(column).collect())
}

/// The curve of a channel, with this count of numbers for each key; `None`, and a finding, if it has none.
fn curve(document: &Document<'_>, channel: Node<'_, '_>, width: usize, findings: &mut Findings<'_>) -> Option<Curve> {
    let target = channel.attribute("target").unwrap_or("a channel");
    let curve = curves::sampler(document, channel).and_then(|sampler| Curve::read(document, sampler, width));
    match &curve {
        None => findings.add(format_args!("{}: no usable keys; ignored", shortened(target))),
        Some(curve) if curve.has_other() => {
            findings.add(format_args!(
                "{}: an interpolation other than LINEAR, BEZIER and STEP; read as LINEAR",
                shortened(target)
            ));
        }
        Some(_) => (),
    }
    curve
}

/// The times at which a node is evaluated; `None` if one is out of range.
fn moments_of(steps: &[Step], animated: &[Animated], range: Range) -> Option<Vec<Moment>> {
    let of = |it: &Animated| steps.get(it.step);
    let turns = |it: &Animated| of(it).is_some_and(Step::is_rotation) && !it.curve.is_stepped();
    let is_matrix = |it: &Animated| of(it).is_some_and(Step::is_matrix);
    let is_dense = animated.iter().any(|it| it.curve.bends() || turns(it)) && !animated.iter().all(is_matrix);
    moments(animated.iter().map(|it| &it.curve), is_dense, range)
}

/// The steps of a node at a time.
fn steps_at(steps: &[Step], animated: &[Animated], secs: f64) -> Vec<Step> {
    let mut steps = steps.to_vec();
    for Animated { step, member, curve } in animated {
        let Some(step) = steps.get_mut(*step) else { continue };
        match member {
            Some(member) => {
                if let Some((place, value)) = step.numbers.get_mut(*member).zip(curve.at(secs, 0)) {
                    *place = value;
                }
            }
            None => {
                for (number, place) in step.numbers.iter_mut().enumerate() {
                    if let Some(value) = curve.at(secs, number) {
                        *place = value;
                    }
                }
            }
        }
    }
    steps
}
