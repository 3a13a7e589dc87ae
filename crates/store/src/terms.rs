//! Published terms.

pub(crate) mod documents;
pub(crate) mod drafts;
pub(crate) mod endings;
pub(crate) mod order;
pub(crate) mod turns;
pub(crate) mod views;

use std::collections::HashMap;

use musette_core::instant::Instant;
use musette_core::markets::Market;
use musette_core::terms::{
    Catalog, DraftOfTerm, NewTerm, PublicationError, Term, TermKind, TermType, Variant,
};

use crate::approvals::clearance::{BreakGlass, Clearance, Cleared, clear};
use crate::approvals::independence::counted;
use crate::approvals::{
    DELETE_EDITORS, LOCK_DRAFT, SELECT_APPROVERS, SELECT_WRITERS, VOID_OF_DRAFT,
};
use crate::cluster::RAISE_REVISION;
use crate::db::batch::json;
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::log::{
    EndingRow, INSERT_SEAL, Published, SELECT_SEAL, TERMS, TermRow, VARIANTS, VariantRow,
    append_if_started, endings, subject_key, term_published, term_seal,
};
use crate::outbox::append_events;
use crate::terms::documents::{INSERT_DOCUMENT, INSERT_PART, NewDocument};
use crate::terms::drafts::DELETE_DRAFT;
use crate::terms::turns::{INSERT_TURN, future_turns, publication_events};

/// Increments the ID of terms. It is the first statement of a publication and takes its lock.
const INCREMENT_TERM_ID: &str =
    "UPDATE counters SET value = value + 1 WHERE name = 'term' RETURNING value";
pub(crate) const SELECT_PLACES: &str = "SELECT term_id, position FROM term_order";
/// The first language of a term is its default.
pub(crate) const ORDER_BY_TERM: &str = "ORDER BY term_id, position";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[INCREMENT_TERM_ID, SELECT_PLACES];
#[cfg(test)]
pub(crate) fn selects() -> [sqlx::AssertSqlSafe<String>; 3] {
    [
        TERMS.select(crate::log::ORDER_BY_ID),
        VARIANTS.select(ORDER_BY_TERM),
        VARIANTS.select(crate::log::WHERE_TERM),
    ]
}

fn term(row: TermRow, variants: Vec<Variant>) -> Result<Term, StoreError> {
    let kind = TermType::parse(&row.kind)
        .ok_or_else(|| StoreError::Corrupt(format!("type of term {}", row.id)))?;
    if variants.is_empty() {
        return Err(StoreError::Corrupt(format!("term {} has no text", row.id)));
    }
    let term_kind = match row.term_kind.as_deref() {
        None => TermKind::Consent,
        Some(kind) => TermKind::parse(kind)
            .ok_or_else(|| StoreError::Corrupt(format!("kind of term {}", row.id)))?,
    };
    let market = row.market.as_deref().map(|code| {
        Market::from_stored(code)
            .ok_or_else(|| StoreError::Corrupt(format!("market of term {}", row.id)))
    });
    Ok(Term {
        id: row.id,
        kind,
        term_kind,
        version: row.version,
        mandatory: row.mandatory,
        display_order: row.display_order,
        effective_from: Instant::from_millis(row.effective_from),
        grace_until: row.grace_until.map(Instant::from_millis),
        replaces: row.replaces,
        material: row.material,
        summary: row.summary,
        label: row.label,
        published_at: Instant::from_millis(row.published_at),
        market: market.transpose()?,
        instead_of: row.instead_of,
        variants,
    })
}

/// Builds the catalog: the terms with their languages, each at its current place.
pub(crate) fn catalog(
    terms: Vec<TermRow>,
    rows: Vec<VariantRow>,
    places: Vec<(i64, i64)>,
    ended: Vec<EndingRow>,
) -> Result<Catalog, StoreError> {
    let places: HashMap<i64, i64> = places.into_iter().collect();
    let mut variants: HashMap<i64, Vec<Variant>> = HashMap::new();
    for row in rows {
        let variant = Variant {
            locale: row.locale,
            title: row.title,
            sha256: row.sha256,
            summary: row.summary,
        };
        variants.entry(row.term_id).or_default().push(variant);
    }
    let terms: Result<Vec<Term>, StoreError> = terms
        .into_iter()
        .map(|mut row| {
            row.display_order = places.get(&row.id).copied().unwrap_or(row.display_order);
            let variants = variants.remove(&row.id).unwrap_or_default();
            term(row, variants)
        })
        .collect();
    Ok(Catalog::with_endings(terms?, &endings(ended)?))
}

/// Reads the catalog, inside or outside a transaction.
macro_rules! read_catalog {
    ($on:expr) => {
        $crate::terms::catalog(
            sqlx::query_as($crate::log::TERMS.select($crate::log::ORDER_BY_ID))
                .fetch_all($on)
                .await?,
            sqlx::query_as($crate::log::VARIANTS.select($crate::terms::ORDER_BY_TERM))
                .fetch_all($on)
                .await?,
            sqlx::query_as($crate::terms::SELECT_PLACES).fetch_all($on).await?,
            sqlx::query_as($crate::log::SELECT_ENDINGS).fetch_all($on).await?,
        )?
    };
}
pub(crate) use read_catalog;

fn rows(term: &Term) -> (TermRow, Vec<VariantRow>) {
    let row = TermRow {
        id: term.id,
        kind: term.kind.as_str().to_owned(),
        version: term.version,
        mandatory: term.mandatory,
        display_order: term.display_order,
        effective_from: term.effective_from.millis(),
        grace_until: term.grace_until.map(Instant::millis),
        replaces: term.replaces,
        material: term.material,
        summary: term.summary.clone(),
        published_at: term.published_at.millis(),
        label: term.label.clone(),
        market: term.market.as_ref().map(Market::to_string),
        instead_of: term.instead_of,
        // Absent for consents, so that terms that are older than notices keep their seal.
        term_kind: term.is_notice().then(|| term.term_kind.as_str().to_owned()),
    };
    let variants = (0_i64..).zip(term.variants.iter().cloned());
    let variants = variants.map(|(position, variant)| VariantRow {
        term_id: term.id,
        position,
        locale: variant.locale,
        title: variant.title,
        sha256: variant.sha256,
        summary: variant.summary,
    });
    (row, variants.collect())
}

fn seals(
    row: &TermRow,
    variants: &[VariantRow],
    documents: &[NewDocument],
) -> Result<Vec<(String, String)>, StoreError> {
    let documents = documents.iter().map(NewDocument::seal);
    std::iter::once(Ok(term_seal(row, variants))).chain(documents).collect()
}

/// Returns authors and approvers, as the log identifies people.
fn references(people: Vec<(String, String)>) -> Result<Vec<String>, StoreError> {
    let reference = |(key, id): (String, String)| Ok(subject_key(&key)?.subject(&id));
    people.into_iter().map(reference).collect()
}

macro_rules! insert_documents {
    ($tx:expr, $documents:expr) => {
        for document in $documents {
            let inserted = sqlx::query(INSERT_DOCUMENT)
                .bind(&document.sha256)
                .bind(document.pages)
                .bind(&document.bytes)
                .execute(&mut *$tx)
                .await?;
            // An existing document keeps the pages that were shown.
            let parts = if inserted.rows_affected() == 1 { &document.parts[..] } else { &[] };
            for part in parts {
                sqlx::query(INSERT_PART)
                    .bind(&document.sha256)
                    .bind(&part.name)
                    .bind(&part.media_type)
                    .bind(&part.bytes)
                    .execute(&mut *$tx)
                    .await?;
            }
            let spooled = if inserted.rows_affected() == 1 { &document.spooled[..] } else { &[] };
            for part in spooled {
                sqlx::query(INSERT_PART)
                    .bind(&document.sha256)
                    .bind(&part.name)
                    .bind(&part.media_type)
                    .bind(part.read()?)
                    .execute(&mut *$tx)
                    .await?;
            }
        }
    };
}

/// Writes the seals and the entry of a publication. An existing document keeps the pages that were
/// shown and its seal, so the stored seals are used.
macro_rules! seal_and_log {
    ($store:expr, $tx:expr, $row:expr, $variants:expr, $documents:expr, $people:expr, $now:expr) => {{
        let (row, variants) = ($row, $variants);
        for (name, digest) in seals(row, variants, $documents)? {
            sqlx::query(INSERT_SEAL).bind(name).bind(digest).execute(&mut *$tx).await?;
        }
        let mut document_seals = std::collections::BTreeMap::new();
        for VariantRow { locale, sha256, .. } in variants {
            let name = format!("document/{sha256}");
            let seal: String =
                sqlx::query_scalar(SELECT_SEAL).bind(name).fetch_one(&mut *$tx).await?;
            document_seals.insert(locale.clone(), seal);
        }
        let (_, seal) = term_seal(row, variants);
        let [written_by, approved_by] = $people.map(references);
        let (written_by, approved_by) = (written_by?, approved_by?);
        let published =
            Published { seal: &seal, document_seals, written_by, approved_by, backfilled: false };
        append_if_started!($store, $tx, $now, |at| {
            vec![term_published(row, variants, published, at)?]
        })
    }};
}

/// Deletes the draft that becomes a version. Returns its authors and approvers with the resulting
/// events; `None` if it was edited or published meanwhile.
macro_rules! consume_draft {
    ($tx:expr, $new:expr, $draft:expr, $clearance:expr, $now:expr) => {{
        let draft: &DraftOfTerm = $draft;
        let lock = sqlx::query(LOCK_DRAFT).bind(&draft.id).bind(draft.revision);
        if lock.execute(&mut *$tx).await?.rows_affected() == 0 {
            None
        } else {
            let votes = Some(("terms", draft.id.as_str(), draft.sha256.as_str()));
            let change = Cleared { kind: "terms", scope: $new.kind.as_str(), votes };
            let events = clear!($tx, $clearance, change, $now);
            let writers =
                sqlx::query_as(SELECT_WRITERS).bind(&draft.id).fetch_all(&mut *$tx).await?;
            let counted = counted!(&mut *$tx, "terms", &draft.id, &draft.sha256);
            let approvers = sqlx::query_as(SELECT_APPROVERS).bind(&draft.id).bind(&draft.sha256);
            let approvers: Vec<(String, String, String)> = approvers.fetch_all(&mut *$tx).await?;
            let approvers = approvers
                .into_iter()
                .filter(|(_, _, subject)| {
                    counted.iter().any(|approval| approval.subject == *subject)
                })
                .map(|(key, id, _)| (key, id))
                .collect();
            let delete = sqlx::query(DELETE_DRAFT).bind(&draft.id).bind(draft.revision);
            delete.execute(&mut *$tx).await?;
            sqlx::query(DELETE_EDITORS).bind(&draft.id).execute(&mut *$tx).await?;
            sqlx::query(VOID_OF_DRAFT).bind(&draft.id).execute(&mut *$tx).await?;
            Some(([writers, approvers], events))
        }
    }};
}

impl Store {
    /// Returns the catalog of all published terms.
    pub async fn catalog(&self) -> Result<Catalog, StoreError> {
        Ok(read!(self, |pool| read_catalog!(pool)))
    }

    /// Publishes one version in all its languages, with its documents, in one transaction. It needs
    /// no approvals, because a command calls it.
    pub async fn publish_term(
        &self,
        new: &NewTerm,
        documents: &[NewDocument],
        now: Instant,
    ) -> Result<Result<Term, PublicationError>, StoreError> {
        self.publish(new, documents, Clearance::Free, now).await
    }

    /// Publishes a draft with the approvals that the rules require. Its documents are already
    /// stored.
    pub async fn publish_draft(
        &self,
        new: &NewTerm,
        glass: Option<&BreakGlass>,
        now: Instant,
    ) -> Result<Result<Term, PublicationError>, StoreError> {
        self.publish(new, &[], Clearance::ByRules(glass), now).await
    }

    async fn publish(
        &self,
        new: &NewTerm,
        documents: &[NewDocument],
        clearance: Clearance<'_>,
        now: Instant,
    ) -> Result<Result<Term, PublicationError>, StoreError> {
        let engine = self.engine();
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let id: i64 = sqlx::query_scalar(INCREMENT_TERM_ID).fetch_one(&mut *tx).await?;
            let (mut people, mut events) = ([Vec::new(), Vec::new()], Vec::new());
            if let Some(draft) = &new.draft {
                match consume_draft!(tx, new, draft, clearance, now) {
                    Some(consumed) => (people, events) = consumed,
                    None => return Ok(Err(PublicationError::DraftChanged)),
                }
            }
            let catalog = read_catalog!(&mut *tx);
            let term = match new.publish(id, &catalog, now) {
                Ok(term) => term,
                Err(refusal) => return Ok(Err(refusal)),
            };
            insert_documents!(tx, documents);
            let (mut row, variants) = rows(&term);
            row.replaces = row.replaces.map(|of| catalog.end_of_chain(of));
            for (table, rows) in
                [(TERMS, json(std::slice::from_ref(&row))), (VARIANTS, json(&variants))]
            {
                sqlx::query(table.insert(engine)).bind(rows).execute(&mut *tx).await?;
            }
            let appended = seal_and_log!(self, tx, &row, &variants, documents, people, now);
            for (turn, at) in future_turns(&term, now) {
                let query = sqlx::query(INSERT_TURN).bind(term.id).bind(turn).bind(at.millis());
                query.execute(&mut *tx).await?;
            }
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            events.extend(publication_events(&term, now));
            let last = append_events!(self, tx, events);
            tx.commit().await?;
            self.events_appended(last);
            appended.into_iter().for_each(|end| self.cache_end(end));
            Ok(Ok(term))
        })
    }
}
