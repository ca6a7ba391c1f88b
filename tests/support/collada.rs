//! A small COLLADA file, to be changed by tests.

#![allow(dead_code)]

/// A square on two joints, in centimetres with z up: the root moves by matrices, the tip turns about x by a curve. Joints have SIDs
/// that differ from their ids, and the skin has a bind shape.
pub const SMALL: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_images><image id="cloth"><init_from>art/my%20cloth.png</init_from></image></library_images>
<library_effects><effect id="red-fx"><profile_COMMON>
<newparam sid="surface"><surface type="2D"><init_from>cloth</init_from></surface></newparam>
<newparam sid="sampler"><sampler2D><source>surface</source><wrap_s>CLAMP</wrap_s></sampler2D></newparam>
<technique sid="common"><lambert><diffuse><texture texture="sampler" texcoord="UV"/></diffuse>
<transparency><float>0.5</float></transparency></lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="red" name="Red"><instance_effect url="#red-fx"/></material></library_materials>
<library_geometries><geometry id="sail" name="Sail"><mesh>
<source id="pos"><float_array id="pos-a" count="12">0 0 0 100 0 0 100 0 100 0 0 100</float_array>
<technique_common><accessor source="#pos-a" count="4" stride="3"/></technique_common></source>
<source id="uv"><float_array id="uv-a" count="4">0 0 1 1</float_array>
<technique_common><accessor source="#uv-a" count="2" stride="2"/></technique_common></source>
<vertices id="verts"><input semantic="POSITION" source="#pos"/></vertices>
<polylist material="m" count="1"><input semantic="VERTEX" source="#verts" offset="0"/>
<input semantic="TEXCOORD" source="#uv" offset="1" set="0"/><vcount>4</vcount><p>0 0 1 1 2 1 3 0</p></polylist>
</mesh></geometry></library_geometries>
<library_controllers><controller id="skin"><skin source="#sail">
<bind_shape_matrix>1 0 0 10 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>
<source id="joints"><Name_array id="joints-a" count="2">root tip</Name_array></source>
<source id="binds"><float_array id="binds-a" count="32">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 0 0 0 1 -100 0 0 0 1</float_array>
<technique_common><accessor source="#binds-a" count="2" stride="16"/></technique_common></source>
<source id="weights"><float_array id="weights-a" count="2">1 0.5</float_array>
<technique_common><accessor source="#weights-a" count="2" stride="1"/></technique_common></source>
<joints><input semantic="JOINT" source="#joints"/><input semantic="INV_BIND_MATRIX" source="#binds"/></joints>
<vertex_weights count="4"><input semantic="JOINT" source="#joints" offset="0"/><input semantic="WEIGHT" source="#weights" offset="1"/>
<vcount>1 1 2 2</vcount><v>0 0 0 0 0 1 1 1 0 1 1 1</v></vertex_weights></skin></controller></library_controllers>
<library_animations>
<animation id="move"><source id="t"><float_array id="t-a" count="2">0 1</float_array>
<technique_common><accessor source="#t-a" count="2" stride="1"/></technique_common></source>
<source id="m"><float_array id="m-a" count="32">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 0 0 0 1 200 0 0 0 1</float_array>
<technique_common><accessor source="#m-a" count="2" stride="16"/></technique_common></source>
<sampler id="move-s"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#m"/></sampler>
<channel source="#move-s" target="Rig_root/transform"/></animation>
<animation id="turn"><source id="a"><float_array id="a-a" count="2">0 90</float_array>
<technique_common><accessor source="#a-a" count="2" stride="1"/></technique_common></source>
<source id="i"><Name_array id="i-a" count="2">BEZIER BEZIER</Name_array></source>
<source id="in"><float_array id="in-a" count="4">0 0 0.5 90</float_array>
<technique_common><accessor source="#in-a" count="2" stride="2"/></technique_common></source>
<source id="out"><float_array id="out-a" count="4">0.5 0 1 90</float_array>
<technique_common><accessor source="#out-a" count="2" stride="2"/></technique_common></source>
<sampler id="turn-s"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#a"/>
<input semantic="INTERPOLATION" source="#i"/><input semantic="IN_TANGENT" source="#in"/><input semantic="OUT_TANGENT" source="#out"/></sampler>
<channel source="#turn-s" target="Rig_tip/rotateX.ANGLE"/></animation></library_animations>
<library_visual_scenes><visual_scene id="scene">
<node id="Rig_root" name="root" sid="root" type="JOINT"><matrix sid="transform">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
<node id="Rig_tip" name="tip" sid="tip" type="JOINT"><translate sid="place">0 0 100</translate><rotate sid="rotateX">1 0 0 0</rotate></node></node>
<node id="Sail" name="Sail"><instance_controller url="#skin"><skeleton>#Rig_root</skeleton>
<bind_material><technique_common><instance_material symbol="m" target="#red"/></technique_common></bind_material></instance_controller></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene></COLLADA>
"##;

/// The small file with two morph targets below the skin: "wide" moves the corners on the right by 1 m to the right, "high" the upper ones
/// by 0.5 m up. They are shapes (NORMALIZED) or differences (RELATIVE). The weight of "wide" rises from 0 to 1 in the second in which the
/// root rises; that of "high" is 0.5.
pub fn morphed(method: &str) -> String {
    let points = match method {
        "RELATIVE" => ["0 0 0 100 0 0 100 0 0 0 0 0", "0 0 0 0 0 0 0 0 50 0 0 50"],
        _ => ["0 0 0 200 0 0 200 0 100 0 0 100", "0 0 0 100 0 0 100 0 150 0 0 150"],
    };
    let geometry = |id: &str, points: &str| {
        format!(
            r##"<geometry id="{id}"><mesh><source id="{id}-p"><float_array id="{id}-a" count="12">{points}</float_array>
<technique_common><accessor source="#{id}-a" count="4" stride="3"/></technique_common></source>
<vertices id="{id}-v"><input semantic="POSITION" source="#{id}-p"/></vertices>
<polylist count="1"><input semantic="VERTEX" source="#{id}-v" offset="0"/><vcount>4</vcount><p>0 1 2 3</p></polylist></mesh></geometry>"##
        )
    };
    let geometries = geometry("wide", points[0]) + &geometry("high", points[1]) + "</library_geometries>";
    let morph = format!(
        r##"<library_controllers><controller id="morph"><morph source="#sail" method="{method}">
<source id="shapes"><IDREF_array id="shapes-a" count="2">wide high</IDREF_array></source>
<source id="sizes"><float_array id="sizes-a" count="2">0 0.5</float_array>
<technique_common><accessor source="#sizes-a" count="2" stride="1"/></technique_common></source>
<targets><input semantic="MORPH_TARGET" source="#shapes"/><input semantic="MORPH_WEIGHT" source="#sizes"/></targets></morph></controller>"##
    );
    let curve = r##"<library_animations><animation id="widen"><source id="w"><float_array id="w-a" count="2">0 1</float_array>
<technique_common><accessor source="#w-a" count="2" stride="1"/></technique_common></source>
<sampler id="widen-s"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#w"/></sampler>
<channel source="#widen-s" target="sizes(0)"/></animation>"##;
    SMALL
        .replace("</library_geometries>", &geometries)
        .replace("<library_controllers>", &morph)
        .replace("<skin source=\"#sail\">", "<skin source=\"#morph\">")
        .replace("<library_animations>", curve)
}
