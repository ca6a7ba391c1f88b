//! FBX files in parts, to be changed and written as binary or as text: what the tests' variants are made with.

#![allow(dead_code)]

/// A value of a node.
#[derive(Clone, Debug)]
pub enum Value {
    Int(i32),
    Long(i64),
    Real(f64),
    Text(String),
    /// The name of an object and its class.
    Object(String, &'static str),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Singles(Vec<f32>),
    Reals(Vec<f64>),
}

/// A node: name, values and children.
#[derive(Clone, Debug)]
pub struct Node {
    pub name: &'static str,
    pub values: Vec<Value>,
    pub children: Vec<Node>,
}

pub fn node(name: &'static str, values: &[Value], children: &[Node]) -> Node {
    Node { name, values: values.to_vec(), children: children.to_vec() }
}

pub fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn object(name: &'static str, id: i64, (label, class): (&str, &'static str), kind: &str, children: &[Node]) -> Node {
    node(name, &[Value::Long(id), Value::Object(label.into(), class), text(kind)], children)
}

fn property(name: &str, kind: &str, values: &[Value]) -> Node {
    node("P", &[&[text(name), text(kind), text(""), text("A")], values].concat(), &[])
}

fn properties(all: &[Node]) -> Node {
    node("Properties70", &[], all)
}

/// A connection: kind, child, parent, and the property of the parent.
fn connection(kind: &str, child: i64, parent: i64, property: Option<&str>) -> Node {
    let property = property.map(text);
    let values = [text(kind), Value::Long(child), Value::Long(parent)];
    node("C", &values.into_iter().chain(property).collect::<Vec<_>>(), &[])
}

const TICKS: i64 = 46_186_158_000;

/// The contents of a small file.
#[derive(Clone, Debug)]
pub struct Small {
    /// The name of the animation stack.
    pub stack: &'static str,
    /// Whether it has a mesh with a skin.
    pub has_mesh: bool,
    /// The prefix of the names of bones.
    pub prefix: &'static str,
    /// Joints that move the first vertex, with falling weights.
    pub influences: usize,
    /// The paths of a texture: relative and absolute.
    pub texture: Option<(&'static str, &'static str)>,
    /// Whether the mesh has a blend shape that moves vertex 1.
    pub has_shape: bool,
    /// The bytes of the texture, if they are embedded.
    pub content: Option<Vec<u8>>,
}

impl Default for Small {
    fn default() -> Small {
        Small {
            stack: "Walk",
            has_mesh: true,
            prefix: "",
            influences: 2,
            texture: None,
            has_shape: false,
            content: None,
        }
    }
}

const ROOT: i64 = 100;

impl Small {
    /// A triangle on a chain of bones, 1 m apart along y in centimetres. The root moves 1 m along x in one second, in 30 frames,
    /// and steps up at half time.
    pub fn nodes(&self) -> Vec<Node> {
        let bones = self.influences.max(2) as i64;
        let (mut objects, mut connections) = (Vec::new(), Vec::new());
        for bone in 0..bones {
            let at = [Value::Real(0.0), Value::Real(if bone == 0 { 0.0 } else { 100.0 }), Value::Real(0.0)];
            let place = properties(&[property("Lcl Translation", "Lcl Translation", &at)]);
            let name = format!("{}Bone{bone}", self.prefix);
            objects.push(object("Model", ROOT + bone, (&name, "Model"), "LimbNode", &[place]));
            let attribute = [node("TypeFlags", &[text("Skeleton")], &[])];
            objects.push(object("NodeAttribute", 300 + bone, ("", "NodeAttribute"), "LimbNode", &attribute));
            connections.push(connection("OO", ROOT + bone, if bone == 0 { 0 } else { ROOT + bone - 1 }, None));
            connections.push(connection("OO", 300 + bone, ROOT + bone, None));
        }
        if self.has_mesh {
            self.add_mesh(bones, &mut objects, &mut connections);
        }
        if !self.stack.is_empty() {
            add_animation(self.stack, &mut objects, &mut connections);
        }
        if self.has_shape {
            add_shape(&mut objects, &mut connections);
        }
        let number = |name: &str, value: i32| property(name, "int", &[Value::Int(value)]);
        let settings = properties(&[
            number("UpAxis", 1),
            number("UpAxisSign", 1),
            number("FrontAxis", 2),
            number("FrontAxisSign", 1),
            number("CoordAxis", 0),
            number("CoordAxisSign", 1),
            property("UnitScaleFactor", "double", &[Value::Real(1.0)]),
            number("TimeMode", 6),
        ]);
        vec![
            node("FBXHeaderExtension", &[], &[node("FBXVersion", &[Value::Int(7400)], &[])]),
            node("GlobalSettings", &[], &[settings]),
            node("Objects", &[], &objects),
            node("Connections", &[], &connections),
        ]
    }

    fn add_mesh(&self, bones: i64, objects: &mut Vec<Node>, connections: &mut Vec<Node>) {
        let corners = vec![0.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0, 100.0, 0.0];
        let normals = [
            node("MappingInformationType", &[text("ByPolygonVertex")], &[]),
            node("ReferenceInformationType", &[text("Direct")], &[]),
            node("Normals", &[Value::Reals([0.0, 0.0, 1.0].repeat(3))], &[]),
        ];
        let parts = [
            node("Vertices", &[Value::Reals(corners)], &[]),
            node("PolygonVertexIndex", &[Value::Ints(vec![0, 1, -3])], &[]),
            node("LayerElementNormal", &[Value::Int(0)], &normals),
        ];
        objects.push(object("Geometry", 1, ("Sail", "Geometry"), "Mesh", &parts));
        objects.push(object("Model", 2, ("Sail", "Model"), "Mesh", &[]));
        objects.push(object("Deformer", 3, ("", "Deformer"), "Skin", &[]));
        connections.extend([(1, 2), (2, 0), (3, 1)].map(|(child, parent)| connection("OO", child, parent, None)));
        for bone in 0..bones {
            let up = 100.0 * bone as f64;
            let placed =
                |y: f64| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, y, 0.0, 1.0].to_vec();
            // Vertices 1 and 2 belong to the root.
            let (points, weights) = match bone {
                0 => (vec![0, 1, 2], vec![1.0, 1.0, 1.0]),
                _ => (vec![0], vec![1.0 / (1 + bone) as f64]),
            };
            let parts = [
                node("Indexes", &[Value::Ints(points)], &[]),
                node("Weights", &[Value::Reals(weights)], &[]),
                node("Transform", &[Value::Reals(placed(-up))], &[]),
                node("TransformLink", &[Value::Reals(placed(up))], &[]),
            ];
            objects.push(object("Deformer", 200 + bone, ("", "SubDeformer"), "Cluster", &parts));
            connections.push(connection("OO", 200 + bone, 3, None));
            connections.push(connection("OO", ROOT + bone, 200 + bone, None));
        }
        self.add_material(objects, connections);
    }

    fn add_material(&self, objects: &mut Vec<Node>, connections: &mut Vec<Node>) {
        let red = [Value::Real(0.5), Value::Real(0.0), Value::Real(0.0)];
        let parts =
            [node("ShadingModel", &[text("lambert")], &[]), properties(&[property("DiffuseColor", "Color", &red)])];
        objects.push(object("Material", 20, ("Red", "Material"), "", &parts));
        connections.push(connection("OO", 20, 2, None));
        let Some((relative, absolute)) = self.texture else { return };
        let mut files =
            vec![node("FileName", &[text(absolute)], &[]), node("RelativeFilename", &[text(relative)], &[])];
        objects.push(object("Texture", 21, ("Cloth", "Texture"), "", &files));
        files.extend(self.content.iter().map(|bytes| {
            let raw = bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
            node("Content", &[Value::Object(raw, "raw")], &[])
        }));
        objects.push(object("Video", 22, ("Cloth", "Video"), "Clip", &files));
        connections.push(connection("OP", 21, 20, Some("DiffuseColor")));
        connections.push(connection("OO", 22, 21, None));
    }
}

/// A shape that moves vertex 1 by half a metre along z, at 25 %; the animation goes from 0 to 100 % in one second.
fn add_shape(objects: &mut Vec<Node>, connections: &mut Vec<Node>) {
    let parts =
        [node("Indexes", &[Value::Ints(vec![1])], &[]), node("Vertices", &[Value::Reals(vec![0.0, 0.0, 50.0])], &[])];
    objects.push(object("Geometry", 400, ("Smile", "Geometry"), "Shape", &parts));
    objects.push(object("Deformer", 401, ("", "Deformer"), "BlendShape", &[]));
    let channel = [
        node("DeformPercent", &[Value::Real(25.0)], &[]),
        node("FullWeights", &[Value::Reals(vec![100.0])], &[]),
        properties(&[property("DeformPercent", "Number", &[Value::Real(25.0)])]),
    ];
    objects.push(object("Deformer", 402, ("Smile", "SubDeformer"), "BlendShapeChannel", &channel));
    objects.push(object("AnimationCurveNode", 403, ("DeformPercent", "AnimCurveNode"), "", &[]));
    let parts = [
        node("KeyTime", &[Value::Longs(vec![0, TICKS])], &[]),
        node("KeyValueFloat", &[Value::Singles(vec![0.0, 100.0])], &[]),
        node("KeyAttrFlags", &[Value::Ints(vec![4])], &[]),
        node("KeyAttrDataFloat", &[Value::Singles(vec![0.0; 4])], &[]),
        node("KeyAttrRefCount", &[Value::Ints(vec![2])], &[]),
    ];
    objects.push(object("AnimationCurve", 404, ("", "AnimCurve"), "", &parts));
    connections.extend(
        [(401, 1), (402, 401), (400, 402), (403, 11)].map(|(child, parent)| connection("OO", child, parent, None)),
    );
    connections.push(connection("OP", 403, 402, Some("DeformPercent")));
    connections.push(connection("OP", 404, 403, Some("d|DeformPercent")));
}

fn add_animation(stack: &str, objects: &mut Vec<Node>, connections: &mut Vec<Node>) {
    objects.push(object("AnimationStack", 10, (stack, "AnimStack"), "", &[]));
    objects.push(object("AnimationLayer", 11, ("Base", "AnimLayer"), "", &[]));
    objects.push(object("AnimationCurveNode", 12, ("T", "AnimCurveNode"), "", &[]));
    // Linear, and constant until the next key.
    for (id, flags, values) in [(13, 4, vec![0.0, 50.0, 100.0]), (14, 2, vec![0.0, 20.0, 20.0])] {
        let parts = [
            node("KeyTime", &[Value::Longs(vec![0, TICKS / 2, TICKS])], &[]),
            node("KeyValueFloat", &[Value::Singles(values)], &[]),
            node("KeyAttrFlags", &[Value::Ints(vec![flags])], &[]),
            node("KeyAttrDataFloat", &[Value::Singles(vec![0.0; 4])], &[]),
            node("KeyAttrRefCount", &[Value::Ints(vec![3])], &[]),
        ];
        objects.push(object("AnimationCurve", id, ("", "AnimCurve"), "", &parts));
    }
    connections.push(connection("OO", 11, 10, None));
    connections.push(connection("OO", 12, 11, None));
    connections.push(connection("OP", 12, ROOT, Some("Lcl Translation")));
    connections.push(connection("OP", 13, 12, Some("d|X")));
    connections.push(connection("OP", 14, 12, Some("d|Y")));
}

/// A binary file, version 7.4.
pub fn binary(nodes: &[Node]) -> Vec<u8> {
    let mut bytes = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    bytes.extend(7400_u32.to_le_bytes());
    nodes.iter().for_each(|node| write_binary(node, &mut bytes));
    bytes.extend([0; 13]);
    bytes
}

fn write_binary(node: &Node, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    bytes.extend([0; 12]);
    bytes.push(node.name.len() as u8);
    bytes.extend(node.name.bytes());
    let values = bytes.len();
    node.values.iter().for_each(|value| write_value(value, bytes));
    let length = bytes.len() - values;
    if !node.children.is_empty() {
        node.children.iter().for_each(|child| write_binary(child, bytes));
        bytes.extend([0; 13]);
    }
    let head = [bytes.len(), node.values.len(), length].map(|number| (number as u32).to_le_bytes()).concat();
    bytes[start..start + 12].copy_from_slice(&head);
}

fn write_value(value: &Value, bytes: &mut Vec<u8>) {
    let mut tagged = |tag: u8, value: &[u8]| {
        bytes.push(tag);
        bytes.extend(value);
    };
    let array =
        |count: usize, size: usize| [count, 0, count * size].map(|number| (number as u32).to_le_bytes()).concat();
    let sized = |value: &[u8]| [&(value.len() as u32).to_le_bytes(), value].concat();
    match value {
        Value::Int(number) => tagged(b'I', &number.to_le_bytes()),
        Value::Long(number) => tagged(b'L', &number.to_le_bytes()),
        Value::Real(number) => tagged(b'D', &number.to_le_bytes()),
        Value::Text(text) => tagged(b'S', &sized(text.as_bytes())),
        Value::Object(raw, "raw") => tagged(b'R', &sized(&raw.chars().map(|byte| byte as u8).collect::<Vec<_>>())),
        Value::Object(name, class) => tagged(b'S', &sized(format!("{name}\0\u{1}{class}").as_bytes())),
        Value::Ints(all) => {
            tagged(b'i', &[array(all.len(), 4), all.iter().flat_map(|one| one.to_le_bytes()).collect()].concat())
        }
        Value::Longs(all) => {
            tagged(b'l', &[array(all.len(), 8), all.iter().flat_map(|one| one.to_le_bytes()).collect()].concat())
        }
        Value::Singles(all) => {
            tagged(b'f', &[array(all.len(), 4), all.iter().flat_map(|one| one.to_le_bytes()).collect()].concat())
        }
        Value::Reals(all) => {
            tagged(b'd', &[array(all.len(), 8), all.iter().flat_map(|one| one.to_le_bytes()).collect()].concat())
        }
    }
}

/// A text file, version 7.4. Embedded textures are left out.
pub fn ascii(nodes: &[Node]) -> Vec<u8> {
    let mut out = "; FBX 7.4.0 project file\n".to_owned();
    nodes.iter().for_each(|node| write_ascii(node, &mut out));
    out.into_bytes()
}

fn write_ascii(node: &Node, out: &mut String) {
    let list = |all: &[String]| format!("*{} {{\na: {}\n}}", all.len(), all.join(","));
    let shown = |value: &Value| match value {
        Value::Int(number) => number.to_string(),
        Value::Long(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => format!("\"{text}\""),
        Value::Object(_, "raw") => "\"\"".into(),
        Value::Object(name, class) => format!("\"{class}::{name}\""),
        Value::Ints(all) => list(&all.iter().map(i32::to_string).collect::<Vec<_>>()),
        Value::Longs(all) => list(&all.iter().map(i64::to_string).collect::<Vec<_>>()),
        Value::Singles(all) => list(&all.iter().map(f32::to_string).collect::<Vec<_>>()),
        Value::Reals(all) => list(&all.iter().map(f64::to_string).collect::<Vec<_>>()),
    };
    let values: Vec<String> = node.values.iter().map(shown).collect();
    out.push_str(&format!("{}: {}", node.name, values.join(", ")));
    if !node.children.is_empty() {
        out.push_str(" {\n");
        node.children.iter().for_each(|child| write_ascii(child, out));
        out.push('}');
    }
    out.push('\n');
}
