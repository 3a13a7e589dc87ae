mod mirror;
mod watch;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::key::VerifierKey;
use musette_core::log::policy::Policy;
use musette_core::log::timestamp::Authorities;
use musette_store::{Log, Store};

use super::{Failure, Progress, counted, open, policy};
use crate::evidence::log::receipt_key;
use crate::platform::text_file;
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Subcommand)]
pub enum LogCommand {
    /// Replay the whole log against its signed heads, and every record against its entry
    Verify(VerifyLogArgs),
    /// Follow a log from outside, and report when it shows two trees that contradict each other
    Watch(watch::WatchArgs),
}

#[derive(Debug, Args)]
pub struct VerifyLogArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// Checkpoint that was saved elsewhere: detects a log that was rewound or rewritten
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Certificates (PEM) of trusted time-stamping authorities, which must have signed every time stamp
    #[arg(long, value_name = "FILE")]
    tsa_ca: Option<PathBuf>,
    /// Policy file (C2SP tlog-policy) whose quorum of witnesses must have cosigned the newest checkpoint
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// URL of the checkpoint and tiles of a mirror (C2SP tlog-mirror), which must have the same entries
    #[arg(long, value_name = "URL")]
    mirror: Option<String>,
    /// Demand a signature of the newest checkpoint by an ML-DSA-44 key of the log
    #[arg(long)]
    require_ml_dsa: bool,
}

/// Reads a file with the certificates of time-stamping authorities.
pub(super) fn tsa_authorities(file: &Path) -> Result<Authorities, Failure> {
    let wrong = |error: String| Failure::Usage(format!("--tsa-ca {}: {error}", file.display()));
    let pem = text_file::read(file).map_err(|error| wrong(error.to_string()))?;
    Authorities::parse(pem.as_bytes()).map_err(|error| wrong(error.to_string()))
}

pub async fn run(command: LogCommand, test: TestSettings) -> Result<(), Failure> {
    match command {
        LogCommand::Verify(args) => verify(args, test).await,
        LogCommand::Watch(args) => watch::run(args, test).await,
    }
}

async fn verify(args: VerifyLogArgs, test: TestSettings) -> Result<(), Failure> {
    let mirror = args.mirror.as_deref().map(mirror::remote).transpose()?;
    let checkpoint = args.checkpoint.as_deref().map(text_file::read).transpose();
    let checkpoint =
        checkpoint.map_err(|error| Failure::Usage(format!("--checkpoint: {error}")))?;
    let authorities = args.tsa_ca.as_deref().map(tsa_authorities).transpose()?;
    let policy = args.policy.as_deref().map(policy::read).transpose()?;
    let store = open(&args.store).await?;
    let key = receipt_key(&store).await?;
    let mut progress = Progress::new("entries verified");
    let mut verified =
        store.verify_log(&key, checkpoint.as_deref(), &mut |count| progress.at(count)).await?;
    progress.end(verified.entries);
    let mut stamps = None;
    if let Some(authorities) = &authorities {
        let (count, errors) = store.verify_timestamps(authorities).await?;
        let new = errors.into_iter().filter(|error| !verified.errors.contains(error));
        let new: Vec<_> = new.collect();
        verified.errors.extend(new);
        stamps = Some(count);
    }
    // A store that is read-only can be verified too.
    if let Err(error) = store.store_verification(&verified, test.clock.now()).await {
        tracing::warn!(error = %error, "the time of the verification was not recorded in the store");
    }
    for error in &verified.errors {
        out!("{error}");
    }
    if let (Some(why), Some(file)) = (&verified.foreign_checkpoint, &args.checkpoint) {
        return Err(Failure::Refused(format!(
            "--checkpoint {}: this checkpoint belongs to another store, or this log was replaced by another: {why}",
            file.display()
        )));
    }
    match verified.errors.len() as u64 {
        0 if verified.logs == 0 && policy.is_none() && !args.require_ml_dsa => {
            out!("nothing to verify: no server has run on this store, so it has no log yet");
            Ok(())
        }
        0 => {
            let entries = counted(verified.entries, "entry", "entries");
            if args.require_ml_dsa {
                demand_ml_dsa(&store).await?;
            }
            let cosigned = match &policy {
                Some(policy) => demand_quorum(&store, policy).await?,
                None => String::new(),
            };
            let mirrored = match &mirror {
                Some(mirror) => mirror::compare(&store, mirror).await?,
                None => String::new(),
            };
            let logs = counted(verified.logs, "log", "logs");
            let stamps =
                stamps.map(|count| format!(", {}", counted(count, "time stamp", "time stamps")));
            out!("verified: {entries}, {logs}{}{cosigned}{mirrored}", stamps.unwrap_or_default());
            Ok(())
        }
        errors => Err(Failure::Refused(format!(
            "log verification failed: {}",
            counted(errors, "error", "errors")
        ))),
    }
}

/// Demands that the newest checkpoint is signed by ML-DSA-44 too.
async fn demand_ml_dsa(store: &Store) -> Result<(), Failure> {
    let refused = |why: String| Failure::Refused(format!("--require-ml-dsa: {why}"));
    let keys: Vec<VerifierKey> = store.logs().await?.iter().flat_map(Log::keys).collect();
    let checkpoint = store.checkpoint().await?;
    let checkpoint = checkpoint.ok_or_else(|| refused("the store has no log yet".to_owned()))?;
    Checkpoint::demand_ml_dsa(&checkpoint, &keys).map_err(|error| refused(error.to_string()))
}

/// Demands that the newest cosigned checkpoint fulfils the policy, or the newest one if none was
/// cosigned. Returns the end of the message.
async fn demand_quorum(store: &Store, policy: &Policy) -> Result<String, Failure> {
    let head = store.head_to_stamp().await?;
    let cosigned = match &head {
        Some(head) => store.newest_cosigned(head.log, None).await?,
        None => None,
    };
    let checkpoint = cosigned.map(|head| head.checkpoint).or(head.map(|head| head.checkpoint));
    let checkpoint = checkpoint.unwrap_or_default();
    let keys: Vec<VerifierKey> = store.logs().await?.iter().flat_map(Log::keys).collect();
    let witnesses = policy::check(policy, &checkpoint, &keys)
        .map_err(|error| Failure::Refused(format!("--policy: {error}")))?;
    Ok(policy::cosigned_by(&witnesses))
}
