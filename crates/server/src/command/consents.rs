use std::io::Write;

use clap::{Args, Subcommand, ValueEnum};
use musette_core::instant::Instant;
use musette_store::{ExportFilter, ExportedConsent, StoreError};
use serde::Serialize;

use super::{Failure, Progress, open};
use crate::app::receipt_key;
use crate::settings::StoreArgs;

#[derive(Debug, Subcommand)]
pub enum ConsentsCommand {
    /// Write every decision to stdout
    Export(ExportArgs),
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    #[command(flatten)]
    store: StoreArgs,
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// Only what was recorded from this RFC 3339 time on
    #[arg(long, value_parser = instant)]
    since: Option<Instant>,
    /// Only this user's
    #[arg(long)]
    user: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Csv,
    Jsonl,
}

pub fn instant(text: &str) -> Result<Instant, String> {
    Instant::parse(text).map_err(|error| format!("{error}, such as 2026-11-21T09:30:00Z"))
}

/// One decision; the names are the columns.
#[derive(Serialize)]
struct Row {
    receipt_id: String,
    user_id: String,
    user_type: String,
    terms_and_conditions_id: i64,
    accepted: bool,
    consented_at: String,
    recorded_at: String,
    sha256: String,
    evidence: String,
}

const COLUMNS: &str = "receipt_id,user_id,user_type,terms_and_conditions_id,accepted,consented_at,recorded_at,sha256,evidence";

pub async fn run(command: ConsentsCommand) -> Result<(), Failure> {
    let ConsentsCommand::Export(args) = command;
    let store = open(&args.store).await?;
    let key = receipt_key(&store).await?;
    let filter = ExportFilter {
        since: args.since.unwrap_or(Instant::from_millis(i64::MIN)),
        user_id: args.user.unwrap_or_default(),
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    if args.format == Format::Csv {
        writeln!(out, "{COLUMNS}")?;
    }
    let mut progress = Progress::new("decisions exported");
    let mut count = 0;
    let written = store
        .export_consents(&filter, |consent| {
            count += 1;
            progress.at(count);
            let row = row(consent, |seq, entry_id| key.id(seq, entry_id));
            match args.format {
                Format::Csv => write_csv(&mut out, &row),
                Format::Jsonl => {
                    serde_json::to_writer(&mut out, &row)?;
                    out.write_all(b"\n")
                }
            }
        })
        .await;
    match written.and_then(|()| Ok(out.flush()?)) {
        // `| head` has read enough.
        Err(StoreError::File(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => {
            progress.end(count);
            Ok(other?)
        }
    }
}

fn row(consent: ExportedConsent, receipt_id: impl Fn(i64, &str) -> String) -> Row {
    Row {
        receipt_id: receipt_id(consent.seq, &consent.entry_id),
        user_id: consent.user_id,
        user_type: consent.user_type,
        terms_and_conditions_id: consent.term_id,
        accepted: consent.accepted,
        consented_at: Instant::from_millis(consent.consented_at).to_string(),
        recorded_at: Instant::from_millis(consent.recorded_at).to_string(),
        sha256: consent.sha256,
        evidence: consent.evidence,
    }
}

fn write_csv(out: &mut impl Write, row: &Row) -> std::io::Result<()> {
    writeln!(
        out,
        "{},{},{},{},{},{},{},{},{}",
        row.receipt_id,
        csv_field(&row.user_id),
        row.user_type,
        row.terms_and_conditions_id,
        row.accepted,
        row.consented_at,
        row.recorded_at,
        row.sha256,
        row.evidence
    )
}

/// RFC 4180. Only the user id is somebody else's text.
fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
