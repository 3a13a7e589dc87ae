//! `musette move`: moves a store to another database permanently.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use musette_store::{MoveError, MoveState, POSTGRES_CONNECTIONS, Store};

use super::event::CommandEvent;
use super::opening::{make_in_any_state, open_in_any_state};
use super::{Failure, Progress, counted};
use crate::evidence::log::receipt_key;
use crate::node::live::NODE_GONE;
use crate::platform::random;
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Args)]
pub struct MoveArgs {
    /// Location of the store: the directory of an embedded database, or `postgres://…`
    #[arg(long, value_name = "DIR|URL")]
    from: String,
    /// New location: a directory or a database without a store
    #[arg(long, value_name = "DIR|URL", required_unless_present = "cancel")]
    to: Option<String>,
    /// Cancel an interrupted move: the store remains where it is
    #[arg(long, conflicts_with = "to")]
    cancel: bool,
    /// File with the key that encrypts the secrets in the store
    #[arg(long, env = "MUSETTE_SECRETS_KEY_FILE", value_name = "FILE")]
    secrets_key_file: Option<PathBuf>,
}

impl MoveArgs {
    fn store(&self, named_by: &'static str, place: &str) -> Result<StoreArgs, Failure> {
        let is_url = place.starts_with("postgres://") || place.starts_with("postgresql://");
        // A mistyped URL must not create a directory.
        if !is_url && place.contains("://") {
            return Err(Failure::Refused(format!(
                "{named_by} must be a directory or a URL that begins with postgres://"
            )));
        }
        Ok(StoreArgs {
            // The data directory is not used with PostgreSQL.
            data: if is_url { "data".into() } else { place.into() },
            database: is_url.then(|| place.to_owned()),
            database_connections: POSTGRES_CONNECTIONS,
            secrets_key_file: self.secrets_key_file.clone(),
            named_by: Some(named_by),
        })
    }
}

impl From<MoveError> for Failure {
    fn from(error: MoveError) -> Self {
        match error {
            MoveError::Store(error) => error.into(),
            error => Self::refused(error),
        }
    }
}

pub async fn run(args: MoveArgs, test: TestSettings) -> Result<(), Failure> {
    let target = args.to.as_ref().map(|to| args.store("--to", to)).transpose()?;
    let from = open_in_any_state(&args.store("--from", &args.from)?).await?;
    let Some(target) = target else { return cancel(&from).await };
    let to = make_in_any_state(&target).await?;
    from.check_secrets().await?;
    let (token, has_arrived) = match to.move_state().await? {
        None => (random::uuid(), false),
        Some(MoveState::RequestBody { token }) => (token, true),
        Some(_) => return Err(MoveError::OtherAttempt.into()),
    };
    if has_arrived {
        from.check_leaves(&token).await?;
    }
    match move_store(&from, &to, has_arrived, &token, test).await {
        Ok(()) => Ok(()),
        Err(failure) => {
            // A failed attempt must not keep the store read-only. Only an attempt that was killed
            // is resumed.
            from.stay(&token).await?;
            Err(failure)
        }
    }
}

async fn cancel(from: &Store) -> Result<(), Failure> {
    if from.cancel_move().await? {
        out!("the move was cancelled: the store remains at --from");
        return Ok(());
    }
    Err(Failure::Refused("the store at --from has no interrupted move".into()))
}

fn seen_since(test: TestSettings) -> i64 {
    test.clock.now().millis() - i64::try_from(NODE_GONE.as_millis()).unwrap_or(i64::MAX)
}

async fn move_store(
    from: &Store,
    to: &Arc<Store>,
    has_arrived: bool,
    token: &str,
    test: TestSettings,
) -> Result<(), Failure> {
    let now = test.clock.now();
    if has_arrived {
        out!("all rows were copied by an earlier attempt: resuming after that");
    } else {
        let mut progress = Progress::new("rows moved");
        let rows = from.copy_to(to, token, seen_since(test), now, |rows| progress.at(rows)).await?;
        progress.end(rows);
    }
    // Derived rows are not copied; the migration creates them.
    to.migrate().await?;
    let verified = verify(to).await?;
    let event = CommandEvent::new("store_moved").into();
    from.complete_move(to, token, seen_since(test), &event, now).await?;
    out!("{verified}; the store at --from is closed for good");
    Ok(())
}

/// Compares every record with its log entry, and the tree of the entries with the signed heads.
async fn verify(to: &Store) -> Result<String, Failure> {
    let key = receipt_key(to).await?;
    let mut progress = Progress::new("entries verified");
    let verified = to.verify_log(&key, None, &mut |count| progress.at(count)).await?;
    progress.end(verified.entries);
    match verified.errors.first() {
        None => {
            let entries = counted(verified.entries, "entry", "entries");
            let logs = counted(verified.logs, "log", "logs");
            Ok(format!("moved: {entries}, {logs} verified"))
        }
        Some(error) => Err(Failure::Refused(format!(
            "nothing was moved, because verification of the log at --to failed: {error}; check whether `musette log verify` succeeds at --from"
        ))),
    }
}
