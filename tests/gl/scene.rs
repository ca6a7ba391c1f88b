//! Small models made in code, and pictures of them.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::{Bone, Skeleton};
use keypose::anim::skin::Skin;
use keypose::anim::skin::cpu::InfluenceSet;
use keypose::anim::transform::Transform;
use keypose::assets::material::Material;
use keypose::assets::mesh::{Binding, Mesh};
use keypose::assets::model::{MeshSlot, Model, Visibility};
use keypose_app::app::film::headless::Headless;
use keypose_editor::render::frame::camera::{Camera, Projection};
use keypose_editor::render::frame::color::Color;
use keypose_editor::render::frame::{Background, Frame, ModelDraw};
use keypose_editor::render::gl::target::Target;
use keypose_editor::render::renderer::Renderer;
use keypose_editor::render::shaders::Shaders;

use crate::Stage;

/// Pixels on a side of all pictures here.
pub const SIDE: u32 = 64;

/// Looks along −z; the picture shows x and y from −1 to 1.
pub fn camera() -> Camera {
    let projection = Projection::Orthographic { height: 2.0, depth: 20.0 };
    Camera { eye: Vec3::Z * 5.0, target: Vec3::ZERO, up: Vec3::Y, projection }
}

/// A square of side 1 in the plane z = 0, facing +z, on one bone.
pub fn square(material: Material) -> Model {
    let positions = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
    let mesh = Mesh {
        name: "square".into(),
        positions: positions.map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec(),
        normals: vec![Vec3::Z; 4],
        uvs: [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]].map(Vec2::from).to_vec(),
        colors: vec![],
        indices: vec![0, 1, 2, 0, 2, 3],
        influences: vec![],
        morphs: vec![],
        material: 0,
        binding: Binding::Bone(0),
    };
    let bone = Bone { name: "root".into(), parent: None, rest: Transform::IDENTITY };
    Model {
        name: "square".into(),
        skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap()),
        meshes: vec![MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }],
        materials: vec![Arc::new(material)],
        ..Model::default()
    }
}

/// A closed cube from -0.4 to 0.4.
pub fn cube(material: Material) -> Model {
    let corner = |at: usize| Vec3::new((at & 1) as f32, (at >> 1 & 1) as f32, (at >> 2) as f32) * 0.8 - 0.4;
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let mut model = square(material);
    let mesh = Arc::make_mut(&mut model.meshes[0].mesh);
    mesh.positions = (0..8).map(corner).collect();
    (mesh.normals, mesh.uvs) = (vec![], vec![]);
    mesh.indices = sides.into_iter().flat_map(|[a, b, c, d]| [a, b, c, a, c, d]).collect();
    model
}

/// A ribbon along y with two vertices for each of `bones` bones, moved by eight of them each, in two sets.
pub fn ribbon(bones: usize) -> Model {
    let bone = |at: usize| Bone {
        name: format!("bone {at}"),
        parent: at.checked_sub(1).map(|parent| parent as u16),
        rest: Transform::from_translation(Vec3::Y * if at == 0 { 0.0 } else { 2.0 / bones as f32 }),
    };
    let skeleton = Skeleton::new((0..bones).map(bone).collect()).unwrap();
    let inverse = |pose: &ModelPose, bone: u16| pose.get(bone).to_mat4().inverse();
    let rest = skeleton.rest_model_pose();
    // The joint list runs backwards: joints are not bones.
    let joints: Vec<u16> = (0..bones as u16).rev().collect();
    let inverse_binds: Vec<Mat4> = joints.iter().map(|&bone| inverse(&rest, bone)).collect();
    let vertices = 2 * bones;
    let mut sets = vec![InfluenceSet::default(), InfluenceSet::default()];
    for vertex in 0..vertices {
        let first = vertex / 2;
        for (which, set) in sets.iter_mut().enumerate() {
            let joint = |slot: usize| (bones - 1 - (first + 4 * which + slot).min(bones - 1)) as u16;
            set.joints.push(std::array::from_fn(joint));
            set.weights.push(if which == 0 { [0.4, 0.2, 0.1, 0.1] } else { [0.08, 0.06, 0.04, 0.02] });
        }
    }
    let place =
        |at: usize| Vec3::new(if at.is_multiple_of(2) { -0.1 } else { 0.1 }, (at / 2) as f32 * 2.0 / bones as f32, 0.0);
    let quad = |at: u32| [2 * at, 2 * at + 1, 2 * at + 3, 2 * at, 2 * at + 3, 2 * at + 2];
    let mesh = Mesh {
        name: "ribbon".into(),
        positions: (0..vertices).map(place).collect(),
        normals: vec![Vec3::Z; vertices],
        uvs: vec![],
        colors: vec![],
        indices: (0..bones as u32 - 1).flat_map(quad).collect(),
        influences: sets,
        morphs: vec![],
        material: 0,
        binding: Binding::Skin(0),
    };
    let model = Model {
        name: "ribbon".into(),
        skeleton: Arc::new(skeleton),
        skins: vec![Arc::new(Skin { name: String::new(), joints, inverse_binds })],
        meshes: vec![MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }],
        materials: vec![Arc::new(Material { double_sided: true, ..Material::default() })],
        ..Model::default()
    };
    assert_eq!(model.check(), Ok(()));
    model
}

/// A model as it is at rest.
pub fn model(model: Model) -> ModelDraw {
    let pose = Arc::new(model.skeleton.rest_model_pose());
    ModelDraw::new(Arc::new(model), pose)
}

/// Models before grey, without a ground.
pub fn frame(models: Vec<ModelDraw>) -> Frame {
    let grey = Color::hex(0x808080);
    Frame { camera: camera(), background: Background { top: grey, bottom: grey }, models, ..Frame::default() }
}

/// A drawn picture.
pub struct Drawn(Vec<u8>);

impl Drawn {
    /// The colour at a point of the camera's plane, x and y from −1 to 1.
    pub fn at(&self, x: f32, y: f32) -> [u8; 4] {
        let pixel = |place: f32| (((place + 1.0) * 0.5 * SIDE as f32) as usize).min(SIDE as usize - 1);
        let at = 4 * (pixel(-y) * SIDE as usize + pixel(x));
        std::array::from_fn(|part| self.0[at + part])
    }

    /// Fails unless the colour at a point is this one, give or take a few steps.
    pub fn expect(&self, [x, y]: [f32; 2], color: [u8; 3], what: &str) {
        let found = self.at(x, y);
        let off = (0..3).map(|part| found[part].abs_diff(color[part])).max().unwrap();
        assert!(off <= 4, "{what}: {found:?} at ({x}, {y}), not {color:?}");
    }

    /// How bright it is at a point, 0 to 765.
    pub fn brightness(&self, x: f32, y: f32) -> u32 {
        self.at(x, y)[..3].iter().map(|&part| u32::from(part)).sum()
    }
}

/// Draws a frame by the renderer of the test.
pub fn draw(stage: &Stage, frame: &Frame) -> Drawn {
    let target = Target::new(&stage.context, [SIDE; 2], 4).unwrap();
    stage.render(frame, &target);
    Drawn(target.read())
}

/// A new renderer, which keeps copies of what it draws.
pub fn renderer(headless: &Headless) -> Renderer {
    Renderer::new(&headless.context, &Shaders::default()).unwrap()
}

/// Draws a frame by a renderer that drew others before.
pub fn draw_by(renderer: &mut Renderer, headless: &Headless, frame: &Frame) -> Drawn {
    let target = Target::new(&headless.context, [SIDE; 2], 4).unwrap();
    renderer.render(frame, &target).unwrap();
    Drawn(target.read())
}
