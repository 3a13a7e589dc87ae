//! Published terms.

pub(crate) mod documents;
pub(crate) mod drafts;
pub(crate) mod order;
pub(crate) mod views;

use std::collections::HashMap;

use musette_core::instant::Instant;
use musette_core::terms::{Catalog, NewTerm, PublishRefusal, Term, TermType, Variant};

use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};
use crate::log::{
    KEEP_SEAL, Published, SEAL, SealedTerm, SealedVariant, WRITTEN_BY, append_if_started,
    document_seal, subject_key, term_published, term_seal,
};
use crate::terms::documents::{KEEP, KEEP_PART, NewDocument};
use crate::terms::drafts::DROP as DROP_DRAFT;

pub(crate) const TERMS: Table = Table {
    name: "terms",
    columns: &[
        ("id", ColumnType::Int),
        ("kind", ColumnType::Text),
        ("version", ColumnType::Int),
        ("mandatory", ColumnType::Bool),
        ("display_order", ColumnType::Int),
        ("effective_from", ColumnType::Int),
        ("grace_until", ColumnType::Int),
        ("replaces", ColumnType::Int),
        ("material", ColumnType::Bool),
        ("summary", ColumnType::Text),
        ("published_at", ColumnType::Int),
        ("label", ColumnType::Text),
    ],
};
pub(crate) const VARIANTS: Table = Table {
    name: "term_variants",
    columns: &[
        ("term_id", ColumnType::Int),
        ("position", ColumnType::Int),
        ("locale", ColumnType::Text),
        ("title", ColumnType::Text),
        ("sha256", ColumnType::Text),
        ("summary", ColumnType::Text),
    ],
};

/// The first statement of a publication, so that it is the lock as well.
const NEXT_ID: &str = "UPDATE counters SET value = value + 1 WHERE name = 'term' RETURNING value";
const INSERT: &str =
    "INSERT INTO terms (id, kind, version, mandatory, display_order, effective_from,
    grace_until, replaces, material, summary, published_at, label)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
const INSERT_VARIANT: &str =
    "INSERT INTO term_variants (term_id, position, locale, title, sha256, summary)
    VALUES ($1, $2, $3, $4, $5, $6)";
const SELECT: &str = "SELECT t.id, t.kind, t.version, t.mandatory,
    coalesce(o.position, t.display_order) AS display_order, t.effective_from, t.grace_until,
    t.replaces, t.material, t.summary, t.published_at, t.label FROM terms AS t
    LEFT JOIN term_order AS o ON o.term_id = t.id";
const SELECT_VARIANTS: &str =
    "SELECT term_id, locale, title, sha256, summary FROM term_variants ORDER BY term_id, position";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[NEXT_ID, INSERT, INSERT_VARIANT, SELECT, SELECT_VARIANTS];

#[derive(sqlx::FromRow)]
struct TermRow {
    id: i64,
    kind: String,
    version: i64,
    mandatory: bool,
    display_order: i64,
    effective_from: i64,
    grace_until: Option<i64>,
    replaces: Option<i64>,
    material: bool,
    summary: Option<String>,
    published_at: i64,
    label: Option<String>,
}

#[derive(sqlx::FromRow)]
struct VariantRow {
    term_id: i64,
    locale: String,
    title: String,
    sha256: String,
    summary: Option<String>,
}

impl TermRow {
    fn into_term(self, variants: Vec<Variant>) -> Result<Term, StoreError> {
        let kind = TermType::parse(&self.kind)
            .ok_or_else(|| StoreError::Corrupt(format!("type of term {}", self.id)))?;
        if variants.is_empty() {
            return Err(StoreError::Corrupt(format!("term {} has no text", self.id)));
        }
        Ok(Term {
            id: self.id,
            kind,
            version: self.version,
            mandatory: self.mandatory,
            display_order: self.display_order,
            effective_from: Instant::from_millis(self.effective_from),
            grace_until: self.grace_until.map(Instant::from_millis),
            replaces: self.replaces,
            material: self.material,
            summary: self.summary,
            label: self.label,
            published_at: Instant::from_millis(self.published_at),
            variants,
        })
    }
}

fn catalog(terms: Vec<TermRow>, rows: Vec<VariantRow>) -> Result<Catalog, StoreError> {
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
        .map(|row| {
            let variants = variants.remove(&row.id).unwrap_or_default();
            row.into_term(variants)
        })
        .collect();
    Ok(Catalog::new(terms?))
}

fn sealed(term: &Term, now: Instant) -> (SealedTerm, Vec<SealedVariant>) {
    let row = (
        term.id,
        term.kind.as_str().to_owned(),
        term.version,
        term.mandatory,
        term.display_order,
        term.effective_from.millis(),
        term.grace_until.map(Instant::millis),
        term.replaces,
        term.material,
        term.summary.clone(),
        now.millis(),
        term.label.clone(),
    );
    let variants = (0_i64..).zip(term.variants.iter().cloned());
    let variants =
        variants.map(|(position, it)| (position, it.locale, it.title, it.sha256, it.summary));
    (row, variants.collect())
}

fn seals(term: &Term, documents: &[NewDocument], now: Instant) -> Vec<(String, String)> {
    let (row, variants) = sealed(term, now);
    let documents = documents.iter().map(|document| {
        let parts = document.parts.iter();
        let parts = parts.map(|it| (it.name.as_str(), it.media_type.as_str(), &it.bytes[..]));
        document_seal(&document.sha256, document.pages, parts)
    });
    std::iter::once(term_seal(&row, &variants)).chain(documents).collect()
}

/// Authors, as the log names people.
fn references(written_by: Option<(String, String)>) -> Result<Vec<String>, StoreError> {
    let reference = |(key, id): (String, String)| Ok(subject_key(&key)?.subject(&id));
    written_by.into_iter().map(reference).collect()
}

macro_rules! keep_documents {
    ($tx:expr, $documents:expr) => {
        for document in $documents {
            let kept = sqlx::query(KEEP)
                .bind(&document.sha256)
                .bind(document.pages)
                .bind(&document.bytes)
                .execute(&mut *$tx)
                .await?;
            // A document that was there before keeps the pages that were shown.
            let parts = if kept.rows_affected() == 1 { &document.parts[..] } else { &[] };
            for part in parts {
                sqlx::query(KEEP_PART)
                    .bind(&document.sha256)
                    .bind(&part.name)
                    .bind(&part.media_type)
                    .bind(&part.bytes)
                    .execute(&mut *$tx)
                    .await?;
            }
        }
    };
}

/// The seals and the entry of a publication. A document that was there before keeps the pages that were shown, and
/// with them its seal: so the seals are those that are stored.
macro_rules! seal_and_log {
    ($store:expr, $tx:expr, $term:expr, $documents:expr, $written_by:expr, $now:expr) => {{
        for (name, digest) in seals($term, $documents, $now) {
            sqlx::query(KEEP_SEAL).bind(name).bind(digest).execute(&mut *$tx).await?;
        }
        let (row, variants) = sealed($term, $now);
        let mut document_seals = std::collections::BTreeMap::new();
        for (_, locale, _, sha256, _) in &variants {
            let name = format!("document/{sha256}");
            let seal: String = sqlx::query_scalar(SEAL).bind(name).fetch_one(&mut *$tx).await?;
            document_seals.insert(locale.clone(), seal);
        }
        let (_, seal) = term_seal(&row, &variants);
        let written_by = references($written_by)?;
        let published = Published { seal: &seal, document_seals, written_by, backfilled: false };
        let entry = term_published(&row, &variants, published, $now)?;
        append_if_started!($store, $tx, vec![entry])
    }};
}

impl Store {
    /// Every published term.
    pub async fn catalog(&self) -> Result<Catalog, StoreError> {
        let (terms, variants) = read!(self, |pool| (
            sqlx::query_as::<_, TermRow>(SELECT).fetch_all(pool).await?,
            sqlx::query_as::<_, VariantRow>(SELECT_VARIANTS).fetch_all(pool).await?
        ));
        catalog(terms, variants)
    }

    /// Publishes one version in all its languages, with its documents, in one transaction.
    pub async fn publish_term(
        &self,
        new: &NewTerm,
        documents: &[NewDocument],
        now: Instant,
    ) -> Result<Result<Term, PublishRefusal>, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let id: i64 = sqlx::query_scalar(NEXT_ID).fetch_one(&mut *tx).await?;
            let mut written_by: Option<(String, String)> = None;
            if let Some((draft, revision)) = &new.draft {
                written_by =
                    sqlx::query_as(WRITTEN_BY).bind(draft).fetch_optional(&mut *tx).await?;
                let dropped =
                    sqlx::query(DROP_DRAFT).bind(draft).bind(revision).execute(&mut *tx).await?;
                if dropped.rows_affected() == 0 {
                    return Ok(Err(PublishRefusal::DraftChanged));
                }
            }
            let rows = sqlx::query_as(SELECT).fetch_all(&mut *tx).await?;
            let variants = sqlx::query_as(SELECT_VARIANTS).fetch_all(&mut *tx).await?;
            let term = match new.publish(id, &catalog(rows, variants)?, now) {
                Ok(term) => term,
                Err(refusal) => return Ok(Err(refusal)),
            };
            keep_documents!(tx, documents);
            sqlx::query(INSERT)
                .bind(term.id)
                .bind(term.kind.as_str())
                .bind(term.version)
                .bind(term.mandatory)
                .bind(term.display_order)
                .bind(term.effective_from.millis())
                .bind(term.grace_until.map(Instant::millis))
                .bind(term.replaces)
                .bind(term.material)
                .bind(&term.summary)
                .bind(now.millis())
                .bind(&term.label)
                .execute(&mut *tx)
                .await?;
            for (position, variant) in (0_i64..).zip(&term.variants) {
                sqlx::query(INSERT_VARIANT)
                    .bind(term.id)
                    .bind(position)
                    .bind(&variant.locale)
                    .bind(&variant.title)
                    .bind(&variant.sha256)
                    .bind(&variant.summary)
                    .execute(&mut *tx)
                    .await?;
            }
            let appended = seal_and_log!(self, tx, &term, documents, written_by, now);
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            tx.commit().await?;
            appended.into_iter().for_each(|it| self.know_log(it));
            Ok(Ok(term))
        })
    }
}
