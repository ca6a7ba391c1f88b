//! The curves of the weights of morph targets. Between keys that are not on a line they are sampled at 30 frames per second.

use std::iter;

use roxmltree::Node;

use crate::anim::key::{Channel, Key};
use crate::anim::scalar::ScalarIndex;
use crate::anim::time::Time;
use crate::import::assembly::budget::{BYTES_PER_KEY, Budget};
use crate::import::assembly::jumps::{JUST_BEFORE, jump};
use crate::import::assembly::keyframes::Column;
use crate::import::assembly::names::shortened;
use crate::import::assembly::weights::finite;
use crate::import::collada::animations::moments::{Range, moments};
use crate::import::collada::animations::{Animations, BYTES_PER_ROW, curve};
use crate::import::collada::curves::Moment;
use crate::import::error::Fault;
use crate::import::report::Findings;

/// The keys of the weights that a channel sets, in every instance; `None` if it sets something else.
pub fn columns(
    of: Animations<'_, '_>,
    (channel, range): (Node<'_, '_>, Range),
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
    let Some(curve) = curve(of.document, channel, width, findings) else { return Ok(Some(Vec::new())) };
    let moments = moments(iter::once(&curve), curve.bends(), range)
        .ok_or_else(|| findings.fault("a key is outside of the supported range"))?;
    let mut columns = Vec::new();
    for list in lists {
        let all: Vec<(usize, ScalarIndex)> = match place {
            Some(place) => list.get(place).map(|scalar| (0, *scalar)).into_iter().collect(),
            None => list.iter().copied().enumerate().collect(),
        };
        for (number, scalar) in all {
            let Some(bone) = of.bones.skeleton.scalar(scalar).map(|scalar| scalar.bone) else { continue };
            let bytes = BYTES_PER_KEY.saturating_add(BYTES_PER_ROW);
            budget.take_keys(moments.len(), bytes).map_err(|reason| findings.fault(reason))?;
            of.document.take_steps(moments.len());
            of.document.check_steps()?;
            let key = |secs: f64| Some(Key::scalar(bone, scalar, curve.at(secs, number).map(finite)?));
            let mut keys: Vec<(Time, Key)> = Vec::new();
            for &Moment { secs, is_jump } in &moments {
                let Some(at) = key(secs) else { continue };
                let held = if is_jump { key(secs - JUST_BEFORE.secs()).unwrap_or(at) } else { at };
                let time = range.time(secs);
                jump(&mut keys, (time, at), held.value);
            }
            if !keys.is_empty() {
                columns.push(Column { bone, channel: Channel::Scalar(scalar), keys });
            }
        }
    }
    Ok(Some(columns))
}
