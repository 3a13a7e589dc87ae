//! How many assignments each experiment has, and whether its environment has room for more.

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
    /// Whether it was gone at the last check.
    was_gone: AtomicBool,
    room: Arc<Room>,
}

/// The assignments of one environment.
struct Room {
    count: AtomicUsize,
    max: usize,
    /// Somebody found none.
    wanted: AtomicBool,
}

impl ExperimentGroup {
    pub fn is_full(&self) -> bool {
        self.room.count.load(Ordering::Relaxed) >= self.room.max
    }

    pub fn wants_room(&self) {
        self.room.wanted.store(true, Ordering::Relaxed);
    }

    pub fn add(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.room.count.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether it was gone at the last look and is at this one: a node may learn of assignments a moment
    /// before it learns of their experiment.
    pub fn stays_gone(&self, is_live: bool) -> bool {
        self.was_gone.swap(!is_live, Ordering::Relaxed) && !is_live
    }

    /// Gives how many there were.
    pub fn forget(&self) -> usize {
        let count = self.count.swap(0, Ordering::Relaxed);
        self.room.count.fetch_sub(count, Ordering::Relaxed);
        count
    }
}

#[derive(Default, Clone)]
struct All {
    /// By environment, then by experiment.
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

    /// No lock, and no text is made, but for an experiment that is met for the first time.
    pub fn of(&self, environment: &str, experiment: &str) -> Arc<ExperimentGroup> {
        let find = |all: &All| all.by_name.get(environment)?.get(experiment).cloned();
        if let Some(found) = find(&self.all.load()) {
            return found;
        }
        self.all.rcu(|all| {
            let mut all = All::clone(all);
            if find(&all).is_none() {
                let room = all.rooms.entry(environment.to_owned()).or_insert_with(|| {
                    let max = self.of_environment_max;
                    Arc::new(Room {
                        count: AtomicUsize::new(0),
                        max,
                        wanted: AtomicBool::new(false),
                    })
                });
                let group = ExperimentGroup {
                    // Groups beyond the limit share the last number, and are forgotten together.
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

    /// The experiments of environments in which somebody found no room since the last time, those that
    /// are known longest first.
    pub fn wanting_room(&self) -> Vec<Arc<ExperimentGroup>> {
        let all = self.all.load();
        let mut found = Vec::new();
        for (environment, room) in &all.rooms {
            if room.wanted.swap(false, Ordering::Relaxed) {
                found.extend(all.by_name[environment].values().cloned());
            }
        }
        found.sort_by_key(|group| group.number);
        found
    }
}
