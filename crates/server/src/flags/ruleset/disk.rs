//! Stores the served ruleset in one file, from which a node starts while its database is
//! unavailable.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::atomic::Ordering;

use musette_core::instant::Instant;
use musette_store::{LiveFlagKey, ReleasedFlag};
use serde::{Deserialize, Serialize};

use super::current::CurrentVersion;
use super::{Environment, Ruleset, Table};
use crate::platform::random;

const FORMAT: &str = "musette-flags-served-1";
const FILE: &str = "served.json";

#[derive(Serialize, Deserialize)]
struct SavedRuleset {
    format: String,
    /// When the store confirmed the ruleset, in milliseconds since 1970.
    confirmed_at: i64,
    keys: Vec<LiveFlagKey>,
    environments: Vec<SavedEnvironment>,
}

#[derive(Serialize, Deserialize)]
struct SavedEnvironment {
    name: String,
    version: u64,
    saved_at: i64,
    document: Option<String>,
    /// Flags that do not wait for a notice.
    #[serde(default)]
    releases: Vec<ReleasedFlag>,
}

impl Ruleset {
    /// Writes the served ruleset atomically, so that a reader finds either the previous file or
    /// this one.
    pub(super) async fn save(&self, now: Instant) -> std::io::Result<()> {
        let table = self.table.load_full();
        let directory = self.directory.clone();
        let work = move || write(&directory, &to_saved(&table, now));
        tokio::task::spawn_blocking(work).await.map_err(std::io::Error::other)?
    }

    /// Serves the ruleset on disk. Returns false if there is none.
    pub async fn restore(&self) -> std::io::Result<bool> {
        let file = self.directory.join(FILE);
        let text = match tokio::fs::read(&file).await {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        let served: SavedRuleset = serde_json::from_slice(&text)?;
        if served.format != FORMAT {
            return Err(std::io::Error::other(
                "the file was written by another version of musette",
            ));
        }
        let mut table = Table::default();
        for saved in served.environments {
            let saved_at = Instant::from_millis(saved.saved_at);
            let SavedEnvironment { name, version, document, releases, .. } = saved;
            let current =
                CurrentVersion::compile(&name, version, document, saved_at, releases).await;
            let current = current.map_err(std::io::Error::other)?;
            let environment = Environment::new(&name, current);
            table.environments.insert(name, environment.into());
        }
        table.set_keys(served.keys);
        self.confirmed_at(Instant::from_millis(served.confirmed_at));
        self.alone.store(true, Ordering::Relaxed);
        self.table.store(table.into());
        Ok(true)
    }
}

fn to_saved(table: &Table, now: Instant) -> SavedRuleset {
    let environments = table.environments.values().map(|environment| {
        let current = environment.current.load();
        SavedEnvironment {
            name: environment.name.clone(),
            version: current.snapshot.version(),
            saved_at: current.saved_at.millis(),
            document: current.text.as_deref().map(str::to_owned),
            releases: current.releases.clone(),
        }
    });
    SavedRuleset {
        format: FORMAT.to_owned(),
        confirmed_at: now.millis(),
        keys: table.rows.clone(),
        environments: environments.collect(),
    }
}

fn write(directory: &Path, served: &SavedRuleset) -> std::io::Result<()> {
    fs::create_dir_all(directory)?;
    // Several nodes may share the directory.
    let new = directory.join(format!("{FILE}.{}", random::hex::<6>()));
    let result = (|| {
        let mut file = File::options().write(true).create_new(true).mode(0o600).open(&new)?;
        file.write_all(&serde_json::to_vec(served)?)?;
        file.sync_all()?;
        fs::rename(&new, directory.join(FILE))?;
        File::open(directory)?.sync_all()
    })();
    if result.is_err() {
        // The file may not exist.
        let _ = fs::remove_file(&new);
    }
    result
}
