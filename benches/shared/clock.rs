//! The minimum time of many repetitions: what the machine can do without interference.

use std::time::Instant;

/// Nanoseconds for one of `work`'s `count` steps, the minimum of many runs; takes about a fifth of a second.
pub fn min_ns(count: usize, mut work: impl FnMut()) -> f64 {
    let started = Instant::now();
    let mut least = f64::INFINITY;
    let mut runs = 0;
    while runs < 5 || started.elapsed().as_millis() < 200 {
        let start = Instant::now();
        work();
        least = least.min(start.elapsed().as_nanos() as f64 / count as f64);
        runs += 1;
    }
    least
}
