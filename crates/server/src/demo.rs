//! `--demo`: an empty store is filled with the documents, people and history of a fictional company.

mod configuration;
mod experiments;
mod history;
mod people;
mod plan;
mod terms;

use std::collections::HashMap;

use musette_core::instant::Instant;
use musette_core::session::{Identifier, Role};
use musette_core::terms::TermId;
use musette_store::{DeclaredMarket, NewUser, Store, StoreError, User};
use rust_embed::RustEmbed;
use serde::Deserialize;

use crate::app::App;
use crate::random;

#[derive(RustEmbed)]
#[folder = "../../demo"]
#[include = "demo.json"]
#[include = "flags.json"]
#[include = "history.json"]
#[include = "documents/*.pdf"]
struct Files;

/// The demo's own files are wrong, or the store fails.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error("the demo's own file {0} is not as it should be: {1}")]
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
    /// Only people who work there are asked.
    market: Option<String>,
    #[serde(rename = "type")]
    kind: String,
    mandatory: bool,
    display_order: i64,
    effective_from: Option<String>,
    /// Relative to the first start.
    effective_from_days: Option<u64>,
    /// Relative to the first start, in a demo with a history; absent: on its first day.
    published_days_ago: Option<u64>,
    replaces: Option<String>,
    #[serde(default = "yes")]
    material: bool,
    summary: Option<String>,
    /// What the document calls its version.
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

fn yes() -> bool {
    true
}

fn wrong(file: &str, why: impl std::fmt::Display) -> DemoError {
    DemoError::File(file.to_owned(), why.to_string())
}

/// The bytes of one of the demo's files.
fn file(name: &str) -> Result<Vec<u8>, DemoError> {
    let file = Files::get(name).ok_or_else(|| wrong(name, "it is missing"))?;
    Ok(file.data.into_owned())
}

fn read() -> Result<Demo, DemoError> {
    serde_json::from_slice(&file("demo.json")?).map_err(|error| wrong("demo.json", error))
}

/// One of the demo's own riders, as this store has them.
pub struct Playable {
    pub user: User,
    pub name: String,
    /// With which a code can be asked for.
    pub email: Option<String>,
}

/// The demo's own riders whom this store has. Nobody else may be played, whatever else is in
/// the store.
pub async fn riders(store: &Store) -> Result<Vec<Playable>, DemoError> {
    let mut riders = Vec::new();
    for DemoRider { user_id, name, email } in read()?.riders {
        let Some(user) = store.user(&user_id).await? else { continue };
        if user.roles != [Role::Rider.into()] {
            continue;
        }
        let whose = match email.as_deref().and_then(Identifier::parse) {
            Some(email) => store.user_id_of(&email).await?,
            None => None,
        };
        let email = email.filter(|_| whose.as_ref() == Some(&user.id));
        riders.push(Playable { user, name, email });
    }
    Ok(riders)
}

/// Whether the store has nothing but the environment of a new store.
async fn is_empty(store: &Store) -> Result<bool, StoreError> {
    let environments = store.flag_environments(None, "", 2).await?;
    Ok(store.catalog().await?.all().is_empty()
        && store.count_users().await? == 0
        && environments.iter().all(|it| it.name == ENVIRONMENT && it.version == 0))
}

/// When the history that the demo plays begins, to be given to [`fill`] and to the log. None unless the
/// store holds nothing at all, not even a log: no other store can be back-dated, and the times in a log
/// never run backwards.
pub async fn beginning(store: &Store, now: Instant) -> Result<Option<Instant>, StoreError> {
    let is_new = store.log().await?.is_none() && is_empty(store).await?;
    Ok(is_new.then(|| plan::days_before(now, plan::DAYS)))
}

/// Fills an empty store: with weeks of history since `began`, or else as of `now`. Does nothing when the
/// store has any term, user or flag.
pub async fn fill(app: &App, began: Option<Instant>, now: Instant) -> Result<(), DemoError> {
    let store = &*app.store;
    if !is_empty(store).await? {
        return Ok(());
    }
    let demo = read()?;
    let started = std::time::Instant::now();
    tracing::info!(
        "drawing the documents of the demo, once: about half a minute on two processors"
    );
    let documents = terms::render(&demo).await?;
    declare(store, &demo.markets).await?;
    let rendered_ms = milliseconds(started);
    if began.is_some() {
        history::play(app, &demo, &documents, now).await?;
    } else {
        let mut published: HashMap<&str, TermId> = HashMap::new();
        for term in &demo.terms {
            let id = terms::publish(store, term, &documents, &published, now, now).await?;
            published.insert(&term.slug, id);
        }
        configuration::save(store, now).await?;
    }
    for rider in demo.riders {
        let new = NewUser {
            id: rider.user_id,
            roles: vec![Role::Rider.into()],
            name: Some(rider.name),
            email: rider.email,
            phone: None,
            market: None,
            subject: random::uuid(),
            subject_key: random::hex::<32>(),
        };
        store.add_user(&new, now).await?;
    }
    app.serve_newest().await?;
    let duration_ms = milliseconds(started);
    tracing::info!(
        documents = documents.len(),
        rendered_ms,
        duration_ms,
        "the store is filled with demo data"
    );
    Ok(())
}

async fn declare(store: &Store, markets: &[DemoMarket]) -> Result<(), StoreError> {
    for DemoMarket { code, name, timezone } in markets {
        let market = DeclaredMarket {
            code: code.clone(),
            name: Some(name.clone()),
            timezone: Some(timezone.clone()),
        };
        store.save_market(&market).await?;
    }
    Ok(())
}

fn milliseconds(since: std::time::Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Where the demo's flags are served.
const ENVIRONMENT: &str = "production";

/// Name of the secret.
const KEY: &str = "demo_flag_key";

/// The key of the demo's applications; none in a store that the demo did not fill.
pub async fn flag_key(store: &Store) -> Result<Option<String>, StoreError> {
    store.kept_secret(KEY).await
}

#[cfg(test)]
mod tests {
    use musette_core::instant::Instant;
    use musette_store::Store;

    use super::beginning;
    use crate::log::new_log;

    /// A program that ran before without `--demo` has begun a log, whose times must not run backwards.
    #[tokio::test]
    async fn only_a_store_without_a_log_is_back_dated() {
        let dir = tempfile::tempdir().expect("a directory");
        let store = Store::open_sqlite(&dir.path().join("musette.db")).await.expect("opens");
        store.migrate().await.expect("migrates");
        let now = Instant::parse("2026-11-22T12:00:00Z").expect("an instant");
        let began = beginning(&store, now).await.expect("reads").expect("nothing is there");
        assert_eq!(began, Instant::parse("2026-09-27T12:00:00Z").expect("an instant"));
        store.open_log(&new_log(None), now).await.expect("opens");
        assert_eq!(beginning(&store, now).await.expect("reads"), None);
    }
}
