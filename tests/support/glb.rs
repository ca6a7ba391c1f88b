//! A glTF file in parts, to be changed and put together again: what the tests' variants are made with.

#![allow(dead_code)] // Each user needs a part of it.

use serde_json::{Value, json};

pub const I8: u32 = 5120;
pub const U8: u32 = 5121;
pub const I16: u32 = 5122;
pub const U16: u32 = 5123;
pub const U32: u32 = 5125;
pub const F32: u32 = 5126;

/// JSON and one buffer.
#[derive(Clone)]
pub struct Glb {
    pub json: Value,
    pub buffer: Vec<u8>,
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

impl Glb {
    /// Takes a .glb apart.
    pub fn parse(bytes: &[u8]) -> Glb {
        let json_bytes = word(bytes, 12);
        let json = serde_json::from_slice(&bytes[20..20 + json_bytes]).unwrap();
        let at = 20 + json_bytes;
        let buffer = if at < bytes.len() { bytes[at + 8..at + 8 + word(bytes, at)].to_vec() } else { Vec::new() };
        Glb { json, buffer }
    }

    /// A strip of five vertices on two bones that wave: every part of the importer has something to read in it.
    pub fn small() -> Glb {
        let mut glb = Glb {
            json: json!({
                "asset": { "version": "2.0" },
                "scene": 0,
                "scenes": [{ "nodes": [2, 0] }],
                "nodes": [
                    { "name": "root", "children": [1] },
                    { "name": "child", "translation": [2, 1, 0] },
                    { "name": "body", "mesh": 0, "skin": 0 },
                ],
                "buffers": [{ "byteLength": 0 }],
                "materials": [{ "name": "red", "pbrMetallicRoughness": { "baseColorFactor": [1, 0, 0, 1] } }],
            }),
            buffer: Vec::new(),
        };
        let positions = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 2.0, 0.5, 0.0, 4.0, 2.0, 0.0, 4.0, 0.0, 0.0];
        let weights = [1., 0., 0., 0., 1., 0., 0., 0., 0.5, 0.5, 0., 0., 0., 1., 0., 0., 0., 1., 0., 0.];
        let joints = [0, 1, 0, 0].repeat(5);
        let positions = glb.add("VEC3", F32, false, 5, &floats(&positions));
        let weights = glb.add("VEC4", F32, false, 5, &floats(&weights));
        let joints = glb.add("VEC4", U8, false, 5, &joints);
        let indices = glb.add("SCALAR", U8, false, 6, &[0, 2, 1, 2, 4, 3]);
        let times = glb.add("SCALAR", F32, false, 3, &floats(&[0.0, 0.5, 1.25]));
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let turns = glb.add("VEC4", F32, false, 3, &floats(&[0., 0., 0., 1., 0., 0., half, half, 0., 0., 0., 1.]));
        let moves = [0.0_f32; 27].map(|_| 0.25);
        let moves = glb.add("VEC3", F32, false, 9, &floats(&moves));
        let attributes = json!({ "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights });
        let primitive = json!({ "attributes": attributes, "indices": indices, "material": 0 });
        glb.json["meshes"] = json!([{ "name": "strip", "primitives": [primitive] }]);
        glb.json["skins"] = json!([{ "joints": [0, 1] }]);
        let channel = |sampler: u32, path: &str| json!({ "sampler": sampler, "target": { "node": 1, "path": path } });
        glb.json["animations"] = json!([{
            "name": "wave",
            "samplers": [
                { "input": times, "output": turns },
                { "input": times, "output": moves, "interpolation": "CUBICSPLINE" },
            ],
            "channels": [channel(0, "rotation"), channel(1, "translation")],
        }]);
        glb
    }

    /// Adds an accessor with a view of its own; its index.
    pub fn add(&mut self, shape: &str, component: u32, normalized: bool, count: usize, bytes: &[u8]) -> usize {
        let view = self.add_view(bytes);
        let accessor = json!({
            "bufferView": view, "componentType": component, "normalized": normalized, "count": count, "type": shape,
        });
        push(&mut self.json, "accessors", accessor)
    }

    /// Adds a buffer view; its index.
    pub fn add_view(&mut self, bytes: &[u8]) -> usize {
        self.buffer.resize(self.buffer.len().next_multiple_of(4), 0);
        let view = json!({ "buffer": 0, "byteOffset": self.buffer.len(), "byteLength": bytes.len() });
        self.buffer.extend_from_slice(bytes);
        push(&mut self.json, "bufferViews", view)
    }

    /// The floats of an accessor that lies tightly packed or strided in the buffer.
    pub fn floats(&self, accessor: usize) -> Vec<f32> {
        let accessor = &self.json["accessors"][accessor];
        assert_eq!(accessor["componentType"], F32);
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        self.elements(accessor, 4 * width).iter().flat_map(|bytes| bytes.chunks_exact(4)).map(float).collect()
    }

    /// The bytes of every element of an accessor.
    pub fn elements(&self, accessor: &Value, size: usize) -> Vec<Vec<u8>> {
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let view = &self.json["bufferViews"][number(&accessor["bufferView"])];
        let stride = if view["byteStride"].is_null() { size } else { number(&view["byteStride"]) };
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let element = |at: usize| self.buffer[start + at * stride..start + at * stride + size].to_vec();
        (0..number(&accessor["count"])).map(element).collect()
    }

    /// The accessor of an attribute of the first primitive.
    pub fn attribute(&mut self, name: &str) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]["attributes"][name]
    }

    /// The index of the accessor of an attribute of the first primitive.
    pub fn attribute_accessor(&mut self, name: &str) -> usize {
        self.attribute(name).as_u64().unwrap() as usize
    }

    /// As a .glb.
    pub fn bytes(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"][0]["byteLength"] = self.buffer.len().into();
        let mut text = serde_json::to_vec(&json).unwrap();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut buffer = self.buffer.clone();
        buffer.resize(buffer.len().next_multiple_of(4), 0);
        let mut bytes = b"glTF".to_vec();
        let length = 12 + 8 + text.len() + 8 + buffer.len();
        bytes.extend([2_u32, length as u32, text.len() as u32, 0x4E4F_534A].map(u32::to_le_bytes).concat());
        bytes.extend_from_slice(&text);
        bytes.extend([buffer.len() as u32, 0x004E_4942].map(u32::to_le_bytes).concat());
        bytes.extend_from_slice(&buffer);
        bytes
    }

    /// As a .gltf whose buffer has a URI.
    pub fn text(&self, uri: &str) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"][0] = json!({ "byteLength": self.buffer.len(), "uri": uri });
        serde_json::to_vec(&json).unwrap()
    }
}

/// Appends to a list of the document; the new item's index.
pub fn push(json: &mut Value, list: &str, item: Value) -> usize {
    if json[list].is_null() {
        json[list] = json!([]);
    }
    let items = json[list].as_array_mut().unwrap();
    items.push(item);
    items.len() - 1
}

pub fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn float(bytes: &[u8]) -> f32 {
    f32::from_le_bytes(bytes.try_into().unwrap())
}

pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at)) as usize & 63] as char;
            text.push(if at <= three.len() { letter } else { '=' });
        }
    }
    text
}
