//! `--demo`: an empty store is filled with the documents and people of a fictional company.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use musette_core::flags::Document;
use musette_core::instant::Instant;
use musette_core::session::{Identifier, Role};
use musette_core::terms::{NewTerm, TermId, TermType, Variant};
use musette_store::{NewDocument, NewUser, Store, StoreError, User};
use rust_embed::RustEmbed;
use serde::Deserialize;

use crate::publishing;
use crate::random;
use crate::ruleset::KeyKind;
use crate::ruleset::keys::{self, NewKey};
use crate::ruleset::saving::{self, Base, By};

#[derive(RustEmbed)]
#[folder = "../../demo"]
#[include = "demo.json"]
#[include = "flags.json"]
#[include = "documents/*.pdf"]
struct Files;

/// Each document is drawn in a process of its own; so many at a time.
const DRAWN_AT_ONCE: usize = 2;

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
    terms: Vec<DemoTerm>,
    riders: Vec<DemoRider>,
}

#[derive(Deserialize)]
struct DemoTerm {
    slug: String,
    #[serde(rename = "type")]
    kind: String,
    mandatory: bool,
    display_order: i64,
    effective_from: Option<String>,
    /// Relative to the first start.
    effective_from_days: Option<u64>,
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

fn read() -> Result<Demo, DemoError> {
    let file = Files::get("demo.json").ok_or_else(|| wrong("demo.json", "it is missing"))?;
    serde_json::from_slice(&file.data).map_err(|error| wrong("demo.json", error))
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
        if user.roles != [Role::Rider] {
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

/// Does nothing when the store has any term or user, or an environment beside that of a new store.
pub async fn fill(store: &Store, now: Instant) -> Result<(), DemoError> {
    if !store.catalog().await?.all().is_empty()
        || store.count_users().await? > 0
        || store
            .flag_environments("", 2)
            .await?
            .iter()
            .any(|it| it.name != ENVIRONMENT || it.version > 0)
    {
        return Ok(());
    }
    let demo = read()?;
    let started = std::time::Instant::now();
    let documents = draw(&demo).await?;
    let mut published: HashMap<&str, TermId> = HashMap::new();
    for term in &demo.terms {
        let new = new_term(term, &documents, &published, now)?;
        let files = term.variants.iter().filter_map(|variant| documents.get(&variant.file));
        let files: Vec<NewDocument> = files.cloned().collect();
        let done = store.publish_term(&new, &files, now).await?;
        let done = done.map_err(|refusal| wrong("demo.json", refusal))?;
        published.insert(&term.slug, done.id);
    }
    fill_flags(store, now).await?;
    for rider in demo.riders {
        let new = NewUser {
            id: rider.user_id,
            roles: vec![Role::Rider],
            name: Some(rider.name),
            email: rider.email,
            phone: None,
            subject: random::uuid(),
            subject_key: random::hex::<32>(),
        };
        store.add_user(&new, now).await?;
    }
    let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::info!(documents = documents.len(), duration_ms, "the store is filled with demo data");
    Ok(())
}

/// Where the demo's flags are served.
const ENVIRONMENT: &str = "production";

async fn fill_flags(store: &Store, now: Instant) -> Result<(), DemoError> {
    let file = Files::get("flags.json").ok_or_else(|| wrong("flags.json", "it is missing"))?;
    let text = std::str::from_utf8(&file.data).map_err(|error| wrong("flags.json", error))?;
    let document = Document::parse(text).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        wrong("flags.json", faults.join("; "))
    })?;
    store.add_flag_environment(ENVIRONMENT, now).await?;
    let by = By { author: None, comment: Some("the demo") };
    let base = Base { version: 0, document: Document::new(ENVIRONMENT) };
    saving::save_after(store, ENVIRONMENT, &base, document, by, now).await?;
    // The one key that is kept: whoever opens the demo's pages gets it.
    let new = NewKey {
        environment: ENVIRONMENT,
        kind: KeyKind::Client,
        debug: true,
        name: Some("the demo"),
    };
    let created = keys::create(store, new, None, now).await?;
    store.secret(KEY, &created.key).await?;
    Ok(())
}

/// Name of the secret.
const KEY: &str = "demo_flag_key";

/// The key of the demo's applications; none in a store that the demo did not fill.
pub async fn flag_key(store: &Store) -> Result<Option<String>, StoreError> {
    store.kept_secret(KEY).await
}

async fn draw(demo: &Demo) -> Result<HashMap<String, NewDocument>, DemoError> {
    let mut names: Vec<&String> =
        demo.terms.iter().flat_map(|term| &term.variants).map(|variant| &variant.file).collect();
    names.sort();
    names.dedup();
    stream::iter(names)
        .map(|name| async move {
            let file = Files::get(name).ok_or_else(|| wrong(name, "it is missing"))?;
            let document = publishing::prepare(file.data.into_owned()).await.map(|it| it.document);
            Ok((name.clone(), document.map_err(|error| wrong(name, error))?))
        })
        .buffer_unordered(DRAWN_AT_ONCE)
        .try_collect()
        .await
}

fn new_term(
    term: &DemoTerm,
    documents: &HashMap<String, NewDocument>,
    published: &HashMap<&str, TermId>,
    now: Instant,
) -> Result<NewTerm, DemoError> {
    let bad = |why: &str| wrong("demo.json", format!("{}: {why}", term.slug));
    let effective_from = match (&term.effective_from, term.effective_from_days) {
        (Some(text), _) => Instant::parse(text).map_err(|_| bad("effective_from"))?,
        (None, Some(days)) => now.plus(Duration::from_secs(days * 24 * 60 * 60)),
        (None, None) => now,
    };
    let replaces = match &term.replaces {
        None => None,
        Some(slug) => Some(*published.get(slug.as_str()).ok_or_else(|| bad("replaces"))?),
    };
    let variants = term.variants.iter().map(|variant| {
        let document = documents.get(&variant.file).ok_or_else(|| bad(&variant.file))?;
        Ok(Variant {
            locale: variant.locale.clone(),
            title: variant.title.clone(),
            sha256: document.sha256.clone(),
            summary: variant.summary.clone(),
        })
    });
    Ok(NewTerm {
        kind: TermType::parse(&term.kind).ok_or_else(|| bad("type"))?,
        mandatory: term.mandatory,
        display_order: Some(term.display_order),
        effective_from,
        grace_until: None,
        replaces,
        material: term.material,
        summary: term.summary.clone(),
        label: term.version.clone(),
        variants: variants.collect::<Result<_, DemoError>>()?,
        draft: None,
    })
}
