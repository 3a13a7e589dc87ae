use std::io::{ErrorKind, Write as _};
use std::sync::Arc;

use clap::Args;
use musette_core::instant::Instant;
use musette_store::ConsentFilter;

use super::super::event::CommandEvent;
use super::super::{Failure, Progress, market, open};
use super::instant;
use crate::export::{Export, ExportFormat};
use crate::log::receipt_key;
use crate::markets;
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Args)]
pub struct ExportArgs {
    #[command(flatten)]
    store: StoreArgs,
    #[arg(long, value_enum, default_value_t = ExportFormat::Csv)]
    format: ExportFormat,
    /// Only what was recorded from this RFC 3339 time on
    #[arg(long, value_parser = instant)]
    since: Option<Instant>,
    /// Only this user's
    #[arg(long)]
    user: Option<String>,
    /// Only of people who worked in this market then, or inside it
    #[arg(long, value_name = "CODE")]
    market: Option<String>,
}

pub async fn run(args: ExportArgs, test: TestSettings) -> Result<(), Failure> {
    let store = open(&args.store).await?;
    let key = receipt_key(&store).await?;
    let catalog = Arc::new(store.catalog().await?);
    let everything = ConsentFilter::default();
    let market = market::asked(&store, args.market.as_deref(), "unknown_market").await?;
    let filter = ConsentFilter {
        market: markets::filter(market.as_ref()),
        since: args.since.unwrap_or(everything.since),
        user_id: args.user.unwrap_or_default(),
        ..everything
    };
    let whose = if filter.user_id.is_empty() { "everybody" } else { "one person" };
    let detail = format!("{} {whose}", args.format.ending());
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
            // `| head` has read enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            written => written?,
        }
        progress.at(export.written);
    }
    progress.end(export.written);
    Ok(())
}
