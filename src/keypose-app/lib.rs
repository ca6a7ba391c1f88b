//! The program `keypose`: window, files, threads, clock and command line around the editor and the game.

pub mod app;
