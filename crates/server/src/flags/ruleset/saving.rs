//! Saves configurations. All callers use this module.

use musette_core::flags::Document;
use musette_core::instant::Instant;
use musette_store::{AuditEvent, Clearance, NewFlagVersion, Store, StoreError};

use super::history::changed_objects;
use super::notices::releases;
use super::reading::{ParseOrder, reading};
use crate::platform::random;

/// How often a change of the current version is retried after concurrent changes.
pub const TRIES: usize = 16;

/// The author, the comment and the approval of a change.
#[derive(Debug, Clone, Copy)]
pub struct ChangeMetadata<'a> {
    /// The subject of the author. None for a command or a schedule.
    pub author: Option<&'a str>,
    pub comment: Option<&'a str>,
    /// Whether colleagues must approve the change.
    pub clearance: Clearance<'a>,
    /// The key of the only flag for which an admin may bypass its notice. None: all that change.
    pub bypassed_flag: Option<&'a str>,
}

impl ChangeMetadata<'_> {
    /// The server itself.
    pub const SCHEDULE: Self =
        Self { author: None, comment: None, clearance: Clearance::Free, bypassed_flag: None };
}

/// The current version of an environment.
pub struct Base {
    /// 0 if no version was saved yet.
    pub version: i64,
    pub document: Document,
}

/// Returns the current version. None if the environment does not exist or is archived.
pub async fn current(
    store: &Store,
    turn: ParseOrder,
    environment: &str,
) -> Result<Option<Base>, StoreError> {
    let head = store.flag_environment(environment).await?;
    if head.is_none_or(|head| head.archived_at.is_some()) {
        return Ok(None);
    }
    let Some(saved) = store.current_flags(environment).await? else {
        return Ok(Some(Base { version: 0, document: Document::new(environment) }));
    };
    let document = stored(turn, environment, saved.version, saved.document).await?;
    Ok(Some(Base { version: saved.version, document }))
}

/// Parses a stored document. No limits apply, because a document that was valid once must remain
/// readable.
pub async fn stored(
    turn: ParseOrder,
    environment: &str,
    version: i64,
    text: String,
) -> Result<Document, StoreError> {
    let parsed = reading(turn, move || Document::parse(&text)).await?;
    let mut document = parsed.map_err(|errors| {
        let first = errors
            .first()
            .map_or_else(String::new, |error| format!("{} {}", error.pointer, error.code));
        StoreError::Corrupt(format!("flags of {environment}, version {version}: {first}"))
    })?;
    environment.clone_into(&mut document.environment);
    document.version = u64::try_from(version).unwrap_or(0);
    Ok(document)
}

/// Returns the document of a version, and an empty document as version 0. None if the version does
/// not exist.
pub async fn at_version(
    store: &Store,
    turn: ParseOrder,
    environment: &str,
    version: i64,
) -> Result<Option<Document>, StoreError> {
    if version == 0 {
        return Ok(Some(Document::new(environment)));
    }
    match store.flag_version(environment, version).await? {
        Some(saved) => stored(turn, environment, version, saved.document).await.map(Some),
        None => Ok(None),
    }
}

/// Saves the document as the version after `base`. Returns None if another version was saved in the
/// meantime.
pub async fn save_after(
    store: &Store,
    environment: &str,
    base: &Base,
    mut document: Document,
    by: ChangeMetadata<'_>,
    now: Instant,
) -> Result<Option<i64>, StoreError> {
    let version = base.version + 1;
    let objects = changed_objects(&base.document, &document);
    let clearance = (by.clearance, by.bypassed_flag);
    let releases = releases(store, environment, base, &document, clearance, now).await?;
    environment.clone_into(&mut document.environment);
    document.version = u64::try_from(version).unwrap_or(0);
    let text = document.to_json();
    let new = NewFlagVersion {
        environment,
        version,
        document: &text,
        author: by.author,
        comment: by.comment,
        objects: &objects,
        clearance: by.clearance,
        releases: releases.as_releases(),
    };
    if !store.save_flags(&new, now).await? {
        return Ok(None);
    }
    let bypassed = releases.audit_detail();
    let reason = by.author.and(by.comment);
    let reason = reason.map(|comment| format!(": {comment}")).unwrap_or_default();
    let detail = format!("version {version}{reason}{bypassed}");
    audit(store, "flags_saved", environment, &detail, by.author, now).await?;
    Ok(Some(version))
}

/// Applies `change` to the current version and saves the result. Returns None if `change` returns
/// None.
pub async fn save_onto<E: From<StoreError>>(
    store: &Store,
    environment: &str,
    by: ChangeMetadata<'_>,
    now: Instant,
    mut change: impl FnMut(&Base) -> Result<Option<Document>, E>,
) -> Result<Option<i64>, E> {
    for _ in 0..TRIES {
        let Some(base) = current(store, ParseOrder::AtOnce, environment).await? else {
            return Err(StoreError::Conflict("the environment is archived, so its name").into());
        };
        let Some(document) = change(&base)? else { return Ok(None) };
        if let Some(version) = save_after(store, environment, &base, document, by, now).await? {
            return Ok(Some(version));
        }
    }
    Err(StoreError::timed_out().into())
}

/// Records a change of flags in the audit.
pub async fn audit(
    store: &Store,
    event: &'static str,
    environment: &str,
    detail: &str,
    actor: Option<&str>,
    now: Instant,
) -> Result<(), StoreError> {
    let event = AuditEvent {
        id: random::uuid(),
        event,
        detail: Some(format!("{environment} {detail}").trim_end().to_owned().into()),
        actor: actor.map(str::to_owned),
        ..AuditEvent::default()
    };
    store.audit(&event, now).await
}

/// Returns whether a text is a valid comment.
pub fn is_comment(text: &str) -> bool {
    (1..=1000).contains(&text.chars().count()) && !text.trim().is_empty()
}
