//! Terms against their digests, documents against their hash, and their pages against a digest.

use std::collections::{BTreeMap, HashMap};

use musette_core::instant::Instant;
use musette_core::log::entry::{Entry, TermPublished};
use sha2::{Digest as _, Sha256};

use super::Run;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::seal::{
    ALL_TERMS, OF_TERM, TERMS, TermRow, VARIANTS, VariantRow, document_seal, term_seal,
};

const SEALS: &str = "SELECT name, digest FROM seals ORDER BY name";
const DOCUMENTS: &str = "SELECT sha256 FROM documents ORDER BY sha256";
const DOCUMENT: &str = "SELECT pages, bytes FROM documents WHERE sha256 = $1";
const PARTS: &str = "SELECT name, media_type, bytes FROM document_parts WHERE sha256 = $1";
const LOGGED: &str = "SELECT entry FROM log_entries WHERE term = $1";
const NAMED: &str = "SELECT DISTINCT c.sha256 FROM consents AS c
    WHERE NOT EXISTS (SELECT 1 FROM documents AS d WHERE d.sha256 = c.sha256)";
const COUNTED: &str = "SELECT value - (SELECT count(*) FROM terms) FROM counters
    WHERE name = 'term'";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[SEALS, DOCUMENTS, DOCUMENT, PARTS, LOGGED, NAMED, COUNTED];

impl Store {
    pub(super) async fn verify_sealed(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        let seals: Result<Vec<(String, String)>, _> =
            read!(self, |pool| sqlx::query_as(SEALS).fetch_all(pool).await);
        let mut seals: HashMap<_, _> = run.readable("seals", "", seals)?.into_iter().collect();
        self.verify_terms(run, &mut seals).await?;
        let published = std::mem::take(&mut run.replayed.terms);
        for id in published.into_keys() {
            run.fault("terms", format!("id {id}"), "the row is missing");
        }
        self.verify_documents(run, &mut seals).await?;
        let mut left: Vec<String> = seals.into_keys().collect();
        left.sort_unstable();
        for name in left {
            match name.split_once('/') {
                Some(("term", id)) => run.fault("terms", format!("id {id}"), "the row is missing"),
                Some(("document", sha256)) => {
                    run.fault("documents", format!("sha256 {sha256}"), "the row is missing");
                }
                _ => run.fault("seals", name, "it is of nothing"),
            }
        }
        Ok(())
    }

    async fn verify_terms(
        &self,
        run: &mut Run<'_>,
        seals: &mut HashMap<String, String>,
    ) -> Result<(), StoreError> {
        let terms: Result<Vec<TermRow>, _> =
            read!(self, |pool| sqlx::query_as(TERMS.select(ALL_TERMS)).fetch_all(pool).await);
        for term in run.readable("terms", "", terms)? {
            let place = format!("id {}", term.id);
            let of_term = VARIANTS.select(OF_TERM);
            let variants: Result<Vec<VariantRow>, _> =
                read!(self, |pool| sqlx::query_as(of_term).bind(term.id).fetch_all(pool).await);
            let variants =
                run.readable("term_variants", format!("term_id {}", term.id), variants)?;
            let (name, digest) = term_seal(&term, &variants);
            match seals.remove(&name) {
                Some(seal) if seal == digest => {}
                Some(_) => {
                    run.fault("terms", &place, "it, or one of its languages, is not as published");
                }
                None => run.fault("terms", &place, "it was not published by this program"),
            }
            match self.publication(run, term.id).await? {
                Some(logged) => run.compare_term(&place, &term, &variants, &digest, &logged),
                None if run.replayed.extended => {
                    run.fault("terms", &place, "no entry of the log is its");
                }
                None => {}
            }
        }
        let uncounted: Option<i64> =
            read!(self, |pool| sqlx::query_scalar(COUNTED).fetch_optional(pool).await)?;
        if uncounted != Some(0) {
            run.fault("terms", "", "there are not as many as were numbered");
        }
        Ok(())
    }

    /// The log's entry of this term. It may have been published since the log was replayed.
    async fn publication(
        &self,
        run: &mut Run<'_>,
        id: i64,
    ) -> Result<Option<TermPublished>, StoreError> {
        if let Some(logged) = run.replayed.terms.remove(&id) {
            return Ok(Some(logged));
        }
        let text: Option<String> =
            read!(self, |pool| sqlx::query_scalar(LOGGED).bind(id).fetch_optional(pool).await)?;
        Ok(text.and_then(|text| match Entry::decode(&text) {
            Ok(Entry::TermPublished(logged)) => Some(logged),
            _ => None,
        }))
    }

    async fn verify_documents(
        &self,
        run: &mut Run<'_>,
        seals: &mut HashMap<String, String>,
    ) -> Result<(), StoreError> {
        let documents: Result<Vec<String>, _> =
            read!(self, |pool| sqlx::query_scalar(DOCUMENTS).fetch_all(pool).await);
        for sha256 in run.readable("documents", "", documents)? {
            run.replayed.named.remove(&sha256);
            let place = format!("sha256 {sha256}");
            let document: Result<Option<(i64, Vec<u8>)>, _> =
                read!(self, |pool| sqlx::query_as(DOCUMENT)
                    .bind(&sha256)
                    .fetch_optional(pool)
                    .await);
            let document = run.readable("documents", &place, document)?;
            let Some((pages, bytes)) = document else { continue };
            if hex::encode(Sha256::digest(&bytes)) != sha256 {
                run.fault("documents", &place, "its bytes have another hash");
            }
            let parts: Result<Vec<(String, String, Vec<u8>)>, _> =
                read!(self, |pool| sqlx::query_as(PARTS).bind(&sha256).fetch_all(pool).await);
            let parts = run.readable("document_parts", &place, parts)?;
            let parts = parts.iter().map(|(name, kind, bytes)| (&name[..], &kind[..], &bytes[..]));
            let (name, digest) = document_seal(&sha256, pages, parts);
            let logged = run.replayed.documents.get(&sha256);
            if logged.is_some_and(|logged| *logged != digest) {
                let what = "its pages are not those that were published";
                run.fault("document_parts", &place, what);
            }
            match seals.remove(&name) {
                Some(seal) if seal == digest => {}
                Some(_) => {
                    run.fault("document_parts", place, "its pages are not as published");
                }
                None => run.fault("documents", place, "it was not published by this program"),
            }
        }
        // Documents are read after the consents that name them, so those that were published meanwhile are there.
        let mut missing = std::mem::take(&mut run.replayed.named);
        if !run.verified.faults.is_empty() {
            // Then some consents may not have been replayed.
            let named: Result<Vec<String>, _> =
                read!(self, |pool| sqlx::query_scalar(NAMED).fetch_all(pool).await);
            missing.extend(run.readable("documents", "", named)?);
        }
        for sha256 in missing {
            run.fault("documents", format!("sha256 {sha256}"), "consents name it: it is missing");
        }
        Ok(())
    }
}

impl Run<'_> {
    /// The seal covers every column; what the entry says in words is compared besides, so that the
    /// first that differs is named.
    fn compare_term(
        &mut self,
        place: &str,
        term: &TermRow,
        variants: &[VariantRow],
        digest: &str,
        logged: &TermPublished,
    ) {
        let text = |millis| Instant::from_millis(millis).to_string();
        let documents = variants.iter().map(|it| (&it.locale, &it.sha256));
        let differs = [
            ("mandatory", term.mandatory != logged.mandatory),
            ("effective_from", text(term.effective_from) != logged.effective_from),
            ("market", term.market != logged.market),
            ("instead_of", term.instead_of != logged.instead_of),
            ("grace_until", term.grace_until.map(text) != logged.grace_until),
            ("sha256", !documents.collect::<BTreeMap<_, _>>().into_iter().eq(&logged.sha256)),
            ("it, or one of its languages,", digest != logged.seal),
        ];
        if let Some((column, _)) = differs.into_iter().find(|(_, differs)| *differs) {
            self.fault("terms", place, format!("{column} is not what was logged"));
        }
    }
}
