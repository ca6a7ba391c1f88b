//! Notices: lines of the log, shown on the screen for a while.

/// The severity of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum NoticeKind {
    Info,
    Warning,
    Error,
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Notice {
    pub kind: NoticeKind,
    pub text: String,
}
