//! Starting a transform: the selected bones, volume or socket, their limbs and the pivot.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::editor::gesture::body::{BodyDrag, Footing};
use crate::editor::gesture::ik::LimbDrag;
use crate::editor::gesture::screen::Screen;
use crate::editor::gesture::transform::part::Part;
use crate::editor::gesture::transform::{AngleSource, BoneStart, MirroredBone, TransformDrag};
use crate::editor::gesture::typed::TypedNumber;
use crate::editor::ops::mirror::Pairs;
use crate::editor::session::Session;
use crate::editor::session::switch::Switch;
use crate::editor::session::tool::{Constraint, Handle, Space, TransformKind};
use crate::editor::view::View;
use keypose::anim::ik::limit::Limit;
use keypose::anim::skeleton::BoneIndex;

/// The pixels of a snapped movement's step, rounded to a power of ten in world units.
const MOVE_STEP_PIXELS: f32 = 30.0;

impl TransformDrag {
    /// A transform of the selected bones that the mouse drives until a click. With a footing, IK moves the whole body. `None` if nothing
    /// is selected.
    pub fn modal(
        view: &View,
        session: &Session,
        kind: TransformKind,
        footing: Option<&Footing>,
    ) -> Option<TransformDrag> {
        TransformDrag::start(view, session, (kind, kind.first_space()), footing)
    }

    /// A drag of a handle of the gizmo. `None` if nothing is selected.
    pub fn of_handle(
        view: &View,
        session: &Session,
        handle: Handle,
        footing: Option<&Footing>,
    ) -> Option<TransformDrag> {
        let space = handle.kind.space(session.workspace.space);
        let mut drag = TransformDrag::start(view, session, (handle.kind, space), footing)?;
        drag.is_modal = false;
        drag.constraint = handle.constraint;
        if let (TransformKind::Rotate, Constraint::Axis(axis)) = (handle.kind, handle.constraint) {
            drag.angle_source = drag.angle_source_of_ring(axis, &Screen::of(session));
        }
        Some(drag)
    }

    fn start(
        view: &View,
        session: &Session,
        (kind, space): (TransformKind, Space),
        footing: Option<&Footing>,
    ) -> Option<TransformDrag> {
        let (part, bones) = moved(view, session, kind, space);
        let active_head = bones.last()?.head();
        let footing = footing.filter(|_| kind == TransformKind::Reach && part.is_none());
        let dragged: Vec<BoneIndex> = bones.iter().map(|start| start.bone).collect();
        let body = footing.and_then(|footing| BodyDrag::new(view, session, footing, &dragged));
        let has_limbs = part.is_none() && body.is_none();
        let limbs = if has_limbs { limbs(view, session, kind, &bones) } else { None };
        let shared = shared_pivot(session, kind, &bones);
        let is_pivot_shared = shared.is_some();
        let pivot = match &limbs {
            Some(limbs) if kind == TransformKind::Pole => limbs.pole().unwrap_or(active_head),
            Some(_) | None => shared.unwrap_or(active_head),
        };
        let mirrored =
            if kind == TransformKind::Rotate && !is_pivot_shared { mirrored(view, &bones) } else { Vec::new() };
        let (screen, pixel) = (Screen::of(session), session.transient.pointer.pixel);
        let (right, up) = screen.camera.right_and_up();
        let move_step = screen.units_per_pixel(active_head) * MOVE_STEP_PIXELS;
        Some(TransformDrag {
            kind,
            constraint: Constraint::Free,
            space,
            limbs,
            body,
            pivot,
            is_modal: true,
            typed: TypedNumber::default(),
            mirrored,
            joint_limits: joint_limits(view, session, part.is_none()),
            bones,
            is_pivot_shared,
            angle_source: AngleSource::Screen,
            view: [right, up, -screen.camera.forward()],
            start: pixel,
            last: pixel,
            steered: pixel,
            rotated: 0.0,
            offset: Vec3::ZERO,
            factor: 1.0,
            snaps: false,
            part,
            move_step: 10.0_f32.powf(move_step.max(1e-9).log10().round()),
        })
    }
}

/// The selected volume or socket, as if it were a bone, or the selected bones, the active one last.
pub fn moved(view: &View, session: &Session, kind: TransformKind, space: Space) -> (Option<Part>, Vec<BoneStart>) {
    let part = Part::of(view, session);
    let bones = match &part {
        Some(part) => vec![part.as_bone()],
        None => bones(view, session, kind, space),
    };
    (part, bones)
}

/// The middle of several bones that rotate or scale about it.
pub fn shared_pivot(session: &Session, kind: TransformKind, bones: &[BoneStart]) -> Option<Vec3> {
    let is_about_it = matches!(kind, TransformKind::Rotate | TransformKind::Scale) && bones.len() > 1;
    let is_shared = is_about_it && session.is_on(Switch::SharedPivot);
    is_shared.then(|| bones.iter().map(BoneStart::head).sum::<Vec3>() / bones.len() as f32)
}

/// The limits that bones obey, by the switch.
fn joint_limits(view: &View, session: &Session, are_bones: bool) -> BTreeMap<BoneIndex, Limit> {
    let model = view.model.as_deref().filter(|_| are_bones && session.is_on(Switch::JointLimits));
    model.map(|model| model.rig.limits_of(&model.skeleton).collect()).unwrap_or_default()
}

/// The bones whose partner on the other side is rotated as well: those on the side of the active bone lead, the others mirror them, so that
/// both arms go up.
fn mirrored(view: &View, bones: &[BoneStart]) -> Vec<MirroredBone> {
    let (Some(model), Some(active)) = (view.model.as_deref(), bones.last()) else { return Vec::new() };
    let pairs = if bones.len() > 1 { Pairs::of_model(model) } else { return Vec::new() };
    let leads = |bone: BoneIndex| pairs.is_right(bone) == pairs.is_right(active.bone);
    let pair = |start: &BoneStart| {
        let lead = *bones.iter().find(|other| other.bone == pairs.partner(start.bone))?;
        let is_pair = lead.bone != start.bone && leads(lead.bone) && !leads(start.bone);
        let reflection = pairs.parent_reflection(&model.skeleton, lead.bone);
        (is_pair && pairs.has_mirror(&model.skeleton, lead.bone)).then_some(MirroredBone {
            bone: start.bone,
            lead,
            reflection,
        })
    };
    bones.iter().filter_map(pair).collect()
}

/// The limbs above the dragged bones; above the active bone alone if its pole is dragged.
fn limbs(view: &View, session: &Session, kind: TransformKind, bones: &[BoneStart]) -> Option<LimbDrag> {
    let dragged = match kind {
        TransformKind::Reach => bones,
        TransformKind::Pole => &bones[bones.len() - 1..],
        TransformKind::Move | TransformKind::Rotate | TransformKind::Scale => return None,
    };
    let bones: Vec<BoneIndex> = dragged.iter().map(|start| start.bone).collect();
    let keeps = session.is_on(Switch::KeepEndRotation);
    let model = view.model.clone()?;
    Some(LimbDrag::new(model, view.local.clone(), &bones, session.workspace.chain_joints, keeps))
}

/// The selected bones. A bone below another selected one follows it and is left out, unless each rotates about its
/// own axes, as fingers curl.
fn bones(view: &View, session: &Session, kind: TransformKind, space: Space) -> Vec<BoneStart> {
    let Some(model) = view.model.as_deref() else { return Vec::new() };
    let selected = &session.focus.selection.bones;
    let is_shared = session.is_on(Switch::SharedPivot);
    let rotates_each = kind == TransformKind::Rotate && space == Space::Local && !is_shared;
    let follows = |bone: BoneIndex| selected.iter().any(|&other| other != bone && model.skeleton.is_below(bone, other));
    let start = |bone: BoneIndex| {
        let parent = model.skeleton.parent(bone);
        let model_from_parent = parent.map(|parent| view.pose.get(parent).to_mat4()).unwrap_or_default();
        BoneStart { bone, local: view.local.get(usize::from(bone)), model_from_parent }
    };
    let existing = selected.iter().copied().filter(|&bone| usize::from(bone) < view.local.len());
    existing.filter(|&bone| rotates_each || !follows(bone)).map(start).collect()
}
