//! Follow mode: the editor shows its pose in games that run beside it. The editor listens on the loopback interface,
//! off by default; docs/follow.md has the protocol and what makes it safe.

pub mod meeting;
pub mod receiver;
pub mod sender;
pub mod wire;
