//! Pulling bones with the whole body: the model when the drag began, and its pose after a move of the mouse. The result is plain rotations,
//! and the place of the bone that carries the body.

use std::sync::Arc;

use glam::{Vec3, Vec4};

use crate::editor::ops::limb::Limb;
use crate::editor::ops::posed::Posed;
use crate::editor::session::Session;
use crate::editor::session::switch::Switch;
use crate::editor::view::balance::lanes;
use crate::editor::view::{Source, View};
use keypose::anim::key::Channel;
use keypose::anim::skeleton::BoneIndex;
use keypose::assets::combat::Lanes;
use keypose::assets::model::Model;
use keypose_tools::balance::Balance;
use keypose_tools::whole_body::{Pull, Stand, WholeBody};

/// The weight of a model, and the contacts of its clip.
#[derive(Clone, Debug)]
pub struct Footing {
    balance: Arc<Balance>,
    lanes: Lanes,
}

impl Footing {
    /// The footing of the pose on screen, if IK moves the whole body.
    pub fn of(source: Source<'_>, view: &View) -> Option<Footing> {
        let model = view.model.as_ref().filter(|_| source.session.is_on(Switch::WholeBody))?;
        let balance = source.caches.balance.of(model, &source.caches.root_speeds);
        Some(Footing { balance, lanes: lanes(source, view) })
    }
}

/// Bones that are pulled.
#[derive(Clone, Debug)]
pub struct BodyDrag {
    model: Arc<Model>,
    body: Arc<WholeBody>,
    pulls: Vec<Pull>,
}

impl BodyDrag {
    /// A drag of `bones` in the pose on screen. `None` if no joint moves them.
    pub fn new(view: &View, session: &Session, footing: &Footing, bones: &[BoneIndex]) -> Option<BodyDrag> {
        let model = view.model.clone()?;
        let pins: Vec<BoneIndex> = session.focus.pins.iter().copied().collect();
        let stand = Stand { balance: &footing.balance, lanes: &footing.lanes, time: view.time };
        let body = WholeBody::new(&model, &view.local, &stand, bones, &pins)?;
        let keeps = |bone: BoneIndex| {
            let limb = Limb::above(&model, bone, session.workspace.chain_joints);
            session.is_on(Switch::KeepEndRotation) || limb.is_some_and(|limb| limb.is_leg(&model.skeleton))
        };
        let pull = |&bone: &BoneIndex| Pull { bone, offset: Vec3::ZERO, keeps_rotation: keeps(bone) };
        Some(BodyDrag { pulls: bones.iter().map(pull).collect(), body: Arc::new(body), model })
    }

    /// The channels with every pulled bone moved by `offset` in model space; empty if nothing moves.
    pub fn moved(&self, offset: Vec3) -> Vec<Posed> {
        let pulls: Vec<Pull> = self.pulls.iter().map(|pull| Pull { offset, ..*pull }).collect();
        let (start, mut local) = (self.body.start(), self.body.start().clone());
        self.body.pulled(&self.model.skeleton, &pulls, &mut local);
        let carrier = self.body.carrier();
        let rotations = self.body.joints().iter().map(|joint| (joint.bone, Channel::Rotation));
        let posed = rotations.chain([(carrier, Channel::Translation)]).map(|(bone, channel)| {
            let value: Vec4 = local.value(bone, channel);
            (Posed { bone, channel, value }, value != start.value(bone, channel))
        });
        posed.filter(|(_, is_changed)| *is_changed).map(|(posed, _)| posed).collect()
    }
}
