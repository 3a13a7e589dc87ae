//! Counts the assignments of each experiment, and whether its environment has room for more.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use arc_swap::ArcSwap;

/// The assignments of one experiment.
pub struct ExperimentGroup {
    pub number: u16,
    pub environment: String,
    pub experiment: String,
    count: AtomicUsize,
    /// Whether the experiment did not exist at the last check.
    was_gone: AtomicBool,
    room: Arc<Room>,
}

/// The assignments of one environment.
struct Room {
    count: AtomicUsize,
    max: usize,
    /// Whether an assignment was rejected for want of room.
    is_requested: AtomicBool,
}

impl ExperimentGroup {
    pub fn is_full(&self) -> bool {
        self.room.count.load(Ordering::Relaxed) >= self.room.max
    }

    pub fn request_room(&self) {
        self.room.is_requested.store(true, Ordering::Relaxed);
    }

    pub fn add(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.room.count.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns whether the experiment is gone now and was at the last check. A single check is not
    /// sufficient, because a node may load assignments shortly before their experiment.
    pub fn is_still_gone(&self, is_live: bool) -> bool {
        self.was_gone.swap(!is_live, Ordering::Relaxed) && !is_live
    }

    /// Resets the count, and returns what it was.
    pub fn clear(&self) -> usize {
        let count = self.count.swap(0, Ordering::Relaxed);
        self.room.count.fetch_sub(count, Ordering::Relaxed);
        count
    }
}

#[derive(Default, Clone)]
struct All {
    /// The groups by environment, then by experiment.
    by_name: HashMap<String, HashMap<String, Arc<ExperimentGroup>>>,
    rooms: HashMap<String, Arc<Room>>,
    count: usize,
}

pub struct Groups {
    all: ArcSwap<All>,
    of_environment_max: usize,
}

impl Groups {
    pub fn new(of_environment_max: usize) -> Self {
        Self { all: ArcSwap::default(), of_environment_max }
    }

    /// Returns the group of an experiment. Uses no lock and allocates nothing, except for a new
    /// experiment.
    pub fn of(&self, environment: &str, experiment: &str) -> Arc<ExperimentGroup> {
        let find = |all: &All| all.by_name.get(environment)?.get(experiment).cloned();
        if let Some(group) = find(&self.all.load()) {
            return group;
        }
        self.all.rcu(|all| {
            let mut all = All::clone(all);
            if find(&all).is_none() {
                let room = all.rooms.entry(environment.to_owned()).or_insert_with(|| {
                    let max = self.of_environment_max;
                    Arc::new(Room {
                        count: AtomicUsize::new(0),
                        max,
                        is_requested: AtomicBool::new(false),
                    })
                });
                let group = ExperimentGroup {
                    // Groups beyond the limit share the last number, and are removed together.
                    number: u16::try_from(all.count).unwrap_or(u16::MAX),
                    environment: environment.to_owned(),
                    experiment: experiment.to_owned(),
                    count: AtomicUsize::new(0),
                    was_gone: AtomicBool::new(false),
                    room: Arc::clone(room),
                };
                all.count += 1;
                let of_environment = all.by_name.entry(environment.to_owned()).or_default();
                of_environment.insert(experiment.to_owned(), Arc::new(group));
            }
            all
        });
        find(&self.all.load()).unwrap_or_else(|| self.of(environment, experiment))
    }

    /// Returns the experiments of environments in which room was requested since the last call, the
    /// oldest first.
    pub fn with_requested_room(&self) -> Vec<Arc<ExperimentGroup>> {
        let all = self.all.load();
        let mut groups = Vec::new();
        for (environment, room) in &all.rooms {
            if room.is_requested.swap(false, Ordering::Relaxed) {
                groups.extend(all.by_name[environment].values().cloned());
            }
        }
        groups.sort_by_key(|group| group.number);
        groups
    }
}
