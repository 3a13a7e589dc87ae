use std::path::{Path, PathBuf};

use clap::Args;
use musette_core::causes::by_cause;
use musette_store::ImportOutcome;

use crate::command::event::CommandEvent;
use crate::command::{Failure, Progress, counted, open};
use crate::evidence::import::{Import, ImportFormat, LineError};
use crate::settings::{StoreArgs, TestSettings};

/// The decisions of one transaction: other writers get their turn in between.
const DECISIONS_PER_TRANSACTION: usize = 256;

#[derive(Debug, Args)]
pub struct ImportConsentsArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// File with the columns `user_id`, `terms_and_conditions_id`, `accepted`, `consented_at`, and
    /// optionally `sha256` or `locale` of the document
    file: PathBuf,
    /// Format of the file; by default taken from its extension
    #[arg(long, value_enum)]
    format: Option<ImportFormat>,
    /// Check every line and record nothing
    #[arg(long)]
    dry_run: bool,
}

fn format_of_name(file: &Path) -> Option<ImportFormat> {
    match file.extension()?.to_str()? {
        "csv" => Some(ImportFormat::Csv),
        "jsonl" | "ndjson" => Some(ImportFormat::Jsonl),
        _ => None,
    }
}

pub async fn run(args: ImportConsentsArgs, test: TestSettings) -> Result<(), Failure> {
    let format = args.format.or_else(|| format_of_name(&args.file)).ok_or_else(|| {
        Failure::Usage(
            "--format: it is required, because the extension of the file is not .csv, .jsonl or .ndjson".into(),
        )
    })?;
    let bytes = std::fs::read(&args.file)
        .map_err(|error| Failure::Refused(format!("{}: {error}", args.file.display())))?;
    let store = open(&args.store).await?;
    let now = test.clock.now();
    let import = Import::read(&bytes, format, &store.catalog().await?, now);
    let pasts = store.past_decisions(&import.user_ids()).await?;
    let (new, existing) = import.plan(&pasts).map_err(|errors| refuse(&errors))?;
    if args.dry_run {
        out!(
            "would import {}; {existing} already recorded",
            counted(new.len(), "decision", "decisions")
        );
        return Ok(());
    }
    let mut progress = Progress::new("decisions imported");
    let (mut imported, mut late) = (0, 0);
    for chunk in new.chunks(DECISIONS_PER_TRANSACTION) {
        for outcome in store.import_decisions(chunk, test.clock.now()).await? {
            match outcome {
                ImportOutcome::Recorded => imported += 1,
                // Another request recorded it, the person decided, or was erased in the meantime.
                _ => late += 1,
            }
        }
        progress.at(imported);
    }
    progress.end(imported);
    if imported > 0 {
        let detail = counted(imported, "decision", "decisions");
        let event = CommandEvent::new("consents_imported").detail(detail);
        event.record(&store, test.clock.now()).await?;
    }
    out!("imported {}; {existing} already recorded", counted(imported, "decision", "decisions"));
    if late > 0 {
        let late = counted(late, "decision was", "decisions were");
        return Err(Failure::Refused(format!("{late} changed during the import: run it again")));
    }
    Ok(())
}

fn refuse(errors: &[LineError]) -> Failure {
    for cause in by_cause(errors, |error| format!("{} {}", error.code, error.text)) {
        out!("{}{}", cause.first, cause.more());
    }
    let lines = counted(errors.len(), "invalid line", "invalid lines");
    Failure::Refused(format!("nothing was imported: {lines}"))
}
