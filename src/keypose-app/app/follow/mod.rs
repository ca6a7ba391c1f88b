//! Follow mode: the editor shows its pose in games that run beside it. The editor listens on the loopback interface,
//! off by default. docs/follow.md describes the protocol and its security.

pub mod protocol;
pub mod receiver;
pub mod rendezvous;
pub mod sender;
