use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Failure, Progress, counted, open};
use crate::evidence::log::receipt_key;
use crate::platform::text_file;
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Subcommand)]
pub enum LogCommand {
    /// Replay the whole log against its signed heads, and every record against its entry
    Verify(VerifyArgs),
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// Checkpoint that was saved elsewhere: detects a log that was rewound or rewritten
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

pub async fn run(command: LogCommand, test: TestSettings) -> Result<(), Failure> {
    let LogCommand::Verify(args) = command;
    let checkpoint = args.checkpoint.as_deref().map(text_file::read).transpose();
    let checkpoint =
        checkpoint.map_err(|error| Failure::Usage(format!("--checkpoint: {error}")))?;
    let store = open(&args.store).await?;
    let key = receipt_key(&store).await?;
    let mut progress = Progress::new("entries verified");
    let verified =
        store.verify_log(&key, checkpoint.as_deref(), &mut |count| progress.at(count)).await?;
    progress.end(verified.entries);
    // A store that is read-only can be verified too.
    if let Err(error) = store.keep_verified(&verified, test.clock.now()).await {
        tracing::warn!(error = %error, "the time of the verification was not recorded in the store");
    }
    for error in &verified.faults {
        out!("{error}");
    }
    if let (Some(why), Some(file)) = (&verified.foreign_checkpoint, &args.checkpoint) {
        return Err(Failure::Refused(format!(
            "--checkpoint {}: this checkpoint belongs to another store, or this log was replaced by another: {why}",
            file.display()
        )));
    }
    match verified.faults.len() as u64 {
        0 => {
            let entries = counted(verified.entries, "entry", "entries");
            out!("verified: {entries}, {}", counted(verified.logs, "log", "logs"));
            Ok(())
        }
        errors => Err(Failure::Refused(format!(
            "log verification failed: {}",
            counted(errors, "error", "errors")
        ))),
    }
}
