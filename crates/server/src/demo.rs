//! The demo (`--demo`): fills an empty store with documents, people and a history of a fictional
//! company.

mod configuration;
mod decisions;
mod experiments;
mod history;
mod people;
mod plan;
mod systems;
mod terms;

use std::collections::HashMap;

use musette_core::instant::Instant;
use musette_core::session::{Identifier, Role};
use musette_core::terms::TermId;
use musette_store::{DeclaredMarket, NewUser, Store, StoreError, User};
use rust_embed::RustEmbed;
use serde::Deserialize;

use crate::node::app::App;
use crate::platform::random;

#[derive(RustEmbed)]
#[folder = "../../demo"]
#[include = "decisions.json"]
#[include = "demo.json"]
#[include = "flags.json"]
#[include = "history.json"]
#[include = "systems.json"]
#[include = "documents/*.pdf"]
struct Files;

/// A file of the demo is invalid, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error("the file {0} of the demo is invalid: {1}")]
    File(String, String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Deserialize)]
struct Demo {
    markets: Vec<DemoMarket>,
    terms: Vec<DemoTerm>,
    riders: Vec<DemoRider>,
}

#[derive(Deserialize)]
struct DemoMarket {
    code: String,
    name: String,
    timezone: String,
}

#[derive(Deserialize)]
struct DemoTerm {
    slug: String,
    /// The market of the term; only people who work there are asked to accept it.
    market: Option<String>,
    #[serde(rename = "type")]
    kind: String,
    /// Whether riders are only informed of it.
    #[serde(default)]
    notice: bool,
    mandatory: bool,
    display_order: i64,
    effective_from: Option<String>,
    /// Days after the first start.
    effective_from_days: Option<u64>,
    /// Days before the first start, in a demo with a history. If absent, the first day of the
    /// history.
    published_days_ago: Option<u64>,
    replaces: Option<String>,
    #[serde(default = "default_true")]
    material: bool,
    summary: Option<String>,
    /// The name of the version in the document.
    version: Option<String>,
    variants: Vec<DemoVariant>,
}

#[derive(Deserialize)]
struct DemoVariant {
    locale: String,
    title: String,
    summary: Option<String>,
    file: String,
}

#[derive(Deserialize)]
struct DemoRider {
    user_id: String,
    name: String,
    email: Option<String>,
}

fn default_true() -> bool {
    true
}

fn wrong(file: &str, why: impl std::fmt::Display) -> DemoError {
    DemoError::File(file.to_owned(), why.to_string())
}

/// Returns a file of the demo.
fn file(name: &str) -> Result<Vec<u8>, DemoError> {
    let file = Files::get(name).ok_or_else(|| wrong(name, "the file is missing"))?;
    Ok(file.data.into_owned())
}

fn read() -> Result<Demo, DemoError> {
    serde_json::from_slice(&file("demo.json")?).map_err(|error| wrong("demo.json", error))
}

/// A rider of the demo that exists in this store. Visitors may sign in as this rider.
pub struct DemoAccount {
    pub user: User,
    pub name: String,
    /// The e-mail address that a code can be requested for.
    pub email: Option<String>,
}

/// Returns the riders of the demo who exist in this store. Visitors cannot sign in as any other
/// person in the store.
pub async fn riders(store: &Store) -> Result<Vec<DemoAccount>, DemoError> {
    let mut riders = Vec::new();
    for DemoRider { user_id, name, email } in read()?.riders {
        let Some(user) = store.user(&user_id).await? else { continue };
        if user.roles != [Role::Rider.into()] {
            continue;
        }
        let owner = match email.as_deref().and_then(Identifier::parse) {
            Some(email) => store.user_id_of(&email).await?,
            None => None,
        };
        let email = email.filter(|_| owner.as_ref() == Some(&user.id));
        riders.push(DemoAccount { user, name, email });
    }
    Ok(riders)
}

/// Returns whether the store contains only the environment of a new store.
async fn is_empty(store: &Store) -> Result<bool, StoreError> {
    let environments = store.flag_environments(None, "", 2).await?;
    Ok(store.catalog().await?.all().is_empty()
        && store.count_users().await? == 0
        && environments
            .iter()
            .all(|environment| environment.name == ENVIRONMENT && environment.version == 0))
}

/// Returns the start of the demo's history, for [`fill`] and for the log. None unless the store
/// contains nothing, not even a log: other stores cannot be back-dated, and the times in a log must
/// not decrease.
pub async fn beginning(store: &Store, now: Instant) -> Result<Option<Instant>, StoreError> {
    let is_new = store.log().await?.is_none() && is_empty(store).await?;
    Ok(is_new.then(|| plan::days_before(now, plan::DAYS)))
}

/// Fills an empty store with weeks of history since `began`, or else as of `now`. Does nothing if
/// the store has any term, user or flag.
pub async fn fill(app: &App, began: Option<Instant>, now: Instant) -> Result<(), DemoError> {
    let store = &*app.store;
    if !is_empty(store).await? {
        return Ok(());
    }
    let demo = read()?;
    let started = std::time::Instant::now();
    tracing::info!(
        "rendering the documents of the demo, only this time: this takes half a minute on two processors"
    );
    let documents = terms::render(&demo).await?;
    declare(store, &demo.markets).await?;
    let rendered_ms = milliseconds(started);
    let joined = if began.is_some() { plan::days_before(now, RIDERS_JOINED_DAYS_AGO) } else { now };
    add_riders(store, &demo.riders, joined).await?;
    if began.is_some() {
        history::play(app, &demo, &documents, now).await?;
    } else {
        let mut published: HashMap<&str, TermId> = HashMap::new();
        for term in &demo.terms {
            let id = terms::publish(store, term, &documents, &published, now, now).await?;
            published.insert(&term.slug, id);
        }
        configuration::save(store, now).await?;
        systems::publish(store, now).await?;
    }
    app.serve_newest().await?;
    let duration_ms = milliseconds(started);
    tracing::info!(
        documents = documents.len(),
        rendered_ms,
        duration_ms,
        "filled the store with demo data"
    );
    Ok(())
}

/// Adds the riders that visitors can sign in as.
async fn add_riders(store: &Store, riders: &[DemoRider], now: Instant) -> Result<(), StoreError> {
    for rider in riders {
        let new = NewUser {
            id: rider.user_id.clone(),
            roles: vec![Role::Rider.into()],
            name: Some(rider.name.clone()),
            email: rider.email.clone(),
            phone: None,
            market: None,
            subject: random::uuid(),
            subject_key: random::hex::<32>(),
        };
        store.add_user(&new, now).await?;
    }
    Ok(())
}

async fn declare(store: &Store, markets: &[DemoMarket]) -> Result<(), StoreError> {
    for DemoMarket { code, name, timezone } in markets {
        let market = DeclaredMarket {
            code: code.clone(),
            name: Some(name.clone()),
            timezone: Some(timezone.clone()),
            locale: None,
        };
        store.save_market(&market).await?;
    }
    Ok(())
}

fn milliseconds(since: std::time::Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Days before the first start on which the riders that visitors can sign in as joined.
const RIDERS_JOINED_DAYS_AGO: u64 = 24;

/// The environment of the demo's flags.
const ENVIRONMENT: &str = "production";

/// The name of the secret with the flag key.
const KEY: &str = "demo_flag_key";

/// Returns the flag key of the demo's apps. None if the store was not filled by the demo.
pub async fn flag_key(store: &Store) -> Result<Option<String>, StoreError> {
    store.stored_secret(KEY).await
}

#[cfg(test)]
mod tests {
    use musette_core::instant::Instant;
    use musette_store::Store;

    use super::beginning;
    use crate::evidence::log::new_log;

    /// A server that ran without `--demo` has created a log, whose times must not decrease.
    #[tokio::test]
    async fn back_dates_only_a_store_without_a_log() {
        let dir = tempfile::tempdir().expect("a directory");
        let store = Store::open_sqlite(&dir.path().join("musette.db")).await.expect("opens");
        store.migrate().await.expect("migrates");
        let now = Instant::parse("2026-11-22T12:00:00Z").expect("an instant");
        let began = beginning(&store, now).await.expect("reads").expect("the store is empty");
        assert_eq!(began, Instant::parse("2026-09-27T12:00:00Z").expect("an instant"));
        store.open_log(&new_log(None), now).await.expect("opens");
        assert_eq!(beginning(&store, now).await.expect("reads"), None);
    }
}
