//! Processes the parts of something large in up to [`MAX_THREADS`] threads. Results are in the order of the items.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The maximum number of threads; with more, memory bandwidth is the limit.
const MAX_THREADS: usize = 4;
/// Smaller work is faster than starting a thread.
const MIN_BYTES: usize = 1 << 20;

/// Applies `work` to every item. `bytes` is their total size.
pub fn map<T: Sync, R: Send>(items: &[T], bytes: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    // Querying the number of processors takes longer than something small.
    let processors = || thread::available_parallelism().map_or(1, NonZero::get);
    let threads = if bytes < MIN_BYTES { 1 } else { processors().min(MAX_THREADS).min(items.len()) };
    if threads <= 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut results = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return results };
            results.push((at, work(item)));
        }
    };
    let mut results = thread::scope(|scope| {
        // If the system provides no thread, the others do its work.
        let helpers = (1..threads).map(|_| thread::Builder::new().spawn_scoped(scope, take));
        let helpers: Vec<_> = helpers.filter_map(Result::ok).collect();
        let mut results = take();
        for helper in helpers {
            match helper.join() {
                Ok(more) => results.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_processed_once_and_in_order() {
        for count in [0, 1, 2, 3, 1000] {
            let items: Vec<usize> = (0..count).collect();
            for bytes in [0, usize::MAX] {
                assert_eq!(map(&items, bytes, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
            }
        }
    }
}
