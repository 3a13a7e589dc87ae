//! `musette terms cancel` and `musette terms retire`.

use clap::Args;
use musette_core::instant::Instant;
use musette_core::terms::{Ending, EndingChange, TermId};
use serde_json::{Value, json};

use crate::command::consents::instant;
use crate::command::event::CommandEvent;
use crate::command::{Failure, open, wait_until_served};
use crate::settings::{StoreArgs, TestSettings};
use crate::terms::ending::{detail, event};

#[derive(Debug, Args)]
pub struct CancelArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// ID of the scheduled version
    id: TermId,
    /// Undo the cancellation
    #[arg(long)]
    undo: bool,
}

#[derive(Debug, Args)]
pub struct RetireArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// ID of the version in effect
    id: TermId,
    /// RFC 3339 time; by default now, which cannot be undone
    #[arg(long, value_parser = instant, conflicts_with = "undo")]
    at: Option<Instant>,
    /// Undo the retirement; only possible before its time
    #[arg(long)]
    undo: bool,
}

pub async fn cancel(args: CancelArgs, test: TestSettings) -> Result<(), Failure> {
    let change = if args.undo { EndingChange::UndoCancellation } else { EndingChange::Cancel };
    end(&args.store, args.id, change, test).await
}

pub async fn retire(args: RetireArgs, test: TestSettings) -> Result<(), Failure> {
    let undo = args.undo.then_some(EndingChange::UndoRetirement);
    end(&args.store, args.id, undo.unwrap_or(EndingChange::Retire(args.at)), test).await
}

async fn end(
    store: &StoreArgs,
    id: TermId,
    change: EndingChange,
    test: TestSettings,
) -> Result<(), Failure> {
    let store = open(store).await?;
    let now = test.clock.now();
    let (_, ending) = store.end_term(id, change, now).await?.map_err(Failure::refused)?;
    CommandEvent::new(event(change)).detail(detail(id, ending)).record(&store, now).await?;
    wait_until_served(&store, test).await?;
    out!("{}", ending_json(id, ending));
    Ok(())
}

fn ending_json(id: TermId, ending: Option<Ending>) -> Value {
    match ending {
        None => json!({ "id": id }),
        Some(Ending::Cancelled(at)) => json!({ "id": id, "cancelled_at": at.to_string() }),
        Some(Ending::Retired(at)) => json!({ "id": id, "retired_at": at.to_string() }),
    }
}
