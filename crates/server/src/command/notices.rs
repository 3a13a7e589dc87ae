use std::io::Read as _;

use clap::Subcommand;
use musette_core::campaigns::DeliveryReport;
use musette_store::ReportOutcome;
use serde_json::json;

use super::{Failure, open};
use crate::campaigns::reported_message;
use crate::settings::{StoreArgs, TestSettings};

/// A report contains the returned message.
const REPORT_BYTES_MAX: u64 = 1024 * 1024;

#[derive(Debug, Subcommand)]
pub enum NoticesCommand {
    /// Record a bounce: reads the message of a mail server (multipart/report) from stdin
    Bounce(StoreArgs),
}

pub async fn run(command: NoticesCommand, test: TestSettings) -> Result<(), Failure> {
    let NoticesCommand::Bounce(args) = command;
    let mut message = Vec::new();
    std::io::stdin().take(REPORT_BYTES_MAX).read_to_end(&mut message)?;
    let report = DeliveryReport::parse_message(&message).map_err(Failure::refused)?;
    let unknown = || Failure::Refused("no message has the Message-ID of the report".to_owned());
    let id = reported_message(&report).ok_or_else(unknown)?;
    let store = open(&args).await?;
    let outcome = match store.record_report(&id, &report, test.clock.now()).await? {
        ReportOutcome::Unknown => return Err(unknown()),
        ReportOutcome::Unchanged => "unchanged",
        ReportOutcome::Retried => "retried",
        ReportOutcome::Failed => "recorded",
    };
    out!("{}", json!({"message": id, "outcome": outcome}));
    Ok(())
}
