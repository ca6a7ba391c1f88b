//! Strokes on a sheet between an arm on each side, with a seam of doubled vertices.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::*;
use crate::anim::skeleton::{Bone, Skeleton};
use crate::anim::skin::Skin;
use crate::anim::skin::cpu::InfluenceSet;
use crate::anim::transform::Transform;
use crate::assets::mesh::Mesh;
use crate::assets::model::Visibility;
use crate::bind_pose::bind_pose;
use crate::rig::vertex::weights_of;

/// Columns and rows of the sheet: x from -1 to 1, y from 0 to 1.
const SIDE: usize = 21;
const ROOT: BoneIndex = 0;
const LEFT: BoneIndex = 1;
const RIGHT: BoneIndex = 2;

/// A sheet that `root` moves.
fn sheet() -> Arc<Model> {
    let bone = |name: &str, parent, x| Bone {
        name: name.into(),
        parent,
        rest: Transform::from_translation(Vec3::new(x, 0.0, 0.0)),
    };
    let skeleton =
        Skeleton::new(vec![bone("root", None, 0.0), bone("arm.L", Some(0), 0.5), bone("arm.R", Some(0), -0.5)])
            .unwrap();
    let rest = skeleton.rest_model_pose();
    let joints = vec![ROOT, LEFT];
    let inverse_binds = joints.iter().map(|&bone| rest.get(bone).to_mat4().inverse()).collect();
    let mut mesh = Mesh::empty("sheet", Binding::Skin(0));
    let place = |at: usize| (at as f32 / (SIDE - 1) as f32) * 2.0 - 1.0;
    let all = || (0..SIDE * SIDE).map(|at| Vec3::new(place(at % SIDE), place(at / SIDE), 0.0));
    mesh.positions = all().collect();
    // The row in the middle twice: a seam.
    let seam = SIDE / 2 * SIDE;
    mesh.positions.extend_from_within(seam..seam + SIDE);
    for row in 0..SIDE - 1 {
        for column in 0..SIDE - 1 {
            let at = |row: usize, column: usize| {
                let is_split = row == SIDE / 2;
                (if is_split { SIDE * SIDE + column } else { row * SIDE + column }) as u32
            };
            let [a, b] = [at(row, column), at(row, column + 1)];
            let [c, d] = [(row + 1) * SIDE + column, (row + 1) * SIDE + column + 1].map(|at| at as u32);
            mesh.indices.extend([a, b, d, a, d, c]);
        }
    }
    let count = mesh.positions.len();
    mesh.influences = vec![InfluenceSet { joints: vec![[0; 4]; count], weights: vec![[1.0, 0.0, 0.0, 0.0]; count] }];
    Arc::new(Model {
        skeleton: Arc::new(skeleton),
        skins: vec![Arc::new(Skin { name: "sheet".into(), joints, inverse_binds })],
        meshes: vec![MeshSlot { mesh: Arc::new(mesh), visibility: Visibility::Shown }],
        materials: vec![Arc::default()],
        ..Model::default()
    })
}

fn brush(action: Action) -> Brush {
    Brush { action, bone: LEFT, strength: 1.0, weight: 0.5, influences: 4, locked: Vec::new(), partners: None }
}

fn stroke(model: &Arc<Model>, brush: Brush) -> Stroke {
    let canvas = Arc::new(Canvas::of(model).unwrap());
    let shape = canvas.bound.clone();
    Stroke::new(model, &canvas, &shape, brush)
}

/// The weight of a bone at the vertex nearest to a place.
fn weight(model: &Model, bone: BoneIndex, x: f32, y: f32) -> f32 {
    let far = |at: &usize| model.meshes[0].mesh.positions[*at].distance(Vec3::new(x, y, 0.0));
    let vertex = (0..SIDE * SIDE).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap();
    weights_of(model, VertexRef { mesh: 0, vertex })
        .iter()
        .find(|(of, _)| *of == bone)
        .map_or(0.0, |(_, weight)| *weight)
}

/// Checks that all weights sum to 1 and that seams are closed.
fn check(model: &Model) {
    let mesh = &model.meshes[0].mesh;
    for vertex in 0..mesh.positions.len() {
        let own = weights_of(model, VertexRef { mesh: 0, vertex });
        assert!((own.iter().map(|(_, weight)| weight).sum::<f32>() - 1.0).abs() < 1e-6, "{vertex}: {own:?}");
        let twin = mesh.positions.iter().position(|at| *at == mesh.positions[vertex]).unwrap();
        assert_eq!(own, weights_of(model, VertexRef { mesh: 0, vertex: twin }), "{vertex} and {twin}");
    }
}

fn everywhere(_: Vec3, _: Vec3) -> bool {
    true
}

#[test]
fn a_dab_adds_subtracts_and_replaces_and_leaves_the_rest() {
    let model = sheet();
    for (action, before, after) in [(Action::Add, 0.0, 0.5), (Action::Subtract, 0.8, 0.3), (Action::Replace, 0.8, 0.65)]
    {
        // Of so large a dab, all vertices are in the middle.
        let mut first = stroke(&model, Brush { weight: before, ..brush(Action::Replace) });
        first.dab(Vec3::ZERO, 1000.0, everywhere).unwrap();
        let start = Arc::new(first.model);
        let mut next = stroke(&start, Brush { strength: 0.5, weight: 0.5, ..brush(action) });
        let [x, y] = [0.5, 0.0];
        let was = weight(&start, LEFT, x, y);
        // The same place several times changes it once.
        for _ in 0..3 {
            next.dab(Vec3::new(x, y, 0.0), 0.4, everywhere).unwrap();
        }
        let now = weight(&next.model, LEFT, x, y);
        assert!((now - was - (after - before)).abs() < 0.02, "{action:?}: {was} became {now}");
        assert_eq!(weight(&next.model, LEFT, -0.5, 0.0), weight(&start, LEFT, -0.5, 0.0));
        check(&next.model);
        next.model.check().unwrap();
    }
}

#[test]
fn the_other_side_gets_the_mirror_image_and_the_middle_half_of_each() {
    let model = sheet();
    let partners = Some(vec![ROOT, RIGHT, LEFT]);
    for action in [Action::Add, Action::Replace, Action::Gradient, Action::Smooth] {
        let mut stroke = stroke(&model, Brush { partners: partners.clone(), ..brush(Action::Add) });
        stroke.dab(Vec3::new(0.5, 0.2, 0.0), 0.3, everywhere).unwrap();
        stroke.dab(Vec3::new(-0.05, 0.0, 0.0), 0.4, everywhere).unwrap();
        let start = Arc::new(stroke.model);
        let mut stroke = self::stroke(&start, Brush { partners: partners.clone(), ..brush(action) });
        match action {
            Action::Gradient => stroke.gradient(|at, _| (at.x > -0.3).then_some(at.y.clamp(0.0, 1.0))).unwrap(),
            _ => stroke.dab(Vec3::new(0.1, 0.1, 0.0), 0.5, everywhere).unwrap(),
        }
        check(&stroke.model);
        for at in 0..SIDE * SIDE {
            let place = model.meshes[0].mesh.positions[at];
            let [left, right] =
                [(LEFT, place.x), (RIGHT, -place.x)].map(|(bone, x)| weight(&stroke.model, bone, x, place.y));
            assert!((left - right).abs() < 1e-5, "{action:?} {place}: {left} and {right}");
        }
    }
}

#[test]
fn the_other_side_is_that_of_the_skeleton_whichever_way_it_faces() {
    let mut model = Model::clone(&sheet());
    let turned = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
    let place = Transform { rotation: turned, ..Transform::from_translation(Vec3::new(2.0, 0.0, 3.0)) };
    let mut bones = model.skeleton.bones().to_vec();
    bones[0].rest = place;
    model.skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let both = Brush { partners: Some(vec![ROOT, RIGHT, LEFT]), ..brush(Action::Add) };
    let mut stroke = stroke(&Arc::new(model), both);
    stroke.dab(place.to_mat4().transform_point3(Vec3::new(0.5, 0.5, 0.0)), 0.2, everywhere).unwrap();
    let sides = [weight(&stroke.model, LEFT, 0.5, 0.5), weight(&stroke.model, RIGHT, -0.5, 0.5)];
    assert!(sides.iter().all(|weight| *weight > 0.9), "{sides:?}");
}

#[test]
fn locked_bones_and_the_limit_of_bones_stay() {
    let model = sheet();
    let mut first = stroke(&model, Brush { strength: 0.4, ..brush(Action::Add) });
    first.dab(Vec3::ZERO, 9.0, everywhere).unwrap();
    let start = Arc::new(first.model);
    for action in [Action::Add, Action::Smooth, Action::Replace] {
        let locked = Brush { locked: vec![LEFT], bone: RIGHT, weight: 1.0, ..brush(action) };
        let mut next = stroke(&start, locked);
        next.dab(Vec3::ZERO, 0.6, everywhere).unwrap();
        check(&next.model);
        for at in 0..SIDE * SIDE {
            let at = VertexRef { mesh: 0, vertex: at };
            let [was, now] = [&*start, &next.model].map(|model| {
                weights_of(model, at).iter().find(|(of, _)| *of == LEFT).map_or(0.0, |(_, weight)| *weight)
            });
            assert!((was - now).abs() < 1e-6, "{action:?} {at:?}: {was} and {now}");
        }
    }
    let mut limited = stroke(&start, Brush { bone: RIGHT, strength: 0.3, influences: 2, ..brush(Action::Add) });
    limited.dab(Vec3::ZERO, 0.6, everywhere).unwrap();
    let most = (0..SIDE * SIDE).map(|vertex| weights_of(&limited.model, VertexRef { mesh: 0, vertex }).len()).max();
    assert_eq!(most, Some(2));
    assert!(weight(&limited.model, RIGHT, 0.0, 0.0) > 0.29 && weight(&limited.model, LEFT, 0.0, 0.0) == 0.0);
}

#[test]
fn smoothing_levels_and_a_gradient_falls_along_its_line() {
    let model = sheet();
    let mut step = stroke(&model, Brush { weight: 1.0, ..brush(Action::Gradient) });
    step.gradient(|at, _| Some(if at.x > 0.01 { 1.0 } else { 0.0 })).unwrap();
    let jump = |model: &Model| weight(model, LEFT, 0.1, 0.0) - weight(model, LEFT, 0.0, 0.0);
    assert_eq!(jump(&step.model), 1.0);
    let start = Arc::new(step.model);
    let mut smooth = stroke(&start, brush(Action::Smooth));
    let mut last = 1.0;
    for _ in 0..4 {
        smooth.dab(Vec3::ZERO, 0.8, everywhere).unwrap();
        assert!(jump(&smooth.model) < last, "{last}");
        last = jump(&smooth.model);
    }
    check(&smooth.model);
    let mut ramp = stroke(&model, brush(Action::Gradient));
    ramp.gradient(|_, _| Some(1.0)).unwrap();
    // Another line replaces the first one.
    ramp.gradient(|at, _| (at.y > -0.01).then_some(1.0 - at.y)).unwrap();
    check(&ramp.model);
    let all = [-1.0, 0.0, 0.5, 1.0].map(|y| weight(&ramp.model, LEFT, 0.3, y));
    assert!(all.iter().zip([0.0, 1.0, 0.5, 0.0]).all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-5), "{all:?}");
}

#[test]
fn dabs_act_on_the_posed_surface_and_on_front_faces_only() {
    let model = sheet();
    let canvas = Arc::new(Canvas::of(&model).unwrap());
    let mut pose = bind_pose(&model);
    let turned = Transform { rotation: Quat::from_rotation_y(std::f32::consts::FRAC_PI_2), ..Transform::IDENTITY };
    pose.bones[0] = glam_to(&turned);
    let shape = Arc::new(canvas.posed(&model, &pose));
    let ray = [Vec3::new(3.0, 0.31, -0.52), Vec3::NEG_X];
    let spot = canvas.hit(&shape, ray).unwrap();
    assert!(spot.point.distance(Vec3::new(0.0, 0.31, -0.52)) < 1e-5 && spot.normal.x.abs() > 0.99, "{spot:?}");
    assert!(canvas.hit(&canvas.bound, ray).is_none());
    let mut stroke = Stroke::new(&model, &canvas, &shape, brush(Action::Add));
    stroke.dab(spot.point, 0.3, |_, normal| normal.dot(spot.normal) < 0.0).unwrap();
    assert_eq!(weight(&stroke.model, LEFT, 0.5, 0.3), 0.0);
    stroke.dab(spot.point, 0.3, |_, normal| normal.dot(spot.normal) > 0.0).unwrap();
    assert!(weight(&stroke.model, LEFT, 0.5, 0.3) > 0.9);
    assert!(canvas.is_of(&model, &stroke.model));
}

fn glam_to(transform: &Transform) -> crate::anim::mat34::Mat3x4 {
    crate::anim::mat34::Mat3x4::from_mat4(&transform.to_mat4())
}
