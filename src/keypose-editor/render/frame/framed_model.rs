//! A model on a plain ground, framed so that a whole clip fits: for exported images, films and thumbnails.

use std::sync::Arc;

use glam::Vec3;

use crate::render::frame::attached::{attached, attached_as};
use crate::render::frame::bounds::{Aabb, ModelBounds, Shape};
use crate::render::frame::camera::Camera;
use crate::render::frame::{Background, Frame, Grid, Ground, Light, ModelDraw, metre};
use keypose::anim::bake::BakedClip;
use keypose::anim::clip::LoopMode;
use keypose::anim::pose::{LocalPose, ModelPose};
use keypose::anim::root_motion::Anchor;
use keypose::anim::time::Time;
use keypose::assets::clip_event::ClipEvent;
use keypose::assets::fit::fit;
use keypose::assets::model::Model;

/// The angle from which a model is seen. Models face +z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CameraAngle {
    /// Facing right, as in a side-scroller.
    #[default]
    Side,
    /// Facing the camera.
    Front,
    /// From the front, from its right and from above.
    ThreeQuarter,
    /// Starts like [`CameraAngle::ThreeQuarter`]; the camera circles once around the model during a film.
    Turntable,
    /// Facing right and a little towards the camera: shows actions best. Only for thumbnails.
    Action,
}

impl CameraAngle {
    /// The angles that users choose from, in the order in which they are listed.
    pub const CHOICES: [CameraAngle; 4] =
        [CameraAngle::Side, CameraAngle::Front, CameraAngle::ThreeQuarter, CameraAngle::Turntable];

    /// The label in panels.
    pub fn name(self) -> &'static str {
        match self {
            CameraAngle::Side => "Side",
            CameraAngle::Front => "Front",
            CameraAngle::ThreeQuarter => "Three-quarter",
            CameraAngle::Turntable => "Turntable",
            CameraAngle::Action => "Action",
        }
    }

    /// The direction towards the camera, not of unit length.
    pub fn direction(self) -> Vec3 {
        match self {
            CameraAngle::Side => Vec3::new(-1.0, 0.1, 0.08),
            CameraAngle::Front => Vec3::new(0.0, 0.1, 1.0),
            CameraAngle::ThreeQuarter | CameraAngle::Turntable => Vec3::new(-0.75, 0.38, 1.0),
            CameraAngle::Action => Vec3::new(-1.0, 0.16, 0.6),
        }
    }
}

/// A model and its framing, shared by all frames of a film.
#[derive(Clone, Debug)]
pub struct FramedModel {
    pub model: Arc<Model>,
    /// Bounds of the model in any pose.
    pub parts: Arc<ModelBounds>,
    /// The models that its sockets hold, at first or by events of its clips.
    pub props: Vec<Arc<Model>>,
    /// Points around the model in all its poses, in model space. All are visible.
    pub points: Vec<Vec3>,
    /// The bounds of the points.
    pub bounds: Aabb,
    /// The camera's angle.
    pub view: CameraAngle,
    /// The fraction of the image that stays free around the model.
    pub margin: f32,
    /// The height of the ground.
    pub ground: f32,
    /// Units of the model per metre, see [`metre`].
    pub metre: f32,
}

impl FramedModel {
    /// Frames a model in these poses, with the models attached to its sockets; `others` are the models of its archive.
    pub fn of<'a>(
        model: Arc<Model>,
        others: &[Arc<Model>],
        poses: impl IntoIterator<Item = &'a ModelPose>,
        view: CameraAngle,
    ) -> FramedModel {
        let parts = Arc::new(ModelBounds::of(&model));
        FramedModel::with_bounds((model, parts), others, poses.into_iter().map(|pose| (pose, None)), view)
    }

    /// Frames a model whose bounds are known: to compute them, every vertex has to be read. Each pose may be given with the names of the
    /// models on all sockets, as events of a clip put them there.
    pub fn with_bounds<'a>(
        (model, parts): (Arc<Model>, Arc<ModelBounds>),
        others: &[Arc<Model>],
        poses: impl IntoIterator<Item = (&'a ModelPose, Option<&'a [String]>)>,
        view: CameraAngle,
    ) -> FramedModel {
        let of_events = |name: &str| {
            let mut events = model.clips.iter().flat_map(|slot| slot.clip.events.iter());
            events.any(|event| matches!(ClipEvent::of(&event.name), ClipEvent::Socket { model, .. } if model == name))
        };
        let on_socket = |name: &str| model.sockets.iter().any(|socket| socket.attached == name);
        let named = |other: &&Arc<Model>| on_socket(&other.name) || of_events(&other.name);
        let props: Vec<Arc<Model>> = others.iter().filter(named).cloned().collect();
        let prop_bounds: Vec<ModelBounds> = props.iter().map(|prop| ModelBounds::of(prop)).collect();
        let (mut points, mut lows) = (Vec::new(), Vec::new());
        for (pose, held) in poses {
            let corners = parts.posed_corners(pose);
            lows.push(Aabb::of(corners.iter().copied()).min.y);
            points.extend(corners);
            let draw = ModelDraw::new(model.clone(), Arc::new(pose.clone()));
            for prop in held.map_or_else(|| attached(&draw, &props), |held| attached_as(&draw, &props, held)) {
                let at = props.iter().position(|other| Arc::ptr_eq(other, &prop.model));
                let corners = at.map(|at| prop_bounds[at].posed_corners(&prop.pose)).unwrap_or_default();
                points.extend(corners.iter().map(|corner| prop.world_from_model.transform_point3(*corner)));
            }
        }
        let bounds = Aabb::of(points.iter().copied());
        let ground = ground(&model, &parts, lows);
        let metre = metre(std::iter::once(&model).chain(&props), || fit(&model));
        FramedModel { model, parts, props, points, bounds, view, margin: 0.1, ground, metre }
    }

    /// The frame of a pose, at an aspect ratio (width over height).
    pub fn frame(&self, pose: Arc<ModelPose>, aspect: f32) -> Frame {
        self.frame_at_angle(pose, aspect, 0.0)
    }

    /// The frame of a pose, with the camera rotated by `angle` radians around the model if this is a turntable.
    pub fn frame_at_angle(&self, pose: Arc<ModelPose>, aspect: f32, angle: f32) -> Frame {
        let draw = ModelDraw { bounds: Some(self.parts.clone()), ..ModelDraw::new(self.model.clone(), pose) };
        let props = attached(&draw, &self.props);
        let models = std::iter::once(draw).chain(props).collect();
        let camera = match self.view {
            CameraAngle::Turntable => self.circling(aspect, angle),
            view => Camera::framing(&self.points, view.direction(), aspect, self.margin),
        };
        Frame {
            camera,
            background: Background::DARK,
            light: Light::beside(&camera),
            ground: Some(Ground { height: self.ground, grid: Some(Grid::for_size(self.bounds.radius())) }),
            models,
            metre: self.metre,
            ..Frame::default()
        }
    }

    /// A camera that shows all points from every position of its circle.
    fn circling(&self, aspect: f32, angle: f32) -> Camera {
        let center = self.bounds.center();
        let reach = self.points.iter().map(|point| (*point - center).with_y(0.0).length()).fold(0.0, f32::max);
        let rim = (0..32).flat_map(|at| {
            let (sin, cos) = (std::f32::consts::TAU * at as f32 / 32.0).sin_cos();
            let side = center + Vec3::new(sin, 0.0, cos) * reach;
            [side.with_y(self.bounds.min.y), side.with_y(self.bounds.max.y)]
        });
        let still = Camera::framing(&rim.collect::<Vec<_>>(), self.view.direction(), aspect, self.margin);
        let about = |point: Vec3| center + glam::Quat::from_rotation_y(angle) * (point - center);
        Camera { eye: about(still.eye), target: about(still.target), ..still }
    }

    /// Whether a pose looks the same in both: same visible parts, same camera.
    pub fn is_framed_like(&self, other: &FramedModel) -> bool {
        looks_like(&self.model, &other.model)
            && look_same(&self.props, &other.props)
            && (self.bounds, self.view, self.margin, self.ground, self.metre)
                == (other.bounds, other.view, other.margin, other.ground, other.metre)
    }
}

/// Whether two models look the same in the same pose, if what their sockets hold does.
pub fn looks_like(a: &Arc<Model>, b: &Arc<Model>) -> bool {
    let materials = |model: &Model| -> Vec<_> { model.materials.iter().map(Arc::as_ptr).collect() };
    let textures = |model: &Model| -> Vec<_> { model.textures.iter().map(Arc::as_ptr).collect() };
    let is_alike = || (a.skinning, &a.sockets) == (b.skinning, &b.sockets) && Shape::of(a) == Shape::of(b);
    Arc::ptr_eq(a, b) || (is_alike() && materials(a) == materials(b) && textures(a) == textures(b))
}

/// As [`looks_like`], for models one by one.
pub fn look_same(a: &[Arc<Model>], b: &[Arc<Model>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| looks_like(a, b))
}

/// The height of the ground: 0 for a model that stands near it at rest, else its lowest point at rest. A weapon that dips below it
/// in a clip doesn't lower it; a body that is below it most of the time, by more than half of its size, does.
fn ground(model: &Model, parts: &ModelBounds, mut lows: Vec<f32>) -> f32 {
    let rest = Aabb::of(parts.posed_corners(&model.skeleton.rest_model_pose()));
    let (low, size) = (rest.min.y, rest.radius());
    let ground = if low.is_finite() && !(-0.12 * size..=0.5 * size).contains(&low) { low } else { 0.0 };
    lows.sort_by(f32::total_cmp);
    let usual = lows.get(lows.len() / 2).copied().filter(|low| low.is_finite()).unwrap_or(ground);
    if usual < ground - size { usual } else { ground }
}

/// `count` times spread evenly over a clip: from its start to its end or, if it loops, up to the last before the end.
pub fn spread(length: Time, mode: LoopMode, count: usize) -> Vec<Time> {
    let gaps = if mode == LoopMode::Loop { count } else { count.saturating_sub(1) };
    (0..count).map(|at| length.part(at, gaps)).collect()
}

/// The times of a film's frames at a frame rate: a loop closes without a repeated frame, other clips include their end.
pub fn film(length: Time, mode: LoopMode, fps: f64) -> Vec<Time> {
    let whole = whole_frames(length, fps) as usize;
    match mode {
        LoopMode::Loop => spread(length, mode, whole),
        LoopMode::Once => spread(length, mode, whole + 1),
        LoopMode::PingPong => {
            let there = spread(length, mode, whole + 1);
            let back: Vec<Time> = there.iter().rev().skip(1).take(whole.saturating_sub(1)).copied().collect();
            [there, back].concat()
        }
    }
}

/// The frames per second at which [`film`] is as long as the clip, about `fps`. At most 50, as a GIF can have.
pub fn film_rate(length: Time, fps: f64) -> f64 {
    if length > Time::ZERO { (whole_frames(length, fps) / length.secs()).min(50.0) } else { fps }
}

fn whole_frames(length: Time, fps: f64) -> f64 {
    (length.secs() * fps).round().max(1.0)
}

/// The poses of a clip at these times.
pub fn poses(model: &Model, clip: &BakedClip, times: &[Time]) -> Vec<Arc<ModelPose>> {
    poses_held(model, clip, None, times)
}

/// The poses of a clip at these times as the game shows them: the motion of the root moves the character, not the pose.
pub fn poses_in_place(model: &Model, clip: &BakedClip, times: &[Time]) -> Vec<Arc<ModelPose>> {
    poses_held(model, clip, Anchor::of(clip, clip.root_motion), times)
}

fn poses_held(model: &Model, clip: &BakedClip, anchor: Option<Anchor>, times: &[Time]) -> Vec<Arc<ModelPose>> {
    let roots: Vec<usize> =
        (0..).zip(model.skeleton.bones()).filter(|(_, bone)| bone.parent.is_none()).map(|(at, _)| at).collect();
    let mut local = LocalPose::default();
    let pose = |&time: &Time| {
        clip.sample(time, &mut local);
        if let Some(anchor) = anchor {
            anchor.hold(&roots, &mut local);
        }
        let mut pose = ModelPose::default();
        pose.compute(&model.skeleton, &local);
        Arc::new(pose)
    };
    times.iter().map(pose).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use keypose::assets::model::Socket;

    #[test]
    fn films_of_loops_repeat_no_frame_and_others_show_their_end() {
        let second = Time::SECOND;
        let looped = film(second, LoopMode::Loop, 10.0);
        assert_eq!((looped.len(), looped[0], looped[9]), (10, Time::ZERO, Time::from_secs(0.9)));
        let once = film(second, LoopMode::Once, 10.0);
        assert_eq!((once.len(), once[10]), (11, second));
        let there_and_back = film(second, LoopMode::PingPong, 10.0);
        assert_eq!((there_and_back.len(), there_and_back[10], there_and_back[19]), (20, second, Time::from_secs(0.1)));
        // Five frames of a film at 10 frames per second last as long as the clip.
        let rate = film_rate(Time::from_secs(0.533), 10.0);
        assert!((5.0 / rate - 0.533).abs() < 1e-6, "{rate}");
        assert_eq!(film_rate(Time::ZERO, 30.0), 30.0);
        for mode in LoopMode::ALL {
            assert!(!film(Time::ZERO, mode, 30.0).is_empty());
            assert_eq!(spread(second, mode, 1), [Time::ZERO]);
        }
    }

    #[test]
    fn a_weapon_below_the_feet_does_not_lower_the_ground() {
        let bone = |name: &str, parent, y: f32| keypose::anim::skeleton::Bone {
            name: name.into(),
            parent,
            rest: keypose::anim::transform::Transform::from_translation(Vec3::Y * y),
        };
        let bones = vec![bone("head", None, 2.0), bone("foot", Some(0), -2.0), bone("sword", Some(0), -1.0)];
        let skeleton = keypose::anim::skeleton::Skeleton::new(bones).unwrap();
        let model = Arc::new(Model { skeleton: Arc::new(skeleton), ..Model::default() });
        let with_sword = |y: f32| {
            let mut local = model.skeleton.rest_pose();
            local.put(2, keypose::anim::key::Channel::Translation, glam::Vec4::new(0.0, y, 0.0, 0.0));
            let mut pose = ModelPose::default();
            pose.compute(&model.skeleton, &local);
            pose
        };
        for (sword, ground) in [(-1.0, 0.0), (-2.7, 0.0), (-9.0, -7.0)] {
            let pose = with_sword(sword);
            let framed = FramedModel::of(model.clone(), &[], [&pose], CameraAngle::Side);
            assert!((framed.ground - ground).abs() < 1e-5, "{sword}: {}", framed.ground);
        }
    }

    #[test]
    fn what_sockets_hold_is_part_of_the_frame() {
        let standing = |name: &str, y: f32| {
            let rest = keypose::anim::transform::Transform::from_translation(Vec3::Y * y);
            let bone = keypose::anim::skeleton::Bone { name: "root".into(), parent: None, rest };
            let skeleton = Arc::new(keypose::anim::skeleton::Skeleton::new(vec![bone]).unwrap());
            Model { name: name.into(), skeleton, ..Model::default() }
        };
        let (mut body, sword) = (standing("body", 2.0), standing("sword", 3.0));
        let transform = keypose::anim::transform::Transform::IDENTITY;
        let socket = |attached: &str| Socket { name: "grip".into(), bone: 0, transform, attached: attached.into() };
        body.sockets = vec![socket("sword")];
        let pose = body.skeleton.rest_model_pose();
        let framed = |body: &Model, sword: &Model, held: Option<&[String]>| {
            let cast = (Arc::new(body.clone()), Arc::default());
            let others = [Arc::new(sword.clone())];
            FramedModel::with_bounds(cast, &others, [(&pose, held)], CameraAngle::Side)
        };
        let whole = framed(&body, &sword, None);
        assert_eq!(whole.bounds.max.y, 5.0);
        assert_eq!(framed(&body, &sword, Some(&[String::new()])).bounds.max.y, 2.0, "an event took it away");
        assert!(whole.is_framed_like(&framed(&body, &sword, None)));
        let painted = Model { materials: vec![Arc::default()], ..sword.clone() };
        assert!(!whole.is_framed_like(&framed(&body, &painted, None)));
        let stiff = Model { skinning: keypose::anim::skin::method::Method::Rigid, ..body.clone() };
        assert!(!whole.is_framed_like(&framed(&stiff, &sword, None)));
        assert!(!whole.is_framed_like(&framed(&Model { sockets: vec![socket("")], ..body.clone() }, &sword, None)));
    }

    #[test]
    fn a_turntable_shows_every_point_from_every_side() {
        let points: Vec<Vec3> = [(-1.0, 0.0, 0.2), (1.4, 2.0, 0.1), (0.0, 1.0, -2.0)].map(Vec3::from).to_vec();
        let bounds = Aabb::of(points.iter().copied());
        let model = Arc::new(Model::default());
        let parts = Arc::default();
        let framed = FramedModel {
            model,
            parts,
            props: vec![],
            points,
            bounds,
            view: CameraAngle::Turntable,
            margin: 0.1,
            ground: 0.0,
            metre: 1.0,
        };
        let size = glam::Vec2::new(400.0, 300.0);
        for step in 0..24 {
            let turn = step as f32 * 0.3;
            let camera = framed.frame_at_angle(Arc::default(), size.x / size.y, turn).camera;
            for point in &framed.points {
                let pixel = camera.pixel_of(*point, size).unwrap();
                assert!(pixel.cmpge(glam::Vec2::ZERO).all() && pixel.cmple(size).all(), "{step}: {pixel}");
            }
        }
        let [a, b] = [0.0, 3.0].map(|turn| framed.frame_at_angle(Arc::default(), 1.0, turn).camera);
        assert!(a.eye.distance(b.eye) > 1.0 && (a.eye.y - b.eye.y).abs() < 1e-4);
    }
}
