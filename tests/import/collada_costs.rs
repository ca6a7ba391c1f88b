//! Small COLLADA files whose elements refer to each other so often that reading them would take far more time or memory than
//! their size: each is read within the bounds of docs/limits.md, or refused.

use std::time::{Duration, Instant};

use keypose_tools::import::import;

use crate::allocator;

const HEAD: &str = r##"<?xml version="1.0"?><COLLADA xmlns="x" version="1.4.1"><asset><unit meter="1"/></asset>"##;
const TAIL: &str = r##"<scene><instance_visual_scene url="#s"/></scene></COLLADA>"##;

fn scene(nodes: &str) -> String {
    format!(r##"<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>"##)
}

/// A node with `n` transforms, and `n` instances of it.
fn transforms(n: usize) -> String {
    let steps = "<scale>1 1 1</scale>".repeat(n);
    let instances = r##"<instance_node url="#a"/>"##.repeat(n);
    let node = format!(r##"<node id="r">{instances}</node>"##);
    format!(r##"<library_nodes><node id="a">{steps}</node></library_nodes>{}"##, scene(&node))
}

/// A skin of `n` joints without a mesh, and `n` instances of it.
fn skins(n: usize) -> String {
    let matrices = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 ".repeat(n);
    let instances = r##"<instance_controller url="#c"/>"##.repeat(n);
    let nodes = format!(r##"<node id="b" sid="b" type="JOINT"/><node>{instances}</node>"##);
    format!(
        r##"<library_controllers><controller id="c"><skin source="#none"><source id="j"><Name_array>{}</Name_array></source>
<source id="m"><float_array>{matrices}</float_array><technique_common><accessor count="{n}" stride="16"/></technique_common></source>
<source id="w"><float_array>1</float_array></source>
<joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#m"/></joints><vertex_weights>
<input semantic="JOINT" source="#j" offset="0"/><input semantic="WEIGHT" source="#w" offset="1"/></vertex_weights></skin></controller>
</library_controllers>{}"##,
        "b ".repeat(n),
        scene(&nodes)
    )
}

/// `n` channels that share a source of 10 `n` numbers.
fn curves(n: usize) -> String {
    let channels = r##"<channel source="#sa" target="a/t.X"/>"##.repeat(n);
    format!(
        r##"<library_animations><animation id="an"><source id="i"><float_array>{times}</float_array></source><source id="o"><float_array>
{}</float_array></source><sampler id="sa"><input semantic="INPUT" source="#i"/><input semantic="OUTPUT" source="#o"/></sampler>{channels}
</animation></library_animations>{}"##,
        "0 ".repeat(10 * n),
        scene(r##"<node id="a"><translate sid="t">0 0 0</translate></node>"##),
        times = (0..10 * n).map(|at| format!("{at} ")).collect::<String>(),
    )
}

/// `n` clips of an animation with `n` channels whose target is no node, and `n` nodes.
fn clips(n: usize) -> String {
    let channels = r##"<channel target="g/t"/>"##.repeat(n);
    let clips = r##"<animation_clip><instance_animation url="#an"/></animation_clip>"##.repeat(n);
    format!(
        r##"<library_animations><animation id="an">{channels}</animation></library_animations><library_animation_clips>{clips}
</library_animation_clips><library_geometries><geometry id="g"/></library_geometries>{}"##,
        scene(&"<node/>".repeat(n))
    )
}

/// `n` empty lists of faces of one mesh, instanced `n` times.
fn faces(n: usize) -> String {
    let lists = r##"<triangles><input semantic="VERTEX" source="#v"/></triangles>"##.repeat(n);
    let instances = r##"<instance_geometry url="#g"/>"##.repeat(n);
    format!(
        r##"<library_geometries><geometry id="g"><mesh><source id="p"><float_array>{}</float_array><technique_common><accessor stride="3"/>
</technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>{lists}</mesh></geometry></library_geometries>{}"##,
        "0 ".repeat(10 * n),
        scene(&format!(r##"<node id="a">{instances}</node>"##))
    )
}

/// A morph whose `n` targets are one geometry of `3 n` numbers, and `n` instances of it.
fn morphs(n: usize) -> String {
    let instances = r##"<instance_controller url="#c"/>"##.repeat(n);
    format!(
        r##"<library_geometries><geometry id="g"><mesh><source id="p"><float_array>{}</float_array><technique_common><accessor stride="3"/>
</technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles><input semantic="VERTEX" source="#v"/><p>{}</p></triangles></mesh></geometry></library_geometries>
<library_controllers><controller id="c"><morph source="#g"><source id="t"><IDREF_array>{}</IDREF_array></source><source id="w">
<float_array>{}</float_array></source><targets><input semantic="MORPH_TARGET" source="#t"/><input semantic="MORPH_WEIGHT" source="#w"/>
</targets></morph></controller></library_controllers>{}"##,
        "0 1 2 ".repeat(n),
        "0 1 2 ".repeat(n),
        "g ".repeat(n),
        "0 ".repeat(n),
        scene(&format!(r##"<node id="a">{instances}</node>"##))
    )
}

/// `n` materials of one effect with `n` parameters.
fn materials(n: usize) -> String {
    let parameters = r##"<newparam sid="x"/>"##.repeat(n);
    let materials: String =
        (0..n).map(|at| format!(r##"<material id="m{at}"><instance_effect url="#e"/></material>"##)).collect();
    let lists: String = (0..n)
        .map(|at| {
            format!(r##"<triangles material="m{at}"><input semantic="VERTEX" source="#v"/><p>0 0 0</p></triangles>"##)
        })
        .collect();
    format!(
        r##"<library_effects><effect id="e">{parameters}<phong><diffuse><texture texture="t"/></diffuse></phong></effect></library_effects>
<library_materials>{materials}</library_materials><library_geometries><geometry id="g"><mesh><source id="p"><float_array>0 0 0</float_array>
<technique_common><accessor stride="3"/></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
{lists}</mesh></geometry></library_geometries>{}"##,
        scene(r##"<node id="a"><instance_geometry url="#g"/></node>"##)
    )
}

#[test]
fn elements_that_refer_to_each_other_cost_no_more_than_a_bound() {
    type Make = fn(usize) -> String;
    let kinds: [(&str, Make); 7] = [
        ("transforms", transforms),
        ("skins", skins),
        ("curves", curves),
        ("clips", clips),
        ("faces", faces),
        ("materials", materials),
        ("morphs", morphs),
    ];
    for (kind, make) in kinds {
        // Without bounds, each of these takes minutes in a build for tests, or a gigabyte.
        let text = [HEAD, &make(2000), TAIL].concat();
        let no_files = &mut |path: &str| Err(format!("{path} doesn't exist"));
        let start = Instant::now();
        let (imported, peak) = allocator::peak_of(|| import("costs.dae", text.as_bytes(), no_files));
        let outcome = imported.map(|imported| imported.model.check().unwrap()).map_err(|error| error.to_string());
        let bound = (96 << 20) + 96 * text.len() as isize;
        assert!(peak < bound, "{kind}: {peak} bytes for a file of {}: {outcome:?}", text.len());
        // A tenth of what it took without bounds, and more than ten times what it takes now, on a busy machine.
        assert!(start.elapsed() < Duration::from_secs(60), "{kind}: {:?}: {outcome:?}", start.elapsed());
        println!("{kind}: {} bytes, {peak} of memory, {:?}, {outcome:?}", text.len(), start.elapsed());
    }
}

#[test]
fn every_clip_of_a_long_timeline_is_read() {
    let times: String = (0..20_000).map(|at| format!("{at} ")).collect();
    let clip = |at: usize| {
        let part = r##"<instance_animation url="#an"/>"##;
        format!(r##"<animation_clip id="c{at}" start="{at}" end="{}">{part}</animation_clip>"##, at + 1)
    };
    let clips: String = (0..120).map(clip).collect();
    let body = format!(
        r##"<library_animations><animation id="an"><source id="i"><float_array>{times}</float_array></source><source id="o"><float_array>
{times}</float_array></source><sampler id="sa"><input semantic="INPUT" source="#i"/><input semantic="OUTPUT" source="#o"/></sampler>
<channel source="#sa" target="a/t.X"/></animation></library_animations><library_animation_clips>{clips}</library_animation_clips>{}"##,
        scene(r##"<node id="a" type="JOINT"><translate sid="t">0 0 0</translate></node>"##)
    );
    let text = [HEAD, &body, TAIL].concat();
    let imported = import("long.dae", text.as_bytes(), &mut |_| Err("no other files".into())).unwrap();
    assert_eq!(imported.model.clips.len(), 120, "{:?}", imported.report);
}
