use std::path::{Path, PathBuf};

use clap::Args;
use musette_store::ImportOutcome;

use super::super::event::CommandEvent;
use super::super::{Failure, Progress, open};
use crate::import::{Import, ImportFormat, LineFault};
use crate::log::receipt_key;
use crate::settings::{StoreArgs, TestSettings};

/// One transaction each: others get their turn in between.
const AT_ONCE: usize = 256;

#[derive(Debug, Args)]
pub struct ImportArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// With the columns `user_id`, `terms_and_conditions_id`, `accepted`, `consented_at`, and where it
    /// is known `sha256` or `locale` of the document
    file: PathBuf,
    /// Else it is told by the name of the file
    #[arg(long, value_enum)]
    format: Option<ImportFormat>,
    /// Judge every line and record nothing
    #[arg(long)]
    dry_run: bool,
}

fn format(file: &Path) -> Option<ImportFormat> {
    match file.extension()?.to_str()? {
        "csv" => Some(ImportFormat::Csv),
        "jsonl" | "ndjson" => Some(ImportFormat::Jsonl),
        _ => None,
    }
}

pub async fn run(args: ImportArgs, test: TestSettings) -> Result<(), Failure> {
    let format = args.format.or_else(|| format(&args.file)).ok_or_else(|| {
        Failure::Usage(
            "--format: the name of the file does not say whether it is csv or jsonl".into(),
        )
    })?;
    let bytes = std::fs::read(&args.file)
        .map_err(|error| Failure::Refused(format!("{}: {error}", args.file.display())))?;
    let store = open(&args.store).await?;
    let now = test.clock.now();
    let receipts = receipt_key(&store).await?;
    let import = Import::read(&bytes, format, &store.catalog().await?, &receipts, now);
    let pasts = store.past_decisions(&import.user_ids()).await?;
    let (new, there) = import.plan(&pasts).map_err(|faults| refuse(&faults))?;
    if args.dry_run {
        println!("would import {} decisions; {there} are there already", new.len());
        return Ok(());
    }
    let mut progress = Progress::new("decisions imported");
    let (mut imported, mut late) = (0, 0);
    for chunk in new.chunks(AT_ONCE) {
        for outcome in store.import_decisions(chunk, test.clock.now()).await? {
            match outcome {
                ImportOutcome::Recorded => imported += 1,
                // Somebody else recorded it, decided or was erased meanwhile.
                _ => late += 1,
            }
        }
        progress.at(imported);
    }
    progress.end(imported);
    if imported > 0 {
        let event = CommandEvent::new("consents_imported").detail(format!("{imported} decisions"));
        event.record(&store, test.clock.now()).await?;
    }
    println!("imported {imported} decisions; {there} are there already");
    if late > 0 {
        return Err(Failure::Refused(format!("{late} were overtaken meanwhile: import again")));
    }
    Ok(())
}

fn refuse(faults: &[LineFault]) -> Failure {
    for fault in faults {
        println!("{fault}");
    }
    Failure::Refused(format!("nothing was imported: {} bad lines", faults.len()))
}
