//! Work on the lumps of a large archive by as many threads as there are processors, at most [`MOST`]. What comes out is in
//! order, whoever made it.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// More threads than this wait for the memory, not for each other.
const MOST: usize = 4;
/// An archive of fewer bytes is done before a thread has started.
const WORTH_BYTES: usize = 1 << 20;

/// `work` on every item; `bytes` says how large they are together.
pub fn map<T: Sync, R: Send>(items: &[T], bytes: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    // To ask how many processors there are takes longer than a small archive.
    let processors = || thread::available_parallelism().map_or(1, NonZero::get);
    let threads = if bytes < WORTH_BYTES { 1 } else { processors().min(MOST).min(items.len()) };
    if threads <= 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut made = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return made };
            made.push((at, work(item)));
        }
    };
    let mut made = thread::scope(|scope| {
        // Where the system gives no thread, the others do its share.
        let helpers = (1..threads).map(|_| thread::Builder::new().spawn_scoped(scope, take));
        let helpers: Vec<_> = helpers.filter_map(Result::ok).collect();
        let mut made = take();
        for helper in helpers {
            match helper.join() {
                Ok(more) => made.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        made
    });
    made.sort_by_key(|(at, _)| *at);
    made.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once_and_in_order() {
        for count in [0, 1, 2, 3, 1000] {
            let items: Vec<usize> = (0..count).collect();
            for bytes in [0, usize::MAX] {
                assert_eq!(map(&items, bytes, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
            }
        }
    }
}
