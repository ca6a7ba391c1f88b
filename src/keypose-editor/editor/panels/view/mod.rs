//! The viewport and what is shown over it.

pub mod axis_ball;
pub mod banner;
pub mod bench;
pub mod blend;
pub mod crowd;
pub mod display;
pub mod first_steps;
pub mod free_place;
pub mod ghosts;
pub mod hint;
pub mod legend;
pub mod level;
pub mod mode_bar;
pub mod overlay;
pub mod palette;
pub mod reduce_bar;
pub mod references;
pub mod retarget;
pub mod skinning_split;
pub mod start;
pub mod stats;
pub mod toast;
pub mod tool_strip;
pub mod trails;
pub mod view_bar;
pub mod viewport;
