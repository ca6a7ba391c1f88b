//! Animations: the channels of each node become keys of its translation, rotation and scale, those of weights keys of scalars.
//! Matrices and single transforms are evaluated at all key times of a node; where curves bend or rotations are made of several
//! angles, at 30 frames per second as well.

use std::collections::{BTreeMap, HashSet};
use std::mem::size_of;

use roxmltree::Node;

use crate::anim::clip::Clip;
use crate::anim::key::{Channel, Ease, Key};
use crate::anim::time::Time;
use crate::import::assembly::budget::Budget;
use crate::import::assembly::hierarchy::Bones;
use crate::import::assembly::keyframes::{Column, assemble};
use crate::import::assembly::names::Names;
use crate::import::collada::curves::{self, Curve};
use crate::import::collada::document::{Document, child, children, label};
use crate::import::collada::morphs::Shapes;
use crate::import::collada::scene::Scene;
use crate::import::collada::transforms::{self, Step};
use crate::import::error::Fault;
use crate::import::report::{Findings, Report};

mod weights;

/// Samples per second between keys, where lines between them are not enough.
const RATE: f64 = 30.0;
/// A channel whose values differ by no more than this is constant.
const CONSTANT: f32 = 1e-6;

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

/// The target of a channel: a node, one of its steps and a number of it.
type Target = (usize, usize, Option<usize>);

/// The nodes that an animation moves.
pub fn moved(document: &Document<'_>, scene: &Scene<'_>) -> HashSet<usize> {
    channels(document, document.root)
        .filter_map(|channel| target(document, scene, channel))
        .map(|(node, ..)| node)
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
fn target(document: &Document<'_>, scene: &Scene<'_>, channel: Node<'_, '_>) -> Option<Target> {
    document.take_steps(STEPS_PER_TARGET);
    let address = channel.attribute("target")?;
    let (path, last) = address.rsplit_once('/')?;
    let mut parts = path.split('/');
    let mut element = document.by_id(parts.next()?)?;
    for sid in parts {
        let is_it = |node: &Node<'_, '_>| document.take_steps(1) && node.attribute("sid") == Some(sid);
        element = element.descendants().find(is_it)?;
    }
    let node = scene.find(element)?;
    let cut = last.find(['.', '(']).unwrap_or(last.len());
    let (sid, member) = last.split_at_checked(cut)?;
    let steps = &scene.nodes.get(node)?.steps;
    document.take_steps(steps.len());
    let step = steps.iter().position(|step| step.sid == sid)?;
    let member = member.strip_prefix('.').unwrap_or(member);
    if member.is_empty() {
        Some((node, step, None))
    } else {
        Some((node, step, Some(steps.get(step)?.member(member)?)))
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
        let time = |name: &str| range.attribute(name).and_then(|text| text.trim().parse::<f64>().ok());
        let name = names.take(Some(&label(*range)), findings);
        let columns = columns(of, (found, &mut budget), findings).map(|mut columns| {
            cut(&mut columns, time("start").unwrap_or(0.0), time("end"));
            columns
        });
        let clip = columns.and_then(|columns| assemble(name, columns, None).map_err(|reason| findings.fault(reason)));
        add(clip, findings.report);
    }
    let all: Vec<Node<'_, '_>> = channels(document, document.root).collect();
    if ranges.is_empty() && !all.is_empty() {
        let findings = &mut report.at("animations");
        let name = names.take(Some(stem), findings);
        let columns = columns(of, (all, &mut budget), findings);
        let clip = columns.and_then(|columns| assemble(name, columns, None).map_err(|reason| findings.fault(reason)));
        add(clip, findings.report);
    }
    clips
}

/// Keeps the keys of a range, which begins at 0.
#[allow(clippy::arithmetic_side_effects)] // Times saturate.
fn cut(columns: &mut Vec<Column>, start: f64, end: Option<f64>) {
    let (start, end) = (Time::from_secs(start), end.map_or(Time::LONGEST, Time::from_secs));
    for column in columns.iter_mut() {
        column.keys.retain(|(time, _)| (start..=end).contains(time));
        column.keys.iter_mut().for_each(|(time, _)| *time -= start);
    }
    columns.retain(|column| !column.keys.is_empty());
}

/// The keys of all channels, sorted by bone and channel.
fn columns(
    of: Animations<'_, '_>,
    (channels, budget): (Vec<Node<'_, '_>>, &mut Budget),
    findings: &mut Findings<'_>,
) -> Result<Vec<Column>, Fault> {
    let Animations { document, scene, bones, .. } = of;
    let (mut of_node, mut columns) = (BTreeMap::<usize, Vec<Animated>>::new(), Vec::new());
    for channel in channels {
        document.check_steps()?;
        if let Some(found) = weights::columns(of, channel, budget, findings)? {
            columns.extend(found);
            continue;
        }
        let Some((node, step, member)) = target(document, scene, channel) else {
            findings.report.not_imported("animation channels of other targets");
            continue;
        };
        let numbers = scene.nodes.get(node).and_then(|node| node.steps.get(step)).map_or(0, |step| step.numbers.len());
        let width = if member.is_some() { 1 } else { numbers };
        let sampler = curves::sampler(document, channel);
        match sampler.and_then(|sampler| Curve::read(document, sampler, width)) {
            Some(curve) if !budget.take(curve.secs.len().saturating_mul(BYTES_PER_ROW)) => {
                return Err(findings.fault("the animations have far more keys than the file holds"));
            }
            Some(curve) => of_node.entry(node).or_default().push(Animated { step, member, curve }),
            None => findings
                .add(format_args!("{}: no usable keys; ignored", channel.attribute("target").unwrap_or("a channel"))),
        }
    }
    for (node, animated) in &of_node {
        let (Some(bone), Some(from)) = (bones.of(*node), scene.nodes.get(*node)) else { continue };
        let secs =
            moments(&from.steps, animated).ok_or_else(|| findings.fault("a key is outside of the supported range"))?;
        if !budget.take(secs.len().saturating_mul(3).saturating_mul(size_of::<(Time, Key)>())) {
            return Err(findings.fault("the animations have far more keys than the file holds"));
        }
        let ease = if animated.iter().all(|it| it.curve.is_stepped()) { Ease::Step } else { Ease::Linear };
        let mut keys: [Vec<(Time, Key)>; 3] = Default::default();
        for secs in secs {
            document.take_steps(from.steps.len().saturating_add(animated.len()));
            document.check_steps()?;
            let matrix = transforms::matrix(document, &steps_at(&from.steps, animated, secs), from.parent.is_none());
            let matrix = matrix.ok_or_else(|| findings.fault(format!("the pose at {secs} s is not finite")))?;
            let (transform, _) = transforms::decomposed(matrix);
            let time = Time::from_secs(secs);
            for (keys, channel) in keys.iter_mut().zip(Channel::ALL) {
                if keys.last().is_none_or(|(before, _)| *before < time) {
                    keys.push((time, Key { ease, ..Key::new(bone, channel, channel.of(&transform)) }));
                }
            }
        }
        let rest = bones.skeleton.get(bone).map(|bone| bone.rest).unwrap_or_default();
        for (keys, channel) in keys.into_iter().zip(Channel::ALL) {
            columns.extend(column(keys, channel, channel.of(&rest)));
        }
    }
    columns.sort_by_key(|column: &Column| (column.bone, column.channel));
    columns.dedup_by_key(|column| (column.bone, column.channel));
    Ok(columns)
}

/// A column of keys: one if it is constant, and none if that is its value at rest.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn column(mut keys: Vec<(Time, Key)>, channel: Channel, rest: glam::Vec4) -> Option<Column> {
    let first = keys.first()?.1;
    let is_near = |a: glam::Vec4, b: glam::Vec4| {
        let same = (a - b).abs().max_element() <= CONSTANT;
        same || (channel == Channel::Rotation && (a + b).abs().max_element() <= CONSTANT)
    };
    if keys.iter().all(|(_, key)| is_near(key.value, first.value)) {
        keys.truncate(1);
        if is_near(first.value, rest) {
            return None;
        }
    }
    Some(Column { bone: first.bone, channel, keys })
}

/// The times at which a node is evaluated; `None` if one is out of range.
#[allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Checked ranges.
fn moments(steps: &[Step], animated: &[Animated]) -> Option<Vec<f64>> {
    let mut secs: Vec<f64> = animated.iter().flat_map(|it| it.curve.secs.iter().copied()).collect();
    let is_rotation = |it: &&Animated| steps.get(it.step).is_some_and(Step::is_rotation);
    let is_dense = animated.iter().any(|it| it.curve.bends()) || animated.iter().any(|it| is_rotation(&it));
    let is_matrix = |it: &Animated| steps.get(it.step).is_some_and(Step::is_matrix);
    let is_stepped = animated.iter().all(|it| it.curve.is_stepped());
    let first = secs.iter().copied().fold(f64::INFINITY, f64::min).max(0.0);
    let last = secs.iter().copied().fold(0.0_f64, f64::max);
    if last > Time::LONGEST.secs() {
        return None;
    }
    if is_dense && !is_stepped && !animated.iter().all(is_matrix) {
        let frames = (first * RATE).ceil() as u64..(last * RATE).floor() as u64;
        // A day at this rate has 2,592,000 frames.
        secs.extend(frames.map(|frame| frame as f64 / RATE));
    }
    secs.retain(|secs| *secs >= 0.0);
    secs.sort_by(f64::total_cmp);
    secs.dedup_by(|a, b| (*a - *b).abs() < 1e-5);
    Some(secs)
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
