//! Decoders of others that may panic on damaged files.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a decoder. A panic is an error.
pub fn guarded<R>(decode: impl FnOnce() -> R) -> Result<R, &'static str> {
    let before = IS_GUARDED.replace(true);
    let decoded =
        catch_unwind(AssertUnwindSafe(decode)).map_err(|_| "it is damaged in a way that its decoder doesn't expect");
    IS_GUARDED.set(before);
    decoded
}

/// Whether this thread runs a decoder whose panic becomes an error, so that it need not be printed.
pub fn is_guarded() -> bool {
    IS_GUARDED.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    // Where a panic ends the program, nothing can be guarded.
    #[test]
    #[cfg(panic = "unwind")]
    fn a_panic_is_an_error_and_ends_the_guard() {
        assert_eq!(guarded(|| 3), Ok(3));
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| assert!(is_guarded())));
        let decoded: Result<(), _> = guarded(|| panic!("damaged"));
        std::panic::set_hook(before);
        assert_eq!(decoded, Err("it is damaged in a way that its decoder doesn't expect"));
        assert!(!is_guarded());
    }
}
