//! The view of a file, so that it looks the same when the file is opened again. Everything is named, because
//! the file may change in between.

use std::collections::BTreeMap;

use crate::editor::session::camera::OrbitCamera;
use crate::editor::session::preferences::Arrangement;
use crate::editor::session::timing::TimeView;
use keypose::anim::time::Time;

#[derive(Clone, Debug, PartialEq)]
pub struct FileView {
    /// The name of the active model.
    pub model: String,
    /// The name of the active clip; `None` is the rest pose.
    pub clip: Option<String>,
    /// The playhead.
    pub time: Time,
    /// The camera of the viewport.
    pub camera: OrbitCamera,
    /// The names of the hidden bones.
    pub hidden: Vec<String>,
    /// The names of the pinned bones.
    pub pins: Vec<String>,
    /// The names of the bones of each stored set, 0 to 9.
    pub bone_sets: BTreeMap<u8, Vec<String>>,
    /// The active view of the timeline.
    pub time_view: TimeView,
    /// The arrangement that the layout of the panels began with.
    pub arrangement: Arrangement,
}
