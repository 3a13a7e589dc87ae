//! Limits the metric names in environments that declare no metrics: a back end may report under any
//! name, but a program with a bug must not create a name for each order.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use musette_core::instant::Instant;

/// The maximum number of names in one environment.
const NAMES_MAX: usize = 1_000;
/// A name that was unused for this long can be replaced by a new one, the oldest first. Its values
/// remain.
const REPLACEABLE_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The last use of each name, by environment.
#[derive(Default)]
pub struct UndeclaredNames {
    used: Mutex<HashMap<String, HashMap<String, Instant>>>,
}

impl UndeclaredNames {
    /// Registers the name, and returns whether there is room for it.
    pub fn takes(&self, environment: &str, metric: &str, now: Instant) -> bool {
        let mut all = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains_key(environment) {
            all.insert(environment.to_owned(), HashMap::new());
        }
        let Some(used) = all.get_mut(environment) else { return false };
        if let Some(last) = used.get_mut(metric) {
            *last = now;
            return true;
        }
        if used.len() >= NAMES_MAX {
            let oldest = used.iter().min_by_key(|(_, last)| last.millis());
            let oldest = oldest.filter(|(_, last)| now.since(**last) >= REPLACEABLE_AFTER);
            let Some(oldest) = oldest.map(|(name, _)| name.clone()) else { return false };
            used.remove(&oldest);
        }
        used.insert(metric.to_owned(), now);
        true
    }
}

#[cfg(test)]
mod tests {
    use musette_core::instant::Instant;

    use super::{NAMES_MAX, REPLACEABLE_AFTER, UndeclaredNames};

    #[test]
    fn replaces_the_oldest_name_when_there_is_no_room() {
        let names = UndeclaredNames::default();
        let start = Instant::from_millis(1_800_000_000_000);
        for name in 0..NAMES_MAX {
            assert!(names.takes("production", &format!("m{name}"), start));
        }
        assert!(!names.takes("production", "one more", start));
        assert!(names.takes("staging", "one more", start), "another environment has its own");
        let later = start.plus(REPLACEABLE_AFTER);
        assert!(names.takes("production", "m0", later), "it is in use");
        assert!(names.takes("production", "one more", later));
        assert!(names.takes("production", "m0", later), "it was not the one to be replaced");
    }
}
