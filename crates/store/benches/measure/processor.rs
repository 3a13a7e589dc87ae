//! Processor time from the scheduler statistics, which are exact; `/proc/self/stat` counts in ticks
//! of 10 ms.

use std::time::Duration;

/// Returns the processor time of all threads of this process.
pub fn processor_time() -> Duration {
    of(std::process::id())
}

/// Returns the processor time of all threads of a process that this user may read.
pub fn of(pid: u32) -> Duration {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).expect("Linux");
    let nanos = threads.filter_map(|thread| {
        let path = thread.ok()?.path().join("schedstat");
        std::fs::read_to_string(path).ok()?.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanos.sum())
}
