//! Verifies terms against their digests, documents against their hash, and their pages against a
//! digest.

use std::collections::{BTreeSet, HashMap};

use musette_core::instant::Instant;
use musette_core::log::entry::{Entry, TermPublished};
use sha2::{Digest as _, Sha256};

use super::{IntegrityError, Run};
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::seal::{
    ORDER_BY_ID, TERMS, TermRow, VARIANTS, VariantRow, WHERE_TERM, document_seal, term_seal,
};

const SELECT_SEALS: &str = "SELECT name, digest FROM seals ORDER BY name";
const SELECT_DOCUMENTS: &str = "SELECT sha256 FROM documents ORDER BY sha256";
const SELECT_DOCUMENT: &str = "SELECT pages, bytes FROM documents WHERE sha256 = $1";
const SELECT_PARTS: &str = "SELECT name, media_type, bytes FROM document_parts WHERE sha256 = $1";
const SELECT_PUBLICATION: &str = "SELECT entry FROM log_entries WHERE term = $1";
const SELECT_MISSING_DOCUMENTS: &str = "SELECT DISTINCT c.sha256 FROM consents AS c
    WHERE NOT EXISTS (SELECT 1 FROM documents AS d WHERE d.sha256 = c.sha256)";
const SELECT_UNCOUNTED: &str = "SELECT value - (SELECT count(*) FROM terms) FROM counters
    WHERE name = 'term'";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[
    SELECT_SEALS,
    SELECT_DOCUMENTS,
    SELECT_DOCUMENT,
    SELECT_PARTS,
    SELECT_PUBLICATION,
    SELECT_MISSING_DOCUMENTS,
    SELECT_UNCOUNTED,
];

impl Store {
    pub(super) async fn verify_sealed(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        let seals: Result<Vec<(String, String)>, _> =
            read!(self, |pool| sqlx::query_as(SELECT_SEALS).fetch_all(pool).await);
        let mut seals: HashMap<_, _> = run.readable("seals", "", seals)?.into_iter().collect();
        self.verify_terms(run, &mut seals).await?;
        run.report_other_documents();
        let published = std::mem::take(&mut run.replayed.terms);
        for id in published.into_keys() {
            run.report("terms", format!("id {id}"), "the row is missing");
        }
        self.verify_documents(run, &mut seals).await?;
        let mut remaining: Vec<String> = seals.into_keys().collect();
        remaining.sort_unstable();
        for name in remaining {
            match name.split_once('/') {
                Some(("term", id)) => run.report("terms", format!("id {id}"), "the row is missing"),
                Some(("document", sha256)) => {
                    run.report("documents", format!("sha256 {sha256}"), "the row is missing");
                }
                _ => run.report("seals", name, "the seal belongs to no row"),
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
            read!(self, |pool| sqlx::query_as(TERMS.select(ORDER_BY_ID)).fetch_all(pool).await);
        for term in run.readable("terms", "", terms)? {
            let place = format!("id {}", term.id);
            let of_term = VARIANTS.select(WHERE_TERM);
            let variants: Result<Vec<VariantRow>, _> =
                read!(self, |pool| sqlx::query_as(of_term).bind(term.id).fetch_all(pool).await);
            let variants =
                run.readable("term_variants", format!("term_id {}", term.id), variants)?;
            let (name, digest) = term_seal(&term, &variants);
            let logged = self.publication(run, term.id).await?;
            let changed =
                logged.as_ref().is_some_and(|logged| run.compare_documents(&variants, logged));
            match seals.remove(&name) {
                Some(seal) if seal == digest || changed => {}
                Some(_) => {
                    run.report(
                        "terms",
                        &place,
                        "the term, or one of its languages, changed after the publication",
                    );
                }
                None => run.report("terms", &place, "it was not published by this program"),
            }
            match logged {
                Some(logged) => {
                    let digest = if changed { &logged.seal } else { &digest };
                    run.compare_term(&place, &term, &variants, digest, &logged);
                }
                None if run.replayed.extended => {
                    run.report("terms", &place, "no entry of the log records it");
                }
                None => {}
            }
        }
        let uncounted: Option<i64> =
            read!(self, |pool| sqlx::query_scalar(SELECT_UNCOUNTED).fetch_optional(pool).await)?;
        if uncounted != Some(0) {
            run.report("terms", "", "the number of terms differs from the counter");
        }
        Ok(())
    }

    /// Returns the log's entry of this term, which may have been published after the replay.
    async fn publication(
        &self,
        run: &mut Run<'_>,
        id: i64,
    ) -> Result<Option<TermPublished>, StoreError> {
        if let Some(logged) = run.replayed.terms.remove(&id) {
            return Ok(Some(logged));
        }
        let text: Option<String> = read!(self, |pool| sqlx::query_scalar(SELECT_PUBLICATION)
            .bind(id)
            .fetch_optional(pool)
            .await)?;
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
            read!(self, |pool| sqlx::query_scalar(SELECT_DOCUMENTS).fetch_all(pool).await);
        for sha256 in run.readable("documents", "", documents)? {
            run.replayed.named.remove(&sha256);
            let place = format!("sha256 {sha256}");
            let document: Result<Option<(i64, Vec<u8>)>, _> =
                read!(self, |pool| sqlx::query_as(SELECT_DOCUMENT)
                    .bind(&sha256)
                    .fetch_optional(pool)
                    .await);
            let document = run.readable("documents", &place, document)?;
            let Some((pages, bytes)) = document else { continue };
            if hex::encode(Sha256::digest(&bytes)) != sha256 {
                run.report("documents", &place, "its bytes have another hash");
            }
            let parts: Result<Vec<(String, String, Vec<u8>)>, _> =
                read!(self, |pool| sqlx::query_as(SELECT_PARTS)
                    .bind(&sha256)
                    .fetch_all(pool)
                    .await);
            let parts = run.readable("document_parts", &place, parts)?;
            let parts = parts.iter().map(|(name, kind, bytes)| (&name[..], &kind[..], &bytes[..]));
            let (name, digest) = document_seal(&sha256, pages, parts);
            let logged = run.replayed.documents.get(&sha256);
            if logged.is_some_and(|logged| *logged != digest) {
                let message = "its pages differ from the log";
                run.report("document_parts", &place, message);
            }
            match seals.remove(&name) {
                Some(seal) if seal == digest => {}
                Some(_) => {
                    run.report("document_parts", place, "its pages changed after the publication");
                }
                None => run.report("documents", place, "it was not published by this program"),
            }
        }
        // Documents are read after the consents that reference them, so documents that were
        // published meanwhile exist.
        let mut missing = std::mem::take(&mut run.replayed.named);
        if run.reports > 0 {
            // If there are errors, some consents may not have been replayed.
            let named: Result<Vec<String>, _> =
                read!(self, |pool| sqlx::query_scalar(SELECT_MISSING_DOCUMENTS)
                    .fetch_all(pool)
                    .await);
            missing.extend(run.readable("documents", "", named)?);
        }
        for sha256 in missing.difference(&run.replayed.changed_documents.clone()) {
            run.report(
                "documents",
                format!("sha256 {sha256}"),
                "consents reference it, but it is missing",
            );
        }
        Ok(())
    }
}

impl Run<'_> {
    /// Reports each language whose document is not the one in the log, with the number of consents
    /// that refer to it. Returns whether there is one.
    fn compare_documents(&mut self, variants: &[VariantRow], logged: &TermPublished) -> bool {
        let mut changed = false;
        for variant in variants {
            let of_log = logged.sha256.get(&variant.locale);
            if of_log.is_none_or(|sha256| *sha256 == variant.sha256) {
                continue;
            }
            changed = true;
            let id = logged.terms_and_conditions_id;
            let document = (id, variant.sha256.clone());
            let consents = self.replayed.other_documents.remove(&document);
            let consents = consents.map_or_else(String::new, |(_, count)| {
                format!(
                    "; {count} {} to it",
                    if count == 1 { "consent refers" } else { "consents refer" }
                )
            });
            self.replayed.changed_documents.insert(variant.sha256.clone());
            let place = format!("term_id {id} locale {}", variant.locale);
            let message = format!("sha256 differs from the log{consents}");
            self.report("term_variants", place, message);
        }
        changed
    }

    /// Reports consents whose document is not the one in the log, and not because a term changed.
    fn report_other_documents(&mut self) {
        for (place, count) in std::mem::take(&mut self.replayed.other_documents).into_values() {
            let what = "sha256 differs from the log".to_owned();
            self.add(IntegrityError { table: "consents", place, what, count });
        }
    }

    /// Compares a term with its entry. The seal covers every column; the readable members are also
    /// compared, so that the report contains the first difference.
    fn compare_term(
        &mut self,
        place: &str,
        term: &TermRow,
        variants: &[VariantRow],
        digest: &str,
        logged: &TermPublished,
    ) {
        let text = |millis| Instant::from_millis(millis).to_string();
        let documents = variants.iter().map(|variant| &variant.locale);
        let differs = [
            ("term_kind", term.term_kind.is_some() != logged.term_kind.is_some()),
            ("mandatory", term.mandatory != logged.mandatory),
            ("effective_from", text(term.effective_from) != logged.effective_from),
            ("market", term.market != logged.market),
            ("instead_of", term.instead_of != logged.instead_of),
            ("grace_until", term.grace_until.map(text) != logged.grace_until),
            ("sha256", !documents.collect::<BTreeSet<_>>().into_iter().eq(logged.sha256.keys())),
            ("the term, or one of its languages,", digest != logged.seal),
        ];
        if let Some((column, _)) = differs.into_iter().find(|(_, differs)| *differs) {
            self.report("terms", place, format!("{column} differs from the log"));
        }
    }
}
