//! Whether two projects have the same content: all that an archive keeps of them.

use std::collections::HashMap;
use std::sync::Arc;

use crate::assets::model::Model;
use crate::assets::project::Project;
use crate::wad::encode::parts_of;
use crate::wad::part::Parts;

/// Whether two projects would be saved as the same archive. Ids of clips, which differ from one reading of a file to the next, don't
/// count; the order of lists does.
///
/// Work is deleted only where this holds. It compares the parts that are written, so nothing that is saved can be missing here, as
/// it can in the descriptions of [`diff`](crate::wad::diff::diff).
pub fn is_same_content(a: &Project, b: &Project) -> bool {
    are_same(&parts_of(a), &parts_of(b))
}

fn are_same(a: &Parts, b: &Parts) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && (a.1.is_same(b.1) || a.1 == b.1))
}

/// The maximum count of states that are compared part by part.
const MAX_COMPARED: usize = 64;

/// Whether one of the states of a history has the same content as a project. States share what their steps don't change, so each clip
/// and each saved pose is compared once; of the states that have the same ones, the first 64 are compared as a whole, and for further
/// ones it is not proved.
pub fn is_among<'a>(states: impl Iterator<Item = &'a Project>, project: &Project) -> bool {
    let (mut lists, mut parts) = (Lists::default(), None);
    let mut alike = states.filter(|state| lists.are_same(state, project)).take(MAX_COMPARED);
    alike.any(|state| are_same(&parts_of(state), parts.get_or_insert_with(|| parts_of(project))))
}

/// Results of comparisons, by addresses. The values live as long as the states that are compared.
#[derive(Default)]
struct Lists(HashMap<[usize; 2], bool>);

impl Lists {
    /// Whether the long lists of two projects are the same: clips and saved poses of all models.
    fn are_same(&mut self, a: &Project, b: &Project) -> bool {
        a.models.len() == b.models.len() && a.models.iter().zip(&b.models).all(|(a, b)| self.are_same_in(a, b))
    }

    fn are_same_in(&mut self, a: &Model, b: &Model) -> bool {
        let mut poses = a.poses.iter().zip(&b.poses);
        let mut clips = a.clips.iter().zip(&b.clips);
        (a.poses.len(), a.clips.len()) == (b.poses.len(), b.clips.len())
            && poses.all(|(a, b)| self.is_same(a, b))
            && clips.all(|(a, b)| self.is_same(&a.clip, &b.clip))
    }

    fn is_same<T: PartialEq>(&mut self, a: &Arc<T>, b: &Arc<T>) -> bool {
        let addresses = [a, b].map(|one| Arc::as_ptr(one).addr());
        *self.0.entry(addresses).or_insert_with(|| Arc::ptr_eq(a, b) || a == b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::clip::Clip;
    use crate::assets::model::ClipSlot;

    #[test]
    fn a_state_is_found_among_others_by_its_content() {
        let with = |names: &[&str]| {
            let mut project = Project::default();
            let slot = |name: &&str| ClipSlot { id: project.new_clip_id(), clip: Clip::new(*name).into() };
            let clips = names.iter().map(slot).collect();
            project.add_model(Model { name: "a".into(), clips, ..Model::default() });
            project
        };
        let states = [with(&["walk"]), with(&["walk", "run"]), with(&["walk", "jump"])];
        for state in &states {
            assert!(is_among(states.iter(), &state.clone()));
        }
        assert!(is_among(states.iter(), &with(&["walk", "run"])), "read again");
        assert!(!is_among(states.iter(), &with(&["run", "walk"])), "the order counts");
        assert!(!is_among(states.iter(), &with(&[])));
        let mut other = with(&["walk"]);
        Arc::make_mut(&mut other.models[0]).name = "b".into();
        assert!(!is_among(states.iter(), &other));
    }
}
