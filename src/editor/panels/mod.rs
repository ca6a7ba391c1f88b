//! The panels: the only place of the editor that knows Dear ImGui. They read the editor and its view and write
//! actions; what is theirs alone (scroll, half-typed text) they keep in a local value. No GL, no files, no clock.

pub mod axis_ball;
pub mod bone_groups;
pub mod bones;
pub mod clip_list;
pub mod clip_menu;
pub mod clips;
pub mod desk;
pub mod finder;
pub mod first_steps;
pub mod fonts;
pub mod game_states;
pub mod history;
pub mod inspector;
pub mod keyboard;
pub mod kit;
pub mod layout;
pub mod log;
pub mod machine;
pub mod marks;
pub mod menu;
pub mod mirror_table;
pub mod out;
pub mod over_picture;
pub mod poses;
pub mod preferences;
pub mod prompts;
pub mod raw;
pub mod seen;
pub mod start;
pub mod status_bar;
pub mod theme;
pub mod timeline;
pub mod top_bar;
pub mod viewport;
pub mod widgets;
