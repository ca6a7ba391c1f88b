//! Bone shapes: an octahedron from each bone to each of its children, and a stub for a bone without children. A root
//! with many children, as in control rigs, has a stub as well. Shapes are separate from drawing, so that picking uses
//! the same ones.

use glam::{Mat4, Vec3};

use crate::render::frame::camera::Camera;
use crate::render::frame::color::Color;
use crate::render::frame::overlay::{Layer, Overlay, Stroke, Triangle};
use keypose::anim::pose::ModelPose;
use keypose::anim::skeleton::{BoneIndex, Skeleton};

/// An octahedron in world space. A bone has one for each child.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneShape {
    /// The bone that rotates about `head`.
    pub bone: BoneIndex,
    /// The bone's origin.
    pub head: Vec3,
    /// The child's origin, or the end of a stub.
    pub tail: Vec3,
    /// Half the width at the widest place, in world units.
    pub radius: f32,
}

/// How a bone is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneStyle {
    /// Colour of the edges and, fainter, of the faces.
    pub color: Color,
    /// Opacity of the faces, 0..=1.
    pub fill: f32,
    /// Width of the edges, in points of the display.
    pub width: f32,
}

impl BoneStyle {
    /// Without keys, not selected.
    pub const PLAIN: BoneStyle = BoneStyle { color: Color::hex(0xd9dce3), fill: 0.10, width: 1.0 };
    /// Under the mouse cursor.
    pub const HOVERED: BoneStyle = BoneStyle { color: Color::WHITE, fill: 0.34, width: 1.8 };
    pub const SELECTED: BoneStyle = BoneStyle { color: Color::hex(0x4f9dff), fill: 0.62, width: 2.0 };
    /// Keyed at the playhead.
    pub const KEYED: BoneStyle = BoneStyle { color: Color::hex(0x58c98b), fill: 0.14, width: 1.1 };
    /// Posed, but not keyed.
    pub const DRAFT: BoneStyle = BoneStyle { color: Color::hex(0xff9d3d), fill: 0.34, width: 1.5 };

    /// Adapts the style to a light background.
    pub fn on_light(self) -> BoneStyle {
        let color = match () {
            _ if self.color == BoneStyle::PLAIN.color => Color::hex(0x3b4658),
            _ if self.color == BoneStyle::HOVERED.color => Color::hex(0x0e1420),
            _ if self.color == BoneStyle::SELECTED.color => Color::hex(0x1f6fe0),
            _ if self.color == BoneStyle::KEYED.color => Color::hex(0x15804a),
            _ if self.color == BoneStyle::DRAFT.color => Color::hex(0xd06a00),
            _ => self.color,
        };
        BoneStyle { color, fill: self.fill.max(0.18), width: self.width * 1.25 }
    }
}

/// The shapes of all bones, in the order of the bones.
pub fn shapes(skeleton: &Skeleton, pose: &ModelPose, world_from_model: &Mat4) -> Vec<BoneShape> {
    let origin = |bone| world_from_model.transform_point3(pose.get(bone).translation());
    let size = typical_length(skeleton, &origin);
    let is_hub = hubs(skeleton, &origin, size);
    // Counted first, so that each shape has its place in the order of the bones.
    let mut of_bones = vec![0; skeleton.len()];
    let mut to_children = Vec::with_capacity(skeleton.len());
    for child in skeleton.indices() {
        let Some(parent) = skeleton.parent(child) else { continue };
        let (head, tail) = (origin(parent), origin(child));
        if head.distance(tail) > size * 0.02 && !is_hub[usize::from(parent)] {
            of_bones[usize::from(parent)] += 1;
            to_children.push(shape(parent, head, tail, size));
        }
    }
    let mut next = 0;
    let mut places: Vec<usize> = of_bones
        .iter()
        .map(|count: &usize| {
            let place = next;
            next += (*count).max(1);
            place
        })
        .collect();
    let nothing = BoneShape { bone: 0, head: Vec3::ZERO, tail: Vec3::ZERO, radius: 0.0 };
    let mut shapes = vec![nothing; next];
    let mut put = |shape: BoneShape| {
        let place = &mut places[usize::from(shape.bone)];
        shapes[*place] = shape;
        *place += 1;
    };
    to_children.into_iter().for_each(&mut put);
    for bone in skeleton.indices().filter(|&bone| of_bones[usize::from(bone)] == 0) {
        let head = origin(bone);
        let from = skeleton.parent(bone).map_or(head, origin);
        let along = (head - from).try_normalize().unwrap_or(Vec3::Y);
        let length = if head == from { size } else { (head.distance(from) * 0.5).min(size) };
        put(shape(bone, head, head + along * length.max(size * 0.15), size));
    }
    shapes
}

/// Adds every shape whose bone has a style: filled octahedra with edges, and a dot at each joint. They are in the layer
/// `OnTop`: visible through the mesh, hiding each other.
pub fn draw(
    overlay: &mut Overlay,
    camera: &Camera,
    shapes: &[BoneShape],
    style: impl Fn(BoneIndex) -> Option<BoneStyle>,
) {
    let rim = dot_rim(camera);
    // A shape has about five faces and seven edges that are seen, and its dot.
    overlay.triangles.reserve(shapes.len() * (5 + rim.len()));
    overlay.lines.reserve(shapes.len() * 7);
    for shape in shapes {
        if let Some(style) = style(shape.bone) {
            draw_shape(overlay, camera, &rim, shape, &style);
        }
    }
}

/// Adds the local axes of every visible bone at its head, over the mesh.
pub fn draw_axes(overlay: &mut Overlay, shapes: &[BoneShape], pose: &ModelPose, is_shown: impl Fn(BoneIndex) -> bool) {
    for of_bone in shapes.chunk_by(|a, b| a.bone == b.bone).filter(|shapes| is_shown(shapes[0].bone)) {
        let length = of_bone.iter().fold(0.0_f32, |most, shape| most.max(shape.radius)) * AXIS_LENGTH;
        let BoneShape { bone, head, .. } = of_bone[0];
        overlay.axes(head, &pose.get(bone).to_mat4(), length, Layer::OnTop);
    }
}

/// The length of an axis as a multiple of the shape's radius.
const AXIS_LENGTH: f32 = 3.0;

/// A root with more children than this has a stub instead of a shape for each child.
const MAX_ROOT_SHAPES: usize = 3;

/// For each bone, whether it has many children and is at the origin of its root.
fn hubs(skeleton: &Skeleton, origin: &impl Fn(BoneIndex) -> Vec3, size: f32) -> Vec<bool> {
    let mut children = vec![0; skeleton.len()];
    skeleton.indices().filter_map(|bone| skeleton.parent(bone)).for_each(|parent| children[usize::from(parent)] += 1);
    let is_at_root = |bone: BoneIndex| {
        let here = origin(bone);
        skeleton.above(bone).all(|above| origin(above).distance(here) <= size * 0.02)
    };
    let is_hub = |bone: BoneIndex| children[usize::from(bone)] > MAX_ROOT_SHAPES && is_at_root(bone);
    skeleton.indices().map(is_hub).collect()
}

/// The median length of bones; a few very long ones don't change it.
fn typical_length(skeleton: &Skeleton, origin: &impl Fn(BoneIndex) -> Vec3) -> f32 {
    let lengths = skeleton.indices().filter_map(|bone| Some(origin(bone).distance(origin(skeleton.parent(bone)?))));
    let mut lengths: Vec<f32> = lengths.filter(|length| length.is_finite() && *length > 0.0).collect();
    let middle = lengths.len() / 2;
    if lengths.is_empty() { 1.0 } else { *lengths.select_nth_unstable_by(middle, f32::total_cmp).1 }
}

/// A shape whose width follows its length within bounds, so that long root bones stay slim and finger bones can be
/// clicked.
fn shape(bone: BoneIndex, head: Vec3, tail: Vec3, size: f32) -> BoneShape {
    let radius = (head.distance(tail) * 0.11).clamp(size * 0.03, size * 0.16);
    BoneShape { bone, head, tail, radius }
}

impl BoneShape {
    /// The place of the widest part: 0 is the head, 1 the tail.
    const WIDEST: f32 = 0.18;

    /// The width at a place between head (0) and tail (1), as a fraction of the widest.
    pub fn width_at(share: f32) -> f32 {
        (share / Self::WIDEST).min((1.0 - share) / (1.0 - Self::WIDEST))
    }

    /// The corners: head, tail, and the four around.
    pub fn corners(&self) -> [Vec3; 6] {
        let along = (self.tail - self.head).try_normalize().unwrap_or(Vec3::Y);
        let across = along.any_orthonormal_vector() * self.radius;
        let other = along.cross(across.normalize_or_zero()) * self.radius;
        let middle = self.head + (self.tail - self.head) * Self::WIDEST;
        [self.head, self.tail, middle + across, middle + other, middle - across, middle - other]
    }
}

/// A shape that is shorter on the screen is a line. In pixels of a picture with 1,000 lines.
const MIN_PIXELS: f32 = 3.0;

/// A dot with a smaller radius is a square, in the same pixels.
const ROUND_PIXELS: f32 = 2.0;

/// Adds the faces that face the eye and their edges, each once.
fn draw_shape(overlay: &mut Overlay, camera: &Camera, rim: &DotRim, shape: &BoneShape, style: &BoneStyle) {
    let pixel = camera.units_per_pixel(shape.head, 1000.0);
    if shape.head.distance(shape.tail) < MIN_PIXELS * pixel {
        let stroke = Stroke { color: style.color, width: style.width, layer: Layer::OnTop };
        return overlay.line(shape.head, shape.tail, stroke);
    }
    let [head, tail, around @ ..] = shape.corners();
    let to_eye = camera.to_eye(shape.head.lerp(shape.tail, 0.3));
    let light = (to_eye + Vec3::Y * 0.6).normalize_or_zero();
    let stroke = Stroke { color: style.color, width: style.width, layer: Layer::OnTop };
    // For each side of the square: whether its faces towards head and tail are visible.
    let mut shows = [[false; 2]; 4];
    for (at, shows) in shows.iter_mut().enumerate() {
        let (here, next) = (around[at], around[(at + 1) % 4]);
        for (end, shows) in [head, tail].into_iter().zip(shows) {
            let normal = (here - end).cross(next - end);
            let outward = if normal.dot(here + next - shape.head * 2.0) < 0.0 { -normal } else { normal };
            *shows = outward.dot(camera.to_eye(here)) > 0.0;
            if *shows {
                let shade = 0.55 + 0.45 * outward.normalize_or_zero().dot(light).clamp(0.0, 1.0);
                let color = Color::BLACK.mix(style.color, shade).with_alpha(style.fill * style.color.a);
                overlay.triangles.push(Triangle { corners: [end, here, next], color, layer: Layer::OnTop });
            }
        }
    }
    for at in 0..4 {
        let (before, here) = (shows[(at + 3) % 4], shows[at]);
        for (end, which) in [(head, 0), (tail, 1)] {
            if before[which] || here[which] {
                overlay.line(end, around[at], stroke);
            }
        }
        if here[0] || here[1] {
            overlay.line(around[at], around[(at + 1) % 4], Stroke { width: style.width * 0.8, ..stroke });
        }
    }
    joint_dot(overlay, camera, rim, (shape, pixel), style);
}

/// Corners of a disc of radius 1 that faces the camera.
type DotRim = [Vec3; 8];

fn dot_rim(camera: &Camera) -> DotRim {
    let (right, up) = camera.right_and_up();
    std::array::from_fn(|at| {
        let (sin, cos) = (at as f32 / 8.0 * std::f32::consts::TAU).sin_cos();
        right * cos + up * sin
    })
}

/// Adds a small disc that faces the camera, at the head of a shape; where it is few pixels, a square.
fn joint_dot(
    overlay: &mut Overlay,
    camera: &Camera,
    rim: &DotRim,
    (shape, pixel): (&BoneShape, f32),
    style: &BoneStyle,
) {
    let radius = shape.radius * 0.42;
    let center = shape.head + camera.to_eye(shape.head) * radius;
    let color = Color::WHITE.mix(style.color, 0.6).with_alpha(style.color.a);
    let step = if radius < ROUND_PIXELS * pixel { 2 } else { 1 };
    let corner = |at: usize| center + rim[at % rim.len()] * radius;
    for at in (step..rim.len() - step).step_by(step) {
        let corners = [corner(0), corner(at), corner(at + step)];
        overlay.triangles.push(Triangle { corners, color, layer: Layer::OnTop });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::anim::skeleton::Bone;
    use keypose::anim::transform::Transform;

    fn skeleton() -> Skeleton {
        let bone = |name: &str, parent, x, y| Bone {
            name: name.into(),
            parent,
            rest: Transform::from_translation(Vec3::new(x, y, 0.0)),
        };
        let bones =
            vec![bone("hips", None, 0.0, 1.0), bone("spine", Some(0), 0.0, 0.3), bone("leg", Some(0), 0.1, -0.1)];
        Skeleton::new(bones).unwrap()
    }

    #[test]
    fn every_bone_has_a_shape_that_starts_at_it() {
        let skeleton = skeleton();
        let pose = skeleton.rest_model_pose();
        let shapes = shapes(&skeleton, &pose, &Mat4::IDENTITY);
        assert_eq!(shapes.iter().map(|shape| shape.bone).collect::<Vec<_>>(), [0, 0, 1, 2]);
        for shape in &shapes {
            assert_eq!(shape.head, pose.get(shape.bone).translation());
            assert!(shape.head.distance(shape.tail) > 0.01 && shape.radius > 0.0);
        }
    }

    #[test]
    fn from_far_away_a_bone_is_a_line() {
        let skeleton = skeleton();
        let shapes = shapes(&skeleton, &skeleton.rest_model_pose(), &Mat4::IDENTITY);
        let counts = [2.0, 1000.0].map(|distance| {
            let (camera, mut overlay) = (Camera::perspective(Vec3::Z * distance, Vec3::ZERO), Overlay::default());
            draw(&mut overlay, &camera, &shapes, |_| Some(BoneStyle::PLAIN));
            (overlay.triangles.is_empty(), overlay.lines.len())
        });
        assert!(!counts[0].0 && counts[0].1 > 4 * 4);
        assert_eq!(counts[1], (true, 4));
    }

    #[test]
    fn selected_bones_have_their_colour_and_hidden_ones_are_not_drawn() {
        let skeleton = skeleton();
        let shapes = shapes(&skeleton, &skeleton.rest_model_pose(), &Mat4::IDENTITY);
        let mut overlay = Overlay::default();
        draw(&mut overlay, &Camera::default(), &shapes, |bone| (bone == 1).then_some(BoneStyle::SELECTED));
        assert!(!overlay.lines.is_empty());
        assert!(overlay.lines.iter().all(|line| line.from_color == BoneStyle::SELECTED.color));
    }

    #[test]
    fn every_visible_bone_has_three_axes_that_rotate_with_it() {
        let skeleton = skeleton();
        let mut local = skeleton.rest_pose();
        local.set(1, &Transform { rotation: glam::Quat::from_rotation_z(std::f32::consts::FRAC_PI_2), ..local.get(1) });
        let mut pose = ModelPose::default();
        pose.compute(&skeleton, &local);
        let shapes = shapes(&skeleton, &pose, &Mat4::IDENTITY);
        let mut overlay = Overlay::default();
        draw_axes(&mut overlay, &shapes, &pose, |bone| bone != 2);
        assert_eq!(overlay.lines.len(), 6);
        let along = |at: usize| (overlay.lines[at].to - overlay.lines[at].from).normalize();
        assert_eq!(overlay.lines.iter().map(|line| line.from_color).collect::<Vec<_>>(), Color::AXES.repeat(2));
        assert!(along(0).distance(Vec3::X) < 1e-6, "the hips are not rotated");
        assert!(along(3).distance(Vec3::Y) < 1e-6 && along(4).distance(Vec3::NEG_X) < 1e-6, "the spine is rotated");
    }
}
