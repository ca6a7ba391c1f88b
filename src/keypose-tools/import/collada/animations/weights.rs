//! The curves of the weights of morph targets. Between keys that are not on a line they are sampled at 30 frames per second.

use std::mem::size_of;

use roxmltree::Node;

use crate::anim::key::{Channel, Ease, Key};
use crate::anim::scalar::ScalarIndex;
use crate::anim::time::Time;
use crate::import::assembly::budget::Budget;
use crate::import::assembly::keyframes::Column;
use crate::import::assembly::names::shortened;
use crate::import::collada::animations::{Animations, BYTES_PER_ROW, RATE};
use crate::import::collada::curves::{self, Curve};
use crate::import::collada::morphs::finite;
use crate::import::error::Fault;
use crate::import::report::Findings;

/// The keys of the weights that a channel sets, in every instance; `None` if it sets something else.
pub fn columns(
    of: Animations<'_, '_>,
    channel: Node<'_, '_>,
    budget: &mut Budget,
    findings: &mut Findings<'_>,
) -> Result<Option<Vec<Column>>, Fault> {
    let Some(address) = channel.attribute("target") else { return Ok(None) };
    let Some((lists, place)) = of.shapes.target(of.document, address) else { return Ok(None) };
    if place.is_some_and(|place| lists.iter().all(|list| place >= list.len())) {
        findings.add(format_args!("{}: no such morph target; ignored", shortened(address)));
        return Ok(Some(Vec::new()));
    }
    let width = if place.is_some() { 1 } else { lists.iter().map(Vec::len).max().unwrap_or(0) };
    let sampler = curves::sampler(of.document, channel);
    let Some(curve) = sampler.and_then(|sampler| Curve::read(of.document, sampler, width)) else {
        findings.add(format_args!("{address}: no usable keys; ignored"));
        return Ok(Some(Vec::new()));
    };
    let secs = moments(&curve).ok_or_else(|| findings.fault("a key is outside of the supported range"))?;
    let mut columns = Vec::new();
    for list in lists {
        let all: Vec<(usize, ScalarIndex)> = match place {
            Some(place) => list.get(place).map(|scalar| (0, *scalar)).into_iter().collect(),
            None => list.iter().copied().enumerate().collect(),
        };
        for (number, scalar) in all {
            let Some(bone) = of.shapes.bone(scalar) else { continue };
            let bytes = secs.len().saturating_mul(size_of::<(Time, Key)>().saturating_add(BYTES_PER_ROW));
            if !budget.take(bytes) {
                return Err(findings.fault("the animations have far more keys than the file holds"));
            }
            of.document.take_steps(secs.len());
            of.document.check_steps()?;
            let ease = if curve.is_stepped() { Ease::Step } else { Ease::Linear };
            let key = |secs: f64| {
                Some((Time::from_secs(secs), Key { ease, ..Key::scalar(bone, scalar, value(&curve, secs, number)?) }))
            };
            let mut keys: Vec<(Time, Key)> = secs.iter().filter_map(|secs| key(*secs)).collect();
            keys.dedup_by_key(|(time, _)| *time);
            if !keys.is_empty() {
                columns.push(Column { bone, channel: Channel::Scalar(scalar), keys });
            }
        }
    }
    Ok(Some(columns))
}

fn value(curve: &Curve, secs: f64, number: usize) -> Option<f32> {
    curve.at(secs, number).map(finite)
}

/// The times of the keys, and of frames if the curve bends; `None` if one is out of range.
#[allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Checked ranges.
fn moments(curve: &Curve) -> Option<Vec<f64>> {
    let mut secs: Vec<f64> = curve.secs.iter().copied().filter(|secs| *secs >= 0.0).collect();
    let (Some(&first), Some(&last)) = (secs.first(), secs.last()) else { return Some(secs) };
    if last > Time::LONGEST.secs() {
        return None;
    }
    if curve.bends() {
        let frames = (first * RATE).ceil() as u64..(last * RATE).floor() as u64;
        secs.extend(frames.map(|frame| frame as f64 / RATE));
    }
    secs.sort_by(f64::total_cmp);
    secs.dedup_by(|a, b| (*a - *b).abs() < 1e-5);
    Some(secs)
}
