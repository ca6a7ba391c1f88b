//! The section about the joint of the active bone: its limit, and how IK moves it.

use std::f32::consts::PI;

use crate::editor::ops::joint_limits::{Sides, chain_of, limit_of, with_chain, with_limit};
use crate::editor::ops::limb::{DEFAULT_JOINTS, MAX_JOINTS};
use crate::editor::panels::ui::prelude::*;
use keypose::anim::ik::chain::Solver;
use keypose::anim::ik::limit::Limit;
use keypose::assets::rig_notes::IkChain;
use keypose_tools::joint_limits::BindJoints;

/// The kinds of limits.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Free,
    Hinge,
    Cone,
}

/// The range of a new limit.
const NEW_RANGE: [f32; 2] = [-PI / 4.0, PI / 4.0];

/// Draws the section.
pub fn joint_ui(ui: &Ui<'_>, model: &Model, bone: BoneIndex, folds: &mut Folds) {
    if folds.section(ui, "joint", "Joint") {
        limit_ui(ui, model, bone);
        chain_ui(ui, model, bone);
    }
}

fn limit_ui(ui: &Ui<'_>, model: &Model, bone: BoneIndex) {
    let form = Form::new(ui, "limit-");
    let sides = match ui.session.transient.scene.rig() {
        Some(desk) if desk.is_mirrored => Sides::Both,
        _ => Sides::One,
    };
    let put = |touch, limit| ui.edit_rig(touch, "Set joint limit", || with_limit(model, bone, limit, sides));
    let now = limit_of(model, bone);
    let mut kind = now.map_or(Kind::Free, |limit| if limit.swing.is_some() { Kind::Cone } else { Kind::Hinge });
    let kinds = [
        (Kind::Free, "Free", "Rotates in any way"),
        (Kind::Hinge, "Hinge", "Rotates about one axis, such as an elbow"),
        (Kind::Cone, "Cone", "Swings and twists, such as a shoulder"),
    ];
    if form.choice("Limit", &kinds, &mut kind).is_changed {
        let limit = of_kind(model, bone, kind);
        return put(Touch::AT_ONCE, limit);
    }
    let Some(mut limit) = now else {
        return form.commands("limits", &[("Propose for all", Command::ProposeLimits)]);
    };
    if limit.swing.is_none() {
        let mut axis = axis_of(&limit);
        let axes = [(0, "X", ""), (1, "Y", ""), (2, "Z", "")].map(|(at, name, tip)| (Some(at), name, tip));
        if form.choice("Axis", &axes, &mut axis).is_changed && axis.is_some() {
            let turned = BindJoints::of(model).hinge(bone, glam::Vec3::AXES[axis.unwrap_or(0)], [limit.min, limit.max]);
            return put(Touch::AT_ONCE, Some(turned));
        }
    }
    let how = |min: f32, max: f32| Number::degrees().within(min, max);
    let [mut min, mut max] = [limit.min, limit.max].map(f32::to_degrees);
    if let Some(swing) = &mut limit.swing {
        let mut degrees = swing.to_degrees();
        let touch = form.number("Swing", "Half the angle of the cone", how(0.0, 180.0), &mut degrees);
        *swing = degrees.to_radians().min(PI);
        put(touch, Some(limit));
    }
    let label = if limit.swing.is_some() { "Twist" } else { "Range" };
    let tips = ["Minimum angle", "Maximum angle"];
    let touch = form.numbers(label, tips, how(-180.0, 180.0), [&mut min, &mut max]);
    // The field that is dragged pushes the other one.
    let [low, high] = [min, max].map(|angle| angle.to_radians().clamp(-PI, PI));
    let is_low = (low - limit.min).abs() > (high - limit.max).abs();
    (limit.min, limit.max) = if is_low { (low, high.max(low)) } else { (low.min(high), high) };
    put(touch, Some(limit));
}

/// A new limit of a kind. A hinge is about the axis of the bone that is most across it.
fn of_kind(model: &Model, bone: BoneIndex, kind: Kind) -> Option<Limit> {
    let joints = BindJoints::of(model);
    let free = joints.free(bone);
    let across = free.axis.abs().min_position();
    match kind {
        Kind::Free => None,
        Kind::Hinge => Some(joints.hinge(bone, glam::Vec3::AXES[across], NEW_RANGE)),
        Kind::Cone => Some(Limit { min: NEW_RANGE[0], max: NEW_RANGE[1], swing: Some(NEW_RANGE[1]), ..free }),
    }
}

/// The axis of a hinge, if it is one of the bone.
fn axis_of(limit: &Limit) -> Option<usize> {
    glam::Vec3::AXES.iter().position(|axis| axis.abs_diff_eq(limit.axis, 1e-4))
}

fn chain_ui(ui: &Ui<'_>, model: &Model, bone: BoneIndex) {
    let form = Form::new(ui, "chain-");
    let now = chain_of(model, bone);
    let put = |touch, chain| ui.edit_rig(touch, "Set IK chain", || with_chain(model, bone, chain));
    let solvers = [
        (None, "Two-bone", "An arm or a leg; the number of joints is that over the viewport"),
        (Some(Solver::Ccd), "CCD", "Bends mostly near the end, as a tail"),
        (Some(Solver::Fabrik), "FABRIK", "Bends evenly, as a spine"),
    ];
    let mut solver = now.map(|chain| chain.solver);
    if form.choice("IK", &solvers, &mut solver).is_changed {
        let joints = now.map_or(DEFAULT_JOINTS as u8 + 1, |chain| chain.joints);
        return put(Touch::AT_ONCE, solver.map(|solver| IkChain { joints, solver }));
    }
    if let Some(chain) = now {
        let mut joints = f32::from(chain.joints);
        let how = Number::new("%.0f", 0.05).within(1.0, MAX_JOINTS as f32);
        let touch = form.number("Joints", "Joints above this bone that IK rotates", how, &mut joints);
        put(touch, Some(IkChain { joints: joints as u8, ..chain }));
    }
}
