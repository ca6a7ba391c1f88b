//! Enumerations whose items have a label, such as the choices of a menu: `name` is also the word in scripts and files.

pub(in crate::editor) use keypose::choice;
