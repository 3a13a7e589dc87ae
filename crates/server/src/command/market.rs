use clap::{Args, Subcommand};
use musette_core::markets::Market;
use musette_core::terms::is_language_tag;
use musette_store::{DeclaredMarket, Store};
use serde_json::json;

use super::event::CommandEvent;
use super::{Failure, open, wait_until_served};
use crate::markets::{Markets, is_timezone, unfit_name};
use crate::settings::{StoreArgs, TestSettings};

#[derive(Debug, Subcommand)]
pub enum MarketCommand {
    /// Declare a market, or change its name, time zone and language
    Add(MarketAddArgs),
}

#[derive(Debug, Args)]
pub struct MarketAddArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// Code of a country, of a subdivision, or of a place in either: DE, DE-BE, DE-BE.berlin
    code: String,
    /// Internal name of the market
    #[arg(long)]
    name: Option<String>,
    /// IANA name of the time zone, such as Europe/Berlin
    #[arg(long, value_name = "TZ")]
    timezone: Option<String>,
    /// Language of its people who have none themselves: a BCP 47 tag such as de or pt-BR
    #[arg(long, value_name = "TAG")]
    locale: Option<String>,
}

pub async fn run(command: MarketCommand, test: TestSettings) -> Result<(), Failure> {
    let MarketCommand::Add(MarketAddArgs { store, code, name, timezone, locale }) = command;
    if Market::parse(&code).is_none() {
        let why = "the code is malformed, or its country or subdivision is not assigned";
        return Err(Failure::Refused(format!("{code}: invalid_market: {why}")));
    }
    if name.as_deref().is_some_and(unfit_name) {
        return Err(Failure::Usage(
            "--name: it must have 1 to 200 characters and no control characters".into(),
        ));
    }
    if let Some(name) = timezone.as_deref().filter(|name| !is_timezone(name)) {
        return Err(Failure::Usage(format!("--timezone {name}: this is not an IANA time zone")));
    }
    if let Some(tag) = locale.as_deref().filter(|tag| !is_language_tag(tag)) {
        return Err(Failure::Usage(format!("--locale {tag}: this is not a BCP 47 tag")));
    }
    let store = open(&store).await?;
    let market = DeclaredMarket { code, name, timezone, locale };
    store.save_market(&market).await?;
    let event = CommandEvent::new("market_saved").detail(market.code.clone());
    event.record(&store, test.clock.now()).await?;
    let DeclaredMarket { code, name, timezone, locale } = market;
    out!("{}", json!({"code": code, "name": name, "timezone": timezone, "locale": locale}));
    wait_until_served(&store, test).await
}

/// Resolves the value of `--market`, or returns an error if the market cannot be used.
pub async fn resolve(
    store: &Store,
    code: Option<&str>,
    refusal: &str,
) -> Result<Option<Market>, Failure> {
    let Some(code) = code else { return Ok(None) };
    let result = Markets::load(store).await?.asked(code);
    result
        .map(Some)
        .map_err(|unknown| Failure::Refused(format!("--market {code}: {refusal}: {unknown}")))
}
