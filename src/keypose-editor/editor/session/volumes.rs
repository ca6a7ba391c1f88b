//! The selected hit volume, hurt volume or collider, and the edit that changes it.

use std::sync::Arc;

use crate::editor::document::edit::{ClipEdit, Edit, ModelEdit};
use crate::editor::session::focus::Focus;
use crate::editor::session::selection::{Selection, VolumePick};
use keypose::assets::combat::{LaneKind, Lanes, Volume};
use keypose::assets::id::ClipId;
use keypose::assets::model::Model;

/// The selected volume in its list.
#[derive(Clone, Debug)]
pub struct Picked {
    model: Arc<Model>,
    index: usize,
    clip: Option<ClipId>,
    lanes: Lanes,
    selection: Selection,
}

impl Picked {
    /// The selected volume of the active model. `None` if none is selected.
    pub fn of(model: &Arc<Model>, focus: &Focus) -> Option<Picked> {
        focus.selection.volume?;
        let lanes = focus.clip.map(|clip| model.combat.lanes_of(clip)).unwrap_or_default();
        let (index, clip) = (focus.model, focus.clip);
        let picked = Picked { model: Arc::clone(model), index, clip, lanes, selection: focus.selection.clone() };
        picked.volume().is_some().then_some(picked)
    }

    pub fn volume(&self) -> Option<&Volume> {
        self.selection.volume_of(&self.model, &self.lanes)
    }

    /// The edit that replaces the volume, or deletes it. Deleting the replacement of a hurt volume switches the hurt volume off.
    pub fn edit(&self, with: Option<Volume>) -> Option<Edit> {
        match self.selection.volume? {
            VolumePick::Hurt(at) => {
                let mut volumes = self.model.combat.hurt.clone();
                put(&mut volumes, at, with);
                Some(ModelEdit::SetHurtVolumes { model: self.index, volumes }.into())
            }
            VolumePick::Collider(at) => {
                let mut rig = self.model.rig.clone();
                rig.springs.put_collider(at, with);
                Some(ModelEdit::SetRig { model: self.index, rig: rig.into() }.into())
            }
            VolumePick::OfRange(at) => {
                let mut lanes = self.lanes.clone();
                match self.selection.range? {
                    (LaneKind::Hits, hit) => put(&mut lanes.hits.get_mut(hit)?.volumes, at, with),
                    (LaneKind::Hurts, hurt) => lanes.hurts.get_mut(hurt)?.replaced = with,
                    (LaneKind::Cancels | LaneKind::Invulnerable | LaneKind::Contacts, _) => return None,
                }
                Some(ClipEdit::SetLanes { clip: self.clip?, lanes: Box::new(lanes) }.into())
            }
        }
    }
}

fn put(list: &mut Vec<Volume>, at: usize, with: Option<Volume>) {
    match with {
        _ if at >= list.len() => {}
        Some(volume) => list[at] = volume,
        None => drop(list.remove(at)),
    }
}
