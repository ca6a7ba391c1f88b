//! The state machine in exports, checked against the published schema.

use std::sync::Arc;

use keypose::anim::bake::bake;
use keypose::assets::machine::AnimationTable;
use keypose::assets::model::Model;
use keypose_app::app::files;
use keypose_tools::export::baked_json::{self, Rate};
use keypose_tools::export::gltf::{GlbOptions, encode};
use keypose_tools::export::machine_json;
use serde_json::{Value as Json, json};

use crate::fuzz::targets::sample::graph;
use crate::{glb, root};

fn schema() -> Json {
    let path = root::root().join("docs/machine.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Violations of a schema by a value, for the keywords that the published one uses. Every member must be described.
fn errors(value: &Json, schema: &Json, whole: &Json, place: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        return errors(value, whole.pointer(&name[1..]).unwrap(), whole, place);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let tried: Vec<Vec<String>> = choices.iter().map(|choice| errors(value, choice, whole, place)).collect();
        return match tried.iter().filter(|errors| errors.is_empty()).count() {
            1 => Vec::new(),
            count => vec![format!("{place}: {value} matches {count} of {tried:?}")],
        };
    }
    let mut wrong = Vec::new();
    let mut check = |is_right: bool, keyword: &str| {
        if !is_right {
            wrong.push(format!("{place}: {value} breaks {keyword}"));
        }
    };
    let types: Vec<&str> = match &schema["type"] {
        Json::Array(types) => types.iter().filter_map(Json::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    check(types.is_empty() || types.contains(&type_of(value)), "type");
    check(schema["const"].is_null() || schema["const"] == *value, "const");
    check(schema["enum"].as_array().is_none_or(|values| values.contains(value)), "enum");
    if let Some(number) = value.as_f64() {
        check(schema["minimum"].as_f64().is_none_or(|limit| number >= limit), "minimum");
        check(schema["maximum"].as_f64().is_none_or(|limit| number <= limit), "maximum");
    }
    if let Some(items) = value.as_array() {
        let count = items.len() as u64;
        check(schema["minItems"].as_u64().is_none_or(|limit| count >= limit), "minItems");
        check(schema["maxItems"].as_u64().is_none_or(|limit| count <= limit), "maxItems");
        let each = items.iter().enumerate();
        wrong.extend(each.flat_map(|(at, item)| errors(item, &schema["items"], whole, &format!("{place}/{at}"))));
    } else if let Some(members) = value.as_object() {
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
        required.for_each(|name| check(members.contains_key(name), name));
        let undescribed = Json::Bool(false);
        for name in members.keys() {
            let described = schema["properties"].get(name).unwrap_or(&undescribed);
            check(described.is_object(), &format!("the list of members, with {name}"));
        }
        wrong.extend(members.iter().filter(|(name, _)| schema["properties"].get(name).is_some()).flat_map(
            |(name, member)| errors(member, &schema["properties"][name.as_str()], whole, &format!("{place}/{name}")),
        ));
    }
    wrong
}

fn type_of(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

fn demo() -> Vec<Arc<Model>> {
    files::open(&root::root().join("data/demo.wad")).unwrap().project.models.to_vec()
}

/// The player with the machine of the sample, which has every kind of part.
fn with_every_part() -> Model {
    let machine = AnimationTable { graph: Some(graph()), ..Default::default() };
    Model { machine, ..(*demo()[0]).clone() }
}

#[test]
fn machines_follow_the_published_schema() {
    let schema = schema();
    let mut machines: Vec<Json> = demo().iter().filter_map(|model| machine_json::of_model(model)).collect();
    assert!(!machines.is_empty(), "the demo has machines");
    machines.push(machine_json::of_model(&with_every_part()).unwrap());
    for machine in &machines {
        assert_eq!(errors(machine, &schema, &schema, ""), Vec::<String>::new());
    }
}

#[test]
fn the_schema_refuses_what_is_not_a_machine() {
    let (schema, right) = (schema(), machine_json::of_model(&with_every_part()).unwrap());
    let wrong = [
        ("/version", json!(2)),
        ("/start", json!(0)),
        ("/states", json!([])),
        ("/states/0/repeat", json!("never")),
        ("/states/1/motion/points/0/at", json!([1, 2, 3])),
        ("/transitions/0/conditions/0", json!({ "parameter": "speed", "is": "above" })),
        ("/transitions/0/fade/duration", json!(-1)),
        ("/layers/0", json!({ "name": "arms" })),
    ];
    for (place, value) in wrong {
        let mut machine = right.clone();
        *machine.pointer_mut(place).unwrap() = value;
        assert!(!errors(&machine, &schema, &schema, "").is_empty(), "{place}");
    }
}

#[test]
fn both_exports_have_the_machine_and_shortest_numbers() {
    let model = with_every_part();
    let machine = machine_json::of_model(&model).unwrap();
    let run = &machine["states"][1]["motion"]["points"][1];
    assert_eq!(run["at"], json!([4.5]));
    assert_eq!(machine["transitions"][0]["conditions"][0]["value"], json!(0.1));
    assert!(run["stride"].as_f64().unwrap() > 1.0, "a run covers more than a metre per loop: {run}");
    assert_eq!(machine["transitions"][1]["from"], Json::Null);
    let exported = glb::Glb::parse(&encode(&model, GlbOptions::default()).unwrap().bytes);
    assert_eq!(exported.json["asset"]["extras"]["keypose"]["machine"], machine);
    let baked: Vec<_> = model.clips.iter().map(|slot| Arc::new(bake(&slot.clip, &model.skeleton))).collect();
    let text = baked_json::encode(&model, &baked, Rate::OfClip).unwrap();
    assert_eq!(serde_json::from_str::<Json>(&text).unwrap()["machine"], machine);
}

#[test]
fn both_exports_have_the_same_volumes_and_lanes() {
    let mut model = (*demo()[0]).clone();
    model.clips.retain(|slot| slot.clip.name == "attack");
    let baked = Arc::new(bake(&model.clips[0].clip, &model.skeleton));
    let json: Json = serde_json::from_str(&baked_json::encode(&model, &[baked], Rate::OfClip).unwrap()).unwrap();
    let exported = glb::Glb::parse(&encode(&model, GlbOptions::default()).unwrap().bytes);
    assert_eq!(json["hurt"], exported.json["asset"]["extras"]["keypose"]["hurt"]);
    assert!(json["clips"][0]["lanes"]["hits"][0]["volumes"][0]["radius"].is_number());
    assert_eq!(json["clips"][0]["lanes"], exported.json["animations"][0]["extras"]["keypose"]["lanes"]);
}
