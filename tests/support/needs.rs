//! Needs of tests beside Rust: a GL driver, a display, Python, mount namespaces.

/// Fails the test because something is missing, unless `KEYPOSE_WITHOUT` lists it, such as `KEYPOSE_WITHOUT=gl,window`.
/// Under `CI=true` nothing may be missing.
pub fn missing(what: &str, reason: &str) {
    let is_listed = std::env::var("KEYPOSE_WITHOUT").is_ok_and(|list| list.split(',').any(|item| item.trim() == what));
    let is_ci = std::env::var("CI").as_deref() == Ok("true");
    assert!(is_listed && !is_ci, "{reason}: `tools/test` installs it; KEYPOSE_WITHOUT={what} skips this test");
    eprintln!("skipped: {reason}");
}
