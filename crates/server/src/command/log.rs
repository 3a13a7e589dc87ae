use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Failure, Progress, open};
use crate::log::receipt_key;
use crate::settings::{StoreArgs, TestSettings};
use crate::text_file;

#[derive(Debug, Subcommand)]
pub enum LogCommand {
    /// Replay the whole log against its signed heads, and every record against its entry
    Verify(VerifyArgs),
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// Checkpoint that was kept outside: shows a log that was rewound or rewritten
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

pub async fn run(command: LogCommand, test: TestSettings) -> Result<(), Failure> {
    let LogCommand::Verify(args) = command;
    let kept = args.checkpoint.as_deref().map(text_file::read).transpose();
    let kept = kept.map_err(|error| Failure::Usage(format!("--checkpoint: {error}")))?;
    let store = open(&args.store).await?;
    let key = receipt_key(&store).await?;
    let mut progress = Progress::new("entries verified");
    let verified = store.verify_log(&key, kept.as_deref(), &mut |count| progress.at(count)).await?;
    progress.end(verified.entries);
    // A store that can only be read is verified all the same.
    if let Err(error) = store.keep_verified(&verified, test.clock.now()).await {
        tracing::warn!(error = %error, "when it was verified was not kept");
    }
    for fault in &verified.faults {
        println!("{fault}");
    }
    if let (Some(why), Some(file)) = (&verified.foreign_checkpoint, &args.checkpoint) {
        return Err(Failure::Refused(format!(
            "--checkpoint {}: it is not of this store, or this log was put in the place of another: {why}",
            file.display()
        )));
    }
    match verified.faults.len() {
        0 => {
            println!("verified: {} entries, {} logs", verified.entries, verified.logs);
            Ok(())
        }
        faults => Err(Failure::Refused(format!("the log does not verify: {faults} faults"))),
    }
}
