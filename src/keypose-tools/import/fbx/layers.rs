//! The layers of an animation stack that play, and what the reader must not read in them.

use std::collections::BTreeMap;

use ufbx::{AnimLayer, AnimOpts, AnimRoot, AnimStack, ListOpt, PropFlags, PropOverrideDesc, Ref, Scene, StringOpt};

use crate::import::error::Fault;
use crate::import::fbx::scene;
use crate::import::report::Findings;

/// The animation of a stack, if it differs from that of all its layers.
pub fn playing(scene: &Scene, stack: &AnimStack, findings: &mut Findings<'_>) -> Result<Option<AnimRoot>, Fault> {
    let has_solo = stack.layers.iter().any(|layer| is_on(layer, "Solo"));
    let plays = |layer: &&Ref<AnimLayer>| !is_on(layer, "Mute") && (!has_solo || is_on(layer, "Solo"));
    let mut layers: Vec<&Ref<AnimLayer>> = stack.layers.iter().filter(plays).collect();
    let plays_all = layers.is_empty() || layers.len() == stack.layers.len();
    if layers.is_empty() {
        layers = stack.layers.iter().collect();
    }
    if !plays_all {
        findings.add("layers that are muted, or beside a solo one, are left out");
    }
    let at_rest = at_rest(&layers, findings);
    if plays_all && at_rest.is_empty() {
        return Ok(None);
    }
    let ids: Vec<u32> = layers.iter().map(|layer| layer.element.typed_id).collect();
    let options =
        AnimOpts { layer_ids: ListOpt::Ref(&ids), prop_overrides: ListOpt::Owned(at_rest), ..AnimOpts::default() };
    ufbx::create_anim(scene, options).map(Some).map_err(|error| findings.fault(scene::reason(&error)))
}

fn is_on(layer: &AnimLayer, switch: &str) -> bool {
    ufbx::find_prop(&layer.element.props, switch).is_some_and(|switch| switch.value_int != 0)
}

/// Properties that stay as they are at rest. Where a layer has an element, but not a property that another stack or layer animates,
/// ufbx 0.11.5 looks at the next element of the layer, and takes its property if that is its first one there.
fn at_rest<'a>(layers: &[&'a Ref<AnimLayer>], findings: &mut Findings<'_>) -> Vec<PropOverrideDesc<'a>> {
    let mut found = BTreeMap::new();
    for layer in layers {
        for (own, next) in layer.anim_props.iter().zip(layer.anim_props.iter().skip(1)) {
            let (element, name) = (&own.element, &*next.prop_name);
            let is_passed = element.element_id != next.element.element_id && *own.prop_name < *name;
            let rest = is_passed.then(|| ufbx::find_prop(&element.props, name)).flatten();
            if let Some(rest) = rest.filter(|rest| rest.flags.has_any(PropFlags::ANIMATED)) {
                found.insert((element.element_id, name), (&*element.name, rest));
            }
        }
    }
    for prop in layers.iter().flat_map(|layer| layer.anim_props.iter()) {
        if let Some((element, _)) = found.get(&(prop.element.element_id, &*prop.prop_name)) {
            findings.add(format_args!("{} of {element} is animated in some layers only; left out", &*prop.prop_name));
        }
    }
    let over = |((element_id, name), (_, rest)): ((u32, &'a str), (&str, &ufbx::Prop))| PropOverrideDesc {
        element_id,
        prop_name: StringOpt::Ref(name),
        value: rest.value_vec4,
        value_int: rest.value_int,
        ..PropOverrideDesc::default()
    };
    found.into_iter().map(over).collect()
}
