//! A template of a skeleton while its markers are placed on the meshes of a model, and the rig that it becomes.

use std::sync::Arc;

use glam::Vec3;

use crate::editor::ops::rigging::bind::{Parts, Scope, with_weights};
use keypose::assets::model::Model;
use keypose_tools::rig::fit::{fit, with_skeleton};
use keypose_tools::rig::markers::{Markers, propose};
use keypose_tools::rig::surface::Surface;
use keypose_tools::rig::template::{Sides, Template};
use keypose_tools::rig::volume::Volume;
use keypose_tools::rig::weights::Options;
use keypose_tools::rig::{Reach, RigError};
use keypose_tools::side_names::other_side;

/// A template with its markers.
#[derive(Clone, Debug)]
pub struct Placing {
    pub template: &'static Template,
    /// In model space, by name.
    pub markers: Markers,
    /// Markers that were not found, and why.
    pub notes: Vec<String>,
    /// The bones as they would be: from joint to joint.
    pub bones: Vec<[Vec3; 2]>,
    /// The marker under the mouse.
    pub hot: Option<String>,
    /// Whether the button is down on it.
    pub is_held: bool,
    volume: Arc<Volume>,
}

impl Placing {
    /// The template with its markers where the meshes propose them.
    ///
    /// # Errors
    /// If there is no mesh with a volume, or `reach` ends the work.
    pub fn on(model: &Model, template: &'static Template, reach: &mut Reach<'_>) -> Result<Placing, RigError> {
        let surface = Surface::of(model)?;
        reach(0.3)?;
        let volume = Arc::new(Volume::new(&surface));
        reach(0.6)?;
        let proposed = propose(&surface, &volume, template);
        let mut placing = Placing {
            template,
            markers: proposed.markers,
            notes: proposed.notes,
            bones: Vec::new(),
            hot: None,
            is_held: false,
            volume,
        };
        placing.update();
        Ok(placing)
    }

    /// Moves a marker, and that of the other side if `is_mirrored`; one without another side then stays in the middle,
    /// if the template has sides.
    pub fn move_marker(&mut self, name: &str, to: Vec3, is_mirrored: bool) {
        let Some(from) = self.markers.get(name).copied().filter(|_| to.is_finite()) else { return };
        let other = other_side(name).filter(|_| is_mirrored);
        let to = match &other {
            None if is_mirrored && self.template.markers.iter().any(|marker| marker.sides == Sides::Both) => {
                to.with_x(from.x)
            }
            _ => to,
        };
        if let Some((other, place)) = other.and_then(|other| Some((other.clone(), *self.markers.get(&other)?))) {
            let middle = (from.x + place.x) / 2.0;
            self.markers.insert(other, to.with_x(2.0 * middle - to.x));
        }
        self.markers.insert(name.to_owned(), to);
        self.update();
    }

    /// The bones for the markers as they are; none if they don't fit.
    fn update(&mut self) {
        self.bones.clear();
        let Ok(skeleton) = fit(self.template, &self.markers, &self.volume) else { return };
        let pose = skeleton.rest_model_pose();
        let joint = |bone| pose.get(bone).translation();
        let pairs = skeleton.indices().filter_map(|bone| Some((skeleton.parent(bone)?, bone)));
        // The root is on the ground, and has no shape.
        let pairs = pairs.filter(|(parent, _)| skeleton.parent(*parent).is_some());
        self.bones.extend(pairs.map(|(parent, bone)| [joint(parent), joint(bone)]));
    }

    /// The model with the skeleton of the template, and automatic weights.
    ///
    /// # Errors
    /// If a marker is outside the mesh, there is nothing to bind, or `reach` ends the work.
    pub fn rigged(
        &self,
        model: &Model,
        options: &Options,
        parts: Parts,
        reach: &mut Reach<'_>,
    ) -> Result<Model, RigError> {
        let skeleton = fit(self.template, &self.markers, &self.volume)?;
        // Of a model with a skin, what its bones hold gets weights, too.
        let bare = with_skeleton(model, &Surface::of_meshes(model, |_| true)?, skeleton);
        with_weights(&bare, options, parts, &Scope::All, reach)
    }
}
