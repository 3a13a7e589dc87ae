use std::io::{ErrorKind, Write as _};
use std::sync::Arc;

use clap::Args;
use musette_core::instant::Instant;
use musette_store::ConsentFilter;

use super::instant;
use crate::command::event::CommandEvent;
use crate::command::{Failure, Progress, market, open};
use crate::evidence::export::{Export, ExportFormat};
use crate::evidence::log::receipt_key;
use crate::markets;
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Args)]
pub struct ExportConsentsArgs {
    #[command(flatten)]
    store: StoreArgs,
    #[arg(long, value_enum, default_value_t = ExportFormat::Csv)]
    format: ExportFormat,
    /// Only decisions that were recorded at or after this RFC 3339 time
    #[arg(long, value_parser = instant)]
    since: Option<Instant>,
    /// Only decisions of this user
    #[arg(long)]
    user: Option<String>,
    /// Only decisions of people who worked in this market, or inside it, at that time
    #[arg(long, value_name = "CODE")]
    market: Option<String>,
}

pub async fn run(args: ExportConsentsArgs, test: TestSettings) -> Result<(), Failure> {
    let store = open(&args.store).await?;
    let key = receipt_key(&store).await?;
    let catalog = Arc::new(store.catalog().await?);
    let everything = ConsentFilter::default();
    let market = market::resolve(&store, args.market.as_deref(), "unknown_market").await?;
    let filter = ConsentFilter {
        market: markets::filter(market.as_ref()),
        since: args.since.unwrap_or(everything.since),
        user_id: args.user.unwrap_or_default(),
        ..everything
    };
    let scope = if filter.user_id.is_empty() { "everybody" } else { "one person" };
    let detail = format!("{} {scope}", args.format.ending());
    let mut event = CommandEvent::new("consents_exported").detail(detail);
    if let Some(person) = store.user(&filter.user_id).await? {
        event = event.to(&person.subject);
    }
    event.record(&store, test.clock.now()).await?;
    let mut export = Export::new(store, key, catalog, args.format, filter).await?;
    let mut out = std::io::stdout().lock();
    let mut progress = Progress::new("decisions exported");
    while let Some(piece) = export.next().await? {
        match out.write_all(&piece).and_then(|()| out.flush()) {
            // A reader such as `| head` has closed the pipe.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            written => written?,
        }
        progress.at(export.written);
    }
    progress.end(export.written);
    Ok(())
}
