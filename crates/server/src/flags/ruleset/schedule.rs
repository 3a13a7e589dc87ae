//! Scheduled changes: steps of rollouts and holdouts, and whole documents. When one takes effect,
//! the version is incremented, so that clients fetch it. All nodes watch the schedule; the
//! compare-and-set on the version lets one of them write it.

use std::sync::PoisonError;

use musette_core::flags::Document;
use musette_core::instant::Instant;
use musette_store::{Clearance, FlagChange, NewFlagVersion, Store, StoreError, WaitingChange};

use super::diff::only_switches_off;
use super::history::changed_objects;
use super::notices::releases;
use super::reading::{ParseOrder, reading};
use super::saving::{self, Base, ChangeMetadata};
use super::{Ruleset, merge};
use crate::platform::random;

const STEP: &str = "scheduled step";
const CHANGE: &str = "scheduled change";
/// The code for a change that was due before it was approved.
pub const APPROVAL_REQUIRED: &str = "approval_required";

/// Returns the hash of the content of a change, which an approval refers to.
pub fn change_hash(change: &FlagChange) -> String {
    let FlagChange { environment, at, base, document, .. } = change;
    random::sha256_hex(format!("{environment}\n{at}\n{base}\n{document}").as_bytes())
}

impl Ruleset {
    /// Applies steps and changes that are due.
    pub(super) async fn make_due(&self, store: &Store, now: Instant) -> Result<(), StoreError> {
        let table = self.table.load_full();
        let mut is_changed = false;
        for environment in table.environments.values() {
            let current = environment.current.load_full();
            if current.next_step.is_some_and(|next| next <= now) {
                let version = i64::try_from(current.snapshot.version()).unwrap_or(0);
                take_step(store, &environment.name, version, now).await?;
                is_changed = true;
            }
        }
        for waiting in table.waiting.iter().take_while(|change| change.at <= now.millis()) {
            if apply(store, waiting, now).await? {
                self.applied
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(waiting.id.clone());
            }
            is_changed = true;
        }
        if is_changed {
            self.refresh(store, now).await?;
        }
        Ok(())
    }
}

/// Saves the same document as the next version, unless another node was faster.
async fn take_step(
    store: &Store,
    environment: &str,
    version: i64,
    now: Instant,
) -> Result<(), StoreError> {
    let Some(base) = saving::current(store, ParseOrder::AtOnce, environment).await? else {
        return Ok(());
    };
    if base.version == version {
        let by = ChangeMetadata { comment: Some(STEP), ..ChangeMetadata::SCHEDULE };
        saving::save_after(store, environment, &base, base.document.clone(), by, now).await?;
    }
    Ok(())
}

/// Applies a change. A change that cannot be merged is rejected with the reason, because it must
/// not undo later changes, such as a kill switch. Returns whether this call applied it.
async fn apply(store: &Store, waiting: &WaitingChange, now: Instant) -> Result<bool, StoreError> {
    let Some(change) = store.flag_change(&waiting.id).await? else { return Ok(false) };
    match settle(store, &change, Clearance::ByRules(None), now).await {
        Err(StoreError::ApprovalRequired { .. }) => {
            refuse(store, &change, APPROVAL_REQUIRED, now).await.map(|()| false)
        }
        result => result,
    }
}

async fn refuse(
    store: &Store,
    change: &FlagChange,
    refusal: &str,
    now: Instant,
) -> Result<(), StoreError> {
    if store.close_flag_change(&change.id, Some(refusal), now).await? {
        let (detail, author) =
            (format!("change {}: {refusal}", change.id), change.subject.as_deref());
        saving::audit(store, "flags_change_refused", &change.environment, &detail, author, now)
            .await?;
    }
    Ok(())
}

/// Saves the change as the next version, or rejects it if it cannot be merged. Does nothing if
/// another version was saved in the meantime. Returns whether this call applied it.
pub async fn settle(
    store: &Store,
    change: &FlagChange,
    clearance: Clearance<'_>,
    now: Instant,
) -> Result<bool, StoreError> {
    let Some(current) = saving::current(store, ParseOrder::AtOnce, &change.environment).await?
    else {
        return Ok(false);
    };
    let (environment, author) = (change.environment.as_str(), change.subject.as_deref());
    let mut document = match merged_document(store, change, &current).await? {
        Ok(document) => document,
        Err(unmerged) => {
            refuse(store, change, &unmerged.to_string(), now).await?;
            return Ok(false);
        }
    };
    // Switching off needs no approval, even if other changes do.
    let is_off = only_switches_off(&current.document, &document);
    let clearance = if is_off { Clearance::Free } else { clearance };
    let version = current.version + 1;
    environment.clone_into(&mut document.environment);
    document.version = u64::try_from(version).unwrap_or(0);
    let text = document.to_json();
    let comment = change.comment.as_deref().or(Some(CHANGE));
    let objects = &changed_objects(&current.document, &document);
    let releases =
        releases(store, environment, &current, &document, (clearance, None), now).await?;
    let bypassed = releases.audit_detail();
    let (document, releases) = (&text, releases.as_releases());
    let new = NewFlagVersion {
        environment,
        version,
        document,
        author,
        comment,
        objects,
        clearance,
        releases,
    };
    // If another writer was faster, the next poll reads its result.
    let has_store = store.settle_flag_change(&change.id, &change_hash(change), &new, now).await?;
    if has_store {
        let detail = format!("version {version}, change {}{bypassed}", change.id);
        saving::audit(store, "flags_change_applied", environment, &detail, author, now).await?;
    }
    Ok(has_store)
}

async fn merged_document(
    store: &Store,
    change: &FlagChange,
    current: &Base,
) -> Result<Result<Document, merge::Unmerged>, StoreError> {
    let environment = &change.environment;
    let text = change.document.clone();
    let changed = saving::stored(ParseOrder::AtOnce, environment, change.base, text).await?;
    if change.base == current.version {
        return Ok(Ok(changed));
    }
    let base = saving::at_version(store, ParseOrder::AtOnce, environment, change.base).await?;
    let base = base.unwrap_or_else(|| Document::new(environment));
    let current = current.document.clone();
    Ok(reading(ParseOrder::AtOnce, move || merge::merge(&base, &current, &changed)).await?)
}
