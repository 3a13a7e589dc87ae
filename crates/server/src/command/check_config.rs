use std::time::Duration;

use musette_store::{Store, shown_database};

use super::{Failure, serve, unread_variables};
use crate::platform::redaction::without_passwords;
use crate::settings::{ServeArgs, SettingsFile, StoreArgs, TestSettings};

/// Time for the only query to the database.
const QUERY_TIMEOUT: Duration = Duration::from_secs(3);

/// Checks what `serve` checks before it opens the store, and prints no secret.
pub async fn run(args: &ServeArgs, test: TestSettings) -> Result<(), Failure> {
    let keys = args.store.secrets_keys().map_err(Failure::Usage)?;
    serve::check_settings(args, test)?;
    let file = SettingsFile::find();
    let file = file.existing().map_or_else(|| "none".into(), |path| path.display().to_string());
    let or_none = |text: Option<&String>| text.map_or_else(|| "none".to_owned(), String::clone);
    let store = match &args.store.database {
        Some(url) => shown_database(url).map_err(|error| {
            Failure::Usage(format!("--database: {}", without_passwords(&error.to_string())))
        })?,
        None => format!("SQLite in {}", args.store.data.display()),
    };
    let backups = args.backups.schedule().map_err(Failure::Usage)?;
    let backups = backups.map_or_else(
        || "not made by this server".to_owned(),
        |schedule| {
            let (every, keep) = (schedule.every, schedule.keep);
            format!("every {every:?} into {}, {keep} kept", schedule.directory.display())
        },
    );
    let copies = args.backups.copies(&args.store).map_err(Failure::Usage)?;
    let copies = copies.map_or_else(
        || "none".to_owned(),
        |directory| {
            let backups = &args.backups;
            let (every, keep) = (backups.backup_wal_every, backups.backup_wal_keep);
            format!("every {every:?} into {}, kept for {keep:?}", directory.display())
        },
    );
    let proxies: Vec<String> = args.trusted_proxies.iter().map(ToString::to_string).collect();
    let rows = [
        ("settings file", file),
        ("database", store),
        ("database connections", connections(&args.store).await?),
        ("data directory", args.store.data.display().to_string()),
        ("secrets key", if keys.is_empty() { "none" } else { "read" }.to_owned()),
        ("listen", args.listen.clone()),
        ("metrics_listen", or_none(args.metrics_listen.as_ref())),
        ("public_url", or_none(args.public_url.as_ref())),
        ("trusted_proxies", proxies.join(", ")),
        ("cors_origins", args.cors_origins.join(", ")),
        ("oidc_issuer", without_passwords(&or_none(args.oidc.oidc_issuer.as_ref()))),
        ("backups", backups),
        ("copies of changes", copies),
        ("traces", without_passwords(&args.traces.endpoint().unwrap_or_default())),
    ];
    for (name, value) in rows {
        out!("{name}: {}", if value.is_empty() { "none" } else { &value });
    }
    for name in unread_variables() {
        out!("not read: {name} is not a setting of musette");
    }
    out!("the settings are valid");
    Ok(())
}

/// Compares the connections of one node with what the database accepts. A database that does not
/// answer is no error, because these settings may be checked on another machine.
async fn connections(args: &StoreArgs) -> Result<String, Failure> {
    let Some(url) = &args.database else { return Ok("none".to_owned()) };
    let node = args.database_connections + 1;
    match Store::connection_limit(url, QUERY_TIMEOUT).await {
        Ok(limit) if limit < node => Err(Failure::Usage(format!(
            "--database-connections {}: a node opens {node} connections, and the database accepts {limit}",
            args.database_connections
        ))),
        Ok(limit) => Ok(format!("{node} of each node, of {limit} that the database accepts")),
        Err(error) => Ok(format!(
            "{node} of each node; the limit of the database was not read: {}",
            without_passwords(&error.to_string())
        )),
    }
}
