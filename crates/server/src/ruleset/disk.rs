//! The served ruleset in one file: a node that starts while its database is away answers from it.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::atomic::Ordering;

use musette_core::instant::Instant;
use musette_store::LiveFlagKey;
use serde::{Deserialize, Serialize};

use super::current::Current;
use super::{Environment, Ruleset, Table};
use crate::random;

const FORMAT: &str = "musette-flags-served-1";
const FILE: &str = "served.json";

#[derive(Serialize, Deserialize)]
struct SavedRuleset {
    format: String,
    /// When the store said so, in milliseconds since 1970.
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
}

impl Ruleset {
    /// Writes what is served; whoever reads finds the former file or this one, never half of one.
    pub(super) async fn keep(&self, now: Instant) -> std::io::Result<()> {
        let table = self.table.load_full();
        let directory = self.directory.clone();
        let work = move || write(&directory, &served(&table, now));
        tokio::task::spawn_blocking(work).await.map_err(std::io::Error::other)?
    }

    /// Serves what was last written down. False when there is nothing.
    pub async fn restore(&self) -> std::io::Result<bool> {
        let file = self.directory.join(FILE);
        let text = match tokio::fs::read(&file).await {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        let served: SavedRuleset = serde_json::from_slice(&text)?;
        if served.format != FORMAT {
            return Err(std::io::Error::other("it is of another version of this program"));
        }
        let mut table = Table::default();
        for it in served.environments {
            let saved_at = Instant::from_millis(it.saved_at);
            let current = Current::compile(&it.name, it.version, it.document, saved_at).await;
            let current = current.map_err(std::io::Error::other)?;
            table.environments.insert(it.name.clone(), Environment::new(&it.name, current).into());
        }
        table.let_in(served.keys);
        self.confirmed_at(Instant::from_millis(served.confirmed_at));
        self.alone.store(true, Ordering::Relaxed);
        self.table.store(table.into());
        Ok(true)
    }
}

fn served(table: &Table, now: Instant) -> SavedRuleset {
    let environments = table.environments.values().map(|environment| {
        let current = environment.current.load();
        SavedEnvironment {
            name: environment.name.clone(),
            version: current.snapshot.version(),
            saved_at: current.saved_at.millis(),
            document: current.text.as_deref().map(str::to_owned),
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
    // Several nodes may keep their files in one directory.
    let new = directory.join(format!("{FILE}.{}", random::hex::<6>()));
    let written = (|| {
        let mut file = File::options().write(true).create_new(true).mode(0o600).open(&new)?;
        file.write_all(&serde_json::to_vec(served)?)?;
        file.sync_all()?;
        fs::rename(&new, directory.join(FILE))?;
        File::open(directory)?.sync_all()
    })();
    if written.is_err() {
        // It may not be there at all.
        let _ = fs::remove_file(&new);
    }
    written
}
